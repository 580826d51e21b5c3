/* mask(right,N), mask(left,N) and mask: characters become stars. A row of the table in
 * treat_types.c. */
#include "treat/treat_rows.h"

static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments;
    const char *comma = text.size > 0 ? memchr(text.data, ',', text.size) : NULL;
    (void)arena;
    step->count = UINT64_MAX;
    if (text.size == 0)
        return true;
    size_t size = comma != NULL ? (size_t)(comma - text.data) : text.size;
    mgl_span side = mgl_span_trim((mgl_span){text.data, size});
    step->left = mgl_span_is(side, "left");
    if (comma != NULL && (step->left || mgl_span_is(side, "right")) &&
        mgl_parse_u64(mgl_span_trim((mgl_span){comma + 1, text.size - size - 1}), &step->count) &&
        step->count > 0)
        return true;
    mgl_buffer_text(wrong, "is no treatment: it says no side and number of characters; write for "
                           "example mask(right,3), or mask for all of them");
    return false;
}

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xC0) != 0x80;
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    mgl_span text = values->texts[at];
    uint64_t n = 0, seen = 0;
    (void)state;
    for (size_t i = 0; i < text.size; i++)
        n += begins_character(text.data[i]);
    uint64_t hidden = step->count < n ? step->count : n;
    for (size_t i = 0; i < text.size; i++) {
        seen += begins_character(text.data[i]);
        bool masked = step->left ? seen <= hidden : seen > n - hidden;
        if (!masked)
            mgl_buffer_append(out, text.data + i, 1);
        else if (begins_character(text.data[i]))
            mgl_buffer_append(out, "*", 1);
    }
    return true;
}

/* So many bytes at the end in question are stars, or all of them: a star is one byte. */
static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    size_t n = step->count < text.size ? (size_t)step->count : text.size;
    const char *first = step->left ? text.data : text.data + text.size - n;
    (void)notation;
    for (size_t i = 0; i < n; i++)
        if (first[i] != '*')
            return false;
    return true;
}

const mgl_treat_type mgl_treat_mask = {
    .name = "mask",
    .syntax = "mask[(right|left,N)]",
    .help = "the last or first N characters become *; without parentheses all of them",
    .example = "mask(right,3): 02138 -> 02***; mask: Ann -> ***",
    .promise = "masked",
    .read = read,
    .value = value,
    .keeps = keeps,
};
