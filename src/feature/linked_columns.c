/* Columns that follow quasi-identifiers (`linked`), and those that may have to (`follow`): which
 * they are, the hierarchies by which they are generalized, and what becomes of them when the search
 * has ended. */
#include "claims/claims.h"
#include "findings/findings.h"

/* ---- Which they are -------------------------------------------------------------------------- */

extern const mgl_feature mgl_linked_feature;

/* A released column that follows quasi-identifiers, or would have to if it gave one back. */
typedef struct linked_column {
    const char *name;
    size_t field;             /* of the source */
    bool named;               /* by the job; else it follows if the leak guard objects to it */
    const mgl_column *column; /* as it was read */
    const mgl_hierarchy *hierarchy;
    const uint32_t *leaf_of_code;
} linked_column;

/* What the feature keeps of a reading. */
typedef struct linked_columns {
    linked_column *of; /* [n] */
    size_t n;
    uint32_t *leads; /* [n_leads] the quasi-identifiers that named ones follow */
    size_t n_leads;
} linked_columns;

static linked_columns *linked_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_linked_feature);
}

static mgl_status refuse(const char *name, const char *why, mgl_error *err)
{
    return mgl_fail_key(err, MGL_CODE_CONFLICT, "linked", "`linked`: column '%.60s' %s", name, why);
}

/* Does the job link the column to others? */
static bool is_linked(const mgl_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->links.n; i++)
        if (strcmp(settings->links.columns[i], name) == 0)
            return true;
    return false;
}

static bool uses_hierarchy(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return settings->links.follow || is_linked(settings, attribute->name);
}

/* What stands against a column that the job links; NULL: nothing. */
static const char *objection(const mgl_reading *reading, size_t column)
{
    const char *name = mgl_source_column(reading->source, column);
    const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, name);
    if (reading->roles[column] == MGL_ROLE_IDENTIFIER)
        return "is not released; leave it out of the list";
    if (reading->roles[column] == MGL_ROLE_SENSITIVE)
        return "is sensitive, and models judge its values as they are; leave it out of the list, "
               "or make it a quasi-identifier";
    if (declared != NULL && declared->treat != NULL)
        return "has a treatment as well; leave out one of the two";
    return NULL;
}

static void add(mgl_reading *reading, size_t column, bool named)
{
    linked_columns *all = linked_of(reading);
    all->of[all->n++] = (linked_column){
        .name = mgl_source_column(reading->source, column), .field = column, .named = named};
}

static mgl_status open_named(mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    linked_columns *all = linked_of(reading);
    for (size_t i = 0; i < settings->links.n; i++) {
        size_t column = mgl_source_find(reading->source, settings->links.columns[i]);
        if (column == SIZE_MAX)
            return mgl_blame_key(
                err, mgl_column_unknown(reading->source, settings->links.columns[i], err),
                "linked");
        const char *why = objection(reading, column);
        if (why != NULL)
            return refuse(settings->links.columns[i], why, err);
        if (reading->roles[column] != MGL_ROLE_QUASI)
            add(reading, column, true);
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (is_linked(settings, reading->quasi[a].settings->name))
            all->leads[all->n_leads++] = (uint32_t)a;
    if (all->n_leads == 0)
        return refuse(settings->links.columns[0],
                      "is linked to no quasi-identifier; name one that the others follow", err);
    if (all->n == 0)
        return refuse(settings->links.columns[0],
                      "is linked to quasi-identifiers alone, which are generalized in any case; "
                      "name a column that follows them",
                      err);
    return MGL_OK;
}

/* Every column that is released as it is may turn out to give a quasi-identifier back. */
static void open_others(mgl_reading *reading)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (reading->roles[c] == MGL_ROLE_INSENSITIVE && objection(reading, c) == NULL &&
            !is_linked(reading->settings, mgl_source_column(reading->source, c)))
            add(reading, c, false);
}

static mgl_status open_columns(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    linked_columns *all = linked_of(reading);
    size_t n;
    if ((settings->links.n == 0 && !settings->links.follow) || purpose != MGL_TO_RELEASE ||
        mgl_source_parts(reading->source, &n) != NULL || reading->engine.counts)
        return MGL_OK;
    all->of = mgl_zeroed_array(mgl_source_columns(reading->source), sizeof *all->of);
    all->leads = mgl_alloc_array(reading->n_quasi, sizeof *all->leads);
    MGL_TRY(mgl_check_memory(all->of != NULL && all->leads != NULL, err));
    if (settings->links.n > 0)
        MGL_TRY(open_named(reading, err));
    if (settings->links.follow)
        open_others(reading);
    return MGL_OK;
}

/* ---- What is read of them -------------------------------------------------------------------- */

static size_t request(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n)
{
    const linked_columns *all = linked_of(reading);
    (void)purpose;
    for (size_t i = 0; i < all->n; i++)
        n = mgl_request(reading, all->of[i].field, requested, n);
    return n;
}

/* Its cells can have several levels with any method. */
static mgl_status bind_column(mgl_reading *reading, linked_column *linked, mgl_error *err)
{
    const mgl_attribute_settings *declared =
        mgl_settings_attribute(reading->settings, linked->name);
    const mgl_cache_entry *kept, *leaves;
    linked->column = mgl_requested(reading, linked->field);
    if (linked->column == NULL)
        return MGL_OK;
    bool given = declared != NULL && declared->hierarchy != NULL;
    mgl_tree_request request = {.table = reading->table,
                                .column = linked->column,
                                .origin = given ? MGL_TREE_GIVEN : MGL_TREE_OF_VALUES,
                                .spec = given ? declared->hierarchy : NULL};
    MGL_TRY(mgl_tree_find(reading, &request, err, &kept));
    MGL_TRY(mgl_leaves_find(reading, kept, linked->column, err, &leaves));
    linked->hierarchy = ((const mgl_tree *)kept->object)->hierarchy;
    linked->leaf_of_code = leaves->object;
    return MGL_OK;
}

static mgl_status bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    linked_columns *all = linked_of(reading);
    (void)purpose;
    for (size_t i = 0; i < all->n; i++)
        MGL_TRY(bind_column(reading, &all->of[i], err));
    return MGL_OK;
}

static void forget(mgl_reading *reading)
{
    mgl_free(linked_of(reading)->of);
    mgl_free(linked_of(reading)->leads);
}

static bool needs_rows(const mgl_reading *reading)
{
    return linked_of(reading)->n > 0;
}

static mgl_status refuse_engine(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->links.n > 0 ? "linked" : settings->links.follow ? "follow" : NULL;
    if (key == NULL)
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, key,
                        "`%s`: the database writes columns that are no quasi-identifiers as they "
                        "are; write the release to a file, for which the rows are fetched",
                        key);
}

/* ---- As they are released -----------------------------------------------------------------------
 *
 * Generalizes columns with the quasi-identifiers they follow: rows whose released cells are equal
 * in these show what all of them have in common, the value or the lowest one above it in the
 * hierarchy of the column. So the column shows nothing of a row that these cells do not show.
 *
 * A column that the leak guard objects to can be made to follow as well (`follow`). */

/* A column that may follow. */
typedef struct followed_column {
    const linked_column *linked;
    bool follows;
    bool made;
    mgl_column column; /* where made: as it is released */
    uint64_t changed;  /* where made: released rows in which it is not what it was */
    const mgl_promised_link *promised; /* where planned: with what the verifier found */
} followed_column;

typedef struct following {
    followed_column *of;      /* [n]; those that the job names first */
    mgl_promised_link *links; /* [n] of those that are made */
    size_t n;
} following;

static following *following_of(const mgl_written *written)
{
    return mgl_feature_made(written, &mgl_linked_feature);
}

/* None is made yet; those that the job names follow. */
static mgl_status begin(const mgl_reading *reading, mgl_error *err, following *out)
{
    const linked_columns *all = linked_of(reading);
    size_t n = all->n;
    *out = (following){mgl_zeroed_array(n, sizeof *out->of),
                       mgl_zeroed_array(n, sizeof *out->links), n};
    if (out->of == NULL || out->links == NULL) {
        out->n = 0;
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < n; i++) {
        out->of[i].linked = &all->of[i];
        out->of[i].follows = all->of[i].named;
    }
    return MGL_OK;
}

static void free_following(mgl_written *written)
{
    following *following = following_of(written);
    for (size_t i = 0; i < following->n; i++)
        if (following->of[i].made)
            mgl_column_clear(&following->of[i].column);
    mgl_free(following->of);
    mgl_free(following->links);
}

/* Lets those follow to which the leak guard objects because they give a quasi-identifier back.
 * False: there are none that did not follow before. */
static bool obey(const mgl_settings *settings, mgl_written *written)
{
    following *following = following_of(written);
    bool any = false;
    for (size_t o = 0; o < written->objections.n; o++)
        for (size_t i = 0; i < following->n; i++) {
            followed_column *f = &following->of[i];
            const mgl_objection *objection = &written->objections.list[o];
            if (f->follows || !objection->gives_back ||
                !mgl_objection_is_refused(settings, objection) ||
                (strcmp(f->linked->name, objection->column) != 0 &&
                 (objection->with == NULL || strcmp(f->linked->name, objection->with) != 0)))
                continue;
            f->follows = true;
            any = true;
        }
    return any;
}

/* The attributes that it follows; returns how many. A column that the guard found follows all of
 * them: the guard does not say which one alone would do. */
static size_t find_leads(const followed_column *followed, const mgl_reading *reading,
                         uint32_t *attributes)
{
    const linked_columns *all = linked_of(reading);
    bool named = followed->linked->named;
    size_t n = named ? all->n_leads : reading->n_quasi;
    for (size_t i = 0; i < n; i++)
        attributes[i] = named ? all->leads[i] : (uint32_t)i;
    return n;
}

/* ---- What rows have in common ---------------------------------------------------------------- */

/* Rows whose released cells are equal. */
typedef struct common {
    uint32_t leaf;  /* of the first of them; MGL_NOT_FOUND: there is none */
    uint32_t level; /* the lowest on which all of them have one value */
} common;

typedef struct making {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    followed_column *followed;
    mgl_tuple_finder *finder;
    mgl_classes classes; /* of the leads */
    common *common;      /* [class] */
    uint32_t **codes;    /* [level][value] of the column that is made; MGL_NOT_FOUND: not yet */
} making;

enum { ROWS_AT_ONCE = 1024 };

typedef mgl_status row_fn(making *m, size_t row, uint32_t tuple, mgl_error *err);

static mgl_status each_row(making *m, row_fn *fn, mgl_error *err)
{
    uint32_t tuples[ROWS_AT_ONCE];
    size_t n_rows = m->reading->table->n_rows;
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        size_t some = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
        mgl_tuple_find(m->finder, row, some, tuples);
        for (size_t i = 0; i < some; i++)
            MGL_TRY(fn(m, row + i, tuples[i], err));
    }
    return MGL_OK;
}

static bool is_left_out(const making *m, uint32_t tuple)
{
    return m->reading->settings->treatment == MGL_DROP &&
           m->solution->recoding->suppressed[tuple] != 0;
}

static uint32_t leaf_at(const making *m, size_t row)
{
    const linked_column *linked = m->followed->linked;
    return linked->leaf_of_code[mgl_column_code(linked->column, row)];
}

static mgl_status take_in(making *m, size_t row, uint32_t tuple, mgl_error *err)
{
    const mgl_level *levels = m->followed->linked->hierarchy->levels;
    common *c = &m->common[m->classes.of_tuple[tuple]];
    uint32_t leaf = leaf_at(m, row);
    (void)err;
    if (is_left_out(m, tuple))
        return MGL_OK;
    if (c->leaf == MGL_NOT_FOUND)
        c->leaf = leaf;
    while (levels[c->level].of_leaf[leaf] != levels[c->level].of_leaf[c->leaf])
        c->level++;
    return MGL_OK;
}

/* ---- The column ------------------------------------------------------------------------------ */

static uint32_t add_value(making *m, uint32_t level, uint32_t value)
{
    const linked_column *linked = m->followed->linked;
    const mgl_hierarchy *hierarchy = linked->hierarchy;
    mgl_dictionary *dictionary = m->followed->column.dictionary;
    mgl_span label = hierarchy->levels[level].labels[value];
    bool missing = level == 0 && value == hierarchy->missing_leaf;
    return missing ? mgl_dictionary_add_missing(dictionary, label)
                   : mgl_dictionary_add(dictionary, label);
}

static mgl_status put(making *m, size_t row, uint32_t tuple, mgl_error *err)
{
    mgl_column *column = &m->followed->column;
    const common *c = &m->common[m->classes.of_tuple[tuple]];
    uint32_t leaf = c->leaf != MGL_NOT_FOUND ? c->leaf : leaf_at(m, row);
    uint32_t value = m->followed->linked->hierarchy->levels[c->level].of_leaf[leaf];
    uint32_t *code = &m->codes[c->level][value];
    if (*code == MGL_NOT_FOUND)
        *code = add_value(m, c->level, value);
    if (*code == MGL_NOT_FOUND || !mgl_column_widen(column, row, *code) ||
        !mgl_column_reserve(column, row, 1))
        return mgl_fail_memory(err);
    mgl_column_set(column, row, *code);
    m->followed->changed += c->level > 0 && !is_left_out(m, tuple);
    return MGL_OK;
}

static mgl_status begin_column(making *m, mgl_error *err)
{
    const mgl_column *from = m->followed->linked->column;
    mgl_column *column = &m->followed->column;
    *column = (mgl_column){.role = from->role,
                           .source_index = from->source_index,
                           .name = mgl_alloc(strlen(from->name) + 1),
                           .dictionary = mgl_dictionary_new(),
                           .width = 1};
    m->followed->made = true;
    m->followed->changed = 0;
    MGL_TRY(mgl_check_memory(column->name != NULL && column->dictionary != NULL, err));
    strcpy(column->name, from->name);
    return MGL_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static mgl_status group_by_leads(making *m, mgl_error *err)
{
    const mgl_recoding *recoding = m->solution->recoding;
    const mgl_frequency_list *list = m->task->problem.list;
    size_t n = recoding->n_attributes;
    uint32_t *attributes = mgl_alloc_array(n, sizeof *attributes);
    uint32_t *n_values = mgl_alloc_array(n, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(attributes == NULL || n_values == NULL ? mgl_fail_memory(err) : MGL_OK);
    MGL_GO(mgl_classes_init(&m->classes, recoding->n_tuples, n, err));
    for (size_t a = 0; a < n; a++)
        n_values[a] = recoding->columns[a]->n_values;
    size_t n_leads = find_leads(m->followed, m->reading, attributes);
    mgl_classes_group(&m->classes, recoding->cells, n_values, attributes, n_leads, list->counts);
done:
    mgl_free(attributes);
    mgl_free(n_values);
    return status;
}

static mgl_status make_room(making *m, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = m->followed->linked->hierarchy;
    m->common = mgl_alloc_array(m->classes.n_classes, sizeof *m->common);
    m->codes = mgl_zeroed_array(hierarchy->height + 1, sizeof *m->codes);
    MGL_TRY(mgl_check_memory(m->common != NULL && m->codes != NULL, err));
    for (size_t c = 0; c < m->classes.n_classes; c++)
        m->common[c] = (common){MGL_NOT_FOUND, 0};
    for (uint32_t level = 0; level <= hierarchy->height; level++) {
        uint32_t n = hierarchy->levels[level].n_values;
        MGL_TRY(mgl_new_array(n, sizeof **m->codes, err, &m->codes[level]));
        for (uint32_t v = 0; v < n; v++)
            m->codes[level][v] = MGL_NOT_FOUND;
    }
    return MGL_OK;
}

static void free_room(making *m)
{
    for (uint32_t level = 0; m->codes != NULL && level <= m->followed->linked->hierarchy->height;
         level++)
        mgl_free(m->codes[level]);
    mgl_free(m->codes);
    mgl_free(m->common);
    mgl_classes_free(&m->classes);
}

static mgl_status make_one(making *m, mgl_error *err)
{
    mgl_status status = MGL_OK;
    m->classes = (mgl_classes){0};
    m->common = NULL;
    m->codes = NULL;
    MGL_GO(begin_column(m, err));
    MGL_GO(group_by_leads(m, err));
    MGL_GO(make_room(m, err));
    MGL_GO(each_row(m, take_in, err));
    MGL_GO(each_row(m, put, err));
done:
    free_room(m);
    return status;
}

static mgl_status make(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    following *following = following_of(written);
    making m = {.task = task, .reading = reading, .solution = solution};
    mgl_status status = MGL_OK;
    if (linked_of(reading)->n > 0 && following->of == NULL)
        MGL_TRY(begin(reading, err, following));
    for (size_t i = 0; i < following->n; i++) {
        m.followed = &following->of[i];
        if (!m.followed->follows || m.followed->made)
            continue;
        if (m.finder == NULL)
            MGL_GO(mgl_tuple_finder_share(task->problem.list, reading->bound, reading->pool, err,
                                          &m.finder));
        MGL_GO(make_one(&m, err));
    }
done:
    mgl_tuple_finder_free(m.finder);
    return status;
}

/* ---- The plan -------------------------------------------------------------------------------- */

static mgl_status plan_column(mgl_release_plan *p, const mgl_reading *reading,
                              followed_column *followed, mgl_error *err,
                              mgl_promised_link *promised)
{
    uint32_t *attributes = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *attributes);
    size_t *leads = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *leads);
    MGL_TRY(mgl_check_memory(attributes != NULL && leads != NULL, err));
    size_t field = followed->linked->field, n = find_leads(followed, reading, attributes);
    for (size_t i = 0; i < n; i++)
        leads[i] = p->promise.top_columns[attributes[i]];
    MGL_TRY(mgl_plan_replace(p, field, &followed->column, MGL_FOLLOWING, err));
    *promised =
        (mgl_promised_link){.column = mgl_plan_column(p, field), .leads = leads, .n_leads = n};
    followed->promised = promised;
    return MGL_OK;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    following *following = following_of(written);
    size_t n = 0;
    for (size_t i = 0; i < following->n; i++)
        if (following->of[i].made)
            MGL_TRY(plan_column(p, task->reading, &following->of[i], err, &following->links[n++]));
    mgl_plan_promise(p, &mgl_linked_judge, following->links, n);
    return MGL_OK;
}

/* ---- The section of the result --------------------------------------------------------------- */

/* What is known of a column once the release is written; NULL: nothing. */
static const followed_column *followed_of(const linked_column *linked, const mgl_written *written)
{
    const following *following = following_of(written);
    for (size_t i = 0; i < following->n; i++)
        if (following->of[i].linked == linked)
            return &following->of[i];
    return NULL;
}

static bool is_following(const linked_column *linked, const mgl_written *written)
{
    const followed_column *followed = followed_of(linked, written);
    return linked->named || (followed != NULL && followed->follows);
}

static json_t *linked_json(const mgl_reading *reading, const linked_column *linked,
                           const mgl_written *written)
{
    const followed_column *followed = followed_of(linked, written);
    const linked_columns *all = linked_of(reading);
    json_t *object = json_object(), *names = json_array();
    size_t n = linked->named ? all->n_leads : reading->n_quasi;
    for (size_t i = 0; i < n; i++)
        mgl_json_append(
            names, json_string(reading->quasi[linked->named ? all->leads[i] : i].settings->name));
    mgl_json_set(object, "column", json_string(linked->name));
    mgl_json_set(object, "follows", names);
    mgl_json_set(object, "found_by", json_string(linked->named ? "job" : "guard"));
    mgl_json_set(object, "generalized_cells",
                 followed != NULL ? mgl_json_count(followed->changed) : json_null());
    mgl_json_set(object, "values_after",
                 followed != NULL && followed->promised != NULL
                     ? mgl_json_count(followed->promised->values)
                     : json_null());
    return object;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const linked_columns *all = linked_of(reading);
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++)
        if (is_following(&all->of[i], written))
            mgl_json_append(list, linked_json(reading, &all->of[i], written));
    if (json_array_size(list) > 0 || !mgl_json_complete(list))
        mgl_json_set(result->document, "linked", list);
    else
        json_decref(list);
}

/* Before the release is written those follow that the job names. */
static bool changes(const mgl_reading *reading, const mgl_written *written, size_t field)
{
    const linked_columns *all = linked_of(reading);
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].field == field)
            return is_following(&all->of[i], written);
    return false;
}

static void promise(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object)
{
    const json_t *linked = mgl_json_of_column(json_object_get(result, "linked"), column);
    (void)settings;
    if (linked != NULL)
        mgl_json_set(object, "follows", json_incref(json_object_get(linked, "follows")));
}

static const mgl_feature_release release = {.promise = promise,
                                            .size = sizeof(following),
                                            .make = make,
                                            .plan = plan,
                                            .obey = obey,
                                            .describe = describe,
                                            .changes = changes,
                                            .free = free_following};

/* ---- In an audit --------------------------------------------------------------------------- */

static bool is_claimed(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->claimed, "linked"), "column", column) != NULL;
}

static unsigned of_column(const mgl_claims *c, const char *column)
{
    return is_claimed(c, column) ? MGL_CLAIM_MADE | MGL_CLAIM_FOLLOWS : 0;
}

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
static json_t *claimed_leads(const mgl_claims *c, bool named)
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

static void compare_linked(mgl_claims *c, const json_t *claimed)
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
        mgl_claims_agree(c, mgl_claim_name(name, object, "found_by"),
                         json_object_get(one, "found_by"),
                         mgl_claim_text(named    ? "job"
                                        : follow ? "guard"
                                                 : NULL));
        mgl_claims_agree(c, mgl_claim_name(name, object, "follows"),
                         json_object_get(one, "follows"), claimed_leads(c, named));
        if (c->status == MGL_OK)
            judge_linked(c, object, one);
    }
    json_array_foreach((json_t *)given, i, one)
    {
        const char *column = json_string_value(one);
        if (column != NULL && !is_quasi(c, column) && !is_claimed(c, column))
            mgl_claims_missing(c, mgl_claim_name(name, "linked", column));
    }
}

static const mgl_claim sections[] = {
    {"linked", MGL_OF_NONE, "[{column:s follows:a found_by:s generalized_cells:I values_after:I}]",
     compare_linked, .open = "linked.*.generalized_cells", MGL_CLAIM_INPUT},
    {.key = NULL}};

static const char *const rules[] = {"count(linked) = kinds(linked.*.column)",
                                    "count(audit.job.linked) = kinds(audit.job.linked)", NULL};

static bool done(const json_t *result, const char *column, const char *role, mgl_buffer *out)
{
    const json_t *linked = mgl_json_of_column(json_object_get(result, "linked"), column);
    const json_t *leads = json_object_get(linked, "follows");
    for (size_t i = 0; i < json_array_size(leads); i++) {
        const char *lead = json_string_value(json_array_get(leads, i));
        mgl_buffer_format(out, "%s%s%s", i > 0 ? "" : role, i > 0 ? ", " : ", follows ",
                          lead != NULL ? lead : "?");
    }
    mgl_buffer_text(out, linked != NULL ? ": generalized with it" : "");
    return linked != NULL;
}

static const mgl_feature_audit audit = {
    .done = done, .sections = sections, .rules = rules, .column = of_column};

const mgl_feature mgl_linked_feature = {.name = "linked",
                                        .size = sizeof(linked_columns),
                                        .audit = &audit,
                                        .release = &release,
                                        .refuse_engine = refuse_engine,
                                        .needs_rows = needs_rows,
                                        .uses_hierarchy = uses_hierarchy,
                                        .request = request,
                                        .on = {[MGL_ON_OPEN] = open_columns, [MGL_ON_READ] = bind},
                                        .forget = forget};
