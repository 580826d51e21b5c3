/* Sends jobs on roads through files and through memory. Tests that compare these call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "roads.h"

#include "arrow_table.h"
#include "brute_files.h"
#include "brute_job.h"
#include "stream_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Giving -------------------------------------------------------------------------------------
 */

typedef struct given {
    roads *roads;
    char *data;
} given;

static void give_back(void *user)
{
    given *given = user;
    given->roads->bytes--;
    free(given->data);
    free(given);
}

static mgl_status give_bytes(roads *roads, mgl_job *job, const char *file, mgl_error *err)
{
    size_t size;
    given *given = malloc(sizeof *given);
    assert_non_null(given);
    *given = (struct given){roads, brute_read(file, &size)};
    assert_non_null(given->data);
    /* Without the zero behind it, so that the sanitizers see who reads beyond. */
    char *exact = realloc(given->data, size > 0 ? size : 1);
    given->data = exact != NULL ? exact : given->data;
    roads->bytes++;
    mgl_status status = mgl_job_give_bytes(job, file, given->data, size, give_back, given, err);
    if (status != MGL_OK)
        give_back(given);
    return status;
}

static mgl_status give_table(roads *roads, mgl_job *job, const char *file, bool header,
                             const char *name, mgl_error *err)
{
    size_t size;
    brute_csv csv;
    struct ArrowArrayStream stream;
    char *data = brute_read(file, &size);
    assert_non_null(data);
    assert_true(brute_csv_parse(data, size, ';', &csv));
    arrow_table_stream(&roads->maker, &csv, header, &roads->random, &stream);
    mgl_status status = mgl_job_give_stream(job, name, &stream, err);
    assert_null(stream.release);
    brute_csv_free(&csv);
    free(data);
    return status;
}

void road_name(const char *file, road_form form, char location[ROAD_NAME])
{
    const char *end = form == ROAD_TABLE ? strrchr(file, '.') : NULL;
    snprintf(location, ROAD_NAME, "%s%.*s", form == ROAD_FILE ? "" : "memory:",
             (int)(end != NULL ? end - file : (long)strlen(file)), file);
}

mgl_status road_try_give(roads *roads, mgl_job *job, const char *file, road_form form, bool header,
                         char location[ROAD_NAME], mgl_error *err)
{
    road_name(file, form, location);
    if (form == ROAD_BYTES)
        return give_bytes(roads, job, file, err);
    if (form == ROAD_TABLE)
        return give_table(roads, job, file, header, location + strlen("memory:"), err);
    return MGL_OK;
}

void road_give(roads *roads, mgl_job *job, const char *file, road_form form, bool header,
               char location[ROAD_NAME])
{
    mgl_error err = {0};
    if (road_try_give(roads, job, file, form, header, location, &err) != MGL_OK)
        fail_msg("%s: %s", file, err.message);
}

void road_expect_all_returned(const roads *roads)
{
    assert_int_equal(roads->bytes, 0);
    assert_int_equal(roads->maker.schemas, 0);
    assert_int_equal(roads->maker.arrays, 0);
    assert_int_equal(roads->maker.streams, 0);
}

/* ---- Rows ---------------------------------------------------------------------------------------
 */

static char *join(const char *const *cells, size_t n)
{
    brute_text row = {0};
    brute_append(&row, "", 0);
    for (size_t c = 0; c < n; c++) {
        if (cells[c] != NULL && strcmp(cells[c], "NA") != 0)
            brute_append_text(&row, cells[c]);
        brute_append_text(&row, "|");
    }
    brute_append(&row, "", 1);
    return row.data;
}

static void read_text(const char *data, size_t size, road_rows *out)
{
    brute_csv csv;
    /* Tables that were no text get commas. */
    const char *end = memchr(data, '\n', size);
    assert_non_null(end);
    bool semicolons = memchr(data, ';', (size_t)(end - data)) != NULL;
    assert_true(brute_csv_parse(data, size, semicolons ? ';' : ',', &csv));
    out->n = csv.n_rows;
    out->rows = calloc(out->n + 1, sizeof *out->rows);
    for (size_t r = 0; r < csv.n_rows; r++)
        out->rows[r] = join((const char *const *)csv.value + r * csv.n_columns, csv.n_columns);
    brute_csv_free(&csv);
}

static void read_table(const mgl_result *result, const char *name, road_rows *out)
{
    mgl_error err = {0};
    struct ArrowArrayStream stream;
    streamed table;
    if (mgl_result_stream(result, name, &err, &stream) != MGL_OK)
        fail_msg("%s: %s", name, err.message);
    streamed_read(&stream, &table);
    out->n = table.n_rows + 1;
    out->rows = calloc(out->n + 1, sizeof *out->rows);
    out->rows[0] = join((const char *const *)table.names, table.n_columns);
    for (size_t r = 0; r < table.n_rows; r++)
        out->rows[r + 1] =
            join((const char *const *)table.cells + r * table.n_columns, table.n_columns);
    streamed_free(&table);
}

void road_read(const mgl_result *result, const char *location, road_form form, road_rows *out)
{
    const char *name = location + strlen("memory:");
    mgl_error err = {0};
    *out = (road_rows){0};
    if (form == ROAD_TABLE) {
        read_table(result, name, out);
    } else if (form == ROAD_BYTES) {
        const void *data;
        size_t size;
        if (mgl_result_bytes(result, name, &err, &data, &size) != MGL_OK)
            fail_msg("%s: %s", name, err.message);
        read_text(data, size, out);
    } else {
        size_t size;
        char *data = brute_read(location, &size);
        assert_non_null(data);
        read_text(data, size, out);
        free(data);
        assert_int_equal(remove(location), 0);
    }
}

void road_rows_free(road_rows *rows)
{
    for (size_t r = 0; r < rows->n; r++)
        free(rows->rows[r]);
    free(rows->rows);
    *rows = (road_rows){0};
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void road_sort(road_rows *rows)
{
    if (rows->n > 1)
        qsort(rows->rows + 1, rows->n - 1, sizeof *rows->rows, compare_texts);
}

void road_expect_same_rows(const road_rows *expected, const road_rows *found, const char *words)
{
    if (expected->n != found->n)
        fail_msg("%s: %zu rows instead of %zu", words, found->n, expected->n);
    for (size_t r = 0; r < found->n; r++)
        if (strcmp(expected->rows[r], found->rows[r]) != 0)
            fail_msg("%s: row %zu is %s instead of %s", words, r, found->rows[r],
                     expected->rows[r]);
}

/* ---- Results ------------------------------------------------------------------------------------
 */

/* Removes the words wherever they stand. */
static void cut(char *text, const char *words)
{
    size_t size = strlen(words);
    for (char *at = strstr(text, words); at != NULL; at = strstr(at, words))
        memmove(at, at + size, strlen(at + size) + 1);
}

/* Files and things in memory are described by their sizes and hashes. */
static void forget_descriptions(json_t *value)
{
    const char *key;
    json_t *member;
    size_t i;
    if (json_is_object(value)) {
        json_object_del(value, "bytes");
        json_object_del(value, "sha256");
        json_object_del(value, "rows_sha256");
        json_object_foreach(value, key, member) forget_descriptions(member);
    }
    json_array_foreach(value, i, member) forget_descriptions(member);
}

/* What a spreadsheet would compute is a matter of text files alone. */
static void forget_formulas(json_t *warnings)
{
    for (size_t i = json_array_size(warnings); i-- > 0;) {
        const json_t *code = json_object_get(json_array_get(warnings, i), "code");
        if (code != NULL && strcmp(json_string_value(code), "formula-cells") == 0)
            json_array_remove(warnings, i);
    }
}

char *road_document(const mgl_result *result)
{
    json_t *document = brute_document(result), *audit = json_object_get(document, "audit");
    json_t *of_method;
    size_t i;
    json_object_del(document, "seconds");
    json_array_foreach(document, i, of_method) /* of a comparison */
        json_object_del(of_method, "seconds");
    forget_formulas(json_object_get(document, "warnings"));
    json_object_del(audit, "input");
    json_object_del(audit, "release");
    if (audit != NULL)
        forget_descriptions(audit);
    char *text = json_dumps(document, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    assert_non_null(text);
    json_decref(document);
    cut(text, "memory:");
    cut(text, ".csv");
    return text;
}
