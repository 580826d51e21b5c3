/* Checks what stands in the cells of arrays: offsets and views that point where there is something,
 * texts in UTF-8, days and times that exist, indices of entries that are there. Each buffer is
 * first looked at as a whole, in loops that become vector code; only if something is odd, which may
 * be under a null, are the cells looked at one by one. The checks of batches call it. */
#include "io/arrow/check.h"

#include "text/text.h"

enum { AT_ONCE = 16, LONGEST_TEXT = 1 << 30, INLINE_TEXT = 12 };

/* ---- Whole numbers -----------------------------------------------------------------------------
 */

/* Is one of n numbers larger than `most`, taken as unsigned? Negative ones are larger than all
 * others. Signed numbers are what vectors compare fast: with the highest bit turned, the order is
 * that of unsigned ones. Vectors are no wider than those of every machine: wider ones are compared
 * number by number. */
#define DEFINE_ANY_ABOVE(name, type, bits)                                                         \
    typedef type name##_vector __attribute__((vector_size(16)));                                   \
    static bool name(const char *values, size_t n, uint64_t most)                                  \
    {                                                                                              \
        enum { LANES = 16 / sizeof(type) };                                                        \
        const type turn = (type)(UINT64_C(1) << ((bits)-1)), limit = (type)((type)most ^ turn);    \
        name##_vector some, above = {0};                                                           \
        type one, any = 0;                                                                         \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES) {                                                       \
            memcpy(&some, values + i * sizeof one, sizeof some);                                   \
            above |= (some ^ turn) > limit;                                                        \
        }                                                                                          \
        for (size_t lane = 0; lane < LANES; lane++)                                                \
            any |= above[lane];                                                                    \
        for (; i < n; i++) {                                                                       \
            memcpy(&one, values + i * sizeof one, sizeof one);                                     \
            any |= (type)(one ^ turn) > limit;                                                     \
        }                                                                                          \
        return any != 0;                                                                           \
    }

DEFINE_ANY_ABOVE(any_byte_above, int8_t, 8)
DEFINE_ANY_ABOVE(any_pair_above, int16_t, 16)
DEFINE_ANY_ABOVE(any_four_above, int32_t, 32)
DEFINE_ANY_ABOVE(any_eight_above, int64_t, 64)

/* What is negative as a signed number is beyond any limit. */
static bool all_below(const mgl_arrow_cells *cells, uint64_t limit)
{
    unsigned width = cells->type->width;
    const char *values = (const char *)cells->values + cells->first * width;
    uint64_t negative = UINT64_C(1) << (width * 8 - 1), largest = negative + (negative - 1);
    if (cells->type->kind != MGL_ARROW_UNSIGNED && limit > negative)
        limit = negative;
    if (limit == 0 || limit > largest)
        return limit > 0;
    switch (width) {
    case 1:
        return !any_byte_above(values, cells->n, limit - 1);
    case 2:
        return !any_pair_above(values, cells->n, limit - 1);
    case 4:
        return !any_four_above(values, cells->n, limit - 1);
    default:
        return !any_eight_above(values, cells->n, limit - 1);
    }
}

/* Numbers from 0 up to limit; what stands under nulls does not matter. */
static mgl_status check_below(const mgl_arrow_cells *cells, uint64_t limit,
                              const mgl_arrow_place *place, const char *what, mgl_error *err)
{
    if (cells->n == 0 || all_below(cells, limit))
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_arrow_unsigned_at(cells, i) >= limit)
            return mgl_arrow_refuse_cell(place, i, what, err);
    return MGL_OK;
}

mgl_status mgl_arrow_check_indices(const mgl_arrow_cells *cells, uint64_t n_entries,
                                   const mgl_arrow_place *place, mgl_error *err)
{
    return check_below(cells, n_entries, place,
                       "the cell names an entry that the dictionary does not have", err);
}

/* ---- Days --------------------------------------------------------------------------------------
 */

/* Days that are told in milliseconds are whole ones. */
static mgl_status check_days(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                             mgl_error *err)
{
    if (cells->type->unit == 1)
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_arrow_signed_at(cells, i) % cells->type->unit != 0)
            return mgl_arrow_refuse_cell(place, i,
                                         "the date has a time of day; make it a timestamp", err);
    return MGL_OK;
}

/* ---- Texts -------------------------------------------------------------------------------------
 */

static mgl_status check_text(mgl_span text, const mgl_arrow_place *place, size_t cell,
                             mgl_error *err)
{
    if (text.size > LONGEST_TEXT)
        return mgl_arrow_refuse_cell(place, cell,
                                     "the text is longer than 1 GB; leave the column out", err);
    if (text.size > 0 && (mgl_utf8_valid(text.data, text.size) != text.size ||
                          memchr(text.data, '\0', text.size) != NULL))
        return mgl_arrow_refuse_cell(place, cell,
                                     "the cell is not UTF-8 text, or has a NUL byte in it", err);
    return MGL_OK;
}

MGL_SPECIALIZE int64_t offset_in(const char *offsets, size_t i, unsigned width)
{
    int32_t four;
    int64_t eight;
    if (width == sizeof four) {
        memcpy(&four, offsets + i * sizeof four, sizeof four);
        return four;
    }
    memcpy(&eight, offsets + i * sizeof eight, sizeof eight);
    return eight;
}

static int64_t offset_at(const mgl_arrow_cells *cells, size_t i)
{
    return offset_in(cells->values, cells->first + i, cells->type->width);
}

/* n + 1 offsets that never go back. */
MGL_SPECIALIZE bool offsets_rise(const char *offsets, size_t n, unsigned width)
{
    size_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        uint64_t falls = 0;
        for (size_t j = 0; j < AT_ONCE; j++)
            falls |= offset_in(offsets, i + j, width) > offset_in(offsets, i + j + 1, width);
        if (falls)
            return false;
    }
    for (; i < n; i++)
        if (offset_in(offsets, i, width) > offset_in(offsets, i + 1, width))
            return false;
    return true;
}

/* Does every text begin where a character does? Then the texts are UTF-8 if all bytes are. */
static bool begin_on_characters(const mgl_arrow_cells *cells)
{
    int64_t end = offset_at(cells, cells->n);
    for (size_t i = 0; i < cells->n; i++) {
        int64_t at = offset_at(cells, i);
        if (at < end && ((unsigned char)cells->bytes[at] & 0xc0) == 0x80)
            return false;
    }
    return true;
}

static mgl_status check_offsets(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                                mgl_error *err)
{
    const char *offsets = (const char *)cells->values + cells->first * cells->type->width;
    bool rise = cells->type->width == 4 ? offsets_rise(offsets, cells->n, 4)
                                        : offsets_rise(offsets, cells->n, 8);
    int64_t begin = offset_at(cells, 0), end = offset_at(cells, cells->n);
    if (!rise || begin < 0)
        return mgl_arrow_refuse(place, err,
                                "the offsets of its texts must begin at 0 or more and never fall");
    if (end > begin && cells->bytes == NULL)
        return mgl_arrow_refuse(place, err, "the buffer of its texts is NULL");
    return MGL_OK;
}

static mgl_status check_texts(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                              mgl_error *err)
{
    if (cells->n == 0)
        return MGL_OK;
    MGL_TRY(check_offsets(cells, place, err));
    int64_t begin = offset_at(cells, 0);
    size_t size = (size_t)(offset_at(cells, cells->n) - begin);
    if (size == 0)
        return MGL_OK;
    const char *all = cells->bytes + begin;
    if (size <= LONGEST_TEXT && mgl_utf8_valid(all, size) == size &&
        memchr(all, '\0', size) == NULL && begin_on_characters(cells))
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            MGL_TRY(check_text(mgl_arrow_text_at(cells, i), place, i, err));
    return MGL_OK;
}

/* ---- Views -------------------------------------------------------------------------------------
 */

typedef struct view {
    int32_t size;
    char prefix[4]; /* or the first bytes of a text that is short enough */
    int32_t piece, offset;
} view;

static mgl_status check_view(const mgl_arrow_cells *cells, size_t i, int64_t n_pieces,
                             const mgl_arrow_place *place, mgl_error *err)
{
    view v;
    memcpy(&v, (const char *)cells->values + (cells->first + i) * sizeof v, sizeof v);
    if (v.size < 0)
        return mgl_arrow_refuse_cell(place, i, "the text has a negative length", err);
    if (v.size > INLINE_TEXT) {
        int64_t room = 0;
        if (v.piece < 0 || v.piece >= n_pieces)
            return mgl_arrow_refuse_cell(place, i, "the text lies in a buffer that is not there",
                                         err);
        memcpy(&room, (const char *)cells->pieces[n_pieces] + (size_t)v.piece * sizeof room,
               sizeof room);
        const char *piece = cells->pieces[v.piece];
        if (piece == NULL || v.offset < 0 || (int64_t)v.offset + v.size > room)
            return mgl_arrow_refuse_cell(place, i, "the text reaches beyond its buffer", err);
        if (memcmp(piece + v.offset, v.prefix, sizeof v.prefix) != 0)
            return mgl_arrow_refuse_cell(place, i, "the text does not begin as its view says", err);
    }
    return check_text(mgl_arrow_text_at(cells, i), place, i, err);
}

static mgl_status check_views(const mgl_arrow_cells *cells, int64_t n_buffers,
                              const mgl_arrow_place *place, mgl_error *err)
{
    int64_t n_pieces = n_buffers - 3;
    if (n_pieces > 0 && cells->pieces[n_pieces] == NULL)
        return mgl_arrow_refuse(place, err, "the sizes of its buffers are not told");
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            MGL_TRY(check_view(cells, i, n_pieces, place, err));
    return MGL_OK;
}

mgl_status mgl_arrow_check_cells(const mgl_arrow_cells *cells, int64_t n_buffers,
                                 const mgl_arrow_place *place, mgl_error *err)
{
    enum { SECONDS_OF_DAY = 86400 };
    switch (cells->type->kind) {
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
        return check_texts(cells, place, err);
    case MGL_ARROW_VIEW:
        return check_views(cells, n_buffers, place, err);
    case MGL_ARROW_DAY:
        return check_days(cells, place, err);
    case MGL_ARROW_TIME:
        return check_below(cells, (uint64_t)(SECONDS_OF_DAY * cells->type->unit), place,
                           "there is no such time of day", err);
    default:
        return MGL_OK;
    }
}
