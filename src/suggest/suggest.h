/* suggest: a builder for a column, as a careful person would choose it first (docs/hierarchies.md).
 *
 * The profile decides what a column is. A suggestion is tried on the values of the column before it
 * is returned: it cannot be refused later, and each of its levels has fewer values than the one
 * below. */
#ifndef MGL_SUGGEST_H
#define MGL_SUGGEST_H

#include "hierarchy/hierarchy.h"
#include "profile/profile.h"
#include "table/table.h"
#include "treat/treat.h"

typedef struct mgl_suggestion {
    mgl_buffer builder;       /* as one writes it: mask(right) */
    mgl_buffer reason;        /* the reason, in a few words */
    mgl_buffer alternatives;  /* other builders; empty: none */
    mgl_hierarchy *hierarchy; /* built from the column; NULL: the column has no values */
} mgl_suggestion;

/* Values count by the rows of the dictionary, or once each if it has none. kind: of the column, if
 * the user has given it; then values of another kind are MGL_USAGE. Free with
 * mgl_suggestion_free. */
mgl_status mgl_suggest(const char *column, const mgl_dictionary *dictionary, mgl_given_kind kind,
                       mgl_error *err, mgl_suggestion *out);
void mgl_suggestion_free(mgl_suggestion *suggestion);

/* Puts a treatment at the end of `out` after which at least k persons share each value of the
 * column: "round(1000)", "bottom(20000),top(180000),round(5000)", "quantiles(10)", "date(month)".
 * It was tried on the column. Nothing is written if there is none. order: as for
 * mgl_treat_column. */
mgl_status mgl_suggest_treatment(const mgl_treat_request *request, const mgl_profile *profile,
                                 uint64_t k, mgl_error *err, mgl_buffer *out);

#endif
