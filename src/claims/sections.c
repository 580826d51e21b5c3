/* Compares the sections of a result, a row of a table each: whether it is there, its shape, and its
 * values; and asks features what they do with a column. */
#include "claims/claims.h"

static bool lacks(mgl_claims *c, const mgl_claim *row)
{
    return ((row->always & MGL_OF_QUASI) != 0 && c->reading->n_quasi == 0) ||
           ((row->always & MGL_OF_INPUT) != 0 && mgl_claims_condition(c, "is.withheld"));
}

static void compare_section(mgl_claims *c, const mgl_claim *row)
{
    const json_t *claimed = json_object_get(c->claimed, row->key);
    bool earlier = json_object_get(c->claimed, "with") != NULL;
    unsigned here = !c->applied ? MGL_OF_ANONYMIZE
                    : earlier   ? MGL_OF_APPLY
                                : MGL_OF_APPLY | MGL_OF_LONE;
    bool ruled = row->always != MGL_OF_NONE || row->due != NULL;
    bool due = row->due != NULL ? mgl_claims_condition(c, row->due)
                                : (row->always & here) != 0 && !lacks(c, row);
    bool whole = !ruled || mgl_claims_due(c, row->key, claimed, due);
    whole = whole && (claimed == NULL || mgl_claims_shape(c, row->key, claimed, row->shape));
    if (whole && row->compare != NULL)
        row->compare(c, claimed);
    if (claimed != NULL && row->open != NULL) /* null: all of it is */
        mgl_claims_skip(c, json_is_null(claimed) ? row->key : row->open, row->why);
}

void mgl_claims_table(mgl_claims *c, const mgl_claim *sections, const mgl_claim_open *opens,
                      const char *const *rules)
{
    for (; sections != NULL && sections->key != NULL && c->status == MGL_OK; sections++)
        compare_section(c, sections);
    for (; opens != NULL && opens->what != NULL; opens++)
        if (mgl_claims_condition(c, opens->when))
            mgl_claims_skip(c, opens->what, opens->why);
    mgl_claims_rules(c, rules);
}

bool mgl_claims_has_row(const mgl_claim *rows, const char *key)
{
    while (rows != NULL && rows->key != NULL && strcmp(rows->key, key) != 0)
        rows++;
    return rows != NULL && rows->key != NULL;
}

unsigned mgl_claims_of_column(const mgl_claims *c, const char *column)
{
    unsigned flags = 0;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->column != NULL)
            flags |= (*f)->audit->column(c, column);
    return flags;
}

const mgl_model_type *mgl_claims_model_type(const json_t *model)
{
    const char *name = mgl_json_text(model, "model");
    return name != NULL ? mgl_model_type_find(name) : NULL;
}

const mgl_model_type *mgl_claims_sampled_type(const mgl_claims *c, const mgl_model_type *type)
{
    return mgl_model_type_of_sample(type, json_object_get(c->job, "weight") != NULL,
                                    json_object_get(c->job, "sampling-fraction") != NULL);
}

bool mgl_claims_any_type(const mgl_claims *c, bool (*has)(const mgl_model_type *type))
{
    const json_t *models = json_object_get(c->claimed, "models");
    bool any = false;
    for (size_t i = 0; !any && i < json_array_size(models); i++) {
        const mgl_model_type *type = mgl_claims_model_type(json_array_get(models, i));
        any = type != NULL && has(mgl_claims_sampled_type(c, type));
    }
    return any;
}
