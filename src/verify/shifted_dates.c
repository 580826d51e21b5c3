/* Checks that the dates of each person were moved as a whole: by one number of days, which is not 0
 * and not more than promised, in all shifted columns. verify.c calls it for what was just written;
 * who has only the release cannot know. */
#include "verify/shifted.h"

#include <stdlib.h>

/* A date of a person. */
typedef struct dated {
    uint32_t person, column;
    int64_t day;
} dated;

typedef struct dates {
    dated *list;
    size_t n;
} dates;

static int in_order(const void *a, const void *b)
{
    const dated *x = a, *y = b;
    if (x->person != y->person)
        return x->person < y->person ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->day > y->day) - (x->day < y->day);
}

static bool day_of(const mgl_dictionary *dictionary, uint32_t code, mgl_date_order order,
                   int64_t *out)
{
    mgl_moment moment;
    if (code == mgl_dictionary_missing(dictionary) ||
        !mgl_moment_parse(mgl_dictionary_notation(dictionary),
                          mgl_span_trim(mgl_dictionary_value(dictionary, code)), order, &moment))
        return false;
    *out = mgl_calendar_days(moment.date.year, moment.date.month, moment.date.day);
    return true;
}

/* Cells that are no dates are missing ones: other values were refused, or found before. */
static void add(dates *to, const mgl_column *column, size_t row, dated about, mgl_date_order order)
{
    if (day_of(column->dictionary, mgl_column_code(column, row), order, &about.day))
        to->list[to->n++] = about;
}

/* ---- One person ---------------------------------------------------------------------------------
 */

/* Dates of one person, in order. */
typedef struct run {
    const dated *first;
    size_t n;
} run;

static run next_run(const dates *all, size_t *at, uint32_t person)
{
    while (*at < all->n && all->list[*at].person < person)
        ++*at;
    run found = {all->list + *at, 0};
    while (*at < all->n && all->list[*at].person == person) {
        ++*at;
        found.n++;
    }
    return found;
}

/* Is every released date one of the table, moved by so many days? */
static bool explains(run released, run raw, int64_t days)
{
    size_t r = 0;
    for (size_t i = 0; i < released.n; i++, r++) {
        dated wanted = released.first[i];
        wanted.day -= days;
        while (r < raw.n && in_order(&raw.first[r], &wanted) < 0)
            r++;
        if (r == raw.n || in_order(&raw.first[r], &wanted) != 0)
            return false;
    }
    return true;
}

static bool is_shifted(run released, run raw, int64_t most)
{
    for (size_t r = 0; r < raw.n && raw.first[r].column <= released.first[0].column; r++) {
        int64_t days = released.first[0].day - raw.first[r].day;
        if (raw.first[r].column == released.first[0].column && days != 0 && days <= most &&
            days >= -most && explains(released, raw, days))
            return true;
    }
    return false;
}

static mgl_status judge(dates *released, dates *raw, int64_t most, mgl_error *err)
{
    size_t at = 0, from = 0;
    if (released->n > 1)
        qsort(released->list, released->n, sizeof *released->list, in_order);
    if (raw->n > 1)
        qsort(raw->list, raw->n, sizeof *raw->list, in_order);
    while (at < released->n) {
        uint32_t person = released->list[at].person;
        run here = next_run(released, &at, person), there = next_run(raw, &from, person);
        if (!is_shifted(here, there, most))
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "the dates of a person in the written release are not those of the "
                            "table, all moved by as many days; please report this");
    }
    return MGL_OK;
}

/* ---- All of them --------------------------------------------------------------------------------
 */

/* Where dates are treated further, days cannot be told any more. */
static bool is_judged(const mgl_promised_treat *treated)
{
    return mgl_treat_by_person(treated->treat) && treated->treat->n_steps == 1 &&
           treated->raw != NULL && treated->persons != NULL;
}

static mgl_date_order order_of(const mgl_promised_treat *treated)
{
    mgl_date_order order = MGL_YMD;
    mgl_date_order_parse(treated->treat->steps[0].word, &order);
    return order;
}

static mgl_status gather(const mgl_promise *promise, const mgl_promised_treat *treated,
                         size_t n_treated, const mgl_table *table, mgl_error *err, dates *released,
                         dates *raw)
{
    size_t n_released = 0, n_raw = 0;
    for (size_t i = 0; i < n_treated; i++)
        if (is_judged(&treated[i])) {
            n_released += table->n_rows;
            n_raw += treated[i].n_rows;
        }
    released->list = mgl_alloc_array(n_released, sizeof(dated));
    raw->list = mgl_alloc_array(n_raw, sizeof(dated));
    if (released->list == NULL || raw->list == NULL)
        return mgl_fail_memory(err);
    for (uint32_t i = 0, c = 0; i < n_treated; i++) {
        const mgl_promised_treat *x = &treated[i];
        if (!is_judged(x))
            continue;
        for (size_t row = 0; row < table->n_rows; row++)
            add(released, &table->columns[c], row, (dated){promise->persons[row], i, 0}, MGL_YMD);
        for (size_t row = 0; row < x->n_rows; row++)
            add(raw, x->raw, row, (dated){mgl_column_code(x->persons, row), i, 0}, order_of(x));
        c++;
    }
    return MGL_OK;
}

mgl_status mgl_verify_shifts(mgl_source *source, const mgl_promise *promise,
                             const mgl_promised_treat *treated, size_t n_treated, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err)
{
    mgl_column_wish *wishes = mgl_alloc_array(n_treated, sizeof *wishes);
    mgl_table *table = NULL;
    dates released = {0}, raw = {0};
    size_t n = 0;
    int64_t most = 0;
    mgl_status status = MGL_OK;
    if (wishes == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; promise->persons != NULL && i < n_treated; i++) {
        if (!is_judged(&treated[i]))
            continue;
        int64_t days = (int64_t)treated[i].treat->steps[0].count;
        wishes[n++] = (mgl_column_wish){treated[i].column, MGL_ROLE_INSENSITIVE};
        most = days > most ? days : most;
    }
    if (n == 0)
        goto done;
    MGL_GO(mgl_source_read(source, wishes, n, pool, progress, err, &table));
    MGL_GO(gather(promise, treated, n_treated, table, err, &released, &raw));
    MGL_GO(judge(&released, &raw, most, err));
done:
    mgl_table_free(table);
    mgl_free(released.list);
    mgl_free(raw.list);
    mgl_free(wishes);
    return status;
}
