/* What left the database, and what was counted. */
#ifndef MGL_REPORT_WORDS_LEFT_WORDS_H
#define MGL_REPORT_WORDS_LEFT_WORDS_H

#include "report/report.h"

/* A sentence without its full stop; nothing if a document does not tell. */
void mgl_left_words(const json_t *document, mgl_buffer *out);
void mgl_counted_words(const json_t *document, mgl_buffer *out);

#endif
