/* The leak guard where rows stay in the database: the engine counts each column that passes through
 * together with the quasi-identifier, and columns two by two, and these counts are judged as rows
 * are. Also for tables that were counted elsewhere (`guard-counts`). */
#include "pipeline/guard/guard.h"
#include "pipeline/guard/put_back.h"
#include "pipeline/task/task.h"

/* A table with the columns of the reading: quasi-identifiers, then those that models look at. */
typedef struct mgl_given_counts {
    mgl_table *table;
    const mgl_column *column; /* the further column, which passes through; NULL: none */
    const mgl_column *other;  /* a second one; NULL: none */
    const char *name, *other_name;
    uint64_t *times;
    mgl_cache_pins pins;
} mgl_given_counts;

/* ---- Counts that the job names --------------------------------------------------------------- */

static mgl_status fail_lacking(const char *location, const char *name, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_fail_key_at(err, MGL_CODE_MISMATCH, location, "guard-counts",
                        "these counts have no column \"%.60s\"; they need the "
                        "quasi-identifiers, the sensitive columns, the counts, and one "
                        "column that passes through",
                        name),
        name);
}

static mgl_status request(const mgl_source *source, const char *location, const char *name,
                          mgl_role role, mgl_error *err, mgl_column_request *out)
{
    *out = (mgl_column_request){mgl_source_find(source, name), role};
    return out->source_index == SIZE_MAX ? fail_lacking(location, name, err) : MGL_OK;
}

/* Adds the columns that are not requested yet: one, or two that were counted together. */
static mgl_status find_further(const mgl_source *source, const char *location, mgl_error *err,
                               mgl_column_request *requested, size_t *n)
{
    size_t fixed = *n;
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        size_t i = 0;
        while (i < fixed && requested[i].source_index != c)
            i++;
        if (i < fixed)
            continue;
        if (*n == fixed + 2)
            return mgl_fail_key_at(
                err, MGL_CODE_MISMATCH, location, "guard-counts",
                "these counts have three further columns, among them \"%.60s\" and "
                "\"%.60s\"; give a table of counts for each, and for two of them",
                mgl_source_column(source, requested[fixed].source_index),
                mgl_source_column(source, c));
        requested[(*n)++] = (mgl_column_request){c, MGL_ROLE_CELLS};
    }
    return MGL_OK;
}

static mgl_status request_columns(const mgl_reading *reading, const mgl_source *source,
                                  const char *location, mgl_error *err,
                                  mgl_column_request *requested, size_t *n)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(request(source, location, reading->quasi[a].settings->name, MGL_ROLE_QUASI, err,
                        &requested[(*n)++]));
    for (size_t s = 0; s < reading->n_counted; s++)
        MGL_TRY(request(source, location, reading->counted[s]->name, MGL_ROLE_CELLS, err,
                        &requested[(*n)++]));
    MGL_TRY(request(source, location, reading->settings->counted.column, MGL_ROLE_IDENTIFIER, err,
                    &requested[(*n)++]));
    return location == NULL ? MGL_OK : find_further(source, location, err, requested, n);
}

/* Its name as the job has it, which outlives the table. */
static mgl_status name_further(const mgl_reading *reading, const char *location, const char *name,
                               mgl_error *err, const char **out)
{
    const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, name);
    if (declared == NULL || declared->role != MGL_ROLE_INSENSITIVE)
        return mgl_blame_attribute(
            err,
            mgl_fail_at(err, MGL_CODE_MISMATCH, location, 0,
                        "these counts have the column \"%.60s\", which does not pass through; name "
                        "it so (`role: insensitive`), or leave it out",
                        name),
            name, "role");
    *out = declared->name;
    return MGL_OK;
}

/* location NULL: the table of the job itself. Free with given_counts_free, also on failure. */
static mgl_status given_counts_read(const mgl_reading *reading, const char *location,
                                    mgl_error *err, mgl_given_counts *out)
{
    mgl_session *session = reading->session;
    mgl_opened *opened = session->data;
    size_t fixed = reading->n_quasi + reading->n_counted + 1, n = 0;
    out->pins.cache = session->cache;
    if (location != NULL)
        MGL_TRY(mgl_session_other(session, location, reading->settings, &out->pins, err, &opened));
    mgl_column_request *requested = mgl_alloc_array(fixed + 2, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    mgl_status status = MGL_OK;
    MGL_GO(request_columns(reading, opened->source, location, err, requested, &n));
    mgl_table_order order = {.opened = opened,
                             .requested = requested,
                             .n_requested = n,
                             .mode = MGL_BY_COLUMN,
                             .settings = reading->settings,
                             .pins = &out->pins};
    MGL_GO(mgl_session_table(session, &order, err, &out->table));
    MGL_GO(
        mgl_column_as_times(&out->table->columns[fixed - 1], out->table->n_rows, err, &out->times));
    out->table->times = out->times;
    if (n > fixed) {
        out->column = &out->table->columns[fixed];
        MGL_GO(name_further(reading, location,
                            mgl_source_column(opened->source, requested[fixed].source_index), err,
                            &out->name));
    }
    if (n > fixed + 1) {
        out->other = &out->table->columns[fixed + 1];
        MGL_GO(name_further(reading, location,
                            mgl_source_column(opened->source, requested[fixed + 1].source_index),
                            err, &out->other_name));
    }
done:
    mgl_free(requested);
    return status;
}

/* Fails unless it has the records that were searched: as many of every tuple. tuples: [rows]. */
static mgl_status given_counts_agree(const mgl_given_counts *counts, const mgl_frequency_list *list,
                                     const uint32_t *tuples, const char *location, mgl_error *err)
{
    uint64_t *left = mgl_alloc_array(list->n_tuples, sizeof *left);
    MGL_TRY(mgl_check_memory(left != NULL, err));
    memcpy(left, list->counts, list->n_tuples * sizeof *left);
    bool agree = true;
    for (size_t row = 0; row < counts->table->n_rows; row++) {
        agree = agree && counts->times[row] <= left[tuples[row]];
        left[tuples[row]] -= counts->times[row];
    }
    for (size_t tuple = 0; tuple < list->n_tuples; tuple++)
        agree = agree && left[tuple] == 0;
    mgl_free(left);
    if (agree)
        return MGL_OK;
    return mgl_fail_key_at(err, MGL_CODE_CHANGED, location, "guard-counts",
                           "these counts are not of the records that were searched: the "
                           "table was changed while it was counted; count again when "
                           "nothing writes to it");
}

/* Groups of a column that are held at a time, by what one takes, about: of more of them a sample is
 * fetched, and pairs are not tested. */
#define MOST_BYTES ((uint64_t)512 << 20)
enum { GROUP_BYTES = 128, FEWEST_GROUPS = 1000 };

typedef struct counting_guard {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    mgl_generalized *generalized;
    mgl_recovery_rule rule;
    uint64_t n_rows, most_groups; /* of the release; that are fetched at a time */
    mgl_objections *objections;
    mgl_fetched_groups *groups;
    const char **names; /* of columns that pass through: sensitive and others */
    size_t n_names, n_paired;
    bool *given; /* [n_names * n_names] counts of both columns were given; NULL: an engine counts */
} counting_guard;

static bool is_paired(const counting_guard *g, const char *name)
{
    for (size_t i = 0; i < g->n_paired; i++)
        if (strcmp(g->names[i], name) == 0)
            return true;
    return false;
}

/* One column that passes through, or two. */
typedef struct passed {
    size_t columns[2]; /* of the source */
    size_t n;
} passed;

/* ---- Counts -------------------------------------------------------------------------------- */

/* Counts of the quasi-identifier, of what models look at, and of columns, taken together. They are
 * bound to the hierarchies of the table that was searched, and have its codes. */
typedef struct together {
    mgl_table *table;
    unsigned level;             /* one group in 2^level is among them */
    mgl_given_counts given;     /* where it was counted elsewhere: the owner of the table */
    mgl_bound_column *bound;    /* [n_quasi] */
    mgl_column *recoded;        /* [n_counted] */
    const mgl_column **counted; /* [n_counted] */
    const mgl_column *columns[2];
    mgl_tuple_finder *finder;
    uint32_t *tuples; /* [group] */
} together;

static void free_together(together *t, size_t n)
{
    for (size_t a = 0; t->bound != NULL && a < n; a++)
        mgl_free((void *)t->bound[a].leaf_of_code);
    mgl_free(t->bound);
    mgl_free(t->recoded);
    mgl_free(t->counted);
    mgl_free(t->tuples);
    mgl_tuple_finder_free(t->finder);
    if (t->given.table == NULL)
        mgl_table_free(t->table);
    mgl_table_free(t->given.table);
    mgl_free(t->given.times);
    mgl_cache_unpin(&t->given.pins);
}

/* The columns that are counted together, and where those that pass through are among them: one that
 * models look at is there already. Free the requests with mgl_free. */
static mgl_status request_together(const mgl_reading *reading, const passed *p, mgl_error *err,
                                   mgl_column_request **out, size_t *n_out, size_t places[2])
{
    size_t n = 0;
    mgl_column_request *requested =
        mgl_alloc_array(reading->n_quasi + reading->n_counted + p->n, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        requested[n++] =
            (mgl_column_request){reading->quasi[a].column->source_index, MGL_ROLE_QUASI};
    for (size_t s = 0; s < reading->n_counted; s++)
        requested[n++] = (mgl_column_request){reading->counted[s]->source_index, MGL_ROLE_CELLS};
    for (size_t i = 0; i < p->n; i++) {
        size_t place = reading->n_quasi;
        while (place < n && requested[place].source_index != p->columns[i])
            place++;
        if (place == n)
            requested[n++] = (mgl_column_request){p->columns[i], MGL_ROLE_CELLS};
        places[i] = place;
    }
    *out = requested;
    *n_out = n;
    return MGL_OK;
}

static mgl_status count_columns(const counting_guard *g, const passed *p, mgl_error *err,
                                together *t)
{
    const mgl_reading *reading = g->reading;
    mgl_column_request *requested;
    size_t n, places[2] = {0};
    MGL_TRY(request_together(reading, p, err, &requested, &n, places));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_source_count_some(reading->source, requested, n, t->level,
                                 &reading->settings->progress, err, &t->table));
    for (size_t i = 0; i < p->n; i++)
        t->columns[i] = &t->table->columns[places[i]];
    mgl_fetched_groups_add(g->groups, t->table);
done:
    mgl_free(requested);
    return status;
}

static mgl_status bind_quasi(const counting_guard *g, together *t, mgl_error *err)
{
    for (size_t a = 0; a < g->reading->n_quasi; a++) {
        const mgl_column *counted = &t->table->columns[a];
        const mgl_hierarchy *hierarchy = g->reading->quasi[a].hierarchy;
        uint32_t *leaves =
            mgl_alloc_array(mgl_dictionary_size(counted->dictionary), sizeof *leaves);
        MGL_TRY(mgl_check_memory(leaves != NULL, err));
        t->bound[a] = (mgl_bound_column){counted, hierarchy, leaves};
        MGL_TRY(mgl_hierarchy_bind(hierarchy, counted->name, counted->dictionary, err, leaves));
    }
    return MGL_OK;
}

static mgl_status fail_changed(const counting_guard *g, mgl_error *err)
{
    /* happens only where an engine has no transactions */
    return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(g->reading->source), 0,
                       "the table was changed while it was counted; run again when nothing writes "
                       "to it");
}

/* Makes a column with the codes of the one that facts were gathered from. */
static mgl_status recode(const counting_guard *g, const mgl_column *from, const mgl_column *like,
                         const together *t, mgl_error *err, mgl_column *out)
{
    const mgl_source_options *options = &g->reading->settings->source;
    uint32_t n = mgl_dictionary_size(from->dictionary);
    uint32_t *codes = mgl_alloc_array(n, sizeof *codes);
    *out = *from;
    out->width = 4;
    out->codes = mgl_alloc_array(t->table->n_rows, 4);
    bool whole = codes != NULL && out->codes != NULL, known = true;
    for (uint32_t code = 0; whole && code < n; code++) {
        mgl_span value = mgl_dictionary_value(from->dictionary, code);
        codes[code] = mgl_spans_have(options->missing, options->n_missing, value)
                          ? mgl_dictionary_missing(like->dictionary)
                          : mgl_dictionary_find(like->dictionary, value);
        known = known && codes[code] != MGL_NOT_FOUND;
    }
    for (size_t row = 0; whole && known && row < t->table->n_rows; row++)
        mgl_column_set(out, row, codes[mgl_column_code(from, row)]);
    mgl_free(codes);
    out->dictionary = like->dictionary;
    MGL_TRY(mgl_check_memory(whole, err));
    return known ? MGL_OK : fail_changed(g, err);
}

/* Models look at values, whatever their spelling. */
static mgl_status take_values(const mgl_reading *reading, size_t s, size_t n_rows, mgl_error *err,
                              mgl_column *column)
{
    const mgl_source_options *source = &reading->settings->source;
    mgl_values values = {0};
    MGL_TRY(mgl_values_find(column->dictionary, &reading->cells[s].rule, source->missing,
                            source->n_missing, err, &values));
    for (size_t row = 0; values.of_code != NULL && row < n_rows; row++)
        mgl_column_set(column, row, values.of_code[mgl_column_code(column, row)]);
    column->dictionary = reading->counted[s]->dictionary;
    mgl_values_free(&values);
    return MGL_OK;
}

static mgl_status bind_counted(const counting_guard *g, together *t, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    for (size_t s = 0; s < reading->n_counted; s++) {
        t->counted[s] = &t->recoded[s];
        const mgl_column *like =
            s < reading->n_sensitive ? reading->cells[s].column : reading->counted[s];
        MGL_TRY(recode(g, &t->table->columns[reading->n_quasi + s], like, t, err, &t->recoded[s]));
        if (like != reading->counted[s])
            MGL_TRY(take_values(reading, s, t->table->n_rows, err, &t->recoded[s]));
    }
    return MGL_OK;
}

static mgl_status find_tuples(const counting_guard *g, together *t, mgl_error *err)
{
    MGL_TRY(mgl_tuple_finder_new(g->task->problem.list, t->bound, err, &t->finder));
    MGL_TRY(mgl_new_array(t->table->n_rows, sizeof *t->tuples, err, &t->tuples));
    mgl_tuple_find(t->finder, 0, t->table->n_rows, t->tuples);
    for (size_t row = 0; row < t->table->n_rows; row++)
        if (t->tuples[row] == MGL_NOT_FOUND)
            return fail_changed(g, err);
    return MGL_OK;
}

static mgl_status make_room(const mgl_reading *reading, together *t, mgl_error *err)
{
    t->bound = mgl_zeroed_array(reading->n_quasi, sizeof *t->bound);
    t->recoded = mgl_zeroed_array(reading->n_counted, sizeof *t->recoded);
    t->counted = mgl_zeroed_array(reading->n_counted, sizeof *t->counted);
    return t->bound == NULL || t->recoded == NULL || t->counted == NULL ? mgl_fail_memory(err)
                                                                        : MGL_OK;
}

static mgl_status count_together(const counting_guard *g, const passed *p, mgl_error *err,
                                 together *t)
{
    MGL_TRY(make_room(g->reading, t, err));
    MGL_TRY(count_columns(g, p, err, t));
    MGL_TRY(bind_quasi(g, t, err));
    return find_tuples(g, t, err);
}

static bool is_left_out(const counting_guard *g, const together *t, size_t row)
{
    return g->reading->settings->treatment == MGL_DROP &&
           g->solution->recoding->suppressed[t->tuples[row]];
}

/* ---- What a column is ---------------------------------------------------------------------- */

/* The rows of one of the columns that are released, or those that are left out. Free with
 * mgl_recovery_free. */
static mgl_status watch_rows(const counting_guard *g, const together *t, const mgl_column *column,
                             bool left_out, mgl_error *err, mgl_recovery **out)
{
    mgl_recovery *recovery;
    MGL_TRY(mgl_recovery_new(g->generalized, err, &recovery));
    for (size_t row = 0; row < t->table->n_rows; row++) {
        uint32_t code = mgl_column_code(column, row);
        if (is_left_out(g, t, row) != left_out ||
            mgl_recovery_watch(recovery, mgl_dictionary_value(column->dictionary, code),
                               t->tuples[row], t->table->times[row], MGL_ROW_IS_PERSON))
            continue;
        mgl_recovery_free(recovery);
        return mgl_fail_memory(err);
    }
    *out = recovery;
    return MGL_OK;
}

static mgl_status watch(const counting_guard *g, const together *t, const mgl_column *column,
                        mgl_error *err, mgl_recovery **out)
{
    return watch_rows(g, t, column, false, err, out);
}

/* sampled: what the engine returned of the release; NULL: all groups are there. */
static mgl_status judge_values(const counting_guard *g, const together *t, const mgl_column *values,
                               const mgl_guarded_column *column, const mgl_recovery *recovery,
                               const mgl_value_counts *sampled, mgl_error *err)
{
    const mgl_source_options *options = &g->reading->settings->source;
    mgl_missing_hashes missing = mgl_hash_missing(options->missing, options->n_missing);
    mgl_recovery *left_out = NULL;
    mgl_profile profile;
    mgl_status status = MGL_OK;
    MGL_GO(watch_rows(g, t, values, true, err, &left_out));
    MGL_GO(mgl_recovery_profile(recovery, left_out, column->name, &missing, err, &profile));
    if (sampled != NULL) {
        profile.rows = g->n_rows;
        profile.missing = 0;
        profile.distinct = sampled->distinct;
        profile.alone = sampled->unique;
        mgl_profile_end(&profile);
    }
    mgl_guard_judge_profile(column, &profile, g->objections);
done:
    mgl_recovery_free(left_out);
    return status;
}

/* ---- What columns give back ---------------------------------------------------------------- */

static mgl_status judge_harm(const counting_guard *g, const mgl_giving *giving, together *t,
                             mgl_error *err)
{
    mgl_given_rows rows = {.quasi = t->bound,
                           .counted = t->counted,
                           .n_rows = t->table->n_rows,
                           .times = t->table->times};
    size_t n_put = mgl_generalized_count(g->generalized);
    uint32_t *put = mgl_alloc_array(rows.n_rows, n_put * sizeof *put);
    for (size_t row = 0, next = 0; put != NULL && row < rows.n_rows; row++) {
        bool left_out = is_left_out(g, t, row);
        mgl_guess_of_row(giving, left_out ? MGL_NO_ROW : next, n_put, put + row * n_put);
        next += !left_out;
    }
    mgl_status status = MGL_OK;
    MGL_GO(put == NULL ? mgl_fail_memory(err) : bind_counted(g, t, err));
    mgl_broken broken = {0};
    mgl_given_cells given = {g->generalized, &rows, put, {giving->columns[0], giving->columns[1]}};
    MGL_GO(mgl_put_back(g->task, g->solution, &given, err, &broken));
    mgl_report_given_back(g->task, giving, g->generalized, &broken, g->objections);
done:
    for (size_t s = 0; s < g->reading->n_counted; s++) {
        mgl_free(t->recoded[s].codes);
        t->recoded[s].codes = NULL;
    }
    mgl_free(put);
    return status;
}

static mgl_status judge_recovery(const counting_guard *g, size_t column, const char *name,
                                 together *t, mgl_recovery *recovery, mgl_error *err)
{
    MGL_TRY(mgl_recovery_judge(recovery, &g->rule, err));
    if (!mgl_recovery_any_real(recovery))
        return MGL_OK;
    mgl_giving giving = {{name, NULL}, {column, SIZE_MAX}, recovery};
    return judge_harm(g, &giving, t, err);
}

/* The second column, which was counted together with the first one. */
static mgl_status judge_two(const counting_guard *g, const mgl_giving *two, together *t,
                            const mgl_recovery *one, const mgl_column *column, mgl_error *err)
{
    mgl_recovery *other = NULL, *both = NULL;
    mgl_pair_test test;
    mgl_status status = MGL_OK;
    MGL_GO(watch(g, t, column, err, &other));
    MGL_GO(mgl_recovery_of_two(one, other, &g->rule, err, &both, &test));
    mgl_guard_count_pair(g->objections, two->names[0], two->names[1], test);
    if (both != NULL) {
        mgl_giving giving = *two;
        giving.recovery = both;
        MGL_GO(judge_harm(g, &giving, t, err));
    }
done:
    mgl_recovery_free(both);
    mgl_recovery_free(other);
    return status;
}

/* The column together with each sensitive one: with those behind it if it is sensitive itself,
 * number `s` of them (SIZE_MAX: it is not). */
static mgl_status judge_with_sensitive(const counting_guard *g, size_t column, const char *name,
                                       size_t s, together *t, const mgl_recovery *recovery,
                                       mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    for (size_t i = s == SIZE_MAX ? 0 : s + 1; i < reading->n_sensitive; i++) {
        size_t other = reading->counted[i]->source_index;
        mgl_giving two = {{name, mgl_source_column(reading->source, other)}, {column, other}, NULL};
        if (is_paired(g, name) && is_paired(g, two.names[1]))
            MGL_TRY(judge_two(g, &two, t, recovery, &t->table->columns[reading->n_quasi + i], err));
    }
    return MGL_OK;
}

/* ---- All ----------------------------------------------------------------------------------- */

/* Would more groups be fetched than there is room for? Those of few values are not asked for. out:
 * by how often their number must be halved. */
static mgl_status find_level(const counting_guard *g, const passed *p, mgl_error *err,
                             mgl_value_counts *counts, unsigned *out)
{
    const mgl_reading *reading = g->reading;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    mgl_column_request *requested = NULL;
    size_t *wanted = NULL, n, places[2];
    uint64_t groups;
    mgl_status status = MGL_OK;
    *out = 0;
    if (g->n_rows <= g->most_groups) /* of fewer rows there are fewer groups: no need to ask */
        return MGL_OK;
    if (p->n == 1)
        MGL_TRY(push->ask_values(reading->source, p->columns[0], err, counts));
    if (p->n == 1 && counts->distinct <= g->most_groups / g->task->problem.list->n_tuples)
        return MGL_OK;
    MGL_TRY(request_together(reading, p, err, &requested, &n, places));
    wanted = mgl_alloc_array(n, sizeof *wanted);
    MGL_GO(mgl_check_memory(wanted != NULL, err));
    for (size_t i = 0; i < n; i++)
        wanted[i] = requested[i].source_index;
    MGL_GO(push->ask_groups(reading->source, wanted, n, err, &groups));
    while (groups >> *out > g->most_groups)
        (*out)++;
done:
    mgl_free(wanted);
    mgl_free(requested);
    return status;
}

static mgl_status judge_counted(const counting_guard *g, size_t c, const char *name, together *t,
                                mgl_recovery *recovery, mgl_error *err)
{
    size_t s = mgl_sensitive_number(g->reading, c);
    if (mgl_generalized_count(g->generalized) == 0)
        return MGL_OK;
    MGL_TRY(judge_recovery(g, c, name, t, recovery, err));
    return judge_with_sensitive(g, c, name, s, t, recovery, err);
}

/* What a column, or two, give back: all groups decide. */
static mgl_status judge_given_back(const counting_guard *g, const passed *p, mgl_error *err)
{
    const mgl_source *source = g->reading->source;
    together t = {0};
    mgl_recovery *recovery = NULL;
    mgl_giving two = {
        {mgl_source_column(source, p->columns[0]), NULL}, {p->columns[0], p->columns[1]}, NULL};
    mgl_status status = MGL_OK;
    MGL_GO(count_together(g, p, err, &t));
    MGL_GO(watch(g, &t, t.columns[0], err, &recovery));
    if (p->n == 1) {
        MGL_GO(judge_recovery(g, p->columns[0], two.names[0], &t, recovery, err));
    } else {
        two.names[1] = mgl_source_column(source, p->columns[1]);
        g->objections->n_pairs--; /* it was counted where it became suspect */
        MGL_GO(judge_two(g, &two, &t, recovery, t.columns[1], err));
    }
done:
    mgl_recovery_free(recovery);
    free_together(&t, g->reading->n_quasi);
    return status;
}

/* level: of a sample, which is judged less strictly and makes the column suspect, or not; 0: all
 * groups, which decide. */
static mgl_status judge_at_level(const counting_guard *g, size_t c, unsigned level,
                                 const mgl_value_counts *counts, mgl_error *err, bool *suspect)
{
    const char *name = mgl_source_column(g->reading->source, c);
    const mgl_attribute_settings *declared = mgl_settings_attribute(g->reading->settings, name);
    bool open = g->reading->roles[c] == MGL_ROLE_INSENSITIVE &&
                (declared == NULL || declared->role != MGL_ROLE_QUASI);
    mgl_guarded_column column = (mgl_guarded_column){
        .name = name, .open = open, .unnamed = mgl_is_unnamed(g->reading->settings, name)};
    mgl_recovery *recovery = NULL;
    together t = {.level = level};
    mgl_status status = MGL_OK;
    MGL_GO(count_together(g, &(passed){{c}, 1}, err, &t));
    MGL_GO(watch(g, &t, t.columns[0], err, &recovery));
    MGL_GO(judge_values(g, &t, t.columns[0], &column, recovery, level > 0 ? counts : NULL, err));
    if (level == 0) {
        MGL_GO(judge_counted(g, c, column.name, &t, recovery, err));
    } else if (mgl_generalized_count(g->generalized) > 0) {
        MGL_GO(mgl_recovery_judge(recovery, &mgl_rule_of_samples, err));
        *suspect = mgl_recovery_any_real(recovery);
    }
done:
    mgl_recovery_free(recovery);
    free_together(&t, g->reading->n_quasi);
    return status;
}

/* sampled: not all of its groups fit, and pairs with it are not tested. */
static mgl_status judge_column(const counting_guard *g, size_t c, mgl_error *err, bool *sampled)
{
    const char *name = mgl_source_column(g->reading->source, c);
    mgl_value_counts counts = {0};
    unsigned level;
    bool suspect = false;
    MGL_TRY(find_level(g, &(passed){{c}, 1}, err, &counts, &level));
    *sampled = level > 0;
    mgl_objections_judged_by(g->objections, name, *sampled ? "sample" : "counts");
    if (*sampled && g->n_paired > 1)
        mgl_objections_leave_out(g->objections, name, NULL, mgl_too_many_combinations);
    MGL_TRY(judge_at_level(g, c, level, &counts, err, &suspect));
    return suspect ? judge_given_back(g, &(passed){{c, SIZE_MAX}, 1}, err) : MGL_OK;
}

/* Two columns that are not sensitive: the engine counts them together. */
static mgl_status judge_pair(const counting_guard *g, size_t one, size_t other, mgl_error *err)
{
    const mgl_source *source = g->reading->source;
    passed p = {{one, other}, 2};
    mgl_giving two = {
        {mgl_source_column(source, one), mgl_source_column(source, other)}, {one, other}, NULL};
    mgl_value_counts counts;
    mgl_recovery *recovery = NULL;
    unsigned level;
    together t = {0};
    mgl_status status = MGL_OK;
    if (mgl_is_late(&g->rule)) {
        mgl_guard_count_pair(g->objections, two.names[0], two.names[1], MGL_PAIR_TOO_LATE);
        return MGL_OK;
    }
    MGL_GO(find_level(g, &p, err, &counts, &level));
    if (level > 0) {
        mgl_guard_count_pair(g->objections, two.names[0], two.names[1], MGL_PAIR_TOO_MANY);
        return MGL_OK;
    }
    MGL_GO(count_together(g, &p, err, &t));
    MGL_GO(watch(g, &t, t.columns[0], err, &recovery));
    MGL_GO(judge_two(g, &two, &t, recovery, t.columns[1], err));
done:
    mgl_recovery_free(recovery);
    free_together(&t, g->reading->n_quasi);
    return status;
}

static bool is_counted_apart(const counting_guard *g, size_t c, const bool *sampled)
{
    const mgl_reading *reading = g->reading;
    return mgl_role_passes(reading->roles[c]) && !sampled[c] &&
           mgl_sensitive_number(reading, c) == SIZE_MAX &&
           is_paired(g, mgl_source_column(reading->source, c));
}

static mgl_status judge_pairs(const counting_guard *g, const bool *sampled, mgl_error *err)
{
    size_t n = mgl_source_columns(g->reading->source);
    if (mgl_generalized_count(g->generalized) == 0)
        return MGL_OK;
    for (size_t one = 0; one < n; one++)
        for (size_t other = one + 1; is_counted_apart(g, one, sampled) && other < n; other++)
            if (is_counted_apart(g, other, sampled))
                MGL_TRY(judge_pair(g, one, other, err));
    return MGL_OK;
}

/* Those that pass through, in the order of the table. Free the names with mgl_free. */
static mgl_status list_passed(counting_guard *g, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = mgl_source_columns(reading->source);
    MGL_TRY(mgl_new_array(n, sizeof *g->names, err, &g->names));
    for (size_t c = 0; c < n; c++)
        if (mgl_role_passes(reading->roles[c]))
            g->names[g->n_names++] = mgl_source_column(reading->source, c);
    g->rule = mgl_guard_rule(g->task, g->generalized, g->n_names);
    return MGL_OK;
}

static mgl_status judge_columns(counting_guard *g, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    size_t n = mgl_source_columns(reading->source);
    bool *sampled = mgl_zeroed_array(n, sizeof *sampled);
    mgl_status status = MGL_OK;
    MGL_GO(sampled == NULL ? mgl_fail_memory(err) : list_passed(g, err));
    if (mgl_generalized_count(g->generalized) > 0)
        g->n_paired = mgl_guard_paired(g->names, g->n_names, g->objections);
    for (size_t c = 0; c < n; c++)
        if (mgl_role_passes(reading->roles[c]))
            MGL_GO(judge_column(g, c, err, &sampled[c]));
    MGL_GO(judge_pairs(g, sampled, err));
done:
    mgl_free(sampled);
    return status;
}

/* What concerns released values alone needs no rows. */
static mgl_status judge_released(const counting_guard *g, mgl_error *err)
{
    mgl_guarding *guarding;
    MGL_TRY(mgl_guarding_new(g->task, g->reading, g->solution, NULL, err, &guarding));
    mgl_status status = mgl_guarding_judge_released(guarding, err, g->objections);
    mgl_guarding_free(guarding);
    return status;
}

static uint64_t most_groups(const mgl_settings *settings)
{
    uint64_t memory = settings->limits.memory, room = MOST_BYTES;
    if (memory > 0 && memory / 4 < room)
        room = memory / 4;
    return room / GROUP_BYTES > FEWEST_GROUPS ? room / GROUP_BYTES : FEWEST_GROUPS;
}

mgl_status mgl_guard_by_counts(const mgl_task *task, const mgl_reading *reading,
                               const mgl_solution *solution, uint64_t n_rows, mgl_error *err,
                               mgl_objections *objections, mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .n_rows = n_rows,
                        .most_groups = most_groups(reading->settings),
                        .objections = objections,
                        .groups = groups};
    MGL_TRY(judge_released(&g, err));
    MGL_TRY(mgl_generalized_new(task->problem.list, solution->recoding,
                                reading->settings->treatment == MGL_DROP, reading->pool, err,
                                &g.generalized));
    mgl_status status = judge_columns(&g, err);
    mgl_generalized_free(g.generalized);
    mgl_free(g.names);
    return status == MGL_OK && objections->out_of_memory ? mgl_fail_memory(err) : status;
}

mgl_status mgl_given_back_by_counts(const mgl_task *task, const mgl_reading *reading,
                                    const mgl_solution *solution, const mgl_suspects *suspects,
                                    mgl_error *err, mgl_objections *objections,
                                    mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .objections = objections,
                        .groups = groups};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_generalized_new(task->problem.list, solution->recoding,
                               reading->settings->treatment == MGL_DROP, reading->pool, err,
                               &g.generalized));
    MGL_GO(list_passed(&g, err));
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (suspects->columns[c])
            MGL_GO(judge_given_back(&g, &(passed){{c, SIZE_MAX}, 1}, err));
    for (size_t p = 0; p < suspects->n_pairs; p++) {
        const size_t *columns = suspects->pairs[p].columns;
        MGL_GO(judge_given_back(&g, &(passed){{columns[0], columns[1]}, 2}, err));
    }
done:
    mgl_generalized_free(g.generalized);
    mgl_free(g.names);
    return status;
}

/* ---- Counts that were made elsewhere --------------------------------------------------------- */

static size_t name_number(const counting_guard *g, const char *name)
{
    size_t i = 0;
    while (strcmp(g->names[i], name) != 0)
        i++;
    return i;
}

static void note_given(const counting_guard *g, const char *one, const char *other)
{
    size_t a = name_number(g, one), b = name_number(g, other);
    g->given[a * g->n_names + b] = g->given[b * g->n_names + a] = true;
}

static mgl_status judge_given_column(const counting_guard *g, together *t,
                                     const mgl_guarded_column *column, size_t source_column,
                                     const mgl_column *values, mgl_error *err)
{
    mgl_recovery *recovery = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(watch(g, t, values, err, &recovery));
    MGL_GO(judge_values(g, t, values, column, recovery, NULL, err));
    mgl_objections_judged_by(g->objections, column->name, "counts");
    if (mgl_recovery_values(recovery) <= 1) {
        /* A column of one value adds nothing to another. */
        for (size_t i = 0; i < g->n_names; i++)
            note_given(g, column->name, g->names[i]);
    }
    for (size_t s = 0; s < g->reading->n_sensitive; s++) /* they are counted with each column */
        note_given(g, column->name, g->names[s]);
    MGL_GO(judge_counted(g, source_column, column->name, t, recovery, err));
done:
    mgl_recovery_free(recovery);
    return status;
}

static mgl_status judge_given_pair(const counting_guard *g, together *t, mgl_error *err)
{
    mgl_recovery *recovery = NULL;
    mgl_giving two = {{t->given.name, t->given.other_name}, {SIZE_MAX, SIZE_MAX}, NULL};
    mgl_status status = MGL_OK;
    if (mgl_generalized_count(g->generalized) == 0 || !is_paired(g, two.names[0]) ||
        !is_paired(g, two.names[1]))
        return MGL_OK;
    note_given(g, two.names[0], two.names[1]);
    MGL_GO(watch(g, t, t->given.column, err, &recovery));
    MGL_GO(judge_two(g, &two, t, recovery, t->given.other, err));
done:
    mgl_recovery_free(recovery);
    return status;
}

/* The job's own table shows sensitive columns, a further one about the column that it has
 * besides, or about two of them together. */
static mgl_status judge_given_table(const counting_guard *g, together *t, bool sensitive,
                                    mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    for (size_t s = 0; sensitive && s < reading->n_sensitive; s++) {
        size_t column = reading->counted[s]->source_index;
        mgl_guarded_column judged = {.name = mgl_source_column(reading->source, column)};
        MGL_TRY(judge_given_column(g, t, &judged, column, &t->table->columns[reading->n_quasi + s],
                                   err));
    }
    if (sensitive || t->given.column == NULL)
        return MGL_OK;
    if (t->given.other != NULL)
        return judge_given_pair(g, t, err);
    mgl_guarded_column judged = {.name = t->given.name, .open = true};
    return judge_given_column(g, t, &judged, SIZE_MAX, t->given.column, err);
}

/* A table of counts, or the job's own (location NULL), which shows sensitive columns. */
static mgl_status judge_location(const counting_guard *g, const char *location, mgl_error *err)
{
    together t = {0};
    mgl_status status = MGL_OK;
    MGL_GO(make_room(g->reading, &t, err));
    MGL_GO(given_counts_read(g->reading, location, err, &t.given));
    t.table = t.given.table;
    MGL_GO(bind_quasi(g, &t, err));
    MGL_GO(find_tuples(g, &t, err));
    MGL_GO(given_counts_agree(&t.given, g->task->problem.list, t.tuples, location, err));
    mgl_fetched_groups_add(g->groups, t.table);
    MGL_GO(judge_given_table(g, &t, location == NULL, err));
done:
    free_together(&t, g->reading->n_quasi);
    return status;
}

/* Sensitive columns, then those that the job passes through. */
static mgl_status list_given(counting_guard *g, mgl_error *err)
{
    const mgl_reading *reading = g->reading;
    const mgl_settings *settings = reading->settings;
    MGL_TRY(mgl_new_array(reading->n_sensitive + settings->n_attributes, sizeof *g->names, err,
                          &g->names));
    for (size_t s = 0; s < reading->n_sensitive; s++)
        g->names[g->n_names++] =
            mgl_source_column(reading->source, reading->counted[s]->source_index);
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].role == MGL_ROLE_INSENSITIVE)
            g->names[g->n_names++] = settings->attributes[i].name;
    g->given = mgl_zeroed_array(g->n_names * g->n_names, sizeof *g->given);
    return g->given == NULL ? mgl_fail_memory(err) : MGL_OK;
}

mgl_status mgl_guard_by_given_counts(const mgl_task *task, const mgl_reading *reading,
                                     const mgl_solution *solution, mgl_error *err,
                                     mgl_objections *objections, mgl_fetched_groups *groups)
{
    counting_guard g = {.task = task,
                        .reading = reading,
                        .solution = solution,
                        .objections = objections,
                        .groups = groups};
    const mgl_settings *settings = reading->settings;
    mgl_status status = MGL_OK;
    MGL_GO(list_given(&g, err));
    MGL_GO(mgl_generalized_new(task->problem.list, solution->recoding,
                               settings->treatment == MGL_DROP, reading->pool, err,
                               &g.generalized));
    g.rule = mgl_guard_rule(task, g.generalized, g.n_names);
    if (mgl_generalized_count(g.generalized) > 0)
        g.n_paired = mgl_guard_paired(g.names, g.n_names, objections);
    if (reading->n_sensitive > 0)
        MGL_GO(judge_location(&g, NULL, err));
    for (size_t i = 0; i < settings->counted.n_for_guard; i++)
        MGL_GO(judge_location(&g, settings->counted.for_guard[i], err));
    /* Both columns must have been counted together. */
    for (size_t one = 0; one < g.n_paired; one++)
        for (size_t other = one + 1; other < g.n_paired; other++)
            if (!g.given[one * g.n_names + other])
                mgl_objections_leave_out(g.objections, g.names[one], g.names[other], mgl_no_counts);
    MGL_GO(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_generalized_free(g.generalized);
    mgl_free(g.names);
    mgl_free(g.given);
    return status;
}
