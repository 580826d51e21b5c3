/* Keeps the recoding that a preview searched for, so that another window or filter of the same job
 * need not search again. preview.c calls it. */
#include "command/kept_recoding.h"

#include <stdlib.h>

/* A copy of the cells: their numbers mean the same as long as the list is the same. */
typedef struct kept_cells {
    size_t n_attributes, n_tuples;
    bool unsafe;
    uint32_t *cells;     /* [n_attributes * n_tuples] */
    uint8_t *suppressed; /* [n_tuples] */
} kept_cells;

static void free_cells(void *thing)
{
    kept_cells *cells = thing;
    if (cells == NULL)
        return;
    mgl_free(cells->cells);
    mgl_free(cells->suppressed);
    mgl_free(cells);
}

static const mgl_kept_kind recodings = {free_cells, 2};

/* Files besides the table and the hierarchies of quasi-identifiers, which the list tells apart, can
 * change without the job. */
static bool depends_on_files(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].role != MGL_ROLE_QUASI &&
            settings->attributes[i].hierarchy != NULL)
            return true;
    return settings->sampled.population != NULL || settings->earlier.n > 0 ||
           mgl_job_get(settings->job, "policy") != NULL;
}

/* false: memory is out. */
static bool make_key(const mgl_task *task, const mgl_job *job, mgl_buffer *key)
{
    json_t *document;
    if (mgl_job_document(job, MGL_JOB_WHOLE, NULL, NULL, &document) != MGL_OK)
        return false;
    char *text = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    mgl_buffer_format(key, "recoding %llu ", (unsigned long long)task->list->number);
    mgl_buffer_text(key, text != NULL ? text : "");
    bool made = text != NULL && !key->failed;
    free(text);
    return made;
}

static mgl_status revive(const mgl_task *task, const kept_cells *kept, mgl_error *err,
                         mgl_solution **out)
{
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    if (solution == NULL)
        return mgl_fail_memory(err);
    mgl_status status = mgl_recoding_new(task->problem.columns, kept->n_attributes, kept->n_tuples,
                                         err, &solution->recoding);
    if (status != MGL_OK) {
        mgl_free(solution);
        return status;
    }
    size_t n = kept->n_tuples;
    for (size_t a = 0; a < kept->n_attributes; a++)
        memcpy(solution->recoding->cells[a], kept->cells + a * n, n * sizeof *kept->cells);
    memcpy(solution->recoding->suppressed, kept->suppressed, n);
    solution->n_attributes = kept->n_attributes;
    solution->unsafe = kept->unsafe;
    solution->safer = "";
    solution->method = task->problem.method;
    *out = solution;
    return MGL_OK;
}

mgl_status mgl_kept_recoding_find(const mgl_task *task, const mgl_job *job, mgl_error *err,
                                  mgl_solution **out)
{
    mgl_buffer key = {0};
    const mgl_kept *kept = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    if (depends_on_files(task->reading->settings) || !make_key(task, job, &key))
        goto done;
    MGL_GO(mgl_hold(&task->reading->holds, &recodings, &key, err, &kept));
    if (kept != NULL)
        MGL_GO(revive(task, kept->thing, err, out));
done:
    mgl_buffer_free(&key);
    return status;
}

static kept_cells *copy_cells(const mgl_solution *solution)
{
    const mgl_recoding *recoding = solution->recoding;
    size_t n = recoding->n_tuples;
    kept_cells *kept = mgl_zeroed_array(1, sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->n_attributes = recoding->n_attributes;
    kept->n_tuples = n;
    kept->unsafe = solution->unsafe;
    kept->cells = mgl_alloc_array(recoding->n_attributes * n, sizeof *kept->cells);
    kept->suppressed = mgl_alloc_array(n, 1);
    if (kept->cells == NULL || kept->suppressed == NULL) {
        free_cells(kept);
        return NULL;
    }
    for (size_t a = 0; a < recoding->n_attributes; a++)
        memcpy(kept->cells + a * n, recoding->cells[a], n * sizeof *kept->cells);
    memcpy(kept->suppressed, recoding->suppressed, n);
    return kept;
}

/* Values that a method made are in columns of its own, which go with the solution. */
mgl_status mgl_kept_recoding_keep(const mgl_task *task, const mgl_job *job,
                                  const mgl_solution *solution, mgl_error *err)
{
    mgl_buffer key = {0};
    const mgl_kept *kept;
    kept_cells *cells = NULL;
    mgl_status status = MGL_OK;
    if (solution->recoding->own != NULL || depends_on_files(task->reading->settings) ||
        solution->timed_out || !make_key(task, job, &key))
        goto done;
    cells = copy_cells(solution);
    if (cells == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_keep(&task->reading->holds, &recodings, &key, cells, err, &kept));
done:
    mgl_buffer_free(&key);
    return status;
}
