/* Bytes of a file for libreadstat, through the calls of base. Inside the io room. */
#ifndef MGL_IO_STATISTICS_READSTAT_FILE_H
#define MGL_IO_STATISTICS_READSTAT_FILE_H

#include "io/intake/intake.h"

#include <readstat.h>

typedef struct mgl_statistics_file {
    int fd;
    mgl_file_state state;
    uint64_t at;         /* where the next read begins */
    char *block;         /* bytes from begin on */
    uint64_t begin, end; /* of the bytes in the block */
    int failure;         /* errno of a read that failed; 0: none did */
} mgl_statistics_file;

/* Close with mgl_statistics_file_close, also on failure. */
mgl_status mgl_statistics_file_open(mgl_statistics_file *file, const char *path, mgl_error *err);
void mgl_statistics_file_close(mgl_statistics_file *file);

/* Lets a parser read from the file, from its beginning. */
void mgl_statistics_file_attach(mgl_statistics_file *file, readstat_parser_t *parser);

#endif
