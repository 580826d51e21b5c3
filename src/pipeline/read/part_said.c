/* What a part remembers of the job that counted it: the roles of columns, and how cells were read.
 * `count` writes it; every command whose data is a part takes it over (mgl_parts_prepare). */
#include "pipeline/read/reading.h"

#include <stdio.h>

mgl_status mgl_part_reading_said(const mgl_settings *settings, mgl_error *err, char **out)
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
    return mgl_buffer_take(&text, err, out);
}

static mgl_status take_reading(mgl_job *job, const char *said, mgl_error *err)
{
    char key[16], value[16];
    while (said != NULL && sscanf(said, "%15[^=]=%15[^\n]", key, value) == 2) {
        MGL_TRY(mgl_job_take_value(job, key, NULL, value, err));
        said = strchr(said, '\n');
        said = said != NULL ? said + 1 : NULL;
    }
    return MGL_OK;
}

/* First the columns that were counted, in the order in which `count` was told them: ties between
 * nodes are broken by that order. */
static mgl_status take_roles(mgl_job *job, const mgl_part *part, mgl_error *err)
{
    for (size_t c = 0; c < part->table->n_columns; c++) {
        uint32_t i = part->table->columns[c].source_index;
        MGL_TRY(mgl_job_take_roles(job, &part->columns[i], &part->roles[i], 1, err));
    }
    return mgl_job_take_roles(job, part->columns, part->roles, part->n_columns, err);
}

static mgl_status take_part(mgl_job *job, const mgl_part *part, mgl_error *err)
{
    MGL_TRY(take_roles(job, part, err));
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
