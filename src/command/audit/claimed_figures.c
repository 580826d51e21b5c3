/* Compares the aggregates of a result: those of the release are counted in the file, and all of
 * them must fit each other and the measures. */
#include "command/audit/sections.h"

#include <math.h>

/* The number of bins up to the last that has a class. */
static size_t used_bins(const json_t *bins)
{
    size_t n = json_array_size(bins);
    while (n > 0 && mgl_json_whole(json_array_get(bins, n - 1), "classes") == 0)
        n--;
    return n;
}

static void compare_sizes(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    size_t n = used_bins(claimed);
    bool same = n == used_bins(found);
    for (size_t i = 0; same && i < n; i++)
        same = json_equal(json_array_get(claimed, i), json_array_get(found, i));
    if (!same)
        mgl_claims_compare(c, "figures.class_sizes.after", claimed, json_incref((json_t *)found));
}

/* Dropped rows count at the level of the top, the lowest that carries its label. */
static void check_precision(mgl_claims *c, const json_t *column, double lost, size_t lowest)
{
    double n = mgl_json_number(c->claimed, "rows"),
           dropped = mgl_json_number(column, "rows_dropped"),
           height = mgl_json_number(column, "height"),
           precision = mgl_json_number(column, "precision"), expected = 0;
    bool same = false;
    for (size_t l = (size_t)height + 1; !same && l-- > lowest;) {
        expected = 1 - (lost + dropped * (double)l / height) / n;
        same = fabs(precision - expected) <= 1e-9 * fmax(fabs(expected), 1e-6);
    }
    if (!same)
        mgl_claims_agree(c, "figures.columns: precision", json_object_get(column, "precision"),
                         mgl_json_real(expected));
}

static uint64_t rows_with(const mgl_claims *c, size_t a, mgl_span label)
{
    const mgl_released_column *column = c->reading->released[a];
    for (uint32_t v = 0; v < column->n_values; v++)
        if (c->cells[a][v] > 0 && mgl_span_equal(column->values[v].label, label))
            return c->cells[a][v];
    return 0;
}

/* Where a column has one level, its groups are its cells. */
static void check_groups(mgl_claims *c, const json_t *claimed, size_t a)
{
    const json_t *group, *node = json_object_get(c->claimed, "node");
    bool cells =
        json_is_object(node) && json_object_get(c->job, "neutralize") == NULL &&
        json_equal(json_object_get(node, mgl_claim_quasi(c, a)), json_object_get(claimed, "level"));
    size_t i;
    json_array_foreach(json_object_get(claimed, "groups"), i, group)
    {
        const char *label = mgl_json_text(group, "value");
        if (cells && label != NULL)
            mgl_claims_compare(c, "figures.columns: distribution", json_object_get(group, "after"),
                               mgl_json_count(rows_with(c, a, mgl_span_of(label))));
    }
}

/* A top that is also the label of a lower level counts there. */
static void compare_column(mgl_claims *c, const json_t *claimed, size_t a)
{
    const json_t *levels = json_object_get(claimed, "rows_at_level");
    size_t height = (size_t)mgl_json_whole(claimed, "height");
    bool made = mgl_json_whole(claimed, "rows_made") > 0;
    double lost = 0;
    for (size_t l = 0; l < json_array_size(levels); l++)
        lost += (double)mgl_claim_whole_at(levels, l) * (double)l / (double)height;
    if (mgl_json_is_number(claimed, "precision") && !made)
        check_precision(c, claimed, lost, mgl_claim_whole_at(levels, height) > 0 ? height : 0);
    check_groups(c, json_object_get(claimed, "distribution"), a);
}

static double weight_of(mgl_claims *c, size_t a)
{
    const char *column = mgl_claim_quasi(c, a), *given = mgl_claim_field(c, column, "weight");
    mgl_by_set weight;
    if (given == NULL)
        return 1;
    if (mgl_read_by_set(mgl_span_of(given), &weight))
        return mgl_settings_weight(c->settings, column, &weight);
    mgl_claims_require(c, false, "audit.job.attributes: weight", NULL);
    return 1;
}

/* Measures that follow from the precision and the loss of each column. */
static void check_measures(mgl_claims *c, const json_t *columns)
{
    size_t n, m = c->reading->n_quasi;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    double *distortion = mgl_arena_alloc(c->task->arena, 3 * m * sizeof *distortion);
    double *loss = distortion + m, *weights = loss + m;
    mgl_statistics s = {
        .n_rows = 1, .n_attributes = m, .distortion = distortion, .loss = loss, .weights = weights};
    json_t *expected = json_object();
    if (distortion == NULL)
        c->status = mgl_fail_memory(c->err);
    for (size_t a = 0; distortion != NULL && a < m; a++) {
        const json_t *column = json_array_get(columns, a);
        distortion[a] = 1 - mgl_json_number(column, "precision");
        loss[a] = mgl_json_number(column, "loss");
        weights[a] = weight_of(c, a);
    }
    for (size_t i = 0; distortion != NULL && i < n; i++)
        if (mgl_is_by_column(types[i]) &&
            (types[i]->cells == MGL_PAYS_LEVEL || types[i]->cells == MGL_PAYS_LEAVES))
            mgl_json_set(expected, types[i]->key, mgl_json_real(types[i]->value(&s)));
    mgl_claims_agree(c, "utility", json_object_get(c->claimed, "utility"), expected);
}

/* Classes as the models see them: exempt rows are in none. */
static mgl_status closeness_of_file(const mgl_claims *c, json_t **out)
{
    size_t n = c->problem->list->n_tuples;
    bool exempt = c->settings->treatment == MGL_EXEMPT;
    uint32_t *class_of = mgl_alloc_array(n, sizeof *class_of);
    MGL_TRY(mgl_check_memory(class_of != NULL, c->err));
    for (size_t t = 0; t < n; t++)
        class_of[t] = exempt && c->left_out[t] ? MGL_NOT_FOUND : (uint32_t)t;
    mgl_status status = mgl_closeness_json(c->task, class_of, n, c->err, out);
    mgl_free(class_of);
    return status;
}

static bool looks_at_values(const mgl_model_settings *models, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (mgl_looks_at_values(models[i].type))
            return true;
    return false;
}

/* Distances are from all rows of the input: of dropped ones they are not known. */
static void compare_closeness(mgl_claims *c, const json_t *after, const json_t *found)
{
    mgl_claims_compare(c, "figures.sensitive: distinct_values",
                       json_object_get(after, "distinct_values"),
                       json_incref(json_object_get(found, "distinct_values")));
    if (c->rows == mgl_json_whole(c->claimed, "rows"))
        mgl_claims_compare(c, "figures.sensitive: distances", json_object_get(after, "distances"),
                           json_incref(json_object_get(found, "distances")));
}

/* All sensitive columns are in it, if a model looks at them, or if they are released in another
 * spelling. */
static void compare_sensitive(mgl_claims *c, const json_t *claimed)
{
    const mgl_settings *s = c->settings;
    char name[MGL_CLAIM_NAME];
    json_t *found = NULL;
    bool due = looks_at_values(s->models, s->n_models) ||
               looks_at_values(s->claimed.unjudged, s->claimed.n_unjudged) ||
               mgl_claims_condition(c, "job.trim = 'true' or job.fold-case = 'true'");
    mgl_claims_require(c, claimed == NULL || json_object_size(claimed) == c->reading->n_sensitive,
                       "figures.sensitive", claimed);
    if (claimed != NULL && !c->persons)
        c->status = closeness_of_file(c, &found);
    for (size_t i = 0; (due || claimed != NULL) && i < c->reading->n_sensitive; i++) {
        const char *column = c->reading->counted[i]->name;
        const json_t *one = json_object_get(claimed, column);
        if (one == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "figures.sensitive", column));
        else if (found != NULL)
            compare_closeness(c, json_object_get(one, "after"), json_object_get(found, column));
    }
    json_decref(found);
}

static json_t *levels_json(const mgl_claims *c, const json_t *node)
{
    json_t *levels = json_array();
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        json_t *level = json_object_get(node, mgl_claim_quasi(c, a));
        mgl_json_append(levels, level != NULL ? json_incref(level) : json_null());
    }
    return levels;
}

/* A level for each column, none above its height. */
static bool is_node(const mgl_claims *c, const json_t *levels)
{
    const json_t *heights = json_object_get(c->claimed, "heights");
    bool good = json_array_size(levels) == c->reading->n_quasi;
    for (size_t a = 0; good && a < c->reading->n_quasi; a++)
        good = json_is_integer(json_array_get(levels, a)) &&
               mgl_claim_whole_at(levels, a) <= mgl_json_whole(heights, mgl_claim_quasi(c, a));
    return good;
}

/* Nodes stand in the order of their levels, the first column first. */
static bool is_behind(const json_t *levels, const json_t *before)
{
    size_t a = 0;
    while (a < json_array_size(levels) &&
           mgl_claim_whole_at(levels, a) == mgl_claim_whole_at(before, a))
        a++;
    return mgl_claim_whole_at(levels, a) > mgl_claim_whole_at(before, a);
}

/* Every node is one of the lattice, and none is there twice. */
static void check_nodes(mgl_claims *c, const json_t *lattice)
{
    const json_t *node, *before = NULL;
    size_t i;
    json_array_foreach(json_object_get(lattice, "nodes"), i, node)
    {
        const json_t *levels = json_object_get(node, "levels");
        mgl_claims_require(c, is_node(c, levels) && (before == NULL || is_behind(levels, before)),
                           "figures.lattice.nodes", node);
        before = levels;
    }
}

/* Does some other node hold that is nowhere above this one? */
static bool has_lower(const json_t *nodes, size_t i)
{
    const json_t *here = json_object_get(json_array_get(nodes, i), "levels");
    for (size_t j = 0; j < json_array_size(nodes); j++) {
        const json_t *levels = json_object_get(json_array_get(nodes, j), "levels");
        bool below = j != i && json_is_true(json_object_get(json_array_get(nodes, j), "holds"));
        for (size_t a = 0; below && a < json_array_size(here); a++)
            below = mgl_claim_whole_at(levels, a) <= mgl_claim_whole_at(here, a);
        if (below)
            return true;
    }
    return false;
}

/* The holding nodes below which none holds. */
static json_t *minimal_of(const json_t *nodes)
{
    json_t *minimal = json_array(), *node;
    size_t i;
    json_array_foreach((json_t *)nodes, i, node)
    {
        if (json_is_true(json_object_get(node, "holds")) && !has_lower(nodes, i))
            mgl_json_append(minimal, json_incref(json_object_get(node, "levels")));
    }
    return minimal;
}

static void check_lattice(mgl_claims *c, const json_t *lattice)
{
    const json_t *minimal = json_object_get(lattice, "minimal"),
                 *nodes = json_object_get(c->claimed, "minimal_nodes"),
                 *node = json_object_get(c->claimed, "node");
    bool drawn = json_object_get(lattice, "nodes") != NULL;
    if (lattice == NULL ||
        !mgl_claims_shape(c, "figures.lattice", lattice,
                          drawn ? "{total:i chosen:a holding:i nodes:a minimal:a}"
                                : "{total:i chosen:a ?left_out:s}"))
        return;
    mgl_claims_agree_at(c, "figures.lattice.chosen", levels_json(c, node));
    if (!drawn)
        return;
    check_nodes(c, lattice);
    mgl_claims_agree(c, "figures.lattice.minimal", minimal,
                     minimal_of(json_object_get(lattice, "nodes")));
    if (!json_is_array(nodes))
        return;
    json_t *found = json_array();
    for (size_t i = 0; i < json_array_size(nodes); i++)
        mgl_json_append(found, levels_json(c, json_array_get(nodes, i)));
    mgl_claims_agree(c, "figures.lattice.minimal", minimal, found);
}

void mgl_claim_figures(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns");
    if (!c->persons)
        compare_sizes(c, mgl_claim_at(claimed, "class_sizes.after"),
                      mgl_claim_at(c->found, "figures.class_sizes.now"));
    if (c->applied)
        return;
    compare_sensitive(c, json_object_get(claimed, "sensitive"));
    check_lattice(c, json_object_get(claimed, "lattice"));
    for (size_t a = 0; a < json_array_size(columns) && a < c->reading->n_quasi; a++)
        compare_column(c, json_array_get(columns, a), a);
    check_measures(c, columns);
}
