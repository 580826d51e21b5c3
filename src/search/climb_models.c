/* What records must carry for the models of a problem, and what follows for finer nodes.
 *
 * Every model here is closed under union. Take a class C of a coarse node, and a finer node:
 * the rows of C that it does not suppress are a union of holding classes, hence hold
 * themselves, or there are none. So at least |C| - |K| rows of C are suppressed, K being the
 * largest part of C that holds. For upward closed models K is C or nothing. The others bound
 * the share of values: with caps c_v, a part of m rows has at most min(n_v, c_v m) of value
 * v, so that sum of min(n_v, c_v m) >= m; for t-closeness, 1/2 sum |p-q| <= t says that sum
 * of min(n_v, q_v m) >= (1-t) m. The left side minus the right is concave in m and 0 at 0,
 * so Newton's steps from |C| never pass below the largest such m (climb_judge.c). For other
 * distances: D(C) <= D(K) |K|/|C| + farthest (1 - |K|/|C|), as D is convex. */
#include "search/climb.h"

enum { MOST_LANES = 1024, MOST_WORDS = 64, MOST_LOGS = 1 << 17 };

/* Lanes of all tuples together: tables of more memory than that are none that one wants
 * several of. */
static const size_t MOST_COUNTS = (size_t)1 << 26;

/* Rounding must never make a bound too high: models are taken to be this much weaker. */
static const double SLACK = 1e-9;

/* ---- Bits --------------------------------------------------------------------------- */

/* Where the bits of each variety lie. Those that need too many are left to the plain
 * evaluation. */
static mgl_status lay_out_bits(mgl_climb *climb, mgl_error *err)
{
    const mgl_demand *demand = &climb->frame.demand;
    climb->sets =
        mgl_arena_alloc(climb->frame.arena, (demand->n_varieties + 1) * sizeof *climb->sets);
    if (climb->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < demand->n_varieties; i++) {
        size_t words = (demand->varieties[i].n_bits + 63) / 64;
        if (climb->n_or + words > MOST_WORDS) {
            climb->plain = true;
            continue;
        }
        climb->sets[climb->n_sets++] = (mgl_climb_set){&demand->varieties[i], climb->n_or, words};
        climb->n_or += words;
    }
    return MGL_OK;
}

/* ---- Lanes -------------------------------------------------------------------------- */

static mgl_status make_lanes(mgl_climb *climb, const mgl_sensitive *s, uint32_t attribute,
                             mgl_error *err)
{
    size_t n = climb->n_lanes + s->n_present;
    if (climb->lane_of_code[attribute] != NULL || n > MOST_LANES ||
        n > MOST_COUNTS / climb->frame.problem->list->n_tuples)
        return MGL_OK;
    uint32_t *lanes = mgl_arena_alloc(climb->frame.arena, s->n_values * sizeof *lanes);
    if (lanes == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < s->n_values; code++)
        lanes[code] = s->counts[code] > 0 ? (uint32_t)climb->n_lanes++ : MGL_NOT_FOUND;
    climb->lane_of_code[attribute] = lanes;
    return MGL_OK;
}

/* The largest share one of d values can have in a class whose entropy is ln l: the others
 * are equally common then. */
static double entropy_cap(double l, double d)
{
    if (d < 2 || l <= 1)
        return 1;
    double low = 1 / d, high = 1; /* the entropy falls from ln d to 0 */
    for (int i = 0; i < 60; i++) {
        double p = (low + high) / 2;
        double entropy = -p * log(p) - (1 - p) * log((1 - p) / (d - 1));
        if (entropy >= log(l))
            low = p;
        else
            high = p;
    }
    return high;
}

static double beta_cap(double q, double beta)
{
    return q * (1 + beta);
}

/* The distance of a class with one value only is the largest, where that value is the
 * farthest: distances are convex. */
static double farthest_value(const mgl_model *model, const mgl_climb_counter *counter)
{
    double most = 0;
    mgl_histogram histograms[model->attribute + 1];
    memset(histograms, 0, sizeof histograms);
    for (size_t v = 0; v < counter->n_lanes; v++) {
        uint64_t one = 1;
        histograms[model->attribute] =
            (mgl_histogram){.values = &counter->codes[v], .counts = &one, .size = 1};
        mgl_group group = {1, 1, histograms, model->attribute + 1, 0};
        most = fmax(most, model->type->measure(model, &group));
    }
    return most;
}

/* The share of the v-th value that model allows; counters of kinds without caps aside. */
static double cap_of(const mgl_model *model, const mgl_sensitive *s, double q)
{
    const char *name = model->type->name;
    double first = model->parameters[0];
    if (strcmp(name, "alpha") == 0)
        return first;
    if (strcmp(name, "beta") == 0)
        return beta_cap(q, first);
    if (strcmp(name, "enhanced-beta") == 0)
        return beta_cap(q, fmin(first, -log(q)));
    if (strcmp(name, "delta-disclosure") == 0)
        return q * exp(first);
    if (strcmp(name, "entropy-l") == 0)
        return entropy_cap(first, s->n_present);
    if (strcmp(name, "recursive-cl") == 0) /* r_1 < c (n - r_1), or c n */
        return model->parameters[1] >= 2 ? first / (1 + first) : first;
    return q; /* t-closeness */
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names != NULL; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

static void set_kind(mgl_climb_counter *counter)
{
    static const char *const deciding[] = {"alpha", "beta", "enhanced-beta", "delta-disclosure",
                                           NULL};
    static const char *const others[] = {"entropy-l", "recursive-cl", NULL};
    const mgl_model *model = counter->model;
    counter->whole = 1;
    counter->kind = MGL_CLIMB_UNKNOWN;
    if (is_one_of(model->type->name, deciding) || is_one_of(model->type->name, others)) {
        counter->kind = MGL_CLIMB_SHARES;
        if (strcmp(model->type->name, "entropy-l") == 0)
            counter->rule = MGL_CLIMB_ENTROPY;
        else if (strcmp(model->type->name, "recursive-cl") == 0 &&
                 model->parameters[1] <= MGL_CLIMB_LARGEST)
            counter->rule = MGL_CLIMB_RECURSIVE;
        counter->decides = is_one_of(model->type->name, deciding);
    } else if (strcmp(model->type->name, "t-closeness") == 0) {
        counter->kind = model->parameters[1] == 0 ? MGL_CLIMB_SUM : MGL_CLIMB_DISTANCE;
        counter->decides = counter->kind == MGL_CLIMB_SUM;
        counter->whole = 1 - model->parameters[0];
    }
}

static mgl_status rank_lanes(mgl_climb *climb, mgl_climb_counter *counter, const mgl_sensitive *s,
                             mgl_error *err)
{
    size_t n = counter->n_lanes;
    counter->by_rank = mgl_arena_alloc(climb->frame.arena, n * sizeof *counter->by_rank);
    counter->cumulative = mgl_arena_alloc(climb->frame.arena, n * sizeof *counter->cumulative);
    if (counter->by_rank == NULL || counter->cumulative == NULL)
        return mgl_fail_memory(err);
    for (size_t v = 0; v < n; v++) {
        counter->by_rank[s->rank[counter->codes[v]]] = (uint32_t)(counter->first_lane + v);
        counter->cumulative[v] = (double)s->cumulative[v] / (double)s->n;
    }
    return MGL_OK;
}

static mgl_status make_logs(mgl_climb *climb, mgl_error *err)
{
    size_t n = climb->frame.n_rows;
    if (n > MOST_LOGS || climb->logs != NULL)
        return MGL_OK;
    climb->logs = mgl_arena_alloc(climb->frame.arena, (n + 1) * sizeof *climb->logs);
    if (climb->logs == NULL)
        return mgl_fail_memory(err);
    climb->logs[0] = 0;
    for (size_t x = 1; x <= n; x++)
        climb->logs[x] = (double)x * log((double)x);
    return MGL_OK;
}

static mgl_status add_counter(mgl_climb *climb, const mgl_model *model, mgl_error *err)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    mgl_climb_counter counter = {.model = model};
    set_kind(&counter);
    MGL_TRY(make_lanes(climb, s, model->attribute, err));
    const uint32_t *lanes = climb->lane_of_code[model->attribute];
    if (counter.kind == MGL_CLIMB_UNKNOWN || lanes == NULL) {
        climb->plain = true;
        return MGL_OK;
    }
    mgl_arena *arena = climb->frame.arena;
    uint32_t *codes = mgl_arena_alloc(arena, s->n_present * sizeof *codes);
    counter.caps = mgl_arena_alloc(arena, (s->n_present + 8) * sizeof *counter.caps);
    if (strcmp(model->type->name, "delta-disclosure") == 0)
        counter.floors = mgl_arena_alloc(arena, s->n_present * sizeof *counter.floors);
    counter.quick_caps = mgl_arena_alloc(arena, (s->n_present + 4) * sizeof *counter.quick_caps);
    if (codes == NULL || counter.caps == NULL || counter.quick_caps == NULL ||
        (counter.floors == NULL && strcmp(model->type->name, "delta-disclosure") == 0))
        return mgl_fail_memory(err);
    for (size_t v = 0; v < s->n_present + 4; v++)
        counter.quick_caps[v] = counter.kind == MGL_CLIMB_SUM ? 0 : 1e30F;
    counter.codes = codes;
    for (uint32_t code = 0; code < s->n_values; code++) {
        if (lanes[code] == MGL_NOT_FOUND)
            continue;
        if (counter.n_lanes == 0)
            counter.first_lane = lanes[code];
        double q = (double)s->counts[code] / (double)s->n;
        counter.caps[counter.n_lanes] = fmin(cap_of(model, s, q), 2) * (1 + SLACK);
        counter.quick_caps[counter.n_lanes] = (float)counter.caps[counter.n_lanes];
        if (counter.floors != NULL)
            counter.floors[counter.n_lanes] = q * exp(-model->parameters[0]) * (1 - SLACK);
        codes[counter.n_lanes++] = code;
    }
    counter.whole *= 1 - SLACK;
    if (counter.kind == MGL_CLIMB_DISTANCE)
        counter.farthest = farthest_value(model, &counter) * (1 + SLACK);
    if (counter.kind == MGL_CLIMB_DISTANCE && model->parameters[1] == 1 && s->n_present > 1)
        MGL_TRY(rank_lanes(climb, &counter, s, err));
    if (counter.rule == MGL_CLIMB_ENTROPY)
        MGL_TRY(make_logs(climb, err));
    climb->counters[climb->n_counters++] = counter;
    return MGL_OK;
}

/* ---- All of them -------------------------------------------------------------------- */

static mgl_status add_model(mgl_climb *climb, const mgl_model *model, mgl_error *err)
{
    const char *name = model->type->name;
    if (mgl_demand_is_whole(model->type))
        return MGL_OK;
    double need = 0;
    if (strcmp(name, "entropy-l") == 0)
        need = model->parameters[0] * (1 - SLACK);
    else if (strcmp(name, "recursive-cl") == 0)
        need = model->parameters[1];
    else if (strcmp(name, "delta-disclosure") == 0)
        need = mgl_model_sensitive(model)->n_present;
    if (need > 1)
        MGL_TRY(mgl_demand_variety(&climb->frame.demand, model->facts, model->attribute, false,
                                   need, climb->frame.arena, err));
    return add_counter(climb, model, err);
}

mgl_status mgl_climb_models_make(mgl_climb *climb, mgl_error *err)
{
    const mgl_problem *p = climb->frame.problem;
    const mgl_quasi_set *set = &p->sets[0];
    size_t n_sensitive = p->list->n_sensitive;
    mgl_arena *arena = climb->frame.arena;
    climb->counters = mgl_arena_alloc(arena, (set->n_models + 1) * sizeof *climb->counters);
    climb->lane_of_code = mgl_arena_alloc(arena, (n_sensitive + 1) * sizeof *climb->lane_of_code);
    if (climb->counters == NULL || climb->lane_of_code == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_demand_make(p, arena, err, &climb->frame.demand));
    memset(climb->lane_of_code, 0, (n_sensitive + 1) * sizeof *climb->lane_of_code);
    climb->n_lanes = 1; /* the number of rows */
    for (size_t i = 0; i < set->n_models; i++)
        MGL_TRY(add_model(climb, &set->models[i], err));
    MGL_TRY(lay_out_bits(climb, err));
    climb->wide_lanes = p->list->n_rows > UINT16_MAX;
    size_t per_word = climb->wide_lanes ? 2 : 4;
    climb->n_add = (climb->n_lanes + per_word - 1) / per_word;
    return MGL_OK;
}
