/* Builds icd10: E11.9 -> E11.- -> E10-E14 -> E00-E90 -> *, and icd9: 250.02 -> 250.- -> 249-259 ->
 * 240-279 -> *. Blocks and chapters are ranges of categories (the first characters), so that codes
 * of all editions and national modifications find their place by rule. Rows of the table in
 * builders.c. */
#include "hierarchy/classification.h"

enum { CATEGORY_SIZE = 3, MOST_BEHIND = 4, LONGEST_CATEGORY = 4 /* E850 of ICD-9 */ };

/* What a code belongs to. */
typedef struct place {
    char category[LONGEST_CATEGORY];
    size_t size;         /* of the category */
    bool longer;         /* there is more behind the category */
    const char *block;   /* a range; NULL: the category is a block by itself */
    const char *chapter; /* a range */
} place;

/* The range that holds the category, a text like "E10-E14"; NULL: none. Ranges ascend and do not
 * overlap, each with a space behind it. */
static const char *find_range(const char *ranges, const char *category, size_t size)
{
    size_t step = 2 * size + 2, low = 0, high = strlen(ranges) / step;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *range = ranges + middle * step;
        if (memcmp(category, range, size) < 0)
            high = middle;
        else if (memcmp(category, range + size + 1, size) > 0)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

enum { CATEGORY, BLOCK, CHAPTER, N_LEVELS };
static const char *const level_names[N_LEVELS] = {"category", "block", "chapter"};

static bool place_icd10(mgl_span text, place *out);
static bool place_icd9(mgl_span text, place *out);

static bool find_place(const mgl_classification *c, mgl_span value, place *out)
{
    return c == &mgl_icd9 ? place_icd9(value, out) : place_icd10(value, out);
}

/* A category is written as the tabular list writes one that has codes below it, E11.-, since E11
 * is a code, too. */
static bool write_label(const mgl_classification *c, mgl_span value, size_t level, mgl_buffer *out)
{
    place at = {0};
    if (!find_place(c, value, &at))
        return false;
    const char *range = level == BLOCK ? at.block : level == CHAPTER ? at.chapter : NULL;
    if (range != NULL) {
        mgl_buffer_append(out, range, 2 * at.size + 1);
    } else {
        mgl_buffer_append(out, at.category, at.size);
        mgl_buffer_text(out, ".-");
    }
    return true;
}

/* Where no code is longer than its category, that level would join nothing. */
static unsigned usual_levels(const mgl_classification *c, const mgl_ground *ground)
{
    bool longer = false;
    for (size_t i = 0; i < ground->n && !longer; i++) {
        place at = {0};
        longer = find_place(c, ground->values[i].text, &at) && at.longer;
    }
    return (longer ? 1U << CATEGORY : 0) | 1U << BLOCK | 1U << CHAPTER;
}

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
static bool read_icd10(mgl_span text, place *out)
{
    text.size -= sign_size(text);
    if (text.size < CATEGORY_SIZE || !mgl_is_letter(text.data[0]) || !mgl_is_digit(text.data[1]) ||
        (!mgl_is_digit(text.data[2]) && !mgl_is_letter(text.data[2])))
        return false;
    for (size_t i = 0; i < CATEGORY_SIZE; i++)
        out->category[i] = mgl_upper(text.data[i]);
    out->size = CATEGORY_SIZE;
    size_t at = CATEGORY_SIZE;
    bool dot = at < text.size && text.data[at] == '.';
    at += dot;
    out->longer = at < text.size;
    if ((dot && !out->longer) || text.size - at > MOST_BEHIND)
        return false;
    while (at < text.size && (mgl_is_digit(text.data[at]) || mgl_is_letter(text.data[at])))
        at++;
    return at == text.size;
}

/* A category of a chapter that no block lists is a block by itself. */
static bool place_icd10(mgl_span text, place *out)
{
    bool apart = false;
    if (!read_icd10(text, out))
        return false;
    const char *beside = out->category;
    for (size_t i = 0; i < sizeof modified / sizeof modified[0]; i++)
        if (memcmp(modified[i].category, out->category, CATEGORY_SIZE) == 0) {
            beside = modified[i].beside;
            apart = modified[i].apart;
        }
    out->block = apart ? NULL : find_range(blocks, beside, CATEGORY_SIZE);
    out->chapter = find_range(chapters, beside, CATEGORY_SIZE);
    return out->chapter != NULL;
}

const mgl_classification mgl_icd10 = {
    .name = "icd10",
    .levels = level_names,
    .n_levels = N_LEVELS,
    .needs = "is no code of ICD-10 (they read E11, E11.9, E119, S72.001A)",
    .usual = usual_levels,
    .label = write_label,
};

/* International Classification of Diseases, 9th revision, Clinical Modification (ICD-9-CM), tabular
 * list of diseases, last edition (October 2011). The revision of the World Health Organization ends
 * some blocks elsewhere (042-044, 170-175, 530-537); codes are placed as this list does. */
static const char blocks9[] =
    "001-009 010-018 020-027 030-041 042-042 045-049 050-059 060-066 070-079 080-088 090-099 "
    "100-104 110-118 120-129 130-136 137-139 "
    "140-149 150-159 160-165 170-176 179-189 190-199 200-208 209-209 210-229 230-234 235-238 "
    "239-239 240-246 249-259 260-269 270-279 280-289 290-294 295-299 300-316 317-319 "
    "320-326 327-327 330-337 338-338 339-339 340-349 350-359 360-379 380-389 "
    "390-392 393-398 401-405 410-414 415-417 420-429 430-438 440-449 451-459 "
    "460-466 470-478 480-488 490-496 500-508 510-519 "
    "520-529 530-539 540-543 550-553 555-558 560-569 570-579 "
    "580-589 590-599 600-608 610-612 614-616 617-629 "
    "630-633 634-639 640-649 650-659 660-669 670-677 678-679 680-686 690-698 700-709 "
    "710-719 720-724 725-729 730-739 740-759 760-763 764-779 780-789 790-796 797-799 "
    "800-804 805-809 810-819 820-829 830-839 840-848 850-854 860-869 870-879 880-887 890-897 "
    "900-904 905-909 910-919 920-924 925-929 930-939 940-949 950-957 958-959 960-979 980-989 "
    "990-995 996-999 "
    "V01-V06 V07-V09 V10-V19 V20-V29 V30-V39 V40-V49 V50-V59 V60-V69 V70-V82 V83-V84 V85-V85 "
    "V86-V86 "
    "V87-V87 V88-V88 V89-V89 V90-V90 V91-V91 ";

static const char chapters9[] = "001-139 140-239 240-279 280-289 290-319 320-389 390-459 460-519 "
                                "520-579 580-629 630-679 680-709 710-739 740-759 760-779 780-799 "
                                "800-999 V01-V91 ";

/* Of external causes, whose categories have three digits behind their letter. */
static const char causes9[] =
    "E000-E000 E001-E030 E800-E807 E810-E819 E820-E825 E826-E829 E830-E838 E840-E845 E846-E848 "
    "E849-E849 "
    "E850-E858 E860-E869 E870-E876 E878-E879 E880-E888 E890-E899 E900-E909 E910-E915 E916-E928 "
    "E929-E929 E930-E949 E950-E959 E960-E969 E970-E978 E979-E979 E980-E989 E990-E999 ";
static const char chapter_of_causes9[] = "E000-E999 ";

/* Three digits, V and two, or E and three; then up to two more digits (E: one), with or without a
 * dot in front. Spreadsheets drop zeros at the front: 8.45 is 008.45, and 38 is 038. */
static bool read_icd9(mgl_span text, place *out)
{
    char letter = text.size > 0 && mgl_is_letter(text.data[0]) ? mgl_upper(text.data[0]) : '\0';
    size_t at = letter != '\0', digits = letter == 'V' ? 2 : 3, n = 0;
    if (letter != '\0' && letter != 'V' && letter != 'E')
        return false;
    while (n < digits && at + n < text.size && mgl_is_digit(text.data[at + n]))
        n++;
    if (n == 0 || (letter != '\0' && n < digits))
        return false;
    out->size = (letter != '\0') + digits;
    memset(out->category, '0', out->size);
    if (letter != '\0')
        out->category[0] = letter;
    memcpy(out->category + out->size - n, text.data + at, n);
    at += n;
    bool dot = at < text.size && text.data[at] == '.';
    at += dot;
    out->longer = at < text.size;
    if ((dot && !out->longer) || (!dot && out->longer && n < digits) ||
        text.size - at > (letter == 'E' ? 1 : 2))
        return false;
    while (at < text.size && mgl_is_digit(text.data[at]))
        at++;
    return at == text.size;
}

static bool place_icd9(mgl_span text, place *out)
{
    if (!read_icd9(text, out))
        return false;
    bool cause = out->category[0] == 'E';
    out->block = find_range(cause ? causes9 : blocks9, out->category, out->size);
    out->chapter = find_range(cause ? chapter_of_causes9 : chapters9, out->category, out->size);
    /* There are no causes from E031 to E799. */
    return cause ? out->block != NULL : out->chapter != NULL;
}

const mgl_classification mgl_icd9 = {
    .name = "icd9",
    .levels = level_names,
    .n_levels = N_LEVELS,
    .needs = "is no diagnosis of ICD-9 (they read 250, 250.02, 25002, V30.00, E850.0)",
    .usual = usual_levels,
    .label = write_label,
};
