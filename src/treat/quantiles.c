/* quantiles(N): numbers become the group that they lie in, of N groups with about as many rows
 * each. A row of the table in treat_types.c. */
#include "treat/treat_rows.h"

#include <stdlib.h>

enum { FEWEST = 2, MOST = 1000 };

static const char no_cuts[] = "none";

static bool take_cuts(mgl_treat_step *step, mgl_span text, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span *cuts = mgl_arena_alloc(arena, (text.size + 1) * sizeof *cuts);
    mgl_decimal number;
    wrong->failed = wrong->failed || cuts == NULL;
    step->cuts = cuts;
    while (cuts != NULL && text.size > 0 && !mgl_span_is(text, no_cuts)) {
        const char *comma = memchr(text.data, ',', text.size);
        size_t size = comma != NULL ? (size_t)(comma - text.data) : text.size;
        mgl_span one = mgl_span_trim((mgl_span){text.data, size});
        if (!mgl_decimal_parse(NULL, one, &number))
            return false;
        cuts[step->n_cuts++] = one;
        text = (mgl_span){text.data + size + (comma != NULL), text.size - size - (comma != NULL)};
    }
    return cuts != NULL && step->n_cuts < step->count;
}

/* "4", or with the cuts that were found: "4; 10,20,30". */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments;
    const char *end = memchr(text.data, ';', text.size);
    size_t size = end != NULL ? (size_t)(end - text.data) : text.size;
    if (mgl_parse_u64(mgl_span_trim((mgl_span){text.data, size}), &step->count) &&
        step->count >= FEWEST && step->count <= MOST &&
        (end == NULL ||
         take_cuts(step, mgl_span_trim((mgl_span){end + 1, text.size - size - 1}), arena, wrong)))
        return true;
    mgl_buffer_format(wrong,
                      "is no treatment: '%.*s' is no number of groups from %d to %d; write "
                      "for example quantiles(4)",
                      mgl_span_width(text), text.data, FEWEST, MOST);
    return false;
}

/* ---- Cuts ---------------------------------------------------------------------------------------
 */

typedef struct ranked {
    mgl_decimal number;
    uint64_t rows;
} ranked;

typedef struct groups {
    mgl_decimal *cuts; /* ascending, each the first number of its group */
    size_t n;
} groups;

static int by_number(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    return (x->number.digits > y->number.digits) - (x->number.digits < y->number.digits);
}

/* The values as numbers of one scale; false if one is no number, of which `value` will tell. */
static bool rank(const mgl_treat_values *values, ranked *list, size_t *n)
{
    mgl_buffer wrong = {0};
    uint32_t scale = 0;
    bool fine = true;
    for (uint32_t at = 0; fine && at < values->n; at++) {
        if ((values->codes != NULL ? values->codes[at] : at) == values->missing)
            continue;
        fine = mgl_treat_number(values, values->texts[at], &list[*n].number, &wrong);
        scale = fine && list[*n].number.scale > scale ? list[*n].number.scale : scale;
        list[(*n)++].rows = values->rows[at];
    }
    for (size_t i = 0; fine && i < *n; i++)
        fine = mgl_decimal_rescale(&list[i].number, scale);
    mgl_buffer_free(&wrong);
    if (fine && *n > 1)
        qsort(list, *n, sizeof *list, by_number);
    return fine;
}

/* Group i begins with the number that stands at its share of the rows; equal numbers stay
 * together. */
static void choose_cuts(const mgl_treat_step *step, const ranked *list, size_t n, groups *out)
{
    uint64_t rows = 0, before = 0;
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        rows += list[i].rows;
    for (uint64_t i = 1; i < step->count && n > 0; i++) {
        uint64_t place = (uint64_t)((unsigned __int128)rows * i / step->count);
        while (at + 1 < n && before + list[at].rows <= place)
            before += list[at++].rows;
        __int128 last = out->n > 0 ? out->cuts[out->n - 1].digits : list[0].number.digits;
        if (list[at].number.digits > last)
            out->cuts[out->n++] = list[at].number;
    }
}

static mgl_status begin(const mgl_treat_step *step, const mgl_treat_values *values, mgl_error *err,
                        void **out)
{
    groups *state = mgl_arena_alloc(values->arena, sizeof *state);
    ranked *list = mgl_arena_alloc(values->arena, (values->n + 1) * sizeof *list);
    mgl_decimal *cuts = mgl_arena_alloc(values->arena, (step->count + 1) * sizeof *cuts);
    size_t n = 0;
    MGL_TRY(mgl_check_memory(state != NULL && list != NULL && cuts != NULL, err));
    *state = (groups){.cuts = cuts};
    *out = state;
    for (size_t i = 0; i < step->n_cuts; i++)
        if (mgl_decimal_parse(NULL, step->cuts[i], &cuts[state->n]))
            state->n++;
    if (step->cuts == NULL && rank(values, list, &n))
        choose_cuts(step, list, n, state);
    return MGL_OK;
}

/* ---- Values -------------------------------------------------------------------------------------
 */

static void write_cut(const groups *state, size_t i, const mgl_notation *notation,
                      char text[MGL_DECIMAL_TEXT])
{
    mgl_decimal_write(notation, state->cuts[i].digits, state->cuts[i].scale, text);
}

static void write_group(const groups *state, size_t group, const mgl_notation *notation,
                        mgl_buffer *out)
{
    char low[MGL_DECIMAL_TEXT], high[MGL_DECIMAL_TEXT];
    bool comma = notation->numbers == MGL_NUMBERS_COMMA;
    if (group > 0)
        write_cut(state, group - 1, notation, low);
    if (group < state->n)
        write_cut(state, group, notation, high);
    if (state->n == 0)
        mgl_buffer_text(out, "*");
    else if (group == 0)
        mgl_buffer_format(out, "<%s", high);
    else if (group == state->n)
        mgl_buffer_format(out, ">=%s", low);
    else
        mgl_buffer_format(out, comma ? "[%s-%s)" : "[%s,%s)", low, high);
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    const groups *g = state;
    mgl_decimal number;
    size_t group = 0;
    (void)step;
    if (!mgl_treat_number(values, values->texts[at], &number, out))
        return false;
    for (; group < g->n; group++) {
        mgl_decimal cut = g->cuts[group], other = number;
        if (!mgl_treat_align(&cut, &other, out))
            return false;
        if (other.digits < cut.digits)
            break;
    }
    write_group(g, group, values->notation, out);
    return true;
}

static void resolve(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                    mgl_buffer *out)
{
    const groups *g = state;
    char text[MGL_DECIMAL_TEXT];
    (void)values;
    mgl_buffer_format(out, "quantiles(%llu; %s", (unsigned long long)step->count,
                      g->n == 0 ? no_cuts : "");
    for (size_t i = 0; i < g->n; i++) {
        write_cut(g, i, NULL, text);
        mgl_buffer_format(out, "%s%s", i > 0 ? "," : "", text);
    }
    mgl_buffer_text(out, ")");
}

/* ---- The promise --------------------------------------------------------------------------------
 */

/* Which cut the text is; n_cuts: none. */
static size_t place_of(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    double number, cut;
    size_t i = 0;
    if (!mgl_notation_number(notation, text, &number))
        return step->n_cuts;
    while (i < step->n_cuts && !(mgl_parse_double(step->cuts[i], &cut) && cut == number))
        i++;
    return i;
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    size_t n = step->n_cuts;
    if (step->cuts == NULL || n == 0)
        return step->cuts == NULL || mgl_span_is(text, "*");
    if (text.size > 1 && text.data[0] == '<')
        return place_of(step, notation, (mgl_span){text.data + 1, text.size - 1}) == 0;
    if (text.size > 2 && memcmp(text.data, ">=", 2) == 0)
        return place_of(step, notation, (mgl_span){text.data + 2, text.size - 2}) == n - 1;
    if (text.size < 5 || text.data[0] != '[' || text.data[text.size - 1] != ')')
        return false;
    for (size_t i = 2; i + 1 < text.size; i++) {
        mgl_span low = {text.data + 1, i - 1}, high = {text.data + i + 1, text.size - i - 2};
        size_t place =
            text.data[i] == ',' || text.data[i] == '-' ? place_of(step, notation, low) : n;
        if (place < n && place_of(step, notation, high) == place + 1 && place + 1 < n)
            return true;
    }
    return false;
}

const mgl_treat_type mgl_treat_quantiles = {
    .name = "quantiles",
    .syntax = "quantiles(N)",
    .help = "numbers become one of N groups with about as many rows each; equal numbers stay "
            "together",
    .example = "quantiles(4): 37 -> [31,44)",
    .promise = "one of N groups",
    .read = read,
    .begin = begin,
    .value = value,
    .keeps = keeps,
    .resolve = resolve,
};
