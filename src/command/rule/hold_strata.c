/* Columns of strata, as a saved recoding releases them: as they are. `apply` calls it before it
 * recodes the others. */
#include "command/rule/rule.h"

static mgl_status refuse_stratum(const mgl_task *task, size_t t, mgl_error *err)
{
    mgl_buffer name = {0};
    mgl_stratum_name(&task->problem, task->reading->settings->strata.n, t, &name);
    mgl_status status =
        name.failed ? mgl_fail_memory(err)
                    : mgl_fail(err, MGL_CODE_NOT_COVERED,
                               "the recoding has no rule for the stratum %.*s, which was not in "
                               "the table it was made for; leave its rows out with `where`, or "
                               "anonymize the table by itself",
                               (int)name.size, name.data);
    mgl_buffer_free(&name);
    return mgl_blame_key(err, status, "recoding");
}

/* Which label each leaf of the recoding has in a column of strata. Caller frees with mgl_free. */
static mgl_status find_labels(const mgl_saved_recoding *saved, size_t a, mgl_error *err,
                              uint32_t **out)
{
    size_t n = saved->quasi[a].n_leaves;
    uint32_t *label = mgl_alloc_array(n, sizeof *label);
    if (label == NULL)
        return mgl_fail_memory(err);
    for (size_t leaf = 0; leaf < n; leaf++)
        label[leaf] = MGL_NOT_FOUND;
    for (size_t t = 0; t < saved->n_tuples; t++)
        label[saved->leaves[a][t]] = saved->released[a][t];
    *out = label;
    return MGL_OK;
}

mgl_status mgl_rule_hold_strata(const mgl_saved_recoding *saved, const mgl_task *task,
                                const size_t *of_saved, uint32_t *const *saved_leaf, mgl_error *err,
                                mgl_recoding *recoding)
{
    const mgl_frequency_list *list = task->problem.list;
    for (size_t a = 0; a < saved->n_quasi; a++) {
        size_t b = of_saved[a];
        uint32_t *label = NULL;
        mgl_status status = MGL_OK;
        if (!task->reading->quasi[b].settings->by)
            continue;
        MGL_TRY(find_labels(saved, a, err, &label));
        for (size_t t = 0; status == MGL_OK && t < list->n_tuples; t++) {
            uint32_t leaf = saved_leaf[b][mgl_list_leaf(list, t, b)];
            uint32_t cell = leaf != MGL_NOT_FOUND ? label[leaf] : MGL_NOT_FOUND;
            recoding->cells[b][t] = cell;
            if (cell == MGL_NOT_FOUND)
                status = refuse_stratum(task, t, err);
        }
        mgl_free(label);
        MGL_TRY(status);
    }
    return MGL_OK;
}
