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

/* What each stage of the library does. */
static const char *words_of(const char *stage)
{
    static const char *const words[][2] = {
        {"wait", "waiting"},     {"import", "reading"},    {"read", "reading"},
        {"search", "searching"}, {"write", "writing"},     {"verify", "verifying"},
        {"guard", "guarding"},   {"check", "checking"},    {"measure", "measuring"},
        {"curve", "other k"},    {"compare", "comparing"}, {"what-if", "comparing"},
        {"attack", "attacking"},
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i][0], stage) == 0)
            return words[i][1];
    return stage;
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
static void draw(const char *stage, double share, double time)
{
    char text[LINE], percent[16];
    double passed = time - line.begun;
    snprintf(text, sizeof text, "%-11s", words_of(stage));
    append_bar(text, share);
    snprintf(percent, sizeof percent, " %3.0f %%", 100 * share);
    append(text, percent);
    if (share > 0.1 && share < 1)
        append_time(text, passed * (1 - share) / share, " left");
    else
        append_time(text, passed, "");
    cut(text);
    fprintf(stderr, "\r\033[K%s", text);
    fflush(stderr);
    line.shown = true;
    line.drawn = time;
}

static int on_progress(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user;
    if (caught != 0)
        return 1;
    double time = now();
    if (line.wanted && time - line.begun > 1 && time - line.drawn > 0.1)
        draw(stage, (double)done / (double)total, time);
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
