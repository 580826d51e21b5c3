/* Part files: the input is the body of one, behind which the right checksum is put. What is read
 * is packed as the same bytes, and commands take it or refuse it. */
#include "fuzz.h"

#include "io/io.h"
#include "io/packed.h"

static void check_read(const mgl_buffer *file)
{
    mgl_part *part;
    mgl_error err = {0};
    mgl_status status = mgl_part_read("part", &err, &part);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return;
    mgl_buffer again = {0};
    REQUIRE(mgl_part_pack(part, &err, &again) == MGL_OK);
    REQUIRE(again.size == file->size && memcmp(again.data, file->data, file->size) == 0);
    mgl_buffer_free(&again);
    mgl_part_free(part);
}

static void run(const char *method)
{
    mgl_job *job;
    mgl_result *result;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    REQUIRE(mgl_job_set(job, "data", "part", &err) == MGL_OK);
    REQUIRE(mgl_job_set(job, "k", "2", &err) == MGL_OK);
    REQUIRE(mgl_job_set(job, "threads", "1", &err) == MGL_OK);
    mgl_status status;
    if (method != NULL) {
        REQUIRE(mgl_job_set(job, "method", method, &err) == MGL_OK);
        REQUIRE(mgl_job_set(job, "dry-run", "true", &err) == MGL_OK);
        status = mgl_job_run(job, "anonymize", &err, &result);
    } else {
        status = mgl_job_run(job, "check", &err, &result);
    }
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK)
        mgl_result_free(result);
    mgl_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_enter_folder();
    mgl_buffer file = {0};
    mgl_pack_begin(&file, "MGLPARTS");
    mgl_buffer_append(&file, (const char *)data, size);
    REQUIRE(mgl_pack_end(&file, NULL) == MGL_OK);
    fuzz_write("part", file.data, file.size);
    check_read(&file);
    run(NULL);
    run("datafly");
    mgl_buffer_free(&file);
    return 0;
}
