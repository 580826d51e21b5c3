/* For values that a saved recoding has not seen: where each column was released at one level, its
 * recorded hierarchy says what any other value becomes there. `apply` calls it. */
#include "command/recorded_labels.h"

typedef struct recorded {
    const mgl_saved_recoding *saved;
    const char **specs; /* [quasi of the recoding] its hierarchy; NULL: not recorded */
    mgl_arena *arena;
} recorded;

static mgl_status note_spec(void *context, const mgl_said *said, mgl_error *err)
{
    recorded *r = context;
    for (size_t a = 0; said->column != NULL && a < r->saved->n_quasi; a++) {
        if (strcmp(said->key, "hierarchy") != 0 ||
            strcmp(said->column, r->saved->quasi[a].name) != 0)
            continue;
        r->specs[a] = mgl_arena_copy(r->arena, said->value, strlen(said->value));
        if (r->specs[a] == NULL)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

/* *out is NULL where a builder does not fit or a file is not here. */
static mgl_status try_hierarchy(const char *spec, const char *column,
                                const mgl_dictionary *dictionary, mgl_error *err,
                                mgl_hierarchy **out)
{
    mgl_error own = {0};
    *out = NULL;
    mgl_status status = mgl_hierarchy_make(spec, column, dictionary, &own, out);
    return status == MGL_SYSTEM ? mgl_fail_as(err, &own) : MGL_OK;
}

static bool is_at_level(const mgl_saved_recoding *saved, size_t a, const mgl_hierarchy *h,
                        const uint32_t *of_saved, uint32_t level)
{
    const mgl_saved_quasi *quasi = &saved->quasi[a];
    bool any = false;
    for (size_t t = 0; t < saved->n_tuples; t++) {
        uint32_t leaf = of_saved[saved->leaves[a][t]];
        if (saved->suppressed[t])
            continue;
        any = true;
        if (!mgl_span_equal(h->levels[level].labels[h->levels[level].of_leaf[leaf]],
                            quasi->labels[saved->released[a][t]]))
            return false;
    }
    return any;
}

/* The one level at which all rows were released; MGL_NOT_FOUND: there is none. */
static mgl_status find_level(const recorded *r, size_t a, const mgl_notation *notation,
                             mgl_error *err, uint32_t *out)
{
    const mgl_saved_quasi *quasi = &r->saved->quasi[a];
    uint32_t n = mgl_dictionary_size(quasi->ground);
    mgl_hierarchy *h;
    *out = MGL_NOT_FOUND;
    mgl_dictionary_set_notation(quasi->ground, notation);
    MGL_TRY(try_hierarchy(r->specs[a], quasi->name, quasi->ground, err, &h));
    if (h == NULL)
        return MGL_OK;
    uint32_t *leaves = mgl_arena_alloc(r->arena, n * sizeof *leaves);
    uint32_t *of_saved = mgl_arena_alloc(r->arena, quasi->n_leaves * sizeof *of_saved);
    mgl_status status = MGL_OK;
    MGL_GO(leaves == NULL || of_saved == NULL
               ? mgl_fail_memory(err)
               : mgl_hierarchy_bind(h, quasi->name, quasi->ground, err, leaves));
    for (uint32_t code = 0; code < n; code++)
        of_saved[quasi->leaf_of_code[code]] = leaves[code];
    for (uint32_t l = 0; *out == MGL_NOT_FOUND && l <= h->height; l++)
        if (is_at_level(r->saved, a, h, of_saved, l))
            *out = l;
done:
    mgl_hierarchy_free(h);
    return status;
}

/* The labels of the recoding by their texts; NULL when memory is out. Free with mgl_map_free. */
static mgl_map *index_labels(const mgl_saved_quasi *quasi)
{
    mgl_map *map = mgl_map_new();
    for (uint32_t i = 0; map != NULL && i < quasi->n_labels; i++)
        if (mgl_map_add(map, quasi->labels[i]) != i) {
            mgl_map_free(map);
            return NULL;
        }
    return map;
}

/* What each leaf of the column at hand becomes at the level of the hierarchy. */
static mgl_status fill_labels(const recorded *r, size_t a, const mgl_quasi_column *here,
                              const mgl_hierarchy *h, uint32_t level, mgl_error *err, uint32_t *out)
{
    const mgl_dictionary *dictionary = here->column->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary);
    const mgl_level *at = &h->levels[level];
    uint32_t *leaves = mgl_arena_alloc(r->arena, n * sizeof *leaves);
    mgl_map *labels = index_labels(&r->saved->quasi[a]);
    mgl_status status = leaves == NULL || labels == NULL
                            ? mgl_fail_memory(err)
                            : mgl_hierarchy_bind(h, here->settings->name, dictionary, err, leaves);
    for (uint32_t code = 0; status == MGL_OK && code < n; code++)
        out[here->leaf_of_code[code]] = mgl_map_find(labels, at->labels[at->of_leaf[leaves[code]]]);
    mgl_map_free(labels);
    return status;
}

static mgl_status fill_column(const recorded *r, size_t a, const mgl_quasi_column *here,
                              mgl_error *err, uint32_t *out, bool *known)
{
    const mgl_dictionary *dictionary = here->column->dictionary;
    uint32_t level;
    mgl_hierarchy *h = NULL;
    MGL_TRY(find_level(r, a, mgl_dictionary_notation(dictionary), err, &level));
    if (level != MGL_NOT_FOUND)
        MGL_TRY(try_hierarchy(r->specs[a], here->settings->name, dictionary, err, &h));
    *known = h != NULL && level <= h->height;
    mgl_status status = *known ? fill_labels(r, a, here, h, level, err, out) : MGL_OK;
    mgl_hierarchy_free(h);
    return status;
}

static mgl_status fill_all(const recorded *r, const mgl_reading *reading, const size_t *of_saved,
                           mgl_error *err, uint32_t ***out)
{
    size_t m = r->saved->n_quasi;
    uint32_t **labels = mgl_arena_alloc(r->arena, m * sizeof *labels);
    bool known = labels != NULL;
    if (!known)
        return mgl_fail_memory(err);
    for (size_t a = 0; known && a < m; a++) {
        const mgl_quasi_column *here = &reading->quasi[of_saved[a]];
        uint32_t n = here->hierarchy->n_leaves;
        labels[a] = mgl_arena_alloc(r->arena, n * sizeof **labels);
        if (labels[a] == NULL)
            return mgl_fail_memory(err);
        memset(labels[a], 0xFF, n * sizeof **labels);
        known = r->specs[a] != NULL;
        if (known)
            MGL_TRY(fill_column(r, a, here, err, labels[a], &known));
    }
    *out = known ? labels : NULL;
    return MGL_OK;
}

mgl_status mgl_recorded_labels(const mgl_saved_recoding *saved, const mgl_reading *reading,
                               const size_t *of_saved, mgl_arena *arena, mgl_error *err,
                               uint32_t ***out)
{
    const mgl_method_type *method = mgl_method_type_find(saved->method);
    recorded r = {.saved = saved, .arena = arena};
    *out = NULL;
    if (method == NULL || !method->full_domain)
        return MGL_OK;
    r.specs = mgl_arena_alloc(arena, saved->n_quasi * sizeof *r.specs);
    json_t *said = json_loads(saved->job, 0, NULL);
    if (r.specs == NULL || said == NULL) {
        json_decref(said);
        return mgl_fail_memory(err);
    }
    memset(r.specs, 0, saved->n_quasi * sizeof *r.specs);
    mgl_status status = mgl_job_document_each(said, note_spec, &r, err);
    json_decref(said);
    return status == MGL_OK ? fill_all(&r, reading, of_saved, err, out) : status;
}
