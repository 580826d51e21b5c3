/* base: the map that numbers texts. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"

#include <stdio.h>

enum { MANY = 100000 };

static mgl_span name(char *room, size_t size, unsigned i)
{
    return (mgl_span){room, (size_t)snprintf(room, size, "value-%u-%x", i, i * 2654435761u)};
}

static void many_texts_keep_their_numbers(void **state)
{
    (void)state;
    char room[64];
    mgl_map *map = mgl_map_new();
    assert_non_null(map);
    for (unsigned i = 0; i < MANY; i++)
        assert_int_equal(mgl_map_add(map, name(room, sizeof room, i)), i);
    for (unsigned i = 0; i < MANY; i++) {
        mgl_span text = name(room, sizeof room, i);
        assert_int_equal(mgl_map_add(map, text), i);
        assert_int_equal(mgl_map_find(map, text), i);
        assert_true(mgl_span_equal(mgl_map_text(map, i), text));
        assert_int_equal(mgl_map_text(map, i).data[text.size], '\0');
    }
    assert_int_equal(mgl_map_size(map), MANY);
    for (unsigned i = MANY; i < 2 * MANY; i++)
        assert_int_equal(mgl_map_find(map, name(room, sizeof room, i)), MGL_NOT_FOUND);
    mgl_map_free(map);
}

static void texts_are_told_apart_by_every_byte(void **state)
{
    (void)state;
    static const mgl_span texts[] = {{"", 0},         {"\0", 1}, {"\0\0", 2}, {"a", 1},
                                     {"a\0", 2},      {"ab", 2}, {"A", 1},    {"a\0b", 3},
                                     {"a\0c", 3},     {" a", 2}, {"a ", 2},   {"\xc3\xa4", 2},
                                     {"a\xcc\x88", 3}};
    enum { TEXTS = sizeof texts / sizeof *texts };
    mgl_map *map = mgl_map_new();
    for (unsigned i = 0; i < TEXTS; i++)
        assert_int_equal(mgl_map_add(map, texts[i]), i);
    for (unsigned i = 0; i < TEXTS; i++)
        assert_int_equal(mgl_map_find(map, texts[i]), i);
    assert_int_equal(mgl_map_find(map, (mgl_span){NULL, 0}), 0);
    mgl_map_free(map);
}

static void texts_are_copied(void **state)
{
    (void)state;
    char text[] = "before";
    mgl_map *map = mgl_map_new();
    mgl_map_add(map, mgl_span_of(text));
    memcpy(text, "after!", 6);
    assert_int_equal(mgl_map_find(map, mgl_span_of("before")), 0);
    assert_int_equal(mgl_map_find(map, mgl_span_of("after!")), MGL_NOT_FOUND);
    mgl_map_free(map);
}

#ifdef MGL_FAULTS
/* Whichever allocation fails, the map stays whole and the same add works next time. */
static void a_failed_add_changes_nothing(void **state)
{
    (void)state;
    char room[64];
    for (uint64_t number = 1;; number++) {
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_map *map = mgl_map_new();
        if (map == NULL) {
            map = mgl_map_new();
            assert_non_null(map);
        }
        unsigned failures = 0;
        for (unsigned i = 0; i < 300; i++) {
            uint32_t got = mgl_map_add(map, name(room, sizeof room, i));
            if (got == MGL_NOT_FOUND) {
                failures++;
                assert_int_equal(mgl_map_size(map), i);
                got = mgl_map_add(map, name(room, sizeof room, i));
            }
            assert_int_equal(got, i);
        }
        for (unsigned i = 0; i < 300; i++)
            assert_int_equal(mgl_map_find(map, name(room, sizeof room, i)), i);
        mgl_map_free(map);
        assert_in_range(failures, 0, 1);
        if (mgl_fault_count(MGL_FAULT_MEMORY) < number)
            break;
    }
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_texts_keep_their_numbers),
        cmocka_unit_test(texts_are_told_apart_by_every_byte),
        cmocka_unit_test(texts_are_copied),
#ifdef MGL_FAULTS
        cmocka_unit_test(a_failed_add_changes_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
