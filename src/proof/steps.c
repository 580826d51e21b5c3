/* Follows the steps of a better bound; boxes.c calls it once the prices are checked.
 *
 * A release is a choice among the classes named that has each tuple once. Prices that none of the
 * classes left exceeds bound the cost of all choices; a class that lacks so much that a choice with
 * it costs too much is ruled out. Where that is not enough, two tuples are in one class, or they
 * are not: both are followed. All costs are multiples of a step, so that what costs more than bound
 * - step costs the bound. */
#include "proof/checks.h"

/* Two tuples that are in one class, or not. Its case is done if nothing is left to look for. */
typedef struct pair {
    uint32_t t, u;
    bool together; /* the first case of the two */
    bool first;    /* which is done */
    bool done;     /* the case at hand is */
} pair;

typedef struct follower {
    const mgl_proof *proof;
    mgl_proof_candidates candidates;
    mgl_proof_sum enough; /* what is more than that is proved */
    pair *pairs;          /* [n_steps + 2] by depth; the first is no pair, but done or not */
    uint32_t depth;
    uint32_t *hits;    /* [most cuts] all 0 between classes */
    uint32_t *touched; /* [most cuts] */
    size_t *first;     /* [n_tuples + 1] */
    uint32_t *cut_of;  /* those of tuple t at first[t]..first[t + 1] */
    uint64_t overpriced;
} follower;

/* ---- Prices ------------------------------------------------------------------------ */

/* The cuts of each tuple. */
static void index_cuts(follower *f, const mgl_proof_step *s)
{
    size_t n = f->proof->n_tuples;
    memset(f->first, 0, (n + 1) * sizeof *f->first);
    for (size_t c = 0; c < s->n_cuts; c++)
        for (size_t i = 0; i < s->cuts[c].n; i++)
            f->first[s->cuts[c].tuples[i] + 1]++;
    for (size_t t = 0; t < n; t++)
        f->first[t + 1] += f->first[t];
    for (size_t c = 0; c < s->n_cuts; c++)
        for (size_t i = 0; i < s->cuts[c].n; i++)
            f->cut_of[f->first[s->cuts[c].tuples[i]]++] = (uint32_t)c;
    memmove(f->first + 1, f->first,
            n * sizeof *f->first); /* filling moved the starts to the ends */
    f->first[0] = 0;
}

static mgl_proof_sum bound_of(const follower *f, const mgl_proof_step *s)
{
    mgl_proof_sum sum = -(mgl_proof_sum)s->left * (mgl_proof_sum)mgl_proof_most_left_out(f->proof);
    for (size_t t = 0; t < f->proof->n_tuples; t++)
        sum += s->prices[t];
    for (size_t c = 0; c < s->n_cuts; c++)
        sum -= (mgl_proof_sum)(s->cuts[c].n / 2) * s->cuts[c].price;
    return sum;
}

/* What a class costs beyond its prices; a cut takes its price for each pair of its tuples. */
static mgl_proof_sum lack_of(follower *f, const mgl_proof_step *s, size_t class)
{
    const mgl_proof_candidates *p = &f->candidates;
    mgl_proof_sum lack = p->cost[class];
    size_t n = 0;
    for (size_t i = p->start[class]; i < p->start[class + 1]; i++) {
        uint32_t t = p->members[i];
        lack -= s->prices[t];
        if (p->left_out[class])
            lack += (mgl_proof_sum)f->proof->counts[t] * s->left;
        for (size_t j = f->first[t]; j < f->first[t + 1]; j++)
            if (f->hits[f->cut_of[j]]++ == 0)
                f->touched[n++] = f->cut_of[j];
    }
    for (size_t i = 0; i < n; i++) {
        lack += (mgl_proof_sum)(f->hits[f->touched[i]] / 2) * s->cuts[f->touched[i]].price;
        f->hits[f->touched[i]] = 0;
    }
    return lack;
}

/* True if nothing is left in this case. */
static bool take_prices(follower *f, const mgl_proof_step *s)
{
    mgl_proof_sum bound = bound_of(f, s);
    index_cuts(f, s);
    for (size_t c = 0; c < f->candidates.n; c++) {
        if (f->candidates.closed[c] != 0)
            continue;
        mgl_proof_sum lack = lack_of(f, s, c);
        f->overpriced += lack < 0;
        if (bound + lack > f->enough)
            f->candidates.closed[c] = f->depth;
    }
    return bound > f->enough;
}

/* ---- Pairs ------------------------------------------------------------------------- */

/* Rules out classes with one of the two tuples (together), or with both (not). */
static void close_pair(follower *f)
{
    const pair *x = &f->pairs[f->depth];
    mgl_proof_candidates *p = &f->candidates;
    for (size_t c = 0; c < p->n; c++) {
        unsigned n = 0;
        for (size_t i = p->start[c]; i < p->start[c + 1]; i++)
            n += p->members[i] == x->t || p->members[i] == x->u;
        if (p->closed[c] == 0 && n == (x->together ? 1 : 2))
            p->closed[c] = f->depth;
    }
}

static void open_again(follower *f)
{
    for (size_t c = 0; c < f->candidates.n; c++)
        if (f->candidates.closed[c] >= f->depth)
            f->candidates.closed[c] = 0;
}

static void begin_case(follower *f)
{
    f->pairs[f->depth].done = f->pairs[f->depth - 1].done;
    if (!f->pairs[f->depth].done)
        close_pair(f);
}

/* False if the step has no place here. */
static bool take_pair(follower *f, const mgl_proof_step *s)
{
    pair *x = &f->pairs[f->depth];
    if (s->kind == MGL_PROOF_TOGETHER) {
        f->pairs[++f->depth] = (pair){.t = s->pair[0], .u = s->pair[1], .together = true};
        begin_case(f);
        return true;
    }
    if (f->depth == 1 || x->together != (s->kind == MGL_PROOF_APART))
        return false;
    open_again(f);
    if (s->kind == MGL_PROOF_APART) {
        x->first = x->done;
        x->together = false;
        begin_case(f);
        return true;
    }
    f->depth--;
    f->pairs[f->depth].done = f->pairs[f->depth].done || (x->first && x->done);
    return true;
}

/* ---- All -------------------------------------------------------------------------------- */

/* A case that is done needs no more steps; a search that had not noticed may have written some. */
static mgl_status run(follower *f, const mgl_progress *progress, mgl_error *err, bool *proved)
{
    const mgl_proof_exact *x = f->proof->exact;
    bool fits = true;
    f->pairs[1] = (pair){0};
    for (size_t i = 0; i < x->n_steps && fits; i++) {
        const mgl_proof_step *s = &x->steps[i];
        MGL_TRY(mgl_progress_report(progress, "check", i, x->n_steps, err));
        if (s->kind != MGL_PROOF_PRICES)
            fits = take_pair(f, s);
        else if (!f->pairs[f->depth].done)
            f->pairs[f->depth].done = take_prices(f, s);
    }
    *proved = fits && f->depth == 1 && f->pairs[1].done;
    return MGL_OK;
}

static mgl_status begin(follower *f, mgl_error *err)
{
    const mgl_proof_exact *x = f->proof->exact;
    size_t cuts = 0, tuples = 0;
    for (size_t i = 0; i < x->n_steps; i++) {
        size_t n = 0;
        for (size_t c = 0; c < x->steps[i].n_cuts; c++)
            n += x->steps[i].cuts[c].n;
        cuts = x->steps[i].n_cuts > cuts ? x->steps[i].n_cuts : cuts;
        tuples = n > tuples ? n : tuples;
    }
    f->pairs = mgl_alloc_array(x->n_steps + 2, sizeof *f->pairs);
    f->hits = mgl_zeroed_array(cuts, sizeof *f->hits);
    f->touched = mgl_alloc_array(cuts, sizeof *f->touched);
    f->first = mgl_alloc_array(f->proof->n_tuples + 1, sizeof *f->first);
    f->cut_of = mgl_alloc_array(tuples, sizeof *f->cut_of);
    return f->pairs == NULL || f->hits == NULL || f->touched == NULL || f->first == NULL ||
                   f->cut_of == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

static void end(follower *f)
{
    mgl_proof_candidates_free(&f->candidates);
    mgl_free(f->pairs);
    mgl_free(f->hits);
    mgl_free(f->touched);
    mgl_free(f->first);
    mgl_free(f->cut_of);
}

static uint32_t count_leaves(const mgl_proof_column *x, uint32_t level, uint32_t value)
{
    uint32_t n = 0;
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++)
        n += x->value[level][leaf] == value;
    return n;
}

/* The least that a cell of the leaf costs which stands for as many leaves as on this level. */
static int64_t least_alike(const mgl_proof_column *x, const int64_t *cost, uint32_t level,
                           uint32_t leaf)
{
    uint32_t n = count_leaves(x, level, x->value[level][leaf]);
    int64_t least = cost[x->value[level][leaf]];
    for (uint32_t l = x->low; l <= x->high; l++)
        if (cost[x->value[l][leaf]] < least && count_leaves(x, l, x->value[l][leaf]) == n)
            least = cost[x->value[l][leaf]];
    return least;
}

/* Does every class cost a multiple of the step? It is enough to ask for one row, since a class has
 * the cheapest of the values that stand for the same leaves. */
static bool are_multiples(const mgl_proof *p, const mgl_proof_whole *whole)
{
    const mgl_proof_exact *e = p->exact;
    if (e->step == e->times)
        return true;
    int64_t step = e->step / e->times;
    bool fine = e->step % e->times == 0 && whole->top % step == 0;
    for (size_t a = 0; fine && a < p->n_columns; a++) {
        const mgl_proof_column *x = &p->columns[a];
        for (uint32_t l = x->low; l <= x->high; l++)
            for (uint32_t leaf = 0; fine && leaf < x->n_leaves; leaf++)
                fine = least_alike(x, whole->of[a], l, leaf) % step == 0;
    }
    return fine;
}

/* All rows at the top are a release, too, of which classes do not tell if rows there are exempt. */
static mgl_proof_sum cost_of_top(const mgl_proof *p, const mgl_proof_whole *whole)
{
    return (mgl_proof_sum)p->n_rows * (mgl_proof_sum)whole->top * p->exact->times;
}

static mgl_status follow(const mgl_proof *p, const mgl_proof_whole *whole,
                         const mgl_progress *progress, mgl_error *err, mgl_proof_verdict *out)
{
    const mgl_proof_exact *x = p->exact;
    follower f = {.proof = p, .depth = 1, .enough = (mgl_proof_sum)x->bound - x->step};
    mgl_proof_sum gap = f.enough - bound_of(&f, &x->steps[0]);
    bool proved = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_proof_name_classes(p, whole, gap < -1 ? -1 : gap, progress, err, &f.candidates,
                                  &f.overpriced));
    MGL_GO(begin(&f, err));
    if (are_multiples(p, whole) && x->bound <= cost_of_top(p, whole))
        MGL_GO(run(&f, progress, err, &proved));
done:
    out->classes = f.candidates.n;
    out->overpriced = f.overpriced;
    out->open = !proved;
    end(&f);
    return status;
}

static mgl_status try_sets(const mgl_proof *p, const mgl_proof_whole *whole,
                           const mgl_progress *progress, mgl_error *err, mgl_proof_verdict *out)
{
    mgl_proof_sum least = 0;
    mgl_status status =
        mgl_proof_try_sets(p, whole, p->exact->bound, progress, err, &least, &out->classes);
    out->open = p->exact->bound > least;
    return status;
}

mgl_status mgl_proof_follow(const mgl_proof *p, const mgl_progress *progress, mgl_error *err,
                            mgl_proof_verdict *out)
{
    mgl_proof_whole whole;
    mgl_status status = MGL_OK;
    out->open = true;
    MGL_GO(mgl_proof_whole_find(p, p->exact->rounded, err, &whole));
    if (whole.known)
        MGL_GO((p->exact->sets ? try_sets : follow)(p, &whole, progress, err, out));
    if (!out->open && out->overpriced == 0) {
        double units = (double)p->exact->bound / (double)p->exact->times;
        double proved = mgl_proof_value(p, units * whole.unit / mgl_proof_total(p));
        bool better = mgl_proof_rises(p) ? proved < out->proved : proved > out->proved;
        out->proved = better ? proved : out->proved;
    }
done:
    mgl_proof_whole_free(&whole, p->n_columns);
    return status;
}
