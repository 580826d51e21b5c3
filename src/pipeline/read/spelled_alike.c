/* Spells a second table as the first one was spelled, where --trim or --fold-case say that
 * spellings do not tell values apart. For the population, the persons of `attack` and the release
 * of `utility`. */
#include "pipeline/read/columns.h"
#include "pipeline/read/reading.h"

mgl_status mgl_spell_alike(const mgl_settings *settings, const mgl_table *first, mgl_table *other,
                           size_t n, mgl_error *err)
{
    for (size_t c = 0; mgl_respells(settings) && c < n; c++)
        MGL_TRY(mgl_column_adopt(&other->columns[c], first->columns[c].dictionary,
                                 settings->source.spelling, err));
    return MGL_OK;
}
