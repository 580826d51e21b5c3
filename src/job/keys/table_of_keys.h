/* The table of keys: all that a job can say. */
#ifndef MGL_JOB_KEYS_TABLE_OF_KEYS_H
#define MGL_JOB_KEYS_TABLE_OF_KEYS_H

#include "job/job.h"

typedef enum mgl_key_kind {
    MGL_KEY_FLAG,      /* true or false */
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

/* What the settings of a command are made of. */
typedef struct mgl_filling {
    const mgl_job *job;
    mgl_command command;
    mgl_arena *arena; /* of the settings */
    mgl_settings *settings;
    mgl_error *err;
} mgl_filling;

typedef struct mgl_key {
    const char *name;  /* "suppress" */
    bool single;       /* MGL_KEY_BY_COLUMN: one column each time, its value holds commas */
    bool list;         /* MGL_KEY_BY_COLUMN: its value is a list */
    bool is_set;       /* MGL_KEY_COLUMNS: one of several sets, which may share columns */
    bool roleless;     /* MGL_KEY_BY_COLUMN: the column need have no role */
    bool environment;  /* MGL_KEY_INPUT: can be env:NAME, which is no file */
    bool of_release;   /* it means the same for a release as for the table it was made of */
    bool of_session;   /* it belongs to a session, whatever runs on that */
    bool of_levels;    /* MGL_KEY_BY_COLUMN: a value besides the default asks for levels */
    bool of_reading;   /* it says how a table is read, whatever is done with it */
    unsigned common;   /* mgl_command bits: where it is often used, so that short lists have it */
    const char *brief; /* what short lists say of it, in a few words; NULL: it is in none */
    const char *group; /* heading under which fronts list it; set by the table */
    const char *value; /* how the value is written, for help; NULL: flags, models, words */
    const char *names; /* the list of the catalogue, or "columns", that the value is a name of;
                          NULL: none */
    const char *help;
    const char *fallback;          /* what holds when it is not given; NULL: nothing */
    const char *(*standard)(void); /* gives the fallback that a table of its own has; NULL */
    unsigned commands;             /* mgl_command bits */
    mgl_key_kind kind;
    mgl_value_record record;
    const char *field;       /* of an attribute; NULL otherwise */
    const char *role;        /* MGL_KEY_COLUMNS: what the columns get; MGL_KEY_BY_COLUMN: what they
                                must have, NULL: anything */
    mgl_value_parser parser; /* of the value, or of each item of a list */

    /* Where the value goes: offsets in mgl_settings, or for MGL_KEY_BY_COLUMN in
     * mgl_attribute_settings. 0: nowhere. */
    size_t place; /* the value itself; a pointer to the items of a list */
    size_t count; /* how many items: size_t */
    size_t given; /* that it was given, or of MGL_KEY_ALL_OR that all is meant: bool */
    /* Fills in what is no single field, after all that have a place. text: what was given, else
     * the default, else NULL. */
    mgl_status (*fill)(const mgl_filling *filling, const struct mgl_key *key, const char *text);

    size_t needs; /* offset of the flag in mgl_method_type without which a method has no use for
                     it; 0: every method has one */
    const mgl_method_option *option; /* of methods, beside which it stands; else NULL */
    const mgl_model_type *model;     /* MGL_KEY_MODEL */
} mgl_key;

static inline bool mgl_key_is_path(const mgl_key *key)
{
    return key->kind == MGL_KEY_INPUT || key->kind == MGL_KEY_INPUTS || key->kind == MGL_KEY_OUTPUT;
}

/* Goes through the rows in the order help lists them, models and options of methods among them:
 * for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) */
typedef struct mgl_key_cursor {
    size_t group, method, row;
} mgl_key_cursor;
bool mgl_key_next(mgl_key_cursor *cursor, mgl_key *out);

/* The value of a MGL_KEY_ALL_OR: true or false, and no list? */
static inline bool mgl_key_is_all_or_none(mgl_span value)
{
    return mgl_span_is(value, "true") || mgl_span_is(value, "false");
}

/* By name; false if there is none. */
bool mgl_key_find(mgl_span name, mgl_key *out);
/* The row of an attribute's field ("weight" finds "weights"). */
bool mgl_key_find_field(mgl_span field, mgl_key *out);

/* Has the method a use for the key? One that stands beside no method is for all of them, unless it
 * needs what not every method can. */
bool mgl_key_is_for(const mgl_key *key, const mgl_method_type *method);
/* Is it a key that not every method has a use for? */
static inline bool mgl_key_is_of_methods(const mgl_key *key)
{
    return key->option != NULL || key->needs != 0;
}

/* How its value is written: "N|X%", "COLUMN=L". */
void mgl_key_value_syntax(const mgl_key *key, mgl_buffer *out);

/* The commands by name. */
typedef struct mgl_command_row {
    const char *name;
    mgl_command command;
    const char *help;
    const char *const *actions; /* one of which is named with it, NULL at the end; NULL: none */
} mgl_command_row;
const mgl_command_row *mgl_command_rows(size_t *n);
const char *mgl_command_name(mgl_command command);

#endif
