/* Reads the recodings of earlier releases of the same table (--history) and finds the history of
 * each row: what it was released as in all of them together. */
#include "claims/claims.h"
#include "findings/findings.h"

extern const mgl_feature mgl_history_feature;

/* Earlier releases of the table (--history). Rows that look alike in each of them have the same
 * history; a holder of the releases can distinguish rows of different histories, though they are in
 * one class. */
typedef struct earlier_releases {
    size_t n;
    const mgl_saved_recoding **saved;
    uint32_t n_histories;
    mgl_table *columns; /* the history of each row; then, for each sensitive column, history and
                           value as one code */
    const uint32_t **first, **meaning; /* [n_sensitive] of these codes, as mgl_joint has them */
    mgl_arena *arena;
} earlier_releases;

/* What the feature keeps of a reading. */
typedef struct history_state {
    const mgl_cache_entry **recodings; /* [n_history] of earlier releases, in the session */
    const earlier_releases *earlier;   /* NULL: there are none */
} history_state;

static history_state *history_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_history_feature);
}

static void free_recoding(void *object)
{
    mgl_saved_recoding_free(object);
}

static const mgl_cache_kind recodings = {free_recoding, 4};

static mgl_status check_columns(const mgl_reading *reading, const mgl_saved_recoding *saved,
                                const char *path, mgl_error *err)
{
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (mgl_source_find(reading->source, saved->quasi[a].name) == SIZE_MAX)
            return mgl_blame_column(
                err,
                mgl_fail_key_at(err, MGL_CODE_MISMATCH, path, "history",
                                "the recoding is of column \"%.60s\", which the table lacks; "
                                "give recodings of this table",
                                saved->quasi[a].name),
                saved->quasi[a].name);
    return MGL_OK;
}

static mgl_status read_recoding(mgl_reading *reading, const char *path, mgl_error *err,
                                const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    mgl_saved_recoding *saved;
    mgl_status status = MGL_OK;
    mgl_key_file(&key, path);
    MGL_GO(mgl_cache_find(&reading->pins, &recodings, &key, err, out));
    if (*out == NULL) {
        MGL_GO(mgl_blame_key(err, mgl_saved_recoding_read(path, err, &saved), "history"));
        MGL_GO(mgl_cache_add(&reading->pins, &recodings, &key, saved, err, out));
    }
    MGL_GO(check_columns(reading, (*out)->object, path, err));
done:
    mgl_buffer_free(&key);
    return status;
}

static mgl_status open_recodings(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    (void)purpose;
    if (settings->earlier.n == 0)
        return MGL_OK;
    const mgl_cache_entry **recodings = mgl_zeroed_array(settings->earlier.n, sizeof *recodings);
    MGL_TRY(mgl_check_memory(recodings != NULL, err));
    history_of(reading)->recodings = recodings;
    for (size_t i = 0; i < settings->earlier.n; i++)
        MGL_TRY(read_recoding(reading, settings->earlier.recodings[i], err, &recodings[i]));
    return MGL_OK;
}

static bool is_requested(const mgl_column_request *requested, size_t n, size_t column)
{
    for (size_t i = 0; i < n; i++)
        if (requested[i].source_index == column)
            return true;
    return false;
}

static size_t request_columns(const mgl_reading *reading, mgl_purpose purpose,
                              mgl_column_request *requested, size_t n)
{
    (void)purpose;
    for (size_t i = 0; i < reading->settings->earlier.n; i++) {
        const mgl_saved_recoding *saved = history_of(reading)->recodings[i]->object;
        for (size_t a = 0; a < saved->n_quasi; a++) {
            size_t column = mgl_source_find(reading->source, saved->quasi[a].name);
            if (!is_requested(requested, n, column))
                requested[n++] = (mgl_column_request){column, MGL_ROLE_NONE};
        }
    }
    return n;
}

/* One recoding, bound to the table. */
typedef struct bound {
    const mgl_saved_recoding *saved;
    const char *path;
    const mgl_column **columns; /* [a] of the table */
    uint32_t **leaves;          /* [a][code of the table] */
    mgl_map *tuples;            /* leaves of each tuple, as bytes */
    uint32_t *history; /* [tuple] the same number for tuples that this release shows alike */
    uint64_t *seen;    /* [tuple] records */
    uint32_t n_histories;
    uint32_t *key; /* [a] */
} bound;

static mgl_status refuse(const bound *b, mgl_error *err)
{
    return mgl_fail_key_at(err, MGL_CODE_MISMATCH, b->path, "history",
                           "the recoding was not made of this table: its rows are others; give the "
                           "recodings of earlier releases of the same table");
}

static mgl_status bind_column(bound *b, const mgl_reading *reading, mgl_arena *arena, size_t a,
                              mgl_error *err)
{
    const mgl_saved_quasi *quasi = &b->saved->quasi[a];
    b->columns[a] = mgl_table_column(reading->table, quasi->name);
    const mgl_dictionary *dictionary = b->columns[a]->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary), missing = mgl_dictionary_missing(dictionary);
    b->leaves[a] = mgl_arena_alloc(arena, n * sizeof **b->leaves);
    MGL_TRY(mgl_check_memory(b->leaves[a] != NULL, err));
    mgl_spelling_finder finder;
    MGL_TRY(mgl_spelling_index(quasi->ground, reading->settings->source.spelling, err, &finder));
    for (uint32_t code = 0; code < n; code++) {
        uint32_t known = code == missing
                             ? mgl_dictionary_missing(quasi->ground)
                             : mgl_spelling_find(&finder, mgl_dictionary_value(dictionary, code));
        b->leaves[a][code] = known != MGL_NOT_FOUND ? quasi->leaf_of_code[known] : MGL_NOT_FOUND;
    }
    mgl_spelling_finder_free(&finder);
    return MGL_OK;
}

/* Finds the tuples that were released alike. Dropped rows count as alike: the release shows nothing
 * about any of them. */
static mgl_status find_histories(bound *b, mgl_error *err)
{
    const mgl_saved_recoding *saved = b->saved;
    mgl_map *released = mgl_map_new();
    mgl_status status = released == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t t = 0; status == MGL_OK && t < saved->n_tuples; t++) {
        bool left_out = saved->drops && saved->suppressed[t] != 0;
        for (size_t a = 0; a < saved->n_quasi; a++)
            b->key[a] = left_out ? MGL_NOT_FOUND : saved->released[a][t];
        mgl_span key = {(const char *)b->key, saved->n_quasi * sizeof *b->key};
        b->history[t] = mgl_map_add(released, key);
        for (size_t a = 0; a < saved->n_quasi; a++)
            b->key[a] = saved->leaves[a][t];
        uint32_t number = mgl_map_add(b->tuples, key);
        if (b->history[t] == MGL_NOT_FOUND || number == MGL_NOT_FOUND)
            status = mgl_fail_memory(err);
        else if (number != t)
            status = refuse(b, err); /* a tuple twice */
    }
    b->n_histories = released != NULL ? mgl_map_size(released) : 0;
    mgl_map_free(released);
    return status;
}

static mgl_status bind(bound *b, const mgl_reading *reading, mgl_arena *arena, mgl_error *err)
{
    size_t m = b->saved->n_quasi, n = b->saved->n_tuples;
    b->columns = mgl_arena_alloc(arena, m * sizeof *b->columns);
    b->leaves = mgl_arena_alloc(arena, m * sizeof *b->leaves);
    b->key = mgl_arena_alloc(arena, m * sizeof *b->key);
    b->history = mgl_arena_alloc(arena, n * sizeof *b->history);
    b->seen = mgl_arena_alloc(arena, n * sizeof *b->seen);
    b->tuples = mgl_map_new();
    MGL_TRY(mgl_check_memory(b->columns != NULL && b->leaves != NULL && b->key != NULL &&
                                 b->history != NULL && b->seen != NULL && b->tuples != NULL,
                             err));
    memset(b->seen, 0, n * sizeof *b->seen);
    for (size_t a = 0; a < m; a++)
        MGL_TRY(bind_column(b, reading, arena, a, err));
    return find_histories(b, err);
}

/* What this release shows of a row; MGL_NOT_FOUND if the recoding does not know the row. */
static uint32_t history_of_row(bound *b, size_t row, uint64_t times)
{
    size_t m = b->saved->n_quasi;
    for (size_t a = 0; a < m; a++)
        b->key[a] = b->leaves[a][mgl_column_code(b->columns[a], row)];
    uint32_t tuple = mgl_map_find(b->tuples, (mgl_span){(const char *)b->key, m * sizeof *b->key});
    if (tuple == MGL_NOT_FOUND)
        return MGL_NOT_FOUND;
    b->seen[tuple] += times;
    return b->history[tuple];
}

static mgl_status check_counts(const bound *b, mgl_error *err)
{
    for (size_t t = 0; t < b->saved->n_tuples; t++)
        if (b->seen[t] != b->saved->counts[t])
            return refuse(b, err);
    return MGL_OK;
}

static mgl_status set_code(mgl_column *column, size_t row, uint32_t code, mgl_error *err)
{
    if (!mgl_column_widen(column, row, code) || !mgl_column_reserve(column, row, 1))
        return mgl_fail_memory(err);
    mgl_column_set(column, row, code);
    return MGL_OK;
}

/* Fills the dictionary with n values that are just numbers. */
static mgl_status fill_dictionary(mgl_column *column, uint32_t n, mgl_error *err)
{
    for (uint32_t i = 0; i < n; i++)
        if (mgl_dictionary_add(column->dictionary, (mgl_span){(const char *)&i, sizeof i}) != i)
            return mgl_fail_memory(err);
    return MGL_OK;
}

static mgl_status find_history_of_rows(earlier_releases *e, const mgl_reading *reading,
                                       bound *bounds, mgl_error *err)
{
    const mgl_table *table = reading->table;
    uint32_t *key = mgl_arena_alloc(e->arena, e->n * sizeof *key);
    mgl_map *together = mgl_map_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(key != NULL && together != NULL, err));
    for (size_t row = 0; row < table->n_rows; row++) {
        uint64_t times = table->times != NULL ? table->times[row] : 1;
        for (size_t i = 0; i < e->n; i++) {
            key[i] = history_of_row(&bounds[i], row, times);
            if (key[i] == MGL_NOT_FOUND)
                MGL_GO(refuse(&bounds[i], err));
        }
        uint32_t history = mgl_map_add(together, (mgl_span){(const char *)key, e->n * sizeof *key});
        MGL_GO(history == MGL_NOT_FOUND ? mgl_fail_memory(err)
                                        : set_code(&e->columns->columns[0], row, history, err));
    }
    e->n_histories = mgl_map_size(together);
    for (size_t i = 0; i < e->n; i++)
        MGL_GO(check_counts(&bounds[i], err));
    MGL_GO(fill_dictionary(&e->columns->columns[0], e->n_histories, err));
done:
    mgl_map_free(together);
    return status;
}

/* History and value of each row as one code. Codes of one history lie side by side, in the order of
 * the values. */
static mgl_status pair_with(earlier_releases *e, const mgl_reading *reading, size_t s,
                            mgl_error *err)
{
    size_t n_rows = reading->table->n_rows;
    const mgl_column *sensitive = reading->counted[s], *histories = &e->columns->columns[0];
    mgl_column *column = &e->columns->columns[1 + s];
    uint64_t *pairs = mgl_alloc_array(n_rows, sizeof *pairs);
    MGL_TRY(mgl_check_memory(pairs != NULL, err));
    for (size_t row = 0; row < n_rows; row++)
        pairs[row] =
            (uint64_t)mgl_column_code(histories, row) << 32 | mgl_column_code(sensitive, row);
    size_t n = mgl_sort_unique_u64(pairs, n_rows);
    uint32_t *first = mgl_arena_alloc(e->arena, ((size_t)e->n_histories + 1) * sizeof *first);
    uint32_t *meaning = mgl_arena_alloc(e->arena, n * sizeof *meaning);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(first != NULL && meaning != NULL, err));
    size_t history = 0;
    for (size_t i = 0; i < n; i++) {
        for (; history <= pairs[i] >> 32; history++)
            first[history] = (uint32_t)i;
        meaning[i] = (uint32_t)pairs[i];
    }
    for (; history <= e->n_histories; history++)
        first[history] = (uint32_t)n;
    for (size_t row = 0; row < n_rows; row++) {
        uint64_t pair =
            (uint64_t)mgl_column_code(histories, row) << 32 | mgl_column_code(sensitive, row);
        uint32_t low = 0, high = (uint32_t)n;
        MGL_BISECT(low, high, i, pairs[i] < pair)
        MGL_GO(set_code(column, row, low, err));
    }
    MGL_GO(fill_dictionary(column, (uint32_t)n, err));
    e->first[s] = first;
    e->meaning[s] = meaning;
done:
    mgl_free(pairs);
    return status;
}

static void free_histories(void *object)
{
    earlier_releases *e = object;
    mgl_free(e->saved);
    mgl_table_free(e->columns);
    mgl_arena_free(e->arena);
    mgl_free(e);
}

static const mgl_cache_kind cached_histories = {free_histories, 2};

static mgl_status find_histories_in(earlier_releases *e, const mgl_reading *reading, mgl_error *err)
{
    bound *bounds = mgl_arena_alloc(e->arena, e->n * sizeof *bounds);
    MGL_TRY(mgl_check_memory(bounds != NULL, err));
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < e->n; i++)
        bounds[i] = (bound){.saved = e->saved[i], .path = reading->settings->earlier.recodings[i]};
    for (size_t i = 0; i < e->n; i++)
        MGL_GO(bind(&bounds[i], reading, e->arena, err));
    MGL_GO(find_history_of_rows(e, reading, bounds, err));
    for (size_t s = 0; s < reading->n_sensitive; s++)
        MGL_GO(pair_with(e, reading, s, err));
done:
    for (size_t i = 0; i < e->n; i++)
        mgl_map_free(bounds[i].tuples);
    return status;
}

static mgl_status make_histories(const mgl_reading *reading, mgl_error *err, earlier_releases **out)
{
    earlier_releases *e = mgl_zeroed_array(1, sizeof *e);
    MGL_TRY(mgl_check_memory(e != NULL, err));
    e->n = reading->settings->earlier.n;
    e->saved = mgl_zeroed_array(e->n, sizeof *e->saved);
    e->arena = mgl_arena_new();
    e->columns = mgl_table_new(1 + reading->n_sensitive);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(e->saved != NULL && e->arena != NULL && e->columns != NULL, err));
    e->first = mgl_arena_alloc(e->arena, (reading->n_sensitive + 1) * sizeof *e->first);
    e->meaning = mgl_arena_alloc(e->arena, (reading->n_sensitive + 1) * sizeof *e->meaning);
    MGL_GO(mgl_check_memory(e->first != NULL && e->meaning != NULL, err));
    for (size_t i = 0; i < e->n; i++)
        e->saved[i] = history_of(reading)->recodings[i]->object;
    MGL_GO(find_histories_in(e, reading, err));
    for (size_t c = 0; c < e->columns->n_columns; c++)
        e->columns->columns[c].number = mgl_cache_number(reading->pins.cache);
    *out = e;
    e = NULL;
done:
    if (e != NULL)
        free_histories(e);
    return status;
}

/* Pasts are those of rows by the columns of the recodings, paired with the sensitive columns. */
static void write_key(const mgl_reading *reading, mgl_buffer *key)
{
    for (size_t i = 0; i < reading->settings->earlier.n; i++) {
        const mgl_saved_recoding *saved = history_of(reading)->recodings[i]->object;
        mgl_key_number(key, history_of(reading)->recodings[i]->number);
        for (size_t a = 0; a < saved->n_quasi; a++)
            mgl_key_number(key, mgl_table_column(reading->table, saved->quasi[a].name)->number);
    }
    for (size_t s = 0; s < reading->n_sensitive; s++)
        mgl_key_number(key, reading->counted[s]->number);
}

static mgl_status bind_histories(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    if (reading->settings->earlier.n == 0)
        return MGL_OK;
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    earlier_releases *fresh = NULL;
    mgl_status status = MGL_OK;
    write_key(reading, &key);
    MGL_GO(mgl_cache_find(&reading->pins, &cached_histories, &key, err, &kept));
    if (kept == NULL) {
        MGL_GO(make_histories(reading, err, &fresh));
        MGL_GO(mgl_cache_add(&reading->pins, &cached_histories, &key, fresh, err, &kept));
    }
    const earlier_releases *earlier = history_of(reading)->earlier = kept->object;
    /* Behind the sensitive ones and before the label. */
    MGL_GO(mgl_reading_judge(reading, reading->n_sensitive, earlier->columns->columns,
                             earlier->columns->n_columns, err));
done:
    mgl_buffer_free(&key);
    return status;
}

static bool needs_rows(const mgl_reading *reading)
{
    return reading->settings->earlier.n > 0;
}

static void forget(mgl_reading *reading)
{
    mgl_free(history_of(reading)->recodings);
}

/* The history of each tuple, if all its rows have the same. */
static mgl_status pose(mgl_task *task, mgl_error *err)
{
    const mgl_frequency_list *list = task->problem.list;
    if (history_of(task->reading)->earlier == NULL)
        return MGL_OK;
    const mgl_sparse *histories = &list->sensitive[task->reading->n_sensitive];
    uint32_t *of_tuple = mgl_arena_alloc(task->arena, list->n_tuples * sizeof *of_tuple);
    MGL_TRY(mgl_check_memory(of_tuple != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        if (histories->start[t + 1] - histories->start[t] != 1)
            return MGL_OK;
        of_tuple[t] = histories->values[histories->start[t]];
    }
    task->histories = task->problem.histories = of_tuple;
    return MGL_OK;
}

/* The models of the job once more, on histories. */
static mgl_status constrain(mgl_task *task, mgl_quasi_set *set, mgl_model *models, mgl_error *err)
{
    const earlier_releases *earlier = history_of(task->reading)->earlier;
    size_t n = set->n_models;
    if (earlier == NULL)
        return MGL_OK;
    mgl_joint *joints = mgl_arena_alloc(task->arena, n * sizeof *joints);
    MGL_TRY(mgl_check_memory(joints != NULL, err));
    for (size_t i = 0; i < n; i++) {
        joints[i] = (mgl_joint){.inner = &models[i],
                                .histories = task->reading->n_sensitive,
                                .by_value = task->reading->n_sensitive + 1,
                                .first = earlier->first,
                                .meaning = earlier->meaning};
        models[n + i] = mgl_model_jointly(&joints[i]);
    }
    task->n_joint = n;
    set->n_models += n;
    return MGL_OK;
}

/* Rows in classes that break a model together with earlier releases; none: no warning. */
static void warn(mgl_result *result, uint64_t rows)
{
    if (rows > 0)
        mgl_result_warn(result, "history",
                        "together with earlier releases %llu rows are in classes that break a "
                        "model",
                        (unsigned long long)rows);
}

static json_t *releases_json(const mgl_reading *reading)
{
    const earlier_releases *earlier = history_of(reading)->earlier;
    json_t *array = json_array();
    for (size_t i = 0; i < earlier->n; i++) {
        const mgl_saved_recoding *saved = earlier->saved[i];
        json_t *release = json_object(), *names = json_array();
        mgl_json_set(release, "recoding",
                     json_string(mgl_file_name(reading->settings->earlier.recodings[i])));
        mgl_json_set(release, "method", json_string(saved->method));
        for (size_t a = 0; a < saved->n_quasi; a++)
            mgl_json_append(names, json_string(saved->quasi[a].name));
        mgl_json_set(release, "quasi_identifier", names);
        mgl_json_append(array, release);
    }
    return array;
}

/* Adds the histories of one class. */
static void add_histories(const mgl_histogram *histories, uint64_t k, mgl_class_summary *summary,
                          uint64_t *below)
{
    for (size_t i = 0; i < histories->size; i++) {
        uint64_t size = histories->counts[i];
        mgl_class_summary_add(summary, size, size, 1);
        *below += size < k ? size : 0;
    }
}

/* The classes of rows that look alike in all releases, on all columns together. */
static mgl_status summarize(const mgl_outcome *outcome, mgl_error *err, mgl_class_summary *summary,
                            uint64_t *below)
{
    const mgl_problem *p = &outcome->task->problem;
    const mgl_recoding *recoding = outcome->solution->recoding;
    size_t m = p->list->n_attributes;
    mgl_classes classes = {0};
    mgl_group_maker *maker = NULL;
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(n_values != NULL, err));
    MGL_GO(mgl_classes_init(&classes, p->list->n_tuples, m, err));
    MGL_GO(mgl_group_maker_new(p->list, err, &maker));
    for (size_t a = 0; a < m; a++)
        n_values[a] = recoding->columns[a]->n_values;
    mgl_classes_group(&classes, recoding->cells, n_values, NULL, m, p->list->counts);
    mgl_classes_leave_out(p, recoding, &classes);
    mgl_group_maker_partition(maker, classes.of_tuple, classes.n_classes);
    for (size_t c = 0; c < classes.n_classes; c++)
        add_histories(&mgl_group_maker_group(maker, c)->sensitive[p->list->n_sensitive],
                      outcome->reading->settings->k, summary, below);
done:
    mgl_group_maker_free(maker);
    mgl_classes_free(&classes);
    mgl_free(n_values);
    return status;
}

static mgl_status tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    mgl_class_summary summary = {0};
    uint64_t below = 0, worst = 0;
    if (history_of(outcome->reading)->earlier == NULL)
        return MGL_OK;
    MGL_TRY(summarize(outcome, err, &summary, &below));
    for (size_t i = 0; i < mgl_task_models(outcome->task); i++)
        if (outcome->found[i].violating_rows > worst)
            worst = outcome->found[i].violating_rows;
    json_t *history = json_object();
    mgl_json_set(history, "releases", releases_json(outcome->reading));
    mgl_json_set(history, "judged",
                 json_string(settings->earlier.afterwards ? "afterwards" : "searching"));
    mgl_json_set(history, "classes", mgl_classes_json(&summary));
    mgl_json_set(history, "uniques", mgl_json_count(summary.uniques));
    mgl_json_set(history, "rows_below_k", mgl_json_count(below));
    mgl_json_set(history, "violating_rows", mgl_json_count(worst));
    mgl_json_set(history, "models",
                 mgl_models_json(outcome->reading, outcome->task, outcome->found, true));
    mgl_json_set(result->document, "history", history);
    warn(result, worst);
    return MGL_OK;
}

/* The verifier distinguishes the rows of a class by their histories. */
static mgl_status carry(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    const earlier_releases *earlier = history_of(reading)->earlier;
    return earlier == NULL ? MGL_OK
                           : mgl_plan_carry(p, &earlier->columns->columns[0], err, &p->histories);
}

static const mgl_feature_release release = {.carry = carry, .measured = tell};

static void warn_of_claimed(const mgl_claims *c, mgl_result *due)
{
    warn(due, mgl_json_whole(json_object_get(c->claimed, "history"), "violating_rows"));
}

static const mgl_claim sections[] = {
    {"history", MGL_OF_NONE,
     .shape =
         "{releases:[{recoding:s method:s quasi_identifier:a}] judged:s classes:{count:i min:i "
         "mean:n "
         "max:i} uniques:i rows_below_k:i violating_rows:i models:[{model:s promise:s parameters:o "
         "holds:b measured:N violating_rows:i violating_classes:i ?quasi_identifier:a}]}",
     .open = "history", "needs the input and the earlier recodings", .due = "job.history due"},
    {.key = NULL}};

static const char *const rules[] = {"history.judged = job.history-judged | 'searching'",
                                    "history.models.<m>.violating_rows <= history.violating_rows",
                                    "file_names(audit.job.history) = history.releases.*.recoding",
                                    NULL};

static const mgl_feature_audit audit = {
    .sections = sections, .rules = rules, .warn = warn_of_claimed};

const mgl_feature mgl_history_feature = {
    .name = "history",
    .size = sizeof(history_state),
    .release = &release,
    .audit = &audit,
    .key = "history",
    .needs_rows = needs_rows,
    .request = request_columns,
    .on = {[MGL_ON_OPEN] = open_recodings, [MGL_ON_VALUES] = bind_histories},
    .pose = pose,
    .constrain = constrain,
    .forget = forget};
