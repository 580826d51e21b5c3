/* Checks the names of outputs: an ending of another format would mislead the reader. */
#include "job/settings/settings.h"

#include "job/keys/keys.h"

#include <stdio.h>

typedef struct form {
    const char *key;
    unsigned commands;
    const char *what;
    const char *endings; /* that it may have, besides those that name no format; NULL: those of
                            tables that can be written */
} form;

/* What each output is, by key and command. */
static const form forms[] = {
    {"output", MGL_ANONYMIZE | MGL_WHAT_IF | MGL_PREVIEW | MGL_APPLY, "a release", NULL},
    {"output", MGL_HIERARCHY, "a hierarchy", ".csv .tsv .txt"},
    {"output", MGL_RISK, "a job file", ".yaml .yml .txt"},
    {"output", MGL_COUNT, "a part", ".part"},
    {"output", MGL_REPORT, "a page", ".html .htm .xhtml"},
    {"output", MGL_SHOW_RECODING | MGL_CODEBOOK, "a table", ".csv .txt"},
    {"output", MGL_STATEMENT, "a statement", ".json .html .htm .xhtml"},
    {"statement", ~0u, "a statement", ".json .html .htm .xhtml"},
    {"save-promise", ~0u, "a promise", ".json"},
    {"rows", ~0u, "a table of rows", ".csv .txt"},
    {"result", ~0u, "a result", ".json .txt"},
    {"report", ~0u, "a report", ".html .htm .xhtml"},
    {"junit", ~0u, "a report of tests", ".xml"},
    {"save-recoding", ~0u, "a recoding", ".rec"},
    {"save-map", ~0u, "a map", ".csv .txt .parquet"},
    {"save-proof", ~0u, "a proof", ".json .proof"},
    {"save-job", ~0u, "a job file", ".yaml .yml"},
};

static const form *form_of(const char *key, mgl_command command)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].key, key) == 0 && (forms[i].commands & command) != 0)
            return &forms[i];
    return NULL;
}

/* A device or a pipe may be called anything. */
static bool is_special(const char *location)
{
    mgl_file_state state;
    return strcmp(location, "-") == 0 ||
           (mgl_sys_state_of(location, &state) == 0 && !state.regular && !state.folder);
}

/* A job file without its ending would be taken for data. */
static bool lacks_ending(const mgl_entry *output, mgl_span path)
{
    return strcmp(output->field, "save-job") == 0 &&
           !(path.size > 5 && strcmp(path.data + path.size - 5, ".yaml") == 0) &&
           !(path.size > 4 && strcmp(path.data + path.size - 4, ".yml") == 0);
}

mgl_status mgl_output_check_ending(const mgl_entry *output, mgl_command command, mgl_error *err)
{
    const form *form = form_of(output->field, command);
    mgl_location location = mgl_location_of(output->value);
    mgl_span ending = location.ending;
    if (form == NULL || is_special(output->value))
        return MGL_OK;
    if (form->endings == NULL && location.kind != MGL_LOCATION_FILE) {
        const mgl_format *format;
        return mgl_format_to_write(output->value, err, &format);
    }
    bool fits = ending.size == 0 || (form->endings == NULL ? mgl_ending_is_written(ending)
                                                           : mgl_ending_is(ending, form->endings));
    if (fits && !lacks_ending(output, location.path))
        return MGL_OK;
    mgl_buffer list = {0};
    if (form->endings == NULL)
        mgl_endings_written(&list);
    else
        mgl_buffer_text(&list, form->endings);
    mgl_status status =
        list.failed ? mgl_fail_memory(err)
        : ending.size == 0
            ? mgl_place_fail(&output->place, MGL_CODE_OUTPUT, err,
                             "'%.60s': %s ends in %.*s; add one of them", output->value, form->what,
                             (int)list.size, list.data)
            : mgl_place_fail(&output->place, MGL_CODE_OUTPUT, err,
                             "'%.60s': %s is not written as %.*s; end its name in %.*s",
                             output->value, form->what, (int)ending.size, ending.data,
                             (int)list.size, list.data);
    mgl_buffer_free(&list);
    return status;
}
