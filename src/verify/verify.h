/* verify: the independent check of a written release.
 *
 * It reads the file back and tests every promise on the text it finds there. It counts by
 * sorting and shares nothing with the searches but the reader and the definitions of the
 * models.
 */
#ifndef MGL_VERIFY_H
#define MGL_VERIFY_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "items/items.h"
#include "privacy/privacy.h"
#include "table/table.h"
#include "treat/treat.h"

/* A quasi-identifier of the release and the models promised on it. */
typedef struct mgl_promised_set {
    const size_t *columns; /* columns of the release */
    size_t n_columns;
    const mgl_model *models;
    size_t n_models;
    const mgl_column *pasts; /* of the rows: those that look alike are distinguished by it; NULL:
                                there are no earlier releases */
} mgl_promised_set;

/* The population that released tuples are matched with. */
typedef struct mgl_promised_population {
    const mgl_column *const *columns;        /* [attribute], as in top_columns below */
    const mgl_hierarchy *const *hierarchies; /* [attribute] */
    const uint32_t *const *leaf_of_code;     /* [attribute] */
    size_t n_rows;
    const uint64_t *times; /* [n_rows] how often each counts; NULL: once */
} mgl_promised_population;

/* A treated column of the release. */
typedef struct mgl_promised_treat {
    size_t column; /* of the release */
    const mgl_treat *treat;
    const mgl_notation *notation; /* of its numbers; NULL: unknown */
    const mgl_column *raw;        /* as it was read; NULL: unknown */
    const mgl_column *persons;    /* of the rows of the table; optional */
    size_t n_rows;                /* of the table */
    uint64_t most_values;         /* that there can be; UINT64_MAX: unknown */
    bool all_values;              /* each of them must be there */
    /* What was found: */
    uint64_t values;              /* different ones, missing cells aside */
    const mgl_treat_step *broken; /* whose promise some value breaks; NULL: none */
} mgl_promised_treat;

/* A column of the release that follows others: rows that are equal in these are equal in it. */
typedef struct mgl_promised_link {
    size_t column;       /* of the release */
    const size_t *leads; /* [n_leads] likewise */
    size_t n_leads;
    /* What was found: */
    uint64_t values; /* different ones */
    bool broken;     /* rows that are equal in the others differ in it */
} mgl_promised_link;

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

/* A quasi-identifier of the release that is aggregated: rows that are equal in all
 * quasi-identifiers show what stands for the values that they had. */
typedef struct mgl_promised_aggregate {
    size_t attribute; /* its place among the top columns below */
    mgl_aggregate function;
    const mgl_column *raw;          /* as it was read */
    const mgl_hierarchy *hierarchy; /* of its values */
    const uint32_t *leaf_of_code;
} mgl_promised_aggregate;

/* The cells of the columns of strata as the rows of the release had them in the table. */
typedef struct mgl_promised_strata {
    const mgl_column *const *columns; /* one pointer to [n_by] in the order of the release, which is
                                         there once the rows are written; to NULL: unknown */
    bool as_texts;                    /* the release has these cells letter by letter */
} mgl_promised_strata;

typedef struct mgl_promise mgl_promise;

/* Judges what is promised beside models: one feature of the job, in a file that shares nothing with
 * those that make it. */
typedef struct mgl_judge {
    /* Judges the rows that were read for the models, of which then no two are merged; optional. */
    mgl_status (*rows)(const char *name, const mgl_table *table, const mgl_promise *promise,
                       const void *promised, size_t n, mgl_error *err);
    /* Reads what it needs of the release, and notes in `promised` what was found; optional. */
    mgl_status (*release)(mgl_source *source, const mgl_promise *promise, void *promised, size_t n,
                          mgl_pool *pool, const mgl_progress *progress, mgl_error *err);
} mgl_judge;

extern const mgl_judge mgl_aggregate_judge, /* of mgl_promised_aggregate */
    mgl_items_judge,                        /* of one mgl_promised_items */
    mgl_linked_judge,                       /* of mgl_promised_link */
    mgl_strata_judge,                       /* of one mgl_promised_strata */
    mgl_treat_judge;                        /* of mgl_promised_treat */

/* MGL_SYSTEM of the judge if the release breaks it. */
typedef struct mgl_further_promise {
    const mgl_judge *judge;
    void *promised; /* [n] what the judge is of; owned by the caller */
    size_t n;
} mgl_further_promise;

struct mgl_promise {
    const char *const *names; /* columns the release must have, in order */
    size_t n_names;
    uint64_t n_rows;
    const mgl_promised_set *sets;
    size_t n_sets;
    /* Models hold on each combination of so many columns of a set; 0: on all of them together. */
    size_t combination;
    /* A cell at the top matches every value: models, of which only those of class sizes can be
     * asked, judge the rows that match a row instead of those that are equal to it. */
    bool tops_match;
    /* Rows whose quasi-identifier cells are all at the top, but for those of strata, are not
     * judged, unless all rows of their stratum are such. */
    bool exempt_top;
    const size_t *top_columns; /* columns of the release that are quasi-identifiers */
    const mgl_span *tops;      /* [n_tops] the labels of the tops of these columns */
    size_t n_tops;
    /* Columns that define strata, each of which holds on its own: the first n_by of these, and
     * of every set. */
    size_t n_by;
    /* Sensitive columns of the release and, for their codes, those of the input. */
    const size_t *sensitive_columns;
    const mgl_column *const *sensitive;
    const mgl_cell_rule *rules; /* [n_sensitive] which cells of these are one value */
    size_t n_sensitive;
    const uint32_t *persons; /* [n_rows] the person of each row, in the order of the release;
                                NULL: every row is a person of its own */
    /* Persons are judged by all their rows together, and those whose rows look alike are a class;
     * otherwise rows are judged one by one. */
    bool joined;
    /* The column of the release that identifies persons; NULL: it is not released. */
    const size_t *person_column;
    /* The column of the release with the number of records that a row stands for, and how many
     * records there are in all; NULL: each row is one. */
    const size_t *count_column;
    uint64_t n_records;
    const mgl_promised_population *population; /* NULL: none */
    const uint64_t *weights; /* [n_rows] what each row weighs, in the order of the release, in the
                                unit that the models know; NULL: rows weigh nothing */
    const uint32_t *households;         /* [n_rows] likewise; NULL: no model looks at them */
    const mgl_further_promise *further; /* [n_further] */
    size_t n_further;
    const uint32_t *source_rows; /* [n_rows] which row of the table each row of the release was;
                                    optional */
    bool neutralized;            /* cells that read as formulas were given an apostrophe */
    bool unhashed;               /* sha256 of the file is not asked for */
    mgl_span no_value;           /* what null counts as in a digest of rows */
    uint64_t memory;             /* bytes to work in, where that can be chosen; 0: a default */
    mgl_source_options source;   /* how to read the release; its missing tokens hold for
                                    sensitive columns only */
};

/* What was read. sha256 is "" if it was not asked for, or if the bytes of the file were not
 * read as they are (packed). */
typedef struct mgl_verified {
    uint64_t bytes;
    char sha256[MGL_SHA256_TEXT];
    char rows_sha256[MGL_SHA256_TEXT]; /* digest of the rows of a table in memory */
} mgl_verified;

/* Reads the release at path and judges it. found has one entry per model of each set, in
 * order. MGL_OK also if a model does not hold; MGL_SYSTEM if the file is not the table it
 * should be (columns, number of rows). verified may be NULL. */
mgl_status mgl_verify(const char *path, const mgl_promise *promise, mgl_pool *pool,
                      const mgl_progress *progress, mgl_error *err, mgl_found *found,
                      mgl_verified *verified);

/* The same of a release in memory, through the stream that others get of it, which is read to its
 * end and released. Cells that are null differ from all texts. */
mgl_status mgl_verify_stream(struct ArrowArrayStream *stream, const mgl_promise *promise,
                             mgl_pool *pool, const mgl_progress *progress, mgl_error *err,
                             mgl_found *found, mgl_verified *verified);

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
 * found.
 */
mgl_status mgl_verify_treated(mgl_source *source, const mgl_treated_reading *how,
                              mgl_promised_treat *promised, size_t n, mgl_error *err);

/* Looks at every row of a release, and records of each link whether it holds. */
mgl_status mgl_verify_links(mgl_source *source, mgl_promised_link *links, size_t n, mgl_pool *pool,
                            const mgl_progress *progress, mgl_error *err);

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

/* Judges a table that is read or counted already: its first n_tops columns are the
 * quasi-identifiers, the sensitive ones follow. */
mgl_status mgl_verify_table(const mgl_table *table, const mgl_promise *promise, mgl_error *err,
                            mgl_found *found);

#endif
