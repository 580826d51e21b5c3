/* Reads the population table (--population): everybody the rows of the table were drawn from. Its
 * values join the dictionaries of the table, so that one hierarchy serves both. */
#include "claims/claims.h"
#include "findings/findings.h"
#include "pipeline/pipeline.h"

extern const mgl_feature mgl_population_feature;

static mgl_known_population *population_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_population_feature);
}

/* Dictionaries that were made of two others, which stay as they are. */
static void free_dictionary(void *object)
{
    mgl_dictionary_free(object);
}

static const mgl_cache_kind dictionaries = {free_dictionary, 64};

/* Fills a copy of the dictionary of a column from another one. */
typedef mgl_status join_fn(const mgl_settings *settings, mgl_column *column,
                           const mgl_dictionary *other, mgl_error *err);

/* Lets the column, whose codes stay, have the dictionary that joining it with another makes. */
static mgl_status take_joined(mgl_reading *reading, mgl_column *column, const mgl_column *other,
                              join_fn *join, mgl_error *err)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    mgl_column joined = *column;
    joined.dictionary = NULL;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, column->number);
    mgl_key_number(&key, other->number);
    MGL_GO(mgl_cache_find(&reading->pins, &dictionaries, &key, err, &kept));
    if (kept == NULL) {
        joined.dictionary = mgl_dictionary_new();
        if (joined.dictionary == NULL ||
            !mgl_dictionary_join(joined.dictionary, column->dictionary))
            MGL_GO(mgl_fail_memory(err));
        mgl_dictionary_resemble(joined.dictionary, column->dictionary);
        MGL_GO(join(reading->settings, &joined, other->dictionary, err));
        mgl_dictionary *given = joined.dictionary;
        joined.dictionary = NULL;
        MGL_GO(mgl_cache_add(&reading->pins, &dictionaries, &key, given, err, &kept));
    }
    column->dictionary = kept->object;
    column->number = kept->number;
done:
    mgl_dictionary_free(joined.dictionary);
    mgl_buffer_free(&key);
    return status;
}

static mgl_status spell_alike(const mgl_settings *settings, mgl_column *column,
                              const mgl_dictionary *other, mgl_error *err)
{
    return mgl_column_adopt(column, other, settings->source.spelling, err);
}

static mgl_status add_values(const mgl_settings *settings, mgl_column *column,
                             const mgl_dictionary *other, mgl_error *err)
{
    MGL_TRY(mgl_check_memory(mgl_dictionary_join(column->dictionary, other), err));
    /* Both tables together can show how values are written where one alone leaves it open. */
    mgl_notation notation = *mgl_dictionary_notation(column->dictionary);
    if (settings->source.decimal == 0)
        mgl_dictionary_sniff(column->dictionary, &notation);
    mgl_dictionary_set_notation(column->dictionary, &notation);
    return MGL_OK;
}

static mgl_status request(const mgl_reading *reading, const mgl_source *source, mgl_error *err,
                          mgl_column_request *requested)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const char *name = reading->quasi[a].settings->name;
        requested[a] = (mgl_column_request){mgl_source_find(source, name), MGL_ROLE_QUASI};
        if (requested[a].source_index == SIZE_MAX)
            return mgl_blame_column(
                err,
                mgl_fail_key_at(err, MGL_CODE_MISMATCH, reading->settings->sampled.population,
                                "population",
                                "the population has no column \"%.60s\"; it needs every "
                                "quasi-identifier column",
                                name),
                name);
    }
    return MGL_OK;
}

/* After the table and before its hierarchies are made, which must have its values as well. */
static mgl_status read_population(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    (void)purpose;
    mgl_opened *opened;
    if (settings->sampled.population == NULL)
        return MGL_OK;
    MGL_TRY(mgl_session_other(reading->session, settings->sampled.population, settings,
                              &reading->pins, err, &opened));
    mgl_column_request *requested = mgl_alloc_array(reading->n_quasi, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    mgl_table_order order = {.opened = opened,
                             .requested = requested,
                             .n_requested = reading->n_quasi,
                             .mode =
                                 mgl_source_counts(opened->source) ? MGL_COUNTED : MGL_BY_COLUMN,
                             .settings = settings,
                             .pins = &reading->pins};
    mgl_status status = MGL_OK;
    MGL_GO(request(reading, opened->source, err, requested));
    MGL_GO(mgl_session_table(reading->session, &order, err, &population_of(reading)->table));
    reading->population = population_of(reading);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        mgl_column *of_table = &reading->table->columns[a],
                   *of_all = &reading->population->table->columns[a];
        if (mgl_respells(settings))
            MGL_GO(take_joined(reading, of_all, of_table, spell_alike, err));
        MGL_GO(take_joined(reading, of_table, of_all, add_values, err));
    }
done:
    mgl_free(requested);
    return status;
}

/* Where cells are taken as they are, the population shows what they may stand for: by the hierarchy
 * that is given, else by the one that would be proposed. */
static mgl_status find_own(mgl_reading *reading, size_t a, mgl_error *err,
                           const mgl_cache_entry **out)
{
    const mgl_attribute_settings *settings = reading->quasi[a].settings;
    const mgl_column *column = &reading->population->table->columns[a];
    bool given = settings->hierarchy != NULL || mgl_dictionary_size(column->dictionary) == 0;
    mgl_tree_request request = {.table = reading->population->table,
                                .column = column,
                                .origin = given ? MGL_TREE_GIVEN : MGL_TREE_PROPOSED,
                                .spec = settings->hierarchy,
                                .kind = settings->kind};
    mgl_tree_read_at(&request, settings);
    MGL_TRY(mgl_tree_find(reading, &request, err, out));
    const mgl_hierarchy *hierarchy = ((const mgl_tree *)(*out)->object)->hierarchy;
    return settings->has_released_level
               ? MGL_OK
               : mgl_hierarchy_check_texts(hierarchy, settings->name,
                                           reading->quasi[a].column->dictionary, err);
}

static mgl_status bind_population(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    if (reading->population == NULL)
        return MGL_OK;
    mgl_known_population *all = population_of(reading);
    all->bound = mgl_zeroed_array(reading->n_quasi, sizeof *all->bound);
    all->numbers = mgl_zeroed_array(reading->n_quasi, sizeof *all->numbers);
    MGL_TRY(mgl_check_memory(all->bound != NULL && all->numbers != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_column *column = &reading->population->table->columns[a];
        const mgl_cache_entry *tree = reading->quasi[a].kept, *leaves;
        if (mgl_takes_as_is(purpose))
            MGL_TRY(find_own(reading, a, err, &tree));
        MGL_TRY(mgl_leaves_find(reading, tree, column, err, &leaves));
        all->bound[a] =
            (mgl_bound_column){column, ((const mgl_tree *)tree->object)->hierarchy, leaves->object};
        all->numbers[a] = leaves->number;
    }
    return MGL_OK;
}

static void forget(mgl_reading *reading)
{
    mgl_known_population *all = population_of(reading);
    mgl_free(all->bound);
    mgl_free(all->numbers);
    mgl_table_free(all->table);
}

/* Released tuples are matched with it. */
static mgl_status carry(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    if (reading->population == NULL)
        return MGL_OK;
    const mgl_known_population *all = reading->population;
    size_t n = reading->n_quasi;
    mgl_promised_population *promised = mgl_arena_alloc(p->arena, sizeof *promised);
    const mgl_column **columns = mgl_arena_alloc(p->arena, n * sizeof *columns);
    const mgl_hierarchy **hierarchies = mgl_arena_alloc(p->arena, n * sizeof *hierarchies);
    const uint32_t **leaves = mgl_arena_alloc(p->arena, n * sizeof *leaves);
    MGL_TRY(mgl_check_memory(
        promised != NULL && columns != NULL && hierarchies != NULL && leaves != NULL, err));
    for (size_t a = 0; a < n; a++) {
        columns[a] = all->bound[a].column;
        hierarchies[a] = all->bound[a].hierarchy;
        leaves[a] = all->bound[a].leaf_of_code;
    }
    *promised = (mgl_promised_population){columns, hierarchies, leaves, all->table->n_rows,
                                          all->table->times};
    p->promise.population = promised;
    return MGL_OK;
}

static const mgl_feature_release release = {.carry = carry};

static bool needs(const mgl_model_type *type)
{
    return type->needs_population;
}

static void note_needs(mgl_claims *c)
{
    mgl_json_set(c->is, "needs_population", json_boolean(mgl_claims_any_type(c, needs)));
}

static const char *why_unjudged(const mgl_claims *c, const mgl_model_type *type)
{
    return type->needs_population && c->settings->sampled.population == NULL
               ? "needs the population; `population: FILE`"
               : NULL;
}

/* A recoding that was applied knows what its models need. */
static const char *const rules[] = {
    "audit.job.population needed if is.needs_population and !is.applied", NULL};

static const mgl_feature_audit audit = {
    .rules = rules, .count = note_needs, .unjudged = why_unjudged};

const mgl_feature mgl_population_feature = {
    .name = "population",
    .release = &release,
    .audit = &audit,
    .size = sizeof(mgl_known_population),
    .on = {[MGL_ON_VALUES] = read_population, [MGL_ON_BOUND] = bind_population},
    .forget = forget};
