/* store: what a job has been told, by options, programs, job files and policies. */
#ifndef MGL_JOB_STORE_H
#define MGL_JOB_STORE_H

#include "job/store/entries.h"
#include "job/store/paths.h"
#include "job/store/policy.h"

#endif
