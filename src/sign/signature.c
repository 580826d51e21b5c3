/* Makes and checks Ed25519 signatures by OpenSSL's libcrypto, which is loaded on demand. Keys are
 * PEM files as `openssl genpkey -algorithm ed25519` and `openssl pkey -pubout` write them. */
#include "sign/sign.h"

#ifdef MGL_CRYPTO_LIBRARY

#include <openssl/evp.h>
#include <openssl/pem.h>

#if OPENSSL_VERSION_NUMBER >= 0x30000000L
#define KEY_ID "EVP_PKEY_get_id"
#else
#define KEY_ID "EVP_PKEY_id"
#endif

static const char *const functions[] = {
    "BIO_new_mem_buf",    "BIO_free",       "PEM_read_bio_PrivateKey", "PEM_read_bio_PUBKEY",
    "EVP_PKEY_free",      KEY_ID,           "EVP_MD_CTX_new",          "EVP_MD_CTX_free",
    "EVP_DigestSignInit", "EVP_DigestSign", "EVP_DigestVerifyInit",    "EVP_DigestVerify",
    "OPENSSL_cleanse",
};

typedef struct crypto {
    BIO *(*memory)(const void *data, int size);
    int (*free_memory)(BIO *bio);
    EVP_PKEY *(*read_private)(BIO *bio, EVP_PKEY **out, pem_password_cb *ask, void *context);
    EVP_PKEY *(*read_public)(BIO *bio, EVP_PKEY **out, pem_password_cb *ask, void *context);
    void (*free_key)(EVP_PKEY *key);
    int (*key_id)(const EVP_PKEY *key);
    EVP_MD_CTX *(*context)(void);
    void (*free_context)(EVP_MD_CTX *context);
    int (*sign_init)(EVP_MD_CTX *context, EVP_PKEY_CTX **out, const EVP_MD *type, ENGINE *engine,
                     EVP_PKEY *key);
    int (*sign)(EVP_MD_CTX *context, unsigned char *signature, size_t *size,
                const unsigned char *data, size_t n);
    int (*verify_init)(EVP_MD_CTX *context, EVP_PKEY_CTX **out, const EVP_MD *type, ENGINE *engine,
                       EVP_PKEY *key);
    int (*verify)(EVP_MD_CTX *context, const unsigned char *signature, size_t size,
                  const unsigned char *data, size_t n);
    void (*cleanse)(void *data, size_t size);
} crypto;

static const mgl_library library = {MGL_CRYPTO_LIBRARY,
                                    "libssl3",
                                    "a signature",
                                    functions,
                                    sizeof functions / sizeof functions[0],
                                    NULL};

/* A key with a passphrase is refused: there is no one to enter it. */
static int no_passphrase(char *buffer, int size, int writing, void *context)
{
    (void)buffer;
    (void)size;
    (void)writing;
    (void)context;
    return -1;
}

enum { LARGEST_KEY = 1 << 12 };

static mgl_status read_file(const char *path, bool private, mgl_error *err, char text[LARGEST_KEY],
                            size_t *size)
{
    mgl_file_state state;
    int fd = mgl_sys_open_read(path);
    ssize_t got = 1;
    if (fd < 0 && private && mgl_sys_state_of(path, &state) != 0)
        return mgl_fail_key(
            err, MGL_CODE_NOT_FOUND, "sign",
            "the file of the private key is not there; `sign` takes the name of a file that holds "
            "the key (what was given is not shown, since it may be the key itself)");
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    for (*size = 0; got > 0 && *size<LARGEST_KEY; *size += got> 0 ? (size_t)got : 0)
        got = mgl_sys_read(fd, text + *size, LARGEST_KEY - *size);
    mgl_status status = got < 0 ? mgl_fail_errno(err, path, "read") : MGL_OK;
    mgl_sys_close(fd);
    return status;
}

static mgl_status read_key(const crypto *c, const char *path, bool private, mgl_error *err,
                           EVP_PKEY **out)
{
    char text[LARGEST_KEY];
    size_t size = 0;
    MGL_TRY(read_file(path, private, err, text, &size));
    BIO *bio = c->memory(text, (int)size);
    EVP_PKEY *key = NULL;
    if (bio != NULL)
        key = (private ? c->read_private : c->read_public)(bio, NULL, no_passphrase, NULL);
    c->free_memory(bio);
    c->cleanse(text, sizeof text);
    if (key != NULL && c->key_id(key) == EVP_PKEY_ED25519) {
        *out = key;
        return MGL_OK;
    }
    c->free_key(key);
    if (private)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_DAMAGED, path, 0,
                        "this is no private Ed25519 key in PEM without a passphrase; make one "
                        "with openssl genpkey -algorithm ed25519 -out KEY"),
            "sign");
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_DAMAGED, path, 0,
                    "this is no public Ed25519 key in PEM; make it with openssl pkey -in KEY "
                    "-pubout -out PUB"),
        "verify-key");
}

mgl_status mgl_signature_make(const char *key_file, mgl_span data, mgl_error *err,
                              unsigned char out[MGL_SIGNATURE])
{
    crypto c;
    EVP_PKEY *key;
    size_t size = MGL_SIGNATURE;
    MGL_TRY(mgl_library_load(&library, &c, err));
    MGL_TRY(read_key(&c, key_file, true, err, &key));
    EVP_MD_CTX *context = c.context();
    bool made = context != NULL && c.sign_init(context, NULL, NULL, NULL, key) == 1 &&
                c.sign(context, out, &size, (const unsigned char *)data.data, data.size) == 1 &&
                size == MGL_SIGNATURE;
    c.free_context(context);
    c.free_key(key);
    return made ? MGL_OK
                : mgl_blame_key(
                      err,
                      mgl_fail_at(err, MGL_SYSTEM, key_file, 0,
                                  "OpenSSL could not sign with this key; make another one"),
                      "sign");
}

mgl_status mgl_signature_check(const char *key_file, mgl_span data, mgl_span signature,
                               mgl_error *err, bool *out)
{
    crypto c;
    EVP_PKEY *key;
    MGL_TRY(mgl_library_load(&library, &c, err));
    MGL_TRY(read_key(&c, key_file, false, err, &key));
    EVP_MD_CTX *context = c.context();
    bool ready = context != NULL && c.verify_init(context, NULL, NULL, NULL, key) == 1;
    *out = ready && signature.size == MGL_SIGNATURE &&
           c.verify(context, (const unsigned char *)signature.data, signature.size,
                    (const unsigned char *)data.data, data.size) == 1;
    c.free_context(context);
    c.free_key(key);
    return ready ? MGL_OK : mgl_fail_memory(err);
}

bool mgl_signatures_known(void)
{
    return true;
}

#else

static mgl_status refuse(mgl_error *err)
{
    return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, "sign",
                        "this program was built without OpenSSL and knows no signatures; install "
                        "libssl-dev and build it again, or use openssl pkeyutl -rawin");
}

mgl_status mgl_signature_make(const char *key_file, mgl_span data, mgl_error *err,
                              unsigned char out[MGL_SIGNATURE])
{
    (void)key_file;
    (void)data;
    (void)out;
    return refuse(err);
}

mgl_status mgl_signature_check(const char *key_file, mgl_span data, mgl_span signature,
                               mgl_error *err, bool *out)
{
    (void)key_file;
    (void)data;
    (void)signature;
    (void)out;
    return refuse(err);
}

bool mgl_signatures_known(void)
{
    return false;
}

#endif
