/* Signals and the progress line. The handler only sets a flag; the library asks for it
 * through the progress callback and cancels. */
#include "cli.h"

#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

typedef struct progress_line {
    bool wanted; /* stderr is a terminal and nobody said --quiet */
    bool shown;
    char stage[24];
    double begun, stage_begun, drawn;
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

static void append_rate(char *text, size_t size, double rate)
{
    static const char units[] = " kMGT";
    size_t unit = 0;
    while (rate >= 1000 && unit + 1 < sizeof units - 1) {
        rate /= 1000;
        unit++;
    }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "  %.1f%.*s/s", rate, unit > 0, &units[unit]);
}

static void draw(double time, uint64_t done, uint64_t total)
{
    char text[128];
    snprintf(text, sizeof text, "%s", line.stage);
    if (total > 0) {
        double share = done < total ? (double)done / (double)total : 1;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "  %3.0f %%", 100 * share);
    }
    if (time - line.stage_begun > 0.2 && done > 0)
        append_rate(text, sizeof text, (double)done / (time - line.stage_begun));
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
    if (!line.wanted)
        return 0;
    double time = now();
    if (strncmp(stage, line.stage, sizeof line.stage - 1) != 0) {
        snprintf(line.stage, sizeof line.stage, "%s", stage);
        line.stage_begun = time;
    }
    if (time - line.begun > 1 && time - line.drawn > 0.1)
        draw(time, done, total);
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
    line = (progress_line){.wanted = !quiet && isatty(STDERR_FILENO), .begun = now()};
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
