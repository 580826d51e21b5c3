/* Population uniqueness: of the persons of the population, the share that is estimated to be unique
 * in it, from the classes of the release, is at most x. A row in model_rows.h.
 *
 * Estimates rise and fall with the sizes of all classes, so that nothing is known of merged ones:
 * searches look at every node. */
#include "privacy/models.h"

static const char *const estimators[] = {[MGL_UNIQUES_BY_RULE] = "dankar",
                                         [MGL_UNIQUES_PITMAN] = "pitman",
                                         [MGL_UNIQUES_ZAYATZ] = "zayatz",
                                         [MGL_UNIQUES_SNB] = "snb",
                                         NULL};

/* The sum of the weights gives the share of the population that is in the table. */
static double fraction_of(const mgl_facts *facts)
{
    const mgl_sample *sample = &facts->sample;
    if (sample->unit == 0)
        return sample->fraction;
    return (double)facts->n_rows / mgl_sample_persons(sample, facts->n_rows, sample->total);
}

/* NAN where the estimator has none: what cannot be estimated is not promised. */
static double measure(const mgl_model *model, const mgl_class_sizes *classes)
{
    double fraction = fraction_of(model->facts), rows = 0;
    for (size_t c = 0; c < classes->n; c++)
        rows += (double)classes->sizes[c];
    return mgl_population_uniques_by(classes, fraction,
                                     (mgl_uniques_estimator)model->parameters[1]) *
           fraction / rows;
}

static const mgl_parameter parameters[] = {
    {"x", "share of the population that may be unique in it", false, 0, 1, NULL},
    {"estimator", "who estimates it; dankar: by the rule of Dankar et al.", false, 0,
     MGL_UNIQUES_SNB, estimators},
};

#define COMMON                                                                                     \
    .help = "at most a share x of the population is estimated to be unique in it",                 \
    .when = "where the data is a sample and unique rows matter only if they are unique persons",   \
    .needs_fraction = true, .parameters = parameters, .n_parameters = 2, .scope = MGL_SCOPE_TABLE, \
    .table_holds = mgl_table_measures_at_most, .table_measure = measure, .empty_at_one = true

static const mgl_model_type weighed = {
    .name = "population-uniqueness", .option = "population-uniqueness", COMMON, .weighs = true};

const mgl_model_type mgl_population_uniqueness = {.name = "population-uniqueness",
                                                  .option = "population-uniqueness",
                                                  COMMON,
                                                  .sizes_only = true,
                                                  .weighed = &weighed};
