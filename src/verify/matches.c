/* Equal rows are one tuple; the columns where it is at the top are its pattern. For each pattern Q,
 * tuples of any pattern P are put into a table by P and their cells outside P and Q: a tuple of
 * pattern Q matches exactly those that it finds there under its own cells, P by P. */
#include "verify/matches.h"

#include <stdlib.h>

typedef struct counter {
    const mgl_matches *m;
    size_t n;           /* tuples */
    size_t *start;      /* [n + 1] their rows among the sorted ones */
    uint32_t *codes;    /* [n * n_columns] */
    uint64_t *pattern;  /* [n] */
    uint64_t *patterns; /* [n_patterns] different ones, ascending */
    size_t n_patterns;
    uint32_t *slots, *next; /* [size], [n] tuples under the same cells; number + 1 */
    size_t size;
    uint64_t *rows;  /* [n] of a tuple and all after it in its chain */
    uint32_t *stamp; /* [person] tuple it was last counted for, + 1 */
    uint64_t enough; /* rows with which every model holds */
    uint64_t least;  /* rows that match any tuple counted so far */
} counter;

/* ---- Tuples ------------------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void take_tuples(counter *c)
{
    const mgl_matches *m = c->m;
    c->n = 0;
    for (size_t from = 0, to; from < m->sorted->n_rows; from = to) {
        to = mgl_sorted_rows_end(m->sorted, from);
        uint64_t pattern = 0;
        for (size_t i = 0; i < m->n_columns; i++) {
            const mgl_dictionary *dictionary = m->columns[i]->dictionary;
            uint32_t code = mgl_column_code(m->columns[i], m->sorted->rows[from]);
            c->codes[c->n * m->n_columns + i] = code;
            bool top = mgl_span_equal(mgl_dictionary_value(dictionary, code), m->tops[i]);
            pattern |= (uint64_t)top << i;
        }
        c->pattern[c->n] = c->patterns[c->n] = pattern;
        c->start[c->n++] = from;
    }
    c->start[c->n] = m->sorted->n_rows;
    if (c->n > 0)
        qsort(c->patterns, c->n, sizeof *c->patterns, ascending);
    for (size_t i = 0; i < c->n; i++)
        if (i == 0 || c->patterns[i] != c->patterns[i - 1])
            c->patterns[c->n_patterns++] = c->patterns[i];
}

static uint64_t rows_of(const counter *c, size_t t)
{
    return c->start[t + 1] - c->start[t];
}

static mgl_status begin(counter *c, mgl_error *err)
{
    const mgl_matches *m = c->m;
    size_t n = 0;
    for (size_t from = 0; from < m->sorted->n_rows; from = mgl_sorted_rows_end(m->sorted, from))
        n++;
    c->size = 16;
    while (c->size < n * 2)
        c->size *= 2;
    uint32_t n_persons = 0;
    for (size_t i = 0; m->persons != NULL && i < m->sorted->n_rows; i++)
        if (m->persons[m->sorted->rows[i]] >= n_persons)
            n_persons = m->persons[m->sorted->rows[i]] + 1;
    c->start = mgl_alloc_array(n + 1, sizeof *c->start);
    c->codes = mgl_alloc_array(n * m->n_columns, sizeof *c->codes);
    c->pattern = mgl_alloc_array(n, sizeof *c->pattern);
    c->patterns = mgl_alloc_array(n, sizeof *c->patterns);
    c->slots = mgl_alloc_array(c->size, sizeof *c->slots);
    c->next = mgl_alloc_array(n, sizeof *c->next);
    c->rows = mgl_alloc_array(n, sizeof *c->rows);
    c->stamp = mgl_zeroed_array(n_persons, sizeof *c->stamp);
    if (c->start == NULL || c->codes == NULL || c->pattern == NULL || c->patterns == NULL ||
        c->slots == NULL || c->next == NULL || c->rows == NULL || c->stamp == NULL)
        return mgl_fail_memory(err);
    take_tuples(c);
    c->least = UINT64_MAX;
    for (size_t i = 0; i < m->n_models; i++) {
        mgl_group group = {.size = 1, .rows = 1};
        while (!mgl_model_holds(&m->models[i], &group) && group.size < m->sorted->n_rows)
            group.size++;
        c->enough = group.size > c->enough ? group.size : c->enough;
    }
    return MGL_OK;
}

static void end(counter *c)
{
    mgl_free(c->start);
    mgl_free(c->codes);
    mgl_free(c->pattern);
    mgl_free(c->patterns);
    mgl_free(c->slots);
    mgl_free(c->next);
    mgl_free(c->rows);
    mgl_free(c->stamp);
}

/* ---- The table ------------------------------------------------------------------------------ */

/* Where tuples of a pattern lie, or would lie, that have the cells of t outside some columns. */
static size_t find_slot(const counter *c, size_t t, uint64_t pattern, uint64_t outside)
{
    size_t m = c->m->n_columns;
    const uint32_t *codes = c->codes + t * m;
    uint64_t hash = pattern;
    for (size_t i = 0; i < m; i++)
        if ((outside >> i & 1) == 0)
            hash = (hash ^ (codes[i] + 1) * UINT64_C(0x9E3779B97F4A7C15)) *
                   UINT64_C(0xD6E8FEB86659FD93);
    for (size_t slot = (hash ^ hash >> 32) & (c->size - 1);; slot = (slot + 1) & (c->size - 1)) {
        size_t u = c->slots[slot];
        if (u == 0)
            return slot;
        bool same = c->pattern[--u] == pattern;
        for (size_t i = 0; same && i < m; i++)
            same = (outside >> i & 1) != 0 || codes[i] == c->codes[u * m + i];
        if (same)
            return slot;
    }
}

static void fill(counter *c, uint64_t pattern)
{
    memset(c->slots, 0, c->size * sizeof *c->slots);
    for (size_t u = 0; u < c->n; u++) {
        size_t slot = find_slot(c, u, c->pattern[u], c->pattern[u] | pattern);
        c->next[u] = c->slots[slot];
        c->rows[u] = rows_of(c, u) + (c->next[u] > 0 ? c->rows[c->next[u] - 1] : 0);
        c->slots[slot] = (uint32_t)u + 1;
    }
}

/* ---- Counting ---------------------------------------------------------------------------------
 */

/* More than this makes no difference to any model. */
static bool is_plenty(const counter *c, uint64_t count)
{
    return count >= c->enough && count >= c->least;
}

/* Persons of a chain that were not counted for t yet. */
static uint64_t count_persons(counter *c, size_t t, uint32_t first, uint64_t before)
{
    uint64_t persons = 0;
    for (uint32_t u = first; u != 0; u = c->next[u - 1])
        for (size_t i = c->start[u - 1]; i < c->start[u]; i++) {
            uint32_t person = c->m->persons[c->m->sorted->rows[i]];
            persons += c->stamp[person] != t + 1;
            c->stamp[person] = (uint32_t)t + 1;
            if (is_plenty(c, before + persons))
                return persons;
        }
    return persons;
}

static uint64_t count(counter *c, size_t t)
{
    uint64_t matching = 0;
    for (size_t i = 0; i < c->n_patterns && !is_plenty(c, matching); i++) {
        uint64_t pattern = c->patterns[i];
        uint32_t first = c->slots[find_slot(c, t, pattern, pattern | c->pattern[t])];
        if (first == 0)
            continue;
        matching +=
            c->m->persons != NULL ? count_persons(c, t, first, matching) : c->rows[first - 1];
    }
    return matching;
}

mgl_status mgl_matches_judge(const mgl_matches *m, mgl_error *err, mgl_found *found)
{
    counter c = {.m = m};
    if (m->n_columns > MGL_MATCHES_COLUMNS)
        return mgl_fail(err, MGL_USAGE,
                        "suppressed cells can match every value in at most %d columns, not %zu",
                        MGL_MATCHES_COLUMNS, m->n_columns);
    mgl_status status = begin(&c, err);
    for (size_t i = 0; i < m->n_models; i++)
        found[i] = MGL_FOUND_NOTHING;
    for (size_t i = 0; status == MGL_OK && i < c.n_patterns; i++) {
        fill(&c, c.patterns[i]);
        for (size_t t = 0; t < c.n; t++) {
            /* As many are equal to it already. */
            bool plenty = m->persons == NULL && is_plenty(&c, rows_of(&c, t));
            if (c.pattern[t] != c.patterns[i] || plenty)
                continue;
            mgl_group group = {.size = count(&c, t), .rows = rows_of(&c, t)};
            c.least = group.size < c.least ? group.size : c.least;
            for (size_t k = 0; k < m->n_models; k++)
                mgl_found_add(&found[k], &m->models[k], &group);
        }
    }
    end(&c);
    return status;
}
