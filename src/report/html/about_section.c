/* Writes the top of a page: what the holder says about the release, what goes out as it is, and
 * what the leak guard looked at. whole_page.c and the summary call it. */
#include "report/html/sections.h"

const char *mgl_about_of(const json_t *document, const char *key)
{
    const json_t *one = json_is_array(document) ? json_array_get(document, 0) : document;
    return mgl_json_text(json_object_get(one, "about"), key);
}

void mgl_html_about(mgl_html *html, const json_t *document)
{
    static const struct {
        const char *key, *words;
    } rows[] = {
        {"purpose", "Purpose"}, {"recipient", "Recipient"}, {"author", "Author"}, {"date", "Date"}};
    bool any = false;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *text = mgl_about_of(document, rows[i].key);
        if (text == NULL)
            continue;
        mgl_html_add(html, "%s<dt>%s</dt>\n<dd>", any ? "" : "<dl class=\"about\">\n",
                     rows[i].words);
        mgl_html_text(html, text);
        mgl_html_add(html, "</dd>\n");
        any = true;
    }
    mgl_html_add(html, any ? "</dl>\n" : "");
}

/* ---- Columns by what becomes of them --------------------------------------------------------- */

typedef bool wanted_fn(const json_t *column);

static bool is_any(const json_t *column)
{
    return mgl_json_text(column, "column") != NULL;
}

static bool is_left_out(const json_t *column)
{
    const char *role = mgl_json_text(column, "role");
    return json_is_false(json_object_get(column, "released")) && role != NULL &&
           strcmp(role, "left out") == 0;
}

static bool is_identifier(const json_t *column)
{
    return json_is_false(json_object_get(column, "released")) && !is_left_out(column);
}

static size_t count_of(const json_t *list, wanted_fn *wanted)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        n += wanted(json_array_get(list, i));
    return n;
}

/* "a, b (sensitive) and c". */
static void add_names(mgl_html *html, const json_t *list, wanted_fn *wanted)
{
    size_t n = count_of(list, wanted), told = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i);
        const char *role = mgl_json_text(column, "role");
        if (!wanted(column))
            continue;
        mgl_html_add(html, told == 0 ? "" : told + 1 == n ? " and " : ", ");
        mgl_html_name(html, mgl_json_text(column, "column"));
        if (role != NULL && strcmp(role, "sensitive") == 0)
            mgl_html_add(html, " (sensitive)");
        told++;
    }
}

static void tell_unchanged(mgl_html *html, const json_t *document)
{
    const json_t *unchanged = json_object_get(document, "unchanged");
    size_t n = count_of(unchanged, is_any);
    if (!json_is_array(unchanged))
        return;
    mgl_html_add(html, "<dt>What goes out unchanged</dt>\n<dd>");
    if (n == 0)
        mgl_html_add(html, "No column.");
    add_names(html, unchanged, is_any);
    if (n > 0)
        mgl_html_add(html, ": every cell of %s as it was, beside the other columns of its row.",
                     n == 1 ? "this column is released" : "these columns is released");
    mgl_html_add(html, "</dd>\n");
}

static void tell_linked(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "linked");
    if (count_of(list, is_any) == 0)
        return;
    mgl_html_add(html, "<dt>What follows other columns</dt>\n<dd><ul>");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *follows = json_object_get(one, "follows");
        if (!is_any(one))
            continue;
        mgl_html_add(html, "<li>");
        mgl_html_name(html, mgl_json_text(one, "column"));
        mgl_html_add(html, " follows ");
        for (size_t f = 0; f < json_array_size(follows); f++) {
            mgl_html_add(html, f > 0 ? ", " : "");
            mgl_html_name(html, json_string_value(json_array_get(follows, f)));
        }
        if (json_is_integer(json_object_get(one, "generalized_cells")))
            mgl_html_add(html, " (generalized in %llu rows)",
                         (unsigned long long)mgl_json_whole(one, "generalized_cells"));
        mgl_html_add(html, "</li>");
    }
    mgl_html_add(html,
                 "</ul>Rows that are equal in the columns it follows show what all of them have in "
                 "common, so that the column tells nothing that these do not tell.</dd>\n");
}

static void tell_items(mgl_html *html, const json_t *document)
{
    const json_t *items = json_object_get(document, "items");
    const json_t *left_out = json_object_get(items, "left_out");
    const json_t *released = json_object_get(items, "released");
    if (!is_any(items))
        return;
    unsigned long long k = mgl_json_whole(items, "k"), m = mgl_json_whole(items, "m");
    mgl_html_add(html, "<dt>What was done to sets of items</dt>\n<dd>");
    mgl_html_name(html, mgl_json_text(items, "column"));
    mgl_html_add(html,
                 ": whoever knows up to %llu of the released items of a row finds them in at least "
                 "%llu %s%s. Items are the same in all rows, or a group of them in place of each; "
                 "their mean loss (ncp) is %.4f. ",
                 m, k, json_object_get(document, "entity") != NULL ? "persons" : "rows",
                 json_is_true(json_object_get(items, "within")) ? " of the same class" : "",
                 json_number_value(json_object_get(items, "ncp")));
    if (mgl_json_whole(left_out, "items") > 0)
        mgl_html_add(html,
                     "%llu items that were too rare are left out of all rows (%llu occurrences; "
                     "%llu rows lost all their items). ",
                     (unsigned long long)mgl_json_whole(left_out, "items"),
                     (unsigned long long)mgl_json_whole(left_out, "occurrences"),
                     (unsigned long long)mgl_json_whole(left_out, "emptied_rows"));
    if (json_is_object(released))
        mgl_html_add(html, "All %llu combinations of the written file were counted.",
                     (unsigned long long)mgl_json_whole(released, "combinations"));
    mgl_html_add(html, "</dd>\n");
}

static void tell_aggregated_column(mgl_html *html, const json_t *one)
{
    const char *function = mgl_json_text(one, "function");
    mgl_html_add(html, "<li>");
    mgl_html_name(html, mgl_json_text(one, "column"));
    mgl_html_add(html, ": ");
    mgl_html_text(html, function != NULL ? function : "?");
    if (mgl_json_is_number(one, "sse_share"))
        mgl_html_add(html, ", %.4g %% of the variance lost",
                     100 * mgl_json_number(one, "sse_share"));
    if (mgl_json_is_number(one, "values_per_cell"))
        mgl_html_add(html, ", a cell stands for %.3g values on average",
                     mgl_json_number(one, "values_per_cell"));
    if (json_is_integer(json_object_get(one, "top_cells")) && mgl_json_whole(one, "top_cells") > 0)
        mgl_html_add(html, ", suppressed in %llu rows",
                     (unsigned long long)mgl_json_whole(one, "top_cells"));
    mgl_html_add(html, "</li>");
}

static void tell_aggregated(mgl_html *html, const json_t *document)
{
    const json_t *aggregation = json_object_get(document, "aggregation");
    const json_t *list = json_object_get(aggregation, "columns");
    if (count_of(list, is_any) == 0)
        return;
    mgl_html_add(html, "<dt>What was aggregated</dt>\n<dd><ul>");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_any(json_array_get(list, i)))
            tell_aggregated_column(html, json_array_get(list, i));
    mgl_html_add(html, "</ul>");
    if (json_is_integer(json_object_get(aggregation, "classes")))
        mgl_html_add(
            html, "The %llu classes of the other columns were cut into %llu groups of near rows. ",
            (unsigned long long)mgl_json_whole(aggregation, "classes"),
            (unsigned long long)mgl_json_whole(aggregation, "groups"));
    mgl_html_add(html, "Every row shows one value for its whole group; each group holds what was "
                       "promised, and each value was worked out again from the rows that show it."
                       "</dd>\n");
}

static void tell_treated(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "treatments");
    if (count_of(list, is_any) == 0)
        return;
    mgl_html_add(html, "<dt>What was treated</dt>\n<dd><ul>");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        const char *said = mgl_json_text(one, "treatment");
        if (!is_any(one))
            continue;
        mgl_html_add(html, "<li>");
        mgl_html_name(html, mgl_json_text(one, "column"));
        mgl_html_add(html, ": ");
        mgl_html_text(html, said != NULL ? said : "?");
        if (json_is_integer(json_object_get(one, "values_after")))
            mgl_html_add(html, " (%llu different values, %llu before)",
                         (unsigned long long)mgl_json_whole(one, "values_after"),
                         (unsigned long long)mgl_json_whole(one, "values_before"));
        mgl_html_add(html, "</li>");
    }
    mgl_html_add(html, "</ul>%s</dd>\n",
                 mgl_json_text(document, "output") != NULL
                     ? "Every released value was found to be what its treatment promises."
                     : "");
}

static void tell_withheld(mgl_html *html, const json_t *document)
{
    const json_t *columns = json_object_get(json_object_get(document, "audit"), "columns");
    size_t identifiers = count_of(columns, is_identifier), left = count_of(columns, is_left_out);
    if (identifiers + left == 0)
        return;
    mgl_html_add(html, "<dt>What does not go out</dt>\n<dd>");
    add_names(html, columns, is_identifier);
    if (identifiers > 0)
        mgl_html_add(html, identifiers == 1 ? ": it identifies persons."
                                            : ": they identify "
                                              "persons.");
    mgl_html_add(html, identifiers > 0 && left > 0 ? " " : "");
    add_names(html, columns, is_left_out);
    if (left > 0)
        mgl_html_add(html, left == 1 ? ": it has no role and was left out."
                                     : ": they have no role and were left out.");
    mgl_html_add(html, "</dd>\n");
}

/* ---- The leak guard -------------------------------------------------------------------------- */

static bool was_looked_at(const json_t *column)
{
    return is_any(column) && !json_is_false(json_object_get(column, "looked_at"));
}

static bool was_not_looked_at(const json_t *column)
{
    return is_any(column) && !was_looked_at(column);
}

static void add_messages(mgl_html *html, const json_t *list, const char *before)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *message = mgl_json_text(json_array_get(list, i), "message");
        mgl_html_add(html, "<li>%s", before);
        mgl_html_message(html, message != NULL ? message : "?");
        mgl_html_add(html, "</li>");
    }
}

/* Results of older versions tell of objections alone. */
static void tell_guard(mgl_html *html, const json_t *document)
{
    const json_t *guard = json_object_get(document, "guard"),
                 *leaks = json_object_get(document, "leaks"),
                 *warnings = json_object_get(guard, "warnings");
    const json_t *columns = json_object_get(json_is_object(guard) ? guard : document,
                                            json_is_object(guard) ? "columns" : "unchanged");
    size_t found = json_array_size(leaks) + json_array_size(warnings);
    if (!mgl_is_command(document, "anonymize") || mgl_json_text(document, "output") == NULL ||
        count_of(columns, is_any) == 0)
        return;
    mgl_html_add(html, "<dt>What the leak guard looked at</dt>\n<dd>");
    if (count_of(columns, was_looked_at) > 0) {
        add_names(html, columns, was_looked_at);
        mgl_html_add(html,
                     ": whether a value tells who somebody is, or gives back what was made coarser "
                     "in the same row. %s",
                     found == 0 ? "It found nothing." : "");
    }
    if (count_of(columns, was_not_looked_at) > 0) {
        mgl_html_add(html, " It could not look at ");
        add_names(html, columns, was_not_looked_at);
        mgl_html_add(html, ", whose rows stayed in the database.");
    }
    mgl_html_add(html, found > 0 ? "<ul>" : "");
    add_messages(html, leaks, "<strong class=\"bad\">Released all the same:</strong> ");
    add_messages(html, warnings, "");
    mgl_html_add(html, found > 0 ? "</ul>" : "");
    mgl_html_add(html, "</dd>\n");
}

void mgl_html_outgoing(mgl_html *html, const json_t *document)
{
    if (!json_is_array(json_object_get(document, "unchanged")))
        return;
    mgl_html_add(html, "<dl class=\"story\">\n");
    tell_unchanged(html, document);
    tell_treated(html, document);
    tell_linked(html, document);
    tell_items(html, document);
    tell_aggregated(html, document);
    tell_withheld(html, document);
    tell_guard(html, document);
    mgl_html_add(html, "</dl>\n");
}
