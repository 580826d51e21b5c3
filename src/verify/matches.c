/* Judges a release in which a suppressed cell matches every value. Equal rows are one tuple; the
 * columns where it is at the top are its pattern. A tuple of pattern Q matches those of pattern P
 * that have the same cells outside P and Q: the tuples of each two patterns are joined on these, by
 * a table of the fewer ones. */
#include "verify/matches.h"

typedef struct tuple {
    uint64_t pattern;
    size_t from, to; /* its rows among the sorted ones */
    uint64_t rows;   /* that these stand for */
} tuple;

/* Tuples of one pattern. */
typedef struct family {
    uint64_t pattern;
    size_t from, to;
} family;

typedef struct counter {
    mgl_owned owned;
    const mgl_matches *m;
    tuple *tuples; /* [n] by pattern */
    size_t n;
    uint32_t *codes; /* [n * n_columns] */
    family *families;
    size_t n_families;
    uint64_t *counts; /* [n] rows that match, or persons */
    uint32_t *wanted; /* [n_wanted] tuples of a family that are counted */
    size_t n_wanted;
    uint32_t *slots;   /* [size] of a table: tuple + 1 */
    size_t size, mask; /* slots there is room for; slots used, less 1 */
    uint32_t *next;    /* [n] under the same cells; tuple + 1 */
    uint64_t *rows;    /* [n] first under some cells: rows that have them */
    uint64_t *seen;    /* [person] the tuple that counted it last; persons alone */
    uint64_t total;    /* rows of all tuples */
    uint64_t least;    /* rows that match any tuple counted so far */
} counter;

static const mgl_sort_key by_pattern[] = {MGL_ASCENDING(tuple, pattern), MGL_ASCENDING(tuple, from),
                                          MGL_SORT_END};

static void take_tuples(counter *c)
{
    const mgl_matches *m = c->m;
    for (size_t from = 0, to; from < m->sorted->n_rows; from = to) {
        to = mgl_sorted_rows_end(m->sorted, from);
        uint64_t pattern = 0;
        for (size_t i = 0; i < m->n_columns; i++) {
            uint32_t code = mgl_column_code(m->columns[i], m->sorted->rows[from]);
            mgl_span text = mgl_dictionary_value(m->columns[i]->dictionary, code);
            pattern |= (uint64_t)mgl_span_equal(text, m->tops[i]) << i;
        }
        uint64_t rows = 0;
        for (size_t i = from; i < to; i++)
            rows += m->times != NULL ? m->times[m->sorted->rows[i]] : 1;
        c->tuples[c->n++] = (tuple){pattern, from, to, rows};
        c->total += rows;
    }
    mgl_sort(c->tuples, c->n, sizeof *c->tuples, by_pattern);
    for (size_t t = 0; t < c->n; t++) {
        uint32_t row = m->sorted->rows[c->tuples[t].from];
        for (size_t i = 0; i < m->n_columns; i++)
            c->codes[t * m->n_columns + i] = mgl_column_code(m->columns[i], row);
        if (t == 0 || c->tuples[t].pattern != c->tuples[t - 1].pattern)
            c->families[c->n_families++] = (family){c->tuples[t].pattern, t, t};
        c->families[c->n_families - 1].to = t + 1;
    }
}

static mgl_status begin(counter *c, mgl_error *err)
{
    const mgl_matches *m = c->m;
    size_t n = 0;
    uint32_t n_persons = 0;
    for (size_t from = 0; from < m->sorted->n_rows; from = mgl_sorted_rows_end(m->sorted, from))
        n++;
    for (size_t i = 0; m->persons != NULL && i < m->sorted->n_rows; i++)
        if (m->persons[m->sorted->rows[i]] >= n_persons)
            n_persons = m->persons[m->sorted->rows[i]] + 1;
    for (c->size = 16; c->size < n * 2;)
        c->size *= 2;
    c->tuples = mgl_own_array(&c->owned, n, sizeof *c->tuples);
    c->codes = mgl_own_array(&c->owned, n * m->n_columns, sizeof *c->codes);
    c->families = mgl_own_array(&c->owned, n, sizeof *c->families);
    c->counts = mgl_own_zeroed(&c->owned, n, sizeof *c->counts);
    c->wanted = mgl_own_array(&c->owned, n, sizeof *c->wanted);
    c->slots = mgl_own_array(&c->owned, c->size, sizeof *c->slots);
    c->next = mgl_own_array(&c->owned, n, sizeof *c->next);
    c->rows = mgl_own_array(&c->owned, n, sizeof *c->rows);
    c->seen = mgl_own_zeroed(&c->owned, n_persons, sizeof *c->seen);
    MGL_TRY(mgl_owned_check(&c->owned, err));
    c->least = UINT64_MAX;
    take_tuples(c);
    return MGL_OK;
}

static uint64_t rows_of(const counter *c, size_t t)
{
    return c->tuples[t].rows;
}

static void clear(counter *c, size_t expected)
{
    size_t size = 16;
    while (size < expected * 2)
        size *= 2;
    c->mask = size - 1;
    memset(c->slots, 0, size * sizeof *c->slots);
}

/* Where tuples of a pattern lie, or would lie, that have the cells of t there. */
static size_t find_slot(const counter *c, size_t t, uint64_t pattern, uint64_t outside)
{
    size_t m = c->m->n_columns;
    const uint32_t *codes = c->codes + t * m;
    uint64_t hash = pattern;
    for (size_t i = 0; i < m; i++)
        if ((outside >> i & 1) == 0)
            hash = (hash ^ codes[i]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t slot = (hash ^ hash >> 32) & c->mask;; slot = (slot + 1) & c->mask) {
        size_t u = c->slots[slot];
        if (u == 0)
            return slot;
        bool same = c->tuples[u - 1].pattern == pattern;
        for (size_t i = 0; same && i < m; i++)
            same = (outside >> i & 1) != 0 || codes[i] == c->codes[(u - 1) * m + i];
        if (same)
            return slot;
    }
}

/* Adds a tuple with so many rows to the entry with the same cells. */
static void add(counter *c, size_t t, uint64_t outside, uint64_t rows)
{
    size_t slot = find_slot(c, t, c->tuples[t].pattern, outside);
    uint32_t first = c->slots[slot];
    c->next[t] = first;
    c->rows[t] = rows + (first != 0 ? c->rows[first - 1] : 0);
    c->slots[slot] = (uint32_t)t + 1;
}

/* Persons of a chain that were not counted for t yet. */
static uint64_t count_persons(counter *c, size_t t, uint32_t first)
{
    uint64_t persons = 0;
    for (uint32_t u = first; u != 0; u = c->next[u - 1])
        for (size_t i = c->tuples[u - 1].from; i < c->tuples[u - 1].to; i++) {
            uint32_t person = c->m->persons[c->m->sorted->rows[i]];
            persons += c->seen[person] != t + 1;
            c->seen[person] = t + 1;
        }
    return persons;
}

/* Counts the tuples of a family for those wanted, which look them up. */
static void look_up(counter *c, const family *other, uint64_t outside)
{
    clear(c, other->to - other->from);
    for (size_t u = other->from; u < other->to; u++)
        add(c, u, outside, rows_of(c, u));
    for (size_t i = 0; i < c->n_wanted; i++) {
        uint32_t t = c->wanted[i], first = c->slots[find_slot(c, t, other->pattern, outside)];
        if (first != 0)
            c->counts[t] += c->rows[first - 1];
    }
}

/* The same, where those wanted are fewer: each tuple of the family looks for them. */
static void be_found(counter *c, const family *other, uint64_t pattern, uint64_t outside)
{
    clear(c, c->n_wanted);
    for (size_t i = 0; i < c->n_wanted; i++)
        add(c, c->wanted[i], outside, 0);
    for (size_t u = other->from; u < other->to; u++) {
        uint32_t first = c->slots[find_slot(c, u, pattern, outside)];
        if (first != 0)
            c->rows[first - 1] += rows_of(c, u);
    }
    for (size_t i = 0; i < c->n_wanted; i++) {
        uint32_t t = c->wanted[i];
        c->counts[t] += c->rows[c->slots[find_slot(c, t, pattern, outside)] - 1];
    }
}

static void count_rows(counter *c, uint64_t pattern)
{
    for (size_t p = 0; p < c->n_families; p++) {
        const family *other = &c->families[p];
        if (other->to - other->from < c->n_wanted)
            look_up(c, other, pattern | other->pattern);
        else
            be_found(c, other, pattern, pattern | other->pattern);
    }
}

/* A person of several rows counts once: each tuple looks through all families in one table. */
static void count_all_persons(counter *c, uint64_t pattern)
{
    clear(c, c->n);
    for (size_t u = 0; u < c->n; u++)
        add(c, u, pattern | c->tuples[u].pattern, 0);
    for (size_t i = 0; i < c->n_wanted; i++)
        for (size_t p = 0; p < c->n_families; p++) {
            uint64_t other = c->families[p].pattern;
            uint32_t t = c->wanted[i], first = c->slots[find_slot(c, t, other, pattern | other)];
            c->counts[t] += count_persons(c, t, first);
        }
}

/* Judges the tuples with this many rows of their own. */
static void judge(counter *c, uint64_t least, uint64_t below, mgl_found *found)
{
    for (size_t q = 0; q < c->n_families; q++) {
        c->n_wanted = 0;
        for (size_t t = c->families[q].from; t < c->families[q].to; t++)
            if (rows_of(c, t) >= least && rows_of(c, t) < below)
                c->wanted[c->n_wanted++] = (uint32_t)t;
        if (c->n_wanted > 0 && c->m->persons != NULL)
            count_all_persons(c, c->families[q].pattern);
        else if (c->n_wanted > 0)
            count_rows(c, c->families[q].pattern);
        for (size_t i = 0; i < c->n_wanted; i++) {
            uint32_t t = c->wanted[i];
            mgl_group group = {.size = c->counts[t], .rows = rows_of(c, t)};
            c->least = group.size < c->least ? group.size : c->least;
            for (size_t k = 0; k < c->m->n_models; k++)
                mgl_found_add(&found[k], &c->m->models[k], &group);
        }
    }
}

/* The least number of rows with which all models hold. */
static uint64_t find_enough(const counter *c)
{
    uint64_t enough = 1;
    for (size_t i = 0; i < c->m->n_models; i++) {
        mgl_group group = {.size = enough, .rows = enough};
        while (!mgl_model_holds(&c->m->models[i], &group) && enough <= c->total)
            group.size = group.rows = ++enough;
    }
    return enough;
}

mgl_status mgl_matches_judge(const mgl_matches *m, mgl_error *err, mgl_found *found)
{
    counter c = {.m = m};
    if (m->n_columns > MGL_MATCHES_COLUMNS)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "missing-matches",
                            "suppressed cells can match every value in at most %d columns, not %zu",
                            MGL_MATCHES_COLUMNS, m->n_columns);
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < m->n_models; i++)
        found[i] = MGL_FOUND_NOTHING;
    MGL_GO(begin(&c, err));
    if (m->persons != NULL) {
        judge(&c, 0, UINT64_MAX, found);
    } else {
        /* Tuples that hold by themselves matter only if fewer rows match them than match any other.
         */
        uint64_t enough = find_enough(&c), next = UINT64_MAX;
        judge(&c, 0, enough, found);
        for (size_t t = 0; t < c.n; t++)
            if (rows_of(&c, t) >= enough && rows_of(&c, t) < next)
                next = rows_of(&c, t);
        if (next < c.least) {
            judge(&c, next, next + 1, found);
            judge(&c, next + 1, c.least, found);
        }
    }
done:
    mgl_owned_free(&c.owned);
    return status;
}
