/* An allocator of one's own: every block goes back to the allocator it came from, none is left, and
 * when memory is out at any call of it, the job ends with MGL_SYSTEM. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "in_memory_streams.h"

#include <stdatomic.h>
#include <stdbool.h>
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

/* ---- Jobs on sessions with it ------------------------------------------------------------------
 */

static memory_world world;

static int begin(void **state)
{
    (void)state;
    return memory_world_ready(&world) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    memory_world_free(&world);
    return 0;
}

/* The result lives on after the session. */
static mgl_status run(const memory_deed *deed, tally *counts, unsigned threads, mgl_error *err,
                      mgl_result **out)
{
    const mgl_allocator allocator = {allocate, reallocate, release, counts};
    const mgl_session_options options = {.size = sizeof options, .allocator = &allocator};
    mgl_job *job = NULL;
    mgl_status status = memory_job(deed, &world, threads, err, &job);
    assert_int_equal(status, MGL_OK);
    status = memory_run_on_session(deed, job, &options, err, out);
    mgl_job_free(job);
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
        if (!memory_deed_has_session(&memory_deeds[i]))
            continue;
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
        for (bool hit = memory_deed_has_session(&memory_deeds[i]); hit;) {
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

/* Streams outlive the results that they come from, and these their sessions. */
static void every_block_of_a_stream_goes_back_to_its_allocator(void **state)
{
    (void)state;
    tally counts = {0};
    for (bool hit = true, whole = true; hit; whole = false) {
        counts = (tally){.failing = counts.failing};
        const mgl_allocator allocator = {allocate, reallocate, release, &counts};
        const mgl_session_options options = {.size = sizeof options, .allocator = &allocator};
        mgl_error err = {0};
        int64_t n_rows = 0;
        mgl_status status = memory_run_streams(&world, &options, &err, &n_rows);
        if (whole && (status != MGL_OK || n_rows <= 0))
            fail_msg("status %d, %lld rows: %s", (int)status, (long long)n_rows, err.message);
        if (status != MGL_OK && err.message[0] == '\0')
            fail_msg("no message when memory is out at call %zu", counts.failing);
        if (counts.blocks != 0 || counts.foreign != 0)
            fail_msg("%zu blocks are left, %zu were not ours (memory out at call %zu)",
                     counts.blocks, counts.foreign, counts.failing);
        hit = counts.calls >= counts.failing;
        counts.failing += counts.failing < 8 ? 1 : counts.failing / 9 + 1;
    }
}

static void an_allocator_has_all_functions_or_none(void **state)
{
    (void)state;
    tally counts = {0};
    const mgl_allocator allocators[] = {{0}, {.allocate = allocate, .user = &counts}};
    const memory_deed *deed = &memory_deeds[0];
    for (int i = 0; i < 2; i++) {
        const mgl_session_options options = {.size = sizeof options, .allocator = &allocators[i]};
        mgl_error err = {0};
        mgl_session *session = NULL;
        mgl_job *job = NULL;
        assert_int_equal(memory_job(deed, &world, 1, &err, &job), MGL_OK);
        assert_int_equal(mgl_session_open(job, &options, &err, &session),
                         i == 0 ? MGL_OK : MGL_USAGE);
        mgl_session_close(session);
        mgl_job_free(job);
    }
    assert_int_equal(counts.calls, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_block_goes_back_to_its_allocator),
        cmocka_unit_test(an_allocator_without_memory_ends_the_job),
        cmocka_unit_test(every_block_of_a_stream_goes_back_to_its_allocator),
        cmocka_unit_test(an_allocator_has_all_functions_or_none),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
