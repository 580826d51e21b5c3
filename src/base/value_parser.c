/* Parses texts of options into typed fields, one value or a list, and words what is wrong with a
 * text that does not fit. */
#include "base/value_parser.h"

#include "base/error.h"
#include "base/lists.h"
#include "base/number.h"

#include <stdalign.h>

_Static_assert(sizeof(mgl_value_parser_kind) == sizeof(unsigned), "words are stored as an enum is");

static size_t count_words(const mgl_value_parser *parser)
{
    size_t n = 0;
    while (parser->words != NULL && parser->words[n] != NULL)
        n++;
    return n;
}

static bool is_within(const mgl_value_parser *parser, double value)
{
    return (parser->above ? value > parser->min : value >= parser->min) &&
           (parser->max == 0 || value <= parser->max);
}

static bool read_word(const mgl_value_parser *parser, mgl_span text, void *field)
{
    size_t n = count_words(parser), i = 0;
    while (i < n && !mgl_span_is(text, parser->words[i]))
        i++;
    size_t word = i;
    if (word == count_words(parser))
        return false;
    if (parser->kind == MGL_PARSE_EITHER)
        *(bool *)field = word == 1;
    else
        *(unsigned *)field = (unsigned)word;
    return true;
}

static bool read_whole(const mgl_value_parser *parser, mgl_span text, void *field)
{
    uint64_t value;
    if (!mgl_parse_u64(text, &value) || !is_within(parser, (double)value) ||
        (parser->kind == MGL_PARSE_SMALL && value > UINT32_MAX))
        return false;
    if (parser->kind == MGL_PARSE_SMALL)
        *(uint32_t *)field = (uint32_t)value;
    else
        *(uint64_t *)field = value;
    return true;
}

static bool read_number(const mgl_value_parser *parser, mgl_span text, void *field)
{
    double value;
    if (!mgl_parse_double(text, &value) || !is_within(parser, value))
        return false;
    *(double *)field = value;
    return true;
}

static bool read_flag(mgl_span text, void *field)
{
    bool yes = mgl_span_is(text, "true");
    if (!yes && !mgl_span_is(text, "false"))
        return false;
    *(bool *)field = yes;
    return true;
}

bool mgl_value_parse(const mgl_value_parser *parser, mgl_span text, void *field)
{
    switch (parser->kind) {
    case MGL_PARSE_TEXT:
        *(const char **)field = text.data;
        return true;
    case MGL_PARSE_FLAG:
        return read_flag(text, field);
    case MGL_PARSE_EITHER:
    case MGL_PARSE_WORD:
        return read_word(parser, text, field);
    case MGL_PARSE_WHOLE:
    case MGL_PARSE_SMALL:
        return read_whole(parser, text, field);
    case MGL_PARSE_NUMBER:
        return read_number(parser, text, field);
    default:
        return parser->read(text, field);
    }
}

size_t mgl_value_parser_size(const mgl_value_parser *parser)
{
    switch (parser->kind) {
    case MGL_PARSE_TEXT:
        return sizeof(const char *);
    case MGL_PARSE_FLAG:
    case MGL_PARSE_EITHER:
        return sizeof(bool);
    case MGL_PARSE_WORD:
        return sizeof(unsigned);
    case MGL_PARSE_WHOLE:
        return sizeof(uint64_t);
    case MGL_PARSE_SMALL:
        return sizeof(uint32_t);
    case MGL_PARSE_NUMBER:
        return sizeof(double);
    default:
        return parser->size;
    }
}

/* "is not possible; give keep, drop or exempt" */
static void name_words(const mgl_value_parser *parser, mgl_buffer *wrong)
{
    size_t n = count_words(parser);
    mgl_buffer_text(wrong, "is not possible; give ");
    for (size_t i = 0; i < n; i++)
        mgl_buffer_format(wrong, "%s%s",
                          i == 0       ? ""
                          : i + 1 == n ? " or "
                                       : ", ",
                          parser->words[i]);
}

bool mgl_value_parser_check(const mgl_value_parser *parser, mgl_span text, mgl_buffer *wrong)
{
    alignas(16) char scratch[MGL_PARSED_BYTES] = {0};
    if (parser->check != NULL)
        return parser->check(text, wrong);
    if (mgl_value_parse(parser, text, scratch))
        return true;
    if (parser->wrong != NULL)
        mgl_buffer_text(wrong, parser->wrong);
    else if (parser->kind == MGL_PARSE_FLAG)
        mgl_buffer_text(wrong, "is neither true nor false; write one of them");
    else
        name_words(parser, wrong);
    return false;
}

void mgl_value_parser_syntax(const mgl_value_parser *parser, mgl_buffer *out)
{
    for (size_t i = 0; i < count_words(parser); i++)
        mgl_buffer_format(out, "%s%s", i > 0 ? "|" : "", parser->words[i]);
}

/* Where the items of a list go: an array, or one field for all of them. */
typedef struct reading {
    const mgl_value_parser *parser;
    mgl_arena *arena;
    char *at;
    size_t step; /* 0: one field */
    size_t n;
} reading;

static bool read_items(reading *r, const char *text)
{
    mgl_list list = mgl_list_of(mgl_span_of(text));
    mgl_buffer item = {0}, wrong = {0};
    bool fine = true;
    while (fine && mgl_list_next(&list, &item, &wrong)) {
        char *copy = mgl_arena_copy(r->arena, item.data != NULL ? item.data : "", item.size);
        fine = copy != NULL &&
               mgl_value_parse(r->parser, (mgl_span){copy, item.size}, r->at + r->step * r->n++);
    }
    fine = fine && !wrong.failed && wrong.size == 0;
    mgl_buffer_free(&item);
    mgl_buffer_free(&wrong);
    return fine;
}

mgl_status mgl_value_parse_list(const mgl_value_parser *parser, const char *text, mgl_arena *arena,
                                mgl_error *err, void *field, size_t *n)
{
    reading r = {.parser = parser, .arena = arena, .at = field};
    if (n != NULL) {
        r.step = mgl_value_parser_size(parser);
        r.at = mgl_arena_alloc(arena, (strlen(text) + 1) * r.step); /* more than enough */
        MGL_TRY(mgl_check_memory(r.at != NULL, err));
    }
    if (text[0] != '\0' && !read_items(&r, text))
        return mgl_fail_memory(err);
    if (n != NULL) {
        *(void **)field = r.at;
        *n = r.n;
    }
    return MGL_OK;
}
