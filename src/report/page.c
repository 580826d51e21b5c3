#include "report/page.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Names and values come from files that anyone may have made: a terminal must not take them for
 * orders. Control characters but line feeds become question marks, also those of two bytes. */
void mgl_page_text(mgl_page *page, const char *text)
{
    for (size_t i = 0; text[i] != '\0'; i++) {
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
    page->at = MGL_PAGE_LABEL;
}

void mgl_page_add(mgl_page *page, const char *format, ...)
{
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mgl_page_text(page, text);
    page->at += strlen(text);
}

void mgl_page_ink(mgl_page *page, mgl_ink ink, const char *text)
{
    static const char *const codes[] = {"", "\033[32m", "\033[31m", "\033[33m", "\033[34m"};
    bool coloured = page->colour && ink != MGL_INK_PLAIN && text[0] != '\0';
    mgl_buffer_text(&page->text, coloured ? codes[ink] : "");
    mgl_page_text(page, text);
    mgl_buffer_text(&page->text, coloured ? "\033[0m" : "");
    page->at += strlen(text);
}

void mgl_page_item(mgl_page *page, const char *text)
{
    bool first = page->at == MGL_PAGE_LABEL;
    if (!first && page->at + 2 + strlen(text) > MGL_PAGE_WIDTH) {
        mgl_page_end(page);
        mgl_page_label(page, "");
        first = true;
    }
    mgl_page_add(page, "%s%s", first ? "" : "  ", text);
}

void mgl_page_end(mgl_page *page)
{
    mgl_buffer_text(&page->text, "\n");
    page->at = 0;
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
