/* The features, a row each. The order matters: counts are there before columns are treated, treated
 * values before those of sensitive columns, and columns that models are judged with are numbered as
 * they are added. Sections of results follow it, too. */
MGL_ROW(mgl_persons_feature)
MGL_ROW(mgl_weights_feature)
MGL_ROW(mgl_counts_feature)
MGL_ROW(mgl_strata_feature)
MGL_ROW(mgl_aggregate_feature)
MGL_ROW(mgl_map_feature)
MGL_ROW(mgl_history_feature)
MGL_ROW(mgl_treat_feature)
MGL_ROW(mgl_sensitive_values_feature)
MGL_ROW(mgl_linked_feature)
MGL_ROW(mgl_items_feature)
MGL_ROW(mgl_parents_feature)
MGL_ROW(mgl_households_feature)
MGL_ROW(mgl_rare_feature)
MGL_ROW(mgl_population_feature)
MGL_ROW(mgl_differential_feature)
