/* Judges classes by their records, and bounds how many of their rows no finer node can keep
 * (by_value.c says why). Judges models of the whole table by the sizes of classes. */
#include "search/fulldomain/by_value/records.h"

typedef uint16_t __attribute__((may_alias)) narrow_lane;
typedef uint32_t __attribute__((may_alias)) wide_lane;

/* Within this share of a limit the model itself decides. */
static const double CLOSE = 4e-9;

static inline double lane(const uint64_t *lanes, bool wide, size_t i)
{
    return wide ? (double)((const wide_lane *)lanes)[i] : (double)((const narrow_lane *)lanes)[i];
}

/* ---- The model itself --------------------------------------------------------------- */

static mgl_group make_group(mgl_by_value_worker *worker, const mgl_by_value_counter *counter,
                            const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    const uint64_t *lanes = record + search->words;
    size_t n = 0;
    for (size_t v = 0; v < counter->n_lanes; v++) {
        double count = lane(lanes, search->wide_lanes, counter->first_lane + v);
        if (count == 0)
            continue;
        worker->values[n] = counter->codes[v];
        worker->counts[n++] = (uint64_t)count;
    }
    worker->histograms[counter->model->attribute] =
        (mgl_histogram){.values = worker->values, .counts = worker->counts, .size = n};
    uint64_t size = mgl_by_value_size(search, record);
    return (mgl_group){.size = size,
                       .rows = size,
                       .sensitive = worker->histograms,
                       .n_sensitive = search->frame.problem->list->n_sensitive};
}

static bool holds_exactly(mgl_by_value_worker *worker, const mgl_by_value_counter *counter,
                          const uint64_t *record)
{
    mgl_group group = make_group(worker, counter, record);
    return mgl_model_holds(counter->model, &group);
}

/* ---- Quick answers ------------------------------------------------------------------ */

typedef enum answer { NO, YES, PERHAPS } answer;

/* The vectors are those of the compiler (gcc, clang), which makes plain code of them where a
 * machine has none. */
typedef float floats __attribute__((vector_size(16)));
typedef int32_t mask4 __attribute__((vector_size(16)));
typedef uint16_t narrow4 __attribute__((vector_size(8)));
typedef uint32_t wide4 __attribute__((vector_size(16)));

static inline floats four_lanes(const uint64_t *lanes, bool wide, size_t i)
{
    wide4 w;
    narrow4 n;
    if (wide) {
        memcpy(&w, (const wide_lane *)lanes + i, sizeof w);
        return __builtin_convertvector(w, floats);
    }
    memcpy(&n, (const narrow_lane *)lanes + i, sizeof n);
    return __builtin_convertvector(n, floats);
}

static inline floats choose(mask4 mask, floats yes, floats no)
{
    return (floats)(((mask4)yes & mask) | ((mask4)no & ~mask));
}

static inline floats four_caps(const mgl_by_value_counter *counter, size_t v, float n)
{
    floats cap;
    memcpy(&cap, counter->quick_caps + v, sizeof cap);
    return cap * n;
}

/* In single precision, four values at a time: rows below the caps, by how much the worst
 * value passes its cap. Padding behind the last value decides nothing: its caps are 0, or larger
 * than any count. */
static inline float quickly_below(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                  bool wide, float n)
{
    floats sum = {0};
    for (size_t v = 0; v < counter->n_lanes; v += 4) {
        floats count = four_lanes(lanes, wide, counter->first_lane + v);
        floats cap = four_caps(counter, v, n);
        sum += choose(count < cap, count, cap);
    }
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static inline float quickly_above(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                  bool wide, float n)
{
    floats most = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    for (size_t v = 0; v < counter->n_lanes; v += 4) {
        floats count = four_lanes(lanes, wide, counter->first_lane + v);
        floats above = count - four_caps(counter, v, n);
        most = choose(above > most, above, most);
    }
    float left = most[0] > most[1] ? most[0] : most[1];
    float right = most[2] > most[3] ? most[2] : most[3];
    return left > right ? left : right;
}

/* Single precision decides where it is this far from the limit. */
static const float FAR = 1e-4F;

static inline bool is_clearly_below(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                    bool wide, float n)
{
    if (counter->rule == MGL_VALUES_OVERLAP)
        return quickly_below(counter, lanes, wide, n) > ((float)counter->whole + FAR) * n;
    return counter->floors == NULL && quickly_above(counter, lanes, wide, n) < -FAR * n;
}

static inline answer quick_answer(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                  bool wide, float n)
{
    if (counter->rule == MGL_VALUES_OVERLAP) {
        float surplus = quickly_below(counter, lanes, wide, n) - (float)counter->whole * n;
        return surplus < -FAR * n ? NO : surplus > FAR * n ? YES : PERHAPS;
    }
    float above = quickly_above(counter, lanes, wide, n);
    if (above > FAR * n)
        return NO;
    return above < -FAR * n && counter->decides && counter->floors == NULL ? YES : PERHAPS;
}

static inline answer below_caps(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                bool wide, double n)
{
    answer found = counter->decides ? YES : PERHAPS;
    for (size_t v = 0; v < counter->n_lanes; v++) {
        double count = lane(lanes, wide, counter->first_lane + v), cap = counter->caps[v] * n;
        if (count > cap)
            return NO;
        if (count > cap * (1 - CLOSE))
            found = PERHAPS;
    }
    for (size_t v = 0; counter->floors != NULL && v < counter->n_lanes; v++) {
        double count = lane(lanes, wide, counter->first_lane + v), floor = counter->floors[v] * n;
        if (count < floor)
            return NO;
        if (count < floor * (1 + CLOSE))
            found = PERHAPS;
    }
    return found;
}

/* Rows below the caps of m rows of the class; *slope is by how much that grows with m. */
static inline double rows_below(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                bool wide, double m, double *slope)
{
    double sum = 0, open = 0;
    for (size_t v = 0; v < counter->n_lanes; v++) {
        double count = lane(lanes, wide, counter->first_lane + v), cap = counter->caps[v] * m;
        sum += count < cap ? count : cap;
        open += count < cap ? 0 : counter->caps[v];
    }
    *slope = open;
    return sum;
}

static inline answer enough_below(const mgl_by_value_counter *counter, const uint64_t *lanes,
                                  bool wide, double n)
{
    double slope, surplus = rows_below(counter, lanes, wide, n, &slope) - counter->whole * n;
    return surplus < 0 ? NO : surplus > CLOSE * n ? YES : PERHAPS;
}

/* Distance along the ranks, times n. */
static double ordered_distance(const mgl_by_value_counter *counter, const uint64_t *lanes,
                               bool wide, double n)
{
    double below = 0, sum = 0;
    for (size_t i = 0; i < counter->n_lanes; i++) {
        below += lane(lanes, wide, counter->by_rank[i]);
        sum += fabs(below - counter->cumulative[i] * n);
    }
    return sum / (double)(counter->n_lanes - 1);
}

static answer near_enough(const mgl_by_value_counter *counter, const uint64_t *lanes, bool wide,
                          double n)
{
    if (counter->by_rank == NULL)
        return PERHAPS;
    double surplus = counter->model->parameters[0] * n - ordered_distance(counter, lanes, wide, n);
    return surplus < -CLOSE * n ? NO : surplus > CLOSE * n ? YES : PERHAPS;
}

static answer mixed_enough(const mgl_by_value *search, const mgl_by_value_counter *counter,
                           const uint64_t *lanes, double n)
{
    double entropy = search->logs[(size_t)n]; /* times n */
    for (size_t v = 0; v < counter->n_lanes; v++)
        entropy -= search->logs[(size_t)lane(lanes, search->wide_lanes, counter->first_lane + v)];
    double surplus = entropy - log(counter->model->parameters[0]) * n;
    return surplus < -CLOSE * n ? NO : surplus > CLOSE * n ? YES : PERHAPS;
}

/* r_1 < c (r_l + ... + r_d), with the same quotient as the model has. */
static answer rest_enough(const mgl_by_value_counter *counter, const uint64_t *lanes, bool wide,
                          double n)
{
    double largest[MGL_BY_VALUE_LARGEST + 1] = {0}, rest = n;
    size_t l = (size_t)counter->model->parameters[1], kept = l > 2 ? l - 1 : 1;
    for (size_t v = 0; v < counter->n_lanes; v++) {
        double count = lane(lanes, wide, counter->first_lane + v);
        size_t at = kept;
        for (; at > 0 && largest[at - 1] < count; at--)
            largest[at] = largest[at - 1];
        largest[at] = count;
    }
    for (size_t i = 0; i + 1 < l; i++)
        rest -= largest[i];
    return rest > 0 && largest[0] / rest < counter->model->parameters[0] ? YES : NO;
}

static answer closer_look(mgl_by_value_worker *worker, const mgl_by_value_counter *counter,
                          const uint64_t *record, double n)
{
    const mgl_by_value *search = worker->search;
    const uint64_t *lanes = record + search->words;
    bool wide = search->wide_lanes;
    if (counter->rule == MGL_VALUES_DISTANCE)
        return near_enough(counter, lanes, wide, n);
    if (counter->rule == MGL_VALUES_OVERLAP)
        return enough_below(counter, lanes, wide, n);
    answer found = below_caps(counter, lanes, wide, n);
    if (found == PERHAPS && counter->kernel == MGL_KERNEL_ENTROPY && search->logs != NULL)
        return mixed_enough(search, counter, lanes, n);
    if (found == PERHAPS && counter->kernel == MGL_KERNEL_LARGEST)
        return rest_enough(counter, lanes, wide, n);
    return found;
}

static inline bool counter_holds(mgl_by_value_worker *worker, const mgl_by_value_counter *counter,
                                 const uint64_t *record, double n)
{
    const uint64_t *lanes = record + worker->search->words;
    bool wide = worker->search->wide_lanes;
    answer found = counter->rule == MGL_VALUES_DISTANCE
                       ? PERHAPS
                       : quick_answer(counter, lanes, wide, (float)n);
    if (found == PERHAPS)
        found = closer_look(worker, counter, record, n);
    return found == PERHAPS ? holds_exactly(worker, counter, record) : found == YES;
}

static inline bool has_variety(const mgl_by_value *search, const uint64_t *record)
{
    const uint64_t *bits = record + search->words + search->n_add;
    for (size_t i = 0; i < search->n_sets; i++) {
        const mgl_by_value_set *set = &search->sets[i];
        uint64_t found = 0;
        for (size_t w = 0; w < set->n_words; w++)
            found += (uint64_t)__builtin_popcountll(bits[set->first_word + w]);
        if (found < set->variety->need)
            return false;
    }
    return true;
}

static inline mgl_group group_of(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t size = mgl_by_value_size(search, record);
    return (mgl_group){.size = size,
                       .rows = size,
                       .population = mgl_by_value_population(search, record),
                       .household = mgl_by_value_household(search, record)};
}

static bool group_models_hold(const mgl_by_value *search, const uint64_t *record)
{
    mgl_group group = group_of(search, record);
    for (size_t i = 0; i < search->n_group_models; i++)
        if (!mgl_model_holds(search->group_models[i], &group))
            return false;
    return true;
}

static inline bool class_holds(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    uint64_t size = mgl_by_value_size(search, record);
    if (mgl_by_value_people(search, record) < search->frame.demand.size ||
        !has_variety(search, record))
        return false;
    if (search->n_group_models > 0 && !group_models_hold(search, record))
        return false;
    for (size_t i = 0; i < search->n_counters; i++)
        if (!counter_holds(worker, &search->counters[i], record, (double)size))
            return false;
    return true;
}

bool mgl_by_value_class_holds(mgl_by_value_worker *worker, const uint64_t *record)
{
    return class_holds(worker, record);
}

/* ---- The most rows that hold ---------------------------------------------------- */

static double most_below_caps(const mgl_by_value_counter *counter, const uint64_t *lanes, bool wide,
                              double n)
{
    double m = n;
    for (int step = 0; step < 8; step++) {
        double slope, surplus = rows_below(counter, lanes, wide, m, &slope) - counter->whole * m;
        slope -= counter->whole;
        if (surplus >= 0 || slope >= 0)
            break;
        double next = fmax(m - surplus / slope, 0);
        if (next > m - 1e-3)
            break;
        m = next;
    }
    for (size_t v = 0; counter->floors != NULL && v < counter->n_lanes; v++) {
        double count = lane(lanes, wide, counter->first_lane + v);
        m = fmin(m, count / counter->floors[v]);
    }
    return m;
}

static double most_near(mgl_by_value_worker *worker, const mgl_by_value_counter *counter,
                        const uint64_t *record, double n)
{
    double distance;
    if (counter->by_rank != NULL) {
        distance = ordered_distance(counter, record + worker->search->words,
                                    worker->search->wide_lanes, n) /
                   n * (1 - CLOSE);
    } else {
        mgl_group group = make_group(worker, counter, record);
        distance = counter->model->type->measure(counter->model, &group) * (1 - CLOSE);
    }
    double t = counter->model->parameters[0] * (1 + CLOSE);
    if (!(distance > t) || !(counter->farthest > t))
        return n;
    return n * (counter->farthest - distance) / (counter->farthest - t);
}

/* The largest part of the class that lies in classes of a finer node which hold. */
static double most_of_group(const mgl_by_value *search, const uint64_t *record)
{
    mgl_group group = group_of(search, record);
    double most = (double)group.size;
    /* A finer node may part large households from the others. What does not hold with households of
     * one does not with any, nor does a part of it. */
    group.household = 0;
    for (size_t i = 0; i < search->n_group_models; i++) {
        const mgl_model *model = search->group_models[i];
        if (model->type->most_kept != NULL)
            most = fmin(most, model->type->most_kept(model, &group));
        else if ((model->type->upward_closed || model->type->by_household) &&
                 !mgl_model_holds(model, &group))
            most = 0;
    }
    return most;
}

static inline uint64_t least_of_class(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    uint64_t size = mgl_by_value_size(search, record);
    if (mgl_by_value_people(search, record) < search->frame.demand.size ||
        !has_variety(search, record))
        return size;
    double n = (double)size, most = n;
    if (search->n_group_models > 0)
        most = most_of_group(search, record);
    for (size_t i = 0; i < search->n_counters; i++) {
        const mgl_by_value_counter *counter = &search->counters[i];
        double rows = n;
        if (counter->rule == MGL_VALUES_DISTANCE)
            rows = most_near(worker, counter, record, n);
        else if (!is_clearly_below(counter, record + search->words, search->wide_lanes, (float)n))
            rows = most_below_caps(counter, record + search->words, search->wide_lanes, n);
        most = fmin(most, rows);
    }
    most = floor(most + 1e-4);
    if (most >= n)
        return 0;
    /* What is left consists of classes, or there is nothing. */
    return most < (double)search->frame.demand.size ? size : size - (uint64_t)most;
}

uint64_t mgl_by_value_least(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                            uint64_t most)
{
    const mgl_by_value *search = worker->search;
    const uint64_t *record = mgl_by_value_record(search, table, 0);
    uint64_t rows = mgl_demand_rows(&search->frame.demand, table->n);
    if (rows > most)
        return rows;
    rows = 0;
    /* One class that violates suffices: it is no union of holding ones. */
    if (most == 0 && search->closed) {
        for (size_t i = 0; i < table->n; i++, record += search->stride)
            if (!class_holds(worker, record))
                return 1;
        return 0;
    }
    for (size_t i = 0; i < table->n && rows <= most; i++, record += search->stride)
        rows += least_of_class(worker, record);
    return rows;
}

uint64_t mgl_by_value_violating(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t most)
{
    const mgl_by_value *search = worker->search;
    const uint64_t *record = mgl_by_value_record(search, table, 0);
    uint64_t rows = mgl_demand_rows(&search->frame.demand, table->n);
    worker->n_bad = 0;
    if (rows > most)
        return rows;
    rows = 0;
    for (size_t i = 0; i < table->n && rows <= most; i++, record += search->stride) {
        if (class_holds(worker, record))
            continue;
        rows += mgl_by_value_size(search, record);
        worker->bad[worker->n_bad++] = (uint32_t)i;
    }
    return rows;
}

mgl_status mgl_by_value_violating_whole(mgl_by_value_worker *worker,
                                        const mgl_by_value_table *table, mgl_error *err,
                                        uint64_t *rows)
{
    const mgl_by_value *search = worker->search;
    if (search->history != MGL_BY_VALUE_ALL_HISTORIES || worker->n_bad == 0)
        return MGL_OK;
    MGL_TRY(mgl_by_value_merge_histories(worker, table, err));
    memset(worker->is_bad, 0, worker->merged.n);
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->is_bad[worker->class_of[worker->bad[i]]] = true;
    worker->n_bad = 0;
    *rows = 0;
    for (size_t i = 0; i < table->n; i++) {
        if (!worker->is_bad[worker->class_of[i]])
            continue;
        *rows += mgl_by_value_size(search, mgl_by_value_record(search, table, i));
        worker->bad[worker->n_bad++] = (uint32_t)i;
    }
    return MGL_OK;
}

/* ---- Models of the whole table --------------------------------------------------------------- */

/* Judges models of the whole table by the sizes of classes: at a node, and whether any finer node
 * can hold.
 *
 * This is not monotony: suppression can bring the figure of a finer node below that of a coarser
 * one. A model therefore gives the least figure that dividing and suppressing can lead to
 * (table_may_hold). */

static void take_sizes(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    for (size_t i = 0; i < table->n; i++) {
        const uint64_t *record = mgl_by_value_record(search, table, i);
        worker->sizes[i] = mgl_by_value_size(search, record);
        worker->weights[i] = search->weighs ? mgl_by_value_population(search, record) : 0;
    }
}

bool mgl_by_value_table_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows)
{
    const mgl_by_value *search = worker->search;
    if (search->n_table_models == 0)
        return true;
    size_t n = 0;
    uint64_t weight = 0; /* of what is suppressed */
    take_sizes(worker, table);
    for (size_t i = 0; i < worker->n_bad; i++) {
        worker->sizes[worker->bad[i]] = 0;
        weight += worker->weights[worker->bad[i]];
    }
    for (size_t i = 0; i < table->n; i++)
        if (worker->sizes[i] > 0) {
            worker->weights[n] = worker->weights[i];
            worker->sizes[n++] = worker->sizes[i];
        }
    if (rows > 0 && search->frame.problem->treatment == MGL_KEEP) {
        worker->weights[n] = weight;
        worker->sizes[n++] = rows;
    }
    mgl_class_sizes sizes = {worker->sizes, n, worker->weights};
    for (size_t i = 0; n > 0 && i < search->n_table_models; i++)
        if (!search->table_models[i]->type->table_holds(search->table_models[i], &sizes))
            return false;
    return true;
}

bool mgl_by_value_table_may_hold(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    if (search->n_table_models == 0)
        return true;
    take_sizes(worker, table);
    mgl_open_release release = {.classes = {worker->sizes, table->n, worker->weights},
                                .suppressible = search->suppressible,
                                .kept = search->frame.problem->treatment == MGL_KEEP};
    for (size_t i = 0; i < search->n_table_models; i++)
        if (!search->table_models[i]->type->table_may_hold(search->table_models[i], &release))
            return false;
    return true;
}
