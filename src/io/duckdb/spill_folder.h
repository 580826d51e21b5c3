/* A private folder for what an engine puts on disk. Inside the io room. */
#ifndef MGL_IO_DUCKDB_SPILL_FOLDER_H
#define MGL_IO_DUCKDB_SPILL_FOLDER_H

#include "base/base.h"

typedef struct mgl_spill_folder {
    char *path; /* NULL: there is none, since nothing may touch a disk */
    int lock;   /* held as long as the folder is in use */
} mgl_spill_folder;

/* Makes one that nobody else may enter, in TMPDIR or /tmp, and removes those that runs left behind
 * which were killed. Remove with mgl_spill_folder_remove, also on failure. */
mgl_status mgl_spill_folder_make(mgl_error *err, mgl_spill_folder *out);
void mgl_spill_folder_remove(mgl_spill_folder *folder);

#endif
