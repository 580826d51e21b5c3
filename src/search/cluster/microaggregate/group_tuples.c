/* Groups near tuples so that each group holds, whatever columns they have: tuples that miss the
 * same cells among themselves first. microaggregate.c groups a whole table with it,
 * within_classes.c one class after the other. */
#include "search/cluster/microaggregate/points.h"

typedef struct grouping {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_groups *groups;
    uint32_t *tuples; /* [n] */
    bool *late;
} grouping;

static bool is_line(const mgl_micro_space *space)
{
    for (size_t a = 0; a < space->m; a++)
        if (space->columns[a].axis_of_leaf != NULL)
            return false;
    return space->d == 1;
}

static mgl_status group_tuples(const grouping *x, size_t n, mgl_error *err)
{
    return is_line(x->space)
               ? mgl_micro_line(x->space, x->judge, x->tuples, n, x->groups, err, x->late)
               : mgl_micro_mdav(x->space, x->judge, x->tuples, n, x->groups, err, x->late);
}

/* Tuples that miss the same cells are grouped among themselves. */
static mgl_status group_kinds(const grouping *x, mgl_error *err)
{
    const mgl_micro_space *s = x->space;
    for (size_t kind = 0; kind < s->n_kinds; kind++) {
        size_t n = 0;
        for (size_t t = 0; t < s->n; t++)
            if (s->kind_of[t] == kind)
                x->tuples[n++] = (uint32_t)t;
        MGL_TRY(group_tuples(x, n, err));
    }
    return MGL_OK;
}

/* Those of which there are too few are grouped with each other. */
static mgl_status group_others(const grouping *x, mgl_error *err)
{
    size_t n = 0;
    for (size_t t = 0; t < x->space->n; t++)
        if (x->groups->group_of[t] == MGL_NOT_FOUND)
            x->tuples[n++] = (uint32_t)t;
    return n > 0 && x->space->n_kinds > 1 ? group_tuples(x, n, err) : MGL_OK;
}

mgl_status mgl_micro_group(const mgl_micro_space *space, mgl_micro_judge *judge,
                           mgl_micro_groups *groups, mgl_error *err, bool *late)
{
    size_t n = space->n;
    grouping x = {space, judge, groups, mgl_alloc_array(n, sizeof *x.tuples), late};
    mgl_status status = MGL_OK;
    if (x.tuples == NULL)
        MGL_GO(mgl_fail_memory(err));
    groups->n = groups->n_placed = 0;
    memset(groups->group_of, 0xFF, n * sizeof *groups->group_of);
    MGL_GO(group_kinds(&x, err));
    MGL_GO(group_others(&x, err));
    MGL_GO(mgl_micro_settle(space, judge, groups, err));
done:
    mgl_free(x.tuples);
    return status;
}
