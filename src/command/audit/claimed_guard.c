/* Compares what would identify people with what a result claims of it. The leak guard is run once
 * more, on the release; the warnings that follow from the rest of the result are worded once more.
 * What a column gives back of generalized cells is seen in the input alone; all that the cells of a
 * column show by themselves is found anew, and combinations of values that few rows share are
 * counted anew, by plain grouping. */
#include "command/audit/sections.h"

#include <stdlib.h>

enum { MOST_COLUMNS = 64, MOST_SETS = 3000 };

typedef struct rare {
    uint64_t values, rows;
} rare;

/* How many combinations of values in these columns fewer than k rows share, and how many rows have
 * one of them. Cells that are suppressed are in none. */
static rare count_set(mgl_claims *c, uint64_t k, uint64_t set)
{
    const mgl_frequency_list *list = c->problem->list;
    mgl_map *groups = mgl_map_new();
    uint64_t *rows = mgl_zeroed_array(list->n_tuples, sizeof *rows);
    mgl_buffer key = {0};
    rare out = {0};
    bool room = groups != NULL && rows != NULL;
    for (size_t t = 0; t < list->n_tuples && room; t++) {
        bool whole = true;
        key.size = 0;
        for (uint64_t left = set; left != 0 && whole; left &= left - 1) {
            size_t a = (size_t)__builtin_ctzll(left);
            mgl_span label = mgl_claims_cell_of(c, t, a);
            whole = !mgl_span_equal(label, c->tops[a]);
            mgl_claims_add_text(&key, label);
        }
        if (!whole)
            continue;
        uint32_t group =
            key.failed ? MGL_NOT_FOUND : mgl_map_add(groups, (mgl_span){key.data, key.size});
        room = group != MGL_NOT_FOUND;
        if (room)
            rows[group] += list->counts[t];
    }
    for (uint32_t g = 0; room && g < mgl_map_size(groups); g++)
        if (rows[g] < k) {
            out.values++;
            out.rows += rows[g];
        }
    if (!room)
        c->status = mgl_fail_memory(c->err);
    mgl_map_free(groups);
    mgl_free(rows);
    mgl_buffer_free(&key);
    return out;
}

/* The columns that a list names; 0: none, one of them twice, or one that is no quasi-identifier. */
static uint64_t set_of(const mgl_claims *c, const json_t *columns)
{
    uint64_t set = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        size_t a = 0;
        while (name != NULL && a < c->reading->n_quasi && strcmp(mgl_claim_quasi(c, a), name) != 0)
            a++;
        if (name == NULL || a == c->reading->n_quasi || (set >> a & 1) != 0)
            return 0;
        set |= UINT64_C(1) << a;
    }
    return set;
}

static bool is_listed(const mgl_claims *c, const json_t *list, uint64_t set)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (set_of(c, json_object_get(json_array_get(list, i), "columns")) == set)
            return true;
    return false;
}

/* Where the job says nothing else, all combinations of two and three columns were looked at, but
 * for those with a column that is at its top as a whole. */
static void find_unlisted(mgl_claims *c, uint64_t k, const json_t *list)
{
    const json_t *levels = json_object_get(c->claimed, "levels"),
                 *heights = json_object_get(c->claimed, "heights");
    size_t n = c->reading->n_quasi, looked_at = 0;
    uint64_t live = 0;
    for (size_t a = 0; a < n; a++)
        if (!json_equal(json_object_get(levels, mgl_claim_quasi(c, a)),
                        json_object_get(heights, mgl_claim_quasi(c, a))))
            live |= UINT64_C(1) << a;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = i + 1; j < n; j++)
            for (uint64_t l = j; l < n && looked_at < MOST_SETS; l++, looked_at++) {
                uint64_t set = UINT64_C(1) << i | UINT64_C(1) << j | UINT64_C(1) << l;
                if ((set & ~live) == 0 && !is_listed(c, list, set) &&
                    count_set(c, k, set).values > 0) {
                    mgl_claims_compare(c, "unsafe_combinations.after.combinations", list,
                                       json_string("further ones"));
                    return;
                }
            }
}

/* What is listed adds up to what is claimed of all, unless some was left out. */
static void check_state(mgl_claims *c, const char *object, const json_t *state)
{
    const json_t *one, *set;
    char name[MGL_CLAIM_NAME];
    uint64_t values = 0, rows = 0;
    size_t i, j;
    mgl_claim_name(name, object, "combinations");
    json_array_foreach(json_object_get(state, "combinations"), i, one)
    {
        mgl_claims_require(c,
                           set_of(c, json_object_get(one, "columns")) != 0 &&
                               mgl_json_whole(one, "rows") <= mgl_json_whole(c->claimed, "rows"),
                           name, one);
        values += mgl_json_whole(one, "values");
    }
    if (mgl_json_whole(state, "combinations_left_out") == 0)
        mgl_claims_agree(c, name, json_object_get(state, "values"), mgl_json_count(values));
    mgl_claim_name(name, object, "tuples");
    json_array_foreach(json_object_get(state, "tuples"), i, one)
    {
        const json_t *suppressed = json_object_get(one, "suppressed");
        bool good = json_array_size(suppressed) == 0 || set_of(c, suppressed) != 0;
        json_array_foreach(json_object_get(one, "outliers"), j, set) good =
            good && set_of(c, set) != 0;
        mgl_claims_require(c, good, name, one);
        rows += mgl_json_whole(one, "rows");
    }
    if (mgl_json_whole(state, "tuples_left_out") == 0)
        mgl_claims_agree(c, name, json_object_get(state, "rows"), mgl_json_count(rows));
}

void mgl_claim_unsafe(mgl_claims *c, const json_t *claimed)
{
    static const char name[] = "unsafe_combinations.after.combinations";
    const json_t *after = json_object_get(claimed, "after"),
                 *list = json_object_get(after, "combinations"), *one;
    uint64_t k = mgl_claim_largest_k(json_object_get(c->claimed, "models"), MGL_K_IS);
    size_t i;
    check_state(c, "unsafe_combinations.before", json_object_get(claimed, "before"));
    if (json_is_null(after)) { /* time was up */
        mgl_claims_skip(c, "unsafe_combinations.after", "counting them again takes the input");
        return;
    }
    check_state(c, "unsafe_combinations.after", after);
    /* Persons are not in the file, and rows that are dropped are in no list. */
    if (c->persons || k == 0 || c->reading->n_quasi > MOST_COLUMNS) {
        mgl_claims_skip(c, "unsafe_combinations.after", "persons are not in the release");
        return;
    }
    json_array_foreach((json_t *)list, i, one)
    {
        uint64_t set = set_of(c, json_object_get(one, "columns"));
        rare found = count_set(c, k, set);
        mgl_claims_compare(c, name, json_object_get(one, "values"), mgl_json_count(found.values));
        mgl_claims_compare(c, name, json_object_get(one, "rows"), mgl_json_count(found.rows));
    }
    if (mgl_json_whole(after, "combinations_left_out") == 0 &&
        json_object_get(c->job, "combinations") == NULL && c->settings->n_quasi <= 1)
        find_unlisted(c, k, list);
}

/* ---- The guard, run again ------------------------------------------------------------------- */

typedef struct watching {
    mgl_guard *guard;
    mgl_guarded_column *columns;
    size_t *fields; /* [n] of a record */
    size_t n;
    bool neutralized; /* formulas have an apostrophe that the guard did not see */
} watching;

/* Were all rows of the column looked at as they are released? Items are guarded as they were read;
 * quasi-identifiers are not listed. */
static bool is_seen_again(const mgl_claims *c, const char *column)
{
    const json_t *one =
        mgl_claim_entry(mgl_claim_at(c->claimed, "guard.columns"), "column", column);
    const char *by = mgl_json_text(one, "by");
    return one == NULL ||
           (mgl_json_text(one, "role") != NULL && by != NULL && strcmp(by, "rows") == 0 &&
            (mgl_claims_of_column(c, column) & MGL_CLAIM_AS_READ) == 0);
}

static mgl_status list_columns(const mgl_claims *c, mgl_error *err, watching *w)
{
    const json_t *list = mgl_claim_at(c->claimed, "guard.columns"), *one;
    size_t n = json_array_size(list) + 1, i;
    w->columns = mgl_alloc_array(n, sizeof *w->columns);
    w->fields = mgl_alloc_array(n, sizeof *w->fields);
    MGL_TRY(mgl_check_memory(w->columns != NULL && w->fields != NULL, err));
    json_array_foreach((json_t *)list, i, one)
    {
        const char *name = mgl_json_text(one, "column");
        size_t field = name != NULL ? mgl_source_find(c->reading->source, name) : SIZE_MAX;
        if (field == SIZE_MAX || !is_seen_again(c, name))
            continue;
        const char *role = mgl_claim_field(c, name, "role");
        unsigned made = mgl_claims_of_column(c, name);
        bool quasi = role != NULL && strcmp(role, "quasi") == 0;
        w->fields[w->n] = field;
        w->columns[w->n++] = (mgl_guarded_column){
            .name = name,
            .open = strcmp(mgl_json_text(one, "role"), "insensitive") == 0 && !quasi,
            .unnamed = role == NULL && mgl_claim_field(c, name, "treat") == NULL,
            .follows = (made & MGL_CLAIM_FOLLOWS) != 0,
            .changed = (made & MGL_CLAIM_MADE) != 0,
            .made_up = (made & MGL_CLAIM_MADE_UP) != 0};
    }
    return MGL_OK;
}

static mgl_status watch(void *context, const mgl_records *records, mgl_error *err)
{
    const watching *w = context;
    static const uint32_t tuples[MGL_GUARDED_AT_ONCE]; /* none is requested what it gives back */
    mgl_span cells[MGL_GUARDED_AT_ONCE];
    (void)err;
    for (size_t i = 0; i < w->n; i++)
        for (size_t r = 0, n = 0; r < records->n_records; r++) {
            mgl_span cell = mgl_claim_cell(&records->fields[r * records->n_fields + w->fields[i]]);
            cells[n++] = w->neutralized ? mgl_text_without_apostrophe(cell) : cell;
            if (n < MGL_GUARDED_AT_ONCE && r + 1 < records->n_records)
                continue;
            mgl_guard_watch(w->guard, i, cells, tuples, NULL, n);
            n = 0;
        }
    return MGL_OK;
}

/* Why the guard cannot be run again; NULL: it can. */
static const char *why_not(const mgl_claims *c)
{
    const char *suppressed = mgl_json_text(c->job, "suppressed");
    if (mgl_source_counts(c->reading->source))
        return "needs the rows, which stay in the engine";
    if (c->reading->table->times != NULL || json_object_get(c->job, "count") != NULL)
        return "groups of a counted table are no single records";
    if (suppressed != NULL && strcmp(suppressed, "drop") == 0 &&
        mgl_json_whole(c->claimed, "rows") > mgl_json_whole(c->claimed, "released_rows"))
        return "columns are judged by all rows of the table, and some were dropped";
    if (!c->same_version) /* which may have known other identifiers */
        return "another version of the program judged the columns";
    return NULL;
}

mgl_status mgl_claims_guard(mgl_claims *c, mgl_error *err)
{
    const mgl_source_options *source = &c->settings->source;
    watching w = {.neutralized = json_object_get(c->job, "neutralize") != NULL};
    size_t n = c->reading->n_quasi;
    mgl_status status = MGL_OK;
    if (why_not(c) != NULL || !json_is_object(json_object_get(c->claimed, "guard")))
        return MGL_OK;
    const char **names = mgl_alloc_array(n + 1, sizeof *names);
    MGL_GO(names != NULL ? list_columns(c, err, &w) : mgl_fail_memory(err));
    for (size_t a = 0; a < n; a++)
        names[a] = mgl_claim_quasi(c, a);
    mgl_guard_request request = {
        .columns = w.columns,
        .n_columns = w.n,
        .list = c->problem->list,
        .names = names,
        .recoding = c->recoding,
        .missing = source->missing,
        .n_missing = source->n_missing,
        .safe_harbor = (unsigned)json_integer_value(json_object_get(c->claimed, "reference_year")),
        .pool = c->reading->pool};
    MGL_GO(mgl_guard_new(&request, err, &w.guard));
    if (w.n > 0)
        MGL_GO(mgl_source_each(c->reading->source, watch, &w, err));
    MGL_GO(mgl_guard_judge(w.guard, err, &c->objections));
    MGL_GO(c->objections.out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    c->guarded = true;
done:
    mgl_free(names);
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
    return mgl_names_have(codes, sizeof codes / sizeof codes[0], code);
}

static bool is_guard_code(const char *code)
{
    static const char *const codes[] = {"recovers-column",     "gives-shift-back",
                                        "text-repeats-column", "safe-harbor-zip",
                                        "beside-perturbed",    MGL_GUARD_SKIPPED};
    return is_shown_by_release(code) || mgl_names_have(codes, sizeof codes / sizeof codes[0], code);
}

/* Whether a column counts the rows depends on their order, which the release need not have; what
 * else is found of such a column depends on that. */
static bool is_of_order(const mgl_claims *c, const char *code, const char *column)
{
    const json_t *leak;
    size_t i;
    if (code == NULL || strcmp(code, "row-number") == 0)
        return true;
    json_array_foreach(json_object_get(c->claimed, "leaks"), i, leak)
    {
        const char *name = mgl_json_text(leak, "column"), *its = mgl_json_text(leak, "code");
        if (name != NULL && its != NULL && strcmp(name, column) == 0 &&
            strcmp(its, "row-number") == 0)
            return true;
    }
    return false;
}

/* Is this what was found? The remedy of a sensitive column, at the end of the message, names a
 * treatment that was tried on the input. */
static bool is_same_objection(const mgl_objection *found, const json_t *claimed)
{
    const char *code = mgl_json_text(claimed, "code"), *column = mgl_json_text(claimed, "column"),
               *message = mgl_json_text(claimed, "message");
    mgl_objection one = *found;
    mgl_buffer text = {0};
    if (code == NULL || column == NULL || message == NULL || strcmp(column, found->column) != 0 ||
        strcmp(code, found->code) != 0)
        return false;
    bool remedied = one.warning && strcmp(code, MGL_GUARD_NEAR_UNIQUE) == 0;
    one.remedy = remedied ? "" : one.remedy;
    mgl_objections_write(&(mgl_objections){.list = &one, .n = 1}, 0, &text);
    size_t size = strlen(message);
    bool same = !text.failed && (remedied ? size >= text.size : size == text.size) &&
                memcmp(text.data, message, text.size) == 0;
    mgl_buffer_free(&text);
    return same;
}

static bool is_found(const mgl_claims *c, const json_t *claimed, bool warning)
{
    for (size_t i = 0; i < c->objections.n; i++)
        if (c->objections.list[i].warning == warning &&
            is_same_objection(&c->objections.list[i], claimed))
            return true;
    return false;
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
    const json_t *one = mgl_claim_entry(mgl_claim_at(c->claimed, "guard.columns"), "column", name);
    return (one != NULL && is_elsewhere(c, one)) || mgl_claims_column(c, name) != NULL;
}

/* What is claimed must be found, if the release shows it, and what is found be claimed. */
static void compare_list(mgl_claims *c, const char *what, const json_t *list, bool warnings)
{
    const json_t *one;
    size_t i;
    json_array_foreach((json_t *)list, i, one)
    {
        const char *code = mgl_json_text(one, "code"), *column = mgl_json_text(one, "column"),
                   *with = mgl_json_text(one, "with");
        bool again = false, good = is_guard_code(code) && is_released(c, column) &&
                                   (with == NULL || is_released(c, with));
        for (size_t j = 0; j < i; j++)
            again = again || json_equal(one, json_array_get(list, j));
        mgl_claims_require(c, good && !again, what, one);
        if (c->guarded && is_shown_by_release(code) && strcmp(code, "row-number") != 0 &&
            is_seen_again(c, column) && !is_found(c, one, warnings))
            mgl_claims_compare(c, what, one, NULL);
    }
    for (i = 0; i < c->objections.n; i++) {
        const mgl_objection *found = &c->objections.list[i];
        bool claimed = found->warning != warnings || is_of_order(c, found->code, found->column);
        for (size_t j = 0; !claimed && j < json_array_size(list); j++)
            claimed = is_same_objection(found, json_array_get(list, j));
        json_t *silent = json_pack("{s:s,s:s}", "code", found->code, "column", found->column);
        if (!claimed)
            mgl_claims_differ(c, what, "file", NULL, silent);
        json_decref(silent);
    }
}

/* What needs two columns is accepted with both. */
static bool is_accepted(const mgl_claims *c, const json_t *leak)
{
    const json_t *allowed = json_object_get(c->job, "allow-leaks");
    const char *all = json_string_value(allowed), *with = mgl_json_text(leak, "with");
    return (all != NULL && strcmp(all, "true") == 0) ||
           (mgl_claim_lists(allowed, mgl_json_text(leak, "column")) &&
            (with == NULL || mgl_claim_lists(allowed, with)));
}

void mgl_claim_leaks(mgl_claims *c, const json_t *claimed)
{
    const json_t *leak;
    size_t i;
    json_array_foreach((json_t *)claimed, i, leak)
    {
        if (!is_accepted(c, leak))
            mgl_claims_agree(c, "audit.job.allow-leaks: a leak that the job does not accept", leak,
                             json_incref(json_object_get(c->job, "allow-leaks")));
    }
    compare_list(c, "leaks", claimed, false);
    mgl_claims_skip(c, "leaks, guard.warnings, guard.columns.*.found, guard.pairs",
                    "what columns give back of generalized cells needs the input; the job of the "
                    "result, run on it, finds it again");
    if (why_not(c) != NULL)
        mgl_claims_skip(c, "leaks, guard.warnings, guard.columns.*.found", why_not(c));
}

/* ---- What it looked at ---------------------------------------------------------------------- */

/* The columns that are named in a list of objects, each once. */
static json_t *named_columns(const json_t *list)
{
    static const char *const keys[] = {"column", "with"};
    json_t *names = json_array();
    for (size_t i = 0; i < 2 * json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i / 2), keys[i % 2]);
        if (name != NULL && !mgl_claim_lists(names, name))
            mgl_json_append(names, json_string(name));
    }
    return names;
}

/* The codes of all that a list says of a column, but that it was not looked at. */
static void add_codes(const json_t *list, const char *column, json_t *codes, bool *skipped)
{
    const json_t *one;
    size_t i;
    json_array_foreach((json_t *)list, i, one)
    {
        const char *code = mgl_json_text(one, "code"), *name = mgl_json_text(one, "column"),
                   *with = mgl_json_text(one, "with");
        if (code == NULL || !((name != NULL && strcmp(name, column) == 0) ||
                              (with != NULL && strcmp(with, column) == 0)))
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
    static const char *const ways[] = {"rows", "counts", "sample"};
    const char *name = mgl_json_text(claimed, "column"), *by = mgl_json_text(claimed, "by");
    bool counted = json_object_get(c->job, "count") != NULL, skipped = false;
    json_t *codes = json_array();
    add_codes(json_object_get(c->claimed, "leaks"), name, codes, &skipped);
    add_codes(mgl_claim_at(c->claimed, "guard.warnings"), name, codes, &skipped);
    mgl_claims_agree(c, "guard.columns.found", json_object_get(claimed, "found"), codes);
    if (is_elsewhere(c, claimed)) /* its counts were given, or it was accepted without a look */
        return;
    mgl_claims_agree(c, "guard.columns.role", json_object_get(claimed, "role"),
                     json_incref(json_object_get(mgl_claims_column(c, name), "role")));
    bool looked_at = !skipped && (!counted || json_object_get(c->job, "guard-counts") != NULL);
    mgl_claims_agree(c, "guard.columns.looked_at", json_object_get(claimed, "looked_at"),
                     json_boolean(looked_at));
    mgl_claims_require(
        c, by == NULL ? !looked_at : looked_at && mgl_names_have(ways, are_few(c) ? 1 : 3, by),
        "guard.columns.by", claimed);
}

/* Is what is released of the column not what stood in it, nor what models judge? */
static bool is_made_of_cells(const mgl_claims *c, const char *column)
{
    return (mgl_claims_of_column(c, column) & MGL_CLAIM_MADE) != 0;
}

/* All columns that pass through, and those that are released otherwise than they were, were looked
 * at, each once, and nothing else. */
static void compare_columns(mgl_claims *c, const json_t *columns)
{
    json_t *passed = json_array(), *made = json_array(), *column;
    char name[MGL_CLAIM_NAME];
    size_t i;
    json_array_foreach((json_t *)columns, i, column)
    {
        const char *text = mgl_json_text(column, "column");
        compare_column(c, column);
        if (is_made_of_cells(c, text)) {
            mgl_claims_require(c, !mgl_claim_lists(made, text), "guard.columns", column);
            mgl_json_append(made, json_string(text));
        } else if (!is_elsewhere(c, column)) {
            mgl_json_append(passed,
                            json_pack("{s:O,s:O}", "column", json_object_get(column, "column"),
                                      "role", json_object_get(column, "role")));
        }
    }
    mgl_claims_agree(c, "guard.columns", passed,
                     json_incref(json_object_get(c->claimed, "unchanged")));
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
    {
        const char *text = mgl_json_text(column, "column");
        if (text != NULL && is_made_of_cells(c, text) && !mgl_claim_lists(made, text))
            mgl_claims_missing(c, mgl_claim_name(name, "guard.columns", text));
    }
    json_decref(passed);
    json_decref(made);
}

/* All pairs of the columns were tested, or are listed, if there is anything to give back. */
static void compare_pairs(mgl_claims *c, const json_t *pairs, size_t n_columns)
{
    const json_t *left = json_object_get(pairs, "not_tested"), *one;
    uint64_t all = (uint64_t)n_columns * (n_columns - (n_columns > 0)) / 2, listed = 0,
             tested = mgl_json_whole(pairs, "tested");
    size_t i;
    json_array_foreach((json_t *)left, i, one)
    {
        const json_t *names = json_object_get(one, "columns");
        for (size_t j = 0; j < json_array_size(names); j++)
            mgl_claims_require(c, is_released(c, json_string_value(json_array_get(names, j))),
                               "guard.pairs.not_tested", one);
        listed += json_array_size(names) == 2;
    }
    bool whole = json_array_size(left) == listed; /* none stands for all pairs of a column */
    bool some = tested + listed != 0 && tested + listed != all;
    mgl_claims_require(c, tested + listed <= all && !(are_few(c) && whole && !c->applied && some),
                       "guard.pairs.tested", NULL);
}

void mgl_claim_guard(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns");
    compare_columns(c, columns);
    compare_pairs(c, json_object_get(claimed, "pairs"), json_array_size(columns));
    compare_list(c, "guard.warnings", json_object_get(claimed, "warnings"), true);
    mgl_claims_agree_at(c, "guard.accepted", named_columns(json_object_get(c->claimed, "leaks")));
}

/* ---- Warnings that follow from the result --------------------------------------------------- */

static void expect_of_guard(const mgl_claims *c, mgl_result *due)
{
    const json_t *one;
    size_t i;
    json_array_foreach(json_object_get(c->claimed, "leaks"), i, one)
    {
        const char *message = mgl_json_text(one, "message");
        mgl_result_warn_of_leak(due, message != NULL ? message : "");
    }
    json_array_foreach((json_t *)mgl_claim_at(c->claimed, "guard.warnings"), i, one)
    {
        const char *code = mgl_json_text(one, "code"), *message = mgl_json_text(one, "message");
        mgl_result_warn(due, code != NULL ? code : "", "%s", message != NULL ? message : "");
    }
    mgl_result_warn_of_pairs(due, mgl_claim_at(c->claimed, "guard.pairs.not_tested"));
}

static void expect_unsafe(const mgl_claims *c, mgl_result *due)
{
    const json_t *rows = json_object_get(c->claimed, "failing_rows");
    mgl_failing failing = {.n_rows = mgl_json_whole(c->claimed, "failing_rows_count")};
    for (size_t i = 0; i < json_array_size(rows) && i < MGL_FAILING_ROWS; i++)
        failing.named[failing.n_named++] = (uint64_t)json_integer_value(json_array_get(rows, i));
    if (rows != NULL)
        mgl_result_warn_unsafe(due, &failing);
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
    const char *column;
    json_t *total;
    uint64_t suppressed = mgl_json_whole(c->claimed, "suppressed_rows");
    mgl_counting counting = c->problem->counting;
    counting.tops_match = json_object_get(c->claimed, "missing_matches") != NULL;
    if (c->settings->treatment == MGL_EXEMPT && suppressed > 0)
        mgl_result_warn_exempt(due, suppressed);
    if (!c->applied)
        mgl_result_warn_of_counting(due, &counting, c->settings->n_named, smallest_class(c));
    expect_of_guard(c, due);
    expect_unsafe(c, due);
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->warn != NULL)
            (*f)->audit->warn(c, due);
    json_object_foreach(json_object_get(c->claimed, "known_totals"), column, total)
    {
        if (mgl_json_whole(total, "values") == 1)
            mgl_result_warn_of_totals(due, column, mgl_json_whole(total, "suppressed_cells"));
    }
    if (c->applied)
        return;
    mgl_result_warn_empty(due, c->settings->models, c->settings->n_models);
    mgl_result_warn_empty(due, c->settings->claimed.unjudged, c->settings->claimed.n_unjudged);
}

/* Takes one away that is due; other versions use other words. */
static void take_due(mgl_claims *c, json_t *left, const json_t *due)
{
    char name[MGL_CLAIM_NAME];
    const char *code = mgl_json_text(due, "code");
    size_t i = 0;
    while (i < json_array_size(left) &&
           !(c->same_version ? json_equal(json_array_get(left, i), due)
                             : strcmp(mgl_json_text(json_array_get(left, i), "code"), code) == 0))
        i++;
    if (i < json_array_size(left))
        (void)json_array_remove(left, i);
    else
        mgl_claims_differ(c, mgl_claim_name(name, "warnings", code), "missing", NULL, due);
}

/* Whether a hint was wanted is never recorded. Only a search of one table that may suppress
 * nothing, and that has the time it needs, is tried again with a limit. */
static bool can_be_hinted(const mgl_claims *c)
{
    const mgl_settings *s = c->settings;
    const char *given = mgl_json_text(c->job, "suppress");
    char *end = NULL;
    double limit = given != NULL ? strtod(given, &end) : 0;
    if (end != NULL && *end == '%')
        limit *= mgl_json_number(c->claimed, "rows") / 100;
    return mgl_settings_held(s) == 0 && s->method->full_domain && limit < 1 &&
           json_object_get(c->job, "time-limit") == NULL;
}

/* Is it one of those that follow from the rest of the result? */
static bool is_derived(const mgl_claims *c, const char *code)
{
    static const char *const codes[] = {
        "exempt-rows",   "leak-allowed",       "pairs-not-tested", "suppressed-cells-match",
        "combinations",  "named-combinations", "history",          "known-totals",
        "empty-promise", "unsafe-release",     "linked-columns"};
    return mgl_names_have(codes, sizeof codes / sizeof codes[0], code) || is_guard_code(code) ||
           (strcmp(code, "time-limit") == 0 && json_object_get(c->job, "time-limit") == NULL) ||
           (strcmp(code, "suppression-helps") == 0 && !can_be_hinted(c));
}

/* What is left describes the input and the run. */
static void judge_left(mgl_claims *c, const json_t *left)
{
    mgl_buffer why = {0};
    const json_t *one;
    size_t i;
    const char *before = " (";
    mgl_buffer_text(&why, "what does not follow from the rest of the result needs the input");
    json_array_foreach((json_t *)left, i, one)
    {
        const char *code = mgl_json_text(one, "code");
        char name[MGL_CLAIM_NAME];
        bool open = code[0] != '\0' && !is_derived(c, code);
        mgl_claims_require(c, open, mgl_claim_name(name, "warnings", code), one);
        if (open)
            mgl_buffer_format(&why, "%s%.60s", before, code);
        before = open ? ", " : before;
    }
    mgl_buffer_append(&why, before[0] == ',' ? ")" : "", before[0] == ',' ? 2 : 1);
    if (!why.failed)
        mgl_claims_skip(c, "warnings", why.data);
    mgl_buffer_free(&why);
}

void mgl_claim_warnings(mgl_claims *c, const json_t *claimed)
{
    mgl_result *due = NULL;
    c->status = mgl_result_new("check", c->err, &due);
    if (c->status != MGL_OK)
        return;
    json_t *left = json_copy((json_t *)claimed), *one;
    size_t i;
    expect_all(c, due);
    json_array_foreach(json_object_get(due->document, "warnings"), i, one) take_due(c, left, one);
    judge_left(c, left);
    json_decref(left);
    mgl_result_free(due);
}
