#include "io/source.h"

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
