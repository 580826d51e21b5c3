/* k-member clustering (Byun, Kamra, Bertino and Li 2007): classes of hardly more rows than the
 * models need, each as close together as a greedy search makes it. A row of the table of methods;
 * the cell level calls it, too, for large lattices. */
#include "search/cluster/k_member/k_member.h"
#include "search/cluster/k_member/members.h"
#include "search/cluster/partition/partition.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

/* Tuples that may be in one cluster, and the clusters made of them. */
typedef struct range {
    size_t from, to;
} range;

typedef struct clustering {
    const mgl_problem *problem;
    mgl_member_space *space;
    mgl_member_clusters *clusters;
    uint32_t *block_of_tuple; /* [n] */
    uint32_t *tuples;         /* [n] block by block, ascending */
    range *tuples_of;         /* [n_blocks] */
    range *clusters_of;       /* [n_blocks] */
    size_t n_blocks;
} clustering;

static mgl_status prepare(clustering *w, mgl_error *err)
{
    const mgl_problem *p = w->problem;
    size_t n = p->list->n_tuples;
    if (p->list->n_rows > UINT64_MAX / MGL_MEMBER_UNIT / p->list->n_attributes)
        return mgl_blame_key(
            err, mgl_fail(err, MGL_CODE_LIMIT, "the table has too many rows for k-member"),
            "method");
    MGL_TRY(mgl_member_space_new(p, err, &w->space));
    w->block_of_tuple = mgl_alloc_array(n, sizeof *w->block_of_tuple);
    w->tuples = mgl_alloc_array(n, sizeof *w->tuples);
    if (w->block_of_tuple == NULL || w->tuples == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_partition_widest(p, err, w->block_of_tuple, &w->n_blocks));
    w->tuples_of = mgl_zeroed_array(w->n_blocks + 1, sizeof *w->tuples_of);
    w->clusters_of = mgl_zeroed_array(w->n_blocks, sizeof *w->clusters_of);
    if (w->tuples_of == NULL || w->clusters_of == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        w->tuples_of[w->block_of_tuple[t] + 1].from++;
    for (size_t i = 0; i < w->n_blocks; i++) {
        w->tuples_of[i + 1].from += w->tuples_of[i].from;
        w->tuples_of[i].to = w->tuples_of[i].from;
    }
    for (size_t t = 0; t < n; t++)
        w->tuples[w->tuples_of[w->block_of_tuple[t]].to++] = (uint32_t)t;
    return MGL_OK;
}

static void forget(clustering *w)
{
    mgl_member_clusters_free(w->clusters);
    mgl_member_space_free(w->space);
    mgl_free(w->block_of_tuple);
    mgl_free(w->tuples);
    mgl_free(w->tuples_of);
    mgl_free(w->clusters_of);
}

/* ---- Clusters ------------------------------------------------------------------------ */

static mgl_status mend(clustering *w, mgl_error *err)
{
    for (size_t i = 0; i < w->n_blocks; i++)
        MGL_TRY(mgl_member_mend(w->clusters, w->clusters_of[i].from, w->clusters_of[i].to, err));
    return MGL_OK;
}

/* May all rows be suppressed that are in clusters that do not hold? Rows that are kept must hold
 * as a class themselves. */
static bool may_suppress(const clustering *w)
{
    const mgl_problem *p = w->problem;
    uint64_t rows = 0;
    for (size_t i = 0; i < w->clusters->n; i++)
        rows += w->clusters->each[i].holds ? 0 : w->clusters->each[i].rows;
    return p->treatment != MGL_KEEP && rows <= p->limit && rows < p->list->n_rows;
}

static mgl_status make_clusters(clustering *w, uint64_t need, mgl_error *err)
{
    mgl_member_clusters_free(w->clusters);
    w->clusters = NULL;
    MGL_TRY(mgl_member_clusters_new(w->space, need, err, &w->clusters));
    for (size_t i = 0; i < w->n_blocks; i++) {
        range *made = &w->clusters_of[i];
        const range *tuples = &w->tuples_of[i];
        made->from = w->clusters->n;
        MGL_TRY(
            mgl_member_grow(w->clusters, w->tuples + tuples->from, tuples->to - tuples->from, err));
        made->to = w->clusters->n;
        MGL_TRY(mgl_member_join(w->clusters, made->from, made->to, err));
    }
    return may_suppress(w) ? MGL_OK : mend(w, err);
}

/* ---- The release --------------------------------------------------------------------- */

static mgl_status recode(clustering *w, mgl_error *err, mgl_recoding **out)
{
    const mgl_member_clusters *c = w->clusters;
    for (size_t i = 0; i < c->n; i++)
        for (uint32_t t = c->each[i].head; t != MGL_NOT_FOUND; t = c->next[t])
            w->block_of_tuple[t] = (uint32_t)i;
    return mgl_partition_recode(w->problem, w->block_of_tuple, c->n, err, out);
}

/* Clusters that read alike are one class, which need not hold because they do. Joins them; *any
 * tells that one does not hold now. */
static mgl_status join_alike(clustering *w, const mgl_recoding *recoding, mgl_error *err, bool *any)
{
    size_t m = recoding->n_attributes;
    mgl_member_clusters *c = w->clusters;
    mgl_classes classes = {0};
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_status status = n_values == NULL ? mgl_fail_memory(err)
                                         : mgl_classes_init(&classes, recoding->n_tuples, m, err);
    *any = false;
    if (status == MGL_OK) {
        for (size_t a = 0; a < m; a++)
            n_values[a] = recoding->columns[a]->n_values;
        mgl_classes_group(&classes, recoding->cells, n_values, NULL, m, w->problem->list->counts);
        for (size_t t = 0; t < recoding->n_tuples; t++) {
            uint32_t from = w->block_of_tuple[t];
            uint32_t to = w->block_of_tuple[classes.first[classes.of_tuple[t]]];
            if (from == to || c->each[from].n_tuples == 0)
                continue;
            mgl_member_merge(c, from, to);
            c->each[to].holds = mgl_member_holds(c, c->scratch, mgl_member_list(c, to, c->scratch),
                                                 c->each[to].rows);
            *any = *any || !c->each[to].holds;
        }
    }
    mgl_classes_free(&classes);
    mgl_free(n_values);
    return status;
}

/* A release of the clusters. */
static mgl_status settle(clustering *w, mgl_error *err, mgl_recoding **out)
{
    for (;;) {
        bool any = false;
        MGL_TRY(recode(w, err, out));
        mgl_status status = w->clusters->mergeable ? MGL_OK : join_alike(w, *out, err, &any);
        if (status == MGL_OK && !any)
            return MGL_OK;
        mgl_recoding_free(*out);
        *out = NULL;
        MGL_TRY(status);
        MGL_TRY(mend(w, err));
    }
}

/* Models of the whole table are not looked at while clusters grow; larger ones may help. */
static mgl_status search(clustering *w, mgl_error *err, mgl_solution *out)
{
    mgl_problem limited = *w->problem;
    mgl_status status;
    limited.limited = true;
    uint64_t need = 1;
    do {
        mgl_recoding *recoding = NULL;
        MGL_TRY(make_clusters(w, need, err));
        MGL_TRY(settle(w, err, &recoding));
        mgl_recoding_free(out->recoding);
        out->recoding = NULL;
        status = mgl_solution_take_partition(out, &limited, recoding, err);
        need = w->clusters->need + w->clusters->need / 2 + 1;
    } while (status == MGL_UNMET && mgl_judges_table(w->problem) &&
             w->clusters->need < w->problem->list->n_rows && !w->clusters->timed_out);
    if (status == MGL_UNMET && w->problem->treatment == MGL_EXEMPT)
        status = mgl_solution_take_widest(out, &limited, err);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_k_member, problem, err, out);
    clustering w = {.problem = problem};
    mgl_status status = MGL_OK;
    MGL_GO(prepare(&w, err));
    MGL_GO(search(&w, err, out));
    out->timed_out = w.clusters->timed_out;
done:
    if (status == MGL_UNMET)
        status = mgl_fail_no_release(problem, mgl_k_member.name, err);
    forget(&w);
    return status;
}

const mgl_method_type mgl_k_member = {
    .name = "k-member",
    .help = "clusters of hardly more rows than the models need, each grown by the tuple that loses "
            "least (Byun and others 2007)",
    .when = "classes shall be small and even, or numbers without a hierarchy become ranges",
    .cost = "a look into a tree of tuples for each distinct tuple, on one thread",
    .several_sets = true,
    .own_values = true,
    .run = run,
};
