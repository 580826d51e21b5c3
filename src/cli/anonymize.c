/* The command `anonymize` of the program: its usage and the library function that it calls. main.c
 * has it in its table. */
#include "cli.h"

static mgl_status execute(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    /* Whoever asks for little gets no advice either. Of a result that is only told as a summary,
     * the rest need not be worked out. */
    if (mgl_job_get(job, "brief") == NULL && mgl_job_get(job, "hint") == NULL &&
        mgl_job_add(job, "hint", "true", err) != MGL_OK)
        return err->status;
    bool whole = mgl_cli_is_true(job, "json") || mgl_job_get(job, "result") != NULL ||
                 mgl_job_get(job, "report") != NULL || mgl_job_get(job, "brief") != NULL ||
                 mgl_job_get(job, "statement") != NULL || mgl_job_get(job, "save-promise") != NULL;
    if (!whole && mgl_job_add(job, "brief", "true", err) != MGL_OK)
        return err->status;
    return mgl_run(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    /* What does not hold is an error, unless the job accepts it; then it got what it wanted. */
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_OK, .execute = execute};
    return mgl_cli_run(command, &plan, n_arguments, arguments);
}

const mgl_cli_command mgl_cli_anonymize = {
    .name = "anonymize",
    .usage = "DATA|JOB.yaml|PART... [options] -o RELEASE",
    .help = "Makes a release of a table in which every person hides among others. The release\n"
            "is verified before it gets its name; if anything fails no file appears.",
    .example = "mingle anonymize patients.csv --qi birth,sex,zip \\\n"
               "    --hierarchy 'birth=dates(year,5y,10y)' --hierarchy 'zip=mask(right)' \\\n"
               "    --identifier name,ssn --sensitive diagnosis --rest drop -k 5 -o release.csv",
    .run = run,
};
