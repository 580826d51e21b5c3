/* Compares what a result claims about the population that its table is a sample of. The table in
 * claims.c calls it. */
#include "command/audit/claims.h"

/* Does a model of the job look at weights or a sampling fraction? */
static bool is_due(const mgl_claims *c)
{
    bool fraction = json_object_get(c->job, "sampling-fraction") != NULL;
    const json_t *models = json_object_get(c->claimed, "models");
    for (size_t i = 0; i < json_array_size(models); i++) {
        const char *name = mgl_json_text(json_array_get(models, i), "model");
        const mgl_model_type *type = name != NULL ? mgl_model_type_find(name) : NULL;
        if (type != NULL &&
            (type->needs_fraction ||
             mgl_model_type_of_sample(type, mgl_claims_weight(c), fraction) != type))
            return true;
    }
    return false;
}

/* Of weights that are released, and rows that are all released, the sum is told anew. */
void mgl_claim_population(mgl_claims *c, const json_t *claimed)
{
    const json_t *found = json_object_get(c->found, "population");
    if (!mgl_claims_due(c, "population", claimed, is_due(c)) ||
        !mgl_claims_shape(c, "population", claimed, "known_by:s column:S fraction:N persons:n"))
        return;
    bool weighs = mgl_claims_weight(c);
    mgl_claims_agree_new(c, "population.known_by", json_object_get(claimed, "known_by"),
                         json_string(weighs ? "weight" : "sampling-fraction"));
    mgl_claims_agree_new(c, "population.column", json_object_get(claimed, "column"),
                         weighs ? json_incref(json_object_get(c->job, "weight")) : json_null());
    mgl_claims_agree_new(c, "population.fraction", json_object_get(claimed, "fraction"),
                         weighs ? json_null() : mgl_json_real(c->settings->sampled.fraction));
    if (found != NULL && json_equal(json_object_get(c->claimed, "rows"),
                                    json_object_get(c->claimed, "released_rows")))
        mgl_claims_compare(c, "population.persons", json_object_get(claimed, "persons"),
                           json_object_get(found, "persons"));
    else
        mgl_claims_skip(c, "population.persons", "needs the weights of all rows");
}

/* Rows above the risk are among those that are suppressed. */
void mgl_claim_above(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "suppress-above");
    double risk;
    if (!mgl_claims_due(c, "suppressed_above", claimed, said != NULL && !c->applied) ||
        !mgl_claims_shape(c, "suppressed_above", claimed, "risk:n rows:i joined:i"))
        return;
    if (mgl_parse_double(mgl_span_of(said), &risk))
        mgl_claims_agree_new(c, "suppressed_above.risk", json_object_get(claimed, "risk"),
                             mgl_json_real(risk));
    if (c->top_rows < c->rows &&
        mgl_json_whole(claimed, "rows") + mgl_json_whole(claimed, "joined") >
            mgl_json_whole(c->claimed, "suppressed_rows"))
        mgl_claims_contradict(c, "suppressed_above.rows", json_object_get(claimed, "rows"));
}
