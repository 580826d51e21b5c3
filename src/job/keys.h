/* The table of keys: every long option of the program and every key of the job file. */
#ifndef MGL_JOB_KEYS_H
#define MGL_JOB_KEYS_H

#include "job/job.h"

typedef enum mgl_key_kind {
    MGL_KEY_FLAG,      /* true or false; on the command line without a value */
    MGL_KEY_ALL_OR,    /* the same, or column names with commas between them */
    MGL_KEY_VALUE,     /* one value */
    MGL_KEY_INPUT,     /* a file that is read, in a job file relative to its folder */
    MGL_KEY_INPUTS,    /* the same for several, with commas between them */
    MGL_KEY_OUTPUT,    /* a file that is written, in a job file relative to its folder */
    MGL_KEY_LIST,      /* values with commas between them */
    MGL_KEY_COLUMNS,   /* column names, which get the role `role` */
    MGL_KEY_BY_COLUMN, /* column=value, kept as attributes.COLUMN.`field` */
    MGL_KEY_POLICY,    /* a built-in policy or a file */
    MGL_KEY_MODEL      /* a privacy model and its parameters */
} mgl_key_kind;

/* Where the value of a key is written down when a job is. */
typedef enum mgl_key_record {
    MGL_RECORD_ALWAYS, /* in audit trails, recodings and saved jobs */
    MGL_RECORD_SECRET, /* not in audit trails, which others may read */
    MGL_RECORD_RUN,    /* not in saved jobs: it is about one run */
    MGL_RECORD_NEVER   /* nowhere */
} mgl_key_record;

/* Is the value well formed? If not, appends what is wrong with it and what to do; the
 * value itself stands in front: "'x' " + "is no number; give ...". */
typedef bool mgl_value_check(mgl_span value, mgl_buffer *wrong);

typedef struct mgl_key {
    const char *name;  /* "suppress" */
    char letter;       /* short option; 0: none */
    bool single;       /* MGL_KEY_BY_COLUMN: one column each time, its value holds commas */
    const char *value; /* how the value is written, for help; NULL for flags and models */
    const char *help;
    const char *fallback; /* what holds when it is not given; NULL: nothing */
    unsigned commands;    /* mgl_command bits */
    mgl_key_kind kind;
    mgl_key_record record;
    const char *field;      /* of an attribute; NULL otherwise */
    const char *role;       /* MGL_KEY_COLUMNS: what the columns get; MGL_KEY_BY_COLUMN: what they
                               must have, NULL: anything */
    mgl_value_check *check; /* NULL: anything that is not empty */
    const mgl_model_type *model;
} mgl_key;

static inline bool mgl_key_is_path(const mgl_key *key)
{
    return key->kind == MGL_KEY_INPUT || key->kind == MGL_KEY_INPUTS || key->kind == MGL_KEY_OUTPUT;
}

/* The rows in the order help lists them; the models stand among them. */
size_t mgl_key_count(void);
mgl_key mgl_key_at(size_t index);

/* Is the option not complete without a value? */
static inline bool mgl_key_needs_value(const mgl_key *key)
{
    return key->kind != MGL_KEY_FLAG && key->kind != MGL_KEY_ALL_OR;
}

/* By name; false if there is none. */
bool mgl_key_find(mgl_span name, mgl_key *out);
bool mgl_key_find_letter(char letter, mgl_key *out);
/* The row of an attribute's field ("weight" finds "weights"). */
bool mgl_key_find_field(mgl_span field, mgl_key *out);

/* The default of a key that has one. */
const char *mgl_key_fallback(const char *name);

/* How the option is written: "--suppress N|X%", "-k K", "--l-diversity COLUMN=L". */
void mgl_key_option(const mgl_key *key, mgl_buffer *out);       /* "--suppress" */
void mgl_key_value_syntax(const mgl_key *key, mgl_buffer *out); /* "N|X%" */

/* The commands by name. */
typedef struct mgl_command_row {
    const char *name;
    mgl_command command;
    const char *help;
} mgl_command_row;
const mgl_command_row *mgl_command_rows(size_t *n);
const char *mgl_command_name(mgl_command command);
bool mgl_command_find(const char *name, mgl_command *out);

/* ---- Nearest known name ------------------------------------------------------ */

/* Collects the known name that is most like a wrong one. */
typedef struct mgl_nearest {
    mgl_span wanted;
    const char *best; /* NULL: nothing is near enough */
    size_t distance;
} mgl_nearest;
mgl_nearest mgl_nearest_to(mgl_span wanted);
void mgl_nearest_try(mgl_nearest *nearest, const char *name);

#endif
