/* A random job on a small random table, from the files to the release, judged row by row by brute
 * force. Whoever needs a release of any kind that must hold starts here: the end-to-end fuzz
 * target and the soak. */
#ifndef TRIAL_H
#define TRIAL_H

#include "brute_models.h"

typedef struct trial {
    brute_table t;
    const char *method;
    const char *output;                 /* its ending says the format */
    const char *effort, *cut, *replace; /* of the methods that have them; effort NULL: it has not */
    const char *time_limit;             /* a proof can take long; what there is then holds, too */
    bool accept_unsafe, keep_order;
} trial;

typedef enum trial_outcome {
    TRIAL_RELEASED,
    TRIAL_UNMET,   /* no release was found */
    TRIAL_REFUSED, /* the method does not take the job */
    TRIAL_OUTCOMES
} trial_outcome;

/* Draws the table with its models by one seed, the method and its options by the other. Bytes
 * change single cells of the table. */
void trial_make(trial *trial, uint64_t table, uint64_t method, const uint8_t *bytes,
                size_t n_bytes);
/* Writes the files to the current folder: table.csv, whose last column numbers the rows,
 * hierarchies, and a population. */
void trial_write(const trial *trial);
/* The job over these files. Free with mgl_job_free. */
mgl_job *trial_job(const trial *trial);
/* Writes the files to the current folder, runs the job, reads the release and compares what the
 * verifier and `check` say about it with brute force. Prints and fails on any difference. */
trial_outcome trial_run(const trial *trial);

#endif
