/* What `risk --advise` proposes, and the steps that find it. Private to the module. */
#ifndef MGL_COMMAND_ADVISE_ADVISED_H
#define MGL_COMMAND_ADVISE_ADVISED_H

#include "findings/findings.h"
#include "suggest/suggest.h"

typedef struct mgl_advised_column {
    const char *name;
    mgl_profile profile;
    mgl_advice advice;
    bool given;       /* the user has given the role */
    char *hierarchy;  /* a builder that fits its values */
    char *change;     /* what is done to its values before they are released; NULL: nothing */
    mgl_buffer hints; /* what the user should check: lines */
} mgl_advised_column;

enum { MGL_MOST_ADVISED_MISSING = 16, MGL_LONGEST_MISSING = 64 };

typedef struct mgl_advised {
    mgl_session *session;
    const mgl_settings *settings;
    mgl_source_options options; /* how to read the table: settings, and what was found */
    mgl_source *source;         /* of the session; NULL: not yet opened */
    mgl_arena *names;           /* of the columns */
    size_t n;
    mgl_advised_column *columns;
    uint64_t rows;
    size_t entity;               /* the column that identifies persons; SIZE_MAX: none */
    mgl_person_evidence persons; /* if there is one */
    bool amounts; /* all quasi-identifiers are amounts, so the job takes microaggregate */
    bool plain;   /* no model but k, no hierarchy but value and '*' */
    /* Texts for missing that were found, and all texts for missing of the job. */
    char missing[MGL_MOST_ADVISED_MISSING][MGL_LONGEST_MISSING];
    size_t n_missing;
    mgl_span *all_missing;
    bool century; /* dates have two-digit years, and the user has not given the century */
} mgl_advised;

/* Reads the table and judges its columns. Where some texts can only mean missing, or years have two
 * digits, it is read once more as the job will read it. */
mgl_status mgl_advise_look(mgl_advised *advised, mgl_error *err);
void mgl_advised_free(mgl_advised *advised);

/* The k of the job, and the pivot of two-digit years, which spreadsheets have as well. */
enum { MGL_ADVISED_K = 5, MGL_ADVISED_CENTURY = 29 };

#endif
