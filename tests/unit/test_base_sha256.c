/* SHA-256: the examples of FIPS 180-4, and that pieces make the same as the whole. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/sha256_paths.h"

static void hash_of(const char *text, char out[MGL_SHA256_TEXT])
{
    mgl_sha256 hash;
    mgl_sha256_begin(&hash);
    mgl_sha256_add(&hash, text, strlen(text));
    mgl_sha256_end(&hash, out);
}

static void known_texts_have_their_digests(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char text[MGL_SHA256_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hash_of(cases[i][0], text);
        assert_string_equal(text, cases[i][1]);
    }
    mgl_sha256 hash;
    char thousand[1000];
    memset(thousand, 'a', sizeof thousand);
    mgl_sha256_begin(&hash);
    for (int i = 0; i < 1000; i++)
        mgl_sha256_add(&hash, thousand, sizeof thousand);
    mgl_sha256_end(&hash, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void a_text_in_pieces_has_the_same_digest(void **state)
{
    (void)state;
    char data[300], whole[MGL_SHA256_TEXT], text[MGL_SHA256_TEXT];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(i * 7 + 1);
    for (size_t size = 0; size <= sizeof data; size++)
        for (size_t first = 0; first <= size; first += 1 + size / 5) {
            mgl_sha256 hash;
            mgl_sha256_begin(&hash);
            mgl_sha256_add(&hash, data, size);
            mgl_sha256_end(&hash, whole);
            mgl_sha256_begin(&hash);
            mgl_sha256_add(&hash, data, first);
            mgl_sha256_add(&hash, data + first, size - first);
            mgl_sha256_end(&hash, text);
            assert_string_equal(text, whole);
        }
}

static void files_have_the_digest_of_their_bytes(void **state)
{
    (void)state;
    char text[MGL_SHA256_TEXT];
    uint64_t bytes;
    mgl_error err;
    FILE *file = tmpfile();
    assert_non_null(file);
    fputs("abc", file);
    fflush(file);
    assert_int_equal(mgl_sha256_of_file(fileno(file), "file", &err, text, &bytes), MGL_OK);
    assert_int_equal(bytes, 3);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    fclose(file);
    assert_int_equal(mgl_sha256_of_file(-1, "nothing", &err, text, &bytes), MGL_SYSTEM);
}

/* What the processor's instructions give is what plain C gives, for any number of blocks. */
static void instructions_and_plain_c_give_equal_digests(void **state)
{
    (void)state;
    enum { BLOCKS = 9 };
    unsigned char data[BLOCKS * MGL_SHA256_BLOCK];
    uint32_t x = 1;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)((x = x * 1664525 + 1013904223) >> 24);
    size_t n;
    const mgl_sha256_path *all = mgl_sha256_paths(&n);
    assert_string_equal(all[0].name, "portable");
    for (size_t p = 1; p < n; p++)
        for (size_t blocks = 0; blocks <= BLOCKS; blocks++) {
            uint32_t plain[8], other[8];
            for (size_t i = 0; i < 8; i++)
                plain[i] = other[i] = (x = x * 1664525 + 1013904223);
            all[0].take(plain, data, blocks);
            all[p].take(other, data, blocks);
            assert_memory_equal(plain, other, sizeof plain);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_have_their_digests),
        cmocka_unit_test(a_text_in_pieces_has_the_same_digest),
        cmocka_unit_test(files_have_the_digest_of_their_bytes),
        cmocka_unit_test(instructions_and_plain_c_give_equal_digests),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
