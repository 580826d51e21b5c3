/* Puts the catalogue together from its sections: the public mgl_catalogue. Fronts ask for all of
 * it, for a section, or for one entry, which costs no more than that entry. */
#include "job/catalogue/catalogue.h"

#include "job/store/store.h"

enum { SCHEMA = 1 }; /* of the document; a field that goes or means something else raises it */

static const struct {
    const char *name;
    void (*fill)(json_t *section, const char *only);
} sections[] = {
    {"commands", mgl_catalogue_commands},   {"keys", mgl_catalogue_keys},
    {"attributes", mgl_catalogue_fields},   {"methods", mgl_catalogue_methods},
    {"models", mgl_catalogue_models},       {"measures", mgl_catalogue_measures},
    {"builders", mgl_catalogue_builders},   {"treatments", mgl_catalogue_treatments},
    {"policies", mgl_catalogue_policies},   {"formats", mgl_catalogue_formats},
    {"conflicts", mgl_catalogue_conflicts},
};

json_t *mgl_catalogue_text(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

json_t *mgl_catalogue_words(const char *const *words)
{
    if (words == NULL)
        return json_null();
    json_t *list = json_array();
    for (size_t i = 0; words[i] != NULL; i++)
        mgl_json_append(list, json_string(words[i]));
    return list;
}

/* An entry of that name was there. */
static bool fill_section(json_t *document, size_t i, const char *only)
{
    json_t *section = json_object();
    sections[i].fill(section, only);
    /* Where memory is out the section is empty as well, and the document tells. */
    bool found = only == NULL || !mgl_json_complete(section) || json_object_size(section) > 0;
    mgl_json_set(document, sections[i].name, section);
    return found;
}

static mgl_status refuse(const char *what, mgl_error *err)
{
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(what));
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        mgl_nearest_try(&nearest, sections[i].name);
    return nearest.best != NULL
               ? mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                          "the catalogue has no '%.60s'; did you mean '%s'?", what, nearest.best)
               : mgl_fail(err, MGL_CODE_UNKNOWN_NAME,
                          "the catalogue has no '%.60s'; ask for a section (keys), for one of its "
                          "entries (keys.suppress), or for all of it",
                          what);
}

/* what: NULL, "keys" or "keys.suppress". */
static mgl_status fill(json_t *document, const char *what, mgl_error *err)
{
    size_t size = what != NULL ? strcspn(what, ".") : 0;
    const char *only = what != NULL && what[size] == '.' ? what + size + 1 : NULL;
    bool found = what == NULL;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (what == NULL || mgl_span_is((mgl_span){what, size}, sections[i].name))
            found = fill_section(document, i, only);
    return found ? MGL_OK : refuse(what, err);
}

mgl_status mgl_job_catalogue(const char *what, mgl_error *err, mgl_result **out)
{
    mgl_result *catalogue;
    MGL_TRY(mgl_result_new("catalogue", err, &catalogue));
    mgl_status status = MGL_OK;
    mgl_json_set(catalogue->document, "schema", json_integer(SCHEMA));
    MGL_GO(fill(catalogue->document, what, err));
    if (what == NULL)
        mgl_json_set(catalogue->document, "reserved", mgl_catalogue_words(mgl_reserved_keys()));
    MGL_GO(mgl_result_complete(catalogue, err));
    *out = catalogue;
    catalogue = NULL;
done:
    mgl_result_free(catalogue);
    return status;
}
