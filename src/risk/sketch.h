/* The values of a column, sampled while rows go by: how many of them occur once, and the rows of
 * those that are rare. Inside the room only. */
#ifndef MGL_RISK_SKETCH_H
#define MGL_RISK_SKETCH_H

#include "risk/risk.h"

enum { MGL_SKETCH_VALUES = 1024, MGL_SKETCH_RARE = 256 };

typedef struct mgl_sketch mgl_sketch;

/* keep_rows: the tuples of values that have at most MGL_SKETCH_RARE rows are wanted. Free with
 * mgl_sketch_free. */
mgl_status mgl_sketch_new(bool keep_rows, mgl_error *err, mgl_sketch **out);
void mgl_sketch_free(mgl_sketch *sketch);

/* Is the value with this hash one of those that are watched? */
static inline bool mgl_sketch_watches(unsigned level, uint64_t hash)
{
    return level == 0 || hash >> (64 - level) == 0;
}
unsigned mgl_sketch_level(const mgl_sketch *sketch);

/* `times` rows of a watched value: its hash and their tuple. True if they are its first. */
bool mgl_sketch_add(mgl_sketch *sketch, uint64_t hash, uint32_t tuple, uint64_t times);

/* What the sample says about all rows. */
typedef struct mgl_sketched {
    double values;      /* about so many different ones */
    double unique_rows; /* about so many have a value that no other has */
} mgl_sketched;
mgl_sketched mgl_sketch_read(const mgl_sketch *sketch);

/* Hands the rows of rare values on; what stands for the value is its hash. False if memory is out,
 * or was. */
bool mgl_sketch_hand_on(const mgl_sketch *sketch, mgl_recovery *recovery);

#endif
