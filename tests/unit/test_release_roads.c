/* The same job from a file or an Arrow table to text or an Arrow table in memory: four roads, one
 * release. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "io/io.h"
#include "mingle.h"
#include "road_table.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Jobs ---------------------------------------------------------------------------------- */

typedef struct variant {
    const char *name;
    const char *keys; /* "k=3|method=mingen" */
} variant;

#define USUAL                                                                                      \
    "qi=age,zip,sex|identifier=person,code|insensitive=ward|seed=5|threads=1|allow-leaks=true|"
#define KEPT USUAL "keep-order=true|"

static const variant variants[] = {
    {"keep", KEPT "insensitive=disease|k=3|suppress=20%|suppressed=keep"},
    {"drop", KEPT "insensitive=disease|k=5|suppress=40%|suppressed=drop"},
    {"exempt", KEPT "insensitive=disease|k=5|suppress=40%|suppressed=exempt"},
    {"random order", USUAL "insensitive=disease|k=3|suppress=20%"},
    {"random order, dropped", USUAL "insensitive=disease|k=5|suppress=40%|suppressed=drop"},
    {"local suppression", KEPT "insensitive=disease|k=3|method=local-suppression"},
    {"mondrian", KEPT "insensitive=disease|k=3|method=mondrian"},
    {"microaggregate",
     "qi=age|identifier=person,code,zip,sex|insensitive=ward,disease|keep-order=true|"
     "allow-leaks=true|k=3|method=microaggregate|threads=1"},
    {"aggregated columns",
     KEPT "insensitive=disease|k=3|method=mingen|aggregate=age=mean,sex=mode|suppress=20%"},
    {"aggregated columns, persons, random order",
     "qi=age,zip,sex|identifier=person,code|entity=person|insensitive=ward,disease|k=2|seed=5|"
     "threads=1|allow-leaks=true|method=cell|aggregate=age=range,sex=mode|suppress=40%"},
    {"cell", KEPT "insensitive=disease|k=3|method=cell|suppress=10%"},
    {"l-diversity", KEPT "sensitive=disease|k=3|l-diversity=disease=2|suppress=40%"},
    {"spelling", KEPT "sensitive=disease|k=3|fold-case=true|suppress=40%"},
    {"entity", "qi=age,zip,sex|identifier=person,code|entity=person|insensitive=ward,disease|"
               "keep-order=true|allow-leaks=true|k=2|suppress=40%|threads=2"},
    {"joined persons",
     "qi=age,zip,sex|identifier=person,code|entity=person|entity-view=joined|suppressed=drop|"
     "insensitive=ward,disease|method=mingen|keep-order=true|allow-leaks=true|k=2|suppress=60%|"
     "threads=2"},
    {"linked persons",
     "qi=age,zip,sex|identifier=code|entity=person|entity-view=joined|suppressed=drop|"
     "treat=person=pseudonym|key=env:KEY_OF_ROADS|insensitive=ward,disease|method=incognito|"
     "keep-order=true|allow-leaks=true|k=2|suppress=60%|threads=2"},
    {"condition", KEPT "insensitive=disease|k=3|suppress=40%|where=ward <> 'east' and age >= 22"},
    {"condition, random order",
     USUAL "insensitive=disease|k=2|suppress=40%|where=ward in ('east', 'west')"},
    {"condition, spelling",
     KEPT "sensitive=disease|k=2|fold-case=true|suppress=60%|suppressed=drop|"
          "where=disease <> 'flu'"},
    {"sample", KEPT "insensitive=disease|k=3|suppress=40%|sample=70%|sample-seed=4"},
    {"sample of persons",
     "qi=age,zip,sex|identifier=person,code|entity=person|insensitive=ward,disease|"
     "keep-order=true|allow-leaks=true|k=2|suppress=60%|threads=2|sample=15|sample-seed=4"},
};

static void set_keys(mgl_job *job, const char *keys)
{
    char copy[1024], *save = NULL;
    mgl_error err;
    snprintf(copy, sizeof copy, "%s", keys);
    for (char *key = strtok_r(copy, "|", &save); key != NULL; key = strtok_r(NULL, "|", &save)) {
        char *value = strchr(key, '=');
        *value++ = '\0';
        if (mgl_job_add(job, key, value, &err) != MGL_OK)
            fail_msg("%s: %s", key, err.message);
    }
}

typedef struct road {
    bool arrow_in, arrow_out;
} road;

/* The job of a road: "memory:table" or "memory:table.csv" is given to it. */
static mgl_job *make_job(arrow_maker *maker, road road, const char *text, const char *keys)
{
    mgl_job *job;
    mgl_error err;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    if (road.arrow_in) {
        struct ArrowArrayStream stream;
        road_table_stream(maker, &stream);
        if (mgl_job_give_stream(job, "table", &stream, &err) != MGL_OK)
            fail_msg("%s", err.message);
    } else {
        assert_int_equal(mgl_job_give_bytes(job, "table.csv", text, strlen(text), NULL, NULL, &err),
                         MGL_OK);
    }
    set_keys(job, road.arrow_in ? "data=memory:table" : "data=memory:table.csv");
    set_keys(job, road.arrow_out ? "output=memory:release" : "output=memory:release.csv");
    set_keys(job, keys);
    return job;
}

static mgl_result *run(mgl_job *job, const char *command, const char *name)
{
    mgl_result *result;
    mgl_error err;
    if (mgl_job_run(job, command, &err, &result) != MGL_OK)
        fail_msg("%s: %s", name, err.message);
    return result;
}

/* ---- Releases as text ---------------------------------------------------------------------- */

static void append(char **at, mgl_span cell, char end)
{
    memcpy(*at, cell.data, cell.size);
    *at += cell.size;
    *(*at)++ = end;
}

/* A null is an empty cell. */
static char *text_of_table(const mgl_arrow_table *table)
{
    char *text = malloc(ROAD_ROWS * ROAD_COLUMNS * 64), *at = text, room[MGL_ARROW_ROOM];
    for (size_t c = 0; c < table->n_columns; c++)
        append(&at, mgl_span_of(table->columns[c].name), c + 1 < table->n_columns ? ',' : '\n');
    for (size_t b = 0; b < table->n_batches; b++)
        for (size_t r = 0; r < (size_t)table->batches[b].length; r++)
            for (size_t c = 0; c < table->n_columns; c++) {
                mgl_arrow_cells cells = mgl_arrow_cells_of(table, b, c);
                bool null = mgl_arrow_is_null(&cells, r);
                size_t i = r;
                if (!null && table->columns[c].encoded) {
                    i = mgl_arrow_index_at(&cells, r);
                    cells = mgl_arrow_entries_of(table, b, c);
                }
                append(&at, null ? (mgl_span){"", 0} : mgl_arrow_show(&cells, i, room),
                       c + 1 < table->n_columns ? ',' : '\n');
            }
    *at = '\0';
    return text;
}

static mgl_arrow_table *import(const mgl_result *result)
{
    struct ArrowArrayStream stream;
    mgl_arrow_table *table;
    mgl_error err;
    if (mgl_result_stream(result, "release", &err, &stream) != MGL_OK ||
        mgl_arrow_import(&stream, "release", NULL, &err, &table) != MGL_OK)
        fail_msg("%s", err.message);
    return table;
}

static char *text_of(const mgl_result *result, road road)
{
    const void *data;
    size_t size;
    if (road.arrow_out) {
        mgl_arrow_table *table = import(result);
        char *text = text_of_table(table);
        mgl_arrow_release(table);
        return text;
    }
    assert_int_equal(mgl_result_bytes(result, "release.csv", NULL, &data, &size), MGL_OK);
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

static const road roads[] = {{false, false}, {false, true}, {true, false}, {true, true}};
enum { ROADS = 4 };

static void nothing_is_left(const arrow_maker *maker)
{
    assert_int_equal(maker->schemas, 0);
    assert_int_equal(maker->arrays, 0);
    assert_int_equal(maker->streams, 0);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static void four_roads_lead_to_one_release(void **state)
{
    (void)state;
    char *table = road_table_text();
    for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
        char *expected = NULL;
        for (size_t i = 0; i < ROADS; i++) {
            arrow_maker maker = {0};
            mgl_job *job = make_job(&maker, roads[i], table, variants[v].keys);
            mgl_result *result = run(job, "anonymize", variants[v].name);
            mgl_job_free(job);
            char *text = text_of(result, roads[i]);
            mgl_result_free(result);
            nothing_is_left(&maker);
            if (expected == NULL)
                expected = text;
            else if (strcmp(text, expected) != 0)
                fail_msg("%s, road %zu: other rows\n%s\n%s", variants[v].name, i, expected, text);
            if (text != expected)
                free(text);
        }
        free(expected);
    }
    free(table);
}

/* A recoding is saved by one run and applied by another; a release is the history of the next. */
static void recodings_and_histories_work_on_all_roads(void **state)
{
    (void)state;
    static const char keys[] = KEPT "insensitive=disease|k=3|suppress=20%";
    char *table = road_table_text(), *applied = NULL, *later = NULL;
    for (size_t i = 0; i < ROADS; i++) {
        arrow_maker maker = {0};
        mgl_error err;
        const void *recoding;
        size_t size;
        mgl_job *job = make_job(&maker, roads[i], table, keys);
        set_keys(job, "save-recoding=memory:r.rec");
        mgl_result *first = run(job, "anonymize", "save");
        mgl_job_free(job);
        assert_int_equal(mgl_result_bytes(first, "r.rec", &err, &recoding, &size), MGL_OK);

        job = make_job(&maker, roads[i], table, "keep-order=true|allow-leaks=true");
        assert_int_equal(mgl_job_give_bytes(job, "r.rec", recoding, size, NULL, NULL, &err),
                         MGL_OK);
        set_keys(job, "recoding=memory:r.rec");
        mgl_result *second = run(job, "apply", "apply");
        mgl_job_free(job);
        char *text = text_of(second, roads[i]);
        if (applied == NULL)
            applied = text;
        else
            assert_string_equal(text, applied);
        if (text != applied)
            free(text);

        job = make_job(
            &maker, roads[i], table,
            "qi=age,zip,sex|identifier=person,code|insensitive=ward,disease|keep-order=true|"
            "allow-leaks=true|k=2|suppress=60%|threads=2");
        assert_int_equal(mgl_job_give_bytes(job, "r.rec", recoding, size, NULL, NULL, &err),
                         MGL_OK);
        set_keys(job, "history=memory:r.rec");
        mgl_result *third = run(job, "anonymize", "history");
        mgl_job_free(job);
        text = text_of(third, roads[i]);
        if (later == NULL)
            later = text;
        else
            assert_string_equal(text, later);
        if (text != later)
            free(text);
        mgl_result_free(first);
        mgl_result_free(second);
        mgl_result_free(third);
        nothing_is_left(&maker);
    }
    free(applied);
    free(later);
    free(table);
}

static const char plain[] = USUAL "insensitive=disease|k=3|suppress=20%|brief=true";

/* Whoever takes streams may release them, their batches and columns in any order, on any thread. */
static void *take_apart(void *argument)
{
    struct ArrowArrayStream *stream = argument;
    struct ArrowSchema schema;
    struct ArrowArray batch, column;
    if (stream->get_schema(stream, &schema) != 0 || stream->get_next(stream, &batch) != 0)
        return "no batch";
    column = *batch.children[0];
    batch.children[0]->release = NULL; /* moved out */
    stream->release(stream);
    batch.release(&batch);
    schema.release(&schema);
    bool told = column.length > 0 && column.buffers[1] != NULL && column.dictionary != NULL;
    column.release(&column);
    return told ? NULL : "no column";
}

static void streams_outlive_the_result_and_are_released_anywhere(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    arrow_maker maker = {0};
    char *table = road_table_text();
    struct ArrowArrayStream streams[THREADS];
    pthread_t threads[THREADS];
    mgl_job *job = make_job(&maker, (road){true, true}, table, KEPT "insensitive=disease|k=3");
    mgl_result *result = run(job, "anonymize", "streams");
    mgl_job_free(job);
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(mgl_result_stream(result, "release", NULL, &streams[i]), MGL_OK);
    mgl_result_free(result);
    assert_true(maker.arrays > 0); /* buffers of wards and diseases are shared */
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, take_apart, &streams[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *said;
        assert_int_equal(pthread_join(threads[i], &said), 0);
        assert_null(said);
    }
    nothing_is_left(&maker);
    free(table);
}

static void a_release_that_is_refused_is_not_on_the_shelf(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    char *table = road_table_text();
    mgl_error err;
    mgl_result *result = NULL;
    mgl_job *job = make_job(&maker, (road){true, true}, table,
                            "qi=age,zip,sex|identifier=person|insensitive=ward,disease,code|k=3|"
                            "suppress=20%|threads=1");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_UNMET); /* the leak guard */
    assert_non_null(strstr(err.message, "code"));
    assert_null(result);
    mgl_job_free(job);
    job = make_job(&maker, (road){true, true}, table, plain);
    set_keys(job, "neutralize=true");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_USAGE);
    assert_non_null(strstr(err.message, "neutralize"));
    mgl_job_free(job);
    nothing_is_left(&maker);
    free(table);
}

static int stop_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    return strcmp(stage, user) == 0;
}

static void a_release_can_be_cancelled_until_it_is_verified(void **state)
{
    (void)state;
    static char stages[][8] = {"read", "write", "verify"};
    char *table = road_table_text();
    for (size_t i = 1; i < ROADS; i += 2)
        for (size_t at = 0; at < sizeof stages / sizeof stages[0]; at++) {
            arrow_maker maker = {0};
            mgl_result *result = NULL;
            mgl_error err;
            mgl_job *job = make_job(&maker, roads[i], table, plain);
            mgl_job_on_progress(job, stop_at, stages[at]);
            assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_CANCELLED);
            assert_null(result);
            mgl_job_free(job);
            nothing_is_left(&maker);
        }
    free(table);
}

/* Counts what is there. */
static void *count_allocate(void *user, size_t size)
{
    atomic_fetch_add((_Atomic long *)user, 1);
    return malloc(size);
}

static void *count_reallocate(void *user, void *data, size_t size)
{
    (void)user;
    return realloc(data, size);
}

static void count_release(void *user, void *data)
{
    atomic_fetch_sub((_Atomic long *)user, 1);
    free(data);
}

static void streams_give_back_to_the_allocator_of_their_session(void **state)
{
    (void)state;
    _Atomic long there = 0;
    mgl_allocator allocator = {count_allocate, count_reallocate, count_release, &there};
    mgl_session_options options = {.size = sizeof options, .threads = 2, .allocator = &allocator};
    char *table = road_table_text();
    for (size_t i = 1; i < ROADS; i += 2) {
        arrow_maker maker = {0};
        mgl_session *session;
        mgl_result *result;
        struct ArrowArrayStream stream;
        mgl_error err;
        mgl_job *job =
            make_job(&maker, roads[i], table,
                     "qi=age,zip,sex|identifier=person,code|insensitive=ward,disease|k=3|"
                     "suppress=20%|keep-order=true|allow-leaks=true");
        if (mgl_session_open(job, &options, &err, &session) != MGL_OK ||
            mgl_session_run(session, "anonymize", job, &err, &result) != MGL_OK ||
            mgl_result_stream(result, "release", &err, &stream) != MGL_OK)
            fail_msg("%s", err.message);
        mgl_session_close(session);
        mgl_job_free(job);
        mgl_result_free(result);
        assert_true(there > 0);
        assert_null(take_apart(&stream));
        assert_int_equal(there, 0);
        nothing_is_left(&maker);
    }
    free(table);
}

static void other_names_are_told_apart(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    char *table = road_table_text();
    struct ArrowArrayStream stream;
    mgl_error err;
    const void *data;
    size_t size;
    mgl_job *job = make_job(&maker, (road){false, true}, table, plain);
    mgl_result *result = run(job, "anonymize", "names");
    assert_int_not_equal(mgl_result_stream(result, "other", &err, &stream), MGL_OK);
    assert_int_equal(mgl_result_bytes(result, "release", &err, &data, &size), MGL_USAGE);
    mgl_result_free(result);
    mgl_job_free(job);
    job = make_job(&maker, (road){false, false}, table, plain);
    result = run(job, "anonymize", "names");
    assert_int_equal(mgl_result_stream(result, "release.csv", &err, &stream), MGL_USAGE);
    mgl_result_free(result);
    mgl_job_free(job);
    free(table);
}

static void every_failed_allocation_of_a_release_is_told(void **state)
{
    (void)state;
    static const char small[] = "qi=zip,sex|identifier=person,code,age|insensitive=ward,disease|"
                                "k=2|suppress=20%|seed=5|threads=1|allow-leaks=true|brief=true|"
                                "method=datafly";
    char *table = road_table_text();
    for (size_t i = 1; i < ROADS; i += 2) {
        arrow_maker maker = {0};
        int failed = 0;
        for (uint64_t n = 1;; n++) {
            mgl_error err = {0};
            mgl_result *result = NULL;
            struct ArrowArrayStream stream;
            mgl_job *job = make_job(&maker, roads[i], table, small);
            mgl_fault_arm(MGL_FAULT_MEMORY, n);
            mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
            if (status == MGL_OK)
                status = mgl_result_stream(result, "release", &err, &stream);
            bool hit = mgl_fault_count(MGL_FAULT_MEMORY) >= n;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            if (status == MGL_OK) {
                struct ArrowArray batch;
                assert_int_equal(stream.get_next(&stream, &batch), 0);
                batch.release(&batch);
                stream.release(&stream);
            }
            if (status != MGL_OK && (!hit || status != MGL_SYSTEM || err.message[0] == '\0'))
                fail_msg("fault %d: status %d, %s", (int)n, (int)status, err.message);
            failed += status != MGL_OK;
            mgl_result_free(result);
            mgl_job_free(job);
            nothing_is_left(&maker);
            if (!hit)
                break;
        }
        assert_true(failed > 100);
    }
    free(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_roads_lead_to_one_release),
        cmocka_unit_test(recodings_and_histories_work_on_all_roads),
        cmocka_unit_test(streams_outlive_the_result_and_are_released_anywhere),
        cmocka_unit_test(a_release_that_is_refused_is_not_on_the_shelf),
        cmocka_unit_test(a_release_can_be_cancelled_until_it_is_verified),
        cmocka_unit_test(streams_give_back_to_the_allocator_of_their_session),
        cmocka_unit_test(other_names_are_told_apart),
        cmocka_unit_test(every_failed_allocation_of_a_release_is_told),
    };
    setenv("KEY_OF_ROADS", "sixteen bytes and more", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
