/* The column whose cells are sets of items (`km`): its separator, its items and their hierarchy.
 * What becomes of them is known when the search of the quasi-identifiers has ended
 * (item_release.c). */
#include "feature/items/items.h"
#include "pipeline/pipeline.h"

mgl_items_column *mgl_items_of(const mgl_reading *reading)
{
    mgl_items_column *items = mgl_feature_state(reading, &mgl_items_feature);
    return items->settings != NULL ? items : NULL;
}

static mgl_status open_column(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n;
    if (settings->km.column == NULL || (purpose != MGL_TO_RELEASE && purpose != MGL_TO_CHECK))
        return MGL_OK;
    if (mgl_source_parts(reading->source, &n) != NULL)
        return mgl_fail_attribute(err, MGL_CODE_UNSUPPORTED, settings->km.column->name, "km",
                                  "a part has counts of quasi-identifiers and no sets of items; "
                                  "name the table itself, or leave `km` out");
    mgl_items_column *items = mgl_feature_state(reading, &mgl_items_feature);
    items->settings = settings->km.column;
    items->field = mgl_source_find(reading->source, settings->km.column->name);
    return MGL_OK;
}

static size_t request(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n)
{
    const mgl_items_column *items = mgl_items_of(reading);
    (void)purpose;
    return items != NULL ? mgl_request(reading, items->field, requested, n) : n;
}

/* ---- Separator ------------------------------------------------------------------------------- */

static mgl_status fail_cell(const mgl_reading *reading, const char *why, mgl_error *err)
{
    const char *name = mgl_items_of(reading)->settings->name;
    return mgl_blame_column(err,
                            mgl_fail_key_at(err, MGL_CODE_BAD_CELL,
                                            mgl_source_name(reading->source), "km-separator",
                                            "column '%.60s' %s", name, why),
                            name);
}

/* Cells without a separator are items of their own. If something else stands between the items, the
 * release shows less than it could, never more: a cell that enough rows have shows nothing rare. */
static void find_separator(mgl_reading *reading, mgl_purpose purpose)
{
    mgl_items_column *items = mgl_items_of(reading);
    const char *given = reading->settings->km.separator;
    const mgl_dictionary *cells = items->column->dictionary;
    items->cutting.separator = given != NULL ? mgl_span_of(given) : mgl_items_separator(cells);
    if (purpose == MGL_TO_CHECK || reading->settings->source.may_be_empty)
        return;
    if (items->cutting.separator.size == 0)
        items->cutting.separator = mgl_span_of(";");
    if (!mgl_items_separated(cells, items->cutting.separator))
        mgl_buffer_format(&reading->warnings,
                          "single-items\tno cell of column %s has %s in it: each cell is one "
                          "item; name what else stands between items with `km-separator`%c",
                          items->settings->name, given != NULL ? given : "; | or ,", '\0');
}

/* ---- Hierarchy ------------------------------------------------------------------------------- */

/* Builders that ask how often a value occurs get the rows of each item. */
static mgl_status count_items(const mgl_reading *reading, mgl_error *err)
{
    const mgl_items_column *items = mgl_items_of(reading);
    mgl_column all = {.dictionary = items->sets.items, .width = 4};
    size_t n = 0, n_rows = reading->table->n_rows;
    mgl_status status = MGL_OK;
    for (size_t row = 0; row < n_rows; row++) {
        uint32_t cell = mgl_column_code(items->column, row);
        for (size_t i = items->sets.start[cell]; i < items->sets.start[cell + 1]; i++) {
            MGL_GO(mgl_column_reserve(&all, n, 1) ? MGL_OK : mgl_fail_memory(err));
            mgl_column_set(&all, n++, items->sets.of_cell[i]);
        }
    }
    MGL_GO(mgl_column_count_rows(&all, n, NULL, err));
done:
    mgl_free(all.codes);
    return status;
}

/* A released item must read back as itself. */
static const char *bad_label(const mgl_items_column *items, mgl_span label)
{
    const mgl_item_cutting *cutting = &items->cutting;
    mgl_span trimmed = mgl_span_trim(label);
    if (label.size == 0 || trimmed.size != label.size)
        return "is empty or has blanks around it";
    for (size_t i = 0; i < cutting->n_missing; i++)
        if (mgl_span_equal(label, cutting->missing[i]))
            return "means missing (`missing`)";
    if (mgl_utf8_valid(label.data, label.size) != label.size)
        return "is no UTF-8 (`encoding`)";
    if (mgl_span_is(label, "*"))
        return "is how suppressed cells are written";
    for (size_t i = 0; cutting->separator.size > 0 && i + cutting->separator.size <= label.size;
         i++)
        if (memcmp(label.data + i, cutting->separator.data, cutting->separator.size) == 0)
            return "has the separator of the items in it";
    return NULL;
}

static mgl_status check_labels(const mgl_items_column *items, mgl_error *err)
{
    for (uint32_t v = 0; v < items->tree.n_nodes; v++) {
        mgl_span label = items->tree.labels[v];
        const char *why = bad_label(items, label);
        char shown[MGL_SHOWN];
        if (why != NULL)
            return mgl_fail_attribute(err, MGL_CODE_BAD_CELL, items->settings->name, "hierarchy",
                                      "column '%.60s': an item would be released as %s, which %s; "
                                      "change the hierarchy, or the separator (`km-separator`)",
                                      items->settings->name, mgl_shown(label, shown), why);
    }
    return MGL_OK;
}

static mgl_status make_tree(mgl_reading *reading, mgl_error *err)
{
    mgl_items_column *items = mgl_items_of(reading);
    const char *spec = items->settings->hierarchy, *name = items->settings->name;
    uint32_t n_items = mgl_dictionary_size(items->sets.items);
    if (spec != NULL && mgl_hierarchy_columns(spec).size > 0)
        return mgl_fail_attribute(
            err, MGL_CODE_UNSUPPORTED, name, "hierarchy",
            "column '%.60s': columns(...) gives whole cells what stands above them, and its cells "
            "are sets of items; give a file or another builder",
            name);
    if (spec != NULL && mgl_hierarchy_needs_rows(spec))
        MGL_TRY(count_items(reading, err));
    MGL_TRY(mgl_hierarchy_make(spec, name, items->sets.items, err, &items->hierarchy));
    MGL_TRY(mgl_new_array(n_items, sizeof *items->leaf_of_item, err, &items->leaf_of_item));
    MGL_TRY(
        mgl_hierarchy_bind(items->hierarchy, name, items->sets.items, err, items->leaf_of_item));
    MGL_TRY(mgl_item_tree_new(items->hierarchy, err, &items->tree));
    return check_labels(items, err);
}

/* ---- The whole ------------------------------------------------------------------------------- */

enum { MOST_ITEMS = 1000000 };

/* Cuts the cells into items, and finds the hierarchy of these. */
static mgl_status bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    mgl_items_column *items = mgl_items_of(reading);
    const mgl_source_options *source = &reading->settings->source;
    if (items == NULL)
        return MGL_OK;
    items->column = mgl_requested(reading, items->field);
    items->cutting.missing = source->missing;
    items->cutting.n_missing = source->n_missing;
    find_separator(reading, purpose);
    if (purpose == MGL_TO_CHECK)
        return MGL_OK;
    MGL_TRY(mgl_item_sets_new(items->column->dictionary, &items->cutting, err, &items->sets));
    uint32_t n = mgl_dictionary_size(items->sets.items);
    if (n > MOST_ITEMS)
        return mgl_fail_attribute(err, MGL_CODE_LIMIT, items->settings->name, "km",
                                  "column '%.60s' has %u different items, and at most %d are "
                                  "looked at; is the separator right (`km-separator`)?",
                                  items->settings->name, n, MOST_ITEMS);
    if (n == 0 && !source->may_be_empty)
        return fail_cell(reading, "has no items at all; leave `km` out, or name another column",
                         err);
    return make_tree(reading, err);
}

static void forget(mgl_reading *reading)
{
    mgl_items_column *items = mgl_items_of(reading);
    if (items == NULL)
        return;
    mgl_item_tree_free(&items->tree);
    mgl_free(items->leaf_of_item);
    mgl_free(items->fixed);
    mgl_hierarchy_free(items->hierarchy);
    mgl_item_sets_free(&items->sets);
}

static mgl_status assign(const mgl_settings *settings, const mgl_source *source, size_t column,
                         mgl_purpose purpose, mgl_error *err, mgl_role *role)
{
    (void)purpose;
    (void)err;
    if (settings->km.column != NULL &&
        strcmp(settings->km.column->name, mgl_source_column(source, column)) == 0)
        *role = MGL_ROLE_ITEMS;
    return MGL_OK;
}

static bool uses_hierarchy(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    (void)settings;
    return attribute->km.k > 0;
}

static bool is_there(const mgl_reading *reading)
{
    return mgl_items_of(reading) != NULL;
}

static mgl_status refuse_engine(const mgl_settings *settings, mgl_error *err)
{
    if (settings->km.column == NULL)
        return MGL_OK;
    return mgl_fail_attribute(
        err, MGL_CODE_UNSUPPORTED, settings->km.column->name, "km",
        "`km`: combinations of items are counted row by row, and rows do not leave the database; "
        "write the release to a file, for which the rows are fetched");
}

const mgl_feature mgl_items_feature = {.name = "items",
                                       .size = sizeof(mgl_items_column),
                                       .release = &mgl_items_release,
                                       .audit = &mgl_items_audit,
                                       .refuse_engine = refuse_engine,
                                       .needs_rows = is_there,
                                       .searches = is_there,
                                       .assign = assign,
                                       .uses_hierarchy = uses_hierarchy,
                                       .request = request,
                                       .on = {[MGL_ON_OPEN] = open_column, [MGL_ON_READ] = bind},
                                       .forget = forget};
