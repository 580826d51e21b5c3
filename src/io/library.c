#include "io/library.h"

#include <dlfcn.h>

mgl_status mgl_library_load(const mgl_library *library, void *calls, mgl_error *err)
{
    /* Never closed: such libraries keep state of their own, and threads may be in them. */
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL)
        return mgl_fail(err, MGL_SYSTEM,
                        "%s needs the library %s, which is not there; install it (in Debian: %s)",
                        library->use, library->file, library->package);
    for (size_t i = 0; i < library->n_functions; i++) {
        void *function = dlsym(handle, library->functions[i]);
        if (function == NULL)
            return mgl_fail(err, MGL_SYSTEM, "%s has no %s; install another version (in Debian: %s)",
                            library->file, library->functions[i], library->package);
        memcpy((char *)calls + i * sizeof function, &function, sizeof function);
    }
    return MGL_OK;
}
