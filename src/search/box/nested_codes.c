/* Gives the leaves of each column nested codes, so that a mask takes the key of a tuple to any
 * node. The cell level and local suppression make one space per search. */
#include "search/box/box.h"

#include <math.h>
#include <stdio.h>

/* ---- Whole costs ----------------------------------------------------------------------------- */

/* Where the measure is a sum of fractions with a common denominator that is not too large, as
 * weighted levels and shares of leaves mostly are, costs are exact: whole numbers of which all are
 * multiples of one step. Otherwise they are rounded down, so that what is proved about their sums
 * is right for the measure, too, but for the rounding. */

static mgl_measured_cells cells_of(const mgl_box_space *s)
{
    return s->is_flat ? MGL_PAYS_NONE : s->problem->measure->cells;
}

static double weight_of(const mgl_box_space *s, size_t a)
{
    if (s->is_flat) /* cells are worth as much as the holder says */
        return s->importance[a];
    return s->problem->measure->weighted ? s->problem->weights[a] : 1;
}

/* What a cell released as this value adds to the cost of its row, in the measure's own terms. */
static double plain_cost(const mgl_box_space *s, size_t a, uint32_t value)
{
    const mgl_cell_costs *costs = s->problem->costs;
    mgl_measured_cells cells = cells_of(s);
    if (cells == MGL_PAYS_LEVEL)
        return weight_of(s, a) * costs->distortion[a][value];
    return weight_of(s, a) * (cells == MGL_PAYS_LEAVES ? costs->loss : costs->log_rows)[a][value];
}

/* What suppressing a cell of the column costs. */
static double top_of(const mgl_box_space *s, size_t a)
{
    return s->is_flat ? weight_of(s, a) : plain_cost(s, a, s->problem->columns[a]->top);
}

/* ---- Exact costs ---------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t x, uint64_t y)
{
    while (y != 0) {
        uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* Of what costs without weight are fractions. */
static uint64_t denominator_of(const mgl_box_space *s, size_t a)
{
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    if (s->is_flat)
        return 1;
    if (cells_of(s) == MGL_PAYS_LEVEL)
        return h->height;
    return h->n_leaves > 1 ? h->n_leaves - 1 : 1;
}

/* Weights are decimal numbers, of nine digits behind the point at most: as whole numbers. */
static bool find_whole_weights(const mgl_box_space *s, double *times)
{
    for (*times = 1; *times <= 1e9; *times *= 10) {
        bool whole = true;
        for (size_t a = 0; a < s->m; a++) {
            double weight = weight_of(s, a) * *times;
            whole = whole && weight < 0x1p40 && fabs(weight - round(weight)) <= 1e-15 * weight;
        }
        if (whole)
            return true;
    }
    return false;
}

/* The largest factor that makes whole numbers of all costs, the top costing at most MGL_BOX_TOP;
 * 0: there is none. */
static double exact_scale(const mgl_box_space *s, double top)
{
    double times;
    uint64_t denominator = 1, divisor = 0;
    if (cells_of(s) == MGL_PAYS_BITS || !find_whole_weights(s, &times))
        return 0;
    for (size_t a = 0; a < s->m; a++) {
        uint64_t own = denominator_of(s, a);
        denominator *= own / common_divisor(denominator, own);
        divisor = common_divisor(divisor, (uint64_t)round(weight_of(s, a) * times));
        if ((double)denominator > MGL_BOX_TOP)
            return 0;
    }
    double scale = times * (double)denominator / (double)divisor;
    return scale * floor(MGL_BOX_TOP / (scale * top) * (1 + 1e-12));
}

static mgl_status refuse_measure(const mgl_measure_type *measure, mgl_error *err)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    char names[400] = "";
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search && mgl_adds_up(types[i]))
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s, ", types[i]->name);
    return mgl_fail_key(err, MGL_CODE_CONFLICT, "utility",
                        "`utility`: %s does not add up over cells, which the cell level needs; "
                        "use %sor `method: mingen`",
                        measure->name, names);
}

/* The scale on which costs are whole numbers, exact ones if there is such a scale. First of all. */
static mgl_status choose_scale(mgl_box_space *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    double top = 0;
    if (!s->is_flat && !mgl_adds_up(p->measure))
        return refuse_measure(p->measure, err);
    for (size_t a = 0; a < s->m; a++)
        top += top_of(s, a);
    double exact = top > 0 ? exact_scale(s, top) : 1;
    s->whole = exact > 0;
    s->scale = s->whole ? exact : MGL_BOX_TOP / top;
    for (size_t a = 0; cells_of(s) == MGL_PAYS_BITS && a < s->m; a++)
        s->constant += p->costs->original_bits[a];
    return MGL_OK;
}

/* Such a cost as a whole number. */
static uint32_t whole_cost(mgl_box_space *s, double cost)
{
    const double rounding = 0x1p-16; /* what products of doubles may be off by is far less */
    double scaled = cost * s->scale;
    if (!s->whole)
        return (uint32_t)scaled;
    double whole = floor(scaled + rounding);
    s->whole = scaled - whole <= rounding;
    return (uint32_t)whole;
}

/* The step that all costs are multiples of, when all are known. */
static void find_step(mgl_box_space *s)
{
    uint64_t step = s->whole ? s->top_cost : 1;
    for (size_t a = 0; s->whole && a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        for (uint32_t l = 0; l <= x->height; l++)
            for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++)
                step = common_divisor(step, x->cost[l][leaf]);
    }
    s->step = step > 0 ? (uint32_t)step : 1;
}

/* ---- Back to the measure -------------------------------------------------------------------- */

double mgl_box_measured(const mgl_box_space *s, double cost)
{
    double sum = cost / s->scale - s->constant, weights = 0;
    if (cells_of(s) == MGL_PAYS_BITS)
        return sum > 0 ? sum : 0;
    for (size_t a = 0; a < s->m; a++)
        weights += weight_of(s, a);
    double mean = weights > 0 ? sum / weights / (double)s->n_rows : 0;
    return !s->is_flat && s->problem->measure->higher_is_better ? 1 - mean : mean;
}

/* ---- Attributes ------------------------------------------------------------------------ */

static bool covers_the_same(const mgl_hierarchy *h, uint32_t l, uint32_t k, uint32_t leaf)
{
    return h->levels[l].leaves[h->levels[l].of_leaf[leaf]] ==
           h->levels[k].leaves[h->levels[k].of_leaf[leaf]];
}

/* A level's value may cover what that of another level covers; then the cheaper one is
 * released, whichever it is. */
static mgl_status set_level_costs(mgl_box_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    mgl_box_attribute *x = &s->attributes[a];
    const mgl_released_column *column = p->columns[a];
    const mgl_hierarchy *h = column->hierarchy;
    x->cost = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->cost);
    x->released = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->released);
    MGL_TRY(mgl_check_memory(x->cost != NULL && x->released != NULL, err));
    for (uint32_t l = 0; l <= x->height; l++) {
        x->cost[l] = mgl_arena_alloc(s->arena, h->n_leaves * sizeof **x->cost);
        x->released[l] = mgl_arena_alloc(s->arena, h->n_leaves * sizeof **x->released);
        MGL_TRY(mgl_check_memory(x->cost[l] != NULL && x->released[l] != NULL, err));
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
            uint32_t best = column->of_leaf[l][leaf];
            for (uint32_t k = x->low; k <= x->high; k++)
                if (covers_the_same(h, l, k, leaf) &&
                    plain_cost(s, a, column->of_leaf[k][leaf]) < plain_cost(s, a, best))
                    best = column->of_leaf[k][leaf];
            x->released[l][leaf] = best;
            x->cost[l][leaf] = whole_cost(s, plain_cost(s, a, best));
        }
    }
    s->top_cost += whole_cost(s, plain_cost(s, a, column->top));
    return MGL_OK;
}

/* As it is at no cost, or suppressed, for what the column is important. */
static mgl_status set_flat_costs(mgl_box_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    mgl_box_attribute *x = &s->attributes[a];
    const mgl_released_column *column = p->columns[a];
    uint32_t n = column->hierarchy->n_leaves;
    uint32_t importance = whole_cost(s, s->importance[a]);
    x->cost = mgl_arena_alloc(s->arena, 2 * sizeof *x->cost);
    x->released = mgl_arena_alloc(s->arena, 2 * sizeof *x->released);
    MGL_TRY(mgl_check_memory(x->cost != NULL && x->released != NULL, err));
    for (uint32_t l = 0; l < 2; l++) {
        x->cost[l] = mgl_arena_alloc(s->arena, n * sizeof **x->cost);
        x->released[l] = mgl_arena_alloc(s->arena, n * sizeof **x->released);
        MGL_TRY(mgl_check_memory(x->cost[l] != NULL && x->released[l] != NULL, err));
    }
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        x->released[0][leaf] = column->of_leaf[s->ground[a]][leaf];
        x->released[1][leaf] = column->top;
        x->cost[0][leaf] = 0;
        x->cost[1][leaf] = x->released[0][leaf] == column->top ? 0 : importance;
    }
    s->top_cost += importance;
    return MGL_OK;
}

/* number[v]: which child of its parent the value is; returns how many children the largest
 * family has. */
static uint32_t number_children(const mgl_level *level, uint32_t n_parents, uint32_t *children,
                                uint32_t *number)
{
    uint32_t most = 0;
    memset(children, 0, n_parents * sizeof *children);
    for (uint32_t v = 0; v < level->n_values; v++) {
        number[v] = children[level->parent[v]]++;
        most = children[level->parent[v]] > most ? children[level->parent[v]] : most;
    }
    return most;
}

/* The codes of the leaves, those of higher levels in higher bits; first_bit[l] is the lowest
 * bit that level l keeps. */
static mgl_status code_leaves(const mgl_hierarchy *h, mgl_error *err, uint32_t *first_bit,
                              uint64_t *codes)
{
    uint32_t *children = mgl_alloc_array(h->n_leaves, sizeof *children);
    uint32_t *number = mgl_alloc_array(h->n_leaves, sizeof *number);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(children != NULL && number != NULL, err));
    memset(codes, 0, h->n_leaves * sizeof *codes);
    first_bit[0] = 0;
    for (uint32_t l = 0; l < h->height; l++) {
        const mgl_level *level = &h->levels[l];
        unsigned bits =
            mgl_bits_for(number_children(level, h->levels[l + 1].n_values, children, number));
        first_bit[l + 1] = first_bit[l] + bits;
        if (first_bit[l + 1] > MGL_BOX_BITS)
            MGL_GO(mgl_fail_key(err, MGL_CODE_LIMIT, "method",
                                "%s: the hierarchy has too many levels and values for the cell "
                                "level; use `method: mingen`, or fewer levels",
                                h->source));
        for (uint32_t leaf = 0; bits > 0 && leaf < h->n_leaves; leaf++)
            codes[leaf] |= (uint64_t)number[level->of_leaf[leaf]] << first_bit[l];
    }
done:
    mgl_free(children);
    mgl_free(number);
    return status;
}

static void code_flat(const mgl_hierarchy *h, uint32_t ground, uint32_t *first_bit, uint64_t *codes)
{
    const mgl_level *level = &h->levels[ground];
    first_bit[0] = 0;
    first_bit[1] = mgl_bits_for(level->n_values);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        codes[leaf] = level->of_leaf[leaf];
}

static uint64_t low_bits(uint32_t n)
{
    return n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
}

/* Where the codes of the attribute lie in keys, and its masks. */
static mgl_status place(mgl_box_space *s, mgl_box_attribute *x, const uint32_t *first_bit,
                        uint32_t *used, mgl_error *err)
{
    x->n_bits = first_bit[x->height];
    if (*used + x->n_bits > 64) {
        s->words++;
        *used = 0;
    }
    x->word = (uint32_t)s->words - 1;
    x->shift = x->n_bits > 0 ? *used : 0;
    *used += x->n_bits;
    x->mask = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->mask);
    x->split = mgl_arena_alloc(s->arena, 64);
    MGL_TRY(mgl_check_memory(x->mask != NULL && x->split != NULL, err));
    memset(x->split, 0, 64);
    for (uint32_t l = 0; l <= x->height; l++) {
        uint64_t kept = low_bits(x->n_bits) & ~low_bits(first_bit[l]);
        x->mask[l] = kept == 0 ? 0 : kept << x->shift;
        for (uint32_t b = l < x->height ? first_bit[l] : 0; l < x->height && b < first_bit[l + 1];
             b++)
            x->split[x->shift + b] = (uint8_t)(l + 1);
    }
    return MGL_OK;
}

/* The history of a tuple lies behind the attributes. */
static void place_histories(mgl_box_space *s, uint32_t used)
{
    const uint32_t *histories = s->problem->histories;
    uint32_t most = 0;
    for (size_t t = 0; histories != NULL && t < s->n; t++)
        most = histories[t] > most ? histories[t] : most;
    if (most == 0)
        return;
    unsigned bits = 32 - (unsigned)__builtin_clz(most);
    if (used + bits > 64) {
        s->words++;
        used = 0;
    }
    s->history_word = (uint32_t)s->words - 1;
    s->history_mask = low_bits(bits) << used;
}

/* ---- Tuples ------------------------------------------------------------------------------ */

static uint64_t *make_keys(mgl_box_space *s, const mgl_frequency_list *list)
{
    size_t n = list->n_tuples;
    uint64_t *keys = mgl_arena_alloc(s->arena, n * s->words * sizeof *keys);
    if (keys == NULL)
        return NULL;
    memset(keys, 0, n * s->words * sizeof *keys);
    for (size_t t = 0; t < n; t++)
        for (size_t a = 0; a < s->m; a++)
            keys[t * s->words + s->attributes[a].word] |=
                s->attributes[a].code[mgl_list_leaf(list, t, a)] << s->attributes[a].shift;
    bool divided = s->history_mask != 0 && list == s->problem->list;
    for (size_t t = 0; divided && t < n; t++)
        keys[t * s->words + s->history_word] |= (uint64_t)s->problem->histories[t]
                                                << __builtin_ctzll(s->history_mask);
    return keys;
}

static mgl_status take_tuples(mgl_box_space *s, mgl_error *err)
{
    const mgl_frequency_list *list = s->problem->list;
    uint32_t *leaves = mgl_arena_alloc(s->arena, s->n * s->m * sizeof *leaves);
    uint32_t *rows = mgl_arena_alloc(s->arena, s->n * sizeof *rows);
    s->keys = make_keys(s, list);
    MGL_TRY(mgl_check_memory(s->keys != NULL && leaves != NULL && rows != NULL, err));
    for (size_t t = 0; t < s->n; t++) {
        rows[t] = (uint32_t)list->counts[t];
        for (size_t a = 0; a < s->m; a++)
            leaves[t * s->m + a] = mgl_list_leaf(list, t, a);
    }
    s->leaves = leaves;
    s->rows = rows;
    if (s->problem->population == NULL)
        return MGL_OK;
    s->population = make_keys(s, s->problem->population);
    return s->population == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status set_average_costs(mgl_box_space *s, mgl_error *err)
{
    for (size_t a = 0; a < s->m; a++) {
        mgl_box_attribute *x = &s->attributes[a];
        x->mean = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->mean);
        x->least = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->least);
        x->most = mgl_arena_alloc(s->arena, (x->height + 1) * sizeof *x->most);
        MGL_TRY(mgl_check_memory(x->mean != NULL && x->least != NULL && x->most != NULL, err));
        for (uint32_t l = 0; l <= x->height; l++) {
            uint64_t sum = 0;
            x->least[l] = UINT32_MAX;
            x->most[l] = 0;
            for (size_t t = 0; t < s->n; t++) {
                uint32_t cost = x->cost[l][s->leaves[t * s->m + a]];
                sum += (uint64_t)cost * s->rows[t];
                x->least[l] = cost < x->least[l] ? cost : x->least[l];
                x->most[l] = cost > x->most[l] ? cost : x->most[l];
            }
            x->mean[l] = (double)sum / (double)s->n_rows;
        }
    }
    return MGL_OK;
}

static mgl_status make_attributes(mgl_box_space *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint32_t used = 0;
    s->words = 1;
    for (size_t a = 0; a < s->m; a++) {
        const mgl_hierarchy *h = p->columns[a]->hierarchy;
        mgl_box_attribute *x = &s->attributes[a];
        if (h->height >= UINT8_MAX && !s->is_flat)
            return mgl_fail_key(err, MGL_CODE_LIMIT, "method",
                                "%s: %u levels; the cell level takes at most %d", h->source,
                                h->height, UINT8_MAX - 1);
        *x = (mgl_box_attribute){.low = p->min_level[a],
                                 .high = p->max_level[a],
                                 .height = s->is_flat ? 1 : h->height,
                                 .n_leaves = h->n_leaves};
        x->code = mgl_arena_alloc(s->arena, h->n_leaves * sizeof *x->code);
        MGL_TRY(mgl_check_memory(x->code != NULL, err));
        uint32_t first_bit[UINT8_MAX + 1];
        if (s->is_flat)
            code_flat(h, s->ground[a], first_bit, x->code);
        else
            MGL_TRY(code_leaves(h, err, first_bit, x->code));
        MGL_TRY(place(s, x, first_bit, &used, err));
        MGL_TRY(s->is_flat ? set_flat_costs(s, a, err) : set_level_costs(s, a, err));
    }
    place_histories(s, used);
    return MGL_OK;
}

/* The least size at which a class holds all models that look at its size alone; one more than
 * the table has rows if there is none. */
static void find_need(mgl_box_space *s)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    uint64_t low = 1, high = s->n_rows + 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        mgl_group group = {.size = middle, .rows = middle};
        bool holds = true;
        for (size_t i = 0; holds && i < set->n_models; i++)
            if (mgl_asks_for_size(set->models[i].type))
                holds = mgl_model_holds(&set->models[i], &group);
        if (holds)
            high = middle;
        else
            low = middle + 1;
    }
    s->need = (uint32_t)low;
    s->for_values = mgl_box_rows_for_values(s);
    s->looks = s->upward = s->problem->list->persons != NULL;
    s->judged = s->looks || s->history_mask != 0;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        bool looks = mgl_needs_histograms(type) || type->needs_population;
        s->looks = s->looks || (looks && (s->history_mask == 0 || set->models[i].joint == NULL));
        s->judged = s->judged || s->looks;
        s->upward = s->upward || (looks && type->upward_closed);
    }
}

static mgl_status build(mgl_box_space *s, mgl_error *err)
{
    if (s->n_rows >= UINT32_MAX / 2)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "method",
                            "the cell level takes at most %u rows; use `method: mingen`",
                            UINT32_MAX / 2);
    MGL_TRY(choose_scale(s, err));
    s->attributes = mgl_arena_alloc(s->arena, s->m * sizeof *s->attributes);
    MGL_TRY(mgl_check_memory(s->attributes != NULL, err));
    MGL_TRY(make_attributes(s, err));
    s->has_top = true;
    for (size_t a = 0; a < s->m; a++)
        s->has_top = s->has_top && s->attributes[a].high == s->attributes[a].height;
    s->below_top = s->problem->treatment == MGL_KEEP && s->problem->limit == 0;
    find_step(s);
    MGL_TRY(take_tuples(s, err));
    MGL_TRY(set_average_costs(s, err));
    find_need(s);
    return MGL_OK;
}

/* The same problem with the levels 0 and 1, the second of which only some columns may have. */
static mgl_status bound_flat(mgl_box_space *s, mgl_error *err)
{
    const mgl_problem *given = s->problem;
    uint32_t *low = mgl_arena_alloc(s->arena, s->m * sizeof *low);
    uint32_t *high = mgl_arena_alloc(s->arena, s->m * sizeof *high);
    MGL_TRY(mgl_check_memory(low != NULL && high != NULL, err));
    for (size_t a = 0; a < s->m; a++) {
        low[a] = 0;
        high[a] = given->max_level[a] == given->columns[a]->hierarchy->height;
    }
    s->ground = given->min_level;
    s->flat = *given;
    s->flat.min_level = low;
    s->flat.max_level = high;
    s->problem = &s->flat;
    return MGL_OK;
}

/* importance: of the columns, for a flat space; NULL: it is none. */
static mgl_status make(mgl_box_space *s, const mgl_problem *problem, const double *importance,
                       mgl_error *err)
{
    s->problem = problem;
    s->n = problem->list->n_tuples;
    s->m = problem->list->n_attributes;
    s->n_rows = problem->list->n_rows;
    s->is_flat = importance != NULL;
    s->importance = importance;
    if (s->m > MGL_MOST_COLUMNS)
        return mgl_fail_key(
            err, MGL_CODE_LIMIT, "method",
            "this method takes at most %d quasi-identifier columns, and there are %zu; "
            "name fewer of them, or use `method: mondrian` or k-member",
            MGL_MOST_COLUMNS, s->m);
    s->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(s->arena != NULL, err));
    if (s->is_flat)
        MGL_TRY(bound_flat(s, err));
    return build(s, err);
}

static mgl_status make_new(const mgl_problem *problem, const double *importance, mgl_error *err,
                           mgl_box_space **out)
{
    mgl_box_space *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    mgl_status status = make(s, problem, importance, err);
    if (status != MGL_OK) {
        mgl_box_space_free(s);
        return status;
    }
    *out = s;
    return MGL_OK;
}

mgl_status mgl_box_space_new(const mgl_problem *problem, mgl_error *err, mgl_box_space **out)
{
    return make_new(problem, NULL, err, out);
}

mgl_status mgl_box_space_flat(const mgl_problem *problem, const double *importance, mgl_error *err,
                              mgl_box_space **out)
{
    return make_new(problem, importance, err, out);
}

void mgl_box_space_free(mgl_box_space *space)
{
    if (space == NULL)
        return;
    mgl_arena_free(space->arena);
    mgl_free(space);
}

void mgl_box_mask(const mgl_box_space *s, const uint8_t *levels, uint64_t *mask)
{
    memset(mask, 0, s->words * sizeof *mask);
    mask[s->history_word] = s->history_mask;
    for (size_t a = 0; a < s->m; a++)
        if (levels[a] <= s->attributes[a].height)
            mask[s->attributes[a].word] |= s->attributes[a].mask[levels[a]];
}
