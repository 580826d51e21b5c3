/* pipeline/draw: draws the rows of a release that is differentially private, and chooses its levels
 * (docs/differential-privacy.md). What comes afterwards sees these rows and no others. */
#ifndef MGL_PIPELINE_DRAW_H
#define MGL_PIPELINE_DRAW_H

#include "differential/differential.h"
#include "pipeline/task/task.h"

/* The settings of a job with what was drawn for it. */
typedef struct mgl_drawn {
    mgl_settings settings; /* one level per column, and these rows */
    mgl_attribute_settings *attributes;
    mgl_chosen_rows rows;
} mgl_drawn;

/* Reads the table of a job that asks for differential privacy, chooses levels where it leaves them
 * open, and draws. MGL_UNMET if no row is left. Random numbers are the system's. *out is NULL for
 * other jobs. Free with mgl_drawn_free. */
mgl_status mgl_draw_rows(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                         mgl_drawn **out);
void mgl_drawn_free(mgl_drawn *drawn);

/* How well each node of the lattice between the bounds keeps the table, in the order of their
 * levels, the last column first (docs/differential-privacy.md#choosing-levels). A row more raises
 * any score by at most MGL_SCORE_SENSITIVITY, and lowers none. Free with mgl_free. */
typedef struct mgl_level_choice {
    const mgl_frequency_list *list;
    const uint32_t *least, *most; /* [attributes] levels */
    const double *weights;        /* [attributes] */
    uint64_t rows; /* of a class that as many as a release needs can be expected of */
} mgl_level_choice;
#define MGL_SCORE_SLOPE 2
#define MGL_SCORE_ONE (UINT64_C(1) << 20)
#define MGL_SCORE_SENSITIVITY (MGL_SCORE_SLOPE * MGL_SCORE_ONE)
mgl_status mgl_level_scores(const mgl_level_choice *choice, mgl_error *err, uint64_t **out,
                            size_t *n);

#endif
