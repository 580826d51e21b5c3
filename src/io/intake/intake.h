/* intake: what sources are made of: what each kind of source and sink provides, the header of a
 * table, codes of cells, counted tables, and rows that a source makes cell by cell. */
#ifndef MGL_IO_INTAKE_H
#define MGL_IO_INTAKE_H

#include "io/io.h"

/* For sources that are not text: the source puts cell after cell. Every so many rows they are
 * handed on: in the first pass to the coders of the requested columns, in the second as records. */
typedef struct mgl_intake mgl_intake;

/* Makes all rows of a source: mgl_intake_put for each cell. Its failures are what the pass
 * fails with. */
typedef mgl_status mgl_produce_fn(mgl_source *source, mgl_intake *intake, mgl_error *err);

/* The first pass is either read, or produce; the second either rewind and next, or produce. */
typedef struct mgl_source_operations {
    /* Fills name, dialect, columns and state of the source. On failure close is called. */
    mgl_status (*open)(mgl_source *source, const mgl_location *location, mgl_error *err);
    void (*close)(mgl_source *source);
    /* MGL_DATA if requested columns cannot be read or counted as what they are; NULL: all can. */
    mgl_status (*check)(const mgl_source *source, const mgl_table *table, mgl_error *err);
    /* The columns of the table have names, roles and empty dictionaries. */
    mgl_status (*read)(mgl_source *source, mgl_table *table, mgl_pool *pool,
                       const mgl_progress *progress, mgl_error *err);
    mgl_produce_fn *produce;
    mgl_status (*rewind)(mgl_source *source, mgl_error *err);
    mgl_status (*next)(mgl_source *source, mgl_error *err, mgl_records *out);
    /* Several blocks of records at a time, as mgl_source_share has it; NULL: one after another. */
    mgl_status (*share)(mgl_source *source, unsigned threads, mgl_error *err);
    size_t (*plan)(mgl_source *source);
    void (*cut)(mgl_source *source, size_t block);
    mgl_status (*settle)(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                         size_t *n);
    /* The line that a row, counted from 0, begins on; NULL: rows have no lines. */
    mgl_status (*line)(mgl_source *source, size_t row, mgl_error *err, uint64_t *out);
    /* As mgl_source_unchanged; NULL: it cannot change, or that cannot be found out. */
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
     * out: opening the source reports why. */
    mgl_status (*each_file)(const char *path, mgl_file_fn *visit, void *context, mgl_error *err);
    bool streams; /* read passes rows to the sink of the source, if there is one */
    bool lasts;   /* what next gives lives until the call after the next one */
} mgl_source_operations;

typedef struct mgl_sink_operations {
    /* Refuses a location that cannot be written, before anything is read; NULL: all can. */
    mgl_status (*check)(const mgl_location *location, mgl_error *err);
    mgl_status (*write)(const mgl_format *format, const mgl_sink_request *order, mgl_error *err);
} mgl_sink_operations;

/* Of a source that makes one block of records at a time, ahead of the threads that work on them. */
typedef struct mgl_records_ahead {
    mgl_wave_block block;
    mgl_status status;
    mgl_error error;
} mgl_records_ahead;

struct mgl_source {
    const mgl_format *format;
    const mgl_source_operations *operations;
    const mgl_source_options *options;
    const char *name;    /* owned by state */
    uint64_t size;       /* bytes, as far as known; else 0 */
    uint64_t n_rows;     /* that produce will make, about; 0: not known */
    mgl_text_file *text; /* that is read; NULL: the source is another one */
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
    mgl_arrow_table *arrow;       /* the table behind it, in memory; NULL if absent */
    mgl_records_ahead ahead;
    const mgl_row_choice *chosen; /* rows that are read; NULL: all of them */
    uint64_t n_passed;            /* of the second pass: rows so far, chosen or not */
    unsigned count_level;         /* of the count at work: one combination in 2^level is kept */
    mgl_wave_block *sifted;       /* [MGL_WAVE_BLOCKS] what settle returns then */
    void *state;
};

/* Names the next column. MGL_DATA if another one has the name. */
mgl_status mgl_source_add_column(mgl_source *source, mgl_span name, uint64_t line, mgl_error *err);

/* The same with a name from a header: an empty one is refused, or made if the options allow it. */
mgl_status mgl_source_name_column(mgl_source *source, mgl_span given, uint64_t line,
                                  mgl_error *err);

/* The first lines of a table, each cell as what the judgement needs of it. */
typedef struct mgl_first_lines mgl_first_lines;

/* For lines of so many cells. Free with mgl_first_lines_free. */
mgl_status mgl_first_lines_new(const mgl_source_options *options, size_t n_columns, mgl_error *err,
                               mgl_first_lines **out);
void mgl_first_lines_free(mgl_first_lines *lines);
/* A cell of the current line, the first line first. Cells that are not given are missing, and those
 * of further columns are left out. */
void mgl_first_lines_put(mgl_first_lines *lines, size_t column, mgl_span text);
/* The line is complete; false: no more lines are needed. */
bool mgl_first_lines_next(mgl_first_lines *lines);

/* Decides by the lines, and by the columns that the job names, whether the first one is a record
 * (*out). MGL_USAGE if that is doubtful: the job has to state it. The line is not quoted. */
mgl_status mgl_first_lines_judge(const mgl_first_lines *lines, const char *table, uint64_t line,
                                 mgl_error *err, bool *out);

/* The code of a value in its column, new or not, or that of missing cells if it is one of their
 * tokens. MGL_NOT_FOUND when memory is out. */
uint32_t mgl_code_of_value(const mgl_column *column, const mgl_source_options *options,
                           mgl_span value);

/* Puts n codes behind the rows of the column, in its width, which grows with its dictionary. False
 * when memory is out. */
bool mgl_codes_store(mgl_column *column, size_t rows, const uint32_t *codes, size_t n);

typedef struct mgl_coder mgl_coder;

/* Codes the column by the options; both must outlive the coder. NULL when memory is
 * out; free with mgl_coder_free. */
mgl_coder *mgl_coder_new(mgl_column *column, const mgl_source_options *options);
void mgl_coder_free(mgl_coder *coder);

/* Makes room for about so many rows. */
bool mgl_coder_expect(mgl_coder *coder, size_t rows);

/* Appends the codes of n records from first on. False when memory is out. */
bool mgl_coder_run(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n);

/* Forgets the codes of the rows so far; what they mean stays the same. */
void mgl_coder_empty(mgl_coder *coder);

/* Gives back room that was not needed. */
void mgl_coder_finish(mgl_coder *coder);

/* First the blocks are gone through, apart, by different threads: rows whose values are all known
 * get their codes. Then the columns, apart: what is left is learnt, in the order of the rows, so
 * that values are numbered as they occur. */
typedef struct mgl_block_coding {
    mgl_coder **coders;
    size_t n_coders;
    const mgl_wave_block *blocks;
    size_t n_blocks;
    size_t first[MGL_WAVE_BLOCKS + 1]; /* row of each block, and after the last one */
    bool *known[MGL_WAVE_BLOCKS];      /* [chunk of rows][column] */
    size_t room[MGL_WAVE_BLOCKS];      /* of known */
    bool *learns;                      /* [column] much was new lately: it is not tried */
    bool *failed;                      /* [column] memory is out */
} mgl_block_coding;

mgl_status mgl_block_coding_init(mgl_block_coding *coding, mgl_coder **coders, size_t n_coders,
                                 mgl_error *err);
void mgl_block_coding_free(mgl_block_coding *coding);

/* Blocks whose rows follow rows_before others. */
mgl_status mgl_block_coding_begin(mgl_block_coding *coding, const mgl_wave_block *blocks, size_t n,
                                  size_t rows_before, mgl_error *err);
void mgl_block_coding_try(mgl_block_coding *coding, size_t block);
/* Is anything left to be learnt? */
bool mgl_block_coding_lacks(const mgl_block_coding *coding);
void mgl_block_coding_learn(mgl_block_coding *coding, size_t column);
/* The number of rows that all coders have now. */
mgl_status mgl_block_coding_end(mgl_block_coding *coding, mgl_error *err, size_t *n_rows);

typedef struct mgl_counted {
    mgl_table *table; /* with columns and without rows */
    const mgl_source_options *options;
    size_t n_labels; /* the first so many columns hold labels of groups: all that is missing has the
                        first token there, and other tokens are labels */
    unsigned level;  /* one group in 2^level is kept, drawn by a hash of its cells */
    size_t room;     /* of table->times */
} mgl_counted;

/* One group: its cells (data NULL: no value) in the order of the columns, and how many records it
 * stands for. Groups may repeat. False when memory is out. */
bool mgl_counted_add(mgl_counted *counted, const mgl_span *cells, uint64_t times);

/* The same in two steps: the code of a cell, MGL_NOT_FOUND when memory is out, and a group by the
 * codes of its cells. */
uint32_t mgl_counted_code(const mgl_counted *counted, size_t column, mgl_span cell);
bool mgl_counted_add_codes(mgl_counted *counted, const uint32_t *codes, uint64_t times);

/* Numbers the values of each column by their bytes: engines give groups in any order, and equal
 * data has equal codes. False when memory is out. */
bool mgl_counted_finish(mgl_counted *counted);

/* Opens the text of the source, which has its name and size and is closed with it. */
mgl_status mgl_source_open_text(mgl_source *source, const char *path, mgl_error *err);

/* Opens a regular file; *fd is -1 or open after a failure, too: close it in any case. */
mgl_status mgl_regular_open(const char *path, mgl_error *err, int *fd, mgl_file_state *state);

/* MGL_DATA if it is not what it was when it was opened. */
mgl_status mgl_regular_unchanged(int fd, const mgl_file_state *state, const char *path,
                                 mgl_error *err);

/* First pass: the columns of the table get their codes. */
mgl_status mgl_intake_read(mgl_source *source, mgl_table *table, const mgl_progress *progress,
                           mgl_error *err);

/* Second pass: the records, quoted by the dialect of the source. */
mgl_status mgl_intake_each(mgl_source *source, mgl_records_fn *visit, void *context,
                           mgl_error *err);

/* Of the pass at work; NULL: it is the second. */
const mgl_progress *mgl_intake_progress(const mgl_intake *intake);
/* Whether this pass needs the column. A cell of one that it does not need may be left empty. */
bool mgl_intake_wants(const mgl_intake *intake, size_t column);
/* Codes that a file declares to be missing have no value where they are counted, in both passes;
 * in columns that are only copied they stay. */
bool mgl_intake_hides_missing(const mgl_intake *intake, size_t column);

/* The next cell of the row, from left to right; after the last one the row is complete. A NUL
 * byte or what is not UTF-8 is refused, with the row and the column. */
mgl_status mgl_intake_put(mgl_intake *intake, mgl_span cell, mgl_error *err);

/* All rows of a private file (mgl_cells_put): for sources that take long to read, so that only the
 * first pass has to. */
mgl_status mgl_intake_put_spooled(mgl_intake *intake, int rows, mgl_error *err);

#endif
