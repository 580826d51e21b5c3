/* noise(P %): numbers get normal noise with a share of their standard deviation, together with
 * other columns so that correlations stay. A row of the table in treat_types.c. */
#include "treat/perturbing.h"

#include <math.h>
#include <stdio.h>

enum { MOST_COLUMNS = 20, MOST_SHARE = 10 };

/* "1.5,0.2": what the columns of the noise, in order, are multiplied by. */
static bool take_factors(mgl_treat_step *step, mgl_span text, mgl_arena *arena, mgl_buffer *wrong)
{
    double *factors = mgl_arena_alloc(arena, (step->n_columns + 1) * sizeof *factors);
    mgl_span one;
    size_t n = 0;
    wrong->failed = wrong->failed || factors == NULL;
    step->factors = factors;
    while (factors != NULL && n <= step->n_columns && mgl_treat_next(&text, &one) &&
           mgl_parse_double(one, &factors[n]))
        n++;
    return factors != NULL && n == step->n_columns + 1 && text.size == 0;
}

/* "10 %", "correlated with a, b" behind it, and the factors that were found behind a semicolon. */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span rest = step->arguments, first;
    const char *end = memchr(rest.data, ';', rest.size);
    mgl_span found = {NULL, 0};
    if (end != NULL) {
        size_t size = (size_t)(end - rest.data);
        found = mgl_span_trim((mgl_span){end + 1, rest.size - size - 1});
        rest.size = size;
    }
    if (mgl_treat_next(&rest, &first) && mgl_treat_read_share(first, MOST_SHARE, &step->share) &&
        mgl_treat_read_columns(step, rest, "correlated with", arena, wrong) &&
        step->n_columns < MOST_COLUMNS && (end == NULL || take_factors(step, found, arena, wrong)))
        return true;
    mgl_buffer_text(wrong, "is no treatment: it says how large the standard deviation of the noise "
                           "is, as a share of that of the values (above 0, up to 1000 %), and up "
                           "to 19 columns whose noise is correlated with it; write for example "
                           "noise(10 %) or noise(10 %, correlated with COLUMN)");
    return false;
}

static bool names(const mgl_treat_step *step, const char *own, mgl_span column)
{
    return mgl_span_is(column, own) || mgl_spans_have(step->columns, step->n_columns, column);
}

static const mgl_treat_step *noise_of(const mgl_treat *treat)
{
    for (size_t i = 0; treat != NULL && i < treat->n_steps; i++)
        if (treat->steps[i].type == &mgl_treat_noise)
            return &treat->steps[i];
    return NULL;
}

bool mgl_treat_noise_agrees(const mgl_treat *treat, const char *column, const mgl_treat *other,
                            mgl_span name)
{
    const mgl_treat_step *step = noise_of(treat), *there = noise_of(other);
    if (step == NULL || there == NULL || step->share != there->share ||
        step->n_columns != there->n_columns)
        return false;
    for (size_t i = 0; i < there->n_columns; i++)
        if (!names(step, column, there->columns[i]) || mgl_span_equal(there->columns[i], name))
            return false;
    return true;
}

/* ---- The size of noise ------------------------------------------------------------------------
 */

/* The columns of the noise by their names, this one among them. */
typedef struct noisy {
    mgl_span names[MOST_COLUMNS];
    double *values[MOST_COLUMNS]; /* [row] NAN: missing */
    size_t n, own;
    double factors[MOST_COLUMNS]; /* of the independent noise of each */
} noisy;

static void add_column(noisy *all, mgl_span name, double *values, bool own)
{
    size_t at = all->n++;
    for (; at > 0 && mgl_span_compare(all->names[at - 1], name) > 0; at--) {
        all->names[at] = all->names[at - 1];
        all->values[at] = all->values[at - 1];
    }
    all->names[at] = name;
    all->values[at] = values;
    all->own = own ? at : all->own + (all->n > 1 && at <= all->own);
}

static mgl_status add_others(const mgl_treat_step *step, const mgl_treat_rows *rows, noisy *all,
                             mgl_error *err)
{
    for (size_t i = 0; i < step->n_columns; i++) {
        double *values = NULL;
        bool ordered = false;
        if (step->factors == NULL)
            MGL_TRY(
                mgl_treat_scale_of(rows->others[i], rows->n, rows->arena, err, &values, &ordered));
        add_column(all, step->columns[i], values, false);
    }
    return MGL_OK;
}

static bool is_complete(const noisy *all, size_t row)
{
    bool complete = true;
    for (size_t i = 0; i < all->n; i++)
        complete = complete && !isnan(all->values[i][row]);
    return complete;
}

/* The covariance of each column with those before it, over rows in which none is missing. */
static size_t find_covariance(const noisy *all, size_t n_rows,
                              double out[MOST_COLUMNS][MOST_COLUMNS])
{
    double mean[MOST_COLUMNS] = {0};
    size_t n = 0;
    for (size_t row = 0; row < n_rows; row++) {
        if (!is_complete(all, row))
            continue;
        n++;
        for (size_t i = 0; i < all->n; i++)
            mean[i] += (all->values[i][row] - mean[i]) / (double)n;
    }
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = 0;
            for (size_t row = 0; row < n_rows; row++)
                if (is_complete(all, row))
                    sum += (all->values[i][row] - mean[i]) * (all->values[j][row] - mean[j]);
            out[i][j] = n > 0 ? sum / (double)n : 0;
        }
    return n;
}

/* As it is written down, so that the same noise comes of what is. */
static double shortened(double number)
{
    char text[40];
    double out;
    int size = snprintf(text, sizeof text, "%.*g", MGL_FACTOR_DIGITS, number);
    return mgl_parse_double((mgl_span){text, (size_t)size}, &out) ? out : number;
}

/* Factors of independent numbers, so that the noise has the share of the covariance: a row of the
 * triangle whose square it is (Cholesky). */
static bool find_factors(noisy *all, size_t n_rows, double share)
{
    double a[MOST_COLUMNS][MOST_COLUMNS];
    find_covariance(all, n_rows, a);
    double variance = a[all->own][all->own];
    for (size_t i = 0; i < all->n; i++)
        for (size_t j = 0; j <= i; j++) {
            double whole = a[i][i];
            for (size_t l = 0; l < j; l++)
                a[i][j] -= a[i][l] * a[j][l];
            if (i != j)
                a[i][j] = a[j][j] > 0 ? a[i][j] / a[j][j] : 0;
            else
                a[i][i] = a[i][i] > 1e-12 * whole ? sqrt(a[i][i]) : 0;
        }
    for (size_t j = 0; j < all->n; j++)
        all->factors[j] = j <= all->own ? shortened(share * a[all->own][j]) : 0;
    return variance > 0;
}

/* ---- Rows -------------------------------------------------------------------------------------
 */

/* The sum of the noises of the columns for each row. */
static mgl_status find_noise(const noisy *all, const mgl_treat_rows *rows, mgl_error *err,
                             double *out)
{
    for (size_t row = 0; row < rows->n; row++)
        out[row] = 0;
    for (size_t j = 0; j < all->n; j++) {
        mgl_treat_draws draws;
        bool room = true;
        if (all->factors[j] == 0)
            continue;
        MGL_TRY(mgl_treat_draws_begin(rows, "noise:", all->names[j], err, &draws));
        for (size_t row = 0; room && row < rows->n; row++) {
            uint64_t numbers[2];
            room = mgl_treat_draw(&draws, row, numbers);
            out[row] += room ? all->factors[j] * mgl_treat_normal(numbers) : 0;
        }
        mgl_treat_draws_end(&draws);
        MGL_TRY(mgl_check_memory(room, err));
    }
    return MGL_OK;
}

/* The numbers at the scale of the one with the most decimals. */
static bool take_numbers(mgl_treat_rows *rows, mgl_decimal *out)
{
    uint32_t scale = 0;
    double number;
    for (size_t row = 0; row < rows->n && rows->bad == SIZE_MAX; row++) {
        if (rows->missing[row])
            continue;
        if (!mgl_decimal_parse(rows->notation, rows->texts[row], &out[row])) {
            rows->bad = row;
            mgl_buffer_text(
                rows->wrong,
                mgl_notation_number(rows->notation, rows->texts[row], &number)
                    ? "needs more than 36 digits; round the values first"
                    : "is no number, which noise can be added to; name it by `missing` if it means "
                      "missing (`missing: ,NA,VALUE`); dates are moved by shift or swap, other "
                      "values by pram");
            return false;
        }
        scale = out[row].scale > scale ? out[row].scale : scale;
    }
    for (size_t row = 0; row < rows->n && rows->bad == SIZE_MAX; row++)
        if (!rows->missing[row] && !mgl_decimal_rescale(&out[row], scale)) {
            rows->bad = row;
            mgl_buffer_text(rows->wrong, "needs more than 36 digits; round the values first");
        }
    return rows->bad == SIZE_MAX;
}

/* Adds the noise, rounded to the decimals that the numbers have. */
static mgl_status add_noise(mgl_treat_rows *rows, const mgl_decimal *numbers, const double *noise,
                            mgl_error *err)
{
    for (size_t row = 0; row < rows->n; row++) {
        char text[MGL_DECIMAL_TEXT];
        double more = noise[row];
        if (rows->missing[row])
            continue;
        for (uint32_t i = 0; i < numbers[row].scale; i++)
            more *= 10;
        if (!(fabs(more) < 1e34) || numbers[row].digits > (__int128)1e35 ||
            numbers[row].digits < -(__int128)1e35) {
            rows->bad = row;
            mgl_buffer_text(rows->wrong, "needs more than 36 digits; round the values first");
            return MGL_OK;
        }
        size_t size =
            mgl_decimal_write(rows->notation, numbers[row].digits + (__int128)floor(more + 0.5),
                              numbers[row].scale, text);
        const char *copy = mgl_arena_copy(rows->arena, text, size);
        MGL_TRY(mgl_check_memory(copy != NULL, err));
        rows->texts[row] = (mgl_span){copy, size};
    }
    return MGL_OK;
}

/* The noise of a person depends on its size, since the cells of the table are no matter. */
static mgl_status set_size(const noisy *all, mgl_treat_rows *rows, mgl_error *err)
{
    char text[40];
    int size = snprintf(text, sizeof text, "%.*g", MGL_FACTOR_DIGITS, all->factors[all->own]);
    rows->about = (mgl_span){mgl_arena_copy(rows->arena, text, (size_t)size), (size_t)size};
    return mgl_check_memory(rows->about.data != NULL, err);
}

static void resolve(const mgl_treat_step *step, const noisy *all, mgl_buffer *out)
{
    const char *end = memchr(step->text.data, ';', step->text.size);
    mgl_span text = {step->text.data,
                     end != NULL ? (size_t)(end - step->text.data) : step->text.size - 1};
    mgl_buffer_span(out, text);
    for (size_t i = 0; i < all->n; i++)
        mgl_buffer_format(out, "%s%.*g", i > 0 ? "," : "; ", MGL_FACTOR_DIGITS, all->factors[i]);
    mgl_buffer_text(out, ")");
}

static mgl_status perturb(const mgl_treat_step *step, mgl_treat_rows *rows, mgl_error *err,
                          mgl_buffer *resolved)
{
    noisy all = {.n = 0};
    mgl_decimal *numbers = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *numbers);
    double *values = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *values);
    double *noise = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *noise);
    MGL_TRY(mgl_check_memory(numbers != NULL && values != NULL && noise != NULL, err));
    if (!take_numbers(rows, numbers))
        return MGL_OK;
    mgl_treat_scale(rows->notation, rows->texts, rows->missing, rows->n, values);
    add_column(&all, mgl_span_of(rows->name), values, true);
    MGL_TRY(add_others(step, rows, &all, err));
    if (step->factors != NULL)
        memcpy(all.factors, step->factors, all.n * sizeof *all.factors);
    else if (!find_factors(&all, rows->n, step->share))
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "column '%.60s', %.*s: the values%s have no variance, so that there would "
                        "be no noise; leave the treatment out, or write constant(X)",
                        rows->name, mgl_span_width(step->text), step->text.data,
                        all.n > 1 ? " in rows in which no column of the noise is missing" : "");
    if (rows->persons != NULL) /* else two sizes of the same noise would give the value back */
        MGL_TRY(set_size(&all, rows, err));
    MGL_TRY(find_noise(&all, rows, err, noise));
    resolve(step, &all, resolved);
    return add_noise(rows, numbers, noise, err);
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    double number;
    (void)step;
    return mgl_notation_number(notation, text, &number);
}

const mgl_treat_type mgl_treat_noise = {
    .name = "noise",
    .syntax = "noise(P %[, correlated with COLUMN...])",
    .help = "not truthful: numbers get normal noise whose standard deviation is P % of theirs; "
            "where several columns name each other, correlations stay as expected",
    .example = "noise(10 %): 1234.5 -> 1310.2",
    .promise = "a number",
    .read = read,
    .perturb = perturb,
    .keeps = keeps,
};
