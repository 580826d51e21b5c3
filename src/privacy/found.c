#include "privacy/privacy.h"

void mgl_found_add(mgl_found *found, const mgl_model *model, const mgl_group *group)
{
    double measured = model->type->measure(model, group);
    bool worse = model->type->measured_is_least ? measured < found->measured
                                                : measured > found->measured;
    if (isnan(found->measured) || worse)
        found->measured = measured;
    if (mgl_model_holds(model, group))
        return;
    found->holds = false;
    found->violating_rows += group->size;
    found->violating_classes++;
}
