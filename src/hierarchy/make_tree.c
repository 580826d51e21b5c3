/* Makes a hierarchy of a file, a builder or given rows. The pipeline calls it for each
 * quasi-identifier, commands that read a hierarchy for theirs. */
#include "hierarchy/builders.h"

static mgl_status fill(mgl_draft *draft, const mgl_dictionary *dictionary, mgl_error *err)
{
    if (mgl_hierarchy_is_builder(draft->spec))
        return mgl_draft_build(draft, dictionary, err);
    size_t size = strlen(draft->spec);
    if (size > 4 && strcmp(draft->spec + size - 4, ".grc") == 0)
        return mgl_draft_read_recoding(draft, dictionary, err);
    if (size > 5 && strcmp(draft->spec + size - 5, ".json") == 0)
        return mgl_draft_read_tree(draft, err);
    return mgl_draft_read_file(draft, err);
}

/* Files may lack a value of the data; binding finds out. */
static mgl_status try_bind(const mgl_hierarchy *hierarchy, const char *column,
                           const mgl_dictionary *dictionary, mgl_error *err)
{
    uint32_t *leaf_of_code = mgl_alloc_array(mgl_dictionary_size(dictionary), sizeof *leaf_of_code);
    if (leaf_of_code == NULL)
        return mgl_fail_memory(err);
    mgl_status status = mgl_hierarchy_bind(hierarchy, column, dictionary, err, leaf_of_code);
    mgl_free(leaf_of_code);
    return status;
}

static mgl_status complete(mgl_draft *draft, const char *column, const mgl_dictionary *dictionary,
                           mgl_error *err, mgl_hierarchy **out)
{
    mgl_hierarchy *hierarchy = NULL;
    MGL_TRY(mgl_draft_assemble(draft, err, &hierarchy));
    mgl_status status = try_bind(hierarchy, column, dictionary, err);
    if (status != MGL_OK) {
        mgl_hierarchy_free(hierarchy);
        return status;
    }
    hierarchy->notation = *mgl_dictionary_notation(dictionary);
    *out = hierarchy;
    return MGL_OK;
}

mgl_status mgl_hierarchy_make(const char *spec, const char *column,
                              const mgl_dictionary *dictionary, mgl_error *err, mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, spec != NULL ? spec : "suppress", column, dictionary, err));
    MGL_GO(fill(&draft, dictionary, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = spec != NULL;
done:
    mgl_draft_end(&draft);
    return mgl_blame_attribute(err, status, column, "hierarchy");
}

static mgl_status fill_rows(mgl_draft *draft, const mgl_span *labels, uint32_t n_rows,
                            mgl_error *err)
{
    for (uint32_t row = 0; row < n_rows; row++) {
        MGL_TRY(mgl_draft_add_row(draft, 0, err));
        for (uint32_t level = 0; level < draft->n_levels; level++)
            MGL_TRY(mgl_draft_put(draft, level, *labels++, err));
    }
    return MGL_OK;
}

mgl_status mgl_hierarchy_of_rows(const mgl_span *labels, uint32_t n_rows, uint32_t n_levels,
                                 const char *column, const mgl_dictionary *dictionary,
                                 mgl_error *err, mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, "rows", column, dictionary, err));
    draft.n_levels = n_levels;
    MGL_GO(fill_rows(&draft, labels, n_rows, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = true;
done:
    mgl_draft_end(&draft);
    return status;
}

/* Leaves are in the order that all builders give them. */
static mgl_status fill_ground(mgl_draft *draft, const mgl_label_rows *rows,
                              const mgl_ground *ground, const mgl_dictionary *dictionary,
                              mgl_error *err)
{
    draft->built = true;
    draft->has_star = ground->star;
    draft->n_levels = rows->n_levels;
    for (size_t i = 0; i < ground->n; i++) {
        size_t code = mgl_dictionary_find(dictionary, ground->values[i].text);
        MGL_TRY(fill_rows(draft, rows->labels + code * rows->n_levels, 1, err));
    }
    return MGL_OK;
}

mgl_status mgl_hierarchy_of_columns(const mgl_label_rows *rows, const char *column,
                                    const mgl_dictionary *dictionary, mgl_error *err,
                                    mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_ground ground = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, rows->spec, column, dictionary, err));
    MGL_GO(mgl_ground_of(dictionary, err, &ground));
    MGL_GO(fill_ground(&draft, rows, &ground, dictionary, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = true;
done:
    mgl_ground_free(&ground);
    mgl_draft_end(&draft);
    return mgl_blame_attribute(err, status, column, "hierarchy");
}
