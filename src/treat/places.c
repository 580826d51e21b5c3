/* The rows that a treatment perturbs: in groups by other columns, and in the order of their values.
 */
#include "treat/perturbing.h"

#include <math.h>

/* ---- The order of values ----------------------------------------------------------------------
 */

static bool scale_numbers(const mgl_notation *notation, const mgl_span *texts,
                          const uint8_t *missing, size_t n, double *out)
{
    bool all = true;
    for (size_t row = 0; all && row < n; row++) {
        out[row] = NAN;
        all = missing[row] || mgl_notation_number(notation, texts[row], &out[row]);
    }
    return all;
}

/* Is there one order of day and month in which all are dates, and no other? Then out has days. */
static bool scale_dates(const mgl_notation *notation, const mgl_span *texts, const uint8_t *missing,
                        size_t n, double *out)
{
    unsigned orders = (1u << MGL_DATE_ORDERS) - 1;
    mgl_date_order order = MGL_YMD;
    for (size_t row = 0; orders != 0 && row < n; row++)
        if (!missing[row])
            orders &= mgl_date_orders(notation, texts[row]);
    if (orders == 0 || (orders & (orders - 1)) != 0)
        return false;
    while ((orders & 1u << order) == 0)
        order++;
    bool all = true;
    for (size_t row = 0; all && row < n; row++) {
        mgl_moment moment;
        out[row] = NAN;
        all = missing[row] || mgl_moment_parse(notation, texts[row], order, &moment);
        if (all && !missing[row])
            out[row] = mgl_moment_days(&moment);
    }
    return all;
}

bool mgl_treat_scale(const mgl_notation *notation, const mgl_span *texts, const uint8_t *missing,
                     size_t n, double *out)
{
    if (scale_numbers(notation, texts, missing, n, out) ||
        scale_dates(notation, texts, missing, n, out))
        return true;
    for (size_t row = 0; row < n; row++)
        out[row] = NAN;
    return false;
}

/* Values are looked at once each. */
mgl_status mgl_treat_scale_of(const mgl_column *column, size_t n, mgl_arena *arena, mgl_error *err,
                              double **out, bool *ordered)
{
    uint32_t n_values = mgl_dictionary_size(column->dictionary);
    mgl_span *texts = mgl_arena_alloc(arena, ((size_t)n_values + 1) * sizeof *texts);
    uint8_t *missing = mgl_arena_alloc(arena, (size_t)n_values + 1);
    double *values = mgl_arena_alloc(arena, ((size_t)n_values + 1) * sizeof *values);
    *out = mgl_arena_alloc(arena, (n + 1) * sizeof **out);
    MGL_TRY(
        mgl_check_memory(texts != NULL && missing != NULL && values != NULL && *out != NULL, err));
    for (uint32_t code = 0; code < n_values; code++) {
        texts[code] = mgl_dictionary_value(column->dictionary, code);
        missing[code] = code == mgl_dictionary_missing(column->dictionary);
    }
    *ordered = mgl_treat_scale(mgl_dictionary_notation(column->dictionary), texts, missing,
                               n_values, values);
    for (size_t row = 0; row < n; row++)
        (*out)[row] = values[mgl_column_code(column, row)];
    return MGL_OK;
}

/* The first value that is no number, which is to blame for there being no order. */
static void note_bad(mgl_treat_rows *rows)
{
    double number;
    for (size_t row = 0; rows->bad == SIZE_MAX && row < rows->n; row++)
        if (!rows->missing[row] && !mgl_notation_number(rows->notation, rows->texts[row], &number))
            rows->bad = row;
    mgl_buffer_text(rows->wrong,
                    "has no place in an order: all values must be numbers, or dates of which the "
                    "order of day and month is clear (name it by `missing` if it means missing: "
                    "`missing: ,NA,VALUE`; pram is for other values)");
}

/* ---- Groups -----------------------------------------------------------------------------------
 */

/* The number of each row's group, by its values in the other columns. */
static mgl_status find_groups(const mgl_treat_step *step, const mgl_treat_rows *rows,
                              mgl_error *err, uint32_t *out)
{
    mgl_map *groups = mgl_map_new();
    uint32_t *key = mgl_arena_alloc(rows->arena, step->n_columns * sizeof *key);
    bool room = groups != NULL && key != NULL;
    for (size_t row = 0; room && row < rows->n; row++) {
        for (size_t c = 0; c < step->n_columns; c++)
            key[c] = mgl_column_code(rows->others[c], row);
        out[row] =
            mgl_map_add(groups, (mgl_span){(const char *)key, step->n_columns * sizeof *key});
        room = out[row] != MGL_NOT_FOUND;
    }
    mgl_map_free(groups);
    return mgl_check_memory(room, err);
}

static const mgl_sort_key in_place[] = {
    MGL_ASCENDING(mgl_treat_place, group), MGL_ASCENDING(mgl_treat_place, value),
    MGL_ASCENDING(mgl_treat_place, draw), MGL_ASCENDING(mgl_treat_place, row), MGL_SORT_END};

mgl_status mgl_treat_places_of(const mgl_treat_step *step, mgl_treat_rows *rows, bool ordered,
                               bool by_group, mgl_random *stream, mgl_error *err,
                               mgl_treat_places *out)
{
    double *values = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *values);
    uint32_t *groups = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *groups);
    out->list = mgl_arena_alloc(rows->arena, (rows->n + 1) * sizeof *out->list);
    out->n = 0;
    MGL_TRY(mgl_check_memory(values != NULL && groups != NULL && out->list != NULL, err));
    if (ordered && !mgl_treat_scale(rows->notation, rows->texts, rows->missing, rows->n, values)) {
        note_bad(rows);
        return MGL_OK;
    }
    if (by_group && step->n_columns > 0)
        MGL_TRY(find_groups(step, rows, err, groups));
    for (size_t row = 0; row < rows->n; row++) {
        uint64_t low = mgl_random_u32(stream), high = mgl_random_u32(stream);
        if (!rows->missing[row])
            out->list[out->n++] =
                (mgl_treat_place){.row = (uint32_t)row,
                                  .group = by_group && step->n_columns > 0 ? groups[row] : 0,
                                  .value = ordered ? values[row] : 0,
                                  .draw = low | high << 32};
    }
    mgl_sort(out->list, out->n, sizeof *out->list, in_place);
    return MGL_OK;
}

size_t mgl_treat_group_end(const mgl_treat_places *places, size_t from)
{
    size_t end = from;
    while (end < places->n && places->list[end].group == places->list[from].group)
        end++;
    return end;
}

mgl_span *mgl_treat_texts(const mgl_treat_rows *rows, const mgl_treat_places *places)
{
    mgl_span *texts = mgl_arena_alloc(rows->arena, (places->n + 1) * sizeof *texts);
    for (size_t i = 0; texts != NULL && i < places->n; i++)
        texts[i] = rows->texts[places->list[i].row];
    return texts;
}
