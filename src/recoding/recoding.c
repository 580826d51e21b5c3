/* Recodings: the released cells of each tuple, made, copied, and with the labels of another
 * recoding. */
#include "recoding/recoding.h"

/* allocate: for the cells. */
static mgl_status make(const mgl_released_column *const *columns, size_t n_attributes,
                       size_t n_tuples, void *(*allocate)(size_t n, size_t size), mgl_error *err,
                       mgl_recoding **out)
{
    mgl_recoding *recoding;
    MGL_TRY(mgl_new_zeroed(1, sizeof *recoding, err, &recoding));
    recoding->n_attributes = n_attributes;
    recoding->n_tuples = n_tuples;
    recoding->columns = columns;
    recoding->suppressed = mgl_zeroed_array(n_tuples, 1);
    recoding->cells = mgl_zeroed_array(n_attributes, sizeof *recoding->cells);
    /* One block for all columns: a large one lies on large pages, which are had and given back in a
     * hundredth of the time. */
    uint32_t *block = n_attributes > 0 && n_tuples <= SIZE_MAX / n_attributes
                          ? allocate(n_attributes * n_tuples, sizeof *block)
                          : NULL;
    if (recoding->suppressed == NULL || recoding->cells == NULL ||
        (block == NULL && n_attributes > 0)) {
        mgl_free(block);
        mgl_recoding_free(recoding);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < n_attributes; a++)
        recoding->cells[a] = block + a * n_tuples;
    *out = recoding;
    return MGL_OK;
}

mgl_status mgl_recoding_new(const mgl_released_column *const *columns, size_t n_attributes,
                            size_t n_tuples, mgl_error *err, mgl_recoding **out)
{
    return make(columns, n_attributes, n_tuples, mgl_zeroed_array, err, out);
}

mgl_status mgl_recoding_to_fill(const mgl_released_column *const *columns, size_t n_attributes,
                                size_t n_tuples, mgl_error *err, mgl_recoding **out)
{
    return make(columns, n_attributes, n_tuples, mgl_alloc_array, err, out);
}

mgl_status mgl_recoding_with(const mgl_released_column *const *columns,
                             mgl_released_column *const *own, size_t n_attributes, size_t n_tuples,
                             mgl_error *err, mgl_recoding **out)
{
    const mgl_released_column **all = mgl_alloc_array(n_attributes, sizeof *all);
    mgl_released_column **mine = mgl_alloc_array(n_attributes, sizeof *mine);
    mgl_status status = all == NULL || mine == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_recoding_new(all, n_attributes, n_tuples, err, out);
    if (status != MGL_OK) {
        for (size_t a = 0; a < n_attributes; a++)
            mgl_released_column_free(own[a]);
        mgl_free(all);
        mgl_free(mine);
        return status;
    }
    for (size_t a = 0; a < n_attributes; a++) {
        mine[a] = own[a];
        all[a] = own[a] != NULL ? own[a] : columns[a];
    }
    (*out)->own = mine;
    return MGL_OK;
}

void mgl_recoding_free(mgl_recoding *recoding)
{
    if (recoding == NULL)
        return;
    if (recoding->own != NULL) {
        for (size_t a = 0; a < recoding->n_attributes; a++)
            mgl_released_column_free(recoding->own[a]);
        mgl_free(recoding->own);
        mgl_free((void *)recoding->columns);
    }
    if (recoding->cells != NULL && recoding->n_attributes > 0)
        mgl_free(recoding->cells[0]); /* and with it those of all columns */
    mgl_free(recoding->cells);
    mgl_free(recoding->suppressed);
    mgl_free(recoding);
}

void mgl_recoding_suppress(mgl_recoding *recoding, size_t tuple)
{
    recoding->suppressed[tuple] = 1;
    for (size_t a = 0; a < recoding->n_attributes; a++)
        if (!recoding->columns[a]->held)
            recoding->cells[a][tuple] = recoding->columns[a]->top;
}

bool mgl_recoding_is_top(const mgl_recoding *recoding, size_t tuple)
{
    for (size_t a = 0; a < recoding->n_attributes; a++)
        if (recoding->cells[a][tuple] != recoding->columns[a]->top && !recoding->columns[a]->held)
            return false;
    return true;
}

size_t mgl_held_columns(const mgl_released_column *const *columns, size_t n_attributes)
{
    size_t n = 0;
    while (n < n_attributes && columns[n]->held)
        n++;
    return n;
}

bool mgl_recoding_same_stratum(const mgl_recoding *recoding, size_t x, size_t y)
{
    for (size_t a = 0; a < recoding->n_attributes && recoding->columns[a]->held; a++)
        if (recoding->cells[a][x] != recoding->cells[a][y])
            return false;
    return true;
}

typedef struct marking {
    mgl_recoding *recoding;
    const uint64_t *counts;
    size_t n_top[MGL_RANGES];
    uint64_t rows[MGL_RANGES];
} marking;

enum { TUPLES_AT_ONCE = 16 };

/* Whether tuples from `first` on are at the top, without a branch that depends on them: in loops of
 * a fixed length, which become vector code. */
static void mark_some(const mgl_recoding *recoding, size_t first)
{
    uint32_t others[TUPLES_AT_ONCE] = {0};
    for (size_t a = 0; a < recoding->n_attributes; a++) {
        const uint32_t *cells = recoding->cells[a] + first;
        uint32_t top = recoding->columns[a]->top;
        if (recoding->columns[a]->held)
            continue;
        for (size_t i = 0; i < TUPLES_AT_ONCE; i++)
            others[i] |= cells[i] ^ top;
    }
    for (size_t i = 0; i < TUPLES_AT_ONCE; i++)
        recoding->suppressed[first + i] = others[i] == 0;
}

static void mark_range(void *context, mgl_range range)
{
    marking *m = context;
    size_t n_top = 0; /* not in the arrays: other threads count into what lies beside */
    uint64_t rows = 0;
    size_t t = range.first;
    for (; t + TUPLES_AT_ONCE <= range.end; t += TUPLES_AT_ONCE)
        mark_some(m->recoding, t);
    for (; t < range.end; t++)
        m->recoding->suppressed[t] = mgl_recoding_is_top(m->recoding, t);
    for (t = range.first; t < range.end; t++) {
        bool is_top = m->recoding->suppressed[t];
        n_top += is_top;
        rows += is_top ? m->counts[t] : 0;
    }
    m->n_top[range.number] = n_top;
    m->rows[range.number] = rows;
}

/* A stratum of which all tuples are at the top is its top node. */
static uint64_t restore_whole_strata(mgl_recoding *recoding, const uint64_t *counts)
{
    uint64_t restored = 0;
    for (size_t from = 0, to; from < recoding->n_tuples; from = to) {
        uint64_t rows = 0;
        bool whole = true;
        for (to = from; to < recoding->n_tuples && mgl_recoding_same_stratum(recoding, from, to);
             to++) {
            whole = whole && recoding->suppressed[to];
            rows += counts[to];
        }
        if (whole)
            memset(recoding->suppressed + from, 0, to - from);
        restored += whole ? rows : 0;
    }
    return restored;
}

uint64_t mgl_recoding_mark_tops(mgl_recoding *recoding, const uint64_t *counts, mgl_pool *pool)
{
    size_t n = recoding->n_tuples, n_top = 0;
    uint64_t rows = 0;
    marking m = {.recoding = recoding, .counts = counts};
    mgl_pool_run_ranges(pool, n, mark_range, &m);
    for (size_t i = 0; i < MGL_RANGES; i++) {
        n_top += m.n_top[i];
        rows += m.rows[i];
    }
    if (mgl_held_columns(recoding->columns, recoding->n_attributes) > 0)
        return n_top > 0 ? rows - restore_whole_strata(recoding, counts) : 0;
    if (n_top < n)
        return rows;
    memset(recoding->suppressed, 0, n);
    return 0;
}

/* The label of each ground value, if it is released as itself. */
static mgl_status find_ground(mgl_released_column *column, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = column->hierarchy;
    mgl_map *texts = mgl_map_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(texts != NULL, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        if (mgl_map_add(texts, column->values[v].label) != v)
            MGL_GO(mgl_fail_memory(err));
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        uint32_t value = mgl_map_find(texts, hierarchy->levels[0].labels[leaf]);
        column->of_leaf[0][leaf] = value;
        if (value != MGL_NOT_FOUND && value != column->top)
            column->values[value].level = 0;
    }
done:
    mgl_map_free(texts);
    return status;
}

static mgl_status fill(mgl_released_column *column, const mgl_span *labels, mgl_error *err)
{
    uint32_t levels = column->hierarchy->height + 1, n_leaves = column->hierarchy->n_leaves;
    column->values = mgl_zeroed_array(column->n_values, sizeof *column->values);
    column->n_levels = levels;
    column->of_leaf = mgl_zeroed_array(levels, sizeof *column->of_leaf);
    MGL_TRY(mgl_check_memory(column->values != NULL && column->of_leaf != NULL, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        column->values[v] = (mgl_released_value){.label = labels[v], .level = -1, .leaves = 1};
    for (uint32_t l = 0; l < levels; l++) {
        MGL_TRY(mgl_new_array(n_leaves, sizeof **column->of_leaf, err, &column->of_leaf[l]));
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            column->of_leaf[l][leaf] = column->top;
    }
    return find_ground(column, err);
}

mgl_status mgl_labels_column_new(const mgl_hierarchy *hierarchy, const mgl_span *labels,
                                 uint32_t n_labels, uint32_t top, mgl_error *err,
                                 mgl_released_column **out)
{
    mgl_released_column *column;
    MGL_TRY(mgl_new_zeroed(1, sizeof *column, err, &column));
    column->hierarchy = hierarchy;
    column->n_values = n_labels;
    column->top = top;
    mgl_status status = fill(column, labels, err);
    if (status != MGL_OK) {
        mgl_released_column_free(column);
        return status;
    }
    *out = column;
    return MGL_OK;
}
