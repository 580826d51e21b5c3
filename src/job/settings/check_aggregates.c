/* Checks what a job says about columns that are aggregated, as far as that needs no data.
 * check_settings.c calls it. */
#include "job/settings/settings.h"

bool mgl_settings_aggregate(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].aggregate != MGL_AGGREGATE_NOT)
            return true;
    return false;
}

mgl_status mgl_settings_check_aggregates(const mgl_job *job, const mgl_settings *s,
                                         mgl_command command, mgl_error *err)
{
    mgl_key key;
    if (!mgl_key_find(mgl_span_of("aggregate"), &key) || (key.commands & command) == 0)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &s->attributes[i];
        if (attribute->aggregate == MGL_AGGREGATE_NOT)
            continue;
        mgl_conflict found = {.why =
                                  "is aggregated, and `lattice` shows levels, which such a column "
                                  "does not have; leave it out of the quasi-identifiers here, "
                                  "or `aggregate`"};
        if (command != MGL_LATTICE &&
            !mgl_conflict_find(MGL_CONFLICTS_OF_AGGREGATES, s, command, &found))
            return MGL_OK;
        const mgl_place *place = &mgl_store_find(job, "aggregate", attribute->name)->place;
        return mgl_blame_attribute(err,
                                   mgl_place_fail(place, MGL_CODE_CONFLICT, err,
                                                  "column '%.60s' %s", attribute->name, found.why),
                                   attribute->name, "aggregate");
    }
    return MGL_OK;
}
