/* Says what the rows of a table stand for, and which were suppressed for their risk. The summaries
 * for terminals and browsers call it. */
#include "report/words/population_words.h"

#include "report/words/words.h"

#include <math.h>

void mgl_population_words(const json_t *document, mgl_buffer *out)
{
    const json_t *population = json_object_get(document, "population");
    const char *column = mgl_json_text(population, "column");
    double persons = mgl_json_number(population, "persons");
    double fraction = mgl_json_number(population, "fraction");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (!isfinite(persons) || persons < 0 || persons > 1e18)
        return;
    mgl_buffer_format(out, "%s rows stand for about %s persons",
                      mgl_page_count(mgl_json_whole(document, "rows"), a),
                      mgl_page_count((uint64_t)rint(persons), b));
    if (column != NULL)
        mgl_buffer_format(out, ", by the weights in %.60s", column);
    else if (isfinite(fraction))
        mgl_buffer_format(out, ", as %.4g%% of them are in the table", 100 * fraction);
}

void mgl_above_words(const json_t *document, mgl_buffer *out)
{
    const json_t *above = json_object_get(document, "suppressed_above");
    uint64_t rows = mgl_json_whole(above, "rows"), joined = mgl_json_whole(above, "joined");
    char a[MGL_NUMBER_SIZE];
    if (!json_is_object(above))
        return;
    mgl_buffer_format(out, "%s row%s above a risk of %g %s suppressed first",
                      mgl_page_count(rows, a), rows == 1 ? "" : "s", mgl_json_number(above, "risk"),
                      rows == 1 ? "was" : "were");
    if (joined > 0)
        mgl_buffer_format(out, "; %s more had to join them", mgl_page_count(joined, a));
}
