/* Inside the command room: the settings of a job whose table is read. */
#ifndef MGL_COMMAND_TABLE_FIRST_H
#define MGL_COMMAND_TABLE_FIRST_H

#include "pipeline/pipeline.h"

/* The settings of the job (mgl_job_settings). Of a job that lacks a key and names a table that
 * cannot be opened, the table is told. */
mgl_status mgl_settings_table_first(const mgl_session *session, mgl_job *job, mgl_command command,
                                    mgl_error *err, const mgl_settings **out);

#endif
