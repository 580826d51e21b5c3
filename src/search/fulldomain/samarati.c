/* Samarati's search (Find_vector): the least height at which a node holds, by binary search where
 * holding is monotone; all holding nodes of that height, the preferred one chosen. A row of the
 * table of methods. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/optimum.h"
#include "search/fulldomain/samarati.h"

typedef struct search {
    const mgl_problem *problem;
    mgl_solution *out;
    const uint8_t *holds; /* of the whole lattice, if it was small enough; else NULL */
    mgl_roller *roller;   /* otherwise */
    uint32_t *node;
} search;

/* The first node of a height in lexicographic order, as far as attributes first.. go;
 * false if they cannot make up the height. */
static bool fill_height(const mgl_problem *p, uint32_t *node, size_t first, uint64_t height)
{
    size_t m = p->list->n_attributes;
    uint64_t least = 0;
    for (size_t a = first; a < m; a++)
        least += p->min_level[a];
    if (height < least)
        return false;
    uint64_t left = height - least;
    for (size_t a = m; a-- > first;) {
        uint64_t room = p->max_level[a] - p->min_level[a];
        uint64_t more = left < room ? left : room;
        node[a] = p->min_level[a] + (uint32_t)more;
        left -= more;
    }
    return left == 0;
}

/* The next node of the same height; false after the last. */
static bool next_of_height(const mgl_problem *p, uint32_t *node)
{
    uint64_t tail = 0;
    for (size_t a = p->list->n_attributes; a-- > 0;) {
        if (node[a] < p->max_level[a] && tail > 0) {
            uint32_t before = node[a]++;
            if (fill_height(p, node, a + 1, tail - 1))
                return true;
            node[a] = before;
        }
        tail += node[a];
    }
    return false;
}

static uint64_t node_number(const mgl_problem *p, const uint32_t *node)
{
    uint64_t number = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        number = number * ((uint64_t)p->max_level[a] - p->min_level[a] + 1) +
                 (node[a] - p->min_level[a]);
    return number;
}

static mgl_status node_holds(search *s, mgl_error *err, bool *out)
{
    s->out->nodes_checked++;
    if (s->holds != NULL) {
        *out = s->holds[node_number(s->problem, s->node)];
        return MGL_OK;
    }
    MGL_TRY(mgl_progress_report(s->problem->progress, "search", s->out->nodes_checked, 0, err));
    if (mgl_problem_is_late(s->problem))
        return mgl_fail_unmet(s->problem, true, err);
    mgl_evaluation e;
    MGL_TRY(mgl_roller_evaluate(s->roller, s->node, err, &e));
    *out = e.holds;
    return MGL_OK;
}

/* Does a node of this height hold? */
static mgl_status try_height(search *s, uint64_t height, mgl_error *err, bool *out)
{
    mgl_samarati_findings *tried = s->out->findings;
    MGL_TRY(mgl_check_memory(
        mgl_grow(&tried->heights, &tried->capacity, tried->n_heights + 1, sizeof(uint64_t)), err));
    tried->heights[tried->n_heights++] = height;
    *out = false;
    if (!fill_height(s->problem, s->node, 0, height))
        return MGL_OK;
    do
        MGL_TRY(node_holds(s, err, out));
    while (!*out && next_of_height(s->problem, s->node));
    return MGL_OK;
}

static mgl_status find_height(search *s, mgl_error *err, uint64_t *out)
{
    const mgl_problem *p = s->problem;
    uint64_t low = mgl_node_height(p->min_level, p->list->n_attributes);
    uint64_t high = mgl_node_height(p->max_level, p->list->n_attributes);
    bool holds = false, monotone = mgl_holding_is_monotone(p);
    if (!monotone) {
        for (; low <= high; low++) {
            MGL_TRY(try_height(s, low, err, &holds));
            if (holds)
                break;
        }
    } else {
        while (low < high) {
            uint64_t middle = (low + high) / 2;
            MGL_TRY(try_height(s, middle, err, &holds));
            if (holds)
                high = middle;
            else
                low = middle + 1;
        }
        /* The search takes for granted that the highest node holds. */
        uint64_t top = mgl_node_height(p->max_level, p->list->n_attributes);
        if (low == top)
            MGL_TRY(try_height(s, low, err, &holds));
        else
            holds = true;
    }
    if (!holds)
        return mgl_fail_unmet(p, false, err);
    *out = low;
    return MGL_OK;
}

/* All holding nodes of the height are candidates; the --prefer criteria come first, then
 * the measure. */
static mgl_status choose(search *s, uint64_t height, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes, chosen = 0;
    mgl_problem preferring = *p;
    mgl_preference *prefer;
    MGL_TRY(mgl_new_array(p->n_prefer + 1, sizeof *prefer, err, &prefer));
    for (size_t i = 0; i < p->n_prefer; i++)
        prefer[i] = p->prefer[i];
    prefer[p->n_prefer] = (mgl_preference){MGL_PREFER_MEASURE, p->measure};
    preferring.prefer = prefer;
    preferring.n_prefer = p->n_prefer + 1;

    mgl_ties candidates;
    mgl_ties_init(&candidates, m);
    mgl_status status = MGL_OK;
    bool more = fill_height(p, s->node, 0, height);
    while (more) {
        bool holds = false;
        MGL_GO(node_holds(s, err, &holds));
        if (holds)
            MGL_GO(mgl_ties_add(&candidates, s->node, 0, err));
        more = next_of_height(p, s->node);
    }
    MGL_GO(mgl_ties_choose(&candidates, &preferring, err, &chosen));
    MGL_GO(mgl_solution_take_node(s->out, p, candidates.nodes + chosen * m, err));
done:
    s->out->n_ties = candidates.n;
    mgl_ties_free(&candidates);
    mgl_free(prefer);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    search s = {.problem = problem, .out = out};
    uint8_t *holds = NULL;
    if (out->nodes_total > MGL_TOO_MANY_NODES && problem->deadline == 0)
        return mgl_refuse_lattice(err);
    s.node = mgl_alloc_array(problem->list->n_attributes, sizeof *s.node);
    out->findings = mgl_zeroed_array(1, sizeof(mgl_samarati_findings));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(s.node != NULL && out->findings != NULL, err));
    if (out->nodes_total <= MGL_MOST_NODES) {
        MGL_GO(mgl_lattice_holding(problem, err, &holds));
        s.holds = holds;
    } else {
        MGL_GO(mgl_roller_new(problem, err, &s.roller));
    }
    uint64_t height = 0;
    MGL_GO(find_height(&s, err, &height));
    MGL_GO(choose(&s, height, err));
    if (holds != NULL)
        MGL_GO(mgl_solution_take_minimal(out, problem, holds, err));
done:
    mgl_roller_free(s.roller);
    mgl_free(holds);
    mgl_free(s.node);
    return status;
}

static void free_findings(void *findings)
{
    mgl_free(((mgl_samarati_findings *)findings)->heights);
    mgl_free(findings);
}

const mgl_method_type mgl_samarati = {
    .name = "samarati",
    .help = "Samarati's search: the fewest generalization steps that hold",
    .when = "to compare with Samarati 2001, or when few steps matter more than a measure",
    .cost = "fast on lattices of up to 100,000 nodes; beyond, a binary search over heights",
    .full_domain = true,
    .several_sets = true,
    .run = run,
    .free_findings = free_findings,
};
