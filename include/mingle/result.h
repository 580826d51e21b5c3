/* Results: what a command found out.
 *
 *     double precision = mgl_result_number(result, "utility.precision");
 *     int holds = mgl_result_bool(result, "models[0].holds");
 *     mgl_result_summary(result, NULL, &err, &text);
 *     mgl_text_free(text);
 *     mgl_result_free(result);
 */
#ifndef MINGLE_RESULT_H
#define MINGLE_RESULT_H

#include "mingle/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A document, which never changes. Threads: any number may read it at the same time. */
typedef struct mgl_result mgl_result;

/* Frees a result and what it owns. NULL is allowed. */
MGL_API void mgl_result_free(mgl_result *result);

/* Returns 1 if every model that the job named holds, else 0. Of a comparison: if they all hold on
 * what one of the methods found. */
MGL_API int mgl_result_holds(const mgl_result *result);

/* ---- As text ------------------------------------------------------------------------------------
 */

/* Frees a text that a function of the library returned. NULL is allowed. */
MGL_API void mgl_text_free(char *text);

/* Writes the document as JSON. The caller frees the text with mgl_text_free. */
MGL_API mgl_status mgl_result_json(const mgl_result *result, mgl_error *err, char **out);

/* How a summary is laid out. All zero: plain text, laid out for 80 columns and never broken. */
typedef struct mgl_text_style {
    int colour; /* 1: colours of a terminal */
    int width;  /* columns of the terminal, between whose words lines are broken; 0: not broken */
    int ascii;  /* 1: bars and trees without block characters */
    /* How the program writes keys that its users know under other names; optional. It is given what
     * a summary has between backquotes ("suppress", "suppressed: keep"), writes up to size bytes
     * and a NUL and returns 1, or returns 0 to leave the phrase as it is. */
    int (*spell)(const char *phrase, char *text, size_t size);
} mgl_text_style;

/* Writes a summary to read in a terminal; style may be NULL. A job that was set to `brief` has all
 * that a summary shows. The caller frees the text with mgl_text_free. */
MGL_API mgl_status mgl_result_summary(const mgl_result *result, const mgl_text_style *style,
                                      mgl_error *err, char **out);

/* Writes a page for a browser, complete in itself: it loads nothing and runs no script. The caller
 * frees the text with mgl_text_free. */
MGL_API mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out);

/* ---- Single values ------------------------------------------------------------------------------
 */

/* A path has names with dots between them, and [3] for the fourth item of a list:
 * "utility.precision", "models[0].holds", "[2].method" of a comparison. A name with a dot or a
 * bracket in it is quoted, its own quotes doubled: columns."a.b". "" is the whole document. Keys
 * are those of mgl_result_json. Getters do not fail: where the path leads to nothing of the kind,
 * they return what is stated below. Texts and keys belong to the result. */
typedef enum mgl_kind {
    MGL_KIND_NONE, /* the path leads nowhere */
    MGL_KIND_NULL, /* the value is null: undefined or unknown */
    MGL_KIND_BOOL,
    MGL_KIND_NUMBER,
    MGL_KIND_STRING,
    MGL_KIND_LIST,
    MGL_KIND_OBJECT
} mgl_kind;

/* Returns the kind of value at a path. */
MGL_API mgl_kind mgl_result_kind(const mgl_result *result, const char *path);
/* Returns a number, or NAN. */
MGL_API double mgl_result_number(const mgl_result *result, const char *path);
/* Writes a whole number to *out and returns 1; returns 0, and leaves *out alone, if the value is no
 * number, not whole or too large. */
MGL_API int mgl_result_integer(const mgl_result *result, const char *path, int64_t *out);
/* Returns 1 for true, 0 for false, or -1. */
MGL_API int mgl_result_bool(const mgl_result *result, const char *path);
/* Returns a text, or NULL. */
MGL_API const char *mgl_result_string(const mgl_result *result, const char *path);
/* Returns the number of items of a list or of keys of an object, or 0. */
MGL_API size_t mgl_result_size(const mgl_result *result, const char *path);
/* Returns the i-th key of an object, from 0, in the order of the document, or NULL. */
MGL_API const char *mgl_result_key(const mgl_result *result, const char *path, size_t i);

#ifdef __cplusplus
}
#endif
#endif
