/* Keys that belong to whoever uses the library: a job takes them and does nothing with them. The
 * loader of job files and mgl_job_set ask here; the public mgl_job_own_keys adds some. */
#include "job/store/entries.h"

/* Of our own program; a job file that it reads is a job for any other program, too. */
static const char *const reserved[] = {"quiet", "json", NULL};

const char *const *mgl_reserved_keys(void)
{
    return reserved;
}

static mgl_key key_of(const char *name, const char *const *values)
{
    return (mgl_key){
        .name = name,
        .kind = MGL_KEY_VALUE,
        .record = MGL_RECORD_NEVER,
        .parser = {.kind = values != NULL ? MGL_PARSE_WORD : MGL_PARSE_TEXT, .words = values}};
}

bool mgl_job_key_find(const mgl_job *job, mgl_span name, mgl_key *out)
{
    if (mgl_key_find(name, out))
        return true;
    for (size_t i = 0; i < job->n_own; i++)
        if (mgl_span_is(name, job->own[i].name)) {
            *out = key_of(job->own[i].name, job->own[i].values);
            return true;
        }
    for (size_t i = 0; reserved[i] != NULL; i++)
        if (mgl_span_is(name, reserved[i])) {
            *out = key_of(reserved[i], NULL);
            return true;
        }
    return false;
}

/* The words in the memory of the job; NULL: memory is out. */
static const char *const *copy_values(mgl_job *job, const char *const *values)
{
    size_t n = 0;
    while (values[n] != NULL)
        n++;
    const char **copy = mgl_arena_alloc(job->arena, (n + 1) * sizeof *copy);
    for (size_t i = 0; copy != NULL && i < n; i++)
        if ((copy[i] = mgl_arena_copy(job->arena, values[i], strlen(values[i]))) == NULL)
            return NULL;
    if (copy != NULL)
        copy[n] = NULL;
    return copy;
}

static mgl_status add(mgl_job *job, const mgl_own_key *key, mgl_error *err)
{
    mgl_key known;
    mgl_own_key copy = {0};
    if (key->name == NULL || key->name[0] == '\0')
        return mgl_fail(err, MGL_CODE_USAGE, "an own key without a name; give it one");
    if (mgl_key_find(mgl_span_of(key->name), &known))
        return mgl_fail(err, MGL_CODE_CONFLICT,
                        "'%.60s' is a key of the library; give the own key another name",
                        key->name);
    copy.name = mgl_arena_copy(job->arena, key->name, strlen(key->name));
    if (key->values != NULL)
        copy.values = copy_values(job, key->values);
    if (copy.name == NULL || (key->values != NULL && copy.values == NULL) ||
        !mgl_grow(&job->own, &job->own_capacity, job->n_own + 1, sizeof *job->own))
        return mgl_fail_memory(err);
    job->own[job->n_own++] = copy;
    return MGL_OK;
}

mgl_status mgl_job_own_keys(mgl_job *job, const mgl_own_key *keys, size_t n, mgl_error *err)
{
    for (size_t i = 0; i < n; i++)
        MGL_TRY(add(job, &keys[i], err));
    return MGL_OK;
}
