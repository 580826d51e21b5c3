/* Prints what can be found out about people: class sizes, sensitive columns, `risk`, `attack` and
 * advice. */
#include "report/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Class sizes ----------------------------------------------------------------------------- */

enum {
    MOST_LINES = 8,
    MOST_BINS = 64,
    LONGEST_BAR = 36,
    SHORTEST_BAR = 4,
    LABEL_SIZE = 2 * MGL_NUMBER_SIZE + 8
};

typedef struct bin {
    uint64_t from, to, rows;
} bin;

static void below(mgl_page *page, size_t margin, const char *before, const char *text);

/* Neighbours are put together until there are few enough. */
static size_t collect_sizes(const json_t *list, bin *bins)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < MOST_BINS; i++) {
        const json_t *one = json_array_get(list, i);
        bin b = {mgl_json_whole(one, "from"), mgl_json_whole(one, "to"),
                 mgl_json_whole(one, "rows")};
        if (b.rows > 0 || n > 0)
            bins[n++] = b;
    }
    while (n > 0 && bins[n - 1].rows == 0)
        n--;
    while (n > MOST_LINES) {
        for (size_t i = 0; 2 * i < n; i++) {
            bins[i] = bins[2 * i];
            if (2 * i + 1 < n) {
                bins[i].to = bins[2 * i + 1].to;
                bins[i].rows += bins[2 * i + 1].rows;
            }
        }
        n = (n + 1) / 2;
    }
    return n;
}

static void add_bar(mgl_page *page, double share, size_t length)
{
    if (page->ascii) {
        size_t marks = (size_t)(share * (double)length + 0.5);
        for (size_t i = 0; i < marks || (i == 0 && share > 0); i++)
            mgl_page_ink(page, MGL_INK_BAR, "#");
        return;
    }
    /* Eighths of a character. */
    static const char *const eighths_of_bar[] = {"",       "\u258f", "\u258e", "\u258d",
                                                 "\u258c", "\u258b", "\u258a", "\u2589"};
    size_t eighths = (size_t)(share * 8 * (double)length + 0.5);
    eighths = eighths == 0 && share > 0 ? 1 : eighths;
    for (size_t i = 0; i < eighths / 8; i++)
        mgl_page_ink(page, MGL_INK_BAR, "\u2588");
    mgl_page_ink(page, MGL_INK_BAR, eighths_of_bar[eighths % 8]);
}

static const char *label_of(const bin *b, char *text)
{
    char from[MGL_NUMBER_SIZE], to[MGL_NUMBER_SIZE];
    mgl_page_count(b->from, from);
    mgl_page_count(b->to, to);
    if (b->from == b->to)
        snprintf(text, LABEL_SIZE, "%s", from);
    else
        snprintf(text, LABEL_SIZE, "%s to %s", from, to);
    return text;
}

/* Widths around the bars: all bars begin in one column, and no number is cut. */
typedef struct layout {
    size_t label, number, bar;
} layout;

static layout lay_out(const mgl_page *page, const bin *bins, size_t n)
{
    layout l = {.label = 14};
    for (size_t i = 0; i < n; i++) {
        char text[LABEL_SIZE];
        size_t label = strlen(label_of(&bins[i], text)),
               number = strlen(mgl_page_count(bins[i].rows, text));
        l.label = label > l.label ? label : l.label;
        l.number = number > l.number ? number : l.number;
    }
    size_t around = MGL_PAGE_LABEL + l.label + 1 + 1 + l.number;
    size_t room = page->width > around ? page->width - around : 0;
    l.bar = room < SHORTEST_BAR ? SHORTEST_BAR : room < LONGEST_BAR ? room : LONGEST_BAR;
    return l;
}

void mgl_terminal_sizes(mgl_page *page, const json_t *document)
{
    const json_t *sizes = mgl_json_at(document, "figures.class_sizes");
    const json_t *list = json_object_get(sizes, "after");
    bin bins[MOST_BINS];
    size_t n = collect_sizes(list != NULL ? list : json_object_get(sizes, "now"), bins);
    layout l = lay_out(page, bins, n);
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = bins[i].rows > most ? bins[i].rows : most;
    for (size_t i = 0; n > 1 && i < n; i++) {
        char text[LABEL_SIZE];
        mgl_page_label(page, i == 0 ? "sizes" : "");
        mgl_page_add(page, "%-*s ", (int)l.label, label_of(&bins[i], text));
        add_bar(page, (double)bins[i].rows / (double)most, l.bar);
        mgl_page_add(page, " %s", mgl_page_count(bins[i].rows, text));
        mgl_page_end(page);
    }
}

/* ---- Sensitive columns ----------------------------------------------------------------------- */

enum { GAP = 2, MOST_CELLS = 32 };

typedef struct cell {
    char name[40];
    char value[MGL_NUMBER_SIZE];
} cell;

/* The cells of all columns are of one width, so that they line up. */
typedef struct widths {
    size_t name, value;
} widths;

typedef struct cells {
    cell cells[MOST_CELLS];
    size_t n;
} cells;

static void add_cell(cells *out, const char *name, const json_t *value)
{
    if (out->n == MOST_CELLS || (!json_is_number(value) && !json_is_null(value)))
        return;
    cell *added = &out->cells[out->n++];
    snprintf(added->name, sizeof added->name, "%s", name);
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        mgl_page_count((uint64_t)json_integer_value(value), added->value);
    else if (json_is_number(value))
        mgl_page_real(json_number_value(value), added->value);
    else
        snprintf(added->value, sizeof added->value, "-");
}

/* {"2": 0.8, "3": 1.5, ...}: of the many l the first and the last are shown. */
static void add_recursive(cells *out, const json_t *by_l)
{
    const char *key;
    json_t *value;
    long largest = 2;
    char name[40], last[24];
    json_object_foreach((json_t *)by_l, key, value)
    {
        long l = strtol(key, NULL, 10);
        largest = l > largest ? l : largest;
    }
    add_cell(out, "c for l=2", json_object_get(by_l, "2"));
    if (largest == 2)
        return;
    snprintf(last, sizeof last, "%ld", largest);
    snprintf(name, sizeof name, "c for l=%ld", largest);
    add_cell(out, name, json_object_get(by_l, last));
}

static void collect(const json_t *attribute, cells *out)
{
    const char *key;
    json_t *value;
    const json_t *p = json_object_get(attribute, "p");
    out->n = 0;
    json_object_foreach((json_t *)attribute, key, value)
    {
        /* The same number by two names. */
        bool again = strcmp(key, "distinct_l") == 0 && p != NULL && json_equal(p, value);
        if (json_is_object(value))
            add_recursive(out, value);
        else if (!again)
            add_cell(out, key, value);
    }
}

static void widen(widths *all, const cells *of_column)
{
    for (size_t i = 0; i < of_column->n; i++) {
        size_t name = strlen(of_column->cells[i].name), value = strlen(of_column->cells[i].value);
        all->name = name > all->name ? name : all->name;
        all->value = value > all->value ? value : all->value;
    }
}

static void show_cells(mgl_page *page, const cells *of_column, const widths *all)
{
    size_t width = all->name + 1 + all->value + GAP;
    size_t per_line = (page->width - MGL_PAGE_LABEL + GAP) / width;
    per_line = per_line > 0 ? per_line : 1;
    for (size_t i = 0; i < of_column->n; i++) {
        bool first = i % per_line == 0;
        if (first && i > 0)
            mgl_page_end(page);
        if (first)
            mgl_page_label(page, "");
        mgl_page_add(page, "%*s%-*s %*s", first ? 0 : GAP, "", (int)all->name,
                     of_column->cells[i].name, (int)all->value, of_column->cells[i].value);
    }
    if (of_column->n > 0)
        mgl_page_end(page);
}

void mgl_terminal_attributes(mgl_page *page, const json_t *document)
{
    const json_t *attributes = json_object_get(document, "attributes");
    const char *column;
    json_t *attribute;
    cells found;
    widths all = {0};
    json_object_foreach((json_t *)attributes, column, attribute)
    {
        collect(attribute, &found);
        widen(&all, &found);
    }
    json_object_foreach((json_t *)attributes, column, attribute)
    {
        mgl_page_line(page, "sensitive", "%s", column);
        collect(attribute, &found);
        show_cells(page, &found, &all);
    }
}

/* ---- Risk ------------------------------------------------------------------------------------ */

enum { SHOWN_SETS = 6 };

static void show_rows_below(mgl_page *page, const json_t *document)
{
    const json_t *below = json_object_get(document, "rows_below");
    const char *size;
    json_t *rows;
    mgl_page_label(page, "rows below");
    json_object_foreach((json_t *)below, size, rows)
    {
        mgl_page_put_item(page, "k=%s: %s", size,
                          mgl_count_words(&page->numbers, (uint64_t)json_integer_value(rows)));
    }
    mgl_page_end(page);
}

static void show_attacker(mgl_page *page, const json_t *document, const char *name)
{
    mgl_page_label(page, name);
    mgl_page_fill(page, json_object_get(document, name),
                  "at most {max:%} for one person, {mean:%} on average, {share_above:%} of rows "
                  "above ");
    mgl_page_fill(page, document, "{threshold:%}");
    mgl_page_end(page);
}

static void show_suda(mgl_page *page, const json_t *suda)
{
    if (!json_is_object(suda))
        return;
    mgl_page_fact(
        page, "suda", suda,
        "{rows_above_zero:,} rows stand out, scores up to {max_score:~}; columns by their "
        "part in it:");
    mgl_page_label(page, "");
    const char *column;
    json_t *share;
    json_object_foreach((json_t *)json_object_get(suda, "contribution"), column, share)
        mgl_page_put_item(page, "%.200s %.0f %%", column, json_number_value(share));
    mgl_page_end(page);
}

static void show_population(mgl_page *page, const json_t *uniques)
{
    static const char *const models[] = {"pitman", "zayatz", "snb"};
    const char *chosen = mgl_json_text(uniques, "chosen");
    if (chosen == NULL)
        return;
    mgl_page_label(page, "population");
    mgl_page_add(page, "about %s unique persons in it",
                 mgl_number_words(&page->numbers, uniques, chosen));
    const char *before = " (";
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        mgl_page_add(page, "%s%s %s%s", before, models[i],
                     mgl_number_words(&page->numbers, uniques, models[i]),
                     strcmp(models[i], chosen) == 0 ? ", chosen" : "");
        before = "; ";
    }
    mgl_page_add(page, ")");
    mgl_page_end(page);
}

/* The sets that distinguish rows best. */
static void show_sets(mgl_page *page, const json_t *sets)
{
    if (json_array_size(sets) == 0)
        return;
    mgl_page_line(page, "columns", "distinct tuples, pairs of rows that differ, unique rows");
    for (size_t i = 0; i < json_array_size(sets) && i < SHOWN_SETS; i++)
        mgl_page_fact(page, "", json_array_get(sets, i),
                      "{distinction:6.2f%} {separation:6.2f%} {unique_rows:6.2f%}  "
                      "{columns:names|,}");
    if (json_array_size(sets) > SHOWN_SETS)
        mgl_page_line(page, "", "... %s more sets in `json`",
                      mgl_count_words(&page->numbers, json_array_size(sets) - SHOWN_SETS));
}

void mgl_terminal_risk(mgl_page *page, const json_t *document)
{
    if (!json_is_object(json_object_get(document, "rows_below")))
        return;
    show_rows_below(page, document);
    show_attacker(page, document, "prosecutor");
    show_attacker(page, document, "journalist");
    mgl_page_fact(page, "marketer", json_object_get(document, "marketer"),
                  "{mean:%} of persons on average");
    const json_t *individual = json_object_get(document, "individual");
    if (json_is_object(individual))
        mgl_page_fact(page, "weighted", individual,
                      "{expected_reidentifications:~} persons expected to be found"
                      "[, {household_expected_reidentifications:~} with their households]");
    show_suda(page, json_object_get(document, "suda"));
    show_population(page, json_object_get(document, "population_uniques"));
    show_sets(page, json_object_get(document, "attributes"));
    const json_t *sets = json_object_get(document, "single_out");
    mgl_page_facts(page, "single out", sets, "{unique_rows:6.2f%}  {columns:names|,}");
    if (json_is_array(sets) && json_array_size(sets) == 0)
        mgl_page_line(page, "single out", "no set of columns does");
}

/* ---- Attacks --------------------------------------------------------------------------------- */

enum { SHOWN_PERSONS = 10 };

static void show_matches(mgl_page *page, const json_t *document)
{
    mgl_page_fact(page, "persons", document,
                  "{persons:,}, {unique_matches:,} of them match a single row");
    const char *rows;
    json_t *n;
    mgl_page_label(page, "matches");
    json_object_foreach((json_t *)json_object_get(document, "matched"), rows, n)
    {
        uint64_t n_rows = 0;
        bool known = mgl_parse_u64(mgl_span_of(rows), &n_rows);
        mgl_page_put_item(page, "%.30s %s: %s",
                          known ? mgl_count_words(&page->numbers, n_rows) : rows,
                          known && n_rows == 1 ? "row" : "rows",
                          mgl_count_words(&page->numbers, (uint64_t)json_integer_value(n)));
    }
    mgl_page_end(page);
}

static void show_columns(mgl_page *page, const json_t *document)
{
    const json_t *inference = json_object_get(document, "inference");
    const char *column;
    json_t *n;
    const char *label = "learnt";
    json_object_foreach((json_t *)json_object_get(document, "disclosed"), column, n)
    {
        const json_t *shares = json_object_get(inference, column);
        mgl_page_line(
            page, label, "%.200s of %s persons; a guess is right for %.3g %% instead of %.3g %%",
            column, mgl_count_words(&page->numbers, (uint64_t)json_integer_value(n)),
            100 * mgl_json_number(shares, "after"), 100 * mgl_json_number(shares, "before"));
        label = "";
    }
}

static void add_person(mgl_page *page, const json_t *one)
{
    const json_t *person = json_object_get(one, "person");
    mgl_page_fill(page, person, json_is_string(person) ? "{:name}" : "row ");
    if (!json_is_string(person))
        mgl_page_add(page, "%lld", (long long)json_integer_value(person));
}

static void show_person(mgl_page *page, const json_t *one)
{
    mgl_page_label(page, "");
    add_person(page, one);
    mgl_page_fill(page, one, ": {column:name} {value:name}");
    mgl_page_end(page);
}

/* Numbers that match no person exactly are still near to one. */
static void show_nearest(mgl_page *page, const json_t *document)
{
    const json_t *nearest = json_object_get(document, "nearest");
    const char *column;
    json_t *n;
    if (!json_is_object(nearest))
        return;
    mgl_page_fact(page, "nearest", nearest,
                  "{rows.min:,} to {rows.max:,} rows are nearest to a person, {rows.mean:.1f} on "
                  "average; {unique_matches:,} persons have a single one");
    mgl_page_fact(page, "", nearest,
                  "they are a person's own class for {right_at_most:,} at most, for certain for "
                  "{right_for_certain:,}");
    json_object_foreach((json_t *)json_object_get(nearest, "disclosed"), column, n)
    {
        mgl_page_line(page, "", "they have one value of %.200s for %s persons", column,
                      mgl_count_words(&page->numbers, (uint64_t)json_integer_value(n)));
    }
}

/* What knowing the method adds. */
static void show_minimality(mgl_page *page, const json_t *found)
{
    const json_t *persons = json_object_get(found, "persons");
    size_t shown = 0;
    if (!json_is_object(found))
        return;
    mgl_page_fact(page, "minimality", found,
                  "{possible:,} of {assignments:,} assignments of sensitive values give this "
                  "release");
    mgl_page_fact(page, "", found, "more than the models allow is learnt of {disclosed:,} persons");
    for (size_t i = 0; i < json_array_size(persons) && shown < SHOWN_PERSONS; i++)
        if (json_is_true(json_object_get(json_array_get(persons, i), "beyond"))) {
            const json_t *one = json_array_get(persons, i);
            mgl_page_label(page, "");
            add_person(page, one);
            mgl_page_fill(
                page, one,
                ": {column} {value} with probability {posterior:.3g}; the classes alone say "
                "{naive:.3g}");
            mgl_page_end(page);
            shown++;
        }
}

void mgl_terminal_attack(mgl_page *page, const json_t *document)
{
    if (!json_is_object(json_object_get(document, "matched")))
        return;
    const json_t *learnt = json_object_get(document, "learnt");
    show_matches(page, document);
    show_columns(page, document);
    for (size_t i = 0; i < json_array_size(learnt) && i < SHOWN_PERSONS; i++)
        show_person(page, json_array_get(learnt, i));
    show_nearest(page, document);
    show_minimality(page, json_object_get(document, "minimality"));
}

/* ---- Advice ---------------------------------------------------------------------------------- */

enum { WIDEST_COLUMN = 30, ROLE_WIDTH = 11 };

static size_t width_of(const json_t *advice)
{
    size_t width = 0;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *column = mgl_json_text(json_array_get(advice, i), "column");
        size_t size = column != NULL ? mgl_page_columns(column) : 0;
        width = size > width ? size : width;
    }
    return width > WIDEST_COLUMN ? WIDEST_COLUMN : width;
}

/* Text that goes on below where it began, when the line is full. */
static void fold(mgl_page *page, size_t margin, const char *text)
{
    enum { NARROWEST = 24 };
    size_t most = margin + NARROWEST > page->width ? margin + NARROWEST : page->width;
    bool begins = true;
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        page->indent = 4; /* of what is still too long */
        if (!begins && page->at + 1 + size > most) {
            mgl_page_end(page);
            mgl_page_add(page, "%-*s", (int)margin, "");
            begins = true;
        }
        mgl_page_add(page, "%s%.*s", begins ? "" : " ", (int)(size < 1000 ? size : 1000), text);
        begins = false;
        text += size;
        text += strspn(text, " ");
    }
    mgl_page_end(page);
}

/* A line below that of a column. */
static void below(mgl_page *page, size_t margin, const char *before, const char *text)
{
    mgl_page_add(page, "%-*s%s", (int)margin, "", before);
    fold(page, margin, text);
}

static void add_column(mgl_page *page, const json_t *one, size_t width)
{
    const char *column = mgl_json_text(one, "column"), *role = mgl_json_text(one, "role");
    const char *reason = mgl_json_text(one, "reason");
    const char *hierarchy = mgl_json_text(one, "hierarchy");
    const json_t *hints = json_object_get(one, "hints");
    size_t margin = width + 2 + ROLE_WIDTH + 2;
    mgl_page_cell(page, column != NULL ? column : "?", width);
    mgl_page_add(page, "  %-*s  ", ROLE_WIDTH, role != NULL ? role : "?");
    fold(page, margin, reason != NULL ? reason : "");
    if (hierarchy != NULL)
        below(page, margin, "hierarchy ", hierarchy);
    for (size_t i = 0; i < json_array_size(hints); i++) {
        const char *hint = json_string_value(json_array_get(hints, i));
        below(page, margin, "", hint != NULL ? hint : "?");
    }
}

void mgl_terminal_advice(mgl_page *page, const json_t *document)
{
    const json_t *advice = json_object_get(document, "advice");
    const json_t *entity = json_object_get(document, "entity");
    const char *tried = mgl_json_text(json_object_get(document, "tried"), "message");
    size_t width = width_of(advice);
    for (size_t i = 0; i < json_array_size(advice); i++)
        add_column(page, json_array_get(advice, i), width);
    if (mgl_json_text(entity, "column") != NULL)
        mgl_page_fact(page, "entity", entity,
                      "{persons:,} persons, told apart by {column:name}: k counts persons, not "
                      "rows");
    if (tried != NULL) {
        mgl_page_label(page, "tried");
        fold(page, MGL_PAGE_LABEL, tried);
    }
}
