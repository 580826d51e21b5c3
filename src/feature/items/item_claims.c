/* Audits the column of items: how often the file shows each, and what was promised of them. */
#include "claims/claims.h"
#include "feature/items/items.h"

#include <stdio.h>

static bool has_items(const mgl_claims *c, const char *column)
{
    return mgl_claim_field(c, column, "km") != NULL;
}

static unsigned of_column(const mgl_claims *c, const char *column)
{
    return has_items(c, column) ? MGL_CLAIM_MADE | MGL_CLAIM_AS_READ : 0;
}

static const char *role_of(const mgl_claims *c, const char *column)
{
    return has_items(c, column) ? "items" : NULL;
}

/* What the job says of the column. */
static void note_job(mgl_claims *c)
{
    const mgl_items_column *items = mgl_items_of(c->reading); /* of the same job */
    const char *column;
    json_t *fields, *of_job = json_object();
    bool any = false;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields) any =
        any || mgl_json_text(fields, "km") != NULL;
    mgl_json_set(of_job, "due", json_boolean(any));
    mgl_json_set(of_job, "within", json_boolean(json_object_get(c->job, "km-within") != NULL));
    if (items != NULL) {
        const char *tree = mgl_claim_field(c, items->settings->name, "hierarchy");
        mgl_json_set(of_job, "column", json_string(items->settings->name));
        mgl_json_set(of_job, "k", mgl_json_count(items->settings->km.k));
        mgl_json_set(of_job, "m", mgl_json_count(items->settings->km.m));
        mgl_json_set(of_job, "hierarchy", mgl_claim_text(mgl_hierarchy_name(tree)));
    }
    mgl_json_set(c->is, "items", of_job);
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

static void compare_items(mgl_claims *c, const json_t *claimed)
{
    if (mgl_items_of(c->reading) != NULL)
        compare_cut(c, json_object_get(claimed, "cut"));
}

static const mgl_claim sections[] = {
    {"items", MGL_OF_NONE,
     "{column:s k:i m:i within:b separator:s hierarchy:S ?unknown_items:i items:i occurrences:i "
     "left_out:{items:i occurrences:i emptied_rows:i} ncp:n apriori_ncp:n best_possible:n exact:b "
     "released:{items:i combinations:i least:I rare:i} cut:[{item:s leaves:i rows:i}]}",
     .compare = compare_items,
     "items.items, items.occurrences, items.left_out, items.ncp, items.apriori_ncp, "
     "items.best_possible, items.exact, items.unknown_items, items.cut.*.leaves",
     MGL_CLAIM_INPUT, .due = "is.items.due"},
    {.key = NULL}};

static const mgl_claim_open opens[] = {
    {"items.released.least", MGL_CLAIM_PERSONS, "items and is.persons and found.items.released"},
    {.what = NULL}};

static const char *const rules[] = {
    "items.column = is.items.column", "items.k = is.items.k", "items.m = is.items.m",
    "items.within = is.items.within", "items.hierarchy = is.items.hierarchy",
    "items.separator = job.km-separator if job.km-separator due",
    /* the loss is a share, and is there if items were left out */
    "items.ncp >= 0", "items.ncp <= 1", "items.ncp != 0 if items.left_out.occurrences > 0",
    "items.best_possible <= items.ncp", "items.best_possible = items.ncp if items.exact",
    "items.left_out.items <= items.items", "items.left_out.items <= items.left_out.occurrences",
    "items.left_out.occurrences <= items.occurrences",
    "items.left_out.emptied_rows <= items.left_out.occurrences",
    "items.released.items = found.items.released.items if found.items.released",
    "items.released.combinations = found.items.released.combinations if found.items.released",
    "items.released.rare = found.items.released.rare if found.items.released",
    "items.released.least = found.items.released.least if found.items.released and !is.persons",
    /* persons of the rarest combination: no more than its rows, no fewer than k if none is rare */
    "items.released.least = null if is.persons and found.items.released.least = null",
    "items.released.least != null if is.persons and found.items.released.least",
    "items.released.least <= found.items.released.least if is.persons",
    "items.released.least < items.k if is.persons and items.released.least and "
    "items.released.rare > 0",
    "items.released.least >= items.k if is.persons and items.released.least and "
    "items.released.rare = 0",
    NULL};

/* The section, if it is about the column. */
static const json_t *items_in(const json_t *result, const char *column)
{
    const json_t *items = json_object_get(result, "items");
    return mgl_json_is(items, "column", column) ? items : NULL;
}

static bool done(const json_t *result, const char *column, const char *role, mgl_buffer *out)
{
    const json_t *items = items_in(result, column);
    if (items == NULL)
        return false;
    (void)role;
    mgl_buffer_format(out,
                      "sets of items with \"%s\" between, generalized or left out, the same in "
                      "all rows: every %llu of them are shown by at least %llu %s",
                      mgl_json_text(items, "separator"),
                      (unsigned long long)mgl_json_whole(items, "m"),
                      (unsigned long long)mgl_json_whole(items, "k"),
                      json_object_get(result, "entity") != NULL ? "persons" : "rows");
    return true;
}

/* The items in place of the sets. */
static json_t *listed(const json_t *result, const char *column, uint64_t least)
{
    const json_t *items = items_in(result, column), *cut = json_object_get(items, "cut");
    json_t *list = items != NULL ? json_array() : NULL;
    for (size_t i = 0; items != NULL && i < json_array_size(cut); i++) {
        const json_t *one = json_array_get(cut, i);
        const char *item = mgl_json_text(one, "item");
        uint64_t leaves = mgl_json_whole(one, "leaves"), rows = mgl_json_whole(one, "rows");
        json_t *value = json_object();
        char coarse[60] = "a single item";
        if (leaves > 1)
            snprintf(coarse, sizeof coarse, "a group of %llu items", (unsigned long long)leaves);
        mgl_json_set(value, "value", json_string(item != NULL ? item : ""));
        mgl_json_set(value, "coarse", json_string(coarse));
        mgl_json_set(value, "rows", rows >= least ? mgl_json_count(rows) : json_null());
        mgl_json_append(list, value);
    }
    return list;
}

static bool test(const json_t *result, mgl_buffer *name, mgl_buffer *found, bool *holds)
{
    const json_t *items = json_object_get(result, "items");
    if (items == NULL)
        return false;
    mgl_buffer_format(name, "km-anonymity %s k=%llu m=%llu", mgl_json_text(items, "column"),
                      (unsigned long long)mgl_json_whole(items, "k"),
                      (unsigned long long)mgl_json_whole(items, "m"));
    mgl_buffer_format(
        found, "%llu combinations are too rare",
        (unsigned long long)mgl_json_whole(json_object_get(items, "released"), "rare"));
    *holds = json_is_true(json_object_get(items, "holds"));
    return true;
}

const mgl_feature_audit mgl_items_audit = {.done = done,
                                           .listed = listed,
                                           .test = test,
                                           .sections = sections,
                                           .opens = opens,
                                           .rules = rules,
                                           .count = note_job,
                                           .column = of_column,
                                           .role = role_of};
