/* A linear program that grows by columns and rows. Private to the module.
 *
 * Rows say that each tuple is in one class, or that a sum is at most a number. A column is a class.
 * The dual values of the rows guide the exact search; that they are not exact does no harm, as
 * everything is proved with whole numbers afterwards. */
#ifndef MGL_SEARCH_CELL_EXACT_SIMPLEX_H
#define MGL_SEARCH_CELL_EXACT_SIMPLEX_H

#include "base/base.h"

typedef struct mgl_lp_entry {
    uint32_t row;
    double value;
} mgl_lp_entry;

/* Writes the entries of a column, at most one per row, and returns their number. */
typedef size_t mgl_lp_column_fn(void *context, uint32_t column, mgl_lp_entry *out);

/* Columns of the program's own: what a row lacks, or has left over. */
enum {
    MGL_LP_LACK = 0x7fffffff,
    MGL_LP_LEFT = 0x7ffffffe,
    MGL_LP_OWN = MGL_LP_LEFT /* from here on */
};

typedef struct mgl_lp {
    size_t n_rows, capacity;
    double *inverse; /* [place * capacity + row] of the basis */
    double *x;       /* [place] value of the basic column */
    double *cost;    /* [place] */
    uint32_t *basic; /* [place] column */
    uint32_t *own;   /* [place] row, for columns of the program's own */
    double *sign;    /* [place] their entry */
    double *rhs;     /* [row] */
    double *duals;   /* [row] */
    bool *is_sum;    /* [row] at most */
    double lack;     /* what it costs if a row lacks something */
    uint64_t work;
    mgl_lp_column_fn *column;
    void *context;
    double *direction;     /* [place] scratch */
    uint32_t *places;      /* [row] scratch */
    mgl_lp_entry *entries; /* [row] scratch */
    size_t since;          /* steps since the inverse was made anew */
    mgl_owned memory;
} mgl_lp;

/* Room for so many rows. The work done goes on where it was. Free with mgl_lp_free. */
mgl_status mgl_lp_init(mgl_lp *lp, size_t most_rows, double lack, mgl_lp_column_fn *column,
                       void *context, mgl_error *err);
void mgl_lp_free(mgl_lp *lp);

/* A row: the sum of its entries is 1, or at most so much. There must be room. */
void mgl_lp_add_tuple(mgl_lp *lp);
void mgl_lp_add_sum(mgl_lp *lp, double most);
/* Forgets the sums from this row on that have something left over: they hold anyway. kept[r -
 * first] says whether row r is still there. */
void mgl_lp_drop_sums(mgl_lp *lp, size_t first, bool *kept);

/* The reduced cost of a column; nothing is gained by those that are not negative. */
double mgl_lp_reduced(mgl_lp *lp, uint32_t column, double cost);
/* Takes the column into the basis. False if it cannot be done. */
bool mgl_lp_enter(mgl_lp *lp, uint32_t column, double cost);
/* The same for what a sum has left over, wherever that gains. False if nowhere. */
bool mgl_lp_enter_left(mgl_lp *lp, double least);

/* After costs of basic columns were changed. */
void mgl_lp_find_duals(mgl_lp *lp);

#endif
