/* pipeline/read: the table of a job, its columns bound to hierarchies. */
#ifndef MGL_PIPELINE_READ_H
#define MGL_PIPELINE_READ_H

#include "pipeline/read/reading_steps.h"
#include "pipeline/read/reading.h"
#include "pipeline/read/feature.h"

#endif
