/* Single values: reads those that have a form of their own and the parameters of models, checks
 * what a form alone cannot, and writes the syntax of values. */
#include "job/keys/keys.h"
#include "condition/condition.h"

#include <math.h>

/* ---- Reading --------------------------------------------------------------------------------- */

bool mgl_read_span(mgl_span text, void *place)
{
    *(mgl_span *)place = text;
    return true;
}

bool mgl_read_kind(mgl_span text, void *place)
{
    return mgl_given_kind_parse(text, place);
}

bool mgl_read_rest(mgl_span text, void *place)
{
    mgl_role *out = place;
    if (mgl_span_is(text, "insensitive"))
        *out = MGL_ROLE_INSENSITIVE;
    else if (mgl_span_is(text, "drop"))
        *out = MGL_ROLE_IDENTIFIER;
    else
        return false;
    return true;
}

static bool read_level(mgl_span text, uint32_t if_empty, uint32_t *out)
{
    uint64_t level = if_empty;
    if (text.size > 0 && (!mgl_parse_u64(text, &level) || level > 1000000))
        return false;
    *out = (uint32_t)level;
    return true;
}

bool mgl_read_levels(mgl_span text, void *place)
{
    mgl_span low = mgl_span_trim(text), high = low;
    for (size_t i = 0; i + 1 < text.size; i++)
        if (text.data[i] == '.' && text.data[i + 1] == '.') {
            low = mgl_span_trim((mgl_span){text.data, i});
            high = mgl_span_trim((mgl_span){text.data + i + 2, text.size - i - 2});
            break;
        }
    uint32_t least, most;
    if ((low.size == 0 && high.size == 0) || !read_level(low, 0, &least) ||
        !read_level(high, UINT32_MAX, &most) || least > most)
        return false;
    *(mgl_level_range *)place = (mgl_level_range){least, most};
    return true;
}

bool mgl_read_km(mgl_span text, void *place)
{
    const char *comma = text.size > 0 ? memchr(text.data, ',', text.size) : NULL;
    size_t first = comma != NULL ? (size_t)(comma - text.data) : text.size;
    uint64_t k, m = 2;
    if (!mgl_parse_u64(mgl_span_trim((mgl_span){text.data, first}), &k) || k < 1 || k > UINT32_MAX)
        return false;
    if (comma != NULL &&
        (!mgl_parse_u64(mgl_span_trim((mgl_span){comma + 1, text.size - first - 1}), &m) || m < 1 ||
         m > MGL_MOST_TOGETHER))
        return false;
    *(mgl_km *)place = (mgl_km){k, (unsigned)m};
    return true;
}

bool mgl_read_budget(mgl_span text, void *place)
{
    const char *comma = text.size > 0 ? memchr(text.data, ',', text.size) : NULL;
    size_t first = comma != NULL ? (size_t)(comma - text.data) : 0;
    mgl_privacy_budget budget;
    if (comma == NULL ||
        !mgl_parse_double(mgl_span_trim((mgl_span){text.data, first}), &budget.epsilon) ||
        !mgl_parse_double(mgl_span_trim((mgl_span){comma + 1, text.size - first - 1}),
                          &budget.delta) ||
        !mgl_privacy_budget_is_fine(&budget))
        return false;
    *(mgl_privacy_budget *)place = budget;
    return true;
}

bool mgl_read_share(mgl_span text, void *place)
{
    double percent;
    if (text.size < 2 || text.data[text.size - 1] != '%' ||
        !mgl_parse_double((mgl_span){text.data, text.size - 1}, &percent) || !(percent > 0) ||
        percent > 100)
        return false;
    *(double *)place = percent / 100;
    return true;
}

bool mgl_read_decimal(mgl_span text, void *place)
{
    bool point = mgl_span_is(text, ".") || mgl_span_is(text, "point");
    bool comma = mgl_span_is(text, ",") || mgl_span_is(text, "comma");
    if (point || comma)
        *(char *)place = comma ? ',' : '.';
    return point || comma;
}

bool mgl_read_century(mgl_span text, void *place)
{
    uint64_t year;
    if (text.size > 2 || !mgl_parse_u64(text, &year))
        return false;
    *(uint8_t *)place = (uint8_t)year;
    return true;
}

bool mgl_read_delimiter(mgl_span text, void *place)
{
    static const struct {
        const char *name;
        char delimiter;
    } names[] = {{"tab", '\t'},      {"\\t", '\t'}, {"comma", ','},
                 {"semicolon", ';'}, {"pipe", '|'}, {"space", ' '}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (mgl_span_is(text, names[i].name)) {
            *(char *)place = names[i].delimiter;
            return true;
        }
    /* A byte of a longer UTF-8 sequence, a quote or a line end would cut values apart. */
    if (text.size != 1 || (unsigned char)text.data[0] >= 0x80 || text.data[0] == '"' ||
        text.data[0] == '\n' || text.data[0] == '\r' || text.data[0] == '\0')
        return false;
    *(char *)place = text.data[0];
    return true;
}

bool mgl_read_size(mgl_span text, void *place)
{
    static const char units[] = "KMGT";
    unsigned shift = 0;
    if (text.size > 1 && text.data[text.size - 1] == 'B')
        text.size--;
    const char *unit =
        text.size > 0 ? memchr(units, text.data[text.size - 1] & ~0x20, sizeof units - 1) : NULL;
    if (unit != NULL) {
        shift = 10 * (unsigned)(unit - units + 1);
        text.size--;
    }
    uint64_t size;
    if (!mgl_parse_u64(text, &size) || size == 0 || size > UINT64_MAX >> shift)
        return false;
    *(uint64_t *)place = size << shift;
    return true;
}

bool mgl_read_preference(mgl_span text, void *place)
{
    mgl_preference *out = place;
    static const char *const names[] = {"absolute", "relative", "distribution", "suppression"};
    for (int kind = MGL_PREFER_ABSOLUTE; kind < MGL_PREFER_MEASURE; kind++)
        if (mgl_span_is(text, names[kind])) {
            *out = (mgl_preference){.kind = (mgl_preference_kind)kind};
            return true;
        }
    const mgl_measure_type *measure;
    mgl_span label;
    if (!mgl_value_measure(text, &measure, &label) || label.size > 0)
        return false;
    *out = (mgl_preference){.kind = MGL_PREFER_MEASURE, .measure = measure};
    return true;
}

/* The measure of that name among those that searches go by; NULL: none. */
static const mgl_measure_type *find_measure(mgl_span name)
{
    const mgl_measure_type *type = mgl_measure_type_find_span(name);
    return type != NULL && type->drives_search ? type : NULL;
}

bool mgl_value_measure(mgl_span text, const mgl_measure_type **measure, mgl_span *label)
{
    const char *equals = text.size > 0 ? memchr(text.data, '=', text.size) : NULL;
    mgl_span name = equals == NULL ? text : (mgl_span){text.data, (size_t)(equals - text.data)};
    mgl_span column = {0};
    if (equals != NULL)
        column = (mgl_span){equals + 1, text.size - name.size - 1};
    const mgl_measure_type *type = find_measure(name);
    if (type == NULL || type->takes_label != (column.size > 0))
        return false;
    *measure = type;
    *label = column;
    return true;
}

/* The measure that needs a column, and the text names none; NULL: that is not what is wrong. */
static const mgl_measure_type *value_lacks_label(mgl_span text)
{
    if (text.size > 0 && text.data[text.size - 1] == '=')
        text.size--;
    const mgl_measure_type *type = find_measure(text);
    return type != NULL && type->takes_label ? type : NULL;
}

bool mgl_read_method(mgl_span text, void *place)
{
    const mgl_method_type *method = mgl_method_type_find_span(text);
    if (method != NULL)
        *(const mgl_method_type **)place = method;
    return method != NULL;
}

/* ---- Models ---------------------------------------------------------------------------------- */

size_t mgl_parameters_needed(const mgl_model_type *type)
{
    size_t n = type->n_parameters;
    while (n > 0 && type->parameters[n - 1].words != NULL)
        n--;
    return n;
}

size_t mgl_word_parameter(const mgl_model_type *type, const char *name)
{
    size_t i = 0;
    while (i < type->n_parameters &&
           (type->parameters[i].words == NULL || strcmp(type->parameters[i].name, name) != 0))
        i++;
    return i;
}

static void write_list(const mgl_parameter *parameter, mgl_buffer *wrong)
{
    const char *const *words = parameter->words;
    for (size_t i = 0; words[i] != NULL; i++)
        mgl_buffer_format(wrong, "%s%s",
                          i == 0                 ? ""
                          : words[i + 1] == NULL ? " or "
                                                 : ", ",
                          words[i]);
}

static bool read_word(const mgl_parameter *parameter, mgl_span text, double *out)
{
    for (size_t i = 0; parameter->words[i] != NULL; i++)
        if (mgl_span_is(text, parameter->words[i])) {
            *out = (double)i;
            return true;
        }
    return false;
}

bool mgl_value_parameter(const mgl_parameter *parameter, mgl_span text, double *out,
                         mgl_buffer *wrong)
{
    double value = 0;
    bool fine = parameter->words != NULL ? read_word(parameter, text, &value)
                                         : mgl_parse_double(text, &value) &&
                                               (!parameter->whole || value == floor(value)) &&
                                               value >= parameter->min && value <= parameter->max;
    if (!fine) {
        mgl_buffer_format(wrong, "is no %s; give ", parameter->name);
        if (parameter->words != NULL)
            write_list(parameter, wrong);
        else {
            mgl_buffer_text(wrong, parameter->whole ? "a whole number" : "a number");
            if (isfinite(parameter->min) && isfinite(parameter->max) && parameter->max < 1e15)
                mgl_buffer_format(wrong, " from %.15g to %.15g", parameter->min, parameter->max);
            else if (isfinite(parameter->min))
                mgl_buffer_format(wrong, " of at least %.15g", parameter->min);
        }
        return false;
    }
    *out = value;
    return true;
}

static void write_number_of_parameters(const mgl_model_type *type, mgl_span text, size_t n,
                                       mgl_buffer *wrong)
{
    size_t needed = mgl_parameters_needed(type);
    mgl_buffer_format(wrong, "holds %zu %s, %s takes %zu", n,
                      needed < type->n_parameters ? "values" : "numbers", type->name, needed);
    if (needed < type->n_parameters)
        mgl_buffer_format(wrong, " to %zu", type->n_parameters);
    mgl_buffer_text(wrong, "; give ");
    for (size_t i = 0; i < type->n_parameters; i++)
        mgl_buffer_format(wrong, "%s%s", i > 0 ? "," : "", type->parameters[i].name);
    if (type->takes_attribute && memchr(text.data, '=', text.size) != NULL)
        mgl_buffer_text(wrong, ", and repeat the option for another column");
}

bool mgl_value_parameters(const mgl_model_type *type, mgl_span text, double *parameters,
                          mgl_buffer *wrong)
{
    mgl_buffer item = {0};
    mgl_list list = mgl_list_of(text);
    size_t n = 0;
    bool fine = true;
    while (fine && mgl_list_next(&list, &item, wrong)) {
        if (n < type->n_parameters)
            fine = mgl_value_parameter(&type->parameters[n], (mgl_span){item.data, item.size},
                                       &parameters[n], wrong);
        n++;
    }
    for (size_t i = n; i < type->n_parameters; i++)
        parameters[i] = 0; /* the first word */
    fine = fine && wrong->size == 0 && !wrong->failed && n >= mgl_parameters_needed(type) &&
           n <= type->n_parameters;
    if (!fine && wrong->size == 0)
        write_number_of_parameters(type, text, n, wrong);
    mgl_buffer_free(&item);
    return fine;
}

static bool say(bool fine, mgl_buffer *wrong, const char *text)
{
    if (!fine)
        mgl_buffer_text(wrong, text);
    return fine;
}

static void write_nearest(const mgl_nearest *nearest, mgl_buffer *wrong)
{
    if (nearest->best != NULL)
        mgl_buffer_format(wrong, "did you mean %s? ", nearest->best);
}

/* ---- Checks ---------------------------------------------------------------------------------- */

bool mgl_check_any(mgl_span value, mgl_buffer *wrong)
{
    (void)value, (void)wrong;
    return true;
}

/* A number of rows, or a share, here of very many. */
static bool read_rows(mgl_span value, uint64_t *rows)
{
    bool share = value.size > 0 && value.data[value.size - 1] == '%';
    *rows = 0;
    return share ? mgl_parse_share((mgl_span){value.data, value.size - 1}, true, UINT32_MAX, rows)
                 : mgl_parse_u64(value, rows);
}

bool mgl_check_suppress(mgl_span value, mgl_buffer *wrong)
{
    uint64_t rows;
    return say(read_rows(value, &rows), wrong,
               "is no number of rows and no share; give for example 20 or 2%");
}

bool mgl_check_sample(mgl_span value, mgl_buffer *wrong)
{
    uint64_t rows;
    return say(read_rows(value, &rows) && rows > 0, wrong,
               "is no size of a sample; give for example 1000 or 10%");
}

/* 0.8: a digit 0, a point, up to nine digits. The k that it stands for is exact: floating point
 * would make 6 of 1/(1 - 0.8). */
bool mgl_read_anonymity_level(mgl_span text, uint64_t *k)
{
    enum { MOST_DIGITS = 9 };
    uint64_t share = 0, whole = 1;
    if (text.size == 0 || text.data[0] != '0' || text.size > 2 + MOST_DIGITS ||
        (text.size > 1 && text.data[1] != '.') || text.size == 2)
        return false;
    for (size_t i = 2; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
        share = 10 * share + (uint64_t)(text.data[i] - '0');
        whole *= 10;
    }
    *k = (whole + whole - share - 1) / (whole - share);
    return true;
}

bool mgl_check_anonymity_level(mgl_span value, mgl_buffer *wrong)
{
    uint64_t k;
    return say(mgl_read_anonymity_level(value, &k), wrong,
               "is no anonymity level; give a number from 0 to below 1 (0.5 stands for k = 2, 0.8 "
               "for 5, 0.95 for 20)");
}

bool mgl_check_km(mgl_span value, mgl_buffer *wrong)
{
    mgl_km km;
    return say(mgl_read_km(value, &km), wrong,
               "is no K,M; give K, a number of rows of at least 1, and M, how many items are "
               "looked at together: 1, 2 or 3 (for example 5,2)");
}

bool mgl_check_separator(mgl_span value, mgl_buffer *wrong)
{
    bool blank = true;
    for (size_t i = 0; i < value.size; i++)
        blank = blank && (value.data[i] == ' ' || value.data[i] == '\t');
    bool fine = value.size > 0 && value.size <= 16 && (!blank || value.size == 1) &&
                memchr(value.data, '"', value.size) == NULL &&
                memchr(value.data, '\n', value.size) == NULL;
    return say(fine, wrong,
               "is no separator; give 1 to 16 bytes without quotes, for example ; or |");
}

bool mgl_check_dialect(mgl_span value, mgl_buffer *wrong)
{
    mgl_nearest nearest = mgl_nearest_to(value);
    const char *name;
    for (size_t i = 0; (name = mgl_sql_dialect_name(i)) != NULL; i++) {
        if (mgl_span_is(value, name))
            return true;
        mgl_nearest_try(&nearest, name);
    }
    mgl_buffer_text(wrong, "is no dialect of SQL; ");
    write_nearest(&nearest, wrong);
    mgl_buffer_text(wrong, "give one of");
    for (size_t i = 0; (name = mgl_sql_dialect_name(i)) != NULL; i++)
        mgl_buffer_format(wrong, "%s %s", i > 0 ? "," : "", name);
    return false;
}

bool mgl_check_condition(mgl_span value, mgl_buffer *wrong)
{
    mgl_condition *condition = NULL;
    mgl_error err = {0};
    bool fine = mgl_condition_read(value, &err, &condition) == MGL_OK;
    mgl_condition_free(condition);
    return say(fine, wrong, err.message);
}

bool mgl_check_text(mgl_span value, mgl_buffer *wrong)
{
    enum { MOST = 2000 };
    return say(value.size > 0 && value.size <= MOST &&
                   mgl_utf8_valid(value.data, value.size) == value.size,
               wrong, "is no text of 1 to 2,000 bytes in UTF-8; give one for the report");
}

/* One way to write it: results are compared, and read by programs. */
bool mgl_check_date(mgl_span value, mgl_buffer *wrong)
{
    bool fine = value.size == 10 && value.data[4] == '-' && value.data[7] == '-' &&
                mgl_ground_text_of(value, NULL).is_date;
    return say(fine, wrong, "is no day of the calendar; give it as 2026-05-31");
}

bool mgl_check_protect(mgl_span value, mgl_buffer *wrong)
{
    mgl_list list = mgl_list_of(value);
    mgl_buffer item = {0};
    bool empty = false;
    while (mgl_list_next(&list, &item, wrong))
        empty = empty || item.size == 0;
    bool fine = wrong->size == 0 && !wrong->failed;
    mgl_buffer_free(&item);
    return fine && say(!empty, wrong, "names an empty value; give values with commas between");
}

bool mgl_check_distance(mgl_span value, mgl_buffer *wrong)
{
    size_t n;
    const mgl_model_type *const *types = mgl_model_types(&n);
    for (size_t i = 0; i < n; i++) {
        size_t place = mgl_word_parameter(types[i], "distance");
        double number;
        if (place < types[i]->n_parameters)
            return mgl_value_parameter(&types[i]->parameters[place], value, &number, wrong);
    }
    return say(false, wrong, "is no use; no model takes a distance");
}

/* ---- Names ----------------------------------------------------------------------------------- */

bool mgl_check_method(mgl_span value, mgl_buffer *wrong)
{
    const mgl_method_type *method;
    if (mgl_read_method(value, &method))
        return true;
    size_t n;
    const mgl_method_type *const *types = mgl_method_types(&n);
    mgl_nearest nearest = mgl_nearest_to(value);
    for (size_t i = 0; i < n; i++)
        mgl_nearest_try(&nearest, types[i]->name);
    mgl_buffer_text(wrong, "is no method; ");
    write_nearest(&nearest, wrong);
    mgl_buffer_text(wrong, "there are");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(wrong, "%s %s", i > 0 ? "," : "", types[i]->name);
    return false;
}

static void write_measures(mgl_span value, mgl_buffer *wrong)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    mgl_nearest nearest = mgl_nearest_to(value);
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search)
            mgl_nearest_try(&nearest, types[i]->name);
    write_nearest(&nearest, wrong);
    mgl_buffer_text(wrong, "there are");
    const char *comma = "";
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search) {
            mgl_buffer_format(wrong, "%s %s", comma, types[i]->name);
            comma = ",";
        }
}

bool mgl_check_measure(mgl_span value, mgl_buffer *wrong)
{
    const mgl_measure_type *measure;
    mgl_span label;
    if (mgl_value_measure(value, &measure, &label))
        return true;
    const mgl_measure_type *lacking = value_lacks_label(value);
    if (lacking != NULL) {
        mgl_buffer_format(wrong, "needs a column; write %s=COLUMN", lacking->name);
        return false;
    }
    mgl_buffer_text(wrong, "is no measure; ");
    write_measures(value, wrong);
    return false;
}

bool mgl_check_prefer(mgl_span value, mgl_buffer *wrong)
{
    mgl_preference preference;
    if (mgl_read_preference(value, &preference))
        return true;
    mgl_buffer_text(wrong, "is no criterion; give absolute, relative, distribution, suppression "
                           "or a measure: ");
    write_measures(value, wrong);
    return false;
}

/* ---- Syntax ---------------------------------------------------------------------------------- */

static void append_upper(mgl_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        char c = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
        mgl_buffer_append(out, &c, 1);
    }
}

void mgl_key_value_syntax(const mgl_key *key, mgl_buffer *out)
{
    if (key->model == NULL) {
        if (key->value != NULL)
            mgl_buffer_text(out, key->value);
        else
            mgl_value_parser_syntax(&key->parser, out);
        return;
    }
    if (key->model->takes_attribute)
        mgl_buffer_text(out, key->model->n_parameters > 0 ? "COLUMN=" : "COLUMN");
    size_t n = mgl_parameters_needed(key->model); /* words have options of their own */
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        append_upper(out, key->model->parameters[i].name);
    }
}
