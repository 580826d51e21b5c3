/* The inner loops of the ladder, written once for counts of one, two and four bytes. A
 * file that includes this defines LANE (the type of a count), ZIP_LOW and ZIP_HIGH (the
 * interleaved lower and upper halves of two vectors) and KERNEL (the name of the result).
 *
 * A record is a key and one count per lane. The vectors are those of the compiler (gcc,
 * clang), which makes plain code of them where a machine has none. */
#include "search/ladder.h"

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

/* What lies in registers must not be a loop. */
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef LANE vector __attribute__((vector_size(16)));
typedef uint32_t wide __attribute__((vector_size(16)));

enum {
    PER_VECTOR = 16 / sizeof(LANE),
    VECTORS = MGL_LANES / PER_VECTOR, /* of one record */
    CHUNK = 64 / sizeof(LANE)         /* records looked at together: four vectors */
};

MGL_SPECIALIZE vector load(const char *from)
{
    vector v;
    memcpy(&v, from, sizeof v);
    return v;
}

MGL_SPECIALIZE void store(char *to, vector v)
{
    memcpy(to, &v, sizeof v);
}

/* Counts stop at the largest: only those below k must be exact. */
MGL_SPECIALIZE vector add(vector a, vector b)
{
#if defined(__ARM_NEON) && !defined(MGL_PORTABLE)
    if (sizeof(LANE) == 1)
        return (vector)vqaddq_u8((uint8x16_t)a, (uint8x16_t)b);
    if (sizeof(LANE) == 2)
        return (vector)vqaddq_u16((uint16x8_t)a, (uint16x8_t)b);
#elif defined(__SSE2__) && !defined(MGL_PORTABLE)
    if (sizeof(LANE) == 1)
        return (vector)_mm_adds_epu8((__m128i)a, (__m128i)b);
    if (sizeof(LANE) == 2)
        return (vector)_mm_adds_epu16((__m128i)a, (__m128i)b);
#endif
    vector sum = a + b;
    return sum | (vector)(sum < a);
}

MGL_SPECIALIZE uint64_t key_word(const char *record, size_t w)
{
    uint64_t word;
    memcpy(&word, record + w * sizeof word, sizeof word);
    return word;
}

MGL_SPECIALIZE bool same_key(const char *record, const uint64_t *key, size_t words)
{
    uint64_t differ = 0;
    for (size_t w = 0; w < words; w++)
        differ |= key_word(record, w) ^ key[w];
    return differ == 0;
}

/* A table that is being filled. Slots and `next` count in units of 8 bytes. The counts of the
 * record at `next` are zero, so that a new record is added to like an old one. */
typedef struct filling {
    uint32_t *numbers;
    char *records;
    size_t mask, next, step;
    unsigned shift;
} filling;

MGL_SPECIALIZE void clear_next(const filling *f, size_t words)
{
    char *to = f->records + (f->next + words) * 8;
    for (int v = 0; v < VECTORS; v++)
        store(to + v * 16, (vector){0});
}

MGL_SPECIALIZE filling start_filling(const mgl_ladder_slots *slots, const mgl_ladder_table *table,
                                     size_t words)
{
    size_t step = words + sizeof(LANE) * MGL_LANES / 8;
    filling f = {slots->numbers, table->records, slots->mask, step, step, slots->shift};
    clear_next(&f, words);
    return f;
}

/* Where the counts of the record with this key are: an old record, or the next free one,
 * which gets the key. Whether it is new is not branched upon, it cannot be predicted; slots
 * are so many that the loop seldom turns. Record 0 is room that nobody reads. */
MGL_SPECIALIZE char *find_record(filling *f, const uint64_t *key, size_t words)
{
    uint64_t hash = key[0] * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 1; w < words; w++)
        hash = (hash ^ hash >> 29 ^ key[w]) * UINT64_C(0xBF58476D1CE4E5B9);
    uint32_t *slot = f->numbers + (hash >> f->shift), found = *slot;
    while ((found != 0) & !same_key(f->records + (size_t)found * 8, key, words)) {
        slot = f->numbers + ((size_t)(slot - f->numbers + 1) & f->mask);
        found = *slot;
    }
    size_t is_new = -(size_t)(found == 0), at = found | (f->next & is_new);
    f->next += f->step & is_new;
    *slot = (uint32_t)at;
    memcpy(f->records + at * 8, key, words * sizeof *key);
    return f->records + at * 8 + words * sizeof *key;
}

MGL_SPECIALIZE void roll_records(const mgl_ladder_slots *slots, const mgl_ladder_table *source,
                                 const uint64_t *masks, size_t words, mgl_ladder_table *out)
{
    filling f = start_filling(slots, out, words);
    size_t stride = f.step * 8;
    uint64_t key[words], mask[words];
    memcpy(mask, masks, sizeof mask);
    const char *from = source->records, *end = from + source->n * stride;
    while (from < end) {
        from += stride;
        for (size_t w = 0; w < words; w++)
            key[w] = key_word(from, w) & mask[w];
        char *to = find_record(&f, key, words);
        for (int v = 0; v < VECTORS; v++)
            store(to + v * 16, add(load(to + v * 16), load(from + sizeof key + v * 16)));
        clear_next(&f, words);
    }
    out->n = f.next / f.step - 1;
}

static void roll_up(const mgl_ladder *ladder, mgl_ladder_slots *slots,
                    const mgl_ladder_table *source, const uint64_t *masks, mgl_ladder_table *out)
{
    if (ladder->words == 1)
        roll_records(slots, source, masks, 1, out);
    else
        roll_records(slots, source, masks, ladder->words, out);
}

MGL_SPECIALIZE void add_tuples(const mgl_ladder_slots *slots, const uint64_t *keys,
                               const uint64_t *counts, size_t n_tuples, size_t words,
                               mgl_ladder_table *out)
{
    filling f = start_filling(slots, out, words);
    uint64_t key[words];
    for (size_t t = 0; t < n_tuples; t++) {
        memcpy(key, keys + t * words, sizeof key);
        size_t lane = key[0] % MGL_LANES;
        key[0] -= lane;
        char *to = find_record(&f, key, words) + lane * sizeof(LANE);
        LANE count;
        memcpy(&count, to, sizeof count);
        uint64_t sum = counts[t] + count;
        count = (LANE)(sum < (LANE)-1 ? sum : (LANE)-1);
        memcpy(to, &count, sizeof count);
        clear_next(&f, words);
    }
    out->n = f.next / f.step - 1;
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
    for (size_t c = 0; c < CHUNK; c += PER_VECTOR, lanes += PER_VECTOR * stride)
        for (int v = 0; v < VECTORS; v++) {
            vector square[PER_VECTOR], next[PER_VECTOR];
            UNROLL for (int i = 0; i < PER_VECTOR; i++) square[i] =
                load(lanes + i * stride + v * 16);
            UNROLL for (int turn = 1; turn < PER_VECTOR; turn *= 2)
            {
                UNROLL for (int i = 0; i < PER_VECTOR / 2; i++)
                {
                    next[2 * i] = ZIP_LOW(square[i], square[i + PER_VECTOR / 2]);
                    next[2 * i + 1] = ZIP_HIGH(square[i], square[i + PER_VECTOR / 2]);
                }
                UNROLL for (int i = 0; i < PER_VECTOR; i++) square[i] = next[i];
            }
            UNROLL for (int i = 0; i < PER_VECTOR; i++)
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

/* Sums up the groups of a block node from those of a finer one. The four vectors of a row
 * are named one by one so that they stay in registers. */
static inline void make_groups(const mgl_ladder_block *block, size_t b, LANE (*rows)[CHUNK])
{
    const mgl_ladder_node *node = &block->nodes[b];
    const uint8_t *member = node->members;
    char *to = (char *)rows[node->first_row];
    for (size_t g = 0; g < node->n_groups; g++, to += sizeof rows[0]) {
        size_t n = *member++;
        const char *from = (const char *)rows[*member++];
        vector v0 = load(from), v1 = load(from + 16), v2 = load(from + 32), v3 = load(from + 48);
        while (--n > 0) {
            from = (const char *)rows[*member++];
            v0 = add(v0, load(from));
            v1 = add(v1, load(from + 16));
            v2 = add(v2, load(from + 32));
            v3 = add(v3, load(from + 48));
        }
        store(to, v0);
        store(to + 16, v1);
        store(to + 32, v2);
        store(to + 48, v3);
    }
}

/* Sums of neighbouring elements, 32 bits wide. */
static inline wide widen(vector v)
{
    wide w = (wide)v;
    if (sizeof(LANE) == 1)
        w = (w & 0x00FF00FF) + (w >> 8 & 0x00FF00FF);
    return sizeof(LANE) == 4 ? w : (w & 0xFFFF) + (w >> 16);
}

static inline uint64_t add_up(wide w)
{
    return (uint64_t)w[0] + w[1] + w[2] + w[3];
}

/* Adds up rows in classes below k, and, if wanted, the classes below k and the empty ones.
 * Small counts are summed in lanes of their own width, so many groups at a time that these
 * cannot overflow. */
static inline void count_small(const LANE (*groups)[CHUNK], size_t n_groups, LANE k,
                               bool want_classes, wide *rows, wide *classes)
{
    vector limit = (vector){0} + k, others = {0};
    size_t at_once = k > 1 ? (LANE)-1 / (size_t)(k - 1) : n_groups;
    const char *from = (const char *)groups, *end = from + n_groups * sizeof groups[0];
    while (from < end) {
        const char *stop = n_groups > at_once ? from + at_once * sizeof groups[0] : end;
        stop = stop < end ? stop : end;
        vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (; from < stop; from += 64) {
            vector v0 = load(from), v1 = load(from + 16);
            vector v2 = load(from + 32), v3 = load(from + 48);
            vector b0 = (vector)(v0 < limit), b1 = (vector)(v1 < limit);
            vector b2 = (vector)(v2 < limit), b3 = (vector)(v3 < limit);
            s0 += v0 & b0;
            s1 += v1 & b1;
            s2 += v2 & b2;
            s3 += v3 & b3;
            if (want_classes)
                others -= b0 + b1 + b2 + b3;
        }
        *rows += widen(s0) + widen(s1) + widen(s2) + widen(s3);
    }
    if (want_classes)
        *classes += widen(others);
}

/* The sum of the squares of counts from k on. */
static inline uint64_t sum_squares(const LANE *size, const LANE *end, LANE k)
{
    typedef uint64_t widest __attribute__((vector_size(16)));
    vector limit = (vector){0} + k;
    widest sum = {0};
    if (sizeof(LANE) == 4) {
        uint64_t squares = 0;
        for (; size < end; size++)
            squares += *size >= k ? (uint64_t)*size * *size : 0;
        return squares;
    }
    for (; size < end; size += PER_VECTOR) { /* two bytes: squares fit into four */
        vector x = load((const char *)size);
        wide w = (wide)(x & (vector)(x >= limit)), low = w & 0xFFFF, high = w >> 16;
        widest a = (widest)(low * low), b = (widest)(high * high);
        sum += (a & 0xFFFFFFFF) + (a >> 32) + (b & 0xFFFFFFFF) + (b >> 32);
    }
    return sum[0] + sum[1];
}

static void count_sizes(const mgl_ladder *ladder, const LANE (*groups)[CHUNK], size_t n_groups,
                        double *sum, uint64_t *least)
{
    const LANE *size = groups[0], *end = size + n_groups * CHUNK;
    uint64_t smallest = UINT64_MAX;
    double logs = 0;
    LANE k = (LANE)ladder->k;
    if (ladder->measure == MGL_LADDER_ENTROPY) {
        for (; size < end; size++)
            logs += *size >= k ? *size * log2((double)*size) : 0;
        *sum += logs;
    } else {
        *sum += (double)sum_squares(size, end, k);
    }
    if (ladder->holds == NULL)
        return;
    for (size = groups[0]; size < end; size++)
        smallest = *size >= k && *size < smallest ? *size : smallest;
    *least = smallest < *least ? smallest : *least;
}

static void count(const mgl_ladder *ladder, const mgl_ladder_table *table, uint64_t wanted,
                  mgl_ladder_counts *out)
{
    const mgl_ladder_block *block = &ladder->block;
    LANE rows[MGL_LADDER_ROWS][CHUNK], k = (LANE)ladder->k;
    wide small[MGL_BLOCK_NODES], not_large[MGL_BLOCK_NODES];
    bool want_classes = ladder->measure == MGL_LADDER_CLASSES;
    uint64_t made = 1;
    for (size_t b = 0; b < block->n_nodes; b++) {
        if (wanted >> b & 1)
            made |= block->nodes[b].needs;
        small[b] = not_large[b] = (wide){0};
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
            if (want_classes)
                count_small(groups, n_groups, k, true, &small[b], &not_large[b]);
            else
                count_small(groups, n_groups, k, false, &small[b], &not_large[b]);
            if (ladder->exact_sizes)
                count_sizes(ladder, groups, n_groups, &out->sum[b], &out->least[b]);
        }
    }
    uint64_t chunks = (table->n + CHUNK - 1) / CHUNK;
    for (size_t b = 0; b < block->n_nodes; b++) {
        out->rows[b] = add_up(small[b]);
        out->classes[b] = chunks * CHUNK * block->nodes[b].n_groups - add_up(not_large[b]);
    }
}

/* Rows below k by record, in one sweep over the groups of a node; by group they are added
 * to what is there. */
static inline void sum_small(const LANE (*groups)[CHUNK], size_t n_groups, LANE k, wide *of_group,
                             uint32_t *of_record)
{
    vector limit = (vector){0} + k;
    size_t at_once = k > 1 ? (LANE)-1 / (size_t)(k - 1) : n_groups;
    memset(of_record, 0, CHUNK * sizeof *of_record);
    for (size_t g = 0; g < n_groups;) {
        size_t stop = n_groups - g > at_once ? g + at_once : n_groups;
        vector s0 = {0}, s1 = {0}, s2 = {0}, s3 = {0};
        for (; g < stop; g++) {
            const char *from = (const char *)groups[g];
            vector v0 = load(from), v1 = load(from + 16);
            vector v2 = load(from + 32), v3 = load(from + 48);
            v0 &= (vector)(v0 < limit);
            v1 &= (vector)(v1 < limit);
            v2 &= (vector)(v2 < limit);
            v3 &= (vector)(v3 < limit);
            s0 += v0;
            s1 += v1;
            s2 += v2;
            s3 += v3;
            of_group[g] += widen(v0) + widen(v1) + widen(v2) + widen(v3);
        }
        LANE sums[CHUNK];
        store((char *)sums, s0);
        store((char *)sums + 16, s1);
        store((char *)sums + 32, s2);
        store((char *)sums + 48, s3);
        for (int c = 0; c < CHUNK; c++)
            of_record[c] += sums[c];
    }
}

/* Rows below k of one node, by record and by group. */
static void find_small(const mgl_ladder *ladder, const mgl_ladder_table *table, size_t b,
                       uint32_t *of_record, uint64_t *of_group)
{
    const mgl_ladder_node *node = &ladder->block.nodes[b];
    LANE rows[MGL_LADDER_ROWS][CHUNK];
    wide groups[MGL_LANES];
    memset(groups, 0, sizeof groups);
    for (size_t first = 0; first < table->n; first += CHUNK) {
        uint32_t small[CHUNK];
        make_rows(ladder, table, first, rows);
        for (uint64_t rest = node->needs & ~UINT64_C(1); rest != 0; rest &= rest - 1)
            make_groups(&ladder->block, (size_t)__builtin_ctzll(rest), rows);
        sum_small((const LANE(*)[CHUNK])(rows + node->first_row), node->n_groups, (LANE)ladder->k,
                  groups, small);
        size_t left = table->n - first;
        memcpy(of_record + first, small, (left < CHUNK ? left : CHUNK) * sizeof *small);
    }
    for (size_t g = 0; g < node->n_groups; g++)
        of_group[g] = add_up(groups[g]);
}

typedef double pair __attribute__((vector_size(16)));

/* The surplus of nodes: for each row below k that of its record and that of its group. */
static void weigh(const mgl_ladder *ladder, const mgl_ladder_table *table, uint64_t wanted,
                  const double *of_record, double *sums)
{
    const mgl_ladder_block *block = &ladder->block;
    LANE rows[MGL_LADDER_ROWS][CHUNK];
    wide groups[MGL_LADDER_ROWS];
    pair totals[MGL_BLOCK_NODES];
    uint64_t made = 0;
    memset(groups, 0, sizeof groups);
    memset(totals, 0, sizeof totals);
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1)
        made |= block->nodes[__builtin_ctzll(rest)].needs;
    for (size_t first = 0; first < table->n; first += CHUNK, of_record += CHUNK) {
        make_rows(ladder, table, first, rows);
        for (uint64_t rest = made; rest != 0; rest &= rest - 1) {
            size_t b = (size_t)__builtin_ctzll(rest), at = block->nodes[b].first_row;
            if (b > 0)
                make_groups(block, b, rows);
            if (!(wanted >> b & 1))
                continue;
            uint32_t small[CHUNK];
            sum_small((const LANE(*)[CHUNK])(rows + at), block->nodes[b].n_groups, (LANE)ladder->k,
                      groups + at, small);
            for (int c = 0; c < CHUNK; c += 2)
                totals[b] +=
                    (pair){small[c], small[c + 1]} * (pair){of_record[c], of_record[c + 1]};
        }
    }
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        sums[b] = totals[b][0] + totals[b][1];
        for (size_t g = block->nodes[b].first_row, n = block->nodes[b].n_groups; n > 0; g++, n--)
            sums[b] += block->surplus[g] * (double)add_up(groups[g]);
    }
}

const mgl_ladder_kernel KERNEL = {
    .lane_size = sizeof(LANE),
    .gather = gather,
    .roll_up = roll_up,
    .count = count,
    .find_small = find_small,
    .weigh = weigh,
};
