/* pipeline: how a table becomes a release. From checked settings to a table that is read, counted
 * and made a problem, and from a solution to a release that is staged, verified and published. */
#ifndef MGL_PIPELINE_PIPELINE_H
#define MGL_PIPELINE_PIPELINE_H

#include "pipeline/draw/draw.h"
#include "pipeline/guard/guard.h"
#include "pipeline/read/read.h"
#include "pipeline/task/task.h"
#include "pipeline/write/write.h"

#endif
