/* pseudonym: values become names that only the key resolves: the same value has the same name in
 * all tables and releases of one key. A row of the table in treat_types.c. */
#include "treat/treat_rows.h"

/* How a pseudonym is written: by so many letters of an alphabet. */
static const struct {
    const char *name, *alphabet;
    uint64_t usual, most;
} formats[] = {
    {"base32", "abcdefghijklmnopqrstuvwxyz234567", 26, 51},
    {"hex", "0123456789abcdef", 32, 64},
    {"digits", "0123456789", 20, 60},
};

enum { FORMATS = sizeof formats / sizeof formats[0], SHORTEST = 4, LONGEST = 64 };

/* The number of the format; FORMATS: there is none. */
static size_t format_of(mgl_span name)
{
    size_t i = 0;
    while (i < FORMATS && !mgl_span_is(name, formats[i].name))
        i++;
    return i;
}

/* Nothing, "hex", "hex,16" or "16". */
static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    mgl_span text = step->arguments, length = {"", 0};
    const char *comma = text.size > 0 ? memchr(text.data, ',', text.size) : NULL;
    size_t size = comma != NULL ? (size_t)(comma - text.data) : text.size;
    mgl_span name = mgl_span_trim((mgl_span){text.data, size});
    bool number = comma == NULL && mgl_parse_u64(name, &step->count);
    (void)arena;
    if (comma != NULL)
        length = mgl_span_trim((mgl_span){comma + 1, text.size - size - 1});
    step->word = number || text.size == 0 ? mgl_span_of(formats[0].name) : name;
    size_t format = format_of(step->word);
    if (format < FORMATS && !number && comma == NULL)
        step->count = formats[format].usual;
    if (format < FORMATS && (comma == NULL || mgl_parse_u64(length, &step->count)) &&
        step->count >= SHORTEST && step->count <= formats[format].most)
        return true;
    mgl_buffer_text(wrong, "is no treatment: pseudonyms are written base32 with 4 to 51 letters, "
                           "hex with 4 to 64 or digits with 4 to 60; write for example "
                           "pseudonym, pseudonym(16) or pseudonym(digits,12)");
    return false;
}

/* ---- Names --------------------------------------------------------------------------------------
 */

/* Divides a number of 256 bits and returns the rest. */
static unsigned divide(unsigned char number[MGL_KEYED_HASH], unsigned by)
{
    unsigned rest = 0;
    for (size_t i = 0; i < MGL_KEYED_HASH; i++) {
        unsigned part = rest << 8 | number[i];
        number[i] = (unsigned char)(part / by);
        rest = part % by;
    }
    return rest;
}

/* The last letters of the hash as a number in the base of the alphabet. */
static void write_name(const unsigned char hash[MGL_KEYED_HASH], size_t format, uint64_t length,
                       char out[LONGEST])
{
    unsigned char number[MGL_KEYED_HASH];
    unsigned base = (unsigned)strlen(formats[format].alphabet);
    memcpy(number, hash, sizeof number);
    for (uint64_t i = length; i-- > 0;)
        out[i] = formats[format].alphabet[divide(number, base)];
}

typedef struct names {
    unsigned char (*hashes)[MGL_KEYED_HASH]; /* [n] */
    size_t format;
} names;

static bool is_missing(const mgl_treat_values *values, uint32_t at)
{
    return (values->codes != NULL ? values->codes[at] : at) == values->missing;
}

/* Are the names of that length as many as the values, and none of them a value of the table? */
static mgl_status try_length(const names *state, const mgl_treat_values *values, uint64_t length,
                             mgl_error *err, bool *out)
{
    mgl_map *texts = mgl_map_new(), *made = mgl_map_new();
    bool room = texts != NULL && made != NULL;
    *out = true;
    for (uint32_t at = 0; room && at < values->n; at++) {
        char name[LONGEST];
        mgl_span written = {name, (size_t)length};
        if (is_missing(values, at))
            continue;
        write_name(state->hashes[at], state->format, length, name);
        room = mgl_map_add(texts, values->texts[at]) != MGL_NOT_FOUND &&
               mgl_map_add(made, written) != MGL_NOT_FOUND;
        *out = *out && mgl_dictionary_find(values->column->dictionary, written) == MGL_NOT_FOUND;
    }
    *out = *out && room && mgl_map_size(texts) == mgl_map_size(made);
    mgl_map_free(texts);
    mgl_map_free(made);
    return room ? MGL_OK : mgl_fail_memory(err);
}

/* Says which length would do. */
static mgl_status fail_collision(const names *state, const mgl_treat_step *step,
                                 const mgl_treat_values *values, mgl_error *err)
{
    uint64_t length = step->count;
    bool fine = false;
    while (!fine && length < formats[state->format].most)
        MGL_TRY(try_length(state, values, ++length, err, &fine));
    return mgl_fail(err, MGL_CODE_UNMET,
                    "column '%.60s': two values would get the same pseudonym, or one that is a "
                    "value of the table, with %llu letters of %s; %llu are needed: write "
                    "pseudonym(%s,%llu)",
                    values->column->name, (unsigned long long)step->count,
                    formats[state->format].name, (unsigned long long)length,
                    formats[state->format].name, (unsigned long long)length);
}

static mgl_status begin(const mgl_treat_step *step, const mgl_treat_values *values, mgl_error *err,
                        void **out)
{
    names *state = mgl_arena_alloc(values->arena, sizeof *state);
    bool fine = true;
    MGL_TRY(mgl_check_memory(state != NULL, err));
    state->format = format_of(step->word);
    state->hashes = mgl_arena_alloc(values->arena, ((size_t)values->n + 1) * MGL_KEYED_HASH);
    MGL_TRY(mgl_check_memory(state->hashes != NULL, err));
    for (uint32_t at = 0; at < values->n; at++)
        if (!is_missing(values, at))
            mgl_keyed_hash(values->key, "pseudonym:", values->texts[at], state->hashes[at]);
    MGL_TRY(try_length(state, values, step->count, err, &fine));
    *out = state;
    return fine ? MGL_OK : fail_collision(state, step, values, err);
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    const names *made = state;
    char name[LONGEST];
    (void)values;
    write_name(made->hashes[at], made->format, step->count, name);
    mgl_buffer_append(out, name, (size_t)step->count);
    return true;
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    size_t format = format_of(step->word);
    (void)notation;
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] == '\0' || strchr(formats[format].alphabet, text.data[i]) == NULL)
            return false;
    return text.size == step->count;
}

const mgl_treat_type mgl_treat_pseudonym = {
    .name = "pseudonym",
    .syntax = "pseudonym[([base32|hex|digits,] LENGTH)]",
    .help = "values become names made with a secret (`key`); the same value has the same name in "
            "all tables and releases of that key",
    .example = "pseudonym: 81-4711 -> m7ttc2nq5wxkz3ihrjvadoe64l; pseudonym(digits,12): 81-4711 -> "
               "402915577310",
    .promise = "a name of that length",
    .renames = true,
    .one_to_one = true,
    .needs_key = true,
    .read = read,
    .begin = begin,
    .value = value,
    .keeps = keeps,
};
