/* Tells how many different sensitive values classes have, and how far their values are from those
 * of the whole table. figures.c calls it, and `check --against` on the file. */
#include "findings/figures/figure_kinds.h"

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

mgl_status mgl_figures_sensitive(const mgl_outcome *outcome, const mgl_measured *measured,
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
