/* Streams from session to session. Tests of allocators and of traced system calls run them. */
#include "in_memory_streams.h"

#include <stdlib.h>

static const memory_deed first = {
    .name = "a release as a stream",
    .command = "anonymize",
    .keys = "data=@table.csv|qi=age,zip|hierarchy=zip=@zip.csv|identifier=id|sensitive=disease|k=3|"
            "suppress=20%|output=@table"};
static const memory_deed second = {
    .name = "a stream released again",
    .command = "anonymize",
    .keys = "data=@table|qi=age,zip|hierarchy=zip=suppress|hierarchy=age=suppress|"
            "sensitive=disease|k=4|suppress=20%|output=@again"};

/* given: moved into the job under the name "table"; NULL: nothing is. */
static mgl_status release(const memory_deed *deed, const memory_world *world,
                          struct ArrowArrayStream *given, const mgl_session_options *options,
                          mgl_error *err, mgl_result **out)
{
    mgl_job *job = NULL;
    mgl_status status = memory_job(deed, world, 2, err, &job);
    if (status == MGL_OK && given != NULL)
        status = mgl_job_give_stream(job, "table", given, err);
    if (status == MGL_OK)
        status = memory_run_on_session(deed, job, options, err, out);
    mgl_job_free(job);
    return status;
}

static int64_t read_to_end(struct ArrowArrayStream *stream)
{
    int64_t n = 0;
    struct ArrowArray batch;
    struct ArrowSchema schema;
    if (stream->get_schema(stream, &schema) != 0)
        return -1;
    schema.release(&schema);
    while (stream->get_next(stream, &batch) == 0) {
        if (batch.release == NULL)
            return n;
        n += batch.length;
        batch.release(&batch);
    }
    return -1;
}

mgl_status memory_run_streams(const memory_world *world, const mgl_session_options *options,
                              mgl_error *err, int64_t *n_rows)
{
    mgl_result *one = NULL, *two = NULL;
    struct ArrowArrayStream stream = {0}, last = {0};
    mgl_status status = release(&first, world, NULL, options, err, &one);
    if (status == MGL_OK)
        status = mgl_result_stream(one, "table", err, &stream);
    mgl_result_free(one);
    if (status == MGL_OK)
        status = release(&second, world, &stream, options, err, &two);
    if (stream.release != NULL) /* it did not get so far */
        stream.release(&stream);
    if (status == MGL_OK)
        status = mgl_result_stream(two, "again", err, &last);
    mgl_result_free(two);
    if (status == MGL_OK)
        *n_rows = read_to_end(&last);
    if (last.release != NULL)
        last.release(&last);
    return status;
}
