/* Finds cuts: odd sets of tuples of which the solution of the linear program covers too many pairs.
 * branch.c calls it. */
#include "search/cell/exact/inner.h"

#include <stdlib.h>

enum {
    AT_ONCE = 40,  /* cuts added at a time */
    PER_TUPLE = 3, /* of these, with the same tuple */
    MOST_FOUND = 4000
};

#define FRACTION 1e-4 /* values this near to 0 or 1 are taken for that */
#define VIOLATED 0.02

mgl_status mgl_exact_cuts_init(mgl_exact_cuts *cuts, size_t n_tuples, mgl_error *err)
{
    cuts->n = 0;
    cuts->start = mgl_zeroed_array(n_tuples + 1, sizeof *cuts->start);
    cuts->of = mgl_alloc_array(MGL_EXACT_MOST_CUTS * MGL_EXACT_CUT_SIZE, sizeof *cuts->of);
    cuts->hits = mgl_zeroed_array(MGL_EXACT_MOST_CUTS, 1);
    cuts->touched = mgl_alloc_array(MGL_EXACT_MOST_CUTS, sizeof *cuts->touched);
    return cuts->start == NULL || cuts->of == NULL || cuts->hits == NULL || cuts->touched == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

void mgl_exact_cuts_free(mgl_exact_cuts *cuts)
{
    mgl_free(cuts->start);
    mgl_free(cuts->of);
    mgl_free(cuts->hits);
    mgl_free(cuts->touched);
}

/* The cuts of each tuple. */
static void index_cuts(mgl_exact_cuts *c, size_t n_tuples)
{
    memset(c->start, 0, (n_tuples + 1) * sizeof *c->start);
    for (size_t i = 0; i < c->n; i++)
        for (size_t j = 0; j < c->cuts[i].n; j++)
            c->start[c->cuts[i].tuples[j] + 1]++;
    for (size_t t = 0; t < n_tuples; t++)
        c->start[t + 1] += c->start[t];
    for (size_t i = c->n; i-- > 0;)
        for (size_t j = 0; j < c->cuts[i].n; j++)
            c->of[--c->start[c->cuts[i].tuples[j] + 1]] = (uint32_t)i;
    /* Filling moved each start to that of the tuple before. */
    memmove(c->start, c->start + 1, n_tuples * sizeof *c->start);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->cuts[i].n;
    c->start[n_tuples] = (uint32_t)n;
}

/* Forgets cuts that hold anyway. */
static void exact_forget_cuts(mgl_exact *x)
{
    mgl_exact_cuts *c = &x->cuts;
    bool kept[MGL_EXACT_MOST_CUTS];
    size_t n = 0;
    mgl_lp_drop_sums(&x->lp, x->space->n + x->may_leave_out, kept);
    for (size_t i = 0; i < c->n; i++)
        if (kept[i])
            c->cuts[n++] = c->cuts[i];
    c->n = n;
    index_cuts(c, x->space->n);
}

/* ---- Looking for cuts ----------------------------------------------------------------------- */

typedef struct finder {
    mgl_exact *x;
    uint32_t *classes; /* [n_classes] that are chosen by a fraction */
    double *shares;    /* [n_classes] */
    size_t n_classes;
    uint32_t *tuples; /* [n] of these classes */
    uint32_t *number; /* [n_tuples] place among these, or MGL_NOT_FOUND */
    size_t n;
    double *together; /* [n * n] how far two tuples are in one class */
    uint8_t *in;      /* [n_tuples] 1: in the set at hand */
    struct found {
        double violation;
        mgl_exact_cut cut;
    } * found;
    size_t n_found;
} finder;

static bool gather(finder *f)
{
    const mgl_exact *x = f->x;
    const mgl_exact_candidates *p = &x->candidates;
    size_t n_tuples = x->space->n;
    f->classes = mgl_alloc_array(x->lp.n_rows, sizeof *f->classes);
    f->shares = mgl_alloc_array(x->lp.n_rows, sizeof *f->shares);
    f->tuples = mgl_alloc_array(n_tuples, sizeof *f->tuples);
    f->number = mgl_alloc_array(n_tuples, sizeof *f->number);
    f->in = mgl_zeroed_array(n_tuples, 1);
    f->found = mgl_alloc_array(MOST_FOUND, sizeof *f->found);
    if (f->classes == NULL || f->shares == NULL || f->tuples == NULL || f->number == NULL ||
        f->in == NULL || f->found == NULL)
        return false;
    for (size_t t = 0; t < n_tuples; t++)
        f->number[t] = MGL_NOT_FOUND;
    for (size_t place = 0; place < x->lp.n_rows; place++) {
        uint32_t class = x->lp.basic[place];
        if (class >= MGL_LP_OWN || x->lp.x[place] < FRACTION || x->lp.x[place] > 1 - FRACTION)
            continue;
        f->classes[f->n_classes] = class;
        f->shares[f->n_classes++] = x->lp.x[place];
        for (size_t i = p->start[class]; i < p->start[class + 1]; i++)
            if (f->number[p->members[i]] == MGL_NOT_FOUND) {
                f->number[p->members[i]] = (uint32_t)f->n;
                f->tuples[f->n++] = p->members[i];
            }
    }
    f->together = mgl_zeroed_array(f->n * f->n + 1, sizeof *f->together);
    if (f->together == NULL)
        return false;
    for (size_t c = 0; c < f->n_classes; c++)
        for (size_t i = p->start[f->classes[c]]; i < p->start[f->classes[c] + 1]; i++)
            for (size_t j = p->start[f->classes[c]]; j < p->start[f->classes[c] + 1]; j++)
                if (i != j)
                    f->together[f->number[p->members[i]] * f->n + f->number[p->members[j]]] +=
                        f->shares[c];
    return true;
}

static void forget(finder *f)
{
    mgl_free(f->classes);
    mgl_free(f->shares);
    mgl_free(f->tuples);
    mgl_free(f->number);
    mgl_free(f->together);
    mgl_free(f->in);
    mgl_free(f->found);
}

static void insert(mgl_exact_cut *cut, uint32_t t)
{
    size_t at = cut->n++;
    for (; at > 0 && cut->tuples[at - 1] > t; at--)
        cut->tuples[at] = cut->tuples[at - 1];
    cut->tuples[at] = t;
}

/* Takes the set with the marked tuples if it is violated. */
static bool examine(finder *f, const mgl_exact_cut *cut)
{
    const mgl_exact_candidates *p = &f->x->candidates;
    double pairs = 0;
    for (size_t c = 0; c < f->n_classes; c++) {
        unsigned n = 0;
        for (size_t i = p->start[f->classes[c]]; i < p->start[f->classes[c] + 1]; i++)
            n += f->in[p->members[i]];
        size_t whole = n / 2;
        pairs += (double)whole * f->shares[c];
    }
    f->x->work += 4 * f->n_classes;
    size_t most = cut->n / 2;
    double violation = pairs - (double)most;
    if (violation < VIOLATED || f->n_found == MOST_FOUND)
        return false;
    f->found[f->n_found++] = (struct found){violation, *cut};
    return true;
}

static void find_triples(finder *f)
{
    size_t n = f->n;
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = a + 1; b < n; b++) {
            double first = f->together[a * n + b];
            for (uint32_t c = b + 1; first > 0 && c < n; c++) {
                if (first + f->together[a * n + c] + f->together[b * n + c] < 1 + VIOLATED)
                    continue;
                mgl_exact_cut cut = {0};
                insert(&cut, f->tuples[a]);
                insert(&cut, f->tuples[b]);
                insert(&cut, f->tuples[c]);
                for (size_t i = 0; i < 3; i++)
                    f->in[cut.tuples[i]] = 1;
                examine(f, &cut);
                for (size_t i = 0; i < 3; i++)
                    f->in[cut.tuples[i]] = 0;
            }
        }
}

/* The tuple that is most together with the set; n: none is. */
static size_t find_next(const finder *f, const mgl_exact_cut *cut)
{
    size_t best = f->n;
    double most = 0;
    for (size_t t = 0; t < f->n; t++) {
        double sum = 0;
        for (size_t i = 0; !f->in[f->tuples[t]] && i < cut->n; i++)
            sum += f->together[t * f->n + f->number[cut->tuples[i]]];
        if (sum > most + 1e-9) {
            best = t;
            most = sum;
        }
    }
    return best;
}

/* From each pair on, the tuple most together with the set joins it. */
static void find_larger(finder *f)
{
    for (uint32_t a = 0; a < f->n; a++)
        for (uint32_t b = 0; b < f->n; b++) {
            if (a == b || f->together[a * f->n + b] <= 0)
                continue;
            mgl_exact_cut cut = {0};
            bool taken = false;
            insert(&cut, f->tuples[a]);
            insert(&cut, f->tuples[b]);
            f->in[f->tuples[a]] = f->in[f->tuples[b]] = 1;
            while (!taken && cut.n < MGL_EXACT_CUT_SIZE) {
                size_t next = find_next(f, &cut);
                if (next == f->n)
                    break;
                insert(&cut, f->tuples[next]);
                f->in[f->tuples[next]] = 1;
                f->x->work += f->n * cut.n;
                taken = cut.n % 2 == 1 && examine(f, &cut);
            }
            for (size_t i = 0; i < cut.n; i++)
                f->in[cut.tuples[i]] = 0;
        }
}

/* ---- Taking them ---------------------------------------------------------------------------- */

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->violation != y->violation)
        return x->violation > y->violation ? -1 : 1;
    return memcmp(&x->cut, &y->cut, sizeof x->cut);
}

static bool is_known(const mgl_exact_cuts *cuts, const mgl_exact_cut *cut)
{
    for (size_t i = 0; i < cuts->n; i++)
        if (memcmp(&cuts->cuts[i], cut, sizeof *cut) == 0)
            return true;
    return false;
}

/* The most violated ones, not too many with the same tuple. */
static size_t take(finder *f)
{
    mgl_exact *x = f->x;
    mgl_exact_cuts *c = &x->cuts;
    size_t added = 0;
    qsort(f->found, f->n_found, sizeof *f->found, compare_found);
    for (size_t i = 0; i < f->n_found && added < AT_ONCE && c->n < MGL_EXACT_MOST_CUTS; i++) {
        const mgl_exact_cut *cut = &f->found[i].cut;
        bool room = true;
        for (size_t j = 0; j < cut->n; j++)
            room = room && f->in[cut->tuples[j]] < PER_TUPLE;
        if (!room || is_known(c, cut))
            continue;
        for (size_t j = 0; j < cut->n; j++)
            f->in[cut->tuples[j]]++;
        c->cuts[c->n++] = *cut;
        index_cuts(c, x->space->n);
        size_t most = cut->n / 2;
        mgl_lp_add_sum(&x->lp, (double)most);
        added++;
    }
    return added;
}

mgl_status mgl_exact_separate(mgl_exact *x, mgl_error *err, size_t *added)
{
    finder f = {.x = x};
    exact_forget_cuts(x);
    bool room = gather(&f);
    *added = 0;
    if (room) {
        find_triples(&f);
        if (f.n_found < AT_ONCE / 4)
            find_larger(&f);
        x->work += f.n * f.n * f.n / 8;
        *added = take(&f);
    }
    forget(&f);
    return room ? MGL_OK : mgl_fail_memory(err);
}
