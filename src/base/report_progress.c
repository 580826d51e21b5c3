/* Computes one share of all that loops report, and calls the callback with it and the stage, on the
 * thread that called the library only. */
#include "base/progress.h"

#include "base/call.h"
#include "base/sys.h"

#include <locale.h>
#include <string.h>

/* Seconds after which the last report is repeated. */
#define A_WHILE 0.5
/* The total that callbacks get. */
#define WHOLE 10000
/* A loop that does not know what there is to do is half done when it has done so much. */
#define MUCH 1e5
/* What a loop gets of what is left of a stage. */
#define FIRST_PASS 0.8
#define FURTHER_PASS 0.5

static _Thread_local bool mute;
static _Thread_local mgl_progress_state here;

/* In the order in which a call goes through them, with what each usually takes. */
typedef struct stage_row {
    const char *name;
    double weight;
} stage_row;

static const stage_row stages[] = {
    {"wait", 1},     {"import", 1},   {"read", 30},   {"search", 35}, {"write", 12},
    {"verify", 12},  {"guard", 6},    {"check", 6},   {"measure", 5}, {"curve", 30},
    {"compare", 60}, {"what-if", 60}, {"attack", 60},
};

/* Where a stage lies in the plan; false: it is no part of it. */
static bool find_span(const char *stage, double *from, double *to)
{
    const char *plan = here.plan != NULL ? here.plan : "read search write verify guard measure";
    double all = 0, before = 0, own = 0;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        bool is_own = strcmp(stages[i].name, stage) == 0;
        double weight = strstr(plan, stages[i].name) != NULL ? stages[i].weight : 0;
        before = is_own ? all : before;
        own = is_own ? weight : own;
        all += weight;
    }
    *from = before / all;
    *to = (before + own) / all;
    return own > 0;
}

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* A loop that begins gets so much of what is left up to `end`. */
static void begin_pass(mgl_progress_pass *pass, const char *stage, double end, double of_rest)
{
    double left = later(end - here.share, 0);
    *pass =
        (mgl_progress_pass){.stage = stage, .from = here.share, .to = here.share + of_rest * left};
}

/* Another loop than the one that reported last, or the same from its beginning? */
static bool is_next(const mgl_progress_pass *pass, const char *stage, uint64_t done)
{
    return pass->stage == NULL || strcmp(pass->stage, stage) != 0 || done < pass->done;
}

/* A stage of the plan that was not reached yet begins where it lies. Any other one, and one that
 * counts from its beginning again, is a further loop of what was reached. */
static void begin_stage(const char *stage)
{
    double from, to;
    bool reached = !find_span(stage, &from, &to) || to <= here.end;
    if (!reached) {
        here.share = later(here.share, from);
        here.end = to;
    }
    begin_pass(&here.stages, stage, here.end, reached ? FURTHER_PASS : FIRST_PASS);
    here.turn_end = here.stages.to;
    here.turn = (mgl_progress_pass){0};
}

static void reach(mgl_progress_pass *pass, uint64_t done, uint64_t total)
{
    double part = total == 0     ? (double)done / ((double)done + MUCH)
                  : done < total ? (double)done / (double)total
                                 : 1;
    double share = pass->from + part * (pass->to - pass->from);
    double most = 1 - 1.0 / WHOLE; /* while there is something to report, not all is done */
    pass->done = done;
    here.share = later(here.share, share < most ? share : most);
}

static void advance_stage(const char *stage, uint64_t done, uint64_t total)
{
    if (is_next(&here.stages, stage, done))
        begin_stage(stage);
    reach(&here.stages, done, total);
    if (done < total) {
        double step = (here.stages.to - here.stages.from) / (double)total;
        here.turn_end = here.stages.from + (double)(done + 1) * step;
        here.turn = (mgl_progress_pass){0};
    }
}

static void advance(const char *stage, uint64_t done, uint64_t total)
{
    if (here.within != NULL && strcmp(here.within, stage) != 0) {
        /* What another stage reports is a part of the turn that the stage is in. */
        if (here.stages.stage == NULL || strcmp(here.stages.stage, here.within) != 0)
            begin_stage(here.within);
        if (is_next(&here.turn, stage, done))
            begin_pass(&here.turn, stage, here.turn_end,
                       here.turn.stage == NULL ? FIRST_PASS : FURTHER_PASS);
        reach(&here.turn, done, total);
    } else
        advance_stage(stage, done, total);
    here.stage = here.within != NULL ? here.within : stage;
}

static bool tell(const mgl_progress *progress, const char *stage, uint64_t done, uint64_t total)
{
    locale_t ours = uselocale(LC_GLOBAL_LOCALE); /* the listener is the program's */
    const mgl_call *call = mgl_call_enter(NULL);
    int stop = progress->fn(progress->user, stage, done, total);
    mgl_call_leave(call);
    (void)uselocale(ours);
    return stop != 0;
}

static bool report_share(void)
{
    here.at = mgl_sys_seconds();
    return tell(here.progress, here.stage, (uint64_t)(here.share * WHOLE), WHOLE);
}

/* Of the call itself? A search may listen to a part of itself. */
static bool is_of_call(const mgl_progress *progress)
{
    return here.progress != NULL && progress->fn == here.progress->fn &&
           progress->user == here.progress->user;
}

mgl_status mgl_progress_report(const mgl_progress *progress, const char *stage, uint64_t done,
                               uint64_t total, mgl_error *err)
{
    if (mgl_progress_stopped(progress))
        return mgl_fail_cancelled(err);
    if (progress == NULL || progress->fn == NULL || mute)
        return MGL_OK;
    bool of_call = is_of_call(progress);
    if (of_call)
        advance(stage, done, total);
    if (!(of_call ? report_share() : tell(progress, stage, done, total)))
        return MGL_OK;
    if (progress->stop != NULL) /* the other threads hear of it */
        atomic_store(progress->stop, true);
    return mgl_fail_cancelled(err);
}

mgl_progress_state mgl_progress_enter(const mgl_progress *progress)
{
    mgl_progress_state before = here;
    here = (mgl_progress_state){.progress = progress, .stage = "read", .at = mgl_sys_seconds()};
    return before;
}

void mgl_progress_leave(const mgl_progress_state *before)
{
    here = *before;
}

void mgl_progress_end(void)
{
    here.share = 1;
    if (here.progress != NULL && here.progress->fn != NULL && !mgl_progress_stopped(here.progress))
        (void)report_share();
}

void mgl_progress_plan(const char *plan)
{
    if (here.plan == NULL)
        here.plan = plan;
}

const char *mgl_progress_within(const char *stage)
{
    const char *before = here.within;
    if (before == NULL)
        here.within = here.stage = stage;
    return before;
}

void mgl_progress_go_on(const char *before)
{
    here.within = before;
}

void mgl_progress_mute(void)
{
    mute = true;
}

bool mgl_progress_is_mute(void)
{
    return mute;
}

bool mgl_progress_is_heard(void)
{
    return here.progress != NULL && here.progress->fn != NULL && here.progress->stop != NULL;
}

void mgl_progress_remind(void)
{
    if (!mgl_progress_is_heard() || mgl_sys_seconds() - here.at < A_WHILE)
        return;
    here.at = mgl_sys_seconds();
    if (!mgl_progress_stopped(here.progress) && report_share())
        atomic_store(here.progress->stop, true);
}

mgl_status mgl_progress_poll(size_t turn, mgl_error *err)
{
    enum { EVERY = 256 };
    if (turn % EVERY != EVERY - 1 || mute)
        return MGL_OK;
    mgl_progress_remind();
    return mgl_progress_stopped(here.progress) ? mgl_fail_cancelled(err) : MGL_OK;
}
