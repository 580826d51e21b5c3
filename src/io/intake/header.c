/* Judges whether the first line of a table names its columns or is a record: what its cells are is
 * compared with the columns below. Each observation is weighed by how often headers have it
 * (constants below) against how often the records of this very column have it; the logarithms of
 * the ratios are added up. See docs/formats.md#a-table-without-a-header. */
#include "io/intake/intake.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

/* Sums of the weights: a header from here on, a record up to there; doubtful between them. */
static const double HEADER_FROM = -0.25, HEADER_OF_FEW_FROM = -1, HEADER_LIKE_DATA_FROM = 2,
                    RECORD_TO = -5;

enum {
    FEW_ROWS = 4,                /* fewer are too little evidence about the first line */
    MOST_ROWS = 1000,            /* that are compared with the first line */
    FEWEST_ROWS = 3,             /* also of tables with very many columns */
    MOST_CELLS = 2 * 1024 * 1024 /* in memory, if that leaves rows enough */
};

typedef enum kind { MISSING, NUMBER, DATE, TEXT, KINDS } kind;

typedef struct cell {
    uint64_t value;   /* hash of the text */
    uint64_t shape;   /* TEXT: hash of its pattern */
    double number;    /* NUMBER */
    uint32_t size;    /* in letters and signs */
    uint8_t kind;     /* a kind */
    bool digits;      /* has some */
    bool several;     /* TEXT: has blanks or signs in it, so more than one word */
    bool contact;     /* TEXT: an address of the net, or many digits */
    bool caseless;    /* TEXT: begins in a script without capital letters */
    bool header_word; /* TEXT: has a word that names of columns often have */
} cell;

struct mgl_first_lines {
    const mgl_source_options *options;
    size_t n_columns, most, n; /* lines: room for, and there */
    cell *cells;               /* [n * n_columns] */
    bool names_column;         /* the first one has the name of a column that the job names */
};

/* ---- Cells ----------------------------------------------------------------------------------- */

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool is_letter(char c)
{
    return is_upper(c) || (c >= 'a' && c <= 'z') || (unsigned char)c >= 0x80;
}

static size_t next_point(mgl_span text, size_t at, utf8proc_int32_t *point)
{
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.data + at,
                                          (utf8proc_ssize_t)(text.size - at), point);
    if (n > 0)
        return (size_t)n;
    *point = 'a'; /* no UTF-8: a letter of some other encoding */
    return 1;
}

static mgl_span trimmed(mgl_span text)
{
    while (text.size > 0 && text.data[0] == ' ')
        text.data++, text.size--;
    while (text.size > 0 && text.data[text.size - 1] == ' ')
        text.size--;
    return text;
}

/* Digits with signs that numbers have. The value is near enough for comparing sizes. */
static bool is_number(mgl_span text, double *out)
{
    char plain[40];
    size_t n = 0, digits = 0, points = 0;
    if (text.size == 0 || text.size >= sizeof plain)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool sign = (c == '-' || c == '+') && (i == 0 || (n > 0 && plain[n - 1] == 'e'));
        bool end = c == '%' && i + 1 == text.size && digits > 0;
        bool power = (c == 'e' || c == 'E') && digits > 0 && i + 1 < text.size;
        if (c == '.' || c == ',')
            points++;
        else if (!mgl_is_digit(c) && !sign && !end && !power)
            return false;
        digits += mgl_is_digit(c);
        if (c != ',' && c != '%' && (c != '.' || points == 1))
            plain[n++] = power ? 'e' : c;
    }
    plain[n] = '\0';
    *out = digits > 0 ? strtod(plain, NULL) : 0;
    return digits > 0;
}

/* Two or three groups of digits with the same sign between them, or a time, or both. */
static bool is_date(mgl_span text)
{
    size_t digits = 0, dashes = 0, colons = 0;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        bool between = i > 0 && i + 1 < text.size && mgl_is_digit(text.data[i - 1]);
        if (mgl_is_digit(c))
            digits++;
        else if ((c == '-' || c == '/' || c == '.') && between)
            dashes++;
        else if (c == ':' && between)
            colons++;
        else if (!((c == ' ' || c == 'T' || c == '+') && digits >= 6) &&
                 !(c == 'Z' && i + 1 == text.size))
            return false;
    }
    return digits >= 3 && (dashes == 2 || colons > 0 || (dashes == 3 && digits > 12)) &&
           text.size <= 40;
}

/* Words of names of columns in several languages: what tables of persons often have. */
/* clang-format off */
static const char *const header_words[] = {
    "account", "activity", "ad", "address", "admission", "adres", "adı", "age", "alder", "alter",
    "ammatti", "amount", "anschrift", "answer", "anzahl", "apellido", "apellidos", "area",
    "bairro", "bemerkung", "beruf", "beschreibung", "betrag", "birth", "birthdate", "birthday",
    "blood", "bmi", "bosted", "branch", "bydliště", "bệnh", "case", "category", "children", "chỉ",
    "cidade", "cinsiyet", "città", "city", "ciudad", "class", "client", "code", "cognome", "col",
    "column", "comment", "count", "country", "county", "course", "created", "customer", "data",
    "date", "datum", "day", "death", "department", "description", "device", "diagnose",
    "diagnosis", "diagnóstico", "dirección", "discharge", "disease", "district", "dob", "dochód",
    "domicilio", "dose", "doğum", "drug", "duration", "edad", "education", "efternamn",
    "einkommen", "email", "employer", "end", "endereço", "entry", "estado", "estudios", "eta",
    "ethnicity", "etternavn", "etunimi", "età", "event", "eğitim", "familienstand", "fecha",
    "field", "first", "firstname", "flag", "fname", "foglalkozás", "fornavn", "free", "förnamn",
    "fødselsdato", "geboren", "geburtsdatum", "gelir", "gender", "geschlecht", "geslacht", "given",
    "giới", "grade", "group", "gruppe", "home", "hospital", "hour", "hours", "household", "họ",
    "id", "idade", "identifier", "ikä", "imie", "imię", "income", "index", "indirizzo", "ingresos",
    "inkomst", "insurance", "item", "jméno", "job", "jövedelem", "kaupunki", "key", "kind",
    "kjonn", "kjønn", "klasse", "kod", "kode", "kommentar", "kor", "kraj", "kunde", "kön", "label",
    "lakhely", "land", "language", "last", "lastname", "lat", "leeftijd", "length", "level",
    "lname", "lon", "lugar", "lương", "mail", "marital", "marriage", "medeni", "member", "menge",
    "meslek", "metier", "miasto", "miejscowość", "month", "municipality", "mã", "métier", "město",
    "naam", "nachname", "naissance", "name", "narození", "nationality", "navn", "nazwisko", "nem",
    "nghề", "ngày", "nhập", "nom", "nombre", "nome", "note", "notes", "nr", "num", "number",
    "nume", "nummer", "név", "occupation", "oraș", "order", "ort", "outcome", "participant",
    "patient", "pays", "person", "phone", "pid", "plz", "pohlaví", "postal", "postcode",
    "povolání", "preis", "prenom", "prenume", "price", "procedure", "product", "profesie",
    "profesión", "profession", "professione", "profissão", "provider", "province", "provincia",
    "prénom", "płeć", "příjem", "příjmení", "question", "quận", "race", "rate", "rating", "record",
    "reddito", "ref", "reference", "region", "relation", "religion", "remark", "renda",
    "residenza", "respondent", "response", "result", "role", "row", "rozpoznanie", "salary",
    "school", "score", "sesso", "sex", "sexe", "sexo", "sicil", "sinh", "size", "sobrenome",
    "source", "soyad", "soyadı", "ssn", "stad", "stadt", "staff", "start", "state", "status",
    "strasse", "straße", "street", "student", "subject", "sukunimi", "sukupuoli", "surname",
    "symptom", "született", "số", "tanı", "teilnehmer", "tel", "telefon", "telefono", "teléfono",
    "test", "thoại", "thu", "time", "timestamp", "title", "town", "trabajo", "treatment", "tulot",
    "tuổi", "type", "tên", "tính", "tỉnh", "unit", "urodzenia", "user", "value", "var", "vards",
    "variable", "venit", "ville", "visit", "vorname", "város", "vârstă", "věk", "wage", "ward",
    "weight", "wert", "wiek", "wohnort", "województwo", "work", "workclass", "yas", "yaş", "year",
    "yrke", "zawód", "zip", "zipcode", "ålder", "điện", "địa", "şehir", "αριθμός", "γέννηση",
    "γέννησης", "διάγνωση", "διεύθυνση", "εισόδημα", "επάγγελμα", "επώνυμο", "ηλικία",
    "ημερομηνία", "κωδικός", "ονοματεπώνυμο", "πόλη", "τηλέφωνο", "φύλο", "όνομα", "адрес",
    "возраст", "вік", "город", "дата", "диагноз", "должность", "доход", "зарплата", "имя",
    "индекс", "код", "місто", "номер", "область", "образование", "отчество", "пациент", "пол",
    "почта", "профессия", "прізвище", "район", "регион", "рождения", "стать", "телефон", "фамилия",
    "фио", "ім'я", "אבחנה", "גיל", "הכנסה", "טלפון", "כתובת", "לידה", "מטופל", "מין", "מיקוד",
    "מספר", "מקצוע", "משפחה", "עיר", "פרטי", "קוד", "שכר", "שם", "תאריך", "اسم", "الاسم", "البريد",
    "التشخيص", "الجنس", "الجنسية", "الحالة", "الدخل", "الراتب", "الرقم", "العمر", "العنوان",
    "اللقب", "المدينة", "المريض", "المهنة", "الميلاد", "الهاتف", "تاريخ", "رقم", "رمز", "आय",
    "आयु", "उम्र", "क्रमांक", "जन्म", "जिला", "तिथि", "नाम", "निदान", "पता", "फोन", "राज्य", "रोग",
    "लिंग", "वेतन", "व्यवसाय", "शहर", "संख्या", "จังหวัด", "ชื่อ", "ที่อยู่", "นามสกุล", "รหัส",
    "รายได้", "วันเกิด", "หมายเลข", "อาชีพ", "อายุ", "เงินเดือน", "เพศ", "โทร", "โทรศัพท์", "โรค",
    "住址", "住所", "出生日期", "名", "名字", "国", "国籍", "地址", "城市", "姓", "姓名", "学历", "学校", "工资", "市区町村",
    "年収", "年齢", "年龄", "性別", "性别", "患者", "患者名", "患者番号", "收入", "日付", "日期", "氏", "氏名", "民族", "生年月日",
    "电话", "番号", "病名", "籍贯", "給与", "编号", "职业", "職業", "血液型", "診断", "诊断", "诊断结果", "身份证", "身份证号", "邮编",
    "郵便番号", "都市", "都道府県", "電話", "電話番号", "급여", "나이", "도시", "등록번호", "번호", "생년월일", "성명", "성별", "소득",
    "연령", "우편번호", "이름", "전화", "전화번호", "주소", "지역", "직업", "진단", "진단명", "환자",
};
/* clang-format on */

static int compare_word(const void *wanted, const void *word)
{
    const mgl_span *text = wanted;
    const char *known = *(const char *const *)word;
    for (size_t i = 0; i < text->size; i++) {
        if (text->data[i] != known[i])
            return (unsigned char)text->data[i] < (unsigned char)known[i] ? -1 : 1;
    }
    return known[text->size] == '\0' ? 0 : -1;
}

/* In small letters of all scripts that have them; false: there is no room. */
static bool to_small(mgl_span text, char *out, size_t room, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < text.size;) {
        utf8proc_int32_t point;
        i += next_point(text, i, &point);
        if (*size + 4 > room)
            return false;
        *size +=
            (size_t)utf8proc_encode_char(utf8proc_tolower(point), (utf8proc_uint8_t *)out + *size);
    }
    return true;
}

static bool is_header_word(mgl_span word)
{
    char small[64];
    size_t size;
    if (word.size < 2 || !to_small(word, small, sizeof small, &size))
        return false;
    mgl_span wanted = {small, size};
    return bsearch(&wanted, header_words, sizeof header_words / sizeof *header_words,
                   sizeof *header_words, compare_word) != NULL;
}

/* Is one of its words a usual one? Words end at signs, digits and where a capital follows. */
static bool has_header_word(mgl_span text)
{
    size_t from = 0;
    for (size_t i = 0; i <= text.size; i++) {
        bool letter = i < text.size && (is_letter(text.data[i]) || text.data[i] == '-');
        bool camel = letter && i > from && is_upper(text.data[i]) && !is_upper(text.data[i - 1]);
        if (letter && !camel)
            continue;
        if (is_header_word((mgl_span){text.data + from, i - from}))
            return true;
        from = camel ? i : i + 1;
    }
    return false;
}

/* One sign for each kind of character; '\0': a part of the one before it. */
static char sign_of(utf8proc_int32_t point)
{
    switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
        return 'A';
    case UTF8PROC_CATEGORY_LL:
        return 'a';
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
        return 'x'; /* of a script without capital letters */
    case UTF8PROC_CATEGORY_ND:
        return '9';
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_CF:
        return '\0';
    default:
        return point < 0x80 ? (char)point : '.';
    }
}

/* The pattern: runs of capitals, small letters and digits as one sign each, others as they are. */
static void look_at_text(mgl_span text, cell *out)
{
    uint64_t hash = 1469598103934665603u;
    char last = '\0';
    size_t digits = 0, signs = 0;
    out->size = 0;
    for (size_t i = 0; i < text.size;) {
        utf8proc_int32_t point;
        i += next_point(text, i, &point);
        char sign = sign_of(point);
        if (sign == '\0')
            continue;
        digits += sign == '9';
        signs += sign == '@' || (sign == ':' && i + 1 < text.size && text.data[i] == '/');
        out->caseless |= last == '\0' && sign == 'x';
        out->several |= strchr("9Aax_", sign) == NULL;
        /* Signs that stand for syllables or words are as long as three letters. */
        bool syllable = (point >= 0x3040 && point <= 0x9FFF) ||
                        (point >= 0xAC00 && point <= 0xD7A3) || point >= 0x20000;
        out->size += syllable ? 3 : 1;
        if (sign != last)
            hash = (hash ^ (unsigned char)sign) * 1099511628211u;
        last = sign;
    }
    out->shape = hash;
    out->digits = digits > 0;
    out->contact = signs > 0 || digits >= 6;
}

static bool is_missing(const mgl_source_options *options, mgl_span text)
{
    for (size_t i = 0; i < options->n_missing; i++)
        if (mgl_span_equal(options->missing[i], text))
            return true;
    return text.size == 0;
}

static cell summarize(const mgl_source_options *options, mgl_span given)
{
    mgl_span text = trimmed(given);
    cell c = {.value = mgl_hash(text.data, text.size), .size = (uint32_t)text.size};
    for (size_t i = 0; i < text.size && !c.digits; i++)
        c.digits = mgl_is_digit(text.data[i]);
    c.kind = is_missing(options, text)    ? MISSING
             : is_number(text, &c.number) ? NUMBER
             : c.digits && is_date(text)  ? DATE
                                          : TEXT;
    if (c.kind == TEXT) {
        look_at_text(text, &c);
        c.header_word = text.size <= 60 && has_header_word(text);
    }
    return c;
}

/* ---- Names that the job has -------------------------------------------------------------- */

static int compare_spans(const void *a, const void *b)
{
    return mgl_span_compare(*(const mgl_span *)a, *(const mgl_span *)b);
}

static bool is_named(const mgl_source_options *options, mgl_span name)
{
    return options->n_named > 0 &&
           bsearch(&name, options->named, options->n_named, sizeof name, compare_spans) != NULL;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

mgl_status mgl_first_lines_new(const mgl_source_options *options, size_t n_columns, mgl_error *err,
                               mgl_first_lines **out)
{
    mgl_first_lines *lines = mgl_zeroed_array(1, sizeof *lines);
    MGL_TRY(mgl_check_memory(lines != NULL, err));
    size_t rows = MOST_CELLS / (n_columns + 1);
    rows = rows < FEWEST_ROWS ? FEWEST_ROWS : rows > MOST_ROWS ? MOST_ROWS : rows;
    lines->options = options;
    lines->n_columns = n_columns;
    lines->most = rows + 1;
    lines->cells = mgl_zeroed_array(lines->most * n_columns, sizeof *lines->cells);
    if (lines->cells == NULL) {
        mgl_free(lines);
        return mgl_fail_memory(err);
    }
    *out = lines;
    return MGL_OK;
}

void mgl_first_lines_free(mgl_first_lines *lines)
{
    if (lines == NULL)
        return;
    mgl_free(lines->cells);
    mgl_free(lines);
}

void mgl_first_lines_put(mgl_first_lines *lines, size_t column, mgl_span text)
{
    if (column >= lines->n_columns || lines->n == lines->most)
        return;
    lines->cells[lines->n * lines->n_columns + column] = summarize(lines->options, text);
    lines->names_column |= lines->n == 0 && is_named(lines->options, text);
}

bool mgl_first_lines_next(mgl_first_lines *lines)
{
    size_t size = lines->n_columns;
    lines->n += lines->n < lines->most;
    if (lines->n < lines->most)
        memset(lines->cells + lines->n * size, 0, size * sizeof *lines->cells);
    return lines->n < lines->most;
}

/* ---- Weighing -------------------------------------------------------------------------------- */

/* How a column looks below the first line. */
typedef struct column {
    const cell *first; /* of the first line */
    size_t n;          /* cells below */
    size_t kinds[KINDS];
    size_t values_again, shapes_again; /* texts that others of the column have, too */
    size_t first_value, first_shape;   /* texts that have those of the first line */
    size_t same_length, header_words, contacts, digits, several;
    double low, high; /* of numbers */
} column;

/* The logarithm of one share over another, within limits. Positive: rather a header. */
static double weigh(double among_headers, double among_records, double least, double most)
{
    double ratio = log(among_headers / among_records);
    return ratio < least ? least : ratio > most ? most : ratio;
}

static double share(size_t n, double before, size_t of)
{
    return ((double)n + before) / ((double)of + 1);
}

/* How many of the hashes occur more than once, and how often the one of the first line does. */
static void count_again(uint64_t *hashes, size_t n, uint64_t first, size_t *again, size_t *same)
{
    mgl_sort_u64(hashes, n);
    for (size_t from = 0, to; from < n; from = to) {
        for (to = from + 1; to < n && hashes[to] == hashes[from];)
            to++;
        *again += to - from > 1 ? to - from : 0;
        *same += hashes[from] == first ? to - from : 0;
    }
}

static unsigned length_class(uint32_t size)
{
    unsigned class = 0;
    for (uint32_t limit = 2; limit < size && class < 5; limit *= 2)
        class ++;
    return class;
}

static void add_cell(column *column, const cell *c)
{
    column->n++;
    column->kinds[c->kind]++;
    if (c->kind == NUMBER) {
        column->low =
            column->kinds[NUMBER] == 1 || c->number < column->low ? c->number : column->low;
        column->high =
            column->kinds[NUMBER] == 1 || c->number > column->high ? c->number : column->high;
    }
    column->header_words += c->header_word;
    column->contacts += c->contact;
    column->digits += c->kind == TEXT && c->digits;
    column->several += c->several;
    column->same_length +=
        c->kind == TEXT && length_class(c->size) == length_class(column->first->size);
}

static column look_at(const mgl_first_lines *lines, size_t c, uint64_t *hashes)
{
    column out = {.first = lines->cells + c};
    size_t n = 0;
    for (size_t row = 1; row < lines->n; row++)
        add_cell(&out, lines->cells + row * lines->n_columns + c);
    for (size_t row = 1; row < lines->n; row++) {
        const cell *there = lines->cells + row * lines->n_columns + c;
        if (there->kind == TEXT)
            hashes[n++] = there->value;
    }
    count_again(hashes, n, out.first->value, &out.values_again, &out.first_value);
    n = 0;
    for (size_t row = 1; row < lines->n; row++) {
        const cell *there = lines->cells + row * lines->n_columns + c;
        if (there->kind == TEXT)
            hashes[n++] = there->shape;
    }
    count_again(hashes, n, out.first->shape, &out.shapes_again, &out.first_shape);
    return out;
}

/* Number, date, text or nothing: as among headers, or as in the column. */
static double weigh_kind(const column *column, bool at_edge)
{
    /* Of a column of which nothing is known, and what can yet come in one that is known. */
    static const double unknown[KINDS] = {0.1, 0.4, 0.1, 0.4},
                        rare[KINDS] = {0.05, 0.2, 0.05, 0.15};
    const double *before = column->n == 0 ? unknown : rare;
    double header[KINDS] = {at_edge ? 0.05 : 0.01, 0.02, 0.003, 0.95};
    kind k = column->first->kind;
    if (k == TEXT && column->n > 0 && column->kinds[TEXT] == column->n)
        return 0; /* a text above texts alone is no evidence */
    if (k == DATE && 2 * column->kinds[DATE] < column->n)
        header[DATE] = 0.05; /* columns can be called after days */
    return weigh(header[k], share(column->kinds[k], before[k], column->n), -5, 5);
}

/* Something that texts can have: so many of the column have it, and this share of headers. before:
 * the share that is expected of a column of which nothing is known. */
static double weigh_having(bool has, size_t n_having, size_t n, double headers, double before)
{
    return has ? weigh(headers, share(n_having, before, n), -5, 4)
               : weigh(1 - headers, share(n - n_having, 1 - before, n), -1, 2);
}

/* What the columns before have shown of how the whole line is written: names of columns are mostly
 * written alike, so what holds of one proves little about the next. */
typedef struct line_style {
    uint64_t shapes[2]; /* patterns of texts that their columns have, too */
    size_t n_shapes;
    double no_word; /* sum of weights of texts without a word that is known */
} line_style;

/* The share of headers that have a pattern of their column. */
static double share_alike(const cell *first, line_style *style)
{
    static const double one = 0.4, further = 0.9;
    bool known = first->caseless;
    for (size_t i = 0; i < style->n_shapes && !known; i++)
        known = style->shapes[i] == first->shape;
    if (!known && !first->several && !first->digits &&
        style->n_shapes < sizeof style->shapes / sizeof style->shapes[0])
        style->shapes[style->n_shapes++] = first->shape;
    return known ? further : one;
}

/* Words that are not known are those of another language, in all columns. */
static double weigh_word(const column *column, size_t n, line_style *style)
{
    static const double least = -0.5;
    double weight = weigh_having(column->first->header_word, column->header_words, n, 0.15, 0.05);
    if (column->first->header_word)
        return weight;
    double before = style->no_word;
    style->no_word = fmax(least, before + weight);
    return style->no_word - before;
}

/* A text among texts: whether it, its pattern and its length are those of the column. */
static double weigh_text(const column *column, line_style *style)
{
    static const double lengths[] = {0.1, 0.2, 0.35, 0.29, 0.05, 0.01};
    const cell *first = column->first;
    size_t n = column->kinds[TEXT];
    if (first->kind != TEXT)
        return 0;
    double sum = weigh_having(first->contact, column->contacts, n, 0.003, 0.1) +
                 weigh_word(column, n, style) +
                 weigh_having(first->several, column->several, n, 0.2, 0.5) +
                 weigh_having(first->digits, column->digits, n, 0.15, 0.3);
    if (n == 0)
        return sum;
    double again = share(column->values_again, 0.5, n);
    double shapes = share(column->shapes_again, 0.5, n);
    /* What few rows lack is weak evidence. */
    double most_value = log(1 + (double)n / 10), most_shape = log(1 + (double)n / 5);
    sum += column->first_value > 0 ? weigh(fmin(0.02, again / 5), again, -5, 0)
                                   : weigh(0.98, 1 - again, 0, fmin(most_value, 4));
    sum += column->first_shape > 0
               ? weigh(share_alike(first, style), shapes, -2, 1)
               : weigh(first->caseless ? 0.1 : 0.6, 1 - shapes, -1, fmin(most_shape, 4));
    sum += weigh(lengths[length_class(first->size)], share(column->same_length, 0.5, n), -2, 2);
    return sum > 5 ? 5 : sum;
}

/* A number among numbers: names of columns lie anywhere. */
static double weigh_size(const column *column)
{
    const cell *first = column->first;
    size_t n = column->kinds[NUMBER];
    if (first->kind != NUMBER || n < 10)
        return 0;
    bool outside = first->number < column->low || first->number > column->high;
    return outside ? weigh(0.5, 2 / ((double)n + 1), 0, 2) : -0.3;
}

/* Are the numbers of a line, in columns where the first line has numbers, evenly spaced, or years
 * in order? Columns are called 0, 1, 2, ... or 1990, 1995, 2001. */
static bool is_series(const mgl_first_lines *lines, const cell *line)
{
    size_t n = 0;
    double before = 0, step = 0;
    bool even = true, years = true;
    for (size_t c = 0; c < lines->n_columns; c++) {
        if (lines->cells[c].kind != NUMBER)
            continue;
        if (line[c].kind != NUMBER || line[c].number != floor(line[c].number))
            return false;
        double now = line[c].number;
        years &= now >= 1800 && now <= 2200 && (n == 0 || now > before);
        even &= n < 1 || (now != before && (n < 2 || now - before == step));
        step = n == 1 ? now - before : step;
        before = now;
        n++;
    }
    /* Two numbers are always evenly spaced. */
    return n > 0 && (years || (even && (n > 2 || (n == 2 && fabs(step) == 1))));
}

/* The numbers of the first line, if they are a series: together, not one by one. */
static double weigh_series(const mgl_first_lines *lines)
{
    size_t n = 0;
    for (size_t row = 1; row < lines->n; row++)
        n += is_series(lines, lines->cells + row * lines->n_columns);
    return weigh(0.012, share(n, 0.05, lines->n - 1), -8, 5);
}

/* Has a line the same text twice? Columns have different names. hashes: room for a line. */
static bool has_twice(const mgl_first_lines *lines, size_t row, uint64_t *hashes)
{
    const cell *line = lines->cells + row * lines->n_columns;
    size_t n = 0, again = 0, same = 0;
    for (size_t c = 0; c < lines->n_columns; c++)
        if (line[c].kind != MISSING)
            hashes[n++] = line[c].value;
    count_again(hashes, n, 0, &again, &same);
    return again > 0;
}

/* Is it a usual name, or a text above other kinds of cells? */
static bool is_like_name(const column *column)
{
    size_t others = column->kinds[NUMBER] + column->kinds[DATE];
    return column->first->kind == TEXT &&
           (column->first->header_word || (others > 0 && column->kinds[TEXT] == 0));
}

/* Is it what columns are hardly called, and what others of its column are? */
static bool is_like_data(const column *column)
{
    const cell *first = column->first;
    if (first->kind == DATE || first->kind == NUMBER)
        return column->kinds[first->kind] > 0;
    bool coded = first->digits && (first->several || first->size > 4);
    return first->kind == TEXT &&
           (first->contact ||
            (column->first_shape > 0 && (coded || (first->several && !first->header_word))));
}

/* What the cells of the first line are, beside their weights. */
typedef struct likeness {
    bool data, names;
} likeness;

static mgl_status weigh_all(const mgl_first_lines *lines, uint64_t *hashes, mgl_error *err,
                            double *out, likeness *like)
{
    bool series = is_series(lines, lines->cells);
    line_style style = {.n_shapes = 0};
    size_t n = 0, rows = lines->n - 1;
    for (size_t row = 1; row < lines->n; row++)
        n += has_twice(lines, row, hashes);
    double sum = has_twice(lines, 0, hashes) ? weigh(0.03, share(n, 0.3, rows), -4, 0)
                                             : weigh(0.97, share(rows - n, 0.7, rows), 0, 3);
    sum += series ? weigh_series(lines) : 0;
    for (size_t c = 0; c < lines->n_columns; c++) {
        MGL_TRY(mgl_progress_poll(c, err));
        column column = look_at(lines, c, hashes);
        bool empty = column.first->kind == MISSING && column.kinds[MISSING] == column.n;
        if (empty || (series && column.first->kind == NUMBER))
            continue;
        sum += weigh_kind(&column, (c == 0) != (c + 1 == lines->n_columns)) +
               weigh_text(&column, &style) + weigh_size(&column);
        like->data |= is_like_data(&column);
        like->names |= is_like_name(&column);
    }
    *out = sum;
    return MGL_OK;
}

/* ---- Deciding -------------------------------------------------------------------------------- */

void mgl_header_names_sort(mgl_span *names, size_t n)
{
    if (n > 1)
        qsort(names, n, sizeof *names, compare_spans);
}

/* Are all columns that the job names called as columns without a header are? */
static bool are_numbered(const mgl_source_options *options)
{
    static const char made[] = "column";
    for (size_t i = 0; i < options->n_named; i++) {
        mgl_span name = options->named[i];
        uint64_t number;
        if (name.size < sizeof made || memcmp(name.data, made, sizeof made - 1) != 0)
            return false;
        name.data += sizeof made - 1, name.size -= sizeof made - 1;
        if (!mgl_parse_u64(name, &number))
            return false;
    }
    return options->n_named > 0;
}

mgl_status mgl_first_lines_judge(const mgl_first_lines *lines, const char *table, uint64_t line,
                                 mgl_error *err, bool *out)
{
    if (lines->n == 0 || lines->names_column) {
        *out = false;
        return MGL_OK;
    }
    size_t room = lines->n > lines->n_columns ? lines->n : lines->n_columns;
    uint64_t *hashes = mgl_alloc_array(room, sizeof *hashes);
    MGL_TRY(mgl_check_memory(hashes != NULL, err));
    double sum = 0;
    likeness like = {.names = is_series(lines, lines->cells)};
    mgl_status status = weigh_all(lines, hashes, err, &sum, &like);
    mgl_free(hashes);
    MGL_TRY(status);
    /* Few lines of nothing but words can be records as well. */
    bool few = lines->n <= FEW_ROWS, unknown = few && lines->n > 1 && !like.names;
    double header_from = unknown     ? INFINITY
                         : like.data ? HEADER_LIKE_DATA_FROM
                         : few       ? HEADER_OF_FEW_FROM
                                     : HEADER_FROM;
    bool doubtful = sum < header_from && sum > RECORD_TO && !are_numbered(lines->options);
    if (doubtful)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_MISSING_KEY, table, line,
                        "it is not clear whether the first line names the columns or is a record; "
                        "add `header: yes` if it names them, `header: no` if it is a record"),
            "header");
    *out = sum < header_from;
    return MGL_OK;
}

/* ---- Names of columns in messages ------------------------------------------------------------ */

/* Two or three words with capitals, as names of persons are: "Bob Jones". */
static bool is_like_person(mgl_span text)
{
    size_t words = 0;
    for (size_t i = 0; i < text.size; i++) {
        bool first = i == 0 || text.data[i - 1] == ' ';
        char c = text.data[i];
        if (first && !is_upper(c) && (unsigned char)c < 0x80)
            return false;
        words += first;
        if (!is_letter(c) && c != ' ' && c != '.' && c != '-' && c != '\'' && c != ',')
            return false;
    }
    return words == 2 || words == 3;
}

/* 0: a name of a column; 1: it could be a cell; 2: it looks like one. */
static int looks_like_cell(mgl_span name)
{
    static const mgl_source_options none = {0};
    cell c = summarize(&none, name);
    if (c.kind == DATE || c.contact)
        return 2;
    if (c.kind == NUMBER)
        return name.size > 4 ? 2 : 1;
    if (c.kind == TEXT && c.several && is_like_person(trimmed(name)) && !c.header_word)
        return 2;
    return c.kind == TEXT && !c.header_word && memchr(name.data, '_', name.size) == NULL;
}

/* Is the place of a message within a value that is marked already (base/shown.h)? */
static bool is_marked(const char *message, const char *at)
{
    bool marked = false;
    for (; message < at; message++)
        marked = *message == MGL_SHOWN_FROM || (marked && *message != MGL_SHOWN_TO);
    return marked;
}

/* Marks every occurrence of a name that is a word of its own. */
static void mark_name(const char *name, const char *message, mgl_buffer *out)
{
    char shown[MGL_SHOWN];
    const char *from = message;
    size_t size = strlen(name);
    for (const char *at; (at = strstr(from, name)) != NULL; from = at + size) {
        bool within = (at > message && (is_letter(at[-1]) || mgl_is_digit(at[-1]))) ||
                      is_letter(at[size]) || mgl_is_digit(at[size]) || is_marked(message, at);
        mgl_buffer_append(out, from, (size_t)(at - from));
        if (within)
            mgl_buffer_append(out, at, size);
        else
            mgl_buffer_text(out, mgl_shown((mgl_span){at, size}, shown));
    }
    mgl_buffer_text(out, from);
    mgl_buffer_append(out, "", 1);
}

/* Is one of the names a cell rather than a name? Only lines of text can be mistaken for headers. */
static bool has_cells_for_names(const mgl_source *source)
{
    size_t n = mgl_source_columns(source);
    if (source->numbered || !(source->format->text || source->format->sheets))
        return false;
    for (size_t c = 0; c < n; c++)
        if (looks_like_cell(mgl_span_of(mgl_source_column(source, c))) == 2)
            return true;
    return false;
}

void mgl_source_hide_names(const mgl_source *source, char *message, size_t room)
{
    bool cells = has_cells_for_names(source);
    for (size_t c = 0; cells && c < mgl_source_columns(source); c++) {
        char name[MGL_SHOWN - 3]; /* as much of it as messages quote */
        const char *whole = mgl_source_column(source, c);
        mgl_buffer text = {0};
        snprintf(name, sizeof name, "%s", whole);
        if (name[0] == '\0' || strstr(message, name) == NULL ||
            looks_like_cell(mgl_span_of(whole)) == 0)
            continue;
        mark_name(name, message, &text);
        if (!text.failed && text.size <= room)
            memcpy(message, text.data, text.size);
        mgl_buffer_free(&text);
    }
}
