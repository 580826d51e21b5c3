/* The hierarchies of columns, their leaves and released values: chosen (given by the job, proposed
 * as by `hierarchy suggest`, or value and *) and cached in the session. */
#include "pipeline/read/reading_steps.h"
#include "pipeline/read/feature.h"

/* Would the method look at the hierarchy of a column to which the job gives none? scaled: its
 * values are numbers or dates. */
static bool method_climbs(const mgl_method_type *method, bool scaled)
{
    return !method->keeps_values && !(method->own_values && scaled);
}

static bool any_climbs(const mgl_settings *settings, bool scaled)
{
    if (settings->counted.least > 0)
        return true; /* what is rare is counted on higher levels, whatever the method does */
    for (size_t i = 0; i < settings->comparison.n_methods; i++)
        if (method_climbs(settings->comparison.methods[i], scaled))
            return true;
    return settings->comparison.n_methods == 0;
}

/* Would some method want a proposal only for values that are no numbers or dates? */
static bool depends_on_scale(const mgl_settings *settings, mgl_purpose purpose,
                             const mgl_quasi_column *quasi)
{
    return mgl_purpose_searches(purpose) && !quasi->settings->asks_for_levels &&
           quasi->settings->kind != MGL_GIVEN_NOMINAL && !any_climbs(settings, true);
}

/* Is a hierarchy to be proposed? What stands for a group is no value of one. */
static mgl_status wants_proposal(mgl_reading *reading, mgl_purpose purpose,
                                 const mgl_quasi_column *quasi, mgl_tree_request request,
                                 mgl_error *err, bool *out)
{
    const mgl_cache_entry *kept;
    mgl_scale *scale = NULL;
    *out = !mgl_takes_as_is(purpose) && mgl_settings_stand_in(quasi->settings) == NULL &&
           !quasi->settings->by; /* that column stays as it is */
    if (!*out || !depends_on_scale(reading->settings, purpose, quasi))
        return MGL_OK;
    request.origin = MGL_TREE_OF_VALUES;
    MGL_TRY(mgl_tree_find(reading, &request, err, &kept));
    MGL_TRY(mgl_scale_new(((const mgl_tree *)kept->object)->hierarchy, err, &scale));
    *out = any_climbs(reading->settings, scale != NULL);
    mgl_scale_free(scale);
    return MGL_OK;
}

/* Suggests a hierarchy for the values of a column of a table, which are of this kind. Free with
 * mgl_suggestion_free. */
static mgl_status suggest_values(const mgl_table *table, const mgl_column *column,
                                 mgl_given_kind kind, mgl_error *err, mgl_suggestion *out)
{
    MGL_TRY(mgl_column_count_rows(column, table->n_rows, table->times, err));
    return mgl_suggest(column->name, column->dictionary, kind, err, out);
}

mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out)
{
    const mgl_attribute_settings *declared = mgl_settings_attribute(settings, column->name);
    return suggest_values(table, column, declared != NULL ? declared->kind : MGL_GIVEN_NOTHING, err,
                          out);
}

/* Are the cells of all columns released at one level each? */
static bool has_one_level(const mgl_reading *reading, mgl_purpose purpose)
{
    const mgl_settings *s = reading->settings;
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (reading->quasi[a].settings->by)
            return false;
    for (size_t i = 0; purpose != MGL_TO_LATTICE && i < s->comparison.n_methods; i++)
        if (!s->comparison.methods[i]->full_domain)
            return false;
    return mgl_purpose_searches(purpose) || purpose == MGL_TO_LATTICE;
}

mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err)
{
    mgl_tree_request request = {.table = reading->table,
                                .column = quasi->column,
                                .spec =
                                    mgl_takes_as_is(purpose) ? NULL : quasi->settings->hierarchy,
                                .kind = quasi->settings->kind,
                                .stand_ins = reading->settings->counted.least > 0};
    request.by_level = !request.stand_ins && has_one_level(reading, purpose);
    if (quasi->settings->has_released_level)
        mgl_tree_read_at(&request, quasi->settings);
    /* For a feature an engine returns only the values that a file of a hierarchy does not list. */
    bool lists_all = request.spec == NULL || !mgl_features_in_engine(reading);
    bool empty = reading->table->n_rows == 0 && lists_all, wanted = false;
    if (request.spec == NULL && !empty)
        MGL_TRY(wants_proposal(reading, purpose, quasi, request, err, &wanted));
    request.origin = empty                  ? MGL_TREE_OF_NOTHING
                     : request.spec != NULL ? MGL_TREE_GIVEN
                     : wanted               ? MGL_TREE_PROPOSED
                                            : MGL_TREE_OF_VALUES;
    MGL_TRY(mgl_tree_find(reading, &request, err, &quasi->kept));
    const mgl_tree *tree = quasi->kept->object;
    quasi->hierarchy = tree->hierarchy;
    quasi->proposed = tree->proposed;
    return tree->proposed != NULL ? mgl_reading_resolve(reading, quasi->settings->name, "hierarchy",
                                                        tree->hierarchy->resolved, err)
                                  : MGL_OK;
}

/* ---- Hierarchies ----------------------------------------------------------------------------- */

static void free_tree(void *object)
{
    mgl_tree *tree = object;
    mgl_hierarchy_free(tree->hierarchy);
    mgl_free(tree->proposed);
    mgl_free(tree);
}

/* Enough for going back and forth between some hierarchies of a wide table. */
static const mgl_cache_kind trees = {free_tree, 256};

static mgl_status make_of_nothing(const mgl_column *column, mgl_error *err, mgl_tree *tree)
{
    mgl_dictionary *values = mgl_dictionary_new();
    mgl_status status =
        values == NULL || mgl_dictionary_add(values, mgl_span_of("-")) == MGL_NOT_FOUND
            ? mgl_fail_memory(err)
            : mgl_hierarchy_make(NULL, column->name, values, err, &tree->hierarchy);
    mgl_dictionary_free(values);
    return status;
}

/* A column that the job calls nominal keeps its proposal as a given hierarchy: its numbers are
 * codes, of which no ranges are made. */
static mgl_status make_proposed(const mgl_tree_request *request, mgl_error *err, mgl_tree *tree)
{
    mgl_suggestion found;
    MGL_TRY(suggest_values(request->table, request->column, request->kind, err, &found));
    mgl_status status = mgl_buffer_take(&found.builder, err, &tree->proposed);
    if (status == MGL_OK) {
        tree->hierarchy = found.hierarchy;
        tree->hierarchy->given = request->kind == MGL_GIVEN_NOMINAL;
        found.hierarchy = NULL;
    }
    mgl_suggestion_free(&found);
    return status;
}

static mgl_status make_given(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                             mgl_tree *tree)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        if ((*f)->make_tree != NULL)
            MGL_TRY((*f)->make_tree(reading, request, err, &tree->hierarchy));
        if (tree->hierarchy != NULL)
            return MGL_OK;
    }
    if (request->spec != NULL && mgl_hierarchy_needs_rows(request->spec))
        MGL_TRY(mgl_column_count_rows(request->column, request->table->n_rows,
                                      request->table->times, err));
    return mgl_hierarchy_make(request->spec, request->column->name, request->column->dictionary,
                              err, &tree->hierarchy);
}

/* A ground value * is refused where stand-ins are wanted: it gets none. */
static mgl_status make_tree(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                            mgl_tree *tree)
{
    MGL_TRY(request->origin == MGL_TREE_OF_NOTHING ? make_of_nothing(request->column, err, tree)
            : request->origin == MGL_TREE_PROPOSED ? make_proposed(request, err, tree)
                                                   : make_given(reading, request, err, tree));
    if (request->by_level)
        return mgl_hierarchy_read_at(tree->hierarchy, request->level, err);
    return request->stand_ins && tree->hierarchy->star_leaf == MGL_NOT_FOUND
               ? mgl_hierarchy_add_stand_ins(tree->hierarchy, err)
               : MGL_OK;
}

static void write_file_key(mgl_buffer *key, const char *spec)
{
    mgl_buffer path = {0};
    mgl_buffer_span(&path, mgl_hierarchy_path(spec));
    mgl_buffer_append(&path, "", 1);
    if (path.failed)
        key->failed = true;
    else if (path.size > 1)
        mgl_key_file(key, path.data);
    mgl_buffer_free(&path);
}

const mgl_column *mgl_tree_column(const mgl_table *table, mgl_span name)
{
    for (size_t c = 0; c < table->n_columns; c++)
        if (table->columns[c].role == MGL_ROLE_QUASI && mgl_span_is(name, table->columns[c].name))
            return &table->columns[c];
    return NULL;
}

static void write_key(mgl_buffer *key, const mgl_tree_request *request)
{
    mgl_key_number(key, request->column->number);
    mgl_key_number(key, request->origin);
    mgl_key_number(key, request->origin == MGL_TREE_PROPOSED ? request->kind : 0);
    mgl_key_number(key, request->stand_ins);
    mgl_key_number(key, request->by_level ? (uint64_t)request->level + 1 : 0);
    mgl_key_text(key, request->spec);
    if (request->spec == NULL)
        return;
    write_file_key(key, request->spec);
    mgl_span rest = mgl_hierarchy_columns(request->spec), name; /* of which it is made */
    while (mgl_hierarchy_next_column(&rest, request->column->name, &name)) {
        const mgl_column *column = mgl_tree_column(request->table, name);
        mgl_key_number(key, column != NULL ? column->number : 0);
    }
}

static mgl_status find_tree(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                            const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    mgl_tree *tree = NULL;
    mgl_status status = MGL_OK;
    write_key(&key, request);
    MGL_GO(mgl_cache_find(&reading->pins, &trees, &key, err, &kept));
    if (kept == NULL) {
        tree = mgl_zeroed_array(1, sizeof *tree);
        MGL_GO(tree == NULL ? mgl_fail_memory(err) : make_tree(reading, request, err, tree));
        reading->session->work.hierarchies_made++;
        mgl_tree *given = tree;
        tree = NULL;
        MGL_GO(mgl_cache_add(&reading->pins, &trees, &key, given, err, &kept));
    }
    *out = kept;
done:
    if (tree != NULL)
        free_tree(tree);
    mgl_buffer_free(&key);
    return status;
}

/* Only hierarchies whose labels repeat depend on how they are read. */
mgl_status mgl_tree_find(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                         const mgl_cache_entry **out)
{
    mgl_tree_request plain = *request;
    plain.by_level = false;
    MGL_TRY(find_tree(reading, &plain, err, out));
    bool repeats = ((const mgl_tree *)(*out)->object)->hierarchy->repeats;
    return request->by_level && repeats ? find_tree(reading, request, err, out) : MGL_OK;
}

mgl_status mgl_tree_keep(mgl_reading *reading, mgl_hierarchy *hierarchy, mgl_error *err,
                         const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    mgl_tree *tree = mgl_zeroed_array(1, sizeof *tree);
    if (tree == NULL) {
        mgl_hierarchy_free(hierarchy);
        return mgl_fail_memory(err);
    }
    tree->hierarchy = hierarchy;
    mgl_key_number(&key, mgl_cache_number(reading->pins.cache));
    reading->session->work.hierarchies_made++;
    mgl_status status = mgl_cache_add(&reading->pins, &trees, &key, tree, err, out);
    mgl_buffer_free(&key);
    return status;
}

/* ---- What is made of them -----------------------------------------------------------------------
 * The key has the number of the hierarchy: once that is gone, what was made of it is not found
 * again. */

static void free_released(void *object)
{
    mgl_released_column_free(object);
}

static const mgl_cache_kind leaves = {mgl_free, 256};
static const mgl_cache_kind released_columns = {free_released, 256};

static mgl_status bind_leaves(const mgl_hierarchy *hierarchy, const mgl_column *column,
                              mgl_error *err, uint32_t **out)
{
    uint32_t *of_code = mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof *of_code);
    MGL_TRY(mgl_check_memory(of_code != NULL, err));
    mgl_status status =
        mgl_hierarchy_bind(hierarchy, column->name, column->dictionary, err, of_code);
    if (status != MGL_OK) {
        mgl_free(of_code);
        return status;
    }
    *out = of_code;
    return MGL_OK;
}

mgl_status mgl_leaves_find(mgl_reading *reading, const mgl_cache_entry *kept_tree,
                           const mgl_column *column, mgl_error *err, const mgl_cache_entry **out)
{
    const mgl_tree *tree = kept_tree->object;
    mgl_buffer key = {0};
    uint32_t *of_code = NULL;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, kept_tree->number);
    mgl_key_number(&key, column->number);
    MGL_GO(mgl_cache_find(&reading->pins, &leaves, &key, err, out));
    if (*out != NULL)
        goto done;
    MGL_GO(bind_leaves(tree->hierarchy, column, err, &of_code));
    MGL_GO(mgl_cache_add(&reading->pins, &leaves, &key, of_code, err, out));
done:
    mgl_buffer_free(&key);
    return status;
}

mgl_status mgl_released_find(mgl_reading *reading, const mgl_cache_entry *kept_tree, bool held,
                             mgl_error *err, const mgl_cache_entry **out)
{
    const mgl_tree *tree = kept_tree->object;
    mgl_buffer key = {0};
    mgl_released_column *released;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, kept_tree->number);
    mgl_key_number(&key, held);
    MGL_GO(mgl_cache_find(&reading->pins, &released_columns, &key, err, out));
    if (*out != NULL)
        goto done;
    MGL_GO(mgl_released_column_new(tree->hierarchy, err, &released));
    released->held = held;
    MGL_GO(mgl_cache_add(&reading->pins, &released_columns, &key, released, err, out));
done:
    mgl_buffer_free(&key);
    return status;
}
