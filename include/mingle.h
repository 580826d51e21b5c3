/* mingle: make a table about persons safe to release.
 *
 * The shortest use: fill a job, run it, print what happened.
 *
 *     mgl_error err;
 *     mgl_job *job;
 *     mgl_result *result;
 *     if (mgl_job_new(&err, &job) != MGL_OK) ...
 *     mgl_job_set(job, "data", "patients.csv", &err);
 *     mgl_job_set(job, "attributes.birth.role", "quasi", &err);
 *     mgl_job_set(job, "attributes.birth.hierarchy", "dates(month,year,10y)", &err);
 *     mgl_job_set(job, "rest", "insensitive", &err);
 *     mgl_job_set(job, "k", "5", &err);
 *     mgl_job_set(job, "output", "release.csv", &err);
 *     if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
 *         fprintf(stderr, "%s\n", err.message);
 *
 * docs/library.md explains how jobs, sessions, tables in memory, results and errors fit together,
 * examples/library has whole programs.
 *
 * Rules that hold for every call:
 * - a function that can fail returns an mgl_status and fills the mgl_error it
 *   was given (NULL is allowed); out-parameters come last and are written only
 *   on success; the caller owns what they hand out;
 * - texts are UTF-8, end with a NUL and are copied where they are passed in;
 * - a quasi-identifier without a hierarchy gets a proposed one, which the result
 *   names ("hierarchies"); "suppress" is the value or "*";
 * - options exist only as job keys: those of the job file, and the long option
 *   names of the program (docs/job.md);
 * - the library never prints, never exits, installs no signal handler;
 * - distinct handles may be used from distinct threads at the same time.
 */
#ifndef MINGLE_H
#define MINGLE_H

#include "mingle/arrow.h"
#include "mingle/catalogue.h"
#include "mingle/error.h"
#include "mingle/job.h"
#include "mingle/memory.h"
#include "mingle/result.h"
#include "mingle/session.h"
#include "mingle/version.h"

#endif
