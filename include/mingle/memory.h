/* Memory: files that are in memory, and allocators.
 *
 *     mgl_job_give_bytes(job, "patients.csv", text, size, NULL, NULL, &err);
 *     mgl_job_set(job, "data", "memory:patients.csv", &err);
 *     mgl_job_set(job, "output", "memory:release.csv", &err);
 *     mgl_job_run(job, "anonymize", &err, &result);
 *     mgl_result_bytes(result, "release.csv", &err, &data, &size);
 */
#ifndef MINGLE_MEMORY_H
#define MINGLE_MEMORY_H

#include "mingle/job.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Wherever a job names a file, "memory:NAME" names something in memory: as an input, what was given
 * to the job under that name; as an output, what the result then has under it. It is never on a
 * disk, also not while it is worked on. Endings of names mean what they mean for files
 * ("memory:table.tsv", "memory:release.csv.gz"); formats that need a file of their own (workbooks,
 * Parquet, files of statistics programs, databases) cannot be in memory. If data or release are in
 * memory, the library writes nothing of them to a disk; the key "memory", a limit beyond which it
 * would, is then refused. */

/* Gives bytes to the job; those it has under that name are replaced. They are not copied: `done` is
 * called with `user` once, on the thread that released the last reference (the job, its copies,
 * sessions opened with them), and must not call the library. done NULL: the caller keeps the bytes
 * until then. After a failure done is not called. */
MGL_API mgl_status mgl_job_give_bytes(mgl_job *job, const char *name, const void *data, size_t size,
                                      void (*done)(void *user), void *user, mgl_error *err);

/* Finds what was written to "memory:NAME" as bytes: text, a recoding, a part, a result, a page. The
 * bytes belong to the result. */
MGL_API mgl_status mgl_result_bytes(const mgl_result *result, const char *name, mgl_error *err,
                                    const void **data, size_t *size);

/* Where the memory of a session comes from: either all three functions, or none (malloc, realloc,
 * free). `data` is never NULL and `size` never 0; blocks are aligned as those of malloc; NULL means
 * that memory is out. Threads: called from several at once, and must not call the library. A block
 * goes back to the allocator it came from, also if a result or stream outlives its session: `user`
 * must live as long as these.
 *
 * Outside of it, from malloc, are jobs and what is given to them, the documents of results (and so
 * the texts for mgl_text_free), threads, the compression of zstd, and what other libraries
 * allocate: database clients, DuckDB, workbooks, files of statistics programs, YAML, conversion of
 * encodings.
 */
typedef struct mgl_allocator {
    void *(*allocate)(void *user, size_t size);
    void *(*reallocate)(void *user, void *data, size_t size);
    void (*release)(void *user, void *data);
    void *user;
} mgl_allocator;

#ifdef __cplusplus
}
#endif
#endif
