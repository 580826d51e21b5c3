/* The ways to hash blocks: in plain C, and with the instructions that many processors have for it.
 * The tests compare them. Private to the module. */
#ifndef MGL_BASE_SHA256_PATHS_H
#define MGL_BASE_SHA256_PATHS_H

#include <stddef.h>
#include <stdint.h>

enum { MGL_SHA256_BLOCK = 64 };

/* Takes n blocks into the state. */
typedef void mgl_sha256_blocks_fn(uint32_t state[8], const unsigned char *blocks, size_t n);

extern const uint32_t mgl_sha256_constants[64];
mgl_sha256_blocks_fn mgl_sha256_portable;
#if defined(__aarch64__) || defined(__x86_64__)
mgl_sha256_blocks_fn mgl_sha256_instructions; /* where mgl_sys_has_sha256 */
#endif

typedef struct mgl_sha256_path {
    const char *name;
    mgl_sha256_blocks_fn *take;
} mgl_sha256_path;
/* All that this machine can run, the fastest last. */
const mgl_sha256_path *mgl_sha256_paths(size_t *n);

#endif
