/* What a part remembers of the job that counted it: the roles of columns, and how cells were read.
 * `count` writes it; every command whose data is a part takes it over (mgl_parts_prepare). */
#include "pipeline/read/reading.h"

#include <stdio.h>
#include <string.h>

enum { BETWEEN = '\x1F' }; /* separates texts that mean missing */

/* Cells that mean missing, unless they are the usual ones: spellings of them mean so, too. */
static void add_missing(const mgl_source_options *source, mgl_buffer *text)
{
    bool usual = source->n_missing == 2 && source->missing[0].size == 0 &&
                 mgl_span_is(source->missing[1], "NA");
    for (size_t i = 0; i < source->n_missing; i++)
        usual = usual || memchr(source->missing[i].data, '\n', source->missing[i].size) != NULL;
    if (usual || source->n_missing == 0)
        return;
    for (size_t i = 0; i < source->n_missing; i++) {
        mgl_buffer_text(text, i == 0 ? "missing=" : "\x1F");
        mgl_buffer_span(text, source->missing[i]);
    }
    mgl_buffer_text(text, "\n");
}

mgl_status mgl_part_reading_given(const mgl_settings *settings, mgl_error *err, char **out)
{
    const mgl_source_options *source = &settings->source;
    mgl_buffer text = {0};
    if (source->decimal != 0)
        mgl_buffer_format(&text, "decimal=%c\n", source->decimal);
    if (source->has_century)
        mgl_buffer_format(&text, "century=%02u\n", source->century);
    if (source->spelling.trim)
        mgl_buffer_text(&text, "trim=true\n");
    if (source->spelling.fold_case)
        mgl_buffer_text(&text, "fold-case=true\n");
    if (settings->cells.spelling_exact)
        mgl_buffer_text(&text, "spelling=exact\n");
    if (settings->cells.missing_is_value)
        mgl_buffer_text(&text, "missing-sensitive=value\n");
    add_missing(source, &text);
    return mgl_buffer_take(&text, err, out);
}

enum { MOST_MISSING = 64 };

static mgl_status take_missing(mgl_job *job, mgl_span value, mgl_error *err)
{
    mgl_span tokens[MOST_MISSING];
    size_t n = 0;
    if (mgl_job_get(job, "missing") != NULL)
        return MGL_OK;
    while (n < MOST_MISSING) {
        const char *end = memchr(value.data, BETWEEN, value.size);
        size_t size = end != NULL ? (size_t)(end - value.data) : value.size;
        tokens[n++] = (mgl_span){value.data, size};
        if (end == NULL)
            break;
        value = (mgl_span){end + 1, value.size - size - 1};
    }
    return mgl_job_take_list(job, "missing", tokens, n, err);
}

static mgl_status take_line(mgl_job *job, mgl_span line, mgl_error *err)
{
    static const char missing[] = "missing=";
    char key[32], value[16], text[64];
    size_t prefix = sizeof missing - 1;
    if (line.size >= prefix && memcmp(line.data, missing, prefix) == 0)
        return take_missing(job, (mgl_span){line.data + prefix, line.size - prefix}, err);
    if (line.size >= sizeof text)
        return MGL_OK;
    memcpy(text, line.data, line.size);
    text[line.size] = '\0';
    return sscanf(text, "%31[^=]=%15[^\n]", key, value) == 2
               ? mgl_job_take_value(job, key, NULL, value, err)
               : MGL_OK;
}

static mgl_status take_reading(mgl_job *job, const char *lines, mgl_error *err)
{
    const char *end;
    for (; lines != NULL && (end = strchr(lines, '\n')) != NULL; lines = end + 1)
        MGL_TRY(take_line(job, (mgl_span){lines, (size_t)(end - lines)}, err));
    return MGL_OK;
}

static mgl_status take_part(mgl_job *job, const mgl_part *part, mgl_error *err)
{
    /* First the columns that were counted, in the order in which `count` was given them: ties
     * between nodes are broken by that order. */
    for (size_t c = 0; c < part->table->n_columns; c++) {
        uint32_t i = part->table->columns[c].source_index;
        MGL_TRY(mgl_job_take_roles(job, &part->columns[i], &part->roles[i], 1, err));
    }
    MGL_TRY(mgl_job_take_roles(job, part->columns, part->roles, part->n_columns, err));
    return take_reading(job, part->reading, err);
}

mgl_status mgl_parts_prepare(const mgl_session *session, mgl_job *job, mgl_error *err)
{
    const char *data = mgl_job_get(job, "data");
    mgl_part *part;
    size_t n;
    if (session->data != NULL) {
        const mgl_part *const *parts = mgl_source_parts(session->data->source, &n);
        return parts != NULL ? take_part(job, parts[0], err) : MGL_OK;
    }
    int found = data != NULL ? mgl_is_part(data) : 0;
    if (found < 0)
        return mgl_fail_errno(err, data, "open");
    if (found == 0)
        return MGL_OK;
    MGL_TRY(mgl_part_read(data, err, &part));
    mgl_status status = take_part(job, part, err);
    mgl_part_free(part);
    return status;
}
