/* Columns as numbers, for what is compared by distance. Inside the room only. */
#ifndef MGL_COMMAND_LINK_NUMBER_COLUMNS_H
#define MGL_COMMAND_LINK_NUMBER_COLUMNS_H

#include "pipeline/pipeline.h"

typedef enum mgl_number_kind {
    MGL_KIND_UNKNOWN, /* not known yet */
    MGL_KIND_NUMBERS,
    MGL_KIND_DATES
} mgl_number_kind;

/* The texts as numbers, dates in days: NAN for the missing one (MGL_NOT_FOUND: there is none),
 * INFINITY for "*". False if one is no number, or not of the kind of the others; *kind becomes
 * theirs. */
bool mgl_numbers_of(const mgl_span *texts, uint32_t n, uint32_t missing,
                    const mgl_notation *notation, double *numbers, mgl_number_kind *kind);
/* The same of a dictionary; the caller frees *numbers, also on failure. */
mgl_status mgl_numbers_of_dictionary(const mgl_dictionary *dictionary, mgl_error *err,
                                     mgl_number_kind *kind, double **numbers, bool *all);

/* Mean, variance and range of the numbers of a column. */
typedef struct mgl_moments {
    double rows, mean, squares; /* sum of the squared distances from the mean */
    double least, most;
    bool seen;
} mgl_moments;
void mgl_moments_add(mgl_moments *spread, double number, double rows);
/* The standard deviation; 1 if all are equal. */
double mgl_moments_unit(const mgl_moments *spread);

#endif
