/* Folders that are written, read and removed as a whole, such as a release of many files. Folders
 * within folders belong to them; links and devices do not, and are refused. */
#ifndef MGL_BASE_FILES_H
#define MGL_BASE_FILES_H

#include "base/buffer.h"
#include "base/sha256.h"

#include <stdbool.h>

/* Calls visit for everything below the folder, paths relative to it, in the order of their bytes;
 * files only, or folders as well, a folder behind what it holds. */
typedef mgl_status mgl_entry_fn(void *context, const char *folder, const char *path,
                                mgl_error *err);
mgl_status mgl_folder_each(const char *folder, bool folders, mgl_entry_fn *visit, void *context,
                           mgl_error *err);

/* What `sha256sum` prints for all files, as hexadecimal digits: the hash of the lines "HASH  PATH",
 * by the order of the paths. *bytes: of all files. */
mgl_status mgl_folder_sha256(const char *folder, mgl_error *err, char text[MGL_SHA256_TEXT],
                             uint64_t *bytes);

/* Takes the rights of others away, and waits until all is on the disk. */
mgl_status mgl_folder_seal(const char *folder, mgl_error *err);

/* Removes the folder with all that it holds, as far as that can be done. */
void mgl_folder_remove(const char *folder);

/* Appends all bytes of the file. */
mgl_status mgl_read_whole(const char *path, mgl_error *err, mgl_buffer *out);
/* The same of what is open. name is for messages. */
mgl_status mgl_read_to_end(int fd, const char *name, mgl_error *err, mgl_buffer *out);

#endif
