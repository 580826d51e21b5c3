/* The second pass over a source in waves: while some blocks of records are worked on, the next ones
 * are made. Text makes several at a time, other sources one. row_pass.c of the release calls it. */
#include "io/intake/intake.h"

mgl_status mgl_source_share(mgl_source *source, unsigned threads, mgl_error *err)
{
    MGL_TRY(mgl_source_rewind(source, err));
    if (source->operations->share != NULL)
        return source->operations->share(source, threads, err);
    source->ahead = (mgl_records_ahead){0};
    return MGL_OK;
}

size_t mgl_source_plan(mgl_source *source)
{
    return source->operations->share != NULL ? source->operations->plan(source) : 1;
}

void mgl_source_cut(mgl_source *source, size_t block)
{
    mgl_records_ahead *ahead = &source->ahead;
    if (source->operations->share != NULL)
        source->operations->cut(source, block);
    else
        ahead->status = mgl_source_next(source, &ahead->error, &ahead->block.records);
}

mgl_status mgl_source_settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                             size_t *n)
{
    const mgl_records_ahead *ahead = &source->ahead;
    if (source->operations->share != NULL)
        return source->operations->settle(source, err, blocks, n);
    if (ahead->status != MGL_OK) {
        if (err != NULL)
            *err = ahead->error;
        return ahead->status;
    }
    *blocks = &ahead->block;
    *n = ahead->block.records.n_records > 0;
    return MGL_OK;
}
