/* How long the cell level looks, for each --effort. cell.c reads it. */
#include "search/cell/efforts.h"

const mgl_cell_effort mgl_cell_efforts[] = {
    [MGL_EFFORT_FAST] = {.simple_work = 400000000,
                         .near_work = 100000000,
                         .cluster_work = 10000000000,
                         .guides = 256,
                         .borrow_tuples = 100000},
    [MGL_EFFORT_BALANCED] = {.simple_work = 4000000000,
                             .near_work = 8000000000,
                             .around_work = 5000,
                             .cluster_work = 100000000000,
                             .guides = 512,
                             .borrow_tuples = SIZE_MAX,
                             .most_tuples = 1000000,
                             .closed_work = 600000000,
                             .large_work = 160000000,
                             .sweeps = 200,
                             .large_sweeps = 30,
                             .least_work = 3000000,
                             .tuple_work = 13000,
                             .improve_work = 750000000,
                             .price_times = 1,
                             .exact_work = 1000000000},
    [MGL_EFFORT_BEST] = {.simple_work = 20000000000,
                         .near_work = 100000000000,
                         .around_work = 2000000,
                         .cluster_work = 1000000000000,
                         .guides = 1024,
                         .borrow_tuples = SIZE_MAX,
                         .most_tuples = 1000000,
                         .closed_work = 10000000000,
                         .large_work = 600000000,
                         .sweeps = 1000,
                         .large_sweeps = 200,
                         .improves_large = true,
                         .least_work = 700000000,
                         .tuple_work = 400000,
                         .improve_work = 8000000000,
                         .price_times = 2,
                         .exact_work = 30000000000},
};

enum { PAIR_WORK = 13000 }; /* for improving, at most: a few tuples have no more to try */

uint64_t mgl_cell_improve_work(mgl_effort effort, uint64_t n_tuples, bool by_prices)
{
    const mgl_cell_effort *e = &mgl_cell_efforts[effort];
    uint64_t times = by_prices ? e->price_times : 1;
    uint64_t work = times * e->tuple_work * n_tuples, most = times * e->improve_work;
    uint64_t few = n_tuples * n_tuples * PAIR_WORK;
    uint64_t least = e->least_work < few ? e->least_work : few;
    work = work < most ? work : most;
    return work > least ? work : least;
}
