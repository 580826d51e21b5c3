/* shift(DAYS): the dates of a person are moved by whole days, all of them by as many, which depends
 * on the key. A row of the table in treat_types.c. */
#include "treat/treat_rows.h"

#include <stdio.h>

enum { MOST_DAYS = 36500 };

/* "30", or "dmy; 30" where the values do not tell the order of day and month. */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments;
    mgl_date_order order;
    const char *end = memchr(text.data, ';', text.size);
    size_t size = end != NULL ? (size_t)(end - text.data) : 0;
    step->word = mgl_span_trim((mgl_span){text.data, size});
    (void)arena;
    if (end != NULL)
        text = mgl_span_trim((mgl_span){end + 1, text.size - size - 1});
    if ((end == NULL || mgl_date_order_parse(step->word, &order)) &&
        mgl_parse_u64(text, &step->count) && step->count >= 1 && step->count <= MOST_DAYS)
        return true;
    mgl_buffer_format(
        wrong,
        "is no treatment: '%.*s' is no number of days from 1 to %d; write for example "
        "shift(30)",
        mgl_span_width(step->arguments), step->arguments.data, MOST_DAYS);
    return false;
}

/* ---- Values -------------------------------------------------------------------------------------
 */

typedef struct shifting {
    mgl_treat_dates dates;
    int64_t *days; /* [person] to move by */
} shifting;

/* -D..D without 0. */
static int64_t offset_of(const mgl_treat_step *step, const mgl_treat_values *values,
                         uint32_t person)
{
    unsigned char hash[MGL_KEYED_HASH];
    uint64_t number = 0;
    mgl_keyed_hash(values->key, "shift:", mgl_dictionary_value(values->ids, person), hash);
    for (size_t i = 0; i < sizeof number; i++)
        number = number << 8 | hash[i];
    int64_t most = (int64_t)step->count, place = (int64_t)(number % (2 * step->count));
    return place < most ? place - most : place - most + 1;
}

static mgl_status begin(const mgl_treat_step *step, const mgl_treat_values *values, mgl_error *err,
                        void **out)
{
    uint32_t n_persons = mgl_dictionary_size(values->ids);
    shifting *state = mgl_arena_alloc(values->arena, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    *state = (shifting){.dates = mgl_treat_dates_of(step, values)};
    state->days = mgl_arena_alloc(values->arena, ((size_t)n_persons + 1) * sizeof *state->days);
    MGL_TRY(mgl_check_memory(state->days != NULL, err));
    for (uint32_t person = 0; person < n_persons; person++)
        state->days[person] = offset_of(step, values, person);
    *out = state;
    return MGL_OK;
}

/* The day as 2024-05-01, whatever it was written like; a time of day behind it stays. */
static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *context,
                  uint32_t at, mgl_buffer *out)
{
    const shifting *state = context;
    mgl_span text = mgl_span_trim(values->texts[at]);
    mgl_moment moment;
    int64_t year;
    unsigned month, day;
    (void)step;
    if (!mgl_treat_moment(&state->dates, values, at, &moment, out))
        return false;
    int64_t days = mgl_calendar_days(moment.date.year, moment.date.month, moment.date.day);
    mgl_calendar_date(days + state->days[values->persons[at]], &year, &month, &day);
    if (year < 1 || year > 9999) {
        mgl_buffer_text(out, "would leave the calendar; shift by fewer days");
        return false;
    }
    mgl_buffer_format(out, "%04lld-%02u-%02u", (long long)year, month, day);
    size_t time = 0;
    while (time < text.size && text.data[time] != 'T' && text.data[time] != ' ')
        time++;
    if (moment.timed)
        mgl_buffer_append(out, text.data + time, text.size - time);
    return true;
}

static void resolve(const mgl_treat_step *step, const mgl_treat_values *values, const void *context,
                    mgl_buffer *out)
{
    const shifting *state = context;
    (void)values;
    mgl_buffer_format(out, "shift(%s; %llu)", mgl_date_order_name(state->dates.order),
                      (unsigned long long)step->count);
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    mgl_span day = {text.data, text.size < 10 ? text.size : 10};
    mgl_moment moment;
    (void)step, (void)notation;
    return mgl_moment_parse(NULL, day, MGL_YMD, &moment) && text.data[4] == '-' &&
           (text.size == 10 || text.data[10] == 'T' || text.data[10] == ' ');
}

const mgl_treat_type mgl_treat_shift = {
    .name = "shift",
    .syntax = "shift([ymd|dmy|mdy;] DAYS)",
    .help = "the dates of a person (`entity`) move by whole days, all by as many: up to DAYS back "
            "or forth, which depends on a secret (`key`); intervals stay",
    .example = "shift(30): 2024-05-01 -> 2024-05-19, 2024-05-08 -> 2024-05-26",
    .promise = "a day",
    .needs_key = true,
    .by_person = true,
    .read = read,
    .begin = begin,
    .value = value,
    .keeps = keeps,
    .resolve = resolve,
};
