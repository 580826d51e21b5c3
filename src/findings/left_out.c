/* Tells how many rows a job left out before anything was counted: those that do not satisfy
 * `where`, and those that were not drawn by `sample`. Every command that reads a table calls it. */
#include "findings/findings.h"

void mgl_tell_left_out(const mgl_reading *reading, json_t *document)
{
    const mgl_chosen_rows *rows = reading->rows;
    if (rows == NULL)
        return;
    json_t *object = json_object();
    mgl_json_set(object, "read", mgl_json_count(rows->n_read));
    mgl_json_set(object, "where", mgl_json_count(rows->by_where));
    mgl_json_set(object, "sample", mgl_json_count(rows->by_sample));
    mgl_json_set(document, "left_out_rows", mgl_json_count(rows->by_where + rows->by_sample));
    mgl_json_set(document, "row_choice", object);
}
