/* The aggregates that reports draw: what became of each column (levels, loss, and its distribution
 * before and after in groups of values: those of the lowest level that has few enough, or intervals
 * of numbers and dates; rare groups are pooled), class sizes, the nodes around a release with one
 * level per column where the lattice is small enough to be drawn, and how many different sensitive
 * values classes have and how far they are from those of the whole table. */
#include "findings/figures/figures.h"

#include <math.h>

/* ---- Distributions --------------------------------------------------------------------------- */

enum { MOST_SHOWN = 20, NO_GROUP = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };

typedef struct group {
    char *label;            /* NULL: the missing value */
    uint64_t before, after; /* rows */
    uint64_t persons;       /* before; rows, where every row is a person */
    bool shown;
} group;

typedef struct grouping {
    const mgl_hierarchy *hierarchy;
    uint32_t *of_leaf; /* [n_leaves] */
    group *groups;
    uint32_t n_groups;
    int32_t level; /* of the hierarchy; -1: intervals */
    uint64_t coarser, dropped;
    mgl_arena *arena;
} grouping;

/* ---- Groups -------------------------------------------------------------------------------- */

static mgl_status add_groups(grouping *g, uint32_t n, mgl_error *err)
{
    g->groups = mgl_zeroed_array(n, sizeof *g->groups);
    g->n_groups = n;
    return g->groups != NULL ? MGL_OK : mgl_fail_memory(err);
}

/* The number of values of a level without stand-ins, which come last and are known only more
 * coarsely than the level. */
static uint32_t values_of(const mgl_hierarchy *h, uint32_t l)
{
    uint32_t n = h->levels[l].n_values;
    while (n > 0 && h->levels[l].lowest[n - 1] > l)
        n--;
    return n;
}

static mgl_status group_by_level(grouping *g, uint32_t l, mgl_error *err)
{
    const mgl_hierarchy *h = g->hierarchy;
    const mgl_level *level = &h->levels[l];
    uint32_t n_values = values_of(h, l);
    MGL_TRY(add_groups(g, n_values, err));
    g->level = (int32_t)l;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        g->of_leaf[leaf] = level->of_leaf[leaf] < n_values ? level->of_leaf[leaf] : SEVERAL;
    for (uint32_t v = 0; v < n_values; v++) {
        bool missing = h->missing_leaf != MGL_NOT_FOUND && l < h->height &&
                       level->first_leaf[v] == h->missing_leaf;
        if (missing)
            continue;
        g->groups[v].label = mgl_arena_copy(g->arena, level->labels[v].data, level->labels[v].size);
        MGL_TRY(mgl_check_memory(g->groups[v].label != NULL, err));
    }
    return MGL_OK;
}

/* The smallest of 1, 2 or 5 times a power of ten that makes few enough intervals. */
static double interval_width(const mgl_scale *scale, double span)
{
    double unit = scale->kind == MGL_SCALE_DATES ? 365.2425 : scale->whole ? 1 : 1e-9;
    static const double steps[] = {1, 2, 5};
    for (;; unit *= 10)
        for (size_t i = 0; i < 3; i++)
            if (span / (unit * steps[i]) < MOST_SHOWN - 1 || !isfinite(unit))
                return unit * steps[i];
}

static char *interval_label(const grouping *g, const mgl_scale *scale, double from, double width)
{
    char low[MGL_NUMBER_TEXT], high[MGL_NUMBER_TEXT];
    bool inclusive = scale->whole && scale->kind == MGL_SCALE_NUMBERS;
    mgl_buffer text = {0};
    size_t n_low = mgl_scale_write(scale, from, low),
           n_high = mgl_scale_write(scale, from + width - (inclusive ? 1 : 0), high);
    if (inclusive && width == 1)
        mgl_buffer_append(&text, low, n_low);
    else
        mgl_buffer_format(&text, inclusive ? "%.*s-%.*s" : "%.*s to %.*s", (int)n_low, low,
                          (int)n_high, high);
    char *label = text.failed ? NULL : mgl_arena_copy(g->arena, text.data, text.size);
    mgl_buffer_free(&text);
    return label;
}

/* The missing value is a group of its own, after the intervals. */
static mgl_status group_by_intervals(grouping *g, const mgl_scale *scale, mgl_error *err)
{
    double least = scale->of_leaf[scale->ordered[0]],
           most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
    double width = interval_width(scale, most - least), first = floor(least / width);
    uint32_t n = (uint32_t)(floor(most / width) - first) + 1;
    MGL_TRY(add_groups(g, n + 1, err));
    g->level = -1;
    for (uint32_t i = 0; i < n; i++) {
        g->groups[i].label = interval_label(g, scale, (first + i) * width, width);
        MGL_TRY(mgl_check_memory(g->groups[i].label != NULL, err));
    }
    for (uint32_t leaf = 0; leaf < g->hierarchy->n_leaves; leaf++) {
        double number = scale->of_leaf[leaf];
        double place = floor(number / width) - first;
        g->of_leaf[leaf] = isnan(number) || !(place >= 0) ? n : place < n ? (uint32_t)place : n - 1;
    }
    return MGL_OK;
}

/* ---- Counting ------------------------------------------------------------------------------ */

static void join(uint32_t *group_of_value, uint32_t value, uint32_t group)
{
    uint32_t known = group_of_value[value];
    group_of_value[value] = known == NO_GROUP || known == group ? group : SEVERAL;
}

/* The group in which all leaves of a released value lie. */
static uint32_t *groups_of_values(const grouping *g, const mgl_released_column *column)
{
    uint32_t *of_value = mgl_alloc_array(column->n_values, sizeof *of_value);
    if (of_value == NULL)
        return NULL;
    for (uint32_t v = 0; v < column->n_values; v++)
        of_value[v] = NO_GROUP;
    for (uint32_t l = 0; l <= g->hierarchy->height; l++)
        for (uint32_t leaf = 0; leaf < g->hierarchy->n_leaves; leaf++)
            join(of_value, column->of_leaf[l][leaf], g->of_leaf[leaf]);
    for (uint32_t v = column->first_made; column->made != NULL && v < column->n_values; v++)
        for (uint32_t i = 0; i < column->values[v].leaves; i++)
            join(of_value, v, g->of_leaf[mgl_made_leaves(column, v)[i]]);
    of_value[column->top] =
        SEVERAL; /* the top shows nothing, even if all values lie in one group */
    return of_value;
}

static mgl_status count_rows(grouping *g, const mgl_outcome *outcome, size_t a, mgl_error *err)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    bool drop = outcome->task->problem.treatment == MGL_DROP;
    uint32_t *of_value = groups_of_values(g, recoding->columns[a]);
    MGL_TRY(mgl_check_memory(of_value != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t after = of_value[recoding->cells[a][t]];
        uint32_t before = g->of_leaf[mgl_list_leaf(list, t, a)];
        if (before < g->n_groups)
            g->groups[before].before += list->counts[t];
        if (drop && recoding->suppressed[t])
            g->dropped += list->counts[t];
        else if (after >= g->n_groups)
            g->coarser += list->counts[t];
        else
            g->groups[after].after += list->counts[t];
    }
    mgl_free(of_value);
    return MGL_OK;
}

/* How many persons have a row in each of n classes; class_of[tuple] from n on: in none. Classes
 * that occur are numbered anew, since a partition has at most as many as there are tuples. */
static mgl_status count_persons(const mgl_frequency_list *list, uint32_t *class_of, size_t n,
                                mgl_error *err, uint64_t *out)
{
    mgl_group_maker *maker = NULL;
    uint32_t n_found = 0, *number_of = mgl_alloc_array(n + 1, sizeof *number_of);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(number_of != NULL, err));
    MGL_GO(mgl_group_maker_new(list, err, &maker));
    for (size_t c = 0; c < n; c++)
        number_of[c] = MGL_NOT_FOUND;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t class = class_of[t];
        if (class < n && number_of[class] == MGL_NOT_FOUND)
            number_of[class] = n_found++;
        class_of[t] = class < n ? number_of[class] : MGL_NOT_FOUND;
    }
    mgl_group_maker_partition(maker, class_of, n_found);
    for (size_t c = 0; c < n; c++)
        out[c] =
            number_of[c] != MGL_NOT_FOUND ? mgl_group_maker_group(maker, number_of[c])->size : 0;
done:
    mgl_group_maker_free(maker);
    mgl_free(number_of);
    return status;
}

/* Persons of each group. In the joined view a person counts at one of the tuples only, which makes
 * groups rarer than they are. */
static mgl_status find_persons(grouping *g, const mgl_frequency_list *list, size_t a,
                               mgl_error *err)
{
    for (uint32_t i = 0; i < g->n_groups; i++)
        g->groups[i].persons = g->groups[i].before;
    if (list->persons == NULL)
        return MGL_OK;
    uint64_t *persons = mgl_alloc_array(g->n_groups, sizeof *persons);
    uint32_t *class_of = mgl_alloc_array(list->n_tuples, sizeof *class_of);
    bool room = persons != NULL && class_of != NULL;
    for (size_t t = 0; room && t < list->n_tuples; t++)
        class_of[t] = g->of_leaf[mgl_list_leaf(list, t, a)];
    mgl_status status =
        room ? count_persons(list, class_of, g->n_groups, err, persons) : mgl_fail_memory(err);
    for (uint32_t i = 0; status == MGL_OK && i < g->n_groups; i++)
        g->groups[i].persons = persons[i];
    mgl_free(persons);
    mgl_free(class_of);
    return status;
}

/* A level of few values shows most, unless most cells are generalized beyond it. Failing that,
 * numbers are put into intervals; of other columns the most frequent values of the coarsest level
 * are shown. */
static mgl_status make_groups(grouping *g, const mgl_outcome *outcome, size_t a, mgl_error *err)
{
    const mgl_hierarchy *h = g->hierarchy;
    uint64_t n_rows = outcome->task->problem.list->n_rows;
    for (uint32_t l = 0; l < h->height; l++) {
        if (values_of(h, l) > MOST_SHOWN + 4)
            continue;
        MGL_TRY(group_by_level(g, l, err));
        MGL_TRY(count_rows(g, outcome, a, err));
        if (l + 1 == h->height || g->coarser <= n_rows / 2)
            return MGL_OK;
        /* Drops the groups that were tried. */
        mgl_free(g->groups);
        g->groups = NULL;
        g->n_groups = 0;
        g->coarser = g->dropped = 0;
    }
    mgl_scale *scale;
    MGL_TRY(mgl_scale_new(h, err, &scale));
    mgl_status status = scale != NULL && scale->n_ordered > 0
                            ? group_by_intervals(g, scale, err)
                            : group_by_level(g, h->height - 1, err);
    mgl_scale_free(scale);
    return status == MGL_OK ? count_rows(g, outcome, a, err) : status;
}

/* ---- Rare groups lumped together -------------------------------------------------- */

/* The shown group with the fewest persons; NULL: none is shown. */
static group *rarest(const grouping *g)
{
    group *found = NULL;
    for (uint32_t i = 0; i < g->n_groups; i++)
        if (g->groups[i].shown && (found == NULL || g->groups[i].persons < found->persons))
            found = &g->groups[i];
    return found;
}

static group sum_up(const grouping *g, bool shown, uint64_t *n)
{
    group sum = {0};
    *n = 0;
    for (uint32_t i = 0; i < g->n_groups; i++)
        if (g->groups[i].shown == shown && g->groups[i].before > 0) {
            sum.before += g->groups[i].before;
            sum.after += g->groups[i].after;
            ++*n;
        }
    return sum;
}

/* Do all rows that are released more coarsely come from one shown group? Then totals show which;
 * returns that group. */
static group *only_hidden(const grouping *g)
{
    group *found = NULL;
    for (uint32_t i = 0; i < g->n_groups; i++) {
        if (g->groups[i].before <= g->groups[i].after)
            continue;
        if (found != NULL || !g->groups[i].shown)
            return NULL;
        found = &g->groups[i];
    }
    return found;
}

/* What is lumped together must not be found out by subtraction: the lump has as many persons as any
 * group, and stands for two values at least. Persons who have several of its values count once each
 * time, so their number may be less: it must reach the threshold in one of its groups, too. */
static bool is_rare(const grouping *g, const mgl_frequency_list *list, const group *lumped,
                    uint64_t threshold)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < g->n_groups; i++)
        if (!g->groups[i].shown && g->groups[i].persons > most)
            most = g->groups[i].persons;
    return list->persons == NULL ? lumped->before < threshold : most < threshold;
}

static void lump(grouping *g, const mgl_frequency_list *list, uint64_t threshold)
{
    uint64_t n_shown, n_lumped;
    for (uint32_t i = 0; i < g->n_groups; i++)
        g->groups[i].shown = g->groups[i].persons >= threshold;
    group *hidden = only_hidden(g);
    if (hidden != NULL)
        hidden->shown = false;
    sum_up(g, true, &n_shown);
    group lumped = sum_up(g, false, &n_lumped);
    while (n_shown > MOST_SHOWN + 4 || (n_lumped > 0 && n_shown > 0 &&
                                        (is_rare(g, list, &lumped, threshold) || n_lumped < 2))) {
        rarest(g)->shown = false;
        lumped = sum_up(g, false, &n_lumped);
        n_shown--;
    }
}

static json_t *grouping_json(const grouping *g)
{
    json_t *object = json_object(), *list = json_array(), *rest = json_object();
    uint64_t n;
    group lumped = sum_up(g, false, &n);
    for (uint32_t i = 0; i < g->n_groups; i++) {
        if (!g->groups[i].shown)
            continue;
        json_t *one = json_object();
        mgl_json_set(one, "value",
                     g->groups[i].label != NULL ? json_string(g->groups[i].label) : json_null());
        mgl_json_set(one, "before", mgl_json_count(g->groups[i].before));
        mgl_json_set(one, "after", mgl_json_count(g->groups[i].after));
        mgl_json_append(list, one);
    }
    mgl_json_set(rest, "values", mgl_json_count(n));
    mgl_json_set(rest, "before", mgl_json_count(lumped.before));
    mgl_json_set(rest, "after", mgl_json_count(lumped.after));
    mgl_json_set(object, "level", g->level >= 0 ? json_integer(g->level) : json_null());
    mgl_json_set(object, "groups", list);
    mgl_json_set(object, "pooled", rest);
    mgl_json_set(object, "coarser", mgl_json_count(g->coarser));
    mgl_json_set(object, "dropped", mgl_json_count(g->dropped));
    return object;
}

/* A column's distribution before and after, in groups of its values. */
static mgl_status figures_distribution(const mgl_outcome *outcome, size_t attribute,
                                       uint64_t threshold, mgl_error *err, json_t **out)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_hierarchy *hierarchy = list->hierarchies[attribute];
    grouping g = {.hierarchy = hierarchy,
                  .of_leaf = mgl_zeroed_array(hierarchy->n_leaves, sizeof *g.of_leaf),
                  .arena = mgl_arena_new()};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(g.of_leaf != NULL && g.arena != NULL, err));
    MGL_GO(make_groups(&g, outcome, attribute, err));
    MGL_GO(find_persons(&g, list, attribute, err));
    lump(&g, list, threshold);
    *out = grouping_json(&g);
done:
    mgl_free(g.of_leaf);
    mgl_free(g.groups);
    mgl_arena_free(g.arena);
    return status;
}

/* Values of fewer rows than this are not distinguished: k, and 2 at least. Without k-anonymity it
 * is the smallest class of the release. */
static uint64_t figures_threshold(const mgl_outcome *outcome, const mgl_measured *measured)
{
    uint64_t k = outcome->task->problem.k;
    uint64_t threshold = k > 1 ? k : measured->summary.min;
    return threshold > 2 ? threshold : 2;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static bool is_dropped(const mgl_outcome *outcome, size_t tuple)
{
    return outcome->task->problem.treatment == MGL_DROP &&
           outcome->solution->recoding->suppressed[tuple];
}

/* Rows on each level of the hierarchy; those with a range or an average are on none. */
static mgl_status levels_json(const mgl_outcome *outcome, size_t a, mgl_error *err, json_t *object)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    const mgl_released_column *column = recoding->columns[a];
    size_t n_levels = (size_t)column->hierarchy->height + 1;
    uint64_t *rows = mgl_zeroed_array(n_levels, sizeof *rows), made = 0, dropped = 0;
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        int32_t level = column->values[recoding->cells[a][t]].level;
        if (is_dropped(outcome, t))
            dropped += list->counts[t];
        else if (level < 0)
            made += list->counts[t];
        else
            rows[level] += list->counts[t];
    }
    json_t *levels = json_array();
    for (size_t l = 0; l < n_levels; l++)
        mgl_json_append(levels, mgl_json_count(rows[l]));
    mgl_free(rows);
    mgl_json_set(object, "rows_at_level", levels);
    mgl_json_set(object, "rows_made", mgl_json_count(made));
    mgl_json_set(object, "rows_dropped", mgl_json_count(dropped));
    return MGL_OK;
}

static mgl_status column_json(const mgl_outcome *outcome, const mgl_measured *measured, size_t a,
                              mgl_error *err, json_t *object)
{
    const mgl_statistics *s = &measured->statistics;
    double n = (double)s->n_rows;
    json_t *distribution;
    mgl_json_set(object, "column", json_string(outcome->reading->quasi[a].settings->name));
    mgl_json_set(object, "height", mgl_json_count(measured->heights[a]));
    mgl_json_set(object, "loss", mgl_json_real(s->loss[a] / n));
    mgl_json_set(object, "precision",
                 s->distortion != NULL ? mgl_json_real(1 - s->distortion[a] / n) : json_null());
    MGL_TRY(levels_json(outcome, a, err, object));
    MGL_TRY(
        figures_distribution(outcome, a, figures_threshold(outcome, measured), err, &distribution));
    mgl_json_set(object, "distribution", distribution);
    return MGL_OK;
}

/* What became of each quasi-identifier column: levels, loss, distribution. */
static mgl_status figures_columns(const mgl_outcome *outcome, const mgl_measured *measured,
                                  mgl_error *err, json_t *figures)
{
    json_t *list = json_array();
    mgl_status status = MGL_OK;
    for (size_t a = 0; status == MGL_OK && a < outcome->reading->n_quasi; a++) {
        json_t *object = json_object();
        status = column_json(outcome, measured, a, err, object);
        mgl_json_append(list, object);
    }
    mgl_json_set(figures, "columns", list);
    return status;
}

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

static json_t *node_levels_json(const uint32_t *node, size_t n)
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
    MGL_GO(mgl_check_memory(node != NULL, err));
    MGL_GO(mgl_minimal_nodes(p, t->holds, err, &minimal, &n_minimal));
    json_t *nodes = json_array(), *list = json_array();
    uint64_t holding = 0;
    for (uint64_t v = 0; v < size; v++) {
        json_t *one = json_object();
        mgl_lattice_node(v, p->min_level, p->max_level, n, node);
        mgl_json_set(one, "levels", node_levels_json(node, n));
        mgl_json_set(one, "holds", json_boolean(t->holds[v]));
        mgl_json_set(one, "suppressed_rows", mgl_json_count(t->suppressed[v]));
        mgl_json_append(nodes, one);
        holding += t->holds[v];
    }
    for (size_t i = 0; i < n_minimal; i++)
        mgl_json_append(list, node_levels_json(minimal + i * n, n));
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
    MGL_GO(mgl_check_memory(t.holds != NULL && t.suppressed != NULL, err));
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
    mgl_json_set(object, "chosen",
                 node_levels_json(outcome->solution->node, p->list->n_attributes));
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
    MGL_GO(mgl_check_memory(class_of != NULL && columns != NULL, err));
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
    MGL_GO(mgl_check_memory(own != NULL && sizes != NULL, err));
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
    mgl_json_set(figures, "threshold", mgl_json_count(figures_threshold(outcome, measured)));
    bool brief = outcome->reading->settings->brief; /* sizes are in the summary */
    mgl_status status = MGL_OK;
    MGL_GO(sizes(&outcome->task->problem, outcome->solution->recoding, &measured->classes, err,
                 figures));
    if (!brief) {
        MGL_GO(figures_columns(outcome, measured, err, figures));
        MGL_GO(figures_sensitive(outcome, measured, err, figures));
        MGL_GO(figures_lattice(outcome, err, figures));
    }
    *out = figures;
    figures = NULL;
done:
    json_decref(figures);
    return status;
}
