/* Tells apart what a run does inside parallel sections and outside of them. The linker puts the
 * functions below in the place of those that begin a stage, run the items of a pool or write in
 * turn (CMakeLists.txt), so that the library itself measures nothing. threads.c calls it. */
#include "sections.h"

#include "findings/findings.h"
#include "pipeline/guard/guard.h"
#include "pipeline/pipeline.h"
#include "search/search.h"
#include "verify/verify.h"

#include <string.h>
#include <time.h>

const char *const bench_stage_names[BENCH_STAGES] = {"read",   "count", "search", "write",
                                                     "verify", "guard", "tell",   "rest"};
const unsigned bench_crowds[BENCH_CROWDS] = {1, 2, 4, 8, 16};

enum { MOST_THREADS = 16 };

static struct {
    bool on;
    int stage;
    double since; /* when what was noted last ended */
    bench_section sections[BENCH_STAGES];
} state;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note_serial(void)
{
    double time = now();
    bench_section *s = &state.sections[state.stage];
    s->serial += time - state.since;
    for (size_t i = 0; i < BENCH_CROWDS; i++)
        s->wall[i] += time - state.since;
    state.since = time;
}

void bench_sections_begin(void)
{
    memset(&state, 0, sizeof state);
    state.on = true;
    state.stage = BENCH_REST;
    state.since = now();
}

void bench_sections_end(bench_section out[BENCH_STAGES])
{
    note_serial();
    state.on = false;
    memcpy(out, state.sections, sizeof state.sections);
}

/* ---- Parallel sections -------------------------------------------------------------------------
 */

/* The thread that is free first takes the next item. */
static void give_item(double *free_at, unsigned threads, double seconds)
{
    unsigned first = 0;
    for (unsigned i = 1; i < threads; i++)
        if (free_at[i] < free_at[first])
            first = i;
    free_at[first] += seconds;
}

static double last_of(const double *free_at, unsigned threads)
{
    double last = 0;
    for (unsigned i = 0; i < threads; i++)
        last = free_at[i] > last ? free_at[i] : last;
    return last;
}

static void time_items(size_t items, mgl_item_fn *run, void *context)
{
    bench_section *s = &state.sections[state.stage];
    double free_at[BENCH_CROWDS][MOST_THREADS] = {{0}}, in_turn = s->in_turn;
    for (size_t item = 0; item < items; item++) {
        run(context, item, 0);
        double time = now(), seconds = time - state.since;
        state.since = time;
        s->items += seconds;
        for (size_t i = 0; i < BENCH_CROWDS; i++)
            give_item(free_at[i], bench_crowds[i], seconds);
    }
    in_turn = s->in_turn - in_turn;
    for (size_t i = 0; i < BENCH_CROWDS; i++) {
        double wall = last_of(free_at[i], bench_crowds[i]);
        s->wall[i] += wall > in_turn ? wall : in_turn;
    }
    s->rounds++;
}

void __real_mgl_pool_run(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context);
void __wrap_mgl_pool_run(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context);
void __wrap_mgl_pool_run(mgl_pool *pool, size_t items, mgl_item_fn *run, void *context)
{
    if (!state.on || items <= 1 || pool == NULL) { /* one item is nobody else's */
        __real_mgl_pool_run(pool, items, run, context);
        return;
    }
    note_serial();
    time_items(items, run, context);
}

/* As many as are modelled, whatever the machine has. */
unsigned __real_mgl_pool_threads(const mgl_pool *pool);
unsigned __wrap_mgl_pool_threads(const mgl_pool *pool);
unsigned __wrap_mgl_pool_threads(const mgl_pool *pool)
{
    return state.on && pool != NULL ? MOST_THREADS : __real_mgl_pool_threads(pool);
}

/* The kernel lets one thread at a time write to a file. */
mgl_status __real_mgl_text_write(mgl_text_writer *writer, const char *data, size_t size,
                                 mgl_error *err);
mgl_status __wrap_mgl_text_write(mgl_text_writer *writer, const char *data, size_t size,
                                 mgl_error *err);
mgl_status __wrap_mgl_text_write(mgl_text_writer *writer, const char *data, size_t size,
                                 mgl_error *err)
{
    double start = state.on ? now() : 0;
    mgl_status status = __real_mgl_text_write(writer, data, size, err);
    if (state.on)
        state.sections[state.stage].in_turn += now() - start;
    return status;
}

/* ---- Stages ------------------------------------------------------------------------------------
 */

static int enter(int stage)
{
    int before = state.stage;
    if (state.on)
        note_serial();
    state.stage = stage;
    return before;
}

static mgl_status leave(int before, mgl_status status)
{
    if (state.on)
        note_serial();
    state.stage = before;
    return status;
}

/* A function of the library that is a stage: its parameters as they are declared and as they are
 * handed on. */
#define STAGE(stage, name, declared, handed)                                                       \
    mgl_status __real_##name declared;                                                             \
    mgl_status __wrap_##name declared;                                                             \
    mgl_status __wrap_##name declared                                                              \
    {                                                                                              \
        int before = enter(stage);                                                                 \
        return leave(before, __real_##name handed);                                                \
    }

STAGE(BENCH_READ, mgl_reading_new,
      (mgl_session * session, const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
       mgl_reading **out),
      (session, settings, purpose, err, out))
STAGE(BENCH_COUNT, mgl_counts_find, (mgl_reading * reading, mgl_error *err, mgl_counts *out),
      (reading, err, out))
STAGE(BENCH_SEARCH, mgl_task_new,
      (const mgl_settings *settings, const mgl_counts *counts, bool refuse, mgl_error *err,
       mgl_task **out),
      (settings, counts, refuse, err, out))
STAGE(BENCH_SEARCH, mgl_method_run,
      (const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
       mgl_solution **out),
      (method, problem, err, out))
STAGE(BENCH_WRITE, mgl_stage_release,
      (const mgl_release_request *release, mgl_error *err, mgl_found *found, mgl_written *written,
       mgl_stage **out),
      (release, err, found, written, out))
STAGE(BENCH_VERIFY, mgl_verify,
      (const char *path, const mgl_promise *promise, mgl_pool *pool, const mgl_progress *progress,
       mgl_error *err, mgl_found *found, mgl_verified *out),
      (path, promise, pool, progress, err, found, out))
STAGE(BENCH_GUARD, mgl_guarding_new,
      (const mgl_task *task, const mgl_reading *reading, const mgl_solution *solution,
       const mgl_column *const *followed, mgl_error *err, mgl_guarding **out),
      (task, reading, solution, followed, err, out))
STAGE(BENCH_GUARD, mgl_guarding_judge,
      (mgl_guarding * guarding, mgl_error *err, mgl_objections *out), (guarding, err, out))
STAGE(BENCH_TELL, mgl_describe_solution,
      (const char *command, const mgl_outcome *outcome, mgl_error *err, mgl_result **out),
      (command, outcome, err, out))
