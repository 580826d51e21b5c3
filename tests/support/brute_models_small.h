/* Jobs over a small table.csv in the current folder. */
#ifndef BRUTE_MODELS_SMALL_H
#define BRUTE_MODELS_SMALL_H

#include "mingle.h"

#include <jansson.h>
#include <stdbool.h>

/* Keys and values, one after another, ending with NULL. */
#define KEYS(...) ((const char *const[]){"threads", "1", __VA_ARGS__, NULL})

/* Runs a command; its document, or NULL if it fails. Free with json_decref. */
json_t *small_run(const char *command, mgl_status *status, const char *const *keys);
/* Fails the test if the command does; if it does not end like this. */
json_t *small_must(const char *command, const char *const *keys);
void small_fails(const char *command, mgl_status wanted, const char *const *keys);

/* The number at a path ("classes.min") up to 1e-12; NAN: null. */
void small_says(const json_t *document, const char *path, double wanted);
/* Does model number so and so hold? */
bool small_holds(const json_t *document, size_t model);

#endif
