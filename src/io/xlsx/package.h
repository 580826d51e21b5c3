/* The zip archive of a workbook, and its XML entries as events. Inside the io room. */
#ifndef MGL_IO_XLSX_PACKAGE_H
#define MGL_IO_XLSX_PACKAGE_H

#include "io/xlsx/xlsx.h"

#include <zip.h>

/* The library is loaded when a workbook is opened: it brings others with it that a program which
 * starts for a text file should not wait for. In the order of the names in package.c. */
typedef struct mgl_zip_calls {
    __typeof__(&zip_error_init) error_init;
    __typeof__(&zip_error_fini) error_fini;
    __typeof__(&zip_error_code_zip) error_code_zip;
    __typeof__(&zip_error_strerror) error_strerror;
    __typeof__(&zip_source_function_create) source_function_create;
    __typeof__(&zip_source_free) source_free;
    __typeof__(&zip_source_seek_compute_offset) source_seek_compute_offset;
    __typeof__(&zip_source_make_command_bitmap) source_make_command_bitmap;
    __typeof__(&zip_open_from_source) open_from_source;
    __typeof__(&zip_discard) discard;
    __typeof__(&zip_get_error) get_error;
    __typeof__(&zip_name_locate) name_locate;
    __typeof__(&zip_get_name) get_name;
    __typeof__(&zip_stat_init) stat_init;
    __typeof__(&zip_stat_index) stat_index;
    __typeof__(&zip_fopen_index) fopen_index;
    __typeof__(&zip_file_get_error) file_get_error;
    __typeof__(&zip_fread) fread;
    __typeof__(&zip_fclose) fclose;
} mgl_zip_calls;

typedef struct mgl_package {
    const char *name; /* for messages */
    int fd;
    mgl_file_state state;
    mgl_zip_calls zip;
    zip_t *archive;
    uint64_t at;   /* where libzip reads next */
    int failure;   /* errno of a read that failed; 0: none did */
    uint64_t most; /* bytes that entries may become */
    char *block;   /* unpacked bytes on their way to the parser */
} mgl_package;

/* name must outlive the package. Close with mgl_package_close, also on failure. */
mgl_status mgl_package_open(mgl_package *package, const char *path, const char *name,
                            uint64_t most_unpacked, mgl_error *err);
void mgl_package_close(mgl_package *package);

/* The number of an entry, by its path in the archive; -1: there is none. */
int64_t mgl_package_find(const mgl_package *package, const char *entry);
/* Bytes of an entry, as the archive says; 0: it does not. */
uint64_t mgl_package_size(const mgl_package *package, int64_t entry);

/* One run over the XML of an entry. Names have no prefix; attributes are names and values in turn,
 * up to a NULL. A handler that fails ends the run with its status; one that has seen enough sets
 * *enough. */
typedef struct mgl_xml_handlers {
    mgl_status (*start)(void *context, const char *name, const char **attributes, mgl_error *err);
    mgl_status (*end)(void *context, const char *name, mgl_error *err);               /* or NULL */
    mgl_status (*text)(void *context, const char *text, size_t size, mgl_error *err); /* or NULL */
    const bool *enough; /* looked at after each element; NULL: the whole entry is read */
} mgl_xml_handlers;
mgl_status mgl_package_parse(mgl_package *package, int64_t entry, const mgl_xml_handlers *handlers,
                             void *context, mgl_error *err);

/* Of attributes; NULL: there is none of this name, whatever its prefix. */
const char *mgl_xml_attribute(const char **attributes, const char *name);
/* A whole number that is not negative; otherwise if the attribute is not there or none. */
uint32_t mgl_xml_number(const char **attributes, const char *name, uint32_t otherwise);
bool mgl_xml_flag(const char **attributes, const char *name);

#endif
