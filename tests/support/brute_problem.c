/* Makes the problem of a search out of a brute-force case. Tests that call searches directly use
 * it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_problem.h"

static void want(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fail_msg("status %d: %s", (int)status, err->message);
}

static void fill_column(const brute_case *c, brute_problem *p, int a)
{
    mgl_column *column = &p->table->columns[a];
    for (int r = 0; r < c->n_rows; r++) {
        const brute_hierarchy *h = a < c->n_attributes ? &c->hierarchies[a] : NULL;
        char name[8];
        snprintf(name, sizeof name, "c%d", c->class_label[r]);
        bool missing = h != NULL && h->has_missing && c->leaf[r][a] == h->n_leaves - 1;
        const char *text = h != NULL ? brute_cell(c, r, a) : name;
        uint32_t code = missing ? mgl_dictionary_add_missing(column->dictionary, mgl_span_of(""))
                                : mgl_dictionary_add(column->dictionary, mgl_span_of(text));
        assert_true(mgl_column_reserve(column, (size_t)r, 1));
        mgl_column_set(column, (size_t)r, code);
    }
}

static void bind_column(const brute_case *c, brute_problem *p, int a)
{
    mgl_error err = {0};
    const char *spec = NULL;
    const mgl_column *column = &p->table->columns[a];
    if (c->hierarchies[a].given) {
        spec = "brute-hierarchy.csv";
        FILE *file = fopen(spec, "w");
        assert_non_null(file);
        brute_write_hierarchy(&c->hierarchies[a], file);
        assert_int_equal(fclose(file), 0);
    }
    want(mgl_hierarchy_make(spec, "column", column->dictionary, &err, &p->hierarchies[a]), &err);
    assert_int_equal(p->hierarchies[a]->height, c->hierarchies[a].height);
    assert_int_equal(p->hierarchies[a]->n_leaves, c->hierarchies[a].n_leaves);
    want(mgl_hierarchy_bind(p->hierarchies[a], "column", column->dictionary, &err,
                            p->leaf_of_code[a]),
         &err);
    want(mgl_released_column_new(p->hierarchies[a], &err, &p->columns[a]), &err);
    p->bound[a] = (mgl_bound_column){column, p->hierarchies[a], p->leaf_of_code[a]};
}

static void fill_sets(const brute_case *c, brute_problem *p)
{
    for (int q = 0; q < c->n_sets; q++) {
        p->models[q] = (mgl_model){.type = mgl_model_type_find("k-anonymity")};
        p->models[q].parameters[0] = brute_set_k(c, q);
        p->sets[q] = (mgl_quasi_set){
            .attributes = p->set_attributes[q], .models = &p->models[q], .n_models = 1};
        for (int a = 0; a < c->n_attributes; a++)
            if (c->in_set[q][a])
                p->set_attributes[q][p->sets[q].n_attributes++] = (uint32_t)a;
    }
}

static void fill_prefer(const brute_case *c, brute_problem *p)
{
    static const mgl_preference_kind kinds[] = {
        [BRUTE_ABSOLUTE] = MGL_PREFER_ABSOLUTE,
        [BRUTE_RELATIVE] = MGL_PREFER_RELATIVE,
        [BRUTE_DISTRIBUTION] = MGL_PREFER_DISTRIBUTION,
        [BRUTE_SUPPRESSION] = MGL_PREFER_SUPPRESSION,
        [BRUTE_BY_MEASURE] = MGL_PREFER_MEASURE,
    };
    for (int i = 0; i < c->n_prefer; i++)
        p->prefer[i] = (mgl_preference){
            kinds[c->prefer[i]], mgl_measure_type_find(brute_measure_option(c->prefer_measure[i]))};
}

void brute_problem_make(const brute_case *c, brute_problem *p)
{
    static const mgl_treatment treatments[] = {MGL_KEEP, MGL_DROP, MGL_EXEMPT};
    mgl_error err = {0};
    size_t m = (size_t)c->n_attributes;
    *p = (brute_problem){0};
    p->table = mgl_table_new(m + 1);
    assert_non_null(p->table);
    p->table->n_rows = (size_t)c->n_rows;
    for (int a = 0; a <= c->n_attributes; a++)
        fill_column(c, p, a);
    for (int a = 0; a < c->n_attributes; a++) {
        bind_column(c, p, a);
        p->min_level[a] = (uint32_t)c->min_level[a];
        p->max_level[a] = (uint32_t)c->max_level[a];
    }
    const mgl_column *label = &p->table->columns[m];
    want(mgl_frequency_list_new(&(mgl_count_request){.quasi = p->bound,
                                                     .n_quasi = m,
                                                     .counted = &label,
                                                     .n_counted = 1,
                                                     .n_rows = p->table->n_rows},
                                NULL, &err, &p->list),
         &err);
    const mgl_released_column *const *columns = (const mgl_released_column *const *)p->columns;
    want(mgl_cell_costs_new(p->list, columns, NULL, &err, &p->costs), &err);
    fill_sets(c, p);
    fill_prefer(c, p);
    for (int a = 0; a < BRUTE_ATTRIBUTES; a++)
        p->preference[a] = (mgl_by_set){.values = {c->preference[a]}, .n = 1};
    p->options = (mgl_datafly_options){p->preference};
    p->problem = (mgl_problem){
        .list = p->list,
        .columns = columns,
        .costs = p->costs,
        .min_level = p->min_level,
        .max_level = p->max_level,
        .weights = c->weight,
        .method = mgl_method_type_find("datafly"),
        .options = &p->options,
        .sets = p->sets,
        .n_sets = (size_t)c->n_sets,
        .k = (uint64_t)c->k,
        .limited = c->limited,
        .limit = (uint64_t)c->limit,
        .treatment = treatments[c->treatment],
        .measure = mgl_measure_type_find(brute_measure_option(c->measure)),
        .label = &p->list->sensitive[0],
        .prefer = p->prefer,
        .n_prefer = (size_t)c->n_prefer,
    };
}

void brute_problem_free(brute_problem *p)
{
    mgl_cell_costs_free(p->costs);
    mgl_frequency_list_free(p->list);
    for (int a = 0; a < BRUTE_ATTRIBUTES; a++) {
        mgl_released_column_free(p->columns[a]);
        mgl_hierarchy_free(p->hierarchies[a]);
    }
    mgl_table_free(p->table);
}

size_t brute_tuple_of(const brute_case *c, const brute_problem *p, int row)
{
    for (size_t t = 0; t < p->list->n_tuples; t++) {
        bool same = true;
        for (int a = 0; same && a < c->n_attributes; a++)
            same = mgl_list_leaf(p->list, t, (size_t)a) == (uint32_t)c->leaf[row][a];
        if (same)
            return t;
    }
    fail_msg("the tuple of row %d is not in the list", row);
    return 0;
}
