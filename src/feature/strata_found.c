/* Strata that are searched on their own (`by`): the section "strata" of a result. */
#include "claims/claims.h"
#include "findings/findings.h"

/* Strata of which a result reports everything that the method found; of more it would be long. */
enum { MOST_REPORTED = 100 };

/* The values that all its rows have, which are released as they are. */
static json_t *values_json(const mgl_outcome *outcome, const mgl_stratum *stratum)
{
    const mgl_recoding *recoding = outcome->solution->recoding;
    json_t *object = json_object();
    for (size_t a = 0; a < outcome->solution->strata->n_held; a++) {
        uint32_t value = recoding->cells[a][stratum->first];
        mgl_json_set(object, outcome->reading->quasi[a].settings->name,
                     mgl_released_text(outcome->reading->settings,
                                       recoding->columns[a]->values[value].label));
    }
    return object;
}

/* Levels of the columns that are searched within strata. */
static json_t *levels_json(const mgl_outcome *outcome, const uint32_t *levels)
{
    size_t n_held = outcome->solution->strata->n_held;
    if (levels == NULL)
        return json_null();
    json_t *object = json_object();
    for (size_t a = n_held; a < outcome->reading->n_quasi; a++)
        mgl_json_set(object, outcome->reading->quasi[a].settings->name,
                     mgl_json_count(levels[a - n_held]));
    return object;
}

static json_t *bound_json(const mgl_stratum *stratum)
{
    const mgl_solution *solution = stratum->solution;
    if (!solution->exact && !solution->bounded)
        return json_null();
    json_t *object = json_object();
    mgl_json_set(object, "best_possible",
                 mgl_json_real(solution->exact ? stratum->value : solution->best_possible));
    mgl_json_set(object, "exact", json_boolean(solution->exact));
    return object;
}

static json_t *stratum_json(const mgl_outcome *outcome, const mgl_stratum *stratum)
{
    const mgl_solution *solution = stratum->solution;
    json_t *object = json_object();
    mgl_json_set(object, "by", values_json(outcome, stratum));
    mgl_json_set(object, "rows", mgl_json_count(stratum->n_rows));
    mgl_json_set(object, "suppressed_rows", mgl_json_count(solution->suppressed_rows));
    mgl_json_set(object, "classes", mgl_json_count(stratum->n_classes));
    mgl_json_set(object, "smallest_class", mgl_json_count(stratum->smallest));
    mgl_json_set(object, "node", levels_json(outcome, solution->node));
    mgl_json_set(object, "levels", levels_json(outcome, mgl_solution_levels(solution)));
    mgl_json_set(object, "value", mgl_json_real(stratum->value));
    mgl_json_set(object, "bound", bound_json(stratum));
    if (outcome->solution->strata->n > MOST_REPORTED || solution->findings == NULL)
        return object;
    json_t *found = json_object();
    mgl_solution_write(solution, found);
    mgl_json_set(object, "found", found);
    return object;
}

static void tell(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_strata *strata = outcome->solution->strata;
    if (strata == NULL)
        return;
    json_t *list = json_array();
    for (size_t i = 0; i < strata->n; i++)
        mgl_json_append(list, stratum_json(outcome, &strata->of[i]));
    mgl_json_set(result->document, "strata", list);
}

extern const mgl_feature mgl_strata_feature;

/* Each stratum is judged on its own, */
static mgl_status carry(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    (void)err;
    p->promise.n_by = reading->settings->strata.n;
    return MGL_OK;
}

/* and its rows are released with the cells that they had. */
static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    size_t n = task->reading->settings->strata.n;
    mgl_promised_strata *promised = mgl_feature_made(written, &mgl_strata_feature);
    const mgl_column **columns = mgl_arena_alloc(p->arena, (n + 1) * sizeof *columns);
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t a = 0; a < n; a++)
        MGL_TRY(mgl_plan_carry(p, task->reading->quasi[a].column, err, &columns[a]));
    *promised = (mgl_promised_strata){columns, p->format != NULL && p->format->text};
    mgl_plan_promise(p, &mgl_strata_judge, promised, n > 0);
    return MGL_OK;
}

static const mgl_feature_release release = {
    .size = sizeof(mgl_promised_strata), .plan = plan, .carry = carry, .found = tell};

static bool has_strata(const mgl_reading *reading)
{
    return reading->settings->strata.n > 0;
}

/* What the file has of a stratum. */
typedef struct counted {
    uint64_t rows, exempt_rows, classes, smallest;
    bool has_top; /* rows at its top are in the file */
    bool claimed;
} counted;

typedef struct counted_strata {
    mgl_map *names; /* values of the columns of strata, length by length */
    counted *of;    /* [size of the map] */
    size_t room;
} counted_strata;

/* Persons who have the tuple; without persons, its rows. */
static uint64_t size_of(const mgl_frequency_list *list, size_t t)
{
    const mgl_persons *persons = list->persons;
    return persons == NULL
               ? list->counts[t]
               : persons->local[t] + persons->spread.start[t + 1] - persons->spread.start[t];
}

static bool count_tuple(const mgl_claims *c, size_t t, mgl_buffer *key, counted_strata *s)
{
    const mgl_frequency_list *list = c->problem->list;
    uint32_t before = mgl_map_size(s->names);
    key->size = 0;
    for (size_t a = 0; a < c->settings->strata.n; a++)
        mgl_claims_add_text(key, mgl_claims_cell_of(c, t, a));
    uint32_t number =
        key->failed ? MGL_NOT_FOUND : mgl_map_add(s->names, (mgl_span){key->data, key->size});
    if (number == MGL_NOT_FOUND || !mgl_grow(&s->of, &s->room, number + 1, sizeof *s->of))
        return false;
    counted *stratum = &s->of[number];
    if (number == before)
        *stratum = (counted){0};
    bool exempt = c->settings->treatment != MGL_DROP && c->left_out[t];
    stratum->rows += list->counts[t];
    stratum->has_top = stratum->has_top || c->is_top[t];
    stratum->exempt_rows += exempt ? list->counts[t] : 0;
    if (exempt && c->settings->treatment == MGL_EXEMPT)
        return true;
    if (stratum->classes++ == 0 || size_of(list, t) < stratum->smallest)
        stratum->smallest = size_of(list, t);
    return true;
}

/* Counts the strata of the file; false: memory is out, and c->status says so. Free with
 * free_strata. */
static bool count_file(mgl_claims *c, counted_strata *s)
{
    mgl_buffer key = {0};
    bool room = (s->names = mgl_map_new()) != NULL;
    for (size_t t = 0; room && t < c->problem->list->n_tuples; t++)
        room = count_tuple(c, t, &key, s);
    mgl_buffer_free(&key);
    if (!room)
        c->status = mgl_fail_memory(c->err);
    return room;
}

static void free_strata(counted_strata *s)
{
    mgl_map_free(s->names);
    mgl_free(s->of);
}

/* The stratum that a claim names; NULL: the file has none of that name. */
static counted *find(const mgl_claims *c, const json_t *claimed, const counted_strata *s)
{
    const json_t *by = json_object_get(claimed, "by");
    bool named = json_object_size(by) == c->settings->strata.n;
    uint32_t number = MGL_NOT_FOUND;
    mgl_buffer key = {0};
    for (size_t a = 0; named && a < c->settings->strata.n; a++) {
        const json_t *value = json_object_get(by, c->settings->strata.columns[a]);
        named = json_is_string(value);
        if (named)
            mgl_claims_add_text(&key,
                                (mgl_span){json_string_value(value), json_string_length(value)});
    }
    if (named && !key.failed)
        number = mgl_map_find(s->names, (mgl_span){key.data, key.size});
    mgl_buffer_free(&key);
    return number != MGL_NOT_FOUND ? &s->of[number] : NULL;
}

/* A stratum has the limit of its own rows. Methods that mix levels have none for rows that are
 * kept, and others may have one of their own. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(claimed, "node"));
    bool own = given == NULL && (c->settings->method->own_limit || !levels);
    uint64_t limit = mgl_limit_of(given, mgl_json_whole(claimed, "rows"));
    mgl_claims_require(c,
                       own || (c->settings->treatment == MGL_KEEP && !levels) ||
                           mgl_json_whole(claimed, "suppressed_rows") <= limit,
                       "strata: more suppressed rows than the job allows", claimed);
}

/* Columns of strata stand first, and stay as they are. */
static bool is_searched(const mgl_claims *c, size_t a)
{
    return a >= c->settings->strata.n;
}

static void compare_stratum(mgl_claims *c, const char *name, const json_t *claimed,
                            const counted *found)
{
    bool drops = c->settings->treatment == MGL_DROP,
         matches = c->problem->counting.tops_match || c->settings->tops_match;
    uint64_t suppressed = mgl_json_whole(claimed, "suppressed_rows");
    json_t *expected = json_object();
    (void)mgl_claims_are_levels(c, "strata.node", json_object_get(claimed, "node"), is_searched);
    (void)mgl_claims_are_levels(c, "strata.levels", json_object_get(claimed, "levels"),
                                is_searched);
    mgl_json_set(expected, "rows", mgl_json_count(found->rows + (drops ? suppressed : 0)));
    if (!drops)
        mgl_json_set(expected, "suppressed_rows", mgl_json_count(found->exempt_rows));
    if (!c->persons && !matches) {
        mgl_json_set(expected, "classes", mgl_json_count(found->classes));
        mgl_json_set(expected, "smallest_class", mgl_json_count(found->smallest));
    }
    mgl_claims_compare(c, name, claimed, expected);
    check_limit(c, claimed);
    if (c->persons)
        mgl_claims_skip_persons(c, "strata.*.classes, strata.*.smallest_class");
    else if (matches)
        mgl_claims_skip(c, "strata.*.classes, strata.*.smallest_class",
                        "rows that match are no classes");
}

static void compare_strata(mgl_claims *c, const json_t *claimed)
{
    counted_strata s = {0};
    size_t i;
    const json_t *one;
    bool counted_all = count_file(c, &s);
    json_array_foreach((json_t *)claimed, i, one)
    {
        counted *found = counted_all ? find(c, one, &s) : NULL;
        char name[MGL_CLAIM_NAME];
        snprintf(name, sizeof name, "strata[%zu]", i);
        mgl_claims_require(c, found != NULL && !found->claimed,
                           "strata: a stratum that the file does not have, or that is there twice",
                           json_object_get(one, "by"));
        if (found != NULL) {
            found->claimed = true;
            compare_stratum(c, name, one, found);
        }
    }
    for (uint32_t n = 0; counted_all && n < mgl_map_size(s.names); n++)
        if (!s.of[n].claimed)
            mgl_claims_missing(c, "strata: a stratum of the file");
    free_strata(&s);
}

/* Rows that were dropped are one class with those at the top that were not. */
static void count_dropped_tops(mgl_claims *c)
{
    const json_t *list = json_object_get(c->claimed, "strata"), *one;
    counted_strata s = {0};
    uint64_t n = 0;
    size_t i;
    if (c->settings->treatment != MGL_DROP || !json_is_array(list))
        return;
    bool room = count_file(c, &s);
    json_array_foreach((json_t *)list, i, one)
    {
        const counted *found = room ? find(c, one, &s) : NULL;
        n += found != NULL && !found->has_top && mgl_json_whole(one, "suppressed_rows") > 0;
    }
    free_strata(&s);
    mgl_json_set(c->file, "dropped_tops", mgl_json_count(n));
}

static const char *role_of(const mgl_claims *c, const char *column)
{
    for (size_t i = 0; i < c->settings->strata.n; i++)
        if (strcmp(c->settings->strata.columns[i], column) == 0)
            return mgl_role_name(MGL_ROLE_QUASI);
    return NULL;
}

static const mgl_claim sections[] = {
    {"by", MGL_OF_NONE, .shape = "a", .due = "is.by"},
    {"strata", MGL_OF_NONE,
     "[{by:o rows:i suppressed_rows:i classes:i smallest_class:i node:O levels:O value:N "
     "bound:~{best_possible:N exact:b} ?found:o}]",
     .compare = compare_strata,
     "strata.*.node, strata.*.levels, strata.*.value, strata.*.bound, strata.*.found",
     "what was searched needs the input", .due = "is.by and !is.applied"},
    {.key = NULL}};

static const char *const rules[] = {"by = described.by", "rows = sum(strata.*.rows) if strata",
                                    "suppressed_rows = sum(strata.*.suppressed_rows) if strata",
                                    NULL};

static bool done(const json_t *result, const char *column, const char *role, mgl_buffer *out)
{
    bool held = mgl_claim_lists(json_object_get(result, "by"), column);
    if (held)
        mgl_buffer_format(out,
                          "%s, as it was: rows that are equal in the columns of strata were "
                          "released on their own",
                          role);
    return held;
}

static const mgl_feature_audit audit = {.done = done,
                                        .sections = sections,
                                        .rules = rules,
                                        .count = count_dropped_tops,
                                        .role = role_of};

const mgl_feature mgl_strata_feature = {
    .name = "strata", .release = &release, .audit = &audit, .key = "by", .needs_rows = has_strata};
