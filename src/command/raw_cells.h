/* Results that hold cells of the table. Inside the room only. */
#ifndef MGL_COMMAND_RAW_CELLS_H
#define MGL_COMMAND_RAW_CELLS_H

#include "job/job.h"

/* MGL_USAGE if such a result is to be written to a file. */
mgl_status mgl_refuse_result_files(const mgl_settings *settings, mgl_error *err);

#endif
