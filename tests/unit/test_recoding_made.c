/* Scales of numbers and dates, the ranges and averages made with them, and what these cost. */
#include "test_hierarchy.h"
#include "tuples.h"

#include "recoding/recoding.h"
#include "utility/utility.h"

#include <math.h>

/* ---- Columns ------------------------------------------------------------------------------ */

typedef struct column {
    mgl_dictionary *dictionary;
    mgl_hierarchy *hierarchy;
    mgl_scale *scale;
} column;

static void begin_column(column *c, const char *words)
{
    *c = (column){.dictionary = dictionary_of(words)};
    assert_int_equal(mgl_hierarchy_make(NULL, "x", c->dictionary, NULL, &c->hierarchy), MGL_OK);
    assert_false(c->hierarchy->given);
    assert_int_equal(mgl_scale_new(c->hierarchy, NULL, &c->scale), MGL_OK);
}

static void end_column(column *c)
{
    mgl_scale_free(c->scale);
    mgl_hierarchy_free(c->hierarchy);
    mgl_dictionary_free(c->dictionary);
}

/* The column as it is released; it takes the scale. */
static mgl_released_column *make_column(column *c)
{
    mgl_released_column *made;
    double least = c->scale->of_leaf[c->scale->ordered[0]];
    double most = c->scale->of_leaf[c->scale->ordered[c->scale->n_ordered - 1]];
    assert_int_equal(mgl_made_column_new(c->hierarchy, c->scale, least, most, NULL, &made), MGL_OK);
    c->scale = NULL;
    return made;
}

static const char *label_at(const column *c, const mgl_scale *scale, uint32_t place)
{
    static char text[64];
    mgl_span label = c->hierarchy->levels[0].labels[scale->ordered[place]];
    snprintf(text, sizeof text, "%.*s", (int)label.size, label.data);
    return text;
}

static bool has_scale(const char *words)
{
    column c;
    begin_column(&c, words);
    bool has = c.scale != NULL;
    end_column(&c);
    return has;
}

/* ---- Scales -------------------------------------------------------------------------------- */

static void scales_put_numbers_in_order(void **state)
{
    (void)state;
    column c;
    begin_column(&c, "10|9|-3|100");
    assert_int_equal(c.scale->kind, MGL_SCALE_NUMBERS);
    assert_true(c.scale->whole);
    assert_int_equal(c.scale->n_ordered, 4);
    static const char *const order[] = {"-3", "9", "10", "100"};
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t leaf = c.scale->ordered[i];
        assert_string_equal(label_at(&c, c.scale, i), order[i]);
        assert_true(c.scale->of_leaf[leaf] == strtod(order[i], NULL));
        assert_int_equal(c.scale->place_of[leaf], i);
    }
    end_column(&c);
    begin_column(&c, "1.5|-0.25|2");
    assert_false(c.scale->whole);
    assert_string_equal(label_at(&c, c.scale, 0), "-0.25");
    end_column(&c);
}

/* The missing value has no place; it may be the only value there is. */
static void missing_has_no_place(void **state)
{
    (void)state;
    column c;
    begin_column(&c, "7|(missing)NA|5");
    assert_int_equal(c.scale->n_ordered, 2);
    uint32_t missing = c.hierarchy->missing_leaf;
    assert_true(isnan(c.scale->of_leaf[missing]));
    assert_int_equal(c.scale->place_of[missing], MGL_NOT_FOUND);
    end_column(&c);
    assert_false(has_scale("(missing)NA"));
}

static void columns_of_other_texts_have_no_scale(void **state)
{
    (void)state;
    assert_false(has_scale("1|2|three"));
    assert_false(has_scale("1|2|1980-01-01"));
    assert_false(has_scale("A"));
    assert_false(has_scale("inf|1"));
    assert_true(has_scale("1e3|2"));
}

static void scales_count_dates_in_days(void **state)
{
    (void)state;
    static const struct {
        const char *words, *order[3];
        double days[2]; /* between them */
    } cases[] = {
        {"2000-03-01|2000-02-28|1999-02-28", {"1999-02-28", "2000-02-28", "2000-03-01"}, {365, 2}},
        {"31.12.1999|01.02.1999|01.01.2000", {"01.02.1999", "31.12.1999", "01.01.2000"}, {333, 1}},
        {"12/31/1900|03/01/1900|02/28/1900", {"02/28/1900", "03/01/1900", "12/31/1900"}, {1, 305}},
        {"0000-03-01|0000-02-29|0000-01-01", {"0000-01-01", "0000-02-29", "0000-03-01"}, {59, 1}},
        {"0001-01-01|0000-12-31|0000-01-01", {"0000-01-01", "0000-12-31", "0001-01-01"}, {365, 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        column c;
        begin_column(&c, cases[i].words);
        assert_non_null(c.scale);
        assert_int_equal(c.scale->kind, MGL_SCALE_DATES);
        for (uint32_t p = 0; p < 3; p++)
            assert_string_equal(label_at(&c, c.scale, p), cases[i].order[p]);
        for (uint32_t p = 0; p < 2; p++)
            assert_true(c.scale->of_leaf[c.scale->ordered[p + 1]] -
                            c.scale->of_leaf[c.scale->ordered[p]] ==
                        cases[i].days[p]);
        end_column(&c);
    }
}

static void dates_of_several_orders_have_no_scale(void **state)
{
    (void)state;
    assert_false(has_scale("01/02/1999|03/04/1999")); /* either order */
    assert_false(has_scale("31/12/1999|12/31/1999")); /* both */
    assert_false(has_scale("1999-02-29"));
    assert_true(has_scale("01/02/1999|13/04/1999|(missing)"));
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static const mgl_released_value *range_of(mgl_released_column *made, uint32_t first, uint32_t last)
{
    uint32_t number, again;
    assert_int_equal(mgl_made_range(made, first, last, NULL, &number), MGL_OK);
    assert_int_equal(mgl_made_range(made, first, last, NULL, &again), MGL_OK);
    assert_int_equal(number, again);
    return &made->values[number];
}

static void check_range(mgl_released_column *made, uint32_t first, uint32_t last, const char *label,
                        double loss)
{
    const mgl_released_value *value = range_of(made, first, last);
    assert_true(mgl_span_is(value->label, label));
    assert_int_equal(value->begin, first);
    assert_int_equal(value->leaves, last - first + 1);
    assert_int_equal(value->first_leaf, made->scale->ordered[first]);
    assert_int_equal(value->level, first == last ? 0 : -1);
    assert_true(fabs(value->loss - loss) < 1e-15);
    uint32_t parsed_first, parsed_last;
    assert_true(mgl_made_range_parse(made->hierarchy, made->scale, value->label, &parsed_first,
                                     &parsed_last));
    assert_int_equal(parsed_first, first);
    assert_int_equal(parsed_last, last);
}

static void ranges_of_numbers_have_label_and_loss(void **state)
{
    (void)state;
    column c;
    begin_column(&c, "20|29|-5|-3|45|(missing)NA");
    mgl_released_column *made = make_column(&c);
    check_range(made, 2, 3, "20-29", 9 / 50.0);
    check_range(made, 0, 1, "-5--3", 2 / 50.0);
    check_range(made, 0, 4, "-5-45", 1);
    check_range(made, 4, 4, "45", 0);
    assert_true(mgl_span_is(made->values[made->top].label, "*"));
    assert_true(made->values[made->top].loss == 1 && made->values[made->top].level == 1);
    uint32_t missing = made->of_leaf[0][c.hierarchy->missing_leaf];
    assert_true(made->values[missing].missing && made->values[missing].loss == 0);
    assert_true(mgl_span_is(made->values[missing].label, "NA"));
    assert_int_equal(made->of_leaf[1][c.hierarchy->missing_leaf], made->top);
    mgl_released_column_free(made);
    end_column(&c);
}

static void ranges_of_decimals_and_dates(void **state)
{
    (void)state;
    column c;
    begin_column(&c, "1.5|2.25|0|3");
    mgl_released_column *made = make_column(&c);
    check_range(made, 1, 2, "[1.5,2.25]", 0.25);
    check_range(made, 0, 0, "0", 0);
    mgl_released_column_free(made);
    end_column(&c);
    begin_column(&c, "1980-01-01|1980-01-11|1980-01-06");
    made = make_column(&c);
    check_range(made, 0, 1, "[1980-01-01,1980-01-06]", 0.5);
    mgl_released_column_free(made);
    end_column(&c);
    begin_column(&c, "7");
    made = make_column(&c);
    check_range(made, 0, 0, "7", 0);
    mgl_released_column_free(made);
    end_column(&c);
}

/* 1 and 1.0 are one number: a range that ends there has both. */
static void a_range_has_all_leaves_of_equal_numbers(void **state)
{
    (void)state;
    column c;
    begin_column(&c, "1|1.0|0|2");
    mgl_released_column *made = make_column(&c);
    const mgl_released_value *value = range_of(made, 2, 2);
    assert_int_equal(value->begin, 1);
    assert_int_equal(value->leaves, 2);
    assert_int_equal(value->level, -1);
    check_range(made, 0, 2, "0-1.0", 0.5);
    uint32_t first, last;
    for (int i = 0; i < 2; i++) {
        mgl_span text = mgl_span_of(i == 0 ? "1" : "1.0");
        assert_true(mgl_made_range_parse(made->hierarchy, made->scale, text, &first, &last));
        assert_true(first == 1 && last == 2);
    }
    mgl_released_column_free(made);
    end_column(&c);
}

static void texts_that_are_no_ranges_are_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "*",       "NA",    "20-30",  "29-20",
                                        "-",    "20-",     "-29",   "[20,29", "20,29",
                                        "[20]", "[29,20]", "20--9", "20-29-"};
    column c;
    uint32_t first, last;
    begin_column(&c, "20|29|(missing)NA");
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        assert_false(
            mgl_made_range_parse(c.hierarchy, c.scale, mgl_span_of(texts[i]), &first, &last));
    assert_true(mgl_made_range_parse(c.hierarchy, c.scale, mgl_span_of("[20,29]"), &first, &last));
    end_column(&c);
}

/* Equal labels are one value, which stands for all leaves between the outermost. */
static void equal_labels_become_one_wider_value(void **state)
{
    (void)state;
    column c;
    uint32_t number, again, other;
    begin_column(&c, "0|10|20|30|40");
    mgl_released_column *made = make_column(&c);
    assert_int_equal(mgl_made_value(made, mgl_span_of("about 20"), 2, 3, NULL, &number), MGL_OK);
    assert_true(made->values[number].loss == 0.25 && made->values[number].leaves == 2);
    assert_int_equal(mgl_made_value(made, mgl_span_of("about 20"), 1, 2, NULL, &again), MGL_OK);
    assert_int_equal(number, again);
    assert_true(made->values[number].loss == 0.5 && made->values[number].leaves == 3);
    assert_int_equal(made->values[number].begin, 1);
    assert_int_equal(mgl_made_value(made, mgl_span_of("20"), 2, 2, NULL, &other), MGL_OK);
    assert_int_equal(made->values[other].level, 0);
    assert_int_equal(mgl_made_value(made, mgl_span_of("20"), 2, 3, NULL, &other), MGL_OK);
    assert_int_equal(made->values[other].level, -1);
    mgl_released_column_free(made);
    end_column(&c);
}

/* ---- Measures ----------------------------------------------------------------------------------
 */

/* Rows of a table of one column: what each was and the range it is released as. */
enum { ROWS = 10, LEAVES = 6 }; /* 0 10 20 30 50, missing */
static const uint32_t leaf_of_row[ROWS] = {0, 0, 1, 1, 1, 2, 3, 4, 5, 5};
static const uint32_t ranges[ROWS][2] = {{0, 1}, {0, 1}, {0, 1}, {1, 1}, {1, 1},
                                         {2, 4}, {2, 4}, {2, 4}, {9, 9}, {8, 8}};
enum { MISSING = 9, TOP = 8 };

/* Everything by its definition, row by row. */
static void measure_plainly(const double *numbers, double *loss, double *ambiguity, double *bits)
{
    *loss = *ambiguity = *bits = 0;
    for (int r = 0; r < ROWS; r++) {
        uint32_t first = ranges[r][0], last = ranges[r][1], under = 0, same = 0;
        bool top = first == TOP, missing = first == MISSING;
        for (int s = 0; s < ROWS; s++) {
            uint32_t leaf = leaf_of_row[s];
            same += leaf == leaf_of_row[r];
            under += top || (missing ? leaf == 5 : leaf >= first && leaf <= last);
        }
        *loss += top       ? 1
                 : missing ? 0
                           : (numbers[last] - numbers[first]) / (numbers[4] - numbers[0]);
        *ambiguity += top ? LEAVES : missing ? 1 : last - first + 1.0;
        *bits += log2((double)under / same);
    }
    *loss /= ROWS;
    *ambiguity /= ROWS;
}

static double value_of(const char *measure, const mgl_statistics *s)
{
    return mgl_measure_type_find(measure)->value(s);
}

static void ranges_have_loss_but_no_precision(void **state)
{
    uint64_t truths[MGL_QUERIES];
    (void)state;
    static const double numbers[] = {0, 10, 20, 30, 50}, one = 1;
    column c;
    begin_column(&c, "0|10|20|30|50|(missing)NA");
    mgl_released_column *made = make_column(&c);
    const mgl_hierarchy *hierarchies[] = {c.hierarchy};
    const mgl_released_column *columns[] = {made};
    uint64_t ones[ROWS], sizes[ROWS] = {0};
    uint32_t cells[ROWS], class_of[ROWS], first[ROWS], n_classes = 0;
    for (int r = 0; r < ROWS; r++) {
        ones[r] = 1;
        if (ranges[r][0] >= TOP)
            cells[r] =
                ranges[r][0] == TOP ? made->top : made->of_leaf[0][c.hierarchy->missing_leaf];
        else
            assert_int_equal(mgl_made_range(made, ranges[r][0], ranges[r][1], NULL, &cells[r]),
                             MGL_OK);
        class_of[r] = n_classes;
        for (int s = 0; s < r; s++)
            class_of[r] = cells[s] == cells[r] ? class_of[s] : class_of[r];
        if (class_of[r] == n_classes)
            first[n_classes++] = (uint32_t)r;
        sizes[class_of[r]]++;
    }
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    mgl_statistics s;
    assert_int_equal(tuples_listed(hierarchies, 1, leaf_of_row, ones, ROWS, &list), MGL_OK);
    assert_int_equal(mgl_cell_costs_new(list, columns, NULL, NULL, &costs), MGL_OK);
    assert_int_equal(mgl_statistics_init(&s, columns, 1, NULL), MGL_OK);
    uint32_t *all_cells[] = {cells};
    mgl_released_tuples tuples = {1, ROWS, all_cells, first, 0, class_of, sizes, n_classes, NULL};
    mgl_statistics_gather(&s, costs, columns, ROWS, &tuples, NULL);
    s.weights = &one;
    double loss, ambiguity, bits;
    measure_plainly(numbers, &loss, &ambiguity, &bits);
    assert_true(fabs(value_of("loss", &s) - loss) < 1e-12);
    assert_true(fabs(value_of("ncp", &s) - loss) < 1e-12);
    assert_true(fabs(value_of("ambiguity", &s) - ambiguity) < 1e-12);
    assert_true(fabs(value_of("nonuniform-entropy", &s) - bits) < 1e-9);
    assert_true(isnan(value_of("precision", &s)));
    assert_int_equal(n_classes, 5);
    /* Spread evenly over its three leaves, a range has a third of its rows in each. */
    assert_int_equal(mgl_query_truths(list, columns, NULL, NULL, truths), MGL_OK);
    assert_int_equal(
        mgl_query_error(truths, list->n_rows, columns, &tuples, NULL, NULL, &s.query_error),
        MGL_OK);
    assert_true(s.query_error > 0 && s.query_error < 1);
    mgl_statistics_free(&s);
    mgl_cell_costs_free(costs);
    mgl_frequency_list_free(list);
    mgl_released_column_free(made);
    end_column(&c);
}

/* A column of single values has lost nothing, and a precision. */
static void single_values_lose_nothing(void **state)
{
    uint64_t truths[MGL_QUERIES];
    (void)state;
    static const double one = 1;
    static const uint32_t leaves[] = {0, 1, 2};
    column c;
    begin_column(&c, "5|7|30");
    mgl_released_column *made = make_column(&c);
    const mgl_hierarchy *hierarchies[] = {c.hierarchy};
    const mgl_released_column *columns[] = {made};
    uint32_t cells[3], classes[] = {0, 1, 2}, *all_cells[] = {cells};
    uint64_t ones[] = {1, 1, 1};
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(mgl_made_range(made, i, i, NULL, &cells[i]), MGL_OK);
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    mgl_statistics s;
    assert_int_equal(tuples_listed(hierarchies, 1, leaves, ones, 3, &list), MGL_OK);
    assert_int_equal(mgl_cell_costs_new(list, columns, NULL, NULL, &costs), MGL_OK);
    assert_int_equal(mgl_statistics_init(&s, columns, 1, NULL), MGL_OK);
    mgl_released_tuples tuples = {1, 3, all_cells, classes, 0, classes, ones, 3, NULL};
    mgl_statistics_gather(&s, costs, columns, 3, &tuples, NULL);
    s.weights = &one;
    assert_true(value_of("precision", &s) == 1 && value_of("loss", &s) == 0);
    assert_true(value_of("ambiguity", &s) == 1 && value_of("nonuniform-entropy", &s) == 0);
    assert_int_equal(mgl_query_truths(list, columns, NULL, NULL, truths), MGL_OK);
    assert_int_equal(
        mgl_query_error(truths, list->n_rows, columns, &tuples, NULL, NULL, &s.query_error),
        MGL_OK);
    assert_true(s.query_error == 0);
    mgl_statistics_free(&s);
    mgl_cell_costs_free(costs);
    mgl_frequency_list_free(list);
    mgl_released_column_free(made);
    end_column(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scales_put_numbers_in_order),
        cmocka_unit_test(missing_has_no_place),
        cmocka_unit_test(columns_of_other_texts_have_no_scale),
        cmocka_unit_test(scales_count_dates_in_days),
        cmocka_unit_test(dates_of_several_orders_have_no_scale),
        cmocka_unit_test(ranges_of_numbers_have_label_and_loss),
        cmocka_unit_test(ranges_of_decimals_and_dates),
        cmocka_unit_test(a_range_has_all_leaves_of_equal_numbers),
        cmocka_unit_test(texts_that_are_no_ranges_are_refused),
        cmocka_unit_test(equal_labels_become_one_wider_value),
        cmocka_unit_test(ranges_have_loss_but_no_precision),
        cmocka_unit_test(single_values_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
