/* Certificates. --save-proof describes a task and the steps of its search, verifies that, and
 * stages it beside the release. check --proof verifies a certificate of a bound, and compares it
 * with a result and with the table that it is about. */
#include "command/certificate/certificate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static mgl_status take_columns(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                               mgl_proof *out)
{
    const mgl_problem *p = &task->problem;
    out->n_columns = p->list->n_attributes;
    out->columns = mgl_arena_alloc(arena, out->n_columns * sizeof *out->columns);
    MGL_TRY(mgl_check_memory(out->columns != NULL, err));
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

/* Missing cells that are no value are left out. */
static mgl_status take_values(const mgl_sparse *from, const mgl_sensitive *facts, size_t n_tuples,
                              mgl_arena *arena, mgl_error *err, mgl_proof_sensitive *out)
{
    const uint32_t *groups = out->grouped ? facts->strong : NULL;
    size_t at = 0;
    out->start = mgl_arena_alloc(arena, (n_tuples + 1) * sizeof *out->start);
    out->codes = mgl_arena_alloc(arena, (from->start[n_tuples] + 1) * sizeof *out->codes);
    MGL_TRY(mgl_check_memory(out->start != NULL && out->codes != NULL, err));
    for (size_t t = 0; t < n_tuples; t++) {
        size_t n = 0;
        out->start[t] = at;
        for (size_t i = from->start[t]; i < from->start[t + 1]; i++)
            if (from->values[i] + 1 != facts->unknown)
                out->codes[at + n++] = groups != NULL ? groups[from->values[i]] : from->values[i];
        at += mgl_sort_unique_u32(out->codes + at, n);
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
    MGL_TRY(mgl_check_memory(sensitive != NULL, err));
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
    MGL_TRY(mgl_check_memory(out->models != NULL && out->sensitive != NULL, err));
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
    MGL_TRY(mgl_check_memory(out->leaves != NULL && out->prices != NULL, err));
    for (size_t t = 0; t < n; t++)
        for (size_t a = 0; a < m; a++)
            out->leaves[t * m + a] = mgl_list_leaf(list, t, a);
    memset(out->prices, 0, n * sizeof *out->prices);
    out->counts = list->counts;
    return MGL_OK;
}

/* The treatment of suppressed rows, as results and certificates name it. */
static const char *proof_treatment(mgl_treatment treatment)
{
    static const char *const treatments[] = {
        [MGL_KEEP] = "keep", [MGL_DROP] = "drop", [MGL_EXEMPT] = "exempt"};
    return treatments[treatment];
}

/* Describes columns, models and tuples of the task; prices and the hash of the table are left out.
 * The arena and the task own everything in it. */
static mgl_status proof_of_task(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                                mgl_proof *out)
{
    const mgl_problem *p = &task->problem;
    *out = (mgl_proof){.measure = p->measure->key,
                       .treatment = proof_treatment(p->treatment),
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

static mgl_status take_cuts(numbers *from, size_t n, mgl_error *err, mgl_proof_step *out)
{
    mgl_proof_cut *cuts = mgl_arena_alloc(from->arena, (n + 1) * sizeof *cuts);
    MGL_TRY(mgl_check_memory(cuts != NULL, err));
    for (size_t i = 0; i < n; i++) {
        cuts[i] = (mgl_proof_cut){.n = (size_t)from->at[1]};
        cuts[i].price = convert_up(from, from->at[0], (double)(cuts[i].n / 2));
        uint32_t *tuples = mgl_arena_alloc(from->arena, cuts[i].n * sizeof *tuples);
        MGL_TRY(mgl_check_memory(tuples != NULL, err));
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
    int64_t *prices = mgl_arena_alloc(from->arena, p->n_tuples * sizeof *prices);
    MGL_TRY(mgl_check_memory(prices != NULL, err));
    for (size_t t = 0; t < p->n_tuples; t++)
        prices[t] = convert(from, *from->at++, p->counts[t]);
    out->prices = prices;
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
    MGL_TRY(mgl_check_memory(exact != NULL && room != NULL, err));
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
    MGL_TRY(proof_of_task(outcome->task, arena, err, &proof));
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
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "save-proof",
                            "`save-proof`: %s does not prove its bound by prices; leave it out, or "
                            "use `method: cell`",
                            outcome->method->name);
    if (!mgl_proof_knows_measure(outcome->task->problem.measure->key))
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "save-proof",
                            "`save-proof`: what %s costs is unknown to those who check proofs; "
                            "leave it out, or use `utility: precision`",
                            outcome->task->problem.measure->name);
    mgl_arena *arena = mgl_arena_new();
    mgl_buffer file = {0};
    mgl_status status =
        arena == NULL ? mgl_fail_memory(err) : save(outcome, arena, &file, err, result, out);
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    return status;
}

typedef struct mgl_proof_comparison {
    const mgl_proof *proof;
    const json_t *claimed; /* the result */
    json_t *differences, *not_compared;
} mgl_proof_comparison;

/* Notes that a result claims something else than is found; takes ownership of both values. */
static void proof_differ(mgl_proof_comparison *c, const char *what, json_t *claimed, json_t *found)
{
    json_t *difference = json_object();
    mgl_json_set(difference, "what", json_string(what));
    mgl_json_set(difference, "claimed", claimed);
    mgl_json_set(difference, "found", found);
    mgl_json_append(c->differences, difference);
}

static void compare_texts(mgl_proof_comparison *c, const char *what, const char *claimed,
                          const char *found)
{
    if (claimed != NULL && found != NULL && strcmp(claimed, found) == 0)
        return;
    proof_differ(c, what, claimed != NULL ? json_string(claimed) : json_null(),
                 found != NULL ? json_string(found) : json_null());
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void compare_numbers(mgl_proof_comparison *c, const char *what, double claimed, double found)
{
    if (!is_near(claimed, found))
        proof_differ(c, what, mgl_json_real(claimed), mgl_json_real(found));
}

/* Hashes are compared where both sides have one. */
static void compare_hashes(mgl_proof_comparison *c, const char *what, const char *claimed,
                           const char *found)
{
    if (claimed == NULL || found == NULL)
        mgl_json_append(c->not_compared, json_string(what));
    else
        compare_texts(c, what, claimed, found);
}

static const json_t *find_model(const json_t *models, const mgl_proof *p, const mgl_proof_model *x)
{
    const char *parameter = mgl_proof_parameter(x->model);
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const json_t *parameters = json_object_get(model, "parameters");
        const char *name = mgl_json_text(model, "model");
        const char *attribute = mgl_json_text(parameters, "attribute");
        bool about =
            attribute == NULL || (x->n_sensitive == 1 &&
                                  strcmp(attribute, p->sensitive[x->sensitive[0]].attribute) == 0);
        if (name != NULL && strcmp(name, x->model) == 0 && about &&
            mgl_json_number(parameters, parameter) == x->parameter)
            return model;
    }
    return NULL;
}

/* A proof may rest on fewer models than a release holds, never on more. */
static void compare_models(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    for (size_t i = 0; i < p->n_models; i++) {
        char what[120];
        snprintf(what, sizeof what, "%.80s", p->models[i].model);
        if (find_model(json_object_get(c->claimed, "models"), p, &p->models[i]) == NULL)
            proof_differ(c, what, json_null(), mgl_json_real(p->models[i].parameter));
    }
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_attribute_settings *x =
            mgl_settings_attribute(settings, p->sensitive[s].attribute);
        if (x == NULL || x->role != MGL_ROLE_SENSITIVE)
            proof_differ(c, "sensitive attribute", json_null(),
                         json_string(p->sensitive[s].attribute));
    }
}

/* Safe Harbor has bounds of its own, which follow from the values. */
static void compare_levels(mgl_proof_comparison *c, const mgl_settings *settings,
                           const mgl_proof_column *column, const mgl_attribute_settings *x)
{
    uint32_t low = x->has_level ? x->levels.min : 0;
    uint32_t high = x->has_level && x->levels.max < column->height ? x->levels.max : column->height;
    char what[120];
    snprintf(what, sizeof what, "levels of %.80s", column->name);
    if (settings->safe_harbor)
        mgl_json_append(c->not_compared, json_string(what));
    else if (low != column->low || high != column->high)
        proof_differ(c, what, json_pack("[ii]", (int)low, (int)high),
                     json_pack("[ii]", (int)column->low, (int)column->high));
}

static void compare_column(mgl_proof_comparison *c, const mgl_settings *settings,
                           const mgl_proof_column *column)
{
    const mgl_attribute_settings *x = mgl_settings_attribute(settings, column->name);
    const json_t *audit = json_object_get(c->claimed, "audit");
    char what[120];
    if (x == NULL || x->role != MGL_ROLE_QUASI)
        return;
    snprintf(what, sizeof what, "weight of %.80s", column->name);
    if (x->weight.values[0] != column->weight)
        proof_differ(c, what, mgl_json_real(x->weight.values[0]), mgl_json_real(column->weight));
    compare_levels(c, settings, column, x);
    snprintf(what, sizeof what, "height of %.80s", column->name);
    compare_numbers(c, what, mgl_json_number(json_object_get(c->claimed, "heights"), column->name),
                    column->height);
    mgl_span top = column->labels[column->value[column->height][0]];
    const char *claimed = mgl_json_text(json_object_get(audit, "tops"), column->name);
    snprintf(what, sizeof what, "top of %.80s", column->name);
    if (claimed == NULL)
        mgl_json_append(c->not_compared, json_string(what));
    else if (!mgl_span_is(top, claimed))
        proof_differ(c, what, json_string(claimed), json_stringn(top.data, top.size));
}

static bool names_column(const mgl_proof *p, const char *name)
{
    for (size_t a = 0; a < p->n_columns; a++)
        if (strcmp(p->columns[a].name, name) == 0)
            return true;
    return false;
}

static void compare_columns(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    size_t n = 0;
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *x = &settings->attributes[i];
        n += x->role == MGL_ROLE_QUASI;
        if (x->role == MGL_ROLE_QUASI && !names_column(p, x->name))
            proof_differ(c, "quasi-identifier", json_string(x->name), json_null());
    }
    if (n != p->n_columns)
        proof_differ(c, "quasi-identifiers", mgl_json_count(n), mgl_json_count(p->n_columns));
    for (size_t a = 0; a < p->n_columns; a++)
        compare_column(c, settings, &p->columns[a]);
}

static void compare_job(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    compare_texts(c, "measure", settings->measure->key, p->measure);
    compare_texts(c, "treatment of suppressed rows", proof_treatment(settings->treatment),
                  p->treatment);
    compare_numbers(c, "suppression limit", (double)mgl_settings_limit(settings, p->n_rows),
                    (double)p->limit);
    compare_columns(c, settings);
    compare_models(c, settings);
}

static void compare_result(mgl_proof_comparison *c, const char *sha256)
{
    const mgl_proof *p = c->proof;
    const json_t *bound = json_object_get(c->claimed, "bound");
    const json_t *input = json_object_get(json_object_get(c->claimed, "audit"), "input");
    compare_hashes(c, "sha256 of the proof",
                   mgl_json_text(json_object_get(bound, "proof"), "sha256"), sha256);
    compare_hashes(c, "sha256 of the table", mgl_json_text(input, "sha256"), p->input);
    compare_texts(c, "method", mgl_json_text(c->claimed, "method"), p->method);
    compare_texts(c, "measure", mgl_json_text(bound, "measure"), p->measure);
    compare_numbers(c, "rows", mgl_json_number(c->claimed, "rows"), (double)p->n_rows);
}

/* What the result says about its bound must not contradict itself, nor what is proved. */
static void compare_bound(mgl_proof_comparison *c, double proved)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    double best = mgl_json_number(bound, "best_possible");
    double achieved = mgl_json_number(bound, "achieved"), gap = mgl_json_number(bound, "gap");
    double utility = mgl_json_number(json_object_get(c->claimed, "utility"), c->proof->measure);
    bool exact = json_is_true(json_object_get(bound, "exact"));
    compare_numbers(c, "achieved", achieved, utility);
    compare_numbers(c, "gap", gap, fabs(best - achieved));
    if (exact)
        compare_numbers(c, "gap of what is exact", gap, 0);
    if (mgl_proof_rises(c->proof) ? achieved - proved > 1e-9 * fmax(1, fabs(proved))
                                  : proved - achieved > 1e-9 * fmax(1, fabs(proved)))
        proof_differ(c, "achieved, which is better than possible", mgl_json_real(achieved),
                     mgl_json_real(proved));
}

static bool same_column(const mgl_proof_column *a, const mgl_proof_column *b)
{
    bool same = strcmp(a->name, b->name) == 0 && a->height == b->height &&
                a->n_leaves == b->n_leaves && a->n_values == b->n_values;
    for (uint32_t v = 0; same && v < a->n_values; v++)
        same = mgl_span_equal(a->labels[v], b->labels[v]);
    for (uint32_t l = 0; same && l <= a->height; l++)
        same = memcmp(a->value[l], b->value[l], a->n_leaves * sizeof *a->value[l]) == 0;
    return same;
}

static bool same_tuples(const mgl_proof *a, const mgl_proof *b)
{
    return a->n_tuples == b->n_tuples && a->n_columns == b->n_columns &&
           memcmp(a->leaves, b->leaves, a->n_tuples * a->n_columns * sizeof *a->leaves) == 0 &&
           memcmp(a->counts, b->counts, a->n_tuples * sizeof *a->counts) == 0;
}

static bool same_values(const mgl_proof_sensitive *a, const mgl_proof_sensitive *b, size_t n)
{
    return strcmp(a->attribute, b->attribute) == 0 && a->grouped == b->grouped &&
           memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->codes, b->codes, a->start[n] * sizeof *a->codes) == 0;
}

/* Which values are protected, a result does not state. */
static void compare_sensitive(mgl_proof_comparison *c, const mgl_settings *settings,
                              const mgl_proof *table)
{
    const mgl_proof *p = c->proof;
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_proof_sensitive *x = &p->sensitive[s];
        const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, x->attribute);
        char what[160];
        snprintf(what, sizeof what, "sensitive values of %.80s", x->attribute);
        if (x->grouped && attribute != NULL && attribute->n_protect == 0) {
            snprintf(what, sizeof what, "groups of %.80s (`protect`)", x->attribute);
            mgl_json_append(c->not_compared, json_string(what));
        } else if (s >= table->n_sensitive || !same_values(x, &table->sensitive[s], p->n_tuples)) {
            proof_differ(c, what, json_string("as in the proof"), json_string("others"));
        }
    }
}

static void compare_table(mgl_proof_comparison *c, const mgl_settings *settings,
                          const mgl_proof *table)
{
    const mgl_proof *p = c->proof;
    for (size_t a = 0; a < p->n_columns && a < table->n_columns; a++) {
        char what[120];
        snprintf(what, sizeof what, "hierarchy of %.80s", p->columns[a].name);
        if (!same_column(&p->columns[a], &table->columns[a]))
            proof_differ(c, what, json_string("as in the proof"), json_string("another one"));
    }
    if (!same_tuples(p, table))
        proof_differ(c, "tuples of the table", json_string("as in the proof"),
                     json_string("others"));
    else
        compare_sensitive(c, settings, table);
}

/* Reads the table that the settings name. */
static mgl_status proof_compare_table(mgl_proof_comparison *c, mgl_session *session,
                                      const mgl_settings *settings, mgl_error *err)
{
    mgl_setup setup = {0};
    mgl_proof table;
    mgl_arena *arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(arena != NULL, err));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_setup_begin(session, settings, MGL_TO_COMPARE, err, &setup));
    MGL_GO(proof_of_task(setup.task, arena, err, &table));
    compare_table(c, settings, &table);
done:
    mgl_setup_end(&setup);
    mgl_arena_free(arena);
    return status;
}

/* ---- The job of the result ----------------------------------------------------------------- */

/* Is it something that a certificate says as well, or that is needed to read the table again? */
static bool is_taken(const mgl_job_value *given)
{
    static const char *const keys[] = {
        "role",     "hierarchy",  "weight",    "level",    "kind",      "protect",
        "missing",  "decimal",    "century",   "encoding", "trim",      "fold-case",
        "suppress", "suppressed", "delimiter", "header",   "no-header", "utility"};
    return mgl_names_have(keys, sizeof keys / sizeof keys[0], given->key) ||
           mgl_model_type_find(given->key) != NULL;
}

static mgl_status take_claimed(void *job, const mgl_job_value *given, mgl_error *err)
{
    return is_taken(given) ? mgl_job_take_value(job, given->key, given->column, given->value, err)
                           : MGL_OK;
}

/* Hierarchies may lie elsewhere now, and a result keeps no protected values. */
static mgl_status take_reported(void *job, const mgl_job_value *given, mgl_error *err)
{
    static const char *const keys[] = {"data", "hierarchy", "protect"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(given->key, keys[i]) == 0)
            return mgl_job_take_value(job, given->key, given->column, given->value, err);
    return MGL_OK;
}

/* A job that would find the nodes of the same table. Free with mgl_job_free. */
static mgl_status make_job(const mgl_job *reported, const json_t *claimed, mgl_error *err,
                           mgl_job **out)
{
    json_t *document = NULL;
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_document(reported, MGL_JOB_SECRET, NULL, err, &document));
    MGL_GO(mgl_job_document_each(document, take_reported, job, err));
    MGL_GO(mgl_job_take_value(job, "data", NULL, "-", err)); /* has no effect if data is named */
    MGL_GO(mgl_job_document_each(json_object_get(json_object_get(claimed, "audit"), "job"),
                                 take_claimed, job, err));
    *out = job;
    job = NULL;
done:
    json_decref(document);
    mgl_job_free(job);
    return status;
}

static const char *judge(const mgl_proof_comparison *c, const mgl_proof_verdict *verdict,
                         bool *reaches)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    double best = mgl_json_number(bound, "best_possible");
    *reaches = isfinite(best) && mgl_proof_supports(c->proof, verdict->proved, best);
    return !verdict->holds                       ? "fails"
           : json_array_size(c->differences) > 0 ? "differs"
           : !*reaches                           ? "weaker"
                                                 : "holds";
}

/* Refuses the release in the place of the table. */
static mgl_status refuse_release(const char *data, const json_t *claimed, mgl_error *err)
{
    const json_t *audit = json_object_get(claimed, "audit");
    const char *known = mgl_json_text(json_object_get(audit, "release"), "sha256");
    const char *input = mgl_json_text(json_object_get(audit, "input"), "sha256");
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    bool differ = known != NULL && (input == NULL || strcmp(input, known) != 0);
    int fd = differ ? mgl_sys_open_read(data) : -1;
    if (fd < 0)
        return MGL_OK; /* reading it says what is wrong with it */
    mgl_status status = mgl_sha256_of_file(fd, data, err, sha256, &bytes);
    mgl_sys_close(fd);
    if (status == MGL_OK && strcmp(sha256, known) == 0)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "proof",
            "%.200s is the release; a proof is about the table that was anonymized: name that, or "
            "no data, and check the release without `proof`",
            data);
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static mgl_status hash_file(const char *path, mgl_error *err, char sha256[MGL_SHA256_TEXT])
{
    uint64_t bytes;
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = mgl_sha256_of_file(fd, path, err, sha256, &bytes);
    mgl_sys_close(fd);
    return status;
}

static json_t *proof_json(const mgl_proof_comparison *c, const mgl_settings *settings,
                          const mgl_proof_verdict *verdict, const char *sha256)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    json_t *object = json_object();
    bool reaches;
    const char *words = judge(c, verdict, &reaches);
    mgl_json_set(object, "file", json_string(settings->claimed.proof));
    mgl_json_set(object, "sha256", json_string(sha256));
    mgl_json_set(object, "result", json_string(settings->claimed.against));
    mgl_json_set(object, "data",
                 settings->data != NULL ? mgl_location_json(settings->data) : json_null());
    mgl_json_set(object, "verdict", json_string(words));
    mgl_json_set(object, "measure", json_string(c->proof->measure));
    mgl_json_set(object, "proved", verdict->holds ? mgl_json_real(verdict->proved) : json_null());
    mgl_json_set(object, "claimed", mgl_json_real(mgl_json_number(bound, "best_possible")));
    mgl_json_set(object, "achieved", mgl_json_real(mgl_json_number(bound, "achieved")));
    mgl_json_set(object, "rises", json_boolean(mgl_proof_rises(c->proof)));
    mgl_json_set(object, "rows", mgl_json_count(c->proof->n_rows));
    mgl_json_set(object, "tuples", mgl_json_count(c->proof->n_tuples));
    mgl_json_set(object, "boxes", mgl_json_count(verdict->boxes));
    mgl_json_set(object, "too_cheap", mgl_json_count(verdict->bargains));
    mgl_json_set(object, "too_dear", mgl_json_count(verdict->too_dear));
    if (c->proof->exact != NULL) {
        const mgl_proof_exact *exact = c->proof->exact;
        mgl_json_set(object, "exact", json_string(exact->sets ? "sets" : "steps"));
        mgl_json_set(object, "steps", mgl_json_count(exact->n_steps));
        mgl_json_set(object, "classes", mgl_json_count(verdict->classes));
        mgl_json_set(object, "overpriced", mgl_json_count(verdict->overpriced));
        mgl_json_set(object, "steps_suffice", json_boolean(!verdict->open));
    }
    mgl_json_set(object, "differences", json_incref(c->differences));
    mgl_json_set(object, "not_compared", json_incref(c->not_compared));
    return object;
}

static void warn(mgl_result *result, const mgl_proof_comparison *c, const mgl_settings *settings,
                 const mgl_proof_verdict *verdict)
{
    for (size_t i = 0; i < json_array_size(c->differences); i++) {
        const json_t *difference = json_array_get(c->differences, i);
        mgl_result_warn(result, "differs", "%s: the result and the proof, or the table, disagree",
                        mgl_json_text(difference, "what"));
    }
    if (verdict->bargains > 0 && settings->verbose)
        mgl_result_warn(result, "too-cheap", "a box that costs less than its rows are priced: %.*s",
                        (int)verdict->example.size, verdict->example.data);
}

static mgl_status compare_all(mgl_proof_comparison *c, mgl_session *session,
                              const mgl_settings *settings, const char *sha256,
                              const mgl_proof_verdict *verdict, mgl_error *err)
{
    mgl_job *job = NULL;
    const mgl_settings *claimed;
    MGL_TRY(make_job(settings->job, c->claimed, err, &job));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_settings(job, MGL_LATTICE, err, &claimed));
    /* settings: of the job that the result states. sha256: of the certificate. proved: the bound.
     */
    compare_result(c, sha256);
    compare_job(c, claimed);
    compare_bound(c, verdict->proved);
    if (settings->data != NULL) {
        MGL_GO(refuse_release(settings->data, c->claimed, err));
        MGL_GO(proof_compare_table(c, session, claimed, err));
    }
done:
    mgl_job_free(job);
    return status;
}

static mgl_status check(mgl_session *session, const mgl_settings *settings, const mgl_proof *proof,
                        const mgl_result *claimed, mgl_error *err, mgl_result *result)
{
    mgl_proof_comparison c = {proof, claimed->document, json_array(), json_array()};
    mgl_proof_verdict verdict = {0};
    char sha256[MGL_SHA256_TEXT];
    mgl_status status = MGL_OK;
    MGL_GO(hash_file(settings->claimed.proof, err, sha256));
    MGL_GO(mgl_proof_verify(proof, &settings->progress, err, &verdict));
    MGL_GO(compare_all(&c, session, settings, sha256, &verdict, err));
    bool reaches;
    result->holds = strcmp(judge(&c, &verdict, &reaches), "holds") == 0;
    mgl_json_set(result->document, "proof", proof_json(&c, settings, &verdict, sha256));
    warn(result, &c, settings, &verdict);
done:
    mgl_buffer_free(&verdict.example);
    json_decref(c.differences);
    json_decref(c.not_compared);
    return status;
}

/* A result without a bound has nothing to prove. */
static mgl_status read_claims(const char *path, mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_blame_key(err, mgl_result_read(path, err, &result), "against"));
    bool bounded = json_is_object(json_object_get(result->document, "bound"));
    if (bounded && json_is_object(json_object_get(result->document, "audit"))) {
        *out = result;
        return MGL_OK;
    }
    mgl_result_free(result);
    return mgl_fail_key_at(err, MGL_CODE_MISMATCH, path, "against",
                           "the result has no %s; give the one of `anonymize` with `save-proof`",
                           bounded ? "audit trail" : "bound");
}

mgl_status mgl_check_proof(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_result *result = NULL, *claimed = NULL;
    mgl_proof *proof = NULL;
    MGL_TRY(mgl_job_settings(job, MGL_CHECK, err, &settings));
    mgl_status status = MGL_OK;
    MGL_GO(read_claims(settings->claimed.against, err, &claimed));
    MGL_GO(mgl_proof_read(settings->claimed.proof, err, &proof));
    MGL_GO(mgl_result_new("check", err, &result));
    MGL_GO(check(session, settings, proof, claimed, err, result));
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_proof_free(proof);
    mgl_result_free(claimed);
    mgl_result_free(result);
    return status;
}
