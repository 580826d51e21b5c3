/* Arrow: tables in memory by the Arrow C data and stream interfaces, which pass tables between
 * programs without copying (https://arrow.apache.org/docs/format/CDataInterface.html).
 *
 *     mgl_job_give_stream(job, "patients", &stream, &err);
 *     mgl_job_set(job, "data", "memory:patients", &err);
 *     mgl_job_set(job, "output", "memory:release", &err);
 *     mgl_job_run(job, "anonymize", &err, &result);
 *     mgl_result_stream(result, "release", &err, &stream);
 */
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

/* Gives a table to the job; one that it has under that name is replaced. "memory:NAME" then names
 * it wherever a job names a table: data, a population, another table, a release to check, a
 * hierarchy (a row for each value, from the value to the top, no header). The stream is read to its
 * end, checked and released here, also if that fails; *stream is released afterwards. The buffers
 * are not copied: the producer's arrays are released with the last reference to the table (the job,
 * its copies, sessions opened with them, streams that share buffers with it), on the thread that
 * releases it. docs/arrow.md says which types are taken, and how their cells read. */
MGL_API mgl_status mgl_job_give_stream(mgl_job *job, const char *name,
                                       struct ArrowArrayStream *stream, mgl_error *err);

/* Opens a stream of the table that was written to "memory:NAME", a name without an ending of a
 * format
 * ("release", not "release.csv"). Quasi-identifiers are dictionary-encoded texts, indexed by the
 * narrowest signed integers; null is missing. All other columns have the type that they had in the
 * data, and text if the data was no Arrow table; metadata is not passed on. There may be any
 * number of streams; each has all rows, and outlives the result, its job and its session. The
 * caller releases each. Threads: callbacks of different streams may run at the same time, those of
 * one stream one after the other. */
MGL_API mgl_status mgl_result_stream(const mgl_result *result, const char *name, mgl_error *err,
                                     struct ArrowArrayStream *out);

#ifdef __cplusplus
}
#endif

#endif
