/* Binds a table of persons to the columns of a release. `attack` links them; `risk` counts the
 * persons of a population by it. */
#include "command/link/link.h"

/* What each released text stands for. */
static mgl_status cover(mgl_linked *e, size_t a, mgl_error *err)
{
    const mgl_quasi_column *quasi = &e->release->quasi[a];
    const mgl_dictionary *ground = e->persons->columns[a].dictionary;
    const mgl_hierarchy *released = quasi->hierarchy;
    const char *spec = quasi->settings->hierarchy;
    if (spec != NULL) {
        MGL_TRY(mgl_hierarchy_make(spec, quasi->settings->name, ground, err, &e->hierarchies[a]));
        e->leaves[a] = mgl_alloc_array(mgl_dictionary_size(ground), sizeof **e->leaves);
        if (e->leaves[a] == NULL)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_hierarchy_bind(e->hierarchies[a], quasi->settings->name, ground, err,
                                   e->leaves[a]));
    }
    return mgl_coverage_new(released->levels[0].labels, released->n_leaves, ground,
                            e->hierarchies[a], e->leaves[a], err, &e->columns[a]);
}

mgl_status mgl_linked_bind(mgl_linked *e, const mgl_reading *release, const mgl_table *persons,
                           mgl_error *err)
{
    size_t m = release->n_quasi, n = persons->n_rows;
    *e = (mgl_linked){.release = release, .persons = persons};
    e->hierarchies = mgl_zeroed_array(m, sizeof *e->hierarchies);
    e->leaves = mgl_zeroed_array(m, sizeof *e->leaves);
    e->columns = mgl_zeroed_array(m, sizeof *e->columns);
    e->codes = mgl_alloc_array(n, m * sizeof *e->codes);
    if (e->hierarchies == NULL || e->leaves == NULL || e->columns == NULL || e->codes == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        MGL_TRY(cover(e, a, err));
        for (size_t row = 0; row < n; row++)
            e->codes[row * m + a] = mgl_column_code(&persons->columns[a], row);
    }
    return MGL_OK;
}

void mgl_linked_free(mgl_linked *e)
{
    if (e->release == NULL)
        return;
    for (size_t a = 0; a < e->release->n_quasi; a++) {
        if (e->hierarchies != NULL)
            mgl_hierarchy_free(e->hierarchies[a]);
        if (e->leaves != NULL)
            mgl_free(e->leaves[a]);
        if (e->columns != NULL)
            mgl_coverage_free(&e->columns[a]);
    }
    mgl_free(e->hierarchies);
    mgl_free(e->leaves);
    mgl_free(e->columns);
    mgl_free(e->codes);
    mgl_free(e->unknown);
}

/* A word that neither a hierarchy nor its own form explains matches nobody, which hides persons
 * from the attack. */
void mgl_linked_warn(const mgl_linked *e, mgl_result *result)
{
    for (size_t a = 0; a < e->release->n_quasi; a++)
        if (e->columns[a].n_pairs == 0)
            mgl_result_warn(result, "unmatched-column",
                            "no text in column %.60s of the release can stand for a value of the "
                            "external table; give the column's hierarchy",
                            e->release->quasi[a].settings->name);
}
