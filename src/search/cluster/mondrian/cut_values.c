/* Makes groups of the tuples of a region, and cuts by the values of a hierarchy. cut.c calls it. */
#include "search/cluster/mondrian/cutting.h"

#include <stdlib.h>

/* Do all class-wise models hold for these tuples? */
static bool mondrian_holds(mgl_mondrian_cutter *c, const uint32_t *tuples, size_t n, uint64_t rows)
{
    if (rows < c->regions->need)
        return false;
    if (c->maker == NULL)
        return true;
    const mgl_quasi_set *set = &c->regions->space->problem->sets[0];
    const mgl_group *group = mgl_group_maker_gather(c->maker, tuples, n);
    if (group->size < c->regions->need)
        return false;
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

void mgl_mondrian_gather(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    c->n_groups = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t *number = &c->group_of_key[run->keys[i]];
        if (*number == MGL_NOT_FOUND) {
            *number = c->n_groups++;
            c->groups[*number] = (mgl_mondrian_group){.key = run->keys[i]};
        }
        c->groups[*number].n++;
        c->groups[*number].rows += counts[run->order[i]];
    }
}

void mgl_mondrian_forget(mgl_mondrian_cutter *c)
{
    for (uint32_t g = 0; g < c->n_groups; g++)
        c->group_of_key[c->groups[g].key] = MGL_NOT_FOUND;
}

void mgl_mondrian_arrange(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < c->n_groups; g++) {
        c->group_of_key[c->groups[g].key] = g;
        c->groups[g].begin = at;
        at += c->groups[g].n;
    }
    for (uint32_t i = 0; i < run->n; i++) {
        mgl_mondrian_group *group = &c->groups[c->group_of_key[run->keys[i]]];
        run->other[group->begin++] = run->order[i];
    }
    for (uint32_t g = 0; g < c->n_groups; g++)
        c->groups[g].begin -= c->groups[g].n;
}

static bool judge(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, mgl_mondrian_group *group)
{
    group->holds = mondrian_holds(c, run->other + group->begin, group->n, group->rows);
    return group->holds;
}

bool mgl_mondrian_try(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    mgl_mondrian_gather(c, run);
    bool allowed = c->n_groups > 1;
    for (uint32_t g = 0; allowed && g < c->n_groups; g++)
        allowed = c->groups[g].rows >= c->regions->need;
    if (allowed)
        mgl_mondrian_arrange(c, run);
    for (uint32_t g = 0; allowed && g < c->n_groups; g++)
        allowed = judge(c, run, &c->groups[g]);
    mgl_mondrian_forget(c);
    return allowed;
}

/* ---- By the values of a hierarchy --------------------------------------------------------- */

static int compare_rows(const mgl_mondrian_group *x, const mgl_mondrian_group *y)
{
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Those that hold come first, the largest of them first. */
static int compare_largest_first(const void *p, const void *q)
{
    const mgl_mondrian_group *x = p, *y = q;
    return x->holds != y->holds ? (int)y->holds - (int)x->holds : compare_rows(x, y);
}

/* Those that hold come first, the largest of them last. */
static int compare_largest_last(const void *p, const void *q)
{
    const mgl_mondrian_group *x = p, *y = q;
    return x->holds != y->holds ? (int)y->holds - (int)x->holds : -compare_rows(x, y);
}

/* Which of the arranged tuples stay with their values: those before `end`; what follows is the
 * rest, a region of its own. */
typedef struct rest {
    uint32_t end;
    uint64_t rows; /* of the rest */
} rest;

static bool rest_holds(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, const rest *r)
{
    return mondrian_holds(c, run->other + r->end, run->n - r->end, r->rows);
}

/* What comes after the first so many groups. */
static rest rest_after(const mgl_mondrian_cutter *c, uint32_t kept)
{
    rest r = {.end = c->groups[kept].begin};
    for (uint32_t g = kept; g < c->n_groups; g++)
        r.rows += c->groups[g].rows;
    return r;
}

/* The rest takes the smallest value that holds, if it does not hold itself, then twice as many,
 * and so on: few looks at it, also where many values are needed. */
static bool rest_takes_values(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, uint32_t held,
                              rest *out)
{
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_largest_first);
    mgl_mondrian_arrange(c, run);
    *out = rest_after(c, held);
    for (uint32_t taken = 0; !rest_holds(c, run, out);) {
        taken = taken > 0 ? 2 * taken : 1;
        if (taken >= held)
            return false;
        *out = rest_after(c, held - taken);
    }
    return true;
}

/* The rest takes tuples of the largest value that holds, which must go on to hold: as few as give
 * it the rows it needs, then twice as many, and so on. */
static bool rest_takes_tuples(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, uint32_t held,
                              rest *out)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_largest_last);
    mgl_mondrian_arrange(c, run);
    const mgl_mondrian_group *from = &c->groups[held - 1];
    *out = rest_after(c, held);
    uint64_t left = from->rows;
    uint32_t wanted = 0, taken = 0;
    do {
        while (taken < from->n && (taken < wanted || out->rows < c->regions->need)) {
            uint64_t rows = counts[run->other[--out->end]];
            out->rows += rows;
            left -= rows;
            taken++;
        }
        if (taken == from->n || !mondrian_holds(c, run->other + from->begin, from->n - taken, left))
            return false;
        wanted = taken > 0 ? 2 * taken : 1;
    } while (!rest_holds(c, run, out));
    return true;
}

/* The keys become the numbers of the regions: one for each value that stays, one for the rest. */
static void number_regions(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, const rest *r)
{
    uint32_t kept = 0;
    while (kept < c->n_groups && c->groups[kept].begin < r->end)
        kept++;
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t g = c->group_of_key[run->keys[i]];
        run->keys[i] = c->groups[g].begin++ < r->end ? g : kept;
    }
    mgl_mondrian_forget(c);
    mgl_mondrian_gather(c, run);
    mgl_mondrian_arrange(c, run);
}

bool mgl_mondrian_cut_values(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    bool relaxed = mgl_mondrian_is_relaxed(c->regions->space->problem);
    uint32_t held = 0;
    rest r;
    mgl_mondrian_gather(c, run);
    if (c->maker != NULL)
        mgl_mondrian_arrange(c, run);
    for (uint32_t g = 0; g < c->n_groups; g++)
        held += judge(c, run, &c->groups[g]);
    bool allowed = held > 0;
    if (held == c->n_groups)
        mgl_mondrian_arrange(c, run);
    else if (allowed) {
        allowed =
            (relaxed && rest_takes_tuples(c, run, held, &r)) || rest_takes_values(c, run, held, &r);
        if (allowed)
            number_regions(c, run, &r);
    }
    mgl_mondrian_forget(c);
    return allowed;
}
