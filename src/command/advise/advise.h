/* command/advise: risk --advise proposes a role and a hierarchy for every column, and a job. */
#ifndef MGL_COMMAND_ADVISE_ADVISE_H
#define MGL_COMMAND_ADVISE_ADVISE_H

#include "pipeline/pipeline.h"
#include "result/result.h"

mgl_status mgl_advise_table(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                            mgl_result **out);

#endif
