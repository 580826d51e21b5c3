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

static mgl_status refuse(const mgl_checked_job *c, const char *key, const char *message)
{
    return mgl_checked_fail(c, MGL_CODE_CONFLICT, key, message);
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

static mgl_status refuse_two(const mgl_checked_job *c)
{
    const mgl_settings *s = c->settings;
    bool table = s->population != NULL, weights = s->weight != NULL, fraction = s->fraction > 0;
    if (table + weights + fraction < 2)
        return MGL_OK;
    return refuse(c, weights ? "weight" : "sampling-fraction",
                  "`population`, `weight` and `sampling-fraction` each tell how many persons a "
                  "class stands for; give one of them");
}

static bool looks_at_households(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type->by_household)
            return true;
    return false;
}

/* What looks at single rows has no meaning where several are one person. */
static mgl_status refuse_persons(const mgl_checked_job *c)
{
    const mgl_settings *s = c->settings;
    const char *key = s->weighs               ? "weight"
                      : s->by_household       ? "household"
                      : s->has_suppress_above ? "suppress-above"
                                              : NULL;
    if (s->entity == NULL || key == NULL)
        return MGL_OK;
    return mgl_blame_key(c->err,
                         mgl_fail(c->err, MGL_CODE_CONFLICT,
                                  "`%s` is about rows, and with `entity` several rows are one "
                                  "person; give a table with one row per person, or leave one of "
                                  "them out",
                                  key),
                         key);
}

/* Classes of the table are those of all its columns. */
static mgl_status refuse_sets(const mgl_checked_job *c)
{
    const mgl_settings *s = c->settings;
    if (s->has_suppress_above && mgl_settings_aggregate(s))
        return refuse(c, "suppress-above",
                      "`suppress-above` leaves rows as they are, and `aggregate` changes them all; "
                      "leave one of them out");
    if (s->has_suppress_above && s->n_by > 0)
        return refuse(c, "suppress-above",
                      "`suppress-above` looks at the whole table, and `by` at each stratum; leave "
                      "one of them out");
    if (!s->has_suppress_above || (s->n_quasi <= 1 && s->n_named == 0))
        return MGL_OK;
    return refuse(c, "suppress-above",
                  "`suppress-above` looks at one quasi-identifier; give its columns together");
}

mgl_status mgl_settings_check_sample(const mgl_checked_job *c)
{
    const mgl_settings *settings = c->settings;
    if (c->command == MGL_RISK)
        return MGL_OK;
    MGL_TRY(refuse_sets(c));
    if (!looks_at_households(settings))
        MGL_TRY(refuse_idle(c, "household"));
    if (!has_models(settings)) {
        MGL_TRY(refuse_idle(c, "weight"));
        return refuse_idle(c, "sampling-fraction");
    }
    if (settings->with != NULL && (settings->weighs || settings->by_household))
        return refuse(c, "with",
                      "`with`: nobody knows what the rows of the earlier release weigh, or which "
                      "are one household's; leave it out, or ask for models of the rows alone");
    MGL_TRY(refuse_two(c));
    return refuse_persons(c);
}
