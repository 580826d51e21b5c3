/* Costs of cells while a space is made. Inside the room only. */
#ifndef MGL_SEARCH_BOX_WHOLE_COSTS_H
#define MGL_SEARCH_BOX_WHOLE_COSTS_H

#include "search/box/box.h"

/* The scale on which costs are whole numbers, exact ones if there is such a scale. First of all. */
mgl_status mgl_box_choose_scale(mgl_box_space *space, mgl_error *err);
/* What a cell released as this value adds to the cost of its row, in the measure's own terms. */
double mgl_box_plain_cost(const mgl_box_space *space, size_t attribute, uint32_t value);
/* Such a cost as a whole number. */
uint32_t mgl_box_whole_cost(mgl_box_space *space, double cost);
/* The step that all costs are multiples of, when all are known. */
void mgl_box_find_step(mgl_box_space *space);

#endif
