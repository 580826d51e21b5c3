/* Reads files line by line: the raw lines of a large file, the lines of small ones with comments
 * and blank lines left out, and lists of codes. */
#include "text/file.h"
#include "text/text.h"

enum { BLOCK = 1 << 18 };

struct mgl_raw_lines {
    const mgl_text_file *file;
    mgl_buffer bytes;
    size_t at;       /* where the next line begins in the buffer */
    size_t searched; /* bytes behind it that hold no line feed */
    uint64_t offset; /* in the file, of what comes after the buffer */
    uint64_t number;
    bool ended; /* the buffer holds the last bytes of the file */
};

mgl_status mgl_raw_lines_new(const mgl_text_file *file, mgl_error *err, mgl_raw_lines **out)
{
    mgl_raw_lines *lines = mgl_zeroed_array(1, sizeof *lines);
    MGL_TRY(mgl_check_memory(lines != NULL, err));
    lines->file = file;
    *out = lines;
    return MGL_OK;
}

void mgl_raw_lines_free(mgl_raw_lines *lines)
{
    if (lines == NULL)
        return;
    mgl_buffer_free(&lines->bytes);
    mgl_free(lines);
}

uint64_t mgl_raw_lines_number(const mgl_raw_lines *lines)
{
    return lines->number;
}

static mgl_status fill(mgl_raw_lines *lines, mgl_error *err)
{
    mgl_buffer *bytes = &lines->bytes;
    if (lines->at > 0)
        memmove(bytes->data, bytes->data + lines->at, bytes->size - lines->at);
    bytes->size -= lines->at;
    lines->at = 0;
    MGL_TRY(mgl_check_memory(mgl_buffer_reserve(bytes, BLOCK), err));
    size_t got;
    MGL_TRY(
        mgl_text_read_at(lines->file, lines->offset, bytes->data + bytes->size, BLOCK, err, &got));
    bytes->size += got;
    lines->offset += got;
    lines->ended = got < BLOCK;
    return MGL_OK;
}

mgl_status mgl_raw_lines_next(mgl_raw_lines *lines, mgl_error *err, mgl_span *line, bool *there)
{
    const char *newline = NULL;
    for (;;) {
        size_t from = lines->at + lines->searched, left = lines->bytes.size - from;
        newline = left > 0 ? memchr(lines->bytes.data + from, '\n', left) : NULL;
        if (newline != NULL || lines->ended)
            break;
        lines->searched += left;
        MGL_TRY(fill(lines, err));
    }
    *there = lines->at < lines->bytes.size;
    if (!*there)
        return MGL_OK;
    const char *text = lines->bytes.data + lines->at;
    size_t left = lines->bytes.size - lines->at;
    size_t size = newline != NULL ? (size_t)(newline - text) : left;
    lines->at += size + (newline != NULL);
    lines->searched = 0;
    lines->number++;
    if (size > 0 && text[size - 1] == '\r')
        size--;
    *line = (mgl_span){text, size};
    return MGL_OK;
}

static mgl_status each_line(const char *path, mgl_span text, mgl_line_fn *visit, void *context,
                            mgl_error *err)
{
    if (text.size >= 3 && memcmp(text.data, "\xef\xbb\xbf", 3) == 0)
        text = (mgl_span){text.data + 3, text.size - 3};
    for (uint64_t number = 1; text.size > 0; number++) {
        const char *newline = memchr(text.data, '\n', text.size);
        size_t size = newline != NULL ? (size_t)(newline - text.data) : text.size;
        size_t behind = size + (newline != NULL);
        mgl_span line = {text.data, size - (size > 0 && text.data[size - 1] == '\r')};
        if (mgl_utf8_valid(line.data, line.size) != line.size ||
            memchr(line.data, '\0', line.size) != NULL)
            return mgl_fail_at(err, MGL_CODE_ENCODING, path, number,
                               "the line is not UTF-8 text; convert the file (iconv -t UTF-8)");
        MGL_TRY(visit(context, line, number, err));
        text = (mgl_span){text.data + behind, text.size - behind};
    }
    return MGL_OK;
}

mgl_status mgl_lines_each(const char *path, mgl_line_fn *visit, void *context, mgl_error *err)
{
    mgl_buffer bytes = {0};
    mgl_status status = mgl_read_whole(path, err, &bytes);
    if (status == MGL_OK)
        status = each_line(path, (mgl_span){bytes.data, bytes.size}, visit, context, err);
    mgl_buffer_free(&bytes);
    return status;
}

static mgl_span without_quotes(mgl_span text)
{
    if (text.size >= 2 && text.data[0] == '"' && text.data[text.size - 1] == '"')
        return (mgl_span){text.data + 1, text.size - 2};
    return text;
}

typedef struct code_list {
    const char *path;
    mgl_arena *arena;
    mgl_value_label *codes;
    size_t n, capacity;
} code_list;

static mgl_status add_code(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    code_list *list = context;
    const char *comma = memchr(line.data, ',', line.size);
    if (mgl_span_trim(line).size == 0)
        return MGL_OK;
    if (comma == NULL)
        return mgl_fail_at(err, MGL_CODE_FORMAT, list->path, number,
                           "a code list has lines CODE,LABEL, and this one has no comma");
    size_t size = (size_t)(comma - line.data);
    mgl_span code = mgl_span_trim((mgl_span){line.data, size});
    mgl_span label = without_quotes(mgl_span_trim((mgl_span){comma + 1, line.size - size - 1}));
    MGL_TRY(mgl_grow_array(&list->codes, &list->capacity, list->n + 1, sizeof *list->codes, err));
    mgl_value_label *made = &list->codes[list->n];
    made->value = (mgl_span){mgl_arena_copy(list->arena, code.data, code.size), code.size};
    made->label = (mgl_span){mgl_arena_copy(list->arena, label.data, label.size), label.size};
    MGL_TRY(mgl_check_memory(made->value.data != NULL && made->label.data != NULL, err));
    list->n++;
    return MGL_OK;
}

static mgl_status read_code_list(const char *path, mgl_arena *arena, mgl_error *err,
                                 mgl_value_labels *out)
{
    code_list list = {.path = path, .arena = arena};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_lines_each(path, add_code, &list, err));
    mgl_value_label *kept = mgl_arena_alloc(arena, (list.n + 1) * sizeof *kept);
    if (kept == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (list.n > 0)
        memcpy(kept, list.codes, list.n * sizeof *kept);
    *out = (mgl_value_labels){kept, list.n};
done:
    mgl_free(list.codes);
    return status;
}

mgl_status mgl_code_list_beside(const char *file, mgl_span name, mgl_arena *arena, mgl_error *err,
                                const char **path, mgl_value_labels *out)
{
    const char *slash = strrchr(file, '/');
    bool beside = slash != NULL && name.size > 0 && name.data[0] != '/';
    char *joined = mgl_arena_format(arena, "%.*s%.*s", beside ? (int)(slash - file) + 1 : 0, file,
                                    (int)name.size, name.data);
    char *found = joined != NULL ? mgl_sys_any_case(joined) : NULL;
    *path = found != NULL ? mgl_arena_copy(arena, found, strlen(found)) : NULL;
    mgl_free(found);
    return *path == NULL ? mgl_fail_memory(err) : read_code_list(*path, arena, err, out);
}
