/* What is promised of the columns and rows of each feature, and its judge. */
#ifndef MGL_VERIFY_FEATURE_JUDGES_H
#define MGL_VERIFY_FEATURE_JUDGES_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "items/items.h"
#include "treat/treat.h"
#include "verify/judge.h"

/* A quasi-identifier of the release that is aggregated: rows that are equal in all
 * quasi-identifiers show what stands for the values that they had. */
typedef struct mgl_promised_aggregate {
    size_t attribute; /* its place among the top columns below */
    mgl_aggregate function;
    const mgl_column *raw;          /* as it was read */
    const mgl_hierarchy *hierarchy; /* of its values */
    const uint32_t *leaf_of_code;
} mgl_promised_aggregate;

extern const mgl_judge mgl_aggregate_judge; /* of mgl_promised_aggregate */

/* The household of each row of the release. */
typedef struct mgl_promised_households {
    const mgl_column *of_row;
} mgl_promised_households;

extern const mgl_judge mgl_households_judge; /* of one mgl_promised_households */

/* A column of the release that follows others: rows that are equal in these are equal in it. */
typedef struct mgl_promised_link {
    size_t column;       /* of the release */
    const size_t *leads; /* [n_leads] likewise */
    size_t n_leads;
    /* What was found: */
    uint64_t values; /* different ones */
    bool broken;     /* rows that are equal in the others differ in it */
} mgl_promised_link;

extern const mgl_judge mgl_linked_judge; /* of mgl_promised_link */

/* Looks at every row of a release, and records of each link whether it holds. */
mgl_status mgl_verify_links(mgl_source *source, mgl_promised_link *links, size_t n, mgl_pool *pool,
                            const mgl_progress *progress, mgl_error *err);

/* The cells of the columns of strata as the rows of the release had them in the table. */
typedef struct mgl_promised_strata {
    const mgl_column *const *columns; /* [n_by] in the order of the release; without codes: unknown
                                       */
    bool as_texts;                    /* the release has these cells letter by letter */
} mgl_promised_strata;

extern const mgl_judge mgl_strata_judge; /* of one mgl_promised_strata */

/* Each combination of all cells of a row of the release is that of so many rows, and each column of
 * the release, in their order, has cells of one level. */
typedef struct mgl_promised_rows {
    uint64_t k;
    const mgl_level *const *levels; /* [columns of the release]; NULL: formats write cells in their
                                       own way */
} mgl_promised_rows;

extern const mgl_judge mgl_whole_rows_judge; /* of mgl_promised_rows */

/* What a perturbed column of a release keeps of what it was. */
typedef struct mgl_perturbed_figures {
    bool judged;
    double distance;      /* half the sum of what the shares of values differ by; 0: none */
    bool measured;        /* its values are numbers: */
    double before, after; /* their standard deviation */
    /* [n_with] correlations, and by how many standard errors the covariance is off that before and
     * of the noise; NAN: unknown, not judged. NULL: not asked for. */
    double *with_before, *with_after, *with_errors;
} mgl_perturbed_figures;

/* A treated column of the release. */
typedef struct mgl_promised_treat {
    size_t column; /* of the release */
    const mgl_treat *treat;
    const mgl_notation *notation; /* of its numbers; NULL: unknown */
    const mgl_column *raw;        /* as it was read; NULL: unknown */
    const mgl_column *plain;      /* where it is perturbed: as it was before; else NULL */
    /* Where its noise is correlated with that of others: these, by their offsets in the promise. */
    const size_t *with; /* [n_with] */
    size_t n_with;
    const mgl_column *persons; /* of the rows of the table; optional */
    size_t n_rows;             /* of the table */
    uint64_t most_values;      /* that there can be; UINT64_MAX: unknown */
    bool all_values;           /* each of them must be there */
    /* What was found: */
    uint64_t values;              /* different ones, missing cells aside */
    const mgl_treat_step *broken; /* whose promise some value breaks; NULL: none */
    mgl_perturbed_figures found;
} mgl_promised_treat;

extern const mgl_judge mgl_treat_judge; /* of mgl_promised_treat */

/* How the treated columns of a source are read. */
typedef struct mgl_treated_reading {
    const mgl_span *missing; /* cells that mean missing */
    size_t n_missing;
    mgl_span no_value; /* what null reads as */
    bool neutralized;
    mgl_pool *pool;
    const mgl_progress *progress;
} mgl_treated_reading;

/* Looks at every value of the treated columns of a release, and records in `promised` what was
 * found. */
mgl_status mgl_verify_treated(mgl_source *source, const mgl_treated_reading *how,
                              mgl_promised_treat *promised, size_t n, mgl_error *err);

/* What was found about the combinations of at most m items that rows show. */
typedef struct mgl_items_found {
    uint64_t items;        /* different ones */
    uint64_t combinations; /* different ones, those of each class counted apart */
    uint64_t least;        /* rows, or persons, of the rarest; 0: there are none */
    uint64_t rare;         /* combinations of fewer than k */
    uint64_t strange;      /* items that are none of those that may be there */
} mgl_items_found;

/* The column of the release that has sets of items. */
typedef struct mgl_promised_items {
    size_t column; /* of the release */
    uint64_t k;
    unsigned m;
    bool within; /* in each class of rows whose quasi-identifiers are equal */
    mgl_item_cutting cutting;
    const mgl_item_tree *tree; /* what may be there; NULL: unknown */
    mgl_items_found found;
} mgl_promised_items;

extern const mgl_judge mgl_items_judge; /* of one mgl_promised_items */

/* Rows whose items are judged. */
typedef struct mgl_item_rows {
    const mgl_column *column; /* of the items */
    size_t n_rows;
    const mgl_column *const *alike; /* [n_alike] rows that are equal in these are a class; none: all
                                       rows are one */
    size_t n_alike;
    const uint32_t *persons; /* [n_rows] NULL: every row is one */
    bool neutralized;
    mgl_span no_value; /* what null reads as */
    mgl_pool *pool;
} mgl_item_rows;
/* Enumerates all combinations. MGL_USAGE, before anything is enumerated, if there are too many. */
mgl_status mgl_verify_items(const mgl_item_rows *rows, mgl_promised_items *promised,
                            mgl_error *err);

#endif
