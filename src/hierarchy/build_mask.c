/* mask(right,2): 02138 -> 0213* -> 021** -> *. Characters are code points: a mask
 * that cut bytes would leave broken text behind. */
#include "hierarchy/builders.h"

typedef struct mask {
    bool right;
    uint32_t n_levels; /* of masking */
} mask;

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

static size_t length_of(mgl_span text)
{
    size_t length = 0;
    for (size_t i = 0; i < text.size; i++)
        length += starts_character(text.data[i]);
    return length;
}

static mgl_status parse(mgl_build *build, mgl_error *err, mask *out)
{
    mgl_span rest = build->arguments, side, count;
    uint64_t n_levels = 0;
    mgl_next_argument(&rest, &side);
    if (!mgl_span_is(side, "right") && !mgl_span_is(side, "left"))
        return mgl_draft_fail(build->draft, err, 0,
                              "'%.*s' is no side; write mask(right) or mask(left)",
                              mgl_span_width(side), side.data);
    if (mgl_next_argument(&rest, &count)) {
        if (!mgl_parse_u64(count, &n_levels) || n_levels < 1 || n_levels > MGL_MOST_LEVELS)
            return mgl_draft_fail(build->draft, err, 0,
                                  "'%.*s' is no number of levels from 1 to %d",
                                  mgl_span_width(count), count.data, MGL_MOST_LEVELS);
        if (mgl_next_argument(&rest, &count))
            return mgl_draft_fail(build->draft, err, 0, "too many arguments; write mask(right,%u)",
                                  (unsigned)n_levels);
    }
    *out = (mask){mgl_span_is(side, "right"), (uint32_t)n_levels};
    return MGL_OK;
}

/* Without a number of levels: until one character is left of the longest value. */
static mgl_status choose_levels(mgl_build *build, mgl_error *err, mask *m)
{
    size_t longest = 0;
    for (size_t i = 0; i < build->ground->n; i++) {
        size_t length = length_of(build->ground->values[i].text);
        longest = length > longest ? length : longest;
    }
    if (longest > MGL_MOST_LEVELS)
        return mgl_draft_fail(build->draft, err, 0,
                              "the longest value has %zu characters, too many for a level each; "
                              "give the number of levels: mask(%s,5)",
                              longest, m->right ? "right" : "left");
    m->n_levels = longest > 0 ? (uint32_t)longest - 1 : 0;
    return MGL_OK;
}

/* The value with `masked` of its characters replaced. */
static void write_masked(mgl_buffer *out, mgl_span text, size_t length, size_t masked, bool right)
{
    size_t kept = right ? length - masked : masked, at = 0;
    for (size_t seen = 0; at < text.size; at++) {
        if (starts_character(text.data[at]) && seen++ == kept)
            break;
    }
    out->size = 0;
    if (right)
        mgl_buffer_append(out, text.data, at);
    for (size_t i = 0; i < masked; i++)
        mgl_buffer_append(out, "*", 1);
    if (!right)
        mgl_buffer_append(out, text.data + at, text.size - at);
}

static mgl_status add_value(mgl_build *build, const mgl_ground_value *value, mask m,
                            mgl_buffer *label, mgl_error *err)
{
    size_t length = length_of(value->text);
    MGL_TRY(mgl_build_row(build, value, err));
    for (uint32_t level = 1; level <= m.n_levels; level++) {
        size_t masked = level < length ? level : length;
        write_masked(label, value->text, length, masked, m.right);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, level, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

/* A masked one-character value would read '*', which is the top. */
static mgl_status check_lengths(mgl_build *build, mask m, mgl_error *err)
{
    size_t shortest_at = 0, n_short = 0;
    for (size_t i = 0; i < build->ground->n; i++) {
        if (length_of(build->ground->values[i].text) == 1) {
            shortest_at = i;
            n_short++;
        }
    }
    /* If there is nothing else it covers all there is, too. */
    bool nothing_else =
        n_short == build->ground->n && !build->draft->has_missing && !build->draft->has_star;
    if (m.n_levels == 0 || n_short == 0 || nothing_else)
        return MGL_OK;
    char value[MGL_SHOWN];
    return mgl_draft_fail(build->draft, err, 0,
                          "the value '%s' has one character: masked it would read '*', the name "
                          "of the top that covers all values; write the values with equal lengths "
                          "(05 instead of 5), or give a hierarchy file",
                          mgl_shown(build->ground->values[shortest_at].text, value));
}

mgl_status mgl_build_mask(mgl_build *build, mgl_error *err)
{
    mask m = {0};
    mgl_buffer label = {0};
    MGL_TRY(parse(build, err, &m));
    if (m.n_levels == 0)
        MGL_TRY(choose_levels(build, err, &m));
    if (m.n_levels > 0)
        mgl_buffer_format(&build->draft->resolved, "mask(%s,%u)", m.right ? "right" : "left",
                          m.n_levels);
    MGL_TRY(check_lengths(build, m, err));
    build->draft->n_levels = m.n_levels + 1;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_value(build, &build->ground->values[i], m, &label, err);
    mgl_buffer_free(&label);
    return status;
}
