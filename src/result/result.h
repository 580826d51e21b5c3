/* result: what a command found. A result is its JSON document, built up by the facade and read by
 * the report, so that a result read back from a file is as good as a fresh one. The document of a
 * comparison is a list of such documents. */
#ifndef MGL_RESULT_H
#define MGL_RESULT_H

#include "base/base.h"

#include <jansson.h>

struct mgl_result {
    json_t *document;
    json_t *resolved;        /* what a saved job has beside its own values; optional */
    bool holds;              /* every model the job named holds; of a list: in one of its results */
    mgl_memory_store made;   /* what was written to memory */
    mgl_allocator allocator; /* that the result came from */
};

/* The first value of results: counts before and after, bounds and measures are about rows that the
 * release does not show. */
#define MGL_CONFIDENTIAL                                                                           \
    "for the holder of the data; with the release it can give suppressed rows back (a recipient "  \
    "gets the statement)"

/* Without a document; NULL when memory is out. Free with mgl_result_free. */
mgl_result *mgl_result_alloc(void);
/* Starts with "confidential", "mingle", "schema" and "command". Free with mgl_result_free. */
mgl_status mgl_result_new(const char *command, mgl_error *err, mgl_result **out);

/* An empty list of results; mgl_result_complete wants at least one in it. Free with
 * mgl_result_free. */
mgl_status mgl_result_new_list(mgl_error *err, mgl_result **out);
/* Puts a result at the end of a list and frees it. */
void mgl_result_append(mgl_result *list, mgl_result *result);

/* A number; null if it is not finite. Whole numbers print without a fraction where they
 * are counts: use mgl_json_count for these. */
json_t *mgl_json_real(double value);
json_t *mgl_json_count(uint64_t value);
/* A text, also an empty one without a place; of a buffer, which is freed. */
json_t *mgl_json_span(mgl_span text);
json_t *mgl_json_take(mgl_buffer *text);

/* Sets a key and takes ownership of the value: call it last, when the value is complete. If memory
 * is out (value may be NULL then) the object is emptied and marked, so that nothing half true is
 * reported; mgl_json_complete is then false for it and for everything it is in. */
void mgl_json_set(json_t *object, const char *key, json_t *value);
void mgl_json_append(json_t *array, json_t *value);
bool mgl_json_complete(const json_t *value);
/* The text of a document that is complete, as files have it. Free with mgl_free. */
mgl_status mgl_json_write(const json_t *document, mgl_error *err, char **out);
/* Why a document could not be read: the text is not to blame. */
bool mgl_json_lacks_memory(const json_error_t *error);

/* The value of a key: a number of either kind, NAN if there is none; a whole number, 0 if there is
 * none or it is negative; a text, NULL if there is none. */
double mgl_json_number(const json_t *object, const char *key);
uint64_t mgl_json_whole(const json_t *object, const char *key);
/* Is the value of the key a number? */
bool mgl_json_is_number(const json_t *object, const char *key);
const char *mgl_json_text(const json_t *object, const char *key);
/* Is the value of the key this text? */
bool mgl_json_is(const json_t *object, const char *key, const char *text);
/* The first object of the list whose "column" is this one; NULL if there is none, or no column. */
const json_t *mgl_json_of_column(const json_t *list, const char *column);
/* How many objects of the list have true under the key. */
size_t mgl_json_count_true(const json_t *list, const char *key);
/* The value at keys with dots between them, "figures.before.risk"; NULL if there is none. */
json_t *mgl_json_at(const json_t *object, const char *path);

/* Reads what --result wrote; "-" is standard input. MGL_DATA if it is no result. Free with
 * mgl_result_free. */
mgl_status mgl_result_read(const char *path, mgl_error *err, mgl_result **out);

/* The same, and the bytes that it was read from. Free these with mgl_buffer_free, also on failure.
 */
mgl_status mgl_result_read_bytes(const char *path, mgl_error *err, mgl_result **out,
                                 mgl_buffer *bytes);

void mgl_result_warn(mgl_result *result, const char *code, const char *format, ...)
    MGL_PRINTF(3, 4);

/* MGL_SYSTEM if memory ran out while the document was made. */
mgl_status mgl_result_complete(const mgl_result *result, mgl_error *err);

#endif
