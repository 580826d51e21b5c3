/* The inner loops for counts of two bytes: k up to 65535, or all sizes of such tables.
 * kernels.c chooses them. */
#define COUNT_BITS 16
#define KERNEL mgl_by_size_kernel16
#include "search/fulldomain/by_size/kernel.h"
