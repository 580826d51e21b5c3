/* Reads columns of a release as numbers or dates: averages can be compared with what they stand for
 * only by distance. For nearest_rows.c and distances.c. */
#include "command/link/number_columns.h"

#include <math.h>

bool mgl_numbers_of(const mgl_span *texts, uint32_t n, uint32_t missing,
                    const mgl_notation *notation, double *numbers, mgl_number_kind *kind)
{
    for (uint32_t i = 0; i < n; i++) {
        mgl_ground_text text = mgl_ground_text_of(texts[i], notation);
        mgl_number_kind own = text.is_number ? MGL_KIND_NUMBERS : MGL_KIND_DATES;
        if (i == missing) {
            numbers[i] = NAN;
        } else if (mgl_span_is(texts[i], "*")) {
            numbers[i] = INFINITY;
        } else if ((text.is_number || text.is_date) &&
                   (*kind == MGL_KIND_UNKNOWN || *kind == own)) {
            numbers[i] = text.is_number ? text.number : text.day;
            *kind = own;
        } else {
            return false;
        }
    }
    return true;
}

mgl_status mgl_numbers_of_dictionary(const mgl_dictionary *dictionary, mgl_error *err,
                                     mgl_number_kind *kind, double **numbers, bool *all)
{
    uint32_t n = mgl_dictionary_size(dictionary);
    mgl_span *texts = mgl_alloc_array(n, sizeof *texts);
    *numbers = mgl_alloc_array(n, sizeof **numbers);
    if (texts == NULL || *numbers == NULL) {
        mgl_free(texts);
        return mgl_fail_memory(err);
    }
    for (uint32_t code = 0; code < n; code++)
        texts[code] = mgl_dictionary_value(dictionary, code);
    *all = mgl_numbers_of(texts, n, mgl_dictionary_missing(dictionary),
                          mgl_dictionary_notation(dictionary), *numbers, kind);
    mgl_free(texts);
    return MGL_OK;
}

void mgl_moments_add(mgl_moments *spread, double number, double rows)
{
    if (!isfinite(number))
        return;
    /* Updated number by number, so that large numbers close together do not lose their differences.
     */
    double before = number - spread->mean;
    spread->rows += rows;
    spread->mean += before * rows / spread->rows;
    spread->squares += rows * before * (number - spread->mean);
    spread->least = spread->seen ? fmin(spread->least, number) : number;
    spread->most = spread->seen ? fmax(spread->most, number) : number;
    spread->seen = true;
}

double mgl_moments_unit(const mgl_moments *spread)
{
    double variance = spread->rows > 0 ? spread->squares / spread->rows : 0;
    return variance > 0 ? sqrt(variance) : 1;
}
