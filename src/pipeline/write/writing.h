/* Parts of writing: by the engine of a database, into stages, and the watch of persons with several
 * rows. Private to the module. */
#ifndef MGL_PIPELINE_WRITE_WRITING_H
#define MGL_PIPELINE_WRITE_WRITING_H

#include "pipeline/task/task.h"
#include "release/release.h"
#include "pipeline/write/write.h"

/* Like mgl_stage_release where the engine writes. The caller then has the source publish or
 * discard what was written. */
mgl_status mgl_push_release(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                            mgl_written *written, mgl_stage **out);

/* Loads what was staged and verified into the table it is for. */
mgl_status mgl_load_release(const mgl_reading *reading, const mgl_stage *stage, mgl_error *err);

/* The stage of a release: of a file, or of a folder if the job divides it. */
mgl_status mgl_release_stage(const mgl_settings *settings, const char *target, mgl_error *err,
                             mgl_stage **out);
/* Divides a release that is written and verified, if the job asks for it. */
mgl_status mgl_release_divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err);

typedef struct mgl_person_watch mgl_person_watch;

/* inner: optional, a further watch of the rows. Free with mgl_person_watch_free. */
mgl_status mgl_person_watch_new(const mgl_task *task, const mgl_reading *reading,
                                mgl_row_watch inner, mgl_error *err, mgl_person_watch **out);
void mgl_person_watch_free(mgl_person_watch *watch);
mgl_row_watch mgl_person_watch_rows(mgl_person_watch *watch);
/* Warns, after all rows were written, if k counts rows and should count persons. Where no cell
 * passes through, the rows were not seen, and they are read once more. */
mgl_status mgl_person_watch_judge(mgl_person_watch *watch, mgl_error *err, mgl_buffer *warnings);

/* The same where the engine of the source writes. */
mgl_status mgl_persons_ask(const mgl_reading *reading, mgl_error *err, mgl_buffer *warnings);

#endif
