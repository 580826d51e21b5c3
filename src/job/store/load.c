/* Loads a job file, or a text that is one, key by key. */
#include "job/store/load.h"
#include "job/keys/keys.h"
#include "job/store/store.h"
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
    MGL_TRY(mgl_check_memory(text != NULL, b->err));
    if (memchr(text, '\0', size) != NULL)
        return fail_at(b, node->line, node->column, "holds a NUL character; remove it");
    char *copy = mgl_arena_copy(b->arena, text, size);
    MGL_TRY(mgl_check_memory(copy != NULL, b->err));
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
    MGL_TRY(mgl_check_memory(complaints != NULL, err));
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

/* Reads one document, everything in the arena. path: what messages call the text. what: "job file",
 * for messages. Refused with FILE:LINE:COLUMN: what is not YAML, a key given twice in a mapping,
 * keys that are no text, anchors, aliases, tags, a second document, an empty file. MGL_USAGE;
 * MGL_DATA if the file is not there. */
static mgl_status yaml_parse(const char *path, const char *what, mgl_span text, mgl_arena *arena,
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
    MGL_GO(yaml_parse(path, what, (mgl_span){bytes.data, bytes.size}, arena, err, out));
done:
    mgl_buffer_free(&bytes);
    return status;
}

/* ---- Models ---------------------------------------------------------------------------------- */

typedef struct members { /* of {attribute: s, c: 0.5, l: 3} */
    const mgl_yaml *attribute;
    const mgl_yaml *parameters[MGL_MAX_PARAMETERS];
} members;

/* ---- Nodes ----------------------------------------------------------------------------------- */

static mgl_origin loading_place(const mgl_loading *load, const mgl_yaml *node, const char *name);
static const char *loading_name(const mgl_loading *load, const char *a, const char *b,
                                const char *c);

static mgl_status sort_members(const mgl_loading *load, const mgl_model_type *type,
                               const mgl_yaml *node, const char *name, members *out)
{
    for (const mgl_yaml *member = node->first; member != NULL; member = member->next) {
        mgl_origin at = loading_place(load, member->key, name);
        size_t i = 0;
        while (i < type->n_parameters && !mgl_span_is(member->key->text, type->parameters[i].name))
            i++;
        if (i < type->n_parameters)
            out->parameters[i] = member;
        else if (type->takes_attribute && mgl_span_is(member->key->text, "attribute"))
            out->attribute = member;
        else
            return mgl_origin_fail(
                &at, MGL_CODE_UNKNOWN_KEY, load->err, "takes no '%.*s'; see `help %s`",
                mgl_span_width(member->key->text), member->key->text.data, type->name);
        MGL_TRY(mgl_loading_want_scalar(load, member, name));
    }
    return MGL_OK;
}

/* Each value is checked at its position, so that the message points to it. */
static mgl_status add_parameter(const mgl_loading *load, const mgl_parameter *parameter,
                                const mgl_yaml *value, const char *name, mgl_buffer *text)
{
    mgl_origin at = loading_place(load, value, name);
    mgl_buffer wrong = {0};
    double number;
    mgl_status status = MGL_OK;
    if (!mgl_value_parameter(parameter, value->text, &number, &wrong))
        status = wrong.failed ? mgl_fail_memory(load->err)
                              : mgl_origin_fail(&at, MGL_CODE_BAD_VALUE, load->err, "'%.*s' %.*s",
                                                mgl_span_width(value->text), value->text.data,
                                                (int)wrong.size, wrong.data);
    mgl_buffer_free(&wrong);
    mgl_buffer_format(text, "%s%s", text->size > 0 ? "," : "", value->text.data);
    return status;
}

/* The parameters as the option writes them; words may be left out. */
static mgl_status parameters_text(const mgl_loading *load, const mgl_model_type *type,
                                  const members *given, const mgl_origin *place, mgl_buffer *text)
{
    size_t n = type->n_parameters;
    while (n > mgl_parameters_needed(type) && given->parameters[n - 1] == NULL)
        n--;
    for (size_t i = 0; i < n; i++) {
        const mgl_parameter *parameter = &type->parameters[i];
        if (given->parameters[i] != NULL)
            MGL_TRY(add_parameter(load, parameter, given->parameters[i], place->name, text));
        else if (parameter->words != NULL)
            mgl_buffer_format(text, "%s%s", text->size > 0 ? "," : "", parameter->words[0]);
        else
            return mgl_origin_fail(place, MGL_CODE_MISSING_KEY, load->err,
                                   "lacks %s; add %s: NUMBER", parameter->name, parameter->name);
    }
    return text->failed ? mgl_fail_memory(load->err) : MGL_OK;
}

/* {attribute: s, c: 0.5, l: 3} */
static mgl_status load_parameters(const mgl_loading *load, const mgl_model_type *type,
                                  const mgl_yaml *node, const char *name)
{
    members given = {0};
    mgl_origin place = loading_place(load, node, name);
    MGL_TRY(sort_members(load, type, node, name, &given));
    if (type->takes_attribute && given.attribute == NULL)
        return mgl_origin_fail(&place, MGL_CODE_MISSING_KEY, load->err,
                               "which column does it protect? add attribute: COLUMN");
    mgl_buffer text = {0};
    mgl_status status = parameters_text(load, type, &given, &place, &text);
    if (status == MGL_OK)
        status = mgl_take_model(
            load->job, type, given.attribute != NULL ? given.attribute->text.data : NULL,
            (mgl_span){text.data != NULL ? text.data : "", text.size}, &place, load->err);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status load_model(const mgl_loading *load, const mgl_model_type *type,
                             const mgl_yaml *node, const char *name)
{
    if (node->kind == MGL_YAML_MAPPING)
        return load_parameters(load, type, node, name);
    mgl_origin place = loading_place(load, node, name);
    if (type->takes_attribute || type->n_parameters != 1)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "its parameters belong here as {name: value}; see `help %s`",
                               type->name);
    MGL_TRY(mgl_loading_want_scalar(load, node, name));
    return mgl_take_model(load->job, type, NULL, node->text, &place, load->err);
}

mgl_status mgl_load_privacy(const mgl_loading *load, const mgl_yaml *node)
{
    static const char advice[] = "a list of models belongs here: [{k-anonymity: 5}]";
    mgl_origin place = loading_place(load, node, "privacy");
    if (node->kind != MGL_YAML_SEQUENCE)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err, advice);
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        const mgl_yaml *model = item->first;
        place = loading_place(load, item, "privacy");
        if (item->kind != MGL_YAML_MAPPING || model == NULL || model->next != NULL)
            return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err, advice);
        const mgl_model_type *type = mgl_model_type_find(model->key->text.data);
        place = loading_place(load, model->key, "privacy");
        if (type == NULL)
            return mgl_unknown_model(model->key->text, &place, load->err);
        MGL_TRY(load_model(load, type, model, loading_name(load, "privacy", type->name, NULL)));
    }
    return MGL_OK;
}

static mgl_origin loading_place(const mgl_loading *load, const mgl_yaml *node, const char *name)
{
    return (mgl_origin){.file = load->path,
                        .line = node->line,
                        .column = node->column,
                        .name = name,
                        .load = load->job->n_loads};
}

/* "attributes.age.role", the name of a value, in the arena of the tree; c is optional. */
static const char *loading_name(const mgl_loading *load, const char *a, const char *b,
                                const char *c)
{
    mgl_buffer name = {0};
    mgl_buffer_format(&name, "%s.%s%s%s", a, b, c != NULL ? "." : "", c != NULL ? c : "");
    char *copy = name.failed ? NULL : mgl_arena_copy(load->arena, name.data, name.size);
    mgl_buffer_free(&name);
    return copy != NULL ? copy : a;
}

mgl_status mgl_loading_want_scalar(const mgl_loading *load, const mgl_yaml *node, const char *name)
{
    /* A value that is not there has no position of its own. */
    mgl_origin place =
        loading_place(load, node->null && node->key != NULL ? node->key : node, name);
    if (node->kind != MGL_YAML_SCALAR)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "a single value belongs here, not a %s",
                               node->kind == MGL_YAML_SEQUENCE ? "list" : "mapping");
    if (node->null)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "has no value; give one or leave the key out");
    return MGL_OK;
}

/* A value of the key; the path in it is relative to the job file. Data NULL: memory is out. */
static mgl_span beside(const mgl_loading *load, const mgl_key *key, mgl_span value)
{
    mgl_buffer joined = {0};
    mgl_span path;
    if (strlen(value.data) != value.size || !mgl_path_in(key, value.data, &path))
        return value;
    mgl_path_put_below(key, value.data, load->folder, &joined);
    char *copy = joined.failed ? NULL : mgl_arena_copy(load->arena, joined.data, joined.size);
    mgl_span result = {copy, joined.size};
    mgl_buffer_free(&joined);
    return result;
}

/* ---- Values ---------------------------------------------------------------------------------- */

/* [1,3] as a level is 1..3. */
static mgl_status level_text(const mgl_loading *load, const mgl_yaml *node, const char *name,
                             mgl_buffer *text)
{
    const mgl_yaml *low = node->first;
    MGL_TRY(mgl_loading_want_scalar(load, low, name));
    MGL_TRY(mgl_loading_want_scalar(load, low->next, name));
    mgl_buffer_format(text, "%s..%s", low->text.data, low->next->text.data);
    return MGL_OK;
}

/* [a, b] as protected values is what the option writes "a","b". */
static mgl_status protect_text(const mgl_loading *load, const mgl_yaml *node, const char *name,
                               mgl_buffer *text)
{
    mgl_origin place = loading_place(load, node, name);
    if (node->first == NULL)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "names no value; give some or leave the key out");
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        MGL_TRY(mgl_loading_want_scalar(load, item, name));
        mgl_list_append(text, item->text);
    }
    return MGL_OK;
}

/* The value of a field as the option would write it. */
static mgl_status field_text(const mgl_loading *load, const mgl_yaml *node, const char *field,
                             const char *name, mgl_span *out)
{
    const mgl_yaml *first = node->first;
    bool list = node->kind == MGL_YAML_SEQUENCE;
    bool pair = list && first != NULL && first->next != NULL && first->next->next == NULL;
    mgl_buffer text = {0};
    mgl_status status = MGL_OK;
    if (pair && strcmp(field, "level") == 0) {
        status = level_text(load, node, name, &text);
    } else if (list && strcmp(field, "protect") == 0) {
        status = protect_text(load, node, name, &text);
    } else {
        MGL_TRY(mgl_loading_want_scalar(load, node, name));
        mgl_key key;
        *out = mgl_key_find_field(mgl_span_of(field), &key) ? beside(load, &key, node->text)
                                                            : node->text;
        return out->data == NULL ? mgl_fail_memory(load->err) : MGL_OK;
    }
    if (status == MGL_OK) {
        char *copy = text.failed ? NULL : mgl_arena_copy(load->arena, text.data, text.size);
        *out = (mgl_span){copy, text.size};
        status = copy == NULL ? mgl_fail_memory(load->err) : MGL_OK;
    }
    mgl_buffer_free(&text);
    return status;
}

static mgl_status load_field(const mgl_loading *load, const char *column, const char *field,
                             const mgl_yaml *node, const char *name)
{
    mgl_span value = {"", 0};
    MGL_TRY(field_text(load, node, field, name, &value));
    mgl_origin place = loading_place(load, node, name);
    return mgl_take_field(load->job, column, mgl_span_of(field), value, &place, load->err);
}

/* A sequence of scalars as items. */
static mgl_status load_items(const mgl_loading *load, const mgl_key *key, const mgl_yaml *node,
                             const char *name)
{
    size_t n = 0;
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        MGL_TRY(mgl_loading_want_scalar(load, item, name));
        n++;
    }
    mgl_span *items = mgl_arena_alloc(load->arena, (n + 1) * sizeof *items);
    MGL_TRY(mgl_check_memory(items != NULL, load->err));
    n = 0;
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        items[n] = beside(load, key, item->text);
        MGL_TRY(mgl_check_memory(items[n++].data != NULL, load->err));
    }
    mgl_origin place = loading_place(load, node, name);
    return mgl_take_list(load->job, key, items, n, &place, load->err);
}

/* qi: [[a,b],[c]], which is the same as quasi-identifiers. */
static bool is_list_of_sets(const mgl_yaml *node)
{
    bool quasi = mgl_span_is(node->key->text, "qi") || mgl_span_is(node->key->text, "qi-set");
    return quasi && node->kind == MGL_YAML_SEQUENCE && node->first != NULL &&
           node->first->kind == MGL_YAML_SEQUENCE;
}

static mgl_status load_quasi_identifiers(const mgl_loading *load, const mgl_yaml *node)
{
    const char *name = node->key->text.data;
    mgl_origin place = loading_place(load, node, name);
    mgl_key qi;
    mgl_key_find(mgl_span_of("qi-set"), &qi);
    if (node->kind != MGL_YAML_SEQUENCE || node->first == NULL)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "lists of columns belong here: [[a,b],[c]]");
    for (const mgl_yaml *set = node->first; set != NULL; set = set->next) {
        if (set->kind != MGL_YAML_SEQUENCE) {
            place = loading_place(load, set, name);
            return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                                   "lists of columns belong here: [[a,b],[c]]");
        }
        MGL_TRY(load_items(load, &qi, set, name));
    }
    return MGL_OK;
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static mgl_status load_attributes(const mgl_loading *load, const mgl_yaml *node)
{
    mgl_origin place = loading_place(load, node, "attributes");
    if (node->kind != MGL_YAML_MAPPING)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "columns belong here: age: {role: quasi}");
    for (const mgl_yaml *column = node->first; column != NULL; column = column->next) {
        const char *name = column->key->text.data;
        place = loading_place(load, column, loading_name(load, "attributes", name, NULL));
        if (column->kind != MGL_YAML_MAPPING)
            return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                                   "what is known of the column belongs here: {role: quasi}");
        for (const mgl_yaml *field = column->first; field != NULL; field = field->next) {
            mgl_key key;
            place = loading_place(load, field->key, "attributes");
            if (!mgl_span_is(field->key->text, "role") &&
                !mgl_key_find_field(field->key->text, &key))
                return mgl_unknown_field(field->key->text, &place, load->err);
            MGL_TRY(load_field(load, name, field->key->text.data, field,
                               loading_name(load, "attributes", name, field->key->text.data)));
        }
    }
    return MGL_OK;
}

static mgl_status load_by_column(const mgl_loading *load, const mgl_key *key, const mgl_yaml *node)
{
    for (const mgl_yaml *column = node->first; column != NULL; column = column->next)
        MGL_TRY(load_field(load, column->key->text.data, key->field, column,
                           loading_name(load, key->name, column->key->text.data, NULL)));
    return MGL_OK;
}

static mgl_status load_key(const mgl_loading *load, const mgl_key *key, const mgl_yaml *node)
{
    bool list = key->kind == MGL_KEY_LIST || key->kind == MGL_KEY_COLUMNS ||
                key->kind == MGL_KEY_INPUTS || key->kind == MGL_KEY_ALL_OR;
    if (list && node->kind == MGL_YAML_SEQUENCE)
        return load_items(load, key, node, key->name);
    if (key->kind == MGL_KEY_BY_COLUMN && node->kind == MGL_YAML_MAPPING)
        return load_by_column(load, key, node);
    if (key->kind == MGL_KEY_MODEL && node->kind == MGL_YAML_MAPPING)
        return load_parameters(load, key->model, node, key->name);
    mgl_origin place = loading_place(load, node, key->name);
    if (key->kind == MGL_KEY_BY_COLUMN)
        return mgl_origin_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                               "columns belong here: {COLUMN: VALUE}");
    MGL_TRY(mgl_loading_want_scalar(load, node, key->name));
    mgl_span value = beside(load, key, node->text);
    MGL_TRY(mgl_check_memory(value.data != NULL, load->err));
    if (key->kind == MGL_KEY_INPUTS) /* a single one, which may have commas in its name */
        return mgl_take_list(load->job, key, &value, 1, &place, load->err);
    return mgl_take_option(load->job, key, value, &place, load->err);
}

static mgl_status load_document(const mgl_loading *load, const mgl_yaml *document)
{
    if (document->kind != MGL_YAML_MAPPING)
        return mgl_fail_at(load->err, MGL_CODE_JOB_FILE, load->path, document->line,
                           "a job file holds keys and values; write for example data: FILE");
    for (const mgl_yaml *node = document->first; node != NULL; node = node->next) {
        mgl_key key;
        mgl_origin place = loading_place(load, node->key, node->key->text.data);
        if (mgl_span_is(node->key->text, "attributes"))
            MGL_TRY(load_attributes(load, node));
        else if (mgl_span_is(node->key->text, "privacy"))
            MGL_TRY(mgl_load_privacy(load, node));
        else if (mgl_span_is(node->key->text, "quasi-identifiers") || is_list_of_sets(node))
            MGL_TRY(load_quasi_identifiers(load, node));
        else if (mgl_job_key_find(load->job, node->key->text, &key))
            MGL_TRY(load_key(load, &key, node));
        else
            return mgl_unknown_key(load->job, node->key->text, &place, load->err);
    }
    return MGL_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

mgl_status mgl_store_keep_file(mgl_job *job, const char *path, mgl_error *err)
{
    MGL_TRY(mgl_check_memory(
        mgl_grow(&job->files, &job->files_capacity, job->n_files + 1, sizeof *job->files) &&
            (job->files[job->n_files] = mgl_arena_copy(job->arena, path, strlen(path))) != NULL,
        err));
    job->n_files++;
    return MGL_OK;
}

/* A job file, or a text that is one. */
typedef struct job_text {
    const char *path; /* of the file; of a text, what messages call it */
    bool in_memory;
    mgl_span text; /* if it is */
} job_text;

static mgl_status load_text(mgl_job *job, const job_text *from, mgl_error *err)
{
    const char *slash = from->in_memory ? NULL : strrchr(from->path, '/');
    mgl_loading load = {
        .job = job,
        .arena = mgl_arena_new(),
        .path = from->path,
        .folder = {from->path, slash != NULL ? (size_t)(slash - from->path) + 1 : 0},
        .err = err};
    MGL_TRY(mgl_check_memory(load.arena != NULL, err));
    mgl_yaml *document;
    mgl_status status = MGL_OK;
    if (!from->in_memory)
        MGL_GO(mgl_store_keep_file(job, from->path, err));
    MGL_GO(from->in_memory ? yaml_parse(from->path, "job", from->text, load.arena, err, &document)
                           : mgl_yaml_read(from->path, "job file", load.arena, err, &document));
    job->n_loads++;
    MGL_GO(load_document(&load, document));
done:
    mgl_arena_free(load.arena);
    return status;
}

static mgl_status load(mgl_job *job, const job_text *from, mgl_error *err)
{
    mgl_undo undo;
    mgl_locale locale = mgl_locale_enter();
    mgl_undo_begin(job, &undo);
    mgl_status status = mgl_undo_end(job, load_text(job, from, err));
    mgl_locale_leave(locale);
    return status;
}

mgl_status mgl_job_load(mgl_job *job, const char *path, mgl_error *err)
{
    return load(job, &(job_text){.path = path}, err);
}

mgl_status mgl_job_parse(mgl_job *job, const char *text, size_t size, mgl_error *err)
{
    const job_text from = {MGL_JOB_TEXT, true, {size > 0 ? text : "", size}};
    mgl_status status = load(job, &from, err);
    if (status != MGL_OK)
        mgl_blame_no_file(err);
    return status;
}
