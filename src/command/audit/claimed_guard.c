/* Runs the leak guard once more, on the release, and compares with what a result claims that it
 * found and the job accepted. What a column gives back of generalized cells is seen in the input
 * alone; all that the cells of a column show by themselves is found anew. */
#include "command/audit/claims.h"

#include <stdio.h>

static const json_t *guard_of(const mgl_claims *c, const char *key)
{
    return json_object_get(json_object_get(c->claimed, "guard"), key);
}

/* ---- The guard, run again ------------------------------------------------------------------- */

typedef struct watching {
    mgl_guard *guard;
    mgl_guarded_column *columns;
    size_t *fields; /* [n] of a record */
    size_t n;
    bool neutralized; /* formulas have an apostrophe that the guard did not see */
} watching;

/* What the result says of a column that the guard looked at. */
static mgl_guarded_column guarded(const mgl_claims *c, const char *name, const char *role)
{
    const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), name);
    const char *said = mgl_json_text(fields, "role");
    bool follows = mgl_claims_is_linked(c, name), treated = mgl_claims_is_treated(c, name);
    bool quasi = said != NULL && strcmp(said, "quasi") == 0;
    return (mgl_guarded_column){.name = name,
                                .open = strcmp(role, "insensitive") == 0 && !quasi,
                                .unnamed = said == NULL && mgl_json_text(fields, "treat") == NULL,
                                .follows = follows,
                                .treated = treated || follows,
                                .made_up = mgl_claims_is_made_up(c, name)};
}

/* Were all rows of the column looked at as they are released? Items are guarded as they were read.
 */
static bool is_seen_again(const mgl_claims *c, const json_t *column)
{
    const char *name = mgl_json_text(column, "column"), *by = mgl_json_text(column, "by");
    return name != NULL && mgl_json_text(column, "role") != NULL && by != NULL &&
           strcmp(by, "rows") == 0 && !mgl_claims_has_items(c, name);
}

static mgl_status list_columns(const mgl_claims *c, mgl_error *err, watching *w)
{
    const json_t *list = guard_of(c, "columns");
    size_t n = json_array_size(list) + 1;
    w->columns = mgl_alloc_array(n, sizeof *w->columns);
    w->fields = mgl_alloc_array(n, sizeof *w->fields);
    if (w->columns == NULL || w->fields == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *column = json_array_get(list, i);
        const char *name = mgl_json_text(column, "column");
        size_t field = name != NULL ? mgl_source_find(c->reading->source, name) : SIZE_MAX;
        if (field == SIZE_MAX || !is_seen_again(c, column))
            continue;
        w->fields[w->n] = field;
        w->columns[w->n++] = guarded(c, name, mgl_json_text(column, "role"));
    }
    return MGL_OK;
}

static mgl_span cell_of(const watching *w, const mgl_field *field)
{
    bool quoted = field->quoted && field->size >= 2;
    mgl_span cell = quoted ? (mgl_span){field->data + 1, field->size - 2}
                           : (mgl_span){field->data, field->size};
    return w->neutralized ? mgl_text_without_apostrophe(cell) : cell;
}

static mgl_status watch(void *context, const mgl_records *records, mgl_error *err)
{
    const watching *w = context;
    static const uint32_t tuples[MGL_GUARDED_AT_ONCE]; /* none is asked for what it gives back */
    mgl_span cells[MGL_GUARDED_AT_ONCE];
    (void)err;
    for (size_t i = 0; i < w->n; i++)
        for (size_t r = 0, n = 0; r < records->n_records; r++) {
            const mgl_field *fields = records->fields + r * records->n_fields;
            cells[n++] = cell_of(w, &fields[w->fields[i]]);
            if (n < MGL_GUARDED_AT_ONCE && r + 1 < records->n_records)
                continue;
            mgl_guard_watch(w->guard, i, cells, tuples, NULL, n);
            n = 0;
        }
    return MGL_OK;
}

/* Has this program judged the columns? Another version may have known other identifiers. */
static bool is_of_this_version(const mgl_claims *c)
{
    const char *version = mgl_json_text(c->claimed, "mingle");
    return version != NULL && strcmp(version, MGL_VERSION) == 0;
}

static bool has_dropped(const mgl_claims *c)
{
    const char *suppressed = mgl_json_text(c->job, "suppressed");
    return suppressed != NULL && strcmp(suppressed, "drop") == 0 &&
           mgl_json_whole(c->claimed, "rows") > mgl_json_whole(c->claimed, "released_rows");
}

/* Why the guard cannot be run again; NULL: it can. */
static const char *why_not(const mgl_claims *c)
{
    if (mgl_source_counts(c->reading->source))
        return "needs the rows, which stay in the engine";
    if (c->reading->table->times != NULL || json_object_get(c->job, "count") != NULL)
        return "groups of a counted table are no single records";
    if (has_dropped(c))
        return "columns are judged by all rows of the table, and some were dropped";
    if (!is_of_this_version(c))
        return "another version of the program judged the columns";
    return NULL;
}

static mgl_status run_guard(mgl_claims *c, const mgl_recoding *recoding, watching *w,
                            mgl_error *err)
{
    const mgl_source_options *source = &c->settings->source;
    size_t n = c->reading->n_quasi;
    const char **names = mgl_alloc_array(n + 1, sizeof *names);
    const json_t *year = json_object_get(c->claimed, "reference_year");
    mgl_status status = MGL_OK;
    if (names == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        names[a] = c->reading->quasi[a].settings->name;
    mgl_guard_order order = {.columns = w->columns,
                             .n_columns = w->n,
                             .list = c->problem->list,
                             .names = names,
                             .recoding = recoding,
                             .missing = source->missing,
                             .n_missing = source->n_missing,
                             .safe_harbor = (unsigned)json_integer_value(year),
                             .pool = c->reading->pool};
    MGL_GO(mgl_guard_new(&order, err, &w->guard));
    if (w->n > 0)
        MGL_GO(mgl_source_each(c->reading->source, watch, w, err));
    MGL_GO(mgl_guard_judge(w->guard, err, &c->objections));
    MGL_GO(c->objections.out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    c->guarded = true;
done:
    mgl_free(names);
    return status;
}

mgl_status mgl_claims_guarded(mgl_claims *c, const mgl_recoding *recoding, mgl_error *err)
{
    watching w = {.neutralized = json_object_get(c->job, "neutralize") != NULL};
    mgl_status status = MGL_OK;
    if (why_not(c) != NULL || !json_is_object(json_object_get(c->claimed, "guard")))
        return MGL_OK;
    MGL_GO(list_columns(c, err, &w));
    MGL_GO(run_guard(c, recoding, &w, err));
done:
    mgl_guard_free(w.guard);
    mgl_free(w.columns);
    mgl_free(w.fields);
    return status;
}

/* ---- What it found -------------------------------------------------------------------------- */

/* What the cells of the release show; the rest is seen beside the input. */
static bool is_shown_by_release(const char *code)
{
    static const char *const codes[] = {"identifier-shape",    "identifier-name", "row-number",
                                        MGL_GUARD_NEAR_UNIQUE, MGL_GUARD_PASSED,  "safe-harbor"};
    for (size_t i = 0; code != NULL && i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(codes[i], code) == 0)
            return true;
    return false;
}

static bool is_seen_beside_input(const char *code)
{
    static const char *const codes[] = {"recovers-column", "gives-shift-back",
                                        "text-repeats-column", "safe-harbor-zip",
                                        MGL_GUARD_SKIPPED};
    for (size_t i = 0; code != NULL && i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(codes[i], code) == 0)
            return true;
    return false;
}

bool mgl_claims_is_guard_code(const char *code)
{
    return is_shown_by_release(code) || is_seen_beside_input(code);
}

/* Whether a column counts the rows depends on their order, which the release need not have; what
 * else is found of such a column depends on that. */
static bool is_of_order(const char *code)
{
    return strcmp(code, "row-number") == 0;
}

/* Does the message begin with what was found? The remedy of a sensitive column names a treatment
 * that was tried on the input. */
static bool is_same_message(const mgl_objection *found, const char *code, const char *claimed)
{
    char *text = NULL;
    mgl_buffer message = {0};
    mgl_objection one = *found;
    bool treats = one.warning && strcmp(code, MGL_GUARD_NEAR_UNIQUE) == 0, same = false;
    one.remedy = treats ? "" : one.remedy;
    mgl_objections_tell(&(mgl_objections){.list = &one, .n = 1}, 0, &message);
    if (mgl_buffer_take(&message, NULL, &text) == MGL_OK) {
        size_t size = strlen(text);
        same = treats ? strncmp(text, claimed, size) == 0 : strcmp(text, claimed) == 0;
    }
    mgl_free(text);
    return same;
}

static bool is_same_objection(const mgl_objection *found, const json_t *claimed)
{
    const char *code = mgl_json_text(claimed, "code"), *column = mgl_json_text(claimed, "column"),
               *message = mgl_json_text(claimed, "message");
    return code != NULL && column != NULL && message != NULL &&
           strcmp(column, found->column) == 0 && strcmp(code, found->code) == 0 &&
           is_same_message(found, code, message);
}

static bool is_seen(const mgl_claims *c, const char *column)
{
    const json_t *list = guard_of(c, "columns");
    for (size_t i = 0; column != NULL && i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return is_seen_again(c, json_array_get(list, i));
    }
    return true; /* a quasi-identifier */
}

static void compare_claim(mgl_claims *c, const char *what, const json_t *claimed, bool warning)
{
    const char *code = mgl_json_text(claimed, "code");
    if (!mgl_claims_is_guard_code(code))
        mgl_claims_contradict(c, what, claimed);
    if (!c->guarded || !is_shown_by_release(code) || is_of_order(code) ||
        !is_seen(c, mgl_json_text(claimed, "column")))
        return;
    for (size_t i = 0; i < c->objections.n; i++)
        if (c->objections.list[i].warning == warning &&
            is_same_objection(&c->objections.list[i], claimed))
            return;
    mgl_claims_compare(c, what, claimed, NULL);
}

/* Is the column claimed to count the rows of the input? */
static bool counts_rows(const mgl_claims *c, const char *column)
{
    const json_t *leaks = json_object_get(c->claimed, "leaks");
    for (size_t i = 0; i < json_array_size(leaks); i++) {
        const char *name = mgl_json_text(json_array_get(leaks, i), "column"),
                   *code = mgl_json_text(json_array_get(leaks, i), "code");
        if (name != NULL && code != NULL && strcmp(name, column) == 0 && is_of_order(code))
            return true;
    }
    return false;
}

/* What the release shows must be claimed. */
static void find_silence(mgl_claims *c, const char *what, const json_t *list, bool warnings)
{
    for (size_t i = 0; i < c->objections.n; i++) {
        const mgl_objection *found = &c->objections.list[i];
        bool claimed =
            found->warning != warnings || is_of_order(found->code) || counts_rows(c, found->column);
        for (size_t j = 0; !claimed && j < json_array_size(list); j++)
            claimed = is_same_objection(found, json_array_get(list, j));
        if (claimed)
            continue;
        json_t *one = json_pack("{s:s,s:s}", "code", found->code, "column", found->column);
        mgl_claims_differ(c, what, "file", NULL, one);
        json_decref(one);
    }
}

/* Of a counted table: is the column passed through where the map is joined to the records? */
static bool is_elsewhere(const mgl_claims *c, const json_t *column)
{
    const char *role = mgl_json_text(column, "role");
    return json_object_get(c->claimed, "counts") != NULL && role != NULL &&
           strcmp(role, mgl_role_name(MGL_ROLE_INSENSITIVE)) == 0;
}

/* Is it a column of the release, or of the records that the map is joined to? */
static bool is_released(const mgl_claims *c, const char *name)
{
    const json_t *list = guard_of(c, "columns");
    for (size_t i = 0; name != NULL && i < json_array_size(list); i++) {
        const char *one = mgl_json_text(json_array_get(list, i), "column");
        if (one != NULL && strcmp(one, name) == 0 && is_elsewhere(c, json_array_get(list, i)))
            return true;
    }
    return mgl_claims_is_column(c, name);
}

static bool has_its_shape(mgl_claims *c, const char *what, const json_t *claimed)
{
    const char *with = mgl_json_text(claimed, "with");
    if (!mgl_claims_shape(c, what, claimed, "code:s column:s ?with:s message:s"))
        return false;
    if (is_released(c, mgl_json_text(claimed, "column")) && (with == NULL || is_released(c, with)))
        return true;
    mgl_claims_contradict(c, what, claimed);
    return false;
}

static void compare_list(mgl_claims *c, const char *what, const json_t *list, bool warnings)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        if (has_its_shape(c, what, one))
            compare_claim(c, what, one, warnings);
        for (size_t j = 0; j < i; j++)
            if (json_equal(one, json_array_get(list, j)))
                mgl_claims_contradict(c, what, one);
    }
    if (c->guarded)
        find_silence(c, what, list, warnings);
}

/* ---- What the job accepts ------------------------------------------------------------------- */

static bool is_among(const json_t *names, const char *name)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        const char *one = json_string_value(json_array_get(names, i));
        if (one != NULL && strcmp(one, name) == 0)
            return true;
    }
    return false;
}

/* What needs two columns is accepted with both. */
static bool is_accepted(const mgl_claims *c, const json_t *leak)
{
    const json_t *allowed = json_object_get(c->job, "allow-leaks");
    const char *all = json_string_value(allowed), *column = mgl_json_text(leak, "column"),
               *with = mgl_json_text(leak, "with");
    if (all != NULL && strcmp(all, "true") == 0)
        return true;
    return column != NULL && is_among(allowed, column) && (with == NULL || is_among(allowed, with));
}

void mgl_claim_leaks(mgl_claims *c, const json_t *claimed)
{
    const char *why = why_not(c);
    if (!json_is_array(claimed))
        mgl_claims_contradict(c, "leaks", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++)
        if (!is_accepted(c, json_array_get(claimed, i)))
            mgl_claims_agree(c, "audit.job.allow-leaks: a leak that the job does not accept",
                             json_array_get(claimed, i), json_object_get(c->job, "allow-leaks"));
    compare_list(c, "leaks", claimed, false);
    mgl_claims_skip(c, "leaks, guard.warnings, guard.columns.*.found, guard.pairs",
                    "what columns give back of generalized cells needs the input; the job of the "
                    "result, run on it, finds it again");
    if (why != NULL)
        mgl_claims_skip(c, "leaks, guard.warnings, guard.columns.*.found", why);
}

/* ---- What it looked at ---------------------------------------------------------------------- */

static void add_name(json_t *names, const char *name)
{
    if (name != NULL && !is_among(names, name))
        mgl_json_append(names, json_string(name));
}

/* The columns that are named in a list of objects, each once. */
static json_t *named_columns(const json_t *list)
{
    json_t *names = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        add_name(names, mgl_json_text(json_array_get(list, i), "column"));
        add_name(names, mgl_json_text(json_array_get(list, i), "with"));
    }
    return names;
}

static bool concerns(const json_t *said, const char *column)
{
    const char *one = mgl_json_text(said, "column"), *other = mgl_json_text(said, "with");
    return (one != NULL && strcmp(one, column) == 0) ||
           (other != NULL && strcmp(other, column) == 0);
}

/* The codes of all that a list says of a column, but that it was not looked at. */
static void add_codes(const json_t *list, const char *column, json_t *codes, bool *skipped)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *code = mgl_json_text(json_array_get(list, i), "code");
        if (code == NULL || !concerns(json_array_get(list, i), column))
            continue;
        if (strcmp(code, MGL_GUARD_SKIPPED) == 0)
            *skipped = true;
        else
            mgl_json_append(codes, json_string(code));
    }
}

/* So few rows are kept, whatever memory there is. */
static bool are_few(const mgl_claims *c)
{
    enum { FEW = 10000 };
    const char *data = mgl_json_text(c->job, "data");
    return c->rows < FEW && data != NULL && mgl_location_of(data).format->text &&
           json_object_get(c->job, "least-count") == NULL;
}

static void compare_column(mgl_claims *c, const json_t *claimed)
{
    const char *name = mgl_json_text(claimed, "column"), *by = mgl_json_text(claimed, "by");
    bool counted = json_object_get(c->job, "count") != NULL, skipped = false;
    json_t *codes = json_array();
    add_codes(json_object_get(c->claimed, "leaks"), name, codes, &skipped);
    add_codes(guard_of(c, "warnings"), name, codes, &skipped);
    mgl_claims_agree_new(c, "guard.columns.found", json_object_get(claimed, "found"), codes);
    if (is_elsewhere(c, claimed)) /* its counts were given, or it was accepted without a look */
        return;
    mgl_claims_agree(c, "guard.columns.role", json_object_get(claimed, "role"),
                     mgl_claims_role(c, name));
    bool looked_at = !skipped && (!counted || json_object_get(c->job, "guard-counts") != NULL);
    mgl_claims_agree_new(c, "guard.columns.looked_at", json_object_get(claimed, "looked_at"),
                         json_boolean(looked_at));
    if ((by != NULL) != looked_at)
        mgl_claims_contradict(c, "guard.columns.by", claimed);
    if (by == NULL)
        return;
    bool rows = strcmp(by, "rows") == 0,
         known = rows || strcmp(by, "counts") == 0 || strcmp(by, "sample") == 0;
    if (!known || (!rows && are_few(c)))
        mgl_claims_contradict(c, "guard.columns.by", json_object_get(claimed, "by"));
}

static size_t count_named(const json_t *list, const char *column)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column");
        n += name != NULL && strcmp(name, column) == 0;
    }
    return n;
}

/* Is what is released of the column not what stood in it, nor what models judge? */
static bool is_made_of_cells(const mgl_claims *c, const char *column)
{
    return mgl_claims_is_treated(c, column) || mgl_claims_is_linked(c, column) ||
           mgl_claims_has_items(c, column);
}

/* Columns that are released otherwise than they were are looked at as well, each once. */
static void find_made_columns(mgl_claims *c, const json_t *columns)
{
    const json_t *told = json_object_get(c->audit, "columns");
    char name[MGL_CLAIM_NAME];
    for (size_t i = 0; i < json_array_size(told); i++) {
        const char *column = mgl_json_text(json_array_get(told, i), "column");
        if (column != NULL && is_made_of_cells(c, column) && count_named(columns, column) != 1)
            mgl_claims_missing(c, mgl_claim_name(name, "guard.columns", column));
    }
}

/* All columns that pass through, and nothing else, were looked at. */
static void compare_columns(mgl_claims *c, const json_t *columns)
{
    json_t *looked_at = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = mgl_json_text(column, "column");
        if (mgl_claims_shape(c, "guard.columns", column,
                             "column:s role:s looked_at:b ?by:s found:a"))
            compare_column(c, column);
        if (name != NULL && is_made_of_cells(c, name))
            continue;
        if (is_elsewhere(c, column))
            continue;
        mgl_json_append(looked_at,
                        json_pack("{s:O?,s:O?}", "column", json_object_get(column, "column"),
                                  "role", json_object_get(column, "role")));
    }
    mgl_claims_agree(c, "guard.columns", looked_at, json_object_get(c->claimed, "unchanged"));
    json_decref(looked_at);
    find_made_columns(c, columns);
}

/* All pairs of the columns were tested, or are listed, if there is anything to give back. */
static void compare_pairs(mgl_claims *c, const json_t *pairs, size_t n_columns)
{
    const json_t *left = json_object_get(pairs, "not_tested");
    uint64_t all = (uint64_t)n_columns * (n_columns - (n_columns > 0)) / 2, listed = 0;
    if (!mgl_claims_shape(c, "guard.pairs", pairs, "tested:i not_tested:a"))
        return;
    for (size_t i = 0; i < json_array_size(left); i++) {
        const json_t *one = json_array_get(left, i), *names = json_object_get(one, "columns");
        if (!mgl_claims_shape(c, "guard.pairs.not_tested", one, "columns:a reason:s"))
            return;
        for (size_t j = 0; j < json_array_size(names); j++)
            if (!is_released(c, json_string_value(json_array_get(names, j))))
                mgl_claims_contradict(c, "guard.pairs.not_tested", one);
        listed += json_array_size(names) == 2;
    }
    uint64_t tested = mgl_json_whole(pairs, "tested");
    bool whole = json_array_size(left) == listed; /* none stands for all pairs of a column */
    bool some = tested + listed != 0 && tested + listed != all;
    if (tested + listed > all || (are_few(c) && whole && !c->applied && some))
        mgl_claims_contradict(c, "guard.pairs.tested", json_object_get(pairs, "tested"));
}

void mgl_claim_guard(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns");
    if (!mgl_claims_shape(c, "guard", claimed, "columns:a pairs:o warnings:a accepted:a"))
        return;
    compare_columns(c, columns);
    compare_pairs(c, json_object_get(claimed, "pairs"), json_array_size(columns));
    compare_list(c, "guard.warnings", json_object_get(claimed, "warnings"), true);
    mgl_claims_agree_new(c, "guard.accepted", json_object_get(claimed, "accepted"),
                         named_columns(json_object_get(c->claimed, "leaks")));
}
