/* The inner loops for counts of one byte, as plain code. */
#define MGL_PORTABLE
#define COUNT_BITS 8
#define KERNEL portable_kernel8
#include "portable_kernels.h"
#include "search/fulldomain/by_size/kernel.h"
