/* A counted table is judged like the table of all its rows. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "io/intake/intake.h"
#include "verify/verify.h"

enum { N_QUASI = 3, N_COLUMNS = N_QUASI + 1, MOST_ROWS = 60, N_MODELS = 2 };

static const char *const values[] = {"*", "a", "b"};
static const char *const diseases[] = {"flu", "cough", "cold", "gout"};
static const size_t all_columns[] = {0, 1, 2};
static const mgl_source_options plain = {0};

/* Rows one by one; then each distinct one with the number of its rows, some of them in two
 * pieces. */
typedef struct tables {
    mgl_table *rows, *counted;
} tables;

static void add(mgl_table *table, mgl_counted *counted, const mgl_span *cells, uint64_t times)
{
    counted->table = table;
    assert_true(mgl_counted_add(counted, cells, times));
}

static tables make_tables(mgl_random *random)
{
    tables t = {mgl_table_new(N_COLUMNS), mgl_table_new(N_COLUMNS)};
    mgl_counted one = {.options = &plain}, many = {.options = &plain};
    assert_true(t.rows != NULL && t.counted != NULL);
    for (size_t n = 0; n < MOST_ROWS;) {
        mgl_span cells[N_COLUMNS];
        uint64_t times = 1 + mgl_random_below(random, 6);
        for (size_t c = 0; c < N_QUASI; c++)
            cells[c] = mgl_span_of(values[mgl_random_below(random, 3)]);
        cells[N_QUASI] = mgl_span_of(diseases[mgl_random_below(random, 4)]);
        for (uint64_t i = 0; i < times; i++)
            add(t.rows, &one, cells, 1);
        add(t.counted, &many, cells, times);
        n += times;
    }
    mgl_free(t.rows->times);
    t.rows->times = NULL;
    return t;
}

static void expect_same(const mgl_found *a, const mgl_found *b)
{
    for (size_t m = 0; m < N_MODELS; m++) {
        assert_int_equal(a[m].holds, b[m].holds);
        assert_int_equal(a[m].violating_rows, b[m].violating_rows);
        assert_int_equal(a[m].violating_classes, b[m].violating_classes);
        assert_true(a[m].measured == b[m].measured);
    }
}

static void judge_both(const tables *t, const mgl_promise *given)
{
    mgl_promise promise = *given;
    const mgl_column *sensitive = &t->rows->columns[N_QUASI];
    mgl_found of_rows[N_MODELS] = {0}, of_counts[N_MODELS] = {0};
    mgl_error err = {0};
    promise.sensitive = &sensitive;
    promise.n_rows = t->rows->n_rows;
    assert_int_equal(mgl_verify_table(t->rows, &promise, &err, of_rows), MGL_OK);
    assert_int_equal(mgl_verify_table(t->counted, &promise, &err, of_counts), MGL_OK);
    expect_same(of_rows, of_counts);
}

static void counted_tables_are_judged_like_rows(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 41);
    mgl_span top = mgl_span_of("*"), tops[] = {top, top, top};
    bool seen[2] = {false, false};
    for (unsigned round = 0; round < 300; round++) {
        tables t = make_tables(&random);
        bool matching = round % 3 == 0;
        mgl_model models[N_MODELS] = {
            {.type = mgl_model_type_find("k-anonymity"),
             .parameters = {(double)(2 + mgl_random_below(&random, 4))}},
            {.type = mgl_model_type_find(matching ? "k-anonymity" : "p-sensitive"),
             .parameters = {(double)(1 + mgl_random_below(&random, 3))}}};
        mgl_promised_set set = {
            .columns = all_columns, .n_columns = N_QUASI, .models = models, .n_models = N_MODELS};
        mgl_promise promise = {.sets = &set,
                               .n_sets = 1,
                               .combination = mgl_random_below(&random, 3),
                               .tops_match = matching,
                               .exempt_top = mgl_random_below(&random, 2) == 1,
                               .top_columns = all_columns,
                               .tops = tops,
                               .n_tops = N_QUASI,
                               .n_sensitive = 1};
        judge_both(&t, &promise);
        seen[matching] = true;
        mgl_table_free(t.rows);
        mgl_table_free(t.counted);
    }
    assert_true(seen[0] && seen[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(counted_tables_are_judged_like_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
