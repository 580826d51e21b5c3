/* feature/treat: columns that are treated before anything is counted (`treat`). */
#ifndef MGL_FEATURE_TREAT_H
#define MGL_FEATURE_TREAT_H

#include "findings/findings.h"

extern const mgl_feature_reading mgl_treat_reading;
extern const mgl_feature_release mgl_treat_release;

/* "treatments": what was done to columns that are treated. */
void mgl_treatments_tell(const mgl_reading *reading, const mgl_written *written,
                         mgl_result *result);

#endif
