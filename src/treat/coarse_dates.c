/* date(UNIT): days and times become the month, year, ... that they lie in. A row of the table in
 * treat_types.c. The values are those of the first level of the hierarchy dates(UNIT); days and
 * hours, which can be what the values are already, are written here. */
#include "treat/treat_rows.h"

#include "hierarchy/hierarchy.h"

/* How the values of a unit are written: 9 stands for a digit. */
static const struct {
    const char *unit, *pattern;
} units[] = {
    {"hour", "9999-99-99T99"}, {"day", "9999-99-99"},  {"week", "9999-W99"},
    {"month", "9999-99"},      {"quarter", "9999-Q9"}, {"year", "9999"},
};

enum { UNITS = sizeof units / sizeof units[0], FEWEST_YEARS = 2, MOST_YEARS = 10000 };

static const char *pattern_of(mgl_span unit)
{
    for (size_t i = 0; i < UNITS; i++)
        if (mgl_span_is(unit, units[i].unit))
            return units[i].pattern;
    return NULL;
}

/* "year", or "dmy; year" where the values leave the order of day and month open. */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments;
    mgl_date_order order;
    const char *end = memchr(text.data, ';', text.size);
    size_t size = end != NULL ? (size_t)(end - text.data) : 0;
    bool fine =
        end == NULL || mgl_date_order_parse(mgl_span_trim((mgl_span){text.data, size}), &order);
    (void)arena;
    if (end != NULL)
        text = mgl_span_trim((mgl_span){end + 1, text.size - size - 1});
    step->word = text;
    bool years = text.size > 1 && text.data[text.size - 1] == 'y' &&
                 mgl_parse_u64((mgl_span){text.data, text.size - 1}, &step->count) &&
                 step->count >= FEWEST_YEARS && step->count <= MOST_YEARS;
    if (fine && (years || pattern_of(text) != NULL))
        return true;
    mgl_buffer_format(wrong,
                      "is no treatment: '%.*s' is no unit of time; write date(UNIT) with "
                      "hour, day, week, month, quarter, year or 5y",
                      mgl_span_width(step->arguments), step->arguments.data);
    return false;
}

/* ---- Values -------------------------------------------------------------------------------------
 */

typedef struct coarse {
    mgl_dictionary *values;
    const mgl_span *labels; /* [code of values] */
    mgl_treat_dates dates;
} coarse;

/* Days and hours are written by themselves. */
static bool is_fine(const mgl_treat_step *step)
{
    return mgl_span_is(step->word, "day") || mgl_span_is(step->word, "hour");
}

/* The values as a dictionary; where it has the codes of the column, it knows places, too. */
static mgl_dictionary *dictionary_of(const mgl_treat_values *values)
{
    mgl_dictionary *out = mgl_dictionary_new();
    bool same = out != NULL && values->codes == NULL;
    if (out != NULL)
        mgl_dictionary_resemble(out, values->column->dictionary);
    for (uint32_t at = 0; out != NULL && at < values->n; at++) {
        bool missing = (values->codes != NULL ? values->codes[at] : at) == values->missing;
        uint32_t code = missing ? mgl_dictionary_add_missing(out, values->texts[at])
                                : mgl_dictionary_add(out, values->texts[at]);
        if (code == MGL_NOT_FOUND) {
            mgl_dictionary_free(out);
            return NULL;
        }
        same = same && code == at;
    }
    if (out != NULL && !same)
        mgl_dictionary_set_origins(out, NULL, NULL);
    if (out != NULL)
        mgl_dictionary_set_labels(out, NULL);
    return out;
}

/* The texts of the first level, kept in the arena. */
static mgl_status take_labels(const mgl_hierarchy *hierarchy, const mgl_treat_values *values,
                              const char *column, mgl_error *err, coarse *out)
{
    uint32_t n = mgl_dictionary_size(out->values);
    uint32_t *leaves = mgl_arena_alloc(values->arena, (n + 1) * sizeof *leaves);
    mgl_span *labels = mgl_arena_alloc(values->arena, (n + 1) * sizeof *labels);
    MGL_TRY(mgl_check_memory(leaves != NULL && labels != NULL, err));
    MGL_TRY(mgl_hierarchy_bind(hierarchy, column, out->values, err, leaves));
    for (uint32_t code = 0; code < n; code++) {
        const mgl_level *level = &hierarchy->levels[1];
        mgl_span label = level->labels[level->of_leaf[leaves[code]]];
        labels[code] =
            (mgl_span){mgl_arena_copy(values->arena, label.data, label.size), label.size};
        MGL_TRY(mgl_check_memory(labels[code].data != NULL, err));
    }
    out->labels = labels;
    return MGL_OK;
}

static mgl_status fill(coarse *state, const mgl_treat_step *step, const mgl_treat_values *values,
                       mgl_error *err)
{
    mgl_hierarchy *hierarchy = NULL;
    mgl_buffer spec = {0};
    char *text = NULL;
    mgl_status status = MGL_OK;
    state->values = dictionary_of(values);
    mgl_buffer_format(&spec, "dates(%s; %.*s)", mgl_date_order_name(state->dates.order),
                      (int)step->word.size, step->word.data);
    MGL_GO(state->values == NULL ? mgl_fail_memory(err) : mgl_buffer_take(&spec, err, &text));
    MGL_GO(mgl_hierarchy_make(text, values->column->name, state->values, err, &hierarchy));
    MGL_GO(take_labels(hierarchy, values, values->column->name, err, state));
done:
    mgl_hierarchy_free(hierarchy);
    mgl_buffer_free(&spec);
    mgl_free(text);
    return status;
}

/* The labels of the values, by number; the dictionary is of no use afterwards. */
static mgl_status begin(const mgl_treat_step *step, const mgl_treat_values *values, mgl_error *err,
                        void **out)
{
    coarse *state = mgl_arena_alloc(values->arena, sizeof *state);
    mgl_span *labels = mgl_arena_alloc(values->arena, (values->n + 1) * sizeof *labels);
    MGL_TRY(mgl_check_memory(state != NULL && labels != NULL, err));
    *state = (coarse){.dates = mgl_treat_dates_of(step, values)};
    bool built = !is_fine(step) && state->dates.all;
    mgl_status status = built ? fill(state, step, values, err) : MGL_OK;
    for (uint32_t at = 0; built && status == MGL_OK && at < values->n; at++) {
        uint32_t code = mgl_dictionary_find(state->values, values->texts[at]);
        labels[at] = code != MGL_NOT_FOUND ? state->labels[code] : values->texts[at];
    }
    mgl_dictionary_free(state->values);
    state->values = NULL;
    state->labels = labels;
    *out = state;
    return status;
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    enum { SECONDS_OF_HOUR = 3600 };
    const coarse *c = state;
    mgl_moment moment;
    if (!mgl_treat_moment(&c->dates, values, at, &moment, out))
        return false;
    if (!is_fine(step)) {
        mgl_buffer_span(out, c->labels[at]);
        return true;
    }
    if (!moment.timed && mgl_span_is(step->word, "hour")) {
        mgl_buffer_text(out, "has no time of day; take day or a longer unit");
        return false;
    }
    mgl_buffer_format(out, "%04u-%02u-%02u", moment.date.year, moment.date.month, moment.date.day);
    if (mgl_span_is(step->word, "hour"))
        mgl_buffer_format(out, "T%02u", (unsigned)(moment.seconds / SECONDS_OF_HOUR));
    return true;
}

/* With the order of day and month that all values have. */
static void resolve(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                    mgl_buffer *out)
{
    const coarse *c = state;
    (void)values;
    mgl_buffer_format(out, "date(%s; %.*s)", mgl_date_order_name(c->dates.order),
                      (int)step->word.size, step->word.data);
}

/* ---- The promise --------------------------------------------------------------------------------
 */

static bool fits(mgl_span text, const char *pattern)
{
    if (text.size != strlen(pattern))
        return false;
    for (size_t i = 0; i < text.size; i++)
        if (pattern[i] == '9' ? text.data[i] < '0' || text.data[i] > '9'
                              : text.data[i] != pattern[i])
            return false;
    return true;
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    const char *pattern = pattern_of(step->word);
    uint64_t first, last;
    (void)notation;
    if (pattern != NULL)
        return fits(text, pattern);
    return fits(text, "9999-9999") && mgl_parse_u64((mgl_span){text.data, 4}, &first) &&
           mgl_parse_u64((mgl_span){text.data + 5, 4}, &last) && first % step->count == 0 &&
           last == first + step->count - 1;
}

const mgl_treat_type mgl_treat_date = {
    .name = "date",
    .syntax = "date([ymd|dmy|mdy;] UNIT)",
    .help = "days and times become the hour, day, week, month, quarter, year or run of years (5y) "
            "that they lie in",
    .example = "date(month): 1965-09-20 -> 1965-09; date(5y): 1965-09-20 -> 1965-1969",
    .promise = "a UNIT of time",
    .read = read,
    .begin = begin,
    .value = value,
    .keeps = keeps,
    .resolve = resolve,
};
