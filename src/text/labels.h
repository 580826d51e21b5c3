/* Value labels: what the codes of a column mean, as their file has it: 1 is "male". */
#ifndef MGL_TEXT_LABELS_H
#define MGL_TEXT_LABELS_H

#include "base/base.h"

typedef struct mgl_value_label {
    mgl_span value, label; /* with a NUL byte behind each */
} mgl_value_label;

typedef struct mgl_value_labels {
    const mgl_value_label *list;
    size_t n;
} mgl_value_labels;

/* The label of a value; data is NULL if it has none. */
static inline mgl_span mgl_label_of(const mgl_value_labels *labels, mgl_span value)
{
    for (size_t i = 0; i < labels->n; i++)
        if (mgl_span_equal(labels->list[i].value, value))
            return labels->list[i].label;
    return (mgl_span){NULL, 0};
}

#endif
