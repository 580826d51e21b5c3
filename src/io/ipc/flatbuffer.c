/* Reads and writes flatbuffers. Reading stays within the given bytes, whatever they contain: files
 * come from anywhere. */
#include "io/ipc/ipc.h"

static bool is_inside(mgl_flatbuffer *fb, size_t at, size_t size)
{
    bool inside = at <= fb->size && fb->size - at >= size;
    fb->bad |= !inside;
    return inside;
}

static uint64_t bits_at(mgl_flatbuffer *fb, size_t at, unsigned width)
{
    uint64_t bits = 0;
    if (is_inside(fb, at, width))
        memcpy(&bits, fb->data + at, width);
    return bits;
}

static int64_t whole_at(mgl_flatbuffer *fb, size_t at, unsigned width)
{
    uint64_t bits = bits_at(fb, at, width);
    switch (width) {
    case 1:
        return (int8_t)bits;
    case 2:
        return (int16_t)bits;
    case 4:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

int64_t mgl_fb_long_at(const mgl_flatbuffer *fb, size_t at)
{
    int64_t value;
    memcpy(&value, fb->data + at, sizeof value);
    return value;
}

/* Where an offset leads. */
static size_t follow(mgl_flatbuffer *fb, size_t at)
{
    uint64_t offset = bits_at(fb, at, 4);
    if (fb->bad || offset == 0 || !is_inside(fb, at + (size_t)offset, 4)) {
        fb->bad = true;
        return 0;
    }
    return at + (size_t)offset;
}

size_t mgl_fb_root(mgl_flatbuffer *fb)
{
    return follow(fb, 0);
}

/* 0 if the table lacks the field. */
static size_t field_at(mgl_flatbuffer *fb, size_t table, unsigned field)
{
    if (table == 0 || fb->bad)
        return 0;
    int64_t vtable = (int64_t)table - whole_at(fb, table, 4);
    if (vtable < 0 || !is_inside(fb, (size_t)vtable, 4)) {
        fb->bad = true;
        return 0;
    }
    uint64_t size = bits_at(fb, (size_t)vtable, 2);
    if (size < 4 + 2 * ((uint64_t)field + 1))
        return 0;
    uint64_t offset = bits_at(fb, (size_t)vtable + 4 + 2 * field, 2);
    return offset == 0 || fb->bad ? 0 : table + (size_t)offset;
}

int64_t mgl_fb_whole(mgl_flatbuffer *fb, size_t table, unsigned field, unsigned width,
                     int64_t otherwise)
{
    size_t at = field_at(fb, table, field);
    return at == 0 ? otherwise : whole_at(fb, at, width);
}

size_t mgl_fb_table(mgl_flatbuffer *fb, size_t table, unsigned field)
{
    size_t at = field_at(fb, table, field);
    return at == 0 ? 0 : follow(fb, at);
}

size_t mgl_fb_vector(mgl_flatbuffer *fb, size_t table, unsigned field, size_t width, size_t *n)
{
    size_t at = mgl_fb_table(fb, table, field);
    *n = 0;
    if (at == 0)
        return 0;
    uint64_t count = bits_at(fb, at, 4);
    if (fb->bad || !is_inside(fb, at + 4, (size_t)count * width))
        return 0;
    *n = (size_t)count;
    return at + 4;
}

mgl_span mgl_fb_text(mgl_flatbuffer *fb, size_t table, unsigned field)
{
    size_t n, at = mgl_fb_vector(fb, table, field, 1, &n);
    return (mgl_span){at != 0 ? fb->data + at : "", n};
}

size_t mgl_fb_element(mgl_flatbuffer *fb, size_t elements, size_t i)
{
    return follow(fb, elements + 4 * i);
}

/* Zeros until the next byte but `ahead` is at a multiple. */
static void align(mgl_fb_writer *out, size_t multiple, size_t ahead)
{
    while ((out->bytes.size + ahead) % multiple != 0)
        mgl_buffer_append(&out->bytes, "", 1);
}

static size_t put_zeros(mgl_fb_writer *out, size_t n)
{
    size_t at = out->bytes.size;
    if (!mgl_buffer_reserve(&out->bytes, n))
        return 0;
    memset(out->bytes.data + at, 0, n);
    out->bytes.size += n;
    return at;
}

void mgl_fb_set(mgl_fb_writer *out, size_t at, int64_t value, unsigned width)
{
    if (!out->bytes.failed)
        memcpy(out->bytes.data + at, &value, width);
}

static void point(mgl_fb_writer *out, size_t field, size_t at)
{
    mgl_fb_set(out, field, (int64_t)(at - field), 4);
}

size_t mgl_fb_begin(mgl_fb_writer *out)
{
    out->bytes.size = 0;
    return put_zeros(out, 4);
}

mgl_fb_slots mgl_fb_put_table(mgl_fb_writer *out, size_t field, const unsigned char *widths,
                              unsigned n)
{
    mgl_fb_slots slots = {0};
    uint16_t places[2 + MGL_FB_FIELDS] = {(uint16_t)(4 + 2 * n)};
    size_t size = 4;
    for (unsigned width = 8; width > 0; width /= 2) /* wide ones first: all are aligned then */
        for (unsigned i = 0; i < n; i++)
            if (widths[i] == width) {
                places[2 + i] = (uint16_t)size;
                size += width;
            }
    places[1] = (uint16_t)size;
    align(out, 2, 0);
    size_t vtable = out->bytes.size;
    mgl_buffer_append(&out->bytes, (const char *)places, 4 + 2 * n);
    align(out, 8, 4);
    slots.table = put_zeros(out, size);
    mgl_fb_set(out, slots.table, (int64_t)(slots.table - vtable), 4);
    for (unsigned i = 0; i < n; i++)
        slots.at[i] = places[2 + i] != 0 ? slots.table + places[2 + i] : 0;
    point(out, field, slots.table);
    return slots;
}

size_t mgl_fb_put_vector(mgl_fb_writer *out, size_t field, size_t n, size_t width, size_t alignment)
{
    align(out, 4, 0);
    align(out, alignment, 4);
    size_t at = put_zeros(out, 4 + n * width);
    mgl_fb_set(out, at, (int64_t)n, 4);
    point(out, field, at);
    return at + 4;
}

void mgl_fb_put_text(mgl_fb_writer *out, size_t field, mgl_span text)
{
    size_t at = mgl_fb_put_vector(out, field, text.size + 1, 1, 4);
    mgl_fb_set(out, at - 4, (int64_t)text.size, 4); /* the NUL behind it does not count */
    if (!out->bytes.failed && text.size > 0)
        memcpy(out->bytes.data + at, text.data, text.size);
}
