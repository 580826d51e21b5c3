/* A hierarchy as a tree to read in a terminal:
 *
 *     *  (6 values)
 *     ├─ 0213*  (2 values): 02138, 02139
 *     └─ 0214*  (4 values): 02141, 02142, … 2 more
 *
 * A label that stands on several levels is drawn once. `hierarchy show` prints it. */
#include "hierarchy/hierarchy.h"

/* The values below each value of a level, in a row. */
typedef struct children {
    uint32_t *start; /* [n_values + 1] */
    uint32_t *list;  /* values of the level below */
} children;

typedef struct drawing {
    const mgl_hierarchy *hierarchy;
    children *levels; /* [height + 1]; level 0 has none */
    size_t max_siblings;
    mgl_buffer prefix;
    mgl_buffer *out;
} drawing;

static bool list_children(const mgl_level *level, const mgl_level *below, children *out)
{
    out->start = mgl_zeroed_array((size_t)level->n_values + 2, sizeof *out->start);
    out->list = mgl_alloc_array(below->n_values, sizeof *out->list);
    if (out->start == NULL || out->list == NULL)
        return false;
    /* Counted two places ahead, so that filling moves each start into its place. */
    for (uint32_t v = 0; v < below->n_values; v++)
        out->start[below->parent[v] + 2]++;
    for (uint32_t v = 0; v < level->n_values; v++)
        out->start[v + 2] += out->start[v + 1];
    for (uint32_t v = 0; v < below->n_values; v++)
        out->list[out->start[below->parent[v] + 1]++] = v;
    return true;
}

/* Control characters of a value must not reach the terminal. */
static void draw_label(drawing *d, const mgl_level *level, uint32_t value)
{
    mgl_span label = level->labels[value];
    if (label.size == 0) {
        bool missing = level->first_leaf[value] == d->hierarchy->missing_leaf;
        mgl_buffer_text(d->out, missing ? "(missing)" : "\"\"");
        return;
    }
    for (size_t i = 0; i < label.size; i++) {
        unsigned char c = (unsigned char)label.data[i];
        bool c1 = c == 0xc2 && i + 1 < label.size && (unsigned char)label.data[i + 1] < 0xa0;
        if (c < 0x20 || c == 0x7f || c1)
            mgl_buffer_append(d->out, "?", 1);
        else
            mgl_buffer_append(d->out, label.data + i, 1);
        i += c1;
    }
}

/* How many of n siblings are drawn; one more entry stands for the rest. */
static size_t shown_of(const drawing *d, size_t n)
{
    if (d->max_siblings == 0 || n <= d->max_siblings)
        return n;
    return d->max_siblings > 1 ? d->max_siblings - 1 : 1;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

static bool all_leaves(const mgl_level *below, const uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (below->lowest[list[i]] != 0)
            return false;
    return true;
}

static void draw_row(drawing *d, const mgl_level *below, const uint32_t *list, size_t n)
{
    size_t shown = shown_of(d, n);
    mgl_buffer_text(d->out, ": ");
    for (size_t i = 0; i < shown; i++) {
        if (i > 0)
            mgl_buffer_text(d->out, ", ");
        draw_label(d, below, list[i]);
    }
    if (shown < n)
        mgl_buffer_format(d->out, ", … %zu more", n - shown);
    mgl_buffer_append(d->out, "\n", 1);
}

static void draw_value(drawing *d, uint32_t level_number, uint32_t value);

static void draw_branches(drawing *d, uint32_t below_number, const uint32_t *list, size_t n)
{
    const mgl_level *below = &d->hierarchy->levels[below_number];
    size_t shown = shown_of(d, n);
    for (size_t i = 0; i < shown; i++) {
        bool last = i + 1 == n;
        size_t size = d->prefix.size;
        mgl_buffer_append(d->out, d->prefix.data, d->prefix.size);
        mgl_buffer_text(d->out, last ? "└─ " : "├─ ");
        mgl_buffer_text(&d->prefix, last ? "   " : "│  ");
        draw_value(d, below_number, list[i]);
        d->prefix.size = size;
    }
    if (shown == n)
        return;
    uint64_t leaves = 0;
    for (size_t i = shown; i < n; i++)
        leaves += below->leaves[list[i]];
    mgl_buffer_append(d->out, d->prefix.data, d->prefix.size);
    mgl_buffer_format(d->out, "└─ … %zu more  (%llu value%s)\n", n - shown,
                      (unsigned long long)leaves, plural(leaves));
}

static void draw_value(drawing *d, uint32_t level_number, uint32_t value)
{
    const mgl_level *level = &d->hierarchy->levels[level_number];
    uint32_t first_leaf = level->first_leaf[value];
    level_number = level->lowest[value];
    level = &d->hierarchy->levels[level_number];
    value = level->of_leaf[first_leaf];
    draw_label(d, level, value);
    if (level_number == 0) {
        mgl_buffer_append(d->out, "\n", 1);
        return;
    }
    const children *c = &d->levels[level_number];
    const uint32_t *list = c->list + c->start[value];
    size_t n = c->start[value + 1] - c->start[value];
    mgl_buffer_format(d->out, "  (%u value%s)", level->leaves[value], plural(level->leaves[value]));
    if (all_leaves(level - 1, list, n)) {
        draw_row(d, level - 1, list, n);
    } else {
        mgl_buffer_append(d->out, "\n", 1);
        draw_branches(d, level_number - 1, list, n);
    }
}

void mgl_hierarchy_draw(const mgl_hierarchy *hierarchy, size_t max_siblings, mgl_buffer *out)
{
    drawing d = {.hierarchy = hierarchy, .max_siblings = max_siblings, .out = out};
    uint32_t height = hierarchy->height;
    d.levels = mgl_zeroed_array((size_t)height + 1, sizeof *d.levels);
    bool ready = d.levels != NULL;
    for (uint32_t l = 1; l <= height && ready; l++)
        ready = list_children(&hierarchy->levels[l], &hierarchy->levels[l - 1], &d.levels[l]);
    if (ready)
        draw_value(&d, height, 0);
    if (!ready || d.prefix.failed)
        out->failed = true;
    for (uint32_t l = 1; l <= height && d.levels != NULL; l++) {
        mgl_free(d.levels[l].start);
        mgl_free(d.levels[l].list);
    }
    mgl_free(d.levels);
    mgl_buffer_free(&d.prefix);
}
