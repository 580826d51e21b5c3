/* Where bytes come from: packed files, streams, other encodings; and files that change
 * while they are read. */
#include "test_text_files.h"

#include "text/text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>
#include <zstd.h>

enum { MANY = 200000 };

/* A table of MANY rows. */
static char *make_table(size_t *size)
{
    char *text = malloc((size_t)MANY * 16);
    assert_non_null(text);
    *size = (size_t)sprintf(text, "number;name\n");
    for (int i = 0; i < MANY; i++)
        *size += (size_t)sprintf(text + *size, "%d;x%d\n", i, i % 7);
    return text;
}

static size_t gzip(const char *text, size_t size, char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, 0), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)size;
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t used = room - z.avail_out;
    deflateEnd(&z);
    return used;
}

static size_t zstd(const char *text, size_t size, char *out, size_t room)
{
    size_t n = ZSTD_compress(out, room, text, size, 3);
    assert_false(ZSTD_isError(n));
    return n;
}

/* Reads the file twice and compares it with the text. */
static void assert_reads(const char *path, const char *encoding, const char *text, size_t size)
{
    mgl_error err = {0};
    mgl_text_file *file;
    if (mgl_text_open(path, encoding, &err, &file) != MGL_OK)
        fail_msg("%s", err.message);
    assert_int_equal(mgl_text_size(file), size);
    for (int pass = 0; pass < 2; pass++) {
        mgl_dialect dialect = {.delimiter = ';'};
        mgl_text_reader *reader;
        mgl_cuts cuts;
        size_t done = 0;
        assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
        for (;;) {
            if (mgl_text_cut(reader, &err, &cuts) != MGL_OK)
                fail_msg("%s", err.message);
            if (cuts.n_records == 0)
                break;
            size_t bytes = (size_t)cuts.bytes_done - done;
            assert_memory_equal(cuts.data, text + done, bytes);
            done += bytes;
        }
        assert_int_equal(done, size);
        mgl_text_reader_free(reader);
    }
    assert_int_equal(mgl_text_unchanged(file, &err), MGL_OK);
    mgl_text_close(file);
}

typedef size_t pack_fn(const char *text, size_t size, char *out, size_t room);

static void check_packed(pack_fn *pack)
{
    size_t size, room;
    char *text = make_table(&size);
    room = size + 100000;
    char *packed = malloc(room);
    assert_non_null(packed);
    size_t n = pack(text, size, packed, room);
    assert_reads(test_file(packed, n), NULL, text, size);
    /* Two members or frames, one after the other. */
    size_t half = size / 2;
    n = pack(text, half, packed, room);
    n += pack(text + half, size - half, packed + n, room - n);
    assert_reads(test_file(packed, n), NULL, text, size);
    /* Cut off anywhere, or changed in the middle. */
    for (size_t cut = 5; cut + 10 < n; cut += n / 7) {
        mgl_error err;
        mgl_text_file *file;
        assert_int_equal(mgl_text_open(test_file(packed, n - cut), NULL, &err, &file), MGL_DATA);
        assert_message(err.message, 0, "end too early");
    }
    packed[n / 3] ^= 0x55;
    packed[n / 3 + 1] ^= 0x55;
    mgl_error err;
    mgl_text_file *file;
    assert_int_equal(mgl_text_open(test_file(packed, n), NULL, &err, &file), MGL_DATA);
    assert_message(err.message, 0, "copy the file again");
    free(packed);
    free(text);
}

static void gzip_is_unpacked(void **state)
{
    (void)state;
    check_packed(gzip);
    char packed[200] = {0};
    size_t n = gzip("a;b\n1;2\n", 8, packed, sizeof packed);
    assert_reads(test_file(packed, n + 20), NULL, "a;b\n1;2\n", 8); /* padded with zeros */
    packed[n] = 'x';
    mgl_error err;
    mgl_text_file *file;
    assert_int_equal(mgl_text_open(test_file(packed, n + 20), NULL, &err, &file), MGL_DATA);
    assert_message(err.message, 0, "other data follow");
}

/* A checksum makes a flipped bit certain to be seen. */
static size_t zstd_checked(const char *text, size_t size, char *out, size_t room)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
    size_t n = ZSTD_compress2(context, out, room, text, size);
    assert_false(ZSTD_isError(n));
    ZSTD_freeCCtx(context);
    return n;
}

static void zstd_is_unpacked(void **state)
{
    (void)state;
    check_packed(zstd_checked);
    char packed[200] = "\x50\x2a\x4d\x18\x03\0\0\0abc"; /* a frame to be skipped */
    size_t n = 11 + zstd("a;b\n1;2\n", 8, packed + 11, sizeof packed - 11);
    assert_reads(test_file(packed, n), NULL, "a;b\n1;2\n", 8);
}

/* A child writes the bytes into fd, little by little. */
static pid_t start_writer(int fd, const char *data, size_t size)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (size_t done = 0; done < size;) {
            ssize_t n = write(fd, data + done, size - done < 1000 ? size - done : 1000);
            if (n <= 0)
                _exit(1);
            done += (size_t)n;
        }
        _exit(0);
    }
    return child;
}

static void pipes_are_spooled(void **state)
{
    (void)state;
    size_t size;
    char *text = make_table(&size);
    char *packed = malloc(size + 1000);
    assert_non_null(packed);
    size_t n = gzip(text, size, packed, size + 1000);
    for (int round = 0; round < 2; round++) {
        int ends[2];
        assert_int_equal(pipe(ends), 0);
        pid_t child = start_writer(ends[1], round ? packed : text, round ? n : size);
        close(ends[1]);
        char path[64];
        snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
        assert_reads(path, NULL, text, size);
        close(ends[0]);
        waitpid(child, NULL, 0);
    }
    /* Standard input. */
    int ends[2], old = dup(STDIN_FILENO);
    assert_int_equal(pipe(ends), 0);
    pid_t child = start_writer(ends[1], text, size);
    close(ends[1]);
    assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
    close(ends[0]);
    mgl_error err;
    mgl_text_file *file;
    assert_int_equal(mgl_text_open("-", NULL, &err, &file), MGL_OK);
    assert_string_equal(mgl_text_name(file), "standard input");
    assert_int_equal(mgl_text_size(file), size);
    mgl_text_close(file);
    waitpid(child, NULL, 0);
    if (old >= 0) {
        dup2(old, STDIN_FILENO);
        close(old);
    }
    free(packed);
    free(text);
}

static void encodings_are_converted(void **state)
{
    (void)state;
    test_file("caf\xe9;\xfc\n", 7);
    assert_reads(test_path(), "LATIN1", "caf\xc3\xa9;\xc3\xbc\n", 9);
    test_file("\xff\xfe"
              "a\0;\0\xac\x20\n\0",
              10);
    assert_reads(test_path(), "UTF-16", "a;\xe2\x82\xac\n", 6);
    test_file("a;b\n", 4);
    assert_reads(test_path(), "utf-8", "a;b\n", 4);
    /* Characters of two bytes across the chunks in which the file is read. */
    size_t n = 600001;
    char *wide = malloc(2 * n), *narrow = malloc(3 * n);
    assert_true(wide != NULL && narrow != NULL);
    size_t size = 0, wide_size = 0;
    wide[wide_size++] = 'a'; /* so that the others stand at odd places */
    narrow[size++] = 'a';
    for (size_t i = 1; i < n; i++) {
        bool end = i % 50 == 0;
        memcpy(wide + wide_size, end ? "\n" : "\xa4\xa2", end ? 1 : 2); /* EUC-JP, a kana */
        wide_size += end ? 1 : 2;
        memcpy(narrow + size, end ? "\n" : "\xe3\x81\x82", end ? 1 : 3);
        size += end ? 1 : 3;
    }
    assert_reads(test_file(wide, wide_size), "EUC-JP", narrow, size);
    mgl_error err;
    mgl_text_file *file;
    wide[wide_size - 1] = '\xa4'; /* ends within a character */
    assert_int_equal(mgl_text_open(test_file(wide, wide_size), "EUC-JP", &err, &file), MGL_DATA);
    assert_non_null(strstr(err.message, "middle of a character"));
    memcpy(wide + 31, "\xff\xff", 2);
    assert_int_equal(mgl_text_open(test_file(wide, wide_size), "EUC-JP", &err, &file), MGL_DATA);
    assert_message(err.message, 1, "0xff is not valid in the encoding EUC-JP");
    assert_int_equal(mgl_text_open(test_path(), "NO-SUCH", &err, &file), MGL_USAGE);
    assert_non_null(strstr(err.message, "iconv -l"));
    free(wide);
    free(narrow);
}

static void paths_that_cannot_be_read_are_refused(void **state)
{
    (void)state;
    mgl_error err;
    mgl_text_file *file;
    assert_int_equal(mgl_text_open("/no/such/file", NULL, &err, &file), MGL_DATA);
    assert_non_null(strstr(err.message, "/no/such/file: cannot open"));
    assert_int_equal(mgl_text_open("/tmp", NULL, &err, &file), MGL_DATA);
    assert_non_null(strstr(err.message, "directory"));
    /* A file of the kernel's says that it is empty, and is not. */
    if (access("/proc/version", R_OK) == 0) {
        assert_int_equal(mgl_text_open("/proc/version", NULL, &err, &file), MGL_OK);
        assert_true(mgl_text_size(file) > 0);
        mgl_text_close(file);
    }
}

/* Opens a table, reads its first block, lets something happen, and reads on. */
static void expect_change(void (*happen)(void), const char *words)
{
    size_t size;
    char *text = make_table(&size);
    mgl_error err;
    mgl_text_file *file;
    mgl_text_reader *reader;
    mgl_cuts cuts;
    mgl_dialect dialect = {.delimiter = ';'};
    assert_int_equal(mgl_text_open(test_file(text, size), NULL, &err, &file), MGL_OK);
    assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
    assert_int_equal(mgl_text_cut(reader, &err, &cuts), MGL_OK);
    happen();
    mgl_status status;
    do
        status = mgl_text_cut(reader, &err, &cuts);
    while (status == MGL_OK && cuts.n_records > 0);
    if (words != NULL) {
        assert_int_equal(status, MGL_DATA);
        assert_message(err.message, 0, words);
    } else {
        assert_int_equal(status, MGL_OK);
    }
    mgl_text_reader_free(reader);
    mgl_text_close(file);
    free(text);
}

static void grow(void)
{
    FILE *file = fopen(test_path(), "ab");
    assert_non_null(file);
    fputs("1;2\n", file);
    fclose(file);
}

static void truncate_it(void)
{
    assert_int_equal(truncate(test_path(), 600000), 0);
}

static void replace(void)
{
    char other[128];
    snprintf(other, sizeof other, "%s.new", test_path());
    FILE *file = fopen(other, "wb");
    assert_non_null(file);
    fputs("a;b\n1;2\n", file);
    fclose(file);
    assert_int_equal(rename(other, test_path()), 0);
}

static void touch(void)
{
    struct timespec times[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    assert_int_equal(utimensat(AT_FDCWD, test_path(), times, 0), 0);
}

static void remove_it(void)
{
    assert_int_equal(unlink(test_path()), 0);
}

static void a_file_that_changes_is_refused(void **state)
{
    (void)state;
    expect_change(grow, "has grown");
    expect_change(truncate_it, "become shorter");
    expect_change(replace, "replaced");
    expect_change(touch, "written to");
    expect_change(remove_it, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gzip_is_unpacked),
        cmocka_unit_test(zstd_is_unpacked),
        cmocka_unit_test(pipes_are_spooled),
        cmocka_unit_test(encodings_are_converted),
        cmocka_unit_test(paths_that_cannot_be_read_are_refused),
        cmocka_unit_test(a_file_that_changes_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
