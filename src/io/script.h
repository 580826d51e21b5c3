/* io: SQL for engines without a driver. io.h passes it on. */
#ifndef MGL_IO_SCRIPT_H
#define MGL_IO_SCRIPT_H

#include "base/base.h"

/* What an engine is to count, join and release. Tables are NAME, SCHEMA.NAME, CATALOG.SCHEMA.NAME
 * or locations. */
typedef struct mgl_script_order {
    const char *dialect;         /* one of mgl_sql_spoken */
    const char *source;          /* the table */
    const char *target;          /* the release; NULL: it is called like the table */
    const char *const *quasi;    /* [n_quasi] */
    const char *const *released; /* [n_quasi] what the map calls their released values */
    size_t n_quasi;
    const char *const *sensitive;
    size_t n_sensitive;
    const char *const *passed; /* columns that nobody counts */
    size_t n_passed;
    const char *count; /* what counts are called */
    const mgl_span *missing;
    size_t n_missing;
    mgl_span no_value; /* how NULL reads */
    bool shuffle;
} mgl_script_order;

/* Statements have no end mark; those that an engine has no need for are empty. */
enum {
    MGL_SCRIPT_SETTING, /* comes first */
    MGL_SCRIPT_COUNT,
    MGL_SCRIPT_UNLOAD, /* words: how rows become a file */
    MGL_SCRIPT_MAP,
    MGL_SCRIPT_LOAD, /* words: how the file gets into the map */
    MGL_SCRIPT_RELEASE,
    MGL_SCRIPT_VERIFY,
    MGL_SCRIPT_PUBLISH,
    MGL_SCRIPT_CLEAN, /* drops the map */
    MGL_SCRIPT_UNDO,  /* drops a release that was found wrong */
    MGL_SCRIPT_PARTS
};

/* The names of all dialects; NULL behind the last. */
const char *mgl_sql_spoken(size_t number);
/* Free each part with mgl_free, also on failure. */
mgl_status mgl_script_make(const mgl_script_order *order, mgl_error *err,
                           char *parts[MGL_SCRIPT_PARTS]);

#endif
