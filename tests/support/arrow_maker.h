/* A producer of Arrow tables for tests. Every buffer is an allocation of its own, so that the
 * sanitizers see who reads beyond it, and every release is counted: one that is called twice, or on
 * something that was moved away, ends the program. Tests may put anything into the fields of what
 * was made: what is freed is known elsewhere. */
#ifndef MGL_TESTS_ARROW_MAKER_H
#define MGL_TESTS_ARROW_MAKER_H

#include "mingle/arrow.h"

#include <stddef.h>

/* What is there and was not released. All zero at first; must outlive what is made. */
typedef struct arrow_maker {
    long schemas, arrays, streams;
} arrow_maker;

/* A schema without children. Children, and the dictionary, are made in place and belong to it. */
void made_schema(arrow_maker *maker, const char *format, const char *name, struct ArrowSchema *out);
struct ArrowSchema *made_schema_child(struct ArrowSchema *schema, const char *format,
                                      const char *name);
struct ArrowSchema *made_schema_dictionary(struct ArrowSchema *schema, const char *format);

/* An array with so many buffers, all NULL. Children, and the dictionary, as above. */
void made_array(arrow_maker *maker, int64_t length, int64_t n_buffers, struct ArrowArray *out);
struct ArrowArray *made_child(struct ArrowArray *array, int64_t length, int64_t n_buffers);
struct ArrowArray *made_dictionary(struct ArrowArray *array, int64_t length, int64_t n_buffers);
/* The i-th buffer becomes a copy of the bytes. */
void made_buffer(struct ArrowArray *array, size_t i, const void *data, size_t size);
/* The bitmap, as text: "1101" has one null. */
void made_valid(struct ArrowArray *array, const char *bits);
/* Bits of a buffer in the same way. */
void made_bits(struct ArrowArray *array, size_t i, const char *bits);

/* A whole table: a struct without rows so far, then batches with children. */
void made_table(arrow_maker *maker, struct ArrowSchema *out);
void made_batch(arrow_maker *maker, int64_t length, struct ArrowArray *out);

/* Texts, NULL for null, as utf8 (4), large utf8 (8) or views (16, long ones in one piece). */
struct ArrowArray *made_texts(struct ArrowArray *batch, const char *const *texts, size_t n,
                              unsigned width);
/* Numbers of this many bytes. valid NULL: no cell is null. */
struct ArrowArray *made_numbers(struct ArrowArray *batch, const void *values, size_t n,
                                unsigned width, const char *valid);
/* Fills an array that is there already, such as a dictionary, with texts. */
void made_fill_texts(struct ArrowArray *array, const char *const *texts, size_t n, unsigned width);

/* Moves schema and batches into a stream. fails_at: the number of the batch that get_next fails at
 * with a message, -1 for none, -2: get_schema fails. */
void made_stream(arrow_maker *maker, struct ArrowSchema *schema, struct ArrowArray *batches,
                 size_t n, int fails_at, struct ArrowArrayStream *out);

#endif
