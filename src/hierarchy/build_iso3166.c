/* The builder iso3166: countries by their codes and names, and the regions of the UN above them. */
#include "hierarchy/classification.h"

#include <stdint.h>

enum { MGL_COUNTRIES = 249, MGL_WORLD_REGIONS = 30 };

typedef struct mgl_country {
    char two[3], three[4];
    uint16_t number;   /* ISO 3166-1 numeric, which M49 has, too */
    uint16_t region;   /* M49: the smallest region that it lies in */
    const char *names; /* NAME|NAME|... */
} mgl_country;

/* A region of M49: an intermediate region lies in a sub-region, that in a region, that in none
 * (0). */
typedef struct mgl_world_region {
    uint16_t number, above;
    const char *name;
} mgl_world_region;

static const mgl_country countries[MGL_COUNTRIES] = {
    {"AF", "AFG", 4, 34, "Afghanistan"},
    {"AX", "ALA", 248, 154, "Åland Islands"},
    {"AL", "ALB", 8, 39, "Albania"},
    {"DZ", "DZA", 12, 15, "Algeria"},
    {"AS", "ASM", 16, 61, "American Samoa"},
    {"AD", "AND", 20, 39, "Andorra"},
    {"AO", "AGO", 24, 17, "Angola"},
    {"AI", "AIA", 660, 29, "Anguilla"},
    {"AQ", "ATA", 10, 10, "Antarctica"},
    {"AG", "ATG", 28, 29, "Antigua and Barbuda"},
    {"AR", "ARG", 32, 5, "Argentina"},
    {"AM", "ARM", 51, 145, "Armenia"},
    {"AW", "ABW", 533, 29, "Aruba"},
    {"AU", "AUS", 36, 53, "Australia"},
    {"AT", "AUT", 40, 155, "Austria"},
    {"AZ", "AZE", 31, 145, "Azerbaijan"},
    {"BS", "BHS", 44, 29, "Bahamas"},
    {"BH", "BHR", 48, 145, "Bahrain"},
    {"BD", "BGD", 50, 34, "Bangladesh"},
    {"BB", "BRB", 52, 29, "Barbados"},
    {"BY", "BLR", 112, 151, "Belarus"},
    {"BE", "BEL", 56, 155, "Belgium"},
    {"BZ", "BLZ", 84, 13, "Belize"},
    {"BJ", "BEN", 204, 11, "Benin"},
    {"BM", "BMU", 60, 21, "Bermuda"},
    {"BT", "BTN", 64, 34, "Bhutan"},
    {"BO", "BOL", 68, 5, "Bolivia, Plurinational State of|Bolivia"},
    {"BQ", "BES", 535, 29, "Bonaire, Sint Eustatius and Saba"},
    {"BA", "BIH", 70, 39, "Bosnia and Herzegovina"},
    {"BW", "BWA", 72, 18, "Botswana"},
    {"BV", "BVT", 74, 5, "Bouvet Island"},
    {"BR", "BRA", 76, 5, "Brazil"},
    {"IO", "IOT", 86, 14, "British Indian Ocean Territory"},
    {"BN", "BRN", 96, 35, "Brunei Darussalam|Brunei"},
    {"BG", "BGR", 100, 151, "Bulgaria"},
    {"BF", "BFA", 854, 11, "Burkina Faso"},
    {"BI", "BDI", 108, 14, "Burundi"},
    {"CV", "CPV", 132, 11, "Cabo Verde|Cape Verde"},
    {"KH", "KHM", 116, 35, "Cambodia"},
    {"CM", "CMR", 120, 17, "Cameroon"},
    {"CA", "CAN", 124, 21, "Canada"},
    {"KY", "CYM", 136, 29, "Cayman Islands"},
    {"CF", "CAF", 140, 17, "Central African Republic"},
    {"TD", "TCD", 148, 17, "Chad"},
    {"CL", "CHL", 152, 5, "Chile"},
    {"CN", "CHN", 156, 30, "China"},
    {"CX", "CXR", 162, 53, "Christmas Island"},
    {"CC", "CCK", 166, 53, "Cocos (Keeling) Islands"},
    {"CO", "COL", 170, 5, "Colombia"},
    {"KM", "COM", 174, 14, "Comoros"},
    {"CG", "COG", 178, 17, "Congo"},
    {"CD", "COD", 180, 17, "Congo, Democratic Republic of the|Democratic Republic of the Congo"},
    {"CK", "COK", 184, 61, "Cook Islands"},
    {"CR", "CRI", 188, 13, "Costa Rica"},
    {"CI", "CIV", 384, 11, "Côte d'Ivoire|Ivory Coast"},
    {"HR", "HRV", 191, 39, "Croatia"},
    {"CU", "CUB", 192, 29, "Cuba"},
    {"CW", "CUW", 531, 29, "Curaçao"},
    {"CY", "CYP", 196, 145, "Cyprus"},
    {"CZ", "CZE", 203, 151, "Czechia|Czech Republic"},
    {"DK", "DNK", 208, 154, "Denmark"},
    {"DJ", "DJI", 262, 14, "Djibouti"},
    {"DM", "DMA", 212, 29, "Dominica"},
    {"DO", "DOM", 214, 29, "Dominican Republic"},
    {"EC", "ECU", 218, 5, "Ecuador"},
    {"EG", "EGY", 818, 15, "Egypt"},
    {"SV", "SLV", 222, 13, "El Salvador"},
    {"GQ", "GNQ", 226, 17, "Equatorial Guinea"},
    {"ER", "ERI", 232, 14, "Eritrea"},
    {"EE", "EST", 233, 154, "Estonia"},
    {"SZ", "SWZ", 748, 18, "Eswatini|Swaziland"},
    {"ET", "ETH", 231, 14, "Ethiopia"},
    {"FK", "FLK", 238, 5, "Falkland Islands (Malvinas)|Falkland Islands"},
    {"FO", "FRO", 234, 154, "Faroe Islands"},
    {"FJ", "FJI", 242, 54, "Fiji"},
    {"FI", "FIN", 246, 154, "Finland"},
    {"FR", "FRA", 250, 155, "France"},
    {"GF", "GUF", 254, 5, "French Guiana"},
    {"PF", "PYF", 258, 61, "French Polynesia"},
    {"TF", "ATF", 260, 14, "French Southern Territories"},
    {"GA", "GAB", 266, 17, "Gabon"},
    {"GM", "GMB", 270, 11, "Gambia"},
    {"GE", "GEO", 268, 145, "Georgia"},
    {"DE", "DEU", 276, 155, "Germany"},
    {"GH", "GHA", 288, 11, "Ghana"},
    {"GI", "GIB", 292, 39, "Gibraltar"},
    {"GR", "GRC", 300, 39, "Greece"},
    {"GL", "GRL", 304, 21, "Greenland"},
    {"GD", "GRD", 308, 29, "Grenada"},
    {"GP", "GLP", 312, 29, "Guadeloupe"},
    {"GU", "GUM", 316, 57, "Guam"},
    {"GT", "GTM", 320, 13, "Guatemala"},
    {"GG", "GGY", 831, 154, "Guernsey"},
    {"GN", "GIN", 324, 11, "Guinea"},
    {"GW", "GNB", 624, 11, "Guinea-Bissau"},
    {"GY", "GUY", 328, 5, "Guyana"},
    {"HT", "HTI", 332, 29, "Haiti"},
    {"HM", "HMD", 334, 53, "Heard Island and McDonald Islands"},
    {"VA", "VAT", 336, 39, "Holy See|Holy See (Vatican City State)|Vatican City"},
    {"HN", "HND", 340, 13, "Honduras"},
    {"HK", "HKG", 344, 30, "Hong Kong|China, Hong Kong Special Administrative Region"},
    {"HU", "HUN", 348, 151, "Hungary"},
    {"IS", "ISL", 352, 154, "Iceland"},
    {"IN", "IND", 356, 34, "India"},
    {"ID", "IDN", 360, 35, "Indonesia"},
    {"IR", "IRN", 364, 34, "Iran, Islamic Republic of|Iran"},
    {"IQ", "IRQ", 368, 145, "Iraq"},
    {"IE", "IRL", 372, 154, "Ireland"},
    {"IM", "IMN", 833, 154, "Isle of Man"},
    {"IL", "ISR", 376, 145, "Israel"},
    {"IT", "ITA", 380, 39, "Italy"},
    {"JM", "JAM", 388, 29, "Jamaica"},
    {"JP", "JPN", 392, 30, "Japan"},
    {"JE", "JEY", 832, 154, "Jersey"},
    {"JO", "JOR", 400, 145, "Jordan"},
    {"KZ", "KAZ", 398, 143, "Kazakhstan"},
    {"KE", "KEN", 404, 14, "Kenya"},
    {"KI", "KIR", 296, 57, "Kiribati"},
    {"KP", "PRK", 408, 30,
     "Korea, Democratic People's Republic of|Democratic People's Republic of Korea|North Korea"},
    {"KR", "KOR", 410, 30, "Korea, Republic of|Republic of Korea|South Korea"},
    {"KW", "KWT", 414, 145, "Kuwait"},
    {"KG", "KGZ", 417, 143, "Kyrgyzstan"},
    {"LA", "LAO", 418, 35, "Lao People's Democratic Republic|Laos"},
    {"LV", "LVA", 428, 154, "Latvia"},
    {"LB", "LBN", 422, 145, "Lebanon"},
    {"LS", "LSO", 426, 18, "Lesotho"},
    {"LR", "LBR", 430, 11, "Liberia"},
    {"LY", "LBY", 434, 15, "Libya"},
    {"LI", "LIE", 438, 155, "Liechtenstein"},
    {"LT", "LTU", 440, 154, "Lithuania"},
    {"LU", "LUX", 442, 155, "Luxembourg"},
    {"MO", "MAC", 446, 30, "Macao|China, Macao Special Administrative Region"},
    {"MG", "MDG", 450, 14, "Madagascar"},
    {"MW", "MWI", 454, 14, "Malawi"},
    {"MY", "MYS", 458, 35, "Malaysia"},
    {"MV", "MDV", 462, 34, "Maldives"},
    {"ML", "MLI", 466, 11, "Mali"},
    {"MT", "MLT", 470, 39, "Malta"},
    {"MH", "MHL", 584, 57, "Marshall Islands"},
    {"MQ", "MTQ", 474, 29, "Martinique"},
    {"MR", "MRT", 478, 11, "Mauritania"},
    {"MU", "MUS", 480, 14, "Mauritius"},
    {"YT", "MYT", 175, 14, "Mayotte"},
    {"MX", "MEX", 484, 13, "Mexico"},
    {"FM", "FSM", 583, 57, "Micronesia, Federated States of"},
    {"MD", "MDA", 498, 151, "Moldova, Republic of|Republic of Moldova|Moldova"},
    {"MC", "MCO", 492, 155, "Monaco"},
    {"MN", "MNG", 496, 30, "Mongolia"},
    {"ME", "MNE", 499, 39, "Montenegro"},
    {"MS", "MSR", 500, 29, "Montserrat"},
    {"MA", "MAR", 504, 15, "Morocco"},
    {"MZ", "MOZ", 508, 14, "Mozambique"},
    {"MM", "MMR", 104, 35, "Myanmar"},
    {"NA", "NAM", 516, 18, "Namibia"},
    {"NR", "NRU", 520, 57, "Nauru"},
    {"NP", "NPL", 524, 34, "Nepal"},
    {"NL", "NLD", 528, 155, "Netherlands, Kingdom of the|Netherlands|Netherlands (Kingdom of the)"},
    {"NC", "NCL", 540, 54, "New Caledonia"},
    {"NZ", "NZL", 554, 53, "New Zealand"},
    {"NI", "NIC", 558, 13, "Nicaragua"},
    {"NE", "NER", 562, 11, "Niger"},
    {"NG", "NGA", 566, 11, "Nigeria"},
    {"NU", "NIU", 570, 61, "Niue"},
    {"NF", "NFK", 574, 53, "Norfolk Island"},
    {"MK", "MKD", 807, 39, "North Macedonia|Macedonia"},
    {"MP", "MNP", 580, 57, "Northern Mariana Islands"},
    {"NO", "NOR", 578, 154, "Norway"},
    {"OM", "OMN", 512, 145, "Oman"},
    {"PK", "PAK", 586, 34, "Pakistan"},
    {"PW", "PLW", 585, 57, "Palau"},
    {"PS", "PSE", 275, 145, "Palestine, State of|State of Palestine"},
    {"PA", "PAN", 591, 13, "Panama"},
    {"PG", "PNG", 598, 54, "Papua New Guinea"},
    {"PY", "PRY", 600, 5, "Paraguay"},
    {"PE", "PER", 604, 5, "Peru"},
    {"PH", "PHL", 608, 35, "Philippines"},
    {"PN", "PCN", 612, 61, "Pitcairn"},
    {"PL", "POL", 616, 151, "Poland"},
    {"PT", "PRT", 620, 39, "Portugal"},
    {"PR", "PRI", 630, 29, "Puerto Rico"},
    {"QA", "QAT", 634, 145, "Qatar"},
    {"RE", "REU", 638, 14, "Réunion"},
    {"RO", "ROU", 642, 151, "Romania"},
    {"RU", "RUS", 643, 151, "Russian Federation|Russia"},
    {"RW", "RWA", 646, 14, "Rwanda"},
    {"BL", "BLM", 652, 29, "Saint Barthélemy"},
    {"SH", "SHN", 654, 11, "Saint Helena, Ascension and Tristan da Cunha|Saint Helena"},
    {"KN", "KNA", 659, 29, "Saint Kitts and Nevis"},
    {"LC", "LCA", 662, 29, "Saint Lucia"},
    {"MF", "MAF", 663, 29, "Saint Martin (French part)"},
    {"PM", "SPM", 666, 21, "Saint Pierre and Miquelon"},
    {"VC", "VCT", 670, 29, "Saint Vincent and the Grenadines"},
    {"WS", "WSM", 882, 61, "Samoa"},
    {"SM", "SMR", 674, 39, "San Marino"},
    {"ST", "STP", 678, 17, "Sao Tome and Principe"},
    {"SA", "SAU", 682, 145, "Saudi Arabia"},
    {"SN", "SEN", 686, 11, "Senegal"},
    {"RS", "SRB", 688, 39, "Serbia"},
    {"SC", "SYC", 690, 14, "Seychelles"},
    {"SL", "SLE", 694, 11, "Sierra Leone"},
    {"SG", "SGP", 702, 35, "Singapore"},
    {"SX", "SXM", 534, 29, "Sint Maarten (Dutch part)"},
    {"SK", "SVK", 703, 151, "Slovakia"},
    {"SI", "SVN", 705, 39, "Slovenia"},
    {"SB", "SLB", 90, 54, "Solomon Islands"},
    {"SO", "SOM", 706, 14, "Somalia"},
    {"ZA", "ZAF", 710, 18, "South Africa"},
    {"GS", "SGS", 239, 5, "South Georgia and the South Sandwich Islands"},
    {"SS", "SSD", 728, 14, "South Sudan"},
    {"ES", "ESP", 724, 39, "Spain"},
    {"LK", "LKA", 144, 34, "Sri Lanka"},
    {"SD", "SDN", 729, 15, "Sudan"},
    {"SR", "SUR", 740, 5, "Suriname"},
    {"SJ", "SJM", 744, 154, "Svalbard and Jan Mayen|Svalbard and Jan Mayen Islands"},
    {"SE", "SWE", 752, 154, "Sweden"},
    {"CH", "CHE", 756, 155, "Switzerland"},
    {"SY", "SYR", 760, 145, "Syrian Arab Republic|Syria"},
    {"TW", "TWN", 158, 30, "Taiwan, Province of China|Taiwan"},
    {"TJ", "TJK", 762, 143, "Tajikistan"},
    {"TZ", "TZA", 834, 14, "Tanzania, United Republic of|United Republic of Tanzania|Tanzania"},
    {"TH", "THA", 764, 35, "Thailand"},
    {"TL", "TLS", 626, 35, "Timor-Leste"},
    {"TG", "TGO", 768, 11, "Togo"},
    {"TK", "TKL", 772, 61, "Tokelau"},
    {"TO", "TON", 776, 61, "Tonga"},
    {"TT", "TTO", 780, 29, "Trinidad and Tobago"},
    {"TN", "TUN", 788, 15, "Tunisia"},
    {"TR", "TUR", 792, 145, "Türkiye|Turkey"},
    {"TM", "TKM", 795, 143, "Turkmenistan"},
    {"TC", "TCA", 796, 29, "Turks and Caicos Islands"},
    {"TV", "TUV", 798, 61, "Tuvalu"},
    {"UG", "UGA", 800, 14, "Uganda"},
    {"UA", "UKR", 804, 151, "Ukraine"},
    {"AE", "ARE", 784, 145, "United Arab Emirates"},
    {"GB", "GBR", 826, 154,
     "United Kingdom of Great Britain and Northern Ireland|United Kingdom|Great Britain|UK"},
    {"US", "USA", 840, 21, "United States of America|United States"},
    {"UM", "UMI", 581, 57, "United States Minor Outlying Islands"},
    {"UY", "URY", 858, 5, "Uruguay"},
    {"UZ", "UZB", 860, 143, "Uzbekistan"},
    {"VU", "VUT", 548, 54, "Vanuatu"},
    {"VE", "VEN", 862, 5, "Venezuela, Bolivarian Republic of|Venezuela"},
    {"VN", "VNM", 704, 35, "Viet Nam|Vietnam"},
    {"VG", "VGB", 92, 29, "Virgin Islands, British|British Virgin Islands"},
    {"VI", "VIR", 850, 29, "Virgin Islands, U.S.|United States Virgin Islands"},
    {"WF", "WLF", 876, 61, "Wallis and Futuna|Wallis and Futuna Islands"},
    {"EH", "ESH", 732, 15, "Western Sahara"},
    {"YE", "YEM", 887, 145, "Yemen"},
    {"ZM", "ZMB", 894, 14, "Zambia"},
    {"ZW", "ZWE", 716, 14, "Zimbabwe"},
};

static const mgl_world_region world_regions[MGL_WORLD_REGIONS] = {
    {5, 419, "South America"},
    {9, 0, "Oceania"},
    {10, 0, "Antarctica"},
    {11, 202, "Western Africa"},
    {13, 419, "Central America"},
    {14, 202, "Eastern Africa"},
    {15, 2, "Northern Africa"},
    {17, 202, "Middle Africa"},
    {18, 202, "Southern Africa"},
    {19, 0, "Americas"},
    {2, 0, "Africa"},
    {21, 19, "Northern America"},
    {29, 419, "Caribbean"},
    {30, 142, "Eastern Asia"},
    {34, 142, "Southern Asia"},
    {35, 142, "South-eastern Asia"},
    {39, 150, "Southern Europe"},
    {53, 9, "Australia and New Zealand"},
    {54, 9, "Melanesia"},
    {57, 9, "Micronesia"},
    {61, 9, "Polynesia"},
    {142, 0, "Asia"},
    {143, 142, "Central Asia"},
    {145, 142, "Western Asia"},
    {150, 0, "Europe"},
    {151, 150, "Eastern Europe"},
    {154, 150, "Northern Europe"},
    {155, 150, "Western Europe"},
    {202, 2, "Sub-Saharan Africa"},
    {419, 19, "Latin America and the Caribbean"},
};

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
        const mgl_country *country = &countries[i];
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
    while (world_regions[i].number != number)
        i++;
    return &world_regions[i];
}

enum { INTERMEDIATE, SUBREGION, REGION, N_LEVELS };
static const char *const level_names[N_LEVELS] = {"intermediate", "subregion", "region"};

/* A sub-region lies in a region, which lies in none. */
static bool is_reached(const mgl_world_region *region, size_t level)
{
    return level == INTERMEDIATE || region->above == 0 ||
           (level == SUBREGION && find_region(region->above)->above == 0);
}

static bool write_label(const mgl_classification *c, mgl_span value, size_t level, mgl_buffer *out)
{
    (void)c;
    const mgl_country *country = find_country(value);
    if (country == NULL)
        return false;
    const mgl_world_region *region = find_region(country->region);
    while (!is_reached(region, level))
        region = find_region(region->above);
    mgl_buffer_text(out, region->name);
    return true;
}

static unsigned usual_levels(const mgl_classification *c, const mgl_ground *ground)
{
    (void)c;
    (void)ground;
    return 1U << SUBREGION | 1U << REGION;
}

const mgl_classification mgl_iso3166 = {
    .name = "iso3166",
    .levels = level_names,
    .n_levels = N_LEVELS,
    .needs = "is no country of ISO 3166-1 (they read DE, DEU, 276 or Germany)",
    .usual = usual_levels,
    .label = write_label,
};
