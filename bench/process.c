/* Runs another program and measures its processor time and memory. road.c calls it. */
#define _DEFAULT_SOURCE /* wait4 */
#include "process.h"

#include "bench.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static double seconds_of(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static bench_usage wait_for(pid_t pid, double start)
{
    struct rusage usage;
    int status;
    if (wait4(pid, &status, 0, &usage) != pid)
        return (bench_usage){.failed = true};
    return (bench_usage){.wall = bench_seconds() - start,
                         .cpu = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime),
                         .user = seconds_of(usage.ru_utime),
                         .system = seconds_of(usage.ru_stime),
                         .faults = (double)(usage.ru_minflt + usage.ru_majflt),
                         .switches = (double)(usage.ru_nvcsw + usage.ru_nivcsw),
                         .peak = (double)usage.ru_maxrss / 1024,
                         .failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0};
}

bench_usage bench_child(bench_child_fn *fn, void *context, double *figures, size_t n_figures)
{
    int ends[2];
    size_t size = n_figures * sizeof *figures;
    if (pipe(ends) != 0)
        return (bench_usage){.failed = true};
    fflush(stdout);
    double start = bench_seconds();
    pid_t pid = fork();
    if (pid == 0) {
        int status = fn(context, figures);
        if (status == 0 && write(ends[1], figures, size) != (ssize_t)size)
            status = 1;
        _exit(status);
    }
    close(ends[1]);
    bench_usage usage = {.failed = true};
    if (pid > 0)
        usage = wait_for(pid, start);
    if (!usage.failed && read(ends[0], figures, size) != (ssize_t)size)
        usage.failed = true;
    close(ends[0]);
    return usage;
}

bench_usage bench_command(const char *format, ...)
{
    char command[8192];
    va_list args;
    va_start(args, format);
    vsnprintf(command, sizeof command, format, args);
    va_end(args);
    fflush(stdout);
    double start = bench_seconds();
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    return pid > 0 ? wait_for(pid, start) : (bench_usage){.failed = true};
}

bool bench_has_program(const char *name)
{
    return !bench_command("command -v %s >/dev/null", name).failed;
}
