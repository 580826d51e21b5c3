/* Tells what models were judged by that look at the population: weights or a sampling fraction.
 * describe_solution.c and `check` call it. */
#include "findings/pieces/pieces.h"

static bool looks_at_sample(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_models; i++) {
        const mgl_model_type *type = mgl_model_type_find(settings->models[i].type->name);
        if (type != settings->models[i].type || type->needs_fraction)
            return true;
    }
    return false;
}

void mgl_tell_population(const mgl_task *task, json_t *document)
{
    const mgl_settings *settings = task->reading->settings;
    const mgl_sample *sample = &task->facts.sample;
    if (!looks_at_sample(settings))
        return;
    json_t *object = json_object();
    bool weighs = sample->unit > 0;
    double persons = weighs ? (double)sample->total / (double)sample->unit
                            : (double)task->facts.n_rows / sample->fraction;
    mgl_json_set(object, "known_by", json_string(weighs ? "weight" : "sampling-fraction"));
    mgl_json_set(object, "column", weighs ? json_string(settings->sampled.weight) : json_null());
    mgl_json_set(object, "fraction", weighs ? json_null() : mgl_json_real(sample->fraction));
    mgl_json_set(object, "persons", mgl_json_real(persons));
    mgl_json_set(document, "population", object);
}
