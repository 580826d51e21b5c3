/* Reads and writes the file of a certificate. */
#include "proof/proof.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>

typedef struct reader {
    const char *path;
    mgl_error *err;
    mgl_proof *proof;
} reader;

/* ---- Values ---------------------------------------------------------------------------------- */

/* MGL_DATA: the proof is damaged, and how. */
static mgl_status wrong(const reader *r, const char *what)
{
    return mgl_fail_key_at(
        r->err, MGL_CODE_DAMAGED, r->path, "proof",
        "the proof is damaged or cut off: %s; give the file that `save-proof` wrote", what);
}

/* Memory that lives as long as the proof; NULL: there is none. */
static void *proof_room(const reader *r, size_t n, size_t size)
{
    return size == 0 || n <= SIZE_MAX / 2 / size ? mgl_arena_alloc(r->proof->arena, n * size)
                                                 : NULL;
}

/* A whole number from least to most; one from 0 on, below another; a list with so many items. */
static mgl_status take_whole(const reader *r, const json_t *value, uint64_t least, uint64_t most,
                             const char *what, uint64_t *out)
{
    json_int_t number = json_integer_value(value);
    if (!json_is_integer(value) || number < 0 || (uint64_t)number < least ||
        (uint64_t)number > most)
        return wrong(r, what);
    *out = (uint64_t)number;
    return MGL_OK;
}

static mgl_status take_number(const reader *r, const json_t *value, uint32_t below,
                              const char *what, uint32_t *out)
{
    uint64_t number = 0;
    if (below == 0)
        return wrong(r, what);
    MGL_TRY(take_whole(r, value, 0, below - 1, what, &number));
    *out = (uint32_t)number;
    return MGL_OK;
}

static mgl_status take_text(const reader *r, const json_t *value, const char *what,
                            const char **out)
{
    const char *text = json_string_value(value);
    if (text == NULL)
        return wrong(r, what);
    *out = mgl_arena_copy(r->proof->arena, text, strlen(text));
    return *out != NULL ? MGL_OK : mgl_fail_memory(r->err);
}

/* A number that is not negative. */
static mgl_status take_real(const reader *r, const json_t *value, const char *what, double *out)
{
    *out = json_number_value(value);
    return json_is_number(value) && isfinite(*out) && *out >= 0 ? MGL_OK : wrong(r, what);
}

static mgl_status take_list(const reader *r, const json_t *value, size_t least, const char *what,
                            size_t *n)
{
    *n = json_array_size(value);
    return json_is_array(value) && *n >= least && *n < UINT32_MAX ? MGL_OK : wrong(r, what);
}

/* ---- Columns ----------------------------------------------------------------------- */

/* Different values must read differently, or their classes would be one. */
static mgl_status check_labels(const reader *r, const mgl_proof_column *x)
{
    mgl_span *sorted = mgl_alloc_array(x->n_values, sizeof *sorted);
    bool differ = true;
    MGL_TRY(mgl_check_memory(sorted != NULL, r->err));
    memcpy(sorted, x->labels, x->n_values * sizeof *sorted);
    mgl_sort_spans(sorted, x->n_values);
    for (uint32_t v = 1; v < x->n_values; v++)
        differ = differ && !mgl_span_equal(sorted[v - 1], sorted[v]);
    mgl_free(sorted);
    return differ ? MGL_OK : wrong(r, "a label is given twice");
}

static mgl_status read_labels(const reader *r, const json_t *values, mgl_proof_column *x)
{
    size_t n;
    MGL_TRY(take_list(r, values, 1, "a column has no values", &n));
    mgl_span *labels = proof_room(r, n, sizeof *labels);
    MGL_TRY(mgl_check_memory(labels != NULL, r->err));
    for (size_t v = 0; v < n; v++) {
        const json_t *text = json_array_get(values, v);
        size_t size = json_string_length(text);
        if (!json_is_string(text))
            return wrong(r, "a label is no text");
        const char *copy = mgl_arena_copy(r->proof->arena, json_string_value(text), size);
        MGL_TRY(mgl_check_memory(copy != NULL, r->err));
        labels[v] = (mgl_span){copy, size};
    }
    x->labels = labels;
    x->n_values = (uint32_t)n;
    return check_labels(r, x);
}

/* Leaves that have a value in common have one on the next level, too, and a value covers the same
 * leaves wherever it stands. With `first` [n_values] and `count` [n_values] to work on. */
static mgl_status check_level(const reader *r, const mgl_proof_column *x, uint32_t l,
                              uint32_t *first, uint32_t *count, uint32_t *known)
{
    memset(count, 0, x->n_values * sizeof *count);
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        uint32_t v = x->value[l][leaf];
        if (count[v]++ == 0)
            first[v] = leaf;
        else if (l < x->height && x->value[l + 1][leaf] != x->value[l + 1][first[v]])
            return wrong(r, "the levels of a hierarchy are no functions of the ones below");
    }
    for (uint32_t v = 0; v < x->n_values; v++) {
        if (count[v] > 0 && known[v] > 0 && known[v] != count[v])
            return wrong(r, "a value covers different leaves on different levels");
        known[v] = count[v] > 0 ? count[v] : known[v];
    }
    return MGL_OK;
}

static mgl_status check_levels(const reader *r, const mgl_proof_column *x)
{
    uint32_t *first = mgl_zeroed_array(x->n_values, sizeof *first);
    uint32_t *count = mgl_zeroed_array(x->n_values, sizeof *count);
    uint32_t *known = mgl_zeroed_array(x->n_values, sizeof *known);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(first != NULL && count != NULL && known != NULL, r->err));
    for (uint32_t l = 0; l <= x->height; l++)
        MGL_GO(check_level(r, x, l, first, count, known));
    if (count[x->value[x->height][0]] != x->n_leaves)
        MGL_GO(wrong(r, "the last level of a hierarchy has several values"));
done:
    mgl_free(first);
    mgl_free(count);
    mgl_free(known);
    return status;
}

static mgl_status read_leaves(const reader *r, const json_t *leaves, mgl_proof_column *x)
{
    size_t n, levels;
    MGL_TRY(take_list(r, leaves, 1, "a column has no leaves", &n));
    MGL_TRY(take_list(r, json_array_get(leaves, 0), 2, "a hierarchy has no levels", &levels));
    x->n_leaves = (uint32_t)n;
    x->height = (uint32_t)levels - 1;
    x->value = proof_room(r, levels, sizeof *x->value);
    for (size_t l = 0; x->value != NULL && l < levels; l++)
        MGL_TRY(
            mgl_check_memory((x->value[l] = proof_room(r, n, sizeof **x->value)) != NULL, r->err));
    MGL_TRY(mgl_check_memory(x->value != NULL, r->err));
    for (size_t leaf = 0; leaf < n; leaf++) {
        const json_t *path = json_array_get(leaves, leaf);
        if (json_array_size(path) != levels)
            return wrong(r, "leaves have different numbers of levels");
        for (size_t l = 0; l < levels; l++)
            MGL_TRY(take_number(r, json_array_get(path, l), x->n_values,
                                "a leaf has a value that is not there", &x->value[l][leaf]));
    }
    return check_levels(r, x);
}

static mgl_status read_column(const reader *r, const json_t *column, mgl_proof_column *x)
{
    const json_t *levels = json_object_get(column, "levels");
    MGL_TRY(take_text(r, json_object_get(column, "name"), "a column has no name", &x->name));
    MGL_TRY(take_real(r, json_object_get(column, "weight"), "a column has no weight", &x->weight));
    MGL_TRY(read_labels(r, json_object_get(column, "values"), x));
    MGL_TRY(read_leaves(r, json_object_get(column, "leaves"), x));
    if (json_array_size(levels) != 2)
        return wrong(r, "a column has no level bounds");
    MGL_TRY(
        take_number(r, json_array_get(levels, 0), x->height + 1, "a level is not there", &x->low));
    MGL_TRY(
        take_number(r, json_array_get(levels, 1), x->height + 1, "a level is not there", &x->high));
    return x->low <= x->high ? MGL_OK : wrong(r, "level bounds contradict each other");
}

static mgl_status read_columns(const reader *r, const json_t *columns)
{
    mgl_proof *p = r->proof;
    double weights = 0;
    MGL_TRY(take_list(r, columns, 1, "it has no columns", &p->n_columns));
    p->columns = proof_room(r, p->n_columns, sizeof *p->columns);
    MGL_TRY(mgl_check_memory(p->columns != NULL, r->err));
    memset(p->columns, 0, p->n_columns * sizeof *p->columns);
    for (size_t a = 0; a < p->n_columns; a++) {
        MGL_TRY(read_column(r, json_array_get(columns, a), &p->columns[a]));
        weights += p->columns[a].weight;
        for (size_t b = 0; b < a; b++)
            if (strcmp(p->columns[a].name, p->columns[b].name) == 0)
                return wrong(r, "a column is given twice");
    }
    return weights > 0 && isfinite(weights) ? MGL_OK : wrong(r, "all weights are 0");
}

/* ---- Models ------------------------------------------------------------------------ */

static mgl_status read_sensitive(const reader *r, const json_t *list)
{
    mgl_proof *p = r->proof;
    MGL_TRY(take_list(r, list, 0, "it does not name its sensitive attributes", &p->n_sensitive));
    p->sensitive = proof_room(r, p->n_sensitive, sizeof *p->sensitive);
    MGL_TRY(mgl_check_memory(p->sensitive != NULL, r->err));
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const json_t *one = json_array_get(list, s), *grouped = json_object_get(one, "grouped");
        p->sensitive[s] = (mgl_proof_sensitive){.grouped = json_is_true(grouped)};
        MGL_TRY(take_text(r, json_object_get(one, "attribute"), "a sensitive attribute has no name",
                          &p->sensitive[s].attribute));
        if (!json_is_boolean(grouped))
            return wrong(r, "a sensitive attribute does not state whether it is grouped");
    }
    return MGL_OK;
}

static mgl_status read_model(const reader *r, const json_t *model, mgl_proof_model *x)
{
    const json_t *sensitive = json_object_get(model, "sensitive");
    MGL_TRY(take_text(r, json_object_get(model, "model"), "a model has no name", &x->model));
    if (mgl_proof_parameter(x->model) == NULL)
        return wrong(r, "a model is none of those that a proof may use");
    MGL_TRY(take_real(r, json_object_get(model, "parameter"), "a model has no parameter",
                      &x->parameter));
    if (x->parameter > 0x1p50)
        return wrong(r, "a parameter of a model is too large");
    MGL_TRY(take_list(r, sensitive, 0, "a model does not state what it looks at", &x->n_sensitive));
    uint32_t *numbers = proof_room(r, x->n_sensitive, sizeof *numbers);
    MGL_TRY(mgl_check_memory(numbers != NULL, r->err));
    for (size_t i = 0; i < x->n_sensitive; i++)
        MGL_TRY(take_number(r, json_array_get(sensitive, i), (uint32_t)r->proof->n_sensitive,
                            "a model looks at an attribute that is not there", &numbers[i]));
    x->sensitive = numbers;
    return MGL_OK;
}

static mgl_status read_models(const reader *r, const json_t *models)
{
    mgl_proof *p = r->proof;
    MGL_TRY(take_list(r, models, 0, "it does not name its models", &p->n_models));
    p->models = proof_room(r, p->n_models, sizeof *p->models);
    MGL_TRY(mgl_check_memory(p->models != NULL, r->err));
    for (size_t i = 0; i < p->n_models; i++)
        MGL_TRY(read_model(r, json_array_get(models, i), &p->models[i]));
    return MGL_OK;
}

/* ---- Tuples ------------------------------------------------------------------------ */

static mgl_status read_codes(const reader *r, const json_t *lists, size_t s, size_t t)
{
    mgl_proof_sensitive *x = &r->proof->sensitive[s];
    const json_t *codes = json_array_get(lists, s);
    size_t at = x->start[t];
    if (!json_is_array(codes))
        return wrong(r, "a tuple lacks its sensitive values");
    for (size_t i = 0; i < json_array_size(codes); i++, at++) {
        MGL_TRY(take_number(r, json_array_get(codes, i), UINT32_MAX / 4,
                            "a sensitive value is none", &x->codes[at]));
        if (i > 0 && x->codes[at] <= x->codes[at - 1])
            return wrong(r, "the sensitive values of a tuple are not ascending");
    }
    x->start[t + 1] = at;
    return MGL_OK;
}

static mgl_status read_tuple(const reader *r, const json_t *tuple, size_t t)
{
    mgl_proof *p = r->proof;
    const json_t *leaves = json_array_get(tuple, 0), *price = json_array_get(tuple, 2);
    const json_t *codes = json_array_get(tuple, 3);
    if (json_array_size(tuple) != 4 || json_array_size(leaves) != p->n_columns)
        return wrong(r, "a tuple is not whole");
    for (size_t a = 0; a < p->n_columns; a++)
        MGL_TRY(take_number(r, json_array_get(leaves, a), p->columns[a].n_leaves,
                            "a tuple has a leaf that is not there",
                            &p->leaves[t * p->n_columns + a]));
    MGL_TRY(take_whole(r, json_array_get(tuple, 1), 1, UINT32_MAX, "a tuple has no rows",
                       &p->counts[t]));
    p->prices[t] = json_integer_value(price);
    if (!json_is_integer(price) || llabs(p->prices[t]) > INT64_C(1) << 56)
        return wrong(r, "a price is none");
    if (!json_is_array(codes) || json_array_size(codes) != p->n_sensitive)
        return wrong(r, "a tuple lacks its sensitive values");
    for (size_t s = 0; s < p->n_sensitive; s++)
        MGL_TRY(read_codes(r, codes, s, t));
    return MGL_OK;
}

static size_t count_codes(const json_t *tuples, size_t s)
{
    size_t n = 0;
    for (size_t t = 0; t < json_array_size(tuples); t++)
        n += json_array_size(json_array_get(json_array_get(json_array_get(tuples, t), 3), s));
    return n;
}

/* Tuples ascend, so that each is there once. */
static bool ascends(const mgl_proof *p, size_t t)
{
    const uint32_t *leaves = p->leaves + t * p->n_columns;
    for (size_t a = 0; t > 0 && a < p->n_columns; a++)
        if (leaves[a] != leaves[a - p->n_columns])
            return leaves[a] > leaves[a - p->n_columns];
    return t == 0;
}

static mgl_status read_tuples(const reader *r, const json_t *tuples)
{
    mgl_proof *p = r->proof;
    uint64_t rows = 0;
    MGL_TRY(take_list(r, tuples, 1, "it has no tuples", &p->n_tuples));
    p->leaves = proof_room(r, p->n_tuples * p->n_columns, sizeof *p->leaves);
    p->counts = proof_room(r, p->n_tuples, sizeof *p->counts);
    p->prices = proof_room(r, p->n_tuples, sizeof *p->prices);
    bool whole = p->leaves != NULL && p->counts != NULL && p->prices != NULL;
    for (size_t s = 0; whole && s < p->n_sensitive; s++) {
        mgl_proof_sensitive *x = &p->sensitive[s];
        x->start = proof_room(r, p->n_tuples + 1, sizeof *x->start);
        x->codes = proof_room(r, count_codes(tuples, s), sizeof *x->codes);
        whole = x->start != NULL && x->codes != NULL;
        if (whole)
            x->start[0] = 0;
    }
    MGL_TRY(mgl_check_memory(whole, r->err));
    for (size_t t = 0; t < p->n_tuples; t++) {
        MGL_TRY(read_tuple(r, json_array_get(tuples, t), t));
        rows += p->counts[t];
        if (!ascends(p, t))
            return wrong(r, "its tuples are not ascending");
    }
    return rows == p->n_rows ? MGL_OK : wrong(r, "its tuples have not as many rows as it says");
}

/* ---- Steps of a better bound ---------------------------------------------------------------- */

#define MOST_PRICE (UINT64_C(1) << 62)

static mgl_status take_prices(const reader *r, const json_t *list, mgl_proof_step *step)
{
    size_t n = r->proof->n_tuples;
    int64_t *prices = proof_room(r, n, sizeof *prices);
    MGL_TRY(mgl_check_memory(prices != NULL, r->err));
    if (!json_is_array(list) || json_array_size(list) != n)
        return wrong(r, "a step has not one price for each tuple");
    for (size_t t = 0; t < n; t++) {
        const json_t *price = json_array_get(list, t);
        prices[t] = json_integer_value(price);
        if (!json_is_integer(price) || prices[t] == INT64_MIN ||
            (uint64_t)llabs(prices[t]) > MOST_PRICE)
            return wrong(r, "a price of a step is none");
    }
    step->prices = prices;
    return MGL_OK;
}

/* The price, then the tuples, ascending. */
static mgl_status take_cut(const reader *r, const json_t *list, mgl_proof_cut *cut)
{
    size_t n;
    uint64_t price;
    MGL_TRY(take_list(r, list, 2, "a cut is none", &n));
    uint32_t *tuples = proof_room(r, n, sizeof *tuples);
    MGL_TRY(mgl_check_memory(tuples != NULL, r->err));
    MGL_TRY(take_whole(r, json_array_get(list, 0), 0, MOST_PRICE, "a cut has no price", &price));
    for (size_t i = 1; i < n; i++) {
        MGL_TRY(take_number(r, json_array_get(list, i), (uint32_t)r->proof->n_tuples,
                            "a cut has a tuple that is not there", &tuples[i - 1]));
        if (i > 1 && tuples[i - 1] <= tuples[i - 2])
            return wrong(r, "the tuples of a cut are not ascending");
    }
    *cut = (mgl_proof_cut){(int64_t)price, tuples, n - 1};
    return MGL_OK;
}

static mgl_status take_pair(const reader *r, const json_t *list, mgl_proof_step *step)
{
    if (json_array_size(list) != 2)
        return wrong(r, "a pair is none");
    for (size_t i = 0; i < 2; i++)
        MGL_TRY(take_number(r, json_array_get(list, i), (uint32_t)r->proof->n_tuples,
                            "a pair has a tuple that is not there", &step->pair[i]));
    return step->pair[0] != step->pair[1] ? MGL_OK : wrong(r, "a pair is none");
}

static mgl_status take_step(const reader *r, const json_t *from, mgl_proof_step *step)
{
    static const char *const kinds[] = {
        [MGL_PROOF_TOGETHER] = "together", [MGL_PROOF_APART] = "apart", [MGL_PROOF_END] = "end"};
    const json_t *cuts = json_object_get(from, "cuts");
    uint64_t left;
    *step = (mgl_proof_step){0};
    for (int kind = MGL_PROOF_TOGETHER; kind <= MGL_PROOF_END; kind++)
        if (json_object_get(from, kinds[kind]) != NULL) {
            step->kind = (mgl_proof_kind)kind;
            return take_pair(r, json_object_get(from, kinds[kind]), step);
        }
    MGL_TRY(take_prices(r, json_object_get(from, "prices"), step));
    MGL_TRY(take_whole(r, json_object_get(from, "left"), 0, MOST_PRICE,
                       "a step has no price of rows left out", &left));
    MGL_TRY(take_list(r, cuts, 0, "a step has no list of cuts", &step->n_cuts));
    mgl_proof_cut *room = proof_room(r, step->n_cuts, sizeof *room);
    MGL_TRY(mgl_check_memory(room != NULL, r->err));
    for (size_t i = 0; i < step->n_cuts; i++)
        MGL_TRY(take_cut(r, json_array_get(cuts, i), &room[i]));
    step->left = (int64_t)left;
    step->cuts = room;
    return MGL_OK;
}

static mgl_status take_steps(const reader *r, const json_t *from, mgl_proof_exact *exact)
{
    uint64_t times, step;
    const json_t *list = json_object_get(from, "steps");
    MGL_TRY(take_whole(r, json_object_get(from, "times"), 1, UINT64_C(1) << 52,
                       "its steps have no unit", &times));
    MGL_TRY(take_whole(r, json_object_get(from, "step"), 1, MOST_PRICE,
                       "its steps do not state how costs differ", &step));
    MGL_TRY(take_list(r, list, 1, "it has no steps", &exact->n_steps));
    mgl_proof_step *steps = proof_room(r, exact->n_steps, sizeof *steps);
    MGL_TRY(mgl_check_memory(steps != NULL, r->err));
    for (size_t i = 0; i < exact->n_steps; i++)
        MGL_TRY(take_step(r, json_array_get(list, i), &steps[i]));
    if (steps[0].kind != MGL_PROOF_PRICES || steps[0].n_cuts > 0)
        return wrong(r, "its first step has no prices, or cuts");
    exact->times = (int64_t)times;
    exact->step = (int64_t)step;
    exact->steps = steps;
    return MGL_OK;
}

/* Few tuples need no steps. */
static mgl_status take_sets(const reader *r, const json_t *method, mgl_proof_exact *exact)
{
    if (!json_is_string(method) || strcmp(json_string_value(method), "sets") != 0)
        return wrong(r, "its better bound is proved in a way that is not known");
    if (r->proof->n_tuples > MGL_PROOF_FEW)
        return wrong(r, "it has too many tuples to divide them in all ways");
    exact->sets = true;
    exact->times = exact->step = 1;
    return MGL_OK;
}

/* The steps of a better bound; NULL: there are none. */
static mgl_status read_exact(const reader *r, const json_t *from)
{
    uint64_t bound;
    const json_t *method = json_object_get(from, "method");
    const json_t *rounded = json_object_get(from, "rounded");
    if (from == NULL)
        return MGL_OK;
    mgl_proof_exact *exact = proof_room(r, 1, sizeof *exact);
    MGL_TRY(mgl_check_memory(exact != NULL, r->err));
    if (!json_is_boolean(rounded))
        return wrong(r, "its steps do not state whether costs are rounded");
    MGL_TRY(take_whole(r, json_object_get(from, "bound"), 0, MOST_PRICE, "its steps have no bound",
                       &bound));
    *exact = (mgl_proof_exact){.rounded = json_is_true(rounded), .bound = (int64_t)bound};
    MGL_TRY(method != NULL ? take_sets(r, method, exact) : take_steps(r, from, exact));
    r->proof->exact = exact;
    return MGL_OK;
}

/* ---- The whole --------------------------------------------------------------------- */

static mgl_status read_head(const reader *r, const json_t *document)
{
    mgl_proof *p = r->proof;
    const json_t *version = json_object_get(document, "mingle_proof");
    const json_t *input = json_object_get(document, "input");
    if (!json_is_integer(version))
        return mgl_fail_key_at(r->err, MGL_CODE_DAMAGED, r->path, "proof",
                               "this is no proof; give the file that `save-proof` wrote");
    if (json_integer_value(version) != MGL_PROOF_VERSION)
        return mgl_fail_key_at(r->err, MGL_CODE_DAMAGED, r->path, "proof",
                               "a proof of format version %" JSON_INTEGER_FORMAT
                               "; this program knows version %d",
                               json_integer_value(version), MGL_PROOF_VERSION);
    MGL_TRY(take_text(r, json_object_get(document, "method"), "it names no method", &p->method));
    MGL_TRY(take_text(r, json_object_get(document, "measure"), "it names no measure", &p->measure));
    MGL_TRY(take_text(r, json_object_get(document, "treatment"), "it names no treatment",
                      &p->treatment));
    if (!mgl_proof_knows_measure(p->measure))
        return wrong(r, "its measure is none that adds up over cells");
    if (!json_is_null(input))
        MGL_TRY(take_text(r, input, "it does not name its table", &p->input));
    if (json_number_value(json_object_get(document, "unit")) != MGL_PROOF_UNIT)
        return wrong(r, "its prices are in another unit");
    MGL_TRY(take_whole(r, json_object_get(document, "limit"), 0, UINT64_MAX / 4, "it has no limit",
                       &p->limit));
    return take_whole(r, json_object_get(document, "rows"), 1, UINT64_C(1) << 52, "it has no rows",
                      &p->n_rows);
}

static mgl_status read_document(const reader *r, const json_t *document)
{
    MGL_TRY(read_head(r, document));
    MGL_TRY(read_columns(r, json_object_get(document, "columns")));
    MGL_TRY(read_sensitive(r, json_object_get(document, "sensitive")));
    MGL_TRY(read_models(r, json_object_get(document, "models")));
    MGL_TRY(read_tuples(r, json_object_get(document, "tuples")));
    return read_exact(r, json_object_get(document, "exact"));
}

static mgl_status load(const char *path, mgl_error *err, json_t **out)
{
    json_error_t error = {0};
    mgl_buffer bytes = {0};
    mgl_status status = mgl_read_whole(path, err, &bytes);
    if (status == MGL_OK)
        *out = json_loadb(bytes.data, bytes.size, JSON_REJECT_DUPLICATES, &error);
    mgl_buffer_free(&bytes);
    if (status != MGL_OK)
        return mgl_blame_key(err, status, "proof");
    if (*out != NULL)
        return MGL_OK;
    /* Where the parser itself lacked memory, nothing is reported. */
    if (error.text[0] == '\0' || json_error_code(&error) == json_error_out_of_memory)
        return mgl_fail_memory(err);
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_DAMAGED, path, error.line > 0 ? (uint64_t)error.line : 0,
                    "no proof: %.200s; give the file that `save-proof` wrote", error.text),
        "proof");
}

mgl_status mgl_proof_read(const char *path, mgl_error *err, mgl_proof **out)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_proof *proof = arena != NULL ? mgl_arena_alloc(arena, sizeof *proof) : NULL;
    json_t *document = NULL;
    if (proof == NULL) {
        mgl_arena_free(arena);
        return mgl_fail_memory(err);
    }
    *proof = (mgl_proof){.arena = arena};
    mgl_status status = load(path, err, &document);
    if (status == MGL_OK)
        status = read_document(&(reader){path, err, proof}, document);
    json_decref(document);
    if (status != MGL_OK) {
        mgl_arena_free(arena);
        return status;
    }
    *out = proof;
    return MGL_OK;
}

void mgl_proof_free(mgl_proof *proof)
{
    if (proof != NULL)
        mgl_arena_free(proof->arena);
}

/* Cells and names are UTF-8 when they were read, so that memory is all that can be lacking. */
static mgl_status write_text(mgl_buffer *out, mgl_span text, mgl_error *err)
{
    json_t *string = json_stringn(text.data, text.size);
    char *written = string != NULL ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    json_decref(string);
    MGL_TRY(mgl_check_memory(written != NULL, err));
    mgl_buffer_text(out, written);
    free(written);
    return MGL_OK;
}

static void write_numbers(mgl_buffer *out, const uint32_t *numbers, size_t n)
{
    mgl_buffer_text(out, "[");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(out, "%s%" PRIu32, i > 0 ? "," : "", numbers[i]);
    mgl_buffer_text(out, "]");
}

/* As short as it can be and still read back as the same. */
static void write_real(mgl_buffer *out, double value)
{
    char text[MGL_NUMBER_TEXT];
    mgl_number_write_exact(value, text);
    mgl_buffer_text(out, text);
}

static mgl_status write_column(mgl_buffer *out, const mgl_proof_column *x, mgl_error *err)
{
    mgl_buffer_text(out, "{\"name\": ");
    MGL_TRY(write_text(out, mgl_span_of(x->name), err));
    mgl_buffer_text(out, ", \"weight\": ");
    write_real(out, x->weight);
    mgl_buffer_format(out, ", \"levels\": [%" PRIu32 ",%" PRIu32 "],\n \"values\": [", x->low,
                      x->high);
    for (uint32_t v = 0; v < x->n_values; v++) {
        mgl_buffer_text(out, v > 0 ? "," : "");
        MGL_TRY(write_text(out, x->labels[v], err));
    }
    mgl_buffer_text(out, "],\n \"leaves\": [");
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        mgl_buffer_text(out, leaf > 0 ? ",\n  [" : "\n  [");
        for (uint32_t l = 0; l <= x->height; l++)
            mgl_buffer_format(out, "%s%" PRIu32, l > 0 ? "," : "", x->value[l][leaf]);
        mgl_buffer_text(out, "]");
    }
    mgl_buffer_text(out, "]}");
    return MGL_OK;
}

static void write_tuple(mgl_buffer *out, const mgl_proof *p, size_t t)
{
    mgl_buffer_text(out, t > 0 ? ",\n[" : "\n[");
    write_numbers(out, p->leaves + t * p->n_columns, p->n_columns);
    mgl_buffer_format(out, ",%" PRIu64 ",%" PRId64 ",[", p->counts[t], p->prices[t]);
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_proof_sensitive *x = &p->sensitive[s];
        mgl_buffer_text(out, s > 0 ? "," : "");
        write_numbers(out, x->codes + x->start[t], x->start[t + 1] - x->start[t]);
    }
    mgl_buffer_text(out, "]]");
}

static mgl_status write_models(mgl_buffer *out, const mgl_proof *p, mgl_error *err)
{
    mgl_buffer_text(out, "\"models\": [");
    for (size_t i = 0; i < p->n_models; i++) {
        const mgl_proof_model *x = &p->models[i];
        mgl_buffer_format(out, "%s{\"model\": \"%s\", \"parameter\": ", i > 0 ? ",\n " : "",
                          x->model);
        write_real(out, x->parameter);
        mgl_buffer_text(out, ", \"sensitive\": ");
        write_numbers(out, x->sensitive, x->n_sensitive);
        mgl_buffer_text(out, "}");
    }
    mgl_buffer_text(out, "],\n\"sensitive\": [");
    for (size_t s = 0; s < p->n_sensitive; s++) {
        mgl_buffer_text(out, s > 0 ? ",\n {\"attribute\": " : "{\"attribute\": ");
        MGL_TRY(write_text(out, mgl_span_of(p->sensitive[s].attribute), err));
        mgl_buffer_format(out, ", \"grouped\": %s}", p->sensitive[s].grouped ? "true" : "false");
    }
    mgl_buffer_text(out, "],\n");
    return MGL_OK;
}

static void write_step(mgl_buffer *out, const mgl_proof *p, const mgl_proof_step *s)
{
    static const char *const kinds[] = {
        [MGL_PROOF_TOGETHER] = "together", [MGL_PROOF_APART] = "apart", [MGL_PROOF_END] = "end"};
    if (s->kind != MGL_PROOF_PRICES) {
        mgl_buffer_format(out, "{\"%s\": [%" PRIu32 ",%" PRIu32 "]}", kinds[s->kind], s->pair[0],
                          s->pair[1]);
        return;
    }
    mgl_buffer_text(out, "{\"prices\": [");
    for (size_t t = 0; t < p->n_tuples; t++)
        mgl_buffer_format(out, "%s%" PRId64, t > 0 ? "," : "", s->prices[t]);
    mgl_buffer_format(out, "], \"left\": %" PRId64 ", \"cuts\": [", s->left);
    for (size_t c = 0; c < s->n_cuts; c++) {
        mgl_buffer_format(out, "%s[%" PRId64, c > 0 ? "," : "", s->cuts[c].price);
        for (size_t i = 0; i < s->cuts[c].n; i++)
            mgl_buffer_format(out, ",%" PRIu32, s->cuts[c].tuples[i]);
        mgl_buffer_text(out, "]");
    }
    mgl_buffer_text(out, "]}");
}

static void write_exact(mgl_buffer *out, const mgl_proof *p)
{
    const mgl_proof_exact *x = p->exact;
    if (x->sets) {
        mgl_buffer_format(
            out, ",\n\"exact\": {\"method\": \"sets\", \"rounded\": %s, \"bound\": %" PRId64 "}",
            x->rounded ? "true" : "false", x->bound);
        return;
    }
    mgl_buffer_format(out,
                      ",\n\"exact\": {\"rounded\": %s, \"times\": %" PRId64 ", \"step\": %" PRId64
                      ", \"bound\": %" PRId64 ", \"steps\": [",
                      x->rounded ? "true" : "false", x->times, x->step, x->bound);
    for (size_t i = 0; i < x->n_steps; i++) {
        mgl_buffer_text(out, i > 0 ? ",\n" : "\n");
        write_step(out, p, &x->steps[i]);
    }
    mgl_buffer_text(out, "]}");
}

mgl_status mgl_proof_write(const mgl_proof *p, mgl_error *err, mgl_buffer *out)
{
    mgl_buffer_format(out,
                      "{\"mingle_proof\": %d, \"unit\": %.0f,\n\"method\": \"%s\", \"measure\": "
                      "\"%s\", \"treatment\": \"%s\", \"limit\": %" PRIu64 ", \"rows\": %" PRIu64
                      ",\n\"input\": ",
                      MGL_PROOF_VERSION, MGL_PROOF_UNIT, p->method, p->measure, p->treatment,
                      p->limit, p->n_rows);
    mgl_buffer_format(out, p->input != NULL ? "\"%s\",\n" : "null,\n", p->input);
    MGL_TRY(write_models(out, p, err));
    mgl_buffer_text(out, "\"columns\": [");
    for (size_t a = 0; a < p->n_columns; a++) {
        mgl_buffer_text(out, a > 0 ? ",\n" : "");
        MGL_TRY(write_column(out, &p->columns[a], err));
    }
    mgl_buffer_text(out, "],\n\"tuples\": [");
    for (size_t t = 0; t < p->n_tuples; t++)
        write_tuple(out, p, t);
    mgl_buffer_text(out, "]");
    if (p->exact != NULL)
        write_exact(out, p);
    mgl_buffer_text(out, "}\n");
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}
