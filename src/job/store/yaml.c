/* Reads YAML with the place of every value. load.c and policy.c call it. */
#include "job/store/yaml.h"

#include "text/text.h"

#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>

enum { DEEPEST = 16, LARGEST = 16 << 20 };

typedef struct builder {
    const char *path, *what;
    struct fy_parser *parser;
    struct fy_diag *complaints;
    mgl_arena *arena;
    mgl_error *err;
} builder;

static mgl_status fail_at(const builder *b, uint64_t line, uint64_t column, const char *message)
{
    return mgl_fail_in(b->err, MGL_CODE_JOB_FILE, &(mgl_where){b->path, line, column}, "%s",
                       message);
}

/* The first complaint of the parser, which has the position. */
static mgl_status fail_syntax(const builder *b)
{
    void *iterator = NULL;
    const struct fy_diag_error *error = fy_diag_errors_iterate(b->complaints, &iterator);
    if (error == NULL || error->line <= 0)
        return mgl_fail_at(b->err, MGL_CODE_JOB_FILE, b->path, 0, "is no YAML; correct it");
    mgl_where where = {b->path, (uint64_t)error->line,
                       error->column > 0 ? (uint64_t)error->column : 0};
    return mgl_fail_in(b->err, MGL_CODE_JOB_FILE, &where, "%.200s; correct the YAML", error->msg);
}

/* ---- From events to a tree ------------------------------------------------------------------- */

static mgl_status next_event(const builder *b, struct fy_event **out)
{
    struct fy_event *event = fy_parser_parse(b->parser);
    if (event == NULL || fy_parser_get_stream_error(b->parser)) {
        fy_parser_event_free(b->parser, event);
        return fail_syntax(b);
    }
    *out = event;
    return MGL_OK;
}

static mgl_status expect(const builder *b, enum fy_event_type type, const char *otherwise)
{
    struct fy_event *event;
    MGL_TRY(next_event(b, &event));
    mgl_status status = MGL_OK;
    if (event->type != type) {
        const struct fy_mark *mark = fy_event_start_mark(event);
        status = fail_at(b, mark != NULL ? (uint64_t)mark->line + 1 : 1,
                         mark != NULL ? (uint64_t)mark->column + 1 : 1, otherwise);
    }
    fy_parser_event_free(b->parser, event);
    return status;
}

static mgl_status refuse_extras(const builder *b, const mgl_yaml *node,
                                const struct fy_token *anchor, const struct fy_token *tag)
{
    if (anchor != NULL)
        return fail_at(b, node->line, node->column,
                       "anchors (&name) are not supported; write the value out");
    if (tag != NULL)
        return fail_at(b, node->line, node->column, "tags (!name) are not supported; remove it");
    return MGL_OK;
}

static mgl_status fill_scalar(const builder *b, struct fy_token *token, mgl_yaml *node)
{
    size_t size = 0;
    const char *text = token != NULL ? fy_token_get_text(token, &size) : "";
    bool plain = token == NULL || fy_token_scalar_style(token) == FYSS_PLAIN;
    if (text == NULL)
        return mgl_fail_memory(b->err);
    if (memchr(text, '\0', size) != NULL)
        return fail_at(b, node->line, node->column, "holds a NUL character; remove it");
    char *copy = mgl_arena_copy(b->arena, text, size);
    if (copy == NULL)
        return mgl_fail_memory(b->err);
    node->text = (mgl_span){copy, size};
    node->null = plain && (size == 0 || strcmp(copy, "~") == 0 || strcmp(copy, "null") == 0);
    return MGL_OK;
}

static mgl_status build(const builder *b, unsigned depth, mgl_yaml **out);

static mgl_status refuse_duplicate(const builder *b, mgl_map *keys, const mgl_yaml *key)
{
    uint32_t n_before = mgl_map_size(keys);
    uint32_t number = mgl_map_add(keys, key->text);
    if (number == MGL_NOT_FOUND)
        return mgl_fail_memory(b->err);
    if (number < n_before)
        return mgl_blame_key(b->err,
                             mgl_fail_in(b->err, MGL_CODE_REPEATED,
                                         &(mgl_where){b->path, key->line, key->column},
                                         "key '%.*s' is given twice; leave one out",
                                         mgl_span_width(key->text), key->text.data),
                             key->text.data);
    return MGL_OK;
}

static mgl_status build_member(const builder *b, unsigned depth, mgl_map *keys, mgl_yaml **out)
{
    mgl_yaml *key = NULL, *value;
    if (keys != NULL) {
        MGL_TRY(build(b, depth + 1, &key));
        if (key == NULL) { /* the end of the mapping */
            *out = NULL;
            return MGL_OK;
        }
        if (key->kind != MGL_YAML_SCALAR || key->null)
            return fail_at(b, key->line, key->column, "a key must be text; write key: value");
        MGL_TRY(refuse_duplicate(b, keys, key));
    }
    MGL_TRY(build(b, depth + 1, &value));
    if (value != NULL)
        value->key = key;
    *out = value;
    return MGL_OK;
}

static mgl_status build_members(const builder *b, unsigned depth, mgl_yaml *node)
{
    mgl_map *keys = NULL;
    if (node->kind == MGL_YAML_MAPPING && (keys = mgl_map_new()) == NULL)
        return mgl_fail_memory(b->err);
    mgl_yaml **link = &node->first, *member = NULL;
    mgl_status status;
    while ((status = build_member(b, depth, keys, &member)) == MGL_OK && member != NULL) {
        *link = member;
        link = &member->next;
    }
    mgl_map_free(keys);
    return status;
}

static mgl_status start_node(const builder *b, struct fy_event *event, unsigned depth,
                             mgl_yaml *node)
{
    switch (event->type) {
    case FYET_SCALAR:
        node->kind = MGL_YAML_SCALAR;
        MGL_TRY(refuse_extras(b, node, event->scalar.anchor, event->scalar.tag));
        return fill_scalar(b, event->scalar.value, node);
    case FYET_SEQUENCE_START:
        node->kind = MGL_YAML_SEQUENCE;
        MGL_TRY(refuse_extras(b, node, event->sequence_start.anchor, event->sequence_start.tag));
        break;
    case FYET_MAPPING_START:
        node->kind = MGL_YAML_MAPPING;
        MGL_TRY(refuse_extras(b, node, event->mapping_start.anchor, event->mapping_start.tag));
        break;
    case FYET_ALIAS:
        return fail_at(b, node->line, node->column,
                       "aliases (*name) are not supported; write the value out");
    default:
        return fail_at(b, node->line, node->column, "a value is missing; add one");
    }
    if (depth >= DEEPEST)
        return fail_at(b, node->line, node->column, "nested too deeply; see docs/job.md");
    return MGL_OK;
}

/* The next node; NULL at the end of the collection that is being built. */
static mgl_status build(const builder *b, unsigned depth, mgl_yaml **out)
{
    struct fy_event *event;
    MGL_TRY(next_event(b, &event));
    if (event->type == FYET_SEQUENCE_END || event->type == FYET_MAPPING_END) {
        fy_parser_event_free(b->parser, event);
        *out = NULL;
        return MGL_OK;
    }
    mgl_yaml *node = mgl_arena_alloc(b->arena, sizeof *node);
    mgl_status status = MGL_OK;
    if (node == NULL) {
        status = mgl_fail_memory(b->err);
    } else {
        const struct fy_mark *mark = fy_event_start_mark(event);
        *node = (mgl_yaml){.line = mark != NULL ? (uint64_t)mark->line + 1 : 1,
                           .column = mark != NULL ? (uint64_t)mark->column + 1 : 1};
        status = start_node(b, event, depth, node);
    }
    fy_parser_event_free(b->parser, event);
    MGL_TRY(status);
    if (node->kind != MGL_YAML_SCALAR)
        MGL_TRY(build_members(b, depth, node));
    *out = node;
    return MGL_OK;
}

static mgl_status build_document(const builder *b, mgl_yaml **out)
{
    char empty[80], too_long[80];
    snprintf(empty, sizeof empty, "the %s is empty; see docs/job.md", b->what);
    snprintf(too_long, sizeof too_long, "the %s goes on after its end; correct it", b->what);
    MGL_TRY(expect(b, FYET_STREAM_START, "is no YAML"));
    MGL_TRY(expect(b, FYET_DOCUMENT_START, empty));
    MGL_TRY(build(b, 0, out));
    MGL_TRY(expect(b, FYET_DOCUMENT_END, too_long));
    return expect(b, FYET_STREAM_END, "a second document begins here; keep one");
}

/* ---- The file -------------------------------------------------------------------------------- */

static mgl_status fail_system(const char *path, const char *verb, const char *what, mgl_error *err)
{
    int number = errno;
    char deed[80];
    snprintf(deed, sizeof deed, "%s the %s", verb, what);
    errno = number;
    return mgl_fail_errno(err, path, deed);
}

static mgl_status read_bytes(const char *path, const char *what, mgl_error *err, mgl_buffer *bytes)
{
    int fd = mgl_sys_open_read(path);
    if (fd < 0)
        return fail_system(path, "open", what, err);
    mgl_status status = MGL_OK;
    for (;;) {
        if (!mgl_buffer_reserve(bytes, 4096)) {
            status = mgl_fail_memory(err);
            break;
        }
        ssize_t n = mgl_sys_read(fd, bytes->data + bytes->size, bytes->capacity - bytes->size);
        if (n < 0)
            status = fail_system(path, "read", what, err);
        if (n <= 0)
            break;
        bytes->size += (size_t)n;
        if (bytes->size > LARGEST) {
            status = mgl_fail_at(err, MGL_CODE_JOB_FILE, path, 0,
                                 "is larger than 16 MB and can be no %s; check the path", what);
            break;
        }
    }
    mgl_sys_close(fd);
    return status;
}

static mgl_status refuse_bytes(const char *path, const char *what, mgl_span text, mgl_error *err)
{
    const char *nul = text.size > 0 ? memchr(text.data, '\0', text.size) : NULL;
    size_t valid = mgl_utf8_valid(text.data, text.size);
    size_t end = nul != NULL ? (size_t)(nul - text.data) : valid;
    if (text.size > LARGEST)
        return mgl_fail_at(err, MGL_CODE_JOB_FILE, path, 0,
                           "is larger than 16 MB and can be no %s; check what it is", what);
    if (end == text.size)
        return MGL_OK;
    uint64_t line = 1;
    for (size_t i = 0; i < end; i++)
        line += text.data[i] == '\n';
    return mgl_fail_at(err, MGL_CODE_JOB_FILE, path, line,
                       nul != NULL ? "holds a NUL byte; write the %s as text"
                                   : "is not UTF-8; save the %s as UTF-8",
                       what);
}

static mgl_status parse(const char *path, const char *what, mgl_span text, mgl_arena *arena,
                        mgl_error *err, mgl_yaml **out)
{
    struct fy_diag_cfg quiet;
    fy_diag_cfg_default(&quiet);
    quiet.fp = NULL;
    struct fy_diag *complaints = fy_diag_create(&quiet);
    if (complaints == NULL)
        return mgl_fail_memory(err);
    fy_diag_set_collect_errors(complaints, true); /* the library never prints */
    struct fy_parse_cfg settings = {.flags = FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE,
                                    .diag = complaints};
    builder b = {path, what, fy_parser_create(&settings), complaints, arena, err};
    mgl_status status;
    if (b.parser == NULL || fy_parser_set_string(b.parser, text.data, text.size) != 0)
        status = mgl_fail_memory(err);
    else
        status = build_document(&b, out);
    if (b.parser != NULL)
        fy_parser_destroy(b.parser);
    fy_diag_destroy(complaints);
    return status;
}

mgl_status mgl_yaml_parse(const char *path, const char *what, mgl_span text, mgl_arena *arena,
                          mgl_error *err, mgl_yaml **out)
{
    MGL_TRY(refuse_bytes(path, what, text, err));
    return parse(path, what, text, arena, err, out);
}

mgl_status mgl_yaml_read(const char *path, const char *what, mgl_arena *arena, mgl_error *err,
                         mgl_yaml **out)
{
    mgl_buffer bytes = {0};
    mgl_status status = MGL_OK;
    MGL_GO(read_bytes(path, what, err, &bytes));
    MGL_GO(mgl_yaml_parse(path, what, (mgl_span){bytes.data, bytes.size}, arena, err, out));
done:
    mgl_buffer_free(&bytes);
    return status;
}
