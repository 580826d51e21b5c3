/* Suggests a builder for a column: dates, known classifications, codes, numbers, categories, the
 * first that fits its values. */
#include "suggest/suggest.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* A column and its suggestion so far. */
typedef struct column_state {
    const char *column;
    const mgl_dictionary *dictionary;
    mgl_given_kind kind; /* given by the user */
    mgl_profile profile;
    mgl_hierarchy *plain; /* values and '*' */
    mgl_scale *scale;     /* NULL: neither numbers nor dates */
    mgl_suggestion *out;
    mgl_error *err;
} column_state;

/* ---- Builders with steps --------------------------------------------------------------------- */

enum { MOST_STEPS = 24, STEP_SIZE = 40, MOST_LEVELS = 5 };

/* A builder with a list of steps, from fine to coarse: "intervals(" "5" "10" "20" ")". */
typedef struct step_list {
    const char *front;
    size_t n;
    char steps[MOST_STEPS][STEP_SIZE];
} step_list;

/* Values without the missing one. */
static inline uint32_t values_at(const mgl_hierarchy *h, uint32_t level)
{
    return h->levels[level].n_values - (h->missing_leaf != MGL_NOT_FOUND && level < h->height);
}

/* Returns in how many rows a value occurs; 1 if the dictionary does not know it. */
static uint64_t rows_of(const column_state *s, mgl_span value)
{
    if (!mgl_dictionary_knows_rows(s->dictionary))
        return 1;
    return mgl_dictionary_rows(s->dictionary, mgl_dictionary_find(s->dictionary, value));
}

/* Builds the hierarchy; *fits is false if the values do not allow it, and s->err has the reason. */
static mgl_status try_builder(column_state *s, const char *builder, bool *fits)
{
    mgl_hierarchy *hierarchy = NULL;
    mgl_status status = mgl_hierarchy_make(builder, s->column, s->dictionary, s->err, &hierarchy);
    /* Labels of several levels are harder to read than a level less. */
    *fits = status == MGL_OK && !hierarchy->repeats;
    if (status == MGL_OK && !*fits)
        mgl_hierarchy_free(hierarchy);
    if (!*fits)
        return status == MGL_SYSTEM ? status : MGL_OK;
    mgl_hierarchy_free(s->out->hierarchy);
    s->out->hierarchy = hierarchy;
    s->out->builder.size = 0;
    mgl_buffer_text(&s->out->builder, builder);
    return MGL_OK;
}

static void MGL_PRINTF(2, 3) add_step(step_list *list, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(list->steps[list->n++], STEP_SIZE, format, args);
    va_end(args);
}

static mgl_status build(column_state *s, const step_list *list, bool *fits)
{
    mgl_buffer text = {0};
    char *builder;
    mgl_buffer_text(&text, list->front);
    for (size_t i = 0; i < list->n; i++)
        mgl_buffer_format(&text, "%s%s", i > 0 ? "," : "", list->steps[i]);
    mgl_buffer_text(&text, ")");
    MGL_TRY(mgl_buffer_take(&text, s->err, &builder));
    mgl_status status = try_builder(s, builder, fits);
    mgl_free(builder);
    return status;
}

/* Finds the levels of the hierarchy that join values; returns how many there are. */
static size_t find_useful(const mgl_hierarchy *h, size_t n_steps, uint32_t *useful)
{
    size_t n = 0;
    uint32_t below = values_at(h, 0);
    for (uint32_t level = 1; level <= n_steps && level < h->height; level++) {
        uint32_t here = values_at(h, level);
        if (here >= below || here < 2)
            continue;
        useful[n++] = level;
        below = here;
    }
    return n;
}

/* Returns the index of the level that joins the fewest values of the level below it. */
static size_t find_least(const mgl_hierarchy *h, const uint32_t *useful, size_t n)
{
    size_t least = 0;
    double fewest = 0;
    for (size_t i = 0; i < n; i++) {
        double below = values_at(h, i > 0 ? useful[i - 1] : 0);
        double joined = below / values_at(h, useful[i]);
        if (i == 0 || joined < fewest) {
            fewest = joined;
            least = i;
        }
    }
    return least;
}

/* Builds the ladder without the steps that join no values or leave a single one, and without the
 * least useful ones beyond MOST_LEVELS. Then the list has the others. */
static mgl_status fit_steps(column_state *s, step_list *list, bool *fits)
{
    uint32_t useful[MOST_STEPS];
    MGL_TRY(build(s, list, fits));
    if (!*fits)
        return MGL_OK;
    /* The finest step may be the values themselves, and no level then. */
    size_t skipped = list->n + 1 - s->out->hierarchy->height;
    size_t n = find_useful(s->out->hierarchy, list->n - skipped, useful);
    while (n > MOST_LEVELS) {
        size_t least = find_least(s->out->hierarchy, useful, n--);
        for (size_t i = least; i < n; i++)
            useful[i] = useful[i + 1];
    }
    *fits = n > 0;
    if (n == list->n || n == 0)
        return MGL_OK;
    for (size_t i = 0; i < n; i++)
        memmove(list->steps[i], list->steps[useful[i] - 1 + skipped], STEP_SIZE);
    list->n = n;
    return build(s, list, fits);
}

/* ---- Dates ----------------------------------------------------------------------------------- */

/* Fine to coarse; steps that join nothing fall away. Weeks do not nest in months. */
static const char *const long_steps[] = {"month", "year", "5y", "10y", NULL};
static const char *const short_steps[] = {"month", "quarter", "year", NULL};
static const char *const time_steps[] = {"hour", "day", "month", "quarter",
                                         "year", "5y",  "10y",   NULL};
static const char *const day_steps[] = {"day", "month", "quarter", "year", "5y", "10y", NULL};
static const char *const year_steps[] = {"year", "5y", "10y", NULL};

/* Births reach over decades, admissions over a year or two. */
enum { DAYS_OF_EVENTS = 5 * 366 };

static mgl_status try_steps(column_state *s, const char *front, const char *const *steps,
                            bool *fits)
{
    step_list list = {.front = front};
    for (size_t i = 0; steps[i] != NULL; i++)
        add_step(&list, "%s", steps[i]);
    return fit_steps(s, &list, fits);
}

static bool is_short(const column_state *s)
{
    const mgl_scale *scale = s->scale;
    if (scale == NULL || scale->kind != MGL_SCALE_DATES)
        return false;
    return scale->of_leaf[scale->ordered[scale->n_ordered - 1]] -
               scale->of_leaf[scale->ordered[0]] <=
           DAYS_OF_EVENTS;
}

static mgl_status suggest_dates(column_state *s, bool *fits)
{
    bool times = s->profile.kind == MGL_VALUE_DATE_TIME;
    *fits = s->kind == MGL_GIVEN_DATE ||
            (s->kind == MGL_GIVEN_NOTHING && mgl_profile_is_date(&s->profile));
    if (!*fits)
        return MGL_OK;
    MGL_TRY(try_steps(s, "dates(",
                      times         ? time_steps
                      : is_short(s) ? short_steps
                                    : long_steps,
                      fits));
    if (!*fits && times) /* not all of them have a time */
        MGL_TRY(try_steps(s, "dates(", day_steps, fits));
    if (*fits) {
        mgl_buffer_text(&s->out->reason, times ? "dates with a time" : "dates");
        mgl_buffer_text(&s->out->alternatives,
                        times || is_short(s) ? "dates(week)" : "dates(year,10y)");
        return MGL_OK;
    }
    /* The year is the same whether the day or the month comes first. */
    MGL_TRY(try_steps(s, "dates(dmy; ", year_steps, fits));
    if (!*fits)
        return MGL_OK;
    mgl_buffer_text(&s->out->reason,
                    "dates that can be read with the day or the month first: years alone");
    mgl_buffer_text(&s->out->alternatives,
                    "dates(dmy; month,year,5y,10y) or dates(mdy; month,year,5y,10y)");
    return MGL_OK;
}

/* ---- Known classifications ------------------------------------------------------------------- */

enum { FEWEST_VALUES = 5 }; /* fewer could be such values by chance */

#define DIAGNOSES "diagnosis|icd|icd code|dx|disease|cause of death|diagnose|diagnostic"

#define NACE                                                                                       \
    "nace|nace code|nace 2|nace2|nace rev 2|wz|wz08|wz 2008|wz2008|naf|code naf|ape|code "         \
    "ape|ateco"

/* Names of columns of branches, whose codes may be those of another classification: SIC, NAICS. */
#define BRANCHES                                                                                   \
    "industry|industry code|branch|branche|branchencode|wirtschaftszweig|sector|secteur|"          \
    "sector code|economic activity|activity code|activite|activite principale|settore|actividad|"  \
    "bedrijfstak"

typedef struct known {
    const char *whole; /* all of its levels, to try */
    const char *front, *steps[4];
    const char *words;                         /* names of such columns */
    const char *hints;                         /* that do where values look so, too; NULL: none */
    bool (*is_written)(const column_state *s); /* as no other classification writes them */
    bool (*is_sure)(const column_state *s);    /* do the values suffice without a name? NULL: no */
    const char *reason, *alternatives;
} known;

/* How many values, but the missing one, have this property. */
static uint32_t count_values(const column_state *s, bool (*has)(mgl_span value))
{
    uint32_t n = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary); code++)
        if (code != mgl_dictionary_missing(s->dictionary))
            n += has(mgl_dictionary_value(s->dictionary, code));
    return n;
}

static bool has_dot(mgl_span value)
{
    return value.size > 4 && value.data[3] == '.';
}

/* E11.9: rooms or bus lines are not written like this. */
static bool are_dotted(const column_state *s)
{
    return 2 * count_values(s, has_dot) >= s->profile.distinct;
}

static bool has_point(mgl_span value)
{
    return memchr(value.data, '.', value.size) != NULL;
}

static bool has_letter_of_icd9(mgl_span value)
{
    return value.size > 0 && strchr("VEve", value.data[0]) != NULL;
}

/* 250.02 could be an amount: some code must have a letter, as V30.0 and E850 have; then names of
 * diagnoses or points will do. */
static bool are_diagnoses(const column_state *s)
{
    return count_values(s, has_letter_of_icd9) > 0 &&
           (2 * count_values(s, has_point) >= s->profile.distinct ||
            mgl_column_is_called(s->column, DIAGNOSES "|diag"));
}

static bool is_long(mgl_span value)
{
    return value.size > 3;
}

/* Names, or codes of three letters; two letters are as often states or languages. */
static bool are_named(const column_state *s)
{
    return 2 * count_values(s, is_long) >= s->profile.distinct;
}

/* N02BE01, whose shape few other codes have. */
static bool is_substance(mgl_span value)
{
    return value.size == 7;
}

static bool are_substances(const column_state *s)
{
    return 2 * count_values(s, is_substance) >= s->profile.distinct;
}

static bool is_region(mgl_span value)
{
    return value.size == 5 && value.data[4] >= '0' && value.data[4] <= '9';
}

/* DE212, FR101: what begins with letters of one country may be a part number. */
static bool are_regions(const column_state *s)
{
    uint32_t changes = 0, missing = mgl_dictionary_missing(s->dictionary);
    mgl_span before = {0};
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary) && changes < 3; code++) {
        mgl_span value = mgl_dictionary_value(s->dictionary, code);
        if (code == missing || value.size < 2)
            continue;
        changes += before.size == 0 || memcmp(before.data, value.data, 2) != 0;
        before = value;
    }
    return changes >= 3 && 2 * count_values(s, is_region) >= s->profile.distinct;
}

static bool have_decimals(const column_state *s)
{
    return 2 * count_values(s, has_point) >= s->profile.distinct;
}

/* C10.11, 10.11: an industry of four digits may be one of SIC or NAICS. */
static bool has_branch(mgl_span value)
{
    return value.size > 3 &&
           (value.data[2] == '.' || (value.data[3] == '.' && mgl_is_letter(value.data[0])));
}

static bool are_branches(const column_state *s)
{
    return 2 * count_values(s, has_branch) >= s->profile.distinct;
}

static const known kinds[] = {
    {.whole = "icd10(category,block,chapter)",
     .front = "icd10(",
     .steps = {"category", "block", "chapter"},
     .words = DIAGNOSES "|icd10",
     .is_sure = are_dotted,
     .reason = "codes of ICD-10",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "icd9(category,block,chapter)",
     .front = "icd9(",
     .steps = {"category", "block", "chapter"},
     .words = "icd9|icd 9|icd9cm|icd 9 cm|icd9 code|icd 9 code",
     .is_sure = are_diagnoses,
     .reason = "diagnoses of ICD-9",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "iso3166(subregion,region)",
     .front = "iso3166(",
     .steps = {"subregion", "region"},
     .words = "country|native country|nationality|citizenship|birthplace|country of birth|country "
              "code|nation|land|pays|staatsangehoerigkeit",
     .is_sure = are_named,
     .reason = "countries",
     .alternatives = "iso3166(intermediate,subregion,region); groups(FILE) for groups of your own"},
    {.whole = "atc(anatomical)",
     .front = "atc(",
     .steps = {"chemical", "pharmacological", "therapeutic", "anatomical"},
     .words = "atc|atc code|atc5|atc 5|drug code|medication code",
     .is_sure = are_substances,
     .reason = "medicines by ATC",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "nuts(country)",
     .front = "nuts(",
     .steps = {"nuts2", "nuts1", "country"},
     .words = "nuts|nuts code|nuts id|nuts3|nuts 3|nuts2|nuts 2|geo|region|region code",
     .is_sure = are_regions,
     .reason = "regions of NUTS",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "isco(major)",
     .front = "isco(",
     .steps = {"unit", "minor", "submajor", "major"},
     .words = "isco|isco 08|isco08|isco code|isco 08 code|isco08 code",
     .reason = "occupations of ISCO-08",
     .alternatives = "mask(right) if they are codes of another classification"},
    {.whole = "iscedf(broad)",
     .front = "iscedf(",
     .steps = {"detailed", "narrow", "broad"},
     .words = "iscedf|isced f|isced f 2013|iscedf13|iscedf 13|isced field",
     .reason = "fields of education of ISCED-F 2013",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "isced(group)",
     .front = "isced(",
     .steps = {"category", "level", "group"},
     .words = "isced|isced 11|isced11|isced 2011|isced level|isced code|isced97",
     .reason = "levels of education of ISCED 2011",
     .alternatives = "groups(FILE) for groups of your own"},
    {.whole = "nace(section)",
     .front = "nace(",
     .steps = {"class", "group", "division", "section"},
     .words = NACE,
     .hints = BRANCHES,
     .is_written = are_branches,
     .reason = "economic activities of NACE Rev. 2",
     .alternatives = "nace21 if they are codes of Rev. 2.1"},
    {.whole = "nace21(section)",
     .front = "nace21(",
     .steps = {"class", "group", "division", "section"},
     .words = NACE "|nace 2 1|nace21|nace rev 2 1",
     .hints = BRANCHES,
     .is_written = are_branches,
     .reason = "economic activities of NACE Rev. 2.1",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "grid(1)",
     .front = "grid(",
     .steps = {"0.01", "0.1", "1", "10"},
     .words = "coordinates|coordinate|position|latlon|lat lon|latlng|lat lng|geo|geolocation|gps",
     .is_sure = have_decimals,
     .reason = "latitude and longitude",
     .alternatives = "grid(1km,10km,100km) for cells of equal size"},
};

static bool is_called_so(const column_state *s, const known *kind)
{
    return mgl_column_is_called(s->column, kind->words) ||
           (kind->hints != NULL && mgl_column_is_called(s->column, kind->hints) &&
            kind->is_written(s));
}

/* named: by the name of the column, else by the values alone. */
static mgl_status try_kind(column_state *s, const known *kind, bool named, bool *fits)
{
    *fits = named ? is_called_so(s, kind) : kind->is_sure != NULL && kind->is_sure(s);
    if (*fits)
        MGL_TRY(try_builder(s, kind->whole, fits));
    bool known = *fits;
    *fits = false;
    /* A fine level does without, if its labels are also values that cover less (0110, and 110 for
     * it). */
    for (size_t first = 0; known && !*fits && first < 4 && kind->steps[first] != NULL; first++) {
        step_list list = {.front = kind->front};
        for (size_t i = first; i < 4 && kind->steps[i] != NULL; i++)
            add_step(&list, "%s", kind->steps[i]);
        MGL_TRY(fit_steps(s, &list, fits));
    }
    if (!*fits)
        return MGL_OK;
    mgl_buffer_format(&s->out->reason, "%s, %llu different", kind->reason,
                      (unsigned long long)s->profile.distinct);
    mgl_buffer_text(&s->out->alternatives, kind->alternatives);
    return MGL_OK;
}

/* Names go first: C10.11 in a column called NACE is no diagnosis. */
static mgl_status suggest_known(column_state *s, bool *fits)
{
    size_t n = sizeof kinds / sizeof kinds[0];
    *fits = false;
    if (s->kind != MGL_GIVEN_NOTHING || s->profile.distinct < FEWEST_VALUES)
        return MGL_OK;
    for (size_t i = 0; i < 2 * n && !*fits; i++)
        MGL_TRY(try_kind(s, &kinds[i % n], i < n, fits));
    return MGL_OK;
}

/* ---- Codes ----------------------------------------------------------------------------------- */

enum {
    FEWEST_CODES = 9,    /* fewer are categories */
    LONGEST_CODE = 12,   /* longer ones are identifiers */
    SHORTEST_DIGITS = 4, /* 02138, 1010 */
    LONGEST_DIGITS = 9
};

static bool has_topic(const mgl_profile *p, mgl_topic_id topic)
{
    return p->topic != NULL && p->topic->id == topic;
}

/* Do most values end in 0? People round amounts, not codes. */
static bool are_round(const column_state *s)
{
    uint32_t n = 0, all = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary); code++) {
        mgl_span value = mgl_dictionary_value(s->dictionary, code);
        if (code == mgl_dictionary_missing(s->dictionary) || value.size == 0)
            continue;
        all++;
        n += value.data[value.size - 1] == '0';
    }
    return 2 * n > all;
}

/* Digits of one length, and neither years nor amounts. */
static bool are_digits(const column_state *s)
{
    const mgl_profile *p = &s->profile;
    const mgl_shapes *shapes = &p->shapes;
    bool equal = shapes->integers == shapes->values && shapes->shortest == shapes->longest &&
                 shapes->low >= 0 && shapes->longest >= SHORTEST_DIGITS &&
                 shapes->longest <= LONGEST_DIGITS;
    if (!equal || p->n_codes > 0)
        return false;
    if (shapes->padded > 0 || has_topic(p, MGL_TOPIC_POSTCODE))
        return true;
    bool years = shapes->low >= 1850 && shapes->high <= 2100;
    return !years && !has_topic(p, MGL_TOPIC_MONEY) && !has_topic(p, MGL_TOPIC_WEIGHT) &&
           !are_round(s);
}

/* Codes of NACE without dots, of which some lost the zero in front, so that the classification
 * cannot be applied: 111 is 01.11 or 11.1. They are no amounts all the same. */
static bool are_numbered_branches(const column_state *s)
{
    enum { LONGEST_BRANCH = 6 };
    const mgl_shapes *shapes = &s->profile.shapes;
    return shapes->integers == shapes->values && shapes->low >= 0 && shapes->longest > 1 &&
           shapes->longest <= LONGEST_BRANCH && s->profile.distinct >= FEWEST_VALUES &&
           mgl_column_is_called(s->column, NACE);
}

static bool are_codes(const column_state *s)
{
    const mgl_profile *p = &s->profile;
    if ((p->named != NULL || p->looks != NULL) && mgl_profile_singles_out(p))
        return false; /* an identifier, not a code */
    bool padded = p->kind == MGL_VALUE_INTEGER && p->shapes.padded > 0;
    bool written = p->shapes.codes * 10 >= p->shapes.values * 9 && p->kind != MGL_VALUE_DECIMAL &&
                   p->kind != MGL_VALUE_COMMA && p->kind != MGL_VALUE_INTEGER;
    return p->shapes.longest <= LONGEST_CODE &&
           (has_topic(p, MGL_TOPIC_POSTCODE) ||
            ((written || padded) && p->distinct >= FEWEST_CODES));
}

/* mask(right; 1,2,3) is mask(right,3), and mask(right) if that is all there is. */
static mgl_status shorten(column_state *s, const step_list *list)
{
    char text[64];
    bool fits;
    for (size_t i = 0; i < list->n; i++) {
        snprintf(text, sizeof text, "%zu", i + 1);
        if (strcmp(list->steps[i], text) != 0)
            return MGL_OK;
    }
    MGL_TRY(try_builder(s, "mask(right)", &fits));
    if (fits && s->out->hierarchy->height == list->n + 1)
        return MGL_OK;
    snprintf(text, sizeof text, "mask(right,%zu)", list->n);
    return try_builder(s, text, &fits);
}

static mgl_status suggest_codes(column_state *s, bool *fits)
{
    step_list list = {.front = "mask(right; "};
    bool branches = are_numbered_branches(s), digits = are_digits(s);
    *fits = s->kind == MGL_GIVEN_NOTHING && !mgl_profile_is_date(&s->profile) &&
            (branches || digits || are_codes(s));
    if (!*fits)
        return MGL_OK;
    for (unsigned i = 1; i < s->profile.shapes.longest && i < MOST_STEPS; i++)
        add_step(&list, "%u", i);
    if (list.n == 0) {
        *fits = false;
        return MGL_OK;
    }
    MGL_TRY(fit_steps(s, &list, fits));
    if (!*fits)
        return MGL_OK;
    MGL_TRY(shorten(s, &list));
    if (branches)
        mgl_buffer_text(&s->out->reason, "codes of NACE without dots, some without the zeros in "
                                         "front; nace groups them where they have all zeros");
    else if (digits)
        mgl_buffer_format(&s->out->reason, "codes of %zu digits, such as ZIP codes",
                          s->profile.shapes.longest);
    else
        mgl_buffer_text(&s->out->reason, "codes of letters and digits, the front says the most");
    mgl_buffer_text(&s->out->alternatives,
                    "groups(FILE) for regions or chapters; `kind: number` if they are amounts");
    return MGL_OK;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

enum { FEWEST_CLASSES = 12, SMALL_RANGE = 20, MOST_WIDTHS = 4 };

/* Where the column lies, and where the middle nine tenths of its rows do. */
typedef struct extent {
    double low, high, middle;
} extent;

static double number_at(const column_state *s, uint32_t position)
{
    return s->scale->of_leaf[s->scale->ordered[position]];
}

/* The number that a share of the rows lies below. A few very large ones shall not make the widths
 * so wide that all others fall into one interval. */
static double quantile(const column_state *s, double share, uint64_t all)
{
    uint64_t rows = 0;
    uint32_t position = 0;
    for (; position + 1 < s->scale->n_ordered; position++) {
        rows += rows_of(s, s->plain->levels[0].labels[s->scale->ordered[position]]);
        if ((double)rows >= share * (double)all)
            break;
    }
    return number_at(s, position);
}

static extent extent_of(const column_state *s)
{
    uint64_t all = 0;
    for (uint32_t i = 0; i < s->scale->n_ordered; i++)
        all += rows_of(s, s->plain->levels[0].labels[s->scale->ordered[i]]);
    extent e = {number_at(s, 0), number_at(s, s->scale->n_ordered - 1), 0};
    e.middle = quantile(s, 0.95, all) - quantile(s, 0.05, all);
    /* Most rows have one number: the others decide. */
    if (e.middle <= 0)
        e.middle = e.high - e.low;
    return e;
}

/* 1, 5, 10, 50, ...; 2, 10, 20, 100, ...; 5, 10, 20, 100, ... */
static void add_widths(step_list *list, int first, int exponent, double range)
{
    int digit = first;
    while (list->n < MOST_WIDTHS && digit * pow(10, exponent) < range) {
        /* digit * 10^exponent as decimal text. */
        char zeros[] = "000000000000000000000000000000";
        int room = (int)sizeof zeros - 1;
        if (exponent >= 0)
            add_step(list, "%d%.*s", digit, exponent < room ? exponent : room, zeros);
        else
            add_step(list, "0.%.*s%d", -exponent - 1 < room ? -exponent - 1 : room, zeros, digit);
        exponent += digit != 1;
        digit = digit != 1 ? 1 : first == 1 ? 5 : 2;
    }
}

static bool are_years(const extent *e)
{
    return e->low >= 1850 && e->high <= 2100;
}

static bool are_ages(const column_state *s, const extent *e)
{
    return s->profile.topic != NULL && s->profile.topic->id == MGL_TOPIC_AGE && e->low >= 0 &&
           e->high <= 130 && e->high - e->low >= 10;
}

static void choose_widths(const column_state *s, const extent *e, step_list *list)
{
    double range = e->high - e->low;
    int digit, exponent;
    list->front = "intervals(";
    if (s->scale->whole && (are_years(e) || are_ages(s, e))) {
        static const char *const usual[] = {"5", "10", "20"};
        for (size_t i = 0; i < 3; i++)
            add_step(list, "%s", usual[i]);
        return;
    }
    if (s->scale->whole && range < SMALL_RANGE) { /* children, rooms: two and two */
        for (unsigned width = 2; width < SMALL_RANGE; width *= 2)
            add_step(list, "%u", width);
        return;
    }
    /* 1, 2 or 5 times a power of ten: the largest that is not above the number. */
    double number = e->middle / FEWEST_CLASSES;
    /* Nudged up, because 0.05 / 0.01 may come out just below 5. */
    exponent = (int)floor(log10(number) + 1e-9);
    double leading = number / pow(10, exponent) + 1e-9;
    digit = leading >= 5 ? 5 : leading >= 2 ? 2 : 1;
    if (s->scale->whole && (exponent < 0 || (exponent == 0 && digit == 1))) {
        digit = 2;
        exponent = 0;
    }
    add_widths(list, digit, exponent, range);
}

static mgl_status suggest_numbers(column_state *s, bool *fits)
{
    step_list list = {0};
    *fits = s->scale != NULL && s->scale->kind == MGL_SCALE_NUMBERS && s->scale->n_ordered > 1 &&
            (s->kind == MGL_GIVEN_NUMBER ||
             (s->kind == MGL_GIVEN_NOTHING && mgl_profile_is_number(&s->profile)));
    if (!*fits)
        return MGL_OK;
    extent e = extent_of(s);
    *fits = e.high - e.low > 1e-9 && e.high - e.low < 1e18;
    if (!*fits)
        return MGL_OK;
    choose_widths(s, &e, &list);
    MGL_TRY(fit_steps(s, &list, fits));
    if (!*fits)
        return MGL_OK;
    const char *what = !s->scale->whole  ? "decimal numbers"
                       : are_years(&e)   ? "years"
                       : are_ages(s, &e) ? "ages"
                                         : "whole numbers";
    mgl_buffer_format(&s->out->reason, "%s, %u different", what, s->scale->n_ordered);
    if (mgl_column_is_called(s->column, "latitude|lat"))
        mgl_buffer_text(&s->out->alternatives, "grid(lat; 10km,100km) for bands of kilometres; ");
    if (mgl_column_is_called(s->column, "longitude|lon|lng|long"))
        mgl_buffer_text(&s->out->alternatives,
                        "grid(lon at LATITUDE; 10km,100km) for kilometres at a latitude; ");
    mgl_buffer_text(&s->out->alternatives,
                    are_ages(s, &e)
                        ? "cuts(18,30,45,65,80) for bands of your own"
                        : "cuts(...) for bands of your own; `kind: nominal` if they are codes");
    return MGL_OK;
}

/* ---- Categories ------------------------------------------------------------------------------ */

enum { FEWEST_ROWS = 5, ROWS_PER_RARE = 100 };

static uint64_t rows_of_code(const column_state *s, uint32_t code)
{
    return rows_of(s, mgl_dictionary_value(s->dictionary, code));
}

/* Is there more than one to keep and more than one to join, and enough rows in the joined ones? */
static bool divides(const column_state *s, uint64_t least)
{
    uint32_t kept = 0, joined = 0;
    uint64_t rows = 0;
    for (uint32_t code = 0; code < mgl_dictionary_size(s->dictionary); code++) {
        if (code == mgl_dictionary_missing(s->dictionary))
            continue;
        uint64_t here = rows_of_code(s, code);
        kept += here >= least;
        joined += here < least;
        rows += here < least ? here : 0;
    }
    return kept > 1 && joined > 1 && rows >= least;
}

/* A hundredth of the rows, less where that keeps nothing; rounded down to one digit: 300 for
 * 301. */
static uint64_t rare_rows(const column_state *s)
{
    for (uint64_t least = s->profile.rows / ROWS_PER_RARE;; least /= 10) {
        uint64_t unit = 1;
        while (unit * 10 <= least)
            unit *= 10;
        uint64_t rounded = least / unit * unit;
        rounded = rounded > FEWEST_ROWS ? rounded : FEWEST_ROWS;
        if (divides(s, rounded))
            return rounded;
        if (least <= FEWEST_ROWS)
            return 0;
    }
}

/* Texts that hardly repeat identify people, and are not categories. */
static bool is_identifying(const mgl_profile *p)
{
    bool texts = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
    return (texts && p->rows - p->missing >= MGL_FEWEST_JUDGED) || mgl_profile_singles_out(p);
}

static bool is_read(const column_state *s, mgl_span value)
{
    const mgl_notation *notation = mgl_dictionary_notation(s->dictionary);
    double number;
    return mgl_profile_is_date(&s->profile) ? mgl_date_fault_of(notation, value) == MGL_DATE_FINE
                                            : mgl_notation_number(notation, value, &number);
}

/* Names the place of the first value that is not of the others' kind. */
static void describe_unread(column_state *s)
{
    char place[MGL_PLACE_TEXT] = "";
    for (uint32_t code = 0; place[0] == '\0' && code < mgl_dictionary_size(s->dictionary); code++) {
        mgl_span value = mgl_dictionary_value(s->dictionary, code);
        if (code != mgl_dictionary_missing(s->dictionary) && !is_read(s, value))
            mgl_dictionary_origin(s->dictionary, value, place);
    }
    mgl_buffer_format(
        &s->out->reason, "%s, but %s%s cannot be read so; name what means missing by `missing`%s",
        mgl_value_kind_name(s->profile.kind), place[0] != '\0' ? "the value of " : "some values",
        place, mgl_profile_is_date(&s->profile) ? ", two-digit years need `century`" : "");
}

static void describe_reason(column_state *s)
{
    const mgl_profile *p = &s->profile;
    mgl_buffer *out = &s->out->reason;
    bool ordered = mgl_profile_is_number(p) || mgl_profile_is_date(p);
    if (p->distinct == 0) {
        mgl_buffer_text(out, "no values");
    } else if (ordered && s->scale == NULL) {
        describe_unread(s);
    } else if (is_identifying(p)) {
        mgl_buffer_format(out,
                          "%llu different texts: looks like an identifier or free text; drop the "
                          "column",
                          (unsigned long long)p->distinct);
    } else {
        mgl_buffer_format(out, "%llu different value%s%s", (unsigned long long)p->distinct,
                          p->distinct == 1 ? "" : "s",
                          mgl_profile_is_nominal(p) ? ", taken for codes" : "");
    }
}

static void describe_alternatives(column_state *s)
{
    const mgl_profile *p = &s->profile;
    mgl_buffer *out = &s->out->alternatives;
    if (mgl_profile_is_nominal(p) && s->kind == MGL_GIVEN_NOTHING)
        mgl_buffer_text(out, "`kind: number` if they are quantities; ");
    if (p->distinct > 2 && !is_identifying(p))
        mgl_buffer_text(out, "groups(FILE) for groups that mean something");
}

static mgl_status suggest_categories(column_state *s, bool *fits)
{
    const mgl_profile *p = &s->profile;
    bool text = p->kind == MGL_VALUE_NAME || p->kind == MGL_VALUE_TEXT;
    uint64_t least = !text && mgl_dictionary_knows_rows(s->dictionary) ? rare_rows(s) : 0;
    char builder[48];
    *fits = false;
    if (least > 0) {
        snprintf(builder, sizeof builder, "rare(%llu)", (unsigned long long)least);
        MGL_TRY(try_builder(s, builder, fits));
    }
    if (!*fits)
        MGL_TRY(try_builder(s, "suppress", fits));
    describe_reason(s);
    describe_alternatives(s);
    return MGL_OK;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static mgl_status find_profile(column_state *s)
{
    uint32_t n = mgl_dictionary_size(s->dictionary);
    uint64_t *rows = mgl_alloc_array(n, sizeof *rows);
    MGL_TRY(mgl_check_memory(rows != NULL, s->err));
    /* What only a population has counts once: it is a value of the column, too. */
    for (uint32_t code = 0; code < n; code++) {
        rows[code] = mgl_dictionary_rows(s->dictionary, code);
        rows[code] += rows[code] == 0;
    }
    mgl_status status = mgl_profile_of(s->column, s->dictionary, rows, s->err, &s->profile);
    mgl_free(rows);
    return status;
}

/* The user has given a kind that the values do not have: the error of the builder has the
 * reason. */
static mgl_status refuse_kind(column_state *s)
{
    bool fits;
    MGL_TRY(try_builder(s, s->kind == MGL_GIVEN_DATE ? "dates(year)" : "intervals(10)", &fits));
    if (fits) /* it is so, but there are no values to join */
        return suggest_categories(s, &fits);
    return s->err != NULL ? s->err->status : MGL_USAGE;
}

/* Puts a suggestion into s->out and sets *fits, or leaves it as it is. */
typedef mgl_status suggest_fn(column_state *s, bool *fits);

static mgl_status choose(column_state *s)
{
    static suggest_fn *const in_turn[] = {suggest_dates, suggest_known, suggest_codes,
                                          suggest_numbers};
    enum { N = sizeof in_turn / sizeof in_turn[0] };
    bool fits = false;
    if (mgl_dictionary_size(s->dictionary) == 0) {
        mgl_buffer_text(&s->out->builder, "suppress");
        mgl_buffer_text(&s->out->reason, "no values");
        return MGL_OK;
    }
    MGL_TRY(mgl_hierarchy_make(NULL, s->column, s->dictionary, s->err, &s->plain));
    MGL_TRY(mgl_scale_new(s->plain, s->err, &s->scale));
    for (size_t i = 0; s->kind != MGL_GIVEN_NOMINAL && !fits && i < N; i++)
        MGL_TRY(in_turn[i](s, &fits));
    if (fits)
        return MGL_OK;
    if (s->kind == MGL_GIVEN_NUMBER || s->kind == MGL_GIVEN_DATE)
        return refuse_kind(s);
    return suggest_categories(s, &fits);
}

static mgl_status try_suggest(column_state *s)
{
    MGL_TRY(find_profile(s));
    MGL_TRY(choose(s));
    if (s->out->builder.failed || s->out->reason.failed || s->out->alternatives.failed)
        return mgl_fail_memory(s->err);
    return MGL_OK;
}

mgl_status mgl_suggest(const char *column, const mgl_dictionary *dictionary, mgl_given_kind kind,
                       mgl_error *err, mgl_suggestion *out)
{
    mgl_error own = {0}; /* a builder that does not fit is no failure */
    *out = (mgl_suggestion){0};
    column_state s = {
        .column = column, .dictionary = dictionary, .kind = kind, .out = out, .err = &own};
    mgl_status status = try_suggest(&s);
    mgl_scale_free(s.scale);
    mgl_hierarchy_free(s.plain);
    if (status == MGL_OK)
        return MGL_OK;
    mgl_suggestion_free(out);
    return mgl_fail_as(err, &own);
}

void mgl_suggestion_free(mgl_suggestion *suggestion)
{
    mgl_hierarchy_free(suggestion->hierarchy);
    mgl_buffer_free(&suggestion->builder);
    mgl_buffer_free(&suggestion->reason);
    mgl_buffer_free(&suggestion->alternatives);
    *suggestion = (mgl_suggestion){0};
}
