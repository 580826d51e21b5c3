/* Words the two ways in which a hierarchy can contradict itself, so that the file can be mended.
 * assemble.c calls it when its checks fail. */
#include "hierarchy/draft.h"

static mgl_span label_of(const mgl_draft *draft, uint32_t row, uint32_t level)
{
    return mgl_map_text(draft->labels, mgl_draft_cell(draft, row, level));
}

static uint64_t line_of(const mgl_draft *draft, uint32_t row)
{
    return draft->lines != NULL && row < draft->n_rows ? draft->lines[row] : 0;
}

/* row and other_row carry the same label on level and different ones above it. */
mgl_status mgl_draft_fail_parents(const mgl_draft *draft, mgl_error *err, uint32_t level,
                                  uint32_t row, uint32_t other_row)
{
    mgl_span child = label_of(draft, row, level);
    mgl_span parent = label_of(draft, row, level + 1);
    mgl_span other = label_of(draft, other_row, level + 1);
    const char *what = level == 0 ? "the ground value" : "the label";
    return mgl_draft_fail(draft, err, line_of(draft, row),
                          "%s '%.*s' (level %u) becomes '%.*s' here but '%.*s' on line %llu; a "
                          "value has one parent: make the two lines agree",
                          what, mgl_span_width(child), child.data, level, mgl_span_width(parent),
                          parent.data, mgl_span_width(other), other.data,
                          (unsigned long long)line_of(draft, other_row));
}

/* A leaf under one of the two values but not under both: they are known to differ. */
static uint32_t leaf_in_one(const mgl_level *low, uint32_t low_value, const mgl_level *high,
                            uint32_t high_value)
{
    uint32_t leaf = 0;
    while ((low->of_leaf[leaf] == low_value) == (high->of_leaf[leaf] == high_value))
        leaf++;
    return leaf;
}

mgl_status mgl_draft_fail_cover(const mgl_draft *draft, mgl_error *err, const mgl_level *low,
                                uint32_t low_level, uint32_t low_value, const mgl_level *high,
                                uint32_t high_level, uint32_t high_value)
{
    mgl_span label = low->labels[low_value];
    uint32_t low_leaf = low->first_leaf[low_value];
    uint32_t leaf = leaf_in_one(low, low_value, high, high_value);
    if (low_leaf >= draft->n_rows) /* no row lists it: the missing value */
        return mgl_draft_fail(
            draft, err, line_of(draft, leaf),
            "'%.*s' is the label of other values on level %u, but missing cells "
            "are released as '%.*s' too; rename the label, or let --missing begin "
            "with another token",
            mgl_span_width(label), label.data, high_level, mgl_span_width(label), label.data);
    if (draft->file != NULL)
        return mgl_draft_fail(
            draft, err, line_of(draft, leaf),
            "the label '%.*s' covers %u value%s on level %u (line %llu) but other ones, %u, on "
            "level %u%s; a label means the same values wherever it stands: rename one of them",
            mgl_span_width(label), label.data, low->leaves[low_value],
            low->leaves[low_value] == 1 ? "" : "s", low_level,
            (unsigned long long)line_of(draft, low_leaf), high->leaves[high_value], high_level,
            high_level >= draft->n_levels ? ", the top that was added" : "");
    char ground[MGL_SHOWN], shown[MGL_SHOWN];
    mgl_shown(label_of(draft, low_leaf, 0), ground);
    mgl_shown(label, shown);
    return mgl_draft_fail(
        draft, err, 0,
        "the value '%s' is called '%s' on level %u, but on level %u '%s' covers other "
        "values too; take another builder, or write a hierarchy file with names of your own",
        ground, shown, low_level, high_level, shown);
}
