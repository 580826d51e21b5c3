/* Compares the warnings of a result: those that follow from the rest of it are worded once more and
 * must be there, and no others of their kind. The table in claims.c calls it. */
#include "command/audit/claims.h"

#include <stdlib.h>

static const json_t *claim_of(const mgl_claims *c, const char *key)
{
    return json_object_get(c->claimed, key);
}

static bool has_code(const json_t *warning, const char *code)
{
    const char *here = mgl_json_text(warning, "code");
    return here != NULL && strcmp(here, code) == 0;
}

/* ---- What follows from the result ----------------------------------------------------------- */

static void expect_leaks(const mgl_claims *c, mgl_result *due)
{
    const json_t *leaks = claim_of(c, "leaks"),
                 *warnings = json_object_get(claim_of(c, "guard"), "warnings"),
                 *pairs = json_object_get(claim_of(c, "guard"), "pairs");
    for (size_t i = 0; i < json_array_size(leaks); i++) {
        const char *message = mgl_json_text(json_array_get(leaks, i), "message");
        mgl_result_warn_of_leak(due, message != NULL ? message : "");
    }
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const json_t *said = json_array_get(warnings, i);
        const char *code = mgl_json_text(said, "code"), *message = mgl_json_text(said, "message");
        mgl_result_warn(due, code != NULL ? code : "", "%s", message != NULL ? message : "");
    }
    mgl_result_warn_of_pairs(due, json_object_get(pairs, "not_tested"));
}

static void expect_totals(const mgl_claims *c, mgl_result *due)
{
    const char *column;
    json_t *found;
    json_object_foreach((json_t *)claim_of(c, "known_totals"), column, found)
    {
        if (mgl_json_whole(found, "values") == 1)
            mgl_result_warn_of_totals(due, column, mgl_json_whole(found, "suppressed_cells"));
    }
}

static void expect_unsafe(const mgl_claims *c, mgl_result *due)
{
    const json_t *rows = claim_of(c, "failing_rows");
    mgl_failing failing = {.n_rows = mgl_json_whole(c->claimed, "failing_rows_count")};
    if (rows == NULL)
        return;
    for (size_t i = 0; i < json_array_size(rows) && i < MGL_FAILING_ROWS; i++)
        failing.named[failing.n_named++] = (uint64_t)json_integer_value(json_array_get(rows, i));
    mgl_result_warn_unsafe(due, &failing);
}

/* The released columns that no model judges, but for that of the persons. */
static void expect_links(const mgl_claims *c, mgl_result *due)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    const char *entity = mgl_json_text(c->job, "entity");
    mgl_buffer others = {0};
    for (size_t i = 0; c->linked && i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && strcmp(name, entity) != 0 &&
            strcmp(role, "quasi") != 0 && json_is_true(json_object_get(column, "released")))
            mgl_buffer_format(&others, "%s%.60s", others.size > 0 ? ", " : "", name);
    }
    if (c->linked && !others.failed)
        mgl_result_warn_linked(due, entity, !c->joined, (mgl_span){others.data, others.size});
    mgl_buffer_free(&others);
}

/* Rows of the smallest class of equal tuples that is judged. */
static uint64_t smallest_class(const mgl_claims *c)
{
    const mgl_frequency_list *list = c->problem->list;
    bool exempt = c->settings->treatment == MGL_EXEMPT;
    uint64_t least = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        if (!(exempt && c->left_out[t]) && (least == 0 || list->counts[t] < least))
            least = list->counts[t];
    return least;
}

static void expect_all(const mgl_claims *c, mgl_result *due)
{
    uint64_t suppressed = mgl_json_whole(c->claimed, "suppressed_rows");
    mgl_counting counting = c->problem->counting;
    counting.tops_match = claim_of(c, "missing_matches") != NULL;
    if (c->settings->treatment == MGL_EXEMPT && suppressed > 0)
        mgl_result_warn_exempt(due, suppressed);
    if (!c->applied)
        mgl_result_warn_of_counting(due, &counting, c->settings->n_named, smallest_class(c));
    mgl_result_warn_of_history(due, mgl_json_whole(claim_of(c, "history"), "violating_rows"));
    expect_leaks(c, due);
    expect_totals(c, due);
    expect_unsafe(c, due);
    expect_links(c, due);
    if (c->applied)
        return;
    mgl_result_warn_empty(due, c->settings->models, c->settings->n_models);
    mgl_result_warn_empty(due, c->settings->claimed.unjudged, c->settings->claimed.n_unjudged);
}

/* ---- Comparing ------------------------------------------------------------------------------ */

/* Other versions use other words. */
static bool is_same(const mgl_claims *c, const json_t *claimed, const json_t *due)
{
    const char *version = mgl_json_text(c->claimed, "mingle");
    bool same_words = version != NULL && strcmp(version, MGL_VERSION) == 0;
    return same_words ? json_equal(claimed, due)
                      : has_code(claimed, json_string_value(json_object_get(due, "code")));
}

static void take_due(mgl_claims *c, json_t *left, const json_t *due)
{
    char name[MGL_CLAIM_NAME];
    for (size_t i = 0; i < json_array_size(left); i++)
        if (is_same(c, json_array_get(left, i), due)) {
            (void)json_array_remove(left, i);
            return;
        }
    mgl_claims_differ(c, mgl_claim_name(name, "warnings", mgl_json_text(due, "code")), "missing",
                      NULL, due);
}

/* Whether a hint was wanted is never recorded. Only a search of one table that may suppress
 * nothing, and that has the time it needs, is tried again with a limit. */
static bool can_be_hinted(const mgl_claims *c)
{
    const mgl_settings *s = c->settings;
    const char *said = mgl_json_text(c->job, "suppress");
    char *end = NULL;
    double limit = said != NULL ? strtod(said, &end) : 0;
    if (end != NULL && *end == '%')
        limit *= mgl_json_number(c->claimed, "rows") / 100;
    return s->strata.n == 0 && s->method->full_domain && limit < 1 &&
           json_object_get(c->job, "time-limit") == NULL;
}

/* Is it one of those that follow from the rest of the result? */
static bool is_derived(const mgl_claims *c, const char *code)
{
    static const char *const codes[] = {
        "exempt-rows",   "leak-allowed",       "pairs-not-tested", "suppressed-cells-match",
        "combinations",  "named-combinations", "history",          "known-totals",
        "empty-promise", "unsafe-release",     "linked-columns"};
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(code, codes[i]) == 0)
            return true;
    return mgl_claims_is_guard_code(code) ||
           (strcmp(code, "time-limit") == 0 && json_object_get(c->job, "time-limit") == NULL) ||
           (strcmp(code, "suppression-helps") == 0 && !can_be_hinted(c));
}

/* What is left tells of the input and of the run. */
static void judge_left(mgl_claims *c, const json_t *left)
{
    mgl_buffer codes = {0};
    for (size_t i = 0; i < json_array_size(left); i++) {
        const char *code = mgl_json_text(json_array_get(left, i), "code");
        char name[MGL_CLAIM_NAME];
        if (code == NULL || code[0] == '\0' || is_derived(c, code))
            mgl_claims_contradict(c, mgl_claim_name(name, "warnings", code != NULL ? code : "?"),
                                  json_array_get(left, i));
        else
            mgl_buffer_format(&codes, "%s%.60s", codes.size > 0 ? ", " : "", code);
    }
    mgl_buffer why = {0};
    mgl_buffer_text(&why, "what does not follow from the rest of the result needs the input");
    if (codes.size > 0)
        mgl_buffer_format(&why, " (%.*s)", (int)codes.size, codes.data);
    mgl_buffer_append(&why, "", 1);
    if (!why.failed)
        mgl_claims_skip(c, "warnings", why.data);
    mgl_buffer_free(&codes);
    mgl_buffer_free(&why);
}

void mgl_claim_warnings(mgl_claims *c, const json_t *claimed)
{
    mgl_result *due;
    bool whole = json_is_array(claimed);
    if (!whole)
        mgl_claims_contradict(c, "warnings", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++)
        whole = mgl_claims_shape(c, "warnings", json_array_get(claimed, i), "code:s message:s") &&
                whole;
    if (!whole)
        return;
    json_t *left = json_copy((json_t *)claimed);
    if (mgl_result_new("check", NULL, &due) != MGL_OK) {
        mgl_json_append(c->differences, NULL); /* memory is out: the document will say so */
    } else {
        expect_all(c, due);
        const json_t *expected = json_object_get(due->document, "warnings");
        for (size_t i = 0; i < json_array_size(expected); i++)
            take_due(c, left, json_array_get(expected, i));
        judge_left(c, left);
        mgl_result_free(due);
    }
    json_decref(left);
}
