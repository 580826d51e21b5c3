/* Knows what the sinks of formats share: kinds and widths of columns, cells that are missing. The
 * packer of releases calls it, sinks ask it. */
#include "io/intake/intake.h"

mgl_status mgl_sink_write(const mgl_format *format, const mgl_sink_order *order, mgl_error *err)
{
    return format->sink->write(format, order, err);
}

bool mgl_sink_missing(const mgl_sink_order *order, mgl_span cell)
{
    for (size_t i = 0; i < order->n_missing; i++)
        if (mgl_span_equal(cell, order->missing[i]))
            return true;
    return false;
}

static mgl_cell_kind kind_of(const mgl_sink_column *column)
{
    return column->meta != NULL ? column->meta->kind : MGL_CELLS_UNKNOWN;
}

static mgl_sink_shape shape_of(const mgl_sink_column *column)
{
    mgl_cell_kind kind = kind_of(column);
    if (kind == MGL_CELLS_TEXT)
        return MGL_AS_TEXT;
    if (kind == MGL_CELLS_DATE && column->dates)
        return MGL_AS_DATE;
    if (kind == MGL_CELLS_DATETIME && column->datetimes)
        return MGL_AS_DATETIME;
    return column->whole       ? MGL_AS_WHOLE
           : column->numbers   ? MGL_AS_NUMBER
           : column->dates     ? MGL_AS_DATE
           : column->datetimes ? MGL_AS_DATETIME
                               : MGL_AS_TEXT;
}

void mgl_sink_warn_text(mgl_buffer *warnings, const char *column, mgl_cell_kind kind)
{
    mgl_buffer_format(warnings,
                      "text-column\tcolumn %s is written as text, since released values such "
                      "as ranges are no %s%c",
                      column, kind == MGL_CELLS_NUMBER ? "numbers" : "dates", '\0');
}

mgl_sink_shape mgl_sink_choose(const mgl_sink_order *order, const mgl_sink_column *column)
{
    mgl_sink_shape shape = shape_of(column);
    bool was_text = kind_of(column) == MGL_CELLS_TEXT || kind_of(column) == MGL_CELLS_UNKNOWN;
    if (shape == MGL_AS_TEXT && !was_text)
        mgl_sink_warn_text(order->warnings, column->name, kind_of(column));
    return shape;
}
