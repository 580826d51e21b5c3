/* verify: what perturbed columns promise to keep is held against the file that was written; and
 * rows that are found by distance. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "risk/risk.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 4000 };

/* A column of numbers as a source reads it. */
static mgl_column column_of(const double *numbers, size_t n)
{
    mgl_column column = {.dictionary = mgl_dictionary_new(), .width = 4, .name = "a"};
    assert_true(mgl_column_reserve(&column, 0, n));
    for (size_t row = 0; row < n; row++) {
        char text[40];
        snprintf(text, sizeof text, "%g", numbers[row]);
        mgl_column_set(&column, row, mgl_dictionary_add(column.dictionary, mgl_span_of(text)));
    }
    return column;
}

/* Releases the numbers, and lets the verifier judge them by what was there before. */
static mgl_status verify(const char *said, const double *before, size_t n, const double *released,
                         size_t n_released, mgl_perturbed_figures *out)
{
    static const char *const names[] = {"sex", "a"};
    static const size_t quasi[] = {0};
    const mgl_span missing[] = {mgl_span_of("")}, tops[] = {mgl_span_of("*")};
    mgl_column plain = column_of(before, n);
    mgl_treat *treat;
    mgl_error err = {0};
    FILE *file = fopen("staged.csv", "w");
    assert_non_null(file);
    fprintf(file, "sex,a\n");
    for (size_t row = 0; row < n_released; row++)
        fprintf(file, "f,%g\n", released[row]);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(mgl_treat_new(said, &err, &treat), MGL_OK);
    mgl_promised_treat treated = {.column = 1,
                                  .treat = treat,
                                  .notation = mgl_dictionary_notation(plain.dictionary),
                                  .plain = &plain,
                                  .n_rows = n,
                                  .most_values = UINT64_MAX};
    mgl_promise promise = {.names = names,
                           .n_names = 2,
                           .n_rows = n_released,
                           .top_columns = quasi,
                           .tops = tops,
                           .n_tops = 1,
                           .further = &(mgl_further_promise){&mgl_treat_judge, &treated, 1},
                           .n_further = 1,
                           .source = {.delimiter = ',', .missing = missing, .n_missing = 1}};
    mgl_status status = mgl_verify("staged.csv", &promise, NULL, NULL, &err, NULL, NULL);
    if (out != NULL)
        *out = treated.found;
    plain.name = NULL;
    mgl_column_clear(&plain);
    mgl_treat_free(treat);
    return status;
}

static void values_that_were_exchanged_are_there_as_often(void **state)
{
    static const double before[] = {1, 2, 2, 3, 4}, moved[] = {4, 2, 1, 2, 3},
                        more[] = {4, 2, 1, 3, 3}, other[] = {4, 2, 1, 2, 5};
    mgl_perturbed_figures found;
    (void)state;
    assert_int_equal(verify("swap(rank 50 %)", before, 5, moved, 5, &found), MGL_OK);
    assert_true(found.judged && found.distance == 0);
    assert_int_equal(verify("shuffle", before, 5, moved, 5, NULL), MGL_OK);
    assert_int_equal(verify("swap(rank 50 %)", before, 5, more, 5, NULL), MGL_SYSTEM);
    assert_int_equal(verify("shuffle", before, 5, other, 5, NULL), MGL_SYSTEM);
}

static void rows_that_are_left_out_take_their_values_with_them(void **state)
{
    static const double before[] = {1, 2, 2, 3, 4}, fewer[] = {2, 2, 4}, twice[] = {2, 4, 4};
    mgl_perturbed_figures found;
    (void)state;
    assert_int_equal(verify("shuffle", before, 5, fewer, 3, &found), MGL_OK);
    assert_true(found.distance > 0);
    assert_int_equal(verify("shuffle", before, 5, twice, 3, NULL), MGL_SYSTEM);
}

static void values_by_pram_are_those_of_the_column_in_expected_numbers(void **state)
{
    double before[ROWS], released[ROWS];
    mgl_perturbed_figures found;
    (void)state;
    for (size_t row = 0; row < ROWS; row++)
        before[row] = released[row] = row < ROWS / 2 ? 1 : 2;
    for (size_t row = 0; row < 10; row++)
        released[row] = 2;
    assert_int_equal(verify("pram(keep 80 %)", before, ROWS, released, ROWS, &found), MGL_OK);
    assert_true(fabs(found.distance - 10.0 / ROWS) < 1e-12);
    released[20] = 3;
    assert_int_equal(verify("pram(keep 80 %)", before, ROWS, released, ROWS, NULL), MGL_SYSTEM);
    for (size_t row = 0; row < ROWS; row++)
        released[row] = row == 0 ? 1 : 2;
    assert_int_equal(verify("pram(keep 80 %)", before, ROWS, released, ROWS, NULL), MGL_SYSTEM);
}

static void noise_adds_the_variance_that_was_promised(void **state)
{
    double before[ROWS], released[ROWS];
    mgl_perturbed_figures found;
    (void)state;
    for (size_t row = 0; row < ROWS; row++) {
        before[row] = (double)(row * 7 % ROWS);
        released[row] = before[row] + (row % 2 == 0 ? 400 : -400);
    }
    assert_int_equal(verify("noise(35 %; 400)", before, ROWS, released, ROWS, &found), MGL_OK);
    assert_true(found.measured && found.after > found.before && found.before > 1150);
    assert_int_equal(verify("noise(90 %; 1000)", before, ROWS, released, ROWS, NULL), MGL_SYSTEM);
    assert_int_equal(verify("noise(1 %; 12)", before, ROWS, released, ROWS, NULL), MGL_SYSTEM);
}

/* ---- Noise of several columns -------------------------------------------------------------------
 */

/* Normal numbers, the same in every run. */
static double normal(uint64_t *state)
{
    double u[2];
    for (size_t i = 0; i < 2; i++) {
        *state = *state * 6364136223846793005U + 1442695040888963407U;
        u[i] = ((double)(*state >> 11) + 1) / 0x1p53;
    }
    return sqrt(-2 * log(u[0])) * cos(2 * 3.14159265358979323846 * u[1]);
}

/* Two columns and what becomes of them: y goes with x by `tie`, and their noise by `noise_tie`. */
typedef struct pair {
    double x[ROWS], y[ROWS], released_x[ROWS], released_y[ROWS];
} pair;

static void draw_pair(pair *p, double tie, double noise_tie, uint64_t seed)
{
    for (size_t row = 0; row < ROWS; row++) {
        double own = normal(&seed), other = normal(&seed), noise = normal(&seed);
        double rest = normal(&seed);
        p->x[row] = floor(1000 * own);
        p->y[row] = floor(1000 * (tie * own + sqrt(1 - tie * tie) * other));
        p->released_x[row] = p->x[row] + floor(600 * noise);
        p->released_y[row] =
            p->y[row] + floor(600 * (noise_tie * noise + sqrt(1 - noise_tie * noise_tie) * rest));
    }
}

/* Lets the verifier judge the pair, whose noise was to go together by `promised`. */
static mgl_status verify_pair(const pair *p, double promised, double *errors)
{
    static const char *const names[] = {"sex", "a", "b"};
    static const size_t quasi[] = {0}, with[] = {1, 0};
    const mgl_span missing[] = {mgl_span_of("")}, tops[] = {mgl_span_of("*")};
    mgl_column plain[] = {column_of(p->x, ROWS), column_of(p->y, ROWS)};
    double found[2][3] = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    char said[2][100];
    mgl_promised_treat treated[2];
    mgl_error err = {0};
    FILE *file = fopen("pair.csv", "w");
    assert_non_null(file);
    fprintf(file, "sex,a,b\n");
    for (size_t row = 0; row < ROWS; row++)
        fprintf(file, "f,%g,%g\n", p->released_x[row], p->released_y[row]);
    assert_int_equal(fclose(file), 0);
    snprintf(said[0], sizeof said[0], "noise(60 %%, correlated with b; 600,0)");
    snprintf(said[1], sizeof said[1], "noise(60 %%, correlated with a; %g,%g)", 600 * promised,
             600 * sqrt(1 - promised * promised));
    for (size_t i = 0; i < 2; i++) {
        mgl_treat *treat;
        assert_int_equal(mgl_treat_new(said[i], &err, &treat), MGL_OK);
        plain[i].name = i == 0 ? "a" : "b";
        treated[i] = (mgl_promised_treat){.column = i + 1,
                                          .treat = treat,
                                          .notation = mgl_dictionary_notation(plain[i].dictionary),
                                          .plain = &plain[i],
                                          .n_rows = ROWS,
                                          .with = &with[i],
                                          .n_with = 1,
                                          .most_values = UINT64_MAX,
                                          .found = {.with_before = &found[i][0],
                                                    .with_after = &found[i][1],
                                                    .with_errors = &found[i][2]}};
    }
    mgl_promise promise = {.names = names,
                           .n_names = 3,
                           .n_rows = ROWS,
                           .top_columns = quasi,
                           .tops = tops,
                           .n_tops = 1,
                           .further = &(mgl_further_promise){&mgl_treat_judge, treated, 2},
                           .n_further = 1,
                           .source = {.delimiter = ',', .missing = missing, .n_missing = 1}};
    mgl_status status = mgl_verify("pair.csv", &promise, NULL, NULL, &err, NULL, NULL);
    if (status != MGL_OK)
        assert_non_null(strstr(err.message, "another covariance"));
    *errors = found[0][2];
    for (size_t i = 0; i < 2; i++) {
        mgl_treat_free((mgl_treat *)treated[i].treat);
        plain[i].name = NULL;
        mgl_column_clear(&plain[i]);
    }
    return status;
}

static void noise_adds_the_covariance_that_was_promised(void **state)
{
    static const double ties[] = {0.99, 0.8, 0, -0.8};
    static pair p;
    double errors, sum = 0;
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            draw_pair(&p, ties[i], ties[i], seed);
            assert_int_equal(verify_pair(&p, ties[i], &errors), MGL_OK);
            assert_true(fabs(errors) < 8.9);
            sum += errors * errors;
        }
    assert_true(sum / 20 > 0.2 && sum / 20 < 4); /* else they are no standard errors */
}

/* Each column has the variance that it was to have. */
static void noise_that_goes_together_in_another_way_is_refused(void **state)
{
    static pair p;
    double errors;
    (void)state;
    draw_pair(&p, 0.99, 0, 1); /* noise of its own for each: their difference shows it */
    assert_int_equal(verify_pair(&p, 0.99, &errors), MGL_SYSTEM);
    draw_pair(&p, 0.8, -0.8, 1); /* the wrong way round */
    assert_int_equal(verify_pair(&p, 0.8, &errors), MGL_SYSTEM);
    assert_true(fabs(errors) > 8.9);
    draw_pair(&p, 0, 0.99, 1); /* together, where the columns are not */
    assert_int_equal(verify_pair(&p, 0, &errors), MGL_SYSTEM);
}

/* ---- Distance ----------------------------------------------------------------------------------
 */

static mgl_distance_found distance(const double *before, const double *after, size_t n)
{
    const double *from[] = {before}, *to[] = {after};
    mgl_distance_found found;
    mgl_error err = {0};
    mgl_distance_request request = {from, to, 1, n};
    assert_int_equal(mgl_rows_found_by_distance(&request, &err, &found), MGL_OK);
    return found;
}

static void rows_are_found_if_the_nearest_is_their_own(void **state)
{
    static const double before[] = {1, 10, 20, 30}, near[] = {2, 12, 19, 31},
                        swapped[] = {10, 1, 30, 20}, some[] = {10, 1, NAN, 31},
                        same[] = {5, 5, 5, 5};
    (void)state;
    assert_true(distance(before, near, 4).found == 4);
    assert_true(distance(before, swapped, 4).found == 0);
    mgl_distance_found found = distance(before, some, 4);
    assert_true(found.rows == 3 && found.found == 1);
    assert_true(distance(same, same, 4).found == 1);
    assert_true(distance(before, near, 0).rows == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_were_exchanged_are_there_as_often),
        cmocka_unit_test(rows_that_are_left_out_take_their_values_with_them),
        cmocka_unit_test(values_by_pram_are_those_of_the_column_in_expected_numbers),
        cmocka_unit_test(noise_adds_the_variance_that_was_promised),
        cmocka_unit_test(noise_adds_the_covariance_that_was_promised),
        cmocka_unit_test(noise_that_goes_together_in_another_way_is_refused),
        cmocka_unit_test(rows_are_found_if_the_nearest_is_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
