/* Values that are made for one release. Of the room recoding only. */
#ifndef MGL_RECODING_MADE_H
#define MGL_RECODING_MADE_H

#include "recoding/recoding.h"

struct mgl_made_values {
    mgl_map *labels; /* numbered in the order of adding */
    mgl_arena *arena;
    mgl_scale *scale;
    double width;                    /* from the least to the greatest number of the data */
    size_t room;                     /* for released values */
    size_t n_listed, room_of_listed; /* leaves of sets and modes */
};

/* Frees what a column of ranges, averages or sets has beyond others. */
void mgl_made_values_free(mgl_released_column *column);

#endif
