/* Keys of released cells, as both ways of grouping make them. Inside the room only. */
#ifndef MGL_CLASSES_GROUP_H
#define MGL_CLASSES_GROUP_H

#include "classes/classes.h"

/* Words that a key takes. */
size_t mgl_group_words(const mgl_cells_to_group *cells);
/* Packs the chosen cells of tuples first..end-1 into classes->keys. */
void mgl_group_keys(mgl_classes *classes, const mgl_cells_to_group *cells, size_t first,
                    size_t end);

#endif
