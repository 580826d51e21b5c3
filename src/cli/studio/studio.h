/* studio: the page served on loopback, with the library behind it. docs/studio-server.md lists what
 * is served and what is refused. */
#ifndef MGL_CLI_STUDIO_H
#define MGL_CLI_STUDIO_H

#include "mingle.h"

#include <stdbool.h>

typedef struct mgl_studio_options {
    const char *given;  /* the table or job that was named; NULL: none */
    bool is_job;        /* it is a job file */
    const char *folder; /* where outputs may be written; NULL: nowhere */
    unsigned port;      /* 0: a free one */
    bool open;          /* in a browser */
} mgl_studio_options;

/* Serves until a signal comes; returns the exit code. */
int mgl_studio_serve(const mgl_studio_options *options);

#endif
