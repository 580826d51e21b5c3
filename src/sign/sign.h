/* sign: Ed25519 signatures (RFC 8032) by keys in PEM files. */
#ifndef MGL_SIGN_H
#define MGL_SIGN_H

#include "base/base.h"

enum { MGL_SIGNATURE = 64 }; /* bytes */
/* Ed25519, with keys in PEM files. MGL_USAGE if the program was built without it, MGL_DATA if the
 * file is not such a key. */
mgl_status mgl_signature_make(const char *key_file, mgl_span data, mgl_error *err,
                              unsigned char out[MGL_SIGNATURE]);
mgl_status mgl_signature_check(const char *key_file, mgl_span data, mgl_span signature,
                               mgl_error *err, bool *out);
bool mgl_signatures_known(void);

#endif
