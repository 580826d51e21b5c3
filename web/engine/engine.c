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
