/* Suggests builders that know their values: codes of ICD-10, countries, coordinates. Values that
 * merely could be such codes need a column that is called so. suggest.c tries it after dates. */
#include "suggest/suggesting.h"

enum { FEWEST_VALUES = 5 }; /* fewer could be such values by chance */

typedef struct known {
    const char *whole; /* all of its levels, to try */
    const char *front, *steps[4];
    const char *words;                        /* names of columns that speak of it */
    bool (*is_sure)(const mgl_suggesting *s); /* may the values alone tell? */
    const char *reason, *alternatives;
} known;

/* ---- What the values alone tell ------------------------------------------------------------- */

/* How many values, but the missing one, have this property. */
static uint32_t count_values(const mgl_suggesting *s, bool (*has)(mgl_span value))
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

/* E11.9: a room or a line of a bus is not written so. */
static bool are_dotted(const mgl_suggesting *s)
{
    return 2 * count_values(s, has_dot) >= s->profile.distinct;
}

static bool is_long(mgl_span value)
{
    return value.size > 3;
}

/* Names, or codes of three letters; two letters are as often states or languages. */
static bool are_named(const mgl_suggesting *s)
{
    return 2 * count_values(s, is_long) >= s->profile.distinct;
}

static bool has_point(mgl_span value)
{
    return memchr(value.data, '.', value.size) != NULL;
}

static bool have_decimals(const mgl_suggesting *s)
{
    return 2 * count_values(s, has_point) >= s->profile.distinct;
}

static const known kinds[] = {
    {.whole = "icd10(category,block,chapter)",
     .front = "icd10(",
     .steps = {"category", "block", "chapter"},
     .words = "diagnosis|icd|icd10|icd code|dx|disease|cause of death|diagnose|diagnostic",
     .is_sure = are_dotted,
     .reason = "codes of ICD-10",
     .alternatives = "mask(right) if they are other codes"},
    {.whole = "iso3166(subregion,region)",
     .front = "iso3166(",
     .steps = {"subregion", "region"},
     .words = "country|native country|nationality|citizenship|birthplace|country of birth|country "
              "code|nation|land|pays|staatsangehoerigkeit",
     .is_sure = are_named,
     .reason = "countries",
     .alternatives = "iso3166(intermediate,subregion,region); groups(FILE) for groups of your own"},
    {.whole = "grid(1)",
     .front = "grid(",
     .steps = {"0.01", "0.1", "1", "10"},
     .words = "coordinates|coordinate|position|latlon|lat lon|latlng|lat lng|geo|geolocation|gps",
     .is_sure = have_decimals,
     .reason = "latitude and longitude",
     .alternatives = "grid(1km,10km,100km) for cells of equal size"},
};

/* ---- Trying --------------------------------------------------------------------------------- */

static mgl_status try_kind(mgl_suggesting *s, const known *kind, bool *fits)
{
    mgl_ladder ladder = {.front = kind->front};
    *fits = mgl_column_is_called(s->column, kind->words) || kind->is_sure(s);
    if (*fits)
        MGL_TRY(mgl_try_builder(s, kind->whole, fits));
    if (!*fits)
        return MGL_OK;
    for (size_t i = 0; i < 4 && kind->steps[i] != NULL; i++)
        mgl_ladder_add(&ladder, "%s", kind->steps[i]);
    MGL_TRY(mgl_ladder_fit(s, &ladder, fits));
    if (!*fits)
        return MGL_OK;
    mgl_buffer_format(&s->out->reason, "%s, %llu different", kind->reason,
                      (unsigned long long)s->profile.distinct);
    mgl_buffer_text(&s->out->alternatives, kind->alternatives);
    return MGL_OK;
}

mgl_status mgl_suggest_known(mgl_suggesting *s, bool *fits)
{
    *fits = false;
    if (s->said != MGL_SAID_NOTHING || s->profile.distinct < FEWEST_VALUES)
        return MGL_OK;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && !*fits; i++)
        MGL_TRY(try_kind(s, &kinds[i], fits));
    return MGL_OK;
}
