/* The table of features: who adds one adds a row here. */
#include "feature/feature.h"

/* The order matters: counts are there before columns are treated, treated values before those of
 * sensitive columns, and columns that models are judged with are numbered as they are added. */
const mgl_feature mgl_features[] = {
    {.name = "persons", .reading = &mgl_persons_reading},
    {.name = "weights", .reading = &mgl_weights_reading},
    {.name = "counts", .reading = &mgl_counts_reading},
    {.name = "strata", .reading = &mgl_strata_reading},
    {.name = "aggregate", .reading = &mgl_aggregate_reading, .release = &mgl_aggregate_release},
    {.name = "rare", .reading = &mgl_rare_reading},
    {.name = "map", .reading = &mgl_map_reading},
    {.name = "history", .reading = &mgl_history_reading},
    {.name = "treat",
     .reading = &mgl_treat_reading,
     .release = &mgl_treat_release,
     .describe = mgl_treatments_tell},
    {.name = "values", .reading = &mgl_sensitive_values_reading},
    {.name = "linked",
     .reading = &mgl_linked_reading,
     .release = &mgl_linked_release,
     .describe = mgl_linked_tell},
    {.name = "items",
     .reading = &mgl_items_reading,
     .release = &mgl_items_release,
     .describe = mgl_items_tell,
     .check = mgl_items_check},
    {.name = "parents", .reading = &mgl_parents_reading},
    {.name = "households", .reading = &mgl_households_reading},
    {.name = "population", .reading = &mgl_population_reading},
    {.name = NULL},
};
