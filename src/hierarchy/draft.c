/* Keeps the rows of a draft (draft.h) as they are added. Files, recoding files and builders add
 * them; tree.c begins and ends a draft. */
#include "hierarchy/draft.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_draft_begin(mgl_draft *draft, const char *spec, const char *column,
                           const mgl_dictionary *dictionary, mgl_error *err)
{
    *draft = (mgl_draft){.column = column, .spec = spec};
    uint32_t missing = mgl_dictionary_missing(dictionary);
    if (missing != MGL_NOT_FOUND) {
        draft->has_missing = true;
        draft->missing = mgl_dictionary_value(dictionary, missing);
    }
    draft->labels = mgl_map_new();
    return draft->labels != NULL ? MGL_OK : mgl_fail_memory(err);
}

void mgl_draft_end(mgl_draft *draft)
{
    mgl_map_free(draft->labels);
    mgl_free(draft->cells);
    mgl_free(draft->lines);
    mgl_free(draft->own_file);
    mgl_buffer_free(&draft->resolved);
    *draft = (mgl_draft){0};
}

bool mgl_draft_is_missing(const mgl_draft *draft, mgl_span text)
{
    return draft->has_missing && mgl_span_equal(draft->missing, text);
}

mgl_status mgl_draft_add_row(mgl_draft *draft, uint64_t line, mgl_error *err)
{
    /* Room for the leaves that no row lists is kept below the largest number. */
    if (draft->n_rows >= MGL_NOT_FOUND - 4)
        return mgl_draft_fail(draft, line, err, "more than 4 thousand million values");
    size_t rows = (size_t)draft->n_rows + 1;
    if (!mgl_grow(&draft->cells, &draft->cells_capacity, rows * draft->n_levels,
                  sizeof *draft->cells))
        return mgl_fail_memory(err);
    if (draft->file != NULL) {
        if (!mgl_grow(&draft->lines, &draft->lines_capacity, rows, sizeof *draft->lines))
            return mgl_fail_memory(err);
        draft->lines[draft->n_rows] = line;
    }
    draft->n_rows++;
    return MGL_OK;
}

mgl_status mgl_draft_put(mgl_draft *draft, uint32_t level, mgl_span label, mgl_error *err)
{
    uint32_t *cell = &draft->cells[(size_t)(draft->n_rows - 1) * draft->n_levels + level];
    /* Neighbours mostly share their higher labels: a look at the row before saves
     * most of the hashing of a million leaves. */
    if (level > 0 && draft->n_rows > 1) {
        uint32_t before = *(cell - draft->n_levels);
        if (mgl_span_equal(mgl_map_text(draft->labels, before), label)) {
            *cell = before;
            return MGL_OK;
        }
    }
    *cell = mgl_map_add(draft->labels, label);
    return *cell != MGL_NOT_FOUND ? MGL_OK : mgl_fail_memory(err);
}

void mgl_draft_repeat(mgl_draft *draft, uint32_t level)
{
    uint32_t *cell = &draft->cells[(size_t)(draft->n_rows - 1) * draft->n_levels + level];
    *cell = *(cell - draft->n_levels);
}

mgl_status mgl_draft_fail(const mgl_draft *draft, uint64_t line, mgl_error *err, const char *format,
                          ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mgl_status status =
        draft->file != NULL ? mgl_fail_at(err, MGL_CODE_HIERARCHY, draft->file, line, "%s", text)
        : draft->column == NULL ? mgl_fail(err, MGL_CODE_BUILDER, "%.100s: %s", draft->spec, text)
                                : mgl_fail(err, MGL_CODE_BUILDER, "column '%.60s', %.100s: %s",
                                           draft->column, draft->spec, text);
    return mgl_blame_attribute(err, status, draft->column, "hierarchy");
}
