/* What is said about values that a form alone does not judge: names and texts. The rows of the
 * table of keys name these checks. */
#include "job/keys/values.h"

#include "condition/condition.h"

static bool say(bool fine, mgl_buffer *wrong, const char *text)
{
    if (!fine)
        mgl_buffer_text(wrong, text);
    return fine;
}

static void say_nearest(const mgl_nearest *nearest, mgl_buffer *wrong)
{
    if (nearest->best != NULL)
        mgl_buffer_format(wrong, "did you mean %s? ", nearest->best);
}

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
    for (size_t i = 0; (name = mgl_sql_spoken(i)) != NULL; i++) {
        if (mgl_span_is(value, name))
            return true;
        mgl_nearest_try(&nearest, name);
    }
    mgl_buffer_text(wrong, "is no dialect of SQL; ");
    say_nearest(&nearest, wrong);
    mgl_buffer_text(wrong, "give one of");
    for (size_t i = 0; (name = mgl_sql_spoken(i)) != NULL; i++)
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

/* ---- Names ---------------------------------------------------------------------- */

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
    say_nearest(&nearest, wrong);
    mgl_buffer_text(wrong, "there are");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(wrong, "%s %s", i > 0 ? "," : "", types[i]->name);
    return false;
}

static void say_measures(mgl_span value, mgl_buffer *wrong)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    mgl_nearest nearest = mgl_nearest_to(value);
    for (size_t i = 0; i < n; i++)
        if (types[i]->drives_search)
            mgl_nearest_try(&nearest, types[i]->name);
    say_nearest(&nearest, wrong);
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
    const mgl_measure_type *lacking = mgl_value_lacks_label(value);
    if (lacking != NULL) {
        mgl_buffer_format(wrong, "needs a column; write %s=COLUMN", lacking->name);
        return false;
    }
    mgl_buffer_text(wrong, "is no measure; ");
    say_measures(value, wrong);
    return false;
}

bool mgl_check_prefer(mgl_span value, mgl_buffer *wrong)
{
    mgl_preference preference;
    if (mgl_read_preference(value, &preference))
        return true;
    mgl_buffer_text(wrong, "is no criterion; give absolute, relative, distribution, suppression "
                           "or a measure: ");
    say_measures(value, wrong);
    return false;
}
