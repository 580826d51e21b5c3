/* Compares the aggregates of a result: those of the release are counted in the file, and all of
 * them must fit each other and the measures. */
#include "command/audit/claims.h"

#include <math.h>

/* ---- Class sizes --------------------------------------------------------------------------- */

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

/* Is it a bin of classes, with the edges of those after, and as many rows as such classes can
 * have? */
static bool is_bin(const json_t *bin, const json_t *after)
{
    uint64_t from = mgl_json_whole(bin, "from"), to = mgl_json_whole(bin, "to"),
             n = mgl_json_whole(bin, "classes"), rows = mgl_json_whole(bin, "rows");
    return json_equal(json_object_get(bin, "from"), json_object_get(after, "from")) &&
           json_equal(json_object_get(bin, "to"), json_object_get(after, "to")) && from > 0 &&
           rows / from >= n && (n > 0 ? (rows - 1) / n < to : rows == 0);
}

/* Checks what the classes of the input add up to, and the risk that follows from them. */
static void check_before(mgl_claims *c, const json_t *figures)
{
    const json_t *bins = mgl_claim_at(figures, "class_sizes.before"),
                 *after = mgl_claim_at(figures, "class_sizes.after"),
                 *classes = mgl_claim_at(figures, "before.classes"),
                 *risk = mgl_claim_at(figures, "before.risk"), *bin;
    uint64_t count = mgl_json_whole(classes, "count"), most = mgl_json_whole(classes, "max");
    uint64_t n = 0, members = 0;
    size_t used = used_bins(bins), i;
    bool known = !mgl_claims_regrouped(c);
    mgl_claims_require(c, json_is_object(classes) == known, "figures.before.classes", classes);
    mgl_claims_require(c, json_is_object(risk) == known, "figures.before.risk", risk);
    mgl_claims_require(c, json_is_array(bins) == known, "figures.class_sizes.before", bins);
    if (!known) /* the classes of the input */
        return;
    json_array_foreach((json_t *)bins, i, bin)
    {
        mgl_claims_require(c, is_bin(bin, json_array_get(after, i)), "figures.class_sizes.before",
                           bin);
        n += mgl_json_whole(bin, "classes");
        members += mgl_json_whole(bin, "rows");
    }
    bool persons = json_object_get(c->job, "entity") != NULL;
    mgl_claims_require(c, n == count && (persons || members == mgl_json_whole(c->claimed, "rows")),
                       "figures.class_sizes.before", bins);
    const json_t *last = json_array_get(bins, used - (used > 0));
    mgl_claims_require(c,
                       json_array_size(bins) == json_array_size(after) &&
                           most >= mgl_json_whole(last, "from") &&
                           most <= mgl_json_whole(last, "to"),
                       "figures.before.classes.max", NULL);
    mgl_claims_agree_at(c, "figures.before.classes.mean",
                        mgl_json_real((double)members / (double)n));
    json_t *expected = json_object();
    mgl_json_set(expected, "uniques",
                 mgl_json_count(mgl_json_whole(json_array_get(bins, 0), "classes")));
    mgl_json_set(expected, "prosecutor_mean", mgl_json_real((double)count / (double)members));
    mgl_json_set(expected, "prosecutor_max", mgl_json_real(1 / mgl_json_number(classes, "min")));
    mgl_claims_agree(c, "figures.before.risk", risk, expected);
}

static void check_threshold(mgl_claims *c, const json_t *claimed)
{
    uint64_t k = c->settings->k;
    uint64_t least = k > 1 ? k : mgl_json_whole(json_object_get(c->claimed, "classes"), "min");
    mgl_claims_agree(c, "figures.threshold", claimed, mgl_json_count(least > 2 ? least : 2));
}

/* ---- Columns ------------------------------------------------------------------------------- */

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

/* The rows of each level, and the precision that follows from them. */
static void check_levels(mgl_claims *c, const json_t *column, size_t a)
{
    static const char name[] = "figures.columns: rows_at_level";
    const json_t *levels = json_object_get(column, "rows_at_level");
    size_t height = (size_t)mgl_json_whole(column, "height");
    uint64_t made = mgl_json_whole(column, "rows_made"),
             dropped = mgl_json_whole(column, "rows_dropped"), rows = made + dropped,
             top = mgl_claim_whole_at(levels, height);
    double lost = 0;
    for (size_t l = 0; l < json_array_size(levels); l++) {
        rows += mgl_claim_whole_at(levels, l);
        lost += (double)mgl_claim_whole_at(levels, l) * (double)l / (double)height;
    }
    mgl_claims_require(
        c, json_array_size(levels) == height + 1 && rows == mgl_json_whole(c->claimed, "rows"),
        name, levels);
    if (rows - dropped != c->rows)
        mgl_claims_compare(c, "figures.columns: rows_dropped",
                           json_object_get(column, "rows_dropped"),
                           mgl_json_count(rows > c->rows ? rows - c->rows : 0));
    /* a top that is also the label of a lower level counts there */
    if (top > 0)
        mgl_claims_compare(c, name, json_array_get(levels, height),
                           mgl_json_count(c->top_cells[a]));
    if (mgl_json_is_number(column, "precision") && made == 0)
        check_precision(c, column, lost, top > 0 ? height : 0);
}

static uint64_t rows_with(const mgl_claims *c, size_t a, mgl_span label)
{
    const mgl_released_column *column = c->reading->released[a];
    for (uint32_t v = 0; v < column->n_values; v++)
        if (c->cells[a][v] > 0 && mgl_span_equal(column->values[v].label, label))
            return c->cells[a][v];
    return 0;
}

/* The rows of all groups, before and after, are those of the table and of the file. Where a column
 * has one level, its groups are its cells. */
static void check_distribution(mgl_claims *c, const json_t *claimed, size_t a)
{
    const json_t *pooled = json_object_get(claimed, "pooled"), *group,
                 *node = json_object_get(c->claimed, "node");
    uint64_t before = mgl_json_whole(pooled, "before"), after = mgl_json_whole(pooled, "after"),
             rows = mgl_json_whole(c->claimed, "rows");
    bool cells =
        json_is_object(node) && json_object_get(c->job, "neutralize") == NULL &&
        json_equal(json_object_get(node, mgl_claim_quasi(c, a)), json_object_get(claimed, "level"));
    size_t i;
    json_array_foreach(json_object_get(claimed, "groups"), i, group)
    {
        const char *label = mgl_json_text(group, "value");
        before += mgl_json_whole(group, "before");
        after += mgl_json_whole(group, "after");
        if (cells && label != NULL)
            mgl_claims_compare(c, "figures.columns: distribution", json_object_get(group, "after"),
                               mgl_json_count(rows_with(c, a, mgl_span_of(label))));
    }
    after += mgl_json_whole(claimed, "coarser") + mgl_json_whole(claimed, "dropped");
    mgl_claims_require(c,
                       after == rows && (before == rows || mgl_claims_regrouped(c)) &&
                           (mgl_json_whole(pooled, "values") > 0) ==
                               (mgl_json_whole(pooled, "before") > 0),
                       "figures.columns: distribution", claimed);
    mgl_claims_compare(c, "figures.columns: distribution.dropped",
                       json_object_get(claimed, "dropped"), mgl_json_count(rows - c->rows));
}

static void compare_column(mgl_claims *c, const json_t *claimed, size_t a)
{
    const char *column = mgl_claim_quasi(c, a);
    mgl_claims_agree(c, "figures.columns: column", json_object_get(claimed, "column"),
                     json_string(column));
    mgl_claims_agree(c, "figures.columns: height", json_object_get(claimed, "height"),
                     json_incref(json_object_get(json_object_get(c->claimed, "heights"), column)));
    /* Values that were made have none, and what averages are of is not known. */
    bool made = mgl_json_whole(claimed, "rows_made") > 0,
         none = json_is_null(json_object_get(claimed, "precision"));
    bool averages = c->settings->method->averages ||
                    c->reading->quasi[a].settings->aggregate != MGL_AGGREGATE_NOT;
    mgl_claims_require(c, none == made || (none && averages), "figures.columns: precision",
                       json_object_get(claimed, "precision"));
    check_levels(c, claimed, a);
    check_distribution(c, json_object_get(claimed, "distribution"), a);
}

/* ---- Measures that add up over columns ----------------------------------------------------- */

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

/* ---- Sensitive columns --------------------------------------------------------------------- */

/* Classes as the models see them: exempt rows are in none. */
static mgl_status closeness_of_file(const mgl_claims *c, json_t **out)
{
    size_t n = c->problem->list->n_tuples;
    bool exempt = c->settings->treatment == MGL_EXEMPT;
    uint32_t *class_of = mgl_alloc_array(n, sizeof *class_of);
    if (class_of == NULL)
        return mgl_fail_memory(c->err);
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

static bool is_true(const json_t *job, const char *key)
{
    const char *text = mgl_json_text(job, key);
    return text != NULL && strcmp(text, "true") == 0;
}

static uint64_t sum_of(const json_t *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += mgl_claim_whole_at(list, i);
    return sum;
}

/* Persons by what their classes have: as many kinds as after, and no more persons than rows. */
static void check_shares(mgl_claims *c, const char *name, const json_t *before, const json_t *after)
{
    static const char *const keys[] = {"distinct_values", "distances"};
    for (size_t k = 0; k < 2; k++) {
        const json_t *list = json_object_get(before, keys[k]);
        mgl_claims_require(c,
                           json_array_size(list) ==
                                   json_array_size(json_object_get(after, keys[k])) &&
                               mgl_claims_shape(c, name, list, "[i]") &&
                               sum_of(list) <= mgl_json_whole(c->claimed, "rows"),
                           name, list);
    }
}

static void compare_closeness(mgl_claims *c, const json_t *after, const json_t *found)
{
    const json_t *distances = json_object_get(after, "distances");
    mgl_claims_compare(c, "figures.sensitive: distinct_values",
                       json_object_get(after, "distinct_values"),
                       json_incref(json_object_get(found, "distinct_values")));
    if (c->rows == mgl_json_whole(c->claimed, "rows")) {
        mgl_claims_compare(c, "figures.sensitive: distances", distances,
                           json_incref(json_object_get(found, "distances")));
        return;
    }
    /* from all rows of the input, some of which were dropped: as many as the rows that are counted
     * by their different values */
    mgl_claims_require(c, sum_of(distances) == sum_of(json_object_get(after, "distinct_values")),
                       "figures.sensitive: distances", distances);
    mgl_claims_skip(c, "figures.sensitive.*.after.distances",
                    "distances to the values of all rows need the input");
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
               is_true(c->job, "trim") || is_true(c->job, "fold-case");
    mgl_claims_require(c, claimed == NULL || json_object_size(claimed) == c->reading->n_sensitive,
                       "figures.sensitive", claimed);
    if (claimed != NULL && !c->persons)
        c->status = closeness_of_file(c, &found);
    for (size_t i = 0; (due || claimed != NULL) && i < c->reading->n_sensitive; i++) {
        const char *column = c->reading->counted[i]->name;
        const json_t *one = json_object_get(claimed, column),
                     *after = json_object_get(one, "after");
        mgl_claim_name(name, "figures.sensitive", column);
        if (one == NULL)
            mgl_claims_missing(c, name);
        else
            check_shares(c, name, json_object_get(one, "before"), after);
        if (one != NULL && found != NULL)
            compare_closeness(c, after, json_object_get(found, column));
    }
    json_decref(found);
}

/* ---- The lattice --------------------------------------------------------------------------- */

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

/* Every node is one of the lattice, none is there twice, as many hold as are said to, and the one
 * that was chosen has the rows that are suppressed. */
static void check_nodes(mgl_claims *c, const json_t *lattice)
{
    const json_t *nodes = json_object_get(lattice, "nodes"), *node, *before = NULL;
    uint64_t holding = 0;
    size_t i;
    json_array_foreach((json_t *)nodes, i, node)
    {
        const json_t *levels = json_object_get(node, "levels");
        mgl_claims_require(c,
                           is_node(c, levels) && (before == NULL || is_behind(levels, before)) &&
                               mgl_json_whole(node, "suppressed_rows") <=
                                   mgl_json_whole(c->claimed, "rows"),
                           "figures.lattice.nodes", node);
        if (json_equal(json_object_get(lattice, "chosen"), levels) &&
            json_object_get(c->claimed, "suppressed_above") == NULL)
            mgl_claims_agree(c, "figures.lattice.nodes: suppressed_rows",
                             json_object_get(node, "suppressed_rows"),
                             json_incref(json_object_get(c->claimed, "suppressed_rows")));
        holding += json_is_true(json_object_get(node, "holds"));
        before = levels;
    }
    mgl_claims_agree_at(c, "figures.lattice.holding", mgl_json_count(holding));
    mgl_claims_agree(c, "figures.lattice.nodes", json_object_get(lattice, "total"),
                     mgl_json_count(json_array_size(nodes)));
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
    if (!mgl_claims_due(c, "figures.lattice", lattice, json_is_object(node)) ||
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
    const json_t *columns = json_object_get(claimed, "columns"),
                 *threshold = json_object_get(claimed, "threshold"),
                 *after = mgl_claim_at(claimed, "class_sizes.after");
    if (c->persons)
        mgl_claims_skip_persons(c, "figures.class_sizes.after, figures.sensitive.*.after");
    else
        compare_sizes(c, after, mgl_claim_at(c->found, "figures.class_sizes.now"));
    check_before(c, claimed);
    mgl_claims_due(c, "figures.threshold", threshold, !c->applied);
    mgl_claims_due(c, "figures.columns", columns, !c->applied);
    mgl_claims_require(c, !c->applied || json_object_size(claimed) == 2, "figures", claimed);
    if (c->applied)
        return;
    check_threshold(c, threshold);
    compare_sensitive(c, json_object_get(claimed, "sensitive"));
    check_lattice(c, json_object_get(claimed, "lattice"));
    mgl_claims_require(c, json_array_size(columns) == c->reading->n_quasi, "figures.columns",
                       columns);
    for (size_t a = 0; a < json_array_size(columns) && a < c->reading->n_quasi; a++)
        compare_column(c, json_array_get(columns, a), a);
    check_measures(c, columns);
}
