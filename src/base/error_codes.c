/* The words that error codes are called by, which bindings make names of exceptions of. */
#include "base/error.h"

typedef struct code_row {
    mgl_code code;
    const char *name;
} code_row;

static const code_row codes[] = {
    {MGL_CODE_NONE, "none"},
    {MGL_CODE_UNMET, "unmet"},
    {MGL_CODE_NOT_HELD, "not-held"},
    {MGL_CODE_IMPOSSIBLE, "impossible"},
    {MGL_CODE_NO_RELEASE, "no-release"},
    {MGL_CODE_EMPTY_RELEASE, "empty-release"},
    {MGL_CODE_TIME_LIMIT, "time-limit"},
    {MGL_CODE_LEAK, "leak"},
    {MGL_CODE_DISAGREES, "disagrees"},
    {MGL_CODE_UNPROVED, "unproved"},
    {MGL_CODE_USAGE, "usage"},
    {MGL_CODE_UNKNOWN_KEY, "unknown-key"},
    {MGL_CODE_BAD_VALUE, "bad-value"},
    {MGL_CODE_MISSING_KEY, "missing-key"},
    {MGL_CODE_CONFLICT, "conflict"},
    {MGL_CODE_REPEATED, "repeated"},
    {MGL_CODE_UNKNOWN_COLUMN, "unknown-column"},
    {MGL_CODE_NO_ROLE, "no-role"},
    {MGL_CODE_BUILDER, "builder"},
    {MGL_CODE_JOB_FILE, "job-file"},
    {MGL_CODE_LIMIT, "limit"},
    {MGL_CODE_UNSUPPORTED, "unsupported"},
    {MGL_CODE_OUTPUT, "output"},
    {MGL_CODE_SESSION_KEY, "session-key"},
    {MGL_CODE_UNKNOWN_NAME, "unknown-name"},
    {MGL_CODE_UNNAMED, "unnamed"},
    {MGL_CODE_DATA, "data"},
    {MGL_CODE_NOT_FOUND, "not-found"},
    {MGL_CODE_FORMAT, "format"},
    {MGL_CODE_ENCODING, "encoding"},
    {MGL_CODE_EMPTY_TABLE, "empty-table"},
    {MGL_CODE_HEADER, "header"},
    {MGL_CODE_BAD_CELL, "bad-cell"},
    {MGL_CODE_HIERARCHY, "hierarchy"},
    {MGL_CODE_NOT_COVERED, "not-covered"},
    {MGL_CODE_MISMATCH, "mismatch"},
    {MGL_CODE_CHANGED, "changed"},
    {MGL_CODE_DAMAGED, "damaged"},
    {MGL_CODE_COLUMN_TYPE, "column-type"},
    {MGL_CODE_NO_ROOM, "no-room"},
    {MGL_CODE_EXISTS, "exists"},
    {MGL_CODE_ARROW, "arrow"},
    {MGL_CODE_SYSTEM, "system"},
    {MGL_CODE_MEMORY, "memory"},
    {MGL_CODE_FILE, "file"},
    {MGL_CODE_DATABASE, "database"},
    {MGL_CODE_LIBRARY, "library"},
    {MGL_CODE_INTERNAL, "internal"},
    {MGL_CODE_CANCELLED, "cancelled"},
};

const char *mgl_code_name(mgl_code code)
{
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return codes[0].name;
}
