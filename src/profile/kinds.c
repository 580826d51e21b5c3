/* The tables of identifiers and topics: how values of each kind look, and which names of columns
 * belong to a kind or a topic. */
#include "profile/profile.h"

#include <ctype.h>

/* ---- Values ------------------------------------------------------------------------------- */

/* Compares with a shape: 9 a digit, A a letter, anything else itself. */
static bool has_shape(mgl_span text, const char *shape)
{
    size_t i = 0;
    for (; i < text.size && shape[i] != '\0'; i++) {
        bool fits = shape[i] == '9'   ? mgl_is_digit(text.data[i])
                    : shape[i] == 'A' ? mgl_is_letter(text.data[i])
                                      : text.data[i] == shape[i];
        if (!fits)
            return false;
    }
    return i == text.size && shape[i] == '\0';
}

/* something@domain.tld, without spaces. */
static bool looks_like_email(mgl_span text)
{
    const char *at = memchr(text.data, '@', text.size);
    if (at == NULL || at == text.data || memchr(text.data, ' ', text.size) != NULL)
        return false;
    size_t domain = (size_t)(at - text.data) + 1;
    const char *dot = memchr(text.data + domain, '.', text.size - domain);
    return dot != NULL && dot > at + 1 && dot + 2 < text.data + text.size &&
           memchr(at + 1, '@', text.size - domain) == NULL;
}

/* (20111.05): an amount below zero, as accounts have them. */
static bool is_in_parentheses(mgl_span text)
{
    return text.data[0] == '(' && text.data[text.size - 1] == ')' &&
           memchr(text.data + 1, '(', text.size - 1) == NULL &&
           memchr(text.data, ')', text.size - 1) == NULL;
}

/* 0171/1234567, 030 1234567: a code of an area that begins with 0, and a number. */
static bool has_area_code(mgl_span text, size_t digits)
{
    enum { SHORTEST_CODE = 3, LONGEST_CODE = 6, FEWEST_DIGITS = 8 };
    size_t n = 0;
    while (n < text.size && mgl_is_digit(text.data[n]))
        n++;
    return digits >= FEWEST_DIGITS && n >= SHORTEST_CODE && n <= LONGEST_CODE &&
           text.data[0] == '0' && strchr("/- ", text.data[n]) != NULL;
}

/* Seven digits or more with +, (), -, . or spaces between: without any of them it may be a number
 * of anything. */
static bool looks_like_phone(mgl_span text)
{
    static const mgl_notation any_century = {.has_century = true};
    size_t digits = 0, marks = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (mgl_is_digit(text.data[i]))
            digits++;
        else if (strchr("+()-. /", text.data[i]) != NULL)
            marks++;
        else
            return false;
    }
    bool dotted = memchr(text.data, '.', text.size) != NULL && marks < 2; /* a decimal number */
    return digits >= 7 && digits <= 15 && marks >= 1 && !dotted &&
           !has_shape(text, "999-99-9999") && !is_in_parentheses(text) &&
           (text.data[0] == '+' || text.data[0] == '(' || marks >= 2 ||
            has_area_code(text, digits)) &&
           mgl_date_orders(&any_century, text) == 0;
}

static bool looks_like_ssn(mgl_span text)
{
    return has_shape(text, "999-99-9999");
}

/* Two letters, two digits, up to thirty more; the number it spells is 1 modulo 97. */
static bool looks_like_iban(mgl_span text)
{
    char plain[40];
    size_t n = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == ' ')
            continue;
        if (n == sizeof plain || !(mgl_is_digit(text.data[i]) || mgl_is_letter(text.data[i])))
            return false;
        plain[n++] = text.data[i];
    }
    if (n < 15 || n > 34 || !has_shape((mgl_span){plain, 4}, "AA99"))
        return false;
    unsigned rest = 0;
    for (size_t i = 0; i < n; i++) {
        char c = plain[(i + 4) % n];
        unsigned value = mgl_is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c & 0x1F) + 9);
        rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
    }
    return rest == 1;
}

/* Four numbers below 256; or groups of hexadecimal digits with colons. */
static bool looks_like_ip(mgl_span text)
{
    size_t groups = 0, digits = 0, colons = 0;
    unsigned number = 0;
    bool v4 = true;
    for (size_t i = 0; i <= text.size; i++) {
        char c = i < text.size ? text.data[i] : '.';
        if (mgl_is_digit(c)) {
            number = number * 10 + (unsigned)(c - '0');
            digits++;
            v4 = v4 && digits <= 3 && number < 256;
        } else if (c == '.' && digits > 0) {
            groups++;
            number = 0;
            digits = 0;
        } else {
            v4 = false;
        }
        colons += c == ':';
        if (i < text.size && !isxdigit((unsigned char)c) && c != ':' && c != '.')
            return false;
    }
    return (v4 && groups == 4) || colons >= 3;
}

/* @ann_osgood: an account of a service. */
static bool looks_like_handle(mgl_span text)
{
    enum { SHORTEST = 4, LONGEST = 40 };
    size_t letters = 0;
    for (size_t i = 1; i < text.size; i++) {
        letters += mgl_is_letter(text.data[i]);
        if (!mgl_is_letter(text.data[i]) && !mgl_is_digit(text.data[i]) &&
            strchr("_.-", text.data[i]) == NULL)
            return false;
    }
    return text.data[0] == '@' && letters >= 2 && text.size >= SHORTEST && text.size <= LONGEST;
}

static bool looks_like_url(mgl_span text)
{
    return looks_like_handle(text) || (text.size > 8 && memcmp(text.data, "http://", 7) == 0) ||
           (text.size > 9 && memcmp(text.data, "https://", 8) == 0) ||
           (text.size > 6 && memcmp(text.data, "www.", 4) == 0);
}

/* Seventeen letters and digits with both among them, without I, O and Q. */
static bool looks_like_vin(mgl_span text)
{
    size_t digits = 0;
    if (text.size != 17)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        if (!mgl_is_digit(text.data[i]) &&
            (!(text.data[i] >= 'A' && text.data[i] <= 'Z') || strchr("IOQ", text.data[i]) != NULL))
            return false;
        digits += mgl_is_digit(text.data[i]);
    }
    return digits >= 5 && digits < 17;
}

static bool looks_like_uuid(mgl_span text)
{
    if (text.size != 36)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (dash ? text.data[i] != '-' : !isxdigit((unsigned char)text.data[i]))
            return false;
    }
    return true;
}

/* ---- Contacts within texts ------------------------------------------------------------------- */

/* Eight digits or more behind a +, with blanks and signs between them: +49 (0) 711 123456. */
static bool has_country_code(mgl_span text)
{
    enum { FEWEST_DIGITS = 8 };
    for (size_t i = 0; i < text.size; i++) {
        size_t digits = 0, at = i + 1;
        if (text.data[i] != '+' || at == text.size || !mgl_is_digit(text.data[at]))
            continue;
        for (; at < text.size && (mgl_is_digit(text.data[at]) || strchr(" ()-/.", text.data[at]));
             at++)
            digits += mgl_is_digit(text.data[at]);
        if (digits >= FEWEST_DIGITS)
            return true;
    }
    return false;
}

/* Without the signs that stand around a word. */
static mgl_span bare_word(mgl_span word)
{
    static const char around[] = "<>()[]{},;:.!?\"'";
    while (word.size > 0 && strchr(around, word.data[0]) != NULL)
        word.data++, word.size--;
    while (word.size > 0 && strchr(around, word.data[word.size - 1]) != NULL)
        word.size--;
    return word;
}

bool mgl_text_has_contact(mgl_span text)
{
    for (size_t from = 0; from < text.size;) {
        const char *blank = memchr(text.data + from, ' ', text.size - from);
        size_t size = blank != NULL ? (size_t)(blank - text.data) - from : text.size - from;
        mgl_span word = bare_word((mgl_span){text.data + from, size});
        if (word.size > 0 && (looks_like_email(word) || looks_like_iban(word) ||
                              (word.data[0] != '@' && looks_like_url(word))))
            return true;
        from += size + 1;
    }
    return has_country_code(text);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The identifiers of the HIPAA Safe Harbor (45 CFR 164.514(b)(2)), and what is like them. */
static const mgl_identifier_kind kinds[MGL_IDENTIFIER_KINDS] = {
    {"a person's name",
     "name|surname|lastname|firstname|fullname|forename|last name|first name|full name|given name|"
     "family name|maiden name|middle name|patient name|person name|customer name|employee name|"
     "member name|user name|username|nachname|vorname|nom|prenom",
     NULL, false},
    {"an address", "address|street|strasse|addr|house number|apartment", NULL, false},
    {"a postal code", "zip|zipcode|zip code|postcode|post code|postal code|plz", NULL, false},
    {"a date of birth", "birthdate|birth date|date of birth|dob|birthday|geburtsdatum", NULL,
     false},
    {"a telephone number", "phone|telephone|tel|mobile|cell phone|cellphone|phone number",
     looks_like_phone, false},
    {"a fax number", "fax|fax number", NULL, false},
    {"an e-mail address", "email|e mail|mail address|emailaddress", looks_like_email, true},
    {"a social security number", "ssn|social security|social security number|socialsecuritynumber",
     looks_like_ssn, true},
    {"a medical record number", "mrn|medical record|medical record number|chart number", NULL,
     true},
    {"a health plan number",
     "beneficiary|insurance number|insurance id|health plan|member number|member id", NULL, true},
    {"an account number", "iban|account number|account|acct|credit card|card number",
     looks_like_iban, true},
    {"a licence number",
     "license|licence|license number|licence number|passport|passport number|certificate number|"
     "driving licence",
     NULL, true},
    {"a vehicle identifier", "vin|license plate|licence plate|plate number", looks_like_vin, false},
    {"a device identifier", "serial number|device id|device serial|imei|mac address", NULL, false},
    {"a web address", "url|website|homepage|web address", looks_like_url, false},
    {"an IP address", "ip|ip address|ipaddress", looks_like_ip, false},
    {"a biometric identifier", "fingerprint|biometric|voice print|iris scan", NULL, false},
    {"a photograph", "photo|photograph|picture|portrait", NULL, false},
    {"an identifier",
     "id|uuid|guid|identifier|patient id|person id|patientid|personid|customer id|employee id|"
     "case number|record number|row number|rownumber|rowid|row id",
     looks_like_uuid, true},
};

const mgl_identifier_kind *mgl_identifier_kinds(size_t *n)
{
    *n = MGL_IDENTIFIER_KINDS;
    return kinds;
}

/* ---- Names ----------------------------------------------------------------------------------- */

enum { MOST_NAME = 128 };

/* The words of a name in lower case, a space between: "patientEmail" is "patient email". */
static void split_name(const char *name, char words[MOST_NAME])
{
    size_t n = 0;
    for (size_t i = 0; name[i] != '\0' && n + 2 < MOST_NAME; i++) {
        char c = name[i];
        bool word = mgl_is_letter(c) || mgl_is_digit(c) || (unsigned char)c >= 0x80;
        bool hump = i > 0 && c >= 'A' && c <= 'Z' && name[i - 1] >= 'a' && name[i - 1] <= 'z';
        if ((!word || hump) && n > 0 && words[n - 1] != ' ')
            words[n++] = ' ';
        if (word)
            words[n++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    while (n > 0 && words[n - 1] == ' ')
        n--;
    words[n] = '\0';
}

/* A single word such as "name" or "id" must be the whole name or, if it is longer than that, its
 * last word after one that means a person: a "hospital name" does not name a person. */
static bool words_fit(const char *words, const char *wanted, size_t size)
{
    size_t length = strlen(words);
    if (length == size && memcmp(words, wanted, size) == 0)
        return true;
    static const char *const general[] = {"name", "id", "account", "mail", "address", "ip", "nom"};
    for (size_t i = 0; i < sizeof general / sizeof general[0]; i++)
        if (size == strlen(general[i]) && memcmp(wanted, general[i], size) == 0)
            return false;
    for (const char *at = words; (at = strchr(at, wanted[0])) != NULL; at++) {
        bool begins = at == words || at[-1] == ' ';
        if (begins && strncmp(at, wanted, size) == 0 && (at[size] == '\0' || at[size] == ' '))
            return true;
    }
    return false;
}

bool mgl_column_is_called(const char *column, const char *words)
{
    char name[MOST_NAME];
    split_name(column, name);
    for (const char *at = words; *at != '\0';) {
        size_t size = strcspn(at, "|");
        if (words_fit(name, at, size))
            return true;
        at += size + (at[size] == '|');
    }
    return false;
}

/* Is the word one of the alternatives? */
static bool is_alternative(const char *words, mgl_span word)
{
    for (const char *at = words; *at != '\0';) {
        size_t size = strcspn(at, "|");
        if (size == word.size && memcmp(at, word.data, size) == 0)
            return true;
        at += size + (at[size] == '|');
    }
    return false;
}

/* Is the name made of these single words, with nothing but `others` beside them? "driver", "driver
 * no", but not "driver age". */
static bool column_is_made_of(const char *column, const char *words, const char *others)
{
    char name[MOST_NAME];
    bool any = false;
    split_name(column, name);
    for (const char *at = name; *at != '\0';) {
        mgl_span word = {at, strcspn(at, " ")};
        bool wanted = is_alternative(words, word);
        if (!wanted && !is_alternative(others, word))
            return false;
        any = any || wanted;
        at += word.size + (at[word.size] == ' ');
    }
    return any;
}

bool mgl_kind_is_named(const mgl_identifier_kind *kind, const char *column)
{
    return mgl_column_is_called(column, kind->words);
}

/* ---- Topics ---------------------------------------------------------------------------------- */

/* Words for persons, and those that can stand beside them where the column identifies persons. */
static const char persons[] =
    "patient|patientid|patienten|patients|patientennummer|patnr|pat|patid|pid|subject|subjectid|"
    "subjid|usubjid|subj|person|personid|persnr|personnel|participant|respondent|customer|"
    "customerid|client|clientid|member|user|userid|username|login|employee|staff|worker|student|"
    "studentid|pupil|learner|driver|passenger|guest|tenant|donor|visitor|resident|inmate|borrower|"
    "player|badge|account|holder|owner|insured|voter|applicant|candidate|kunde|kundin|"
    "kundennummer|versicherter|versichertennummer|teilnehmer|teilnehmerin|mitglied|mitarbeiter|"
    "nutzer|benutzer|sch\xC3\xBCler|schueler|fahrer|proband|ausweis|personalnummer|cliente|"
    "paciente|usuario|usu\xC3\xA1rio|alumno|aluno|empleado|socio|miembro|conductor|persona|utente|"
    "paziente|dipendente|studente|pessoa|membre|utilisateur|\xC3\xA9l\xC3\xA8ve|eleve|adherent|"
    "adh\xC3\xA9rent|assur\xC3\xA9|usager|salari\xC3\xA9|deelnemer|klant|klantnummer|gebruiker|"
    "medewerker|leerling|kund|medlem|bruker|anv\xC3\xA4ndare|pacjent|klient|uczestnik|pracownik";
static const char beside_persons[] =
    "id|ids|no|nr|num|number|key|code|name|uid|nummer|num\xC3\xA9ro|numero|n\xC3\xBAmero|nom|"
    "nombre|nome|card|the|of|de|del|der|du|da|patienten|ref";

/* The first that fits counts. */
static const mgl_topic topics[] = {
    {MGL_TOPIC_WEIGHT,
     "sampling weight|samplingweight|sample weight|survey weight|design weight|pweight|fnlwgt|"
     "weight final|final weight|expansion factor|hochrechnungsfaktor|wgt|perwt|hhwt|weights",
     "sampling weights"},
    {MGL_TOPIC_HOUSEHOLD,
     "household id|householdid|hhid|hh id|household number|household|family id|familyid|famid|"
     "haushalt|haushaltsnummer|hid|db030",
     "ids of households"},
    {MGL_TOPIC_PERSON, NULL, "ids of persons"},
    {MGL_TOPIC_HEALTH,
     "diagnosis|disease|illness|condition|problem|icd|icd10|icd9|hiv|medication|drug|treatment|"
     "procedure|symptom|disorder|test result|lab result|allergy|diagnose|krankheit|befund|"
     "diagnostic|maladie",
     "health"},
    {MGL_TOPIC_MONEY,
     "income|incomes|salary|salaries|salary "
     "class|wage|wages|earnings|debt|savings|expend|expenditure|tax|"
     "tax amount|wealth|benefit|pension|credit score|einkommen|gehalt|lohn|umsatz|revenu|salaire",
     "income or wealth"},
    {MGL_TOPIC_PRIVATE,
     "religion|political|party|vote|union|sexual orientation|conviction|offence|crime|caste|"
     "konfession|partei",
     "beliefs and private life"},
    {MGL_TOPIC_POSTCODE,
     "zip|zipcode|zip code|postcode|post code|postal|postal code|plz|postleitzahl|code postal|"
     "postnummer|postnr|kod pocztowy|codigo postal|c\xC3\xB3"
     "digo postal|cap|cep|psc|pincode|pin code|\xE9\x82\xAE\xE7\xBC\x96",
     "where people live"},
    {MGL_TOPIC_PLACE,
     "city|town|county|region|state|province|district|country|native country|nationality|"
     "municipality|place|urbrur|location|citizenship|birthplace|ort|wohnort|stadt|gemeinde|land|"
     "kreis|bundesland|ville|commune|pays",
     "where people live or come from"},
    {MGL_TOPIC_BIRTH,
     "birthdate|birth date|date of birth|dob|birthday|birth|birth year|year of birth|"
     "geburtsdatum|geburtsjahr|naissance|date de naissance|nacimiento|nascimento|nascita|"
     "geboortedatum|f\xC3\xB6"
     "delsedatum",
     "birth"},
    {MGL_TOPIC_AGE, "age|alter", "age"},
    {MGL_TOPIC_BODY,
     "sex|gender|race|ethnicity|ethnic group|skin|geschlecht|sexe|sexo|sesso|geslacht|genre|"
     "g\xC3\xA9nero|k\xC3\xB6n|kj\xC3\xB8nn",
     "physical appearance"},
    {MGL_TOPIC_FAMILY,
     "marital|marital status|civil status|hhcivil|children|household size|relat|relationship|"
     "familienstand|kinder",
     "family"},
    {MGL_TOPIC_WORK,
     "education|occupation|profession|job|employer|workclass|school|degree|industry|department|"
     "beruf|bildung|arbeitgeber",
     "work and education"},
    {MGL_TOPIC_EVENT, "admission|discharge|visit|arrival|departure|date|aufnahme|entlassung|datum",
     "the date of an event"},
    {MGL_TOPIC_NOTICED,
     "height|body weight|eye colour|eye color|hair colour|hair color|language|sprache",
     "what people notice about a person"},
};

const mgl_topic *mgl_topic_of(const char *column)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++)
        if (topics[i].words == NULL ? column_is_made_of(column, persons, beside_persons)
                                    : mgl_column_is_called(column, topics[i].words))
            return &topics[i];
    return NULL;
}
