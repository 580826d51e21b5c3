/* Runs local suppression on a table under every treatment and judges its releases. The tests of
 * local suppression call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_local.h"

#include <string.h>

static mgl_pool *four;

int local_begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

int local_end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

static const mgl_method_type *method(void)
{
    return mgl_method_type_find("local-suppression");
}

mgl_problem local_make_problem(const brute_made *m, const local_wish *w, mgl_local_options *options)
{
    mgl_problem p = m->problem;
    p.effort = w->effort;
    *options = (mgl_local_options){.combinations = {.sizes = (uint64_t)w->sizes, .all = w->all},
                                   .importance = w->importance};
    p.method = method();
    p.options = options;
    p.counting = mgl_method_counting(&p, w->tops_match);
    return p;
}

mgl_solution *local_run(const brute_table *t, const mgl_problem *given, mgl_pool *pool,
                        mgl_status *status)
{
    mgl_problem problem = *given;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    problem.pool = pool;
    *status = mgl_method_run(method(), &problem, &err, &s);
    if (*status != MGL_OK && *status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    return *status == MGL_OK ? s : NULL;
}

static bool same_recoding(const mgl_recoding *a, const mgl_recoding *b)
{
    for (size_t i = 0; i < a->n_attributes; i++)
        if (memcmp(a->cells[i], b->cells[i], a->n_tuples * sizeof *a->cells[i]) != 0)
            return false;
    return memcmp(a->suppressed, b->suppressed, a->n_tuples) == 0;
}

/* All rows suppressed: does that hold? */
static bool can_be_met(brute_table *t)
{
    brute_node n = {0};
    for (int r = 0; r < t->c.n_rows; r++) {
        n.suppressed[r] = true;
        for (int a = 0; a < t->c.n_attributes; a++)
            n.released[r][a] = local_top_text(t, a);
    }
    bool free = true;
    for (int a = 0; a < t->c.n_attributes; a++)
        free = free && local_is_free(t, a);
    return t->c.treatment == BRUTE_KEEP && !t->c.limited && free &&
           local_classes_hold(t, &n, (1 << t->c.n_attributes) - 1);
}

/* What holds on more columns need not hold on fewer. */
static bool is_one_size_only(const brute_table *t)
{
    bool one = false;
    for (int i = 0; i < t->n_models; i++) {
        brute_kind kind = t->models[i].kind;
        bool upward = kind == BRUTE_K || kind == BRUTE_DISTINCT_L || kind == BRUTE_P_SENSITIVE ||
                      kind == BRUTE_EXTENDED_P || kind == BRUTE_K_MAP || kind == BRUTE_MAX_RISK;
        one = one || kind == BRUTE_DELTA_PRESENCE ||
              (kind < BRUTE_MEAN_RISK && !upward && t->has_persons);
    }
    return one;
}

static void local_check(brute_table *t, const brute_made *m, const local_wish *w)
{
    mgl_local_options options;
    mgl_problem problem = local_make_problem(m, w, &options);
    mgl_status status, again;
    mgl_solution *s = local_run(t, &problem, NULL, &status);
    mgl_solution *threaded = local_run(t, &problem, four, &again);
    AGREE(status == again);
    if (s == NULL) {
        AGREE(!can_be_met(t));
        return;
    }
    AGREE(same_recoding(s->recoding, threaded->recoding));
    brute_node node;
    int least;
    local_read_release(t, m, s->recoding, &node);
    AGREE(local_keeps_promise(t, &node, w, &least));
    int suppressed = brute_count_suppressed(&t->c, &node);
    AGREE(s->suppressed_rows == (uint64_t)suppressed);
    bool bounded = false;
    for (int a = 0; a < t->c.n_attributes; a++)
        bounded = bounded || !local_is_free(t, a);
    AGREE(!(t->c.limited || bounded) || suppressed <= t->c.limit);
    AGREE(t->c.treatment != BRUTE_DROP || suppressed < t->c.n_rows);
    mgl_found found[BRUTE_MODELS];
    AGREE(mgl_judge_recoding(&problem, s->recoding, NULL, found) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        AGREE(found[i].holds);
    if (w->tops_match && least >= 0)
        AGREE(found[0].measured == least);
    /* All rows at the top are the top node; with a cell less they are suppressed rows. */
    bool top_node = brute_all_at_top(&t->c, &node);
    if (w->tops_match && !t->has_persons && !top_node)
        local_check_needed(t, m, &node, w);
    mgl_solution_free(s);
    mgl_solution_free(threaded);
}

uint64_t local_make_table(brute_table *t, uint64_t seed)
{
    do {
        brute_table_make(t, seed++, 4000);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1);
    return seed;
}

void local_vary(brute_table *t, brute_made *m, brute_random *random, bool tops_match)
{
    for (int treatment = 0; treatment < 3; treatment++) {
        brute_made_vary(t, m, random, (brute_treatment)treatment);
        local_wish w = local_make_wish(random, t->c.n_attributes, tops_match);
        if (is_one_size_only(t)) {
            w.all = false;
            w.sizes &= -w.sizes;
        }
        local_check(t, m, &w);
    }
}

/* Kinds from first on and before end take turns; each gets as many tables. */
void local_each_model(brute_kind first, brute_kind end, int tables, uint64_t seed)
{
    static brute_table table;
    int kinds = (int)end - (int)first;
    for (int i = 0; i < brute_cases(tables) * kinds; i++) {
        brute_made m;
        brute_random random = {seed + 7700};
        do {
            seed = local_make_table(&table, seed);
            brute_table_take_model(&table, &random, (brute_kind)((int)first + i % kinds));
        } while (table.n_models == 0);
        brute_made_make(&table, &m);
        local_vary(&table, &m, &random, false);
        brute_made_free(&m);
    }
}
