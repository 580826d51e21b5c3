/* Measuring what a recoding gives. */
#ifndef MGL_FINDINGS_PIECES_MEASURED_H
#define MGL_FINDINGS_PIECES_MEASURED_H

#include "pipeline/pipeline.h"

/* Of rows, or of persons with --entity. */
typedef struct mgl_class_summary {
    uint64_t count, min, max, uniques, rows;
    double sizes; /* their sum; that of rows, unless others match a class as well */
    double risks; /* sum over the rows of one divided by those they hide among */
} mgl_class_summary;

typedef struct mgl_measured {
    mgl_classes classes; /* of the released tuples; suppressed ones are in none under drop and
                            exempt */
    mgl_statistics statistics;
    uint32_t *heights;
    mgl_class_summary summary; /* of these classes */
} mgl_measured;

/* cells[a][t] are released cells of the list's tuples. Free with mgl_measured_free. */
mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, mgl_error *err, mgl_measured *out);
void mgl_measured_free(mgl_measured *measured);

/* Told of one class after the other: among how many its members hide, and how many they are; in
 * persons where the list counts them. Classes of size 0 are none. */
typedef mgl_matched_class_fn mgl_class_fn;
mgl_status mgl_each_class(const mgl_problem *problem, const uint32_t *class_of,
                          const uint64_t *sizes, size_t n_classes, mgl_class_fn *fn, void *context,
                          mgl_error *err);

/* The classes of a recoding as the models of the problem count them: where suppressed cells match
 * every value, members hide among all rows that match. */
mgl_status mgl_each_counted(const mgl_problem *problem, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err);

/* Takes suppressed tuples that are not kept out of their classes. */
void mgl_classes_leave_out(const mgl_problem *problem, const mgl_recoding *recoding,
                           mgl_classes *classes);
mgl_class_fn mgl_class_summary_add; /* context: the mgl_class_summary */

/* The classes alone. */
mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out);

#endif
