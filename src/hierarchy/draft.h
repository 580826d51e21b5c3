/* A draft is a hierarchy before it is checked and numbered: one row of labels per
 * ground value, level 0 first, as a file lists them or a builder makes them. What
 * is the same for all of them (the top, the missing value, numbering, checks) is
 * added when the draft is assembled. Private to the module. */
#ifndef MGL_HIERARCHY_DRAFT_H
#define MGL_HIERARCHY_DRAFT_H

#include "hierarchy/hierarchy.h"

typedef struct mgl_draft {
    const char *column; /* borrowed, for messages; NULL: not known */
    const char *spec;   /* borrowed: builder text or file name */
    const char *file;   /* borrowed: the file that lists the values, or NULL */
    char *own_file;     /* that file where the draft owns its name (groups) */
    bool built;         /* by a builder: always ends in * */
    /* The builder with what it took from the values written out; empty: `spec` is all there is.
     */
    mgl_buffer resolved;

    mgl_map *labels; /* every label once; cells hold its numbers */
    uint32_t n_levels, n_rows;
    uint32_t *cells; /* [n_rows * n_levels], row by row */
    size_t cells_capacity;
    uint64_t *lines; /* [n_rows] where a file gives the row; NULL without a file */
    size_t lines_capacity;

    /* Leaves that no row lists and that stay themselves until the top. */
    bool has_missing, has_star;
    mgl_span missing; /* borrowed from the dictionary */
} mgl_draft;

/* Looks up in the dictionary which leaves stay themselves. End with mgl_draft_end. */
mgl_status mgl_draft_begin(mgl_draft *draft, const char *spec, const char *column,
                           const mgl_dictionary *dictionary, mgl_error *err);
void mgl_draft_end(mgl_draft *draft);
/* The file that lists the values, whose name the draft copies. */
mgl_status mgl_draft_name_file(mgl_draft *draft, mgl_span name, mgl_error *err);

/* Is this the text of a leaf that stays itself in every row? */
bool mgl_draft_is_missing(const mgl_draft *draft, mgl_span text);

/* Adds a row, its cells not yet set. n_levels is set before the first one. */
mgl_status mgl_draft_add_row(mgl_draft *draft, uint64_t line, mgl_error *err);
/* Sets a cell of the last row. */
mgl_status mgl_draft_put(mgl_draft *draft, uint32_t level, mgl_span label, mgl_error *err);

/* Sets a cell of the last row to what the row before it has there. */
void mgl_draft_repeat(mgl_draft *draft, uint32_t level);

static inline uint32_t mgl_draft_cell(const mgl_draft *draft, uint32_t row, uint32_t level)
{
    return draft->cells[(size_t)row * draft->n_levels + level];
}

/* A failure with its place in front: "FILE:LINE: " if a file lists the values
 * (MGL_DATA), else "column 'C', BUILDER: " (MGL_USAGE). */
mgl_status mgl_draft_fail(const mgl_draft *draft, uint64_t line, mgl_error *err, const char *format,
                          ...) MGL_PRINTF(4, 5);

/* Checks, numbers and completes the draft, whose labels the hierarchy takes over. */
mgl_status mgl_draft_assemble(mgl_draft *draft, mgl_error *err, mgl_hierarchy **out);

typedef struct mgl_level_value {
    const mgl_level *level;
    uint32_t number; /* of the level */
    uint32_t value;  /* on it */
} mgl_level_value;

/* Lets the builder that draft->spec names fill the draft. */
mgl_status mgl_draft_build(mgl_draft *draft, const mgl_dictionary *dictionary, mgl_error *err);
/* The syntax of the builder that a misspelt one may mean; NULL if it reads as a path, or none is
 * near. */
const char *mgl_builder_meant(const char *spec);

/* Where each label is found: what makes mgl_hierarchy_find and _bind quick. */
struct mgl_label_index {
    mgl_map *labels;
    const uint32_t *level; /* [labels] the lowest level with the label; MGL_NOT_FOUND: none */
    const uint32_t *value; /* [labels] the value there */
    /* The same for texts of a table whose cells have one level (mgl_hierarchy_read_at); else NULL.
     */
    const uint32_t *at_level; /* [level][labels] the value; MGL_NOT_FOUND: none */
    size_t n_labels;
    uint32_t read; /* the level that is looked at beside the top */
};

#endif
