/* Reads the numbers in texts that have a sign of money, a unit or a percent sign: $1,234.56, 12 %,
 * 1 234,50 kr, 120/80. Whether they are amounts is for the form of these numbers to tell, as of
 * numbers that stand alone; a key with letters around it stays a key. content.c calls it. */
#include "profile/content.h"

#include <utf8proc.h>

enum { MOST_PARTS = 2, MOST_KEPT = 40, MOST_UNIT = 8, DIGITS_OF_PART = 3 };

/* One text: its numbers with a decimal point, and what stands around them. */
typedef struct measure {
    char parts[MOST_PARTS][MOST_KEPT + 1];
    size_t sizes[MOST_PARTS], n;
    size_t letters; /* around the numbers */
    bool money;     /* a sign of money, of a share or of degrees is among what stands around */
    uint64_t around;
} measure;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- Numbers ------------------------------------------------------------------------------- */

/* What separates groups of three digits: a sign or a blank, also one that breaks no line. */
static size_t separator(mgl_span text, size_t at)
{
    static const char *const separators[] = {
        " ", ",", ".", "'", "\xE2\x80\x99", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89"};
    for (size_t i = 0; i < sizeof separators / sizeof separators[0]; i++) {
        size_t n = strlen(separators[i]);
        if (text.size - at > n && memcmp(text.data + at, separators[i], n) == 0)
            return n;
    }
    return 0;
}

static size_t count_digits(mgl_span text, size_t at)
{
    size_t n = 0;
    while (at + n < text.size && is_digit(text.data[at + n]))
        n++;
    return n;
}

static bool add_digits(measure *m, mgl_span text, size_t at, size_t n)
{
    size_t *size = &m->sizes[m->n];
    if (*size + n > MOST_KEPT)
        return false;
    memcpy(m->parts[m->n] + *size, text.data + at, n);
    *size += n;
    return true;
}

/* Groups of three digits, then decimals behind another sign. Returns how many bytes; 0: no number
 * or too long a one. */
static size_t take_number(measure *m, mgl_span text, size_t from)
{
    size_t at = from, n = count_digits(text, at), sign;
    mgl_span grouping = {NULL, 0};
    bool short_first = n <= 3;
    if (m->n == MOST_PARTS || !add_digits(m, text, at, n))
        return 0;
    for (at += n; at < text.size && (sign = separator(text, at)) > 0; at += sign + n) {
        bool same = grouping.size == 0 ||
                    (grouping.size == sign && memcmp(grouping.data, text.data + at, sign) == 0);
        n = count_digits(text, at + sign);
        if (!short_first || !same || n != 3)
            break;
        grouping = (mgl_span){text.data + at, sign};
        if (!add_digits(m, text, at + sign, n))
            return 0;
    }
    bool decimals = at < text.size && (text.data[at] == '.' || text.data[at] == ',');
    n = decimals ? count_digits(text, at + 1) : 0;
    if (n > 0) {
        if (!add_digits(m, (mgl_span){".", 1}, 0, 1) || !add_digits(m, text, at + 1, n))
            return 0;
        at += 1 + n;
    }
    m->n++;
    return at - from;
}

/* ---- What stands around ---------------------------------------------------------------------- */

/* Signs that say which way a number goes are no unit. */
static bool is_direction(utf8proc_int32_t point)
{
    return point == '-' || point == '+' || point == '(' || point == ')' || point == '~' ||
           point == '<' || point == '>' || point == 0x2212 || point == 0x2248;
}

static void take_sign(measure *m, utf8proc_int32_t point, char *around, size_t *size)
{
    utf8proc_category_t category = (utf8proc_category_t)utf8proc_category(point);
    if (category == UTF8PROC_CATEGORY_ZS || is_direction(point))
        return;
    m->money = m->money || category == UTF8PROC_CATEGORY_SC || point == '%' || point == 0xB0 ||
               point == 0x2030;
    m->letters++;
    *size += (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)around + *size);
}

/* False: it is something else. */
static bool read_measure(mgl_span text, measure *m)
{
    char around[8 * MOST_UNIT];
    size_t size = 0;
    *m = (measure){.n = 0};
    for (size_t at = 0; at < text.size;) {
        utf8proc_int32_t point;
        if (is_digit(text.data[at])) {
            size_t n = take_number(m, text, at);
            if (n == 0)
                return false;
            at += n;
            around[size++] = '0';
        } else {
            utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
                                                  (utf8proc_ssize_t)(text.size - at), &point);
            if (n <= 0 || m->letters == MOST_UNIT)
                return false;
            take_sign(m, point, around, &size);
            at += (size_t)n;
        }
    }
    m->around = mgl_hash(around, size);
    return m->n > 0;
}

/* ---- A column -------------------------------------------------------------------------------- */

/* The numbers of one part in all texts, as spans for mgl_number_form_of. */
typedef struct measures {
    measure *list; /* [n], those that are like the first one around their numbers */
    mgl_span *spans;
    size_t n;
} measures;

static void take_part(measures *all, size_t part)
{
    for (size_t i = 0; i < all->n; i++)
        all->spans[i] = (mgl_span){all->list[i].parts[part], all->list[i].sizes[part]};
}

static bool has_long_part(const measures *all)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t part = 0; part < all->list[i].n; part++)
            if (all->list[i].sizes[part] > DIGITS_OF_PART)
                return true;
    return false;
}

/* A single number is judged as it would be alone: where that is doubtful, a sign of money or a
 * percent sign decides. Of two each must have a peak. */
static bool judge(measures *all, uint64_t rows, bool *out)
{
    mgl_number_form form;
    size_t parts = all->list[0].n;
    *out = false;
    if (parts > 1) {
        bool peaks = !has_long_part(all);
        for (size_t part = 0; part < parts && peaks; part++) {
            take_part(all, part);
            if (!mgl_numbers_have_peak(all->spans, all->n, &peaks))
                return false;
        }
        *out = peaks;
        return true;
    }
    take_part(all, 0);
    if (!mgl_number_form_of(all->spans, all->n, rows, &form))
        return false;
    *out = form == MGL_NUMBERS_AMOUNT || (form == MGL_NUMBERS_DOUBTFUL && all->list[0].money);
    return true;
}

/* The one that stands around most numbers: the first of three that nine in ten texts have. */
static bool find_unit(const mgl_span *values, size_t n, measures *all)
{
    enum { TRIALS = 3 };
    for (size_t first = 0; first < TRIALS && first < n; first++) {
        measure model;
        all->n = 0;
        if (!read_measure(mgl_span_trim(values[first]), &model))
            continue;
        for (size_t i = 0; i < n; i++) {
            measure *m = &all->list[all->n];
            all->n += read_measure(mgl_span_trim(values[i]), m) && m->around == model.around;
        }
        if ((double)all->n >= MGL_MOST_VALUES * (double)n)
            return true;
    }
    return false;
}

bool mgl_measures_are_amounts(const mgl_span *values, size_t n, uint64_t rows, bool *out)
{
    measures all = {.list = mgl_alloc_array(n, sizeof *all.list),
                    .spans = mgl_alloc_array(n, sizeof *all.spans)};
    bool memory = all.list != NULL && all.spans != NULL;
    *out = false;
    if (memory && n >= MGL_FEWEST_JUDGED && find_unit(values, n, &all))
        memory = judge(&all, rows, out);
    mgl_free(all.list);
    mgl_free(all.spans);
    return memory;
}
