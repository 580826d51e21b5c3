#include "generator.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, EXIT_SYSTEM = 4 };

static int fail(const generator *g, const char *path)
{
    fprintf(stderr, "%s: %s: %s; the table is not complete\n", g->name, path, strerror(errno));
    return EXIT_SYSTEM;
}

static int write_table(const generator *g, const char *path, size_t n_rows)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL)
        return fail(g, path);
    fprintf(file, "%s\n", g->header);
    if (!g->write_rows(file, n_rows) || ferror(file)) {
        int status = fail(g, path);
        fclose(file);
        return status;
    }
    return fclose(file) == 0 ? EXIT_SUCCESS : fail(g, path);
}

static int usage(const generator *g)
{
    fprintf(stderr, "usage: %s FILE [ROWS]   (1 to %ld rows, %ld without a number)\n", g->name,
            g->most_rows, g->default_rows);
    return EXIT_USAGE;
}

int generator_run(const generator *g, int argc, char **argv)
{
    if (argc != 2 && argc != 3)
        return usage(g);
    long n_rows = g->default_rows;
    if (argc == 3) {
        char *end;
        n_rows = strtol(argv[2], &end, 10);
        if (*argv[2] == '\0' || *end != '\0' || n_rows < 1 || n_rows > g->most_rows)
            return usage(g);
    }
    return write_table(g, argv[1], (size_t)n_rows);
}
