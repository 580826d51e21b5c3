/* What a job has been told so far: values as text, each with the place that said it. */
#ifndef MGL_JOB_STORE_ENTRIES_H
#define MGL_JOB_STORE_ENTRIES_H

#include "job/keys/keys.h"

/* Where a value comes from, for messages and for who overrides whom. */
typedef struct mgl_place {
    const char *file; /* NULL: mgl_job_set */
    uint64_t line, column;
    const char *name; /* the key: "suppress", "attributes.age.role"; or words: "the recoding" */
    unsigned load;    /* 0: mgl_job_set; n: the n-th job file */
} mgl_place;

/* A value. Keys of the whole job have no subject; fields of attributes and models that
 * protect one attribute have a column as subject. */
typedef struct mgl_entry {
    const char *field;   /* "suppress", "weight", "l-diversity" */
    const char *subject; /* NULL: none */
    const char *value;
    mgl_place place;
} mgl_entry;

/* A quasi-identifier as it was given. */
typedef struct mgl_named_set {
    const char **names;
    size_t n_names;
    mgl_place place;
} mgl_named_set;

enum { MGL_COMMANDS = 12 };

typedef struct mgl_prepared { /* settings of one command, kept until the job changes */
    mgl_arena *arena;
    mgl_settings settings;
} mgl_prepared;

struct mgl_job {
    mgl_arena *arena; /* owns all texts */
    mgl_map *index;   /* "field US subject" -> number of the entry */
    mgl_entry *entries;
    size_t n_entries, entries_capacity;
    mgl_named_set *sets;
    size_t n_sets, sets_capacity;
    unsigned n_loads;
    const char **files; /* job files that were loaded */
    size_t n_files, files_capacity;
    mgl_own_key *own; /* keys of the caller, which nothing here looks at */
    size_t n_own, own_capacity;
    const char *action;      /* of `hierarchy`; NULL: not said */
    const mgl_job *original; /* of a copy that remembers more; NULL: it is none */
    mgl_shelf given;         /* what "memory:NAME" means in its values */
    json_t *claims;          /* the result of the release at hand; NULL: none was given */
    const char *signature;   /* what is known about its signature */
    mgl_progress progress;
    mgl_prepared prepared[MGL_COMMANDS];
};

/* How messages name a place: a key between backquotes, which a program may put its own spelling
 * for, unless it stands in a file and can be looked up there. Returns text. */
enum { MGL_SAID = 200 };
const char *mgl_place_said(const mgl_place *place, char text[MGL_SAID]);

/* "PLACE: message"; the key and the place are those to blame. */
mgl_status mgl_place_fail(const mgl_place *place, mgl_code code, mgl_error *err, const char *format,
                          ...) MGL_PRINTF(4, 5);

/* Keeps a value that has been checked, unless something that overrides it is there. */
mgl_status mgl_store_put(mgl_job *job, const char *field, const char *subject, mgl_span value,
                         const mgl_place *place, mgl_error *err);
/* Adds a quasi-identifier and the roles of its columns. */
mgl_status mgl_store_put_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             const mgl_place *place, mgl_error *err);

/* The row of a key of the library, or one that is made up for a key of the caller; false if it is
 * neither. */
bool mgl_job_key_find(const mgl_job *job, mgl_span name, mgl_key *out);
/* Keys of the program that job files may hold, NULL at the end. */
const char *const *mgl_reserved_keys(void);

/* NULL if it was not given. */
const mgl_entry *mgl_store_find(const mgl_job *job, const char *field, const char *subject);

/* Forgets prepared settings: the job changes. */
void mgl_store_changed(mgl_job *job);

/* ---- Taking values in: the same for options and for job files ---------------------- */

/* Checks values of the key, one or items of a list, or columns, and puts them. */
mgl_status mgl_take_list(mgl_job *job, const mgl_key *key, const mgl_span *items, size_t n_items,
                         const mgl_place *place, mgl_error *err);
/* A field of an attribute: role, hierarchy, weight, ... */
mgl_status mgl_take_field(mgl_job *job, const char *column, mgl_span field, mgl_span value,
                          const mgl_place *place, mgl_error *err);
/* The parameters of a model, "5" or "0.5,3". */
mgl_status mgl_take_model(mgl_job *job, const mgl_model_type *type, const char *attribute,
                          mgl_span parameters, const mgl_place *place, mgl_error *err);
/* A value written as an option is: a,b or column=value,column=value. */
mgl_status mgl_take_option(mgl_job *job, const mgl_key *key, mgl_span value, const mgl_place *place,
                           mgl_error *err);

/* "unknown key 'x'; did you mean 'y'?" for keys, fields of attributes and models. */
mgl_status mgl_unknown_key(const mgl_job *job, mgl_span name, const mgl_place *place,
                           mgl_error *err);
mgl_status mgl_unknown_field(mgl_span name, const mgl_place *place, mgl_error *err);
mgl_status mgl_unknown_model(mgl_span name, const mgl_place *place, mgl_error *err);

#endif
