/* Reading the values of a certificate. Inside the room only. */
#ifndef MGL_PROOF_READER_H
#define MGL_PROOF_READER_H

#include "proof/proof.h"

#include <jansson.h>

typedef struct mgl_proof_reader {
    const char *path;
    mgl_error *err;
    mgl_proof *proof;
} mgl_proof_reader;

/* MGL_DATA: the proof is damaged, and how. */
mgl_status mgl_proof_wrong(const mgl_proof_reader *r, const char *what);
/* Memory that lives as long as the proof; NULL: there is none. */
void *mgl_proof_room(const mgl_proof_reader *r, size_t n, size_t size);

/* A whole number from least to most; one from 0 on, below another; a list with so many items. */
mgl_status mgl_proof_take_whole(const mgl_proof_reader *r, const json_t *value, uint64_t least,
                                uint64_t most, const char *what, uint64_t *out);
mgl_status mgl_proof_take_number(const mgl_proof_reader *r, const json_t *value, uint32_t below,
                                 const char *what, uint32_t *out);
mgl_status mgl_proof_take_list(const mgl_proof_reader *r, const json_t *value, size_t least,
                               const char *what, size_t *n);

/* The steps of a better bound; NULL: there are none. */
mgl_status mgl_proof_read_exact(const mgl_proof_reader *r, const json_t *exact);

#endif
