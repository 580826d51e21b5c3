/* Judges a sample of the different values of a column: how many have the form of names, from which
 * words these are put together, which pattern codes have, which form numbers have. */
#include "profile/content.h"

#include <math.h>
#include <utf8proc.h>

/* ---- Words --------------------------------------------------------------------------------- */

/* Signs of a name of a person in one text. */
typedef struct naming {
    bool full;            /* the form of a full name: several words, all written as names are */
    bool capitals;        /* such a form, with capital letters */
    bool single;          /* one word of letters */
    bool title;           /* a title before a name, or an honorific behind one: Dr. Osgood */
    bool maybe;           /* a title that means something else as well: Sr. */
    bool initials;        /* a name and initials: J. R. Osgood */
    bool numbered;        /* words with a house number before or behind them */
    mgl_span mentioned;   /* two capitalized words side by side in a text that has small ones */
    size_t words;         /* of letters, titles left out */
    mgl_span first, last; /* of them; of a name without blanks its first sign and the rest */
} naming;

typedef enum word_case {
    CASE_SMALL,   /* ann */
    CASE_CAPITAL, /* Ann, McDonald, O'Brien, Jean-Luc */
    CASE_ALL,     /* ANN */
    CASE_NONE     /* of a script without capital letters */
} word_case;

typedef struct word {
    mgl_span text; /* without dots and commas around it */
    word_case writing;
    size_t letters;  /* characters */
    bool digits;     /* has some */
    bool dot, comma; /* stands behind it */
    bool joined;     /* of a script that is written without blanks */
} word;

enum { MOST_WORDS = 24 };

typedef struct wording {
    word words[MOST_WORDS];
    size_t n;
    bool other; /* signs that names do not have */
} wording;

static size_t next_point(mgl_span text, size_t at, utf8proc_int32_t *point)
{
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
                                          (utf8proc_ssize_t)(text.size - at), point);
    if (n > 0)
        return (size_t)n;
    *point = 0xFFFD; /* no UTF-8: a letter of some other encoding */
    return 1;
}

static bool is_ideograph(utf8proc_int32_t point)
{
    return (point >= 0x3040 && point <= 0x30FF) || (point >= 0x3400 && point <= 0x9FFF) ||
           (point >= 0xAC00 && point <= 0xD7A3) || (point >= 0xF900 && point <= 0xFAFF) ||
           (point >= 0x20000 && point <= 0x3FFFF);
}

/* What a character is to a word. */
typedef enum sign { SIGN_LETTER, SIGN_MARK, SIGN_DIGIT, SIGN_INSIDE, SIGN_BLANK, SIGN_OTHER } sign;

static sign sign_of(utf8proc_int32_t point)
{
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return SIGN_LETTER;
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_CF: /* joiners */
        return SIGN_MARK;
    case UTF8PROC_CATEGORY_ND:
        return SIGN_DIGIT;
    case UTF8PROC_CATEGORY_ZS:
        return SIGN_BLANK;
    default:
        break;
    }
    if (point == 0xFFFD)
        return SIGN_LETTER;
    if (point == '\'' || point == '-' || point == 0x2019 || point == 0x2010 || point == 0x2011 ||
        point == 0x05F3 || point == 0x05F4 || point == '`' || point == 0x2018)
        return SIGN_INSIDE;
    if (point == '\t' || point == 0x00B7 || point == 0x30FB || point == '_')
        return SIGN_BLANK;
    return SIGN_OTHER;
}

static bool is_comma(utf8proc_int32_t point)
{
    return point == ',' || point == 0x060C || point == 0x3001 || point == 0xFF0C;
}

/* Capital and small letters of a word that is being read. */
typedef struct letters {
    size_t all, capital, small;
    bool first_capital;
} letters;

static word_case writing_of(const letters *l)
{
    if (l->capital + l->small == 0)
        return CASE_NONE;
    if (l->small == 0)
        return CASE_ALL;
    return l->first_capital || l->capital > 0 ? CASE_CAPITAL : CASE_SMALL;
}

static void end_word(wording *w, const letters *l, word *at)
{
    if (at->text.size == 0 || w->n == MOST_WORDS)
        return;
    at->letters = l->all;
    at->writing = writing_of(l);
    w->words[w->n++] = *at;
}

static void add_letter(letters *l, utf8proc_int32_t point)
{
    utf8proc_category_t category = (utf8proc_category_t)utf8proc_category(point);
    bool capital = category == UTF8PROC_CATEGORY_LU || category == UTF8PROC_CATEGORY_LT;
    bool first = l->all == 0;
    l->all++;
    l->capital += capital;
    l->small += category == UTF8PROC_CATEGORY_LL;
    l->first_capital = l->first_capital || (first && capital);
}

static void read_words(mgl_span text, wording *w)
{
    word at = {0};
    letters l = {0};
    *w = (wording){.n = 0};
    for (size_t i = 0; i < text.size && w->n < MOST_WORDS;) {
        utf8proc_int32_t point;
        size_t size = next_point(text, i, &point);
        sign s = sign_of(point);
        bool part = s == SIGN_LETTER || s == SIGN_DIGIT ||
                    (at.text.size > 0 && (s == SIGN_MARK || s == SIGN_INSIDE));
        if (part) {
            at.text.data = at.text.size == 0 ? text.data + i : at.text.data;
            at.text.size = (size_t)(text.data + i + size - at.text.data);
            at.digits = at.digits || s == SIGN_DIGIT;
            if (s == SIGN_LETTER) {
                at.joined = (l.all == 0 || at.joined) && is_ideograph(point);
                add_letter(&l, point);
            }
        } else {
            at.dot = point == '.';
            at.comma = is_comma(point);
            w->other = w->other || (s == SIGN_OTHER && !at.dot && !at.comma);
            end_word(w, &l, &at);
            at = (word){0};
            l = (letters){0};
        }
        i += size;
    }
    end_word(w, &l, &at);
}

/* ---- Titles -------------------------------------------------------------------------------- */

/* In small letters, a bar behind each. Those of other languages are added here: a title alone makes
 * no column one of names, but some of its values that have one do. */
static const char titles[] =
    "|mr|mrs|ms|miss|mx|dr|prof|professor|doctor|rev|hon|sir|madam|herr|herrn|frau|fr\xC3\xA4ulein|"
    "monsieur|madame|mademoiselle|mme|mlle|mmes|maitre|se\xC3\xB1or|se\xC3\xB1ora|senora|"
    "se\xC3\xB1orita|srta|sra|dra|do\xC3\xB1"
    "a|signor|signora|signore|sig|sig.ra|dott|dottore|dottoressa|dott.ssa|senhor|senhora|mevrouw|"
    "meneer|mevr|mw|dhr|fru|pan|pani|p\xC3\xA1n|pan\xC3\xAD|bayan|hanim|ibu|bapak|bpk|"
    "shri|smt|kumari|haji|sheikh|"
    "\xD0\xB3-\xD0\xBD|\xD0\xB3-\xD0\xB6\xD0\xB0|\xD0\xB4-\xD1\x80|"
    "\xD0\xB4\xD0\xBE\xD0\xBA\xD1\x82\xD0\xBE\xD1\x80|"
    "\xD0\xB3\xD0\xBE\xD1\x81\xD0\xBF\xD0\xBE\xD0\xB4\xD0\xB8\xD0\xBD|"
    "\xD0\xB3\xD0\xBE\xD1\x81\xD0\xBF\xD0\xBE\xD0\xB6\xD0\xB0|\xD0\xBF\xD0\xB0\xD0\xBD|"
    "\xD0\xBF\xD0\xB0\xD0\xBD\xD1\x96|\xCE\xBA|\xCE\xBA\xCE\xBF\xCF\x82|\xCE\xBA\xCE\xB1|"
    "\xCE\xB4\xCF\x81|\xD7\x9E\xD7\xA8|\xD7\x92\xD7\x91'|\xD7\x92\xD7\x91\xD7\xB3|\xD7\x92\xD7\x91|"
    "\xD8\xA7\xD9\x84\xD8\xB3\xD9\x8A\xD8\xAF|\xD8\xA7\xD9\x84\xD8\xB3\xD9\x8A\xD8\xAF\xD8\xA9|"
    "\xD8\xA7\xD9\x84\xD8\xAF\xD9\x83\xD8\xAA\xD9\x88\xD8\xB1|\xD8\xA2\xD9\x82\xD8\xA7\xDB\x8C|"
    "\xD8\xAE\xD8\xA7\xD9\x86\xD9\x85|\xE0\xA4\xB6\xE0\xA5\x8D\xE0\xA4\xB0\xE0\xA5\x80|"
    "\xE0\xA4\xB6\xE0\xA5\x8D\xE0\xA4\xB0\xE0\xA5\x80\xE0\xA4\xAE\xE0\xA4\xA4\xE0\xA5\x80|"
    "\xE0\xA4\xA1\xE0\xA5\x89|";

/* Also short for senior, or an initial. */
static const char ambiguous_titles[] = "|sr|jr|don|m|st|";

/* Honorifics that are written behind a name, or before it, without a blank. */
static const char *const behind[] = {"\xE5\x85\x88\xE7\x94\x9F",
                                     "\xE5\xA5\xB3\xE5\xA3\xAB",
                                     "\xE5\xB0\x8F\xE5\xA7\x90",
                                     "\xE3\x81\x95\xE3\x82\x93",
                                     "\xE6\xA7\x98",
                                     "\xE6\xB0\x8F",
                                     "\xEC\x94\xA8",
                                     "\xEB\x8B\x98"};
static const char *const before[] = {
    "\xE0\xB8\x99\xE0\xB8\xB2\xE0\xB8\xA2", "\xE0\xB8\x99\xE0\xB8\xB2\xE0\xB8\x87",
    "\xE0\xB8\x84\xE0\xB8\xB8\xE0\xB8\x93", "\xE0\xB8\x94.\xE0\xB8\x8A."};

/* Writes the word in small letters; returns its bytes, or 0 if it does not fit. */
static size_t small_letters(mgl_span text, char *out, size_t room)
{
    size_t n = 0;
    for (size_t i = 0; i < text.size;) {
        utf8proc_int32_t point;
        i += next_point(text, i, &point);
        if (n + 4 > room)
            return 0;
        n += (size_t)utf8proc_encode_char(utf8proc_tolower(point), (utf8proc_uint8_t *)out + n);
    }
    return n;
}

static bool is_listed(const char *list, mgl_span text)
{
    char small[40];
    size_t n = small_letters(text, small + 1, sizeof small - 3);
    if (n == 0)
        return false;
    small[0] = '|';
    small[n + 1] = '|';
    small[n + 2] = '\0';
    return strstr(list, small) != NULL;
}

static bool ends_with(mgl_span text, const char *end)
{
    size_t n = strlen(end);
    return text.size > n && memcmp(text.data + text.size - n, end, n) == 0;
}

static bool begins_with(mgl_span text, const char *begin)
{
    size_t n = strlen(begin);
    return text.size > n && memcmp(text.data, begin, n) == 0;
}

static bool has_honorific(mgl_span text)
{
    for (size_t i = 0; i < sizeof behind / sizeof behind[0]; i++)
        if (ends_with(text, behind[i]))
            return true;
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        if (begins_with(text, before[i]))
            return true;
    return false;
}

/* ---- Names --------------------------------------------------------------------------------- */

static bool is_initial(const word *w)
{
    return w->letters == 1 && !w->digits && w->writing == CASE_ALL;
}

/* Can the word behind a title be a name? In small letters it is not, unless all are small. */
static bool can_name(const word *w)
{
    return w->letters > 0 && !w->digits && w->writing != CASE_SMALL;
}

enum { MOST_NAME_WORDS = 6, LONGEST_PARTICLE = 4 };

/* How many words are written in one way. */
typedef struct writings {
    size_t capital, all, small, none, particles, initials, digits;
} writings;

static writings count_writings(const word *words, size_t n)
{
    writings c = {0};
    for (size_t i = 0; i < n; i++) {
        const word *w = &words[i];
        bool initial = is_initial(w);
        c.digits += w->digits;
        c.initials += initial;
        c.capital += !initial && w->writing == CASE_CAPITAL;
        c.all += !initial && w->writing == CASE_ALL;
        c.none += w->writing == CASE_NONE;
        c.small += w->writing == CASE_SMALL;
        c.particles += w->writing == CASE_SMALL && w->letters <= LONGEST_PARTICLE && i + 1 < n;
    }
    return c;
}

/* All words are written in one way: Ann Lee, LEE ANN, Lee ANN, ann lee; a particle (van der, de la,
 * bin) is small among others. "Chronic bronchitis" is not a name. */
static bool is_full_name(const word *words, size_t n)
{
    writings c = count_writings(words, n);
    if (n < 2 || n > MOST_NAME_WORDS || c.digits > 0 || n == c.initials)
        return false;
    if (c.small == n)
        return n <= 3;
    if (c.none > 0)
        return c.none == n && n <= 5;
    return c.small == c.particles && c.capital + c.all + c.initials >= 2;
}

static mgl_span first_sign(mgl_span text)
{
    utf8proc_int32_t point;
    return (mgl_span){text.data, next_point(text, 0, &point)};
}

/* Two to five signs of a script without blanks: a surname of one sign, a given name of the rest. */
static void take_joined(const word *w, naming *out)
{
    if (!w->joined || w->letters < 2 || w->letters > 5 || w->digits)
        return;
    out->full = true;
    out->first = first_sign(w->text);
    out->last = (mgl_span){w->text.data + out->first.size, w->text.size - out->first.size};
}

static void take_titles(const wording *w, naming *out)
{
    for (size_t i = 0; i + 1 < w->n; i++) {
        const word *behind_it = &w->words[i + 1];
        bool small = w->words[i].writing == CASE_SMALL && behind_it->writing == CASE_SMALL;
        if (!can_name(behind_it) && !(small && w->n <= 4))
            continue;
        out->title = out->title || is_listed(titles, w->words[i].text);
        out->maybe = out->maybe || is_listed(ambiguous_titles, w->words[i].text);
    }
}

static bool is_house(const word *w)
{
    return w->digits && w->text.size <= 5;
}

/* A number of a house stands before or behind the words, or before a comma: 12 Long Lane, Lange
 * Gasse 12a, Lange Gasse 12, 10115 Berlin. *last: the number, where a comma is behind it. */
static bool is_numbered(const wording *w, mgl_span *last)
{
    if (w->n < 2 || w->n > 8)
        return false;
    bool number = is_house(&w->words[0]) || is_house(&w->words[w->n - 1]);
    size_t others = 0;
    for (size_t i = 1; i < w->n && !number; i++)
        if (is_house(&w->words[i]) && w->words[i].comma) {
            number = true;
            *last = w->words[i].text;
        }
    for (size_t i = 0; i < w->n; i++)
        others += w->words[i].letters >= 3 && !w->words[i].digits;
    return number && others >= 1;
}

/* Two words, capitalized or an initial and such a word, side by side in a text of small words: a
 * name (spoke to Ann Osgood about rent) or a proper noun. Returns both. */
static mgl_span mentioned_name(const wording *w)
{
    size_t small = 0;
    mgl_span found = {0};
    for (size_t i = 0; i < w->n; i++) {
        const word *at = &w->words[i], *before = i > 0 ? &w->words[i - 1] : NULL;
        bool capital = at->writing == CASE_CAPITAL && at->letters >= 2 && !at->digits;
        bool behind = before != NULL && !before->comma && !before->digits &&
                      ((before->writing == CASE_CAPITAL && !before->dot) || is_initial(before));
        small += at->writing == CASE_SMALL && at->letters >= 2;
        if (capital && behind)
            found = (mgl_span){before->text.data,
                               (size_t)(at->text.data + at->text.size - before->text.data)};
    }
    return small > 0 ? found : (mgl_span){0};
}

static naming naming_of(mgl_span text)
{
    wording w;
    word kept[MOST_WORDS];
    size_t n = 0;
    naming out = {0};
    read_words(text, &w);
    take_titles(&w, &out);
    out.title = out.title || has_honorific(text);
    mgl_span house = {0};
    out.numbered = is_numbered(&w, &house);
    out.mentioned = mentioned_name(&w);
    for (size_t i = 0; i < w.n; i++)
        if (!is_listed(titles, w.words[i].text))
            kept[n++] = w.words[i];
    out.words = n;
    if (n == 0 || w.n == MOST_WORDS)
        return out;
    out.first = kept[0].text;
    out.last = house.size > 0 ? house : kept[n - 1].text;
    out.single = n == 1 && !w.other && !kept[0].digits && kept[0].letters >= 2;
    out.full = !w.other && is_full_name(kept, n);
    out.capitals = out.full && (kept[0].writing == CASE_CAPITAL || kept[0].writing == CASE_ALL);
    size_t initials = 0, names = 0;
    for (size_t i = 0; i < n; i++) {
        initials += is_initial(&kept[i]) && kept[i].dot;
        names += kept[i].letters >= 2 && can_name(&kept[i]);
    }
    out.initials = !w.other && initials > 0 && names > 0 && initials + names == n && n <= 4;
    if (n == 1 && !w.other)
        take_joined(&kept[0], &out);
    return out;
}

/* ---- The sample ---------------------------------------------------------------------------- */

enum { MOST_SAMPLED = 2048, LONGEST_SAMPLED = 160 };

/* Values whose hash begins with `level` zero bits: which they are does not depend on the order of
 * the rows. */
struct mgl_value_sample {
    mgl_arena *arena; /* NULL: nothing is sampled yet */
    mgl_span *values;
    uint64_t *hashes;
    size_t n, room_values, room_hashes;
    unsigned level;
    bool out_of_memory; /* a value is missing from the sample */
};

mgl_value_sample *mgl_value_sample_new(void)
{
    return mgl_zeroed_array(1, sizeof(mgl_value_sample));
}

void mgl_value_sample_free(mgl_value_sample *s)
{
    if (s == NULL)
        return;
    mgl_arena_free(s->arena);
    mgl_free(s->values);
    mgl_free(s->hashes);
    mgl_free(s);
}

/* Room for one more, and its bytes. */
static const char *make_room(mgl_value_sample *s, mgl_span value)
{
    s->arena = s->arena != NULL ? s->arena : mgl_arena_new();
    if (s->arena == NULL || !mgl_grow(&s->values, &s->room_values, s->n + 1, sizeof *s->values) ||
        !mgl_grow(&s->hashes, &s->room_hashes, s->n + 1, sizeof *s->hashes))
        return NULL;
    return mgl_arena_copy(s->arena, value.data, value.size);
}

static bool is_sampled(const mgl_value_sample *s, uint64_t hash)
{
    return s->level == 0 || hash >> (64 - s->level) == 0;
}

static void halve(mgl_value_sample *s)
{
    size_t n = 0;
    s->level++;
    for (size_t i = 0; i < s->n; i++)
        if (is_sampled(s, s->hashes[i])) {
            s->values[n] = s->values[i];
            s->hashes[n++] = s->hashes[i];
        }
    s->n = n;
}

/* A value that memory does not suffice for is left out, which mgl_content_of reports. */
void mgl_value_sample_add(mgl_value_sample *s, mgl_span value)
{
    uint64_t hash = mgl_hash(value.data, value.size);
    if (value.size == 0 || !is_sampled(s, hash))
        return;
    while (s->n == MOST_SAMPLED)
        halve(s);
    value.size = value.size < LONGEST_SAMPLED ? value.size : LONGEST_SAMPLED;
    if (!is_sampled(s, hash))
        return;
    const char *copy = make_room(s, value);
    if (copy == NULL) {
        s->out_of_memory = true;
        return;
    }
    s->values[s->n] = (mgl_span){copy, value.size};
    s->hashes[s->n++] = hash;
}

/* ---- Words and patterns -------------------------------------------------------------------- */

/* How many different hashes there are, and how often the most frequent one occurs. */
static size_t count_different(uint64_t *hashes, size_t n, size_t *most)
{
    size_t different = 0, run = 0;
    *most = 0;
    mgl_sort_u64(hashes, n);
    for (size_t i = 0; i < n; i++) {
        bool again = i > 0 && hashes[i] == hashes[i - 1];
        run = again ? run + 1 : 1;
        different += !again;
        *most = run > *most ? run : *most;
    }
    return different;
}

/* Letters and digits by their kind, signs as they are: AB-4711 and XY-0815 have one pattern. */
static uint64_t pattern_of(mgl_span value)
{
    char pattern[LONGEST_SAMPLED];
    for (size_t i = 0; i < value.size; i++) {
        unsigned char c = (unsigned char)value.data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c >= 0x80;
        pattern[i] = c >= '0' && c <= '9' ? '9' : letter ? 'A' : (char)c;
    }
    return mgl_hash(pattern, value.size);
}

/* 9:05, 13:05:59. */
static bool is_time(mgl_span value)
{
    unsigned parts[3] = {0}, n = 0;
    size_t digits = 0;
    for (size_t i = 0; i < value.size; i++) {
        char c = value.data[i];
        bool digit = c >= '0' && c <= '9';
        if ((!digit && (c != ':' || digits == 0 || n == 2)) || (digit && digits == 2))
            return false;
        n += !digit;
        digits = digit ? digits + 1 : 0;
        parts[n] = digit ? 10 * parts[n] + (unsigned)(c - '0') : 0;
    }
    return n > 0 && digits == 2 && parts[0] <= 24 && parts[1] < 60 && parts[2] < 60;
}

/* 2018-07, 2018/07, 2018-Q3, 2018-W31: a part of a year. */
static bool is_month(mgl_span value)
{
    uint64_t year, part;
    if (value.size < 6 || value.size > 8 || !mgl_parse_u64((mgl_span){value.data, 4}, &year) ||
        year < 1850 || year > 2150)
        return false;
    mgl_span rest = {value.data + 4, value.size - 4};
    if (rest.data[0] == '-' || rest.data[0] == '/')
        rest.data++, rest.size--;
    uint64_t most = rest.data[0] == 'Q' ? 4 : rest.data[0] == 'W' ? 53 : 12;
    if (most != 12)
        rest.data++, rest.size--;
    else if (rest.size != 2 || value.size != 7)
        return false;
    return rest.size > 0 && mgl_parse_u64(rest, &part) && part >= 1 && part <= most;
}

/* ---- Days with the names of months --------------------------------------------------------- */

/* A run of digits in a text, and how many of them. */
typedef struct run {
    unsigned number;
    size_t digits;
} run;

enum { MOST_RUNS = 6 };

/* Splits a text into numbers and words. Returns how many numbers; 0: too many. *longest: of the
 * words. */
static size_t read_runs(mgl_span text, run runs[MOST_RUNS], mgl_span *longest)
{
    size_t n = 0;
    *longest = (mgl_span){0};
    for (size_t i = 0; i < text.size;) {
        mgl_span at = {text.data + i, 0};
        while (i + at.size < text.size && at.data[at.size] >= '0' && at.data[at.size] <= '9')
            at.size++;
        if (at.size > 0) {
            uint64_t number;
            if (n == MOST_RUNS || at.size > 4 || !mgl_parse_u64(at, &number))
                return 0;
            runs[n++] = (run){(unsigned)number, at.size};
            i += at.size;
            continue;
        }
        while (i + at.size < text.size && ((unsigned char)at.data[at.size] >= 0x80 ||
                                           (at.data[at.size] >= 'a' && at.data[at.size] <= 'z') ||
                                           (at.data[at.size] >= 'A' && at.data[at.size] <= 'Z')))
            at.size++;
        *longest = at.size > longest->size ? at : *longest;
        i += at.size > 0 ? at.size : 1;
    }
    return n;
}

static bool is_year(run at)
{
    return at.digits == 4 && at.number >= 1850 && at.number <= 2150;
}

static bool is_within(run at, unsigned most)
{
    return at.digits <= 2 && at.number >= 1 && at.number <= most;
}

/* 19 Jan 2020, Jan 19, 2020, 19JAN2020:10:30, 19 de enero de 2020, 2020å¹´ 1 19: a day and a
 * year beside a word, or a year, a month and a day with words between; a time may be behind it.
 * Returns the word; streets can be written so, too, but not with twelve words alone. */
static mgl_span named_month(mgl_span text)
{
    enum { SHORTEST_MONTH = 3 };
    run runs[MOST_RUNS];
    mgl_span word;
    size_t n = read_runs(text, runs, &word), day = 2;
    if (n < 2 || word.size < SHORTEST_MONTH)
        return (mgl_span){0};
    if (n >= 3 && is_year(runs[0]) && is_within(runs[1], 12) && is_within(runs[2], 31))
        day = 3;
    else if (!(is_within(runs[0], 31) && is_year(runs[1])) &&
             !(is_year(runs[0]) && is_within(runs[1], 31)))
        return (mgl_span){0};
    for (size_t i = day; i < n; i++)
        if (runs[i].digits > 2 || runs[i].number >= 60)
            return (mgl_span){0};
    return word;
}

typedef struct hashes {
    uint64_t *first, *last, *patterns, *mentioned, *months; /* [sampled] */
    size_t n_names, n_mentioned, n_months;
} hashes;

static void add_value(mgl_span value, hashes *h, size_t at, size_t counts[])
{
    enum { FULL, TITLES, MAYBE, INITIALS, SINGLE, NUMBERED, TIMES, CAPITALS, CONTACTS };
    naming found = naming_of(value);
    counts[FULL] += found.full;
    counts[TITLES] += found.title;
    counts[MAYBE] += found.title || found.maybe;
    counts[INITIALS] += found.initials;
    counts[SINGLE] += found.single;
    counts[NUMBERED] += found.numbered;
    counts[TIMES] += is_time(value) || is_month(value);
    counts[CAPITALS] += found.capitals;
    counts[CONTACTS] += mgl_text_has_contact(value);
    h->patterns[at] = pattern_of(value);
    mgl_span month = named_month(value);
    if (month.size > 0)
        h->months[h->n_months++] = mgl_hash(month.data, month.size);
    if (found.mentioned.size > 0 && !found.full)
        h->mentioned[h->n_mentioned++] = mgl_hash(found.mentioned.data, found.mentioned.size);
    if (!found.full && !found.numbered)
        return;
    h->first[h->n_names] = mgl_hash(found.first.data, found.first.size);
    h->last[h->n_names++] = mgl_hash(found.last.data, found.last.size);
}

static void look_at_texts(const mgl_value_sample *s, hashes *h, mgl_content *out)
{
    enum { MOST_MONTHS = 31 }; /* and days of the week, in several spellings */
    size_t counts[9] = {0}, most;
    double n = (double)s->n;
    for (size_t i = 0; i < s->n; i++)
        add_value(mgl_span_trim(s->values[i]), h, i, counts);
    out->full_names = (double)counts[0] / n;
    out->titles = (double)counts[1] / n;
    out->maybe_titles = (double)counts[2] / n;
    out->initials = (double)counts[3] / n;
    out->single_words = (double)counts[4] / n;
    out->numbered = (double)counts[5] / n;
    bool months = count_different(h->months, h->n_months, &most) <= MOST_MONTHS;
    out->times = fmax((double)counts[6], months ? (double)h->n_months : 0) / n;
    out->capitals = (double)counts[7] / n;
    out->contacts = (double)counts[8] / n;
    out->names = h->n_names;
    out->first_words = count_different(h->first, h->n_names, &most);
    out->last_words = count_different(h->last, h->n_names, &most);
    out->mentions = (double)h->n_mentioned / n;
    out->mentioned_names = count_different(h->mentioned, h->n_mentioned, &most);
    (void)count_different(h->patterns, s->n, &most);
    out->one_pattern = (double)most / n;
}

bool mgl_content_of(const mgl_value_sample *s, uint64_t rows, mgl_content *out)
{
    *out = (mgl_content){.values = s->n};
    if (s->n == 0 || s->out_of_memory)
        return !s->out_of_memory;
    hashes h = {.first = mgl_alloc_array(s->n, sizeof *h.first),
                .last = mgl_alloc_array(s->n, sizeof *h.last),
                .patterns = mgl_alloc_array(s->n, sizeof *h.patterns),
                .mentioned = mgl_alloc_array(s->n, sizeof *h.mentioned),
                .months = mgl_alloc_array(s->n, sizeof *h.months)};
    bool memory = h.first != NULL && h.last != NULL && h.patterns != NULL && h.mentioned != NULL &&
                  h.months != NULL;
    if (memory) {
        look_at_texts(s, &h, out);
        memory = mgl_number_form_of(s->values, s->n, rows, &out->numbers) &&
                 mgl_measures_are_amounts(s->values, s->n, rows, &out->measures);
    }
    mgl_free(h.first);
    mgl_free(h.last);
    mgl_free(h.patterns);
    mgl_free(h.mentioned);
    mgl_free(h.months);
    return memory;
}
