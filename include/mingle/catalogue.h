/* The catalogue: what the library offers, as a document.
 *
 *     mgl_catalogue("keys.suppress", &err, &catalogue);
 *     puts(mgl_result_string(catalogue, "keys.suppress.default"));
 *     mgl_result_free(catalogue);
 */
#ifndef MINGLE_CATALOGUE_H
#define MINGLE_CATALOGUE_H

#include "mingle/error.h"
#include "mingle/result.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Writes everything that the library offers as a document: commands, keys, fields of attributes,
 * methods, models, measures, builders, treatments, policies and formats, each an object with an
 * entry per name, in the order of help (docs/catalogue.md). what: NULL for all of it, a section
 * ("keys"), or one entry ("keys.suppress"), which costs no more than that entry. Names of sections,
 * entries and fields are stable; texts are for people and may change. MGL_USAGE if there is no such
 * section or entry. The caller frees the document with mgl_result_free. */
MGL_API mgl_status mgl_catalogue(const char *what, mgl_error *err, mgl_result **out);

/* Returns the one of n known names that is most like a misspelt one, for "did you mean"; NULL if
 * none is near. */
MGL_API const char *mgl_nearest_name(const char *misspelt, const char *const *known, size_t n);

#ifdef __cplusplus
}
#endif
#endif
