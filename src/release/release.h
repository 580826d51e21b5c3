/* release: a recoding applied to the rows, staged, and published.
 *
 * The release is written to a temporary file beside its target. It gets its name only when
 * the caller, having verified it, says so; anything else leaves the target as it was.
 */
#ifndef MGL_RELEASE_H
#define MGL_RELEASE_H

#include "classes/classes.h"
#include "io/io.h"
#include "recoding/recoding.h"

/* ---- Stage and publish ---------------------------------------------------------- */

typedef struct mgl_stage mgl_stage;

/* target "-" is standard output. A target that is not a regular file (a device, a pipe) is
 * never replaced: the verified bytes are copied into it. Links are followed. Free with
 * mgl_stage_free, which removes what was not published. */
mgl_status mgl_stage_new(const char *target, mgl_error *err, mgl_stage **out);
int mgl_stage_fd(const mgl_stage *stage);
const char *mgl_stage_path(const mgl_stage *stage); /* where the staged file can be read */

/* Syncs the file and gives it its name, or copies it. */
mgl_status mgl_stage_publish(mgl_stage *stage, mgl_error *err);
void mgl_stage_free(mgl_stage *stage);

/* The same for a small text, such as a result or a hierarchy. */
mgl_status mgl_publish_text(const char *target, const char *text, size_t size, mgl_error *err);

/* ---- Rows ------------------------------------------------------------------------ */

/* Told of each row that is released: the fields of its record, and its tuple. */
typedef void mgl_row_seen_fn(void *context, const mgl_field *fields, uint32_t tuple);

typedef struct mgl_row_plan {
    mgl_source *source;
    const size_t *columns; /* columns of the source that are released, in order */
    size_t n_columns;
    const mgl_bound_column *quasi; /* the recoded ones among them */
    size_t n_quasi;
    const mgl_frequency_list *list;
    const mgl_recoding *recoding;
    bool drop_suppressed;
    mgl_random *shuffle;   /* random order; NULL: as in the input */
    uint64_t memory;       /* bytes to shuffle in; what is beyond is spooled. 0: a default */
    const mgl_column *tag; /* a code that rows carry along; NULL: not wanted */
    uint32_t *tags;        /* [rows of the input] gets that of each released row, in the order
                              of the release */
    mgl_row_seen_fn *seen; /* NULL: nobody wants to know */
    void *context;
    const mgl_format *format; /* of the release */
    const mgl_role *roles;    /* [columns of the source] */
    bool neutralize;          /* cells that spreadsheets would compute get an apostrophe */
    const mgl_span *missing;  /* cells that mean missing */
    size_t n_missing;
    mgl_buffer *warnings; /* of the sink, one line each: "code\tmessage\n" */
} mgl_row_plan;

/* Writes the rows to the staged file at path, open as fd, that will be called name. Text is
 * compressed by the ending of that. *n_rows: how many. */
mgl_status mgl_write_rows(const mgl_row_plan *plan, int fd, const char *path, const char *name,
                          const mgl_progress *progress, mgl_error *err, uint64_t *n_rows);

#endif
