/* What the values of a column are by themselves, whatever the column is called. Inside the room
 * only. */
#ifndef MGL_PROFILE_CONTENT_H
#define MGL_PROFILE_CONTENT_H

#include "profile/profile.h"

/* ---- Single texts -------------------------------------------------------------------------- */

/* What one text has of names of persons. */
typedef struct mgl_naming {
    bool full;     /* the form of a full name: several words, all written as names are */
    bool capitals; /* such a form, with capital letters */
    bool single;   /* one word of letters */
    bool title;    /* a title with a name behind it, or an honorific behind one: Dr. Osgood */
    bool maybe;    /* a title that means something else as well: Sr. */
    bool initials; /* a name and initials: J. R. Osgood */
    bool numbered; /* words with a house number before or behind them */
    size_t words;  /* of letters, titles left out */
    mgl_span first, last; /* of them; of a name without blanks its first sign and the rest */
} mgl_naming;

/* ---- Numbers ------------------------------------------------------------------------------- */

/* From whole numbers and decimals that are nearly all different; rows: of the column. False when
 * memory is out, with a key as the form: in doubt. */
bool mgl_number_form_of(const mgl_span *values, size_t n, uint64_t rows, mgl_number_form *out);

/* Are the texts amounts with a sign of money or a unit? As above. */
bool mgl_measures_are_amounts(const mgl_span *values, size_t n, uint64_t rows, bool *out);

/* ---- A column ------------------------------------------------------------------------------ */

/* From a sample of the different values. False when memory is out. */
bool mgl_content_of(const mgl_value_sample *sample, uint64_t rows, mgl_content *out);

#endif
