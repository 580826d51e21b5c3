/* Excel workbooks: what is read of hand-written ones, and what is refused. */
#include "test_text_files.h"

#include "base/fault.h"
#include "io/io.h"
#include "io/xlsx/xlsx.h"

#ifdef MGL_XLSX
#include "workbooks.h"

#include <fcntl.h>
#include <math.h>

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};
static const mgl_source_options usual = {.missing = missing_tokens, .n_missing = 2};

static const char *path_of(const char *rest)
{
    static char path[200];
    snprintf(path, sizeof path, "%.150s.xlsx%s", test_path(), rest);
    return path;
}

static int remove_workbook(void **state)
{
    (void)state;
    unlink(path_of(""));
    return 0;
}

/* Rows of a sheet, as its XML. */
#define ROW(cells) "<row>" cells "</row>"
#define T(text) "<c t=\"inlineStr\"><is><t>" text "</t></is></c>"
#define N(number) "<c><v>" number "</v></c>"

static mgl_status collect(void *context, const mgl_records *records, mgl_error *err)
{
    mgl_buffer *out = context;
    (void)err;
    for (size_t f = 0; f < records->n_records * records->n_fields; f++) {
        mgl_buffer_append(out, records->fields[f].data, records->fields[f].size);
        mgl_buffer_text(out, (f + 1) % records->n_fields == 0 ? "\n" : "|");
    }
    return MGL_OK;
}

/* The header and all rows as one text; free with free(). */
static mgl_status take(const char *location, const mgl_source_options *options, mgl_error *err,
                       char **out)
{
    mgl_source *source;
    mgl_buffer rows = {0};
    MGL_TRY(mgl_source_open(location, options, err, &source));
    for (size_t c = 0; c < mgl_source_columns(source); c++)
        mgl_buffer_format(&rows, "%s%s", c > 0 ? "|" : "", mgl_source_column(source, c));
    mgl_buffer_text(&rows, "\n");
    mgl_status status = mgl_source_each(source, collect, &rows, err);
    mgl_source_close(source);
    if (status == MGL_OK)
        status = mgl_buffer_take(&rows, err, out);
    mgl_buffer_free(&rows);
    return status;
}

static void assert_rows_with(const char *rest, const mgl_source_options *options,
                             const char *expected)
{
    mgl_error err = {0};
    char *rows = NULL;
    if (take(path_of(rest), options, &err, &rows) != MGL_OK)
        fail_msg("%s", err.message);
    assert_string_equal(rows, expected);
    mgl_free(rows);
}

static void assert_read(const made_workbook *made, const char *expected)
{
    write_workbook(path_of(""), made);
    assert_rows_with("", &usual, expected);
}

/* The message begins with the place, holds the words and says what to do. */
static void assert_refused_with(const char *rest, const mgl_source_options *options,
                                const char *place, const char *words)
{
    mgl_error err = {0};
    char *rows = NULL, start[260];
    assert_int_equal(take(path_of(rest), options, &err, &rows), MGL_DATA);
    snprintf(start, sizeof start, "%s%s: ", path_of(""), place);
    if (strncmp(err.message, start, strlen(start)) != 0 || strstr(err.message, words) == NULL)
        fail_msg("got \"%s\", wanted \"%s... %s\"", err.message, start, words);
    assert_non_null(strchr(err.message, ';'));
}

static void assert_refused(const made_workbook *made, const char *place, const char *words)
{
    write_workbook(path_of(""), made);
    assert_refused_with("", &usual, place, words);
}

/* ---- Cells -------------------------------------------------------------------------------- */

static void shared_and_inline_texts_are_read(void **state)
{
    (void)state;
    assert_read(
        &(made_workbook){
            .strings = "<si><t>a</t></si><si><r><t>rich</t></r><r><rPr><b/></rPr>"
                       "<t xml:space=\"preserve\"> text</t></r></si><si><t>kanji</t><rPh sb=\"0\" "
                       "eb=\"1\"><t>sound</t></rPh></si><si><t>x_x000D_y_x005F_x0041_</t></si>"
                       "<si/><si><t>&lt;&#233;&gt;</t></si>",
            .rows = ROW("<c t=\"s\"><v>0</v></c>" T("b"))
                ROW("<c t=\"s\"><v>1</v></c><c t=\"s\"><v>2</v></c>")
                    ROW("<c t=\"s\"><v>3</v></c><c t=\"s\"><v>4</v></c>") ROW(
                        "<c t=\"s\"><v>5</v></c><c t=\"inlineStr\"><is><r><t>in</t></r><r><t>line"
                        "</t></r><rPh sb=\"0\" eb=\"1\"><t>no</t></rPh></is></c>")},
        "a|b\nrich text|kanji\n\"x\ry_x0041_\"|\n<\xc3\xa9>|inline\n");
    assert_refused(&(made_workbook){.strings = "<si><t>a</t></si>",
                                    .rows = ROW(T("h")) ROW("<c t=\"s\"><v>1</v></c>")},
                   "#Data!A2", "is not in the workbook");
}

static void numbers_are_shown_in_the_shortest_way(void **state)
{
    (void)state;
    assert_read(&(made_workbook){.rows = ROW(T("n")) ROW(N("0.10000000000000001")) ROW(N("23")) ROW(
                                     N("1E-3")) ROW(N("-1.5E+300")) ROW(N("12345678901234"))
                                     ROW("<c t=\"b\"><v>1</v></c>") ROW("<c t=\"b\"><v>0</v></c>")},
                "n\n0.1\n23\n0.001\n-1.5e300\n12345678901234\nTRUE\nFALSE\n");
    assert_refused(&(made_workbook){.rows = ROW(T("n")) ROW(N("x"))}, "#Data!A2", "no number");
    assert_refused(&(made_workbook){.rows = ROW(T("n")) ROW(N("1E999"))}, "#Data!A2", "no number");
}

/* Styles 1 to 9: day, day and time, time, elapsed, percent, and formats of one's own. */
#define STYLES                                                                                     \
    "<numFmts><numFmt numFmtId=\"164\" formatCode=\"yyyy\\-mm\\-dd;@\"/>"                          \
    "<numFmt numFmtId=\"165\" formatCode=\"[$-407]d/\\ mmm/\\ yy\\ h:mm\"/>"                       \
    "<numFmt numFmtId=\"166\" formatCode=\"0.0&quot; days&quot;\"/>"                               \
    "<numFmt numFmtId=\"167\" formatCode=\"[Red]#,##0.00\"/></numFmts>"                            \
    "<cellStyleXfs><xf numFmtId=\"14\"/></cellStyleXfs>"                                           \
    "<cellXfs><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/><xf numFmtId=\"22\"/>"                      \
    "<xf numFmtId=\"21\"/><xf numFmtId=\"46\"/><xf numFmtId=\"9\"/><xf numFmtId=\"164\"/>"         \
    "<xf numFmtId=\"165\"/><xf numFmtId=\"166\"/><xf numFmtId=\"167\"/></cellXfs>"
#define S(style, number) "<c s=\"" #style "\"><v>" number "</v></c>"

static void formats_make_days_and_times(void **state)
{
    (void)state;
    assert_read(
        &(made_workbook){
            .styles = STYLES,
            .rows = ROW(T("a") T("b") T("c") T("d")) ROW(S(1, "1") S(1, "59") S(1, "61") S(
                1, "2958465")) ROW(S(1, "60") S(1, "0") S(1, "-3") S(1, "2958466"))
                ROW(S(6, "45292") S(2, "45292") S(7, "45292.573") S(1, "45292.25"))
                    ROW(S(3, "0.5") S(3, "0.99999999999") S(4, "1.5") S(3, "45292.5"))
                        ROW(S(5, "0.07") S(8, "12.5") S(9, "-7.25") S(99, "44000"))
                            ROW(S(2, "0.25") S(4, "0.25") S(3, "0.0000058") N("45292"))},
        "a|b|c|d\n1900-01-01|1900-02-28|1900-03-01|9999-12-31\n60|0|-3|2958466\n"
        "2024-01-01|2024-01-01T00:00:00|2024-01-01T13:45:07.200|2024-01-01T06:00:00\n"
        "12:00:00|24:00:00|36:00:00|2024-01-01T12:00:00\n0.07|12.5|-7.25|44000\n"
        "06:00:00|06:00:00|00:00:00.501|45292\n");
}

static void days_can_count_from_1904(void **state)
{
    (void)state;
    assert_read(&(made_workbook){.styles = STYLES,
                                 .book = "<workbookPr date1904=\"1\"/><sheets><sheet name=\"Data\" "
                                         "sheetId=\"1\" r:id=\"rId1\"/></sheets>",
                                 .rows = ROW(T("a") T("b")) ROW(S(1, "0") S(2, "0.5"))
                                     ROW(S(1, "60") S(1, "43830"))},
                "a|b\n1904-01-01|1904-01-01T12:00:00\n1904-03-01|2024-01-01\n");
    assert_read(&(made_workbook){.styles = STYLES,
                                 .rows = ROW(T("a") T("b"))
                                     ROW("<c t=\"d\" s=\"1\"><v>2024-05-01T00:00:00</v></c>"
                                         "<c t=\"d\" s=\"2\"><v>2024-05-01T00:00:00Z</v></c>")},
                "a|b\n2024-05-01|2024-05-01T00:00:00\n");
}

static void number_formats_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *code;
        unsigned shows;
    } cases[] = {
        {"General", 0},
        {"0.00E+00", 0},
        {"#,##0 \"h\"", 0},
        {"\\d0", 0},
        {"[Blue]0;[Magenta]0", 0},
        {"[$-409]mmmm d, yyyy", MGL_XLSX_SHOWS_DATE},
        {"MM/YY", MGL_XLSX_SHOWS_DATE},
        {"m", MGL_XLSX_SHOWS_DATE},
        {"mm:ss.0", MGL_XLSX_SHOWS_TIME},
        {"h:mm AM/PM", MGL_XLSX_SHOWS_TIME},
        {"[h]:mm", MGL_XLSX_SHOWS_TIME | MGL_XLSX_SHOWS_ELAPSED},
        {"[mm]:ss", MGL_XLSX_SHOWS_TIME | MGL_XLSX_SHOWS_ELAPSED},
        {"yyyy-mm-dd hh:mm", MGL_XLSX_SHOWS_DATE | MGL_XLSX_SHOWS_TIME},
        {"0;yyyy", 0},
        {"\"open", 0},
        {"[", 0},
        {"\\", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (mgl_xlsx_format_shows(mgl_span_of(cases[i].code)) != cases[i].shows)
            fail_msg("%s", cases[i].code);
}

static void formulas_have_their_saved_value(void **state)
{
    (void)state;
    assert_read(&(made_workbook){.rows = ROW(T("a") T("b"))
                                     ROW("<c><f>1+1</f><v>2</v></c><c t=\"str\"><f>x</f><v>text</v>"
                                         "</c>") ROW("<c t=\"str\"><f>\"\"</f><v></v></c>" N("3"))},
                "a|b\n2|text\n|3\n");
    assert_refused(&(made_workbook){.rows = ROW(T("a") T("b")) ROW(N("1") "<c><f>A1</f></c>")},
                   "#Data!B2", "no saved result");
    assert_refused(&(made_workbook){.rows = ROW(T("a")) ROW("<c><f>A1</f><v/></c>")}, "#Data!A2",
                   "no saved result");
}

static void errors_are_refused_or_missing(void **state)
{
    (void)state;
    static const mgl_span tokens[] = {{"", 0}, {"#N/A", 4}};
    static const mgl_source_options lenient = {.missing = tokens, .n_missing = 2};
    made_workbook made = {.rows = ROW(T("a") T("b")) ROW(N("1") "<c t=\"e\"><v>#N/A</v></c>")};
    assert_refused(&made, "#Data!B2", "the error #N/A");
    assert_rows_with("", &lenient, "a|b\n1|#N/A\n");
    made.rows = ROW(T("a") T("b")) ROW(N("1") "<c t=\"e\"><f>1/0</f><v>#DIV/0!</v></c>");
    write_workbook(path_of(""), &made);
    assert_refused_with("", &lenient, "#Data!B2", "the error #DIV/0!");
}

/* ---- Rows and columns ----------------------------------------------------------------------- */

static void blank_rows_and_columns_are_no_data(void **state)
{
    (void)state;
    assert_read(
        &(made_workbook){
            .rows = "<row r=\"3\"><c r=\"B3\" s=\"1\"/></row>"
                    "<row r=\"4\"><c r=\"C4\" t=\"inlineStr\"><is><t>a</t></is></c>"
                    "<c r=\"D4\" t=\"inlineStr\"><is><t>b</t></is></c></row><row r=\"5\"/>"
                    "<row r=\"7\"><c r=\"D7\"><v>2</v></c><c r=\"C7\"><v>1</v></c></row>"
                    "<row r=\"9\"><c r=\"C9\"><v>3</v></c><c r=\"H9\" s=\"3\"/></row>"
                    "<row r=\"12\"><c r=\"C12\" t=\"inlineStr\"><is><t></t></is></c></row>"},
        "a|b\n1|2\n3|\n");
}

static void headers_are_checked_as_in_text_files(void **state)
{
    (void)state;
    mgl_source_options unnamed = usual, no_header = usual;
    unnamed.allow_unnamed = true;
    no_header.no_header = true;
    assert_refused(&(made_workbook){.rows = ROW(T("a") "<c/>" T("b")) ROW(N("1") N("2") N("3"))},
                   "#Data:1", "column 2 has no name");
    assert_rows_with("", &unnamed, "a|column2|b\n1|2|3\n");
    assert_rows_with("", &no_header, "column1|column2|column3\na||b\n1|2|3\n");
    assert_refused(&(made_workbook){.rows = ROW(T("a") T("b") T("a")) ROW(N("1"))}, "#Data:1",
                   "columns 1 and 3 are both called 'a'");
    /* The names of rows that R writes stand under no header. */
    assert_read(&(made_workbook){.rows = ROW("<c/>" T("b")) ROW(N("1") N("2"))},
                "row.names|b\n1|2\n");
    assert_refused(&(made_workbook){.rows = ROW(T("a"))}, "#Data:1", "there are no rows");
    assert_refused(&(made_workbook){.rows = ROW(T("a")) ROW(N("1")) ROW(N("1") N("2"))}, "#Data!B3",
                   "beside the columns of the table (A1 to A1)");
    assert_refused(&(made_workbook){.rows = ""}, "", "the workbook is empty");
}

static void rows_are_found_again_in_the_sheet(void **state)
{
    (void)state;
    mgl_error err;
    mgl_source *source;
    write_workbook(
        path_of(""),
        &(made_workbook){
            .rows = "<row r=\"2\">" T("a") "</row><row r=\"3\"/>"
                                           "<row r=\"5\">" N("1") "</row>"
                                                                  "<row r=\"9\">" N("2") "</row>"});
    assert_int_equal(mgl_source_open(path_of(""), &usual, &err, &source), MGL_OK);
    assert_int_equal(mgl_source_line(source, 0), 5);
    assert_int_equal(mgl_source_line(source, 1), 9);
    assert_int_equal(mgl_source_line(source, 2), 0);
    mgl_source_close(source);
}

static void merged_cells_are_refused(void **state)
{
    (void)state;
    made_workbook made = {.rows = ROW(T("a") T("b")) ROW(N("1") N("2")) ROW("<c/>" N("3")),
                          .after = "<mergeCells><mergeCell ref=\"A2:A3\"/></mergeCells>"};
    assert_refused(&made, "#Data!A2", "merged");
    made.after = "<mergeCells><mergeCell ref=\"D2:E3\"/><mergeCell ref=\"A9:B9\"/></mergeCells>";
    assert_read(&made, "a|b\n1|2\n|3\n");
}

static void places_that_excel_lacks_are_refused(void **state)
{
    (void)state;
#define AT(row, cell) ROW(T("a")) "<row r=\"" row "\"><c r=\"" cell "\"><v>1</v></c></row>"
    assert_refused(&(made_workbook){.rows = AT("2", "XFE2")}, "#Data:2", "beyond the columns");
    assert_refused(&(made_workbook){.rows = AT("2", "ZZZZZZZZ2")}, "#Data:2", "beyond the columns");
    assert_refused(&(made_workbook){.rows = AT("1048577", "A1048577")}, "#Data",
                   "beyond the 1048576");
    assert_refused(&(made_workbook){.rows = AT("2", "A3")}, "#Data:2", "elsewhere");
    assert_refused(&(made_workbook){.rows = AT("1", "A1")}, "#Data:1", "not in order");
    assert_refused(&(made_workbook){.rows = AT("2", "2")}, "#Data:2", "beyond");
    assert_refused(&(made_workbook){.rows = ROW(T("a")) "<row r=\"2\"><c r=\"A2\"><v>1</v></c>"
                                                        "<c r=\"A2\"><v>1</v></c></row>"},
                   "#Data!A2", "twice");
    assert_read(&(made_workbook){.rows = ROW(T("a")) "<row r=\"1048576\"><c r=\"XFD1048576\"/>"
                                                     "<c r=\"A1048576\"><v>1</v></c></row>"},
                "a\n1\n");
}

/* ---- Sheets --------------------------------------------------------------------------------- */

#define SHEET(name, more, id) "<sheet name=\"" name "\" sheetId=\"1\" " more " r:id=\"" id "\"/>"

static void the_only_sheet_with_data_is_taken(void **state)
{
    (void)state;
    made_workbook made = {.rows = ROW(T("a")) ROW(N("1")), .second = ""};
    assert_read(&made, "a\n1\n");
    made.rows = "";
    made.second = ROW(T("b")) ROW(N("2"));
    assert_read(&made, "b\n2\n");
    made.rows = ROW(T("a")) ROW(N("1"));
    assert_refused(&made, "", "several sheets hold data; choose one as in ");
    assert_refused(&made, "", "#Data: Data, More");
    assert_rows_with("#More", &usual, "b\n2\n");
    assert_rows_with("#data", &usual, "a\n1\n");
    assert_refused_with("#Other", &usual, "", "there is no sheet 'Other'");
    assert_refused_with("#", &usual, "", "there is no sheet ''");
}

/* A title, or a header that nothing stands below, is no table. */
static void a_sheet_with_a_row_is_no_second_table(void **state)
{
    (void)state;
    made_workbook made = {.rows = ROW(T("a")) ROW(N("1")), .second = ROW(T("b") T("c"))};
    assert_read(&made, "a\n1\n");
    made.rows = ROW(T("b") T("c")) "<row r=\"7\"><c/></row>";
    made.second = ROW(T("a")) "<row r=\"9\">" N("1") "</row>";
    assert_read(&made, "a\n1\n");
    assert_refused_with("#Data", &usual, "#Data:1", "there are no rows");
    made.second = ROW(T("a"));
    assert_refused(&made, "", "several sheets hold data; choose one as in ");
    made.second = "";
    assert_refused(&made, "#Data:1", "there are no rows");
    made.book =
        "<sheets>" SHEET("Data", "", "rId1") SHEET("List", "state=\"hidden\"", "rId2") "</sheets>";
    made.second = ROW(T("a")) ROW(N("1"));
    assert_refused(&made, "", "only hidden sheets hold data; choose one as in ");
}

static void hidden_sheets_are_read_when_named(void **state)
{
    (void)state;
    made_workbook made = {.rows = ROW(T("a")) ROW(N("1")),
                          .second = ROW(T("b")) ROW(N("2")),
                          .book = "<sheets>" SHEET("Data", "", "rId1")
                              SHEET("List", "state=\"hidden\"", "rId2")
                                  SHEET("Chart", "", "rId5") "</sheets>"};
    assert_read(&made, "a\n1\n");
    assert_rows_with("#List", &usual, "b\n2\n");
    assert_refused_with("#Chart", &usual, "", "holds no cells but a chart");
    made.rows = "";
    assert_refused(&made, "", "only hidden sheets hold data; choose one as in ");
    assert_refused(&made, "", "#List: List (hidden)");
    made.book = "<sheets>" SHEET("Data", "", "rId1") "</sheets>";
    assert_refused(&made, "", "the workbook is empty");
    made.book = "<sheets>" SHEET("Data", "", "rId9") "</sheets>";
    assert_refused(&made, "", "no sheet of the workbook holds cells");
    made.book = "<sheets>" SHEET("Data", "", "rId1") SHEET("Chart", "", "rId5") "</sheets>";
    assert_refused(&made, "", "no sheet of the workbook holds cells");
}

/* ---- Hostile files --------------------------------------------------------------------------- */

static void assert_refused_parts(const char *sheet, size_t size, const char *words)
{
    write_workbook(path_of(""), &(made_workbook){.rows = ROW(T("a")) ROW(N("1"))});
    workbook_entry entries[] = {
        {"_rels/.rels",
         "<Relationships><Relationship Id=\"1\" Type=\"x/officeDocument\" Target=\"b.xml\"/>"
         "</Relationships>",
         0},
        {"_rels/b.xml.rels",
         "<Relationships><Relationship Id=\"1\" Type=\"x/worksheet\" Target=\"s.xml\"/>"
         "</Relationships>",
         0},
        {"b.xml", "<workbook><sheets><sheet name=\"S\" r:id=\"1\"/></sheets></workbook>", 0},
        {"s.xml", sheet, size}};
    write_entries(path_of(""), entries, 4);
    assert_refused_with("", &usual, "", words);
}

static void hostile_xml_is_refused(void **state)
{
    (void)state;
    assert_refused_parts("<!DOCTYPE w [<!ENTITY a \"aaaa\"><!ENTITY b \"&a;&a;\">]><worksheet>"
                         "<sheetData><row><c><v>&b;</v></c></row></sheetData></worksheet>",
                         0, "declares a document type");
    assert_refused_parts("<!DOCTYPE w SYSTEM \"file:///etc/passwd\"><worksheet/>", 0,
                         "declares a document type");
    assert_refused_parts("<worksheet><sheetData><row>", 0, "is no XML");
    assert_refused_parts("<worksheet>&nothing;</worksheet>", 0, "is no XML");
    assert_refused_parts("no xml", 0, "is no XML");
    mgl_buffer text = {0};
    for (int i = 0; i < 1000; i++)
        mgl_buffer_text(&text, "<a>");
    assert_refused_parts(text.data, text.size, "too many elements within elements");
    text.size = 0;
    mgl_buffer_text(&text, "<worksheet a=\"");
    for (int i = 0; i < 600000; i++)
        mgl_buffer_text(&text, "0123456789");
    assert_refused_parts(text.data, text.size, "a tag without an end");
    mgl_buffer_free(&text);
}

static void what_unpacks_to_too_much_is_refused(void **state)
{
    (void)state;
    mgl_source_options little = usual;
    mgl_buffer rows = {0};
    mgl_buffer_text(&rows, ROW(T("a")));
    for (int i = 0; i < 20000; i++)
        mgl_buffer_text(&rows, ROW(N("1")));
    mgl_buffer_append(&rows, "", 1);
    write_workbook(path_of(""), &(made_workbook){.rows = rows.data});
    mgl_buffer_free(&rows);
    little.most_unpacked = 100000;
    assert_refused_with("", &little, "", "allow more by `unpack: SIZE`");
    little.most_unpacked = 1000000;
    char *text = NULL;
    mgl_error err;
    assert_int_equal(take(path_of(""), &little, &err, &text), MGL_OK);
    mgl_free(text);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    static const char old[] = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more";
    char bytes[512];
    FILE *file = fopen(path_of(""), "wb");
    fwrite(old, 1, sizeof old, file);
    fclose(file);
    assert_refused_with("", &usual, "", "protected by a password or of the old format .xls");
    file = fopen(path_of(""), "wb");
    fputs("a,b\n1,2\n", file);
    fclose(file);
    assert_refused_with("", &usual, "", "no Excel workbook");
    write_entries(path_of(""),
                  (workbook_entry[]){{"_rels/.rels",
                                      "<R><Relationship Type=\"x/officeDocument\" "
                                      "Target=\"xl/workbook.bin\"/></R>",
                                      0}},
                  1);
    assert_refused_with("", &usual, "", "the binary format .xlsb");
    write_entries(path_of(""), (workbook_entry[]){{"word/document.xml", "<d/>", 0}}, 1);
    assert_refused_with("", &usual, "", "it has no list of sheets");

    write_workbook(path_of(""), &(made_workbook){.rows = ROW(T("a")) ROW(N("1"))});
    file = fopen(path_of(""), "rb");
    size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    file = fopen(path_of(""), "wb");
    fwrite(bytes, 1, size, file);
    fclose(file);
    assert_refused_with("", &usual, "", "damaged");
}

static void locations_are_cut_at_the_sheet(void **state)
{
    (void)state;
    static const struct {
        const char *location, *path, *sheet, *format;
    } cases[] = {{"a.xlsx", "a.xlsx", NULL, "xlsx"},
                 {"a.XLSX#B c", "a.XLSX", "B c", "xlsx"},
                 {"a#b.xlsx#c#d", "a#b.xlsx", "c#d", "xlsx"},
                 {"data#1.csv", "data#1.csv", NULL, "csv"},
                 {"data#1", "data#1", NULL, "csv"},
                 {"a.xlsx#b/c.csv", "a.xlsx#b/c.csv", NULL, "csv"},
                 {"a.xlsm#x", "a.xlsm", "x", "xlsm"},
                 {".xlsx#x", ".xlsx#x", NULL, "csv"},
                 {"a.xlsx#b.xlsx", "a.xlsx", "b.xlsx", "xlsx"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *path;
        const char *sheet = mgl_location_of(cases[i].location).sheet;
        assert_int_equal(mgl_location_file(cases[i].location, NULL, &path), MGL_OK);
        assert_string_equal(path, cases[i].path);
        assert_true((sheet == NULL) == (cases[i].sheet == NULL));
        if (sheet != NULL)
            assert_string_equal(sheet, cases[i].sheet);
        assert_string_equal(mgl_location_of(cases[i].location).format->name, cases[i].format);
        mgl_free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_and_inline_texts_are_read),
        cmocka_unit_test(numbers_are_shown_in_the_shortest_way),
        cmocka_unit_test(formats_make_days_and_times),
        cmocka_unit_test(days_can_count_from_1904),
        cmocka_unit_test(number_formats_are_told_apart),
        cmocka_unit_test(formulas_have_their_saved_value),
        cmocka_unit_test(errors_are_refused_or_missing),
        cmocka_unit_test(blank_rows_and_columns_are_no_data),
        cmocka_unit_test(headers_are_checked_as_in_text_files),
        cmocka_unit_test(rows_are_found_again_in_the_sheet),
        cmocka_unit_test(merged_cells_are_refused),
        cmocka_unit_test(places_that_excel_lacks_are_refused),
        cmocka_unit_test(the_only_sheet_with_data_is_taken),
        cmocka_unit_test(a_sheet_with_a_row_is_no_second_table),
        cmocka_unit_test(hidden_sheets_are_read_when_named),
        cmocka_unit_test(hostile_xml_is_refused),
        cmocka_unit_test(what_unpacks_to_too_much_is_refused),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(locations_are_cut_at_the_sheet),
    };
    return cmocka_run_group_tests(tests, NULL, remove_workbook);
}
#else
int main(void)
{
    puts("skipped: built without the libraries for workbooks");
    return 77;
}
#endif
