/* The suppressor: what its files share. Inside the room only. */
#ifndef MGL_SEARCH_NODE_SUPPRESSOR_H
#define MGL_SEARCH_NODE_SUPPRESSOR_H

#include "search/node/population_matches.h"
#include "search/node/suppress.h"

struct mgl_suppressor {
    const mgl_problem *problem;
    mgl_pool *pool;             /* whose threads share loops over many tuples; NULL: one does all */
    mgl_population *population; /* NULL: no model looks at it */
    uint64_t *matching;         /* [n_tuples] per class: rows of the population */
    uint64_t *weights;          /* [n_tuples] per class of the release: what its rows weigh */
    uint32_t *n_values;         /* [a], then that of the pasts */
    uint32_t **cells;           /* [a] those at hand, then the pasts: they tell apart
                                   what looks alike, as a column would that is never generalized */
    uint32_t **attributes;      /* [n_sets] of each quasi-identifier, then the pasts */
    size_t *past_start;         /* [n_pasts + 1] where the tuples of each past lie */
    uint32_t *past_tuples;      /* [n_tuples] */
    uint32_t *gathered;         /* [n_tuples] */
    size_t n_pasts;             /* 0: earlier releases do not matter, or models look at them */
    uint8_t *tuples;            /* [n_tuples] */
    uint32_t *group_of;         /* [n_tuples] MGL_NOT_FOUND: in none */
    uint32_t *numbers;          /* [n_tuples + n_pasts + 1] classes and rows at the top, numbered
                                   anew for models of the whole table */
    uint8_t *bad;               /* [n_tuples] per class: violates */
    uint64_t *live;             /* [n_tuples] per class: rows that are not suppressed */
    mgl_classes *of_set;        /* [n_sets] classes on each quasi-identifier */
    mgl_classes whole;          /* classes on all attributes, if there are several sets */
    bool whole_known;           /* they are those of the cells at hand */
    mgl_group_maker *maker;     /* NULL if all models look at sizes only */
    mgl_joiner *joiner;         /* NULL: rows are looked at one by one */
};

/* ---- Groups of tuples, as models judge them -------------------------------------------- */

/* Takes over a partition: group_of[t] is the group of tuple t, or MGL_NOT_FOUND. */
void mgl_suppressor_begin_groups(mgl_suppressor *s, size_t n_groups);

/* One of these groups, as far as the models of the problem look at it; with so many matching rows
 * of the population, if there is a table of it. */
static inline mgl_group mgl_suppressor_group(mgl_suppressor *s, size_t number, uint64_t population)
{
    mgl_group group = {.size = s->live[number], .rows = s->live[number]};
    if (s->maker != NULL)
        group = *mgl_group_maker_group(s->maker, number);
    if (s->population != NULL)
        group.population = population;
    return group;
}

/* Do the class-wise models of the set hold for a class? Of classes that have one past each, models
 * on pasts say what the others do. */
static inline bool mgl_suppressor_set_holds(const mgl_suppressor *s, const mgl_quasi_set *set,
                                            const mgl_group *group)
{
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS &&
            (s->n_pasts == 0 || set->models[m].joint == NULL) &&
            !mgl_model_holds(&set->models[m], group))
            return false;
    return true;
}

/* Does the tuple read as the top on this quasi-identifier? */
static inline bool mgl_tuple_is_top(const mgl_problem *p, size_t q, uint32_t *const *cells,
                                    size_t t)
{
    for (size_t i = 0; i < p->sets[q].n_attributes; i++) {
        uint32_t a = p->sets[q].attributes[i];
        if (cells[a][t] != p->columns[a]->top)
            return false;
    }
    return true;
}

/* ---- Complementary suppression (complement.c) -------------------------------------------- */

/* Do the suppressed rows hold as a class, together with rows that look like them? Where there are
 * pasts, those of each. */
bool mgl_suppressor_top_holds(mgl_suppressor *s, uint32_t *const *cells);
/* The smallest class joins the suppressed rows. False if there is none left. */
bool mgl_suppressor_add_smallest(mgl_suppressor *s, uint32_t *const *cells);
/* For one quasi-identifier: in every past classes join the suppressed rows until these hold. False
 * if they cannot. */
bool mgl_suppressor_complement_pasts(mgl_suppressor *s, uint32_t *const *cells);

#endif
