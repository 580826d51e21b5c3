/* Detects how a file is delimited from its first records. */
#include "text/file.h"

enum {
    FIRST_BYTES = 256 * 1024,
    RECORDS_LOOKED_AT = 500,
    /* This many fields between blanks, the same in this many records, are a table and no text. */
    BLANK_FIELDS = 3,
    BLANK_RECORDS = 6
};

/* Those that hardly occur inside values first: in "[0, 5[;[5, 10[" the comma is text. */
static const char candidates[] = {'\t', ';', '|', ','};

typedef struct start {
    const char *data;
    size_t size;
    bool whole; /* this is the whole file */
} start;

/* One record from at on: its number of fields, 0 if its quotes do not stand around fields; false if
 * it is not whole. A quote that opens a field goes to the next quote that is not doubled. */
static bool next_record(const start *s, char delimiter, size_t *at, size_t *n_fields, bool *crlf)
{
    bool quoted = false, field_start = true, astray = false;
    *n_fields = 1;
    for (size_t i = *at; i < s->size; i++) {
        char byte = s->data[i];
        if (quoted) {
            if (byte == '"' && i + 1 < s->size && s->data[i + 1] == '"')
                i++;
            else if (byte == '"') {
                quoted = false;
                char next = i + 1 < s->size ? s->data[i + 1] : '\n';
                astray |= next != delimiter && next != '\n' && next != '\r';
            }
            continue;
        }
        if (byte == '\n') {
            *crlf = i > *at && s->data[i - 1] == '\r';
            *at = i + 1;
            *n_fields = astray ? 0 : *n_fields;
            return true;
        }
        if (byte == '"' && field_start)
            quoted = true;
        astray |= byte == '"' && !field_start;
        field_start = byte == delimiter;
        *n_fields += byte == delimiter;
    }
    *crlf = false;
    bool left = *at < s->size;
    *at = s->size;
    *n_fields = astray ? 0 : *n_fields;
    return left && s->whole && !quoted;
}

/* Evidence of the first field of a record about its being the name of the row. */
typedef struct row_name {
    mgl_span text;
    bool quoted;
} row_name;

typedef struct fit {
    size_t n_fields; /* of the first record */
    size_t agree, n_records;
    size_t longer; /* records with one field more */
    size_t quoted,
        numbered; /* of the longer ones: their first field is quoted; it counts the rows */
} fit;

static fit measure(const start *s, char delimiter)
{
    fit f = {0};
    size_t n_fields, from = 0;
    uint64_t number;
    bool crlf;
    for (size_t at = 0;
         f.n_records < RECORDS_LOOKED_AT && next_record(s, delimiter, &at, &n_fields, &crlf);
         f.n_records++, from = at) {
        if (f.n_records == 0)
            f.n_fields = n_fields;
        f.agree += n_fields == f.n_fields;
        if (n_fields != f.n_fields + 1)
            continue;
        size_t end = from + 1;
        bool quoted = s->data[from] == '"';
        while (end < s->size && s->data[end] != (quoted ? '"' : delimiter) && s->data[end] != '\n')
            end++;
        row_name name = (row_name){{s->data + from + quoted, end - from - quoted}, quoted};
        f.longer++;
        f.quoted += name.quoted;
        f.numbered += mgl_parse_u64(name.text, &number) && number == f.n_records;
    }
    return f;
}

/* All records have one field more than the header, and it comes first: R quotes the names of rows,
 * or counts the rows. A comma too many in each record is not taken for that. */
static bool has_short_header(const fit *f)
{
    return f->n_fields > 0 && f->longer > 0 && f->longer + 1 == f->n_records &&
           (f->quoted == f->longer || f->numbered == f->longer);
}

/* The candidate by which most records have as many fields as the first. */
static char guess(const start *s, bool header, bool *short_header)
{
    char best = ',';
    fit best_fit = {.n_records = 1};
    for (size_t i = 0; i < sizeof candidates; i++) {
        fit f = measure(s, candidates[i]);
        *short_header = header && has_short_header(&f);
        if (*short_header)
            return candidates[i];
        if (f.n_fields >= 2 && f.agree * best_fit.n_records > best_fit.agree * f.n_records) {
            best = candidates[i];
            best_fit = f;
        }
    }
    /* Blanks are in many texts. R writes them between fields; else all records must agree. */
    fit blanks = measure(s, ' ');
    bool alone = best_fit.n_fields < 2;
    *short_header = header && alone && has_short_header(&blanks);
    bool agree = blanks.n_fields >= BLANK_FIELDS && blanks.n_records >= BLANK_RECORDS &&
                 blanks.agree == blanks.n_records;
    return *short_header || (alone && agree) ? ' ' : best;
}

/* What people give by mistake, known by the first bytes. */
static mgl_status refuse_other_formats(const char *name, const start *s, mgl_error *err)
{
    static const char lines_of_json[] =
        "this is JSON; put one object on each line, and let the name of the file end in .jsonl";
    static const struct {
        const char *bytes;
        size_t size;
        const char *what;
    } known[] = {
        {"\xff\xfe", 2, "this is UTF-16 text; add `encoding: UTF-16`"},
        {"\xfe\xff", 2, "this is UTF-16 text; add `encoding: UTF-16`"},
        {"PK\x03\x04", 4,
         "this is a zip archive or a spreadsheet; an Excel workbook is read if its name ends in "
         ".xlsx, of others save the table as CSV"},
        {"\xd0\xcf\x11\xe0", 4,
         "this is an old or a protected spreadsheet; save it as .xlsx without a password, or the "
         "table as CSV"},
        {"[{", 2, lines_of_json},
        {"[\n", 2, lines_of_json},
        {"{\"", 2, lines_of_json},
        {"{\n", 2, lines_of_json},
        {"%PDF-", 5, "this is a PDF; save the table as CSV"},
        {"\3757zXZ", 5, "this is compressed with xz; unpack it first, or use .gz or .zst"},
        {"BZh", 3, "this is compressed with bzip2; unpack it first, or use .gz or .zst"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        /* "BZh" could begin a text; the digit and magic that follow in bzip2 could not. */
        bool bzip = known[i].bytes[0] == 'B';
        if (s->size >= known[i].size && memcmp(s->data, known[i].bytes, known[i].size) == 0 &&
            (!bzip || (s->size >= 10 && memcmp(s->data + 4, "1AY&SY", 6) == 0)))
            return (unsigned char)known[i].bytes[0] >= 0xfe
                       ? mgl_fail_key_at(err, MGL_CODE_ENCODING, name, "encoding", "%s",
                                         known[i].what)
                       : mgl_fail_at(err, MGL_CODE_FORMAT, name, 0, "%s", known[i].what);
    }
    return MGL_OK;
}

static mgl_status sniff(const mgl_text_file *file, char *data, char delimiter, bool header,
                        mgl_error *err, mgl_dialect *out)
{
    const char *name = mgl_text_name(file);
    size_t size, last_size = 0;
    char last = '\0';
    MGL_TRY(mgl_text_read_at(file, 0, data, FIRST_BYTES, err, &size));
    start s = {data, size, size == mgl_text_size(file)};
    MGL_TRY(refuse_other_formats(name, &s, err));
    mgl_dialect dialect = {.delimiter = delimiter, .header = header};
    dialect.byte_order_mark = size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
    if (dialect.byte_order_mark)
        s.data += 3, s.size -= 3;
    if (s.size == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, name, 0,
                           "the file is empty; a table needs a header and at least one row");
    if (delimiter == '\0') {
        dialect.delimiter = guess(&s, header, &dialect.short_header);
    } else {
        fit f = measure(&s, delimiter);
        dialect.short_header = header && has_short_header(&f);
    }
    size_t at = 0, n_fields;
    next_record(&s, dialect.delimiter, &at, &n_fields, &dialect.crlf);
    MGL_TRY(mgl_text_read_at(file, mgl_text_size(file) - 1, &last, 1, err, &last_size));
    dialect.final_newline = last == '\n';
    *out = dialect;
    return MGL_OK;
}

mgl_status mgl_text_sniff(mgl_text_file *file, char delimiter, bool header, mgl_error *err,
                          mgl_dialect *out)
{
    if (delimiter == '"' || delimiter == '\r' || delimiter == '\n' || (delimiter & 0x80) != 0)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "delimiter",
                            "the delimiter must be one ASCII character and no quote or line end; "
                            "use one of , ; tab |");
    char *data = mgl_alloc(FIRST_BYTES);
    MGL_TRY(mgl_check_memory(data != NULL, err));
    mgl_status status = sniff(file, data, delimiter, header, err, out);
    mgl_free(data);
    return status;
}
