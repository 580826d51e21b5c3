/* What a command found out. */
#ifndef MINGLE_RESULT_H
#define MINGLE_RESULT_H

#include "mingle/error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mgl_result mgl_result;

MGL_API void mgl_result_free(mgl_result *result);

/* 1 if every model the job named holds, else 0. Of a comparison: if they all hold on what
 * one of the methods found. */
MGL_API int mgl_result_holds(const mgl_result *result);

/* The result as JSON; a summary to read in a terminal (colour: 0 or 1), for which a job that was
 * set to `brief` is enough.
 * Free the text with mgl_text_free. */
MGL_API mgl_status mgl_result_json(const mgl_result *result, mgl_error *err, char **out);
MGL_API mgl_status mgl_result_text(const mgl_result *result, int colour, mgl_error *err,
                                   char **out);
/* The same for a terminal of so many columns: lines are broken between words (width 0: as
 * mgl_result_text does, laid out for 80 columns and never broken); ascii: bars and trees are drawn
 * without block characters. */
typedef struct mgl_text_style {
    int colour, width, ascii;
} mgl_text_style;
MGL_API mgl_status mgl_result_text_in(const mgl_result *result, const mgl_text_style *style,
                                      mgl_error *err, char **out);
/* A page for a browser, complete in itself: it loads nothing and runs no script. */
MGL_API mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out);
MGL_API void mgl_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
