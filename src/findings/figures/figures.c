/* Puts together the aggregates that reports draw, and makes those of class sizes.
 * describe_solution.c calls it; `check` and `risk` tell sizes of classes by it. */
#include "findings/figures/figure_kinds.h"

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

/* What is told about the classes of the input. */
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
        MGL_GO(mgl_figures_sensitive(outcome, measured, err, figures));
        MGL_GO(mgl_figures_lattice(outcome, err, figures));
    }
    *out = figures;
    figures = NULL;
done:
    json_decref(figures);
    return status;
}
