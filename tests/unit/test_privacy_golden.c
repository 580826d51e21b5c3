/* The strongest parameters of ../shared/golden/models.json, from the files themselves: a small
 * CSV reader, classes by sorting, and the models. */
#include "adult.h"
#include "test_privacy.h"

#include <jansson.h>

enum { COLUMNS = 24, MOST_QI = 8 };

static const double tolerance = 1e-9;

/* ---- Reading --------------------------------------------------------------------------- */

typedef struct csv {
    char *text;
    char *(*rows)[COLUMNS]; /* the first is the header */
    size_t n_rows, n_columns;
} csv;

/* A file of the folder; NULL if it is not there. */
static char *read_text(const char *folder, const char *name)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s", folder != NULL ? folder : "nowhere", name);
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return NULL;
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(size + 1);
    assert_int_equal(fread(text, 1, size, file), size);
    text[size] = '\0';
    fclose(file);
    return text;
}

/* Ends the cell in place and returns where the next begins; *last: it was the last of a row. */
static char *cut_cell(char *at, char **cell, bool *last)
{
    char *to = at;
    *cell = at;
    bool quoted = false;
    for (; *at != '\0' && (quoted || (*at != ',' && *at != '\n')); at++) {
        if (*at == '"')
            quoted = !quoted; /* no quote is doubled in these files */
        else if (*at != '\r')
            *to++ = *at;
    }
    *last = *at != ',';
    char *next = *at != '\0' ? at + 1 : at;
    *to = '\0';
    return next;
}

static bool csv_read(csv *out, const char *folder, const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "data/pycanon/%s", name);
    *out = (csv){.text = read_text(folder, path)};
    if (out->text == NULL)
        return false;
    size_t capacity = 2;
    for (const char *c = out->text; *c != '\0'; c++)
        capacity += *c == '\n';
    out->rows = malloc(capacity * sizeof *out->rows);
    for (char *at = out->text; *at != '\0';) {
        if (*at == '\n') { /* an empty line at the end */
            at++;
            continue;
        }
        size_t n = 0;
        for (bool last = false; !last; n++) {
            assert_true(n < COLUMNS);
            at = cut_cell(at, &out->rows[out->n_rows][n], &last);
        }
        assert_true(out->n_columns == 0 || n == out->n_columns);
        out->n_columns = n;
        out->n_rows++;
    }
    return true;
}

static void csv_free(csv *csv)
{
    free(csv->rows);
    free(csv->text);
}

static size_t column_of(const csv *csv, const char *name)
{
    size_t c = 0;
    while (c < csv->n_columns && strcmp(csv->rows[0][c], name) != 0)
        c++;
    assert_true(c < csv->n_columns);
    return c;
}

/* ---- Classes --------------------------------------------------------------------------- */

typedef struct row {
    char **cells;
    uint32_t value; /* code of the sensitive cell */
    const size_t *qi;
    size_t n_qi;
} row;

static int compare_qi(const void *a, const void *b)
{
    const row *x = a, *y = b;
    int order = 0;
    for (size_t i = 0; order == 0 && i < x->n_qi; i++)
        order = strcmp(x->cells[x->qi[i]], y->cells[y->qi[i]]);
    return order;
}

/* Numbers by value, other values bytewise. */
static int compare_values(const void *a, const void *b)
{
    const char *x = *(char *const *)a, *y = *(char *const *)b;
    char *x_end, *y_end;
    double u = strtod(x, &x_end), v = strtod(y, &y_end);
    if (*x != '\0' && *y != '\0' && *x_end == '\0' && *y_end == '\0' && u != v)
        return u < v ? -1 : 1;
    return strcmp(x, y);
}

/* Codes in the order of the rows, as a reader gives them; order[rank] is the code. */
static uint32_t code_values(const csv *csv, size_t column, row *rows, uint32_t **order,
                            uint64_t **counts)
{
    size_t n = csv->n_rows - 1, n_values = 0;
    char **values = malloc(n * sizeof *values), **sorted = malloc(n * sizeof *sorted);
    *counts = calloc(n, sizeof **counts);
    for (size_t r = 0; r < n; r++) {
        char *cell = rows[r].cells[column];
        uint32_t code = 0;
        while (code < n_values && strcmp(values[code], cell) != 0)
            code++;
        if (code == n_values)
            values[n_values++] = cell;
        rows[r].value = code;
        (*counts)[code]++;
    }
    memcpy(sorted, values, n_values * sizeof *sorted);
    qsort(sorted, n_values, sizeof *sorted, compare_values);
    *order = malloc(n_values * sizeof **order);
    for (size_t rank = 0; rank < n_values; rank++)
        for (uint32_t code = 0; code < n_values; code++)
            if (values[code] == sorted[rank])
                (*order)[rank] = code;
    free(values);
    free(sorted);
    return (uint32_t)n_values;
}

/* What is found out class by class. */
typedef struct finding {
    mgl_found *strongest; /* by mgl_strongest_table */
    mgl_found max_risk;
    double *infimum;
    uint64_t *sizes, *scratch, *counts;
    size_t n_classes;
    mgl_facts facts;
    subject subject;
} finding;

static void judge_class(finding *f, const row *rows, size_t n)
{
    size_t n_strongest;
    const mgl_strongest *table = mgl_strongest_table(&n_strongest);
    memset(f->counts, 0, f->subject.s.n_values * sizeof *f->counts);
    for (size_t r = 0; r < n; r++)
        f->counts[rows[r].value]++;
    sample_class class;
    class_make(&class, f->subject.s.n_values, f->counts);
    for (size_t i = 0; i < n_strongest; i++) {
        mgl_model model = {.type = table[i].type, .facts = &f->facts};
        memcpy(model.parameters, table[i].parameters, sizeof model.parameters);
        if (!table[i].needs_hierarchy)
            mgl_found_add(&f->strongest[i], &model, class_group(&class));
    }
    mgl_model risk = {.type = type_of("max-risk"), .parameters = {1}, .facts = &f->facts};
    mgl_found_add(&f->max_risk, &risk, class_group(&class));
    mgl_recursive_infimum(NULL, &class.histogram, f->subject.s.n_values, f->infimum, f->scratch);
    f->sizes[f->n_classes++] = n;
    class_free(&class);
}

static finding find(const csv *csv, const size_t *qi, size_t n_qi, size_t sensitive)
{
    size_t n = csv->n_rows - 1, n_strongest;
    finding f = {.max_risk = MGL_FOUND_NOTHING};
    row *rows = malloc(n * sizeof *rows);
    for (size_t r = 0; r < n; r++)
        rows[r] = (row){.cells = csv->rows[r + 1], .qi = qi, .n_qi = n_qi};
    uint32_t *order;
    uint64_t *counts;
    uint32_t n_values = code_values(csv, sensitive, rows, &order, &counts);
    subject_make(&f.subject, "sensitive", n_values, counts, order);
    f.facts = (mgl_facts){.n_rows = n, .sensitive = &f.subject.s, .n_sensitive = 1};
    mgl_strongest_table(&n_strongest);
    f.strongest = malloc(n_strongest * sizeof *f.strongest);
    for (size_t i = 0; i < n_strongest; i++)
        f.strongest[i] = MGL_FOUND_NOTHING;
    f.infimum = calloc(n_values + 1, sizeof *f.infimum);
    f.sizes = malloc(n * sizeof *f.sizes);
    f.scratch = malloc(n_values * sizeof *f.scratch);
    f.counts = counts;
    qsort(rows, n, sizeof *rows, compare_qi);
    for (size_t first = 0, end; first < n; first = end) {
        for (end = first + 1; end < n && compare_qi(&rows[first], &rows[end]) == 0; end++)
            ;
        judge_class(&f, &rows[first], end - first);
    }
    free(order);
    free(rows);
    return f;
}

static void finding_free(finding *f)
{
    free(f->strongest);
    free(f->infimum);
    free(f->sizes);
    free(f->scratch);
    free(f->counts);
    subject_free(&f->subject);
}

/* ---- Comparing ------------------------------------------------------------------------- */

static double strongest(const finding *f, const char *key)
{
    size_t n;
    const mgl_strongest *table = mgl_strongest_table(&n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].key, key) == 0)
            return f->strongest[i].measured;
    fail_msg("no %s", key);
    return NAN;
}

/* null and "inf" are INFINITY. */
static void expect(const json_t *definition, const char *key, double found)
{
    const json_t *value = json_object_get(definition, key);
    assert_non_null(value);
    double expected = json_is_number(value) ? json_number_value(value) : INFINITY;
    if (!close_to(found, expected, tolerance))
        fail_msg("%s: %.17g, expected %.17g", key, found, expected);
}

static void compare(const json_t *definition, finding *f)
{
    f->facts.sensitive = &f->subject.s;
    double l = strongest(f, "distinct_l");
    expect(definition, "classes", (double)f->n_classes);
    expect(definition, "distinct_l", l);
    assert_true(strongest(f, "p") == l);
    expect(definition, "entropy_l_real", strongest(f, "entropy_l"));
    assert_false(signbit(log(strongest(f, "entropy_l"))));
    expect(definition, "alpha", strongest(f, "alpha"));
    expect(definition, "t_equal_distance", strongest(f, "t_equal"));
    expect(definition, "t_ordered_distance", strongest(f, "t_ordered"));
    expect(definition, "basic_beta", strongest(f, "beta"));
    if (json_is_true(json_object_get(definition, "enhanced_beta_satisfiable")))
        expect(definition, "basic_beta", strongest(f, "enhanced_beta"));
    else
        assert_true(isinf(strongest(f, "enhanced_beta")));
    expect(definition, "delta_strict", strongest(f, "delta"));
    expect(definition, "recursive_c_infimum_at_l2", l >= 2 ? f->infimum[2] : INFINITY);
    expect(definition, "recursive_c_infimum_at_l_distinct",
           l >= 2 ? f->infimum[(size_t)l] : INFINITY);
    expect(definition, "max_risk", f->max_risk.measured);

    mgl_class_sizes classes = {.sizes = f->sizes, .n = f->n_classes};
    mgl_model mean = {.type = type_of("mean-risk")},
              unique = {.type = type_of("sample-uniqueness")};
    expect(definition, "avg_risk_over_records", mean.type->table_measure(&mean, &classes));
    expect(definition, "uniques",
           unique.type->table_measure(&unique, &classes) * (double)f->facts.n_rows);
}

static void check_case(const char *folder, const json_t *golden)
{
    csv csv;
    assert_true(csv_read(&csv, folder, json_string_value(json_object_get(golden, "file"))));
    size_t qi[MOST_QI], n_qi = 0, i;
    json_t *name;
    json_array_foreach(json_object_get(golden, "qi"), i, name)
    {
        assert_true(n_qi < MOST_QI);
        qi[n_qi++] = column_of(&csv, json_string_value(name));
    }
    finding f =
        find(&csv, qi, n_qi, column_of(&csv, json_string_value(json_object_get(golden, "sa"))));
    compare(json_object_get(golden, "definition"), &f);
    finding_free(&f);
    csv_free(&csv);
}

static void has_golden_parameters(const char *folder)
{
    char *text = read_text(folder, "golden/models.json");
    if (text == NULL) {
        print_message("skipped: no ../shared/golden/models.json\n");
        skip();
    }
    json_t *cases = json_loads(text, 0, NULL), *golden;
    assert_true(json_array_size(cases) > 0);
    size_t i;
    json_array_foreach(cases, i, golden) check_case(folder, golden);
    json_decref(cases);
    free(text);
}

static void golden_classes_have_their_measures(void **state)
{
    (void)state;
    has_golden_parameters(shared_folder());
}

static void standin_has_the_parameters_of_the_oracle(void **state)
{
    (void)state;
    has_golden_parameters(standin_folder());
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(golden_classes_have_their_measures),
                                       cmocka_unit_test(standin_has_the_parameters_of_the_oracle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
