/* Compares the aggregates of a result: those of the release are counted in the file, and all of
 * them must fit each other and the measures. The table in claims.c calls it. */
#include "command/audit/claims.h"

static const json_t *within(const json_t *object, const char *first, const char *second)
{
    return json_object_get(json_object_get(object, first), second);
}

static uint64_t whole_at(const json_t *array, size_t i)
{
    json_int_t value = json_integer_value(json_array_get(array, i));
    return value > 0 ? (uint64_t)value : 0;
}

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
        mgl_claims_compare(c, "figures.class_sizes.after", claimed != NULL ? claimed : json_null(),
                           found);
}

/* Is it a bin of classes, with the edges of those after, and as many rows as such classes can
 * have? */
static bool is_bin(mgl_claims *c, const json_t *figures, size_t i)
{
    const json_t *bin = json_array_get(within(figures, "class_sizes", "before"), i),
                 *after = json_array_get(within(figures, "class_sizes", "after"), i);
    if (!mgl_claims_shape(c, "figures.class_sizes.before", bin, "from:i to:i classes:i rows:i"))
        return false;
    uint64_t from = mgl_json_whole(bin, "from"), to = mgl_json_whole(bin, "to"),
             n = mgl_json_whole(bin, "classes"), rows = mgl_json_whole(bin, "rows");
    bool same = json_equal(json_object_get(bin, "from"), json_object_get(after, "from")) &&
                json_equal(json_object_get(bin, "to"), json_object_get(after, "to"));
    bool possible = from > 0 && rows / from >= n && (n > 0 ? (rows - 1) / n < to : rows == 0);
    if (!same || !possible)
        mgl_claims_contradict(c, "figures.class_sizes.before", bin);
    return same && possible;
}

/* The risk before, from the classes before. */
static void check_risk_before(mgl_claims *c, const json_t *classes, const json_t *risk,
                              const json_t *ones, uint64_t members)
{
    double n = mgl_json_number(classes, "count");
    mgl_claims_agree_new(c, "figures.before.risk.uniques", json_object_get(risk, "uniques"),
                         mgl_json_count(mgl_json_whole(ones, "classes")));
    mgl_claims_agree_new(c, "figures.before.risk.expected_reidentifications",
                         json_object_get(risk, "expected_reidentifications"), mgl_json_real(n));
    mgl_claims_agree_new(c, "figures.before.risk.prosecutor_mean",
                         json_object_get(risk, "prosecutor_mean"),
                         mgl_json_real(n / (double)members));
}

/* Checks what the classes of the input add up to. */
static void check_before(mgl_claims *c, const json_t *figures)
{
    const json_t *bins = within(figures, "class_sizes", "before");
    const json_t *classes = within(figures, "before", "classes"),
                 *risk = within(figures, "before", "risk");
    uint64_t n = 0, members = 0;
    (void)mgl_claims_shape(c, "figures.before", json_object_get(figures, "before"),
                           "classes:O risk:O");
    if (mgl_claims_regrouped(c)) { /* the classes of the input are not known */
        mgl_claims_agree(c, "figures.before.classes", classes, json_null());
        mgl_claims_agree(c, "figures.before.risk", risk, json_null());
        mgl_claims_agree(c, "figures.class_sizes.before", bins, json_null());
        return;
    }
    (void)mgl_claims_shape(c, "figures.before.classes", classes, "count:i min:i mean:n max:i");
    (void)mgl_claims_shape(c, "figures.before.risk", risk,
                           "prosecutor_max:n prosecutor_mean:n uniques:i "
                           "expected_reidentifications:n");
    for (size_t i = 0; i < json_array_size(bins); i++) {
        if (!is_bin(c, figures, i))
            return;
        n += mgl_json_whole(json_array_get(bins, i), "classes");
        members += mgl_json_whole(json_array_get(bins, i), "rows");
    }
    const json_t *last = json_array_get(bins, used_bins(bins) - (used_bins(bins) > 0));
    uint64_t most = mgl_json_whole(classes, "max");
    if (json_array_size(bins) != json_array_size(within(figures, "class_sizes", "after")) ||
        most < mgl_json_whole(last, "from") || most > mgl_json_whole(last, "to"))
        mgl_claims_contradict(c, "figures.before.classes.max", json_object_get(classes, "max"));
    check_risk_before(c, classes, risk, json_array_get(bins, 0), members);
    if (n != mgl_json_whole(classes, "count") ||
        (!json_object_get(c->job, "entity") && members != mgl_json_whole(c->claimed, "rows")))
        mgl_claims_contradict(c, "figures.class_sizes.before", bins);
    mgl_claims_agree_new(c, "figures.before.classes.mean", json_object_get(classes, "mean"),
                         mgl_json_real((double)members / (double)n));
    mgl_claims_agree_new(c, "figures.before.risk.prosecutor_max",
                         json_object_get(risk, "prosecutor_max"),
                         mgl_json_real(1 / mgl_json_number(classes, "min")));
}

static void check_threshold(mgl_claims *c, const json_t *claimed)
{
    uint64_t k = c->settings->k;
    uint64_t least = k > 1 ? k : mgl_json_whole(json_object_get(c->claimed, "classes"), "min");
    mgl_claims_agree_new(c, "figures.threshold", claimed, mgl_json_count(least > 2 ? least : 2));
}

/* ---- Columns ------------------------------------------------------------------------------- */

/* Dropped rows count at the level of the top, the lowest that carries its label. */
static void check_precision(mgl_claims *c, const json_t *claimed, double lost, uint64_t dropped,
                            size_t lowest, size_t height)
{
    double n = mgl_json_number(c->claimed, "rows");
    json_t *expected = NULL;
    bool same = false;
    for (size_t l = height + 1; !same && l-- > lowest;) {
        json_decref(expected);
        expected = mgl_json_real(1 - (lost + (double)dropped * (double)l / (double)height) / n);
        same = mgl_claims_same(claimed, expected);
    }
    if (!same)
        mgl_claims_agree(c, "figures.columns: precision", claimed, expected);
    json_decref(expected);
}

/* The rows of each level, and the precision that follows from them. */
static void check_levels(mgl_claims *c, const json_t *column, size_t a)
{
    const json_t *levels = json_object_get(column, "rows_at_level");
    size_t height = (size_t)mgl_json_whole(column, "height");
    uint64_t made = mgl_json_whole(column, "rows_made"),
             dropped = mgl_json_whole(column, "rows_dropped"), rows = made + dropped;
    double lost = 0;
    if (json_array_size(levels) != height + 1) {
        mgl_claims_contradict(c, "figures.columns: rows_at_level", levels);
        return;
    }
    for (size_t l = 0; l <= height; l++) {
        if (!json_is_integer(json_array_get(levels, l)))
            mgl_claims_contradict(c, "figures.columns: rows_at_level", levels);
        rows += whole_at(levels, l);
        lost += (double)whole_at(levels, l) * (double)l / (double)height;
    }
    if (rows != mgl_json_whole(c->claimed, "rows"))
        mgl_claims_contradict(c, "figures.columns: rows_at_level", levels);
    if (rows - dropped != c->rows)
        mgl_claims_compare_new(c, "figures.columns: rows_dropped",
                               json_object_get(column, "rows_dropped"),
                               mgl_json_count(rows > c->rows ? rows - c->rows : 0));
    /* a top that is also the label of a lower level counts there */
    if (whole_at(levels, height) > 0 && whole_at(levels, height) != c->top_cells[a])
        mgl_claims_compare_new(c, "figures.columns: rows_at_level", json_array_get(levels, height),
                               mgl_json_count(c->top_cells[a]));
    if (json_is_number(json_object_get(column, "precision")) && made == 0)
        check_precision(c, json_object_get(column, "precision"), lost, dropped,
                        whole_at(levels, height) > 0 ? height : 0, height);
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
static void compare_distribution(mgl_claims *c, const json_t *distribution, size_t a)
{
    const char *name = c->reading->quasi[a].settings->name;
    const json_t *node = json_object_get(c->claimed, "node");
    const json_t *groups = json_object_get(distribution, "groups");
    if (!json_is_object(node) || json_object_get(c->job, "neutralize") != NULL ||
        !json_equal(json_object_get(node, name), json_object_get(distribution, "level")))
        return;
    for (size_t i = 0; i < json_array_size(groups); i++) {
        const json_t *group = json_array_get(groups, i);
        const char *label = mgl_json_text(group, "value");
        if (label != NULL)
            mgl_claims_compare_new(c, "figures.columns: distribution",
                                   json_object_get(group, "after"),
                                   mgl_json_count(rows_with(c, a, mgl_span_of(label))));
    }
}

static bool has_its_shape(mgl_claims *c, const json_t *claimed)
{
    const json_t *distribution = json_object_get(claimed, "distribution");
    bool whole =
        mgl_claims_shape(c, "figures.columns", claimed,
                         "column:s height:i loss:n precision:N rows_at_level:a "
                         "rows_made:i rows_dropped:i distribution:o") &&
        mgl_claims_shape(c, "figures.columns.distribution", distribution,
                         "level:I groups:a pooled:o coarser:i dropped:i ?made:i") &&
        mgl_claims_shape(c, "figures.columns.distribution.pooled",
                         json_object_get(distribution, "pooled"), "values:i before:i after:i");
    const json_t *groups = json_object_get(distribution, "groups");
    for (size_t i = 0; whole && i < json_array_size(groups); i++)
        whole = mgl_claims_shape(c, "figures.columns.distribution.groups",
                                 json_array_get(groups, i), "value:S before:i after:i");
    return whole;
}

/* The rows of all groups, before and after, are those of the table and of the file. */
static void check_sums(mgl_claims *c, const json_t *distribution)
{
    const json_t *groups = json_object_get(distribution, "groups"),
                 *pooled = json_object_get(distribution, "pooled");
    uint64_t before = mgl_json_whole(pooled, "before"), after = mgl_json_whole(pooled, "after"),
             apart =
                 mgl_json_whole(distribution, "coarser") + mgl_json_whole(distribution, "dropped"),
             rows = mgl_json_whole(c->claimed, "rows");
    for (size_t i = 0; i < json_array_size(groups); i++) {
        before += mgl_json_whole(json_array_get(groups, i), "before");
        after += mgl_json_whole(json_array_get(groups, i), "after");
    }
    if (after + apart != rows || (before != rows && !mgl_claims_regrouped(c)) ||
        (mgl_json_whole(pooled, "values") > 0) != (mgl_json_whole(pooled, "before") > 0))
        mgl_claims_contradict(c, "figures.columns: distribution", distribution);
    if (mgl_json_whole(distribution, "dropped") != rows - c->rows)
        mgl_claims_compare_new(c, "figures.columns: distribution.dropped",
                               json_object_get(distribution, "dropped"),
                               mgl_json_count(rows - c->rows));
}

static void compare_column(mgl_claims *c, const json_t *claimed, size_t a)
{
    const char *column = c->reading->quasi[a].settings->name;
    mgl_claims_agree_new(c, "figures.columns: column", json_object_get(claimed, "column"),
                         json_string(column));
    mgl_claims_agree(c, "figures.columns: height", json_object_get(claimed, "height"),
                     json_object_get(json_object_get(c->claimed, "heights"), column));
    if (!has_its_shape(c, claimed))
        return;
    /* Values that were made have none, and what averages are of is not known. */
    bool made = mgl_json_whole(claimed, "rows_made") > 0,
         none = json_is_null(json_object_get(claimed, "precision"));
    bool averages = c->settings->method->averages ||
                    c->reading->quasi[a].settings->aggregate != MGL_AGGREGATE_NOT;
    if (none != made && !(none && averages))
        mgl_claims_contradict(c, "figures.columns: precision",
                              json_object_get(claimed, "precision"));
    check_levels(c, claimed, a);
    check_sums(c, json_object_get(claimed, "distribution"));
    compare_distribution(c, json_object_get(claimed, "distribution"), a);
}

/* ---- Measures that add up over columns ----------------------------------------------------- */

static double weight_of(mgl_claims *c, size_t a)
{
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), c->reading->quasi[a].settings->name);
    const char *said = mgl_json_text(fields, "weight");
    mgl_by_set weight;
    if (said == NULL)
        return 1;
    if (mgl_read_by_set(mgl_span_of(said), &weight))
        return mgl_settings_weight(c->settings, c->reading->quasi[a].settings->name, &weight);
    mgl_claims_contradict(c, "audit.job.attributes: weight", json_object_get(fields, "weight"));
    return 1;
}

/* Does it follow from the precision and the loss of each column? */
static bool told_by_column(const mgl_measure_type *type)
{
    return mgl_is_by_column(type) &&
           (type->cells == MGL_PAYS_LEVEL || type->cells == MGL_PAYS_LEAVES);
}

static void check_measures(mgl_claims *c, const json_t *columns)
{
    size_t n, m = c->reading->n_quasi;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    double *distortion = c->figures, *loss = distortion + m, *weights = loss + m;
    mgl_statistics s = {
        .n_rows = 1, .n_attributes = m, .distortion = distortion, .loss = loss, .weights = weights};
    for (size_t a = 0; a < m; a++) {
        const json_t *column = json_array_get(columns, a);
        distortion[a] = 1 - mgl_json_number(column, "precision");
        loss[a] = mgl_json_number(column, "loss");
        weights[a] = weight_of(c, a);
    }
    for (size_t i = 0; i < n; i++) {
        const mgl_measure_type *type = types[i];
        if (!told_by_column(type))
            continue;
        char name[MGL_CLAIM_NAME];
        mgl_claims_agree_new(c, mgl_claim_name(name, "utility", type->key),
                             json_object_get(json_object_get(c->claimed, "utility"), type->key),
                             mgl_json_real(type->value(&s)));
    }
}

/* ---- Sensitive columns and the lattice ----------------------------------------------------- */

/* Classes as the models see them: exempt rows are in none. */
static mgl_status closeness_of_file(const mgl_claims *c, json_t **out)
{
    size_t n = c->problem->list->n_tuples;
    bool exempt = c->settings->treatment == MGL_EXEMPT;
    uint32_t *class_of = mgl_alloc_array(n, sizeof *class_of);
    if (class_of == NULL)
        return MGL_SYSTEM;
    for (size_t t = 0; t < n; t++)
        class_of[t] = exempt && c->left_out[t] ? MGL_NOT_FOUND : (uint32_t)t;
    mgl_status status = mgl_closeness_json(c->task, class_of, n, NULL, out);
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

/* Are sensitive cells read because they are released in another spelling? */
static bool respells(const mgl_claims *c)
{
    const char *trim = mgl_json_text(c->job, "trim"), *fold = mgl_json_text(c->job, "fold-case");
    return (trim != NULL && strcmp(trim, "true") == 0) ||
           (fold != NULL && strcmp(fold, "true") == 0);
}

/* Persons by what their classes have: as many kinds as after, and no more persons than rows. */
static void check_shares(mgl_claims *c, const char *name, const json_t *before, const json_t *after)
{
    static const char *const keys[] = {"distinct_values", "distances"};
    for (size_t k = 0; k < 2; k++) {
        const json_t *list = json_object_get(before, keys[k]);
        uint64_t persons = 0;
        bool good = json_array_size(list) == json_array_size(json_object_get(after, keys[k]));
        for (size_t i = 0; i < json_array_size(list); i++) {
            good = good && json_is_integer(json_array_get(list, i)) &&
                   json_integer_value(json_array_get(list, i)) >= 0;
            persons += whole_at(list, i);
        }
        if (!good || persons > mgl_json_whole(c->claimed, "rows"))
            mgl_claims_contradict(c, name, list);
    }
}

/* Are all sensitive columns in it, if a model looks at them? */
static bool has_sensitive(mgl_claims *c, const json_t *claimed)
{
    const mgl_settings *s = c->settings;
    char name[MGL_CLAIM_NAME];
    bool whole = true, due = looks_at_values(s->models, s->n_models) ||
                             looks_at_values(s->claimed.unjudged, s->claimed.n_unjudged) ||
                             respells(c);
    if (claimed != NULL && json_object_size(claimed) != c->reading->n_sensitive)
        mgl_claims_contradict(c, "figures.sensitive", claimed);
    for (size_t i = 0; (due || claimed != NULL) && i < c->reading->n_sensitive; i++) {
        const char *column = c->reading->counted[i]->name;
        const json_t *one = json_object_get(claimed, column);
        mgl_claim_name(name, "figures.sensitive", column);
        if (one == NULL)
            mgl_claims_missing(c, name);
        whole = whole && one != NULL &&
                mgl_claims_shape(c, name, one, "values:i before:o after:o") &&
                mgl_claims_shape(c, name, json_object_get(one, "before"),
                                 "distinct_values:a distances:a") &&
                mgl_claims_shape(c, name, json_object_get(one, "after"),
                                 "distinct_values:a distances:a");
        if (whole)
            check_shares(c, name, json_object_get(one, "before"), json_object_get(one, "after"));
    }
    return whole;
}

static uint64_t sum_of(const json_t *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += whole_at(list, i);
    return sum;
}

/* They are those of the rows that are counted by their different values. */
static void check_distances(mgl_claims *c, const json_t *after)
{
    const json_t *distances = json_object_get(after, "distances");
    if (sum_of(distances) != sum_of(json_object_get(after, "distinct_values")))
        mgl_claims_contradict(c, "figures.sensitive: distances", distances);
    mgl_claims_skip(c, "figures.sensitive.*.after.distances",
                    "distances to the values of all rows need the input");
}

static void compare_sensitive(mgl_claims *c, const json_t *claimed)
{
    bool whole = c->rows == mgl_json_whole(c->claimed, "rows");
    json_t *found = NULL, *column;
    const char *name;
    if (!has_sensitive(c, claimed) || c->persons || claimed == NULL)
        return;
    if (closeness_of_file(c, &found) != MGL_OK) {
        mgl_json_append(c->differences, NULL); /* memory is out: the document will say so */
        return;
    }
    json_object_foreach((json_t *)claimed, name, column)
    {
        const json_t *here = json_object_get(found, name),
                     *after = json_object_get(column, "after");
        mgl_claims_compare(c, "figures.sensitive: distinct_values",
                           json_object_get(after, "distinct_values"),
                           json_object_get(here, "distinct_values"));
        if (whole)
            mgl_claims_compare(c, "figures.sensitive: distances",
                               json_object_get(after, "distances"),
                               json_object_get(here, "distances"));
        else /* from all rows of the input, some of which were dropped */
            check_distances(c, after);
    }
    json_decref(found);
}

static json_t *levels_json(const mgl_claims *c, const json_t *node)
{
    json_t *levels = json_array();
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        json_t *level = json_object_get(node, c->reading->quasi[a].settings->name);
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
               whole_at(levels, a) <= mgl_json_whole(heights, c->reading->quasi[a].settings->name);
    return good;
}

/* Nodes stand in the order of their levels, the first column first. */
static bool is_behind(const json_t *levels, const json_t *before)
{
    size_t a = 0;
    while (a < json_array_size(levels) && whole_at(levels, a) == whole_at(before, a))
        a++;
    return whole_at(levels, a) > whole_at(before, a);
}

/* The node that was chosen holds, with the rows that are suppressed. */
static void check_chosen(mgl_claims *c, const json_t *lattice, const json_t *node)
{
    if (json_equal(json_object_get(lattice, "chosen"), json_object_get(node, "levels")) &&
        json_object_get(c->claimed, "suppressed_above") == NULL)
        mgl_claims_agree(c, "figures.lattice.nodes: suppressed_rows",
                         json_object_get(node, "suppressed_rows"),
                         json_object_get(c->claimed, "suppressed_rows"));
}

/* Every node is one of the lattice, none is there twice, and as many hold as are told to. */
static void check_nodes(mgl_claims *c, const json_t *lattice)
{
    const json_t *nodes = json_object_get(lattice, "nodes"), *before = NULL;
    uint64_t holding = 0;
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i), *levels = json_object_get(node, "levels");
        if (!mgl_claims_shape(c, "figures.lattice.nodes", node,
                              "levels:a holds:b suppressed_rows:i"))
            return;
        if (!is_node(c, levels) || (before != NULL && !is_behind(levels, before)) ||
            mgl_json_whole(node, "suppressed_rows") > mgl_json_whole(c->claimed, "rows"))
            mgl_claims_contradict(c, "figures.lattice.nodes", node);
        check_chosen(c, lattice, node);
        holding += json_is_true(json_object_get(node, "holds"));
        before = levels;
    }
    mgl_claims_agree_new(c, "figures.lattice.holding", json_object_get(lattice, "holding"),
                         mgl_json_count(holding));
    mgl_claims_agree_new(c, "figures.lattice.nodes", json_object_get(lattice, "total"),
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
            below = whole_at(levels, a) <= whole_at(here, a);
        if (below)
            return true;
    }
    return false;
}

/* The holding nodes below which none holds. */
static json_t *minimal_of(const json_t *lattice)
{
    const json_t *nodes = json_object_get(lattice, "nodes");
    json_t *minimal = json_array();
    for (size_t i = 0; i < json_array_size(nodes); i++)
        if (json_is_true(json_object_get(json_array_get(nodes, i), "holds")) &&
            !has_lower(nodes, i))
            mgl_json_append(minimal,
                            json_incref(json_object_get(json_array_get(nodes, i), "levels")));
    return minimal;
}

static void check_lattice(mgl_claims *c, const json_t *lattice)
{
    const json_t *minimal = json_object_get(lattice, "minimal"),
                 *nodes = json_object_get(c->claimed, "minimal_nodes");
    const json_t *node = json_object_get(c->claimed, "node");
    bool drawn = json_object_get(lattice, "nodes") != NULL;
    if (!mgl_claims_due(c, "figures.lattice", lattice, json_is_object(node)) ||
        !mgl_claims_shape(c, "figures.lattice", lattice,
                          drawn ? "total:i chosen:a holding:i nodes:a minimal:a"
                                : "total:i chosen:a"))
        return;
    if (drawn)
        check_nodes(c, lattice);
    mgl_claims_agree(c, "figures.lattice.total", json_object_get(lattice, "total"),
                     within(c->claimed, "nodes", "total"));
    if (json_is_object(node))
        mgl_claims_agree_new(c, "figures.lattice.chosen", json_object_get(lattice, "chosen"),
                             levels_json(c, node));
    if (drawn)
        mgl_claims_agree_new(c, "figures.lattice.minimal", minimal, minimal_of(lattice));
    if (!json_is_array(minimal) || !json_is_array(nodes))
        return;
    json_t *told = json_array();
    for (size_t i = 0; i < json_array_size(nodes); i++)
        mgl_json_append(told, levels_json(c, json_array_get(nodes, i)));
    mgl_claims_agree_new(c, "figures.lattice.minimal", minimal, told);
}

/* Classes of persons who are not in the file have their shape. */
static void check_persons_after(mgl_claims *c, const json_t *bins)
{
    for (size_t i = 0; i < json_array_size(bins); i++)
        (void)mgl_claims_shape(c, "figures.class_sizes.after", json_array_get(bins, i),
                               "from:i to:i classes:i rows:i");
    mgl_claims_skip(c, "figures.class_sizes.after, figures.sensitive.*.after",
                    "persons are not in the release; `entity: COLUMN`, with a copy that has it");
}

void mgl_claim_figures(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns");
    (void)mgl_claims_shape(
        c, "figures", claimed,
        c->applied ? "class_sizes:o before:o"
                   : "threshold:i class_sizes:o before:o columns:a ?sensitive:o ?lattice:o");
    (void)mgl_claims_shape(c, "figures.class_sizes", json_object_get(claimed, "class_sizes"),
                           "before:A after:a");
    if (c->persons)
        check_persons_after(c, within(claimed, "class_sizes", "after"));
    else
        compare_sizes(c, within(claimed, "class_sizes", "after"),
                      within(json_object_get(c->found, "figures"), "class_sizes", "now"));
    check_before(c, claimed);
    if (c->applied)
        return;
    check_threshold(c, json_object_get(claimed, "threshold"));
    compare_sensitive(c, json_object_get(claimed, "sensitive"));
    check_lattice(c, json_object_get(claimed, "lattice"));
    if (json_array_size(columns) != c->reading->n_quasi) {
        mgl_claims_contradict(c, "figures.columns", columns);
        return;
    }
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        compare_column(c, json_array_get(columns, a), a);
    check_measures(c, columns);
}
