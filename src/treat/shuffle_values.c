/* shuffle: the values of a column are dealt out anew among its rows: at random, within groups, or
 * so that their ranks depend on other columns as they did (data shuffling). A row of the table in
 * treat_types.c. */
#include "treat/perturbing.h"

#include <math.h>

enum { MOST_GIVEN = 20 };

/* Targets are rounded to so many parts of a rank, so that equal ones do not differ in the last
 * digits of a sum. */
#define UNITS 0x1p20

/* Nothing, "within a, b" or "given a, b". */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments;
    bool given = text.size > 5 && memcmp(text.data, "given ", 6) == 0;
    step->left = given;
    if (mgl_treat_read_columns(step, text, given ? "given" : "within", arena, wrong) &&
        (!given || step->n_columns <= MOST_GIVEN))
        return true;
    mgl_buffer_text(wrong, "is no treatment: write shuffle, shuffle(within COLUMN) for rows that "
                           "have that in common, or shuffle(given COLUMN, ...) with up to 20 "
                           "columns of numbers or dates on which the values depend");
    return false;
}

/* Deals the values of rows out among them, each order as likely as any other. */
static mgl_status deal(const mgl_treat_place *list, size_t n, const mgl_span *texts,
                       mgl_random *stream, mgl_treat_rows *rows, mgl_error *err)
{
    uint32_t *order;
    MGL_TRY(mgl_new_array(n, sizeof *order, err, &order));
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    mgl_random_permute(stream, order, n);
    for (size_t i = 0; i < n; i++)
        rows->texts[list[i].row] = texts[order[i]];
    mgl_free(order);
    return MGL_OK;
}

/* ---- Ranks that depend on other columns ---------------------------------------------------------
 */

typedef struct ranked {
    double value, target;
    uint32_t at;
} ranked;

static const mgl_sort_key by_value[] = {MGL_ASCENDING(ranked, value), MGL_ASCENDING(ranked, at),
                                        MGL_SORT_END};
static const mgl_sort_key by_target[] = {MGL_ASCENDING(ranked, target), MGL_ASCENDING(ranked, at),
                                         MGL_SORT_END};

/* The mean rank of each number among all, around 0; 0 for what is missing. list: [n] for use. */
static void find_ranks(const double *values, size_t n, ranked *list, double *out)
{
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        if (!isnan(values[i]))
            list[known++] = (ranked){.value = values[i], .at = (uint32_t)i};
    }
    mgl_sort(list, known, sizeof *list, by_value);
    for (size_t from = 0, end; from < known; from = end) {
        for (end = from; end < known && list[end].value == list[from].value;)
            end++;
        for (size_t i = from; i < end; i++)
            out[list[i].at] = ((double)from + (double)end - 1) / 2 - ((double)known - 1) / 2;
    }
}

/* Least squares of y by p columns x[j], each [n]: the fitted values in `out`. A column that others
 * give is left out. */
static void fit(double *const *x, size_t p, const double *y, size_t n, double *out)
{
    double a[MOST_GIVEN][MOST_GIVEN + 1], b[MOST_GIVEN];
    for (size_t j = 0; j < p; j++) {
        for (size_t l = 0; l <= p; l++) {
            const double *other = l < p ? x[l] : y;
            a[j][l] = 0;
            for (size_t i = 0; i < n; i++)
                a[j][l] += x[j][i] * other[i];
        }
    }
    for (size_t j = 0; j < p;
         j++) { /* elimination: what is left of column j without those before */
        double whole = 0;
        for (size_t i = 0; i < n; i++)
            whole += x[j][i] * x[j][i];
        b[j] = a[j][j] > 1e-9 * whole ? 1 : 0;
        for (size_t l = j + 1; b[j] > 0 && l < p; l++) {
            double times = a[l][j] / a[j][j];
            for (size_t m = j; m <= p; m++)
                a[l][m] -= times * a[j][m];
        }
    }
    for (size_t j = p; j-- > 0;) {
        double rest = a[j][p];
        for (size_t l = j + 1; l < p; l++)
            rest -= a[j][l] * b[l];
        b[j] = b[j] > 0 ? rest / a[j][j] : 0;
    }
    for (size_t i = 0; i < n; i++) {
        out[i] = 0;
        for (size_t j = 0; j < p; j++)
            out[i] += b[j] * x[j][i];
    }
}

/* Ranks of the rows by the other columns of the step. */
static mgl_status find_given(const mgl_treat_step *step, const mgl_treat_rows *rows,
                             const mgl_treat_places *places, ranked *list, mgl_error *err,
                             double **out)
{
    double *all, *own = mgl_arena_alloc(rows->arena, (places->n + 1) * sizeof *own);
    MGL_TRY(mgl_check_memory(own != NULL, err));
    for (size_t j = 0; j < step->n_columns; j++) {
        bool ordered;
        MGL_TRY(mgl_treat_scale_of(rows->others[j], rows->n, rows->arena, err, &all, &ordered));
        if (!ordered)
            return mgl_fail_column(err, MGL_CODE_CONFLICT, NULL, rows->others[j]->name,
                                   "column '%.60s', %.*s: column '%.60s' has values that are "
                                   "neither numbers nor dates, and so no ranks; name others, or "
                                   "write shuffle(within %.60s)",
                                   rows->name, mgl_span_width(step->text), step->text.data,
                                   rows->others[j]->name, rows->others[j]->name);
        out[j] = mgl_arena_alloc(rows->arena, (places->n + 1) * sizeof *out[j]);
        MGL_TRY(mgl_check_memory(out[j] != NULL, err));
        for (size_t i = 0; i < places->n; i++)
            own[i] = all[places->list[i].row];
        find_ranks(own, places->n, list, out[j]);
    }
    return MGL_OK;
}

/* Each row's rank is what the others lead to expect, and the difference of another row, drawn at
 * random; the row at the n-th of these gets the n-th value. */
static mgl_status deal_given(const mgl_treat_step *step, mgl_treat_rows *rows,
                             const mgl_treat_places *places, const mgl_span *texts,
                             mgl_random *stream, mgl_error *err)
{
    size_t n = places->n;
    double *given[MOST_GIVEN],
        *numbers = mgl_arena_alloc(rows->arena, 3 * (n + 1) * sizeof(double));
    ranked *list = mgl_arena_alloc(rows->arena, (n + 1) * sizeof *list);
    uint32_t *order = mgl_arena_alloc(rows->arena, (n + 1) * sizeof *order);
    MGL_TRY(mgl_check_memory(numbers != NULL && list != NULL && order != NULL, err));
    double *values = numbers, *ranks = numbers + n, *fitted = numbers + 2 * n;
    MGL_TRY(find_given(step, rows, places, list, err, given));
    for (size_t i = 0; i < n; i++) {
        values[i] = places->list[i].value;
        order[i] = (uint32_t)i;
    }
    find_ranks(values, n, list, ranks);
    fit(given, step->n_columns, ranks, n, fitted);
    mgl_random_permute(stream, order, n);
    for (size_t i = 0; i < n; i++)
        list[i] = (ranked){
            .target = floor((fitted[i] + ranks[order[i]] - fitted[order[i]]) * UNITS + 0.5),
            .at = (uint32_t)i};
    mgl_sort(list, n, sizeof *list, by_target);
    for (size_t i = 0; i < n; i++)
        rows->texts[places->list[list[i].at].row] = texts[i];
    return MGL_OK;
}

static mgl_status perturb(const mgl_treat_step *step, mgl_treat_rows *rows, mgl_error *err,
                          mgl_buffer *resolved)
{
    mgl_treat_places places;
    mgl_random stream;
    bool given = step->left;
    MGL_TRY(mgl_treat_stream(rows, "shuffle:", mgl_span_of(rows->name), err, &stream));
    MGL_TRY(mgl_treat_places_of(step, rows, given, !given, &stream, err, &places));
    mgl_span *texts = mgl_treat_texts(rows, &places);
    MGL_TRY(mgl_check_memory(texts != NULL, err));
    if (given && places.n > 0)
        MGL_TRY(deal_given(step, rows, &places, texts, &stream, err));
    for (size_t from = 0, end; !given && from < places.n; from = end) {
        end = mgl_treat_group_end(&places, from);
        MGL_TRY(deal(places.list + from, end - from, texts + from, &stream, rows, err));
    }
    mgl_buffer_span(resolved, step->text);
    return MGL_OK;
}

const mgl_treat_type mgl_treat_shuffle = {
    .name = "shuffle",
    .syntax = "shuffle[(within COLUMN...|given COLUMN...)]",
    .help = "not truthful: the values are dealt out anew among all rows, among those with equal "
            "cells in other columns, or by ranks that depend on other columns as they did; each "
            "value stays as often as it is",
    .example = "shuffle(given age): 1200, 3400 -> 3400, 1200",
    .promise = "a value of the column",
    .exchanges = true,
    .read = read,
    .perturb = perturb,
};
