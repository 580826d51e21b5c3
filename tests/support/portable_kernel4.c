/* The inner loops for counts of half a byte, as plain code. */
#define MGL_PORTABLE
#define COUNT_BITS 4
#define KERNEL portable_kernel4
#include "portable_kernels.h"
#include "search/fulldomain/by_size/kernel.h"
