/* What the tests of the room hierarchy share. */
#ifndef TEST_HIERARCHY_H
#define TEST_HIERARCHY_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "hierarchy/hierarchy.h"
#include "base/fault.h"

/* A dictionary of the words of a list, separated by '|'. "(missing)TOKEN" adds the
 * missing value. */
static inline mgl_dictionary *dictionary_of(const char *list)
{
    mgl_dictionary *dictionary = mgl_dictionary_new();
    assert_non_null(dictionary);
    for (const char *at = list;;) {
        size_t size = strcspn(at, "|");
        mgl_span word = {at, size};
        if (size >= 9 && memcmp(at, "(missing)", 9) == 0)
            mgl_dictionary_add_missing(dictionary, (mgl_span){at + 9, size - 9});
        else
            mgl_dictionary_add(dictionary, word);
        if (at[size] == '\0')
            return dictionary;
        at += size + 1;
    }
}

/* A file with this text; remove it with drop_file. */
typedef struct scratch_file {
    char path[64];
} scratch_file;

static inline scratch_file file_of(const char *text, size_t size)
{
    scratch_file file = {"/tmp/mingle-test-XXXXXX"};
    int fd = mkstemp(file.path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, size), (ssize_t)size);
    close(fd);
    return file;
}

static inline scratch_file text_file(const char *text)
{
    return file_of(text, strlen(text));
}

static inline void drop_file(scratch_file *file)
{
    unlink(file->path);
}

static inline mgl_hierarchy *made(const char *spec, const mgl_dictionary *dictionary)
{
    mgl_hierarchy *hierarchy = NULL;
    mgl_error err = {0};
    if (mgl_hierarchy_make(spec, "col", dictionary, &err, &hierarchy) != MGL_OK)
        fail_msg("%s: %s", spec != NULL ? spec : "NULL", err.message);
    return hierarchy;
}

/* The hierarchy as text, to be freed with mgl_free. */
static inline char *written(const mgl_hierarchy *hierarchy)
{
    mgl_buffer buffer = {0};
    char *text;
    mgl_hierarchy_write(hierarchy, &buffer);
    assert_int_equal(mgl_buffer_take(&buffer, NULL, &text), MGL_OK);
    return text;
}

static inline void expect_of(const char *spec, const char *values, const char *expected)
{
    mgl_dictionary *dictionary = dictionary_of(values);
    mgl_hierarchy *hierarchy = made(spec, dictionary);
    char *text = written(hierarchy);
    assert_string_equal(text, expected);
    mgl_free(text);
    mgl_hierarchy_free(hierarchy);
    mgl_dictionary_free(dictionary);
}

/* The make must fail so, and its message hold this. */
static inline void expect_refusal(const char *spec, const char *values, mgl_status status,
                                  const char *words)
{
    mgl_dictionary *dictionary = dictionary_of(values);
    mgl_hierarchy *hierarchy = NULL;
    mgl_error err = {0};
    mgl_status got = mgl_hierarchy_make(spec, "col", dictionary, &err, &hierarchy);
    if (got == MGL_OK)
        fail_msg("%s was not refused", spec);
    assert_null(hierarchy);
    mgl_hide_values(err.message, sizeof err.message, true);
    if (got != status || strstr(err.message, words) == NULL)
        fail_msg("%s: status %d, message '%s', wanted %d, '%s'", spec, got, err.message, status,
                 words);
    assert_int_equal(err.status, status);
    /* The error is optional. */
    assert_int_equal(mgl_hierarchy_make(spec, "col", dictionary, NULL, &hierarchy), status);
    mgl_dictionary_free(dictionary);
}

/* What every hierarchy promises, checked the plain way. */
static inline void check_promises(const mgl_hierarchy *h)
{
    assert_true(h->height >= 1);
    assert_int_equal(h->levels[0].n_values, h->n_leaves);
    assert_int_equal(h->levels[h->height].n_values, 1);
    assert_null(h->levels[h->height].parent);
    for (uint32_t l = 0; l <= h->height; l++) {
        const mgl_level *level = &h->levels[l];
        uint64_t leaves = 0;
        uint32_t next = 0; /* values are numbered by their first leaf */
        for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
            uint32_t value = level->of_leaf[leaf];
            assert_true(value <= next);
            if (value == next) {
                assert_int_equal(level->first_leaf[value], leaf);
                next++;
            }
            if (l < h->height)
                assert_int_equal(level->parent[value], h->levels[l + 1].of_leaf[leaf]);
        }
        assert_int_equal(next, level->n_values);
        for (uint32_t v = 0; v < level->n_values; v++) {
            leaves += level->leaves[v];
            uint32_t low = level->lowest[v];
            const mgl_level *below = &h->levels[low];
            uint32_t same = below->of_leaf[level->first_leaf[v]];
            assert_true(low <= l);
            assert_true(mgl_span_equal(below->labels[same], level->labels[v]));
            assert_int_equal(below->leaves[same], level->leaves[v]);
            uint32_t found_level, found_value;
            assert_true(mgl_hierarchy_find(h, level->labels[v], &found_level, &found_value));
            if (h->star_leaf == MGL_NOT_FOUND) {
                assert_int_equal(found_level, low);
                assert_int_equal(found_value, same);
            }
        }
        assert_int_equal(leaves, h->n_leaves);
    }
}

#endif
