/* Builds the hierarchy of a classification: icd10(block,chapter), iso3166, nace and others. What
 * they share are the levels as arguments and the refusal of values that belong nowhere. */
#include "hierarchy/classification.h"

static void list_levels(const mgl_classification *c, unsigned wanted, mgl_buffer *out)
{
    const char *before = "";
    for (size_t level = 0; level < c->n_levels; level++)
        if (wanted >> level & 1) {
            mgl_buffer_format(out, "%s%s", before, c->levels[level]);
            before = ",";
        }
}

static mgl_status fail_level(mgl_build *build, const mgl_classification *c, mgl_span name,
                             mgl_error *err)
{
    mgl_buffer text = {0};
    char *all;
    list_levels(c, ~0U, &text);
    MGL_TRY(mgl_buffer_take(&text, err, &all));
    mgl_status status =
        mgl_draft_fail(build->draft, 0, err,
                       "'%.*s' is no level that comes here; the levels are, in this order, %s",
                       mgl_span_width(name), name.data, all);
    mgl_free(all);
    return status;
}

static mgl_status take_levels(mgl_build *build, const mgl_classification *c, mgl_error *err,
                              unsigned *wanted)
{
    mgl_span rest = build->arguments, name;
    *wanted = build->arguments.size == 0 ? c->usual(c, build->ground) : 0;
    while (build->arguments.size > 0 && mgl_next_argument(&rest, &name)) {
        size_t level = 0;
        while (level < c->n_levels && !mgl_span_is(name, c->levels[level]))
            level++;
        if (level == c->n_levels || *wanted >> level != 0)
            return fail_level(build, c, name, err);
        *wanted |= 1U << level;
    }
    return MGL_OK;
}

static mgl_status add_value(mgl_build *build, const mgl_classification *c, unsigned wanted,
                            size_t i, mgl_buffer *label, mgl_error *err)
{
    const mgl_ground_value *value = &build->ground->values[i];
    uint32_t at = 0;
    MGL_TRY(mgl_build_row(build, value, err));
    for (size_t level = 0; level < c->n_levels; level++) {
        char shown[MGL_SHOWN];
        if (!(wanted >> level & 1))
            continue;
        label->size = 0;
        if (!c->label(c, value->text, level, label) && !label->failed)
            return mgl_build_blame(build, value->text, err,
                                   "the value '%s' %s; correct it, or name it by `missing` if it "
                                   "means missing",
                                   mgl_shown(value->text, shown), c->needs);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, ++at, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

mgl_status mgl_build_classification(mgl_build *build, const mgl_classification *c, mgl_error *err)
{
    unsigned wanted;
    mgl_buffer label = {0};
    mgl_buffer *resolved = &build->draft->resolved;
    mgl_status status = MGL_OK;
    MGL_TRY(take_levels(build, c, err, &wanted));
    mgl_buffer_format(resolved, "%s(", c->name);
    list_levels(c, wanted, resolved);
    mgl_buffer_text(resolved, ")");
    build->draft->n_levels = 1;
    for (size_t level = 0; level < c->n_levels; level++)
        build->draft->n_levels += wanted >> level & 1;
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_value(build, c, wanted, i, &label, err);
    mgl_buffer_free(&label);
    return status;
}
