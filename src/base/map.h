/* A set of texts that numbers them 0, 1, 2, ... in the order they were added. */
#ifndef MGL_BASE_MAP_H
#define MGL_BASE_MAP_H

#include "base/span.h"

#include <stdint.h>

typedef struct mgl_map mgl_map;

#define MGL_NOT_FOUND UINT32_MAX

mgl_map *mgl_map_new(void); /* NULL when memory is out; free with mgl_map_free */
void mgl_map_free(mgl_map *map);
uint32_t mgl_map_size(const mgl_map *map);
mgl_span mgl_map_text(const mgl_map *map, uint32_t number); /* borrowed, NUL-terminated */

/* The number of the text, or MGL_NOT_FOUND. */
uint32_t mgl_map_find(const mgl_map *map, mgl_span text);

/* The number of the text, which is copied and added if it is new; MGL_NOT_FOUND
 * when memory is out. */
uint32_t mgl_map_add(mgl_map *map, mgl_span text);

uint64_t mgl_hash(const void *data, size_t size);

#endif
