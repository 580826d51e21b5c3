/* release: a recoding applied to the rows, staged, and published.
 *
 * The release is written to a temporary file beside its target. It gets its name when the caller
 * publishes it after verification; anything else leaves the target as it was.
 *
 * Beside a target in memory the stage is in memory, too, and publishing puts it among what the call
 * has made. */
#ifndef MGL_RELEASE_H
#define MGL_RELEASE_H

#include "classes/classes.h"
#include "io/io.h"
#include "recoding/recoding.h"

typedef struct mgl_stage mgl_stage;

/* target "-" is standard output. A target that is not a regular file (a device, a pipe) is
 * never replaced: the verified bytes are copied into it. Links are followed. Free with
 * mgl_stage_free, which removes what was not published. */
mgl_status mgl_stage_new(const char *target, mgl_error *err, mgl_stage **out);
int mgl_stage_fd(const mgl_stage *stage);
const char *mgl_stage_path(const mgl_stage *stage); /* where the staged file can be read */

/* A second file, called like the target but for its ending; it is published with the first. */
mgl_status mgl_stage_add_beside(mgl_stage *stage, const char *ending, mgl_error *err);
const mgl_stage *mgl_stage_beside(const mgl_stage *stage); /* NULL if there is none */

/* A release that is a folder: the stage is a file until it is divided, when all is verified. An
 * existing folder is replaced only if overwrite. */
mgl_status mgl_stage_new_folder(const char *target, bool overwrite, mgl_error *err,
                                mgl_stage **out);
/* Makes the staged file the folder; from then on mgl_stage_path is that of the folder. */
mgl_status mgl_stage_divide(mgl_stage *stage, const mgl_partitions *partitions, mgl_error *err);
/* SHA-256 and bytes of the file or of the folder that is staged. */
mgl_status mgl_stage_sha256(const mgl_stage *stage, mgl_error *err, char text[MGL_SHA256_TEXT],
                            uint64_t *bytes);

/* Syncs the file and gives it its name, or copies it. */
mgl_status mgl_stage_publish(mgl_stage *stage, mgl_error *err);
void mgl_stage_free(mgl_stage *stage);

/* The same for a table in memory (target "memory:NAME"), which the stage takes over and has until
 * it is published: then what the call makes has it. */
mgl_status mgl_stage_new_table(const char *target, mgl_error *err, mgl_stage **out);
void mgl_stage_put_table(mgl_stage *stage, mgl_arrow_table *table);
mgl_arrow_table *mgl_stage_table(const mgl_stage *stage); /* borrowed */

/* A stream of a table that was published. */
mgl_status mgl_released_stream(const mgl_memory_store *made, const char *name, mgl_error *err,
                               struct ArrowArrayStream *out);

/* A small text as a whole, such as a result or a hierarchy: staged, or published as well. */
mgl_status mgl_stage_text(const char *target, mgl_span text, mgl_error *err, mgl_stage **out);
mgl_status mgl_publish_text(const char *target, const char *text, size_t size, mgl_error *err);

/* Rows of the source in order, as one column of it shows them. */
typedef struct mgl_seen_rows {
    const mgl_field *cells; /* cells[r * step] */
    size_t step;
    const uint32_t *tuples; /* MGL_NOT_FOUND: the row is not released */
    size_t n;
} mgl_seen_rows;

/* Who sees the rows that are written, if cells are passed through. Each column is seen apart, all
 * its rows in order; different columns may be seen by different threads at once. */
typedef struct mgl_row_watch {
    size_t n_columns;
    const size_t *fields; /* [n_columns] of the source */
    void (*see)(void *context, size_t column, const mgl_seen_rows *rows);
    void *context;
} mgl_row_watch;

/* The tuples of all rows, found while something else is done. */
typedef struct mgl_row_tuples mgl_row_tuples;
/* Codes of the columns must be in memory. Free with mgl_row_tuples_free; list, columns and pool are
 * borrowed until then. */
mgl_status mgl_row_tuples_begin(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                mgl_pool *pool, mgl_error *err, mgl_row_tuples **out);
/* Waits for the rest. The caller frees the array with mgl_free. NULL: there are none for this list,
 * or they were taken. */
uint32_t *mgl_row_tuples_take(mgl_row_tuples *rows, const mgl_frequency_list *list);
void mgl_row_tuples_free(mgl_row_tuples *rows);

typedef struct mgl_row_plan {
    mgl_source *source;
    uint64_t n_rows;       /* of it */
    const size_t *columns; /* columns of the source that are released, in order */
    size_t n_columns;
    const mgl_bound_column *quasi; /* the recoded ones among them */
    size_t n_quasi;
    const mgl_frequency_list *list;
    const mgl_recoding *recoding;
    const mgl_classes *classes; /* of the recoding's tuples; NULL: not known */
    mgl_row_tuples *tuples;     /* for tables in memory; NULL: not begun */
    bool drop_suppressed;
    const uint8_t *left_out;   /* [rows of the input] 1: the row is not released; NULL: all are */
    const mgl_random *shuffle; /* random order; NULL: as in the input */
    uint64_t memory;           /* bytes to work in; rows beyond are spooled. 0: a default */
    mgl_pool *pool;
    const mgl_column *tag; /* a code that rows carry along; NULL: not wanted */
    uint32_t *tags;        /* [rows of the input] gets that of each released row, in the order
                              of the release */
    /* [n_columns] Columns that are passed through in the spelling of their dictionary, which has a
     * code for each row; NULL: as they are in the source, for one or for all of them. */
    const mgl_column *const *respelled;
    const bool *changed; /* [n_columns] of these, those whose values are others than in the source;
                            NULL: none */
    const mgl_column *sums;     /* that of these whose texts are whole numbers; NULL: none is */
    const mgl_row_watch *watch; /* optional */
    const mgl_format *format;   /* of the release */
    const mgl_role *roles;      /* [columns of the source] */
    bool neutralize;            /* cells that spreadsheets would compute get an apostrophe */
    bool by_release;            /* what no file states of a column follows from released cells */
    const mgl_span *missing;    /* cells that mean missing */
    size_t n_missing;
    mgl_buffer *warnings; /* of the sink, each "code\tmessage" and NUL */
} mgl_row_plan;

static inline bool mgl_is_changed(const mgl_row_plan *plan, size_t column)
{
    return plan->changed != NULL && plan->changed[column];
}

/* Writes the rows to the stage of what will be called name. Text is compressed by the ending of
 * that. *n_rows: how many. */
mgl_status mgl_write_rows(const mgl_row_plan *plan, const mgl_stage *stage, const char *name,
                          const mgl_progress *progress, mgl_error *err, uint64_t *n_rows);

/* The classes of the released tuples. Free with mgl_classes_free, also after a failure. */
mgl_status mgl_release_classes(const mgl_row_plan *plan, mgl_error *err, mgl_classes *out);

/* Makes a table in memory of the rows, for the stage of one: quasi-identifiers as encoded texts,
 * the other columns as the source has them. *n_rows: how many. */
mgl_status mgl_stage_rows(const mgl_row_plan *plan, mgl_stage *stage, const mgl_progress *progress,
                          mgl_error *err, uint64_t *n_rows);

#endif
