/* Sums up what judging one class after another finds out about a model. The judge of recodings,
 * matching and the verifier call it. */
#include "privacy/privacy.h"

void mgl_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group)
{
    if (model->joint != NULL) {
        mgl_joint_found_add(found, model, group);
        return;
    }
    double measured = model->type->measure(model, group);
    bool worse =
        model->type->measured_is_least ? measured < found->measured : measured > found->measured;
    if (isnan(found->measured) || worse)
        found->measured = measured;
    if (mgl_model_holds(model, group))
        return;
    found->holds = false;
    found->violating_rows += group->rows;
    found->violating_classes++;
}

void mgl_found_worsen(mgl_found *found, const mgl_found *other, const mgl_model *model)
{
    bool worse = model->type->measured_is_least ? other->measured < found->measured
                                                : other->measured > found->measured;
    if (isnan(found->measured) || worse)
        found->measured = other->measured;
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
