/* Scores rows by the smallest sets of columns on which they are unique (SUDA). `risk` calls it. */
#include "risk/refine.h"

#include <math.h>

/* A minimal sample unique of a tuple. */
typedef struct unique {
    uint64_t mask;
    struct unique *next; /* of the same tuple */
} unique;

typedef struct finder {
    mgl_arena *arena;
    bool failed;
    uint64_t *by_size;     /* [m + 1] */
    uint64_t *with_column; /* [m * (m + 1)] by column and size */
} finder;

typedef struct search {
    const mgl_frequency_list *list;
    size_t m;
    unique **of_tuple;
    finder *workers;
    unsigned n_workers;
    double *scores;     /* [t] */
    double *factorials; /* [m + 1] */
} search;

/* A class in which every tuple stands for several rows cannot become a unique row. */
static bool has_single_rows(void *context, unsigned worker, uint64_t mask, const uint32_t *tuples,
                            size_t n)
{
    const search *s = context;
    (void)worker, (void)mask;
    for (size_t i = 0; i < n; i++)
        if (s->list->counts[tuples[i]] == 1)
            return true;
    return false;
}

/* The tuple is unique on the set: minimal if it is on no subset, all of which came before. */
static void note_unique(void *context, unsigned worker, uint64_t mask, uint32_t t)
{
    search *s = context;
    if (s->list->counts[t] > 1)
        return;
    for (const unique *u = s->of_tuple[t]; u != NULL; u = u->next)
        if ((u->mask & ~mask) == 0)
            return;
    finder *f = &s->workers[worker];
    unique *fresh = mgl_arena_alloc(f->arena, sizeof *fresh);
    if (fresh == NULL) {
        f->failed = true;
        return;
    }
    *fresh = (unique){mask, s->of_tuple[t]};
    s->of_tuple[t] = fresh;
    size_t size = (size_t)__builtin_popcountll(mask);
    s->scores[t] += s->factorials[s->m - size];
    f->by_size[size]++;
    for (uint64_t rest = mask; rest != 0; rest &= rest - 1)
        f->with_column[(size_t)__builtin_ctzll(rest) * (s->m + 1) + size]++;
}

static mgl_status begin(search *s, mgl_pool *pool, mgl_error *err)
{
    s->n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    s->of_tuple = mgl_zeroed_array(s->list->n_tuples, sizeof(unique *));
    s->workers = mgl_zeroed_array(s->n_workers, sizeof *s->workers);
    s->factorials = mgl_alloc_array(s->m + 1, sizeof *s->factorials);
    bool whole = s->of_tuple != NULL && s->workers != NULL && s->factorials != NULL;
    for (unsigned w = 0; whole && w < s->n_workers; w++) {
        finder *f = &s->workers[w];
        f->arena = mgl_arena_new();
        f->by_size = mgl_zeroed_array(s->m + 1, sizeof *f->by_size);
        f->with_column = mgl_zeroed_array(s->m * (s->m + 1), sizeof *f->with_column);
        whole = f->arena != NULL && f->by_size != NULL && f->with_column != NULL;
    }
    if (!whole)
        return mgl_fail_memory(err);
    s->factorials[0] = 1;
    for (size_t i = 1; i <= s->m; i++)
        s->factorials[i] = s->factorials[i - 1] * (double)i;
    return MGL_OK;
}

static void end(search *s)
{
    for (unsigned w = 0; s->workers != NULL && w < s->n_workers; w++) {
        mgl_arena_free(s->workers[w].arena);
        mgl_free(s->workers[w].by_size);
        mgl_free(s->workers[w].with_column);
    }
    mgl_free(s->workers);
    mgl_free(s->of_tuple);
    mgl_free(s->factorials);
}

static void sum_up(const search *s, mgl_suda *out)
{
    for (unsigned w = 0; w < s->n_workers; w++)
        for (size_t size = 1; size <= s->m; size++) {
            out->by_size[size] += s->workers[w].by_size[size];
            for (size_t a = 0; a < s->m; a++)
                out->contribution[a] += (double)s->workers[w].with_column[a * (s->m + 1) + size] *
                                        s->factorials[s->m - size];
        }
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        out->rows_above_zero += out->scores[t] > 0;
        out->sum_score += out->scores[t];
        out->max_score = out->scores[t] > out->max_score ? out->scores[t] : out->max_score;
    }
}

/* Scores as probabilities (DIS-SUDA): 1 / (1 + [P (1 - d) / d] / (s^Q A)), P rows in pairs, d the
 * sampling fraction, Q = 1 + (8 - K) / 20, A the sum of s^-Q. */
static void fill_dis(const search *s, double fraction, mgl_suda *out)
{
    double power = 1 + (8 - (double)s->m) / 20, sum = 0, pairs = 0;
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        sum += out->scores[t] > 0 ? pow(out->scores[t], -power) : 0;
        pairs += s->list->counts[t] == 2 ? 2 : 0;
    }
    double odds = pairs * (1 - fraction) / fraction;
    for (size_t t = 0; t < s->list->n_tuples; t++) {
        if (!(out->scores[t] > 0))
            continue;
        out->dis[t] = 1 / (1 + odds / (pow(out->scores[t], power) * sum));
        out->sum_dis += out->dis[t];
    }
}

static mgl_status find(search *s, double fraction, mgl_pool *pool, mgl_error *err, mgl_suda *out)
{
    mgl_refine_visitor visitor = {s, s->m, has_single_rows, note_unique};
    MGL_TRY(begin(s, pool, err));
    MGL_TRY(mgl_refine(s->list, &visitor, pool, err));
    for (unsigned w = 0; w < s->n_workers; w++)
        if (s->workers[w].failed)
            return mgl_fail_memory(err);
    sum_up(s, out);
    fill_dis(s, fraction, out);
    return MGL_OK;
}

mgl_status mgl_suda_new(const mgl_frequency_list *list, double fraction, mgl_pool *pool,
                        mgl_error *err, mgl_suda **out)
{
    size_t m = list->n_attributes;
    mgl_suda *suda = mgl_zeroed_array(1, sizeof *suda);
    if (suda == NULL)
        return mgl_fail_memory(err);
    suda->n_attributes = m;
    suda->scores = mgl_zeroed_array(list->n_tuples, sizeof *suda->scores);
    suda->dis = mgl_zeroed_array(list->n_tuples, sizeof *suda->dis);
    suda->by_size = mgl_zeroed_array(m + 1, sizeof *suda->by_size);
    suda->contribution = mgl_zeroed_array(m, sizeof *suda->contribution);
    bool whole = suda->scores != NULL && suda->dis != NULL && suda->by_size != NULL &&
                 suda->contribution != NULL;
    search s = {.list = list, .m = m, .scores = suda->scores};
    mgl_status status = whole ? find(&s, fraction, pool, err, suda) : mgl_fail_memory(err);
    end(&s);
    if (status != MGL_OK) {
        mgl_suda_free(suda);
        return status;
    }
    *out = suda;
    return MGL_OK;
}

void mgl_suda_free(mgl_suda *suda)
{
    if (suda == NULL)
        return;
    mgl_free(suda->scores);
    mgl_free(suda->dis);
    mgl_free(suda->by_size);
    mgl_free(suda->contribution);
    mgl_free(suda);
}
