/* Libraries that are looked for when they are needed: a program that starts for a text file should
 * not wait until the linker has read those of three database engines. */
#ifndef MGL_BASE_LIBRARY_H
#define MGL_BASE_LIBRARY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* false: only what the program was linked with can be used. */
extern const bool mgl_libraries_are_loaded;

/* The functions of a library are a list that is written once, as a macro with a FUNCTION(MEMBER,
 * NAME) for each: #define FUNCTIONS(FUNCTION) FUNCTION(close, zip_fclose) ... makes the structure
 * of pointers, struct calls {FUNCTIONS(MGL_LIBRARY_POINTER)}, and an array of names in the same
 * order, {FUNCTIONS(MGL_LIBRARY_NAME)}. */
#define MGL_LIBRARY_POINTER(member, name) __typeof__(&name) member;
#define MGL_LIBRARY_NAME(member, name) #name,

typedef struct mgl_library {
    const char *file;    /* "libpq.so.5" */
    const char *package; /* where Debian has it */
    const char *use;     /* "PostgreSQL" */
    const char *const *functions;
    size_t n_functions;
    const char *advice; /* what to do if it is not there; NULL: install the package */
} mgl_library;

/* Fills calls, a structure of n_functions pointers, in their order. The library stays loaded.
 * MGL_SYSTEM if it is not there. */
mgl_status mgl_library_load(const mgl_library *library, void *calls, mgl_error *err);

#endif
