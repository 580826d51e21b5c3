/* The hierarchy of a column in a saved recoding. Inside the room only. */
#ifndef MGL_IO_SAVED_TREE_H
#define MGL_IO_SAVED_TREE_H

#include "io/io.h"
#include "io/packed.h"

void mgl_tree_pack(mgl_buffer *out, const mgl_saved_quasi *quasi);
/* Fills in quasi->tree; what is wrong or lacks memory is said by the unpacker. */
void mgl_tree_unpack(mgl_unpacker *file, mgl_saved_quasi *quasi);

#endif
