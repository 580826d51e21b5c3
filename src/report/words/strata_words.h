/* Strata, as both views of a result name them. */
#ifndef MGL_REPORT_STRATA_WORDS_H
#define MGL_REPORT_STRATA_WORDS_H

#include "base/base.h"
#include "result/result.h"

/* Appends "A, 2020": the values that all rows of a stratum have. */
void mgl_stratum_words(const json_t *by, mgl_buffer *out);
/* Has each column one level, in the whole release or in each of its strata? */
bool mgl_is_uniform(const json_t *document);

#endif
