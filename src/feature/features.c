/* The table of features: who adds one adds a row here. */
#include "feature/feature.h"

/* The order matters: counts are there before columns are treated, treated values before those of
 * sensitive columns, and columns that models are judged with are numbered as they are added. */
const mgl_feature mgl_features[] = {
    {"persons", &mgl_persons_reading, NULL, NULL, NULL},
    {"weights", &mgl_weights_reading, NULL, NULL, NULL},
    {"counts", &mgl_counts_reading, NULL, NULL, NULL},
    {"strata", &mgl_strata_reading, NULL, NULL, NULL},
    {"aggregate", &mgl_aggregate_reading, &mgl_aggregate_release, NULL, NULL},
    {"rare", &mgl_rare_reading, NULL, NULL, NULL},
    {"map", &mgl_map_reading, NULL, NULL, NULL},
    {"history", &mgl_history_reading, NULL, NULL, NULL},
    {"treat", &mgl_treat_reading, &mgl_treat_release, mgl_treatments_tell, NULL},
    {"values", &mgl_sensitive_values_reading, NULL, NULL, NULL},
    {"linked", &mgl_linked_reading, &mgl_linked_release, mgl_linked_tell, NULL},
    {"items", &mgl_items_reading, &mgl_items_release, mgl_items_tell, mgl_items_check},
    {"parents", &mgl_parents_reading, NULL, NULL, NULL},
    {"households", &mgl_households_reading, NULL, NULL, NULL},
    {"population", &mgl_population_reading, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
