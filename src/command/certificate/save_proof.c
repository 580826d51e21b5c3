/* --save-proof: describes a task and the steps of its search as a certificate does, verifies it,
 * and stages it beside the release. */
#include "command/certificate/proof_of_task.h"

#include <math.h>
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

/* Does a certificate rest on the model? */
static bool proof_uses(const mgl_model *model)
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
        if (proof_uses(&set->models[i]))
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

/* Reads the numbers of a search one after another and turns its prices into those of a certificate.
 * Where costs are rounded, prices are as well: down, by as much as the costs of so many rows may be
 * less than those of the search; up from zero, where prices are subtracted. */
typedef struct numbers {
    const int64_t *at, *end;
    bool rounded;
    double factor; /* unit of the search / unit of the certificate; a whole number unless costs are
                      rounded */
    double margin; /* for a row */
    double lost;   /* what rounding the prices of the current step lost */
    mgl_arena *arena;
} numbers;

/* Doubles that need 50 bits and more are not exact to a unit. */
#define PRECISION 0x1p-50

static int64_t convert(numbers *from, int64_t price, uint64_t rows)
{
    if (!from->rounded)
        return price * (int64_t)from->factor;
    double plain = (double)price * from->factor, off = fabs(plain) * PRECISION + 1;
    from->lost += 2 * off + (double)rows * from->margin;
    return (int64_t)floor(plain - off - (double)rows * from->margin);
}

static int64_t convert_up(numbers *from, int64_t price, double times)
{
    if (!from->rounded)
        return price * (int64_t)from->factor;
    double plain = (double)price * from->factor, off = plain * PRECISION + 1;
    from->lost += 2 * off * times;
    return price > 0 ? (int64_t)ceil(plain + off) : 0;
}

static mgl_status take_prices(numbers *from, const mgl_proof *p, mgl_error *err,
                              const int64_t **out)
{
    int64_t *prices = mgl_arena_alloc(from->arena, p->n_tuples * sizeof *prices);
    if (prices == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < p->n_tuples; t++)
        prices[t] = convert(from, *from->at++, p->counts[t]);
    *out = prices;
    return MGL_OK;
}

static mgl_status take_cuts(numbers *from, size_t n, mgl_error *err, mgl_proof_step *out)
{
    mgl_proof_cut *cuts = mgl_arena_alloc(from->arena, (n + 1) * sizeof *cuts);
    if (cuts == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        cuts[i] = (mgl_proof_cut){.n = (size_t)from->at[1]};
        cuts[i].price = convert_up(from, from->at[0], (double)(cuts[i].n / 2));
        uint32_t *tuples = mgl_arena_alloc(from->arena, cuts[i].n * sizeof *tuples);
        if (tuples == NULL)
            return mgl_fail_memory(err);
        for (size_t j = 0; j < cuts[i].n; j++)
            tuples[j] = (uint32_t)from->at[2 + j];
        cuts[i].tuples = tuples;
        from->at += 2 + cuts[i].n;
    }
    out->cuts = cuts;
    out->n_cuts = n;
    return MGL_OK;
}

static mgl_status take_step(numbers *from, const mgl_proof *p, mgl_error *err, mgl_proof_step *out)
{
    static const mgl_proof_kind kinds[] = {[MGL_STEP_DUALS] = MGL_PROOF_PRICES,
                                           [MGL_STEP_TOGETHER] = MGL_PROOF_TOGETHER,
                                           [MGL_STEP_APART] = MGL_PROOF_APART,
                                           [MGL_STEP_END] = MGL_PROOF_END};
    *out = (mgl_proof_step){.kind = kinds[*from->at++]};
    if (out->kind != MGL_PROOF_PRICES) {
        out->pair[0] = (uint32_t)*from->at++;
        out->pair[1] = (uint32_t)*from->at++;
        return MGL_OK;
    }
    from->lost = 0;
    out->left = convert_up(from, *from->at++, (double)p->limit);
    size_t n_cuts = (size_t)*from->at++;
    MGL_TRY(take_prices(from, p, err, &out->prices));
    return take_cuts(from, n_cuts, err, out);
}

/* For the check more classes would hold than for the search if it did not know a model. */
static bool knows_models(const mgl_task *task)
{
    const mgl_quasi_set *set = &task->problem.sets[0];
    for (size_t i = 0; i < set->n_models; i++)
        if (!proof_uses(&set->models[i]))
            return false;
    return true;
}

/* Can the numbers be written down? Unless costs are rounded, they must be whole multiples. */
static bool fits(const numbers *from, const mgl_bound_steps *steps)
{
    double most = fabs((double)steps->bound);
    for (size_t i = 0; i < steps->n; i++)
        most = fmax(most, fabs((double)steps->numbers[i]));
    return from->factor > 0 && from->factor * most < 0x1p60;
}

static double find_factor(const mgl_bound_steps *steps, double unit)
{
    double factor = unit > 0 ? steps->unit / unit : 0, whole = round(factor);
    if (steps->rounded)
        return factor / (double)steps->times;
    return fabs(factor - whole) < 1e-6 * whole ? whole : 0;
}

static mgl_status take_all(numbers *from, const mgl_proof *p, mgl_error *err, mgl_proof_exact *out,
                           mgl_proof_step *room)
{
    double lost = 0;
    while (from->at < from->end) {
        MGL_TRY(take_step(from, p, err, &room[out->n_steps++]));
        lost = fmax(lost, from->lost);
    }
    if (from->rounded)
        out->bound -= (int64_t)ceil(lost) + 2;
    return MGL_OK;
}

/* Adds the steps of a search, if the certificate can express them. */
static mgl_status proof_take_steps(const mgl_task *task, const mgl_bound_steps *steps,
                                   mgl_arena *arena, mgl_error *err, mgl_proof *out)
{
    double unit;
    if (steps->n == 0 || !knows_models(task))
        return MGL_OK;
    MGL_TRY(mgl_proof_whole_unit(out, steps->rounded, err, &unit));
    numbers from = {.at = steps->numbers,
                    .end = steps->numbers + steps->n,
                    .rounded = steps->rounded,
                    .factor = find_factor(steps, unit),
                    .margin = (double)out->n_columns + 3,
                    .arena = arena};
    mgl_proof_exact *exact = mgl_arena_alloc(arena, sizeof *exact);
    mgl_proof_step *room = mgl_arena_alloc(arena, (steps->n / 3 + 1) * sizeof *room);
    if (exact == NULL || room == NULL)
        return mgl_fail_memory(err);
    if (!fits(&from, steps))
        return MGL_OK;
    double bound = (double)steps->bound * from.factor;
    *exact = (mgl_proof_exact){.rounded = steps->rounded,
                               .times = steps->rounded ? 1 : steps->times,
                               .step = steps->rounded ? 1 : steps->times * (int64_t)from.factor,
                               .bound = steps->rounded ? (int64_t)(bound * (1 - PRECISION))
                                                       : steps->bound * (int64_t)from.factor,
                               .steps = room};
    MGL_TRY(take_all(&from, out, err, exact, room));
    if (exact->bound > 0)
        out->exact = exact;
    return MGL_OK;
}

/* Nothing is written that the verifier, which everybody else can run, does not accept. */
static mgl_status verify(const mgl_proof *proof, const mgl_settings *settings, mgl_error *err,
                         double *proved)
{
    mgl_proof_verdict verdict;
    mgl_status status = mgl_proof_verify(proof, &settings->progress, err, &verdict);
    *proved = verdict.proved;
    if (status == MGL_OK && !verdict.holds)
        status =
            mgl_fail(err, MGL_CODE_INTERNAL,
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
    const mgl_bound_duals *bound = mgl_solution_duals(solution);
    mgl_proof proof;
    mgl_proof_exact few;
    double proved;
    MGL_TRY(mgl_proof_of_task(outcome->task, arena, err, &proof));
    const json_t *audit = json_object_get(result->document, "audit");
    proof.method = outcome->method->name;
    proof.input = mgl_json_text(json_object_get(audit, "input"), "sha256");
    for (size_t t = 0; t < proof.n_tuples; t++)
        proof.prices[t] = mgl_proof_price(&proof, (double)bound->duals[t] * bound->unit);
    MGL_TRY(proof_take_steps(outcome->task, &bound->steps, arena, err, &proof));
    MGL_TRY(verify(&proof, settings, err, &proved));
    MGL_TRY(divide_few(solution, settings, err, &proof, &few, &proved));
    MGL_TRY(mgl_proof_write(&proof, err, file));
    tell(result->document, file, proved);
    return mgl_stage_text(settings->saved.proof, (mgl_span){file->data, file->size}, err, out);
}

mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out)
{
    const char *path = outcome->reading->settings->saved.proof;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    if (mgl_solution_duals(outcome->solution) == NULL)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "`save-proof`: %s does not prove its bound by prices; leave it out, or use "
                     "`method: cell`",
                     outcome->method->name),
            "save-proof");
    if (!mgl_proof_knows_measure(outcome->task->problem.measure->key))
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "`save-proof`: what %s costs is unknown to those who check proofs; leave it "
                     "out, or use `utility: precision`",
                     outcome->task->problem.measure->name),
            "save-proof");
    mgl_arena *arena = mgl_arena_new();
    mgl_buffer file = {0};
    mgl_status status =
        arena == NULL ? mgl_fail_memory(err) : save(outcome, arena, &file, err, result, out);
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    return status;
}
