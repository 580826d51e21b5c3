/* The points nearest to another one, against a look at all of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/base.h"
#include "risk/risk.h"

enum { TABLES = 300, MOST_POINTS = 60, MOST_COLUMNS = 4, LOOKS = 20 };

typedef struct found {
    uint8_t seen[MOST_POINTS];
} found;

static void take(void *context, uint32_t point)
{
    found *f = context;
    assert_true(point < MOST_POINTS);
    assert_int_equal(f->seen[point], 0); /* each is told once */
    f->seen[point] = 1;
}

/* Few different numbers, so that there are ties; some cells are missing, some suppressed. */
static double random_cell(mgl_random *random)
{
    uint64_t draw = mgl_random_below(random, 20);
    return draw == 0 ? NAN : draw == 1 ? INFINITY : (double)mgl_random_below(random, 9) - 4;
}

static double plain_distance(const double *x, const double *y, const double *unit, size_t m)
{
    double sum = 0;
    for (size_t a = 0; a < m; a++) {
        bool numbers = isfinite(x[a]) && isfinite(y[a]), missing = isnan(x[a]) && isnan(y[a]);
        double d = numbers ? (x[a] - y[a]) / unit[a] : missing ? 0 : 1;
        sum += d * d;
    }
    return sqrt(sum);
}

static void nearest_points_equal_brute_force(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 18);
    for (unsigned i = 0; i < TABLES; i++) {
        double points[MOST_POINTS * MOST_COLUMNS], unit[MOST_COLUMNS], point[MOST_COLUMNS];
        size_t n = 1 + mgl_random_below(&random, MOST_POINTS),
               m = 1 + mgl_random_below(&random, MOST_COLUMNS);
        mgl_error err;
        mgl_neighbours *all;
        for (size_t a = 0; a < m; a++)
            unit[a] = (double)(1 + mgl_random_below(&random, 3));
        for (size_t c = 0; c < n * m; c++)
            points[c] = random_cell(&random);
        assert_int_equal(mgl_neighbours_new(points, n, m, unit, &err, &all), MGL_OK);
        for (unsigned look = 0; look < LOOKS; look++) {
            double best = INFINITY;
            found f = {{0}};
            for (size_t a = 0; a < m; a++)
                point[a] = random_cell(&random);
            for (size_t p = 0; p < n; p++)
                best = fmin(best, plain_distance(point, points + p * m, unit, m));
            double told = mgl_neighbours_find(all, point, take, &f);
            assert_true(fabs(told - best) <= 1e-12 * best);
            for (size_t p = 0; p < n; p++) {
                double d = plain_distance(point, points + p * m, unit, m);
                assert_int_equal(f.seen[p], d <= best * (1 + 1e-12));
            }
        }
        mgl_neighbours_free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest_points_equal_brute_force)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
