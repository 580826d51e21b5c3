/* Job files and keys: any text is refused with a message or gives settings for the commands. The
 * input is a job file, a line "--", and lines KEY=VALUE that are set before. */
#include "fuzz.h"

#include "job/job.h"

static const mgl_command commands[] = {MGL_ANONYMIZE, MGL_COMPARE, MGL_CHECK,
                                       MGL_RISK,      MGL_ATTACK,  MGL_COUNT,
                                       MGL_UTILITY,   MGL_LATTICE, MGL_HIERARCHY};

int fuzz_changes(void)
{
    return 1500; /* settings for nine commands each */
}

static void set_line(mgl_job *job, mgl_span line)
{
    char text[400];
    snprintf(text, sizeof text, "%.*s", (int)(line.size < 399 ? line.size : 399), line.data);
    char *equals = strchr(text, '=');
    if (equals == NULL)
        return;
    *equals = '\0';
    mgl_error err = {0};
    fuzz_expect_refusal(mgl_job_add(job, text, equals + 1, &err), &err);
    (void)mgl_job_get(job, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_span rest = {(const char *)data, size};
    fuzz_enter_folder(); /* policies are looked for beside the job */
    mgl_span file = fuzz_section(&rest);
    fuzz_write("job.yaml", file.data, file.size);
    mgl_job *job;
    mgl_error err = {0};
    REQUIRE(mgl_job_new(&err, &job) == MGL_OK);
    while (rest.size > 0)
        set_line(job, fuzz_line(&rest));
    mgl_status status = mgl_job_load(job, "job.yaml", &err);
    fuzz_expect_refusal(status, &err);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const mgl_settings *settings;
        fuzz_expect_refusal(mgl_job_settings(job, commands[i], &err, &settings), &err);
    }
    mgl_job_free(job);
    return 0;
}
