/* Holds which label and which ground value each row has in the generalized columns of a release,
 * and counts the rows whose text mentions its own ground value. */
#include "risk/recovery.h"

static bool is_generalized(const mgl_recoding *recoding, size_t a, size_t tuple)
{
    return recoding->columns[a]->values[recoding->cells[a][tuple]].level != 0;
}

/* Numbers the pairs anew, by label and leaf: sorted_number[old number]. */
static bool sort_pairs(mgl_label_pairs *label_pairs, const mgl_key_index *pairs,
                       uint32_t *sorted_number)
{
    size_t n = pairs->n;
    uint64_t *sorted = mgl_alloc_array(n, sizeof *sorted);
    label_pairs->label_of_pair =
        mgl_own_array(&label_pairs->owned, n, sizeof *label_pairs->label_of_pair);
    label_pairs->leaf_of_pair =
        mgl_own_array(&label_pairs->owned, n, sizeof *label_pairs->leaf_of_pair);
    label_pairs->first_pair =
        mgl_own_array(&label_pairs->owned, n + 1, sizeof *label_pairs->first_pair);
    label_pairs->rows_of_pair =
        mgl_own_zeroed(&label_pairs->owned, n, sizeof *label_pairs->rows_of_pair);
    bool whole = sorted != NULL && !label_pairs->owned.missing;
    if (whole && n > 0)
        memcpy(sorted, pairs->keys, n * sizeof *sorted);
    if (whole)
        mgl_sort_u64(sorted, n);
    for (size_t i = 0; whole && i < n; i++) {
        if (i == 0 || sorted[i] >> 32 != sorted[i - 1] >> 32)
            label_pairs->first_pair[label_pairs->n_labels++] = label_pairs->n_pairs;
        label_pairs->label_of_pair[i] = label_pairs->n_labels - 1;
        label_pairs->leaf_of_pair[i] = (uint32_t)sorted[i];
        sorted_number[mgl_key_index_find(pairs, &sorted[i])] = label_pairs->n_pairs++;
    }
    if (whole)
        label_pairs->first_pair[label_pairs->n_labels] = label_pairs->n_pairs;
    mgl_free(sorted);
    return whole;
}

/* Numbers the different pairs of cell and leaf as they come. There are far fewer than tuples. */
static bool number_tuples(const mgl_generalized *g, mgl_label_pairs *label_pairs, bool drop,
                          mgl_key_index *pairs)
{
    uint32_t a = label_pairs->attribute;
    for (uint32_t tuple = 0; tuple < g->list->n_tuples; tuple++) {
        label_pairs->pair_of_tuple[tuple] = MGL_NOT_FOUND;
        if (!is_generalized(g->recoding, a, tuple) || (drop && g->recoding->suppressed[tuple]))
            continue;
        uint64_t pair =
            (uint64_t)g->recoding->cells[a][tuple] << 32 | mgl_list_leaf(g->list, tuple, a);
        label_pairs->pair_of_tuple[tuple] = mgl_key_index_add(pairs, &pair);
        if (label_pairs->pair_of_tuple[tuple] == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

static bool fill_attribute(const mgl_generalized *g, mgl_label_pairs *label_pairs, bool drop)
{
    mgl_key_index pairs = {.size = sizeof(uint64_t)}; /* cell << 32 | leaf */
    label_pairs->pair_of_tuple =
        mgl_own_array(&label_pairs->owned, g->list->n_tuples, sizeof *label_pairs->pair_of_tuple);
    bool whole = label_pairs->pair_of_tuple != NULL && number_tuples(g, label_pairs, drop, &pairs);
    uint32_t *sorted_number = mgl_alloc_array(pairs.n, sizeof *sorted_number);
    whole = whole && sorted_number != NULL && sort_pairs(label_pairs, &pairs, sorted_number);
    for (size_t tuple = 0; whole && tuple < g->list->n_tuples; tuple++) {
        uint32_t *pair = &label_pairs->pair_of_tuple[tuple];
        if (*pair == MGL_NOT_FOUND)
            continue;
        *pair = sorted_number[*pair];
        label_pairs->rows_of_pair[*pair] += g->list->counts[tuple];
    }
    mgl_free(sorted_number);
    mgl_key_index_free(&pairs);
    return whole;
}

static bool any_generalized(const mgl_recoding *recoding, size_t a, bool drop)
{
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (is_generalized(recoding, a, t) && !(drop && recoding->suppressed[t]))
            return true;
    return false;
}

/* Shared by the threads, each of which fills an attribute. */
typedef struct filling {
    mgl_generalized *generalized;
    bool drop;
    bool *failed; /* [attribute] */
} filling;

static void fill_item(void *context, size_t a, unsigned worker)
{
    (void)worker;
    filling *t = context;
    mgl_label_pairs *label_pairs = &t->generalized->attributes[a];
    label_pairs->attribute = (uint32_t)a;
    t->failed[a] = any_generalized(t->generalized->recoding, a, t->drop) &&
                   !fill_attribute(t->generalized, label_pairs, t->drop);
}

/* Moves the generalized attributes to the front. Returns false if one of them failed. */
static bool collect_generalized(mgl_generalized *g, const bool *failed, size_t n_attributes)
{
    bool whole = true;
    for (size_t a = 0; a < n_attributes; a++) {
        whole = whole && !failed[a];
        if (g->attributes[a].pair_of_tuple == NULL)
            continue;
        mgl_label_pairs label_pairs = g->attributes[a];
        g->attributes[a] = (mgl_label_pairs){0};
        g->attributes[g->n++] = label_pairs;
    }
    return whole;
}

mgl_status mgl_generalized_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               bool drop, mgl_pool *pool, mgl_error *err, mgl_generalized **out)
{
    mgl_generalized *g;
    MGL_TRY(mgl_new_zeroed(1, sizeof *g, err, &g));
    *g = (mgl_generalized){.list = list, .recoding = recoding};
    g->attributes = mgl_zeroed_array(list->n_attributes, sizeof *g->attributes);
    filling t = {.generalized = g,
                 .drop = drop,
                 .failed = mgl_zeroed_array(list->n_attributes, sizeof *t.failed)};
    bool whole = g->attributes != NULL && t.failed != NULL;
    if (whole) {
        mgl_pool_run(pool, list->n_attributes, fill_item, &t);
        whole = collect_generalized(g, t.failed, list->n_attributes);
    }
    mgl_free(t.failed);
    if (!whole) {
        mgl_generalized_free(g);
        return mgl_fail_memory(err);
    }
    *out = g;
    return MGL_OK;
}

void mgl_generalized_free(mgl_generalized *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; g->attributes != NULL && i < g->n; i++)
        mgl_owned_free(&g->attributes[i].owned);
    mgl_free(g->attributes);
    mgl_free(g);
}

size_t mgl_generalized_count(const mgl_generalized *g)
{
    return g->n;
}

uint32_t mgl_generalized_attribute(const mgl_generalized *g, size_t i)
{
    return g->attributes[i].attribute;
}

/* The pair of a label and a ground value; MGL_NOT_FOUND: no row has both. */
static uint32_t find_pair(const mgl_label_pairs *label_pairs, uint32_t label, uint32_t leaf)
{
    uint32_t low = label_pairs->first_pair[label], end = label_pairs->first_pair[label + 1];
    uint32_t high = end;
    MGL_BISECT(low, high, i, label_pairs->leaf_of_pair[i] < leaf)
    return low < end && label_pairs->leaf_of_pair[low] == leaf ? low : MGL_NOT_FOUND;
}

/* A single letter is not a mention. */
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

/* Returns the next word from *at on, in small letters and cut to LONGEST_WORD, and moves *at to its
 * end. Empty at the end of the text. */
static mgl_span next_word(mgl_span text, size_t *at, char word[LONGEST_WORD])
{
    size_t i = *at, n = 0;
    while (i < text.size && !is_word_char(text.data[i]))
        i++;
    for (; i < text.size && is_word_char(text.data[i]); i++)
        if (n < LONGEST_WORD)
            word[n++] = mgl_lower(text.data[i]);
    *at = i;
    return (mgl_span){word, n};
}

static bool begins_with(mgl_span text, size_t at, mgl_span word)
{
    if (at + word.size > text.size)
        return false;
    for (size_t i = 0; i < word.size; i++)
        if (mgl_lower(text.data[at + i]) != mgl_lower(word.data[i]))
            return false;
    return true;
}

/* Does the text contain the word as a word of its own, in either case? */
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

/* Returns the share of a label's rows whose ground value is among the mentioned. */
static double share_of(const mgl_grouping *g, uint32_t label, uint64_t rows,
                       const uint32_t *mentioned, size_t n)
{
    uint64_t those = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t pair = find_pair(g->label_pairs, label, mentioned[i]);
        those += pair != MGL_NOT_FOUND ? g->margins[pair] : 0;
    }
    return (double)those / (double)rows;
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
        uint32_t label = m->g->label_pairs->label_of_pair[pair];
        bool own = is_among(mentioned, n, m->g->label_pairs->leaf_of_pair[pair]);
        m->rows += own ? r->times[row] : 0;
        m->expected +=
            (double)r->times[row] * share_of(m->g, label, m->of_label[label], mentioned, n);
        if (own && m->guesses != NULL)
            m->guesses[row] = m->g->label_pairs->leaf_of_pair[pair];
    }
}

bool mgl_mentions_count(const mgl_grouping *g, const mgl_texts *texts, uint32_t *guesses,
                        uint64_t *rows, double *expected)
{
    const mgl_cells *r = g->cells;
    mgl_word_index *index = mgl_word_index_new(texts->hierarchy->levels[0].labels,
                                               mgl_hierarchy_ground(texts->hierarchy));
    mentions m = {.g = g, .guesses = guesses};
    m.of_label = mgl_zeroed_array(g->label_pairs->n_labels, sizeof *m.of_label);
    bool whole = index != NULL && m.of_label != NULL;
    if (whole)
        for (uint32_t pair = 0; pair < g->label_pairs->n_pairs; pair++)
            m.of_label[g->label_pairs->label_of_pair[pair]] += g->margins[pair];
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
