/* Checks what a job says about persons with several rows, as far as that needs no data.
 * check_columns.c calls it. */
#include "job/settings/checked_job.h"

static mgl_status refuse_column(const mgl_checked_job *c, mgl_code code, const char *format,
                                const char *more)
{
    const mgl_entry *entry = mgl_store_find(c->job, "entity", NULL);
    const char *entity = c->settings->persons.column;
    return mgl_blame_column(
        c->err, mgl_place_fail(&entry->place, code, c->err, format, entity, more), entity);
}

static bool is_released(const mgl_checked_job *c)
{
    return mgl_settings_attribute(c->settings, c->settings->persons.column)->treat != NULL &&
           (c->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0;
}

/* Whoever sees which rows are one person's can join their classes. */
static mgl_status check_column(const mgl_checked_job *c)
{
    mgl_role role = mgl_settings_attribute(c->settings, c->settings->persons.column)->role;
    if (role == MGL_ROLE_QUASI || role == MGL_ROLE_SENSITIVE)
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' is %s and cannot tell persons apart; give it no "
                             "other role",
                             role == MGL_ROLE_QUASI ? "quasi" : "sensitive");
    if (role == MGL_ROLE_INSENSITIVE && c->command == MGL_ANONYMIZE && !is_released(c))
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' is insensitive, and a release with it would show "
                             "which rows are one person's; make it an identifier%s",
                             ", or release a pseudonym of it (`treat: pseudonym`)");
    return MGL_OK;
}

/* A pseudonym links the rows of a person. What that means for the promise is not decided
 * silently. */
static mgl_status want_view(const mgl_checked_job *c)
{
    if (!is_released(c) || c->settings->persons.has_view)
        return MGL_OK;
    return refuse_column(c, MGL_CODE_MISSING_KEY,
                         "a pseudonym of column '%.60s' shows which rows are one person's; say "
                         "what models judge: all rows of a person together (`entity-view: "
                         "joined`), or each by itself (`entity-view: rows`), which %s",
                         "leaves open who can be found by several rows");
}

/* ---- The joined view --------------------------------------------------------------------------
 */

/* Whole persons are left out. Rows of them that were kept, or exempt, would be linked with others
 * that are not at the top. */
static mgl_status want_drop(const mgl_checked_job *c)
{
    const mgl_settings *s = c->settings;
    bool searches = (c->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0;
    if (s->treatment == MGL_DROP || (!searches && s->treatment != MGL_EXEMPT))
        return MGL_OK;
    return mgl_blame_key(c->err,
                         mgl_fail(c->err, MGL_CODE_UNSUPPORTED,
                                  "`entity-view: joined` leaves whole persons out, with all their "
                                  "rows; give `suppressed: drop`"),
                         "suppressed");
}

mgl_status mgl_settings_check_persons(const mgl_checked_job *c)
{
    const mgl_settings *settings = c->settings;
    const mgl_entry *view = mgl_store_find(c->job, "entity-view", NULL);
    bool joined = settings->persons.view == MGL_VIEW_JOINED;
    if (view != NULL && settings->persons.column == NULL && (joined || view->place.load == 0))
        return mgl_place_fail(&view->place, MGL_CODE_MISSING_KEY, c->err,
                              "it is about the rows of persons; say which column tells persons "
                              "apart with `entity`");
    if (settings->persons.column == NULL)
        return MGL_OK;
    if (c->command == MGL_RISK && !joined)
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' tells persons apart, and `risk` looks at rows, unless "
                             "%s joins them",
                             "`entity-view: joined`");
    MGL_TRY(check_column(c));
    MGL_TRY(want_view(c));
    if (!joined)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_JOINED, settings, c->command, c->err));
    return want_drop(c);
}
