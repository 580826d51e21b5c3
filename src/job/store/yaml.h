/* A YAML file as a plain tree with positions. libfyaml stays behind this. */
#ifndef MGL_JOB_STORE_YAML_H
#define MGL_JOB_STORE_YAML_H

#include "base/base.h"

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

/* Reads one document, everything in the arena. path: what messages call the text. what: "job file",
 * for messages. Refused with FILE:LINE:COLUMN: what is not YAML, a key given twice in a mapping,
 * keys that are no text, anchors, aliases, tags, a second document, an empty file. MGL_USAGE;
 * MGL_DATA if the file is not there. */
mgl_status mgl_yaml_parse(const char *path, const char *what, mgl_span text, mgl_arena *arena,
                          mgl_error *err, mgl_yaml **out);
/* The same of a file. */
mgl_status mgl_yaml_read(const char *path, const char *what, mgl_arena *arena, mgl_error *err,
                         mgl_yaml **out);

#endif
