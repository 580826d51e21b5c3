/* Does all the jobs of in_memory_jobs.h in memory, by themselves, on sessions and by
 * streams, or with the
 * argument "files" the first of them with files of the current folder. tests/cli/in_memory.sh
 * traces its system calls. */
#include "in_memory_streams.h"

#include <stdio.h>
#include <string.h>

static mgl_status use_files(const memory_world *world, mgl_error *err)
{
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    for (size_t i = 0; i < world->n; i++) {
        FILE *file = fopen(world->things[i].name, "wb");
        if (file == NULL)
            return MGL_SYSTEM;
        fwrite(world->things[i].data, 1, world->things[i].size, file);
        fclose(file);
    }
    mgl_status status = memory_job(&memory_deeds[0], NULL, 1, err, &job);
    if (status == MGL_OK)
        status = mgl_job_run(job, memory_deeds[0].command, err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

/* The same on sessions. */
static mgl_status use_sessions(const memory_world *world, mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < n_memory_deeds; i++) {
        mgl_job *job = NULL;
        mgl_result *result = NULL;
        if (!memory_deed_has_session(&memory_deeds[i]))
            continue;
        status = memory_job(&memory_deeds[i], world, 2, err, &job);
        if (status == MGL_OK)
            status = memory_run_on_session(&memory_deeds[i], job, NULL, err, &result);
        mgl_result_free(result);
        mgl_job_free(job);
    }
    return status;
}

int main(int n, char **arguments)
{
    memory_world world;
    mgl_error err = {0};
    const char *failed = "with files";
    bool files = n > 1 && strcmp(arguments[1], "files") == 0;
    memory_world_make(&world);
    mgl_status status =
        files ? use_files(&world, &err) : memory_world_complete(&world, &err, &failed);
    int64_t n_rows;
    if (status == MGL_OK && !files)
        status = use_sessions(&world, &err);
    if (status == MGL_OK && !files)
        status = memory_run_streams(&world, NULL, &err, &n_rows);
    memory_world_free(&world);
    if (status != MGL_OK)
        fprintf(stderr, "%s: %s\n", failed, err.message);
    return (int)status;
}
