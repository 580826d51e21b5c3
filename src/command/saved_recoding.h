/* Saves recodings (--save-recoding). Within the module only. */
#ifndef MGL_COMMAND_SAVED_RECODING_H
#define MGL_COMMAND_SAVED_RECODING_H

#include "findings/findings.h"

/* Stages the recoding if the job asks for it, else *out is NULL. The caller publishes and frees
 * *out. */
mgl_status mgl_save_recoding(const mgl_outcome *outcome, mgl_error *err, mgl_stage **out);

#endif
