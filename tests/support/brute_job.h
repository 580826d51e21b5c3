/* A brute-force case as files and a job, and results as JSON documents. */
#ifndef BRUTE_JOB_H
#define BRUTE_JOB_H

#include "brute.h"

#include "mingle.h"

#include <jansson.h>

/* Sets a key and fails the test if that is refused. */
void brute_set(mgl_job *job, const char *key, const char *value);

/* Lets the attributes appear in the sets in their order, as files need it. */
void brute_order_sets(brute_case *c);

/* Writes table.csv and a.csv, b.csv, ... to the current folder. */
void brute_write_files(const brute_case *c);

typedef enum brute_command { BRUTE_RUN, BRUTE_CHECK, BRUTE_COMPARE, BRUTE_NODES } brute_command;

/* A job over these files; without data and output. Free with mgl_job_free. */
mgl_job *brute_job(const brute_case *c, brute_command command);

/* The method of a job that runs one, with the options that are its own. */
void brute_set_method(const brute_case *c, mgl_job *job, const char *method);

/* The result as its document; both are freed by the caller. Fails the test otherwise. */
json_t *brute_document(const mgl_result *result);
double brute_number(const json_t *object, const char *path); /* "classes.min"; NAN: null */

#endif
