/* Compares what a result says about sets of items with the job and with the file, whose
 * combinations `check` has enumerated. claims.c calls it. */
#include "command/audit/claims.h"

#include "feature/feature.h"

/* What the job says of a column of items; NULL: nothing. */
static const char *km_said(const mgl_claims *c, const char *column)
{
    return mgl_json_text(json_object_get(json_object_get(c->job, "attributes"), column), "km");
}

bool mgl_claims_has_items(const mgl_claims *c, const char *column)
{
    return km_said(c, column) != NULL;
}

static bool job_has_items(const mgl_claims *c)
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

/* ---- What the job promises ----------------------------------------------------------------------
 */

static void agree_with_job(mgl_claims *c, const json_t *claimed)
{
    const mgl_items_column *items = mgl_items_of(c->reading); /* of the same job */
    const char *column = mgl_json_text(claimed, "column");
    if (items == NULL || strcmp(items->settings->name, column) != 0) {
        mgl_claims_contradict(c, "items.column", json_object_get(claimed, "column"));
        return;
    }
    mgl_claims_agree_new(c, "items.k", json_object_get(claimed, "k"),
                         mgl_json_count(items->settings->km.k));
    mgl_claims_agree_new(c, "items.m", json_object_get(claimed, "m"),
                         mgl_json_count(items->settings->km.m));
    mgl_claims_agree_new(c, "items.within", json_object_get(claimed, "within"),
                         json_boolean(json_object_get(c->job, "km-within") != NULL));
    const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
    const char *tree = mgl_json_text(fields, "hierarchy");
    mgl_claims_agree_new(c, "items.hierarchy", json_object_get(claimed, "hierarchy"),
                         tree != NULL ? json_string(mgl_hierarchy_name(tree)) : json_null());
    const char *separator = mgl_json_text(c->job, "km-separator");
    if (separator != NULL)
        mgl_claims_agree_new(c, "items.separator", json_object_get(claimed, "separator"),
                             json_string(separator));
}

/* Figures of which some can be no larger than others. */
static void agree_with_itself(mgl_claims *c, const json_t *claimed)
{
    const json_t *left_out = json_object_get(claimed, "left_out");
    if (!mgl_claims_shape(c, "items.left_out", left_out, "items:i occurrences:i emptied_rows:i"))
        return;
    if (mgl_json_whole(left_out, "items") > mgl_json_whole(claimed, "items") ||
        mgl_json_whole(left_out, "occurrences") > mgl_json_whole(claimed, "occurrences") ||
        mgl_json_whole(left_out, "occurrences") < mgl_json_whole(left_out, "items") ||
        mgl_json_whole(left_out, "emptied_rows") > mgl_json_whole(left_out, "occurrences"))
        mgl_claims_contradict(c, "items.left_out", left_out);
    double ncp = json_number_value(json_object_get(claimed, "ncp"));
    double best = json_number_value(json_object_get(claimed, "best_possible"));
    if (ncp < 0 || ncp > 1 || (mgl_json_whole(left_out, "occurrences") > 0 && ncp == 0))
        mgl_claims_contradict(c, "items.ncp", json_object_get(claimed, "ncp"));
    if (best > ncp || (json_is_true(json_object_get(claimed, "exact")) && best != ncp))
        mgl_claims_contradict(c, "items.best_possible", json_object_get(claimed, "best_possible"));
}

/* ---- The file -----------------------------------------------------------------------------------
 */

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

static mgl_status count_items(const mgl_claims *c, mgl_error *err, shown *s)
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
    return room ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_claims_items(mgl_claims *c, mgl_error *err)
{
    const json_t *cut = json_object_get(json_object_get(c->claimed, "items"), "cut");
    shown s = {0};
    mgl_status status = MGL_OK;
    if (mgl_items_of(c->reading) == NULL)
        return MGL_OK;
    MGL_GO(count_items(c, err, &s));
    if (json_is_array(cut) && json_array_size(cut) != mgl_map_size(s.items))
        mgl_claims_compare_new(c, "items.cut", mgl_json_count(json_array_size(cut)),
                               mgl_json_count(mgl_map_size(s.items)));
    for (size_t i = 0; i < json_array_size(cut); i++) {
        const json_t *one = json_array_get(cut, i);
        const char *item = mgl_json_text(one, "item");
        uint32_t number = item != NULL ? mgl_map_find(s.items, mgl_span_of(item)) : MGL_NOT_FOUND;
        char name[MGL_CLAIM_NAME];
        if (!mgl_claims_shape(c, "items.cut", one, "item:s leaves:i rows:i"))
            continue;
        mgl_claims_compare_new(c, mgl_claim_name(name, "items.cut", item),
                               json_object_get(one, "rows"),
                               mgl_json_count(number != MGL_NOT_FOUND ? s.rows[number] : 0));
    }
done:
    mgl_map_free(s.items);
    mgl_free(s.rows);
    mgl_free(s.last);
    return status;
}

/* Persons are not in the file: those of the rarest combination are no more than its rows, and no
 * fewer than k if none is rare. */
static void check_least(mgl_claims *c, const json_t *claimed, const json_t *released,
                        const json_t *found)
{
    const json_t *least = json_object_get(released, "least");
    uint64_t here = mgl_json_whole(released, "least"), most = mgl_json_whole(found, "least");
    bool rare = mgl_json_whole(released, "rare") > 0;
    if (json_is_null(least) != json_is_null(json_object_get(found, "least")) || here > most)
        mgl_claims_compare(c, "items.released.least", least, json_object_get(found, "least"));
    else if (!json_is_null(least) && (here < mgl_json_whole(claimed, "k")) != rare)
        mgl_claims_contradict(c, "items.released.least", least);
    mgl_claims_skip(c, "items.released.least",
                    "persons are not in the release; `entity: COLUMN`, with a copy that has it");
}

static void compare_with_file(mgl_claims *c, const json_t *claimed)
{
    static const char *const keys[] = {"items", "combinations", "rare", "least"};
    const json_t *released = json_object_get(claimed, "released");
    const json_t *found = json_object_get(json_object_get(c->found, "items"), "released");
    char name[MGL_CLAIM_NAME];
    if (!mgl_claims_shape(c, "items.released", released, "items:i combinations:i least:I rare:i"))
        return;
    for (size_t i = 0; found != NULL && i < sizeof keys / sizeof keys[0]; i++)
        if (!c->persons || strcmp(keys[i], "least") != 0)
            mgl_claims_compare(c, mgl_claim_name(name, "items.released", keys[i]),
                               json_object_get(released, keys[i]), json_object_get(found, keys[i]));
    if (c->persons && found != NULL)
        check_least(c, claimed, released, found);
}

void mgl_claim_items(mgl_claims *c, const json_t *claimed)
{
    if (!mgl_claims_due(c, "items", claimed, job_has_items(c)))
        return;
    if (!mgl_claims_shape(
            c, "items", claimed,
            "column:s k:i m:i within:b separator:s hierarchy:S ?unknown_items:i items:i "
            "occurrences:i "
            "left_out:o ncp:n apriori_ncp:n best_possible:n exact:b released:o cut:a"))
        return;
    agree_with_job(c, claimed);
    agree_with_itself(c, claimed);
    compare_with_file(c, claimed);
}
