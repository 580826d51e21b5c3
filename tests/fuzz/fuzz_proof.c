/* Certificates: any text is read or refused with a message, and what is read is verified without a
 * fault, written again, and read as the same. */
#include "fuzz.h"

#include "proof/proof.h"

/* The check of a few columns and steps is soon done, whatever is in them. */
static bool is_small(const mgl_proof *p)
{
    return p->n_columns <= 4 && p->n_tuples <= 12 && (p->exact == NULL || p->exact->n_steps <= 100);
}

static void check(const mgl_proof *proof)
{
    mgl_proof_verdict verdict;
    mgl_error err = {0};
    mgl_status status = mgl_proof_verify(proof, NULL, &err, &verdict);
    REQUIRE(status == MGL_OK || err.message[0] != '\0');
    mgl_buffer_free(&verdict.example);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_error err = {0};
    mgl_proof *proof, *again;
    mgl_buffer file = {0};
    fuzz_enter_folder();
    fuzz_write("proof.json", data, size);
    mgl_status status = mgl_proof_read("proof.json", &err, &proof);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return 0;
    if (is_small(proof))
        check(proof);
    REQUIRE(mgl_proof_write(proof, &err, &file) == MGL_OK);
    fuzz_write("again.json", file.data, file.size);
    REQUIRE(mgl_proof_read("again.json", &err, &again) == MGL_OK);
    REQUIRE(again->n_tuples == proof->n_tuples && again->n_columns == proof->n_columns);
    mgl_proof_free(again);
    mgl_proof_free(proof);
    mgl_buffer_free(&file);
    return 0;
}
