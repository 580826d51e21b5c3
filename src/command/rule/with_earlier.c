/* An earlier release and new rows, judged together: which new tuples must be suppressed so that all
 * models hold on both, and whether they do on the files. `apply --with` calls it.
 *
 * Rows are put into one table of released texts: quasi-identifiers, the sensitive columns that
 * models look at, and a column that says which rows are new. The last one is a column like the
 * others for the frequency list alone, so that new tuples can be distinguished from earlier ones.
 */
#include "command/rule/rule.h"

#include <string.h>

enum { NEW, EARLIER, ORIGINS };
static const char *const origins[] = {"a new row", "an earlier row"}; /* in the order of leaves */

struct mgl_joined_rows {
    const mgl_reading *reading;
    const mgl_task *task;
    const char *path;
    size_t m, s; /* quasi-identifiers and sensitive columns */
    uint64_t n_earlier;
    mgl_table *table; /* m, then s, then the origin */
    mgl_arena *arena;
    mgl_hierarchy **hierarchies; /* [m + 1] */
    uint32_t **leaf_of_code;     /* [m + 1] */
    mgl_bound_column *bound;     /* [m + 1] */
    mgl_frequency_list *list;
    mgl_released_column **columns; /* [m + 1] */
    mgl_recoding *recoding;
    size_t *first_row; /* [current tuple] of its rows; SIZE_MAX: it is left out */
    mgl_reading counted;
    mgl_task judged;     /* with facts about all rows */
    mgl_quasi_set *sets; /* with models that look at these facts */
    mgl_problem problem;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

static const mgl_column *input_column(const mgl_joined_rows *j, size_t c)
{
    return c < j->m ? j->reading->quasi[c].column : j->reading->counted[c - j->m];
}

static mgl_status begin_table(mgl_joined_rows *j, mgl_error *err)
{
    mgl_table_free(j->table);
    j->table = mgl_table_new(j->m + j->s + 1);
    MGL_TRY(mgl_check_memory(j->table != NULL, err));
    for (size_t c = 0; c < j->table->n_columns; c++) {
        mgl_column *column = &j->table->columns[c];
        mgl_free(column->codes);
        *column = (mgl_column){.dictionary = column->dictionary, .width = sizeof(uint32_t)};
        const char *name = c < j->m + j->s ? input_column(j, c)->name : "";
        /* As columns own it. */
        size_t size = strlen(name) + 1;
        char *copy = mgl_alloc_array(size, 1);
        column->name = copy != NULL ? memcpy(copy, name, size) : NULL;
        MGL_TRY(mgl_check_memory(column->name != NULL, err));
        /* Missing sensitive values come last in the order of values, so they must be known. */
        const mgl_dictionary *input = c < j->m + j->s ? input_column(j, c)->dictionary : NULL;
        uint32_t missing =
            c >= j->m && input != NULL ? mgl_dictionary_missing(input) : MGL_NOT_FOUND;
        if (missing != MGL_NOT_FOUND &&
            mgl_dictionary_add_missing(column->dictionary, mgl_dictionary_value(input, missing)) ==
                MGL_NOT_FOUND)
            return mgl_fail_memory(err);
        if (input != NULL)
            mgl_dictionary_set_notation(column->dictionary, mgl_dictionary_notation(input));
    }
    for (int o = 0; o < ORIGINS; o++)
        if (mgl_dictionary_add(j->table->columns[j->m + j->s].dictionary,
                               mgl_span_of(origins[o])) == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
    return MGL_OK;
}

static mgl_status make_rows(mgl_joined_rows *j, size_t n, uint32_t origin, mgl_error *err)
{
    size_t from = j->table->n_rows;
    for (size_t c = 0; c < j->table->n_columns; c++)
        MGL_TRY(
            mgl_check_memory(mgl_grow(&j->table->columns[c].codes, &j->table->columns[c].capacity,
                                      from + n + 1, sizeof(uint32_t)),
                             err));
    for (size_t r = 0; r < n; r++)
        ((uint32_t *)j->table->columns[j->m + j->s].codes)[from + r] = origin;
    j->table->n_rows = from + n;
    return MGL_OK;
}

/* Cells of sensitive columns that mean missing are one value. */
static bool means_missing(const mgl_joined_rows *j, mgl_span text)
{
    const mgl_source_options *options = &j->reading->settings->source;
    for (size_t i = 0; i < options->n_missing; i++)
        if (mgl_span_equal(options->missing[i], text))
            return true;
    return false;
}

static uint32_t add_text(mgl_joined_rows *j, size_t c, mgl_span text)
{
    mgl_dictionary *dictionary = j->table->columns[c].dictionary;
    if (c >= j->m && means_missing(j, text))
        return mgl_dictionary_add_missing(dictionary, text);
    return mgl_dictionary_add(dictionary, text);
}

/* Takes the rows of a table whose columns are those of j, texts as they were written. */
static mgl_status take_table(mgl_joined_rows *j, const mgl_table *from, uint32_t origin,
                             mgl_error *err)
{
    size_t first = j->table->n_rows;
    MGL_TRY(make_rows(j, from->n_rows, origin, err));
    for (size_t c = 0; c < j->m + j->s; c++) {
        const mgl_column *column = &from->columns[c];
        uint32_t n = mgl_dictionary_size(column->dictionary);
        uint32_t *codes = j->table->columns[c].codes;
        uint32_t *number = mgl_alloc_array((size_t)n + 1, sizeof *number);
        bool failed = number == NULL;
        for (uint32_t code = 0; !failed && code < n; code++) {
            number[code] = add_text(j, c, mgl_dictionary_value(column->dictionary, code));
            failed = number[code] == MGL_NOT_FOUND;
        }
        for (size_t r = 0; !failed && r < from->n_rows; r++)
            codes[first + r] = number[mgl_column_code(column, r)];
        mgl_free(number);
        if (failed)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status choose_columns(const mgl_joined_rows *j, const mgl_source *source,
                                 const char *path, mgl_error *err, mgl_column_request *requested)
{
    for (size_t c = 0; c < j->m + j->s; c++) {
        const char *name = input_column(j, c)->name;
        size_t i = 0, n = mgl_source_columns(source);
        while (i < n && strcmp(mgl_source_column(source, i), name) != 0)
            i++;
        if (i == n)
            return mgl_fail_at(err, MGL_CODE_UNKNOWN_NAME, path, 0,
                               "there is no column \"%.60s\", which models look at; name the file "
                               "that was released with this recoding",
                               name);
        requested[c] = (mgl_column_request){i, MGL_ROLE_QUASI};
    }
    return MGL_OK;
}

static mgl_status read_file(mgl_joined_rows *j, const char *path, uint32_t origin, mgl_error *err)
{
    mgl_source_options options = j->reading->settings->source;
    options.n_missing = options.n_labels = 0;
    options.n_parts = 0;
    options.as_written = options.may_be_empty = true;
    mgl_source *source = NULL;
    mgl_table *table = NULL;
    mgl_column_request *requested = mgl_alloc_array(j->m + j->s, sizeof *requested);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    MGL_GO(mgl_source_open(path, &options, err, &source));
    MGL_GO(choose_columns(j, source, path, err, requested));
    mgl_stream_request request = {requested, j->m + j->s, NULL, j->reading->pool, NULL};
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    MGL_GO(take_table(j, table, origin, err));
done:
    mgl_free(requested);
    mgl_table_free(table);
    mgl_source_close(source);
    return status;
}

/* ---- New rows as they are in memory ---------------------------------------------------------- */

/* The rows of a tuple get the values of each sensitive column in the order of its histogram: models
 * look at one column at a time, so which values stand in one row does not matter. */
static mgl_status put_sensitive(mgl_joined_rows *j, size_t t, size_t first, mgl_error *err)
{
    const mgl_frequency_list *list = j->task->problem.list;
    for (size_t i = 0; i < j->s; i++) {
        const mgl_sparse *sparse = &list->sensitive[i];
        const mgl_dictionary *values = j->reading->counted[i]->dictionary;
        size_t row = first;
        for (size_t at = sparse->start[t]; at < sparse->start[t + 1]; at++) {
            uint32_t code = add_text(j, j->m + i, mgl_dictionary_value(values, sparse->values[at]));
            if (code == MGL_NOT_FOUND)
                return mgl_fail_memory(err);
            for (uint64_t r = 0; r < sparse->counts[at]; r++)
                ((uint32_t *)j->table->columns[j->m + i].codes)[row++] = code;
        }
    }
    return MGL_OK;
}

static mgl_status take_new(mgl_joined_rows *j, const mgl_recoding *recoding, mgl_error *err)
{
    const mgl_frequency_list *list = j->task->problem.list;
    bool drops = j->task->problem.treatment == MGL_DROP;
    j->first_row = mgl_arena_alloc(j->arena, list->n_tuples * sizeof *j->first_row);
    MGL_TRY(mgl_check_memory(j->first_row != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        size_t first = j->first_row[t] = j->table->n_rows;
        if (drops && recoding->suppressed[t]) {
            j->first_row[t] = SIZE_MAX;
            continue;
        }
        MGL_TRY(make_rows(j, list->counts[t], NEW, err));
        for (size_t a = 0; a < j->m; a++) {
            uint32_t code =
                add_text(j, a, recoding->columns[a]->values[recoding->cells[a][t]].label);
            if (code == MGL_NOT_FOUND)
                return mgl_fail_memory(err);
            for (size_t r = first; r < j->table->n_rows; r++)
                ((uint32_t *)j->table->columns[a].codes)[r] = code;
        }
        MGL_TRY(put_sensitive(j, t, first, err));
    }
    return MGL_OK;
}

/* ---- The problem ----------------------------------------------------------------------------- */

static const mgl_column *listed_column(const mgl_joined_rows *j, size_t a)
{
    return &j->table->columns[a < j->m ? a : j->m + j->s];
}

/* The texts of a column as what it is released as; of the origin nothing is released. */
static mgl_status release_column(mgl_joined_rows *j, size_t a, mgl_error *err)
{
    const mgl_dictionary *texts = listed_column(j, a)->dictionary;
    mgl_span top = mgl_span_of("*");
    uint32_t n = a < j->m ? mgl_dictionary_size(texts) : 1, at = 0;
    if (a < j->m)
        top = j->reading->released[a]->values[j->reading->released[a]->top].label;
    mgl_span *labels = mgl_arena_alloc(j->arena, ((size_t)n + 1) * sizeof *labels);
    MGL_TRY(mgl_check_memory(labels != NULL, err));
    for (uint32_t i = 0; i < n; i++)
        labels[i] = a < j->m ? mgl_dictionary_value(texts, i) : top;
    if (a < j->m) {
        at = mgl_dictionary_find(texts, top);
        if (at == MGL_NOT_FOUND)
            labels[at = n++] = top;
    }
    return mgl_labels_column_new(j->hierarchies[a], labels, n, at, err, &j->columns[a]);
}

static mgl_status bind_column(mgl_joined_rows *j, size_t a, mgl_error *err)
{
    const mgl_column *column = listed_column(j, a);
    uint32_t n = mgl_dictionary_size(column->dictionary);
    MGL_TRY(
        mgl_hierarchy_make("suppress", column->name, column->dictionary, err, &j->hierarchies[a]));
    j->leaf_of_code[a] = mgl_arena_alloc(j->arena, n * sizeof **j->leaf_of_code);
    MGL_TRY(mgl_check_memory(j->leaf_of_code[a] != NULL, err));
    MGL_TRY(mgl_hierarchy_bind(j->hierarchies[a], column->name, column->dictionary, err,
                               j->leaf_of_code[a]));
    j->bound[a] = (mgl_bound_column){column, j->hierarchies[a], j->leaf_of_code[a]};
    return release_column(j, a, err);
}

/* The models with what is known about all rows. */
static mgl_status take_models(mgl_joined_rows *j, mgl_error *err)
{
    const mgl_problem *problem = &j->task->problem;
    mgl_counts counts = {.reading = &j->counted, .list = j->list};
    j->judged = (mgl_task){.arena = j->arena, .reading = &j->counted};
    j->judged.problem.list = j->list;
    MGL_TRY(mgl_facts_find(&j->judged, &counts, err));
    j->sets = mgl_arena_alloc(j->arena, problem->n_sets * sizeof *j->sets);
    MGL_TRY(mgl_check_memory(j->sets != NULL, err));
    for (size_t q = 0; q < problem->n_sets; q++) {
        const mgl_quasi_set *set = &problem->sets[q];
        mgl_model *models = mgl_arena_alloc(j->arena, (set->n_models + 1) * sizeof *models);
        MGL_TRY(mgl_check_memory(models != NULL, err));
        memcpy(models, set->models, set->n_models * sizeof *models);
        for (size_t i = 0; i < set->n_models; i++)
            models[i].facts = &j->judged.facts;
        j->sets[q] = *set;
        j->sets[q].models = models;
    }
    j->problem = *problem;
    j->problem.list = j->list;
    j->problem.sets = j->sets;
    j->problem.columns = (const mgl_released_column *const *)j->columns;
    return MGL_OK;
}

/* Spellings of old and new rows can be one value. */
static mgl_status make_values(mgl_joined_rows *j, size_t s, mgl_error *err)
{
    const mgl_source_options *source = &j->reading->settings->source;
    mgl_column *cells = &j->table->columns[j->m + s], made;
    mgl_values values = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_values_find(cells->dictionary, &j->reading->cells[s].rule, source->missing,
                           source->n_missing, err, &values));
    if (values.dictionary != NULL) {
        MGL_GO(mgl_values_column(&values, cells, j->table->n_rows, err, &made));
        mgl_column_clear(cells);
        *cells = made;
    }
done:
    mgl_values_free(&values);
    return status;
}

static mgl_status make_problem(mgl_joined_rows *j, mgl_error *err)
{
    size_t n = j->m + 1;
    const mgl_column **sensitive = mgl_arena_alloc(j->arena, (j->s + 1) * sizeof *sensitive);
    MGL_TRY(mgl_check_memory(sensitive != NULL, err));
    for (size_t i = 0; i < j->s; i++) {
        MGL_TRY(make_values(j, i, err));
        sensitive[i] = &j->table->columns[j->m + i];
    }
    for (size_t a = 0; a < n; a++)
        MGL_TRY(bind_column(j, a, err));
    MGL_TRY(mgl_frequency_list_new(&(mgl_count_request){.quasi = j->bound,
                                                        .n_quasi = n,
                                                        .counted = sensitive,
                                                        .n_counted = j->s,
                                                        .n_sensitive = j->s,
                                                        .n_rows = j->table->n_rows},
                                   j->reading->pool, err, &j->list));
    j->list->n_judged = j->s;
    j->counted = *j->reading;
    j->counted.counted = sensitive;
    j->counted.n_counted = j->counted.n_judged = j->s;
    MGL_TRY(take_models(j, err));
    MGL_TRY(mgl_recoding_new((const mgl_released_column *const *)j->columns, n, j->list->n_tuples,
                             err, &j->recoding));
    for (size_t t = 0; t < j->list->n_tuples; t++)
        for (size_t a = 0; a < j->m; a++)
            j->recoding->cells[a][t] = j->columns[a]->of_leaf[0][mgl_list_leaf(j->list, t, a)];
    return MGL_OK;
}

/* ---- Suppressing ----------------------------------------------------------------------------- */

static bool is_new(const mgl_joined_rows *j, size_t t)
{
    return mgl_list_leaf(j->list, t, j->m) == NEW && !mgl_recoding_is_top(j->recoding, t);
}

static bool reads_alike(const mgl_joined_rows *j, size_t t, size_t u)
{
    for (size_t a = 0; a < j->m; a++)
        if (j->recoding->cells[a][t] != j->recoding->cells[a][u])
            return false;
    return true;
}

/* New rows of the smallest class that has some join those at the top; false if there are none. */
static mgl_status join_smallest(mgl_joined_rows *j, mgl_error *err, bool *any)
{
    mgl_classes classes = {0};
    size_t least = SIZE_MAX;
    mgl_problem with = j->problem;
    MGL_TRY(mgl_recoding_classes(&with, j->recoding, err, &classes));
    for (size_t t = 0; t < j->list->n_tuples; t++)
        if (is_new(j, t) && (least == SIZE_MAX || classes.sizes[classes.of_tuple[t]] <
                                                      classes.sizes[classes.of_tuple[least]]))
            least = t;
    mgl_classes_free(&classes);
    *any = least != SIZE_MAX;
    for (size_t t = j->list->n_tuples; *any && t-- > 0;)
        if (t != least && is_new(j, t) && reads_alike(j, t, least))
            mgl_recoding_suppress(j->recoding, t);
    if (*any)
        mgl_recoding_suppress(j->recoding, least);
    return MGL_OK;
}

/* One round: new tuples of classes that violate a model go to the top. *done: nothing is left to
 * do, and *holds says how it ended. */
static mgl_status suppress_round(mgl_joined_rows *j, mgl_found *found, uint8_t *failing,
                                 mgl_error *err, bool *done, bool *holds)
{
    size_t n = j->list->n_tuples, n_models = mgl_task_models(j->task);
    bool moved = false, top = false;
    memset(failing, 0, n);
    if (j->problem.treatment == MGL_EXEMPT)
        (void)mgl_recoding_mark_tops(j->recoding, j->list->counts, NULL);
    MGL_TRY(mgl_judge_tuples(&j->problem, j->recoding, err, found, failing));
    *holds = true;
    for (size_t i = 0; i < n_models; i++)
        *holds = *holds && found[i].holds;
    for (size_t t = 0; t < n && !*holds; t++) {
        top = top || (failing[t] && mgl_recoding_is_top(j->recoding, t));
        if (!failing[t] || !is_new(j, t))
            continue;
        mgl_recoding_suppress(j->recoding, t);
        moved = true;
    }
    if (!*holds && !moved && top && j->problem.treatment == MGL_KEEP)
        MGL_TRY(join_smallest(j, err, &moved));
    *done = *holds || !moved;
    return MGL_OK;
}

/* What was suppressed among the joined tuples is suppressed among the current ones. */
static mgl_status take_back(mgl_joined_rows *j, mgl_recoding *recoding, mgl_error *err,
                            uint64_t *rows)
{
    const mgl_frequency_list *list = j->task->problem.list;
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_tuple_finder_new(j->list, j->bound, err, &finder));
    *rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t tuple;
        if (j->first_row[t] == SIZE_MAX || mgl_recoding_is_top(recoding, t))
            continue;
        mgl_tuple_find(finder, j->first_row[t], 1, &tuple);
        if (!mgl_recoding_is_top(j->recoding, tuple))
            continue;
        mgl_recoding_suppress(recoding, t);
        *rows += list->counts[t];
    }
    mgl_tuple_finder_free(finder);
    return MGL_OK;
}

mgl_status mgl_joined_rows_suppress(mgl_joined_rows *j, mgl_recoding *recoding, mgl_error *err,
                                    bool *holds, uint64_t *rows)
{
    bool done = false;
    mgl_status status = MGL_OK;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(j->task) + 1, sizeof *found);
    uint8_t *failing = NULL;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(take_new(j, recoding, err));
    MGL_GO(make_problem(j, err));
    failing = mgl_alloc_array(j->list->n_tuples + 1, 1);
    MGL_GO(mgl_check_memory(failing != NULL, err));
    while (!done)
        MGL_GO(suppress_round(j, found, failing, err, &done, holds));
    MGL_GO(take_back(j, recoding, err, rows));
done:
    mgl_free(failing);
    mgl_free(found);
    return status;
}

/* ---- Verifying ------------------------------------------------------------------------------- */

static mgl_status promise_sets(const mgl_joined_rows *j, mgl_error *err, mgl_promised_set **out)
{
    mgl_promised_set *sets = mgl_arena_alloc(j->arena, j->problem.n_sets * sizeof *sets);
    MGL_TRY(mgl_check_memory(sets != NULL, err));
    for (size_t q = 0; q < j->problem.n_sets; q++) {
        const mgl_quasi_set *set = &j->sets[q];
        size_t *columns = mgl_arena_alloc(j->arena, set->n_attributes * sizeof *columns);
        MGL_TRY(mgl_check_memory(columns != NULL, err));
        for (size_t i = 0; i < set->n_attributes; i++)
            columns[i] = set->attributes[i];
        sets[q] = (mgl_promised_set){.columns = columns,
                                     .n_columns = set->n_attributes,
                                     .models = set->models,
                                     .n_models = set->n_models};
    }
    *out = sets;
    return MGL_OK;
}

mgl_status mgl_joined_rows_verify(mgl_joined_rows *j, const char *path, mgl_error *err,
                                  mgl_found *found)
{
    mgl_table *counted = j->table; /* the columns that facts look at */
    mgl_promised_set *sets = NULL;
    size_t *numbers = mgl_arena_alloc(j->arena, (j->m + j->s) * sizeof *numbers);
    mgl_span *tops = mgl_arena_alloc(j->arena, (j->m + 1) * sizeof *tops);
    const mgl_column **sensitive = mgl_arena_alloc(j->arena, (j->s + 1) * sizeof *sensitive);
    MGL_TRY(mgl_check_memory(numbers != NULL && tops != NULL && sensitive != NULL, err));
    for (size_t c = 0; c < j->m + j->s; c++)
        numbers[c] = c;
    for (size_t a = 0; a < j->m; a++)
        tops[a] = j->columns[a]->values[j->columns[a]->top].label;
    for (size_t i = 0; i < j->s; i++)
        sensitive[i] = &counted->columns[j->m + i];
    j->table = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(promise_sets(j, err, &sets));
    MGL_GO(begin_table(j, err));
    MGL_GO(read_file(j, j->path, EARLIER, err));
    MGL_GO(read_file(j, path, NEW, err));
    mgl_promise promise = {.n_rows = j->table->n_rows,
                           .sets = sets,
                           .n_sets = j->problem.n_sets,
                           .exempt_top = j->problem.treatment == MGL_EXEMPT,
                           .top_columns = numbers,
                           .tops = tops,
                           .n_tops = j->m,
                           .sensitive_columns = numbers + j->m,
                           .sensitive = sensitive,
                           .n_sensitive = j->s,
                           .source = j->reading->settings->source};
    MGL_GO(mgl_verify_table(j->table, &promise, err, found));
done:
    mgl_table_free(j->table);
    j->table = counted;
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

mgl_status mgl_joined_rows_new(const mgl_reading *reading, const mgl_task *task, const char *path,
                               mgl_error *err, mgl_joined_rows **out)
{
    mgl_joined_rows *j = mgl_zeroed_array(1, sizeof *j);
    MGL_TRY(mgl_check_memory(j != NULL, err));
    *j = (mgl_joined_rows){.reading = reading,
                           .task = task,
                           .path = path,
                           .m = reading->n_quasi,
                           .s = reading->n_sensitive,
                           .arena = mgl_arena_new()};
    mgl_status status = MGL_OK;
    j->hierarchies = mgl_zeroed_array(j->m + 1, sizeof *j->hierarchies);
    j->columns = mgl_zeroed_array(j->m + 1, sizeof *j->columns);
    j->leaf_of_code = mgl_zeroed_array(j->m + 1, sizeof *j->leaf_of_code);
    j->bound = mgl_zeroed_array(j->m + 1, sizeof *j->bound);
    MGL_GO(mgl_check_memory(j->arena != NULL && j->hierarchies != NULL && j->columns != NULL &&
                                j->leaf_of_code != NULL && j->bound != NULL,
                            err));
    MGL_GO(begin_table(j, err));
    MGL_GO(mgl_blame_key(err, read_file(j, path, EARLIER, err), "with"));
    j->n_earlier = j->table->n_rows;
    *out = j;
    j = NULL;
done:
    mgl_joined_rows_free(j);
    return status;
}

uint64_t mgl_joined_rows_earlier(const mgl_joined_rows *j)
{
    return j->n_earlier;
}

void mgl_joined_rows_free(mgl_joined_rows *j)
{
    if (j == NULL)
        return;
    mgl_recoding_free(j->recoding);
    mgl_frequency_list_free(j->list);
    for (size_t a = 0; a <= j->m; a++) {
        if (j->columns != NULL)
            mgl_released_column_free(j->columns[a]);
        if (j->hierarchies != NULL)
            mgl_hierarchy_free(j->hierarchies[a]);
    }
    mgl_free(j->columns);
    mgl_free(j->hierarchies);
    mgl_free(j->leaf_of_code);
    mgl_free(j->bound);
    mgl_table_free(j->table);
    mgl_arena_free(j->arena);
    mgl_free(j);
}
