/* Tells which rows fail where a solution does not hold. describe_solution.c calls it where the job
 * accepted that, the command where it is refused. */
#include "findings/sections.h"
#include "findings/warnings.h"

void mgl_failing_rows_tell(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    json_t *rows = json_array();
    for (size_t i = 0; i < failing->n_named; i++)
        mgl_json_append(rows, mgl_json_count(failing->named[i]));
    mgl_json_set(result->document, "failing_rows", rows);
    mgl_json_set(result->document, "failing_rows_count", mgl_json_count(failing->n_rows));
}

void mgl_failing_tell(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    mgl_failing_rows_tell(failing, result);
    mgl_result_warn_unsafe(result, failing);
}
