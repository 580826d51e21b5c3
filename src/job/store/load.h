/* Reading job files and policies: what their loaders share. */
#ifndef MGL_JOB_STORE_LOAD_H
#define MGL_JOB_STORE_LOAD_H

#include "job/store/store.h"
#include "job/store/yaml.h"

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
