/* The slots that rows had when they were counted, and which tuples these became. Inside the room
 * only. */
#ifndef MGL_CLASSES_REMEMBERED_H
#define MGL_CLASSES_REMEMBERED_H

#include "classes/row_keys.h"

enum { MGL_KEY_RANGES = 16 }; /* of keys, each with a counter of its own */

/* More slots than these of a range cannot be remembered. */
enum { MGL_SLOT_BITS = 28 };

/* Free with mgl_remembered_free. Rows are counted in rounds of so many. */
mgl_status mgl_remembered_new(const mgl_row_keys *keys, size_t n_rows, size_t rows_in_round,
                              mgl_error *err, mgl_remembered **out);
void mgl_remembered_free(mgl_remembered *remembered);

/* [n_rows] for a row: range << MGL_SLOT_BITS | slot. */
uint32_t *mgl_remembered_places(mgl_remembered *remembered);

/* From this round on the slots of a range are others; moved[old] tells where each has gone and is
 * taken over. */
mgl_status mgl_remembered_move(mgl_remembered *remembered, size_t range, size_t round,
                               size_t n_slots, uint32_t *moved, mgl_error *err);
/* The slots of the last rounds are these keys of the range, which is taken over, and the first of
 * its keys is that tuple. */
mgl_status mgl_remembered_end(mgl_remembered *remembered, size_t range, uint32_t *ranks,
                              size_t first_tuple, mgl_error *err);

#endif
