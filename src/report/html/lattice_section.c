/* Draws the lattice: a node for every way to give each column one level. */
#include "report/html/sections.h"

#include <stdio.h>

enum { MOST_NODES = 400, MOST_COLUMNS = 32, LAYER = 46, SPACE = 15 };

/* From a release (figures.lattice) or from `mingle lattice`, as lists of levels. */
typedef struct lattice {
    size_t n_columns, n_nodes;
    const char *names[MOST_COLUMNS];
    uint8_t levels[MOST_NODES][MOST_COLUMNS];
    bool holds[MOST_NODES], minimal[MOST_NODES], chosen[MOST_NODES];
    uint64_t suppressed[MOST_NODES];
    unsigned height[MOST_NODES], place[MOST_NODES]; /* layer, and where in it */
    unsigned low, high, widest, in_layer[MOST_COLUMNS * 255 + 1];
} lattice;

static const json_t *figure_of(const json_t *document)
{
    return mgl_json_at(document, "figures.lattice");
}

bool mgl_has_lattice(const json_t *document)
{
    return json_is_object(figure_of(document)) ||
           json_is_array(json_object_get(document, "lattice"));
}

static void take_names(lattice *l, const json_t *columns)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)columns, name, value)
    {
        if (l->n_columns < MOST_COLUMNS)
            l->names[l->n_columns] = name;
        l->n_columns++;
    }
}

/* A node is {"age": 1, ...} or [1, ...]; false if it has other columns or levels than it can. */
static bool take_levels(const lattice *l, const json_t *node, uint8_t *levels)
{
    for (size_t c = 0; c < l->n_columns; c++) {
        const json_t *level =
            json_is_array(node) ? json_array_get(node, c) : json_object_get(node, l->names[c]);
        if (!json_is_integer(level) || json_integer_value(level) < 0 ||
            json_integer_value(level) > 255)
            return false;
        levels[c] = (uint8_t)json_integer_value(level);
    }
    return true;
}

static bool is_among(const lattice *l, const uint8_t *levels, const json_t *nodes)
{
    uint8_t other[MOST_COLUMNS];
    for (size_t i = 0; i < json_array_size(nodes); i++)
        if (take_levels(l, json_array_get(nodes, i), other) &&
            memcmp(levels, other, l->n_columns) == 0)
            return true;
    return false;
}

static bool take_nodes(lattice *l, const json_t *nodes, const char *key, const json_t *minimal,
                       const json_t *chosen)
{
    uint8_t picked[MOST_COLUMNS];
    bool any = take_levels(l, chosen, picked);
    if (json_array_size(nodes) == 0 || json_array_size(nodes) > MOST_NODES || l->n_columns == 0 ||
        l->n_columns > MOST_COLUMNS)
        return false;
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        if (!take_levels(l, json_object_get(node, key), l->levels[i]))
            return false;
        l->holds[i] = json_is_true(json_object_get(node, "holds"));
        l->suppressed[i] = mgl_json_whole(node, "suppressed_rows");
        l->minimal[i] = is_among(l, l->levels[i], minimal);
        l->chosen[i] = any && memcmp(l->levels[i], picked, l->n_columns) == 0;
        l->n_nodes++;
    }
    return true;
}

static bool read_lattice(lattice *l, const json_t *document)
{
    const json_t *figure = figure_of(document), *own = json_object_get(document, "lattice");
    if (json_is_object(figure)) {
        take_names(l, json_object_get(document, "heights"));
        return take_nodes(l, json_object_get(figure, "nodes"), "levels",
                          json_object_get(figure, "minimal"), json_object_get(figure, "chosen"));
    }
    take_names(l, json_object_get(json_array_get(own, 0), "node"));
    return take_nodes(l, own, "node", json_object_get(document, "minimal_nodes"), NULL);
}

static void place_nodes(lattice *l)
{
    l->low = UINT32_MAX;
    for (size_t i = 0; i < l->n_nodes; i++) {
        for (size_t c = 0; c < l->n_columns; c++)
            l->height[i] += l->levels[i][c];
        l->low = l->height[i] < l->low ? l->height[i] : l->low;
        l->high = l->height[i] > l->high ? l->height[i] : l->high;
        l->place[i] = l->in_layer[l->height[i]]++;
    }
    for (unsigned h = l->low; h <= l->high; h++)
        l->widest = l->in_layer[h] > l->widest ? l->in_layer[h] : l->widest;
}

static double across(const lattice *l, size_t i)
{
    double width = l->in_layer[l->height[i]];
    return 100 * (l->place[i] + 0.5) / width;
}

/* The original is at the bottom, the top node at the top. */
static unsigned down(const lattice *l, size_t i)
{
    return (l->high - l->height[i]) * LAYER + LAYER / 2;
}

static bool is_step(const lattice *l, size_t a, size_t b)
{
    unsigned steps = 0;
    if (l->height[b] != l->height[a] + 1)
        return false;
    for (size_t c = 0; c < l->n_columns; c++) {
        if (l->levels[b][c] < l->levels[a][c])
            return false;
        steps += l->levels[b][c] - l->levels[a][c];
    }
    return steps == 1;
}

static void draw_edges(mgl_html *html, const lattice *l)
{
    for (size_t a = 0; a < l->n_nodes; a++)
        for (size_t b = 0; b < l->n_nodes; b++)
            if (is_step(l, a, b))
                mgl_html_add(html,
                             "<line class=\"edge\" x1=\"%.2f%%\" y1=\"%u\" x2=\"%.2f%%\" "
                             "y2=\"%u\"/>\n",
                             across(l, a), down(l, a), across(l, b), down(l, b));
}

static const char *kind_of(const lattice *l, size_t i)
{
    return l->minimal[i] ? "minimal" : l->holds[i] ? "yes" : "no";
}

static void draw_node(mgl_html *html, const lattice *l, size_t i)
{
    mgl_html_add(html, "<circle class=\"node %s%s\" cx=\"%.2f%%\" cy=\"%u\" r=\"%u\"><title>",
                 kind_of(l, i), l->chosen[i] ? " chosen" : "", across(l, i), down(l, i),
                 l->chosen[i] ? 8 : 5);
    for (size_t c = 0; c < l->n_columns; c++) {
        mgl_html_add(html, c > 0 ? ", " : "");
        mgl_html_short(html, l->names[c], 40);
        mgl_html_add(html, " %u", l->levels[i][c]);
    }
    mgl_html_add(html, ": %s, %s suppressed%s</title></circle>\n",
                 l->holds[i] ? "holds" : "does not hold",
                 mgl_many_words(&html->numbers, l->suppressed[i], "row", "rows"),
                 l->chosen[i] ? "; chosen" : "");
}

static void draw_key(mgl_html *html, const char *kind, const char *text)
{
    mgl_html_add(html,
                 "<span><svg class=\"key\" width=\"18\" height=\"16\"><circle class=\"node %s\" "
                 "cx=\"9\" cy=\"9\" r=\"5\"/></svg> %s</span> ",
                 kind, text);
}

static void draw(mgl_html *html, const lattice *l)
{
    char description[200];
    size_t holding = 0, minimal = 0;
    for (size_t i = 0; i < l->n_nodes; i++) {
        holding += l->holds[i];
        minimal += l->minimal[i];
    }
    snprintf(description, sizeof description,
             "%zu nodes in %u layers; %zu of them hold, %zu are minimal among these.", l->n_nodes,
             l->high - l->low + 1, holding, minimal);
    mgl_html_add(html, "<p class=\"legend\" aria-hidden=\"true\">");
    draw_key(html, "no", "does not hold");
    draw_key(html, "yes", "holds");
    draw_key(html, "minimal", "minimal: no node below it holds");
    draw_key(html, "chosen", "chosen");
    mgl_html_add(html, "</p>\n");
    mgl_svg_begin(html, "The lattice of levels", description, (l->high - l->low + 1) * LAYER,
                  l->widest * SPACE);
    draw_edges(html, l);
    for (size_t i = 0; i < l->n_nodes; i++)
        draw_node(html, l, i);
    mgl_svg_end(html);
}

static void lattice_table(mgl_html *html, const lattice *l)
{
    const char *headings[MOST_COLUMNS + 3];
    headings[0] = "node";
    for (size_t c = 0; c < l->n_columns; c++)
        headings[c + 1] = l->names[c];
    headings[l->n_columns + 1] = "suppressed";
    mgl_html_numbers(html, NULL);
    mgl_html_table_of(html, headings, l->n_columns + 2);
    for (size_t i = 0; i < l->n_nodes; i++) {
        if (!l->holds[i])
            continue;
        mgl_html_row(html, l->chosen[i] ? "chosen" : l->minimal[i] ? "minimal" : "holds");
        for (size_t c = 0; c < l->n_columns; c++)
            mgl_html_count(html, l->levels[i][c]);
        mgl_html_count(html, l->suppressed[i]);
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
}

static void show_chosen(mgl_html *html, const json_t *document)
{
    const json_t *node = json_object_get(document, "node"),
                 *heights = json_object_get(document, "heights");
    const char *name;
    json_t *level;
    if (!json_is_object(node))
        return;
    mgl_html_table(html, "column|level|of");
    json_object_foreach((json_t *)node, name, level)
    {
        mgl_html_row(html, name);
        mgl_html_count(html, (uint64_t)json_integer_value(level));
        mgl_html_count(html, mgl_json_whole(heights, name));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

static void summarize(mgl_html *html, const json_t *document)
{
    const json_t *nodes = json_object_get(document, "nodes");
    size_t n_minimal = json_array_size(json_object_get(document, "minimal_nodes"));
    uint64_t holding = mgl_json_whole(nodes, "holding");
    mgl_html_add(html, "<p>The lattice has %s and is not drawn.",
                 mgl_many_words(&html->numbers, mgl_json_whole(nodes, "total"), "node", "nodes"));
    if (holding > 0)
        mgl_html_add(html, " %s hold.", mgl_count_words(&html->numbers, holding));
    if (n_minimal > 0)
        mgl_html_add(html, " %s.",
                     mgl_many_words(&html->numbers, n_minimal,
                                    "node is minimal among those that hold",
                                    "nodes are minimal among those that hold"));
    mgl_html_add(html, "</p>\n");
    show_chosen(html, document);
}

void mgl_html_lattice(mgl_html *html, const json_t *document)
{
    lattice *l = mgl_zeroed_array(1, sizeof *l);
    if (l == NULL) {
        html->out.failed = true;
        return;
    }
    if (read_lattice(l, document)) {
        place_nodes(l);
        mgl_html_wide_figure(html,
                             "Every node gives each column one level. Below is the original, at "
                             "the top nothing is left; a line is one level of one column.");
        draw(html, l);
        lattice_table(html, l);
        mgl_html_figure_end(html);
    } else {
        summarize(html, document);
    }
    mgl_free(l);
}
