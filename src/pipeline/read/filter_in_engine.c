/* Has the engine of a database leave rows out. It is asked for the values of the columns that the
 * condition names; the condition is worked out here, as for any other source, and becomes lists of
 * texts that the engine compares cells with: numbers, days and patterns mean the same everywhere.
 * choose_rows.c calls it. */
#include "pipeline/read/chosen_rows.h"

/* What is more than a statement should hold is left to whoever fetches rows. */
enum { MOST_STEPS = 200, MOST_TEXTS = 20000, MOST_BYTES = 400000 };

typedef struct making {
    mgl_reading *reading;
    const mgl_condition *condition;
    mgl_table **tables;  /* [n_columns] of one column each */
    mgl_column *columns; /* [n_columns] of these; borrowed */
    mgl_bound_condition *bound;
    mgl_filter_step *steps; /* filled from the end on */
    size_t at, n_steps;
    mgl_arena *arena;
    size_t n_texts, n_bytes;
} making;

/* The values of each column, with how many rows have them. */
static mgl_status ask_values(making *m, mgl_error *err, mgl_chosen_rows *rows)
{
    mgl_source *source = m->reading->source;
    size_t n = m->condition->n_columns;
    m->tables = mgl_zeroed_array(n, sizeof *m->tables);
    m->columns = mgl_zeroed_array(n, sizeof *m->columns);
    if (m->tables == NULL || m->columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        mgl_column_wish wish = {mgl_source_find(source, m->condition->columns[c]),
                                MGL_ROLE_INSENSITIVE};
        MGL_TRY(mgl_source_count(source, &wish, 1, &m->reading->settings->progress, err,
                                 &m->tables[c]));
        m->columns[c] = m->tables[c]->columns[0];
        rows->values_told += m->tables[c]->n_rows;
    }
    rows->n_read = 0;
    for (size_t r = 0; r < m->tables[0]->n_rows; r++)
        rows->n_read += m->tables[0]->times[r];
    return MGL_OK;
}

/* The texts of which the atom is true, or false. */
static mgl_status add_texts(making *m, size_t atom, bool wanted, mgl_error *err)
{
    size_t c = m->condition->atoms[atom].column, n = 0;
    const mgl_dictionary *values = m->columns[c].dictionary;
    uint32_t size = mgl_dictionary_size(values);
    mgl_span *texts = mgl_arena_alloc(m->arena, (size + (size_t)1) * sizeof *texts);
    if (texts == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < size; code++)
        if (mgl_condition_answer(m->bound, atom, code) ==
            (wanted ? MGL_ANSWER_TRUE : MGL_ANSWER_FALSE)) {
            texts[n] = mgl_dictionary_value(values, code);
            m->n_bytes += texts[n++].size;
        }
    m->n_texts += n;
    m->steps[--m->at] = (mgl_filter_step){
        MGL_FILTER_AMONG, mgl_source_find(m->reading->source, m->condition->columns[c]), texts, n};
    return MGL_OK;
}

/* Puts down, from its end on, when the condition that ends before step *end is true, or when it is
 * false: what is false of "a and b" is false of one of them. */
static mgl_status add_step(making *m, size_t *end, bool wanted, mgl_error *err)
{
    const mgl_step *step = &m->condition->steps[--*end];
    if (step->kind == MGL_STEP_ATOM)
        return add_texts(m, step->atom, wanted, err);
    if (step->kind == MGL_STEP_NOT)
        return add_step(m, end, !wanted, err);
    bool both = (step->kind == MGL_STEP_AND) == wanted;
    m->steps[--m->at] = (mgl_filter_step){.kind = both ? MGL_FILTER_AND : MGL_FILTER_OR};
    MGL_TRY(add_step(m, end, wanted, err));
    return add_step(m, end, wanted, err);
}

static mgl_status make_filter(making *m, mgl_error *err)
{
    size_t end = m->condition->n_steps;
    for (size_t s = 0; s < end; s++)
        m->n_steps += m->condition->steps[s].kind != MGL_STEP_NOT;
    m->at = m->n_steps;
    m->arena = mgl_arena_new();
    m->steps = mgl_zeroed_array(m->n_steps, sizeof *m->steps);
    if (m->arena == NULL || m->steps == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_condition_bind(m->condition, m->columns, err, &m->bound));
    return add_step(m, &end, true, err);
}

static void end_making(making *m)
{
    for (size_t c = 0; m->tables != NULL && c < m->condition->n_columns; c++)
        mgl_table_free(m->tables[c]);
    mgl_free(m->tables);
    mgl_free(m->columns);
    mgl_bound_condition_free(m->bound);
    mgl_free(m->steps);
    mgl_arena_free(m->arena);
}

static mgl_status filter_rows(making *m, mgl_error *err, mgl_chosen_rows *rows)
{
    uint64_t n_left = 0;
    MGL_TRY(ask_values(m, err, rows));
    MGL_TRY(make_filter(m, err));
    if (m->n_texts > MOST_TEXTS || m->n_bytes > MOST_BYTES)
        return MGL_OK;
    mgl_cell_filter filter = {m->steps, m->n_steps};
    m->reading->filtered = true;
    MGL_TRY(mgl_source_filter(m->reading->source, &filter, err, &n_left));
    rows->by_where = rows->n_read - n_left;
    rows->choice.n_rows = rows->choice.n_chosen = n_left;
    return MGL_OK;
}

mgl_status mgl_filter_in_engine(mgl_reading *reading, const mgl_condition *condition,
                                mgl_error *err, mgl_chosen_rows *rows)
{
    making m = {.reading = reading, .condition = condition};
    if (condition->n_steps > MOST_STEPS)
        return MGL_OK;
    mgl_source_options raw = mgl_raw_options(reading->settings);
    MGL_TRY(mgl_source_use(reading->source, &raw, err));
    mgl_status status = filter_rows(&m, err, rows);
    end_making(&m);
    mgl_status back =
        mgl_source_use(reading->source, &reading->settings->source, status == MGL_OK ? err : NULL);
    return status != MGL_OK ? status : back;
}
