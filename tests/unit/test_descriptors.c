/* What the tables of models, measures, methods and formats rely on, for every row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "io/io.h"
#include "search/search.h"

#include <string.h>

static void models_say_what_their_table_relies_on(void **state)
{
    (void)state;
    size_t n, n_k = 0;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_model_type *t = types[i];
        bool by_class = t->scope == MGL_SCOPE_CLASS;
        n_k += t->k == MGL_K_IS;
        assert_ptr_equal(mgl_model_type_find(t->name), t);
        assert_true(t->help != NULL && t->when != NULL);
        assert_true(by_class ? t->holds != NULL && t->measure != NULL
                             : t->table_holds != NULL && t->table_measure != NULL);
        /* The first parameter is the size, or the number of values. */
        assert_true((t->k == MGL_K_NONE && t->distinct == MGL_DISTINCT_NONE) ||
                    t->n_parameters > 0);
        /* Searches that take models at their word stop where a larger class holds as well. */
        assert_true(t->distinct == MGL_DISTINCT_NONE || (t->upward_closed && t->union_closed));
        assert_true(t->terms == NULL || (t->takes_attribute && mgl_needs_histograms(t)));
        assert_true(!t->upward_closed || t->union_closed);
    }
    assert_int_equal(n_k, 1);
    assert_int_equal(mgl_model_type_of_k()->k, MGL_K_IS);
}

static void measures_say_what_their_table_relies_on(void **state)
{
    (void)state;
    size_t n, n_standard = 0;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_measure_type *t = types[i];
        bool looks_at_cells =
            t->form == MGL_COST_SUM || t->form == MGL_COST_PRODUCT || t->form == MGL_COST_TUPLES;
        n_standard += t->is_standard && t->drives_search;
        assert_ptr_equal(mgl_measure_type_find(t->name), t);
        assert_ptr_equal(mgl_measure_type_find_key(t->key), t);
        assert_true(t->help != NULL && t->when != NULL && t->value != NULL);
        assert_true(looks_at_cells == (t->cells != MGL_PAYS_NONE));
        assert_true(!t->weighted || looks_at_cells);
    }
    assert_int_equal(n_standard, 1);
    assert_true(mgl_measure_type_standard()->is_standard);
}

static void methods_say_what_their_table_relies_on(void **state)
{
    (void)state;
    size_t n, n_standard = 0;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++) {
        n_standard += types[i]->is_standard;
        assert_ptr_equal(mgl_method_type_find(types[i]->name), types[i]);
        assert_true(types[i]->help != NULL && types[i]->when != NULL && types[i]->cost != NULL);
        /* What it takes depends on machine and table: no time is promised. */
        assert_null(strstr(types[i]->cost, "second"));
        assert_null(strstr(types[i]->cost, "minute"));
        /* Who goes by the effort says so, and nobody else. */
        assert_int_equal(strstr(types[i]->cost, "`effort`") != NULL, types[i]->looks_longer);
        assert_true(types[i]->run != NULL);
    }
    assert_int_equal(n_standard, 1);
    assert_true(mgl_method_type_standard()->is_standard);
}

static void formats_say_what_their_table_relies_on(void **state)
{
    (void)state;
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    assert_true(formats[0]->text);
    for (size_t i = 0; i < n; i++) {
        assert_true(formats[i]->help != NULL && formats[i]->source != NULL);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(formats[i]->name, formats[j]->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_say_what_their_table_relies_on),
        cmocka_unit_test(measures_say_what_their_table_relies_on),
        cmocka_unit_test(methods_say_what_their_table_relies_on),
        cmocka_unit_test(formats_say_what_their_table_relies_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
