/* Makes sure that a release is one: rows that read as the top are suppressed or a class, and the
 * models that look at the whole table hold. */
#include "search/box/box.h"

#include <stdlib.h>

/* ---- Classes that read alike ---------------------------------------------------------- */

/* Released values of a class, for sorting. */
typedef struct text {
    const mgl_box_space *space;
    const mgl_box_class *class;
    uint32_t number;
} text;

static uint32_t cell_of(const text *x, size_t a)
{
    const mgl_box_space *s = x->space;
    if (mgl_box_is_top(s, x->class->levels))
        return s->problem->columns[a]->top;
    return s->attributes[a]
        .released[x->class->levels[a]][s->leaves[x->class->members[0] * s->m + a]];
}

static int compare_texts(const void *p, const void *q)
{
    const text *x = p, *y = q;
    for (size_t a = 0; a < x->space->m; a++) {
        uint32_t c = cell_of(x, a), d = cell_of(y, a);
        if (c != d)
            return c < d ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static bool read_alike(const text *x, const text *y)
{
    for (size_t a = 0; a < x->space->m; a++)
        if (cell_of(x, a) != cell_of(y, a))
            return false;
    return true;
}

/* Puts the members of one class into another one. */
static void merge(mgl_box_release *r, uint32_t from, uint32_t to)
{
    size_t n = r->classes[from].n;
    uint32_t *moved = mgl_alloc_array(n, sizeof *moved);
    if (moved == NULL) {
        r->out_of_memory = true;
        return;
    }
    if (n > 0)
        memcpy(moved, r->classes[from].members, n * sizeof *moved);
    mgl_box_release_dissolve(r, from);
    for (size_t i = 0; i < n; i++)
        mgl_box_release_join(r, to, moved[i]);
    mgl_free(moved);
}

/* Classes that read alike are one class: not all models hold for it because they hold for what it
 * is made of. Whoever joined them may have been here before, so all classes are judged. */
static bool join_alike(mgl_box_release *r, mgl_box_judge *judge)
{
    text *texts = mgl_alloc_array(r->n_classes, sizeof *texts);
    size_t n = 0;
    bool hold = true;
    if (texts == NULL) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0)
            texts[n++] = (text){r->space, &r->classes[c], c};
    if (n > 0)
        qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && read_alike(&texts[i], &texts[end]);)
            end++;
        for (size_t j = i + 1; j < end; j++)
            merge(r, texts[j].number, texts[i].number);
        const mgl_box_class *c = texts[i].class;
        hold = hold && mgl_box_holds_as_read(judge, c->members, c->n);
    }
    mgl_free(texts);
    return hold;
}

/* ---- Rows at the top --------------------------------------------------------------------- */

bool mgl_box_top_is_allowed(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    return s->has_top || (p->treatment != MGL_DROP && p->limit >= s->n_rows);
}

bool mgl_box_release_keeps_limit(const mgl_box_release *r)
{
    uint64_t above = 0;
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0 && mgl_box_is_top(r->space, r->classes[c].levels))
            above += r->classes[c].rows;
    return above <= r->space->problem->limit;
}

/* Under exempt all rows at the top are one class, which is judged; else no tuple is in any. */
static bool settle_whole(mgl_box_release *r, mgl_box_judge *judge)
{
    size_t n = r->space->n;
    uint32_t *all = mgl_alloc_array(n, sizeof *all);
    if (all == NULL) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t t = 0; t < n; t++)
        all[t] = t;
    for (uint32_t c = 0; c < r->n_classes; c++)
        mgl_box_release_dissolve(r, c);
    bool holds = mgl_box_top_is_allowed(r->space) && mgl_box_holds_as_read(judge, all, n);
    if (holds)
        mgl_box_release_add(r, all, n);
    mgl_free(all);
    return holds;
}

/* Rows that may not be a class where they are count as suppressed. */
static bool settle_tops(mgl_box_release *r, mgl_box_judge *judge)
{
    const mgl_box_space *s = r->space;
    for (size_t t = 0; t < s->n; t++)
        if (r->class_of[t] == MGL_NOT_FOUND)
            return false;
    if (s->problem->treatment == MGL_KEEP)
        return mgl_box_release_keeps_limit(r);
    for (uint32_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *x = &r->classes[c];
        if (x->n > 0 && !mgl_box_may_be_class(s, x->levels, x->members[0]))
            merge(r, c, 0);
    }
    uint64_t suppressed = r->classes[0].rows;
    if (s->problem->treatment == MGL_EXEMPT && suppressed == s->n_rows)
        return settle_whole(r, judge);
    return suppressed <= s->problem->limit && suppressed < s->n_rows;
}

static bool has_table_models(const mgl_problem *problem)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++)
        if (problem->sets[0].models[i].type->scope == MGL_SCOPE_TABLE)
            return true;
    return false;
}

static uint64_t weight_of(const mgl_frequency_list *list, const mgl_box_class *class)
{
    uint64_t sum = 0;
    for (size_t i = 0; list->weighing.of_value != NULL && i < class->n; i++)
        sum += mgl_list_weight(list, class->members[i]);
    return sum;
}

/* sizes: room for two numbers of each class. */
static bool table_models_hold(const mgl_box_release *r, mgl_box_judge *judge, uint64_t *sizes)
{
    const mgl_quasi_set *set = &r->space->problem->sets[0];
    uint64_t *weights = sizes + r->n_classes;
    size_t n = 0;
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0) {
            weights[n] = weight_of(r->space->problem->list, &r->classes[c]);
            sizes[n++] = mgl_box_people(judge, r->classes[c].members, r->classes[c].n);
        }
    mgl_class_sizes classes = {sizes, n, weights};
    for (size_t i = 0; n > 0 && i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_TABLE &&
            !set->models[i].type->table_holds(&set->models[i], &classes))
            return false;
    return true;
}

/* Classes are as many as they will be. */
static mgl_status judge_table(const mgl_box_release *r, mgl_box_judge *judge, mgl_error *err,
                              bool *holds)
{
    uint64_t *sizes = mgl_alloc_array(2 * r->n_classes, sizeof *sizes);
    if (sizes == NULL)
        return mgl_fail_memory(err);
    *holds = table_models_hold(r, judge, sizes);
    mgl_free(sizes);
    return MGL_OK;
}

mgl_status mgl_box_release_settle(mgl_box_release *r, mgl_error *err, bool *holds)
{
    mgl_box_judge *judge;
    bool tables = has_table_models(r->space->problem);
    MGL_TRY(mgl_box_judge_new(r->space, err, &judge));
    mgl_status status = MGL_OK;
    *holds = !(r->space->judged || tables) || join_alike(r, judge);
    *holds = *holds && settle_tops(r, judge);
    if (*holds && tables)
        MGL_GO(judge_table(r, judge, err, holds));
    if (r->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_box_judge_free(judge);
    return status;
}
