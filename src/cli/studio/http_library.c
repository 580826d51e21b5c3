/* Loads libmicrohttpd by the name that it had when the program was built. serve.c calls it. */
#ifdef MGL_MICROHTTPD_LIBRARY

#include "cli/studio/http_library.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

bool mgl_studio_load_http(mgl_studio_http *out)
{
    static const struct {
        const char *name;
        size_t place;
    } functions[] = {
        {"MHD_start_daemon", offsetof(mgl_studio_http, start_daemon)},
        {"MHD_stop_daemon", offsetof(mgl_studio_http, stop_daemon)},
        {"MHD_quiesce_daemon", offsetof(mgl_studio_http, quiesce_daemon)},
        {"MHD_get_daemon_info", offsetof(mgl_studio_http, get_daemon_info)},
        {"MHD_get_connection_info", offsetof(mgl_studio_http, get_connection_info)},
        {"MHD_lookup_connection_value", offsetof(mgl_studio_http, lookup_connection_value)},
        {"MHD_create_response_from_buffer", offsetof(mgl_studio_http, create_response_from_buffer)},
        {"MHD_add_response_header", offsetof(mgl_studio_http, add_response_header)},
        {"MHD_queue_response", offsetof(mgl_studio_http, queue_response)},
        {"MHD_destroy_response", offsetof(mgl_studio_http, destroy_response)}};
    void *library = dlopen(MGL_MICROHTTPD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL)
            return false;
        memcpy((char *)out + functions[i].place, &function, sizeof function);
    }
    return library != NULL;
}

#else

typedef int mgl_studio_without_http; /* a file of C has something in it */

#endif
