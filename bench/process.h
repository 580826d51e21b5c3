/* Work in a process of its own, so that its memory and its time are its own. */
#ifndef MGL_BENCH_PROCESS_H
#define MGL_BENCH_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct bench_usage {
    double wall, cpu;    /* seconds; cpu of all threads, system included */
    double user, system; /* what cpu is the sum of */
    double faults;       /* pages that the kernel had to provide */
    double switches;     /* from one thread to another */
    double peak;         /* MB */
    bool failed;
} bench_usage;

/* Runs fn(context, figures); the figures it leaves there are the caller's, too. fn returns 0 if it
 * went well. */
typedef int bench_child_fn(void *context, double *figures);
bench_usage bench_child(bench_child_fn *fn, void *context, double *figures, size_t n_figures);

/* Runs a command of the shell. */
bench_usage bench_command(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Is there such a program? */
bool bench_has_program(const char *name);

#endif
