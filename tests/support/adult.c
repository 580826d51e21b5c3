/* Reads Adult with its hierarchies from ../shared and makes problems of it. Property tests and
 * benchmarks use it, and skip where it is not there. */
#include "adult.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_adult(const char *folder)
{
    char path[4096];
    mgl_file_state state;
    snprintf(path, sizeof path, "%s/data/adult/adult.csv", folder);
    return mgl_sys_state_of(path, &state) == 0;
}

/* tests/run says where it is; the benchmarks run in the project. */
const char *shared_folder(void)
{
    const char *told = getenv("SHARED");
    if (told != NULL && has_adult(told))
        return told;
    return has_adult("../shared") ? "../shared" : NULL;
}

const char *standin_folder(void)
{
    static char path[4096];
    const char *source = getenv("SOURCE");
    snprintf(path, sizeof path, "%s/tests/standin", source != NULL ? source : ".");
    return path;
}

/* The cells of one line, in place; there are no quotes in this file. */
static size_t split_line(char *line, char **cells, size_t most)
{
    size_t n = 0;
    line[strcspn(line, "\r\n")] = '\0';
    for (char *cell = line; cell != NULL && n < most;) {
        cells[n++] = cell;
        cell = strchr(cell, ';');
        if (cell != NULL)
            *cell++ = '\0';
    }
    return n;
}

static bool read_rows(adult *out, FILE *file)
{
    char line[1024], *cells[ADULT_COLUMNS];
    out->table = mgl_table_new(ADULT_COLUMNS);
    if (out->table == NULL || fgets(line, sizeof line, file) == NULL ||
        split_line(line, cells, ADULT_COLUMNS) != ADULT_COLUMNS)
        return false;
    for (size_t a = 0; a < ADULT_COLUMNS; a++) {
        out->table->columns[a].name = mgl_alloc(strlen(cells[a]) + 1);
        strcpy(out->table->columns[a].name, cells[a]);
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (split_line(line, cells, ADULT_COLUMNS) != ADULT_COLUMNS)
            return false;
        for (size_t a = 0; a < ADULT_COLUMNS; a++) {
            mgl_column *column = &out->table->columns[a];
            uint32_t code = mgl_dictionary_add(column->dictionary, mgl_span_of(cells[a]));
            if (!mgl_column_widen(column, out->table->n_rows, code) ||
                !mgl_column_reserve(column, out->table->n_rows, 1))
                return false;
            mgl_column_set(column, out->table->n_rows, code);
        }
        out->table->n_rows++;
    }
    return true;
}

static mgl_status bind(adult *out, const char *folder, mgl_error *err)
{
    mgl_bound_column quasi[ADULT_COLUMNS];
    uint32_t *leaf_of_code[ADULT_COLUMNS];
    for (size_t a = 0; a < ADULT_COLUMNS; a++) {
        const mgl_column *column = &out->table->columns[a];
        char path[512];
        snprintf(path, sizeof path, "%s/data/adult/adult_hierarchy_%s.csv", folder, column->name);
        MGL_TRY(
            mgl_hierarchy_make(path, column->name, column->dictionary, err, &out->hierarchies[a]));
        leaf_of_code[a] =
            mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof **leaf_of_code);
        MGL_TRY(mgl_hierarchy_bind(out->hierarchies[a], column->name, column->dictionary, err,
                                   leaf_of_code[a]));
        MGL_TRY(mgl_released_column_new(out->hierarchies[a], err, &out->columns[a]));
        quasi[a] = (mgl_bound_column){column, out->hierarchies[a], leaf_of_code[a]};
        out->attributes[a] = (uint32_t)a;
        out->min_level[a] = 0;
        out->max_level[a] = out->hierarchies[a]->height;
        out->weights[a] = 1;
    }
    MGL_TRY(mgl_frequency_list_new(&(mgl_count_request){.quasi = quasi,
                                                        .n_quasi = ADULT_COLUMNS,
                                                        .n_rows = out->table->n_rows},
                                   NULL, err, &out->list));
    for (size_t a = 0; a < ADULT_COLUMNS; a++)
        mgl_free(leaf_of_code[a]);
    return mgl_cell_costs_new(out->list, (const mgl_released_column *const *)out->columns, NULL,
                              err, &out->costs);
}

bool adult_read(adult *out, const char *folder)
{
    *out = (adult){0};
    if (folder == NULL) {
        fprintf(stderr, "../shared is not there\n");
        return false;
    }
    char path[512];
    snprintf(path, sizeof path, "%s/data/adult/adult.csv", folder);
    FILE *file = fopen(path, "r");
    bool read = file != NULL && read_rows(out, file);
    if (file != NULL)
        fclose(file);
    mgl_error err = {0};
    if (read && bind(out, folder, &err) == MGL_OK)
        return true;
    fprintf(stderr, "%s: %s\n", path, read ? err.message : "cannot be read");
    adult_free(out);
    return false;
}

void adult_free(adult *adult)
{
    mgl_cell_costs_free(adult->costs);
    mgl_frequency_list_free(adult->list);
    for (size_t a = 0; a < ADULT_COLUMNS; a++) {
        mgl_released_column_free(adult->columns[a]);
        mgl_hierarchy_free(adult->hierarchies[a]);
    }
    mgl_table_free(adult->table);
}

mgl_problem adult_problem(adult *adult, uint64_t k, uint64_t limit, const char *measure)
{
    adult->model =
        (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {(double)k}};
    adult->set = (mgl_quasi_set){.attributes = adult->attributes,
                                 .n_attributes = ADULT_COLUMNS,
                                 .models = &adult->model,
                                 .n_models = 1};
    return (mgl_problem){
        .list = adult->list,
        .columns = (const mgl_released_column *const *)adult->columns,
        .costs = adult->costs,
        .min_level = adult->min_level,
        .max_level = adult->max_level,
        .weights = adult->weights,
        .sets = &adult->set,
        .n_sets = 1,
        .k = k,
        .limited = true,
        .limit = limit,
        .treatment = MGL_EXEMPT,
        .measure = mgl_measure_type_find(measure),
    };
}

/* ---- ARX ---------------------------------------------------------------------------- */

static bool parse_case(char *line, arx_case *out)
{
    static const char *const ours[][2] = {{"loss", "geometric-loss"},
                                          {"precision", "precision"},
                                          {"discernibility", "discernibility"},
                                          {"aecs", "class-size"},
                                          {"entropy", "nonuniform-entropy"}};
    unsigned long k;
    char measure[32];
    if (sscanf(line, "qi9 k=%lu s=%lf %31s", &k, &out->share, measure) != 3)
        return false;
    out->k = k;
    out->measure[0] = '\0';
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(measure, ours[i][0]) == 0)
            strcpy(out->measure, ours[i][1]);
    char *time = strrchr(line, '\t');
    if (time == NULL || out->measure[0] == '\0')
        return false;
    out->milliseconds = strtod(time + 1, NULL);
    *time = '\0';
    char *value = strrchr(line, '\t');
    if (value == NULL)
        return false;
    out->value = strtod(value + 1, NULL);
    return true;
}

size_t arx_cases(const char *folder, const char *name, arx_case *cases, size_t most)
{
    char path[512], line[2048];
    snprintf(path, sizeof path, "%s/golden/%s", folder != NULL ? folder : ".", name);
    FILE *file = fopen(path, "r");
    size_t n = 0;
    while (file != NULL && n < most && fgets(line, sizeof line, file) != NULL)
        n += parse_case(line, &cases[n]);
    if (file != NULL)
        fclose(file);
    return n;
}
