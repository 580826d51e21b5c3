/* The tests of a gate as JUnit writes them, which servers that build and test can read. Texts are
 * escaped as on the page, which is well-formed XML. result_files.c has it staged. */
#include "report/html/html.h"

static void add_case(mgl_html *xml, const json_t *test)
{
    const char *name = mgl_json_text(test, "test"), *found = mgl_json_text(test, "found");
    bool holds = json_is_true(json_object_get(test, "holds"));
    mgl_html_add(xml, "    <testcase classname=\"mingle.gate\" name=\"");
    mgl_html_text(xml, name != NULL ? name : "?");
    mgl_html_add(xml, holds ? "\"/>\n" : "\">\n      <failure message=\"");
    if (holds)
        return;
    mgl_html_text(xml, found != NULL ? found : "");
    mgl_html_add(xml, "\"/>\n    </testcase>\n");
}

mgl_status mgl_report_junit(const mgl_result *result, mgl_error *err, char **out)
{
    const json_t *tests = json_object_get(result->document, "tests");
    const char *title = mgl_json_text(json_object_get(result->document, "about"), "title");
    size_t n = json_array_size(tests), failures = n - mgl_json_count_true(tests, "holds");
    mgl_html xml = {0};
    MGL_TRY(mgl_result_complete(result, err));
    mgl_html_add(&xml,
                 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                 "<testsuites tests=\"%zu\" failures=\"%zu\">\n  <testsuite name=\"",
                 n, failures);
    mgl_html_text(&xml, title != NULL ? title : "mingle gate");
    mgl_html_add(&xml, "\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n", n,
                 failures);
    for (size_t i = 0; i < n; i++)
        add_case(&xml, json_array_get(tests, i));
    mgl_html_add(&xml, "  </testsuite>\n</testsuites>\n");
    return mgl_buffer_take(&xml.out, err, out);
}
