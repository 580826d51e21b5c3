/* Chooses among the steps of a builder those that a column needs, by building and counting what is
 * left. The suggestions for codes, dates and numbers call it. */
#include "suggest/suggesting.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_try_builder(mgl_suggesting *s, const char *builder, bool *fits)
{
    mgl_hierarchy *hierarchy = NULL;
    mgl_status status = mgl_hierarchy_make(builder, s->column, s->dictionary, s->err, &hierarchy);
    *fits = status == MGL_OK;
    if (status != MGL_OK)
        return status == MGL_SYSTEM ? status : MGL_OK;
    mgl_hierarchy_free(s->out->hierarchy);
    s->out->hierarchy = hierarchy;
    s->out->builder.size = 0;
    mgl_buffer_text(&s->out->builder, builder);
    return MGL_OK;
}

void mgl_ladder_add(mgl_ladder *ladder, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(ladder->steps[ladder->n++], MGL_STEP_SIZE, format, args);
    va_end(args);
}

static mgl_status build(mgl_suggesting *s, const mgl_ladder *ladder, bool *fits)
{
    mgl_buffer text = {0};
    char *builder;
    mgl_buffer_text(&text, ladder->front);
    for (size_t i = 0; i < ladder->n; i++)
        mgl_buffer_format(&text, "%s%s", i > 0 ? "," : "", ladder->steps[i]);
    mgl_buffer_text(&text, ")");
    MGL_TRY(mgl_buffer_take(&text, s->err, &builder));
    mgl_status status = mgl_try_builder(s, builder, fits);
    mgl_free(builder);
    return status;
}

/* Finds the levels of the hierarchy that join values; returns how many there are. */
static size_t find_useful(const mgl_hierarchy *h, size_t n_steps, uint32_t *useful)
{
    size_t n = 0;
    uint32_t below = mgl_values_at(h, 0);
    for (uint32_t level = 1; level <= n_steps && level < h->height; level++) {
        uint32_t here = mgl_values_at(h, level);
        if (here >= below || here < 2)
            continue;
        useful[n++] = level;
        below = here;
    }
    return n;
}

/* Which one joins the fewest values of the step before it? */
static size_t find_least(const mgl_hierarchy *h, const uint32_t *useful, size_t n)
{
    size_t least = 0;
    double fewest = 0;
    for (size_t i = 0; i < n; i++) {
        double below = mgl_values_at(h, i > 0 ? useful[i - 1] : 0);
        double joined = below / mgl_values_at(h, useful[i]);
        if (i == 0 || joined < fewest) {
            fewest = joined;
            least = i;
        }
    }
    return least;
}

mgl_status mgl_ladder_fit(mgl_suggesting *s, mgl_ladder *ladder, bool *fits)
{
    uint32_t useful[MGL_MOST_STEPS];
    MGL_TRY(build(s, ladder, fits));
    if (!*fits)
        return MGL_OK;
    /* The finest step may be the values themselves, and no level then. */
    size_t skipped = ladder->n + 1 - s->out->hierarchy->height;
    size_t n = find_useful(s->out->hierarchy, ladder->n - skipped, useful);
    while (n > MGL_LADDER_LEVELS) {
        size_t least = find_least(s->out->hierarchy, useful, n--);
        for (size_t i = least; i < n; i++)
            useful[i] = useful[i + 1];
    }
    *fits = n > 0;
    if (n == ladder->n || n == 0)
        return MGL_OK;
    for (size_t i = 0; i < n; i++)
        memmove(ladder->steps[i], ladder->steps[useful[i] - 1 + skipped], MGL_STEP_SIZE);
    ladder->n = n;
    return build(s, ladder, fits);
}
