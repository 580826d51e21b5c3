#include "cli.h"

static mgl_status work(mgl_job *job, const char *action, mgl_error *err, mgl_result **out)
{
    (void)action;
    return mgl_run(job, err, out);
}

static int run(const mgl_cli_command *command, int n_arguments, char **arguments)
{
    /* What does not hold is an error, unless the job accepts it; then it got what it wanted. */
    static const mgl_cli_plan plan = {
        .n_operands = 1, .parts = true, .unmet = MGL_OK, .work = work};
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
