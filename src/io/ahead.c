/* The second pass over a source in waves: while some blocks of records are worked on, the next ones
 * are made. Text makes several at a time, other sources one. row_pass.c of the release calls it. */
#include "io/chosen.h"
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
        ahead->status = source->operations->next(source, &ahead->error, &ahead->block.records);
}

static mgl_status settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
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

/* Blocks may be left without records, though others follow. */
mgl_status mgl_source_settle(mgl_source *source, mgl_error *err, const mgl_wave_block **blocks,
                             size_t *n)
{
    const mgl_wave_block *all;
    if (source->chosen == NULL)
        return settle(source, err, blocks, n);
    if (source->sifted == NULL)
        source->sifted = mgl_zeroed_array(MGL_WAVE_BLOCKS, sizeof *source->sifted);
    if (source->sifted == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(settle(source, err, &all, n));
    for (size_t b = 0; b < *n; b++) {
        source->sifted[b] = all[b];
        mgl_records_sift(source->chosen, source->n_passed, &source->sifted[b].records);
        source->n_passed += all[b].records.n_records;
    }
    *blocks = source->sifted;
    return MGL_OK;
}
