/* What single values look like. Inside the room only. */
#ifndef MGL_PROFILE_LOOKS_H
#define MGL_PROFILE_LOOKS_H

#include "profile/profile.h"

/* Counts what a single value looks like. */
void mgl_shapes_add(mgl_shapes *shapes, mgl_span value);

/* A value that means missing wherever it stands: NA, ?, 00.00.0000. */
bool mgl_is_missing_word(mgl_span value);

/* A number that is often written in place of a missing one: -99, 9999. Whether it means so in a
 * column is for the other numbers to tell: it lies beyond them by more than they are wide, or
 * below 0 where none of them is. */
bool mgl_is_missing_number(mgl_span value);
bool mgl_missing_number_fits(mgl_span number, double low, double high);

/* How many values differ from another one in letter case and blanks only. */
mgl_status mgl_count_variants(const mgl_dictionary *values, const uint64_t *rows, mgl_error *err,
                              mgl_profile *p);

#endif
