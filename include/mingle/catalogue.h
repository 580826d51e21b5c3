/* What the library offers. */
#ifndef MINGLE_CATALOGUE_H
#define MINGLE_CATALOGUE_H

#include "mingle/error.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Everything the library offers, as a document that the getters of results read and
 * mgl_result_json prints: commands, keys, fields of attributes, methods, models, measures,
 * builders, treatments, policies and formats, each an object with an entry per name, in the order
 * in which help lists them (docs/catalogue.md). what: NULL: all of it; a section ("keys"); one
 * entry ("keys.suppress"), which costs no more than that entry. Names of sections, entries and
 * fields are stable; texts are for persons and may change. MGL_USAGE: there is no such section or
 * entry. Free with mgl_result_free.
 *
 *     mgl_catalogue("keys.suppress", &err, &catalogue);
 *     mgl_result_string(catalogue, "keys.suppress.default");
 */
MGL_API mgl_status mgl_catalogue(const char *what, mgl_error *err, mgl_result **out);

/* The one of n known names that is most like a misspelt one, for a front that says "did you mean";
 * NULL: none is near. */
MGL_API const char *mgl_nearest_name(const char *misspelt, const char *const *known, size_t n);

#ifdef __cplusplus
}
#endif
#endif
