/* Checks the schema of a table that is handed over, and finds the types of its columns. The import
 * of tables calls it. */
#include "io/arrow/check.h"

#include "text/text.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_arrow_refuse(const mgl_arrow_place *place, mgl_error *err, const char *format, ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (place->column == NULL)
        return mgl_fail_at(err, MGL_CODE_ARROW, place->table, 0, "%s", what);
    return mgl_blame_column(err,
                            mgl_fail_at(err, MGL_CODE_ARROW, place->table, 0, "column %.60s: %s%s",
                                        place->column, place->entries ? "its dictionary: " : "",
                                        what),
                            place->column);
}

mgl_status mgl_arrow_refuse_cell(const mgl_arrow_place *place, size_t cell, const char *what,
                                 mgl_error *err)
{
    uint64_t number = cell + 1 + (place->entries ? 0 : place->first_row);
    return mgl_blame_column(err,
                            mgl_fail_at(err, MGL_CODE_ARROW, place->table, 0,
                                        "%s %llu, column %.60s: %s",
                                        place->entries ? "entry" : "row",
                                        (unsigned long long)number, place->column, what),
                            place->column);
}

mgl_status mgl_arrow_check_schema(const struct ArrowSchema *schema, const char *name,
                                  mgl_error *err)
{
    mgl_arrow_place place = {.table = name};
    if (schema->release == NULL)
        return mgl_arrow_refuse(&place, err, "the schema was released before it was handed over");
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return mgl_arrow_refuse(&place, err,
                                "the stream is no table: its schema must be a struct of columns");
    if (schema->dictionary != NULL)
        return mgl_arrow_refuse(&place, err, "a table cannot have a dictionary as a whole");
    if (schema->n_children < 0 || schema->n_children >= MGL_NOT_FOUND ||
        (schema->n_children > 0 && schema->children == NULL))
        return mgl_arrow_refuse(&place, err, "the schema has %lld columns, which cannot be",
                                (long long)schema->n_children);
    if (schema->n_children == 0)
        return mgl_arrow_refuse(&place, err, "the table has no columns");
    for (int64_t c = 0; c < schema->n_children; c++)
        if (schema->children[c] == NULL || schema->children[c]->release == NULL)
            return mgl_arrow_refuse(&place, err, "column %lld is not there: its schema is %s",
                                    (long long)c + 1,
                                    schema->children[c] == NULL ? "NULL" : "released");
    return MGL_OK;
}

static mgl_status check_type(const struct ArrowSchema *schema, const mgl_arrow_place *place,
                             mgl_error *err, mgl_arrow_type *out)
{
    const char *format = schema->format;
    if (format == NULL)
        return mgl_arrow_refuse(place, err, "it has no type");
    if (!mgl_arrow_type_of(format, out)) {
        if (out->words == NULL || out->kind == MGL_ARROW_DECIMAL)
            return mgl_arrow_refuse(place, err, "there is no type '%.40s'", format);
        return mgl_arrow_refuse(place, err,
                                "the type %s is not taken; leave the column out, or make it a "
                                "number or a text",
                                out->words);
    }
    if (schema->n_children != 0)
        return mgl_arrow_refuse(place, err, "a column of type %s cannot have columns within",
                                out->words);
    return MGL_OK;
}

static mgl_status check_column(const struct ArrowSchema *schema, const mgl_arrow_place *at,
                               mgl_error *err, mgl_arrow_column *out)
{
    mgl_arrow_place place = *at;
    mgl_arrow_type type;
    MGL_TRY(check_type(schema, &place, err, &type));
    *out = (mgl_arrow_column){.name = schema->name != NULL ? schema->name : "",
                              .type = type,
                              .nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0};
    const struct ArrowSchema *entries = schema->dictionary;
    if (entries == NULL)
        return MGL_OK;
    if (type.kind != MGL_ARROW_SIGNED && type.kind != MGL_ARROW_UNSIGNED)
        return mgl_arrow_refuse(&place, err, "a dictionary is indexed by whole numbers, not by %s",
                                type.words);
    place.entries = true;
    if (entries->release == NULL)
        return mgl_arrow_refuse(&place, err, "its schema was released before it was handed over");
    if (entries->dictionary != NULL)
        return mgl_arrow_refuse(&place, err, "it has a dictionary itself, which is not taken");
    out->encoded = true;
    out->index = type;
    return check_type(entries, &place, err, &out->type);
}

mgl_status mgl_arrow_check_columns(const struct ArrowSchema *schema, const char *name,
                                   mgl_error *err, mgl_arrow_column *columns)
{
    for (int64_t c = 0; c < schema->n_children; c++) {
        const struct ArrowSchema *child = schema->children[c];
        mgl_arrow_place place = {.table = name};
        size_t size = child->name != NULL ? strlen(child->name) : 0;
        if (size > 0 && mgl_utf8_valid(child->name, size) != size)
            return mgl_arrow_refuse(&place, err, "the name of column %lld is not UTF-8 text",
                                    (long long)c + 1);
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)c + 1);
        place.column = size > 0 ? child->name : number;
        MGL_TRY(check_column(child, &place, err, &columns[c]));
    }
    return MGL_OK;
}
