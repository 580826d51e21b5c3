/* Persons with several rows, while a release is written. Private to the module. */
#ifndef MGL_PIPELINE_WRITE_PERSON_WATCH_H
#define MGL_PIPELINE_WRITE_PERSON_WATCH_H

#include "pipeline/task/task.h"
#include "release/release.h"

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
