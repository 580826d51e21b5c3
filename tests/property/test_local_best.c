/* Local suppression beside the best there is: every choice of suppressed cells of tiny tables. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_local.h"

static brute_table table;

enum { BEST_BITS = 16 }; /* cells of distinct tuples */

static int number_tuples(const brute_table *t, const brute_made *m, size_t *tuples)
{
    int n = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        int i = 0;
        while (i < n && tuples[i] != m->tuple_of[r])
            i++;
        if (i == n)
            tuples[n++] = m->tuple_of[r];
    }
    return n;
}

/* Every choice of suppressed cells is tried; the least cost of one that keeps the promise, or -1.
 */
static double find_best(brute_table *t, const brute_made *m, const local_wish *w,
                        const size_t *tuples, int n)
{
    int columns = t->c.n_attributes;
    double best = -1;
    for (int choice = 0; choice < 1 << (n * columns); choice++) {
        brute_node node = {0};
        int least, which[BRUTE_ROWS];
        for (int r = 0; r < t->c.n_rows; r++) {
            for (which[r] = 0; tuples[which[r]] != m->tuple_of[r];)
                which[r]++;
            node.suppressed[r] = true;
            for (int a = 0; a < columns; a++) {
                bool suppressed = choice >> (which[r] * columns + a) & 1;
                node.released[r][a] =
                    suppressed ? local_top_text(t, a) : local_ground_text(t, r, a);
                node.suppressed[r] =
                    node.suppressed[r] && node.released[r][a] == local_top_text(t, a);
            }
        }
        double cost = local_cost(t, &node, w);
        if ((best < 0 || cost < best) && local_keeps_promise(t, &node, w, &least))
            best = cost;
    }
    return best;
}

/* A table small enough to try all, without bounds. */
static uint64_t make_tiny(brute_table *t, uint64_t seed, brute_random *random)
{
    do {
        seed = local_make_table(t, seed);
        brute_table_take_model(t, random, BRUTE_K);
        t->has_persons = false;
        for (int a = 0; a < t->c.n_attributes; a++) {
            t->c.min_level[a] = 0;
            t->c.max_level[a] = t->c.hierarchies[a].height;
            t->c.bounded[a] = false;
        }
        t->c.treatment = BRUTE_KEEP;
        t->c.limited = false;
    } while (t->c.n_attributes > 4 || t->c.n_rows > 12 || t->models[0].parameters[0] > t->c.n_rows);
    return seed;
}

/* Adds what the search and the best choice cost. */
static void compare(brute_table *t, const brute_made *m, const local_wish *w, double *sum,
                    double *best)
{
    size_t tuples[BRUTE_ROWS];
    int n = number_tuples(t, m, tuples);
    if (n * t->c.n_attributes > BEST_BITS)
        return;
    mgl_local_options options;
    mgl_problem problem = local_make_problem(m, w, &options);
    problem.treatment = MGL_KEEP;
    problem.limited = false;
    mgl_status status;
    mgl_solution *s = local_run(t, &problem, NULL, &status);
    double least = find_best(t, m, w, tuples, n);
    AGREE((s != NULL) == (least >= 0));
    if (s == NULL)
        return;
    brute_node node;
    local_read_release(t, m, s->recoding, &node);
    double cost = local_cost(t, &node, w);
    AGREE(cost >= least - 1e-9);
    AGREE(w->effort != MGL_EFFORT_BEST || w->tops_match || cost <= least + 1e-6);
    *sum += cost;
    *best += least;
    mgl_solution_free(s);
}

/* How far the search is from the best; with the greatest effort it is the best where a suppressed
 * cell is a value. */
static void releases_are_near_the_best_of_all(void **state)
{
    (void)state;
    static const struct {
        bool tops_match;
        mgl_effort effort;
    } ways[] = {{false, MGL_EFFORT_FAST},
                {false, MGL_EFFORT_BALANCED},
                {false, MGL_EFFORT_BEST},
                {true, MGL_EFFORT_FAST},
                {true, MGL_EFFORT_BALANCED}};
    double sum[5] = {0}, best[5] = {0};
    uint64_t seed = 20000000;
    for (int i = 0; i < brute_cases(60); i++) {
        brute_made m;
        brute_random random = {seed + 99};
        seed = make_tiny(&table, seed, &random);
        brute_made_make(&table, &m);
        for (int k = 0; k < 5; k++) {
            local_wish w = {.tops_match = ways[k].tops_match, .effort = ways[k].effort};
            for (int a = 0; a < table.c.n_attributes; a++)
                w.importance[a] = 1 + (i + a) % 3;
            compare(&table, &m, &w, &sum[k], &best[k]);
        }
        brute_made_free(&m);
    }
    for (int k = 0; k < 5; k++) {
        print_message("suppressed cells %s, effort %d: cost %g, at best %g\n",
                      ways[k].tops_match ? "match all" : "are values", (int)ways[k].effort, sum[k],
                      best[k]);
        assert_true(best[k] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_are_near_the_best_of_all),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
