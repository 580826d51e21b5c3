/* Two sums over rows that do not depend on their order. The fingerprint of a slice is an addition
 * of hashes of its coded rows. The digest of a table, whose database keeps no order, is the SHA-256
 * of each row, its cells as netstrings ("5:02139,"), then the SHA-256 of these in hexadecimal
 * digits, sorted, one per line. */
#include "io/io.h"

#include <stdlib.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { MISSING_SEED = 1 }; /* a missing cell is not the text it is written as */

/* The hash of each value of a column. */
static uint64_t *hash_values(const mgl_column *column)
{
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint64_t *hashes = mgl_alloc_array(n, sizeof *hashes);
    for (uint32_t code = 0; hashes != NULL && code < n; code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        hashes[code] = code == mgl_dictionary_missing(column->dictionary)
                           ? XXH3_64bits_withSeed("", 0, MISSING_SEED)
                           : XXH3_64bits(value.data, value.size);
    }
    return hashes;
}

/* Columns whose values are hashed. */
typedef struct hashed {
    const mgl_column *const *columns;
    size_t n_columns;
    uint64_t **hashes; /* [n_columns][code] */
    uint64_t *row;     /* [n_columns] room for those of one row */
} hashed;

static mgl_status add_rows(const hashed *h, size_t n_rows, const uint64_t *times, mgl_error *err,
                           mgl_fingerprint *out)
{
    size_t first = 0, in_memory = 0;
    for (size_t r = 0; r < n_rows; r++) {
        uint64_t n = times != NULL ? times[r] : 1;
        if (h->n_columns > 0 && r - first >= in_memory)
            MGL_TRY(mgl_column_reach(h->columns[0], r, err, &first, &in_memory));
        for (size_t c = 0; c < h->n_columns; c++)
            h->row[c] = h->hashes[c][mgl_column_code(h->columns[c], r - first)];
        XXH128_hash_t hash = XXH3_128bits(h->row, h->n_columns * sizeof *h->row);
        out->n_records += n;
        out->low += hash.low64 * n;
        out->high += hash.high64 * n;
    }
    return MGL_OK;
}

mgl_status mgl_fingerprint_of(const mgl_column *const *columns, size_t n_columns, size_t n_rows,
                              const uint64_t *times, mgl_error *err, mgl_fingerprint *out)
{
    *out = (mgl_fingerprint){0};
    hashed h = {columns, n_columns, mgl_zeroed_array(n_columns, sizeof *h.hashes),
                mgl_alloc_array(n_columns, sizeof *h.row)};
    bool whole = h.hashes != NULL && h.row != NULL;
    for (size_t c = 0; whole && c < n_columns; c++)
        whole = (h.hashes[c] = hash_values(columns[c])) != NULL;
    mgl_status status = whole ? add_rows(&h, n_rows, times, err, out) : mgl_fail_memory(err);
    for (size_t c = 0; h.hashes != NULL && c < n_columns; c++)
        mgl_free(h.hashes[c]);
    mgl_free(h.hashes);
    mgl_free(h.row);
    return status;
}

typedef struct row_hash {
    uint32_t words[8];
} row_hash;

struct mgl_row_digest {
    row_hash *rows;
    size_t n, capacity;
    mgl_buffer cells; /* of a row, as netstrings */
};

mgl_status mgl_row_digest_new(mgl_error *err, mgl_row_digest **out)
{
    mgl_row_digest *digest = mgl_zeroed_array(1, sizeof *digest);
    MGL_TRY(mgl_check_memory(digest != NULL, err));
    *out = digest;
    return MGL_OK;
}

void mgl_row_digest_free(mgl_row_digest *digest)
{
    if (digest == NULL)
        return;
    mgl_free(digest->rows);
    mgl_buffer_free(&digest->cells);
    mgl_free(digest);
}

/* "5:02139," */
static void add_cell(mgl_buffer *out, mgl_span cell)
{
    char length[24], *at = length + sizeof length;
    *--at = ':';
    for (size_t left = cell.size; left > 0 || *at == ':'; left /= 10)
        *--at = (char)('0' + left % 10);
    mgl_buffer_append(out, at, (size_t)(length + sizeof length - at));
    mgl_buffer_span(out, cell);
    mgl_buffer_append(out, ",", 1);
}

mgl_status mgl_row_digest_add(mgl_row_digest *digest, const mgl_span *cells, size_t n_cells,
                              mgl_error *err)
{
    char text[MGL_SHA256_TEXT];
    mgl_sha256 hash;
    MGL_TRY(
        mgl_grow_array(&digest->rows, &digest->capacity, digest->n + 1, sizeof *digest->rows, err));
    digest->cells.size = 0;
    mgl_sha256_begin(&hash);
    for (size_t c = 0; c < n_cells; c++)
        add_cell(&digest->cells, cells[c]);
    if (digest->cells.failed)
        return mgl_fail_memory(err);
    mgl_sha256_add(&hash, digest->cells.data, digest->cells.size);
    mgl_sha256_end(&hash, text);
    memcpy(digest->rows[digest->n++].words, hash.state, sizeof hash.state);
    return MGL_OK;
}

static int by_words(const void *a, const void *b)
{
    const row_hash *x = a, *y = b;
    for (size_t i = 0; i < 8; i++)
        if (x->words[i] != y->words[i])
            return x->words[i] < y->words[i] ? -1 : 1;
    return 0;
}

/* In hexadecimal digits, and the end of the line. */
enum { HASH_LINE = MGL_SHA256_TEXT };
static void write_hash(const row_hash *hash, char line[HASH_LINE])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < HASH_LINE - 1; i++)
        line[i] = digits[hash->words[i / 8] >> (28 - 4 * (i % 8)) & 15];
    line[HASH_LINE - 1] = '\n';
}

void mgl_row_digest_end(mgl_row_digest *digest, char text[MGL_SHA256_TEXT])
{
    mgl_sha256 hash;
    if (digest->n > 0) /* without rows there is no array */
        qsort(digest->rows, digest->n, sizeof *digest->rows, by_words);
    mgl_sha256_begin(&hash);
    for (size_t i = 0; i < digest->n; i++) {
        char line[HASH_LINE];
        write_hash(&digest->rows[i], line);
        mgl_sha256_add(&hash, line, sizeof line);
    }
    mgl_sha256_end(&hash, text);
}

typedef struct digesting {
    mgl_row_digest *digest;
    size_t n_columns;
    mgl_span *cells;     /* [n_columns] of one row */
    mgl_buffer *scratch; /* [n_columns] of quoted fields */
} digesting;

static mgl_status add_records(void *context, const mgl_records *records, mgl_error *err)
{
    digesting *d = context;
    for (size_t r = 0; r < records->n_records; r++) {
        const mgl_field *fields = records->fields + r * records->n_fields;
        for (size_t c = 0; c < d->n_columns; c++) {
            d->scratch[c].size = 0;
            d->cells[c] = mgl_field_value(fields[c], &d->scratch[c]);
            if (d->scratch[c].failed)
                return mgl_fail_memory(err);
        }
        MGL_TRY(mgl_row_digest_add(d->digest, d->cells, d->n_columns, err));
    }
    return MGL_OK;
}

mgl_status mgl_source_digest(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT])
{
    size_t n = mgl_source_columns(source);
    digesting d = {.n_columns = n};
    d.cells = mgl_alloc_array(n, sizeof *d.cells);
    d.scratch = mgl_zeroed_array(n, sizeof *d.scratch);
    mgl_status status = MGL_OK;
    MGL_GO(d.cells == NULL || d.scratch == NULL ? mgl_fail_memory(err)
                                                : mgl_row_digest_new(err, &d.digest));
    MGL_GO(mgl_source_each(source, add_records, &d, err));
    mgl_row_digest_end(d.digest, text);
done:
    for (size_t c = 0; d.scratch != NULL && c < n; c++)
        mgl_buffer_free(&d.scratch[c]);
    mgl_free(d.scratch);
    mgl_free(d.cells);
    mgl_row_digest_free(d.digest);
    return status;
}

mgl_status mgl_location_digest(const char *location, mgl_span no_value, mgl_error *err,
                               char text[MGL_SHA256_TEXT])
{
    mgl_source_options options = {.as_written = true, .no_value = no_value};
    mgl_column_request request = {0, MGL_ROLE_IDENTIFIER};
    mgl_source *source;
    mgl_table *table = NULL;
    MGL_TRY(mgl_source_open(location, &options, err, &source));
    /* The first pass fetches the rows. */
    mgl_status status = mgl_source_read(source, &request, 1, NULL, &(mgl_progress){0}, err, &table);
    if (status == MGL_OK)
        status = mgl_source_digest(source, err, text);
    mgl_table_free(table);
    mgl_source_close(source);
    return status;
}
