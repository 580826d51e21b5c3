/* Whole jobs in memory when memory runs out at any place, when the producer of a table fails or
 * lies, and when they are cancelled: each ends with an error, gives back all it was given, and the
 * next job works. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute_files.h"
#include "roads.h"
#include "stream_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The job ------------------------------------------------------------------------------------
 */

enum { ROWS = 24 };

static void write_files(void)
{
    brute_text text = {0};
    brute_append_text(&text, "age;sex;s;note\n");
    for (int r = 0; r < ROWS; r++) {
        char line[80];
        snprintf(line, sizeof line, "%d;%s;s%d;%s\n", 20 + r * 7 % 40,
                 r % 11 == 0  ? ""
                 : r % 2 == 0 ? "female"
                              : "male",
                 r % 3, r % 5 == 0 ? "NA" : "a note of some length");
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    brute_write_text("sex.csv", "female;person;*\nmale;person;*\n");
}

static mgl_status fill_job(roads *roads, mgl_job *job, road_form form, mgl_error *err)
{
    static const char *const said[][2] = {
        {"attributes.age.role", "quasi"},
        {"attributes.age.hierarchy", "intervals(10,20)"},
        {"attributes.sex.role", "quasi"},
        {"attributes.s.role", "sensitive"},
        {"l-diversity", "s=2"},
        {"attributes.note.role", "insensitive"},
        {"k", "3"},
        {"allow-leaks", "true"},
        {"threads", "1"},
    };
    char place[ROAD_NAME];
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < sizeof said / sizeof said[0] && status == MGL_OK; i++)
        status = mgl_job_set(job, said[i][0], said[i][1], err);
    if (status == MGL_OK)
        status = road_try_give(roads, job, "table.csv", form, true, place, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "data", place, err);
    if (status == MGL_OK)
        status = road_try_give(roads, job, "sex.csv", form, false, place, err);
    if (status == MGL_OK)
        status = mgl_job_set(job, "attributes.sex.hierarchy", place, err);
    road_name("release.csv", form, place);
    if (status == MGL_OK)
        status = mgl_job_set(job, "output", place, err);
    return status;
}

/* Takes the release, which can fail, too. */
static mgl_status take_release(const mgl_result *result, road_form form, mgl_error *err)
{
    struct ArrowArrayStream stream;
    const void *data;
    size_t size;
    if (form == ROAD_BYTES)
        return mgl_result_bytes(result, "release.csv", err, &data, &size);
    mgl_status status = mgl_result_stream(result, "release", err, &stream);
    if (status == MGL_OK)
        stream.release(&stream);
    return status;
}

/* One run, or two questions on a session. */
static mgl_status run_job(roads *roads, road_form form, bool session_wanted, mgl_error *err)
{
    mgl_job *job = NULL;
    mgl_session *session = NULL;
    mgl_result *first = NULL, *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    if (status == MGL_OK)
        status = fill_job(roads, job, form, err);
    if (status == MGL_OK && session_wanted)
        status = mgl_session_open(job, NULL, err, &session);
    if (status == MGL_OK && session_wanted)
        status = mgl_session_run(session, "anonymize", job, err, &first);
    if (status == MGL_OK)
        status = session_wanted ? mgl_session_run(session, "anonymize", job, err, &result)
                                : mgl_job_run(job, "anonymize", err, &result);
    mgl_job_free(job);
    mgl_session_close(session);
    if (status == MGL_OK)
        status = take_release(result, form, err);
    mgl_result_free(first);
    mgl_result_free(result);
    return status;
}

/* ---- Out of memory ------------------------------------------------------------------------------
 */

static void every_failed_allocation_ends_the_job_and_gives_all_back(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    for (int way = 0; way < 4; way++) {
        road_form form = way % 2 == 0 ? ROAD_TABLE : ROAD_BYTES;
        mgl_status status = MGL_SYSTEM;
        uint64_t number = 0, failures = 0;
        while (status == MGL_SYSTEM) {
            roads roads = {.random = {77}};
            mgl_error err = {0};
            number += 1 + number / 40; /* the first ones all, then ever fewer */
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            status = run_job(&roads, form, way >= 2, &err);
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            road_expect_all_returned(&roads);
            if (status != MGL_OK) {
                assert_int_equal(status, MGL_SYSTEM);
                assert_int_equal(err.code, MGL_CODE_MEMORY);
                failures++;
            }
        }
        assert_int_equal(status, MGL_OK);
        assert_true(failures > 60);
    }
#else
    (void)run_job;
    skip();
#endif
}

/* ---- Producers that fail or lie -----------------------------------------------------------------
 */

typedef struct hostile {
    const char *what;
    const char *column; /* that is blamed; NULL: none */
    void (*spoil)(struct ArrowSchema *schema, struct ArrowArray *batch);
    int fails_at; /* as made_stream has it */
} hostile;

static void nest(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)batch;
    schema->children[1]->format = "+l";
}

static void use_unknown_type(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)batch;
    schema->children[1]->format = "?!";
}

static void shorten_column(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    batch->children[1]->length = 2;
}

static void turn_length_negative(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    batch->children[0]->length = -1;
}

static void move_beyond_any_end(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    batch->children[0]->offset = INT64_MAX;
}

static void forget_buffers(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    batch->children[1]->n_buffers = 1;
}

static void let_offsets_fall(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    ((int32_t *)batch->children[1]->buffers[1])[1] = 12;
    ((int32_t *)batch->children[1]->buffers[1])[2] = 3;
}

static void break_text(struct ArrowSchema *schema, struct ArrowArray *batch)
{
    (void)schema;
    ((char *)batch->children[1]->buffers[2])[0] = '\xFF';
}

static const hostile producers[] = {
    {"a schema that never comes", NULL, NULL, -2},
    {"a batch that never comes", NULL, NULL, 1},
    {"a nested type", "sex", nest, -1},
    {"a type that there is not", "sex", use_unknown_type, -1},
    {"a column that is too short", "sex", shorten_column, -1},
    {"a negative length", "age", turn_length_negative, -1},
    {"an offset beyond any end", "age", move_beyond_any_end, -1},
    {"buffers that are not there", "sex", forget_buffers, -1},
    {"offsets of texts that fall", "sex", let_offsets_fall, -1},
    {"bytes that are no text", "sex", break_text, -1},
};

/* Two columns, two batches of four rows; the second is spoiled. */
static void make_hostile(arrow_maker *maker, const hostile *hostile, struct ArrowArrayStream *out)
{
    static const int32_t ages[] = {31, 31, 45, 45};
    static const char *const sexes[] = {"female", "female", "male", "male"};
    struct ArrowSchema schema;
    struct ArrowArray batches[2];
    made_table(maker, &schema);
    made_schema_child(&schema, "i", "age");
    made_schema_child(&schema, "u", "sex");
    for (int b = 0; b < 2; b++) {
        made_batch(maker, 4, &batches[b]);
        made_numbers(&batches[b], ages, 4, 4, NULL);
        made_texts(&batches[b], sexes, 4, 4);
    }
    if (hostile->spoil != NULL)
        hostile->spoil(&schema, &batches[1]);
    made_stream(maker, &schema, batches, 2, hostile->fails_at, out);
}

static void tables_of_hostile_producers_are_refused_and_given_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof producers / sizeof producers[0]; i++) {
        arrow_maker maker = {0};
        struct ArrowArrayStream stream;
        mgl_error err = {0};
        mgl_job *job;
        assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
        make_hostile(&maker, &producers[i], &stream);
        if (mgl_job_give_stream(job, "persons", &stream, &err) == MGL_OK)
            fail_msg("%s is taken", producers[i].what);
        assert_int_equal(err.status, MGL_DATA);
        assert_int_equal(err.code, MGL_CODE_ARROW);
        assert_null(stream.release);
        assert_int_equal(maker.arrays + maker.schemas + maker.streams, 0);
        if (producers[i].column != NULL && strcmp(err.column, producers[i].column) != 0)
            fail_msg("%s: column \"%s\" is blamed (%s)", producers[i].what, err.column,
                     err.message);
        /* A good one can still be given under the same name. */
        make_hostile(&maker, &(hostile){.fails_at = -1}, &stream);
        assert_int_equal(mgl_job_give_stream(job, "persons", &stream, &err), MGL_OK);
        mgl_job_free(job);
        assert_int_equal(maker.arrays + maker.schemas + maker.streams, 0);
    }
}

/* ---- Cancelled ----------------------------------------------------------------------------------
 */

static int cancel_at(void *user, const char *stage, uint64_t done, uint64_t total)
{
    int *left = user;
    (void)stage;
    (void)done;
    (void)total;
    return --*left == 0;
}

static void a_job_that_is_cancelled_at_any_place_gives_all_back(void **state)
{
    (void)state;
    for (int way = 0; way < 2; way++) {
        mgl_status status = MGL_CANCELLED;
        int cancelled = 0;
        for (int at = 1; status == MGL_CANCELLED; at++) {
            roads roads = {.random = {79}};
            mgl_error err = {0};
            mgl_job *job;
            mgl_result *result = NULL;
            int left = at;
            assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
            assert_int_equal(fill_job(&roads, job, way == 0 ? ROAD_TABLE : ROAD_BYTES, &err),
                             MGL_OK);
            mgl_job_on_progress(job, cancel_at, &left);
            status = mgl_job_run(job, "anonymize", &err, &result);
            cancelled += status == MGL_CANCELLED;
            assert_true(status == MGL_OK || err.code == MGL_CODE_CANCELLED);
            mgl_result_free(result);
            mgl_job_free(job);
            road_expect_all_returned(&roads);
        }
        assert_int_equal(status, MGL_OK);
        assert_true(cancelled > 2);
    }
}

static int enter(void **state)
{
    int entered = brute_enter_folder(state);
    if (entered == 0)
        write_files();
    return entered;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_ends_the_job_and_gives_all_back),
        cmocka_unit_test(tables_of_hostile_producers_are_refused_and_given_back),
        cmocka_unit_test(a_job_that_is_cancelled_at_any_place_gives_all_back),
    };
    return cmocka_run_group_tests(tests, enter, brute_leave_folder);
}
