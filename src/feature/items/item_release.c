/* Finds what is released of the items of each row, once it is known which rows are released and
 * which of them look alike. */
#include "feature/items/items.h"
#include "pipeline/pipeline.h"

enum { ROWS_AT_ONCE = 1024 };

/* What is made of the column for a release. */
typedef struct mgl_items_written {
    bool made;
    mgl_item_cut cut;
    mgl_item_release release;
    uint64_t classes; /* that each hold for themselves; 1 where the table holds as a whole */
    bool planned;     /* a release was planned: */
    mgl_promised_items promised; /* about it, with what the verifier found */
} mgl_items_written;

static mgl_items_written *made_of(const mgl_written *written)
{
    return mgl_feature_made(written, &mgl_items_feature);
}

/* ---- Which rows ------------------------------------------------------------------------------ */

static mgl_status group_all(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                            mgl_classes *out)
{
    uint32_t *n_values = mgl_alloc_array(recoding->n_attributes, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(n_values == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (size_t a = 0; a < recoding->n_attributes; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, recoding->n_tuples, recoding->n_attributes, err));
    mgl_classes_group(out, recoding->cells, n_values, NULL, recoding->n_attributes,
                      task->problem.list->counts);
done:
    mgl_free(n_values);
    return status;
}

/* The class of each row; MGL_NOT_FOUND: it is left out. *out is NULL where all rows are one. */
static mgl_status find_classes(const mgl_task *task, const mgl_reading *reading,
                               const mgl_solution *solution, mgl_error *err, uint32_t **out)
{
    const mgl_recoding *recoding = solution->recoding;
    bool drops = reading->settings->treatment == MGL_DROP && solution->suppressed_rows > 0;
    bool within = reading->settings->km.within && reading->n_quasi > 0;
    size_t n_rows = reading->table->n_rows;
    mgl_tuple_finder *finder = NULL;
    mgl_classes classes = {0};
    uint32_t tuples[ROWS_AT_ONCE], *of_row = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    if (!drops && !within)
        return MGL_OK;
    of_row = mgl_alloc_array(n_rows, sizeof *of_row);
    MGL_GO(of_row == NULL ? mgl_fail_memory(err) : MGL_OK);
    MGL_GO(group_all(task, recoding, err, &classes));
    MGL_GO(mgl_tuple_finder_share(task->problem.list, reading->bound, reading->pool, err, &finder));
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        size_t some = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
        mgl_tuple_find(finder, row, some, tuples);
        for (size_t i = 0; i < some; i++)
            of_row[row + i] = drops && recoding->suppressed[tuples[i]] ? MGL_NOT_FOUND
                              : within                                 ? classes.of_tuple[tuples[i]]
                                                                       : 0;
    }
    *out = of_row;
    of_row = NULL;
done:
    mgl_tuple_finder_free(finder);
    mgl_classes_free(&classes);
    mgl_free(of_row);
    return status;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static uint64_t count_classes(const mgl_baskets *baskets)
{
    uint64_t n = baskets->n > 0;
    for (size_t b = 1; b < baskets->n; b++)
        n += baskets->class_of[b] != baskets->class_of[b - 1];
    return n;
}

/* A cut that is given is judged on the current rows. */
static mgl_status take_fixed(const mgl_items_column *items, const mgl_item_problem *problem,
                             mgl_error *err, mgl_item_cut *out)
{
    uint32_t n = items->tree.n_leaves;
    bool holds = false;
    *out = (mgl_item_cut){.node_of_leaf = mgl_alloc_array(n, sizeof *out->node_of_leaf)};
    MGL_TRY(mgl_check_memory(out->node_of_leaf != NULL, err));
    memcpy(out->node_of_leaf, items->fixed, n * sizeof *out->node_of_leaf);
    out->ncp = mgl_item_cut_loss(&items->tree, problem->baskets, items->fixed);
    out->ncp_first = out->ncp;
    MGL_TRY(mgl_item_cut_holds(problem, items->fixed, err, &holds));
    if (!holds)
        return mgl_fail_key(err, MGL_CODE_NOT_HELD, "recoding",
                            "column '%.60s': released as the recoding says, some combination of at "
                            "most %u items is shown by fewer than %llu of the rows given; release "
                            "them with further rows, or anonymize them by themselves",
                            items->settings->name, problem->m, (unsigned long long)problem->k);
    return MGL_OK;
}

static mgl_status search(const mgl_reading *reading, const mgl_basket_request *request,
                         mgl_error *err, mgl_items_written *out)
{
    const mgl_items_column *items = mgl_items_of(reading);
    const mgl_settings *settings = reading->settings;
    mgl_baskets baskets;
    MGL_TRY(mgl_baskets_new(request, err, &baskets));
    mgl_item_problem problem = {.tree = &items->tree,
                                .baskets = &baskets,
                                .k = items->settings->km.k,
                                .m = items->settings->km.m,
                                .pool = reading->pool,
                                .progress = &settings->progress,
                                .deadline = mgl_deadline(settings)};
    mgl_status status = items->fixed != NULL ? take_fixed(items, &problem, err, &out->cut)
                                             : mgl_item_search(&problem, err, &out->cut);
    out->classes = count_classes(&baskets);
    mgl_baskets_free(&baskets);
    return status;
}

static mgl_status make(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    mgl_items_written *out = made_of(written);
    const mgl_items_column *items = mgl_items_of(reading);
    uint32_t *class_of_row = NULL;
    mgl_status status = MGL_OK;
    if (items == NULL || out->made)
        return MGL_OK;
    MGL_GO(find_classes(task, reading, solution, err, &class_of_row));
    mgl_basket_request request = {.column = items->column,
                                  .n_rows = reading->table->n_rows,
                                  .sets = &items->sets,
                                  .leaf_of_item = items->leaf_of_item,
                                  .n_leaves = items->tree.n_leaves,
                                  .class_of_row = class_of_row,
                                  .persons = reading->entity};
    double start = mgl_sys_seconds();
    MGL_GO(search(reading, &request, err, out));
    written->search_seconds += mgl_sys_seconds() - start;
    MGL_GO(mgl_item_release_make(&request, &items->tree, out->cut.node_of_leaf, &items->cutting,
                                 err, &out->release));
    out->made = true;
done:
    mgl_free(class_of_row);
    return status;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_items_column *items = mgl_items_of(task->reading);
    mgl_items_written *made = made_of(written);
    if (!made->made)
        return MGL_OK;
    MGL_TRY(mgl_plan_replace(p, items->field, &made->release.column, MGL_FOLLOWING, err));
    made->promised = (mgl_promised_items){.column = mgl_plan_column(p, items->field),
                                          .k = items->settings->km.k,
                                          .m = items->settings->km.m,
                                          .within = task->reading->settings->km.within,
                                          .cutting = items->cutting,
                                          .tree = &items->tree};
    made->planned = true;
    mgl_plan_promise(p, &mgl_items_judge, &made->promised, 1);
    return MGL_OK;
}

static void free_items(mgl_written *written)
{
    mgl_item_cut_free(&made_of(written)->cut);
    mgl_item_release_free(&made_of(written)->release);
}

/* ---- Saved recodings ------------------------------------------------------------------------- */

/* Numbers the nodes of the cut in the order of their first leaves. */
static void number_labels(const mgl_items_column *items, const uint32_t *node_of_leaf,
                          mgl_saved_items *to, uint32_t *number)
{
    const mgl_item_tree *tree = &items->tree;
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++) {
        uint32_t node = node_of_leaf[leaf];
        if (node == MGL_NOT_FOUND || tree->first_leaf[node] != leaf)
            continue;
        number[node] = (uint32_t)to->n_labels;
        to->labels[to->n_labels] = tree->labels[node];
        to->leaves[to->n_labels++] = mgl_item_leaves(tree, node);
    }
}

/* What every item of the hierarchy is released as, those that did not occur among them. */
static mgl_status save(const mgl_reading *reading, const mgl_written *written, mgl_arena *arena,
                       mgl_error *err, mgl_saved_recoding *out)
{
    const mgl_items_column *items = mgl_items_of(reading);
    const uint32_t *node_of_leaf = made_of(written)->cut.node_of_leaf;
    if (items == NULL || node_of_leaf == NULL)
        return MGL_OK;
    uint32_t n = items->tree.n_leaves;
    mgl_saved_items *to = out->items = mgl_arena_alloc(arena, sizeof *to);
    uint32_t *number = mgl_arena_alloc(arena, (items->tree.n_nodes + 1) * sizeof *number);
    mgl_span separator = items->cutting.separator;
    MGL_TRY(mgl_check_memory(to != NULL && number != NULL, err));
    *to = (mgl_saved_items){.column = items->settings->name,
                            .separator = mgl_arena_copy(arena, separator.data, separator.size),
                            .n_leaves = n,
                            .n_items = n,
                            .labels = mgl_arena_alloc(arena, (n + 1) * sizeof *to->labels),
                            .leaves = mgl_arena_alloc(arena, (n + 1) * sizeof *to->leaves),
                            .items = mgl_arena_alloc(arena, (n + 1) * sizeof *to->items),
                            .label_of = mgl_arena_alloc(arena, (n + 1) * sizeof *to->label_of)};
    MGL_TRY(mgl_check_memory(to->separator != NULL && to->labels != NULL && to->leaves != NULL &&
                                 to->items != NULL && to->label_of != NULL,
                             err));
    number_labels(items, node_of_leaf, to, number);
    for (uint32_t leaf = 0; leaf < n; leaf++) {
        to->items[leaf] = items->hierarchy->levels[0].labels[leaf];
        to->label_of[leaf] =
            node_of_leaf[leaf] != MGL_NOT_FOUND ? number[node_of_leaf[leaf]] : MGL_NOT_FOUND;
    }
    return MGL_OK;
}

static mgl_map *index_items(const mgl_saved_items *saved)
{
    mgl_map *known = mgl_map_new();
    for (size_t i = 0; known != NULL && i < saved->n_items; i++)
        if (mgl_map_add(known, saved->items[i]) == MGL_NOT_FOUND) {
            mgl_map_free(known);
            return NULL;
        }
    return known;
}

/* Items that the recoding does not know are left out. Their release is judged on the current rows.
 */
static mgl_status recode(mgl_reading *reading, const mgl_saved_recoding *saved, mgl_error *err)
{
    const mgl_saved_items *from = saved->items;
    mgl_items_column *items = mgl_items_of(reading);
    if (items == NULL)
        return MGL_OK;
    if (from == NULL || strcmp(from->column, items->settings->name) != 0)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "recoding",
            "the recoding does not say what items are released as; leave `km` to the recoding");
    uint32_t n = mgl_dictionary_size(items->sets.items);
    uint32_t *label_of = mgl_alloc_array(n, sizeof *label_of);
    mgl_map *known = index_items(from);
    mgl_status status = MGL_OK;
    MGL_GO(label_of == NULL || known == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t item = mgl_map_find(known, mgl_dictionary_value(items->sets.items, i));
        label_of[i] = item != MGL_NOT_FOUND ? from->label_of[item] : MGL_NOT_FOUND;
        items->leaf_of_item[i] = i;
        items->unknown += item == MGL_NOT_FOUND;
    }
    mgl_item_labels labels = {from->labels, from->leaves, (uint32_t)from->n_labels, from->n_leaves};
    mgl_item_tree_free(&items->tree);
    MGL_GO(mgl_item_tree_of_labels(&labels, label_of, n, err, &items->tree));
    items->fixed = mgl_alloc_array(n, sizeof *items->fixed);
    MGL_GO(items->fixed == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (uint32_t i = 0; i < n; i++)
        items->fixed[i] = label_of[i] != MGL_NOT_FOUND ? n + label_of[i] : MGL_NOT_FOUND;
done:
    mgl_free(label_of);
    mgl_map_free(known);
    return status;
}

/* ---- The section of the result --------------------------------------------------------------- */

static json_t *node_json(const mgl_item_tree *tree, uint32_t node, uint64_t rows)
{
    json_t *object = json_object();
    mgl_span label = tree->labels[node];
    mgl_json_set(object, "item", json_stringn(label.data, label.size));
    mgl_json_set(object, "leaves", mgl_json_count(tree->stands_for[node]));
    mgl_json_set(object, "rows", mgl_json_count(rows));
    return object;
}

/* What the items are released as, in the order of their hierarchy; nothing of what is left out. */
static json_t *cut_json(const mgl_items_column *items, const mgl_item_release *release)
{
    const mgl_item_tree *tree = &items->tree;
    uint64_t *nodes = mgl_alloc_array(tree->n_nodes, sizeof *nodes);
    json_t *list = nodes != NULL ? json_array() : NULL;
    size_t n = 0;
    for (uint32_t v = 0; nodes != NULL && v < tree->n_nodes; v++)
        if (release->rows[v] > 0)
            nodes[n++] = (uint64_t)tree->first_leaf[v] << 32 | v;
    if (nodes != NULL)
        mgl_sort_u64(nodes, n);
    for (size_t i = 0; i < n; i++)
        mgl_json_append(list,
                        node_json(tree, (uint32_t)nodes[i], release->rows[(uint32_t)nodes[i]]));
    mgl_free(nodes);
    return list;
}

static json_t *left_out_json(const mgl_item_release *release)
{
    json_t *object = json_object();
    mgl_json_set(object, "items", mgl_json_count(release->left_out_items));
    mgl_json_set(object, "occurrences", mgl_json_count(release->left_out_occurrences));
    mgl_json_set(object, "emptied_rows", mgl_json_count(release->emptied_rows));
    return object;
}

static json_t *found_json(const mgl_items_found *found)
{
    json_t *object = json_object();
    mgl_json_set(object, "items", mgl_json_count(found->items));
    mgl_json_set(object, "combinations", mgl_json_count(found->combinations));
    mgl_json_set(object, "least",
                 found->combinations > 0 ? mgl_json_count(found->least) : json_null());
    mgl_json_set(object, "rare", mgl_json_count(found->rare));
    return object;
}

static json_t *promise_json(const mgl_reading *reading)
{
    const mgl_items_column *items = mgl_items_of(reading);
    mgl_span separator = items->cutting.separator;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(items->settings->name));
    mgl_json_set(object, "k", mgl_json_count(items->settings->km.k));
    mgl_json_set(object, "m", mgl_json_count(items->settings->km.m));
    mgl_json_set(object, "within", json_boolean(reading->settings->km.within));
    mgl_json_set(object, "separator", json_stringn(separator.data, separator.size));
    return object;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const mgl_items_column *items = mgl_items_of(reading);
    const mgl_items_written *made = made_of(written);
    if (items == NULL || !made->made)
        return;
    json_t *object = promise_json(reading);
    mgl_json_set(object, "hierarchy",
                 items->settings->hierarchy != NULL && items->fixed == NULL
                     ? json_string(items->hierarchy->resolved)
                     : json_null());
    if (items->fixed != NULL)
        mgl_json_set(object, "unknown_items", mgl_json_count(items->unknown));
    mgl_json_set(object, "items", mgl_json_count(made->release.items));
    mgl_json_set(object, "occurrences", mgl_json_count(made->release.occurrences));
    mgl_json_set(object, "left_out", left_out_json(&made->release));
    mgl_json_set(object, "ncp", mgl_json_real(made->cut.ncp));
    mgl_json_set(object, "apriori_ncp", mgl_json_real(made->cut.ncp_first));
    mgl_json_set(object, "best_possible", mgl_json_real(made->cut.best_possible));
    mgl_json_set(object, "exact", json_boolean(made->cut.exact));
    mgl_json_set(object, "released",
                 made->planned ? found_json(&made->promised.found) : json_null());
    if (!reading->settings->brief)
        mgl_json_set(object, "cut", cut_json(items, &made->release));
    mgl_json_set(result->document, "items", object);
}

static bool changes(const mgl_reading *reading, const mgl_written *written, size_t field)
{
    (void)written;
    return reading->roles[field] == MGL_ROLE_ITEMS;
}

/* Does the result of the release say that cells got an apostrophe? */
static bool is_neutralized(const mgl_settings *settings)
{
    const json_t *job =
        json_object_get(json_object_get(settings->claimed.document, "audit"), "job");
    return json_object_get(job, "neutralize") != NULL;
}

/* Sets of items, judged as the verifier judges them. */
static mgl_status check(const mgl_task *task, const uint32_t *persons, mgl_error *err,
                        mgl_result *result)
{
    const mgl_reading *reading = task->reading;
    const mgl_items_column *items = mgl_items_of(reading);
    size_t n_alike = reading->settings->km.within ? reading->n_quasi : 0;
    if (items == NULL)
        return MGL_OK;
    const mgl_column **alike = mgl_arena_alloc(task->arena, (n_alike + 1) * sizeof *alike);
    MGL_TRY(mgl_check_memory(alike != NULL, err));
    for (size_t a = 0; a < n_alike; a++)
        alike[a] = reading->quasi[a].column;
    mgl_item_rows rows = {.column = items->column,
                          .n_rows = reading->table->n_rows,
                          .alike = alike,
                          .n_alike = n_alike,
                          .persons = persons,
                          .neutralized = is_neutralized(reading->settings),
                          .no_value = reading->settings->source.no_value,
                          .pool = reading->pool};
    mgl_promised_items promised = {.k = items->settings->km.k,
                                   .m = items->settings->km.m,
                                   .within = reading->settings->km.within,
                                   .cutting = items->cutting};
    MGL_TRY(mgl_verify_items(&rows, &promised, err));
    json_t *object = promise_json(reading);
    mgl_json_set(object, "released", found_json(&promised.found));
    mgl_json_set(object, "holds", json_boolean(promised.found.rare == 0));
    mgl_json_set(result->document, "items", object);
    result->holds = result->holds && promised.found.rare == 0;
    return MGL_OK;
}

static void promise(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object)
{
    static const char *const kept[] = {"column", "separator", "k", "m"};
    const json_t *section = json_object_get(result, "items");
    json_t *items = section != NULL && column == NULL ? json_object() : NULL;
    (void)settings;
    if (items == NULL)
        return;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        if (json_object_get(section, kept[i]) != NULL)
            mgl_json_set(items, kept[i], json_incref(json_object_get(section, kept[i])));
    mgl_json_set(object, "items", items);
}

/* What each item is released as; null: it is left out. */
static void show(const mgl_saved_recoding *saved, json_t *document)
{
    const mgl_saved_items *items = saved->items;
    if (items == NULL)
        return;
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < items->n_items; i++) {
        uint32_t label = items->label_of[i];
        json_t *one = json_object();
        mgl_json_set(one, "item", mgl_json_span(items->items[i]));
        mgl_json_set(one, "released",
                     label != MGL_NOT_FOUND ? mgl_json_span(items->labels[label]) : json_null());
        mgl_json_append(list, one);
    }
    mgl_json_set(object, "column", json_string(items->column));
    mgl_json_set(object, "separator", json_string(items->separator));
    mgl_json_set(object, "items", list);
    mgl_json_set(document, "items", object);
}

static mgl_status take(const mgl_saved_recoding *saved, mgl_job *job, mgl_error *err)
{
    if (saved->items == NULL)
        return MGL_OK;
    MGL_TRY(mgl_job_take_value(job, "hierarchy", saved->items->column, "suppress", err));
    return mgl_job_take_value(job, "km-separator", NULL, saved->items->separator, err);
}

const mgl_feature_release mgl_items_release = {.show = show,
                                               .take = take,
                                               .promise = promise,
                                               .size = sizeof(mgl_items_written),
                                               .make = make,
                                               .plan = plan,
                                               .describe = describe,
                                               .changes = changes,
                                               .check = check,
                                               .save = save,
                                               .recode = recode,
                                               .free = free_items};
