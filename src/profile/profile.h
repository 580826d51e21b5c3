/* profile: what a column is, judged in one place. Advice, suggestions of hierarchies, the leak
 * guard and Safe Harbor use it, so that they agree. docs/risk.md lists every rule. */
#ifndef MGL_PROFILE_H
#define MGL_PROFILE_H

#include "base/base.h"
#include "hierarchy/hierarchy.h"
#include "table/table.h"

/* ---- Kinds of identifiers, known by the name of a column or by the look of its values ----------
 */

typedef struct mgl_identifier_kind {
    const char *name;        /* "an e-mail address" */
    const char *words;       /* names of columns: alternatives with | between, words of one with a
                                space; a word matches a whole part of a name */
    bool (*looks)(mgl_span); /* does a value look so? NULL: values show nothing */
    bool of_one;             /* belongs to one person: not a name, an address, a telephone */
} mgl_identifier_kind;

enum { MGL_IDENTIFIER_KINDS = 19 };
const mgl_identifier_kind *mgl_identifier_kinds(size_t *n);

/* Does the name of a column mean the kind? "patientEmail", "E-Mail", "patient_email" all do. */
bool mgl_kind_is_named(const mgl_identifier_kind *kind, const char *column);

/* The same for words written as in `words` above. */
bool mgl_column_is_called(const char *column, const char *words);

/* Has a text an e-mail address, a web address, an account number or a telephone number with the
 * code of its country among its words? */
bool mgl_text_has_contact(mgl_span text);

/* ---- Kinds of values -------------------------------------------------------------------- */

typedef enum mgl_value_kind {
    MGL_VALUE_EMPTY,     /* no values at all */
    MGL_VALUE_INTEGER,   /* 42, -7 */
    MGL_VALUE_DECIMAL,   /* 3.14, integers among them */
    MGL_VALUE_COMMA,     /* 3,14 and 1.234,5: the same with a decimal comma */
    MGL_VALUE_DATE,      /* 1965-09-13, 13.9.1965 */
    MGL_VALUE_DATE_TIME, /* a date and a time of day */
    MGL_VALUE_CODE,      /* no blanks, digits among the characters: E11.9, AB-123 */
    MGL_VALUE_CATEGORY,  /* few values, or single words */
    MGL_VALUE_NAME,      /* two to five capitalized words, or one, that hardly repeat */
    MGL_VALUE_TEXT,      /* long, of several words */
    MGL_VALUE_KINDS
} mgl_value_kind;

const char *mgl_value_kind_name(mgl_value_kind kind); /* "decimal numbers" */

/* ---- Topics: what the name of a column means ----------------------------------------------- */

typedef enum mgl_topic_id {
    MGL_TOPIC_HEALTH,
    MGL_TOPIC_MONEY,
    MGL_TOPIC_PRIVATE, /* beliefs and private life */
    MGL_TOPIC_POSTCODE,
    MGL_TOPIC_PLACE,
    MGL_TOPIC_AGE,
    MGL_TOPIC_BIRTH, /* never changes within a person */
    MGL_TOPIC_BODY,  /* sex, race: neither do they */
    MGL_TOPIC_FAMILY,
    MGL_TOPIC_WORK,
    MGL_TOPIC_EVENT, /* dates of what happened */
    MGL_TOPIC_NOTICED,
    MGL_TOPIC_WEIGHT,    /* sampling weights */
    MGL_TOPIC_HOUSEHOLD, /* ids of households */
    MGL_TOPIC_PERSON,    /* ids of persons: patient, subject */
    MGL_TOPICS
} mgl_topic_id;

typedef struct mgl_topic {
    mgl_topic_id id;
    const char *words; /* as in mgl_identifier_kind; NULL: found otherwise */
    const char *what;  /* "where people live" */
} mgl_topic;

/* Returns the topic of the name of a column; NULL if unknown. */
const mgl_topic *mgl_topic_of(const char *column);

/* ---- The profile ------------------------------------------------------------------------ */

/* What values look like, one by one. Each value counts once in each that fits. */
typedef struct mgl_shapes {
    uint64_t values; /* looked at; probable codes for missing are not among them */
    uint64_t integers, points, commas; /* numbers: whole, and by their decimal separator */
    uint64_t round; /* of those with a point: whole numbers that a spreadsheet wrote, 4711.0 */
    uint64_t dates, date_times;
    uint64_t short_years; /* of the dates */
    uint64_t padded;      /* digits with a zero in front, 01234 */
    uint64_t codes, words, names, texts;
    size_t shortest, longest;                   /* bytes */
    double low, high;                           /* of the numbers; low > high: there are none */
    uint64_t identifiers[MGL_IDENTIFIER_KINDS]; /* that look like the kind */
} mgl_shapes;

/* A value that probably means missing. */
typedef struct mgl_missing_code {
    char text[16];
    uint64_t rows;
    bool number; /* -99 and the like, which the user must confirm; else unambiguous (NA, ?) */
} mgl_missing_code;

enum { MGL_MOST_MISSING_CODES = 8 };

/* What numbers are that are nearly all different. */
typedef enum mgl_number_form {
    MGL_NUMBERS_DOUBTFUL, /* the name of the column may decide; else a key */
    MGL_NUMBERS_KEY,
    MGL_NUMBERS_AMOUNT,
    MGL_NUMBERS_DATE /* days without signs between: 19650913 */
} mgl_number_form;

/* What a sample of the different values has, as shares of it, whatever the column is called. */
typedef struct mgl_content {
    size_t values;     /* sampled; 0: nothing is known */
    double full_names; /* have the form of a full name, in any script */
    double titles;     /* a title with a name: Dr. Osgood, seen with Frau Osgood */
    double maybe_titles, initials;
    double mentions;        /* texts with two capitalized words side by side among small ones */
    size_t mentioned_names; /* different ones of these */
    double contacts;        /* texts that have an address of the net or a telephone */
    double single_words;
    double capitals; /* full names that are written with capital letters */
    double times;    /* of the day: 13:05; parts of a year: 2018-07; 19 Jan 2020 */
    double numbered; /* words with a house number */
    size_t names, first_words, last_words; /* of full names and numbered: values, words */
    bool measures;      /* texts: amounts with a sign of money or a unit: $1,234.56, 12 %, 120/80 */
    double one_pattern; /* the most frequent pattern of letters and digits */
    mgl_number_form numbers;
} mgl_content;

/* A sample of the values of a stream, for mgl_profile_end. NULL when memory is out; free with
 * mgl_value_sample_free. */
typedef struct mgl_value_sample mgl_value_sample;
mgl_value_sample *mgl_value_sample_new(void);
void mgl_value_sample_free(mgl_value_sample *sample);
void mgl_value_sample_add(mgl_value_sample *sample, mgl_span value);

typedef struct mgl_profile {
    const char *name;   /* borrowed */
    bool out_of_memory; /* judged by its counts and single values alone: set by mgl_profile_end */
    uint64_t rows;      /* all of them */
    uint64_t missing;   /* without a value */
    uint64_t distinct;  /* different values, without the missing one */
    uint64_t alone;     /* rows whose value no other row has */
    uint64_t most;      /* rows that have the most frequent value, NA and the like left out; 0:
                         * not known */
    mgl_shapes shapes;
    mgl_value_kind kind;
    const mgl_identifier_kind *named; /* what the column is called like; NULL: nothing */
    const mgl_identifier_kind *looks; /* what its values look like; NULL: nothing */
    const mgl_topic *topic;           /* what its name means; NULL: unknown */
    mgl_missing_code codes[MGL_MOST_MISSING_CODES]; /* still counted as values above */
    size_t n_codes;
    bool labelled;     /* the data has labels for most values: 1 male, 2 female */
    uint64_t variants; /* values that another one differs from in letter case and blanks only */
    mgl_value_sample *sample; /* borrowed; NULL: content is not looked at */
    mgl_content content;
    uint64_t values;    /* different ones, spellings of one value counted once */
    uint64_t commonest; /* rows of the most frequent of these */
} mgl_profile;

/* From all values of a column, of which code c occurs in rows[c] rows. */
mgl_status mgl_profile_of(const char *name, const mgl_dictionary *values, const uint64_t *rows,
                          mgl_error *err, mgl_profile *out);

/* From a stream: begin, look at some of the different values (each once), put the counts in
 * (`rows`, `missing`, `distinct`, `alone` may be estimates), and end. Content is judged where the
 * stream has put a `sample` of its own into the profile. */
void mgl_profile_begin(mgl_profile *profile, const char *name);
void mgl_profile_look(mgl_profile *profile, mgl_span value);
void mgl_profile_end(mgl_profile *profile);

/* ---- Judgements ------------------------------------------------------------------------------ */

#define MGL_MOST_VALUES 0.9         /* a kind is what so many of the values are */
#define MGL_LOOKS_SHARE 0.5         /* from so many values on a column looks like an identifier */
#define MGL_KEY_SHARE 0.9           /* of the rows are alone with their value: a key */
#define MGL_DIFFER_SHARE 0.05       /* of the rows differ from the most frequent value */
#define MGL_SINGLES_OUT_SHARE 0.5   /* of the rows with a value are alone with it: most */
#define MGL_NEVER_VARIES_SHARE 0.95 /* of the ids with several rows have one value of a column */
#define MGL_ALONE_SHARE 0.2     /* from so many rows alone on a column is not released as it is */
#define MGL_NAMES_SHARE 0.8     /* of the values have the form of names: a column of names */
#define MGL_MENTIONS_SHARE 0.05 /* of the texts name persons by title */
#define MGL_ROWS_OF_PERSON 30   /* at most so many on average, where nothing is called a person */
#define MGL_ROWS_IN_DOUBT 15    /* where what never varies is impersonal */
#define MGL_SPREAD_OF_PERSONS 4 /* the most rows of a person, in averages */
enum {
    MGL_FEWEST_JUDGED = 20,  /* rows with a value, below which being alone proves nothing */
    MGL_FEWEST_COUNTED = 5,  /* rows of a column that counts them */
    MGL_FEW_VALUES = 50,     /* so many different texts are categories */
    MGL_FEWEST_PERSONS = 20, /* with several rows, where traits alone prove that they are persons */
    MGL_FEW_PERSONS = 8      /* where more evidence is needed */
};

/* What makes a column an identifier by its content, whatever it is called: such a column is not
 * released. mgl_advise (risk/risk.h) words the verdict; every command that judges a column uses it
 * or this, so that they agree. */
typedef enum mgl_identity {
    MGL_IDENTITY_NONE,
    MGL_IDENTITY_CONTACT, /* `looks` has its kind: mail, telephone, account */
    MGL_IDENTITY_PERSON,  /* names of persons, or texts with titles and names */
    MGL_IDENTITY_ADDRESS, /* streets with house numbers */
    MGL_IDENTITY_KEY,     /* numbers or codes that are nearly all different */
    MGL_IDENTITY_TEXT,    /* texts nearly all different, free text */
    MGL_IDENTITY_REPEATS  /* codes or numbers of which each has a few rows, as ids of persons do */
} mgl_identity;
mgl_identity mgl_profile_identity(const mgl_profile *profile);

/* More rows are alone with their value than may be released as they are (MGL_ALONE_SHARE). */
bool mgl_profile_is_near_unique(const mgl_profile *profile);

/* All rows have the same value, or none. */
bool mgl_profile_is_constant(const mgl_profile *profile);
/* Most rows that have a value are alone with it, whatever it looks like. */
bool mgl_profile_singles_out(const mgl_profile *profile);
/* The share of the rows with a value that are alone with it. */
double mgl_profile_alone_share(const mgl_profile *profile);
/* 1 to n, or any other run of whole numbers that has each number once. */
bool mgl_profile_counts_rows(const mgl_profile *profile);
/* Numbers with a decimal point or comma, or whole ones that are no codes. */
bool mgl_profile_is_number(const mgl_profile *profile);
/* Whole numbers that stand for something else (1 male, 2 female): at most 5 of them within 10, or
 * at most 50 that have labels, zeros in front (01, 02) or a name that means categories (race). */
bool mgl_profile_is_nominal(const mgl_profile *profile);
bool mgl_profile_is_date(const mgl_profile *profile); /* or date-time */
/* Texts that are times of the day, parts of a year, or amounts with a unit. */
bool mgl_profile_is_measured(const mgl_profile *profile);
bool mgl_profile_is_year(const mgl_profile *profile); /* numbers that are years of our time */
/* Its dates have two-digit years: the user must give the century. */
bool mgl_profile_has_short_years(const mgl_profile *profile);
/* Is called like sampling weights, and its values can be such: numbers above 0. */
bool mgl_profile_is_weight(const mgl_profile *profile);
bool mgl_profile_is_household(const mgl_profile *profile);
/* Values that only identify a row or a person: codes and numbers without a scale. Amounts that
 * differ in each row are not keys. */
bool mgl_profile_is_key(const mgl_profile *profile);
/* Numbers of which there are many: what microaggregation is for. */
bool mgl_profile_is_amount(const mgl_profile *profile);
/* Do enough rows differ from the most frequent value for classes with two values each? */
bool mgl_profile_can_differ(const mgl_profile *profile);

/* ---- Columns within others --------------------------------------------------------------- */

/* How far the values of one column go with those of another, the id. */
typedef struct mgl_within {
    uint64_t ids;      /* different values of the id */
    uint64_t repeated; /* of these: in several rows */
    uint64_t same;     /* of the repeated: all their rows have one value of the column */
} mgl_within;

/* Rows without an id are left out; times as in mgl_table. */
mgl_status mgl_within_find(const mgl_table *table, const mgl_column *id, const mgl_column *column,
                           mgl_error *err, mgl_within *out);
/* Does the column belong to the id, as sex does to a person? */
bool mgl_within_holds(const mgl_within *within);
/* Dates, years, or what is called ages. */
bool mgl_within_can_lie_apart(const mgl_profile *column);
/* Sets *apart if the values of such a column differ so much within most ids that they are those of
 * many persons; those of other columns never do. */
mgl_status mgl_within_lies_apart(const mgl_table *table, const mgl_column *id,
                                 const mgl_column *column, const mgl_profile *profile,
                                 mgl_error *err, bool *apart);
/* Do the values of the column follow the size of the ids, which are numbers, as groups of ages
 * follow ages? */
mgl_status mgl_within_follows(const mgl_table *table, const mgl_column *id,
                              const mgl_column *column, mgl_error *err, bool *follows);

/* ---- Persons with several rows ------------------------------------------------------------ */

/* Can the column identify persons with several rows? By its name or look, by names of persons or
 * keys among its values, or only if other columns never change within it: any texts and numbers of
 * which each has a few rows; a few texts in the form of full names need fewer persons. */
typedef enum mgl_person_id {
    MGL_PERSON_BY_NOTHING,
    MGL_PERSON_BY_TRAITS, /* also of many rows each */
    MGL_PERSON_BY_KEY,
    MGL_PERSON_BY_FORM,
    MGL_PERSON_BY_CONTENT,
    MGL_PERSON_BY_NAME
} mgl_person_id;
mgl_person_id mgl_profile_person_id(const mgl_profile *profile);

/* Sex, race, birth: of one person they do not vary. */
bool mgl_profile_is_trait(const mgl_profile *profile);

/* How much it proves of persons that the column never varies within an id: nothing for amounts,
 * which objects have, least for categories, which wards and goods have as well. */
enum {
    MGL_POINTS_OF_OBJECTS = 0,
    MGL_POINTS_OF_CATEGORIES = 1,
    MGL_POINTS_OF_PERSONS = 2, /* years, ages, two answers of which both are frequent */
    MGL_POINTS_OF_TRAITS = 3   /* sex, birth, race by name; days */
};
unsigned mgl_profile_points(const mgl_profile *profile);
/* Like ages, and with gaps between them: not the numbers of a list. */
bool mgl_profile_is_scattered(const mgl_profile *profile);
/* Days, years, ages, or a trait by name. */
bool mgl_profile_is_personal(const mgl_profile *profile);

/* Rows that have a value, on average of the values. */
double mgl_profile_rows_each(const mgl_profile *profile);
/* Repeats as persons do, each in a few rows, under a name that speaks of nothing or of what is
 * confidential: in doubt its values are persons. */
bool mgl_profile_may_be_persons(const mgl_profile *profile);
/* If they are persons, its name speaks of something else. Long drawn codes are nothing else. */
bool mgl_profile_is_miscalled(const mgl_profile *profile);

/* What was seen within the values of such a column. */
typedef struct mgl_person_evidence {
    size_t traits, traits_same; /* columns; those that never vary within the id */
    size_t others_same;         /* other columns that vary in the table and never within the id */
    unsigned points; /* of all these but those that another one determines, as a town its country */
    bool personal;   /* one of them has the form of what never changes within a person */
    bool many;       /* many persons stand within it: their names, their births far apart */
    size_t amounts;  /* of the others that never vary: those of objects */
    bool in_doubt;   /* mgl_profile_may_be_persons of the id */
    bool miscalled;  /* mgl_profile_is_miscalled of the id */
    double rows;     /* mgl_profile_rows_each of the id */
    uint64_t persons, repeated; /* different ids; those with several rows */
} mgl_person_evidence;
/* Names, contacts and what is called a person: where these vary within an id, it is that of a group
 * of persons. */
bool mgl_profile_names_persons(const mgl_profile *profile);
bool mgl_person_is_proved(mgl_person_id id, const mgl_person_evidence *evidence);

/* The same from a stream: a column, and the ground values that each of its rows has in others. */
typedef struct mgl_repeats mgl_repeats;

/* traits[i]: is ground value i one of a trait? Borrows name and traits. Free with
 * mgl_repeats_free. */
mgl_status mgl_repeats_new(const char *name, const bool *traits, size_t n_ground, mgl_error *err,
                           mgl_repeats **out);
void mgl_repeats_free(mgl_repeats *repeats);
void mgl_repeats_watch(mgl_repeats *repeats, mgl_span cell, const uint32_t *ground);
uint64_t mgl_repeats_rows(const mgl_repeats *repeats); /* watched so far */
/* After the last row. *persons: about how many. */
bool mgl_repeats_are_persons(mgl_repeats *repeats, uint64_t *persons);

#endif
