/* help: texts for the terminal and for shells, made from the tables of descriptors. */
#ifndef MGL_JOB_HELP_H
#define MGL_JOB_HELP_H

#include "job/help/complete.h"
#include "job/help/describe.h"

#endif
