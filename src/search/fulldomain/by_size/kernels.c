/* Chooses the inner loops for counts of some width, for the processor at hand. setup_by_size.c asks
 * it. */
#include "search/fulldomain/by_size/counts.h"

const mgl_by_size_kernel *mgl_by_size_kernel_for(size_t bytes)
{
#if defined(__x86_64__)
    if (bytes <= 2 && __builtin_cpu_supports("avx2"))
        return bytes == 1 ? &mgl_by_size_kernel8_avx2 : &mgl_by_size_kernel16_avx2;
#endif
    if (bytes == 1)
        return &mgl_by_size_kernel8;
    return bytes == 2 ? &mgl_by_size_kernel16 : &mgl_by_size_kernel32;
}
