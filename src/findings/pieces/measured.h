/* Measuring what a recoding gives. */
#ifndef MGL_FINDINGS_PIECES_MEASURED_H
#define MGL_FINDINGS_PIECES_MEASURED_H

#include "pipeline/pipeline.h"

/* The classes of a release; sizes count rows, or persons with --entity. */
typedef struct mgl_class_summary {
    uint64_t count, min, max, uniques, rows;
    double sizes; /* sum of the sizes: the number of rows, unless rows of other classes match as
                     well */
    double risks; /* sum over the rows of 1 / number of those they hide among */
} mgl_class_summary;

typedef struct mgl_measured {
    mgl_classes classes; /* of the released tuples; under drop and exempt suppressed tuples are in
                            no class */
    bool borrowed;       /* from the caller, who has to keep them */
    mgl_statistics statistics;
    uint32_t *heights;
    mgl_class_summary summary; /* of these classes */
} mgl_measured;

/* Measures a recoding of the tuples of the task. node: the levels of the columns, NULL if they have
 * none. classes: of the released tuples, NULL if they are not known. Free with mgl_measured_free.
 */
mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, const mgl_classes *classes, mgl_error *err,
                                mgl_measured *out);
mgl_status mgl_measure_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                                mgl_measured *out);
void mgl_measured_free(mgl_measured *measured);

/* Called for one class after the other: among how many its members hide, and how many they are, in
 * persons where the list counts them. Empty classes are left out; classes of rows that are equally
 * large may be reported together, and come in any order. class_of matters only where the list
 * counts persons. */
typedef mgl_matched_class_fn mgl_class_fn;
mgl_status mgl_each_class(const mgl_problem *problem, const uint32_t *class_of,
                          const uint64_t *sizes, size_t n_classes, mgl_class_fn *fn, void *context,
                          mgl_error *err);

/* The classes of a recoding as the models of the problem count them: where suppressed cells match
 * every value, members hide among all rows that match. */
mgl_status mgl_each_counted(const mgl_problem *problem, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err);

/* Takes suppressed tuples out of their classes, unless they are kept. */
void mgl_classes_leave_out(const mgl_problem *problem, const mgl_recoding *recoding,
                           mgl_classes *classes);
/* The classes of a recoding that models judge. Free with mgl_classes_free. */
mgl_status mgl_judged_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_classes *out);
mgl_class_fn mgl_class_summary_add; /* context: the mgl_class_summary */

/* Sums up the classes of a recoding, without measuring it. */
mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out);
/* The same for the classes on one quasi-identifier, where rows that match are not counted
 * (mgl_counting). */
mgl_status mgl_summarize_set(const mgl_task *task, const mgl_recoding *recoding,
                             const mgl_quasi_set *set, mgl_error *err, mgl_class_summary *out);

#endif
