/* What a released text stands for, as far as the text itself tells: the labels that builders and
 * methods write. */
#include "hierarchy/dates.h"

#include <math.h>

/* ---- Texts ------------------------------------------------------------------------------- */

static mgl_span part(mgl_span text, size_t begin, size_t end)
{
    return (mgl_span){text.data + begin, end - begin};
}

/* 1965-09 or 1965; the first and the last day. */
static bool read_period(mgl_span text, double *first, double *last)
{
    uint64_t year, month;
    if (text.size == 4 && mgl_parse_u64(text, &year) && year > 0) {
        *first = mgl_date_days((mgl_date){(unsigned)year, 1, 1});
        *last = mgl_date_days((mgl_date){(unsigned)year + 1, 1, 1}) - 1;
        return true;
    }
    if (text.size != 7 || text.data[4] != '-' || !mgl_parse_u64(part(text, 0, 4), &year) ||
        !mgl_parse_u64(part(text, 5, 7), &month) || year == 0 || month < 1 || month > 12)
        return false;
    mgl_date after = {(unsigned)year + (month == 12), month == 12 ? 1 : (unsigned)month + 1, 1};
    *first = mgl_date_days((mgl_date){(unsigned)year, (unsigned)month, 1});
    *last = mgl_date_days(after) - 1;
    return true;
}

/* A date in one of the orders it can be read in; false if it is none. */
static bool read_date(mgl_span text, double *day, double *other)
{
    mgl_date date;
    bool found = false;
    for (int order = 0; order < MGL_DATE_ORDERS; order++) {
        if (!mgl_date_parse(text, (mgl_date_order)order, &date))
            continue;
        double days = mgl_date_days(date);
        *other = days;
        *day = found ? *day : days;
        found = true;
    }
    return found;
}

mgl_ground_text mgl_ground_text_of(mgl_span text)
{
    mgl_ground_text value = {.text = text};
    value.is_number = mgl_parse_double(text, &value.number);
    value.is_date = read_date(text, &value.day, &value.other);
    return value;
}

/* ---- Meanings ------------------------------------------------------------------------------ */

/* lo-hi, both included; a sign belongs to its number. */
static bool read_plain_range(mgl_span text, mgl_meaning *m)
{
    for (size_t at = 1; at + 1 < text.size; at++)
        if (text.data[at] == '-' && mgl_parse_double(part(text, 0, at), &m->low) &&
            mgl_parse_double(part(text, at + 1, text.size), &m->high) && m->low <= m->high)
            return true;
    return false;
}

/* 1965-1969: runs of years. */
static bool read_years(mgl_span text, mgl_meaning *m)
{
    double ignored;
    return text.size == 9 && text.data[4] == '-' &&
           read_period(part(text, 0, 4), &m->first, &ignored) &&
           read_period(part(text, 5, 9), &ignored, &m->last) && m->first <= m->last;
}

/* [lo,hi) and [lo,hi], of numbers or of dates. */
static void read_brackets(mgl_span text, mgl_meaning *m)
{
    const char *comma = memchr(text.data, ',', text.size);
    char last = text.data[text.size - 1];
    if (comma == NULL || text.size < 5 || (last != ')' && last != ']'))
        return;
    size_t at = (size_t)(comma - text.data);
    mgl_span low = part(text, 1, at), high = part(text, at + 1, text.size - 1);
    double ignored;
    m->closed = last == ']';
    m->numbers = mgl_parse_double(low, &m->low) && mgl_parse_double(high, &m->high);
    m->dates =
        !m->numbers && read_date(low, &m->first, &ignored) && read_date(high, &m->last, &ignored);
}

static void read_bound(mgl_span text, mgl_meaning *m)
{
    if (text.data[0] == '<' && mgl_parse_double(part(text, 1, text.size), &m->high)) {
        m->low = -INFINITY;
        m->numbers = true;
    } else if (text.size > 2 && text.data[1] == '=' &&
               mgl_parse_double(part(text, 2, text.size), &m->low)) {
        m->high = INFINITY;
        m->numbers = m->closed = true;
    }
}

mgl_meaning mgl_meaning_of(mgl_span text)
{
    mgl_meaning m = {.text = text};
    size_t stars = 0;
    for (size_t i = 0; i < text.size; i++)
        stars += text.data[i] == '*';
    m.anything = stars > 0 && stars == text.size;
    m.mask = stars > 0 && stars < text.size;
    if (text.size < 2 || stars > 0)
        return m;
    if (text.data[0] == '[') {
        read_brackets(text, &m);
    } else if (text.data[0] == '<' || text.data[0] == '>') {
        read_bound(text, &m);
    } else {
        m.dates = read_period(text, &m.first, &m.last) || read_years(text, &m);
        m.numbers = m.closed = read_plain_range(text, &m);
    }
    return m;
}

/* Stars at either end stand for one character each; characters may have several bytes. */
static bool mask_covers(mgl_span mask, mgl_span value)
{
    size_t i = 0, j = 0;
    while (i < mask.size && j < value.size) {
        if (mask.data[i] == '*') {
            i++;
            for (j++; j < value.size && ((unsigned char)value.data[j] & 0xC0) == 0x80;)
                j++;
        } else if (mask.data[i++] != value.data[j++]) {
            return false;
        }
    }
    return i == mask.size && j == value.size;
}

bool mgl_meaning_covers(const mgl_meaning *m, const mgl_ground_text *value)
{
    if (m->anything || mgl_span_equal(m->text, value->text))
        return true;
    if (m->mask)
        return mask_covers(m->text, value->text);
    if (m->dates && value->is_date &&
        ((value->day >= m->first && value->day <= m->last) ||
         (value->other >= m->first && value->other <= m->last)))
        return true;
    return m->numbers && value->is_number && value->number >= m->low &&
           (m->closed ? value->number <= m->high : value->number < m->high);
}
