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
 * builders, policies and formats, each an object with an entry per name, in the order in which help
 * lists them (docs/catalogue.md). what: NULL: all of it; a section ("keys"); one entry
 * ("keys.suppress"), which costs no more than that entry. Names of sections, entries and fields are
 * stable; texts are for persons and may change. MGL_USAGE: there is no such section or entry. Free
 * with mgl_result_free.
 *
 *     mgl_catalogue("keys.suppress", &err, &catalogue);
 *     mgl_result_string(catalogue, "keys.suppress.default");
 */
MGL_API mgl_status mgl_catalogue(const char *what, mgl_error *err, mgl_result **out);

/* The one of n known names that is most like a misspelt one, for a front that says "did you mean";
 * NULL: none is near. */
MGL_API const char *mgl_nearest_name(const char *misspelt, const char *const *known, size_t n);

/* Text about what the program offers, made from its own tables. kind is "commands",
 * "methods", "models", "measures", "builders", "policies", "formats", "options" or "keys" (every
 * job key), "all" of these, a command ("anonymize": its options), or one name out of these; format
 * is "text" or "markdown". NULL kind: the commands. Kind "completion" is the completion of command
 * lines for the shell that format names: "bash", "zsh" or "fish". Free the text with mgl_text_free.
 */
MGL_API mgl_status mgl_describe(const char *kind, const char *format, mgl_error *err, char **out);

/* Does the command ("anonymize") take the option? option is written as a user
 * does: "--qi" or "-k". *takes_value becomes 1 if a value follows, 0 if none
 * does and 2 if one may (without one the value is "true"), *key the key for mgl_job_set, which
 * lives as long as the program. Otherwise MGL_USAGE with the nearest option. Options are never
 * abbreviated. */
MGL_API mgl_status mgl_option(const char *command, const char *option, mgl_error *err,
                              int *takes_value, const char **key);

#ifdef __cplusplus
}
#endif
#endif
