/* --save-proof: writes what a bound rests on to a file that anybody can check who may see the
 * table. `anonymize` calls it. */
#include "command/certificate/proof_of_task.h"
#include <stdlib.h>

/* Nothing is written that the verifier, which everybody else can run, does not accept. */
static mgl_status verify(const mgl_proof *proof, const mgl_settings *settings, mgl_error *err,
                         double *proved)
{
    mgl_proof_verdict verdict;
    mgl_status status = mgl_proof_verify(proof, &settings->progress, err, &verdict);
    *proved = verdict.proved;
    if (status == MGL_OK && !verdict.holds)
        status =
            mgl_fail(err, MGL_CODE_INTERNAL,
                     "the bound is not proved: prices are too high in %llu boxes and %llu classes; "
                     "nothing was written; please report this",
                     (unsigned long long)(verdict.bargains + verdict.too_dear),
                     (unsigned long long)verdict.overpriced);
    mgl_buffer_free(&verdict.example);
    return status;
}

/* A search that divides few tuples in all ways leaves no steps, because the check can do the same.
 */
static mgl_status divide_few(const mgl_solution *solution, const mgl_settings *settings,
                             mgl_error *err, mgl_proof *proof, mgl_proof_exact *few, double *proved)
{
    bool found;
    if (mgl_proof_supports(proof, *proved, solution->best_possible))
        return MGL_OK;
    MGL_TRY(
        mgl_proof_divide(proof, solution->best_possible, &settings->progress, err, &found, few));
    if (!found)
        return MGL_OK;
    proof->exact = few;
    return verify(proof, settings, err, proved);
}

static void tell(json_t *document, const mgl_buffer *file, double proved)
{
    char sha256[MGL_SHA256_TEXT];
    mgl_sha256 hash;
    json_t *proof = json_object();
    mgl_sha256_begin(&hash);
    mgl_sha256_add(&hash, file->data, file->size);
    mgl_sha256_end(&hash, sha256);
    mgl_json_set(proof, "sha256", json_string(sha256));
    mgl_json_set(proof, "proves", mgl_json_real(proved));
    mgl_json_set(json_object_get(document, "bound"), "proof", proof);
}

static mgl_status save(const mgl_outcome *outcome, mgl_arena *arena, mgl_buffer *file,
                       mgl_error *err, mgl_result *result, mgl_stage **out)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_solution *solution = outcome->solution;
    const mgl_bound_prices *bound = mgl_solution_prices(solution);
    mgl_proof proof;
    mgl_proof_exact few;
    double proved;
    MGL_TRY(mgl_proof_of_task(outcome->task, arena, err, &proof));
    const json_t *audit = json_object_get(result->document, "audit");
    proof.method = outcome->method->name;
    proof.input = mgl_json_text(json_object_get(audit, "input"), "sha256");
    for (size_t t = 0; t < proof.n_tuples; t++)
        proof.prices[t] = mgl_proof_price(&proof, (double)bound->prices[t] * bound->unit);
    MGL_TRY(mgl_proof_take_steps(outcome->task, &bound->steps, arena, err, &proof));
    MGL_TRY(verify(&proof, settings, err, &proved));
    MGL_TRY(divide_few(solution, settings, err, &proof, &few, &proved));
    MGL_TRY(mgl_proof_write(&proof, err, file));
    tell(result->document, file, proved);
    return mgl_stage_text(settings->saved.proof, (mgl_span){file->data, file->size}, err, out);
}

mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out)
{
    const char *path = outcome->reading->settings->saved.proof;
    *out = NULL;
    if (path == NULL)
        return MGL_OK;
    if (mgl_solution_prices(outcome->solution) == NULL)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "`save-proof`: %s does not prove its bound by prices; leave it out, or use "
                     "`method: cell`",
                     outcome->method->name),
            "save-proof");
    if (!mgl_proof_knows_measure(outcome->task->problem.measure->key))
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "`save-proof`: what %s costs is unknown to those who check proofs; leave it "
                     "out, or use `utility: precision`",
                     outcome->task->problem.measure->name),
            "save-proof");
    mgl_arena *arena = mgl_arena_new();
    mgl_buffer file = {0};
    mgl_status status =
        arena == NULL ? mgl_fail_memory(err) : save(outcome, arena, &file, err, result, out);
    mgl_buffer_free(&file);
    mgl_arena_free(arena);
    return status;
}
