/* Judges a recoding, class by class, on every quasi-identifier or combination of columns. Where a
 * suppressed cell matches every value, the rows that match each row are counted instead. */
#include "search/node/node.h"
#include "search/node/population_matches.h"
#include "search/problem/problem.h"

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
    uint64_t *hashes;         /* [n_tuples] of their cells at the current levels */
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

static const mgl_sort_key by_signature[] = {MGL_ASCENDING(entry, signature),
                                            MGL_ASCENDING(entry, class), MGL_SORT_END};

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
    mgl_sort(p->entries, classes->n_classes, sizeof *p->entries, by_signature);
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

static mgl_status begin_matching(matcher *m, mgl_error *err)
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

static void judge_matches(void *context, matcher *m, size_t c, uint64_t size)
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
    mgl_status status = begin_matching(m, err);
    if (status == MGL_OK)
        each_class(m, fn, context);
    end(m);
    return status;
}

/* Judges models that look at numbers of rows alone by the rows that match on these columns. found
 * has one entry for each. Suppressed rows are left out unless they are kept. failing[t] becomes 1
 * for tuples that too few match; NULL: not asked for. */
static mgl_status match_judge(const mgl_problem *problem, const mgl_recoding *recoding,
                              const mgl_quasi_set *set, mgl_error *err, mgl_found *found,
                              uint8_t *failing)
{
    matcher m = {.problem = problem, .recoding = recoding, .set = set};
    judging j = {found, failing};
    for (size_t k = 0; k < set->n_models; k++)
        found[k] = MGL_FOUND_NOTHING;
    return run(&m, judge_matches, &j, err);
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

typedef struct judge {
    const mgl_problem *problem;
    const mgl_classes *known; /* of all columns; NULL: not known */
    uint32_t *n_values;       /* [a] */
    mgl_classes own;          /* of other columns; no room for them before the first of these */
    uint32_t *group_of;       /* [n_tuples] its class, or MGL_NOT_FOUND if it is left out */
    mgl_group_maker *maker;
    mgl_joiner *joiner; /* NULL: rows are looked at one by one */
    mgl_population *population;
    uint64_t *matching; /* [n_tuples] per class; NULL: no population */
    uint64_t *sizes;    /* [n_tuples] of the classes that are judged */
    uint64_t *weights;  /* [n_tuples] what they have as their population */
    uint32_t *number;   /* [n_tuples] which classes these are */
    uint8_t *violates;  /* [n_tuples] per class */
    uint8_t
        *failing; /* becomes 1 for tuples of classes that violate a model; NULL: not asked for */
    mgl_owned memory;
} judge;

static mgl_status take_population(judge *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    if (p->population == NULL)
        return MGL_OK;
    j->matching = mgl_own_zeroed(&j->memory, p->list->n_tuples, sizeof *j->matching);
    MGL_TRY(mgl_owned_check(&j->memory, err));
    return mgl_population_new(p, err, &j->population);
}

static mgl_status begin(judge *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    size_t n = p->list->n_attributes, n_tuples = p->list->n_tuples;
    j->n_values = mgl_own_array(&j->memory, n, sizeof *j->n_values);
    j->group_of = mgl_own_array(&j->memory, n_tuples, sizeof *j->group_of);
    j->sizes = mgl_own_array(&j->memory, n_tuples, sizeof *j->sizes);
    j->weights = mgl_own_array(&j->memory, n_tuples, sizeof *j->weights);
    j->number = mgl_own_array(&j->memory, n_tuples, sizeof *j->number);
    j->violates = mgl_own_array(&j->memory, n_tuples, sizeof *j->violates);
    MGL_TRY(mgl_owned_check(&j->memory, err));
    for (size_t a = 0; a < n; a++)
        j->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_group_maker_new(p->list, err, &j->maker));
    if (p->list->joined != NULL)
        MGL_TRY(mgl_joiner_new(p->list, err, &j->joiner));
    return take_population(j, err);
}

static mgl_status find_classes(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                               mgl_error *err, const mgl_classes **out)
{
    const mgl_frequency_list *list = j->problem->list;
    *out = j->known;
    if (j->known != NULL && j->joiner == NULL && set->n_attributes == list->n_attributes)
        return MGL_OK;
    if (j->own.of_tuple == NULL)
        MGL_TRY(mgl_classes_init(&j->own, list->n_tuples, list->n_attributes, err));
    mgl_classes_group(&j->own, recoding->cells, j->n_values, set->attributes, set->n_attributes,
                      list->counts);
    if (j->joiner != NULL)
        mgl_classes_join(j->joiner, &j->own);
    *out = &j->own;
    return MGL_OK;
}

/* What is suppressed: a class like any other if they are kept, or none. */
static void partition(judge *j, const mgl_recoding *recoding, const mgl_classes *classes)
{
    bool kept = j->problem->treatment == MGL_KEEP;
    uint64_t *rows = mgl_group_maker_rows(j->maker);
    if (rows != NULL && j->failing == NULL) {
        /* Where a class is a number of rows, that is what it has less what is suppressed. */
        memcpy(rows, classes->sizes, classes->n_classes * sizeof *rows);
        for (size_t t = 0; j->problem->treatment != MGL_KEEP && t < recoding->n_tuples; t++)
            if (recoding->suppressed[t])
                rows[classes->of_tuple[t]] -= j->problem->list->counts[t];
        return;
    }
    for (size_t t = 0; t < recoding->n_tuples; t++)
        j->group_of[t] = recoding->suppressed[t] && !kept ? MGL_NOT_FOUND : classes->of_tuple[t];
    mgl_group_maker_partition(j->maker, j->group_of, classes->n_classes);
}

/* Judges one class, and notes its size and population; true if it violates a model and that was
 * asked for. */
static bool judge_class(judge *j, const mgl_quasi_set *set, size_t c, mgl_found *found,
                        size_t *n_sizes)
{
    mgl_group group = *mgl_group_maker_group(j->maker, c);
    bool violates = false;
    if (j->matching != NULL)
        group.population = j->matching[c];
    for (size_t m = 0; group.size > 0 && m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS) {
            violates =
                violates || (j->failing != NULL && !mgl_model_holds(&set->models[m], &group));
            mgl_found_add(&found[m], &set->models[m], &group);
        }
    if (group.size > 0) {
        j->weights[*n_sizes] = group.population;
        j->number[*n_sizes] = (uint32_t)c;
        j->sizes[(*n_sizes)++] = group.size;
    }
    return violates;
}

static mgl_class_sizes judge_classes(judge *j, const mgl_quasi_set *set, size_t n_classes,
                                     mgl_found *found)
{
    mgl_class_sizes sizes = {j->sizes, 0, j->weights};
    for (size_t c = 0; c < n_classes; c++)
        j->violates[c] = judge_class(j, set, c, found, &sizes.n);
    return sizes;
}

/* Models of the whole table are judged on each stratum by itself. The tuples of a stratum lie side
 * by side, and so do its classes. */
static void judge_tables(const judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                         const mgl_classes *classes, mgl_class_sizes all, mgl_found *found)
{
    for (size_t from = 0, to; from < all.n; from = to) {
        size_t first = classes->first[j->number[from]];
        to = from + 1;
        while (to < all.n &&
               mgl_recoding_same_stratum(recoding, first, classes->first[j->number[to]]))
            to++;
        mgl_class_sizes sizes = {all.sizes + from, to - from, all.population + from};
        for (size_t m = 0; m < set->n_models; m++)
            if (set->models[m].type->scope == MGL_SCOPE_TABLE) {
                mgl_found one = MGL_FOUND_NOTHING;
                mgl_found_judge_table(&one, &set->models[m], &sizes);
                mgl_found_join(&found[m], &one, &set->models[m]);
            }
    }
}

static mgl_status judge_set(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found)
{
    const mgl_classes *classes;
    MGL_TRY(find_classes(j, set, recoding, err, &classes));
    if (j->population != NULL)
        mgl_population_match(j->population, set, classes, recoding->cells, j->matching);
    partition(j, recoding, classes);
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    mgl_class_sizes sizes = judge_classes(j, set, classes->n_classes, found);
    for (size_t t = 0; j->failing != NULL && t < recoding->n_tuples; t++)
        if (j->group_of[t] != MGL_NOT_FOUND)
            j->failing[t] |= j->violates[j->group_of[t]];
    if (mgl_held_columns(recoding->columns, recoding->n_attributes) > 0) {
        judge_tables(j, set, recoding, classes, sizes, found);
        return MGL_OK;
    }
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_TABLE)
            mgl_found_judge_table(&found[m], &set->models[m], &sizes);
    return MGL_OK;
}

static mgl_status judge_columns(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                                mgl_error *err, mgl_found *found)
{
    if (j->problem->counting.tops_match)
        return match_judge(j->problem, recoding, set, err, found, j->failing);
    return judge_set(j, set, recoding, err, found);
}

/* A set of columns of which some are taken at a time. */
typedef struct combination {
    const mgl_quasi_set *set;
    const mgl_recoding *recoding;
    uint32_t *attributes; /* [set->n_attributes] those of some */
    mgl_quasi_set some;
    size_t size;          /* columns of a combination */
    mgl_found *one, *all; /* [set->n_models] of some, and the worst of all */
} combination;

/* Combinations in which the columns from `from` on are still to be chosen. */
static mgl_status judge_rest(judge *j, combination *c, size_t from, mgl_error *err)
{
    const mgl_quasi_set *set = c->set;
    size_t wanted = c->size - c->some.n_attributes;
    if (wanted == 0) {
        MGL_TRY(judge_columns(j, &c->some, c->recoding, err, c->one));
        for (size_t m = 0; m < set->n_models; m++)
            mgl_found_worsen(&c->all[m], &c->one[m], &set->models[m]);
        return MGL_OK;
    }
    for (size_t i = from; i + wanted <= set->n_attributes; i++) {
        c->attributes[c->some.n_attributes++] = set->attributes[i];
        mgl_status status = judge_rest(j, c, i + 1, err);
        c->some.n_attributes--;
        MGL_TRY(status);
    }
    return MGL_OK;
}

static mgl_status judge_combinations(judge *j, const mgl_quasi_set *set,
                                     const mgl_recoding *recoding, mgl_error *err, mgl_found *found)
{
    uint32_t *attributes = mgl_alloc_array(set->n_attributes, sizeof *attributes);
    mgl_found *one = mgl_alloc_array(set->n_models, sizeof *one);
    combination c = {
        .set = set,
        .recoding = recoding,
        .attributes = attributes,
        .some = {.attributes = attributes, .models = set->models, .n_models = set->n_models},
        .one = one,
        .all = found};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(attributes != NULL && one != NULL, err));
    /* Columns of strata, which come first, are in every combination. */
    c.some.n_attributes = mgl_held_columns(recoding->columns, recoding->n_attributes);
    c.size = c.some.n_attributes + j->problem->counting.columns;
    for (size_t i = 0; i < c.some.n_attributes; i++)
        attributes[i] = set->attributes[i];
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    MGL_GO(judge_rest(j, &c, c.some.n_attributes, err));
done:
    mgl_free(attributes);
    mgl_free(one);
    return status;
}

/* All sets, one after the other. */
static mgl_status judge_sets(judge *j, const mgl_recoding *recoding, mgl_error *err,
                             mgl_found *found)
{
    const mgl_problem *p = j->problem;
    MGL_TRY(begin(j, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        const mgl_quasi_set *set = &p->sets[q];
        size_t columns = p->counting.columns;
        size_t others = set->n_attributes - mgl_held_columns(p->columns, p->list->n_attributes);
        MGL_TRY(columns > 0 && columns < others ? judge_combinations(j, set, recoding, err, found)
                                                : judge_columns(j, set, recoding, err, found));
        found += set->n_models;
    }
    return MGL_OK;
}

static mgl_status run_judge(judge j, const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found)
{
    mgl_problem with = *problem;
    with.columns = recoding->columns;
    j.problem = &with;
    mgl_status status = judge_sets(&j, recoding, err, found);
    mgl_population_free(j.population);
    mgl_group_maker_free(j.maker);
    mgl_joiner_free(j.joiner);
    mgl_classes_free(&j.own);
    mgl_owned_free(&j.memory);
    return status;
}

mgl_status mgl_judge_tuples(const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found, uint8_t *failing)
{
    return run_judge((judge){.failing = failing}, problem, recoding, err, found);
}

mgl_status mgl_judge_recoding(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_found *found)
{
    return mgl_judge_tuples(problem, recoding, err, found, NULL);
}

mgl_status mgl_judge_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                             const mgl_classes *classes, mgl_error *err, mgl_found *found)
{
    return run_judge((judge){.known = classes}, problem, recoding, err, found);
}

mgl_status mgl_recoding_holds(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, bool *out)
{
    size_t n = 0;
    for (size_t q = 0; q < problem->n_sets; q++)
        n += problem->sets[q].n_models;
    mgl_found *found = mgl_zeroed_array(n, sizeof *found);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(mgl_judge_recoding(problem, recoding, err, found));
    *out = true;
    for (size_t i = 0; i < n; i++)
        *out = *out && found[i].holds;
done:
    mgl_free(found);
    return status;
}
