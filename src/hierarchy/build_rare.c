/* Builds rare(N): values with fewer than N rows become one, 'other', on level 1. Which values are
 * kept is found from the rows of the table and written out for others: rare(5; as other; keep A,B).
 * There a value that is not kept is a rare one, whether anybody has seen it before or not. A row of
 * the table in builders.c. */
#include "hierarchy/builders.h"

typedef struct rare {
    mgl_build *build;
    uint64_t least; /* rows of a value that is kept */
    mgl_map *kept;  /* values, where they are written out; NULL: rows tell */
    char *label;    /* of the others; NULL: to be chosen */
} rare;

static mgl_status fail_argument(const rare *r, mgl_span argument, mgl_error *err)
{
    return mgl_draft_fail(r->build->draft, 0, err,
                          "'%.*s' is not known here; write rare(5), or rare(5; as other; keep A,B)",
                          mgl_span_width(argument), argument.data);
}

static mgl_status take_label(rare *r, mgl_span text, mgl_error *err)
{
    mgl_buffer label = {0};
    bool quoted, ended;
    bool good = mgl_take_token(&text, ';', &label, &quoted, &ended) && ended && label.size > 0;
    if (!good && !label.failed) {
        mgl_buffer_free(&label);
        return mgl_draft_fail(r->build->draft, 0, err,
                              "the name of the group is missing; write rare(5; as other; ...)");
    }
    mgl_free(r->label);
    r->label = NULL;
    return mgl_buffer_take(&label, err, &r->label);
}

static mgl_status take_kept(rare *r, mgl_span text, mgl_error *err)
{
    mgl_buffer value = {0};
    bool quoted, ended = false, good = true, room = true;
    r->kept = r->kept != NULL ? r->kept : mgl_map_new();
    room = r->kept != NULL;
    while (room && good && !ended) {
        good = mgl_take_token(&text, ',', &value, &quoted, &ended);
        if (good && (value.size > 0 || quoted))
            room = !value.failed &&
                   mgl_map_add(r->kept, (mgl_span){value.data != NULL ? value.data : "",
                                                   value.size}) != MGL_NOT_FOUND;
    }
    mgl_buffer_free(&value);
    MGL_TRY(mgl_check_memory(room, err));
    return good ? MGL_OK
                : mgl_draft_fail(r->build->draft, 0, err,
                                 "a double quote is not closed, or text follows it; write "
                                 "\"value, with comma\", and \"\" for a quote inside");
}

/* Up to the next semicolon that is not between quotes. */
static mgl_span next_argument(mgl_span *rest)
{
    bool quoted = false;
    size_t size = 0;
    while (size < rest->size && (quoted || rest->data[size] != ';'))
        quoted = quoted != (rest->data[size++] == '"');
    mgl_span argument = mgl_span_trim((mgl_span){rest->data, size});
    bool more = size < rest->size;
    *rest = (mgl_span){rest->data + size + more, rest->size - size - more};
    return argument;
}

static bool begins(mgl_span argument, const char *word, mgl_span *after)
{
    size_t size = strlen(word);
    if (argument.size < size || memcmp(argument.data, word, size) != 0 ||
        (argument.size > size && argument.data[size] != ' '))
        return false;
    *after = mgl_span_trim((mgl_span){argument.data + size, argument.size - size});
    return true;
}

static mgl_status parse(rare *r, mgl_error *err)
{
    mgl_span rest = r->build->arguments, argument = next_argument(&rest), after;
    if (!mgl_parse_u64(argument, &r->least) || r->least < 1)
        return mgl_draft_fail(r->build->draft, 0, err,
                              "'%.*s' is no number of rows; write rare(5): values with fewer rows "
                              "become one",
                              mgl_span_width(argument), argument.data);
    while (rest.size > 0) {
        argument = next_argument(&rest);
        if (begins(argument, "as", &after))
            MGL_TRY(take_label(r, after, err));
        else if (begins(argument, "keep", &after))
            MGL_TRY(take_kept(r, after, err));
        else
            return fail_argument(r, argument, err);
    }
    return MGL_OK;
}

static bool is_kept(const rare *r, mgl_span value)
{
    if (r->kept != NULL)
        return mgl_map_find(r->kept, value) != MGL_NOT_FOUND;
    const mgl_dictionary *dictionary = r->build->dictionary;
    return mgl_dictionary_rows(dictionary, mgl_dictionary_find(dictionary, value)) >= r->least;
}

static bool is_value(const rare *r, const char *text)
{
    mgl_span label = mgl_span_of(text);
    return mgl_dictionary_find(r->build->dictionary, label) != MGL_NOT_FOUND ||
           (r->kept != NULL && mgl_map_find(r->kept, label) != MGL_NOT_FOUND) ||
           mgl_draft_is_missing(r->build->draft, label);
}

/* The group must not be called like a value of the column, which a cell could mean, too. */
static mgl_status choose_label(rare *r, mgl_error *err)
{
    mgl_buffer label = {0};
    if (r->label != NULL && !is_value(r, r->label) && strcmp(r->label, "*") != 0)
        return MGL_OK;
    mgl_free(r->label);
    r->label = NULL;
    for (unsigned n = 0; !label.failed; n++) {
        label.size = 0;
        mgl_buffer_text(&label, n == 0 ? "other" : "other values");
        if (n > 1)
            mgl_buffer_format(&label, " %u", n);
        mgl_buffer_append(&label, "", 1);
        if (!label.failed && !is_value(r, label.data))
            break;
    }
    label.size -= !label.failed;
    return mgl_buffer_take(&label, err, &r->label);
}

static void write_value(mgl_buffer *out, mgl_span value)
{
    bool outer = value.size == 0 || mgl_span_trim(value).size < value.size;
    bool plain = !outer;
    for (size_t i = 0; plain && i < value.size; i++)
        plain = strchr(",;:\"", value.data[i]) == NULL;
    if (plain) {
        mgl_buffer_span(out, value);
        return;
    }
    mgl_buffer_append(out, "\"", 1);
    for (size_t i = 0; i < value.size; i++)
        mgl_buffer_append(out, value.data[i] == '"' ? "\"\"" : value.data + i,
                          value.data[i] == '"' ? 2 : 1);
    mgl_buffer_append(out, "\"", 1);
}

/* Values that few rows have are not written down. */
static void resolve(const rare *r)
{
    mgl_buffer *out = &r->build->draft->resolved;
    const mgl_ground *ground = r->build->ground;
    const char *between = "";
    if (r->kept != NULL)
        return;
    mgl_buffer_format(out, "rare(%llu; as ", (unsigned long long)r->least);
    write_value(out, mgl_span_of(r->label));
    mgl_buffer_text(out, "; keep ");
    for (size_t i = 0; i < ground->n; i++)
        if (is_kept(r, ground->values[i].text)) {
            mgl_buffer_text(out, between);
            write_value(out, ground->values[i].text);
            between = ",";
        }
    mgl_buffer_text(out, ")");
}

static mgl_status add_rows(const rare *r, mgl_error *err)
{
    mgl_build *build = r->build;
    build->draft->n_levels = 2;
    for (size_t i = 0; i < build->ground->n; i++) {
        mgl_span value = build->ground->values[i].text;
        MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
        MGL_TRY(
            mgl_draft_put(build->draft, 1, is_kept(r, value) ? value : mgl_span_of(r->label), err));
    }
    return MGL_OK;
}

static mgl_status build(rare *r, mgl_error *err)
{
    MGL_TRY(parse(r, err));
    if (r->kept == NULL && !mgl_dictionary_knows_rows(r->build->dictionary))
        return mgl_draft_fail(r->build->draft, 0, err,
                              "how many rows have each value is not known here; write out which "
                              "ones are kept: rare(%llu; as other; keep A,B)",
                              (unsigned long long)r->least);
    MGL_TRY(choose_label(r, err));
    resolve(r);
    return add_rows(r, err);
}

mgl_status mgl_build_rare(mgl_build *b, mgl_error *err)
{
    rare r = {.build = b};
    mgl_status status = build(&r, err);
    mgl_map_free(r.kept);
    mgl_free(r.label);
    return status;
}
