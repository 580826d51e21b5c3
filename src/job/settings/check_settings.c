/* Checks what a command demands of the job as a whole: its keys, its files, the models, the search
 * and the population that the table is a sample of; check_columns.c checks the columns. */
#include "job/settings/checked_job.h"
#include "sign/sign.h"

/* ---- Differential privacy ----------------------------------------------------------------- */

/* Half of epsilon is more than levels are worth; the rest would be too little for the sample. */
static mgl_status check_share(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *share = mgl_store_find(d->job, "dp-search", NULL);
    if (share == NULL || (s->dp.budget.epsilon <= 0 && share->place.load != 0))
        return MGL_OK;
    if (s->dp.budget.epsilon <= 0)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "dp",
                                "`dp-search` is a part of the epsilon of `dp`; give `dp: "
                                "EPSILON,DELTA`, or leave it out");
    if (s->dp.choosing * (double)MGL_EXPONENT_ONE < 1)
        return mgl_checked_fail(d, MGL_CODE_BAD_VALUE, "dp-search",
                                "`dp-search` is less than 0.000001, with which no level is chosen "
                                "by what it keeps; give more");
    if (2 * s->dp.choosing > s->dp.budget.epsilon)
        return mgl_checked_fail(d, MGL_CODE_BAD_VALUE, "dp-search",
                                "`dp-search` is more than half of the epsilon of `dp`; give less, "
                                "or give all columns a `level`");
    if (d->command == MGL_ANONYMIZE && s->dp.sampling.choosing == 0)
        return mgl_checked_fail(d, MGL_CODE_CONFLICT, "dp-search",
                                "`dp-search` chooses levels, and every column is given one "
                                "(`level`); leave one of the two out");
    return MGL_OK;
}

/* Commands that look at a search draw nothing: they would show counts of the whole table, and of
 * another release than the job makes. */
static mgl_status check_command(const mgl_checked_job *d)
{
    const unsigned looking = MGL_PREVIEW | MGL_WHAT_IF | MGL_COMPARE | MGL_LATTICE;
    if ((d->command & looking) == 0)
        return MGL_OK;
    return mgl_checked_fail(d, MGL_CODE_CONFLICT, "dp",
                            "`dp` draws a sample that only `anonymize` draws, and what is shown "
                            "here are counts of the whole table; take `dp` out of the job to look "
                            "at these, and do not choose levels, epsilon or delta by them");
}

static mgl_status fail_column(const mgl_checked_job *d, const char *name, const char *key,
                              const char *why)
{
    return mgl_fail_attribute(d->err, MGL_CODE_CONFLICT, name, key, "column '%.60s' %s", name, why);
}

/* What is released is a combination of quasi-identifiers, and nothing besides. */
static mgl_status check_role(const mgl_checked_job *d, const mgl_attribute_settings *attribute)
{
    if (attribute->role == MGL_ROLE_SENSITIVE || attribute->role == MGL_ROLE_INSENSITIVE ||
        attribute->role == MGL_ROLE_ITEMS)
        return fail_column(d, attribute->name, "role",
                           "would be released as it is, and `dp` counts the combinations of all "
                           "released cells; give it `role: quasi` with a hierarchy, or leave it "
                           "out (`role: identifier`)");
    return MGL_OK;
}

static mgl_status check_hierarchy(const mgl_checked_job *d, const mgl_attribute_settings *attribute)
{
    bool of_numbers;
    if (attribute->role != MGL_ROLE_QUASI || d->command != MGL_ANONYMIZE)
        return MGL_OK;
    if (attribute->hierarchy == NULL)
        return fail_column(d, attribute->name, "hierarchy",
                           "has no hierarchy, and one that is proposed depends on the data; with "
                           "`dp` give it one: a file with all values that the column can have, "
                           "suppress, or another builder, as intervals(5,10)");
    if (!mgl_hierarchy_is_fixed(attribute->hierarchy, &of_numbers))
        return fail_column(d, attribute->name, "hierarchy",
                           "has a hierarchy that takes something from the data, which `dp` does "
                           "not allow; say all in its arguments (as mask(right,3)), or give a file "
                           "with all values that the column can have (`hierarchy build` makes "
                           "it of a list of them)");
    return MGL_OK;
}

/* Rows are counted, and nothing else of them. */
static mgl_status check_private_models(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type != mgl_model_type_of_k())
            return mgl_fail_key(d->err, MGL_CODE_CONFLICT, "dp",
                                "`dp` promises more than k-anonymity by it alone, and %s would "
                                "leave out rows for another reason; leave one of the two out",
                                s->models[i].type->name);
    return MGL_OK;
}

/* MGL_USAGE if the job asks for differential privacy and for something that it does not allow. */
static mgl_status check_differential(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    MGL_TRY(check_share(d));
    if (s->dp.budget.epsilon <= 0)
        return MGL_OK;
    MGL_TRY(check_command(d));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_DIFFERENTIAL, s, d->command, d->err));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_role(d, &s->attributes[i]));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_hierarchy(d, &s->attributes[i]));
    return check_private_models(d);
}

/* Is there a model that is another one for a sample? */
static bool has_models(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_models; i++) {
        const mgl_model_type *type = mgl_model_type_find(s->models[i].type->name);
        if (type->weighed != NULL || type->sampled != NULL)
            return true;
    }
    return false;
}

/* What a job file gives for `risk` need not concern the search; what was set for this command was
 * meant to. */
static mgl_status refuse_idle(const mgl_checked_job *c, const char *key)
{
    const mgl_entry *entry = mgl_store_find(c->job, key, NULL);
    if (entry == NULL || entry->place.load != 0)
        return MGL_OK;
    return mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, c->err,
                           "no model of the job looks at it; leave it out, or ask for a model that "
                           "does (`k-map`, `max-risk`; `help models`)");
}

static bool looks_at_households(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type->by_household)
            return true;
    return false;
}

/* MGL_USAGE if keys about the population that the table is a sample of contradict each other. */
static mgl_status settings_check_sample(const mgl_checked_job *c)
{
    const mgl_settings *settings = c->settings;
    if (c->command == MGL_RISK)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_RISK_LIMIT, settings, c->command, c->err));
    if (!looks_at_households(settings))
        MGL_TRY(refuse_idle(c, "household"));
    if (!has_models(settings)) {
        MGL_TRY(refuse_idle(c, "weight"));
        return refuse_idle(c, "sampling-fraction");
    }
    if (settings->with != NULL && (settings->weighed.judged || settings->households.judged))
        return mgl_checked_fail(
            c, MGL_CODE_CONFLICT, "with",
            "`with`: it is not known what the rows of the earlier release weigh, or which are one "
            "household's; leave it out, or ask for models of the rows alone");
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_POPULATION, settings, c->command, c->err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_FRACTION, settings, c->command, c->err));
    return mgl_conflicts_refuse(MGL_CONFLICTS_OF_PERSONS, settings, c->command, c->err);
}

enum { MOST_PREFERENCES = 8 };

mgl_status mgl_checked_fail(const mgl_checked_job *d, mgl_code code, const char *key,
                            const char *text)
{
    return mgl_fail_key(d->err, code, key, "%s", text);
}

/* The row of the table an entry belongs to. */
static bool key_of_entry(const mgl_entry *entry, mgl_key *out)
{
    if (entry->subject != NULL && mgl_key_find_field(mgl_span_of(entry->field), out))
        return true;
    const mgl_model_type *model = mgl_model_type_find(entry->field);
    if (model != NULL)
        return mgl_key_find(mgl_span_of(model->option), out);
    return entry->subject == NULL && mgl_key_find(mgl_span_of(entry->field), out);
}

/* A job file serves several commands; what was set for this one must fit it. */
static mgl_status refuse_foreign_keys(const mgl_checked_job *d)
{
    for (size_t i = 0; i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        char origin[MGL_ORIGIN_TEXT];
        mgl_key key;
        if (entry->place.load == 0 && key_of_entry(entry, &key) && (key.commands & d->command) == 0)
            return mgl_fail_key(d->err, MGL_CODE_UNKNOWN_KEY, entry->place.name,
                                "%s does not belong to %s; leave it out",
                                mgl_origin_text(&entry->place, origin),
                                mgl_command_name(d->command));
    }
    return MGL_OK;
}

/* The models of a release are of use to an attack that runs its method. */
static mgl_status want_minimality(const mgl_checked_job *d)
{
    for (size_t i = 0;
         d->command == MGL_ATTACK && !d->settings->risk.minimality && i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        if (entry->place.load == 0 && mgl_model_type_find(entry->field) != NULL)
            return mgl_fail_key(d->err, MGL_CODE_CONFLICT, "minimality",
                                "attack looks at the models of a release only with `minimality`; "
                                "add it, or leave %.60s out",
                                entry->field);
    }
    return MGL_OK;
}

/* Promise and statement are about a release, and are made of all that is known about it. */
static mgl_status want_release(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const char *key = s->saved.statement != NULL ? "statement" : "save-promise";
    if (s->saved.statement == NULL && s->saved.promise == NULL)
        return s->disclosed.n == 0
                   ? MGL_OK
                   : mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "disclose",
                                      "`disclose` says what promise and statement hold; add "
                                      "`save-promise: FILE.json` or `statement: FILE`");
    if (s->dry_run || s->print_sql != NULL)
        return mgl_checked_fail(d, MGL_CODE_CONFLICT, key,
                                "`statement` and `save-promise` are about a release, and none is "
                                "written; leave them out, or name an `output`");
    if (s->brief)
        return mgl_checked_fail(d, MGL_CODE_CONFLICT, "brief",
                                "`brief` leaves out what `statement` and `save-promise` are made "
                                "of; leave one of them out");
    return MGL_OK;
}

static mgl_status want_files(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->claimed.proof != NULL && s->claimed.against == NULL)
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "against",
            "`proof` proves what a result claims; name the result with `against`");
    if (s->data == NULL && s->claimed.proof == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "data", "no data; name the file to read");
    if (d->command == MGL_UTILITY && s->release == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "release",
                                "no release; name the one that was made of the data (`release`)");
    if (d->command == MGL_ATTACK && s->risk.external == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "external",
                                "no external table; name the table of persons (`external`)");
    if (d->command == MGL_COUNT && s->output == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "output",
                                "no output; give `output: PART`");
    MGL_TRY(want_minimality(d));
    if (d->command == MGL_STATEMENT && s->promise == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "promise",
                                "no promise; name with `promise` what `save-promise` wrote with "
                                "the release");
    if (d->command == MGL_STATEMENT && s->output != NULL && s->saved.statement != NULL)
        return mgl_checked_fail(d, MGL_CODE_CONFLICT, "statement",
                                "`output` and `statement` both name the statement; leave one of "
                                "them out");
    if (d->command != MGL_ANONYMIZE)
        return MGL_OK;
    MGL_TRY(want_release(d));
    if (s->output == NULL && !s->dry_run && s->print_sql == NULL)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "output",
                                "no output; give `output: FILE`, or `dry-run` to write nothing");
    if (s->brief && (s->saved.report != NULL || s->saved.result != NULL))
        return mgl_checked_fail(
            d, MGL_CODE_CONFLICT, "brief",
            "`brief` leaves out what `result` and `report` are for; give one of them");
    return MGL_OK;
}

/* A model that needs what the job does not say. */
static mgl_status fail_lacking(const mgl_checked_job *d, const mgl_model_settings *model,
                               const char *message)
{
    const mgl_entry *entry = mgl_store_find(d->job, model->type->name, model->attribute);
    mgl_origin policy = {.name = model->type->name};
    return mgl_origin_fail(entry != NULL ? &entry->place : &policy, MGL_CODE_MISSING_KEY, d->err,
                           "%s", message);
}

static mgl_status want_population(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; s->households.column == NULL && i < s->n_models; i++)
        if (s->models[i].type->by_household)
            return fail_lacking(d, &s->models[i],
                                "it needs to know which rows are one household; give `household: "
                                "COLUMN`");
    for (size_t i = 0; s->sampled.fraction == 0 && s->weighed.column == NULL && i < s->n_models;
         i++)
        if (s->models[i].type->needs_fraction)
            return fail_lacking(d, &s->models[i],
                                "it needs to know which share of the population the table is; "
                                "give `sampling-fraction: X` or `weight: COLUMN`");
    for (size_t i = 0; s->sampled.population == NULL && i < s->n_models; i++) {
        const mgl_model_type *type = s->models[i].type;
        if (type->needs_population)
            return fail_lacking(
                d, &s->models[i],
                type->sampled == NULL
                    ? "it needs the table of all persons; give `population: FILE`"
                    : "it needs the table of all persons, or what rows stand for; give "
                      "`population: FILE`, `weight: COLUMN` or `sampling-fraction: X`");
    }
    if (s->sampled.population != NULL && strcmp(s->sampled.population, "-") == 0 &&
        strcmp(s->data, "-") == 0)
        return mgl_checked_fail(
            d, MGL_CODE_CONFLICT, "population",
            "data and population both from standard input; name a file for one");
    return MGL_OK;
}

/* Models of the whole table, and those of a population that was in no earlier release, are not
 * judged on what releases have in common. */
static mgl_status check_history(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; s->earlier.n > 0 && i < s->n_models; i++) {
        const mgl_model_type *type = s->models[i].type;
        if (type->scope == MGL_SCOPE_TABLE || type->needs_population || type->weighs ||
            type->by_household || s->risk.has_above)
            return mgl_fail_key(d->err, MGL_CODE_CONFLICT, "history",
                                "%s cannot be judged together with earlier releases; leave out "
                                "`history`, or the model",
                                type->name);
    }
    return MGL_OK;
}

/* A certificate counts rows of this table, and nothing else. */
static mgl_status check_save_proof(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (d->command != MGL_ANONYMIZE || s->saved.proof == NULL)
        return MGL_OK;
    const mgl_origin *place = &mgl_store_find(d->job, "save-proof", NULL)->place;
    mgl_conflict found;
    return mgl_conflict_find(MGL_CONFLICTS_OF_PROOFS, s, d->command, &found)
               ? mgl_origin_fail(place, found.code, d->err, "%s", found.why)
               : MGL_OK;
}

static mgl_status check_models(const mgl_checked_job *d)
{
    bool searches =
        (d->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0 && d->settings->n_quasi > 0;
    if (searches && d->settings->n_models == 0)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "privacy",
                                "no model; give `k: N` (each person hides among N) or another one "
                                "(`help models`)");
    MGL_TRY(check_history(d));
    MGL_TRY(settings_check_sample(d));
    MGL_TRY(check_save_proof(d));
    return want_population(d);
}

static bool is_taken(const mgl_checked_job *d, const mgl_key *key)
{
    for (size_t m = 0; m < d->settings->comparison.n_methods; m++)
        if (mgl_key_is_for(key, d->settings->comparison.methods[m]))
            return true;
    return false;
}

static mgl_status refuse_idle_option(const mgl_checked_job *d, const mgl_entry *entry,
                                     const char *owner)
{
    if (d->command == MGL_COMPARE)
        return mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                               "it is for %s, which is not compared; leave it out, or add %s to "
                               "`methods`",
                               owner, owner);
    return mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                           "it is for %s, not for %s; leave it out, or give `method: %s`", owner,
                           d->settings->method->name, owner);
}

/* An option that does nothing with any of the methods was meant for another one. */
static mgl_status refuse_idle_options(const mgl_checked_job *d)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        mgl_key key;
        if (entry->place.load != 0 || !key_of_entry(entry, &key) || is_taken(d, &key))
            continue;
        for (size_t m = 0; m < n; m++)
            if (mgl_key_is_for(&key, types[m]))
                return refuse_idle_option(d, entry, types[m]->name);
    }
    return MGL_OK;
}

/* A comparison goes on without the methods that cannot take the job; one that names none, or one
 * twice, was not meant so. */
static mgl_status want_methods(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *entry = mgl_store_find(d->job, "methods", NULL);
    if (s->comparison.n_methods == 0)
        return entry == NULL
                   ? mgl_checked_fail(d, MGL_CODE_CONFLICT, "methods",
                                      "no method can take this job; see `help methods`")
                   : mgl_origin_fail(&entry->place, MGL_CODE_BAD_VALUE, d->err,
                                     "names no method; name some, or leave it out to compare all "
                                     "that can take the job");
    for (size_t i = 0; i < s->comparison.n_methods; i++)
        for (size_t j = 0; j < i; j++)
            if (s->comparison.methods[i] == s->comparison.methods[j])
                return mgl_origin_fail(&entry->place, MGL_CODE_REPEATED, d->err,
                                       "names %s twice; name each method once",
                                       s->comparison.methods[i]->name);
    return MGL_OK;
}

/* A curve varies the k of k-anonymity. */
static mgl_status want_k(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *entry = mgl_store_find(d->job, "curve", NULL);
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type->k == MGL_K_IS)
            return MGL_OK;
    return s->comparison.n_curve == 0 || entry == NULL
               ? MGL_OK
               : mgl_origin_fail(&entry->place, MGL_CODE_MISSING_KEY, d->err,
                                 "it varies k, and the job has none; give `k`");
}

/* What needs more than a table shows whose rare combinations are regrouped. */
static mgl_status check_least_count(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->counted.least == 0)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_RARE, s, d->command, d->err));
    for (size_t i = 0; i <= s->n_prefer; i++) {
        const mgl_measure_type *measure = i < s->n_prefer ? s->prefer[i].measure : s->measure;
        if (measure != NULL && measure->needs_ground)
            return mgl_fail_key(d->err, MGL_CODE_CONFLICT, "least-count",
                                "%s cannot be known where `least-count` regroups rows before they "
                                "are counted; take precision or another measure (`help measures`)",
                                measure->name);
    }
    return MGL_OK;
}

static mgl_status check_search(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    MGL_TRY(want_k(d));
    MGL_TRY(check_least_count(d));
    if (s->n_prefer > MOST_PREFERENCES)
        return mgl_fail_key(d->err, MGL_CODE_LIMIT, "prefer",
                            "`prefer`: %zu criteria; give at most %d", s->n_prefer,
                            MOST_PREFERENCES);
    if (d->command == MGL_COMPARE) {
        MGL_TRY(want_methods(d));
    } else if (d->command == MGL_ANONYMIZE) {
        if (s->method == NULL)
            return mgl_checked_fail(
                d, MGL_CODE_UNKNOWN_NAME, "method",
                "the default method is missing from the program; give `method`");
        MGL_TRY(mgl_settings_check_method(s, s->method, d->err));
    } else {
        return MGL_OK;
    }
    return refuse_idle_options(d);
}

static mgl_status check_signatures(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *verify = mgl_store_find(d->job, "verify-key", NULL);
    bool signs =
        s->signing.key != NULL && (d->command & (MGL_ANONYMIZE | MGL_APPLY | MGL_STATEMENT)) != 0;
    bool verifies = verify != NULL && mgl_command_judges(d->command);
    if ((signs || verifies) && !mgl_signatures_known())
        return mgl_checked_fail(
            d, MGL_CODE_UNSUPPORTED, "sign",
            "this program was built without OpenSSL and knows no signatures; install "
            "libssl-dev and build it again, or use openssl pkeyutl -rawin");
    bool signed_file = s->signing.of_result != NULL || s->signing.of_statement != NULL;
    if (signs && !signed_file)
        return mgl_checked_fail(d, MGL_CODE_MISSING_KEY, "result",
                                "`sign` signs the file of the result, or of the statement; add "
                                "`result: FILE.json` or `statement: FILE`");
    if (verifies && s->claimed.against == NULL)
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "against",
            "`verify-key` is for the signature of a result; add `against: RESULT.json`");
    return MGL_OK;
}

/* A limit would mean to put the rest on a disk. */
static mgl_status check_memory(const mgl_checked_job *d)
{
    const mgl_entry *limit = mgl_store_find(d->job, "memory", NULL);
    if (limit == NULL || !mgl_job_in_memory(d->job))
        return MGL_OK;
    return mgl_origin_fail(&limit->place, MGL_CODE_CONFLICT, d->err,
                           "a table in memory is never put on a disk, so its memory has no limit; "
                           "leave `memory` out, or name files");
}

mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err)
{
    mgl_checked_job d = {job, settings, command, err};
    if (command == MGL_OPEN && settings->data == NULL)
        return mgl_checked_fail(&d, MGL_CODE_MISSING_KEY, "data", "no data; name the file to read");
    if (command == MGL_OPEN) /* the rest of the job is for those that run on the session */
        return mgl_memory_name(settings->data) != NULL ? check_memory(&d) : MGL_OK;
    MGL_TRY(refuse_foreign_keys(&d));
    MGL_TRY(want_files(&d));
    MGL_TRY(check_signatures(&d));
    MGL_TRY(check_memory(&d));
    MGL_TRY(mgl_outputs_check(job, settings, command, err));
    if ((command & (MGL_REPORT | MGL_SHOW_RECODING | MGL_CODEBOOK | MGL_STATEMENT)) != 0 ||
        settings->claimed.proof != NULL)
        return MGL_OK;
    MGL_TRY(check_differential(&d));
    MGL_TRY(mgl_check_columns(&d));
    MGL_TRY(check_models(&d));
    return check_search(&d);
}
