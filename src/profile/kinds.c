/* The table of identifiers: how each kind looks and what its columns are called. Profiles, the leak
 * guard and Safe Harbor look things up in it. */
#include "profile/kinds.h"

#include <ctype.h>

/* ---- Values ------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Compares with a shape: 9 a digit, A a letter, anything else itself. */
static bool has_shape(mgl_span text, const char *shape)
{
    size_t i = 0;
    for (; i < text.size && shape[i] != '\0'; i++) {
        bool fits = shape[i] == '9'   ? is_digit(text.data[i])
                    : shape[i] == 'A' ? is_letter(text.data[i])
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

/* Seven digits or more with +, (), -, . or spaces between: without any of them it may be a number
 * of anything. */
static bool looks_like_phone(mgl_span text)
{
    size_t digits = 0, marks = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (is_digit(text.data[i]))
            digits++;
        else if (strchr("+()-. /", text.data[i]) != NULL)
            marks++;
        else
            return false;
    }
    bool dotted = memchr(text.data, '.', text.size) != NULL && marks < 2; /* a decimal number */
    bool date = has_shape(text, "9999-99-99") || has_shape(text, "99.99.9999") ||
                has_shape(text, "99/99/9999") || has_shape(text, "999-99-9999");
    return digits >= 7 && digits <= 15 && marks >= 1 && !dotted && !date &&
           !is_in_parentheses(text) && (text.data[0] == '+' || text.data[0] == '(' || marks >= 2);
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
        if (n == sizeof plain || !(is_digit(text.data[i]) || is_letter(text.data[i])))
            return false;
        plain[n++] = text.data[i];
    }
    if (n < 15 || n > 34 || !has_shape((mgl_span){plain, 4}, "AA99"))
        return false;
    unsigned rest = 0;
    for (size_t i = 0; i < n; i++) {
        char c = plain[(i + 4) % n];
        unsigned value = is_digit(c) ? (unsigned)(c - '0') : (unsigned)((c & 0x1F) + 9);
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
        if (is_digit(c)) {
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

static bool looks_like_url(mgl_span text)
{
    return (text.size > 8 && memcmp(text.data, "http://", 7) == 0) ||
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
        if (!is_digit(text.data[i]) &&
            (!(text.data[i] >= 'A' && text.data[i] <= 'Z') || strchr("IOQ", text.data[i]) != NULL))
            return false;
        digits += is_digit(text.data[i]);
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

/* ---- The table --------------------------------------------------------------------------------
 */

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

/* ---- Names -------------------------------------------------------------------------------------
 */

enum { MOST_NAME = 128 };

/* The words of a name in lower case, a space between: "patientEmail" is "patient email". */
static void split_name(const char *name, char words[MOST_NAME])
{
    size_t n = 0;
    for (size_t i = 0; name[i] != '\0' && n + 2 < MOST_NAME; i++) {
        char c = name[i];
        bool word = is_letter(c) || is_digit(c) || (unsigned char)c >= 0x80;
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
 * last word after one that speaks of a person: a "hospital name" names nobody. */
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

bool mgl_column_is_made_of(const char *column, const char *words, const char *others)
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
