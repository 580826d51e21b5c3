/* The leak guard watches a release while it is staged. */
#include "flow/flow.h"

struct mgl_guarding {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_solution *solution;
    mgl_guard *guard;
    size_t n_columns;
    mgl_guarded_column *columns; /* released, but no quasi-identifiers */
    size_t *fields;              /* [n_columns] of a record */
    const char **names;          /* of the quasi-identifiers */
};

static mgl_status list_columns(mgl_guarding *g, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = mgl_source_columns(reading->source);
    g->columns = mgl_alloc_array(n, sizeof *g->columns);
    g->fields = mgl_alloc_array(n, sizeof *g->fields);
    g->names = mgl_alloc_array(reading->n_quasi, sizeof *g->names);
    if (g->columns == NULL || g->fields == NULL || g->names == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        mgl_role role = reading->roles[c];
        if (!mgl_role_passes(role))
            continue;
        const char *name = mgl_source_column(reading->source, c);
        const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
        bool open = role == MGL_ROLE_INSENSITIVE && (said == NULL || said->role != MGL_ROLE_QUASI);
        g->fields[g->n_columns] = c;
        g->columns[g->n_columns++] = (mgl_guarded_column){name, open};
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        g->names[a] = reading->quasi[a].settings->name;
    return MGL_OK;
}

mgl_status mgl_guarding_new(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_guarding **out)
{
    mgl_guarding *g = mgl_zeroed_array(1, sizeof *g);
    if (g == NULL)
        return mgl_fail_memory(err);
    *g = (mgl_guarding){.reading = reading, .task = task, .solution = solution};
    mgl_status status = list_columns(g, err);
    if (status == MGL_OK)
        status = mgl_guard_new(g->columns, g->n_columns, task->problem.list, g->names,
                               solution->recoding, mgl_reference_year(reading->settings), err,
                               &g->guard);
    if (status != MGL_OK) {
        mgl_guarding_free(g);
        return status;
    }
    *out = g;
    return MGL_OK;
}

void mgl_guarding_free(mgl_guarding *g)
{
    if (g == NULL)
        return;
    mgl_guard_free(g->guard);
    mgl_free(g->columns);
    mgl_free(g->fields);
    mgl_free(g->names);
    mgl_free(g);
}

/* A field as it stands in the file, without the quotes around it. */
static mgl_span cell_of(const mgl_field *field)
{
    if (field->quoted && field->size >= 2)
        return (mgl_span){field->data + 1, field->size - 2};
    return (mgl_span){field->data, field->size};
}

static void see(void *context, size_t column, const mgl_seen_rows *rows)
{
    mgl_guarding *g = context;
    const mgl_field *field = rows->fields + g->fields[column];
    mgl_span cells[MGL_GUARDED_AT_ONCE];
    uint32_t tuples[MGL_GUARDED_AT_ONCE];
    size_t n = 0;
    for (size_t r = 0; r < rows->n; r++, field += rows->n_fields) {
        if (rows->tuples[r] == MGL_NOT_FOUND)
            continue;
        cells[n] = cell_of(field);
        tuples[n++] = rows->tuples[r];
        if (n < MGL_GUARDED_AT_ONCE)
            continue;
        mgl_guard_watch(g->guard, column, cells, tuples, n);
        n = 0;
    }
    mgl_guard_watch(g->guard, column, cells, tuples, n);
}

mgl_row_watch mgl_guarding_watch(mgl_guarding *g)
{
    return (mgl_row_watch){g->n_columns, see, g};
}

/* ---- The second look ---------------------------------------------------------------------------
 */

typedef struct second_look {
    const mgl_guarding *guarding;
    mgl_recovery **recoveries; /* [n_columns]; NULL: no suspect */
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
                !mgl_recovery_watch(look->recoveries[c], cell_of(&fields[g->fields[c]]),
                                    look->tuples[r]))
                return mgl_fail_memory(err);
    }
    look->row += records->n_records;
    return mgl_progress_report(&g->reading->settings->progress, "guard", look->row, n_rows, err);
}

static mgl_status look_again(mgl_guarding *g, second_look *look, const bool *suspects,
                             mgl_error *err, mgl_objections *out)
{
    const mgl_problem *p = &g->task->problem;
    size_t m = g->reading->n_quasi;
    bool any = false;
    for (size_t c = 0; c < g->n_columns; c++) {
        bool suspect = false;
        for (size_t a = 0; a < m; a++)
            suspect = suspect || suspects[c * m + a];
        if (suspect)
            MGL_TRY(mgl_recovery_new(g->columns[c].name, p->list, g->solution->recoding, err,
                                     &look->recoveries[c]));
        any = any || suspect;
    }
    if (!any)
        return MGL_OK;
    MGL_TRY(mgl_tuple_finder_new(p->list, g->reading->bound, err, &look->finder));
    MGL_TRY(mgl_source_each(g->reading->source, look_at, look, err));
    for (size_t c = 0; c < g->n_columns; c++)
        for (size_t a = 0; a < m; a++)
            if (suspects[c * m + a])
                MGL_TRY(mgl_recovery_judge(look->recoveries[c], a, g->names[a], p->k > 1 ? p->k : 2,
                                           err, out));
    return MGL_OK;
}

/* ---- ZIP codes ----------------------------------------------------------------------------------
 */

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

mgl_status mgl_guarding_judge(mgl_guarding *g, mgl_error *err, mgl_objections *out)
{
    second_look look = {.guarding = g};
    bool *suspects = mgl_zeroed_array(g->n_columns * g->reading->n_quasi, sizeof *suspects);
    look.recoveries = mgl_zeroed_array(g->n_columns, sizeof(mgl_recovery *));
    mgl_status status = suspects == NULL || look.recoveries == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK) {
        mgl_guard_judge(g->guard, out, suspects);
        bool zips = g->reading->settings->safe_harbor && g->task->problem.population != NULL;
        for (size_t a = 0; zips && a < g->reading->n_quasi; a++)
            if (mgl_is_zip_column(g->names[a]))
                judge_zip(g, a, out);
        status = look_again(g, &look, suspects, err, out);
    }
    for (size_t c = 0; look.recoveries != NULL && c < g->n_columns; c++)
        mgl_recovery_free(look.recoveries[c]);
    mgl_free(look.recoveries);
    mgl_tuple_finder_free(look.finder);
    mgl_free(look.tuples);
    mgl_free(suspects);
    return status == MGL_OK && out->out_of_memory ? mgl_fail_memory(err) : status;
}
