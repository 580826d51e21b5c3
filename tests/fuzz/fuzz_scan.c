/* All ways to find separators find the same ones. The first byte of the input chooses the
 * delimiter. */
#include "fuzz.h"

#include "text/text.h"

static void compare_masks(const mgl_scan_path *path, const char *block, char delimiter)
{
    mgl_scan_masks masks, plain = {0};
    path->scan(block, delimiter, &masks);
    for (int i = 0; i < 64; i++) {
        uint64_t bit = (uint64_t)1 << i;
        plain.delimiter |= block[i] == delimiter ? bit : 0;
        plain.newline |= block[i] == '\n' ? bit : 0;
        plain.quote |= block[i] == '"' ? bit : 0;
        plain.carriage_return |= block[i] == '\r' ? bit : 0;
        plain.nul = plain.nul || block[i] == '\0';
        plain.high = plain.high || (unsigned char)block[i] >= 0x80;
    }
    REQUIRE(masks.delimiter == plain.delimiter && masks.newline == plain.newline);
    REQUIRE(masks.quote == plain.quote && masks.carriage_return == plain.carriage_return);
    REQUIRE(masks.nul == plain.nul && masks.high == plain.high);
}

static mgl_scan_run scan(const mgl_scan_path *path, const char *data, size_t size, char delimiter,
                         uint32_t **ends)
{
    *ends = mgl_zeroed_array(size + 16, sizeof **ends);
    REQUIRE(*ends != NULL);
    return path->run(data, size, delimiter, 1000, *ends);
}

static void compare_runs(const mgl_scan_path *a, const mgl_scan_path *b, const char *data,
                         size_t size, char delimiter)
{
    uint32_t *ends_a, *ends_b;
    mgl_scan_run x = scan(a, data, size, delimiter, &ends_a),
                 y = scan(b, data, size, delimiter, &ends_b);
    REQUIRE(x.bytes == y.bytes && x.n_ends == y.n_ends && x.n_newlines == y.n_newlines);
    REQUIRE(x.carriage_returns == y.carriage_returns && x.high == y.high);
    REQUIRE(memcmp(ends_a, ends_b, x.n_ends * sizeof *ends_a) == 0);
    mgl_free(ends_a);
    mgl_free(ends_b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = {',', ';', '\t', '|', ':', ' '};
    if (size < 1 || size > MGL_SCAN_RUN)
        return 0;
    char delimiter = delimiters[data[0] % sizeof delimiters];
    size_t blocks = (size - 1 + 63) / 64 * 64;
    char *padded = mgl_zeroed_array(blocks + MGL_CUTS_MARGIN, 1);
    REQUIRE(padded != NULL);
    memset(padded, 'x', blocks + MGL_CUTS_MARGIN);
    memcpy(padded, data + 1, size - 1);
    const mgl_scan_path *paths;
    size_t n = mgl_scan_paths(&paths);
    for (size_t i = 0; i < n; i++) {
        for (size_t at = 0; at < blocks; at += 64)
            compare_masks(&paths[i], padded + at, delimiter);
        compare_runs(&paths[0], &paths[i], padded, blocks, delimiter);
    }
    mgl_free(padded);
    return 0;
}
