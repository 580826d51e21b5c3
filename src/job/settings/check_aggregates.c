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

/* What a job asks for that aggregated columns do not go with; NULL: nothing. */
static const char *objection(const mgl_settings *s, mgl_command command)
{
    if (command == MGL_LATTICE)
        return "is aggregated, and `lattice` shows levels, which such a column does not have; "
               "leave "
               "it out of the quasi-identifiers here, or `aggregate`";
    if (s->n_quasi > 1 || s->n_named > 0)
        return "is aggregated, which is done within the classes of one quasi-identifier, and the "
               "job has several; leave one of the two out";
    if (s->population != NULL)
        return "is aggregated, and no population can be matched with what is released then; "
               "leave out `population` and what needs it, or generalize the column";
    if (s->entity_view == MGL_VIEW_JOINED)
        return "is aggregated row by row, and `entity-view: joined` looks at all rows of a person "
               "together; leave one of the two out";
    if (s->least_count > 0)
        return "is aggregated, and `least-count` leaves labels of groups in the place of its "
               "values; leave one of the two out";
    if (s->save_proof != NULL)
        return "is aggregated, and a proof is about releases that are generalized alone; leave "
               "out `save-proof`";
    if (s->tops_match)
        return "is aggregated within classes of equal cells, and `missing-matches: all` knows no "
               "such; leave one of the two out";
    return NULL;
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
        const char *why = objection(s, command);
        if (why == NULL)
            continue;
        const mgl_place *place = &mgl_store_find(job, "aggregate", attribute->name)->place;
        return mgl_blame_attribute(err,
                                   mgl_place_fail(place, MGL_CODE_CONFLICT, err,
                                                  "column '%.60s' %s", attribute->name, why),
                                   attribute->name, "aggregate");
    }
    return MGL_OK;
}
