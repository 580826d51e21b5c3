/* Makes the profile of a column: counts, shapes of its values, codes for missing, spellings, and
 * what its name means. */
#include "profile/profile.h"
#include "profile/content.h"

#include <ctype.h>
#include <math.h>
#include <strings.h>

static const char *const words[] = {
    ".",       "*",          "-",          "--",           "?",
    "NA",      "N/A",        "n.a.",       "#N/A",         "<NA>",
    "NaN",     "NULL",       "(null)",     "#NULL!",       "missing",
    "unknown", "unbekannt",  "inconnu",    "keine Angabe", "k.A.",
    "k. A.",   "00.00.0000", "0000-00-00", "00/00/0000",
};

static const char *const numbers[] = {
    "-7",     "-8", "-9",  "-77",  "-88",   "-98", "-99",  "-999",   "-9999",
    "-99999", "99", "999", "9999", "99999", "888", "8888", "999999", "9999999",
};

/* Does the value mean missing wherever it occurs: NA, ?, 00.00.0000? */
static bool is_missing_word(mgl_span value)
{
    mgl_span text = mgl_span_trim(value);
    int first = text.size > 0 ? tolower((unsigned char)text.data[0]) : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (first == tolower((unsigned char)words[i][0]) && text.size == strlen(words[i]) &&
            strncasecmp(text.data, words[i], text.size) == 0)
            return true;
    return false;
}

/* Is the value a number that is often written in place of a missing one: -99, 9999? Whether it
 * means that in a column, missing_number_fits decides. */
static bool is_missing_number(mgl_span value)
{
    char first = value.size > 0 ? value.data[0] : '\0';
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (first == numbers[i][0] && mgl_span_is(value, numbers[i]))
            return true;
    return false;
}

/* Does the number lie outside the other numbers of the column, low..high: below 0 where none of
 * them is, or above them by more than their range? */
static bool missing_number_fits(mgl_span number, double low, double high)
{
    double value;
    if (low > high || !mgl_parse_double(number, &value))
        return false;
    return value < 0 ? low >= 0 : value > high && value - high > high - low;
}

/* One value, in one spelling or several. */
typedef struct spelled_value {
    uint64_t rows;
    uint64_t spellings;
} spelled_value;

/* Of the second spelling the first is a variant, too. */
static void add_spelling(spelled_value *value, uint64_t rows, mgl_profile *p)
{
    value->rows += rows;
    value->spellings++;
    p->values += value->spellings == 1;
    p->variants += value->spellings == 1 ? 0 : value->spellings == 2 ? 2 : 1;
    p->commonest = value->rows > p->commonest ? value->rows : p->commonest;
}

/* Counts values that are one in several spellings, "Male", "male ", "MALE", as models take them
 * (docs/definitions.md#sensitive-values): fills in `values`, `variants` and `commonest`. Values are
 * compared by hashes of 64 bits. */
static mgl_status count_variants(const mgl_dictionary *values, const uint64_t *rows, mgl_error *err,
                                 mgl_profile *p)
{
    const mgl_cell_rule alike = {0};
    uint32_t n_codes = mgl_dictionary_size(values), missing = mgl_dictionary_missing(values);
    mgl_key_index hashes = {.size = sizeof(uint64_t)};
    spelled_value *spelled = mgl_zeroed_array(n_codes, sizeof *spelled);
    mgl_buffer key = {0};
    bool memory = spelled != NULL;
    for (uint32_t code = 0; code < n_codes && memory; code++) {
        if (code == missing || rows[code] == 0)
            continue;
        memory = mgl_value_key(&alike, mgl_dictionary_value(values, code), &key);
        if (!memory)
            break;
        uint64_t hash = mgl_hash(key.data, key.size);
        uint32_t number = mgl_key_index_add(&hashes, &hash);
        memory = number != MGL_NOT_FOUND;
        if (memory)
            add_spelling(&spelled[number], rows[code], p);
    }
    mgl_buffer_free(&key);
    mgl_key_index_free(&hashes);
    mgl_free(spelled);
    return memory ? MGL_OK : mgl_fail_memory(err);
}

/* Bytes from 0x80 on are taken for letters: names have accents. */
static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

static bool is_capital(char c)
{
    return (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* 1.234.567,5 and 3,14. */
static bool read_comma_number(mgl_span text, double *number)
{
    static const mgl_notation comma = {.numbers = MGL_NUMBERS_COMMA};
    return mgl_notation_number(&comma, text, number);
}

static void add_number(mgl_shapes *s, mgl_span text)
{
    double number;
    bool plain = mgl_parse_double(text, &number);
    if (!plain && !read_comma_number(text, &number))
        return;
    size_t sign = text.data[0] == '-' || text.data[0] == '+';
    bool whole = plain;
    for (size_t i = sign; whole && i < text.size; i++)
        whole = mgl_is_digit(text.data[i]);
    s->integers += whole;
    s->points += plain && !whole;
    s->round += plain && !whole && number == floor(number);
    s->commas += !plain;
    s->padded += whole && text.size > sign + 1 && text.data[sign] == '0';
    s->low = number < s->low ? number : s->low;
    s->high = number > s->high ? number : s->high;
}

/* Two-digit years are dates whatever century they are of. */
static void add_date(mgl_shapes *s, mgl_span text)
{
    static const mgl_notation any_century = {.has_century = true};
    mgl_moment moment;
    unsigned orders = mgl_date_orders(&any_century, text);
    if (orders == 0 ||
        !mgl_moment_parse(&any_century, text, (mgl_date_order)__builtin_ctz(orders), &moment))
        return;
    s->short_years += mgl_date_fault_of(NULL, text) == MGL_DATE_SHORT_YEAR;
    s->dates += !moment.timed;
    s->date_times += moment.timed;
}

/* Words and how they are written. */
typedef struct wording {
    size_t words, capitalized, digits, others; /* others: neither letters nor what names have */
} wording;

static wording word_it(mgl_span text)
{
    wording w = {0};
    bool inside = false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool letter = is_letter(c);
        if (!inside && (letter || mgl_is_digit(c))) {
            w.words++;
            w.capitalized += is_capital(c);
        }
        inside = letter || mgl_is_digit(c) || c == '\'' || c == '-' || c == '.';
        w.digits += mgl_is_digit(c);
        w.others += !letter && !mgl_is_digit(c) && strchr(" .,'-", c) == NULL;
    }
    return w;
}

enum { SHORTEST_TEXT = 20, FEWEST_WORDS_OF_TEXT = 4, LONGEST_NAME = 60, MOST_WORDS_OF_NAME = 5 };

static void add_wording(mgl_shapes *s, mgl_span text)
{
    wording w = word_it(text);
    bool blank = memchr(text.data, ' ', text.size) != NULL;
    bool plain = w.digits == 0 && w.others == 0;
    s->codes += !blank && w.digits > 0;
    s->words += !blank && plain;
    /* "van der Berg": two of the words must be capitalized, not all. */
    s->names += plain && text.size <= LONGEST_NAME && w.words >= 2 &&
                w.words <= MOST_WORDS_OF_NAME && w.capitalized >= 2;
    s->texts += blank && (text.size >= SHORTEST_TEXT || w.words >= FEWEST_WORDS_OF_TEXT);
}

/* Counts what a single value looks like. */
static void shapes_add(mgl_shapes *s, mgl_span value)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    mgl_span text = mgl_span_trim(value);
    if (text.size == 0)
        return;
    s->shortest = s->values == 0 || text.size < s->shortest ? text.size : s->shortest;
    s->longest = text.size > s->longest ? text.size : s->longest;
    s->values++;
    add_number(s, text);
    add_date(s, text);
    add_wording(s, text);
    for (size_t k = 0; k < n; k++)
        s->identifiers[k] += kinds[k].looks != NULL && kinds[k].looks(text);
}

static const char *const kind_names[MGL_VALUE_KINDS] = {
    [MGL_VALUE_EMPTY] = "no values",
    [MGL_VALUE_INTEGER] = "whole numbers",
    [MGL_VALUE_DECIMAL] = "decimal numbers",
    [MGL_VALUE_COMMA] = "numbers with a decimal comma",
    [MGL_VALUE_DATE] = "dates",
    [MGL_VALUE_DATE_TIME] = "dates with a time",
    [MGL_VALUE_CODE] = "codes",
    [MGL_VALUE_CATEGORY] = "categories",
    [MGL_VALUE_NAME] = "texts like names",
    [MGL_VALUE_TEXT] = "free text",
};

const char *mgl_value_kind_name(mgl_value_kind kind)
{
    return kind_names[kind];
}

static void note_code(mgl_profile *p, mgl_span value, uint64_t rows, bool number)
{
    if (p->n_codes == MGL_MOST_MISSING_CODES || value.size >= sizeof p->codes[0].text)
        return;
    mgl_missing_code *code = &p->codes[p->n_codes++];
    memcpy(code->text, value.data, value.size);
    code->text[value.size] = '\0';
    code->rows = rows;
    code->number = number;
}

void mgl_profile_begin(mgl_profile *p, const char *name)
{
    *p = (mgl_profile){.name = name, .shapes = {.low = INFINITY, .high = -INFINITY}};
}

void mgl_profile_look(mgl_profile *p, mgl_span value)
{
    if (is_missing_word(value))
        note_code(p, value, 0, false);
    else
        shapes_add(&p->shapes, value);
    if (p->sample != NULL && !is_missing_word(value))
        mgl_value_sample_add(p->sample, value);
}

static bool most(uint64_t some, uint64_t all)
{
    return all > 0 && (double)some >= MGL_MOST_VALUES * (double)all;
}

static mgl_value_kind kind_of_numbers(const mgl_shapes *s)
{
    if (most(s->integers, s->values) && s->points == 0 && s->commas == 0)
        return MGL_VALUE_INTEGER;
    if (most(s->integers + s->points, s->values) && s->points > 0)
        return MGL_VALUE_DECIMAL;
    if (most(s->integers + s->points + s->commas, s->values) && s->commas > s->points)
        return MGL_VALUE_COMMA;
    return most(s->integers + s->points, s->values) ? MGL_VALUE_INTEGER : MGL_VALUE_EMPTY;
}

/* Texts that repeat are categories, however they are written. */
static mgl_value_kind kind_of_texts(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    double alone = mgl_profile_alone_share(p);
    if (p->distinct <= MGL_FEW_VALUES && alone < MGL_SINGLES_OUT_SHARE)
        return MGL_VALUE_CATEGORY;
    if (most(s->codes, s->values))
        return MGL_VALUE_CODE;
    if (2 * s->names >= s->values ||
        (alone >= MGL_SINGLES_OUT_SHARE && most(s->names + s->words, s->values)))
        return MGL_VALUE_NAME;
    return 2 * s->texts >= s->values ? MGL_VALUE_TEXT : MGL_VALUE_CATEGORY;
}

static mgl_value_kind kind_of(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    if (s->values == 0)
        return MGL_VALUE_EMPTY;
    if (most(s->dates, s->values))
        return MGL_VALUE_DATE;
    if (most(s->dates + s->date_times, s->values))
        return MGL_VALUE_DATE_TIME;
    mgl_value_kind numbers = kind_of_numbers(s);
    return numbers != MGL_VALUE_EMPTY ? numbers : kind_of_texts(p);
}

/* The kind that most values look like: some look like several. */
static const mgl_identifier_kind *find_look(const mgl_shapes *s)
{
    size_t n, best = 0;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 1; k < n; k++)
        best = s->identifiers[k] > s->identifiers[best] ? k : best;
    bool enough = s->identifiers[best] >= 2 &&
                  (double)s->identifiers[best] >= MGL_LOOKS_SHARE * (double)s->values;
    return enough ? &kinds[best] : NULL;
}

static const mgl_identifier_kind *find_named(const char *name)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 0; k < n; k++)
        if (mgl_kind_is_named(&kinds[k], name))
            return &kinds[k];
    return NULL;
}

/* Rows that all have a value of their own: numbers then meet less often than chance lets them. */
static uint64_t rows_alone(const mgl_profile *p)
{
    return mgl_profile_alone_share(p) >= 0.99 ? p->rows - p->missing : 0;
}

void mgl_profile_end(mgl_profile *p)
{
    p->kind = kind_of(p);
    p->out_of_memory = p->sample != NULL && !mgl_content_of(p->sample, rows_alone(p), &p->content);
    if (p->out_of_memory)
        p->content = (mgl_content){0};
    p->named = find_named(p->name);
    p->looks = find_look(&p->shapes);
    p->topic = mgl_topic_of(p->name);
}

/* Numbers such as -99 wait until the others are known. */
static void look_at_numbers(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    double low = p->shapes.low, high = p->shapes.high;
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (rows[code] == 0 || code == mgl_dictionary_missing(values) || !is_missing_number(value))
            continue;
        if (missing_number_fits(value, low, high))
            note_code(p, value, rows[code], true);
        else
            shapes_add(&p->shapes, value);
    }
}

static void look_at_all(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    uint32_t missing = mgl_dictionary_missing(values);
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        p->rows += rows[code];
        if (code == missing)
            p->missing = rows[code];
        if (code == missing || rows[code] == 0)
            continue;
        p->distinct++;
        p->alone += rows[code] == 1;
        if (is_missing_word(value)) {
            note_code(p, value, rows[code], false);
            continue;
        }
        p->most = rows[code] > p->most ? rows[code] : p->most;
        mgl_value_sample_add(p->sample, value);
        if (!is_missing_number(value))
            shapes_add(&p->shapes, value);
    }
    look_at_numbers(p, values, rows);
}

static bool is_no_day(mgl_date_fault fault)
{
    return fault == MGL_DATE_IMPOSSIBLE || fault == MGL_DATE_OUTSIDE;
}

/* 31.02.2020 among dates, or infinity, is no other kind of value. */
static void look_at_impossible(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (rows[code] > 0 && code != mgl_dictionary_missing(values) && !is_missing_word(value) &&
            is_no_day(mgl_date_fault_of(NULL, value)))
            note_code(p, value, rows[code], false);
    }
}

static void look_at_labels(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    const mgl_value_labels *labels = mgl_dictionary_labels(values);
    uint64_t n = 0;
    for (uint32_t code = 0; labels != NULL && code < mgl_dictionary_size(values); code++)
        n += rows[code] > 0 && code != mgl_dictionary_missing(values) &&
             mgl_label_of(labels, mgl_dictionary_value(values, code)).size > 0;
    p->labelled = n > 0 && 2 * n > p->distinct;
}

mgl_status mgl_profile_of(const char *name, const mgl_dictionary *values, const uint64_t *rows,
                          mgl_error *err, mgl_profile *out)
{
    mgl_profile p;
    mgl_status status = MGL_OK;
    mgl_profile_begin(&p, name);
    p.sample = mgl_value_sample_new();
    MGL_TRY(mgl_check_memory(p.sample != NULL, err));
    look_at_all(&p, values, rows);
    look_at_labels(&p, values, rows);
    MGL_GO(count_variants(values, rows, err, &p));
    mgl_profile_end(&p);
    MGL_GO(p.out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    if (mgl_profile_is_date(&p))
        look_at_impossible(&p, values, rows);
    *out = p;
    out->sample = NULL;
done:
    mgl_value_sample_free(p.sample);
    return status;
}
