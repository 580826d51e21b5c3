/* risk --advise: a role and a hierarchy for every column, and a job that says so. */
#include "flow/flow.h"

typedef struct proposal {
    mgl_job *job; /* what is proposed */
    mgl_arena *arena;
    mgl_job_note *notes; /* a reason for each column */
    size_t n_notes;
    mgl_buffer text; /* the job file */
    bool quasi, sensitive; /* is there one? */
    json_t *list;
} proposal;

static mgl_status note(proposal *p, const char *column, const char *reason, mgl_error *err)
{
    mgl_job_note *one = &p->notes[p->n_notes];
    one->column = mgl_arena_copy(p->arena, column, strlen(column));
    one->text = mgl_arena_copy(p->arena, reason, strlen(reason));
    p->n_notes++;
    return one->column != NULL && one->text != NULL ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status propose(proposal *p, const mgl_column *column, const uint64_t *rows,
                          uint64_t n_rows, mgl_error *err)
{
    mgl_advice advice = mgl_advise(column->name, column->dictionary, rows, n_rows);
    mgl_buffer reason = {0}, builder = {0};
    json_t *object = json_object();
    char *hierarchy = NULL;
    const char *role = mgl_role_name(advice.role);
    if (advice.role == MGL_ROLE_QUASI)
        mgl_hierarchy_suggest(column->dictionary, &builder, &reason);
    bool found = builder.size > 0;
    mgl_status status = mgl_buffer_take(&builder, err, &hierarchy);
    p->quasi = p->quasi || advice.role == MGL_ROLE_QUASI;
    p->sensitive = p->sensitive || advice.role == MGL_ROLE_SENSITIVE;
    if (status == MGL_OK)
        status = mgl_job_take_value(p->job, "role", column->name, role, err);
    if (status == MGL_OK && found)
        status = mgl_job_take_value(p->job, "hierarchy", column->name, hierarchy, err);
    if (status == MGL_OK)
        status = note(p, column->name, advice.reason, err);
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "role", json_string(role));
    mgl_json_set(object, "reason", json_string(advice.reason));
    mgl_json_set(object, "hierarchy", found ? json_string(hierarchy) : json_null());
    mgl_json_append(p->list, object);
    mgl_buffer_free(&reason);
    mgl_buffer_free(&builder);
    mgl_free(hierarchy);
    return status;
}

/* ---- The job file ------------------------------------------------------------------------------
 */

/* The release stands beside the job file. */
static mgl_status propose_output(proposal *p, const char *place, mgl_error *err)
{
    const char *slash = place != NULL ? strrchr(place, '/') : NULL;
    mgl_buffer text = {0};
    char *path;
    mgl_buffer_append(&text, place, slash != NULL ? (size_t)(slash - place) + 1 : 0);
    mgl_buffer_text(&text, "release.csv");
    mgl_status status = mgl_buffer_take(&text, err, &path);
    if (status == MGL_OK)
        status = mgl_job_take_value(p->job, "output", NULL, path, err);
    mgl_free(path);
    return status;
}

static mgl_status write_job(proposal *p, const mgl_settings *settings, mgl_error *err)
{
    json_t *document;
    MGL_TRY(mgl_job_take_value(p->job, "data", NULL, settings->data, err));
    MGL_TRY(mgl_job_take_value(p->job, "k-anonymity", NULL, "5", err));
    if (p->sensitive)
        MGL_TRY(mgl_job_take_value(p->job, "p-sensitive", NULL, "2", err));
    MGL_TRY(propose_output(p, settings->output, err));
    MGL_TRY(mgl_job_document(p->job, MGL_JOB_FILE, settings->output, err, &document));
    mgl_buffer_text(&p->text, "# A proposal: look at every role before you rely on it.\n");
    mgl_job_yaml(document, p->notes, p->n_notes, &p->text);
    json_decref(document);
    return p->text.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- Reading
 * ------------------------------------------------------------------------------------- */

/* Some columns of the source; counted if its engine can: then no row leaves it. */
static mgl_status read_columns(const mgl_settings *settings, mgl_source *source, size_t first,
                               size_t n, mgl_error *err, mgl_table **out)
{
    mgl_column_wish *wishes = mgl_alloc_array(n, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++)
        wishes[c] = (mgl_column_wish){first + c, MGL_ROLE_NONE};
    mgl_status status =
        mgl_source_counts(source)
            ? mgl_source_count(source, wishes, n, &settings->progress, err, out)
            : mgl_source_read(source, wishes, n, NULL, &settings->progress, err, out);
    mgl_free(wishes);
    return status;
}

static mgl_status propose_columns(proposal *p, const mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const mgl_column *column = &table->columns[c];
        uint64_t *rows = mgl_zeroed_array(mgl_dictionary_size(column->dictionary), sizeof *rows);
        uint64_t n_rows = 0;
        if (rows == NULL)
            return mgl_fail_memory(err);
        for (size_t row = 0; row < table->n_rows; row++) {
            uint64_t times = table->times != NULL ? table->times[row] : 1;
            rows[mgl_column_code(column, row)] += times;
            n_rows += times;
        }
        mgl_status status = propose(p, column, rows, n_rows, err);
        mgl_free(rows);
        MGL_TRY(status);
    }
    return MGL_OK;
}

/* An engine counts one column after the other: together they would be the rows. */
static mgl_status propose_all(proposal *p, const mgl_settings *settings, mgl_source *source,
                              mgl_error *err)
{
    size_t n = mgl_source_columns(source), step = mgl_source_counts(source) ? 1 : n;
    mgl_status status = MGL_OK;
    p->notes = mgl_arena_alloc(p->arena, (n + 1) * sizeof *p->notes);
    if (p->notes == NULL)
        return mgl_fail_memory(err);
    for (size_t first = 0; status == MGL_OK && first < n; first += step) {
        mgl_table *table = NULL;
        status = read_columns(settings, source, first, step, err, &table);
        if (status == MGL_OK)
            status = propose_columns(p, table, err);
        mgl_table_free(table);
    }
    MGL_TRY(status);
    return write_job(p, settings, err);
}

static mgl_status finish(proposal *p, const mgl_settings *settings, mgl_error *err,
                         mgl_result *result)
{
    json_t *document = result->document;
    mgl_json_set(document, "advice", json_incref(p->list));
    mgl_json_set(document, "job", json_stringn(p->text.data, p->text.size));
    if (!p->quasi)
        mgl_result_warn(result, "no-quasi-identifier",
                        "no column seems to be known to others; the job needs a quasi-identifier");
    if (settings->output != NULL) {
        mgl_json_set(document, "output", json_string(settings->output));
        MGL_TRY(mgl_publish_text(settings->output, p->text.data, p->text.size, err));
    }
    return mgl_result_finish(result, settings, err);
}

mgl_status mgl_flow_advise(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    mgl_source *source = NULL;
    mgl_result *result;
    MGL_TRY(mgl_result_new("risk", err, &result));
    proposal p = {.list = json_array(), .arena = mgl_arena_new()};
    result->holds = true;
    mgl_status status = p.arena == NULL ? mgl_fail_memory(err) : mgl_job_new(err, &p.job);
    if (status == MGL_OK)
        status = mgl_source_open(settings->data, &settings->source, err, &source);
    if (status == MGL_OK)
        status = propose_all(&p, settings, source, err);
    if (status == MGL_OK)
        status = finish(&p, settings, err, result);
    json_decref(p.list);
    mgl_buffer_free(&p.text);
    mgl_job_free(p.job);
    mgl_arena_free(p.arena);
    mgl_source_close(source);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
