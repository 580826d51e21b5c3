/* Separates keys from amounts among numbers that are nearly all different. Keys are assigned: they
 * are equally long, fill a range evenly, begin alike, end in a check digit, or never coincide
 * although they lie close together. Amounts have a scale: decimals, magnitudes, a distribution with
 * a peak and a tail, round numbers. In doubt it is a key. Texts with units are judged by their
 * numbers. */
#include "profile/content.h"

#include <math.h>
#include <utf8proc.h>

enum { MOST_DIGITS = 40, N_BINS = 12, LENGTHS = MOST_DIGITS + 1 };

/* A number by its digits, without a sign and without decimals that are all 0. */
typedef struct digits {
    const char *text;
    size_t n;
} digits;

/* What is counted of the values. */
typedef struct numbers {
    digits *list;  /* [n] whole ones */
    double *sizes; /* [n] of them, in order after sorting */
    size_t n;
    size_t all; /* values that are numbers */
    size_t negative, fractions, padded;
    size_t cut;      /* long numbers that a spreadsheet has cut: 2.60859E+11 */
    size_t lettered; /* digits with a letter behind them: a check character */
    size_t of_length[LENGTHS];
} numbers;

/* ---- Reading ------------------------------------------------------------------------------- */

/* 4711, 4711.0 and 4711,00 are whole. */
static bool take_whole(mgl_span text, digits *out)
{
    size_t n = 0, i;
    while (n < text.size && mgl_is_digit(text.data[n]))
        n++;
    for (i = n; i < text.size; i++)
        if (!(text.data[i] == '0' || (i == n && (text.data[i] == '.' || text.data[i] == ','))))
            return false;
    *out = (digits){text.data, n};
    return n > 0 && n <= MOST_DIGITS;
}

/* Four digits or more, and a power from 7 on. */
static bool is_cut(mgl_span text)
{
    enum { FEWEST_DIGITS = 4, LEAST_POWER = 7 };
    size_t digits = 0, at = 0;
    for (; at < text.size && text.data[at] != 'e' && text.data[at] != 'E'; at++)
        digits += mgl_is_digit(text.data[at]);
    uint64_t power = 0;
    return digits >= FEWEST_DIGITS && at + 2 < text.size && text.data[at + 1] == '+' &&
           mgl_parse_u64((mgl_span){text.data + at + 2, text.size - at - 2}, &power) &&
           power >= LEAST_POWER;
}

/* 11010519491231002X: five digits or more, and a letter behind them. */
static bool has_check_letter(mgl_span text)
{
    enum { FEWEST_DIGITS = 5 };
    size_t n = 0;
    while (n < text.size && mgl_is_digit(text.data[n]))
        n++;
    char last = text.size > 0 ? text.data[text.size - 1] : '0';
    return n >= FEWEST_DIGITS && n + 1 == text.size &&
           ((last >= 'A' && last <= 'Z') || (last >= 'a' && last <= 'z'));
}

static void take_value(numbers *s, mgl_span text)
{
    digits d;
    if (text.size == 0)
        return;
    s->all++;
    if (text.data[0] == '-' || text.data[0] == '+') {
        s->negative += text.data[0] == '-';
        text.data++;
        text.size--;
    }
    if (!take_whole(text, &d)) {
        bool lettered = has_check_letter(text);
        s->lettered += lettered;
        s->fractions += !lettered;
        s->cut += is_cut(text);
        return;
    }
    double size = 0;
    for (size_t i = 0; i < d.n; i++)
        size = 10 * size + (d.text[i] - '0');
    s->padded += d.n > 1 && d.text[0] == '0';
    s->of_length[d.n]++;
    s->list[s->n] = d;
    s->sizes[s->n++] = size;
}

/* For arrays of double. */
static const mgl_sort_key ascending[] = {{0, MGL_SORT_DOUBLE, sizeof(double), 1}, MGL_SORT_END};

/* ---- Days ---------------------------------------------------------------------------------- */

static unsigned number_at(const digits *d, size_t from, size_t n)
{
    unsigned number = 0;
    for (size_t i = from; i < from + n; i++)
        number = 10 * number + (unsigned)(d->text[i] - '0');
    return number;
}

static bool is_year(unsigned year)
{
    return year >= 1850 && year <= 2150;
}

static bool is_day(unsigned month, unsigned day)
{
    return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

/* 19650913, 13091965, 650913, 20240501130500: days that are written without signs. form: which. */
static bool is_compact_day(const digits *d, int form)
{
    bool long_year = d->n == 8 || d->n == 12 || d->n == 14;
    if (form == 0 && long_year) {
        bool time = d->n == 8 || (number_at(d, 8, 2) < 24 && number_at(d, 10, 2) < 60);
        return is_year(number_at(d, 0, 4)) && is_day(number_at(d, 4, 2), number_at(d, 6, 2)) &&
               time;
    }
    if (form == 1 && d->n == 8)
        return is_year(number_at(d, 4, 4)) && is_day(number_at(d, 2, 2), number_at(d, 0, 2));
    if (form == 2 && d->n == 8)
        return is_year(number_at(d, 4, 4)) && is_day(number_at(d, 0, 2), number_at(d, 2, 2));
    if (form == 3 && d->n == 6)
        return is_day(number_at(d, 2, 2), number_at(d, 4, 2));
    return false;
}

/* ---- Check digits -------------------------------------------------------------------------- */

static unsigned digit_at(const digits *d, size_t from_right)
{
    return (unsigned)(d->text[d->n - 1 - from_right] - '0');
}

static bool passes_luhn(const digits *d)
{
    unsigned sum = 0;
    for (size_t i = 0; i < d->n; i++) {
        unsigned digit = digit_at(d, i) << (i % 2);
        sum += digit > 9 ? digit - 9 : digit;
    }
    return sum % 10 == 0;
}

/* As on goods and books: weights 1 and 3. */
static bool passes_ean(const digits *d)
{
    unsigned sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += digit_at(d, i) * (i % 2 == 0 ? 1 : 3);
    return sum % 10 == 0;
}

static bool passes_mod_11(const digits *d)
{
    unsigned sum = 0;
    for (size_t i = 0; i < d->n; i++)
        sum += digit_at(d, i) * (unsigned)(i + 1);
    return sum % 11 == 0;
}

static unsigned rest_by_97(const digits *d, size_t n)
{
    unsigned rest = 0;
    for (size_t i = 0; i < n; i++)
        rest = (10 * rest + (unsigned)(d->text[i] - '0')) % 97;
    return rest;
}

static bool passes_mod_97(const digits *d)
{
    unsigned two = number_at(d, d->n - 2, 2), rest = rest_by_97(d, d->n - 2);
    return rest_by_97(d, d->n) == 1 || two == rest || two == 97 - rest;
}

typedef bool check(const digits *);

enum { SHORTEST_CHECKED = 6 };

/* Do nearly all end in a check digit? One in ten does by chance. */
static bool are_checked(const numbers *s)
{
    static check *const checks[] = {passes_luhn, passes_ean, passes_mod_11, passes_mod_97};
    for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++)
            n += s->list[i].n >= SHORTEST_CHECKED && checks[c](&s->list[i]);
        if ((double)n >= MGL_NEVER_VARIES_SHARE * (double)s->n)
            return true;
    }
    return false;
}

/* ---- Distributions ------------------------------------------------------------------------- */

/* How far the sorted sizes are from filling their range evenly (Kolmogorov and Smirnov). */
static bool is_even(const double *sizes, size_t n)
{
    double low = sizes[0], range = sizes[n - 1] - low, far = 0;
    for (size_t i = 0; i < n; i++) {
        double at = range > 0 ? (sizes[i] - low) / range : 0;
        far = fmax(far, fabs(at - ((double)i + 0.5) / (double)n));
    }
    return far * sqrt((double)n) < 1.5 || far < 0.04;
}

static bool fills_range(const numbers *s)
{
    return is_even(s->sizes, s->n);
}

/* One peak, by counts in bins of equal width: beside it they fall but for chance. Amounts have no
 * peak at the upper end. */
static bool has_peak(const double *sizes, size_t n)
{
    double low = sizes[0], range = sizes[n - 1] - low, bins[N_BINS] = {0}, smooth[N_BINS];
    size_t peak = 0;
    if (range <= 0)
        return false;
    for (size_t i = 0; i < n; i++) {
        size_t b = (size_t)(N_BINS * (sizes[i] - low) / range);
        bins[b < N_BINS ? b : N_BINS - 1]++;
    }
    for (size_t b = 0; b < N_BINS; b++) {
        smooth[b] = (bins[b > 0 ? b - 1 : 0] + 2 * bins[b] + bins[b + 1 < N_BINS ? b + 1 : b]) / 4;
        peak = smooth[b] > smooth[peak] ? b : peak;
    }
    for (size_t b = 1; b < N_BINS; b++) {
        double near = b <= peak ? smooth[b] : smooth[b - 1];
        double away = b <= peak ? smooth[b - 1] : smooth[b];
        if (away > near + 2 * sqrt(near + 1))
            return false;
    }
    return peak < N_BINS - 3;
}

static bool is_amount_group(const double *sizes, size_t n)
{
    return !is_even(sizes, n) && has_peak(sizes, n);
}

/* Two groups of amounts, as wages of two trades: divided at the widest gap, each has a peak of its
 * own and fills no range evenly, as keys of two regions do. */
static bool have_two_peaks(const double *sizes, size_t n)
{
    enum { FEWEST_OF_GROUP = 20 };
    double low = sizes[0], range = sizes[n - 1] - low, widest = 0;
    size_t at = 0;
    for (size_t i = FEWEST_OF_GROUP; i + FEWEST_OF_GROUP <= n; i++) {
        size_t reach = n / 40 + 1;
        double gap = sizes[i + reach < n ? i + reach : n - 1] - sizes[i > reach ? i - reach : 0];
        at = gap > widest ? i : at;
        widest = gap > widest ? gap : widest;
    }
    return at > 0 && range > 0 && is_amount_group(sizes, at) && is_amount_group(sizes + at, n - at);
}

/* Amounts are often round: every fifth is a multiple of 100, where chance makes one in a hundred,
 * or half of them of 10. Numbers that all end alike are keys with a suffix. */
static bool are_round(const numbers *s)
{
    size_t tens = 0, hundreds = 0;
    for (size_t i = 0; i < s->n; i++) {
        const digits *d = &s->list[i];
        tens += d->n > 1 && digit_at(d, 0) == 0;
        hundreds += d->n > 2 && digit_at(d, 0) == 0 && digit_at(d, 1) == 0;
    }
    return 5 * hundreds >= s->n || 2 * tens >= s->n;
}

/* Drawn number by number, or with random lengths: all first digits are about equally frequent. */
static bool has_even_first_digits(const numbers *s)
{
    size_t first[10] = {0};
    double far = 0, expected = (double)s->n / 9;
    for (size_t i = 0; i < s->n; i++)
        first[s->list[i].text[0] - '0']++;
    for (size_t d = 1; d < 10; d++)
        far += ((double)first[d] - expected) * ((double)first[d] - expected) / expected;
    return far < 26; /* chi squared, 8 degrees of freedom: one in a thousand */
}

/* Any digits of one length: the sizes reach from the least to the largest of them. */
static bool takes_all_digits(const numbers *s, size_t length)
{
    enum { SHORTEST_DRAWN = 6 };
    double most = pow(10, (double)length), slack = fmax(0.03, 6 / (double)s->n);
    return length >= SHORTEST_DRAWN && s->sizes[0] < most * (0.1 + slack) &&
           s->sizes[s->n - 1] > most * (1 - slack);
}

/* Two digits or more that all begin with: of five digits they leave no magnitude. */
static bool begin_alike(const numbers *s)
{
    const digits *d = &s->list[0];
    size_t same = 0;
    for (size_t i = 0; i < s->n; i++)
        same += s->list[i].n >= 5 && memcmp(s->list[i].text, d->text, 2) == 0;
    return d->n >= 5 && same == s->n;
}

/* Numbers that all differ although so many within their range would meet by chance, and that fill
 * it evenly or densely: amounts that were chosen to differ have a peak all the same. */
static bool avoid_each_other(const numbers *s, uint64_t rows)
{
    double range = s->sizes[s->n - 1] - s->sizes[0] + 1;
    double meeting = (double)rows * ((double)rows - 1) / (2 * range);
    return meeting > 6 && (range < 5 * (double)rows || fills_range(s));
}

static size_t most_frequent_length(const numbers *s)
{
    size_t best = 0;
    for (size_t n = 1; n < LENGTHS; n++)
        best = s->of_length[n] > s->of_length[best] ? n : best;
    return best;
}

/* ---- Judging ------------------------------------------------------------------------------- */

enum { SHORTEST_KEY = 8, SHORTEST_EQUAL = 4 };

static mgl_number_form judge_equal(const numbers *s, size_t length)
{
    if (length >= SHORTEST_KEY || length < SHORTEST_EQUAL || begin_alike(s))
        return length < SHORTEST_EQUAL ? MGL_NUMBERS_DOUBTFUL : MGL_NUMBERS_KEY;
    if (are_round(s))
        return MGL_NUMBERS_AMOUNT;
    if (takes_all_digits(s, length))
        return MGL_NUMBERS_KEY;
    if (fills_range(s))
        return MGL_NUMBERS_DOUBTFUL;
    return has_peak(s->sizes, s->n) || have_two_peaks(s->sizes, s->n) ? MGL_NUMBERS_AMOUNT
                                                                      : MGL_NUMBERS_KEY;
}

/* Magnitudes: the sizes or their logarithms have a peak, and first digits are no draw. */
static mgl_number_form judge_lengths(numbers *s, size_t shortest)
{
    bool round = are_round(s), even = has_even_first_digits(s), peak = has_peak(s->sizes, s->n);
    bool two = have_two_peaks(s->sizes, s->n);
    if (fills_range(s))
        return round ? MGL_NUMBERS_AMOUNT : MGL_NUMBERS_DOUBTFUL;
    for (size_t i = 0; i < s->n; i++)
        s->sizes[i] = log(s->sizes[i] + 1);
    bool spread = has_peak(s->sizes, s->n);
    if (shortest >= SHORTEST_KEY)
        return spread && !even ? MGL_NUMBERS_AMOUNT : MGL_NUMBERS_KEY;
    if (even && !round && !(peak && spread))
        return MGL_NUMBERS_DOUBTFUL;
    return peak || spread || two || round ? MGL_NUMBERS_AMOUNT : MGL_NUMBERS_DOUBTFUL;
}

static mgl_number_form judge_numbers(numbers *s, uint64_t rows)
{
    if (s->all > 0 && (double)s->cut >= MGL_MOST_VALUES * (double)s->all)
        return MGL_NUMBERS_DOUBTFUL;
    if (50 * s->lettered >= s->all && s->lettered > 0)
        return MGL_NUMBERS_KEY;
    size_t length = most_frequent_length(s), shortest = 1;
    bool signs = 20 * s->negative >= s->all && 20 * s->negative <= 19 * s->all;
    /* Numbers that a machine draws have both signs as well, and are long. */
    if (s->all == 0 || 10 * s->fractions >= s->all || (signs && length < SHORTEST_KEY))
        return MGL_NUMBERS_AMOUNT;
    if (s->n < MGL_FEWEST_JUDGED)
        return MGL_NUMBERS_DOUBTFUL;
    for (int form = 0; form < 4; form++) {
        size_t n = 0;
        for (size_t i = 0; i < s->n; i++)
            n += is_compact_day(&s->list[i], form);
        if ((double)n >= MGL_NEVER_VARIES_SHARE * (double)s->n)
            return MGL_NUMBERS_DATE;
    }
    if (20 * s->padded >= s->n || are_checked(s))
        return MGL_NUMBERS_KEY;
    mgl_sort(s->sizes, s->n, sizeof *s->sizes, ascending);
    while (s->of_length[shortest] * 50 < s->n)
        shortest++;
    if (rows > 0 && avoid_each_other(s, rows))
        return MGL_NUMBERS_KEY;
    bool equal = (double)s->of_length[length] >= MGL_NEVER_VARIES_SHARE * (double)s->n;
    return equal ? judge_equal(s, length) : judge_lengths(s, shortest);
}

bool mgl_number_form_of(const mgl_span *values, size_t n, uint64_t rows, mgl_number_form *out)
{
    numbers s = {.list = mgl_alloc_array(n, sizeof *s.list),
                 .sizes = mgl_alloc_array(n, sizeof *s.sizes)};
    bool memory = s.list != NULL && s.sizes != NULL;
    *out = MGL_NUMBERS_KEY;
    if (memory) {
        for (size_t i = 0; i < n; i++)
            take_value(&s, mgl_span_trim(values[i]));
        *out = judge_numbers(&s, rows);
    }
    mgl_free(s.list);
    mgl_free(s.sizes);
    return memory;
}

/* Is the distribution of the numbers uneven, with one peak? False when memory is out. */
static bool numbers_have_peak(const mgl_span *values, size_t n, bool *out)
{
    numbers s = {.sizes = mgl_alloc_array(n, sizeof *s.sizes)};
    for (size_t i = 0; s.sizes != NULL && i < n; i++)
        s.n += mgl_parse_double(values[i], &s.sizes[s.n]);
    *out = false;
    if (s.n > 0) {
        mgl_sort(s.sizes, s.n, sizeof *s.sizes, ascending);
        *out = is_amount_group(s.sizes, s.n);
    }
    bool memory = s.sizes != NULL;
    mgl_free(s.sizes);
    return memory;
}

/* ---- Amounts with units ---------------------------------------------------------------------- */

enum { MOST_PARTS = 2, MOST_KEPT = 40, MOST_UNIT = 8, DIGITS_OF_PART = 3 };

/* One text: its numbers with a decimal point, and what stands around them. */
typedef struct measure {
    char parts[MOST_PARTS][MOST_KEPT + 1];
    size_t sizes[MOST_PARTS], n;
    size_t letters; /* around the numbers */
    bool money;     /* a sign of money, of a share or of degrees is among what stands around */
    uint64_t around;
} measure;

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
    while (at + n < text.size && mgl_is_digit(text.data[at + n]))
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

/* ---- Units ----------------------------------------------------------------------------------- */

/* Signs, brackets and comparisons are not units. */
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

/* Returns false if the text is not a measure. */
static bool read_measure(mgl_span text, measure *m)
{
    char around[8 * MOST_UNIT];
    size_t size = 0;
    *m = (measure){.n = 0};
    for (size_t at = 0; at < text.size;) {
        utf8proc_int32_t point;
        if (mgl_is_digit(text.data[at])) {
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

/* ---- Columns of amounts with units ----------------------------------------------------------- */

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
static bool judge_measures(measures *all, uint64_t rows, bool *out)
{
    mgl_number_form form;
    size_t parts = all->list[0].n;
    *out = false;
    if (parts > 1) {
        bool peaks = !has_long_part(all);
        for (size_t part = 0; part < parts && peaks; part++) {
            take_part(all, part);
            if (!numbers_have_peak(all->spans, all->n, &peaks))
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

/* Finds the unit that most numbers have: the first of three that nine in ten texts have. */
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
        memory = judge_measures(&all, rows, out);
    mgl_free(all.list);
    mgl_free(all.spans);
    return memory;
}
