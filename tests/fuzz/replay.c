/* Feeds a fuzz target files, without libFuzzer: each as it is, beginnings of it, and small changes
 * of it, the same ones every time. The more files there are, the fewer changes of each: replaying
 * takes the same time. MGL_FUZZ_SHARE=N takes every Nth of them (default 1). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
/* How many changes of all files together, if a target wants fewer than usual. */
int fuzz_changes(void) __attribute__((weak));

enum { LARGEST = 1 << 20, ALL_CHANGES = 6000, MOST_CHANGES = 1000, ALL_BEGINNINGS = 300 };

/* In a block of its own size, so that the sanitizer sees a read beyond its end. */
static void feed(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size > 0 ? size : 1);
    if (exact == NULL)
        abort();
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static uint32_t draw(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Of one of the files. */
static int changes_of(int n_files)
{
    int n = (fuzz_changes != NULL ? fuzz_changes() : ALL_CHANGES) / (n_files > 0 ? n_files : 1) + 1;
    return n < MOST_CHANGES ? n : MOST_CHANGES;
}

static int share(void)
{
    const char *text = getenv("MGL_FUZZ_SHARE");
    int n = text != NULL ? atoi(text) : 1;
    return n > 0 ? n : 1;
}

static void feed_changes(const uint8_t *data, size_t size, int n_changes, int every)
{
    static const uint8_t telling[] = "\",;\n\r\t\0 *-()0919\xff\xc3\x80|'";
    static uint8_t changed[LARGEST + 1];
    uint32_t state = (uint32_t)size;
    for (int i = 0; i < n_changes && size > 0; i++) {
        memcpy(changed, data, size);
        size_t length = size, at = draw(&state) % size;
        uint8_t byte = telling[draw(&state) % (sizeof telling - 1)];
        switch (draw(&state) % 4) {
        case 0:
            changed[at] = byte;
            break;
        case 1:
            changed[at] ^= (uint8_t)(1u << draw(&state) % 8);
            break;
        case 2: /* insert */
            memmove(changed + at + 1, changed + at, length - at);
            changed[at] = byte;
            length++;
            break;
        default: /* leave a piece out */
            length = size - 1 - draw(&state) % (size - at);
            memmove(changed + at, changed + at + (size - length), length - at);
        }
        if (i % every == 0)
            feed(changed, length);
    }
}

int main(int argc, char **argv)
{
    static uint8_t data[LARGEST];
    int n_changes = changes_of(argc - 1), every = share();
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        fprintf(stderr, "%s\n", argv[i]); /* the last one named is the one that crashed */
        feed(data, size);
        for (size_t beginning = 0;
             beginning < size && beginning < ALL_BEGINNINGS && (int)beginning < n_changes;
             beginning += (size_t)every)
            feed(data, beginning);
        feed_changes(data, size, n_changes, every);
    }
    printf("%d files replayed\n", argc - 1);
    return argc > 1 ? 0 : 1;
}
