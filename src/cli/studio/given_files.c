/* Files that come with a request, in base 64: the job gets their bytes. held_runs.c calls it. */
#include "cli/studio/room.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int digit_of(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Base 64; NULL: it is none. */
static unsigned char *decode(const char *text, size_t *size)
{
    size_t n = strlen(text), at = 0;
    while (n > 0 && text[n - 1] == '=')
        n--;
    unsigned char *bytes = malloc(n + 1);
    unsigned bits = 0, held = 0;
    for (size_t i = 0; bytes != NULL && i < n; i++) {
        int digit = digit_of(text[i]);
        if (digit < 0) {
            free(bytes);
            return NULL;
        }
        bits = bits << 6 | (unsigned)digit;
        held += 6;
        if (held >= 8) {
            held -= 8;
            bytes[at++] = (unsigned char)(bits >> held);
        }
    }
    *size = at;
    return bytes;
}

mgl_status mgl_studio_give_files(mgl_studio_run *run, const json_t *files, mgl_error *err)
{
    const char *name;
    json_t *file;
    run->given = calloc(json_object_size(files) + 1, sizeof *run->given);
    if (run->given == NULL)
        return err->status = MGL_SYSTEM;
    json_object_foreach((json_t *)files, name, file)
    {
        size_t size = 0;
        void *bytes = json_is_string(file) ? decode(json_string_value(file), &size) : NULL;
        if (bytes == NULL) {
            snprintf(err->message, sizeof err->message, "`files`: '%.60s' is no text in base 64",
                     name);
            err->code = MGL_CODE_BAD_VALUE;
            return err->status = MGL_USAGE;
        }
        run->given[run->n_given++] = (mgl_studio_given){strdup(name), bytes, size};
        if (run->given[run->n_given - 1].name == NULL)
            return err->status = MGL_SYSTEM;
        if (mgl_studio_needs_file(name))
            continue;
        mgl_status status = mgl_job_give_bytes(run->job, name, bytes, size, NULL, NULL, err);
        if (status != MGL_OK)
            return status;
    }
    return MGL_OK;
}
