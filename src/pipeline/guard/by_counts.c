/* The leak guard where rows stay in the database: the engine counts each column that passes through
 * together with the quasi-identifier, and the code that judges rows judges these counts. push.c
 * calls it, and writing.c for tables that were counted elsewhere. */
#include "pipeline/guard/guard.h"
#include "pipeline/guard/given_back.h"
#include "pipeline/guard/given_counts.h"

/* A column with more groups than this is not fetched; it is not released unless it is accepted
 * unseen. */
enum { MOST_GROUPS = 4000000 };

typedef struct counting_guard {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    mgl_generalized *generalized;
    mgl_recovery_rule rule;
    uint64_t n_rows; /* of the release */
    mgl_objections *objections;
    mgl_fetched_groups *groups;
} counting_guard;

/* ---- Counts -------------------------------------------------------------------------------- */

/* Counts of the quasi-identifier, of what models look at, and of the column, taken together. They
 * are bound to the hierarchies of the table that was searched, and have its codes. */
typedef struct together {
    mgl_table *table;
    mgl_given_counts given;     /* where it was counted elsewhere: the owner of the table */
    mgl_bound_column *bound;    /* [n_quasi] */
    mgl_column *recoded;        /* [n_counted] */
    const mgl_column **counted; /* [n_counted] */
    const mgl_column *column;
    mgl_tuple_finder *finder;
    uint32_t *tuples; /* [group] */
} together;

static void free_together(together *t, size_t n)
{
    for (size_t a = 0; t->bound != NULL && a < n; a++)
        mgl_free((void *)t->bound[a].leaf_of_code);
    mgl_free(t->bound);
    mgl_free(t->recoded);
    mgl_free(t->counted);
    mgl_free(t->tuples);
    mgl_tuple_finder_free(t->finder);
    if (t->given.table == NULL)
        mgl_table_free(t->table);
    mgl_given_counts_free(&t->given);
}

/* The columns that are counted together, and where the column is among them: one that models look
 * at is there already. Free the wishes with mgl_free. */
static mgl_status wish_together(const mgl_reading *reading, size_t column, mgl_error *err,
                                mgl_column_wish **out, size_t *n_out, size_t *place_out)
{
    size_t n = 0, place = reading->n_quasi;
    mgl_column_wish *wishes =
        mgl_alloc_array(reading->n_quasi + reading->n_counted + 1, sizeof *wishes);
    if (wishes == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++)
        wishes[n++] = (mgl_column_wish){reading->quasi[a].column->source_index, MGL_ROLE_QUASI};
    for (size_t s = 0; s < reading->n_counted; s++)
        wishes[n++] = (mgl_column_wish){reading->counted[s]->source_index, MGL_ROLE_SENSITIVE};
    while (place < n && wishes[place].source_index != column)
        place++;
    if (place == n)
        wishes[n++] = (mgl_column_wish){column, MGL_ROLE_INSENSITIVE};
    *out = wishes;
    *n_out = n;
    *place_out = place;
    return MGL_OK;
}

static mgl_status count_columns(const counting_guard *g, size_t column, mgl_error *err, together *t)
{
    const mgl_reading *reading = g->reading;
    mgl_column_wish *wishes;
    size_t n, place;
    MGL_TRY(wish_together(reading, column, err, &wishes, &n, &place));
    mgl_status status =
        mgl_source_count(reading->source, wishes, n, &reading->settings->progress, err, &t->table);
    if (status == MGL_OK) {
        t->column = &t->table->columns[place];
        mgl_fetched_groups_add(g->groups, t->table);
    }
    mgl_free(wishes);
    return status;
}

static mgl_status bind_quasi(const counting_guard *g, together *t, mgl_error *err)
{
    for (size_t a = 0; a < g->reading->n_quasi; a++) {
        const mgl_column *counted = &t->table->columns[a];
        const mgl_hierarchy *hierarchy = g->reading->quasi[a].hierarchy;
        uint32_t *leaves =
            mgl_alloc_array(mgl_dictionary_size(counted->dictionary), sizeof *leaves);
        if (leaves == NULL)
            return mgl_fail_memory(err);
        t->bound[a] = (mgl_bound_column){counted, hierarchy, leaves};
        MGL_TRY(mgl_hierarchy_bind(hierarchy, counted->name, counted->dictionary, err, leaves));
    }
    return MGL_OK;
}

static mgl_status fail_changed(const counting_guard *g, mgl_error *err)
{
    /* happens only where an engine has no transactions */
    return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(g->reading->source), 0,
                       "the table was changed while it was counted; run again when nothing writes "
                       "to it");
}

/* Makes a column with the codes of the one that facts were gathered from. */
static mgl_status recode(const counting_guard *g, const mgl_column *from, const mgl_column *like,
                         const together *t, mgl_error *err, mgl_column *out)
{
    uint32_t n = mgl_dictionary_size(from->dictionary);
    uint32_t *codes = mgl_alloc_array(n, sizeof *codes);
    *out = *from;
    out->width = 4;
    out->codes = mgl_alloc_array(t->table->n_rows, 4);
    bool whole = codes != NULL && out->codes != NULL, known = true;
    for (uint32_t code = 0; whole && code < n; code++) {
        codes[code] = code == mgl_dictionary_missing(from->dictionary)
                          ? mgl_dictionary_missing(like->dictionary)
                          : mgl_dictionary_find(like->dictionary,
                                                mgl_dictionary_value(from->dictionary, code));
        known = known && codes[code] != MGL_NOT_FOUND;
    }
    for (size_t row = 0; whole && known && row < t->table->n_rows; row++)
        mgl_column_set(out, row, codes[mgl_column_code(from, row)]);
    mgl_free(codes);
    out->dictionary = like->dictionary;
    if (!whole)
        return mgl_fail_memory(err);
    return known ? MGL_OK : fail_changed(g, err);
}

/* Models look at values, whatever their spelling. */
static mgl_status take_values(const mgl_reading *reading, size_t s, size_t n_rows, mgl_error *err,
                              mgl_column *column)
{
    const mgl_source_options *source = &reading->settings->source;
    mgl_values values = {0};
    MGL_TRY(mgl_values_find(column->dictionary, &reading->cells[s].rule, source->missing,
                            source->n_missing, err, &values));
    for (size_t row = 0; values.of_code != NULL && row < n_rows; row++)
        mgl_column_set(column, row, values.of_code[mgl_column_code(column, row)]);
    column->dictionary = reading->counted[s]->dictionary;
    mgl_values_free(&values);
    return MGL_OK;
}

static mgl_status bind_counted(const counting_guard *g, together *t, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    for (size_t s = 0; s < reading->n_counted; s++) {
        t->counted[s] = &t->recoded[s];
        const mgl_column *like =
            s < reading->n_sensitive ? reading->cells[s].column : reading->counted[s];
        MGL_TRY(recode(g, &t->table->columns[reading->n_quasi + s], like, t, err, &t->recoded[s]));
        if (like != reading->counted[s])
            MGL_TRY(take_values(reading, s, t->table->n_rows, err, &t->recoded[s]));
    }
    return MGL_OK;
}

static mgl_status find_tuples(const counting_guard *g, together *t, mgl_error *err)
{
    MGL_TRY(mgl_tuple_finder_new(g->task->problem.list, t->bound, err, &t->finder));
    t->tuples = mgl_alloc_array(t->table->n_rows, sizeof *t->tuples);
    if (t->tuples == NULL)
        return mgl_fail_memory(err);
    mgl_tuple_find(t->finder, 0, t->table->n_rows, t->tuples);
    for (size_t row = 0; row < t->table->n_rows; row++)
        if (t->tuples[row] == MGL_NOT_FOUND)
            return fail_changed(g, err);
    return MGL_OK;
}

static mgl_status make_room(const mgl_reading *reading, together *t, mgl_error *err)
{
    t->bound = mgl_zeroed_array(reading->n_quasi, sizeof *t->bound);
    t->recoded = mgl_zeroed_array(reading->n_counted, sizeof *t->recoded);
    t->counted = mgl_zeroed_array(reading->n_counted, sizeof *t->counted);
    return t->bound == NULL || t->recoded == NULL || t->counted == NULL ? mgl_fail_memory(err)
                                                                        : MGL_OK;
}

static mgl_status count_together(const counting_guard *g, size_t column, mgl_error *err,
                                 together *t)
{
    MGL_TRY(make_room(g->reading, t, err));
    MGL_TRY(count_columns(g, column, err, t));
    MGL_TRY(bind_quasi(g, t, err));
    return find_tuples(g, t, err);
}

static bool is_left_out(const counting_guard *g, const together *t, size_t row)
{
    return g->reading->settings->treatment == MGL_DROP &&
           g->solution->recoding->suppressed[t->tuples[row]];
}

/* ---- What a column is ---------------------------------------------------------------------- */

static mgl_guarded_column guarded(const counting_guard *g, size_t column)
{
    const char *name = mgl_source_column(g->reading->source, column);
    const mgl_attribute_settings *said = mgl_settings_attribute(g->reading->settings, name);
    bool open = g->reading->roles[column] == MGL_ROLE_INSENSITIVE &&
                (said == NULL || said->role != MGL_ROLE_QUASI);
    return (mgl_guarded_column){.name = name, .open = open};
}

static mgl_status judge_values(const counting_guard *g, const mgl_guarded_column *column,
                               const together *t, mgl_error *err)
{
    const mgl_dictionary *values = t->column->dictionary;
    uint64_t *rows = mgl_zeroed_array(mgl_dictionary_size(values), sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < t->table->n_rows; row++)
        if (!is_left_out(g, t, row))
            rows[mgl_column_code(t->column, row)] += t->table->times[row];
    mgl_profile profile;
    mgl_status status = mgl_profile_of(column->name, values, rows, err, &profile);
    if (status == MGL_OK)
        mgl_guard_judge_profile(column, &profile, false, g->objections);
    mgl_free(rows);
    return status;
}

/* ---- What a column gives back -------------------------------------------------------------- */

static mgl_status watch(const counting_guard *g, const together *t, mgl_recovery *recovery,
                        mgl_error *err)
{
    for (size_t row = 0; row < t->table->n_rows; row++) {
        uint32_t code = mgl_column_code(t->column, row);
        if (!is_left_out(g, t, row) &&
            !mgl_recovery_watch(recovery, mgl_dictionary_value(t->column->dictionary, code),
                                t->tuples[row], t->table->times[row], MGL_ROW_IS_PERSON))
            return mgl_fail_memory(err);
    }
    return mgl_recovery_prepare(recovery, err);
}

static mgl_status judge_harm(const counting_guard *g, size_t column, const char *name, together *t,
                             const mgl_recovery *recovery, mgl_error *err)
{
    mgl_rows_at_hand rows = {.quasi = t->bound,
                             .counted = t->counted,
                             .n_rows = t->table->n_rows,
                             .times = t->table->times};
    size_t n_put = mgl_generalized_count(g->generalized);
    uint32_t *put = mgl_alloc_array(rows.n_rows, n_put * sizeof *put);
    for (size_t row = 0, next = 0; put != NULL && row < rows.n_rows; row++) {
        bool left_out = is_left_out(g, t, row);
        mgl_guess_of_row(recovery, left_out ? MGL_NO_ROW : next, n_put, put + row * n_put);
        next += !left_out;
    }
    mgl_status status = MGL_OK;
    MGL_GO(put == NULL ? mgl_fail_memory(err) : bind_counted(g, t, err));
    mgl_broken broken = {0};
    mgl_given_cells given = {g->generalized, &rows, put, column};
    MGL_GO(mgl_put_back(g->task, g->solution, &given, err, &broken));
    mgl_tell_given_back(g->task, name, g->generalized, mgl_recovery_found(recovery), &broken,
                        g->objections);
done:
    for (size_t s = 0; s < g->reading->n_counted; s++)
        mgl_free(t->recoded[s].codes);
    mgl_free(put);
    return status;
}

static mgl_status judge_recovery(const counting_guard *g, size_t column, const char *name,
                                 together *t, mgl_error *err)
{
    mgl_recovery *recovery;
    if (mgl_generalized_count(g->generalized) == 0)
        return MGL_OK;
    MGL_TRY(mgl_recovery_new(g->generalized, err, &recovery));
    mgl_status status = MGL_OK;
    MGL_GO(watch(g, t, recovery, err));
    MGL_GO(mgl_recovery_judge(recovery, &g->rule, err));
    if (mgl_gives_back(recovery, g->generalized))
        MGL_GO(judge_harm(g, column, name, t, recovery, err));
done:
    mgl_recovery_free(recovery);
    return status;
}

/* ---- All ----------------------------------------------------------------------------------- */

/* Would more groups be fetched than there is room for? Those of few values are not asked for. */
static mgl_status find_too_many(const counting_guard *g, size_t column, mgl_error *err,
                                mgl_value_counts *counts, bool *out)
{
    const mgl_reading *reading = g->reading;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    mgl_column_wish *wishes = NULL;
    size_t *wanted = NULL, n, place;
    uint64_t groups;
    mgl_status status = MGL_OK;
    *out = false;
    if (g->n_rows <= MOST_GROUPS) /* of fewer rows there are fewer groups: no need to ask */
        return MGL_OK;
    MGL_TRY(push->ask_values(reading->source, column, err, counts));
    if (counts->distinct <= MOST_GROUPS / g->task->problem.list->n_tuples)
        return MGL_OK;
    MGL_TRY(wish_together(reading, column, err, &wishes, &n, &place));
    wanted = mgl_alloc_array(n, sizeof *wanted);
    if (wanted == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < n; i++)
        wanted[i] = wishes[i].source_index;
    MGL_GO(push->ask_groups(reading->source, wanted, n, err, &groups));
    *out = groups > MOST_GROUPS;
done:
    mgl_free(wanted);
    mgl_free(wishes);
    return status;
}

/* Too many groups: the engine is asked only how many values there are. */
static mgl_status skip_column(const counting_guard *g, const mgl_guarded_column *column,
                              const mgl_value_counts *counts)
{
    mgl_profile profile;
    mgl_profile_begin(&profile, column->name);
    profile.rows = g->n_rows;
    profile.distinct = counts->distinct;
    profile.alone = counts->unique;
    mgl_profile_end(&profile);
    mgl_guard_judge_profile(column, &profile, false, g->objections);
    mgl_objections_add(g->objections,
                       &(mgl_objection){.code = MGL_GUARD_SKIPPED,
                                        .column = column->name,
                                        .remedy = "write the release to a file, where the leak "
                                                  "guard sees the rows",
                                        .warning = !column->open},
                       "has too many combinations with the quasi-identifier for the leak guard to "
                       "count them: whether it gives back generalized columns was not looked at");
    return MGL_OK;
}

static mgl_status judge_column(const counting_guard *g, size_t c, mgl_error *err)
{
    mgl_guarded_column column = guarded(g, c);
    mgl_value_counts counts = {0};
    bool too_many;
    MGL_TRY(find_too_many(g, c, err, &counts, &too_many));
    if (too_many)
        return skip_column(g, &column, &counts);
    together t = {0};
    mgl_status status = MGL_OK;
    MGL_GO(count_together(g, c, err, &t));
    MGL_GO(judge_values(g, &column, &t, err));
    MGL_GO(judge_recovery(g, c, column.name, &t, err));
done:
    free_together(&t, g->reading->n_quasi);
    return status;
}

static mgl_status judge_columns(counting_guard *g, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = mgl_source_columns(reading->source), n_passed = 0;
    for (size_t c = 0; c < n; c++)
        n_passed += mgl_role_passes(reading->roles[c]);
    g->rule = mgl_guard_rule(&g->task->problem, g->generalized, n_passed);
    for (size_t c = 0; c < n; c++)
        if (mgl_role_passes(reading->roles[c]))
            MGL_TRY(judge_column(g, c, err));
    return MGL_OK;
}

/* What concerns released values alone needs no rows. */
static mgl_status judge_released(const counting_guard *g, mgl_error *err)
{
    mgl_guarding *guarding;
    MGL_TRY(mgl_guarding_new(g->task, g->reading, g->solution, NULL, err, &guarding));
    mgl_status status = mgl_guarding_judge_released(guarding, err, g->objections);
    mgl_guarding_free(guarding);
    return status;
}

mgl_status mgl_guard_by_counts(const mgl_task *task, const mgl_reading *reading,
                               const mgl_solution *solution, uint64_t n_rows, mgl_error *err,
                               mgl_objections *objections, mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .n_rows = n_rows,
                        .objections = objections,
                        .groups = groups};
    MGL_TRY(judge_released(&g, err));
    MGL_TRY(mgl_generalized_new(task->problem.list, solution->recoding,
                                reading->settings->treatment == MGL_DROP, reading->pool, err,
                                &g.generalized));
    mgl_status status = judge_columns(&g, err);
    mgl_generalized_free(g.generalized);
    return status == MGL_OK && objections->out_of_memory ? mgl_fail_memory(err) : status;
}

static mgl_status judge_given_back(const counting_guard *g, size_t column, mgl_error *err)
{
    together t = {0};
    mgl_status status = count_together(g, column, err, &t);
    if (status == MGL_OK)
        status = judge_recovery(g, column, mgl_source_column(g->reading->source, column), &t, err);
    free_together(&t, g->reading->n_quasi);
    return status;
}

mgl_status mgl_given_back_by_counts(const mgl_task *task, const mgl_reading *reading,
                                    const mgl_solution *solution, const bool *columns,
                                    mgl_error *err, mgl_objections *objections,
                                    mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .objections = objections,
                        .groups = groups};
    size_t n = mgl_source_columns(reading->source), n_passed = 0;
    for (size_t c = 0; c < n; c++)
        n_passed += mgl_role_passes(reading->roles[c]);
    MGL_TRY(mgl_generalized_new(task->problem.list, solution->recoding,
                                reading->settings->treatment == MGL_DROP, reading->pool, err,
                                &g.generalized));
    g.rule = mgl_guard_rule(&task->problem, g.generalized, n_passed);
    mgl_status status = MGL_OK;
    for (size_t c = 0; c < n && status == MGL_OK; c++)
        if (columns[c])
            status = judge_given_back(&g, c, err);
    mgl_generalized_free(g.generalized);
    return status;
}

/* ---- Counts that were made elsewhere --------------------------------------------------------- */

static mgl_status judge_given_column(const counting_guard *g, together *t,
                                     const mgl_guarded_column *column, size_t source_column,
                                     mgl_error *err)
{
    MGL_TRY(judge_values(g, column, t, err));
    return judge_recovery(g, source_column, column->name, t, err);
}

/* The job's own table tells about sensitive columns, a further one about the column that it has
 * besides. */
static mgl_status judge_given_table(const counting_guard *g, together *t, bool sensitive,
                                    mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    for (size_t s = 0; sensitive && s < reading->n_sensitive; s++) {
        size_t column = reading->counted[s]->source_index;
        t->column = &t->table->columns[reading->n_quasi + s];
        mgl_guarded_column judged = {.name = mgl_source_column(reading->source, column)};
        MGL_TRY(judge_given_column(g, t, &judged, column, err));
    }
    if (sensitive || t->given.column == NULL)
        return MGL_OK;
    t->column = t->given.column;
    mgl_guarded_column judged = {.name = t->given.name, .open = true};
    return judge_given_column(g, t, &judged, SIZE_MAX, err);
}

/* A table of counts, or the job's own (location NULL), which tells about sensitive columns. */
static mgl_status judge_location(const counting_guard *g, const char *location, mgl_error *err)
{
    together t = {0};
    mgl_status status = MGL_OK;
    MGL_GO(make_room(g->reading, &t, err));
    MGL_GO(mgl_given_counts_read(g->reading, location, err, &t.given));
    t.table = t.given.table;
    MGL_GO(bind_quasi(g, &t, err));
    MGL_GO(find_tuples(g, &t, err));
    MGL_GO(mgl_given_counts_agree(&t.given, g->task->problem.list, t.tuples, location, err));
    mgl_fetched_groups_add(g->groups, t.table);
    MGL_GO(judge_given_table(g, &t, location == NULL, err));
done:
    free_together(&t, g->reading->n_quasi);
    return status;
}

mgl_status mgl_guard_by_given_counts(const mgl_task *task, const mgl_reading *reading,
                                     const mgl_solution *solution, mgl_error *err,
                                     mgl_objections *objections, mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .objections = objections,
                        .groups = groups};
    const mgl_settings *settings = reading->settings;
    size_t n_passed = reading->n_sensitive;
    for (size_t i = 0; i < settings->n_attributes; i++)
        n_passed += settings->attributes[i].role == MGL_ROLE_INSENSITIVE;
    MGL_TRY(mgl_generalized_new(task->problem.list, solution->recoding,
                                settings->treatment == MGL_DROP, reading->pool, err,
                                &g.generalized));
    g.rule = mgl_guard_rule(&task->problem, g.generalized, n_passed);
    mgl_status status = MGL_OK;
    if (reading->n_sensitive > 0)
        MGL_GO(judge_location(&g, NULL, err));
    for (size_t i = 0; i < settings->n_guard_counts; i++)
        MGL_GO(judge_location(&g, settings->guard_counts[i], err));
    MGL_GO(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_generalized_free(g.generalized);
    return status;
}
