/* Counts the rows that match each row where a suppressed cell matches every value. */
#include "search/node/population_matches.h"
#include "search/node/matching_rows.h"
#include "search/node/node.h"

#include <stdlib.h>

/* ---- Population matches --------------------------------------------------------------------- */

/* Counts the rows of the population that match each class of a recoding. For models that look at a
 * population. */

/* Classes whose cells stand at the same levels are matched together: the population is
 * generalized to these levels once and looked up among them. A full-domain recoding has one
 * such signature, or a few where labels stand on several levels. */
typedef struct entry {
    uint64_t signature; /* hash of the levels */
    uint32_t class;
} entry;

struct mgl_population {
    const mgl_problem *problem;
    size_t n_tuples;          /* of the population */
    uint32_t **leaves;        /* [a][t] */
    uint64_t *hashes;         /* [n_tuples] of their cells at the levels at hand */
    const uint32_t **of_leaf; /* [a] the cells of these levels */
    entry *entries;           /* [classes] */
    uint32_t *slots;          /* class + 1; 0: free */
    size_t n_slots;
    mgl_owned own;
};

mgl_status mgl_population_new(const mgl_problem *problem, mgl_error *err, mgl_population **out)
{
    const mgl_frequency_list *list = problem->population;
    size_t m = problem->list->n_attributes;
    mgl_population *p;
    MGL_TRY(mgl_new_zeroed(1, sizeof *p, err, &p));
    p->problem = problem;
    p->n_tuples = list->n_tuples;
    p->n_slots = 64;
    while (p->n_slots <= problem->list->n_tuples * 2)
        p->n_slots *= 2;
    p->leaves = mgl_own_rows(&p->own, m, list->n_tuples, sizeof **p->leaves);
    p->entries = mgl_own_array(&p->own, problem->list->n_tuples, sizeof *p->entries);
    p->slots = mgl_own_array(&p->own, p->n_slots, sizeof *p->slots);
    p->hashes = mgl_own_array(&p->own, p->n_tuples, sizeof *p->hashes);
    p->of_leaf = mgl_own_array(&p->own, m, sizeof *p->of_leaf);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&p->own, err));
    for (size_t a = 0; a < m; a++)
        for (size_t t = 0; t < list->n_tuples; t++)
            p->leaves[a][t] = mgl_list_leaf(list, t, a);
    *out = p;
    p = NULL;
done:
    mgl_population_free(p);
    return status;
}

void mgl_population_free(mgl_population *p)
{
    if (p == NULL)
        return;
    mgl_owned_free(&p->own);
    mgl_free(p);
}

static uint64_t mix(uint64_t hash, uint64_t x)
{
    hash = (hash ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static int32_t cell_level(const mgl_population *p, uint32_t a, uint32_t value)
{
    return p->problem->columns[a]->values[value].level;
}

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->signature != y->signature)
        return x->signature < y->signature ? -1 : 1;
    return (x->class > y->class) - (x->class < y->class);
}

static bool same_levels(const mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                        uint32_t t, uint32_t u)
{
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        if (cell_level(p, a, cells[a][t]) != cell_level(p, a, cells[a][u]))
            return false;
    }
    return true;
}

/* Generalizes the population to the levels of the sample's cells. */
static void hash_population(mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                            uint32_t sample)
{
    memset(p->hashes, 0, p->n_tuples * sizeof *p->hashes);
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        const uint32_t *leaves = p->leaves[a];
        const uint32_t *of_leaf =
            p->problem->columns[a]->of_leaf[cell_level(p, a, cells[a][sample])];
        p->of_leaf[a] = of_leaf;
        for (size_t t = 0; t < p->n_tuples; t++)
            p->hashes[t] = mix(p->hashes[t], of_leaf[leaves[t]]);
    }
}

/* Does tuple t of the population match the class of tuple u? */
static bool is_under(const mgl_population *p, const mgl_quasi_set *set, uint32_t *const *cells,
                     size_t t, uint32_t u)
{
    for (size_t i = 0; i < set->n_attributes; i++) {
        uint32_t a = set->attributes[i];
        if (cells[a][u] != p->of_leaf[a][p->leaves[a][t]])
            return false;
    }
    return true;
}

/* Counts the population under the classes of entries first..end-1, which stand at the same
 * levels. */
static void match_signature(mgl_population *p, const mgl_quasi_set *set, const mgl_classes *classes,
                            uint32_t *const *cells, size_t first, size_t end, uint64_t *matching)
{
    size_t mask = 15;
    while (mask < (end - first) * 2)
        mask = mask * 2 + 1;
    memset(p->slots, 0, (mask + 1) * sizeof *p->slots);
    for (size_t e = first; e < end; e++) {
        uint32_t class = p->entries[e].class, t = classes->first[class];
        uint64_t hash = 0;
        for (size_t i = 0; i < set->n_attributes; i++)
            hash = mix(hash, cells[set->attributes[i]][t]);
        size_t slot = hash & mask;
        while (p->slots[slot] != 0)
            slot = (slot + 1) & mask;
        p->slots[slot] = class + 1;
    }
    hash_population(p, set, cells, classes->first[p->entries[first].class]);
    for (size_t t = 0; t < p->n_tuples; t++)
        for (size_t slot = p->hashes[t] & mask; p->slots[slot] != 0; slot = (slot + 1) & mask) {
            uint32_t class = p->slots[slot] - 1;
            if (is_under(p, set, cells, t, classes->first[class])) {
                matching[class] += p->problem->population->counts[t];
                break;
            }
        }
}

void mgl_population_match(mgl_population *p, const mgl_quasi_set *set, const mgl_classes *classes,
                          uint32_t *const *cells, uint64_t *matching)
{
    for (uint32_t c = 0; c < classes->n_classes; c++) {
        uint64_t signature = 0;
        for (size_t i = 0; i < set->n_attributes; i++) {
            uint32_t a = set->attributes[i];
            signature = mix(signature, (uint64_t)cell_level(p, a, cells[a][classes->first[c]]));
        }
        p->entries[c] = (entry){signature, c};
        matching[c] = 0;
    }
    qsort(p->entries, classes->n_classes, sizeof *p->entries, compare_entries);
    for (size_t first = 0, end; first < classes->n_classes; first = end) {
        end = first + 1;
        while (end < classes->n_classes &&
               same_levels(p, set, cells, classes->first[p->entries[first].class],
                           classes->first[p->entries[end].class]))
            end++;
        match_signature(p, set, classes, cells, first, end, matching);
    }
}

/* Tuples lie in a table by their pattern and their cells outside it and outside one other pattern:
 * a tuple of that one finds there what it matches, pattern by pattern. */
typedef struct matcher {
    const mgl_problem *problem;
    const mgl_recoding *recoding;
    const mgl_quasi_set *set;
    mgl_packing packing;
    size_t words;       /* of a key: packed cells, then the pattern */
    uint64_t *cells;    /* [t * words] */
    uint64_t *patterns; /* [n_patterns] different ones, ascending */
    size_t n_patterns;
    mgl_key_table table;
    uint32_t *next;      /* [t] in the same entry; MGL_NOT_FOUND ends it */
    uint32_t *list;      /* [n] */
    uint64_t *key, *all; /* [words] */
    mgl_classes classes;
    uint32_t *n_values;     /* [a] */
    mgl_group_maker *maker; /* NULL: rows count */
    mgl_owned own;
} matcher;

static bool is_left_out(const matcher *m, size_t t)
{
    return m->recoding->suppressed[t] && m->problem->treatment != MGL_KEEP;
}

static void take_cells(matcher *m)
{
    size_t n = m->recoding->n_tuples, last = m->words - 1;
    for (size_t t = 0; t < n; t++) {
        uint64_t *to = m->cells + t * m->words;
        memset(to, 0, m->words * sizeof *to);
        for (size_t i = 0; i < m->set->n_attributes; i++) {
            uint32_t a = m->set->attributes[i], cell = m->recoding->cells[a][t];
            to[m->packing.fields[i].word] |= (uint64_t)cell << m->packing.fields[i].shift;
            to[last] |= (uint64_t)(cell == m->recoding->columns[a]->top) << i;
        }
        m->patterns[t] = to[last];
    }
    mgl_sort_u64(m->patterns, n);
    for (size_t t = 0; t < n; t++)
        if (t == 0 || m->patterns[t] != m->patterns[t - 1])
            m->patterns[m->n_patterns++] = m->patterns[t];
}

static mgl_status make_packing(matcher *m, mgl_error *err)
{
    size_t k = m->set->n_attributes;
    m->n_values = mgl_own_array(&m->own, m->recoding->n_attributes, sizeof *m->n_values);
    uint32_t *here = mgl_alloc_array(k, sizeof *here);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(!m->own.missing && here != NULL, err));
    for (size_t a = 0; a < m->recoding->n_attributes; a++)
        m->n_values[a] = m->recoding->columns[a]->n_values;
    for (size_t i = 0; i < k; i++)
        here[i] = m->n_values[m->set->attributes[i]];
    MGL_GO(mgl_packing_init(&m->packing, here, k, err));
done:
    mgl_free(here);
    return status;
}

static mgl_status begin(matcher *m, mgl_error *err)
{
    size_t n = m->recoding->n_tuples, k = m->set->n_attributes;
    MGL_TRY(make_packing(m, err));
    m->words = m->packing.n_words + 1;
    m->cells = mgl_own_array(&m->own, n, m->words * sizeof *m->cells);
    m->patterns = mgl_own_array(&m->own, n, sizeof *m->patterns);
    m->next = mgl_own_array(&m->own, n, sizeof *m->next);
    m->list = mgl_own_array(&m->own, n, sizeof *m->list);
    m->key = mgl_own_array(&m->own, m->words, sizeof *m->key);
    m->all = mgl_own_array(&m->own, m->words, sizeof *m->all);
    MGL_TRY(mgl_owned_check(&m->own, err));
    memset(m->all, 0xFF, m->words * sizeof *m->all);
    MGL_TRY(mgl_key_table_init(&m->table, n, m->words, err));
    MGL_TRY(mgl_classes_init(&m->classes, n, k, err));
    if (m->problem->list->persons != NULL)
        MGL_TRY(mgl_group_maker_new(m->problem->list, err, &m->maker));
    take_cells(m);
    return MGL_OK;
}

static void end(matcher *m)
{
    mgl_packing_free(&m->packing);
    mgl_key_table_free(&m->table);
    mgl_classes_free(&m->classes);
    mgl_group_maker_free(m->maker);
    mgl_owned_free(&m->own);
}

/* The key of tuples with a pattern that have the cells of t outside these columns. */
static void make_key(matcher *m, size_t t, uint64_t pattern, uint64_t outside)
{
    memcpy(m->key, m->cells + t * m->words, m->words * sizeof *m->key);
    m->key[m->words - 1] = pattern;
    for (; outside != 0; outside &= outside - 1) {
        size_t i = (size_t)__builtin_ctzll(outside);
        uint64_t mask = (UINT64_C(1) << m->packing.fields[i].bits) - 1;
        m->key[m->packing.fields[i].word] &= ~(mask << m->packing.fields[i].shift);
    }
}

static uint64_t pattern_of(const matcher *m, size_t t)
{
    return m->cells[t * m->words + m->words - 1];
}

static void fill(matcher *m, uint64_t pattern)
{
    size_t n = m->recoding->n_tuples;
    mgl_key_table_clear(&m->table, n);
    for (size_t t = n; t-- > 0;) {
        if (is_left_out(m, t))
            continue;
        make_key(m, t, pattern_of(m, t), pattern_of(m, t) | pattern);
        uint32_t before = m->table.n;
        uint32_t e = mgl_key_table_add(&m->table, m->key, m->all, m->words, (uint32_t)t);
        m->next[t] = m->table.n > before ? MGL_NOT_FOUND : m->table.mark[e];
        m->table.mark[e] = (uint32_t)t;
        m->table.rows[e] += (uint32_t)m->problem->list->counts[t];
    }
}

/* Rows, or persons, that match a tuple; the table is that of its pattern. */
static uint64_t count(matcher *m, size_t t)
{
    uint64_t rows = 0;
    size_t n = 0;
    for (size_t i = 0; i < m->n_patterns; i++) {
        make_key(m, t, m->patterns[i], m->patterns[i] | pattern_of(m, t));
        uint32_t e = mgl_key_table_find(&m->table, m->key, m->all, m->words);
        if (e == 0)
            continue;
        rows += m->table.rows[e];
        for (uint32_t u = m->table.mark[e]; m->maker != NULL && u != MGL_NOT_FOUND; u = m->next[u])
            m->list[n++] = u;
    }
    return m->maker != NULL ? mgl_group_maker_gather(m->maker, m->list, n)->size : rows;
}

/* Calls fn for each class of equal tuples: one of its tuples, and how many rows match that. */
typedef void class_fn(void *context, matcher *m, size_t c, uint64_t size);

static void each_class(matcher *m, class_fn *fn, void *context)
{
    mgl_classes_group(&m->classes, m->recoding->cells, m->n_values, m->set->attributes,
                      m->set->n_attributes, m->problem->list->counts);
    for (size_t i = 0; i < m->n_patterns; i++) {
        fill(m, m->patterns[i]);
        for (size_t c = 0; c < m->classes.n_classes; c++) {
            size_t t = m->classes.first[c];
            if (pattern_of(m, t) == m->patterns[i] && !is_left_out(m, t))
                fn(context, m, c, count(m, t));
        }
    }
}

typedef struct judging {
    mgl_found *found;
    uint8_t *failing;
} judging;

static void judge_class(void *context, matcher *m, size_t c, uint64_t size)
{
    const judging *j = context;
    const mgl_quasi_set *set = m->set;
    mgl_group group = {.size = size, .rows = m->classes.sizes[c]};
    bool holds = true;
    for (size_t k = 0; k < set->n_models; k++) {
        holds = holds && mgl_model_holds(&set->models[k], &group);
        mgl_found_add(&j->found[k], &set->models[k], &group);
    }
    for (size_t u = 0; j->failing != NULL && !holds && u < m->recoding->n_tuples; u++)
        j->failing[u] |= m->classes.of_tuple[u] == c;
}

static mgl_status run(matcher *m, class_fn *fn, void *context, mgl_error *err)
{
    if (m->set->n_attributes > 64)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "missing-matches",
                            "suppressed cells can match every value in at most 64 columns, not %zu",
                            m->set->n_attributes);
    mgl_status status = begin(m, err);
    if (status == MGL_OK)
        each_class(m, fn, context);
    end(m);
    return status;
}

mgl_status mgl_match_judge(const mgl_problem *problem, const mgl_recoding *recoding,
                           const mgl_quasi_set *set, mgl_error *err, mgl_found *found,
                           uint8_t *failing)
{
    matcher m = {.problem = problem, .recoding = recoding, .set = set};
    judging j = {found, failing};
    for (size_t k = 0; k < set->n_models; k++)
        found[k] = MGL_FOUND_NOTHING;
    return run(&m, judge_class, &j, err);
}

typedef struct reporting {
    mgl_matched_class_fn *fn;
    void *context;
} reporting;

static void report_class(void *context, matcher *m, size_t c, uint64_t size)
{
    const reporting *reported = context;
    reported->fn(reported->context, size, m->classes.sizes[c], 1);
}

mgl_status mgl_match_each(const mgl_problem *problem, const mgl_recoding *recoding,
                          mgl_matched_class_fn *fn, void *context, mgl_error *err)
{
    uint32_t *all;
    MGL_TRY(mgl_new_array(recoding->n_attributes, sizeof *all, err, &all));
    for (size_t a = 0; a < recoding->n_attributes; a++)
        all[a] = (uint32_t)a;
    mgl_quasi_set set = {.attributes = all, .n_attributes = recoding->n_attributes};
    matcher m = {.problem = problem, .recoding = recoding, .set = &set};
    reporting reported = {fn, context};
    mgl_status status = run(&m, report_class, &reported, err);
    mgl_free(all);
    return status;
}
