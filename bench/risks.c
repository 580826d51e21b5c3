/* Measures what risk, attack and the leak guard take. A subject of main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "process.h"
#include "shape.h"

#include "findings/findings.h"
#include "pipeline/guard/guard.h"

#include <stdio.h>
#include <unistd.h>

enum { PERSONS = 100000 };

typedef struct files {
    bench_shape shape;
    char table[4096], release[4096], persons[4096];
} files;

static int tell(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fprintf(stderr, "bench: %s\n", err->message);
    return status != MGL_OK;
}

/* ---- Special uniques ------------------------------------------------------------------------- */

static mgl_status find_uniques(const files *f, mgl_error *err)
{
    char quasi[1024];
    mgl_job *job;
    mgl_result *result = NULL;
    bench_shape_names(&f->shape, ",", quasi, sizeof quasi);
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = mgl_job_set(job, "data", f->table, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "qi", quasi, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "suda", "true", err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "risk", err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

static int run_suda(void *context, double *figures)
{
    mgl_error err = {0};
    (void)figures;
    return tell(find_uniques(context, &err), &err);
}

/* ---- An attack ------------------------------------------------------------------------------- */

static int make_release(void *context, double *figures)
{
    const files *f = context;
    mgl_error err = {0};
    mgl_job *job;
    mgl_result *result = NULL;
    (void)figures;
    mgl_status status = bench_shape_job(&f->shape, f->table, f->release, &err, &job);
    if (status != MGL_OK)
        return tell(status, &err);
    status = mgl_job_set(job, "method", "mingen", &err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", &err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return tell(status, &err);
}

static mgl_status link_persons(const files *f, mgl_error *err)
{
    mgl_job *job;
    mgl_result *result = NULL;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = bench_shape_columns(&f->shape, f->release, job, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "external", f->persons, err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "attack", err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

static int run_attack(void *context, double *figures)
{
    mgl_error err = {0};
    (void)figures;
    return tell(link_persons(context, &err), &err);
}

/* ---- The leak guard ---------------------------------------------------------------------------
 */

/* Goes through all rows as the writer of a release does; watch: what sees them, or NULL. */
static mgl_status go_through(const mgl_reading *reading, const mgl_frequency_list *list,
                             const mgl_row_watch *watch, mgl_error *err)
{
    mgl_tuple_finder *finder;
    mgl_records records = {.n_records = 1};
    uint32_t *tuples = NULL;
    size_t room = 0, row = 0;
    MGL_TRY(mgl_tuple_finder_new(list, reading->bound, err, &finder));
    mgl_status status = mgl_source_rewind(reading->source, err);
    while (status == MGL_OK && records.n_records > 0) {
        status = mgl_source_next(reading->source, err, &records);
        if (status == MGL_OK && !mgl_grow(&tuples, &room, records.n_records + 1, sizeof *tuples))
            status = mgl_fail_memory(err);
        if (status != MGL_OK)
            break;
        mgl_tuple_find(finder, row, records.n_records, tuples);
        mgl_seen_rows seen = {records.fields, records.n_fields, tuples, records.n_records};
        for (size_t c = 0; watch != NULL && c < watch->n_columns; c++)
            watch->see(watch->context, c, &seen);
        row += records.n_records;
    }
    mgl_free(tuples);
    mgl_tuple_finder_free(finder);
    return status;
}

/* Processor seconds of a pass over the rows, with the guard or without. */
static mgl_status pass(const mgl_setup *setup, const mgl_solution *solution, bool guard,
                       mgl_error *err, double *seconds)
{
    mgl_guarding *guarding = NULL;
    double start = bench_cpu_seconds();
    mgl_objections objections = {0};
    mgl_row_watch watch;
    if (guard) {
        MGL_TRY(mgl_guarding_new(setup->task, setup->reading, solution, NULL, err, &guarding));
        watch = mgl_guarding_watch(guarding);
    }
    mgl_status status = go_through(setup->reading, setup->counts.list, guard ? &watch : NULL, err);
    if (status == MGL_OK && guard)
        status = mgl_guarding_judge(guarding, err, &objections);
    mgl_objections_free(&objections);
    mgl_guarding_free(guarding);
    *seconds = bench_cpu_seconds() - start;
    return status;
}

static mgl_status weigh_guard(const files *f, mgl_error *err, double *figures)
{
    mgl_job *job;
    steps taken;
    mgl_solution *solution = NULL;
    double with = 0, without = 0;
    MGL_TRY(bench_shape_job(&f->shape, f->table, f->release, err, &job));
    mgl_status status = mgl_job_set(job, "method", "mingen", err);
    if (status == MGL_OK)
        status = steps_begin(job, true, err, &taken);
    if (status == MGL_OK) {
        status = steps_search(&taken, err, &solution);
        if (status == MGL_OK)
            status = pass(&taken.setup, solution, false, err, &without);
        if (status == MGL_OK)
            status = pass(&taken.setup, solution, true, err, &with);
        mgl_solution_free(solution);
        steps_end(&taken);
    }
    mgl_job_free(job);
    figures[0] = with - without;
    return status;
}

static int run_guard(void *context, double *figures)
{
    mgl_error err = {0};
    return tell(weigh_guard(context, &err, figures), &err);
}

/* ---- All three ------------------------------------------------------------------------------ */

static bool provide(files *f, const char *folder)
{
    snprintf(f->release, sizeof f->release, "%s/bench-release.csv", folder);
    snprintf(f->persons, sizeof f->persons, "%s/bench-persons.csv", folder);
    unlink(f->release);
    return bench_shape_provide(&f->shape, folder, f->table, sizeof f->table);
}

int bench_risks(const char *folder)
{
    files keys = {.shape = {1000000, 7, 0}}, nine = {.shape = {1000000, 9, 0}},
          passed = {.shape = {300000, 9, 10}};
    double figures[1] = {0};
    if (!provide(&keys, folder) || !provide(&nine, folder) || !provide(&passed, folder))
        return 1;
    bench_usage suda = bench_child(run_suda, &keys, figures, 0);
    printf("risk --suda, %zu rows, %zu keys: %.2f s (%.2f of processors), peak %.0f MB\n",
           keys.shape.rows, keys.shape.quasi, suda.wall, suda.cpu, suda.peak);
    bench_usage made = bench_child(make_release, &nine, figures, 0);
    bench_usage taken = bench_command("head -%d '%s' >'%s'", PERSONS + 1, nine.table, nine.persons);
    bench_usage attack = bench_child(run_attack, &nine, figures, 0);
    printf("attack, %d persons, a release of %zu rows: %.2f s (%.2f of processors), peak %.0f MB\n",
           PERSONS, nine.shape.rows, attack.wall, attack.cpu, attack.peak);
    bench_usage whole = bench_child(make_release, &passed, figures, 0);
    unlink(passed.release);
    bench_usage guard = bench_child(run_guard, &passed, figures, 1);
    printf("leak guard, %zu rows, %zu columns passed through: %.3f s of processors, %.0f %% of the "
           "run (%.2f)\n",
           passed.shape.rows, passed.shape.passed, figures[0], 100 * figures[0] / whole.cpu,
           whole.cpu);
    unlink(nine.release);
    unlink(nine.persons);
    return suda.failed || made.failed || taken.failed || attack.failed || whole.failed ||
           guard.failed;
}
