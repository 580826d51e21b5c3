/* Jobs as texts, and keys set, added, taken back and asked for: the input is a job text, a line
 * "--", and lines "=KEY=VALUE" (set), "+KEY=VALUE" (add), "-KEY" (unset). Whatever is refused
 * leaves the job as it was, and what is written is the same job when it is read. */
#include "fuzz.h"

#include "job/job.h"

int fuzz_changes(void)
{
    return 1500;
}

static char *text_of(const mgl_job *job, bool yaml)
{
    mgl_error err = {0};
    char *text = NULL;
    mgl_status status = (yaml ? mgl_job_yaml : mgl_job_json)(job, &err, &text);
    if (status != MGL_OK && status != MGL_USAGE) /* a name that is not UTF-8 */
        fprintf(stderr, "%s\n", err.message);
    REQUIRE(status == MGL_OK || (status == MGL_USAGE && text == NULL));
    return text;
}

static void expect_same(const mgl_job *a, const mgl_job *b)
{
    char *one = text_of(a, false), *other = text_of(b, false);
    REQUIRE((one == NULL) == (other == NULL));
    REQUIRE(one == NULL || strcmp(one, other) == 0);
    mgl_text_free(one);
    mgl_text_free(other);
}

static mgl_job *copy_of(const mgl_job *job)
{
    mgl_job *copy;
    REQUIRE(mgl_job_copy(job, NULL, &copy) == MGL_OK);
    expect_same(job, copy);
    return copy;
}

static mgl_status change(mgl_job *job, mgl_span line, mgl_error *err)
{
    char text[400];
    snprintf(text, sizeof text, "%.*s", (int)(line.size < 399 ? line.size : 399), line.data);
    if (text[0] == '-')
        return mgl_job_unset(job, text + 1, err);
    char *equals = text[0] != '\0' ? strchr(text + 1, '=') : NULL;
    if (equals == NULL)
        return MGL_OK;
    *equals = '\0';
    (void)mgl_job_get(job, text + 1);
    return (text[0] == '+' ? mgl_job_add : mgl_job_set)(job, text + 1, equals + 1, err);
}

static void expect_same_when_read(const mgl_job *job, bool yaml)
{
    char *text = text_of(job, yaml);
    mgl_job *again;
    mgl_error err = {0};
    if (text == NULL)
        return;
    REQUIRE(mgl_job_new(NULL, &again) == MGL_OK);
    REQUIRE(mgl_job_parse(again, text, strlen(text), &err) == MGL_OK);
    expect_same(job, again);
    mgl_job_free(again);
    mgl_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_span rest = {(const char *)data, size};
    mgl_span text = fuzz_section(&rest);
    mgl_job *job;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    mgl_job *before = copy_of(job);
    mgl_status status = mgl_job_parse(job, text.data, text.size, &err);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        expect_same(job, before);
    for (int i = 0; i < 50 && rest.size > 0; i++) {
        mgl_job_free(before);
        before = copy_of(job);
        err = (mgl_error){0};
        status = change(job, fuzz_line(&rest), &err);
        fuzz_expect_refusal(status, &err);
        if (status != MGL_OK)
            expect_same(job, before);
    }
    expect_same_when_read(job, true);
    expect_same_when_read(job, false);
    mgl_job_free(before);
    mgl_job_free(job);
    return 0;
}
