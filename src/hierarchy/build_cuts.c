/* Builds cuts(18,30,46,66): <18, 18-29, 30-45, 46-65, >=66, then *. A row of the table in
 * builders.c. */
#include "hierarchy/decimal.h"

static mgl_status check_ascending(mgl_build *build, const mgl_decimal_list *b, mgl_error *err)
{
    for (size_t i = 1; i < b->n; i++) {
        if (b->numbers[i].digits > b->numbers[i - 1].digits)
            continue;
        char text[MGL_DECIMAL_TEXT];
        mgl_decimal_write(NULL, b->numbers[i].digits, b->numbers[i].scale, text);
        return mgl_draft_fail(build->draft, 0, err,
                              "the bound %s is not greater than the one before it; write the "
                              "bounds in ascending order",
                              text);
    }
    return MGL_OK;
}

/* How many bounds are not greater than the number. */
static size_t band_of(const mgl_decimal_list *b, __int128 number)
{
    size_t low = 0, high = b->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->numbers[middle].digits <= number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void write_band(const mgl_notation *notation, mgl_buffer *out, const mgl_decimal_list *b,
                       size_t band, uint32_t scale)
{
    char text[MGL_DECIMAL_TEXT];
    out->size = 0;
    if (band > 0 && band < b->n) {
        mgl_decimal_range(notation, out, b->numbers[band - 1].digits, b->numbers[band].digits,
                          scale);
        return;
    }
    mgl_decimal_write(notation, b->numbers[band > 0 ? band - 1 : 0].digits, scale, text);
    mgl_buffer_format(out, band > 0 ? ">=%s" : "<%s", text);
}

static mgl_status add_rows(mgl_build *build, const mgl_decimal_list *b, const mgl_decimal *numbers,
                           mgl_buffer *label, mgl_error *err)
{
    build->draft->n_levels = 2;
    for (size_t i = 0; i < build->ground->n; i++) {
        MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
        write_band(build->ground->notation, label, b, band_of(b, numbers[i].digits),
                   numbers[i].scale);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, 1, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

mgl_status mgl_build_cuts(mgl_build *build, mgl_error *err)
{
    mgl_decimal_list b = {0};
    mgl_decimal *numbers = NULL;
    mgl_buffer label = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_decimal_parameters(build, err, &b));
    MGL_GO(mgl_decimals_of(build, b.numbers, b.n, err, &numbers));
    MGL_GO(check_ascending(build, &b, err));
    MGL_GO(add_rows(build, &b, numbers, &label, err));
done:
    mgl_buffer_free(&label);
    mgl_free(numbers);
    mgl_free(b.numbers);
    return status;
}
