/* Files of mu-Argus: random metadata, data, recodings and code lists are read or refused, and
 * every fault is an error. */
#include "test_text_files.h"

#include "base/fault.h"
#include "hierarchy/hierarchy.h"
#include "io/io.h"

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

static const char *path_of(const char *ending)
{
    static char paths[4][200];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%.150s%s", test_path(), ending);
    return path;
}

static void write_text(const char *path, const char *text, size_t size)
{
    unlink(path); /* a file that is truncated is written to the disk when it is closed */
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

static void write_all(const char *meta, const char *data, const char *list)
{
    write_text(path_of(".rda"), meta, strlen(meta));
    write_text(path_of(".asc"), data, strlen(data));
    write_text(path_of(".cdl"), list, strlen(list));
}

static int remove_all(void **state)
{
    unlink(path_of(".rda"));
    unlink(path_of(".asc"));
    unlink(path_of(".cdl"));
    unlink(path_of(".grc"));
    return test_remove(state);
}

static mgl_status collect(void *context, const mgl_records *records, mgl_error *err)
{
    mgl_buffer *out = context;
    for (size_t f = 0; f < records->n_records * records->n_fields; f++) {
        mgl_buffer_append(out, records->fields[f].data, records->fields[f].size);
        mgl_buffer_text(out, (f + 1) % records->n_fields == 0 ? "\n" : "|");
    }
    return out->failed ? mgl_fail_memory(err) : MGL_OK;
}

/* Reads everything once: the first column counted, then all columns as records. */
static mgl_status use(mgl_buffer *rows, mgl_error *err)
{
    mgl_source *source;
    mgl_table *table = NULL;
    mgl_column_request request = {0, MGL_ROLE_QUASI};
    MGL_TRY(mgl_source_open(path_of(".rda"), &usual, err, &source));
    mgl_status status = mgl_source_read(source, &request, 1, NULL, NULL, err, &table);
    if (status == MGL_OK)
        status = mgl_source_each(source, collect, rows, err);
    mgl_table_free(table);
    mgl_source_close(source);
    return status;
}

static const char meta[] = "code 2 2 99\n  <RECODABLE>\n <IdLevel> 5\n <SUPPRESSWEIGHT> 3\n"
                           "\"two words\" 5 3 \"N N\" x\n\t<NUMERIC>\n <DECIMALS> 1\n";
static const char data[] = "x 1 \"a\"\n 99 N N\r\n\n\xc3\xa9"
                           "10  \xc3\xbc \n 99   x";

static void characters_are_counted_not_bytes(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_buffer rows = {0};
    write_all(meta, data, "");
    assert_int_equal(use(&rows, &err), MGL_OK);
    mgl_buffer_append(&rows, "", 1);
    assert_string_equal(rows.data, "1|\"\"\"a\"\"\"\n|N N\n10|\xc3\xbc\n|x\n");
    mgl_buffer_free(&rows);
    mgl_source *source;
    assert_int_equal(mgl_source_open(path_of(".asc"), &usual, &err, &source), MGL_OK);
    const mgl_column_meta *found = mgl_source_meta(source, 0);
    assert_int_equal(found->n_options, 2);
    assert_string_equal(found->options[0].name, "identification");
    assert_string_equal(found->options[0].value, "3");
    assert_string_equal(found->options[1].name, "importance");
    assert_string_equal(found->options[1].value, "3");
    assert_int_equal(mgl_source_meta(source, 1)->n_missing, 2);
    assert_int_equal(mgl_source_meta(source, 1)->decimals, 1);
    mgl_source_close(source);
}

/* ---- Anything else ------------------------------------------------------------------------- */

static const char *pick(uint64_t *seed, const char *const *words, size_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return words[(*seed >> 33) % n];
}

static void write_random(const char *path, const char *begin, uint64_t *seed,
                         const char *const *words, size_t n)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, begin);
    for (int i = 0; i < 6; i++)
        mgl_buffer_text(&text, pick(seed, words, n));
    assert_false(text.failed);
    write_text(path, text.size > 0 ? text.data : "", text.size);
    mgl_buffer_free(&text);
}

static void random_files_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const metas[] = {"a ",
                                        "b ",
                                        "1 ",
                                        "2 ",
                                        "3 ",
                                        "\n",
                                        "\n",
                                        "\"x y\" ",
                                        "<IDLEVEL> ",
                                        "99",
                                        "<SEPARATOR> \";\"\n",
                                        "<CODELIST> ",
                                        "\"unclosed",
                                        "\r\n",
                                        "\xff",
                                        "0 ",
                                        "<",
                                        "\t",
                                        "c 4 1\n",
                                        "<RECODABLE>\n",
                                        "<WEIGHT>",
                                        "99999999999 "};
    static const char *const lines[] = {"1", "22", " ",    "\n",   "\n", "\r\n", "abc",
                                        ";", "\"", "\xc3", "\xa9", "",   "99",   "  x "};
    uint64_t seed = 11;
    size_t good = 0;
    for (int round = 0; round < 400; round++) {
        mgl_error err = {0};
        mgl_buffer rows = {0};
        write_random(path_of(".rda"), "first 1 1\n", &seed, metas, sizeof metas / sizeof metas[0]);
        write_random(path_of(".asc"), "1234567\n", &seed, lines, sizeof lines / sizeof lines[0]);
        mgl_status status = use(&rows, &err);
        mgl_buffer_free(&rows);
        good += status == MGL_OK;
        if (status != MGL_OK) {
            assert_int_equal(status, MGL_DATA);
            assert_true(err.message[0] != '\0');
        }
    }
    assert_true(good > 0);
}

static void random_recodings_are_read_or_refused(void **state)
{
    (void)state;
    static const char *const words[] = {"1",
                                        "2",
                                        ":",
                                        ": ",
                                        ",",
                                        "-",
                                        "\n",
                                        "\n",
                                        "30",
                                        "a",
                                        "*",
                                        "<MISSING> 9\n",
                                        "<CODELIST> none\n",
                                        "\r\n",
                                        " ",
                                        "4-7"};
    uint64_t seed = 5;
    size_t good = 0;
    for (int round = 0; round < 400; round++) {
        mgl_error err = {0};
        mgl_hierarchy *hierarchy;
        mgl_dictionary *dictionary = mgl_dictionary_new();
        static const char *const values[] = {"1", "2", "5", "30", "a", "x"};
        for (size_t i = 0; i < 6; i++)
            mgl_dictionary_add(dictionary, mgl_span_of(values[i]));
        write_random(path_of(".grc"), "", &seed, words, sizeof words / sizeof words[0]);
        mgl_status status =
            mgl_hierarchy_make(path_of(".grc"), "column", dictionary, &err, &hierarchy);
        if (status == MGL_OK) {
            assert_int_equal(hierarchy->height, 2);
            assert_int_equal(hierarchy->n_leaves, 6);
            mgl_hierarchy_free(hierarchy);
            good++;
        } else {
            assert_int_equal(status, MGL_DATA);
            assert_true(err.message[0] != '\0');
        }
        mgl_dictionary_free(dictionary);
    }
    assert_true(good > 0);
}

/* ---- Faults -------------------------------------------------------------------------------- */

#ifdef MGL_FAULTS
static mgl_status use_all(mgl_error *err)
{
    mgl_buffer rows = {0};
    mgl_hierarchy *hierarchy;
    mgl_status status = use(&rows, err);
    mgl_buffer_free(&rows);
    if (status != MGL_OK)
        return status;
    mgl_dictionary *dictionary = mgl_dictionary_new();
    if (dictionary == NULL || mgl_dictionary_add(dictionary, mgl_span_of("1")) == MGL_NOT_FOUND ||
        mgl_dictionary_add(dictionary, mgl_span_of("2")) == MGL_NOT_FOUND)
        status = mgl_fail_memory(err);
    if (status == MGL_OK)
        status = mgl_hierarchy_make(path_of(".grc"), "column", dictionary, err, &hierarchy);
    if (status == MGL_OK)
        mgl_hierarchy_free(hierarchy);
    mgl_dictionary_free(dictionary);
    return status;
}

static void every_fault_while_reading_is_an_error(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_MEMORY, MGL_FAULT_OPEN, MGL_FAULT_READ};
    char text[600];
    const char *list = strrchr(path_of(".cdl"), '/') + 1;
    snprintf(text, sizeof text, "%s <CODELIST> \"%.100s\"\n", meta, list);
    write_all(text, data, "1,one\n2,\"two\"\n");
    snprintf(text, sizeof text, "2: 1\n1: 2-\n<CODELIST> %.100s\n", list);
    write_text(path_of(".grc"), text, strlen(text));
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        uint64_t failures = 0;
        for (uint64_t number = 1;; number++) {
            mgl_error err = {0};
            mgl_fault_arm(kinds[k], number);
            mgl_status status = use_all(&err);
            bool reached = mgl_fault_count(kinds[k]) >= number;
            mgl_fault_arm(kinds[k], 0);
            if (!reached) {
                assert_int_equal(status, MGL_OK);
                break;
            }
            if (status != MGL_OK)
                assert_int_equal(status, MGL_SYSTEM);
            failures += status != MGL_OK;
        }
        assert_true(failures > 0);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_counted_not_bytes),
        cmocka_unit_test(random_files_are_read_or_refused),
        cmocka_unit_test(random_recodings_are_read_or_refused),
#ifdef MGL_FAULTS
        cmocka_unit_test(every_fault_while_reading_is_an_error),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, remove_all);
}
