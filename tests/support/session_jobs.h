/* What the tests of sessions share: a table, jobs on it, questions asked of a session and alone. */
#ifndef MGL_TESTS_SESSION_JOBS_H
#define MGL_TESTS_SESSION_JOBS_H

#include "mingle.h"

#include <jansson.h>

#define TABLE_KEYS                                                                                 \
    "qi", "age,zip,sex", "sensitive", "disease", "identifier", "id", "rest", "insensitive",        \
        "hierarchy", "zip=zip.csv", "hierarchy", "age=intervals(5,20)", "seed", "3"

/* A dry run of mingen with k 4 on that table. */
extern const char *const session_plain[];

/* Enters a folder with table.csv, all.csv (of which the former is a part) and zip.csv. */
int session_begin(void **state);
void session_write_rows(const char *path, int first, int n);
void session_write_zips(const char *path, const char *format);

/* keys: pairs, NULL at the end; nothing that belongs to a session. */
mgl_job *session_job(const char *const *keys);
mgl_session *session_open(const char *data);

/* Answers, without what differs from run to run. */
json_t *session_lasting(mgl_result *result); /* frees it */
json_t *session_ask(mgl_session *session, const char *command, const char *const *keys);
json_t *session_ask_alone(const char *command, const char *data, const char *const *keys);
void session_expect_same(json_t *on_session, json_t *alone); /* lets go of both */

#endif
