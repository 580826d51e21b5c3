/* The slots that rows had when they were counted, and which tuples these became. Private to the
 * module. */
#ifndef MGL_CLASSES_REMEMBERED_H
#define MGL_CLASSES_REMEMBERED_H

#include "classes/row_keys.h"

enum { MGL_KEY_RANGES = 16 }; /* of keys, each with a counter of its own */

/* More slots than these of a range cannot be remembered. */
enum { MGL_SLOT_BITS = 28 };

void mgl_remembered_free(mgl_remembered *remembered);

#endif
