/* Compares claims with the file: its bytes, and what can be counted in its rows. The table in
 * claims.c calls these functions. */
#include "command/audit/claims.h"

#include <stdio.h>

/* ---- Counting ------------------------------------------------------------------------------ */

static uint32_t value_of(const mgl_claims *c, size_t t, size_t a)
{
    return c->reading->released[a]->of_leaf[0][mgl_list_leaf(c->problem->list, t, a)];
}

static bool is_top(const mgl_claims *c, size_t t, size_t a)
{
    return mgl_span_equal(c->reading->released[a]->values[value_of(c, t, a)].label, c->tops[a]);
}

static void count_tuple(mgl_claims *c, size_t t)
{
    const mgl_frequency_list *list = c->problem->list;
    size_t n = c->reading->n_quasi, n_by = c->settings->strata.n;
    size_t at_top = n_by; /* columns of strata stay as they are, wherever the others are */
    uint64_t rows = list->counts[t];
    for (size_t a = 0; a < n; a++) {
        uint32_t value = value_of(c, t, a);
        at_top += a >= n_by && is_top(c, t, a);
        c->values[a] += c->cells[a][value] == 0;
        c->cells[a][value] += rows;
    }
    for (size_t a = 0; a < n; a++) {
        bool top = a >= n_by && is_top(c, t, a);
        c->top_cells[a] += top ? rows : 0;
        c->lone_cells[a] += top && at_top < n ? rows : 0;
    }
    c->is_top[t] = at_top == n;
    c->rows += rows;
    c->top_rows += at_top == n ? rows : 0;
}

/* Rows with equal cells are a class. In the joined view several tuples can have the same cells, and
 * stand side by side. */
static void count_classes(mgl_claims *c)
{
    const mgl_frequency_list *list = c->problem->list;
    size_t words = list->packing.n_words;
    for (size_t from = 0, to; from < list->n_tuples; from = to) {
        double rows = 0;
        for (to = from;
             to < list->n_tuples && memcmp(list->keys + from * words, list->keys + to * words,
                                           words * sizeof *list->keys) == 0;
             to++)
            rows += (double)list->counts[to];
        c->squares += c->is_top[from] ? 0 : rows * rows;
        c->classes++;
    }
}

mgl_status mgl_claims_count(mgl_claims *c, mgl_error *err)
{
    size_t n = c->reading->n_quasi, n_tuples = c->problem->list->n_tuples;
    c->is_top = mgl_zeroed_array(n_tuples, 1);
    c->cells = mgl_zeroed_array(n, sizeof *c->cells);
    c->top_cells = mgl_zeroed_array(n, sizeof *c->top_cells);
    c->figures = mgl_alloc_array(n, 3 * sizeof *c->figures);
    c->levels = mgl_alloc_array(n, 2 * sizeof *c->levels);
    c->lone_cells = mgl_zeroed_array(n, sizeof *c->lone_cells);
    c->values = mgl_zeroed_array(n, sizeof *c->values);
    bool room = c->figures != NULL && c->levels != NULL && c->is_top != NULL && c->cells != NULL &&
                c->top_cells != NULL && c->lone_cells != NULL && c->values != NULL;
    for (size_t a = 0; room && a < n; a++) {
        size_t n_values = c->reading->released[a]->n_values;
        room = (c->cells[a] = mgl_zeroed_array(n_values, sizeof **c->cells)) != NULL;
    }
    c->left_out = mgl_zeroed_array(n_tuples, 1);
    room = room && c->left_out != NULL;
    for (size_t t = 0; room && t < n_tuples; t++)
        count_tuple(c, t);
    if (room)
        (void)mgl_tuples_at_top(c->reading, c->problem->list, c->tops, c->left_out);
    if (room)
        count_classes(c);
    return room ? MGL_OK : mgl_fail_memory(err);
}

/* ---- The file itself ----------------------------------------------------------------------- */

static mgl_status compare_hash(mgl_claims *c, const json_t *release, int fd, mgl_error *err)
{
    char sha256[MGL_SHA256_TEXT];
    uint64_t bytes;
    mgl_file_state state;
    bool folder = mgl_sys_state(fd, &state) == 0 && state.folder;
    MGL_TRY(folder ? mgl_folder_sha256(c->settings->data, err, sha256, &bytes)
                   : mgl_sha256_of_file(fd, c->settings->data, err, sha256, &bytes));
    mgl_claims_compare_new(c, "sha256 of the release", json_object_get(release, "sha256"),
                           json_string(sha256));
    mgl_claims_compare_new(c, "audit.release.bytes", json_object_get(release, "bytes"),
                           mgl_json_count(bytes));
    return MGL_OK;
}

/* Is it another file with the rows of a counted release: one that an engine counted, whose release
 * was made with the map? A file that has other rows is told to have them. */
static mgl_status compare_counted(mgl_claims *c, mgl_error *err, bool *same)
{
    const json_t *counts = json_object_get(c->claimed, "counts");
    const char *claimed = mgl_json_text(counts, "rows_sha256");
    char sha256[MGL_SHA256_TEXT];
    *same = false;
    if (claimed == NULL || strcmp(c->settings->data, "-") == 0)
        return MGL_OK;
    MGL_TRY(mgl_location_digest(c->settings->data, c->settings->source.no_value, err, sha256));
    mgl_claims_compare_new(c, "counts.rows_sha256", json_object_get(counts, "rows_sha256"),
                           json_string(sha256));
    *same = strcmp(claimed, sha256) == 0;
    return MGL_OK;
}

static mgl_status compare_bytes(mgl_claims *c, const json_t *release, mgl_error *err)
{
    char *path;
    bool same;
    if (!mgl_claims_shape(c, "audit.release", release, "name:s bytes:i sha256:s"))
        return MGL_OK;
    MGL_TRY(compare_counted(c, err, &same));
    if (same)
        return MGL_OK;
    MGL_TRY(mgl_location_file(c->settings->data, err, &path));
    int fd = strcmp(path, "-") != 0 ? mgl_sys_open_read(path) : -1;
    mgl_free(path);
    if (fd < 0) {
        mgl_claims_skip(c, "sha256 of the release", "name the file instead of a pipe");
        return MGL_OK;
    }
    mgl_status status = compare_hash(c, release, fd, err);
    mgl_sys_close(fd);
    return status;
}

static mgl_status compare_rows(mgl_claims *c, const json_t *release, mgl_error *err)
{
    char sha256[MGL_SHA256_TEXT];
    if (!mgl_claims_shape(c, "audit.release", release, "name:s rows_sha256:s"))
        return MGL_OK;
    MGL_TRY(mgl_location_digest(c->settings->data, c->settings->source.no_value, err, sha256));
    mgl_claims_compare_new(c, "digest of the rows", json_object_get(release, "rows_sha256"),
                           json_string(sha256));
    return MGL_OK;
}

mgl_status mgl_claims_file(mgl_claims *c, mgl_error *err)
{
    const json_t *release = json_object_get(c->audit, "release");
    const mgl_format *format = mgl_format_of(c->settings->data);
    bool table = format->loaded || format->columns;
    if (release == NULL)
        return MGL_OK; /* claimed_trail.c says what is missing */
    if (c->reading->entity != NULL && !c->linked)
        mgl_claims_skip(c, "sha256 of the release",
                        "the copy with persons is another file; leave out `entity`");
    else if (format->columns && json_is_null(release))
        mgl_claims_skip(c, "digest of the rows", "the job that released them was brief");
    else if (table && json_is_null(release))
        mgl_claims_skip(c, "digest of the rows",
                        "the database wrote them, and none left it; `sign: KEY` takes it");
    else
        return table ? compare_rows(c, release, err) : compare_bytes(c, release, err);
    return MGL_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool drops(const mgl_claims *c)
{
    return c->settings->treatment == MGL_DROP;
}

void mgl_claim_rows(mgl_claims *c, const json_t *claimed)
{
    if (!drops(c)) {
        mgl_claims_compare_new(c, "rows", claimed, mgl_json_count(c->rows));
        return;
    }
    mgl_claims_agree_new(c, "rows", claimed,
                         mgl_json_count(mgl_json_whole(c->claimed, "released_rows") +
                                        mgl_json_whole(c->claimed, "suppressed_rows")));
}

/* Rows of a counted table stand for several records. */
void mgl_claim_counts(mgl_claims *c, const json_t *claimed)
{
    bool due = json_object_get(c->job, "count") != NULL;
    if (!mgl_claims_due(c, "counts", claimed, due) ||
        !mgl_claims_shape(c, "counts", claimed,
                          "column:s rows:i once:i released_rows:I rows_sha256:S"))
        return;
    mgl_claims_agree(c, "counts.column", json_object_get(claimed, "column"),
                     json_object_get(c->job, "count"));
    mgl_claims_compare_new(c, "counts.released_rows", json_object_get(claimed, "released_rows"),
                           mgl_json_count(c->reading->table->n_rows));
}

void mgl_claim_released(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_compare_new(c, "released_rows", claimed, mgl_json_count(c->rows));
}

/* Checks the suppression limit of the job. At the cell level there is none for rows that are kept;
 * methods that suppress single cells, or rows by rules of their own, have none unless the job gives
 * one. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(c->claimed, "node")),
         own = c->settings->method->own_limit;
    mgl_settings settings = {.suppress = said};
    if ((said == NULL && (own || !levels)) || (c->settings->treatment == MGL_KEEP && !levels) ||
        !json_is_integer(claimed) || c->top_rows == c->rows || c->settings->strata.n > 0)
        return; /* strata have a limit each */
    const json_t *above = json_object_get(c->claimed, "suppressed_above");
    uint64_t apart = mgl_json_whole(above, "rows") + mgl_json_whole(above, "joined");
    if (mgl_json_whole(c->claimed, "suppressed_rows") >
        apart + mgl_settings_limit(&settings, mgl_json_whole(c->claimed, "rows")))
        mgl_claims_contradict(c, "suppressed_rows: more than the job allows", claimed);
}

void mgl_claim_suppressed(mgl_claims *c, const json_t *claimed)
{
    if (!c->applied) /* claimed_rule.c knows which rows count there */
        check_limit(c, claimed);
    if (!drops(c))
        mgl_claims_compare(c, "suppressed_rows", claimed,
                           json_object_get(c->found, "suppressed_rows"));
    else if (!json_is_integer(claimed) || json_integer_value(claimed) < 0)
        mgl_claims_contradict(c, "suppressed_rows", claimed);
}

/* ---- Classes ------------------------------------------------------------------------------- */

static void compare_members(mgl_claims *c, const char *object, const json_t *claimed,
                            const json_t *found)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)found, key, value) mgl_claims_compare(
        c, mgl_claim_name(name, object, key), json_object_get(claimed, key), value);
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (json_object_get(found, key) == NULL)
            mgl_claims_unknown(c, mgl_claim_name(name, object, key), value);
    }
}

/* A class has no more persons than rows. */
static void compare_at_most(mgl_claims *c, const char *what, const json_t *claimed,
                            const json_t *found)
{
    if (!json_is_number(claimed) ||
        json_number_value(claimed) > json_number_value(found) * (1 + 1e-9))
        mgl_claims_compare(c, what, claimed, found);
}

void mgl_claim_classes(mgl_claims *c, const json_t *claimed)
{
    static const char *const keys[] = {"count", "min", "mean", "max"};
    const json_t *found = json_object_get(c->found, "classes");
    if (!c->persons) {
        compare_members(c, "classes", claimed, found);
        return;
    }
    if (!mgl_claims_keys(c, "classes", claimed, keys, 4))
        return;
    if (!c->joined) /* joined classes are others than those of rows; none has more members */
        mgl_claims_compare(c, "classes.count", json_object_get(claimed, "count"),
                           json_object_get(found, "count"));
    for (size_t i = 1; i < 4; i += c->joined ? 2 : 1) {
        char name[MGL_CLAIM_NAME];
        compare_at_most(c, mgl_claim_name(name, "classes", keys[i]),
                        json_object_get(claimed, keys[i]), json_object_get(found, keys[i]));
    }
    mgl_claims_skip(c, "classes",
                    "persons are not in the release; `entity: COLUMN`, with a copy that has it");
}

/* Risks for anyone who knows one quasi-identifier of several are no larger than for all columns. */
static void check_sets(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const json_t *sets = json_object_get(claimed, "sets"), *there = json_object_get(found, "sets");
    if (json_array_size(sets) != json_array_size(there) || (sets != NULL) != (there != NULL))
        mgl_claims_compare(c, "risk.sets", sets, there);
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const json_t *set = json_array_get(sets, i);
        if (!mgl_claims_shape(c, "risk.sets", set,
                              "prosecutor_max:N prosecutor_mean:N uniques:i "
                              "expected_reidentifications:n known:a"))
            continue;
        mgl_claims_compare(c, "risk.sets.known", json_object_get(set, "known"),
                           json_object_get(json_array_get(there, i), "known"));
        if (mgl_json_number(set, "prosecutor_max") >
                mgl_json_number(claimed, "prosecutor_max") * (1 + 1e-9) ||
            mgl_json_number(set, "prosecutor_mean") >
                mgl_json_number(set, "prosecutor_max") * (1 + 1e-9) ||
            mgl_json_whole(set, "uniques") > mgl_json_whole(claimed, "uniques"))
            mgl_claims_contradict(c, "risk.sets", set);
    }
}

void mgl_claim_risk(mgl_claims *c, const json_t *claimed)
{
    const json_t *classes = json_object_get(c->claimed, "classes");
    const json_t *found = json_object_get(c->found, "risk");
    if (!c->persons) {
        compare_members(c, "risk", claimed, found);
        return;
    }
    if (!mgl_claims_shape(c, "risk", claimed,
                          "prosecutor_max:N prosecutor_mean:N uniques:i "
                          "expected_reidentifications:n known:a ?sets:a"))
        return;
    mgl_claims_compare(c, "risk.known", json_object_get(claimed, "known"),
                       json_object_get(found, "known"));
    double least = mgl_json_number(classes, "min");
    mgl_claims_agree_new(c, "risk.prosecutor_max", json_object_get(claimed, "prosecutor_max"),
                         mgl_json_real(1 / least));
    check_sets(c, claimed, found);
    if ((mgl_json_whole(claimed, "uniques") > 0) != (least == 1))
        mgl_claims_contradict(c, "risk.uniques", json_object_get(claimed, "uniques"));
    mgl_claims_skip(c, "risk",
                    "persons are not in the release; `entity: COLUMN`, with a copy that has it");
}

void mgl_claim_matches(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree(c, "missing_matches", claimed, json_object_get(c->found, "missing_matches"));
}

/* ---- Cells --------------------------------------------------------------------------------- */

void mgl_claim_suppressed_cells(mgl_claims *c, const json_t *claimed)
{
    const json_t *levels = json_object_get(c->claimed, "levels");
    const json_t *heights = json_object_get(c->claimed, "heights");
    char name[MGL_CLAIM_NAME];
    if (json_is_null(claimed) != !json_is_null(json_object_get(c->claimed, "node"))) {
        mgl_claims_contradict(c, "suppressed_cells", claimed);
        return;
    }
    if (json_is_null(claimed) || !mgl_claims_columns(c, "suppressed_cells", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = c->reading->quasi[a].settings->name;
        bool whole = json_is_object(levels) &&
                     json_equal(json_object_get(levels, column), json_object_get(heights, column));
        mgl_claims_compare_new(c, mgl_claim_name(name, "suppressed_cells", column),
                               json_object_get(claimed, column),
                               mgl_json_count(whole ? 0 : c->lone_cells[a]));
    }
}

/* Is the top of a column a level of its own? Its label may stand on a lower level as well, and then
 * counts there. */
static bool has_cells_at_top(const mgl_claims *c, size_t a)
{
    const json_t *columns = json_object_get(json_object_get(c->claimed, "figures"), "columns");
    const json_t *levels = json_object_get(json_array_get(columns, a), "rows_at_level");
    size_t n = json_array_size(levels);
    return n > 0 && json_integer_value(json_array_get(levels, n - 1)) > 0;
}

/* Has a column ranges or averages, which lack some measures? */
static bool has_made_values(const mgl_claims *c)
{
    const json_t *columns = json_object_get(json_object_get(c->claimed, "figures"), "columns");
    for (size_t i = 0; i < json_array_size(columns); i++)
        if (mgl_json_whole(json_array_get(columns, i), "rows_made") > 0)
            return true;
    return false;
}

/* Has the column rows on a level between the ground and its top? */
static bool has_cells_between(const mgl_claims *c, size_t a)
{
    const json_t *columns = json_object_get(json_object_get(c->claimed, "figures"), "columns");
    const json_t *levels = json_object_get(json_array_get(columns, a), "rows_at_level");
    for (size_t l = 1; l + 1 < json_array_size(levels); l++)
        if (json_integer_value(json_array_get(levels, l)) > 0)
            return true;
    return false;
}

/* What kind of values were made, if the columns have such. */
static void check_made(mgl_claims *c, const json_t *claimed)
{
    static const char *const words[] = {"ranges", "means", "medians",
                                        "modes",  "sets",  "aggregates"};
    const char *said = json_string_value(claimed);
    bool known = !has_made_values(c) ? json_is_null(claimed) : false;
    for (size_t i = 0; has_made_values(c) && said != NULL && i < sizeof words / sizeof words[0];
         i++)
        known = known || strcmp(said, words[i]) == 0;
    if (!known)
        mgl_claims_contradict(c, "mixture.made", claimed);
}

void mgl_claim_mixture(mgl_claims *c, const json_t *claimed)
{
    static const char *const keys[] = {"levels", "suppressed", "made"};
    bool suppressed = false, mixed = false, told = true;
    if ((claimed != NULL) != (json_is_null(json_object_get(c->claimed, "node")) && !c->applied))
        mgl_claims_contradict(c, "mixture", claimed);
    if (claimed == NULL || !mgl_claims_keys(c, "mixture", claimed, keys, 3))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        suppressed = suppressed || (c->lone_cells[a] > 0 && has_cells_at_top(c, a));
        mixed = mixed || has_cells_between(c, a);
        told = told && (c->top_cells[a] == 0 || has_cells_at_top(c, a));
    }
    mgl_claims_compare_new(c, "mixture.suppressed", json_object_get(claimed, "suppressed"),
                           json_boolean(suppressed));
    /* where a top has the label of a lower level, suppressed rows are counted there */
    if (told)
        mgl_claims_agree_new(c, "mixture.levels", json_object_get(claimed, "levels"),
                             json_boolean(mixed));
    check_made(c, json_object_get(claimed, "made"));
}

/* ---- Columns that are released as they are ------------------------------------------------- */

void mgl_claim_columns_unchanged(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    json_t *passed = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name == NULL || role == NULL || !json_is_true(json_object_get(column, "released")) ||
            strcmp(role, "quasi") == 0 || strcmp(role, "count") == 0 ||
            mgl_claims_is_treated(c, name) || mgl_claims_is_linked(c, name) ||
            mgl_claims_has_items(c, name))
            continue;
        json_t *one = json_object();
        mgl_json_set(one, "column", json_string(name));
        mgl_json_set(one, "role", json_string(role));
        mgl_json_append(passed, one);
    }
    mgl_claims_agree_new(c, "unchanged", claimed, passed);
}

/* ---- Utility ------------------------------------------------------------------------------- */

/* Rows whose class label is not the most frequent one of their class, or that are at the top. */
static uint64_t misclassified(const mgl_claims *c, const mgl_statistics *s)
{
    const mgl_sparse *label = c->problem->label;
    const mgl_frequency_list *list = c->problem->list;
    uint64_t rows = s->top_rows;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++)
            most = label->counts[i] > most ? label->counts[i] : most;
        rows += c->is_top[t] ? 0 : list->counts[t] - most;
    }
    return rows;
}

/* The levels of a node that the result tells; false: it does not. */
static bool take_levels(const mgl_claims *c, const char *key, uint32_t *levels)
{
    const json_t *object = json_object_get(c->claimed, key);
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *level = json_object_get(object, c->reading->quasi[a].settings->name);
        if (!json_is_integer(level) || json_integer_value(level) < 0)
            return false;
        levels[a] = (uint32_t)json_integer_value(level);
    }
    return true;
}

/* Whole persons leave part of the rows of a tuple out, which are a tuple more then: the release can
 * have more entropy than the table. */
static bool is_possible(const mgl_claims *c, const mgl_measure_type *type, double value)
{
    double least = type->form == MGL_COST_LOGS && c->joined ? -1 : 0;
    return value >= least - 1e-9 && (!type->is_share || value <= 1 + 1e-9);
}

static void compare_measure(mgl_claims *c, const mgl_measure_type *type, const mgl_statistics *s,
                            const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    mgl_claim_name(name, "utility", type->key);
    const char *said = mgl_json_text(c->job, "utility");
    bool hidden = !s->has_label && said != NULL && strchr(said, '=') != NULL && type->takes_label;
    if (claimed == NULL)
        mgl_claims_missing(c, name);
    else if (hidden)
        mgl_claims_skip(c, name, "the label is not in the release");
    else if (type->from_release)
        mgl_claims_compare_new(c, name, claimed, mgl_json_real(mgl_measure_told(type, s)));
    else if (json_is_null(claimed)
                 ? !has_made_values(c) && !(type->needs_ground && s->regrouped)
                 : !json_is_number(claimed) || !is_possible(c, type, json_number_value(claimed)))
        mgl_claims_contradict(c, name, claimed);
}

void mgl_claim_utility(mgl_claims *c, const json_t *claimed)
{
    size_t n, m = c->reading->n_quasi;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    uint32_t *node = c->levels, *heights = node + m;
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    mgl_statistics s = {.n_rows = mgl_json_whole(c->claimed, "rows"),
                        .n_attributes = m,
                        .n_classes = c->settings->strata.n > 0
                                         ? c->classes + mgl_claims_dropped_tops(c)
                                         : c->classes - (c->top_rows > 0),
                        .tops_are_classes = c->settings->strata.n > 0,
                        .squares = c->squares,
                        .k = c->settings->no_k ? 0 : (double)c->settings->k};
    s.top_rows = c->top_rows + (s.n_rows > c->rows ? s.n_rows - c->rows : 0);
    bool known = take_levels(c, "heights", heights);
    s.node = known && take_levels(c, "node", node) ? node : NULL;
    s.heights = heights;
    s.regrouped = mgl_claims_regrouped(c);
    s.has_label = c->problem->label != NULL;
    if (s.has_label)
        s.misclassified = misclassified(c, &s);
    for (size_t i = 0; i < n; i++)
        compare_measure(c, types[i], &s, json_object_get(claimed, types[i]->key));
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (mgl_measure_type_find_key(key) == NULL)
            mgl_claims_unknown(c, mgl_claim_name(name, "utility", key), value);
    }
}
