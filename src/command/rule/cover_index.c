/* Finds the first of many tuples of intervals that covers a point in every column. `apply` asks it
 * for each new tuple which recorded ones cover it.
 *
 * The tuples are a tree with a level per column: those that agree in the columns so far share a
 * path. The entries below a path lie side by side, ordered by where their intervals begin, and are
 * searched by halves: each middle knows where the intervals of its range end at the latest, and the
 * first tuple below them. So only entries that cover the point are followed, and none that come
 * behind a tuple that was found. */
#include "command/rule/cover_index.h"

#include <stdlib.h>

typedef struct entry {
    double low, high;
    double range_high;         /* of the range whose middle it is: the largest */
    uint32_t first;            /* tuple below it */
    uint32_t range_first;      /* the same of the range */
    uint32_t below, below_end; /* its entries in the next column */
} entry;

struct mgl_cover_index {
    size_t n_columns;
    uint32_t *order; /* [n_columns] which column is the first, second, ... */
    entry **entries; /* [n_columns] */
    uint32_t n_roots;
};

/* ---- Making --------------------------------------------------------------------------------- */

typedef struct making {
    const mgl_cover_tuples *tuples;
    mgl_cover_index *index;
    uint32_t *sorted; /* [n_tuples] */
    uint32_t **rank;  /* [column][cell] its place by where the interval begins */
    uint32_t *spare;  /* [n_tuples] */
} making;

typedef struct begin {
    double low;
    uint32_t cell;
} begin;

static int compare_begins(const void *a, const void *b)
{
    const begin *x = a, *y = b;
    if (x->low != y->low)
        return x->low < y->low ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

static mgl_status rank_cells(making *m, size_t c, mgl_error *err)
{
    uint32_t n = m->tuples->n_cells[c];
    begin *begins = mgl_alloc_array(n, sizeof *begins);
    m->rank[c] = mgl_alloc_array(n, sizeof **m->rank);
    if (begins == NULL || m->rank[c] == NULL) {
        mgl_free(begins);
        return mgl_fail_memory(err);
    }
    for (uint32_t cell = 0; cell < n; cell++)
        begins[cell] = (begin){m->tuples->low[c][cell], cell};
    if (n > 1)
        qsort(begins, n, sizeof *begins, compare_begins);
    for (uint32_t i = 0; i < n; i++)
        m->rank[c][begins[i].cell] = i;
    mgl_free(begins);
    return MGL_OK;
}

/* Different cells of the column that tuples have. */
static uint32_t count_different(making *m, size_t c)
{
    uint32_t n = 0, n_cells = m->tuples->n_cells[c];
    uint8_t *seen = mgl_zeroed_array((size_t)n_cells + 1, 1);
    for (uint32_t t = 0; seen != NULL && t < m->tuples->n_tuples; t++) {
        uint32_t cell = m->tuples->cells[c][t];
        n += !seen[cell];
        seen[cell] = 1;
    }
    mgl_free(seen);
    return n;
}

/* The column with most different cells comes first: it tells most tuples apart. */
static mgl_status order_columns(making *m, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    uint32_t *different = mgl_alloc_array(n, sizeof *different);
    if (different == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n; c++) {
        different[c] = count_different(m, c);
        size_t at = c;
        for (; at > 0 && different[m->index->order[at - 1]] < different[c]; at--)
            m->index->order[at] = m->index->order[at - 1];
        m->index->order[at] = (uint32_t)c;
    }
    mgl_free(different);
    return MGL_OK;
}

/* Sorts by the columns in their order, the last one first: a counting sort per column, which keeps
 * the order of equal cells. */
static mgl_status sort_tuples(making *m, mgl_error *err)
{
    uint32_t n = m->tuples->n_tuples;
    for (uint32_t t = 0; t < n; t++)
        m->sorted[t] = t;
    for (size_t i = m->tuples->n_columns; i-- > 0;) {
        size_t c = m->index->order[i];
        uint32_t n_cells = m->tuples->n_cells[c];
        const uint32_t *cells = m->tuples->cells[c], *rank = m->rank[c];
        uint32_t *start = mgl_zeroed_array((size_t)n_cells + 1, sizeof *start);
        if (start == NULL)
            return mgl_fail_memory(err);
        for (uint32_t t = 0; t < n; t++)
            start[rank[cells[t]] + 1]++;
        for (uint32_t r = 0; r < n_cells; r++)
            start[r + 1] += start[r];
        for (uint32_t t = 0; t < n; t++)
            m->spare[start[rank[cells[m->sorted[t]]]]++] = m->sorted[t];
        mgl_free(start);
        uint32_t *sorted = m->sorted;
        m->sorted = m->spare;
        m->spare = sorted;
    }
    return MGL_OK;
}

/* The first place in the order of columns in which two neighbours differ. */
static size_t first_difference(const making *m, uint32_t at)
{
    size_t i = 0;
    for (; at > 0 && i < m->tuples->n_columns; i++) {
        const uint32_t *cells = m->tuples->cells[m->index->order[i]];
        if (cells[m->sorted[at]] != cells[m->sorted[at - 1]])
            break;
    }
    return i;
}

static mgl_status make_room(making *m, uint32_t *n_entries, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    for (uint32_t at = 0; at < m->tuples->n_tuples; at++)
        for (size_t i = first_difference(m, at); i < n; i++)
            n_entries[i]++;
    for (size_t i = 0; i < n; i++) {
        m->index->entries[i] = mgl_alloc_array(n_entries[i], sizeof **m->index->entries);
        if (m->index->entries[i] == NULL)
            return mgl_fail_memory(err);
    }
    m->index->n_roots = n_entries[0];
    return MGL_OK;
}

static void fill_entries(making *m, uint32_t *n_entries)
{
    size_t n = m->tuples->n_columns;
    memset(n_entries, 0, n * sizeof *n_entries);
    for (uint32_t at = 0; at < m->tuples->n_tuples; at++) {
        uint32_t t = m->sorted[at];
        size_t from = first_difference(m, at);
        for (size_t i = from; i < n; i++) {
            size_t c = m->index->order[i];
            uint32_t cell = m->tuples->cells[c][t];
            m->index->entries[i][n_entries[i]++] =
                (entry){.low = m->tuples->low[c][cell],
                        .high = m->tuples->high[c][cell],
                        .first = t,
                        .below = i + 1 < n ? n_entries[i + 1] : 0};
        }
        for (size_t i = 0; i < n; i++) {
            entry *e = &m->index->entries[i][n_entries[i] - 1];
            e->first = t < e->first ? t : e->first;
            e->below_end = i + 1 < n ? n_entries[i + 1] : 0;
        }
    }
}

/* Tells the middles what their ranges hold. */
static void fill_range(entry *entries, uint32_t from, uint32_t end)
{
    if (from >= end)
        return;
    uint32_t middle = from + (end - from) / 2;
    entry *e = &entries[middle];
    e->range_high = e->high;
    e->range_first = e->first;
    const uint32_t halves[2][2] = {{from, middle}, {middle + 1, end}};
    for (int h = 0; h < 2; h++) {
        if (halves[h][0] >= halves[h][1])
            continue;
        fill_range(entries, halves[h][0], halves[h][1]);
        const entry *other = &entries[halves[h][0] + (halves[h][1] - halves[h][0]) / 2];
        e->range_high = other->range_high > e->range_high ? other->range_high : e->range_high;
        e->range_first = other->range_first < e->range_first ? other->range_first : e->range_first;
    }
}

static void fill_ranges(mgl_cover_index *index, const uint32_t *n_entries)
{
    fill_range(index->entries[0], 0, index->n_roots);
    for (size_t i = 0; i + 1 < index->n_columns; i++)
        for (uint32_t e = 0; e < n_entries[i]; e++)
            fill_range(index->entries[i + 1], index->entries[i][e].below,
                       index->entries[i][e].below_end);
}

static mgl_status make(making *m, mgl_error *err)
{
    size_t n = m->tuples->n_columns;
    mgl_cover_index *index = m->index;
    index->n_columns = n;
    index->order = mgl_alloc_array(n, sizeof *index->order);
    index->entries = mgl_zeroed_array(n, sizeof *index->entries);
    m->rank = mgl_zeroed_array(n, sizeof *m->rank);
    m->sorted = mgl_alloc_array(m->tuples->n_tuples, sizeof *m->sorted);
    m->spare = mgl_alloc_array(m->tuples->n_tuples, sizeof *m->spare);
    uint32_t *n_entries = mgl_zeroed_array(n, sizeof *n_entries);
    mgl_status status = MGL_OK;
    if (index->order == NULL || index->entries == NULL || m->rank == NULL || m->sorted == NULL ||
        m->spare == NULL || n_entries == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < n; c++)
        MGL_GO(rank_cells(m, c, err));
    MGL_GO(order_columns(m, err));
    MGL_GO(sort_tuples(m, err));
    MGL_GO(make_room(m, n_entries, err));
    fill_entries(m, n_entries);
    fill_ranges(index, n_entries);
done:
    for (size_t c = 0; m->rank != NULL && c < n; c++)
        mgl_free(m->rank[c]);
    mgl_free(m->rank);
    mgl_free(m->sorted);
    mgl_free(m->spare);
    mgl_free(n_entries);
    return status;
}

mgl_status mgl_cover_index_new(const mgl_cover_tuples *tuples, mgl_error *err,
                               mgl_cover_index **out)
{
    making m = {.tuples = tuples, .index = mgl_zeroed_array(1, sizeof *m.index)};
    if (m.index == NULL)
        return mgl_fail_memory(err);
    mgl_status status = make(&m, err);
    if (status != MGL_OK) {
        mgl_cover_index_free(m.index);
        return status;
    }
    *out = m.index;
    return MGL_OK;
}

void mgl_cover_index_free(mgl_cover_index *index)
{
    if (index == NULL)
        return;
    for (size_t i = 0; index->entries != NULL && i < index->n_columns; i++)
        mgl_free(index->entries[i]);
    mgl_free(index->entries);
    mgl_free(index->order);
    mgl_free(index);
}

/* ---- Finding --------------------------------------------------------------------------------- */

typedef struct finding {
    const mgl_cover_index *index;
    const double *point;
    uint32_t best;
} finding;

static void follow(finding *f, size_t i, uint32_t from, uint32_t end);

static void follow_entry(finding *f, size_t i, const entry *e, double x)
{
    if (e->low > x || e->high < x || e->first >= f->best)
        return;
    if (i + 1 == f->index->n_columns)
        f->best = e->first;
    else
        follow(f, i + 1, e->below, e->below_end);
}

static void follow(finding *f, size_t i, uint32_t from, uint32_t end)
{
    const entry *entries = f->index->entries[i];
    double x = f->point[f->index->order[i]];
    while (from < end) {
        uint32_t middle = from + (end - from) / 2;
        const entry *e = &entries[middle];
        if (e->range_high < x || e->range_first >= f->best)
            return;
        follow(f, i, from, middle);
        follow_entry(f, i, e, x);
        if (e->low > x) /* all behind it begin later */
            return;
        from = middle + 1;
    }
}

uint32_t mgl_cover_find(const mgl_cover_index *index, const double *point)
{
    finding f = {index, point, MGL_NOT_FOUND};
    follow(&f, 0, 0, index->n_roots);
    return f.best;
}
