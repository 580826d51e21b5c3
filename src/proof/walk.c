/* Goes through all boxes that matter. boxes.c and classes.c call it and say what is done at
 * each. */
#include "proof/checks.h"

/* A step is a look at one tuple; this many take a few minutes. */
#define MOST_STEPS UINT64_C(400000000000)
#define REPORT_STEPS UINT64_C(50000000)

static mgl_status check_steps(mgl_proof_walk *w)
{
    if (w->steps >= w->next_report) {
        w->next_report = w->steps + REPORT_STEPS;
        MGL_TRY(mgl_progress_report(w->progress, "check", w->steps, 0, w->err));
    }
    if (w->steps > MOST_STEPS)
        return mgl_blame_key(
            w->err,
            mgl_fail(w->err, MGL_CODE_UNPROVED,
                     "the proof was not checked: it has more boxes than are looked at"),
            "proof");
    return MGL_OK;
}

bool mgl_proof_walk_is_over(mgl_proof_walk *w, size_t steps)
{
    w->steps += steps;
    if (w->status == MGL_OK)
        w->status = check_steps(w);
    return w->status != MGL_OK;
}

bool mgl_proof_is_nothing_new(const mgl_proof_walk *w, size_t a, uint32_t level,
                              const uint32_t *tuples, size_t n)
{
    const mgl_proof *p = w->proof;
    if (level == p->columns[a].low)
        return false;
    uint32_t lower = mgl_proof_value_of(p, tuples[0], a, level - 1);
    if (w->cost[a][lower] > w->cost[a][mgl_proof_value_of(p, tuples[0], a, level)])
        return false;
    return mgl_proof_read_alike(p, a, level - 1, tuples, n);
}

static void divide(mgl_proof_walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost);

static void take_piece(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                       size_t n, int64_t cost)
{
    uint32_t value = mgl_proof_value_of(w->proof, tuples[0], a, level);
    cost += w->cost[a][value];
    if (!w->matters(w->context, tuples, n, cost + w->rest[a + 1]) ||
        mgl_proof_is_nothing_new(w, a, level, tuples, n))
        return;
    w->values[a] = value;
    w->levels[a] = level;
    divide(w, a + 1, tuples, n, cost);
}

/* Divides the tuples by their values on a level; their order stays. Returns how many values. */
static size_t sort_out(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                       size_t n)
{
    mgl_proof_division *x = &w->divisions[a];
    size_t n_values = 0, at = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t v = mgl_proof_value_of(w->proof, tuples[i], a, level);
        if (x->count[v]++ == 0)
            x->values[n_values++] = v;
    }
    for (size_t i = 0; i < n_values; i++) {
        x->end[x->values[i]] = at;
        at += x->count[x->values[i]];
    }
    for (size_t i = 0; i < n; i++)
        x->tuples[x->end[mgl_proof_value_of(w->proof, tuples[i], a, level)]++] = tuples[i];
    return n_values;
}

static void divide_level(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                         size_t n, int64_t cost)
{
    mgl_proof_division *x = &w->divisions[a];
    size_t n_values = sort_out(w, a, level, tuples, n), at = 0;
    for (size_t i = 0; i < n_values; i++) {
        size_t size = x->count[x->values[i]];
        x->count[x->values[i]] = 0;
        take_piece(w, a, level, x->tuples + at, size, cost);
        at += size;
    }
}

/* The piece that the anchor is in. */
static void follow_level(mgl_proof_walk *w, size_t a, uint32_t level, const uint32_t *tuples,
                         size_t n, int64_t cost)
{
    uint32_t *piece = w->divisions[a].tuples;
    uint32_t value = mgl_proof_value_of(w->proof, w->anchor, a, level);
    size_t size = 0;
    for (size_t i = 0; i < n; i++)
        if (mgl_proof_value_of(w->proof, tuples[i], a, level) == value)
            piece[size++] = tuples[i];
    take_piece(w, a, level, piece, size, cost);
}

static void divide(mgl_proof_walk *w, size_t a, const uint32_t *tuples, size_t n, int64_t cost)
{
    if (a == w->proof->n_columns) {
        w->visit(w->context, tuples, n, cost);
        return;
    }
    const mgl_proof_column *x = &w->proof->columns[a];
    for (uint32_t level = x->low; level <= x->high && !mgl_proof_walk_is_over(w, n); level++) {
        if (w->anchor == MGL_NOT_FOUND)
            divide_level(w, a, level, tuples, n, cost);
        else
            follow_level(w, a, level, tuples, n, cost);
    }
}

void mgl_proof_walk_go(mgl_proof_walk *w, const uint32_t *tuples, size_t n)
{
    if (n > 0 && w->matters(w->context, tuples, n, w->rest[0]))
        divide(w, 0, tuples, n, 0);
}

/* The least that any value costs which cells of the column may have. */
static int64_t least_cost(const mgl_proof_walk *w, size_t a)
{
    const mgl_proof_column *x = &w->proof->columns[a];
    int64_t least = INT64_MAX;
    for (uint32_t l = x->low; l <= x->high; l++)
        for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
            int64_t cost = w->cost[a][x->value[l][leaf]];
            least = cost < least ? cost : least;
        }
    return least;
}

static bool begin_division(mgl_proof_division *x, size_t n_tuples, uint32_t n_values)
{
    *x = (mgl_proof_division){.tuples = mgl_alloc_array(n_tuples, sizeof *x->tuples),
                              .values = mgl_alloc_array(n_values, sizeof *x->values),
                              .count = mgl_zeroed_array(n_values, sizeof *x->count),
                              .end = mgl_alloc_array(n_values, sizeof *x->end)};
    return x->tuples != NULL && x->values != NULL && x->count != NULL && x->end != NULL;
}

mgl_status mgl_proof_walk_begin(mgl_proof_walk *w)
{
    const mgl_proof *p = w->proof;
    w->anchor = MGL_NOT_FOUND;
    w->rest = mgl_alloc_array(p->n_columns + 1, sizeof *w->rest);
    w->divisions = mgl_zeroed_array(p->n_columns, sizeof *w->divisions);
    w->values = mgl_zeroed_array(p->n_columns, sizeof *w->values);
    w->levels = mgl_zeroed_array(p->n_columns, sizeof *w->levels);
    if (w->rest == NULL || w->divisions == NULL || w->values == NULL || w->levels == NULL)
        return mgl_fail_memory(w->err);
    for (size_t a = 0; a < p->n_columns; a++)
        if (!begin_division(&w->divisions[a], p->n_tuples, p->columns[a].n_values))
            return mgl_fail_memory(w->err);
    w->rest[p->n_columns] = 0;
    for (size_t a = p->n_columns; a-- > 0;)
        w->rest[a] = w->rest[a + 1] + least_cost(w, a);
    return MGL_OK;
}

void mgl_proof_walk_end(mgl_proof_walk *w)
{
    for (size_t a = 0; w->divisions != NULL && a < w->proof->n_columns; a++) {
        mgl_free(w->divisions[a].tuples);
        mgl_free(w->divisions[a].values);
        mgl_free(w->divisions[a].count);
        mgl_free(w->divisions[a].end);
    }
    mgl_free(w->divisions);
    mgl_free(w->rest);
    mgl_free(w->values);
    mgl_free(w->levels);
}
