/* How a call ended, and what went wrong. */
#ifndef MINGLE_ERROR_H
#define MINGLE_ERROR_H

#include "mingle/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The exit codes of the program, too. */
typedef enum mgl_status {
    MGL_OK = 0,
    MGL_UNMET = 1,    /* the privacy promise does not hold or cannot be reached */
    MGL_USAGE = 2,    /* wrong use: options, job file */
    MGL_DATA = 3,     /* bad input data */
    MGL_SYSTEM = 4,   /* the system failed: disk, memory */
    MGL_CANCELLED = 5 /* the progress callback asked to stop */
} mgl_status;

/* What went wrong, where, and what to do. Owned by the caller. */
typedef struct mgl_error {
    mgl_status status;
    char message[8192]; /* a line for each column, where many are to blame */
} mgl_error;

#ifdef __cplusplus
}
#endif
#endif
