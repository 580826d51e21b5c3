/* soak MINUTES [SEED]: random jobs on random tables, one after another, each release judged by
 * brute force. Prints how many there were; the first that is wrong ends it. */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "brute_files.h"

enum { SLOW = 20 }; /* seconds: told, no fault */

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void report(const unsigned long long *counts, double seconds)
{
    printf("%.1f minutes: %llu releases hold, %llu jobs without one, %llu refused\n", seconds / 60,
           counts[TRIAL_RELEASED], counts[TRIAL_UNMET], counts[TRIAL_REFUSED]);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static trial x;
    unsigned long long counts[TRIAL_OUTCOMES] = {0};
    double minutes = argc > 1 ? strtod(argv[1], NULL) : 0, begun = now(), told = begun;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : (uint64_t)time(NULL) * 1000;
    if (minutes <= 0) {
        fprintf(stderr, "usage: soak MINUTES [SEED]\n");
        return 2;
    }
    if (brute_enter_folder(NULL) != 0) {
        perror("soak");
        return 4;
    }
    printf("from seed %llu on\n", (unsigned long long)seed);
    for (; now() < begun + 60 * minutes; seed++) {
        double started = now();
        trial_make(&x, seed, seed, NULL, 0);
        counts[trial_run(&x)]++;
        if (now() > started + SLOW)
            printf("seed %llu, %s: %.0f seconds\n", (unsigned long long)seed, x.method,
                   now() - started);
        if (now() > told + 60) {
            told = now();
            report(counts, told - begun);
        }
    }
    report(counts, now() - begun);
    return brute_leave_folder(NULL) == 0 && counts[TRIAL_RELEASED] > 0 ? 0 : 1;
}
