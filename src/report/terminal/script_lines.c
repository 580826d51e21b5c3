/* Prints the SQL of a job whose table lies in another engine, with what a person does in between as
 * comments. Nothing of a name may end a comment. terminal.c calls it. */
#include "report/terminal/terminal.h"

/* ---- Lines ---------------------------------------------------------------------------------- */

/* A comment is one line, however long. */
static void comment(mgl_page *page, const char *text)
{
    mgl_page_add(page, text[0] != '\0' ? "-- %.1100s" : "%s", text);
    page->whole = true;
    mgl_page_end(page);
}

/* A text that others wrote, in which keys are not spelt. */
static void quote(mgl_page *page, const char *text)
{
    mgl_buffer_text(&page->text, "--   ");
    for (; *text != '\0'; text++)
        mgl_buffer_append(&page->text, (unsigned char)*text < ' ' || *text == 127 ? "?" : text, 1);
    mgl_buffer_text(&page->text, "\n");
    page->begin = page->text.size;
}

static void hint(mgl_page *page, const json_t *sql, const char *key)
{
    const char *words = mgl_json_text(sql, key);
    if (words != NULL)
        quote(page, words);
}

static void statement(mgl_page *page, const json_t *sql, const char *key)
{
    const char *text = mgl_json_text(sql, key);
    if (text == NULL)
        return;
    mgl_buffer_text(&page->text, text);
    mgl_buffer_text(&page->text, ";\n");
    page->begin = page->text.size;
}

static void gap(mgl_page *page)
{
    mgl_buffer_text(&page->text, "\n");
    page->begin = page->text.size;
}

/* ---- The script ----------------------------------------------------------------------------- */

static void show_passed(mgl_page *page, const json_t *passed)
{
    if (json_array_size(passed) == 0)
        return;
    comment(page, "The leak guard cannot look at columns that are passed through in another "
                  "engine. The job accepts that of:");
    for (size_t i = 0; i < json_array_size(passed); i++)
        quote(page, json_string_value(json_array_get(passed, i)));
}

/* Can it stand in a line that is spelt? */
static bool is_plain(const char *text)
{
    bool plain = text != NULL;
    for (const char *at = plain ? text : ""; *at != '\0'; at++)
        plain = plain && (unsigned char)*at >= ' ' && *at != '`' && *at != '"' && *at != 127;
    return plain && strlen(text) < 100;
}

/* What means missing is said, since a file of counts would have its own default. */
static void add_missing(mgl_page *page, const json_t *missing)
{
    bool plain = json_array_size(missing) > 0 && json_array_size(missing) < 5;
    for (size_t i = 0; i < json_array_size(missing); i++)
        plain = plain && is_plain(json_string_value(json_array_get(missing, i)));
    mgl_page_add(page, plain ? " `missing: " : " `missing: TEXT,...");
    for (size_t i = 0; plain && i < json_array_size(missing); i++)
        mgl_page_add(page, "%s\"%s\"", i > 0 ? "," : "",
                     json_string_value(json_array_get(missing, i)));
    mgl_page_add(page, "`");
}

static void show_search(mgl_page *page, const json_t *sql)
{
    const char *count = mgl_json_text(sql, "count_column");
    comment(page, "2. Search, with the options of this job or the file that `save-job` wrote:");
    mgl_page_add(page, "--   `anonymize` JOB.yaml counts.csv `count: %.200s`",
                 is_plain(count) ? count : "COLUMN");
    add_missing(page, json_object_get(sql, "missing"));
    mgl_page_add(page, " `output: counted.csv` `save-map: map.csv` `result: result.json`");
    page->whole = true;
    mgl_page_end(page);
}

void mgl_terminal_script(mgl_page *page, const json_t *sql)
{
    comment(page, "Counts and map hold values of the table, and are as secret as it is; the "
                  "release is secret until it is checked (docs/counted-tables.md).");
    show_passed(page, json_object_get(sql, "passed_through"));
    statement(page, sql, "setting");
    gap(page);
    comment(page, "1. Count, and write the rows to counts.csv, with a header:");
    hint(page, sql, "unload");
    statement(page, sql, "count");
    gap(page);
    show_search(page, sql);
    gap(page);
    comment(page, "3. Load map.csv:");
    statement(page, sql, "map");
    hint(page, sql, "load");
    gap(page);
    comment(page, "4. Make the release, under a name of its own until it is checked:");
    statement(page, sql, "release");
    gap(page);
    comment(page, "5. Count the release, and write the rows to released.csv, with a header:");
    statement(page, sql, "verify");
    comment(page, "Models are judged, and all records are accounted for, by");
    comment(page, "  `check` released.csv `against: result.json`");
    gap(page);
    comment(page, "6. If that holds, give the release its name, and drop the map:");
    statement(page, sql, "publish");
    statement(page, sql, "clean");
    comment(page, "If it does not hold, drop both instead:");
    hint(page, sql, "undo");
    hint(page, sql, "clean");
}
