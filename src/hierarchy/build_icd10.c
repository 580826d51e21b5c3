/* Builds icd10: E11.9 -> E11.- -> E10-E14 -> E00-E90 -> *. Blocks and chapters are ranges of
 * categories (the first three characters), so that codes of all editions and national
 * modifications find their place by rule. A row of the table in builders.c. */
#include "hierarchy/classification.h"

enum { CATEGORY_SIZE = 3, RANGE_SIZE = 7, MOST_BEHIND = 4 };

/* World Health Organization: International Statistical Classification of Diseases and Related
 * Health Problems, 10th revision, tabular list, edition of 2019: its blocks, in the order of the
 * alphabet. A90 and A91, which that edition gave up, stay in the block that they had. */
static const char blocks[] =
    "A00-A09 A15-A19 A20-A28 A30-A49 A50-A64 A65-A69 A70-A74 A75-A79 A80-A89 A90-A99 "
    "B00-B09 B15-B19 B20-B24 B25-B34 B35-B49 B50-B64 B65-B83 B85-B89 B90-B94 B95-B98 B99-B99 "
    "C00-C14 C15-C26 C30-C39 C40-C41 C43-C44 C45-C49 C50-C50 C51-C58 C60-C63 C64-C68 C69-C72 "
    "C73-C75 C76-C80 C81-C96 C97-C97 "
    "D00-D09 D10-D36 D37-D48 D50-D53 D55-D59 D60-D64 D65-D69 D70-D77 D80-D89 "
    "E00-E07 E10-E14 E15-E16 E20-E35 E40-E46 E50-E64 E65-E68 E70-E90 "
    "F00-F09 F10-F19 F20-F29 F30-F39 F40-F48 F50-F59 F60-F69 F70-F79 F80-F89 F90-F98 F99-F99 "
    "G00-G09 G10-G14 G20-G26 G30-G32 G35-G37 G40-G47 G50-G59 G60-G64 G70-G73 G80-G83 G90-G99 "
    "H00-H06 H10-H13 H15-H22 H25-H28 H30-H36 H40-H42 H43-H45 H46-H48 H49-H52 H53-H54 H55-H59 "
    "H60-H62 H65-H75 H80-H83 H90-H95 "
    "I00-I02 I05-I09 I10-I15 I20-I25 I26-I28 I30-I52 I60-I69 I70-I79 I80-I89 I95-I99 "
    "J00-J06 J09-J18 J20-J22 J30-J39 J40-J47 J60-J70 J80-J84 J85-J86 J90-J94 J95-J99 "
    "K00-K14 K20-K31 K35-K38 K40-K46 K50-K52 K55-K64 K65-K67 K70-K77 K80-K87 K90-K93 "
    "L00-L08 L10-L14 L20-L30 L40-L45 L50-L54 L55-L59 L60-L75 L80-L99 "
    "M00-M03 M05-M14 M15-M19 M20-M25 M30-M36 M40-M43 M45-M49 M50-M54 M60-M63 M65-M68 M70-M79 "
    "M80-M85 M86-M90 M91-M94 M95-M99 "
    "N00-N08 N10-N16 N17-N19 N20-N23 N25-N29 N30-N39 N40-N51 N60-N64 N70-N77 N80-N98 N99-N99 "
    "O00-O08 O10-O16 O20-O29 O30-O48 O60-O75 O80-O84 O85-O92 O94-O99 "
    "P00-P04 P05-P08 P10-P15 P20-P29 P35-P39 P50-P61 P70-P74 P75-P78 P80-P83 P90-P96 "
    "Q00-Q07 Q10-Q18 Q20-Q28 Q30-Q34 Q35-Q37 Q38-Q45 Q50-Q56 Q60-Q64 Q65-Q79 Q80-Q89 Q90-Q99 "
    "R00-R09 R10-R19 R20-R23 R25-R29 R30-R39 R40-R46 R47-R49 R50-R69 R70-R79 R80-R82 R83-R89 "
    "R90-R94 R95-R99 "
    "S00-S09 S10-S19 S20-S29 S30-S39 S40-S49 S50-S59 S60-S69 S70-S79 S80-S89 S90-S99 "
    "T00-T07 T08-T14 T15-T19 T20-T25 T26-T28 T29-T32 T33-T35 T36-T50 T51-T65 T66-T78 T79-T79 "
    "T80-T88 T90-T98 "
    "U00-U49 U82-U85 "
    "V01-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V79 V80-V89 V90-V94 V95-V97 "
    "V98-V99 "
    "W00-W19 W20-W49 W50-W64 W65-W74 W75-W84 W85-W99 "
    "X00-X09 X10-X19 X20-X29 X30-X39 X40-X49 X50-X57 X58-X59 X60-X84 X85-Y09 "
    "Y10-Y34 Y35-Y36 Y40-Y59 Y60-Y69 Y70-Y82 Y83-Y84 Y85-Y89 Y90-Y98 "
    "Z00-Z13 Z20-Z29 Z30-Z39 Z40-Z54 Z55-Z65 Z70-Z76 Z80-Z99 ";

/* Its chapters I to XXII, likewise. */
static const char chapters[] =
    "A00-B99 C00-D48 D50-D89 E00-E90 F00-F99 G00-G99 H00-H59 H60-H95 I00-I99 J00-J99 K00-K93 "
    "L00-L99 M00-M99 N00-N99 O00-O99 P00-P96 Q00-Q99 R00-R99 S00-T98 U00-U99 V01-Y98 Z00-Z99 ";

/* Categories that only ICD-10-CM (United States, National Center for Health Statistics) has and
 * that the ranges do not place as it does: each goes where the other one is; `apart` keeps it a
 * block by itself there. */
static const struct {
    char category[4], beside[4];
    bool apart;
} modified[] = {
    {"C4A", "C43", false}, {"C7A", "C75", true},  {"C7B", "C75", true},  {"D3A", "D36", true},
    {"D49", "D48", true},  {"E08", "E10", false}, {"E09", "E10", false}, {"G65", "G64", false},
    {"G89", "G90", false}, {"I16", "I15", false}, {"I1A", "I15", false}, {"I5A", "I52", false},
    {"J4A", "J47", false}, {"K68", "K67", false}, {"K94", "K93", false}, {"K95", "K93", false},
    {"M1A", "M10", false}, {"N52", "N51", false}, {"N53", "N51", false}, {"N65", "N64", false},
    {"O9A", "O99", false}, {"V00", "V01", false}, {"Y37", "Y36", false}, {"Y38", "Y36", false},
    {"Y99", "Y98", false}, {"Z3A", "Z39", false}, {"Z77", "Z80", false}, {"Z78", "Z80", false},
    {"Z79", "Z80", false},
};

/* The range that holds the category; NULL: none. Ranges ascend and do not overlap. */
static const char *find_range(const char *ranges, size_t size, const char *category)
{
    size_t low = 0, high = size / (RANGE_SIZE + 1);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *range = ranges + middle * (RANGE_SIZE + 1);
        if (memcmp(category, range, CATEGORY_SIZE) < 0)
            high = middle;
        else if (memcmp(category, range + CATEGORY_SIZE + 1, CATEGORY_SIZE) > 0)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_letter(char c)
{
    return upper(c) >= 'A' && upper(c) <= 'Z';
}

/* How many bytes the sign of an aetiology, a manifestation or an additional code takes at the end:
 * E11.9+, G63.2*, U07.1!, and the dagger. */
static size_t sign_size(mgl_span text)
{
    static const char dagger[] = "\xe2\x80\xa0";
    size_t size = sizeof dagger - 1;
    if (text.size > size && memcmp(text.data + text.size - size, dagger, size) == 0)
        return size;
    return text.size > 0 && strchr("+*!", text.data[text.size - 1]) != NULL;
}

/* A letter, a digit, a digit or a letter; then up to four of these, with or without a dot in front;
 * then perhaps a sign. */
static bool read_category(mgl_span text, char category[CATEGORY_SIZE], bool *longer)
{
    text.size -= sign_size(text);
    if (text.size < CATEGORY_SIZE || !is_letter(text.data[0]) || !is_digit(text.data[1]) ||
        (!is_digit(text.data[2]) && !is_letter(text.data[2])))
        return false;
    for (size_t i = 0; i < CATEGORY_SIZE; i++)
        category[i] = upper(text.data[i]);
    size_t at = CATEGORY_SIZE;
    bool dot = at < text.size && text.data[at] == '.';
    at += dot;
    *longer = at < text.size;
    if ((dot && !*longer) || text.size - at > MOST_BEHIND)
        return false;
    while (at < text.size && (is_digit(text.data[at]) || is_letter(text.data[at])))
        at++;
    return at == text.size;
}

/* The ranges of a category. A category of a chapter that no block lists is a block by itself. */
static bool find_place(const char *category, const char **block, const char **chapter)
{
    const char *beside = category;
    bool apart = false;
    for (size_t i = 0; i < sizeof modified / sizeof modified[0]; i++)
        if (memcmp(modified[i].category, category, CATEGORY_SIZE) == 0) {
            beside = modified[i].beside;
            apart = modified[i].apart;
        }
    *block = apart ? NULL : find_range(blocks, sizeof blocks - 1, beside);
    *chapter = find_range(chapters, sizeof chapters - 1, beside);
    return *chapter != NULL;
}

/* ---- Levels --------------------------------------------------------------------------------- */

enum { CATEGORY, BLOCK, CHAPTER, N_LEVELS };
static const char *const level_names[N_LEVELS] = {"category", "block", "chapter"};

/* A category is written as the tabular list writes one that has codes below it, E11.-, since E11
 * is a code, too. */
static bool write_label(mgl_span value, size_t level, mgl_buffer *out)
{
    char category[CATEGORY_SIZE];
    const char *block, *chapter;
    bool longer;
    if (!read_category(value, category, &longer) || !find_place(category, &block, &chapter))
        return false;
    const char *range = level == BLOCK ? block : level == CHAPTER ? chapter : NULL;
    if (range != NULL) {
        mgl_buffer_append(out, range, RANGE_SIZE);
    } else {
        mgl_buffer_append(out, category, CATEGORY_SIZE);
        mgl_buffer_text(out, ".-");
    }
    return true;
}

/* Where no code is longer than its category, that level would join nothing. */
static unsigned usual_levels(const mgl_ground *ground)
{
    char category[CATEGORY_SIZE];
    bool longer = false;
    for (size_t i = 0; i < ground->n && !longer; i++)
        if (!read_category(ground->values[i].text, category, &longer))
            longer = false;
    return (longer ? 1U << CATEGORY : 0) | 1U << BLOCK | 1U << CHAPTER;
}

mgl_status mgl_build_icd10(mgl_build *build, mgl_error *err)
{
    static const mgl_classification icd10 = {
        .name = "icd10",
        .levels = level_names,
        .n_levels = N_LEVELS,
        .needs = "is no code of ICD-10 (they read E11, E11.9, E119, S72.001A)",
        .usual = usual_levels,
        .label = write_label};
    return mgl_build_classification(build, &icd10, err);
}
