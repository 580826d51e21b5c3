/* What models say of the counts of values in a class. Inside the room only. */
#ifndef MGL_SEARCH_BOX_VALUE_TERMS_H
#define MGL_SEARCH_BOX_VALUE_TERMS_H

#include "search/box/box.h"

/* Rows that a class needs to have the values that it must have, and no more of them than it may; at
 * most one beyond those of the table. */
uint32_t mgl_box_rows_for_values(const mgl_box_space *space);

/* As far as it is asked (mgl_box_ask_terms): may a part of the group hold? */
bool mgl_box_terms_may_hold(const mgl_box_space *space, const mgl_group *group);

#endif
