/* The command risk: estimates how likely it is that persons are found in a table as it is. With
 * --advise it proposes a job instead (advise). */
#include "command/command.h"

#include "command/advise/advise.h"
#include "command/run_command.h"
#include "command/link/link.h"
#include "findings/findings.h"

#include <math.h>

/* What is known about the rows, by tuple and by row. */
typedef struct risks {
    const mgl_settings *settings;
    const mgl_frequency_list *list; /* of the rows that count */
    const mgl_reading *reading;
    mgl_problem problem;     /* on that list */
    mgl_frequency_list some; /* the list without the exempt rows, if there are any */
    uint32_t *place_of;      /* [tuple of the list of all] in that list, MGL_NOT_FOUND: its rows are
                                exempt; NULL: none are */
    uint64_t rows;           /* that count */
    uint64_t suppressed_rows;
    double *population; /* [tuple] persons of the population that look so */
    mgl_sample_estimate sample;
    mgl_suda *suda;     /* NULL: not requested */
    uint32_t *tuple_of; /* [row] MGL_NOT_FOUND: is exempt; NULL: not needed */
} risks;

static mgl_status find_tuples(risks *r, const mgl_frequency_list *all, mgl_error *err)
{
    size_t n = r->reading->table->n_rows;
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_new_array(n, sizeof *r->tuple_of, err, &r->tuple_of));
    MGL_TRY(mgl_tuple_finder_new(all, r->reading->bound, err, &finder));
    mgl_tuple_find(finder, 0, n, r->tuple_of);
    mgl_tuple_finder_free(finder);
    for (size_t row = 0; row < n && r->place_of != NULL; row++)
        r->tuple_of[row] = r->place_of[r->tuple_of[row]];
    return MGL_OK;
}

static double times_of(const mgl_table *table, size_t row)
{
    return table->times != NULL ? (double)table->times[row] : 1;
}

static json_t *row_risk_json(const mgl_row_risk *risk)
{
    json_t *object = json_object();
    mgl_json_set(object, "max", mgl_json_real(risk->max));
    mgl_json_set(object, "mean", mgl_json_real(risk->mean));
    mgl_json_set(object, "share_above", mgl_json_real(risk->share_above));
    return object;
}

/* The prosecutor knows that a person is in the table, the journalist that one is in the
 * population; the marketer wants many, and a mean share of them is right. */
static mgl_status report_attackers(const risks *r, mgl_error *err, json_t *document)
{
    double threshold = r->settings->risk.threshold;
    double *sizes = mgl_alloc_array(r->list->n_tuples, sizeof *sizes);
    MGL_TRY(mgl_check_memory(sizes != NULL, err));
    for (size_t t = 0; t < r->list->n_tuples; t++)
        sizes[t] = (double)r->list->counts[t];
    mgl_row_risk prosecutor = mgl_risk_of_rows(r->list, sizes, threshold);
    mgl_row_risk journalist = mgl_risk_of_rows(r->list, r->population, threshold);
    mgl_row_risk marketer = {journalist.mean, journalist.mean, journalist.mean > threshold};
    mgl_json_set(document, "threshold", mgl_json_real(threshold));
    mgl_json_set(document, "prosecutor", row_risk_json(&prosecutor));
    mgl_json_set(document, "journalist", row_risk_json(&journalist));
    mgl_json_set(document, "marketer", row_risk_json(&marketer));
    mgl_free(sizes);
    return MGL_OK;
}

static void report_sizes(const risks *r, json_t *document)
{
    static const struct {
        const char *key;
        uint64_t size;
    } limits[] = {{"2", 2}, {"3", 3}, {"5", 5}, {"10", 10}};
    json_t *below = json_object();
    mgl_class_summary s = {0};
    for (size_t t = 0; t < r->list->n_tuples; t++)
        mgl_class_summary_add(&s, r->list->counts[t], r->list->counts[t], 1);
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        uint64_t rows = 0;
        for (size_t t = 0; t < r->list->n_tuples; t++)
            rows += r->list->counts[t] < limits[i].size ? r->list->counts[t] : 0;
        mgl_json_set(below, limits[i].key, mgl_json_count(rows));
    }
    uint64_t exempt = r->place_of != NULL ? r->suppressed_rows : 0;
    mgl_json_set(document, "rows", mgl_json_count(r->rows + exempt));
    if (r->reading->entity != NULL)
        mgl_json_set(document, "persons", mgl_json_count(r->list->n_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(r->suppressed_rows));
    mgl_json_set(document, "classes", mgl_classes_json(&s));
    mgl_json_set(document, "uniques", mgl_json_count(s.uniques));
    mgl_json_set(document, "rows_below", below);
}

static json_t *suda_json(const risks *r)
{
    const mgl_suda *suda = r->suda;
    json_t *object = json_object(), *sizes = json_array(), *contribution = json_object();
    for (size_t size = 1; size <= suda->n_attributes; size++)
        mgl_json_append(sizes, mgl_json_count(suda->by_size[size]));
    for (size_t a = 0; a < suda->n_attributes; a++) {
        double share = suda->sum_score > 0 ? 100 * suda->contribution[a] / suda->sum_score : 0;
        mgl_json_set(contribution, r->reading->quasi[a].settings->name, mgl_json_real(share));
    }
    mgl_json_set(object, "sum_score", mgl_json_real(suda->sum_score));
    mgl_json_set(object, "rows_above_zero", mgl_json_count(suda->rows_above_zero));
    mgl_json_set(object, "max_score", mgl_json_real(suda->max_score));
    mgl_json_set(object, "sum_dis", mgl_json_real(suda->sum_dis));
    mgl_json_set(object, "uniques_by_size", sizes);
    mgl_json_set(object, "contribution", contribution);
    return object;
}

static mgl_status report_uniques(const risks *r, mgl_error *err, json_t *document)
{
    mgl_population_uniques uniques;
    json_t *object = json_object();
    mgl_class_sizes classes = {.sizes = r->list->counts, .n = r->list->n_tuples};
    mgl_status status =
        mgl_population_uniques_find(&classes, r->settings->sampled.fraction, err, &uniques);
    if (status == MGL_OK) {
        mgl_json_set(object, "pitman", mgl_json_real(uniques.pitman));
        mgl_json_set(object, "zayatz", mgl_json_real(uniques.zayatz));
        mgl_json_set(object, "snb", mgl_json_real(uniques.snb));
        mgl_json_set(object, "chosen", json_string(uniques.chosen));
        mgl_json_set(object, "population",
                     mgl_json_real((double)r->list->n_rows / r->settings->sampled.fraction));
        mgl_json_set(document, "population_uniques", json_incref(object));
    }
    json_decref(object);
    return status;
}

static json_t *columns_json(const risks *r, uint64_t columns)
{
    json_t *names = json_array();
    for (uint64_t rest = columns; rest != 0; rest &= rest - 1)
        mgl_json_append(names,
                        json_string(r->reading->quasi[__builtin_ctzll(rest)].settings->name));
    return names;
}

static mgl_status report_minimal(const risks *r, const mgl_candidates *all, mgl_error *err,
                                 json_t *document)
{
    size_t *chosen = mgl_alloc_array(all->n, sizeof *chosen), n = 0;
    MGL_TRY(mgl_check_memory(chosen != NULL, err));
    json_t *list = json_array();
    mgl_candidates_minimal(all, r->settings->risk.single_out, chosen, &n);
    for (size_t i = 0; i < n; i++) {
        const mgl_candidate *set = &all->sets[chosen[i]];
        json_t *object = json_object();
        mgl_json_set(object, "columns", columns_json(r, set->columns));
        mgl_json_set(object, "unique_rows", mgl_json_real(set->uniques));
        mgl_json_append(list, object);
    }
    mgl_json_set(document, "single_out", list);
    mgl_free(chosen);
    return MGL_OK;
}

static mgl_status report_candidates(const risks *r, mgl_error *err, mgl_result *result)
{
    mgl_candidates *all;
    if (r->list->n_attributes > 63)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "quasi-identifiers",
                            "risk looks at 63 quasi-identifier columns at most");
    MGL_TRY(mgl_candidates_new(r->list, MGL_CANDIDATES_WORK, r->reading->pool, err, &all));
    json_t *list = json_array();
    for (size_t i = 0; i < all->n; i++) {
        const mgl_candidate *set = &all->sets[i];
        json_t *object = json_object();
        mgl_json_set(object, "columns", columns_json(r, set->columns));
        mgl_json_set(object, "distinction", mgl_json_real(set->distinction));
        mgl_json_set(object, "separation", mgl_json_real(set->separation));
        mgl_json_set(object, "unique_rows", mgl_json_real(set->uniques));
        mgl_json_append(list, object);
    }
    mgl_json_set(result->document, "attributes", list);
    mgl_status status = MGL_OK;
    if (r->settings->risk.single_out > 0)
        status = report_minimal(r, all, err, result->document);
    if (all->most_columns < r->list->n_attributes)
        mgl_result_warn(result, "sets-left-out",
                        "sets of more than %zu columns were not looked at: there are too many",
                        all->most_columns);
    mgl_candidates_free(all);
    return status;
}

static mgl_status write_rows(const risks *r, mgl_error *err)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, "fk,Fk,risk,suda,dis\n");
    for (size_t row = 0; row < r->reading->table->n_rows; row++) {
        uint32_t t = r->tuple_of[row];
        if (t == MGL_NOT_FOUND) { /* exempt: nothing is reported about it */
            mgl_buffer_text(&text, ",,,,\n");
            continue;
        }
        double risk = r->sample.risk != NULL ? r->sample.risk[t] : 1 / r->population[t];
        double persons = r->sample.persons != NULL ? r->sample.persons[t] : r->population[t];
        mgl_buffer_format(&text, "%llu,%.17g,%.17g,", (unsigned long long)r->list->counts[t],
                          persons, risk);
        if (r->suda != NULL)
            mgl_buffer_format(&text, "%.17g,%.17g", r->suda->scores[t], r->suda->dis[t]);
        else
            mgl_buffer_text(&text, ",");
        mgl_buffer_text(&text, "\n");
    }
    return mgl_publish_buffer(r->settings->risk.rows_file, &text, err);
}

/* Persons of the population that look alike. */
typedef struct persons {
    double *population; /* [tuple] */
    double times;
} persons;

static void count_persons(void *context, uint32_t tuple)
{
    const persons *p = context;
    p->population[tuple] += p->times;
}

/* Counts the persons of a population table whom a row can be about. For rows about no person in it,
 * at least the persons of the table itself are counted. */
static mgl_status count_population(risks *r, mgl_error *err, mgl_result *result)
{
    const mgl_table *table = r->reading->population->table;
    mgl_bound_persons bound;
    mgl_matcher *matcher = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_persons_bind(&bound, r->reading, table, err));
    MGL_GO(mgl_matcher_new(r->list, bound.columns, err, &matcher));
    mgl_bound_persons_warn(&bound, result);
    memset(r->population, 0, r->list->n_tuples * sizeof *r->population);
    for (size_t row = 0; row < table->n_rows; row++) {
        persons p = {r->population, times_of(table, row)};
        mgl_match(matcher, bound.codes + row * r->list->n_attributes, count_persons, &p);
    }
    for (size_t t = 0; t < r->list->n_tuples; t++)
        r->population[t] = fmax(r->population[t], (double)r->list->counts[t]);
done:
    mgl_matcher_free(matcher);
    mgl_bound_persons_free(&bound);
    return status;
}

static mgl_status fill_population(risks *r, mgl_error *err, mgl_result *result)
{
    double fraction = r->settings->sampled.fraction > 0 ? r->settings->sampled.fraction : 1;
    MGL_TRY(mgl_new_array(r->list->n_tuples, sizeof *r->population, err, &r->population));
    for (size_t t = 0; t < r->list->n_tuples; t++)
        r->population[t] = (double)r->list->counts[t] / fraction;
    return r->reading->population != NULL ? count_population(r, err, result) : MGL_OK;
}

static bool estimates(const mgl_feature *feature, const mgl_reading *reading)
{
    return feature->estimate != NULL && *mgl_feature_column(reading, feature) != NULL;
}

static bool knows_sample(const mgl_reading *reading)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if (estimates(*f, reading))
            return true;
    return false;
}

static mgl_status report_sample(risks *r, mgl_error *err, json_t *document)
{
    json_t *individual = json_object();
    mgl_status status = MGL_OK;
    r->sample =
        (mgl_sample_estimate){.reading = r->reading, .list = r->list, .tuple_of = r->tuple_of};
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if (estimates(*f, r->reading))
            MGL_GO((*f)->estimate(&r->sample, err, individual));
    if (json_object_size(individual) > 0)
        mgl_json_set(document, "individual", json_incref(individual));
done:
    json_decref(individual);
    return status;
}

static mgl_status find_risks(risks *r, const mgl_frequency_list *all, mgl_error *err,
                             mgl_result *result)
{
    const mgl_settings *settings = r->settings;
    json_t *document = result->document;
    MGL_TRY(fill_population(r, err, result));
    report_sizes(r, document);
    json_t *figures;
    MGL_TRY(mgl_sizes_json(&r->problem, NULL, err, &figures));
    mgl_json_set(document, "figures", figures);
    MGL_TRY(report_attackers(r, err, document));
    bool sampled = knows_sample(r->reading);
    if (sampled || settings->risk.rows_file != NULL)
        MGL_TRY(find_tuples(r, all, err));
    if (sampled)
        MGL_TRY(report_sample(r, err, document));
    if (r->reading->entity != NULL) /* sets of columns are looked at row by row */
        return MGL_OK;
    MGL_TRY(report_candidates(r, err, result));
    if (settings->risk.suda) {
        double fraction = settings->sampled.fraction > 0 ? settings->sampled.fraction : 0.01;
        MGL_TRY(mgl_suda_new(r->list, fraction, r->reading->pool, err, &r->suda));
        mgl_json_set(document, "suda", suda_json(r));
    }
    if (settings->sampled.fraction > 0)
        MGL_TRY(report_uniques(r, err, document));
    return settings->risk.rows_file != NULL ? write_rows(r, err) : MGL_OK;
}

/* Makes a list of joined classes, each of which counts its persons: what is reported about rows is
 * then reported about persons with all their rows. */
static mgl_status join_persons(risks *r, const mgl_frequency_list *all, mgl_error *err)
{
    const mgl_joined *joined = all->joined;
    r->some = *all;
    r->some.persons = NULL;
    r->some.joined = NULL;
    r->some.n_histograms = r->some.n_sensitive = r->some.n_judged = 0;
    r->some.n_tuples = joined->n_bundles;
    r->some.n_rows = all->persons->n;
    r->some.keys = NULL; /* a class has several tuples */
    MGL_TRY(mgl_new_array(joined->n_bundles, sizeof *r->some.counts, err, &r->some.counts));
    memcpy(r->some.counts, joined->persons, joined->n_bundles * sizeof *r->some.counts);
    r->list = r->problem.list = &r->some;
    return MGL_OK;
}

/* Makes the list without the tuples of exempt rows, which count nowhere. */
static mgl_status leave_out_exempt(risks *r, const mgl_frequency_list *all, const uint8_t *exempt,
                                   mgl_error *err)
{
    size_t words = all->packing.n_words, n = 0;
    r->some = *all;
    r->some.persons = NULL;
    r->some.n_histograms = r->some.n_sensitive = r->some.n_judged = 0;
    r->some.keys = mgl_alloc_array(all->n_tuples * words, sizeof *all->keys);
    r->some.counts = mgl_alloc_array(all->n_tuples, sizeof *all->counts);
    r->place_of = mgl_alloc_array(all->n_tuples, sizeof *r->place_of);
    MGL_TRY(mgl_check_memory(r->some.keys != NULL && r->some.counts != NULL && r->place_of != NULL,
                             err));
    for (size_t t = 0; t < all->n_tuples; t++) {
        r->place_of[t] = exempt[t] ? MGL_NOT_FOUND : (uint32_t)n;
        if (exempt[t])
            continue;
        memcpy(r->some.keys + n * words, all->keys + t * words, words * sizeof *all->keys);
        r->some.counts[n++] = all->counts[t];
    }
    r->some.n_tuples = n;
    r->some.n_rows -= r->suppressed_rows;
    r->list = r->problem.list = &r->some;
    return MGL_OK;
}

static mgl_status take_treatment(risks *r, const mgl_task *task, mgl_error *err, mgl_result *result)
{
    const mgl_frequency_list *all = r->list;
    mgl_span *tops;
    uint8_t *at_top;
    if (all->joined != NULL)
        return join_persons(r, all, err);
    MGL_TRY(mgl_reading_tops(r->reading, task->arena, err, &tops));
    if (task->problem.treatment == MGL_DROP)
        return MGL_OK;
    at_top = mgl_arena_alloc(task->arena, all->n_tuples);
    MGL_TRY(mgl_check_memory(at_top != NULL, err));
    r->suppressed_rows = mgl_tuples_at_top(r->reading, all, tops, at_top);
    if (r->suppressed_rows == 0 || task->problem.treatment != MGL_EXEMPT)
        return MGL_OK;
    mgl_result_warn(result, "exempt-rows", "%llu suppressed rows are left out of all figures",
                    (unsigned long long)r->suppressed_rows);
    return leave_out_exempt(r, all, at_top, err);
}

static void report_found(const mgl_reading *reading, mgl_result *result)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->found != NULL)
            (*f)->found(reading, result);
}

static mgl_status risk(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    const mgl_frequency_list *all = setup->counts.list;
    risks r = {.settings = setup->reading->settings,
               .list = all,
               .problem = setup->task->problem,
               .reading = setup->reading};
    mgl_status status = take_treatment(&r, setup->task, err, result);
    r.rows = all->joined != NULL ? all->n_rows : r.list->n_rows;
    if (status == MGL_OK)
        status = find_risks(&r, all, err, result);
    report_found(r.reading, result);
    mgl_free(r.some.keys);
    mgl_free(r.some.counts);
    mgl_free(r.place_of);
    mgl_free(r.population);
    mgl_free(r.sample.persons);
    mgl_free(r.sample.risk);
    mgl_free(r.tuple_of);
    mgl_suda_free(r.suda);
    return status;
}

mgl_status mgl_command_risk(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_RISK, err, &settings));
    if (settings->risk.advise)
        return mgl_advise_table(session, settings, err, out);
    return mgl_command_on_table(session, "risk", settings, MGL_TO_CHECK, risk, err, out);
}
