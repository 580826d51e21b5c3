/* Jobs of every command whose files can all be in memory: run by files and in memory alike. */
#ifndef IN_MEMORY_JOBS_H
#define IN_MEMORY_JOBS_H

#include "mingle.h"

#include <stdbool.h>

/* Files and their bytes: what jobs read, and what earlier jobs wrote. */
typedef struct memory_thing {
    const char *name;
    char *data;
    size_t size;
} memory_thing;

enum { MEMORY_THINGS = 64 };
typedef struct memory_world {
    memory_thing things[MEMORY_THINGS];
    size_t n;
} memory_world;

/* The tables and texts that jobs begin with. Free with memory_world_free. */
void memory_world_make(memory_world *world);
void memory_world_free(memory_world *world);
void memory_world_add(memory_world *world, const char *name, const void *data, size_t size);

typedef struct memory_deed {
    const char *name;
    const char *command;    /* "anonymize", "hierarchy build" */
    const char *keys;       /* "data=@table.csv|k=3": with @ stands a file */
    const char *outputs[8]; /* what it writes */
} memory_deed;

/* In their order: later ones read what earlier ones wrote. */
extern const memory_deed memory_deeds[];
extern const size_t n_memory_deeds;

/* A job for the deed with all of the world given to it, its files in memory; world NULL: they are
 * files. Frees the job on failure. */
mgl_status memory_job(const memory_deed *deed, const memory_world *world, unsigned threads,
                      mgl_error *err, mgl_job **out);
/* Runs the command of the deed on a session that is opened for it and closed before the result is
 * given; the command must be one of sessions. */
mgl_status memory_run_on_session(const memory_deed *deed, const mgl_job *job,
                                 const mgl_session_options *options, mgl_error *err,
                                 mgl_result **out);
bool memory_deed_has_session(const memory_deed *deed);
/* Does all deeds in memory once and adds what they write to the world, so that each can be done
 * again by itself. *failed names the one that failed. */
mgl_status memory_world_complete(memory_world *world, mgl_error *err, const char **failed);
/* Makes the world and completes it; says on standard error why that failed. */
bool memory_world_ready(memory_world *world);
/* Does the file tell times, or where it was written, so that no two are equal? */
bool memory_output_varies(const char *name);

#endif
