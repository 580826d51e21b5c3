/* Checks a release as it was written, with code that shares nothing with the search but the reader
 * and the definitions of the models. Writing calls it before a release is published, `check` and
 * the push for tables they have read. */
#include "verify/verify.h"

#include "verify/collect.h"
#include "verify/households.h"
#include "verify/matches.h"
#include "verify/label_matcher.h"
#include "verify/shifted.h"
#include "verify/sorted.h"
#include "verify/stratum_cells.h"

/* The release must have the columns it should have, under their names and no others. */
static mgl_status check_columns(const mgl_source *source, const mgl_promise *promise,
                                const char *path, mgl_error *err)
{
    bool same = mgl_source_columns(source) == promise->n_names;
    for (size_t c = 0; same && c < promise->n_names && !promise->source.no_header; c++) {
        mgl_span name = mgl_span_of(mgl_source_column(source, c));
        if (promise->neutralized)
            name = mgl_text_without_apostrophe(name);
        same = mgl_span_is(name, promise->names[c]);
    }
    if (!same)
        return mgl_fail_at(err, MGL_CODE_INTERNAL, path, 0,
                           "the written release does not read back with the columns it should "
                           "have; please report this");
    return MGL_OK;
}

/* Takes back what --neutralize put in front of cells. Different cells stay different, so codes
 * stay what they are. */
static mgl_status restore_values(mgl_table *table, mgl_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const mgl_dictionary *written = table->columns[c].dictionary;
        mgl_dictionary *restored = mgl_dictionary_new();
        if (restored == NULL)
            return mgl_fail_memory(err);
        for (uint32_t code = 0; code < mgl_dictionary_size(written); code++)
            if (mgl_dictionary_add(restored, mgl_text_without_apostrophe(
                                                 mgl_dictionary_value(written, code))) != code) {
                mgl_dictionary_free(restored);
                return mgl_fail_memory(err);
            }
        mgl_dictionary_free(table->columns[c].dictionary);
        table->columns[c].dictionary = restored;
    }
    return MGL_OK;
}

enum { MOST_ROWS_IN_STRIPE = 1 << 20, LEAST_ROWS_IN_STRIPE = 1 << 14, SHARE = 4 };

/* A stripe takes the codes of its rows, and these side by side while they are sorted. */
static size_t rows_in_stripe(const mgl_promise *promise, size_t n_columns)
{
    size_t bytes_of_row = n_columns * (sizeof(uint32_t) + 2 * sizeof(uint64_t));
    uint64_t rows = promise->memory / SHARE / (bytes_of_row + 1);
    if (promise->memory == 0 || rows > MOST_ROWS_IN_STRIPE)
        return MOST_ROWS_IN_STRIPE;
    return rows < LEAST_ROWS_IN_STRIPE ? LEAST_ROWS_IN_STRIPE : (size_t)rows;
}

/* Does it matter which row of the release is which? */
static bool tells_rows_apart(const mgl_promise *promise)
{
    for (size_t q = 0; q < promise->n_sets; q++)
        if (promise->sets[q].pasts != NULL)
            return true;
    return promise->persons != NULL || promise->person_column != NULL || promise->weights != NULL ||
           promise->n_aggregates > 0 || promise->count_column != NULL ||
           promise->households != NULL;
}

/* Equal rows are one, a counted table, if nobody tells them apart. */
static mgl_status read_rows(mgl_source *source, mgl_stream_order order, const mgl_promise *promise,
                            mgl_error *err, mgl_table **out, uint64_t *n_rows)
{
    if (tells_rows_apart(promise)) {
        MGL_TRY(mgl_source_stream(source, &order, err, out));
        *n_rows = (*out)->n_rows;
        return MGL_OK;
    }
    mgl_collector collector;
    mgl_row_sink sink = {rows_in_stripe(promise, order.n_wishes), mgl_collector_take, &collector};
    order.sink = &sink;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_collector_init(&collector, order.n_wishes, order.pool, err));
    MGL_GO(mgl_source_stream(source, &order, err, out));
    MGL_GO(mgl_collector_end(&collector, *out, err));
    *n_rows = collector.n_rows;
done:
    mgl_collector_free(&collector);
    return status;
}

static mgl_status check_rows(uint64_t n_rows, const mgl_promise *promise, const char *path,
                             mgl_error *err)
{
    if (n_rows == promise->n_rows)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, path, 0,
                       "%llu rows read back where %llu were written; please report this",
                       (unsigned long long)n_rows, (unsigned long long)promise->n_rows);
}

/* Cells are compared as the text they are: nothing is taken as missing. */
static mgl_source_options options_of(const mgl_promise *promise)
{
    mgl_source_options options = promise->source;
    options.n_missing = options.n_labels = 0;
    options.as_written = true;
    return options;
}

/* Rows of a counted release stand for as many records as they say, all records of the promise. */
static mgl_status count_records(mgl_table *table, const mgl_promise *promise, const char *path,
                                mgl_error *err)
{
    const mgl_column *column = &table->columns[table->n_columns - 1];
    uint64_t n = 0;
    MGL_TRY(mgl_column_as_times(column, table->n_rows, err, &table->times));
    for (size_t row = 0; row < table->n_rows; row++)
        n += table->times[row];
    if (n == promise->n_records)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, path, 0,
                       "the rows of the written release stand for %llu records where %llu were "
                       "released; please report this",
                       (unsigned long long)n, (unsigned long long)promise->n_records);
}

static mgl_status read_columns(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err, mgl_table **out)
{
    const char *name = mgl_source_name(source);
    mgl_column_wish *wishes =
        mgl_alloc_array(promise->n_tops + promise->n_sensitive + 2, sizeof *wishes);
    mgl_status status = MGL_OK;
    if (wishes == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(check_columns(source, promise, name, err));
    size_t n = 0;
    uint64_t n_rows = 0;
    for (size_t i = 0; i < promise->n_tops; i++)
        wishes[n++] = (mgl_column_wish){promise->top_columns[i], MGL_ROLE_QUASI};
    for (size_t i = 0; i < promise->n_sensitive; i++)
        wishes[n++] = (mgl_column_wish){promise->sensitive_columns[i], MGL_ROLE_SENSITIVE};
    if (promise->person_column != NULL)
        wishes[n++] = (mgl_column_wish){*promise->person_column, MGL_ROLE_IDENTIFIER};
    if (promise->count_column != NULL)
        wishes[n++] = (mgl_column_wish){*promise->count_column, MGL_ROLE_IDENTIFIER};
    mgl_stream_order order = {wishes, n, NULL, pool, progress};
    MGL_GO(read_rows(source, order, promise, err, out, &n_rows));
    MGL_GO(check_rows(n_rows, promise, name, err));
    if (promise->neutralized)
        MGL_GO(restore_values(*out, err));
    if (promise->count_column != NULL)
        MGL_GO(count_records(*out, promise, name, err));
done:
    mgl_free(wishes);
    return status;
}

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
    mgl_household_risks households;
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
        MGL_TRY(mgl_label_matcher_new(promise->population, j->attributes, n, err, &j->matcher));
    j->sizes = mgl_alloc_array(n_rows, sizeof *j->sizes);
    j->weights = mgl_alloc_array(n_rows, sizeof *j->weights);
    if (j->sizes == NULL || j->weights == NULL)
        return mgl_fail_memory(err);
    return promise->households == NULL
               ? MGL_OK
               : mgl_household_risks_init(&j->households, promise->households, n_rows, err);
}

static void end_judging(judge *j)
{
    mgl_label_matcher_free(j->matcher);
    mgl_release_group_free(&j->group);
    mgl_sorted_rows_free(&j->sorted);
    mgl_free(j->columns);
    mgl_free(j->attributes);
    mgl_free(j->labels);
    mgl_free(j->sizes);
    mgl_free(j->weights);
    mgl_household_risks_free(&j->households);
}

static mgl_status judge_class(judge *j, const uint32_t *rows, size_t n, mgl_error *err,
                              mgl_found *found)
{
    mgl_group group = *mgl_release_group_fill(&j->group, rows, n);
    if (j->matcher != NULL) {
        for (size_t i = 0; i < j->set->n_columns; i++)
            j->labels[i] = mgl_dictionary_value(j->columns[i]->dictionary,
                                                mgl_column_code(j->columns[i], rows[0]));
        MGL_TRY(mgl_label_match(j->matcher, j->labels, err, &group.population));
    }
    for (size_t i = 0; j->promise->weights != NULL && i < n; i++)
        group.population +=
            j->promise->weights[rows[i]] * (j->table->times != NULL ? j->table->times[rows[i]] : 1);
    for (size_t m = 0; m < j->set->n_models; m++)
        if (j->set->models[m].type->scope == MGL_SCOPE_CLASS)
            mgl_found_add(&found[m], &j->set->models[m], &group);
    if (j->promise->households != NULL)
        mgl_household_risks_add(
            &j->households, j->table->times, rows, n,
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
            mgl_household_risks_judge(&j->households, &j->set->models[m], &found[m]);
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

/* Reading the release back is verifying it: that is the stage a listener is told. */
static int tell_verify(void *user, const char *stage, uint64_t done, uint64_t total)
{
    const mgl_progress *progress = user;
    (void)stage;
    return progress->fn(progress->user, "verify", done, total);
}

static mgl_progress verifying(const mgl_progress *progress)
{
    if (progress == NULL)
        return (mgl_progress){0};
    return (mgl_progress){progress->fn != NULL ? tell_verify : NULL, (void *)progress,
                          progress->stop};
}

static mgl_status verify_treated(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                                 const mgl_progress *progress, mgl_error *err)
{
    mgl_treated_reading how = {.missing = promise->source.missing,
                               .n_missing = promise->source.n_missing,
                               .no_value = promise->source.no_value,
                               .neutralized = promise->neutralized,
                               .pool = pool,
                               .progress = progress};
    if (promise->n_treated == 0)
        return MGL_OK;
    MGL_TRY(mgl_verify_treated(source, &how, promise->treated, promise->n_treated, err));
    for (size_t i = 0; i < promise->n_treated; i++) {
        const mgl_promised_treat *treated = &promise->treated[i];
        const mgl_treat_step *broken = treated->broken;
        if (treated->values > treated->most_values ||
            (treated->all_values && treated->values < treated->most_values))
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has %llu different values "
                               "where %llu were written; please report this",
                               promise->names[treated->column], (unsigned long long)treated->values,
                               (unsigned long long)treated->most_values);
        if (broken != NULL)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has a value that is not %s, "
                               "as %.*s promises; please report this",
                               promise->names[treated->column], broken->type->promise,
                               mgl_span_width(broken->said), broken->said.data);
    }
    return mgl_verify_shifts(source, promise, pool, progress, err);
}

/* Where the release tells persons apart, it must tell the same persons apart that were told to the
 * verifier, and these are judged by what the release says. */
static mgl_status judge_rows(const mgl_source *source, const mgl_table *table,
                             const mgl_promise *promise, mgl_error *err, mgl_found *found)
{
    mgl_promise told = *promise;
    uint32_t *persons = NULL;
    if (promise->person_column == NULL)
        return mgl_verify_table(table, promise, err, found);
    const mgl_column *column = &table->columns[table->n_columns - 1];
    mgl_status status = MGL_OK;
    MGL_GO(mgl_persons_released(mgl_source_name(source), table, column, promise, err, &persons));
    told.persons = persons;
    MGL_GO(mgl_verify_table(table, &told, err, found));
done:
    mgl_free(persons);
    return status;
}

static mgl_status verify_links(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err)
{
    if (promise->n_links == 0)
        return MGL_OK;
    MGL_TRY(mgl_verify_links(source, promise->links, promise->n_links, pool, progress, err));
    for (size_t i = 0; i < promise->n_links; i++)
        if (promise->links[i].broken)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release differs in rows that are "
                               "equal in the columns it follows; please report this",
                               promise->names[promise->links[i].column]);
    return MGL_OK;
}

static mgl_status verify_items(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err)
{
    if (promise->items == NULL)
        return MGL_OK;
    MGL_TRY(mgl_verify_items_of(source, promise, pool, progress, err));
    const mgl_items_found *found = &promise->items->found;
    if (found->rare > 0 || found->strange > 0)
        return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                           "column '%.60s' of the written release has %llu combinations of items "
                           "that are too rare and %llu items that none were released as; please "
                           "report this",
                           promise->names[promise->items->column], (unsigned long long)found->rare,
                           (unsigned long long)found->strange);
    return MGL_OK;
}

/* Of a source that was opened with options_of. */
static mgl_status verify_source(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                                const mgl_progress *progress, mgl_error *err, mgl_found *found)
{
    mgl_table *table = NULL;
    mgl_progress reading = verifying(progress);
    mgl_status status = MGL_OK;
    MGL_GO(read_columns(source, promise, pool, &reading, err, &table));
    MGL_GO(judge_rows(source, table, promise, err, found));
    if (promise->n_aggregates > 0)
        MGL_GO(mgl_verify_aggregates(mgl_source_name(source), table, promise, err));
done:
    mgl_table_free(table);
    MGL_TRY(status);
    MGL_TRY(verify_treated(source, promise, pool, &reading, err));
    MGL_TRY(mgl_verify_strata(source, promise, pool, &reading, err));
    MGL_TRY(verify_links(source, promise, pool, &reading, err));
    return verify_items(source, promise, pool, &reading, err);
}

mgl_status mgl_verify(const char *path, const mgl_promise *promise, mgl_pool *pool,
                      const mgl_progress *progress, mgl_error *err, mgl_found *found,
                      mgl_verified *verified)
{
    mgl_source_options options = options_of(promise);
    mgl_source *source;
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    if (!promise->unhashed)
        mgl_source_hash(source);
    mgl_status status = verify_source(source, promise, pool, progress, err, found);
    const char *sha256 = mgl_source_sha256(source);
    if (verified != NULL)
        *verified = (mgl_verified){0};
    if (verified != NULL && sha256 != NULL) {
        verified->bytes = mgl_source_size(source);
        strcpy(verified->sha256, sha256);
    }
    mgl_source_close(source);
    return status;
}

/* As `check` makes it of a table that it is given. */
static mgl_status digest(mgl_arrow_table *table, const mgl_promise *promise, mgl_error *err,
                         char text[MGL_SHA256_TEXT])
{
    mgl_source_options options = {
        .as_written = true, .no_value = promise->no_value, .may_be_empty = true};
    mgl_source *source;
    MGL_TRY(mgl_source_open_arrow(table, "release", &options, err, &source));
    mgl_status status = mgl_source_digest(source, err, text);
    mgl_source_close(source);
    return status;
}

mgl_status mgl_verify_stream(struct ArrowArrayStream *stream, const mgl_promise *promise,
                             mgl_pool *pool, const mgl_progress *progress, mgl_error *err,
                             mgl_found *found, mgl_verified *verified)
{
    mgl_source_options options = options_of(promise);
    mgl_arrow_table *table = NULL;
    mgl_source *source = NULL;
    mgl_progress importing = verifying(progress);
    mgl_status status = MGL_OK;
    *verified = (mgl_verified){0};
    MGL_GO(mgl_arrow_import(stream, "release", &importing, err, &table));
    MGL_GO(mgl_source_open_arrow(table, "release", &options, err, &source));
    MGL_GO(verify_source(source, promise, pool, progress, err, found));
    if (!promise->unhashed)
        MGL_GO(digest(table, promise, err, verified->rows_sha256));
done:
    mgl_source_close(source);
    mgl_arrow_let_go(table);
    return status;
}
