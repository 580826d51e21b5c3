/* The inner loops of the ladder, written once for counts of one, two and four bytes. A
 * file that includes this defines LANE (the type of a count), ZIP_LOW and ZIP_HIGH (the
 * interleaved lower and upper halves of two vectors) and KERNEL (the name of the result).
 *
 * A record is a key and one count per lane. The vectors are those of the compiler (gcc,
 * clang), which makes plain code of them where a machine has none. */
#include "search/ladder.h"

typedef LANE vector __attribute__((vector_size(16)));
typedef uint32_t wide __attribute__((vector_size(16)));

enum {
    PER_VECTOR = 16 / sizeof(LANE),
    VECTORS = MGL_LANES / PER_VECTOR, /* of one record */
    CHUNK = 64 / sizeof(LANE)         /* records looked at together */
};

static inline vector load(const char *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

/* Counts stop at the largest: only those below k must be exact. */
static inline vector add(vector a, vector b)
{
    vector sum = a + b;
    return sum | (vector)(sum < a);
}

static inline uint64_t key_word(const char *record, size_t w)
{
    uint64_t word;
    memcpy(&word, record + w * sizeof word, sizeof word);
    return word;
}

static inline bool same_key(const char *record, const uint64_t *key, size_t words)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ |= key_word(record, w) ^ key[w];
    return differ == 0;
}

/* A table that is being filled. */
typedef struct filling {
    uint32_t *restrict numbers; /* the slots */
    size_t mask;
    unsigned shift;
    size_t stride, n;
    char *restrict records;
} filling;

static inline filling start_filling(const mgl_ladder_slots *slots, const mgl_ladder_table *table,
                                    size_t words)
{
    return (filling){slots->numbers, slots->mask, slots->shift,
                     words * sizeof(uint64_t) + sizeof(LANE) * MGL_LANES, 0, table->records};
}

/* The number (from 1) of the record with this key: an old one, or the next free one, which
 * gets the key. Whether it is new is not branched upon, it cannot be predicted; slots are
 * so many that the loop seldom turns. Record 0 is room that nobody reads. */
static inline size_t find_record(filling *f, const uint64_t *key, size_t words, bool *is_new)
{
    uint64_t hash = key[0] * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 1; w < words; w++)
        hash = (hash ^ hash >> 29 ^ key[w]) * UINT64_C(0xBF58476D1CE4E5B9);
    size_t slot = hash >> f->shift, found = f->numbers[slot];
    while ((found != 0) & !same_key(f->records + found * f->stride, key, words)) {
        slot = (slot + 1) & f->mask;
        found = f->numbers[slot];
    }
    *is_new = found == 0;
    f->n += *is_new;
    found |= f->n & -(size_t)*is_new;
    f->numbers[slot] = (uint32_t)found;
    memcpy(f->records + found * f->stride, key, words * sizeof *key);
    /* Memory that is written before it is read costs one page fault, not two. */
    memset(f->records + (f->n + 2) * f->stride - sizeof *key, 0, sizeof *key);
    return found;
}

static inline void roll_records(const mgl_ladder_slots *slots, const mgl_ladder_table *source,
                                const uint64_t *masks, size_t words, mgl_ladder_table *out)
{
    filling f = start_filling(slots, out, words);
    uint64_t key[words], mask[words];
    memcpy(mask, masks, sizeof mask);
    const char *from = source->records, *end = from + source->n * f.stride;
    while (from < end) {
        from += f.stride;
        for (size_t w = 0; w < words; w++)
            key[w] = key_word(from, w) & mask[w];
        bool is_new;
        char *to = f.records + find_record(&f, key, words, &is_new) * f.stride + sizeof key;
        vector old = (vector){0} + (LANE)((LANE)is_new - 1);
        for (int v = 0; v < VECTORS; v++) {
            vector sum = add(load(to + v * 16) & old, load(from + sizeof key + v * 16));
            memcpy(to + v * 16, &sum, sizeof sum);
        }
    }
    out->n = f.n;
}

static void roll_up(const mgl_ladder *ladder, mgl_ladder_slots *slots,
                    const mgl_ladder_table *source, const uint64_t *masks, mgl_ladder_table *out)
{
    if (ladder->words == 1)
        roll_records(slots, source, masks, 1, out);
    else
        roll_records(slots, source, masks, ladder->words, out);
}

static inline void add_tuples(const mgl_ladder_slots *slots, const uint64_t *keys,
                              const uint64_t *counts, size_t n_tuples, size_t words,
                              mgl_ladder_table *out)
{
    filling f = start_filling(slots, out, words);
    uint64_t key[words];
    for (size_t t = 0; t < n_tuples; t++) {
        memcpy(key, keys + t * words, sizeof key);
        size_t lane = key[0] % MGL_LANES;
        key[0] -= lane;
        bool is_new;
        char *to = f.records + find_record(&f, key, words, &is_new) * f.stride + sizeof key;
        vector old = (vector){0} + (LANE)((LANE)is_new - 1);
        for (int v = 0; v < VECTORS; v++) {
            vector kept = load(to + v * 16) & old;
            memcpy(to + v * 16, &kept, sizeof kept);
        }
        LANE count;
        memcpy(&count, to + lane * sizeof count, sizeof count);
        uint64_t sum = counts[t] + count;
        count = (LANE)(sum < (LANE)-1 ? sum : (LANE)-1);
        memcpy(to + lane * sizeof count, &count, sizeof count);
    }
    out->n = f.n;
}

static void gather(const mgl_ladder *ladder, mgl_ladder_slots *slots, const uint64_t *keys,
                   mgl_ladder_table *out)
{
    const mgl_frequency_list *list = ladder->problem->list;
    if (ladder->words == 1)
        add_tuples(slots, keys, list->counts, list->n_tuples, 1, out);
    else
        add_tuples(slots, keys, list->counts, list->n_tuples, ladder->words, out);
}

/* ---- Looking at the classes ----------------------------------------------------- */

/* Turns records into rows, one per lane, so that what follows works on many classes at
 * once. Interleaving the halves log2(PER_VECTOR) times transposes a square. */
static inline void transpose(const char *lanes, size_t stride, LANE (*rows)[CHUNK])
{
    for (size_t c = 0; c < CHUNK; c += PER_VECTOR)
        for (int v = 0; v < VECTORS; v++) {
            vector square[PER_VECTOR], next[PER_VECTOR];
            for (int i = 0; i < PER_VECTOR; i++)
                square[i] = load(lanes + (c + i) * stride + v * 16);
            for (int turn = 1; turn < PER_VECTOR; turn *= 2) {
                for (int i = 0; i < PER_VECTOR / 2; i++) {
                    next[2 * i] = ZIP_LOW(square[i], square[i + PER_VECTOR / 2]);
                    next[2 * i + 1] = ZIP_HIGH(square[i], square[i + PER_VECTOR / 2]);
                }
                memcpy(square, next, sizeof square);
            }
            for (int i = 0; i < PER_VECTOR; i++)
                memcpy(rows[v * PER_VECTOR + i] + c, &square[i], sizeof(vector));
        }
}

/* The rows of the lanes of CHUNK records from `first` on, none beyond the table's end. */
static void make_rows(const mgl_ladder *ladder, const mgl_ladder_table *table, size_t first,
                      LANE (*rows)[CHUNK])
{
    size_t stride = ladder->stride, left = table->n - first;
    const char *records = table->records + (first + 1) * stride;
    size_t key_size = ladder->words * sizeof(uint64_t);
    if (left >= CHUNK) {
        transpose(records + key_size, stride, rows);
        return;
    }
    LANE padded[CHUNK][MGL_LANES];
    memset(padded[left], 0, (CHUNK - left) * sizeof padded[0]);
    for (size_t i = 0; i < left; i++)
        memcpy(padded[i], records + i * stride + key_size, sizeof padded[i]);
    transpose((const char *)padded, sizeof padded[0], rows);
}

static inline void add_row(LANE *to, const LANE *from)
{
    for (int c = 0; c < CHUNK; c += PER_VECTOR) {
        vector sum = add(load((char *)(to + c)), load((const char *)(from + c)));
        memcpy(to + c, &sum, sizeof sum);
    }
}

/* Sums up the groups of a block node from those of a finer one. */
static void make_groups(const mgl_ladder_block *block, size_t b, LANE (*rows)[CHUNK])
{
    const mgl_ladder_node *node = &block->nodes[b];
    const uint8_t *member = node->members;
    for (size_t g = 0; g < node->n_groups; g++) {
        LANE *to = rows[node->first_row + g];
        size_t n = *member++;
        memcpy(to, rows[*member++], sizeof rows[0]);
        for (size_t i = 1; i < n; i++)
            add_row(to, rows[*member++]);
    }
}

/* The sum of small counts, in whatever lanes of 32 bits. Bytes are summed in pairs of 16 bits
 * first; a chunk of them is not too much for that. */
static inline wide widen(vector counts)
{
    wide w = (wide)counts;
    if (sizeof(LANE) == 1)
        return (w & 0x00FF00FF) + (w >> 8 & 0x00FF00FF);
    return sizeof(LANE) == 2 ? (w & 0xFFFF) + (w >> 16) : w;
}

static inline uint64_t add_up(wide w)
{
    uint64_t sum = 0;
    for (int i = 0; i < 4; i++)
        sum += sizeof(LANE) == 1 ? (w[i] & 0xFFFF) + (w[i] >> 16) : w[i];
    return sum;
}

/* Rows in classes below k, and, if wanted, classes of k and more. */
static inline void count_rows(const LANE (*groups)[CHUNK], size_t n_groups, LANE k,
                              bool want_classes, uint64_t *rows, uint64_t *classes)
{
    const char *at = (const char *)groups, *end = at + n_groups * sizeof groups[0];
    vector limit = (vector){0} + k, others = {0};
    wide small = {0};
    for (; at < end; at += sizeof(vector)) {
        vector x = load(at), below = (vector)(x < limit);
        small += widen(x & below);
        others -= below;
    }
    *rows += add_up(small);
    if (want_classes) {
        wide not_large = widen(others);
        *classes += n_groups * CHUNK - add_up(not_large);
    }
}

static void count_sizes(const mgl_ladder *ladder, const LANE (*groups)[CHUNK], size_t n_groups,
                        double *sum, uint64_t *least)
{
    const LANE *size = groups[0], *end = size + n_groups * CHUNK;
    uint64_t squares = 0, smallest = UINT64_MAX;
    double logs = 0;
    LANE k = (LANE)ladder->k;
    if (ladder->measure == MGL_LADDER_ENTROPY) {
        for (; size < end; size++)
            logs += *size >= k ? *size * log2((double)*size) : 0;
        *sum += logs;
    } else {
        for (; size < end; size++) {
            uint32_t large = *size >= k ? *size : 0;
            squares += (uint64_t)large * large;
        }
        *sum += (double)squares;
    }
    if (!ladder->find_least)
        return;
    for (size = groups[0]; size < end; size++)
        smallest = *size >= k && *size < smallest ? *size : smallest;
    *least = smallest < *least ? smallest : *least;
}

static void count(const mgl_ladder *ladder, const mgl_ladder_table *table, uint64_t wanted,
                  mgl_ladder_counts *out)
{
    const mgl_ladder_block *block = &ladder->block;
    LANE rows[MGL_LADDER_ROWS][CHUNK];
    bool want_classes = ladder->measure == MGL_LADDER_CLASSES;
    uint64_t made = 1;
    for (size_t b = 0; b < block->n_nodes; b++) {
        if (wanted >> b & 1)
            made |= block->nodes[b].needs;
        out->rows[b] = out->classes[b] = 0;
        out->sum[b] = 0;
        out->least[b] = UINT64_MAX;
    }
    for (size_t first = 0; first < table->n; first += CHUNK) {
        make_rows(ladder, table, first, rows);
        for (uint64_t rest = made; rest != 0; rest &= rest - 1) {
            size_t b = (size_t)__builtin_ctzll(rest);
            if (b > 0)
                make_groups(block, b, rows);
            if (!(wanted >> b & 1))
                continue;
            const LANE(*groups)[CHUNK] = (const LANE(*)[CHUNK])(rows + block->nodes[b].first_row);
            size_t n_groups = block->nodes[b].n_groups;
            count_rows(groups, n_groups, (LANE)ladder->k, want_classes, &out->rows[b],
                       &out->classes[b]);
            if (ladder->exact_sizes)
                count_sizes(ladder, groups, n_groups, &out->sum[b], &out->least[b]);
        }
    }
}

/* Rows in classes below k, by record and by group of one block node. */
static void find_small(const mgl_ladder *ladder, const mgl_ladder_table *table, size_t b,
                       uint32_t *of_record, uint64_t *of_group)
{
    const mgl_ladder_node *node = &ladder->block.nodes[b];
    LANE rows[MGL_LADDER_ROWS][CHUNK], k = (LANE)ladder->k;
    memset(of_group, 0, node->n_groups * sizeof *of_group);
    for (size_t first = 0; first < table->n; first += CHUNK) {
        uint32_t small[CHUNK] = {0};
        make_rows(ladder, table, first, rows);
        for (uint64_t rest = node->needs & ~UINT64_C(1); rest != 0; rest &= rest - 1)
            make_groups(&ladder->block, (size_t)__builtin_ctzll(rest), rows);
        for (size_t g = 0; g < node->n_groups; g++) {
            LANE *row = rows[node->first_row + g];
            uint64_t unused = 0;
            count_rows((const LANE(*)[CHUNK])row, 1, k, false, &of_group[g], &unused);
            for (int c = 0; c < CHUNK; c++)
                small[c] += row[c] < k ? row[c] : 0;
        }
        size_t left = table->n - first;
        memcpy(of_record + first, small, (left < CHUNK ? left : CHUNK) * sizeof *small);
    }
}

const mgl_ladder_kernel KERNEL = {
    .lane_size = sizeof(LANE),
    .gather = gather,
    .roll_up = roll_up,
    .count = count,
    .find_small = find_small,
};
