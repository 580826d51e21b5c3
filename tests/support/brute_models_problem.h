/* A table with models as the problem that searches are given, made by the flow from files. */
#ifndef BRUTE_MODELS_PROBLEM_H
#define BRUTE_MODELS_PROBLEM_H

#include "brute_models.h"
#include "findings/findings.h"
#include "steps.h"
#include "search/fulldomain/datafly.h"

typedef struct brute_made {
    mgl_job *job;
    steps steps;
    mgl_by_set preference[BRUTE_ATTRIBUTES];
    mgl_datafly_options options;
    mgl_problem problem; /* a copy, to be changed */
    size_t tuple_of[BRUTE_ROWS];
} brute_made;

/* Prints the table and fails the test. */
_Noreturn void brute_table_disagree(const brute_table *t, const char *what);

/* Writes the files. Models that no release can hold are not refused. Free with
 * brute_made_free. */
void brute_made_make(const brute_table *t, brute_made *out);
void brute_made_free(brute_made *m);

/* Another treatment and limit, another measure, of both. */
void brute_made_vary(brute_table *t, brute_made *m, brute_random *random,
                     brute_treatment treatment);
void brute_made_measure(brute_table *t, brute_made *m, int measure);

/* A random table with everything: all models and treatments, persons, a population, several
 * quasi-identifiers. Free with brute_made_free. */
void brute_made_with_everything(uint64_t seed, brute_treatment treatment, brute_random *random,
                                brute_table *t, brute_made *out);
/* What earlier releases show: some tuples look different there. The caller frees it. */
uint32_t *brute_random_histories(const mgl_problem *problem, brute_random *random);

/* Calls compare for random problems with everything: all models, treatments and measures, persons,
 * a population, several quasi-identifiers, in every fifth histories. MGL_TEST_SEED: for that one
 * only.
 */
typedef void brute_compare(mgl_problem *problem, uint64_t seed);
void brute_problems_with_everything(uint64_t first_seed, int cases, brute_compare *compare);

#endif
