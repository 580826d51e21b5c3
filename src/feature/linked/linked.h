/* feature/linked: columns that follow quasi-identifiers (`linked`, `follow`). */
#ifndef MGL_FEATURE_LINKED_H
#define MGL_FEATURE_LINKED_H

#include "findings/findings.h"

extern const mgl_feature_reading mgl_linked_reading;
extern const mgl_feature_release mgl_linked_release;

/* "linked": columns that follow quasi-identifiers. */
void mgl_linked_tell(const mgl_reading *reading, const mgl_written *written, mgl_result *result);

#endif
