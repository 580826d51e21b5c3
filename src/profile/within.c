/* Finds out whether a column never varies within an id. `risk --advise` asks of whole columns,
 * repeats.c of samples. */
#include "profile/profile.h"

#include <stdlib.h>

enum { SEVERAL = 0xFFFFFFFE };

mgl_status mgl_within_find(const mgl_table *table, const mgl_column *id, const mgl_column *column,
                           mgl_error *err, mgl_within *out)
{
    uint32_t n = mgl_dictionary_size(id->dictionary);
    uint32_t no_id = mgl_dictionary_missing(id->dictionary);
    uint32_t *only = mgl_alloc_array(n, sizeof *only); /* [id] its value of the column */
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    mgl_within w = {0};
    if (only == NULL || rows == NULL) {
        mgl_free(only);
        mgl_free(rows);
        return mgl_fail_memory(err);
    }
    for (size_t row = 0; row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row), value = mgl_column_code(column, row);
        only[i] = rows[i] == 0 || only[i] == value ? value : SEVERAL;
        rows[i] += table->times != NULL ? table->times[row] : 1;
    }
    for (uint32_t i = 0; i < n; i++) {
        w.ids += i != no_id && rows[i] > 0;
        w.repeated += i != no_id && rows[i] > 1;
        w.same += i != no_id && rows[i] > 1 && only[i] != SEVERAL;
    }
    mgl_free(only);
    mgl_free(rows);
    *out = w;
    return MGL_OK;
}

bool mgl_within_holds(const mgl_within *w)
{
    return w->repeated > 0 && (double)w->same >= MGL_NEVER_VARIES_SHARE * (double)w->repeated;
}

/* ---- Values that follow numbers ------------------------------------------------------------ */

typedef struct numbered {
    double number;
    uint32_t value;
} numbered;

static int compare(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    return x->number != y->number ? (x->number > y->number) - (x->number < y->number)
                                  : (x->value > y->value) - (x->value < y->value);
}

/* Each value goes with one run of two numbers or more, but for one in ten. */
static bool are_runs(const numbered *list, size_t n, uint32_t n_values, bool *seen)
{
    size_t changes = 0, values = 0;
    for (size_t i = 0; i < n; i++) {
        changes += i > 0 && list[i].value != list[i - 1].value;
        values += list[i].value < n_values && !seen[list[i].value];
        if (list[i].value < n_values)
            seen[list[i].value] = true;
    }
    return values > 0 && 2 * values <= n && 10 * (changes + 1) <= 11 * values;
}

mgl_status mgl_within_follows(const mgl_table *table, const mgl_column *id,
                              const mgl_column *column, mgl_error *err, bool *follows)
{
    uint32_t n = mgl_dictionary_size(id->dictionary), n_list = 0;
    uint32_t n_values = mgl_dictionary_size(column->dictionary);
    bool *taken = mgl_zeroed_array(n + 1, sizeof *taken);
    bool *seen = mgl_zeroed_array(n_values + 1, sizeof *seen);
    numbered *list = mgl_alloc_array(n + 1, sizeof *list);
    bool memory = taken != NULL && seen != NULL && list != NULL;
    for (size_t row = 0; memory && row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row);
        double number;
        if (taken[i] || !mgl_parse_double(mgl_dictionary_value(id->dictionary, i), &number))
            continue;
        taken[i] = true;
        list[n_list++] = (numbered){number, mgl_column_code(column, row)};
    }
    if (memory) {
        qsort(list, n_list, sizeof *list, compare);
        *follows = are_runs(list, n_list, n_values, seen);
    }
    mgl_free(taken);
    mgl_free(seen);
    mgl_free(list);
    return memory ? MGL_OK : mgl_fail_memory(err);
}

/* ---- Values that lie far apart -------------------------------------------------------------- */

enum { WIDEST_LIFE = 40, WIDEST_AGES = 25, FEWEST_ROWS = 3 };

/* In years; false: it has none. */
static bool year_of(const mgl_profile *profile, mgl_span text, double *out)
{
    static const mgl_notation any_century = {.has_century = true};
    unsigned orders;
    mgl_moment moment;
    if (!mgl_profile_is_date(profile))
        return mgl_parse_double(text, out);
    orders = mgl_date_orders(&any_century, text);
    if (orders == 0 ||
        !mgl_moment_parse(&any_century, text, (mgl_date_order)__builtin_ctz(orders), &moment))
        return false;
    *out = (double)moment.date.year;
    return true;
}

typedef struct span_of_years {
    double low, high;
    uint64_t rows;
} span_of_years;

static void take_year(span_of_years *s, double year, uint64_t rows)
{
    s->low = s->rows == 0 || year < s->low ? year : s->low;
    s->high = s->rows == 0 || year > s->high ? year : s->high;
    s->rows += rows;
}

mgl_status mgl_within_lies_apart(const mgl_table *table, const mgl_column *id,
                                 const mgl_column *column, const mgl_profile *profile,
                                 mgl_error *err, bool *apart)
{
    bool ages = profile->topic != NULL && profile->topic->id == MGL_TOPIC_AGE;
    double widest = ages ? WIDEST_AGES : WIDEST_LIFE, year;
    uint32_t n = mgl_dictionary_size(id->dictionary),
             no_id = mgl_dictionary_missing(id->dictionary);
    size_t judged = 0, wide = 0;
    *apart = false;
    if (!ages && !mgl_profile_is_date(profile) && !mgl_profile_is_year(profile))
        return MGL_OK;
    span_of_years *spans = mgl_zeroed_array((size_t)n + 1, sizeof *spans);
    if (spans == NULL)
        return mgl_fail_memory(err);
    for (size_t row = 0; row < table->n_rows; row++) {
        uint32_t i = mgl_column_code(id, row), value = mgl_column_code(column, row);
        if (i != no_id && year_of(profile, mgl_dictionary_value(column->dictionary, value), &year))
            take_year(&spans[i], year, table->times != NULL ? table->times[row] : 1);
    }
    for (uint32_t i = 0; i < n; i++) {
        judged += spans[i].rows >= FEWEST_ROWS;
        wide += spans[i].rows >= FEWEST_ROWS && spans[i].high - spans[i].low > widest;
    }
    mgl_free(spans);
    *apart = wide > 0 && 2 * wide >= judged;
    return MGL_OK;
}
