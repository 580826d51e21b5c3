/* Builds top(90,80): >=90, then >=80, then *, while smaller numbers stay themselves; and
 * bottom(18,25): <=18, then <=25, then *. Rows of the table in builders.c. */
#include "hierarchy/decimal.h"

typedef struct bounds {
    mgl_decimal_list list; /* one for each level */
    int side;              /* 1: from there on upwards; -1: downwards */
} bounds;

static mgl_status parse(mgl_build *build, mgl_error *err, bounds *b)
{
    MGL_TRY(mgl_decimal_parameters(build, err, &b->list));
    return b->list.n + 2 <= MGL_MOST_LEVELS
               ? MGL_OK
               : mgl_draft_fail(build->draft, 0, err,
                                "there are more than %d levels; leave some out", MGL_MOST_LEVELS);
}

static bool is_beyond(const bounds *b, size_t i, __int128 number)
{
    return b->side > 0 ? number >= b->list.numbers[i].digits : number <= b->list.numbers[i].digits;
}

/* Each level has all that the one before has. */
static mgl_status check_order(mgl_build *build, const bounds *b, mgl_error *err)
{
    for (size_t i = 1; i < b->list.n; i++)
        if (is_beyond(b, i - 1, b->list.numbers[i].digits))
            return mgl_draft_fail(build->draft, 0, err,
                                  b->side > 0
                                      ? "the bounds do not go down; write the largest one first"
                                      : "the bounds do not go up; write the smallest one first");
    return MGL_OK;
}

static mgl_status put_level(mgl_build *build, const bounds *b, size_t i, size_t level,
                            mgl_decimal number, mgl_error *err)
{
    char text[MGL_DECIMAL_TEXT + 2] = ">=";
    if (!is_beyond(b, level, number.digits))
        return mgl_draft_put(build->draft, (uint32_t)level + 1, build->ground->values[i].text, err);
    text[0] = b->side > 0 ? '>' : '<';
    size_t size = mgl_decimal_write(build->ground->notation, b->list.numbers[level].digits,
                                    b->list.numbers[level].scale, text + 2);
    return mgl_draft_put(build->draft, (uint32_t)level + 1, (mgl_span){text, size + 2}, err);
}

static mgl_status add_rows(mgl_build *build, const bounds *b, const mgl_decimal *numbers,
                           mgl_error *err)
{
    build->draft->n_levels = (uint32_t)b->list.n + 1;
    for (size_t i = 0; i < build->ground->n; i++) {
        MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
        for (size_t level = 0; level < b->list.n; level++)
            MGL_TRY(put_level(build, b, i, level, numbers[i], err));
    }
    return MGL_OK;
}

static mgl_status build_bounds(mgl_build *build, int side, mgl_error *err)
{
    bounds b = {.side = side};
    mgl_decimal *numbers = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(parse(build, err, &b));
    MGL_GO(mgl_decimals_of(build, b.list.numbers, b.list.n, err, &numbers));
    MGL_GO(check_order(build, &b, err));
    MGL_GO(add_rows(build, &b, numbers, err));
done:
    mgl_free(numbers);
    mgl_free(b.list.numbers);
    return status;
}

mgl_status mgl_build_top(mgl_build *build, mgl_error *err)
{
    return build_bounds(build, 1, err);
}

mgl_status mgl_build_bottom(mgl_build *build, mgl_error *err)
{
    return build_bounds(build, -1, err);
}
