/* MDAV (maximum distance to average vector; Domingo-Ferrer and Torra 2005): a group around the
 * point farthest from the mean, one around the point farthest from that, and again.
 *
 * Tuples are moved whole, so a group can have more rows than it needs. Where models look at more
 * than rows, a group takes in the next nearest tuples until they hold. */
#include "search/cluster/microaggregate/points.h"

typedef struct mdav {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_tree *tree;
    mgl_micro_groups *groups;
    double *mean; /* [m] */
} mdav;

/* Each try looks at all members again: large groups grow by more than one tuple. */
static size_t next_size(size_t n, size_t most)
{
    size_t next = n + 1 + n / 16;
    return next < most ? next : most;
}

/* The group of a point; false if not even all that is left holds. */
static bool take_group(mdav *x, const double *point)
{
    const uint32_t *tuples;
    size_t left = mgl_micro_tree_size(x->tree), n = 0, tried = 0;
    uint64_t wanted = x->space->need, most = mgl_micro_tree_rows(x->tree);
    while (n < left) {
        n = mgl_micro_tree_nearest(x->tree, point, wanted, &tuples);
        tried = tried == 0 ? n : next_size(tried, n);
        while (tried < n && !mgl_micro_holds(x->judge, tuples, tried))
            tried = next_size(tried, n);
        if (tried < n || mgl_micro_holds(x->judge, tuples, tried)) {
            mgl_micro_groups_add(x->groups, tuples, tried);
            mgl_micro_tree_remove(x->tree, tuples, tried);
            return true;
        }
        wanted = wanted < most / 2 ? 2 * wanted : most;
    }
    return false;
}

static const double *point_of(const mdav *x, uint32_t tuple)
{
    return x->space->points + tuple * x->space->d;
}

/* The tuple farthest from the mean, if a group could be made around it. */
static bool take_outermost(mdav *x, uint32_t *tuple)
{
    mgl_micro_tree_mean(x->tree, x->mean);
    *tuple = mgl_micro_tree_farthest(x->tree, x->mean);
    return take_group(x, point_of(x, *tuple));
}

static bool is_left(const mdav *x, uint64_t times)
{
    return mgl_micro_tree_rows(x->tree) / times >= x->space->need;
}

/* From 3k rows on two groups at a time, then, from 2k on, one. */
static mgl_status make_groups(mdav *x, mgl_error *err, bool *late)
{
    bool goes_on = true;
    while (goes_on && !*late && is_left(x, 2)) {
        uint32_t outermost;
        goes_on = take_outermost(x, &outermost);
        if (goes_on && is_left(x, 2)) {
            uint32_t farthest = mgl_micro_tree_farthest(x->tree, point_of(x, outermost));
            goes_on = take_group(x, point_of(x, farthest));
        }
        MGL_TRY(mgl_micro_poll(x->space, x->groups->n_placed, err, late));
    }
    return MGL_OK;
}

/* What is left is a group, if it holds. */
static void take_rest(mdav *x)
{
    const uint32_t *tuples;
    size_t n = mgl_micro_tree_size(x->tree);
    if (n == 0)
        return;
    mgl_micro_tree_mean(x->tree, x->mean);
    mgl_micro_tree_nearest(x->tree, x->mean, mgl_micro_tree_rows(x->tree), &tuples);
    if (mgl_micro_holds(x->judge, tuples, n))
        mgl_micro_groups_add(x->groups, tuples, n);
}

mgl_status mgl_micro_mdav(const mgl_micro_space *space, mgl_micro_judge *judge,
                          const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                          mgl_error *err, bool *late)
{
    mdav x = {.space = space, .judge = judge, .groups = groups};
    x.mean = mgl_alloc_array(space->d, sizeof *x.mean);
    mgl_status status = MGL_OK;
    if (x.mean == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_micro_tree_new(space, tuples, n, err, &x.tree));
    MGL_GO(make_groups(&x, err, late));
    take_rest(&x);
done:
    mgl_micro_tree_free(x.tree);
    mgl_free(x.mean);
    return status;
}
