/* Serves the page on loopback: the page itself (studio.html of the installation or of the build,
 * else a plain one with the command that builds it), the browser that is opened at it, connections,
 * requests that are refused before they are read, answers, the end. */
#include "cli/studio/server.h"
#include "cli/cli.h"
#include "cli/options/options.h"

#include <stdio.h>

#ifndef MGL_MICROHTTPD_LIBRARY

int mgl_studio_serve(const mgl_studio_options *options)
{
    mgl_error err = {.status = MGL_USAGE, .code = MGL_CODE_UNSUPPORTED};
    (void)options;
    snprintf(err.message, sizeof err.message,
             "this program was built without libmicrohttpd and serves no page; install "
             "libmicrohttpd-dev and build it again, or open studio.html, which needs no server");
    return mgl_cli_fail(&err);
}

#else

#include <arpa/inet.h>
#include <dlfcn.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- The page -------------------------------------------------------------------------------- */

static const char plain[] =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>mingle studio</title>"
    "<h1>mingle studio</h1><p>The page is not built. Build it with <code>make studio</code> and "
    "start <code>mingle studio</code> again, or name it with the variable "
    "<code>MINGLE_STUDIO</code>. What it would ask is served below <code>/api/</code>.</p>";

static const char strict[] = "default-src 'none'";

static char *read_file(const char *path, size_t *size)
{
    enum { MOST = 64 << 20 };
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? malloc(MOST) : NULL;
    size_t n = text != NULL ? fread(text, 1, MOST - 1, file) : 0;
    if (file != NULL)
        fclose(file);
    if (n == 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    *size = n;
    return text;
}

/* Beside the program in a build, and below share where it is installed. */
static char *find_page(size_t *size)
{
    static const char *const places[] = {"studio.html", "web/studio.html",
                                         "../web/studio/dist/served.html",
                                         "../share/mingle/studio.html"};
    const char *named = getenv("MINGLE_STUDIO");
    char program[2048], path[4096];
    if (named != NULL)
        return read_file(named, size);
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n <= 0)
        return NULL;
    program[n] = '\0';
    char *slash = strrchr(program, '/');
    if (slash == NULL)
        return NULL;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", program, places[i]);
        char *text = read_file(path, size);
        if (text != NULL)
            return text;
    }
    return NULL;
}

/* The policy that the page has in its head; NULL: none. */
static char *find_policy(const char *page)
{
    static const char mark[] = "Content-Security-Policy";
    const char *at = strstr(page, mark);
    const char *content = at != NULL ? strstr(at, "content=") : NULL;
    const char *tag = at != NULL ? strchr(at, '>') : NULL;
    if (content == NULL || tag == NULL || content > tag)
        return NULL;
    char quote = content[8];
    const char *end = quote == '"' || quote == '\'' ? strchr(content + 9, quote) : NULL;
    if (end == NULL || memchr(content, '\n', (size_t)(end - content)) != NULL)
        return NULL;
    size_t size = (size_t)(end - content) - 9;
    char *policy = malloc(size + 1);
    if (policy == NULL)
        return NULL;
    memcpy(policy, content + 9, size);
    policy[size] = '\0';
    return policy;
}

/* Reads the page, or makes one with the command that builds it; false if memory is out. */
static bool studio_load_page(mgl_studio *studio)
{
    char *found = find_page(&studio->page_size),
         *policy = found != NULL ? find_policy(found) : NULL;
    if (found == NULL) {
        studio->page_size = sizeof plain - 1;
        found = strdup(plain);
    }
    studio->page = found;
    char *inner = policy != NULL ? policy : strdup(strict);
    static const char more[] = "; frame-ancestors 'none'";
    size_t size = inner != NULL ? strlen(inner) + sizeof more : 0;
    studio->policy = size > 0 ? malloc(size) : NULL;
    if (studio->policy != NULL)
        snprintf(studio->policy, size, "%s%s", inner, more);
    free(inner);
    return studio->page != NULL && studio->policy != NULL;
}

/* ---- The browser ----------------------------------------------------------------------------- */

/* A browser is started without a shell. The server's threads leave signals to one of them, which a
 * new program would inherit: it could be ended by none. In a session of its own it does not end
 * with the server's Ctrl-C. */
static void start(const char *page)
{
    sigset_t none;
    sigemptyset(&none);
    pid_t child = fork();
    if (child == 0) {
        (void)setsid();
        (void)sigprocmask(SIG_SETMASK, &none, NULL);
        execlp("xdg-open", "xdg-open", page, (char *)NULL);
        _exit(127);
    }
}

/* Opens the address in the browser of the system without naming it to other users: the arguments of
 * a process can be read by everyone, so the browser is given a private page that leads there. */
static void studio_open_browser(mgl_studio *studio, const char *address)
{
    char page[512];
    int size = snprintf(page, sizeof page,
                        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">"
                        "<meta name=\"referrer\" content=\"no-referrer\">"
                        "<meta http-equiv=\"refresh\" content=\"0; url=%s\">"
                        "<title>mingle</title><a href=\"%s\">Open mingle</a></html>\n",
                        address, address);
    pthread_mutex_lock(&studio->lock);
    char *path = mgl_studio_private_path(studio, 0, "open.html");
    bool written = path != NULL && size > 0 && (size_t)size < sizeof page &&
                   mgl_studio_write_private(path, page, (size_t)size);
    if (written)
        studio->opener = path;
    pthread_mutex_unlock(&studio->lock);
    if (written)
        start(path);
    else
        fprintf(stderr, "mingle: no browser was started, since no private file can be written "
                        "(TMPDIR); open the address by hand\n");
    if (!written)
        free(path);
}

/* Removes that page. */
static void studio_forget_opener(mgl_studio *studio)
{
    pthread_mutex_lock(&studio->lock);
    if (studio->opener != NULL)
        (void)unlink(studio->opener);
    free(studio->opener);
    studio->opener = NULL;
    pthread_mutex_unlock(&studio->lock);
}

/* ---- libmicrohttpd --------------------------------------------------------------------------- */

/* It is loaded by the name that it had when the program was built, when a page is served: no other
 * command brings the network into the program. */
typedef struct http_library {
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
} http_library;

/* False if the library or a function of it is not there. It stays loaded. */
static bool load_http(http_library *out)
{
    static const struct {
        const char *name;
        size_t place;
    } functions[] = {
        {"MHD_start_daemon", offsetof(http_library, start_daemon)},
        {"MHD_stop_daemon", offsetof(http_library, stop_daemon)},
        {"MHD_quiesce_daemon", offsetof(http_library, quiesce_daemon)},
        {"MHD_get_daemon_info", offsetof(http_library, get_daemon_info)},
        {"MHD_get_connection_info", offsetof(http_library, get_connection_info)},
        {"MHD_lookup_connection_value", offsetof(http_library, lookup_connection_value)},
        {"MHD_create_response_from_buffer", offsetof(http_library, create_response_from_buffer)},
        {"MHD_add_response_header", offsetof(http_library, add_response_header)},
        {"MHD_queue_response", offsetof(http_library, queue_response)},
        {"MHD_destroy_response", offsetof(http_library, destroy_response)}};
    void *library = dlopen(MGL_MICROHTTPD_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL)
            return false;
        memcpy((char *)out + functions[i].place, &function, sizeof function);
    }
    return library != NULL;
}

/* ---- Connections that wait for a request ----------------------------------------------------- */

/* They are kept in order of age. Where there are too many, the oldest is shut down, so that
 * connections that never send a request cannot keep others out. */

/* With the lock held. */
static void leave(mgl_studio *studio, mgl_studio_connection *c)
{
    if (!c->idle)
        return;
    if (c->before != NULL)
        c->before->after = c->after;
    else
        studio->idle = c->after;
    if (c->after != NULL)
        c->after->before = c->before;
    else
        studio->last_idle = c->before;
    c->before = c->after = NULL;
    c->idle = false;
    studio->n_idle--;
}

/* With the lock held. A socket that is shut down ends its connection, which calls
 * free_connection. */
static void join(mgl_studio *studio, mgl_studio_connection *c)
{
    leave(studio, c);
    if (studio->n_idle == MGL_STUDIO_IDLE) {
        (void)shutdown(studio->idle->socket, SHUT_RDWR);
        leave(studio, studio->idle);
    }
    c->before = studio->last_idle;
    if (c->before != NULL)
        c->before->after = c;
    else
        studio->idle = c;
    studio->last_idle = c;
    c->idle = true;
    studio->n_idle++;
}

static void set_idle(mgl_studio *studio, mgl_studio_connection *c, bool idle)
{
    if (c == NULL)
        return;
    pthread_mutex_lock(&studio->lock);
    if (idle)
        join(studio, c);
    else
        leave(studio, c);
    pthread_mutex_unlock(&studio->lock);
}

/* Free with free_connection; NULL if memory is out. It begins idle. */
static mgl_studio_connection *new_connection(mgl_studio *studio, int socket)
{
    mgl_studio_connection *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->socket = socket;
    set_idle(studio, c, true);
    return c;
}

static void free_connection(mgl_studio *studio, mgl_studio_connection *c)
{
    set_idle(studio, c, false);
    free(c);
}

/* The functions of the library; written once, before the first request. */
static http_library http;
static char nothing[1];

/* ---- One request ----------------------------------------------------------------------------- */

typedef struct incoming {
    bool refused;
    bool too_large;
    size_t limit, capacity;
    mgl_studio_request request;
} incoming;

static const char *header(struct MHD_Connection *connection, const char *name)
{
    return http.lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

/* Headers of every answer: browsers are not to cache it, guess its type or show it in another page.
 */
static void add_headers(struct MHD_Response *response, const char *type, const char *policy)
{
    static const char *const fixed[][2] = {{"X-Content-Type-Options", "nosniff"},
                                           {"Referrer-Policy", "no-referrer"},
                                           {"Cache-Control", "no-store"},
                                           {"X-Frame-Options", "DENY"},
                                           {"Cross-Origin-Opener-Policy", "same-origin"},
                                           {"Cross-Origin-Resource-Policy", "same-origin"}};
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
        (void)http.add_response_header(response, fixed[i][0], fixed[i][1]);
    (void)http.add_response_header(response, "Content-Security-Policy", policy);
    if (type != NULL)
        (void)http.add_response_header(response, "Content-Type", type);
}

static enum MHD_Result queue(struct MHD_Connection *connection, unsigned code,
                             struct MHD_Response *response)
{
    if (response == NULL)
        return MHD_NO;
    enum MHD_Result result = http.queue_response(connection, code, response);
    http.destroy_response(response);
    return result;
}

static enum MHD_Result answer_with(struct MHD_Connection *connection, mgl_studio_answer answer)
{
    struct MHD_Response *response = http.create_response_from_buffer(
        answer.size, answer.body != NULL ? answer.body : nothing,
        answer.body != NULL ? MHD_RESPMEM_MUST_FREE : MHD_RESPMEM_PERSISTENT);
    if (response == NULL) {
        free(answer.body);
        return MHD_NO;
    }
    add_headers(response, answer.type, "default-src 'none'; frame-ancestors 'none'");
    if (answer.name != NULL)
        (void)http.add_response_header(response, "Content-Disposition", "attachment");
    return queue(connection, answer.code, response);
}

static enum MHD_Result answer_page(const mgl_studio *studio, struct MHD_Connection *connection)
{
    struct MHD_Response *response =
        http.create_response_from_buffer(studio->page_size, studio->page, MHD_RESPMEM_PERSISTENT);
    if (response != NULL)
        add_headers(response, "text/html; charset=utf-8", studio->policy);
    return queue(connection, 200, response);
}

/* The secret becomes a cookie, and the address without it is what the browser remembers. A browser
 * that comes from the private page does not send the cookie along a redirection: it gets a page of
 * this server that leads on. */
static enum MHD_Result answer_entry(const mgl_studio *studio, struct MHD_Connection *connection)
{
    static char page[] = "<!doctype html><meta http-equiv=\"refresh\" content=\"0; url=/\">";
    const char *site = header(connection, "Sec-Fetch-Site");
    bool follows = site != NULL && strcmp(site, "none") != 0;
    char cookie[160];
    struct MHD_Response *response = http.create_response_from_buffer(
        follows ? sizeof page - 1 : 0, follows ? page : nothing, MHD_RESPMEM_PERSISTENT);
    snprintf(cookie, sizeof cookie, "%s=%s; Path=/; HttpOnly; SameSite=Strict", studio->cookie,
             studio->token);
    if (response != NULL) {
        add_headers(response, follows ? "text/html; charset=utf-8" : NULL,
                    "default-src 'none'; frame-ancestors 'none'");
        (void)http.add_response_header(response, "Set-Cookie", cookie);
        if (!follows)
            (void)http.add_response_header(response, "Location", "/");
    }
    return queue(connection, follows ? 200 : 303, response);
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned code, const char *why)
{
    return answer_with(connection, mgl_studio_fail(code, why));
}

/* ---- Its beginning --------------------------------------------------------------------------- */

static bool is_json(const char *type)
{
    static const char json[] = "application/json";
    return type != NULL && strncmp(type, json, sizeof json - 1) == 0;
}

/* Refuses before the body is read. */
static enum MHD_Result begin(mgl_studio *studio, struct MHD_Connection *connection, const char *url,
                             const char *method, incoming *in)
{
    mgl_studio_sender sender = {.method = method,
                                .path = url,
                                .host = header(connection, "Host"),
                                .origin = header(connection, "Origin"),
                                .site = header(connection, "Sec-Fetch-Site"),
                                .cookies = header(connection, "Cookie")};
    const char *why, *length = header(connection, "Content-Length");
    bool known =
        strcmp(method, "GET") == 0 || strcmp(method, "POST") == 0 || strcmp(method, "DELETE") == 0;
    mgl_studio_access access = mgl_studio_guard(studio, &sender, &why);
    in->refused = true;
    if (access == MGL_STUDIO_REFUSED)
        return refuse(connection, 403, why);
    if (access == MGL_STUDIO_ENTERS) {
        studio_forget_opener(studio);
        return answer_entry(studio, connection);
    }
    if (!known)
        return refuse(connection, 405, "this method is not served");
    in->request.is_json = is_json(header(connection, "Content-Type"));
    in->limit = strcmp(url, "/api/tables") == 0 ? MGL_STUDIO_MOST_TABLE : MGL_STUDIO_MOST_REQUEST;
    if (strcmp(method, "POST") != 0)
        in->limit = 0;
    if (length != NULL && strtoull(length, NULL, 10) > in->limit)
        return refuse(connection, 413, "the request is too large");
    in->refused = false;
    return MHD_YES;
}

static void take(incoming *in, const char *data, size_t size)
{
    mgl_studio_request *request = &in->request;
    if (in->too_large || size > in->limit - request->size) {
        in->too_large = true;
        return;
    }
    if (request->size + size + 1 > in->capacity) {
        size_t capacity = 2 * (request->size + size + 1);
        char *body = realloc(request->body, capacity);
        if (body == NULL) {
            in->too_large = true;
            return;
        }
        request->body = body;
        in->capacity = capacity;
    }
    memcpy(request->body + request->size, data, size);
    request->size += size;
    request->body[request->size] = '\0';
}

static enum MHD_Result finish(mgl_studio *studio, struct MHD_Connection *connection,
                              const char *url, const char *method, incoming *in)
{
    if (in->too_large)
        return refuse(connection, 413, "the request is too large");
    if (strcmp(url, "/") == 0 && strcmp(method, "GET") == 0)
        return answer_page(studio, connection);
    if (strncmp(url, "/api/", 5) != 0)
        return refuse(connection, 404, "there is nothing here");
    in->request.method = method;
    in->request.path = url + 5;
    in->request.name = http.lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name");
    return answer_with(connection, mgl_studio_route(studio, &in->request));
}

static mgl_studio_connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        http.get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

static enum MHD_Result handle(void *user, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    mgl_studio *studio = user;
    incoming *in = *state;
    (void)version;
    if (in == NULL) {
        set_idle(studio, connection_of(connection), false);
        in = calloc(1, sizeof *in);
        *state = in;
        return in != NULL ? begin(studio, connection, url, method, in) : MHD_NO;
    }
    if (*size > 0) {
        if (!in->refused)
            take(in, data, *size);
        *size = 0;
        return MHD_YES;
    }
    return in->refused ? MHD_YES : finish(studio, connection, url, method, in);
}

static void end_request(void *user, struct MHD_Connection *connection, void **state,
                        enum MHD_RequestTerminationCode why)
{
    incoming *in = *state;
    (void)why;
    set_idle(user, connection_of(connection), true);
    if (in != NULL)
        free(in->request.body);
    free(in);
    *state = NULL;
}

static void watch_connection(void *user, struct MHD_Connection *connection, void **context,
                             enum MHD_ConnectionNotificationCode what)
{
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            http.get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *context = info != NULL ? new_connection(user, info->connect_fd) : NULL;
        return;
    }
    free_connection(user, *context);
    *context = NULL;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static int fail(const char *message)
{
    mgl_error err = {.status = MGL_SYSTEM, .code = MGL_CODE_SYSTEM};
    snprintf(err.message, sizeof err.message, "%s", message);
    return mgl_cli_fail(&err);
}

static struct MHD_Daemon *start_daemon(mgl_studio *studio)
{
    struct sockaddr_in here = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)studio->options.port),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct MHD_Daemon *daemon = http.start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0, NULL, NULL, handle,
        studio, MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&here, MHD_OPTION_NOTIFY_COMPLETED,
        end_request, studio, MHD_OPTION_NOTIFY_CONNECTION, watch_connection, studio,
        MHD_OPTION_CONNECTION_LIMIT, (unsigned)MGL_STUDIO_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)64 << 10,
        MHD_OPTION_END);
    if (daemon == NULL)
        return NULL;
    const union MHD_DaemonInfo *info = http.get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
    studio->port = info != NULL ? info->port : 0;
    snprintf(studio->host, sizeof studio->host, "127.0.0.1:%u", studio->port);
    snprintf(studio->origin, sizeof studio->origin, "http://%s", studio->host);
    snprintf(studio->cookie, sizeof studio->cookie, "mingle-studio-%u", studio->port);
    return daemon;
}

static void wait_for_signal(const sigset_t *signals)
{
    int number;
    do
        (void)sigwait(signals, &number);
    while (number == SIGCHLD && waitpid(-1, NULL, WNOHANG) >= 0);
}

static int serve(mgl_studio *studio, const sigset_t *signals)
{
    char address[160];
    struct MHD_Daemon *daemon = start_daemon(studio);
    if (daemon == NULL)
        return fail("no port of loopback can be listened at; name a free one with --port");
    snprintf(address, sizeof address, "%s/open/%s", studio->origin, studio->secret);
    printf("%s\n", address);
    fflush(stdout);
    fprintf(stderr, "mingle: the address is good for one browser; Ctrl-C ends the server\n");
    if (studio->options.open)
        studio_open_browser(studio, address);
    wait_for_signal(signals);
    http.quiesce_daemon(daemon);
    mgl_studio_end(studio);
    http.stop_daemon(daemon);
    studio_forget_opener(studio);
    if (studio->folder[0] != '\0')
        (void)rmdir(studio->folder);
    return MGL_OK;
}

/* Reads the operand as a job: the page may name its table and its files. */
static mgl_status take_given(mgl_studio *studio, mgl_error *err)
{
    const char *given = studio->options.given;
    if (given == NULL)
        return MGL_OK;
    mgl_status status = mgl_job_new(err, &studio->given_job);
    if (status != MGL_OK)
        return status;
    status = mgl_cli_own_keys(studio->given_job, err);
    if (status != MGL_OK)
        return status;
    return studio->options.is_job ? mgl_job_load(studio->given_job, given, err)
                                  : mgl_job_set(studio->given_job, "data", given, err);
}

int mgl_studio_serve(const mgl_studio_options *options)
{
    static const int awaited[] = {SIGINT, SIGTERM, SIGHUP, SIGCHLD};
    mgl_studio *studio = calloc(1, sizeof *studio);
    mgl_error err = {0};
    sigset_t signals;
    if (studio == NULL)
        return fail("memory is out");
    studio->options = *options;
    pthread_mutex_init(&studio->lock, NULL);
    pthread_cond_init(&studio->change, NULL);
    /* Before any thread is: all of them leave these to sigwait. */
    sigemptyset(&signals);
    for (size_t i = 0; i < sizeof awaited / sizeof awaited[0]; i++)
        sigaddset(&signals, awaited[i]);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    int code;
    if (!load_http(&http))
        code = fail("libmicrohttpd, which serves the page, cannot be loaded; install "
                    "libmicrohttpd12");
    else if (take_given(studio, &err) != MGL_OK)
        code = mgl_cli_fail(&err);
    else if (!studio_load_page(studio))
        code = fail("memory is out");
    else if (!mgl_studio_draw(studio->secret) || !mgl_studio_draw(studio->token))
        code = fail("the system has no random numbers");
    else
        code = serve(studio, &signals);
    mgl_job_free(studio->given_job);
    free(studio->page);
    free(studio->policy);
    pthread_cond_destroy(&studio->change);
    pthread_mutex_destroy(&studio->lock);
    free(studio);
    return code;
}

#endif
