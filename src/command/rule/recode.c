/* Says what each tuple at hand is released as by a saved recoding. By levels, where each column was
 * released at one; else a tuple of the recoding gets its recorded one, and any other the recorded
 * released tuple that covers it at least cost. `apply` calls it. */
#include "command/rule/rule.h"

#include "command/rule/cover_index.h"

#include <math.h>
#include <stdlib.h>

/* ---- Levels ---------------------------------------------------------------------------------- */

bool mgl_rule_has_levels(const mgl_saved_recoding *saved)
{
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->quasi[a].tree == NULL || saved->quasi[a].tree->level == MGL_NOT_FOUND)
            return false;
    return saved->n_quasi > 0;
}

/* What a leaf is at the level of its column; MGL_NOT_FOUND: it has no place, and needs one. */
static uint32_t text_at_level(const mgl_rule_order *o, size_t a, uint32_t leaf)
{
    const mgl_saved_tree *tree = o->saved->quasi[a].tree;
    const uint32_t *path = o->placed[a].path + (size_t)leaf * (tree->height + 1);
    if (tree->level == tree->height)
        return o->saved->quasi[a].top;
    return path[0] == MGL_NOT_FOUND ? MGL_NOT_FOUND : path[tree->height - tree->level];
}

mgl_status mgl_rule_by_levels(const mgl_rule_order *o, mgl_recoding *recoding, mgl_ruled *out)
{
    for (size_t t = 0; t < o->list->n_tuples; t++) {
        bool placed = true;
        for (size_t a = 0; placed && a < o->saved->n_quasi; a++) {
            size_t b = o->of_saved[a];
            recoding->cells[b][t] = text_at_level(o, a, mgl_list_leaf(o->list, t, b));
            placed = recoding->cells[b][t] != MGL_NOT_FOUND;
        }
        if (!placed)
            mgl_recoding_suppress(recoding, t);
        *(o->known[t] != MGL_NOT_FOUND ? &out->recorded_rows
          : placed                     ? &out->new_rows
                                       : &out->unplaced_rows) += o->list->counts[t];
    }
    return MGL_OK;
}

/* ---- Recorded released tuples ------------------------------------------------------------------
 */

/* A released tuple of the recoding that is not all at the top. */
typedef struct candidate {
    const mgl_saved_recoding *saved;
    uint32_t tuple; /* the first of the recoding that is released so */
    int64_t cost;   /* rounded, so that sums which differ by rounding alone are equal */
    uint64_t rows;
} candidate;

static const mgl_saved_label *told(const candidate *c, size_t a)
{
    return &c->saved->quasi[a].tree->told[c->saved->released[a][c->tuple]];
}

/* Least cost, then the larger class, then by first leaf in the order of the columns; of equal first
 * leaves the one with fewer leaves. */
static int compare_candidates(const void *p, const void *q)
{
    const candidate *x = p, *y = q;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    for (size_t a = 0; a < x->saved->n_quasi; a++) {
        const mgl_saved_label *i = told(x, a), *j = told(y, a);
        if (i->first_leaf != j->first_leaf)
            return i->first_leaf < j->first_leaf ? -1 : 1;
        if (i->leaves != j->leaves)
            return i->leaves < j->leaves ? -1 : 1;
    }
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static bool is_top(const mgl_saved_recoding *saved, size_t t)
{
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->released[a][t] != saved->quasi[a].top)
            return false;
    return true;
}

/* Costs as whole numbers, where that of the top is about a million million. */
static int64_t cost_of(const mgl_saved_recoding *saved, size_t t)
{
    double cost = 0, most = 0;
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_quasi *quasi = &saved->quasi[a];
        cost += quasi->tree->told[saved->released[a][t]].cost;
        most += quasi->tree->told[quasi->top].cost;
    }
    double share = most > 0 ? cost / most : 0;
    return share < 1e6 ? llround(share * 1e12) : INT64_MAX;
}

typedef struct candidates {
    candidate *all;
    uint32_t n;
    uint32_t **cells; /* [a][candidate] */
    const double **low, **high;
    uint32_t *n_cells;
    mgl_cover_index *index; /* NULL: there is nothing to choose from */
} candidates;

static void free_candidates(candidates *c, size_t m)
{
    for (size_t a = 0; c->cells != NULL && a < m; a++)
        mgl_free(c->cells[a]);
    mgl_free(c->cells);
    mgl_free(c->low);
    mgl_free(c->high);
    mgl_free(c->n_cells);
    mgl_free(c->all);
    mgl_cover_index_free(c->index);
}

static mgl_status list_candidates(const mgl_saved_recoding *saved, mgl_error *err, candidates *out)
{
    size_t m = saved->n_quasi;
    mgl_map *seen = mgl_map_new();
    uint32_t *key = mgl_alloc_array(m, sizeof *key);
    out->all = mgl_alloc_array(saved->n_tuples, sizeof *out->all);
    bool failed = seen == NULL || key == NULL || out->all == NULL;
    for (size_t t = 0; !failed && t < saved->n_tuples; t++) {
        if (is_top(saved, t) || saved->suppressed[t])
            continue;
        for (size_t a = 0; a < m; a++)
            key[a] = saved->released[a][t];
        uint32_t number = mgl_map_add(seen, (mgl_span){(const char *)key, m * sizeof *key});
        failed = number == MGL_NOT_FOUND;
        if (!failed && number == out->n)
            out->all[out->n++] = (candidate){saved, (uint32_t)t, cost_of(saved, t), 0};
        if (!failed)
            out->all[number].rows += saved->counts[t];
    }
    mgl_map_free(seen);
    mgl_free(key);
    if (failed)
        return mgl_fail_memory(err);
    if (out->n > 1)
        qsort(out->all, out->n, sizeof *out->all, compare_candidates);
    return MGL_OK;
}

static mgl_status index_candidates(const mgl_rule_order *o, mgl_error *err, candidates *out)
{
    size_t m = o->saved->n_quasi;
    MGL_TRY(list_candidates(o->saved, err, out));
    if (out->n == 0)
        return MGL_OK;
    out->cells = mgl_zeroed_array(m, sizeof *out->cells);
    out->low = mgl_alloc_array(m, sizeof *out->low);
    out->high = mgl_alloc_array(m, sizeof *out->high);
    out->n_cells = mgl_alloc_array(m, sizeof *out->n_cells);
    if (out->cells == NULL || out->low == NULL || out->high == NULL || out->n_cells == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        out->low[a] = o->placed[a].low;
        out->high[a] = o->placed[a].high;
        out->n_cells[a] = o->saved->quasi[a].n_labels;
        out->cells[a] = mgl_alloc_array(out->n, sizeof **out->cells);
        if (out->cells[a] == NULL)
            return mgl_fail_memory(err);
        for (uint32_t i = 0; i < out->n; i++)
            out->cells[a][i] = o->saved->released[a][out->all[i].tuple];
    }
    const mgl_cover_tuples tuples = {m,        out->n,    (const uint32_t *const *)out->cells,
                                     out->low, out->high, out->n_cells};
    return mgl_cover_index_new(&tuples, err, &out->index);
}

/* ---- Tuples ---------------------------------------------------------------------------------- */

typedef struct recoder {
    const mgl_rule_order *order;
    const candidates *candidates;
    mgl_recoding *recoding;
    double *points; /* [MGL_RANGES * n_quasi] */
    mgl_ruled ruled[MGL_RANGES];
} recoder;

static void take_recorded(const recoder *r, size_t t, uint32_t recorded)
{
    const mgl_saved_recoding *saved = r->order->saved;
    for (size_t a = 0; a < saved->n_quasi; a++)
        r->recoding->cells[r->order->of_saved[a]][t] = saved->released[a][recorded];
    if (is_top(saved, recorded) || saved->suppressed[recorded])
        mgl_recoding_suppress(r->recoding, t);
}

static void recode_tuple(recoder *r, size_t t, double *point, mgl_ruled *out)
{
    const mgl_rule_order *o = r->order;
    uint64_t rows = o->list->counts[t];
    bool placed = true;
    if (o->known[t] != MGL_NOT_FOUND) {
        take_recorded(r, t, o->known[t]);
        out->recorded_rows += rows;
        return;
    }
    for (size_t a = 0; a < o->saved->n_quasi; a++) {
        point[a] = o->placed[a].point[mgl_list_leaf(o->list, t, o->of_saved[a])];
        placed = placed && !isnan(point[a]);
    }
    uint32_t found = MGL_NOT_FOUND;
    if (placed && r->candidates->index != NULL)
        found = mgl_cover_find(r->candidates->index, point);
    if (found != MGL_NOT_FOUND)
        take_recorded(r, t, r->candidates->all[found].tuple);
    else
        mgl_recoding_suppress(r->recoding, t);
    *(!placed                  ? &out->unplaced_rows
      : found != MGL_NOT_FOUND ? &out->new_rows
                               : &out->uncovered_rows) += rows;
}

static void recode_range(void *context, mgl_range range)
{
    recoder *r = context;
    double *point = &r->points[range.number * r->order->saved->n_quasi];
    for (size_t t = range.first; t < range.end; t++)
        recode_tuple(r, t, point, &r->ruled[range.number]);
}

mgl_status mgl_rule_by_tuples(const mgl_rule_order *order, mgl_error *err, mgl_recoding *recoding,
                              mgl_ruled *out)
{
    size_t m = order->saved->n_quasi;
    candidates c = {0};
    recoder r = {.order = order, .candidates = &c, .recoding = recoding};
    mgl_status status = MGL_OK;
    MGL_GO(index_candidates(order, err, &c));
    r.points = mgl_alloc_array(MGL_RANGES * m, sizeof *r.points);
    if (r.points == NULL)
        MGL_GO(mgl_fail_memory(err));
    mgl_pool_run_ranges(order->pool, order->list->n_tuples, recode_range, &r);
    for (size_t i = 0; i < MGL_RANGES; i++) {
        out->recorded_rows += r.ruled[i].recorded_rows;
        out->new_rows += r.ruled[i].new_rows;
        out->uncovered_rows += r.ruled[i].uncovered_rows;
        out->unplaced_rows += r.ruled[i].unplaced_rows;
    }
done:
    mgl_free(r.points);
    free_candidates(&c, m);
    return status;
}
