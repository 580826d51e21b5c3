/* Makes workbooks of hand-written XML. Unit tests and the fuzz target of workbooks call it. */
#include "workbooks.h"

#ifdef MGL_XLSX
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zip.h>

static void require(int condition)
{
    if (!condition)
        abort();
}

void write_entries(const char *path, const workbook_entry *entries, size_t n)
{
    unlink(path);
    zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
    require(zip != NULL);
    for (size_t i = 0; i < n; i++) {
        if (entries[i].data == NULL)
            continue;
        size_t size = entries[i].size > 0 ? entries[i].size : strlen(entries[i].data);
        zip_source_t *source = zip_source_buffer(zip, entries[i].data, size, 0);
        require(source != NULL);
        require(zip_file_add(zip, entries[i].name, source, ZIP_FL_OVERWRITE) >= 0);
    }
    require(zip_close(zip) == 0);
}

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
#define MAIN "xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\""
#define OFFICE "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
#define PACKAGE "http://schemas.openxmlformats.org/package/2006/relationships"

static char *wrapped(const char *root, const char *inside, const char *after)
{
    size_t size = strlen(inside) + strlen(after) + 1000;
    char *text = malloc(size);
    require(text != NULL);
    if (strcmp(root, "worksheet") == 0)
        snprintf(text, size, HEAD "<worksheet " MAIN "><sheetData>%s</sheetData>%s</worksheet>",
                 inside, after);
    else
        snprintf(text, size, HEAD "<%s " MAIN " xmlns:r=\"" OFFICE "\">%s</%s>", root, inside,
                 root);
    return text;
}

void write_workbook(const char *path, const made_workbook *made)
{
    const char *book = made->book != NULL ? made->book
                       : made->second != NULL
                           ? "<sheets><sheet name=\"Data\" sheetId=\"1\" r:id=\"rId1\"/>"
                             "<sheet name=\"More\" sheetId=\"2\" r:id=\"rId2\"/></sheets>"
                           : "<sheets><sheet name=\"Data\" sheetId=\"1\" r:id=\"rId1\"/></sheets>";
    const char *after = made->after != NULL ? made->after : "";
    char *texts[] = {wrapped("workbook", book, ""),
                     wrapped("worksheet", made->rows != NULL ? made->rows : "", after),
                     wrapped("worksheet", made->second != NULL ? made->second : "", ""),
                     wrapped("styleSheet", made->styles != NULL ? made->styles : "", ""),
                     made->strings != NULL ? wrapped("sst", made->strings, "") : NULL};
    workbook_entry entries[] = {
        {"_rels/.rels",
         HEAD "<Relationships xmlns=\"" PACKAGE "\"><Relationship Id=\"rId1\" Type=\"" OFFICE
              "/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
         0},
        {"xl/_rels/workbook.xml.rels",
         HEAD "<Relationships xmlns=\"" PACKAGE "\">"
              "<Relationship Id=\"rId1\" Type=\"" OFFICE
              "/worksheet\" Target=\"worksheets/sheet1.xml\"/>"
              "<Relationship Id=\"rId2\" Type=\"" OFFICE
              "/worksheet\" Target=\"/xl/worksheets/sheet2.xml\"/>"
              "<Relationship Id=\"rId3\" Type=\"" OFFICE "/styles\" Target=\"styles.xml\"/>"
              "<Relationship Id=\"rId4\" Type=\"" OFFICE
              "/sharedStrings\" Target=\"sharedStrings.xml\"/>"
              "<Relationship Id=\"rId5\" Type=\"" OFFICE
              "/chartsheet\" Target=\"chartsheets/sheet1.xml\"/></Relationships>",
         0},
        {"xl/workbook.xml", texts[0], 0},
        {"xl/worksheets/sheet1.xml", texts[1], 0},
        {"xl/worksheets/sheet2.xml", texts[2], 0},
        {"xl/styles.xml", texts[3], 0},
        {"xl/sharedStrings.xml", texts[4], 0},
    };
    write_entries(path, entries, sizeof entries / sizeof entries[0]);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free(texts[i]);
}
#else
typedef int workbooks_are_not_built;
#endif
