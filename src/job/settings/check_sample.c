/* Checks what a job says about the population that its table is a sample of, as far as that needs
 * no data. check_settings.c calls it. */
#include "job/settings/checked_job.h"

/* Is there a model that is another one for a sample? */
static bool has_models(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_models; i++) {
        const mgl_model_type *type = mgl_model_type_find(s->models[i].type->name);
        if (type->weighed != NULL || type->sampled != NULL)
            return true;
    }
    return false;
}

/* What a job file tells for `risk` need not concern the search; what was set for this command was
 * meant to. */
static mgl_status refuse_idle(const mgl_checked_job *c, const char *key)
{
    const mgl_entry *entry = mgl_store_find(c->job, key, NULL);
    if (entry == NULL || entry->place.load != 0)
        return MGL_OK;
    return mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, c->err,
                          "no model of the job looks at it; leave it out, or ask for a model that "
                          "does (`k-map`, `max-risk`; `help models`)");
}

static bool looks_at_households(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type->by_household)
            return true;
    return false;
}

mgl_status mgl_settings_check_sample(const mgl_checked_job *c)
{
    const mgl_settings *settings = c->settings;
    if (c->command == MGL_RISK)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_RISK_LIMIT, settings, c->command, c->err));
    if (!looks_at_households(settings))
        MGL_TRY(refuse_idle(c, "household"));
    if (!has_models(settings)) {
        MGL_TRY(refuse_idle(c, "weight"));
        return refuse_idle(c, "sampling-fraction");
    }
    if (settings->with != NULL && (settings->sampled.weighs || settings->sampled.by_household))
        return mgl_checked_fail(
            c, MGL_CODE_CONFLICT, "with",
            "`with`: nobody knows what the rows of the earlier release weigh, or which are one "
            "household's; leave it out, or ask for models of the rows alone");
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_POPULATION, settings, c->command, c->err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_FRACTION, settings, c->command, c->err));
    return mgl_conflicts_refuse(MGL_CONFLICTS_OF_PERSONS, settings, c->command, c->err);
}
