/* Random hierarchies against a plain judge, builders on random values, many
 * leaves, and every allocation failing in turn. */
#include "test_hierarchy.h"

enum { MOST_ROWS = 7, MOST_LEVELS = 4, TRIALS = 6000 };

/* ---- Files of random labels: docs/definitions.md#hierarchies, word by word --------------- */

typedef struct sheet {
    int n_rows, n_levels;
    const char *cells[MOST_ROWS + 1][MOST_LEVELS + 1];
} sheet;

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static sheet random_sheet(mgl_random *random)
{
    static const char *const alphabet[] = {"a", "b", "c", "d", "e", "f", "NA", "x;y", "*", ""};
    sheet s = {.n_rows = 1 + (int)mgl_random_below(random, MOST_ROWS),
               .n_levels = 1 + (int)mgl_random_below(random, MOST_LEVELS)};
    /* Small alphabets break rules often, a tendency to copy the row before keeps
     * them often enough. */
    uint64_t letters = 2 + mgl_random_below(random, 9);
    for (int r = 0; r < s.n_rows; r++)
        for (int l = 0; l < s.n_levels; l++) {
            bool copy = r > 0 && l > 0 && mgl_random_below(random, 3) > 0;
            s.cells[r][l] = copy ? s.cells[r - 1][l] : alphabet[mgl_random_below(random, letters)];
        }
    return s;
}

static scratch_file write_sheet(const sheet *s)
{
    mgl_buffer text = {0};
    for (int r = 0; r < s->n_rows; r++)
        for (int l = 0; l < s->n_levels; l++) {
            mgl_text_quote(&text, mgl_span_of(s->cells[r][l]), ';', s->n_levels == 1);
            mgl_buffer_text(&text, l + 1 < s->n_levels ? ";" : "\n");
        }
    scratch_file file = file_of(text.data, text.size);
    mgl_buffer_free(&text);
    return file;
}

/* Completes the sheet as docs/definitions.md#hierarchies says; false if it must be refused. */
static bool judge(sheet *s, bool missing)
{
    int n = 0;
    for (int r = 0; r < s->n_rows; r++) {
        bool repeated = missing && same(s->cells[r][0], "NA");
        for (int q = 0; q < n && !repeated; q++)
            if (same(s->cells[q][0], s->cells[r][0])) {
                for (int l = 1; l < s->n_levels; l++)
                    if (!same(s->cells[q][l], s->cells[r][l]))
                        return false;
                repeated = true;
            }
        if (!repeated)
            memmove(s->cells[n++], s->cells[r], sizeof s->cells[r]);
    }
    s->n_rows = n;
    bool single = s->n_levels > 1 && n > 0;
    for (int r = 1; r < n; r++)
        single = single && same(s->cells[r][s->n_levels - 1], s->cells[0][s->n_levels - 1]);
    if (!single) {
        for (int r = 0; r < n; r++)
            s->cells[r][s->n_levels] = "*";
        s->n_levels++;
    }
    if (missing) {
        for (int l = 0; l < s->n_levels; l++)
            s->cells[n][l] = "NA";
        s->cells[n][s->n_levels - 1] = n > 0 ? s->cells[0][s->n_levels - 1] : "*";
        s->n_rows++;
    }
    for (int l = 0; l < s->n_levels; l++) /* functions */
        for (int r = 0; r < s->n_rows && l + 1 < s->n_levels; r++)
            for (int q = 0; q < r; q++)
                if (same(s->cells[r][l], s->cells[q][l]) &&
                    !same(s->cells[r][l + 1], s->cells[q][l + 1]))
                    return false;
    /* The top and the missing value stand for nothing else on another level. */
    for (int l = 0; l < s->n_levels; l++)
        for (int m = 0; m < s->n_levels; m++)
            for (int r = 0; r < s->n_rows; r++)
                for (int q = 0; q < s->n_rows; q++)
                    if (same(s->cells[r][l], s->cells[q][m]) &&
                        (m == s->n_levels - 1 || (missing && same(s->cells[q][m], "NA"))))
                        for (int t = 0; t < s->n_rows; t++)
                            if (same(s->cells[t][l], s->cells[r][l]) !=
                                same(s->cells[t][m], s->cells[r][l]))
                                return false;
    return true;
}

/* What is called alike covers the same. */
static void check_apart(const mgl_hierarchy *h, int l, uint32_t v, int m, uint32_t w)
{
    const mgl_level *high = &h->levels[l], *low = &h->levels[m];
    if (mgl_span_equal(high->labels[v], low->labels[w])) {
        assert_int_equal(high->leaves[v], low->leaves[w]);
        assert_int_equal(high->first_leaf[v], low->first_leaf[w]);
    }
}

static void compare(const mgl_hierarchy *h, const sheet *s)
{
    check_promises(h);
    assert_int_equal(h->n_leaves, s->n_rows);
    assert_int_equal(h->height, s->n_levels - 1);
    for (int r = 0; r < s->n_rows; r++)
        for (int l = 0; l < s->n_levels; l++) {
            const mgl_level *level = &h->levels[l];
            const mgl_span *given = level->given != NULL ? level->given : level->labels;
            assert_true(mgl_span_is(given[level->of_leaf[r]], s->cells[r][l]));
            for (int q = 0; q < s->n_rows; q++)
                for (int m = 0; m < l; m++)
                    check_apart(h, l, level->of_leaf[r], m, h->levels[m].of_leaf[q]);
        }
}

static void random_files_are_read_or_refused_as_defined(void **state)
{
    (void)state;
    mgl_random random;
    mgl_random_seed(&random, 1);
    int good = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        sheet s = random_sheet(&random);
        bool missing = mgl_random_below(&random, 3) == 0;
        scratch_file file = write_sheet(&s);
        mgl_dictionary *d = mgl_dictionary_new();
        if (missing)
            mgl_dictionary_add_missing(d, mgl_span_of("NA"));
        mgl_hierarchy *h = NULL;
        mgl_error err;
        mgl_status status = mgl_hierarchy_make(file.path, "col", d, &err, &h);
        bool expected = judge(&s, missing);
        if (expected != (status == MGL_OK))
            fail_msg("trial %d: %s", trial, status == MGL_OK ? "accepted" : err.message);
        if (status == MGL_OK) {
            good++;
            compare(h, &s);
            mgl_hierarchy_free(h);
        } else {
            assert_int_equal(status, MGL_DATA);
        }
        mgl_dictionary_free(d);
        drop_file(&file);
    }
    assert_in_range(good, TRIALS / 10, TRIALS * 9 / 10); /* both sides were tried */
}

/* ---- Builders on random values ---------------------------------------------- */

static void random_value(mgl_random *random, int kind, char text[64])
{
    unsigned a = mgl_random_u32(random), b = mgl_random_u32(random), c = mgl_random_u32(random);
    switch (kind) {
    case 0:
        snprintf(text, 64, "%s%u", a % 2 ? "-" : "", b % 200);
        break;
    case 1:
        snprintf(text, 64, "%s%u.%0*u", a % 2 ? "-" : "", b % 20, 1 + (int)(a / 2 % 3), c % 10);
        break;
    case 2:
        snprintf(text, 64, "%04u-%02u-%02u", 1900 + a % 200, 1 + b % 12, 1 + c % 28);
        break;
    case 3:
        snprintf(text, 64, "%u/%u/%04u", 1 + b % 12, 1 + c % 28, 1900 + a % 200);
        break;
    default:
        snprintf(text, 64, "%02x%0*x", a % 256, (int)(1 + b % 4), c % 16);
    }
}

static void same_hierarchy(const mgl_hierarchy *a, const mgl_hierarchy *b)
{
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->n_leaves, b->n_leaves);
    assert_int_equal(a->missing_leaf, b->missing_leaf);
    for (uint32_t l = 0; l <= a->height; l++) {
        const mgl_level *x = &a->levels[l], *y = &b->levels[l];
        assert_int_equal(x->n_values, y->n_values);
        assert_memory_equal(x->of_leaf, y->of_leaf, a->n_leaves * sizeof *x->of_leaf);
        assert_memory_equal(x->lowest, y->lowest, x->n_values * sizeof *x->lowest);
        for (uint32_t v = 0; v < x->n_values; v++)
            assert_true(mgl_span_equal(x->labels[v], y->labels[v]));
    }
}

static void random_values_get_hierarchies_that_keep_all_promises(void **state)
{
    (void)state;
    static const struct {
        int kind;
        const char *spec;
    } cases[] = {{0, "intervals(5,10,20)"},  {0, "intervals(from 3 by 7,21)"},
                 {0, "cuts(-30,0,18,66)"},   {1, "intervals(0.1,0.5,10)"},
                 {1, "cuts(-0.5,0.25,7)"},   {2, "dates(month,year,5y,10y)"},
                 {3, "dates(mdy; year,7y)"}, {4, "mask(right)"},
                 {4, "mask(left,3)"},        {4, "suppress"}};
    mgl_random random;
    mgl_random_seed(&random, 2);
    for (size_t trial = 0; trial < 300; trial++) {
        size_t which = trial % (sizeof cases / sizeof cases[0]);
        mgl_dictionary *d = mgl_dictionary_new();
        uint64_t n = 1 + mgl_random_below(&random, 60);
        char text[64];
        for (uint64_t i = 0; i < n; i++) {
            random_value(&random, cases[which].kind, text);
            mgl_dictionary_add(d, mgl_span_of(text));
        }
        if (trial % 3 == 0)
            mgl_dictionary_add_missing(d, mgl_span_of(trial % 2 ? "" : "NA"));
        mgl_hierarchy *h = made(cases[which].spec, d);
        check_promises(h);
        assert_true(mgl_span_is(h->levels[h->height].labels[0], "*"));
        char *lines = written(h);
        scratch_file file = text_file(lines);
        mgl_hierarchy *again = made(file.path, d);
        same_hierarchy(h, again);
        mgl_hierarchy_free(again);
        mgl_hierarchy_free(h);
        mgl_free(lines);
        drop_file(&file);
        mgl_dictionary_free(d);
    }
}

/* Each number lies in the interval its label names. */
static void each_number_lies_in_the_interval_of_its_label(void **state)
{
    (void)state;
    mgl_dictionary *d = mgl_dictionary_new();
    char text[64];
    for (int i = -2000; i <= 2000; i++) {
        snprintf(text, sizeof text, "%s%d.%02d", i < 0 ? "-" : "", abs(i) / 100, abs(i) % 100);
        mgl_dictionary_add(d, mgl_span_of(text));
    }
    mgl_hierarchy *h = made("intervals(from 0.05 by 0.1)", d);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        const mgl_level *level = &h->levels[1];
        double low, high, value;
        mgl_span label = level->labels[level->of_leaf[leaf]];
        snprintf(text, sizeof text, "%.*s", (int)label.size, label.data);
        assert_int_equal(sscanf(text, "[%lf,%lf)", &low, &high), 2);
        snprintf(text, sizeof text, "%.*s", (int)h->levels[0].labels[leaf].size,
                 h->levels[0].labels[leaf].data);
        value = atof(text);
        /* In hundredths, where rounding to a whole number is exact. */
        long l = (long)(low * 100 + (low < 0 ? -0.5 : 0.5));
        long v = (long)(value * 100 + (value < 0 ? -0.5 : 0.5));
        assert_true(l <= v && v < l + 10);
        assert_int_equal(((l - 5) % 10 + 10) % 10, 0);
    }
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
}

static void a_hundred_thousand_leaves_are_numbered(void **state)
{
    (void)state;
    mgl_dictionary *d = mgl_dictionary_new();
    char text[16];
    for (unsigned i = 0; i < 100000; i++) {
        snprintf(text, sizeof text, "%05u", i * 7919 % 100000);
        mgl_dictionary_add(d, mgl_span_of(text));
    }
    mgl_hierarchy *h = made("mask(right)", d);
    assert_int_equal(h->n_leaves, 100000);
    assert_int_equal(h->height, 5);
    for (uint32_t l = 1, n = 10000; l < 5; l++, n /= 10)
        assert_int_equal(h->levels[l].n_values, n);
    assert_true(mgl_span_is(h->levels[0].labels[12345], "12345"));
    mgl_hierarchy_free(h);
    mgl_dictionary_free(d);
}

/* ---- Faults ------------------------------------------------------------------ */

#ifdef MGL_FAULTS
static void fail_each(const char *spec, const mgl_dictionary *d, mgl_fault_kind kind)
{
    for (uint64_t number = 1;; number++) {
        mgl_hierarchy *h = NULL;
        mgl_error err;
        mgl_fault_arm(kind, number);
        mgl_status status = mgl_hierarchy_make(spec, "col", d, &err, &h);
        uint64_t count = mgl_fault_count(kind);
        mgl_fault_arm(kind, 0);
        if (status == MGL_OK) {
            assert_true(count < number);
            mgl_hierarchy_free(h);
            return;
        }
        assert_null(h);
        if (status != MGL_SYSTEM)
            fail_msg("%s: fault %u: %s", spec, (unsigned)number, err.message);
    }
}

static void fail_views(const mgl_dictionary *d)
{
    mgl_hierarchy *h = made("intervals(5,10)", d);
    for (uint64_t number = 1, failures = 1; failures > 0; number++) {
        mgl_buffer drawn = {0}, lines = {0};
        failures = 0;
        for (int view = 0; view < 2; view++) {
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            if (view == 0)
                mgl_hierarchy_draw(h, 0, &drawn);
            else
                mgl_hierarchy_write(h, &lines);
            bool hit = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            bool told = view == 0 ? drawn.failed : lines.failed;
            assert_int_equal(hit, told);
            failures += hit;
        }
        mgl_buffer_free(&drawn);
        mgl_buffer_free(&lines);
    }
    mgl_hierarchy_free(h);
}

/* More leaves than one block of an arena holds: every array is an allocation. */
static void failed_allocations_of_large_arrays_are_errors(void **state)
{
    (void)state;
    mgl_dictionary *d = mgl_dictionary_new();
    char text[16];
    for (unsigned i = 0; i < 17000; i++) {
        snprintf(text, sizeof text, "%u", 100000 + i);
        mgl_dictionary_add(d, mgl_span_of(text));
    }
    fail_each("mask(left,1)", d, MGL_FAULT_MEMORY);
    mgl_dictionary_free(d);
}

static void every_failed_allocation_or_read_is_an_error(void **state)
{
    (void)state;
    mgl_dictionary *numbers = dictionary_of("1|7|12|25|31|-3|(missing)NA|*");
    mgl_dictionary *words = dictionary_of("ab|cd|e\"f|(missing)");
    mgl_dictionary *dates = dictionary_of("1965-09-20|1966-01-31");
    scratch_file file = text_file("ab;x;*\ncd;x;*\n\"e\"\"f\";\"y\"\"\";*\n");
    scratch_file groups = text_file("x: ab, cd\ny: \"e\"\"f\"\nz: x\n");
    char spec[100];
    snprintf(spec, sizeof spec, "groups(%s)", groups.path);
    fail_each("intervals(5,10)", numbers, MGL_FAULT_MEMORY);
    fail_each("cuts(5,10,20,30,40,50,60,70,80,90,100,110,120,130,140,150,160,170)", numbers,
              MGL_FAULT_MEMORY);
    fail_each("mask(right)", words, MGL_FAULT_MEMORY);
    fail_each(NULL, words, MGL_FAULT_MEMORY);
    fail_each("dates(month,year)", dates, MGL_FAULT_MEMORY);
    fail_each(file.path, words, MGL_FAULT_MEMORY);
    fail_each(file.path, words, MGL_FAULT_READ);
    fail_each(spec, words, MGL_FAULT_MEMORY);
    fail_each(spec, words, MGL_FAULT_READ);
    fail_views(numbers);
    drop_file(&file);
    drop_file(&groups);
    mgl_dictionary_free(numbers);
    mgl_dictionary_free(words);
    mgl_dictionary_free(dates);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_files_are_read_or_refused_as_defined),
        cmocka_unit_test(random_values_get_hierarchies_that_keep_all_promises),
        cmocka_unit_test(each_number_lies_in_the_interval_of_its_label),
        cmocka_unit_test(a_hundred_thousand_leaves_are_numbered),
#ifdef MGL_FAULTS
        cmocka_unit_test(every_failed_allocation_or_read_is_an_error),
        cmocka_unit_test(failed_allocations_of_large_arrays_are_errors),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
