/* Compares what a result says of single columns with the job and with the cells of the file: their
 * roles, and those that are treated, that follow quasi-identifiers, that are aggregated, or that
 * have sets of items. */
#include "command/audit/claims.h"
#include "feature/feature.h"

/* ---- Which columns there are ---------------------------------------------------------------- */

const json_t *mgl_claims_column(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->audit, "columns"), "column", column);
}

static const json_t *treatment_of(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->claimed, "treatments"), "column", column);
}

bool mgl_claims_is_treated(const mgl_claims *c, const char *column)
{
    return json_object_get(treatment_of(c, column), "values_after") != NULL;
}

bool mgl_claims_is_made_up(const mgl_claims *c, const char *column)
{
    const char *given = mgl_json_text(treatment_of(c, column), "treatment");
    mgl_treat *treat;
    if (given == NULL || mgl_treat_new(given, NULL, &treat) != MGL_OK)
        return false;
    bool renames = mgl_treat_renames(treat);
    mgl_treat_free(treat);
    return renames;
}

bool mgl_claims_is_linked(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->claimed, "linked"), "column", column) != NULL;
}

bool mgl_claims_has_items(const mgl_claims *c, const char *column)
{
    return mgl_claim_field(c, column, "km") != NULL;
}

bool mgl_claims_of_parts(const mgl_claims *c)
{
    const char *data = mgl_json_text(c->job, "data");
    size_t size = data != NULL ? strlen(data) : 0;
    return json_object_get(c->job, "parts") != NULL ||
           (size > 5 && strcmp(data + size - 5, ".part") == 0);
}

/* ---- Roles --------------------------------------------------------------------------------- */

/* Does the job take the labels of some hierarchy from this column? */
static bool is_parent(const mgl_claims *c, const char *column)
{
    const char *own;
    json_t *fields;
    json_object_foreach(json_object_get(c->job, "attributes"), own, fields)
    {
        const char *spec = mgl_json_text(fields, "hierarchy");
        mgl_span rest = spec != NULL ? mgl_hierarchy_columns(spec) : (mgl_span){"", 0}, name;
        while (mgl_hierarchy_next_column(&rest, own, &name))
            if (mgl_span_is(name, column))
                return true;
    }
    return false;
}

static bool is_text(const char *text, const char *other)
{
    return text != NULL && strcmp(text, other) == 0;
}

/* The role that the job gives a column, as results word it; NULL: none. */
static const char *role_of_job(const mgl_claims *c, const char *column)
{
    const char *role = mgl_claim_field(c, column, "role"), *rest = mgl_json_text(c->job, "rest"),
               *likelihood = mgl_claim_field(c, column, "likelihood");
    mgl_by_set likely;
    if (is_text(mgl_json_text(c->job, "count"), column))
        return "count";
    if (is_text(mgl_json_text(c->job, "entity"), column))
        return c->linked ? "insensitive" : "identifier";
    if (likelihood != NULL && is_text(role, "quasi") &&
        mgl_read_shares_by_set(mgl_span_of(likelihood), &likely) &&
        !mgl_settings_links(c->settings, column, &likely))
        return "insensitive"; /* a quasi-identifier that is never linked is released as it is */
    if (role != NULL)
        return role;
    if (mgl_claims_has_items(c, column))
        return "items";
    for (size_t i = 0; i < c->settings->strata.n; i++)
        if (strcmp(c->settings->strata.columns[i], column) == 0)
            return "quasi";
    if (mgl_claim_field(c, column, "treat") != NULL) /* released, unless that is to leave it out */
        return mgl_claims_is_treated(c, column) ? "insensitive" : "left out";
    if (is_parent(c, column)) /* it would give back what the hierarchy hides */
        return "left out";
    return rest == NULL ? NULL : strcmp(rest, "drop") == 0 ? "left out" : "insensitive";
}

static void compare_role(mgl_claims *c, const json_t *claimed)
{
    const char *column = mgl_json_text(claimed, "column"), *role = mgl_json_text(claimed, "role"),
               *given = role_of_job(c, column);
    bool quasi = strcmp(role, "quasi") == 0,
         kept = strcmp(role, "identifier") == 0 || strcmp(role, "left out") == 0;
    const json_t *before = json_object_get(claimed, "values_before"),
                 *after = json_object_get(claimed, "values_after");
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    mgl_claim_name(object, "audit.columns", column);
    mgl_claims_require(c, (before != NULL) == quasi && (after != NULL) == quasi, object, claimed);
    if (given != NULL || !mgl_claims_of_parts(c))
        mgl_claims_agree(c, mgl_claim_name(name, object, "role"), json_object_get(claimed, "role"),
                         mgl_claim_text(given));
    mgl_claims_agree(c, mgl_claim_name(name, object, "released"),
                     json_object_get(claimed, "released"), json_boolean(!kept));
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (strcmp(column, mgl_claim_quasi(c, a)) == 0)
            mgl_claims_compare(c, mgl_claim_name(name, object, "values_after"), after,
                               mgl_json_count(c->values[a]));
}

/* Columns of partitions stand behind the others when their folders are read, in any order. */
static void put_partitions_last(const mgl_claims *c, json_t *columns)
{
    const json_t *by = json_object_get(c->job, "partition-by");
    for (size_t j = 0; j < json_array_size(by); j++) {
        size_t i = 0;
        json_t *name = json_array_get(by, j);
        while (i < json_array_size(columns) && !json_equal(json_array_get(columns, i), name))
            i++;
        if (json_array_remove(columns, i) == 0)
            mgl_json_append(columns, json_incref(name));
    }
}

void mgl_claims_columns(mgl_claims *c)
{
    const mgl_source *source = c->reading->source;
    json_t *claimed = json_object_get(c->audit, "columns"), *column;
    json_t *released = json_array(), *there = json_array();
    const char *entity = c->settings->persons.column;
    size_t i;
    json_array_foreach(claimed, i, column)
    {
        const char *name = mgl_json_text(column, "column");
        compare_role(c, column);
        mgl_claims_require(c, mgl_claims_column(c, name) == column,
                           "audit.columns: a column is there twice", column);
        if (json_is_true(json_object_get(column, "released")))
            mgl_json_append(released, json_string(name));
    }
    for (i = 0; i < mgl_source_columns(source); i++) {
        const char *name = mgl_source_column(source, i);
        /* a copy of the release that tells persons apart has one more column */
        if (entity == NULL || c->linked || strcmp(entity, name) != 0)
            mgl_json_append(there, json_string(name));
    }
    put_partitions_last(c, released);
    put_partitions_last(c, there);
    mgl_claims_compare(c, "columns of the release", released, there);
    json_decref(released);
}

/* The columns that a result of `apply` lists are those of the trail. */
void mgl_claim_column_list(mgl_claims *c, const json_t *claimed)
{
    json_t *there = json_array(), *column;
    size_t i;
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
        mgl_json_append(there, json_pack("{s:O?,s:O?}", "column", json_object_get(column, "column"),
                                         "role", json_object_get(column, "role")));
    mgl_claims_agree(c, "columns", claimed, there);
}

void mgl_claim_unchanged(mgl_claims *c, const json_t *claimed)
{
    json_t *passed = json_array(), *column;
    size_t i;
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && json_is_true(json_object_get(column, "released")) &&
            strcmp(role, "quasi") != 0 && strcmp(role, "count") != 0 &&
            !mgl_claims_is_treated(c, name) && !mgl_claims_is_linked(c, name) &&
            !mgl_claims_has_items(c, name))
            mgl_json_append(passed, json_pack("{s:s,s:s}", "column", name, "role", role));
    }
    mgl_claims_agree(c, "unchanged", claimed, passed);
}

/* ---- Columns that are treated --------------------------------------------------------------- */

/* Asks of every value of the file whether it keeps what the treatment promises; how many there are.
 */
static void judge_treated(mgl_claims *c, const char *name, const json_t *claimed)
{
    const mgl_source_options *source = &c->settings->source;
    mgl_treated_reading how = {.missing = source->missing,
                               .n_missing = source->n_missing,
                               .no_value = source->no_value,
                               .neutralized = json_object_get(c->job, "neutralize") != NULL,
                               .pool = c->reading->pool,
                               .progress = &c->settings->progress};
    mgl_promised_treat promised = {
        .column = mgl_source_find(c->reading->source, mgl_json_text(claimed, "column"))};
    mgl_treat *treat = NULL;
    char key[MGL_CLAIM_NAME];
    bool known = mgl_treat_new(mgl_json_text(claimed, "treatment"), NULL, &treat) == MGL_OK;
    mgl_claims_require(c, known && promised.column != SIZE_MAX, name, claimed);
    promised.treat = treat;
    if (known && promised.column != SIZE_MAX)
        c->status = mgl_verify_treated(c->reading->source, &how, &promised, 1, c->err);
    if (promised.broken != NULL)
        mgl_claims_compare(c, name, json_object_get(claimed, "treatment"),
                           json_string("a value that it does not allow"));
    mgl_claims_compare(c, mgl_claim_name(key, name, "values_after"),
                       json_object_get(claimed, "values_after"), mgl_json_count(promised.values));
    mgl_treat_free(treat);
}

void mgl_claim_treatments(mgl_claims *c, const json_t *claimed)
{
    const char *column;
    json_t *fields, *one;
    size_t i;
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    json_array_foreach((json_t *)claimed, i, one)
    {
        column = mgl_json_text(one, "column");
        bool after = json_object_get(one, "values_after") != NULL,
             before = json_object_get(one, "values_before") != NULL;
        mgl_claim_name(object, "treatments", column);
        mgl_claims_require(c, treatment_of(c, column) == one && before == after, object, one);
        mgl_claims_agree(c, mgl_claim_name(name, object, "treatment"),
                         json_object_get(one, "treatment"),
                         mgl_claim_text(mgl_claim_field(c, column, "treat")));
        if (after && c->status == MGL_OK)
            judge_treated(c, object, one);
    }
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        if (mgl_json_text(fields, "treat") != NULL && treatment_of(c, column) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "treatments", column));
    }
}

/* ---- Columns that follow quasi-identifiers -------------------------------------------------- */

/* Asks of the file whether rows that are equal in the leads are equal in the column. Columns that
 * the file lacks are found by others. */
static void judge_linked(mgl_claims *c, const char *name, const json_t *claimed)
{
    const mgl_source *source = c->reading->source;
    const json_t *follows = json_object_get(claimed, "follows");
    size_t n = json_array_size(follows), *leads = mgl_alloc_array(n, sizeof *leads);
    mgl_promised_link link = {.column = mgl_source_find(source, mgl_json_text(claimed, "column")),
                              .leads = leads};
    char key[MGL_CLAIM_NAME];
    for (size_t i = 0; leads != NULL && i < n; i++) {
        const char *lead = json_string_value(json_array_get(follows, i));
        leads[i] = lead != NULL ? mgl_source_find(source, lead) : SIZE_MAX;
        link.n_leads += leads[i] != SIZE_MAX;
    }
    if (leads == NULL)
        c->status = mgl_fail_memory(c->err);
    else if (link.column != SIZE_MAX && n > 0 && link.n_leads == n) {
        c->status = mgl_verify_links(c->reading->source, &link, 1, c->reading->pool,
                                     &c->settings->progress, c->err);
        if (link.broken)
            mgl_claims_compare(c, name, follows,
                               json_string("rows that are equal in these differ in it"));
        mgl_claims_compare(c, mgl_claim_name(key, name, "values_after"),
                           json_object_get(claimed, "values_after"), mgl_json_count(link.values));
    }
    mgl_free(leads);
}

/* The quasi-identifiers that a column follows by the job: those it is linked with, or all. */
static json_t *leads_of(const mgl_claims *c, bool named)
{
    json_t *names = json_array();
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (!named || mgl_claim_lists(json_object_get(c->job, "linked"), mgl_claim_quasi(c, a)))
            mgl_json_append(names, json_string(mgl_claim_quasi(c, a)));
    return names;
}

static bool is_quasi(const mgl_claims *c, const char *column)
{
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (strcmp(mgl_claim_quasi(c, a), column) == 0)
            return true;
    return false;
}

void mgl_claim_linked(mgl_claims *c, const json_t *claimed)
{
    const json_t *given = json_object_get(c->job, "linked"), *one;
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    size_t i;
    json_array_foreach((json_t *)claimed, i, one)
    {
        const char *column = mgl_json_text(one, "column");
        bool named = mgl_claim_lists(given, column),
             follow = json_object_get(c->job, "follow") != NULL;
        mgl_claim_name(object, "linked", column);
        mgl_claims_require(c, mgl_claim_entry(claimed, "column", column) == one, object, one);
        mgl_claims_agree(c, mgl_claim_name(name, object, "found_by"),
                         json_object_get(one, "found_by"),
                         mgl_claim_text(named    ? "job"
                                        : follow ? "guard"
                                                 : NULL));
        mgl_claims_agree(c, mgl_claim_name(name, object, "follows"),
                         json_object_get(one, "follows"), leads_of(c, named));
        if (c->status == MGL_OK)
            judge_linked(c, object, one);
    }
    json_array_foreach((json_t *)given, i, one)
    {
        const char *column = json_string_value(one);
        if (column != NULL && !is_quasi(c, column) && !mgl_claims_is_linked(c, column))
            mgl_claims_missing(c, mgl_claim_name(name, "linked", column));
    }
}

/* ---- Columns that are aggregated ------------------------------------------------------------ */

/* How the job aggregates a column; NULL: not. */
static const char *function_of(const mgl_claims *c, size_t a)
{
    const char *given = mgl_claim_field(c, mgl_claim_quasi(c, a), "aggregate");
    return is_text(given, mgl_aggregate_words[MGL_AGGREGATE_NOT]) ? NULL : given;
}

static bool has_level(const mgl_claims *c, size_t a)
{
    return function_of(c, a) == NULL;
}

bool mgl_claim_aggregation_due(const mgl_claims *c)
{
    bool any = false;
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        any = any || !has_level(c, a);
    return any;
}

static void check_sums(mgl_claims *c, const char *name, const json_t *claimed)
{
    double sse = mgl_json_number(claimed, "sse"), sst = mgl_json_number(claimed, "sst");
    double off = mgl_json_number(claimed, "sse_share") * sst - sse,
           slack = 1e-9 * (sse > 1 ? sse : 1);
    static const char *const others[] = {"sst", "sse_share", "il1s"};
    bool numbers = mgl_json_is_number(claimed, "sse"), good = true;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        good = good && numbers == mgl_json_is_number(claimed, others[i]);
    mgl_claims_require(
        c, good && (!numbers || (sse >= 0 && sst >= 0 && off <= slack && off >= -slack)), name,
        claimed);
}

static void compare_aggregated(mgl_claims *c, const char *name, const json_t *claimed, size_t a)
{
    const char *function = function_of(c, a);
    json_t *found = json_object();
    char key[MGL_CLAIM_NAME];
    if (function != NULL)
        mgl_claims_agree(c, mgl_claim_name(key, name, "function"),
                         json_object_get(claimed, "function"), json_string(function));
    mgl_json_set(found, "top_cells", mgl_json_count(c->top_cells[a]));
    mgl_json_set(found, "values_after", mgl_json_count(c->values[a]));
    mgl_claims_compare(c, name, claimed, found);
    check_sums(c, name, claimed);
}

/* What the values were worked out from needs the input. */
void mgl_claim_aggregation(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns");
    size_t n = 0;
    (void)mgl_claims_are_levels(c, "aggregation.node", json_object_get(claimed, "node"), has_level);
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *about = mgl_claim_entry(columns, "column", mgl_claim_quasi(c, a));
        char name[MGL_CLAIM_NAME];
        mgl_claim_name(name, "aggregation", mgl_claim_quasi(c, a));
        n += about != NULL;
        if (about != NULL)
            compare_aggregated(c, name, about, a);
        else if (!has_level(c, a))
            mgl_claims_missing(c, name);
    }
    mgl_claims_require(c, n == json_array_size(columns), "aggregation.columns", columns);
    /* Groups may read alike, so there are no fewer than classes of the file that are not
     * suppressed. */
    mgl_claims_require(c, mgl_json_whole(claimed, "groups") >= c->classes - (c->top_rows > 0),
                       "aggregation.groups", NULL);
}

/* ---- Sets of items -------------------------------------------------------------------------- */

bool mgl_claim_items_due(const mgl_claims *c)
{
    const char *column;
    json_t *fields;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        if (mgl_json_text(fields, "km") != NULL)
            return true;
    }
    return false;
}

static void agree_with_job(mgl_claims *c, const json_t *claimed)
{
    const mgl_items_column *items = mgl_items_of(c->reading); /* of the same job */
    const char *column = mgl_json_text(claimed, "column"),
               *tree = mgl_claim_field(c, column, "hierarchy"),
               *separator = mgl_json_text(c->job, "km-separator");
    json_t *expected = json_object();
    mgl_json_set(expected, "column", mgl_claim_text(items != NULL ? items->settings->name : NULL));
    if (items != NULL) {
        mgl_json_set(expected, "k", mgl_json_count(items->settings->km.k));
        mgl_json_set(expected, "m", mgl_json_count(items->settings->km.m));
    }
    mgl_json_set(expected, "within", json_boolean(json_object_get(c->job, "km-within") != NULL));
    mgl_json_set(expected, "hierarchy", mgl_claim_text(mgl_hierarchy_name(tree)));
    if (separator != NULL)
        mgl_json_set(expected, "separator", json_string(separator));
    mgl_claims_agree(c, "items", claimed, expected);
}

/* The loss is a share, and is there if items were left out. */
static void agree_with_itself(mgl_claims *c, const json_t *claimed)
{
    double ncp = mgl_json_number(claimed, "ncp");
    bool left_out = mgl_json_whole(json_object_get(claimed, "left_out"), "occurrences") > 0,
         exact = json_is_true(json_object_get(claimed, "exact"));
    mgl_claims_require(c, ncp >= 0 && ncp <= 1 && (!left_out || ncp != 0), "items.ncp", NULL);
    mgl_claims_require(c, !exact || mgl_json_number(claimed, "best_possible") == ncp,
                       "items.best_possible", NULL);
}

/* How many rows of the file show each item. */
typedef struct shown {
    mgl_map *items;
    uint64_t *rows, *last; /* [item] last: the cell that showed it last, and one */
    size_t rows_room, last_room;
    uint64_t cell, times;
} shown;

static bool see_item(void *context, mgl_span item)
{
    shown *s = context;
    uint32_t before = mgl_map_size(s->items), number = mgl_map_add(s->items, item);
    if (number == MGL_NOT_FOUND ||
        !mgl_grow(&s->rows, &s->rows_room, (size_t)number + 1, sizeof *s->rows) ||
        !mgl_grow(&s->last, &s->last_room, (size_t)number + 1, sizeof *s->last))
        return false;
    if (number == before)
        s->rows[number] = s->last[number] = 0;
    if (s->last[number] != s->cell + 1)
        s->rows[number] += s->times;
    s->last[number] = s->cell + 1;
    return true;
}

static bool count_items(const mgl_claims *c, shown *s)
{
    const mgl_items_column *items = mgl_items_of(c->reading);
    const mgl_dictionary *cells = items->column->dictionary;
    uint32_t n = mgl_dictionary_size(cells);
    bool neutralized = json_object_get(c->job, "neutralize") != NULL;
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    s->items = mgl_map_new();
    bool room = rows != NULL && s->items != NULL;
    for (size_t row = 0; room && row < c->reading->table->n_rows; row++)
        rows[mgl_column_code(items->column, row)]++;
    for (s->cell = 0; room && s->cell < n; s->cell++) {
        mgl_span cell = mgl_dictionary_value(cells, (uint32_t)s->cell);
        s->times = rows[s->cell];
        if (neutralized)
            cell = mgl_text_without_apostrophe(cell);
        if (s->cell != mgl_dictionary_missing(cells))
            room = mgl_items_each(cell, &items->cutting, see_item, s);
    }
    mgl_free(rows);
    return room;
}

static void compare_cut(mgl_claims *c, const json_t *cut)
{
    shown s = {0};
    const json_t *one;
    size_t i;
    char name[MGL_CLAIM_NAME];
    if (!count_items(c, &s))
        c->status = mgl_fail_memory(c->err);
    else if (json_array_size(cut) != mgl_map_size(s.items))
        mgl_claims_compare(c, "items.cut", cut, mgl_json_count(mgl_map_size(s.items)));
    json_array_foreach((json_t *)cut, i, one)
    {
        const char *item = mgl_json_text(one, "item");
        uint32_t number =
            c->status == MGL_OK ? mgl_map_find(s.items, mgl_span_of(item)) : MGL_NOT_FOUND;
        mgl_claims_compare(c, mgl_claim_name(name, "items.cut", item), json_object_get(one, "rows"),
                           mgl_json_count(number != MGL_NOT_FOUND ? s.rows[number] : 0));
    }
    mgl_map_free(s.items);
    mgl_free(s.rows);
    mgl_free(s.last);
}

/* Persons are not in the file: those of the rarest combination are no more than its rows, and no
 * fewer than k if none is rare. */
static void check_least(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const json_t *released = json_object_get(claimed, "released"),
                 *least = json_object_get(released, "least"),
                 *there = json_object_get(found, "least");
    bool rare = mgl_json_whole(released, "rare") > 0;
    if (json_is_null(least) != json_is_null(there) ||
        mgl_json_whole(released, "least") > mgl_json_whole(found, "least"))
        mgl_claims_compare(c, "items.released.least", least, json_incref((json_t *)there));
    else if (!json_is_null(least))
        mgl_claims_require(
            c, (mgl_json_whole(released, "least") < mgl_json_whole(claimed, "k")) == rare,
            "items.released.least", least);
    mgl_claims_skip_persons(c, "items.released.least");
}

void mgl_claim_items(mgl_claims *c, const json_t *claimed)
{
    const json_t *released = mgl_claim_at(c->found, "items.released");
    json_t *found = released != NULL ? json_copy((json_t *)released) : json_object();
    agree_with_job(c, claimed);
    agree_with_itself(c, claimed);
    if (c->persons && released != NULL)
        check_least(c, claimed, released);
    if (c->persons)
        (void)json_object_del(found, "least");
    mgl_claims_compare_at(c, "items.released", found);
    if (mgl_items_of(c->reading) != NULL)
        compare_cut(c, json_object_get(claimed, "cut"));
}
