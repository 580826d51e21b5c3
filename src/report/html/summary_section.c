/* Writes the top of a page: the holder's words about the release, what goes out as it is, what the
 * leak guard examined, and the summary that stands before the sections. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

/* ---- The holder's words ---------------------------------------------------------------------- */

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

/* ---- Questions and answers ------------------------------------------------------------------- */

static void begin(mgl_html *html, const char *question)
{
    mgl_html_add(html, "<dt>%s</dt>\n<dd>", question);
}

static void end(mgl_html *html)
{
    mgl_html_add(html, "</dd>\n");
}

/* Does the page report nothing but what the release shows? */
static bool is_sample(const json_t *document)
{
    return json_is_object(json_object_get(document, "differential_privacy"));
}

/* ---- Columns by what becomes of them --------------------------------------------------------- */

typedef bool wanted_fn(const json_t *column);

static bool is_any(const json_t *column)
{
    return mgl_json_text(column, "column") != NULL;
}

static bool is_left_out(const json_t *column)
{
    return json_is_false(json_object_get(column, "released")) &&
           mgl_json_is(column, "role", "left out");
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
static void add_listed(mgl_html *html, const json_t *list, wanted_fn *wanted)
{
    size_t n = count_of(list, wanted), shown = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i);
        if (!wanted(column))
            continue;
        mgl_html_add(html, shown == 0 ? "" : shown + 1 == n ? " and " : ", ");
        mgl_html_name(html, mgl_json_text(column, "column"));
        mgl_html_add(html, mgl_json_is(column, "role", "sensitive") ? " (sensitive)" : "");
        shown++;
    }
}

static void write_unchanged(mgl_html *html, const json_t *document)
{
    const json_t *unchanged = json_object_get(document, "unchanged");
    size_t n = count_of(unchanged, is_any);
    if (!json_is_array(unchanged))
        return;
    begin(html, "What goes out unchanged");
    if (n == 0)
        mgl_html_add(html, "No column.");
    add_listed(html, unchanged, is_any);
    if (n > 0)
        mgl_html_add(html, ": every cell of %s as it was, beside the other columns of its row.",
                     n == 1 ? "this column is released" : "these columns is released");
    end(html);
}

static void write_linked(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "linked");
    if (count_of(list, is_any) == 0)
        return;
    begin(html, "What follows other columns");
    mgl_html_add(html, "<ul>");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (!is_any(one))
            continue;
        mgl_html_fill(html, one,
                      "<li>{column:name} follows {follows:names}"
                      "[ (generalized in {generalized_cells:.0f} rows)]</li>");
    }
    mgl_html_add(html,
                 "</ul>Rows that are equal in the columns it follows show what all of them have in "
                 "common, so that the column adds nothing to what these disclose.</dd>\n");
}

static void write_items(mgl_html *html, const json_t *document)
{
    const json_t *items = json_object_get(document, "items");
    if (!is_any(items))
        return;
    begin(html, "What was done to sets of items");
    mgl_html_fill(
        html, items,
        "{column:name}: anyone who knows up to {m:.0f} of the released items of a row finds "
        "them in at least {k:.0f} ");
    mgl_html_add(html, "%s%s", json_object_get(document, "entity") != NULL ? "persons" : "rows",
                 json_is_true(json_object_get(items, "within")) ? " of the same class" : "");
    mgl_html_fill(html, items,
                  ". Items are the same in all rows, or a group of them in place of each; their "
                  "mean loss (ncp) is {ncp:.4f}. ");
    if (mgl_json_whole(json_object_get(items, "left_out"), "items") > 0)
        mgl_html_fill(html, json_object_get(items, "left_out"),
                      "{items:.0f} items that were too rare are left out of all rows "
                      "({occurrences:.0f} occurrences; {emptied_rows:.0f} rows lost all their "
                      "items). ");
    mgl_html_fill(html, items,
                  "[All {released.combinations:.0f} combinations of the written file were "
                  "counted.]");
    end(html);
}

static void write_aggregated_column(mgl_html *html, const json_t *one)
{
    mgl_html_fill(html, one,
                  "<li>{column:name}: {function}[, {sse_share:.4g%} of the variance lost]"
                  "[, a cell stands for {values_per_cell:.3g} values on average]");
    if (mgl_json_whole(one, "top_cells") > 0)
        mgl_html_fill(html, one, ", suppressed in {top_cells:.0f} rows");
    mgl_html_add(html, "</li>");
}

static void write_aggregated(mgl_html *html, const json_t *document)
{
    const json_t *aggregation = json_object_get(document, "aggregation");
    const json_t *list = json_object_get(aggregation, "columns");
    if (count_of(list, is_any) == 0)
        return;
    begin(html, "What was aggregated");
    mgl_html_add(html, "<ul>");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_any(json_array_get(list, i)))
            write_aggregated_column(html, json_array_get(list, i));
    mgl_html_fill(html, aggregation,
                  "</ul>[The {classes:.0f} classes of the other columns were cut into {groups:.0f} "
                  "groups of near rows. ]");
    mgl_html_add(html, "Every row shows one value for its whole group; each group holds what was "
                       "promised, and each value was worked out again from the rows that show it."
                       "</dd>\n");
}

static void write_treated(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "treatments");
    if (count_of(list, is_any) == 0)
        return;
    begin(html, "What was treated");
    mgl_html_add(html, "<ul>");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (is_any(json_array_get(list, i)))
            mgl_html_fill(html, json_array_get(list, i),
                          "<li>{column:name}: {treatment}[ ({values_after:.0f} different values, "
                          "{values_before:.0f} before)]</li>");
    mgl_html_add(html, "</ul>%s</dd>\n",
                 mgl_json_text(document, "output") != NULL
                     ? "Every released value was found to be what its treatment promises."
                     : "");
}

static void write_perturbed(mgl_html *html, const json_t *document)
{
    const json_t *perturbation = json_object_get(document, "perturbation");
    const json_t *list = json_object_get(perturbation, "columns");
    if (count_of(list, is_any) == 0)
        return;
    begin(html, "What is not truthful");
    mgl_html_add(html, "Values of these columns are not true of single rows:<ul>");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i), *one;
        size_t w;
        if (!is_any(column))
            continue;
        mgl_html_fill(html, column,
                      "<li>{column:name}, by {by}: {changed_rows:.0f} of {rows:.0f} values "
                      "changed[; shares of values differ by {margin_distance:.3g} in all][; "
                      "standard deviation {deviation_after:.4g}, before "
                      "{deviation_before:.4g}]");
        json_array_foreach(json_object_get(column, "correlations"), w, one) if (is_any(one))
            mgl_html_fill(html, one,
                          "[; correlation with {column:name} {after:.4g}, before {before:.4g}][ "
                          "(covariance {standard_errors:.2f} standard errors off what is "
                          "promised)]");
        mgl_html_add(html, "</li>");
    }
    mgl_html_add(html, "</ul>");
    if (json_is_object(json_object_get(perturbation, "nearest")))
        mgl_html_fill(html, json_object_get(perturbation, "nearest"),
                      "{found:.1f} of {rows:.0f} rows are found by someone who knows the true "
                      "values and takes the nearest row.");
    mgl_html_add(html, "</dd>\n");
}

static void write_withheld(mgl_html *html, const json_t *document)
{
    const json_t *columns = mgl_json_at(document, "audit.columns");
    size_t identifiers = count_of(columns, is_identifier), left = count_of(columns, is_left_out);
    if (identifiers + left == 0)
        return;
    begin(html, "What does not go out");
    add_listed(html, columns, is_identifier);
    if (identifiers > 0)
        mgl_html_add(html, identifiers == 1 ? ": it identifies persons."
                                            : ": they identify "
                                              "persons.");
    mgl_html_add(html, identifiers > 0 && left > 0 ? " " : "");
    add_listed(html, columns, is_left_out);
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

/* Results of older versions have objections alone. */
static void write_guard(mgl_html *html, const json_t *document)
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
    begin(html, "What the leak guard looked at");
    if (count_of(columns, was_looked_at) > 0) {
        add_listed(html, columns, was_looked_at);
        mgl_html_add(html,
                     ": whether a value identifies a person, or gives back what was made coarser "
                     "in the same row. %s",
                     found == 0 ? "It found nothing." : "");
    }
    if (count_of(columns, was_not_looked_at) > 0) {
        mgl_html_add(html, " It could not look at ");
        add_listed(html, columns, was_not_looked_at);
        mgl_html_add(html, ", whose rows stayed in the database.");
    }
    mgl_html_add(html, found > 0 ? "<ul>" : "");
    add_messages(html, leaks, "<strong class=\"bad\">Released all the same:</strong> ");
    add_messages(html, warnings, "");
    mgl_html_add(html, found > 0 ? "</ul>" : "");
    end(html);
}

static void show_outgoing(mgl_html *html, const json_t *document)
{
    bool released = json_is_array(json_object_get(document, "unchanged"));
    if (!released && !json_is_object(json_object_get(document, "perturbation")))
        return;
    mgl_html_add(html, "<dl class=\"story\">\n");
    write_unchanged(html, document);
    write_treated(html, document);
    write_perturbed(html, document);
    write_linked(html, document);
    write_items(html, document);
    write_aggregated(html, document);
    write_withheld(html, document);
    write_guard(html, document);
    mgl_html_add(html, "</dl>\n");
}

/* ---- Who hides among whom -------------------------------------------------------------------- */

/* "birth, sex and zip": the columns an outsider may know. */
static void add_columns(mgl_html *html, const json_t *document)
{
    const json_t *columns = json_object_get(document, "heights");
    const json_t *list = json_object_get(document, "quasi_identifier");
    size_t n = json_object_size(columns), i = 0;
    const char *name;
    json_t *height;
    if (n == 0 && json_array_size(list) == 0)
        mgl_html_add(html, "the quasi-identifier");
    for (size_t c = 0; n == 0 && c < json_array_size(list); c++) {
        mgl_html_add(html, c == 0 ? "" : c + 1 == json_array_size(list) ? " and " : ", ");
        mgl_html_name(html, json_string_value(json_array_get(list, c)));
    }
    json_object_foreach((json_t *)columns, name, height)
    {
        mgl_html_add(html, i == 0 ? "" : i + 1 == n ? " and " : ", ");
        mgl_html_name(html, name);
        i++;
    }
}

/* Rows that were suppressed are released all the same, and no model judges them. */
static bool is_exempt(const json_t *document)
{
    return mgl_json_is(mgl_json_at(document, "audit.job"), "suppressed", "exempt") &&
           mgl_json_whole(document, "suppressed_rows") > 0;
}

static void add_classes(mgl_html *html, const json_t *document, const json_t *classes)
{
    uint64_t least = mgl_json_whole(classes, "min");
    if (json_object_get(document, "missing_matches") != NULL)
        mgl_html_add(html, "The promise counts a suppressed cell as matching every value. Cells "
                           "taken as they are: ");
    if (least > 1)
        mgl_html_add(html, "%s %slooks like at least %s on ",
                     is_exempt(document) ? "Every person whose row is not suppressed"
                                         : "Every person",
                     mgl_is_command(document, "anonymize") ? "in the release " : "",
                     mgl_many_words(&html->numbers, least - 1, "other", "others"));
    else
        mgl_html_add(html, "Some persons look like nobody else on ");
    add_columns(html, document);
    mgl_html_add(html, ". There %s ", mgl_json_whole(classes, "count") == 1 ? "is" : "are");
    mgl_html_fill(html, classes,
                  least == mgl_json_whole(classes, "max")
                      ? "{count:,|class|classes} of {min:,}"
                      : "{count:,|class|classes} of {min:,} to {max:,}");
    mgl_html_add(html, " %s", mgl_members(document));
    if (least != mgl_json_whole(classes, "max"))
        mgl_html_fill(html, classes, "[, {mean:.1f} on average]");
    mgl_html_add(html, ".");
}

static void write_view(mgl_html *html, const json_t *document)
{
    if (mgl_json_is(document, "entity_view", "joined"))
        mgl_html_add(html, " All rows of a person are one observation: the others of a class have "
                           "the same rows, as many of each. The order of rows, and columns that "
                           "are no quasi-identifier, are no part of that.");
    else if (mgl_json_text(document, "entity_view") != NULL)
        mgl_html_add(html,
                     " Each row of a person is judged by itself: anyone who knows several rows "
                     "of a person can look for all of them together, which these figures "
                     "leave out.");
}

static void write_hiding(mgl_html *html, const json_t *document)
{
    const json_t *classes = json_object_get(document, "classes");
    const json_t *before = mgl_json_at(document, "figures.before");
    const json_t *risk = json_object_get(before, "risk");
    if (mgl_json_whole(classes, "count") == 0)
        return;
    begin(html, "Who hides among whom");
    add_classes(html, document, classes);
    write_view(html, document);
    uint64_t uniques = mgl_json_whole(risk, "uniques"), all = mgl_json_whole(document, "rows");
    if (json_is_object(risk) && all > 0)
        mgl_html_add(
            html, " In the original, %s of %s %s alone.", mgl_count_words(&html->numbers, uniques),
            mgl_many_words(&html->numbers, all, "row", "rows"), uniques == 1 ? "was" : "were");
    end(html);
}

/* ---- What was promised and verified ---------------------------------------------------------- */

static void write_promises(mgl_html *html, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    if (json_array_size(models) == 0)
        return;
    begin(html, "What was promised");
    mgl_html_add(html, "<ul>");
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *promise = mgl_json_text(model, "promise");
        bool holds = json_is_true(json_object_get(model, "holds"));
        mgl_html_add(html, "<li>");
        mgl_html_model(html, model);
        if (promise != NULL) {
            mgl_html_add(html, ": ");
            mgl_html_text(html, promise);
        }
        mgl_html_add(html, ". <span class=\"%s\">%s</span></li>", holds ? "good" : "bad",
                     holds ? "It holds." : "It does not hold.");
    }
    mgl_html_add(html, "</ul>");
    mgl_html_with(html, document);
    end(html);
}

static bool all_hold(const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    return mgl_json_count_true(models, "holds") == json_array_size(models);
}

static void write_verified(mgl_html *html, const json_t *document)
{
    const json_t *release = mgl_json_at(document, "audit.release");
    bool applied = mgl_is_command(document, "apply") && json_is_object(release);
    if (!mgl_is_command(document, "anonymize") && !applied)
        return;
    begin(html, "What was verified");
    if (json_is_object(release) || mgl_json_text(document, "output") != NULL)
        mgl_html_add(html,
                     "The written file was read back, and every promise was tested on its %s by "
                     "code that shares nothing with the search. %s",
                     mgl_many_words(&html->numbers, mgl_json_whole(document, "released_rows"),
                                    "row", "rows"),
                     all_hold(document) ? "Only then did the file get its name."
                                        : "Not all hold, which the job accepted.");
    else
        mgl_html_add(html, "This was a dry run: nothing was written. The promises were tested on "
                           "what would be released.");
    end(html);
}

/* ---- What was lost --------------------------------------------------------------------------- */

static void write_loss(mgl_html *html, const json_t *document)
{
    const json_t *utility = json_object_get(document, "utility");
    double precision = mgl_json_number(utility, "precision");
    uint64_t rows = mgl_json_whole(document, "rows"),
             suppressed = mgl_json_whole(document, "suppressed_rows");
    if (!json_is_object(utility))
        return;
    begin(html, "What was lost");
    if (isfinite(precision))
        mgl_html_add(html,
                     "Of the detail in the columns that others may know, %s is left and %s was "
                     "taken out (precision %.3f: 1 is the original, 0 would be nothing but "
                     "<code>*</code>). ",
                     mgl_share_words(&html->numbers, precision),
                     mgl_share_words(&html->numbers, 1 - precision), precision);
    mgl_html_fill(html, utility,
                  "[A cell now stands for {loss:%} of the other values of its column (loss). ]");
    if (is_sample(document))
        mgl_html_add(html, "How many rows were left out is not told.");
    else if (rows > 0 && suppressed == 0)
        mgl_html_add(html, "No row was suppressed.");
    else if (rows > 0)
        mgl_html_add(html, "%s %s suppressed (%s).",
                     mgl_many_words(&html->numbers, suppressed, "row", "rows"),
                     suppressed == 1 ? "was" : "were",
                     mgl_share_words(&html->numbers, (double)suppressed / (double)rows));
    end(html);
}

/* The first word of a sentence. */
static void add_sentence(mgl_html *html, char *words)
{
    if (words[0] >= 'a' && words[0] <= 'z')
        words[0] = (char)(words[0] - 'a' + 'A');
    mgl_html_text(html, words);
}

static void write_bound(mgl_html *html, const json_t *document)
{
    const json_t *bound = json_object_get(document, "bound");
    const char *key = mgl_json_text(bound, "measure");
    double best = mgl_json_number(bound, "best_possible"),
           achieved = mgl_json_number(bound, "achieved");
    bool uniform = mgl_is_uniform(document);
    char words[MGL_NUMBER_SIZE];
    if (!json_is_object(json_object_get(document, "nodes")) ||
        !mgl_is_command(document, "anonymize"))
        return;
    begin(html, "How close to the best possible");
    if (json_is_true(mgl_json_at(document, "aggregation.exact"))) {
        mgl_html_add(html, "What was done to the columns that are generalized is proved to be the "
                           "best of its kind for these columns. Nobody knows how near the "
                           "aggregated ones are to the best.");
    } else if (key == NULL || !isfinite(best)) {
        mgl_html_add(html, "This method does not know how far its answer is from the best one.");
    } else if (json_is_true(json_object_get(bound, "exact"))) {
        mgl_measure_words(key, words);
        add_sentence(html, words);
        mgl_html_add(html, " %s is proved to be the best that any release %s can have.",
                     mgl_real_words(&html->numbers, achieved),
                     uniform ? "with one level per column" : "of this kind");
    } else {
        mgl_measure_words(key, words);
        add_sentence(html, words);
        mgl_html_add(html,
                     " is %s; it is proved that no release%s can have %s than %s. At most %s is "
                     "left to be gained.",
                     mgl_real_words(&html->numbers, achieved),
                     uniform ? " with one level per column" : "",
                     mgl_is_gain(html->measures, key) ? "more" : "less",
                     mgl_real_words(&html->numbers, best),
                     mgl_real_words(&html->numbers, fabs(best - achieved)));
    }
    end(html);
}

static void write_words(mgl_html *html, const char *question,
                        void (*words)(const json_t *document, mgl_buffer *out),
                        const json_t *document)
{
    mgl_buffer text = {0};
    words(document, &text);
    mgl_buffer_append(&text, "", 1);
    if (!text.failed && text.data[0] != '\0') {
        begin(html, question);
        add_sentence(html, text.data);
        mgl_html_add(html, ".");
        end(html);
    }
    html->out.failed = html->out.failed || text.failed;
    mgl_buffer_free(&text);
}

/* ---- Figures to remember --------------------------------------------------------------------- */

static void tile(mgl_html *html, const char *number, const char *what, const char *small)
{
    mgl_html_add(html, "<div class=\"tile\"><b>");
    mgl_html_text(html, number);
    mgl_html_add(html, "</b><span>%s</span>", what);
    if (small != NULL) {
        mgl_html_add(html, "<small>");
        mgl_html_text(html, small);
        mgl_html_add(html, "</small>");
    }
    mgl_html_add(html, "</div>\n");
}

/* A share now, with what it was. */
static void risk_tile(mgl_html *html, const json_t *document, const char *key, const char *what)
{
    const json_t *before = mgl_json_at(document, "figures.before.risk");
    char small[MGL_NUMBER_SIZE + 8];
    double value = mgl_json_number(json_object_get(document, "risk"), key);
    if (!isfinite(value)) /* `risk` has it for each intruder */
        value =
            mgl_json_number(json_object_get(document, "prosecutor"), key + strlen("prosecutor_"));
    if (!isfinite(value))
        return;
    snprintf(small, sizeof small, "before: %s",
             mgl_share_words(&html->numbers, mgl_json_number(before, key)));
    tile(html, mgl_share_words(&html->numbers, value), what, json_is_object(before) ? small : NULL);
}

/* "At most 20 % for anyone who knows birth, sex, zip." */
static void add_risk_for(mgl_html *html, const json_t *risk, const char *together)
{
    if (!isfinite(mgl_json_number(risk, "prosecutor_max")))
        return;
    mgl_html_fill(html, risk,
                  "<p class=\"sub\">Risk: at most {prosecutor_max:%} for anyone who knows ");
    mgl_html_add(html, "%s", together);
    mgl_html_fill(html, risk, "{known:list}.</p>\n");
}

/* The intruder that the risk is about, and what the columns that pass through do together. */
static void show_for_whom(mgl_html *html, const json_t *document)
{
    const json_t *risk = json_object_get(document, "risk"), *sets = json_object_get(risk, "sets");
    const json_t *alone = json_object_get(document, "alone");
    for (size_t i = 0; i < json_array_size(sets); i++)
        add_risk_for(html, json_array_get(sets, i), "");
    if (json_array_size(json_object_get(risk, "known")) > 0)
        add_risk_for(html, risk, json_array_size(sets) > 0 ? "all of these together: " : "");
    if (json_is_object(alone)) {
        mgl_html_fill(html, alone,
                      json_is_integer(json_object_get(alone, "rows"))
                          ? "<p class=\"sub\">Alone: {rows:,} of {of:,} rows"
                          : "<p class=\"sub\">Alone: rows were not counted");
        mgl_html_fill(html, alone, " for anyone who also knows {besides:list}.</p>\n");
    }
}

static void show_tiles(mgl_html *html, const json_t *document)
{
    const json_t *classes = json_object_get(document, "classes");
    const json_t *utility = json_object_get(document, "utility");
    mgl_html_add(html, "<div class=\"tiles\">\n");
    if (mgl_json_whole(classes, "count") > 0)
        tile(html, mgl_whole_words(&html->numbers, classes, "min"),
             strcmp(mgl_members(document), "rows") == 0 ? "rows in the smallest class"
                                                        : "persons in the smallest class",
             NULL);
    risk_tile(html, document, "prosecutor_max", "highest risk of one person");
    risk_tile(html, document, "prosecutor_mean", "mean risk");
    if (mgl_json_is_number(document, "suppressed_rows") && !is_sample(document))
        tile(html, mgl_whole_words(&html->numbers, document, "suppressed_rows"), "rows suppressed",
             NULL);
    if (isfinite(mgl_json_number(utility, "precision")))
        tile(html, mgl_real_words(&html->numbers, mgl_json_number(utility, "precision")),
             "share of detail left", "precision: 1 is the original");
    if (isfinite(mgl_json_number(utility, "query_error")))
        tile(html, mgl_share_words(&html->numbers, mgl_json_number(utility, "query_error")),
             "error of counts", "100 random queries");
    mgl_html_add(html, "</div>\n");
    show_for_whom(html, document);
}

static void write_run(mgl_html *html, const json_t *document)
{
    const json_t *choice = json_object_get(document, "row_choice");
    mgl_html_add(html, "<p class=\"sub\">");
    if (is_sample(document)) {
        mgl_html_fill(html, document, "{released_rows:,|row|rows} released</p>\n");
        return;
    }
    mgl_html_fill(html, json_is_object(choice) ? choice : document,
                  json_is_object(choice) ? "{read:,|row|rows} read" : "{rows:,|row|rows} read");
    mgl_html_fill(html, document, "[, {released_rows:,} released][, method {method}]</p>\n");
}

void mgl_html_summary(mgl_html *html, const json_t *document)
{
    if (mgl_json_is_number(document, "rows"))
        write_run(html, document);
    show_outgoing(html, document);
    show_tiles(html, document);
    mgl_html_add(html, "<dl class=\"story\">\n");
    write_hiding(html, document);
    write_promises(html, document);
    write_verified(html, document);
    write_loss(html, document);
    write_bound(html, document);
    write_words(html, "What is promised besides", mgl_differential_words, document);
    write_words(html, "Which rows", mgl_left_out_words, document);
    write_words(html, "Which rows were suppressed first", mgl_above_words, document);
    write_words(html, "What rows stand for", mgl_population_words, document);
    write_words(html, "What rows stand for", mgl_counts_words, document);
    write_words(html, "What was counted", mgl_counted_words, document);
    write_words(html, "What left the database", mgl_left_words, document);
    mgl_html_add(html, "</dl>\n");
}
