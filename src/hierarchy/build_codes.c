/* Builds isco, isced, iscedf, nace, nace21, atc and nuts: classifications in which the code of a
 * group is the beginning of the codes in it, as 222 is of 2221. A group of a short list is called
 * by its name, too: 2 Professionals. Rows of the table in builders.c. */
#include "hierarchy/classification.h"

enum { LONGEST_CODE = 8, MOST_LEVELS = 4 };

/* The codes that begin with one from `first` to `last` are called so. */
typedef struct code_name {
    const char *first, *last, *name;
} code_name;

/* A code as the classification writes it, without dots. */
typedef struct code {
    char text[LONGEST_CODE];
    size_t size;
    bool longer; /* there was more behind: a national subdivision */
} code;

struct mgl_code_rules {
    struct {
        size_t size;            /* of the beginning that stands on this level */
        const code_name *names; /* up to one without a name; NULL: the beginning itself */
    } levels[MOST_LEVELS];
    size_t dot; /* behind so many characters; 0: nowhere */
    bool (*read)(const code_name *groups, mgl_span text, code *out); /* groups: the last level's */
};

static const code_name *find_name(const code_name *names, const code *c)
{
    for (; names->name != NULL; names++) {
        size_t size = strlen(names->first);
        if (c->size >= size && memcmp(c->text, names->first, size) >= 0 &&
            memcmp(c->text, names->last, size) <= 0)
            return names;
    }
    return NULL;
}

/* Reads the value; false if it is none of the classification or in no group of the last level. */
static bool place(const mgl_classification *c, mgl_span value, code *out)
{
    const code_name *groups = c->codes->levels[c->n_levels - 1].names;
    *out = (code){0};
    return c->codes->read(groups, mgl_span_trim(value), out) && find_name(groups, out) != NULL;
}

static bool write_label(const mgl_classification *c, mgl_span value, size_t level, mgl_buffer *out)
{
    const struct mgl_code_rules *rules = c->codes;
    code found;
    if (!place(c, value, &found))
        return false;
    if (rules->levels[level].names != NULL) {
        mgl_buffer_text(out, find_name(rules->levels[level].names, &found)->name);
        return true;
    }
    size_t size = rules->levels[level].size < found.size ? rules->levels[level].size : found.size;
    size_t front = rules->dot > 0 && size > rules->dot ? rules->dot : size;
    mgl_buffer_append(out, found.text, front);
    if (front < size) {
        mgl_buffer_text(out, ".");
        mgl_buffer_append(out, found.text + front, size - front);
    }
    return true;
}

/* The levels above the longest code, and the last one. */
static unsigned usual_levels(const mgl_classification *c, const mgl_ground *ground)
{
    unsigned wanted = 1U << (c->n_levels - 1);
    for (size_t i = 0; i < ground->n; i++) {
        code found;
        if (!place(c, ground->values[i].text, &found))
            continue; /* which is refused later, with its place */
        for (size_t level = 0; level < c->n_levels; level++)
            if (found.size + found.longer > c->codes->levels[level].size)
                wanted |= 1U << level;
    }
    return wanted;
}

static size_t take_digits(mgl_span text, size_t at, size_t most, code *out)
{
    while (at < text.size && mgl_is_digit(text.data[at]) && out->size < most)
        out->text[out->size++] = text.data[at++];
    return at;
}

/* What a country adds behind a code: digits, parts behind a dot or a dash, a letter at the end. */
static bool is_national(mgl_span text, size_t at)
{
    enum { LONGEST = 6 };
    if (text.size - at > LONGEST)
        return false;
    while (at < text.size) {
        bool mark = text.data[at] == '.' || text.data[at] == '-';
        at += mark;
        if (at == text.size || !mgl_is_digit(text.data[at]))
            return at + 1 == text.size && mgl_is_letter(text.data[at]);
        at++;
    }
    return true;
}

static void put_zero_in_front(code *c)
{
    memmove(c->text + 1, c->text, c->size);
    c->text[0] = '0';
    c->size++;
}

/* ---- ISCO-08: International Labour Organization, structure of 2012 --------------------------- */

static const code_name occupations[] = {
    {"0", "0", "0 Armed forces occupations"},
    {"1", "1", "1 Managers"},
    {"2", "2", "2 Professionals"},
    {"3", "3", "3 Technicians and associate professionals"},
    {"4", "4", "4 Clerical support workers"},
    {"5", "5", "5 Service and sales workers"},
    {"6", "6", "6 Skilled agricultural, forestry and fishery workers"},
    {"7", "7", "7 Craft and related trades workers"},
    {"8", "8", "8 Plant and machine operators, and assemblers"},
    {"9", "9", "9 Elementary occupations"},
    {0},
};

static bool read_isco(const code_name *groups, mgl_span text, code *out)
{
    (void)groups;
    size_t at = take_digits(text, 0, 4, out);
    out->longer = at < text.size;
    /* Only unit groups of the armed forces end so: spreadsheets drop their zero. */
    if (out->size == 3 && out->text[0] <= '3' && memcmp(out->text + 1, "10", 2) == 0 &&
        out->text[0] != '0')
        put_zero_in_front(out);
    return out->size > 0 && (!out->longer || (out->size == 4 && is_national(text, at)));
}

static const char *const isco_levels[] = {"unit", "minor", "submajor", "major"};
static const struct mgl_code_rules isco_rules = {
    .levels = {{4, NULL}, {3, NULL}, {2, NULL}, {1, occupations}},
    .read = read_isco,
};
const mgl_classification mgl_isco = {
    .name = "isco",
    .levels = isco_levels,
    .n_levels = 4,
    .needs = "is no code of ISCO-08 (they read 2221, 222, 22, 2)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &isco_rules,
};

/* ---- ISCED 2011: UNESCO Institute for Statistics; levels of education ------------------------ */

static const code_name education_levels[] = {
    {"0", "0", "0 Early childhood education"},
    {"1", "1", "1 Primary education"},
    {"2", "2", "2 Lower secondary education"},
    {"3", "3", "3 Upper secondary education"},
    {"4", "4", "4 Post-secondary non-tertiary education"},
    {"5", "5", "5 Short-cycle tertiary education"},
    {"6", "6", "6 Bachelor's or equivalent level"},
    {"7", "7", "7 Master's or equivalent level"},
    {"8", "8", "8 Doctoral or equivalent level"},
    {"9", "9", "9 Not elsewhere classified"},
    {0},
};
/* As Eurostat and the OECD group them. */
static const code_name attainments[] = {
    {"0", "2", "0-2 Low"},
    {"3", "4", "3-4 Medium"},
    {"5", "8", "5-8 High"},
    {"9", "9", "9 Not elsewhere classified"},
    {0},
};

static bool starts_with(mgl_span text, const char *front)
{
    size_t n = 0;
    while (n < text.size && front[n] != '\0' && mgl_upper(text.data[n]) == front[n])
        n++;
    return front[n] == '\0';
}

/* 3, 35, 354; ED3 as Eurostat writes it; ISCED 3. */
static bool read_isced(const code_name *groups, mgl_span text, code *out)
{
    static const char *const fronts[] = {"ISCED", "ED"};
    (void)groups;
    size_t at = 0;
    for (size_t i = 0; i < 2 && at == 0; i++)
        if (starts_with(text, fronts[i]))
            at = strlen(fronts[i]);
    at += at > 0 && at < text.size && (text.data[at] == ' ' || text.data[at] == '-');
    return take_digits(text, at, 3, out) == text.size && out->size > 0;
}

static const char *const isced_levels[] = {"category", "level", "group"};
static const struct mgl_code_rules isced_rules = {
    .levels = {{2, NULL}, {1, education_levels}, {0, attainments}},
    .read = read_isced,
};
const mgl_classification mgl_isced = {
    .name = "isced",
    .levels = isced_levels,
    .n_levels = 3,
    .needs = "is no level of ISCED 2011 (they read 3, 35, 354, ED3)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &isced_rules,
};

/* ---- ISCED-F 2013: fields of education and training ------------------------------------------ */

static const code_name fields_of_education[] = {
    {"00", "00", "00 Generic programmes and qualifications"},
    {"01", "01", "01 Education"},
    {"02", "02", "02 Arts and humanities"},
    {"03", "03", "03 Social sciences, journalism and information"},
    {"04", "04", "04 Business, administration and law"},
    {"05", "05", "05 Natural sciences, mathematics and statistics"},
    {"06", "06", "06 Information and Communication Technologies"},
    {"07", "07", "07 Engineering, manufacturing and construction"},
    {"08", "08", "08 Agriculture, forestry, fisheries and veterinary"},
    {"09", "09", "09 Health and welfare"},
    {"10", "10", "10 Services"},
    {"99", "99", "99 Field unknown"},
    {0},
};

/* 0613; 613 and 6 without the zero that spreadsheets drop: no field is called 61. */
static bool read_iscedf(const code_name *groups, mgl_span text, code *out)
{
    size_t at = take_digits(text, 0, 4, out);
    out->longer = at < text.size;
    if (out->size > 0 && out->size < 4 && find_name(groups, out) == NULL)
        put_zero_in_front(out);
    return out->size >= 2 && (!out->longer || (out->size == 4 && is_national(text, at)));
}

static const char *const iscedf_levels[] = {"detailed", "narrow", "broad"};
static const struct mgl_code_rules iscedf_rules = {
    .levels = {{4, NULL}, {3, NULL}, {2, fields_of_education}},
    .read = read_iscedf,
};
const mgl_classification mgl_iscedf = {
    .name = "iscedf",
    .levels = iscedf_levels,
    .n_levels = 3,
    .needs = "is no field of ISCED-F 2013 (they read 0613, 061, 06)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &iscedf_rules,
};

/* ---- NACE: Eurostat; economic activities ----------------------------------------------------- */

static const code_name activities_2[] = {
    {"01", "03", "A Agriculture, forestry and fishing"},
    {"05", "09", "B Mining and quarrying"},
    {"10", "33", "C Manufacturing"},
    {"35", "35", "D Electricity, gas, steam and air conditioning supply"},
    {"36", "39", "E Water supply; sewerage, waste management and remediation activities"},
    {"41", "43", "F Construction"},
    {"45", "47", "G Wholesale and retail trade; repair of motor vehicles and motorcycles"},
    {"49", "53", "H Transportation and storage"},
    {"55", "56", "I Accommodation and food service activities"},
    {"58", "63", "J Information and communication"},
    {"64", "66", "K Financial and insurance activities"},
    {"68", "68", "L Real estate activities"},
    {"69", "75", "M Professional, scientific and technical activities"},
    {"77", "82", "N Administrative and support service activities"},
    {"84", "84", "O Public administration and defence; compulsory social security"},
    {"85", "85", "P Education"},
    {"86", "88", "Q Human health and social work activities"},
    {"90", "93", "R Arts, entertainment and recreation"},
    {"94", "96", "S Other service activities"},
    {"97", "98", "T Activities of households as employers"},
    {"99", "99", "U Activities of extraterritorial organisations and bodies"},
    {0},
};
static const code_name activities_21[] = {
    {"01", "03", "A Agriculture, forestry and fishing"},
    {"05", "09", "B Mining and quarrying"},
    {"10", "33", "C Manufacturing"},
    {"35", "35", "D Electricity, gas, steam and air conditioning supply"},
    {"36", "39", "E Water supply; sewerage, waste management and remediation activities"},
    {"41", "43", "F Construction"},
    {"46", "47", "G Wholesale and retail trade"},
    {"49", "53", "H Transportation and storage"},
    {"55", "56", "I Accommodation and food service activities"},
    {"58", "60", "J Publishing, broadcasting, and content production and distribution activities"},
    {"61", "63", "K Telecommunication, computer programming, consulting and related activities"},
    {"64", "66", "L Financial and insurance activities"},
    {"68", "68", "M Real estate activities"},
    {"69", "75", "N Professional, scientific and technical activities"},
    {"77", "82", "O Administrative and support service activities"},
    {"84", "84", "P Public administration and defence; compulsory social security"},
    {"85", "85", "Q Education"},
    {"86", "88", "R Human health and social work activities"},
    {"90", "93", "S Arts, sports and recreation"},
    {"94", "96", "T Other service activities"},
    {"97", "98", "U Activities of households as employers"},
    {"99", "99", "V Activities of extraterritorial organisations and bodies"},
    {0},
};

/* 10.11, C10.11, C 10.11, 1011; 1.11 for 01.11. Three digits alone, 161, may be 16.1 or 01.61. A
 * letter must be that of the section. */
static bool read_nace(const code_name *groups, mgl_span text, code *out)
{
    char section = text.size > 0 && mgl_is_letter(text.data[0]) ? mgl_upper(text.data[0]) : '\0';
    size_t at = section != '\0';
    at += at > 0 && at < text.size && (text.data[at] == ' ' || text.data[at] == '.');
    size_t start = at;
    at = take_digits(text, at, 2, out);
    bool dot = at < text.size && text.data[at] == '.';
    if (out->size == 1 && (dot || at == text.size))
        put_zero_in_front(out);
    if (out->size != 2)
        return false;
    at += dot;
    size_t division = at;
    at = take_digits(text, at, 4, out);
    out->longer = at < text.size;
    if ((dot && at == division) || (out->longer && (out->size < 4 || !is_national(text, at))))
        return false;
    if (out->size == 3 && !dot && section == '\0' && text.data[start] != '0')
        return false;
    const code_name *found = find_name(groups, out);
    return found != NULL && (section == '\0' || found->name[0] == section);
}

static const char *const nace_levels[] = {"class", "group", "division", "section"};
static const struct mgl_code_rules nace_rules = {
    .levels = {{4, NULL}, {3, NULL}, {2, NULL}, {0, activities_2}},
    .dot = 2,
    .read = read_nace,
};
const mgl_classification mgl_nace = {
    .name = "nace",
    .levels = nace_levels,
    .n_levels = 4,
    .needs = "is no code of NACE Rev. 2 (they read 10.11, C10.11, 1011, 10.1, "
             "10; without a dot with all zeros)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &nace_rules,
};
static const struct mgl_code_rules nace21_rules = {
    .levels = {{4, NULL}, {3, NULL}, {2, NULL}, {0, activities_21}},
    .dot = 2,
    .read = read_nace,
};
const mgl_classification mgl_nace21 = {
    .name = "nace21",
    .levels = nace_levels,
    .n_levels = 4,
    .needs = "is no code of NACE Rev. 2.1 (they read 10.11, C10.11, 1011, "
             "10.1, 10; without a dot with all zeros)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &nace21_rules,
};

/* ---- ATC: WHO Collaborating Centre for Drug Statistics Methodology; medicines ---------------- */

static const code_name organs[] = {
    {"A", "A", "A Alimentary tract and metabolism"},
    {"B", "B", "B Blood and blood forming organs"},
    {"C", "C", "C Cardiovascular system"},
    {"D", "D", "D Dermatologicals"},
    {"G", "G", "G Genito-urinary system and sex hormones"},
    {"H", "H", "H Systemic hormonal preparations"},
    {"J", "J", "J Antiinfectives for systemic use"},
    {"L", "L", "L Antineoplastic and immunomodulating agents"},
    {"M", "M", "M Musculo-skeletal system"},
    {"N", "N", "N Nervous system"},
    {"P", "P", "P Antiparasitic products, insecticides and repellents"},
    {"R", "R", "R Respiratory system"},
    {"S", "S", "S Sensory organs"},
    {"V", "V", "V Various"},
    {0},
};

/* A letter, two digits, two letters, two digits, or the beginning of such a code up to a level;
 * with blanks between, as some lists have: N02B E01. */
static bool read_atc(const code_name *groups, mgl_span text, code *out)
{
    static const char shape[] = "A99AA99";
    (void)groups;
    for (size_t i = 0; i < text.size; i++) {
        char wanted = shape[out->size];
        if (text.data[i] == ' ')
            continue;
        if (wanted == '\0' ||
            !(wanted == 'A' ? mgl_is_letter(text.data[i]) : mgl_is_digit(text.data[i])))
            return false;
        out->text[out->size++] = mgl_upper(text.data[i]);
    }
    return out->size != 0 && out->size != 2 && out->size != 6;
}

static const char *const atc_levels[] = {"chemical", "pharmacological", "therapeutic",
                                         "anatomical"};
static const struct mgl_code_rules atc_rules = {
    .levels = {{5, NULL}, {4, NULL}, {3, NULL}, {1, organs}},
    .read = read_atc,
};
const mgl_classification mgl_atc = {
    .name = "atc",
    .levels = atc_levels,
    .n_levels = 4,
    .needs = "is no code of ATC (they read N02BE01, N02BE, N02B, N02, N)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &atc_rules,
};

/* ---- NUTS: Eurostat; regions of member states, members of EFTA and candidates ---------------- */

static const code_name countries_of_nuts[] = {
    {"AL", "AL", "AL Albania"},
    {"AT", "AT", "AT Austria"},
    {"BA", "BA", "BA Bosnia and Herzegovina"},
    {"BE", "BE", "BE Belgium"},
    {"BG", "BG", "BG Bulgaria"},
    {"CH", "CH", "CH Switzerland"},
    {"CY", "CY", "CY Cyprus"},
    {"CZ", "CZ", "CZ Czechia"},
    {"DE", "DE", "DE Germany"},
    {"DK", "DK", "DK Denmark"},
    {"EE", "EE", "EE Estonia"},
    {"EL", "EL", "EL Greece"},
    {"ES", "ES", "ES Spain"},
    {"FI", "FI", "FI Finland"},
    {"FR", "FR", "FR France"},
    {"GE", "GE", "GE Georgia"},
    {"HR", "HR", "HR Croatia"},
    {"HU", "HU", "HU Hungary"},
    {"IE", "IE", "IE Ireland"},
    {"IS", "IS", "IS Iceland"},
    {"IT", "IT", "IT Italy"},
    {"LI", "LI", "LI Liechtenstein"},
    {"LT", "LT", "LT Lithuania"},
    {"LU", "LU", "LU Luxembourg"},
    {"LV", "LV", "LV Latvia"},
    {"MD", "MD", "MD Moldova"},
    {"ME", "ME", "ME Montenegro"},
    {"MK", "MK", "MK North Macedonia"},
    {"MT", "MT", "MT Malta"},
    {"NL", "NL", "NL Netherlands"},
    {"NO", "NO", "NO Norway"},
    {"PL", "PL", "PL Poland"},
    {"PT", "PT", "PT Portugal"},
    {"RO", "RO", "RO Romania"},
    {"RS", "RS", "RS Serbia"},
    {"SE", "SE", "SE Sweden"},
    {"SI", "SI", "SI Slovenia"},
    {"SK", "SK", "SK Slovakia"},
    {"TR", "TR", "TR T\xc3\xbcrkiye"},
    {"UA", "UA", "UA Ukraine"},
    {"UK", "UK", "UK United Kingdom"},
    {"XK", "XK", "XK Kosovo"},
    {0},
};

/* Two letters of the country, then up to three letters or digits. */
static bool read_nuts(const code_name *groups, mgl_span text, code *out)
{
    (void)groups;
    if (text.size < 2 || text.size > 5)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (!mgl_is_letter(text.data[i]) && !mgl_is_digit(text.data[i]))
            return false;
        out->text[out->size++] = mgl_upper(text.data[i]);
    }
    return true;
}

static const char *const nuts_levels[] = {"nuts2", "nuts1", "country"};
static const struct mgl_code_rules nuts_rules = {
    .levels = {{4, NULL}, {3, NULL}, {2, countries_of_nuts}},
    .read = read_nuts,
};
const mgl_classification mgl_nuts = {
    .name = "nuts",
    .levels = nuts_levels,
    .n_levels = 3,
    .needs = "is no region of NUTS (they read DE212, DE21, DE2, DE)",
    .usual = usual_levels,
    .label = write_label,
    .codes = &nuts_rules,
};
