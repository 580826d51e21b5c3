/* What is said about a value that is not well formed. */
#include "job/values.h"

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

bool mgl_check_flag(mgl_span value, mgl_buffer *wrong)
{
    bool flag;
    return say(mgl_value_flag(value, &flag), wrong, "is neither true nor false; write one of them");
}

bool mgl_check_role(mgl_span value, mgl_buffer *wrong)
{
    mgl_role role;
    return say(mgl_role_parse(value, &role) && role != MGL_ROLE_NONE, wrong,
               "is no role; give quasi, sensitive, identifier or insensitive");
}

bool mgl_check_kind(mgl_span value, mgl_buffer *wrong)
{
    mgl_said_kind kind;
    return say(mgl_said_kind_parse(value, &kind), wrong,
               "is no kind; give nominal, number or date");
}

bool mgl_check_rest(mgl_span value, mgl_buffer *wrong)
{
    mgl_role role;
    return say(mgl_value_rest(value, &role), wrong,
               "is not possible; give insensitive (release as they are) or drop");
}

bool mgl_check_weight(mgl_span value, mgl_buffer *wrong)
{
    double weight;
    return say(mgl_parse_double(value, &weight) && weight >= 0, wrong,
               "is no weight; give a number of at least 0");
}

bool mgl_check_portion(mgl_span value, mgl_buffer *wrong)
{
    double portion;
    return say(mgl_parse_double(value, &portion) && portion >= 0 && portion <= 1, wrong,
               "is out of range; give a number from 0 to 1");
}

bool mgl_check_fraction(mgl_span value, mgl_buffer *wrong)
{
    double fraction;
    return say(mgl_parse_double(value, &fraction) && fraction > 0 && fraction <= 1, wrong,
               "is no share of a population; give a number above 0, at most 1");
}

bool mgl_check_share(mgl_span value, mgl_buffer *wrong)
{
    double share;
    return say(mgl_value_share(value, &share), wrong,
               "is no share of the rows; give for example 5%");
}

bool mgl_check_level(mgl_span value, mgl_buffer *wrong)
{
    uint32_t min, max;
    return say(mgl_value_level(value, &min, &max), wrong,
               "is no range of levels; give for example 1..3, 2.. or 2");
}

bool mgl_check_suppress(mgl_span value, mgl_buffer *wrong)
{
    uint64_t rows;
    bool share = value.size > 0 && value.data[value.size - 1] == '%';
    bool fine = share ? mgl_parse_share((mgl_span){value.data, value.size - 1}, true, 1, &rows)
                      : mgl_parse_u64(value, &rows);
    return say(fine, wrong, "is no number of rows and no share; give for example 20 or 2%");
}

bool mgl_check_treatment(mgl_span value, mgl_buffer *wrong)
{
    mgl_treatment treatment;
    return say(mgl_value_treatment(value, &treatment), wrong,
               "is not possible; give keep, drop or exempt");
}

bool mgl_check_effort(mgl_span value, mgl_buffer *wrong)
{
    mgl_effort effort;
    return say(mgl_value_effort(value, &effort), wrong,
               "is not possible; give fast, balanced or best");
}

bool mgl_check_cut(mgl_span value, mgl_buffer *wrong)
{
    mgl_cut cut;
    return say(mgl_value_cut(value, &cut), wrong, "is not possible; give strict or relaxed");
}

bool mgl_check_replace(mgl_span value, mgl_buffer *wrong)
{
    mgl_replace replace;
    return say(mgl_value_replace(value, &replace), wrong,
               "is not possible; give mean, median or range");
}

bool mgl_check_matches(mgl_span value, mgl_buffer *wrong)
{
    bool all;
    return say(mgl_value_matches(value, &all), wrong, "is not possible; give itself or all");
}

bool mgl_check_accept(mgl_span value, mgl_buffer *wrong)
{
    return say(mgl_span_is(value, "unsafe"), wrong, "is not possible; give unsafe");
}

bool mgl_check_history(mgl_span value, mgl_buffer *wrong)
{
    return say(mgl_span_is(value, "searching") || mgl_span_is(value, "afterwards"), wrong,
               "is not possible; give searching or afterwards");
}

bool mgl_check_combinations(mgl_span value, mgl_buffer *wrong)
{
    mgl_combinations combinations = {0};
    return say(mgl_value_combination(value, &combinations), wrong,
               "is no kind of combinations; give sizes such as 2,3, or published, or all");
}

bool mgl_check_identification(mgl_span value, mgl_buffer *wrong)
{
    uint32_t level;
    return say(mgl_value_u32(value, &level) && level >= 1 && level <= 3, wrong,
               "is no identification level; give 1 (most), 2 (more) or 3 (identifying)");
}

bool mgl_check_steps(mgl_span value, mgl_buffer *wrong)
{
    uint32_t steps;
    return say(mgl_value_u32(value, &steps), wrong, "is no number of levels; give for example 1");
}

bool mgl_check_delimiter(mgl_span value, mgl_buffer *wrong)
{
    char delimiter;
    return say(mgl_value_delimiter(value, &delimiter), wrong,
               "is no delimiter; give one ASCII character, or tab, comma, semicolon, pipe, space");
}

bool mgl_check_decimal(mgl_span value, mgl_buffer *wrong)
{
    char decimal;
    return say(mgl_value_decimal(value, &decimal), wrong,
               "is no decimal sign; give . or , (or point, comma)");
}

bool mgl_check_century(mgl_span value, mgl_buffer *wrong)
{
    uint8_t year;
    return say(mgl_value_century(value, &year), wrong,
               "is no two-digit year; give the last one that is of this century, 00 to 99");
}

bool mgl_check_threads(mgl_span value, mgl_buffer *wrong)
{
    uint64_t threads;
    return say(mgl_parse_u64(value, &threads) && threads >= 1 && threads <= 1024, wrong,
               "is no number of threads; give a whole number from 1 to 1024");
}

bool mgl_check_size(mgl_span value, mgl_buffer *wrong)
{
    uint64_t size;
    return say(mgl_value_size(value, &size), wrong,
               "is no amount of memory; give bytes, or for example 500M or 2G");
}

bool mgl_check_seconds(mgl_span value, mgl_buffer *wrong)
{
    double seconds;
    return say(mgl_parse_double(value, &seconds) && seconds > 0, wrong,
               "is no time; give seconds, more than 0");
}

bool mgl_check_whole(mgl_span value, mgl_buffer *wrong)
{
    uint64_t number;
    return say(mgl_parse_u64(value, &number), wrong, "is no whole number; give for example 1");
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

bool mgl_check_k(mgl_span value, mgl_buffer *wrong)
{
    uint64_t k;
    return say(mgl_parse_u64(value, &k) && k >= 1, wrong,
               "is no k; give whole numbers of at least 1, for example 2,5,10");
}

bool mgl_check_least_count(mgl_span value, mgl_buffer *wrong)
{
    uint64_t least;
    return say(mgl_parse_u64(value, &least) && least >= 2, wrong,
               "is no number of rows; give a whole number of at least 2");
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
    if (mgl_value_method(value) != NULL)
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
    if (mgl_value_preference(value, &preference))
        return true;
    mgl_buffer_text(wrong, "is no criterion; give absolute, relative, distribution, suppression "
                           "or a measure: ");
    say_measures(value, wrong);
    return false;
}
