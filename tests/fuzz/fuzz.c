#define _XOPEN_SOURCE 700 /* nftw */
#include "fuzz.h"

#include <ftw.h>
#include <unistd.h>

static char folder[4096];
static pid_t owner; /* libFuzzer may fork: only who made the folder removes it */

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *place)
{
    (void)state;
    (void)kind;
    (void)place;
    return remove(path);
}

static void leave_folder(void)
{
    if (owner == getpid() && chdir("/") == 0)
        nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

void fuzz_enter_folder(void)
{
    if (owner != 0)
        return;
    const char *parent = getenv("TMPDIR"); /* scripts/fuzz and tests/fuzz.sh name one in memory */
    snprintf(folder, sizeof folder, "%s/mingle-fuzz-XXXXXX", parent != NULL ? parent : "/tmp");
    REQUIRE(mkdtemp(folder) != NULL && chdir(folder) == 0);
    owner = getpid();
    atexit(leave_folder);
}

void fuzz_write(const char *name, const void *data, size_t size)
{
    FILE *file = fopen(name, "wb");
    REQUIRE(file != NULL);
    REQUIRE(size == 0 || fwrite(data, 1, size, file) == size);
    REQUIRE(fclose(file) == 0);
}

mgl_span fuzz_line(mgl_span *rest)
{
    const char *end = rest->size > 0 ? memchr(rest->data, '\n', rest->size) : NULL;
    size_t size = end != NULL ? (size_t)(end - rest->data) : rest->size;
    mgl_span line = {rest->data, size};
    size_t used = end != NULL ? size + 1 : size;
    *rest = (mgl_span){rest->data + used, rest->size - used};
    return line;
}

mgl_span fuzz_section(mgl_span *rest)
{
    mgl_span section = {rest->data, 0};
    while (rest->size > 0 && !mgl_span_is(fuzz_line(rest), "--"))
        section.size = (size_t)(rest->data - section.data);
    return section;
}

void fuzz_expect_refusal(mgl_status status, const mgl_error *err)
{
    if (status == MGL_OK)
        return;
    REQUIRE(status == MGL_UNMET || status == MGL_USAGE || status == MGL_DATA ||
            status == MGL_SYSTEM);
    REQUIRE(err->status == status && err->message[0] != '\0');
}
