/* Sources of any format: opening, reading into a table, choosing rows, records ahead; names of
 * columns, missing tokens, spellings and notations are the same for all. */
#include "io/formats.h"
#include "io/intake/intake.h"
#include "io/io.h"

/* Takes stripes of all rows and puts the chosen ones into a table of its own, in which values have
 * numbers as if there were no other rows. */
typedef struct row_sifting {
    const mgl_row_choice *chosen;
    mgl_table *table;         /* with columns and without rows */
    const mgl_row_sink *sink; /* gets them when there are enough; NULL: all stay in the table */
    uint64_t n_seen;          /* rows of the source so far */
    uint32_t **numbers;       /* [column][code] in the table; MGL_NOT_FOUND: none yet */
    size_t *n_numbers;        /* [column] */
    uint32_t *codes;          /* of the current rows */
    size_t codes_capacity;
} row_sifting;

/* ---- Some rows of a source: first pass ------------------------------------------------------- */

/* Free with sifting_free, also after a failure. */
static mgl_status sifting_init(row_sifting *sifting, const mgl_row_choice *chosen, mgl_table *table,
                               const mgl_row_sink *sink, mgl_error *err)
{
    *sifting = (row_sifting){.chosen = chosen, .table = table, .sink = sink};
    sifting->numbers = mgl_zeroed_array(table->n_columns, sizeof *sifting->numbers);
    sifting->n_numbers = mgl_zeroed_array(table->n_columns, sizeof *sifting->n_numbers);
    return sifting->numbers == NULL || sifting->n_numbers == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static void sifting_free(row_sifting *sifting)
{
    for (size_t c = 0; sifting->numbers != NULL && c < sifting->table->n_columns; c++)
        mgl_free(sifting->numbers[c]);
    mgl_free(sifting->numbers);
    mgl_free(sifting->n_numbers);
    mgl_free(sifting->codes);
    *sifting = (row_sifting){0};
}

/* Codes that the dictionary of the source got since the last stripe have no number yet. */
static bool know_codes(row_sifting *s, size_t c, uint32_t n)
{
    size_t capacity = s->n_numbers[c];
    if (n <= capacity)
        return true;
    if (!mgl_grow(&s->numbers[c], &capacity, n, sizeof **s->numbers))
        return false;
    memset(s->numbers[c] + s->n_numbers[c], 0xff,
           (capacity - s->n_numbers[c]) * sizeof **s->numbers);
    s->n_numbers[c] = capacity;
    return true;
}

/* The number of a code, which is new if no row before had the value. MGL_NOT_FOUND: memory is out.
 */
static uint32_t number_of(row_sifting *s, size_t c, const mgl_dictionary *from, uint32_t code)
{
    mgl_dictionary *to = s->table->columns[c].dictionary;
    uint32_t *number = &s->numbers[c][code];
    if (*number == MGL_NOT_FOUND)
        *number = code == mgl_dictionary_missing(from)
                      ? mgl_dictionary_add_missing(to, mgl_dictionary_value(from, code))
                      : mgl_dictionary_add(to, mgl_dictionary_value(from, code));
    return *number;
}

static bool sift_column(row_sifting *s, const mgl_table *stripe, size_t c, size_t *n_kept)
{
    const mgl_column *column = &stripe->columns[c];
    size_t n = 0;
    if (!know_codes(s, c, mgl_dictionary_size(column->dictionary)))
        return false;
    for (size_t r = 0; r < stripe->n_rows; r++) {
        if (!mgl_row_is_chosen(s->chosen, s->n_seen + r))
            continue;
        s->codes[n] = number_of(s, c, column->dictionary, mgl_column_code(column, r));
        if (s->codes[n++] == MGL_NOT_FOUND)
            return false;
    }
    *n_kept = n;
    return mgl_codes_store(&s->table->columns[c], s->table->n_rows, s->codes, n);
}

static mgl_status give_on(row_sifting *s, size_t enough, mgl_error *err)
{
    if (s->sink == NULL || s->table->n_rows < enough)
        return MGL_OK;
    MGL_TRY(s->sink->take(s->sink->context, s->table, err));
    s->table->n_rows = 0;
    return MGL_OK;
}

/* As take of mgl_row_sink. */
static mgl_status sifting_take(void *context, const mgl_table *stripe, mgl_error *err)
{
    row_sifting *s = context;
    size_t n = 0;
    MGL_TRY(
        mgl_grow_array(&s->codes, &s->codes_capacity, stripe->n_rows + 1, sizeof *s->codes, err));
    for (size_t r = 0; r < stripe->n_rows; r++) /* a table may have no columns */
        n += mgl_row_is_chosen(s->chosen, s->n_seen + r);
    for (size_t c = 0; c < stripe->n_columns; c++)
        MGL_TRY(mgl_check_memory(sift_column(s, stripe, c, &n), err));
    s->table->n_rows += n;
    s->n_seen += stripe->n_rows;
    return give_on(s, s->sink != NULL ? s->sink->rows : 0, err);
}

/* After the last stripe. MGL_DATA if there were more or fewer rows than when they were chosen. */
static mgl_status sifting_end(row_sifting *sifting, const char *name, mgl_error *err)
{
    if (sifting->n_seen != sifting->chosen->n_rows)
        return mgl_fail_at(err, MGL_CODE_CHANGED, name, 0,
                           "the table had %llu rows when some were chosen and has %llu now; run "
                           "again when nothing writes to it",
                           (unsigned long long)sifting->chosen->n_rows,
                           (unsigned long long)sifting->n_seen);
    return give_on(sifting, 1, err);
}

/* ---- Some rows of a source: second pass ------------------------------------------------------ */

/* The fields belong to the source, which makes them anew for each block: those of rows that stay
 * move up. */
static void records_sift(const mgl_row_choice *chosen, uint64_t first, mgl_records *records)
{
    mgl_field *fields = (mgl_field *)records->fields;
    size_t n_fields = records->n_fields, kept = 0;
    for (size_t r = 0; r < records->n_records; r++) {
        if (!mgl_row_is_chosen(chosen, first + r))
            continue;
        if (kept < r)
            memcpy(fields + kept * n_fields, fields + r * n_fields, n_fields * sizeof *fields);
        kept++;
    }
    records->n_records = kept;
}

/* The row of the source that is the number-th chosen one, from 0. */
static uint64_t chosen_row(const mgl_row_choice *chosen, uint64_t number)
{
    uint64_t row = 0;
    for (uint64_t left = number;; row++)
        if (row >= chosen->n_rows || (mgl_row_is_chosen(chosen, row) && left-- == 0))
            return row;
}

/* ---- Sources --------------------------------------------------------------------------------- */

/* Sets the format by the options or by what the file holds, where that is a part. */
static mgl_status find_format(mgl_location *location, const mgl_source_options *options,
                              mgl_error *err)
{
    int part = options->format == NULL ? mgl_is_part(location->text) : 0;
    if (options->format != NULL)
        location->format = options->format;
    else if (part == 1)
        location->format = &mgl_part_format;
    if (part < 0)
        return mgl_fail_errno(err, location->text, "open");
    MGL_TRY(mgl_format_check_use(location->format, location->text, err));
    if (options->n_parts > 0 && part == 0)
        return mgl_fail_key_at(err, MGL_CODE_CONFLICT, location->text, "parts",
                               "several files can be read together only if all are parts that "
                               "`count` wrote; this is none");
    return MGL_OK;
}

/* table: what is opened, where no location has to be looked up; NULL otherwise. */
static mgl_status open_source(const mgl_location *location, mgl_arrow_table *table,
                              const mgl_source_options *options, mgl_error *err, mgl_source **out)
{
    mgl_source *source = mgl_zeroed_array(1, sizeof *source);
    MGL_TRY(mgl_check_memory(source != NULL, err));
    source->options = options;
    source->format = location->format;
    source->arrow = table;
    source->operations = location->format->source;
    source->numbered = options->no_header;
    source->dialect = (mgl_dialect){.delimiter = ',', .header = true, .final_newline = true};
    source->columns = mgl_map_new();
    mgl_status status = source->columns != NULL ? source->operations->open(source, location, err)
                                                : mgl_fail_memory(err);
    if (status != MGL_OK) {
        mgl_source_close(source);
        return status;
    }
    if (source->headerless && options->headerless != NULL)
        options->headerless->other = true;
    *out = source;
    return MGL_OK;
}

mgl_status mgl_source_open(const char *text, const mgl_source_options *options, mgl_error *err,
                           mgl_source **out)
{
    mgl_location location = mgl_location_of(text);
    MGL_TRY(find_format(&location, options, err));
    return open_source(&location, NULL, options, err, out);
}

mgl_status mgl_source_open_arrow(mgl_arrow_table *table, const char *name,
                                 const mgl_source_options *options, mgl_error *err,
                                 mgl_source **out)
{
    mgl_location location = {.text = name, .kind = MGL_LOCATION_TABLE, .format = &mgl_arrow_format};
    return open_source(&location, table, options, err, out);
}

mgl_arrow_table *mgl_source_arrow(const mgl_source *source)
{
    return source->arrow;
}

void mgl_source_close(mgl_source *source)
{
    if (source == NULL)
        return;
    source->operations->close(source);
    mgl_text_close(source->text);
    mgl_map_free(source->columns);
    mgl_free(source->kept);
    mgl_free(source->sifted);
    mgl_free(source);
}

void mgl_source_choose(mgl_source *source, const mgl_row_choice *chosen)
{
    source->chosen = chosen;
}

const mgl_row_choice *mgl_source_chosen(const mgl_source *source)
{
    return source->chosen;
}

const char *mgl_source_name(const mgl_source *source)
{
    return source->name;
}

mgl_source_options mgl_options_of_other(const mgl_source_options *options, const char *location)
{
    mgl_source_options other = *options;
    mgl_location_kind kind = mgl_location_of(location).kind;
    if (options->missing_given)
        return other;
    if (kind == MGL_LOCATION_TABLE) {
        other.n_missing = other.n_labels = 0; /* what null reads as is still no_value */
    } else if (options->usual != NULL) {
        other.missing = options->usual;
        other.n_missing = options->n_usual;
        other.n_labels = 0;
    }
    /* The last of the usual texts, NA, is a value in a database. */
    if (kind == MGL_LOCATION_DATABASE && other.n_missing > 1)
        other.n_missing--;
    return other;
}

mgl_status mgl_tokens_of_release(mgl_source_options *options, mgl_is_label_fn *is_label,
                                 const void *context, mgl_arena *arena, mgl_error *err)
{
    size_t n = options->n_missing, front = 0, back = n;
    mgl_span *tokens = mgl_arena_alloc(arena, (n + 1) * sizeof *tokens);
    MGL_TRY(mgl_check_memory(tokens != NULL, err));
    for (size_t i = 0; i < n; i++) {
        bool label = i > 0 && is_label(options->missing[i], context);
        tokens[label ? --back : front++] = options->missing[i];
    }
    options->missing = tokens;
    options->n_labels = n - front;
    return MGL_OK;
}

uint64_t mgl_source_size(const mgl_source *source)
{
    return source->size;
}

size_t mgl_source_columns(const mgl_source *source)
{
    return mgl_map_size(source->columns);
}

const char *mgl_source_column(const mgl_source *source, size_t column)
{
    return mgl_map_text(source->columns, (uint32_t)column).data;
}

size_t mgl_source_find(const mgl_source *source, const char *column)
{
    uint32_t number = mgl_map_find(source->columns, mgl_span_of(column));
    return number != MGL_NOT_FOUND ? number : SIZE_MAX;
}

const mgl_column_meta *mgl_source_meta(const mgl_source *source, size_t column)
{
    return source->meta != NULL ? &source->meta[column] : NULL;
}

const mgl_dialect *mgl_source_dialect(const mgl_source *source)
{
    return &source->dialect;
}

/* The requested columns, with names and roles and without rows. */
static mgl_table *empty_table(const mgl_source *source, const mgl_column_request *requests,
                              size_t n_requests)
{
    mgl_table *table = mgl_table_new(n_requests);
    for (size_t i = 0; table != NULL && i < n_requests; i++) {
        mgl_column *column = &table->columns[i];
        const char *name = mgl_source_column(source, requests[i].source_index);
        column->role = requests[i].role;
        column->source_index = (uint32_t)requests[i].source_index;
        if (source->meta != NULL)
            mgl_dictionary_set_labels(column->dictionary,
                                      &source->meta[column->source_index].labels);
        column->name = mgl_alloc(strlen(name) + 1);
        if (column->name == NULL) {
            mgl_table_free(table);
            return NULL;
        }
        strcpy(column->name, name);
    }
    return table;
}

/* How the numbers and dates of each column are written. Files that know of numbers have them with
 * points. */
static void settle_notations(const mgl_source *source, mgl_table *table)
{
    const mgl_source_options *options = source->options;
    for (size_t c = 0; c < table->n_columns; c++) {
        mgl_dictionary *dictionary = table->columns[c].dictionary;
        const mgl_column_meta *meta = mgl_source_meta(source, table->columns[c].source_index);
        mgl_notation notation = {.has_century = options->has_century, .century = options->century};
        if (meta != NULL && meta->kind == MGL_CELLS_NUMBER)
            notation.numbers = MGL_NUMBERS_PLAIN;
        else if (options->decimal != 0)
            notation.numbers = options->decimal == ',' ? MGL_NUMBERS_COMMA : MGL_NUMBERS_POINT;
        else
            mgl_dictionary_sniff(dictionary, &notation);
        mgl_dictionary_set_notation(dictionary, &notation);
    }
}

static bool respells_of(const mgl_source_options *options)
{
    return !options->as_written && (options->spelling.trim || options->spelling.fold_case);
}

uint64_t mgl_source_coding(const mgl_source *source, mgl_role role)
{
    const mgl_source_options *options = source->options;
    size_t n = mgl_missing_tokens(options, role);
    uint64_t coding = n;
    for (size_t i = 0; i < n; i++)
        coding = 31 * coding + mgl_hash(options->missing[i].data, options->missing[i].size);
    /* Engines refuse some columns as quasi-identifiers. */
    bool refusable = role == MGL_ROLE_QUASI && source->operations->count != NULL;
    return 2 * coding + refusable;
}

mgl_status mgl_source_keep(mgl_source *source, const mgl_column_request *requests,
                           size_t n_requests, mgl_error *err)
{
    bool *kept = mgl_zeroed_array(mgl_source_columns(source), sizeof *kept);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    for (size_t i = 0; i < n_requests; i++)
        kept[requests[i].source_index] = true;
    mgl_free(source->kept);
    source->kept = kept;
    return MGL_OK;
}

mgl_status mgl_source_unchanged(mgl_source *source, mgl_error *err)
{
    if (source->text != NULL)
        return mgl_text_unchanged(source->text, err);
    return source->operations->unchanged != NULL ? source->operations->unchanged(source, err)
                                                 : MGL_OK;
}

enum { SIFTED_ROWS = 1 << 16 }; /* at a time, where rows are left out */

typedef struct reading {
    mgl_source *source;
    const mgl_row_sink *sink;
    mgl_pool *pool;
    const mgl_progress *progress;
    bool counted;
    const mgl_value_levels *listed; /* counted: values of the one column that are left out */
    const char *target;
} reading;

static mgl_status fill_rows(const reading *r, mgl_table *table, mgl_error *err)
{
    const mgl_source_operations *operations = r->source->operations;
    if (r->listed != NULL)
        return operations->count_others(r->source, r->listed, r->target, table, r->progress, err);
    if (operations->check != NULL)
        MGL_TRY(operations->check(r->source, table, err));
    if (r->counted)
        return operations->count(r->source, table, r->progress, err);
    return operations->produce != NULL
               ? mgl_intake_read(r->source, table, r->progress, err)
               : operations->read(r->source, table, r->pool, r->progress, err);
}

/* What is the same for all rows that are there: spellings, and how numbers are written. */
static mgl_status settle_values(const mgl_source *source, mgl_table *table, mgl_error *err)
{
    const mgl_source_options *options = source->options;
    if (respells_of(options))
        MGL_TRY(mgl_table_respell(table, options->spelling, options->missing, options->n_missing,
                                  options->n_labels, err));
    if (!options->as_written)
        settle_notations(source, table);
    return MGL_OK;
}

/* All rows decide how values are spelled: nothing is passed on before. */
static const mgl_row_sink *sink_at_once(const reading *r)
{
    return respells_of(r->source->options) ? NULL : r->sink;
}

/* Rows go through the sifting, and from there into the table that is returned. */
static mgl_status fill_sifted(const reading *r, const mgl_column_request *requests,
                              size_t n_requests, mgl_error *err, mgl_table *table)
{
    mgl_source *source = r->source;
    row_sifting sifting;
    mgl_row_sink sink = {r->sink != NULL ? r->sink->rows : SIFTED_ROWS, sifting_take, &sifting};
    mgl_table *all = empty_table(source, requests, n_requests);
    mgl_status status = sifting_init(&sifting, source->chosen, table, sink_at_once(r), err);
    MGL_GO(status);
    if (all == NULL)
        MGL_GO(mgl_fail_memory(err));
    source->sink = &sink;
    MGL_GO(fill_rows(r, all, err));
    if (!source->operations->streams)
        MGL_GO(sifting_take(&sifting, all, err));
    MGL_GO(sifting_end(&sifting, source->name, err));
done:
    sifting_free(&sifting);
    mgl_table_free(all);
    return status;
}

static mgl_status fill_table(const reading *r, const mgl_column_request *requests,
                             size_t n_requests, mgl_error *err, mgl_table **out)
{
    mgl_source *source = r->source;
    bool sifts = source->chosen != NULL && !r->counted;
    MGL_TRY(mgl_source_keep(source, requests, n_requests, err));
    mgl_table *table = empty_table(source, requests, n_requests);
    MGL_TRY(mgl_check_memory(table != NULL, err));
    source->sink = sink_at_once(r);
    bool streams = source->operations->streams || sifts;
    mgl_status status = MGL_OK;
    MGL_GO(sifts ? fill_sifted(r, requests, n_requests, err, table) : fill_rows(r, table, err));
    MGL_GO(settle_values(source, table, err));
    if (r->sink != NULL && (sink_at_once(r) == NULL || !streams)) {
        MGL_GO(r->sink->take(r->sink->context, table, err));
        table->n_rows = 0;
    }
    *out = table;
    table = NULL;
done:
    source->sink = NULL;
    mgl_table_free(table);
    return status;
}

mgl_status mgl_source_read(mgl_source *source, const mgl_column_request *requests,
                           size_t n_requests, mgl_pool *pool, const mgl_progress *progress,
                           mgl_error *err, mgl_table **out)
{
    mgl_stream_request request = {requests, n_requests, NULL, pool, progress};
    return mgl_source_stream(source, &request, err, out);
}

mgl_status mgl_source_stream(mgl_source *source, const mgl_stream_request *request, mgl_error *err,
                             mgl_table **out)
{
    reading r = {.source = source,
                 .sink = request->sink,
                 .pool = request->pool,
                 .progress = request->progress};
    return fill_table(&r, request->requested, request->n_requested, err, out);
}

void mgl_source_hash(mgl_source *source)
{
    source->hashes = true;
}

const char *mgl_source_sha256(const mgl_source *source)
{
    return source->sha256[0] != '\0' ? source->sha256 : NULL;
}

bool mgl_source_lasts(const mgl_source *source)
{
    return source->operations->lasts;
}

bool mgl_source_counts(const mgl_source *source)
{
    return source->operations->count != NULL;
}

mgl_status mgl_source_count(mgl_source *source, const mgl_column_request *requests,
                            size_t n_requests, const mgl_progress *progress, mgl_error *err,
                            mgl_table **out)
{
    reading r = {.source = source, .progress = progress, .counted = true};
    return fill_table(&r, requests, n_requests, err, out);
}

mgl_status mgl_source_count_some(mgl_source *source, const mgl_column_request *requests,
                                 size_t n_requests, unsigned level, const mgl_progress *progress,
                                 mgl_error *err, mgl_table **out)
{
    source->count_level = level;
    mgl_status status = mgl_source_count(source, requests, n_requests, progress, err, out);
    source->count_level = 0;
    return status;
}

bool mgl_source_regroups(const mgl_source *source)
{
    return source->operations->regroup != NULL;
}

mgl_status mgl_source_regroup(mgl_source *source, const mgl_value_levels *columns, size_t n,
                              uint64_t least, const char *target, const mgl_progress *progress,
                              mgl_error *err)
{
    return source->operations->regroup(source, columns, n, least, target, progress, err);
}

mgl_status mgl_source_count_others(mgl_source *source, mgl_column_request request,
                                   const mgl_value_levels *listed, const char *target,
                                   const mgl_progress *progress, mgl_error *err, mgl_table **out)
{
    reading r = {.source = source,
                 .progress = progress,
                 .counted = true,
                 .listed = listed,
                 .target = target};
    return fill_table(&r, &request, 1, err, out);
}

bool mgl_source_filters(const mgl_source *source)
{
    return source->operations->filters != NULL && source->operations->filters(source);
}

mgl_status mgl_source_filter(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                             uint64_t *n_rows)
{
    return source->operations->filter(source, filter, err, n_rows);
}

const mgl_push_operations *mgl_source_push(const mgl_source *source)
{
    return source->operations->push;
}

mgl_status mgl_source_rewind(mgl_source *source, mgl_error *err)
{
    source->n_passed = 0;
    return source->operations->rewind(source, err);
}

static void sift(mgl_source *source, mgl_records *records)
{
    size_t n = records->n_records;
    if (source->chosen != NULL)
        records_sift(source->chosen, source->n_passed, records);
    source->n_passed += n;
}

mgl_status mgl_source_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    mgl_records records;
    bool ended;
    do {
        MGL_TRY(source->operations->next(source, err, &records));
        ended = records.n_records == 0;
        sift(source, &records);
    } while (!ended && records.n_records == 0);
    *out = records;
    return MGL_OK;
}

uint64_t mgl_source_line(mgl_source *source, size_t row)
{
    uint64_t line = 0;
    if (source->chosen != NULL)
        row = (size_t)chosen_row(source->chosen, row);
    if (source->operations->line == NULL ||
        source->operations->line(source, row, NULL, &line) != MGL_OK)
        return 0;
    return line;
}

typedef struct visiting {
    mgl_source *source;
    mgl_records_fn *visit;
    void *context;
} visiting;

static mgl_status visit_chosen(void *context, const mgl_records *records, mgl_error *err)
{
    const visiting *v = context;
    mgl_records left = *records;
    sift(v->source, &left);
    return left.n_records > 0 ? v->visit(v->context, &left, err) : MGL_OK;
}

mgl_status mgl_source_each(mgl_source *source, mgl_records_fn *visit, void *context, mgl_error *err)
{
    visiting v = {source, visit, context};
    source->n_passed = 0;
    if (source->operations->produce != NULL)
        return mgl_intake_each(source, visit_chosen, &v, err);
    MGL_TRY(mgl_source_rewind(source, err));
    for (;;) {
        mgl_records records;
        MGL_TRY(mgl_source_next(source, err, &records));
        if (records.n_records == 0)
            return MGL_OK;
        MGL_TRY(visit(context, &records, err));
    }
}

/* ---- Records ahead --------------------------------------------------------------------------- */

mgl_status mgl_source_share(mgl_source *source, unsigned threads, mgl_error *err)
{
    MGL_TRY(mgl_source_rewind(source, err));
    if (source->operations->share != NULL)
        return source->operations->share(source, threads, err);
    source->ahead = (mgl_records_ahead){0};
    return MGL_OK;
}

size_t mgl_source_plan(mgl_source *source)
{
    return source->operations->share != NULL ? source->operations->plan(source) : 1;
}

void mgl_source_cut(mgl_source *source, size_t block)
{
    mgl_records_ahead *ahead = &source->ahead;
    if (source->operations->share != NULL)
        source->operations->cut(source, block);
    else
        ahead->status = source->operations->next(source, &ahead->error, &ahead->block.records);
}

static mgl_status settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                         size_t *n)
{
    const mgl_records_ahead *ahead = &source->ahead;
    if (source->operations->share != NULL)
        return source->operations->settle(source, err, blocks, n);
    if (ahead->status != MGL_OK) {
        if (err != NULL)
            *err = ahead->error;
        return ahead->status;
    }
    *blocks = &ahead->block;
    *n = ahead->block.records.n_records > 0;
    return MGL_OK;
}

/* Blocks may be left without records, though others follow. */
mgl_status mgl_source_settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                             size_t *n)
{
    const mgl_wave_block *all;
    if (source->chosen == NULL)
        return settle(source, err, blocks, n);
    if (source->sifted == NULL)
        MGL_TRY(mgl_new_zeroed(MGL_WAVE_BLOCKS, sizeof *source->sifted, err, &source->sifted));
    MGL_TRY(settle(source, err, &all, n));
    for (size_t b = 0; b < *n; b++) {
        source->sifted[b] = all[b];
        records_sift(source->chosen, source->n_passed, &source->sifted[b].records);
        source->n_passed += all[b].records.n_records;
    }
    *blocks = source->sifted;
    return MGL_OK;
}
