/* Judges the tuples of a box: do the models hold for them, or may they for some of them? For models
 * that do not hold for every superset: rows that a class needs to have the values that it must
 * have, and whether some of the tuples of a box may hold. */
#include "search/box/box.h"

#include <math.h>

/* What follows for the counts of values in a class from models that do not hold for every superset:
 * rows that it needs in any case, and whether some of the tuples of a box may hold. */

/* Of a model, worked out for each value: models are asked once, and classes are judged often. */
struct mgl_box_terms {
    const mgl_model *model;
    mgl_value_terms terms;
    double *most; /* [code] the share of the class that the value may have; NULL: any */
};

/* Values of persons and on histories are counted in other ways. */
static bool has_terms(const mgl_box_space *s, const mgl_model *model)
{
    return model->type->scope == MGL_SCOPE_CLASS && !model->type->upward_closed &&
           model->type->terms != NULL && model->joint == NULL && s->history_mask == 0 &&
           s->problem->list->persons == NULL;
}

static double with_room(double value, bool up)
{
    return value * (up ? 1 + 1e-9 : 1 - 1e-9); /* models allow for rounding, so this must, too */
}

/* A class that must have a value of which it may have a small share at most needs rows for that. */
static double rows_for(const mgl_model *model)
{
    const mgl_sensitive *all = mgl_model_sensitive(model);
    mgl_value_terms terms = mgl_model_terms(model);
    bool shares = terms.rule == MGL_VALUES_SHARES && terms.most != NULL && terms.least != NULL;
    double rows = 1;
    for (uint32_t code = 0; shares && code < all->n_values; code++) {
        double share = (double)all->counts[code] / (double)all->n;
        if (all->counts[code] > 0 && terms.least(model, share) > 0)
            rows = fmax(rows, 1 / with_room(terms.most(model, share), true));
    }
    return ceil(with_room(rows, false));
}

uint32_t mgl_box_rows_for_values(const mgl_box_space *s)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    double most = 1;
    for (size_t i = 0; i < set->n_models; i++)
        if (has_terms(s, &set->models[i]))
            most = fmax(most, rows_for(&set->models[i]));
    return (uint32_t)fmin(most, (double)s->n_rows + 1);
}

static mgl_status work_out(mgl_box_space *s, const mgl_model *model, mgl_error *err,
                           mgl_box_terms *out)
{
    const mgl_sensitive *all = mgl_model_sensitive(model);
    *out = (mgl_box_terms){.model = model, .terms = mgl_model_terms(model)};
    bool shares = out->terms.rule == MGL_VALUES_SHARES || out->terms.rule == MGL_VALUES_OVERLAP;
    if (!shares || out->terms.most == NULL)
        return MGL_OK;
    out->most = mgl_arena_alloc(s->arena, all->n_values * sizeof *out->most);
    MGL_TRY(mgl_check_memory(out->most != NULL, err));
    for (uint32_t code = 0; code < all->n_values; code++) {
        double share = (double)all->counts[code] / (double)all->n;
        double most = mgl_model_skips(model, code) ? 1 : out->terms.most(model, share);
        out->most[code] = with_room(most, true);
    }
    return MGL_OK;
}

mgl_status mgl_box_ask_terms(mgl_box_space *s, mgl_error *err, bool *out)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    s->n_terms = 0;
    if (s->terms == NULL)
        s->terms = mgl_arena_alloc(s->arena, set->n_models * sizeof *s->terms);
    MGL_TRY(mgl_check_memory(s->terms != NULL, err));
    for (size_t i = 0; i < set->n_models; i++)
        if (has_terms(s, &set->models[i]) && !s->problem->wants_proof)
            MGL_TRY(work_out(s, &set->models[i], err, &s->terms[s->n_terms++]));
    *out = s->n_terms > 0;
    return MGL_OK;
}

void mgl_box_forget_terms(mgl_box_space *s)
{
    s->n_terms = 0;
}

/* May a class among these rows meet what the model says of the counts of its values? A class of n
 * rows has at most a share of n of each value, so at most the sum over values of what there is of
 * each, up to that share. Beyond that it needs n rows, or the part of them that must lie within the
 * shares; and if a larger class has them, so has one of the least size, since the sum is concave in
 * n and is 0 for n = 0. All of this holds for more rows as well. */
static bool may_have_values(const mgl_box_space *s, const mgl_box_terms *x, const mgl_group *group)
{
    const mgl_histogram *values = mgl_model_histogram(x->model, group);
    bool shares = x->terms.rule == MGL_VALUES_SHARES || x->terms.rule == MGL_VALUES_OVERLAP;
    double least = fmax(s->need, with_room(x->terms.distinct, false)), within = 0;
    if ((double)values->size < with_room(x->terms.distinct, false))
        return false;
    for (size_t i = 0; i < values->size; i++) {
        double most = x->most != NULL ? x->most[mgl_histogram_code(values, i)] : with_room(1, true);
        within += fmin((double)values->counts[i], most * least);
    }
    double part = x->terms.rule == MGL_VALUES_OVERLAP ? x->terms.overlap : 1;
    return !shares || within >= with_room(part, false) * least;
}

/* As far as it is asked (mgl_box_ask_terms): may a part of the group hold? */
static bool terms_may_hold(const mgl_box_space *s, const mgl_group *group)
{
    for (size_t i = 0; i < s->n_terms; i++)
        if (!may_have_values(s, &s->terms[i], group))
            return false;
    return true;
}

struct mgl_box_judge {
    const mgl_box_space *space;
    mgl_group_maker *maker; /* NULL: sizes say it all */
    uint8_t *levels;        /* [m] */
    uint64_t *mask;         /* [words] */
    mgl_owned own;
};

mgl_status mgl_box_judge_new(const mgl_box_space *space, mgl_error *err, mgl_box_judge **out)
{
    mgl_box_judge *j;
    MGL_TRY(mgl_new_zeroed(1, sizeof *j, err, &j));
    j->space = space;
    j->levels = mgl_own_array(&j->own, space->m, 1);
    j->mask = mgl_own_array(&j->own, space->words, sizeof *j->mask);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&j->own, err));
    if (space->judged)
        MGL_GO(mgl_group_maker_new(space->problem->list, err, &j->maker));
    *out = j;
    j = NULL;
done:
    mgl_box_judge_free(j);
    return status;
}

void mgl_box_judge_free(mgl_box_judge *judge)
{
    if (judge == NULL)
        return;
    mgl_group_maker_free(judge->maker);
    mgl_owned_free(&judge->own);
    mgl_free(judge);
}

/* Rows of the table of the population under the smallest box. */
static uint64_t count_population(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    const mgl_box_space *s = j->space;
    const mgl_frequency_list *population = s->problem->population;
    uint64_t rows = 0;
    mgl_box_begin(s, j->levels);
    for (size_t i = 1; i < n; i++)
        mgl_box_join(s, j->levels, tuples[0], tuples[i]);
    if (mgl_box_is_top(s, j->levels))
        return population->n_rows;
    mgl_box_mask(s, j->levels, j->mask);
    const uint64_t *key = s->keys + tuples[0] * s->words;
    for (size_t t = 0; t < population->n_tuples; t++) {
        bool under = true;
        for (size_t w = 0; under && w < s->words; w++)
            under = ((s->population[t * s->words + w] ^ key[w]) & j->mask[w]) == 0;
        rows += under ? population->counts[t] : 0;
    }
    return rows;
}

uint64_t mgl_box_people(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    if (j->space->problem->list->persons != NULL)
        return mgl_group_maker_gather(j->maker, tuples, n)->size;
    for (size_t i = 0; i < n; i++)
        rows += j->space->rows[tuples[i]];
    return rows;
}

/* Which models are asked. */
typedef enum asked { ALL, UPWARD_CLOSED, OF_ONE_HISTORY } asked;

static bool is_asked(const mgl_model *model, asked which)
{
    return model->type->scope == MGL_SCOPE_CLASS &&
           (which != UPWARD_CLOSED || model->type->upward_closed) &&
           (which != OF_ONE_HISTORY || model->joint == NULL);
}

static bool models_hold(const mgl_box_space *s, const mgl_group *group, asked which)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    for (size_t i = 0; i < set->n_models; i++)
        if (is_asked(&set->models[i], which) && !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

static bool have_one_history(const mgl_box_space *s, const uint32_t *tuples, size_t n)
{
    const uint64_t *keys = s->keys + s->history_word;
    for (size_t i = 1; i < n; i++)
        if (((keys[tuples[i] * s->words] ^ keys[tuples[0] * s->words]) & s->history_mask) != 0)
            return false;
    return true;
}

static bool has_rows(const mgl_box_space *s, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n && rows < s->need; i++)
        rows += s->rows[tuples[i]];
    return rows >= s->need;
}

/* Do the models hold for a group of one history? */
static bool box_group_holds(const mgl_box_space *s, const mgl_group *group)
{
    return models_hold(s, group, s->history_mask != 0 ? OF_ONE_HISTORY : ALL);
}

bool mgl_box_holds(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    if (!has_rows(j->space, tuples, n))
        return false;
    if (!j->space->judged)
        return true;
    if (!have_one_history(j->space, tuples, n))
        return false;
    if (!j->space->looks)
        return true;
    mgl_group group = *mgl_group_maker_gather(j->maker, tuples, n);
    if (j->space->problem->population != NULL)
        group.population = count_population(j, tuples, n);
    return box_group_holds(j->space, &group);
}

bool mgl_box_holds_as_read(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    if (j->space->history_mask == 0)
        return mgl_box_holds(j, tuples, n);
    return models_hold(j->space, mgl_group_maker_gather(j->maker, tuples, n), ALL);
}

bool mgl_box_may_hold(mgl_box_judge *j, const uint32_t *tuples, size_t n, uint64_t population)
{
    if (!has_rows(j->space, tuples, n))
        return false;
    if (!j->space->upward)
        return true;
    mgl_group group = *mgl_group_maker_gather(j->maker, tuples, n);
    if (j->space->problem->population != NULL)
        group.population = population;
    return models_hold(j->space, &group, UPWARD_CLOSED) && terms_may_hold(j->space, &group);
}

/* Keeps a release as classes of tuples while it is made: tuples join and leave, classes dissolve,
 * costs are summed. A class with many members is summed up once while tuples join it one by one. */

mgl_status mgl_box_release_new(const mgl_box_space *space, mgl_error *err, mgl_box_release **out)
{
    mgl_box_release *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    r->space = space;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(space->n, sizeof *r->class_of, err, &r->class_of));
    for (size_t t = 0; t < space->n; t++)
        r->class_of[t] = MGL_NOT_FOUND;
    mgl_box_release_add(r, NULL, 0); /* of the suppressed rows */
    MGL_GO(mgl_check_memory(!r->out_of_memory, err));
    *out = r;
    r = NULL;
done:
    mgl_box_release_free(r);
    return status;
}

void mgl_box_release_free(mgl_box_release *release)
{
    if (release == NULL)
        return;
    for (size_t c = 0; c < release->n_classes; c++) {
        mgl_free(release->classes[c].members);
        mgl_free(release->classes[c].levels);
    }
    mgl_free(release->classes);
    mgl_free(release->empty);
    mgl_free(release->class_of);
    mgl_free(release);
}

/* The smallest box around the members; suppressed rows have the top. */
static void fit_box(mgl_box_release *r, uint32_t class)
{
    const mgl_box_space *s = r->space;
    mgl_box_class *c = &r->classes[class];
    c->cost = s->top_cost;
    mgl_box_begin(s, c->levels);
    if (c->n == 0 || class == 0)
        return;
    for (size_t i = 1; i < c->n; i++)
        mgl_box_join(s, c->levels, c->members[0], c->members[i]);
    c->cost = mgl_box_cost(s, c->levels, c->members[0]);
}

static bool push(mgl_box_release *r, uint32_t class, uint32_t tuple)
{
    mgl_box_class *c = &r->classes[class];
    if (!mgl_grow(&c->members, &c->capacity, c->n + 1, sizeof *c->members)) {
        r->out_of_memory = true;
        return false;
    }
    c->members[c->n++] = tuple;
    c->rows += r->space->rows[tuple];
    r->class_of[tuple] = class;
    return true;
}

static bool new_class(mgl_box_release *r)
{
    uint8_t *levels = mgl_alloc_array(r->space->m, 1);
    if (levels == NULL ||
        !mgl_grow(&r->empty, &r->empty_capacity, r->n_classes + 1, sizeof *r->empty) ||
        !mgl_grow(&r->classes, &r->capacity, r->n_classes + 1, sizeof *r->classes)) {
        mgl_free(levels);
        r->out_of_memory = true;
        return false;
    }
    r->classes[r->n_classes++] = (mgl_box_class){.levels = levels};
    return true;
}

uint32_t mgl_box_release_add(mgl_box_release *r, const uint32_t *tuples, size_t n)
{
    uint32_t class = (uint32_t)r->n_classes;
    if (r->n_empty > 0)
        class = r->empty[--r->n_empty];
    else if (!new_class(r))
        return 0;
    mgl_box_class *c = &r->classes[class];
    if (!mgl_grow(&c->members, &c->capacity, n, sizeof *c->members))
        r->out_of_memory = true;
    for (size_t i = 0; i < n && push(r, class, tuples[i]); i++)
        ;
    fit_box(r, class);
    return class;
}

void mgl_box_release_join(mgl_box_release *r, uint32_t class, uint32_t tuple)
{
    const mgl_box_space *s = r->space;
    mgl_box_class *c = &r->classes[class];
    if (!push(r, class, tuple) || class == 0)
        return;
    mgl_box_join(s, c->levels, c->members[0], tuple);
    c->cost = mgl_box_cost(s, c->levels, tuple);
}

void mgl_box_release_leave(mgl_box_release *r, uint32_t tuple)
{
    uint32_t class = r->class_of[tuple];
    mgl_box_class *c = &r->classes[class];
    size_t i = 0;
    while (c->members[i] != tuple)
        i++;
    c->members[i] = c->members[--c->n];
    c->rows -= r->space->rows[tuple];
    r->class_of[tuple] = MGL_NOT_FOUND;
    if (class > 0 && c->n == 0)
        r->empty[r->n_empty++] = class;
    fit_box(r, class);
}

void mgl_box_release_dissolve(mgl_box_release *r, uint32_t class)
{
    mgl_box_class *c = &r->classes[class];
    for (size_t i = 0; i < c->n; i++)
        r->class_of[c->members[i]] = MGL_NOT_FOUND;
    if (class > 0 && c->n > 0)
        r->empty[r->n_empty++] = class;
    c->n = 0;
    c->rows = 0;
}

uint64_t mgl_box_release_cost(const mgl_box_release *r)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < r->n_classes; c++)
        sum += r->classes[c].rows * r->classes[c].cost;
    return sum;
}

void mgl_box_release_copy(mgl_box_release *to, const mgl_box_release *from)
{
    for (size_t c = 0; c < to->n_classes; c++)
        mgl_box_release_dissolve(to, (uint32_t)c);
    for (size_t c = 0; c < from->n_classes; c++) {
        const mgl_box_class *x = &from->classes[c];
        for (size_t i = 0; c == 0 && i < x->n; i++)
            mgl_box_release_join(to, 0, x->members[i]);
        if (c > 0 && x->n > 0)
            mgl_box_release_add(to, x->members, x->n);
    }
    to->out_of_memory = to->out_of_memory || from->out_of_memory;
}

/* Classes of a release that tuples join one by one. A class with more members than there are values
 * to count is summed up once, and a look at it takes no longer the larger it is. */

struct mgl_box_growing {
    mgl_box_release *release;
    mgl_box_judge *judge;
    mgl_running_group **sums; /* [class] NULL: not summed up */
    size_t n_sums, capacity;
    size_t least;      /* members from which on a class is summed up */
    uint32_t *members; /* [n] of a class that is not */
};

mgl_status mgl_box_growing_new(mgl_box_release *release, mgl_box_judge *judge, mgl_error *err,
                               mgl_box_growing **out)
{
    const mgl_box_space *s = release->space;
    mgl_box_growing *g;
    MGL_TRY(mgl_new_zeroed(1, sizeof *g, err, &g));
    g->release = release;
    g->judge = judge;
    /* Persons are counted once in a class, and the population under its box is none of its tuples':
     * sums do not show these. */
    bool sums = s->looks && s->problem->list->persons == NULL && s->problem->population == NULL;
    g->least = sums ? mgl_running_group_values(s->problem->list) : SIZE_MAX;
    g->members = mgl_alloc_array(s->n, sizeof *g->members);
    if (g->members == NULL) {
        mgl_box_growing_free(g);
        return mgl_fail_memory(err);
    }
    *out = g;
    return MGL_OK;
}

void mgl_box_growing_free(mgl_box_growing *g)
{
    if (g == NULL)
        return;
    for (size_t c = 0; c < g->n_sums; c++)
        mgl_running_group_free(g->sums[c]);
    mgl_free(g->sums);
    mgl_free(g->members);
    mgl_free(g);
}

static bool make_room(mgl_box_growing *g)
{
    size_t n = g->release->n_classes;
    if (!mgl_grow(&g->sums, &g->capacity, n, sizeof *g->sums))
        return false;
    for (; g->n_sums < n; g->n_sums++)
        g->sums[g->n_sums] = NULL;
    return true;
}

/* NULL: the members must be looked at. Without memory for sums that does as well. */
static mgl_running_group *sum_of(mgl_box_growing *g, uint32_t class)
{
    const mgl_box_class *c = &g->release->classes[class];
    if (c->n < g->least || !make_room(g))
        return NULL;
    mgl_running_group *sum = g->sums[class];
    if (sum != NULL ||
        mgl_running_group_new(g->release->space->problem->list, NULL, &sum) != MGL_OK)
        return sum;
    for (size_t i = 0; i < c->n; i++)
        mgl_running_group_join(sum, c->members[i]);
    g->sums[class] = sum;
    return sum;
}

static void forget(mgl_box_growing *g, uint32_t class)
{
    if (class >= g->n_sums)
        return;
    mgl_running_group_free(g->sums[class]);
    g->sums[class] = NULL;
}

bool mgl_box_growing_holds(mgl_box_growing *g, uint32_t class)
{
    const mgl_box_space *s = g->release->space;
    const mgl_box_class *c = &g->release->classes[class];
    mgl_running_group *sum = c->rows >= s->need && s->history_mask == 0 ? sum_of(g, class) : NULL;
    if (sum == NULL)
        return mgl_box_holds(g->judge, c->members, c->n);
    return box_group_holds(s, mgl_running_group_now(sum));
}

bool mgl_box_growing_may_join(mgl_box_growing *g, uint32_t class, uint32_t tuple)
{
    const mgl_box_space *s = g->release->space;
    const mgl_box_class *c = &g->release->classes[class];
    if (!s->judged)
        return true;
    mgl_running_group *sum = c->rows >= s->need && s->history_mask == 0 ? sum_of(g, class) : NULL;
    if (sum != NULL)
        return box_group_holds(s, mgl_running_group_with(sum, tuple));
    memcpy(g->members, c->members, c->n * sizeof *c->members);
    g->members[c->n] = tuple;
    return mgl_box_holds(g->judge, g->members, c->n + 1);
}

void mgl_box_growing_join(mgl_box_growing *g, uint32_t class, uint32_t tuple)
{
    mgl_box_release_join(g->release, class, tuple);
    if (class < g->n_sums && g->sums[class] != NULL)
        mgl_running_group_join(g->sums[class], tuple);
}

void mgl_box_growing_take_in(mgl_box_growing *g, uint32_t class, uint32_t other)
{
    const mgl_box_class *c = &g->release->classes[other];
    size_t n = c->n;
    memcpy(g->members, c->members, n * sizeof *c->members);
    mgl_box_release_dissolve(g->release, other);
    forget(g, other);
    for (size_t i = 0; i < n; i++)
        mgl_box_growing_join(g, class, g->members[i]);
}
