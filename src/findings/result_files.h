/* The files that a run writes besides its release, and the measures that reports view. */
#ifndef MGL_FINDINGS_RESULT_FILES_H
#define MGL_FINDINGS_RESULT_FILES_H

#include "job/job.h"
#include "release/release.h"
#include "report/report.h"
#include "result/result.h"

/* "about": title, purpose, recipient, author and date, as far as the job gives them. */
void mgl_result_add_about(mgl_result *result, const mgl_settings *settings);

/* The files of --result, --report, --junit and --save-job, as far as the job asks for them. */
typedef struct mgl_result_files {
    mgl_stage *result, *signature, *report, *junit, *job; /* NULL: not asked for */
} mgl_result_files;

/* Completes the document and stages the files. MGL_SYSTEM if memory ran out while the document was
 * made. Free with mgl_result_files_free, also on failure. */
mgl_status mgl_result_stage(mgl_result *result, const mgl_settings *settings, mgl_error *err,
                            mgl_result_files *out);
mgl_status mgl_result_publish(mgl_result_files *files, mgl_error *err);
void mgl_result_files_free(mgl_result_files *files);

/* Completes the document and writes the files that were asked for. */
mgl_status mgl_result_finish(mgl_result *result, const mgl_settings *settings, mgl_error *err);

mgl_measure_view_fn mgl_measure_view_at;

#endif
