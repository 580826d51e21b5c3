/* Reads the entries of a workbook that say what the others are. Source and sink of workbooks open
 * one with it. */
#ifdef MGL_XLSX
#include "io/xlsx/book.h"

enum { MOST_SHEETS = 10000 };

static mgl_status fail_missing_entry(const mgl_workbook *book, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, book->package.name, 0,
                       "this is no Excel workbook of the format .xlsx: it has no list of sheets; "
                       "open it in Excel, and save it as .xlsx");
}

static mgl_status refuse_many(const mgl_workbook *book, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, book->package.name, 0,
                       "the workbook has more than %d sheets; copy the sheet to a new workbook",
                       MOST_SHEETS);
}

/* ---- Relationships: what entries are called ------------------------------------------------- */

typedef struct relation {
    const char *id, *type, *target; /* the type without what it shares with all others */
} relation;

typedef struct relations {
    mgl_workbook *book;
    relation *list;
    size_t n, capacity;
} relations;

static const char *keep(mgl_workbook *book, const char *text)
{
    return mgl_arena_copy(book->arena, text != NULL ? text : "", text != NULL ? strlen(text) : 0);
}

static mgl_status take_relation(void *context, const char *name, const char **attributes,
                                mgl_error *err)
{
    relations *r = context;
    const char *type = mgl_xml_attribute(attributes, "Type");
    if (strcmp(name, "Relationship") != 0 || type == NULL)
        return MGL_OK;
    const char *slash = strrchr(type, '/');
    if (r->n == MOST_SHEETS + 10) /* texts, styles and the like have one each */
        return refuse_many(r->book, err);
    if (!mgl_grow(&r->list, &r->capacity, r->n + 1, sizeof *r->list))
        return mgl_fail_memory(err);
    relation *one = &r->list[r->n++];
    one->id = keep(r->book, mgl_xml_attribute(attributes, "Id"));
    one->type = keep(r->book, slash != NULL ? slash + 1 : type);
    one->target = keep(r->book, mgl_xml_attribute(attributes, "Target"));
    return one->id != NULL && one->type != NULL && one->target != NULL ? MGL_OK
                                                                       : mgl_fail_memory(err);
}

/* The relations of the entry FOLDER/NAME are in FOLDER/_rels/NAME.rels. */
static mgl_status read_relations(relations *r, const char *entry, mgl_error *err)
{
    static const mgl_xml_handlers handlers = {.start = take_relation};
    const char *slash = strrchr(entry, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - entry) : 0;
    mgl_buffer path = {0};
    mgl_buffer_append(&path, entry, folder);
    mgl_buffer_format(&path, "_rels/%s.rels", entry + folder);
    mgl_buffer_append(&path, "", 1);
    int64_t number = path.failed ? -1 : mgl_package_find(&r->book->package, path.data);
    mgl_status status = path.failed ? mgl_fail_memory(err)
                        : number >= 0
                            ? mgl_package_parse(&r->book->package, number, &handlers, r, err)
                            : MGL_OK;
    mgl_buffer_free(&path);
    return status;
}

/* A target is a path from the folder of the entry that names it, or from the root. NULL: memory is
 * out. */
static const char *resolve(mgl_workbook *book, const char *entry, const char *target)
{
    const char *slash = strrchr(entry, '/');
    size_t folder = slash != NULL ? (size_t)(slash + 1 - entry) : 0;
    if (target[0] == '/')
        return target + 1;
    while (strncmp(target, "../", 3) == 0) {
        target += 3;
        folder -= folder > 0;
        while (folder > 0 && entry[folder - 1] != '/')
            folder--;
    }
    size_t size = strlen(target);
    char *path = mgl_arena_alloc(book->arena, folder + size + 1);
    if (path == NULL)
        return NULL;
    memcpy(path, entry, folder);
    memcpy(path + folder, target, size + 1);
    return path;
}

static mgl_status find_entry(mgl_workbook *book, const char *entry, const char *target,
                             mgl_error *err, int64_t *out)
{
    const char *path = resolve(book, entry, target);
    if (path == NULL)
        return mgl_fail_memory(err);
    *out = mgl_package_find(&book->package, path);
    return MGL_OK;
}

/* ---- The list of sheets ------------------------------------------------------------------- */

typedef struct listing {
    mgl_workbook *book;
    const char *entry; /* of the list itself */
    const relations *relations;
} listing;

static const relation *relation_called(const relations *r, const char *id)
{
    for (size_t i = 0; id != NULL && i < r->n; i++)
        if (strcmp(r->list[i].id, id) == 0)
            return &r->list[i];
    return NULL;
}

static mgl_status add_sheet(listing *l, const char **attributes, mgl_error *err)
{
    mgl_workbook *book = l->book;
    const char *state = mgl_xml_attribute(attributes, "state");
    const relation *named = relation_called(l->relations, mgl_xml_attribute(attributes, "id"));
    if (book->n_sheets == MOST_SHEETS)
        return refuse_many(book, err);
    if (!mgl_grow(&book->sheets, &book->sheets_capacity, book->n_sheets + 1, sizeof *book->sheets))
        return mgl_fail_memory(err);
    mgl_sheet *sheet = &book->sheets[book->n_sheets++];
    *sheet = (mgl_sheet){.entry = -1, .hidden = state != NULL && strcmp(state, "visible") != 0};
    sheet->name = keep(book, mgl_xml_attribute(attributes, "name"));
    if (sheet->name == NULL)
        return mgl_fail_memory(err);
    if (named == NULL || strcmp(named->type, "worksheet") != 0)
        return MGL_OK;
    MGL_TRY(find_entry(book, l->entry, named->target, err, &sheet->entry));
    if (sheet->entry < 0)
        return mgl_fail_at(err, MGL_CODE_FORMAT, book->package.name, 0,
                           "the workbook is damaged: the sheet '%.60s' is not in it; open it in "
                           "Excel, and save it again",
                           sheet->name);
    return MGL_OK;
}

static mgl_status take_workbook(void *context, const char *name, const char **attributes,
                                mgl_error *err)
{
    listing *l = context;
    if (strcmp(name, "workbookPr") == 0)
        l->book->from_1904 = mgl_xml_flag(attributes, "date1904");
    return strcmp(name, "sheet") == 0 ? add_sheet(l, attributes, err) : MGL_OK;
}

static mgl_status list_sheets(mgl_workbook *book, const char *entry, relations *named,
                              mgl_error *err)
{
    static const mgl_xml_handlers handlers = {.start = take_workbook};
    size_t size = strlen(entry);
    if (size > 4 && strcmp(entry + size - 4, ".bin") == 0)
        return mgl_fail_at(err, MGL_CODE_FORMAT, book->package.name, 0,
                           "this is a workbook of the binary format .xlsb; open it in Excel, and "
                           "save it as .xlsx");
    int64_t number = mgl_package_find(&book->package, entry);
    if (number < 0)
        return fail_missing_entry(book, err);
    MGL_TRY(read_relations(named, entry, err));
    listing l = {book, entry, named};
    MGL_TRY(mgl_package_parse(&book->package, number, &handlers, &l, err));
    for (size_t i = 0; i < named->n; i++) {
        const relation *one = &named->list[i];
        if (strcmp(one->type, "sharedStrings") == 0)
            MGL_TRY(find_entry(book, entry, one->target, err, &book->strings_entry));
        if (strcmp(one->type, "styles") == 0)
            MGL_TRY(find_entry(book, entry, one->target, err, &book->styles_entry));
    }
    return MGL_OK;
}

/* The root names the entry that lists the sheets. */
static mgl_status read_list(mgl_workbook *book, mgl_error *err)
{
    relations root = {.book = book}, named = {.book = book};
    const char *entry = "xl/workbook.xml";
    mgl_status status = MGL_OK;
    MGL_GO(read_relations(&root, "", err));
    for (size_t i = 0; entry != NULL && i < root.n; i++)
        if (strcmp(root.list[i].type, "officeDocument") == 0)
            entry = resolve(book, "", root.list[i].target);
    MGL_GO(entry != NULL ? list_sheets(book, entry, &named, err) : mgl_fail_memory(err));
done:
    mgl_free(root.list);
    mgl_free(named.list);
    return status;
}

mgl_status mgl_workbook_open(mgl_workbook *book, const char *path, const char *name,
                             uint64_t most_unpacked, mgl_error *err)
{
    *book = (mgl_workbook){.package = {.fd = -1}, .strings_entry = -1, .styles_entry = -1};
    book->arena = mgl_arena_new();
    if (book->arena == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_package_open(&book->package, path, name, most_unpacked, err));
    MGL_TRY(read_list(book, err));
    return book->n_sheets > 0 ? MGL_OK : fail_missing_entry(book, err);
}

void mgl_workbook_close(mgl_workbook *book)
{
    mgl_package_close(&book->package);
    mgl_arena_free(book->arena);
    mgl_free(book->sheets);
    mgl_free(book->shows);
    mgl_free(book->ends);
    mgl_buffer_free(&book->text);
}
#endif
