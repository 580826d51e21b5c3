/* An allocator of one's own: every block goes back to the allocator it came from, none is left, and
 * when memory is out at any call of it, the job ends with MGL_SYSTEM. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "command/command.h"
#include "in_memory_jobs.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* ---- An allocator that knows its blocks ------------------------------------------------------ */

enum { MAGIC = 0x6d696e67 };

typedef struct tally {
    _Atomic size_t blocks; /* that are out */
    _Atomic size_t calls;
    _Atomic size_t foreign; /* blocks given back that are not ours */
    size_t failing;         /* the call that finds no memory; 0: none */
} tally;

typedef struct tag {
    _Alignas(16) tally *owner;
    uint64_t magic;
} tag;

static void *tag_block(tally *owner, tag *block)
{
    if (block == NULL)
        return NULL;
    *block = (tag){owner, MAGIC};
    return block + 1;
}

/* A block that another allocator made, or that was given back before, is counted and kept. */
static tag *tag_of(tally *owner, void *data)
{
    tag *block = (tag *)data - 1;
    if (block->magic == MAGIC && block->owner == owner)
        return block;
    owner->foreign++;
    return NULL;
}

static bool fails(tally *owner)
{
    return ++owner->calls == owner->failing;
}

static void *allocate(void *user, size_t size)
{
    tally *owner = user;
    void *data = fails(owner) ? NULL : tag_block(owner, malloc(sizeof(tag) + size));
    owner->blocks += data != NULL;
    return data;
}

static void *reallocate(void *user, void *data, size_t size)
{
    tag *block = tag_of(user, data);
    if (block == NULL || fails(user))
        return NULL;
    return tag_block(user, realloc(block, sizeof(tag) + size));
}

static void release(void *user, void *data)
{
    tally *owner = user;
    tag *block = tag_of(owner, data);
    if (block == NULL)
        return;
    block->magic = 0;
    owner->blocks--;
    free(block);
}

/* ---- Jobs in a call of their own ------------------------------------------------------------- */

static mgl_status build(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return mgl_command_hierarchy(job, "build", err, out);
}

static mgl_status show(mgl_job *job, mgl_error *err, mgl_result **out)
{
    return mgl_command_hierarchy(job, "show", err, out);
}

static mgl_status run_command(const memory_deed *deed, mgl_job *job, mgl_error *err,
                              mgl_result **out)
{
    static const struct {
        const char *name;
        mgl_status (*run)(mgl_job *job, mgl_error *err, mgl_result **out);
    } commands[] = {
        {"anonymize", mgl_command_anonymize}, {"count", mgl_command_count},
        {"apply", mgl_command_apply},         {"check", mgl_command_check},
        {"risk", mgl_command_risk},           {"attack", mgl_command_attack},
        {"utility", mgl_command_utility},     {"compare", mgl_command_compare},
        {"lattice", mgl_command_lattice},     {"report", mgl_command_report},
        {"hierarchy build", build},           {"hierarchy show", show},
    };
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, deed->command) == 0)
            return commands[i].run(job, err, out);
    abort();
}

static memory_world world;

static int begin(void **state)
{
    (void)state;
    mgl_error err = {0};
    const char *failed = "";
    memory_world_make(&world);
    if (memory_world_complete(&world, &err, &failed) == MGL_OK)
        return 0;
    print_error("%s: %s\n", failed, err.message);
    return -1;
}

static int end(void **state)
{
    (void)state;
    memory_world_free(&world);
    return 0;
}

/* The result lives on after the call. */
static mgl_status run(const memory_deed *deed, tally *counts, unsigned threads, mgl_error *err,
                      mgl_result **out)
{
    mgl_open_files files;
    mgl_shelf made = {0};
    mgl_call call = {.allocator = {allocate, reallocate, release, counts},
                     .files = &files,
                     .made = &made,
                     .in_memory = true};
    mgl_job *job = NULL;
    mgl_open_files_init(&files, &call.allocator);
    const mgl_call *before = mgl_call_enter(&call);
    mgl_status status = memory_job(deed, &world, threads, err, &job);
    if (status == MGL_OK) {
        call.given = mgl_job_given(job);
        status = run_command(deed, job, err, out);
    }
    if (status == MGL_OK) {
        (*out)->made = made;
        made = (mgl_shelf){0};
    }
    mgl_shelf_clear(&made);
    mgl_job_free(job);
    mgl_open_files_free(&files);
    mgl_call_leave(before);
    return status;
}

static void expect_clean(const memory_deed *deed, const tally *counts)
{
    if (counts->blocks != 0 || counts->foreign != 0)
        fail_msg("%s: %zu blocks are left, %zu were not ours (memory out at call %zu)", deed->name,
                 counts->blocks, counts->foreign, counts->failing);
}

static void every_block_goes_back_to_its_allocator(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_memory_deeds; i++) {
        mgl_error err = {0};
        tally counts = {0};
        mgl_result *result = NULL;
        if (run(&memory_deeds[i], &counts, 2, &err, &result) != MGL_OK)
            fail_msg("%s: %s", memory_deeds[i].name, err.message);
        assert_true(counts.calls > 0);
        assert_true(counts.blocks > 0); /* those of the result */
        mgl_result_free(result);
        expect_clean(&memory_deeds[i], &counts);
    }
}

static void an_allocator_without_memory_ends_the_job(void **state)
{
    (void)state;
    bool all = getenv("MGL_TEST_LONG") != NULL;
    for (size_t i = 0; i < n_memory_deeds; i++) {
        tally counts = {.failing = 1};
        for (bool hit = true; hit;) {
            mgl_error err = {0};
            mgl_result *result = NULL;
            counts = (tally){.failing = counts.failing};
            mgl_status status = run(&memory_deeds[i], &counts, 1, &err, &result);
            if (status != MGL_OK && (status != MGL_SYSTEM || err.message[0] == '\0'))
                fail_msg("%s: status %d, %s", memory_deeds[i].name, (int)status, err.message);
            mgl_result_free(result);
            expect_clean(&memory_deeds[i], &counts);
            hit = counts.calls >= counts.failing;
            size_t step = counts.failing / 5 + (counts.failing + i) % 7 + 1;
            counts.failing += all || counts.failing < 8 ? 1 : step;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_goes_back_to_its_allocator),
        cmocka_unit_test(an_allocator_without_memory_ends_the_job),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
