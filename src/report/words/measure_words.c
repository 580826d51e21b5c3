/* What views ask about the measure that a document is about; summaries, comparisons and curves do.
 */
#include "report/words/measure_words.h"

#include "report/words/page.h"

#include <stdio.h>

mgl_measure_view mgl_measure_view_of(mgl_measure_view_fn *measures, const char *key)
{
    mgl_measure_view view;
    return measures(key, 0, &view) ? view : (mgl_measure_view){.key = key};
}

bool mgl_is_gain(mgl_measure_view_fn *measures, const char *key)
{
    return key != NULL && mgl_measure_view_of(measures, key).gain;
}

static const char *standard_key(mgl_measure_view_fn *measures)
{
    mgl_measure_view view;
    for (size_t i = 0; measures(NULL, i, &view); i++)
        if (view.standard)
            return view.key;
    return "?";
}

const char *mgl_measure_of(mgl_measure_view_fn *measures, const json_t *document)
{
    const char *key = mgl_json_text(document, "measure");
    for (size_t i = 0; key == NULL && i < json_array_size(document); i++)
        key = mgl_json_text(json_array_get(document, i), "measure");
    return key != NULL ? key : standard_key(measures);
}

const char *mgl_measure_words(const char *key, char *text)
{
    snprintf(text, MGL_NUMBER_SIZE, "%s", key != NULL ? key : "?");
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '_' ? ' ' : *c;
    return text;
}
