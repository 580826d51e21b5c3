/* What views ask about the measure that a document is about. Inside the room only. */
#ifndef MGL_REPORT_WORDS_MEASURE_WORDS_H
#define MGL_REPORT_WORDS_MEASURE_WORDS_H

#include "report/report.h"

/* The key of the measure that a document, or the first of a list of them, went by. */
const char *mgl_measure_of(mgl_measure_view_fn *measures, const json_t *document);
/* What is known of it; of one that is not known, its key. */
mgl_measure_view mgl_measure_view_of(mgl_measure_view_fn *measures, const char *key);
/* Is more of it better? */
bool mgl_is_gain(mgl_measure_view_fn *measures, const char *key);
/* "geometric_loss" -> "geometric loss"; the text lives in the buffer given. */
const char *mgl_measure_words(const char *key, char *text);

#endif
