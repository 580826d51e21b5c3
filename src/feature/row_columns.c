/* Columns that say which person a row belongs to (`entity`), what it weighs (`weight`) and for how
 * many records it stands (`count`); and what needs to know every row (`save-map`). */
#include "claims/claims.h"
#include "findings/findings.h"
#include "pipeline/pipeline.h"

static const char *persons_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->persons.column;
}

static bool has_persons(const mgl_reading *reading)
{
    return reading->settings->persons.column != NULL;
}

static mgl_status carry_persons(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    size_t *released = mgl_arena_alloc(p->arena, sizeof *released);
    MGL_TRY(mgl_check_memory(released != NULL, err));
    p->promise.joined = reading->settings->persons.view == MGL_VIEW_JOINED;
    if (reading->entity == NULL)
        return MGL_OK;
    *released = mgl_plan_column(p, reading->entity->source_index);
    if (!p->in_place && *released != SIZE_MAX)
        p->promise.person_column = released;
    return mgl_plan_carry(p, reading->entity, err, &p->persons);
}

static const mgl_feature_release persons_release = {.carry = carry_persons};

/* The released columns that no model judges, but for that of the persons. */
static void warn_of_links(const mgl_claims *c, mgl_result *due)
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
        mgl_result_warn_linked(due, entity, !c->joined, (mgl_span){others.data, others.size});
    mgl_buffer_free(&others);
}

static const mgl_claim persons_sections[] = {
    {"entity", MGL_OF_NONE, .shape = "*", .due = "job.entity due"},
    {"entity_view", MGL_OF_NONE, .shape = "*", .due = "job.entity-view due"},
    {.key = NULL}};

static const char *const persons_rules[] = {"entity = job.entity", "entity_view = job.entity-view",
                                            NULL};

static const mgl_feature_audit persons_audit = {
    .sections = persons_sections, .rules = persons_rules, .warn = warn_of_links};

const mgl_feature mgl_persons_feature = {.name = "persons",
                                         .release = &persons_release,
                                         .audit = &persons_audit,
                                         .rows_key = "entity",
                                         .needs_rows = has_persons,
                                         .column_name = persons_column,
                                         .column = offsetof(mgl_reading, entity)};

/* Weights that models look at are among the counted columns. */
static const char *weights_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->sampled.weighs ? NULL : settings->sampled.weight;
}

static bool weighs(const mgl_reading *reading)
{
    return reading->settings->sampled.weighs;
}

/* Weights are read anew: the verifier does not ask the list that was searched. */
static mgl_status carry_weights(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    if (!weighs(reading))
        return MGL_OK;
    uint64_t *of_code, unit;
    size_t n = mgl_dictionary_size(reading->weight->dictionary);
    MGL_TRY(mgl_weights_fix(reading, err, &of_code, &unit));
    uint64_t *kept = mgl_arena_alloc(p->arena, n * sizeof *kept);
    if (kept != NULL)
        memcpy(kept, of_code, n * sizeof *kept);
    mgl_free(of_code);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    p->promise.weight_of_code = kept;
    return mgl_plan_carry(p, reading->weight, err, &p->promise.weights);
}

static const mgl_feature_release weights_release = {.carry = carry_weights};

/* Does a model of the result look at weights or a sampling fraction? */
static void note_sample(mgl_claims *c)
{
    const json_t *model;
    bool looks = false;
    size_t i;
    json_array_foreach(json_object_get(c->claimed, "models"), i, model)
    {
        const mgl_model_type *type = mgl_claims_model_type(model);
        looks = looks || (type != NULL &&
                          (type->needs_fraction || mgl_claims_sampled_type(c, type) != type));
    }
    mgl_json_set(c->is, "sampled", json_boolean(looks));
    mgl_json_set(c->is, "fraction", mgl_json_real(c->settings->sampled.fraction));
}

static const char *why_unweighed(const mgl_claims *c, const mgl_model_type *type)
{
    bool weights = json_object_get(c->job, "weight") != NULL;
    return c->settings->sampled.weight == NULL &&
                   mgl_model_type_of_sample(type, weights, false)->weighs
               ? "needs the weights, which the release lacks; `weight: COLUMN`, with a copy that "
                 "has them"
               : NULL;
}

static const mgl_claim weights_sections[] = {{"population", MGL_OF_NONE,
                                              .shape = "{known_by:s column:S fraction:N persons:n}",
                                              .due = "is.sampled"},
                                             {.key = NULL}};

static const mgl_claim_open weights_opens[] = {
    {"population.persons", "needs the weights of all rows",
     "population and !found.population or population and rows != released_rows"},
    {.what = NULL}};

/* Of weights that are released, and rows that are all released, the sum is found anew. */
static const char *const weights_rules[] = {
    "population.known_by = 'weight' if job.weight due",
    "population.known_by = 'sampling-fraction' if !job.weight due",
    "population.column = job.weight | null",
    "population.fraction = null if job.weight due",
    "population.fraction = is.fraction if !job.weight due",
    "population.persons = found.population.persons if found.population and rows = released_rows",
    NULL};

static const mgl_feature_audit weights_audit = {.sections = weights_sections,
                                                .opens = weights_opens,
                                                .rules = weights_rules,
                                                .count = note_sample,
                                                .unjudged = why_unweighed};

const mgl_feature mgl_weights_feature = {.name = "weights",
                                         .release = &weights_release,
                                         .audit = &weights_audit,
                                         .rows_key = "weight",
                                         .needs_rows = weighs,
                                         .column_name = weights_column,
                                         .column = offsetof(mgl_reading, weight)};

/* ---- Counted tables -----------------------------------------------------------------------------
 */

static const char *counts_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->counted.column;
}

static bool is_counted(const mgl_reading *reading)
{
    return reading->settings->counted.column != NULL;
}

extern const mgl_feature mgl_counts_feature;

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
                                        .needs_rows = is_counted,
                                        .column_name = counts_column,
                                        .column = offsetof(mgl_reading, counts),
                                        .on = {[MGL_ON_READ] = count_by_column},
                                        .forget = forget_times};

/* ---- Maps ---------------------------------------------------------------------------------------
 */

static bool saves_map(const mgl_reading *reading)
{
    return reading->settings->saved.map != NULL;
}

const mgl_feature mgl_map_feature = {.name = "map", .needs_rows = saves_map};
