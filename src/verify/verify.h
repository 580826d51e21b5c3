/* verify: the independent check of a written release.
 *
 * It reads the file back and tests every promise on the text it finds there. It counts by sorting
 * and shares nothing with the searches but the reader and the definitions of the models. */
#ifndef MGL_VERIFY_H
#define MGL_VERIFY_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "privacy/privacy.h"
#include "table/table.h"
#include "verify/feature_judges.h"

/* A quasi-identifier of the release and the models promised on it. */
typedef struct mgl_promised_set {
    const size_t *columns; /* columns of the release */
    size_t n_columns;
    const mgl_model *models;
    size_t n_models;
    const mgl_column *histories; /* of the rows: those that look alike are distinguished by it;
                                NULL: there are no earlier releases */
} mgl_promised_set;

/* The population that released tuples are matched with. */
typedef struct mgl_promised_population {
    const mgl_column *const *columns;        /* [attribute], as in top_columns below */
    const mgl_hierarchy *const *hierarchies; /* [attribute] */
    const uint32_t *const *leaf_of_code;     /* [attribute] */
    size_t n_rows;
    const uint64_t *times; /* [n_rows] how often each counts; NULL: once */
} mgl_promised_population;

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
    const uint32_t *node; /* [attribute of the population] the level of its cells; NULL: several */
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
    struct {
        const uint32_t *of_row; /* [n_rows] in the order of the release; NULL: every row is one */
        /* They are judged by all their rows together, and those whose rows look alike are a class;
         * otherwise rows are judged one by one. */
        bool joined;
        const size_t *column; /* of the release, which identifies them; NULL: it is left out */
    } persons;
    struct {
        const size_t *column; /* of the release: how many records a row stands for; NULL: of one */
        uint64_t n;           /* records in all */
    } records;
    const mgl_promised_population *population; /* NULL: none */
    struct { /* each row adds so many persons, in the unit of the models, to those of its class */
        const mgl_column *of_row; /* of the release; NULL: none */
        const uint64_t *persons;  /* [code] */
    } weights;
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

/* Judges a table that is read or counted already: its first n_tops columns are the
 * quasi-identifiers, the sensitive ones follow. */
mgl_status mgl_verify_table(const mgl_table *table, const mgl_promise *promise, mgl_error *err,
                            mgl_found *found);

#endif
