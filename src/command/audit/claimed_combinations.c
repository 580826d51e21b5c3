/* Compares the combinations of values that few rows share, which a result lists, with the file:
 * they are counted anew, by plain grouping. */
#include "command/audit/sections.h"

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
            mgl_span label = mgl_claims_cell_of(c, t, a);
            whole = !mgl_span_equal(label, c->tops[a]);
            mgl_claims_add_text(&key, label);
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

/* What is listed adds up to what is claimed of all, unless some was left out. */
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
