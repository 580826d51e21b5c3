/* Checks what a job says about the population that its table is a sample of, as far as that needs
 * no data. check_settings.c calls it. */
#include "job/settings/settings.h"

#include "job/store/store.h"

/* What a check looks at. */
typedef struct check {
    const mgl_job *job;
    const mgl_settings *settings;
    mgl_error *err;
} check;

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

static mgl_status refuse(const check *c, const char *key, const char *message)
{
    return mgl_blame_key(c->err, mgl_fail(c->err, MGL_CODE_CONFLICT, "%s", message), key);
}

/* What a job file tells for `risk` need not concern the search; what was set for this command was
 * meant to. */
static mgl_status refuse_idle(const check *c, const char *key)
{
    const mgl_entry *entry = mgl_store_find(c->job, key, NULL);
    if (entry == NULL || entry->place.load != 0)
        return MGL_OK;
    return mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, c->err,
                          "no model of the job looks at it; leave it out, or ask for a model that "
                          "does (`k-map`, `max-risk`; `help models`)");
}

static mgl_status refuse_two(const check *c)
{
    const mgl_settings *s = c->settings;
    bool table = s->population != NULL, weights = s->weight != NULL, fraction = s->fraction > 0;
    if (table + weights + fraction < 2)
        return MGL_OK;
    return refuse(c, weights ? "weight" : "sampling-fraction",
                  "`population`, `weight` and `sampling-fraction` each tell how many persons a "
                  "class stands for; give one of them");
}

mgl_status mgl_settings_check_sample(const mgl_job *job, const mgl_settings *settings,
                                     mgl_command command, mgl_error *err)
{
    check c = {job, settings, err};
    if (command == MGL_RISK)
        return MGL_OK;
    if (!has_models(settings)) {
        MGL_TRY(refuse_idle(&c, "weight"));
        return refuse_idle(&c, "sampling-fraction");
    }
    MGL_TRY(refuse_two(&c));
    if (settings->weighs && settings->entity != NULL)
        return refuse(&c, "weight",
                      "`weight` tells what a row stands for, and with `entity` several rows are "
                      "one person; give a table with one row per person, or leave one of them "
                      "out");
    return MGL_OK;
}
