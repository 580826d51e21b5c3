/* Sets of items in a saved recoding. Inside the room only. */
#ifndef MGL_IO_SAVED_ITEMS_H
#define MGL_IO_SAVED_ITEMS_H

#include "io/io.h"
#include "io/packed.h"

void mgl_saved_items_pack(mgl_buffer *out, const mgl_saved_items *items);
/* What is wrong or lacks memory is said by the unpacker; *out stays as it is then. */
void mgl_saved_items_unpack(mgl_unpacker *file, mgl_saved_items **out);

#endif
