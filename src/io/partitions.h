/* Releases that are folders, divided by columns: a part of the door of the room. */
#ifndef MGL_IO_PARTITIONS_H
#define MGL_IO_PARTITIONS_H

#include "base/base.h"

/* Folders COLUMN=VALUE within folders, as hive has them. */
typedef struct mgl_partitions {
    const char *const *columns; /* in the order of the folders */
    size_t n_columns;
    unsigned threads;
    uint64_t memory;    /* bytes; 0: a default */
    const char *target; /* for messages */
} mgl_partitions;

/* MGL_DATA if there is something at the target that is not to be replaced: a folder that is not
 * empty unless overwrite, and whatever is no folder of Parquet files. */
mgl_status mgl_partitions_check_target(const char *target, bool overwrite, mgl_error *err);
/* Writes the rows of a Parquet file to a folder that is empty, reads them back and compares them:
 * what holds for the file holds for the folder. MGL_DATA if a column cannot name folders, or if
 * there would be too many. */
mgl_status mgl_partition_file(const char *file, const char *folder,
                              const mgl_partitions *partitions, mgl_error *err);

#endif
