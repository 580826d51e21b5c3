/* Included by kernel.h: makes tables: vectors, records, and rolling up. */
#include "search/fulldomain/by_size/counts.h"

#if defined(__ARM_NEON)
#include <arm_neon.h>
#elif defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifndef WIDTH
#define WIDTH 16
#endif

/* The type of a count; two of half a byte share a byte of a record. And the interleaved lower and
 * upper halves of two vectors of 16 bytes. */
#define HALF_BYTES (COUNT_BITS == 4)
#if COUNT_BITS == 32
#define LANE uint32_t
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#elif COUNT_BITS == 16
#define LANE uint16_t
#define ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#else
#define LANE uint8_t
#define ZIP_LOW(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#endif
#define MOST_COUNT ((LANE)(HALF_BYTES ? 15 : (LANE)-1)) /* in a record */

/* What lies in registers must not be a loop. */
#ifdef __clang__
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

typedef LANE vector __attribute__((vector_size(WIDTH)));
typedef uint32_t wide __attribute__((vector_size(WIDTH)));
/* One that lies anywhere, in memory of any type. memcpy would do, but where the compiler knows how
 * large the memory is it checks every single one. */
typedef LANE loose __attribute__((vector_size(WIDTH), aligned(1), may_alias));

enum {
    PER_VECTOR = WIDTH / sizeof(LANE),
    PER_PLANE = 32,                       /* elements of one plane of a record */
    LANES = (1 + HALF_BYTES) * PER_PLANE, /* counts of a record */
    GROUPS = HALF_BYTES ? MGL_BLOCK_GROUPS : MGL_BLOCK_GROUPS / 2,
    SETS = sizeof(LANE) == 2 ? MGL_BY_SIZE_PLANES : 0, /* planes of sets */
    PLANE = PER_PLANE * sizeof(LANE),                  /* bytes */
    VECTORS = PLANE / WIDTH,
    CHUNK = 64 / sizeof(LANE), /* records looked at together */
    IN_ROW = 64 / WIDTH,       /* vectors that hold a count of each of them */
    AHEAD = 16, /* records whose slots are fetched before they are needed; where a table exceeds
                   the caches, the records that half of these slots point to are fetched as well */
    IN_CACHE = 1 << 14, /* tables of fewer records lie in a near cache: nothing is fetched ahead */
    MANY_BYTES = 1 << 20
};

/* Planes of sets, which only records with counts of two bytes have; others do without the code. */
MGL_SPECIALIZE size_t planes_of(const mgl_by_size *search)
{
    return SETS > 0 ? search->n_planes : 0;
}

MGL_SPECIALIZE vector load(const char *from)
{
    return *(const loose *)from;
}

MGL_SPECIALIZE void store(char *to, vector v)
{
    *(loose *)to = v;
}

/* Counts stop at the largest: only those below k must be exact. */
MGL_SPECIALIZE vector add(vector a, vector b)
{
#if defined(__ARM_NEON) && !defined(MGL_PORTABLE)
    if (sizeof(LANE) == 1)
        return (vector)vqaddq_u8((uint8x16_t)a, (uint8x16_t)b);
    if (sizeof(LANE) == 2)
        return (vector)vqaddq_u16((uint16x8_t)a, (uint16x8_t)b);
#elif defined(__AVX2__) && WIDTH == 32 && !defined(MGL_PORTABLE)
    if (sizeof(LANE) == 1)
        return (vector)_mm256_adds_epu8((__m256i)a, (__m256i)b);
    if (sizeof(LANE) == 2)
        return (vector)_mm256_adds_epu16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__) && WIDTH == 16 && !defined(MGL_PORTABLE)
    if (sizeof(LANE) == 1)
        return (vector)_mm_adds_epu8((__m128i)a, (__m128i)b);
    if (sizeof(LANE) == 2)
        return (vector)_mm_adds_epu16((__m128i)a, (__m128i)b);
#endif
    vector sum = a + b;
    return sum | (vector)(sum < a);
}

/* The same for counts in records, two of which may share a byte. */
MGL_SPECIALIZE vector add_counts(vector a, vector b)
{
    if (!HALF_BYTES)
        return add(a, b);
    vector high = (vector){0} + (LANE)0xF0;
    return (add(a & high, b) & high) | (add(a << 4, b << 4) >> 4);
}

/* Where the count of a lane lies. Of two in a byte, the higher belongs to the second half of the
 * lanes. */
typedef struct lane_place {
    size_t at; /* byte of the plane */
    unsigned shift;
} lane_place;

MGL_SPECIALIZE lane_place place_of_lane(size_t lane)
{
    if (HALF_BYTES)
        return (lane_place){lane % PER_PLANE, lane < PER_PLANE ? 0 : 4};
    return (lane_place){lane * sizeof(LANE), 0};
}

MGL_SPECIALIZE LANE count_of_lane(const char *counts, size_t lane)
{
    lane_place place = place_of_lane(lane);
    LANE count;
    memcpy(&count, counts + place.at, sizeof count);
    return (LANE)(count >> place.shift & MOST_COUNT);
}

/* Adds to a count, which stops at the largest. */
MGL_SPECIALIZE void add_to_lane(char *counts, size_t lane, uint64_t more)
{
    lane_place place = place_of_lane(lane);
    uint64_t sum = more + count_of_lane(counts, lane), all_bits = MOST_COUNT;
    LANE element;
    memcpy(&element, counts + place.at, sizeof element);
    sum = sum < MOST_COUNT ? sum : MOST_COUNT;
    element = (LANE)((element & ~(all_bits << place.shift)) | sum << place.shift);
    memcpy(counts + place.at, &element, sizeof element);
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

/* What a record has. */
typedef struct shape {
    size_t words, sets; /* of the key; planes beside the counts */
    bool grouped;       /* keys come in groups, see filling */
} shape;

/* A table that is being filled. Slots and `next` count in units of 8 bytes. The planes of the
 * record at `next` are zero, so that a new record is added to like an old one.
 *
 * Keys that begin alike come one after the other where the source is in order: they are a group.
 * Slots that point to records before the first of the group are free, so that slots for one group
 * do for all, and lie in a near cache. Without an order all keys are one group. */
typedef struct filling {
    uint32_t *numbers;
    char *records;
    size_t mask, next, step;
    unsigned shift;
    size_t first;           /* record of the group */
    uint64_t group, within; /* the bits that its keys begin with; the mask of the others */
} filling;

MGL_SPECIALIZE void clear_next(const filling *f, shape is)
{
    char *to = f->records + (f->next + is.words) * 8;
    for (size_t v = 0; v < (1 + is.sets) * VECTORS; v++)
        store(to + v * WIDTH, (vector){0});
}

MGL_SPECIALIZE filling start_filling(const mgl_by_size_slots *slots, const mgl_by_size_table *table,
                                     shape is)
{
    size_t step = is.words + (1 + is.sets) * PLANE / 8;
    filling f = {.numbers = slots->numbers,
                 .records = table->records,
                 .mask = slots->mask,
                 .next = step,
                 .step = step,
                 .shift = slots->shift,
                 .first = step,
                 .within = UINT64_MAX >> table->ordered};
    clear_next(&f, is);
    return f;
}

/* Where the planes of the record with this key are: an old record, or the next free one, which gets
 * the key. Whether it is new is not branched upon, it cannot be predicted; slots are so many that
 * the loop seldom turns. Record 0 is never read. */
MGL_SPECIALIZE uint32_t *first_slot(const filling *f, const uint64_t *key, shape is)
{
    uint64_t hash = (is.grouped ? key[0] & f->within : key[0]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 1; w < is.words; w++)
        hash = (hash ^ hash >> 29 ^ key[w]) * UINT64_C(0xBF58476D1CE4E5B9);
    return f->numbers + (hash >> f->shift);
}

MGL_SPECIALIZE void begin_group(filling *f, const uint64_t *key)
{
    uint64_t group = key[0] & ~f->within;
    f->first = group == f->group ? f->first : f->next;
    f->group = group;
}

MGL_SPECIALIZE char *find_record(filling *f, const uint64_t *key, shape is)
{
    if (is.grouped)
        begin_group(f, key);
    size_t first = is.grouped ? f->first : 1;
    uint32_t *slot = first_slot(f, key, is), found = *slot;
    while ((found >= first) & !same_key(f->records + (size_t)found * 8, key, is.words)) {
        slot = f->numbers + ((size_t)(slot - f->numbers + 1) & f->mask);
        found = *slot;
    }
    size_t is_new = -(size_t)(found < first), at = (found & ~is_new) | (f->next & is_new);
    f->next += f->step & is_new;
    *slot = (uint32_t)at;
    memcpy(f->records + at * 8, key, is.words * sizeof *key);
    return f->records + at * 8 + is.words * sizeof *key;
}

/* Adds the planes of one record to those of another. */
MGL_SPECIALIZE void add_planes(char *to, const char *planes, shape is)
{
    for (size_t v = 0; v < VECTORS; v++)
        store(to + v * WIDTH, add_counts(load(to + v * WIDTH), load(planes + v * WIDTH)));
    for (size_t v = VECTORS; v < (1 + is.sets) * VECTORS; v++)
        store(to + v * WIDTH, load(to + v * WIDTH) | load(planes + v * WIDTH));
}

MGL_SPECIALIZE void roll_records(const mgl_by_size_slots *slots, const mgl_by_size_table *source,
                                 const uint64_t *masks, shape is, bool fetch,
                                 mgl_by_size_table *out)
{
    filling f = start_filling(slots, out, is);
    size_t stride = f.step * 8;
    uint64_t key[MGL_BRANCH_MOST_WORDS], mask[MGL_BRANCH_MOST_WORDS];
    memcpy(mask, masks, is.words * sizeof *mask);
    const char *from = source->records, *end = from + source->n * stride;
    bool many = source->n * stride > MANY_BYTES;
    while (from < end) {
        from += stride;
        if (fetch) {
            const char *later = from + AHEAD * stride <= end ? from + AHEAD * stride : end;
            for (size_t w = 0; w < is.words; w++)
                key[w] = key_word(later, w) & mask[w];
            __builtin_prefetch(first_slot(&f, key, is), 1);
        }
        if (fetch && many) {
            const char *soon = from + AHEAD / 2 * stride <= end ? from + AHEAD / 2 * stride : end;
            for (size_t w = 0; w < is.words; w++)
                key[w] = key_word(soon, w) & mask[w];
            __builtin_prefetch(f.records + (size_t)*first_slot(&f, key, is) * 8, 1);
        }
        for (size_t w = 0; w < is.words; w++)
            key[w] = key_word(from, w) & mask[w];
        char *to = find_record(&f, key, is);
        add_planes(to, from + is.words * sizeof *key, is);
        clear_next(&f, is);
    }
    out->n = f.next / f.step - 1;
}

/* The same from a packed table. */
MGL_SPECIALIZE void roll_packed(const mgl_by_size_slots *slots, const mgl_by_size_table *source,
                                const uint64_t *masks, shape is, bool fetch, mgl_by_size_table *out)
{
    filling f = start_filling(slots, out, is);
    size_t words = is.words;
    const char *keys = source->records, *counts = keys + source->n * words * 8;
    uint64_t key[MGL_BRANCH_MOST_WORDS], mask[MGL_BRANCH_MOST_WORDS];
    memcpy(mask, masks, words * sizeof *mask);
    for (size_t i = 0; i < source->n; i++) {
        if (fetch) {
            size_t later = i + AHEAD < source->n ? i + AHEAD : i, soon = i + (later - i) / 2;
            for (size_t w = 0; w < words; w++)
                key[w] = key_word(keys + later * words * 8, w) & mask[w];
            __builtin_prefetch(first_slot(&f, key, is), 1);
            for (size_t w = 0; w < words; w++)
                key[w] = key_word(keys + soon * words * 8, w) & mask[w];
            __builtin_prefetch(f.records + (size_t)*first_slot(&f, key, is) * 8, 1);
        }
        size_t lane = key_word(keys + i * words * 8, 0) % LANES;
        for (size_t w = 0; w < words; w++)
            key[w] = key_word(keys + i * words * 8, w) & mask[w];
        LANE count;
        memcpy(&count, counts + i * sizeof count, sizeof count);
        add_to_lane(find_record(&f, key, is), lane, count);
        clear_next(&f, is);
    }
    out->n = f.next / f.step - 1;
}

/* Slots of a group, or of a small table, lie in a near cache. Tables with sets are in no order. */
static void roll_up(const mgl_by_size *search, mgl_by_size_slots *slots,
                    const mgl_by_size_table *source, const uint64_t *masks, mgl_by_size_table *out)
{
    shape is = {search->frame.words, planes_of(search), false};
    bool near = slots->mask < 4 * IN_CACHE;
    bool grouped = out->ordered > 0;
    if (source->packed && grouped && near)
        roll_packed(slots, source, masks, (shape){1, 0, true}, false, out);
    else if (source->packed && is.words == 1)
        roll_packed(slots, source, masks, (shape){1, 0, true}, true, out);
    else if (source->packed)
        roll_packed(slots, source, masks, is, true, out);
    else if (is.words == 1 && is.sets == 0 && source->n < IN_CACHE && !grouped)
        roll_records(slots, source, masks, (shape){1, 0, false}, false, out);
    else if (is.words == 1 && is.sets == 0 && near)
        roll_records(slots, source, masks, (shape){1, 0, true}, false, out);
    else if (is.words == 1 && is.sets == 0)
        roll_records(slots, source, masks, (shape){1, 0, true}, true, out);
    else if (is.words == 1 && is.sets == 1)
        roll_records(slots, source, masks, (shape){1, 1, false}, true, out);
    else if (is.words == 1 && is.sets == 2)
        roll_records(slots, source, masks, (shape){1, 2, false}, true, out);
    else
        roll_records(slots, source, masks, is, true, out);
}

/* Notes which sensitive values a tuple has, in its lane of the planes of a record. */
static void add_values(const mgl_by_size *search, size_t t, char *planes, size_t lane)
{
    for (size_t i = 0; i < search->frame.demand.n_varieties; i++) {
        const mgl_variety *variety = &search->frame.demand.varieties[i];
        const mgl_sparse *sparse = &search->frame.problem->list->sensitive[variety->attribute];
        char *first = planes + lane * sizeof(LANE) + (1 + search->first_plane[i]) * PLANE;
        for (size_t j = sparse->start[t]; j < sparse->start[t + 1]; j++) {
            size_t bit = variety->bit_of_code[sparse->values[j]], wide = 8 * sizeof(LANE);
            LANE set;
            if (bit == MGL_NOT_FOUND)
                continue;
            memcpy(&set, first + bit / wide * PLANE, sizeof set);
            set |= (LANE)((LANE)1 << bit % wide);
            memcpy(first + bit / wide * PLANE, &set, sizeof set);
        }
    }
}

MGL_SPECIALIZE void add_tuples(const mgl_by_size *search, const mgl_by_size_slots *slots,
                               const uint64_t *keys, shape is, mgl_by_size_table *out)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    filling f = start_filling(slots, out, is);
    uint64_t key[MGL_BRANCH_MOST_WORDS];
    for (size_t t = 0; t < list->n_tuples; t++) {
        memcpy(key, keys + t * is.words, is.words * sizeof *key);
        size_t lane = key[0] % LANES;
        key[0] -= lane;
        char *to = find_record(&f, key, is);
        add_to_lane(to, lane, list->counts[t]);
        if (is.sets > 0)
            add_values(search, t, to, lane);
        clear_next(&f, is);
    }
    out->n = f.next / f.step - 1;
}

static void gather(const mgl_by_size *search, mgl_by_size_slots *slots, const uint64_t *keys,
                   mgl_by_size_table *out)
{
    if (search->frame.words == 1 && planes_of(search) == 0)
        add_tuples(search, slots, keys, (shape){1, 0, false}, out);
    else
        add_tuples(search, slots, keys, (shape){search->frame.words, planes_of(search), false},
                   out);
}

/* ---- Listed records -------------------------------------------------------------------- */

MGL_SPECIALIZE void add_records(const mgl_by_size_source *source, const uint32_t *list,
                                const uint32_t *numbers, size_t n, shape is, char *records)
{
    size_t key = is.words * sizeof(uint64_t), stride = key + (1 + is.sets) * PLANE;
    for (size_t i = 0; i < n; i++) {
        size_t later = i + AHEAD < n ? i + AHEAD : i;
        __builtin_prefetch(source->keys + list[later] * stride + key);
        add_planes(records + numbers[i] * stride + key, source->keys + list[i] * stride + key, is);
    }
}

/* The lane that a key of the source belongs to. */
MGL_SPECIALIZE size_t lane_of(const mgl_by_size_source *source, size_t i)
{
    return key_word(source->keys + i * source->stride, 0) % LANES;
}

static void add_packed(const mgl_by_size *search, const mgl_by_size_source *source,
                       const uint32_t *list, const uint32_t *numbers, size_t n, char *records)
{
    const char *counts = source->keys + source->n * source->stride;
    char *planes = records + search->frame.words * sizeof(uint64_t);
    for (size_t i = 0; i < n; i++) {
        LANE count;
        memcpy(&count, counts + list[i] * sizeof count, sizeof count);
        add_to_lane(planes + numbers[i] * search->stride, lane_of(source, list[i]), count);
    }
}

static void add_listed_tuples(const mgl_by_size *search, const mgl_by_size_source *source,
                              const uint32_t *list, const uint32_t *numbers, size_t n,
                              char *records)
{
    const uint64_t *counts = search->frame.problem->list->counts;
    char *planes = records + search->frame.words * sizeof(uint64_t);
    for (size_t i = 0; i < n; i++) {
        size_t lane = lane_of(source, list[i]);
        add_to_lane(planes + numbers[i] * search->stride, lane, counts[list[i]]);
        if (planes_of(search) > 0)
            add_values(search, list[i], planes + numbers[i] * search->stride, lane);
    }
}

static void add_listed(const mgl_by_size *search, const mgl_by_size_source *source,
                       const uint32_t *list, const uint32_t *numbers, size_t n, char *records)
{
    if (source->table == NULL)
        add_listed_tuples(search, source, list, numbers, n, records);
    else if (source->table->packed)
        add_packed(search, source, list, numbers, n, records);
    else if (search->frame.words == 1 && planes_of(search) == 0)
        add_records(source, list, numbers, n, (shape){1, 0, false}, records);
    else
        add_records(source, list, numbers, n,
                    (shape){search->frame.words, planes_of(search), false}, records);
}

/* ---- Packing -------------------------------------------------------------------------- */

static const char *lanes_of(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    return table->records + (i + 1) * search->stride + search->frame.words * sizeof(uint64_t);
}

/* Which of eight bytes are not 0: a bit for each, where the first byte is the lowest. */
static uint64_t used_bytes(uint64_t eight)
{
    const uint64_t low = UINT64_C(0x7F7F7F7F7F7F7F7F);
    uint64_t highest = (((eight & low) + low) | eight) & ~low;
    return (highest >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/* A bit for each lane of a record whose count is not 0. */
static uint64_t used_lanes(const char *lanes)
{
    uint64_t used = 0, first_halves = UINT64_C(0x0F0F0F0F0F0F0F0F);
    bool first_is_lowest = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    if (sizeof(LANE) > 1 || !first_is_lowest) {
        for (size_t lane = 0; lane < LANES; lane++)
            used |= (uint64_t)(count_of_lane(lanes, lane) != 0) << lane;
        return used;
    }
    for (size_t lane = 0; lane < PER_PLANE; lane += 8) {
        uint64_t eight = key_word(lanes, lane / 8);
        if (HALF_BYTES)
            used |= used_bytes(eight & ~first_halves) << (PER_PLANE + lane);
        used |= used_bytes(HALF_BYTES ? eight & first_halves : eight) << lane;
    }
    return used;
}

static size_t count_lanes(const mgl_by_size *search, const mgl_by_size_table *table,
                          mgl_by_size_range range)
{
    size_t n = 0;
    for (size_t i = range.first; i < range.end; i++)
        n += (size_t)__builtin_popcountll(used_lanes(lanes_of(search, table, i)));
    return n;
}

static void pack(const mgl_by_size *search, const mgl_by_size_table *table, mgl_by_size_range range,
                 size_t at, mgl_by_size_table *out)
{
    size_t size = search->frame.words * sizeof(uint64_t);
    char *to = out->records + at * size;
    char *count = out->records + out->n * size + at * sizeof(LANE);
    for (size_t i = range.first; i < range.end; i++) {
        const char *lanes = lanes_of(search, table, i);
        for (uint64_t used = used_lanes(lanes); used != 0; used &= used - 1) {
            size_t lane = (size_t)__builtin_ctzll(used);
            uint64_t first = key_word(lanes - size, 0) | lane;
            LANE of_lane = count_of_lane(lanes, lane);
            memcpy(to, lanes - size, size);
            memcpy(to, &first, sizeof first);
            memcpy(count, &of_lane, sizeof of_lane);
            to += size;
            count += sizeof of_lane;
        }
    }
}
