/* What the tests of the papers' figures share.
 *
 * A job is a job file of tests/seeds (or NULL) and pairs of key and value that come on top
 * of it, closed by NULL:
 *
 *     json_t *json = seed_result("anonymize", "000_fig7.yaml", "k", "2", "dry-run", "true", NULL);
 *
 * Whatever goes wrong fails the running test. Nodes are written as text: "(0,2,0,0)".
 */
#ifndef SEED_HELPERS_H
#define SEED_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>

#include "search/search.h"

/* Group set-up: goes to $SOURCE/tests/seeds, so that names of files are short there. */
int seed_enter(void **state);

/* The name of a file in the folder where the test was started. Lives until the next call. */
const char *seed_scratch(const char *name);

/* Runs a command; the result as JSON, json_decref when done. */
json_t *seed_result(const char *command, const char *job_file, ...);

/* Runs only the search of `anonymize`. Of the solution, its node and its numbers may be looked
 * at, not its recoding. Free with mgl_solution_free. */
mgl_solution *seed_solution(const char *job_file, ...);

/* The number at "utility.precision", "classes.min", ...; null is NAN. */
double seed_number(const json_t *json, const char *path);
void seed_expect(const json_t *json, const char *path, double expected);

/* {"Race": 0, "ZIP": 1} must read "(0,1)"; a list of these "(0,1) (1,0)". */
void seed_expect_nodes(const json_t *json, const char *path, const char *expected);

/* The row of a lattice that belongs to a node. */
const json_t *seed_lattice_row(const json_t *lattice, const char *node);

/* The printed table must have this k and this number of classes on the columns qi. */
void seed_expect_check(const char *file, const char *qi, double k, double n_classes);

/* The data of the job generalized to the levels ("Race=1..1,ZIP=0..0"), row by row in order,
 * must be the printed table. */
void seed_expect_release_at(const char *job_file, const char *levels, const char *printed);

/* The bytes of both files must be equal. */
void seed_expect_same_file(const char *got, const char *expected);

/* The frequency list of the columns qi of a file: lines "black,1965,male,02141: 2" in any
 * order, closed by NULL. */
void seed_expect_frequencies(const char *file, const char *qi, const char *const *lines);

/* How many distinct values the column has. */
double seed_distinct(const char *file, const char *column);

/* Each QI cell of the release must generalize the cell of the same row of the job's data. */
void seed_expect_generalization(const char *job_file, const char *release);

#endif
