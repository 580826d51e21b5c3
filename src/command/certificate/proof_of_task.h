/* What making and checking certificates share. Inside the room only. */
#ifndef MGL_COMMAND_CERTIFICATE_PROOF_OF_TASK_H
#define MGL_COMMAND_CERTIFICATE_PROOF_OF_TASK_H

#include "command/certificate/certificate.h"

/* A certificate of the task without prices and without the hash of the table: its columns, models
 * and tuples. Everything in it is the arena's or the task's. */
mgl_status mgl_proof_of_task(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                             mgl_proof *out);

/* As results and certificates name it. */
const char *mgl_proof_treatment(mgl_treatment treatment);

/* Does a certificate rest on the model? */
bool mgl_proof_uses(const mgl_model *model);

/* The steps of a search, if the certificate can have them. */
mgl_status mgl_proof_take_steps(const mgl_task *task, const mgl_bound_steps *steps,
                                mgl_arena *arena, mgl_error *err, mgl_proof *out);

#endif
