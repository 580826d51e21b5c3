/* A job and the command that demands something of it. Private to the module. */
#ifndef MGL_JOB_SETTINGS_CHECKED_JOB_H
#define MGL_JOB_SETTINGS_CHECKED_JOB_H

#include "job/settings/settings.h"

typedef struct mgl_checked_job {
    const mgl_job *job;
    const mgl_settings *settings;
    mgl_command command;
    mgl_error *err;
} mgl_checked_job;

/* The text as it is, blamed on the key. */
mgl_status mgl_checked_fail(const mgl_checked_job *checked, mgl_code code, const char *key,
                            const char *text);

/* The roles and fields of columns, and keys about rows. */
mgl_status mgl_check_columns(const mgl_checked_job *checked);

#endif
