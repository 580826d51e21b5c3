/* Looks at a sample of the different values of a column together: how many have the form of names,
 * from which words these are put together, which pattern codes have, what form numbers have. */
#include "profile/content.h"

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
    bool out_of_memory; /* a value is not there that should be */
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

typedef struct hashes {
    uint64_t *first, *last, *patterns; /* [sampled] */
    size_t n_names;
} hashes;

static void add_value(mgl_span value, hashes *h, size_t at, size_t counts[])
{
    enum { FULL, TITLES, MAYBE, INITIALS, SINGLE, NUMBERED, TIMES, CAPITALS };
    mgl_naming naming = mgl_naming_of(value);
    counts[FULL] += naming.full;
    counts[TITLES] += naming.title;
    counts[MAYBE] += naming.title || naming.maybe;
    counts[INITIALS] += naming.initials;
    counts[SINGLE] += naming.single;
    counts[NUMBERED] += naming.numbered;
    counts[TIMES] += is_time(value) || is_month(value);
    counts[CAPITALS] += naming.capitals;
    h->patterns[at] = pattern_of(value);
    if (!naming.full && !naming.numbered)
        return;
    h->first[h->n_names] = mgl_hash(naming.first.data, naming.first.size);
    h->last[h->n_names++] = mgl_hash(naming.last.data, naming.last.size);
}

static void look_at_texts(const mgl_value_sample *s, hashes *h, mgl_content *out)
{
    size_t counts[8] = {0}, most;
    double n = (double)s->n;
    for (size_t i = 0; i < s->n; i++)
        add_value(mgl_span_trim(s->values[i]), h, i, counts);
    out->full_names = (double)counts[0] / n;
    out->titles = (double)counts[1] / n;
    out->maybe_titles = (double)counts[2] / n;
    out->initials = (double)counts[3] / n;
    out->single_words = (double)counts[4] / n;
    out->numbered = (double)counts[5] / n;
    out->times = (double)counts[6] / n;
    out->capitals = (double)counts[7] / n;
    out->names = h->n_names;
    out->first_words = count_different(h->first, h->n_names, &most);
    out->last_words = count_different(h->last, h->n_names, &most);
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
                .patterns = mgl_alloc_array(s->n, sizeof *h.patterns)};
    bool memory = h.first != NULL && h.last != NULL && h.patterns != NULL;
    if (memory) {
        look_at_texts(s, &h, out);
        memory = mgl_number_form_of(s->values, s->n, rows, &out->numbers) &&
                 mgl_measures_are_amounts(s->values, s->n, rows, &out->measures);
    }
    mgl_free(h.first);
    mgl_free(h.last);
    mgl_free(h.patterns);
    return memory;
}
