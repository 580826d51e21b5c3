/* libmicrohttpd, loaded when a page is served: no other command brings the network into the
 * program. */
#ifndef MGL_CLI_STUDIO_HTTP_LIBRARY_H
#define MGL_CLI_STUDIO_HTTP_LIBRARY_H

#include <microhttpd.h>
#include <stdbool.h>

typedef struct mgl_studio_http {
    struct MHD_Daemon *(*start_daemon)(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback,
                                       void *, MHD_AccessHandlerCallback, void *, ...);
    void (*stop_daemon)(struct MHD_Daemon *daemon);
    MHD_socket (*quiesce_daemon)(struct MHD_Daemon *daemon);
    const union MHD_DaemonInfo *(*get_daemon_info)(struct MHD_Daemon *daemon,
                                                   enum MHD_DaemonInfoType type, ...);
    const union MHD_ConnectionInfo *(*get_connection_info)(struct MHD_Connection *connection,
                                                           enum MHD_ConnectionInfoType type, ...);
    const char *(*lookup_connection_value)(struct MHD_Connection *connection,
                                           enum MHD_ValueKind kind, const char *key);
    struct MHD_Response *(*create_response_from_buffer)(size_t size, void *buffer,
                                                        enum MHD_ResponseMemoryMode mode);
    enum MHD_Result (*add_response_header)(struct MHD_Response *response, const char *header,
                                           const char *content);
    enum MHD_Result (*queue_response)(struct MHD_Connection *connection, unsigned code,
                                      struct MHD_Response *response);
    void (*destroy_response)(struct MHD_Response *response);
} mgl_studio_http;

/* false: it is not there, or lacks something. It stays loaded. */
bool mgl_studio_load_http(mgl_studio_http *out);

#endif
