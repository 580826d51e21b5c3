/* Makes the treated copy of a column: each different value is treated once, and the codes of the
 * rows are mapped. The reading of the pipeline calls it, before anything is counted. */
#include "treat/treat_rows.h"

#include <stdlib.h>

typedef struct treating {
    const mgl_treat *treat;
    const mgl_treat_order *order;
    mgl_treat_values values;
    uint32_t *of_row; /* [n_rows] number of the value; NULL: it is the code */
    mgl_buffer text;
    uint32_t *made; /* [n] codes of the new dictionary */
} treating;

static uint32_t code_of(const treating *t, uint32_t at)
{
    return t->values.codes != NULL ? t->values.codes[at] : at;
}

/* Cuts the line off FILE:LINE; 0: there is none. */
static uint64_t take_line(char *place)
{
    char *colon = strrchr(place, ':'), *end = NULL;
    uint64_t line = colon != NULL ? strtoull(colon + 1, &end, 10) : 0;
    if (line == 0 || *end != '\0')
        return 0;
    *colon = '\0';
    return line;
}

static mgl_status fail_value(const treating *t, const mgl_treat_step *step, uint32_t at,
                             mgl_error *err)
{
    const mgl_column *column = t->order->column;
    mgl_span value = mgl_dictionary_value(column->dictionary, code_of(t, at));
    char place[MGL_PLACE_TEXT], shown[MGL_SHOWN];
    if (t->text.failed)
        return mgl_fail_memory(err);
    mgl_dictionary_place(column->dictionary, value, place);
    uint64_t line = take_line(place);
    mgl_where where = {place[0] != '\0' ? place : NULL, line, 0};
    return mgl_blame_attribute(
        err,
        mgl_fail_in(err, MGL_CODE_BAD_CELL, &where, "column '%.60s', %.*s: the value '%s' %.*s",
                    column->name, mgl_span_width(step->said), step->said.data,
                    mgl_shown(value, shown), (int)t->text.size, t->text.data),
        column->name, "treat");
}

static mgl_status treat_value(treating *t, const mgl_treat_step *step, const void *state,
                              uint32_t at, mgl_error *err)
{
    t->text.size = 0;
    if (!step->type->value(step, &t->values, state, at, &t->text))
        return fail_value(t, step, at, err);
    const char *made =
        mgl_arena_copy(t->values.arena, t->text.size > 0 ? t->text.data : "", t->text.size);
    if (t->text.failed || made == NULL)
        return mgl_fail_memory(err);
    t->values.texts[at] = (mgl_span){made, t->text.size};
    return MGL_OK;
}

static mgl_status run_step(treating *t, const mgl_treat_step *step, mgl_buffer *resolved,
                           mgl_error *err)
{
    void *state = NULL;
    if (step->type->begin != NULL)
        MGL_TRY(mgl_blame_attribute(err, step->type->begin(step, &t->values, err, &state),
                                    t->order->column->name, "treat"));
    mgl_buffer_text(resolved, step > t->treat->steps ? "," : "");
    if (step->type->resolve != NULL)
        step->type->resolve(step, &t->values, state, resolved);
    else
        mgl_buffer_span(resolved, step->said);
    for (uint32_t at = 0; at < t->values.n; at++)
        if (code_of(t, at) != t->values.missing)
            MGL_TRY(treat_value(t, step, state, at, err));
    return MGL_OK;
}

static bool is_missing(const treating *t, uint32_t at)
{
    if (code_of(t, at) == t->values.missing)
        return true;
    for (size_t i = 0; i < t->order->n_missing; i++)
        if (mgl_span_equal(t->values.texts[at], t->order->missing[i]))
            return true;
    return false;
}

/* What one treatment promised another may have undone: round(10) before top(85). */
static mgl_status check_promises(const treating *t, mgl_error *err)
{
    const mgl_treat *treat = t->treat;
    const mgl_treat_step *last = &treat->steps[treat->n_steps - 1];
    for (uint32_t at = 0; at < t->values.n; at++) {
        const mgl_treat_step *broken =
            is_missing(t, at) ? NULL
                              : mgl_treat_broken(treat, t->values.notation, t->values.texts[at]);
        if (broken == NULL)
            continue;
        const char *name = t->order->column->name;
        return mgl_blame_attribute(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "the treatments of column '%.60s' contradict each other: after %.*s not "
                     "every value is %s, as %.*s promises; change their order, or leave one out",
                     name, mgl_span_width(last->said), last->said.data, broken->type->promise,
                     mgl_span_width(broken->said), broken->said.data),
            name, "treat");
    }
    return MGL_OK;
}

/* ---- Whose values ------------------------------------------------------------------------------
 */

/* Numbers the different pairs of person and value. */
static mgl_status find_pairs(treating *t, mgl_error *err)
{
    const mgl_treat_order *order = t->order;
    mgl_map *pairs = mgl_map_new();
    uint32_t *codes = mgl_arena_alloc(t->values.arena, (order->n_rows + 1) * sizeof *codes);
    uint32_t *persons = mgl_arena_alloc(t->values.arena, (order->n_rows + 1) * sizeof *persons);
    t->of_row = mgl_alloc_array(order->n_rows, sizeof *t->of_row);
    bool room = pairs != NULL && codes != NULL && persons != NULL && t->of_row != NULL;
    for (size_t row = 0; room && row < order->n_rows; row++) {
        uint32_t pair[2] = {mgl_column_code(order->persons, row),
                            mgl_column_code(order->column, row)};
        uint32_t at = mgl_map_add(pairs, (mgl_span){(const char *)pair, sizeof pair});
        room = at != MGL_NOT_FOUND;
        if (!room)
            break;
        persons[at] = pair[0];
        codes[at] = pair[1];
        t->of_row[row] = at;
    }
    t->values.n = room ? mgl_map_size(pairs) : 0;
    t->values.codes = codes;
    t->values.persons = persons;
    t->values.ids = order->persons->dictionary;
    mgl_map_free(pairs);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static uint32_t value_of_row(const treating *t, size_t row)
{
    return t->of_row != NULL ? t->of_row[row] : mgl_column_code(t->order->column, row);
}

static mgl_status begin(treating *t, mgl_error *err)
{
    const mgl_dictionary *dictionary = t->order->column->dictionary;
    t->values = (mgl_treat_values){.column = t->order->column,
                                   .n = mgl_dictionary_size(dictionary),
                                   .missing = mgl_dictionary_missing(dictionary),
                                   .notation = mgl_dictionary_notation(dictionary),
                                   .key = t->order->key,
                                   .arena = mgl_arena_new()};
    if (t->values.arena == NULL)
        return mgl_fail_memory(err);
    if (mgl_treat_by_person(t->treat))
        MGL_TRY(find_pairs(t, err));
    uint32_t n = t->values.n;
    t->made = mgl_alloc_array(n, sizeof *t->made);
    t->values.rows = mgl_zeroed_array(n, sizeof *t->values.rows);
    t->values.texts = mgl_alloc_array(n, sizeof *t->values.texts);
    if (t->made == NULL || t->values.rows == NULL || t->values.texts == NULL)
        return mgl_fail_memory(err);
    for (uint32_t at = 0; at < n; at++)
        t->values.texts[at] = mgl_dictionary_value(dictionary, code_of(t, at));
    for (size_t row = 0; row < t->order->n_rows; row++)
        t->values.rows[value_of_row(t, row)] += t->order->times != NULL ? t->order->times[row] : 1;
    return MGL_OK;
}

static void end(treating *t)
{
    mgl_arena_free(t->values.arena);
    mgl_free(t->values.rows);
    mgl_free(t->values.texts);
    mgl_free(t->of_row);
    mgl_free(t->made);
    mgl_buffer_free(&t->text);
}

/* ---- The column ---------------------------------------------------------------------------------
 */

static bool fill_dictionary(treating *t, mgl_dictionary *out)
{
    mgl_span missing = t->order->n_missing > 0 ? t->order->missing[0] : (mgl_span){"", 0};
    if (t->values.missing != MGL_NOT_FOUND)
        missing = mgl_dictionary_value(t->order->column->dictionary, t->values.missing);
    for (uint32_t at = 0; at < t->values.n; at++) {
        t->made[at] = is_missing(t, at) ? mgl_dictionary_add_missing(out, missing)
                                        : mgl_dictionary_add(out, t->values.texts[at]);
        if (t->made[at] == MGL_NOT_FOUND)
            return false;
    }
    mgl_dictionary_set_notation(out, t->values.notation);
    return true;
}

static mgl_status make_column(treating *t, mgl_error *err, mgl_column *out)
{
    const mgl_column *from = t->order->column;
    *out = (mgl_column){.role = from->role, .source_index = from->source_index, .width = 1};
    out->name = mgl_alloc(strlen(from->name) + 1);
    out->dictionary = mgl_dictionary_new();
    bool room = out->name != NULL && out->dictionary != NULL && fill_dictionary(t, out->dictionary);
    uint32_t n = room ? mgl_dictionary_size(out->dictionary) : 0;
    if (!room || !mgl_column_widen(out, 0, n > 0 ? n - 1 : 0) ||
        !mgl_column_reserve(out, 0, t->order->n_rows)) {
        mgl_column_clear(out);
        return mgl_fail_memory(err);
    }
    strcpy(out->name, from->name);
    for (size_t row = 0; row < t->order->n_rows; row++)
        mgl_column_set(out, row, t->made[value_of_row(t, row)]);
    return MGL_OK;
}

mgl_status mgl_treat_column(const mgl_treat *treat, const mgl_treat_order *order,
                            mgl_buffer *resolved, mgl_error *err, mgl_column *out)
{
    treating t = {.treat = treat, .order = order};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&t, err));
    for (size_t i = 0; i < treat->n_steps; i++)
        MGL_GO(run_step(&t, &treat->steps[i], resolved, err));
    MGL_GO(check_promises(&t, err));
    MGL_GO(make_column(&t, err, out));
    if (resolved->failed)
        mgl_column_clear(out);
    MGL_GO(resolved->failed ? mgl_fail_memory(err) : MGL_OK);
done:
    end(&t);
    return status;
}
