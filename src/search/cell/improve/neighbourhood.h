/* Classes of a release, taken apart and put together anew: what improving by dual values and
 * improving by near tuples have in common. Private to the module. */
#ifndef MGL_SEARCH_CELL_IMPROVE_NEIGHBOURHOOD_H
#define MGL_SEARCH_CELL_IMPROVE_NEIGHBOURHOOD_H

#include "search/box/box.h"
#include "search/improver/improver.h"

enum { MGL_NEIGHBOURHOOD_CLASSES = 14 }; /* at most */

typedef struct mgl_neighbourhood {
    uint32_t classes[MGL_NEIGHBOURHOOD_CLASSES];
    size_t n_classes;
    uint32_t *tuples; /* [n_tuples] of one class after the other, as far as there is room */
    size_t n_tuples;
    uint32_t *draft_of; /* [n_tuples] what was made of them */
    size_t n_drafts;
    uint64_t work; /* done to make it */
} mgl_neighbourhood;

/* Those of a round. No class is in two of them. */
typedef struct mgl_neighbourhoods {
    mgl_box_release *release;
    size_t room;              /* for tuples of each */
    mgl_neighbourhood *items; /* [at_once] */
    uint32_t *tuples, *draft_of;
    uint64_t *used; /* [class] round in which it was last in one */
    size_t used_capacity;
    uint32_t *gathered; /* [room] */
    uint32_t *made;     /* [n_made] classes that the last one that was taken became */
    size_t n_made;
    uint64_t work; /* done so far */
    mgl_owned own;
} mgl_neighbourhoods;

/* Borrows the release. Whatever comes of it: mgl_neighbourhoods_end. */
mgl_status mgl_neighbourhoods_begin(mgl_neighbourhoods *x, mgl_box_release *release, size_t at_once,
                                    size_t room, mgl_error *err);
void mgl_neighbourhoods_end(mgl_neighbourhoods *x);

/* An empty one. */
mgl_neighbourhood *mgl_neighbourhood_begin(mgl_neighbourhoods *x, const mgl_improver_item *item);
/* May the class be taken apart in this round? */
static inline bool mgl_neighbourhood_may_have(const mgl_neighbourhoods *x,
                                              const mgl_improver_item *item, uint32_t class)
{
    return class != 0 && x->release->classes[class].n > 0 && x->used[class] != item->round;
}

static inline bool mgl_neighbourhood_has_room(const mgl_neighbourhoods *x,
                                              const mgl_neighbourhood *one, uint32_t class)
{
    return one->n_tuples + x->release->classes[class].n <= x->room;
}

void mgl_neighbourhood_add(mgl_neighbourhoods *x, const mgl_improver_item *item, uint32_t class);

/* What its classes cost. */
uint64_t mgl_neighbourhood_cost(const mgl_neighbourhoods *x, const mgl_neighbourhood *one);

/* The functions take and leave of an improver whose state begins with neighbourhoods. */
mgl_status mgl_neighbourhood_take(void *search, size_t number, mgl_error *err);
void mgl_neighbourhood_leave(void *search, size_t number);

#endif
