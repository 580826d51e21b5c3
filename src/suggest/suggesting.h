/* What the suggestions share. Of the room suggest only. */
#ifndef MGL_SUGGEST_SUGGESTING_H
#define MGL_SUGGEST_SUGGESTING_H

#include "suggest/suggest.h"

/* A column in the making of its suggestion. */
typedef struct mgl_suggesting {
    const char *column;
    const mgl_dictionary *dictionary;
    mgl_said_kind said;
    mgl_profile profile;
    mgl_hierarchy *plain; /* values and '*' */
    mgl_scale *scale;     /* NULL: neither numbers nor dates */
    mgl_suggestion *out;
    mgl_error *err;
} mgl_suggesting;

/* Each puts a suggestion into s->out and says so in *fits, or leaves it as it is. */
typedef mgl_status mgl_suggest_fn(mgl_suggesting *s, bool *fits);
mgl_suggest_fn mgl_suggest_dates, mgl_suggest_known, mgl_suggest_codes, mgl_suggest_numbers,
    mgl_suggest_categories;

/* ---- Trying ------------------------------------------------------------------------------------
 */

/* Builds; *fits is false if the values do not allow it, and s->err says why. */
mgl_status mgl_try_builder(mgl_suggesting *s, const char *builder, bool *fits);

enum { MGL_MOST_STEPS = 24, MGL_STEP_SIZE = 40, MGL_LADDER_LEVELS = 5 };

/* A builder with a list of steps, from fine to coarse: "intervals(" "5" "10" "20" ")". */
typedef struct mgl_ladder {
    const char *front;
    size_t n;
    char steps[MGL_MOST_STEPS][MGL_STEP_SIZE];
} mgl_ladder;

void mgl_ladder_add(mgl_ladder *ladder, const char *format, ...) MGL_PRINTF(2, 3);
/* Builds the ladder without the steps that join no values or leave a single one, and without the
 * least useful ones beyond MGL_LADDER_LEVELS. Then `ladder` has the others. */
mgl_status mgl_ladder_fit(mgl_suggesting *s, mgl_ladder *ladder, bool *fits);

/* In how many rows a value occurs; 1 where nobody counted. */
uint64_t mgl_rows_of(const mgl_suggesting *s, mgl_span value);

/* Values without the missing one. */
static inline uint32_t mgl_values_at(const mgl_hierarchy *h, uint32_t level)
{
    return h->levels[level].n_values - (h->missing_leaf != MGL_NOT_FOUND && level < h->height);
}

#endif
