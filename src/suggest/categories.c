/* Suggests for categories that rare ones become one before all become '*'. suggest.c tries it
 * last. */
#include "suggest/suggesting.h"

#include <stdio.h>

enum { FEWEST_ROWS = 5, ROWS_PER_RARE = 100 };

static uint64_t rows_of_code(const mgl_suggesting *s, uint32_t code)
{
    return mgl_rows_of(s, mgl_dictionary_value(s->dictionary, code));
}

/* Is there more than one to keep and more than one to join, and enough rows in the joined ones? */
static bool divides(const mgl_suggesting *s, uint64_t least)
{
    uint32_t kept = 0, joined = 0;
    uint64_t rows = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary); code++) {
        if (code == mgl_dictionary_missing(s->dictionary))
            continue;
        uint64_t here = rows_of_code(s, code);
        kept += here >= least;
        joined += here < least;
        rows += here < least ? here : 0;
    }
    return kept > 1 && joined > 1 && rows >= least;
}

/* A hundredth of the rows, less where that keeps nothing; 301 is 300 for whoever reads it. */
static uint64_t rare_rows(const mgl_suggesting *s)
{
    for (uint64_t least = s->profile.rows / ROWS_PER_RARE;; least /= 10) {
        uint64_t unit = 1;
        while (unit * 10 <= least)
            unit *= 10;
        uint64_t rounded = least / unit * unit;
        rounded = rounded > FEWEST_ROWS ? rounded : FEWEST_ROWS;
        if (divides(s, rounded))
            return rounded;
        if (least <= FEWEST_ROWS)
            return 0;
    }
}

/* Texts that hardly repeat say who it is, not what. */
static bool is_telling(const mgl_profile *p)
{
    bool texts = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
    return (texts && p->rows - p->missing >= MGL_FEWEST_JUDGED) || mgl_profile_singles_out(p);
}

static bool is_read(const mgl_suggesting *s, mgl_span value)
{
    const mgl_notation *notation = mgl_dictionary_notation(s->dictionary);
    double number;
    return mgl_profile_is_date(&s->profile) ? mgl_date_fault_of(notation, value) == MGL_DATE_FINE
                                            : mgl_notation_number(notation, value, &number);
}

/* Where the first value stands that is none of the others' kind. */
static void tell_unread(mgl_suggesting *s)
{
    char place[MGL_PLACE_TEXT] = "";
    for (uint32_t code = 0; place[0] == '\0' && code < mgl_dictionary_size(s->dictionary); code++) {
        mgl_span value = mgl_dictionary_value(s->dictionary, code);
        if (code != mgl_dictionary_missing(s->dictionary) && !is_read(s, value))
            mgl_dictionary_place(s->dictionary, value, place);
    }
    mgl_buffer_format(
        &s->out->reason, "%s, but %s%s cannot be read so; name what means missing by `missing`%s",
        mgl_value_kind_name(s->profile.kind), place[0] != '\0' ? "the value of " : "some values",
        place, mgl_profile_is_date(&s->profile) ? ", two-digit years need `century`" : "");
}

static void tell_reason(mgl_suggesting *s)
{
    const mgl_profile *p = &s->profile;
    mgl_buffer *out = &s->out->reason;
    bool ordered = mgl_profile_is_number(p) || mgl_profile_is_date(p);
    if (p->distinct == 0) {
        mgl_buffer_text(out, "no values");
    } else if (ordered && s->scale == NULL) {
        tell_unread(s);
    } else if (is_telling(p)) {
        mgl_buffer_format(out,
                          "%llu different texts: looks like an identifier or free text; drop the "
                          "column",
                          (unsigned long long)p->distinct);
    } else {
        mgl_buffer_format(out, "%llu different value%s%s", (unsigned long long)p->distinct,
                          p->distinct == 1 ? "" : "s",
                          mgl_profile_is_nominal(p) ? ", taken for codes" : "");
    }
}

static void tell_alternatives(mgl_suggesting *s)
{
    const mgl_profile *p = &s->profile;
    mgl_buffer *out = &s->out->alternatives;
    if (mgl_profile_is_nominal(p) && s->said == MGL_SAID_NOTHING)
        mgl_buffer_text(out, "`kind: number` if they are quantities; ");
    if (p->distinct > 2 && !is_telling(p))
        mgl_buffer_text(out, "groups(FILE) for groups that mean something");
}

mgl_status mgl_suggest_categories(mgl_suggesting *s, bool *fits)
{
    const mgl_profile *p = &s->profile;
    bool text = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
    uint64_t least = !text && mgl_dictionary_knows_rows(s->dictionary) ? rare_rows(s) : 0;
    char builder[48];
    *fits = false;
    if (least > 0) {
        snprintf(builder, sizeof builder, "rare(%llu)", (unsigned long long)least);
        MGL_TRY(mgl_try_builder(s, builder, fits));
    }
    if (!*fits)
        MGL_TRY(mgl_try_builder(s, "suppress", fits));
    tell_reason(s);
    tell_alternatives(s);
    return MGL_OK;
}
