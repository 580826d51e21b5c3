/* Tells by which hierarchy each column was released: given, proposed, or none. For results of
 * `anonymize`, `compare`, `utility` and `lattice`, and for the audit trail. */
#include "findings/describe.h"
#include "findings/sections.h"

/* Why a column has no hierarchy, in one word; NULL: it has one. A comparison reads the table once
 * for all methods, some of which do not use the hierarchies that are there. */
static const char *without_hierarchy(const mgl_outcome *outcome, const mgl_quasi_column *quasi,
                                     size_t a)
{
    bool none = quasi->settings->hierarchy == NULL && quasi->proposed == NULL;
    if (quasi->proposed != NULL && outcome != NULL && outcome->reading->settings->counted.least > 0)
        return NULL;
    if (outcome != NULL && quasi->settings->aggregate != MGL_AGGREGATE_NOT)
        return mgl_aggregate_words[quasi->settings->aggregate];
    if (outcome != NULL && outcome->solution->recoding->columns[a]->scale != NULL)
        return "ranges";
    if (outcome != NULL && outcome->method->keeps_values && !quasi->settings->asks_for_levels)
        none = quasi->settings->hierarchy == NULL;
    return none ? "suppress" : NULL;
}

const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a)
{
    const mgl_quasi_column *quasi = &outcome->reading->quasi[a];
    const char *given = quasi->settings->hierarchy;
    if (without_hierarchy(outcome, quasi, a) != NULL)
        return NULL;
    return given != NULL && !mgl_hierarchy_is_builder(given) ? given : quasi->hierarchy->resolved;
}

static json_t *column_json(const mgl_quasi_column *quasi, const char *without)
{
    json_t *object = json_object();
    const char *given = quasi->settings->hierarchy;
    const char *kind = without != NULL ? "none" : given != NULL ? "given" : "proposed";
    const char *builder = without != NULL ? without : given != NULL ? given : quasi->proposed;
    mgl_json_set(object, "hierarchy", json_string(kind));
    mgl_json_set(object, "builder", json_string(mgl_hierarchy_name(builder)));
    if (without == NULL)
        mgl_json_set(object, "resolved",
                     json_string(mgl_hierarchy_name(quasi->hierarchy->resolved)));
    return object;
}

json_t *mgl_proposals_json(const mgl_reading *reading, const mgl_outcome *outcome)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        mgl_json_set(object, quasi->settings->name,
                     column_json(quasi, without_hierarchy(outcome, quasi, a)));
    }
    return object;
}
