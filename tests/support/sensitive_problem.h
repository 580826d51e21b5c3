/* Random problems with sensitive attributes and models on them. */
#ifndef MGL_TESTS_SENSITIVE_PROBLEM_H
#define MGL_TESTS_SENSITIVE_PROBLEM_H

#include "random_problem.h"
#include "sensitive.h"

enum { MOST_MODELS = 8 };

typedef struct sensitive_problem {
    random_problem random;
    sensitive_facts facts;
    mgl_hierarchy *hierarchies[SENSITIVE_ATTRIBUTES];
    uint32_t *strong[SENSITIVE_ATTRIBUTES];
    mgl_model models[MOST_MODELS];
    char told[256]; /* the models, for messages */
} sensitive_problem;

/* False if memory is out. Free with sensitive_problem_free. */
bool sensitive_problem_make(sensitive_problem *p, uint64_t seed);
void sensitive_problem_free(sensitive_problem *p);

/* From 0 to 1, in steps of a thousandth. */
double random_fraction(mgl_random *random);

#endif
