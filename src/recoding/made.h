/* Values that are made for one release. Of the room recoding only. */
#ifndef MGL_RECODING_MADE_H
#define MGL_RECODING_MADE_H

#include "recoding/recoding.h"

/* Frees what a column of ranges or averages has beyond others. */
void mgl_made_values_free(mgl_released_column *column);

#endif
