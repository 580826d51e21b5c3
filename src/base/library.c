/* Loads a library when it is first needed, and says what to install where it is not there. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

const bool mgl_libraries_are_loaded = true;

static mgl_status fail_library(const mgl_library *library, const char *what, mgl_error *err)
{
    if (library->advice != NULL)
        return mgl_fail(err, MGL_CODE_LIBRARY, "%s needs the library %s, %s; %s", library->use,
                        library->file, what, library->advice);
    return mgl_fail(err, MGL_CODE_LIBRARY,
                    "%s needs the library %s, %s; install it (in Debian: %s)", library->use,
                    library->file, what, library->package);
}

mgl_status mgl_library_load(const mgl_library *library, void *calls, mgl_error *err)
{
    /* Never closed: such libraries keep state of their own, and threads may be in them. */
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return fail_library(library, "which is not there", err);
    for (size_t i = 0; i < library->n_functions; i++) {
        void *function = dlsym(handle, library->functions[i]);
        if (function == NULL)
            return fail_library(library, "of which another version is there", err);
        memcpy((char *)calls + i * sizeof function, &function, sizeof function);
    }
    return MGL_OK;
}
