/* The leak guard at rows that are written here: it watches the cells that pass through while the
 * release is staged, and judges afterwards whether a column gives back what was generalized. */
#include "pipeline/guard/guard.h"
#include "pipeline/guard/put_back.h"

struct mgl_guarding {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_solution *solution;
    mgl_guard *guard;
    size_t n_columns;
    mgl_guarded_column *columns; /* released, but no quasi-identifiers */
    const mgl_column **released; /* [n_columns] as they are released; NULL: as they stand there */
    size_t *fields;              /* [n_columns] of a record */
    size_t *seen;                /* [n_columns] rows of the input, so far */
    const char **names;          /* of the quasi-identifiers */
    mgl_alone *alone;            /* NULL: not counted */
    size_t first_known;          /* of the columns: that is known besides */
};

bool mgl_is_known_besides(const mgl_reading *reading, size_t column)
{
    return reading->roles[column] == MGL_ROLE_INSENSITIVE && reading->counts == NULL &&
           !reading->replaced[column].made_up;
}

/* Eight bytes for each row. */
static mgl_status begin_alone(mgl_guarding *g, mgl_error *err)
{
    uint64_t rows = g->task->problem.list->n_rows, memory = g->reading->settings->limits.memory;
    g->first_known = 0;
    while (g->first_known < g->n_columns &&
           !mgl_is_known_besides(g->reading, g->fields[g->first_known]))
        g->first_known++;
    if (g->first_known == g->n_columns || (memory > 0 && rows > memory / 64))
        return MGL_OK;
    return mgl_alone_new(rows, err, &g->alone);
}

static void add_alone(const mgl_guarding *g, size_t column, size_t row, uint32_t tuple,
                      mgl_span cell)
{
    const mgl_recoding *recoding = g->solution->recoding;
    const mgl_source_options *source = &g->reading->settings->source;
    size_t n = recoding->n_attributes;
    if (g->alone == NULL || !mgl_is_known_besides(g->reading, g->fields[column]))
        return;
    mgl_alone_add_cell(g->alone, row, n + column, cell, source->missing, source->n_missing);
    for (size_t a = 0; column == g->first_known && a < n; a++)
        mgl_alone_add(g->alone, row, a, recoding->cells[a][tuple]);
}

mgl_status mgl_guarding_count_alone(mgl_guarding *g, mgl_error *err, mgl_alone_rows *out)
{
    bool seen = g->alone != NULL && g->seen[g->first_known] > 0;
    *out = (mgl_alone_rows){.counted = seen};
    return seen ? mgl_alone_count(g->alone, g->reading->entity, err, &out->rows) : MGL_OK;
}

/* The cells that a column is released with, where these are not those of the table: treated ones,
 * and sensitive ones in one spelling. */
static const mgl_column *released_cells(const mgl_reading *reading, size_t c)
{
    const mgl_replacement *replaced = mgl_reading_replaced(reading, c);
    if (replaced != NULL)
        return replaced->column;
    for (size_t s = 0; mgl_respells(reading->settings) && s < reading->n_sensitive; s++)
        if (reading->cells[s].column->source_index == c)
            return reading->cells[s].column;
    return NULL;
}

static mgl_status list_columns(mgl_guarding *g, const mgl_column *const *followed, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = mgl_source_columns(reading->source);
    g->columns = mgl_alloc_array(n, sizeof *g->columns);
    g->fields = mgl_alloc_array(n, sizeof *g->fields);
    g->seen = mgl_zeroed_array(n, sizeof *g->seen);
    g->released = mgl_zeroed_array(n, sizeof *g->released);
    g->names = mgl_alloc_array(reading->n_quasi, sizeof *g->names);
    MGL_TRY(mgl_check_memory(g->columns != NULL && g->fields != NULL && g->seen != NULL &&
                                 g->names != NULL && g->released != NULL,
                             err));
    for (size_t c = 0; c < n; c++) {
        mgl_role role = reading->roles[c];
        if (!mgl_role_passes(role) || reading->counts != NULL) /* groups are no single records */
            continue;
        const char *name = mgl_source_column(reading->source, c);
        const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, name);
        bool open =
            role == MGL_ROLE_INSENSITIVE && (declared == NULL || declared->role != MGL_ROLE_QUASI);
        const mgl_replacement *replaced = mgl_reading_replaced(reading, c);
        const mgl_column *follows = followed != NULL ? followed[c] : NULL;
        g->released[g->n_columns] = follows != NULL ? follows : released_cells(reading, c);
        g->fields[g->n_columns] = c;
        g->columns[g->n_columns++] =
            (mgl_guarded_column){.name = name,
                                 .open = open,
                                 .unnamed = mgl_is_unnamed(reading->settings, name),
                                 .follows = follows != NULL,
                                 .changed = replaced != NULL || follows != NULL,
                                 .made_up = reading->replaced[c].made_up};
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        g->names[a] = reading->quasi[a].settings->name;
    return MGL_OK;
}

mgl_status mgl_guarding_new(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, const mgl_column *const *followed,
                            mgl_error *err, mgl_guarding **out)
{
    mgl_guarding *g = mgl_zeroed_array(1, sizeof *g);
    MGL_TRY(mgl_check_memory(g != NULL, err));
    *g = (mgl_guarding){.reading = reading, .task = task, .solution = solution};
    mgl_status status = MGL_OK;
    MGL_GO(list_columns(g, followed, err));
    mgl_guard_request request = {.columns = g->columns,
                                 .n_columns = g->n_columns,
                                 .list = task->problem.list,
                                 .names = g->names,
                                 .recoding = solution->recoding,
                                 .drop = reading->settings->treatment == MGL_DROP,
                                 .missing = reading->settings->source.missing,
                                 .n_missing = reading->settings->source.n_missing,
                                 .safe_harbor = mgl_reference_year(reading->settings),
                                 .pool = reading->pool,
                                 .memory = reading->settings->limits.memory};
    MGL_GO(mgl_guard_new(&request, err, &g->guard));
    MGL_GO(begin_alone(g, err));
    *out = g;
    g = NULL;
done:
    mgl_guarding_free(g);
    return status;
}

void mgl_guarding_free(mgl_guarding *g)
{
    if (g == NULL)
        return;
    mgl_guard_free(g->guard);
    mgl_alone_free(g->alone);
    mgl_free(g->columns);
    mgl_free(g->fields);
    mgl_free(g->seen);
    mgl_free(g->released);
    mgl_free(g->names);
    mgl_free(g);
}

/* A field as it stands in the file, without the quotes around it, or as it was treated. */
static mgl_span cell_of(const mgl_guarding *g, size_t column, size_t row, const mgl_field *field)
{
    const mgl_column *cells = g->released[column];
    if (cells != NULL)
        return mgl_dictionary_value(cells->dictionary, mgl_column_code(cells, row));
    if (field->quoted && field->size >= 2)
        return (mgl_span){field->data + 1, field->size - 2};
    return (mgl_span){field->data, field->size};
}

static uint32_t person_of(const mgl_guarding *g, size_t row)
{
    return g->reading->entity != NULL ? mgl_column_code(g->reading->entity, row)
                                      : MGL_ROW_IS_PERSON;
}

static void see(void *context, size_t column, const mgl_seen_rows *rows)
{
    mgl_guarding *g = context;
    const mgl_field *field = rows->cells;
    mgl_span cells[MGL_GUARDED_AT_ONCE];
    uint32_t tuples[MGL_GUARDED_AT_ONCE], persons[MGL_GUARDED_AT_ONCE];
    const uint32_t *whose = g->reading->entity != NULL ? persons : NULL;
    size_t n = 0;
    for (size_t r = 0; r < rows->n; r++, field += rows->step) {
        size_t row = g->seen[column]++;
        if (rows->tuples[r] == MGL_NOT_FOUND) {
            mgl_guard_add_unreleased(g->guard, column, cell_of(g, column, row, field));
            continue;
        }
        cells[n] = cell_of(g, column, row, field);
        add_alone(g, column, row, rows->tuples[r], cells[n]);
        if (whose != NULL)
            persons[n] = person_of(g, row);
        tuples[n++] = rows->tuples[r];
        if (n < MGL_GUARDED_AT_ONCE)
            continue;
        mgl_guard_watch(g->guard, column, cells, tuples, whose, n);
        n = 0;
    }
    mgl_guard_watch(g->guard, column, cells, tuples, whose, n);
}

mgl_row_watch mgl_guarding_watch(mgl_guarding *g)
{
    return (mgl_row_watch){g->n_columns, g->fields, see, g};
}

/* ---- The second look ----------------------------------------------------------------------- */

typedef struct second_look {
    const mgl_guarding *guarding;
    mgl_recovery **recoveries; /* [n_columns]; NULL: not suspect */
    mgl_tuple_finder *finder;
    uint32_t *tuples;
    size_t room;
    uint64_t row;
} second_look;

static mgl_status look_at(void *context, const mgl_records *records, mgl_error *err)
{
    second_look *look = context;
    const mgl_guarding *g = look->guarding;
    const mgl_recoding *recoding = g->solution->recoding;
    bool drop = g->reading->settings->treatment == MGL_DROP;
    uint64_t n_rows = g->task->problem.list->n_rows;
    if (look->row + records->n_records > n_rows ||
        !mgl_grow(&look->tuples, &look->room, records->n_records, sizeof *look->tuples))
        return mgl_fail_memory(err);
    MGL_TRY(mgl_tuple_reach(look->finder, look->row, records->n_records, err, look->tuples));
    for (size_t r = 0; r < records->n_records; r++) {
        const mgl_field *fields = records->fields + r * records->n_fields;
        if (drop && recoding->suppressed[look->tuples[r]])
            continue;
        for (size_t c = 0; c < g->n_columns; c++)
            if (look->recoveries[c] != NULL &&
                !mgl_recovery_watch(look->recoveries[c],
                                    cell_of(g, c, look->row + r, &fields[g->fields[c]]),
                                    look->tuples[r], 1, person_of(g, look->row + r)))
                return mgl_fail_memory(err);
    }
    look->row += records->n_records;
    return mgl_progress_report(&g->reading->settings->progress, "guard", look->row, n_rows, err);
}

/* Reads all rows of the columns that counts or a sample make suspect. */
static mgl_status look_again(const mgl_guarding *g, const bool *suspects, mgl_error *err,
                             mgl_recovery **recoveries)
{
    second_look look = {.guarding = g, .recoveries = recoveries};
    bool any = false;
    for (size_t c = 0; c < g->n_columns; c++) {
        any = any || suspects[c];
        if (suspects[c])
            MGL_TRY(mgl_recovery_new(mgl_guard_generalized(g->guard), err, &recoveries[c]));
    }
    if (!any)
        return MGL_OK;
    mgl_status status = mgl_tuple_finder_share(g->task->problem.list, g->reading->bound,
                                               g->reading->pool, err, &look.finder);
    if (status == MGL_OK)
        status = mgl_source_each(g->reading->source, look_at, &look, err);
    mgl_tuple_finder_free(look.finder);
    mgl_free(look.tuples);
    return status;
}

/* ---- What is given back -------------------------------------------------------------------- */

/* Two columns that were tested together. */
typedef struct tested_pair {
    size_t one, other;
    mgl_recovery *recovery; /* NULL: nothing is given back */
    mgl_pair_test test;
    mgl_status status;
    mgl_error error;
} tested_pair;

/* What threads share that look at columns. */
typedef struct looking {
    const mgl_guarding *guarding;
    mgl_recovery_rule rule;
    mgl_recovery **again; /* [column] all rows, where they were not kept; NULL: not suspect */
    bool *suspects;       /* [column] */
    mgl_status *status;   /* [column] */
    mgl_error *errors;    /* [column] */
    tested_pair *pairs;
    size_t n_pairs;
} looking;

static bool keeps_rows(const mgl_guarding *g, size_t c)
{
    return mgl_recovery_keeps_rows(mgl_guard_sample(g->guard, c));
}

static void suspect_column(void *context, size_t c, unsigned worker)
{
    (void)worker;
    looking *l = context;
    l->status[c] =
        mgl_guard_suspect(l->guarding->guard, c, &l->rule, &l->errors[c], &l->suspects[c]);
}

/* All rows of a column: those that were kept, or those of the second look. */
static mgl_recovery *rows_of(const looking *l, size_t c)
{
    return keeps_rows(l->guarding, c) ? mgl_guard_sample(l->guarding->guard, c) : l->again[c];
}

static void judge_again(void *context, size_t c, unsigned worker)
{
    (void)worker;
    looking *l = context;
    if (l->again[c] != NULL)
        l->status[c] = mgl_recovery_judge(l->again[c], &l->rule, &l->errors[c]);
}

static mgl_status run_columns(looking *l, mgl_item_fn *fn, mgl_error *err)
{
    const mgl_guarding *g = l->guarding;
    mgl_pool_run(g->reading->pool, g->n_columns, fn, l);
    for (size_t c = 0; c < g->n_columns; c++)
        if (l->status[c] != MGL_OK) {
            if (err != NULL)
                *err = l->errors[c];
            return l->status[c];
        }
    return MGL_OK;
}

/* ---- Two columns --------------------------------------------------------------------------- */

static void judge_pair(void *context, size_t p, unsigned worker)
{
    (void)worker;
    looking *l = context;
    tested_pair *pair = &l->pairs[p];
    const mgl_guard *guard = l->guarding->guard;
    pair->status = mgl_recovery_of_two(mgl_guard_sample(guard, pair->one),
                                       mgl_guard_sample(guard, pair->other), &l->rule, &pair->error,
                                       &pair->recovery, &pair->test);
}

static mgl_status list_pairs(looking *l, mgl_error *err, mgl_objections *out)
{
    const mgl_guarding *g = l->guarding;
    const char **names = mgl_alloc_array(g->n_columns, sizeof *names);
    MGL_TRY(mgl_check_memory(names != NULL, err));
    for (size_t c = 0; c < g->n_columns; c++)
        names[c] = g->columns[c].name;
    size_t n = mgl_guard_paired(names, g->n_columns, out);
    mgl_free(names);
    MGL_TRY(mgl_new_zeroed(n * n / 2 + 1, sizeof *l->pairs, err, &l->pairs));
    for (size_t one = 0; one < n; one++)
        for (size_t other = one + 1; other < n; other++)
            if (keeps_rows(g, one) && keeps_rows(g, other))
                l->pairs[l->n_pairs++] = (tested_pair){.one = one, .other = other};
            else
                mgl_objections_leave_out(out, g->columns[one].name, g->columns[other].name,
                                         mgl_too_little_memory);
    return MGL_OK;
}

static mgl_status judge_pairs(looking *l, mgl_error *err, mgl_objections *out)
{
    const mgl_guarding *g = l->guarding;
    MGL_TRY(list_pairs(l, err, out));
    mgl_pool_run(g->reading->pool, l->n_pairs, judge_pair, l);
    for (size_t p = 0; p < l->n_pairs; p++) {
        const tested_pair *pair = &l->pairs[p];
        if (pair->status != MGL_OK && err != NULL)
            *err = pair->error;
        MGL_TRY(pair->status);
        mgl_guard_count_pair(out, g->columns[pair->one].name, g->columns[pair->other].name,
                             pair->test);
    }
    return MGL_OK;
}

/* ---- Harm ---------------------------------------------------------------------------------- */

/* Fills in what is put into each row of the table; nothing where a row is not released. */
static mgl_status spread_guesses(const mgl_guarding *g, const mgl_giving *giving, size_t n_released,
                                 mgl_error *err, uint32_t *put)
{
    enum { ROWS_AT_ONCE = 1024 };
    const mgl_table *table = g->reading->table;
    size_t n_put = mgl_generalized_count(mgl_guard_generalized(g->guard)), next = 0;
    bool drop = g->reading->settings->treatment == MGL_DROP;
    uint32_t tuples[ROWS_AT_ONCE];
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_tuple_finder_share(g->task->problem.list, g->reading->bound, g->reading->pool, err,
                                   &finder));
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < table->n_rows; row += ROWS_AT_ONCE) {
        size_t some = table->n_rows - row < ROWS_AT_ONCE ? table->n_rows - row : ROWS_AT_ONCE;
        MGL_GO(mgl_tuple_reach(finder, row, some, err, tuples));
        for (size_t i = 0; i < some; i++) {
            bool left_out =
                (drop && g->solution->recoding->suppressed[tuples[i]]) || next == n_released;
            mgl_guess_of_row(giving, left_out ? MGL_NO_ROW : next, n_put, put + (row + i) * n_put);
            next += !left_out;
        }
    }
done:
    mgl_tuple_finder_free(finder);
    return status;
}

static mgl_status judge_harm(const mgl_guarding *g, const mgl_giving *giving, size_t n_released,
                             mgl_error *err, mgl_objections *out)
{
    mgl_given_rows rows = {.quasi = g->reading->bound,
                           .counted = g->reading->counted,
                           .n_rows = g->reading->table->n_rows,
                           .times = g->reading->table->times};
    size_t n_put = mgl_generalized_count(mgl_guard_generalized(g->guard));
    uint32_t *put = mgl_alloc_array(rows.n_rows, n_put * sizeof *put);
    mgl_status status = MGL_OK;
    MGL_GO(put == NULL ? mgl_fail_memory(err) : spread_guesses(g, giving, n_released, err, put));
    mgl_broken broken = {0};
    mgl_given_cells given = {
        mgl_guard_generalized(g->guard), &rows, put, {giving->columns[0], giving->columns[1]}};
    MGL_GO(mgl_put_back(g->task, g->solution, &given, err, &broken));
    mgl_report_given_back(g->task, giving, mgl_guard_generalized(g->guard), &broken, out);
done:
    mgl_free(put);
    return status;
}

static mgl_status judge_harm_of_column(const looking *l, size_t c, mgl_error *err,
                                       mgl_objections *out)
{
    const mgl_guarding *g = l->guarding;
    const mgl_recovery *recovery = rows_of(l, c);
    if (recovery == NULL || !mgl_recovery_any_real(recovery))
        return MGL_OK;
    mgl_giving giving = {{g->columns[c].name, NULL}, {g->fields[c], SIZE_MAX}, recovery};
    return judge_harm(g, &giving, mgl_recovery_rows(recovery), err, out);
}

static mgl_status judge_harm_of_pair(const looking *l, const tested_pair *pair, mgl_error *err,
                                     mgl_objections *out)
{
    const mgl_guarding *g = l->guarding;
    if (pair->recovery == NULL)
        return MGL_OK;
    mgl_giving giving = {{g->columns[pair->one].name, g->columns[pair->other].name},
                         {g->fields[pair->one], g->fields[pair->other]},
                         pair->recovery};
    size_t n_released = mgl_recovery_rows(mgl_guard_sample(g->guard, pair->one));
    return judge_harm(g, &giving, n_released, err, out);
}

/* What columns were judged by, where not by each of their rows. */
static void note_counts(const mgl_guarding *g, mgl_objections *out)
{
    for (size_t c = 0; c < g->n_columns; c++)
        if (!keeps_rows(g, c))
            mgl_objections_judged_by(
                out, g->columns[c].name,
                mgl_recovery_is_sample(mgl_guard_sample(g->guard, c)) ? "sample" : "counts");
}

static mgl_status judge_recoveries(const mgl_guarding *g, looking *l, mgl_error *err,
                                   mgl_objections *out)
{
    MGL_TRY(run_columns(l, suspect_column, err));
    for (size_t c = 0; c < g->n_columns; c++)
        l->suspects[c] = l->suspects[c] && !keeps_rows(g, c);
    MGL_TRY(look_again(g, l->suspects, err, l->again));
    MGL_TRY(run_columns(l, judge_again, err));
    MGL_TRY(judge_pairs(l, err, out));
    for (size_t c = 0; c < g->n_columns; c++)
        MGL_TRY(judge_harm_of_column(l, c, err, out));
    for (size_t p = 0; p < l->n_pairs; p++)
        MGL_TRY(judge_harm_of_pair(l, &l->pairs[p], err, out));
    note_counts(g, out);
    return MGL_OK;
}

/* Which columns the rows that were seen make suspect, alone and two together. */
static mgl_status find_suspects(const mgl_guarding *g, looking *l, mgl_error *err,
                                mgl_objections *out, mgl_suspects *suspects)
{
    MGL_TRY(run_columns(l, suspect_column, err));
    MGL_TRY(judge_pairs(l, err, out));
    for (size_t c = 0; c < g->n_columns; c++)
        suspects->columns[g->fields[c]] = l->suspects[c];
    for (size_t p = 0; p < l->n_pairs; p++) {
        const tested_pair *pair = &l->pairs[p];
        if (pair->recovery == NULL)
            continue;
        MGL_TRY(mgl_check_memory(mgl_grow(&suspects->pairs, &suspects->room, suspects->n_pairs + 1,
                                          sizeof *suspects->pairs),
                                 err));
        suspects->pairs[suspects->n_pairs++] =
            (mgl_suspect_pair){{g->fields[pair->one], g->fields[pair->other]}};
    }
    note_counts(g, out);
    return MGL_OK;
}

/* Nothing was watched if no cell passes through, or nothing was generalized. suspects: only they
 * are found; NULL: what they give back is judged. */
static mgl_status judge_given_back(const mgl_guarding *g, mgl_error *err, mgl_objections *out,
                                   mgl_suspects *suspects)
{
    const mgl_generalized *generalized = mgl_guard_generalized(g->guard);
    if (generalized == NULL || mgl_generalized_count(generalized) == 0)
        return MGL_OK;
    looking l = {.guarding = g, .rule = mgl_guard_rule(g->task, generalized, g->n_columns)};
    l.again = mgl_zeroed_array(g->n_columns, sizeof(mgl_recovery *));
    l.suspects = mgl_zeroed_array(g->n_columns, sizeof *l.suspects);
    l.status = mgl_zeroed_array(g->n_columns, sizeof *l.status);
    l.errors = mgl_alloc_array(g->n_columns, sizeof *l.errors);
    mgl_status status =
        l.again == NULL || l.suspects == NULL || l.status == NULL || l.errors == NULL
            ? mgl_fail_memory(err)
        : suspects != NULL ? find_suspects(g, &l, err, out, suspects)
                           : judge_recoveries(g, &l, err, out);
    for (size_t c = 0; l.again != NULL && c < g->n_columns; c++)
        mgl_recovery_free(l.again[c]);
    for (size_t p = 0; p < l.n_pairs; p++)
        mgl_recovery_free(l.pairs[p].recovery);
    mgl_free(l.pairs);
    mgl_free(l.again);
    mgl_free(l.suspects);
    mgl_free(l.status);
    mgl_free(l.errors);
    return status;
}

/* ---- ZIP codes ----------------------------------------------------------------------------- */

enum { FEWEST_IN_ZIP = 20000 };

/* Safe Harbor: three digits of a ZIP code may be released where more than 20,000 persons live, by
 * the population table. */
static void judge_zip(const mgl_guarding *g, size_t a, mgl_objections *out)
{
    const mgl_frequency_list *list = g->task->problem.list, *all = g->task->problem.population;
    const mgl_released_column *column = g->solution->recoding->columns[a];
    const mgl_hierarchy *hierarchy = column->hierarchy;
    for (uint32_t v = 0; v < column->n_values; v++) {
        bool used = false;
        uint64_t persons = 0;
        mgl_meaning meaning = mgl_meaning_of(column->values[v].label);
        for (size_t t = 0; !used && t < list->n_tuples; t++)
            used = g->solution->recoding->cells[a][t] == v;
        if (!used || meaning.anything || column->values[v].level < 0)
            continue;
        const uint32_t *of_leaf = column->of_leaf[column->values[v].level];
        for (size_t t = 0; t < all->n_tuples; t++) {
            uint32_t leaf = mgl_list_leaf(all, t, a);
            persons += leaf < hierarchy->n_leaves && of_leaf[leaf] == v ? all->counts[t] : 0;
        }
        if (persons > FEWEST_IN_ZIP)
            continue;
        mgl_objections_add(
            out,
            &(mgl_objection){.code = "safe-harbor-zip",
                             .column = g->names[a],
                             .remedy = "give these ZIP codes the value 000 or *"},
            "has \"%.*s\", where only %llu persons of the population live, and HIPAA's Safe "
            "Harbor asks for more than 20,000",
            mgl_span_width(column->values[v].label), column->values[v].label.data,
            (unsigned long long)persons);
        return;
    }
}

mgl_status mgl_guarding_judge_released(mgl_guarding *g, mgl_error *err, mgl_objections *out)
{
    MGL_TRY(mgl_guard_judge(g->guard, err, out));
    bool zips = g->reading->settings->safe_harbor && g->task->problem.population != NULL;
    for (size_t a = 0; zips && a < g->reading->n_quasi; a++)
        if (mgl_is_zip_column(g->names[a]))
            judge_zip(g, a, out);
    return out->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_guarding_judge(mgl_guarding *g, mgl_error *err, mgl_objections *out)
{
    MGL_TRY(mgl_guarding_judge_released(g, err, out));
    MGL_TRY(judge_given_back(g, err, out, NULL));
    return out->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_guarding_judge_by_counts(mgl_guarding *g, mgl_error *err, mgl_objections *out,
                                        mgl_fetched_groups *groups)
{
    mgl_suspects suspects = {.columns = mgl_zeroed_array(mgl_source_columns(g->reading->source),
                                                         sizeof *suspects.columns)};
    mgl_status status = MGL_OK;
    MGL_GO(suspects.columns == NULL ? mgl_fail_memory(err)
                                    : mgl_guarding_judge_released(g, err, out));
    MGL_GO(judge_given_back(g, err, out, &suspects));
    MGL_GO(mgl_given_back_by_counts(g->task, g->reading, g->solution, &suspects, err, out, groups));
    MGL_GO(out->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_free(suspects.columns);
    mgl_free(suspects.pairs);
    return status;
}
