/* Strata that are searched on their own (`by`): the section "strata" of a result. */
#include "findings/findings.h"

/* Strata of which a result reports everything that the method found; of more it would be long. */
enum { MOST_TOLD = 100 };

/* The values that all its rows have, which are released as they are. */
static json_t *values_json(const mgl_outcome *outcome, const mgl_stratum *stratum)
{
    const mgl_recoding *recoding = outcome->solution->recoding;
    json_t *object = json_object();
    for (size_t a = 0; a < outcome->solution->strata->n_held; a++) {
        uint32_t value = recoding->cells[a][stratum->first];
        mgl_json_set(object, outcome->reading->quasi[a].settings->name,
                     mgl_released_text(outcome->reading->settings,
                                       recoding->columns[a]->values[value].label));
    }
    return object;
}

/* Levels of the columns that are searched within strata. */
static json_t *levels_json(const mgl_outcome *outcome, const uint32_t *levels)
{
    size_t n_held = outcome->solution->strata->n_held;
    if (levels == NULL)
        return json_null();
    json_t *object = json_object();
    for (size_t a = n_held; a < outcome->reading->n_quasi; a++)
        mgl_json_set(object, outcome->reading->quasi[a].settings->name,
                     mgl_json_count(levels[a - n_held]));
    return object;
}

static json_t *bound_json(const mgl_stratum *stratum)
{
    const mgl_solution *solution = stratum->solution;
    if (!solution->exact && !solution->bounded)
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "best_possible",
                 mgl_json_real(solution->exact ? stratum->value : solution->best_possible));
    mgl_json_set(object, "exact", json_boolean(solution->exact));
    return object;
}

static json_t *stratum_json(const mgl_outcome *outcome, const mgl_stratum *stratum)
{
    const mgl_solution *solution = stratum->solution;
    json_t *object = json_object();
    mgl_json_set(object, "by", values_json(outcome, stratum));
    mgl_json_set(object, "rows", mgl_json_count(stratum->n_rows));
    mgl_json_set(object, "suppressed_rows", mgl_json_count(solution->suppressed_rows));
    mgl_json_set(object, "classes", mgl_json_count(stratum->n_classes));
    mgl_json_set(object, "smallest_class", mgl_json_count(stratum->smallest));
    mgl_json_set(object, "node", levels_json(outcome, solution->node));
    mgl_json_set(object, "levels", levels_json(outcome, mgl_solution_levels(solution)));
    mgl_json_set(object, "value", mgl_json_real(stratum->value));
    mgl_json_set(object, "bound", bound_json(stratum));
    if (outcome->solution->strata->n > MOST_TOLD || solution->findings == NULL)
        return object;
    json_t *found = json_object();
    mgl_solution_write(solution, found);
    mgl_json_set(object, "found", found);
    return object;
}

static void tell(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_strata *strata = outcome->solution->strata;
    if (strata == NULL)
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < strata->n; i++)
        mgl_json_append(list, stratum_json(outcome, &strata->of[i]));
    mgl_json_set(result->document, "strata", list);
}

extern const mgl_feature mgl_strata_feature;

/* The rows of each stratum are released with the cells that they had. */
static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    mgl_promised_strata *promised = mgl_feature_made(written, &mgl_strata_feature);
    (void)err;
    *promised = (mgl_promised_strata){(const mgl_column *const *)&p->tags.strata,
                                      p->format != NULL && p->format->text};
    mgl_plan_promise(p, &mgl_strata_judge, promised, task->reading->settings->strata.n > 0);
    return MGL_OK;
}

static const mgl_feature_release release = {
    .size = sizeof(mgl_promised_strata), .plan = plan, .found = tell};

static bool has_strata(const mgl_reading *reading)
{
    return reading->settings->strata.n > 0;
}

const mgl_feature mgl_strata_feature = {
    .name = "strata", .release = &release, .rows_key = "by", .needs_rows = has_strata};
