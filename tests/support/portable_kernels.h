/* The inner loops of the search by class sizes without the instructions of any machine. */
#ifndef MGL_TESTS_PORTABLE_KERNELS_H
#define MGL_TESTS_PORTABLE_KERNELS_H

#include "search/fulldomain/by_size/counts.h"

extern const mgl_by_size_kernel portable_kernel4, portable_kernel8;

#endif
