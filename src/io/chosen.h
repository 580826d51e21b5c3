/* Rows of a source that a job is about, while others are left out. Inside the io room. */
#ifndef MGL_IO_CHOSEN_H
#define MGL_IO_CHOSEN_H

#include "io/io.h"

/* Takes stripes of all rows and puts the chosen ones into a table of its own, in which values have
 * numbers as if there were no other rows. */
typedef struct mgl_sifting {
    const mgl_row_choice *chosen;
    mgl_table *table;         /* with columns and without rows */
    const mgl_row_sink *sink; /* gets them when there are enough; NULL: all stay in the table */
    uint64_t n_seen;          /* rows of the source so far */
    uint32_t **numbers;       /* [column][code] in the table; MGL_NOT_FOUND: none yet */
    size_t *n_numbers;        /* [column] */
    uint32_t *codes;          /* of the rows at hand */
    size_t codes_capacity;
} mgl_sifting;

/* Free with mgl_sifting_free, also after a failure. */
mgl_status mgl_sifting_init(mgl_sifting *sifting, const mgl_row_choice *chosen, mgl_table *table,
                            const mgl_row_sink *sink, mgl_error *err);
void mgl_sifting_free(mgl_sifting *sifting);
/* As take of mgl_row_sink. */
mgl_status mgl_sifting_take(void *context, const mgl_table *stripe, mgl_error *err);
/* After the last stripe. MGL_DATA if there were more or fewer rows than when they were chosen. */
mgl_status mgl_sifting_end(mgl_sifting *sifting, const char *name, mgl_error *err);

/* Leaves the chosen ones of some records, of which the first is row `first` of the source. */
void mgl_records_sift(const mgl_row_choice *chosen, uint64_t first, mgl_records *records);

#endif
