/* Measures a recoding (its classes, their sizes and risks, and the sums that all measures are
 * functions of), and writes the parts that results of several commands have in common as JSON:
 * nodes, measures, classes, risks, models with the strongest parameter that holds, the population,
 * bounds, warnings. */
#include "findings/pieces/pieces.h"

#include <stdio.h>

void mgl_classes_leave_out(const mgl_problem *p, const mgl_recoding *recoding, mgl_classes *classes)
{
    for (size_t t = 0; t < p->list->n_tuples && p->treatment != MGL_KEEP; t++)
        if (recoding->suppressed[t]) {
            classes->sizes[classes->of_tuple[t]] -= p->list->counts[t];
            classes->of_tuple[t] = MGL_NOT_FOUND;
        }
}

/* Classes that are reported together if they have the same size. Many are equal: a count would wait
 * for the one before it if there were one of them only. */
enum { SMALL = 512, SIDES = 4, SIZES = 1 << 14, MOST_LARGE = 1024 };

typedef struct size_counts {
    const uint64_t *sizes;
    size_t n;
    struct times {
        bool used; /* by a thread; else the rest is not set */
        uint64_t of[SIDES][SMALL];
        uint64_t large[MOST_LARGE]; /* other sizes; n_large counts those without room, too */
        size_t n_large;
    } * workers;
} size_counts;

static void count_sizes(void *context, size_t item, unsigned worker)
{
    const size_counts *x = context;
    struct times *times = &x->workers[worker];
    if (!times->used) {
        memset(times, 0, sizeof *times);
        times->used = true;
    }
    size_t end = (item + 1) * SIZES < x->n ? (item + 1) * SIZES : x->n;
    for (size_t c = item * SIZES; c < end; c++)
        if (x->sizes[c] < SMALL)
            times->of[c % SIDES][x->sizes[c]]++;
        else if (times->n_large++ < MOST_LARGE)
            times->large[times->n_large - 1] = x->sizes[c];
}

static void each_large(const size_counts *x, unsigned n_workers, mgl_class_fn *fn, void *context)
{
    bool room = true;
    for (unsigned w = 0; w < n_workers; w++)
        room = room && (!x->workers[w].used || x->workers[w].n_large <= MOST_LARGE);
    for (unsigned w = 0; room && w < n_workers; w++)
        for (size_t i = 0; x->workers[w].used && i < x->workers[w].n_large; i++)
            fn(context, x->workers[w].large[i], x->workers[w].large[i], 1);
    for (size_t c = 0; !room && c < x->n; c++)
        if (x->sizes[c] >= SMALL)
            fn(context, x->sizes[c], x->sizes[c], 1);
}

static mgl_status each_size(const uint64_t *sizes, size_t n_classes, mgl_pool *pool,
                            mgl_class_fn *fn, void *context, mgl_error *err)
{
    unsigned n_workers = mgl_pool_threads(pool);
    size_counts x = {sizes, n_classes, mgl_alloc_array(n_workers, sizeof *x.workers)};
    MGL_TRY(mgl_check_memory(x.workers != NULL, err));
    for (unsigned w = 0; w < n_workers; w++)
        x.workers[w].used = false;
    mgl_pool_run(pool, (n_classes + SIZES - 1) / SIZES, count_sizes, &x);
    each_large(&x, n_workers, fn, context);
    for (uint64_t size = 1; size < SMALL; size++) {
        uint64_t all = 0;
        for (unsigned w = 0; w < n_workers; w++)
            for (size_t side = 0; x.workers[w].used && side < SIDES; side++)
                all += x.workers[w].of[side][size];
        if (all > 0)
            fn(context, size, size, all);
    }
    mgl_free(x.workers);
    return MGL_OK;
}

mgl_status mgl_each_class(const mgl_problem *p, const uint32_t *class_of, const uint64_t *sizes,
                          size_t n_classes, mgl_class_fn *fn, void *context, mgl_error *err)
{
    mgl_group_maker *maker;
    if (p->list->persons == NULL)
        return each_size(sizes, n_classes, p->pool, fn, context, err);
    MGL_TRY(mgl_group_maker_new(p->list, err, &maker));
    mgl_group_maker_partition(maker, class_of, n_classes);
    for (size_t c = 0; c < n_classes; c++) {
        uint64_t size = sizes[c] > 0 ? mgl_group_maker_group(maker, c)->size : 0;
        if (sizes[c] > 0)
            fn(context, size, size, 1);
    }
    mgl_group_maker_free(maker);
    return MGL_OK;
}

mgl_status mgl_each_counted(const mgl_problem *p, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err)
{
    if (p->counting.tops_match)
        return mgl_match_each(p, recoding, fn, context, err);
    return mgl_each_class(p, classes->of_tuple, classes->sizes, classes->n_classes, fn, context,
                          err);
}

void mgl_class_summary_add(void *summary, uint64_t size, uint64_t members, uint64_t times)
{
    mgl_class_summary *s = summary;
    s->min = s->count == 0 || size < s->min ? size : s->min;
    s->max = size > s->max ? size : s->max;
    s->uniques += size == 1 ? times : 0;
    s->rows += members * times;
    s->sizes += (double)(size * times);
    s->risks += (double)members / (double)size * (double)times;
    s->count += times;
}

static mgl_status judged_classes_on(const mgl_problem *problem, const mgl_recoding *recoding,
                                    const mgl_quasi_set *set, mgl_error *err, mgl_classes *out)
{
    MGL_TRY(mgl_recoding_classes_on(problem, recoding, set, err, out));
    mgl_status status = mgl_classes_as_judged(problem->list, err, out);
    if (status == MGL_OK)
        mgl_classes_leave_out(problem, recoding, out);
    else
        mgl_classes_free(out);
    return status;
}

mgl_status mgl_judged_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_classes *out)
{
    return judged_classes_on(problem, recoding, NULL, err, out);
}

/* Sums up the classes on one quasi-identifier, where rows that match are not counted
 * (mgl_counting). */
static mgl_status summarize_set(const mgl_task *task, const mgl_recoding *recoding,
                                const mgl_quasi_set *set, mgl_error *err, mgl_class_summary *out)
{
    const mgl_problem *p = &task->problem;
    mgl_classes classes;
    MGL_TRY(judged_classes_on(p, recoding, set, err, &classes));
    *out = (mgl_class_summary){0};
    mgl_status status = mgl_each_class(p, classes.of_tuple, classes.sizes, classes.n_classes,
                                       mgl_class_summary_add, out, err);
    mgl_classes_free(&classes);
    return status;
}

mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out)
{
    const mgl_problem *p = &task->problem;
    mgl_classes classes;
    MGL_TRY(mgl_judged_classes(p, recoding, err, &classes));
    *out = (mgl_class_summary){0};
    mgl_status status = mgl_each_counted(p, recoding, &classes, mgl_class_summary_add, out, err);
    mgl_classes_free(&classes);
    return status;
}

static mgl_status gather(const mgl_task *task, const mgl_cell_costs *costs,
                         const mgl_recoding *recoding, const uint32_t *node, mgl_error *err,
                         mgl_measured *out)
{
    mgl_status status = MGL_OK;
    const mgl_problem *p = &task->problem;
    const uint64_t *truths;
    size_t n = p->list->n_attributes;
    const mgl_released_column *const *columns = recoding->columns;
    mgl_released_tuples tuples = {
        .n_attributes = n,
        .n_tuples = p->list->n_tuples,
        .cells = recoding->cells,
        .first = out->classes.first,
        .class_of = out->classes.of_tuple,
        .class_sizes = out->classes.sizes,
        .n_classes = out->classes.n_classes,
    };
    for (size_t a = 0; a < n; a++)
        out->heights[a] = columns[a]->hierarchy->height;
    mgl_statistics *s = &out->statistics;
    MGL_GO(mgl_class_cells_make(&tuples, p->pool, err));
    mgl_statistics_gather(s, costs, columns, p->list->n_rows, &tuples, p->pool);
    s->node = node;
    s->heights = out->heights;
    s->weights = p->weights;
    s->k = p->no_k ? 0 : (double)p->k;
    s->regrouped = p->list->regrouped;
    if (p->label != NULL)
        MGL_GO(mgl_statistics_label(s, p->label, columns, &tuples, err));
    if (n > 0) { /* else there is nothing to ask for */
        MGL_GO(mgl_truths_find(task, err, &truths));
        MGL_GO(mgl_query_error(truths, p->list->n_rows, columns, &tuples, p->pool, err,
                               &s->query_error));
    }
    MGL_GO(mgl_classes_as_judged(p->list, err, &out->classes));
    mgl_classes_leave_out(p, recoding, &out->classes);
    MGL_GO(mgl_each_counted(p, recoding, &out->classes, mgl_class_summary_add, &out->summary, err));
done:
    mgl_class_cells_free(&tuples);
    return status;
}

/* Classes that are known are copied only if something is taken out of them. */
static mgl_status take_classes(const mgl_problem *p, const mgl_recoding *recoding,
                               const mgl_classes *known, mgl_error *err, mgl_measured *out)
{
    if (known == NULL)
        return mgl_recoding_classes(p, recoding, err, &out->classes);
    if (p->treatment != MGL_KEEP)
        return mgl_classes_copy(known, err, &out->classes);
    out->classes = *known;
    out->borrowed = true;
    return MGL_OK;
}

mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, const mgl_classes *classes, mgl_error *err,
                                mgl_measured *out)
{
    const mgl_problem *p = &task->problem;
    size_t n = p->list->n_attributes;
    *out = (mgl_measured){0};
    mgl_cell_costs *own = NULL; /* of values that were made for this release */
    out->heights = mgl_alloc_array(n, sizeof *out->heights);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(out->heights != NULL, err));
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(p->list, recoding->columns, p->pool, err, &own));
    MGL_GO(take_classes(p, recoding, classes, err, out));
    MGL_GO(mgl_statistics_init(&out->statistics, recoding->columns, n, err));
    MGL_GO(gather(task, own != NULL ? own : task->problem.costs, recoding, node, err, out));
done:
    mgl_cell_costs_free(own);
    if (status != MGL_OK)
        mgl_measured_free(out);
    return status;
}

void mgl_measured_free(mgl_measured *measured)
{
    if (!measured->borrowed)
        mgl_classes_free(&measured->classes);
    mgl_statistics_free(&measured->statistics);
    mgl_free(measured->heights);
    *measured = (mgl_measured){0};
}

mgl_status mgl_measure_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                                mgl_measured *out)
{
    return mgl_measure_recoding(task, solution->recoding, solution->node, solution->classes, err,
                                out);
}

const char *mgl_file_name(const char *path)
{
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

const char *mgl_hierarchy_name(const char *given)
{
    return given != NULL && mgl_hierarchy_is_builder(given) ? given : mgl_file_name(given);
}

json_t *mgl_location_json(const char *location)
{
    char *name = NULL;
    json_t *text = mgl_location_name(location, NULL, &name) == MGL_OK ? json_string(name) : NULL;
    mgl_free(name);
    return text;
}

json_t *mgl_node_json(const mgl_reading *reading, const uint32_t *node)
{
    if (node == NULL)
        return json_null();
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_json_set(object, reading->quasi[a].settings->name, mgl_json_count(node[a]));
    return object;
}

json_t *mgl_utility_json(const mgl_statistics *statistics)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    json_t *object = json_object();
    for (size_t i = 0; i < n; i++) {
        double value = mgl_measure_reported(types[i], statistics);
        bool whole = types[i]->whole && isfinite(value) && value < 9e15;
        mgl_json_set(object, types[i]->key,
                     whole ? mgl_json_count((uint64_t)value) : mgl_json_real(value));
    }
    return object;
}

json_t *mgl_classes_json(const mgl_class_summary *summary)
{
    json_t *object = json_object();
    double mean = summary->count > 0 ? summary->sizes / (double)summary->count : NAN;
    mgl_json_set(object, "count", mgl_json_count(summary->count));
    mgl_json_set(object, "min", mgl_json_count(summary->min));
    mgl_json_set(object, "mean", mgl_json_real(mean));
    mgl_json_set(object, "max", mgl_json_count(summary->max));
    return object;
}

json_t *mgl_risk_json(const mgl_class_summary *summary)
{
    json_t *object = json_object();
    bool any = summary->count > 0;
    mgl_json_set(object, "prosecutor_max", mgl_json_real(any ? 1 / (double)summary->min : NAN));
    mgl_json_set(object, "prosecutor_mean",
                 mgl_json_real(any ? summary->risks / (double)summary->rows : NAN));
    mgl_json_set(object, "uniques", mgl_json_count(summary->uniques));
    mgl_json_set(object, "expected_reidentifications", mgl_json_real(summary->risks));
    return object;
}

static json_t *finding_json(const mgl_finding *finding)
{
    switch (finding->kind) {
    case MGL_FINDING_COUNT:
        return mgl_json_count(finding->count);
    case MGL_FINDING_REAL:
        return mgl_json_real(finding->real);
    case MGL_FINDING_TEXT:
        return json_string(finding->text);
    case MGL_FINDING_GROUP:
        return json_object();
    case MGL_FINDING_LIST:
        return json_array();
    default:
        return json_null();
    }
}

/* Writes the values from number i on, up to the end of their group or list, whose number it
 * returns. */
static size_t write_values(const mgl_findings *findings, size_t i, json_t *parent)
{
    for (; i < findings->n && findings->of[i].kind != MGL_FINDING_END; i++) {
        const mgl_finding *finding = &findings->of[i];
        json_t *value = finding_json(finding);
        if (finding->kind == MGL_FINDING_GROUP || finding->kind == MGL_FINDING_LIST)
            i = write_values(findings, i + 1, value);
        if (finding->name != NULL)
            mgl_json_set(parent, finding->name, value);
        else
            mgl_json_append(parent, value);
    }
    return i;
}

void mgl_findings_write(const mgl_findings *findings, json_t *document)
{
    write_values(findings, 0, document);
    if (findings->failed)
        mgl_json_set(document, "findings", NULL); /* marks the document as incomplete */
}

void mgl_solution_write(const mgl_solution *solution, json_t *document)
{
    mgl_findings findings = {0};
    mgl_solution_report(solution, &findings);
    mgl_findings_write(&findings, document);
    mgl_findings_free(&findings);
}

/* The columns of a quasi-identifier; NULL: all of them. */
json_t *mgl_known_json(const mgl_reading *reading, const mgl_quasi_set *set)
{
    json_t *names = json_array();
    for (size_t i = 0; i < (set != NULL ? set->n_attributes : reading->n_quasi); i++) {
        size_t a = set != NULL ? set->attributes[i] : i;
        mgl_json_append(names, json_string(reading->quasi[a].settings->name));
    }
    return names;
}

mgl_status mgl_known_risk_json(const mgl_task *task, const mgl_recoding *recoding,
                               const mgl_class_summary *summary, mgl_error *err, json_t **out)
{
    const mgl_problem *p = &task->problem;
    json_t *object = mgl_risk_json(summary), *sets = json_array();
    mgl_status status = MGL_OK;
    mgl_json_set(object, "known", mgl_known_json(task->reading, NULL));
    for (size_t q = 0; p->n_sets > 1 && !p->counting.tops_match && q < p->n_sets; q++) {
        mgl_class_summary of_set;
        MGL_GO(summarize_set(task, recoding, &p->sets[q], err, &of_set));
        json_t *one = mgl_risk_json(&of_set);
        mgl_json_set(one, "known", mgl_known_json(task->reading, &p->sets[q]));
        mgl_json_append(sets, one);
    }
    if (json_array_size(sets) > 0)
        mgl_json_set(object, "sets", json_incref(sets));
    *out = object;
    object = NULL;
done:
    json_decref(sets);
    json_decref(object);
    return status;
}

json_t *mgl_parameters_json(const mgl_model_type *type, const char *attribute, const double *values)
{
    json_t *parameters = json_object();
    if (type->takes_attribute)
        mgl_json_set(parameters, "attribute", json_string(attribute));
    for (size_t i = 0; i < type->n_parameters; i++) {
        const mgl_parameter *parameter = &type->parameters[i];
        double value = values[i];
        json_t *shown = parameter->words != NULL ? json_string(parameter->words[(size_t)value])
                        : parameter->whole       ? mgl_json_count((uint64_t)value)
                                                 : mgl_json_real(value);
        mgl_json_set(parameters, parameter->name, shown);
    }
    return parameters;
}

static json_t *model_json(const mgl_model *model, const mgl_found *found)
{
    const mgl_model_type *type = model->type;
    const char *attribute = type->takes_attribute ? mgl_model_sensitive(model)->column->name : NULL;
    json_t *object = json_object();
    mgl_json_set(object, "model", json_string(type->name));
    mgl_json_set(object, "promise", json_string(type->help));
    mgl_json_set(object, "parameters", mgl_parameters_json(type, attribute, model->parameters));
    mgl_json_set(object, "holds", json_boolean(found->holds));
    bool whole = model->type->parameters[0].whole && isfinite(found->measured) &&
                 found->measured == floor(found->measured);
    mgl_json_set(object, "measured",
                 whole ? mgl_json_count((uint64_t)found->measured)
                       : mgl_json_real(found->measured));
    mgl_json_set(object, "violating_rows", mgl_json_count(found->violating_rows));
    mgl_json_set(object, "violating_classes", mgl_json_count(found->violating_classes));
    return object;
}

json_t *mgl_models_json(const mgl_reading *reading, const mgl_task *task, const mgl_found *found,
                        bool joint)
{
    json_t *array = json_array();
    for (size_t q = 0; q < task->problem.n_sets; q++) {
        const mgl_quasi_set *set = &task->problem.sets[q];
        for (size_t m = 0; m < set->n_models; m++) {
            const mgl_model *model = &set->models[m];
            const mgl_found *here = found++;
            if ((model->joint != NULL) != joint)
                continue;
            json_t *object = model_json(joint ? model->joint->inner : model, here);
            if (task->problem.n_sets > 1 || reading->settings->n_named > 0)
                mgl_json_set(object, "quasi_identifier", mgl_known_json(reading, set));
            mgl_json_append(array, object);
        }
    }
    return array;
}

void mgl_result_take_warnings(mgl_result *result, const mgl_buffer *warnings)
{
    const char *at = warnings->data;
    const char *end = at == NULL ? NULL : at + warnings->size;
    for (; at < end; at += strlen(at) + 1) {
        char code[64];
        size_t size = strcspn(at, "\t");
        snprintf(code, sizeof code, "%.*s", (int)size, at);
        mgl_result_warn(result, code, "%s", at[size] == '\t' ? at + size + 1 : at);
    }
}

/* How far the release can be from the best one of its kind. */
json_t *mgl_bound_json(const mgl_measure_type *measure, const mgl_solution *solution,
                       const mgl_statistics *statistics)
{
    if (!solution->exact && !solution->bounded)
        return json_null();
    double value = measure->value(statistics);
    double best = solution->exact ? value : solution->best_possible;
    json_t *object = json_object();
    mgl_json_set(object, "measure", json_string(measure->key));
    mgl_json_set(object, "best_possible", mgl_json_real(best));
    mgl_json_set(object, "achieved", mgl_json_real(value));
    mgl_json_set(object, "gap", mgl_json_real(fabs(best - value)));
    mgl_json_set(object, "exact", json_boolean(solution->exact));
    return object;
}

/* ---- Strongest parameters -------------------------------------------------------------------- */

enum { MOST_L = 1000 };

/* All models of one table on one sensitive attribute, class by class. */
typedef struct strongest {
    const mgl_strongest *rows;
    size_t n_rows;
    mgl_model *models; /* [n_sensitive * n_rows] */
    mgl_found *found;  /* likewise */
    bool *wanted;      /* likewise */
    double *infimum;   /* [MOST_L + 1] */
    uint64_t *scratch; /* [largest dictionary] */
} strongest;

static mgl_status prepare(strongest *s, const mgl_task *task, mgl_error *err)
{
    size_t n = task->facts.n_sensitive, most = 0;
    s->rows = mgl_strongest_table(&s->n_rows);
    s->models = mgl_zeroed_array(n * s->n_rows, sizeof *s->models);
    s->found = mgl_zeroed_array(n * s->n_rows, sizeof *s->found);
    s->wanted = mgl_zeroed_array(n * s->n_rows, sizeof *s->wanted);
    s->infimum = mgl_zeroed_array(MOST_L + 1, sizeof *s->infimum);
    for (size_t i = 0; i < n; i++)
        most = task->facts.sensitive[i].n_values > most ? task->facts.sensitive[i].n_values : most;
    s->scratch = mgl_alloc_array(most, sizeof *s->scratch);
    MGL_TRY(mgl_check_memory(s->models != NULL && s->found != NULL && s->wanted != NULL &&
                                 s->infimum != NULL && s->scratch != NULL,
                             err));
    for (size_t i = 0; i < n; i++)
        for (size_t r = 0; r < s->n_rows; r++) {
            const mgl_sensitive *sensitive = &task->facts.sensitive[i];
            mgl_model *model = &s->models[i * s->n_rows + r];
            *model = (mgl_model){
                .type = s->rows[r].type, .attribute = (uint32_t)i, .facts = &task->facts};
            memcpy(model->parameters, s->rows[r].parameters, sizeof model->parameters);
            s->found[i * s->n_rows + r] = MGL_FOUND_NOTHING;
            s->wanted[i * s->n_rows + r] =
                (!s->rows[r].needs_hierarchy || sensitive->hierarchy != NULL) &&
                (!s->rows[r].needs_protected || sensitive->n_protected > 0);
        }
    return MGL_OK;
}

static json_t *recursive_json(strongest *s, mgl_group_maker *maker, size_t n_classes,
                              size_t attribute, size_t distinct)
{
    size_t most = distinct < 2 ? 2 : distinct < MOST_L ? distinct : MOST_L;
    for (size_t l = 0; l <= most; l++)
        s->infimum[l] = 0;
    for (size_t c = 0; c < n_classes; c++) {
        const mgl_group *group = mgl_group_maker_group(maker, c);
        if (group->size > 0)
            mgl_recursive_infimum(mgl_model_sensitive(&s->models[attribute * s->n_rows]),
                                  &group->sensitive[attribute], most, s->infimum, s->scratch);
    }
    json_t *object = json_object();
    for (size_t l = 2; l <= most; l++) {
        char key[24];
        snprintf(key, sizeof key, "%zu", l);
        mgl_json_set(object, key, mgl_json_real(s->infimum[l]));
    }
    return object;
}

static json_t *attribute_json(strongest *s, mgl_group_maker *maker, size_t n_classes,
                              size_t attribute)
{
    json_t *object = json_object();
    for (size_t r = 0; r < s->n_rows; r++) {
        size_t i = attribute * s->n_rows + r;
        if (!s->wanted[i])
            continue;
        double measured = s->found[i].measured;
        bool whole = s->rows[r].whole && isfinite(measured);
        mgl_json_set(object, s->rows[r].key,
                     whole ? mgl_json_count((uint64_t)measured) : mgl_json_real(measured));
        if (s->rows[r].shows_mixture) {
            const mgl_found *distinct =
                &s->found[attribute * s->n_rows]; /* distinct l-diversity stands in the first row */
            mgl_json_set(
                object, "recursive_c",
                recursive_json(s, maker, n_classes, attribute,
                               isfinite(distinct->measured) ? (size_t)distinct->measured : 0));
        }
    }
    return object;
}

static mgl_status group_tuples(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                               mgl_classes *classes, mgl_group_maker **maker)
{
    const mgl_problem *p = &task->problem;
    size_t n = p->list->n_attributes;
    uint32_t *n_values = mgl_alloc_array(n, sizeof *n_values);
    MGL_TRY(mgl_check_memory(n_values != NULL, err));
    for (size_t a = 0; a < n; a++)
        n_values[a] = p->columns[a]->n_values;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_classes_init(classes, p->list->n_tuples, n, err));
    MGL_GO(mgl_group_maker_new(p->list, err, maker));
    mgl_classes_group(classes, recoding->cells, n_values, NULL, n, p->list->counts);
    MGL_GO(mgl_classes_as_judged(p->list, err, classes));
    mgl_classes_leave_out(p, recoding, classes);
    mgl_group_maker_partition(*maker, classes->of_tuple, classes->n_classes);
done:
    mgl_free(n_values);
    return status;
}

mgl_status mgl_strongest_json(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                              json_t *attributes)
{
    strongest s = {0};
    mgl_classes classes = {0};
    mgl_group_maker *maker = NULL;
    size_t n = task->facts.n_sensitive;
    mgl_status status = MGL_OK;
    if (n > 0) {
        MGL_GO(prepare(&s, task, err));
        MGL_GO(group_tuples(task, recoding, err, &classes, &maker));
    }
    for (size_t c = 0; c < classes.n_classes; c++) {
        const mgl_group *group = mgl_group_maker_group(maker, c);
        for (size_t i = 0; group->size > 0 && i < n * s.n_rows; i++)
            if (s.wanted[i])
                mgl_found_add(&s.found[i], &s.models[i], group);
    }
    for (size_t i = 0; i < n; i++)
        mgl_json_set(attributes, task->facts.sensitive[i].column->name,
                     attribute_json(&s, maker, classes.n_classes, i));
done:
    mgl_group_maker_free(maker);
    mgl_classes_free(&classes);
    mgl_free(s.models);
    mgl_free(s.found);
    mgl_free(s.wanted);
    mgl_free(s.infimum);
    mgl_free(s.scratch);
    return status;
}
