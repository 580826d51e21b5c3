/* base: allocation, growing arrays, arenas. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    assert_null(mgl_alloc_array(SIZE_MAX / 2, 3));
    assert_null(mgl_zeroed_array(SIZE_MAX / 2, 3));
    assert_null(mgl_realloc_array(NULL, SIZE_MAX / 2, 3));
    int *numbers = NULL;
    size_t capacity = 0;
    assert_false(mgl_grow(&numbers, &capacity, SIZE_MAX / 2, sizeof *numbers));
    assert_null(numbers);
    assert_int_equal(capacity, 0);
}

static void allocations_of_size_zero_can_be_freed(void **state)
{
    (void)state;
    void *empty = mgl_alloc(0), *array = mgl_alloc_array(0, 8), *zeroed = mgl_zeroed_array(0, 0);
    assert_non_null(empty);
    assert_non_null(array);
    assert_non_null(zeroed);
    mgl_free(empty);
    mgl_free(array);
    mgl_free(zeroed);
    mgl_free(NULL);
}

static void zeroed_arrays_are_all_zero(void **state)
{
    (void)state;
    unsigned char *bytes = mgl_zeroed_array(1000, 7);
    for (size_t i = 0; i < 7000; i++)
        assert_int_equal(bytes[i], 0);
    mgl_free(bytes);
}

static void growing_keeps_what_was_there(void **state)
{
    (void)state;
    uint64_t *numbers = NULL;
    size_t capacity = 0, moves = 0;
    for (size_t i = 0; i < 100000; i++) {
        size_t before = capacity;
        assert_true(mgl_grow(&numbers, &capacity, i + 1, sizeof *numbers));
        assert_true(capacity > i);
        moves += capacity != before;
        numbers[i] = i * i;
    }
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(numbers[i], i * i);
    assert_in_range(moves, 1, 40); /* by half, not one by one */
    mgl_free(numbers);
}

static void arena_pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    enum { PIECES = 5000 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    mgl_arena *arena = mgl_arena_new();
    assert_non_null(arena);
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = i % 97 == 0 ? 100000 : i % 61; /* some larger than a block, some empty */
        pieces[i] = mgl_arena_alloc(arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i & 0xff), sizes[i]);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            if (pieces[i][j] != (i & 0xff))
                fail_msg("piece %zu was overwritten at %zu", i, j);
    mgl_arena_free(arena);
    mgl_arena_free(NULL);
}

static void arena_copies_end_in_nul(void **state)
{
    (void)state;
    mgl_arena *arena = mgl_arena_new();
    assert_string_equal(mgl_arena_copy(arena, "abcdef", 3), "abc");
    assert_string_equal(mgl_arena_copy(arena, NULL, 0), "");
    assert_memory_equal(mgl_arena_copy(arena, "a\0b", 3), "a\0b", 4);
    assert_null(mgl_arena_alloc(arena, SIZE_MAX));
    mgl_arena_free(arena);
}

/* Does the system know that this address is to lie on large pages? */
static bool is_on_large_pages(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    bool here = false, large = false;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        unsigned long first, end;
        if (sscanf(line, "%lx-%lx ", &first, &end) == 2)
            here = first <= (uintptr_t)address && (uintptr_t)address < end;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            large = strstr(line, " hg") != NULL;
    }
    if (maps != NULL)
        fclose(maps);
    return large;
}

static void large_blocks_lie_on_large_pages(void **state)
{
    (void)state;
    if (access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0 ||
        access("/proc/self/smaps", R_OK) != 0)
        skip(); /* the system has none, or does not tell */
    size_t size = (size_t)16 << 20;
    char *fresh = mgl_alloc(size), *zeroed = mgl_zeroed_array(size, 1);
    assert_non_null(fresh);
    assert_non_null(zeroed);
    assert_true(is_on_large_pages(fresh + size / 2));
    assert_true(is_on_large_pages(zeroed + size / 2));
    mgl_free(fresh);
    mgl_free(zeroed);
}

#ifdef MGL_FAULTS
static void each_allocation_can_fail(void **state)
{
    (void)state;
    mgl_fault_arm(MGL_FAULT_MEMORY, 2);
    void *first = mgl_alloc(10), *second = mgl_alloc(10), *third = mgl_alloc(10);
    assert_non_null(first);
    assert_null(second);
    assert_non_null(third);
    assert_int_equal(mgl_fault_count(MGL_FAULT_MEMORY), 3);

    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    assert_null(mgl_zeroed_array(1, 1));
    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    assert_null(mgl_realloc_array(first, 100, 1));
    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    assert_null(mgl_arena_new());

    char *text = NULL;
    size_t capacity = 0;
    assert_true(mgl_grow(&text, &capacity, 5, 1));
    char *before = text;
    size_t capacity_before = capacity;
    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    assert_false(mgl_grow(&text, &capacity, 1000, 1));
    assert_ptr_equal(text, before);
    assert_int_equal(capacity, capacity_before);

    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
    mgl_arena *arena = mgl_arena_new();
    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    assert_null(mgl_arena_copy(arena, "x", 1));
    assert_string_equal(mgl_arena_copy(arena, "x", 1), "x");
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
    mgl_arena_free(arena);
    mgl_free(text);
    mgl_free(first);
    mgl_free(third);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(allocations_of_size_zero_can_be_freed),
        cmocka_unit_test(zeroed_arrays_are_all_zero),
        cmocka_unit_test(growing_keeps_what_was_there),
        cmocka_unit_test(arena_pieces_are_aligned_and_apart),
        cmocka_unit_test(arena_copies_end_in_nul),
        cmocka_unit_test(large_blocks_lie_on_large_pages),
#ifdef MGL_FAULTS
        cmocka_unit_test(each_allocation_can_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
