/* The steps of reading, and what is known about the columns of a table that was just read. */
#ifndef MGL_PIPELINE_READ_READING_STEPS_H
#define MGL_PIPELINE_READ_READING_STEPS_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "job/job.h"
#include "suggest/suggest.h"
#include "condition/condition.h"
#include "pipeline/read/reading.h"

/* Lets texts that mean missing be values in quasi-identifiers where cells are taken as they are and
 * the job gives a hierarchy that has them as labels. After the source is opened. */
mgl_status mgl_labels_differ(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

/* Fails for a column that the table lacks, and lists those it has. */
mgl_status mgl_column_unknown(const mgl_source *source, const char *name, mgl_error *err);

/* Warns of quasi-identifiers that are not what they seem: one slip makes text of a column of
 * numbers or dates, and decimal signs or the order of day and month can be unclear. */
void mgl_notations_note(mgl_reading *reading);

/* The same for quasi-identifier a alone, with the values of this column. */
void mgl_notation_note(mgl_reading *reading, size_t a, const mgl_column *column);

/* Finds the hierarchy of a column whose dictionary is complete: the one that the job gives, else a
 * proposed one, unless cells are taken as they are or no method of the job looks at it. */
mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err);

typedef enum mgl_tree_origin {
    MGL_TREE_OF_VALUES, /* values and * */
    MGL_TREE_GIVEN,     /* by a builder or a file */
    MGL_TREE_PROPOSED,
    MGL_TREE_OF_NOTHING /* a slice without rows: one arbitrary value and * */
} mgl_tree_origin;

/* A hierarchy that is wanted for the values of a column. */
typedef struct mgl_tree_request {
    const mgl_table *table; /* that has the column */
    const mgl_column *column;
    mgl_tree_origin origin;
    const char *spec;    /* MGL_TREE_GIVEN */
    mgl_given_kind kind; /* MGL_TREE_PROPOSED */
    bool stand_ins;
    bool by_level; /* all cells have one level (mgl_hierarchy_read_at): */
    uint32_t level;
} mgl_tree_request;

/* Texts of a release in a column with these settings are read at the level that the job states. */
static inline void mgl_tree_read_at(mgl_tree_request *request,
                                    const mgl_attribute_settings *settings)
{
    const mgl_level_range *at = &settings->released_level;
    request->by_level = settings->has_released_level && at->min == at->max;
    request->level = request->by_level ? at->min : 0;
}

typedef struct mgl_tree {
    mgl_hierarchy *hierarchy;
    char *proposed; /* the builder, as `suggest` words it; NULL: it was not proposed */
} mgl_tree;

/* The column of a table that the hierarchy of another one is made of; NULL: there is none. */
const mgl_column *mgl_tree_column(const mgl_table *table, mgl_span name);
/* The cached object is a mgl_tree. */
mgl_status mgl_tree_find(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                         const mgl_cache_entry **out);
/* Keeps one that only this job can have. It is the session's, also on failure. */
mgl_status mgl_tree_keep(mgl_reading *reading, mgl_hierarchy *hierarchy, mgl_error *err,
                         const mgl_cache_entry **out);
/* The leaf of each code of a column: a kept array. */
mgl_status mgl_leaves_find(mgl_reading *reading, const mgl_cache_entry *tree,
                           const mgl_column *column, mgl_error *err, const mgl_cache_entry **out);
/* What the values of the hierarchy can be released as: a kept mgl_released_column. */
mgl_status mgl_released_find(mgl_reading *reading, const mgl_cache_entry *tree, bool held,
                             mgl_error *err, const mgl_cache_entry **out);

/* Does the job leave rows out? */
static inline bool mgl_leaves_rows_out(const mgl_settings *settings)
{
    return settings->chosen.where != NULL || settings->chosen.sample != NULL ||
           settings->chosen.draws;
}

/* Lets the source of the reading have the rows only that satisfy `where` and are drawn by `sample`.
 * Before anything else is read. window: codes may not all be in memory at once. */
mgl_status mgl_choose_rows(mgl_reading *reading, bool window, mgl_error *err);

/* Must rows be fetched to be chosen? Before they are chosen, the answer is provisional. */
bool mgl_rows_are_chosen_here(const mgl_reading *reading);

/* How cells are read that a condition judges: as they are written. */
static inline mgl_source_options mgl_raw_options(const mgl_settings *settings)
{
    mgl_source_options raw = settings->source;
    raw.spelling = (mgl_spelling){0};
    return raw;
}

/* Leaves all rows to the next job. */
void mgl_chosen_rows_forget(mgl_reading *reading);

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
