/* In rounds: classes are counted on every combination, and each tuple in one that violates a model
 * loses the cell that is in most of these for its importance. Where nothing but suppressed cells
 * are left of a class and they are too few, the smallest other class joins it. combinations.c calls
 * it. */
#include "search/local/combinations.h"

typedef struct rounds {
    mgl_local_combined *c;
    uint32_t *scores; /* [t * m + a] violating combinations that the cell is in */
    size_t m;
    bool changed;
} rounds;

static bool is_free(const rounds *r, size_t a)
{
    const mgl_problem *p = r->c->problem;
    return p->max_level[a] == p->columns[a]->hierarchy->height;
}

static bool is_top(const rounds *r, size_t t, size_t a)
{
    return r->c->recoding->cells[a][t] == r->c->problem->columns[a]->top;
}

/* A row that reads as the top is a suppressed one. */
static void suppress_cell(rounds *r, size_t t, size_t a)
{
    mgl_recoding *recoding = r->c->recoding;
    bool all = true;
    recoding->cells[a][t] = r->c->problem->columns[a]->top;
    for (size_t b = 0; b < r->m; b++)
        all = all && is_top(r, t, b);
    recoding->suppressed[t] = all;
    r->changed = true;
}

/* Scores the cells of tuples that violate on this combination. False if there is a class of nothing
 * but suppressed cells among them. */
static bool score(rounds *r, uint32_t columns)
{
    bool cells_left = true;
    for (size_t t = 0; t < r->c->recoding->n_tuples; t++) {
        bool any = false, all = true;
        if (!r->c->violating[t])
            continue;
        for (size_t a = 0; a < r->m; a++) {
            if ((columns >> a & 1) == 0 || is_top(r, t, a))
                continue;
            all = false;
            any = any || is_free(r, a);
            r->scores[t * r->m + a] += is_free(r, a);
        }
        cells_left = cells_left && !all;
        if (!any && !all) { /* its cells may not be suppressed alone */
            mgl_recoding_suppress(r->c->recoding, t);
            r->changed = true;
        }
    }
    return cells_left;
}

/* The smallest class that is not at the top everywhere here. */
static void add_company(rounds *r, uint32_t columns)
{
    const mgl_classes *classes = &r->c->classes;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < classes->n_classes; k++) {
        bool all = true;
        for (size_t a = 0; a < r->m; a++)
            all = all && ((columns >> a & 1) == 0 || is_top(r, classes->first[k], a));
        if (!all && (best == SIZE_MAX || classes->sizes[k] < classes->sizes[best]))
            best = k;
    }
    for (size_t t = 0; best != SIZE_MAX && t < r->c->recoding->n_tuples; t++) {
        if (classes->of_tuple[t] != best)
            continue;
        for (size_t a = 0; a < r->m; a++) {
            if ((columns >> a & 1) == 0 || is_top(r, t, a))
                continue;
            if (is_free(r, a)) {
                suppress_cell(r, t, a);
            } else {
                mgl_recoding_suppress(r->c->recoding, t);
                r->changed = true;
            }
        }
    }
}

static void suppress_best(rounds *r, size_t t)
{
    const double *importance = mgl_local_importance(r->c->problem);
    const uint32_t *scores = r->scores + t * r->m;
    size_t best = SIZE_MAX;
    for (size_t a = 0; a < r->m; a++)
        if (scores[a] > 0 && !is_top(r, t, a) &&
            (best == SIZE_MAX || scores[a] * importance[best] > scores[best] * importance[a]))
            best = a;
    if (best != SIZE_MAX)
        suppress_cell(r, t, best);
}

mgl_status mgl_local_rounds(mgl_local_combined *c, mgl_error *err, bool *met)
{
    size_t n = c->recoding->n_tuples;
    rounds r = {.c = c, .m = c->recoding->n_attributes, .changed = true};
    mgl_status status = MGL_OK;
    r.scores = mgl_alloc_array(n * r.m, sizeof *r.scores);
    if (r.scores == NULL)
        return mgl_fail_memory(err);
    mgl_local_restore_all(c);
    for (*met = false; status == MGL_OK && !*met && r.changed;) {
        r.changed = false;
        *met = true;
        memset(r.scores, 0, n * r.m * sizeof *r.scores);
        for (size_t i = 0; i < c->n_sets; i++) {
            memset(c->violating, 0, n);
            if (!mgl_local_violates(c, c->sets[i]))
                continue;
            *met = false;
            if (!score(&r, c->sets[i]))
                add_company(&r, c->sets[i]);
        }
        for (size_t t = 0; t < n; t++)
            suppress_best(&r, t);
        status = mgl_progress_report(c->problem->progress, "search", 0, 0, err);
    }
    mgl_free(r.scores);
    return status;
}
