/* The table of treatments, and the treatment of a column: what becomes of each of its values. */
#include "treat/perturbing.h"

#include <stdlib.h>

static const mgl_treat_type *const types[] = {
    &mgl_treat_pseudonym, &mgl_treat_round, &mgl_treat_top,   &mgl_treat_bottom,
    &mgl_treat_quantiles, &mgl_treat_date,  &mgl_treat_shift, &mgl_treat_mask,
    &mgl_treat_lower,     &mgl_treat_upper, &mgl_treat_trim,  &mgl_treat_constant,
    &mgl_treat_noise,     &mgl_treat_swap,  &mgl_treat_pram,  &mgl_treat_shuffle,
    &mgl_treat_drop,
};

enum { N_TYPES = sizeof types / sizeof types[0] };

const mgl_treat_type *const *mgl_treat_types(size_t *n)
{
    *n = N_TYPES;
    return types;
}

/* ---- Reading ------------------------------------------------------------------------------------
 */

/* Cuts the next treatment off at a comma that stands in no parentheses; false: there is none. */
static bool next_step(mgl_span *rest, mgl_span *out)
{
    size_t at = 0, depth = 0;
    if (rest->data == NULL)
        return false;
    for (; at < rest->size && (depth > 0 || rest->data[at] != ','); at++) {
        depth += rest->data[at] == '(';
        depth -= rest->data[at] == ')' && depth > 0;
    }
    *out = mgl_span_trim((mgl_span){rest->data, at});
    *rest = at < rest->size ? (mgl_span){rest->data + at + 1, rest->size - at - 1}
                            : (mgl_span){NULL, 0};
    return true;
}

static const mgl_treat_type *find_type(mgl_span name)
{
    for (size_t i = 0; i < N_TYPES; i++)
        if (mgl_span_is(name, types[i]->name))
            return types[i];
    return NULL;
}

static bool refuse_unknown(mgl_span name, mgl_buffer *wrong)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_nearest_try(&nearest, types[i]->name);
    mgl_buffer_format(wrong, "is no treatment: there is no '%.*s'; ", mgl_span_width(name),
                      name.data);
    if (nearest.best != NULL)
        mgl_buffer_format(wrong, "did you mean %s? ", nearest.best);
    mgl_buffer_text(wrong, "there are");
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_buffer_format(wrong, "%s %s", i > 0 ? "," : "", types[i]->syntax);
    return false;
}

static bool refuse_form(const mgl_treat_type *type, const char *what, mgl_buffer *wrong)
{
    mgl_buffer_format(wrong, "is no treatment: %s; write %s", what, type->syntax);
    return false;
}

static bool read_step(mgl_span text, mgl_arena *arena, mgl_treat_step *out, mgl_buffer *wrong)
{
    const char *open = text.size > 0 ? memchr(text.data, '(', text.size) : NULL;
    mgl_span name = {text.data, open != NULL ? (size_t)(open - text.data) : text.size};
    const mgl_treat_type *type = find_type(name);
    if (type == NULL)
        return refuse_unknown(name, wrong);
    *out = (mgl_treat_step){.type = type, .text = text, .arguments = {text.data + text.size, 0}};
    bool needs = type->syntax[strcspn(type->syntax, "([")] == '(';
    if (open != NULL && text.data[text.size - 1] != ')')
        return refuse_form(type, "the closing ')' is missing", wrong);
    if (open != NULL)
        out->arguments = mgl_span_trim((mgl_span){open + 1, text.size - name.size - 2});
    if (out->arguments.size == 0)
        return needs ? refuse_form(type, "arguments are missing", wrong)
                     : type->read == NULL || type->read(out, arena, wrong);
    return type->read != NULL ? type->read(out, arena, wrong)
                              : refuse_form(type, "it takes no arguments", wrong);
}

static bool refuse_pair(const mgl_treat_step *first, const mgl_treat_step *second,
                        mgl_buffer *wrong)
{
    bool same = first->type == second->type;
    const mgl_treat_step *alone = first->type->alone ? first : second;
    mgl_buffer_format(wrong, same ? "has %.*s twice; give it once" : "has %.*s beside others; %s",
                      mgl_span_width(alone->text), alone->text.data,
                      "it leaves nothing to treat: give it alone");
    return false;
}

/* What a perturbation demands of the treatments around it. */
static bool stands_right(const mgl_treat *treat, size_t i, mgl_buffer *wrong)
{
    const mgl_treat_step *step = &treat->steps[i];
    const char *why = NULL;
    for (size_t j = 0; j < treat->n_steps; j++)
        if (step->type->perturb != NULL && j != i &&
            (treat->steps[j].type->perturb != NULL || treat->steps[j].type->by_person ||
             treat->steps[j].type->renames))
            why = "beside another treatment that changes rows at random or renames values; leave "
                  "one of the two out";
    if (step->type->perturb != NULL && why == NULL && i + 1 < treat->n_steps &&
        step->type->keeps == NULL)
        why = "before others, and it exchanges what they would change; put it last";
    if (step->type->perturb != NULL && why == NULL && i > 0 && step->type->keeps != NULL &&
        step->n_columns > 0)
        why = "behind others, and its columns are compared as they are read; put it first";
    if (why != NULL)
        mgl_buffer_format(wrong, "has %.*s %s", mgl_span_width(step->text), step->text.data, why);
    return why == NULL;
}

/* Treatments that have no use together; those of which one undoes the other are found with the
 * values. */
static bool go_together(const mgl_treat *treat, mgl_buffer *wrong)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (!stands_right(treat, i, wrong))
            return false;
    for (size_t i = 0; i < treat->n_steps; i++)
        for (size_t j = i + 1; j < treat->n_steps; j++) {
            const mgl_treat_step *a = &treat->steps[i], *b = &treat->steps[j];
            if (a->type == b->type || a->type->alone || b->type->alone)
                return refuse_pair(a, b, wrong);
        }
    return true;
}

static bool read_steps(mgl_treat *treat, mgl_span text, mgl_buffer *wrong)
{
    mgl_span rest = text, one;
    size_t most = 1;
    for (size_t i = 0; i < text.size; i++)
        most += text.data[i] == ',';
    treat->steps = mgl_arena_alloc(treat->arena, most * sizeof *treat->steps);
    if (treat->steps == NULL) {
        wrong->failed = true;
        return false;
    }
    while (next_step(&rest, &one))
        if (!read_step(one, treat->arena, &treat->steps[treat->n_steps++], wrong))
            return false;
    return go_together(treat, wrong);
}

bool mgl_treat_check(mgl_span text, mgl_buffer *wrong)
{
    mgl_treat treat = {.arena = mgl_arena_new()};
    bool fine = treat.arena != NULL && read_steps(&treat, text, wrong);
    wrong->failed = wrong->failed || treat.arena == NULL;
    mgl_arena_free(treat.arena);
    return fine;
}

mgl_status mgl_treat_new(const char *text, mgl_error *err, mgl_treat **out)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_treat *treat = arena != NULL ? mgl_arena_alloc(arena, sizeof *treat) : NULL;
    char *copy = treat != NULL ? mgl_arena_copy(arena, text, strlen(text)) : NULL;
    mgl_buffer wrong = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(copy != NULL, err));
    *treat = (mgl_treat){.arena = arena};
    if (!read_steps(treat, mgl_span_of(copy), &wrong))
        MGL_GO(wrong.failed ? mgl_fail_memory(err)
                            : mgl_fail(err, MGL_CODE_BAD_VALUE, "'%.60s' %.*s", copy,
                                       (int)wrong.size, wrong.data));
    *out = treat;
    arena = NULL;
done:
    mgl_buffer_free(&wrong);
    mgl_arena_free(arena);
    return status;
}

void mgl_treat_free(mgl_treat *treat)
{
    if (treat != NULL)
        mgl_arena_free(treat->arena);
}

bool mgl_treat_leaves_out(const mgl_treat *treat)
{
    return treat->n_steps > 0 && treat->steps[0].type->leaves_out;
}

/* Has some treatment the flag at this place of its row? */
static bool any_has(const mgl_treat *treat, size_t flag)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (*(const bool *)((const char *)treat->steps[i].type + flag))
            return true;
    return false;
}

bool mgl_treat_renames(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, renames));
}

bool mgl_treat_is_one_to_one(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, one_to_one));
}

bool mgl_treat_needs_key(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, needs_key));
}

bool mgl_treat_by_person(const mgl_treat *treat)
{
    return any_has(treat, offsetof(mgl_treat_type, by_person));
}

const mgl_treat_step *mgl_treat_perturbs(const mgl_treat *treat)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (treat->steps[i].type->perturb != NULL)
            return &treat->steps[i];
    return NULL;
}

/* Treatments with a file have it as their word. */
mgl_span mgl_treat_path(const char *text)
{
    mgl_treat treat = {.arena = mgl_arena_new()};
    mgl_buffer wrong = {0};
    mgl_span path = {text, 0};
    if (treat.arena != NULL && read_steps(&treat, mgl_span_of(text), &wrong))
        for (size_t i = 0; i < treat.n_steps; i++)
            if (treat.steps[i].type->names_file && treat.steps[i].word.size > 0)
                path = treat.steps[i].word;
    mgl_buffer_free(&wrong);
    mgl_arena_free(treat.arena);
    return path;
}

/* ---- Promises -----------------------------------------------------------------------------------
 */

const mgl_treat_step *mgl_treat_broken(const mgl_treat *treat, const mgl_notation *notation,
                                       mgl_span value)
{
    for (size_t i = treat->n_steps; i-- > 0;) {
        const mgl_treat_step *step = &treat->steps[i];
        if (step->type->keeps != NULL && !step->type->keeps(step, notation, value))
            return step;
        if (step->type->renames)
            break;
    }
    return NULL;
}

typedef struct treating {
    const mgl_treat *treat;
    const mgl_treat_request *order;
    mgl_treat_values values;
    uint32_t *of_row; /* [n_rows] number of the value; NULL: it is the code */
    bool by_row;      /* the number of the value is that of the row */
    mgl_buffer text;
} treating;

static mgl_status run_perturbation(treating *t, const mgl_treat_step *step, mgl_buffer *resolved,
                                   mgl_error *err);

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
    mgl_dictionary_origin(column->dictionary, value, place);
    uint64_t line = take_line(place);
    mgl_where where = {place[0] != '\0' ? place : NULL, line, 0};
    return mgl_blame_attribute(
        err,
        mgl_fail_in(err, MGL_CODE_BAD_CELL, &where, "column '%.60s', %.*s: the value '%s' %.*s",
                    column->name, mgl_span_width(step->text), step->text.data,
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
    if (step->type->perturb != NULL)
        return run_perturbation(t, step, resolved, err);
    if (step->type->begin != NULL)
        MGL_TRY(mgl_blame_attribute(err, step->type->begin(step, &t->values, err, &state),
                                    t->order->column->name, "treat"));
    mgl_buffer_text(resolved, step > t->treat->steps ? "," : "");
    if (step->type->resolve != NULL)
        step->type->resolve(step, &t->values, state, resolved);
    else
        mgl_buffer_span(resolved, step->text);
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
        return mgl_fail_attribute(
            err, MGL_CODE_CONFLICT, name, "treat",
            "the treatments of column '%.60s' contradict each other: after %.*s not every value is "
            "%s, as %.*s promises; change their order, or leave one out",
            name, mgl_span_width(last->text), last->text.data, broken->type->promise,
            mgl_span_width(broken->text), broken->text.data);
    }
    return MGL_OK;
}

/* ---- Whose values ------------------------------------------------------------------------------
 */

/* Numbers the different pairs of person and value. */
static mgl_status find_pairs(treating *t, mgl_error *err)
{
    const mgl_treat_request *request = t->order;
    mgl_map *pairs = mgl_map_new();
    uint32_t *codes = mgl_arena_alloc(t->values.arena, (request->n_rows + 1) * sizeof *codes);
    uint32_t *persons = mgl_arena_alloc(t->values.arena, (request->n_rows + 1) * sizeof *persons);
    t->of_row = mgl_alloc_array(request->n_rows, sizeof *t->of_row);
    bool room = pairs != NULL && codes != NULL && persons != NULL && t->of_row != NULL;
    for (size_t row = 0; room && row < request->n_rows; row++) {
        uint32_t pair[2] = {mgl_column_code(request->persons, row),
                            mgl_column_code(request->column, row)};
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
    t->values.ids = request->persons->dictionary;
    mgl_map_free(pairs);
    return room ? MGL_OK : mgl_fail_memory(err);
}

static uint32_t value_of_row(const treating *t, size_t row)
{
    return t->by_row           ? (uint32_t)row
           : t->of_row != NULL ? t->of_row[row]
                               : mgl_column_code(t->order->column, row);
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
    MGL_TRY(mgl_check_memory(t->values.arena != NULL, err));
    if (mgl_treat_by_person(t->treat))
        MGL_TRY(find_pairs(t, err));
    uint32_t n = t->values.n;
    t->values.rows = mgl_zeroed_array(n, sizeof *t->values.rows);
    t->values.texts = mgl_alloc_array(n, sizeof *t->values.texts);
    MGL_TRY(mgl_check_memory(t->values.rows != NULL && t->values.texts != NULL, err));
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
    mgl_buffer_free(&t->text);
}

/* ---- The column ---------------------------------------------------------------------------------
 */

/* made: [n] gets the codes of the new dictionary. */
static bool fill_dictionary(const treating *t, uint32_t *made, mgl_dictionary *out)
{
    mgl_span missing = t->order->n_missing > 0 ? t->order->missing[0] : (mgl_span){"", 0};
    if (t->values.missing != MGL_NOT_FOUND)
        missing = mgl_dictionary_value(t->order->column->dictionary, t->values.missing);
    for (uint32_t at = 0; at < t->values.n; at++) {
        made[at] = is_missing(t, at) ? mgl_dictionary_add_missing(out, missing)
                                     : mgl_dictionary_add(out, t->values.texts[at]);
        if (made[at] == MGL_NOT_FOUND)
            return false;
    }
    mgl_dictionary_set_notation(out, t->values.notation);
    return true;
}

static mgl_status make_column(const treating *t, mgl_error *err, mgl_column *out)
{
    const mgl_column *from = t->order->column;
    uint32_t *made = mgl_alloc_array(t->values.n, sizeof *made);
    *out = (mgl_column){.role = from->role, .source_index = from->source_index, .width = 1};
    out->name = mgl_alloc(strlen(from->name) + 1);
    out->dictionary = mgl_dictionary_new();
    bool room = made != NULL && out->name != NULL && out->dictionary != NULL &&
                fill_dictionary(t, made, out->dictionary);
    uint32_t n = room ? mgl_dictionary_size(out->dictionary) : 0;
    if (!room || !mgl_column_widen(out, 0, n > 0 ? n - 1 : 0) ||
        !mgl_column_reserve(out, 0, t->order->n_rows)) {
        mgl_column_clear(out);
        mgl_free(made);
        return mgl_fail_memory(err);
    }
    strcpy(out->name, from->name);
    for (size_t row = 0; row < t->order->n_rows; row++)
        mgl_column_set(out, row, made[value_of_row(t, row)]);
    mgl_free(made);
    return MGL_OK;
}

/* ---- Perturbations ------------------------------------------------------------------------------
 */

/* From here on each row has a value of its own. */
static mgl_status spread_rows(treating *t, mgl_error *err)
{
    size_t n = t->order->n_rows;
    uint32_t *codes = mgl_arena_alloc(t->values.arena, (n + 1) * sizeof *codes);
    mgl_span *texts = mgl_alloc_array(n, sizeof *texts);
    uint64_t *rows = mgl_alloc_array(n, sizeof *rows);
    if (codes == NULL || texts == NULL || rows == NULL || n >= MGL_NOT_FOUND) {
        mgl_free(texts);
        mgl_free(rows);
        return n < MGL_NOT_FOUND ? mgl_fail_memory(err)
                                 : mgl_fail(err, MGL_CODE_LIMIT, "too many rows to perturb");
    }
    for (size_t row = 0; row < n; row++) {
        uint32_t at = value_of_row(t, row);
        codes[row] = code_of(t, at);
        texts[row] = t->values.texts[at];
        rows[row] = 1;
    }
    mgl_free(t->values.texts);
    mgl_free(t->values.rows);
    t->values.texts = texts;
    t->values.rows = rows;
    t->values.codes = codes;
    t->values.persons = NULL;
    t->values.n = (uint32_t)n;
    t->by_row = true;
    return MGL_OK;
}

static mgl_status find_others(const treating *t, const mgl_treat_step *step, mgl_treat_rows *rows,
                              mgl_error *err)
{
    const mgl_treat_request *request = t->order;
    rows->others = mgl_arena_alloc(t->values.arena, (step->n_columns + 1) * sizeof *rows->others);
    MGL_TRY(mgl_check_memory(rows->others != NULL, err));
    for (size_t i = 0; i < step->n_columns; i++) {
        rows->others[i] = NULL;
        for (size_t c = 0; c < request->n_columns; c++)
            if (request->columns[c].name != NULL &&
                mgl_span_is(step->columns[i], request->columns[c].name))
                rows->others[i] = &request->columns[c];
        if (rows->others[i] == NULL)
            return mgl_fail(
                err, MGL_CODE_UNKNOWN_COLUMN,
                "column '%.60s', %.*s: there is no column \"%.*s\" to look at; name one "
                "of the table",
                rows->name, mgl_span_width(step->text), step->text.data,
                mgl_span_width(step->columns[i]), step->columns[i].data);
    }
    return MGL_OK;
}

static mgl_status perturb_rows(treating *t, const mgl_treat_step *step, uint8_t *missing,
                               mgl_buffer *resolved, mgl_error *err)
{
    mgl_treat_rows rows = {.name = t->order->column->name,
                           .n = t->order->n_rows,
                           .texts = t->values.texts,
                           .missing = missing,
                           .notation = t->values.notation,
                           .key = t->order->key,
                           .persons = t->order->persons,
                           .arena = t->values.arena,
                           .bad = SIZE_MAX,
                           .wrong = &t->text};
    for (uint32_t row = 0; row < t->values.n; row++)
        missing[row] = is_missing(t, row);
    MGL_TRY(find_others(t, step, &rows, err));
    MGL_TRY(mgl_treat_set_about(step, t->order->column, &rows, err));
    t->text.size = 0;
    MGL_TRY(step->type->perturb(step, &rows, err, resolved));
    return rows.bad != SIZE_MAX ? fail_value(t, step, (uint32_t)rows.bad, err) : MGL_OK;
}

/* Values of rows change from here on, not values: rows that stand for several would all change. */
static mgl_status run_perturbation(treating *t, const mgl_treat_step *step, mgl_buffer *resolved,
                                   mgl_error *err)
{
    const char *name = t->order->column->name;
    if (t->order->times != NULL)
        return mgl_fail_attribute(err, MGL_CODE_CONFLICT, name, "treat",
                                  "column '%.60s', %.*s: rows are perturbed one by one, and those "
                                  "of a table that is counted stand for several; give the table "
                                  "itself, or leave the treatment out",
                                  name, mgl_span_width(step->text), step->text.data);
    MGL_TRY(spread_rows(t, err));
    if (t->order->plain != NULL)
        MGL_TRY(make_column(t, err, t->order->plain));
    uint8_t *missing = mgl_arena_alloc(t->values.arena, (size_t)t->values.n + 1);
    MGL_TRY(mgl_check_memory(missing != NULL, err));
    mgl_buffer_text(resolved, step > t->treat->steps ? "," : "");
    return mgl_blame_attribute(err, perturb_rows(t, step, missing, resolved, err), name, "treat");
}

mgl_status mgl_treat_column(const mgl_treat *treat, const mgl_treat_request *request,
                            mgl_buffer *resolved, mgl_error *err, mgl_column *out)
{
    treating t = {.treat = treat, .order = request};
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
