/* Compares the keys of the job that a result records: each is known, has what it needs beside it,
 * and agrees with what the rest of the result tells. Keys that leave no trace are named. The audit
 * trail is compared by claimed_trail.c, which calls it. */
#include "command/audit/claims.h"

#include <stdio.h>

/* Keys of the job, and fields of its columns, that can be others without anything else in the
 * result or the release being different: how the search went, how cells were read that no model
 * counts, limits that were not reached, and names of files. */
#define TRACELESS                                                                                  \
    "accept, allow-leaks (columns without leaks), brief, century, combinations, cut, "             \
    "decimal, delimiter, effort, encoding, fold-case, follow, generalize, guard-counts, "          \
    "header, hierarchy (of columns that are aggregated), hint, history-judged, "                   \
    "household, identification, importance, keep-order, kind, km-separator, level, "               \
    "likelihood, memory, method (the default), missing, neutralize, no-header, "                   \
    "overwrite, partition-by, policy (its name), population (its name), prefer, "                  \
    "preference, replace, report, rest (where all columns have roles), result, sample, "           \
    "save-job, save-map, save-promise, save-proof, save-recoding, sign, statement, "               \
    "suppress, suppressed, threads, time-limit, trim, unpack, verbose, where"

/* ---- Keys that are known -------------------------------------------------------------------- */

/* A model and its parameters, in the form of `privacy`. */
static void check_model(mgl_claims *c, const char *object, const char *key, const json_t *value)
{
    const mgl_model_type *type = mgl_model_type_find(key);
    char name[MGL_CLAIM_NAME], within[MGL_CLAIM_NAME];
    const char *parameter;
    json_t *one;
    mgl_claim_name(name, object, key);
    if (type == NULL) {
        mgl_claims_unknown(c, name, value);
        return;
    }
    json_object_foreach((json_t *)value, parameter, one)
    {
        bool known = strcmp(parameter, "attribute") == 0;
        for (size_t i = 0; i < type->n_parameters; i++)
            known = known || strcmp(parameter, type->parameters[i].name) == 0;
        if (!known)
            mgl_claims_unknown(c, mgl_claim_name(within, name, parameter), one);
    }
}

static bool is_before(const json_t *list, size_t end, const json_t *one)
{
    for (size_t i = 0; i < end; i++)
        if (json_equal(json_array_get(list, i), one))
            return true;
    return false;
}

/* Is each a known model with known parameters, and none there twice? */
static void compare_model_keys(mgl_claims *c, const char *object, const json_t *models)
{
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const char *key;
        json_t *value;
        if (json_object_size(model) != 1 || is_before(models, i, model))
            mgl_claims_contradict(c, object, model);
        json_object_foreach((json_t *)model, key, value) check_model(c, object, key, value);
    }
}

static void check_columns(mgl_claims *c)
{
    const char *column, *field;
    json_t *fields, *value;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
        const char *role = mgl_json_text(fields, "role");
        bool elsewhere = json_object_get(c->job, "count") != NULL && role != NULL &&
                         (strcmp(role, "identifier") == 0 || strcmp(role, "insensitive") == 0);
        /* Every column that the job names is one of the table, or stayed where it was counted. */
        if (!elsewhere && !mgl_claims_is_column(c, column))
            mgl_claims_missing(c, mgl_claim_name(name, "audit.columns", column));
        mgl_claim_name(object, "audit.job.attributes", column);
        if (!json_is_object(fields))
            mgl_claims_contradict(c, object, fields);
        json_object_foreach(fields, field, value)
        {
            if (strcmp(field, "role") != 0 && !mgl_job_knows_key(field))
                mgl_claims_unknown(c, mgl_claim_name(name, object, field), value);
        }
    }
}

static void check_known(mgl_claims *c)
{
    static const char *const besides[] = {"attributes", "privacy", "quasi-identifiers"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)c->job, key, value)
    {
        char name[MGL_CLAIM_NAME];
        bool known = mgl_job_knows_key(key);
        for (size_t i = 0; i < sizeof besides / sizeof besides[0]; i++)
            known = known || strcmp(key, besides[i]) == 0;
        if (!known)
            mgl_claims_unknown(c, mgl_claim_name(name, "audit.job", key), value);
    }
    compare_model_keys(c, "audit.job.privacy", json_object_get(c->job, "privacy"));
    compare_model_keys(c, "audit.policy", json_object_get(c->audit, "policy"));
}

/* A job has a value for each of its keys, or lacks the key. */
static void find_null(mgl_claims *c, const char *object, const json_t *value)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *part;
    if (json_is_null(value))
        mgl_claims_contradict(c, object, value);
    for (size_t i = 0; i < json_array_size(value); i++)
        find_null(c, object, json_array_get(value, i));
    json_object_foreach((json_t *)value, key, part)
        find_null(c, mgl_claim_name(name, object, key), part);
}

static void check_always(mgl_claims *c)
{
    static const char *const always[] = {"data", "attributes", "output"};
    bool shards = json_object_get(c->job, "shards") != NULL; /* in the place of data */
    for (size_t i = shards ? 1 : 0; i < sizeof always / sizeof always[0]; i++) {
        char name[MGL_CLAIM_NAME];
        if (json_object_get(c->job, always[i]) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "audit.job", always[i]));
    }
}

/* ---- What the models need ------------------------------------------------------------------- */

/* Of the models that the result claims: does one judge by households, and one by a population? */
static void find_needs(const mgl_claims *c, bool *household, bool *population)
{
    const json_t *models = json_object_get(c->claimed, "models");
    bool fraction = json_object_get(c->job, "sampling-fraction") != NULL;
    for (size_t i = 0; i < json_array_size(models); i++) {
        const char *name = mgl_json_text(json_array_get(models, i), "model");
        const mgl_model_type *type = name != NULL ? mgl_model_type_find(name) : NULL;
        if (type == NULL)
            continue;
        type = mgl_model_type_of_sample(type, mgl_claims_weight(c), fraction);
        *household = *household || type->by_household;
        *population = *population || type->needs_population;
    }
}

static void check_needs(mgl_claims *c)
{
    bool household = false, population = false;
    const char *column = mgl_json_text(c->job, "household");
    find_needs(c, &household, &population);
    if (c->applied)
        return; /* its recoding knows them */
    if (household && column == NULL)
        mgl_claims_missing(c, "audit.job.household");
    if (column != NULL && !mgl_claims_is_column(c, column))
        mgl_claims_contradict(c, "audit.job.household", json_object_get(c->job, "household"));
    if (population && json_object_get(c->job, "population") == NULL)
        mgl_claims_missing(c, "audit.job.population");
}

/* ---- What other sections tell of them ------------------------------------------------------- */

/* The texts that a key of a list of objects has; those of files without their folders. */
static json_t *told_by(const json_t *list, const char *key)
{
    json_t *texts = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_object_get(json_array_get(list, i), key);
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)json_integer_value(one));
        mgl_json_append(texts,
                        json_is_string(one) ? json_incref((json_t *)one) : json_string(number));
    }
    return texts;
}

static json_t *file_names(const json_t *paths)
{
    json_t *names = json_array();
    for (size_t i = 0; i < json_array_size(paths); i++) {
        const char *path = json_string_value(json_array_get(paths, i));
        mgl_json_append(names, json_string(path != NULL ? mgl_file_name(path) : ""));
    }
    return names;
}

static void agree_with_list(mgl_claims *c, const char *what, json_t *said, json_t *told)
{
    mgl_claims_agree(c, what, said, told);
    json_decref(said);
    json_decref(told);
}

/* A level of the job, "1" or "0..2": are these levels of the column within it? */
static bool is_within(const char *said, const json_t *level)
{
    uint64_t least, most, here = (uint64_t)json_integer_value(level);
    const char *dots = strstr(said, "..");
    if (!json_is_integer(level))
        return true;
    if (dots == NULL)
        return !mgl_parse_u64(mgl_span_of(said), &least) || here == least;
    bool low = mgl_parse_u64((mgl_span){said, (size_t)(dots - said)}, &least),
         high = mgl_parse_u64(mgl_span_of(dots + 2), &most);
    return (!low || here >= least) && (!high || here <= most);
}

/* key: "node" or "levels". */
static void check_bounds_of_levels(mgl_claims *c, const char *key)
{
    const json_t *node = json_object_get(c->claimed, key);
    const char *column;
    json_t *fields;
    if (json_equal(node, json_object_get(c->claimed, "heights")))
        return; /* where all rows are suppressed, whatever levels the search was given */
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        const char *said = mgl_json_text(fields, "level");
        char name[MGL_CLAIM_NAME];
        if (said != NULL && !is_within(said, json_object_get(node, column)))
            mgl_claims_agree(c, mgl_claim_name(name, key, column), json_object_get(node, column),
                             json_object_get(fields, "level"));
    }
}

static void check_linked(mgl_claims *c)
{
    const json_t *linked = json_object_get(c->job, "linked");
    for (size_t i = 0; i < json_array_size(linked); i++)
        if (is_before(linked, i, json_array_get(linked, i)))
            mgl_claims_contradict(c, "audit.job.linked", linked);
}

static void check_told(mgl_claims *c)
{
    const json_t *curve = json_object_get(c->job, "curve"),
                 *history = json_object_get(c->job, "history"),
                 *recoding = json_object_get(c->job, "recoding");
    const json_t *releases = json_object_get(json_object_get(c->claimed, "history"), "releases");
    if (curve != NULL)
        agree_with_list(c, "audit.job.curve", json_incref((json_t *)curve),
                        told_by(json_object_get(c->claimed, "curve"), "k"));
    if (history != NULL)
        agree_with_list(c, "audit.job.history", file_names(history), told_by(releases, "recoding"));
    if (mgl_claims_due(c, "audit.job.recoding", recoding, c->applied) && json_is_string(recoding))
        mgl_claims_agree_new(c, "audit.recoding.name",
                             json_object_get(json_object_get(c->audit, "recoding"), "name"),
                             json_string(mgl_file_name(json_string_value(recoding))));
    check_bounds_of_levels(c, "node");
    check_bounds_of_levels(c, "levels");
    check_linked(c);
}

void mgl_claims_job(mgl_claims *c)
{
    find_null(c, "audit.job", c->job);
    check_always(c);
    check_columns(c);
    check_known(c);
    check_needs(c);
    check_told(c);
    mgl_claims_skip(c, "audit.job", "these keys need not leave a trace in a release: " TRACELESS);
}
