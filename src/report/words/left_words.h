/* What left the database, and what was counted. */
#ifndef MGL_REPORT_WORDS_LEFT_WORDS_H
#define MGL_REPORT_WORDS_LEFT_WORDS_H

#include "report/report.h"

/* A sentence without its full stop; nothing if a document does not tell. */
void mgl_left_words(const json_t *document, mgl_buffer *out);
/* What was read and left out, for a line about rows: "5,000 read, 1,200 left out by where"; just
 * what was read if nothing was to be left out. */
void mgl_read_words(const json_t *document, mgl_buffer *out);
/* The same as a sentence. */
void mgl_left_out_words(const json_t *document, mgl_buffer *out);
/* What the rows of a counted table stand for. */
void mgl_counts_words(const json_t *document, mgl_buffer *out);
void mgl_counted_words(const json_t *document, mgl_buffer *out);

#endif
