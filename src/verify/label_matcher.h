/* Inside the room only. */
#ifndef MGL_VERIFY_LABEL_MATCHER_H
#define MGL_VERIFY_LABEL_MATCHER_H

#include "verify/verify.h"

typedef struct mgl_label_matcher mgl_label_matcher;

/* columns: for each label that will be asked for, which column of the population it belongs
 * to. Free with mgl_label_matcher_free. */
mgl_status mgl_label_matcher_new(const mgl_promised_population *population, const size_t *columns,
                                 size_t n_columns, mgl_error *err, mgl_label_matcher **out);
void mgl_label_matcher_free(mgl_label_matcher *matcher);

/* Rows of the population that lie under the labels. */
mgl_status mgl_label_match(mgl_label_matcher *matcher, const mgl_span *labels, mgl_error *err,
                           uint64_t *out);

#endif
