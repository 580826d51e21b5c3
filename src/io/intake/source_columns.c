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
    if (number != position)
        return mgl_fail_at(err, MGL_DATA, source->name, line,
                           "columns %u and %u are both called '%.*s'; rename one of them",
                           number + 1, position + 1, mgl_span_width(name), name.data);
    return MGL_OK;
}

mgl_status mgl_source_name_column(mgl_source *source, mgl_span given, uint64_t line, mgl_error *err)
{
    size_t number = mgl_source_columns(source) + 1;
    char made[32];
    if (given.size > 0)
        return mgl_source_add_column(source, given, line, err);
    /* R's write.csv leaves the column out that it puts in front. */
    if (!source->options->no_header && number == 1)
        return mgl_source_add_column(source, mgl_span_of("row.names"), line, err);
    if (!source->options->no_header && !source->options->allow_unnamed)
        return mgl_fail_at(err, MGL_DATA, source->name, line,
                           "column %zu has no name; name it in the header (or add --no-header if "
                           "this is the first row)",
                           number);
    snprintf(made, sizeof made, "column%zu", number);
    return mgl_source_add_column(source, mgl_span_of(made), line, err);
}
