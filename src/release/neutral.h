/* Records as they are released, where cells that are passed through do not stay what they were:
 * those that a spreadsheet would compute get an apostrophe in front, those of respelled columns the
 * spelling of their dictionary. Inside the room only. */
#ifndef MGL_RELEASE_NEUTRAL_H
#define MGL_RELEASE_NEUTRAL_H

#include "release/layout.h"

/* All zero before the first record. Free with mgl_neutral_free. */
typedef struct mgl_neutral {
    mgl_field *fields;
    size_t capacity;
    mgl_buffer text, scratch;
} mgl_neutral;

/* Is anything to be done at all? */
static inline bool mgl_neutral_is_needed(const mgl_row_plan *plan)
{
    return plan->neutralize || plan->respelled != NULL;
}

/* The fields of the row, counted from 0, as they are written: themselves, or a copy that lives
 * until the next call. NULL when memory is out. */
const mgl_field *mgl_neutral_fields(mgl_neutral *neutral, const mgl_layout *layout, size_t row,
                                    const mgl_field *fields, size_t n_fields);
void mgl_neutral_free(mgl_neutral *neutral);

#endif
