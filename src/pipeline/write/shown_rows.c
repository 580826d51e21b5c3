/* Shows the leak guard and the watch on persons the rows of a release that an engine wrote, column
 * by column as if they had been written here. push.c calls it. */
#include "pipeline/write/shown_rows.h"
#include "pipeline/guard/guard.h"
#include "pipeline/write/person_watch.h"

typedef struct showing {
    mgl_row_watch watch;
    mgl_pool *pool;
    mgl_field *fields; /* as the watch wants cells */
    size_t room;
    const uint32_t *tuples;
    size_t n;
    const mgl_progress *progress;
    uint64_t n_rows, all;
} showing;

static void show_column(void *context, size_t column, unsigned worker)
{
    (void)worker;
    const showing *s = context;
    mgl_seen_rows rows = {s->fields + column, s->watch.n_columns, s->tuples, s->n};
    s->watch.see(s->watch.context, column, &rows);
}

static mgl_status show(void *context, const uint32_t *tuples, const mgl_span *cells, size_t n,
                       mgl_error *err)
{
    showing *s = context;
    size_t n_cells = n * s->watch.n_columns;
    if (!mgl_grow(&s->fields, &s->room, n_cells, sizeof *s->fields))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n_cells; i++)
        s->fields[i] = (mgl_field){cells[i].data, (uint32_t)cells[i].size, false};
    s->tuples = tuples;
    s->n = n;
    mgl_pool_run(s->pool, s->watch.n_columns, show_column, s);
    s->n_rows += n;
    return mgl_progress_report(s->progress, "guard", s->n_rows, s->all, err);
}

mgl_status mgl_guard_shown_rows(const mgl_release_order *release, const mgl_push_order *order,
                                mgl_error *err, mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    mgl_guarding *guarding = NULL;
    mgl_person_watch *persons = NULL;
    showing s = {.pool = reading->pool,
                 .progress = &reading->settings->progress,
                 .all = release->task->problem.list->n_rows};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_guarding_new(release->task, reading, release->solution, NULL, err, &guarding));
    MGL_GO(
        mgl_person_watch_new(release->task, reading, mgl_guarding_watch(guarding), err, &persons));
    s.watch = mgl_person_watch_rows(persons);
    mgl_push_rows rows = {s.watch.fields, s.watch.n_columns, show, &s};
    if (rows.n_columns > 0)
        MGL_GO(mgl_source_push(reading->source)->each_row(reading->source, order, &rows, err));
    MGL_GO(
        mgl_guarding_judge_by_counts(guarding, err, &written->objections, &written->guard_groups));
    MGL_GO(mgl_guarding_count_alone(guarding, err, &written->alone));
    MGL_GO(mgl_person_watch_judge(persons, err, &written->warnings));
done:
    mgl_person_watch_free(persons);
    mgl_guarding_free(guarding);
    mgl_free(s.fields);
    return status;
}
