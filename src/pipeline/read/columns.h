/* What is known about the columns of a table that was just read. */
#ifndef MGL_PIPELINE_READ_COLUMNS_H
#define MGL_PIPELINE_READ_COLUMNS_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "job/job.h"
#include "pipeline/read/reading.h"
#include "suggest/suggest.h"

/* Why a column is no column of numbers or dates although nearly all its values are
 * (mgl_nearly_all). */
typedef struct mgl_slip {
    enum {
        MGL_SLIP_NONE,
        MGL_SLIP_NUMBER, /* `value` is no number */
        MGL_SLIP_DATE,   /* `value` is no date */
        MGL_SLIP_ORDER   /* the order of day and month is unclear */
    } kind;
    mgl_span value; /* the first such value; the dictionary owns it */
} mgl_slip;

mgl_slip mgl_slip_find(const mgl_column *column);

/* Spells the first n columns of another table as those of the one that was read first, where
 * spellings do not distinguish values. */
mgl_status mgl_spell_alike(const mgl_settings *settings, const mgl_table *first, mgl_table *other,
                           size_t n, mgl_error *err);

/* Suggests a hierarchy for a column of a table, which is of the kind that the job gives. Free with
 * mgl_suggestion_free. */
mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out);

/* Reads these columns, or has their values counted by the engine of the source, together: ask for
 * one at a time there. Free with mgl_table_free. */
mgl_status mgl_read_columns(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                            size_t n, mgl_error *err, mgl_table **out);
/* How many records have each value. Free with mgl_free. */
mgl_status mgl_count_values(const mgl_table *table, const mgl_column *column, mgl_error *err,
                            uint64_t **out);

/* As mgl_values_as_leaves, for a hierarchy file that is to be made for these values. */
mgl_status mgl_values_as_file(const char *spec, const mgl_column *column, const mgl_cell_rule *rule,
                              mgl_error *err, mgl_dictionary **out);

/* Does the result state how the values of a sensitive column belong together? Then this makes a
 * hierarchy of it, in which labels of groups are made up. */
bool mgl_claims_has_tree(const mgl_settings *settings, const char *column);
mgl_status mgl_claimed_hierarchy(const mgl_settings *settings, const mgl_column *column,
                                 const mgl_cell_rule *rule, mgl_error *err, mgl_hierarchy **out);
/* How the result states that the numbers or dates of a sensitive column are written: a word of
 * mgl_date_order_name, or plain, point or comma; NULL if it does not. */
const char *mgl_claimed_notation(const mgl_settings *settings, const char *column);
bool mgl_claimed_protects(const mgl_settings *settings, const char *column, uint32_t level,
                          mgl_span label);

#endif
