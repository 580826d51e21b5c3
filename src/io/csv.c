/* Reads delimited text as a source: some threads cut the next blocks while others code the columns
 * of those before. */
#include "io/formats.h"
#include "io/intake/intake.h"

#include <stdio.h>

enum {
    REPORT_EVERY = 4 * 1024 * 1024,
    SHARED_BLOCK = 256 * 1024,
    RECORDS_BLOCK = 128 * 1024,      /* smaller: fields take twice the room of their text */
    WORTH_SHARING = 4 * 1024 * 1024, /* bytes of a file for which threads are woken */
    TILE_BYTES = 16 * 1024           /* text that is coded column by column while it is cached */
};

typedef struct csv {
    mgl_text_reader *reader; /* of the second pass */
    bool at_start;
    mgl_text_wave *wave;  /* of the second pass, after its first block; NULL: no threads share it */
    mgl_wave_block first; /* block of the second pass */
    bool has_first;       /* it was not returned yet */
} csv;

/* ---- Opening: dialect and column names --------------------------------------- */

/* Lines that end in a delimiter have a last column that was not meant: no name and no values. */
static bool ends_in_delimiter(const mgl_records *records)
{
    size_t last = records->n_fields - 1;
    for (size_t r = 0; r < records->n_records; r++)
        if (records->fields[r * records->n_fields + last].size > 0)
            return false;
    return records->n_fields > 1;
}

static mgl_status name_columns(mgl_source *source, const mgl_records *first, mgl_error *err)
{
    bool ends_so = !source->numbered && ends_in_delimiter(first);
    mgl_buffer scratch = {0};
    char made[32];
    mgl_status status = MGL_OK;
    for (size_t c = 0; c < first->n_fields; c++) {
        mgl_span name = {"", 0};
        if (!source->numbered)
            name = mgl_field_value(first->fields[c], &scratch);
        else if (c < source->options->n_names)
            name = mgl_span_of(source->options->names[c]);
        if (ends_so && c + 1 == first->n_fields) {
            snprintf(made, sizeof made, "column%zu", c + 1);
            name = mgl_span_of(made);
        }
        if (scratch.failed)
            MGL_GO(mgl_fail_memory(err));
        MGL_GO(mgl_source_name_column(source, name, first->first_line, err));
        MGL_GO(mgl_progress_poll(c, err));
    }
done:
    mgl_buffer_free(&scratch);
    return status;
}

static mgl_status open_reader(mgl_source *source, mgl_error *err)
{
    csv *state = source->state;
    mgl_text_wave_free(state->wave);
    state->wave = NULL;
    mgl_text_reader_free(state->reader);
    state->reader = NULL;
    state->at_start = true;
    return mgl_text_reader_new(source->text, &source->dialect, err, &state->reader);
}

/* Adds the records of a block; false: no more are needed. */
static bool add_records(mgl_first_lines *lines, const mgl_records *records, mgl_buffer *scratch)
{
    bool wanted = true;
    for (size_t r = 0; wanted && r < records->n_records; r++) {
        const mgl_field *fields = records->fields + r * records->n_fields;
        for (size_t c = 0; c < records->n_fields; c++)
            mgl_first_lines_put(lines, c, mgl_field_value(fields[c], scratch));
        wanted = mgl_first_lines_next(lines);
    }
    return wanted;
}

/* Whether the first line is a record. Faults further down are found when the table is read. */
static mgl_status judge_header(mgl_source *source, mgl_error *err)
{
    csv *state = source->state;
    mgl_first_lines *lines = NULL;
    mgl_buffer scratch = {0};
    mgl_records records;
    mgl_status status = MGL_OK;
    MGL_GO(open_reader(source, err));
    MGL_GO(mgl_text_next(state->reader, err, &records));
    if (records.n_records == 0)
        goto done;
    uint64_t line = records.first_line;
    MGL_GO(mgl_first_lines_new(source->options, records.n_fields, err, &lines));
    while (add_records(lines, &records, &scratch)) {
        mgl_status next = mgl_text_next(state->reader, err, &records);
        if (next == MGL_SYSTEM)
            MGL_GO(next);
        if (next != MGL_OK || records.n_records == 0)
            break;
    }
    if (scratch.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_first_lines_judge(lines, source->name, line, err, &source->headerless));
    source->numbered = source->headerless;
    source->dialect.header = !source->headerless;
done:
    mgl_buffer_free(&scratch);
    mgl_first_lines_free(lines);
    return status;
}

static mgl_status csv_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    csv *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    const mgl_source_options *options = source->options;
    mgl_records records;
    MGL_TRY(mgl_source_open_text(source, location->text, err));
    MGL_TRY(
        mgl_text_sniff(source->text, options->delimiter, !source->numbered, err, &source->dialect));
    if (options->judges_header && !source->dialect.short_header)
        MGL_TRY(judge_header(source, err));
    MGL_TRY(open_reader(source, err));
    MGL_TRY(mgl_text_next(state->reader, err, &records));
    MGL_TRY(name_columns(source, &records, err));
    if (source->dialect.header && records.n_records == 1)
        MGL_TRY(mgl_text_next(state->reader, err, &records));
    mgl_text_reader_free(state->reader);
    state->reader = NULL;
    if (records.n_records == 0 && !options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                           "there is a header but there are no rows; add rows (or `header: no` if "
                           "the first line is one)");
    return MGL_OK;
}

static void csv_close(mgl_source *source)
{
    csv *state = source->state;
    if (state == NULL)
        return;
    mgl_text_wave_free(state->wave);
    mgl_text_reader_free(state->reader);
    mgl_free(state);
}

/* ---- First pass: codes -------------------------------------------------------- */

typedef struct pass {
    mgl_text_reader *reader;
    const mgl_progress *progress;
    uint64_t size, reported;
    mgl_coder **coders;
    size_t n_coders;
    size_t n_rows; /* that the coders have */
    mgl_table *table;
    const mgl_row_sink *sink;
    bool hashes;
    mgl_sha256 hash;
    size_t header; /* records of the first block that are no rows */
    mgl_cuts cuts; /* at work, if one thread does it all */
    /* If threads share the work: */
    mgl_text_wave *wave;
    const mgl_wave_block *blocks; /* current; the next ones are cut meanwhile */
    size_t n_blocks;
    mgl_block_coding coding;
} pass;

static mgl_status report(pass *p, uint64_t bytes_done, mgl_error *err)
{
    if (bytes_done - p->reported < REPORT_EVERY && p->n_rows > 0)
        return MGL_OK;
    p->reported = bytes_done;
    return mgl_progress_report(p->progress, "read", p->reported, p->size, err);
}

/* Room for all rows, judged by the first block: growing step by step would need up to
 * half as much memory again. */
static mgl_status expect_rows(pass *p, size_t bytes_at_once, mgl_error *err)
{
    if (p->cuts.bytes_done == 0)
        return MGL_OK;
    double rate = (double)p->cuts.n_records / (double)p->cuts.bytes_done;
    size_t expected = (size_t)(rate * (double)p->size * 1.01) + 64;
    if (p->sink != NULL) {
        size_t at_once = p->sink->rows + (size_t)(rate * (double)bytes_at_once * 2);
        expected = expected < at_once ? expected : at_once;
    }
    for (size_t i = 0; i < p->n_coders; i++)
        MGL_TRY(mgl_check_memory(mgl_coder_expect(p->coders[i], expected), err));
    return MGL_OK;
}

static void hash_block(pass *p, const mgl_cuts *cuts)
{
    if (p->hashes)
        mgl_sha256_add(&p->hash, cuts->fresh.data, cuts->fresh.size);
}

/* Passes the rows so far on, if there are enough of them. */
static mgl_status give_rows(pass *p, size_t enough, mgl_error *err)
{
    if (p->sink == NULL || p->n_rows < enough)
        return MGL_OK;
    p->table->n_rows = p->n_rows;
    MGL_TRY(p->sink->take(p->sink->context, p->table, err));
    for (size_t i = 0; i < p->n_coders; i++)
        mgl_coder_empty(p->coders[i]);
    p->n_rows = 0;
    return MGL_OK;
}

/* One thread: a tile of rows at a time, so that its text stays in the nearest cache
 * while the columns are coded one after another. */
static mgl_status code_tiles(pass *p, mgl_error *err)
{
    size_t n = p->cuts.n_records, n_fields = p->cuts.n_fields;
    size_t bytes = n > 0 ? (size_t)p->cuts.ends[n * n_fields - 1] + 1 : 0;
    size_t tile = bytes > 0 ? n * TILE_BYTES / bytes + 1 : 1;
    for (size_t first = p->header; first < n; first += tile) {
        size_t rows = n - first < tile ? n - first : tile;
        for (size_t i = 0; i < p->n_coders; i++) {
            MGL_TRY(mgl_check_memory(mgl_coder_run(p->coders[i], &p->cuts, first, rows), err));
            MGL_TRY(mgl_progress_poll(i, err));
        }
    }
    return MGL_OK;
}

/* The first block is always coded like this; the whole file, if it is not shared. */
static mgl_status code_block(pass *p, mgl_error *err)
{
    MGL_TRY(report(p, p->cuts.bytes_done, err));
    hash_block(p, &p->cuts);
    MGL_TRY(code_tiles(p, err));
    p->n_rows += p->cuts.n_records - p->header;
    p->header = 0;
    return give_rows(p, p->sink != NULL ? p->sink->rows : 0, err);
}

/* Several threads: one hashes, some code blocks, some cut the next ones. */
static void run_item(void *context, size_t item, unsigned worker)
{
    (void)worker;
    pass *p = context;
    size_t hashes = p->hashes;
    if (item < hashes)
        for (size_t b = 0; b < p->n_blocks; b++)
            hash_block(p, &p->blocks[b].cuts);
    else if (item - hashes < p->n_blocks)
        mgl_block_coding_try(&p->coding, item - hashes);
    else
        mgl_text_wave_cut(p->wave, item - hashes - p->n_blocks);
}

static void learn_column(void *context, size_t column, unsigned worker)
{
    (void)worker;
    mgl_block_coding_learn(context, column);
}

/* Codes the current blocks and cuts the next ones. */
static mgl_status code_shared(pass *p, mgl_pool *pool, mgl_error *err)
{
    MGL_TRY(mgl_block_coding_begin(&p->coding, p->blocks, p->n_blocks, p->n_rows, err));
    size_t next = mgl_text_wave_plan(p->wave);
    mgl_pool_run(pool, p->hashes + p->n_blocks + next, run_item, p);
    if (mgl_block_coding_lacks(&p->coding))
        mgl_pool_run(pool, p->n_coders, learn_column, &p->coding);
    MGL_TRY(mgl_block_coding_end(&p->coding, err, &p->n_rows));
    MGL_TRY(give_rows(p, p->sink != NULL ? p->sink->rows : 0, err));
    return mgl_text_wave_settle(p->wave, err, &p->blocks, &p->n_blocks);
}

static mgl_status run_shared(pass *p, mgl_pool *pool, mgl_error *err)
{
    mgl_text_reader_block(p->reader, SHARED_BLOCK);
    MGL_TRY(mgl_text_wave_new(p->reader, mgl_pool_threads(pool), false, err, &p->wave));
    MGL_TRY(mgl_block_coding_init(&p->coding, p->coders, p->n_coders, err));
    do {
        MGL_TRY(code_shared(p, pool, err));
        if (p->n_blocks > 0)
            MGL_TRY(report(p, p->blocks[p->n_blocks - 1].cuts.bytes_done, err));
    } while (p->n_blocks > 0);
    return MGL_OK;
}

static mgl_status run_alone(pass *p, mgl_error *err)
{
    while (p->cuts.n_records > 0) {
        MGL_TRY(mgl_text_cut(p->reader, err, &p->cuts));
        MGL_TRY(code_block(p, err));
    }
    return MGL_OK;
}

static mgl_status run_pass(pass *p, bool header, mgl_pool *pool, mgl_error *err)
{
    bool shared = mgl_pool_threads(pool) > 1 && p->size > WORTH_SHARING;
    MGL_TRY(mgl_text_cut(p->reader, err, &p->cuts));
    MGL_TRY(expect_rows(p, shared ? WORTH_SHARING : 0, err));
    p->header = header && p->cuts.n_records > 0 ? 1 : 0;
    MGL_TRY(code_block(p, err));
    MGL_TRY(shared ? run_shared(p, pool, err) : run_alone(p, err));
    MGL_TRY(give_rows(p, 1, err));
    for (size_t i = 0; i < p->n_coders; i++)
        mgl_coder_finish(p->coders[i]);
    return mgl_progress_report(p->progress, "read", p->size, p->size, err);
}

static mgl_status set_up_pass(pass *p, const mgl_source *source, mgl_table *table, mgl_error *err)
{
    p->size = mgl_text_size(source->text);
    MGL_TRY(mgl_new_zeroed(table->n_columns, sizeof(mgl_coder *), err, &p->coders));
    for (; p->n_coders < table->n_columns; p->n_coders++) {
        mgl_coder *coder = mgl_coder_new(&table->columns[p->n_coders], source->options);
        MGL_TRY(mgl_check_memory(coder != NULL, err));
        p->coders[p->n_coders] = coder;
        MGL_TRY(mgl_progress_poll(p->n_coders, err));
    }
    return mgl_text_reader_new(source->text, &source->dialect, err, &p->reader);
}

static mgl_status csv_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                           const mgl_progress *progress, mgl_error *err)
{
    pass p = {.progress = progress,
              .table = table,
              .sink = source->sink,
              .hashes =
                  source->hashes && source->sha256[0] == '\0' && mgl_text_is_plain(source->text)};
    mgl_sha256_begin(&p.hash);
    if (source->dialect.byte_order_mark)
        mgl_sha256_add(&p.hash, "\xEF\xBB\xBF", 3);
    mgl_status status = MGL_OK;
    MGL_GO(set_up_pass(&p, source, table, err));
    MGL_GO(run_pass(&p, source->dialect.header, pool, err));
    table->n_rows = p.n_rows;
    if (p.hashes)
        mgl_sha256_end(&p.hash, source->sha256);
done:
    for (size_t i = 0; i < p.n_coders; i++)
        mgl_coder_free(p.coders[i]);
    mgl_free(p.coders);
    mgl_block_coding_free(&p.coding);
    mgl_text_wave_free(p.wave);
    mgl_text_reader_free(p.reader);
    return status;
}

/* ---- Second pass: records ------------------------------------------------------ */

static mgl_status csv_rewind(mgl_source *source, mgl_error *err)
{
    return open_reader(source, err);
}

static mgl_status csv_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    csv *state = source->state;
    mgl_records records;
    MGL_TRY(mgl_text_next(state->reader, err, &records));
    if (state->at_start && source->dialect.header && records.n_records > 0) {
        records.first_line = mgl_text_line(state->reader, 1);
        records.fields += records.n_fields;
        records.n_records--;
        /* The first block may hold nothing but the header. */
        if (records.n_records == 0)
            MGL_TRY(mgl_text_next(state->reader, err, &records));
    }
    state->at_start = false;
    *out = records;
    return MGL_OK;
}

/* The first block has the header, and is there before any other is cut. */
static mgl_status csv_share(mgl_source *source, unsigned threads, mgl_error *err)
{
    csv *state = source->state;
    state->first = (mgl_wave_block){0};
    MGL_TRY(csv_next(source, err, &state->first.records));
    state->has_first = true;
    mgl_text_reader_block(state->reader, RECORDS_BLOCK);
    return mgl_text_wave_new(state->reader, threads, true, err, &state->wave);
}

static size_t csv_plan(mgl_source *source)
{
    csv *state = source->state;
    return state->has_first ? 0 : mgl_text_wave_plan(state->wave);
}

static void csv_cut(mgl_source *source, size_t block)
{
    mgl_text_wave_cut(((csv *)source->state)->wave, block);
}

static mgl_status csv_settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                             size_t *n)
{
    csv *state = source->state;
    if (!state->has_first)
        return mgl_text_wave_settle(state->wave, err, blocks, n);
    state->has_first = false;
    *blocks = &state->first;
    *n = state->first.records.n_records > 0;
    return MGL_OK;
}

static mgl_status csv_line(mgl_source *source, size_t row, mgl_error *err, uint64_t *out)
{
    csv *state = source->state;
    mgl_records records;
    size_t before = source->dialect.header; /* rows before the block, as records */
    MGL_TRY(open_reader(source, err));
    for (row += before, before = 0;; before += records.n_records) {
        MGL_TRY(mgl_text_next(state->reader, err, &records));
        if (records.n_records == 0 || row < before + records.n_records)
            break;
    }
    *out = records.n_records > 0 ? mgl_text_line(state->reader, row - before) : 0;
    return MGL_OK;
}

static const mgl_source_operations operations = {
    .open = csv_open,
    .close = csv_close,
    .read = csv_read,
    .rewind = csv_rewind,
    .next = csv_next,
    .share = csv_share,
    .plan = csv_plan,
    .cut = csv_cut,
    .settle = csv_settle,
    .line = csv_line,
    .streams = true,
    .lasts = true,
};

const mgl_format mgl_csv_format = {
    .name = "csv",
    .help = "delimited text: a header, then one row per line; - is standard input or output",
    .endings = ".csv .tsv .txt .csv.gz .tsv.gz .txt.gz .csv.zst .tsv.zst .txt.zst",
    .source = &operations,
    .text = true,
    .in_memory = true,
};
