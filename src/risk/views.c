/* Puts the values of a column in order: by their bytes, with their prefixes, and by what they are
 * worth as numbers or dates. recovery.c looks at a column in each of these ways. */
#include "risk/recovery.h"

#include "notation/notation.h"

#include <math.h>
#include <stdlib.h>

/* ---- By bytes ------------------------------------------------------------------------------ */

typedef struct text_at {
    mgl_span text;
    double worth;
    uint32_t value;
} text_at;

static int compare_bytes(const void *a, const void *b)
{
    const text_at *x = a, *y = b;
    size_t n = x->text.size < y->text.size ? x->text.size : y->text.size;
    int order = n > 0 ? memcmp(x->text.data, y->text.data, n) : 0;
    return order != 0 ? order : (x->text.size > y->text.size) - (x->text.size < y->text.size);
}

/* The bytes of the first characters: a character of UTF-8 begins with no 10xxxxxx. */
static size_t prefix_size(mgl_span text, int characters)
{
    size_t size = 0;
    for (; size < text.size; size++)
        if (((unsigned char)text.data[size] & 0xC0) != 0x80 && characters-- == 0)
            break;
    return size;
}

static bool same_prefix(mgl_span a, mgl_span b, int characters)
{
    size_t size = prefix_size(a, characters);
    return size == prefix_size(b, characters) && memcmp(a.data, b.data, size) == 0;
}

/* Numbers the prefixes of sorted values; false if memory is out. Those that tell no more apart than
 * shorter ones, or as much as the values themselves, are left out. */
static bool number_prefixes(mgl_ordered *o, const text_at *sorted)
{
    uint32_t before = 1;
    for (int p = 0; p < MGL_LONGEST_PREFIX; p++) {
        uint32_t *prefix = mgl_alloc_array(o->n, sizeof *prefix), number = 0;
        if (prefix == NULL)
            return false;
        for (uint32_t i = 0; i < o->n; i++) {
            number += i > 0 && !same_prefix(sorted[i - 1].text, sorted[i].text, p + 1);
            prefix[sorted[i].value] = number;
        }
        if (number + 1 == before || number + 1 == o->n) {
            mgl_free(prefix);
            continue;
        }
        before = number + 1;
        o->prefix[p] = prefix;
        o->any[MGL_VIEW_PREFIX + p] = true;
    }
    return true;
}

/* ---- By worth ------------------------------------------------------------------------------ */

static int compare_worth(const void *a, const void *b)
{
    const text_at *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth < y->worth ? -1 : 1;
    return compare_bytes(a, b);
}

/* How values may be read: numbers in the notation of the column, or dates in one of the orders. */
enum { AS_NUMBERS = MGL_DATE_ORDERS, READINGS };

static bool worth_of(mgl_span text, int reading, const mgl_notation *notation, double *out)
{
    static const mgl_notation any_century = {.has_century = true};
    mgl_moment moment;
    if (reading == AS_NUMBERS)
        return mgl_notation_number(notation, text, out);
    if (!mgl_moment_parse(&any_century, text, (mgl_date_order)reading, &moment))
        return false;
    *out = mgl_moment_days(&moment);
    return true;
}

/* The first reading that fits most values, numbers before dates; what it does not fit comes last.
 */
static void find_worth(text_at *texts, uint32_t n)
{
    mgl_number_sniffer sniffer = {0};
    mgl_notation notation;
    for (uint32_t i = 0; i < n; i++)
        mgl_number_sniffer_look(&sniffer, texts[i].text);
    mgl_number_sniffer_end(&sniffer, &notation);
    for (int reading = READINGS - 1; reading >= 0; reading--) {
        uint32_t fit = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool fits = worth_of(texts[i].text, reading, &notation, &texts[i].worth);
            texts[i].worth = fits ? texts[i].worth : INFINITY;
            fit += fits;
        }
        if ((double)fit >= MGL_MOST_VALUES * n)
            return;
    }
    for (uint32_t i = 0; i < n; i++)
        texts[i].worth = 0;
}

/* ---- All ----------------------------------------------------------------------------------- */

static mgl_status order(mgl_ordered *o, text_at *texts, const mgl_map *values, mgl_error *err)
{
    for (uint32_t v = 0; v < o->n; v++) {
        texts[v] = (text_at){mgl_map_text(values, v), 0, v};
        o->any[MGL_VIEW_WORDS] = o->any[MGL_VIEW_WORDS] || mgl_looks_like_text(texts[v].text);
    }
    qsort(texts, o->n, sizeof *texts, compare_bytes);
    for (uint32_t i = 0; i < o->n; i++)
        o->by_bytes[i] = o->by_worth[i] = texts[i].value;
    o->any[MGL_VIEW_VALUES] = o->any[MGL_VIEW_RARE_VALUES] = true;
    if (o->n <= MGL_FEW_TO_SORT)
        return MGL_OK;
    o->any[MGL_VIEW_CLASSES] = o->any[MGL_VIEW_FINE_CLASSES] = true;
    if (!number_prefixes(o, texts))
        return mgl_fail_memory(err);
    find_worth(texts, o->n);
    qsort(texts, o->n, sizeof *texts, compare_worth);
    for (uint32_t i = 0; i < o->n; i++)
        o->by_worth[i] = texts[i].value;
    return MGL_OK;
}

mgl_status mgl_ordered_init(mgl_ordered *o, const mgl_map *values, mgl_error *err)
{
    *o = (mgl_ordered){.n = mgl_map_size(values)};
    o->by_bytes = mgl_alloc_array(o->n, sizeof *o->by_bytes);
    o->by_worth = mgl_alloc_array(o->n, sizeof *o->by_worth);
    text_at *texts = mgl_alloc_array(o->n, sizeof *texts);
    mgl_status status = o->by_bytes == NULL || o->by_worth == NULL || texts == NULL
                            ? mgl_fail_memory(err)
                            : order(o, texts, values, err);
    mgl_free(texts);
    return status;
}

void mgl_ordered_free(mgl_ordered *o)
{
    mgl_free(o->by_bytes);
    mgl_free(o->by_worth);
    for (int p = 0; p < MGL_LONGEST_PREFIX; p++)
        mgl_free(o->prefix[p]);
    *o = (mgl_ordered){0};
}
