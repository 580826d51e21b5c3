/* Checks what a command demands of the job as a whole. settings.c calls it at the end, compare for
 * each method. */
#include "job/settings/settings.h"

enum { MOST_PREFERENCES = 8 };

typedef struct demand {
    const mgl_job *job;
    const mgl_settings *settings;
    mgl_command command;
    mgl_error *err;
} demand;

static mgl_status fail(const demand *d, mgl_code code, const char *key, const char *text)
{
    return mgl_blame_key(d->err, mgl_fail(d->err, code, "%s", text), key);
}

/* ---- Keys ----------------------------------------------------------------------------------- */

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
static mgl_status refuse_foreign_keys(const demand *d)
{
    for (size_t i = 0; i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        char said[MGL_SAID];
        mgl_key key;
        if (entry->place.load == 0 && key_of_entry(entry, &key) && (key.commands & d->command) == 0)
            return mgl_blame_key(
                d->err,
                mgl_fail(d->err, MGL_CODE_UNKNOWN_KEY, "%s does not belong to %s; leave it out",
                         mgl_place_said(&entry->place, said), mgl_command_name(d->command)),
                entry->place.name);
    }
    return MGL_OK;
}

static mgl_status want_files(const demand *d)
{
    const mgl_settings *s = d->settings;
    if (s->proof != NULL && s->against == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "against",
                    "`proof` proves what a result claims; name the result with `against`");
    if (s->data == NULL && s->proof == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "data", "no data; name the file to read");
    if (d->command == MGL_UTILITY && s->release == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "release",
                    "no release; name the release after the original data");
    if (d->command == MGL_ATTACK && s->external == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "external",
                    "no external table; name the table of persons after the release");
    if (d->command == MGL_COUNT && s->output == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "output", "no output; give `output: PART`");
    if (d->command != MGL_ANONYMIZE)
        return MGL_OK;
    if (s->output == NULL && !s->dry_run && s->print_sql == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "output",
                    "no output; give `output: FILE`, or `dry-run` to write nothing");
    if (s->brief && (s->report_file != NULL || s->result_file != NULL))
        return fail(d, MGL_CODE_CONFLICT, "brief",
                    "`brief` leaves out what `result` and `report` are for; give one of them");
    return MGL_OK;
}

/* ---- Columns -------------------------------------------------------------------------------- */

static mgl_status refuse_lost_columns(const demand *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi < 2)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        bool found = s->attributes[i].role != MGL_ROLE_QUASI;
        for (size_t q = 0; !found && q < s->n_quasi; q++)
            for (size_t j = 0; !found && j < s->quasi[q].n_names; j++)
                found = strcmp(s->quasi[q].names[j], s->attributes[i].name) == 0;
        if (!found)
            return mgl_blame_attribute(
                d->err,
                mgl_fail(d->err, MGL_CODE_CONFLICT,
                         "column '%.60s' is quasi but in none of the %zu quasi-identifiers; "
                         "add it to one",
                         s->attributes[i].name, s->n_quasi),
                s->attributes[i].name, "role");
    }
    return MGL_OK;
}

/* The other way round: a set whose column was given another role by an option. */
static mgl_status refuse_lost_roles(const demand *d)
{
    const mgl_settings *s = d->settings;
    for (size_t q = 0; q < s->n_quasi; q++)
        for (size_t j = 0; j < s->quasi[q].n_names; j++) {
            const char *name = s->quasi[q].names[j];
            const mgl_entry *role = mgl_store_find(d->job, "role", name);
            if (role != NULL && strcmp(role->value, "quasi") != 0)
                return mgl_blame_attribute(d->err,
                                           mgl_place_fail(&role->place, MGL_CODE_CONFLICT, d->err,
                                                          "column '%.60s' is %s here and lies in a "
                                                          "quasi-identifier; give it one role",
                                                          name, role->value),
                                           name, "role");
        }
    return MGL_OK;
}

/* The row of a column's field; two options may mean the same field. */
static bool key_of_field(const mgl_entry *entry, mgl_key *out)
{
    static const char other[] = "sensitive-hierarchy";
    const char *name = entry->place.name;
    if (strncmp(name, other, sizeof other - 1) == 0)
        return mgl_key_find(mgl_span_of(other), out);
    return mgl_key_find_field(mgl_span_of(entry->field), out);
}

static const char *noun_of(const char *field)
{
    return strcmp(field, "protect") == 0     ? "list of protected values"
           : strcmp(field, "aggregate") == 0 ? "function that aggregates it"
                                             : field;
}

static mgl_status refuse_idle_field(const demand *d, const mgl_entry *entry, const mgl_key *key)
{
    bool of_sensitive = key->role != NULL && strcmp(key->role, "sensitive") == 0;
    const mgl_entry *role = mgl_store_find(d->job, "role", entry->subject);
    if (role == NULL && mgl_settings_attribute(d->settings, entry->subject)->km.k > 0)
        return MGL_OK;
    if (role == NULL)
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_NO_ROLE, d->err,
                           "column '%.60s' has a %s but no role; name it by %s", entry->subject,
                           noun_of(entry->field),
                           of_sensitive ? "`role: sensitive`" : "`role: quasi`"),
            entry->subject, "role");
    bool overridden = entry->place.load != 0 && role->place.load == 0;
    if (key->role != NULL && strcmp(role->value, key->role) != 0 && !overridden)
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                           "column '%.60s' is %s, and only %s have a %s; leave it out",
                           entry->subject, role->value,
                           of_sensitive ? "sensitive columns" : "quasi-identifiers",
                           noun_of(entry->field)),
            entry->subject, "role");
    return MGL_OK;
}

/* A column of strata needs no role by name. */
static bool is_stratum(const demand *d, const char *column)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(d->settings, column);
    return attribute != NULL && attribute->by && mgl_store_find(d->job, "role", column) == NULL;
}

/* Fields of a column whose role has no use for them: someone forgot something. */
static mgl_status refuse_idle_fields(const demand *d)
{
    for (size_t i = 0; i < d->job->n_entries; i++) {
        const mgl_entry *entry = &d->job->entries[i];
        mgl_key key;
        if (entry->subject != NULL && key_of_field(entry, &key) && !key.roleless &&
            (key.commands & d->command) != 0 && !is_stratum(d, entry->subject))
            MGL_TRY(refuse_idle_field(d, entry, &key));
    }
    return MGL_OK;
}

static mgl_status want_protected_hierarchies(const demand *d)
{
    for (size_t i = 0; i < d->settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &d->settings->attributes[i];
        mgl_key key;
        if (attribute->n_protect == 0 || attribute->role != MGL_ROLE_SENSITIVE ||
            attribute->hierarchy != NULL || !mgl_key_find(mgl_span_of("protect"), &key) ||
            (key.commands & d->command) == 0)
            continue;
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&mgl_store_find(d->job, "protect", attribute->name)->place,
                           MGL_CODE_MISSING_KEY, d->err,

                           "column '%.60s' has no hierarchy to protect values in; add "
                           "`sensitive-hierarchy: %.60s=FILE`",
                           attribute->name, attribute->name),
            attribute->name, "hierarchy");
    }
    return MGL_OK;
}

/* A number for each quasi-identifier, or one for all. */
static mgl_status check_by_set(const demand *d, const char *field)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const char *name = s->attributes[i].name;
        const mgl_entry *entry = mgl_store_find(d->job, field, name);
        mgl_by_set said;
        if (entry == NULL || !mgl_read_by_set(mgl_span_of(entry->value), &said) || said.n == 1 ||
            said.n == s->n_quasi)
            continue;
        return mgl_blame_attribute(
            d->err,
            mgl_place_fail(&entry->place, MGL_CODE_BAD_VALUE, d->err,
                           "column '%.60s' has %zu numbers, and there are %zu quasi-identifiers; "
                           "give one number, or one for each with / between",
                           name, said.n, s->n_quasi),
            name, field);
    }
    return MGL_OK;
}

static mgl_status want_weights(const demand *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi == 0)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].role == MGL_ROLE_QUASI && mgl_by_set_any(&s->attributes[i].weight))
            return MGL_OK;
    return fail(d, MGL_CODE_BAD_VALUE, "weights",
                "all weights are 0; give at least one quasi-identifier a weight above 0");
}

static mgl_status check_rows(const demand *d)
{
    const mgl_settings *s = d->settings;
    if (s->has_sample_seed && s->sample == NULL && !mgl_command_judges(d->command))
        return fail(d, MGL_CODE_MISSING_KEY, "sample",
                    "`sample-seed` says how a sample is drawn; say how large it is with `sample`");
    if (s->advise && (s->where != NULL || s->sample != NULL))
        return fail(d, MGL_CODE_CONFLICT, s->where != NULL ? "where" : "sample",
                    "`advise` looks at all rows of a table; leave `where` and `sample` out");
    return MGL_OK;
}

static mgl_status check_columns(const demand *d)
{
    MGL_TRY(check_rows(d));
    if (d->command == MGL_HIERARCHY || d->command == MGL_LOOK ||
        (d->command == MGL_RISK && d->settings->advise))
        return MGL_OK;
    MGL_TRY(mgl_settings_check_items(d->job, d->settings, d->command, d->err));
    if (d->settings->n_quasi == 0 && d->settings->items == NULL)
        return fail(
            d, MGL_CODE_MISSING_KEY, "quasi-identifiers",
            "no quasi-identifier; name the columns that others may know with `role: quasi`, or "
            "let `risk` propose them (`advise`)");
    MGL_TRY(mgl_settings_check_strata(d->job, d->settings, d->command, d->err));
    MGL_TRY(refuse_lost_columns(d));
    MGL_TRY(refuse_lost_roles(d));
    MGL_TRY(refuse_idle_fields(d));
    MGL_TRY(want_protected_hierarchies(d));
    MGL_TRY(mgl_settings_check_persons(d->job, d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_counts(d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_script(d->settings, d->err));
    MGL_TRY(mgl_settings_check_treatments(d->job, d->settings, d->command, d->err));
    MGL_TRY(mgl_settings_check_aggregates(d->job, d->settings, d->command, d->err));
    MGL_TRY(check_by_set(d, "weight"));
    MGL_TRY(check_by_set(d, "likelihood"));
    MGL_TRY(check_by_set(d, "preference"));
    return want_weights(d);
}

/* ---- Models and search ---------------------------------------------------------------------- */

/* A model that needs what the job does not say. */
static mgl_status fail_lacking(const demand *d, const mgl_model_settings *model,
                               const char *message)
{
    const mgl_entry *entry = mgl_store_find(d->job, model->type->name, model->attribute);
    mgl_place policy = {.name = model->type->name};
    return mgl_place_fail(entry != NULL ? &entry->place : &policy, MGL_CODE_MISSING_KEY, d->err,
                          "%s", message);
}

static mgl_status want_population(const demand *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; s->household == NULL && i < s->n_models; i++)
        if (s->models[i].type->by_household)
            return fail_lacking(d, &s->models[i],
                                "it needs to know which rows are one household; give `household: "
                                "COLUMN`");
    for (size_t i = 0; s->fraction == 0 && s->weight == NULL && i < s->n_models; i++)
        if (s->models[i].type->needs_fraction)
            return fail_lacking(d, &s->models[i],
                                "it needs to know which share of the population the table is; "
                                "give `sampling-fraction: X` or `weight: COLUMN`");
    for (size_t i = 0; s->population == NULL && i < s->n_models; i++) {
        const mgl_model_type *type = s->models[i].type;
        if (type->needs_population)
            return fail_lacking(
                d, &s->models[i],
                type->sampled == NULL
                    ? "it needs the table of all persons; give `population: FILE`"
                    : "it needs the table of all persons, or what rows stand for; give "
                      "`population: FILE`, `weight: COLUMN` or `sampling-fraction: X`");
    }
    if (s->population != NULL && strcmp(s->population, "-") == 0 && strcmp(s->data, "-") == 0)
        return fail(d, MGL_CODE_CONFLICT, "population",
                    "data and population both from standard input; name a file for one");
    return MGL_OK;
}

/* Models of the whole table, and those of a population that was in no earlier release, are not
 * judged on what releases have in common. */
static mgl_status check_history(const demand *d)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; s->n_history > 0 && i < s->n_models; i++) {
        const mgl_model_type *type = s->models[i].type;
        if (type->scope == MGL_SCOPE_TABLE || type->needs_population || type->weighs ||
            type->by_household || s->has_suppress_above)
            return mgl_blame_key(
                d->err,
                mgl_fail(d->err, MGL_CODE_CONFLICT,
                         "%s cannot be judged together with earlier releases; leave out "
                         "`history`, or the model",
                         type->name),
                "history");
    }
    return MGL_OK;
}

/* A certificate counts rows of the table at hand, and nothing else. */
static mgl_status check_save_proof(const demand *d)
{
    const mgl_settings *s = d->settings;
    if (d->command != MGL_ANONYMIZE || s->save_proof == NULL)
        return MGL_OK;
    const mgl_place *place = &mgl_store_find(d->job, "save-proof", NULL)->place;
    const char *why = s->entity != NULL       ? "persons (`entity`)"
                      : s->n_history > 0      ? "earlier releases (`history`)"
                      : s->population != NULL ? "a population"
                      : s->weight != NULL     ? "weights"
                      : s->by_household       ? "households"
                      : s->has_suppress_above ? "rows above a risk (`suppress-above`)"
                      : s->fraction > 0       ? "a sampling fraction"
                      : s->n_quasi > 1        ? "several quasi-identifiers"
                      : s->n_by > 0           ? "strata (`by`)"
                                              : NULL;
    return why == NULL ? MGL_OK
                       : mgl_place_fail(place, MGL_CODE_CONFLICT, d->err,
                                        "bounds that look at %s are not written as proofs; leave "
                                        "one of them out",
                                        why);
}

static mgl_status check_models(const demand *d)
{
    bool searches =
        (d->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0 && d->settings->n_quasi > 0;
    if (searches && d->settings->n_models == 0)
        return fail(d, MGL_CODE_MISSING_KEY, "privacy",
                    "no model; give `k: N` (each person hides among N) or another one "
                    "(`help models`)");
    MGL_TRY(check_history(d));
    MGL_TRY(mgl_settings_check_sample(d->job, d->settings, d->command, d->err));
    MGL_TRY(check_save_proof(d));
    return want_population(d);
}

static bool is_taken(const demand *d, const mgl_key *key)
{
    for (size_t m = 0; m < d->settings->n_methods; m++)
        if (mgl_key_is_for(key, d->settings->methods[m]))
            return true;
    return false;
}

static mgl_status refuse_idle_option(const demand *d, const mgl_entry *entry, const char *owner)
{
    if (d->command == MGL_COMPARE)
        return mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                              "it is for %s, which is not compared; leave it out, or add %s to "
                              "`methods`",
                              owner, owner);
    return mgl_place_fail(&entry->place, MGL_CODE_CONFLICT, d->err,
                          "it is for %s, not for %s; leave it out, or give `method: %s`", owner,
                          d->settings->method->name, owner);
}

/* An option that does nothing with any of the methods was meant for another one. */
static mgl_status refuse_idle_options(const demand *d)
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

mgl_status mgl_settings_check_method(const mgl_settings *settings, const mgl_method_type *method,
                                     mgl_error *err)
{
    if (settings->n_quasi > 1 && !method->several_sets)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s handles one quasi-identifier, not %zu; use another method "
                     "(`help methods`)",
                     method->name, settings->n_quasi),
            "method");
    if (settings->entity_view == MGL_VIEW_JOINED && !method->full_domain)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s does not look at all rows of a person together (`entity-view: joined`); "
                     "use a method with one level per column (`method: mingen`, `help methods`)",
                     method->name),
            "method");
    if (settings->has_suppress_above && method->may_be_unsafe)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s does not promise what `suppress-above` does; use another method "
                     "(`help methods`)",
                     method->name),
            "method");
    if (settings->population != NULL && method->own_values)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s can release ranges and averages, which no population can be matched "
                     "with; use another method (`help methods`)",
                     method->name),
            "method");
    if (settings->least_count > 0 && settings->treatment == MGL_EXEMPT && !method->full_domain)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s does not choose alone which rows are exempt, since `least-count` may "
                     "count some at the top; take `suppressed: keep` or drop, or a method with "
                     "one level per column (mingen)",
                     method->name),
            "method");
    if (settings->least_count > 0 && method->averages)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNSUPPORTED,
                     "%s averages numbers, and `least-count` leaves labels of groups in their "
                     "place; use another method (`help methods`)",
                     method->name),
            "method");
    return MGL_OK;
}

/* A comparison goes on without the methods that cannot take the job; one that names none, or one
 * twice, was not meant so. */
static mgl_status want_methods(const demand *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *entry = mgl_store_find(d->job, "methods", NULL);
    if (s->n_methods == 0)
        return entry == NULL
                   ? fail(d, MGL_CODE_CONFLICT, "methods",
                          "no method can take this job; see `help methods`")
                   : mgl_place_fail(&entry->place, MGL_CODE_BAD_VALUE, d->err,
                                    "names no method; name some, or leave it out to compare all "
                                    "that can take the job");
    for (size_t i = 0; i < s->n_methods; i++)
        for (size_t j = 0; j < i; j++)
            if (s->methods[i] == s->methods[j])
                return mgl_place_fail(&entry->place, MGL_CODE_REPEATED, d->err,
                                      "names %s twice; name each method once", s->methods[i]->name);
    return MGL_OK;
}

/* A curve varies the k of k-anonymity. */
static mgl_status want_k(const demand *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *entry = mgl_store_find(d->job, "curve", NULL);
    for (size_t i = 0; i < s->n_models; i++)
        if (s->models[i].type->k == MGL_K_IS)
            return MGL_OK;
    return s->n_curve == 0 || entry == NULL
               ? MGL_OK
               : mgl_place_fail(&entry->place, MGL_CODE_MISSING_KEY, d->err,
                                "it varies k, and the job has none; give `k`");
}

/* What needs more than a table tells whose rare combinations are regrouped. */
static mgl_status check_least_count(const demand *d)
{
    const mgl_settings *s = d->settings;
    const struct {
        bool said;
        const char *option, *why;
    } needs[] = {
        {s->entity != NULL, "`entity`", "which rows are one person's"},
        {s->n_history > 0, "`history`", "which combination each row had in earlier releases"},
        {s->population != NULL, "`population`", "which persons match each combination"},
        {s->weighs, "`weight`", "what the rows of each combination stand for"},
        {s->by_household, "`household`", "which rows are one household's"},
        {s->has_suppress_above, "`suppress-above`", "how many rows have each combination"},
        {s->save_recoding != NULL, "`save-recoding`",
         "what each combination of ground values is released as"},
        {s->save_map != NULL, "`save-map`",
         "what each combination of ground values is released as"},
        {s->save_proof != NULL, "`save-proof`", "the ground values of every row"},
    };
    if (s->least_count == 0)
        return MGL_OK;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        if (needs[i].said)
            return mgl_blame_key(
                d->err,
                mgl_fail(d->err, MGL_CODE_CONFLICT,
                         "%s needs to know %s, and `least-count` keeps back those that are "
                         "rare; leave one of them out",
                         needs[i].option, needs[i].why),
                "least-count");
    for (size_t i = 0; i <= s->n_prefer; i++) {
        const mgl_measure_type *measure = i < s->n_prefer ? s->prefer[i].measure : s->measure;
        if (measure != NULL && measure->needs_ground)
            return mgl_blame_key(
                d->err,
                mgl_fail(d->err, MGL_CODE_CONFLICT,
                         "%s cannot be known where `least-count` regroups rows before they are "
                         "counted; take precision or another measure (`help measures`)",
                         measure->name),
                "least-count");
    }
    return MGL_OK;
}

static mgl_status check_search(const demand *d)
{
    const mgl_settings *s = d->settings;
    MGL_TRY(want_k(d));
    MGL_TRY(check_least_count(d));
    if (s->n_prefer > MOST_PREFERENCES)
        return mgl_blame_key(d->err,
                             mgl_fail(d->err, MGL_CODE_LIMIT,
                                      "`prefer`: %zu criteria; give at most %d", s->n_prefer,
                                      MOST_PREFERENCES),
                             "prefer");
    if (d->command == MGL_COMPARE) {
        MGL_TRY(want_methods(d));
    } else if (d->command == MGL_ANONYMIZE) {
        if (s->method == NULL)
            return fail(d, MGL_CODE_UNKNOWN_NAME, "method",
                        "the default method is missing from the program; give `method`");
        MGL_TRY(mgl_settings_check_method(s, s->method, d->err));
    } else {
        return MGL_OK;
    }
    return refuse_idle_options(d);
}

/* ---- Signatures ------------------------------------------------------------------------------ */

static mgl_status check_signatures(const demand *d)
{
    const mgl_settings *s = d->settings;
    const mgl_entry *verify = mgl_store_find(d->job, "verify-key", NULL);
    bool signs = s->sign != NULL && (d->command & (MGL_ANONYMIZE | MGL_APPLY)) != 0;
    bool verifies = verify != NULL && mgl_command_judges(d->command);
    if ((signs || verifies) && !mgl_signatures_known())
        return fail(d, MGL_CODE_UNSUPPORTED, "sign",
                    "this program was built without OpenSSL and knows no signatures; install "
                    "libssl-dev and build it again, or use openssl pkeyutl -rawin");
    if (signs && (s->result_file == NULL || strcmp(s->result_file, "-") == 0))
        return fail(d, MGL_CODE_MISSING_KEY, "result",
                    "`sign` signs the file of the result; add `result: FILE.json`");
    if (verifies && s->against == NULL)
        return fail(d, MGL_CODE_MISSING_KEY, "against",
                    "`verify-key` is for the signature of a result; add `against: RESULT.json`");
    return MGL_OK;
}

/* ---- Tables in memory ------------------------------------------------------------------------ */

/* A limit would mean to put the rest on a disk. */
static mgl_status check_memory(const demand *d)
{
    const mgl_entry *limit = mgl_store_find(d->job, "memory", NULL);
    if (limit == NULL || !mgl_job_in_memory(d->job))
        return MGL_OK;
    return mgl_place_fail(&limit->place, MGL_CODE_CONFLICT, d->err,
                          "a table in memory is never put on a disk, so its memory has no limit; "
                          "leave `memory` out, or name files");
}

mgl_status mgl_settings_check(const mgl_job *job, const mgl_settings *settings, mgl_command command,
                              mgl_error *err)
{
    demand d = {job, settings, command, err};
    if (command == MGL_OPEN && settings->data == NULL)
        return fail(&d, MGL_CODE_MISSING_KEY, "data", "no data; name the file to read");
    if (command == MGL_OPEN) /* the rest of the job is for those that run on the session */
        return mgl_memory_name(settings->data) != NULL ? check_memory(&d) : MGL_OK;
    MGL_TRY(refuse_foreign_keys(&d));
    MGL_TRY(want_files(&d));
    MGL_TRY(check_signatures(&d));
    MGL_TRY(check_memory(&d));
    MGL_TRY(mgl_outputs_check(job, settings, command, err));
    if ((command & (MGL_REPORT | MGL_SHOW_RECODING | MGL_CODEBOOK)) != 0 || settings->proof != NULL)
        return MGL_OK;
    MGL_TRY(check_columns(&d));
    MGL_TRY(check_models(&d));
    return check_search(&d);
}
