/* pipeline/session: a table that is opened once, with what was derived from it. Jobs borrow
 * columns, hierarchies and frequency lists from a session, and what one of them needed the next one
 * finds. A job that names files has a session of its own, which opens when the job reads its table.
 *
 * Keys: a column is kept under the number of its table, its own number, how its cells are coded and
 * which rows were chosen; a hierarchy under the number of its column and its builder, or its file
 * and what is in that file now; leaves of codes, released columns, frequency lists, costs of cells
 * and answers to queries under the numbers of what they were made of. A table that an engine
 * counted, or that is read through a window, is kept as a whole. */
#ifndef MGL_PIPELINE_SESSION_H
#define MGL_PIPELINE_SESSION_H

#include "io/io.h"
#include "job/job.h"

/* A table that was opened: the one of the session, or another one that its jobs name. */
typedef struct mgl_opened {
    mgl_source *source;
    mgl_source_options options;   /* with which it was opened */
    uint64_t number;              /* of its columns in keys */
    const mgl_row_choice *chosen; /* rows that the job at work is about; NULL: all */
    uint64_t chosen_number;       /* of these in keys; 0: all */
    uint64_t n_chosen;            /* how many, if not all */
    bool was_read;                /* so that the number of rows is known: */
    size_t n_rows;
} mgl_opened;

struct mgl_session {
    mgl_job *job; /* that it was opened with, a copy; NULL: the session is one job's */
    const mgl_settings *settings; /* of that job */
    mgl_opened *data;             /* NULL: not opened yet */
    bool used;                    /* something was read of it */
    bool spent;                   /* its engine has changed what it gives */
    mgl_pool *pool;
    mgl_cache *cache;
    mgl_session_work work;
    struct mgl_queue *queue;
    mgl_allocator allocator; /* of all that it keeps */
    mgl_open_files *files;   /* in memory that are open between calls; NULL: the session is one
                                job's */
};

/* A session without a table: the first job that reads one opens it. End with mgl_session_end. */
mgl_status mgl_session_begin(mgl_error *err, mgl_session **out);
/* The same for a session that outlives the call: it keeps the allocator of the call, and has files
 * in memory of its own. */
mgl_status mgl_session_begin_shared(mgl_error *err, mgl_session **out);
/* What holds for a call on such a session. */
mgl_call mgl_session_call(const mgl_session *session);
void mgl_session_end(mgl_session *session);

/* Opens the table of the session, unless it is open, and lets it be read as these settings say. */
mgl_status mgl_session_attach(mgl_session *session, const mgl_settings *settings, mgl_error *err);
/* After a job: its settings may go. */
void mgl_session_detach(mgl_session *session);

/* A job for which the engine of a database regroups or writes changes what the engine gives
 * afterwards: such a job begins with a table that is opened anew, and the next job does, too. Call
 * it before anything is borrowed. */
mgl_status mgl_session_spend(mgl_session *session, const mgl_settings *settings, mgl_error *err);

typedef enum mgl_table_mode {
    MGL_BY_COLUMN, /* rows, of which columns that were read before are not read again */
    MGL_COUNTED,   /* by the engine that has the table */
    MGL_IN_WINDOW  /* rows that need not fit into memory */
} mgl_table_mode;

typedef struct mgl_table_order {
    mgl_opened *opened;
    const mgl_column_request *requested; /* [n_requested] */
    size_t n_requested;
    mgl_table_mode mode;
    const mgl_settings *settings; /* progress, memory */
    mgl_cache_pins *pins;         /* of the job that needs it */
} mgl_table_order;

/* The requested columns in their order. The table shares them with others: a caller that changes
 * rows or values copies the column first (mgl_session_own_column). Free with mgl_table_free, before
 * the holds. */
mgl_status mgl_session_table(mgl_session *session, const mgl_table_order *order, mgl_error *err,
                             mgl_table **out);
/* The same for the caller alone, and nothing of it is kept. Not of tables that an engine counts.
 * Free with mgl_table_free. */
mgl_status mgl_session_read_apart(mgl_session *session, const mgl_table_order *order,
                                  mgl_error *err, mgl_table **out);
/* From now on the table of the session has these rows only; NULL and 0: all of them. number: what
 * distinguishes them from other choices. A choice without bits was made by the engine of the
 * source. */
void mgl_session_choose(mgl_session *session, const mgl_row_choice *chosen, uint64_t number);
/* Puts a copy into the place of a shared column. */
mgl_status mgl_session_own_column(mgl_session *session, mgl_table *table, size_t column,
                                  mgl_error *err);

/* Lets the dictionaries of a table report where values stand (mgl_dictionary_origin), for messages.
 * Free with mgl_free, after the table. */
typedef struct mgl_value_places mgl_value_places;
mgl_status mgl_places_new(mgl_source *source, mgl_table *table, mgl_error *err,
                          mgl_value_places **out);

/* Another table that a job names, opened as its own is read. */
mgl_status mgl_session_other(mgl_session *session, const char *location,
                             const mgl_settings *settings, mgl_cache_pins *pins, mgl_error *err,
                             mgl_opened **out);

/* Each adds to the key, so that different objects have different keys. */
void mgl_key_text(mgl_buffer *key, const char *text); /* NULL is none of the texts */
void mgl_key_number(mgl_buffer *key, uint64_t number);
/* A file or something in memory, and what is in it now. */
void mgl_key_file(mgl_buffer *key, const char *location);

/* Waits until all calls that came before are done. The listener of the job is asked meanwhile, and
 * may cancel. */
mgl_status mgl_session_enter(mgl_session *session, const mgl_progress *progress, mgl_error *err);
void mgl_session_leave(mgl_session *session);

#endif
