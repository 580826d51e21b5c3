/* Finds policies, built in or in files, and reads their models. Help,
 * completion and audit trails ask for them. */
#include "job/store/store.h"

#include "job/store/load.h"

#include <stdio.h>

static const mgl_policy policies[] = {
    {"minimal", "for few readers who are bound by contract", {{"k-anonymity 3", false}}},
    {"standard",
     "for readers outside the house who have signed for the data",
     {{"k-anonymity 5", false}, {"max-risk 0.2", false}}},
    {"strict",
     "for anyone to read",
     {{"k-anonymity 10", false}, {"p-sensitive 2", true}, {"max-risk 0.1", false}}},
    {"hipaa-safe-harbor",
     "for health data in the United States: none of the 18 identifiers of 45 CFR 164.514(b)(2) is "
     "released, dates become years, ages above 89 one class, ZIP codes three digits",
     {{"k-anonymity 1", false}}},
};

const mgl_policy *mgl_policies(size_t *n)
{
    *n = sizeof policies / sizeof policies[0];
    return policies;
}

const mgl_policy *mgl_policy_find(mgl_span name)
{
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        if (mgl_span_is(name, policies[i].name))
            return &policies[i];
    return NULL;
}

static mgl_status take_rule(mgl_job *job, const char *text, const mgl_origin *place, mgl_error *err)
{
    char name[80];
    size_t size = strcspn(text, " ");
    snprintf(name, sizeof name, "%.*s", (int)size, text);
    const mgl_model_type *type = mgl_model_type_find(name);
    if (type == NULL)
        return mgl_origin_fail(place, MGL_CODE_UNKNOWN_NAME, err,
                               "its model %s is missing from the program", name);
    return mgl_take_model(job, type, NULL, mgl_span_of(text + size + 1), place, err);
}

static mgl_status take_rules(mgl_job *job, const mgl_policy *policy, bool sensitive, mgl_error *err)
{
    char name[80];
    snprintf(name, sizeof name, "policy: %s", policy->name);
    mgl_origin place = {.name = name};
    for (size_t i = 0; i < MGL_MOST_RULES && policy->rules[i].text != NULL; i++)
        if (sensitive || !policy->rules[i].if_sensitive)
            MGL_TRY(take_rule(job, policy->rules[i].text, &place, err));
    return MGL_OK;
}

static mgl_status refuse_key(const mgl_loading *load, const mgl_yaml *key)
{
    mgl_where where = {load->path, key->line, key->column};
    return mgl_blame_key(
        load->err,
        mgl_fail_in(load->err, MGL_CODE_UNKNOWN_KEY, &where,
                    "unknown key '%.*s'; a policy has name, description and privacy",
                    mgl_span_width(key->text), key->text.data),
        key->text.data);
}

static mgl_status take_document(const mgl_loading *load, const mgl_yaml *document)
{
    const mgl_yaml *privacy = NULL;
    if (document->kind != MGL_YAML_MAPPING)
        return mgl_fail_at(load->err, MGL_CODE_JOB_FILE, load->path, document->line,
                           "a policy holds models; write privacy: [{k-anonymity: 5}]");
    for (const mgl_yaml *node = document->first; node != NULL; node = node->next) {
        mgl_span key = node->key->text;
        if (mgl_span_is(key, "privacy"))
            privacy = node;
        else if (mgl_span_is(key, "name") || mgl_span_is(key, "description"))
            MGL_TRY(mgl_loading_want_scalar(load, node, key.data));
        else
            return refuse_key(load, node->key);
    }
    if (privacy == NULL || (privacy->kind == MGL_YAML_SEQUENCE && privacy->first == NULL))
        return mgl_fail_at(load->err, MGL_CODE_JOB_FILE, load->path, 0,
                           "holds no model; add privacy: [{k-anonymity: 5}]");
    return mgl_load_privacy(load, privacy);
}

static mgl_status take_file(mgl_job *job, const char *path, mgl_error *err)
{
    mgl_loading load = {.job = job, .arena = mgl_arena_new(), .path = path, .err = err};
    MGL_TRY(mgl_check_memory(load.arena != NULL, err));
    mgl_yaml *document;
    mgl_status status = mgl_yaml_read(path, "policy", load.arena, err, &document);
    if (status == MGL_OK) {
        job->n_loads = 1;
        status = take_document(&load, document);
    }
    mgl_arena_free(load.arena);
    return status;
}

/* As it was written: without the folder of the job file in front of it. */
static mgl_span written(const mgl_entry *entry)
{
    mgl_span text = mgl_span_of(entry->value);
    const char *slash = entry->place.file != NULL ? strrchr(entry->place.file, '/') : NULL;
    size_t folder = slash != NULL ? (size_t)(slash - entry->place.file) + 1 : 0;
    if (folder > 0 && text.size > folder && memcmp(text.data, entry->place.file, folder) == 0)
        return (mgl_span){text.data + folder, text.size - folder};
    return text;
}

static bool looks_like_a_name(mgl_span text)
{
    return memchr(text.data, '/', text.size) == NULL && memchr(text.data, '.', text.size) == NULL;
}

static mgl_status refuse_name(const mgl_entry *entry, mgl_span name, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    for (size_t i = 0; i < sizeof policies / sizeof policies[0]; i++)
        mgl_nearest_try(&nearest, policies[i].name);
    char advice[80] = "see `help policies`";
    if (nearest.best != NULL)
        snprintf(advice, sizeof advice, "did you mean %s?", nearest.best);
    return mgl_origin_fail(&entry->place, MGL_CODE_UNKNOWN_NAME, err,
                           "'%.*s' is no policy and no file; %s", mgl_span_width(name), name.data,
                           advice);
}

mgl_status mgl_policy_read(const mgl_entry *entry, bool sensitive, mgl_error *err, mgl_job **out)
{
    const mgl_policy *policy = mgl_policy_find(mgl_span_of(entry->value));
    mgl_file_state state;
    mgl_span name = written(entry);
    if (policy == NULL && looks_like_a_name(name) && mgl_sys_state_of(entry->value, &state) != 0)
        return refuse_name(entry, name, err);
    mgl_job *job;
    MGL_TRY(mgl_job_new(err, &job));
    mgl_status status = policy != NULL ? take_rules(job, policy, sensitive, err)
                                       : take_file(job, entry->value, err);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}

mgl_status mgl_job_policy_json(const mgl_settings *settings, mgl_error *err, json_t **out)
{
    const mgl_entry *entry = mgl_store_find(settings->job, "policy", NULL);
    bool sensitive = false;
    mgl_job *policy;
    json_t *document;
    *out = NULL;
    if (entry == NULL)
        return MGL_OK;
    for (size_t i = 0; i < settings->n_attributes; i++)
        sensitive = sensitive || settings->attributes[i].role == MGL_ROLE_SENSITIVE;
    MGL_TRY(mgl_policy_read(entry, sensitive, err, &policy));
    mgl_status status = mgl_job_document(policy, MGL_JOB_RECORD, NULL, err, &document);
    mgl_job_free(policy);
    if (status != MGL_OK)
        return status;
    *out = json_incref(json_object_get(document, "privacy"));
    json_decref(document);
    return MGL_OK;
}

static mgl_status take_recorded(void *context, const mgl_job_value *given, mgl_error *err)
{
    static const mgl_origin place = {.name = "audit.policy", .load = 1};
    const mgl_model_type *type = mgl_model_type_find(given->key);
    return type == NULL ? mgl_unknown_model(mgl_span_of(given->key), &place, err)
                        : mgl_take_model(context, type, given->column, mgl_span_of(given->value),
                                         &place, err);
}

mgl_status mgl_policy_recall(const json_t *recorded, mgl_error *err, mgl_job **out)
{
    json_t *document = json_pack("{s:O}", "privacy", recorded);
    mgl_job *job = NULL;
    mgl_status status = document == NULL ? mgl_fail_memory(err) : mgl_job_new(err, &job);
    if (status == MGL_OK)
        status = mgl_job_document_each(document, take_recorded, job, err);
    json_decref(document);
    if (status != MGL_OK) {
        mgl_job_free(job);
        return status;
    }
    *out = job;
    return MGL_OK;
}
