/* The ways to find separators against each other and against plain loops. */
#include "test_text_files.h"

#include "text/text.h"

enum { BLOCK = 64 };

static void plain_scan(const char *block, char delimiter, mgl_scan_masks *out)
{
    memset(out, 0, sizeof *out);
    for (int i = 0; i < BLOCK; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if (block[i] == delimiter)
            out->delimiter |= bit;
        if (block[i] == '\n')
            out->newline |= bit;
        if (block[i] == '"')
            out->quote |= bit;
        if (block[i] == '\r')
            out->carriage_return |= bit;
        out->nul |= block[i] == 0;
        out->high |= (unsigned char)block[i] >= 0x80;
    }
}

/* Bytes of all kinds; the more kinds, the rarer plain blocks. */
static void fill(char *data, size_t size, uint64_t *seed)
{
    static const char common[] = "abc,;\n|\t 0159-[]{}";
    uint64_t rare = test_random(seed) % 4;
    for (size_t i = 0; i < size; i++) {
        uint64_t r = test_random(seed);
        data[i] = common[r % (sizeof common - 1)];
        if (rare == 1 && r >> 32 == 0)
            data[i] = '"';
        if (rare == 2 && (r >> 32) % 64 == 0)
            data[i] = (char)(r >> 40);
        if (rare == 3 && (r >> 32) % 16 == 0)
            data[i] = "\"\r\n\0\x80\xff\x7f,"[(r >> 40) % 8];
        if (i > 0 && data[i] == '\n' && (r >> 50) % 2 == 0)
            data[i - 1] = '\r';
    }
}

static void all_paths_find_equal_masks(void **state)
{
    (void)state;
    const mgl_scan_path *paths;
    size_t n = mgl_scan_paths(&paths);
    assert_string_equal(paths[0].name, "portable");
    assert_true(n >= 1);
    uint64_t seed = 1;
    for (int round = 0; round < 50000; round++) {
        char data[BLOCK + 17];
        fill(data, sizeof data, &seed);
        const char *block = data + test_random(&seed) % 17; /* any alignment */
        char delimiter = ",;|\t"[round % 4];
        mgl_scan_masks wanted;
        plain_scan(block, delimiter, &wanted);
        for (size_t p = 0; p < n; p++) {
            mgl_scan_masks got;
            memset(&got, 0x55, sizeof got);
            paths[p].scan(block, delimiter, &got);
            assert_int_equal(got.delimiter, wanted.delimiter);
            assert_int_equal(got.newline, wanted.newline);
            assert_int_equal(got.quote, wanted.quote);
            assert_int_equal(got.carriage_return, wanted.carriage_return);
            assert_int_equal(got.nul, wanted.nul);
            assert_int_equal(got.high, wanted.high);
        }
    }
}

static bool plain_block(const char *block)
{
    for (int i = 0; i < BLOCK; i++)
        if (block[i] == '"' || block[i] == 0 || (block[i] == '\r' && block[i + 1] != '\n'))
            return false;
    return true;
}

static void all_paths_find_equal_runs(void **state)
{
    (void)state;
    const mgl_scan_path *paths;
    size_t n = mgl_scan_paths(&paths);
    uint64_t seed = 2;
    static char data[MGL_SCAN_RUN + 1];
    static uint32_t ends[MGL_SCAN_RUN + 16];
    for (int round = 0; round < 3000; round++) {
        size_t size = round == 0 ? MGL_SCAN_RUN : test_random(&seed) % 3000;
        fill(data, size + 1, &seed);
        if (round == 0)
            memset(data, '\n', size + 1); /* as many line feeds as can be */
        uint32_t base = (uint32_t)test_random(&seed) % 1000;
        size_t plain = 0;
        while (plain + BLOCK <= size && plain_block(data + plain))
            plain += BLOCK;
        for (size_t p = 0; p < n; p++) {
            mgl_scan_run run = paths[p].run(data, size, ',', base, ends);
            assert_int_equal(run.bytes, plain);
            size_t n_ends = 0, n_newlines = 0;
            bool returns = false, high = false;
            for (size_t i = 0; i < plain; i++) {
                n_newlines += data[i] == '\n';
                returns |= data[i] == '\r';
                high |= (unsigned char)data[i] >= 0x80;
                if (data[i] == '\n' || data[i] == ',')
                    assert_int_equal(ends[n_ends++], base + i);
            }
            assert_int_equal(run.n_ends, n_ends);
            assert_int_equal(run.n_newlines, n_newlines);
            assert_int_equal(run.carriage_returns, returns);
            assert_int_equal(run.high, high);
        }
    }
}

/* All code points, encoded here by hand, and what is left out of the standard. */
static size_t encode(uint32_t point, char out[4])
{
    if (point < 0x80)
        return out[0] = (char)point, 1;
    if (point < 0x800)
        return out[0] = (char)(0xc0 | point >> 6), out[1] = (char)(0x80 | (point & 63)), 2;
    if (point < 0x10000)
        return out[0] = (char)(0xe0 | point >> 12), out[1] = (char)(0x80 | (point >> 6 & 63)),
               out[2] = (char)(0x80 | (point & 63)), 3;
    return out[0] = (char)(0xf0 | point >> 18), out[1] = (char)(0x80 | (point >> 12 & 63)),
           out[2] = (char)(0x80 | (point >> 6 & 63)), out[3] = (char)(0x80 | (point & 63)), 4;
}

static void utf8_is_checked(void **state)
{
    (void)state;
    for (uint32_t point = 1; point < 0x110800; point++) {
        char text[24] = "0123456789";
        size_t size = 10 + encode(point, text + 10);
        text[size] = 'z';
        bool valid = point < 0x110000 && (point < 0xd800 || point > 0xdfff);
        assert_int_equal(mgl_utf8_valid(text, size + 1), valid ? size + 1 : 10);
        if (size > 11) /* cut off */
            assert_int_equal(mgl_utf8_valid(text, size - 1), 10);
    }
    assert_int_equal(mgl_utf8_valid("a\xc0\xaf", 3), 1);    /* overlong */
    assert_int_equal(mgl_utf8_valid("\xe0\x9f\xbf", 3), 0); /* overlong */
    assert_int_equal(mgl_utf8_valid("\xf0\x8f\xbf\xbf", 4), 0);
    assert_int_equal(mgl_utf8_valid("ab\x80", 3), 2); /* no begin */
    assert_int_equal(mgl_utf8_valid("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_paths_find_equal_masks),
                                       cmocka_unit_test(all_paths_find_equal_runs),
                                       cmocka_unit_test(utf8_is_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
