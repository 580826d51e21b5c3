/* Reports: any JSON is refused or shown, and no text of it becomes a part of the page: with other
 * texts in its place a page has the same tags. The input is a line, which stands for every text
 * or name that begins with @, and a result. */
#include "fuzz.h"

#include "findings/findings.h"
#include "report/report.h"
#include "result/result.h"

/* A copy in which texts and keys that begin with @ are the text, where it is allowed. */
static json_t *put_text(const json_t *value, const char *text)
{
    const char *key;
    json_t *member;
    if (json_is_string(value) && json_string_value(value)[0] == '@')
        return json_string(text);
    if (json_is_array(value)) {
        json_t *copy = json_array();
        for (size_t i = 0; i < json_array_size(value); i++)
            json_array_append_new(copy, put_text(json_array_get(value, i), text));
        return copy;
    }
    if (!json_is_object(value))
        return json_deep_copy(value);
    json_t *copy = json_object();
    json_object_foreach((json_t *)value, key, member)
    {
        json_object_set_new(copy, key[0] == '@' ? text : key, put_text(member, text));
    }
    return copy;
}

/* How many tags the page has; SIZE_MAX if there is none. */
static size_t count_tags(const json_t *value, const char *text)
{
    mgl_result *result;
    mgl_error err = {0};
    char *page = NULL;
    json_t *copy = put_text(value, text);
    char *filled = json_dumps(copy, 0);
    REQUIRE(filled != NULL);
    fuzz_write("result.json", filled, strlen(filled));
    free(filled);
    json_decref(copy);
    mgl_status status = mgl_result_read("result.json", &err, &result);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return SIZE_MAX;
    size_t n = 0;
    REQUIRE(mgl_report_html(result, mgl_measure_view_at, &err, &page) == MGL_OK);
    for (const char *at = page; *at != '\0'; at++)
        n += *at == '<';
    mgl_free(page);
    REQUIRE(mgl_report_text(result, &(mgl_text_style){.colour = 1}, mgl_measure_view_at, &err,
                            &page) == MGL_OK);
    mgl_free(page);
    mgl_result_free(result);
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_span rest = {(const char *)data, size}, line = fuzz_line(&rest);
    char text[64], same[64];
    size_t n = line.size < sizeof text - 1 ? line.size : sizeof text - 1;
    /* As many letters, so that no place is shorter or longer; and no word that has a meaning. */
    memset(same, 'x', n);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(' ' + (unsigned char)line.data[i] % 95);
    text[0] = same[0] = 'Z';
    text[n] = same[n] = '\0';
    if (n == 0)
        return 0;
    json_error_t error;
    json_t *value = json_loadb(rest.data, rest.size, JSON_REJECT_DUPLICATES, &error);
    fuzz_enter_folder();
    if (value == NULL) {
        mgl_result *result;
        mgl_error err = {0};
        fuzz_write("result.json", rest.data, rest.size);
        REQUIRE(mgl_result_read("result.json", &err, &result) != MGL_OK);
        fuzz_expect_refusal(err.status, &err);
        return 0;
    }
    REQUIRE(count_tags(value, text) == count_tags(value, same));
    json_decref(value);
    return 0;
}
