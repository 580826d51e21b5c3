/* Reads the treated columns of a release back and checks of every different value whether it is one
 * that the treatments promise. */
#include "verify/verify.h"

#include <stdlib.h>

enum { ROWS_AT_ONCE = 1 << 16 };

/* The values stay in the dictionaries; rows are of no use here. */
static mgl_status take_nothing(void *context, const mgl_table *stripe, mgl_error *err)
{
    (void)context, (void)stripe, (void)err;
    return MGL_OK;
}

static bool is_missing(const mgl_treated_reading *how, const mgl_dictionary *dictionary,
                       uint32_t code)
{
    mgl_span value = mgl_dictionary_value(dictionary, code);
    if (code == mgl_dictionary_missing(dictionary) || mgl_span_equal(value, how->no_value))
        return true;
    for (size_t i = 0; i < how->n_missing; i++)
        if (mgl_span_equal(value, how->missing[i]))
            return true;
    return false;
}

/* The file alone does not always show how its numbers are written: one notation must fit. */
static const mgl_treat_step *broken_in_all(const mgl_treat *treat, mgl_span value)
{
    const mgl_treat_step *broken = NULL;
    for (int n = 0; n < MGL_NUMBER_NOTATIONS; n++) {
        mgl_notation notation = {.numbers = (mgl_number_notation)n};
        if ((broken = mgl_treat_broken(treat, &notation, value)) == NULL)
            break;
    }
    return broken;
}

/* Some treatments leave no value of the table. */
static const mgl_treat_step *shows_raw(const mgl_promised_treat *promised, mgl_span value)
{
    const mgl_treat *treat = promised->treat;
    if (promised->raw == NULL || !mgl_treat_is_one_to_one(treat) ||
        mgl_dictionary_find(promised->raw->dictionary, value) == MGL_NOT_FOUND)
        return NULL;
    return &treat->steps[treat->n_steps - 1];
}

static void judge(const mgl_treated_reading *how, const mgl_dictionary *dictionary,
                  mgl_promised_treat *promised)
{
    promised->values = 0;
    promised->broken = NULL;
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span value = mgl_dictionary_value(dictionary, code);
        if (is_missing(how, dictionary, code))
            continue;
        if (how->neutralized)
            value = mgl_text_without_apostrophe(value);
        promised->values++;
        if (promised->broken == NULL)
            promised->broken = promised->notation != NULL
                                   ? mgl_treat_broken(promised->treat, promised->notation, value)
                                   : broken_in_all(promised->treat, value);
        if (promised->broken == NULL)
            promised->broken = shows_raw(promised, value);
    }
}

mgl_status mgl_verify_treated(mgl_source *source, const mgl_treated_reading *how,
                              mgl_promised_treat *promised, size_t n, mgl_error *err)
{
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    mgl_table *table = NULL;
    mgl_row_sink sink = {ROWS_AT_ONCE, take_nothing, NULL};
    mgl_stream_request request = {requested, n, &sink, how->pool, how->progress};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    for (size_t i = 0; i < n; i++)
        requested[i] = (mgl_column_request){promised[i].column, MGL_ROLE_INSENSITIVE};
    MGL_GO(mgl_source_stream(source, &request, err, &table));
    for (size_t i = 0; i < n; i++)
        judge(how, table->columns[i].dictionary, &promised[i]);
done:
    mgl_table_free(table);
    mgl_free(requested);
    return status;
}

/* ---- Shifted dates ------------------------------------------------------------------------------
 *
 * The dates of each person were moved as a whole: by one number of days, which is not 0 and not
 * more than promised, in all shifted columns. Only the table shows that.
 */

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

/* ---- One person ------------------------------------------------------------------------------ */

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

static mgl_status judge_dates(dates *released, dates *raw, int64_t most, mgl_error *err)
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

/* ---- All of them ----------------------------------------------------------------------------- */

/* Where dates are treated further, days are no longer known. */
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
    MGL_TRY(mgl_check_memory(released->list != NULL && raw->list != NULL, err));
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

/* MGL_SYSTEM if the dates of some person in the release are not those of the table, all moved by
 * one number of days that the promise allows. */
static mgl_status judge_shifts(mgl_source *source, const mgl_promise *promise,
                               const mgl_promised_treat *treated, size_t n_treated, mgl_pool *pool,
                               const mgl_progress *progress, mgl_error *err)
{
    mgl_column_request *requested = mgl_alloc_array(n_treated, sizeof *requested);
    mgl_table *table = NULL;
    dates released = {0}, raw = {0};
    size_t n = 0;
    int64_t most = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(requested != NULL, err));
    for (size_t i = 0; promise->persons != NULL && i < n_treated; i++) {
        if (!is_judged(&treated[i]))
            continue;
        int64_t days = (int64_t)treated[i].treat->steps[0].count;
        requested[n++] = (mgl_column_request){treated[i].column, MGL_ROLE_INSENSITIVE};
        most = days > most ? days : most;
    }
    if (n == 0)
        goto done;
    MGL_GO(mgl_source_read(source, requested, n, pool, progress, err, &table));
    MGL_GO(gather(promise, treated, n_treated, table, err, &released, &raw));
    MGL_GO(judge_dates(&released, &raw, most, err));
done:
    mgl_table_free(table);
    mgl_free(released.list);
    mgl_free(raw.list);
    mgl_free(requested);
    return status;
}

/* ---- The judge ------------------------------------------------------------------------------- */

static mgl_status judge_release(mgl_source *source, const mgl_promise *promise, void *promised,
                                size_t n, mgl_pool *pool, const mgl_progress *progress,
                                mgl_error *err)
{
    mgl_treated_reading how = {.missing = promise->source.missing,
                               .n_missing = promise->source.n_missing,
                               .no_value = promise->source.no_value,
                               .neutralized = promise->neutralized,
                               .pool = pool,
                               .progress = progress};
    MGL_TRY(mgl_verify_treated(source, &how, promised, n, err));
    MGL_TRY(mgl_verify_perturbed(source, &how, promised, n, err));
    for (size_t i = 0; i < n; i++) {
        const mgl_promised_treat *treated = (const mgl_promised_treat *)promised + i;
        const mgl_treat_step *broken = treated->broken;
        if (treated->values > treated->most_values ||
            (treated->all_values && treated->values < treated->most_values))
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has %llu different values "
                               "where %llu were written; please report this",
                               promise->names[treated->column], (unsigned long long)treated->values,
                               (unsigned long long)treated->most_values);
        if (broken != NULL)
            return mgl_fail_at(err, MGL_CODE_INTERNAL, mgl_source_name(source), 0,
                               "column '%.60s' of the written release has a value that is not %s, "
                               "as %.*s promises; please report this",
                               promise->names[treated->column], broken->type->promise,
                               mgl_span_width(broken->text), broken->text.data);
    }
    return judge_shifts(source, promise, promised, n, pool, progress, err);
}

const mgl_judge mgl_treat_judge = {.release = judge_release};
