/* The leak guard by counts: names, columns that are different in almost every row, and columns that
 * give back what was generalized. */
#include "flow/push.h"

typedef struct counting_guard {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    const mgl_push_operations *push;
    mgl_written *written;
    size_t *told; /* attributes that were generalized */
    size_t n_told;
} counting_guard;

static bool is_generalized(const mgl_recoding *recoding, size_t a)
{
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (recoding->columns[a]->values[recoding->cells[a][t]].level != 0)
            return true;
    return false;
}

static mgl_status judge_values(const counting_guard *g, size_t column, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    const char *name = mgl_source_column(reading->source, column);
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    bool open = reading->roles[column] == MGL_ROLE_INSENSITIVE &&
                (said == NULL || said->role != MGL_ROLE_QUASI);
    mgl_guarded_column guarded = {name, open};
    mgl_value_counts counts;
    if (!open)
        return MGL_OK;
    MGL_TRY(g->push->ask_values(reading->source, column, err, &counts));
    mgl_profile profile;
    mgl_profile_begin(&profile, name);
    profile.rows = g->written->n_rows;
    profile.distinct = counts.distinct;
    profile.alone = counts.unique;
    mgl_profile_end(&profile);
    mgl_guard_judge_profile(&guarded, &profile, false, &g->written->objections);
    return MGL_OK;
}

/* ---- Columns that tell another -------------------------------------------------- */

/* The quasi-identifier and the column, counted together, and bound to the hierarchies as the table
 * that was searched. */
typedef struct together {
    mgl_table *table;
    mgl_bound_column *bound; /* [n_quasi] */
    mgl_tuple_finder *finder;
} together;

static mgl_status count_together(const counting_guard *g, size_t column, mgl_error *err,
                                 together *out)
{
    const mgl_reading *reading = g->reading;
    size_t n = reading->n_quasi;
    mgl_column_wish *wishes = mgl_alloc_array(n + 1, sizeof *wishes);
    out->bound = mgl_zeroed_array(n, sizeof *out->bound);
    mgl_status status = wishes == NULL || out->bound == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t a = 0; status == MGL_OK && a < n; a++)
        wishes[a] = (mgl_column_wish){reading->quasi[a].column->source_index, MGL_ROLE_QUASI};
    if (status == MGL_OK) {
        wishes[n] = (mgl_column_wish){column, MGL_ROLE_INSENSITIVE};
        status = mgl_source_count(reading->source, wishes, n + 1, &reading->settings->progress, err,
                                  &out->table);
    }
    for (size_t a = 0; status == MGL_OK && a < n; a++) {
        const mgl_column *counted = &out->table->columns[a];
        const mgl_hierarchy *hierarchy = reading->quasi[a].hierarchy;
        uint32_t *leaves =
            mgl_alloc_array(mgl_dictionary_size(counted->dictionary), sizeof *leaves);
        if (leaves == NULL) {
            status = mgl_fail_memory(err);
            break;
        }
        out->bound[a] = (mgl_bound_column){counted, hierarchy, leaves};
        status = mgl_hierarchy_bind(hierarchy, counted->name, counted->dictionary, err, leaves);
    }
    mgl_free(wishes);
    if (status == MGL_OK)
        status = mgl_tuple_finder_new(g->task->problem.list, out->bound, err, &out->finder);
    return status;
}

static void free_together(together *t, size_t n)
{
    for (size_t a = 0; t->bound != NULL && a < n; a++)
        mgl_free((void *)t->bound[a].leaf_of_code);
    mgl_free(t->bound);
    mgl_tuple_finder_free(t->finder);
    mgl_table_free(t->table);
}

static mgl_status watch(const counting_guard *g, const together *t, mgl_recovery *recovery,
                        mgl_error *err)
{
    const mgl_column *column = &t->table->columns[g->reading->n_quasi];
    bool drop = g->reading->settings->treatment == MGL_DROP;
    for (size_t row = 0; row < t->table->n_rows; row++) {
        uint32_t tuple;
        mgl_tuple_find(t->finder, row, 1, &tuple);
        if (tuple == MGL_NOT_FOUND) /* only where an engine has no transactions */
            return mgl_fail_at(err, MGL_DATA, mgl_source_name(g->reading->source), 0,
                               "the table was changed while it was counted; run again when "
                               "nothing writes to it");
        if (drop && g->solution->recoding->suppressed[tuple])
            continue;
        mgl_span cell = mgl_dictionary_value(column->dictionary, mgl_column_code(column, row));
        for (uint64_t i = 0; i < t->table->times[row]; i++)
            if (!mgl_recovery_watch(recovery, cell, tuple))
                return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status judge_recovery(const counting_guard *g, size_t column, const double *shares,
                                 mgl_error *err)
{
    const mgl_problem *p = &g->task->problem;
    const char *name = mgl_source_column(g->reading->source, column);
    mgl_recovery *recovery = NULL;
    together t = {0};
    mgl_status status = mgl_recovery_new(name, p->list, g->solution->recoding, err, &recovery);
    if (status == MGL_OK)
        status = count_together(g, column, err, &t);
    if (status == MGL_OK)
        status = watch(g, &t, recovery, err);
    for (size_t i = 0; status == MGL_OK && i < g->n_told; i++)
        if (shares[i] >= MGL_SUSPECT_SHARE)
            status = mgl_recovery_judge(recovery, g->told[i],
                                        g->reading->quasi[g->told[i]].settings->name,
                                        p->k > 1 ? p->k : 2, err, &g->written->objections);
    mgl_recovery_free(recovery);
    free_together(&t, g->reading->n_quasi);
    return status;
}

static mgl_status judge_telling(const counting_guard *g, size_t column, size_t *columns,
                                double *shares, mgl_error *err)
{
    bool suspect = false;
    for (size_t i = 0; i < g->n_told; i++)
        columns[i] = g->reading->quasi[g->told[i]].column->source_index;
    MGL_TRY(g->push->ask_telling(g->reading->source, column, columns, g->n_told, err, shares));
    for (size_t i = 0; i < g->n_told; i++)
        suspect = suspect || shares[i] >= MGL_SUSPECT_SHARE;
    return suspect ? judge_recovery(g, column, shares, err) : MGL_OK;
}

/* ---- All ------------------------------------------------------------------------ */

static mgl_status judge_columns(counting_guard *g, mgl_arena *arena, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = reading->n_quasi;
    g->told = mgl_arena_alloc(arena, n * sizeof *g->told);
    size_t *columns = mgl_arena_alloc(arena, n * sizeof *columns);
    double *shares = mgl_arena_alloc(arena, n * sizeof *shares);
    if (g->told == NULL || columns == NULL || shares == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        if (is_generalized(g->solution->recoding, a))
            g->told[g->n_told++] = a;
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        if (!mgl_role_passes(reading->roles[c]))
            continue;
        MGL_TRY(judge_values(g, c, err));
        if (g->n_told > 0)
            MGL_TRY(judge_telling(g, c, columns, shares, err));
    }
    return MGL_OK;
}

/* What concerns released values alone needs no rows. */
static mgl_status judge_released(const counting_guard *g, mgl_error *err)
{
    mgl_guarding *guarding;
    MGL_TRY(mgl_guarding_new(g->task, g->reading, g->solution, err, &guarding));
    mgl_status status = mgl_guarding_judge(guarding, err, &g->written->objections);
    mgl_guarding_free(guarding);
    return status;
}

mgl_status mgl_push_guard(const mgl_task *task, const mgl_reading *reading,
                          const mgl_solution *solution, mgl_error *err, mgl_written *written)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .push = mgl_source_push(reading->source),
                        .written = written};
    mgl_arena *arena = mgl_arena_new();
    mgl_status status = arena == NULL ? mgl_fail_memory(err) : judge_released(&g, err);
    if (status == MGL_OK)
        status = judge_columns(&g, arena, err);
    mgl_arena_free(arena);
    if (status == MGL_OK && written->objections.out_of_memory)
        status = mgl_fail_memory(err);
    mgl_buffer_text(&written->warnings,
                    "guard-by-counts\tno row left the database, so that the leak guard saw counts "
                    "alone: whether values of columns that pass through look like identifiers, or "
                    "texts repeat other cells, was not looked at\n");
    return status;
}
