/* Reading job files and policies: what their loaders share. */
#ifndef MGL_JOB_STORE_LOAD_H
#define MGL_JOB_STORE_LOAD_H

#include "job/store/store.h"

/* A YAML file as a plain tree with positions. */
typedef enum mgl_yaml_kind { MGL_YAML_SCALAR, MGL_YAML_SEQUENCE, MGL_YAML_MAPPING } mgl_yaml_kind;

typedef struct mgl_yaml mgl_yaml;
struct mgl_yaml {
    mgl_yaml_kind kind;
    uint64_t line, column; /* from 1 */
    bool null;             /* a plain scalar that is empty, ~ or null */
    mgl_span text;         /* of a scalar; NUL-terminated */
    mgl_yaml *first;       /* members of a sequence, values of a mapping */
    mgl_yaml *next;        /* the next member of the collection this one is in */
    mgl_yaml *key;         /* in a mapping: a scalar */
};

/* Reads a YAML file, which messages call `what`. The tree lies in the arena. */
mgl_status mgl_yaml_read(const char *path, const char *what, mgl_arena *arena, mgl_error *err,
                         mgl_yaml **out);

typedef struct mgl_loading {
    mgl_job *job;     /* takes the values in */
    mgl_arena *arena; /* of the tree, freed after loading */
    const char *path;
    mgl_span folder; /* of the file, with the last slash; empty: the current one */
    mgl_error *err;
} mgl_loading;

mgl_status mgl_loading_want_scalar(const mgl_loading *load, const mgl_yaml *node, const char *name);

/* privacy: [{k-anonymity: 5}, ...] */
mgl_status mgl_load_privacy(const mgl_loading *load, const mgl_yaml *node);

#endif
