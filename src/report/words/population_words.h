/* What the rows of a table stand for. */
#ifndef MGL_REPORT_WORDS_POPULATION_WORDS_H
#define MGL_REPORT_WORDS_POPULATION_WORDS_H

#include "report/report.h"

/* "8 rows stand for about 829 persons, by the weights in w"; nothing if a document does not tell.
 */
void mgl_population_words(const json_t *document, mgl_buffer *out);

/* "5 rows were above a risk of 0.1 and suppressed first; 2 more joined them"; likewise. */
void mgl_above_words(const json_t *document, mgl_buffer *out);

#endif
