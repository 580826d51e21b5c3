/* base: what every module stands on. Nothing here knows about tables. */
#ifndef MGL_BASE_H
#define MGL_BASE_H

#include "mingle.h"

/* For the inside of hot loops, written once and compiled for each constant it is called with:
 * without it a compiler that finds the function too large calls one general version. */
#define MGL_SPECIALIZE static inline __attribute__((always_inline))
/* One of them with a width of 1, 2, 4 or 8 bytes as its last constant. */
#define MGL_BY_WIDTH(width, f, ...)                                                                \
    ((width) == 1   ? f(__VA_ARGS__, 1)                                                            \
     : (width) == 2 ? f(__VA_ARGS__, 2)                                                            \
     : (width) == 4 ? f(__VA_ARGS__, 4)                                                            \
                    : f(__VA_ARGS__, 8))

#include "base/error.h"
#include "base/memory.h"
#include "base/span.h"
#include "base/buffer.h"
#include "base/sys.h"
#include "base/memory_store.h"
#include "base/call.h"
#include "base/map.h"
#include "base/hash_index.h"
#include "base/sort.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/shuffle.h"
#include "base/progress.h"
#include "base/locale.h"
#include "base/number.h"
#include "base/lists.h"
#include "base/nearest.h"
#include "base/value_parser.h"
#include "base/sha256.h"
#include "base/library.h"
#include "base/files.h"
#include "base/shown.h"
#include "base/cache.h"

/* Keys are packed into 64-bit words, and blocks of bytes are looked at as such. */
#ifndef __wasm32__ /* its memory ends at 4 GB, and with it what is counted in size_t */
_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "a 64-bit machine is needed");
#endif
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a little-endian machine is needed");

#endif
