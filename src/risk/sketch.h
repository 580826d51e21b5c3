/* The values of a column, sampled while rows go by: which of them occur once, and which go with a
 * single ground value of a quasi-identifier. Inside the room only. */
#ifndef MGL_RISK_SKETCH_H
#define MGL_RISK_SKETCH_H

#include "risk/risk.h"

enum { MGL_SKETCH_VALUES = 1024 };

typedef struct mgl_sketch mgl_sketch;

/* n_ground: quasi-identifiers whose ground values are watched. Free with mgl_sketch_free. */
mgl_status mgl_sketch_new(size_t n_ground, mgl_error *err, mgl_sketch **out);
void mgl_sketch_free(mgl_sketch *sketch);

/* Is the value with this hash one of those that are watched? */
bool mgl_sketch_watches(const mgl_sketch *sketch, uint64_t hash);

/* Is it known to go with several ground values of every quasi-identifier, and is it no text that
 * speaks of them? Then the row is counted: there is nothing more to learn from it. */
bool mgl_sketch_settled(mgl_sketch *sketch, uint64_t hash);

/* One row of a watched value: its hash, its ground values, and whether it is a text that may speak
 * of ground values. True if it is the first. */
bool mgl_sketch_add(mgl_sketch *sketch, uint64_t hash, const uint32_t *ground, bool speaks);

/* What the sample says about all rows. */
typedef struct mgl_sketched {
    double values;        /* about so many different ones */
    double unique_rows;   /* about so many have a value that no other has */
    double repeated_rows; /* about so many have one that occurs twice or more */
} mgl_sketched;
mgl_sketched mgl_sketch_read(const mgl_sketch *sketch);

/* The share of the rows with repeated values whose value goes with a single ground value of the
 * quasi-identifier; 0 if there are none. */
double mgl_sketch_tells(const mgl_sketch *sketch, size_t ground);

#endif
