/* The state of the server, and the functions that its files share. */
#ifndef MGL_CLI_STUDIO_SERVER_H
#define MGL_CLI_STUDIO_SERVER_H

#include "cli/studio/studio.h"

#include <jansson.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MGL_STUDIO_TABLES = 8,   /* held at a time */
    MGL_STUDIO_SESSIONS = 8, /* likewise */
    MGL_STUDIO_RUNS = 64,    /* whose answers are held */
    MGL_STUDIO_AT_WORK = 16, /* runs that are not done */
    MGL_STUDIO_SECRET = 64,  /* hexadecimal digits */
    MGL_STUDIO_NAME = 128,   /* bytes of the name of a table or file */
    MGL_STUDIO_ANSWER = 10,  /* seconds after which a question about a run is answered */
    MGL_STUDIO_CONNECTIONS = 384,
    MGL_STUDIO_IDLE = 256, /* connections without a whole request; the oldest is closed */
    MGL_STUDIO_PRIVATE = 4 /* files of a run that cannot be in memory */
};
#define MGL_STUDIO_MOST_TABLE ((size_t)4 << 30)     /* bytes of a table that is handed over */
#define MGL_STUDIO_MOST_REQUEST ((size_t)256 << 20) /* of any other request */

/* A table that the page handed over. */
typedef struct mgl_studio_table {
    unsigned id; /* 0: the slot is free */
    char name[MGL_STUDIO_NAME];
    char *bytes; /* NULL if the table is a private file */
    size_t size;
    char *path; /* of that file; NULL if the table is in memory */
} mgl_studio_table;

typedef struct mgl_studio_session {
    unsigned id, table;
    mgl_session *session;
    unsigned at_work; /* runs that are not done */
    bool closing;
} mgl_studio_session;

/* Bytes that came with a request. */
typedef struct mgl_studio_given {
    char *name;
    void *bytes;
    size_t size;
} mgl_studio_given;

/* A file of a run that cannot be in memory. */
typedef struct mgl_studio_private {
    char name[MGL_STUDIO_NAME];
    char *path;
    bool written; /* by the run, else it came with the request */
} mgl_studio_private;

typedef struct mgl_studio_run {
    unsigned id, session;
    mgl_job *job;
    char command[32];
    bool done, answered;                /* answered: the page has its result */
    bool unwanted;                      /* cancelled, maybe before it began */
    unsigned version, answered_version; /* of the progress; what the page has of it */
    char stage[24];
    uint64_t at, total; /* of the stage */
    mgl_status status;
    mgl_error err;
    mgl_result *result, *refusal;
    mgl_studio_given *given; /* bytes that the job was given */
    size_t n_given;
    mgl_studio_private private[MGL_STUDIO_PRIVATE];
    size_t n_private;
} mgl_studio_run;

/* A connection while no request of it is under way. */
typedef struct mgl_studio_connection {
    int socket;
    bool idle; /* it is in the list of the server */
    struct mgl_studio_connection *before, *after;
} mgl_studio_connection;

typedef struct mgl_studio {
    mgl_studio_options options;
    unsigned port;
    char secret[MGL_STUDIO_SECRET + 1], token[MGL_STUDIO_SECRET + 1];
    bool secret_used;
    char host[32], origin[48], cookie[32]; /* "127.0.0.1:8080", "http://...", its name */
    char *page, *policy;                   /* what "/" shows, and its policy for browsers */
    size_t page_size;
    mgl_job *given_job;    /* the job or data named on the command line; optional */
    char folder[256];      /* private, for tables that cannot be in memory; "" until it is made */
    pthread_mutex_t lock;  /* guards all members below */
    pthread_cond_t change; /* of a run */
    unsigned last_id;
    size_t held;  /* bytes of tables */
    char *opener; /* path of a private page that leads the browser to the address; optional */
    mgl_studio_connection *idle, *last_idle; /* the oldest first */
    size_t n_idle;
    mgl_studio_table tables[MGL_STUDIO_TABLES];
    mgl_studio_session sessions[MGL_STUDIO_SESSIONS];
    mgl_studio_run *runs[MGL_STUDIO_RUNS];
} mgl_studio;

/* The answer to a request. */
typedef struct mgl_studio_answer {
    unsigned code;    /* of HTTP */
    const char *type; /* of the body */
    char *body;       /* freed with free; optional */
    size_t size;
    const char *name; /* of the file that it is, borrowed; NULL if it is none */
} mgl_studio_answer;

/* An answer with a document, which is freed. */
mgl_studio_answer mgl_studio_json(unsigned code, json_t *document);
/* {"error": {...}} */
mgl_studio_answer mgl_studio_fail(unsigned code, const char *message);
mgl_studio_answer mgl_studio_fail_as(const mgl_error *err);
json_t *mgl_studio_error_json(const mgl_error *err);
/* The document that a result prints; NULL if memory is out. */
json_t *mgl_studio_result_json(const mgl_result *result);

/* The headers of a request that say where it comes from; each optional. */
typedef struct mgl_studio_sender {
    const char *method, *path, *host, *origin, *site, *cookies;
} mgl_studio_sender;

typedef enum mgl_studio_access {
    MGL_STUDIO_REFUSED,
    MGL_STUDIO_ENTERS, /* the secret, for the first time: gets its cookie */
    MGL_STUDIO_KNOWN
} mgl_studio_access;
mgl_studio_access mgl_studio_guard(mgl_studio *studio, const mgl_studio_sender *sender,
                                   const char **why);
/* Fills in random hexadecimal digits; false if the system has no random numbers. */
bool mgl_studio_draw(char text[MGL_STUDIO_SECRET + 1]);

/* ---- Which files jobs may name
 * -------------------------------------------------------------------- */

/* MGL_USAGE if the job names a file that the command line did not name. Outputs that are plain
 * names go to the folder that it named. */
mgl_status mgl_studio_restrict(const mgl_studio *studio, mgl_job *job, mgl_error *err);

typedef struct mgl_studio_request {
    const char *method, *path; /* path: behind /api/ */
    const char *name;          /* of the query; optional */
    bool is_json;              /* by its Content-Type */
    char *body;                /* owned; NULL after a function has taken it over */
    size_t size;
} mgl_studio_request;
mgl_studio_answer mgl_studio_route(mgl_studio *studio, mgl_studio_request *request);

mgl_studio_answer mgl_studio_add_table(mgl_studio *studio, mgl_studio_request *request);

mgl_studio_answer mgl_studio_open(mgl_studio *studio, const json_t *body);
mgl_studio_answer mgl_studio_close(mgl_studio *studio, unsigned id);
mgl_studio_answer mgl_studio_start(mgl_studio *studio, unsigned session, const json_t *body);
mgl_studio_answer mgl_studio_ask(mgl_studio *studio, unsigned run);
mgl_studio_answer mgl_studio_file(mgl_studio *studio, unsigned run, const char *name);
mgl_studio_answer mgl_studio_cancel(mgl_studio *studio, unsigned run);
/* Ends all runs and sessions and frees them. */
void mgl_studio_end(mgl_studio *studio);

/* Reads a job that is part of a request. */
mgl_status mgl_studio_parse_job(mgl_job *job, const json_t *document, mgl_error *err);

/* A path in the private folder, freed by the caller; NULL if there is no folder. With the lock
 * held. */
char *mgl_studio_private_path(mgl_studio *studio, unsigned id, const char *name);
bool mgl_studio_write_private(const char *path, const void *bytes, size_t size);
#endif
