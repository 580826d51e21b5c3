/* Finds the functions of a library that is part of the program, for builds that cannot load one
 * (MGL_LOAD=OFF). It takes the place of library.c. */
#include "base/library.h"

#include <string.h>

#ifdef MGL_XLSX
#include <stdio.h>
#include <xlsxwriter.h>
#include <zip.h>
#endif

const bool mgl_libraries_are_loaded = false;

typedef void function(void);

typedef struct linked {
    const char *name;
    function *function;
} linked;

#define LINKED(name) #name, (function *)name

static const linked there[] = {
#ifdef MGL_XLSX
    {LINKED(zip_error_init)},
    {LINKED(zip_error_fini)},
    {LINKED(zip_error_code_zip)},
    {LINKED(zip_error_strerror)},
    {LINKED(zip_source_function_create)},
    {LINKED(zip_source_free)},
    {LINKED(zip_source_seek_compute_offset)},
    {LINKED(zip_source_make_command_bitmap)},
    {LINKED(zip_open_from_source)},
    {LINKED(zip_discard)},
    {LINKED(zip_get_error)},
    {LINKED(zip_name_locate)},
    {LINKED(zip_get_name)},
    {LINKED(zip_stat_init)},
    {LINKED(zip_stat_index)},
    {LINKED(zip_fopen_index)},
    {LINKED(zip_file_get_error)},
    {LINKED(zip_fread)},
    {LINKED(zip_fclose)},
    {LINKED(lxw_strerror)},
    {LINKED(lxw_workbook_free)},
    {LINKED(workbook_new_opt)},
    {LINKED(workbook_set_properties)},
    {LINKED(workbook_add_format)},
    {LINKED(workbook_add_worksheet)},
    {LINKED(workbook_close)},
    {LINKED(format_set_num_format)},
    {LINKED(worksheet_set_column)},
    {LINKED(worksheet_write_string)},
    {LINKED(worksheet_write_number)},
    {LINKED(worksheet_write_boolean)},
#endif
    {NULL, NULL},
};

static function *find(const char *name)
{
    for (const linked *l = there; l->name != NULL; l++)
        if (strcmp(l->name, name) == 0)
            return l->function;
    return NULL;
}

mgl_status mgl_library_load(const mgl_library *library, void *calls, mgl_error *err)
{
    for (size_t i = 0; i < library->n_functions; i++) {
        function *f = find(library->functions[i]);
        if (f == NULL)
            return mgl_fail(err, MGL_CODE_LIBRARY,
                            "%s needs the library %s, which is no part of this build of mingle; "
                            "use a program that is installed on the machine",
                            library->use, library->file);
        memcpy((char *)calls + i * sizeof f, &f, sizeof f);
    }
    return MGL_OK;
}
