/* Checks what a job says about treatments of columns, as far as that needs no data.
 * check_settings.c calls it. */
#include "job/settings/settings.h"

static mgl_status refuse(const mgl_job *job, const char *column, mgl_code code, const char *why,
                         mgl_error *err)
{
    const mgl_place *place = &mgl_store_find(job, "treat", column)->place;
    return mgl_blame_attribute(
        err, mgl_place_fail(place, code, err, "column '%.60s' %s", column, why), column, "treat");
}

/* What stands against treating the column; NULL: nothing. */
static const char *objection(const mgl_settings *s, const mgl_attribute_settings *attribute,
                             const mgl_treat *treat)
{
    bool leaves_out = mgl_treat_leaves_out(treat);
    bool kept_back = attribute->role == MGL_ROLE_IDENTIFIER;
    if (attribute->role == MGL_ROLE_QUASI)
        return "is a quasi-identifier, which is generalized and not treated; give it a "
               "`hierarchy`, or another role";
    if (s->persons.column != NULL && strcmp(s->persons.column, attribute->name) == 0)
        return treat->n_steps == 1 && mgl_treat_is_one_to_one(treat)
                   ? NULL
                   : "tells persons apart and is released as a pseudonym or not at all; give "
                     "`treat: pseudonym` alone, or leave its treatment out";
    if (kept_back && !leaves_out)
        return "is an identifier, which is not released; give it `role: insensitive` to release "
               "what the treatment makes of it, or leave the treatment out";
    if (leaves_out && !kept_back && attribute->role != MGL_ROLE_NONE)
        return "has a role among the released columns, and drop leaves it out; give it no role";
    return NULL;
}

/* What else the job must say; NULL: nothing. */
static const char *lacking(const mgl_settings *s, const mgl_treat *treat)
{
    if (mgl_treat_needs_key(treat) && s->key == NULL)
        return "has a treatment that needs a secret; give `key: FILE`, with at least 16 bytes";
    if (mgl_treat_by_person(treat) && s->persons.column == NULL)
        return "has a treatment that treats each person apart; give `entity: COLUMN`";
    return NULL;
}

/* The days by which persons are shifted; 0: they are not. */
static uint64_t days_of(const mgl_treat *treat)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (treat->steps[i].type->by_person)
            return treat->steps[i].count;
    return 0;
}

mgl_status mgl_settings_check_treatments(const mgl_job *job, const mgl_settings *s,
                                         mgl_command command, mgl_error *err)
{
    mgl_key key;
    uint64_t days = 0;
    if (!mgl_key_find(mgl_span_of("treat"), &key) || (key.commands & command) == 0)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &s->attributes[i];
        mgl_treat *treat;
        if (attribute->treat == NULL)
            continue;
        MGL_TRY(mgl_treat_new(attribute->treat, err, &treat));
        const char *why = objection(s, attribute, treat), *lacks = lacking(s, treat);
        uint64_t these = days_of(treat);
        if (why == NULL && days > 0 && these > 0 && these != days)
            why = "is shifted by other days than another column, so that a person's dates would "
                  "not move together; give all of them the same number";
        days = these > 0 ? these : days;
        mgl_treat_free(treat);
        if (why != NULL)
            return refuse(job, attribute->name, MGL_CODE_CONFLICT, why, err);
        if (lacks != NULL)
            return refuse(job, attribute->name, MGL_CODE_MISSING_KEY, lacks, err);
    }
    return MGL_OK;
}
