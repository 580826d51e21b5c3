/* Conditions: whatever is written, it is refused with a message, or every value of a column gets an
 * answer, and a row is not both in the condition and in its opposite. */
#include "fuzz.h"

#include "condition/condition.h"

enum { ROWS = 6 };

/* A column of each name in the condition, with cells of all kinds that it is compared with. */
static mgl_table *make_table(const mgl_condition *condition)
{
    static const char *const cells[ROWS] = {"", "2020-01-05", "a", "12", "-1.5", "\xC3\xA9%"};
    mgl_table *table = mgl_table_new(condition->n_columns);
    REQUIRE(table != NULL);
    for (size_t c = 0; c < table->n_columns; c++) {
        mgl_column *column = &table->columns[c];
        column->name = mgl_alloc(2);
        REQUIRE(column->name != NULL && mgl_column_reserve(column, 0, ROWS));
        strcpy(column->name, "x");
        for (size_t r = 0; r < ROWS; r++) {
            uint32_t code = r == 0 ? mgl_dictionary_add_missing(column->dictionary, mgl_span_of(""))
                                   : mgl_dictionary_add(column->dictionary, mgl_span_of(cells[r]));
            mgl_column_set(column, r, code);
        }
    }
    table->n_rows = ROWS;
    return table;
}

static void judge(const mgl_condition *condition, const mgl_table *table, bool *out)
{
    mgl_bound_condition *bound;
    mgl_error err = {0};
    mgl_status status = mgl_condition_bind(condition, table->columns, &err, &bound);
    fuzz_expect_refusal(status, &err);
    memset(out, 0, ROWS * sizeof *out);
    if (status != MGL_OK)
        return;
    mgl_condition_judge(bound, 0, ROWS, out);
    mgl_bound_condition_free(bound);
}

static void check_opposite(mgl_span text, const mgl_table *table, const bool *kept)
{
    mgl_condition *opposite = NULL;
    mgl_error err = {0};
    bool others[ROWS];
    mgl_buffer words = {0};
    mgl_buffer_text(&words, "not (");
    mgl_buffer_span(&words, text);
    mgl_buffer_text(&words, ")");
    REQUIRE(!words.failed);
    if (mgl_condition_read((mgl_span){words.data, words.size}, &err, &opposite) == MGL_OK) {
        judge(opposite, table, others);
        for (size_t r = 0; r < ROWS; r++)
            REQUIRE(!(kept[r] && others[r]));
        mgl_condition_free(opposite);
    }
    mgl_buffer_free(&words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_span text = {(const char *)data, size};
    mgl_condition *condition = NULL;
    mgl_error err = {0};
    bool kept[ROWS];
    mgl_status status = mgl_condition_read(text, &err, &condition);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return 0;
    mgl_table *table = make_table(condition);
    judge(condition, table, kept);
    check_opposite(text, table, kept);
    mgl_table_free(table);
    mgl_condition_free(condition);
    return 0;
}
