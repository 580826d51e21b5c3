/* What a command found out. */
#ifndef MINGLE_RESULT_H
#define MINGLE_RESULT_H

#include "mingle/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A result does not change: several threads may read one at the same time. */
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
 * without block characters. spell: how a program writes keys that its users know under other names.
 * It is given what a summary has between backquotes ("suppress", "suppressed: keep"), writes up to
 * size bytes and a NUL, and returns 1; 0: it stays what it is. NULL: all do. */
typedef struct mgl_text_style {
    int colour, width, ascii;
    int (*spell)(const char *phrase, char *text, size_t size);
} mgl_text_style;
MGL_API mgl_status mgl_result_text_in(const mgl_result *result, const mgl_text_style *style,
                                      mgl_error *err, char **out);
/* A page for a browser, complete in itself: it loads nothing and runs no script. */
MGL_API mgl_status mgl_result_html(const mgl_result *result, mgl_error *err, char **out);
MGL_API void mgl_text_free(char *text);

/* ---- What stands at a place of a result ------------------------------------ */

/* A path has names with dots between them, and [3] for the fourth item of a list:
 * "utility.precision", "models[0].holds", "[2].method" of a comparison. A name that holds a dot or
 * a bracket is quoted, with its own quotes doubled: columns."a.b". "" is the whole document. Any
 * path may be asked for: where there is nothing of the kind asked for, the getter says so. The keys
 * are those that mgl_result_json writes. */
typedef enum mgl_kind {
    MGL_KIND_NONE, /* there is no such place */
    MGL_KIND_NULL, /* there is, and it says that nothing is known */
    MGL_KIND_BOOL,
    MGL_KIND_NUMBER,
    MGL_KIND_TEXT,
    MGL_KIND_LIST,
    MGL_KIND_OBJECT
} mgl_kind;
MGL_API mgl_kind mgl_result_kind(const mgl_result *result, const char *path);
/* NAN: there is no number. */
MGL_API double mgl_result_number(const mgl_result *result, const char *path);
/* 1: *out is the number; 0: there is none, it is not whole or too large, and *out stays. */
MGL_API int mgl_result_whole(const mgl_result *result, const char *path, int64_t *out);
/* 1, 0; -1: there is neither true nor false. */
MGL_API int mgl_result_flag(const mgl_result *result, const char *path);
/* NULL: there is no text. Borrowed from the result, as are keys. */
MGL_API const char *mgl_result_string(const mgl_result *result, const char *path);
/* Items of a list, keys of an object; 0: there is neither. */
MGL_API size_t mgl_result_size(const mgl_result *result, const char *path);
/* The i-th key of an object, from 0, in the order of the document; NULL: there is none. */
MGL_API const char *mgl_result_key(const mgl_result *result, const char *path, size_t i);

#ifdef __cplusplus
}
#endif
#endif
