/* Columns that follow quasi-identifiers (`linked`), and those that may have to (`follow`): which
 * they are, and the hierarchies by which they are generalized. What becomes of them is known when
 * the search has ended (following.c). */
#include "feature/linked/linked.h"
#include "pipeline/pipeline.h"

/* ---- Which they are -----------------------------------------------------------------------------
 */

mgl_linked_columns *mgl_linked_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_linked_feature);
}

static mgl_status refuse(const char *name, const char *why, mgl_error *err)
{
    return mgl_blame_key(
        err, mgl_fail(err, MGL_CODE_CONFLICT, "`linked`: column '%.60s' %s", name, why), "linked");
}

/* What stands against a column that the job links; NULL: nothing. */
static const char *objection(const mgl_reading *reading, size_t column)
{
    const char *name = mgl_source_column(reading->source, column);
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, name);
    if (reading->roles[column] == MGL_ROLE_IDENTIFIER)
        return "is not released; leave it out of the list";
    if (reading->roles[column] == MGL_ROLE_SENSITIVE)
        return "is sensitive, and models judge its values as they are; leave it out of the list, "
               "or make it a quasi-identifier";
    if (said != NULL && said->treat != NULL)
        return "has a treatment as well; leave out one of the two";
    return NULL;
}

static void add(mgl_reading *reading, size_t column, bool named)
{
    mgl_linked_columns *all = mgl_linked_of(reading);
    all->of[all->n++] = (mgl_linked_column){
        .name = mgl_source_column(reading->source, column), .field = column, .named = named};
}

static mgl_status open_named(mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    mgl_linked_columns *all = mgl_linked_of(reading);
    for (size_t i = 0; i < settings->n_linked; i++) {
        size_t column = mgl_source_find(reading->source, settings->linked[i]);
        if (column == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(reading->source, settings->linked[i], err),
                                 "linked");
        const char *why = objection(reading, column);
        if (why != NULL)
            return refuse(settings->linked[i], why, err);
        if (reading->roles[column] != MGL_ROLE_QUASI)
            add(reading, column, true);
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (mgl_is_linked(settings, reading->quasi[a].settings->name))
            all->leads[all->n_leads++] = (uint32_t)a;
    if (all->n_leads == 0)
        return refuse(settings->linked[0],
                      "is linked to no quasi-identifier; name one that the others follow", err);
    if (all->n == 0)
        return refuse(settings->linked[0],
                      "is linked to quasi-identifiers alone, which are generalized in any case; "
                      "name a column that follows them",
                      err);
    return MGL_OK;
}

/* Every column that is released as it is may turn out to give a quasi-identifier back. */
static void open_others(mgl_reading *reading)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (reading->roles[c] == MGL_ROLE_INSENSITIVE && objection(reading, c) == NULL &&
            !mgl_is_linked(reading->settings, mgl_source_column(reading->source, c)))
            add(reading, c, false);
}

static mgl_status open_columns(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    mgl_linked_columns *all = mgl_linked_of(reading);
    size_t n;
    if ((settings->n_linked == 0 && !settings->follow) || purpose != MGL_TO_RELEASE ||
        mgl_source_parts(reading->source, &n) != NULL || reading->counted_by_source)
        return MGL_OK;
    all->of = mgl_zeroed_array(mgl_source_columns(reading->source), sizeof *all->of);
    all->leads = mgl_alloc_array(reading->n_quasi, sizeof *all->leads);
    if (all->of == NULL || all->leads == NULL)
        return mgl_fail_memory(err);
    if (settings->n_linked > 0)
        MGL_TRY(open_named(reading, err));
    if (settings->follow)
        open_others(reading);
    return MGL_OK;
}

/* ---- What is read of them -----------------------------------------------------------------------
 */

static size_t wish(const mgl_reading *reading, mgl_purpose purpose, mgl_column_wish *wishes,
                   size_t n)
{
    const mgl_linked_columns *all = mgl_linked_of(reading);
    (void)purpose;
    for (size_t i = 0; i < all->n; i++)
        n = mgl_wish(reading, all->of[i].field, wishes, n);
    return n;
}

static mgl_status bind_column(mgl_reading *reading, mgl_linked_column *linked, mgl_error *err)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(reading->settings, linked->name);
    const mgl_kept *kept, *leaves;
    linked->column = mgl_wished(reading, linked->field);
    if (linked->column == NULL)
        return MGL_OK;
    bool given = said != NULL && said->hierarchy != NULL;
    mgl_tree_order order = {.table = reading->table,
                            .column = linked->column,
                            .origin = given ? MGL_TREE_GIVEN : MGL_TREE_OF_VALUES,
                            .spec = given ? said->hierarchy : NULL};
    MGL_TRY(mgl_tree_find(reading, &order, err, &kept));
    MGL_TRY(mgl_leaves_find(reading, kept, linked->column, err, &leaves));
    linked->hierarchy = ((const mgl_tree *)kept->thing)->hierarchy;
    linked->leaf_of_code = leaves->thing;
    return MGL_OK;
}

static mgl_status bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    mgl_linked_columns *all = mgl_linked_of(reading);
    (void)purpose;
    for (size_t i = 0; i < all->n; i++)
        MGL_TRY(bind_column(reading, &all->of[i], err));
    return MGL_OK;
}

static void forget(mgl_reading *reading)
{
    mgl_free(mgl_linked_of(reading)->of);
    mgl_free(mgl_linked_of(reading)->leads);
}

static bool needs_rows(const mgl_reading *reading)
{
    return mgl_linked_of(reading)->n > 0;
}

static mgl_status refuse_engine(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->n_linked > 0 ? "linked" : settings->follow ? "follow" : NULL;
    if (key == NULL)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                  "`%s`: the database writes columns that are no "
                                  "quasi-identifiers as they are; write the release to a file, for "
                                  "which the rows are fetched",
                                  key),
                         key);
}

const mgl_feature mgl_linked_feature = {
    .name = "linked",
    .size = sizeof(mgl_linked_columns),
    .release = &mgl_linked_release,
    .refuse_engine = refuse_engine,
    .needs_rows = needs_rows,
    .wish = wish,
    .on = {[MGL_ON_OPEN] = open_columns, [MGL_ON_READ] = bind},
    .forget = forget};
