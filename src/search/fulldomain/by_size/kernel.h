/* The inner loops of the search, written once for counts of half a byte, one, two and four bytes. A
 * file that includes this defines COUNT_BITS (4, 8, 16 or 32), KERNEL (the name of the result) and,
 * if the machine has wider vectors than 16 bytes, WIDTH.
 *
 * A record is a key and planes of one element per lane: the counts, and sets of sensitive
 * values, as many as an element has bits. The vectors are those of the compiler (gcc, clang),
 * which makes plain code of them where a machine has none. */
#include "search/fulldomain/by_size/kernel_tables.h"

/* ---- Making the groups of the block's nodes -----------------------------------------------------
 */

enum { FEW_VALUES = 6 }; /* that are quicker taken away one by one than counted */

/* Squares of counts are turned in vectors of 16 bytes, wherever wider ones exist: their halves
 * cannot be interleaved in one step. */
enum { SIDE = 16 / sizeof(LANE) };
typedef LANE narrow __attribute__((vector_size(16)));
typedef LANE loose_narrow __attribute__((vector_size(16), aligned(1), may_alias));

/* Puts the counts of a lane into its row; those that share a byte with them go to the second half
 * of the rows. */
MGL_SPECIALIZE void put_counts(LANE (*row)[CHUNK], size_t at, narrow counts)
{
    *(loose_narrow *)(row[0] + at) = HALF_BYTES ? counts & MOST_COUNT : counts;
    if (HALF_BYTES)
        *(loose_narrow *)(row[PER_PLANE] + at) = counts >> 4;
}

/* Turns records into rows, one per lane, so that what follows works on many classes at
 * once. Interleaving the halves log2(SIDE) times transposes a square. */
static inline void transpose(const char *lanes, size_t stride, LANE (*rows)[CHUNK])
{
    for (size_t c = 0; c < CHUNK; c += SIDE, lanes += SIDE * stride)
        for (int v = 0; v < PER_PLANE / (int)SIDE; v++) {
            narrow square[SIDE], next[SIDE];
            UNROLL for (int i = 0; i < SIDE; i++) square[i] =
                *(const loose_narrow *)(lanes + i * stride + v * 16);
            UNROLL for (int turn = 1; turn < SIDE; turn *= 2)
            {
                UNROLL for (int i = 0; i < SIDE / 2; i++)
                {
                    next[2 * i] = ZIP_LOW(square[i], square[i + SIDE / 2]);
                    next[2 * i + 1] = ZIP_HIGH(square[i], square[i + SIDE / 2]);
                }
                UNROLL for (int i = 0; i < SIDE; i++) square[i] = next[i];
            }
            UNROLL for (int i = 0; i < SIDE; i++) put_counts(rows + v * SIDE + i, c, square[i]);
        }
}

/* CHUNK classes, the lanes and groups of which are rows. */
typedef struct chunk {
    LANE rows[1 + SETS][GROUPS][CHUNK]; /* of each plane */
    LANE judged[LANES][CHUNK];
} chunk;

/* The rows of a plane of CHUNK records from `first` on, none beyond the table's end. */
static void make_rows(const mgl_by_size *search, const mgl_by_size_table *table, size_t first,
                      size_t plane, LANE (*rows)[CHUNK])
{
    size_t stride = search->stride, left = table->n - first;
    const char *lanes = table->records + (first + 1) * stride +
                        search->frame.words * sizeof(uint64_t) + plane * PLANE;
    if (left >= CHUNK) {
        transpose(lanes, stride, rows);
        return;
    }
    char padded[CHUNK][PLANE];
    memset(padded[left], 0, (CHUNK - left) * sizeof padded[0]);
    for (size_t i = 0; i < left; i++)
        memcpy(padded[i], lanes + i * stride, sizeof padded[i]);
    transpose(padded[0], sizeof padded[0], rows);
}

MGL_SPECIALIZE vector join(vector a, vector b, bool sets)
{
    return sets ? a | b : add(a, b);
}

/* Sums up the groups of a block node from those of a finer one, or unites their sets. */
MGL_SPECIALIZE void make_groups(const mgl_branch_block *block, size_t b, bool sets,
                                LANE (*rows)[CHUNK])
{
    const mgl_branch_block_node *node = &block->nodes[b];
    const uint16_t *member = node->members;
    char *to = (char *)rows[node->first_row];
    for (size_t g = 0; g < node->n_groups; g++, to += sizeof rows[0]) {
        size_t n = *member++;
        const char *from = (const char *)rows[*member++];
        vector sum[IN_ROW];
        UNROLL for (int v = 0; v < IN_ROW; v++) sum[v] = load(from + v * WIDTH);
        while (--n > 0) {
            from = (const char *)rows[*member++];
            UNROLL for (int v = 0; v < IN_ROW; v++) sum[v] =
                join(sum[v], load(from + v * WIDTH), sets);
        }
        UNROLL for (int v = 0; v < IN_ROW; v++) store(to + v * WIDTH, sum[v]);
    }
}

static void load_chunk(const mgl_by_size *search, const mgl_by_size_table *table, size_t first,
                       chunk *c)
{
    for (size_t p = 0; p <= planes_of(search); p++) {
        /* cppcheck-suppress uninitvar ; the rows are made here */
        make_rows(search, table, first, p, c->rows[p]);
    }
}

/* Makes the groups of a node of the block; the node they are made from comes before. */
MGL_SPECIALIZE void make_node(const mgl_by_size *search, size_t b, chunk *c)
{
    if (b == 0) /* the lanes themselves */
        return;
    make_groups(&search->frame.block, b, false, c->rows[0]);
    for (size_t p = 1; p <= planes_of(search); p++)
        make_groups(&search->frame.block, b, true, c->rows[p]);
}

/* Makes several nodes, each after the one it is made from: once for a chunk, where that will do. */
static void make_nodes(const mgl_by_size *search, uint64_t nodes, chunk *c)
{
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1)
        make_node(search, (size_t)__builtin_ctzll(rest), c);
}

/* How many bits are set in each element. */
MGL_SPECIALIZE vector count_bits(vector v)
{
    v -= v >> 1 & (LANE)0x55555555;
    v = (v & (LANE)0x33333333) + (v >> 2 & (LANE)0x33333333);
    v = (v + (v >> 4)) & (LANE)0x0F0F0F0F;
    if (sizeof(LANE) > 1)
        v += v >> 8 * (sizeof(LANE) > 1);
    if (sizeof(LANE) > 2)
        v += v >> 16 * (sizeof(LANE) > 2);
    return v & (LANE)0x3F;
}

/* Which of the sets have so many bits: if they are few, all but one of them are taken away. */
MGL_SPECIALIZE vector have_bits(vector set, size_t need)
{
    if (need == 0 || need > FEW_VALUES)
        return (vector)(count_bits(set) >= (LANE)need);
    for (size_t i = 1; i < need; i++)
        set &= set - 1;
    return (vector)(set != 0);
}

/* Which groups have all the different values they need. `sets` is a vector in the row of the
 * groups in the first plane. */
static inline vector have_variety(const mgl_by_size *search, const char *sets)
{
    const size_t plane = sizeof((chunk *)0)->rows[0];
    vector all = ~(vector){0};
    for (size_t i = 0; i < search->frame.demand.n_varieties; i++) {
        vector found = {0};
        for (size_t p = search->first_plane[i]; p < search->first_plane[i + 1]; p++)
            found += count_bits(load(sets + p * plane));
        all &= (vector)(found >= (LANE)search->frame.demand.varieties[i].need);
    }
    return all;
}

/* The sizes of the groups of a node: those that hold have their highest bit set, the threshold; the
 * others are below it. */
static const LANE (*judge_sets(const mgl_by_size *search, size_t b, chunk *c))[CHUNK]
{
    size_t at = search->frame.block.nodes[b].first_row, n = search->frame.block.nodes[b].n_groups;
    vector k = (vector){0} + (LANE)search->frame.k, flag = (vector){0} + (LANE)search->threshold;
    const char *from = (const char *)(c->rows[0] + at), *end = from + n * sizeof c->rows[0][0];
    const char *sets = from + sizeof c->rows[0];
    size_t need = search->frame.demand.varieties[0].need;
    bool one = search->n_planes == 1 && search->frame.demand.n_varieties == 1;
    for (char *to = (char *)c->judged; from < end; from += WIDTH, sets += WIDTH, to += WIDTH) {
        vector size = load(from), holds = (vector)(size >= k);
        holds &= one ? have_bits(load(sets), need) : have_variety(search, sets);
        vector below = (vector)(size < flag);
        store(to, (holds & (size | flag)) | (~holds & ((size & below) | ((flag - 1) & ~below))));
    }
    return (const LANE(*)[CHUNK])c->judged;
}

/* The same where there may be no sets, and sizes are what they are. */
MGL_SPECIALIZE const LANE (*judge_groups(const mgl_by_size *search, size_t b, chunk *c))[CHUNK]
{
    if (planes_of(search) == 0)
        return (const LANE(*)[CHUNK])(c->rows[0] + search->frame.block.nodes[b].first_row);
    return judge_sets(search, b, c);
}

/* ---- Judging them -------------------------------------------------------------------------- */

enum { LOOKS = 4 }; /* one at the limit in so many chunks */

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
    uint64_t sum = 0;
    UNROLL for (size_t i = 0; i < WIDTH / sizeof w[0]; i++) sum += w[i];
    return sum;
}

/* Adds up rows in classes below k (the threshold: those that do not hold), and, if wanted, these
 * classes and the empty ones. Small counts are summed in lanes of their own width, so many groups
 * at a time that these cannot overflow. */
static inline void count_small(const LANE (*groups)[CHUNK], size_t n_groups, LANE k,
                               bool want_classes, wide *rows, wide *classes)
{
    vector limit = (vector){0} + k;
    size_t at_once = k > 1 ? (LANE)-1 / (size_t)(k - 1) : n_groups;
    if (want_classes && at_once > (LANE)-1 / IN_ROW)
        at_once = (LANE)-1 / IN_ROW;
    const char *from = (const char *)groups, *end = from + n_groups * sizeof groups[0];
    while (from < end) {
        const char *stop = n_groups > at_once ? from + at_once * sizeof groups[0] : end;
        stop = stop < end ? stop : end;
        vector sums[IN_ROW] = {0}, others = {0};
        for (; from < stop; from += sizeof groups[0])
            UNROLL for (int v = 0; v < IN_ROW; v++)
            {
                vector size = load(from + v * WIDTH), below = (vector)(size < limit);
                sums[v] += size & below;
                if (want_classes)
                    others -= below;
            }
        UNROLL for (int v = 0; v < IN_ROW; v++) *rows += widen(sums[v]);
        if (want_classes)
            *classes += widen(others);
    }
}

/* The sum of the squares of counts from k on, without what `bits` leaves out. */
static inline uint64_t sum_squares(const LANE *size, const LANE *end, LANE k, LANE bits)
{
    typedef uint64_t widest __attribute__((vector_size(WIDTH)));
    vector limit = (vector){0} + k;
    widest sum = {0};
    if (sizeof(LANE) == 4) {
        uint64_t squares = 0;
        for (; size < end; size++)
            squares += *size >= k ? (uint64_t)(*size & bits) * (*size & bits) : 0;
        return squares;
    }
    for (; size < end; size += PER_VECTOR) { /* two bytes: squares fit into four */
        vector x = load((const char *)size);
        wide w = (wide)(x & bits & (vector)(x >= limit)), low = w & 0xFFFF, high = w >> 16;
        widest a = (widest)(low * low), b = (widest)(high * high);
        sum += (a & 0xFFFFFFFF) + (a >> 32) + (b & 0xFFFFFFFF) + (b >> 32);
    }
    uint64_t squares = 0;
    UNROLL for (size_t i = 0; i < WIDTH / sizeof sum[0]; i++) squares += sum[i];
    return squares;
}

/* The sum of size log2 size; exact enough for a bound. */
static inline double sum_logs(const mgl_by_size *search, const LANE *size, const LANE *end, LANE k,
                              LANE bits)
{
    typedef uint64_t half __attribute__((vector_size(16)));
    double logs = 0;
    narrow limit = (narrow){0} + k;
    for (; size < end; size += SIDE) {
        narrow x = *(const loose_narrow *)size;
        half kept = (half)(x & bits & (narrow)(x >= limit));
        if ((kept[0] | kept[1]) == 0) /* most lanes are empty */
            continue;
        for (size_t i = 0; i < SIDE; i++) {
            uint32_t rows = ((narrow)kept)[i];
            logs += rows < MGL_SIZES_WITH_LOGS ? search->log_of_size[rows]
                                               : (double)rows * log2((double)rows);
        }
    }
    return logs;
}

/* What a count has beside the flag that sets leave in it. */
static inline LANE size_bits(const mgl_by_size *search)
{
    return planes_of(search) > 0 ? (LANE)(search->threshold - 1) : (LANE)-1;
}

/* Counts of a byte and less are never exact: choose_kernel. */
static inline bool exact_sizes(const mgl_by_size *search)
{
    return sizeof(LANE) > 1 && search->exact_sizes;
}

static void count_sizes(const mgl_by_size *search, const LANE (*groups)[CHUNK], size_t n_groups,
                        double *sum, uint64_t *least)
{
    const LANE *size = groups[0], *end = size + n_groups * CHUNK;
    uint64_t smallest = UINT64_MAX;
    LANE k = (LANE)search->threshold, bits = size_bits(search);
    if (search->frame.measure == MGL_COST_LOGS) {
        *sum += sum_logs(search, size, end, k, bits);
    } else if (search->frame.measure == MGL_COST_SQUARES) {
        *sum += (double)sum_squares(size, end, k, bits);
    }
    if (search->frame.holds == NULL)
        return;
    for (size = groups[0]; size < end; size++)
        smallest = *size >= k && *size < smallest ? *size : smallest;
    *least = smallest < *least ? smallest : *least;
}

/* The nodes that these are made from, and they themselves. */
static uint64_t nodes_behind(const mgl_branch_block *block, uint64_t wanted)
{
    uint64_t made = 0;
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1)
        made |= block->nodes[__builtin_ctzll(rest)].needs;
    return made;
}

/* Those of the nodes that have not passed the limit yet. */
static uint64_t within_limit(const mgl_by_size *search, uint64_t wanted, const wide *small)
{
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        if (add_up(small[b]) > search->frame.limit)
            wanted &= ~(UINT64_C(1) << b);
    }
    return wanted;
}

/* If it only matters which nodes hold, those that pass the limit are not counted to the end. */
static void count(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                  mgl_branch_counts *out)
{
    const mgl_branch_block *block = &search->frame.block;
    chunk c;
    LANE k = (LANE)search->threshold;
    wide small[MGL_BLOCK_NODES], not_large[MGL_BLOCK_NODES];
    bool want_classes = search->frame.measure == MGL_COST_CLASSES;
    uint64_t made = nodes_behind(block, wanted);
    for (size_t b = 0; b < block->n_nodes; b++) {
        small[b] = not_large[b] = (wide){0};
        out->sum[b] = 0;
        out->least[b] = UINT64_MAX;
    }
    for (size_t first = 0; first < table->n && wanted != 0; first += CHUNK) {
        load_chunk(search, table, first, &c);
        for (uint64_t rest = made; rest != 0; rest &= rest - 1) {
            size_t b = (size_t)__builtin_ctzll(rest);
            make_node(search, b, &c);
            if (!(wanted >> b & 1))
                continue;
            const LANE(*groups)[CHUNK] = judge_groups(search, b, &c);
            size_t n_groups = block->nodes[b].n_groups;
            if (want_classes)
                count_small(groups, n_groups, k, true, &small[b], &not_large[b]);
            else
                count_small(groups, n_groups, k, false, &small[b], &not_large[b]);
            if (exact_sizes(search))
                count_sizes(search, groups, n_groups, &out->sum[b], &out->least[b]);
        }
        if (search->frame.holds != NULL && first % (LOOKS * CHUNK) == 0) {
            wanted = within_limit(search, wanted, small);
            made = nodes_behind(block, wanted);
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
        vector sum[IN_ROW] = {0};
        for (; g < stop; g++) {
            const char *from = (const char *)groups[g];
            UNROLL for (int v = 0; v < IN_ROW; v++)
            {
                vector small = load(from + v * WIDTH);
                small &= (vector)(small < limit);
                sum[v] += small;
                of_group[g] += widen(small);
            }
        }
        LANE sums[CHUNK];
        UNROLL for (int v = 0; v < IN_ROW; v++) store((char *)sums + v * WIDTH, sum[v]);
        for (int c = 0; c < CHUNK; c++)
            of_record[c] += sums[c];
    }
}

/* Rows below k of one node, by record and by group. */
static void find_small(const mgl_by_size *search, const mgl_by_size_table *table, size_t b,
                       uint32_t *of_record, uint64_t *of_group)
{
    const mgl_branch_block_node *node = &search->frame.block.nodes[b];
    chunk c;
    wide groups[LANES];
    memset(groups, 0, sizeof groups);
    for (size_t first = 0; first < table->n; first += CHUNK) {
        uint32_t small[CHUNK];
        load_chunk(search, table, first, &c);
        make_nodes(search, node->needs, &c);
        sum_small(judge_groups(search, b, &c), node->n_groups, (LANE)search->threshold, groups,
                  small);
        size_t left = table->n - first;
        memcpy(of_record + first, small, (left < CHUNK ? left : CHUNK) * sizeof *small);
    }
    for (size_t g = 0; g < node->n_groups; g++)
        of_group[g] = add_up(groups[g]);
}

static void list_sizes(const mgl_by_size *search, const mgl_by_size_table *table, size_t first,
                       size_t b, uint32_t *sizes)
{
    const mgl_branch_block_node *node = &search->frame.block.nodes[b];
    chunk c;
    load_chunk(search, table, first, &c);
    make_nodes(search, node->needs, &c);
    const LANE *size = judge_groups(search, b, &c)[0], *end = size + node->n_groups * CHUNK;
    LANE k = (LANE)search->threshold, bits = size_bits(search);
    while (size < end) {
        *sizes++ = *size >= k ? *size & bits : 0;
        size++;
    }
}

typedef double pair __attribute__((vector_size(16)));

/* The surplus of nodes: for each row below k that of its record and that of its group. */
static void weigh(const mgl_by_size *search, const mgl_by_size_table *table, uint64_t wanted,
                  const double *of_record, double *sums)
{
    const mgl_branch_block *block = &search->frame.block;
    chunk c;
    wide groups[GROUPS];
    pair totals[MGL_BLOCK_NODES];
    uint64_t made = nodes_behind(block, wanted);
    memset(totals, 0, sizeof totals);
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        const mgl_branch_block_node *node = &block->nodes[__builtin_ctzll(rest)];
        memset(groups + node->first_row, 0, node->n_groups * sizeof *groups);
    }
    for (size_t first = 0; first < table->n; first += CHUNK, of_record += CHUNK) {
        load_chunk(search, table, first, &c);
        for (uint64_t rest = made; rest != 0; rest &= rest - 1) {
            size_t b = (size_t)__builtin_ctzll(rest), at = block->nodes[b].first_row;
            make_node(search, b, &c);
            if (!(wanted >> b & 1))
                continue;
            uint32_t small[CHUNK];
            sum_small(judge_groups(search, b, &c), block->nodes[b].n_groups,
                      (LANE)search->threshold, groups + at, small);
            for (int i = 0; i < CHUNK; i += 2)
                totals[b] +=
                    (pair){small[i], small[i + 1]} * (pair){of_record[i], of_record[i + 1]};
        }
    }
    for (uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        sums[b] = totals[b][0] + totals[b][1];
        for (size_t g = block->nodes[b].first_row, n = block->nodes[b].n_groups; n > 0; g++, n--)
            sums[b] += block->surplus[g] * (double)add_up(groups[g]);
    }
}

_Static_assert((int)CHUNK <= (int)MGL_MOST_AT_ONCE, "sizes of a chunk have room");

const mgl_by_size_kernel KERNEL = {
    .lanes = LANES,
    .groups = GROUPS,
    .plane = PLANE,
    .lane_size = sizeof(LANE),
    .add_listed = add_listed,
    .gather = gather,
    .roll_up = roll_up,
    .count_lanes = count_lanes,
    .pack = pack,
    .count = count,
    .find_small = find_small,
    .list_sizes = list_sizes,
    .at_once = CHUNK,
    .weigh = weigh,
};
