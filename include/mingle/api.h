/* What all headers of the library begin with. */
#ifndef MINGLE_API_H
#define MINGLE_API_H

#include <stddef.h>
#include <stdint.h>

/* Marks the functions that the shared library exports. */
#if defined(MGL_BUILD) && defined(__GNUC__)
#define MGL_API __attribute__((visibility("default")))
#else
#define MGL_API
#endif

#endif
