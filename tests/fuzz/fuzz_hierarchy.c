/* Hierarchies from any builder text, values and file: refused with a message, or sound,
 * and the same again when written and read. The input is a line with the builder
 * (anything else: the file), a line per value, a line "--", and the file. */
#include "fuzz.h"

#include "suggest/suggest.h"

static void check_levels(const mgl_hierarchy *h)
{
    REQUIRE(h->height >= 1);
    REQUIRE(h->levels[0].n_values == h->n_leaves);
    REQUIRE(h->levels[h->height].n_values == 1);
    REQUIRE(h->levels[h->height].parent == NULL);
    for (uint32_t l = 0; l <= h->height; l++) {
        const mgl_level *level = &h->levels[l];
        uint64_t leaves = 0;
        for (uint32_t v = 0; v < level->n_values; v++) {
            leaves += level->leaves[v];
            REQUIRE(level->of_leaf[level->first_leaf[v]] == v);
            REQUIRE(v == 0 || level->first_leaf[v - 1] < level->first_leaf[v]);
            REQUIRE(level->lowest[v] <= l);
            uint32_t at, value;
            if (level->leaves[v] == 1 && level->first_leaf[v] == h->star_leaf)
                continue; /* a plain value that reads like the top */
            REQUIRE(mgl_hierarchy_find(h, level->labels[v], &at, &value));
            REQUIRE(at == level->lowest[v]);
            REQUIRE(mgl_span_equal(h->levels[at].labels[value], level->labels[v]));
        }
        REQUIRE(leaves == h->n_leaves);
        for (uint32_t leaf = 0; l > 0 && leaf < h->n_leaves; leaf++)
            REQUIRE(h->levels[l - 1].parent[h->levels[l - 1].of_leaf[leaf]] ==
                    level->of_leaf[leaf]);
    }
}

static void check_bound(const mgl_hierarchy *h, const mgl_dictionary *dictionary)
{
    uint32_t n = mgl_dictionary_size(dictionary);
    uint32_t *leaves = mgl_alloc_array(n, sizeof *leaves);
    REQUIRE(leaves != NULL);
    REQUIRE(mgl_hierarchy_bind(h, "column", dictionary, NULL, leaves) == MGL_OK);
    for (uint32_t code = 0; code < n; code++)
        REQUIRE(leaves[code] < h->n_leaves);
    mgl_free(leaves);
}

/* The file that `hierarchy build` writes gives the same hierarchy. */
static void check_written(const mgl_hierarchy *h, const mgl_dictionary *dictionary)
{
    mgl_buffer text = {0}, drawn = {0};
    mgl_hierarchy_draw(h, 3, &drawn);
    mgl_hierarchy_draw(h, 0, &drawn);
    /* A mark in front, so that a value like %PDF is not taken for another kind of file. */
    mgl_buffer_text(&text, "\xef\xbb\xbf");
    mgl_hierarchy_write(h, &text);
    REQUIRE(!text.failed && !drawn.failed && text.size > 3);
    if (h->missing_leaf == MGL_NOT_FOUND && h->star_leaf == MGL_NOT_FOUND) {
        fuzz_file file = fuzz_file_of(text.data, text.size);
        mgl_hierarchy *again;
        mgl_error err;
        mgl_status status = mgl_hierarchy_make(file.path, "column", dictionary, &err, &again);
        if (status != MGL_OK)
            fprintf(stderr, "%s\n%.*s", err.message, (int)text.size, text.data);
        REQUIRE(status == MGL_OK);
        REQUIRE(again->height == h->height && again->n_leaves == h->n_leaves);
        for (uint32_t l = 0; l <= h->height; l++)
            for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
                REQUIRE(mgl_span_equal(again->levels[l].labels[again->levels[l].of_leaf[leaf]],
                                       h->levels[l].labels[h->levels[l].of_leaf[leaf]]));
        mgl_hierarchy_free(again);
        mgl_sys_close(file.fd);
    }
    mgl_buffer_free(&text);
    mgl_buffer_free(&drawn);
}

/* What a table can hold: valid UTF-8 without NUL. NA is the missing value. */
static mgl_dictionary *take_values(mgl_span *rest)
{
    mgl_dictionary *dictionary = mgl_dictionary_new();
    REQUIRE(dictionary != NULL);
    while (rest->size > 0) {
        mgl_span line = fuzz_line(rest);
        if (mgl_span_is(line, "--"))
            break;
        if (mgl_utf8_valid(line.data, line.size) != line.size ||
            memchr(line.data, '\0', line.size) != NULL)
            continue;
        if (mgl_span_is(line, "NA"))
            mgl_dictionary_add_missing(dictionary, line);
        else
            mgl_dictionary_add(dictionary, line);
    }
    return dictionary;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_span rest = {(const char *)data, size};
    mgl_span first = fuzz_line(&rest);
    char spec[300];
    snprintf(spec, sizeof spec, "%.*s", (int)(first.size < 250 ? first.size : 250), first.data);
    mgl_dictionary *dictionary = take_values(&rest);
    if (mgl_dictionary_size(dictionary) == 0) {
        mgl_dictionary_free(dictionary);
        return 0;
    }
    /* Only our own file is ever opened, whatever the input names. */
    fuzz_file file = fuzz_file_of(rest.data, rest.size);
    if (!mgl_hierarchy_is_builder(spec))
        snprintf(spec, sizeof spec, "%s", file.path);
    else if (strstr(spec, "groups") != NULL)
        snprintf(spec, sizeof spec, "groups(%s)", file.path);
    else if (mgl_hierarchy_path(spec).size > 0)
        snprintf(spec, sizeof spec, "order(%s; 2)", file.path);

    mgl_hierarchy *hierarchy;
    mgl_error err = {0};
    mgl_status status = mgl_hierarchy_make(spec, "column", dictionary, &err, &hierarchy);
    if (status == MGL_OK) {
        check_levels(hierarchy);
        check_bound(hierarchy, dictionary);
        check_written(hierarchy, dictionary);
        mgl_hierarchy_free(hierarchy);
    } else {
        REQUIRE(status == MGL_USAGE || status == MGL_DATA);
        REQUIRE(err.status == status && err.message[0] != '\0');
    }
    mgl_suggestion suggestion;
    REQUIRE(mgl_suggest("column", dictionary, MGL_GIVEN_NOTHING, &err, &suggestion) == MGL_OK);
    mgl_suggestion_free(&suggestion);
    mgl_sys_close(file.fd);
    mgl_dictionary_free(dictionary);
    return 0;
}
