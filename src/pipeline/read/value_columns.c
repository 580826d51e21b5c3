/* Values of columns: how many records have each, and for sensitive columns one value for all its
 * spellings, which models see, while released cells stay as they are spelled. */
#include "pipeline/read/reading_steps.h"
#include "pipeline/read/feature.h"

mgl_status mgl_read_columns(const mgl_settings *settings, mgl_source *source, const size_t *columns,
                            size_t n, mgl_error *err, mgl_table **out)
{
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    MGL_TRY(mgl_check_memory(requested != NULL, err));
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){columns[c], MGL_ROLE_NONE};
    mgl_status status =
        mgl_source_counts(source)
            ? mgl_source_count(source, requested, n, &settings->progress, err, out)
            : mgl_source_read(source, requested, n, NULL, &settings->progress, err, out);
    mgl_free(requested);
    return status;
}

mgl_status mgl_count_values(const mgl_table *table, const mgl_column *column, mgl_error *err,
                            uint64_t **out)
{
    uint64_t *rows = mgl_zeroed_array(mgl_dictionary_size(column->dictionary), sizeof *rows);
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (size_t row = 0; row < table->n_rows; row++)
        rows[mgl_column_code(column, row)] += table->times != NULL ? table->times[row] : 1;
    *out = rows;
    return MGL_OK;
}

/* The notation that the result of a release gives for it: the cells of the release alone may
 * leave more open than those of the table did. False if it gives none. */
static bool take_claimed(const char *claimed, mgl_cell_rule *rule)
{
    static const char *const numbers[] = {[MGL_NUMBERS_PLAIN] = "plain",
                                          [MGL_NUMBERS_POINT] = "point",
                                          [MGL_NUMBERS_COMMA] = "comma"};
    if (claimed == NULL)
        return false;
    if (rule->kind == MGL_GIVEN_DATE)
        return mgl_date_order_parse(mgl_span_of(claimed), &rule->order);
    for (int i = 0; rule->kind == MGL_GIVEN_NUMBER && i < MGL_NUMBER_NOTATIONS; i++)
        if (strcmp(claimed, numbers[i]) == 0)
            rule->notation.numbers = (mgl_number_notation)i;
    return rule->kind == MGL_GIVEN_NUMBER;
}

/* Numbers and dates are compared as such where the job fixes how they are written. */
static mgl_cell_rule rule_of(const mgl_reading *reading, const mgl_column *column)
{
    const mgl_settings *settings = reading->settings;
    const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, column->name);
    mgl_cell_rule rule = {.exact = settings->cells.spelling_exact,
                          .kind = attribute != NULL ? attribute->kind : MGL_GIVEN_NOTHING,
                          .notation = *mgl_dictionary_notation(column->dictionary)};
    if (rule.kind == MGL_GIVEN_NOTHING && settings->source.decimal != 0)
        rule.kind = MGL_GIVEN_NUMBER;
    if (!take_claimed(mgl_claimed_notation(settings, column->name), &rule) &&
        rule.kind == MGL_GIVEN_DATE &&
        !mgl_values_order(column->dictionary, &rule.notation, &rule.order))
        rule.kind = MGL_GIVEN_NOTHING;
    return rule;
}

static void free_column(void *object)
{
    mgl_column *column = object;
    if (column->dictionary != NULL)
        mgl_column_clear(column);
    mgl_free(column);
}

static const mgl_cache_kind columns = {free_column, 16};

static void write_key(mgl_buffer *key, const mgl_reading *reading, const mgl_sensitive_cells *x)
{
    const mgl_source_options *source = &reading->settings->source;
    const mgl_notation *notation = &x->rule.notation;
    mgl_key_text(key, "values");
    mgl_key_number(key, x->column->number);
    mgl_key_number(key, x->rule.kind);
    mgl_key_number(key, x->rule.order);
    mgl_key_number(key, notation->numbers);
    mgl_key_number(key, notation->has_century ? notation->century + UINT64_C(1) : 0);
    for (size_t i = 0; i < source->n_missing; i++) {
        mgl_key_number(key, source->missing[i].size);
        mgl_buffer_span(key, source->missing[i]);
    }
}

/* Without a dictionary if each cell is a value of its own. */
static mgl_status make_column(const mgl_reading *reading, const mgl_sensitive_cells *x,
                              mgl_error *err, mgl_column *out)
{
    const mgl_source_options *source = &reading->settings->source;
    mgl_values values = {0};
    mgl_status status = MGL_OK;
    *out = (mgl_column){0};
    MGL_GO(mgl_values_find(x->column->dictionary, &x->rule, source->missing, source->n_missing, err,
                           &values));
    if (values.dictionary != NULL)
        MGL_GO(mgl_values_column(&values, x->column, reading->table->n_rows, err, out));
done:
    mgl_values_free(&values);
    return status;
}

/* The session keeps them, but for those that follow a window. */
static mgl_status find_column(mgl_reading *reading, const mgl_sensitive_cells *x, mgl_error *err,
                              const mgl_column **out)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    mgl_column *fresh = NULL;
    mgl_status status = MGL_OK;
    write_key(&key, reading, x);
    MGL_GO(mgl_cache_find(&reading->pins, &columns, &key, err, &kept));
    if (kept == NULL) {
        fresh = mgl_zeroed_array(1, sizeof *fresh);
        MGL_GO(mgl_check_memory(fresh != NULL, err));
        MGL_GO(make_column(reading, x, err, fresh));
        fresh->number = mgl_cache_number(reading->session->cache);
        mgl_column *given = fresh;
        fresh = NULL;
        MGL_GO(mgl_cache_add(&reading->pins, &columns, &key, given, err, &kept));
    }
    *out = kept->object;
done:
    mgl_free(fresh);
    mgl_buffer_free(&key);
    return status;
}

/* Empty cells are a value where `missing` names other texts alone, which may not be meant. */
static void note_empty_cells(mgl_reading *reading, const mgl_column *column)
{
    uint32_t missing = mgl_dictionary_missing(column->dictionary);
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, code);
        if (code == missing || mgl_span_trim(value).size > 0)
            continue;
        mgl_buffer_format(&reading->warnings,
                          "empty-values\tcolumn %.60s has empty cells, which `missing` does not "
                          "name: models take them for a value; add an empty text to the list "
                          "(`missing: ,NA`) if they have none%c",
                          column->name, '\0');
        return;
    }
}

static mgl_status take_values(mgl_reading *reading, size_t s, mgl_error *err)
{
    mgl_sensitive_cells *x = &reading->cells[s];
    const mgl_column *values = &x->following;
    *x = (mgl_sensitive_cells){.column = reading->counted[s],
                               .rule = rule_of(reading, reading->counted[s])};
    if (!reading->settings->cells.missing_is_value)
        note_empty_cells(reading, x->column);
    if (x->rule.exact)
        return MGL_OK;
    if (x->column->window != NULL) {
        MGL_TRY(make_column(reading, x, err, &x->following));
        x->following.number = mgl_cache_number(reading->session->cache);
    } else {
        MGL_TRY(find_column(reading, x, err, &values));
    }
    if (values->dictionary != NULL)
        reading->counted[s] = values;
    return MGL_OK;
}

static mgl_status make(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    MGL_TRY(mgl_new_zeroed(reading->n_sensitive, sizeof *reading->cells, err, &reading->cells));
    for (size_t s = 0; s < reading->n_sensitive; s++)
        MGL_TRY(take_values(reading, s, err));
    return MGL_OK;
}

static void forget(mgl_reading *reading)
{
    for (size_t s = 0; reading->cells != NULL && s < reading->n_sensitive; s++)
        if (reading->cells[s].following.dictionary != NULL)
            mgl_column_clear(&reading->cells[s].following);
    mgl_free(reading->cells);
}

/* Rows decide how values are spelled. */
static bool needs_rows(const mgl_reading *reading)
{
    return mgl_respells(reading->settings);
}

static mgl_status refuse_engine(const mgl_settings *settings, mgl_error *err)
{
    const char *key = settings->source.spelling.trim ? "trim" : "fold-case";
    if (!mgl_respells(settings))
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, key,
                        "`%s`: the database would tell values apart that only differ in their "
                        "spelling; write the release to a file, or clean the column there",
                        key);
}

const mgl_feature mgl_sensitive_values_feature = {.name = "values",
                                                  .refuse_engine = refuse_engine,
                                                  .needs_rows = needs_rows,
                                                  .on = {[MGL_ON_READ] = make},
                                                  .forget = forget};

static mgl_span leaf_text(const void *context, uint32_t leaf)
{
    const mgl_hierarchy *hierarchy = context;
    bool text = leaf != hierarchy->missing_leaf && leaf != hierarchy->star_leaf;
    return text ? hierarchy->levels[0].labels[leaf] : (mgl_span){0};
}

/* Adds the value as the hierarchy spells it, or as it is. */
static bool add_spelled(const mgl_hierarchy *hierarchy, mgl_value_finder *leaves,
                        const mgl_dictionary *from, uint32_t code, mgl_dictionary *to)
{
    mgl_span text = mgl_dictionary_value(from, code);
    uint32_t level, value;
    if (code == mgl_dictionary_missing(from))
        return mgl_dictionary_add_missing(to, text) == code;
    if (!mgl_hierarchy_find(hierarchy, text, &level, &value) || level > 0) {
        uint32_t leaf = mgl_value_find(leaves, text);
        text = leaf != MGL_NOT_FOUND ? hierarchy->levels[0].labels[leaf] : text;
    }
    return mgl_dictionary_add(to, text) == code;
}

mgl_status mgl_values_as_leaves(const mgl_hierarchy *hierarchy, const mgl_dictionary *values,
                                const mgl_cell_rule *rule, mgl_error *err, mgl_dictionary **out)
{
    mgl_value_finder leaves = {0};
    mgl_dictionary *spelled = mgl_dictionary_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(spelled != NULL, err));
    MGL_GO(mgl_value_finder_new(rule, leaf_text, hierarchy, hierarchy->n_leaves, err, &leaves));
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++)
        if (!add_spelled(hierarchy, &leaves, values, code, spelled))
            MGL_GO(mgl_fail_memory(err));
    mgl_dictionary_resemble(spelled, values);
    *out = spelled;
    spelled = NULL;
done:
    mgl_value_finder_free(&leaves);
    mgl_dictionary_free(spelled);
    return status;
}

mgl_status mgl_values_as_file(const char *spec, const mgl_column *column, const mgl_cell_rule *rule,
                              mgl_error *err, mgl_dictionary **out)
{
    mgl_hierarchy *hierarchy = NULL;
    mgl_dictionary *none = mgl_dictionary_new();
    mgl_status status = MGL_OK;
    *out = NULL;
    MGL_GO(mgl_check_memory(none != NULL, err));
    MGL_GO(mgl_hierarchy_make(spec, column->name, none, err, &hierarchy));
    MGL_GO(mgl_values_as_leaves(hierarchy, column->dictionary, rule, err, out));
done:
    mgl_hierarchy_free(hierarchy);
    mgl_dictionary_free(none);
    return status;
}
