/* What a release will have and what is promised about it, by whatever it is written. */
#ifndef MGL_PIPELINE_WRITE_PLAN_H
#define MGL_PIPELINE_WRITE_PLAN_H

#include "pipeline/read/read.h"
#include "pipeline/task/task.h"
#include "verify/verify.h"

struct mgl_written;

/* The person, the past, the weight and the stratum of each row, in the order of the release; where
 * columns are aggregated, which row of the table it was as well. */
typedef struct mgl_row_tags {
    const mgl_column *column; /* what rows carry while they are shuffled; NULL: nothing */
    uint32_t *of_row; /* [row of the input] what the rows carried, in the order of the release */
    mgl_table *made;  /* the column, where it had to be made because it stands for several */
    const mgl_column **columns; /* [n_columns] that it stands for: person, past, weight, those of
                                   strata */
    size_t n_columns;
    uint32_t *codes;      /* [number * n_columns + i] where it was made; NULL: rows carry the code
                             of the one column, or their numbers */
    const uint32_t *rows; /* filled in by mgl_row_tags_read; NULL: not wanted */
    const uint32_t *persons; /* filled in by mgl_row_tags_read; NULL without persons */
    mgl_column pasts;        /* likewise; its codes are NULL without earlier releases */
    uint64_t *weights;       /* likewise; NULL: rows weigh nothing */
    uint32_t *households;    /* likewise; optional */
    mgl_column *strata;      /* [n_strata] likewise */
    size_t n_strata;
} mgl_row_tags;

void mgl_row_tags_free(mgl_row_tags *tags);

/* After the rows are written: fills in persons, pasts, weights and strata. */
mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err);

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
    size_t n_tops;
    size_t *top_columns; /* of the release, by attribute */
    mgl_span *tops;
    size_t *sensitive_columns;
    mgl_cell_rule *rules; /* [n_sensitive] which cells of these are one value */
    mgl_promised_set *sets;
    size_t n_sets;
    const mgl_column **respelled; /* [n_columns] as mgl_row_plan has them; NULL: none */
    bool *treated;                /* [n_columns] likewise */
    const mgl_column **followed;  /* [columns of the source] as mgl_guarding_new takes them */
    mgl_further_promise *further; /* at most one of each feature */
    size_t n_further;
    mgl_row_tags tags;
    mgl_counted_groups groups; /* made when rows are written */
    size_t person_column;      /* SIZE_MAX: no column of the release identifies persons */
    size_t count_column;       /* of how many records rows stand for; SIZE_MAX: of one each */
    mgl_promised_population population;
    mgl_arena *arena;
} mgl_release_plan;

/* Fills in everything but the format, from the arena of the plan. */
mgl_status mgl_release_plan_make(mgl_release_plan *plan, const mgl_task *task,
                                 const mgl_reading *reading, mgl_error *err,
                                 struct mgl_written *written);

/* What features put into the plan. */
mgl_status mgl_features_plan(mgl_release_plan *plan, const mgl_task *task, mgl_error *err,
                             struct mgl_written *written);

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
/* Has the verifier judge further promises, which outlive the plan; n may be 0. */
void mgl_plan_promise(mgl_release_plan *plan, const mgl_judge *judge, void *promised, size_t n);

/* The promise for the verifier; the caller adds how rows are read back. */
mgl_promise mgl_release_promise(const mgl_release_plan *plan, const mgl_task *task,
                                const mgl_reading *reading, uint64_t n_rows);

/* MGL_UNMET if nothing would be left to release. */
mgl_status mgl_refuse_empty(uint64_t n_rows, mgl_error *err);

#endif
