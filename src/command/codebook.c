/* The commands codebook and report, which read what another command wrote. A codebook is what the
 * recipient of a release may know about its columns; a report shows a result, in the terminal or as
 * a page.
 *
 * Everything in a codebook can be seen in the release, or is what the holder chose: levels,
 * builders that are no lists of values, treatments. It holds nothing else of the data: no values
 * before, no bounds, no rows that were left out, and no count below k. */
#include "command/codebook.h"
#include "claims/claims.h"
#include "command/command.h"
#include "command/run_command.h"
#include "findings/findings.h"
#include "report/report.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LISTED = 100 }; /* values of a column that is no quasi-identifier */

typedef struct codebook {
    const json_t *reported; /* the result */
    json_t *document;
    mgl_source *source;
    mgl_table *table;
    uint64_t least; /* rows: smaller counts are left out */
    size_t most;    /* labels of a quasi-identifier that are listed */
    size_t next;    /* column of the result at which the next one of the release is looked for */
} codebook;

/* ---- What the result says -------------------------------------------------------------------- */

/* Results of apply have columns and tops beside the others, those of anonymize in the audit trail.
 */
static const json_t *section(const json_t *reported, const char *key)
{
    const json_t *in_audit = json_object_get(json_object_get(reported, "audit"), key);
    return in_audit != NULL ? in_audit : json_object_get(reported, key);
}

/* Looked for from the last one on: release and result mostly have the same order. */
static const char *role_of(codebook *c, const char *column)
{
    const json_t *columns = section(c->reported, "columns");
    size_t n = json_array_size(columns);
    for (size_t i = 0; i < n; i++) {
        const json_t *one = json_array_get(columns, (c->next + i) % n);
        const char *name = mgl_json_text(one, "column"), *role = mgl_json_text(one, "role");
        if (name == NULL || role == NULL || strcmp(name, column) != 0)
            continue;
        c->next = (c->next + i + 1) % n;
        return role;
    }
    return NULL;
}

static uint64_t least_shown(const json_t *reported)
{
    const json_t *models = json_object_get(reported, "models");
    uint64_t least = 1;
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *parameters = json_object_get(json_array_get(models, i), "parameters");
        uint64_t k = mgl_json_is_number(parameters, "k") ? mgl_json_whole(parameters, "k") : 1;
        least = k > least ? k : least;
    }
    return least;
}

/* ---- What was done to a column --------------------------------------------------------------- */

/* What stands for the rows of a group in this column; NULL: it was generalized. */
static const char *function_of(const json_t *reported, const char *column)
{
    const json_t *list = mgl_json_at(reported, "aggregation.columns");
    return mgl_json_text(mgl_json_of_column(list, column), "function");
}

/* What features did to the column; false: nothing. */
static bool features_did(const json_t *reported, const char *column, const char *role,
                         mgl_buffer *out)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->done != NULL &&
            (*f)->audit->done(reported, column, role, out))
            return true;
    return false;
}

/* The levels of columns that have one each, beside aggregated ones or not. */
static const json_t *node_of(const json_t *reported)
{
    const json_t *beside = json_object_get(json_object_get(reported, "aggregation"), "node");
    return json_is_object(beside) ? beside : json_object_get(reported, "node");
}

static json_t *quasi_done(const json_t *reported, const char *column, bool suppressed)
{
    mgl_buffer text = {0};
    const json_t *node = node_of(reported);
    if (features_did(reported, column, "quasi-identifier", &text))
        return mgl_json_take(&text);
    if (json_object_get(reported, "microaggregation") != NULL &&
        !json_is_null(json_object_get(reported, "microaggregation")))
        mgl_buffer_text(&text, "quasi-identifier, averaged within groups of rows");
    else if (json_object_get(node, column) == NULL && suppressed)
        mgl_buffer_text(&text, "quasi-identifier, suppressed in all rows");
    else if (json_object_get(node, column) == NULL)
        mgl_buffer_text(&text, "quasi-identifier, generalized row by row: cells of several levels");
    else if (mgl_json_number(node, column) == 0)
        mgl_buffer_text(&text, "quasi-identifier, unchanged but for suppressed rows");
    else
        mgl_buffer_format(&text, "quasi-identifier, generalized to level %.0f",
                          mgl_json_number(node, column));
    return mgl_json_take(&text);
}

static json_t *other_done(const json_t *reported, const char *column, const char *role)
{
    mgl_buffer text = {0};
    if (!features_did(reported, column, role, &text))
        mgl_buffer_format(&text, "%s, unchanged", role);
    return mgl_json_take(&text);
}

/* ---- How coarse a value is
 * ------------------------------------------------------------------------ */

static void write_meaning(const mgl_meaning *m, mgl_buffer *out)
{
    size_t stars = 0;
    for (size_t i = 0; i < m->text.size; i++)
        stars += m->text.data[i] == '*';
    if (m->mask)
        mgl_buffer_format(out, "%zu character%s hidden", stars, stars == 1 ? "" : "s");
    else if (m->dates) {
        double days = m->last - m->first + (m->step >= 1 ? 1 : 0);
        if (days >= 1)
            mgl_buffer_format(out, "%.0f day%s", days, days >= 1.5 ? "s" : "");
        else
            mgl_buffer_text(out, "less than a day");
    } else if (m->numbers && isinf(m->low))
        mgl_buffer_text(out, "every number up to there");
    else if (m->numbers && isinf(m->high))
        mgl_buffer_text(out, "every number from there on");
    else if (m->numbers && m->closed && m->text.data[0] != '[')
        mgl_buffer_format(out, "a range of %.0f whole numbers", m->high - m->low + 1);
    else if (m->numbers)
        mgl_buffer_format(out, "a range of numbers, %g wide", m->high - m->low);
}

/* level: of the column, or -1. averaged: values look like those of the table, but stand for several
 * of them. */
static json_t *coarse_json(mgl_span value, mgl_span top, double level, bool averaged)
{
    mgl_buffer text = {0};
    mgl_meaning meaning = mgl_meaning_of(value);
    if (mgl_span_equal(value, top))
        mgl_buffer_text(&text, "suppressed: any value");
    else if (averaged)
        return json_null();
    else if (level == 0)
        mgl_buffer_text(&text, "a single value");
    else if (value.size > 0)
        write_meaning(&meaning, &text);
    if (text.size == 0 && !text.failed && level > 0)
        mgl_buffer_format(&text, "a group of level %.0f", level);
    if (text.size == 0)
        return json_null();
    return mgl_json_take(&text);
}

/* ---- Values
 * --------------------------------------------------------------------------------------- */

typedef struct counted {
    mgl_span text;
    uint64_t rows;
} counted;

static const mgl_sort_key by_text[] = {MGL_ASCENDING(counted, text), MGL_SORT_END};

/* Caller frees with mgl_free. */
static counted *count_values(const mgl_table *table, const mgl_column *column)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    counted *values = mgl_zeroed_array((size_t)n + 1, sizeof *values);
    for (uint32_t code = 0; values != NULL && code < n; code++)
        values[code].text = mgl_dictionary_value(column->dictionary, code);
    for (size_t row = 0; values != NULL && row < table->n_rows; row++)
        values[mgl_column_code(column, row)].rows++;
    if (values != NULL && n > 1)
        mgl_sort(values, n, sizeof *values, by_text);
    return values;
}

static json_t *value_json(const codebook *c, const counted *value, json_t *coarse)
{
    json_t *object = json_object();
    mgl_json_set(object, "value", mgl_json_span(value->text));
    mgl_json_set(object, "coarse", coarse);
    mgl_json_set(object, "rows",
                 value->rows >= c->least ? mgl_json_count(value->rows) : json_null());
    return object;
}

/* What a feature lists in the place of cells; NULL: these. */
static json_t *listed_otherwise(const codebook *c, const char *name)
{
    json_t *listed = NULL;
    for (const mgl_feature *const *f = mgl_features; *f != NULL && listed == NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->listed != NULL)
            listed = (*f)->audit->listed(c->reported, name, c->least);
    return listed;
}

static void report_listed(const json_t *reported, const char *name, const char *role,
                          json_t *listed, json_t *list)
{
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(name));
    mgl_json_set(object, "role", json_string(role));
    mgl_json_set(object, "done", other_done(reported, name, role));
    mgl_json_set(object, "values", mgl_json_count(json_array_size(listed)));
    mgl_json_set(object, "list", listed);
    mgl_json_append(list, object);
}

static mgl_status report_column(codebook *c, size_t number, mgl_error *err, json_t *list)
{
    const mgl_column *column = &c->table->columns[number];
    const char *name = mgl_source_column(c->source, number), *role = role_of(c, name);
    uint32_t n = mgl_dictionary_size(column->dictionary);
    if (role == NULL)
        return mgl_fail(err, MGL_CODE_DAMAGED,
                        "the result does not know column \"%.60s\" of the release; name the "
                        "release that it describes by `release`",
                        name);
    bool quasi = strcmp(role, "quasi") == 0;
    json_t *otherwise = listed_otherwise(c, name);
    if (otherwise != NULL) {
        report_listed(c->reported, name, role, otherwise, list);
        return MGL_OK;
    }
    const char *top = quasi ? mgl_json_text(section(c->reported, "tops"), name) : NULL;
    top = top != NULL ? top : "*";
    const json_t *node = node_of(c->reported);
    const char *function = function_of(c->reported, name);
    bool averaged = function != NULL && strcmp(function, "range") != 0;
    double level =
        quasi && function == NULL && json_is_object(node) ? mgl_json_number(node, name) : -1;
    counted *values = count_values(c->table, column);
    MGL_TRY(mgl_check_memory(values != NULL, err));
    json_t *object = json_object(), *listed = json_array();
    for (uint32_t i = 0; (quasi ? i < c->most : n <= MOST_LISTED) && i < n; i++)
        mgl_json_append(listed, value_json(c, &values[i],
                                           quasi ? coarse_json(values[i].text, mgl_span_of(top),
                                                               level, averaged)
                                                 : json_null()));
    bool suppressed = n == 1 && mgl_span_is(values[0].text, top);
    mgl_json_set(object, "column", json_string(name));
    mgl_json_set(object, "role", json_string(role));
    mgl_json_set(object, "done",
                 quasi ? quasi_done(c->reported, name, suppressed)
                       : other_done(c->reported, name, role));
    mgl_json_set(object, "values", mgl_json_count(n));
    mgl_json_set(object, "list", listed);
    mgl_json_append(list, object);
    mgl_free(values);
    return MGL_OK;
}

/* ---- The release
 * ------------------------------------------------------------------------------------ */

static mgl_status read_columns(codebook *c, mgl_error *err)
{
    size_t n = mgl_source_columns(c->source);
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    for (size_t i = 0; i < n; i++)
        requested[i] = (mgl_column_request){i, MGL_ROLE_QUASI};
    mgl_stream_request request = {requested, n, NULL, NULL, NULL};
    mgl_status status = mgl_source_stream(c->source, &request, err, &c->table);
    mgl_free(requested);
    return status;
}

/* Is it the release that the result is about? Where its hash is not given it is unknown. */
static mgl_status check_release(const codebook *c, const char *path, mgl_error *err)
{
    const char *wanted = mgl_json_text(mgl_json_at(c->reported, "audit.release"), "sha256");
    const char *found = mgl_source_sha256(c->source);
    wanted = wanted != NULL ? wanted : mgl_json_text(c->reported, "sha256");
    if (wanted == NULL || found == NULL || strcmp(wanted, found) == 0)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_DAMAGED, path, 0,
                       "this is not the release that the result describes; name that one by "
                       "`release`");
}

static mgl_status report_columns(codebook *c, mgl_error *err, json_t *list)
{
    for (size_t i = 0; i < mgl_source_columns(c->source); i++)
        MGL_TRY(report_column(c, i, err, list));
    return MGL_OK;
}

mgl_status mgl_codebook_columns(const json_t *reported, mgl_source *source, size_t most,
                                mgl_error *err, json_t **out)
{
    codebook c = {
        .reported = reported, .source = source, .least = least_shown(reported), .most = most};
    json_t *list = json_array();
    mgl_status status = MGL_OK;
    MGL_GO(read_columns(&c, err));
    MGL_GO(report_columns(&c, err, list));
    *out = list;
    list = NULL;
done:
    if (status != MGL_OK && err != NULL)
        mgl_source_hide_names(source, err->message, sizeof err->message);
    json_decref(list);
    mgl_table_free(c.table);
    return status;
}

static mgl_status read_release(codebook *c, const char *path, mgl_error *err)
{
    mgl_source_options options = {.as_written = true, .may_be_empty = true};
    MGL_TRY(mgl_source_open(path, &options, err, &c->source));
    mgl_source_hash(c->source);
    MGL_TRY(read_columns(c, err));
    MGL_TRY(check_release(c, path, err));
    json_t *list = json_array();
    mgl_status status = report_columns(c, err, list);
    const char *slash = strrchr(path, '/');
    mgl_json_set(c->document, "release", json_string(slash != NULL ? slash + 1 : path));
    if (json_object_get(c->reported, "method") != NULL)
        mgl_json_set(c->document, "method", json_incref(json_object_get(c->reported, "method")));
    mgl_json_set(c->document, "released_rows", mgl_json_count(c->table->n_rows));
    mgl_json_set(c->document, "counts_from", mgl_json_count(c->least));
    mgl_json_set(c->document, "columns", list);
    return status;
}

/* ---- The table
 * ---------------------------------------------------------------------------------------- */

static void put(mgl_buffer *out, const char *cell, const char *end)
{
    mgl_text_quote(out, mgl_span_of(cell != NULL ? cell : ""), ',', false);
    mgl_buffer_text(out, end);
}

/* One line per value; a column whose values are not listed has one line. */
static void put_column(mgl_buffer *out, const json_t *column)
{
    const json_t *list = json_object_get(column, "list");
    size_t n = json_array_size(list);
    for (size_t i = 0; i < (n > 0 ? n : 1); i++) {
        const json_t *value = json_array_get(list, i);
        put(out, mgl_json_text(column, "column"), ",");
        put(out, mgl_json_text(column, "done"), ",");
        put(out, mgl_json_text(value, "value"), ",");
        put(out, mgl_json_text(value, "coarse"), ",");
        if (mgl_json_is_number(value, "rows"))
            mgl_buffer_format(out, "%llu", (unsigned long long)mgl_json_whole(value, "rows"));
        mgl_buffer_text(out, "\n");
    }
}

static mgl_status write_table(const json_t *document, const char *target, mgl_error *err)
{
    const json_t *columns = json_object_get(document, "columns");
    mgl_buffer table = {0};
    mgl_buffer_text(&table, "column,done,value,coarse,rows\n");
    for (size_t i = 0; i < json_array_size(columns); i++)
        put_column(&table, json_array_get(columns, i));
    return mgl_publish_buffer(target, &table, err);
}

static mgl_status refuse_other(const mgl_result *reported, const char *release, mgl_error *err)
{
    bool releases = mgl_json_is(reported->document, "command", "anonymize") ||
                    mgl_json_is(reported->document, "command", "apply");
    if (!releases || section(reported->document, "columns") == NULL)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "data",
                            "this is no result of a release; name one that `anonymize` or `apply` "
                            "wrote with `result`");
    if (release == NULL)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "release",
                            "the result names no release; name it by `release`");
    return MGL_OK;
}

mgl_status mgl_command_codebook(mgl_session *session, mgl_job *job, mgl_error *err,
                                mgl_result **out)
{
    (void)session;
    const mgl_settings *settings;
    mgl_result *reported = NULL, *result = NULL;
    codebook c = {0};
    MGL_TRY(mgl_job_settings(job, MGL_CODEBOOK, err, &settings));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_blame_key(err, mgl_result_read(settings->data, err, &reported), "data"));
    const char *release =
        settings->release != NULL ? settings->release : mgl_json_text(reported->document, "output");
    MGL_GO(refuse_other(reported, release, err));
    MGL_GO(mgl_result_new("codebook", err, &result));
    c = (codebook){.reported = reported->document,
                   .document = result->document,
                   .least = least_shown(reported->document),
                   .most = SIZE_MAX};
    MGL_GO(mgl_blame_key(err, read_release(&c, release, err), "release"));
    MGL_GO(mgl_check_memory(mgl_json_complete(result->document), err));
    if (settings->output != NULL)
        MGL_GO(write_table(result->document, settings->output, err));
    *out = result;
    result = NULL;
done:
    mgl_table_free(c.table);
    mgl_source_close(c.source);
    mgl_result_free(reported);
    mgl_result_free(result);
    return status;
}

static mgl_status write_page(const mgl_result *result, const char *target, mgl_error *err)
{
    char *text;
    MGL_TRY(mgl_report_html(result, mgl_measure_view_at, err, &text));
    mgl_status status = mgl_publish_text(target, text, strlen(text), err);
    mgl_free(text);
    return status;
}

mgl_status mgl_command_report(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    (void)session;
    const mgl_settings *settings;
    mgl_result *result;
    MGL_TRY(mgl_job_settings(job, MGL_REPORT, err, &settings));
    MGL_TRY(mgl_blame_key(err, mgl_result_read(settings->data, err, &result), "data"));
    mgl_result_add_about(result, settings);
    mgl_status status =
        settings->output != NULL ? write_page(result, settings->output, err) : MGL_OK;
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
