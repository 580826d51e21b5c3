/* Memory: where that of a session comes from, and files that are in memory. */
#ifndef MINGLE_MEMORY_H
#define MINGLE_MEMORY_H

#include "mingle/job.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a session's memory comes from. Either all three functions, or none (malloc, realloc,
 * free). They are called from several threads at once; blocks are aligned as those of malloc, NULL
 * says that memory is out. `data` is never NULL, `size` never 0, and the functions must not call
 * the library. What is allocated by one allocator is given back to it, also when results and
 * streams outlive their session: `user` must live as long as these.
 *
 * Outside of it, from malloc, are jobs and what is given to them, the documents of results (and so
 * the texts that mgl_text_free frees), threads, the compression of zstd, and what other libraries
 * keep for themselves: database clients, DuckDB, workbooks, files of statistics programs, YAML,
 * conversion of encodings. */
typedef struct mgl_allocator {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *data, size_t size);
    void (*release)(void *user, void *data);
    void *user;
} mgl_allocator;

/* Wherever a job names a file, "memory:NAME" names something in memory: as an input, what was given
 * to the job under that name; as an output, what the result then has under it. It is never on a
 * disk, also not while it is worked on. The endings of names mean what they mean for files
 * ("memory:table.tsv", "memory:release.csv.gz"); formats that need a file of their own (workbooks,
 * Parquet, files of statistics programs, databases) cannot be in memory. If data or release are in
 * memory, the library writes nothing of them to a disk ("memory", the limit beyond which it does
 * that otherwise, is refused). */

/* Gives bytes to the job, in the place of what it has under that name. They are not copied. When
 * nobody needs them any more (the job, its copies, sessions opened with them), done(user) is called
 * once, on the thread that needed them last; it must not call the library. NULL: the caller keeps
 * them that long. After a failure done is not called. */
MGL_API mgl_status mgl_job_give_bytes(mgl_job *job, const char *name, const void *data, size_t size,
                                      void (*done)(void *user), void *user, mgl_error *err);

/* What was written to "memory:NAME" as bytes: text, a recoding, a part, a result, a page. Borrowed
 * from the result. */
MGL_API mgl_status mgl_result_bytes(const mgl_result *result, const char *name, mgl_error *err,
                                    const void **data, size_t *size);

#ifdef __cplusplus
}
#endif
#endif
