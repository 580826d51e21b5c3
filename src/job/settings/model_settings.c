/* Makes the models of a job and of its policy, with their options. */
#include "job/settings/settings.h"

#include "job/keys/keys.h"
#include "job/store/store.h"
#include "result/result.h"

typedef struct maker {
    const mgl_job *job;
    mgl_command command;
    mgl_arena *arena;
    mgl_settings *settings;
    const mgl_entry **entries; /* [n_models] where each model was given */
    uint64_t k, p;             /* the largest of the models that have one; 0: none */
    mgl_error *err;
} maker;

static bool is_there(const mgl_settings *s, const mgl_model_settings *model)
{
    for (size_t i = 0; i < s->n_models; i++) {
        const mgl_model_settings *other = &s->models[i];
        bool same = other->type == model->type && other->attribute == model->attribute;
        for (size_t j = 0; same && j < model->type->n_parameters; j++)
            same = other->parameters[j] == model->parameters[j];
        if (same)
            return true;
    }
    return false;
}

/* What a model asks of the size of a class. */
static void note_size(maker *m, const mgl_model_settings *model)
{
    uint64_t size = model->type->n_parameters > 0 ? (uint64_t)model->parameters[0] : 0;
    if (model->type->k == MGL_K_IS)
        m->k = size > m->k ? size : m->k;
    else if (model->type->k == MGL_K_STANDS_FOR)
        m->p = size > m->p ? size : m->p;
}

static mgl_status add_model(maker *m, const mgl_model_type *type, const mgl_entry *entry,
                            const char *column)
{
    mgl_settings *s = m->settings;
    mgl_model_settings model = {.type = type};
    mgl_buffer wrong = {0};
    bool read = mgl_value_parameters(type, mgl_span_of(entry->value), model.parameters, &wrong);
    mgl_buffer_free(&wrong);
    if (!read) /* it was well formed when it was taken in */
        return mgl_fail_memory(m->err);
    note_size(m, &model);
    if (!mgl_key_is_of(type->option, m->command))
        return MGL_OK;
    if (column != NULL) {
        const mgl_attribute_settings *attribute = mgl_settings_attribute(s, column);
        if (attribute == NULL || attribute->role != MGL_ROLE_SENSITIVE)
            return mgl_blame_attribute(
                m->err,
                mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, m->err,
                                "column '%.60s' is not sensitive; add `sensitive: %.60s`", column,
                                column),
                column, "role");
        model.attribute = attribute->name;
    }
    if (is_there(s, &model))
        return MGL_OK;
    m->entries[s->n_models] = entry;
    s->models[s->n_models++] = model;
    return MGL_OK;
}

/* NULL if the entry is no model. */
static const mgl_model_type *type_of(const mgl_entry *entry)
{
    const mgl_model_type *type = mgl_model_type_find(entry->field);
    return type != NULL && (entry->subject != NULL) == type->takes_attribute ? type : NULL;
}

static mgl_status add_job(maker *m)
{
    for (size_t i = 0; i < m->job->n_entries; i++) {
        const mgl_entry *entry = &m->job->entries[i];
        const mgl_model_type *type = type_of(entry);
        if (type != NULL)
            MGL_TRY(add_model(m, type, entry, entry->subject));
    }
    return MGL_OK;
}

/* Was the parameter given with the model? */
static bool is_given(const mgl_entry *model, size_t parameter)
{
    size_t n = 0;
    for (const char *c = model->value; *c != '\0'; c++)
        n += *c == ',';
    return n >= parameter;
}

static mgl_status set_distance(maker *m, const mgl_entry *distance)
{
    mgl_settings *s = m->settings;
    bool found = false;
    for (size_t i = 0; i < s->n_models; i++) {
        mgl_model_settings *model = &s->models[i];
        size_t place = mgl_word_parameter(model->type, "distance");
        if (place == model->type->n_parameters || model->attribute == NULL ||
            strcmp(model->attribute, distance->subject) != 0)
            continue;
        found = true;
        const mgl_origin *given = &m->entries[i]->place;
        char origin[MGL_ORIGIN_TEXT];
        bool there = is_given(m->entries[i], place);
        if (there && given->load == distance->place.load)
            return mgl_blame_column(
                m->err,
                mgl_origin_fail(&distance->place, MGL_CODE_REPEATED, m->err,
                                "given twice for '%.60s', first by %s; leave one out",
                                distance->subject, mgl_origin_text(given, origin)),
                distance->subject);
        if (there && given->load < distance->place.load)
            continue; /* what was set before overrides */
        mgl_buffer wrong = {0};
        mgl_value_parameter(&model->type->parameters[place], mgl_span_of(distance->value),
                            &model->parameters[place], &wrong);
        mgl_buffer_free(&wrong);
    }
    if (!found && m->job->claims == NULL)
        return mgl_blame_column(
            m->err,
            mgl_origin_fail(&distance->place, MGL_CODE_MISSING_KEY, m->err,
                            "column '%.60s' has no t-closeness; add `t-closeness: %.60s=T`",
                            distance->subject, distance->subject),
            distance->subject);
    return MGL_OK;
}

static mgl_status set_distances(maker *m)
{
    mgl_key key;
    if (!mgl_key_find(mgl_span_of("distance"), &key) || (key.commands & m->command) == 0)
        return MGL_OK;
    for (size_t i = 0; i < m->job->n_entries; i++) {
        const mgl_entry *entry = &m->job->entries[i];
        if (entry->subject != NULL && strcmp(entry->field, key.field) == 0)
            MGL_TRY(set_distance(m, entry));
    }
    return MGL_OK;
}

/* A model of the policy stands beside one of the job: neither replaces the other. */
static mgl_status add_policy(maker *m, const mgl_job *policy)
{
    const mgl_settings *s = m->settings;
    for (size_t i = 0; i < policy->n_entries; i++) {
        const mgl_entry *entry = &policy->entries[i];
        const mgl_model_type *type = type_of(entry);
        bool any = entry->subject != NULL && strcmp(entry->subject, "any") == 0;
        if (m->command == MGL_UTILITY && type != NULL && type->k != MGL_K_IS)
            continue; /* what was lost depends on k alone */
        if (type != NULL && !any)
            MGL_TRY(add_model(m, type, entry, entry->subject));
        for (size_t a = 0; type != NULL && any && a < s->n_attributes; a++)
            if (s->attributes[a].role == MGL_ROLE_SENSITIVE)
                MGL_TRY(add_model(m, type, entry, s->attributes[a].name));
    }
    return MGL_OK;
}

/* What becomes of rows above a risk is a promise about all others. */
static void promise_risk(maker *m)
{
    mgl_settings *s = m->settings;
    const mgl_model_type *type = mgl_model_type_of_risk();
    if (!s->risk.has_above)
        return;
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type == type && s->models[i].parameters[0] <= s->risk.above)
            return;
    m->entries[s->n_models] = mgl_store_find(m->job, "suppress-above", NULL);
    s->models[s->n_models++] = (mgl_model_settings){.type = type, .parameters = {s->risk.above}};
}

/* An anonymity level computes to a value for k (docs/methods.md#datafly). */
static void promise_anonymity_level(maker *m)
{
    mgl_settings *s = m->settings;
    const mgl_entry *entry = mgl_store_find(m->job, "anonymity-level", NULL);
    uint64_t k;
    if (entry == NULL || !mgl_read_anonymity_level(mgl_span_of(entry->value), &k))
        return;
    mgl_model_settings model = {.type = mgl_model_type_of_k(), .parameters = {(double)k}};
    note_size(m, &model);
    if (!mgl_key_is_of(model.type->option, m->command) || is_there(s, &model))
        return;
    m->entries[s->n_models] = entry;
    s->models[s->n_models++] = model;
}

static bool leaves_levels_open(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_attributes; i++) {
        const mgl_attribute_settings *one = &s->attributes[i];
        if (one->role == MGL_ROLE_QUASI && (!one->has_level || one->levels.min != one->levels.max))
            return true;
    }
    return false;
}

/* Sampling rate and k follow from epsilon and delta (docs/differential-privacy.md). A release is
 * judged by what its levels had of epsilon: that is recorded with it. */
static void promise_differential_privacy(maker *m)
{
    mgl_settings *s = m->settings;
    const double usual_share = 0.1;
    bool makes = m->command == MGL_ANONYMIZE;
    if (makes && s->dp.choosing <= 0 && leaves_levels_open(s))
        s->dp.choosing = s->dp.budget.epsilon * usual_share;
    if (s->dp.budget.epsilon <= 0 || 2 * s->dp.choosing > s->dp.budget.epsilon) /* is refused */
        return;
    s->dp.sampling =
        mgl_sampling_of(&s->dp.budget, makes && !leaves_levels_open(s) ? 0 : s->dp.choosing);
    mgl_model_settings model = {.type = mgl_model_type_of_k(),
                                .parameters = {(double)s->dp.sampling.k}};
    note_size(m, &model);
    s->dp.sampling.k = m->k; /* a job can ask for a larger one */
    s->chosen.draws = makes;
    s->hint = s->hint && mgl_job_get(m->job, "hint") != NULL; /* which is refused */
    if (is_there(s, &model))
        return;
    m->entries[s->n_models] = mgl_store_find(m->job, "dp", NULL);
    s->models[s->n_models++] = model;
}

/* Models look at weights, or at the share of the population that the table is. */
static void take_sample(maker *m)
{
    mgl_settings *s = m->settings;
    for (size_t i = 0; i < s->n_models; i++)
        s->models[i].type = mgl_model_type_of_sample(s->models[i].type, s->weighed.column != NULL,
                                                     s->sampled.fraction > 0);
}

/* Weights and households that no model looks at are not read; `risk` reports them by itself. */
static void note_sample(maker *m)
{
    mgl_settings *s = m->settings;
    for (size_t i = 0; i < s->n_models; i++) {
        s->weighed.judged = s->weighed.judged || s->models[i].type->weighs;
        s->households.judged = s->households.judged || s->models[i].type->by_household;
    }
    s->households.judged = s->households.judged && s->households.column != NULL;
    if (!s->weighed.judged && m->command != MGL_RISK)
        s->weighed.column = NULL;
    if (!s->households.judged && m->command != MGL_RISK)
        s->households.column = NULL;
}

/* Persons and the population are not in a release, nor need weights be, nor are the rows that were
 * dropped; and groups of values are known only from the result. */
static bool can_be_judged(const maker *m, const mgl_model_settings *model)
{
    const mgl_settings *s = m->settings;
    const mgl_model_type *type = model->type;
    const json_t *audit = json_object_get(m->job->claims, "audit");
    const json_t *job = json_object_get(audit, "job");
    const char *view = mgl_json_text(job, "entity-view");
    bool persons = json_object_get(job, "entity") != NULL;
    bool joined = view != NULL && strcmp(view, "joined") == 0;
    bool weighed = json_object_get(job, "weight") != NULL && type->weighed != NULL;
    bool whole = json_equal(json_object_get(m->job->claims, "rows"),
                            json_object_get(m->job->claims, "released_rows"));
    if ((weighed && s->weighed.column == NULL) ||
        (type->by_household && s->households.column == NULL))
        return false;
    if (type->needs_population)
        return s->sampled.population != NULL && (!persons || s->persons.column != NULL);
    if (type->looks_at_input && !whole)
        return false;
    /* Numbers of different values are known of rows, unless persons are judged by all of theirs. */
    bool of_rows = type->distinct != MGL_DISTINCT_NONE && !joined;
    if (persons && s->persons.column == NULL && !of_rows && type->k != MGL_K_IS)
        return false;
    return model->attribute == NULL || type->reads_hierarchy == NULL ||
           !type->reads_hierarchy(model->parameters) ||
           mgl_settings_attribute(s, model->attribute)->hierarchy != NULL ||
           json_object_get(json_object_get(audit, "sensitive"), model->attribute) != NULL;
}

static mgl_status set_aside(maker *m, size_t most)
{
    mgl_settings *s = m->settings;
    size_t n = s->n_models;
    s->claimed.unjudged = mgl_arena_alloc(m->arena, most * sizeof *s->claimed.unjudged);
    MGL_TRY(mgl_check_memory(s->claimed.unjudged != NULL, m->err));
    s->n_models = 0;
    for (size_t i = 0; i < n; i++) {
        mgl_model_settings model = s->models[i];
        if (can_be_judged(m, &model))
            s->models[s->n_models++] = model;
        else
            s->claimed.unjudged[s->claimed.n_unjudged++] = model;
    }
    return MGL_OK;
}

static size_t count_sensitive(const mgl_settings *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_attributes; i++)
        n += s->attributes[i].role == MGL_ROLE_SENSITIVE;
    return n;
}

static mgl_status make(maker *m, const mgl_job *policy)
{
    mgl_settings *s = m->settings;
    size_t n = m->job->n_entries + 4;
    if (policy != NULL)
        n += policy->n_entries * (count_sensitive(s) + 1);
    s->models = mgl_arena_alloc(m->arena, n * sizeof *s->models);
    m->entries = mgl_arena_alloc(m->arena, n * sizeof *m->entries);
    MGL_TRY(mgl_check_memory(s->models != NULL && m->entries != NULL, m->err));
    MGL_TRY(add_job(m));
    MGL_TRY(set_distances(m));
    if (policy != NULL)
        MGL_TRY(add_policy(m, policy));
    promise_risk(m);
    promise_anonymity_level(m);
    promise_differential_privacy(m);
    take_sample(m);
    if (m->job->claims != NULL)
        MGL_TRY(set_aside(m, n));
    note_sample(m);
    s->k = m->k > 0 ? m->k : m->p > 0 ? m->p : 1;
    s->no_k = m->k == 0 && m->p == 0;
    return MGL_OK;
}

/* That of a result is recorded in it. */
static mgl_status read_policy(const maker *m, const mgl_entry *entry, mgl_job **out)
{
    const json_t *audit = json_object_get(m->job->claims, "audit");
    const json_t *recorded = json_object_get(audit, "policy");
    if (json_is_array(recorded) && entry->place.load > 0)
        return mgl_policy_recall(recorded, m->err, out);
    return mgl_policy_read(entry, count_sensitive(m->settings) > 0, m->err, out);
}

mgl_status mgl_settings_make_models(const mgl_filling *f)
{
    maker m = {.job = f->job,
               .command = f->command,
               .arena = f->arena,
               .settings = f->settings,
               .err = f->err};
    const mgl_entry *entry = mgl_store_find(f->job, "policy", NULL);
    mgl_job *policy = NULL;
    /* The models of a result are taken by every command that reads one, those of its policy, too.
     */
    if (entry != NULL && (mgl_key_is_of("policy", f->command) || f->job->claims != NULL))
        MGL_TRY(read_policy(&m, entry, &policy));
    mgl_status status = make(&m, policy);
    mgl_job_free(policy);
    return status;
}
