/* Blocks that are cut side by side against the reader that cuts one after the other, on random
 * text, sound or not, and codes of such blocks. */
#include "test_text_files.h"

#include "io/intake/intake.h"
#include "text/text.h"

enum { MOST_TEXT = 60000, MOST_ROWS = 4000 };

static uint64_t state = 1;

static uint64_t draw(uint64_t n)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (state >> 33) % n;
}

/* ---- Random text ------------------------------------------------------------------------------
 */

static void put(mgl_buffer *text, const char *bytes)
{
    mgl_buffer_append(text, bytes, strlen(bytes));
}

/* Long cells are longer than blocks, and longer than what is looked back. */
static void put_cell(mgl_buffer *text, bool wild)
{
    static const char *const cells[] = {
        "", "a", "bb", "some text", "7", "x", "\xC3\xA9t\xC3\xA9", "12.50", "-", "same"};
    static const char *const wilds[] = {"\"q\"", "\"two\nlines\"", "\"a,b\"", "\"say \"\"hi\"\"\"",
                                        "\"\n\n\n\""};
    if (!wild || draw(4) > 0) {
        put(text, cells[draw(10)]);
        return;
    }
    put(text, wilds[draw(5)]);
    if (draw(40) == 0)
        return;
    if (text->data[text->size - 1] != '"')
        return;
    if (draw(200) == 0) { /* a long one */
        text->size--;
        for (size_t i = draw(9000); i > 0; i--)
            put(text, draw(50) == 0 ? "\n" : "z");
        put(text, "\"");
    }
}

static void make_text(mgl_buffer *text, bool wild, bool broken)
{
    size_t columns = 1 + draw(5), rows = 1 + draw(MOST_ROWS);
    bool crlf = draw(3) == 0;
    text->size = 0;
    for (size_t r = 0; r < rows && text->size < MOST_TEXT; r++) {
        for (size_t c = 0; c < columns; c++) {
            if (c > 0)
                put(text, ",");
            put_cell(text, wild && draw(3) == 0);
        }
        if (broken && draw(rows) == 0)
            put(text, draw(2) == 0 ? ",more" : "\"");
        put(text, crlf ? "\r\n" : "\n");
    }
    if (draw(3) == 0)
        text->size--;
    else if (draw(3) == 0)
        put(text, "\n\n\n");
}

/* ---- What a reader hands out -------------------------------------------------------------------
 */

typedef struct taken {
    mgl_buffer cells; /* each with its end */
    mgl_buffer fresh;
    size_t n_records;
    mgl_status status;
    mgl_error error;
} taken;

static void take(taken *r, const mgl_cuts *cuts)
{
    for (size_t i = 0; i < cuts->n_records; i++)
        for (size_t c = 0; c < cuts->n_fields; c++) {
            mgl_span cell = mgl_cuts_field(cuts, i, c);
            mgl_buffer_append(&r->cells, cell.data, cell.size);
            mgl_buffer_append(&r->cells, "\x1f", 1);
        }
    mgl_buffer_append(&r->fresh, cuts->fresh.data, cuts->fresh.size);
    r->n_records += cuts->n_records;
}

static void take_records(const taken *r, const mgl_records *records, size_t *at)
{
    for (size_t i = 0; i < records->n_records * records->n_fields; i++) {
        const mgl_field *field = &records->fields[i];
        assert_true(*at + field->size < r->cells.size);
        assert_memory_equal(r->cells.data + *at, field->data, field->size);
        *at += field->size + 1;
    }
}

static mgl_text_reader *open_reader(mgl_text_file **file)
{
    mgl_dialect dialect = {.delimiter = ','};
    mgl_text_reader *reader;
    assert_int_equal(mgl_text_open(test_path(), NULL, NULL, file), MGL_OK);
    assert_int_equal(mgl_text_reader_new(*file, &dialect, NULL, &reader), MGL_OK);
    return reader;
}

static void read_plain(taken *r)
{
    mgl_text_file *file;
    mgl_text_reader *reader = open_reader(&file);
    mgl_cuts cuts = {.n_records = 1};
    while (r->status == MGL_OK && cuts.n_records > 0) {
        r->status = mgl_text_cut(reader, &r->error, &cuts);
        if (r->status == MGL_OK)
            take(r, &cuts);
    }
    mgl_text_reader_free(reader);
    mgl_text_close(file);
}

static void read_waves(taken *r, size_t block, unsigned threads)
{
    mgl_text_file *file;
    mgl_text_reader *reader = open_reader(&file);
    mgl_text_wave *wave;
    mgl_cuts cuts;
    size_t n = 1, at;
    mgl_text_reader_block(reader, block);
    r->status = mgl_text_cut(reader, &r->error, &cuts);
    if (r->status == MGL_OK)
        take(r, &cuts);
    at = r->cells.size;
    assert_int_equal(mgl_text_wave_new(reader, threads, true, NULL, &wave), MGL_OK);
    while (r->status == MGL_OK && n > 0) {
        const mgl_wave_block *blocks;
        size_t planned = mgl_text_wave_plan(wave);
        for (size_t b = planned; b-- > 0;) /* in any order */
            mgl_text_wave_cut(wave, b);
        r->status = mgl_text_wave_settle(wave, &r->error, &blocks, &n);
        for (size_t b = 0; r->status == MGL_OK && b < n; b++) {
            take(r, &blocks[b].cuts);
            take_records(r, &blocks[b].records, &at);
        }
    }
    mgl_text_wave_free(wave);
    mgl_text_reader_free(reader);
    mgl_text_close(file);
}

static void free_read(taken *r)
{
    mgl_buffer_free(&r->cells);
    mgl_buffer_free(&r->fresh);
}

static void compare(const mgl_buffer *text, size_t block, unsigned threads)
{
    taken plain = {0}, waves = {0};
    test_file(text->data, text->size);
    read_plain(&plain);
    read_waves(&waves, block, threads);
    assert_int_equal(waves.status, plain.status);
    if (plain.status != MGL_OK) {
        assert_string_equal(waves.error.message, plain.error.message);
    } else {
        assert_int_equal(waves.n_records, plain.n_records);
        assert_int_equal(waves.cells.size, plain.cells.size);
        assert_memory_equal(waves.cells.data, plain.cells.data, plain.cells.size);
        assert_int_equal(waves.fresh.size, text->size);
        assert_memory_equal(waves.fresh.data, text->data, text->size);
    }
    free_read(&plain);
    free_read(&waves);
}

static void compare_many(bool wild, bool broken)
{
    static const size_t blocks[] = {64, 200, 1000, 5000};
    mgl_buffer text = {0};
    for (int i = 0; i < 60; i++) {
        make_text(&text, wild, broken);
        if (text.size > 0)
            compare(&text, blocks[draw(4)], 1 + (unsigned)draw(20));
    }
    mgl_buffer_free(&text);
    unlink(test_path());
}

static void waves_cut_plain_text_as_the_reader_does(void **unused)
{
    (void)unused;
    compare_many(false, false);
}

static void waves_cut_quoted_line_feeds_as_the_reader_does(void **unused)
{
    (void)unused;
    compare_many(true, false);
}

static void waves_refuse_what_the_reader_refuses_with_the_same_words(void **unused)
{
    (void)unused;
    compare_many(true, true);
}

/* ---- Codes ------------------------------------------------------------------------------------
 */

/* One column per kind: few values, many, and more than a byte can number, late. */
static void make_cells(mgl_buffer *text, size_t rows)
{
    char line[96];
    text->size = 0;
    for (size_t r = 0; r < rows; r++) {
        snprintf(line, sizeof line, "%u,%u,%u\n", (unsigned)draw(5), (unsigned)draw(100000),
                 (unsigned)draw(r > rows / 2 ? 400 : 20));
        put(text, line);
    }
}

enum { COLUMNS = 3 };

static mgl_table *code_blocks(size_t block, bool shared)
{
    mgl_text_file *file;
    mgl_text_reader *reader = open_reader(&file);
    mgl_source_options options = {0};
    mgl_table *table = mgl_table_new(COLUMNS);
    mgl_coder *coders[COLUMNS];
    mgl_block_coding coding;
    mgl_text_wave *wave;
    mgl_cuts cuts;
    for (size_t c = 0; c < COLUMNS; c++) {
        table->columns[c].source_index = (uint32_t)c;
        coders[c] = mgl_coder_new(&table->columns[c], &options);
    }
    mgl_text_reader_block(reader, block);
    assert_int_equal(mgl_text_cut(reader, NULL, &cuts), MGL_OK);
    table->n_rows = cuts.n_records;
    for (size_t c = 0; c < COLUMNS; c++)
        assert_true(mgl_coder_run(coders[c], &cuts, 0, cuts.n_records));
    assert_int_equal(mgl_text_wave_new(reader, 4, false, NULL, &wave), MGL_OK);
    assert_int_equal(mgl_block_coding_init(&coding, coders, COLUMNS, NULL), MGL_OK);
    for (size_t n = 1; n > 0;) {
        const mgl_wave_block *blocks;
        for (size_t b = mgl_text_wave_plan(wave); b-- > 0;)
            mgl_text_wave_cut(wave, b);
        assert_int_equal(mgl_text_wave_settle(wave, NULL, &blocks, &n), MGL_OK);
        if (!shared) {
            for (size_t b = 0; b < n; table->n_rows += blocks[b++].cuts.n_records)
                for (size_t c = 0; c < COLUMNS; c++)
                    assert_true(
                        mgl_coder_run(coders[c], &blocks[b].cuts, 0, blocks[b].cuts.n_records));
            continue;
        }
        assert_int_equal(mgl_block_coding_begin(&coding, blocks, n, table->n_rows, NULL), MGL_OK);
        for (size_t b = n; b-- > 0;)
            mgl_block_coding_try(&coding, b);
        for (size_t c = COLUMNS; c-- > 0 && mgl_block_coding_lacks(&coding);)
            mgl_block_coding_learn(&coding, c);
        assert_int_equal(mgl_block_coding_end(&coding, NULL, &table->n_rows), MGL_OK);
    }
    for (size_t c = 0; c < COLUMNS; c++)
        mgl_coder_free(coders[c]);
    mgl_block_coding_free(&coding);
    mgl_text_wave_free(wave);
    mgl_text_reader_free(reader);
    mgl_text_close(file);
    return table;
}

static void blocks_side_by_side_get_the_codes_of_one_after_the_other(void **unused)
{
    (void)unused;
    mgl_buffer text = {0};
    for (int i = 0; i < 12; i++) {
        make_cells(&text, 200 + draw(20000));
        test_file(text.data, text.size);
        size_t block = 2000 + draw(30000);
        mgl_table *plain = code_blocks(block, false), *shared = code_blocks(block, true);
        assert_int_equal(shared->n_rows, plain->n_rows);
        for (size_t c = 0; c < COLUMNS; c++) {
            assert_int_equal(shared->columns[c].width, plain->columns[c].width);
            assert_int_equal(mgl_dictionary_size(shared->columns[c].dictionary),
                             mgl_dictionary_size(plain->columns[c].dictionary));
            for (size_t r = 0; r < plain->n_rows; r++)
                assert_int_equal(mgl_column_code(&shared->columns[c], r),
                                 mgl_column_code(&plain->columns[c], r));
        }
        mgl_table_free(plain);
        mgl_table_free(shared);
    }
    mgl_buffer_free(&text);
    unlink(test_path());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waves_cut_plain_text_as_the_reader_does),
        cmocka_unit_test(waves_cut_quoted_line_feeds_as_the_reader_does),
        cmocka_unit_test(waves_refuse_what_the_reader_refuses_with_the_same_words),
        cmocka_unit_test(blocks_side_by_side_get_the_codes_of_one_after_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
