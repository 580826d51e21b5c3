/* Treats the columns for which the job asks, right after the table is read: models, label, guard
 * and writer then see treated values. The table itself stays as it was read, since slices are
 * recognized by it. Also names a treatment where the leak guard warns that many rows are alone with
 * their sensitive value: one after which at least k persons share each value, tried on the column.
 */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"
#include "profile/profile.h"
#include "suggest/suggest.h"

static mgl_status name_treatments(const mgl_reading *reading, mgl_objections *objections,
                                  mgl_error *err);

mgl_treated *mgl_treated_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_treat_feature);
}

/* SIZE_MAX: it is none. */
static size_t number_of_quasi(const mgl_reading *reading, const char *name)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (strcmp(reading->quasi[a].settings->name, name) == 0)
            return a;
    return SIZE_MAX;
}

static size_t looked_at(const mgl_reading *reading, mgl_span name)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (mgl_span_is(name, mgl_source_column(reading->source, c)))
            return c;
    return SIZE_MAX;
}

/* The table has the columns that the treatments look at besides their own. */
static mgl_status find_looked_at(const mgl_reading *reading, const mgl_treated_column *treated,
                                 mgl_error *err)
{
    const mgl_treat_step *step = mgl_treat_perturbs(treated->treat);
    for (size_t i = 0; step != NULL && i < step->n_columns; i++) {
        mgl_buffer text = {0};
        char *name;
        if (looked_at(reading, step->columns[i]) != SIZE_MAX)
            continue;
        mgl_buffer_span(&text, step->columns[i]);
        MGL_TRY(mgl_buffer_take(&text, err, &name));
        mgl_status status =
            mgl_blame_key(err, mgl_column_unknown(reading->source, name, err), "treat");
        mgl_free(name);
        return status;
    }
    return MGL_OK;
}

/* Finds the columns whose noise goes with that of others. */
static mgl_status find_correlated(mgl_treated *all, mgl_error *err)
{
    for (size_t i = 0; i < all->n; i++) {
        const mgl_treat_step *step = mgl_treat_perturbs(all->of[i].treat);
        if (step == NULL || step->type->exchanges || step->type->keeps == NULL)
            continue;
        MGL_TRY(mgl_new_array(step->n_columns, sizeof *all->of[i].with, err, &all->of[i].with));
        MGL_TRY(mgl_new_zeroed(3 * step->n_columns, sizeof(double), err, &all->of[i].correlations));
        for (size_t j = 0; j < all->n; j++)
            for (size_t c = 0; c < step->n_columns; c++)
                if (mgl_span_is(step->columns[c], all->of[j].name))
                    all->of[i].with[all->of[i].n_with++] = j;
    }
    return MGL_OK;
}

static mgl_status open_column(mgl_reading *reading, const mgl_attribute_settings *attribute,
                              mgl_purpose purpose, mgl_error *err)
{
    mgl_treated *all = mgl_treated_of(reading);
    size_t column = mgl_source_find(reading->source, attribute->name);
    mgl_treated_column *treated = &all->of[all->n];
    mgl_treat *treat;
    if (column == SIZE_MAX || reading->roles[column] == MGL_ROLE_IDENTIFIER)
        return MGL_OK;
    MGL_TRY(mgl_treat_new(attribute->treat, err, &treat));
    if (!mgl_purpose_searches(purpose) && mgl_treat_perturbs(treat) == NULL) {
        mgl_treat_free(treat);
        return MGL_OK;
    }
    *treated = (mgl_treated_column){.name = attribute->name,
                                    .text = attribute->treat,
                                    .treat = treat,
                                    .field = column,
                                    .quasi = number_of_quasi(reading, attribute->name)};
    all->n++;
    MGL_TRY(find_looked_at(reading, treated, err));
    if (treated->quasi == SIZE_MAX)
        reading->replaced[column] = (mgl_replacement){
            .replaced = true, .made_up = mgl_treat_renames(treat), .column = &treated->column};
    return MGL_OK;
}

/* Finds the treatments of the job; those of columns that are left out are no matter from there on.
 * For `risk`, which searches nothing, perturbed columns are made beside the table, whose cells are
 * counted as they are. */
static mgl_status open_columns(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n = 0;
    for (size_t i = 0; i < settings->n_attributes; i++)
        n += settings->attributes[i].treat != NULL;
    if (n == 0 || (!mgl_purpose_searches(purpose) && !settings->risk.perturbs))
        return MGL_OK;
    mgl_treated *all = mgl_treated_of(reading);
    MGL_TRY(mgl_new_zeroed(n, sizeof *all->of, err, &all->of));
    for (int quasi = 0; quasi < 2; quasi++)
        for (size_t i = 0; i < settings->n_attributes; i++)
            if (settings->attributes[i].treat != NULL &&
                (number_of_quasi(reading, settings->attributes[i].name) != SIZE_MAX) == quasi)
                MGL_TRY(open_column(reading, &settings->attributes[i], purpose, err));
    return find_correlated(all, err);
}

/* Parts have the columns that models look at and no others; nothing is released of them. An engine
 * that counts is asked for no more than it must. */
static bool has_others(const mgl_reading *reading)
{
    size_t n;
    return mgl_source_parts(reading->source, &n) == NULL && !reading->engine.counts;
}

/* What is shifted may be given back by any other released column, so all of them are kept. */
static bool keeps_all(const mgl_reading *reading)
{
    const mgl_treated *all = mgl_treated_of(reading);
    for (size_t i = 0; i < all->n; i++)
        if (mgl_treat_by_person(all->of[i].treat))
            return true;
    return false;
}

static size_t request(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n)
{
    const mgl_treated *all = mgl_treated_of(reading);
    (void)purpose;
    if (all->n == 0 || !has_others(reading))
        return n;
    for (size_t i = 0; i < all->n; i++)
        if (all->of[i].quasi == SIZE_MAX)
            n = mgl_request(reading, all->of[i].field, requested, n);
    for (size_t i = 0; i < all->n; i++) {
        const mgl_treat_step *step = mgl_treat_perturbs(all->of[i].treat);
        for (size_t c = 0; step != NULL && c < step->n_columns; c++)
            n = mgl_request(reading, looked_at(reading, step->columns[c]), requested, n);
    }
    for (size_t c = 0; keeps_all(reading) && c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]))
            n = mgl_request(reading, c, requested, n);
    return n;
}

/* ---- The values ------------------------------------------------------------------------------ */

/* What treatments take from the values goes into the records of the job: other slices are then
 * treated alike. */
static mgl_status note_resolved(mgl_reading *reading, mgl_treated_column *treated,
                                mgl_buffer *resolved, mgl_error *err)
{
    mgl_treat *treat;
    MGL_TRY(mgl_buffer_take(resolved, err, &treated->resolved));
    MGL_TRY(mgl_treat_new(treated->resolved, err, &treat));
    mgl_treat_free(treated->treat);
    treated->treat = treat;
    return strcmp(treated->resolved, treated->text) != 0
               ? mgl_reading_resolve(reading, treated->name, "treat", treated->resolved, err)
               : MGL_OK;
}

static mgl_status make_column(mgl_reading *reading, mgl_treated_column *treated,
                              mgl_purpose purpose, const mgl_secret *secret, mgl_error *err)
{
    const mgl_source_options *source = &reading->settings->source;
    mgl_treat_request request = {.column = treated->raw,
                                 .n_rows = reading->table->n_rows,
                                 .times = reading->table->times,
                                 .missing = source->missing,
                                 .n_missing = source->n_missing,
                                 .key = {secret->bytes, secret->size},
                                 .persons = reading->entity,
                                 .columns = reading->table->columns,
                                 .n_columns = reading->table->n_columns,
                                 .plain = &treated->plain};
    mgl_buffer resolved = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_treat_column(treated->treat, &request, &resolved, err, &treated->column));
    treated->made = true;
    MGL_GO(note_resolved(reading, treated, &resolved, err));
    treated->column.number = mgl_cache_number(reading->session->cache);
    for (size_t i = 0; mgl_purpose_searches(purpose) && i < reading->n_counted; i++)
        if ((i < reading->n_sensitive || i == reading->label) && /* rows weigh what they did */
            reading->counted[i]->source_index == treated->field)
            reading->counted[i] = &treated->column;
done:
    mgl_buffer_free(&resolved);
    return status;
}

/* ---- Treated values that link rows ----------------------------------------------------------- */

/* Values of a column, the missing one left out, and whether several rows have the same. */
typedef struct repetition {
    uint64_t values;
    bool repeats;
} repetition;

static repetition repetition_of(const mgl_column *column, const uint64_t *rows)
{
    repetition found = {0};
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        found.values += code != missing && rows[code] > 0;
        found.repeats = found.repeats || (code != missing && rows[code] > 1);
    }
    return found;
}

/* Does each treated value belong to one person of the job? Then models that judge persons know of
 * all the rows that it links. */
static mgl_status stays_within(const mgl_reading *reading, const mgl_column *column, mgl_error *err,
                               bool *out)
{
    const mgl_column *persons = reading->entity;
    uint32_t n = mgl_dictionary_size(column->dictionary);
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    *out = false;
    if (persons == NULL)
        return MGL_OK;
    uint32_t *person_of = mgl_alloc_array(n, sizeof *person_of);
    MGL_TRY(mgl_check_memory(person_of != NULL, err));
    memset(person_of, 0xFF, n * sizeof *person_of);
    *out = true;
    for (size_t row = 0; row < reading->table->n_rows && *out; row++) {
        uint32_t code = mgl_column_code(column, row), person = mgl_column_code(persons, row);
        *out = code == missing || person_of[code] == MGL_NOT_FOUND || person_of[code] == person;
        person_of[code] = person;
    }
    mgl_free(person_of);
    return MGL_OK;
}

/* Does the treated column still show which rows belong together? A pseudonym does, whatever it is
 * of; other treatments if the column identifies persons and they leave most of its values
 * different. Where the job names the column of persons and which view is judged, a column links
 * more only if it identifies others by several of them: those would be the persons. */
static mgl_status find_links(const mgl_reading *reading, const mgl_treated_column *treated,
                             mgl_error *err, bool *out)
{
    bool within;
    uint64_t *before = NULL, *after = NULL;
    mgl_profile profile;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_count_values(reading->table, treated->raw, err, &before));
    MGL_GO(mgl_count_values(reading->table, &treated->column, err, &after));
    MGL_GO(mgl_profile_of(treated->name, treated->raw->dictionary, before, err, &profile));
    repetition raw = repetition_of(treated->raw, before),
               released = repetition_of(&treated->column, after);
    mgl_person_id person = mgl_profile_person_id(&profile);
    bool keeps = (double)released.values >= MGL_MOST_VALUES * (double)raw.values;
    MGL_GO(stays_within(reading, &treated->column, err, &within));
    bool many = profile.distinct >= MGL_FEWEST_PERSONS || person >= MGL_PERSON_BY_CONTENT;
    bool identifies = person >= MGL_PERSON_BY_KEY && many && keeps;
    bool one_to_one = mgl_treat_is_one_to_one(treated->treat);
    *out = released.repeats &&
           (reading->settings->persons.has_view ? identifies && !within : identifies || one_to_one);
done:
    mgl_free(before);
    mgl_free(after);
    return status;
}

/* Where k counts rows, a chain of rows of one person can be the only one of its kind although each
 * row looks like k others. `entity` makes k count persons, and asks for the view that is judged. */
static mgl_status settle_links(mgl_reading *reading, const mgl_treated_column *treated,
                               mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    bool links;
    if (settings->persons.column != NULL && strcmp(settings->persons.column, treated->name) == 0)
        return MGL_OK;
    MGL_TRY(find_links(reading, treated, err, &links));
    if (!links)
        return MGL_OK;
    if (!mgl_leak_is_allowed(settings, treated->name))
        return mgl_fail_attribute(
            err, MGL_CODE_MISSING_KEY, treated->name, "treat",
            "`treat`: column '%.60s' has values that repeat, and what is released of it (%.60s) "
            "shows which rows belong together: a person can be found by several rows although each "
            "looks like k others; name it as what tells persons apart (`entity: %.60s`, and "
            "`entity-view: joined`), leave it out (`role: identifier`), or accept that: "
            "`allow-leaks: %.60s`",
            treated->name, treated->text, treated->name, treated->name);
    if (settings->persons.view == MGL_VIEW_JOINED)
        mgl_buffer_format(&reading->warnings,
                          "linked-rows\tcolumn \"%.60s\" links rows, and models judge only those "
                          "with the same \"%.60s\" together: others can look for several rows with "
                          "the same \"%.60s\" together%c",
                          treated->name, settings->persons.column, treated->name, '\0');
    else
        mgl_buffer_format(&reading->warnings,
                          "linked-rows\tcolumn \"%.60s\" links rows, and models judge each row "
                          "by itself: others can look for several rows of a person together; "
                          "`entity` with `entity-view: joined` judges them so%c",
                          treated->name, '\0');
    return MGL_OK;
}

/* From here on the quasi-identifier has the cells that it was treated to; what was read is kept
 * beside, since the session may share it. */
static void replace_quasi(const mgl_reading *reading, mgl_treated_column *treated)
{
    mgl_column *column = &reading->table->columns[treated->quasi];
    treated->read = *column;
    treated->raw = &treated->read;
    *column = treated->column;
    column->role = treated->read.role;
    column->shared = true;
}

static mgl_status make_columns(mgl_reading *reading, mgl_purpose purpose, const mgl_secret *secret,
                               mgl_error *err)
{
    bool searches = mgl_purpose_searches(purpose);
    mgl_treated *all = mgl_treated_of(reading);
    for (size_t i = 0; i < all->n; i++) {
        mgl_treated_column *treated = &all->of[i];
        treated->raw = treated->quasi != SIZE_MAX ? &reading->table->columns[treated->quasi]
                                                  : mgl_requested(reading, treated->field);
        if (treated->raw == NULL)
            continue;
        MGL_TRY(make_column(reading, treated, purpose, secret, err));
        if (searches)
            MGL_TRY(settle_links(reading, treated, err));
    }
    for (size_t i = 0; searches && i < all->n; i++)
        if (all->of[i].made && all->of[i].quasi != SIZE_MAX)
            replace_quasi(reading, &all->of[i]);
    return mgl_perturbed_compare(reading, all, err);
}

/* The key is read once, if some treatment needs it, and wiped after use. */
static mgl_status make(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_treated *all = mgl_treated_of(reading);
    mgl_secret secret = {.size = 0};
    bool needed = false, perturbed = false;
    for (size_t i = 0; i < all->n; i++) {
        needed = needed || mgl_treat_needs_key(all->of[i].treat);
        perturbed = perturbed || mgl_treat_perturbs(all->of[i].treat) != NULL;
    }
    if (needed || (perturbed && reading->settings->key != NULL))
        MGL_TRY(mgl_secret_read(reading->settings->key, err, &secret));
    else if (perturbed)
        MGL_TRY(mgl_secret_draw(err, &secret));
    mgl_status status = make_columns(reading, purpose, &secret, err);
    mgl_secret_wipe(&secret);
    return status;
}

static void forget(mgl_reading *reading)
{
    mgl_treated *all = mgl_treated_of(reading);
    for (size_t i = 0; i < all->n; i++) {
        if (all->of[i].made)
            mgl_column_clear(&all->of[i].column);
        mgl_column_clear(&all->of[i].plain);
        mgl_column_clear(&all->of[i].read);
        mgl_free(all->of[i].with);
        mgl_free(all->of[i].correlations);
        mgl_treat_free(all->of[i].treat);
        mgl_free(all->of[i].resolved);
    }
    mgl_free(all->of);
}

static bool needs_rows(const mgl_reading *reading)
{
    return mgl_treated_of(reading)->n > 0;
}

static mgl_status refuse_engine(const mgl_settings *settings, mgl_error *err)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].treat != NULL)
            return mgl_fail_attribute(
                err, MGL_CODE_UNSUPPORTED, settings->attributes[i].name, "treat",
                "the database would write column '%.60s' as it is, and the job treats it "
                "(`treat`); write the release to a file, for which the rows are fetched",
                settings->attributes[i].name);
    return MGL_OK;
}

const mgl_feature mgl_treat_feature = {.name = "treat",
                                       .size = sizeof(mgl_treated),
                                       .release = &mgl_treat_release,
                                       .audit = &mgl_treat_audit,
                                       .remedy = name_treatments,
                                       .refuse_engine = refuse_engine,
                                       .needs_rows = needs_rows,
                                       .request = request,
                                       .on = {[MGL_ON_OPEN] = open_columns, [MGL_ON_READ] = make},
                                       .found = mgl_perturbed_found,
                                       .forget = forget};

/* ---- Remedies -------------------------------------------------------------------------------- */

/* Without a model that has a k, as many persons as advice asks for. */
static uint64_t persons_wanted(const mgl_settings *settings)
{
    enum { USUAL_K = 5 };
    return settings->k >= 2 ? settings->k : USUAL_K;
}

/* The column, and beside it that of the persons where rows are read. */
static mgl_status find_treatment(const mgl_reading *reading, size_t c, mgl_error *err,
                                 mgl_buffer *out)
{
    const mgl_settings *settings = reading->settings;
    bool persons = reading->entity != NULL && !mgl_source_counts(reading->source);
    size_t columns[2] = {c, persons ? reading->entity->source_index : 0};
    mgl_table *table = NULL;
    uint64_t *rows = NULL;
    mgl_profile profile;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(settings, reading->source, columns, persons ? 2 : 1, err, &table));
    MGL_GO(mgl_count_values(table, &table->columns[0], err, &rows));
    MGL_GO(
        mgl_profile_of(table->columns[0].name, table->columns[0].dictionary, rows, err, &profile));
    mgl_treat_request request = {.column = &table->columns[0],
                                 .n_rows = table->n_rows,
                                 .times = table->times,
                                 .missing = settings->source.missing,
                                 .n_missing = settings->source.n_missing,
                                 .persons = persons ? &table->columns[1] : NULL};
    MGL_GO(mgl_suggest_treatment(&request, &profile, persons_wanted(settings), err, out));
done:
    mgl_table_free(table);
    mgl_free(rows);
    return status;
}

/* A treated column has a treatment already, which the user knows better. */
static bool wants_treatment(const mgl_reading *reading, const mgl_objection *objection, size_t c)
{
    return c != SIZE_MAX && reading->roles[c] == MGL_ROLE_SENSITIVE && objection->warning &&
           strcmp(objection->code, MGL_GUARD_NEAR_UNIQUE) == 0 && reading->counts == NULL &&
           reading->table != NULL && reading->table->window == NULL &&
           mgl_reading_replaced(reading, c) == NULL;
}

static mgl_status put_treatment(const char *column, uint64_t k, const mgl_buffer *treatment,
                                mgl_error *err, mgl_objection *out)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, out->evidence);
    mgl_buffer_format(&text, "; with `attributes.%s.treat: %.*s` at least %llu persons share each",
                      column, (int)treatment->size, treatment->data, (unsigned long long)k);
    mgl_free(out->evidence);
    out->evidence = NULL;
    out->remedy = "treat it so if the exact values are not needed";
    return mgl_buffer_take(&text, err, &out->evidence);
}

/* Puts a treatment into warnings about sensitive columns with which many rows are alone. */
static mgl_status name_treatments(const mgl_reading *reading, mgl_objections *objections,
                                  mgl_error *err)
{
    for (size_t i = 0; reading->source != NULL && i < objections->n; i++) {
        mgl_objection *objection = &objections->list[i];
        size_t c = mgl_source_find(reading->source, objection->column);
        mgl_buffer found = {0};
        mgl_error problem = {0};
        if (!wants_treatment(reading, objection, c))
            continue;
        /* A table that cannot be read once more leaves the warning as it is. */
        mgl_status status = find_treatment(reading, c, &problem, &found);
        status = status == MGL_OK && found.size > 0
                     ? put_treatment(objection->column, persons_wanted(reading->settings), &found,
                                     err, objection)
                     : MGL_OK;
        mgl_buffer_free(&found);
        MGL_TRY(status);
    }
    return MGL_OK;
}
