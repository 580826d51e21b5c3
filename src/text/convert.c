/* Converts any encoding that iconv knows to UTF-8. spool.c puts it between a file and its private
 * copy. */
#include "text/file.h"

#include <errno.h>
#include <iconv.h>

enum { CONVERTED = 64 * 1024, LONGEST_CHARACTER = 16 };

typedef struct convert_sink {
    mgl_sink sink;
    const char *name, *encoding;
    mgl_sink *next;
    iconv_t converter;
    uint64_t line;
    char rest[LONGEST_CHARACTER]; /* the first bytes of a character whose end is still to come */
    size_t rest_size;
    char data[CONVERTED];
} convert_sink;

/* strcasecmp follows the locale; this does not. name is in lower case. */
static bool is_named(const char *encoding, const char *name)
{
    for (; *name != '\0'; encoding++, name++) {
        char letter = *encoding;
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if (letter != *name)
            return false;
    }
    return *encoding == '\0';
}

bool mgl_encoding_is_utf8(const char *encoding)
{
    return encoding == NULL || encoding[0] == '\0' || is_named(encoding, "utf-8") ||
           is_named(encoding, "utf8");
}

/* Hands converted bytes on and counts their lines. */
static mgl_status hand_on(convert_sink *sink, size_t size, mgl_error *err)
{
    for (size_t i = 0; i < size; i++)
        sink->line += sink->data[i] == '\n';
    return sink->next->take(sink->next, sink->data, size, false, err);
}

/* Converts what it can; *left bytes at the end are the beginning of a character. */
static mgl_status convert(convert_sink *sink, char *data, size_t size, mgl_error *err, size_t *left)
{
    while (size > 0) {
        char *to = sink->data;
        size_t room = CONVERTED;
        size_t status = iconv(sink->converter, &data, &size, &to, &room);
        int number = errno;
        MGL_TRY(hand_on(sink, CONVERTED - room, err));
        if (status == (size_t)-1 && number == EILSEQ)
            return mgl_blame_key(
                err,
                mgl_fail_at(err, MGL_CODE_ENCODING, sink->name, sink->line,
                            "byte 0x%02x is not valid in the encoding %s; name the right "
                            "one with `encoding`",
                            (unsigned char)*data, sink->encoding),
                "encoding");
        if (status == (size_t)-1 && number == EINVAL)
            break;
    }
    *left = size;
    return MGL_OK;
}

static mgl_status take_encoded(mgl_sink *self, const char *data, size_t size, bool last,
                               mgl_error *err)
{
    convert_sink *sink = (convert_sink *)self;
    size_t left;
    /* First the character that began before, completed byte by byte. */
    while (sink->rest_size > 0 && size > 0 && sink->rest_size < sizeof sink->rest) {
        sink->rest[sink->rest_size++] = *data++;
        size--;
        MGL_TRY(convert(sink, sink->rest, sink->rest_size, err, &left));
        sink->rest_size = left;
    }
    /* iconv only reads, whatever its type says. */
    MGL_TRY(convert(sink, (char *)(uintptr_t)data, size, err, &left));
    if (left > 0) {
        if (left > sizeof sink->rest)
            left = sizeof sink->rest;
        memcpy(sink->rest, data + size - left, left);
        sink->rest_size = left;
    }
    if (!last)
        return MGL_OK;
    if (sink->rest_size > 0)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_ENCODING, sink->name, sink->line,
                        "the file ends in the middle of a character of the encoding %s; "
                        "copy the file again or name the right encoding with `encoding`",
                        sink->encoding),
            "encoding");
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static void free_convert(mgl_sink *self)
{
    convert_sink *sink = (convert_sink *)self;
    if (sink->converter != (iconv_t)-1)
        iconv_close(sink->converter);
    mgl_free(sink);
}

/* What was not looked at may be guessed by a person, not by a release. */
static mgl_status fail_unknown(const char *encoding, mgl_error *err)
{
    if (strcmp(encoding, "auto") == 0)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "the encoding must be named; 'mingle look' with `encoding` "
                        "auto finds it");
    return mgl_fail(err, MGL_CODE_BAD_VALUE,
                    "the encoding '%.60s' is not known; 'iconv -l' lists those that are", encoding);
}

mgl_status mgl_sink_convert(const char *encoding, const char *name, mgl_sink *next, mgl_error *err,
                            mgl_sink **out)
{
    convert_sink *sink = mgl_zeroed_array(1, sizeof *sink);
    if (sink == NULL)
        return mgl_fail_memory(err);
    *sink = (convert_sink){.sink = {.take = take_encoded, .free = free_convert},
                           .name = name,
                           .encoding = encoding,
                           .next = next,
                           .line = 1};
    sink->converter = iconv_open("UTF-8", encoding);
    if (sink->converter == (iconv_t)-1) {
        int number = errno;
        free_convert(&sink->sink);
        if (number != EINVAL)
            return mgl_fail_memory(err);
        return mgl_blame_key(err, fail_unknown(encoding, err), "encoding");
    }
    *out = &sink->sink;
    return MGL_OK;
}
