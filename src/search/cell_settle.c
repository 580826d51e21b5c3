/* Making sure that a release is one: rows that read as the top are suppressed or a class, and
 * the models that look at the whole table hold. */
#include "search/cell.h"

#include <stdlib.h>

/* ---- Classes that read alike ---------------------------------------------------------- */

/* Released values of a class, for sorting. */
typedef struct text {
    const mgl_cell_space *space;
    const mgl_cell_class *class;
    uint32_t number;
} text;

static uint32_t cell_of(const text *x, size_t a)
{
    const mgl_cell_space *s = x->space;
    if (mgl_cell_box_is_top(s, x->class->levels))
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
static void merge(mgl_cell_release *r, uint32_t from, uint32_t to)
{
    size_t n = r->classes[from].n;
    uint32_t *moved = mgl_alloc_array(n, sizeof *moved);
    if (moved == NULL) {
        r->out_of_memory = true;
        return;
    }
    if (n > 0)
        memcpy(moved, r->classes[from].members, n * sizeof *moved);
    mgl_cell_release_dissolve(r, from);
    for (size_t i = 0; i < n; i++)
        mgl_cell_release_join(r, to, moved[i]);
    mgl_free(moved);
}

/* Classes that read alike are one class: not all models hold for it because they hold for its
 * parts. */
static bool join_alike(mgl_cell_release *r, mgl_cell_judge *judge)
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
        const mgl_cell_class *c = texts[i].class;
        hold = hold && (end == i + 1 || mgl_cell_holds_as_read(judge, c->members, c->n));
    }
    mgl_free(texts);
    return hold;
}

/* ---- Rows at the top --------------------------------------------------------------------- */

/* Does the class read as the top in every column? */
static bool reads_as_top(const mgl_cell_space *s, const mgl_cell_class *c)
{
    if (mgl_cell_box_is_top(s, c->levels))
        return true;
    const uint32_t *leaf = s->leaves + c->members[0] * s->m;
    for (size_t a = 0; a < s->m; a++)
        if (s->attributes[a].released[c->levels[a]][leaf[a]] != s->problem->columns[a]->top)
            return false;
    return true;
}

/* Suppressed rows and rows of a class that reads like them are one class in the release: all are
 * suppressed if the limit allows it, else all must hold. */
static bool join_tops(mgl_cell_release *r, uint32_t class, mgl_cell_judge *judge)
{
    const mgl_cell_space *s = r->space;
    const mgl_cell_class *c = &r->classes[class], *suppressed = &r->classes[0];
    if (s->problem->treatment == MGL_KEEP)
        return true;
    uint64_t rows = suppressed->rows + c->rows;
    bool all =
        rows <= s->problem->limit && !(s->problem->treatment == MGL_DROP && rows == s->n_rows);
    if (!all && mgl_cell_box_is_top(s, c->levels))
        return false; /* cells may not have that level */
    uint32_t to = all ? 0 : class;
    merge(r, all ? class : 0, to);
    return to == 0 || mgl_cell_holds_as_read(judge, r->classes[to].members, r->classes[to].n);
}

static bool has_table_models(const mgl_problem *problem)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++)
        if (problem->sets[0].models[i].type->scope == MGL_SCOPE_TABLE)
            return true;
    return false;
}

static bool table_models_hold(const mgl_cell_release *r, mgl_cell_judge *judge, uint64_t *sizes)
{
    const mgl_quasi_set *set = &r->space->problem->sets[0];
    size_t n = 0;
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0)
            sizes[n++] = mgl_cell_size(judge, r->classes[c].members, r->classes[c].n);
    mgl_class_sizes classes = {sizes, n};
    for (size_t i = 0; n > 0 && i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_TABLE &&
            !set->models[i].type->table_holds(&set->models[i], &classes))
            return false;
    return true;
}

mgl_status mgl_cell_settle(mgl_cell_release *r, bool *holds, mgl_error *err)
{
    mgl_cell_judge *judge;
    uint64_t *sizes = mgl_alloc_array(r->n_classes, sizeof *sizes);
    mgl_status status =
        sizes == NULL ? mgl_fail_memory(err) : mgl_cell_judge_new(r->space, err, &judge);
    *holds = true;
    if (status == MGL_OK) {
        *holds = !(r->space->judged || has_table_models(r->space->problem)) || join_alike(r, judge);
        for (uint32_t c = 1; *holds && c < r->n_classes; c++)
            if (r->classes[c].n > 0 && reads_as_top(r->space, &r->classes[c]))
                *holds = join_tops(r, c, judge);
        /* If all rows are dropped, nothing is released. */
        *holds = *holds && !(r->space->problem->treatment == MGL_DROP &&
                             r->classes[0].rows == r->space->n_rows);
        *holds = *holds && table_models_hold(r, judge, sizes);
        mgl_cell_judge_free(judge);
    }
    mgl_free(sizes);
    if (status == MGL_OK && r->out_of_memory)
        status = mgl_fail_memory(err);
    return status;
}
