/* A toy model: in no class does the most common value of the sensitive column occur more than so
 * many times as often as the rarest one there. It says nothing of itself but what it must, and it
 * is closed under nothing: two classes of one value each hold, and their union need not. */
#include "privacy/models.h"

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    uint64_t least = UINT64_MAX, most = 0;
    for (size_t i = 0; i < histogram->size; i++) {
        least = histogram->counts[i] < least ? histogram->counts[i] : least;
        most = histogram->counts[i] > most ? histogram->counts[i] : most;
    }
    return most == 0 ? 1 : (double)most / (double)least;
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    return mgl_at_most(measure(model, group), model->parameters[0]);
}

static const mgl_parameter parameters[] = {
    {"times", "how often as often as the rarest value the most common one may occur", false, 1,
     1000, NULL},
};

const mgl_model_type mgl_toy_balance = {
    .name = "toy-balance",
    .option = "toy-balance",
    .help = "toy: the values of the sensitive column in every class are about equally common",
    .when = "in tests",
    .takes_attribute = true,
    .parameters = parameters,
    .n_parameters = 1,
    .holds = holds,
    .measure = measure,
};
