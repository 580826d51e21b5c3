/* Columns that say which person a row belongs to (`entity`) and for how many records it stands
 * (`count`); and what needs to know every row (`save-map`). */
#include "claims/claims.h"
#include "findings/findings.h"
#include "pipeline/pipeline.h"

static const char *persons_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->persons.column;
}

/* Who a row belongs to identifies the person: it is released as a pseudonym or not at all. */
static mgl_status assign_persons(const mgl_settings *settings, const mgl_source *source,
                                 size_t column, mgl_purpose purpose, mgl_error *err, mgl_role *role)
{
    const char *name = mgl_source_column(source, column);
    (void)err;
    if (settings->persons.column != NULL && strcmp(name, settings->persons.column) == 0)
        *role = mgl_settings_attribute(settings, name)->change != MGL_CELLS_STAY &&
                        mgl_purpose_searches(purpose)
                    ? MGL_ROLE_INSENSITIVE
                    : MGL_ROLE_IDENTIFIER;
    return MGL_OK;
}

static mgl_status carry_persons(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    size_t *released = mgl_arena_alloc(p->arena, sizeof *released);
    MGL_TRY(mgl_check_memory(released != NULL, err));
    p->promise.persons.joined = reading->settings->persons.view == MGL_VIEW_JOINED;
    if (reading->entity == NULL)
        return MGL_OK;
    *released = mgl_plan_column(p, reading->entity->source_index);
    if (!p->in_place && *released != SIZE_MAX)
        p->promise.persons.column = released;
    return mgl_plan_carry(p, reading->entity, err, &p->persons);
}

/* The release links the rows of a person. by_rows: models judge each row by itself; others: the
 * released columns that no model judges together, with commas between them. */
static void warn_linked(mgl_result *result, const char *entity, bool by_rows, mgl_span others)
{
    if (by_rows)
        mgl_result_warn(
            result, "linked-rows",
            "column \"%.60s\" links the rows of a person, and models judge each row by "
            "itself: anyone who knows several rows of a person can look for all of them "
            "together; `entity-view: joined` judges them so",
            entity);
    if (others.size > 0)
        mgl_result_warn(
            result, "linked-columns",
            "column \"%.60s\" links the rows of a person: what their order and these "
            "columns disclose about a person, all rows together, is no part of the promise: "
            "%.*s",
            entity, (int)others.size, others.data);
}

/* The released columns that no model judges together, but for the one that identifies persons. */
static void list_others(const mgl_reading *reading, mgl_buffer *out)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]) && c != reading->entity->source_index)
            mgl_buffer_format(out, "%s%.60s", out->size > 0 ? ", " : "",
                              mgl_source_column(reading->source, c));
}

static void warn_of_links(const mgl_reading *reading, mgl_result *result)
{
    mgl_buffer others = {0};
    if (reading->entity == NULL || !mgl_role_passes(reading->roles[reading->entity->source_index]))
        return;
    list_others(reading, &others);
    warn_linked(result, reading->entity->name, reading->settings->persons.view == MGL_VIEW_ROWS,
                others.failed ? (mgl_span){"", 0} : (mgl_span){others.data, others.size});
    mgl_buffer_free(&others);
}

static const mgl_feature_release persons_release = {.carry = carry_persons, .warn = warn_of_links};

/* The released columns that no model judges, but for that of the persons. */
static void warn_of_claimed(const mgl_claims *c, mgl_result *due)
{
    const char *entity = mgl_json_text(c->job, "entity");
    const json_t *column;
    mgl_buffer others = {0};
    size_t i;
    if (!c->follows_persons)
        return;
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && strcmp(name, entity) != 0 &&
            strcmp(role, mgl_role_name(MGL_ROLE_QUASI)) != 0 &&
            json_is_true(json_object_get(column, "released")))
            mgl_buffer_format(&others, "%s%.60s", others.size > 0 ? ", " : "", name);
    }
    if (!others.failed)
        warn_linked(due, entity, !c->joined, (mgl_span){others.data, others.size});
    mgl_buffer_free(&others);
}

static const mgl_claim persons_sections[] = {
    {"entity", MGL_OF_NONE, .shape = "*", .due = "job.entity due"},
    {"entity_view", MGL_OF_NONE, .shape = "*", .due = "job.entity-view due"},
    {.key = NULL}};

static const char *const persons_rules[] = {"entity = job.entity", "entity_view = job.entity-view",
                                            NULL};

static const mgl_feature_audit persons_audit = {
    .sections = persons_sections, .rules = persons_rules, .warn = warn_of_claimed};

const mgl_feature mgl_persons_feature = {.name = "persons",
                                         .release = &persons_release,
                                         .audit = &persons_audit,
                                         .key = "entity",
                                         .column_name = persons_column,
                                         .column = offsetof(mgl_reading, entity),
                                         .assign = assign_persons};

/* ---- Counted tables -------------------------------------------------------------------------- */

static const char *counts_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->counted.column;
}

extern const mgl_feature mgl_counts_feature;

/* Groups of records have no cells of single ones. */
static mgl_status fail_passed(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_CONFLICT, mgl_source_name(source), 0,
                    "column \"%.60s\" would be passed through, and the rows of a counted table "
                    "stand for several records; make it a quasi-identifier or sensitive, or leave "
                    "it out (`role: identifier`, `rest: drop`)",
                    name),
        name, "role");
}

/* Nor of a quasi-identifier with likelihood 0, which is released as it was. */
static mgl_status fail_unlinkable(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_CONFLICT, mgl_source_name(source), 0,
                    "column \"%.60s\" has linking likelihood 0 and would be passed through, and "
                    "the rows of a counted table stand for several records; give it a likelihood "
                    "above 0, or leave it out (`role: identifier`)",
                    name),
        name, "likelihood");
}

static bool is_unlinkable(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return attribute != NULL && attribute->role == MGL_ROLE_QUASI &&
           !mgl_settings_links(settings, attribute->name, &attribute->likelihood);
}

/* What is released of the column are sums. */
static mgl_status assign_counts(const mgl_settings *settings, const mgl_source *source,
                                size_t column, mgl_purpose purpose, mgl_error *err, mgl_role *role)
{
    const char *name = mgl_source_column(source, column);
    if (settings->counted.column == NULL)
        return MGL_OK;
    if (strcmp(name, settings->counted.column) == 0)
        *role = MGL_ROLE_IDENTIFIER;
    else if (*role == MGL_ROLE_INSENSITIVE && purpose == MGL_TO_RELEASE)
        return fail_passed(source, name, err);
    else if (purpose == MGL_TO_RELEASE &&
             is_unlinkable(settings, mgl_settings_attribute(settings, name)))
        return fail_unlinkable(source, name, err);
    return MGL_OK;
}

/* The numbers of the column, which the table borrows. */
static uint64_t **times_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_counts_feature);
}

/* A row stands for as many records as the column has. */
static mgl_status count_by_column(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    mgl_table *table = reading->table;
    (void)purpose;
    if (reading->counts == NULL)
        return MGL_OK;
    MGL_TRY(mgl_column_as_times(reading->counts, table->n_rows, err, times_of(reading)));
    table->times = *times_of(reading); /* the rows of a view belong to another table */
    return MGL_OK;
}

static void forget_times(mgl_reading *reading)
{
    mgl_free(*times_of(reading));
}

/* Rows of a counted table stand for several records. */
static const mgl_claim counts_sections[] = {
    {"counts", MGL_OF_NONE, .shape = "{column:s rows:i once:i released_rows:I rows_sha256:S}",
     .open = "counts.rows, counts.once", MGL_CLAIM_INPUT, .due = "job.count due"},
    {.key = NULL}};

static const char *const counts_rules[] = {"counts.column = job.count",
                                           "counts.released_rows = file.table_rows", NULL};

static const mgl_feature_audit counts_audit = {.sections = counts_sections, .rules = counts_rules};

const mgl_feature mgl_counts_feature = {.name = "counts",
                                        .audit = &counts_audit,
                                        .size = sizeof(uint64_t *),
                                        .column_name = counts_column,
                                        .column = offsetof(mgl_reading, counts),
                                        .key = "count",
                                        .assign = assign_counts,
                                        .on = {[MGL_ON_READ] = count_by_column},
                                        .forget = forget_times};

/* ---- Maps ------------------------------------------------------------------------------------ */

static bool saves_map(const mgl_reading *reading)
{
    return reading->settings->saved.map != NULL;
}

const mgl_feature mgl_map_feature = {.name = "map", .needs_rows = saves_map};
