/* The sizes of classes as bars. */
#include "report/terminal.h"

#include <stdio.h>

enum { MOST_LINES = 8, MOST_BINS = 64, BAR = 36 };

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

static void add_bar(mgl_page *page, uint64_t rows, uint64_t most)
{
    /* Eighths of a character. */
    static const char *const parts[] = {"",       "\u258f", "\u258e", "\u258d",
                                        "\u258c", "\u258b", "\u258a", "\u2589"};
    uint64_t eighths = (uint64_t)((double)rows / (double)most * 8 * BAR + 0.5);
    eighths = eighths == 0 && rows > 0 ? 1 : eighths;
    for (uint64_t i = 0; i < eighths / 8; i++)
        mgl_page_ink(page, MGL_INK_BAR, "\u2588");
    mgl_page_ink(page, MGL_INK_BAR, parts[eighths % 8]);
}

void mgl_terminal_sizes(mgl_page *page, const json_t *document)
{
    const json_t *sizes = json_object_get(json_object_get(document, "figures"), "class_sizes");
    const json_t *list = json_object_get(sizes, "after");
    bin bins[MOST_BINS];
    size_t n = collect(list != NULL ? list : json_object_get(sizes, "now"), bins);
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++)
        most = bins[i].rows > most ? bins[i].rows : most;
    for (size_t i = 0; n > 1 && i < n; i++) {
        char from[MGL_NUMBER_SIZE], to[MGL_NUMBER_SIZE], label[2 * MGL_NUMBER_SIZE + 8];
        mgl_page_count(bins[i].from, from);
        mgl_page_count(bins[i].to, to);
        if (bins[i].from == bins[i].to)
            snprintf(label, sizeof label, "%s", from);
        else
            snprintf(label, sizeof label, "%s to %s", from, to);
        mgl_page_label(page, i == 0 ? "sizes" : "");
        mgl_page_add(page, "%-14s ", label);
        add_bar(page, bins[i].rows, most);
        mgl_page_add(page, " %s", mgl_page_count(bins[i].rows, from));
        mgl_page_end(page);
    }
}
