/* Opens workbooks: entries of the zip archive, parsed as XML while they are decompressed, and the
 * entry that lists the sheets. */

/* ---- Packages -------------------------------------------------------------------------------- */

#ifdef MGL_XLSX
#include "io/xlsx/book.h"

#include "io/intake/intake.h"

#include <errno.h>
#include <expat.h>
#include <stdio.h>

enum {
    BLOCK = 1 << 16,
    DEEPEST = 100,        /* elements within elements; workbooks have a dozen */
    LONGEST_TAG = 1 << 22 /* bytes; the parser keeps a tag in memory until its end */
};

static const char *const functions[] = {MGL_ZIP_FUNCTIONS(MGL_LIBRARY_NAME)};

static const mgl_library library = {MGL_ZIP_LIBRARY,
                                    "libzip4",
                                    "reading Excel workbooks",
                                    functions,
                                    sizeof functions / sizeof functions[0],
                                    NULL};

/* ---- Bytes of the file, for libzip ------------------------------------------------------- */

static zip_int64_t seek_file(mgl_package *package, void *data, zip_uint64_t size)
{
    zip_error_t error;
    package->zip.error_init(&error);
    zip_int64_t at = package->zip.source_seek_compute_offset(package->at, package->state.size, data,
                                                             size, &error);
    package->zip.error_fini(&error);
    if (at < 0)
        return -1;
    package->at = (uint64_t)at;
    return 0;
}

static zip_int64_t read_file(mgl_package *package, void *data, zip_uint64_t size)
{
    ssize_t got = mgl_sys_pread(package->fd, data, (size_t)size, package->at);
    if (got < 0) {
        package->failure = errno;
        return -1;
    }
    package->at += (uint64_t)got;
    return got;
}

static zip_int64_t report_state(const mgl_package *package, void *data, zip_uint64_t size)
{
    if (size < sizeof(zip_stat_t))
        return -1;
    zip_stat_t *state = data;
    package->zip.stat_init(state);
    state->size = package->state.size;
    state->valid = ZIP_STAT_SIZE;
    return sizeof *state;
}

static zip_int64_t report_error(const mgl_package *package, void *data, zip_uint64_t size)
{
    int codes[2] = {ZIP_ER_READ, package->failure};
    if (size < sizeof codes)
        return -1;
    memcpy(data, codes, sizeof codes);
    return sizeof codes;
}

static zip_int64_t serve(void *context, void *data, zip_uint64_t size, zip_source_cmd_t command)
{
    mgl_package *package = context;
    switch (command) {
    case ZIP_SOURCE_OPEN:
        package->at = 0;
        return 0;
    case ZIP_SOURCE_READ:
        return read_file(package, data, size);
    case ZIP_SOURCE_SEEK:
        return seek_file(package, data, size);
    case ZIP_SOURCE_TELL:
        return (zip_int64_t)package->at;
    case ZIP_SOURCE_STAT:
        return report_state(package, data, size);
    case ZIP_SOURCE_ERROR:
        return report_error(package, data, size);
    case ZIP_SOURCE_CLOSE:
    case ZIP_SOURCE_FREE:
        return 0;
    case ZIP_SOURCE_SUPPORTS:
        return package->zip.source_make_command_bitmap(
            ZIP_SOURCE_OPEN, ZIP_SOURCE_READ, ZIP_SOURCE_CLOSE, ZIP_SOURCE_STAT, ZIP_SOURCE_ERROR,
            ZIP_SOURCE_FREE, ZIP_SOURCE_SEEK, ZIP_SOURCE_TELL, ZIP_SOURCE_SUPPORTS, -1);
    default:
        return -1;
    }
}

/* ---- Opening ------------------------------------------------------------------------------ */

static mgl_status fail_package(const mgl_package *package, zip_error_t *error, mgl_error *err)
{
    if (package->failure != 0) {
        errno = package->failure;
        return mgl_fail_errno(err, package->name, "read");
    }
    if (package->zip.error_code_zip(error) == ZIP_ER_MEMORY)
        return mgl_fail_memory(err);
    return mgl_fail_at(err, MGL_CODE_FORMAT, package->name, 0,
                       "the file is damaged, incomplete or no Excel workbook (%s); open it in "
                       "Excel, and save it again as .xlsx",
                       package->zip.error_strerror(error));
}

/* Protected workbooks and those of Excel before 2007 are no archives. */
static mgl_status refuse_old(const mgl_package *package, mgl_error *err)
{
    static const char compound[] = "\xd0\xcf\x11\xe0";
    char first[sizeof compound - 1];
    ssize_t got = mgl_sys_pread(package->fd, first, sizeof first, 0);
    if (got < 0)
        return mgl_fail_errno(err, package->name, "read");
    if (got == (ssize_t)sizeof first && memcmp(first, compound, sizeof first) == 0)
        return mgl_fail_at(err, MGL_CODE_FORMAT, package->name, 0,
                           "this workbook is protected by a password or of the old format .xls; "
                           "open it in Excel, and save it as .xlsx without a password");
    return MGL_OK;
}

static mgl_status open_archive(mgl_package *package, mgl_error *err)
{
    zip_error_t error;
    package->zip.error_init(&error);
    zip_source_t *source = package->zip.source_function_create(serve, package, &error);
    if (source != NULL)
        package->archive = package->zip.open_from_source(source, ZIP_RDONLY, &error);
    if (source != NULL && package->archive == NULL)
        package->zip.source_free(source);
    mgl_status status = package->archive != NULL ? MGL_OK : fail_package(package, &error, err);
    package->zip.error_fini(&error);
    return status;
}

/* name must outlive the package. Close with package_close, also on failure. */
static mgl_status package_open(mgl_package *package, const char *path, const char *name,
                               uint64_t most_unpacked, mgl_error *err)
{
    *package = (mgl_package){.name = name, .fd = -1};
    MGL_TRY(mgl_library_load(&library, &package->zip, err));
    MGL_TRY(mgl_regular_open(path, err, &package->fd, &package->state));
    uint64_t usual = package->state.size * MGL_UNPACKED_TIMES;
    usual = usual > MGL_UNPACKED_MOST ? usual : MGL_UNPACKED_MOST;
    package->most = most_unpacked > 0 ? most_unpacked : usual;
    package->block = mgl_alloc(BLOCK);
    MGL_TRY(mgl_check_memory(package->block != NULL, err));
    MGL_TRY(refuse_old(package, err));
    return open_archive(package, err);
}

static void package_close(mgl_package *package)
{
    if (package->archive != NULL)
        package->zip.discard(package->archive);
    mgl_sys_close(package->fd);
    mgl_free(package->block);
    *package = (mgl_package){.fd = -1};
}

/* The number of an entry, by its path in the archive; -1 if absent. */
static int64_t package_find(const mgl_package *package, const char *entry)
{
    return package->zip.name_locate(package->archive, entry, ZIP_FL_NOCASE);
}

uint64_t mgl_package_size(const mgl_package *package, int64_t entry)
{
    zip_stat_t state;
    bool known = package->zip.stat_index(package->archive, (zip_uint64_t)entry, 0, &state) == 0 &&
                 (state.valid & ZIP_STAT_SIZE) != 0;
    return known ? state.size : 0;
}

/* ---- XML ---------------------------------------------------------------------------------- */

const char *mgl_xml_attribute(const char **attributes, const char *name)
{
    for (; attributes[0] != NULL; attributes += 2) {
        const char *colon = strchr(attributes[0], ':');
        if (strcmp(colon != NULL ? colon + 1 : attributes[0], name) == 0)
            return attributes[1];
    }
    return NULL;
}

uint32_t mgl_xml_number(const char **attributes, const char *name, uint32_t otherwise)
{
    const char *text = mgl_xml_attribute(attributes, name);
    uint64_t number;
    bool fits = text != NULL && mgl_parse_u64(mgl_span_of(text), &number) && number < UINT32_MAX;
    return fits ? (uint32_t)number : otherwise;
}

static bool xml_flag(const char **attributes, const char *name)
{
    const char *text = mgl_xml_attribute(attributes, name);
    return text != NULL && (strcmp(text, "1") == 0 || strcmp(text, "true") == 0);
}

typedef struct run {
    XML_Parser parser;
    const mgl_xml_handlers *handlers;
    void *context;
    size_t depth;
    uint64_t unheard; /* bytes since the parser last called back */
    bool has_doctype, stopped;
    mgl_status status; /* of a handler */
    mgl_error *err;
} run;

static void settle(run *r, mgl_status status)
{
    r->status = status;
    r->unheard = 0;
    if (status == MGL_OK && (r->handlers->enough == NULL || !*r->handlers->enough))
        return;
    r->stopped = true;
    (void)XML_StopParser(r->parser, XML_FALSE);
}

static const char *local_name(const char *name)
{
    const char *colon = strchr(name, ':');
    return colon != NULL ? colon + 1 : name;
}

static void start_element(void *context, const char *name, const char **attributes)
{
    run *r = context;
    if (r->stopped)
        return;
    if (++r->depth > DEEPEST) {
        settle(r, MGL_DATA);
        return;
    }
    settle(r, r->handlers->start(r->context, local_name(name), attributes, r->err));
}

static void end_element(void *context, const char *name)
{
    run *r = context;
    if (r->stopped)
        return;
    r->depth--;
    settle(r, r->handlers->end != NULL ? r->handlers->end(r->context, local_name(name), r->err)
                                       : MGL_OK);
}

static void take_text(void *context, const char *text, int size)
{
    run *r = context;
    if (!r->stopped)
        settle(r, r->handlers->text != NULL
                      ? r->handlers->text(r->context, text, (size_t)size, r->err)
                      : MGL_OK);
}

/* Entries of workbooks have no document type, and so no entities that grow or lead to other files.
 */
static void refuse_doctype(void *context, const char *name, const char *system, const char *public,
                           int has_internal)
{
    run *r = context;
    (void)name, (void)system, (void)public, (void)has_internal;
    r->has_doctype = true;
    settle(r, MGL_DATA);
}

static void *resize(void *data, size_t size)
{
    return mgl_realloc_array(data, size, 1);
}

static mgl_status begin(run *r, mgl_error *err)
{
    static const XML_Memory_Handling_Suite memory = {mgl_alloc, resize, mgl_free};
    r->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
    MGL_TRY(mgl_check_memory(r->parser != NULL, err));
    XML_SetUserData(r->parser, r);
    XML_SetElementHandler(r->parser, start_element, end_element);
    XML_SetCharacterDataHandler(r->parser, take_text);
    XML_SetStartDoctypeDeclHandler(r->parser, refuse_doctype);
    return MGL_OK;
}

static mgl_status fail_entry(const mgl_package *package, int64_t entry, const char *why,
                             mgl_error *err)
{
    const char *name = package->zip.get_name(package->archive, (zip_uint64_t)entry, 0);
    return mgl_fail_at(err, MGL_CODE_FORMAT, package->name, 0,
                       "the workbook is damaged or was not written by Excel: %.60s %s; open it in "
                       "Excel, and save it again",
                       name != NULL ? name : "an entry", why);
}

static mgl_status fail_xml(const run *r, const mgl_package *package, int64_t entry, mgl_error *err)
{
    char why[160];
    if (r->has_doctype)
        return fail_entry(package, entry, "declares a document type", err);
    if (r->depth > DEEPEST)
        return fail_entry(package, entry, "has too many elements within elements", err);
    if (r->status != MGL_OK)
        return r->status;
    if (XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY)
        return mgl_fail_memory(err);
    snprintf(why, sizeof why, "is no XML from line %llu on (%s)",
             (unsigned long long)XML_GetCurrentLineNumber(r->parser),
             XML_ErrorString(XML_GetErrorCode(r->parser)));
    return fail_entry(package, entry, why, err);
}

static mgl_status feed(run *r, mgl_package *package, zip_file_t *file, int64_t entry,
                       mgl_error *err)
{
    uint64_t done = 0;
    while (!r->stopped) {
        zip_int64_t got = package->zip.fread(file, package->block, BLOCK);
        if (got < 0)
            return fail_package(package, package->zip.file_get_error(file), err);
        done += (uint64_t)got;
        if (done > package->most)
            return mgl_fail_key_at(
                err, MGL_CODE_FORMAT, package->name, "unpack",
                "the contents of the workbook become more than %llu MB; if they are "
                "what you expect, allow more by `unpack: SIZE`",
                (unsigned long long)(package->most >> 20));
        if (XML_Parse(r->parser, package->block, (int)got, got == 0) != XML_STATUS_OK)
            return r->stopped && r->status == MGL_OK ? MGL_OK : fail_xml(r, package, entry, err);
        r->unheard += (uint64_t)got;
        if (r->unheard > LONGEST_TAG)
            return fail_entry(package, entry, "has a tag without an end", err);
        if (got == 0)
            return MGL_OK;
    }
    return MGL_OK;
}

mgl_status mgl_package_parse(mgl_package *package, int64_t entry, const mgl_xml_handlers *handlers,
                             void *context, mgl_error *err)
{
    zip_file_t *file = package->zip.fopen_index(package->archive, (zip_uint64_t)entry, 0);
    if (file == NULL)
        return fail_package(package, package->zip.get_error(package->archive), err);
    run r = {.handlers = handlers, .context = context, .err = err};
    mgl_status status = begin(&r, err);
    if (status == MGL_OK)
        status = feed(&r, package, file, entry, err);
    if (r.parser != NULL)
        XML_ParserFree(r.parser);
    (void)package->zip.fclose(file);
    return status;
}
#endif

/* ---- Workbooks ------------------------------------------------------------------------------- */

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
    MGL_TRY(mgl_grow_array(&r->list, &r->capacity, r->n + 1, sizeof *r->list, err));
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
    int64_t number = path.failed ? -1 : package_find(&r->book->package, path.data);
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
    MGL_TRY(mgl_check_memory(path != NULL, err));
    *out = package_find(&book->package, path);
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
    MGL_TRY(mgl_grow_array(&book->sheets, &book->sheets_capacity, book->n_sheets + 1,
                           sizeof *book->sheets, err));
    mgl_sheet *sheet = &book->sheets[book->n_sheets++];
    *sheet = (mgl_sheet){.entry = -1, .hidden = state != NULL && strcmp(state, "visible") != 0};
    sheet->name = keep(book, mgl_xml_attribute(attributes, "name"));
    MGL_TRY(mgl_check_memory(sheet->name != NULL, err));
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
        l->book->from_1904 = xml_flag(attributes, "date1904");
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
    int64_t number = package_find(&book->package, entry);
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
    MGL_TRY(mgl_check_memory(book->arena != NULL, err));
    MGL_TRY(package_open(&book->package, path, name, most_unpacked, err));
    MGL_TRY(read_list(book, err));
    return book->n_sheets > 0 ? MGL_OK : fail_missing_entry(book, err);
}

void mgl_workbook_close(mgl_workbook *book)
{
    package_close(&book->package);
    mgl_arena_free(book->arena);
    mgl_free(book->sheets);
    mgl_free(book->shows);
    mgl_free(book->ends);
    mgl_buffer_free(&book->text);
}
#endif
