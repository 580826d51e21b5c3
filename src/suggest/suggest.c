/* Suggests a builder for a column that has no hierarchy, one kind after another until one fits. The
 * pipeline calls it for columns without one, `hierarchy suggest` for those it is asked about. */
#include "suggest/suggesting.h"

uint64_t mgl_rows_of(const mgl_suggesting *s, mgl_span value)
{
    if (!mgl_dictionary_knows_rows(s->dictionary))
        return 1;
    return mgl_dictionary_rows(s->dictionary, mgl_dictionary_find(s->dictionary, value));
}

static mgl_status find_profile(mgl_suggesting *s)
{
    uint32_t n = mgl_dictionary_size(s->dictionary);
    uint64_t *rows = mgl_alloc_array(n, sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(s->err);
    /* What only a population has counts once: it is a value of the column, too. */
    for (uint32_t code = 0; code < n; code++) {
        rows[code] = mgl_dictionary_rows(s->dictionary, code);
        rows[code] += rows[code] == 0;
    }
    mgl_status status = mgl_profile_of(s->column, s->dictionary, rows, s->err, &s->profile);
    mgl_free(rows);
    return status;
}

/* Somebody said what the column is, but its values are not so: the builder says why. */
static mgl_status refuse_said(mgl_suggesting *s)
{
    bool fits;
    MGL_TRY(mgl_try_builder(s, s->said == MGL_SAID_DATE ? "dates(year)" : "intervals(10)", &fits));
    if (fits) /* it is so, but there are no values to join */
        return mgl_suggest_categories(s, &fits);
    return s->err != NULL ? s->err->status : MGL_USAGE;
}

static mgl_status choose(mgl_suggesting *s)
{
    static mgl_suggest_fn *const in_turn[] = {mgl_suggest_dates, mgl_suggest_known,
                                              mgl_suggest_codes, mgl_suggest_numbers};
    enum { N = sizeof in_turn / sizeof in_turn[0] };
    bool fits = false;
    if (mgl_dictionary_size(s->dictionary) == 0) {
        mgl_buffer_text(&s->out->builder, "suppress");
        mgl_buffer_text(&s->out->reason, "no values");
        return MGL_OK;
    }
    MGL_TRY(mgl_hierarchy_make(NULL, s->column, s->dictionary, s->err, &s->plain));
    MGL_TRY(mgl_scale_new(s->plain, s->err, &s->scale));
    for (size_t i = 0; s->said != MGL_SAID_NOMINAL && !fits && i < N; i++)
        MGL_TRY(in_turn[i](s, &fits));
    if (fits)
        return MGL_OK;
    if (s->said == MGL_SAID_NUMBER || s->said == MGL_SAID_DATE)
        return refuse_said(s);
    return mgl_suggest_categories(s, &fits);
}

static mgl_status try_suggest(mgl_suggesting *s)
{
    MGL_TRY(find_profile(s));
    MGL_TRY(choose(s));
    if (s->out->builder.failed || s->out->reason.failed || s->out->alternatives.failed)
        return mgl_fail_memory(s->err);
    return MGL_OK;
}

mgl_status mgl_suggest(const char *column, const mgl_dictionary *dictionary, mgl_said_kind kind,
                       mgl_error *err, mgl_suggestion *out)
{
    mgl_error own = {0}; /* a builder that does not fit is no failure */
    *out = (mgl_suggestion){0};
    mgl_suggesting s = {
        .column = column, .dictionary = dictionary, .said = kind, .out = out, .err = &own};
    mgl_status status = try_suggest(&s);
    mgl_scale_free(s.scale);
    mgl_hierarchy_free(s.plain);
    if (status == MGL_OK)
        return MGL_OK;
    mgl_suggestion_free(out);
    return mgl_fail_as(err, &own);
}

void mgl_suggestion_free(mgl_suggestion *suggestion)
{
    mgl_hierarchy_free(suggestion->hierarchy);
    mgl_buffer_free(&suggestion->builder);
    mgl_buffer_free(&suggestion->reason);
    mgl_buffer_free(&suggestion->alternatives);
    *suggestion = (mgl_suggestion){0};
}
