/* io: sums over rows that do not depend on their order. io.h passes it on. */
#ifndef MGL_IO_DIGEST_H
#define MGL_IO_DIGEST_H

#include "table/table.h"

typedef struct mgl_source mgl_source;

/* What was counted for a search: how many records, and a sum over them that does not depend on
 * their order. */
typedef struct mgl_fingerprint {
    uint64_t n_records, low, high;
} mgl_fingerprint;

/* Of these columns, in this order; times as in mgl_table. */
mgl_status mgl_fingerprint_of(const mgl_column *const *columns, size_t n_columns, size_t n_rows,
                              const uint64_t *times, mgl_error *err, mgl_fingerprint *out);

typedef struct mgl_row_digest mgl_row_digest;
/* Free with mgl_row_digest_free. */
mgl_status mgl_row_digest_new(mgl_error *err, mgl_row_digest **out);
void mgl_row_digest_free(mgl_row_digest *digest);
mgl_status mgl_row_digest_add(mgl_row_digest *digest, const mgl_span *cells, size_t n_cells,
                              mgl_error *err);
void mgl_row_digest_end(mgl_row_digest *digest, char text[MGL_SHA256_TEXT]);
/* Of all records of a source that was read. */
mgl_status mgl_source_digest(mgl_source *source, mgl_error *err, char text[MGL_SHA256_TEXT]);
/* The same of a location that is opened for it; no_value: how cells without a value read. */
mgl_status mgl_location_digest(const char *location, mgl_span no_value, mgl_error *err,
                               char text[MGL_SHA256_TEXT]);

#endif
