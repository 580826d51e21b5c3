/* Tables in memory: the Arrow C data and stream interfaces, with which programs hand each other
 * tables without copying them (https://arrow.apache.org/docs/format/CDataInterface.html). */
#ifndef MINGLE_ARROW_H
#define MINGLE_ARROW_H

#include "mingle/job.h"
#include "mingle/result.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* As the specification has them; other headers may have declared them already. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    /* Array type description */
    const char *format;
    const char *name;
    const char *metadata;
    int64_t flags;
    int64_t n_children;
    struct ArrowSchema **children;
    struct ArrowSchema *dictionary;

    /* Release callback */
    void (*release)(struct ArrowSchema *);
    /* Opaque producer-specific data */
    void *private_data;
};

struct ArrowArray {
    /* Array data description */
    int64_t length;
    int64_t null_count;
    int64_t offset;
    int64_t n_buffers;
    int64_t n_children;
    const void **buffers;
    struct ArrowArray **children;
    struct ArrowArray *dictionary;

    /* Release callback */
    void (*release)(struct ArrowArray *);
    /* Opaque producer-specific data */
    void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
    /* Callbacks providing stream functionality */
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);

    /* Release callback */
    void (*release)(struct ArrowArrayStream *);
    /* Opaque producer-specific data */
    void *private_data;
};

#endif

/* Gives a table to the job, in the place of what it has under that name. "memory:NAME" then names
 * it wherever a job names a table: data, a population, another table, a release to check, a
 * hierarchy (a row for each value, from the value to the top, no header). The stream is read to its
 * end, checked and released here, also if that fails; *stream is released afterwards. The buffers
 * are not copied: the producer's arrays are released when nobody needs the table any more (the job,
 * its copies, sessions opened with them, streams that share buffers with it), on the thread that
 * needed it last. docs/arrow.md says which types are taken, and how their cells read. */
MGL_API mgl_status mgl_job_give_stream(mgl_job *job, const char *name,
                                       struct ArrowArrayStream *stream, mgl_error *err);

/* A stream of the table that was written to "memory:NAME", a name without an ending of a format
 * ("release", not "release.csv"). Quasi-identifiers are dictionary-encoded texts, indexed by the
 * narrowest signed integers; null is missing. All other columns have the type that they had in the
 * data, and text if the data was no Arrow table; metadata is not passed on. As many streams as
 * wanted: each has all rows, and lives on after the result, its job and its session. Their
 * callbacks may be called on any thread, those of one stream by one at a time. */
MGL_API mgl_status mgl_result_stream(const mgl_result *result, const char *name, mgl_error *err,
                                     struct ArrowArrayStream *out);

#ifdef __cplusplus
}
#endif

#endif
