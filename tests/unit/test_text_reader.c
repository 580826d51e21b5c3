/* The reader against a plain one written here, and each refusal. */
#include "test_text_files.h"

#include "text/text.h"

/* ---- A plain reader: one byte at a time -------------------------------------- */

typedef enum fault { NONE, RAGGED, STRAY, AFTER, UNCLOSED, NUL_BYTE, LONE_CR, UTF8 } fault;
static const char *const fault_words[] = {
    [RAGGED] = "field",        [STRAY] = "inside an unquoted field; quote",
    [AFTER] = "closing quote", [UNCLOSED] = "never closed",
    [NUL_BYTE] = "NUL",        [LONE_CR] = "carriage return",
    [UTF8] = "UTF-8",
};

enum { MOST_FIELDS = 4096 };

typedef struct table {
    struct {
        size_t start, end;
        uint64_t line; /* of its record */
    } fields[MOST_FIELDS];
    size_t n_fields, n_records, total;
    fault fault;
    uint64_t line;
} table;

static bool blank_from_here(const char *s, size_t size, size_t from)
{
    for (size_t i = from; i < size; i++)
        if (s[i] != '\n' && !(s[i] == '\r' && i + 1 < size && s[i + 1] == '\n'))
            return false;
    return true;
}

static void plain_read(const char *s, size_t size, char delimiter, table *t)
{
    enum { START, UNQUOTED, QUOTED, CLOSED } where = START;
    size_t invalid = mgl_utf8_valid(s, size), start = 0, in_record = 0;
    uint64_t line = 1, record_line = 1, opened = 1;
    t->n_fields = t->n_records = t->total = 0;
    t->fault = NONE;
    for (size_t i = 0; i <= size; i++) {
        bool end = i == size;
        char c = end ? '\n' : s[i];
        if (end && where == START && in_record == 0 && start == i)
            return; /* the last line was ended */
        t->line = line;
        if (!end && c == 0) {
            t->fault = NUL_BYTE;
            return;
        }
        if (!end && i >= invalid) {
            t->fault = UTF8;
            return;
        }
        if (where == QUOTED) {
            if (end) {
                t->fault = UNCLOSED;
                t->line = opened;
                return;
            }
            if (c == '"')
                where = CLOSED;
            line += c == '\n';
            continue;
        }
        bool cr_lf = c == '\r' && (i + 1 >= size || s[i + 1] == '\n');
        if (c == '"') {
            if (where == START) {
                where = QUOTED;
                opened = line;
            } else if (where == CLOSED) {
                where = QUOTED; /* doubled */
            } else {
                t->fault = STRAY;
                return;
            }
        } else if (c == delimiter || c == '\n' || cr_lf) {
            t->fields[t->total].start = start;
            t->fields[t->total].end = i;
            t->fields[t->total].line = record_line;
            t->total++;
            in_record++;
            where = START;
            if (c == delimiter) {
                start = i + 1;
                continue;
            }
            if (cr_lf)
                i++;
            start = i + 1;
            if (t->n_records > 0 && t->n_fields > 1 && in_record == 1 &&
                blank_from_here(s, size, t->fields[t->total - 1].start)) {
                t->total--;
                return; /* blank lines at the end are no records */
            }
            if (t->n_records > 0 && in_record != t->n_fields) {
                t->fault = RAGGED;
                t->line = record_line;
                return;
            }
            t->n_fields = in_record;
            t->n_records++;
            in_record = 0;
            record_line = ++line;
        } else if (where == CLOSED) {
            t->fault = AFTER;
            return;
        } else if (c == '\r') {
            t->fault = LONE_CR;
            return;
        } else {
            where = UNQUOTED;
        }
    }
}

/* ---- Comparison ---------------------------------------------------------------- */

static void compare(const char *data, size_t size, char delimiter, size_t block)
{
    static table wanted;
    plain_read(data, size, delimiter, &wanted);
    mgl_error err = {0};
    mgl_text_file *file;
    mgl_text_reader *reader;
    mgl_dialect dialect = {.delimiter = delimiter};
    assert_int_equal(mgl_text_open(test_file(data, size), NULL, &err, &file), MGL_OK);
    assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
    mgl_text_reader_block(reader, block);
    size_t n = 0, n_records = 0;
    mgl_status status;
    mgl_records records;
    while ((status = mgl_text_next(reader, &err, &records)) == MGL_OK && records.n_records > 0) {
        assert_int_equal(records.n_fields, wanted.n_fields);
        assert_int_equal(records.first_line, mgl_text_line(reader, 0));
        for (size_t r = 0; r < records.n_records; r++, n_records++)
            for (size_t c = 0; c < records.n_fields; c++, n++) {
                mgl_field field = records.fields[r * records.n_fields + c];
                size_t start = wanted.fields[n].start, end = wanted.fields[n].end;
                assert_true(n < wanted.total);
                assert_int_equal(field.size, end - start);
                assert_memory_equal(field.data, data + start, end - start);
                assert_int_equal(field.quoted, end > start && data[start] == '"');
                assert_int_equal(mgl_text_line(reader, r), wanted.fields[n].line);
            }
    }
    if (wanted.fault == NONE) {
        assert_int_equal(status, MGL_OK);
        assert_int_equal(n_records, wanted.n_records);
        assert_int_equal(records.bytes_done, size);
    } else {
        assert_int_equal(status, MGL_DATA);
        assert_message(err.message, wanted.line, fault_words[wanted.fault]);
    }
    mgl_text_reader_free(reader);
    mgl_text_close(file);
}

static const char *const pieces[] = {"a",
                                     "bc",
                                     ",",
                                     ",",
                                     ",",
                                     "\n",
                                     "\n",
                                     "\r\n",
                                     "\"",
                                     "\"",
                                     "\"\"",
                                     "\xc3\xa9",
                                     ";",
                                     " ",
                                     "\xe2\x82\xac",
                                     "0-4",
                                     "abcdefghijklmnopqrstuvwxyz"};

static void random_bytes_are_read_alike(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int round = 0; round < 12000; round++) {
        char data[512];
        size_t size = 0, n = test_random(&seed) % 24;
        for (size_t i = 0; i < n; i++) {
            uint64_t r = test_random(&seed);
            const char *piece = pieces[r % (sizeof pieces / sizeof *pieces)];
            size_t length = strlen(piece);
            if ((r >> 20) % 80 == 0)
                piece = &"\r\0\xff\x80"[(r >> 30) % 4], length = 1;
            memcpy(data + size, piece, length);
            size += length;
        }
        compare(data, size, ',', 1 + test_random(&seed) % 90);
    }
}

static const char long_cell[] =
    "\"this one is rather longer than 64 bytes, with a comma and, yes, another one\"";

/* A right table, then perhaps one wrong byte. */
static size_t random_table(char *data, uint64_t *seed)
{
    size_t size = 0, columns = 1 + test_random(seed) % 4, rows = 1 + test_random(seed) % 12;
    bool crlf = test_random(seed) % 2, quotes = test_random(seed) % 2;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++) {
            static const char *const plain[] = {"", "Male", "39", "Never-married", "caf\xc3\xa9"};
            static const char *const quoted[] = {
                "\"\"",     "\"a,b\"", "\"two\nlines\"", "\"say \"\"yes\"\"\"",
                "\"\"\"\"", "\"\r\"",  long_cell};
            uint64_t r2 = test_random(seed);
            const char *cell = quotes && r2 % 3 == 0 ? quoted[(r2 >> 8) % 7] : plain[(r2 >> 8) % 5];
            memcpy(data + size, cell, strlen(cell));
            size += strlen(cell);
            if (c + 1 < columns)
                data[size++] = ',';
            else if (crlf)
                data[size++] = '\r', data[size++] = '\n';
            else
                data[size++] = '\n';
        }
    if (test_random(seed) % 3 == 0)
        size -= crlf ? 2 : 1; /* the last line is not ended */
    return size;
}

static void random_tables_are_read_alike(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 12000; round++) {
        char data[8192];
        size_t size = random_table(data, &seed);
        if (size > 0 && test_random(&seed) % 2 == 0)
            data[test_random(&seed) % size] = "x,\"\n\r\0\xff;"[test_random(&seed) % 8];
        compare(data, size, ',', 1 + test_random(&seed) % 200);
    }
}

/* What is carried from one 64 bytes to the next: each case at every place. */
static void the_seams_of_64_bytes_do_not_show(void **state)
{
    (void)state;
    static const char *const cases[] = {"\"q\"x",       "\"q\"",    "\"q\"\"r\"", "x\"",
                                        "\"\"\"",       "\"a\nb\"", "y\r",        "\"q\"\r",
                                        "\xe2\x82\xac", "\xe2\x82"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int before = 0; before < 140; before++)
            for (int after = 0; after < 2; after++) {
                char data[512];
                int size = snprintf(data, sizeof data, "a,b,c\n%0*d,%s%s%0*d\n1,2,3\n", before, 0,
                                    cases[i], after ? "," : "\n", 150, 1);
                compare(data, (size_t)size, ',', 4096);
            }
}

/* ---- Refusals by name ------------------------------------------------------------ */

static void refuse(const char *data, size_t size, uint64_t line, const char *words)
{
    mgl_error err = {0};
    mgl_text_file *file;
    mgl_text_reader *reader;
    mgl_records records;
    mgl_dialect dialect = {.delimiter = ','};
    for (size_t block = 1; block < 100; block += 13) {
        assert_int_equal(mgl_text_open(test_file(data, size), NULL, &err, &file), MGL_OK);
        assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
        mgl_text_reader_block(reader, block);
        mgl_status status;
        do
            status = mgl_text_next(reader, &err, &records);
        while (status == MGL_OK && records.n_records > 0);
        assert_int_equal(status, MGL_DATA);
        assert_message(err.message, line, words);
        mgl_text_reader_free(reader);
        mgl_text_close(file);
    }
}

static void faults_are_refused_with_their_line(void **state)
{
    (void)state;
#define REFUSE(text, line, words) refuse(text, sizeof(text) - 1, line, words)
    REFUSE("a,b\n1,2\n3\n4,5\n", 3, "1 field where line 1 has 2");
    REFUSE("a,b\n1,2,3\n", 2, "3 fields where line 1 has 2");
    REFUSE("a,b\n1,2\n\n3,4\n", 3, "this line is empty");
    REFUSE("a,b\n1,2\n\n \n", 3, "this line is empty");
    REFUSE("a,b\n\"1\n2\n3\",x\n4\n", 5, "1 field");
    REFUSE("a,b\n1,5\" disk\n", 2, "inside an unquoted field");
    REFUSE("a,b\n1,2\n\"x\"y,2\n", 3, "follows the closing quote");
    REFUSE("a,b\n1,\"2\n3,4\n5,6", 2, "never closed");
    REFUSE("a,b\n1,\0\n", 2, "NUL");
    REFUSE("a,b\n1,2\n1,\xe9t\xe9\n", 3, "0xe9 is not valid UTF-8");
    REFUSE("a,b\r1,2\r3,4\r", 1, "old Mac");
    REFUSE("a,b\n1\r,2\n", 2, "carriage return");
#undef REFUSE
}

/* A stray quote must be told at once, not after the rest of the file was swallowed. */
static void stray_quote_does_not_swallow_the_file(void **state)
{
    (void)state;
    size_t rows = 50000, size = 0;
    char *data = malloc(rows * 16 + 64);
    assert_non_null(data);
    size += (size_t)sprintf(data, "a,b\n1,5\" disk\n");
    for (size_t i = 0; i < rows; i++)
        size += (size_t)sprintf(data + size, "%zu,x\n", i);
    refuse(data, size, 2, "inside an unquoted field");
    free(data);
}

static void a_record_longer_than_a_block_is_read(void **state)
{
    (void)state;
    size_t size = 100000;
    char *data = malloc(size + 16);
    assert_non_null(data);
    memset(data, 'x', size);
    memcpy(data, "a,\"\n\n", 5);
    memcpy(data + size, "\"\n1,2\n", 7);
    mgl_error err;
    mgl_text_file *file;
    mgl_text_reader *reader;
    mgl_records records;
    mgl_dialect dialect = {.delimiter = ','};
    assert_int_equal(mgl_text_open(test_file(data, size + 6), NULL, &err, &file), MGL_OK);
    assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
    mgl_text_reader_block(reader, 100);
    assert_int_equal(mgl_text_next(reader, &err, &records), MGL_OK);
    assert_int_equal(records.n_fields, 2);
    assert_int_equal(records.fields[1].size, size - 1);
    while (records.n_records > 0 && mgl_text_line(reader, records.n_records - 1) < 4)
        assert_int_equal(mgl_text_next(reader, &err, &records), MGL_OK);
    assert_int_equal(mgl_text_line(reader, records.n_records - 1), 4);
    mgl_text_reader_free(reader);
    mgl_text_close(file);
    free(data);
}

static void quotes_are_removed(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"\"\"", ""},       {"\"a\"", "a"},           {"\"a\"\"b\"", "a\"b"},
        {"\"\"\"\"", "\""}, {"\"\"\"\"\"\"", "\"\""}, {"\"x,y\nz\"", "x,y\nz"},
    };
    mgl_buffer scratch = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mgl_field field = {cases[i][0], (uint32_t)strlen(cases[i][0]), true};
        assert_true(mgl_span_is(mgl_field_value(field, &scratch), cases[i][1]));
    }
    assert_true(mgl_span_is(mgl_field_value((mgl_field){"ab", 2, false}, &scratch), "ab"));
    mgl_buffer_free(&scratch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_bytes_are_read_alike),
        cmocka_unit_test(random_tables_are_read_alike),
        cmocka_unit_test(the_seams_of_64_bytes_do_not_show),
        cmocka_unit_test(faults_are_refused_with_their_line),
        cmocka_unit_test(stray_quote_does_not_swallow_the_file),
        cmocka_unit_test(a_record_longer_than_a_block_is_read),
        cmocka_unit_test(quotes_are_removed),
    };
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
