/* Bytes of a text file at an offset. Private to text. */
#ifndef MGL_TEXT_FILE_H
#define MGL_TEXT_FILE_H

#include "text/text.h"

/* Up to size bytes from offset on; fewer only at the end of the file. A file that is
 * not as long as it was when it was opened is refused. */
mgl_status mgl_text_read_at(const mgl_text_file *file, uint64_t offset, char *data, size_t size,
                            mgl_error *err, size_t *out);

#endif
