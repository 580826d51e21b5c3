/* What the library offers. */
#ifndef MINGLE_CATALOGUE_H
#define MINGLE_CATALOGUE_H

#include "mingle/error.h"

#ifdef __cplusplus
extern "C" {
#endif

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
