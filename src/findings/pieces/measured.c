/* Measures a recoding: its classes, their sizes and risks, and the sums that all measures are
 * functions of. */
#include "findings/pieces/measured.h"

void mgl_classes_leave_out(const mgl_problem *p, const mgl_recoding *recoding, mgl_classes *classes)
{
    for (size_t t = 0; t < p->list->n_tuples && p->treatment != MGL_KEEP; t++)
        if (recoding->suppressed[t]) {
            classes->sizes[classes->of_tuple[t]] -= p->list->counts[t];
            classes->of_tuple[t] = MGL_NOT_FOUND;
        }
}

/* Classes that are reported together if they have the same size. Many are equal: a count would wait
 * for the one before it if there were one of them only. */
enum { SMALL = 512, SIDES = 4, SIZES = 1 << 14, MOST_LARGE = 1024 };

typedef struct size_counts {
    const uint64_t *sizes;
    size_t n;
    struct times {
        bool used; /* by a thread; else the rest is not set */
        uint64_t of[SIDES][SMALL];
        uint64_t large[MOST_LARGE]; /* other sizes; n_large counts those without room, too */
        size_t n_large;
    } * workers;
} size_counts;

static void count_sizes(void *context, size_t item, unsigned worker)
{
    const size_counts *x = context;
    struct times *times = &x->workers[worker];
    if (!times->used) {
        memset(times, 0, sizeof *times);
        times->used = true;
    }
    size_t end = (item + 1) * SIZES < x->n ? (item + 1) * SIZES : x->n;
    for (size_t c = item * SIZES; c < end; c++)
        if (x->sizes[c] < SMALL)
            times->of[c % SIDES][x->sizes[c]]++;
        else if (times->n_large++ < MOST_LARGE)
            times->large[times->n_large - 1] = x->sizes[c];
}

static void each_large(const size_counts *x, unsigned n_workers, mgl_class_fn *fn, void *context)
{
    bool room = true;
    for (unsigned w = 0; w < n_workers; w++)
        room = room && (!x->workers[w].used || x->workers[w].n_large <= MOST_LARGE);
    for (unsigned w = 0; room && w < n_workers; w++)
        for (size_t i = 0; x->workers[w].used && i < x->workers[w].n_large; i++)
            fn(context, x->workers[w].large[i], x->workers[w].large[i], 1);
    for (size_t c = 0; !room && c < x->n; c++)
        if (x->sizes[c] >= SMALL)
            fn(context, x->sizes[c], x->sizes[c], 1);
}

static mgl_status each_size(const uint64_t *sizes, size_t n_classes, mgl_pool *pool,
                            mgl_class_fn *fn, void *context, mgl_error *err)
{
    unsigned n_workers = mgl_pool_threads(pool);
    size_counts x = {sizes, n_classes, mgl_alloc_array(n_workers, sizeof *x.workers)};
    if (x.workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < n_workers; w++)
        x.workers[w].used = false;
    mgl_pool_run(pool, (n_classes + SIZES - 1) / SIZES, count_sizes, &x);
    each_large(&x, n_workers, fn, context);
    for (uint64_t size = 1; size < SMALL; size++) {
        uint64_t all = 0;
        for (unsigned w = 0; w < n_workers; w++)
            for (size_t side = 0; x.workers[w].used && side < SIDES; side++)
                all += x.workers[w].of[side][size];
        if (all > 0)
            fn(context, size, size, all);
    }
    mgl_free(x.workers);
    return MGL_OK;
}

mgl_status mgl_each_class(const mgl_problem *p, const uint32_t *class_of, const uint64_t *sizes,
                          size_t n_classes, mgl_class_fn *fn, void *context, mgl_error *err)
{
    mgl_group_maker *maker;
    if (p->list->persons == NULL)
        return each_size(sizes, n_classes, p->pool, fn, context, err);
    MGL_TRY(mgl_group_maker_new(p->list, err, &maker));
    mgl_group_maker_partition(maker, class_of, n_classes);
    for (size_t c = 0; c < n_classes; c++) {
        uint64_t size = sizes[c] > 0 ? mgl_group_maker_group(maker, c)->size : 0;
        if (sizes[c] > 0)
            fn(context, size, size, 1);
    }
    mgl_group_maker_free(maker);
    return MGL_OK;
}

mgl_status mgl_each_counted(const mgl_problem *p, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err)
{
    if (p->counting.tops_match)
        return mgl_match_each(p, recoding, fn, context, err);
    return mgl_each_class(p, classes->of_tuple, classes->sizes, classes->n_classes, fn, context,
                          err);
}

void mgl_class_summary_add(void *summary, uint64_t size, uint64_t members, uint64_t times)
{
    mgl_class_summary *s = summary;
    s->min = s->count == 0 || size < s->min ? size : s->min;
    s->max = size > s->max ? size : s->max;
    s->uniques += size == 1 ? times : 0;
    s->rows += members * times;
    s->sizes += (double)(size * times);
    s->risks += (double)members / (double)size * (double)times;
    s->count += times;
}

static mgl_status judged_classes_on(const mgl_problem *problem, const mgl_recoding *recoding,
                                    const mgl_quasi_set *set, mgl_error *err, mgl_classes *out)
{
    MGL_TRY(mgl_recoding_classes_on(problem, recoding, set, err, out));
    mgl_status status = mgl_classes_as_judged(problem->list, err, out);
    if (status == MGL_OK)
        mgl_classes_leave_out(problem, recoding, out);
    else
        mgl_classes_free(out);
    return status;
}

mgl_status mgl_judged_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_classes *out)
{
    return judged_classes_on(problem, recoding, NULL, err, out);
}

mgl_status mgl_summarize_set(const mgl_task *task, const mgl_recoding *recoding,
                             const mgl_quasi_set *set, mgl_error *err, mgl_class_summary *out)
{
    const mgl_problem *p = &task->problem;
    mgl_classes classes;
    MGL_TRY(judged_classes_on(p, recoding, set, err, &classes));
    *out = (mgl_class_summary){0};
    mgl_status status = mgl_each_class(p, classes.of_tuple, classes.sizes, classes.n_classes,
                                       mgl_class_summary_add, out, err);
    mgl_classes_free(&classes);
    return status;
}

mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out)
{
    const mgl_problem *p = &task->problem;
    mgl_classes classes;
    MGL_TRY(mgl_judged_classes(p, recoding, err, &classes));
    *out = (mgl_class_summary){0};
    mgl_status status = mgl_each_counted(p, recoding, &classes, mgl_class_summary_add, out, err);
    mgl_classes_free(&classes);
    return status;
}

static mgl_status gather(const mgl_task *task, const mgl_cell_costs *costs,
                         const mgl_recoding *recoding, const uint32_t *node, mgl_error *err,
                         mgl_measured *out)
{
    mgl_status status = MGL_OK;
    const mgl_problem *p = &task->problem;
    const uint64_t *truths;
    size_t n = p->list->n_attributes;
    const mgl_released_column *const *columns = recoding->columns;
    mgl_released_tuples tuples = {
        .n_attributes = n,
        .n_tuples = p->list->n_tuples,
        .cells = recoding->cells,
        .first = out->classes.first,
        .class_of = out->classes.of_tuple,
        .class_sizes = out->classes.sizes,
        .n_classes = out->classes.n_classes,
    };
    for (size_t a = 0; a < n; a++)
        out->heights[a] = columns[a]->hierarchy->height;
    mgl_statistics *s = &out->statistics;
    MGL_GO(mgl_class_cells_make(&tuples, p->pool, err));
    mgl_statistics_gather(s, costs, columns, p->list->n_rows, &tuples, p->pool);
    s->node = node;
    s->heights = out->heights;
    s->weights = p->weights;
    s->k = p->no_k ? 0 : (double)p->k;
    s->regrouped = p->list->regrouped;
    if (p->label != NULL)
        MGL_GO(mgl_statistics_label(s, p->label, columns, &tuples, err));
    if (n > 0) { /* else there is nothing to ask for */
        MGL_GO(mgl_truths_find(task, err, &truths));
        MGL_GO(mgl_query_error(truths, p->list->n_rows, columns, &tuples, p->pool, err,
                               &s->query_error));
    }
    MGL_GO(mgl_classes_as_judged(p->list, err, &out->classes));
    mgl_classes_leave_out(p, recoding, &out->classes);
    MGL_GO(mgl_each_counted(p, recoding, &out->classes, mgl_class_summary_add, &out->summary, err));
done:
    mgl_class_cells_free(&tuples);
    return status;
}

/* Classes that are known are copied only if something is taken out of them. */
static mgl_status take_classes(const mgl_problem *p, const mgl_recoding *recoding,
                               const mgl_classes *known, mgl_error *err, mgl_measured *out)
{
    if (known == NULL)
        return mgl_recoding_classes(p, recoding, err, &out->classes);
    if (p->treatment != MGL_KEEP)
        return mgl_classes_copy(known, err, &out->classes);
    out->classes = *known;
    out->borrowed = true;
    return MGL_OK;
}

mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, const mgl_classes *classes, mgl_error *err,
                                mgl_measured *out)
{
    const mgl_problem *p = &task->problem;
    size_t n = p->list->n_attributes;
    *out = (mgl_measured){0};
    mgl_cell_costs *own = NULL; /* of values that were made for this release */
    out->heights = mgl_alloc_array(n, sizeof *out->heights);
    mgl_status status = MGL_OK;
    if (out->heights == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(p->list, recoding->columns, p->pool, err, &own));
    MGL_GO(take_classes(p, recoding, classes, err, out));
    MGL_GO(mgl_statistics_init(&out->statistics, recoding->columns, n, err));
    MGL_GO(gather(task, own != NULL ? own : task->problem.costs, recoding, node, err, out));
done:
    mgl_cell_costs_free(own);
    if (status != MGL_OK)
        mgl_measured_free(out);
    return status;
}

void mgl_measured_free(mgl_measured *measured)
{
    if (!measured->borrowed)
        mgl_classes_free(&measured->classes);
    mgl_statistics_free(&measured->statistics);
    mgl_free(measured->heights);
    *measured = (mgl_measured){0};
}

mgl_status mgl_measure_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                                mgl_measured *out)
{
    return mgl_measure_recoding(task, solution->recoding, solution->node, solution->classes, err,
                                out);
}
