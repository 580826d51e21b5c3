/* Included by kernel.h: makes the groups of the block's nodes and judges them. */
#include "search/fulldomain/by_size/kernel_tables.h"

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
