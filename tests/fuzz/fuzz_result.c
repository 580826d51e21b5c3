/* Results as JSON: check --against takes any text or refuses it with a message, and never says
 * that a release agrees with what it does not have. */
#include "fuzz.h"

#include "mingle.h"

static const char release[] = "race,zip,disease\nblack,0213*,flu\nblack,0213*,cold\n"
                              "black,0214*,flu\nblack,0214*,cold\nwhite,0213*,flu\n"
                              "white,0213*,flu\nwhite,0214*,cold\nwhite,0214*,flu\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_enter_folder();
    fuzz_write("result.json", data, size);
    fuzz_write("release.csv", release, sizeof release - 1);
    mgl_job *job;
    mgl_result *result;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    REQUIRE(mgl_job_set(job, "data", "release.csv", &err) == MGL_OK);
    REQUIRE(mgl_job_set(job, "against", "result.json", &err) == MGL_OK);
    REQUIRE(mgl_job_set(job, "threads", "1", &err) == MGL_OK);
    mgl_status status = mgl_job_run(job, "check", &err, &result);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        char *text;
        REQUIRE(mgl_result_json(result, &err, &text) == MGL_OK);
        mgl_text_free(text);
        REQUIRE(mgl_result_summary(result, &(mgl_text_style){.colour = 1}, &err, &text) == MGL_OK);
        mgl_text_free(text);
        mgl_result_free(result);
    }
    mgl_job_free(job);
    return 0;
}
