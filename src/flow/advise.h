/* What `risk --advise` proposes. Of these files only. */
#ifndef MGL_FLOW_ADVISE_H
#define MGL_FLOW_ADVISE_H

#include "flow/flow.h"

typedef struct mgl_advised_column {
    const char *name;
    mgl_profile profile;
    mgl_advice advice;
    bool said;       /* the role is the user's */
    char *hierarchy; /* a builder that fits its values */
} mgl_advised_column;

typedef struct mgl_advised {
    const mgl_settings *settings;
    mgl_source *source;
    size_t n;
    mgl_advised_column *columns;
    uint64_t rows;
    size_t entity;               /* the column that tells persons apart; SIZE_MAX: none */
    mgl_person_evidence persons; /* if there is one */
    bool amounts;                /* all quasi-identifiers are: microaggregate */
    bool plain;                  /* no model but k, no hierarchy but value and '*' */
    mgl_span missing[MGL_MOST_MISSING_CODES]; /* further texts that the job takes for missing */
    size_t n_missing;
} mgl_advised;

/* Finds the column that tells persons with several rows apart. table: all columns; NULL: the engine
 * of the source is asked for pairs of columns. */
mgl_status mgl_advise_persons(mgl_advised *advised, const mgl_table *table, mgl_error *err);

/* How many columns have the role. */
size_t mgl_advised_count(const mgl_advised *advised, mgl_role role);
/* Does the job ask for two values of it in every class? */
bool mgl_advised_diverse(const mgl_advised *advised, const mgl_advised_column *column);

/* The job. Free with mgl_job_free. */
mgl_status mgl_advised_job(const mgl_advised *advised, const char *output, mgl_error *err,
                           mgl_job **out);
/* The same as a job file, at the end of the buffer. */
mgl_status mgl_advised_write(const mgl_advised *advised, mgl_error *err, mgl_buffer *out);

/* Runs the job on the table, without keeping the release, and takes roles back until nothing is
 * objected to. "tried" in the document tells how it went. */
mgl_status mgl_advise_try(mgl_advised *advised, mgl_error *err, mgl_result *result);

/* Some columns of the source; counted if its engine can: then no row leaves it. Free with
 * mgl_table_free. */
mgl_status mgl_advise_read(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                           size_t n, mgl_error *err, mgl_table **out);

#endif
