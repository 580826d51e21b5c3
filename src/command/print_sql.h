/* The SQL of a job whose table lies in another engine. */
#ifndef MGL_COMMAND_PRINT_SQL_H
#define MGL_COMMAND_PRINT_SQL_H

#include "command/command.h"

/* Reads no table; the result has the statements. */
mgl_status mgl_print_sql(const mgl_settings *settings, mgl_error *err, mgl_result **out);

#endif
