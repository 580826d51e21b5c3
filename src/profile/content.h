/* Judges the values of a column by themselves, whatever the column is called. Private to the
 * module. */
#ifndef MGL_PROFILE_CONTENT_H
#define MGL_PROFILE_CONTENT_H

#include "profile/profile.h"

/* ---- Numbers ------------------------------------------------------------------------------- */

/* From whole numbers and decimals that are nearly all different; rows: of the column. Returns false
 * if memory is out, and a key as the form. */
bool mgl_number_form_of(const mgl_span *values, size_t n, uint64_t rows, mgl_number_form *out);

/* Are the texts amounts with a sign of money or a unit? As above. */
bool mgl_measures_are_amounts(const mgl_span *values, size_t n, uint64_t rows, bool *out);

/* ---- A column ------------------------------------------------------------------------------ */

/* Judges a sample of the different values. Returns false if memory is out. */
bool mgl_content_of(const mgl_value_sample *sample, uint64_t rows, mgl_content *out);

#endif
