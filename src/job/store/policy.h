/* Policies: sets of models with a name, built in or in a file of their own. */
#ifndef MGL_JOB_STORE_POLICY_H
#define MGL_JOB_STORE_POLICY_H

#include "job/store/entries.h"

typedef struct mgl_policy_rule {
    const char *text;  /* a model and its parameters: "k-anonymity 5" */
    bool if_sensitive; /* only where there are sensitive columns */
} mgl_policy_rule;

enum { MGL_MOST_RULES = 4 };

typedef struct mgl_policy {
    const char *name;
    const char *when;                      /* when to use it */
    mgl_policy_rule rules[MGL_MOST_RULES]; /* up to the first without a text */
} mgl_policy;

/* Those that are built in. */
const mgl_policy *mgl_policies(size_t *n);
const mgl_policy *mgl_policy_find(mgl_span name); /* NULL: none of that name */

/* The models of the policy an entry names, as a job that holds nothing else. In it the
 * attribute "any" stands for every sensitive column. Free with mgl_job_free. MGL_USAGE if
 * it is no known name or the file is wrong, MGL_DATA if the file is not there. */
mgl_status mgl_policy_read(const mgl_entry *entry, bool sensitive, mgl_error *err, mgl_job **out);

/* The same from what mgl_job_policy_json made of it. */
mgl_status mgl_policy_recall(const json_t *recorded, mgl_error *err, mgl_job **out);

#endif
