/* Reads the treated columns of a release back and checks of every different value whether it is one
 * that the treatments promise, and of perturbed columns what these promise to keep: each value as
 * often as before, expected numbers of rows, variances and covariances. Each bound of random
 * numbers is so wide that chance passes it less than once in 10^17 releases. */
#include "verify/verify.h"

#include <math.h>
#include <stdlib.h>

/* ---- Perturbed columns -------------------------------------------------------------------- */

/* Bounds hold but with a chance of e^-this, on each side. */
#define RARE 40.0

/* ---- How often values occur ---------------------------------------------------------------------
 */

/* Rows of each value, before and in the release. Numbers are one value however they are written. */
typedef struct tally {
    mgl_map *values;
    uint64_t *before, *released;
    size_t room_before, room_released;
    uint64_t rows_before, rows_released; /* with a value */
} tally;

static mgl_span spelled(const mgl_notation *notation, mgl_span value, char text[MGL_DECIMAL_TEXT])
{
    mgl_decimal number;
    if (!mgl_decimal_parse(notation, value, &number))
        return value;
    return (mgl_span){text, mgl_decimal_write(NULL, number.digits, number.scale, text)};
}

/* The number of a value, with room to count it. */
static uint32_t value_of(tally *t, const mgl_notation *notation, mgl_span value)
{
    char text[MGL_DECIMAL_TEXT];
    uint32_t known = mgl_map_size(t->values);
    uint32_t at = mgl_map_add(t->values, spelled(notation, value, text));
    if (at == MGL_NOT_FOUND ||
        !mgl_grow(&t->before, &t->room_before, (size_t)known + 1, sizeof *t->before) ||
        !mgl_grow(&t->released, &t->room_released, (size_t)known + 1, sizeof *t->released))
        return MGL_NOT_FOUND;
    if (at == known)
        t->before[at] = t->released[at] = 0;
    return at;
}

static bool is_missing(const mgl_treated_reading *how, const mgl_dictionary *dictionary,
                       uint32_t code)
{
    mgl_span value = mgl_dictionary_value(dictionary, code);
    return code == mgl_dictionary_missing(dictionary) || mgl_span_equal(value, how->no_value) ||
           mgl_spans_have(how->missing, how->n_missing, value);
}

/* Counts the rows of a column; released: of the release, else before. */
static mgl_status count_rows(tally *t, const mgl_treated_reading *how, const mgl_column *column,
                             size_t n_rows, const mgl_notation *notation, bool released,
                             mgl_error *err)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t *number = mgl_alloc_array(n, sizeof *number);
    bool room = number != NULL;
    for (uint32_t code = 0; room && code < n; code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        if (released && how->neutralized)
            value = mgl_text_without_apostrophe(value);
        number[code] = MGL_NOT_FOUND;
        if (!is_missing(how, column->dictionary, code)) {
            number[code] = value_of(t, notation, value);
            room = number[code] != MGL_NOT_FOUND;
        }
    }
    for (size_t row = 0; room && row < n_rows; row++) {
        uint32_t at = number[mgl_column_code(column, row)];
        if (at != MGL_NOT_FOUND) {
            *(released ? &t->released[at] : &t->before[at]) += 1;
            *(released ? &t->rows_released : &t->rows_before) += 1;
        }
    }
    mgl_free(number);
    return mgl_check_memory(room, err);
}

static void forget(tally *t)
{
    mgl_map_free(t->values);
    mgl_free(t->before);
    mgl_free(t->released);
}

/* Half the sum of what the shares of values differ by. */
static double distance_of(const tally *t)
{
    double sum = 0;
    if (t->rows_before == 0 || t->rows_released == 0)
        return 0;
    for (uint32_t v = 0; v < mgl_map_size(t->values); v++)
        sum += fabs((double)t->before[v] / (double)t->rows_before -
                    (double)t->released[v] / (double)t->rows_released);
    return sum / 2;
}

/* Rows that are left out take their values with them. */
static bool exchanged(const tally *t, bool all_rows)
{
    bool good = true;
    for (uint32_t v = 0; v < mgl_map_size(t->values); v++)
        good = good && (all_rows ? t->released[v] == t->before[v] : t->released[v] <= t->before[v]);
    return good;
}

/* Is each value in about as many rows as before, and none there that was not? `drawn`: rows draw by
 * themselves, and all are there. */
static bool expected(const tally *t, bool drawn)
{
    bool good = true;
    for (uint32_t v = 0; v < mgl_map_size(t->values); v++) {
        double before = (double)t->before[v], off = fabs((double)t->released[v] - before);
        good = good && (t->released[v] == 0 || t->before[v] > 0) &&
               (!drawn || off <= sqrt(2 * RARE * before) + RARE);
    }
    return good;
}

/* ---- Numbers ----------------------------------------------------------------------------------
 */

/* The numbers of the rows; false: some value is none. NAN: missing. */
static bool take_numbers(const mgl_treated_reading *how, const mgl_column *column, size_t n_rows,
                         const mgl_notation *notation, double *out)
{
    const mgl_dictionary *dictionary = column->dictionary;
    double *numbers = mgl_alloc_array(mgl_dictionary_size(dictionary), sizeof *numbers);
    bool all = numbers != NULL;
    for (uint32_t code = 0; all && code < mgl_dictionary_size(dictionary); code++) {
        mgl_span value = mgl_dictionary_value(dictionary, code);
        if (how->neutralized)
            value = mgl_text_without_apostrophe(value);
        numbers[code] = NAN;
        all = is_missing(how, dictionary, code) ||
              mgl_notation_number(notation, value, &numbers[code]);
    }
    for (size_t row = 0; all && row < n_rows; row++)
        out[row] = numbers[mgl_column_code(column, row)];
    mgl_free(numbers);
    return all;
}

/* What two columns have in common, over rows that have both. */
typedef struct moments {
    size_t n;
    double xx, yy, xy; /* means of products of what is off the mean */
} moments;

static moments moments_of(const double *x, const double *y, size_t n_rows)
{
    moments m = {0};
    double mean_x = 0, mean_y = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (isnan(x[row]) || isnan(y[row]))
            continue;
        m.n++;
        mean_x += (x[row] - mean_x) / (double)m.n;
        mean_y += (y[row] - mean_y) / (double)m.n;
    }
    for (size_t row = 0; row < n_rows; row++) {
        if (isnan(x[row]) || isnan(y[row]))
            continue;
        m.xx += (x[row] - mean_x) * (x[row] - mean_x);
        m.yy += (y[row] - mean_y) * (y[row] - mean_y);
        m.xy += (x[row] - mean_x) * (y[row] - mean_y);
    }
    double n = m.n > 0 ? (double)m.n : 1;
    m.xx /= n;
    m.yy /= n;
    m.xy /= n;
    return m;
}

static double correlation(const double *x, const double *y, size_t n_rows)
{
    moments m = moments_of(x, y, n_rows);
    return m.xx > 0 && m.yy > 0 ? m.xy / sqrt(m.xx * m.yy) : 0;
}

/* Is the variance what noise of this one adds to it, as far as random numbers allow? step: the unit
 * that numbers are rounded to. */
static bool varies(double before, double after, double noise, double n, double unit)
{
    double spread = sqrt(noise), deviation = sqrt(before);
    double bound = noise * (2 * sqrt(RARE / n) + 2 * RARE / n) +
                   2 * deviation * spread * sqrt(2 * RARE / n) + noise * 2 * RARE / n +
                   (deviation + spread) * unit * 4 + unit * unit + 1e-9 * (before + noise);
    return fabs(after - before - noise) <= bound;
}

/* The last decimal that the values of a column have, or the last that a double of them has. */
static double unit_of(const mgl_column *column, const mgl_notation *notation)
{
    double unit = 1, last = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        mgl_decimal number;
        double here = 1;
        if (mgl_decimal_parse(notation, mgl_dictionary_value(column->dictionary, code), &number)) {
            for (uint32_t i = 0; i < number.scale; i++)
                here /= 10;
            last = fmax(last, fabs((double)number.digits) * here * 0x1p-52);
        }
        unit = here < unit ? here : unit;
    }
    return fmax(unit, last);
}

/* ---- Columns ------------------------------------------------------------------------------------
 */

typedef struct judging {
    const mgl_treated_reading *how;
    mgl_promised_treat *promised;
    const mgl_table *table; /* of the release; a column for each that is perturbed */
    size_t *column;         /* [n] of the table; SIZE_MAX: it is not perturbed */
    size_t n;
    double *numbers[6]; /* [rows] for use */
} judging;

static mgl_status fail(const mgl_promised_treat *promised, const char *what, mgl_error *err)
{
    return mgl_fail(err, MGL_CODE_INTERNAL,
                    "column '%.60s' of the written release %s than its treatment promises; please "
                    "report this",
                    promised->plain->name, what);
}

static mgl_status judge_values(judging *j, size_t i, mgl_error *err)
{
    mgl_promised_treat *promised = &j->promised[i];
    const mgl_treat_step *step = mgl_treat_perturbs(promised->treat);
    const mgl_notation *notation = mgl_dictionary_notation(promised->plain->dictionary);
    bool all_rows = j->table->n_rows == promised->n_rows;
    tally t = {.values = mgl_map_new()};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(t.values != NULL, err));
    MGL_GO(count_rows(&t, j->how, promised->plain, promised->n_rows, notation, false, err));
    MGL_GO(count_rows(&t, j->how, &j->table->columns[j->column[i]], j->table->n_rows, notation,
                      true, err));
    promised->found.distance = distance_of(&t);
    if (step->type->exchanges && !exchanged(&t, all_rows))
        MGL_GO(fail(promised, "has other numbers of rows with its values", err));
    if (step->type->keeps == NULL && !expected(&t, all_rows && promised->persons == NULL))
        MGL_GO(fail(promised, "has values in fewer or more rows", err));
    promised->found.judged = true;
done:
    forget(&t);
    return status;
}

/* The covariance of the noise of two columns, or the variance of that of one; 0: there is none. */
static double noise_of(const mgl_treat_step *one, const mgl_treat_step *other)
{
    double sum = 0;
    for (size_t f = 0; one->factors != NULL && other->factors != NULL && f <= one->n_columns; f++)
        sum += one->factors[f] * other->factors[f];
    return sum;
}

/* Is nothing left of the values but what was there before and noise of each row? */
static bool is_noise_alone(const judging *j, const mgl_promised_treat *promised)
{
    return mgl_treat_perturbs(promised->treat)->factors != NULL && promised->treat->n_steps == 1 &&
           promised->persons == NULL && j->table->n_rows == promised->n_rows;
}

/* Two columns of a release whose noise goes together. */
typedef struct noisy_pair {
    const mgl_treat_step *one, *other;
    const double *before[2], *after[2]; /* [row] their numbers */
    double unit[2];
    size_t n_rows;
} noisy_pair;

/* Judges the variance of the sum of both columns (sign: 1) or of their difference (-1), each in
 * standard deviations of its noise. Both together are the covariance; where columns are nearly
 * the same their difference shows much sooner whether their noise is. */
static bool varies_together(const judging *j, const noisy_pair *p, double sign)
{
    double one = 1 / sqrt(noise_of(p->one, p->one));
    double other = sign / sqrt(noise_of(p->other, p->other)), noise = 0;
    double *before = j->numbers[4], *after = j->numbers[5];
    for (size_t f = 0; f <= p->one->n_columns; f++) {
        double factor = one * p->one->factors[f] + other * p->other->factors[f];
        noise += factor * factor;
    }
    for (size_t row = 0; row < p->n_rows; row++) {
        before[row] = one * p->before[0][row] + other * p->before[1][row];
        after[row] = one * p->after[0][row] + other * p->after[1][row];
    }
    moments b = moments_of(before, before, p->n_rows), a = moments_of(after, after, p->n_rows);
    return b.n == a.n && (b.n == 0 || varies(b.xx, a.xx, noise, (double)b.n,
                                             one * p->unit[0] + fabs(other) * p->unit[1]));
}

/* By how many standard errors the covariance is another one than that before and of the noise. */
static double errors_of(const noisy_pair *p)
{
    moments b = moments_of(p->before[0], p->before[1], p->n_rows);
    moments a = moments_of(p->after[0], p->after[1], p->n_rows);
    double x = noise_of(p->one, p->one), y = noise_of(p->other, p->other);
    double both = noise_of(p->one, p->other);
    double variance = b.xx * y + b.yy * x + 2 * b.xy * both + x * y + both * both;
    return b.n > 0 && variance > 0 ? (a.xy - b.xy - both) / sqrt(variance / (double)b.n) : NAN;
}

/* Correlations of a column, whose numbers are the first two, with one that it names. */
static mgl_status judge_pair(judging *j, mgl_promised_treat *promised, size_t w, mgl_error *err)
{
    const mgl_promised_treat *other = &j->promised[promised->with[w]];
    const mgl_notation *ours = mgl_dictionary_notation(promised->plain->dictionary);
    const mgl_notation *theirs = mgl_dictionary_notation(other->plain->dictionary);
    const mgl_column *released = &j->table->columns[j->column[promised->with[w]]];
    size_t n_rows = j->table->n_rows;
    double **numbers = j->numbers;
    if (!take_numbers(j->how, other->plain, promised->n_rows, theirs, numbers[2]) ||
        !take_numbers(j->how, released, n_rows, theirs, numbers[3]))
        return MGL_OK;
    promised->found.with_before[w] = correlation(numbers[0], numbers[2], promised->n_rows);
    promised->found.with_after[w] = correlation(numbers[1], numbers[3], n_rows);
    if (!is_noise_alone(j, promised) || !is_noise_alone(j, other))
        return MGL_OK;
    noisy_pair pair = {mgl_treat_perturbs(promised->treat),
                       mgl_treat_perturbs(other->treat),
                       {numbers[0], numbers[2]},
                       {numbers[1], numbers[3]},
                       {unit_of(promised->plain, ours), unit_of(other->plain, theirs)},
                       n_rows};
    promised->found.with_errors[w] = errors_of(&pair);
    if (!varies_together(j, &pair, 1) || !varies_together(j, &pair, -1))
        return fail(promised, "has another covariance with a column of its noise", err);
    return MGL_OK;
}

static mgl_status judge_numbers(judging *j, size_t i, mgl_error *err)
{
    mgl_promised_treat *promised = &j->promised[i];
    const mgl_treat_step *step = mgl_treat_perturbs(promised->treat);
    const mgl_notation *notation = mgl_dictionary_notation(promised->plain->dictionary);
    const mgl_column *released = &j->table->columns[j->column[i]];
    size_t n_rows = j->table->n_rows;
    double *before = j->numbers[0], *after = j->numbers[1];
    if (!take_numbers(j->how, promised->plain, promised->n_rows, notation, before) ||
        !take_numbers(j->how, released, n_rows, notation, after))
        return MGL_OK;
    moments b = moments_of(before, before, promised->n_rows);
    moments a = moments_of(after, after, n_rows);
    promised->found.measured = true;
    promised->found.before = sqrt(b.xx);
    promised->found.after = sqrt(a.xx);
    if (is_noise_alone(j, promised) && b.n > 0 &&
        !varies(b.xx, a.xx, noise_of(step, step), (double)b.n, unit_of(promised->plain, notation)))
        return fail(promised, "has another variance", err);
    for (size_t w = 0; w < promised->n_with; w++) {
        mgl_perturbed_figures *found = &promised->found;
        found->with_before[w] = found->with_after[w] = found->with_errors[w] = NAN;
        if (promised->with[w] < j->n) /* else a quasi-identifier, whose cells have levels */
            MGL_TRY(judge_pair(j, promised, w, err));
    }
    return MGL_OK;
}

/* The same of what perturbed columns keep: MGL_SYSTEM if it is not what their treatments promise.
 */
static mgl_status judge_perturbed(mgl_source *source, const mgl_treated_reading *how,
                                  mgl_promised_treat *promised, size_t n, mgl_error *err)
{
    judging j = {.how = how, .promised = promised, .n = n};
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    mgl_table *table = NULL;
    size_t n_requested = 0, n_rows = 0;
    mgl_status status = MGL_OK;
    j.column = mgl_alloc_array(n, sizeof *j.column);
    MGL_GO(mgl_check_memory(requested != NULL && j.column != NULL, err));
    for (size_t i = 0; i < n; i++) {
        j.column[i] = promised[i].plain != NULL ? n_requested : SIZE_MAX;
        if (promised[i].plain != NULL)
            requested[n_requested++] =
                (mgl_column_request){promised[i].column, MGL_ROLE_INSENSITIVE};
    }
    if (n_requested == 0)
        goto done;
    MGL_GO(mgl_source_read(source, requested, n_requested, how->pool, how->progress, err, &table));
    j.table = table;
    for (size_t i = 0; i < n; i++)
        n_rows = promised[i].n_rows > n_rows ? promised[i].n_rows : n_rows;
    n_rows = table->n_rows > n_rows ? table->n_rows : n_rows;
    for (size_t i = 0; i < 6; i++)
        MGL_GO(mgl_new_array(n_rows, sizeof(double), err, &j.numbers[i]));
    for (size_t i = 0; i < n; i++)
        if (j.column[i] != SIZE_MAX) {
            MGL_GO(judge_values(&j, i, err));
            MGL_GO(judge_numbers(&j, i, err));
        }
done:
    for (size_t i = 0; i < 6; i++)
        mgl_free(j.numbers[i]);
    mgl_table_free(table);
    mgl_free(j.column);
    mgl_free(requested);
    return status;
}

enum { ROWS_AT_ONCE = 1 << 16 };

/* The values stay in the dictionaries; rows are of no use here. */
static mgl_status take_nothing(void *context, const mgl_table *stripe, mgl_error *err)
{
    (void)context, (void)stripe, (void)err;
    return MGL_OK;
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
            add(released, &table->columns[c], row, (dated){promise->persons.of_row[row], i, 0},
                MGL_YMD);
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
    for (size_t i = 0; promise->persons.of_row != NULL && i < n_treated; i++) {
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
    MGL_TRY(judge_perturbed(source, &how, promised, n, err));
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
