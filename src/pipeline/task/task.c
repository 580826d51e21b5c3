/* Turns settings and counts into the problem that a search is given: attributes with their level
 * bounds, models for each quasi-identifier set, costs, limits. */
#include "pipeline/task/task.h"
#include "risk/risk.h"
#include "sign/sign.h"

#include <math.h>
#include <stdio.h>

void *mgl_task_take(mgl_task *task, size_t n, size_t size)
{
    void *data = mgl_arena_alloc(task->arena, n * size);
    if (data != NULL)
        memset(data, 0, n * size);
    return data;
}

unsigned mgl_reference_year(const mgl_settings *settings)
{
    const char *date = settings->about[MGL_ABOUT_DATE];
    uint64_t year;
    if (!settings->safe_harbor)
        return 0;
    return date != NULL && mgl_parse_u64((mgl_span){date, 4}, &year) ? (unsigned)year
                                                                     : mgl_sys_year();
}

/* HIPAA's Safe Harbor: raises the lowest level until no value on it discloses too much. */
static void raise_level(const mgl_released_column *column, const char *name, unsigned year,
                        uint32_t *level, uint32_t most)
{
    const mgl_hierarchy *hierarchy = column->hierarchy;
    bool fine = false;
    while (!fine && *level < most) {
        const mgl_level *at = &hierarchy->levels[*level];
        fine = true;
        for (uint32_t v = 0; fine && v < at->n_values; v++)
            fine = mgl_safe_harbor_finds(name, at->labels[v], year) == NULL;
        *level += !fine;
    }
}

/* A column of strata stays at level 0. */
static mgl_status refuse_telling(const mgl_attribute_settings *settings, mgl_error *err)
{
    return mgl_blame_column(
        err,
        mgl_fail_key(
            err, MGL_CODE_CONFLICT, "by",
            "column \"%.60s\" tells strata apart and is released as it is, and the policy does not "
            "allow its values; make a coarser column of it and name that with `by`",
            settings->name),
        settings->name);
}

static mgl_status fill_attributes(mgl_task *task, const mgl_reading *reading, mgl_error *err)
{
    size_t m = reading->n_quasi;
    uint32_t *min_level = mgl_task_take(task, m, sizeof *min_level);
    uint32_t *max_level = mgl_task_take(task, m, sizeof *max_level);
    double *weights = mgl_task_take(task, m, sizeof *weights);
    const char **names = mgl_task_take(task, m, sizeof *names);
    MGL_TRY(mgl_check_memory(
        names != NULL && min_level != NULL && max_level != NULL && weights != NULL, err));
    double sum = 0;
    for (size_t a = 0; a < m; a++) {
        const mgl_attribute_settings *settings = reading->quasi[a].settings;
        uint32_t height = reading->quasi[a].hierarchy->height;
        names[a] = settings->name;
        min_level[a] = settings->has_level ? settings->levels.min : 0;
        max_level[a] = settings->has_level && settings->levels.max != UINT32_MAX
                           ? settings->levels.max
                           : height;
        if (reading->settings->safe_harbor)
            raise_level(reading->released[a], settings->name, mgl_reference_year(reading->settings),
                        &min_level[a], max_level[a]);
        if (settings->by && min_level[a] > 0)
            return refuse_telling(settings, err);
        max_level[a] = settings->by ? 0 : max_level[a];
        if (min_level[a] > height || max_level[a] > height || min_level[a] > max_level[a])
            return mgl_fail_attribute(
                err, MGL_CODE_BAD_VALUE, settings->name, "level",
                "`attributes.%.60s.level: %u..%u`: the hierarchy of this column has levels 0..%u",
                settings->name, min_level[a], max_level[a], height);
        weights[a] = mgl_settings_weight(reading->settings, settings->name, &settings->weight);
        sum += settings->by ? 0 : weights[a];
    }
    if (m > 0 && sum <= 0)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "weights",
                            "the weights of all quasi-identifier columns are 0; give at least one "
                            "a weight above 0");
    task->problem.names = names;
    task->problem.min_level = min_level;
    task->problem.max_level = max_level;
    task->problem.weights = weights;
    return MGL_OK;
}

static uint32_t attribute_number(const mgl_reading *reading, const char *name)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (strcmp(reading->quasi[a].settings->name, name) == 0)
            return (uint32_t)a;
    return MGL_NOT_FOUND;
}

/* k_Q = max(2, ceil(k * largest likelihood in Q)), at most k (Sweeney 2002, section 4.1). */
static double k_for(const mgl_reading *reading, const mgl_quasi_set *set, double k)
{
    double most = 0;
    for (size_t i = 0; i < set->n_attributes; i++)
        most = fmax(most, mgl_by_set_at(&reading->quasi[set->attributes[i]].settings->likelihood,
                                        set->number));
    double wanted = fmax(2, ceil(k * most));
    return most >= 1 || wanted > k ? k : wanted;
}

static mgl_status sensitive_number(const mgl_reading *reading, const mgl_model_settings *model,
                                   mgl_error *err, uint32_t *out)
{
    for (size_t s = 0; s < reading->n_sensitive; s++)
        if (strcmp(reading->counted[s]->name, model->attribute) == 0) {
            *out = (uint32_t)s;
            return MGL_OK;
        }
    return mgl_fail_attribute(
        err, MGL_CODE_CONFLICT, model->attribute, "role",
        "%s protects column \"%.60s\", which is not sensitive; give it with `role: sensitive`",
        model->type->name, model->attribute);
}

static mgl_status blame_model(const mgl_model_settings *model, mgl_status status, mgl_error *err)
{
    char key[80];
    snprintf(key, sizeof key, "privacy.%s", model->type->name);
    return mgl_blame_column(err, mgl_blame_key(err, status, key), model->attribute);
}

static mgl_status fill_models(mgl_task *task, const mgl_reading *reading, mgl_quasi_set *set,
                              bool refuse, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    mgl_model *models = mgl_task_take(task, 2 * settings->n_models, sizeof *models);
    MGL_TRY(mgl_check_memory(models != NULL, err));
    for (size_t i = 0; i < settings->n_models; i++) {
        mgl_model *model = &models[i];
        model->type = settings->models[i].type;
        model->facts = &task->facts;
        memcpy(model->parameters, settings->models[i].parameters, sizeof model->parameters);
        if (model->type->k == MGL_K_IS)
            model->parameters[0] = k_for(reading, set, model->parameters[0]);
        if (model->type->takes_attribute)
            MGL_TRY(sensitive_number(reading, &settings->models[i], err, &model->attribute));
        mgl_status status =
            model->type->prepare != NULL ? model->type->prepare(model, &task->facts, err) : MGL_OK;
        bool slice = settings->source.may_be_empty; /* others have the rows that it lacks */
        if (status != MGL_OK && ((refuse && !slice) || status != MGL_UNMET))
            return blame_model(&settings->models[i], status, err);
    }
    set->models = models;
    set->n_models = settings->n_models;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->constrain != NULL)
            MGL_TRY((*f)->constrain(task, set, models, err));
    return MGL_OK;
}

void mgl_task_show_added(mgl_task *task, bool searching)
{
    const mgl_settings *settings = task->reading->settings;
    bool show = !searching || !settings->earlier.afterwards;
    for (size_t q = 0; q < task->problem.n_sets; q++)
        task->sets[q].n_models = settings->n_models + (show ? task->n_joint : 0);
    task->problem.histories = show ? task->histories : NULL;
}

/* What features have the search know. */
static mgl_status pose(mgl_task *task, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->pose != NULL)
            MGL_TRY((*f)->pose(task, err));
    return MGL_OK;
}

/* Rows whose risk in the table as it is exceeds what the job allows. */
static mgl_status find_gone(mgl_task *task, mgl_error *err)
{
    const mgl_settings *settings = task->reading->settings;
    const mgl_frequency_list *list = task->problem.list;
    if (!settings->risk.has_above)
        return MGL_OK;
    uint8_t *gone = mgl_task_take(task, list->n_tuples, 1);
    MGL_TRY(mgl_check_memory(gone != NULL, err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t weight = list->weighing.of_value != NULL ? mgl_list_weight(list, t) : 0;
        double risk = mgl_sample_risk(&task->facts.sample, list->counts[t], weight);
        gone[t] = !mgl_at_most(risk, settings->risk.above);
    }
    task->problem.gone = gone;
    return MGL_OK;
}

static mgl_status fill_sets(mgl_task *task, const mgl_reading *reading, bool refuse, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    const mgl_quasi_settings *quasi = settings->n_named > 0 ? settings->named : settings->quasi;
    size_t n_quasi = settings->n_named > 0 ? settings->n_named : settings->n_quasi;
    mgl_quasi_set *sets = mgl_task_take(task, n_quasi, sizeof *sets);
    MGL_TRY(mgl_check_memory(sets != NULL, err));
    size_t n_sets = 0;
    for (size_t q = 0; q < n_quasi; q++) {
        const mgl_quasi_settings *names = &quasi[q];
        uint32_t *attributes = mgl_task_take(task, names->n_names, sizeof *attributes);
        MGL_TRY(mgl_check_memory(attributes != NULL, err));
        mgl_quasi_set *set = &sets[n_sets];
        *set = (mgl_quasi_set){.attributes = attributes, .number = q};
        for (size_t i = 0; i < names->n_names; i++) {
            uint32_t number = attribute_number(reading, names->names[i]);
            if (number != MGL_NOT_FOUND &&
                mgl_by_set_at(&reading->quasi[number].settings->likelihood, q) > 0)
                attributes[set->n_attributes++] = number;
        }
        if (set->n_attributes == 0)
            continue; /* no column of it is used for linking */
        MGL_TRY(fill_models(task, reading, set, refuse, err));
        n_sets++;
    }
    task->problem.sets = task->sets = sets;
    task->problem.n_sets = n_sets;
    return MGL_OK;
}

double mgl_deadline(const mgl_settings *settings)
{
    const mgl_call *call = mgl_call_current();
    double begun = call != NULL ? call->begun : mgl_sys_seconds();
    return settings->limits.seconds > 0 ? begun + settings->limits.seconds : 0;
}

/* What comes after a search, as multiples of what reading took. */
typedef struct afterwards {
    double due;   /* never cut short */
    double pairs; /* until the limit */
} afterwards;

/* All rows are looked at once more to write and to verify them, where persons count several times
 * more for figures of the release, and a proof has all tuples. Measured, the leak guard looks at a
 * column that passes through, with each quasi-identifier, for twice as long as reading it took,
 * where persons count for two and a half times that, and at two such columns for six times. */
static afterwards expect_afterwards(const mgl_settings *settings, const mgl_reading *reading)
{
    bool persons = reading->entity != NULL;
    const double writing = persons ? 15 : 3, proving = 5, alone = persons ? 5 : 2, together = 6;
    size_t n = mgl_source_columns(reading->source), passed = 0;
    for (size_t c = 0; c < n; c++)
        passed += mgl_role_passes(reading->roles[c]);
    double paired = passed < MGL_MOST_PAIRED ? (double)passed : MGL_MOST_PAIRED;
    double each = n > 0 ? (double)reading->n_quasi / (double)n : 0;
    return (afterwards){.due = writing + (settings->saved.proof != NULL ? proving : 0) +
                               alone * (double)passed * each,
                        .pairs = together * paired * fmax(paired - 1, 0) / 2 * each};
}

/* When the search has to end. Further searches, for other k and for features, get as much as it.
 * What comes afterwards is kept back, or half of what is left; of what is never cut short all but
 * most of the second by which a limit may be missed, or nine tenths of what is left. */
static double search_deadline(const mgl_settings *settings, const mgl_reading *reading)
{
    const double missed = 0.8;
    double limit = settings->limits.seconds, end = mgl_deadline(settings), now = mgl_sys_seconds();
    double left = end - now;
    if (limit <= 0 || left <= 0)
        return end;
    if (settings->output != NULL && !settings->dry_run) {
        afterwards after = expect_afterwards(settings, reading);
        double due = after.due * reading->seconds, kept = due + after.pairs * reading->seconds;
        double most = fmax(left + limit / 10 + missed - due, left / 10);
        left = fmin(left - fmin(kept, left / 2), most);
    }
    return now +
           left / (double)(1 + settings->comparison.n_curve + mgl_features_searching(reading));
}

/* ---- The method ------------------------------------------------------------------------------ */

/* The entry of the file about a column, which counts where the job has none. */
static const char *value_by_file(const void *context, const char *option, size_t a)
{
    const mgl_reading *reading = context;
    const mgl_column_meta *meta =
        mgl_source_meta(reading->source, reading->quasi[a].column->source_index);
    for (size_t i = 0; meta != NULL && i < meta->n_options; i++)
        if (strcmp(meta->options[i].name, option) == 0)
            return meta->options[i].value;
    return NULL;
}

mgl_status mgl_task_take_method(mgl_task *task, const mgl_settings *settings,
                                const mgl_method_type *method, mgl_error *err)
{
    mgl_option_columns columns = {task->problem.names, task->reading->n_quasi, value_by_file,
                                  task->reading};
    MGL_TRY(
        mgl_settings_options(settings, method, &columns, task->arena, err, &task->problem.options));
    task->problem.method = method;
    task->problem.counting = mgl_method_counting(&task->problem, settings->tops_match);
    return MGL_OK;
}

mgl_status mgl_task_new(const mgl_settings *settings, const mgl_counts *counts, bool refuse,
                        mgl_error *err, mgl_task **out)
{
    mgl_reading *reading = counts->reading;
    mgl_task *task = mgl_zeroed_array(1, sizeof *task);
    MGL_TRY(mgl_check_memory(task != NULL, err));
    task->arena = mgl_arena_new();
    task->reading = reading;
    task->list = counts->kept;
    task->problem = (mgl_problem){
        .list = counts->list,
        .population = counts->population,
        .columns = reading->released,
        .k = settings->k,
        .no_k = settings->no_k,
        .limited = settings->suppress != NULL,
        .limit = mgl_settings_limit(settings, counts->list->n_rows),
        .limit_text = settings->suppress,
        .treatment = settings->treatment,
        .effort = settings->effort,
        .measure = settings->measure,
        .prefer = settings->prefer,
        .n_prefer = settings->n_prefer,
        .pool = reading->pool,
        .progress = &settings->progress,
        .deadline = search_deadline(settings, reading),
        .memory = settings->limits.memory,
        .brief = settings->brief,
        .wants_proof = settings->saved.proof != NULL,
    };
    if (reading->label != SIZE_MAX)
        task->problem.label = &counts->list->sensitive[reading->label];
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(task->arena != NULL, err));
    MGL_GO(mgl_facts_find(task, counts, err));
    MGL_GO(fill_attributes(task, reading, err));
    MGL_GO(pose(task, err));
    if (settings->method != NULL)
        MGL_GO(mgl_task_take_method(task, settings, settings->method, err));
    MGL_GO(fill_sets(task, reading, refuse, err));
    MGL_GO(find_gone(task, err));
    MGL_GO(mgl_costs_find(counts, err, &task->problem.costs));
    *out = task;
    task = NULL;
done:
    mgl_task_free(task);
    return status;
}

void mgl_task_free(mgl_task *task)
{
    if (task == NULL)
        return;
    mgl_arena_free(task->arena);
    mgl_free(task);
}

size_t mgl_task_models(const mgl_task *task)
{
    size_t n = 0;
    for (size_t q = 0; q < task->problem.n_sets; q++)
        n += task->problem.sets[q].n_models;
    return n;
}

/* ---- Setups ---------------------------------------------------------------------------------- */

mgl_status mgl_setup_begin(mgl_session *session, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_error *err, mgl_setup *out)
{
    mgl_setup setup = {0};
    unsigned char ignored[MGL_SIGNATURE];
    mgl_status status = MGL_OK;
    if (purpose == MGL_TO_RELEASE &&
        settings->signing.key != NULL) /* a key that does not work is refused before the search */
        MGL_GO(mgl_signature_make(settings->signing.key, (mgl_span){"", 0}, err, ignored));
    MGL_GO(mgl_reading_new(session, settings, purpose, err, &setup.reading));
    MGL_GO(mgl_counts_find(setup.reading, err, &setup.counts));
    /* Together with an earlier release models may hold which these rows alone cannot hold. */
    bool refuse =
        mgl_purpose_searches(purpose) && setup.counts.list->n_rows > 0 && settings->with == NULL;
    MGL_GO(mgl_task_new(settings, &setup.counts, refuse, err, &setup.task));
    *out = setup;
    setup = (mgl_setup){0};
done:
    mgl_setup_end(&setup);
    return status;
}

void mgl_setup_end(mgl_setup *setup)
{
    mgl_task_free(setup->task);
    mgl_reading_free(setup->reading);
}
