/* What a release of Adult lost. */
#ifndef MGL_BENCH_MEASURE_H
#define MGL_BENCH_MEASURE_H

#include "search/search.h"

/* Ends the program if a class has fewer than k rows. Free with mgl_statistics_free. */
mgl_statistics bench_measure(const mgl_problem *problem, const mgl_recoding *recoding);

#endif
