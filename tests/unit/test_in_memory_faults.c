/* Jobs in memory with each allocation and each system call failing in turn: MGL_SYSTEM with a
 * message and no result, or all that the job writes. Nothing is left behind (the sanitizer looks).
 *
 * The ordinary run takes a sample of the calls, the first ones all; MGL_TEST_LONG=1 all. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "in_memory_jobs.h"

#include <stdlib.h>
#include <string.h>

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

static const memory_thing *find(const char *name)
{
    for (size_t i = 0; i < world.n; i++)
        if (strcmp(world.things[i].name, name) == 0)
            return &world.things[i];
    return NULL;
}

/* What a job that succeeded wrote is all there, as it was without faults. */
static void expect_outputs(const memory_deed *deed, const mgl_result *result)
{
    for (size_t i = 0; deed->outputs[i] != NULL; i++) {
        const memory_thing *good = find(deed->outputs[i]);
        const void *data;
        size_t size;
        assert_int_equal(mgl_result_bytes(result, deed->outputs[i], NULL, &data, &size), MGL_OK);
        assert_true(size > 0);
        if (memory_output_varies(deed->outputs[i]))
            continue;
        assert_int_equal(size, good->size);
        assert_memory_equal(data, good->data, size);
    }
}

static uint64_t run_with(const memory_deed *deed, mgl_fault_kind kind, uint64_t number,
                         bool harmless)
{
    mgl_error err = {0};
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_fault_arm(kind, number);
    mgl_status status = memory_job(deed, &world, 1, &err, &job);
    if (status == MGL_OK)
        status = mgl_job_run(job, deed->command, &err, &result);
    uint64_t calls = mgl_fault_count(kind);
    mgl_fault_arm(kind, 0);
    if (status == MGL_OK) {
        expect_outputs(deed, result);
    } else {
        if (harmless || status != MGL_SYSTEM || err.message[0] == '\0')
            fail_msg("%s, kind %d, call %d: status %d, %s", deed->name, (int)kind, (int)number,
                     (int)status, err.message);
        assert_null(result);
    }
    mgl_result_free(result);
    mgl_job_free(job);
    return calls;
}

/* The first calls one by one, then fewer and fewer, not the same ones for every job. */
static void fail_each(const memory_deed *deed, size_t shift, mgl_fault_kind kind, bool harmless)
{
    bool all = getenv("MGL_TEST_LONG") != NULL;
    uint64_t number = 1;
    while (run_with(deed, kind, number, harmless) >= number)
        number += all || number < 6 ? 1 : number / 6 + (number + shift) % 5 + 1;
}

static void fail_all(const mgl_fault_kind *kinds, size_t n, bool harmless)
{
    for (size_t i = 0; i < n_memory_deeds; i++)
        for (size_t k = 0; k < n; k++)
            fail_each(&memory_deeds[i], i, kinds[k], harmless);
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_MEMORY};
    fail_all(kinds, 1, false);
}

static void every_failed_call_on_a_file_in_memory_is_an_error(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_OPEN,   MGL_FAULT_READ, MGL_FAULT_WRITE,
                                           MGL_FAULT_DEVICE, MGL_FAULT_SYNC, MGL_FAULT_RENAME};
    fail_all(kinds, sizeof kinds / sizeof *kinds, false);
}

static void short_reads_change_nothing(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_SHORT};
    fail_all(kinds, 1, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_an_error),
        cmocka_unit_test(every_failed_call_on_a_file_in_memory_is_an_error),
        cmocka_unit_test(short_reads_change_nothing),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
