/* Brute force for the cell level: every way to put the distinct tuples of a small table into
 * classes, each released as the smallest box around it, computed plainly from the rows. */
#ifndef BRUTE_CELLS_H
#define BRUTE_CELLS_H

#include "brute_models.h"

enum {
    BRUTE_CELL_MEASURES = 4,
    BRUTE_CELL_TUPLES = 12, /* if no more than the classes themselves is judged */
    BRUTE_CELL_FEW = 7      /* else */
};

/* The measures that add up over cells. */
extern const brute_measure brute_cell_measures[BRUTE_CELL_MEASURES];

/* A set of tuples as a class. */
typedef struct brute_cell_set {
    int rows;
    bool above;     /* it is around cells that the levels do not allow: only the top is */
    bool reads_top; /* all its cells read as the top */
    bool holds;     /* all models that judge a class */
    int text[BRUTE_ATTRIBUTES];
    double cost[BRUTE_CELL_MEASURES]; /* what its cells add to the measure's sum */
    /* The same in the cheapest box around it in which it holds, be it the smallest or not: a
     * larger one matches more of the population. NAN: there is none. */
    double loose[BRUTE_CELL_MEASURES];
} brute_cell_set;

typedef struct brute_cells {
    int n;                  /* distinct tuples */
    int of_row[BRUTE_ROWS]; /* [row] its tuple */
    int row[BRUTE_ROWS];    /* [tuple] its first row */
    brute_cell_set sets[1 << BRUTE_CELL_TUPLES];
    bool possible;                                       /* some release holds */
    double best[BRUTE_CELL_MEASURES];                    /* value of the best release */
    double worst[BRUTE_CELL_MEASURES];                   /* and of some bad one */
    double loose[BRUTE_CELL_MEASURES];                   /* of loose tables: none is better */
    int classes[BRUTE_CELL_MEASURES][BRUTE_CELL_TUPLES]; /* its classes; 0: suppressed */
} brute_cells;

/* Models whose classes can be joined: nothing else is proved to be the best. */
bool brute_table_is_plain(const brute_table *t);

/* A larger box than needed may hold where the smallest does not. */
bool brute_table_is_loose(const brute_table *t);

/* Distinct tuples of the table. */
int brute_cells_count(const brute_table *t);
/* False if it has too many. */
bool brute_cells_make(const brute_table *t, brute_cells *out);
/* May the set be a class of a release? Under exempt rows at the top are suppressed ones, unless all
 * rows are there. */
bool brute_cells_may_release(const brute_table *t, const brute_cells *cells, int set);
/* The best release under the table's treatment and limit. */
void brute_cells_solve(const brute_table *t, brute_cells *cells);

/* What suppressed tuples add to the measure's sum. */
double brute_cells_top_cost(const brute_table *t, const brute_cells *cells, int measure, int set);
/* What a sum of costs is as the measure's value; lower is better in cost. */
double brute_cells_value(const brute_table *t, int measure, double sum);
bool brute_cells_is_better(int measure, double a, double b);

/* The simple bound, as the measure's value: each row in the cheapest class of the whole table that
 * has k rows and holds every model that holds for all supersets of a class; else the top. */
double brute_cells_simple_bound(const brute_table *t, int measure);

#endif
