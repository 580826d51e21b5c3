/* SHA-256 (FIPS 180-4), to distinguish files and to prove that one is the same. */
#ifndef MGL_BASE_SHA256_H
#define MGL_BASE_SHA256_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct mgl_sha256 {
    uint32_t state[8];
    uint64_t size; /* bytes so far */
    unsigned char block[64];
} mgl_sha256;

enum { MGL_SHA256_TEXT = 65 };

void mgl_sha256_begin(mgl_sha256 *hash);
void mgl_sha256_add(mgl_sha256 *hash, const void *data, size_t size);
/* As hexadecimal digits. */
void mgl_sha256_end(mgl_sha256 *hash, char text[MGL_SHA256_TEXT]);

/* Of all bytes of a file that is open, from its beginning, and how many they are; name for
 * messages. */
mgl_status mgl_sha256_of_file(int fd, const char *name, mgl_error *err, char text[MGL_SHA256_TEXT],
                              uint64_t *bytes);

#endif
