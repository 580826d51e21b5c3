/* Has a release divided into folders once it is verified as one file: the folders are read back and
 * compared with the file, whose rows come in another order there. writing.c and push.c call it. */
#include "pipeline/write/divide_release.h"

mgl_status mgl_release_stage(const mgl_settings *settings, const char *target, mgl_error *err,
                             mgl_stage **out)
{
    if (settings->partitions.n > 0)
        return mgl_stage_new_folder(target, settings->overwrite, err, out);
    return mgl_stage_new(target, err, out);
}

mgl_status mgl_release_divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err)
{
    mgl_partitions partitions = {.columns = settings->partitions.columns,
                                 .n_columns = settings->partitions.n,
                                 .threads = settings->limits.threads,
                                 .memory = settings->limits.memory,
                                 .target = settings->output};
    if (settings->partitions.n == 0)
        return MGL_OK;
    return mgl_blame_key(err, mgl_stage_divide(stage, &partitions, err), "partition-by");
}
