/* A text that means missing can be a label of a hierarchy as well. In a release it is the label,
 * since missing cells have the first of these texts; a table that is taken as it is may be a
 * release, so that the two are told apart there. reading.c calls it before the table is read. */
#include "pipeline/read/reading_steps.h"

/* Labels that a file gives are known before the values are; what builders make of values is not. */
static mgl_status find_labels(const mgl_attribute_settings *attribute, mgl_error *err,
                              mgl_hierarchy **out)
{
    mgl_error untold = {.code = MGL_CODE_NONE}; /* what is wrong is told by who needs the labels */
    mgl_dictionary *nothing = mgl_dictionary_new();
    if (nothing == NULL)
        return mgl_fail_memory(err);
    mgl_status status =
        mgl_hierarchy_make(attribute->hierarchy, attribute->name, nothing, &untold, out);
    mgl_dictionary_free(nothing);
    if (status != MGL_SYSTEM)
        return MGL_OK;
    if (err != NULL)
        *err = untold;
    return status;
}

/* The hierarchies that the job gives quasi-identifiers, as far as they are known. */
typedef struct given {
    mgl_hierarchy **trees; /* [n] */
    size_t n;
} given;

static bool is_label(mgl_span token, const void *context)
{
    const given *g = context;
    uint32_t level, value;
    for (size_t i = 0; i < g->n; i++)
        if (g->trees[i] != NULL && mgl_hierarchy_find(g->trees[i], token, &level, &value) &&
            level > 0)
            return true;
    return mgl_span_is(token, "*");
}

static mgl_status gather(const mgl_settings *settings, mgl_error *err, given *g)
{
    g->trees = mgl_zeroed_array(settings->n_attributes, sizeof *g->trees);
    if (g->trees == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (attribute->role == MGL_ROLE_QUASI && attribute->hierarchy != NULL)
            MGL_TRY(find_labels(attribute, err, &g->trees[g->n++]));
    }
    return MGL_OK;
}

mgl_status mgl_labels_told_apart(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    given g = {0};
    mgl_status status = MGL_OK;
    /* An audit has told all of them apart already. */
    if (!mgl_takes_as_is(purpose) || settings->claimed.against != NULL ||
        settings->source.n_missing < 2)
        return MGL_OK;
    MGL_GO(gather(settings, err, &g));
    if (g.n == 0)
        goto done;
    reading->as_is = mgl_alloc(sizeof *reading->as_is);
    reading->tokens = mgl_arena_new();
    if (reading->as_is == NULL || reading->tokens == NULL)
        MGL_GO(mgl_fail_memory(err));
    *reading->as_is = *settings;
    MGL_GO(mgl_tokens_of_release(&reading->as_is->source, is_label, &g, reading->tokens, err));
    reading->settings = reading->as_is;
    MGL_GO(mgl_source_use(reading->source, &reading->as_is->source, err));
done:
    for (size_t i = 0; i < g.n; i++)
        mgl_hierarchy_free(g.trees[i]);
    mgl_free(g.trees);
    return status;
}
