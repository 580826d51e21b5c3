/* Conditions: how they are read, three answers, kinds of values, and what is said about wrong ones.
 */
#include "condition/condition.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { MOST_CELLS = 8 };

typedef struct column_cells {
    const char *name;
    const char *cells[MOST_CELLS]; /* "" is missing */
} column_cells;

static const column_cells all[] = {
    {"n", {"1", "2", "10", "", "-3.5"}},
    {"t", {"1", "2", "10", "", "b"}},
    {"day", {"05.01.2020", "25.01.2020", "01.02.2020", "", "31.12.2019 23:59"}},
    {"either", {"05.01.2020", "06.01.2020", "01.02.2020", "", "02.02.2020"}},
    {"and", {"x", "y", "z", "", "\xC3\xA9_"}},
};
enum { ROWS = 5 };

static mgl_column make_column(const column_cells *from)
{
    mgl_column column = {.width = 1, .dictionary = mgl_dictionary_new()};
    column.name = mgl_alloc(strlen(from->name) + 1);
    strcpy(column.name, from->name);
    assert_true(mgl_column_reserve(&column, 0, ROWS));
    for (size_t r = 0; r < ROWS; r++) {
        mgl_span cell = mgl_span_of(from->cells[r]);
        mgl_column_set(&column, r,
                       cell.size == 0 ? mgl_dictionary_add_missing(column.dictionary, cell)
                                      : mgl_dictionary_add(column.dictionary, cell));
    }
    return column;
}

/* The rows that satisfy the condition, as "10110"; or the message. */
static void judge(const char *text, mgl_error *err, char out[ROWS + 1])
{
    mgl_condition *condition;
    mgl_bound_condition *bound = NULL;
    mgl_column columns[MOST_CELLS];
    bool kept[ROWS];
    out[0] = '\0';
    if (mgl_condition_read(mgl_span_of(text), err, &condition) != MGL_OK)
        return;
    for (size_t c = 0; c < condition->n_columns; c++)
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            if (strcmp(all[i].name, condition->columns[c]) == 0)
                columns[c] = make_column(&all[i]);
    if (mgl_condition_bind(condition, columns, err, &bound) == MGL_OK) {
        mgl_condition_judge(bound, 0, ROWS, kept);
        for (size_t r = 0; r < ROWS; r++)
            out[r] = kept[r] ? '1' : '0';
        out[ROWS] = '\0';
    }
    mgl_bound_condition_free(bound);
    for (size_t c = 0; c < condition->n_columns; c++)
        mgl_column_clear(&columns[c]);
    mgl_condition_free(condition);
}

static void rows_satisfy_conditions(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"n = 2", "01000"},
        {"n <> 2", "10101"},
        {"n != 2.0", "10101"},
        {"n < 2", "10001"},
        {"n <= 2", "11001"},
        {"n > 2", "00100"},
        {"n >= 2", "01100"},
        {"t < '2'", "10100"}, /* bytes, not numbers */
        {"n in (1, 1e1, 7)", "10100"},
        {"n not in (1, 10)", "01001"},
        {"n between 1 and 2", "11000"},
        {"n not between 1 and 2", "00101"},
        {"n between 2 and 1", "00000"},
        {"n is missing", "00010"},
        {"n IS NOT missing", "11101"},
        {"not n is missing", "11101"},
        {"not n = 2", "10101"}, /* a missing cell is in neither */
        {"n = 2 or n is missing", "01010"},
        {"n = 2 or not n = 2", "11101"},
        {"n = 1 or n = 2 and t = '1'", "10000"},
        {"(n = 1 or n = 2) and t = '2'", "01000"},
        {"n < 100 or t = 'b'", "11101"},
        {"t is missing or n > 5", "00110"},
        {"day < 2020-01-25", "10001"},
        {"day = 2019-12-31", "00001"},
        {"day between 2020-01-05 and 2020-01-25", "11000"},
        {"\"and\" = 'x'", "10000"},
        {"\"and\" like '__'", "00001"},
        {"\"and\" like '%_'", "11101"},
        {"t like '1%'", "10100"},
        {"t not like '%0'", "11001"},
        {"t in ('b', '10')", "00101"},
        {"t = 'it''s'", "00000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mgl_error err = {0};
        char found[ROWS + 1];
        judge(rows[i][0], &err, found);
        if (strcmp(found, rows[i][1]) != 0)
            fail_msg("%s: %s, expected %s; %s", rows[i][0], found, rows[i][1], err.message);
    }
}

static void what_is_wrong_is_told_with_its_place(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"", "at its end the name of a column must stand"},
        {"n", "at its end a comparison must stand"},
        {"n ==", "at character 4, before \"=\", a value must stand"},
        {"n == 5", "a value must stand; write a single ="},
        {"5 < n", "at character 1, before \"5 < n\", the name of a column must stand"},
        {"n in 5", "before \"5\", a list must stand"},
        {"n in ()", "before \")\", a value must stand"},
        {"n in (1 2)", "before \"2)\", the list is not closed"},
        {"n between 1", "at its end the end of the range is missing"},
        {"n not = 1", "in, between or like must stand"},
        {"n is 5", "missing or not missing must stand"},
        {"n like 5", "a pattern must stand"},
        {"n = 2020-02-30", "neither a number nor a day"},
        {"n = 1 n = 2", "before \"n = 2\", and, or, or the end must stand"},
        {"\xC3\xA9 = $", "at character 5, before \"$\", there is a sign"},
        {"\"n = 1", "a name begins with a quote"},
        {"t = 1", "with a number"},
        {"n = 2020-01-01", "with a day"},
        {"either = 2020-01-01", "whether the day or the month comes first"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        mgl_error err = {0};
        char found[ROWS + 1];
        judge(rows[i][0], &err, found);
        if (found[0] != '\0' || strstr(err.message, rows[i][1]) == NULL)
            fail_msg("%s: %s, expected %s", rows[i][0], err.message, rows[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_satisfy_conditions),
        cmocka_unit_test(what_is_wrong_is_told_with_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
