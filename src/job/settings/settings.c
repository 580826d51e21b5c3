/* From the values of a job to the settings of a command, by the table of keys; what needs several
 * values at once is checked in check_settings.c. Reads the combinations of columns on which models
 * hold (`combinations: age+zip,age+sex`). */
#include "job/settings/settings.h"
#include "condition/condition.h"
#include "job/keys/keys.h"

/* ---- Keys ------------------------------------------------------------------------------------ */

/* A field of the settings, or of an attribute's. */
static void *at(void *owner, size_t offset)
{
    return (char *)owner + offset;
}

static mgl_status read_list(const mgl_filling *f, const mgl_key *key, const char *text, void *owner)
{
    return mgl_value_parse_list(&key->parser, text, f->arena, f->err, at(owner, key->place),
                                at(owner, key->count));
}

/* A text that was not given stays NULL, whatever holds then. Values were checked when they were
 * given. */
static mgl_status fill_place(const mgl_filling *f, const mgl_key *key, const char *text,
                             void *owner)
{
    if (key->place == 0 || text == NULL)
        return MGL_OK;
    if (key->count != 0)
        return read_list(f, key, text, owner);
    mgl_value_parse(&key->parser, mgl_span_of(text), at(owner, key->place));
    return MGL_OK;
}

/* All of something, none of it, or what is named. */
static mgl_status fill_all_or(const mgl_filling *f, const mgl_key *key, const char *text)
{
    static const mgl_value_parser flag = {.kind = MGL_PARSE_FLAG};
    if (text == NULL || mgl_value_parse(&flag, mgl_span_of(text), at(f->settings, key->given)))
        return MGL_OK;
    return read_list(f, key, text, f->settings);
}

static mgl_status fill_key(const mgl_filling *f, const mgl_key *key)
{
    const mgl_entry *entry = mgl_store_find(f->job, key->name, NULL);
    const char *given = entry != NULL ? entry->value : NULL;
    const char *text = given != NULL || key->parser.kind == MGL_PARSE_TEXT ? given : key->fallback;
    if (key->kind == MGL_KEY_ALL_OR)
        return fill_all_or(f, key, given);
    if (key->given != 0)
        *(bool *)at(f->settings, key->given) = given != NULL;
    return fill_place(f, key, text, f->settings);
}

/* Does a field of the settings, and not of a column's, hold it? */
static bool is_of_job(const mgl_key *key)
{
    return key->kind != MGL_KEY_BY_COLUMN && key->kind != MGL_KEY_COLUMNS &&
           key->kind != MGL_KEY_MODEL && key->option == NULL && (key->place | key->given) != 0;
}

/* Fills in every key of the job that has a place. */
static mgl_status settings_fill(const mgl_filling *filling)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (is_of_job(&key))
            MGL_TRY(fill_key(filling, &key));
    return MGL_OK;
}

/* Fills in the keys that have a function, once columns and quasi-identifiers are there. */
static mgl_status settings_fill_more(const mgl_filling *filling)
{
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if (key.fill == NULL)
            continue;
        const mgl_entry *entry = mgl_store_find(filling->job, key.name, NULL);
        MGL_TRY(key.fill(filling, &key, entry != NULL ? entry->value : key.fallback));
    }
    return MGL_OK;
}

/* ---- Columns ----------------------------------------------------------------------------------
 */

mgl_status mgl_attribute_begin(const mgl_filling *f, const char *name, mgl_attribute_settings *out)
{
    mgl_key key;
    *out = (mgl_attribute_settings){.name = name};
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);)
        if (key.kind == MGL_KEY_BY_COLUMN)
            MGL_TRY(fill_place(f, &key, key.fallback, out));
    return MGL_OK;
}

/* Fills in the settings of a column by an entry of the job. */
static mgl_status attribute_fill(const mgl_filling *f, const mgl_entry *entry,
                                 mgl_attribute_settings *out)
{
    mgl_key key;
    if (strcmp(entry->field, "role") == 0) {
        mgl_role_parse(mgl_span_of(entry->value), &out->role);
        return MGL_OK;
    }
    if (!mgl_key_find_field(mgl_span_of(entry->field), &key))
        return MGL_OK;
    if (key.given != 0)
        *(bool *)at(out, key.given) = true;
    if (key.of_levels && (key.fallback == NULL || strcmp(entry->value, key.fallback) != 0))
        out->asks_for_levels = true;
    return fill_place(f, &key, entry->value, out);
}

/* ---- Options of methods -----------------------------------------------------------------------
 */

/* Where the values of a method's options come from. */
typedef struct sayings {
    const mgl_settings *settings;
    const mgl_option_columns *columns;
} sayings;

/* The value that a file has for a column, as a job would write it. */
static const char *value_by_file(const mgl_option_columns *columns, const mgl_method_option *option,
                                 size_t column)
{
    return columns->value != NULL ? columns->value(columns->context, option->name, column) : NULL;
}

static const char *option_value(const void *context, const mgl_method_option *option,
                                ptrdiff_t column)
{
    const sayings *s = context;
    const char *name = column != MGL_WHOLE_TABLE ? s->columns->names[column] : NULL;
    const mgl_entry *entry = mgl_store_find(s->settings->job, option->name, name);
    if (entry != NULL)
        return entry->value;
    return name != NULL ? value_by_file(s->columns, option, (size_t)column) : NULL;
}

mgl_status mgl_settings_options(const mgl_settings *settings, const mgl_method_type *method,
                                const mgl_option_columns *columns, mgl_arena *arena, mgl_error *err,
                                const void **out)
{
    sayings s = {settings, columns};
    return mgl_method_options(method, columns->n, option_value, &s, arena, err, out);
}

/* ---- Named combinations ---------------------------------------------------------------------- */

static mgl_status fail(const mgl_filling *f, mgl_code code, const char *what, mgl_span item)
{
    const mgl_entry *entry = mgl_store_find(f->job, "combinations", NULL);
    return mgl_origin_fail(&entry->place, code, f->err, "'%.*s' %s", mgl_span_width(item),
                           item.data, what);
}

/* The column as the job names it. */
static const char *find_column(const mgl_filling *f, mgl_span name)
{
    const mgl_settings *s = f->settings;
    for (size_t q = 0; q < s->n_quasi; q++)
        for (size_t i = 0; i < s->quasi[q].n_names; i++)
            if (mgl_span_is(name, s->quasi[q].names[i]))
                return s->quasi[q].names[i];
    return NULL;
}

static mgl_span trim(mgl_span text)
{
    while (text.size > 0 && text.data[0] == ' ')
        text = (mgl_span){text.data + 1, text.size - 1};
    while (text.size > 0 && text.data[text.size - 1] == ' ')
        text.size--;
    return text;
}

static mgl_status add_column(const mgl_filling *f, mgl_span name, mgl_quasi_settings *set)
{
    const char *column = find_column(f, name);
    if (column == NULL)
        return fail(f, MGL_CODE_UNKNOWN_COLUMN,
                    "is no quasi-identifier column of the job; name it by `role: quasi`, or leave "
                    "it out",
                    name);
    for (size_t i = 0; i < set->n_names; i++)
        if (set->names[i] == column)
            return fail(f, MGL_CODE_REPEATED, "is named twice in a combination; name it once",
                        name);
    set->names[set->n_names++] = column;
    return MGL_OK;
}

static bool are_alike(const mgl_quasi_settings *x, const mgl_quasi_settings *y)
{
    size_t n = 0;
    for (size_t i = 0; i < x->n_names; i++)
        for (size_t j = 0; j < y->n_names; j++)
            n += x->names[i] == y->names[j];
    return x->n_names == y->n_names && n == x->n_names;
}

static mgl_status add_combination(const mgl_filling *f, mgl_span item)
{
    mgl_settings *s = f->settings;
    mgl_quasi_settings *set = &s->named[s->n_named];
    mgl_span rest = item;
    size_t most = 1;
    for (size_t i = 0; i < item.size; i++)
        most += item.data[i] == '+';
    if (most == 1)
        return fail(f, MGL_CODE_CONFLICT,
                    "is no combination by name, and others are; give columns with + between, or "
                    "sizes alone",
                    item);
    *set = (mgl_quasi_settings){.names = mgl_arena_alloc(f->arena, most * sizeof *set->names)};
    MGL_TRY(mgl_check_memory(set->names != NULL, f->err));
    for (size_t i = 0; i < most; i++) {
        const char *plus = rest.size > 0 ? memchr(rest.data, '+', rest.size) : NULL;
        size_t size = plus != NULL ? (size_t)(plus - rest.data) : rest.size;
        MGL_TRY(add_column(f, trim((mgl_span){rest.data, size}), set));
        size_t taken = plus != NULL ? size + 1 : size;
        rest = (mgl_span){rest.data + taken, rest.size - taken};
    }
    for (size_t q = 0; q < s->n_named; q++)
        if (are_alike(&s->named[q], set))
            return fail(f, MGL_CODE_REPEATED, "is named twice; name it once", item);
    s->n_named++;
    return MGL_OK;
}

static mgl_status add_all(const mgl_filling *f, const char *text)
{
    mgl_list list = mgl_list_of(mgl_span_of(text));
    mgl_buffer item = {0}, wrong = {0};
    mgl_status status = MGL_OK;
    for (item.size = 0; mgl_list_next(&list, &item, &wrong); item.size = 0)
        MGL_GO(item.failed ? mgl_fail_memory(f->err)
                           : add_combination(f, (mgl_span){item.data, item.size}));
done:
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return status;
}

/* Reads the combinations of quasi-identifier columns that the job names, if any. */
static mgl_status settings_name_combinations(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    const mgl_entry *entry = mgl_store_find(f->job, "combinations", NULL);
    if (entry == NULL || entry->value == NULL || strchr(entry->value, '+') == NULL)
        return MGL_OK;
    if (s->n_quasi > 1)
        return mgl_origin_fail(&entry->place, MGL_CODE_CONFLICT, f->err,
                               "combinations by name and several quasi-identifiers say the same in "
                               "two ways; give the columns once, and name the combinations or the "
                               "quasi-identifiers");
    size_t most = 1;
    for (const char *c = entry->value; *c != '\0'; c++)
        most += *c == ',';
    s->named = mgl_arena_alloc(f->arena, most * sizeof *s->named);
    return s->named == NULL ? mgl_fail_memory(f->err) : add_all(f, entry->value);
}

/* ---- Settings -------------------------------------------------------------------------------- */

const char *mgl_about_key(mgl_about about)
{
    static const char *const keys[MGL_ABOUTS] = {"title", "purpose", "recipient", "author", "date"};
    return keys[about];
}

static void *room_for(const mgl_filling *f, size_t n, size_t size)
{
    return mgl_arena_alloc(f->arena, n > 0 ? n * size : size);
}

/* ---- Attributes --------------------------------------------------------------------------- */

static bool is_column_field(const char *field)
{
    mgl_key key;
    return strcmp(field, "role") == 0 || mgl_key_find_field(mgl_span_of(field), &key);
}

/* The settings of the column that an entry is about, which are new if no entry before named it;
 * blank: those of a column without any field. */
static mgl_status find_attribute(const mgl_filling *f, mgl_map *columns, const mgl_entry *entry,
                                 const mgl_attribute_settings *blank, mgl_attribute_settings **out)
{
    mgl_settings *s = f->settings;
    uint32_t number = mgl_map_add(columns, mgl_span_of(entry->subject));
    if (number == MGL_NOT_FOUND)
        return mgl_fail_memory(f->err);
    *out = &s->attributes[number];
    if (number == s->n_attributes) {
        s->attributes[s->n_attributes++] = *blank;
        (*out)->name = entry->subject;
    }
    return MGL_OK;
}

/* A table of slots, twice as many as attributes or more, with their numbers from 1. */
static mgl_status index_attributes(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    size_t n = 16;
    while (n < 2 * s->n_attributes)
        n *= 2;
    s->found.slots = room_for(f, n, sizeof *s->found.slots);
    MGL_TRY(mgl_check_memory(s->found.slots != NULL, f->err));
    memset(s->found.slots, 0, n * sizeof *s->found.slots);
    for (size_t i = 0; i < s->n_attributes; i++) {
        const char *name = s->attributes[i].name;
        size_t slot = mgl_hash(name, strlen(name)) & (n - 1);
        while (s->found.slots[slot] != 0)
            slot = (slot + 1) & (n - 1);
        s->found.slots[slot] = (uint32_t)(i + 1);
    }
    s->found.n_slots = n;
    s->found.n = s->n_attributes;
    return MGL_OK;
}

/* By the text of the treatment, which was checked when it was given. */
static mgl_status find_change(const mgl_filling *f, mgl_attribute_settings *attribute)
{
    mgl_treat *treat;
    if (attribute->treat == NULL)
        return MGL_OK;
    MGL_TRY(mgl_treat_new(attribute->treat, f->err, &treat));
    attribute->change = mgl_treat_leaves_out(treat) ? MGL_CELLS_LEFT_OUT
                        : mgl_treat_renames(treat)  ? MGL_CELLS_MADE_UP
                                                    : MGL_CELLS_CHANGE;
    mgl_treat_free(treat);
    return MGL_OK;
}

static mgl_status make_attributes(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    mgl_attribute_settings blank;
    mgl_map *columns = mgl_map_new();
    s->attributes = room_for(f, f->job->n_entries, sizeof *s->attributes);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(columns != NULL && s->attributes != NULL, f->err));
    MGL_GO(mgl_attribute_begin(f, NULL, &blank));
    for (size_t i = 0; i < f->job->n_entries; i++) {
        const mgl_entry *entry = &f->job->entries[i];
        mgl_attribute_settings *attribute = NULL;
        if (entry->subject == NULL || !is_column_field(entry->field))
            continue;
        MGL_GO(find_attribute(f, columns, entry, &blank, &attribute));
        MGL_GO(attribute_fill(f, entry, attribute));
    }
    for (size_t i = 0; i < s->n_attributes; i++)
        MGL_GO(find_change(f, &s->attributes[i]));
    MGL_GO(index_attributes(f));
done:
    mgl_map_free(columns);
    return status;
}

/* Risks are those of rows, or of persons with all their rows: a job file that names persons for
 * other commands does not matter then. */
static bool counts_rows_alone(const mgl_filling *f)
{
    const mgl_entry *entity = mgl_store_find(f->job, "entity", NULL);
    return f->command == MGL_RISK && entity->place.load != 0 &&
           f->settings->persons.view != MGL_VIEW_JOINED;
}

/* The column that identifies persons is known to the job, with or without a role. */
mgl_status mgl_fill_entity(const mgl_filling *f, const mgl_key *key, const char *text)
{
    mgl_settings *s = f->settings;
    if (text == NULL || (key->commands & f->command) == 0 || counts_rows_alone(f))
        return MGL_OK;
    s->persons.column = text;
    mgl_attribute_settings *attribute =
        (mgl_attribute_settings *)mgl_settings_attribute(s, s->persons.column);
    if (attribute == NULL) { /* the entity's entry reserved one more */
        attribute = &s->attributes[s->n_attributes++];
        MGL_TRY(mgl_attribute_begin(f, s->persons.column, attribute));
    }
    if (attribute->role == MGL_ROLE_NONE)
        attribute->role = MGL_ROLE_IDENTIFIER;
    return MGL_OK;
}

/* A job file chooses the rows that are released: a release that is checked has no others. */
static bool is_about_rows(const mgl_filling *f, const mgl_key *key)
{
    const mgl_entry *entry = mgl_store_find(f->job, key->name, NULL);
    return (key->commands & f->command) != 0 &&
           (!mgl_command_judges(f->command) || (entry != NULL && entry->place.load == 0));
}

mgl_status mgl_fill_where(const mgl_filling *f, const mgl_key *key, const char *text)
{
    f->settings->chosen.where = is_about_rows(f, key) ? text : NULL;
    return MGL_OK;
}

mgl_status mgl_fill_sample(const mgl_filling *f, const mgl_key *key, const char *text)
{
    f->settings->chosen.sample = is_about_rows(f, key) ? text : NULL;
    return MGL_OK;
}

static mgl_status make_one_set(const mgl_filling *f, mgl_quasi_settings *set)
{
    set->names = room_for(f, f->job->n_entries, sizeof *set->names);
    MGL_TRY(mgl_check_memory(set->names != NULL, f->err));
    for (size_t i = 0; i < f->job->n_entries; i++) {
        const mgl_entry *entry = &f->job->entries[i];
        if (strcmp(entry->field, "role") == 0 && strcmp(entry->value, "quasi") == 0)
            set->names[set->n_names++] = entry->subject;
    }
    return MGL_OK;
}

static mgl_status make_sets(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    size_t n = f->job->n_sets > 1 ? f->job->n_sets : 1;
    s->quasi = room_for(f, n, sizeof *s->quasi);
    MGL_TRY(mgl_check_memory(s->quasi != NULL, f->err));
    memset(s->quasi, 0, n * sizeof *s->quasi);
    s->n_quasi = n;
    if (n == 1) {
        MGL_TRY(make_one_set(f, &s->quasi[0]));
        s->n_quasi = s->quasi[0].n_names > 0;
        return MGL_OK;
    }
    for (size_t i = 0; i < n; i++)
        s->quasi[i] = (mgl_quasi_settings){f->job->sets[i].names, f->job->sets[i].n_names};
    return MGL_OK;
}

/* ---- What is no single field ----------------------------------------------------------------- */

mgl_status mgl_fill_policy(const mgl_filling *f, const mgl_key *key, const char *text)
{
    (void)key;
    f->settings->safe_harbor = text != NULL && strcmp(text, "hipaa-safe-harbor") == 0;
    return MGL_OK;
}

mgl_status mgl_fill_measure(const mgl_filling *f, const mgl_key *key, const char *text)
{
    mgl_settings *s = f->settings;
    mgl_span label = {0};
    (void)key;
    if (!mgl_value_measure(mgl_span_of(text), &s->measure, &label))
        return mgl_fail_key(f->err, MGL_CODE_UNKNOWN_NAME, "utility",
                            "the default measure is missing from the program");
    if (label.size > 0 && (s->label = mgl_arena_copy(f->arena, label.data, label.size)) == NULL)
        return mgl_fail_memory(f->err);
    return MGL_OK;
}

/* All that can take the job, in the order of their table. */
static void take_all_methods(mgl_settings *s)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    for (size_t i = 0; i < n; i++)
        if (mgl_settings_check_method(s, types[i], NULL) == MGL_OK)
            s->comparison.methods[s->comparison.n_methods++] = types[i];
}

/* Those to compare, after the quasi-identifiers, which not every method can take. */
mgl_status mgl_fill_methods(const mgl_filling *f, const mgl_key *key, const char *text)
{
    mgl_settings *s = f->settings;
    size_t n;
    if (f->command == MGL_COMPARE && text != NULL)
        return mgl_value_parse_list(&key->parser, text, f->arena, f->err, &s->comparison.methods,
                                    &s->comparison.n_methods);
    mgl_method_types(&n);
    s->comparison.methods = room_for(f, n, sizeof *s->comparison.methods);
    MGL_TRY(mgl_check_memory(s->comparison.methods != NULL, f->err));
    if (f->command == MGL_COMPARE)
        take_all_methods(s);
    else
        s->comparison.methods[s->comparison.n_methods++] = s->method;
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
static mgl_status make_second(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    bool attack = f->command == MGL_ATTACK;
    bool written = (attack || mgl_command_judges(f->command)) && s->claimed.against != NULL;
    bool first = written || attack;
    s->second = f->command == MGL_ATTACK && s->risk.external != NULL
                    ? mgl_options_of_other(&s->source, s->risk.external)
                    : s->source;
    /* A star is a suppressed cell there, also where the table had it for missing ones. What has a
     * result was written by this program, and has one token for missing cells. */
    return mgl_tokens_of_release(first ? &s->source : &s->second, written ? is_any : is_star, NULL,
                                 f->arena, f->err);
}

/* A release without a header has columns all the same, which its result names. */
static mgl_status make_names(const mgl_filling *f, mgl_source_options *source)
{
    const json_t *columns = json_object_get(json_object_get(f->job->claims, "audit"), "columns");
    source->names = room_for(f, json_array_size(columns), sizeof *source->names);
    MGL_TRY(mgl_check_memory(source->names != NULL, f->err));
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        const char *name = json_string_value(json_object_get(column, "column"));
        if (name != NULL && json_is_true(json_object_get(column, "released")))
            source->names[source->n_names++] = name;
    }
    return MGL_OK;
}

/* A database has NULL, which reads as an empty text: unless the job names cells that mean missing,
 * no other text does there. */
static void make_database_null(const mgl_filling *f, mgl_source_options *source)
{
    const mgl_settings *s = f->settings;
    if (s->data == NULL ||
        (mgl_location_of(s->data).kind != MGL_LOCATION_DATABASE && s->print_sql == NULL))
        return;
    source->usual = source->missing;
    source->n_usual = source->n_missing;
    source->n_missing = 1;
    f->settings->cells.missing_by_null = true;
}

/* Tables in memory have null: unless the job names cells that mean missing, nothing else is, and it
 * reads as something that no cell is. In other tables of the job that are text, cells that are
 * usually missing still are. */
static mgl_status make_null(const mgl_filling *f, mgl_source_options *source)
{
    const mgl_memory_object *object =
        f->settings->data != NULL ? mgl_memory_find(f->settings->data) : NULL;
    source->missing_given = mgl_store_find(f->job, "missing", NULL) != NULL;
    if (!source->missing_given)
        make_database_null(f, source);
    if (object == NULL || object->table == NULL || source->missing_given)
        return MGL_OK;
    mgl_span *tokens = room_for(f, source->n_missing + 1, sizeof *tokens);
    char *text = room_for(f, MGL_ARROW_NULL_TEXT, 1);
    MGL_TRY(mgl_check_memory(tokens != NULL && text != NULL, f->err));
    mgl_arrow_null_text(object->table, text);
    tokens[0] = mgl_span_of(text);
    for (size_t i = 0; i < source->n_missing; i++)
        tokens[i + 1] = source->missing[i];
    source->usual = tokens;
    source->n_usual = source->n_missing + 1;
    source->missing = tokens;
    source->n_missing = 1;
    return MGL_OK;
}

static mgl_status make_shards(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    mgl_buffer location = {0};
    if (s->shards == NULL)
        return MGL_OK;
    if (s->data != NULL)
        return mgl_fail_key(
            f->err, MGL_CODE_CONFLICT, "shards",
            "`shards` names where the table lies, and so does `data`; give one of them");
    mgl_buffer_format(&location, "shards:%s", s->shards);
    if (!location.failed)
        s->data = mgl_arena_copy(f->arena, location.data, location.size);
    mgl_buffer_free(&location);
    return s->data != NULL ? MGL_OK : mgl_fail_memory(f->err);
}

/* ---- The header -------------------------------------------------------------------------------
 */

/* Whether the first line is a header: as the job states, or judged when the table is opened. */
static mgl_status make_header(const mgl_filling *f, mgl_source_options *source)
{
    const mgl_entry *header = mgl_store_find(f->job, "header", NULL),
                    *none = mgl_store_find(f->job, "no-header", NULL);
    if (header != NULL && none != NULL &&
        (strcmp(header->value, "no") == 0) != (strcmp(none->value, "true") == 0))
        return mgl_origin_fail(&header->place, MGL_CODE_CONFLICT, f->err,
                               "contradicts `no-header`; give one of them");
    source->judges_header = header == NULL && none == NULL;
    source->headerless = mgl_arena_alloc(f->arena, sizeof *source->headerless);
    MGL_TRY(mgl_check_memory(source->headerless != NULL, f->err));
    *source->headerless = (mgl_headerless){0};
    return MGL_OK;
}

typedef struct named_columns {
    const mgl_filling *f;
    mgl_span *names;
    size_t n, capacity;
} named_columns;

static mgl_status add_named(named_columns *named, const char *name)
{
    if (named->n == named->capacity) {
        size_t capacity = 2 * named->capacity + 16;
        mgl_span *more = room_for(named->f, capacity, sizeof *more);
        MGL_TRY(mgl_check_memory(more != NULL, named->f->err));
        if (named->n > 0)
            memcpy(more, named->names, named->n * sizeof *more);
        named->names = more;
        named->capacity = capacity;
    }
    named->names[named->n++] = mgl_span_of(name);
    return MGL_OK;
}

/* The columns that a value of the whole job names. */
static mgl_status add_named_in(named_columns *named, const mgl_entry *entry)
{
    static const mgl_value_parser text = {.kind = MGL_PARSE_TEXT};
    const char **names;
    size_t n;
    mgl_key key;
    if (entry->subject != NULL)
        return add_named(named, entry->subject);
    if (!mgl_key_find(mgl_span_of(entry->field), &key) || key.names == NULL ||
        strcmp(key.names, "columns") != 0)
        return MGL_OK;
    MGL_TRY(mgl_value_parse_list(&text, entry->value, named->f->arena, named->f->err, &names, &n));
    for (size_t i = 0; i < n; i++)
        MGL_TRY(add_named(named, names[i]));
    return MGL_OK;
}

static mgl_status add_named_by_condition(named_columns *named)
{
    const char *where = named->f->settings->chosen.where;
    mgl_condition *condition = NULL;
    mgl_status status = MGL_OK;
    if (where == NULL || mgl_condition_read(mgl_span_of(where), NULL, &condition) != MGL_OK)
        return MGL_OK; /* which is refused where it is needed */
    for (size_t i = 0; status == MGL_OK && i < condition->n_columns; i++) {
        char *name =
            mgl_arena_copy(named->f->arena, condition->columns[i], strlen(condition->columns[i]));
        status = name != NULL ? add_named(named, name) : mgl_fail_memory(named->f->err);
    }
    mgl_condition_free(condition);
    return status;
}

/* The columns that the job names: if the first line has one of them, it is a header. */
static mgl_status make_named(const mgl_filling *f)
{
    named_columns named = {.f = f};
    mgl_settings *s = f->settings;
    if (!s->source.judges_header)
        return MGL_OK;
    for (size_t i = 0; i < f->job->n_entries; i++)
        MGL_TRY(add_named_in(&named, &f->job->entries[i]));
    for (size_t i = 0; i < f->job->n_sets; i++)
        for (size_t c = 0; c < f->job->sets[i].n_names; c++)
            MGL_TRY(add_named(&named, f->job->sets[i].names[c]));
    MGL_TRY(add_named_by_condition(&named));
    mgl_header_names_sort(named.names, named.n);
    s->source.named = s->second.named = named.names;
    s->source.n_named = s->second.n_named = named.n;
    return MGL_OK;
}

static mgl_status make_source(const mgl_filling *f)
{
    mgl_source_options *source = &f->settings->source;
    MGL_TRY(make_header(f, source));
    MGL_TRY(make_shards(f));
    MGL_TRY(make_null(f, source));
    source->threads = f->settings->limits.threads;
    source->memory = f->settings->limits.memory;
    source->no_value = source->n_missing > 0 ? source->missing[0] : (mgl_span){"", 0};
    if (mgl_command_judges(f->command) && source->no_header && f->job->claims != NULL)
        MGL_TRY(make_names(f, source));
    source->allow_unnamed = f->command != MGL_ANONYMIZE;
    return make_second(f);
}

/* Without an output the recoding, or the proof, is all that is written. */
static void make_dry_run(mgl_settings *s)
{
    if (s->dry_run)
        s->saved.recoding = s->saved.map = s->saved.proof = NULL;
    else
        s->dry_run = s->output == NULL &&
                     (s->saved.recoding != NULL || s->saved.map != NULL || s->saved.proof != NULL);
}

/* What is printed is about a table that will be counted. */
static void make_script(mgl_settings *s, mgl_command command)
{
    if (command != MGL_ANONYMIZE)
        s->print_sql = NULL;
    else if (s->print_sql != NULL && s->counted.column == NULL)
        s->counted.column = "n";
}

/* With differential privacy levels are given, or chosen beforehand: that and `levels: uniform` ask
 * for the best node, where no method is named. */
static void make_method(const mgl_filling *f)
{
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    bool asked = f->settings->dp.budget.epsilon > 0 || f->settings->uniform;
    if (!asked || mgl_store_find(f->job, "method", NULL) != NULL)
        return;
    for (size_t i = n; i-- > 0;)
        if (types[i]->best_node)
            f->settings->method = types[i];
}

/* FILE.sig of a file that is signed; left as it is for other locations. */
static mgl_status make_signature(const mgl_filling *f, const char *file, const char **out)
{
    mgl_buffer path = {0};
    if (f->settings->signing.key == NULL || file == NULL || strcmp(file, "-") == 0)
        return MGL_OK;
    mgl_buffer_format(&path, "%s.sig", file);
    if (!path.failed)
        *out = mgl_arena_copy(f->arena, path.data, path.size);
    mgl_buffer_free(&path);
    return *out != NULL ? MGL_OK : mgl_fail_memory(f->err);
}

static mgl_status make_signatures(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    const char *statement =
        f->command == MGL_STATEMENT && s->output != NULL ? s->output : s->saved.statement;
    MGL_TRY(make_signature(f, s->saved.result, &s->signing.of_result));
    return make_signature(f, statement, &s->signing.of_statement);
}

static bool is_of_file(const mgl_job *job, const char *key)
{
    const mgl_entry *entry = mgl_store_find(job, key, NULL);
    return entry != NULL && entry->place.load != 0;
}

/* What a job file names is written by the release; who tests that or looks at what a job would give
 * must not write over it. */
static void leave_files(const mgl_filling *f)
{
    if (is_of_file(f->job, "result"))
        f->settings->saved.result = NULL;
    if (is_of_file(f->job, "report"))
        f->settings->saved.report = NULL;
}

static void make_gate(const mgl_filling *f)
{
    /* These never write what a job file names; those judge or explore the release of a job, if it
     * makes one. */
    const mgl_command never = MGL_GATE | MGL_WHAT_IF | MGL_PREVIEW | MGL_LOOK;
    const mgl_command beside =
        MGL_CHECK | MGL_UTILITY | MGL_RISK | MGL_ATTACK | MGL_LATTICE | MGL_COMPARE;
    if (f->command == MGL_GATE)
        f->settings->lacks_identifiers = true;
    if ((f->command & never) != 0 || ((f->command & beside) != 0 && is_of_file(f->job, "output")))
        leave_files(f);
}

static mgl_status make(const mgl_filling *f)
{
    mgl_settings *s = f->settings;
    s->job = f->job;
    s->claimed.document = f->job->claims;
    s->claimed.signature = f->job->signature;
    s->progress = f->job->progress;
    s->refusal = f->job->refusal;
    MGL_TRY(settings_fill(f));
    make_method(f);
    make_dry_run(s);
    make_script(s, f->command);
    s->risk.perturbs = f->command == MGL_RISK;
    make_gate(f);
    MGL_TRY(make_signatures(f));
    MGL_TRY(make_source(f));
    MGL_TRY(make_attributes(f));
    MGL_TRY(make_sets(f));
    MGL_TRY(settings_name_combinations(f));
    MGL_TRY(mgl_settings_make_strata(f));
    MGL_TRY(settings_fill_more(f));
    MGL_TRY(make_named(f));
    MGL_TRY(mgl_settings_make_models(f));
    return mgl_settings_check(f->job, s, f->command, f->err);
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
        MGL_TRY(mgl_check_memory(fresh.arena != NULL, err));
        mgl_filling filling = {job, command, fresh.arena, &fresh.settings, err};
        mgl_status status = make(&filling);
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
    size_t n = settings->found.n_slots;
    size_t slot = n > 0 ? mgl_hash(name, strlen(name)) & (n - 1) : 0;
    for (; n > 0 && settings->found.slots[slot] != 0; slot = (slot + 1) & (n - 1)) {
        const mgl_attribute_settings *attribute =
            &settings->attributes[settings->found.slots[slot] - 1];
        if (strcmp(attribute->name, name) == 0)
            return attribute;
    }
    /* Those that were added since: persons, strata. */
    for (size_t i = settings->found.n; i < settings->n_attributes; i++)
        if (strcmp(settings->attributes[i].name, name) == 0)
            return &settings->attributes[i];
    return NULL;
}

uint64_t mgl_settings_limit(const mgl_settings *settings, uint64_t n_rows)
{
    return mgl_limit_of(settings->suppress, n_rows);
}

bool mgl_settings_links(const mgl_settings *settings, const char *column,
                        const mgl_by_set *likelihood)
{
    for (size_t q = 0; q < settings->n_quasi; q++)
        if (mgl_names_have(settings->quasi[q].names, settings->quasi[q].n_names, column) &&
            mgl_by_set_at(likelihood, q) > 0)
            return true;
    return false;
}

double mgl_settings_weight(const mgl_settings *settings, const char *column,
                           const mgl_by_set *weight)
{
    double sum = 0, n = 0;
    for (size_t q = 0; weight->n > 1 && q < settings->n_quasi; q++)
        if (mgl_names_have(settings->quasi[q].names, settings->quasi[q].n_names, column)) {
            sum += mgl_by_set_at(weight, q);
            n++;
        }
    return n > 0 ? sum / n : weight->values[0];
}
