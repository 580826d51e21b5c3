/* Compares claims with the file: its bytes, and what can be counted in its rows. */
#include "command/audit/claims.h"

#include <math.h>

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

/* NULL if memory is out; freed with the task. */
static void *zeroed(const mgl_claims *c, size_t n, size_t size)
{
    void *array = mgl_arena_alloc(c->task->arena, n * size + 1);
    return array != NULL ? memset(array, 0, n * size + 1) : NULL;
}

mgl_status mgl_claims_count(mgl_claims *c, mgl_error *err)
{
    size_t n = c->reading->n_quasi, n_tuples = c->problem->list->n_tuples;
    bool room = (c->is_top = zeroed(c, n_tuples, 1)) != NULL &&
                (c->left_out = zeroed(c, n_tuples, 1)) != NULL &&
                (c->cells = zeroed(c, n, sizeof *c->cells)) != NULL &&
                (c->top_cells = zeroed(c, n, sizeof *c->top_cells)) != NULL &&
                (c->lone_cells = zeroed(c, n, sizeof *c->lone_cells)) != NULL &&
                (c->values = zeroed(c, n, sizeof *c->values)) != NULL;
    for (size_t a = 0; room && a < n; a++)
        room =
            (c->cells[a] = zeroed(c, c->reading->released[a]->n_values, sizeof **c->cells)) != NULL;
    if (!room)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n_tuples; t++)
        count_tuple(c, t);
    (void)mgl_tuples_at_top(c->reading, c->problem->list, c->tops, c->left_out);
    count_classes(c);
    return MGL_OK;
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
    mgl_claims_compare(c, "sha256 of the release", json_object_get(release, "sha256"),
                       json_string(sha256));
    mgl_claims_compare_at(c, "audit.release.bytes", mgl_json_count(bytes));
    return MGL_OK;
}

static mgl_status compare_digest(mgl_claims *c, const char *what, const json_t *claimed,
                                 mgl_error *err)
{
    char sha256[MGL_SHA256_TEXT];
    MGL_TRY(mgl_location_digest(c->settings->data, c->settings->source.no_value, err, sha256));
    mgl_claims_compare(c, what, claimed, json_string(sha256));
    return MGL_OK;
}

/* Another file can have the rows of a counted release: one that an engine counted, whose release
 * was made with the map. Then its bytes are not compared. */
static mgl_status compare_bytes(mgl_claims *c, const json_t *release, mgl_error *err)
{
    const json_t *counted = mgl_claim_at(c->claimed, "counts.rows_sha256");
    size_t before = json_array_size(c->differences);
    char *path;
    if (!mgl_claims_shape(c, "audit.release", release, "{name:s bytes:i sha256:s}"))
        return MGL_OK;
    if (json_is_string(counted) && strcmp(c->settings->data, "-") != 0) {
        MGL_TRY(compare_digest(c, "counts.rows_sha256", counted, err));
        if (json_array_size(c->differences) == before)
            return MGL_OK;
    }
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

mgl_status mgl_claims_file(mgl_claims *c, mgl_error *err)
{
    const json_t *release = json_object_get(c->audit, "release");
    const mgl_format *format = mgl_location_of(c->settings->data).format;
    bool table = format->loaded || format->columns;
    if (release == NULL)
        return MGL_OK; /* which its section reports */
    if (c->reading->entity != NULL && !c->linked)
        mgl_claims_skip(c, "sha256 of the release",
                        "the copy with persons is another file; leave out `entity`");
    else if (format->columns && json_is_null(release))
        mgl_claims_skip(c, "digest of the rows", "the job that released them was brief");
    else if (table && json_is_null(release))
        mgl_claims_skip(c, "digest of the rows",
                        "the database wrote them, and none left it; `sign: KEY` takes it");
    else if (!table)
        return compare_bytes(c, release, err);
    else if (mgl_claims_shape(c, "audit.release", release, "{name:s rows_sha256:s}"))
        return compare_digest(c, "digest of the rows", json_object_get(release, "rows_sha256"),
                              err);
    return MGL_OK;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool drops(const mgl_claims *c)
{
    return c->settings->treatment == MGL_DROP;
}

void mgl_claim_rows(mgl_claims *c, const json_t *claimed)
{
    uint64_t released = mgl_json_whole(c->claimed, "released_rows"),
             suppressed = mgl_json_whole(c->claimed, "suppressed_rows");
    if (drops(c))
        mgl_claims_agree(c, "rows", claimed, mgl_json_count(released + suppressed));
    else
        mgl_claims_compare(c, "rows", claimed, mgl_json_count(c->rows));
}

/* Rows of a counted table stand for several records. */
void mgl_claim_counts(mgl_claims *c, const json_t *claimed)
{
    (void)claimed;
    mgl_claims_compare_at(c, "counts.released_rows", mgl_json_count(c->reading->table->n_rows));
}

void mgl_claim_released(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_compare(c, "released_rows", claimed, mgl_json_count(c->rows));
}

/* Checks the suppression limit of the job. At the cell level there is none for rows that are kept;
 * methods that suppress single cells, or rows by rules of their own, have none unless the job gives
 * one. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(c->claimed, "node")),
         own = c->settings->method->own_limit;
    if ((given == NULL && (own || !levels)) || (c->settings->treatment == MGL_KEEP && !levels) ||
        c->top_rows == c->rows || c->settings->strata.n > 0)
        return; /* strata have a limit each */
    const json_t *above = json_object_get(c->claimed, "suppressed_above");
    uint64_t apart = mgl_json_whole(above, "rows") + mgl_json_whole(above, "joined"),
             limit = mgl_limit_of(given, mgl_json_whole(c->claimed, "rows"));
    mgl_claims_require(c, mgl_json_whole(c->claimed, "suppressed_rows") <= apart + limit,
                       "suppressed_rows: more than the job allows", claimed);
}

void mgl_claim_suppressed(mgl_claims *c, const json_t *claimed)
{
    if (!c->applied) /* `applied` knows which rows count there */
        check_limit(c, claimed);
    if (!drops(c))
        mgl_claims_compare(c, "suppressed_rows", claimed,
                           json_incref(json_object_get(c->found, "suppressed_rows")));
}

/* What the recoding knew of the rows that it was applied to. Rows that are kept count against the
 * limit if they were treated; else all that are suppressed do, unless a method has no limit. */
void mgl_claim_applied(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "suppress");
    uint64_t rows = mgl_json_whole(claimed, "recorded_rows") + mgl_json_whole(claimed, "new_rows") +
                    mgl_json_whole(claimed, "uncovered_rows") +
                    mgl_json_whole(claimed, "unplaced_rows"),
             treated = mgl_json_whole(claimed, "treated_rows"),
             suppressed = mgl_json_whole(c->claimed, "suppressed_rows"),
             limit = mgl_limit_of(given, mgl_json_whole(c->claimed, "rows"));
    mgl_claims_agree(c, "rows by what the recoding says of them",
                     json_object_get(c->claimed, "rows"), mgl_json_count(rows));
    /* where every row is at the top, none counts as suppressed */
    mgl_claims_require(c, treated <= suppressed || (c->top_rows == c->rows && treated <= rows),
                       "applied.treated_rows", claimed);
    bool within = treated <= limit &&
                  (c->settings->treatment == MGL_KEEP || treated == 0 || suppressed <= limit);
    mgl_claims_require(c, within || (given == NULL && c->settings->method->own_limit),
                       "applied.treated_rows: more than the job allows", claimed);
}

/* ---- Classes ------------------------------------------------------------------------------- */

/* Classes of persons who are not in the file: none has more persons than rows. */
void mgl_claim_classes(mgl_claims *c, const json_t *claimed)
{
    static const char *const keys[] = {"count", "min", "mean", "max"};
    const json_t *found = json_object_get(c->found, "classes");
    char name[MGL_CLAIM_NAME];
    if (!c->persons) {
        mgl_claims_compare(c, "classes", claimed, json_incref((json_t *)found));
        return;
    }
    for (size_t i = 0; i < 4; i++) {
        const json_t *here = json_object_get(claimed, keys[i]),
                     *there = json_object_get(found, keys[i]);
        bool at_most = json_is_number(here) &&
                       json_number_value(here) <= json_number_value(there) * (1 + 1e-9);
        /* joined classes are others than those of rows; none has more members */
        if (i == 0 ? !c->joined : !at_most && !(c->joined && i == 2))
            mgl_claims_compare(c, mgl_claim_name(name, "classes", keys[i]), here,
                               json_incref((json_t *)there));
    }
    mgl_claims_skip_persons(c, "classes");
}

/* Risks for anyone who knows one quasi-identifier of several are no larger than for all columns. */
static void check_sets(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const json_t *sets = json_object_get(claimed, "sets"), *there = json_object_get(found, "sets");
    if (json_array_size(sets) != json_array_size(there) || (sets != NULL) != (there != NULL))
        mgl_claims_compare(c, "risk.sets", sets, json_incref((json_t *)there));
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const json_t *set = json_array_get(sets, i);
        double most = mgl_json_number(set, "prosecutor_max");
        mgl_claims_compare(c, "risk.sets.known", json_object_get(set, "known"),
                           json_incref(json_object_get(json_array_get(there, i), "known")));
        bool more = most > mgl_json_number(claimed, "prosecutor_max") * (1 + 1e-9) ||
                    mgl_json_number(set, "prosecutor_mean") > most * (1 + 1e-9) ||
                    mgl_json_whole(set, "uniques") > mgl_json_whole(claimed, "uniques");
        mgl_claims_require(c, !more, "risk.sets", set);
    }
}

void mgl_claim_risk(mgl_claims *c, const json_t *claimed)
{
    const json_t *found = json_object_get(c->found, "risk");
    double least = mgl_json_number(json_object_get(c->claimed, "classes"), "min");
    if (!c->persons) {
        mgl_claims_compare(c, "risk", claimed, json_incref((json_t *)found));
        mgl_claims_no_others(c, "risk", claimed, found);
        return;
    }
    mgl_claims_compare_at(c, "risk.known", json_incref(json_object_get(found, "known")));
    mgl_claims_agree_at(c, "risk.prosecutor_max", mgl_json_real(1 / least));
    check_sets(c, claimed, found);
    mgl_claims_require(c, (mgl_json_whole(claimed, "uniques") > 0) == (least == 1), "risk.uniques",
                       NULL);
    mgl_claims_skip_persons(c, "risk");
}

/* ---- Rows that are alone with what passes through ------------------------------------------- */

typedef struct counting {
    mgl_alone *alone;
    const size_t *columns; /* of the file */
    size_t n;
    uint64_t row;
} counting;

static mgl_status add_records(void *context, const mgl_records *records, mgl_error *err)
{
    counting *x = context;
    (void)err;
    for (size_t r = 0; r < records->n_records; r++, x->row++)
        for (size_t i = 0; i < x->n; i++) {
            mgl_span cell = mgl_claim_cell(&records->fields[r * records->n_fields + x->columns[i]]);
            mgl_alone_add(x->alone, x->row, i, mgl_hash(cell.data, cell.size));
        }
    return MGL_OK;
}

/* The columns that pass through and that others may know, as the result lists what was guarded. */
static json_t *known_besides(const mgl_claims *c)
{
    json_t *names = json_array(), *column;
    size_t i;
    json_array_foreach((json_t *)mgl_claim_at(c->claimed, "guard.columns"), i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && strcmp(role, "insensitive") == 0 &&
            !mgl_claims_is_made_up(c, name))
            mgl_json_append(names, json_string(name));
    }
    return names;
}

static mgl_status count_alone(mgl_claims *c, const json_t *besides, uint64_t *out)
{
    mgl_source *source = c->reading->source;
    size_t n = c->reading->n_quasi;
    size_t *columns = mgl_alloc_array(n + json_array_size(besides), sizeof *columns);
    counting x = {.columns = columns};
    mgl_status status = columns != NULL ? MGL_OK : mgl_fail_memory(c->err);
    MGL_GO(status);
    for (size_t a = 0; a < n; a++)
        columns[a] = c->reading->quasi[a].column->source_index;
    for (size_t i = 0; i < json_array_size(besides); i++) {
        columns[n] = mgl_source_find(source, json_string_value(json_array_get(besides, i)));
        n += columns[n] != SIZE_MAX;
    }
    x.n = n;
    MGL_GO(mgl_alone_new(c->rows, c->err, &x.alone));
    MGL_GO(mgl_source_each(source, add_records, &x, c->err));
    MGL_GO(mgl_alone_count(x.alone, c->reading->entity, c->err, out));
done:
    mgl_alone_free(x.alone);
    mgl_free(columns);
    return status;
}

/* Tables of engines that the Python package writes have no such figure, nor have counts. */
bool mgl_claim_alone_due(const mgl_claims *c)
{
    json_t *besides = known_besides(c);
    bool due = json_array_size(besides) > 0 && json_object_get(c->claimed, "engine") == NULL &&
               json_object_get(c->claimed, "counts") == NULL;
    json_decref(besides);
    return due;
}

/* Rows that stay in an engine are not counted, nor those of persons who are not in the file. */
void mgl_claim_alone(mgl_claims *c, const json_t *claimed)
{
    json_t *besides = known_besides(c);
    const json_t *rows = json_object_get(claimed, "rows");
    uint64_t found = 0;
    if (c->persons)
        mgl_claims_skip_persons(c, "alone");
    else if (json_is_null(rows) || mgl_source_counts(c->reading->source) ||
             c->reading->table->times != NULL)
        mgl_claims_skip(c, "alone", "needs the rows, which stay in the engine");
    else if ((c->status = count_alone(c, besides, &found)) == MGL_OK)
        mgl_claims_compare(c, "alone.rows", rows, mgl_json_count(found));
    mgl_claims_agree_at(c, "alone.besides", besides);
}

/* ---- Cells --------------------------------------------------------------------------------- */

void mgl_claim_suppressed_cells(mgl_claims *c, const json_t *claimed)
{
    const json_t *levels = json_object_get(c->claimed, "levels");
    const json_t *heights = json_object_get(c->claimed, "heights");
    char name[MGL_CLAIM_NAME];
    mgl_claims_require(c,
                       json_is_null(claimed) != json_is_null(json_object_get(c->claimed, "node")),
                       "suppressed_cells", claimed);
    for (size_t a = 0; json_is_object(claimed) && a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        bool whole = json_is_object(levels) &&
                     json_equal(json_object_get(levels, column), json_object_get(heights, column));
        mgl_claims_compare(c, mgl_claim_name(name, "suppressed_cells", column),
                           json_object_get(claimed, column),
                           mgl_json_count(whole ? 0 : c->lone_cells[a]));
    }
}

/* What the result says of the levels of a column. */
static const json_t *figures_of(const mgl_claims *c, size_t a)
{
    return json_array_get(mgl_claim_at(c->claimed, "figures.columns"), a);
}

/* Is the top of a column a level of its own? Its label may stand on a lower level as well, and then
 * counts there. */
static bool has_cells_at_top(const mgl_claims *c, size_t a)
{
    const json_t *levels = json_object_get(figures_of(c, a), "rows_at_level");
    size_t n = json_array_size(levels);
    return n > 0 && mgl_claim_whole_at(levels, n - 1) > 0;
}

/* Has a column ranges or averages, which lack some measures? */
static bool has_made_values(const mgl_claims *c)
{
    size_t n = json_array_size(mgl_claim_at(c->claimed, "figures.columns"));
    for (size_t a = 0; a < n; a++)
        if (mgl_json_whole(figures_of(c, a), "rows_made") > 0)
            return true;
    return false;
}

/* Has the column rows on a level between the ground and its top? */
static bool has_cells_between(const mgl_claims *c, size_t a)
{
    const json_t *levels = json_object_get(figures_of(c, a), "rows_at_level");
    for (size_t l = 1; l + 1 < json_array_size(levels); l++)
        if (mgl_claim_whole_at(levels, l) > 0)
            return true;
    return false;
}

bool mgl_claim_mixture_due(const mgl_claims *c)
{
    return json_is_null(json_object_get(c->claimed, "node")) && !c->applied;
}

/* Which kinds of cells the release has, and what kind of values were made. */
void mgl_claim_mixture(mgl_claims *c, const json_t *claimed)
{
    static const char *const words[] = {"ranges", "means", "medians",
                                        "modes",  "sets",  "aggregates"};
    bool suppressed = false, mixed = false, known = true;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        suppressed = suppressed || (c->lone_cells[a] > 0 && has_cells_at_top(c, a));
        mixed = mixed || has_cells_between(c, a);
        known = known && (c->top_cells[a] == 0 || has_cells_at_top(c, a));
    }
    mgl_claims_compare_at(c, "mixture.suppressed", json_boolean(suppressed));
    /* where a top has the label of a lower level, suppressed rows are counted there */
    if (known)
        mgl_claims_agree_at(c, "mixture.levels", json_boolean(mixed));
    const char *made = mgl_json_text(claimed, "made");
    mgl_claims_require(c,
                       has_made_values(c)
                           ? mgl_claim_lists_text(words, sizeof words / sizeof words[0], made)
                           : made == NULL,
                       "mixture.made", NULL);
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

/* The levels of a node that the result has; NULL: it has none. */
static uint32_t *levels_of(const mgl_claims *c, const char *key)
{
    const json_t *object = json_object_get(c->claimed, key);
    uint32_t *levels = zeroed(c, c->reading->n_quasi, sizeof *levels);
    for (size_t a = 0; levels != NULL && a < c->reading->n_quasi; a++) {
        const json_t *level = json_object_get(object, mgl_claim_quasi(c, a));
        if (!json_is_integer(level) || json_integer_value(level) < 0)
            return NULL;
        levels[a] = (uint32_t)json_integer_value(level);
    }
    return levels;
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
    const char *measure = mgl_json_text(c->job, "utility");
    bool hidden =
        !s->has_label && measure != NULL && strchr(measure, '=') != NULL && type->takes_label;
    if (claimed == NULL)
        mgl_claims_missing(c, name);
    else if (hidden)
        mgl_claims_skip(c, name, "the label is not in the release");
    else if (type->from_release)
        mgl_claims_compare(c, name, claimed, mgl_json_real(mgl_measure_reported(type, s)));
    else
        mgl_claims_require(c,
                           json_is_null(claimed)
                               ? has_made_values(c) || (type->needs_ground && s->regrouped)
                               : is_possible(c, type, json_number_value(claimed)),
                           name, claimed);
}

/* The measures that are functions of classes and node are computed anew; what others must add up
 * to, figures show. */
void mgl_claim_utility(mgl_claims *c, const json_t *claimed)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    const char *key;
    json_t *value;
    char name[MGL_CLAIM_NAME];
    uint32_t *heights = levels_of(c, "heights");
    mgl_statistics s = {.n_rows = mgl_json_whole(c->claimed, "rows"),
                        .n_attributes = c->reading->n_quasi,
                        .n_classes = c->settings->strata.n > 0
                                         ? c->classes + mgl_claims_dropped_tops(c)
                                         : c->classes - (c->top_rows > 0),
                        .tops_are_classes = c->settings->strata.n > 0,
                        .squares = c->squares,
                        .node = heights != NULL ? levels_of(c, "node") : NULL,
                        .heights = heights,
                        .regrouped = mgl_claims_regrouped(c),
                        .has_label = c->problem->label != NULL,
                        .k = c->settings->no_k ? 0 : (double)c->settings->k};
    s.top_rows = c->top_rows + (s.n_rows > c->rows ? s.n_rows - c->rows : 0);
    if (s.has_label)
        s.misclassified = misclassified(c, &s);
    for (size_t i = 0; i < n; i++)
        compare_measure(c, types[i], &s, json_object_get(claimed, types[i]->key));
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (mgl_measure_type_find_key(key) == NULL)
            mgl_claims_differ(c, mgl_claim_name(name, "utility", key), "unknown", value, NULL);
    }
}
