/* Gives tables in memory to jobs: a function of include/mingle/arrow.h. */
#include "io/io.h"
#include "job/store/entries.h"

/* As many as the job says so far; one if that is no number, which is refused when it runs. */
static unsigned threads_of(const mgl_job *job)
{
    const mgl_entry *entry = mgl_store_find(job, "threads", NULL);
    uint64_t number;
    if (entry == NULL)
        return 0;
    return mgl_parse_u64(mgl_span_of(entry->value), &number) && number <= UINT16_MAX
               ? (unsigned)number
               : 1;
}

/* Under the name that messages and jobs have for it. */
static mgl_status give(mgl_job *job, const char *name, struct ArrowArrayStream *stream,
                       mgl_error *err)
{
    mgl_buffer text = {0};
    char *location = NULL;
    mgl_arrow_table *table = NULL;
    mgl_arrow_helpers helpers = {.threads = threads_of(job)};
    mgl_progress_state before = mgl_progress_enter(&job->progress);
    mgl_status status = MGL_OK;
    mgl_buffer_format(&text, "memory:%s", name);
    MGL_GO(mgl_buffer_take(&text, err, &location));
    mgl_progress_plan("import");
    MGL_GO(mgl_arrow_import_with(stream, location, &helpers, &job->progress, err, &table));
    mgl_store_changed(job);
    MGL_GO(mgl_arrow_put(&job->given, name, table, err));
    mgl_progress_end();
done:
    mgl_progress_leave(&before);
    mgl_arrow_let_go(table);
    mgl_pool_free(helpers.pool);
    mgl_free(location);
    return status;
}

mgl_status mgl_job_give_stream(mgl_job *job, const char *name, struct ArrowArrayStream *stream,
                               mgl_error *err)
{
    if (stream == NULL || stream->release == NULL)
        return mgl_fail(err, MGL_USAGE, "the stream was released already");
    mgl_status status = name != NULL && name[0] != '\0'
                            ? give(job, name, stream, err)
                            : mgl_fail(err, MGL_USAGE, "a table in memory needs a name");
    if (stream->release != NULL) /* it was not even begun */
        stream->release(stream);
    return status;
}
