/* Places greedily: nodes in order of cost, and whatever holds among the tuples that are not placed
 * yet is released there. place.c calls it in several orders. */
#include "search/cell/place/greedy.h"

enum { GUIDES = 256 }; /* to further nodes */

/* ---- The rest -------------------------------------------------------------------------- */

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

/* Sorts by the upper halves, digit by digit; equal ones stay as they are. */
static void sort_by_bound(uint64_t *order, uint64_t *spare, size_t n)
{
    uint64_t *from = order, *to = spare;
    for (unsigned shift = 32; shift < 64; shift += DIGIT_BITS) {
        size_t start[DIGITS + 1] = {0};
        for (size_t i = 0; i < n; i++)
            start[(from[i] >> shift & (DIGITS - 1)) + 1]++;
        for (size_t d = 0; d < DIGITS; d++)
            start[d + 1] += start[d];
        for (size_t i = 0; i < n; i++)
            to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *sorted = to;
        to = from;
        from = sorted;
    }
}

/* Tuples that are in no class, those that may cost least first: a node places the first of
 * them. */
static mgl_status list_rest(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    uint64_t *order = mgl_alloc_array(s->n, 2 * sizeof *order);
    if (order == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < s->n; t++)
        if (g->out->class_of[t] == MGL_NOT_FOUND)
            order[g->n_rest++] = (uint64_t)g->how->bounds[t] << 32 | t;
    sort_by_bound(order, order + s->n, g->n_rest);
    for (size_t i = 0; i < g->n_rest; i++) {
        uint32_t t = (uint32_t)order[i];
        g->rest[i] = t;
        g->rows[i] = s->rows[t];
        g->bound[i] = g->how->bounds[t];
        memcpy(g->keys + i * s->words, s->keys + t * s->words, s->words * sizeof *g->keys);
    }
    mgl_free(order);
    return MGL_OK;
}

/* How many of the rest may be in a class where a row costs at most this. */
static size_t count_within(const mgl_greedy *g, uint32_t most)
{
    size_t low = 0, high = g->n_rest;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (g->bound[middle] <= most)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void move_rest(mgl_greedy *g, size_t to, size_t from, size_t n)
{
    size_t words = g->space->words;
    memmove(g->rest + to, g->rest + from, n * sizeof *g->rest);
    memmove(g->rows + to, g->rows + from, n * sizeof *g->rows);
    memmove(g->bound + to, g->bound + from, n * sizeof *g->bound);
    memmove(g->keys + to * words, g->keys + from * words, n * words * sizeof *g->keys);
}

/* After a look at the first n: of these, only those with an entry can have been placed. */
static void forget_placed(mgl_greedy *g, size_t n)
{
    size_t kept = 0, from = 0; /* those from here on that stay are moved together */
    for (size_t i = 0; i < n; i++) {
        if (g->entry_of[i] == 0 || g->out->class_of[g->rest[i]] == MGL_NOT_FOUND)
            continue;
        if (kept != from)
            move_rest(g, kept, from, i - from);
        kept += i - from;
        from = i + 1;
    }
    if (kept != from)
        move_rest(g, kept, from, g->n_rest - from);
    g->n_rest -= from - kept;
}

/* ---- One node ------------------------------------------------------------------------- */

/* Sums up the rows of the first n by slots; may a class have so many? */
MGL_SPECIALIZE bool filter_words(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least,
                                 size_t words)
{
    mgl_row_filter_clear(&g->filter, n, least);
    mgl_row_filter filter = g->filter; /* which the compiler can keep in registers */
    const uint64_t *keys = g->keys;
    const uint32_t *rows = g->rows;
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        size_t slot = mgl_row_filter_slot(&filter, keys + i * words, mask, words);
        uint32_t sum = filter.rows[slot] += rows[i];
        any |= sum >= least;
    }
    return any;
}

MGL_SPECIALIZE void group_words(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least,
                                size_t words)
{
    mgl_key_table_clear(&g->table, n);
    for (size_t i = 0; i < n; i++) {
        const uint64_t *key = g->keys + i * words;
        g->entry_of[i] = 0;
        if (g->filter.rows[mgl_row_filter_slot(&g->filter, key, mask, words)] < least)
            continue;
        uint32_t e = mgl_key_table_add(&g->table, key, mask, words, g->rest[i]);
        g->table.rows[e] += g->rows[i];
        g->entry_of[i] = e;
    }
}

/* Puts the first n into classes by their masked keys; false if none can have so many rows. */
static bool group(mgl_greedy *g, const uint64_t *mask, size_t n, uint32_t least)
{
    if (g->space->words == 1) {
        if (!filter_words(g, mask, n, least, 1))
            return false;
        group_words(g, mask, n, least, 1);
    } else {
        if (!filter_words(g, mask, n, least, g->space->words))
            return false;
        group_words(g, mask, n, least, g->space->words);
    }
    return true;
}

/* Gathers the members of the classes with so many rows; their numbers are the marks of their
 * entries. Returns how many there are. */
static size_t gather(mgl_greedy *g, size_t n, uint32_t least)
{
    size_t n_classes = 0;
    for (uint32_t e = 1; e <= g->table.n; e++)
        g->table.mark[e] = g->table.rows[e] >= least ? (uint32_t)++n_classes : 0;
    if (n_classes == 0)
        return 0;
    memset(g->start, 0, (n_classes + 2) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->table.mark[g->entry_of[i]] + 1]++;
    g->start[1] = 0; /* those in no such class */
    for (size_t c = 1; c <= n_classes; c++)
        g->start[c + 1] += g->start[c];
    for (size_t i = 0; i < n; i++) {
        uint32_t mark = g->table.mark[g->entry_of[i]];
        if (mark > 0)
            g->members[g->start[mark]++] = g->rest[i];
    }
    for (size_t c = n_classes; c > 1; c--) /* filling moved the starts to the ends */
        g->start[c] = g->start[c - 1];
    g->start[1] = 0;
    return n_classes;
}

static bool place(mgl_greedy *g, const uint32_t *members, size_t n)
{
    if (g->space->judged && !mgl_box_holds(g->judge, members, n))
        return false;
    uint32_t class = mgl_box_release_add(g->out, members, n);
    if (!g->out->out_of_memory)
        mgl_cell_lend(g, class);
    return true;
}

static void visit_node(mgl_greedy *g, const mgl_box_nodes *nodes, size_t node)
{
    const mgl_box_space *s = g->space;
    const uint64_t *mask = nodes->masks + node * s->words;
    uint32_t least = mgl_cell_least_rows(g);
    size_t n = count_within(g, nodes->most[node]);
    bool is_top = nodes->most[node] >= s->top_cost &&
                  !mgl_box_may_be_class(s, nodes->levels + node * s->m, 0);
    if (is_top || n == 0 || !group(g, mask, n, least))
        return;
    if (gather(g, n, least) == 0)
        return;
    bool placed = false;
    for (uint32_t e = 1; e <= g->table.n; e++) {
        size_t c = g->table.mark[e];
        if (c > 0 && g->table.rows[e] >= s->need)
            placed = place(g, g->members + g->start[c], g->start[c + 1] - g->start[c]) || placed;
    }
    if (least < s->need)
        placed = mgl_cell_borrow(g, nodes->levels + node * s->m, mask) || placed;
    if (placed)
        forget_placed(g, n);
}

bool mgl_cell_greedy_late(const mgl_greedy *g)
{
    mgl_progress_remind();
    return mgl_problem_is_late(g->space->problem);
}

static mgl_status visit_nodes(mgl_greedy *g, const mgl_box_nodes *nodes, mgl_error *err)
{
    double most = nodes->n > 0 ? g->how->coarse * nodes->rank[nodes->n - 1] : 0; /* the top's */
    for (size_t i = 0, end; i < nodes->n && nodes->rank[i] <= most; i = end) {
        for (end = i; end < nodes->n && nodes->rank[end] == nodes->rank[i];)
            end++;
        for (size_t j = i; j < end && g->n_rest > 0 && !mgl_cell_greedy_late(g); j++)
            visit_node(g, nodes, g->how->backwards ? end - 1 - (j - i) : j);
    }
    return g->out->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- All nodes -------------------------------------------------------------------------- */

/* In a large lattice nodes are those of near neighbours. What is left shows others, as long as
 * that helps; then ever coarser ones up to the top. */
static mgl_status go_on(mgl_greedy *g, mgl_error *err)
{
    for (size_t before = SIZE_MAX, n = g->n_rest; n > 0; n = before > g->n_rest ? g->n_rest : 0) {
        mgl_box_nodes *nodes;
        before = g->n_rest;
        MGL_TRY(mgl_box_nodes_new(g->space, g->rest, n, GUIDES, err, &nodes));
        mgl_status status = visit_nodes(g, nodes, err);
        mgl_box_nodes_free(nodes);
        MGL_TRY(status);
    }
    mgl_box_nodes *nodes;
    MGL_TRY(mgl_box_nodes_new(g->space, NULL, 0, 0, err, &nodes));
    mgl_status status = visit_nodes(g, nodes, err);
    mgl_box_nodes_free(nodes);
    return status;
}

static mgl_status begin(mgl_greedy *g, mgl_error *err)
{
    const mgl_box_space *s = g->space;
    g->rest = mgl_alloc_array(s->n, sizeof *g->rest);
    g->rows = mgl_alloc_array(s->n, sizeof *g->rows);
    g->bound = mgl_alloc_array(s->n, sizeof *g->bound);
    g->keys = mgl_alloc_array(s->n, s->words * sizeof *g->keys);
    g->entry_of = mgl_alloc_array(s->n, sizeof *g->entry_of);
    g->members = mgl_alloc_array(s->n, sizeof *g->members);
    g->start = mgl_alloc_array(s->n + 2, sizeof *g->start);
    if (g->rest == NULL || g->rows == NULL || g->bound == NULL || g->keys == NULL ||
        g->entry_of == NULL || g->members == NULL || g->start == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(list_rest(g, err));
    MGL_TRY(mgl_key_table_init(&g->table, s->n, s->words, err));
    MGL_TRY(mgl_row_filter_init(&g->filter, s->n, err));
    MGL_TRY(mgl_box_judge_new(s, err, &g->judge));
    return mgl_cell_borrow_begin(g, err);
}

static void end(mgl_greedy *g)
{
    mgl_cell_borrow_end(g);
    mgl_key_table_free(&g->table);
    mgl_row_filter_free(&g->filter);
    mgl_box_judge_free(g->judge);
    mgl_free(g->rest);
    mgl_free(g->rows);
    mgl_free(g->bound);
    mgl_free(g->keys);
    mgl_free(g->entry_of);
    mgl_free(g->members);
    mgl_free(g->start);
}

mgl_status mgl_cell_greedy(const mgl_box_space *space, const mgl_box_nodes *nodes,
                           const mgl_greedy_options *how, mgl_error *err, mgl_box_release *out,
                           bool *met)
{
    mgl_greedy g = {.space = space, .how = how, .out = out};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&g, err));
    MGL_GO(visit_nodes(&g, nodes, err));
    if (!nodes->all && !mgl_cell_greedy_late(&g))
        MGL_GO(go_on(&g, err));
    MGL_GO(mgl_cell_join_rest(&g, err, met));
    if (mgl_progress_stopped(space->problem->progress))
        MGL_GO(mgl_fail_cancelled(err));
    if (out->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    end(&g);
    return status;
}
