/* Searches that the result of a release reports besides its own. */
#ifndef MGL_COMMAND_FURTHER_SEARCHES_H
#define MGL_COMMAND_FURTHER_SEARCHES_H

#include "findings/findings.h"

extern const mgl_further_searches mgl_command_searches;

#endif
