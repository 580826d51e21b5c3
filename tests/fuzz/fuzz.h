/* What the fuzz targets share. */
#ifndef MGL_TESTS_FUZZ_H
#define MGL_TESTS_FUZZ_H

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* For replay.c: how many changes of files to try; only targets that are slow define it. */
int fuzz_changes(void);

/* A finding: libFuzzer and the sanitizers take an abort as one. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* A file without a name that holds the bytes; path is where it can be opened. */
typedef struct fuzz_file {
    int fd;
    char path[32];
} fuzz_file;

static inline fuzz_file fuzz_file_of(const void *data, size_t size)
{
    fuzz_file file = {.fd = mgl_sys_spool()};
    REQUIRE(file.fd >= 0);
    REQUIRE(mgl_sys_pwrite(file.fd, data, size, 0) == 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.fd);
    return file;
}

/* ---- Files with names (fuzz.c) ------------------------------------------------ */

/* Goes, on the first call, to a folder of its own that is removed at the end. */
void fuzz_enter_folder(void);
/* Writes, or writes anew, a file there. */
void fuzz_write(const char *name, const void *data, size_t size);

/* ---- Pieces of the input ------------------------------------------------------ */

/* The next line without its end. */
mgl_span fuzz_line(mgl_span *rest);
/* Everything up to a line "--", which is left out. */
mgl_span fuzz_section(mgl_span *rest);

/* A status that is no fault of ours comes with a message. */
void fuzz_expect_refusal(mgl_status status, const mgl_error *err);

#endif
