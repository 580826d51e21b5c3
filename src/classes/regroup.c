/* Groups rare tuples level by level until no group is rare. The pipeline calls it for
 * --least-count. */
#include "classes/classes.h"

typedef struct rest {
    const mgl_frequency_list *list;
    size_t n;         /* tuples that are in no group yet */
    uint32_t *tuples; /* [n] */
    uint64_t *counts; /* [n] their rows */
    uint32_t **cells; /* [a][n] what they read at the level at hand: leaves that stand for it */
    uint32_t *n_values;
    mgl_classes classes;
} rest;

static mgl_status begin(rest *r, mgl_error *err)
{
    size_t m = r->list->n_attributes, n = r->list->n_tuples;
    r->tuples = mgl_alloc_array(n, sizeof *r->tuples);
    r->counts = mgl_alloc_array(n, sizeof *r->counts);
    r->n_values = mgl_alloc_array(m, sizeof *r->n_values);
    r->cells = mgl_zeroed_array(m, sizeof *r->cells);
    if (r->tuples == NULL || r->counts == NULL || r->n_values == NULL || r->cells == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        r->n_values[a] = r->list->hierarchies[a]->n_leaves;
        r->cells[a] = mgl_alloc_array(n, sizeof **r->cells);
        if (r->cells[a] == NULL)
            return mgl_fail_memory(err);
    }
    return mgl_classes_init(&r->classes, n, m, err);
}

static void end(rest *r)
{
    for (size_t a = 0; r->cells != NULL && a < r->list->n_attributes; a++)
        mgl_free(r->cells[a]);
    mgl_free(r->cells);
    mgl_free(r->n_values);
    mgl_free(r->counts);
    mgl_free(r->tuples);
    mgl_classes_free(&r->classes);
}

/* Those that are rare by themselves; the others keep their leaves. */
static void find_rare(rest *r, uint64_t least, uint32_t *const *leaves)
{
    const mgl_frequency_list *list = r->list;
    for (size_t t = 0; t < list->n_tuples; t++) {
        for (size_t a = 0; a < list->n_attributes; a++)
            leaves[a][t] = mgl_list_leaf(list, t, a);
        if (list->counts[t] >= least)
            continue;
        r->tuples[r->n] = (uint32_t)t;
        r->counts[r->n++] = list->counts[t];
    }
}

static void group_at(rest *r, uint32_t level)
{
    const mgl_frequency_list *list = r->list;
    for (size_t a = 0; a < list->n_attributes; a++) {
        const mgl_hierarchy *h = list->hierarchies[a];
        const mgl_level *at = &h->levels[level < h->height ? level : h->height];
        for (size_t i = 0; i < r->n; i++)
            r->cells[a][i] = at->stand_in[at->of_leaf[mgl_list_leaf(list, r->tuples[i], a)]];
    }
    mgl_classes_fit(&r->classes, r->n);
    mgl_classes_group(&r->classes, r->cells, r->n_values, NULL, list->n_attributes, r->counts);
}

/* The groups that are large enough are done with. */
static void keep_rare(rest *r, uint64_t least, uint32_t *const *leaves)
{
    size_t left = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (r->classes.sizes[r->classes.of_tuple[i]] < least) {
            r->tuples[left] = r->tuples[i];
            r->counts[left++] = r->counts[i];
            continue;
        }
        for (size_t a = 0; a < r->list->n_attributes; a++)
            leaves[a][r->tuples[i]] = r->cells[a][i];
    }
    r->n = left;
}

static uint32_t highest(const mgl_frequency_list *list)
{
    uint32_t height = 0;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (list->hierarchies[a]->height > height)
            height = list->hierarchies[a]->height;
    return height;
}

mgl_status mgl_regroup_rare(const mgl_frequency_list *list, uint64_t least, mgl_error *err,
                            uint32_t *const *leaves)
{
    rest r = {.list = list};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&r, err));
    uint32_t top = highest(list);
    find_rare(&r, least, leaves);
    for (uint32_t level = 1; r.n > 0 && level <= top; level++) {
        group_at(&r, level);
        keep_rare(&r, level < top ? least : 0, leaves);
    }
done:
    end(&r);
    return status;
}
