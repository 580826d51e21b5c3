/* What a run does inside parallel sections and outside of them, stage by stage. */
#ifndef MGL_BENCH_SECTIONS_H
#define MGL_BENCH_SECTIONS_H

#include <stdbool.h>

enum {
    BENCH_READ,
    BENCH_COUNT,
    BENCH_SEARCH,
    BENCH_WRITE,
    BENCH_VERIFY,
    BENCH_GUARD,
    BENCH_TELL,
    BENCH_REST,
    BENCH_STAGES
};
extern const char *const bench_stage_names[BENCH_STAGES];

/* Numbers of threads that are modelled. */
enum { BENCH_CROWDS = 5 };
extern const unsigned bench_crowds[BENCH_CROWDS]; /* 1, 2, 4, 8, 16 */

/* Seconds of processor time. */
typedef struct bench_section {
    double serial;             /* of the calling thread outside parallel sections */
    double items;              /* of all items */
    double in_turn;            /* of items, where only one may be at a time */
    double wall[BENCH_CROWDS]; /* as long as all would take with so many cores */
    double rounds;             /* parallel sections */
} bench_section;

/* From here on items of pools are run by the calling thread, one after the other and timed, though
 * the pools have as many threads as they say. What a round would take on p cores is modelled: each
 * thread takes the next item when it is done with one, and what is done in turn adds up. */
void bench_sections_begin(void);
void bench_sections_end(bench_section out[BENCH_STAGES]);

#endif
