/* Regroups rare combinations of rows that are in memory (--least-count). An engine would not have
 * told more of them than the group they are counted in, so their cells become the labels of that
 * group, as if the table had been read so. reading.c calls it. */
#include "pipeline/read/rare.h"
#include "pipeline/read/reading_steps.h"

typedef struct forgetting {
    mgl_reading *reading;
    mgl_frequency_list *list;
    uint32_t **leaves;       /* [a][tuple] of its group */
    uint32_t **code_of_leaf; /* [a][leaf] MGL_NOT_FOUND: not asked for yet */
    mgl_tuple_finder *finder;
} forgetting;

static void end(forgetting *f)
{
    for (size_t a = 0; a < f->reading->n_quasi; a++) {
        if (f->leaves != NULL)
            mgl_free(f->leaves[a]);
        if (f->code_of_leaf != NULL)
            mgl_free(f->code_of_leaf[a]);
    }
    mgl_free(f->leaves);
    mgl_free(f->code_of_leaf);
    mgl_tuple_finder_free(f->finder);
    mgl_frequency_list_free(f->list);
}

static mgl_status begin(forgetting *f, mgl_error *err)
{
    const mgl_reading *reading = f->reading;
    size_t m = reading->n_quasi;
    MGL_TRY(mgl_frequency_list_new(&(mgl_count_order){.quasi = reading->bound,
                                                      .n_quasi = m,
                                                      .n_rows = reading->table->n_rows,
                                                      .times = reading->table->times},
                                   reading->pool, err, &f->list));
    MGL_TRY(mgl_tuple_finder_new(f->list, reading->bound, err, &f->finder));
    f->leaves = mgl_zeroed_array(m, sizeof *f->leaves);
    f->code_of_leaf = mgl_zeroed_array(m, sizeof *f->code_of_leaf);
    if (f->leaves == NULL || f->code_of_leaf == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        uint32_t n_leaves = reading->quasi[a].hierarchy->n_leaves;
        f->leaves[a] = mgl_alloc_array(f->list->n_tuples, sizeof **f->leaves);
        f->code_of_leaf[a] = mgl_alloc_array(n_leaves, sizeof **f->code_of_leaf);
        if (f->leaves[a] == NULL || f->code_of_leaf[a] == NULL)
            return mgl_fail_memory(err);
        memset(f->code_of_leaf[a], 0xff, n_leaves * sizeof **f->code_of_leaf);
    }
    return MGL_OK;
}

/* The code of a leaf. Its label is added to the values of the column if it is not among them. */
static uint32_t code_of(forgetting *f, size_t a, uint32_t leaf)
{
    uint32_t *code = &f->code_of_leaf[a][leaf];
    mgl_column *column = &f->reading->table->columns[a];
    const mgl_hierarchy *hierarchy = f->reading->quasi[a].hierarchy;
    if (*code == MGL_NOT_FOUND)
        *code = leaf == hierarchy->missing_leaf
                    ? mgl_dictionary_missing(column->dictionary)
                    : mgl_dictionary_add(column->dictionary, hierarchy->levels[0].labels[leaf]);
    return *code;
}

static mgl_status forget_row(forgetting *f, size_t row, uint32_t tuple, mgl_error *err)
{
    mgl_table *table = f->reading->table;
    for (size_t a = 0; a < f->reading->n_quasi; a++) {
        uint32_t leaf = f->leaves[a][tuple];
        if (leaf == mgl_list_leaf(f->list, tuple, a))
            continue;
        uint32_t code = code_of(f, a, leaf);
        if (code == MGL_NOT_FOUND || !mgl_column_widen(&table->columns[a], table->n_rows, code))
            return mgl_fail_memory(err);
        mgl_column_set(&table->columns[a], row, code);
    }
    return MGL_OK;
}

static mgl_status forget_rows(forgetting *f, mgl_error *err)
{
    for (size_t row = 0; row < f->reading->table->n_rows; row++) {
        uint32_t tuple;
        mgl_tuple_find(f->finder, row, 1, &tuple);
        MGL_TRY(forget_row(f, row, tuple, err));
    }
    return MGL_OK;
}

/* Dictionaries have grown, so columns are bound once more. */
static mgl_status bind_again(mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        mgl_quasi_column *quasi = &reading->quasi[a];
        const mgl_cache_entry *leaves;
        reading->table->columns[a].number = mgl_cache_number(reading->pins.cache);
        MGL_TRY(mgl_leaves_find(reading, quasi->kept, quasi->column, err, &leaves));
        quasi->leaf_of_code = reading->bound[a].leaf_of_code = leaves->object;
        quasi->number = leaves->number;
    }
    return MGL_OK;
}

/* Rows change, of which other jobs have the cells as they are. */
static mgl_status own_columns(mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(mgl_session_own_column(reading->session, reading->table, a, err));
    return MGL_OK;
}

mgl_status mgl_regroup_rows(mgl_reading *reading, mgl_error *err)
{
    forgetting f = {.reading = reading};
    mgl_status status = MGL_OK;
    MGL_GO(own_columns(reading, err));
    MGL_GO(begin(&f, err));
    MGL_GO(mgl_regroup_rare(f.list, reading->settings->least_count, err, f.leaves));
    MGL_GO(forget_rows(&f, err));
    MGL_GO(bind_again(reading, err));
done:
    end(&f);
    return status;
}

bool mgl_tuple_is_regrouped(const mgl_frequency_list *list, size_t tuple)
{
    for (size_t a = 0; a < list->n_attributes; a++)
        if (mgl_hierarchy_is_stand_in(list->hierarchies[a], mgl_list_leaf(list, tuple, a)))
            return true;
    return false;
}

mgl_status mgl_regroup_check_levels(const mgl_reading *reading, mgl_error *err)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        uint32_t height = quasi->hierarchy->height;
        if (!quasi->settings->has_level || quasi->settings->levels.max >= height)
            continue;
        return mgl_blame_attribute(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "column '%.60s': `level` allows level %u at most, and `least-count` may "
                     "have to count rows at level %u; allow that, or leave one of them out",
                     quasi->settings->name, (unsigned)quasi->settings->levels.max,
                     (unsigned)height),
            quasi->settings->name, "level");
    }
    return MGL_OK;
}
