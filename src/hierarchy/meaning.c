/* What generalized labels mean: the numbers or days that a label covers, and labels of aggregates.
 */
#include "hierarchy/hierarchy.h"
#include "hierarchy/builders.h"

#include <math.h>

const char *const mgl_aggregate_words[] = {[MGL_AGGREGATE_NOT] = "none",
                                           [MGL_AGGREGATE_MEAN] = "mean",
                                           [MGL_AGGREGATE_MEDIAN] = "median",
                                           [MGL_AGGREGATE_RANGE] = "range",
                                           [MGL_AGGREGATE_MODE] = "mode",
                                           [MGL_AGGREGATE_SET] = "set",
                                           NULL};

static bool is_set(mgl_span text)
{
    return text.size >= 2 && text.data[0] == '{' && text.data[text.size - 1] == '}';
}

/* Reads one member from `at` on, with the comma or the brace behind it. Is it the value? */
static bool read_member(mgl_span text, size_t *at, mgl_span value)
{
    bool quoted = *at < text.size && text.data[*at] == '"', same = true;
    size_t i = *at + quoted, known = 0, last = text.size - 1;
    for (; i < last; i++, known++) {
        bool quote = text.data[i] == '"';
        if ((quoted && quote && text.data[i + 1] != '"') || (!quoted && text.data[i] == ','))
            break;
        same = same && known < value.size && value.data[known] == text.data[i];
        i += quoted && quote; /* doubled */
    }
    *at = i + quoted + 1;
    return same && known == value.size;
}

bool mgl_set_has(mgl_span text, mgl_span value)
{
    for (size_t at = 1; is_set(text) && at < text.size;)
        if (read_member(text, &at, value))
            return true;
    return false;
}

size_t mgl_set_size(mgl_span text)
{
    size_t n = 0;
    for (size_t at = 1; is_set(text) && at < text.size; n++)
        read_member(text, &at, (mgl_span){0});
    return n;
}

/* Times are fractions of days, which round: far less than a second. */
static const double slack = 1e-8;
static const double hour = 1.0 / 24;

static mgl_span between(mgl_span text, size_t begin, size_t end)
{
    return (mgl_span){text.data + begin, end - begin};
}

/* A date in one of the orders it can be read in; false if it is none. */
static bool read_date(mgl_span text, const mgl_notation *notation, double *day, double *other,
                      bool *timed)
{
    mgl_moment moment;
    bool found = false;
    for (int order = 0; order < MGL_DATE_ORDERS; order++) {
        if (!mgl_moment_parse(notation, text, (mgl_date_order)order, &moment))
            continue;
        double days = mgl_moment_days(&moment);
        *other = days;
        *day = found ? *day : days;
        *timed = moment.timed;
        found = true;
    }
    return found;
}

mgl_ground_text mgl_ground_text_of(mgl_span text, const mgl_notation *notation)
{
    bool timed;
    mgl_ground_text value = {.text = text};
    value.is_number = mgl_notation_number(notation, text, &value.number);
    value.is_date = read_date(text, notation, &value.day, &value.other, &timed);
    return value;
}

/* Labels have no groups, so that a point is always a decimal one. */
static bool read_number(mgl_span text, double *out)
{
    static const mgl_notation comma = {.numbers = MGL_NUMBERS_COMMA};
    return mgl_parse_double(text, out) ||
           (memchr(text.data, '.', text.size) == NULL && mgl_notation_number(&comma, text, out));
}

/* lo-hi; a sign belongs to its number. */
static bool read_plain_range(mgl_span text, mgl_meaning *m)
{
    for (size_t at = 1; at + 1 < text.size; at++)
        if (text.data[at] == '-' && read_number(between(text, 0, at), &m->low) &&
            read_number(between(text, at + 1, text.size), &m->high) && m->low <= m->high)
            return true;
    return false;
}

/* Two dates or date-times with a comma between them. */
static bool read_dates(mgl_span low, mgl_span high, mgl_meaning *m)
{
    double ignored;
    bool from_time, to_time;
    if (!read_date(low, NULL, &m->first, &ignored, &from_time) ||
        !read_date(high, NULL, &m->last, &ignored, &to_time))
        return false;
    m->step = to_time ? 2 * slack : 1; /* the last moment belongs to it */
    return true;
}

/* [lo,hi) and [lo,hi], of numbers or of dates; [lo-hi) and [lo-hi] with decimal commas. */
static void read_brackets(mgl_span text, mgl_meaning *m)
{
    char last = text.data[text.size - 1];
    if (text.size < 5 || (last != ')' && last != ']'))
        return;
    text = between(text, 1, text.size - 1);
    m->closed = last == ']';
    for (size_t at = 1; at + 1 < text.size && !m->numbers && !m->dates; at++) {
        mgl_span low = between(text, 0, at), high = between(text, at + 1, text.size);
        if (text.data[at] != ',')
            continue;
        m->numbers = mgl_parse_double(low, &m->low) && mgl_parse_double(high, &m->high);
        m->dates = !m->numbers && read_dates(low, high, m);
    }
    if (!m->numbers && !m->dates)
        m->numbers = read_plain_range(text, m);
}

static void read_bound(mgl_span text, mgl_meaning *m)
{
    bool up_to = text.size > 2 && text.data[0] == '<' && text.data[1] == '=';
    if (up_to && read_number(between(text, 2, text.size), &m->high)) {
        m->low = -INFINITY;
        m->numbers = m->closed = true;
    } else if (text.data[0] == '<' && read_number(between(text, 1, text.size), &m->high)) {
        m->low = -INFINITY;
        m->numbers = true;
    } else if (!up_to && text.size > 2 && text.data[1] == '=' &&
               read_number(between(text, 2, text.size), &m->low)) {
        m->high = INFINITY;
        m->numbers = m->closed = true;
    }
}

static void read_period(mgl_span text, mgl_meaning *m)
{
    mgl_period_span span;
    if (!mgl_period_parse(text, &span))
        return;
    m->dates = true;
    m->first = span.first;
    m->last = span.last;
    m->step = span.hour ? hour : 1;
}

mgl_meaning mgl_meaning_of(mgl_span text)
{
    mgl_meaning m = {.text = text};
    size_t stars = 0;
    for (size_t i = 0; i < text.size; i++)
        stars += text.data[i] == '*';
    m.anything = stars > 0 && stars == text.size;
    m.set = mgl_set_size(text) > 0;
    if (m.set)
        return m;
    m.mask = stars > 0 && stars < text.size;
    if (text.size < 2 || stars > 0)
        return m;
    if (text.data[0] == '[') {
        read_brackets(text, &m);
    } else if (text.data[0] == '<' || text.data[0] == '>') {
        read_bound(text, &m);
    } else {
        read_period(text, &m);
        m.numbers = m.closed = read_plain_range(text, &m);
    }
    return m;
}

unsigned mgl_meaning_year(double day)
{
    return mgl_date_of_days(day).year;
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

static bool day_covers(const mgl_meaning *m, double day)
{
    return day >= m->first - slack && day < m->last + m->step - slack;
}

bool mgl_meaning_covers(const mgl_meaning *m, const mgl_ground_text *value)
{
    if (m->anything || mgl_span_equal(m->text, value->text))
        return true;
    if (m->set)
        return mgl_set_has(m->text, value->text);
    if (m->mask)
        return mask_covers(m->text, value->text);
    if (m->dates && value->is_date && (day_covers(m, value->day) || day_covers(m, value->other)))
        return true;
    return m->numbers && value->is_number && value->number >= m->low &&
           (m->closed ? value->number <= m->high : value->number < m->high);
}
