/* Names the columns of a source, from a header or by their numbers. Every source calls it when it
 * is opened. */
#include "io/intake/intake.h"

#include <stdio.h>

mgl_status mgl_source_add_column(mgl_source *source, mgl_span name, uint64_t line, mgl_error *err)
{
    uint32_t position = mgl_map_size(source->columns);
    uint32_t number = mgl_map_add(source->columns, name);
    if (number == MGL_NOT_FOUND)
        return mgl_fail_memory(err);
    if (number == position)
        return MGL_OK;
    mgl_status status =
        mgl_blame_column(err,
                         mgl_fail_at(err, MGL_CODE_HEADER, source->name, line,
                                     "columns %u and %u are both called '%.*s'; rename one of them",
                                     number + 1, position + 1, mgl_span_width(name), name.data),
                         mgl_source_column(source, number));
    if (err != NULL)
        mgl_source_hide_names(source, err->message, sizeof err->message);
    return status;
}

static mgl_status refuse_unnamed(const mgl_source *source, mgl_error *err)
{
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_HEADER, source->name, source->unnamed_line,
                    "column %zu has no name; name it in the header (or add `header: no` if "
                    "this is the first row)",
                    source->unnamed),
        "header");
}

mgl_status mgl_source_name_column(mgl_source *source, mgl_span given, uint64_t line, mgl_error *err)
{
    size_t number = mgl_source_columns(source) + 1;
    char made[32];
    if (given.size > 0)
        return mgl_source_add_column(source, given, line, err);
    /* R's write.csv leaves the column out that it puts in front. */
    if (!source->numbered && number == 1)
        return mgl_source_add_column(source, mgl_span_of("row.names"), line, err);
    if (!source->numbered && source->unnamed == 0) {
        source->unnamed = number;
        source->unnamed_line = line;
        if (!source->options->allow_unnamed)
            return refuse_unnamed(source, err);
    }
    snprintf(made, sizeof made, "column%zu", number);
    return mgl_source_add_column(source, mgl_span_of(made), line, err);
}

/* Columns without a header are called as this job says. */
static mgl_status number_columns(mgl_source *source, mgl_error *err)
{
    const mgl_source_options *options = source->options;
    mgl_map *before = source->columns;
    size_t n = mgl_map_size(before);
    mgl_status status = MGL_OK;
    source->columns = mgl_map_new();
    if (source->columns == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t c = 0; c < n; c++)
        MGL_GO(mgl_source_name_column(
            source, c < options->n_names ? mgl_span_of(options->names[c]) : (mgl_span){"", 0}, 0,
            err));
done:
    mgl_map_free(status == MGL_OK ? before : source->columns);
    if (status != MGL_OK)
        source->columns = before;
    return status;
}

mgl_status mgl_source_use(mgl_source *source, const mgl_source_options *options, mgl_error *err)
{
    bool others = source->numbered && (options->n_names > 0 || source->options->n_names > 0);
    source->options = options;
    if (source->headerless && options->headerless != NULL)
        options->headerless->data = true;
    if (source->unnamed > 0 && !options->allow_unnamed)
        return refuse_unnamed(source, err);
    return others ? number_columns(source, err) : MGL_OK;
}
