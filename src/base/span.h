/* A span is a piece of text that someone else owns; not NUL-terminated. */
#ifndef MGL_BASE_SPAN_H
#define MGL_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct mgl_span {
    const char *data;
    size_t size;
} mgl_span;

static inline mgl_span mgl_span_of(const char *text)
{
    return (mgl_span){text, strlen(text)};
}

static inline bool mgl_span_equal(mgl_span a, mgl_span b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static inline bool mgl_span_is(mgl_span a, const char *text)
{
    return mgl_span_equal(a, mgl_span_of(text));
}

/* Is the name one of these? NULL is none. */
static inline bool mgl_names_have(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; name != NULL && i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Is the text one of these? */
static inline bool mgl_spans_have(const mgl_span *list, size_t n, mgl_span text)
{
    for (size_t i = 0; i < n; i++)
        if (mgl_span_equal(list[i], text))
            return true;
    return false;
}

/* Bytewise order, the shorter first when one begins the other. */
static inline int mgl_span_compare(mgl_span a, mgl_span b)
{
    size_t common = a.size < b.size ? a.size : b.size;
    int order = common > 0 ? memcmp(a.data, b.data, common) : 0;
    return order != 0 ? order : (a.size > b.size) - (a.size < b.size);
}

/* Characters of ASCII, whatever the locale. */
static inline bool mgl_is_digit(char c)
{
    return c >= '0' && c <= '9';
}
static inline bool mgl_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline char mgl_upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}
static inline char mgl_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Without spaces and tabs at both ends. */
static inline mgl_span mgl_span_trim(mgl_span a)
{
    while (a.size > 0 && (a.data[0] == ' ' || a.data[0] == '\t'))
        a.data++, a.size--;
    while (a.size > 0 && (a.data[a.size - 1] == ' ' || a.data[a.size - 1] == '\t'))
        a.size--;
    return a;
}

/* For printf's "%.*s": mgl_span_width caps what an error message quotes. */
static inline int mgl_span_width(mgl_span a)
{
    return a.size > 60 ? 60 : (int)a.size;
}

#endif
