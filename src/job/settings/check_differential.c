/* Checks what differential privacy (`dp`) demands of a job: all that is released is counted, and
 * nothing that is done depends on the data in another way (docs/differential-privacy.md). */
#include "job/settings/checked_job.h"

/* Half of epsilon is more than levels are worth; the rest would be too little for the sample. */
static mgl_status check_share(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *share = mgl_store_find(d->job, "dp-search", NULL);
    if (share == NULL || (s->dp.budget.epsilon <= 0 && share->place.load != 0))
        return MGL_OK;
    if (s->dp.budget.epsilon <= 0)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "dp",
                                "`dp-search` is a part of the epsilon of `dp`; give `dp: "
                                "EPSILON,DELTA`, or leave it out");
    if (s->dp.choosing * (double)MGL_EXPONENT_ONE < 1)
        return mgl_checked_fail(d, MGL_CODE_BAD_VALUE, "dp-search",
                                "`dp-search` is less than 0.000001, with which no level is chosen "
                                "by what it keeps; give more");
    if (2 * s->dp.choosing > s->dp.budget.epsilon)
        return mgl_checked_fail(d, MGL_CODE_BAD_VALUE, "dp-search",
                                "`dp-search` is more than half of the epsilon of `dp`; give less, "
                                "or give all columns a `level`");
    if (d->command == MGL_ANONYMIZE && s->dp.sampling.choosing == 0)
        return mgl_checked_fail(d, MGL_CODE_CONFLICT, "dp-search",
                                "`dp-search` chooses levels, and every column is given one "
                                "(`level`); leave one of the two out");
    return MGL_OK;
}

/* Commands that look at a search draw nothing: they would show counts of the whole table, and of
 * another release than the job makes. */
static mgl_status check_command(const mgl_checked_job *d)
{
    const unsigned looking = MGL_PREVIEW | MGL_WHAT_IF | MGL_COMPARE | MGL_LATTICE;
    if ((d->command & looking) == 0)
        return MGL_OK;
    return mgl_checked_fail(d, MGL_CODE_CONFLICT, "dp",
                            "`dp` draws a sample that only `anonymize` draws, and what is shown "
                            "here are counts of the whole table; take `dp` out of the job to look "
                            "at these, and do not choose levels, epsilon or delta by them");
}

static mgl_status fail_column(const mgl_checked_job *d, const char *name, const char *key,
                              const char *why)
{
    return mgl_fail_attribute(d->err, MGL_CODE_CONFLICT, name, key, "column '%.60s' %s", name, why);
}

/* What is released is a combination of quasi-identifiers, and nothing besides. */
static mgl_status check_role(const mgl_checked_job *d, const mgl_attribute_settings *attribute)
{
    if (attribute->role == MGL_ROLE_SENSITIVE || attribute->role == MGL_ROLE_INSENSITIVE ||
        attribute->role == MGL_ROLE_ITEMS)
        return fail_column(d, attribute->name, "role",
                           "would be released as it is, and `dp` counts the combinations of all "
                           "released cells; give it `role: quasi` with a hierarchy, or leave it "
                           "out (`role: identifier`)");
    return MGL_OK;
}

static mgl_status check_hierarchy(const mgl_checked_job *d, const mgl_attribute_settings *attribute)
{
    bool of_numbers;
    if (attribute->role != MGL_ROLE_QUASI || d->command != MGL_ANONYMIZE)
        return MGL_OK;
    if (attribute->hierarchy == NULL)
        return fail_column(d, attribute->name, "hierarchy",
                           "has no hierarchy, and one that is proposed depends on the data; with "
                           "`dp` give it one: a file with all values that the column can have, "
                           "suppress, or another builder, as intervals(5,10)");
    if (!mgl_hierarchy_is_fixed(attribute->hierarchy, &of_numbers))
        return fail_column(d, attribute->name, "hierarchy",
                           "has a hierarchy that takes something from the data, which `dp` does "
                           "not allow; say all in its arguments (as mask(right,3)), or give a file "
                           "with all values that the column can have (`hierarchy build` makes "
                           "it of a list of them)");
    return MGL_OK;
}

/* Rows are counted, and nothing else of them. */
static mgl_status check_models(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type != mgl_model_type_of_k())
            return mgl_fail_key(d->err, MGL_CODE_CONFLICT, "dp",
                                "`dp` promises more than k-anonymity by it alone, and %s would "
                                "leave out rows for another reason; leave one of the two out",
                                s->models[i].type->name);
    return MGL_OK;
}

mgl_status mgl_settings_check_differential(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    MGL_TRY(check_share(d));
    if (s->dp.budget.epsilon <= 0)
        return MGL_OK;
    MGL_TRY(check_command(d));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_DIFFERENTIAL, s, d->command, d->err));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_role(d, &s->attributes[i]));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_hierarchy(d, &s->attributes[i]));
    return check_models(d);
}
