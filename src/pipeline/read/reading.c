/* Reads the table of a job: opens the source, gives columns their roles, reads the columns that
 * models look at, binds hierarchies to them, and records what the run decided where the job left
 * it open. */
#include "pipeline/read/reading.h"
#include "pipeline/read/reading_steps.h"
#include "pipeline/read/feature.h"

/* ---- Engines of databases ----------------------------------------------------------------- */

/* The column of the source, or as many as it has. */
static size_t find_column(const mgl_source *source, const char *name)
{
    size_t c = 0, n = mgl_source_columns(source);
    while (c < n && strcmp(mgl_source_column(source, c), name) != 0)
        c++;
    return c;
}

/* MGL_USAGE if a release is to be divided by columns that it does not have. */
static mgl_status check_partitions(const mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = mgl_source_columns(reading->source), n_released = 0;
    if (purpose != MGL_TO_RELEASE || settings->partitions.n == 0)
        return MGL_OK;
    for (size_t c = 0; c < n; c++)
        n_released += mgl_is_released(reading, c);
    for (size_t i = 0; i < settings->partitions.n; i++) {
        const char *name = settings->partitions.columns[i];
        size_t c = find_column(reading->source, name);
        if (c == n)
            return mgl_column_unknown(reading->source, name, err);
        if (!mgl_is_released(reading, c))
            return mgl_fail_column(
                err, MGL_CODE_CONFLICT, NULL, name,
                "column %.60s is not released, and its values would be, as names of "
                "folders; leave it out of `partition-by`",
                name);
    }
    if (settings->partitions.n < n_released)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, "partition-by",
        "`partition-by` names every column of the release, and files would have none; name fewer");
}

/* Columns that are not released may identify persons, and are counted to find that out. */
static mgl_status check_target(const mgl_reading *reading, const mgl_push_operations *push,
                               mgl_error *err)
{
    size_t n = mgl_source_columns(reading->source);
    size_t *read = mgl_alloc_array(n, sizeof *read);
    mgl_push_target target = {reading->settings->output, reading->settings->overwrite, read, 0};
    MGL_TRY(mgl_check_memory(read != NULL, err));
    for (size_t c = 0; c < n; c++)
        read[target.n_read++] = c;
    mgl_status status = push->check(reading->source, &target, err);
    mgl_free(read);
    return status;
}

/* Decides what the engine of an opened source does by itself. MGL_DATA if the table to be written
 * exists already. */
static mgl_status decide_engine(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    bool releases = purpose == MGL_TO_RELEASE && !settings->dry_run && settings->output != NULL;
    bool names_rows = settings->risk.rows_file != NULL;
    bool engine_may = !mgl_rows_are_chosen_here(reading) && settings->counted.column == NULL;
    reading->engine.writes = false;
    if (releases && push != NULL && engine_may)
        MGL_TRY(push->writes(reading->source, settings->output, err, &reading->engine.writes));
    /* Rows of files can be fetched as well. */
    if (reading->engine.writes && push->files &&
        (settings->counted.least > 0 || settings->with != NULL ||
         mgl_features_refuse_engine(reading, NULL) != MGL_OK))
        reading->engine.writes = false;
    reading->engine.counts = engine_may && mgl_source_counts(reading->source) && !names_rows &&
                             settings->km.column == NULL && (!releases || reading->engine.writes);
    reading->engine.loads =
        releases && !reading->engine.writes && mgl_location_of(settings->output).format->loaded;
    if (reading->engine.loads)
        return mgl_table_check(settings->output, settings->overwrite, err);
    if (!reading->engine.writes)
        return MGL_OK;
    MGL_TRY(mgl_features_refuse_engine(reading, err));
    return check_target(reading, push, err);
}

void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table)
{
    groups->n += table->n_rows;
    for (size_t row = 0; row < table->n_rows; row++)
        groups->once += table->times[row] == 1;
}

/* ---- Roles of columns --------------------------------------------------------------------- */

/* A file that lacks a column of the result is another release. */
static mgl_status fail_lacking(const mgl_source *source, const char *name, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_fail_key_at(err, MGL_CODE_DISAGREES, mgl_source_name(source), "against",
                        "there is no column \"%.60s\" that the result names: it does not agree "
                        "with this file; name the file that it was written for",
                        name),
        name);
}

mgl_status mgl_column_unknown(const mgl_source *source, const char *name, mgl_error *err)
{
    mgl_buffer columns = {0};
    mgl_nearest nearest = mgl_nearest_to(mgl_span_of(name));
    for (size_t c = 0; c < mgl_source_columns(source); c++)
        mgl_nearest_try(&nearest, mgl_source_column(source, c));
    if (nearest.best != NULL)
        mgl_buffer_format(&columns, "did you mean \"%.60s\"? ", nearest.best);
    mgl_buffer_text(&columns, "the columns are: ");
    size_t n = mgl_source_columns(source);
    for (size_t c = 0; c < n && c < 20; c++)
        mgl_buffer_format(&columns, "%s%s", c > 0 ? ", " : "", mgl_source_column(source, c));
    if (n > 20)
        mgl_buffer_text(&columns, ", ...");
    mgl_status status = mgl_fail_column(err, MGL_CODE_UNKNOWN_COLUMN, mgl_source_name(source), name,
                                        "there is no column \"%.60s\"; %.*s", name,
                                        (int)(columns.failed ? 0 : columns.size), columns.data);
    mgl_buffer_free(&columns);
    return status;
}

/* The role that the job gives a column. One whose cells it changes is released, unless leaving it
 * out is the change. */
static mgl_role role_given(const mgl_attribute_settings *attribute, bool changes)
{
    if (!changes || attribute->change == MGL_CELLS_STAY)
        return attribute->role;
    return attribute->change == MGL_CELLS_LEFT_OUT ? MGL_ROLE_IDENTIFIER
           : attribute->role == MGL_ROLE_NONE      ? MGL_ROLE_INSENSITIVE
                                                   : attribute->role;
}

/* Is it no fault that the table lacks a column that the job names? Not of one that the job leaves
 * out, where a release is judged, nor of one that a table counted elsewhere had no use for. */
static bool may_lack(const mgl_settings *settings, const mgl_attribute_settings *attribute,
                     mgl_purpose purpose)
{
    mgl_role role = role_given(attribute, settings->lacks_identifiers);
    return ((purpose == MGL_TO_ATTACK || settings->lacks_identifiers) &&
            role == MGL_ROLE_IDENTIFIER) ||
           (settings->counted.column != NULL &&
            (role == MGL_ROLE_IDENTIFIER || role == MGL_ROLE_INSENSITIVE));
}

/* Likewise of a column whose leaks are accepted; `rest: drop` leaves out what has no role, and a
 * result accepts columns of the input. */
static bool may_lack_allowed(const mgl_settings *settings, const char *name, mgl_purpose purpose)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
    bool gate = settings->lacks_identifiers;
    if (settings->counted.column != NULL || (gate && settings->claimed.document != NULL))
        return true;
    return mgl_settings_declare(attribute) ? may_lack(settings, attribute, purpose)
                                           : gate && settings->rest == MGL_ROLE_IDENTIFIER;
}

/* Fails if the table lacks a column that a feature of the job reads. */
static mgl_status find_columns(const mgl_settings *settings, const mgl_source *source,
                               mgl_purpose purpose, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *name = mgl_feature_column_name(*f, settings, purpose);
        if (name != NULL && mgl_source_find(source, name) == SIZE_MAX)
            return mgl_blame_key(err, mgl_column_unknown(source, name, err), (*f)->key);
    }
    return MGL_OK;
}

static mgl_status assign_by_features(const mgl_settings *settings, const mgl_source *source,
                                     size_t column, mgl_purpose purpose, mgl_error *err,
                                     mgl_role *role)
{
    size_t n = 0;
    while (mgl_features[n] != NULL)
        n++;
    while (n-- > 0)
        if (mgl_features[n]->assign != NULL)
            MGL_TRY(mgl_features[n]->assign(settings, source, column, purpose, err, role));
    return MGL_OK;
}

/* Gives each column of an opened source its role and checks that the job's columns exist. */
static mgl_status assign_roles(const mgl_settings *settings, const mgl_source *source,
                               mgl_purpose purpose, mgl_error *err, mgl_role *roles)
{
    bool changes = mgl_purpose_searches(purpose) || purpose == MGL_TO_CHECK;
    if (settings->label != NULL && mgl_source_find(source, settings->label) == SIZE_MAX)
        return mgl_blame_key(err, mgl_column_unknown(source, settings->label, err), "label");
    MGL_TRY(find_columns(settings, source, purpose, err));
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (mgl_source_find(source, attribute->name) == SIZE_MAX &&
            !may_lack(settings, attribute, purpose))
            return purpose == MGL_TO_CHECK && settings->claimed.document != NULL
                       ? fail_lacking(source, attribute->name, err)
                       : mgl_blame_attribute(err, mgl_column_unknown(source, attribute->name, err),
                                             attribute->name, "role");
    }
    for (size_t i = 0; i < settings->accepted.n_columns; i++) {
        const char *name = settings->accepted.columns[i];
        if (mgl_source_find(source, name) == SIZE_MAX && !may_lack_allowed(settings, name, purpose))
            return mgl_blame_key(err, mgl_column_unknown(source, name, err), "allow-leaks");
    }
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        MGL_TRY(mgl_progress_poll(c, err));
        const char *name = mgl_source_column(source, c);
        const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
        mgl_role role = attribute != NULL ? role_given(attribute, changes) : MGL_ROLE_NONE;
        roles[c] = role != MGL_ROLE_NONE ? role : settings->rest;
        MGL_TRY(assign_by_features(settings, source, c, purpose, err, &roles[c]));
        if (roles[c] == MGL_ROLE_NONE && purpose == MGL_TO_RELEASE)
            return mgl_blame_attribute(
                err,
                mgl_fail_at(
                    err, MGL_CODE_NO_ROLE, mgl_source_name(source), 0,
                    "column \"%.60s\" has no role; give it one (`role: quasi`, `role: sensitive`, "
                    "`role: identifier` or `role: insensitive`), or give `rest: insensitive` or "
                    "`rest: drop`",
                    name),
                name, "role");
    }
    return MGL_OK;
}

const char *mgl_role_words(const mgl_reading *reading, size_t column)
{
    const mgl_settings *settings = reading->settings;
    const char *name = mgl_source_column(reading->source, column);
    const mgl_attribute_settings *declared = mgl_settings_attribute(settings, name);
    if (settings->counted.column != NULL && strcmp(name, settings->counted.column) == 0)
        return "count";
    bool named = (declared != NULL && declared->role == MGL_ROLE_IDENTIFIER) ||
                 (settings->persons.column != NULL && strcmp(name, settings->persons.column) == 0);
    return reading->roles[column] == MGL_ROLE_IDENTIFIER && !named
               ? "left out"
               : mgl_role_name(reading->roles[column]);
}

/* ---- The record of the job ------------------------------------------------------------------- */

mgl_status mgl_reading_resolve(mgl_reading *reading, const char *column, const char *field,
                               const char *value, mgl_error *err)
{
    if (reading->resolved == NULL)
        reading->resolved = json_object();
    json_t *fields = json_object_get(reading->resolved, column);
    if (fields == NULL) {
        (void)json_object_set_new(reading->resolved, column, json_object());
        fields = json_object_get(reading->resolved, column);
    }
    return json_object_set_new(fields, field, json_string(value)) == 0 ? MGL_OK
                                                                       : mgl_fail_memory(err);
}

mgl_status mgl_job_resolved(const mgl_settings *settings, const json_t *resolved, mgl_job_use use,
                            mgl_error *err, json_t **out)
{
    json_t *document;
    MGL_TRY(mgl_job_document(settings->job, use, settings->saved.job, err, &document));
    mgl_status status = mgl_job_document_resolve(document, resolved, err);
    /* The release may become a file, where other cells would be missing, too. */
    if (settings->cells.missing_by_null &&
        json_object_set_new(document, "missing", json_pack("[s]", "")) != 0)
        status = mgl_fail_memory(err);
    /* So is what the choice of levels has of epsilon: a release is judged by it. */
    char share[MGL_NUMBER_TEXT];
    if (settings->chosen.draws && settings->dp.sampling.choosing > 0 &&
        json_object_set_new(
            document, "dp-search",
            json_stringn(share, mgl_number_write_exact(settings->dp.choosing, share))) != 0)
        status = mgl_fail_memory(err);
    /* What was found out is stated, so that release and job are read alike. */
    if (settings->source.headerless != NULL && settings->source.headerless->data &&
        json_object_set_new(document, "header", json_string("no")) != 0)
        status = mgl_fail_memory(err);
    if (status != MGL_OK) {
        json_decref(document);
        return status;
    }
    *out = document;
    return MGL_OK;
}

mgl_status mgl_reading_job(const mgl_reading *reading, mgl_job_use use, mgl_error *err,
                           json_t **out)
{
    return mgl_job_resolved(reading->settings, reading->resolved, use, err, out);
}

/* A column that is not used for linking (likelihood 0) is not a quasi-identifier: it is released
 * unchanged, with a warning. */
static bool is_linkable(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return attribute == NULL ||
           mgl_settings_links(settings, attribute->name, &attribute->likelihood);
}

static void note_unlinkable(mgl_reading *reading)
{
    const mgl_settings *settings = reading->settings;
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (attribute->role != MGL_ROLE_QUASI || is_linkable(settings, attribute))
            continue;
        reading->roles[mgl_source_find(reading->source, attribute->name)] = MGL_ROLE_INSENSITIVE;
        mgl_buffer_format(&reading->warnings,
                          "unlinkable-column\tcolumn %s has linking likelihood 0 and is released "
                          "unchanged%c",
                          attribute->name, '\0');
    }
}

bool mgl_is_read_by_model(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    for (size_t m = 0; m < settings->n_models; m++) {
        const mgl_model_settings *model = &settings->models[m];
        if (model->attribute != NULL && strcmp(model->attribute, attribute->name) == 0 &&
            model->type->reads_hierarchy != NULL && model->type->reads_hierarchy(model->parameters))
            return true;
    }
    return false;
}

static bool uses_hierarchy(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->uses_hierarchy != NULL && (*f)->uses_hierarchy(settings, attribute))
            return true;
    return false;
}

/* A person who gives a column a hierarchy may think that it is generalized. */
static void note_idle_hierarchies(mgl_reading *reading)
{
    const mgl_settings *settings = reading->settings;
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (attribute->hierarchy == NULL || attribute->role == MGL_ROLE_QUASI ||
            mgl_is_read_by_model(settings, attribute) || uses_hierarchy(settings, attribute))
            continue;
        const char *role = mgl_role_name(attribute->role);
        const char *why =
            attribute->role == MGL_ROLE_SENSITIVE
                ? "its values are released as they are, and no model of the job looks "
                  "at it (extended-p-sensitive does, and t-closeness with the "
                  "hierarchical distance)"
                : "only quasi-identifiers are generalized";
        mgl_buffer_format(
            &reading->warnings,
            "idle-hierarchy\tcolumn %s is %s and has a hierarchy that nothing uses: %s%c",
            attribute->name, role, why, '\0');
    }
}

/* The quasi-identifier columns in the order of the job: sets one after another, each column
 * once. */
static mgl_status collect_quasi(mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t most = mgl_source_columns(reading->source);
    MGL_TRY(mgl_new_zeroed(most, sizeof *reading->quasi, err, &reading->quasi));
    for (size_t q = 0; q < settings->n_quasi; q++)
        for (size_t i = 0; i < settings->quasi[q].n_names; i++) {
            const char *name = settings->quasi[q].names[i];
            const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
            bool known = !is_linkable(settings, attribute);
            for (size_t a = 0; !known && a < reading->n_quasi; a++)
                known = strcmp(reading->quasi[a].settings->name, name) == 0;
            if (!known)
                reading->quasi[reading->n_quasi++].settings = attribute;
        }
    bool named = settings->n_quasi > 0 && settings->quasi[0].n_names > 0;
    if (reading->n_quasi == 0 && named && (settings->km.column == NULL || settings->n_models > 0))
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "likelihood",
            "every quasi-identifier has linking likelihood 0, so that none is left and models "
            "promise nothing; leave `likelihood` out for those that others may know");
    if (reading->n_quasi == 0 && settings->km.column == NULL)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "quasi-identifiers",
                            "there is no quasi-identifier; name its columns with `role: quasi`");
    return MGL_OK;
}

/* The columns to which the job gives a hierarchy, whatever their roles; if there are none, the
 * quasi-identifiers, for which hierarchies are proposed. */
static mgl_status collect_drawn(mgl_reading *reading, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    MGL_TRY(mgl_new_zeroed(settings->n_attributes, sizeof *reading->quasi, err, &reading->quasi));
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].hierarchy != NULL)
            reading->quasi[reading->n_quasi++].settings = &settings->attributes[i];
    for (size_t i = 0, given = reading->n_quasi; given == 0 && i < settings->n_attributes; i++)
        if (settings->attributes[i].role == MGL_ROLE_QUASI)
            reading->quasi[reading->n_quasi++].settings = &settings->attributes[i];
    if (reading->n_quasi == 0)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "hierarchy",
                            "there is no hierarchy; give `hierarchy: COLUMN=FILE|BUILDER`, or "
                            "`role: quasi` for the proposed ones");
    return MGL_OK;
}

static bool models_need_sensitive(const mgl_settings *settings)
{
    for (size_t m = 0; m < settings->n_models; m++)
        if (mgl_looks_at_values(settings->models[m].type))
            return true;
    return false;
}

/* Could the codes take more memory than the job allows? They take less than the text does. */
static bool exceeds_memory(const mgl_reading *reading, mgl_purpose purpose)
{
    uint64_t size = mgl_source_size(reading->source), most = reading->settings->limits.memory;
    return most > 0 && mgl_purpose_searches(purpose) && (size == 0 || size > most / 2) &&
           !mgl_features_need_rows(reading);
}

static mgl_status read_requested(mgl_reading *reading, const mgl_column_request *requested,
                                 size_t n, mgl_purpose purpose, mgl_error *err)
{
    mgl_table_order order = {.opened = reading->session->data,
                             .requested = requested,
                             .n_requested = n,
                             .mode = reading->engine.counts             ? MGL_COUNTED
                                     : exceeds_memory(reading, purpose) ? MGL_IN_WINDOW
                                                                        : MGL_BY_COLUMN,
                             .settings = reading->settings,
                             .pins = &reading->pins};
    MGL_TRY(mgl_features_run(reading, MGL_BEFORE_READ, purpose, err));
    return mgl_session_table(reading->session, &order, err, &reading->table);
}

/* Which columns to keep: quasi-identifiers, sensitive ones if a model looks at them, and the class
 * label; then what features ask for. */
static size_t request(mgl_reading *reading, mgl_purpose purpose, mgl_column_request *requested)
{
    const mgl_settings *settings = reading->settings;
    size_t n_columns = mgl_source_columns(reading->source), n = 0;
    for (size_t a = 0; a < reading->n_quasi; a++)
        requested[n++] = (mgl_column_request){
            mgl_source_find(reading->source, reading->quasi[a].settings->name), MGL_ROLE_QUASI};
    bool sensitive = mgl_takes_as_is(purpose) || models_need_sensitive(settings) ||
                     settings->counted.column != NULL ||
                     (purpose == MGL_TO_RELEASE && mgl_respells(settings));
    for (size_t c = 0; sensitive && c < n_columns; c++)
        if (reading->roles[c] == MGL_ROLE_SENSITIVE)
            requested[n++] = (mgl_column_request){c, MGL_ROLE_SENSITIVE};
    reading->n_counted = reading->n_sensitive = reading->n_judged = n - reading->n_quasi;
    reading->label = SIZE_MAX;
    if (settings->label != NULL) {
        reading->label = reading->n_counted++;
        size_t column = mgl_source_find(reading->source, settings->label);
        requested[n++] = (mgl_column_request){column, reading->roles[column]};
    }
    return mgl_features_request(reading, purpose, requested, n);
}

static mgl_status read_table(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    size_t most = 5 * (mgl_source_columns(reading->source) + 2);
    mgl_column_request *requested = mgl_alloc_array(most, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    mgl_status status =
        read_requested(reading, requested, request(reading, purpose, requested), purpose, err);
    mgl_free(requested);
    if (status != MGL_OK)
        return status;
    MGL_TRY(mgl_new_array(reading->n_counted, sizeof *reading->counted, err, &reading->counted));
    for (size_t i = 0; i < reading->n_counted; i++)
        reading->counted[i] = &reading->table->columns[reading->n_quasi + i];
    mgl_features_take_columns(reading, purpose);
    return mgl_features_run(reading, MGL_ON_READ, purpose, err);
}

/* A ground value * would read as a suppressed cell. */
static mgl_status refuse_stars(const mgl_reading *reading, const mgl_quasi_column *quasi,
                               mgl_error *err)
{
    if (quasi->hierarchy->star_leaf == MGL_NOT_FOUND)
        return MGL_OK;
    return mgl_blame_column(
        err,
        mgl_fail_key_at(err, MGL_CODE_BAD_CELL, mgl_source_name(reading->source), "missing",
                        "column \"%.60s\" holds cells that are \"*\", which is how suppressed "
                        "cells are written; name them in `missing`, or replace them",
                        quasi->settings->name),
        quasi->settings->name);
}

static mgl_status bind_column(mgl_reading *reading, size_t a, mgl_purpose purpose, mgl_error *err)
{
    mgl_quasi_column *quasi = &reading->quasi[a];
    const mgl_cache_entry *released, *leaves;
    quasi->column = &reading->table->columns[a];
    if (quasi->hierarchy == NULL)
        MGL_TRY(mgl_quasi_hierarchy(reading, purpose, quasi, err));
    if (mgl_purpose_searches(purpose) || reading->settings->counted.least > 0)
        MGL_TRY(refuse_stars(reading, quasi, err));
    MGL_TRY(mgl_released_find(reading, quasi->kept, quasi->settings->by, err, &released));
    MGL_TRY(mgl_leaves_find(reading, quasi->kept, quasi->column, err, &leaves));
    quasi->released = reading->released[a] = released->object;
    quasi->leaf_of_code = leaves->object;
    quasi->number = leaves->number;
    reading->bound[a] = (mgl_bound_column){quasi->column, quasi->hierarchy, quasi->leaf_of_code};
    return MGL_OK;
}

/* A file may spell a value in another way than the table does; builders take what is there. */
static mgl_status find_given(mgl_reading *reading, size_t s, const char *spec, mgl_error *err,
                             const mgl_cache_entry **out)
{
    mgl_column column = *reading->counted[s];
    const mgl_cell_rule *rule = &reading->cells[s].rule;
    mgl_tree_request request = {
        .table = reading->table, .column = &column, .origin = MGL_TREE_GIVEN, .spec = spec};
    mgl_dictionary *spelled = NULL;
    mgl_status status = MGL_OK;
    if (!rule->exact && !mgl_hierarchy_is_builder(spec))
        MGL_GO(mgl_values_as_file(spec, &column, rule, err, &spelled));
    if (spelled != NULL)
        column.dictionary = spelled;
    MGL_GO(mgl_tree_find(reading, &request, err, out));
done:
    mgl_dictionary_free(spelled);
    return status;
}

static mgl_status make_sensitive_hierarchy(mgl_reading *reading, size_t s, mgl_error *err)
{
    const mgl_column *column = reading->counted[s];
    const mgl_attribute_settings *attribute =
        mgl_settings_attribute(reading->settings, column->name);
    mgl_hierarchy *claimed;
    const mgl_cache_entry *kept;
    bool claims = attribute != NULL && mgl_claims_has_tree(reading->settings, column->name);
    if (attribute == NULL || (attribute->hierarchy == NULL && !claims))
        return MGL_OK;
    if (attribute->hierarchy == NULL) {
        MGL_TRY(mgl_claimed_hierarchy(reading->settings, column, &reading->cells[s].rule, err,
                                      &claimed));
        MGL_TRY(mgl_tree_keep(reading, claimed, err, &kept));
    } else {
        MGL_TRY(find_given(reading, s, attribute->hierarchy, err, &kept));
    }
    reading->sensitive_hierarchies[s] = ((const mgl_tree *)kept->object)->hierarchy;
    reading->sensitive_numbers[s] = kept->number;
    return MGL_OK;
}

/* Hierarchies of sensitive columns are for the models only; the values are released unchanged. */
static mgl_status make_sensitive_hierarchies(mgl_reading *reading, mgl_error *err)
{
    reading->sensitive_hierarchies =
        mgl_zeroed_array(reading->n_sensitive, sizeof *reading->sensitive_hierarchies);
    reading->sensitive_numbers =
        mgl_zeroed_array(reading->n_sensitive, sizeof *reading->sensitive_numbers);
    MGL_TRY(mgl_check_memory(
        reading->sensitive_hierarchies != NULL && reading->sensitive_numbers != NULL, err));
    for (size_t s = 0; s < reading->n_sensitive; s++)
        MGL_TRY(make_sensitive_hierarchy(reading, s, err));
    return MGL_OK;
}

/* The source is the session's, which has just been opened or was before. */
static void take_session(mgl_reading *reading)
{
    reading->source = reading->session->data->source;
    reading->pool = reading->session->pool;
    reading->pins.cache = reading->session->cache;
}

/* Decides what the engine of the source does by itself. If it changes what the source gives, no job
 * before or after this one may see that. */
static mgl_status decide_push(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    MGL_TRY(decide_engine(reading, purpose, err));
    if (!reading->engine.writes && !mgl_features_in_engine(reading))
        return MGL_OK;
    MGL_TRY(mgl_session_spend(reading->session, reading->settings, err));
    take_session(reading);
    return MGL_OK;
}

/* Where the engine turns out not to leave rows out itself, it does nothing else either. */
static mgl_status choose_rows(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    MGL_TRY(mgl_choose_rows(reading, exceeds_memory(reading, purpose), err));
    return reading->rows != NULL && mgl_rows_are_chosen_here(reading)
               ? decide_engine(reading, purpose, err)
               : MGL_OK;
}

static mgl_status fill_reading(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    MGL_TRY(mgl_session_attach(reading->session, reading->settings, err));
    take_session(reading);
    MGL_TRY(mgl_labels_differ(reading, purpose, err));
    const mgl_settings *settings = reading->settings;
    if (purpose == MGL_TO_RELEASE && !settings->brief)
        mgl_source_hash(reading->source);
    size_t n_columns = mgl_source_columns(reading->source);
    reading->roles = mgl_zeroed_array(n_columns, sizeof *reading->roles);
    reading->replaced = mgl_zeroed_array(n_columns, sizeof *reading->replaced);
    MGL_TRY(mgl_check_memory(reading->roles != NULL && reading->replaced != NULL, err));
    MGL_TRY(assign_roles(settings, reading->source, purpose, err, reading->roles));
    note_unlinkable(reading);
    if (mgl_purpose_searches(purpose))
        note_idle_hierarchies(reading);
    MGL_TRY(purpose == MGL_TO_DRAW ? collect_drawn(reading, err) : collect_quasi(reading, err));
    MGL_TRY(check_partitions(reading, purpose, err));
    MGL_TRY(decide_push(reading, purpose, err));
    MGL_TRY(mgl_features_run(reading, MGL_ON_OPEN, purpose, err));
    MGL_TRY(choose_rows(reading, purpose, err));
    MGL_TRY(read_table(reading, purpose, err));
    if ((mgl_purpose_searches(purpose) || purpose == MGL_TO_COMPARE || purpose == MGL_TO_LATTICE) &&
        !mgl_features_in_engine(reading))
        mgl_notations_note(reading);
    MGL_TRY(make_sensitive_hierarchies(reading, err));
    MGL_TRY(mgl_features_run(reading, MGL_ON_VALUES, purpose, err));
    reading->bound = mgl_zeroed_array(reading->n_quasi, sizeof *reading->bound);
    reading->released = mgl_zeroed_array(reading->n_quasi, sizeof *reading->released);
    MGL_TRY(mgl_check_memory(reading->bound != NULL && reading->released != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        MGL_TRY(bind_column(reading, a, purpose, err));
    return mgl_features_run(reading, MGL_ON_BOUND, purpose, err);
}

mgl_status mgl_reading_new(mgl_session *session, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_error *err, mgl_reading **out)
{
    double start = mgl_sys_seconds();
    MGL_TRY(mgl_progress_report(&settings->progress, "read", 0, 0, err));
    mgl_reading *reading = mgl_zeroed_array(1, sizeof *reading);
    MGL_TRY(mgl_check_memory(reading != NULL, err));
    reading->settings = settings;
    reading->session = session;
    mgl_status status = mgl_features_begin(reading, err);
    if (status == MGL_OK)
        status = fill_reading(reading, purpose, err);
    if (status != MGL_OK) {
        mgl_reading_free(reading);
        return status;
    }
    reading->seconds = mgl_sys_seconds() - start;
    *out = reading;
    return MGL_OK;
}

/* What is borrowed goes back before the holds do. */
void mgl_reading_free(mgl_reading *reading)
{
    if (reading == NULL)
        return;
    mgl_features_forget(reading);
    mgl_table_free(reading->table);
    mgl_chosen_rows_forget(reading);
    mgl_cache_unpin(&reading->pins);
    mgl_session_detach(reading->session);
    mgl_free(reading->as_is);
    mgl_arena_free(reading->tokens);
    mgl_free(reading->sensitive_hierarchies);
    mgl_free(reading->sensitive_numbers);
    mgl_free(reading->quasi);
    mgl_free(reading->bound);
    mgl_free(reading->released);
    mgl_free(reading->counted);
    mgl_free(reading->roles);
    mgl_free(reading->replaced);
    mgl_buffer_free(&reading->warnings);
    json_decref(reading->resolved);
    mgl_free(reading);
}

const mgl_replacement *mgl_reading_replaced(const mgl_reading *reading, size_t field)
{
    return reading->replaced[field].replaced ? &reading->replaced[field] : NULL;
}

mgl_status mgl_reading_judge(mgl_reading *reading, size_t at, const mgl_column *columns, size_t n,
                             mgl_error *err)
{
    size_t n_counted = reading->n_counted + n;
    const mgl_column **counted = mgl_alloc_array(n_counted, sizeof *counted);
    MGL_TRY(mgl_check_memory(counted != NULL, err));
    for (size_t i = 0; i < reading->n_counted; i++)
        counted[i < at ? i : i + n] = reading->counted[i];
    for (size_t i = 0; i < n; i++)
        counted[at + i] = &columns[i];
    mgl_free(reading->counted);
    reading->counted = counted;
    reading->n_counted = n_counted;
    reading->n_judged += n;
    if (reading->label != SIZE_MAX)
        reading->label += n;
    return MGL_OK;
}
