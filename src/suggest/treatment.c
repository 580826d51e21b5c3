/* Proposes a treatment for a column in which many rows are alone with their value, so that at least
 * k persons share each value: rounding, with the ends pooled, groups of equal size, coarser dates,
 * masked codes. Each proposal is tried on the column before it is made. */
#include "suggest/suggest.h"

#include <math.h>
#include <stdio.h>

enum { LONGEST_TREATMENT = 120, MOST_TRIED = 8 };

typedef struct proposing {
    const mgl_treat_request *order;
    const mgl_profile *profile;
    uint64_t k;
    mgl_error *err;
    mgl_buffer *out;
    int tried; /* roundings that were tried */
} proposing;

static uint64_t rows_at(const mgl_treat_request *request, size_t row)
{
    return request->times != NULL ? request->times[row] : 1;
}

/* Returns the least number of persons that share a value; `sorted` has the rows of a value
 * together. */
static uint64_t fewest_persons(const mgl_treat_request *request, const mgl_column *column,
                               const size_t *sorted, size_t n, uint32_t *last_seen)
{
    uint64_t fewest = UINT64_MAX, here = 0;
    for (size_t i = 0; i < n; i++) {
        size_t row = sorted[i];
        uint32_t code = mgl_column_code(column, row);
        if (request->persons == NULL) {
            here += rows_at(request, row);
        } else {
            uint32_t person = mgl_column_code(request->persons, row);
            here += last_seen[person] != code + 1;
            last_seen[person] = code + 1;
        }
        if (i + 1 < n && mgl_column_code(column, sorted[i + 1]) == code)
            continue;
        fewest = here < fewest ? here : fewest;
        here = 0;
    }
    return fewest;
}

/* Rows with a value, those of one value together. */
static size_t sort_rows(const mgl_column *column, size_t n_rows, size_t *ends, size_t *sorted)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    size_t all = 0;
    for (size_t row = 0; row < n_rows; row++)
        ends[mgl_column_code(column, row)]++;
    for (uint32_t code = 0; code < n; code++) {
        size_t here = code == missing ? 0 : ends[code];
        ends[code] = all;
        all += here;
    }
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t code = mgl_column_code(column, row);
        if (code != missing)
            sorted[ends[code]++] = row;
    }
    return all;
}

static mgl_status count_persons(const proposing *p, const mgl_column *column, uint64_t *out)
{
    const mgl_treat_request *request = p->order;
    uint32_t persons =
        request->persons != NULL ? mgl_dictionary_size(request->persons->dictionary) : 1;
    size_t *ends = mgl_zeroed_array(mgl_dictionary_size(column->dictionary) + 1, sizeof *ends);
    size_t *sorted = mgl_alloc_array(request->n_rows, sizeof *sorted);
    uint32_t *last_seen = mgl_zeroed_array(persons, sizeof *last_seen);
    bool memory = ends != NULL && sorted != NULL && last_seen != NULL;
    if (memory) {
        size_t n = sort_rows(column, request->n_rows, ends, sorted);
        *out = fewest_persons(request, column, sorted, n, last_seen);
    }
    mgl_free(ends);
    mgl_free(sorted);
    mgl_free(last_seen);
    return memory ? MGL_OK : mgl_fail_memory(p->err);
}

/* Treats the column. It fits if each value is then that of k persons, and some differ. */
static mgl_status try_treatment(const proposing *p, const char *text, bool *fits)
{
    mgl_treat *treat = NULL;
    mgl_column made = {0};
    mgl_buffer resolved = {0};
    mgl_error refused = {0};
    uint64_t fewest = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_treat_new(text, p->err, &treat));
    status = mgl_treat_column(treat, p->order, &resolved, &refused, &made);
    *fits = status == MGL_OK;
    if (status == MGL_DATA || status == MGL_USAGE || status == MGL_UNMET)
        status = MGL_OK; /* its values do not allow the treatment */
    MGL_GO(status);
    if (*fits) {
        MGL_GO(count_persons(p, &made, &fewest));
        *fits = fewest >= p->k && fewest != UINT64_MAX && mgl_dictionary_size(made.dictionary) >= 2;
    }
    if (*fits)
        mgl_buffer_text(p->out, text);
done:
    mgl_treat_free(treat);
    mgl_buffer_free(&resolved);
    mgl_column_clear(&made);
    return status;
}

static mgl_status try_all(const proposing *p, const char *const *texts, size_t n, bool *fits)
{
    for (size_t i = 0; i < n && !*fits; i++)
        MGL_TRY(try_treatment(p, texts[i], fits));
    return MGL_OK;
}

typedef struct number {
    double value;
    uint64_t rows;
} number;

static const mgl_sort_key by_value[] = {MGL_ASCENDING(number, value), MGL_SORT_END};

/* Multiples of a step: their numbers and how many rows round to them. */
typedef struct multiples {
    double *at; /* [n] */
    uint64_t *rows;
    size_t n, low, high; /* what lies outside of low to high is pooled there */
} multiples;

static void round_all(const number *numbers, size_t n, double step, multiples *out)
{
    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        double at = round(numbers[i].value / step);
        if (out->n == 0 || out->at[out->n - 1] != at) {
            out->at[out->n] = at;
            out->rows[out->n++] = 0;
        }
        out->rows[out->n - 1] += numbers[i].rows;
    }
}

/* Pools rows at the ends until k of them stand at the last multiple; a tenth of all at most. */
static bool pool_ends(multiples *m, uint64_t k, uint64_t all)
{
    enum { FEWEST_MULTIPLES = 4 };
    uint64_t low = 0, high = 0;
    m->low = 0;
    m->high = m->n - 1;
    while (m->low < m->n && low + m->rows[m->low] < k)
        low += m->rows[m->low++];
    while (m->high > 0 && high + m->rows[m->high] < k)
        high += m->rows[m->high--];
    if (m->low + FEWEST_MULTIPLES > m->high + 1 || 10 * low > all || 10 * high > all)
        return false;
    for (size_t i = m->low + 1; i < m->high; i++)
        if (m->rows[i] < k)
            return false;
    return true;
}

static mgl_status try_step(proposing *p, const multiples *m, double step, int decimals, bool *fits)
{
    char text[LONGEST_TREATMENT], low[40] = "", high[40] = "";
    if (m->low > 0)
        snprintf(low, sizeof low, "bottom(%.*f),", decimals, m->at[m->low] * step);
    if (m->high + 1 < m->n)
        snprintf(high, sizeof high, "top(%.*f),", decimals, m->at[m->high] * step);
    snprintf(text, sizeof text, "%s%sround(%.*f)", low, high, decimals, step);
    p->tried++;
    return try_treatment(p, text, fits);
}

/* Steps of 1, 2 and 5 and their tens, the finest first. */
static mgl_status try_steps(proposing *p, const number *numbers, size_t n, bool *fits)
{
    static const double leading[] = {1, 2, 5};
    double range = numbers[n - 1].value - numbers[0].value;
    uint64_t all = 0;
    for (size_t i = 0; i < n; i++)
        all += numbers[i].rows;
    int first = (int)floor(log10(range * (double)p->k / (double)all)) - 1, last = first + 5;
    multiples m = {.at = mgl_alloc_array(n, sizeof *m.at),
                   .rows = mgl_alloc_array(n, sizeof *m.rows)};
    mgl_status status = MGL_OK;
    if (m.at == NULL || m.rows == NULL)
        MGL_GO(mgl_fail_memory(p->err));
    for (int tens = first; tens <= last && !*fits; tens++)
        for (size_t i = 0; i < 3 && !*fits && p->tried < MOST_TRIED; i++) {
            double step = leading[i] * pow(10, tens);
            round_all(numbers, n, step, &m);
            if (pool_ends(&m, p->k, all))
                MGL_GO(try_step(p, &m, step, tens < 0 ? -tens : 0, fits));
        }
done:
    mgl_free(m.at);
    mgl_free(m.rows);
    return status;
}

/* Sorts the different numbers; *n_out is 0 if some value is not a number. */
static mgl_status sort_numbers(const proposing *p, number **out, size_t *n_out)
{
    const mgl_dictionary *values = p->order->column->dictionary;
    uint32_t n_codes = mgl_dictionary_size(values), missing = mgl_dictionary_missing(values);
    number *numbers = mgl_zeroed_array((size_t)n_codes + 1, sizeof *numbers);
    size_t n = 0;
    MGL_TRY(mgl_check_memory(numbers != NULL, p->err));
    for (size_t row = 0; row < p->order->n_rows; row++)
        numbers[mgl_column_code(p->order->column, row)].rows += rows_at(p->order, row);
    for (uint32_t code = 0; code < n_codes; code++) {
        number one = numbers[code];
        if (code == missing || one.rows == 0)
            continue;
        if (!mgl_notation_number(mgl_dictionary_notation(values),
                                 mgl_dictionary_value(values, code), &one.value)) {
            n = 0;
            break;
        }
        numbers[n++] = one;
    }
    mgl_sort(numbers, n, sizeof *numbers, by_value);
    *out = numbers;
    *n_out = n;
    return MGL_OK;
}

static mgl_status propose_numbers(proposing *p, bool *fits)
{
    static const char *const groups[] = {"quantiles(20)", "quantiles(10)", "quantiles(5)",
                                         "quantiles(4)",  "quantiles(3)",  "quantiles(2)"};
    number *numbers = NULL;
    size_t n = 0;
    MGL_TRY(sort_numbers(p, &numbers, &n));
    mgl_status status = MGL_OK;
    if (n >= 2 && numbers[n - 1].value > numbers[0].value)
        MGL_GO(try_steps(p, numbers, n, fits));
    MGL_GO(try_all(p, groups, n >= 2 ? sizeof groups / sizeof groups[0] : 0, fits));
done:
    mgl_free(numbers);
    return status;
}

static mgl_status propose_dates(const proposing *p, bool *fits)
{
    static const char *const units[] = {"date(day)",  "date(week)", "date(month)", "date(quarter)",
                                        "date(year)", "date(5y)",   "date(10y)"};
    return try_all(p, units, sizeof units / sizeof units[0], fits);
}

static mgl_status propose_masks(const proposing *p, bool *fits)
{
    static const char *const masks[] = {"mask(right,1)", "mask(right,2)", "mask(right,3)",
                                        "mask(right,4)"};
    size_t n = p->profile->shapes.shortest > 1 ? p->profile->shapes.shortest - 1 : 0;
    return try_all(p, masks, n < 4 ? n : 4, fits);
}

mgl_status mgl_suggest_treatment(const mgl_treat_request *request, const mgl_profile *profile,
                                 uint64_t k, mgl_error *err, mgl_buffer *out)
{
    proposing p = {.order = request, .profile = profile, .k = k, .err = err, .out = out};
    bool fits = false;
    if (mgl_profile_is_date(profile))
        return propose_dates(&p, &fits);
    if (profile->kind == MGL_VALUE_CODE)
        return propose_masks(&p, &fits);
    bool numbers = profile->kind == MGL_VALUE_INTEGER || profile->kind == MGL_VALUE_DECIMAL ||
                   profile->kind == MGL_VALUE_COMMA;
    return numbers ? propose_numbers(&p, &fits) : MGL_OK;
}
