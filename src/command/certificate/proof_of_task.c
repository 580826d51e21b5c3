/* Describes a task as a certificate does: columns, models and tuples. save_proof.c adds prices to
 * it; proof_and_table.c compares it with a certificate. */
#include "command/certificate/proof_of_task.h"

#include <stdlib.h>

static mgl_status take_columns(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                               mgl_proof *out)
{
    const mgl_problem *p = &task->problem;
    out->n_columns = p->list->n_attributes;
    out->columns = mgl_arena_alloc(arena, out->n_columns * sizeof *out->columns);
    if (out->columns == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < out->n_columns; a++) {
        const mgl_released_column *column = p->columns[a];
        out->columns[a] = (mgl_proof_column){.name = task->reading->quasi[a].settings->name,
                                             .weight = p->weights[a],
                                             .height = column->hierarchy->height,
                                             .low = p->min_level[a],
                                             .high = p->max_level[a],
                                             .n_leaves = column->hierarchy->n_leaves,
                                             .n_values = column->n_values,
                                             .value = column->of_leaf};
        MGL_TRY(mgl_released_labels(column, arena, err, &out->columns[a].labels));
    }
    return MGL_OK;
}

static int compare_codes(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the codes and keeps each once; returns how many are left. */
static size_t tidy(uint32_t *codes, size_t n)
{
    size_t kept = 0;
    qsort(codes, n, sizeof *codes, compare_codes);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || codes[i] != codes[kept - 1])
            codes[kept++] = codes[i];
    return kept;
}

/* Missing cells that are no value are left out. */
static mgl_status take_values(const mgl_sparse *from, const mgl_sensitive *facts, size_t n_tuples,
                              mgl_arena *arena, mgl_error *err, mgl_proof_sensitive *out)
{
    const uint32_t *groups = out->grouped ? facts->strong : NULL;
    size_t at = 0;
    out->start = mgl_arena_alloc(arena, (n_tuples + 1) * sizeof *out->start);
    out->codes = mgl_arena_alloc(arena, (from->start[n_tuples] + 1) * sizeof *out->codes);
    if (out->start == NULL || out->codes == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n_tuples; t++) {
        size_t n = 0;
        out->start[t] = at;
        for (size_t i = from->start[t]; i < from->start[t + 1]; i++)
            if (from->values[i] + 1 != facts->unknown)
                out->codes[at + n++] = groups != NULL ? groups[from->values[i]] : from->values[i];
        at += tidy(out->codes + at, n);
    }
    out->start[n_tuples] = at;
    return MGL_OK;
}

/* The number of an attribute, by values or by groups, among those of the certificate. */
static mgl_status find_sensitive(const mgl_task *task, uint32_t attribute, bool grouped,
                                 mgl_arena *arena, mgl_error *err, mgl_proof *out, uint32_t *number)
{
    const mgl_sensitive *facts = &task->facts.sensitive[attribute];
    const mgl_frequency_list *list = task->problem.list;
    for (*number = 0; *number < out->n_sensitive; ++*number) {
        const mgl_proof_sensitive *known = &out->sensitive[*number];
        if (known->grouped == grouped && known->attribute == facts->column->name)
            return MGL_OK;
    }
    mgl_proof_sensitive *new = &out->sensitive[out->n_sensitive++];
    *new = (mgl_proof_sensitive){.attribute = facts->column->name, .grouped = grouped};
    return take_values(&list->sensitive[attribute], facts, list->n_tuples, arena, err, new);
}

bool mgl_proof_uses(const mgl_model *model)
{
    return model->joint == NULL && model->type->scope == MGL_SCOPE_CLASS &&
           model->type->upward_closed && mgl_proof_parameter(model->type->name) != NULL;
}

/* Adds a model with the attributes that it looks at: its own, or all. */
static mgl_status take_model(const mgl_task *task, const mgl_model *model, mgl_arena *arena,
                             mgl_error *err, mgl_proof *out)
{
    bool grouped = model->type->reads_hierarchy != NULL;
    size_t n = !mgl_looks_at_values(model->type) ? 0
               : model->type->takes_attribute    ? 1
                                                 : task->facts.n_sensitive;
    uint32_t *sensitive = mgl_arena_alloc(arena, (n + 1) * sizeof *sensitive);
    if (sensitive == NULL)
        return mgl_fail_memory(err);
    for (uint32_t i = 0; i < n; i++)
        MGL_TRY(find_sensitive(task, model->type->takes_attribute ? model->attribute : i, grouped,
                               arena, err, out, &sensitive[i]));
    out->models[out->n_models++] = (mgl_proof_model){.model = model->type->name,
                                                     .parameter = model->parameters[0],
                                                     .sensitive = sensitive,
                                                     .n_sensitive = n};
    return MGL_OK;
}

static mgl_status take_models(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                              mgl_proof *out)
{
    const mgl_quasi_set *set = &task->problem.sets[0];
    out->models = mgl_arena_alloc(arena, (set->n_models + 1) * sizeof *out->models);
    out->sensitive =
        mgl_arena_alloc(arena, (2 * task->facts.n_sensitive + 1) * sizeof *out->sensitive);
    if (out->models == NULL || out->sensitive == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < set->n_models; i++)
        if (mgl_proof_uses(&set->models[i]))
            MGL_TRY(take_model(task, &set->models[i], arena, err, out));
    return MGL_OK;
}

static mgl_status take_tuples(const mgl_frequency_list *list, mgl_arena *arena, mgl_error *err,
                              mgl_proof *out)
{
    size_t n = list->n_tuples, m = list->n_attributes;
    out->n_tuples = n;
    out->leaves = mgl_arena_alloc(arena, n * m * sizeof *out->leaves);
    out->prices = mgl_arena_alloc(arena, n * sizeof *out->prices);
    if (out->leaves == NULL || out->prices == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        for (size_t a = 0; a < m; a++)
            out->leaves[t * m + a] = mgl_list_leaf(list, t, a);
    memset(out->prices, 0, n * sizeof *out->prices);
    out->counts = list->counts;
    return MGL_OK;
}

const char *mgl_proof_treatment(mgl_treatment treatment)
{
    static const char *const treatments[] = {
        [MGL_KEEP] = "keep", [MGL_DROP] = "drop", [MGL_EXEMPT] = "exempt"};
    return treatments[treatment];
}

mgl_status mgl_proof_of_task(const mgl_task *task, mgl_arena *arena, mgl_error *err, mgl_proof *out)
{
    const mgl_problem *p = &task->problem;
    *out = (mgl_proof){.measure = p->measure->key,
                       .treatment = mgl_proof_treatment(p->treatment),
                       .n_rows = p->list->n_rows,
                       .limit = p->limit};
    MGL_TRY(take_columns(task, arena, err, out));
    MGL_TRY(take_models(task, arena, err, out));
    return take_tuples(p->list, arena, err, out);
}
