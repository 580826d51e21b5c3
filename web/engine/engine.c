/* What JavaScript calls beside the functions of the public headers: a job with its listeners and
 * with bytes of its own, commands by their names, and where the fields of an error are. The package
 * web/mingle is the only caller. */
#include <mingle.h>

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* web/mingle/src/errors.ts reads these fields at these places. */
_Static_assert(offsetof(mgl_error, code) == 4 && offsetof(mgl_error, line) == 8 &&
                   offsetof(mgl_error, position) == 16 && offsetof(mgl_error, key) == 24 &&
                   offsetof(mgl_error, column) == 152 && offsetof(mgl_error, file) == 280 &&
                   offsetof(mgl_error, message) == 1304 && sizeof(mgl_error) == 9496,
               "errors.ts knows the fields of an error by their places");

/* ---- Of JavaScript: web/engine/listeners.js ----------------------------------------------------
 */

/* Not 0: the run ends as cancelled. */
extern int engine_progress(const char *stage, double done, double total);
/* The text is JSON. */
extern void engine_refusal(const char *json);

static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user;
    return engine_progress(stage, (double)done, (double)total);
}

static void on_refusal(void *user, mgl_result *refusal)
{
    (void)user;
    char *json = NULL;
    if (mgl_result_json(refusal, NULL, &json) == MGL_OK)
        engine_refusal(json);
    mgl_text_free(json);
    mgl_result_free(refusal);
}

/* ---- Jobs
 * ---------------------------------------------------------------------------------------- */

mgl_status engine_job(const char *text, size_t size, mgl_error *err, mgl_job **out)
{
    mgl_job *job = NULL;
    mgl_status status = mgl_job_new(err, &job);
    if (status == MGL_OK)
        status = mgl_job_parse(job, text, size, err);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    mgl_job_on_progress(job, on_progress, NULL);
    mgl_job_on_refusal(job, on_refusal, NULL);
    *out = job;
    return MGL_OK;
}

/* The bytes, of malloc, belong to the job, also if it does not take them. */
mgl_status engine_give(mgl_job *job, const char *name, void *data, size_t size, mgl_error *err)
{
    mgl_status status = mgl_job_give_bytes(job, name, data, size, free, data, err);
    if (status != MGL_OK)
        free(data);
    return status;
}

/* ---- Commands without a session
 * ------------------------------------------------------------------ */

typedef mgl_status command_fn(mgl_job *job, mgl_error *err, mgl_result **out);

static const struct {
    const char *name;
    command_fn *run;
} commands[] = {
    {"anonymize", mgl_run},     {"compare", mgl_compare},     {"check", mgl_check},
    {"gate", mgl_gate},         {"risk", mgl_risk},           {"attack", mgl_attack},
    {"count", mgl_count_part},  {"apply", mgl_apply},         {"utility", mgl_utility},
    {"lattice", mgl_lattice},   {"report", mgl_report},       {"recoding", mgl_show_recoding},
    {"codebook", mgl_codebook}, {"what-if", mgl_what_if},     {"preview", mgl_preview},
    {"look", mgl_look},         {"statement", mgl_statement},
};

static mgl_status unknown(const char *command, mgl_error *err)
{
    memset(err, 0, sizeof *err);
    err->status = MGL_USAGE;
    err->code = MGL_CODE_UNKNOWN_NAME;
    strcpy(err->message, "there is no command '");
    strncat(err->message, command, 60);
    strcat(err->message, "'");
    return MGL_USAGE;
}

mgl_status engine_run(const char *command, mgl_job *job, mgl_error *err, mgl_result **out)
{
    static const char hierarchy[] = "hierarchy ";
    if (strncmp(command, hierarchy, sizeof hierarchy - 1) == 0)
        return mgl_hierarchies(job, command + sizeof hierarchy - 1, err, out);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, command) == 0)
            return commands[i].run(job, err, out);
    return unknown(command, err);
}

/* ---- Memory
 * -------------------------------------------------------------------------------------- */

/* The allocator of emscripten has it, and none of its headers: figures as in other systems, of
 * which one is asked for. */
struct mallinfo {
    size_t arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
};
extern struct mallinfo mallinfo(void);

/* Bytes that are in use, of those that the module holds. */
double engine_memory_used(void)
{
    return (double)mallinfo().uordblks;
}
