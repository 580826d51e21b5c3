/* Chooses the inner loops for counts of some width, for the current processor. by_size.c and
 * by_size.c ask it. */
#include "search/fulldomain/by_size/counts.h"

#if defined(__x86_64__)
static const mgl_by_size_kernel *wide_kernel_for(unsigned bits)
{
    if (bits == 4)
        return &mgl_by_size_kernel4_avx2;
    return bits == 8 ? &mgl_by_size_kernel8_avx2 : &mgl_by_size_kernel16_avx2;
}
#endif

const mgl_by_size_kernel *mgl_by_size_kernel_for(unsigned bits)
{
#if defined(__x86_64__)
    if (bits <= 16 && __builtin_cpu_supports("avx2"))
        return wide_kernel_for(bits);
#endif
    if (bits == 4)
        return &mgl_by_size_kernel4;
    if (bits == 8)
        return &mgl_by_size_kernel8;
    return bits == 16 ? &mgl_by_size_kernel16 : &mgl_by_size_kernel32;
}
