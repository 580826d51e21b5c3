/* Handles signals and draws the progress line. The handler only sets a flag; the library asks for
 * it through the progress callback and cancels. run.c calls it around each job. */
#include "cli.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

typedef struct progress_line {
    bool wanted; /* stderr is a terminal and nobody said --quiet */
    bool blocks; /* it can show block characters */
    int width;   /* columns it has; 0: nobody knows */
    bool shown;
    const struct stage_row *stage; /* the last one that was reached */
    uint64_t done;                 /* of it, when it was reported last */
    double share;                  /* of the whole, which never goes back */
    double from, to;               /* what the pass of the stage that is under way has of it */
    double begun, drawn;
} progress_line;

static progress_line line;

static void on_signal(int number)
{
    caught = number;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* ---- The parts of the line ----------------------------------------------------------------- */

enum { LINE = 256, BAR = 24, AROUND = 42, SHORTEST_BAR = 4 }; /* columns but for the line */

/* What a stage does, and where it ends in the whole; it begins where the one before ends. Stages
 * are in the order in which a run goes through them. */
typedef struct stage_row {
    const char *name, *words;
    double end;
} stage_row;

static const stage_row stages[] = {
    {"wait", "waiting", 0.01},     {"read", "reading", 0.3},   {"import", "reading", 0.3},
    {"search", "searching", 0.65}, {"curve", "other k", 0.7},  {"compare", "comparing", 0.7},
    {"what-if", "comparing", 0.7}, {"write", "writing", 0.85}, {"guard", "guarding", 0.92},
    {"check", "checking", 0.99},   {"verify", "verifying", 1},
};

static const stage_row *stage_of(const char *name)
{
    for (size_t i = 0; i < sizeof stages / sizeof stages[0]; i++)
        if (strcmp(stages[i].name, name) == 0)
            return &stages[i];
    return NULL;
}

static void append(char *text, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, LINE - used, "%s", more);
}

static void append_bar(char *text, double share)
{
    size_t room = line.width > AROUND + SHORTEST_BAR ? (size_t)line.width - AROUND : SHORTEST_BAR;
    size_t length = line.width == 0 || room > BAR ? BAR : room;
    size_t full = (size_t)(share * (double)length + 0.5);
    for (size_t i = 0; i < length; i++)
        append(text, i < full ? (line.blocks ? "\u2588" : "#") : (line.blocks ? "\u2591" : "."));
}

/* 42 s, 3:05, 2:10:00 */
static void append_time(char *text, double seconds, const char *after)
{
    char more[64];
    unsigned long whole = (unsigned long)(seconds + 0.5);
    if (whole < 100)
        snprintf(more, sizeof more, "  %lu s%s", whole, after);
    else if (whole < 3600)
        snprintf(more, sizeof more, "  %lu:%02lu%s", whole / 60, whole % 60, after);
    else
        snprintf(more, sizeof more, "  %lu:%02lu:%02lu%s", whole / 3600, whole / 60 % 60,
                 whole % 60, after);
    append(text, more);
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* A line that goes on in the next one could not be taken away. */
static void cut(char *text)
{
    int columns = 0;
    for (; *text != '\0'; text++) {
        columns += ((unsigned char)*text & 0xC0) != 0x80;
        if (line.width > 0 && columns >= line.width)
            *text = '\0', text--;
    }
}

/* "reading    ######..................  25 %  9 s left" */
static void draw(double time)
{
    char text[LINE], percent[16];
    double passed = time - line.begun;
    snprintf(text, sizeof text, "%-11s", line.stage->words);
    append_bar(text, line.share);
    snprintf(percent, sizeof percent, " %3.0f %%", 100 * line.share);
    append(text, percent);
    if (line.share > 0.1 && line.share < 1)
        append_time(text, passed * (1 - line.share) / line.share, " left");
    else
        append_time(text, passed, "");
    cut(text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    line.shown = true;
    line.drawn = time;
}

/* One bar for the whole run: a stage that counts from the beginning again, in another pass, gets
 * half of what is left of it, and one that was left does not come back. */
static void advance(const stage_row *stage, uint64_t done, uint64_t total)
{
    if (line.stage == NULL || stage > line.stage) {
        line.from = stage > stages ? (stage - 1)->end : 0;
        line.share = line.share > line.from ? line.share : line.from;
        line.from = line.share;
        line.to = line.from + 0.8 * (stage->end - line.from);
        line.stage = stage;
    } else if (done < line.done) {
        line.from = line.share;
        line.to = line.from + 0.5 * (stage->end - line.from);
    }
    line.done = done;
    double part = total == 0 ? 0 : done < total ? (double)done / (double)total : 1;
    double share = line.from + part * (line.to - line.from);
    line.share = share > line.share ? share : line.share;
}

static int on_progress(void *user, const char *name, uint64_t done, uint64_t total)
{
    const stage_row *stage = stage_of(name);
    (void)user;
    if (caught != 0)
        return 1;
    if (!line.wanted || stage == NULL)
        return 0;
    if (line.stage == NULL || stage >= line.stage)
        advance(stage, done, total);
    double time = now();
    if (time - line.begun > 1 && time - line.drawn > 0.1)
        draw(time);
    return 0;
}

void mgl_cli_watch(mgl_job *job, bool quiet)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    /* A second signal ends the program at once. */
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        struct sigaction old;
        /* nohup and background jobs ignore signals; so do we then. */
        if (sigaction(numbers[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(numbers[i], &action, NULL);
    }
    line = (progress_line){.wanted = !quiet && isatty(STDERR_FILENO),
                           .blocks = mgl_cli_shows_utf8(false),
                           .width = mgl_cli_width(stderr),
                           .begun = now()};
    mgl_job_on_progress(job, on_progress, NULL);
}

int mgl_cli_watched(void)
{
    if (line.shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    line.shown = false;
    return caught;
}
