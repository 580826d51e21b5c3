/* The rows of the table of keys, by subject, for the file that puts them together. */
#ifndef MGL_JOB_KEYS_KEY_ROWS_H
#define MGL_JOB_KEYS_KEY_ROWS_H

#include "job/keys/keys.h"

/* Commands that keys are for, in groups. */
enum {
    MGL_FOR_RELEASES = MGL_ANONYMIZE | MGL_WHAT_IF | MGL_PREVIEW, /* the latter write none */
    MGL_FOR_METHODS = MGL_FOR_RELEASES | MGL_COMPARE,
    MGL_FOR_SEARCHES = MGL_FOR_METHODS | MGL_LATTICE,
    MGL_FOR_JUDGING = MGL_CHECK | MGL_GATE,
    MGL_FOR_MODELS = MGL_FOR_SEARCHES | MGL_FOR_JUDGING,
    MGL_FOR_ROLES = MGL_FOR_MODELS | MGL_UTILITY | MGL_RISK | MGL_ATTACK,
    MGL_FOR_TABLES = MGL_FOR_ROLES | MGL_HIERARCHY | MGL_COUNT,
    MGL_FOR_ALL = MGL_FOR_TABLES | MGL_APPLY | MGL_LOOK
};

/* Of a key that is often used with every command that takes it. */
#define MGL_FOR_EVERY (~0u)

typedef struct mgl_key_rows {
    const mgl_key *rows;
    size_t n;
} mgl_key_rows;

#define MGL_KEY_ROWS(rows)                                                                         \
    {                                                                                              \
        rows, sizeof(rows) / sizeof((rows)[0])                                                     \
    }

extern const mgl_key_rows mgl_keys_of_files, mgl_keys_of_columns, mgl_keys_of_models,
    mgl_keys_of_methods, mgl_keys_of_search, mgl_keys_of_risk, mgl_keys_of_reading,
    mgl_keys_of_outputs, mgl_keys_of_runs, mgl_keys_of_reports, mgl_keys_of_views;

#endif
