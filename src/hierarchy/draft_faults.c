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
mgl_status mgl_draft_fail_parents(const mgl_draft *draft, uint32_t level, uint32_t row,
                                  uint32_t other_row, mgl_error *err)
{
    mgl_span child = label_of(draft, row, level);
    mgl_span parent = label_of(draft, row, level + 1);
    mgl_span other = label_of(draft, other_row, level + 1);
    const char *what = level == 0 ? "the ground value" : "the label";
    return mgl_draft_fail(draft, line_of(draft, row), err,
                          "%s '%.*s' (level %u) becomes '%.*s' here but '%.*s' on line %llu; a "
                          "value has one parent: make the two lines agree",
                          what, mgl_span_width(child), child.data, level, mgl_span_width(parent),
                          parent.data, mgl_span_width(other), other.data,
                          (unsigned long long)line_of(draft, other_row));
}

/* A leaf under one of the two values but not under both: they are known to differ. */
static uint32_t leaf_in_one(mgl_level_value low, mgl_level_value high)
{
    uint32_t leaf = 0;
    while ((low.level->of_leaf[leaf] == low.value) == (high.level->of_leaf[leaf] == high.value))
        leaf++;
    return leaf;
}

mgl_status mgl_draft_fail_cover(const mgl_draft *draft, mgl_level_value low, mgl_level_value high,
                                mgl_error *err)
{
    mgl_span label = low.level->labels[low.value];
    uint32_t low_leaf = low.level->first_leaf[low.value];
    uint32_t covered = low.level->leaves[low.value];
    uint32_t leaf = leaf_in_one(low, high);
    if (low_leaf >= draft->n_rows) /* no row lists it: the missing value */
        return mgl_draft_fail(
            draft, line_of(draft, leaf), err,
            "'%.*s' is the label of other values on level %u, but missing cells "
            "are released as '%.*s' too; rename the label, or let `missing` begin "
            "with another token",
            mgl_span_width(label), label.data, high.number, mgl_span_width(label), label.data);
    if (draft->file != NULL)
        return mgl_draft_fail(
            draft, line_of(draft, leaf), err,
            "the label '%.*s' covers %u value%s on level %u (line %llu) but other ones, %u, on "
            "level %u%s; a label means the same values wherever it stands: rename one of them",
            mgl_span_width(label), label.data, covered, covered == 1 ? "" : "s", low.number,
            (unsigned long long)line_of(draft, low_leaf), high.level->leaves[high.value],
            high.number, high.number >= draft->n_levels ? ", the top that was added" : "");
    char ground[MGL_SHOWN], shown[MGL_SHOWN];
    mgl_shown(label_of(draft, low_leaf, 0), ground);
    mgl_shown(label, shown);
    return mgl_draft_fail(
        draft, 0, err,
        "the value '%s' is called '%s' on level %u, but on level %u '%s' covers other "
        "values too; take another builder, or write a hierarchy file with names of your own",
        ground, shown, low.number, high.number, shown);
}
