/* What became of each column, for reports: how many cells are on which level, what that lost, and
 * its distribution before and after in groups of its values: those of the lowest level that has few
 * enough, or intervals of numbers and dates. Groups that are rarer than the threshold, and those
 * beyond the most frequent ones, are lumped together. */
#include "findings/figures/figure_kinds.h"

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
        if (g->groups[v].label == NULL)
            return mgl_fail_memory(err);
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
        if (g->groups[i].label == NULL)
            return mgl_fail_memory(err);
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

/* Drops the groups that were tried. */
static void clear_groups(grouping *g)
{
    mgl_free(g->groups);
    g->groups = NULL;
    g->n_groups = 0;
    g->coarser = g->dropped = 0;
}

static mgl_status count_rows(grouping *g, const mgl_outcome *outcome, size_t a, mgl_error *err)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    bool drop = outcome->task->problem.treatment == MGL_DROP;
    uint32_t *of_value = groups_of_values(g, recoding->columns[a]);
    if (of_value == NULL)
        return mgl_fail_memory(err);
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
    if (number_of == NULL)
        return mgl_fail_memory(err);
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
        clear_groups(g);
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
    if (g.of_leaf == NULL || g.arena == NULL)
        MGL_GO(mgl_fail_memory(err));
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

uint64_t mgl_figures_threshold(const mgl_outcome *outcome, const mgl_measured *measured)
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
    if (rows == NULL)
        return mgl_fail_memory(err);
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
    MGL_TRY(figures_distribution(outcome, a, mgl_figures_threshold(outcome, measured), err,
                                 &distribution));
    mgl_json_set(object, "distribution", distribution);
    return MGL_OK;
}

mgl_status mgl_figures_columns(const mgl_outcome *outcome, const mgl_measured *measured,
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
