/* Roles guessed from names and values, as a careful person would at first sight. */
#include "risk/risk.h"

#include <stdio.h>

/* Words in the names of columns. */
static const struct {
    mgl_role role;
    const char *words; /* as in mgl_identifier_kind */
    const char *what;
} known[] = {
    {MGL_ROLE_SENSITIVE,
     "diagnosis|disease|illness|condition|problem|icd|icd10|icd9|hiv|medication|drug|treatment|"
     "procedure|symptom|disorder|test result|lab result|allergy",
     "health"},
    {MGL_ROLE_SENSITIVE,
     "income|salary|salary class|wage|wages|earnings|debt|savings|expend|expenditure|tax|"
     "tax amount|wealth|benefit|pension|credit score",
     "money"},
    {MGL_ROLE_SENSITIVE,
     "religion|political|party|vote|union|sexual orientation|conviction|offence|crime|caste",
     "beliefs and private life"},
    {MGL_ROLE_QUASI, "zip|zipcode|zip code|postcode|post code|postal code|plz", "where one lives"},
    {MGL_ROLE_QUASI,
     "city|town|county|region|state|province|district|country|native country|nationality|"
     "municipality|place|urbrur|location|citizenship|birthplace",
     "where one lives or comes from"},
    {MGL_ROLE_QUASI,
     "birthdate|birth date|date of birth|dob|birthday|birth|birth year|year of birth|age",
     "how old one is"},
    {MGL_ROLE_QUASI, "sex|gender|race|ethnicity|ethnic group|skin", "what one looks like"},
    {MGL_ROLE_QUASI,
     "marital|marital status|civil status|hhcivil|children|household size|relat|relationship",
     "the family"},
    {MGL_ROLE_QUASI,
     "education|occupation|profession|job|employer|workclass|school|degree|industry|department",
     "work and education"},
    {MGL_ROLE_QUASI, "admission|discharge|visit|arrival|departure|date", "when something happened"},
    {MGL_ROLE_QUASI, "height|body weight|eye colour|eye color|hair colour|hair color|language",
     "what one notices about a person"},
};

typedef struct facts {
    const char *name;
    const mgl_dictionary *values;
    const uint64_t *rows;
    uint64_t n_rows, distinct, unique; /* rows whose value occurs once */
    uint64_t texts;                    /* values of several words */
    uint64_t dates, numbers, fractions, codes;
} facts;

static facts gather(const char *name, const mgl_dictionary *values, const uint64_t *rows,
                    uint64_t n_rows)
{
    facts f = {.name = name, .values = values, .rows = rows, .n_rows = n_rows};
    uint32_t missing = mgl_dictionary_missing(values);
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span text = mgl_dictionary_value(values, code);
        if (rows[code] == 0 || code == missing)
            continue;
        mgl_ground_text ground = mgl_ground_text_of(text, NULL);
        f.distinct++;
        f.unique += rows[code] == 1;
        f.texts += text.size >= 20 && memchr(text.data, ' ', text.size) != NULL;
        f.dates += ground.is_date;
        f.numbers += ground.is_number;
        f.fractions += ground.is_number && memchr(text.data, '.', text.size) != NULL;
        f.codes += memchr(text.data, ' ', text.size) == NULL;
    }
    return f;
}

static bool most(uint64_t part, uint64_t all)
{
    return all > 0 && 10 * part >= 9 * all;
}

/* The kind of identifier that most values look like; NULL: none. */
static const mgl_identifier_kind *look(const facts *f)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 0; k < n; k++) {
        uint64_t hits = 0;
        for (uint32_t code = 0; kinds[k].looks != NULL && code < mgl_dictionary_size(f->values);
             code++) {
            mgl_span text = mgl_dictionary_value(f->values, code);
            hits += f->rows[code] > 0 && text.size > 0 && kinds[k].looks(text);
        }
        if (hits >= 2 && 2 * hits >= f->distinct)
            return &kinds[k];
    }
    return NULL;
}

static bool by_name(const facts *f, mgl_advice *out)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        mgl_identifier_kind words = {.words = known[i].words};
        if (!mgl_kind_is_named(&words, f->name))
            continue;
        out->role = known[i].role;
        snprintf(out->reason, sizeof out->reason, "by its name it tells of %s, %s", known[i].what,
                 known[i].role == MGL_ROLE_QUASI ? "which others may know"
                                                 : "which nobody should learn");
        return true;
    }
    for (size_t k = 0; k < n; k++)
        if (mgl_kind_is_named(&kinds[k], f->name)) {
            out->role = MGL_ROLE_IDENTIFIER;
            snprintf(out->reason, sizeof out->reason, "by its name it is %s", kinds[k].name);
            return true;
        }
    return false;
}

static void by_values(const facts *f, mgl_advice *out)
{
    const mgl_identifier_kind *kind = look(f);
    size_t size = sizeof out->reason;
    if (kind != NULL) {
        out->role = MGL_ROLE_IDENTIFIER;
        snprintf(out->reason, size, "its values look like %s", kind->name);
    } else if (most(f->texts, f->distinct)) {
        out->role = MGL_ROLE_IDENTIFIER;
        snprintf(out->reason, size, "free text, which can name persons");
    } else if (most(f->dates, f->distinct)) {
        out->role = MGL_ROLE_QUASI;
        snprintf(out->reason, size, "dates, which others may know");
    } else if (most(f->unique, f->n_rows) && most(f->codes, f->distinct) && f->fractions == 0 &&
               f->n_rows >= 20) {
        out->role = MGL_ROLE_IDENTIFIER;
        snprintf(out->reason, size, "nearly every row has a value of its own");
    } else if (f->distinct <= 50) {
        out->role = MGL_ROLE_QUASI;
        snprintf(out->reason, size, "few values (%llu), which others may know; decide yourself",
                 (unsigned long long)f->distinct);
    } else {
        out->role = MGL_ROLE_INSENSITIVE;
        snprintf(out->reason, size, "%s that nobody is known by; decide yourself",
                 most(f->numbers, f->distinct) ? "numbers" : "values");
    }
}

/* Values speak first where they are sure, then names, then values again. */
mgl_advice mgl_advise(const char *name, const mgl_dictionary *values, const uint64_t *rows,
                      uint64_t n_rows)
{
    facts f = gather(name, values, rows, n_rows);
    mgl_advice advice = {.role = MGL_ROLE_NONE};
    if (look(&f) != NULL || !by_name(&f, &advice))
        by_values(&f, &advice);
    return advice;
}
