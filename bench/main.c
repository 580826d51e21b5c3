/* bench [--all] [--threads N] [search] [models] [read]: all parts, unless some are named. */
#include "bench.h"

#include "../tests/support/adult.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool everything = false, search = false, models = false, read = false;
    unsigned threads = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--all") == 0) {
            everything = true;
        } else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) {
            threads = (unsigned)atoi(argv[++i]);
        } else if (strcmp(argv[i], "search") == 0) {
            search = true;
        } else if (strcmp(argv[i], "models") == 0) {
            models = true;
        } else if (strcmp(argv[i], "read") == 0) {
            read = true;
        } else {
            fprintf(stderr, "usage: bench [--all] [--threads N] [search] [models] [read]\n");
            return 2;
        }
    }
    bool each = !search && !models && !read;
    int status = 0;
    if (search || each)
        status |= bench_search(everything, threads);
    if (models || each)
        status |= bench_models(shared_folder());
    if (read || each) {
        const char *folder = getenv("TMPDIR");
        status |= bench_read(folder != NULL ? folder : "/tmp");
    }
    return status;
}
