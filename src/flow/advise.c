/* risk --advise: a role and a hierarchy for every column, and a job that says so. */
#include "flow/flow.h"

/* ---- The job file ------------------------------------------------------------------------------
 */

/* A text in double quotes, as YAML reads it. */
static void quote(mgl_buffer *out, mgl_span text)
{
    mgl_buffer_text(out, "\"");
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c == '"' || c == '\\')
            mgl_buffer_format(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            mgl_buffer_format(out, "\\x%02X", c);
        else
            mgl_buffer_append(out, text.data + i, 1);
    }
    mgl_buffer_text(out, "\"");
}

/* The data as the job file finds it: beside it, or wherever it is. */
static mgl_status write_data(mgl_buffer *out, const mgl_settings *settings, mgl_error *err)
{
    const char *data = settings->data, *output = settings->output;
    const char *slash = strrchr(data, '/'), *other = output != NULL ? strrchr(output, '/') : NULL;
    size_t folder = slash != NULL ? (size_t)(slash - data) : 0;
    size_t place = other != NULL ? (size_t)(other - output) : 0;
    mgl_buffer_text(out, "data: ");
    if (strcmp(data, "-") == 0 ||
        (folder == place && (folder == 0 || output == NULL || memcmp(data, output, folder) == 0))) {
        quote(out, mgl_span_of(slash != NULL && output != NULL ? slash + 1 : data));
    } else {
        char *path;
        MGL_TRY(mgl_sys_resolve(data, err, &path));
        quote(out, mgl_span_of(path));
        mgl_free(path);
    }
    mgl_buffer_text(out, "\n");
    return MGL_OK;
}

typedef struct proposal {
    mgl_buffer job, hierarchy;
    bool quasi, sensitive; /* is there one? */
    json_t *list;
} proposal;

static void propose(proposal *p, const mgl_column *column, const uint64_t *rows, uint64_t n_rows)
{
    mgl_advice advice = mgl_advise(column->name, column->dictionary, rows, n_rows);
    mgl_buffer reason = {0};
    json_t *object = json_object();
    const char *role = mgl_role_name(advice.role);
    p->hierarchy.size = 0;
    if (advice.role == MGL_ROLE_QUASI)
        mgl_hierarchy_suggest(column->dictionary, &p->hierarchy, &reason);
    p->quasi = p->quasi || advice.role == MGL_ROLE_QUASI;
    p->sensitive = p->sensitive || advice.role == MGL_ROLE_SENSITIVE;
    mgl_buffer_text(&p->job, "  ");
    quote(&p->job, mgl_span_of(column->name));
    mgl_buffer_format(&p->job, ": {role: %s", role);
    if (p->hierarchy.size > 0) {
        mgl_buffer_text(&p->job, ", hierarchy: ");
        quote(&p->job, (mgl_span){p->hierarchy.data, p->hierarchy.size});
    }
    mgl_buffer_format(&p->job, "} # %s\n", advice.reason);
    mgl_json_set(object, "column", json_string(column->name));
    mgl_json_set(object, "role", json_string(role));
    mgl_json_set(object, "reason", json_string(advice.reason));
    mgl_json_set(object, "hierarchy",
                 p->hierarchy.size > 0 ? json_stringn(p->hierarchy.data, p->hierarchy.size)
                                       : json_null());
    mgl_json_append(p->list, object);
    mgl_buffer_free(&reason);
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
        propose(p, column, rows, n_rows);
        mgl_free(rows);
    }
    return MGL_OK;
}

/* An engine counts one column after the other: together they would be the rows. */
static mgl_status propose_all(proposal *p, const mgl_settings *settings, mgl_source *source,
                              mgl_error *err)
{
    size_t n = mgl_source_columns(source), step = mgl_source_counts(source) ? 1 : n;
    mgl_status status = MGL_OK;
    mgl_buffer_text(&p->job, "# A proposal: look at every role before you rely on it.\n");
    MGL_TRY(write_data(&p->job, settings, err));
    mgl_buffer_text(&p->job, "attributes:\n");
    for (size_t first = 0; status == MGL_OK && first < n; first += step) {
        mgl_table *table = NULL;
        status = read_columns(settings, source, first, step, err, &table);
        if (status == MGL_OK)
            status = propose_columns(p, table, err);
        mgl_table_free(table);
    }
    MGL_TRY(status);
    mgl_buffer_format(&p->job, "privacy: [{k-anonymity: 5}%s]\noutput: release.csv\n",
                      p->sensitive ? ", {p-sensitive: 2}" : "");
    return p->job.failed || p->hierarchy.failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status finish(proposal *p, const mgl_settings *settings, mgl_error *err,
                         mgl_result *result)
{
    json_t *document = result->document;
    mgl_json_set(document, "advice", json_incref(p->list));
    mgl_json_set(document, "job", json_stringn(p->job.data, p->job.size));
    if (!p->quasi)
        mgl_result_warn(result, "no-quasi-identifier",
                        "no column seems to be known to others; the job needs a quasi-identifier");
    if (settings->output != NULL) {
        mgl_json_set(document, "output", json_string(settings->output));
        MGL_TRY(mgl_publish_text(settings->output, p->job.data, p->job.size, err));
    }
    return mgl_result_finish(result, settings, err);
}

mgl_status mgl_flow_advise(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    mgl_source *source = NULL;
    mgl_result *result;
    proposal p = {.list = json_array()};
    mgl_status status = mgl_result_new("risk", err, &result);
    if (status != MGL_OK) {
        json_decref(p.list);
        return status;
    }
    result->holds = true;
    status = mgl_source_open(settings->data, &settings->source, err, &source);
    if (status == MGL_OK)
        status = propose_all(&p, settings, source, err);
    if (status == MGL_OK)
        status = finish(&p, settings, err, result);
    json_decref(p.list);
    mgl_buffer_free(&p.job);
    mgl_buffer_free(&p.hierarchy);
    mgl_source_close(source);
    if (status != MGL_OK) {
        mgl_result_free(result);
        return status;
    }
    *out = result;
    return MGL_OK;
}
