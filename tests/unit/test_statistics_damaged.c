/* Damaged files of statistics packages: bytes of files that the library made are changed at random,
 * and whatever becomes of them is read or refused. MGL_TEST_SEED draws other changes, MGL_TEST_LONG
 * ten times as many. */
#include "test_text_files.h"

#include "io/io.h"

#ifdef MGL_READSTAT
#include <fcntl.h>
#include <readstat.h>

enum { ROWS = 6, MOST = 1 << 18, CHANGED = 250 };

static uint64_t state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

/* ---- A file of each kind -------------------------------------------------------------------- */

typedef readstat_error_t begin_fn(readstat_writer_t *writer, void *context, long n_rows);

typedef struct file_kind {
    const char *ending;
    begin_fn *begin;
    bool labels;
    int version; /* 0: the newest */
} file_kind;

static const file_kind kinds[] = {
    {".sav", readstat_begin_writing_sav, true, 0},
    {".sav", readstat_begin_writing_sav, true, 2},
    {".dta", readstat_begin_writing_dta, true, 0},
    {".dta", readstat_begin_writing_dta, true, 114},
    {".xpt", readstat_begin_writing_xport, false, 5},
    {".xpt", readstat_begin_writing_xport, false, 8},
    {".sas7bdat", readstat_begin_writing_sas7bdat, false, 0},
};

static ssize_t put(const void *data, size_t size, void *context)
{
    return write(*(int *)context, data, size);
}

static const char *path_of(const char *ending)
{
    static char path[200];
    snprintf(path, sizeof path, "%.150s%s", test_path(), ending);
    return path;
}

static void add_labels(readstat_writer_t *w, readstat_variable_t *code, readstat_variable_t *text,
                       bool spss)
{
    readstat_label_set_t *set =
        readstat_add_label_set(w, spss ? READSTAT_TYPE_DOUBLE : READSTAT_TYPE_INT32, "codes");
    for (int i = 1; i < 4; i++) {
        char label[20];
        snprintf(label, sizeof label, "label %d", i);
        if (spss)
            readstat_label_double_value(set, i, label);
        else
            readstat_label_int32_value(set, i, label);
    }
    readstat_variable_set_label_set(code, set);
    if (!spss)
        return;
    readstat_label_set_t *words = readstat_add_label_set(w, READSTAT_TYPE_STRING, "words");
    readstat_label_string_value(words, "a", "first");
    readstat_label_string_value(words, "b", "second");
    readstat_variable_set_label_set(text, words);
    (void)readstat_variable_add_missing_double_range(code, -9, -1);
    (void)readstat_variable_add_missing_double_value(code, 99);
}

/* The bytes of a file with a code that has labels, a text and a fraction. */
static size_t make(const file_kind *kind, char *bytes)
{
    const char *path = path_of(kind->ending);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    readstat_writer_t *w = readstat_writer_init();
    readstat_set_data_writer(w, put);
    if (kind->version > 0)
        readstat_writer_set_file_format_version(w, (uint8_t)kind->version);
    readstat_writer_set_file_label(w, "a file");
    bool stata = strcmp(kind->ending, ".dta") == 0;
    readstat_variable_t *code =
        readstat_add_variable(w, "code", stata ? READSTAT_TYPE_INT32 : READSTAT_TYPE_DOUBLE, 8);
    readstat_variable_t *text = readstat_add_variable(w, "text", READSTAT_TYPE_STRING, 12);
    readstat_variable_t *real = readstat_add_variable(w, "real", READSTAT_TYPE_DOUBLE, 8);
    readstat_variable_set_label(code, "a code");
    if (kind->labels)
        add_labels(w, code, text, !stata);
    assert_int_equal(kind->begin(w, &fd, ROWS), READSTAT_OK);
    for (int r = 0; r < ROWS; r++) {
        readstat_begin_row(w);
        if (stata)
            readstat_insert_int32_value(w, code, r % 4);
        else
            readstat_insert_double_value(w, code, r % 4);
        readstat_insert_string_value(w, text, r % 2 ? "a" : "longer text");
        readstat_insert_double_value(w, real, r / 3.0);
        assert_int_equal(readstat_end_row(w), READSTAT_OK);
    }
    assert_int_equal(readstat_end_writing(w), READSTAT_OK);
    readstat_writer_free(w);
    ssize_t size = pread(fd, bytes, MOST, 0);
    close(fd);
    assert_true(size > 0 && size < MOST);
    return (size_t)size;
}

/* ---- Changing and reading ------------------------------------------------------------------- */

static size_t change(char *bytes, size_t size)
{
    static const char special[] = {0, 1, -1, ' ', 127, -128};
    unsigned n = 1 + draw(6);
    /* Most of what matters stands at the beginning. */
    size_t reach = draw(2) ? size : size < 600 ? size : 600;
    for (unsigned i = 0; i < n; i++) {
        size_t at = draw((unsigned)reach);
        size_t length = draw(4) ? 1 : 1 + draw(12);
        for (size_t j = at; j < at + length && j < size; j++)
            bytes[j] = draw(2) ? special[draw(sizeof special)] : (char)draw(256);
    }
    return draw(10) ? size : 1 + draw((unsigned)size);
}

static void store(const char *path, const char *bytes, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_int_equal(write(fd, bytes, size), (ssize_t)size);
    close(fd);
}

static mgl_status ignore(void *context, const mgl_records *records, mgl_error *err)
{
    (void)context, (void)records, (void)err;
    return MGL_OK;
}

/* All that a job reads of a file. false: it is refused, with a message. */
static bool reads(const char *path)
{
    static const mgl_span tokens[] = {{"", 0}};
    static const mgl_source_options options = {
        .missing = tokens, .n_missing = 1, .may_be_empty = true};
    mgl_error err = {0};
    mgl_source *source;
    mgl_table *table = NULL;
    mgl_status status = mgl_source_open(path, &options, &err, &source);
    if (status == MGL_OK) {
        mgl_column_request request = {0, MGL_ROLE_QUASI};
        status = mgl_source_read(source, &request, 1, NULL, &(mgl_progress){0}, &err, &table);
        if (status == MGL_OK)
            status = mgl_source_each(source, ignore, NULL, &err);
        mgl_table_free(table);
        mgl_source_close(source);
    }
    assert_true(status == MGL_OK || err.message[0] != '\0');
    assert_int_not_equal(status, MGL_SYSTEM); /* what is damaged is not called a lack of memory */
    return status == MGL_OK;
}

static void damaged_files_are_read_or_refused(void **unused)
{
    (void)unused;
    static char bytes[MOST], changed[MOST];
    const char *seed = getenv("MGL_TEST_SEED");
    size_t n = getenv("MGL_TEST_LONG") != NULL ? 10 * CHANGED : CHANGED, refused = 0;
    state = seed != NULL ? strtoull(seed, NULL, 10) * 2654435761u + 1 : 1;
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        size_t size = make(&kinds[k], bytes);
        assert_true(reads(path_of(kinds[k].ending)));
        for (size_t i = 0; i < n; i++) {
            memcpy(changed, bytes, size);
            store(path_of(kinds[k].ending), changed, change(changed, size));
            refused += !reads(path_of(kinds[k].ending));
        }
        unlink(path_of(kinds[k].ending));
    }
    print_message("%zu of %zu damaged files were refused\n", refused,
                  n * sizeof kinds / sizeof kinds[0]);
    assert_true(refused > n / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damaged_files_are_read_or_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    puts("skipped: built without libreadstat");
    return 77;
}
#endif
