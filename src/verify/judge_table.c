/* Judges a table that was read: every class of every quasi-identifier by every model, with code
 * that shares nothing with the search but the definitions of the models. verify.c calls it for a
 * release that it has read back, `check` and the push for tables they have. */
#include "verify/verify.h"

#include "verify/matches.h"
#include "verify/sorted.h"

#include <stdlib.h>

/* ---- Households ---------------------------------------------------------------------------- */

/* The risk of each household by its rows: finding one member is finding all. */
typedef struct household_risks {
    const uint32_t *of_row; /* [row] the household */
    size_t n;               /* households are below this */
    double *hidden;         /* [n] chance that nobody of it is found */
    uint64_t *rows;         /* [n] of it that are judged */
} household_risks;

/* Free with free_risks, also on failure. */
static mgl_status init_risks(household_risks *risks, const uint32_t *of_row, size_t n_rows,
                             mgl_error *err)
{
    *risks = (household_risks){.of_row = of_row};
    for (size_t row = 0; row < n_rows; row++)
        risks->n = of_row[row] >= risks->n ? (size_t)of_row[row] + 1 : risks->n;
    risks->hidden = mgl_alloc_array(risks->n, sizeof *risks->hidden);
    risks->rows = mgl_zeroed_array(risks->n, sizeof *risks->rows);
    if (risks->hidden == NULL || risks->rows == NULL)
        return mgl_fail_memory(err);
    for (size_t h = 0; h < risks->n; h++)
        risks->hidden[h] = 1;
    return MGL_OK;
}

static void free_risks(household_risks *risks)
{
    mgl_free(risks->hidden);
    mgl_free(risks->rows);
    *risks = (household_risks){0};
}

/* Each of these rows, a class, has this risk, and tells of so many persons (NULL: of one). */
static void add_risks(household_risks *risks, const uint64_t *times, const uint32_t *rows, size_t n,
                      double risk)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t members = times != NULL ? times[rows[i]] : 1;
        risks->hidden[risks->of_row[rows[i]]] *= pow(1 - risk, (double)members);
        risks->rows[risks->of_row[rows[i]]] += members;
    }
}

/* What the households say about the model; those that violate it count as classes. */
static void judge_risks(const household_risks *risks, const mgl_model *model, mgl_found *found)
{
    *found = MGL_FOUND_NOTHING;
    for (size_t h = 0; h < risks->n; h++) {
        double risk = 1 - risks->hidden[h];
        if (risks->rows[h] == 0)
            continue;
        if (isnan(found->measured) || risk > found->measured)
            found->measured = risk;
        if (mgl_at_most(risk, model->parameters[0]))
            continue;
        found->holds = false;
        found->violating_rows += risks->rows[h];
        found->violating_classes++;
    }
}

/* ---- Persons of a population --------------------------------------------------------------------
 */

typedef struct mgl_label_matcher mgl_label_matcher;

enum { MOST_SIGNATURES = 64 };

/* The population generalized to one level per column, sorted, so that a tuple of values is
 * found by bisection. Released tuples at the same levels share one. */
typedef struct view {
    uint32_t *levels; /* [n_columns] */
    uint32_t *values; /* [n_tuples * n_columns], tuples ascending */
    uint64_t *rows;   /* [n_tuples] */
    size_t n_tuples;
} view;

struct mgl_label_matcher {
    const mgl_promised_population *population;
    const size_t *columns; /* which of the population's columns a label belongs to */
    size_t n_columns;
    view views[MOST_SIGNATURES];
    size_t n_views, next;
    uint32_t *wanted; /* [2 * n_columns]: levels, then values */
};

/* columns: for each label that will be asked for, which column of the population it belongs
 * to. Free with label_matcher_free. */
static mgl_status label_matcher_new(const mgl_promised_population *population,
                                    const size_t *columns, size_t n_columns, mgl_error *err,
                                    mgl_label_matcher **out)
{
    mgl_label_matcher *matcher = mgl_zeroed_array(1, sizeof *matcher);
    if (matcher == NULL)
        return mgl_fail_memory(err);
    matcher->population = population;
    matcher->columns = columns;
    matcher->n_columns = n_columns;
    matcher->wanted = mgl_alloc_array(n_columns, 2 * sizeof *matcher->wanted);
    if (matcher->wanted == NULL) {
        mgl_free(matcher);
        return mgl_fail_memory(err);
    }
    *out = matcher;
    return MGL_OK;
}

static void free_view(view *v)
{
    mgl_free(v->levels);
    mgl_free(v->values);
    mgl_free(v->rows);
    *v = (view){0};
}

static void label_matcher_free(mgl_label_matcher *matcher)
{
    if (matcher == NULL)
        return;
    for (size_t i = 0; i < matcher->n_views; i++)
        free_view(&matcher->views[i]);
    mgl_free(matcher->wanted);
    mgl_free(matcher);
}

/* qsort has no context: an item carries the number of its values. */
typedef struct item {
    const uint32_t *values;
    size_t n;
    uint64_t times;
} item;

static int compare_values(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return compare_values(x->values, y->values, x->n);
}

static mgl_status make_view(const mgl_label_matcher *matcher, const uint32_t *levels,
                            mgl_error *err, view *out)
{
    const mgl_promised_population *p = matcher->population;
    size_t m = matcher->n_columns;
    view v = {.levels = mgl_alloc_array(m, sizeof *v.levels),
              .values = mgl_alloc_array(p->n_rows, m * sizeof *v.values),
              .rows = mgl_zeroed_array(p->n_rows, sizeof *v.rows)};
    uint32_t *raw = mgl_alloc_array(p->n_rows, m * sizeof *raw);
    item *items = mgl_alloc_array(p->n_rows, sizeof *items);
    mgl_status status = MGL_OK;
    if (v.levels == NULL || v.values == NULL || v.rows == NULL || raw == NULL || items == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t row = 0; row < p->n_rows; row++) {
        for (size_t i = 0; i < m; i++) {
            size_t c = matcher->columns[i];
            uint32_t leaf = p->leaf_of_code[c][mgl_column_code(p->columns[c], row)];
            raw[row * m + i] = p->hierarchies[c]->levels[levels[i]].of_leaf[leaf];
        }
        items[row] = (item){raw + row * m, m, p->times != NULL ? p->times[row] : 1};
    }
    memcpy(v.levels, levels, m * sizeof *levels);
    qsort(items, p->n_rows, sizeof *items, compare_items);
    for (size_t row = 0; row < p->n_rows; row++) {
        if (row == 0 || compare_items(&items[row], &items[row - 1]) != 0)
            memcpy(v.values + v.n_tuples++ * m, items[row].values, m * sizeof *raw);
        v.rows[v.n_tuples - 1] += items[row].times;
    }
    *out = v;
    v = (view){0};
done:
    free_view(&v);
    mgl_free(raw);
    mgl_free(items);
    return status;
}

static mgl_status find_view(mgl_label_matcher *matcher, const uint32_t *levels, mgl_error *err,
                            const view **out)
{
    for (size_t i = 0; i < matcher->n_views; i++)
        if (compare_values(matcher->views[i].levels, levels, matcher->n_columns) == 0) {
            *out = &matcher->views[i];
            return MGL_OK;
        }
    view fresh;
    MGL_TRY(make_view(matcher, levels, err, &fresh));
    size_t place =
        matcher->n_views < MOST_SIGNATURES ? matcher->n_views++ : matcher->next++ % MOST_SIGNATURES;
    free_view(&matcher->views[place]);
    matcher->views[place] = fresh;
    *out = &matcher->views[place];
    return MGL_OK;
}

/* Rows of the population that lie under the labels. */
static mgl_status label_match(mgl_label_matcher *matcher, const mgl_span *labels, mgl_error *err,
                              uint64_t *out)
{
    size_t m = matcher->n_columns;
    uint32_t *levels = matcher->wanted, *values = matcher->wanted + m;
    *out = 0;
    for (size_t i = 0; i < m; i++)
        if (!mgl_hierarchy_find(matcher->population->hierarchies[matcher->columns[i]], labels[i],
                                &levels[i], &values[i]))
            return MGL_OK; /* nobody in the population is like that */
    const view *v;
    MGL_TRY(find_view(matcher, levels, err, &v));
    size_t low = 0, high = v->n_tuples;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_values(v->values + middle * m, values, m) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < v->n_tuples && compare_values(v->values + low * m, values, m) == 0)
        *out = v->rows[low];
    return MGL_OK;
}

/* ---- Rows that are not judged ---------------------------------------------------------- */

/* 1 for each row whose quasi-identifier cells all read as the top, but for those of strata. */
static void mark_top_rows(const mgl_table *table, const mgl_promise *promise, uint8_t *top)
{
    memset(top, promise->n_tops > promise->n_by, table->n_rows);
    for (size_t i = promise->n_by; i < promise->n_tops; i++) {
        const mgl_column *column = &table->columns[i];
        uint32_t code = mgl_dictionary_find(column->dictionary, promise->tops[i]);
        for (size_t row = 0; row < table->n_rows; row++)
            top[row] &= mgl_column_code(column, row) == code;
    }
}

/* The rows of a stratum of which all are at the top are judged, as one class. */
static mgl_status judge_whole_strata(const mgl_table *table, const mgl_promise *promise,
                                     mgl_error *err, uint8_t *top)
{
    size_t n = promise->n_by;
    const mgl_column **columns = mgl_alloc_array(n + 1, sizeof *columns);
    mgl_sorted_rows sorted = {0};
    mgl_status status = MGL_OK;
    if (columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < n; i++)
        columns[i] = &table->columns[i];
    MGL_GO(mgl_sorted_rows_init(&sorted, columns, n, NULL, table->n_rows, err));
    for (size_t from = 0, to; from < sorted.n_rows; from = to) {
        bool whole = true;
        to = mgl_sorted_rows_end(&sorted, from);
        for (size_t i = from; i < to; i++)
            whole = whole && top[sorted.rows[i]];
        for (size_t i = from; whole && i < to; i++)
            top[sorted.rows[i]] = 0;
    }
done:
    mgl_sorted_rows_free(&sorted);
    mgl_free(columns);
    return status;
}

/* The rows that are not judged; all are if there are none. */
static mgl_status find_exempt(const mgl_table *table, const mgl_promise *promise, mgl_error *err,
                              uint8_t *top)
{
    mark_top_rows(table, promise, top);
    if (promise->n_by > 0)
        return judge_whole_strata(table, promise, err, top);
    if (memchr(top, 0, table->n_rows) == NULL)
        memset(top, 0, table->n_rows);
    return MGL_OK;
}

/* ---- One quasi-identifier ------------------------------------------------------------ */

typedef struct judge {
    const mgl_table *table;
    const mgl_promise *promise;
    const mgl_promised_set *set;
    const mgl_column **columns; /* [set->n_columns], then the pasts if there are any */
    size_t *attributes;         /* [set->n_columns] */
    mgl_span *labels;           /* [set->n_columns] of one class, or of what is suppressed */
    const uint8_t *exempt;      /* [row] is not judged; NULL: all are */
    mgl_sorted_rows sorted;
    mgl_release_group group;
    mgl_label_matcher *matcher; /* NULL: no population */
    uint64_t *sizes;            /* of the classes, those of one stratum after the other */
    uint64_t *weights;          /* likewise */
    household_risks households;
    size_t n_sizes;
} judge;

static mgl_status begin_judging(judge *j, mgl_error *err)
{
    const mgl_promise *promise = j->promise;
    size_t n = j->set->n_columns, n_rows = j->table->n_rows;
    j->columns = mgl_alloc_array(n + 1, sizeof *j->columns);
    j->attributes = mgl_alloc_array(n, sizeof *j->attributes);
    j->labels = mgl_alloc_array(n, sizeof *j->labels);
    if (j->columns == NULL || j->attributes == NULL || j->labels == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < promise->n_tops; a++)
            if (promise->top_columns[a] == j->set->columns[i]) {
                j->columns[i] = &j->table->columns[a];
                j->attributes[i] = a;
            }
    j->columns[n] = j->set->pasts;
    MGL_TRY(mgl_sorted_rows_init(&j->sorted, j->columns, n + (j->set->pasts != NULL), j->exempt,
                                 n_rows, err));
    MGL_TRY(mgl_release_group_init(&j->group, j->table, promise, err));
    if (promise->population != NULL)
        MGL_TRY(label_matcher_new(promise->population, j->attributes, n, err, &j->matcher));
    j->sizes = mgl_alloc_array(n_rows, sizeof *j->sizes);
    j->weights = mgl_alloc_array(n_rows, sizeof *j->weights);
    if (j->sizes == NULL || j->weights == NULL)
        return mgl_fail_memory(err);
    return promise->households == NULL
               ? MGL_OK
               : init_risks(&j->households, promise->households, n_rows, err);
}

static void end_judging(judge *j)
{
    label_matcher_free(j->matcher);
    mgl_release_group_free(&j->group);
    mgl_sorted_rows_free(&j->sorted);
    mgl_free(j->columns);
    mgl_free(j->attributes);
    mgl_free(j->labels);
    mgl_free(j->sizes);
    mgl_free(j->weights);
    free_risks(&j->households);
}

static mgl_status judge_class(judge *j, const uint32_t *rows, size_t n, mgl_error *err,
                              mgl_found *found)
{
    mgl_group group = *mgl_release_group_fill(&j->group, rows, n);
    if (j->matcher != NULL) {
        for (size_t i = 0; i < j->set->n_columns; i++)
            j->labels[i] = mgl_dictionary_value(j->columns[i]->dictionary,
                                                mgl_column_code(j->columns[i], rows[0]));
        MGL_TRY(label_match(j->matcher, j->labels, err, &group.population));
    }
    for (size_t i = 0; j->promise->weights != NULL && i < n; i++)
        group.population +=
            j->promise->weights[rows[i]] * (j->table->times != NULL ? j->table->times[rows[i]] : 1);
    for (size_t m = 0; m < j->set->n_models; m++)
        if (j->set->models[m].type->scope == MGL_SCOPE_CLASS)
            mgl_found_add(&found[m], &j->set->models[m], &group);
    if (j->promise->households != NULL)
        add_risks(&j->households, j->table->times, rows, n,
                  mgl_sample_risk(&j->set->models[0].facts->sample, group.size, group.population));
    j->weights[j->n_sizes] = group.population;
    j->sizes[j->n_sizes++] = group.size;
    return MGL_OK;
}

static mgl_status judge_matches(judge *j, mgl_error *err, mgl_found *found)
{
    for (size_t i = 0; i < j->set->n_columns; i++)
        j->labels[i] = j->promise->tops[j->attributes[i]];
    for (size_t m = 0; m < j->set->n_models; m++) {
        const mgl_model_type *type = j->set->models[m].type;
        if (!mgl_asks_for_size(type))
            return mgl_blame_key(
                err,
                mgl_fail(err, MGL_CODE_CONFLICT,
                         "%s cannot be judged where suppressed cells match every value; leave "
                         "out `missing-matches: all`, or ask for k-anonymity alone",
                         type->name),
                "missing-matches");
    }
    mgl_matches matches = {.sorted = &j->sorted,
                           .columns = j->columns,
                           .tops = j->labels,
                           .n_columns = j->set->n_columns,
                           .times = j->table->times,
                           .persons = j->promise->persons,
                           .models = j->set->models,
                           .n_models = j->set->n_models};
    return mgl_matches_judge(&matches, err, found);
}

/* Rows are sorted by the columns of strata first. */
static bool same_stratum(const judge *j, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < j->promise->n_by; i++)
        if (mgl_column_code(j->columns[i], x) != mgl_column_code(j->columns[i], y))
            return false;
    return true;
}

/* The classes since the last time: all, or those of a stratum. */
static void judge_table(judge *j, mgl_found *found)
{
    mgl_class_sizes sizes = {j->sizes, j->n_sizes, j->weights};
    for (size_t m = 0; m < j->set->n_models; m++)
        if (j->set->models[m].type->scope == MGL_SCOPE_TABLE) {
            mgl_found one = MGL_FOUND_NOTHING;
            mgl_found_judge_table(&one, &j->set->models[m], &sizes);
            mgl_found_join(&found[m], &one, &j->set->models[m]);
        }
    j->n_sizes = 0;
}

static mgl_status judge_set(judge *j, mgl_error *err, mgl_found *found)
{
    if (j->promise->tops_match)
        return judge_matches(j, err, found);
    for (size_t m = 0; m < j->set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    if (j->promise->joined)
        MGL_TRY(mgl_sorted_rows_join(&j->sorted, j->promise->persons, err));
    for (size_t from = 0, to; from < j->sorted.n_rows; from = to) {
        const uint32_t *rows = j->sorted.rows;
        to = mgl_sorted_rows_end(&j->sorted, from);
        if (from > 0 && !same_stratum(j, rows[from - 1], rows[from]))
            judge_table(j, found);
        MGL_TRY(judge_class(j, rows + from, to - from, err, found));
    }
    judge_table(j, found);
    for (size_t m = 0; j->promise->households != NULL && m < j->set->n_models; m++)
        if (j->set->models[m].type->by_household)
            judge_risks(&j->households, &j->set->models[m], &found[m]);
    return MGL_OK;
}

static mgl_status verify_set(const judge *with, const mgl_promised_set *set, mgl_error *err,
                             mgl_found *found)
{
    judge j = *with;
    j.set = set;
    mgl_status status = begin_judging(&j, err);
    if (status == MGL_OK)
        status = judge_set(&j, err, found);
    end_judging(&j);
    return status;
}

/* ---- Combinations of its columns --------------------------------------------------------- */

/* The next places, each larger than the one before and below n; false after the last. */
static bool next_places(size_t *places, size_t size, size_t n)
{
    for (size_t i = size; i-- > 0;)
        if (places[i] < n - (size - i)) {
            places[i]++;
            for (size_t k = i + 1; k < size; k++)
                places[k] = places[k - 1] + 1;
            return true;
        }
    return false;
}

static mgl_status verify_combinations(const judge *with, const mgl_promised_set *set,
                                      mgl_error *err, mgl_found *found)
{
    size_t n_by = with->promise->n_by, size = with->promise->combination + n_by;
    size_t *places = mgl_alloc_array(size, sizeof *places);
    size_t *columns = mgl_alloc_array(size, sizeof *columns);
    mgl_found *one = mgl_alloc_array(set->n_models, sizeof *one);
    mgl_status status = MGL_OK;
    mgl_promised_set some = {
        .columns = columns, .n_columns = size, .models = set->models, .n_models = set->n_models};
    if (places == NULL || columns == NULL || one == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    for (size_t i = 0; i < size; i++)
        places[i] = i;
    do {
        for (size_t i = 0; i < size; i++)
            columns[i] = set->columns[places[i]];
        MGL_GO(verify_set(with, &some, err, one));
        for (size_t m = 0; m < set->n_models; m++)
            mgl_found_worsen(&found[m], &one[m], &set->models[m]);
    } while (next_places(places + n_by, size - n_by, set->n_columns)); /* strata are in each */
done:
    mgl_free(places);
    mgl_free(columns);
    mgl_free(one);
    return status;
}

mgl_status mgl_verify_table(const mgl_table *table, const mgl_promise *promise, mgl_error *err,
                            mgl_found *found)
{
    judge with = {.table = table, .promise = promise};
    uint8_t *top = promise->exempt_top ? mgl_alloc_array(table->n_rows, 1) : NULL;
    mgl_status status = promise->exempt_top && top == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (top != NULL)
        status = find_exempt(table, promise, err, top);
    with.exempt = top;
    for (size_t q = 0; status == MGL_OK && q < promise->n_sets; q++) {
        const mgl_promised_set *set = &promise->sets[q];
        bool combined =
            promise->combination > 0 && promise->combination + promise->n_by < set->n_columns;
        status = combined ? verify_combinations(&with, set, err, found)
                          : verify_set(&with, set, err, found);
        found += set->n_models;
    }
    mgl_free(top);
    return status;
}
