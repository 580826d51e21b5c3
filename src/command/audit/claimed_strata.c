/* Compares what a result says of each stratum with the rows that the file has of it, and with what
 * the result says of the whole. The table in claims.c calls these functions. */
#include "command/audit/claims.h"

#include <math.h>
#include <stdio.h>

/* What the file has of a stratum. */
typedef struct counted {
    uint64_t rows, exempt_rows, classes, smallest;
    bool has_top; /* rows at its top are in the file */
    bool claimed;
} counted;

typedef struct strata {
    mgl_map *names; /* values of the columns of strata, length by length */
    counted *of;    /* [size of the map] */
    size_t room;
} strata;

static void add_text(mgl_buffer *key, mgl_span text)
{
    mgl_buffer_format(key, "%zu ", text.size);
    mgl_buffer_span(key, text);
}

/* The stratum of this name; NULL if memory is out. */
static counted *find(strata *s, const mgl_buffer *key)
{
    uint32_t before = mgl_map_size(s->names);
    uint32_t number =
        key->failed ? MGL_NOT_FOUND : mgl_map_add(s->names, (mgl_span){key->data, key->size});
    if (number == MGL_NOT_FOUND || !mgl_grow(&s->of, &s->room, number + 1, sizeof *s->of))
        return NULL;
    if (number == before)
        s->of[number] = (counted){0};
    return &s->of[number];
}

/* ---- The file ---------------------------------------------------------------------------------
 */

/* Persons who have the tuple; without persons, its rows. */
static uint64_t size_of(const mgl_frequency_list *list, size_t t)
{
    const mgl_persons *persons = list->persons;
    return persons == NULL
               ? list->counts[t]
               : persons->local[t] + persons->spread.start[t + 1] - persons->spread.start[t];
}

static bool count_tuple(const mgl_claims *c, size_t t, mgl_buffer *key, strata *s)
{
    const mgl_frequency_list *list = c->problem->list;
    key->size = 0;
    for (size_t a = 0; a < c->settings->strata.n; a++) {
        const mgl_released_column *column = c->reading->released[a];
        add_text(key, column->values[column->of_leaf[0][mgl_list_leaf(list, t, a)]].label);
    }
    counted *stratum = find(s, key);
    if (stratum == NULL)
        return false;
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

static bool count_file(const mgl_claims *c, strata *s)
{
    mgl_buffer key = {0};
    bool room = (s->names = mgl_map_new()) != NULL;
    for (size_t t = 0; room && t < c->problem->list->n_tuples; t++)
        room = count_tuple(c, t, &key, s);
    mgl_buffer_free(&key);
    return room;
}

/* ---- The claims -------------------------------------------------------------------------------
 */

static void compare_count(mgl_claims *c, size_t i, const json_t *claimed, const char *key,
                          uint64_t found)
{
    char name[MGL_CLAIM_NAME];
    snprintf(name, sizeof name, "strata[%zu].%s", i, key);
    mgl_claims_compare_new(c, name, json_object_get(claimed, key), mgl_json_count(found));
}

/* A stratum has the limit of its own rows. Methods that mix levels have none for rows that are
 * kept, and others may have one of their own. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(claimed, "node"));
    bool own = said == NULL && (c->settings->method->own_limit || !levels);
    if (own || (c->settings->treatment == MGL_KEEP && !levels))
        return;
    if (mgl_json_whole(claimed, "suppressed_rows") >
        mgl_limit_of(said, mgl_json_whole(claimed, "rows")))
        mgl_claims_contradict(c, "strata: more suppressed rows than the job allows", claimed);
}

/* Columns of strata stand first, and stay as they are. */
static bool is_searched(const mgl_claims *c, size_t a)
{
    return a >= c->settings->strata.n;
}

static void compare_stratum(mgl_claims *c, size_t i, const json_t *claimed, const counted *found)
{
    const json_t *bound = json_object_get(claimed, "bound");
    bool drops = c->settings->treatment == MGL_DROP;
    mgl_claims_some_levels(c, "strata.node", json_object_get(claimed, "node"), is_searched);
    mgl_claims_some_levels(c, "strata.levels", json_object_get(claimed, "levels"), is_searched);
    if (!json_is_null(bound))
        (void)mgl_claims_shape(c, "strata.bound", bound, "best_possible:N exact:b");
    uint64_t suppressed = mgl_json_whole(claimed, "suppressed_rows");
    compare_count(c, i, claimed, "rows", found->rows + (drops ? suppressed : 0));
    if (!drops)
        compare_count(c, i, claimed, "suppressed_rows", found->exempt_rows);
    check_limit(c, claimed);
    if (c->persons)
        mgl_claims_skip(c, "strata.*.classes, strata.*.smallest_class",
                        "persons are not in the release; `entity: COLUMN`, with a copy that has "
                        "it");
    else if (c->problem->counting.tops_match || c->settings->tops_match)
        mgl_claims_skip(c, "strata.*.classes, strata.*.smallest_class",
                        "rows that match are no classes");
    if (c->persons || c->problem->counting.tops_match || c->settings->tops_match)
        return;
    compare_count(c, i, claimed, "classes", found->classes);
    compare_count(c, i, claimed, "smallest_class", found->smallest);
}

/* The name as the file has it; false: the claim names no stratum. */
static bool take_name(const mgl_claims *c, const json_t *claimed, mgl_buffer *key)
{
    const json_t *by = json_object_get(claimed, "by");
    key->size = 0;
    for (size_t a = 0; a < c->settings->strata.n; a++) {
        const json_t *value = json_object_get(by, c->settings->strata.columns[a]);
        if (!json_is_string(value))
            return false;
        add_text(key, (mgl_span){json_string_value(value), json_string_length(value)});
    }
    return json_object_size(by) == c->settings->strata.n;
}

static void compare_claim(mgl_claims *c, size_t i, const json_t *claimed, strata *s)
{
    static const char shape[] = "by:o rows:i suppressed_rows:i classes:i smallest_class:i node:O "
                                "levels:O value:N bound:O ?found:o";
    mgl_buffer key = {0};
    uint32_t number = MGL_NOT_FOUND;
    if (!mgl_claims_shape(c, "strata", claimed, shape))
        return;
    if (take_name(c, claimed, &key) && !key.failed)
        number = mgl_map_find(s->names, (mgl_span){key.data, key.size});
    mgl_buffer_free(&key);
    if (number == MGL_NOT_FOUND || s->of[number].claimed) {
        mgl_claims_contradict(c,
                              "strata: a stratum that the file does not have, or that is told "
                              "of twice",
                              json_object_get(claimed, "by"));
        return;
    }
    s->of[number].claimed = true;
    compare_stratum(c, i, claimed, &s->of[number]);
}

static void compare_sums(mgl_claims *c, const json_t *claimed)
{
    uint64_t rows = 0, suppressed = 0;
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        rows += mgl_json_whole(json_array_get(claimed, i), "rows");
        suppressed += mgl_json_whole(json_array_get(claimed, i), "suppressed_rows");
    }
    mgl_claims_agree_new(c, "rows", json_object_get(c->claimed, "rows"), mgl_json_count(rows));
    mgl_claims_agree_new(c, "suppressed_rows", json_object_get(c->claimed, "suppressed_rows"),
                         mgl_json_count(suppressed));
}

void mgl_claim_strata(mgl_claims *c, const json_t *claimed)
{
    strata s = {0};
    if (!mgl_claims_due(c, "strata", claimed, c->settings->strata.n > 0 && !c->applied))
        return;
    if (!json_is_array(claimed)) {
        mgl_claims_contradict(c, "strata", claimed);
        return;
    }
    if (!count_file(c, &s))
        mgl_json_append(c->differences, NULL); /* memory is out: the document will say so */
    for (size_t i = 0; s.names != NULL && i < json_array_size(claimed); i++)
        compare_claim(c, i, json_array_get(claimed, i), &s);
    for (uint32_t i = 0; s.names != NULL && i < mgl_map_size(s.names); i++)
        if (!s.of[i].claimed)
            mgl_claims_missing(c, "strata: a stratum of the file");
    compare_sums(c, claimed);
    mgl_map_free(s.names);
    mgl_free(s.of);
}

void mgl_claim_by(mgl_claims *c, const json_t *claimed)
{
    json_t *names = json_array();
    if (mgl_claims_due(c, "by", claimed, c->settings->strata.n > 0)) {
        for (size_t i = 0; i < c->settings->strata.n; i++)
            mgl_json_append(names, json_string(c->settings->strata.columns[i]));
        mgl_claims_agree(c, "by", claimed, names);
    }
    json_decref(names);
}

/* Rows that were dropped are one class with those at the top that were not. */
static bool is_class_of_its_own(const mgl_claims *c, const json_t *claimed, const strata *s)
{
    mgl_buffer key = {0};
    uint32_t number = MGL_NOT_FOUND;
    if (mgl_json_whole(claimed, "suppressed_rows") > 0 && take_name(c, claimed, &key) &&
        !key.failed)
        number = mgl_map_find(s->names, (mgl_span){key.data, key.size});
    mgl_buffer_free(&key);
    return number != MGL_NOT_FOUND && !s->of[number].has_top;
}

uint64_t mgl_claims_dropped_tops(const mgl_claims *c)
{
    const json_t *list = json_object_get(c->claimed, "strata");
    strata s = {0};
    uint64_t n = 0;
    if (c->settings->treatment != MGL_DROP || !json_is_array(list))
        return 0;
    if (count_file(c, &s))
        for (size_t i = 0; i < json_array_size(list); i++)
            n += is_class_of_its_own(c, json_array_get(list, i), &s);
    mgl_map_free(s.names);
    mgl_free(s.of);
    return n;
}
