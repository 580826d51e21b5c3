/* Builds mask(right,2): 02138 -> 0213* -> 021** -> *, and mask(right; 2,4): 02138 -> 021** -> 0****
 * -> *. A value that is shorter is masked as a whole, the beginning of a longer one stays.
 * Characters are code points: a mask that cut bytes would leave broken text behind. A row of the
 * table in builders.c. */
#include "hierarchy/builders.h"

typedef struct mask {
    bool right;
    uint32_t n_levels;                /* of masking; 0: as many as the longest value has */
    uint32_t masked[MGL_MOST_LEVELS]; /* [n_levels] characters */
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

static void mask_one_by_one(mask *m, uint32_t n_levels)
{
    m->n_levels = n_levels;
    for (uint32_t level = 0; level < n_levels; level++)
        m->masked[level] = level + 1;
}

/* mask(right,3): one character more on each of three levels. */
static mgl_status parse_levels(mgl_build *build, mgl_span *rest, mgl_error *err, mask *out)
{
    mgl_span count;
    uint64_t n_levels = 0;
    if (!mgl_next_argument(rest, &count))
        return MGL_OK;
    if (!mgl_parse_u64(count, &n_levels) || n_levels < 1 || n_levels > MGL_MOST_LEVELS)
        return mgl_draft_fail(build->draft, 0, err, "'%.*s' is no number of levels from 1 to %d",
                              mgl_span_width(count), count.data, MGL_MOST_LEVELS);
    if (mgl_next_argument(rest, &count))
        return mgl_draft_fail(build->draft, 0, err,
                              "too many arguments; write mask(right,%u), or mask(right; 2,4) for "
                              "the characters of each level",
                              (unsigned)n_levels);
    mask_one_by_one(out, (uint32_t)n_levels);
    return MGL_OK;
}

/* mask(right; 2,4): so many characters on each level. */
static mgl_status parse_counts(mgl_build *build, mgl_span rest, mgl_error *err, mask *out)
{
    mgl_span count;
    while (mgl_next_argument(&rest, &count)) {
        uint64_t masked, before = out->n_levels > 0 ? out->masked[out->n_levels - 1] : 0;
        if (!mgl_parse_u64(count, &masked) || masked <= before || masked > MGL_MOST_LEVELS)
            return mgl_draft_fail(build->draft, 0, err,
                                  "'%.*s' is no number of characters above the one before, and at "
                                  "most %d; write mask(right; 2,4)",
                                  mgl_span_width(count), count.data, MGL_MOST_LEVELS);
        out->masked[out->n_levels++] = (uint32_t)masked;
    }
    return MGL_OK;
}

static mgl_status parse(mgl_build *build, mgl_error *err, mask *out)
{
    mgl_span rest = build->arguments, side, front = rest;
    const char *semicolon = memchr(rest.data, ';', rest.size);
    if (semicolon != NULL)
        front.size = (size_t)(semicolon - rest.data);
    mgl_next_argument(&front, &side);
    if (!mgl_span_is(side, "right") && !mgl_span_is(side, "left"))
        return mgl_draft_fail(build->draft, 0, err,
                              "'%.*s' is no side; write mask(right) or mask(left)",
                              mgl_span_width(side), side.data);
    out->right = mgl_span_is(side, "right");
    if (semicolon == NULL)
        return parse_levels(build, &front, err, out);
    if (front.data != NULL)
        return mgl_draft_fail(build->draft, 0, err,
                              "both a number of levels and the characters of each level; write "
                              "mask(right,3) or mask(right; 2,4)");
    size_t size = (size_t)(semicolon - rest.data) + 1;
    return parse_counts(build, (mgl_span){rest.data + size, rest.size - size}, err, out);
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
        return mgl_draft_fail(build->draft, 0, err,
                              "the longest value has %zu characters, too many for a level each; "
                              "give the number of levels: mask(%s,5)",
                              longest, m->right ? "right" : "left");
    mask_one_by_one(m, longest > 0 ? (uint32_t)longest - 1 : 0);
    if (m->n_levels > 0)
        mgl_buffer_format(&build->draft->resolved, "mask(%s,%u)", m->right ? "right" : "left",
                          m->n_levels);
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

static mgl_status add_value(mgl_build *build, const mgl_ground_value *value, const mask *m,
                            mgl_buffer *label, mgl_error *err)
{
    size_t length = length_of(value->text);
    MGL_TRY(mgl_build_row(build, value, err));
    for (uint32_t level = 1; level <= m->n_levels; level++) {
        size_t masked = m->masked[level - 1] < length ? m->masked[level - 1] : length;
        write_masked(label, value->text, length, masked, m->right);
        if (label->failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(build->draft, level, (mgl_span){label->data, label->size}, err));
    }
    return MGL_OK;
}

/* A masked one-character value would read '*', which is the top. */
static mgl_status check_lengths(mgl_build *build, const mask *m, mgl_error *err)
{
    size_t shortest_at = 0, n_short = 0;
    for (size_t i = 0; i < build->ground->n; i++) {
        if (length_of(build->ground->values[i].text) == 1) {
            shortest_at = i;
            n_short++;
        }
    }
    /* If it is the only value, it covers all there is, too. */
    bool nothing_else =
        n_short == build->ground->n && !build->draft->has_missing && !build->draft->has_star;
    if (m->n_levels == 0 || n_short == 0 || nothing_else)
        return MGL_OK;
    char value[MGL_SHOWN];
    return mgl_draft_fail(build->draft, 0, err,
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
    MGL_TRY(check_lengths(build, &m, err));
    build->draft->n_levels = m.n_levels + 1;
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < build->ground->n && status == MGL_OK; i++)
        status = add_value(build, &build->ground->values[i], &m, &label, err);
    mgl_buffer_free(&label);
    return status;
}
