/* Random tables with and without a header, of many kinds of columns: a record is never taken for a
 * header without a question, and tables with a header are rarely asked about. MGL_TEST_SEED
 * draws others; docs/formats.md has the figures. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/random.h"
#include "io/intake/intake.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 9, TEXT = 96 };

static uint64_t state;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((state >> 33) % n);
}

static const char *pick(const char *const *list, size_t n)
{
    return list[draw((unsigned)n)];
}
#define PICK(list) pick(list, sizeof(list) / sizeof((list)[0]))

static const char *const given[] = {"Ann",  "Bob",   "Carla",   "Dmitri", "Elif", "Farid",  "Greta",
                                    "Hugo", "Iris",  "Jakub",   "Kenji",  "Lena", "Mehmet", "Nora",
                                    "Olaf", "Pilar", "Quentin", "Rosa",   "Sven", "Tariq"};
static const char *const surnames[] = {
    "Miller", "Jones",  "Schmidt", "Garcia",  "Ivanov",   "Kaya",  "Rossi", "Novak",  "Tanaka",
    "Silva",  "Dubois", "Larsen",  "O'Neill", "de Vries", "Nowak", "Costa", "Haddad", "Berg"};
static const char *const cyrillic[] = {"Анна", "Борис", "Вера", "Глеб", "Дарья", "Егор"};
static const char *const cities[] = {"Paris", "Boston", "Lyon",  "New York", "Ulm",
                                     "Bern",  "Graz",   "Oslo",  "Rom",      "Porto",
                                     "Izmir", "Osaka",  "Leeds", "Gent"};
static const char *const diseases[] = {"Asthma", "Flu", "HIV", "Diabetes", "Cancer", "Migraine"};
static const char *const lower[] = {"private", "self", "state-gov", "never", "clerk", "sales"};
static const char *const words[] = {"came",   "with",  "pain",   "left",     "knee",
                                    "since",  "fall",  "mother", "reported", "again",
                                    "better", "after", "week"};

static void name(char *out)
{
    snprintf(out, TEXT, "%s %s", PICK(given), PICK(surnames));
}
static void given_name(char *out)
{
    snprintf(out, TEXT, "%s", PICK(given));
}
static void surname(char *out)
{
    snprintf(out, TEXT, "%s", PICK(surnames));
}
static void turned_name(char *out)
{
    snprintf(out, TEXT, "%s, %s", PICK(surnames), PICK(given));
}
static void other_script(char *out)
{
    snprintf(out, TEXT, "%s", PICK(cyrillic));
}
static void iso_date(char *out)
{
    snprintf(out, TEXT, "%u-%02u-%02u", 1930 + draw(80), 1 + draw(12), 1 + draw(28));
}
static void dotted_date(char *out)
{
    snprintf(out, TEXT, "%u.%u.%u", 1 + draw(28), 1 + draw(12), 1930 + draw(80));
}
static void sex(char *out)
{
    snprintf(out, TEXT, "%s", draw(2) ? "M" : "F");
}
static void gender(char *out)
{
    snprintf(out, TEXT, "%s", draw(2) ? "female" : "male");
}
static void zip(char *out)
{
    snprintf(out, TEXT, "%05u", draw(99999));
}
static void british(char *out)
{
    snprintf(out, TEXT, "%c%c%u %u%c%c", 'A' + draw(26), 'A' + draw(26), 1 + draw(20), draw(9),
             'A' + draw(26), 'A' + draw(26));
}
static void age(char *out)
{
    snprintf(out, TEXT, "%u", draw(95));
}
static void amount(char *out)
{
    snprintf(out, TEXT, "%u.%02u", draw(90000), draw(100));
}
static void flag(char *out)
{
    snprintf(out, TEXT, "%u", draw(2));
}
static void likert(char *out)
{
    snprintf(out, TEXT, "%u", 1 + draw(5));
}
static void year(char *out)
{
    snprintf(out, TEXT, "%u", 1940 + draw(70));
}
static void city(char *out)
{
    snprintf(out, TEXT, "%s", PICK(cities));
}
static void disease(char *out)
{
    snprintf(out, TEXT, "%s", PICK(diseases));
}
static void small_word(char *out)
{
    snprintf(out, TEXT, "%s", PICK(lower));
}
static void icd(char *out)
{
    snprintf(out, TEXT, "%c%02u.%u", 'A' + draw(26), draw(99), draw(9));
}
static void mail(char *out)
{
    snprintf(out, TEXT, "%s.%u@mail%u.org", PICK(lower), draw(999), draw(9));
}
static void phone(char *out)
{
    snprintf(out, TEXT, "+%u %u %u", 1 + draw(90), 100 + draw(900), 100000 + draw(900000));
}
static void number(char *out)
{
    snprintf(out, TEXT, "%u", 10000000 + draw(89999999));
}
static void code(char *out)
{
    snprintf(out, TEXT, "P%05u", draw(99999));
}
static void street(char *out)
{
    snprintf(out, TEXT, "%u %s St", 1 + draw(200), PICK(surnames));
}
static void free_text(char *out)
{
    snprintf(out, TEXT, "%s %s %s %s %s", PICK(words), PICK(words), PICK(words), PICK(words),
             PICK(words));
}
static void often_missing(char *out)
{
    if (draw(2))
        out[0] = '\0';
    else
        age(out);
}

typedef struct column_kind {
    void (*cell)(char *out);
    const char *headers[8]; /* how people call such a column; the last is NULL */
} column_kind;

static const column_kind kinds[] = {
    {name, {"name", "Name", "Full Name", "patient", "NOMBRE", "Teilnehmer", NULL}},
    {given_name, {"first_name", "Vorname", "prenom", "given", "FNAME", NULL}},
    {surname, {"surname", "Nachname", "LastName", "apellido", "lname", NULL}},
    {turned_name, {"person", "Kunde", "who", "Patient Name", NULL}},
    {other_script, {"имя", "name", "Имя", NULL}},
    {iso_date, {"birth", "dob", "Geburtsdatum", "date of birth", "fecha_nac", "DOB", NULL}},
    {dotted_date, {"Datum", "geboren", "birthDate", "d1", NULL}},
    {sex, {"sex", "Sex", "GENDER", "Geschlecht", "sexe", "s", NULL}},
    {gender, {"gender", "Geschlecht", "sexo", "g", NULL}},
    {zip, {"zip", "ZIP", "PLZ", "postcode", "cp", "ZipCode", NULL}},
    {british, {"postcode", "PC", "Postcode", NULL}},
    {age, {"age", "Age", "Alter", "edad", "AGE", "a", NULL}},
    {amount, {"income", "salary", "Einkommen", "amt", "wage_2020", NULL}},
    {flag, {"smoker", "dead", "V17", "x1", "is_member", NULL}},
    {likert, {"q1", "Q2a", "item3", "satisfaction", NULL}},
    {year, {"year", "Jahr", "yob", "entry", NULL}},
    {city, {"city", "Ort", "Town", "ville", "CITY", "home", NULL}},
    {disease, {"diagnosis", "disease", "Diagnose", "dx", "maladie", NULL}},
    {small_word, {"workclass", "job", "occupation", "Beruf", "metier", NULL}},
    {icd, {"icd", "ICD10", "code", "diag_code", NULL}},
    {mail, {"email", "mail", "E-Mail", "contact", NULL}},
    {phone, {"phone", "tel", "Telefon", "mobile", NULL}},
    {number, {"id", "ssn", "number", "Nummer", "ID", NULL}},
    {code, {"pid", "patient_id", "Code", "case", NULL}},
    {street, {"address", "Strasse", "street", "Anschrift", NULL}},
    {free_text, {"note", "comment", "Bemerkung", "remarks", NULL}},
    {often_missing, {"children", "parity", "Kinder", NULL}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef enum verdict { HEADER, RECORD, ASKED, VERDICTS } verdict;

static const mgl_source_options options = {.judges_header = true};

static void put(mgl_first_lines *lines, size_t column, const char *text)
{
    mgl_first_lines_put(lines, column, mgl_span_of(text));
}

static verdict judge(mgl_first_lines *lines)
{
    bool record = false;
    mgl_error err = {0};
    mgl_status status = mgl_first_lines_judge(lines, "t.csv", 1, &err, &record);
    mgl_first_lines_free(lines);
    assert_true(status == MGL_OK || status == MGL_USAGE);
    return status != MGL_OK ? ASKED : record ? RECORD : HEADER;
}

typedef struct drawn {
    const column_kind *columns[MOST_COLUMNS];
    size_t n, rows;
    bool header;
    char first[MOST_COLUMNS * TEXT]; /* for messages */
} drawn;

static drawn draw_table(bool header, size_t least_columns, size_t least_rows)
{
    drawn t = {.n = least_columns + draw(MOST_COLUMNS - (unsigned)least_columns + 1),
               .rows = least_rows + draw(draw(2) ? 10 : 300),
               .header = header};
    for (size_t c = 0; c < t.n; c++)
        t.columns[c] = &kinds[draw(KINDS)];
    return t;
}

static void put_header(drawn *t, mgl_first_lines *lines)
{
    for (size_t c = 0; c < t->n; c++) {
        size_t n = 0;
        while (t->columns[c]->headers[n] != NULL)
            n++;
        char text[TEXT];
        snprintf(text, sizeof text, "%s", t->columns[c]->headers[draw((unsigned)n)]);
        for (size_t b = 0; b < c; b++) /* names differ */
            if (t->columns[b] == t->columns[c])
                snprintf(text + strlen(text), sizeof text - strlen(text), "%zu", c);
        put(lines, c, text);
        strcat(strcat(t->first, text), ",");
    }
    mgl_first_lines_next(lines);
}

static verdict judge_table(drawn *t)
{
    mgl_first_lines *lines;
    char cell[TEXT];
    assert_int_equal(mgl_first_lines_new(&options, t->n, NULL, &lines), MGL_OK);
    t->first[0] = '\0';
    if (t->header)
        put_header(t, lines);
    for (size_t r = 0; r < t->rows; r++) {
        for (size_t c = 0; c < t->n; c++) {
            t->columns[c]->cell(cell);
            put(lines, c, cell);
            if (!t->header && r == 0)
                strcat(strcat(t->first, cell), ",");
        }
        mgl_first_lines_next(lines);
    }
    return judge(lines);
}

/* ---- Words of any script, of which no list knows one ------------------------------------------
 */

/* Capital and small letters; of scripts without capitals the same twice. */
typedef struct script {
    const char *first, *further; /* letters, apart by blanks */
} script;

static const script scripts[] = {
    {"K L M N P T V", "a e i o u k l n r s"},
    {"Б В Г Д К Л Н", "а е и о у к л н р с"},
    {"Β Γ Δ Κ Λ Μ Ν", "α ε ι ο κ λ ν ρ σ"},
    {"ب ت ج د ر س ع", "ا و ي ب ت د ر ل م ن"},
    {"ב ג ד ל מ נ ר", "ו י א ב ג ד ל מ"},
    {"क ग त द न प म", "का गि ती दु ने र ल स"},
    {"ก ค ต ท น ม ร", "า ะ น ง ม ร"},
    {"北 南 东 中 安 和", "京 海 州 明 山 川 子 文"},
    {"가 나 다 마 바 사", "산 울 주 원 진 도 민"},
};

static void put_letter(const char *letters, char *out)
{
    size_t n = 1;
    for (const char *at = letters; *at != '\0'; at++)
        n += *at == ' ';
    for (unsigned skip = draw((unsigned)n); skip > 0; skip--)
        letters = strchr(letters, ' ') + 1;
    strncat(out, letters, strcspn(letters, " "));
}

static void put_word(const script *from, char *out)
{
    put_letter(from->first, out);
    for (unsigned more = 1 + draw(from->first[0] & 0x40 ? 5 : 3); more > 0; more--)
        put_letter(from->further, out);
}

/* Columns of words alone, each of a pool of its own. */
static verdict judge_words(bool header, size_t n_columns, size_t rows, char *shown)
{
    enum { MOST_POOL = 6 };
    static char pools[MOST_COLUMNS][MOST_POOL][TEXT];
    size_t sizes[MOST_COLUMNS];
    const script *from = &scripts[draw(sizeof scripts / sizeof scripts[0])];
    mgl_first_lines *lines;
    assert_int_equal(mgl_first_lines_new(&options, n_columns, NULL, &lines), MGL_OK);
    shown[0] = '\0';
    for (size_t c = 0; c < n_columns; c++) {
        sizes[c] = 2 + draw(MOST_POOL - 1);
        for (size_t i = 0; i < sizes[c]; i++) {
            pools[c][i][0] = '\0';
            put_word(from, pools[c][i]);
        }
    }
    for (size_t r = 0; r < rows + header; r++) {
        for (size_t c = 0; c < n_columns; c++) {
            char name_of[TEXT] = "";
            put_word(from, name_of);
            const char *text = header && r == 0 ? name_of : pools[c][draw((unsigned)sizes[c])];
            put(lines, c, text);
            if (r == 0)
                strcat(strcat(shown, text), ",");
        }
        mgl_first_lines_next(lines);
    }
    return judge(lines);
}

static size_t rounds(void)
{
    const char *text = getenv("MGL_ROUNDS");
    return text != NULL ? strtoul(text, NULL, 10) : 2000;
}

static void tally(bool header, size_t least_columns, size_t least_rows, size_t found[VERDICTS])
{
    memset(found, 0, VERDICTS * sizeof *found);
    for (size_t i = 0; i < rounds(); i++) {
        drawn t = draw_table(header, least_columns, least_rows);
        verdict v = judge_table(&t);
        found[v]++;
        if (v != (header ? HEADER : RECORD) && getenv("MGL_SHOW") != NULL)
            print_message("%s %s: %zu rows, %s\n", header ? "header" : "record",
                          v == ASKED    ? "asked"
                          : v == HEADER ? "HEADER"
                                        : "RECORD",
                          t.rows, t.first);
    }
    print_message("%s, from %zu columns and %zu rows: header %zu, asked %zu, record %zu\n",
                  header ? "with a header" : "without a header", least_columns, least_rows,
                  found[HEADER], found[ASKED], found[RECORD]);
}

static void never_takes_a_record_for_a_header(void **unused)
{
    (void)unused;
    size_t found[VERDICTS];
    /* One column of words, of which the first does not occur again, can be a header. */
    tally(false, 1, 4, found);
    assert_true(found[HEADER] * 200 <= rounds());
    tally(false, 3, 2, found);
    assert_true(found[HEADER] * 1000 <= rounds());
    assert_true(found[ASKED] * 20 <= rounds());
}

static void seldom_asks_about_a_header(void **unused)
{
    (void)unused;
    size_t found[VERDICTS];
    tally(true, 1, 1, found);
    assert_true(found[RECORD] == 0);
    assert_true(found[ASKED] * 100 <= rounds());
    tally(true, 3, 1, found);
    assert_true(found[RECORD] == 0);
    assert_true(found[ASKED] * 400 <= rounds());
}

static void tally_words(bool header, size_t least_rows, size_t most_rows, size_t found[VERDICTS])
{
    memset(found, 0, VERDICTS * sizeof *found);
    for (size_t i = 0; i < rounds(); i++) {
        char shown[MOST_COLUMNS * TEXT];
        size_t rows = least_rows + draw((unsigned)(most_rows - least_rows + 1));
        verdict v = judge_words(header, 3 + draw(4), rows, shown);
        found[v]++;
        if (v != (header ? HEADER : RECORD) && getenv("MGL_SHOW") != NULL)
            print_message("%d: %zu rows, %s\n", (int)v, rows, shown);
    }
    print_message("words alone, %s, %zu to %zu rows: header %zu, asked %zu, record %zu\n",
                  header ? "with a header" : "without a header", least_rows, most_rows,
                  found[HEADER], found[ASKED], found[RECORD]);
}

static void knows_no_language(void **unused)
{
    (void)unused;
    size_t found[VERDICTS];
    tally_words(true, 5, 300, found);
    assert_true(found[RECORD] * 200 <= rounds());
    assert_true(found[ASKED] * 10 <= rounds());
    tally_words(false, 5, 300, found);
    assert_true(found[HEADER] * 500 <= rounds());
    /* Two or three lines of words are anything. */
    tally_words(false, 2, 3, found);
    assert_true(found[HEADER] * 200 <= rounds());
}

int main(void)
{
    const char *seed = getenv("MGL_TEST_SEED");
    state = seed != NULL ? strtoull(seed, NULL, 10) * 2654435761u + 1 : 20;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(never_takes_a_record_for_a_header),
        cmocka_unit_test(seldom_asks_about_a_header),
        cmocka_unit_test(knows_no_language),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
