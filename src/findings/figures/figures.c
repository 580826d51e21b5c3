/* The aggregates that reports draw: class sizes, the nodes around a release with one level per
 * column where the lattice is small enough to be drawn, and how many different sensitive values
 * classes have and how far they are from those of the whole table. */
#include "findings/figures/figure_kinds.h"

/* ---- The lattice ----------------------------------------------------------------------------- */

/* More nodes cannot be drawn. More work, in tuples looked at, would be noticed beside the search;
 * for a page one waits longer. */
enum { MOST_NODES = 400, MOST_WORK = 200000, MOST_WORK_FOR_A_PAGE = 40000000 };

typedef struct table {
    uint8_t *holds;       /* [nodes] */
    uint64_t *suppressed; /* [nodes] */
} table;

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)node, (void)err;
    table *t = context;
    t->holds[number] = e->holds;
    t->suppressed[number] = e->suppressed_rows;
    return MGL_OK;
}

static json_t *levels_json(const uint32_t *node, size_t n)
{
    json_t *levels = json_array();
    for (size_t a = 0; a < n; a++)
        mgl_json_append(levels, mgl_json_count(node[a]));
    return levels;
}

/* Nodes as lists of levels, in the order of the columns. */
static mgl_status tell(const mgl_problem *p, const table *t, uint64_t size, mgl_error *err,
                       json_t *object)
{
    size_t n = p->list->n_attributes, n_minimal = 0;
    uint32_t *node = mgl_alloc_array(n, sizeof *node), *minimal = NULL;
    mgl_status status = MGL_OK;
    if (node == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_minimal_nodes(p, t->holds, err, &minimal, &n_minimal));
    json_t *nodes = json_array(), *list = json_array();
    uint64_t holding = 0;
    for (uint64_t v = 0; v < size; v++) {
        json_t *one = json_object();
        mgl_lattice_node(v, p->min_level, p->max_level, n, node);
        mgl_json_set(one, "levels", levels_json(node, n));
        mgl_json_set(one, "holds", json_boolean(t->holds[v]));
        mgl_json_set(one, "suppressed_rows", mgl_json_count(t->suppressed[v]));
        mgl_json_append(nodes, one);
        holding += t->holds[v];
    }
    for (size_t i = 0; i < n_minimal; i++)
        mgl_json_append(list, levels_json(minimal + i * n, n));
    mgl_json_set(object, "holding", mgl_json_count(holding));
    mgl_json_set(object, "nodes", nodes);
    mgl_json_set(object, "minimal", list);
done:
    mgl_free(node);
    mgl_free(minimal);
    return status;
}

/* The search had its own deadline; this may go on until the time limit. */
static mgl_status sweep(const mgl_outcome *outcome, uint64_t size, mgl_error *err, json_t *object)
{
    mgl_problem p = outcome->task->problem;
    table t = {mgl_zeroed_array(size, sizeof *t.holds),
               mgl_zeroed_array(size, sizeof *t.suppressed)};
    uint64_t visited;
    bool timed_out;
    p.deadline = mgl_deadline(outcome->reading->settings);
    mgl_status status = MGL_OK;
    if (t.holds == NULL || t.suppressed == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_lattice_visit(&p, visit, &t, err, &visited, &timed_out));
    if (timed_out)
        mgl_json_set(object, "left_out", json_string("time-limit"));
    else
        MGL_GO(tell(&p, &t, size, err, object));
done:
    mgl_free(t.holds);
    mgl_free(t.suppressed);
    return status;
}

/* Every node of a small lattice, for methods that give each column one level. */
static mgl_status figures_lattice(const mgl_outcome *outcome, mgl_error *err, json_t *figures)
{
    const mgl_problem *p = &outcome->task->problem;
    if (outcome->solution->node == NULL)
        return MGL_OK;
    uint64_t size = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    json_t *object = json_object();
    mgl_json_set(object, "total", mgl_json_count(size));
    mgl_json_set(object, "chosen", levels_json(outcome->solution->node, p->list->n_attributes));
    uint64_t most =
        outcome->reading->settings->saved.report != NULL ? MOST_WORK_FOR_A_PAGE : MOST_WORK;
    mgl_status status = MGL_OK;
    const char *before =
        mgl_progress_within("measure"); /* it goes through nodes as a search does */
    if (size <= MOST_NODES && size * p->list->n_tuples <= most)
        status = sweep(outcome, size, err, object);
    mgl_progress_go_on(before);
    mgl_json_set(figures, "lattice", object);
    return status;
}

/* ---- Sensitive values ------------------------------------------------------------------------ */

enum { MOST_DISTINCT = 10, N_DISTANCES = 10 };

typedef struct closeness {
    uint64_t distinct[MOST_DISTINCT]; /* [n - 1] persons in classes of n known values; the last
                                         counts those of more */
    uint64_t distances[N_DISTANCES];  /* [i] persons in classes at a distance of at least i / 10 */
} closeness;

static mgl_model t_closeness_of(const mgl_task *task, size_t s)
{
    mgl_model model = {.attribute = (uint32_t)s, .facts = &task->facts};
    size_t n;
    const mgl_strongest *rows = mgl_strongest_table(&n);
    for (size_t i = 0; i < n; i++)
        if (rows[i].is_distance) {
            model.type = rows[i].type;
            memcpy(model.parameters, rows[i].parameters, sizeof model.parameters);
        }
    return model;
}

static void add_group(closeness *c, const mgl_model *model, const mgl_group *group)
{
    const mgl_histogram *values = mgl_model_histogram(model, group);
    size_t distinct = mgl_known_values(mgl_model_sensitive(model), values);
    double distance = model->type->measure(model, group);
    size_t place = distance > 0 ? (size_t)(distance * N_DISTANCES + 1e-9) : 0;
    if (values->size == 0)
        return;
    if (distinct > 0)
        c->distinct[(distinct < MOST_DISTINCT ? distinct : MOST_DISTINCT) - 1] += group->size;
    c->distances[place < N_DISTANCES ? place : N_DISTANCES - 1] += group->size;
}

static json_t *counts_json(const uint64_t *counts, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        mgl_json_append(list, mgl_json_count(counts[i]));
    return list;
}

static json_t *closeness_json(const closeness *c)
{
    json_t *object = json_object();
    mgl_json_set(object, "distinct_values", counts_json(c->distinct, MOST_DISTINCT));
    mgl_json_set(object, "distances", counts_json(c->distances, N_DISTANCES));
    return object;
}

/* Adds all classes, for all sensitive columns. */
static void judge(const mgl_task *task, mgl_group_maker *maker, const uint32_t *class_of,
                  size_t n_classes, closeness *columns)
{
    mgl_group_maker_partition(maker, class_of, n_classes);
    for (size_t c = 0; c < n_classes; c++) {
        const mgl_group *group = mgl_group_maker_group(maker, c);
        for (size_t s = 0; group->size > 0 && s < task->facts.n_sensitive; s++) {
            mgl_model model = t_closeness_of(task, s);
            add_group(&columns[s], &model, group);
        }
    }
}

mgl_status mgl_closeness_json(const mgl_task *task, const uint32_t *class_of, size_t n_classes,
                              mgl_error *err, json_t **out)
{
    size_t n = task->facts.n_sensitive;
    mgl_group_maker *maker = NULL;
    closeness *columns = mgl_zeroed_array(n, sizeof *columns);
    mgl_status status = columns == NULL ? mgl_fail_memory(err)
                                        : mgl_group_maker_new(task->problem.list, err, &maker);
    if (status == MGL_OK) {
        judge(task, maker, class_of, n_classes, columns);
        *out = json_object();
        for (size_t s = 0; s < n; s++)
            mgl_json_set(*out, task->facts.sensitive[s].column->name, closeness_json(&columns[s]));
    }
    mgl_group_maker_free(maker);
    mgl_free(columns);
    return status;
}

/* Sensitive values of classes, before and after. */
static mgl_status figures_sensitive(const mgl_outcome *outcome, const mgl_measured *measured,
                                    mgl_error *err, json_t *figures)
{
    const mgl_task *task = outcome->task;
    const mgl_problem *p = &task->problem;
    size_t n = task->facts.n_sensitive, n_tuples = p->list->n_tuples;
    if (n == 0)
        return MGL_OK;
    mgl_group_maker *maker = NULL;
    uint32_t *class_of = mgl_alloc_array(n_tuples, sizeof *class_of);
    closeness *columns = mgl_zeroed_array(2 * n, sizeof *columns);
    mgl_status status = MGL_OK;
    if (class_of == NULL || columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_group_maker_new(p->list, err, &maker));
    for (size_t t = 0; t < n_tuples; t++)
        class_of[t] = p->list->joined != NULL ? p->list->joined->of_tuple[t] : (uint32_t)t;
    judge(task, maker, class_of, n_tuples, columns);
    judge(task, maker, measured->classes.of_tuple, measured->classes.n_classes, columns + n);
    json_t *object = json_object();
    for (size_t s = 0; s < n; s++) {
        json_t *one = json_object();
        mgl_json_set(one, "values", mgl_json_count(mgl_known_present(&task->facts.sensitive[s])));
        mgl_json_set(one, "before", closeness_json(&columns[s]));
        mgl_json_set(one, "after", closeness_json(&columns[n + s]));
        mgl_json_set(object, task->facts.sensitive[s].column->name, one);
    }
    mgl_json_set(figures, "sensitive", object);
done:
    mgl_group_maker_free(maker);
    mgl_free(class_of);
    mgl_free(columns);
    return status;
}

/* ---- Class sizes in bins ------------------------------------------------------------------- */

enum { MOST_BINS = 64 };

/* Bin i holds sizes from edges[i] up to, not including, edges[i + 1]. */
typedef struct bins {
    uint64_t edges[MOST_BINS + 1];
    size_t n;
} bins;

typedef struct tally {
    const bins *bins;
    uint64_t classes[MOST_BINS], members[MOST_BINS];
} tally;

/* Edges are 1, 2, 3, 5, 10, 20, 50, ... and k, from which on classes are large enough. */
static bins make_bins(uint64_t k)
{
    static const uint64_t first[] = {1, 2, 3, 5};
    bins b = {0};
    uint64_t edge = 0;
    for (size_t i = 0; b.n < MOST_BINS; i++) {
        static const uint64_t steps[] = {1, 2, 5};
        uint64_t power = 10;
        for (size_t e = 4; e + 2 < i; e += 3)
            power *= 10;
        edge = i < 4 ? first[i] : steps[(i - 4) % 3] * power;
        if (k > 1 && (b.n > 0 && b.edges[b.n - 1] < k && k < edge))
            b.edges[b.n++] = k;
        b.edges[b.n++] = edge;
        if (edge >= UINT64_C(1000000000000000000))
            break;
    }
    b.edges[b.n] = UINT64_MAX;
    return b;
}

static void add_size(void *context, uint64_t size, uint64_t members, uint64_t times)
{
    tally *t = context;
    size_t bin = 0;
    while (bin + 1 < t->bins->n && size >= t->bins->edges[bin + 1])
        bin++;
    t->classes[bin] += times;
    t->members[bin] += members * times;
}

static json_t *tally_json(const tally *t, size_t used)
{
    json_t *list = json_array();
    for (size_t i = 0; i < used; i++) {
        json_t *bin = json_object();
        mgl_json_set(bin, "from", mgl_json_count(t->bins->edges[i]));
        mgl_json_set(bin, "to", mgl_json_count(t->bins->edges[i + 1] - 1));
        mgl_json_set(bin, "classes", mgl_json_count(t->classes[i]));
        mgl_json_set(bin, "rows", mgl_json_count(t->members[i]));
        mgl_json_append(list, bin);
    }
    return list;
}

static size_t used_bins(const tally *t)
{
    size_t used = t->bins->n;
    while (used > 0 && t->classes[used - 1] == 0)
        used--;
    return used;
}

/* Calls fn with every distinct tuple, or every bundle of persons, as a class of its own, but for
 * those that are left out (NULL: none). */
static mgl_status each_tuple(const mgl_problem *p, const uint8_t *left_out, mgl_class_fn *fn,
                             void *context, mgl_error *err)
{
    size_t n = p->list->n_tuples;
    if (left_out == NULL && p->list->persons == NULL)
        return mgl_each_class(p, NULL, p->list->counts, n, fn, context, err);
    uint32_t *own = mgl_alloc_array(n, sizeof *own);
    uint64_t *sizes = mgl_alloc_array(n, sizeof *sizes);
    mgl_status status = MGL_OK;
    if (own == NULL || sizes == NULL)
        MGL_GO(mgl_fail_memory(err));
    memset(sizes, 0, n * sizeof *sizes);
    for (size_t t = 0; t < n; t++) {
        own[t] = p->list->joined != NULL ? p->list->joined->of_tuple[t] : (uint32_t)t;
        sizes[own[t]] += left_out == NULL || left_out[t] == 0 ? p->list->counts[t] : 0;
    }
    MGL_GO(mgl_each_class(p, own, sizes, n, fn, context, err));
done:
    mgl_free(own);
    mgl_free(sizes);
    return status;
}

/* What is reported about the classes of the input. */
typedef struct input_classes {
    tally tally;
    mgl_class_summary summary;
} input_classes;

static void add_to_both(void *context, uint64_t size, uint64_t members, uint64_t times)
{
    input_classes *o = context;
    add_size(&o->tally, size, members, times);
    mgl_class_summary_add(&o->summary, size, members, times);
}

static mgl_status sizes(const mgl_problem *p, const mgl_recoding *recoding,
                        const mgl_classes *classes, mgl_error *err, json_t *figures)
{
    bins b = make_bins(p->k);
    input_classes before = {.tally = {.bins = &b}};
    tally after = {.bins = &b};
    MGL_TRY(each_tuple(p, NULL, add_to_both, &before, err));
    MGL_TRY(mgl_each_counted(p, recoding, classes, add_size, &after, err));
    size_t used = used_bins(&before.tally), used_after = used_bins(&after);
    used = used_after > used ? used_after : used;
    json_t *sizes = json_object(), *original = json_object();
    /* Where rare rows were regrouped, the classes of the input are not known. */
    bool known = !p->list->regrouped;
    mgl_json_set(sizes, "before", known ? tally_json(&before.tally, used) : json_null());
    mgl_json_set(sizes, "after", tally_json(&after, used));
    mgl_json_set(figures, "class_sizes", sizes);
    mgl_json_set(original, "classes", known ? mgl_classes_json(&before.summary) : json_null());
    mgl_json_set(original, "risk", known ? mgl_risk_json(&before.summary) : json_null());
    mgl_json_set(figures, "before", original);
    return MGL_OK;
}

mgl_status mgl_both_sizes_json(const mgl_problem *problem, const mgl_recoding *recoding,
                               mgl_error *err, json_t **out)
{
    mgl_classes classes;
    MGL_TRY(mgl_judged_classes(problem, recoding, err, &classes));
    json_t *figures = json_object();
    mgl_status status = sizes(problem, recoding, &classes, err, figures);
    if (status == MGL_OK)
        *out = json_incref(figures);
    json_decref(figures);
    mgl_classes_free(&classes);
    return status;
}

mgl_status mgl_sizes_json(const mgl_problem *problem, const mgl_recoding *recoding, mgl_error *err,
                          json_t **out)
{
    bins b = make_bins(problem->k);
    tally now = {.bins = &b};
    bool match = recoding != NULL && problem->counting.tops_match;
    bool all = recoding == NULL || problem->treatment == MGL_KEEP;
    if (match)
        MGL_TRY(mgl_match_each(problem, recoding, add_size, &now, err));
    else
        MGL_TRY(each_tuple(problem, all ? NULL : recoding->suppressed, add_size, &now, err));
    json_t *figures = json_object(), *sizes = json_object();
    mgl_json_set(sizes, "now", tally_json(&now, used_bins(&now)));
    mgl_json_set(figures, "class_sizes", sizes);
    *out = figures;
    return MGL_OK;
}

/* ---- All of them --------------------------------------------------------------------------- */

mgl_status mgl_figures_json(const mgl_outcome *outcome, const mgl_measured *measured,
                            mgl_error *err, json_t **out)
{
    json_t *figures = json_object();
    mgl_json_set(figures, "threshold", mgl_json_count(mgl_figures_threshold(outcome, measured)));
    bool brief = outcome->reading->settings->brief; /* sizes are in the summary */
    mgl_status status = MGL_OK;
    MGL_GO(sizes(&outcome->task->problem, outcome->solution->recoding, &measured->classes, err,
                 figures));
    if (!brief) {
        MGL_GO(mgl_figures_columns(outcome, measured, err, figures));
        MGL_GO(figures_sensitive(outcome, measured, err, figures));
        MGL_GO(figures_lattice(outcome, err, figures));
    }
    *out = figures;
    figures = NULL;
done:
    json_decref(figures);
    return status;
}
