/* Builds intervals(5,10,20): 37 -> 35-39 -> 30-39 -> 20-39 -> *. All widths count from one origin,
 * so that the intervals nest if each width is a multiple of the last. A row of the table in
 * builders.c. */
#include "hierarchy/decimal.h"

typedef struct widths {
    mgl_decimal numbers[1 + MGL_MOST_LEVELS]; /* the origin, then the widths */
    size_t n;                                 /* of all of them */
} widths;

static bool begins_with_word(mgl_span text, const char *word, mgl_span *rest)
{
    size_t size = strlen(word);
    if (text.size <= size || memcmp(text.data, word, size) != 0 || text.data[size] != ' ')
        return false;
    *rest = mgl_span_trim((mgl_span){text.data + size, text.size - size});
    return true;
}

/* "from 3 by 5,10": cuts the origin off. */
static mgl_status parse_origin(mgl_build *build, mgl_error *err, mgl_span *rest, mgl_decimal *out)
{
    mgl_span after, origin;
    *out = (mgl_decimal){0};
    if (!begins_with_word(*rest, "from", &after))
        return MGL_OK;
    const char *space = memchr(after.data, ' ', after.size);
    size_t size = space != NULL ? (size_t)(space - after.data) : after.size;
    origin = (mgl_span){after.data, size};
    after = mgl_span_trim((mgl_span){after.data + size, after.size - size});
    if (!begins_with_word(after, "by", rest))
        return mgl_draft_fail(build->draft, 0, err,
                              "'by' is missing; write intervals(from 3 by 5,10,20)");
    return mgl_decimal_parameter(build, origin, err, out);
}

static mgl_status parse(mgl_build *build, mgl_error *err, widths *out)
{
    mgl_span rest = build->arguments, width;
    MGL_TRY(parse_origin(build, err, &rest, &out->numbers[0]));
    out->n = 1;
    while (mgl_next_argument(&rest, &width)) {
        if (out->n > MGL_MOST_LEVELS)
            return mgl_draft_fail(build->draft, 0, err, "more than %d widths", MGL_MOST_LEVELS);
        MGL_TRY(mgl_decimal_parameter(build, width, err, &out->numbers[out->n]));
        if (out->numbers[out->n].digits <= 0)
            return mgl_draft_fail(build->draft, 0, err, "the width %.*s is not greater than 0",
                                  mgl_span_width(width), width.data);
        out->n++;
    }
    return MGL_OK;
}

/* The widths have one scale by now. */
static mgl_status check_nesting(mgl_build *build, const widths *w, mgl_error *err)
{
    for (size_t i = 2; i < w->n; i++) {
        __int128 width = w->numbers[i].digits, below = w->numbers[i - 1].digits;
        if (width > below && width % below == 0)
            continue;
        char text[MGL_DECIMAL_TEXT], text_below[MGL_DECIMAL_TEXT];
        mgl_decimal_write(NULL, width, w->numbers[i].scale, text);
        mgl_decimal_write(NULL, below, w->numbers[i].scale, text_below);
        return mgl_draft_fail(build->draft, 0, err,
                              "the width %s is no multiple of %s before it, so its intervals would "
                              "cut theirs; each width must be a larger multiple of the last",
                              text, text_below);
    }
    return MGL_OK;
}

static mgl_status add_row(mgl_build *build, const widths *w, const mgl_decimal *numbers, size_t i,
                          mgl_buffer *label, mgl_error *err)
{
    __int128 origin = w->numbers[0].digits;
    MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    for (uint32_t level = 1; level < w->n; level++) {
        __int128 width = w->numbers[level].digits;
        __int128 number = numbers[i].digits;
        __int128 offset = (number - origin) % width;
        __int128 lo = number - (offset < 0 ? offset + width : offset);
        /* The values are sorted: most share the interval of the one before, and
         * writing the label is what takes time. */
        if (i > 0 && numbers[i - 1].digits >= lo && numbers[i - 1].digits < lo + width) {
            mgl_draft_repeat(build->draft, level);
            continue;
        }
        label->size = 0;
        mgl_decimal_range(build->ground->notation, label, lo, lo + width, numbers[i].scale);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, level, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

mgl_status mgl_build_intervals(mgl_build *build, mgl_error *err)
{
    widths w;
    mgl_decimal *numbers;
    mgl_buffer label = {0};
    MGL_TRY(parse(build, err, &w));
    MGL_TRY(mgl_decimals_of(build, w.numbers, w.n, err, &numbers));
    build->draft->n_levels = (uint32_t)w.n;
    mgl_status status = check_nesting(build, &w, err);
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_row(build, &w, numbers, i, &label, err);
    mgl_buffer_free(&label);
    mgl_free(numbers);
    return status;
}
