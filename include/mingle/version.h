/* The version of the headers and of the library. */
#ifndef MINGLE_VERSION_H
#define MINGLE_VERSION_H

#include "mingle/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version is written here and nowhere else. Two of them are compared by their numbers:
 * 1.2.3 is 10203. */
#define MGL_VERSION_MAJOR 0
#define MGL_VERSION_MINOR 2
#define MGL_VERSION_PATCH 0
#define MGL_VERSION_NUMBER (MGL_VERSION_MAJOR * 10000 + MGL_VERSION_MINOR * 100 + MGL_VERSION_PATCH)

/* The same as text: "1.2.3". */
#define MGL_VERSION_TEXT(number) #number
#define MGL_VERSION_JOIN(major, minor, patch)                                                      \
    MGL_VERSION_TEXT(major) "." MGL_VERSION_TEXT(minor) "." MGL_VERSION_TEXT(patch)
#define MGL_VERSION MGL_VERSION_JOIN(MGL_VERSION_MAJOR, MGL_VERSION_MINOR, MGL_VERSION_PATCH)

/* MGL_VERSION and MGL_VERSION_NUMBER of the library that runs. Those of the headers may differ:
 * a program that was built with older ones runs with a newer library (docs/library.md). */
MGL_API const char *mgl_version(void);
MGL_API int mgl_version_number(void);

#ifdef __cplusplus
}
#endif
#endif
