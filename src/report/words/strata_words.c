/* Names strata, and tells whether they have levels. The summaries for terminal and browser call it.
 */
#include "report/words/strata_words.h"

void mgl_stratum_words(const json_t *by, mgl_buffer *out)
{
    const char *column, *before = "";
    json_t *value;
    json_object_foreach((json_t *)by, column, value)
    {
        const char *said = json_string_value(value);
        mgl_buffer_format(out, "%s%.100s", before,
                          said == NULL      ? "?"
                          : said[0] == '\0' ? "(empty)"
                                            : said);
        before = ", ";
    }
}

bool mgl_is_uniform(const json_t *document)
{
    const json_t *list = json_object_get(document, "strata");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_object(json_object_get(json_array_get(list, i), "node")))
            return false;
    return json_array_size(list) > 0 || json_is_object(json_object_get(document, "node"));
}
