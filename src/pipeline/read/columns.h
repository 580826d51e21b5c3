/* What is known about the columns of a table that was just read. */
#ifndef MGL_PIPELINE_READ_COLUMNS_H
#define MGL_PIPELINE_READ_COLUMNS_H

#include "io/io.h"
#include "job/job.h"
#include "suggest/suggest.h"

/* Why a column is no column of numbers or dates although nearly all its values are
 * (mgl_nearly_all). */
typedef struct mgl_slip {
    enum {
        MGL_SLIP_NONE,
        MGL_SLIP_NUMBER, /* `value` is no number */
        MGL_SLIP_DATE,   /* `value` is no date */
        MGL_SLIP_ORDER   /* nothing tells the order of day and month */
    } kind;
    mgl_span value; /* the first such value; the dictionary owns it */
} mgl_slip;

mgl_slip mgl_slip_find(const mgl_column *column);

/* Spells the first n columns of another table as those of the one that was read first, where
 * spellings do not tell values apart. */
mgl_status mgl_spell_alike(const mgl_settings *settings, const mgl_table *first, mgl_table *other,
                           size_t n, mgl_error *err);

/* Suggests a hierarchy for the values of a column of a table, which are of this kind. Free with
 * mgl_suggestion_free. */
mgl_status mgl_suggest_values(const mgl_table *table, const mgl_column *column, mgl_said_kind kind,
                              mgl_error *err, mgl_suggestion *out);
/* Suggests a hierarchy for a column of a table, which is of the kind that the job says. Free with
 * mgl_suggestion_free. */
mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out);

#endif
