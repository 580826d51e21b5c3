/* Links the persons of an external table with the released tuples, on several threads. `attack`
 * calls it. */
#include "risk/risk.h"

/* The sensitive values of the rows that one person can be. */
typedef struct tally {
    const mgl_frequency_list *list;
    const uint32_t *unknown; /* [s] as mgl_known_persons has it */
    uint64_t rows;
    uint64_t **counts;  /* [s][value] all 0 between persons */
    uint32_t **touched; /* [s] values seen */
    size_t *n_touched;  /* [s] */
} tally;

typedef struct attacker {
    const mgl_matcher *matcher;
    const mgl_frequency_list *list;
    const mgl_known_persons *persons;
    mgl_linkage *link;
    tally *workers;
    unsigned n_workers;
} attacker;

enum { PERSONS_AT_ONCE = 256 };

static void count_tuple(void *context, uint32_t t)
{
    tally *y = context;
    y->rows += y->list->counts[t];
    for (size_t s = 0; s < y->list->n_sensitive; s++) {
        const mgl_sparse *sensitive = &y->list->sensitive[s];
        uint32_t unknown = y->unknown != NULL ? y->unknown[s] : 0;
        for (size_t i = sensitive->start[t]; i < sensitive->start[t + 1]; i++) {
            if (sensitive->values[i] + 1 == unknown)
                continue;
            uint64_t *count = &y->counts[s][sensitive->values[i]];
            if (*count == 0)
                y->touched[s][y->n_touched[s]++] = sensitive->values[i];
            *count += sensitive->counts[i];
        }
    }
}

/* The share of the most frequent value; forgets the values. */
static double take_share(tally *y, size_t s)
{
    uint64_t most = 0, known = 0;
    for (size_t i = 0; i < y->n_touched[s]; i++) {
        uint64_t *count = &y->counts[s][y->touched[s][i]];
        most = *count > most ? *count : most;
        known += *count;
        *count = 0;
    }
    y->n_touched[s] = 0;
    return known > 0 ? (double)most / (double)known : 0;
}

static void note_person(attacker *k, tally *y, size_t person)
{
    mgl_linkage *link = k->link;
    link->matches[person] = y->rows;
    for (size_t s = 0; s < link->n_sensitive; s++) {
        size_t place = s * link->n_persons + person;
        link->learnt[place] = y->n_touched[s] == 1 ? y->touched[s][0] : MGL_NOT_FOUND;
        link->shares[place] = take_share(y, s);
    }
    y->rows = 0;
}

static void attack_some(void *context, size_t item, unsigned worker)
{
    attacker *k = context;
    size_t first = item * PERSONS_AT_ONCE, end = first + PERSONS_AT_ONCE;
    end = end < k->link->n_persons ? end : k->link->n_persons;
    for (size_t person = first; person < end; person++) {
        mgl_match(k->matcher, k->persons->codes + person * k->list->n_attributes, count_tuple,
                  &k->workers[worker]);
        note_person(k, &k->workers[worker], person);
    }
}

static bool begin_tally(tally *y, const mgl_frequency_list *list, const uint32_t *unknown)
{
    size_t n = list->n_sensitive;
    y->list = list;
    y->unknown = unknown;
    y->counts = mgl_zeroed_array(n, sizeof *y->counts);
    y->touched = mgl_zeroed_array(n, sizeof *y->touched);
    y->n_touched = mgl_zeroed_array(n, sizeof *y->n_touched);
    bool whole = y->counts != NULL && y->touched != NULL && y->n_touched != NULL;
    for (size_t s = 0; whole && s < n; s++) {
        y->counts[s] = mgl_zeroed_array(list->sensitive[s].n_values, sizeof **y->counts);
        y->touched[s] = mgl_alloc_array(list->sensitive[s].n_values, sizeof **y->touched);
        whole = y->counts[s] != NULL && y->touched[s] != NULL;
    }
    return whole;
}

static void end_tally(tally *y, size_t n)
{
    for (size_t s = 0; s < n; s++) {
        if (y->counts != NULL)
            mgl_free(y->counts[s]);
        if (y->touched != NULL)
            mgl_free(y->touched[s]);
    }
    mgl_free(y->counts);
    mgl_free(y->touched);
    mgl_free(y->n_touched);
}

/* What the attacker would guess about anybody. */
static void fill_before(const mgl_frequency_list *list, tally *y, mgl_linkage *link)
{
    for (uint32_t t = 0; t < list->n_tuples; t++)
        count_tuple(y, t);
    for (size_t s = 0; s < link->n_sensitive; s++)
        link->before[s] = take_share(y, s);
    y->rows = 0;
}

/* In the order of the persons, so that threads make no difference. */
static void fill_after(mgl_linkage *link)
{
    size_t n = link->n_persons, n_matched = 0;
    for (size_t person = 0; person < n; person++)
        n_matched += link->matches[person] > 0;
    for (size_t s = 0; s < link->n_sensitive; s++) {
        double sum = 0;
        for (size_t person = 0; person < n; person++)
            sum += link->shares[s * n + person];
        link->after[s] = n_matched > 0 ? sum / (double)n_matched : 0;
    }
}

static mgl_status run(attacker *k, mgl_pool *pool, mgl_error *err)
{
    mgl_linkage *link = k->link;
    size_t n = link->n_persons, n_sensitive = link->n_sensitive;
    link->matches = mgl_alloc_array(n, sizeof *link->matches);
    link->learnt = mgl_alloc_array(n, (n_sensitive + 1) * sizeof *link->learnt);
    link->shares = mgl_alloc_array(n, (n_sensitive + 1) * sizeof *link->shares);
    link->before = mgl_zeroed_array(n_sensitive, sizeof *link->before);
    link->after = mgl_zeroed_array(n_sensitive, sizeof *link->after);
    k->workers = mgl_zeroed_array(k->n_workers, sizeof *k->workers);
    bool whole = link->matches != NULL && link->learnt != NULL && link->shares != NULL &&
                 link->before != NULL && link->after != NULL && k->workers != NULL;
    for (unsigned w = 0; whole && w < k->n_workers; w++)
        whole = begin_tally(&k->workers[w], k->list, k->persons->unknown);
    if (whole) {
        fill_before(k->list, &k->workers[0], link);
        mgl_pool_run(pool, (n + PERSONS_AT_ONCE - 1) / PERSONS_AT_ONCE, attack_some, k);
        fill_after(link);
    }
    for (unsigned w = 0; k->workers != NULL && w < k->n_workers; w++)
        end_tally(&k->workers[w], n_sensitive);
    mgl_free(k->workers);
    return whole ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_linkage_new(const mgl_matcher *matcher, const mgl_frequency_list *list,
                           const mgl_known_persons *persons, mgl_pool *pool, mgl_error *err,
                           mgl_linkage **out)
{
    mgl_linkage *link = mgl_zeroed_array(1, sizeof *link);
    if (link == NULL)
        return mgl_fail_memory(err);
    link->n_persons = persons->n;
    link->n_sensitive = list->n_sensitive;
    attacker k = {.matcher = matcher, .list = list, .persons = persons, .link = link};
    k.n_workers = pool != NULL ? mgl_pool_threads(pool) : 1;
    mgl_status status = run(&k, pool, err);
    if (status != MGL_OK) {
        mgl_linkage_free(link);
        return status;
    }
    *out = link;
    return MGL_OK;
}

void mgl_linkage_free(mgl_linkage *link)
{
    if (link == NULL)
        return;
    mgl_free(link->matches);
    mgl_free(link->learnt);
    mgl_free(link->shares);
    mgl_free(link->before);
    mgl_free(link->after);
    mgl_free(link);
}
