/* Pages: escaping, results that were tampered with, memory that runs out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/fault.h"
#include "findings/findings.h"
#include "report/html/html.h"

static void expect_text(const char *text, const char *expected)
{
    mgl_html html = {0};
    mgl_error err;
    char *out;
    mgl_html_text(&html, text);
    assert_int_equal(mgl_buffer_take(&html.out, &err, &out), MGL_OK);
    assert_string_equal(out, expected);
    mgl_free(out);
}

static void texts_are_escaped(void **state)
{
    (void)state;
    expect_text("plain", "plain");
    expect_text("", "");
    expect_text("<a href=\"x\" on='y'>&amp;",
                "&lt;a href=&quot;x&quot; on=&#39;y&#39;&gt;&amp;amp;");
    expect_text("\x01|\x1f|\x7f|\t|\n", "[U+0001]|[U+001F]|[U+007F]|\t|\n");
    expect_text("\xc2\x80|\xc2\xa0|\xc3\xa4", "[U+0080]|\xc2\xa0|\xc3\xa4");
    expect_text("\xe2\x80\xae|\xe2\x81\xa7|\xd8\x9c|\xef\xbb\xbf",
                "[U+202E]|[U+2067]|[U+061C]|[U+FEFF]");
    expect_text("\xf0\x9f\x98\x80|\xef\xbf\xbf|\xf0\x9f\xbf\xbe",
                "\xf0\x9f\x98\x80|[U+FFFF]|[U+1FFFE]");
    /* A character that was cut off. */
    expect_text("a\xc3", "a\xef\xbf\xbd");
    expect_text("a\xe2\x82(", "a\xef\xbf\xbd(");
}

static void long_texts_are_cut_between_characters(void **state)
{
    (void)state;
    mgl_html html = {0};
    mgl_error err;
    char *out;
    mgl_html_short(&html, "\xc3\xa4\xc3\xb6\xc3\xbc", 3);
    mgl_html_add(&html, "|");
    mgl_html_short(&html, "\xc3\xa4\xc3\xb6\xc3\xbcx", 3);
    assert_int_equal(mgl_buffer_take(&html.out, &err, &out), MGL_OK);
    assert_string_equal(out, "\xc3\xa4\xc3\xb6\xc3\xbc|\xc3\xa4\xc3\xb6\xe2\x80\xa6");
    mgl_free(out);
}

static void shares_are_written_in_percent(void **state)
{
    (void)state;
    char text[MGL_NUMBER_SIZE];
    assert_string_equal(mgl_share(0, text), "0\xc2\xa0%");
    assert_string_equal(mgl_share(1, text), "100\xc2\xa0%");
    assert_string_equal(mgl_share(0.99999, text), "> 99.99\xc2\xa0%");
    assert_string_equal(mgl_share(0.2, text), "20.0\xc2\xa0%");
    assert_string_equal(mgl_share(0.0123, text), "1.23\xc2\xa0%");
    assert_string_equal(mgl_share(0.00012, text), "0.01\xc2\xa0%");
    assert_string_equal(mgl_share(0.0000012, text), "0.00012\xc2\xa0%");
    assert_string_equal(mgl_share(0.0 / 0.0, text), "-");
}

/* ---- Documents ---------------------------------------------------------------------------------
 */

static const char release[] =
    "{\"mingle\": \"1\", \"command\": \"anonymize\", \"method\": \"mingen\", \"rows\": 8,"
    " \"released_rows\": 8, \"suppressed_rows\": 2, \"measure\": \"precision\","
    " \"classes\": {\"count\": 3, \"min\": 2, \"mean\": 2.6, \"max\": 4},"
    " \"node\": {\"a\": 0, \"b\": 1}, \"heights\": {\"a\": 1, \"b\": 1},"
    " \"nodes\": {\"total\": 4, \"checked\": 4}, \"minimal_nodes\": [{\"a\": 0, \"b\": 1}],"
    " \"utility\": {\"precision\": 0.5, \"loss\": 0.5, \"discernibility\": 20, \"query_error\": "
    "0.1},"
    " \"bound\": {\"measure\": \"precision\", \"best_possible\": 0.6, \"achieved\": 0.5,"
    "  \"gap\": 0.1, \"exact\": false},"
    " \"models\": [{\"model\": \"k-anonymity\", \"promise\": \"p\", \"parameters\": {\"k\": 2},"
    "  \"holds\": true, \"measured\": 2, \"violating_rows\": 0, \"violating_classes\": 0}],"
    " \"risk\": {\"prosecutor_max\": 0.5, \"prosecutor_mean\": 0.375, \"uniques\": 0},"
    " \"seconds\": {\"total\": 0.1}, \"warnings\": [{\"code\": \"c\", \"message\": \"m\"}],"
    " \"curve\": [{\"k\": 2, \"suppressed_rows\": 2, \"classes\": {\"count\": 3},"
    "  \"risk\": {\"prosecutor_mean\": 0.4}, \"utility\": {\"precision\": 0.5}, \"bound\": null},"
    "  {\"k\": 9, \"error\": \"none\"}],"
    " \"figures\": {\"threshold\": 2, \"class_sizes\": {"
    "  \"before\": [{\"from\": 1, \"to\": 1, \"classes\": 8, \"rows\": 8},"
    "   {\"from\": 2, \"to\": 4, \"classes\": 0, \"rows\": 0}],"
    "  \"after\": [{\"from\": 1, \"to\": 1, \"classes\": 0, \"rows\": 0},"
    "   {\"from\": 2, \"to\": 4, \"classes\": 3, \"rows\": 8}]},"
    "  \"before\": {\"classes\": {}, \"risk\": {\"prosecutor_max\": 1, \"uniques\": 8}},"
    "  \"columns\": [{\"column\": \"a\", \"height\": 1, \"loss\": 0.25, \"precision\": 0.75,"
    "   \"rows_at_level\": [6, 2], \"rows_made\": 0, \"rows_dropped\": 0, \"distribution\":"
    "   {\"level\": 0, \"groups\": [{\"value\": \"x\", \"before\": 4, \"after\": 3},"
    "    {\"value\": null, \"before\": 4, \"after\": 3}], \"pooled\": {\"values\": 0, \"before\": "
    "0,"
    "    \"after\": 0}, \"coarser\": 2, \"dropped\": 0}}],"
    "  \"sensitive\": {\"s\": {\"values\": 2, \"before\": {\"distinct_values\": [8, 0],"
    "   \"distances\": [0, 8]}, \"after\": {\"distinct_values\": [0, 8], \"distances\": [8, 0]}}},"
    "  \"lattice\": {\"total\": 4, \"chosen\": [0, 1], \"holding\": 2, \"minimal\": [[0, 1]],"
    "   \"nodes\": [{\"levels\": [0, 0], \"holds\": false, \"suppressed_rows\": 8},"
    "    {\"levels\": [0, 1], \"holds\": true, \"suppressed_rows\": 2},"
    "    {\"levels\": [1, 0], \"holds\": false, \"suppressed_rows\": 8},"
    "    {\"levels\": [1, 1], \"holds\": true, \"suppressed_rows\": 0}]}},"
    " \"audit\": {\"input\": {\"name\": \"t.csv\", \"bytes\": 1, \"sha256\": \"00\"}, \"job\":"
    "  {\"k\": \"2\", \"attributes\": {\"a\": {\"role\": \"quasi\"}}}, \"hierarchies\": {\"a\": "
    "null},"
    "  \"columns\": [{\"column\": \"a\", \"role\": \"quasi\", \"released\": true}],"
    "  \"release\": null}, \"output\": \"folder/r.csv\"}";

static json_t *load(const char *text)
{
    json_error_t problem;
    json_t *document = json_loads(text, 0, &problem);
    if (document == NULL)
        fail_msg("%s", problem.text);
    return document;
}

static mgl_status make_page(json_t *document, mgl_error *err, char **out)
{
    mgl_result result = {.document = document, .holds = true};
    return mgl_report_html(&result, mgl_measure_view_at, err, out);
}

static void a_page_has_its_sections(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "<h1>Release report: <bdi>r.csv</bdi></h1>",
        "Every promise holds",
        "id=\"lattice\"",
        "id=\"curve\"",
        "id=\"sensitive\"",
        "id=\"audit\"",
        "4 nodes in 3 layers",
        "Precision is 0.5000; it is proved that no release with one level per column",
        "can have more than 0.6000"};
    json_t *document = load(release);
    mgl_error err;
    char *page;
    assert_int_equal(make_page(document, &err, &page), MGL_OK);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (strstr(page, wanted[i]) == NULL)
            fail_msg("the page lacks: %s", wanted[i]);
    mgl_free(page);
    json_decref(document);
}

/* Every value of the document in turn becomes something else; a page must come out all the same. */
static void tamper(json_t *root, json_t *at, json_t *other)
{
    mgl_error err;
    char *page;
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(at, next, key, value)
    {
        json_t *own = json_incref(value);
        json_object_set(at, key, other);
        if (json_object_get(root, "command") != NULL) {
            assert_int_equal(make_page(root, &err, &page), MGL_OK);
            mgl_free(page);
        }
        json_object_set_new(at, key, own);
        tamper(root, own, other);
    }
    for (size_t i = 0; i < json_array_size(at); i++) {
        json_t *own = json_incref(json_array_get(at, i));
        json_array_set(at, i, other);
        assert_int_equal(make_page(root, &err, &page), MGL_OK);
        mgl_free(page);
        json_array_set_new(at, i, own);
        tamper(root, own, other);
    }
}

static void wrong_values_in_every_place_are_survived(void **state)
{
    (void)state;
    static const char *const others[] = {"null", "-1",   "1e300", "9223372036854775807", "\"<\"",
                                         "[]",   "[[]]", "{}",    "{\"a\": [1, {}]}",    "true"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        json_error_t problem;
        json_t *document = load(release);
        json_t *other = json_loads(others[i], JSON_DECODE_ANY, &problem);
        assert_non_null(other);
        tamper(document, document, other);
        json_decref(other);
        json_decref(document);
    }
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    json_t *document = load(release);
    mgl_error err;
    char *page;
    uint64_t failed = 0;
    for (uint64_t n = 1;; n++) {
        mgl_fault_arm(MGL_FAULT_MEMORY, n);
        mgl_status status = make_page(document, &err, &page);
        bool struck = mgl_fault_count(MGL_FAULT_MEMORY) >= n;
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        if (!struck) {
            assert_int_equal(status, MGL_OK);
            mgl_free(page);
            break;
        }
        assert_int_equal(status, MGL_SYSTEM);
        failed++;
    }
    assert_true(failed > 3);
    json_decref(document);
#else
    skip();
#endif
}

/* Readers of a page may never have seen a job: what is a key there is a word in quotes here. */
static void keys_in_messages_stand_in_quotes(void **state)
{
    (void)state;
    mgl_html html = {0};
    mgl_error err;
    char *out;
    mgl_html_message(&html, "allow `suppress: 5`, <b>");
    assert_int_equal(mgl_buffer_take(&html.out, &err, &out), MGL_OK);
    assert_string_equal(out, "allow &quot;suppress: 5&quot;, &lt;b&gt;");
    mgl_free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_escaped),
        cmocka_unit_test(keys_in_messages_stand_in_quotes),
        cmocka_unit_test(long_texts_are_cut_between_characters),
        cmocka_unit_test(shares_are_written_in_percent),
        cmocka_unit_test(a_page_has_its_sections),
        cmocka_unit_test(wrong_values_in_every_place_are_survived),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
