/* Cells of a grid over the earth. Of the room hierarchy only. */
#ifndef MGL_HIERARCHY_GRID_H
#define MGL_HIERARCHY_GRID_H

#include "hierarchy/decimal.h"

typedef enum mgl_grid_axis { MGL_GRID_POINT, MGL_GRID_LATITUDE, MGL_GRID_LONGITUDE } mgl_grid_axis;

#define MGL_GRID_FINEST 0.000000899 /* degrees: a decimetre */
enum { MGL_GRID_MOST_TIMES = 1000000000 };

typedef struct mgl_grid {
    mgl_grid_axis axis;
    bool km, has_at;
    double at; /* the latitude at which a kilometre of longitude is measured */
    size_t n;
    mgl_decimal sizes[MGL_MOST_LEVELS]; /* [n] of one scale, in degrees or kilometres */
    int64_t times[MGL_MOST_LEVELS];     /* [n] how often the size before goes into this one */
} mgl_grid;

typedef struct mgl_grid_point {
    mgl_decimal latitude, longitude; /* degrees */
} mgl_grid_point;

/* The height of a cell. */
double mgl_grid_degrees(const mgl_grid *grid, size_t level);

/* False if the coordinates have more digits than can be computed with. */
bool mgl_grid_reaches(const mgl_grid *grid, const mgl_grid_point *point);

/* Appends the cell that the point lies in: SOUTH..NORTH WEST..EAST, or one of the two. */
void mgl_grid_label(const mgl_grid *grid, const mgl_grid_point *point, size_t level,
                    const mgl_notation *notation, mgl_buffer *out);

#endif
