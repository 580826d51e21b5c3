/* Finds texts that say what was generalized: ground values among their words. recovery.c calls it
 * for columns of free text. */
#include "risk/recovery.h"

/* A letter means nothing in a text. */
enum { SHORTEST = 2, LONGEST_WORD = 64, MOST_MENTIONED = 64 };

struct mgl_word_index {
    const mgl_span *labels;
    mgl_map *words;   /* one of each label, its longest: the rarest */
    uint32_t *first;  /* [word] a label with this word */
    uint32_t *others; /* [label] the next one with its word; MGL_NOT_FOUND: none */
};

static bool is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* ---- Words --------------------------------------------------------------------------------- */

/* The word that begins at *at or behind it, in small letters and cut to LONGEST_WORD; *at is its
 * end then. Empty: there is none. */
static mgl_span next_word(mgl_span text, size_t *at, char word[LONGEST_WORD])
{
    size_t i = *at, n = 0;
    while (i < text.size && !is_word_char(text.data[i]))
        i++;
    for (; i < text.size && is_word_char(text.data[i]); i++)
        if (n < LONGEST_WORD)
            word[n++] = lower(text.data[i]);
    *at = i;
    return (mgl_span){word, n};
}

static bool begins_with(mgl_span text, size_t at, mgl_span word)
{
    if (at + word.size > text.size)
        return false;
    for (size_t i = 0; i < word.size; i++)
        if (lower(text.data[at + i]) != lower(word.data[i]))
            return false;
    return true;
}

/* As a word of its own, large and small letters alike. */
static bool holds_word(mgl_span text, mgl_span word)
{
    for (size_t at = 0; at + word.size <= text.size; at++) {
        bool begins = at == 0 || !is_word_char(text.data[at - 1]);
        bool ends = at + word.size == text.size || !is_word_char(text.data[at + word.size]);
        if (begins && ends && begins_with(text, at, word))
            return true;
    }
    return false;
}

bool mgl_looks_like_text(mgl_span cell)
{
    return cell.size >= 8 && memchr(cell.data, ' ', cell.size) != NULL;
}

/* ---- The index ----------------------------------------------------------------------------- */

/* False if memory is out. A label without a word is never found. */
static bool add_label(mgl_word_index *index, uint32_t label)
{
    char word[LONGEST_WORD], longest[LONGEST_WORD];
    size_t n = 0;
    mgl_span text = index->labels[label];
    index->others[label] = MGL_NOT_FOUND;
    for (size_t at = 0;;) {
        mgl_span found = next_word(text, &at, word);
        if (found.size == 0)
            break;
        if (found.size > n) {
            n = found.size;
            memcpy(longest, word, n);
        }
    }
    if (n == 0 || text.size < SHORTEST)
        return true;
    uint32_t before = mgl_map_size(index->words);
    uint32_t number = mgl_map_add(index->words, (mgl_span){longest, n});
    if (number == MGL_NOT_FOUND)
        return false;
    if (number < before)
        index->others[label] = index->first[number];
    index->first[number] = label;
    return true;
}

mgl_word_index *mgl_word_index_new(const mgl_span *labels, uint32_t n_labels)
{
    mgl_word_index *index = mgl_zeroed_array(1, sizeof *index);
    if (index == NULL)
        return NULL;
    index->labels = labels;
    index->words = mgl_map_new();
    index->first = mgl_alloc_array(n_labels, sizeof *index->first);
    index->others = mgl_alloc_array(n_labels, sizeof *index->others);
    bool whole = index->words != NULL && index->first != NULL && index->others != NULL;
    for (uint32_t label = 0; whole && label < n_labels; label++)
        whole = add_label(index, label);
    if (whole)
        return index;
    mgl_word_index_free(index);
    return NULL;
}

void mgl_word_index_free(mgl_word_index *index)
{
    if (index == NULL)
        return;
    mgl_map_free(index->words);
    mgl_free(index->first);
    mgl_free(index->others);
    mgl_free(index);
}

static bool is_among(const uint32_t *numbers, size_t n, uint32_t number)
{
    for (size_t i = 0; i < n; i++)
        if (numbers[i] == number)
            return true;
    return false;
}

size_t mgl_word_index_find(const mgl_word_index *index, mgl_span text, uint32_t *labels,
                           size_t most)
{
    char word[LONGEST_WORD];
    size_t n = 0;
    for (size_t at = 0; n < most;) {
        mgl_span found = next_word(text, &at, word);
        if (found.size == 0)
            break;
        uint32_t number = mgl_map_find(index->words, found);
        uint32_t label = number != MGL_NOT_FOUND ? index->first[number] : MGL_NOT_FOUND;
        for (; label != MGL_NOT_FOUND && n < most; label = index->others[label])
            if (!is_among(labels, n, label) && holds_word(text, index->labels[label]))
                labels[n++] = label;
    }
    return n;
}

/* ---- Counting ------------------------------------------------------------------------------ */

/* The share of a label's rows whose ground value is among the mentioned. */
static double share_of(const mgl_grouping *g, uint32_t label, uint64_t rows,
                       const uint32_t *mentioned, size_t n)
{
    uint64_t those = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t pair = mgl_told_find(g->told, label, mentioned[i]);
        those += pair != MGL_NOT_FOUND ? g->margins[pair] : 0;
    }
    return (double)those / (double)rows;
}

static void sum_labels(const mgl_grouping *g, uint64_t *rows)
{
    for (uint32_t pair = 0; pair < g->told->n_pairs; pair++)
        rows[g->told->label_of_pair[pair]] += g->margins[pair];
}

/* The rows of one text, from `first` to `end` in the order of values. */
typedef struct mentions {
    const mgl_grouping *g;
    uint64_t *of_label; /* [label] rows */
    uint32_t *guesses;
    uint64_t rows;
    double expected;
} mentions;

static void count_text(mentions *m, size_t first, size_t end, const uint32_t *mentioned, size_t n)
{
    const mgl_cells *r = m->g->cells;
    for (size_t i = first; i < end; i++) {
        uint32_t row = r->by_bytes[i], pair = m->g->pairs[row];
        uint32_t label = m->g->told->label_of_pair[pair];
        bool own = is_among(mentioned, n, m->g->told->leaf_of_pair[pair]);
        m->rows += own ? r->times[row] : 0;
        m->expected +=
            (double)r->times[row] * share_of(m->g, label, m->of_label[label], mentioned, n);
        if (own && m->guesses != NULL)
            m->guesses[row] = m->g->told->leaf_of_pair[pair];
    }
}

bool mgl_mentions_count(const mgl_grouping *g, const mgl_texts *texts, uint32_t *guesses,
                        uint64_t *rows, double *expected)
{
    const mgl_cells *r = g->cells;
    mgl_word_index *index = mgl_word_index_new(texts->hierarchy->levels[0].labels,
                                               mgl_hierarchy_ground(texts->hierarchy));
    mentions m = {.g = g, .guesses = guesses};
    m.of_label = mgl_zeroed_array(g->told->n_labels, sizeof *m.of_label);
    bool whole = index != NULL && m.of_label != NULL;
    if (whole)
        sum_labels(g, m.of_label);
    for (size_t i = 0, end; whole && i < r->n; i = end) {
        uint32_t code = r->codes[r->by_bytes[i]], mentioned[MOST_MENTIONED];
        mgl_span text = mgl_map_text(texts->values, code);
        for (end = i; end < r->n && r->codes[r->by_bytes[end]] == code;)
            end++;
        size_t n = mgl_looks_like_text(text)
                       ? mgl_word_index_find(index, text, mentioned, MOST_MENTIONED)
                       : 0;
        if (n > 0)
            count_text(&m, i, end, mentioned, n);
    }
    mgl_word_index_free(index);
    mgl_free(m.of_label);
    *rows = m.rows;
    *expected = m.expected;
    return whole;
}
