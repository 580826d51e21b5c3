/* The cell level with several quasi-identifiers, each of which holds on its own. cell.c hands over
 * what has more than one.
 *
 * Releases: the best node for all columns, what protects all columns together, and what the sets
 * give when they take turns; the best of them is taken, so that none of these is ever better.
 *
 * The bound: cut the columns into pieces, each within one set. A release that holds on a set holds
 * on a piece of it, since classes of the piece are unions of classes of the set; its cells there
 * are a release of the piece, and so cost no less than the bound of the piece alone. Measures of
 * this method add up over cells, so that the bounds of all pieces together bound the whole
 * (docs/cell-level.md). */
#include "search/box/box.h"
#include "search/cell/cell.h"
#include "search/cell/cell_sets.h"
#include "search/fulldomain/fulldomain.h"
#include "search/sets/sets.h"

enum { FEW = 600 }; /* tuples: then all is tried */

/* ---- Releases --------------------------------------------------------------------------- */

/* One level for each column. MGL_UNMET if there is no such node. */
static mgl_status try_node(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_solution *node;
    mgl_problem brief = *problem;
    bool large = out->nodes_total > MGL_TOO_MANY_NODES;
    brief.brief = true;
    brief.wants_proof = false;
    MGL_TRY(mgl_method_run(large ? &mgl_top_down : &mgl_mingen, &brief, err, &node));
    mgl_recoding *recoding = node->recoding;
    node->recoding = NULL;
    out->timed_out = out->timed_out || node->timed_out;
    mgl_solution_free(node);
    return mgl_sets_take_better(problem, recoding, err, out);
}

/* ---- The bound -------------------------------------------------------------------------- */

typedef struct bounding {
    const mgl_problem *problem;
    size_t m;
    uint8_t *piece; /* [m] columns */
    uint8_t *taken; /* [m] those that earlier pieces have */
    bool whole, timed_out;
} bounding;

/* Under exempt a class at the top of the piece need not be exempt, as other columns may not be
 * there: it is allowed beside the rows that are left out, as it is where these are dropped. */
static mgl_status bound_piece(bounding *b, size_t q, mgl_error *err, double *sum)
{
    mgl_one_set one;
    mgl_bound_apart bound;
    mgl_one_set_request request = {.columns = b->piece, .models_of = q};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_one_set_make(b->problem, &request, err, &one));
    if (one.problem.treatment == MGL_EXEMPT)
        one.problem.treatment = MGL_DROP;
    MGL_GO(mgl_cell_bound_apart(&one.problem, err, &bound));
    *sum += bound.cost;
    b->whole = b->whole && bound.whole;
    b->timed_out = b->timed_out || bound.timed_out;
done:
    mgl_one_set_free(&one);
    return status;
}

/* Models of a population look at more than the rows of a class: they say nothing about unions. */
static bool may_divide(const mgl_problem *p)
{
    return p->population == NULL && p->list->persons == NULL;
}

/* The pieces are the first set, what the next one has beyond it, and so on. */
static mgl_status bound_from(bounding *b, size_t first, mgl_error *err, double *sum)
{
    const mgl_problem *p = b->problem;
    memset(b->taken, 0, b->m);
    *sum = 0;
    for (size_t i = 0; i < p->n_sets; i++) {
        size_t q = (first + i) % p->n_sets;
        const mgl_quasi_set *set = &p->sets[q];
        bool any = false;
        memset(b->piece, 0, b->m);
        for (size_t c = 0; c < set->n_attributes; c++) {
            uint32_t a = set->attributes[c];
            b->piece[a] = !b->taken[a];
            b->taken[a] = 1;
            any = any || b->piece[a];
        }
        if (any && (i == 0 || may_divide(p)))
            MGL_TRY(bound_piece(b, q, err, sum));
    }
    return MGL_OK;
}

static mgl_status find_bound(bounding *b, mgl_error *err, double *best)
{
    *best = 0;
    for (size_t first = 0; first < b->problem->n_sets && !mgl_problem_is_late(b->problem);
         first++) {
        double sum;
        MGL_TRY(bound_from(b, first, err, &sum));
        *best = sum > *best ? sum : *best;
    }
    return MGL_OK;
}

/* In the terms of the measure, for all columns. */
static mgl_status set_bound(const bounding *b, double cost, mgl_error *err, mgl_solution *out)
{
    mgl_problem all = *b->problem;
    mgl_box_space *space;
    all.n_sets = 1;
    MGL_TRY(mgl_box_space_new(&all, err, &space));
    out->best_possible = mgl_box_measured(space, cost * space->scale);
    out->bounded = true;
    out->exact = b->whole && out->recoding != NULL &&
                 cost >= mgl_sets_cost(b->problem, out->recoding) * (1 - 1e-12);
    mgl_box_space_free(space);
    return MGL_OK;
}

static mgl_status bound(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes;
    bounding b = {.problem = problem, .m = m, .whole = true};
    double best;
    mgl_status status = MGL_OK;
    b.piece = mgl_alloc_array(m, 1);
    b.taken = mgl_alloc_array(m, 1);
    if (b.piece == NULL || b.taken == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(find_bound(&b, err, &best));
    MGL_GO(set_bound(&b, best, err, out));
    out->timed_out = out->timed_out || b.timed_out;
done:
    mgl_free(b.piece);
    mgl_free(b.taken);
    return status;
}

/* Can a release that protects all columns together still be better? Its bound is quickly found. */
static mgl_status try_together(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    mgl_bound_apart bound;
    mgl_unite_sets(problem, &united);
    united.problem.effort = MGL_EFFORT_FAST;
    if (out->recoding != NULL && problem->list->n_tuples > FEW) {
        MGL_TRY(mgl_cell_bound_apart(&united.problem, err, &bound));
        if (bound.cost >= mgl_sets_cost(problem, out->recoding))
            return MGL_OK;
    }
    return mgl_sets_together(&mgl_cell, problem, err, out);
}

mgl_status mgl_cell_run_sets(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    MGL_TRY(mgl_sets_in_turn(&mgl_cell, problem, err, out));
    if (!mgl_problem_is_late(problem))
        MGL_TRY(try_together(problem, err, out));
    if (out->recoding == NULL || !mgl_problem_is_late(problem)) {
        mgl_status status = try_node(problem, err, out);
        if (status != MGL_OK && (status != MGL_UNMET || out->recoding == NULL))
            return status;
    }
    if (out->recoding == NULL)
        return mgl_fail_no_release(problem, mgl_cell.name, err);
    out->nodes_checked = out->nodes_total;
    return bound(problem, err, out);
}
