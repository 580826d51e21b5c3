/* Which cells of a sensitive column are one value to the models: spellings of the same text, and,
 * where the notation of the column is fixed, the same number or the same day written differently
 * (docs/definitions.md#sensitive-values). */
#include "table/table.h"

static const mgl_spelling spellings = {.trim = true, .fold_case = true, .collapse = true};

static mgl_span span_of(const mgl_buffer *key)
{
    return (mgl_span){key->size > 0 ? key->data : "", key->size};
}

/* Keys of numbers and days begin with a byte that no text key of use begins with. */
enum { MARK = '\1' };

static bool number_key(const mgl_notation *notation, mgl_span text, mgl_buffer *key)
{
    mgl_decimal decimal;
    double number;
    char digits[MGL_DECIMAL_TEXT];
    if (mgl_decimal_parse(notation, text, &decimal)) {
        size_t n = mgl_decimal_write(NULL, decimal.digits, decimal.scale, digits);
        key->size = 0;
        mgl_buffer_format(key, "%c%.*s", MARK, (int)n, digits);
        return true;
    }
    if (!mgl_notation_number(notation, text, &number))
        return false;
    key->size = 0;
    mgl_buffer_format(key, "%c%a", MARK, number);
    return true;
}

static bool date_key(const mgl_cell_rule *rule, mgl_span text, mgl_buffer *key)
{
    mgl_moment moment;
    if (!mgl_moment_parse(&rule->notation, text, rule->order, &moment))
        return false;
    key->size = 0;
    mgl_buffer_format(key, "%c%u-%u-%u %a", MARK, moment.date.year, moment.date.month,
                      moment.date.day, moment.seconds);
    return true;
}

/* False if it is neither. */
static bool read_key(const mgl_cell_rule *rule, mgl_span text, mgl_buffer *key)
{
    mgl_buffer trimmed = {0};
    if (rule->kind != MGL_GIVEN_NUMBER && rule->kind != MGL_GIVEN_DATE)
        return false;
    bool fine = mgl_spelling_key((mgl_spelling){.trim = true}, text, &trimmed);
    bool read = fine && (rule->kind == MGL_GIVEN_NUMBER
                             ? number_key(&rule->notation, span_of(&trimmed), key)
                             : date_key(rule, span_of(&trimmed), key));
    mgl_buffer_free(&trimmed);
    return read;
}

bool mgl_value_key(const mgl_cell_rule *rule, mgl_span text, mgl_buffer *key)
{
    if (!rule->exact && read_key(rule, text, key))
        return !key->failed;
    return mgl_spelling_key(rule->exact ? (mgl_spelling){0} : spellings, text, key);
}

typedef struct finding {
    const mgl_dictionary *cells;
    const mgl_cell_rule *rule;
    mgl_buffer key;
    mgl_map *keys;      /* of the values, behind those of the missing cells */
    uint32_t n_missing; /* keys of missing cells */
    uint32_t *key_of;   /* [code] */
    uint32_t *spelling; /* [key] the code whose text stands for all of its spellings */
    bool merges;        /* some cells are one value */
} finding;

static uint32_t add_key(finding *f, mgl_span text)
{
    return mgl_value_key(f->rule, text, &f->key) ? mgl_map_add(f->keys, span_of(&f->key))
                                                 : MGL_NOT_FOUND;
}

/* Of several spellings the bytewise least stands for all, whatever the order of the rows. */
static bool find_keys(finding *f)
{
    uint32_t missing = mgl_dictionary_missing(f->cells);
    for (uint32_t code = 0; code < mgl_dictionary_size(f->cells); code++) {
        mgl_span text = mgl_dictionary_value(f->cells, code);
        uint32_t known = mgl_map_size(f->keys), key = MGL_NOT_FOUND;
        if (code != missing && (key = add_key(f, text)) == MGL_NOT_FOUND)
            return false;
        bool is_missing = code == missing || key < f->n_missing;
        f->key_of[code] = is_missing ? MGL_NOT_FOUND : key;
        f->merges = f->merges || (code != missing && key < known);
        if (is_missing)
            continue;
        uint32_t other = key < known ? f->spelling[key - f->n_missing] : code;
        bool less = mgl_span_compare(text, mgl_dictionary_value(f->cells, other)) < 0;
        f->spelling[key - f->n_missing] = less ? code : other;
    }
    return true;
}

/* Values are numbered in the order in which their cells came. */
static bool number_values(const finding *f, mgl_span missing, mgl_values *out)
{
    bool fine = true;
    for (uint32_t code = 0; fine && code < mgl_dictionary_size(f->cells); code++) {
        uint32_t key = f->key_of[code];
        out->of_code[code] =
            key == MGL_NOT_FOUND
                ? mgl_dictionary_add_missing(out->dictionary, missing)
                : mgl_dictionary_add(
                      out->dictionary,
                      mgl_dictionary_value(f->cells, f->spelling[key - f->n_missing]));
        fine = out->of_code[code] != MGL_NOT_FOUND;
    }
    return fine;
}

/* What a missing cell is called: as the dictionary has it, else by the first of the tokens. */
static mgl_span missing_text(const mgl_dictionary *cells, const mgl_span *missing, size_t n)
{
    uint32_t code = mgl_dictionary_missing(cells);
    return code != MGL_NOT_FOUND ? mgl_dictionary_value(cells, code)
           : n > 0               ? missing[0]
                                 : mgl_span_of("");
}

mgl_status mgl_values_find(const mgl_dictionary *cells, const mgl_cell_rule *rule,
                           const mgl_span *missing, size_t n_missing, mgl_error *err,
                           mgl_values *out)
{
    uint32_t n = mgl_dictionary_size(cells);
    finding f = {.cells = cells, .rule = rule, .keys = mgl_map_new()};
    mgl_values values = {0};
    mgl_status status = MGL_OK;
    f.key_of = mgl_alloc_array(n, sizeof *f.key_of);
    f.spelling = mgl_alloc_array(n, sizeof *f.spelling);
    bool fine = f.keys != NULL && f.key_of != NULL && f.spelling != NULL;
    for (size_t i = 0; fine && !rule->exact && i < n_missing; i++)
        fine = add_key(&f, missing[i]) != MGL_NOT_FOUND;
    f.n_missing = fine ? mgl_map_size(f.keys) : 0;
    if (!fine || !find_keys(&f))
        MGL_GO(mgl_fail_memory(err));
    if (f.merges) {
        values.of_code = mgl_alloc_array(n, sizeof *values.of_code);
        values.dictionary = mgl_dictionary_new();
        if (values.of_code == NULL || values.dictionary == NULL ||
            !number_values(&f, missing_text(cells, missing, n_missing), &values))
            MGL_GO(mgl_fail_memory(err));
        mgl_dictionary_set_labels(values.dictionary, mgl_dictionary_labels(cells));
        mgl_dictionary_set_notation(values.dictionary, mgl_dictionary_notation(cells));
    }
    *out = values;
    values = (mgl_values){0};
done:
    mgl_values_free(&values);
    mgl_map_free(f.keys);
    mgl_free(f.key_of);
    mgl_free(f.spelling);
    mgl_buffer_free(&f.key);
    return status;
}

void mgl_values_free(mgl_values *values)
{
    mgl_dictionary_free(values->dictionary);
    mgl_free(values->of_code);
    *values = (mgl_values){0};
}

bool mgl_values_order(const mgl_dictionary *cells, const mgl_notation *notation,
                      mgl_date_order *out)
{
    unsigned allowed = (1u << MGL_DATE_ORDERS) - 1;
    mgl_buffer trimmed = {0};
    bool any = false;
    for (uint32_t code = 0; code < mgl_dictionary_size(cells); code++) {
        if (!mgl_spelling_key((mgl_spelling){.trim = true}, mgl_dictionary_value(cells, code),
                              &trimmed))
            break;
        unsigned orders = mgl_date_orders(notation, span_of(&trimmed));
        any = any || orders != 0;
        allowed &= orders != 0 ? orders : allowed;
    }
    bool one = !trimmed.failed && any && allowed != 0 && (allowed & (allowed - 1)) == 0;
    mgl_buffer_free(&trimmed);
    if (one)
        *out = (mgl_date_order)__builtin_ctz(allowed);
    return one;
}

static mgl_status fill_codes(const mgl_values *values, const mgl_column *from, size_t n_rows,
                             mgl_error *err, mgl_column *out)
{
    if (from->window != NULL)
        return mgl_window_follow(from, values->of_code, out, err);
    MGL_TRY(mgl_check_memory(mgl_column_reserve_all(out, n_rows), err));
    for (size_t row = 0; row < n_rows; row++)
        mgl_column_set(out, row, values->of_code[mgl_column_code(from, row)]);
    return MGL_OK;
}

mgl_status mgl_values_column(mgl_values *values, const mgl_column *from, size_t n_rows,
                             mgl_error *err, mgl_column *out)
{
    *out = (mgl_column){.role = from->role,
                        .source_index = from->source_index,
                        .dictionary = values->dictionary,
                        .width = from->width};
    values->dictionary = NULL;
    mgl_status status = MGL_OK;
    out->name = mgl_alloc(strlen(from->name) + 1);
    if (out->name == NULL)
        MGL_GO(mgl_fail_memory(err));
    strcpy(out->name, from->name);
    MGL_GO(fill_codes(values, from, n_rows, err, out));
done:
    if (status != MGL_OK)
        mgl_column_clear(out);
    return status;
}

mgl_status mgl_value_finder_new(const mgl_cell_rule *rule, mgl_text_fn *text, const void *context,
                                uint32_t n, mgl_error *err, mgl_value_finder *out)
{
    mgl_value_finder finder = {.rule = rule, .keys = mgl_map_new()};
    finder.first = mgl_alloc_array(n, sizeof *finder.first);
    bool fine = finder.keys != NULL && finder.first != NULL;
    for (uint32_t i = 0; fine && i < n; i++) {
        mgl_span value = text(context, i);
        if (value.data == NULL)
            continue;
        uint32_t known = mgl_map_size(finder.keys);
        uint32_t key = mgl_value_key(rule, value, &finder.key)
                           ? mgl_map_add(finder.keys, span_of(&finder.key))
                           : MGL_NOT_FOUND;
        fine = key != MGL_NOT_FOUND;
        if (fine && key == known)
            finder.first[key] = i;
    }
    if (!fine) {
        mgl_value_finder_free(&finder);
        return mgl_fail_memory(err);
    }
    *out = finder;
    return MGL_OK;
}

static mgl_span dictionary_text(const void *context, uint32_t i)
{
    return i != mgl_dictionary_missing(context) ? mgl_dictionary_value(context, i) : (mgl_span){0};
}

mgl_status mgl_value_finder_of(const mgl_cell_rule *rule, const mgl_dictionary *dictionary,
                               mgl_error *err, mgl_value_finder *out)
{
    return mgl_value_finder_new(rule, dictionary_text, dictionary, mgl_dictionary_size(dictionary),
                                err, out);
}

void mgl_value_finder_free(mgl_value_finder *finder)
{
    mgl_map_free(finder->keys);
    mgl_free(finder->first);
    mgl_buffer_free(&finder->key);
    *finder = (mgl_value_finder){0};
}

uint32_t mgl_value_find(mgl_value_finder *finder, mgl_span text)
{
    if (!mgl_value_key(finder->rule, text, &finder->key))
        return MGL_NOT_FOUND;
    uint32_t key = mgl_map_find(finder->keys, span_of(&finder->key));
    return key != MGL_NOT_FOUND ? finder->first[key] : MGL_NOT_FOUND;
}
