/* HMAC-SHA-256 (RFC 2104, FIPS 198-1): what only those can compute who have the key. Pseudonyms and
 * shifts are made of it. */
#include "treat/treat_rows.h"

enum { BLOCK = 64 };

static unsigned digit_of(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

static void end(mgl_sha256 *hash, unsigned char out[MGL_KEYED_HASH])
{
    char text[MGL_SHA256_TEXT];
    mgl_sha256_end(hash, text);
    for (size_t i = 0; i < MGL_KEYED_HASH; i++)
        out[i] = (unsigned char)(digit_of(text[2 * i]) << 4 | digit_of(text[2 * i + 1]));
}

/* The key as a block of bytes, all of which are changed in the same way. */
static void add_key(mgl_sha256 *hash, const unsigned char key[BLOCK], unsigned char change)
{
    unsigned char block[BLOCK];
    for (size_t i = 0; i < BLOCK; i++)
        block[i] = key[i] ^ change;
    mgl_sha256_begin(hash);
    mgl_sha256_add(hash, block, BLOCK);
    mgl_wipe(block, sizeof block);
}

void mgl_keyed_hash(mgl_span key, const char *purpose, mgl_span text,
                    unsigned char out[MGL_KEYED_HASH])
{
    unsigned char block[BLOCK] = {0}, inner[MGL_KEYED_HASH];
    mgl_sha256 hash;
    if (key.size > BLOCK) {
        mgl_sha256_begin(&hash);
        mgl_sha256_add(&hash, key.data, key.size);
        end(&hash, block);
    } else {
        memcpy(block, key.data, key.size);
    }
    add_key(&hash, block, 0x36);
    mgl_sha256_add(&hash, purpose, strlen(purpose));
    mgl_sha256_add(&hash, text.data, text.size);
    end(&hash, inner);
    add_key(&hash, block, 0x5c);
    mgl_sha256_add(&hash, inner, sizeof inner);
    end(&hash, out);
    mgl_wipe(block, sizeof block);
    mgl_wipe(&hash, sizeof hash);
}
