/* report: views of a result for persons. */
#ifndef MGL_REPORT_H
#define MGL_REPORT_H

#include "base/base.h"
#include "result/result.h"

/* What views know of a measure beyond the document. */
typedef struct mgl_measure_view {
    const char *key;   /* in documents */
    const char *title; /* of a narrow column; NULL: the key, with blanks */
    bool gain;         /* more is better */
    bool standard;     /* meant where a document names none */
    bool in_summary;   /* a summary always shows it */
    bool in_table;     /* a comparison always has a column for it */
} mgl_measure_view;

/* The measure of that key, or with NULL the i-th; false if there is none. The caller passes this
 * function, since the module includes no other than that of the document. */
typedef bool mgl_measure_view_fn(const char *key, size_t i, mgl_measure_view *out);

/* A short aligned summary for a terminal. Free the text with mgl_free. */
mgl_status mgl_report_text(const mgl_result *result, const mgl_text_style *style,
                           mgl_measure_view_fn *measures, mgl_error *err, char **out);

/* A page for a browser, complete in itself. Free the text with mgl_free. */
mgl_status mgl_report_html(const mgl_result *result, mgl_measure_view_fn *measures, mgl_error *err,
                           char **out);

/* The tests of a gate ("tests") as JUnit writes them. Free the text with mgl_free. */
mgl_status mgl_report_junit(const mgl_result *result, mgl_error *err, char **out);

/* Appends "k-anonymity k=5", of one of "models". */
void mgl_model_words(const json_t *model, mgl_buffer *out);
/* Appends "12 rows in 4 classes" that break it; nothing where no class is to blame, as in models of
 * the whole table. */
void mgl_violations_words(const json_t *model, mgl_buffer *out);
/* Appends "measured 3", if it was. */
void mgl_measured_words(const json_t *model, mgl_buffer *out);

#endif
