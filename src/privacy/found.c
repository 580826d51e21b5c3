/* What judging the groups of a table found out about a model, group after group; for models that
 * sensitive columns must hold together as well. */
#include "privacy/privacy.h"

/* ---- One history after another --------------------------------------------------------------- */

/* The histories of a group one after another. */
typedef struct walk {
    const mgl_joint *joint;
    const mgl_group *group;
    const mgl_histogram *histories;
    size_t at;
} walk;

static bool next_history(walk *w, mgl_group *out)
{
    if (w->at == w->histories->size)
        return false;
    uint32_t history = w->histories->values[w->at];
    uint64_t size = w->histories->counts[w->at++];
    for (size_t s = 0; s < w->group->n_sensitive; s++) {
        const mgl_histogram *whole = &w->group->sensitive[w->joint->by_value + s];
        mgl_histogram *here = &w->group->of_history[s];
        size_t begin = (size_t)(here->values - whole->values) + here->size, end = begin;
        while (end < whole->size && whole->values[end] < w->joint->first[s][history + 1])
            end++;
        *here = (mgl_histogram){whole->values + begin, whole->counts + begin, end - begin,
                                w->joint->meaning[s]};
    }
    *out = (mgl_group){.size = size,
                       .rows = size,
                       .sensitive = w->group->of_history,
                       .n_sensitive = w->group->n_sensitive};
    return true;
}

static walk begin_walk(const mgl_model *model, const mgl_group *group)
{
    for (size_t s = 0; s < group->n_sensitive; s++)
        group->of_history[s] =
            (mgl_histogram){.values = group->sensitive[model->joint->by_value + s].values};
    return (walk){.joint = model->joint,
                  .group = group,
                  .histories = &group->sensitive[model->joint->histories]};
}

static void add_jointly(mgl_found *found, const mgl_model *model, const mgl_group *group)
{
    walk w = begin_walk(model, group);
    mgl_group history;
    while (next_history(&w, &history))
        mgl_found_add(found, model->joint->inner, &history);
}

/* ---- What was found -------------------------------------------------------------------------- */

static void take_worse(mgl_found *found, const mgl_model *model, double measured)
{
    bool worse =
        model->type->measured_is_least ? measured < found->measured : measured > found->measured;
    if (isnan(found->measured) || worse)
        found->measured = measured;
}

void mgl_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group)
{
    if (model->joint != NULL) {
        add_jointly(found, model, group);
        return;
    }
    take_worse(found, model, model->type->measure(model, group));
    if (mgl_model_holds(model, group))
        return;
    found->holds = false;
    found->violating_rows += group->rows;
    found->violating_classes++;
}

void mgl_found_worsen(mgl_found *found, const mgl_found *other, const mgl_model *model)
{
    take_worse(found, model, other->measured);
    found->holds = found->holds && other->holds;
    if (other->violating_rows > found->violating_rows)
        found->violating_rows = other->violating_rows;
    found->violating_classes += other->violating_classes;
}

void mgl_found_join(mgl_found *found, const mgl_found *other, const mgl_model *model)
{
    uint64_t rows = found->violating_rows + other->violating_rows;
    mgl_found_worsen(found, other, model);
    found->violating_rows = rows;
}

void mgl_found_judge_table(mgl_found *found, const mgl_model *model, const mgl_class_sizes *classes)
{
    if (classes->n == 0)
        return;
    found->measured = model->type->table_measure(model, classes);
    found->holds = model->type->table_holds(model, classes);
    if (found->holds)
        return;
    found->violating_classes = classes->n;
    for (size_t c = 0; c < classes->n; c++)
        found->violating_rows += classes->sizes[c];
}

/* ---- Models that sensitive columns hold together --------------------------------------------- */

static bool holds(const mgl_model *model, const mgl_group *group)
{
    walk w = begin_walk(model, group);
    mgl_group history;
    while (next_history(&w, &history))
        if (!mgl_model_holds(model->joint->inner, &history))
            return false;
    return true;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    mgl_found found = MGL_FOUND_NOTHING;
    add_jointly(&found, model, group);
    return found.measured;
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
