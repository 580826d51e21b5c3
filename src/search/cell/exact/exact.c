/* The exact search: first for releases that cost hardly more than the bound, then for dearer ones,
 * until one is found or none is left that is better than the one known. What it proved is written
 * down, step by step, where a certificate is asked for. */
#include "search/cell/exact/exact.h"
#include "search/cell/exact/inner.h"

/* ---- The log of a proof ---------------------------------------------------------------------- */

/* Writes down what the exact search proved, step by step, for those who want to check it. */

static bool note(mgl_exact *x, int64_t number)
{
    mgl_bound_steps *log = x->log;
    log->failed =
        log->failed || !mgl_grow(&log->numbers, &log->capacity, log->n + 1, sizeof *log->numbers);
    if (!log->failed)
        log->numbers[log->n++] = number;
    return !log->failed;
}

static void note_duals(mgl_exact *x, const int64_t *duals, int64_t left, size_t n_cuts)
{
    note(x, MGL_STEP_DUALS);
    note(x, left);
    note(x, (int64_t)n_cuts);
    for (size_t t = 0; t < x->space->n; t++)
        note(x, duals[t]);
    for (size_t i = 0; i < n_cuts; i++) {
        const mgl_exact_cut *cut = &x->cuts.cuts[i];
        note(x, x->cut_duals[i]);
        note(x, cut->n);
        for (uint32_t j = 0; j < cut->n; j++)
            note(x, cut->tuples[j]);
    }
}

void mgl_exact_log_begin(mgl_exact *x)
{
    if (x->log == NULL)
        return;
    x->log->n = 0;
    note_duals(x, x->base, x->base_left, 0);
}

void mgl_exact_log_duals(mgl_exact *x)
{
    if (x->log != NULL)
        note_duals(x, x->duals, x->left_dual, x->cuts.n);
}

void mgl_exact_log_pair(mgl_exact *x, int step, uint32_t t, uint32_t u)
{
    if (x->log == NULL)
        return;
    note(x, step);
    note(x, t);
    note(x, u);
}

static void log_end(mgl_exact *x, bool proved)
{
    mgl_bound_steps *log = x->log;
    if (log == NULL)
        return;
    if (!proved)
        log->n = 0;
    log->rounded = !x->exact;
    log->times = x->times;
    log->unit = x->divide / x->space->scale;
    int64_t most = (int64_t)x->space->n_rows * mgl_exact_cost(x, x->space->top_cost);
    log->bound = x->exact ? x->upper : x->upper - x->tolerance;
    log->bound = log->bound < most ? log->bound : most; /* where no release was known */
}

/* ---- The problem ----------------------------------------------------------------------------- */

/* By which share of the bound releases may cost more at first. */
#define FIRST_SLACK (1.0 / 400)

#define FEW_WORK UINT64_C(50000000)

/* Between two looks at the clock: about a hundredth of a second. */
#define LOOK_WORK UINT64_C(10000000)

bool mgl_exact_is_late(mgl_exact *x)
{
    const mgl_problem *p = x->space->problem;
    uint64_t work = x->work + x->lp.work;
    if (work >= x->next_look) {
        x->next_look = work + LOOK_WORK;
        x->timed_out = x->timed_out || mgl_problem_is_late(p);
        x->cancelled = x->cancelled || mgl_progress_report(p->progress, "search", work,
                                                           x->most_work, NULL) != MGL_OK;
    }
    return x->timed_out || x->cancelled;
}

bool mgl_exact_is_over(mgl_exact *x)
{
    x->gave_up = x->gave_up || mgl_exact_is_late(x) || x->work + x->lp.work > x->most_work;
    return x->gave_up;
}

/* ---- What can be proved ------------------------------------------------------------------- */

/* Higher levels cost no less, and the top most, so that a smaller box never costs more. */
static bool costs_rise(const mgl_box_space *s)
{
    uint8_t highest[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < s->m; a++)
        highest[a] = (uint8_t)s->attributes[a].high;
    for (uint32_t t = 0; t < s->n; t++) {
        if (mgl_box_cost(s, highest, t) > s->top_cost)
            return false;
        for (size_t a = 0; a < s->m; a++) {
            const mgl_box_attribute *x = &s->attributes[a];
            uint32_t leaf = s->leaves[t * s->m + a];
            for (uint32_t l = x->low; l < x->high; l++)
                if (x->cost[l][leaf] > x->cost[l + 1][leaf])
                    return false;
        }
    }
    return true;
}

static bool is_provable(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    bool provable = p->n_sets == 1 && p->list->persons == NULL && s->n <= MGL_EXACT_MOST_TUPLES;
    for (size_t i = 0; provable && i < p->sets[0].n_models; i++) {
        const mgl_model_type *type = p->sets[0].models[i].type;
        provable = type->scope == MGL_SCOPE_CLASS && type->union_closed && !type->needs_population;
    }
    return provable && costs_rise(s);
}

/* Rows that may be left out, not all: what is left is the release. All rows at the top are one
 * class under exempt, and nothing under drop. */
static uint64_t most_left_out(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    uint64_t most = s->n_rows - 1;
    return p->treatment == MGL_KEEP ? 0 : p->limit < most ? p->limit : most;
}

/* Is it one at all? */
static bool is_release(const mgl_box_release *r)
{
    const mgl_box_space *s = r->space;
    for (size_t t = 0; t < s->n; t++)
        if (r->class_of[t] == MGL_NOT_FOUND)
            return false;
    for (size_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *class = &r->classes[c];
        bool is_top_node = class->rows == s->n_rows && mgl_box_top_is_allowed(s);
        if (class->n > 0 && !is_top_node &&
            !mgl_box_may_be_class(s, class->levels, class->members[0]))
            return false;
    }
    return r->classes[0].rows <= most_left_out(s);
}

static int64_t cost_of(const mgl_exact *x, const mgl_box_release *r)
{
    int64_t sum = 0;
    for (size_t c = 0; c < r->n_classes; c++)
        sum += (int64_t)r->classes[c].rows * mgl_exact_cost(x, r->classes[c].cost);
    return sum;
}

/* ---- The release found ---------------------------------------------------------------------- */

/* Two classes of the same box are one. The class that has this box, or MGL_NOT_FOUND. */
static uint32_t find_class(const mgl_box_release *r, const uint8_t *levels, uint32_t t)
{
    const mgl_box_space *s = r->space;
    uint64_t mask[MGL_BOX_MOST_WORDS];
    bool top = mgl_box_is_top(s, levels);
    mgl_box_mask(s, levels, mask);
    for (uint32_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *class = &r->classes[c];
        if (class->n == 0)
            continue;
        bool same = memcmp(class->levels, levels, s->m) == 0 &&
                    mgl_box_covers(s, mask, class->members[0], t);
        if (same || (top && mgl_box_is_top(s, class->levels)))
            return c;
    }
    return MGL_NOT_FOUND;
}

static void add_class(mgl_box_release *r, const uint32_t *tuples, size_t n)
{
    uint8_t levels[MGL_MOST_COLUMNS];
    mgl_box_begin(r->space, levels);
    for (size_t i = 1; i < n; i++)
        mgl_box_join(r->space, levels, tuples[0], tuples[i]);
    uint32_t class = find_class(r, levels, tuples[0]);
    if (class == MGL_NOT_FOUND)
        mgl_box_release_add(r, tuples, n);
    for (size_t i = 0; class != MGL_NOT_FOUND && i < n; i++)
        mgl_box_release_join(r, class, tuples[i]);
}

static mgl_status take_best(const mgl_exact *x, mgl_box_release *release, mgl_error *err)
{
    size_t n = x->space->n;
    uint32_t *tuples = mgl_alloc_array(n, sizeof *tuples), n_classes = 0;
    if (tuples == NULL)
        return mgl_fail_memory(err);
    for (uint32_t c = 0; c < release->n_classes; c++)
        mgl_box_release_dissolve(release, c);
    for (size_t t = 0; t < n; t++)
        n_classes = x->best[t] > n_classes ? x->best[t] : n_classes;
    for (uint32_t number = 0; number <= n_classes; number++) {
        size_t size = 0;
        for (uint32_t t = 0; t < n; t++)
            if (x->best[t] == number)
                tuples[size++] = t;
        for (size_t i = 0; number == 0 && i < size; i++)
            mgl_box_release_join(release, 0, tuples[i]);
        if (number > 0 && size > 0)
            add_class(release, tuples, size);
    }
    mgl_free(tuples);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- The search ---------------------------------------------------------------------------- */

static mgl_status begin(mgl_exact *x, const mgl_box_space *s, mgl_error *err)
{
    *x = (mgl_exact){.space = s, .limit = most_left_out(s), .may_leave_out = most_left_out(s) > 0};
    mgl_exact_choose_units(x);
    x->base = mgl_zeroed_array(s->n, sizeof *x->base);
    x->duals = mgl_zeroed_array(s->n, sizeof *x->duals);
    x->cut_duals = mgl_zeroed_array(MGL_EXACT_MOST_CUTS, sizeof *x->cut_duals);
    x->best = mgl_zeroed_array(s->n, sizeof *x->best);
    if (x->base == NULL || x->duals == NULL || x->cut_duals == NULL || x->best == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_exact_cuts_init(&x->cuts, s->n, err));
    return mgl_box_judge_new(s, err, &x->judge);
}

static void end(mgl_exact *x)
{
    mgl_exact_boxes_free(&x->boxes);
    mgl_exact_candidates_free(&x->candidates);
    mgl_exact_cuts_free(&x->cuts);
    mgl_lp_free(&x->lp);
    mgl_box_judge_free(x->judge);
    mgl_free(x->base);
    mgl_free(x->duals);
    mgl_free(x->cut_duals);
    mgl_free(x->best);
}

/* Names all classes that lack at most so much. A box left out costs so much more than the dual
 * values of its rows are that the reduced cost of a class in it is more. */
static mgl_status name_classes(mgl_exact *x, int64_t slack, int64_t *cap, mgl_error *err,
                               bool *whole)
{
    const mgl_box_space *s = x->space;
    bool raised = false;
    for (size_t t = 0; t < s->n; t++) {
        int64_t dual = x->base[t] / (int64_t)s->rows[t] + slack / s->need + 1;
        int64_t wanted = mgl_exact_dual_per_row(x, dual, 1);
        raised = raised || (wanted > cap[t] && cap[t] < s->top_cost);
        cap[t] = wanted > cap[t] ? wanted : cap[t];
    }
    *whole = true;
    if (raised && !s->judged)
        MGL_TRY(mgl_exact_boxes_find(x, cap, err, whole));
    return *whole ? mgl_exact_name_classes(x, slack, err, whole) : MGL_OK;
}

static mgl_status search(mgl_exact *x, int64_t *cap, mgl_error *err, bool *proved)
{
    int64_t known = x->upper, slack = (int64_t)((double)x->base_sum * FIRST_SLACK);
    slack += 2 * (x->tolerance + 1);
    while (!*proved && !x->gave_up) {
        bool whole;
        int64_t target = known < x->base_sum + slack ? known : x->base_sum + slack;
        x->upper = target;
        MGL_TRY(name_classes(x, target - x->base_sum, cap, err, &whole));
        if (!whole)
            return MGL_OK;
        MGL_TRY(mgl_exact_branch(x, err));
        *proved = !x->gave_up && (x->found || target == known);
        /* Where branching was needed, the next step is a short one. */
        slack += x->branched ? (target - x->first_bound) / 2 + x->tolerance + 1 : slack / 2;
    }
    return MGL_OK;
}

static mgl_status search_all(mgl_exact *x, const mgl_box_release *release, mgl_error *err,
                             bool *proved)
{
    const mgl_box_space *s = x->space;
    bool whole;
    int64_t *cap = mgl_alloc_array(s->n, sizeof *cap);
    if (cap == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < s->n; t++) {
        uint32_t class = release->class_of[t];
        cap[t] = s->top_cost / 32 + (class != MGL_NOT_FOUND ? release->classes[class].cost : 0);
    }
    mgl_status status = MGL_OK;
    MGL_GO(mgl_exact_find_base(x, release, cap, err, &whole));
    if (whole && s->judged) { /* classes so far need not hold */
        x->candidates.n = 0;
        mgl_lp_free(&x->lp);
        MGL_GO(mgl_exact_lp_begin(x, err));
    }
    if (whole) {
        *proved = x->base_sum >= x->upper - x->tolerance;
        mgl_exact_log_begin(x);
        MGL_GO(search(x, cap, err, proved));
    }
done:
    mgl_free(cap);
    return status;
}

/* Where classes are so many that naming them takes long, few tuples are tried in all ways. */
static mgl_status search_few(mgl_exact *x, const mgl_box_release *release, uint64_t work,
                             mgl_error *err, bool *proved)
{
    int64_t known = x->upper;
    bool few = x->space->n <= MGL_EXACT_FEW;
    x->most_work = few && work > FEW_WORK ? FEW_WORK : work;
    MGL_TRY(search_all(x, release, err, proved));
    if (*proved || !few || mgl_exact_is_late(x))
        return MGL_OK;
    x->upper = x->found ? x->upper : known;
    if (x->log != NULL)
        x->log->n = 0; /* this leaves no steps */
    MGL_TRY(mgl_exact_try_sets(x, err));
    *proved = !mgl_exact_is_late(x);
    return MGL_OK;
}

static mgl_status run(mgl_exact *x, mgl_box_release *release, uint64_t work, mgl_error *err,
                      bool *proved)
{
    const mgl_box_space *s = x->space;
    x->upper = is_release(release)
                   ? cost_of(x, release)
                   : (int64_t)s->n_rows * mgl_exact_cost(x, s->top_cost) + 2 * (x->tolerance + 1);
    MGL_TRY(search_few(x, release, work, err, proved));
    if (x->cancelled)
        return mgl_fail_cancelled(err);
    return x->found ? take_best(x, release, err) : MGL_OK;
}

/* Under exempt all rows at the top are one class that is judged. Nothing costs more. */
static mgl_status try_top(mgl_exact *x, mgl_box_release *release, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint32_t *all = mgl_alloc_array(s->n, sizeof *all);
    if (all == NULL)
        return mgl_fail_memory(err);
    for (uint32_t t = 0; t < s->n; t++)
        all[t] = t;
    if (mgl_box_top_is_allowed(s) && mgl_box_holds_as_read(x->judge, all, s->n)) {
        for (uint32_t c = 0; c < release->n_classes; c++)
            mgl_box_release_dissolve(release, c);
        mgl_box_release_add(release, all, s->n);
    }
    mgl_free(all);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status search_space(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                               mgl_bound_steps *steps, mgl_error *err, mgl_exact_verdict *out)
{
    mgl_exact x;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, space, err));
    x.log = steps;
    MGL_GO(run(&x, release, work, err, &out->proved));
    if (out->proved)
        out->bound = mgl_exact_proved(&x);
    if (space->problem->treatment == MGL_EXEMPT && !is_release(release))
        MGL_GO(try_top(&x, release, err));
done:
    log_end(&x, out->proved);
    out->timed_out = out->timed_out || x.timed_out;
    end(&x);
    return status;
}

/* Too many rows are above the highest levels: the best release without any there takes the place.
 * What was proved of more releases stays. */
static mgl_status search_below(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                               mgl_error *err, bool *timed_out)
{
    mgl_box_space below = *space;
    mgl_exact_verdict verdict = {0};
    below.below_top = true;
    for (uint32_t c = 0; c < release->n_classes; c++)
        mgl_box_release_dissolve(release, c);
    mgl_status status = search_space(&below, work, release, NULL, err, &verdict);
    *timed_out = *timed_out || verdict.timed_out;
    return status;
}

mgl_status mgl_cell_exact_proved(const mgl_box_space *space, uint64_t work,
                                 mgl_box_release *release, mgl_bound_steps *steps, mgl_error *err,
                                 mgl_exact_verdict *out)
{
    mgl_box_release *given;
    *out = (mgl_exact_verdict){0};
    if (!is_provable(space))
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(space, err, &given));
    mgl_box_release_copy(given, release);
    bool kept = is_release(given) && mgl_box_release_keeps_limit(given);
    mgl_status status = MGL_OK;
    MGL_GO(search_space(space, work, release, steps, err, out));
    if (!mgl_box_release_keeps_limit(release)) {
        MGL_GO(search_below(space, work, release, err, &out->timed_out));
        bool worse = kept && (!is_release(release) ||
                              mgl_box_release_cost(release) > mgl_box_release_cost(given));
        if (worse)
            mgl_box_release_copy(release, given);
    }
    if (given->out_of_memory || release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_box_release_free(given);
    return status;
}

mgl_status mgl_cell_exact(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                          mgl_error *err, bool *proved, uint64_t *bound, bool *timed_out)
{
    mgl_exact_verdict verdict;
    mgl_status status = mgl_cell_exact_proved(space, work, release, NULL, err, &verdict);
    *proved = verdict.proved;
    *bound = verdict.bound;
    *timed_out = *timed_out || verdict.timed_out;
    return status;
}
