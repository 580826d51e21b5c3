/* Sniffing: which delimiter, which line ends. */
#include "test_text_files.h"

#include "text/text.h"

static mgl_status sniff(const char *text, size_t size, char delimiter, mgl_error *err,
                        mgl_dialect *out)
{
    mgl_text_file *file;
    assert_int_equal(mgl_text_open(test_file(text, size), NULL, err, &file), MGL_OK);
    mgl_status status = mgl_text_sniff(file, delimiter, true, err, out);
    mgl_text_close(file);
    return status;
}

static void delimiters_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        char delimiter;
    } cases[] = {
        {"a,b,c\n1,2,3\n4,5,6\n", ','},
        {"a;b;c\n1;2;3\n", ';'},
        {"a\tb\n1\t2\n", '\t'},
        {"a|b\n1|2\n", '|'},
        {"0-4;0-9;*\n5-9;0-9;*\n", ';'},                    /* ARX, no header */
        {"1;[0, 5[;[0, 10[;*\n7;[5, 10[;[0, 10[;*\n", ';'}, /* commas inside intervals */
        {"1,5;2,5\n3,5;4,5\n", ';'},                        /* decimal commas */
        {"a;b\n1,5;2\n3;4,5\n", ';'},
        {"\"x;y\",b\n\"p;q;r\",2\n", ','}, /* quotes are respected */
        {"\"x\ny\";b\n\"p,q\";2\n", ';'},  /* so are quoted newlines */
        {"\"x\ty\";\"p\tq\"\n", ';'},      /* quotes stand around fields */
        {"name, first,age\nSmith; John,J,3\nDoe,J,4\n", ','},
        {"a,b,c\n1,2,3\n4,5\n6,7,8\n", ','}, /* ragged, still by comma */
        {"a\n1\n2\n", ','},                  /* a single column */
        {"date,value\n2020-01-02,3\n2020-01-03,4\n", ','},
        {"a b c\n1 2 3\n", ','}, /* spaces do not count */
        {"a;b", ';'},
        {"a;b\r\n1;2\r\n", ';'},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mgl_error err;
        mgl_dialect dialect;
        assert_int_equal(sniff(cases[i].text, strlen(cases[i].text), 0, &err, &dialect), MGL_OK);
        if (dialect.delimiter != cases[i].delimiter)
            fail_msg("'%c' instead of '%c' in %s", dialect.delimiter, cases[i].delimiter,
                     cases[i].text);
    }
}

/* The first block ends within a record; that one does not count. */
static void a_long_file_is_judged_by_its_start(void **state)
{
    (void)state;
    size_t size = 0, rows = 40000;
    char *text = malloc(rows * 24);
    assert_non_null(text);
    for (size_t i = 0; i < rows; i++)
        size += (size_t)sprintf(text + size, "%zu;\"a;b\";[1, 2[\n", i);
    mgl_error err;
    mgl_dialect dialect;
    assert_int_equal(sniff(text, size, 0, &err, &dialect), MGL_OK);
    assert_int_equal(dialect.delimiter, ';');
    free(text);
}

static void line_ends_and_marks_are_seen(void **state)
{
    (void)state;
    mgl_error err;
    mgl_dialect d;
    assert_int_equal(sniff("a,b\r\n1,2", 8, 0, &err, &d), MGL_OK);
    assert_true(d.crlf && !d.final_newline && !d.byte_order_mark && d.header);
    assert_int_equal(sniff("\xef\xbb\xbf"
                           "a,b\n1,2\n",
                           11, 0, &err, &d),
                     MGL_OK);
    assert_true(!d.crlf && d.final_newline && d.byte_order_mark);
    assert_int_equal(sniff("\"a\r\nb\",c\n1,2\n", 13, 0, &err, &d), MGL_OK);
    assert_false(d.crlf); /* the CR LF is inside quotes */
    assert_int_equal(sniff("a;b,c\n", 6, ',', &err, &d), MGL_OK);
    assert_int_equal(d.delimiter, ',');
}

static void files_that_are_no_tables_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
        const char *words;
    } cases[] = {
        {"", 0, "empty"},
        {"\xef\xbb\xbf", 3, "empty"},
        {"\xff\xfe"
         "a\0",
         4, "`encoding: UTF-16`"},
        {"PK\x03\x04...", 7, "spreadsheet"},
        {"BZh91AY&SY...", 13, "bzip2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mgl_error err;
        mgl_dialect d;
        assert_int_equal(sniff(cases[i].text, cases[i].size, 0, &err, &d), MGL_DATA);
        assert_message(err.message, 0, cases[i].words);
    }
    mgl_error err;
    mgl_dialect d;
    assert_int_equal(sniff("BZh;b\n1;2\n", 10, 0, &err, &d), MGL_OK);
    assert_int_equal(sniff("a\n1\n", 4, '"', &err, &d), MGL_USAGE);
    assert_int_equal(sniff("a\n1\n", 4, '\n', &err, &d), MGL_USAGE);
    assert_int_equal(sniff("a\n1\n", 4, (char)0xc3, &err, &d), MGL_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(delimiters_are_found),
                                       cmocka_unit_test(a_long_file_is_judged_by_its_start),
                                       cmocka_unit_test(line_ends_and_marks_are_seen),
                                       cmocka_unit_test(files_that_are_no_tables_are_refused)};
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
