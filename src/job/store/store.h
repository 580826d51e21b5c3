/* store: the values of a job, from options, programs, job files and policies, each as text with its
 * origin. */
#ifndef MGL_JOB_STORE_H
#define MGL_JOB_STORE_H

#include "job/keys/keys.h"

/* Where a value comes from: for messages, and for the order in which values override each other. */
typedef struct mgl_origin {
    const char *file; /* NULL: a program or an option */
    uint64_t line, column;
    const char *name; /* the key: "suppress", "attributes.age.role"; or words: "the recoding" */
    unsigned load;    /* 0: a program or an option; n: the n-th job file or text */
    uint64_t turn;    /* the number of the mgl_job_set, which replaces earlier values; 0: another
                         function, where a second value is an error */
} mgl_origin;

/* The file that a text in memory is, for messages alone: it is no path. */
#define MGL_JOB_TEXT "job text"
/* Takes it out of the fields of an error. */
void mgl_blame_no_file(mgl_error *err);

/* A value. Keys of the whole job have no subject; fields of attributes and models that
 * protect one attribute have a column as subject. */
typedef struct mgl_entry {
    const char *field;   /* "suppress", "weight", "l-diversity" */
    const char *subject; /* NULL: none */
    const char *value;
    mgl_origin place;
    uint32_t number; /* of field and subject, in the index */
} mgl_entry;

/* A quasi-identifier as it was given. */
typedef struct mgl_named_set {
    const char **names;
    size_t n_names;
    bool one_of_several; /* false: the only one, to which more columns can be added */
    mgl_origin place;
} mgl_named_set;

enum { MGL_COMMANDS = 19 };

typedef struct mgl_prepared { /* settings of one command, kept until the job changes */
    mgl_arena *arena;
    mgl_settings settings;
} mgl_prepared;

/* What a job was before a call that changes it, in case the call fails. */
typedef struct mgl_undo {
    size_t n_entries, n_sets, n_files;
    unsigned n_loads;
    bool kept; /* something that was there goes: these are all that there was */
    mgl_entry *entries;
    mgl_named_set *sets;
} mgl_undo;

struct mgl_job {
    mgl_arena *arena; /* owns all texts, those that were replaced as well */
    size_t garbage;   /* about how many bytes of them were */
    mgl_map *index;   /* "field US subject" -> number */
    uint32_t *places; /* [number] place among the entries; MGL_NOT_FOUND: it was taken back */
    size_t places_capacity;
    mgl_entry *entries;
    size_t n_entries, entries_capacity;
    mgl_named_set *sets;
    size_t n_sets, sets_capacity;
    unsigned n_loads;
    uint64_t n_puts;
    mgl_undo *undo;     /* of the call that is changing the job; NULL: it need not be undone */
    const char **files; /* job files that were loaded */
    size_t n_files, files_capacity;
    mgl_own_key *own; /* keys of the caller, which nothing here looks at */
    size_t n_own, own_capacity;
    const char *action;      /* of `hierarchy`; optional */
    const mgl_job *original; /* of a copy that has more values than its document; optional */
    mgl_memory_store given;  /* what "memory:NAME" means in its values */
    json_t *claims;          /* the result of the release; optional */
    const char *signature;   /* what is known about its signature */
    mgl_progress progress;
    mgl_refusal_callback refusal;
    atomic_bool stop; /* what progress.stop points to, unless the job stops with another one */
    mgl_prepared prepared[MGL_COMMANDS];
};

/* The name of a place in messages: a key between backquotes, which a program replaces by its own
 * spelling, or without them if it is in a file and can be looked up there. Returns text. */
enum { MGL_ORIGIN_TEXT = 200 };
const char *mgl_origin_text(const mgl_origin *place, char text[MGL_ORIGIN_TEXT]);

/* "PLACE: message"; the key and the place are those to blame. */
mgl_status mgl_origin_fail(const mgl_origin *place, mgl_code code, mgl_error *err,
                           const char *format, ...) MGL_PRINTF(4, 5);

/* The same of the value of a column, with the field of the column that is to blame. */
mgl_status mgl_entry_fail(const mgl_entry *entry, const char *field, mgl_code code, mgl_error *err,
                          const char *format, ...) MGL_PRINTF(5, 6);

/* Keeps a value that has been checked, unless something that overrides it is there. */
mgl_status mgl_store_put(mgl_job *job, const char *field, const char *subject, mgl_span value,
                         const mgl_origin *place, mgl_error *err);
/* Adds a quasi-identifier (one_of_several), or columns to the only one, and their roles. */
mgl_status mgl_store_put_set(mgl_job *job, const mgl_span *names, size_t n_names,
                             bool one_of_several, const mgl_origin *place, mgl_error *err);

/* The row of a key of the library, or one that is made up for a key of the caller; false if it is
 * neither. */
bool mgl_job_key_find(const mgl_job *job, mgl_span name, mgl_key *out);
/* Keys of the program that job files may hold, NULL at the end. */
const char *const *mgl_reserved_keys(void);

/* NULL if it was not given. */
const mgl_entry *mgl_store_find(const mgl_job *job, const char *field, const char *subject);

/* Which entries are meant by a key: "suppress", "attributes.age", "privacy.k-anonymity". */
typedef enum mgl_selection_kind {
    MGL_ABOUT_JOB,
    MGL_ABOUT_COLUMN,
    MGL_ABOUT_MODEL
} mgl_selection_kind;
typedef struct mgl_selection {
    mgl_selection_kind about;
    const char *field; /* NULL: all fields of columns, or all models */
    bool one_subject;  /* only those about: */
    mgl_name subject;
    const char *role; /* only roles of this kind; NULL: all */
} mgl_selection;
bool mgl_selection_has(const mgl_selection *selection, const mgl_entry *entry);

/* Takes entries back, and columns that are no longer quasi-identifiers out of sets. */
mgl_status mgl_store_remove(mgl_job *job, const mgl_selection *selection, mgl_error *err);

/* Forgets prepared settings: the job changes. */
void mgl_store_changed(mgl_job *job);

/* Around a call that changes a job: after a failure the job is as it was. */
void mgl_undo_begin(mgl_job *job, mgl_undo *undo);
mgl_status mgl_undo_end(mgl_job *job, mgl_status status);

mgl_status mgl_store_keep_file(mgl_job *job, const char *path, mgl_error *err);

/* Checks values of the key, one or items of a list, or columns, and puts them. */
mgl_status mgl_take_list(mgl_job *job, const mgl_key *key, const mgl_span *items, size_t n_items,
                         const mgl_origin *place, mgl_error *err);
/* A field of an attribute: role, hierarchy, weight, ... */
mgl_status mgl_take_field(mgl_job *job, const char *column, mgl_span field, mgl_span value,
                          const mgl_origin *place, mgl_error *err);
/* The parameters of a model, "5" or "0.5,3". */
mgl_status mgl_take_model(mgl_job *job, const mgl_model_type *type, const char *attribute,
                          mgl_span parameters, const mgl_origin *place, mgl_error *err);
/* A value written as an option is: a,b or column=value,column=value. */
mgl_status mgl_take_option(mgl_job *job, const mgl_key *key, mgl_span value,
                           const mgl_origin *place, mgl_error *err);

/* "unknown key 'x'; did you mean 'y'?" for keys, fields of attributes and models. */
mgl_status mgl_unknown_key(const mgl_job *job, mgl_span name, const mgl_origin *place,
                           mgl_error *err);
mgl_status mgl_unknown_field(mgl_span name, const mgl_origin *place, mgl_error *err);
mgl_status mgl_unknown_model(mgl_span name, const mgl_origin *place, mgl_error *err);

/* The file in a value of the key: all of it, or the part behind a scheme (sqlite:FILE?table=T) or
 * within a builder (groups(FILE)). False if the value names no file. */
bool mgl_path_in(const mgl_key *key, const char *value, mgl_span *path);

/* The value with `folder` put before the path in it, if that is a relative one. */
void mgl_path_put_below(const mgl_key *key, const char *value, mgl_span folder, mgl_buffer *out);

/* The value with its path, if that is a relative one, as a job file called `place` writes it;
 * NULL or "-": as it is. */
mgl_status mgl_path_put_beside(const mgl_key *key, const char *value, const char *place,
                               mgl_error *err, mgl_buffer *out);

typedef struct mgl_policy_rule {
    const char *text;  /* a model and its parameters: "k-anonymity 5" */
    bool if_sensitive; /* only where there are sensitive columns */
} mgl_policy_rule;

enum { MGL_MOST_RULES = 4 };

typedef struct mgl_policy {
    const char *name;
    const char *when;                      /* when to use it */
    mgl_policy_rule rules[MGL_MOST_RULES]; /* up to the first without a text */
} mgl_policy;

/* Those that are built in. */
const mgl_policy *mgl_policies(size_t *n);
const mgl_policy *mgl_policy_find(mgl_span name); /* NULL: none of that name */

/* The models of the policy an entry names, as a job without other values. In it the attribute "any"
 * stands for every sensitive column. Free with mgl_job_free. MGL_USAGE if it is no known name or
 * the file is wrong, MGL_DATA if the file is not there. */
mgl_status mgl_policy_read(const mgl_entry *entry, bool sensitive, mgl_error *err, mgl_job **out);

/* The same from what mgl_job_policy_json made of it. */
mgl_status mgl_policy_recall(const json_t *recorded, mgl_error *err, mgl_job **out);

#endif
