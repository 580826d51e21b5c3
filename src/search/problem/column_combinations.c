/* Reads which combinations of columns are meant; the rows of two methods name this option. */
#include "search/problem/column_combinations.h"

/* One of "2", "published", "all", "age+zip": added to what is there. Which columns are named the
 * settings know (src/job/settings/named_combinations.c). */
static bool read_combination(mgl_span text, void *place)
{
    mgl_combinations *out = place;
    uint64_t size;
    if (mgl_span_is(text, "published"))
        out->published = true;
    else if (mgl_span_is(text, "all"))
        out->all = true;
    else if (text.size > 0 && memchr(text.data, '+', text.size) != NULL)
        out->named = true;
    else if (mgl_parse_u64(text, &size) && size >= 1 && size < 64)
        out->sizes |= UINT64_C(1) << size;
    else
        return false;
    return true;
}

const mgl_method_option mgl_combinations_option = {
    .name = "combinations",
    .value = "N,...|published|all|COLUMN+COLUMN,...",
    .help = "mu-argus: combinations of columns looked at (default: 2,3); local-suppression: on "
            "which k must hold (default: all columns together); by name (age+zip,age+sex+job): "
            "models hold on just these",
    .list = true,
    .of_release = true,
    .form = {.kind = MGL_FORM_OWN,
             .read = read_combination,
             .wrong = "is no kind of combinations; give sizes such as 2,3, or published, or all, "
                      "or columns such as age+zip"},
};
