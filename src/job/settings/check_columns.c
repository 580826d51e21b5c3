/* Checks what a command demands of the columns and rows of a job, as far as that needs no data:
 * roles, fields that a role has no use for, numbers for each quasi-identifier, aggregates, counted
 * tables, sets of items, persons with several rows, printed SQL and treatments. */
#include "job/settings/checked_job.h"
#include "job/settings/settings.h"

/* ---- Strata ------------------------------------------------------------------------------- */

/* The columns of strata come first, so that each stratum is a run of tuples. */
static mgl_status lead_set(const mgl_filling *f, mgl_quasi_settings *set)
{
    const mgl_settings *s = f->settings;
    const char **names = mgl_arena_alloc(f->arena, (s->strata.n + set->n_names) * sizeof *names);
    size_t n = 0;
    MGL_TRY(mgl_check_memory(names != NULL, f->err));
    for (size_t i = 0; i < s->strata.n; i++)
        names[n++] = s->strata.columns[i];
    for (size_t i = 0; i < set->n_names; i++)
        if (!mgl_names_have(s->strata.columns, s->strata.n, set->names[i]))
            names[n++] = set->names[i];
    *set = (mgl_quasi_settings){names, n};
    return MGL_OK;
}

/* Room for columns that the job names nowhere else, and for the one of `entity`. */
static mgl_status make_room(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    mgl_attribute_settings *all =
        mgl_arena_alloc(f->arena, (s->n_attributes + s->strata.n + 1) * sizeof *all);
    MGL_TRY(mgl_check_memory(all != NULL, f->err));
    if (s->n_attributes > 0)
        memcpy(all, s->attributes, s->n_attributes * sizeof *all);
    s->attributes = all;
    return MGL_OK;
}

static mgl_status mark_column(const mgl_filling *f, const char *name)
{
    mgl_settings *s = f->settings;
    mgl_attribute_settings *column = (mgl_attribute_settings *)mgl_settings_attribute(s, name);
    if (column == NULL) {
        column = &s->attributes[s->n_attributes++];
        MGL_TRY(mgl_attribute_begin(f, name, column));
    }
    column->by = true;
    if (column->role == MGL_ROLE_NONE)
        column->role = MGL_ROLE_QUASI;
    return MGL_OK;
}

mgl_status mgl_settings_make_strata(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    if (s->strata.n == 0)
        return MGL_OK;
    MGL_TRY(make_room(f));
    for (size_t i = 0; i < s->strata.n; i++)
        MGL_TRY(mark_column(f, s->strata.columns[i]));
    for (size_t q = 0; q < s->n_quasi; q++)
        MGL_TRY(lead_set(f, &s->quasi[q]));
    for (size_t q = 0; q < s->n_named; q++)
        MGL_TRY(lead_set(f, &s->named[q]));
    return MGL_OK;
}

static mgl_status refuse_stratum(const mgl_job *job, const char *column, const char *format,
                                 mgl_error *err)
{
    const mgl_entry *entry = mgl_store_find(job, "by", NULL);
    return mgl_blame_column(
        err, mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, err, format, column), column);
}

static mgl_status check_column(const mgl_job *job, const mgl_settings *s, size_t i, mgl_error *err)
{
    const mgl_attribute_settings *column = mgl_settings_attribute(s, s->strata.columns[i]);
    if (mgl_names_have(s->strata.columns, i, column->name))
        return refuse_stratum(job, column->name, "column '%.60s' is named twice; name it once",
                              err);
    if (s->persons.column != NULL && strcmp(s->persons.column, column->name) == 0)
        return refuse_stratum(job, column->name,
                              "column '%.60s' tells persons apart (`entity`), and strata must hold "
                              "many of them; name another column",
                              err);
    if (column->role != MGL_ROLE_QUASI)
        return refuse_stratum(job, column->name,
                              "column '%.60s' has another role, and a column of strata is a "
                              "quasi-identifier; leave the role out",
                              err);
    if (column->has_level)
        return refuse_stratum(job, column->name,
                              "column '%.60s' tells strata apart and stays at level 0; leave out "
                              "its `level`",
                              err);
    if (mgl_store_find(job, "likelihood", column->name) != NULL)
        return refuse_stratum(job, column->name,
                              "column '%.60s' tells strata apart, which everybody sees; leave out "
                              "its `likelihood`",
                              err);
    return MGL_OK;
}

/* Is there a column that is searched within the strata, of this quasi-identifier? */
static bool has_others(const mgl_settings *s, const mgl_quasi_settings *set)
{
    for (size_t i = 0; i < set->n_names; i++)
        if (!mgl_names_have(s->strata.columns, s->strata.n, set->names[i]))
            return true;
    return false;
}

static mgl_status want_others(const mgl_settings *s, mgl_error *err)
{
    for (size_t q = 0; q < s->n_quasi || q == 0; q++)
        if (s->n_quasi == 0 || !has_others(s, &s->quasi[q]))
            return mgl_fail_key(
                err, MGL_CODE_MISSING_KEY, "by",
                "a quasi-identifier has no column but those of `by`, which stay as they are; name "
                "the other columns that others may know with `role: quasi`");
    return MGL_OK;
}

/* MGL_USAGE if the columns of strata contradict the rest of the job. */
static mgl_status check_strata(const mgl_job *job, const mgl_settings *settings,
                               mgl_command command, mgl_error *err)
{
    if (settings->strata.n == 0)
        return MGL_OK;
    for (size_t i = 0; i < settings->strata.n; i++)
        MGL_TRY(check_column(job, settings, i, err));
    MGL_TRY(want_others(settings, err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_STRATA, settings, command, err));
    if (command == MGL_LATTICE)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "by",
                            "`by` has a lattice of its own for each stratum; choose one with "
                            "`where`, and leave out `by`");
    return MGL_OK;
}

/* ---- Aggregates ------------------------------------------------------------------------------ */

size_t mgl_settings_held(const mgl_settings *settings)
{
    return settings->strata.n;
}

bool mgl_settings_declare(const mgl_attribute_settings *attribute)
{
    return attribute != NULL &&
           (attribute->role != MGL_ROLE_NONE || attribute->change != MGL_CELLS_STAY);
}

const char *mgl_settings_stand_in(const mgl_attribute_settings *attribute)
{
    return attribute->aggregate != MGL_AGGREGATE_NOT ? mgl_aggregate_words[attribute->aggregate]
                                                     : NULL;
}

bool mgl_settings_aggregate(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].aggregate != MGL_AGGREGATE_NOT)
            return true;
    return false;
}

/* What stands against what `key` demands of the column, blamed on that entry. */
static mgl_status refuse_entry(const mgl_job *job, const char *key, const char *column,
                               mgl_code code, const char *why, mgl_error *err)
{
    return mgl_entry_fail(mgl_store_find(job, key, column), key, code, err, "column '%.60s' %s",
                          column, why);
}

/* MGL_USAGE if a column is aggregated that cannot be, or in a job that cannot be searched so. */
static mgl_status settings_check_aggregates(const mgl_job *job, const mgl_settings *s,
                                            mgl_command command, mgl_error *err)
{
    if (!mgl_key_is_of("aggregate", command))
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &s->attributes[i];
        if (attribute->aggregate == MGL_AGGREGATE_NOT)
            continue;
        mgl_conflict found = {.why =
                                  "is aggregated, and `lattice` shows levels, which such a column "
                                  "does not have; leave it out of the quasi-identifiers here, "
                                  "or `aggregate`"};
        if (command != MGL_LATTICE &&
            !mgl_conflict_find(MGL_CONFLICTS_OF_AGGREGATES, s, command, &found))
            return MGL_OK;
        return refuse_entry(job, "aggregate", attribute->name, MGL_CODE_CONFLICT, found.why, err);
    }
    return MGL_OK;
}

/* ---- Counted tables -------------------------------------------------------------------------- */

/* A column has one role. */
static mgl_status check_role(const mgl_settings *s, mgl_error *err)
{
    const mgl_attribute_settings *declared = mgl_settings_attribute(s, s->counted.column);
    if (declared == NULL || declared->role == MGL_ROLE_NONE)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail_column(err, MGL_CODE_CONFLICT, NULL, s->counted.column,
                        "column '%.60s' states how many records rows stand for, and is "
                        "%s as well; give it no role",
                        s->counted.column, mgl_role_name(declared->role)),
        "count");
}

/* MGL_USAGE if the table is counted and something asks for single records. */
static mgl_status settings_check_counts(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->counted.column == NULL && s->counted.n_for_guard > 0)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "guard-counts",
            "`guard-counts` is for tables that are counted (`count`); leave it out");
    if (s->counted.column == NULL)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_COUNTS, s, command, err));
    return check_role(s, err);
}

/* ---- Sets of items --------------------------------------------------------------------------- */

/* Columns that keys name besides the attributes. */
static const char *other_use(const mgl_settings *s, const char *name)
{
    const struct {
        const char *column, *why;
    } uses[] = {
        {s->persons.column,
         "tells persons apart (`entity`), and a set of items does not; take another "
         "column for one of them"},
        {s->label, "is what `utility: classification` asks for, and no set of items; take another "
                   "column for one of them"},
    };
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        if (uses[i].column != NULL && strcmp(uses[i].column, name) == 0)
            return uses[i].why;
    return mgl_names_have(s->links.columns, s->links.n, name)
               ? "is linked to quasi-identifiers as well (`linked`); leave out one of the two"
               : NULL;
}

/* What stands against sets of items in the column; NULL: nothing. */
static const char *items_objection(const mgl_settings *s, const mgl_attribute_settings *attribute)
{
    const char *other = other_use(s, attribute->name);
    if (other != NULL)
        return other;
    switch (attribute->role) {
    case MGL_ROLE_QUASI:
        return "is a quasi-identifier, and a set of items is none; leave out one of the two";
    case MGL_ROLE_SENSITIVE:
        return "is sensitive, and models of sensitive values do not know sets of items; leave out "
               "one of the two";
    case MGL_ROLE_IDENTIFIER:
        return "is an identifier, which is not released; leave out one of the two";
    case MGL_ROLE_INSENSITIVE:
        return "is insensitive, which is released as it is; leave out one of the two";
    default:
        break;
    }
    if (attribute->treat != NULL)
        return "has a treatment as well (`treat`), and its items are generalized; leave out one of "
               "the two";
    return NULL;
}

/* A role without what it is for. */
static mgl_status want_km(const mgl_settings *s, mgl_error *err)
{
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].role == MGL_ROLE_ITEMS && s->attributes[i].km.k == 0)
            return mgl_fail_attribute(err, MGL_CODE_MISSING_KEY, s->attributes[i].name, "km",
                                      "column '%.60s' has sets of items and nothing that they must "
                                      "keep; give `km: %.60s=K,M`",
                                      s->attributes[i].name, s->attributes[i].name);
    return MGL_OK;
}

/* Keys that say more about `km`. */
static mgl_status refuse_idle(const mgl_job *job, mgl_error *err)
{
    static const char *const keys[] = {"km-within", "km-separator"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        const mgl_entry *entry = mgl_store_find(job, keys[i], NULL);
        if (entry != NULL && entry->place.load == 0)
            return mgl_fail_key(
                err, MGL_CODE_MISSING_KEY, keys[i],
                "`%s` says more about a column of items; name it with `km: COLUMN=K,M`", keys[i]);
    }
    return MGL_OK;
}

mgl_status mgl_fill_items(const mgl_filling *f, const mgl_key *key, const char *text)
{
    mgl_settings *s = f->settings;
    (void)text;
    if ((key->commands & f->command) == 0)
        return MGL_OK;
    for (size_t i = 0; s->km.column == NULL && i < s->n_attributes; i++)
        if (s->attributes[i].km.k > 0)
            s->km.column = &s->attributes[i];
    return MGL_OK;
}

/* What a job without quasi-identifiers has no use for. */
static mgl_status check_alone(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->n_models > 0)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "privacy",
            "%s is about rows that look alike, and there is no quasi-identifier; name its columns "
            "with `role: quasi`, or leave the model out: `km` needs none",
            s->models[0].type->name);
    return mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEMS_ALONE, s, command, err);
}

/* MGL_USAGE if a column cannot have sets of items. */
static mgl_status settings_check_items(const mgl_job *job, const mgl_settings *s,
                                       mgl_command command, mgl_error *err)
{
    if (!mgl_key_is_of("km", command))
        return MGL_OK;
    MGL_TRY(want_km(s, err));
    if (s->km.column == NULL)
        return refuse_idle(job, err);
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEMS, s, command, err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_ITEM_CLASSES, s, command, err));
    const char *why = items_objection(s, s->km.column);
    if (why != NULL)
        return refuse_entry(job, "km", s->km.column->name, MGL_CODE_CONFLICT, why, err);
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].km.k > 0 && &s->attributes[i] != s->km.column)
            return refuse_entry(
                job, "km", s->attributes[i].name, MGL_CODE_CONFLICT,
                "would be a second column of items; combinations of items are looked at "
                "in one column, so put all items of a row into it, or leave one out",
                err);
    return s->n_quasi == 0 ? check_alone(s, command, err) : MGL_OK;
}

/* ---- Persons --------------------------------------------------------------------------------- */

static mgl_status refuse_column(const mgl_checked_job *c, mgl_code code, const char *format,
                                const char *more)
{
    const mgl_entry *entry = mgl_store_find(c->job, "entity", NULL);
    const char *entity = c->settings->persons.column;
    return mgl_blame_column(
        c->err, mgl_origin_fail(&entry->place, code, c->err, format, entity, more), entity);
}

static bool is_released(const mgl_checked_job *c)
{
    return mgl_settings_attribute(c->settings, c->settings->persons.column)->treat != NULL &&
           (c->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0;
}

/* A reader who sees which rows are one person's can join their classes. */
static mgl_status check_person_column(const mgl_checked_job *c)
{
    mgl_role role = mgl_settings_attribute(c->settings, c->settings->persons.column)->role;
    if (role == MGL_ROLE_QUASI || role == MGL_ROLE_SENSITIVE)
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' is %s and cannot tell persons apart; give it no "
                             "other role",
                             role == MGL_ROLE_QUASI ? "quasi" : "sensitive");
    if (role == MGL_ROLE_INSENSITIVE && c->command == MGL_ANONYMIZE && !is_released(c))
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' is insensitive, and a release with it would show "
                             "which rows are one person's; make it an identifier%s",
                             ", or release a pseudonym of it (`treat: pseudonym`)");
    return MGL_OK;
}

/* A pseudonym links the rows of a person. What that means for the promise is not decided
 * silently. */
static mgl_status want_view(const mgl_checked_job *c)
{
    if (!is_released(c) || c->settings->persons.has_view)
        return MGL_OK;
    return refuse_column(c, MGL_CODE_MISSING_KEY,
                         "a pseudonym of column '%.60s' shows which rows are one person's; say "
                         "what models judge: all rows of a person together (`entity-view: "
                         "joined`), or each by itself (`entity-view: rows`), which %s",
                         "leaves open who can be found by several rows");
}

/* ---- The joined view ------------------------------------------------------------------------- */

/* Whole persons are left out. Rows of them that were kept, or exempt, would be linked with others
 * that are not at the top. */
static mgl_status want_drop(const mgl_checked_job *c)
{
    const mgl_settings *s = c->settings;
    bool searches = (c->command & (MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE)) != 0;
    if (s->treatment == MGL_DROP || (!searches && s->treatment != MGL_EXEMPT))
        return MGL_OK;
    return mgl_fail_key(c->err, MGL_CODE_UNSUPPORTED, "suppressed",
                        "`entity-view: joined` leaves whole persons out, with all their rows; give "
                        "`suppressed: drop`");
}

/* MGL_USAGE if keys about persons with several rows contradict each other. */
static mgl_status settings_check_persons(const mgl_checked_job *c)
{
    const mgl_settings *settings = c->settings;
    const mgl_entry *view = mgl_store_find(c->job, "entity-view", NULL);
    bool joined = settings->persons.view == MGL_VIEW_JOINED;
    if (view != NULL && settings->persons.column == NULL && (joined || view->place.load == 0))
        return mgl_origin_fail(&view->place, MGL_CODE_MISSING_KEY, c->err,
                               "it is about the rows of persons; say which column tells persons "
                               "apart with `entity`");
    if (settings->persons.column == NULL)
        return MGL_OK;
    if (c->command == MGL_RISK && !joined)
        return refuse_column(c, MGL_CODE_CONFLICT,
                             "column '%.60s' tells persons apart, and `risk` looks at rows, unless "
                             "%s joins them",
                             "`entity-view: joined`");
    MGL_TRY(check_person_column(c));
    MGL_TRY(want_view(c));
    if (!joined)
        return MGL_OK;
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_JOINED, settings, c->command, c->err));
    return want_drop(c);
}

/* ---- Scripts --------------------------------------------------------------------------------- */

/* Columns that are passed through are not counted, so what they give away stays unknown. */
static mgl_status check_passed(const mgl_settings *s, const mgl_attribute_settings *attribute,
                               mgl_error *err)
{
    if (s->accepted.leaks ||
        mgl_names_have(s->accepted.columns, s->accepted.n_columns, attribute->name))
        return MGL_OK;
    return mgl_fail_attribute(
        err, MGL_CODE_CONFLICT, attribute->name, "role",
        "column '%.60s' would be passed through, and the leak guard cannot look at it in another "
        "engine; leave it out (`role: identifier`), or accept that with `allow-leaks: COLUMN`",
        attribute->name);
}

static mgl_status check_scripted_column(const mgl_settings *s,
                                        const mgl_attribute_settings *attribute, mgl_error *err)
{
    if (attribute->hierarchy != NULL && mgl_hierarchy_columns(attribute->hierarchy).size > 0)
        return mgl_fail_attribute(err, MGL_CODE_CONFLICT, attribute->name, "hierarchy",
                                  "the hierarchy of '%.60s' is made of columns that are not "
                                  "counted; write it to a file first (`hierarchy build`)",
                                  attribute->name);
    return mgl_settings_passes(s, attribute) ? check_passed(s, attribute, err) : MGL_OK;
}

bool mgl_settings_passes(const mgl_settings *settings, const mgl_attribute_settings *attribute)
{
    return attribute->role == MGL_ROLE_INSENSITIVE ||
           (attribute->role == MGL_ROLE_QUASI &&
            !mgl_settings_links(settings, attribute->name, &attribute->likelihood));
}

/* What ends like a file is one: the counts, where the table should be named. */
static mgl_status check_table(const char *name, const char *key, mgl_error *err)
{
    if (name == NULL)
        return MGL_OK;
    mgl_location location = mgl_location_of(name);
    bool name_alone = location.kind == MGL_LOCATION_FILE && location.ending.size == 0;
    if (name_alone || location.format->loaded)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, key,
        "`print-sql`: '%.60s' is a file; name a table of the engine, as NAME or SCHEMA.NAME", name);
}

/* MGL_USAGE if SQL is printed that would not do the job. */
static mgl_status settings_check_script(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    if (s->print_sql == NULL)
        return MGL_OK;
    MGL_TRY(check_table(s->data, "data", err));
    MGL_TRY(check_table(s->output, "output", err));
    MGL_TRY(mgl_conflicts_refuse(MGL_CONFLICTS_OF_SCRIPT, s, command, err));
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_TRY(check_scripted_column(s, &s->attributes[i], err));
    return MGL_OK;
}

/* ---- Treatments ------------------------------------------------------------------------------ */

/* What stands against treating the column; NULL: nothing. */
static const char *treatment_objection(const mgl_settings *s,
                                       const mgl_attribute_settings *attribute,
                                       const mgl_treat *treat, mgl_command command)
{
    bool leaves_out = mgl_treat_leaves_out(treat);
    bool kept_back = attribute->role == MGL_ROLE_IDENTIFIER;
    if (attribute->role == MGL_ROLE_QUASI && mgl_treat_perturbs(treat) == NULL)
        return "is a quasi-identifier, which is generalized and not treated; give it a "
               "`hierarchy`, or another role";
    if (attribute->role == MGL_ROLE_QUASI && command != MGL_RISK &&
        !mgl_names_have(s->accepted.perturbed, s->accepted.n_perturbed, attribute->name))
        return "is a quasi-identifier: models would judge cells that are not true of their rows, "
               "and say nothing about someone who knows the true ones; give it a `hierarchy` "
               "alone, or accept that by its name (`accept-perturbed: COLUMN`)";
    if (s->persons.column != NULL && strcmp(s->persons.column, attribute->name) == 0)
        return treat->n_steps == 1 && mgl_treat_is_one_to_one(treat)
                   ? NULL
                   : "tells persons apart and is released as a pseudonym or not at all; give "
                     "`treat: pseudonym` alone, or leave its treatment out";
    if (kept_back && !leaves_out)
        return "is an identifier, which is not released; give it `role: insensitive` to release "
               "what the treatment makes of it, or leave the treatment out";
    if (leaves_out && !kept_back && attribute->role != MGL_ROLE_NONE)
        return "has a role among the released columns, and drop leaves it out; give it no role";
    return NULL;
}

/* What else the job must say; NULL: nothing. */
static const char *lacking(const mgl_settings *s, const mgl_treat *treat)
{
    if (mgl_treat_needs_key(treat) && s->key == NULL)
        return "has a treatment that needs a secret; give `key: FILE`, with at least 16 bytes";
    if (mgl_treat_by_person(treat) && s->persons.column == NULL)
        return "has a treatment that treats each person apart; give `entity: COLUMN`";
    return NULL;
}

/* What perturbing rows one by one does not go with; NULL: nothing. */
static const char *perturbed_objection(const mgl_settings *s,
                                       const mgl_attribute_settings *attribute,
                                       const mgl_treat *treat)
{
    const mgl_treat_step *step = mgl_treat_perturbs(treat);
    if (step == NULL || s->persons.column == NULL)
        return NULL;
    if (strcmp(s->persons.column, attribute->name) == 0)
        return "tells persons apart and is not perturbed; leave its treatment out";
    if (step->type->exchanges)
        return "would get values of other rows, each row of a person by itself, and the mean of "
               "several rows gives back what is true of the person; take noise or pram, which "
               "treat equal values of a person alike (`entity`)";
    if (step->type->keeps != NULL && step->n_columns > 0)
        return "gets noise that is correlated row by row, and the mean of several rows of a person "
               "gives back what is true; leave the other columns out, or `entity`";
    return NULL;
}

/* Columns of correlated noise name each other, and get the same share. */
static mgl_status check_noise(const mgl_settings *s, const mgl_attribute_settings *attribute,
                              const mgl_treat *treat, mgl_error *err, bool *agrees)
{
    const mgl_treat_step *step = mgl_treat_perturbs(treat);
    *agrees = true;
    for (size_t i = 0; step != NULL && step->type->keeps != NULL && i < step->n_columns; i++) {
        mgl_treat *other = NULL;
        for (size_t a = 0; a < s->n_attributes; a++)
            if (mgl_span_is(step->columns[i], s->attributes[a].name) &&
                s->attributes[a].treat != NULL)
                MGL_TRY(mgl_treat_new(s->attributes[a].treat, err, &other));
        *agrees =
            *agrees && mgl_treat_noise_agrees(treat, attribute->name, other, step->columns[i]);
        mgl_treat_free(other);
    }
    return MGL_OK;
}

/* Names that `accept-perturbed` has for nothing, and what goes with none of them. */
static mgl_status check_acceptance(const mgl_settings *s, mgl_command command, mgl_error *err)
{
    for (size_t i = 0; i < s->accepted.n_perturbed; i++) {
        const char *name = s->accepted.perturbed[i];
        if (mgl_names_have(s->accepted.perturbed, i, name))
            return mgl_fail_key(err, MGL_CODE_REPEATED, "accept-perturbed",
                                "`accept-perturbed`: column '%.60s' is named twice; name it once",
                                name);
        const mgl_attribute_settings *attribute = mgl_settings_attribute(s, name);
        if (attribute == NULL || attribute->treat == NULL || attribute->role != MGL_ROLE_QUASI)
            return mgl_blame_column(
                err,
                mgl_fail_key(err, MGL_CODE_CONFLICT, "accept-perturbed",
                             "`accept-perturbed`: column '%.60s' is no quasi-identifier with a "
                             "treatment; leave it out",
                             name),
                name);
    }
    return s->accepted.n_perturbed > 0
               ? mgl_conflicts_refuse(MGL_CONFLICTS_OF_PERTURBED, s, command, err)
               : MGL_OK;
}

/* The days by which persons are shifted; 0: they are not. */
static uint64_t days_of(const mgl_treat *treat)
{
    for (size_t i = 0; i < treat->n_steps; i++)
        if (treat->steps[i].type->by_person)
            return treat->steps[i].count;
    return 0;
}

/* MGL_USAGE if a column is treated that cannot be. */
static mgl_status settings_check_treatments(const mgl_job *job, const mgl_settings *s,
                                            mgl_command command, mgl_error *err)
{
    uint64_t days = 0;
    if (!mgl_key_is_of("treat", command))
        return MGL_OK;
    MGL_TRY(check_acceptance(s, command, err));
    for (size_t i = 0; i < s->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &s->attributes[i];
        mgl_treat *treat;
        if (attribute->treat == NULL)
            continue;
        MGL_TRY(mgl_treat_new(attribute->treat, err, &treat));
        if (command == MGL_RISK && mgl_treat_perturbs(treat) == NULL) { /* it is not looked at */
            mgl_treat_free(treat);
            continue;
        }
        const char *why = treatment_objection(s, attribute, treat, command);
        const char *lacks = lacking(s, treat);
        uint64_t these = days_of(treat);
        bool agrees = true;
        why = why != NULL ? why : perturbed_objection(s, attribute, treat);
        mgl_status status = check_noise(s, attribute, treat, err, &agrees);
        if (why == NULL && !agrees)
            why = "gets noise that is correlated with that of columns which do not say so as well; "
                  "give all of them the same share, each with the others: `treat: noise(10 %, "
                  "correlated with COLUMN)`";
        if (why == NULL && days > 0 && these > 0 && these != days)
            why = "is shifted by other days than another column, so that a person's dates would "
                  "not move together; give all of them the same number";
        days = these > 0 ? these : days;
        mgl_treat_free(treat);
        MGL_TRY(status);
        if (why != NULL)
            return refuse_entry(job, "treat", attribute->name, MGL_CODE_CONFLICT, why, err);
        if (lacks != NULL)
            return refuse_entry(job, "treat", attribute->name, MGL_CODE_MISSING_KEY, lacks, err);
    }
    return MGL_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static mgl_status refuse_lost_columns(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi < 2)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++) {
        bool found = s->attributes[i].role != MGL_ROLE_QUASI;
        for (size_t q = 0; !found && q < s->n_quasi; q++)
            found = mgl_names_have(s->quasi[q].names, s->quasi[q].n_names, s->attributes[i].name);
        if (!found)
            return mgl_fail_attribute(
                d->err, MGL_CODE_CONFLICT, s->attributes[i].name, "role",
                "column '%.60s' is quasi but in none of the %zu quasi-identifiers; add it to one",
                s->attributes[i].name, s->n_quasi);
    }
    return MGL_OK;
}

/* The other way round: a set whose column was given another role by an option. */
static mgl_status refuse_lost_roles(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    for (size_t q = 0; q < s->n_quasi; q++)
        for (size_t j = 0; j < s->quasi[q].n_names; j++) {
            const char *name = s->quasi[q].names[j];
            const mgl_entry *role = mgl_store_find(d->job, "role", name);
            if (role != NULL && strcmp(role->value, "quasi") != 0)
                return mgl_entry_fail(role, "role", MGL_CODE_CONFLICT, d->err,
                                      "column '%.60s' is %s here and lies in a quasi-identifier; "
                                      "give it one role",
                                      name, role->value);
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

static mgl_status refuse_idle_field(const mgl_checked_job *d, const mgl_entry *entry,
                                    const mgl_key *key)
{
    bool of_sensitive = key->role != NULL && strcmp(key->role, "sensitive") == 0;
    const mgl_entry *role = mgl_store_find(d->job, "role", entry->subject);
    if (role == NULL && mgl_settings_attribute(d->settings, entry->subject)->km.k > 0)
        return MGL_OK;
    if (role == NULL)
        return mgl_entry_fail(entry, "role", MGL_CODE_NO_ROLE, d->err,
                              "column '%.60s' has a %s but no role; name it by %s", entry->subject,
                              noun_of(entry->field),
                              of_sensitive ? "`role: sensitive`" : "`role: quasi`");
    bool overridden = entry->place.load != 0 && role->place.load == 0;
    if (key->role != NULL && strcmp(role->value, key->role) != 0 && !overridden)
        return mgl_entry_fail(entry, "role", MGL_CODE_CONFLICT, d->err,
                              "column '%.60s' is %s, and only %s have a %s; leave it out",
                              entry->subject, role->value,
                              of_sensitive ? "sensitive columns" : "quasi-identifiers",
                              noun_of(entry->field));
    return MGL_OK;
}

/* A column of strata needs no role by name. */
static bool is_stratum(const mgl_checked_job *d, const char *column)
{
    const mgl_attribute_settings *attribute = mgl_settings_attribute(d->settings, column);
    return attribute != NULL && attribute->by && mgl_store_find(d->job, "role", column) == NULL;
}

/* Fields of a column whose role has no use for them: something was forgotten. */
static mgl_status refuse_idle_fields(const mgl_checked_job *d)
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

static mgl_status want_protected_hierarchies(const mgl_checked_job *d)
{
    for (size_t i = 0; i < d->settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &d->settings->attributes[i];
        if (attribute->n_protect == 0 || attribute->role != MGL_ROLE_SENSITIVE ||
            attribute->hierarchy != NULL || !mgl_key_is_of("protect", d->command))
            continue;
        return mgl_entry_fail(mgl_store_find(d->job, "protect", attribute->name), "hierarchy",
                              MGL_CODE_MISSING_KEY, d->err,
                              "column '%.60s' has no hierarchy to protect values in; add "
                              "`sensitive-hierarchy: %.60s=FILE`",
                              attribute->name, attribute->name);
    }
    return MGL_OK;
}

/* A number for each quasi-identifier, or one for all. */
static mgl_status check_by_set(const mgl_checked_job *d, const char *field)
{
    const mgl_settings *s = d->settings;
    for (size_t i = 0; i < s->n_attributes; i++) {
        const char *name = s->attributes[i].name;
        const mgl_entry *entry = mgl_store_find(d->job, field, name);
        mgl_by_set declared;
        if (entry == NULL || !mgl_read_by_set(mgl_span_of(entry->value), &declared) ||
            declared.n == 1 || declared.n == s->n_quasi)
            continue;
        return mgl_entry_fail(entry, field, MGL_CODE_BAD_VALUE, d->err,
                              "column '%.60s' has %zu numbers, and there are %zu "
                              "quasi-identifiers; give one number, or one for each with / between",
                              name, declared.n, s->n_quasi);
    }
    return MGL_OK;
}

static mgl_status want_weights(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->n_quasi == 0)
        return MGL_OK;
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].role == MGL_ROLE_QUASI && mgl_by_set_any(&s->attributes[i].weight))
            return MGL_OK;
    return mgl_checked_fail(
        d, MGL_CODE_BAD_VALUE, "weights",
        "all weights are 0; give at least one quasi-identifier a weight above 0");
}

static mgl_status check_rows(const mgl_checked_job *d)
{
    const mgl_settings *s = d->settings;
    if (s->chosen.has_seed && s->chosen.sample == NULL && !mgl_command_judges(d->command))
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "sample",
            "`sample-seed` says how a sample is drawn; say how large it is with `sample`");
    if (s->risk.advise && (s->chosen.where != NULL || s->chosen.sample != NULL))
        return mgl_checked_fail(
            d, MGL_CODE_CONFLICT, s->chosen.where != NULL ? "where" : "sample",
            "`advise` looks at all rows of a table; leave `where` and `sample` out");
    return MGL_OK;
}

mgl_status mgl_check_columns(const mgl_checked_job *d)
{
    MGL_TRY(check_rows(d));
    if (d->command == MGL_HIERARCHY || d->command == MGL_LOOK ||
        (d->command == MGL_RISK && d->settings->risk.advise))
        return MGL_OK;
    MGL_TRY(settings_check_items(d->job, d->settings, d->command, d->err));
    if (d->settings->n_quasi == 0 && d->settings->km.column == NULL)
        return mgl_checked_fail(
            d, MGL_CODE_MISSING_KEY, "quasi-identifiers",
            "no quasi-identifier; name the columns that others may know with `role: quasi`, or "
            "let `risk` propose them (`advise`)");
    MGL_TRY(check_strata(d->job, d->settings, d->command, d->err));
    MGL_TRY(refuse_lost_columns(d));
    MGL_TRY(refuse_lost_roles(d));
    MGL_TRY(refuse_idle_fields(d));
    MGL_TRY(want_protected_hierarchies(d));
    MGL_TRY(settings_check_persons(d));
    MGL_TRY(settings_check_counts(d->settings, d->command, d->err));
    MGL_TRY(settings_check_script(d->settings, d->command, d->err));
    MGL_TRY(settings_check_treatments(d->job, d->settings, d->command, d->err));
    MGL_TRY(settings_check_aggregates(d->job, d->settings, d->command, d->err));
    MGL_TRY(check_by_set(d, "weight"));
    MGL_TRY(check_by_set(d, "likelihood"));
    MGL_TRY(check_by_set(d, "preference"));
    return want_weights(d);
}
