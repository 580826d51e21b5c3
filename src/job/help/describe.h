/* Help made from the tables of descriptors. */
#ifndef MGL_JOB_HELP_DESCRIBE_H
#define MGL_JOB_HELP_DESCRIBE_H

#include "job/keys/keys.h"

/* A line of a two-column list for a terminal: left, then right wrapped beside it. */
void mgl_help_line(mgl_buffer *out, const char *left, const char *right);
/* A paragraph wrapped at the width of a terminal, indented. */
void mgl_help_paragraph(mgl_buffer *out, const char *label, const char *text);

/* Whole lists. */
void mgl_list_methods(mgl_buffer *out, bool markdown);
void mgl_list_models(mgl_buffer *out, bool markdown);
void mgl_list_measures(mgl_buffer *out, bool markdown);
void mgl_list_builders(mgl_buffer *out, bool markdown);
void mgl_list_policies(mgl_buffer *out, bool markdown);
void mgl_list_formats(mgl_buffer *out, bool markdown);
void mgl_list_keys(mgl_buffer *out, unsigned commands, bool markdown);

/* Everything of that name; false if there is nothing. */
bool mgl_describe_name(mgl_buffer *out, const char *name);

#endif
