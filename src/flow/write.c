#include "flow/flow.h"

/* The columns of the release and what is promised about them. */
typedef struct plan {
    size_t n_columns;
    size_t *columns; /* of the source */
    const char **names;
    size_t n_tops;
    size_t *top_columns; /* of the release, by attribute */
    mgl_span *tops;
    size_t *sensitive_columns;
    mgl_promised_set *sets;
    uint32_t *persons; /* of the released rows in order; NULL: every row is one */
    mgl_promised_population population;
    mgl_arena *arena;
} plan;

static size_t released_position(const plan *p, size_t source_column)
{
    for (size_t c = 0; c < p->n_columns; c++)
        if (p->columns[c] == source_column)
            return c;
    return SIZE_MAX;
}

static mgl_status make_plan(plan *p, const mgl_task *task, const mgl_reading *reading,
                            mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source), n_sets = task->problem.n_sets;
    p->columns = mgl_arena_alloc(p->arena, n * sizeof *p->columns);
    p->names = mgl_arena_alloc(p->arena, n * sizeof *p->names);
    p->top_columns = mgl_arena_alloc(p->arena, n * sizeof *p->top_columns);
    p->tops = mgl_arena_alloc(p->arena, n * sizeof *p->tops);
    p->sensitive_columns = mgl_arena_alloc(p->arena, n * sizeof *p->sensitive_columns);
    p->sets = mgl_arena_alloc(p->arena, n_sets * sizeof *p->sets);
    if (p->columns == NULL || p->names == NULL || p->top_columns == NULL || p->tops == NULL ||
        p->sensitive_columns == NULL || p->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        if (reading->roles[c] == MGL_ROLE_IDENTIFIER)
            continue;
        p->names[p->n_columns] = mgl_source_column(reading->source, c);
        p->columns[p->n_columns++] = c;
    }
    p->n_tops = reading->n_quasi;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *released = reading->released[a];
        p->top_columns[a] = released_position(p, reading->quasi[a].column->source_index);
        p->tops[a] = released->values[released->top].label;
    }
    for (size_t s = 0; s < reading->n_sensitive; s++)
        p->sensitive_columns[s] = released_position(p, reading->counted[s]->source_index);
    for (size_t q = 0; q < n_sets; q++) {
        const mgl_quasi_set *set = &task->problem.sets[q];
        size_t *columns = mgl_arena_alloc(p->arena, set->n_attributes * sizeof *columns);
        if (columns == NULL)
            return mgl_fail_memory(err);
        for (size_t i = 0; i < set->n_attributes; i++)
            columns[i] = p->top_columns[set->attributes[i]];
        p->sets[q] = (mgl_promised_set){columns, set->n_attributes, set->models, set->n_models};
    }
    if (reading->entity != NULL) {
        p->persons = mgl_arena_alloc(p->arena, reading->table->n_rows * sizeof *p->persons);
        if (p->persons == NULL)
            return mgl_fail_memory(err);
    }
    return mgl_population_promise(reading, p->arena, err, &p->population);
}

static mgl_status write_rows(const plan *p, const mgl_task *task, const mgl_reading *reading,
                             const mgl_solution *solution, mgl_guarding *guarding, mgl_stage *stage,
                             mgl_error *err, uint64_t *n_rows)
{
    const mgl_settings *settings = reading->settings;
    mgl_random random;
    if (settings->has_seed)
        mgl_random_seed(&random, settings->seed);
    else
        MGL_TRY(mgl_random_init(&random, err));
    mgl_row_watch watch = mgl_guarding_watch(guarding);
    mgl_row_plan rows = {
        .source = reading->source,
        .columns = p->columns,
        .n_columns = p->n_columns,
        .quasi = reading->bound,
        .n_quasi = reading->n_quasi,
        .list = task->problem.list,
        .recoding = solution->recoding,
        .drop_suppressed = settings->treatment == MGL_DROP,
        .shuffle = settings->keep_order ? NULL : &random,
        .memory = settings->memory,
        .entity = reading->entity,
        .persons = p->persons,
        .watch = &watch,
        .pool = reading->pool,
    };
    return mgl_write_rows(&rows, mgl_stage_fd(stage), settings->output, &settings->progress, err,
                          n_rows);
}

static mgl_status verify(const plan *p, const mgl_task *task, const mgl_reading *reading,
                         const mgl_failing *failing, mgl_stage *stage, mgl_error *err,
                         mgl_found *found, mgl_written *written)
{
    const mgl_settings *settings = reading->settings;
    mgl_promise promise = {
        .names = p->names,
        .n_names = p->n_columns,
        .n_rows = written->n_rows,
        .sets = p->sets,
        .n_sets = task->problem.n_sets,
        .combination = task->problem.counting.columns,
        .tops_match = task->problem.counting.tops_match,
        .exempt_top = settings->treatment == MGL_EXEMPT,
        .top_columns = p->top_columns,
        .tops = p->tops,
        .n_tops = p->n_tops,
        .sensitive_columns = p->sensitive_columns,
        .sensitive = reading->counted,
        .n_sensitive = reading->n_sensitive,
        .persons = p->persons,
        .population = reading->population != NULL ? &p->population : NULL,
        .memory = settings->memory,
        .source = settings->source,
    };
    promise.source.delimiter = mgl_source_dialect(reading->source)->delimiter;
    promise.source.encoding = NULL;
    mgl_verified verified;
    const char *path = mgl_stage_path(stage);
    MGL_TRY(mgl_verify(path, &promise, reading->pool, &settings->progress, err, found, &verified));
    MGL_TRY(mgl_promise_check(task, failing, found, err));
    if (verified.sha256[0] == '\0')
        return mgl_sha256_of_file(mgl_stage_fd(stage), path, err, written->sha256, &written->bytes);
    strcpy(written->sha256, verified.sha256);
    written->bytes = verified.bytes;
    return MGL_OK;
}

/* The first objections stand in the message; all of them stand in a result. */
static mgl_status refuse_leaks(const mgl_objections *objections, mgl_error *err)
{
    mgl_buffer text = {0};
    for (size_t i = 0; i < objections->n && i < 3; i++)
        mgl_buffer_format(&text, "%s%s", i > 0 ? "\n  " : "", objections->list[i].message);
    if (objections->n > 3)
        mgl_buffer_format(&text, "\n  and %zu more", objections->n - 3);
    mgl_status status = mgl_fail(err, MGL_UNMET,
                                 "the release would give persons away and was not written:\n"
                                 "  %.*s\n  --allow-leaks writes it all the same",
                                 text.failed ? 0 : (int)text.size, text.data);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status guard(mgl_guarding *guarding, const mgl_settings *settings, mgl_error *err,
                        mgl_objections *out)
{
    MGL_TRY(mgl_guarding_judge(guarding, err, out));
    return out->n == 0 || settings->allow_leaks ? MGL_OK : refuse_leaks(out, err);
}

static mgl_status refuse_empty(uint64_t n_rows, mgl_error *err)
{
    if (n_rows > 0)
        return MGL_OK;
    return mgl_fail(err, MGL_UNMET,
                    "every row would be dropped; allow fewer suppressed rows or keep them with "
                    "--suppressed keep");
}

mgl_status mgl_judge_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written)
{
    const mgl_problem *problem = &task->problem;
    uint64_t dropped = problem->treatment == MGL_DROP ? solution->suppressed_rows : 0;
    MGL_TRY(refuse_empty(problem->list->n_rows - dropped, err));
    MGL_TRY(mgl_judge_recoding(problem, solution->recoding, err, found));
    written->n_rows = problem->list->n_rows - dropped;
    return MGL_OK;
}

mgl_status mgl_stage_release(const mgl_task *task, const mgl_reading *reading,
                             const mgl_solution *solution, const mgl_failing *failing,
                             mgl_error *err, mgl_found *found, mgl_written *written,
                             mgl_stage **out)
{
    plan p = {.arena = mgl_arena_new()};
    mgl_stage *stage = NULL;
    mgl_guarding *guarding = NULL;
    double start = mgl_sys_seconds();
    mgl_status status = p.arena == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = make_plan(&p, task, reading, err);
    if (status == MGL_OK)
        status = mgl_guarding_new(task, reading, solution, err, &guarding);
    if (status == MGL_OK)
        status = mgl_stage_new(reading->settings->output, err, &stage);
    if (status == MGL_OK)
        status = write_rows(&p, task, reading, solution, guarding, stage, err, &written->n_rows);
    if (status == MGL_OK)
        status = refuse_empty(written->n_rows, err);
    double wrote = mgl_sys_seconds();
    if (status == MGL_OK)
        status = verify(&p, task, reading, failing, stage, err, found, written);
    if (status == MGL_OK)
        status = guard(guarding, reading->settings, err, &written->objections);
    written->write_seconds = wrote - start;
    written->verify_seconds = mgl_sys_seconds() - wrote;
    mgl_guarding_free(guarding);
    mgl_arena_free(p.arena);
    if (status != MGL_OK) {
        mgl_stage_free(stage);
        return status;
    }
    *out = stage;
    return MGL_OK;
}
