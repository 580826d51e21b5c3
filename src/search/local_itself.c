/* Local suppression where a suppressed cell is a value like any other: the cell level with two
 * levels for each column. */
#include "search/cell_exact.h"
#include "search/local.h"

#include "search/methods.h"

enum {
    GUIDES = 512,           /* tuples that show which patterns matter, if there are too many */
    SMALL = 600,            /* distinct tuples of tables that are searched whole if need be */
    BOUND_WORK = 200000000, /* tuples looked at for bounds that save looking at tuples later */
    EXACT_WORK = 1000000000,
    BEST_WORK = 2000000000 /* for a proof that there is nothing better */
};

typedef struct work {
    const mgl_problem *problem;
    mgl_cell_space *space;
    mgl_cell_nodes *nodes;
    mgl_cell_release *release;
    uint32_t *bounds; /* [t] what a row costs at least */
    mgl_local l;
} work;

static mgl_status prepare(work *w, mgl_error *err)
{
    /* Without a limit rows may be left out, if they are not kept. */
    mgl_problem problem = *w->problem;
    problem.limit = problem.limited ? problem.limit : problem.list->n_rows;
    MGL_TRY(mgl_cell_space_flat(&problem, err, &w->space));
    size_t n = w->space->n;
    w->bounds = mgl_alloc_array(n, sizeof *w->bounds);
    if (w->bounds == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        w->bounds[t] = (uint32_t)t;
    MGL_TRY(mgl_cell_nodes_new(w->space, w->bounds, n, GUIDES, err, &w->nodes));
    return mgl_cell_simple_bound(w->space, BOUND_WORK, w->bounds, err);
}

/* The greedy placed not all tuples: classes may hold only if the right rows are left out. */
static mgl_status find_any(work *w, bool *met, mgl_error *err)
{
    bool proved;
    if (w->space->n > SMALL)
        return MGL_OK;
    MGL_TRY(mgl_cell_release_new(w->space, err, &w->release));
    MGL_TRY(mgl_cell_exact(w->space, EXACT_WORK, w->release, &proved, err));
    *met = true;
    for (size_t t = 0; t < w->space->n; t++)
        *met = *met && w->release->class_of[t] != MGL_NOT_FOUND;
    return MGL_OK;
}

/* Models of the whole table are not looked at while classes are made; if one does not hold, larger
 * classes may help. */
static mgl_status search(work *w, bool *met, mgl_error *err)
{
    uint64_t first = w->space->need;
    bool proved;
    *met = false;
    while (!*met && w->space->need <= w->space->n_rows) {
        mgl_cell_release_free(w->release);
        w->release = NULL;
        MGL_TRY(mgl_cell_place(w->space, w->nodes, w->bounds, &w->release, met, err));
        if (!*met && w->space->need == first)
            MGL_TRY(find_any(w, met, err));
        if (!*met)
            return MGL_OK;
        if (w->space->m <= MGL_LOCAL_COLUMNS) {
            w->l = (mgl_local){.timed_out = w->l.timed_out};
            mgl_local_columns(&w->l, w->space);
            MGL_TRY(mgl_local_regroup(&w->l, w->release, err));
        }
        if (w->problem->effort == MGL_EFFORT_BEST && w->space->n <= SMALL && !w->l.timed_out &&
            w->space->need == first)
            MGL_TRY(mgl_cell_exact(w->space, BEST_WORK, w->release, &proved, err));
        MGL_TRY(mgl_cell_settle(w->release, met, err));
        w->space->need += !*met ? w->space->need / 2 + 1 : 0;
    }
    return MGL_OK;
}

/* Rows that read as the top are suppressed ones, however they came there. */
static mgl_status take(const work *w, mgl_recoding **out, mgl_error *err)
{
    const mgl_cell_space *s = w->space;
    mgl_recoding *recoding;
    MGL_TRY(mgl_recoding_new(w->problem->columns, s->m, s->n, err, &recoding));
    for (uint32_t c = 0; c < w->release->n_classes; c++) {
        const mgl_cell_class *x = &w->release->classes[c];
        bool top = c == 0 || mgl_cell_box_is_top(s, x->levels);
        for (size_t i = 0; i < x->n; i++) {
            uint32_t t = x->members[i];
            bool all = true;
            for (size_t a = 0; a < s->m; a++) {
                uint32_t level = top ? 1 : x->levels[a];
                recoding->cells[a][t] = s->attributes[a].released[level][s->leaves[t * s->m + a]];
                all = all && recoding->cells[a][t] == w->problem->columns[a]->top;
            }
            recoding->suppressed[t] = all;
        }
    }
    *out = recoding;
    return MGL_OK;
}

static mgl_status find(work *w, mgl_solution *out, mgl_error *err)
{
    bool met;
    MGL_TRY(prepare(w, err));
    MGL_TRY(search(w, &met, err));
    if (!met)
        return mgl_local_unmet(w->problem, 0, err);
    out->timed_out = w->l.timed_out;
    out->nodes_checked = w->nodes->n;
    return take(w, &out->recoding, err);
}

mgl_status mgl_local_itself(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                            mgl_error *err, mgl_solution *out)
{
    work w = {.problem = problem};
    bool met = true;
    mgl_status status = find(&w, out, err);
    mgl_cell_release_free(w.release);
    mgl_cell_nodes_free(w.nodes);
    mgl_cell_space_free(w.space);
    mgl_free(w.bounds);
    MGL_TRY(status);
    if (n_sets > 1)
        MGL_TRY(mgl_local_combine(problem, sets, n_sets, out, &met, err));
    for (size_t t = 0; t < problem->list->n_tuples; t++)
        out->suppressed_rows += out->recoding->suppressed[t] ? problem->list->counts[t] : 0;
    if (!met || (problem->limited && out->suppressed_rows > problem->limit))
        return mgl_local_unmet(problem, out->suppressed_rows, err);
    return MGL_OK;
}
