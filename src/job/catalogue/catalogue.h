/* catalogue: everything that the library offers as one document, made from the tables of
 * descriptors. Fronts make their options, signatures and help of it. */
#ifndef MGL_JOB_CATALOGUE_H
#define MGL_JOB_CATALOGUE_H

#include "job/keys/keys.h"

#include "result/result.h"

/* ---- Sections: each fills an object with an entry per name; only: the one that is wanted, NULL:
 * all
 */

void mgl_catalogue_keys(json_t *section, const char *only);
void mgl_catalogue_fields(json_t *section, const char *only);
void mgl_catalogue_commands(json_t *section, const char *only);
void mgl_catalogue_methods(json_t *section, const char *only);
void mgl_catalogue_models(json_t *section, const char *only);
void mgl_catalogue_measures(json_t *section, const char *only);
void mgl_catalogue_builders(json_t *section, const char *only);
void mgl_catalogue_treatments(json_t *section, const char *only);
void mgl_catalogue_policies(json_t *section, const char *only);
void mgl_catalogue_formats(json_t *section, const char *only);
void mgl_catalogue_conflicts(json_t *section, const char *only);

/* ---- What entries are made of --------------------------------------------------------------- */

static inline bool mgl_catalogue_wants(const char *only, const char *name)
{
    return only == NULL || strcmp(only, name) == 0;
}

/* A text, or null. */
json_t *mgl_catalogue_text(const char *text);
/* The names of commands, as a list. commands: mgl_command bits */
json_t *mgl_catalogue_command_names(unsigned commands);
/* Words up to a NULL, as a list; NULL: null. */
json_t *mgl_catalogue_words(const char *const *words);

#endif
