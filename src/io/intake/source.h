/* What each kind of source and sink provides. */
#ifndef MGL_IO_INTAKE_SOURCE_H
#define MGL_IO_INTAKE_SOURCE_H

#include "io/io.h"

/* The second pass is either rewind and next, or each. */
typedef struct mgl_source_operations {
    /* Fills name, dialect, columns and state of the source. On failure close is called. */
    mgl_status (*open)(mgl_source *source, const char *location, mgl_error *err);
    void (*close)(mgl_source *source);
    /* The columns of the table have names, roles and empty dictionaries. */
    mgl_status (*read)(mgl_source *source, mgl_table *table, mgl_pool *pool,
                       const mgl_progress *progress, mgl_error *err);
    mgl_status (*rewind)(mgl_source *source, mgl_error *err);
    mgl_status (*next)(mgl_source *source, mgl_error *err, mgl_records *out);
    /* Several blocks of records at a time, as mgl_source_share has it; NULL: one after another. */
    mgl_status (*share)(mgl_source *source, unsigned threads, mgl_error *err);
    size_t (*plan)(mgl_source *source);
    void (*cut)(mgl_source *source, size_t block);
    mgl_status (*settle)(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                         size_t *n);
    mgl_status (*each)(mgl_source *source, mgl_records_fn *visit, void *context, mgl_error *err);
    /* The line that a row, counted from 0, begins on; NULL: rows have no lines. */
    mgl_status (*line)(mgl_source *source, size_t row, mgl_error *err, uint64_t *out);
    /* As mgl_source_unchanged; NULL: it cannot change, or nobody could tell. */
    mgl_status (*unchanged)(mgl_source *source, mgl_error *err);
    /* As read, but a counted table; NULL: it cannot count. */
    mgl_status (*count)(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                        mgl_error *err);
    /* As mgl_source_regroup and, into an empty table of one column, mgl_source_count_others. */
    mgl_status (*regroup)(mgl_source *source, const mgl_value_levels *columns, size_t n,
                          uint64_t least, const char *target, const mgl_progress *progress,
                          mgl_error *err);
    mgl_status (*count_others)(mgl_source *source, const mgl_value_levels *listed,
                               const char *target, mgl_table *table, const mgl_progress *progress,
                               mgl_error *err);
    /* As mgl_source_filters and mgl_source_filter; NULL: it cannot. */
    bool (*filters)(const mgl_source *source);
    mgl_status (*filter)(mgl_source *source, const mgl_cell_filter *filter, mgl_error *err,
                         uint64_t *n_rows);
    const mgl_push_operations *push; /* NULL: it cannot write */
    /* The files that are read beside the one named; NULL: none. What cannot be found out is left
     * out: opening the source will tell why. */
    mgl_status (*each_file)(const char *path, mgl_file_fn *visit, void *context, mgl_error *err);
    bool streams; /* read hands rows to the sink of the source, if there is one */
    bool lasts;   /* what next gives lives until the call after the next one */
} mgl_source_operations;

typedef struct mgl_sink_operations {
    /* Refuses a location that cannot be written, before anything is read; NULL: all can. */
    mgl_status (*check)(const char *location, mgl_error *err);
    mgl_status (*write)(const mgl_format *format, const mgl_sink_order *order, mgl_error *err);
} mgl_sink_operations;

/* Of a source that makes one block of records at a time, ahead of who works on them. */
typedef struct mgl_records_ahead {
    mgl_wave_block block;
    mgl_status status;
    mgl_error error;
} mgl_records_ahead;

struct mgl_source {
    const mgl_format *format;
    const mgl_source_operations *operations;
    const mgl_source_options *options;
    const char *name; /* owned by state */
    uint64_t size;    /* bytes, as far as known; else 0 */
    mgl_dialect dialect;
    mgl_map *columns;             /* their names, numbered by position */
    const mgl_column_meta *meta;  /* [columns], owned by state; NULL: nothing is known */
    bool *kept;                   /* [columns] those of the last first pass; NULL: there was none */
    const mgl_row_sink *sink;     /* of the read at work; NULL: all rows are kept */
    size_t unnamed;               /* the first column whose name was made up, from 1; 0: none */
    uint64_t unnamed_line;        /* and the line of the header */
    bool numbered;                /* there is no header: columns are called by their numbers */
    bool headerless;              /* and it was judged so: the job does not state it */
    bool hashes;                  /* the bytes of the file are hashed while they are read */
    char sha256[MGL_SHA256_TEXT]; /* of a read; "": none */
    mgl_arrow_table *arrow;       /* the table behind it, in memory; NULL: there is none */
    mgl_records_ahead ahead;
    const mgl_row_choice *chosen; /* rows that are read; NULL: all of them */
    uint64_t n_passed;            /* of the second pass: rows so far, chosen or not */
    unsigned count_level;         /* of the count at work: one combination in 2^level is kept */
    mgl_wave_block *sifted;       /* [MGL_WAVE_BLOCKS] what settle hands out then */
    void *state;
};

/* Names the next column. MGL_DATA if another one has the name. */
mgl_status mgl_source_add_column(mgl_source *source, mgl_span name, uint64_t line, mgl_error *err);

/* The same with a name from a header: an empty one is refused, or made if the options allow it. */
mgl_status mgl_source_name_column(mgl_source *source, mgl_span given, uint64_t line,
                                  mgl_error *err);

#endif
