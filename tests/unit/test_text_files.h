/* What the tests of text, table and io share: small files and a small generator. */
#ifndef TEST_TEXT_FILES_H
#define TEST_TEXT_FILES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A path of its own for each test program. */
static inline const char *test_path(void)
{
    static char path[64];
    if (path[0] == '\0')
        snprintf(path, sizeof path, "/tmp/mingle-test-%ld.csv", (long)getpid());
    return path;
}

/* Writes the bytes to test_path, which is returned. */
static inline const char *test_file(const void *data, size_t size)
{
    /* A new file each time: ext4 writes a truncated one to the disk when it is closed. */
    unlink(test_path());
    FILE *file = fopen(test_path(), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return test_path();
}

static inline const char *test_text(const char *text)
{
    return test_file(text, strlen(text));
}

static inline int test_remove(void **state)
{
    (void)state;
    unlink(test_path());
    return 0;
}

/* Whether the message names the line of test_path and holds the words. */
static inline void assert_message(const char *message, uint64_t line, const char *words)
{
    char start[128];
    if (line > 0)
        snprintf(start, sizeof start, "%s:%llu: ", test_path(), (unsigned long long)line);
    else
        snprintf(start, sizeof start, "%s: ", test_path());
    if (strncmp(message, start, strlen(start)) != 0 || strstr(message, words) == NULL)
        fail_msg("got \"%s\", wanted \"%s... %s\"", message, start, words);
    assert_non_null(strchr(message, ';')); /* every message says what to do */
}

/* xorshift: the same numbers on every machine. */
static inline uint64_t test_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

#endif
