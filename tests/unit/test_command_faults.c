/* Every command and every method, with each allocation and each system call failing in turn:
 * exit 4 with a message, and under a final name either what was there before or all of what
 * the command makes. Calls that are interrupted or transfer less than they could change nothing.
 *
 * The ordinary run takes a sample of the calls, the first ones all; MGL_TEST_LONG=1 all. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* As long as a signature, which is what may lie beside a result. */
#define OLD "what was there before, which is as long as a signature: 64 byte\n"

/* ---- The commands ---------------------------------------------------------------------------- */

typedef struct command {
    const char *name;
    const char *command;
    const char *base;     /* keys that many have, below */
    const char *more[12]; /* key=value */
} command;

#define ROLES "qi=age,zip|hierarchy=zip=zip.csv|identifier=id|sensitive=disease|threads=1|"
#define TABLE "data=table.csv|" ROLES
#define RELEASE TABLE "k=3|suppress=20%|output=out/release.csv|seed=1|"

static const command commands[] = {
    {"mingen", "anonymize", RELEASE, {"method=mingen"}},
    {"several files",
     "anonymize",
     RELEASE,
     {"method=mingen", "result=out/result.json", "save-recoding=out/recoding"}},
    {"a signature",
     "anonymize",
     RELEASE,
     {"method=mingen", "result=out/result.json", "sign=key.pem"}},
    {"a proof",
     "anonymize",
     RELEASE,
     {"method=cell", "l-diversity=disease=2", "save-proof=out/proof"}},
    {"a proof by sets",
     "anonymize",
     RELEASE,
     {"method=cell", "t-closeness=disease=0.1", "save-proof=out/proof"}},
    {"saved job", "anonymize", RELEASE, {"method=mingen", "save-job=out/job.yaml"}},
    {"mingen, dropping",
     "anonymize",
     RELEASE,
     {"method=mingen", "suppressed=drop", "l-diversity=disease=2"}},
    {"mingen, to a packed file",
     "anonymize",
     RELEASE,
     {"method=mingen", "output=out/release.csv.zst"}},
    {"cell", "anonymize", RELEASE, {"method=cell"}},
    {"mingen, with a label",
     "anonymize",
     RELEASE,
     {"method=mingen", "utility=classification=disease"}},
    {"datafly", "anonymize", RELEASE, {"method=datafly"}},
    {"samarati", "anonymize", RELEASE, {"method=samarati"}},
    {"incognito", "anonymize", RELEASE, {"method=incognito", "suppressed=exempt"}},
    {"top-down", "anonymize", RELEASE, {"method=top-down"}},
    {"mu-argus", "anonymize", RELEASE, {"method=mu-argus", "accept=unsafe"}},
    {"local-suppression", "anonymize", RELEASE, {"method=local-suppression"}},
    {"local-suppression, matching all",
     "anonymize",
     RELEASE,
     {"method=local-suppression", "missing-matches=all"}},
    {"mondrian", "anonymize", RELEASE, {"method=mondrian"}},
    {"k-member", "anonymize", RELEASE, {"method=k-member"}},
    {"microaggregate",
     "anonymize",
     "data=table.csv|identifier=id,zip|insensitive=disease|qi=age|k=3|output=out/release.csv|"
     "threads=1|seed=1|",
     {"method=microaggregate"}},
    {"a leak that is accepted",
     "anonymize",
     "data=leak.csv|qi=zip|hierarchy=zip=mask(right,1)|level=zip=1..1|rest=insensitive|k=3|"
     "output=out/release.csv|threads=1|seed=1|",
     {"method=mingen", "allow-leaks=town,note"}},
    {"t-closeness",
     "anonymize",
     RELEASE,
     {"method=mingen", "t-closeness=disease=0.6", "sensitive-hierarchy=disease=disease.csv",
      "distance=disease=hierarchical"}},
    {"persons", "anonymize", RELEASE, {"method=mingen", "entity=id", "identifier="}},
    {"a population", "anonymize", RELEASE, {"method=mingen", "population=table.csv", "k-map=4"}},
    {"a history", "anonymize", RELEASE, {"method=mingen", "history=recoding"}},
    {"a dry run", "anonymize", RELEASE, {"method=cell", "dry-run=true"}},
    {"differential privacy", /* what is drawn differs each time */
     "anonymize",
     "data=leak.csv|qi=zip|hierarchy=zip=mask(right,1)|rest=drop|threads=1|",
     {"dp=2,0.1", "dp-search=1", "dry-run=true"}},
    {"parts", "anonymize", ROLES, {"data=part1", "parts=part2", "k=3", "dry-run=true"}},
    {"compare", "compare", TABLE "k=3|suppress=20%|", {"methods=mingen,mondrian,datafly"}},
    {"check", "check", TABLE, {"k=3", "l-diversity=disease=2"}},
    {"check against",
     "check",
     "threads=1|",
     {"data=release.csv", "against=result.json", "verify-key=pub.pem"}},
    {"check of a proof",
     "check",
     "threads=1|",
     {"data=table.csv", "proof=proof", "against=proved.json"}},
    {"risk", "risk", TABLE, {"suda=true", "single-out=20%", "rows=out/rows.csv"}},
    {"risk, advice",
     "risk",
     "data=table.csv|threads=1|",
     {"advise=true", "output=out/advice.yaml"}},
    {"attack",
     "attack",
     "threads=1|qi=age,zip|hierarchy=zip=zip.csv|",
     {"data=release.csv", "external=names.csv", "rest=drop", "rows=out/rows.csv"}},
    {"attack on averages",
     "attack",
     "threads=1|qi=age|sensitive=disease|",
     {"data=means.csv", "external=names.csv", "rest=drop"}},
    {"utility", "utility", TABLE, {"release=release.csv"}},
    {"utility of averages",
     "utility",
     "data=table.csv|qi=age|threads=1|",
     {"release=means.csv", "rest=drop"}},
    {"lattice", "lattice", TABLE, {"k=3", "suppress=20%"}},
    {"count",
     "count",
     "data=table.csv|qi=age,zip|identifier=id|sensitive=disease|threads=1|",
     {"output=out/part"}},
    {"apply",
     "apply",
     "threads=1|seed=1|",
     {"data=table.csv", "recoding=recoding", "output=out/release.csv"}},
    {"report", "report", "data=result.json|", {"output=out/report.html"}},
    {"report of a release", "anonymize", RELEASE, {"method=mingen", "report=out/report.html"}},
    {"hierarchy show", "hierarchy show", "data=table.csv|qi=zip|hierarchy=zip=zip.csv|", {NULL}},
    {"hierarchy check", "hierarchy check", "data=table.csv|qi=zip|hierarchy=zip=zip.csv|", {NULL}},
    {"hierarchy suggest", "hierarchy suggest", "data=table.csv|qi=age,zip|", {NULL}},
    {"hierarchy build",
     "hierarchy build",
     "data=table.csv|qi=zip|hierarchy=zip=mask(right,2)|",
     {"output=out/levels.csv"}},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

/* Everything that commands write; documents and pages tell times, the others are compared. */
static const char *const outputs[] = {
    "out/release.csv", "out/release.csv.zst", "out/recoding",    "out/part",
    "out/proof",       "out/rows.csv",        "out/advice.yaml", "out/levels.csv",
    "out/job.yaml",    "out/result.json.sig", "out/report.html", "out/result.json"};
enum {
    OUTPUTS = sizeof outputs / sizeof outputs[0],
    DOCUMENT = OUTPUTS - 1,
    PAGE = DOCUMENT - 1,
    SIGNATURE = PAGE - 1 /* of a document that tells times */
};

/* ---- Running one ------------------------------------------------------------------------------
 */

static mgl_status set_pair(mgl_job *job, const char *pair, size_t size, mgl_error *err)
{
    char key[40], value[200];
    const char *equals = memchr(pair, '=', size);
    assert_non_null(equals);
    snprintf(key, sizeof key, "%.*s", (int)(equals - pair), pair);
    snprintf(value, sizeof value, "%.*s", (int)(pair + size - equals - 1), equals + 1);
    return mgl_job_add(job, key, value, err);
}

/* Of keys given twice the later counts: those of `more` replace those of `base`. */
static bool replaced(const command *c, const char *pair)
{
    size_t key = strcspn(pair, "=") + 1;
    for (size_t i = 0; c->more[i] != NULL; i++)
        if (strncmp(c->more[i], pair, key) == 0)
            return true;
    return false;
}

static mgl_status fill(const command *c, mgl_job *job, mgl_error *err)
{
    for (const char *pair = c->base; *pair != '\0'; pair += strcspn(pair, "|") + 1)
        if (!replaced(c, pair)) {
            mgl_status status = set_pair(job, pair, strcspn(pair, "|"), err);
            if (status != MGL_OK)
                return status;
        }
    for (size_t i = 0; c->more[i] != NULL; i++) {
        const char *pair = c->more[i];
        mgl_status status =
            pair[strlen(pair) - 1] == '=' ? MGL_OK : set_pair(job, pair, strlen(pair), err);
        if (status != MGL_OK)
            return status;
    }
    return MGL_OK;
}

/* ---- Memory of documents --------------------------------------------------------------- */

static uint64_t document_calls, failing_call; /* 0: none fails */
static void *wiped;                           /* what was freed, one block behind the other */

static void *allocate_document(size_t size)
{
    return ++document_calls == failing_call ? NULL : mgl_alloc(size);
}

static char *link_in(void *block)
{
    size_t words = malloc_usable_size(block) / sizeof block;
    return words >= 4 ? (char *)block + (words - 1) * sizeof block : NULL;
}

/* jansson is built without sanitizers, so that nobody sees what it uses after it was freed. Here
 * that is an object without memory, which ends the test. */
static void wipe_document(void *block)
{
    char *link = block != NULL ? link_in(block) : NULL;
    if (link == NULL) {
        mgl_free(block);
        return;
    }
    memset(block, 0, (size_t)(link - (char *)block));
    memcpy(link, &wiped, sizeof wiped);
    wiped = block;
}

static void free_wiped(void)
{
    while (wiped != NULL) {
        void *block = wiped;
        memcpy(&wiped, link_in(block), sizeof wiped);
        mgl_free(block);
    }
}

/* `told` says whether the command itself was done: telling of it can still fail. */
static mgl_status run(const command *c, mgl_error *err, bool *told)
{
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    if (status == MGL_OK)
        status = fill(c, job, err);
    if (status == MGL_OK)
        status = mgl_job_run(job, c->command, err, &result);
    *told = status == MGL_OK;
    if (status == MGL_OK) {
        char *text = NULL;
        status = mgl_result_json(result, err, &text);
        if (status == MGL_OK)
            mgl_text_free(text);
        if (status == MGL_OK)
            status = mgl_result_summary(result, NULL, err, &text);
        if (status == MGL_OK)
            mgl_text_free(text);
        mgl_result_free(result);
    }
    mgl_job_free(job);
    free_wiped();
    return status;
}

/* ---- What is there afterwards ------------------------------------------------------------------
 */

typedef struct contents {
    char *data[OUTPUTS]; /* NULL: not among what the command writes */
    size_t size[OUTPUTS];
} contents;

static void free_contents(contents *c)
{
    for (int i = 0; i < OUTPUTS; i++)
        free(c->data[i]);
    *c = (contents){0};
}

static void read_contents(contents *c)
{
    for (int i = 0; i < OUTPUTS; i++)
        c->data[i] = brute_exists(outputs[i]) ? brute_read(outputs[i], &c->size[i]) : NULL;
}

static void put_old(const contents *good)
{
    for (int i = 0; i < OUTPUTS; i++)
        if (good->data[i] != NULL)
            brute_write_text(outputs[i], OLD);
}

static bool is_old(const contents *now, int i)
{
    return now->size[i] == strlen(OLD) && memcmp(now->data[i], OLD, strlen(OLD)) == 0;
}

static bool is_good(const contents *now, const contents *good, int i)
{
    if (i == SIGNATURE)
        return now->size[i] == good->size[i];
    if (i == PAGE)
        return strstr(now->data[i], "</html>") != NULL;
    if (i != DOCUMENT)
        return now->size[i] == good->size[i] &&
               memcmp(now->data[i], good->data[i], now->size[i]) == 0;
    json_t *document = json_loads(now->data[i], 0, NULL);
    bool whole = json_is_object(document);
    json_decref(document);
    return whole;
}

/* All outputs are new after a success; after a failure each is old or new. */
static void expect_whole(const char *what, const contents *good, bool done)
{
    contents now;
    int names = 0;
    read_contents(&now);
    for (int i = 0; i < OUTPUTS; i++) {
        if ((now.data[i] != NULL) != (good->data[i] != NULL))
            fail_msg("%s: %s is there or not, and should not", what, outputs[i]);
        if (now.data[i] == NULL)
            continue;
        names++;
        if (!is_good(&now, good, i) && (done || !is_old(&now, i)))
            fail_msg("%s: %s is neither what was there nor what should be", what, outputs[i]);
    }
    if (brute_count_names("out") != names)
        fail_msg("%s: something was left in the folder", what);
    free_contents(&now);
}

/* ---- Each call in turn
 * ---------------------------------------------------------------------------- */

typedef struct fault {
    mgl_fault_kind kind;
    const char *name;
    bool harmless;
} fault;

/* Where jansson lacks memory for a token it calls the token invalid. */
static bool reads_document(const command *c)
{
    return strcmp(c->command, "check") == 0 || strcmp(c->command, "apply") == 0 ||
           strcmp(c->command, "report") == 0;
}

static uint64_t following(uint64_t number, uint64_t start)
{
    return getenv("MGL_TEST_LONG") != NULL ? number + 1 : number + 1 + (number + start) / 24;
}

static void fail_each(const command *c, const fault *f, const contents *good, uint64_t start)
{
    for (uint64_t n = 1;; n = following(n, start)) {
        char what[120];
        mgl_error err = {0};
        bool told;
        snprintf(what, sizeof what, "%s, %s:%d", c->name, f->name, (int)n);
        put_old(good);
        mgl_fault_arm(f->kind, n);
        mgl_status status = run(c, &err, &told);
        bool hit = mgl_fault_count(f->kind) >= n;
        mgl_fault_arm(f->kind, 0);
        bool blamed = status == MGL_DATA && reads_document(c) && f->kind == MGL_FAULT_MEMORY;
        if (status != MGL_OK && ((status != MGL_SYSTEM && !blamed) || !hit || f->harmless))
            fail_msg("%s: status %d, %s", what, (int)status, err.message);
        if (status != MGL_OK && err.message[0] == '\0')
            fail_msg("%s: no message", what);
        expect_whole(what, good, told);
        if (!hit)
            return;
    }
}

static void fail_all(const fault *faults, size_t n)
{
    for (int i = 0; i < COMMANDS; i++) {
        mgl_error err = {0};
        contents good;
        bool told;
        for (int j = 0; j < OUTPUTS; j++)
            remove(outputs[j]);
        if (run(&commands[i], &err, &told) != MGL_OK)
            fail_msg("%s: %s", commands[i].name, err.message);
        read_contents(&good);
        for (size_t j = 0; j < n; j++)
            fail_each(&commands[i], &faults[j], &good, (uint64_t)i);
        free_contents(&good);
    }
}

static void every_command_succeeds_without_faults(void **state)
{
    (void)state;
    int failed = 0;
    for (int i = 0; i < COMMANDS; i++) {
        mgl_error err = {0};
        bool told;
        if (run(&commands[i], &err, &told) != MGL_OK) {
            print_error("%s: %s\n", commands[i].name, err.message);
            failed++;
        }
    }
    assert_int_equal(failed, 0);
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    static const fault faults[] = {{MGL_FAULT_MEMORY, "memory", false}};
    fail_all(faults, 1);
}

static void every_failed_system_call_is_an_error(void **state)
{
    (void)state;
    static const fault faults[] = {
        {MGL_FAULT_OPEN, "open", false},   {MGL_FAULT_READ, "read", false},
        {MGL_FAULT_WRITE, "write", false}, {MGL_FAULT_DEVICE, "device", false},
        {MGL_FAULT_SYNC, "sync", false},   {MGL_FAULT_RENAME, "rename", false},
    };
    fail_all(faults, sizeof faults / sizeof faults[0]);
}

static void interrupted_and_short_calls_change_nothing(void **state)
{
    (void)state;
    static const fault faults[] = {{MGL_FAULT_INTERRUPT, "interrupt", true},
                                   {MGL_FAULT_SHORT, "short", true}};
    fail_all(faults, sizeof faults / sizeof faults[0]);
}

/* ---- What the commands read
 * ------------------------------------------------------------------------ */

static void make(const command *c)
{
    mgl_error err = {0};
    bool told;
    if (run(c, &err, &told) != MGL_OK)
        fail_msg("%s: %s", c->name, err.message);
}

/* Every allocation of a document, since few of them are in the sample of all allocations. */
static void every_failed_allocation_of_a_document_is_an_error(void **state)
{
    (void)state;
    static const char *const told[] = {"mingen", "local-suppression", "a history"};
    for (int i = 0; i < COMMANDS; i++) {
        bool chosen = getenv("MGL_TEST_LONG") != NULL;
        for (size_t j = 0; j < sizeof told / sizeof told[0]; j++)
            chosen = chosen || strcmp(commands[i].name, told[j]) == 0;
        document_calls = failing_call = 0;
        while (chosen && document_calls >= failing_call) {
            mgl_error err = {0};
            bool is_told;
            document_calls = 0;
            failing_call++;
            mgl_status status = run(&commands[i], &err, &is_told);
            if (status != MGL_OK && status != MGL_SYSTEM && !reads_document(&commands[i]))
                fail_msg("%s, call %d: %s", commands[i].name, (int)failing_call, err.message);
        }
        failing_call = 0;
    }
}

static int set_up(void **state)
{
    static const command first = {"first",
                                  "anonymize",
                                  RELEASE,
                                  {"method=mingen", "output=release.csv", "result=result.json",
                                   "save-recoding=recoding", "sign=key.pem"}};
    static const command proved = {"proved",
                                   "anonymize",
                                   RELEASE,
                                   {"method=cell", "l-diversity=disease=2", "output=proved.csv",
                                    "result=proved.json", "save-proof=proof"}};
    static const char counted[] = "qi=age,zip|identifier=id|sensitive=disease|threads=1|";
    static const command parts[] = {
        {"part1", "count", counted, {"data=table.csv", "output=part1"}},
        {"part2", "count", counted, {"data=later.csv", "output=part2"}},
    };
    if (brute_enter_folder(state) != 0)
        return -1;
    json_set_alloc_funcs(allocate_document, wipe_document); /* documents lack memory, too */
    brute_text table = {0}, later = {0}, names = {0}, means = {0}, leak = {0};
    char line[64];
    brute_append_text(&table, "id,age,zip,disease\n");
    brute_append_text(&later, "id,age,zip,disease\n");
    brute_append_text(&names, "name,age,zip\n");
    brute_append_text(&means, "age,disease\n");
    for (int r = 0; r < 24; r++) {
        snprintf(line, sizeof line, "%d,%d,0213%d,d%d\n", r, 20 + r % 4, r % 3, r % 5);
        brute_append_text(&table, line);
        snprintf(line, sizeof line, "%d,%d,0213%d,d%d\n", r + 24, 20 + r % 3, r % 2, r % 5);
        brute_append_text(&later, line);
        snprintf(line, sizeof line, "n%d,%d,0213%d\n", r, 20 + r % 4, r % 3);
        brute_append_text(&names, line);
        snprintf(line, sizeof line, "%s,d%d\n", r % 4 < 2 ? "20.5" : "22.5", r % 5);
        brute_append_text(&means, line);
    }
    brute_append_text(&leak, "zip,town,note\n");
    for (int r = 0; r < 100; r++) {
        snprintf(line, sizeof line, "0213%d,t%d,lives in 0213%d now %d\n", r % 7, r % 7, r % 7, r);
        brute_append_text(&leak, line);
    }
    brute_write("leak.csv", leak.data, leak.size);
    free(leak.data);
    brute_write("table.csv", table.data, table.size);
    brute_write("later.csv", later.data, later.size);
    brute_write("names.csv", names.data, names.size);
    free(table.data);
    free(later.data);
    brute_write("means.csv", means.data, means.size);
    free(names.data);
    free(means.data);
    brute_write_text("zip.csv", "02130;0213*;*\n02131;0213*;*\n02132;0213*;*\n");
    brute_write_text("disease.csv", "d0;x;*\nd1;x;*\nd2;y;*\nd3;y;*\nd4;y;*\n");
    brute_write_text("key.pem", "-----BEGIN PRIVATE KEY-----\n"
                                "MC4CAQAwBQYDK2VwBCIEIJ53ftnWTNPY7Ce/4w9KIBVYbx37vmc7NrgvU556ycyS\n"
                                "-----END PRIVATE KEY-----\n");
    brute_write_text("pub.pem", "-----BEGIN PUBLIC KEY-----\n"
                                "MCowBQYDK2VwAyEAVg7yKtP2eKReQnwHwWNRtafe+4eE8+6wGOZnyP/QrVc=\n"
                                "-----END PUBLIC KEY-----\n");
    mkdir("out", 0700);
    make(&first);
    make(&proved);
    make(&parts[0]);
    make(&parts[1]);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_succeeds_without_faults),
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(every_failed_allocation_of_a_document_is_an_error),
        cmocka_unit_test(every_failed_system_call_is_an_error),
        cmocka_unit_test(interrupted_and_short_calls_change_nothing),
    };
    return cmocka_run_group_tests_name("command faults", tests, set_up, brute_leave_folder);
}
