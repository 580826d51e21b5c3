/* Prints the sizes of classes as bars. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

enum {
    MOST_LINES = 8,
    MOST_BINS = 64,
    LONGEST_BAR = 36,
    SHORTEST_BAR = 4,
    LABEL_SIZE = 2 * MGL_NUMBER_SIZE + 8
};

typedef struct bin {
    uint64_t from, to, rows;
} bin;

/* Neighbours are put together until there are few enough. */
static size_t collect(const json_t *list, bin *bins)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(list) && n < MOST_BINS; i++) {
        const json_t *one = json_array_get(list, i);
        bin b = {mgl_json_whole(one, "from"), mgl_json_whole(one, "to"),
                 mgl_json_whole(one, "rows")};
        if (b.rows > 0 || n > 0)
            bins[n++] = b;
    }
    while (n > 0 && bins[n - 1].rows == 0)
        n--;
    while (n > MOST_LINES) {
        for (size_t i = 0; 2 * i < n; i++) {
            bins[i] = bins[2 * i];
            if (2 * i + 1 < n) {
                bins[i].to = bins[2 * i + 1].to;
                bins[i].rows += bins[2 * i + 1].rows;
            }
        }
        n = (n + 1) / 2;
    }
    return n;
}

static void add_bar(mgl_page *page, double share, size_t length)
{
    if (page->ascii) {
        size_t marks = (size_t)(share * (double)length + 0.5);
        for (size_t i = 0; i < marks || (i == 0 && share > 0); i++)
            mgl_page_ink(page, MGL_INK_BAR, "#");
        return;
    }
    /* Eighths of a character. */
    static const char *const eighths_of_bar[] = {"",       "\u258f", "\u258e", "\u258d",
                                                 "\u258c", "\u258b", "\u258a", "\u2589"};
    size_t eighths = (size_t)(share * 8 * (double)length + 0.5);
    eighths = eighths == 0 && share > 0 ? 1 : eighths;
    for (size_t i = 0; i < eighths / 8; i++)
        mgl_page_ink(page, MGL_INK_BAR, "\u2588");
    mgl_page_ink(page, MGL_INK_BAR, eighths_of_bar[eighths % 8]);
}

static const char *label_of(const bin *b, char *text)
{
    char from[MGL_NUMBER_SIZE], to[MGL_NUMBER_SIZE];
    mgl_page_count(b->from, from);
    mgl_page_count(b->to, to);
    if (b->from == b->to)
        snprintf(text, LABEL_SIZE, "%s", from);
    else
        snprintf(text, LABEL_SIZE, "%s to %s", from, to);
    return text;
}

/* What stands around the bars: all begin in one column, and no number is broken off. */
typedef struct layout {
    size_t label, number, bar;
} layout;

static layout lay_out(const mgl_page *page, const bin *bins, size_t n)
{
    layout l = {.label = 14};
    for (size_t i = 0; i < n; i++) {
        char text[LABEL_SIZE];
        size_t label = strlen(label_of(&bins[i], text)),
               number = strlen(mgl_page_count(bins[i].rows, text));
        l.label = label > l.label ? label : l.label;
        l.number = number > l.number ? number : l.number;
    }
    size_t around = MGL_PAGE_LABEL + l.label + 1 + 1 + l.number;
    size_t room = page->width > around ? page->width - around : 0;
    l.bar = room < SHORTEST_BAR ? SHORTEST_BAR : room < LONGEST_BAR ? room : LONGEST_BAR;
    return l;
}

void mgl_terminal_sizes(mgl_page *page, const json_t *document)
{
    const json_t *sizes = json_object_get(json_object_get(document, "figures"), "class_sizes");
    const json_t *list = json_object_get(sizes, "after");
    bin bins[MOST_BINS];
    size_t n = collect(list != NULL ? list : json_object_get(sizes, "now"), bins);
    layout l = lay_out(page, bins, n);
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = bins[i].rows > most ? bins[i].rows : most;
    for (size_t i = 0; n > 1 && i < n; i++) {
        char text[LABEL_SIZE];
        mgl_page_label(page, i == 0 ? "sizes" : "");
        mgl_page_add(page, "%-*s ", (int)l.label, label_of(&bins[i], text));
        add_bar(page, (double)bins[i].rows / (double)most, l.bar);
        mgl_page_add(page, " %s", mgl_page_count(bins[i].rows, text));
        mgl_page_end(page);
    }
}
