/* Compares the combinations of values that a result calls unsafe with the file: counts anew, by
 * plain grouping, what the release has, and sees to it that no combination of two or three columns
 * was kept back. The table in claims.c calls it. */
#include "command/audit/claims.h"

enum { MOST_COLUMNS = 64, MOST_SETS = 3000 };

typedef struct counting {
    const mgl_claims *c;
    uint64_t k;
    uint64_t live; /* columns that are not at their top as a whole */
} counting;

typedef struct counted {
    uint64_t values, rows;
    bool failed; /* memory was out */
} counted;

/* ---- Counting ------------------------------------------------------------------------------- */

static const mgl_released_value *cell_of(const mgl_claims *c, size_t t, size_t a)
{
    const mgl_released_column *column = c->reading->released[a];
    return &column->values[column->of_leaf[0][mgl_list_leaf(c->problem->list, t, a)]];
}

/* The cells of a tuple in these columns, one behind the other; false if one of them is suppressed.
 */
static bool write_key(const mgl_claims *c, size_t t, uint64_t set, mgl_buffer *key)
{
    key->size = 0;
    for (uint64_t left = set; left != 0; left &= left - 1) {
        size_t a = (size_t)__builtin_ctzll(left);
        mgl_span label = cell_of(c, t, a)->label;
        if (mgl_span_equal(label, c->tops[a]))
            return false;
        mgl_buffer_format(key, "%zu:", label.size);
        mgl_buffer_span(key, label);
    }
    return true;
}

/* How many combinations of values in these columns fewer than k rows share, and how many rows have
 * one of them. */
static counted count_set(const counting *x, uint64_t set)
{
    const mgl_frequency_list *list = x->c->problem->list;
    mgl_map *groups = mgl_map_new();
    uint64_t *rows = mgl_zeroed_array(list->n_tuples, sizeof *rows);
    mgl_buffer key = {0};
    counted out = {.failed = groups == NULL || rows == NULL};
    for (size_t t = 0; t < list->n_tuples && !out.failed; t++) {
        if (!write_key(x->c, t, set, &key))
            continue;
        uint32_t group =
            key.failed ? MGL_NOT_FOUND : mgl_map_add(groups, (mgl_span){key.data, key.size});
        out.failed = group == MGL_NOT_FOUND;
        if (!out.failed)
            rows[group] += list->counts[t];
    }
    for (uint32_t g = 0; !out.failed && g < mgl_map_size(groups); g++)
        if (rows[g] < x->k) {
            out.values++;
            out.rows += rows[g];
        }
    mgl_map_free(groups);
    mgl_free(rows);
    mgl_buffer_free(&key);
    return out;
}

/* ---- What is claimed ------------------------------------------------------------------------ */

/* The columns that a list names; 0: one of them is no quasi-identifier. */
static uint64_t set_of(const mgl_claims *c, const json_t *columns)
{
    uint64_t set = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        size_t a = 0;
        while (name != NULL && a < c->reading->n_quasi &&
               strcmp(c->reading->quasi[a].settings->name, name) != 0)
            a++;
        if (name == NULL || a == c->reading->n_quasi || (set >> a & 1) != 0)
            return 0;
        set |= UINT64_C(1) << a;
    }
    return set;
}

static void compare_one(const counting *x, mgl_claims *c, const json_t *claimed)
{
    static const char name[] = "unsafe_combinations.after.combinations";
    if (!mgl_claims_shape(c, name, claimed, "columns:a values:i rows:i"))
        return;
    uint64_t set = set_of(c, json_object_get(claimed, "columns"));
    if (set == 0) {
        mgl_claims_contradict(c, name, claimed);
        return;
    }
    counted found = count_set(x, set);
    if (found.failed)
        return;
    mgl_claims_compare_new(c, name, json_object_get(claimed, "values"),
                           mgl_json_count(found.values));
    mgl_claims_compare_new(c, name, json_object_get(claimed, "rows"), mgl_json_count(found.rows));
}

static bool is_listed(const mgl_claims *c, const json_t *list, uint64_t set)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (set_of(c, json_object_get(json_array_get(list, i), "columns")) == set)
            return true;
    return false;
}

/* Where the job says nothing else, all combinations of two and three columns were looked at. */
static void find_unlisted(const counting *x, mgl_claims *c, const json_t *list)
{
    size_t n = c->reading->n_quasi, looked_at = 0;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++)
            for (uint64_t l = j; l < n && looked_at < MOST_SETS; l++, looked_at++) {
                uint64_t set = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << l;
                if ((set & ~x->live) == 0 && !is_listed(c, list, set) &&
                    count_set(x, set).values > 0) {
                    mgl_claims_compare_new(c, "unsafe_combinations.after.combinations", list,
                                           json_string("further ones"));
                    return;
                }
            }
}

static void compare_after(const counting *x, mgl_claims *c, const json_t *after)
{
    const json_t *list = json_object_get(after, "combinations");
    bool whole = mgl_json_whole(after, "combinations_left_out") == 0;
    uint64_t values = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        compare_one(x, c, json_array_get(list, i));
        values += mgl_json_whole(json_array_get(list, i), "values");
    }
    if (whole)
        mgl_claims_agree_new(c, "unsafe_combinations.after.values",
                             json_object_get(after, "values"), mgl_json_count(values));
    if (whole && json_object_get(c->job, "combinations") == NULL && c->settings->n_quasi <= 1)
        find_unlisted(x, c, list);
}

/* The k of the job; 0: it names none. */
static uint64_t k_of(const mgl_claims *c)
{
    const json_t *models = json_object_get(c->claimed, "models");
    uint64_t k = 0;
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *name = mgl_json_text(model, "model");
        const mgl_model_type *type = name != NULL ? mgl_model_type_find(name) : NULL;
        uint64_t here = mgl_json_whole(json_object_get(model, "parameters"), "k");
        if (type != NULL && type->k == MGL_K_IS && here > k)
            k = here;
    }
    return k;
}

static uint64_t live_of(const mgl_claims *c)
{
    const json_t *levels = json_object_get(c->claimed, "levels"),
                 *heights = json_object_get(c->claimed, "heights");
    uint64_t live = 0;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *name = c->reading->quasi[a].settings->name;
        if (!json_equal(json_object_get(levels, name), json_object_get(heights, name)))
            live |= UINT64_C(1) << a;
    }
    return live;
}

static bool has_shape(mgl_claims *c, const char *name, const json_t *state)
{
    return mgl_claims_shape(c, name, state,
                            "values:i rows:i combinations:a combinations_left_out:i tuples:a "
                            "tuples_left_out:i");
}

/* Is there a column that the method generalizes? Others are aggregated within classes. */
static bool has_generalized(const mgl_claims *c)
{
    const json_t *attributes = json_object_get(c->job, "attributes");
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *column = json_object_get(attributes, c->reading->quasi[a].settings->name);
        if (json_object_get(column, "aggregate") == NULL)
            return true;
    }
    return false;
}

/* The method that looks for them tells of them; strata have them each for itself. */
static bool is_due(const mgl_claims *c)
{
    const char *const *told = c->settings->method->tells;
    while (told != NULL && *told != NULL && strcmp(*told, "unsafe_combinations") != 0)
        told++;
    return told != NULL && *told != NULL && c->settings->strata.n == 0 && !c->applied &&
           has_generalized(c);
}

/* Columns of which each is a quasi-identifier; none twice. */
static bool are_columns(const mgl_claims *c, const json_t *list)
{
    return json_array_size(list) > 0 && set_of(c, list) != 0;
}

/* Tuples with the columns on which each is an outlier, and what was suppressed of it. */
static uint64_t check_tuples(mgl_claims *c, const char *name, const json_t *tuples)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < json_array_size(tuples); i++) {
        const json_t *tuple = json_array_get(tuples, i);
        const json_t *outliers = json_object_get(tuple, "outliers"),
                     *suppressed = json_object_get(tuple, "suppressed");
        if (!mgl_claims_shape(c, name, tuple,
                              "rows:i outliers:a outliers_left_out:i ?suppressed:a"))
            continue;
        bool good = json_array_size(suppressed) == 0 || are_columns(c, suppressed);
        for (size_t j = 0; j < json_array_size(outliers); j++)
            good = good && are_columns(c, json_array_get(outliers, j));
        if (!good)
            mgl_claims_contradict(c, name, tuple);
        rows += mgl_json_whole(tuple, "rows");
    }
    return rows;
}

/* What is listed adds up to what is told of all, unless some was left out. */
static void check_state(mgl_claims *c, const char *object, const json_t *state)
{
    const json_t *list = json_object_get(state, "combinations"),
                 *tuples = json_object_get(state, "tuples");
    char name[MGL_CLAIM_NAME];
    uint64_t values = 0;
    mgl_claim_name(name, object, "combinations");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (mgl_claims_shape(c, name, one, "columns:a values:i rows:i") &&
            (!are_columns(c, json_object_get(one, "columns")) ||
             mgl_json_whole(one, "rows") > mgl_json_whole(c->claimed, "rows")))
            mgl_claims_contradict(c, name, one);
        values += mgl_json_whole(one, "values");
    }
    if (mgl_json_whole(state, "combinations_left_out") == 0)
        mgl_claims_agree_new(c, name, json_object_get(state, "values"), mgl_json_count(values));
    uint64_t rows = check_tuples(c, mgl_claim_name(name, object, "tuples"), tuples);
    if (mgl_json_whole(state, "tuples_left_out") == 0)
        mgl_claims_agree_new(c, name, json_object_get(state, "rows"), mgl_json_count(rows));
}

void mgl_claim_unsafe(mgl_claims *c, const json_t *claimed)
{
    const json_t *after = json_object_get(claimed, "after");
    counting x = {.c = c, .k = k_of(c), .live = live_of(c)};
    if (!mgl_claims_due(c, "unsafe_combinations", claimed, is_due(c)) ||
        !mgl_claims_shape(c, "unsafe_combinations", claimed, "before:o after:O") ||
        !has_shape(c, "unsafe_combinations.before", json_object_get(claimed, "before")))
        return;
    check_state(c, "unsafe_combinations.before", json_object_get(claimed, "before"));
    if (json_is_null(after)) { /* time was up */
        mgl_claims_skip(c, "unsafe_combinations.after", "counting them again takes the input");
        return;
    }
    if (!has_shape(c, "unsafe_combinations.after", after))
        return;
    check_state(c, "unsafe_combinations.after", after);
    /* Persons are not in the file, and rows that are dropped are in no list. */
    if (c->persons || x.k == 0 || c->reading->n_quasi > MOST_COLUMNS)
        mgl_claims_skip(c, "unsafe_combinations.after", "persons are not in the release");
    else
        compare_after(&x, c, after);
}
