/* Mondrian, plainly: the cuts of docs/methods.md made on lists of rows, from the text of the
 * cells. */
#ifndef BRUTE_MONDRIAN_H
#define BRUTE_MONDRIAN_H

#include "brute_models.h"

enum { BRUTE_RANGE = 2 * BRUTE_TEXT };

typedef struct brute_mondrian {
    bool relaxed;
    int need; /* persons or rows that a region has at least */
    int n_regions;
    brute_rows regions[BRUTE_ROWS];
} brute_mondrian;

/* Turns some columns into numbers or dates without a hierarchy, now and then with missing cells. */
void brute_mondrian_numbers(brute_table *t, brute_random *random);
bool brute_mondrian_is_scale(const brute_table *t, int a);

/* Fills in the regions. */
void brute_mondrian_cut(const brute_table *t, brute_mondrian *m);

/* What a region is released as in a column. */
void brute_mondrian_cell(const brute_table *t, const brute_rows *region, int a, char *text);

/* Do all class-wise models hold, and is it large enough? */
bool brute_mondrian_holds(const brute_table *t, const brute_mondrian *m, const brute_rows *region);

/* Is there any way to divide the region by a column, so that the halves hold and one of them is
 * narrower: numbers at any place, or one value below the common one from the others? */
bool brute_mondrian_can_cut(const brute_table *t, const brute_mondrian *m,
                            const brute_rows *region);

#endif
