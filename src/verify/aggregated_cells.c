/* Works out from the table what stands for the rows of each class in columns that are aggregated,
 * and compares it with what the release shows. Classes are found by sorting the rows that were read
 * back. */
#include "verify/sorted.h"

#include <math.h>

typedef struct judging {
    const mgl_promise *promise;
    const mgl_promised_aggregate *now; /* the column at work */
    mgl_scale *scale;                  /* its numbers; NULL: categories */
    mgl_span top;
    double *numbers;  /* [rows] of one class */
    uint32_t *leaves; /* [rows] likewise, ascending */
} judging;

/* The leaves of the rows of a class, without missing ones; returns how many. */
static size_t gather(judging *j, const uint32_t *rows, size_t n)
{
    const mgl_promised_aggregate *now = j->now;
    size_t found = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t code = mgl_column_code(now->raw, j->promise->source_rows[rows[i]]);
        if (now->leaf_of_code[code] != now->hierarchy->missing_leaf)
            j->leaves[found++] = now->leaf_of_code[code];
    }
    mgl_sort_u32(j->leaves, found);
    for (size_t i = 0; j->scale != NULL && i < found; i++)
        j->numbers[i] = j->scale->of_leaf[j->leaves[i]];
    if (j->scale != NULL)
        mgl_sort_double(j->numbers, found);
    return found;
}

/* Sums of doubles differ in their last digits with the order of the numbers. */
static double slack(const judging *j, size_t n)
{
    double largest = fmax(fabs(j->numbers[0]), fabs(j->numbers[n - 1]));
    return fmax(largest, 1) * 1e-9;
}

static double average(const judging *j, size_t n)
{
    long double sum = 0;
    if (j->now->function == MGL_AGGREGATE_MEDIAN)
        return j->numbers[(n - 1) / 2] / 2 + j->numbers[n / 2] / 2;
    for (size_t i = 0; i < n; i++)
        sum += j->numbers[i] / (long double)n;
    return (double)sum;
}

static bool reads_as(const mgl_scale *scale, double number, mgl_span text)
{
    char written[MGL_NUMBER_TEXT];
    size_t size = mgl_scale_write(scale, number, written);
    return mgl_span_equal(text, (mgl_span){written, size});
}

static bool is_average(const judging *j, size_t n, mgl_span text)
{
    double wanted = average(j, n), off = slack(j, n), number;
    if (j->scale->kind == MGL_SCALE_NUMBERS)
        return mgl_notation_number(&j->scale->notation, text, &number) &&
               fabs(number - wanted) <= off;
    return reads_as(j->scale, wanted, text) || reads_as(j->scale, wanted - off, text) ||
           reads_as(j->scale, wanted + off, text);
}

/* An end of a range stands there as the table has it, or as a plain number. */
static bool is_end(const judging *j, mgl_span text, double wanted)
{
    uint32_t code = mgl_dictionary_find(j->now->raw->dictionary, text);
    double number = NAN;
    if (code != MGL_NOT_FOUND)
        return j->scale->of_leaf[j->now->leaf_of_code[code]] == wanted;
    return j->scale->kind == MGL_SCALE_NUMBERS &&
           mgl_notation_number(&j->scale->notation, text, &number) && number == wanted;
}

static bool is_range(const judging *j, size_t n, mgl_span text)
{
    double low = j->numbers[0], high = j->numbers[n - 1];
    if (low == high)
        return is_end(j, text, low);
    if (text.size > 2 && text.data[0] == '[' && text.data[text.size - 1] == ']')
        text = (mgl_span){text.data + 1, text.size - 2};
    for (size_t at = 1; at + 1 < text.size; at++)
        if ((text.data[at] == '-' || text.data[at] == ',') &&
            is_end(j, (mgl_span){text.data, at}, low) &&
            is_end(j, (mgl_span){text.data + at + 1, text.size - at - 1}, high))
            return true;
    return false;
}

static mgl_span label_of(const judging *j, uint32_t leaf)
{
    return j->now->hierarchy->levels[0].labels[leaf];
}

/* The most frequent one, of several the first by the order of the leaves. */
static bool is_mode(const judging *j, size_t n, mgl_span text)
{
    size_t most = 0;
    uint32_t mode = 0;
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from; to < n && j->leaves[to] == j->leaves[from];)
            to++;
        if (to - from > most) {
            most = to - from;
            mode = j->leaves[from];
        }
    }
    return mgl_span_equal(text, label_of(j, mode));
}

/* Takes one member off a list that is written between braces, with the comma behind it. False if
 * it is another value. */
static bool take_member(mgl_span *text, mgl_span value)
{
    size_t at = 0, end = text->size;
    if (end > 0 && text->data[0] == '"') {
        for (at = 1; at < end && value.size > 0; at++, value.data++, value.size--) {
            if (text->data[at] != value.data[0])
                return false;
            if (value.data[0] == '"' && (++at >= end || text->data[at] != '"'))
                return false;
        }
        if (value.size > 0 || at >= end || text->data[at++] != '"')
            return false;
    } else {
        if (end < value.size || memcmp(text->data, value.data, value.size) != 0)
            return false;
        at = value.size;
    }
    if (at < end && text->data[at++] != ',')
        return false;
    *text = (mgl_span){text->data + at, end - at};
    return true;
}

static bool is_set(const judging *j, size_t n, mgl_span text)
{
    if (j->leaves[0] == j->leaves[n - 1] && mgl_span_equal(text, label_of(j, j->leaves[0])))
        return true;
    if (text.size < 2 || text.data[0] != '{' || text.data[text.size - 1] != '}')
        return false;
    text = (mgl_span){text.data + 1, text.size - 2};
    for (size_t i = 0; i < n; i++)
        if ((i == 0 || j->leaves[i] != j->leaves[i - 1]) &&
            !take_member(&text, label_of(j, j->leaves[i])))
            return false;
    return text.size == 0;
}

/* The top shows nothing. Where all cells were missing there is nothing to work out; where some
 * were, only the top is left. */
static bool is_right(judging *j, const uint32_t *rows, size_t n, mgl_span text)
{
    size_t found = gather(j, rows, n);
    if (mgl_span_equal(text, j->top) || found == 0)
        return true;
    if (found < n)
        return false;
    switch (j->now->function) {
    case MGL_AGGREGATE_MEAN:
    case MGL_AGGREGATE_MEDIAN:
        return is_average(j, n, text);
    case MGL_AGGREGATE_RANGE:
        return is_range(j, n, text);
    case MGL_AGGREGATE_MODE:
        return is_mode(j, n, text);
    case MGL_AGGREGATE_SET:
        return is_set(j, n, text);
    case MGL_AGGREGATE_NOT:
        break;
    }
    return false;
}

static mgl_status judge_column(judging *j, const char *name, const mgl_column *column,
                               const mgl_sorted_rows *sorted, mgl_error *err)
{
    bool categories = mgl_aggregates_categories(j->now->function);
    if (!categories)
        MGL_TRY(mgl_scale_new(j->now->hierarchy, err, &j->scale));
    bool right = true;
    for (size_t from = 0, to; right && from < sorted->n_rows; from = to) {
        uint32_t code = mgl_column_code(column, sorted->rows[from]);
        to = mgl_sorted_rows_end(sorted, from);
        right = is_right(j, sorted->rows + from, to - from,
                         mgl_dictionary_value(column->dictionary, code));
    }
    mgl_scale_free(j->scale);
    j->scale = NULL;
    if (right)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_INTERNAL, name, 0,
                       "column '%.60s' of the written release has a value that is not the %s of "
                       "its class; please report this",
                       j->promise->names[j->promise->top_columns[j->now->attribute]],
                       mgl_aggregate_words[j->now->function]);
}

static mgl_status judge_rows(const char *name, const mgl_table *table, const mgl_promise *promise,
                             const void *promised, size_t n, mgl_error *err)
{
    size_t n_rows = table->n_rows;
    judging j = {.promise = promise};
    mgl_sorted_rows sorted = {0};
    const mgl_column **columns = mgl_alloc_array(promise->n_tops, sizeof *columns);
    j.numbers = mgl_alloc_array(n_rows, sizeof *j.numbers);
    j.leaves = mgl_alloc_array(n_rows, sizeof *j.leaves);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(columns != NULL && j.numbers != NULL && j.leaves != NULL, err));
    for (size_t a = 0; a < promise->n_tops; a++)
        columns[a] = &table->columns[a];
    MGL_GO(mgl_sorted_rows_init(&sorted, columns, promise->n_tops, NULL, n_rows, err));
    for (size_t i = 0; i < n; i++) {
        j.now = (const mgl_promised_aggregate *)promised + i;
        j.top = promise->tops[j.now->attribute];
        MGL_GO(judge_column(&j, name, columns[j.now->attribute], &sorted, err));
    }
done:
    mgl_sorted_rows_free(&sorted);
    mgl_free(columns);
    mgl_free(j.numbers);
    mgl_free(j.leaves);
    return status;
}

const mgl_judge mgl_aggregate_judge = {.rows = judge_rows};
