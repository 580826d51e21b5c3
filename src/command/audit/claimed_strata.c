/* Compares what a result says of parts of its rows with the file: of each stratum, and of the
 * combinations of values that few rows share. Both are counted anew, by plain grouping. */
#include "command/audit/claims.h"

#include <stdio.h>

static const mgl_released_value *cell_of(const mgl_claims *c, size_t t, size_t a)
{
    const mgl_released_column *column = c->reading->released[a];
    return &column->values[column->of_leaf[0][mgl_list_leaf(c->problem->list, t, a)]];
}

static void add_text(mgl_buffer *key, mgl_span text)
{
    mgl_buffer_format(key, "%zu ", text.size);
    mgl_buffer_span(key, text);
}

/* ---- Strata -------------------------------------------------------------------------------- */

/* What the file has of a stratum. */
typedef struct counted {
    uint64_t rows, exempt_rows, classes, smallest;
    bool has_top; /* rows at its top are in the file */
    bool claimed;
} counted;

typedef struct strata {
    mgl_map *names; /* values of the columns of strata, length by length */
    counted *of;    /* [size of the map] */
    size_t room;
} strata;

/* Persons who have the tuple; without persons, its rows. */
static uint64_t size_of(const mgl_frequency_list *list, size_t t)
{
    const mgl_persons *persons = list->persons;
    return persons == NULL
               ? list->counts[t]
               : persons->local[t] + persons->spread.start[t + 1] - persons->spread.start[t];
}

static bool count_tuple(const mgl_claims *c, size_t t, mgl_buffer *key, strata *s)
{
    const mgl_frequency_list *list = c->problem->list;
    uint32_t before = mgl_map_size(s->names);
    key->size = 0;
    for (size_t a = 0; a < c->settings->strata.n; a++)
        add_text(key, cell_of(c, t, a)->label);
    uint32_t number =
        key->failed ? MGL_NOT_FOUND : mgl_map_add(s->names, (mgl_span){key->data, key->size});
    if (number == MGL_NOT_FOUND || !mgl_grow(&s->of, &s->room, number + 1, sizeof *s->of))
        return false;
    counted *stratum = &s->of[number];
    if (number == before)
        *stratum = (counted){0};
    bool exempt = c->settings->treatment != MGL_DROP && c->left_out[t];
    stratum->rows += list->counts[t];
    stratum->has_top = stratum->has_top || c->is_top[t];
    stratum->exempt_rows += exempt ? list->counts[t] : 0;
    if (exempt && c->settings->treatment == MGL_EXEMPT)
        return true;
    if (stratum->classes++ == 0 || size_of(list, t) < stratum->smallest)
        stratum->smallest = size_of(list, t);
    return true;
}

/* Counts the strata of the file; false: memory is out, and c->status says so. Free with
 * free_strata. */
static bool count_file(mgl_claims *c, strata *s)
{
    mgl_buffer key = {0};
    bool room = (s->names = mgl_map_new()) != NULL;
    for (size_t t = 0; room && t < c->problem->list->n_tuples; t++)
        room = count_tuple(c, t, &key, s);
    mgl_buffer_free(&key);
    if (!room)
        c->status = mgl_fail_memory(c->err);
    return room;
}

static void free_strata(strata *s)
{
    mgl_map_free(s->names);
    mgl_free(s->of);
}

/* The stratum that a claim names; NULL: the file has none of that name. */
static counted *find(const mgl_claims *c, const json_t *claimed, const strata *s)
{
    const json_t *by = json_object_get(claimed, "by");
    bool named = json_object_size(by) == c->settings->strata.n;
    uint32_t number = MGL_NOT_FOUND;
    mgl_buffer key = {0};
    for (size_t a = 0; named && a < c->settings->strata.n; a++) {
        const json_t *value = json_object_get(by, c->settings->strata.columns[a]);
        named = json_is_string(value);
        if (named)
            add_text(&key, (mgl_span){json_string_value(value), json_string_length(value)});
    }
    if (named && !key.failed)
        number = mgl_map_find(s->names, (mgl_span){key.data, key.size});
    mgl_buffer_free(&key);
    return number != MGL_NOT_FOUND ? &s->of[number] : NULL;
}

/* A stratum has the limit of its own rows. Methods that mix levels have none for rows that are
 * kept, and others may have one of their own. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(claimed, "node"));
    bool own = given == NULL && (c->settings->method->own_limit || !levels);
    uint64_t limit = mgl_limit_of(given, mgl_json_whole(claimed, "rows"));
    mgl_claims_require(c,
                       own || (c->settings->treatment == MGL_KEEP && !levels) ||
                           mgl_json_whole(claimed, "suppressed_rows") <= limit,
                       "strata: more suppressed rows than the job allows", claimed);
}

/* Columns of strata stand first, and stay as they are. */
static bool is_searched(const mgl_claims *c, size_t a)
{
    return a >= c->settings->strata.n;
}

static void compare_stratum(mgl_claims *c, const char *name, const json_t *claimed,
                            const counted *found)
{
    bool drops = c->settings->treatment == MGL_DROP,
         matches = c->problem->counting.tops_match || c->settings->tops_match;
    uint64_t suppressed = mgl_json_whole(claimed, "suppressed_rows");
    json_t *expected = json_object();
    (void)mgl_claims_are_levels(c, "strata.node", json_object_get(claimed, "node"), is_searched);
    (void)mgl_claims_are_levels(c, "strata.levels", json_object_get(claimed, "levels"),
                                is_searched);
    mgl_json_set(expected, "rows", mgl_json_count(found->rows + (drops ? suppressed : 0)));
    if (!drops)
        mgl_json_set(expected, "suppressed_rows", mgl_json_count(found->exempt_rows));
    if (!c->persons && !matches) {
        mgl_json_set(expected, "classes", mgl_json_count(found->classes));
        mgl_json_set(expected, "smallest_class", mgl_json_count(found->smallest));
    }
    mgl_claims_compare(c, name, claimed, expected);
    check_limit(c, claimed);
    if (c->persons)
        mgl_claims_skip_persons(c, "strata.*.classes, strata.*.smallest_class");
    else if (matches)
        mgl_claims_skip(c, "strata.*.classes, strata.*.smallest_class",
                        "rows that match are no classes");
}

bool mgl_claim_strata_due(const mgl_claims *c)
{
    return c->settings->strata.n > 0 && !c->applied;
}

void mgl_claim_strata(mgl_claims *c, const json_t *claimed)
{
    strata s = {0};
    uint64_t rows = 0, suppressed = 0;
    size_t i;
    const json_t *one;
    bool counted_all = count_file(c, &s);
    json_array_foreach((json_t *)claimed, i, one)
    {
        counted *found = counted_all ? find(c, one, &s) : NULL;
        char name[MGL_CLAIM_NAME];
        snprintf(name, sizeof name, "strata[%zu]", i);
        mgl_claims_require(c, found != NULL && !found->claimed,
                           "strata: a stratum that the file does not have, or that is there twice",
                           json_object_get(one, "by"));
        if (found != NULL) {
            found->claimed = true;
            compare_stratum(c, name, one, found);
        }
        rows += mgl_json_whole(one, "rows");
        suppressed += mgl_json_whole(one, "suppressed_rows");
    }
    for (uint32_t n = 0; counted_all && n < mgl_map_size(s.names); n++)
        if (!s.of[n].claimed)
            mgl_claims_missing(c, "strata: a stratum of the file");
    mgl_claims_agree(c, "rows", json_object_get(c->claimed, "rows"), mgl_json_count(rows));
    mgl_claims_agree(c, "suppressed_rows", json_object_get(c->claimed, "suppressed_rows"),
                     mgl_json_count(suppressed));
    free_strata(&s);
}

/* Rows that were dropped are one class with those at the top that were not. */
uint64_t mgl_claims_dropped_tops(mgl_claims *c)
{
    const json_t *list = json_object_get(c->claimed, "strata"), *one;
    strata s = {0};
    uint64_t n = 0;
    size_t i;
    if (c->settings->treatment != MGL_DROP || !json_is_array(list))
        return 0;
    bool room = count_file(c, &s);
    json_array_foreach((json_t *)list, i, one)
    {
        const counted *found = room ? find(c, one, &s) : NULL;
        n += found != NULL && !found->has_top && mgl_json_whole(one, "suppressed_rows") > 0;
    }
    free_strata(&s);
    return n;
}

/* ---- Combinations of values ----------------------------------------------------------------- */

enum { MOST_COLUMNS = 64, MOST_SETS = 3000 };

typedef struct rare {
    uint64_t values, rows;
} rare;

/* How many combinations of values in these columns fewer than k rows share, and how many rows have
 * one of them. Cells that are suppressed are in none. */
static rare count_set(mgl_claims *c, uint64_t k, uint64_t set)
{
    const mgl_frequency_list *list = c->problem->list;
    mgl_map *groups = mgl_map_new();
    uint64_t *rows = mgl_zeroed_array(list->n_tuples, sizeof *rows);
    mgl_buffer key = {0};
    rare out = {0};
    bool room = groups != NULL && rows != NULL;
    for (size_t t = 0; t < list->n_tuples && room; t++) {
        bool whole = true;
        key.size = 0;
        for (uint64_t left = set; left != 0 && whole; left &= left - 1) {
            size_t a = (size_t)__builtin_ctzll(left);
            mgl_span label = cell_of(c, t, a)->label;
            whole = !mgl_span_equal(label, c->tops[a]);
            add_text(&key, label);
        }
        if (!whole)
            continue;
        uint32_t group =
            key.failed ? MGL_NOT_FOUND : mgl_map_add(groups, (mgl_span){key.data, key.size});
        room = group != MGL_NOT_FOUND;
        if (room)
            rows[group] += list->counts[t];
    }
    for (uint32_t g = 0; room && g < mgl_map_size(groups); g++)
        if (rows[g] < k) {
            out.values++;
            out.rows += rows[g];
        }
    if (!room)
        c->status = mgl_fail_memory(c->err);
    mgl_map_free(groups);
    mgl_free(rows);
    mgl_buffer_free(&key);
    return out;
}

/* The columns that a list names; 0: none, one of them twice, or one that is no quasi-identifier. */
static uint64_t set_of(const mgl_claims *c, const json_t *columns)
{
    uint64_t set = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        size_t a = 0;
        while (name != NULL && a < c->reading->n_quasi && strcmp(mgl_claim_quasi(c, a), name) != 0)
            a++;
        if (name == NULL || a == c->reading->n_quasi || (set >> a & 1) != 0)
            return 0;
        set |= UINT64_C(1) << a;
    }
    return set;
}

static bool is_listed(const mgl_claims *c, const json_t *list, uint64_t set)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (set_of(c, json_object_get(json_array_get(list, i), "columns")) == set)
            return true;
    return false;
}

/* Where the job says nothing else, all combinations of two and three columns were looked at, but
 * for those with a column that is at its top as a whole. */
static void find_unlisted(mgl_claims *c, uint64_t k, const json_t *list)
{
    const json_t *levels = json_object_get(c->claimed, "levels"),
                 *heights = json_object_get(c->claimed, "heights");
    size_t n = c->reading->n_quasi, looked_at = 0;
    uint64_t live = 0;
    for (size_t a = 0; a < n; a++)
        if (!json_equal(json_object_get(levels, mgl_claim_quasi(c, a)),
                        json_object_get(heights, mgl_claim_quasi(c, a))))
            live |= UINT64_C(1) << a;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++)
            for (uint64_t l = j; l < n && looked_at < MOST_SETS; l++, looked_at++) {
                uint64_t set = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << l;
                if ((set & ~live) == 0 && !is_listed(c, list, set) &&
                    count_set(c, k, set).values > 0) {
                    mgl_claims_compare(c, "unsafe_combinations.after.combinations", list,
                                       json_string("further ones"));
                    return;
                }
            }
}

/* What is listed adds up to what is said of all, unless some was left out. */
static void check_state(mgl_claims *c, const char *object, const json_t *state)
{
    const json_t *one, *set;
    char name[MGL_CLAIM_NAME];
    uint64_t values = 0, rows = 0;
    size_t i, j;
    mgl_claim_name(name, object, "combinations");
    json_array_foreach(json_object_get(state, "combinations"), i, one)
    {
        mgl_claims_require(c,
                           set_of(c, json_object_get(one, "columns")) != 0 &&
                               mgl_json_whole(one, "rows") <= mgl_json_whole(c->claimed, "rows"),
                           name, one);
        values += mgl_json_whole(one, "values");
    }
    if (mgl_json_whole(state, "combinations_left_out") == 0)
        mgl_claims_agree(c, name, json_object_get(state, "values"), mgl_json_count(values));
    mgl_claim_name(name, object, "tuples");
    json_array_foreach(json_object_get(state, "tuples"), i, one)
    {
        const json_t *suppressed = json_object_get(one, "suppressed");
        bool good = json_array_size(suppressed) == 0 || set_of(c, suppressed) != 0;
        json_array_foreach(json_object_get(one, "outliers"), j, set) good =
            good && set_of(c, set) != 0;
        mgl_claims_require(c, good, name, one);
        rows += mgl_json_whole(one, "rows");
    }
    if (mgl_json_whole(state, "tuples_left_out") == 0)
        mgl_claims_agree(c, name, json_object_get(state, "rows"), mgl_json_count(rows));
}

/* The method that looks for them lists them, if it generalizes a column: others are aggregated
 * within classes; strata have them each for itself. */
bool mgl_claim_unsafe_due(const mgl_claims *c)
{
    bool generalizes = false;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *fields =
            json_object_get(json_object_get(c->job, "attributes"), mgl_claim_quasi(c, a));
        generalizes = generalizes || json_object_get(fields, "aggregate") == NULL;
    }
    return mgl_claims_of_method(c, "unsafe_combinations") && c->settings->strata.n == 0 &&
           !c->applied && generalizes;
}

void mgl_claim_unsafe(mgl_claims *c, const json_t *claimed)
{
    static const char name[] = "unsafe_combinations.after.combinations";
    const json_t *after = json_object_get(claimed, "after"),
                 *list = json_object_get(after, "combinations"), *one;
    uint64_t k = mgl_claim_largest_k(json_object_get(c->claimed, "models"), MGL_K_IS);
    size_t i;
    check_state(c, "unsafe_combinations.before", json_object_get(claimed, "before"));
    if (json_is_null(after)) { /* time was up */
        mgl_claims_skip(c, "unsafe_combinations.after", "counting them again takes the input");
        return;
    }
    check_state(c, "unsafe_combinations.after", after);
    /* Persons are not in the file, and rows that are dropped are in no list. */
    if (c->persons || k == 0 || c->reading->n_quasi > MOST_COLUMNS) {
        mgl_claims_skip(c, "unsafe_combinations.after", "persons are not in the release");
        return;
    }
    json_array_foreach((json_t *)list, i, one)
    {
        uint64_t set = set_of(c, json_object_get(one, "columns"));
        rare found = count_set(c, k, set);
        mgl_claims_compare(c, name, json_object_get(one, "values"), mgl_json_count(found.values));
        mgl_claims_compare(c, name, json_object_get(one, "rows"), mgl_json_count(found.rows));
    }
    if (mgl_json_whole(after, "combinations_left_out") == 0 &&
        json_object_get(c->job, "combinations") == NULL && c->settings->n_quasi <= 1)
        find_unlisted(c, k, list);
}
