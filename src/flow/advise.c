/* risk --advise: a role and a hierarchy for every column, and a job that says so. */
#include "flow/advise.h"

#include <stdio.h>

/* ---- Reading ------------------------------------------------------------------------------------
 */

mgl_status mgl_advise_read(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                           size_t n, mgl_error *err, mgl_table **out)
{
    mgl_column_wish *wishes = mgl_alloc_array(n, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        wishes[c] = (mgl_column_wish){columns[c], MGL_ROLE_NONE};
    mgl_status status =
        mgl_source_counts(source)
            ? mgl_source_count(source, wishes, n, &settings->progress, err, out)
            : mgl_source_read(source, wishes, n, NULL, &settings->progress, err, out);
    mgl_free(wishes);
    return status;
}

/* How many records have each value. Free with mgl_free. */
static mgl_status count_values(const mgl_table *table, const mgl_column *column, mgl_error *err,
                               uint64_t **out)
{
    uint64_t *rows = mgl_zeroed_array(mgl_dictionary_size(column->dictionary), sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < table->n_rows; row++)
        rows[mgl_column_code(column, row)] += table->times != NULL ? table->times[row] : 1;
    *out = rows;
    return MGL_OK;
}

static mgl_status suggest(const mgl_column *column, mgl_error *err, char **out)
{
    mgl_buffer builder = {0}, reason = {0};
    mgl_hierarchy_suggest(column->dictionary, &builder, &reason);
    mgl_status status = builder.failed || reason.failed ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK && builder.size == 0)
        mgl_buffer_text(&builder, "suppress");
    if (status == MGL_OK)
        status = mgl_buffer_take(&builder, err, out);
    mgl_buffer_free(&builder);
    mgl_buffer_free(&reason);
    return status;
}

/* ---- Columns ------------------------------------------------------------------------------------
 */

static void advise(const mgl_advised *a, mgl_advised_column *column)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(a->settings, column->name);
    column->advice = mgl_advise(&column->profile);
    if (said != NULL && said->role != MGL_ROLE_NONE) {
        column->said = true;
        column->advice = (mgl_advice){said->role, "as you said"};
    }
}

/* Texts that stand among numbers or dates and can only mean missing, and '*', which is how cells
 * are written that are suppressed. */
static void take_codes(mgl_advised *a, const mgl_advised_column *column)
{
    const mgl_profile *p = &column->profile;
    bool stars_only = !mgl_profile_is_number(p) && !mgl_profile_is_date(p);
    for (size_t i = 0; i < p->n_codes; i++) {
        mgl_span text = mgl_span_of(p->codes[i].text);
        bool known = p->codes[i].number || (stars_only && !mgl_span_is(text, "*")) ||
                     a->n_missing == MGL_MOST_MISSING_CODES;
        for (size_t m = 0; m < a->n_missing && !known; m++)
            known = mgl_span_equal(a->missing[m], text);
        if (!known)
            a->missing[a->n_missing++] = text;
    }
}

static mgl_status look_at_column(mgl_advised *a, const mgl_table *table, const mgl_column *column,
                                 mgl_advised_column *out, mgl_error *err)
{
    uint64_t *rows = NULL;
    MGL_TRY(count_values(table, column, err, &rows));
    mgl_status status = mgl_profile_of(out->name, column->dictionary, rows, err, &out->profile);
    mgl_free(rows);
    MGL_TRY(status);
    a->rows = out->profile.rows;
    advise(a, out);
    take_codes(a, out);
    return suggest(column, err, &out->hierarchy);
}

/* An engine counts one column after the other: together they would be the rows. */
static mgl_status look_at_some(mgl_advised *a, size_t first, size_t n, mgl_error *err,
                               mgl_table **out)
{
    size_t *columns = mgl_alloc_array(n, sizeof *columns);
    if (columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        columns[c] = first + c;
    mgl_status status = mgl_advise_read(a->settings, a->source, columns, n, err, out);
    mgl_free(columns);
    for (size_t c = 0; status == MGL_OK && c < n; c++)
        status = look_at_column(a, *out, &(*out)->columns[c], &a->columns[first + c], err);
    return status;
}

/* Tables of amounts alone: what somebody earns and owns singles out as well as anything, and there
 * is nothing else to know him by. */
static void find_amounts(mgl_advised *a)
{
    size_t n = 0;
    for (size_t c = 0; c < a->n; c++) {
        mgl_role role = a->columns[c].advice.role;
        bool released = role == MGL_ROLE_QUASI || role == MGL_ROLE_SENSITIVE;
        if (released && (!mgl_profile_is_amount(&a->columns[c].profile) || a->columns[c].said))
            return;
        n += released;
    }
    a->amounts = n > 0;
    for (size_t c = 0; a->amounts && c < a->n; c++)
        if (a->columns[c].advice.role == MGL_ROLE_SENSITIVE)
            a->columns[c].advice = (mgl_advice){
                MGL_ROLE_QUASI, "amounts: in a table of nothing else persons are known by them"};
}

/* The id of persons is not released, and k counts them. */
static void take_persons(mgl_advised *a)
{
    if (a->entity == SIZE_MAX)
        return;
    mgl_advice *advice = &a->columns[a->entity].advice;
    advice->role = MGL_ROLE_IDENTIFIER;
    snprintf(advice->reason, sizeof advice->reason,
             "it tells persons apart: %llu of them have %llu rows, so k should count persons "
             "(entity)",
             (unsigned long long)a->persons.persons,
             (unsigned long long)(a->columns[a->entity].profile.rows -
                                  a->columns[a->entity].profile.missing));
}

static mgl_status look_at_all(mgl_advised *a, mgl_error *err)
{
    bool counts = mgl_source_counts(a->source);
    size_t step = counts ? 1 : a->n;
    mgl_table *table = NULL;
    mgl_status status = MGL_OK;
    for (size_t first = 0; status == MGL_OK && first < a->n; first += step) {
        mgl_table_free(table);
        table = NULL;
        status = look_at_some(a, first, step, err, &table);
    }
    if (status == MGL_OK)
        status = mgl_advise_persons(a, counts ? NULL : table, err);
    mgl_table_free(table);
    MGL_TRY(status);
    take_persons(a);
    find_amounts(a);
    return MGL_OK;
}

/* ---- The result
 * ----------------------------------------------------------------------------------
 */

static json_t *codes_json(const mgl_profile *p)
{
    json_t *codes = json_array();
    for (size_t i = 0; i < p->n_codes; i++) {
        json_t *code = json_object();
        mgl_json_set(code, "text", json_string(p->codes[i].text));
        mgl_json_set(code, "rows", mgl_json_count(p->codes[i].rows));
        mgl_json_append(codes, code);
    }
    return codes;
}

static json_t *column_json(const mgl_advised *a, const mgl_advised_column *column)
{
    const mgl_profile *p = &column->profile;
    json_t *object = json_object();
    bool builder = column->advice.role == MGL_ROLE_QUASI && !a->amounts;
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "role", json_string(mgl_role_name(column->advice.role)));
    mgl_json_set(object, "reason", json_string(column->advice.reason));
    mgl_json_set(object, "hierarchy", builder ? json_string(column->hierarchy) : json_null());
    mgl_json_set(object, "kind", json_string(mgl_value_kind_name(p->kind)));
    mgl_json_set(object, "distinct", mgl_json_count(p->distinct));
    mgl_json_set(object, "alone", mgl_json_count(p->alone));
    mgl_json_set(object, "missing", mgl_json_count(p->missing));
    mgl_json_set(object, "missing_codes", codes_json(p));
    mgl_json_set(object, "variants", mgl_json_count(p->variants));
    return object;
}

static json_t *entity_json(const mgl_advised *a)
{
    if (a->entity == SIZE_MAX)
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(a->columns[a->entity].name));
    mgl_json_set(object, "persons", mgl_json_count(a->persons.persons));
    return object;
}

enum { K = 5 };

static void warn(const mgl_advised *a, mgl_result *result)
{
    bool few_persons = a->entity != SIZE_MAX && a->persons.persons < K;
    if (a->rows < K || few_persons)
        mgl_result_warn(result, "too-few-rows",
                        "there are only %llu %s: no release can have k = %d",
                        (unsigned long long)(few_persons ? a->persons.persons : a->rows),
                        few_persons ? "persons" : "rows", K);
    if (mgl_advised_count(a, MGL_ROLE_QUASI) == 0)
        mgl_result_warn(result, "no-quasi-identifier",
                        "no column seems to be known to others, so that there is nobody to find; "
                        "edit the job: it needs a quasi-identifier");
}

static mgl_status describe(const mgl_advised *a, mgl_error *err, mgl_result *result)
{
    json_t *list = json_array();
    mgl_buffer job = {0};
    for (size_t c = 0; c < a->n; c++)
        mgl_json_append(list, column_json(a, &a->columns[c]));
    mgl_json_set(result->document, "rows", mgl_json_count(a->rows));
    mgl_json_set(result->document, "advice", list);
    mgl_json_set(result->document, "entity", entity_json(a));
    warn(a, result);
    mgl_status status = mgl_advised_write(a, err, &job);
    if (status == MGL_OK)
        mgl_json_set(result->document, "job", json_stringn(job.data, job.size));
    if (status == MGL_OK && a->settings->output != NULL) {
        mgl_json_set(result->document, "output", json_string(a->settings->output));
        status = mgl_publish_text(a->settings->output, job.data, job.size, err);
    }
    mgl_buffer_free(&job);
    return status;
}

/* Standard input is gone when it has been read. */
static bool can_be_tried(const mgl_advised *a)
{
    return strcmp(a->settings->data, "-") != 0 && a->rows >= K &&
           mgl_advised_count(a, MGL_ROLE_QUASI) > 0 &&
           (a->entity == SIZE_MAX || a->persons.persons >= K);
}

static mgl_status fill(mgl_advised *a, mgl_error *err, mgl_result *result)
{
    const mgl_settings *settings = a->settings;
    MGL_TRY(mgl_source_open(settings->data, &settings->source, err, &a->source));
    a->n = mgl_source_columns(a->source);
    a->columns = mgl_zeroed_array(a->n, sizeof *a->columns);
    if (a->columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < a->n; c++)
        a->columns[c].name = mgl_source_column(a->source, c);
    MGL_TRY(look_at_all(a, err));
    if (can_be_tried(a))
        MGL_TRY(mgl_advise_try(a, err, result));
    MGL_TRY(describe(a, err, result));
    return mgl_result_finish(result, settings, err);
}

static void forget(mgl_advised *a)
{
    for (size_t c = 0; a->columns != NULL && c < a->n; c++)
        mgl_free(a->columns[c].hierarchy);
    mgl_free(a->columns);
    mgl_source_close(a->source);
}

mgl_status mgl_flow_advise(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    mgl_advised advised = {.settings = settings, .entity = SIZE_MAX};
    MGL_TRY(mgl_result_new("risk", err, &result));
    result->holds = true;
    mgl_status status = fill(&advised, err, result);
    forget(&advised);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
