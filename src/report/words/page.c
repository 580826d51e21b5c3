/* Lays out a summary for a terminal: labels, columns, colours, lines of the width that was asked
 * for. terminal.c and the files it calls print on it. */
#include "report/words/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

enum { SPELT = 1100 };

mgl_page mgl_page_of(const mgl_text_style *style)
{
    size_t width = style->width > 0 ? (size_t)style->width : MGL_PAGE_WIDTH;
    return (mgl_page){.colour = style->colour != 0,
                      .ascii = style->ascii != 0,
                      .spell = style->spell,
                      .wraps = style->width > 0,
                      .width = width > MGL_PAGE_NARROWEST ? width : MGL_PAGE_NARROWEST};
}

/* What trees are drawn with, for terminals that know no more than ASCII. */
static const char *plain_of(const char *text, size_t *size)
{
    static const char *const drawn[][2] = {{"\u251c", "|"}, {"\u2514", "`"},   {"\u2502", "|"},
                                           {"\u2500", "-"}, {"\u2026", "..."}, {"\u2588", "#"}};
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        *size = strlen(drawn[i][0]);
        if (strncmp(text, drawn[i][0], *size) == 0)
            return drawn[i][1];
    }
    return NULL;
}

/* Names and values come from files that anyone may have made: a terminal must not take them for
 * orders. Control characters but line feeds become question marks, also those of two bytes. */
void mgl_page_text(mgl_page *page, const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
        size_t size;
        const char *plain = page->ascii && (text[i] & 0x80) != 0 ? plain_of(&text[i], &size) : NULL;
        if (plain != NULL) {
            mgl_buffer_text(&page->text, plain);
            i += size - 1;
            continue;
        }
        unsigned char byte = (unsigned char)text[i], next = (unsigned char)text[i + 1];
        bool two = byte == 0xC2 && next >= 0x80 && next < 0xA0;
        bool one = (byte < 0x20 && byte != '\n') || byte == 0x7F;
        mgl_buffer_append(&page->text, one || two ? "?" : &text[i], 1);
        i += two;
    }
}

void mgl_page_label(mgl_page *page, const char *label)
{
    mgl_buffer_format(&page->text, "%-*s", MGL_PAGE_LABEL, label);
    page->at = page->indent = MGL_PAGE_LABEL;
}

static void add(mgl_page *page, const char *format, va_list args)
{
    char text[1200];
    vsnprintf(text, sizeof text, format, args);
    mgl_page_text(page, text);
    page->at += mgl_page_columns(text);
}

void mgl_page_add(mgl_page *page, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(page, format, args);
    va_end(args);
}

void mgl_page_line(mgl_page *page, const char *label, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    mgl_page_label(page, label);
    add(page, format, args);
    va_end(args);
    mgl_page_end(page);
}

void mgl_page_take(mgl_page *page, mgl_buffer *words)
{
    mgl_buffer_append(words, "", 1);
    page->text.failed = page->text.failed || words->failed;
    if (!words->failed) {
        mgl_page_text(page, words->data);
        page->at += mgl_page_columns(words->data);
    }
    mgl_buffer_free(words);
}

size_t mgl_page_columns(const char *text)
{
    size_t columns = 0;
    for (; *text != '\0'; text++)
        columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}

void mgl_page_cell(mgl_page *page, const char *text, size_t width)
{
    size_t columns = mgl_page_columns(text);
    mgl_page_add(page, "%s%*s", text, (int)(columns < width ? width - columns : 0), "");
}

void mgl_page_ink(mgl_page *page, mgl_ink ink, const char *text)
{
    static const char *const codes[] = {"", "\033[32m", "\033[31m", "\033[33m", "\033[34m"};
    bool coloured = page->colour && ink != MGL_INK_PLAIN && text[0] != '\0';
    mgl_buffer_text(&page->text, coloured ? codes[ink] : "");
    mgl_page_text(page, text);
    mgl_buffer_text(&page->text, coloured ? "\033[0m" : "");
    page->at += mgl_page_columns(text);
}

static void add_item(mgl_page *page, const char *text)
{
    bool first = page->at == MGL_PAGE_LABEL;
    if (!first && page->at + 2 + mgl_page_columns(text) > page->width) {
        mgl_page_end(page);
        mgl_page_label(page, "");
        first = true;
    }
    mgl_page_add(page, "%s%s", first ? "" : "  ", text);
}

void mgl_page_put_item(mgl_page *page, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    add_item(page, text);
}

void mgl_page_take_item(mgl_page *page, mgl_buffer *words)
{
    mgl_buffer_append(words, "", 1);
    page->text.failed = page->text.failed || words->failed;
    if (!words->failed)
        add_item(page, words->data);
    mgl_buffer_free(words);
}

/* Spells the text between the backquotes at `open` and `close`; false if it stays. */
static bool spell_phrase(const mgl_page *page, const char *open, const char *close,
                         char text[SPELT])
{
    char phrase[SPELT];
    size_t size = (size_t)(close - open) - 1;
    if (size == 0 || size >= sizeof phrase)
        return false;
    memcpy(phrase, open + 1, size);
    phrase[size] = '\0';
    return page->spell(phrase, text, SPELT) != 0;
}

/* Takes the last line off the text and puts it back with its keys spelt. */
static void spell(mgl_page *page)
{
    mgl_buffer line = {0};
    char text[SPELT];
    mgl_buffer_append(&line, page->text.data + page->begin, page->text.size - page->begin);
    page->text.size = page->begin;
    const char *from = line.data, *end = from + line.size, *close;
    for (const char *at = from; !line.failed && at < end; at++) {
        close = *at == '`' ? memchr(at + 1, '`', (size_t)(end - at) - 1) : NULL;
        if (close == NULL || !spell_phrase(page, at, close, text))
            continue;
        mgl_buffer_append(&page->text, from, (size_t)(at - from));
        mgl_buffer_text(&page->text, text);
        at = close;
        from = close + 1;
    }
    mgl_buffer_append(&page->text, from, (size_t)(end - from));
    page->text.failed = page->text.failed || line.failed;
    mgl_buffer_free(&line);
}

/* The bytes of the character or escape at a place of the line, and the columns it takes in a
 * terminal. */
static size_t piece_of(const char *text, const char *end, size_t *columns)
{
    size_t size = 1;
    bool escape = text[0] == '\033';
    *columns = !escape;
    while (text + size < end &&
           (escape ? text[size - 1] != 'm' : ((unsigned char)text[size] & 0xC0) == 0x80))
        size++;
    return size;
}

/* Takes the last line off the text and puts it back in lines that fit. A space goes where a line
 * ends; lists without spaces are broken behind a comma. */
static void wrap(mgl_page *page)
{
    mgl_buffer line = {0};
    size_t columns, at = 0, room = 0; /* bytes up to which the line can be broken */
    mgl_buffer_append(&line, page->text.data + page->begin, page->text.size - page->begin);
    page->text.size = page->begin;
    const char *from = line.data, *end = from + line.size, *next = from;
    bool first = true;
    for (const char *to = from; to < end && !line.failed; to = next) {
        next = to + piece_of(to, end, &columns);
        at += columns;
        if (at > page->width && room > 0) {
            mgl_buffer_append(&page->text, from, room);
            mgl_buffer_format(&page->text, "\n%*s", (int)page->indent, "");
            from += room;
            from += *from == ' ';
            next = from;
            at = page->indent;
            room = 0;
            first = false;
            continue;
        }
        bool behind = !first || (size_t)(to - from) > page->indent;
        if (behind && *to == ' ' && to[-1] != ' ')
            room = (size_t)(to - from);
        else if (behind && *to == ',' && next < end && *next != ' ' &&
                 !(*next >= '0' && *next <= '9'))
            room = (size_t)(next - from);
    }
    mgl_buffer_append(&page->text, from, (size_t)(end - from));
    page->text.failed = page->text.failed || line.failed;
    mgl_buffer_free(&line);
}

void mgl_page_end(mgl_page *page)
{
    bool any = !page->text.failed && page->text.size > page->begin;
    if (any && page->spell != NULL)
        spell(page);
    if (any && page->wraps && !page->whole && !page->text.failed)
        wrap(page);
    mgl_buffer_text(&page->text, "\n");
    page->at = page->indent = 0;
    page->begin = page->text.size;
    page->whole = false;
}

const char *mgl_page_count(uint64_t count, char *text)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    size_t at = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

const char *mgl_page_real(double value, char *text)
{
    double size = fabs(value);
    if (!isfinite(value))
        snprintf(text, MGL_NUMBER_SIZE, "-");
    else if (size >= 1000 && size < 1e15)
        mgl_page_count((uint64_t)(size + 0.5), value < 0 ? (text[0] = '-', text + 1) : text);
    else if (size >= 1e15 || (size > 0 && size < 0.0001))
        snprintf(text, MGL_NUMBER_SIZE, "%.3g", value);
    else
        snprintf(text, MGL_NUMBER_SIZE, size < 10 ? "%.4f" : "%.2f", value);
    return text;
}

char *mgl_numbers_next(mgl_numbers *numbers)
{
    return numbers->texts[numbers->next++ % MGL_NUMBERS];
}

const char *mgl_count_words(mgl_numbers *numbers, uint64_t count)
{
    return mgl_page_count(count, mgl_numbers_next(numbers));
}

const char *mgl_real_words(mgl_numbers *numbers, double value)
{
    return mgl_page_real(value, mgl_numbers_next(numbers));
}

const char *mgl_whole_words(mgl_numbers *numbers, const json_t *object, const char *key)
{
    return mgl_count_words(numbers, mgl_json_whole(object, key));
}

const char *mgl_number_words(mgl_numbers *numbers, const json_t *object, const char *key)
{
    return mgl_real_words(numbers, mgl_json_number(object, key));
}

const char *mgl_many_words(mgl_numbers *numbers, uint64_t count, const char *one, const char *many)
{
    char number[MGL_NUMBER_SIZE], *text = mgl_numbers_next(numbers);
    snprintf(text, MGL_NUMBER_SIZE, "%s %s", mgl_page_count(count, number),
             count == 1 ? one : many);
    return text;
}
