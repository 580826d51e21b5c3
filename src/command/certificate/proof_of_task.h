/* A task described as a certificate does, for making and for checking one. Within the module only.
 */
#ifndef MGL_COMMAND_CERTIFICATE_PROOF_OF_TASK_H
#define MGL_COMMAND_CERTIFICATE_PROOF_OF_TASK_H

#include "command/certificate/certificate.h"

/* Describes columns, models and tuples of the task; prices and the hash of the table are left out.
 * The arena and the task own everything in it. */
mgl_status mgl_proof_of_task(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                             mgl_proof *out);

/* The treatment of suppressed rows, as results and certificates name it. */
const char *mgl_proof_treatment(mgl_treatment treatment);

#endif
