/* Puts into words what the page and the summary both show: measures, models, strata, what rows
 * stand for and what left a database. */
#include "report/words/words.h"

#include <math.h>
#include <stdio.h>

/* ---- Templates ------------------------------------------------------------------------------- */

/* What stands in braces: a value and how it is written. */
typedef struct slot {
    const json_t *value;
    char form[64];
    const char *end; /* of the template, behind the brace */
} slot;

static slot read_slot(const json_t *object, const char *open)
{
    const char *end = strchr(open, '}'), *colon = memchr(open, ':', (size_t)(end - open));
    char path[64];
    slot s = {.end = end + 1};
    snprintf(path, sizeof path, "%.*s", (int)((colon != NULL ? colon : end) - open) - 1, open + 1);
    s.value = path[0] != '\0' ? mgl_json_at(object, path) : object;
    if (colon != NULL)
        snprintf(s.form, sizeof s.form, "%.*s", (int)(end - colon) - 1, colon + 1);
    return s;
}

static bool is_text(const slot *s)
{
    return s->form[0] == '\0' || strcmp(s->form, "name") == 0;
}

static bool is_list(const slot *s)
{
    return strncmp(s->form, "list", 4) == 0 || strncmp(s->form, "names", 5) == 0;
}

/* Are all values there up to the end of the brackets? */
static bool is_complete(const json_t *object, const char *at)
{
    for (at += strcspn(at, "{]"); *at == '{'; at += strcspn(at, "{]")) {
        slot s = read_slot(object, at);
        if (is_list(&s)   ? !json_is_array(s.value)
            : is_text(&s) ? !json_is_string(s.value)
                          : !json_is_number(s.value))
            return false;
        at = s.end;
    }
    return true;
}

/* ",|row|rows" of a count. */
static void write_count(const slot *s, char text[2 * MGL_NUMBER_SIZE])
{
    char number[MGL_NUMBER_SIZE];
    json_int_t value = json_integer_value(s->value);
    uint64_t count = value > 0 ? (uint64_t)value : 0;
    const char *one = strchr(s->form, '|'), *many = one != NULL ? strchr(one + 1, '|') : NULL;
    mgl_page_count(count, number);
    if (many == NULL)
        snprintf(text, 2 * MGL_NUMBER_SIZE, "%s", number);
    else if (count == 1)
        snprintf(text, 2 * MGL_NUMBER_SIZE, "%s %.*s", number, (int)(many - one) - 1, one + 1);
    else
        snprintf(text, 2 * MGL_NUMBER_SIZE, "%s %.40s", number, many + 1);
}

static void write_number(const mgl_medium *medium, const slot *s, char text[2 * MGL_NUMBER_SIZE])
{
    double value = json_is_number(s->value) ? json_number_value(s->value) : NAN;
    size_t size = strlen(s->form);
    bool percent = s->form[size - 1] == '%';
    char format[80];
    if (s->form[0] == ',') {
        write_count(s, text);
    } else if (strcmp(s->form, "~") == 0) {
        mgl_page_real(value, text);
    } else if (strcmp(s->form, "%") == 0) {
        medium->share(value, text);
    } else {
        snprintf(format, sizeof format, "%%%.*s%s", (int)(size - percent), s->form,
                 percent ? " %%" : "");
        snprintf(text, 2 * MGL_NUMBER_SIZE, format, percent ? 100 * value : value);
    }
}

static void fill_slot(const mgl_medium *medium, void *to, const slot *s)
{
    char text[2 * MGL_NUMBER_SIZE];
    if (is_list(s)) {
        const char *bar = strchr(s->form, '|'), *between = bar != NULL ? bar + 1 : ", ";
        for (size_t i = 0; i < json_array_size(s->value); i++) {
            const char *value = json_string_value(json_array_get(s->value, i));
            medium->text(to, between, i > 0 ? strlen(between) : 0);
            medium->value(to, value != NULL ? value : "?", s->form[0] == 'n');
        }
    } else if (is_text(s)) {
        const char *value = json_string_value(s->value);
        medium->value(to, value != NULL ? value : "?", s->form[0] != '\0');
    } else {
        write_number(medium, s, text);
        medium->text(to, text, strlen(text));
    }
}

void mgl_fill(const mgl_medium *medium, void *to, const json_t *object, const char *template)
{
    const char *at = template;
    while (*at != '\0') {
        if (*at == '{') {
            slot s = read_slot(object, at);
            fill_slot(medium, to, &s);
            at = s.end;
        } else if (*at == '[') {
            at += is_complete(object, at + 1) ? 1 : strcspn(at, "]");
        } else if (*at == ']') {
            at++;
        } else {
            size_t size = strcspn(at, "{[]");
            medium->text(to, at, size);
            at += size;
        }
    }
}

static void add_text(void *to, const char *text, size_t size)
{
    mgl_buffer_append(to, text, size);
}

static void add_value(void *to, const char *text, bool name)
{
    mgl_buffer_format(to, name ? "%.200s" : "%.1000s", text);
}

static const char *percent_of(double share, char *text)
{
    snprintf(text, MGL_NUMBER_SIZE, "%.3g %%", 100 * share);
    return text;
}

static const mgl_medium plain = {add_text, add_value, percent_of};

void mgl_words_fill(mgl_buffer *out, const json_t *object, const char *template)
{
    mgl_fill(&plain, out, object, template);
}

void mgl_page_fill(mgl_page *page, const json_t *object, const char *template)
{
    mgl_buffer words = {0};
    mgl_fill(&plain, &words, object, template);
    mgl_page_take(page, &words);
}

void mgl_page_fact(mgl_page *page, const char *label, const json_t *object, const char *template)
{
    mgl_page_label(page, label);
    mgl_page_fill(page, object, template);
    mgl_page_end(page);
}

void mgl_page_facts(mgl_page *page, const char *label, const json_t *list, const char *template)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        mgl_page_fact(page, i == 0 ? label : "", json_array_get(list, i), template);
}

void mgl_page_fill_item(mgl_page *page, const json_t *object, const char *template)
{
    mgl_buffer words = {0};
    mgl_fill(&plain, &words, object, template);
    mgl_page_take_item(page, &words);
}

void mgl_page_items(mgl_page *page, const char *label, const json_t *list, const char *template)
{
    if (json_array_size(list) == 0)
        return;
    mgl_page_label(page, label);
    for (size_t i = 0; i < json_array_size(list); i++)
        mgl_page_fill_item(page, json_array_get(list, i), template);
    mgl_page_end(page);
}

/* ---- Measures -------------------------------------------------------------------------------- */

mgl_measure_view mgl_measure_view_of(mgl_measure_view_fn *measures, const char *key)
{
    mgl_measure_view view;
    return measures(key, 0, &view) ? view : (mgl_measure_view){.key = key};
}

bool mgl_is_gain(mgl_measure_view_fn *measures, const char *key)
{
    return key != NULL && mgl_measure_view_of(measures, key).gain;
}

static const char *standard_key(mgl_measure_view_fn *measures)
{
    mgl_measure_view view;
    for (size_t i = 0; measures(NULL, i, &view); i++)
        if (view.standard)
            return view.key;
    return "?";
}

const char *mgl_measure_of(mgl_measure_view_fn *measures, const json_t *document)
{
    const char *key = mgl_json_text(document, "measure");
    for (size_t i = 0; key == NULL && i < json_array_size(document); i++)
        key = mgl_json_text(json_array_get(document, i), "measure");
    return key != NULL ? key : standard_key(measures);
}

const char *mgl_measure_words(const char *key, char *text)
{
    snprintf(text, MGL_NUMBER_SIZE, "%s", key != NULL ? key : "?");
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Numbers of models as they are written in jobs: 4294967295, 0.25. */
static void add_number(mgl_buffer *out, const json_t *value)
{
    if (json_is_integer(value))
        mgl_buffer_format(out, "%lld", (long long)json_integer_value(value));
    else
        mgl_buffer_format(out, "%g", json_number_value(value));
}

static void add_parameters(mgl_buffer *out, const json_t *parameters)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)parameters, key, value)
    {
        if (json_is_string(value)) {
            mgl_buffer_format(out, " %.200s", json_string_value(value));
        } else if (json_is_number(value)) {
            mgl_buffer_format(out, " %s=", key);
            add_number(out, value);
        }
    }
}

void mgl_model_words(const json_t *model, mgl_buffer *out)
{
    const char *name = mgl_json_text(model, "model");
    mgl_buffer_text(out, name != NULL ? name : "?");
    add_parameters(out, json_object_get(model, "parameters"));
    /* The columns, where the job has several quasi-identifiers. */
    const json_t *columns = json_object_get(model, "quasi_identifier");
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_buffer_format(out, "%s%.200s", i == 0 ? " on " : ",",
                          json_string_value(json_array_get(columns, i)));
}

void mgl_violations_words(const json_t *model, mgl_buffer *out)
{
    if (mgl_json_whole(model, "violating_rows") == 0)
        return;
    mgl_words_fill(out, model, "{violating_rows:,|row|rows}");
    if (mgl_json_whole(model, "violating_classes") > 0)
        mgl_words_fill(out, model, " in {violating_classes:,|class|classes}");
}

void mgl_measured_words(const json_t *model, mgl_buffer *out)
{
    if (!mgl_json_is_number(model, "measured"))
        return;
    mgl_buffer_text(out, "measured ");
    add_number(out, json_object_get(model, "measured"));
}

/* ---- What a document is about ---------------------------------------------------------------- */

bool mgl_is_command(const json_t *document, const char *command)
{
    return mgl_json_is(document, "command", command);
}

const char *mgl_members(const json_t *document)
{
    const json_t *job = mgl_json_at(document, "audit.job");
    return json_is_string(json_object_get(document, "entity")) ||
                   json_object_get(job, "entity") != NULL
               ? "persons"
               : "rows";
}

/* ---- Strata ---------------------------------------------------------------------------------- */

void mgl_stratum_words(const json_t *by, mgl_buffer *out)
{
    const char *column, *before = "";
    json_t *value;
    json_object_foreach((json_t *)by, column, value)
    {
        const char *name = json_string_value(value);
        mgl_buffer_format(out, "%s%.100s", before,
                          name == NULL      ? "?"
                          : name[0] == '\0' ? "(empty)"
                                            : name);
        before = ", ";
    }
}

bool mgl_is_uniform(const json_t *document)
{
    const json_t *list = json_object_get(document, "strata");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_object(json_object_get(json_array_get(list, i), "node")))
            return false;
    return json_array_size(list) > 0 || json_is_object(json_object_get(document, "node"));
}

/* ---- What rows stand for --------------------------------------------------------------------- */

void mgl_differential_words(const json_t *document, mgl_buffer *out)
{
    const json_t *section = json_object_get(document, "differential_privacy");
    if (section == NULL) /* of a statement */
        section = mgl_json_at(document, "promise.differential_privacy");
    char epsilon[MGL_NUMBER_TEXT], delta[MGL_NUMBER_TEXT], share[MGL_NUMBER_TEXT];
    if (!json_is_object(section))
        return;
    mgl_number_write(mgl_json_number(section, "epsilon"), epsilon);
    mgl_number_write(mgl_json_number(section, "delta"), delta);
    mgl_buffer_format(out,
                      "differential privacy, epsilon %s, delta %s: a random sample (rate %.4f) of "
                      "which combinations of fewer than %llu rows are left out",
                      epsilon, delta, mgl_json_number(section, "sampling_rate"),
                      (unsigned long long)mgl_json_whole(section, "k"));
    if (mgl_json_is_number(section, "epsilon_of_levels")) {
        mgl_number_write(mgl_json_number(section, "epsilon_of_levels"), share);
        mgl_buffer_format(out, "; %s of epsilon chose the levels", share);
    }
    mgl_buffer_text(out, "; nothing else is told of the table");
}

void mgl_population_words(const json_t *document, mgl_buffer *out)
{
    const json_t *population = json_object_get(document, "population");
    const char *column = mgl_json_text(population, "column");
    double persons = mgl_json_number(population, "persons");
    double fraction = mgl_json_number(population, "fraction");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (!isfinite(persons) || persons < 0 || persons > 1e18)
        return;
    mgl_buffer_format(out, "%s rows stand for about %s persons",
                      mgl_page_count(mgl_json_whole(document, "rows"), a),
                      mgl_page_count((uint64_t)rint(persons), b));
    if (column != NULL)
        mgl_buffer_format(out, ", by the weights in %.60s", column);
    else if (isfinite(fraction))
        mgl_buffer_format(out, ", as %.4g%% of them are in the table", 100 * fraction);
}

void mgl_above_words(const json_t *document, mgl_buffer *out)
{
    const json_t *above = json_object_get(document, "suppressed_above");
    if (!json_is_object(above))
        return;
    mgl_words_fill(out, above, "{rows:,|row|rows} above a risk of {risk:g} ");
    mgl_buffer_text(out, mgl_json_whole(above, "rows") == 1 ? "was suppressed first"
                                                            : "were suppressed first");
    if (mgl_json_whole(above, "joined") > 0)
        mgl_words_fill(out, above, "; {joined:,} more had to join them");
}

/* ---- Rows that were read, counted and handed on ---------------------------------------------- */

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static void add_groups(const json_t *groups, const char *what, mgl_buffer *out)
{
    if (mgl_json_whole(groups, "groups") == 0)
        return;
    mgl_buffer_format(out, "; %s ", what);
    mgl_words_fill(out, groups, "{groups:,|group|groups}, {once:,} of one row");
}

static void add_condition(const json_t *left, mgl_buffer *out)
{
    if (mgl_json_whole(left, "for_where") > 0)
        mgl_words_fill(out, left,
                       "; for the condition {for_where:,|value|values} of single columns");
}

static void add_values(const json_t *left, mgl_buffer *out)
{
    uint64_t values = 0, rare = 0;
    const char *key;
    json_t *column;
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (!json_is_object(json_object_get(left, "values")))
        return;
    json_object_foreach(json_object_get(left, "values"), key, column)
    {
        values += mgl_json_whole(column, "values");
        rare += mgl_json_whole(column, "rare");
    }
    mgl_buffer_format(out, "; to make hierarchies %s value%s of single columns, %s of them rare",
                      mgl_page_count(values, a), plural(values), mgl_page_count(rare, b));
}

void mgl_read_words(const json_t *document, mgl_buffer *out)
{
    const json_t *choice = json_object_get(document, "row_choice"),
                 *counts = json_object_get(document, "counts");
    mgl_words_fill(out, json_is_object(choice) ? choice : document,
                   json_is_object(choice) ? "{read:,} read" : "{rows:,} read");
    if (mgl_json_whole(choice, "where") > 0)
        mgl_words_fill(out, choice, ", {where:,} left out by the condition");
    if (mgl_json_whole(choice, "sample") > 0)
        mgl_words_fill(out, choice, ", {sample:,} not drawn");
    if (json_is_object(counts))
        mgl_words_fill(out, counts,
                       mgl_json_whole(counts, "once") > 0
                           ? " (in {rows:,} counted rows, {once:,} of one record)"
                           : " (in {rows:,} counted rows)");
}

void mgl_counts_words(const json_t *document, mgl_buffer *out)
{
    const json_t *counts = json_object_get(document, "counts");
    if (!json_is_object(counts))
        return;
    mgl_words_fill(out, counts,
                   mgl_json_whole(counts, "rows") == 1
                       ? "The table is counted: {rows:,} row stands for "
                       : "The table is counted: {rows:,} rows stand for ");
    mgl_words_fill(out, document, "{rows:,} records");
    if (mgl_json_whole(counts, "once") > 0)
        mgl_words_fill(out, counts,
                       "; {once:,} of them for a single one, of which it discloses as much as the "
                       "record would");
    if (mgl_json_whole(counts, "released_rows") == 0)
        return;
    mgl_words_fill(out, counts,
                   ". Those that are released alike were put together into "
                   "{released_rows:,|row|rows}");
    if (json_object_get(mgl_json_at(document, "audit.job"), "guard-counts") == NULL)
        mgl_buffer_text(out, "; no column was passed through, so the leak guard saw none");
}

void mgl_left_out_words(const json_t *document, mgl_buffer *out)
{
    const json_t *choice = json_object_get(document, "row_choice"),
                 *job = mgl_json_at(document, "audit.job");
    const char *condition = mgl_json_text(job, "where"), *sample = mgl_json_text(job, "sample");
    char a[MGL_NUMBER_SIZE];
    uint64_t where = mgl_json_whole(choice, "where"), left = mgl_json_whole(choice, "sample");
    if (!json_is_object(choice))
        return;
    mgl_buffer_text(out, "Some rows were left out before anything was counted:");
    if (condition != NULL || where > 0)
        mgl_buffer_format(out, " %s do%s not satisfy the condition%s%.500s",
                          mgl_page_count(where, a), where == 1 ? "es" : "",
                          condition != NULL ? " " : "", condition != NULL ? condition : "");
    if (sample != NULL || left > 0)
        mgl_buffer_format(out, "%s %s %s not drawn for the sample%s%.40s",
                          condition != NULL || where > 0 ? "," : "", mgl_page_count(left, a),
                          left == 1 ? "was" : "were", sample != NULL ? " of " : "",
                          sample != NULL ? sample : "");
}

void mgl_left_words(const json_t *document, mgl_buffer *out)
{
    const json_t *left = json_object_get(document, "left_database");
    uint64_t n = mgl_json_whole(left, "combinations");
    if (!json_is_object(left))
        return;
    if (mgl_json_whole(left, "rows") > 0) {
        mgl_words_fill(out, left,
                       "{rows:,|row|rows} left the database, since the release is not written "
                       "there");
        add_condition(left, out);
        return;
    }
    mgl_words_fill(out, left,
                   "{combinations:,|combination|combinations} of the quasi-identifier left the "
                   "database with ");
    mgl_buffer_text(out, n == 1 ? "its count, " : "their counts, ");
    mgl_words_fill(out, left,
                   mgl_json_whole(left, "once") > 0 || mgl_json_whole(left, "rarest") <= 1
                       ? "{once:,} of them occur once"
                       : "the rarest occurs {rarest:,} times");
    add_groups(json_object_get(left, "with_sensitive"), "with the sensitive columns", out);
    add_groups(json_object_get(left, "for_guard"), "for the leak guard", out);
    add_groups(json_object_get(left, "of_release"), "of the release", out);
    if (mgl_json_whole(left, "released_rows") > 0)
        mgl_words_fill(out, left, "; to be signed, its {released_rows:,} rows");
    add_condition(left, out);
    add_values(left, out);
}

void mgl_counted_words(const json_t *document, mgl_buffer *out)
{
    const json_t *least = json_object_get(document, "least_count");
    const json_t *regrouped = json_object_get(least, "regrouped");
    if (!json_is_object(least))
        return;
    mgl_words_fill(out, regrouped, "{rows:,|row|rows} of combinations rarer than ");
    mgl_words_fill(out, least, "{n:,} were regrouped before counting");
    if (mgl_json_whole(regrouped, "at_top") > 0)
        mgl_words_fill(out, regrouped, ", {at_top:,} of them at the top");
    if (mgl_json_whole(regrouped, "rows") > 0)
        mgl_words_fill(out, least,
                       "[; released just as counted the {measure} would be {counted:~}, and what "
                       "is best is the best of what was counted]");
}
