/* Words the warnings that follow from the rest of a result. `check --against` words them once more,
 * from the result that it compares. */
#include "findings/warnings.h"
#include "findings/describe.h"

void mgl_result_warn_exempt(mgl_result *result, uint64_t rows)
{
    mgl_result_warn(result, "exempt-rows",
                    "%llu suppressed rows are released but exempt from the models",
                    (unsigned long long)rows);
}

void mgl_result_warn_timed_out(mgl_result *result)
{
    mgl_result_warn(result, "time-limit",
                    "the time limit came before the search was complete; a better release "
                    "may exist");
}

void mgl_result_warn_of_counting(mgl_result *result, const mgl_counting *counting, size_t n_named,
                                 uint64_t least)
{
    if (counting->tops_match)
        mgl_result_warn(result, "suppressed-cells-match",
                        "suppressed cells count as matching every value, for the models and for "
                        "the risk; the smallest class of equal tuples has size %llu",
                        (unsigned long long)least);
    if (counting->columns > 0)
        mgl_result_warn(result, "combinations",
                        "models hold on every combination of %u columns, not on all together; "
                        "the smallest class there has size %llu",
                        counting->columns, (unsigned long long)least);
    if (n_named > 0)
        mgl_result_warn(result, "named-combinations",
                        "models hold on each of the combinations of columns that were named, not "
                        "on all together; the smallest class there has size %llu",
                        (unsigned long long)least);
}

void mgl_result_warn_of_totals(mgl_result *result, const char *column, uint64_t cells)
{
    mgl_result_warn(result, "known-totals",
                    "column %s: what is suppressed (%llu cells) has one value in all, which "
                    "anyone learns who knows how many rows have each value",
                    column, (unsigned long long)cells);
}

void mgl_result_warn_unsafe(mgl_result *result, const mgl_failing *failing)
{
    char text[MGL_FAILING_TEXT];
    mgl_failing_text(failing, text);
    mgl_result_warn(result, "unsafe-release", "this release is unsafe, which was accepted: %s",
                    text);
}

void mgl_result_warn_of_leak(mgl_result *result, const char *message)
{
    mgl_result_warn(result, "leak-allowed", "released all the same: %s", message);
}

void mgl_result_warn_of_pairs(mgl_result *result, const json_t *not_tested)
{
    enum { NAMED = 5 };
    size_t n = json_array_size(not_tested);
    const char *reason = mgl_json_text(json_array_get(not_tested, 0), "reason");
    mgl_buffer names = {0};
    if (n == 0 || reason == NULL)
        return;
    for (size_t i = 0; i < n && i < NAMED; i++) {
        /* One pair, "a with b", and what is between it and the one before. */
        const json_t *columns = json_object_get(json_array_get(not_tested, i), "columns");
        const char *one = json_string_value(json_array_get(columns, 0)),
                   *other = json_string_value(json_array_get(columns, 1));
        mgl_buffer_format(&names, "%s%.60s with %.60s", i > 0 ? ", " : "", one != NULL ? one : "",
                          other != NULL ? other : "any other");
    }
    if (n > NAMED)
        mgl_buffer_format(&names, " and %zu more", n - NAMED);
    if (!names.failed)
        mgl_result_warn(result, "pairs-not-tested",
                        "whether two columns give generalized ones back together was not tested "
                        "for: %.*s (%s%s)",
                        (int)names.size, names.data, reason,
                        n > 1 ? "; all of them are in the result" : "");
    mgl_buffer_free(&names);
}

void mgl_result_warn_empty(mgl_result *result, const mgl_model_settings *models, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const mgl_model_settings *model = &models[i];
        if (!mgl_model_is_empty(model->type, model->parameters))
            continue;
        bool more = model->type->parameters[0].min == 1;
        mgl_result_warn(
            result, "empty-promise",
            "%s%s%.60s with %s 1 promises nothing: a row that is alone keeps it; give a %s "
            "number (`%s`)",
            model->type->name, model->attribute != NULL ? " of " : "",
            model->attribute != NULL ? model->attribute : "", model->type->parameters[0].name,
            more ? "larger" : "smaller", model->type->option);
    }
}

void mgl_result_add_failing_rows(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    json_t *rows = json_array();
    for (size_t i = 0; i < failing->n_named; i++)
        mgl_json_append(rows, mgl_json_count(failing->named[i]));
    mgl_json_set(result->document, "failing_rows", rows);
    mgl_json_set(result->document, "failing_rows_count", mgl_json_count(failing->n_rows));
}

void mgl_failing_add(const mgl_failing *failing, mgl_result *result)
{
    if (failing->found == NULL)
        return;
    mgl_result_add_failing_rows(failing, result);
    mgl_result_warn_unsafe(result, failing);
}
