/* What check finds, for those who test it. Within the module only. */
#ifndef MGL_COMMAND_CHECK_H
#define MGL_COMMAND_CHECK_H

#include "command/run_command.h"

/* Measures the models of the job on the table as it is (mgl_fill_fn). */
mgl_status mgl_check_table(const mgl_setup *setup, mgl_error *err, mgl_result *result);

#endif
