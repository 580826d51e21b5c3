/* Takes over the classes of other methods, each in the smallest box around it. Where the lattice is
 * too large to look at all nodes, clusters of near tuples show classes that the nodes looked at do
 * not have: k-member makes them. And a row that joins a class can break a model that is not upward
 * closed, so that the greedy's classes may grow up to the top where a node has better ones. */
#include "search/box/box.h"
#include "search/cell/place/place.h"
#include "search/cluster/cluster.h"
#include "search/fulldomain/fulldomain.h"
#include "search/node/node.h"

typedef struct clusters {
    mgl_classes classes;
    uint32_t *n_values; /* [attribute] */
    uint32_t *members;  /* [t] cluster by cluster */
    size_t *start;      /* [cluster] in members, and where they end */
    mgl_box_judge *judge;
    mgl_owned own;
} clusters;

static mgl_status begin(clusters *c, const mgl_box_space *s, mgl_error *err)
{
    c->n_values = mgl_own_array(&c->own, s->m, sizeof *c->n_values);
    c->members = mgl_own_array(&c->own, s->n, sizeof *c->members);
    c->start = mgl_own_zeroed(&c->own, s->n + 2, sizeof *c->start);
    MGL_TRY(mgl_owned_check(&c->own, err));
    MGL_TRY(mgl_box_judge_new(s, err, &c->judge));
    return mgl_classes_init(&c->classes, s->n, s->m, err);
}

/* The tuples that are released alike, cluster by cluster. */
static void gather(clusters *c, const mgl_box_space *s, const mgl_recoding *recoding)
{
    for (size_t a = 0; a < s->m; a++)
        c->n_values[a] = recoding->columns[a]->n_values;
    mgl_classes_group(&c->classes, recoding->cells, c->n_values, NULL, s->m,
                      s->problem->list->counts);
    for (size_t t = 0; t < s->n; t++)
        c->start[c->classes.of_tuple[t] + 2]++;
    for (size_t i = 1; i <= c->classes.n_classes; i++)
        c->start[i + 1] += c->start[i];
    for (size_t t = 0; t < s->n; t++)
        c->members[c->start[c->classes.of_tuple[t] + 1]++] = (uint32_t)t;
}

/* False if a cluster is no class. Rows that are left out, or exempt, need not be one. */
static bool take_all(clusters *c, const mgl_box_space *s, const mgl_recoding *recoding,
                     mgl_box_release *out)
{
    for (size_t i = 0; i < c->classes.n_classes; i++) {
        const uint32_t *members = c->members + c->start[i];
        size_t n = c->start[i + 1] - c->start[i];
        if (recoding->suppressed[members[0]] && s->problem->treatment != MGL_KEEP) {
            for (size_t j = 0; j < n; j++)
                mgl_box_release_join(out, 0, members[j]);
            continue;
        }
        if (s->judged && !mgl_box_holds(c->judge, members, n))
            return false;
        uint32_t class = mgl_box_release_add(out, members, n);
        if (out->classes[class].rows < s->need ||
            !mgl_box_may_be_class(s, out->classes[class].levels, members[0]))
            return false;
    }
    return true;
}

static mgl_status take_clusters(const mgl_box_space *s, const mgl_recoding *recoding,
                                mgl_error *err, mgl_box_release *out, bool *met)
{
    clusters c = {0};
    mgl_status status = begin(&c, s, err);
    if (status == MGL_OK) {
        gather(&c, s, recoding);
        *met = take_all(&c, s, recoding, out);
        if (out->out_of_memory)
            status = mgl_fail_memory(err);
    }
    mgl_classes_free(&c.classes);
    mgl_box_judge_free(c.judge);
    mgl_owned_free(&c.own);
    return status;
}

static mgl_status take_from(const mgl_method_type *method, const mgl_problem *problem,
                            const mgl_box_space *s, mgl_error *err, mgl_box_release *out, bool *met)
{
    mgl_solution *solution;
    mgl_status status = mgl_method_run(method, problem, err, &solution);
    if (status == MGL_UNMET)
        return MGL_OK;
    MGL_TRY(status);
    status = take_clusters(s, solution->recoding, err, out, met);
    mgl_solution_free(solution);
    return status;
}

mgl_status mgl_cell_cluster(const mgl_box_space *s, mgl_error *err, mgl_box_release *out, bool *met)
{
    mgl_problem problem = *s->problem;
    problem.treatment = MGL_KEEP;
    *met = false;
    if (problem.population != NULL || problem.histories != NULL)
        return MGL_OK;
    return take_from(&mgl_k_member, &problem, s, err, out, met);
}

mgl_status mgl_cell_from_node(const mgl_box_space *s, uint64_t nodes, mgl_error *err,
                              mgl_box_release *out, bool *met)
{
    mgl_problem problem = *s->problem;
    *met = false;
    if (!(mgl_models_of(problem.sets) & MGL_SOME_BREAK) || nodes > MGL_TOO_MANY_NODES ||
        problem.population != NULL || problem.histories != NULL)
        return MGL_OK;
    problem.brief = true;
    problem.wants_proof = false;
    MGL_TRY(take_from(&mgl_mingen, &problem, s, err, out, met));
    return *met ? mgl_box_release_settle(out, err, met) : MGL_OK;
}
