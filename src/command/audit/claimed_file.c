/* Compares claims with the file: its bytes, and what can be counted in its rows. */
#include "command/audit/sections.h"

/* ---- Counting ------------------------------------------------------------------------------ */

static uint32_t value_of(const mgl_claims *c, size_t t, size_t a)
{
    return c->reading->released[a]->of_leaf[0][mgl_list_leaf(c->problem->list, t, a)];
}

static bool is_top(const mgl_claims *c, size_t t, size_t a)
{
    return mgl_span_equal(mgl_claims_cell_of(c, t, a), c->tops[a]);
}

static void count_tuple(mgl_claims *c, size_t t)
{
    const mgl_frequency_list *list = c->problem->list;
    size_t n = c->reading->n_quasi, n_by = mgl_settings_held(c->settings);
    size_t at_top = n_by; /* columns that are held stay as they are */
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

static json_t *by_column(const mgl_claims *c, const uint64_t *numbers)
{
    json_t *object = json_object();
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        mgl_json_set(object, mgl_claim_quasi(c, a), mgl_json_count(numbers[a]));
    return object;
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
    MGL_TRY(mgl_check_memory(room, err));
    for (size_t t = 0; t < n_tuples; t++)
        count_tuple(c, t);
    (void)mgl_tuples_at_top(c->reading, c->problem->list, c->tops, c->left_out);
    count_classes(c);
    mgl_json_set(c->file, "rows", mgl_json_count(c->rows));
    mgl_json_set(c->file, "table_rows", mgl_json_count(c->reading->table->n_rows));
    mgl_json_set(c->file, "groups", mgl_json_count(c->classes - (c->top_rows > 0)));
    mgl_json_set(c->file, "top_cells", by_column(c, c->top_cells));
    mgl_json_set(c->file, "lone_cells", by_column(c, c->lone_cells));
    mgl_json_set(c->file, "values", by_column(c, c->values));
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
    if (c->reading->entity != NULL && !c->follows_persons)
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

/* ---- Rows that are alone with what passes through ------------------------------------------- */

typedef struct counting {
    const mgl_source_options *source;
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
            mgl_alone_add_cell(x->alone, x->row, i, cell, x->source->missing, x->source->n_missing);
        }
    return MGL_OK;
}

/* The columns that pass through and that others may know, as the result lists what was guarded. */
json_t *mgl_claims_besides(const mgl_claims *c)
{
    json_t *names = json_array(), *column;
    size_t i;
    json_array_foreach((json_t *)mgl_claim_at(c->claimed, "guard.columns"), i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && strcmp(role, "insensitive") == 0 &&
            (mgl_claims_of_column(c, name) & MGL_CLAIM_MADE_UP) == 0)
            mgl_json_append(names, json_string(name));
    }
    return names;
}

static mgl_status count_alone(mgl_claims *c, const json_t *besides, uint64_t *out)
{
    mgl_source *source = c->reading->source;
    size_t n = c->reading->n_quasi;
    size_t *columns = mgl_alloc_array(n + json_array_size(besides), sizeof *columns);
    counting x = {.source = &c->settings->source, .columns = columns};
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

/* Rows that stay in an engine are not counted, nor those of persons who are not in the file. */
void mgl_claim_alone(mgl_claims *c, const json_t *claimed)
{
    const json_t *besides = json_object_get(c->is, "besides");
    const json_t *rows = json_object_get(claimed, "rows");
    uint64_t found = 0;
    if (c->persons)
        mgl_claims_skip_persons(c, "alone");
    else if (json_is_null(rows) || mgl_source_counts(c->reading->source) ||
             c->reading->table->times != NULL)
        mgl_claims_skip(c, "alone", "needs the rows, which stay in the engine");
    else if ((c->status = count_alone(c, besides, &found)) == MGL_OK)
        mgl_claims_compare(c, "alone.rows", rows, mgl_json_count(found));
}

/* ---- Cells --------------------------------------------------------------------------------- */

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
                           ? mgl_names_have(words, sizeof words / sizeof words[0], made)
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
 * to, figures show. Where columns are held, suppressed rows are classes of their own. */
void mgl_claim_utility(mgl_claims *c, const json_t *claimed)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    const char *key;
    json_t *value;
    char name[MGL_CLAIM_NAME];
    uint32_t *heights = levels_of(c, "heights");
    bool held = mgl_settings_held(c->settings) > 0;
    uint64_t further = mgl_json_whole(c->file, "dropped_tops");
    mgl_statistics s = {.n_rows = mgl_json_whole(c->claimed, "rows"),
                        .n_attributes = c->reading->n_quasi,
                        .n_classes = held ? c->classes + further : c->classes - (c->top_rows > 0),
                        .tops_are_classes = held,
                        .squares = c->squares,
                        .node = heights != NULL ? levels_of(c, "node") : NULL,
                        .heights = heights,
                        .regrouped = mgl_claims_condition(c, "is.regrouped"),
                        .has_label = c->problem->label != NULL,
                        .k = c->settings->no_k ? 0 : (double)c->settings->k};
    s.top_rows = c->top_rows + (s.n_rows > c->rows ? s.n_rows - c->rows : 0);
    if (s.has_label)
        s.misclassified = misclassified(c, &s);
    bool withheld = mgl_claims_condition(c, "is.withheld"); /* what compares with the input */
    for (size_t i = 0; i < n; i++)
        if (!withheld || types[i]->from_release)
            compare_measure(c, types[i], &s, json_object_get(claimed, types[i]->key));
        else
            mgl_claims_require(c, json_is_null(json_object_get(claimed, types[i]->key)),
                               mgl_claim_name(name, "utility", types[i]->key),
                               json_object_get(claimed, types[i]->key));
    json_object_foreach((json_t *)claimed, key, value)
    {
        if (mgl_measure_type_find_key(key) == NULL)
            mgl_claims_differ(c, mgl_claim_name(name, "utility", key), "unknown", value, NULL);
    }
}
