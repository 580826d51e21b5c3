/* One job on several roads: what it reads and writes are files, bytes in memory, or Arrow tables in
 * memory. Tests that compare them write the files first; every road begins with these. */
#ifndef ROADS_H
#define ROADS_H

#include "arrow_maker.h"
#include "brute.h"
#include "mingle.h"

#include <jansson.h>

typedef enum road_form { ROAD_FILE, ROAD_BYTES, ROAD_TABLE, ROAD_FORMS } road_form;

/* What was given to jobs and not yet given back, and what draws types and batches. */
typedef struct roads {
    arrow_maker maker;
    long bytes;
    brute_random random;
} roads;

enum { ROAD_NAME = 80 };

/* Gives the content of the file to the job and tells where the job finds it: "a.csv",
 * "memory:a.csv" or "memory:a". header: the first line has the names of a table's columns. */
mgl_status road_try_give(roads *roads, mgl_job *job, const char *file, road_form form, bool header,
                         char location[ROAD_NAME], mgl_error *err);
/* The same, and fails the test if it is refused. */
void road_give(roads *roads, mgl_job *job, const char *file, road_form form, bool header,
               char location[ROAD_NAME]);
/* Where an output of this form goes. */
void road_name(const char *file, road_form form, char location[ROAD_NAME]);
/* Fails the test unless everything that was given has been given back. */
void road_expect_all_returned(const roads *roads);

/* A released table: each row as one text, cells closed by |, missing ones empty. The first row has
 * the names of columns. */
typedef struct road_rows {
    size_t n;
    char **rows;
} road_rows;

/* What the result has at the location, which road_name told; a file is read and removed. */
void road_read(const mgl_result *result, const char *location, road_form form, road_rows *out);
void road_rows_free(road_rows *rows);
/* Sorts all rows but the names, for releases in random order. */
void road_sort(road_rows *rows);
/* Fails the test, with the words, if they differ. */
void road_expect_same_rows(const road_rows *expected, const road_rows *found, const char *words);

/* The result without what is measured by the clock or names and describes files, as text; free()
 * it. What remains is the same on every road. */
char *road_document(const mgl_result *result);

#endif
