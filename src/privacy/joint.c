/* Judges a model on what earlier releases of the same table divide a class into: who holds them all
 * tells rows apart that look alike in each. The pasts of the rows, and the pasts together with each
 * sensitive value, are histograms of the group behind its sensitive ones. The task puts such a
 * model behind each other one where the job names earlier releases.
 *
 * If a model is closed under union, so is this: the pasts of a union are unions of pasts. But a
 * superset of a class can bring a new past of a single row, so nothing here is upward closed. */
#include "privacy/privacy.h"

/* The pasts of a group one after another. */
typedef struct walk {
    const mgl_joint *joint;
    const mgl_group *group;
    const mgl_histogram *pasts;
    size_t at;
} walk;

static bool next_past(walk *w, mgl_group *out)
{
    if (w->at == w->pasts->size)
        return false;
    uint32_t past = w->pasts->values[w->at];
    uint64_t size = w->pasts->counts[w->at++];
    for (size_t s = 0; s < w->group->n_sensitive; s++) {
        const mgl_histogram *whole = &w->group->sensitive[w->joint->by_value + s];
        mgl_histogram *here = &w->group->of_past[s];
        size_t begin = (size_t)(here->values - whole->values) + here->size, end = begin;
        while (end < whole->size && whole->values[end] < w->joint->first[s][past + 1])
            end++;
        *here = (mgl_histogram){whole->values + begin, whole->counts + begin, end - begin,
                                w->joint->meaning[s]};
    }
    *out = (mgl_group){.size = size,
                       .rows = size,
                       .sensitive = w->group->of_past,
                       .n_sensitive = w->group->n_sensitive};
    return true;
}

static walk begin_walk(const mgl_model *model, const mgl_group *group)
{
    for (size_t s = 0; s < group->n_sensitive; s++)
        group->of_past[s] =
            (mgl_histogram){.values = group->sensitive[model->joint->by_value + s].values};
    return (walk){
        .joint = model->joint, .group = group, .pasts = &group->sensitive[model->joint->pasts]};
}

static bool holds(const mgl_model *model, const mgl_group *group)
{
    walk w = begin_walk(model, group);
    mgl_group past;
    while (next_past(&w, &past))
        if (!mgl_model_holds(model->joint->inner, &past))
            return false;
    return true;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    mgl_found found = MGL_FOUND_NOTHING;
    mgl_joint_found_add(&found, model, group);
    return found.measured;
}

void mgl_joint_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group)
{
    walk w = begin_walk(model, group);
    mgl_group past;
    while (next_past(&w, &past))
        mgl_found_add(found, model->joint->inner, &past);
}

static const mgl_model_type closed = {
    .name = "joint",
    .help = "a model holds on what earlier releases divide a class into",
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true,
    .holds = holds,
    .measure = measure,
};

static const mgl_model_type open_type = {
    .name = "joint",
    .help = "the same of a model that is not closed under union",
    .scope = MGL_SCOPE_CLASS,
    .holds = holds,
    .measure = measure,
};

mgl_model mgl_model_jointly(const mgl_joint *joint)
{
    return (mgl_model){.type = joint->inner->type->union_closed ? &closed : &open_type,
                       .facts = joint->inner->facts,
                       .joint = joint};
}
