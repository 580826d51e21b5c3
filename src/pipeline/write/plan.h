/* What a release will have and what is promised about it, by whatever it is written. */
#ifndef MGL_PIPELINE_WRITE_PLAN_H
#define MGL_PIPELINE_WRITE_PLAN_H

#include "pipeline/read/read.h"
#include "pipeline/task/task.h"
#include "verify/verify.h"

struct mgl_written;

/* What rows carry along while they are shuffled, for the verifier. */
typedef struct mgl_row_tags {
    const mgl_column *column; /* what each carries; NULL: nothing */
    uint32_t *of_row;         /* [row of the input] what the rows carried, in the order of the
                                 release */
    mgl_table *made; /* the column, where it had to be made because it stands for several */
    const mgl_column **columns; /* [n_columns] that it stands for */
    mgl_column **carried;       /* [n_columns] the same, in the order of the release */
    size_t n_columns;
    uint32_t *codes; /* [number * n_columns + i] of the combinations that are numbered; NULL: rows
                        carry the code of the one column, or their numbers */
    bool numbered;   /* rows carry their numbers in the table */
} mgl_row_tags;

void mgl_row_tags_free(mgl_row_tags *tags);

/* After the rows are written: fills in what they carried. */
mgl_status mgl_row_tags_read(mgl_row_tags *tags, uint64_t n_rows, mgl_error *err);

typedef struct mgl_counted_groups {
    uint8_t *left_out;  /* [rows of the table] all but the first row of each group; NULL: the table
                           is not counted */
    mgl_column sums;    /* what the first row of each group stands for, as text */
    uint64_t n_records; /* that are released */
} mgl_counted_groups;

typedef struct mgl_release_plan {
    const mgl_format *format;
    size_t n_columns;
    size_t *columns; /* of the source */
    const char **names;
    mgl_promise promise;          /* that the verifier judges; features add to it */
    const mgl_column **respelled; /* [n_columns] as mgl_row_plan has them; NULL: none */
    bool *changed;                /* [n_columns] likewise */
    const mgl_column **followed;  /* [columns of the source] as mgl_guarding_new takes them */
    mgl_further_promise *further; /* of the promise; at most one of each feature */
    bool in_place;                /* rows are judged where they are: nothing is written */
    mgl_row_tags tags;
    const mgl_column *persons;   /* of the rows; NULL: each is a person's own */
    const mgl_column *histories; /* likewise; NULL: there are no earlier releases */
    mgl_counted_groups groups;   /* made when rows are written */
    size_t count_column;         /* of how many records rows stand for; SIZE_MAX: of one each */
    mgl_arena *arena;
} mgl_release_plan;

/* Fills in everything but the format, from the arena of the plan. */
mgl_status mgl_release_plan_make(mgl_release_plan *plan, const mgl_task *task,
                                 const mgl_reading *reading, mgl_error *err,
                                 struct mgl_written *written);

/* What they have the verifier know about rows: of a plan in place, for the table itself. */
mgl_status mgl_features_carry(mgl_release_plan *plan, const mgl_reading *reading, mgl_error *err);

/* Rows carry the cells of a column of the table to the verifier because the release lacks it. The
 * column that is returned has them in the order of the release once the rows are written; without
 * codes where an engine writes them. At most one of each feature, and those of strata. */
mgl_status mgl_plan_carry(mgl_release_plan *plan, const mgl_column *column, mgl_error *err,
                          const mgl_column **out);
/* Rows carry their numbers in the table: `source_rows` of the promise. */
void mgl_plan_number_rows(mgl_release_plan *plan);

/* The column of the release that this one of the source becomes; SIZE_MAX: it is left out. */
size_t mgl_plan_column(const mgl_release_plan *plan, size_t field);

typedef enum mgl_replaced {
    MGL_RESPELLED, /* the same values */
    MGL_TREATED,   /* other ones */
    MGL_FOLLOWING  /* others that depend on the quasi-identifiers alone */
} mgl_replaced;

/* Releases a column as these cells of the rows, which outlive the plan. */
mgl_status mgl_plan_replace(mgl_release_plan *plan, size_t field, const mgl_column *cells,
                            mgl_replaced how, mgl_error *err);
/* Makes room in the plan for further promises of features. */
mgl_status mgl_plan_further(mgl_release_plan *plan, mgl_error *err);
/* Has the verifier judge further promises, which outlive the plan; n may be 0. */
void mgl_plan_promise(mgl_release_plan *plan, const mgl_judge *judge, void *promised, size_t n);

/* The promise for the verifier once the rows are written; the caller adds how they are read back.
 */
mgl_promise mgl_release_promise(const mgl_release_plan *plan, uint64_t n_rows);

/* MGL_UNMET if nothing would be left to release. */
mgl_status mgl_refuse_empty(uint64_t n_rows, mgl_error *err);

#endif
