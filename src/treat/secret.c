/* The secret of a treatment: reads or draws it, and hashes values with it. */
#include "treat/treat_rows.h"

#include <stdlib.h>

/* Bytes that are not read again would be left as they are by an optimizing compiler. */
static void wipe(void *data, size_t size)
{
    volatile unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        bytes[i] = 0;
}

void mgl_secret_wipe(mgl_secret *secret)
{
    wipe(secret, sizeof *secret);
}

static mgl_status fail(mgl_error *err, mgl_code code, const char *location, const char *text)
{
    return mgl_fail_key(err, code, "key", "the key '%.200s' %s", location, text);
}

/* The location is not quoted: it may be the key itself, given where its file belongs. */
static mgl_status fail_not_found(mgl_error *err, const char *text)
{
    return mgl_fail_key(err, MGL_CODE_NOT_FOUND, "key",
                        "%s; `key` takes the name of a file that holds the key, or env:NAME of a "
                        "variable (what was given is not shown, since it may be the key itself)",
                        text);
}

static mgl_status read_environment(const char *location, mgl_error *err, mgl_secret *out)
{
    const char *text = getenv(location + strlen("env:"));
    if (text == NULL)
        return fail_not_found(err, "the variable of the key is not in the environment");
    out->size = strlen(text);
    if (out->size > MGL_MOST_KEY)
        return fail(err, MGL_CODE_BAD_VALUE, location,
                    "is longer than 4096 bytes; take 32 random bytes");
    memcpy(out->bytes, text, out->size);
    return MGL_OK;
}

static mgl_status check_file(int fd, const char *location, mgl_error *err)
{
    mgl_file_state state;
    if (mgl_sys_state(fd, &state) != 0)
        return mgl_fail_errno(err, location, "look at");
    if (state.open_to_others)
        return fail(err, MGL_CODE_CONFLICT, location,
                    "is a file that others may read, who could then undo what it protects; take "
                    "their rights away (chmod 600), and take a new key if they may have read it");
    return MGL_OK;
}

static mgl_status read_bytes(int fd, const char *location, mgl_error *err, mgl_secret *out)
{
    char one_more;
    ssize_t n = mgl_sys_pread(fd, out->bytes, MGL_MOST_KEY, 0);
    ssize_t rest = n == MGL_MOST_KEY ? mgl_sys_pread(fd, &one_more, 1, MGL_MOST_KEY) : 0;
    if (n < 0 || rest < 0)
        return mgl_fail_errno(err, location, "read");
    if (rest > 0)
        return fail(err, MGL_CODE_BAD_VALUE, location,
                    "is longer than 4096 bytes; take 32 random bytes");
    out->size = (size_t)n;
    return MGL_OK;
}

static mgl_status read_file(const char *location, mgl_error *err, mgl_secret *out)
{
    mgl_file_state state;
    int fd = mgl_sys_open_read(location);
    if (fd < 0 && mgl_sys_state_of(location, &state) != 0)
        return fail_not_found(err, "the file of the key is not there");
    if (fd < 0)
        return mgl_blame_key(err, mgl_fail_errno(err, location, "open"), "key");
    mgl_status status = check_file(fd, location, err);
    if (status == MGL_OK)
        status = read_bytes(fd, location, err, out);
    mgl_sys_close(fd);
    return status;
}

mgl_status mgl_secret_read(const char *location, mgl_error *err, mgl_secret *out)
{
    mgl_status status = MGL_OK;
    *out = (mgl_secret){.size = 0};
    MGL_GO(strncmp(location, "env:", 4) == 0 ? read_environment(location, err, out)
                                             : read_file(location, err, out));
    if (out->size > 0 && out->bytes[out->size - 1] == '\n')
        out->size--;
    if (out->size > 0 && out->bytes[out->size - 1] == '\r')
        out->size--;
    if (out->size < MGL_LEAST_KEY)
        MGL_GO(fail(err, MGL_CODE_BAD_VALUE, location,
                    "has fewer than 16 bytes, which can be tried out; take 32 random bytes, for "
                    "example by openssl rand -hex 32"));
done:
    if (status != MGL_OK)
        mgl_secret_wipe(out);
    return status;
}

mgl_status mgl_secret_draw(mgl_error *err, mgl_secret *out)
{
    *out = (mgl_secret){.size = MGL_KEYED_HASH};
    return mgl_sys_entropy(out->bytes, MGL_KEYED_HASH, err);
}

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
    wipe(block, sizeof block);
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
    wipe(block, sizeof block);
    wipe(&hash, sizeof hash);
}
