/* Help made from the tables of descriptors. */
#ifndef MGL_JOB_HELP_DESCRIBE_H
#define MGL_JOB_HELP_DESCRIBE_H

#include "job/keys/keys.h"

/* A paragraph wrapped at the width of a terminal, indented. */
void mgl_help_paragraph(mgl_buffer *out, const char *label, const char *text);

/* Everything of that name; false if there is nothing. */
bool mgl_describe_name(mgl_buffer *out, const char *name);

#endif
