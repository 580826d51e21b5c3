/* Checks a release as it was written: reads it back, as the columns it should have, and has its
 * rows judged. It shares nothing with the search but the reader. */
#include "verify/verify.h"

#include "verify/collect.h"
#include "verify/sorted.h"

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
        MGL_TRY(mgl_check_memory(restored != NULL, err));
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
static bool distinguishes_rows(const mgl_promise *promise)
{
    for (size_t q = 0; q < promise->n_sets; q++)
        if (promise->sets[q].histories != NULL)
            return true;
    for (size_t i = 0; i < promise->n_further; i++)
        if (promise->further[i].judge->rows != NULL || promise->further[i].judge->take != NULL)
            return true;
    return promise->persons.of_row != NULL || promise->persons.column != NULL ||
           promise->weights.of_row != NULL || promise->records.column != NULL;
}

/* Equal rows are one, a counted table, if nothing distinguishes them. */
static mgl_status read_rows(mgl_source *source, mgl_stream_request request,
                            const mgl_promise *promise, mgl_error *err, mgl_table **out,
                            uint64_t *n_rows)
{
    if (distinguishes_rows(promise)) {
        MGL_TRY(mgl_source_stream(source, &request, err, out));
        *n_rows = (*out)->n_rows;
        return MGL_OK;
    }
    mgl_collector collector;
    mgl_row_sink sink = {rows_in_stripe(promise, request.n_requested), mgl_collector_take,
                         &collector};
    request.sink = &sink;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_collector_init(&collector, request.n_requested, request.pool, err));
    MGL_GO(mgl_source_stream(source, &request, err, out));
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
    if (n == promise->records.n)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, path, 0,
                       "the rows of the written release stand for %llu records where %llu were "
                       "released; please report this",
                       (unsigned long long)n, (unsigned long long)promise->records.n);
}

static mgl_status read_columns(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err, mgl_table **out)
{
    const char *name = mgl_source_name(source);
    mgl_column_request *requested =
        mgl_alloc_array(promise->n_tops + promise->n_sensitive + 2, sizeof *requested);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    MGL_GO(check_columns(source, promise, name, err));
    size_t n = 0;
    uint64_t n_rows = 0;
    for (size_t i = 0; i < promise->n_tops; i++)
        requested[n++] = (mgl_column_request){promise->top_columns[i], MGL_ROLE_QUASI};
    for (size_t i = 0; i < promise->n_sensitive; i++)
        requested[n++] = (mgl_column_request){promise->sensitive_columns[i], MGL_ROLE_SENSITIVE};
    if (promise->persons.column != NULL)
        requested[n++] = (mgl_column_request){*promise->persons.column, MGL_ROLE_IDENTIFIER};
    if (promise->records.column != NULL)
        requested[n++] = (mgl_column_request){*promise->records.column, MGL_ROLE_IDENTIFIER};
    mgl_stream_request request = {requested, n, NULL, pool, progress};
    MGL_GO(read_rows(source, request, promise, err, out, &n_rows));
    MGL_GO(check_rows(n_rows, promise, name, err));
    if (promise->neutralized)
        MGL_GO(restore_values(*out, err));
    if (promise->records.column != NULL)
        MGL_GO(count_records(*out, promise, name, err));
done:
    mgl_free(requested);
    return status;
}

/* Where the release identifies persons, it must identify the same persons that were given to the
 * verifier, and these are judged by what the release shows. */
static mgl_status judge_rows(const mgl_source *source, const mgl_table *table,
                             const mgl_promise *promise, mgl_error *err, mgl_found *found)
{
    mgl_promise with_persons = *promise;
    uint32_t *persons = NULL;
    if (promise->persons.column == NULL)
        return mgl_verify_table(table, promise, err, found);
    const mgl_column *column = &table->columns[table->n_columns - 1];
    mgl_status status = MGL_OK;
    MGL_GO(mgl_persons_released(mgl_source_name(source), table, column, promise, err, &persons));
    with_persons.persons.of_row = persons;
    MGL_GO(mgl_verify_table(table, &with_persons, err, found));
done:
    mgl_free(persons);
    return status;
}

/* Of a source that was opened with options_of. */
static mgl_status verify_source(mgl_source *source, const mgl_promise *promise, mgl_pool *pool,
                                const mgl_progress *progress, mgl_error *err, mgl_found *found)
{
    mgl_table *table = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(read_columns(source, promise, pool, progress, err, &table));
    MGL_GO(judge_rows(source, table, promise, err, found));
    for (size_t i = 0; i < promise->n_further; i++) {
        const mgl_further_promise *further = &promise->further[i];
        if (further->judge->rows != NULL)
            MGL_GO(further->judge->rows(mgl_source_name(source), table, promise, further->promised,
                                        further->n, err));
    }
done:
    mgl_table_free(table);
    MGL_TRY(status);
    for (size_t i = 0; i < promise->n_further; i++) {
        const mgl_further_promise *further = &promise->further[i];
        if (further->judge->release != NULL)
            MGL_TRY(further->judge->release(source, promise, further->promised, further->n, pool,
                                            progress, err));
    }
    return MGL_OK;
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
    const char *before = mgl_progress_within("verify"); /* that is what it is read for */
    mgl_status status = verify_source(source, promise, pool, progress, err, found);
    mgl_progress_go_on(before);
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
    mgl_arrow_helpers helpers = {pool, 1};
    const char *before = mgl_progress_within("verify");
    mgl_status status = MGL_OK;
    *verified = (mgl_verified){0};
    MGL_GO(mgl_arrow_import_with(stream, "release", &helpers, progress, err, &table));
    MGL_GO(mgl_source_open_arrow(table, "release", &options, err, &source));
    MGL_GO(verify_source(source, promise, pool, progress, err, found));
    if (!promise->unhashed)
        MGL_GO(digest(table, promise, err, verified->rows_sha256));
done:
    mgl_progress_go_on(before);
    mgl_source_close(source);
    mgl_arrow_release(table);
    return status;
}
