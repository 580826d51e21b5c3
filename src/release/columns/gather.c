/* Gathers cells of any type into a new array, in any order: numbers, bits, texts, numbers of
 * entries. Each cell is read where it lies and written once; a null leaves nothing behind.
 * make_columns.c calls it for columns that are passed through, one_dictionary.c for their entries.
 */
#include "release/columns/gather.h"

enum {
    AT_ONCE = 512,   /* cells whose places are known at a time */
    VIEW = 16,       /* bytes of a view */
    VIEW_SHORT = 12, /* texts up to so many bytes stand in the view itself */
    VIEW_PREFIX = 4  /* bytes of a longer one that stand there, too */
};

/* Cells on their way into an array. */
typedef struct gathering {
    const mgl_gather_order *order;
    struct ArrowArray *out;
    uint8_t *valid;
    size_t n_nulls;
    uint64_t bytes;
    mgl_place places[AT_ONCE];
} gathering;

static inline bool is_null(const gathering *g, mgl_place place)
{
    return place.row == MGL_NOT_FOUND ||
           mgl_arrow_is_null(&g->order->cells[place.batch], place.row);
}

/* The places of the cells from `done` on; returns how many. */
static size_t next_places(gathering *g, size_t done)
{
    size_t left = g->order->n - done, n = left < AT_ONCE ? left : AT_ONCE;
    g->order->places(g->order->context, g->order->first + done, n, g->places);
    return n;
}

static void mark_null(gathering *g, size_t i)
{
    g->valid[i / 8] = (uint8_t)(g->valid[i / 8] & ~(1u << i % 8));
    g->n_nulls++;
}

/* All cells are valid until one is found that is not. */
static mgl_status begin(gathering *g, size_t n_buffers, mgl_error *err)
{
    size_t n = g->order->n, bytes = (n + 7) / 8;
    MGL_TRY(mgl_made_array(g->out, n, n_buffers, err));
    g->valid = mgl_made_buffer(g->out, 0, bytes);
    if (g->valid == NULL)
        return mgl_fail_memory(err);
    memset(g->valid, 0xFF, bytes);
    if (n % 8 != 0)
        g->valid[bytes - 1] = (uint8_t)((1u << n % 8) - 1);
    return MGL_OK;
}

static void end(gathering *g)
{
    g->out->null_count = (int64_t)g->n_nulls;
    if (g->n_nulls == 0)
        mgl_made_no_buffer(g->out, 0);
    else
        g->bytes += (g->order->n + 7) / 8;
}

/* Each look at memory is far from the one before: those at cells of this width are asked for before
 * the first is needed. */
static void fetch_cells(const gathering *g, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_arrow_cells *from = &g->order->cells[g->places[i].batch];
        if (g->places[i].row != MGL_NOT_FOUND)
            __builtin_prefetch((const char *)from->values +
                               (from->first + g->places[i].row) * width);
    }
}

/* ---- Cells of one width -------------------------------------------------------------------- */

/* width is a constant where this is inlined. */
MGL_SPECIALIZE void copy_cells(gathering *g, size_t at, size_t n, size_t width, char *out)
{
    const mgl_arrow_cells *cells = g->order->cells;
    for (size_t i = 0; i < n; i++) {
        mgl_place place = g->places[i];
        if (is_null(g, place)) {
            memset(out + i * width, 0, width);
            mark_null(g, at + i);
            continue;
        }
        const mgl_arrow_cells *from = &cells[place.batch];
        memcpy(out + i * width, (const char *)from->values + (from->first + place.row) * width,
               width);
    }
}

static void copy_some_cells(gathering *g, size_t at, size_t n, size_t width, char *out)
{
    switch (width) {
    case 1:
        copy_cells(g, at, n, 1, out);
        break;
    case 2:
        copy_cells(g, at, n, 2, out);
        break;
    case 4:
        copy_cells(g, at, n, 4, out);
        break;
    case 8:
        copy_cells(g, at, n, 8, out);
        break;
    case 16:
        copy_cells(g, at, n, 16, out);
        break;
    default:
        copy_cells(g, at, n, width, out);
    }
}

static mgl_status gather_bits(gathering *g, mgl_error *err)
{
    size_t bytes = (g->order->n + 7) / 8;
    MGL_TRY(begin(g, 2, err));
    uint8_t *bits = mgl_made_zeros(g->out, 1, bytes);
    if (bits == NULL)
        return mgl_fail_memory(err);
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            const mgl_arrow_cells *from = &g->order->cells[g->places[i].batch];
            size_t at = done + i;
            if (is_null(g, g->places[i]))
                mark_null(g, at);
            else if (mgl_bit_at(from->values, from->first + g->places[i].row))
                bits[at / 8] |= (uint8_t)(1u << at % 8);
        }
    }
    g->bytes += bytes;
    return MGL_OK;
}

/* ---- Numbers of entries -------------------------------------------------------------------- */

/* Both widths are constants where this is inlined, but for columns whose numbers get wider. On
 * little-endian machines the low bytes come first. */
MGL_SPECIALIZE void copy_numbers(gathering *g, size_t at, size_t n, size_t read, size_t width,
                                 char *out)
{
    const mgl_gather_order *order = g->order;
    for (size_t i = 0; i < n; i++) {
        mgl_place place = g->places[i];
        const mgl_arrow_cells *from = &order->cells[place.batch];
        uint64_t entry = 0;
        uint32_t number = MGL_NOT_FOUND;
        if (!is_null(g, place)) {
            memcpy(&entry, (const char *)from->values + (from->first + place.row) * read, read);
            number = order->numbers[place.batch][entry];
        }
        if (number == MGL_NOT_FOUND) {
            number = 0;
            mark_null(g, at + i);
        }
        memset(out + i * width, 0, width);
        memcpy(out + i * width, &number, width < sizeof number ? width : sizeof number);
    }
}

static void copy_some_numbers(gathering *g, size_t at, size_t n, size_t width, char *out)
{
    size_t read = g->order->cells[0].type->width;
    if (read != width)
        copy_numbers(g, at, n, read, width, out);
    else if (width == 1)
        copy_numbers(g, at, n, 1, 1, out);
    else if (width == 2)
        copy_numbers(g, at, n, 2, 2, out);
    else if (width == 4)
        copy_numbers(g, at, n, 4, 4, out);
    else
        copy_numbers(g, at, n, width, width, out);
}

static mgl_status gather_fixed(gathering *g, mgl_error *err)
{
    size_t width = g->order->type->width;
    MGL_TRY(begin(g, 2, err));
    char *values = mgl_made_buffer(g->out, 1, g->order->n * width);
    if (values == NULL)
        return mgl_fail_memory(err);
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        fetch_cells(g, n, g->order->cells[0].type->width);
        if (g->order->numbers != NULL)
            copy_some_numbers(g, done, n, width, values + done * width);
        else
            copy_some_cells(g, done, n, width, values + done * width);
    }
    g->bytes += g->order->n * width;
    return MGL_OK;
}

/* ---- Texts --------------------------------------------------------------------------------- */

static mgl_span text_of(const gathering *g, mgl_place place)
{
    return mgl_arrow_text_at(&g->order->cells[place.batch], place.row);
}

/* Where each text ends, and the nulls. Returns the bytes of all texts. */
static uint64_t find_ends(gathering *g, size_t width, char *offsets)
{
    uint64_t end = 0;
    memcpy(offsets, &end, width);
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            if (is_null(g, g->places[i]))
                mark_null(g, done + i);
            else
                end += text_of(g, g->places[i]).size;
            memcpy(offsets + (done + i + 1) * width, &end, width);
        }
    }
    return end;
}

static void copy_texts(gathering *g, char *at)
{
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            if (is_null(g, g->places[i]))
                continue;
            mgl_span text = text_of(g, g->places[i]);
            if (text.size > 0)
                memcpy(at, text.data, text.size);
            at += text.size;
        }
    }
}

/* Whoever cuts batches sees to it that 4 bytes are enough for their offsets. */
static mgl_status gather_texts(gathering *g, mgl_error *err)
{
    size_t width = g->order->type->width;
    MGL_TRY(begin(g, 3, err));
    char *offsets = mgl_made_buffer(g->out, 1, (g->order->n + 1) * width);
    if (offsets == NULL)
        return mgl_fail_memory(err);
    uint64_t size = find_ends(g, width, offsets);
    char *bytes = mgl_made_buffer(g->out, 2, (size_t)size);
    if (bytes == NULL)
        return mgl_fail_memory(err);
    copy_texts(g, bytes);
    g->bytes += (g->order->n + 1) * width + size;
    return MGL_OK;
}

/* ---- Views --------------------------------------------------------------------------------- */

static uint64_t long_texts(gathering *g)
{
    uint64_t size = 0;
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++)
            if (!is_null(g, g->places[i])) {
                size_t one = text_of(g, g->places[i]).size;
                size += one > VIEW_SHORT ? one : 0;
            }
    }
    return size;
}

/* A long text goes to *end of the bytes, all of which are in one buffer. */
static void write_view(mgl_span text, char *bytes, uint32_t *end, char *view)
{
    uint32_t size = (uint32_t)text.size, buffer = 0;
    memset(view, 0, VIEW);
    memcpy(view, &size, sizeof size);
    if (text.size <= VIEW_SHORT) {
        if (text.size > 0)
            memcpy(view + sizeof size, text.data, text.size);
        return;
    }
    memcpy(view + sizeof size, text.data, VIEW_PREFIX);
    memcpy(view + sizeof size + VIEW_PREFIX, &buffer, sizeof buffer);
    memcpy(view + sizeof size + VIEW_PREFIX + sizeof buffer, end, sizeof *end);
    memcpy(bytes + *end, text.data, text.size);
    *end += size;
}

static void write_views(gathering *g, char *views, char *bytes)
{
    uint32_t end = 0;
    for (size_t done = 0, n; done < g->order->n; done += n) {
        n = next_places(g, done);
        for (size_t i = 0; i < n; i++) {
            char *view = views + (done + i) * VIEW;
            if (is_null(g, g->places[i])) {
                memset(view, 0, VIEW);
                mark_null(g, done + i);
            } else {
                write_view(text_of(g, g->places[i]), bytes, &end, view);
            }
        }
    }
}

/* The last buffer says how many bytes those before it have that hold texts. */
static mgl_status gather_views(gathering *g, mgl_error *err)
{
    enum { VIEWS = 1, BYTES = 2 };
    uint64_t size = long_texts(g);
    size_t sizes = size > 0 ? BYTES + 1 : BYTES;
    MGL_TRY(begin(g, sizes + 1, err));
    char *views = mgl_made_buffer(g->out, VIEWS, g->order->n * VIEW);
    char *bytes = size > 0 ? mgl_made_buffer(g->out, BYTES, (size_t)size) : NULL;
    int64_t *told = mgl_made_buffer(g->out, sizes, sizeof *told);
    if (views == NULL || (size > 0 && bytes == NULL) || told == NULL)
        return mgl_fail_memory(err);
    *told = (int64_t)size;
    write_views(g, views, bytes);
    g->bytes += g->order->n * VIEW + size;
    return MGL_OK;
}

/* ---- Any cells ----------------------------------------------------------------------------- */

/* All cells are null, and there is nothing but their number. */
static mgl_status gather_nulls(gathering *g, mgl_error *err)
{
    MGL_TRY(mgl_made_array(g->out, g->order->n, 0, err));
    g->out->null_count = (int64_t)g->order->n;
    return MGL_OK;
}

static mgl_status gather_cells(gathering *g, mgl_error *err)
{
    if (g->order->numbers != NULL)
        return gather_fixed(g, err);
    switch (g->order->type->kind) {
    case MGL_ARROW_BOOL:
        return gather_bits(g, err);
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
        return gather_texts(g, err);
    case MGL_ARROW_VIEW:
        return gather_views(g, err);
    default:
        return gather_fixed(g, err);
    }
}

mgl_status mgl_gather(const mgl_gather_order *order, mgl_error *err, struct ArrowArray *out,
                      uint64_t *bytes)
{
    gathering g = {.order = order, .out = out};
    *out = (struct ArrowArray){0};
    if (order->type->kind == MGL_ARROW_NULL && order->numbers == NULL) {
        *bytes = 0;
        return gather_nulls(&g, err);
    }
    mgl_status status = gather_cells(&g, err);
    if (status != MGL_OK) {
        mgl_array_release(out);
        return status;
    }
    end(&g);
    *bytes = g.bytes;
    return MGL_OK;
}
