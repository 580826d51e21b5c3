/* A certificate compared with a result and with a table. Inside the room only. */
#ifndef MGL_COMMAND_CERTIFICATE_COMPARISON_H
#define MGL_COMMAND_CERTIFICATE_COMPARISON_H

#include "command/certificate/certificate.h"

typedef struct mgl_proof_comparison {
    const mgl_proof *proof;
    const json_t *claimed; /* the result */
    json_t *differences, *not_compared;
} mgl_proof_comparison;

/* Notes that a result claims something else than is found; takes ownership of both values. */
void mgl_proof_differ(mgl_proof_comparison *c, const char *what, json_t *claimed, json_t *found);

/* settings: of the job that the result tells. sha256: of the certificate. proved: the bound. */
void mgl_proof_compare_result(mgl_proof_comparison *c, const mgl_settings *settings,
                              const char *sha256, double proved);
/* Reads the table that the settings name. */
mgl_status mgl_proof_compare_table(mgl_proof_comparison *c, mgl_session *session,
                                   const mgl_settings *settings, mgl_error *err);

#endif
