/* From what a job was told to the settings of a command. What needs several values at once
 * is checked in demands.c. */
#include "job/settings.h"

#include "job/values.h"

typedef struct maker {
    const mgl_job *job;
    mgl_arena *arena;
    mgl_settings *settings;
    mgl_error *err;
} maker;

const char *mgl_about_key(mgl_about about)
{
    static const char *const keys[MGL_ABOUTS] = {"title", "purpose", "recipient", "author", "date"};
    return keys[about];
}

static void *room_for(const maker *m, size_t n, size_t size)
{
    return mgl_arena_alloc(m->arena, n > 0 ? n * size : size);
}

static const char *text_of(const mgl_job *job, const char *key)
{
    const mgl_entry *entry = mgl_store_find(job, key, NULL);
    return entry != NULL ? entry->value : NULL;
}

/* What was given, else the default. The values were checked when they were given. */
static mgl_span value_of(const mgl_job *job, const char *key)
{
    const char *text = text_of(job, key);
    return mgl_span_of(text != NULL ? text : mgl_key_fallback(key));
}

static bool flag_of(const mgl_job *job, const char *key)
{
    const char *text = text_of(job, key);
    return text != NULL && strcmp(text, "true") == 0;
}

static uint64_t number_of(const mgl_job *job, const char *key)
{
    uint64_t number = 0;
    const char *text = text_of(job, key);
    if (text != NULL)
        mgl_parse_u64(mgl_span_of(text), &number);
    return number;
}

/* ---- Attributes --------------------------------------------------------------------------- */

static bool is_column_field(const char *field)
{
    mgl_key key;
    return strcmp(field, "role") == 0 || mgl_key_find_field(mgl_span_of(field), &key);
}

static void set_field(mgl_attribute_settings *attribute, const mgl_entry *entry)
{
    mgl_span value = mgl_span_of(entry->value);
    if (strcmp(entry->field, "role") == 0) {
        mgl_role_parse(value, &attribute->role);
    } else if (strcmp(entry->field, "hierarchy") == 0) {
        attribute->hierarchy = entry->value;
    } else if (strcmp(entry->field, "kind") == 0) {
        mgl_said_kind_parse(value, &attribute->kind);
    } else if (strcmp(entry->field, "weight") == 0) {
        mgl_parse_double(value, &attribute->weight);
    } else if (strcmp(entry->field, "preference") == 0) {
        mgl_parse_double(value, &attribute->preference);
    } else if (strcmp(entry->field, "likelihood") == 0) {
        mgl_parse_double(value, &attribute->likelihood);
    } else if (strcmp(entry->field, "importance") == 0) {
        mgl_parse_double(value, &attribute->importance);
    } else if (strcmp(entry->field, "identification") == 0) {
        mgl_value_u32(value, &attribute->identification);
    } else if (strcmp(entry->field, "generalize") == 0) {
        mgl_value_u32(value, &attribute->generalize);
    } else if (strcmp(entry->field, "level") == 0) {
        attribute->has_level = true;
        mgl_value_level(value, &attribute->min_level, &attribute->max_level);
    }
}

static mgl_attribute_settings attribute_named(const char *name)
{
    return (mgl_attribute_settings){.name = name,
                                    .weight = 1,
                                    .preference = 1,
                                    .likelihood = 1,
                                    .max_level = UINT32_MAX,
                                    .importance = -1};
}

static mgl_status make_attributes(const maker *m)
{
    mgl_settings *s = m->settings;
    mgl_map *columns = mgl_map_new();
    s->attributes = room_for(m, m->job->n_entries, sizeof *s->attributes);
    if (columns == NULL || s->attributes == NULL) {
        mgl_map_free(columns);
        return mgl_fail_memory(m->err);
    }
    mgl_status status = MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < m->job->n_entries; i++) {
        const mgl_entry *entry = &m->job->entries[i];
        if (entry->subject == NULL || !is_column_field(entry->field))
            continue;
        uint32_t number = mgl_map_add(columns, mgl_span_of(entry->subject));
        if (number == MGL_NOT_FOUND) {
            status = mgl_fail_memory(m->err);
            break;
        }
        if (number == s->n_attributes)
            s->attributes[s->n_attributes++] = attribute_named(entry->subject);
        set_field(&s->attributes[number], entry);
    }
    mgl_map_free(columns);
    return status;
}

/* The column that tells persons apart is known to the job, with or without a role. */
static void make_entity(const maker *m, mgl_command command)
{
    mgl_settings *s = m->settings;
    mgl_key key;
    if (!mgl_key_find(mgl_span_of("entity"), &key) || (key.commands & command) == 0)
        return;
    s->entity = text_of(m->job, key.name);
    if (s->entity == NULL)
        return;
    mgl_attribute_settings *attribute =
        (mgl_attribute_settings *)mgl_settings_attribute(s, s->entity);
    if (attribute == NULL) { /* the entity's entry made room for one more */
        attribute = &s->attributes[s->n_attributes++];
        *attribute = attribute_named(s->entity);
    }
    if (attribute->role == MGL_ROLE_NONE)
        attribute->role = MGL_ROLE_IDENTIFIER;
}

static mgl_status make_one_set(const maker *m, mgl_quasi_settings *set)
{
    set->names = room_for(m, m->job->n_entries, sizeof *set->names);
    if (set->names == NULL)
        return mgl_fail_memory(m->err);
    for (size_t i = 0; i < m->job->n_entries; i++) {
        const mgl_entry *entry = &m->job->entries[i];
        if (strcmp(entry->field, "role") == 0 && strcmp(entry->value, "quasi") == 0)
            set->names[set->n_names++] = entry->subject;
    }
    return MGL_OK;
}

static mgl_status make_sets(const maker *m)
{
    mgl_settings *s = m->settings;
    size_t n = m->job->n_sets > 1 ? m->job->n_sets : 1;
    s->quasi = room_for(m, n, sizeof *s->quasi);
    if (s->quasi == NULL)
        return mgl_fail_memory(m->err);
    memset(s->quasi, 0, n * sizeof *s->quasi);
    s->n_quasi = n;
    if (n == 1) {
        MGL_TRY(make_one_set(m, &s->quasi[0]));
        s->n_quasi = s->quasi[0].n_names > 0;
        return MGL_OK;
    }
    for (size_t i = 0; i < n; i++)
        s->quasi[i] = (mgl_quasi_settings){m->job->sets[i].names, m->job->sets[i].n_names};
    return MGL_OK;
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static mgl_status read_list(const maker *m, const char *text, mgl_span **items, size_t *n_items)
{
    *n_items = 0;
    *items = room_for(m, strlen(text) + 1, sizeof **items);
    mgl_list list = mgl_list_of(mgl_span_of(text));
    mgl_buffer item = {0}, wrong = {0};
    bool memory = *items != NULL;
    while (memory && mgl_list_next(&list, &item, &wrong)) {
        char *copy = mgl_arena_copy(m->arena, item.data != NULL ? item.data : "", item.size);
        memory = copy != NULL && !item.failed;
        if (memory)
            (*items)[(*n_items)++] = (mgl_span){copy, item.size};
    }
    memory = memory && !wrong.failed;
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return memory ? MGL_OK : mgl_fail_memory(m->err);
}

static mgl_status make_list(const maker *m, const char *key, mgl_span **items, size_t *n_items)
{
    const char *given = text_of(m->job, key);
    const char *text = given != NULL ? given : mgl_key_fallback(key);
    *n_items = 0;
    *items = NULL;
    if (text == NULL || (given != NULL && given[0] == '\0'))
        return MGL_OK; /* nothing, or an empty list */
    return read_list(m, text, items, n_items);
}

static mgl_status make_protect(const maker *m)
{
    for (size_t i = 0; i < m->settings->n_attributes; i++) {
        mgl_attribute_settings *attribute = &m->settings->attributes[i];
        const mgl_entry *entry = mgl_store_find(m->job, "protect", attribute->name);
        mgl_span *values;
        if (entry == NULL)
            continue;
        MGL_TRY(read_list(m, entry->value, &values, &attribute->n_protect));
        attribute->protect = values;
    }
    return MGL_OK;
}

static mgl_status make_prefer(const maker *m)
{
    mgl_span *items;
    size_t n;
    MGL_TRY(make_list(m, "prefer", &items, &n));
    mgl_preference *prefer = room_for(m, n, sizeof *prefer);
    if (prefer == NULL)
        return mgl_fail_memory(m->err);
    for (size_t i = 0; i < n; i++)
        mgl_value_preference(items[i], &prefer[i]);
    m->settings->prefer = prefer;
    m->settings->n_prefer = n;
    return MGL_OK;
}

static mgl_status make_curve(const maker *m)
{
    mgl_span *items;
    size_t n;
    MGL_TRY(make_list(m, "curve", &items, &n));
    uint64_t *curve = room_for(m, n, sizeof *curve);
    if (curve == NULL)
        return mgl_fail_memory(m->err);
    for (size_t i = 0; i < n; i++)
        mgl_parse_u64(items[i], &curve[i]);
    m->settings->curve = curve;
    m->settings->n_curve = n;
    return MGL_OK;
}

static mgl_status make_paths(const maker *m, const char *key, const char *const **out, size_t *n)
{
    mgl_span *items;
    MGL_TRY(make_list(m, key, &items, n));
    const char **paths = room_for(m, *n, sizeof *paths);
    if (paths == NULL)
        return mgl_fail_memory(m->err);
    for (size_t i = 0; i < *n; i++)
        paths[i] = items[i].data;
    *out = paths;
    return MGL_OK;
}

/* All leaks, none, or those of the columns that are named. */
static mgl_status make_allowed(const maker *m)
{
    mgl_settings *s = m->settings;
    const char *text = text_of(m->job, "allow-leaks");
    s->allow_leaks = flag_of(m->job, "allow-leaks");
    return text == NULL || s->allow_leaks || strcmp(text, "false") == 0
               ? MGL_OK
               : make_paths(m, "allow-leaks", &s->allowed, &s->n_allowed);
}

static mgl_status make_history(const maker *m)
{
    mgl_settings *s = m->settings;
    MGL_TRY(make_paths(m, "parts", &s->source.parts, &s->source.n_parts));
    MGL_TRY(make_paths(m, "history", &s->history, &s->n_history));
    m->settings->history_afterwards = mgl_span_is(value_of(m->job, "history-judged"), "afterwards");
    return MGL_OK;
}

static mgl_status make_combinations(const maker *m)
{
    mgl_span *items;
    size_t n;
    MGL_TRY(make_list(m, "combinations", &items, &n));
    for (size_t i = 0; i < n; i++)
        mgl_value_combination(items[i], &m->settings->choices.combinations);
    return MGL_OK;
}

/* All that can take the job, in the order of their table. */
static void take_all_methods(mgl_settings *s)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++)
        if (mgl_settings_check_method(s, types[i], NULL) == MGL_OK)
            s->methods[s->n_methods++] = types[i];
}

/* After the quasi-identifiers, which not every method can take. */
static mgl_status make_methods(const maker *m, mgl_command command)
{
    mgl_settings *s = m->settings;
    mgl_span *items;
    size_t n_items, n_types;
    MGL_TRY(make_list(m, "methods", &items, &n_items));
    mgl_method_types(&n_types);
    s->methods = room_for(m, n_items + n_types, sizeof *s->methods);
    if (s->methods == NULL)
        return mgl_fail_memory(m->err);
    if (command != MGL_COMPARE)
        s->methods[s->n_methods++] = s->method;
    else if (text_of(m->job, "methods") == NULL)
        take_all_methods(s);
    else
        for (size_t i = 0; i < n_items; i++)
            s->methods[s->n_methods++] = mgl_value_method(items[i]);
    return MGL_OK;
}

/* ---- All together --------------------------------------------------------------------------- */

static bool is_star(mgl_span token, const void *context)
{
    (void)context;
    return mgl_span_is(token, "*");
}

static bool is_any(mgl_span token, const void *context)
{
    (void)token, (void)context;
    return true;
}

/* Of the two tables of a command one can be a release. */
static mgl_status make_second(const maker *m, mgl_command command)
{
    mgl_settings *s = m->settings;
    bool audit = command == MGL_CHECK && text_of(m->job, "against") != NULL;
    bool first = audit || command == MGL_ATTACK;
    s->second = s->source;
    /* A star is a suppressed cell there, also where the table had it for missing ones. What is
     * audited was written by this program, and has one token for missing cells. */
    return mgl_tokens_of_release(first ? &s->source : &s->second, audit ? is_any : is_star, NULL,
                                 m->arena, m->err);
}

/* A release without a header has columns all the same, which its result names. */
static mgl_status make_names(const maker *m, mgl_source_options *source)
{
    const json_t *columns = json_object_get(json_object_get(m->job->claims, "audit"), "columns");
    source->names = room_for(m, json_array_size(columns), sizeof *source->names);
    if (source->names == NULL)
        return mgl_fail_memory(m->err);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = json_string_value(json_object_get(column, "column"));
        if (name != NULL && json_is_true(json_object_get(column, "released")))
            source->names[source->n_names++] = name;
    }
    return MGL_OK;
}

static mgl_status make_source(const maker *m, mgl_command command)
{
    mgl_source_options *source = &m->settings->source;
    mgl_span *missing;
    MGL_TRY(make_list(m, "missing", &missing, &source->n_missing));
    source->missing = missing;
    source->no_value = source->n_missing > 0 ? missing[0] : (mgl_span){"", 0};
    source->no_header = flag_of(m->job, "no-header");
    if (command == MGL_CHECK && source->no_header && m->job->claims != NULL)
        MGL_TRY(make_names(m, source));
    source->encoding = text_of(m->job, "encoding");
    source->allow_unnamed = command != MGL_ANONYMIZE;
    const char *delimiter = text_of(m->job, "delimiter");
    if (delimiter != NULL)
        mgl_value_delimiter(mgl_span_of(delimiter), &source->delimiter);
    const char *decimal = text_of(m->job, "decimal"), *century = text_of(m->job, "century");
    if (decimal != NULL)
        mgl_value_decimal(mgl_span_of(decimal), &source->decimal);
    if (century != NULL)
        source->has_century = mgl_value_century(mgl_span_of(century), &source->century);
    source->spelling.trim = flag_of(m->job, "trim");
    source->spelling.fold_case = flag_of(m->job, "fold-case");
    return make_second(m, command);
}

static mgl_status make_measure(const maker *m)
{
    mgl_span label = {0};
    if (!mgl_value_measure(value_of(m->job, "utility"), &m->settings->measure, &label))
        return mgl_fail(m->err, MGL_USAGE, "the default measure is missing from the program");
    if (label.size > 0 &&
        (m->settings->label = mgl_arena_copy(m->arena, label.data, label.size)) == NULL)
        return mgl_fail_memory(m->err);
    return MGL_OK;
}

static void make_scalars(const maker *m)
{
    const mgl_job *job = m->job;
    mgl_settings *s = m->settings;
    s->data = text_of(job, "data");
    s->release = text_of(job, "release");
    s->population = text_of(job, "population");
    s->output = text_of(job, "output");
    s->save_recoding = text_of(job, "save-recoding");
    s->save_proof = text_of(job, "save-proof");
    s->recoding = text_of(job, "recoding");
    s->result_file = text_of(job, "result");
    s->sign = text_of(job, "sign");
    s->report_file = text_of(job, "report");
    s->save_job = text_of(job, "save-job");
    for (int i = 0; i < MGL_ABOUTS; i++)
        s->about[i] = text_of(job, mgl_about_key((mgl_about)i));
    s->suppress = text_of(job, "suppress");
    const char *rest = text_of(job, "rest");
    if (rest != NULL)
        mgl_value_rest(mgl_span_of(rest), &s->rest);
    s->method = mgl_value_method(value_of(job, "method"));
    mgl_value_treatment(value_of(job, "suppressed"), &s->treatment);
    mgl_value_effort(value_of(job, "effort"), &s->effort);
    mgl_value_cut(value_of(job, "cut"), &s->choices.cut);
    mgl_value_replace(value_of(job, "replace"), &s->choices.replace);
    mgl_value_matches(value_of(job, "missing-matches"), &s->choices.missing_matches_all);
    s->choices.accept_unsafe = text_of(job, "accept") != NULL;
    const char *policy = text_of(job, "policy");
    s->safe_harbor = policy != NULL && strcmp(policy, "hipaa-safe-harbor") == 0;
    s->keep_order = flag_of(job, "keep-order");
    s->least_count = number_of(job, "least-count");
    s->neutralize = flag_of(job, "neutralize");
    s->verbose = flag_of(job, "verbose");
    s->dry_run = flag_of(job, "dry-run");
    if (s->dry_run)
        s->save_recoding = s->save_proof = NULL;
    else if (s->output == NULL && (s->save_recoding != NULL || s->save_proof != NULL))
        s->dry_run = true; /* the recoding, or the proof, is all that is written */
    s->brief = flag_of(job, "brief");
    s->hint = flag_of(job, "hint");
    s->json = flag_of(job, "json");
    s->quiet = flag_of(job, "quiet");
    s->has_seed = text_of(job, "seed") != NULL;
    s->seed = number_of(job, "seed");
    s->threads = (unsigned)number_of(job, "threads");
    const char *memory = text_of(job, "memory"), *limit = text_of(job, "time-limit");
    if (memory != NULL)
        mgl_value_size(mgl_span_of(memory), &s->memory);
    const char *unpack = text_of(job, "unpack");
    if (unpack != NULL)
        mgl_value_size(mgl_span_of(unpack), &s->source.most_unpacked);
    if (limit != NULL)
        mgl_parse_double(mgl_span_of(limit), &s->time_limit);
    s->progress = job->progress;
}

/* What only `risk` and `attack` are told. */
static void make_risk(const maker *m)
{
    const mgl_job *job = m->job;
    mgl_settings *s = m->settings;
    s->against = text_of(job, "against");
    s->proof = text_of(job, "proof");
    s->claims = job->claims;
    s->signature = job->signature;
    s->external = text_of(job, "external");
    s->weight = text_of(job, "weight");
    s->household = text_of(job, "household");
    s->rows_file = text_of(job, "rows");
    s->advise = flag_of(job, "advise");
    s->suda = flag_of(job, "suda");
    mgl_parse_double(value_of(job, "threshold"), &s->threshold);
    const char *fraction = text_of(job, "sampling-fraction"), *share = text_of(job, "single-out");
    if (fraction != NULL)
        mgl_parse_double(mgl_span_of(fraction), &s->fraction);
    if (share != NULL)
        mgl_value_share(mgl_span_of(share), &s->single_out);
}

static mgl_status make_signature(const maker *m)
{
    mgl_settings *s = m->settings;
    mgl_buffer path = {0};
    if (s->sign == NULL || s->result_file == NULL)
        return MGL_OK;
    mgl_buffer_format(&path, "%s.sig", s->result_file);
    if (!path.failed)
        s->signature_file = mgl_arena_copy(m->arena, path.data, path.size);
    mgl_buffer_free(&path);
    return s->signature_file != NULL ? MGL_OK : mgl_fail_memory(m->err);
}

static mgl_status make(const maker *m, mgl_command command)
{
    m->settings->job = m->job;
    make_scalars(m);
    MGL_TRY(make_signature(m));
    make_risk(m);
    MGL_TRY(make_source(m, command));
    MGL_TRY(make_attributes(m));
    MGL_TRY(make_protect(m));
    make_entity(m, command);
    MGL_TRY(make_sets(m));
    MGL_TRY(make_methods(m, command));
    MGL_TRY(mgl_settings_make_models(m->job, command, m->arena, m->settings, m->err));
    MGL_TRY(make_measure(m));
    MGL_TRY(make_prefer(m));
    MGL_TRY(make_combinations(m));
    MGL_TRY(make_curve(m));
    MGL_TRY(make_history(m));
    MGL_TRY(make_allowed(m));
    return mgl_settings_check(m->job, m->settings, command, m->err);
}

mgl_status mgl_job_settings(mgl_job *job, mgl_command command, mgl_error *err,
                            const mgl_settings **out)
{
    size_t slot = 0;
    while (slot + 1 < MGL_COMMANDS && command >> (slot + 1) != 0)
        slot++;
    mgl_prepared *prepared = &job->prepared[slot];
    if (prepared->arena == NULL) {
        mgl_prepared fresh = {.arena = mgl_arena_new()};
        if (fresh.arena == NULL)
            return mgl_fail_memory(err);
        maker m = {job, fresh.arena, &fresh.settings, err};
        mgl_status status = make(&m, command);
        if (status != MGL_OK) {
            mgl_arena_free(fresh.arena);
            return status;
        }
        *prepared = fresh;
    }
    *out = &prepared->settings;
    return MGL_OK;
}

const mgl_attribute_settings *mgl_settings_attribute(const mgl_settings *settings, const char *name)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (strcmp(settings->attributes[i].name, name) == 0)
            return &settings->attributes[i];
    return NULL;
}

uint64_t mgl_settings_limit(const mgl_settings *settings, uint64_t n_rows)
{
    const char *text = settings->suppress;
    uint64_t limit = 0;
    if (text == NULL)
        return 0;
    size_t size = strlen(text);
    if (size > 0 && text[size - 1] == '%')
        mgl_parse_share((mgl_span){text, size - 1}, true, n_rows, &limit);
    else
        mgl_parse_u64((mgl_span){text, size}, &limit);
    return limit < n_rows ? limit : n_rows;
}
