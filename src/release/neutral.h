/* Records without formulas: cells that are passed through and that a spreadsheet would compute get
 * an apostrophe in front. Inside the room only. */
#ifndef MGL_RELEASE_NEUTRAL_H
#define MGL_RELEASE_NEUTRAL_H

#include "release/layout.h"

/* All zero before the first record. Free with mgl_neutral_free. */
typedef struct mgl_neutral {
    mgl_field *fields;
    size_t capacity;
    mgl_buffer text, scratch;
} mgl_neutral;

/* The fields as they are written: themselves, or a copy that lives until the next call. NULL when
 * memory is out. */
const mgl_field *mgl_neutral_fields(mgl_neutral *neutral, const mgl_layout *layout,
                                    const mgl_field *fields, size_t n_fields);
void mgl_neutral_free(mgl_neutral *neutral);

#endif
