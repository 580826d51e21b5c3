/* Progress: whatever runs, a listener is told one share of the whole call that never goes back, and
 * the stage that the call is in. For every method, command and format. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include "io/io.h"
#include "search/search.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROWS = 400, STAGES = 13, TEXT = 200 };

static const char *const stage_names[STAGES] = {"wait",    "import",  "read",  "search",  "write",
                                                "verify",  "guard",   "check", "measure", "curve",
                                                "compare", "what-if", "attack"};

static void write_table(void)
{
    brute_text text = {0};
    char line[80];
    brute_random random = {7};
    brute_append_text(&text, "age,zip,size,disease\n");
    for (int r = 0; r < ROWS; r++) {
        snprintf(line, sizeof line, "%d,%d,%d.5,d%d\n", brute_between(&random, 20, 79),
                 brute_between(&random, 10000, 10099), brute_below(&random, 60),
                 brute_below(&random, 5));
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
}

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    write_table();
    return 0;
}

/* ---- What was heard -------------------------------------------------------------------------- */

typedef struct heard {
    uint64_t done, total, calls;
    bool told[STAGES];
    size_t last;      /* stage, where any was told */
    char order[TEXT]; /* stages, as they came, also those that came back */
    char wrong[TEXT]; /* the first that was */
} heard;

static size_t stage_number(const char *stage)
{
    size_t i = 0;
    while (i < STAGES && strcmp(stage_names[i], stage) != 0)
        i++;
    return i;
}

static void note_stage(heard *h, size_t number)
{
    size_t used = strlen(h->order);
    if (h->calls == 0 || number != h->last)
        snprintf(h->order + used, TEXT - used, "%s%s", used > 0 ? " " : "", stage_names[number]);
    h->told[number] = true;
    h->last = number;
}

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    heard *h = user;
    size_t number = stage_number(stage);
    bool other_total = h->calls > 0 && total != h->total;
    if (h->wrong[0] == '\0' &&
        (number == STAGES || total == 0 || other_total || done > total || done < h->done))
        snprintf(h->wrong, TEXT, "%s %llu of %llu after %llu of %llu", stage,
                 (unsigned long long)done, (unsigned long long)total, (unsigned long long)h->done,
                 (unsigned long long)h->total);
    if (number < STAGES)
        note_stage(h, number);
    h->done = done;
    h->total = total;
    h->calls++;
    return 0;
}

/* stages: what has to be told and in which order; NULL: anything. */
static void expect_whole(const char *what, const heard *h, const char *stages)
{
    if (h->wrong[0] != '\0')
        fail_msg("%s: %s", what, h->wrong);
    if (h->calls == 0 || h->done != h->total)
        fail_msg("%s: %llu of %llu at the end", what, (unsigned long long)h->done,
                 (unsigned long long)h->total);
    if (stages != NULL && strcmp(h->order, stages) != 0)
        fail_msg("%s: stages are %s, not %s", what, h->order, stages);
}

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* "key=value;key=value" */
static void set_keys(mgl_job *job, const char *keys)
{
    char text[TEXT * 2], *rest = text;
    snprintf(text, sizeof text, "%s", keys);
    while (rest[0] != '\0') {
        char *key = rest, *value = strchr(rest, '='), *end = strchr(rest, ';');
        rest = end != NULL ? end + 1 : key + strlen(key);
        if (end != NULL)
            *end = '\0';
        *value = '\0';
        brute_set(job, key, value + 1);
    }
}

#define COLUMNS                                                                                    \
    "qi=age,zip,size;hierarchy=age=intervals(5,20);hierarchy=zip=mask(right,5);"                   \
    "hierarchy=size=intervals(10,30);sensitive=disease"
#define TABLE "data=table.csv;" COLUMNS
#define JOB TABLE ";k=5"

static mgl_status run_keys(const char *command, const char *keys, heard *h, mgl_error *err)
{
    mgl_job *job;
    mgl_result *result = NULL;
    *h = (heard){0};
    *err = (mgl_error){0};
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    set_keys(job, keys);
    mgl_job_on_progress(job, listen, h);
    mgl_status status = mgl_job_run(job, command, err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

static void expect_run(const char *command, const char *keys, const char *stages)
{
    heard h;
    mgl_error err;
    if (run_keys(command, keys, &h, &err) != MGL_OK)
        fail_msg("%s: %s", keys, err.message);
    expect_whole(keys, &h, stages);
}

#define RELEASED "read search write verify guard measure"

static void every_method_tells_one_share(void **state)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    (void)state;
    for (size_t i = 0; i < 2 * n; i++) {
        char keys[TEXT * 2];
        const mgl_method_type *type = types[i / 2];
        snprintf(keys, sizeof keys, "%s;method=%s;threads=%d;suppress=10%%;output=release.csv%s%s",
                 JOB, type->name, i % 2 == 0 ? 1 : 3, type->may_be_unsafe ? ";accept=unsafe" : "",
                 type->looks_longer ? ";effort=fast" : "");
        expect_run("anonymize", keys, RELEASED);
    }
}

static void every_command_tells_one_share(void **state)
{
    static const struct {
        const char *command;
        const char *keys, *stages;
    } runs[] = {
        {"anonymize",
         JOB ";effort=fast;output=release.csv;result=result.json;save-recoding=recoding", RELEASED},
        {"anonymize", JOB ";method=mingen;output=release.csv;curve=2,3,10",
         RELEASED " curve measure"},
        {"anonymize", JOB ";method=mingen;dry-run=true", "read search measure"},
        {"anonymize", JOB ";method=mingen;output=drawn.csv;report=drawn.html", RELEASED},
        {"anonymize",
         JOB ";output=release.csv;overwrite=true;save-proof=proof.json;result=proved.json",
         RELEASED " check"},
        {"compare", JOB ";methods=datafly,mingen,samarati", "read compare"},
        {"what-if", JOB ";method=mingen", NULL},
        {"preview", JOB ";method=mingen", NULL},
        {"look", "data=table.csv", NULL},
        {"risk", TABLE, "read measure"},
        {"risk", "data=table.csv;advise=true", NULL},
        {"check", JOB, "read measure"},
        {"check", "data=release.csv;against=result.json", NULL},
        {"check", "proof=proof.json;against=proved.json", NULL},
        {"gate", "data=release.csv;against=result.json", NULL},
        {"lattice", JOB, NULL},
        {"attack", "data=release.csv;external=table.csv;against=result.json", NULL},
        {"count", "data=table.csv;qi=age,zip;output=counted.part", NULL},
        {"apply", "data=table.csv;recoding=recoding;output=applied.csv", "read write verify guard"},
        {"utility", TABLE ";release=release.csv", NULL},
        {"hierarchy suggest", "data=table.csv;qi=age,zip", NULL},
        {"report", "data=result.json;output=report.html", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        expect_run(runs[i].command, runs[i].keys, runs[i].stages);
}

/* A format that needs a library which is not there is left out. */
static void every_format_tells_one_share(void **state)
{
    static const char *const files[] = {
        "f.csv", "f.csv.gz", "f.jsonl",   "f.xlsx", "f.arrow",
        "f.sav", "f.dta",    "f.parquet", "f.asc",  "sqlite:f.db?table=t"};
    int n = 0;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char keys[TEXT * 2];
        heard h;
        mgl_error err;
        snprintf(keys, sizeof keys, "%s;method=datafly;output=%s", JOB, files[i]);
        mgl_status status = run_keys("anonymize", keys, &h, &err);
        if (status == MGL_SYSTEM)
            continue;
        if (status != MGL_OK)
            fail_msg("%s: %s", files[i], err.message);
        expect_whole(files[i], &h, NULL);
        assert_true(h.told[stage_number("write")] && h.told[stage_number("verify")]);
        snprintf(keys, sizeof keys, "data=%s;qi=age,zip,size", files[i]);
        expect_run("risk", keys, "read measure");
        n++;
    }
    assert_true(n >= 5);
}

/* ---- Sessions -------------------------------------------------------------------------------- */

static void every_call_on_a_session_begins_anew(void **state)
{
    (void)state;
    static const char *const commands[] = {"risk", "anonymize", "compare", "anonymize"};
    mgl_job *job;
    mgl_session *session;
    heard h = {0};
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    set_keys(job, TABLE);
    mgl_job_on_progress(job, listen, &h);
    assert_int_equal(mgl_session_open(job, NULL, NULL, &session), MGL_OK);
    expect_whole("opening", &h, NULL);
    mgl_job_free(job);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        mgl_result *result = NULL;
        mgl_error err = {0};
        bool releases = strcmp(commands[i], "anonymize") == 0;
        h = (heard){0};
        assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
        set_keys(job, strcmp(commands[i], "compare") == 0 ? "k=5;methods=datafly,mingen"
                      : releases                          ? "k=5;method=datafly;output=memory:r.csv"
                                                          : "k=5;" COLUMNS);
        if (i == 0)
            assert_int_equal(mgl_job_unset(job, "k", NULL), MGL_OK);
        if (i > 0)
            set_keys(job, COLUMNS);
        mgl_job_on_progress(job, listen, &h);
        if (mgl_session_run(session, commands[i], job, &err, &result) != MGL_OK)
            fail_msg("%s: %s", commands[i], err.message);
        expect_whole(commands[i], &h, NULL);
        mgl_result_free(result);
        mgl_job_free(job);
    }
    mgl_session_close(session);
}

/* A listener may use other handles: what they tell is theirs. */
static int run_another(void *user, const char *stage, uint64_t done, uint64_t total)
{
    heard *h = user, other;
    mgl_error err;
    if (strcmp(stage, "search") == 0 && !h->told[stage_number("search")]) {
        if (run_keys("risk", TABLE, &other, &err) != MGL_OK)
            return 1;
        expect_whole("the other call", &other, "read measure");
    }
    return listen(h, stage, done, total);
}

static void a_call_within_a_listener_tells_of_itself(void **state)
{
    (void)state;
    mgl_job *job;
    mgl_result *result = NULL;
    heard h = {0};
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    set_keys(job, JOB ";method=datafly;output=release.csv");
    mgl_job_on_progress(job, run_another, &h);
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_OK);
    expect_whole("the outer call", &h, RELEASED);
    mgl_result_free(result);
    mgl_job_free(job);
}

/* ---- Any reports ----------------------------------------------------------------------------- */

/* What no stage does: stages in any order, totals of 0, counts that go back, turns within turns. */
static void whatever_is_reported_the_share_goes_on(void **state)
{
    static const uint64_t totals[] = {0, 1, 10, 1000};
    static const char *const plans[] = {"read search write", "read", "read compare", NULL};
    brute_random random = {3};
    (void)state;
    for (int turn = 0; turn < 300; turn++) {
        heard h = {0};
        mgl_progress progress = {listen, &h, NULL};
        mgl_progress_state before = mgl_progress_enter(&progress);
        if (plans[turn % 4] != NULL)
            mgl_progress_plan(plans[turn % 4]);
        const char *within = NULL;
        bool inside = false;
        for (int i = 0; i < 80; i++) {
            if (brute_below(&random, 10) == 0) {
                if (inside)
                    mgl_progress_go_on(within);
                else
                    within = mgl_progress_within(stage_names[brute_below(&random, STAGES)]);
                inside = !inside;
            }
            const char *stage = stage_names[brute_below(&random, STAGES)];
            uint64_t done = (uint64_t)brute_below(&random, 1200);
            assert_int_equal(
                mgl_progress_report(&progress, stage, done, totals[brute_below(&random, 4)], NULL),
                MGL_OK);
            assert_true(h.done < h.total); /* what is not over is not done */
        }
        mgl_progress_end();
        mgl_progress_leave(&before);
        expect_whole("reports", &h, NULL);
    }
}

/* Turns are equal parts, and what is reported in one stays in it. */
static void turns_share_their_stage(void **state)
{
    (void)state;
    enum { TURNS = 4 };
    heard h = {0};
    mgl_progress progress = {listen, &h, NULL};
    mgl_progress_state before = mgl_progress_enter(&progress);
    uint64_t begins[TURNS + 1], ends[TURNS];
    mgl_progress_plan("compare");
    const char *within = mgl_progress_within("compare");
    for (uint64_t i = 0; i < TURNS; i++) {
        assert_int_equal(mgl_progress_report(&progress, "compare", i, TURNS, NULL), MGL_OK);
        begins[i] = h.done;
        for (uint64_t work = 0; work <= 100; work++)
            assert_int_equal(mgl_progress_report(&progress, "search", work, 100, NULL), MGL_OK);
        assert_int_equal(mgl_progress_report(&progress, "measure", 1, 1, NULL), MGL_OK);
        ends[i] = h.done;
    }
    assert_int_equal(mgl_progress_report(&progress, "compare", TURNS, TURNS, NULL), MGL_OK);
    begins[TURNS] = h.done;
    for (size_t i = 0; i < TURNS; i++) {
        assert_true(begins[i] < ends[i] && ends[i] < begins[i + 1]);
        uint64_t turn = begins[i + 1] - begins[i], first = begins[1] - begins[0];
        assert_true(turn + 1 >= first && turn <= first + 1);
    }
    mgl_progress_go_on(within);
    mgl_progress_end();
    mgl_progress_leave(&before);
    expect_whole("turns", &h, "compare");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_reported_the_share_goes_on),
        cmocka_unit_test(turns_share_their_stage),
        cmocka_unit_test(every_method_tells_one_share),
        cmocka_unit_test(every_command_tells_one_share),
        cmocka_unit_test(every_format_tells_one_share),
        cmocka_unit_test(every_call_on_a_session_begins_anew),
        cmocka_unit_test(a_call_within_a_listener_tells_of_itself),
    };
    return cmocka_run_group_tests_name("progress", tests, begin, brute_leave_folder);
}
