/* check --proof: verifies a certificate, and has it compared with the result whose bound it proves
 * (proof_and_result.c) and, where data is named, with the table it is about (proof_and_table.c).
 * command/check.c hands over to it. */
#include "command/certificate/comparison.h"

#include <math.h>

/* ---- The job of the result ----------------------------------------------------------------- */

/* Is it something that a certificate says as well, or that is needed to read the table again? */
static bool is_taken(const mgl_said *said)
{
    static const char *const keys[] = {
        "role",     "hierarchy",  "weight",    "level",    "kind",      "protect",
        "missing",  "decimal",    "century",   "encoding", "trim",      "fold-case",
        "suppress", "suppressed", "delimiter", "header",   "no-header", "utility"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(said->key, keys[i]) == 0)
            return true;
    return mgl_model_type_find(said->key) != NULL;
}

static mgl_status take_claimed(void *job, const mgl_said *said, mgl_error *err)
{
    return is_taken(said) ? mgl_job_take_value(job, said->key, said->column, said->value, err)
                          : MGL_OK;
}

/* Hierarchies may lie elsewhere now, and a result keeps no protected values. */
static mgl_status take_told(void *job, const mgl_said *said, mgl_error *err)
{
    static const char *const keys[] = {"data", "hierarchy", "protect"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (strcmp(said->key, keys[i]) == 0)
            return mgl_job_take_value(job, said->key, said->column, said->value, err);
    return MGL_OK;
}

/* A job that would find the nodes of the same table. Free with mgl_job_free. */
static mgl_status make_job(const mgl_job *told, const json_t *claimed, mgl_error *err,
                           mgl_job **out)
{
    json_t *document = NULL;
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_document(told, MGL_JOB_SECRET, NULL, err, &document));
    MGL_GO(mgl_job_document_each(document, take_told, job, err));
    MGL_GO(mgl_job_take_value(job, "data", NULL, "-", err)); /* has no effect if data is named */
    MGL_GO(mgl_job_document_each(json_object_get(json_object_get(claimed, "audit"), "job"),
                                 take_claimed, job, err));
    *out = job;
    job = NULL;
done:
    json_decref(document);
    mgl_job_free(job);
    return status;
}

static const char *judge(const mgl_proof_comparison *c, const mgl_proof_verdict *verdict,
                         bool *reaches)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    double best = mgl_json_number(bound, "best_possible");
    *reaches = isfinite(best) && mgl_proof_supports(c->proof, verdict->proved, best);
    return !verdict->holds                       ? "fails"
           : json_array_size(c->differences) > 0 ? "differs"
           : !*reaches                           ? "weaker"
                                                 : "holds";
}

/* Refuses the release in the place of the table. */
static mgl_status refuse_release(const char *data, const json_t *claimed, mgl_error *err)
{
    const json_t *audit = json_object_get(claimed, "audit");
    const char *known = mgl_json_text(json_object_get(audit, "release"), "sha256");
    const char *input = mgl_json_text(json_object_get(audit, "input"), "sha256");
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    bool differ = known != NULL && (input == NULL || strcmp(input, known) != 0);
    int fd = differ ? mgl_sys_open_read(data) : -1;
    if (fd < 0)
        return MGL_OK; /* reading it says what is wrong with it */
    mgl_status status = mgl_sha256_of_file(fd, data, err, sha256, &bytes);
    mgl_sys_close(fd);
    if (status == MGL_OK && strcmp(sha256, known) == 0)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_CONFLICT,
                     "%.200s is the release; a proof is about the table that was anonymized: "
                     "name that, or no data, and check the release without `proof`",
                     data),
            "proof");
    return status;
}

/* ---- All of it ----------------------------------------------------------------------------- */

static mgl_status hash_file(const char *path, mgl_error *err, char sha256[MGL_SHA256_TEXT])
{
    uint64_t bytes;
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return mgl_fail_errno(err, path, "open");
    mgl_status status = mgl_sha256_of_file(fd, path, err, sha256, &bytes);
    mgl_sys_close(fd);
    return status;
}

static json_t *proof_json(const mgl_proof_comparison *c, const mgl_settings *settings,
                          const mgl_proof_verdict *verdict, const char *sha256)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    json_t *object = json_object();
    bool reaches;
    const char *words = judge(c, verdict, &reaches);
    mgl_json_set(object, "file", json_string(settings->claimed.proof));
    mgl_json_set(object, "sha256", json_string(sha256));
    mgl_json_set(object, "result", json_string(settings->claimed.against));
    mgl_json_set(object, "data",
                 settings->data != NULL ? mgl_location_json(settings->data) : json_null());
    mgl_json_set(object, "verdict", json_string(words));
    mgl_json_set(object, "measure", json_string(c->proof->measure));
    mgl_json_set(object, "proved", verdict->holds ? mgl_json_real(verdict->proved) : json_null());
    mgl_json_set(object, "claimed", mgl_json_real(mgl_json_number(bound, "best_possible")));
    mgl_json_set(object, "achieved", mgl_json_real(mgl_json_number(bound, "achieved")));
    mgl_json_set(object, "rises", json_boolean(mgl_proof_rises(c->proof)));
    mgl_json_set(object, "rows", mgl_json_count(c->proof->n_rows));
    mgl_json_set(object, "tuples", mgl_json_count(c->proof->n_tuples));
    mgl_json_set(object, "boxes", mgl_json_count(verdict->boxes));
    mgl_json_set(object, "too_cheap", mgl_json_count(verdict->bargains));
    mgl_json_set(object, "too_dear", mgl_json_count(verdict->too_dear));
    if (c->proof->exact != NULL) {
        const mgl_proof_exact *exact = c->proof->exact;
        mgl_json_set(object, "exact", json_string(exact->sets ? "sets" : "steps"));
        mgl_json_set(object, "steps", mgl_json_count(exact->n_steps));
        mgl_json_set(object, "classes", mgl_json_count(verdict->classes));
        mgl_json_set(object, "overpriced", mgl_json_count(verdict->overpriced));
        mgl_json_set(object, "steps_suffice", json_boolean(!verdict->open));
    }
    mgl_json_set(object, "differences", json_incref(c->differences));
    mgl_json_set(object, "not_compared", json_incref(c->not_compared));
    return object;
}

static void warn(mgl_result *result, const mgl_proof_comparison *c, const mgl_settings *settings,
                 const mgl_proof_verdict *verdict)
{
    for (size_t i = 0; i < json_array_size(c->differences); i++) {
        const json_t *difference = json_array_get(c->differences, i);
        mgl_result_warn(result, "differs", "%s: the result and the proof, or the table, disagree",
                        mgl_json_text(difference, "what"));
    }
    if (verdict->bargains > 0 && settings->verbose)
        mgl_result_warn(result, "too-cheap", "a box that costs less than its rows are priced: %.*s",
                        (int)verdict->example.size, verdict->example.data);
}

static mgl_status compare_all(mgl_proof_comparison *c, mgl_session *session,
                              const mgl_settings *settings, const char *sha256,
                              const mgl_proof_verdict *verdict, mgl_error *err)
{
    mgl_job *job = NULL;
    const mgl_settings *claimed;
    MGL_TRY(make_job(settings->job, c->claimed, err, &job));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_settings(job, MGL_LATTICE, err, &claimed));
    mgl_proof_compare_result(c, claimed, sha256, verdict->proved);
    if (settings->data != NULL) {
        MGL_GO(refuse_release(settings->data, c->claimed, err));
        MGL_GO(mgl_proof_compare_table(c, session, claimed, err));
    }
done:
    mgl_job_free(job);
    return status;
}

static mgl_status check(mgl_session *session, const mgl_settings *settings, const mgl_proof *proof,
                        const mgl_result *claimed, mgl_error *err, mgl_result *result)
{
    mgl_proof_comparison c = {proof, claimed->document, json_array(), json_array()};
    mgl_proof_verdict verdict = {0};
    char sha256[MGL_SHA256_TEXT];
    mgl_status status = MGL_OK;
    MGL_GO(hash_file(settings->claimed.proof, err, sha256));
    MGL_GO(mgl_proof_verify(proof, &settings->progress, err, &verdict));
    MGL_GO(compare_all(&c, session, settings, sha256, &verdict, err));
    bool reaches;
    result->holds = strcmp(judge(&c, &verdict, &reaches), "holds") == 0;
    mgl_json_set(result->document, "proof", proof_json(&c, settings, &verdict, sha256));
    warn(result, &c, settings, &verdict);
done:
    mgl_buffer_free(&verdict.example);
    json_decref(c.differences);
    json_decref(c.not_compared);
    return status;
}

/* A result without a bound has nothing to prove. */
static mgl_status read_claims(const char *path, mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_blame_key(err, mgl_result_read(path, err, &result), "against"));
    bool bounded = json_is_object(json_object_get(result->document, "bound"));
    if (bounded && json_is_object(json_object_get(result->document, "audit"))) {
        *out = result;
        return MGL_OK;
    }
    mgl_result_free(result);
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_MISMATCH, path, 0,
                    "the result has no %s; give the one of `anonymize` with `save-proof`",
                    bounded ? "audit trail" : "bound"),
        "against");
}

mgl_status mgl_check_proof(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_result *result = NULL, *claimed = NULL;
    mgl_proof *proof = NULL;
    MGL_TRY(mgl_job_settings(job, MGL_CHECK, err, &settings));
    mgl_status status = MGL_OK;
    MGL_GO(read_claims(settings->claimed.against, err, &claimed));
    MGL_GO(mgl_proof_read(settings->claimed.proof, err, &proof));
    MGL_GO(mgl_result_new("check", err, &result));
    MGL_GO(check(session, settings, proof, claimed, err, result));
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    mgl_proof_free(proof);
    mgl_result_free(claimed);
    mgl_result_free(result);
    return status;
}
