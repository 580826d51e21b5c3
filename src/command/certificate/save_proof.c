/* --save-proof: writes what a bound rests on to a file that anybody can check who may see the
 * table. `anonymize` calls it; checking a certificate makes the same description of the table. */
#include "command/certificate/proof_of_task.h"

#include <stdlib.h>

/* ---- Columns ------------------------------------------------------------------------------- */

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

/* ---- Models -------------------------------------------------------------------------------- */

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

static mgl_status take_values(const mgl_sparse *from, const uint32_t *groups, size_t n_tuples,
                              mgl_arena *arena, mgl_error *err, mgl_proof_sensitive *out)
{
    size_t at = 0;
    out->start = mgl_arena_alloc(arena, (n_tuples + 1) * sizeof *out->start);
    out->codes = mgl_arena_alloc(arena, (from->start[n_tuples] + 1) * sizeof *out->codes);
    if (out->start == NULL || out->codes == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n_tuples; t++) {
        size_t n = 0;
        out->start[t] = at;
        for (size_t i = from->start[t]; i < from->start[t + 1]; i++)
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
    return take_values(&list->sensitive[attribute], grouped ? facts->strong : NULL, list->n_tuples,
                       arena, err, new);
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
    size_t n = !mgl_needs_histograms(model->type) ? 0
               : model->type->takes_attribute     ? 1
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

/* ---- Tuples -------------------------------------------------------------------------------- */

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

/* ---- The file ------------------------------------------------------------------------------ */

/* Nothing is written that the verifier, which everybody else can run, does not accept. */
static mgl_status verify(const mgl_proof *proof, const mgl_settings *settings, mgl_error *err,
                         double *proved)
{
    mgl_proof_verdict verdict;
    mgl_status status = mgl_proof_verify(proof, &settings->progress, err, &verdict);
    *proved = verdict.proved;
    if (status == MGL_OK && !verdict.holds)
        status =
            mgl_fail(err, MGL_SYSTEM,
                     "the bound is not proved: prices are too high in %llu boxes and %llu classes; "
                     "nothing was written; please report this",
                     (unsigned long long)(verdict.bargains + verdict.too_dear),
                     (unsigned long long)verdict.overpriced);
    mgl_buffer_free(&verdict.example);
    return status;
}

/* A search that divides few tuples in all ways leaves no steps, because the check can do the same.
 */
static mgl_status divide_few(const mgl_solution *solution, const mgl_settings *settings,
                             mgl_error *err, mgl_proof *proof, mgl_proof_exact *few, double *proved)
{
    bool found;
    if (mgl_proof_supports(proof, *proved, solution->best_possible))
        return MGL_OK;
    MGL_TRY(
        mgl_proof_divide(proof, solution->best_possible, &settings->progress, err, &found, few));
    if (!found)
        return MGL_OK;
    proof->exact = few;
    return verify(proof, settings, err, proved);
}

static void tell(json_t *document, const mgl_buffer *file, double proved)
{
    char sha256[MGL_SHA256_TEXT];
    mgl_sha256 hash;
    json_t *proof = json_object();
    mgl_sha256_begin(&hash);
    mgl_sha256_add(&hash, file->data, file->size);
    mgl_sha256_end(&hash, sha256);
    mgl_json_set(proof, "sha256", json_string(sha256));
    mgl_json_set(proof, "proves", mgl_json_real(proved));
    mgl_json_set(json_object_get(document, "bound"), "proof", proof);
}

static mgl_status save(const mgl_outcome *outcome, mgl_arena *arena, mgl_buffer *file,
                       mgl_error *err, mgl_result *result, mgl_stage **out)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_solution *solution = outcome->solution;
    mgl_proof proof;
    mgl_proof_exact few;
    double proved;
    MGL_TRY(mgl_proof_of_task(outcome->task, arena, err, &proof));
    const json_t *audit = json_object_get(result->document, "audit");
    proof.method = outcome->method->name;
    proof.input = mgl_json_text(json_object_get(audit, "input"), "sha256");
    for (size_t t = 0; t < proof.n_tuples; t++)
        proof.prices[t] =
            mgl_proof_price(&proof, (double)solution->prices[t] * solution->price_unit);
    MGL_TRY(mgl_proof_take_steps(outcome->task, &solution->steps, arena, err, &proof));
    MGL_TRY(verify(&proof, settings, err, &proved));
    MGL_TRY(divide_few(solution, settings, err, &proof, &few, &proved));
    MGL_TRY(mgl_proof_write(&proof, err, file));
    tell(result->document, file, proved);
    return mgl_stage_text(settings->save_proof, (mgl_span){file->data, file->size}, err, out);
}

mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out)
{
    const char *path = outcome->reading->settings->save_proof;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    if (outcome->solution->prices == NULL)
        return mgl_fail(err, MGL_USAGE,
                        "save-proof: %s does not prove its bound by prices; leave it out, or use "
                        "--method cell",
                        outcome->method->name);
    if (!mgl_proof_knows_measure(outcome->task->problem.measure->key))
        return mgl_fail(err, MGL_USAGE,
                        "save-proof: what %s costs is unknown to those who check proofs; leave it "
                        "out, or use --utility precision",
                        outcome->task->problem.measure->name);
    mgl_arena *arena = mgl_arena_new();
    mgl_buffer file = {0};
    mgl_status status =
        arena == NULL ? mgl_fail_memory(err) : save(outcome, arena, &file, err, result, out);
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    return status;
}
