/* The plain greedy: nodes in order of cost; whatever holds among the tuples that are not placed
 * yet is released there. */
#include "search/cell_table.h"

enum { GUIDES = 256 }; /* to further nodes */

typedef struct greedy {
    const mgl_cell_space *space;
    mgl_cell_release *out;
    mgl_cell_table table;
    mgl_cell_judge *judge;
    const uint32_t *bounds;
    uint32_t *rest; /* [n_rest] tuples not placed yet */
    size_t n_rest;
    double coarse;      /* as a part of the top: nodes where a row costs more are not visited */
    bool backwards;     /* among nodes of equal cost */
    uint32_t *entry_of; /* [n] by place in rest */
    uint32_t *members;  /* [n] of the classes of a node, one class after another */
    size_t *start;      /* [n + 2] */
} greedy;

static mgl_status begin(greedy *g, const mgl_cell_space *s, mgl_cell_release *out, mgl_error *err)
{
    *g = (greedy){.space = s, .out = out};
    g->rest = mgl_alloc_array(s->n, sizeof *g->rest);
    g->entry_of = mgl_alloc_array(s->n, sizeof *g->entry_of);
    g->members = mgl_alloc_array(s->n, sizeof *g->members);
    g->start = mgl_alloc_array(s->n + 2, sizeof *g->start);
    if (g->rest == NULL || g->entry_of == NULL || g->members == NULL || g->start == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < s->n; t++)
        if (out->class_of[t] == MGL_NOT_FOUND)
            g->rest[g->n_rest++] = (uint32_t)t;
    MGL_TRY(mgl_cell_table_init(&g->table, s->n, s->words, err));
    return mgl_cell_judge_new(s, err, &g->judge);
}

static void end(greedy *g)
{
    mgl_cell_table_free(&g->table);
    mgl_cell_judge_free(g->judge);
    mgl_free(g->rest);
    mgl_free(g->entry_of);
    mgl_free(g->members);
    mgl_free(g->start);
}

/* ---- One node ------------------------------------------------------------------------- */

/* A tuple that must cost more than a row does here is in no class that is large enough. */
MGL_SPECIALIZE void group_words(greedy *g, const uint64_t *mask, uint32_t most, size_t words)
{
    const mgl_cell_space *s = g->space;
    mgl_cell_table_clear(&g->table, g->n_rest);
    for (size_t i = 0; i < g->n_rest; i++) {
        uint32_t t = g->rest[i];
        g->entry_of[i] = 0;
        if (g->bounds[t] > most)
            continue;
        uint32_t e = mgl_cell_table_add(&g->table, s->keys + t * words, mask, words, t);
        g->table.rows[e] += s->rows[t];
        g->entry_of[i] = e;
    }
}

static void group(greedy *g, const uint64_t *mask, uint32_t most)
{
    if (g->space->words == 1)
        group_words(g, mask, most, 1);
    else
        group_words(g, mask, most, g->space->words);
}

/* Gathers the members of the classes that are large enough; their numbers are the marks of
 * their entries. */
static size_t gather(greedy *g)
{
    size_t n = 0;
    for (uint32_t e = 1; e <= g->table.n; e++)
        g->table.mark[e] = g->table.rows[e] >= g->space->need ? (uint32_t)++n : 0;
    if (n == 0)
        return 0;
    memset(g->start, 0, (n + 2) * sizeof *g->start);
    for (size_t i = 0; i < g->n_rest; i++)
        g->start[g->table.mark[g->entry_of[i]] + 1]++;
    g->start[1] = 0; /* those in no such class */
    for (size_t c = 1; c <= n; c++)
        g->start[c + 1] += g->start[c];
    for (size_t i = 0; i < g->n_rest; i++) {
        uint32_t mark = g->table.mark[g->entry_of[i]];
        if (mark > 0)
            g->members[g->start[mark]++] = g->rest[i];
    }
    for (size_t c = n; c > 1; c--) /* filling moved the starts to the ends */
        g->start[c] = g->start[c - 1];
    g->start[1] = 0;
    return n;
}

static void visit_node(greedy *g, const uint64_t *mask, uint32_t most)
{
    group(g, mask, most);
    size_t n = gather(g), placed = 0;
    for (size_t c = 1; c <= n; c++) {
        const uint32_t *members = g->members + g->start[c];
        size_t size = (c < n ? g->start[c + 1] : g->start[n + 1]) - g->start[c];
        if (g->space->judged && !mgl_cell_holds(g->judge, members, size))
            continue;
        mgl_cell_release_add(g->out, members, size);
        placed += size;
    }
    if (placed == 0)
        return;
    size_t kept = 0;
    for (size_t i = 0; i < g->n_rest; i++)
        if (g->out->class_of[g->rest[i]] == MGL_NOT_FOUND)
            g->rest[kept++] = g->rest[i];
    g->n_rest = kept;
}

static mgl_status visit_nodes(greedy *g, const mgl_cell_nodes *nodes, mgl_error *err)
{
    const mgl_cell_space *s = g->space;
    double most = nodes->n > 0 ? g->coarse * nodes->rank[nodes->n - 1] : 0; /* the top is last */
    for (size_t i = 0, end; i < nodes->n && nodes->rank[i] <= most; i = end) {
        for (end = i; end < nodes->n && nodes->rank[end] == nodes->rank[i];)
            end++;
        for (size_t j = i; j < end && g->n_rest > 0; j++) {
            size_t node = g->backwards ? end - 1 - (j - i) : j;
            visit_node(g, nodes->masks + node * s->words, nodes->most[node]);
        }
    }
    return g->out->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- What is left ------------------------------------------------------------------------ */

/* Would the class hold with the tuple? */
static bool may_join(greedy *g, uint32_t class, const uint32_t *tuples, size_t n)
{
    const mgl_cell_class *c = &g->out->classes[class];
    if (!g->space->judged)
        return true;
    memcpy(g->members, c->members, c->n * sizeof *c->members);
    memcpy(g->members + c->n, tuples, n * sizeof *tuples);
    return mgl_cell_holds(g->judge, g->members, c->n + n);
}

/* What the class costs more with the tuple. */
static int64_t growth(const greedy *g, uint32_t class, uint32_t t)
{
    const mgl_cell_space *s = g->space;
    const mgl_cell_class *c = &g->out->classes[class];
    uint8_t levels[s->m + 1];
    memcpy(levels, c->levels, s->m);
    mgl_cell_box_join(s, levels, c->members[0], t);
    return (int64_t)(mgl_cell_box_cost(s, levels, t) * (c->rows + s->rows[t])) -
           (int64_t)(c->cost * c->rows);
}

/* The class that grows least, or 0. */
static uint32_t find_host(greedy *g, uint32_t t)
{
    uint32_t best = 0;
    int64_t least = 0;
    for (uint32_t c = 1; c < g->out->n_classes; c++) {
        if (g->out->classes[c].n == 0)
            continue;
        int64_t more = growth(g, c, t);
        if ((best == 0 || more < least) && may_join(g, c, &t, 1)) {
            best = c;
            least = more;
        }
    }
    uint64_t suppressed = g->out->classes[0].rows + g->space->rows[t];
    bool may_suppress =
        g->space->problem->treatment != MGL_KEEP && suppressed <= g->space->problem->limit;
    if (may_suppress && (best == 0 || (int64_t)g->space->rows[t] * g->space->top_cost < least))
        return 0;
    return may_suppress || best > 0 ? best : MGL_NOT_FOUND;
}

/* No class can take them one by one: they take in classes until all together hold. */
static bool take_in_classes(greedy *g)
{
    while (!mgl_cell_holds(g->judge, g->rest, g->n_rest)) {
        uint32_t best = 0;
        int64_t least = 0;
        for (uint32_t c = 1; c < g->out->n_classes; c++) {
            if (g->out->classes[c].n == 0)
                continue;
            int64_t more = growth(g, c, g->rest[0]);
            if (best == 0 || more < least) {
                best = c;
                least = more;
            }
        }
        if (best == 0)
            return false;
        const mgl_cell_class *c = &g->out->classes[best];
        memcpy(g->rest + g->n_rest, c->members, c->n * sizeof *c->members);
        g->n_rest += c->n;
        mgl_cell_release_dissolve(g->out, best);
    }
    mgl_cell_release_add(g->out, g->rest, g->n_rest);
    g->n_rest = 0;
    return true;
}

static bool place_rest(greedy *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->n_rest; i++) {
        uint32_t host = find_host(g, g->rest[i]);
        if (host == MGL_NOT_FOUND)
            g->rest[kept++] = g->rest[i];
        else
            mgl_cell_release_join(g->out, host, g->rest[i]);
    }
    g->n_rest = kept;
    return kept == 0 || take_in_classes(g);
}

/* In a large lattice nodes are those of near neighbours. What is left shows others, as long as
 * that helps; then ever coarser ones up to the top. */
static mgl_status go_on(greedy *g, mgl_error *err)
{
    for (size_t before = SIZE_MAX, n = g->n_rest; n > 0; n = before > g->n_rest ? g->n_rest : 0) {
        mgl_cell_nodes *nodes;
        before = g->n_rest;
        MGL_TRY(mgl_cell_nodes_new(g->space, g->rest, n, GUIDES, err, &nodes));
        mgl_status status = visit_nodes(g, nodes, err);
        mgl_cell_nodes_free(nodes);
        MGL_TRY(status);
    }
    mgl_cell_nodes *nodes;
    MGL_TRY(mgl_cell_nodes_new(g->space, NULL, 0, 0, err, &nodes));
    mgl_status status = visit_nodes(g, nodes, err);
    mgl_cell_nodes_free(nodes);
    return status;
}

mgl_status mgl_cell_greedy(const mgl_cell_space *space, const mgl_cell_nodes *nodes,
                           const uint32_t *bounds, double coarse, bool backwards,
                           mgl_cell_release *out, bool *met, mgl_error *err)
{
    greedy g;
    mgl_status status = begin(&g, space, out, err);
    g.bounds = bounds;
    g.coarse = coarse;
    g.backwards = backwards;
    if (status == MGL_OK)
        status = visit_nodes(&g, nodes, err);
    if (status == MGL_OK && !nodes->all)
        status = go_on(&g, err);
    if (status == MGL_OK)
        *met = place_rest(&g);
    end(&g);
    if (status == MGL_OK && out->out_of_memory)
        status = mgl_fail_memory(err);
    return status;
}

/* ---- The better of two --------------------------------------------------------------------- */

/* Nodes of equal cost in one order and in the other. */
typedef struct attempts {
    const mgl_cell_space *space;
    const mgl_cell_nodes *nodes;
    const uint32_t *bounds;
    struct {
        mgl_cell_release *release;
        bool met;
        mgl_status status;
        mgl_error error;
    } each[2];
} attempts;

static void attempt(void *context, size_t i, unsigned worker)
{
    (void)worker;
    attempts *x = context;
    mgl_error *err = &x->each[i].error;
    x->each[i].status = mgl_cell_release_new(x->space, err, &x->each[i].release);
    if (x->each[i].status == MGL_OK)
        x->each[i].status = mgl_cell_greedy(x->space, x->nodes, x->bounds, 1, i > 0,
                                            x->each[i].release, &x->each[i].met, err);
}

mgl_status mgl_cell_place(const mgl_cell_space *space, const mgl_cell_nodes *nodes,
                          const uint32_t *bounds, mgl_cell_release **out, bool *met, mgl_error *err)
{
    attempts x = {.space = space, .nodes = nodes, .bounds = bounds};
    mgl_cell_release *best = NULL;
    mgl_pool_run(space->problem->pool, 2, attempt, &x);
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < 2; i++) {
        if (status == MGL_OK && x.each[i].status != MGL_OK) {
            status = x.each[i].status;
            if (err != NULL)
                *err = x.each[i].error;
        }
        bool better = x.each[i].met && (best == NULL || mgl_cell_release_cost(x.each[i].release) <
                                                            mgl_cell_release_cost(best));
        mgl_cell_release *worse = better ? best : x.each[i].release;
        best = better ? x.each[i].release : best;
        mgl_cell_release_free(worse);
    }
    if (status != MGL_OK) {
        mgl_cell_release_free(best);
        return status;
    }
    *met = best != NULL;
    *out = best;
    return MGL_OK;
}
