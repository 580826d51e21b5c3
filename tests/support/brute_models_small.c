/* Runs jobs over a small table.csv in the current folder. Tests of persons, histories and models
 * call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"
#include "brute_models_small.h"

#include <math.h>

json_t *small_run(const char *command, mgl_status *status, const char *const *keys)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err = {0};
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    for (size_t i = 0; keys[i] != NULL; i += 2)
        brute_set(job, keys[i], keys[i + 1]);
    *status = mgl_job_run(job, command, &err, &result);
    if (*status != MGL_OK && err.message[0] == '\0')
        fail_msg("status %d without a word", (int)*status);
    json_t *document = *status == MGL_OK ? brute_document(result) : NULL;
    mgl_result_free(result);
    mgl_job_free(job);
    return document;
}

json_t *small_must(const char *command, const char *const *keys)
{
    mgl_status status;
    json_t *document = small_run(command, &status, keys);
    assert_int_equal(status, MGL_OK);
    return document;
}

void small_fails(const char *command, mgl_status wanted, const char *const *keys)
{
    mgl_status status;
    json_t *document = small_run(command, &status, keys);
    json_decref(document);
    assert_int_equal(status, wanted);
}

void small_says(const json_t *document, const char *path, double wanted)
{
    double got = brute_number(document, path);
    if (!(fabs(got - wanted) <= 1e-12) && !(isnan(got) && isnan(wanted)))
        fail_msg("%s is %.17g, must be %.17g", path, got, wanted);
}

bool small_holds(const json_t *document, size_t model)
{
    return json_is_true(
        json_object_get(json_array_get(json_object_get(document, "models"), model), "holds"));
}
