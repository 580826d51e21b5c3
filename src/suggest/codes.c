/* Suggests masks for codes whose beginning says the most: postal codes, classifications. suggest.c
 * tries it after dates. */
#include "suggest/suggesting.h"

#include <stdio.h>

enum {
    FEWEST_CODES = 9,    /* fewer are categories */
    LONGEST_CODE = 12,   /* longer ones are identifiers */
    SHORTEST_DIGITS = 4, /* 02138, 1010 */
    LONGEST_DIGITS = 9
};

static bool speaks_of(const mgl_profile *p, mgl_topic_id topic)
{
    return p->topic != NULL && p->topic->id == topic;
}

/* Do most values end in 0? People round amounts, not codes. */
static bool are_round(const mgl_suggesting *s)
{
    uint32_t n = 0, all = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary); code++) {
        mgl_span value = mgl_dictionary_value(s->dictionary, code);
        if (code == mgl_dictionary_missing(s->dictionary) || value.size == 0)
            continue;
        all++;
        n += value.data[value.size - 1] == '0';
    }
    return 2 * n > all;
}

/* Digits of one length, and neither years nor amounts. */
static bool are_digits(const mgl_suggesting *s)
{
    const mgl_profile *p = &s->profile;
    const mgl_shapes *shapes = &p->shapes;
    bool equal = shapes->integers == shapes->values && shapes->shortest == shapes->longest &&
                 shapes->low >= 0 && shapes->longest >= SHORTEST_DIGITS &&
                 shapes->longest <= LONGEST_DIGITS;
    if (!equal || p->n_codes > 0)
        return false;
    if (shapes->padded > 0 || speaks_of(p, MGL_TOPIC_POSTCODE))
        return true;
    bool years = shapes->low >= 1850 && shapes->high <= 2100;
    return !years && !speaks_of(p, MGL_TOPIC_MONEY) && !speaks_of(p, MGL_TOPIC_WEIGHT) &&
           !are_round(s);
}

static bool are_codes(const mgl_suggesting *s)
{
    const mgl_profile *p = &s->profile;
    if ((p->named != NULL || p->looks != NULL) && mgl_profile_singles_out(p))
        return false; /* whom it belongs to, not what it says */
    bool padded = p->kind == MGL_VALUE_INTEGER && p->shapes.padded > 0;
    bool written = p->shapes.codes * 10 >= p->shapes.values * 9 && p->kind != MGL_VALUE_DECIMAL &&
                   p->kind != MGL_VALUE_COMMA && p->kind != MGL_VALUE_INTEGER;
    return p->shapes.longest <= LONGEST_CODE &&
           (speaks_of(p, MGL_TOPIC_POSTCODE) ||
            ((written || padded) && p->distinct >= FEWEST_CODES));
}

/* mask(right; 1,2,3) is mask(right,3), and mask(right) if that is all there is. */
static mgl_status shorten(mgl_suggesting *s, const mgl_ladder *ladder)
{
    char text[64];
    bool fits;
    for (size_t i = 0; i < ladder->n; i++) {
        snprintf(text, sizeof text, "%zu", i + 1);
        if (strcmp(ladder->steps[i], text) != 0)
            return MGL_OK;
    }
    MGL_TRY(mgl_try_builder(s, "mask(right)", &fits));
    if (fits && s->out->hierarchy->height == ladder->n + 1)
        return MGL_OK;
    snprintf(text, sizeof text, "mask(right,%zu)", ladder->n);
    return mgl_try_builder(s, text, &fits);
}

mgl_status mgl_suggest_codes(mgl_suggesting *s, bool *fits)
{
    mgl_ladder ladder = {.front = "mask(right; "};
    bool digits = are_digits(s);
    *fits = s->said == MGL_SAID_NOTHING && !mgl_profile_is_date(&s->profile) &&
            (digits || are_codes(s));
    if (!*fits)
        return MGL_OK;
    for (unsigned i = 1; i < s->profile.shapes.longest && i < MGL_MOST_STEPS; i++)
        mgl_ladder_add(&ladder, "%u", i);
    if (ladder.n == 0) {
        *fits = false;
        return MGL_OK;
    }
    MGL_TRY(mgl_ladder_fit(s, &ladder, fits));
    if (!*fits)
        return MGL_OK;
    MGL_TRY(shorten(s, &ladder));
    if (digits)
        mgl_buffer_format(&s->out->reason, "codes of %zu digits, such as ZIP codes",
                          s->profile.shapes.longest);
    else
        mgl_buffer_text(&s->out->reason, "codes of letters and digits, the front says the most");
    mgl_buffer_text(&s->out->alternatives,
                    "groups(FILE) for regions or chapters; `kind: number` if they are amounts");
    return MGL_OK;
}
