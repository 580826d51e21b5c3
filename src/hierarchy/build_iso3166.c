/* Builds iso3166: DE -> Western Europe -> Europe -> *. A country is its code of two or three
 * letters, its number or an English name. A row of the table in builders.c. */
#include "hierarchy/classification.h"
#include "hierarchy/countries.h"

/* ---- Names ---------------------------------------------------------------------------------- */

/* Names are compared by their words: small letters without accents, all else is blank, and without
 * the article. "Korea (the Republic of)" and "Korea, Republic of" are one. */
enum { LONGEST_NAME = 120 };
typedef struct name_key {
    char text[LONGEST_NAME];
    size_t size;
} name_key;

/* The letter without its accent; ' ': no letter or digit. *size: how many bytes it takes. */
static char plain_letter(const char *text, size_t left, size_t *size)
{
    static const char latin[] = "aaaaaaaceeeeiiiidnooooo ouuuuytsaaaaaaaceeeeiiiidnooooo ouuuuyty";
    unsigned char c = (unsigned char)text[0];
    *size = 1;
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
        return (char)c;
    if (c != 0xC3 || left < 2 || ((unsigned char)text[1] & 0xC0) != 0x80)
        return ' ';
    *size = 2;
    return latin[(unsigned char)text[1] & 0x3F];
}

static void end_word(name_key *key, size_t begin)
{
    if (key->size - begin == 3 && memcmp(key->text + begin, "the", 3) == 0)
        key->size = begin;
    if (key->size > begin)
        key->text[key->size++] = ' ';
}

/* False if it is longer than the name of any country. */
static bool make_key(mgl_span name, name_key *key)
{
    size_t begin = 0, size;
    key->size = 0;
    for (size_t at = 0; at < name.size; at += size) {
        char letter = plain_letter(name.data + at, name.size - at, &size);
        if (key->size + 2 > LONGEST_NAME)
            return false;
        if (letter != ' ') {
            key->text[key->size++] = letter;
            continue;
        }
        end_word(key, begin);
        begin = key->size;
    }
    end_word(key, begin);
    return key->size > 0;
}

static bool same_key(const name_key *a, const name_key *b)
{
    return a->size == b->size && memcmp(a->text, b->text, a->size) == 0;
}

static bool has_name(const mgl_country *country, const name_key *key)
{
    const char *name = country->names;
    while (name != NULL) {
        const char *end = strchr(name, '|');
        name_key own;
        mgl_span text = {name, end != NULL ? (size_t)(end - name) : strlen(name)};
        if (make_key(text, &own) && same_key(&own, key))
            return true;
        name = end != NULL ? end + 1 : NULL;
    }
    return false;
}

/* ---- Countries ------------------------------------------------------------------------------ */

static bool is_code(mgl_span value, const char *code)
{
    bool same = value.size == strlen(code);
    for (size_t i = 0; same && i < value.size; i++)
        same = (value.data[i] & ~0x20) == code[i];
    return same;
}

static const mgl_country *find_country(mgl_span value)
{
    uint64_t number = 0;
    name_key key;
    value = mgl_span_trim(value);
    bool numeric = value.size <= 3 && mgl_parse_u64(value, &number);
    bool named = value.size > 3 && make_key(value, &key);
    for (size_t i = 0; i < MGL_COUNTRIES; i++) {
        const mgl_country *country = &mgl_countries[i];
        if (numeric ? country->number == number
                    : is_code(value, country->two) || is_code(value, country->three) ||
                          (named && has_name(country, &key)))
            return country;
    }
    /* The only names of two letters. */
    return is_code(value, "UK") ? find_country(mgl_span_of("GB")) : NULL;
}

static const mgl_world_region *find_region(uint16_t number)
{
    size_t i = 0;
    while (mgl_world_regions[i].number != number)
        i++;
    return &mgl_world_regions[i];
}

/* ---- Levels --------------------------------------------------------------------------------- */

enum { INTERMEDIATE, SUBREGION, REGION, N_LEVELS };
static const char *const level_names[N_LEVELS] = {"intermediate", "subregion", "region"};

/* A sub-region lies in a region, which lies in none. */
static bool is_reached(const mgl_world_region *region, size_t level)
{
    return level == INTERMEDIATE || region->above == 0 ||
           (level == SUBREGION && find_region(region->above)->above == 0);
}

static bool write_label(mgl_span value, size_t level, mgl_buffer *out)
{
    const mgl_country *country = find_country(value);
    if (country == NULL)
        return false;
    const mgl_world_region *region = find_region(country->region);
    while (!is_reached(region, level))
        region = find_region(region->above);
    mgl_buffer_text(out, region->name);
    return true;
}

static unsigned usual_levels(const mgl_ground *ground)
{
    (void)ground;
    return 1U << SUBREGION | 1U << REGION;
}

mgl_status mgl_build_iso3166(mgl_build *build, mgl_error *err)
{
    static const mgl_classification iso3166 = {
        .name = "iso3166",
        .levels = level_names,
        .n_levels = N_LEVELS,
        .needs = "is no country of ISO 3166-1 (they read DE, DEU, 276 or Germany)",
        .usual = usual_levels,
        .label = write_label};
    return mgl_build_classification(build, &iso3166, err);
}
