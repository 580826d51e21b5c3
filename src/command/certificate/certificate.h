/* command/certificate: proofs of bounds, saved (--save-proof) and checked (check --proof). */
#ifndef MGL_COMMAND_CERTIFICATE_CERTIFICATE_H
#define MGL_COMMAND_CERTIFICATE_CERTIFICATE_H

#include "findings/findings.h"
#include "proof/proof.h"

/* --save-proof: stages the certificate of the bound, verified, and puts its hash and what it proves
 * into the bound of the result; *out as above. */
mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out);

/* check --proof: does the certificate prove what the result claims? With data also: is it about
 * this table? */
mgl_status mgl_check_proof(mgl_job *job, mgl_error *err, mgl_result **out);

#endif
