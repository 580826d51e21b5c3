/* Saved recodings: the input is the body of one, behind which the right checksum is put. What is
 * read is packed as the same bytes, and applied to a table or refused. */
#include "fuzz.h"

#include "io/io.h"
#include "io/packed.h"

static const char table[] = "name,race,zip,disease\nAnn,black,02138,flu\nBob,black,02139,cold\n"
                            "Cyd,black,02141,flu\nDan,black,02142,cold\nEve,white,02138,flu\n"
                            "Fay,white,02139,flu\nGus,white,02141,cold\nHal,white,02142,flu\n";

int fuzz_changes(void)
{
    return 2000; /* two commands each */
}

static void check_read(const mgl_buffer *file)
{
    mgl_saved_recoding *saved;
    mgl_error err = {0};
    mgl_status status = mgl_saved_recoding_read("recoding", &err, &saved);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return;
    mgl_buffer again = {0};
    REQUIRE(mgl_saved_recoding_pack(saved, &err, &again) == MGL_OK);
    REQUIRE(again.size == file->size && memcmp(again.data, file->data, file->size) == 0);
    mgl_buffer_free(&again);
    mgl_saved_recoding_free(saved);
}

static void use(const char *const *keys, size_t n, const char *command)
{
    mgl_job *job;
    mgl_result *result;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    for (size_t i = 0; i < n; i += 2)
        REQUIRE(mgl_job_set(job, keys[i], keys[i + 1], &err) == MGL_OK);
    mgl_status status = mgl_job_run(job, command, &err, &result);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK)
        mgl_result_free(result);
    mgl_job_free(job);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const apply[] = {"data",    "table.csv", "recoding", "recoding",    "output",
                                        "out.csv", "threads",   "1",        "allow-leaks", "true"};
    static const char *const history[] = {
        "data",    "table.csv", "qi", "race,zip", "rest",    "drop", "history", "recoding",
        "dry-run", "true",      "k",  "2",        "threads", "1",    "method",  "datafly"};
    fuzz_enter_folder();
    mgl_buffer file = {0};
    mgl_pack_begin(&file, "MGLRECOD");
    mgl_buffer_append(&file, (const char *)data, size);
    REQUIRE(mgl_pack_end(&file, NULL) == MGL_OK);
    fuzz_write("recoding", file.data, file.size);
    fuzz_write("table.csv", table, sizeof table - 1);
    check_read(&file);
    use(apply, sizeof apply / sizeof apply[0], "apply");
    use(history, sizeof history / sizeof history[0], "anonymize");
    mgl_buffer_free(&file);
    return 0;
}
