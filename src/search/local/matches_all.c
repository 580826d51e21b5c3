/* Local suppression where a suppressed cell matches every value. At the end cells that are not
 * needed are restored. */
#include "search/local/patterns.h"
#include "search/sets/sets.h"

/* ---- Cells that are not needed --------------------------------------------------------------- */

/* Restores cells that need not be suppressed, where tuples are too many or sets too wide to know
 * all pairs: each cell is tried by looking at all tuples. */

#define MOST_WORK 200000000 /* pairs of tuples looked at, on each set */

typedef struct prune {
    mgl_local *l;
    uint32_t *counts; /* [t * n_sets + set] rows that match, of tuples that are in question */
    uint64_t work;
} prune;

static bool is_in_question(const mgl_local *l, size_t t)
{
    return !l->gone[t] && (l->concerned[t] || l->patterns[t] != l->given[t]);
}

static void count_all(prune *p)
{
    const mgl_local *l = p->l;
    for (size_t t = 0; t < l->space->n; t++)
        for (size_t u = 0; is_in_question(l, t) && u < l->space->n; u++) {
            uint32_t apart = mgl_local_differ(l, t, u) & ~(l->patterns[t] | l->patterns[u]);
            for (size_t i = 0; i < l->n_sets && !l->gone[u]; i++)
                if ((apart & l->sets[i]) == 0)
                    p->counts[t * l->n_sets + i] += l->weights[u];
        }
}

/* Takes the cell's matches away, or gives them back; false if too few are left for someone. */
static bool change(prune *p, size_t t, uint32_t column, bool give_back)
{
    mgl_local *l = p->l;
    uint32_t with = l->patterns[t] | column;
    bool enough = true;
    for (size_t u = 0; u < l->space->n; u++) {
        uint32_t apart = mgl_local_differ(l, t, u) & ~l->patterns[u];
        if (u == t || l->gone[u] || (apart & column) == 0)
            continue;
        for (size_t i = 0; i < l->n_sets; i++) {
            if ((l->sets[i] & column) == 0 || (apart & ~with & l->sets[i]) != 0)
                continue;
            uint32_t *own = &p->counts[t * l->n_sets + i], *other = &p->counts[u * l->n_sets + i];
            *own = give_back ? *own + l->weights[u] : *own - l->weights[u];
            enough = enough && *own >= l->need;
            if (!is_in_question(l, u))
                continue;
            *other = give_back ? *other + l->weights[t] : *other - l->weights[t];
            enough = enough && *other >= l->need;
        }
    }
    p->work += l->space->n * l->n_sets;
    return enough;
}

static mgl_status try_tuple(prune *p, size_t t, mgl_error *err)
{
    mgl_local *l = p->l;
    uint32_t left = l->patterns[t] & ~l->given[t];
    while (left != 0 && p->work < MOST_WORK && !l->timed_out) {
        uint32_t column = left & -left;
        for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
            if (mgl_local_cost(l, rest & -rest) > mgl_local_cost(l, column))
                column = rest & -rest;
        left &= ~column;
        if ((l->patterns[t] & ~column & ~(l->free | l->given[t])) != 0)
            continue; /* whole rows only */
        MGL_TRY(mgl_local_pause(l, p->work, MOST_WORK, err));
        l->patterns[t] &= ~column;
        if (!change(p, t, column, false)) {
            change(p, t, column, true);
            l->patterns[t] |= column;
        }
    }
    return MGL_OK;
}

/* Releases cells that need not be suppressed, as far as that does not take long. */
static mgl_status local_prune(mgl_local *l, mgl_error *err)
{
    size_t n = l->space->n, in_question = 0;
    prune p = {.l = l};
    for (size_t t = 0; t < n; t++)
        in_question += is_in_question(l, t);
    p.work = in_question * n * l->n_sets;
    if (p.work >= MOST_WORK / 2)
        return MGL_OK;
    p.counts = mgl_zeroed_array(n * l->n_sets, sizeof *p.counts);
    if (p.counts == NULL)
        return mgl_fail_memory(err);
    count_all(&p);
    mgl_status status = MGL_OK;
    for (size_t t = 0; status == MGL_OK && t < n; t++)
        if (!l->gone[t])
            status = try_tuple(&p, t, err);
    mgl_free(p.counts);
    return status;
}

/* ---- Set-up ---------------------------------------------------------------------------------- */

void mgl_local_mask(const mgl_local *l, uint32_t columns, uint64_t *mask)
{
    const mgl_box_space *s = l->space;
    memset(mask, 0, s->words * sizeof *mask);
    for (size_t a = 0; a < s->m; a++)
        if (columns >> a & 1)
            mask[s->attributes[a].word] |= s->attributes[a].mask[0];
}

mgl_status mgl_local_pause(mgl_local *l, uint64_t done, uint64_t total, mgl_error *err)
{
    const mgl_problem *p = l->space->problem;
    l->timed_out = l->timed_out || mgl_problem_is_late(p);
    return mgl_progress_report(p->progress, "search", done, total, err);
}

uint64_t mgl_local_work(const mgl_problem *problem, size_t n_tuples)
{
    static const struct {
        uint64_t few;        /* for each of few tuples */
        uint64_t any, tuple; /* for any number of them, and for each more */
        uint64_t most;
    } efforts[] = {
        [MGL_EFFORT_FAST] = {0, 0, 0, 0},
        [MGL_EFFORT_BALANCED] = {80000, 18000000, 20000, 100000000},
        [MGL_EFFORT_BEST] = {2000000, 500000000, 500000, 5000000000},
    };
    uint64_t few = efforts[problem->effort].few * n_tuples;
    uint64_t work = efforts[problem->effort].any + efforts[problem->effort].tuple * n_tuples;
    work = few < work ? few : work;
    return work < efforts[problem->effort].most ? work : efforts[problem->effort].most;
}

/* ---- The problem in these terms -------------------------------------------------------------- */

/* Rows of each tuple. A person whose rows lie in several tuples counts in the first: rows that
 * match are then of at least as many persons as are counted. */
static mgl_status weigh(mgl_local *l, mgl_error *err)
{
    const mgl_frequency_list *list = l->space->problem->list;
    const mgl_persons *persons = list->persons;
    for (size_t t = 0; t < list->n_tuples; t++)
        l->weights[t] = persons != NULL ? (uint32_t)persons->local[t] : l->space->rows[t];
    if (persons == NULL)
        return MGL_OK;
    uint8_t *seen = mgl_zeroed_array(persons->spread.n_ids, 1);
    if (seen == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t i = persons->spread.start[t]; i < persons->spread.start[t + 1]; i++) {
            uint32_t person = persons->spread.ids[i];
            l->weights[t] += !seen[person];
            seen[person] = 1;
        }
    mgl_free(seen);
    return MGL_OK;
}

void mgl_local_columns(mgl_local *l, const mgl_box_space *s)
{
    l->space = s;
    l->need = s->need;
    for (size_t a = 0; a < s->m; a++) {
        l->whole |= UINT32_C(1) << a;
        l->free |= (uint32_t)(s->attributes[a].high > 0) << a;
    }
    for (size_t byte = 0; byte < 4; byte++)
        for (uint32_t bits = 1; bits < 256; bits++) {
            size_t a = byte * 8 + (size_t)__builtin_ctz(bits);
            double importance = a < s->m ? s->importance[a] * s->scale : 0;
            l->costs[byte][bits] =
                l->costs[byte][bits & (bits - 1)] + (importance < 1 ? 1 : (uint32_t)importance);
        }
}

static mgl_status begin(mgl_local *l, const mgl_problem *problem, mgl_error *err)
{
    mgl_box_space *s;
    MGL_TRY(mgl_box_space_flat(problem, mgl_local_importance(problem), err, &s));
    mgl_local_columns(l, s);
    l->weights = mgl_alloc_array(s->n, sizeof *l->weights);
    l->given = mgl_zeroed_array(s->n, sizeof *l->given);
    l->patterns = mgl_alloc_array(s->n, sizeof *l->patterns);
    l->concerned = mgl_zeroed_array(s->n, 1);
    l->gone = mgl_zeroed_array(s->n, 1);
    if (l->weights == NULL || l->given == NULL || l->patterns == NULL || l->concerned == NULL ||
        l->gone == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        for (size_t t = 0; t < s->n; t++)
            l->given[t] |=
                (uint32_t)(x->released[0][s->leaves[t * s->m + a]] == problem->columns[a]->top)
                << a;
    }
    return weigh(l, err);
}

static void end(mgl_local *l)
{
    mgl_box_space_free((mgl_box_space *)l->space);
    mgl_free(l->weights);
    mgl_free(l->given);
    mgl_free(l->patterns);
    mgl_free(l->concerned);
    mgl_free(l->gone);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Rows that are suppressed as a whole match every row if they are kept, and none if they are
 * not. */
static bool is_new(const mgl_local *l, size_t t)
{
    return l->space->problem->treatment != MGL_KEEP && l->patterns[t] == l->whole && !l->gone[t];
}

/* True if there are new ones. */
static bool leave_out(mgl_local *l)
{
    bool more = false;
    for (size_t t = 0; t < l->space->n; t++)
        if (is_new(l, t))
            l->gone[t] = more = true;
    return more;
}

/* Others still count rows that improving would leave out: then it is not done. */
static mgl_status improve(mgl_local *l, mgl_error *err, bool *done)
{
    size_t n = l->space->n;
    uint32_t *before = mgl_alloc_array(n, sizeof *before);
    if (before == NULL)
        return mgl_fail_memory(err);
    memcpy(before, l->patterns, n * sizeof *before);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_local_improve(l, err, done));
    for (size_t t = 0; *done && t < n; t++)
        *done = !is_new(l, t);
    if (!*done)
        memcpy(l->patterns, before, n * sizeof *before);
done:
    mgl_free(before);
    return status;
}

static mgl_status search(mgl_local *l, mgl_error *err)
{
    memcpy(l->patterns, l->given, l->space->n * sizeof *l->patterns);
    do {
        for (size_t t = 0; t < l->space->n; t++)
            l->patterns[t] = l->gone[t] ? l->whole : l->given[t];
        leave_out(l);
        MGL_TRY(mgl_local_place(l, err));
    } while (leave_out(l));
    bool improved;
    MGL_TRY(improve(l, err, &improved));
    return improved ? MGL_OK : local_prune(l, err);
}

static mgl_status take(const mgl_local *l, const mgl_problem *problem, mgl_error *err,
                       mgl_solution *out)
{
    const mgl_box_space *s = l->space;
    uint64_t left = 0;
    MGL_TRY(mgl_recoding_new(problem->columns, s->m, s->n, err, &out->recoding));
    for (size_t t = 0; t < s->n; t++) {
        if (l->patterns[t] == l->whole) {
            mgl_recoding_suppress(out->recoding, t);
            out->suppressed_rows += s->rows[t];
            continue;
        }
        left += s->rows[t];
        for (size_t a = 0; a < s->m; a++) {
            bool suppressed = l->patterns[t] >> a & 1;
            out->recoding->cells[a][t] =
                s->attributes[a].released[suppressed][s->leaves[t * s->m + a]];
        }
    }
    bool may_go = true;
    if (left == 0)
        MGL_TRY(mgl_local_all_may_go(problem, err, &may_go));
    if (!may_go || (problem->limited && out->suppressed_rows > problem->limit))
        return mgl_local_unmet(problem, err);
    out->timed_out = l->timed_out;
    out->nodes_checked = l->n_tried;
    return MGL_OK;
}

mgl_status mgl_local_matching(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                              mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    mgl_local l = {.sets = sets, .n_sets = n_sets};
    uint64_t rows = 0;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&l, mgl_unite_sets(problem, &united), err));
    for (size_t t = 0; t < l.space->n; t++)
        rows += l.weights[t];
    if (rows < l.need)
        MGL_GO(mgl_local_unmet(problem, err));
    MGL_GO(search(&l, err));
    MGL_GO(take(&l, problem, err, out));
done:
    end(&l);
    return status;
}
