/* Errors: how a call ended, and what went wrong.
 *
 *     mgl_error err;
 *     if (mgl_job_load(job, "patients.yaml", &err) != MGL_OK)
 *         fprintf(stderr, "%s (%s)\n", err.message, mgl_code_name(err.code));
 */
#ifndef MINGLE_ERROR_H
#define MINGLE_ERROR_H

#include "mingle/api.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended; also the exit codes of the program. */
typedef enum mgl_status {
    MGL_OK = 0,
    MGL_UNMET = 1,    /* the privacy promise does not hold or cannot be reached */
    MGL_USAGE = 2,    /* wrong use: a call, keys, a job file */
    MGL_DATA = 3,     /* bad input data */
    MGL_SYSTEM = 4,   /* the system failed: disk, memory */
    MGL_CANCELLED = 5 /* asked to stop */
} mgl_status;

/* What went wrong, finer than a status. A code belongs to the status of its hundred
 * (MGL_CODE_LEAK / 100 is MGL_UNMET), and the first of each hundred is for what has no code of its
 * own. Numbers and names stay; new ones may be added. */
typedef enum mgl_code {
    MGL_CODE_NONE = 0, /* no failure */

    MGL_CODE_UNMET = 100,   /* the privacy promise does not hold or cannot be reached */
    MGL_CODE_NOT_HELD,      /* what was found or written breaks a model */
    MGL_CODE_IMPOSSIBLE,    /* no release of this table can hold a model: p above k, k above rows */
    MGL_CODE_NO_RELEASE,    /* the search found no release that holds */
    MGL_CODE_EMPTY_RELEASE, /* every row would be suppressed and dropped */
    MGL_CODE_TIME_LIMIT,    /* time was up before there was an answer */
    MGL_CODE_LEAK,          /* the release would give persons away, by other columns or releases */
    MGL_CODE_DISAGREES,     /* a result does not agree with the file that it describes */
    MGL_CODE_UNPROVED,      /* a proof was not checked */

    MGL_CODE_USAGE = 200,    /* wrong use: a call, keys, a job file */
    MGL_CODE_UNKNOWN_KEY,    /* there is no such key, or not there */
    MGL_CODE_BAD_VALUE,      /* a key does not take this value */
    MGL_CODE_MISSING_KEY,    /* a key must be given, or given as well */
    MGL_CODE_CONFLICT,       /* keys that do not go together */
    MGL_CODE_REPEATED,       /* given twice */
    MGL_CODE_UNKNOWN_COLUMN, /* the table has no such column */
    MGL_CODE_NO_ROLE,        /* a column has no role */
    MGL_CODE_BUILDER,        /* the builder of a hierarchy: its name, arguments, or the values */
    MGL_CODE_JOB_FILE,       /* a job file or policy that is no YAML, or not laid out as one */
    MGL_CODE_LIMIT,          /* more than a method or the program can take */
    MGL_CODE_UNSUPPORTED,    /* a method, a format or this build of the library cannot do it */
    MGL_CODE_OUTPUT,         /* an output cannot be where it is to be written */
    MGL_CODE_SESSION_KEY,    /* a key of reading differs from that of its session */
    MGL_CODE_UNKNOWN_NAME,   /* there is no model, method, command or page of this name */
    MGL_CODE_UNNAMED,        /* a column passes through that the job has to name */

    MGL_CODE_DATA = 300,  /* bad input data */
    MGL_CODE_NOT_FOUND,   /* a file, a table or something in memory is not there */
    MGL_CODE_FORMAT,      /* a line, a sheet or a file that cannot be read */
    MGL_CODE_ENCODING,    /* bytes that are no text in the encoding */
    MGL_CODE_EMPTY_TABLE, /* no header or no rows */
    MGL_CODE_HEADER,      /* columns without a name, or with the same */
    MGL_CODE_BAD_CELL,    /* a cell that its column cannot have */
    MGL_CODE_HIERARCHY,   /* the file of a hierarchy */
    MGL_CODE_NOT_COVERED, /* a hierarchy lacks a value of the table */
    MGL_CODE_MISMATCH,    /* files that do not belong together */
    MGL_CODE_CHANGED,     /* a file or table changed while it was read */
    MGL_CODE_DAMAGED,     /* a part, recoding, result, proof or key is damaged or something else */
    MGL_CODE_COLUMN_TYPE, /* values of this type cannot be generalized */
    MGL_CODE_NO_ROOM,     /* the format of the output has no room for the release */
    MGL_CODE_EXISTS,      /* the table to write is there already */
    MGL_CODE_ARROW,       /* an Arrow stream breaks the rules of its format */

    MGL_CODE_SYSTEM = 400, /* the system failed */
    MGL_CODE_MEMORY,       /* out of memory */
    MGL_CODE_FILE,         /* a file cannot be opened, read or written */
    MGL_CODE_DATABASE,     /* a database refused */
    MGL_CODE_LIBRARY,      /* a library that is loaded on demand is not there */
    MGL_CODE_INTERNAL,     /* an error of the library itself; please report it */

    MGL_CODE_CANCELLED = 500 /* asked to stop */
} mgl_code;

/* What went wrong, where, and what to do. Owned by the caller; written by a call that fails, left
 * alone by one that does not. Fields that do not apply are 0 or "", and none holds a cell of the
 * table. Messages write keys between backquotes: `suppress`. */
typedef struct mgl_error {
    mgl_status status;
    mgl_code code;
    uint64_t line;      /* of the file, from 1 */
    uint64_t position;  /* in the line, from 1 */
    char key[128];      /* the key to blame: "suppress", "attributes.age.hierarchy" */
    char column[128];   /* the column of the table to blame */
    char file[1024];    /* the file to blame, or what the job has in its place */
    char message[8192]; /* a line for each column, where many are to blame */
} mgl_error;

/* Returns the stable name of a code, for bindings: "unknown-key"; "none" for other numbers. */
MGL_API const char *mgl_code_name(mgl_code code);

#ifdef __cplusplus
}
#endif
#endif
