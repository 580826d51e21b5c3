/* command/certificate: proofs of bounds, saved (--save-proof) and checked (check --proof). */
#ifndef MGL_COMMAND_CERTIFICATE_CERTIFICATE_H
#define MGL_COMMAND_CERTIFICATE_CERTIFICATE_H

#include "findings/findings.h"
#include "proof/proof.h"

/* --save-proof: stages the verified certificate of the bound, and puts its hash and what it proves
 * into the bound of the result. *out is NULL if the job does not ask for it; the caller publishes
 * and frees it. */
mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out);

/* check --proof: does the certificate prove what the result claims? If data is named: is it about
 * this table? */
mgl_status mgl_check_proof(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out);

#endif
