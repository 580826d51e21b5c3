/* keys: the table of all keys, and how their values are written and checked.
 *
 * A new key is one row of a table by subject (search_keys.c, file_keys.c, ...). Its form parses the
 * value and words what is wrong with it, its place is the field of the settings that it fills, its
 * kind distinguishes inputs and outputs from other values, its record is where the value is written
 * down. A value that is not a single field has a function in the row. What follows from the kind
 * need not stand in the row: how flags are read, the syntax of column names. A new output needs a
 * row in settings/outputs.c, too. */
#ifndef MGL_JOB_KEYS_H
#define MGL_JOB_KEYS_H

#include "job/job.h"

typedef enum mgl_key_kind {
    MGL_KEY_VALUE,     /* one value; that of rows which say nothing else */
    MGL_KEY_FLAG,      /* true or false */
    MGL_KEY_ALL_OR,    /* the same, or column names with commas between them */
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
    bool of_reading;   /* it is about reading a table, whatever is done with it */
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
    /* Fills in values that are not a single field, after all that have a place. text: what was
     * given, else the default, else NULL. */
    mgl_status (*fill)(const mgl_filling *filling, const struct mgl_key *key, const char *text);

    size_t needs; /* offset of the flag in mgl_method_type without which a method has no use for
                     it; 0: every method has one */
    const mgl_method_option *option; /* of the method whose option it is; else NULL */
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

/* Finds the key of that name; false if there is none. */
bool mgl_key_find(mgl_span name, mgl_key *out);
/* Does the command take the key of that name? */
bool mgl_key_is_of(const char *name, mgl_command command);
/* The key that people mean by a name that other programs have for it ("quasi-identifiers" for
 * "qi"); NULL if it is no such name. */
const char *mgl_key_meant(mgl_span name);
/* Another name of the key, the i-th; NULL behind the last. */
const char *mgl_key_other_name(const mgl_key *key, size_t i);
/* The row of an attribute's field ("weight" finds "weights"). */
bool mgl_key_find_field(mgl_span field, mgl_key *out);

/* True if the method has a use for the key. A key that is not an option of a method is for all of
 * them, unless it needs an ability that not every method has. */
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

mgl_value_check mgl_check_any, mgl_check_method, mgl_check_suppress, mgl_check_measure,
    mgl_check_anonymity_level, mgl_check_prefer, mgl_check_protect, mgl_check_distance,
    mgl_check_text, mgl_check_date, mgl_check_condition, mgl_check_sample, mgl_check_km,
    mgl_check_separator, mgl_check_dialect;

/* Readers of forms (base/value_parser.h): they write only if the value is fine. */
bool mgl_read_span(mgl_span text, void *place); /* mgl_span: any text */
bool mgl_read_rest(mgl_span text, void *place); /* mgl_role */
bool mgl_read_kind(mgl_span text, void *place); /* mgl_given_kind */
/* The least k for which no person is found with a probability above 1 - level. */
bool mgl_read_anonymity_level(mgl_span text, uint64_t *k);
bool mgl_read_levels(mgl_span text, void *place);     /* mgl_level_range: 2, 1..3, 1.., ..3 */
bool mgl_read_km(mgl_span text, void *place);         /* mgl_km: 5, 5,2 */
bool mgl_read_budget(mgl_span text, void *place);     /* mgl_privacy_budget: 1,1e-6 */
bool mgl_read_share(mgl_span text, void *place);      /* double: "5%" is 0.05 */
bool mgl_read_delimiter(mgl_span text, void *place);  /* char */
bool mgl_read_decimal(mgl_span text, void *place);    /* char */
bool mgl_read_century(mgl_span text, void *place);    /* uint8_t */
bool mgl_read_size(mgl_span text, void *place);       /* uint64_t: 500M */
bool mgl_read_preference(mgl_span text, void *place); /* mgl_preference */
bool mgl_read_method(mgl_span text, void *place);     /* const mgl_method_type * */

/* "loss", or "classification=COLUMN": then label is the column, else empty. */
bool mgl_value_measure(mgl_span text, const mgl_measure_type **measure, mgl_span *label);

/* Keys that are no single field (mgl_key.fill). */
mgl_status mgl_fill_entity(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_where(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_sample(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_items(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_policy(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_measure(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_methods(const mgl_filling *filling, const mgl_key *key, const char *text);

/* How many parameters of a model must be given: words at the end need not. */
size_t mgl_parameters_needed(const mgl_model_type *type);
/* Where a model takes the parameter of that name as one of several words; n_parameters if
 * it does not. */
size_t mgl_word_parameter(const mgl_model_type *type, const char *name);

/* Reads the parameters of a model, "5", "0.5,3" or "0.2,ordered"; false with what is wrong
 * appended. */
bool mgl_value_parameters(const mgl_model_type *type, mgl_span text, double *parameters,
                          mgl_buffer *wrong);
bool mgl_value_parameter(const mgl_parameter *parameter, mgl_span text, double *out,
                         mgl_buffer *wrong);

/* Rows that one check looks at; each is about what it is named after. */
typedef enum mgl_conflict_group {
    MGL_CONFLICTS_OF_STRATA,
    MGL_CONFLICTS_OF_JOINED,
    MGL_CONFLICTS_OF_PERSONS,
    MGL_CONFLICTS_OF_COUNTS,
    MGL_CONFLICTS_OF_ITEMS,
    MGL_CONFLICTS_OF_ITEM_CLASSES,
    MGL_CONFLICTS_OF_ITEMS_ALONE, /* without a quasi-identifier */
    MGL_CONFLICTS_OF_AGGREGATES,
    MGL_CONFLICTS_OF_RISK_LIMIT,
    MGL_CONFLICTS_OF_POPULATION,
    MGL_CONFLICTS_OF_FRACTION,
    MGL_CONFLICTS_OF_RARE,
    MGL_CONFLICTS_OF_PROOFS,
    MGL_CONFLICTS_OF_PERTURBED,
    MGL_CONFLICTS_OF_SCRIPT,
    MGL_CONFLICTS_OF_DIFFERENTIAL,
    MGL_CONFLICTS_OF_PARENTS,
    MGL_CONFLICTS
} mgl_conflict_group;

/* The first conflict of the group that the job has: what to blame, and why. */
typedef struct mgl_conflict {
    mgl_code code;
    const char *blamed; /* a key */
    char why[300];
} mgl_conflict;
bool mgl_conflict_find(mgl_conflict_group group, const mgl_settings *settings, mgl_command command,
                       mgl_conflict *out);
/* MGL_USAGE if there is one. */
mgl_status mgl_conflicts_refuse(mgl_conflict_group group, const mgl_settings *settings,
                                mgl_command command, mgl_error *err);

/* A row of the table. */
typedef struct mgl_conflict_row {
    const char *key, *with;
    unsigned commands; /* mgl_command bits; 0: all that know the keys */
    char why[300];
    bool (*refuses)(const mgl_method_type *method); /* of these methods; NULL: whatever they are */
} mgl_conflict_row;
size_t mgl_conflict_rows(void);
void mgl_conflict_row_at(size_t i, mgl_conflict_row *out);

#endif
