/* Files in memory: what is given to a job is read as a file would be, what is written to memory is
 * what a file would hold, and whatever cannot be there is refused with a word. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "in_memory_jobs.h"

#include <stdlib.h>
#include <string.h>

static memory_world world;

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    memory_world_make(&world);
    for (size_t i = 0; i < world.n; i++)
        brute_write(world.things[i].name, world.things[i].data, world.things[i].size);
    return 0;
}

static int end(void **state)
{
    memory_world_free(&world);
    return brute_leave_folder(state);
}

static mgl_result *run(const memory_deed *deed, const memory_world *given, unsigned threads)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = NULL;
    mgl_status status = memory_job(deed, given, threads, &err, &job);
    if (status == MGL_OK)
        status = deed->run(job, &err, &result);
    if (status != MGL_OK)
        fail_msg("%s (%s): %s", deed->name, given != NULL ? "memory" : "files", err.message);
    mgl_job_free(job);
    return result;
}

static void expect_same(const mgl_result *memory, const char *output)
{
    size_t expected, size;
    const void *data;
    char *bytes = brute_read(output, &expected);
    if (bytes == NULL)
        fail_msg("no file %s", output);
    assert_int_equal(mgl_result_bytes(memory, output, NULL, &data, &size), MGL_OK);
    assert_true(size > 0);
    if (!memory_output_varies(output)) {
        assert_int_equal(size, expected);
        assert_memory_equal(data, bytes, size);
    }
    memory_world_add(&world, output, data, size);
    free(bytes);
}

static void what_memory_gets_is_what_files_get(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_memory_deeds; i++) {
        const memory_deed *deed = &memory_deeds[i];
        mgl_result *files = run(deed, NULL, 1), *memory = run(deed, &world, 2);
        assert_int_equal(mgl_result_holds(files), mgl_result_holds(memory));
        for (size_t o = 0; deed->outputs[o] != NULL; o++)
            expect_same(memory, deed->outputs[o]);
        mgl_result_free(files);
        mgl_result_free(memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_memory_gets_is_what_files_get),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
