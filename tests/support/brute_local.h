/* Local suppression judged row by row, in both ways of counting: what its tests share. */
#pragma once

#include "brute_models_problem.h"
#include "search/local/patterns.h"

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

/* What is asked for besides the table. */
typedef struct local_wish {
    double importance[BRUTE_ATTRIBUTES];
    bool tops_match;
    int sizes; /* bit i: combinations of i columns; 0: all columns together */
    bool all;
    mgl_effort effort;
} local_wish;

local_wish local_make_wish(brute_random *random, int n_attributes, bool tops_match);
int local_top_text(const brute_table *t, int a);
int local_ground_text(const brute_table *t, int r, int a);
bool local_is_free(const brute_table *t, int a);
void local_read_release(const brute_table *t, const brute_made *m, const mgl_recoding *recoding,
                        brute_node *out);
bool local_classes_hold(brute_table *t, const brute_node *n, int columns);
bool local_keeps_promise(brute_table *t, const brute_node *n, const local_wish *w, int *least);
void local_check_needed(brute_table *t, const brute_made *m, const brute_node *n,
                        const local_wish *w);
double local_cost(const brute_table *t, const brute_node *n, const local_wish *w);

/* The same job by one thread and by the pool. */
mgl_problem local_make_problem(const brute_made *m, const local_wish *w,
                               mgl_local_options *options);
mgl_solution *local_run(const brute_table *t, const mgl_problem *given, mgl_pool *pool,
                        mgl_status *status);
uint64_t local_make_table(brute_table *t, uint64_t seed);
void local_vary(brute_table *t, brute_made *m, brute_random *random, bool tops_match);
void local_each_model(brute_kind first, brute_kind end, int tables, uint64_t seed);

/* Set-up and tear-down of a group of tests: a folder, and the pool. */
int local_begin(void **state);
int local_end(void **state);
