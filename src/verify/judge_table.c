/* Judges a table that was read: every class of every quasi-identifier by every model, with code
 * that shares nothing with the search but the definitions of the models. */
#include "verify/matches.h"
#include "verify/sorted.h"
#include "verify/verify.h"

#include <stdlib.h>

/* ---- Groups of a release --------------------------------------------------------------------- */

/* Finds the value of the input that a cell of the release is. */
typedef struct value_reader {
    const mgl_dictionary *input;
    mgl_cell_rule rule;
    mgl_value_finder values, missing; /* unless the rule is exact */
} value_reader;

static void release_group_free(mgl_release_group *group);

static mgl_span missing_token(const void *context, uint32_t i)
{
    return ((const mgl_promise *)context)->source.missing[i];
}

static mgl_status begin_values(const mgl_promise *promise, size_t s, mgl_error *err,
                               value_reader *out)
{
    out->input = promise->sensitive[s]->dictionary;
    out->rule = promise->rules != NULL ? promise->rules[s] : (mgl_cell_rule){.exact = true};
    if (out->rule.exact)
        return MGL_OK;
    MGL_TRY(mgl_value_finder_of(&out->rule, out->input, err, &out->values));
    return mgl_value_finder_new(&out->rule, missing_token, promise,
                                (uint32_t)promise->source.n_missing, err, &out->missing);
}

static void end_values(value_reader *r)
{
    mgl_value_finder_free(&r->values);
    mgl_value_finder_free(&r->missing);
}

/* The missing tokens are all one value in the input, and so is what is null. */
static bool is_missing(value_reader *r, const mgl_promise *promise, mgl_span value)
{
    return mgl_spans_have(promise->source.missing, promise->source.n_missing, value) ||
           (!r->rule.exact && mgl_value_find(&r->missing, value) != MGL_NOT_FOUND);
}

static uint32_t input_code(value_reader *r, const mgl_promise *promise,
                           const mgl_dictionary *released, uint32_t code)
{
    mgl_span value = mgl_dictionary_value(released, code);
    if (code == mgl_dictionary_missing(released) || is_missing(r, promise, value))
        return mgl_dictionary_missing(r->input);
    return r->rule.exact ? mgl_dictionary_find(r->input, value) : mgl_value_find(&r->values, value);
}

static mgl_status map_codes(mgl_release_group *group, const mgl_promise *promise, size_t s,
                            mgl_error *err)
{
    const mgl_column *column = &group->columns[s], *input = promise->sensitive[s];
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t n_input = mgl_dictionary_size(input->dictionary);
    value_reader r = {0};
    mgl_status status = MGL_OK;
    group->code_of[s] = mgl_alloc_array(n, sizeof **group->code_of);
    group->values[s] = mgl_alloc_array(n_input, sizeof **group->values);
    group->counts[s] = mgl_alloc_array(n_input, sizeof **group->counts);
    MGL_GO(mgl_check_memory(
        group->code_of[s] != NULL && group->values[s] != NULL && group->counts[s] != NULL, err));
    MGL_GO(begin_values(promise, s, err, &r));
    for (uint32_t code = 0; code < n; code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        char shown[MGL_SHOWN];
        group->code_of[s][code] = input_code(&r, promise, column->dictionary, code);
        if (group->code_of[s][code] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail_column(err, MGL_CODE_INTERNAL, NULL, input->name,
                                   "column %s of the written release holds \"%s\", which the input "
                                   "does not; please report this",
                                   input->name, mgl_shown(value, shown)));
    }
done:
    end_values(&r);
    return status;
}

/* The columns of the table that come after the tops are the sensitive ones. */
static mgl_status release_group_init(mgl_release_group *group, const mgl_table *table,
                                     const mgl_promise *promise, mgl_error *err)
{
    size_t n = promise->n_sensitive, most = 0;
    *group = (mgl_release_group){.n_sensitive = n,
                                 .columns = table->columns + promise->n_tops,
                                 .times = table->times,
                                 .persons = promise->persons.of_row};
    group->entries = mgl_alloc_array(table->n_rows, sizeof *group->entries);
    group->code_of = mgl_zeroed_array(n, sizeof *group->code_of);
    group->values = mgl_zeroed_array(n, sizeof *group->values);
    group->counts = mgl_zeroed_array(n, sizeof *group->counts);
    group->histograms = mgl_zeroed_array(n, sizeof *group->histograms);
    for (size_t s = 0; s < n; s++) {
        uint32_t size = mgl_dictionary_size(promise->sensitive[s]->dictionary);
        most = size > most ? size : most;
    }
    group->dense = mgl_zeroed_array(most, sizeof *group->dense);
    mgl_status status = MGL_OK;
    if (group->code_of == NULL || group->values == NULL || group->counts == NULL ||
        group->histograms == NULL || group->dense == NULL || group->entries == NULL)
        status = mgl_fail_memory(err);
    for (size_t s = 0; status == MGL_OK && s < n; s++)
        status = map_codes(group, promise, s, err);
    if (status != MGL_OK) {
        release_group_free(group);
        return status;
    }
    group->group = (mgl_group){.sensitive = group->histograms, .n_sensitive = n};
    return MGL_OK;
}

static void release_group_free(mgl_release_group *group)
{
    for (size_t s = 0; s < group->n_sensitive; s++) {
        if (group->code_of != NULL)
            mgl_free(group->code_of[s]);
        if (group->values != NULL)
            mgl_free(group->values[s]);
        if (group->counts != NULL)
            mgl_free(group->counts[s]);
    }
    mgl_free(group->code_of);
    mgl_free(group->values);
    mgl_free(group->counts);
    mgl_free(group->histograms);
    mgl_free(group->dense);
    mgl_free(group->entries);
    *group = (mgl_release_group){0};
}

/* One entry per row: its value (column NULL: none) above its person. Sorted; an entry that
 * repeats the one before it is the same person again. Without persons every row counts. */
static void gather(mgl_release_group *group, size_t s, const uint32_t *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint64_t value =
            s == SIZE_MAX ? 0 : group->code_of[s][mgl_column_code(&group->columns[s], rows[i])];
        group->entries[i] = value << 32 | (group->persons != NULL ? group->persons[rows[i]] : 0);
    }
    if (group->persons != NULL)
        mgl_sort_u64(group->entries, n);
}

static bool is_another(const mgl_release_group *group, size_t i)
{
    return i == 0 || group->entries[i] != group->entries[i - 1];
}

static uint64_t times_of(const mgl_release_group *group, uint32_t row)
{
    return group->times != NULL ? group->times[row] : 1;
}

/* What entry i adds: the rows it stands for, or a person unless the one before was the same. */
static uint64_t counts(const mgl_release_group *group, const uint32_t *rows, size_t i)
{
    return group->persons == NULL ? times_of(group, rows[i]) : is_another(group, i);
}

static const mgl_group *release_group_fill(mgl_release_group *group, const uint32_t *rows, size_t n)
{
    group->group.rows = 0;
    for (size_t i = 0; i < n; i++)
        group->group.rows += times_of(group, rows[i]);
    group->group.size = group->group.rows;
    if (group->persons != NULL) {
        gather(group, SIZE_MAX, rows, n);
        group->group.size = 0;
        for (size_t i = 0; i < n; i++)
            group->group.size += counts(group, rows, i);
    }
    for (size_t s = 0; s < group->n_sensitive; s++) {
        uint32_t *values = group->values[s];
        size_t n_values = 0;
        gather(group, s, rows, n);
        for (size_t i = 0; i < n; i++) {
            uint32_t code = (uint32_t)(group->entries[i] >> 32);
            uint64_t amount = counts(group, rows, i);
            if (amount > 0 && group->dense[code] == 0)
                values[n_values++] = code;
            group->dense[code] += amount;
        }
        mgl_sort_u32(values, n_values);
        for (size_t i = 0; i < n_values; i++) {
            group->counts[s][i] = group->dense[values[i]];
            group->dense[values[i]] = 0;
        }
        group->histograms[s] =
            (mgl_histogram){.values = values, .counts = group->counts[s], .size = n_values};
    }
    return &group->group;
}

/* ---- Persons of a population ----------------------------------------------------------------- */

enum { MOST_SIGNATURES = 64 };

/* The population generalized to one level per column, sorted, so that a tuple of values is
 * found by bisection. Released tuples at the same levels share one. */
typedef struct view {
    uint32_t *levels; /* [n_columns] */
    uint32_t *values; /* [n_tuples * n_columns], tuples ascending */
    uint64_t *rows;   /* [n_tuples] */
    size_t n_tuples;
} view;

typedef struct label_matcher {
    const mgl_promised_population *population;
    const uint32_t *node;  /* of the promise */
    const size_t *columns; /* which of the population's columns a label belongs to */
    size_t n_columns;
    view views[MOST_SIGNATURES];
    size_t n_views, next;
    uint32_t *wanted; /* [2 * n_columns]: levels, then values */
} label_matcher;

/* columns: for each label that will be asked for, which column of the population it belongs
 * to. Free with label_matcher_free. */
static mgl_status label_matcher_new(const mgl_promise *promise, const size_t *columns,
                                    size_t n_columns, mgl_error *err, label_matcher **out)
{
    label_matcher *matcher = mgl_zeroed_array(1, sizeof *matcher);
    MGL_TRY(mgl_check_memory(matcher != NULL, err));
    matcher->population = promise->population;
    matcher->node = promise->node;
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

static void label_matcher_free(label_matcher *matcher)
{
    if (matcher == NULL)
        return;
    for (size_t i = 0; i < matcher->n_views; i++)
        free_view(&matcher->views[i]);
    mgl_free(matcher->wanted);
    mgl_free(matcher);
}

/* The order has no context: a person carries the number of its values. */
typedef struct person {
    const uint32_t *values;
    size_t n;
    uint64_t times;
} person;

static int compare_values(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_persons(const void *a, const void *b)
{
    const person *x = a, *y = b;
    return compare_values(x->values, y->values, x->n);
}

static mgl_status make_view(const label_matcher *matcher, const uint32_t *levels, mgl_error *err,
                            view *out)
{
    const mgl_promised_population *p = matcher->population;
    size_t m = matcher->n_columns;
    view v = {.levels = mgl_alloc_array(m, sizeof *v.levels),
              .values = mgl_alloc_array(p->n_rows, m * sizeof *v.values),
              .rows = mgl_zeroed_array(p->n_rows, sizeof *v.rows)};
    uint32_t *raw = mgl_alloc_array(p->n_rows, m * sizeof *raw);
    person *persons = mgl_alloc_array(p->n_rows, sizeof *persons);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(v.levels != NULL && v.values != NULL && v.rows != NULL && raw != NULL &&
                                persons != NULL,
                            err));
    for (size_t row = 0; row < p->n_rows; row++) {
        for (size_t i = 0; i < m; i++) {
            size_t c = matcher->columns[i];
            uint32_t leaf = p->leaf_of_code[c][mgl_column_code(p->columns[c], row)];
            raw[row * m + i] = p->hierarchies[c]->levels[levels[i]].of_leaf[leaf];
        }
        persons[row] = (person){raw + row * m, m, p->times != NULL ? p->times[row] : 1};
    }
    memcpy(v.levels, levels, m * sizeof *levels);
    qsort(persons, p->n_rows, sizeof *persons, compare_persons);
    for (size_t row = 0; row < p->n_rows; row++) {
        if (row == 0 || compare_persons(&persons[row], &persons[row - 1]) != 0)
            memcpy(v.values + v.n_tuples++ * m, persons[row].values, m * sizeof *raw);
        v.rows[v.n_tuples - 1] += persons[row].times;
    }
    *out = v;
    v = (view){0};
done:
    free_view(&v);
    mgl_free(raw);
    mgl_free(persons);
    return status;
}

static mgl_status find_view(label_matcher *matcher, const uint32_t *levels, mgl_error *err,
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
static mgl_status label_match(label_matcher *matcher, const mgl_span *labels, mgl_error *err,
                              uint64_t *out)
{
    size_t m = matcher->n_columns;
    uint32_t *levels = matcher->wanted, *values = matcher->wanted + m;
    *out = 0;
    const mgl_promised_population *p = matcher->population;
    for (size_t i = 0; i < m; i++) {
        size_t a = matcher->columns[i];
        const mgl_hierarchy *h = p->hierarchies[a];
        bool known =
            matcher->node != NULL
                ? mgl_hierarchy_find_at(h, matcher->node[a], labels[i], &levels[i], &values[i])
                : mgl_hierarchy_find(h, labels[i], &levels[i], &values[i]);
        if (!known)
            return MGL_OK; /* the population has no such person */
    }
    const view *v;
    MGL_TRY(find_view(matcher, levels, err, &v));
    size_t low = 0, high = v->n_tuples;
    MGL_BISECT(low, high, i, compare_values(v->values + i * m, values, m) < 0)
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
static mgl_status judge_whole_sections(const mgl_table *table, const mgl_promise *promise,
                                       mgl_error *err, uint8_t *top)
{
    size_t n = promise->n_by;
    const mgl_column **columns = mgl_alloc_array(n + 1, sizeof *columns);
    mgl_sorted_rows sorted = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(columns != NULL, err));
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
        return judge_whole_sections(table, promise, err, top);
    if (memchr(top, 0, table->n_rows) == NULL)
        memset(top, 0, table->n_rows);
    return MGL_OK;
}

/* ---- One quasi-identifier ------------------------------------------------------------ */

typedef struct judge {
    const mgl_table *table;
    const mgl_promise *promise;
    const mgl_promised_set *set;
    const mgl_column **columns; /* [set->n_columns], then the histories if there are any */
    size_t *attributes;         /* [set->n_columns] */
    mgl_span *labels;           /* [set->n_columns] of one class, or of what is suppressed */
    const uint8_t *exempt;      /* [row] is not judged; NULL: all are */
    mgl_sorted_rows sorted;
    mgl_release_group group;
    label_matcher *matcher; /* NULL: no population */
    uint64_t *sizes;        /* of the classes, those of one stratum after the other */
    uint64_t *populations;  /* likewise */
    void **further;         /* [promise->n_further] what judges of rows of several classes keep */
    size_t n_sizes;
} judge;

static mgl_status begin_judging(judge *j, mgl_error *err)
{
    const mgl_promise *promise = j->promise;
    size_t n = j->set->n_columns, n_rows = j->table->n_rows;
    j->columns = mgl_alloc_array(n + 1, sizeof *j->columns);
    j->attributes = mgl_alloc_array(n, sizeof *j->attributes);
    j->labels = mgl_alloc_array(n, sizeof *j->labels);
    MGL_TRY(
        mgl_check_memory(j->columns != NULL && j->attributes != NULL && j->labels != NULL, err));
    for (size_t i = 0; i < n; i++)
        for (size_t a = 0; a < promise->n_tops; a++)
            if (promise->top_columns[a] == j->set->columns[i]) {
                j->columns[i] = &j->table->columns[a];
                j->attributes[i] = a;
            }
    j->columns[n] = j->set->histories;
    MGL_TRY(mgl_sorted_rows_init(&j->sorted, j->columns, n + (j->set->histories != NULL), j->exempt,
                                 n_rows, err));
    MGL_TRY(release_group_init(&j->group, j->table, promise, err));
    if (promise->population != NULL)
        MGL_TRY(label_matcher_new(promise, j->attributes, n, err, &j->matcher));
    j->sizes = mgl_alloc_array(n_rows, sizeof *j->sizes);
    j->populations = mgl_alloc_array(n_rows, sizeof *j->populations);
    MGL_TRY(mgl_check_memory(j->sizes != NULL && j->populations != NULL, err));
    MGL_TRY(mgl_new_zeroed(promise->n_further, sizeof *j->further, err, &j->further));
    for (size_t i = 0; i < promise->n_further; i++)
        if (promise->further[i].judge->begin != NULL)
            MGL_TRY(promise->further[i].judge->begin(promise->further[i].promised, err,
                                                     &j->further[i]));
    return MGL_OK;
}

static mgl_status judge_class(judge *j, const uint32_t *rows, size_t n, mgl_error *err,
                              mgl_found *found)
{
    mgl_group group = *release_group_fill(&j->group, rows, n);
    if (j->matcher != NULL) {
        for (size_t i = 0; i < j->set->n_columns; i++)
            j->labels[i] = mgl_dictionary_value(j->columns[i]->dictionary,
                                                mgl_column_code(j->columns[i], rows[0]));
        MGL_TRY(label_match(j->matcher, j->labels, err, &group.population));
    }
    for (size_t i = 0; j->promise->weights.of_row != NULL && i < n; i++)
        group.population +=
            j->promise->weights.persons[mgl_column_code(j->promise->weights.of_row, rows[i])] *
            times_of(&j->group, rows[i]);
    for (size_t m = 0; m < j->set->n_models; m++)
        if (j->set->models[m].type->scope == MGL_SCOPE_CLASS)
            mgl_found_add(&found[m], &j->set->models[m], &group);
    for (size_t i = 0; i < j->promise->n_further; i++)
        if (j->further[i] != NULL)
            j->promise->further[i].judge->take(
                j->further[i], j->table->times, rows, n,
                mgl_sample_risk(&j->set->models[0].facts->sample, group.size, group.population));
    j->populations[j->n_sizes] = group.population;
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
            return mgl_fail_key(err, MGL_CODE_CONFLICT, "missing-matches",
                                "%s cannot be judged where suppressed cells match every value; "
                                "leave out `missing-matches: all`, or ask for k-anonymity alone",
                                type->name);
    }
    mgl_matches matches = {.sorted = &j->sorted,
                           .columns = j->columns,
                           .tops = j->labels,
                           .n_columns = j->set->n_columns,
                           .times = j->table->times,
                           .persons = j->promise->persons.of_row,
                           .models = j->set->models,
                           .n_models = j->set->n_models};
    return mgl_matches_judge(&matches, err, found);
}

/* Rows are sorted by the columns of strata first. */
static bool is_same_section(const judge *j, uint32_t x, uint32_t y)
{
    for (size_t i = 0; i < j->promise->n_by; i++)
        if (mgl_column_code(j->columns[i], x) != mgl_column_code(j->columns[i], y))
            return false;
    return true;
}

/* The classes since the last time: all, or those of a stratum. */
static void judge_table(judge *j, mgl_found *found)
{
    mgl_class_sizes sizes = {j->sizes, j->n_sizes, j->populations};
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
    if (j->promise->persons.joined)
        MGL_TRY(mgl_sorted_rows_join(&j->sorted, j->promise->persons.of_row, err));
    for (size_t from = 0, to; from < j->sorted.n_rows; from = to) {
        const uint32_t *rows = j->sorted.rows;
        to = mgl_sorted_rows_end(&j->sorted, from);
        if (from > 0 && !is_same_section(j, rows[from - 1], rows[from]))
            judge_table(j, found);
        MGL_TRY(judge_class(j, rows + from, to - from, err, found));
    }
    judge_table(j, found);
    for (size_t i = 0; i < j->promise->n_further; i++)
        for (size_t m = 0; j->further[i] != NULL && m < j->set->n_models; m++)
            j->promise->further[i].judge->find(j->further[i], &j->set->models[m], &found[m]);
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
    label_matcher_free(j.matcher);
    release_group_free(&j.group);
    mgl_sorted_rows_free(&j.sorted);
    mgl_free(j.columns);
    mgl_free(j.attributes);
    mgl_free(j.labels);
    mgl_free(j.sizes);
    mgl_free(j.populations);
    for (size_t i = 0; j.further != NULL && i < j.promise->n_further; i++)
        if (j.further[i] != NULL)
            j.promise->further[i].judge->end(j.further[i]);
    mgl_free(j.further);
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
    MGL_GO(mgl_check_memory(places != NULL && columns != NULL && one != NULL, err));
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
