/* What a caller learns from a failure besides the words: the code, and the key, column, file and
 * line to blame. Each row provokes one by the public functions alone. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "test_error_codes.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static mgl_status call(const char *command, mgl_job *job, mgl_error *err, mgl_result **out)
{
    return strcmp(command, "check") == 0   ? mgl_job_run(job, "check", err, out)
           : strcmp(command, "risk") == 0  ? mgl_job_run(job, "risk", err, out)
           : strcmp(command, "apply") == 0 ? mgl_job_run(job, "apply", err, out)
                                           : mgl_job_run(job, "anonymize", err, out);
}

/* Says the keys and runs the command; the first failure ends it. */
static mgl_status run(const char *command, const char *const *keys, mgl_error *err)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    assert_int_equal(status, MGL_OK);
    for (size_t i = 0; status == MGL_OK && i + 1 < MOST_KEYS && keys[i] != NULL; i += 2)
        status = strcmp(keys[i], "load") == 0 ? mgl_job_load(job, keys[i + 1], err)
                                              : mgl_job_set(job, keys[i], keys[i + 1], err);
    if (status == MGL_OK)
        status = call(command, job, err, &result);
    if (status == MGL_OK)
        mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

static int make_files(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    brute_write_text("good.csv",
                     "age,sex,ill\n30,Mann,flu\n31,Frau,flu\n32,Mann,cold\n33,Frau,cold\n"
                     "34,Mann,flu\n35,Frau,flu\n36,Mann,cold\n37,Frau,cold\n");
    brute_write_text("other.csv", "zip,sex\n1,Mann\n2,Frau\n");
    brute_write_text("short.csv", "age,sex,ill\n30,Mann,flu\n31,Frau\n");
    brute_write_text("latin.csv", "age,sex,ill\n30,Mann,flu\n31,Frau,Fl\xfc\n");
    brute_write_text("empty.csv", "");
    brute_write_text("header.csv", "age,sex,ill\n");
    brute_write_text("names.csv", "age,sex,age\n30,Mann,1\n31,Frau,2\n");
    brute_write_text("parents.csv", "Mann;Person;*\nFrau;Person;*\nFrau;Mensch;*\n");
    brute_write_text("lacks.csv", "Mann;*\n");
    brute_write_text("twice.yaml", "k: 2\nk: 3\n");
    brute_write_text("broken.yaml", "data: good.csv\nattributes: {age: {role: quasi\n");
    brute_write_text("wrong.yaml", "attributes:\n  age: {role: quasi,\n        weight: much}\n");
    brute_text rows = {0};
    brute_append_text(&rows, "number,age\n");
    for (int i = 0; i < 200; i++) {
        char line[32];
        snprintf(line, sizeof line, "%d,%d\n", i + 1, 20 + i % 50);
        brute_append_text(&rows, line);
    }
    brute_write("leaks.csv", rows.data, rows.size);
    free(rows.data);
    brute_write_text("drops.csv", "a,b\nx,p\nx,p\ny,q\nz,r\n");
    brute_write_text("dropped.csv", "a,b\ny,q\nz,r\n");
    static const char *const keys[MOST_KEYS] = {"data", "good.csv", USUAL, "result", "result.json"};
    static const char *const drops[MOST_KEYS] = {"data",
                                                 "drops.csv",
                                                 "qi",
                                                 "a,b",
                                                 "k",
                                                 "2",
                                                 "method",
                                                 "mingen",
                                                 "attributes.a.level",
                                                 "0",
                                                 "attributes.b.level",
                                                 "0",
                                                 "suppress",
                                                 "2",
                                                 "suppressed",
                                                 "drop",
                                                 "save-recoding",
                                                 "found.rec",
                                                 "output",
                                                 "release.csv"};
    return run("anonymize", keys, NULL) == MGL_OK && run("anonymize", drops, NULL) == MGL_OK ? 0
                                                                                             : -1;
}

static void expect_text(const mistake *m, const char *field, const char *found, const char *wanted)
{
    if (strcmp(found, wanted) != 0)
        fail_msg("%s: %s is \"%s\", not \"%s\"", m->what, field, found, wanted);
}

static void failures_name_their_code_and_what_is_to_blame(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        const mistake *m = &mistakes[i];
        mgl_error err = {
            .code = MGL_CODE_INTERNAL, .key = "stale", .column = "stale", .file = "stale"};
        mgl_status status = run(m->command, m->keys, &err);
        if (status == MGL_OK || err.code != m->code)
            fail_msg("%s: status %d, code %s, not %s: %s", m->what, (int)status,
                     mgl_code_name(err.code), mgl_code_name(m->code), err.message);
        assert_int_equal(status, err.status);
        assert_int_equal(status, err.code / 100);
        expect_text(m, "key", err.key, m->key);
        expect_text(m, "column", err.column, m->column);
        expect_text(m, "file", err.file, m->file);
        if (err.line != m->line || (m->position > 0 && err.position != m->position))
            fail_msg("%s: line %d, position %d: %s", m->what, (int)err.line, (int)err.position,
                     err.message);
    }
}

/* The options of a program are none of the library's business, and cells nobody's. */
static void messages_name_no_option_and_fields_no_cell(void **state)
{
    (void)state;
    static const char *const cells[] = {"Mann", "Frau", "flu", "cold"};
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        mgl_error err = {0};
        run(mistakes[i].command, mistakes[i].keys, &err);
        if (strstr(err.message, "--") != NULL)
            fail_msg("%s names an option: %s", mistakes[i].what, err.message);
        for (size_t c = 0; c < sizeof cells / sizeof cells[0]; c++)
            if (strstr(err.key, cells[c]) != NULL || strstr(err.column, cells[c]) != NULL ||
                strstr(err.file, cells[c]) != NULL)
                fail_msg("%s tells a cell", mistakes[i].what);
    }
}

static void expect_bare(const mgl_error *err, mgl_code code)
{
    assert_string_equal(mgl_code_name(err->code), mgl_code_name(code));
    assert_string_equal(err->key, "");
    assert_string_equal(err->column, "");
    assert_string_equal(err->file, "");
    assert_int_equal(err->line, 0);
    assert_int_equal(err->position, 0);
}

static int stop(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user, (void)stage, (void)done, (void)total;
    return 1;
}

static mgl_job *usual_job(void)
{
    static const char *const keys[] = {"data", "good.csv", USUAL};
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i += 2)
        assert_int_equal(mgl_job_set(job, keys[i], keys[i + 1], NULL), MGL_OK);
    return job;
}

static void who_asked_to_stop_is_told_so_and_nothing_is_blamed(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *result;
    mgl_job *job = usual_job();
    mgl_job_on_progress(job, stop, NULL);
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_CANCELLED);
    expect_bare(&err, MGL_CODE_CANCELLED);
    mgl_job_free(job);
}

/* The table gets another row once it was read. */
static int append(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user, (void)done, (void)total;
    FILE *file = strcmp(stage, "search") == 0 ? fopen("grows.csv", "a") : NULL;
    if (file != NULL) {
        fputs("38,Mann,flu\n", file);
        fclose(file);
    }
    return 0;
}

static void a_table_that_changes_meanwhile_is_named(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *result;
    size_t size;
    char *rows = brute_read("good.csv", &size);
    brute_write("grows.csv", rows, size);
    free(rows);
    mgl_job *job = usual_job();
    assert_int_equal(mgl_job_set(job, "data", "grows.csv", NULL), MGL_OK);
    mgl_job_on_progress(job, append, NULL);
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_DATA);
    assert_string_equal(mgl_code_name(err.code), "changed");
    assert_string_equal(err.file, "grows.csv");
    mgl_job_free(job);
}

static void *none(void *user, size_t size)
{
    (void)user, (void)size;
    return NULL;
}

static void *none_more(void *user, void *data, size_t size)
{
    (void)user, (void)data, (void)size;
    return NULL;
}

static void keep(void *user, void *data)
{
    (void)user, (void)data;
}

static void want_of_memory_blames_nothing(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_session *session;
    mgl_job *job = usual_job();
    mgl_allocator allocator = {none, none_more, keep, NULL};
    mgl_session_options options = {.size = sizeof options, .allocator = &allocator};
    assert_int_equal(mgl_session_open(job, &options, &err, &session), MGL_SYSTEM);
    expect_bare(&err, MGL_CODE_MEMORY);
    mgl_job_free(job);
}

static void release(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

static void a_stream_that_breaks_the_rules_of_arrow_is_named(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_job *job = usual_job();
    struct ArrowArrayStream stream = {.release = release};
    assert_int_equal(mgl_job_give_stream(job, "people", &stream, &err), MGL_DATA);
    assert_string_equal(mgl_code_name(err.code), "arrow");
    assert_non_null(strstr(err.file, "people"));
    assert_null(stream.release);
    mgl_job_free(job);
}

static void a_key_of_reading_that_differs_from_the_session_is_blamed(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_session *session;
    mgl_result *result;
    mgl_job *job = usual_job();
    assert_int_equal(mgl_session_open(job, NULL, &err, &session), MGL_OK);
    assert_int_equal(mgl_job_set(job, "delimiter", ";", &err), MGL_OK);
    assert_int_equal(mgl_session_run(session, "anonymize", job, &err, &result), MGL_USAGE);
    assert_string_equal(mgl_code_name(err.code), "session-key");
    assert_string_equal(err.key, "delimiter");
    mgl_session_close(session);
    mgl_job_free(job);
}

static void a_call_that_succeeds_leaves_the_error_alone(void **state)
{
    (void)state;
    mgl_error err = {.code = MGL_CODE_LEAK, .key = "mine"};
    mgl_job *job;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    assert_int_equal(mgl_job_set(job, "k", "2", &err), MGL_OK);
    assert_int_equal(err.code, MGL_CODE_LEAK);
    assert_string_equal(err.key, "mine");
    mgl_job_free(job);
}

static void every_code_has_a_word_of_its_own(void **state)
{
    (void)state;
    const char *seen[64];
    size_t n = 0;
    for (int code = 0; code < 600; code++) {
        const char *name = mgl_code_name((mgl_code)code);
        if (code > 0 && strcmp(name, "none") == 0)
            continue;
        assert_true(n < sizeof seen / sizeof seen[0]);
        for (size_t i = 0; i < n; i++)
            assert_string_not_equal(seen[i], name);
        seen[n++] = name;
    }
    assert_string_equal(mgl_code_name(MGL_CODE_UNKNOWN_COLUMN), "unknown-column");
    assert_string_equal(mgl_code_name((mgl_code)-1), "none");
    assert_true(n > 40);
}

static bool is_provoked(mgl_code code)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (mistakes[i].code == code)
            return true;
    return false;
}

static void every_code_is_provoked_or_told_where_it_is(void **state)
{
    (void)state;
    for (int code = 1; code < 600; code++) {
        size_t told = 0;
        for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++)
            told += elsewhere[i].code == (mgl_code)code;
        bool named = strcmp(mgl_code_name((mgl_code)code), "none") != 0;
        if (told + is_provoked((mgl_code)code) != named)
            fail_msg("%s", mgl_code_name((mgl_code)code));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_name_their_code_and_what_is_to_blame),
        cmocka_unit_test(messages_name_no_option_and_fields_no_cell),
        cmocka_unit_test(who_asked_to_stop_is_told_so_and_nothing_is_blamed),
        cmocka_unit_test(a_table_that_changes_meanwhile_is_named),
        cmocka_unit_test(want_of_memory_blames_nothing),
        cmocka_unit_test(a_stream_that_breaks_the_rules_of_arrow_is_named),
        cmocka_unit_test(a_key_of_reading_that_differs_from_the_session_is_blamed),
        cmocka_unit_test(a_call_that_succeeds_leaves_the_error_alone),
        cmocka_unit_test(every_code_has_a_word_of_its_own),
        cmocka_unit_test(every_code_is_provoked_or_told_where_it_is),
    };
    return cmocka_run_group_tests(tests, make_files, brute_leave_folder);
}
