/* Microaggregation against plain programs: MDAV as it is told, all partitions of small tables
 * with one column, and what every release must be. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "search/cluster/microaggregate/points.h"
#include "brute_files.h"
#include "numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mgl_status run(const numbers_made *m, mgl_solution **out)
{
    mgl_error err = {0};
    *out = NULL;
    return mgl_method_run(mgl_method_type_find("microaggregate"), &m->problem, &err, out);
}

/* To eleven digits, or to that share of the size. */
static bool close_to(double x, double y, double size)
{
    return fabs(x - y) <= 1e-11 * fmax(size, fmax(fabs(x), fabs(y)));
}

/* ---- MDAV, plainly ------------------------------------------------------------------------- */

/* Distinct rows in the order of their numbers. */
typedef struct plain {
    int n, n_columns, n_groups;
    double base[NUMBERS_COLUMNS]; /* numbers are less this one, so that sums keep their digits */
    double x[NUMBERS_ROWS][NUMBERS_COLUMNS];
    int rows[NUMBERS_ROWS];
    int group[NUMBERS_ROWS]; /* -1: none */
    double weight[NUMBERS_COLUMNS];
    int tuple_of[NUMBERS_ROWS]; /* [row of the table] */
} plain;

static int compare_rows(const numbers *t, int r, int s)
{
    for (int a = 0; a < t->n_columns; a++)
        if (t->cell[r][a] != t->cell[s][a])
            return t->cell[r][a] < t->cell[s][a] ? -1 : 1;
    return 0;
}

static void plain_make(const numbers *t, plain *p)
{
    int order[NUMBERS_ROWS];
    *p = (plain){.n_columns = t->n_columns};
    for (int r = 0; r < t->n_rows; r++) {
        int at = r;
        for (; at > 0 && compare_rows(t, r, order[at - 1]) < 0; at--)
            order[at] = order[at - 1];
        order[at] = r;
    }
    for (int a = 0; a < p->n_columns; a++) {
        p->base[a] = t->cell[0][a];
        for (int r = 1; r < t->n_rows; r++)
            p->base[a] = fmin(p->base[a], t->cell[r][a]);
    }
    for (int i = 0; i < t->n_rows; i++) {
        if (i == 0 || compare_rows(t, order[i], order[i - 1]) != 0) {
            for (int a = 0; a < t->n_columns; a++)
                p->x[p->n][a] = t->cell[order[i]][a] - p->base[a];
            p->group[p->n++] = -1;
        }
        p->rows[p->n - 1]++;
        p->tuple_of[order[i]] = p->n - 1;
    }
    for (int a = 0; a < p->n_columns; a++) {
        double mean = 0, variance = 0, base = p->base[a];
        for (int r = 0; r < t->n_rows; r++)
            mean += (t->cell[r][a] - base) / t->n_rows;
        for (int r = 0; r < t->n_rows; r++)
            variance += pow(t->cell[r][a] - base - mean, 2) / t->n_rows;
        bool differ = false;
        for (int r = 1; r < t->n_rows; r++)
            differ = differ || t->cell[r][a] != t->cell[0][a];
        p->weight[a] = differ ? 1 / variance : 0;
    }
}

static double distance(const plain *p, const double *x, const double *y)
{
    double sum = 0;
    for (int a = 0; a < p->n_columns; a++)
        sum += (x[a] - y[a]) * (x[a] - y[a]) * p->weight[a];
    return sum;
}

/* Of a group, or of what is in none (-1). */
static int count(const plain *p, int group)
{
    int rows = 0;
    for (int t = 0; t < p->n; t++)
        rows += p->group[t] == group ? p->rows[t] : 0;
    return rows;
}

static void find_mean(const plain *p, int group, double *mean)
{
    for (int a = 0; a < p->n_columns; a++) {
        mean[a] = 0;
        for (int t = 0; t < p->n; t++)
            mean[a] += p->group[t] == group ? p->x[t][a] * p->rows[t] / count(p, group) : 0;
    }
}

static int farthest(const plain *p, const double *from)
{
    double most = 0;
    int found = -1;
    for (int t = 0; t < p->n; t++)
        if (p->group[t] < 0)
            most = fmax(most, distance(p, p->x[t], from));
    for (int t = 0; t < p->n; t++)
        if (p->group[t] < 0 && distance(p, p->x[t], from) >= most * (1 - 1e-12))
            found = t;
    return found;
}

/* The nearest of the others, again and again, until there are enough rows. */
static void take_group(plain *p, const double *from, int k)
{
    int rows = 0, group = p->n_groups++;
    while (rows < k) {
        double least = INFINITY;
        int nearest = -1;
        for (int t = 0; t < p->n; t++)
            if (p->group[t] < 0)
                least = fmin(least, distance(p, p->x[t], from));
        for (int t = 0; t < p->n; t++)
            if (p->group[t] < 0 && distance(p, p->x[t], from) <= least * (1 + 1e-12))
                nearest = t;
        assert_true(nearest >= 0);
        p->group[nearest] = group;
        rows += p->rows[nearest];
    }
}

static void join_nearest(plain *p, int t)
{
    double least = INFINITY;
    int nearest = 0;
    for (int g = 0; g < p->n_groups; g++) {
        double mean[NUMBERS_COLUMNS];
        find_mean(p, g, mean);
        double far = distance(p, p->x[t], mean);
        if (far < least * (1 - 1e-12)) {
            least = far;
            nearest = g;
        }
    }
    p->group[t] = nearest;
}

static void plain_mdav(plain *p, int k)
{
    double mean[NUMBERS_COLUMNS];
    while (count(p, -1) >= 3 * k) {
        find_mean(p, -1, mean);
        int r = farthest(p, mean);
        take_group(p, p->x[r], k);
        if (count(p, -1) >= 2 * k)
            take_group(p, p->x[farthest(p, p->x[r])], k);
    }
    if (count(p, -1) >= 2 * k) {
        find_mean(p, -1, mean);
        take_group(p, p->x[farthest(p, mean)], k);
    }
    if (count(p, -1) >= k) {
        for (int t = 0; t < p->n; t++)
            p->group[t] = p->group[t] < 0 ? p->n_groups : p->group[t];
        p->n_groups++;
    }
    for (int t = 0; t < p->n; t++)
        if (p->group[t] < 0)
            join_nearest(p, t);
}

/* The same groups read the same; sums of squares of them are told. */
static void compare_with_plain(const numbers *t, const numbers_made *m, const plain *p,
                               const mgl_solution *s)
{
    double sse = 0, sst = 0, means[NUMBERS_ROWS][NUMBERS_COLUMNS], all[NUMBERS_COLUMNS] = {0};
    for (int g = 0; g < p->n_groups; g++)
        find_mean(p, g, means[g]);
    for (int r = 0; r < t->n_rows; r++)
        for (int a = 0; a < t->n_columns; a++)
            all[a] += (t->cell[r][a] - p->base[a]) / t->n_rows;
    for (int r = 0; r < t->n_rows; r++)
        for (int a = 0; a < t->n_columns; a++) {
            double mean = means[p->group[p->tuple_of[r]]][a], x = t->cell[r][a] - p->base[a];
            if (!close_to(numbers_value(m, s->recoding, r, a), p->base[a] + mean, fabs(p->base[a])))
                numbers_disagree(t, "a cell is not the mean of its group");
            sse += (x - mean) * (x - mean) * p->weight[a];
            sst += (x - all[a]) * (x - all[a]) * p->weight[a];
        }
    const mgl_aggregation *found = s->findings;
    if (found == NULL || found->groups != (uint64_t)p->n_groups)
        numbers_disagree(t, "another number of groups");
    if (!close_to(found->sse, sse, 1e-3) || !close_to(found->sst, sst, 1e-3))
        numbers_disagree(t, "other sums of squares");
}

static void mdav_equals_the_plain_way(void **state)
{
    (void)state;
    int cases = brute_cases(150);
    for (int seed = 0; seed < cases; seed++) {
        static numbers t;
        static plain p;
        numbers_made m;
        mgl_solution *solution;
        char k[16];
        numbers_make(&t, (uint64_t)seed, seed % 3 == 0 ? NUMBERS_ROWS : 60, NUMBERS_COLUMNS, 0);
        brute_random random = {(uint64_t)seed + 77};
        int size = brute_between(&random, 1, 9);
        snprintf(k, sizeof k, "%d", size);
        if (t.n_columns == 1)
            continue;
        numbers_open(&t, (const char *const[]){"k", k, NULL}, &m);
        plain_make(&t, &p);
        mgl_status status = run(&m, &solution);
        if (t.n_rows < size) {
            assert_int_equal(status, MGL_UNMET);
        } else {
            assert_int_equal(status, MGL_OK);
            plain_mdav(&p, size);
            compare_with_plain(&t, &m, &p, solution);
        }
        mgl_solution_free(solution);
        numbers_made_free(&m);
    }
}

/* ---- One column ---------------------------------------------------------------------------- */

static double sum_of_squares(const plain *p, const int *group, int g, double *rows)
{
    double mean = 0, sum = 0;
    *rows = 0;
    for (int t = 0; t < p->n; t++)
        if (group[t] == g) {
            mean += p->rows[t] * p->x[t][0];
            *rows += p->rows[t];
        }
    for (int t = 0; t < p->n; t++)
        if (group[t] == g)
            sum += p->rows[t] * pow(p->x[t][0] - mean / *rows, 2);
    return sum * p->weight[0];
}

/* The least sum over all partitions into groups of k rows; group[] tells of the tuples before t. */
static double best_partition(const plain *p, int t, int k, int *group, int n_groups)
{
    double least = INFINITY, sum = 0, rows;
    if (t < p->n) {
        for (group[t] = 0; group[t] <= n_groups; group[t]++)
            least = fmin(least, best_partition(p, t + 1, k, group,
                                               group[t] == n_groups ? n_groups + 1 : n_groups));
        return least;
    }
    for (int g = 0; g < n_groups; g++) {
        sum += sum_of_squares(p, group, g, &rows);
        if (rows < k)
            return INFINITY;
    }
    return sum;
}

/* The same over all divisions of the line where groups have l different diseases, too. */
static double best_division(const plain *p, const unsigned *diseases, int k, int l)
{
    double least = INFINITY, rows;
    for (unsigned cuts = 0; cuts < 1U << (p->n - 1); cuts++) {
        int group[NUMBERS_ROWS] = {0};
        unsigned seen[NUMBERS_ROWS] = {diseases[0]};
        for (int t = 1; t < p->n; t++) {
            group[t] = group[t - 1] + (cuts >> (t - 1) & 1);
            seen[group[t]] |= diseases[t];
        }
        double sum = 0;
        for (int g = 0; g <= group[p->n - 1]; g++) {
            sum += sum_of_squares(p, group, g, &rows);
            if (rows < k || __builtin_popcount(seen[g]) < l)
                sum = INFINITY;
        }
        least = fmin(least, sum);
    }
    return least;
}

/* Neighbours are in the best groups, too, unless values that occur several times are kept
 * together. */
static void compare_line(const numbers *t, const plain *p, int k, bool diverse)
{
    numbers_made m;
    mgl_solution *solution;
    int group[NUMBERS_ROWS], most = 1;
    unsigned diseases[NUMBERS_ROWS] = {0};
    char text[16];
    for (int r = 0; r < t->n_rows; r++)
        diseases[p->tuple_of[r]] |= 1U << t->disease[r];
    for (int u = 0; u < p->n; u++)
        most = p->rows[u] > most ? p->rows[u] : most;
    double best = most == 1 && !diverse ? best_partition(p, 0, k, group, 0)
                                        : best_division(p, diseases, k, diverse ? 2 : 0);
    snprintf(text, sizeof text, "%d", k);
    numbers_open(
        t, (const char *const[]){"k", text, diverse ? "l-diversity" : NULL, "disease=2", NULL}, &m);
    mgl_status status = run(&m, &solution);
    assert_int_equal(status, best < INFINITY ? MGL_OK : MGL_UNMET);
    if (status == MGL_OK &&
        !close_to(((const mgl_aggregation *)solution->findings)->sse, best, 1e-6))
        numbers_disagree(t, "not the least sum of squares");
    mgl_solution_free(solution);
    numbers_made_free(&m);
}

static void one_column_has_the_least_sum_of_squares(void **state)
{
    (void)state;
    int cases = brute_cases(300);
    for (int seed = 0; seed < cases; seed++) {
        static numbers t;
        static plain p;
        brute_random random = {(uint64_t)seed + 78};
        bool diverse = seed % 3 == 0;
        numbers_make(&t, (uint64_t)seed, seed % 2 == 0 ? 9 : 25, 1, 0);
        plain_make(&t, &p);
        if (p.n <= (diverse ? 12 : 9))
            compare_line(&t, &p, brute_between(&random, 1, 6), diverse);
    }
}

/* ---- What every release must be -------------------------------------------------------------- */

static bool alike(const numbers *t, const mgl_solution *s, const numbers_made *m, int r, int q)
{
    for (int a = 0; a < t->n_columns; a++)
        if (s->recoding->cells[a][m->tuple_of[r]] != s->recoding->cells[a][m->tuple_of[q]])
            return false;
    return true;
}

typedef struct summary {
    int rows, missing;
    double mean, least, most;
} summary;

/* Of the rows that read as row r does, in column a. */
static summary summarize(const numbers *t, const mgl_solution *s, const numbers_made *m, int r,
                         int a)
{
    summary c = {.least = INFINITY, .most = -INFINITY};
    double sum = 0;
    for (int q = 0; q < t->n_rows; q++) {
        if (!alike(t, s, m, r, q))
            continue;
        c.rows++;
        if (isnan(t->cell[q][a])) {
            c.missing++;
            continue;
        }
        sum += t->cell[q][a];
        c.least = fmin(c.least, t->cell[q][a]);
        c.most = fmax(c.most, t->cell[q][a]);
    }
    c.mean = sum / (c.rows - c.missing);
    return c;
}

/* Several groups that read alike have the same mean together; medians lie within. */
static void check_cell(const numbers *t, const mgl_solution *s, const numbers_made *m, int r, int a)
{
    summary c = summarize(t, s, m, r, a);
    mgl_span text = numbers_text(m, s->recoding, r, a);
    double value = numbers_value(m, s->recoding, r, a);
    char range[80];
    if (mgl_span_is(text, "*"))
        return;
    if (c.missing > 0) {
        if (c.missing < c.rows || !mgl_span_is(text, "NA"))
            numbers_disagree(t, "numbers read as missing, or the other way round");
        return;
    }
    switch (mgl_micro_replace(&m->problem)) {
    case MGL_REPLACE_MEAN:
        if (!close_to(value, c.mean, 1e-290))
            numbers_disagree(t, "a cell is not the mean");
        break;
    case MGL_REPLACE_MEDIAN:
        if (!(value >= c.least - 1e-12 * fabs(c.least) && value <= c.most + 1e-12 * fabs(c.most)))
            numbers_disagree(t, "a cell is outside of its group");
        break;
    case MGL_REPLACE_RANGE:
        snprintf(range, sizeof range, "%.15g", c.least);
        if (strstr(text.data, range) == NULL)
            numbers_disagree(t, "a range without its least number");
        snprintf(range, sizeof range, "%.15g", c.most);
        if (strstr(text.data, range) == NULL)
            numbers_disagree(t, "a range without its greatest number");
    }
}

static void check_release(const numbers *t, const mgl_solution *s, const numbers_made *m, int k)
{
    uint64_t top = 0; /* cells of groups with missing ones beside others */
    for (int r = 0; r < t->n_rows; r++)
        top += mgl_recoding_is_top(s->recoding, m->tuple_of[r]);
    if (s->suppressed_rows != (top < (uint64_t)t->n_rows ? top : 0))
        numbers_disagree(t, "rows were suppressed");
    for (int r = 0; r < t->n_rows; r++) {
        if (summarize(t, s, m, r, 0).rows < k)
            numbers_disagree(t, "a class is too small");
        for (int a = 0; a < t->n_columns; a++)
            check_cell(t, s, m, r, a);
    }
}

static void missing_cells_are_grouped_and_released(void **state)
{
    (void)state;
    static const char *const replace[] = {"mean", "median", "range"};
    int cases = brute_cases(150);
    for (int seed = 0; seed < cases; seed++) {
        static numbers t;
        numbers_made m;
        mgl_solution *solution;
        char k[16];
        brute_random random = {(uint64_t)seed + 79};
        numbers_make(&t, (uint64_t)seed + 5000, seed % 5 == 0 ? 200 : 40, NUMBERS_COLUMNS,
                     brute_between(&random, 0, 60));
        int size = brute_between(&random, 1, 7);
        snprintf(k, sizeof k, "%d", size);
        numbers_open(&t, (const char *const[]){"k", k, "replace", replace[seed % 3], NULL}, &m);
        mgl_status status = run(&m, &solution);
        assert_int_equal(status, t.n_rows >= size ? MGL_OK : MGL_UNMET);
        if (status == MGL_OK)
            check_release(&t, solution, &m, size);
        mgl_solution_free(solution);
        numbers_made_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mdav_equals_the_plain_way),
        cmocka_unit_test(one_column_has_the_least_sum_of_squares),
        cmocka_unit_test(missing_cells_are_grouped_and_released),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
