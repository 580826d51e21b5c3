/* Finds the strongest parameter with which a table holds each model, for every sensitive column.
 * `check` tells them. */
#include "findings/pieces/pieces.h"

#include <stdio.h>

enum { MOST_L = 1000 };

/* All models of one table on one sensitive attribute, class by class. */
typedef struct strongest {
    const mgl_strongest *rows;
    size_t n_rows;
    mgl_model *models; /* [n_sensitive * n_rows] */
    mgl_found *found;  /* likewise */
    bool *wanted;      /* likewise */
    double *infimum;   /* [MOST_L + 1] */
    uint64_t *scratch; /* [largest dictionary] */
} strongest;

static mgl_status prepare(strongest *s, const mgl_task *task, mgl_error *err)
{
    size_t n = task->facts.n_sensitive, most = 0;
    s->rows = mgl_strongest_table(&s->n_rows);
    s->models = mgl_zeroed_array(n * s->n_rows, sizeof *s->models);
    s->found = mgl_zeroed_array(n * s->n_rows, sizeof *s->found);
    s->wanted = mgl_zeroed_array(n * s->n_rows, sizeof *s->wanted);
    s->infimum = mgl_zeroed_array(MOST_L + 1, sizeof *s->infimum);
    for (size_t i = 0; i < n; i++)
        most = task->facts.sensitive[i].n_values > most ? task->facts.sensitive[i].n_values : most;
    s->scratch = mgl_alloc_array(most, sizeof *s->scratch);
    if (s->models == NULL || s->found == NULL || s->wanted == NULL || s->infimum == NULL ||
        s->scratch == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < s->n_rows; r++) {
            const mgl_sensitive *sensitive = &task->facts.sensitive[i];
            mgl_model *model = &s->models[i * s->n_rows + r];
            *model = (mgl_model){
                .type = s->rows[r].type, .attribute = (uint32_t)i, .facts = &task->facts};
            memcpy(model->parameters, s->rows[r].parameters, sizeof model->parameters);
            s->found[i * s->n_rows + r] = MGL_FOUND_NOTHING;
            s->wanted[i * s->n_rows + r] =
                (!s->rows[r].needs_hierarchy || sensitive->hierarchy != NULL) &&
                (!s->rows[r].needs_protected || sensitive->n_protected > 0);
        }
    return MGL_OK;
}

static json_t *recursive_json(strongest *s, mgl_group_maker *maker, size_t n_classes,
                              size_t attribute, size_t distinct)
{
    size_t most = distinct < 2 ? 2 : distinct < MOST_L ? distinct : MOST_L;
    for (size_t l = 0; l <= most; l++)
        s->infimum[l] = 0;
    for (size_t c = 0; c < n_classes; c++) {
        const mgl_group *group = mgl_group_maker_group(maker, c);
        if (group->size > 0)
            mgl_recursive_infimum(mgl_model_sensitive(&s->models[attribute * s->n_rows]),
                                  &group->sensitive[attribute], most, s->infimum, s->scratch);
    }
    json_t *object = json_object();
    for (size_t l = 2; l <= most; l++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", l);
        mgl_json_set(object, key, mgl_json_real(s->infimum[l]));
    }
    return object;
}

static json_t *attribute_json(strongest *s, mgl_group_maker *maker, size_t n_classes,
                              size_t attribute)
{
    json_t *object = json_object();
    for (size_t r = 0; r < s->n_rows; r++) {
        size_t i = attribute * s->n_rows + r;
        if (!s->wanted[i])
            continue;
        double measured = s->found[i].measured;
        bool whole = s->rows[r].whole && isfinite(measured);
        mgl_json_set(object, s->rows[r].key,
                     whole ? mgl_json_count((uint64_t)measured) : mgl_json_real(measured));
        if (s->rows[r].shows_mixture) {
            const mgl_found *distinct =
                &s->found[attribute * s->n_rows]; /* distinct l-diversity stands in the first row */
            mgl_json_set(
                object, "recursive_c",
                recursive_json(s, maker, n_classes, attribute,
                               isfinite(distinct->measured) ? (size_t)distinct->measured : 0));
        }
    }
    return object;
}

static mgl_status group_tuples(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                               mgl_classes *classes, mgl_group_maker **maker)
{
    const mgl_problem *p = &task->problem;
    size_t n = p->list->n_attributes;
    uint32_t *n_values = mgl_alloc_array(n, sizeof *n_values);
    if (n_values == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        n_values[a] = p->columns[a]->n_values;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_classes_init(classes, p->list->n_tuples, n, err));
    MGL_GO(mgl_group_maker_new(p->list, err, maker));
    mgl_classes_group(classes, recoding->cells, n_values, NULL, n, p->list->counts);
    MGL_GO(mgl_classes_as_judged(p->list, err, classes));
    mgl_classes_leave_out(p, recoding, classes);
    mgl_group_maker_partition(*maker, classes->of_tuple, classes->n_classes);
done:
    mgl_free(n_values);
    return status;
}

mgl_status mgl_strongest_json(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                              json_t *attributes)
{
    strongest s = {0};
    mgl_classes classes = {0};
    mgl_group_maker *maker = NULL;
    size_t n = task->facts.n_sensitive;
    mgl_status status = MGL_OK;
    if (n > 0) {
        MGL_GO(prepare(&s, task, err));
        MGL_GO(group_tuples(task, recoding, err, &classes, &maker));
    }
    for (size_t c = 0; c < classes.n_classes; c++) {
        const mgl_group *group = mgl_group_maker_group(maker, c);
        for (size_t i = 0; group->size > 0 && i < n * s.n_rows; i++)
            if (s.wanted[i])
                mgl_found_add(&s.found[i], &s.models[i], group);
    }
    for (size_t i = 0; i < n; i++)
        mgl_json_set(attributes, task->facts.sensitive[i].column->name,
                     attribute_json(&s, maker, classes.n_classes, i));
done:
    mgl_group_maker_free(maker);
    mgl_classes_free(&classes);
    mgl_free(s.models);
    mgl_free(s.found);
    mgl_free(s.wanted);
    mgl_free(s.infimum);
    mgl_free(s.scratch);
    return status;
}
