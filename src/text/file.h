/* Inside the text room: bytes that can be read again, and how they come to be. */
#ifndef MGL_TEXT_FILE_H
#define MGL_TEXT_FILE_H

#include "text/text.h"

/* Up to size bytes from offset on; fewer only at the end of the file. A file that is
 * not as long as it was when it was opened is refused. */
mgl_status mgl_text_read_at(const mgl_text_file *file, uint64_t offset, char *data, size_t size,
                            mgl_error *err, size_t *out);

/* ---- From a stream to a spool, one step handing its bytes to the next --------- */

/* Takes some bytes; size 0 with last set says that there are no more. */
typedef struct mgl_sink mgl_sink;
struct mgl_sink {
    mgl_status (*take)(mgl_sink *sink, const char *data, size_t size, bool last, mgl_error *err);
    void (*free)(mgl_sink *sink);
};

/* How the first bytes say the content is packed. */
typedef enum mgl_packing { MGL_PACKED_NOT, MGL_PACKED_GZIP, MGL_PACKED_ZSTD } mgl_packing;
enum { MGL_PACKING_BYTES = 4 };
mgl_packing mgl_packing_of(const char *data, size_t size);

/* Unpack and hand on. most: as mgl_text_open_within. name is for messages; both must outlive the
 * sink. */
mgl_status mgl_sink_unpack(mgl_packing packing, const char *name, uint64_t most, mgl_sink *next,
                           mgl_error *err, mgl_sink **out);

/* Convert from the encoding to UTF-8 and hand on. */
mgl_status mgl_sink_convert(const char *encoding, const char *name, mgl_sink *next, mgl_error *err,
                            mgl_sink **out);
/* Whether the encoding is UTF-8 itself, so that nothing is to be converted. */
bool mgl_encoding_is_utf8(const char *encoding);

/* Reads fd to its end, unpacks and converts, and gives an unlinked file with the result. */
mgl_status mgl_text_spool(int fd, const char *name, const char *encoding, uint64_t most_unpacked,
                          mgl_error *err, int *out);

#endif
