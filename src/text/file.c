/* Opens text files: converts them to UTF-8, decompresses them, spools streams to an unlinked file,
 * and notices if a file changes. */
#include "text/file.h"

#include <errno.h>
#include <iconv.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* Takes some bytes; size 0 with last set means that there are no more. */
typedef struct byte_sink byte_sink;
struct byte_sink {
    mgl_status (*take)(byte_sink *sink, const char *data, size_t size, bool last, mgl_error *err);
    void (*free)(byte_sink *sink);
};
/* How the content is compressed, by its first bytes. */
typedef enum packing { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD } packing;
enum { PACKING_BYTES = 4 };

/* ---- Conversion to UTF-8 --------------------------------------------------------------------- */

enum { CONVERTED = 64 * 1024, LONGEST_CHARACTER = 16 };

typedef struct convert_sink {
    byte_sink sink;
    const char *name, *encoding;
    byte_sink *next;
    iconv_t converter;
    uint64_t line;
    char rest[LONGEST_CHARACTER]; /* the first bytes of a character whose end is still to come */
    size_t rest_size;
    char data[CONVERTED];
} convert_sink;

/* strcasecmp follows the locale; this does not. name is in lower case. */
static bool is_named(const char *encoding, const char *name)
{
    for (; *name != '\0'; encoding++, name++) {
        char letter = *encoding;
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if (letter != *name)
            return false;
    }
    return *encoding == '\0';
}

/* Whether the encoding is UTF-8 itself, so that nothing is to be converted. */
static bool encoding_is_utf8(const char *encoding)
{
    return encoding == NULL || encoding[0] == '\0' || is_named(encoding, "utf-8") ||
           is_named(encoding, "utf8");
}

/* Passes converted bytes on and counts their lines. */
static mgl_status put_converted(convert_sink *sink, size_t size, mgl_error *err)
{
    for (size_t i = 0; i < size; i++)
        sink->line += sink->data[i] == '\n';
    return sink->next->take(sink->next, sink->data, size, false, err);
}

/* Converts what it can; *left bytes at the end are the beginning of a character. */
static mgl_status convert(convert_sink *sink, char *data, size_t size, mgl_error *err, size_t *left)
{
    while (size > 0) {
        char *to = sink->data;
        size_t room = CONVERTED;
        size_t status = iconv(sink->converter, &data, &size, &to, &room);
        int number = errno;
        MGL_TRY(put_converted(sink, CONVERTED - room, err));
        if (status == (size_t)-1 && number == EILSEQ)
            return mgl_blame_key(
                err,
                mgl_fail_at(err, MGL_CODE_ENCODING, sink->name, sink->line,
                            "byte 0x%02x is not valid in the encoding %s; name the right "
                            "one with `encoding`",
                            (unsigned char)*data, sink->encoding),
                "encoding");
        if (status == (size_t)-1 && number == EINVAL)
            break;
    }
    *left = size;
    return MGL_OK;
}

static mgl_status take_encoded(byte_sink *self, const char *data, size_t size, bool last,
                               mgl_error *err)
{
    convert_sink *sink = (convert_sink *)self;
    size_t left;
    /* First the character that began before, completed byte by byte. */
    while (sink->rest_size > 0 && size > 0 && sink->rest_size < sizeof sink->rest) {
        sink->rest[sink->rest_size++] = *data++;
        size--;
        MGL_TRY(convert(sink, sink->rest, sink->rest_size, err, &left));
        sink->rest_size = left;
    }
    /* iconv only reads, despite its type. */
    MGL_TRY(convert(sink, (char *)(uintptr_t)data, size, err, &left));
    if (left > 0) {
        if (left > sizeof sink->rest)
            left = sizeof sink->rest;
        memcpy(sink->rest, data + size - left, left);
        sink->rest_size = left;
    }
    if (!last)
        return MGL_OK;
    if (sink->rest_size > 0)
        return mgl_blame_key(
            err,
            mgl_fail_at(err, MGL_CODE_ENCODING, sink->name, sink->line,
                        "the file ends in the middle of a character of the encoding %s; "
                        "copy the file again or name the right encoding with `encoding`",
                        sink->encoding),
            "encoding");
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static void free_convert(byte_sink *self)
{
    convert_sink *sink = (convert_sink *)self;
    if (sink->converter != (iconv_t)-1)
        iconv_close(sink->converter);
    mgl_free(sink);
}

/* What was not looked at may be guessed by a person, not by a release. */
static mgl_status fail_unknown(const char *encoding, mgl_error *err)
{
    if (strcmp(encoding, "auto") == 0)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "the encoding must be named; 'mingle look' with `encoding` "
                        "auto finds it");
    return mgl_fail(err, MGL_CODE_BAD_VALUE,
                    "the encoding '%.60s' is not known; 'iconv -l' lists those that are", encoding);
}

/* Converts from the encoding to UTF-8 and passes the bytes on. */
static mgl_status sink_convert(const char *encoding, const char *name, byte_sink *next,
                               mgl_error *err, byte_sink **out)
{
    convert_sink *sink = mgl_zeroed_array(1, sizeof *sink);
    MGL_TRY(mgl_check_memory(sink != NULL, err));
    *sink = (convert_sink){.sink = {.take = take_encoded, .free = free_convert},
                           .name = name,
                           .encoding = encoding,
                           .next = next,
                           .line = 1};
    sink->converter = iconv_open("UTF-8", encoding);
    if (sink->converter == (iconv_t)-1) {
        int number = errno;
        free_convert(&sink->sink);
        if (number != EINVAL)
            return mgl_fail_memory(err);
        return mgl_blame_key(err, fail_unknown(encoding, err), "encoding");
    }
    *out = &sink->sink;
    return MGL_OK;
}

/* ---- Decompression --------------------------------------------------------------------------- */

enum { UNPACKED = 256 * 1024 };

static packing packing_of(const char *data, size_t size)
{
    if (size >= 2 && memcmp(data, "\x1f\x8b", 2) == 0)
        return PACKED_GZIP;
    if (size >= 4 && memcmp(data, "\x28\xb5\x2f\xfd", 4) == 0)
        return PACKED_ZSTD;
    /* A frame to be skipped, as pzstd writes in front: 0x184D2A50 to 0x184D2A5F. */
    if (size >= 4 && (data[0] & 0xf0) == 0x50 && memcmp(data + 1, "\x2a\x4d\x18", 3) == 0)
        return PACKED_ZSTD;
    return PACKED_NOT;
}

typedef struct unpack_sink {
    byte_sink sink;
    const char *name;
    byte_sink *next;
    bool within; /* a member or frame has begun and not ended */
    bool started;
    uint64_t most;         /* of the caller; 0: the usual limit */
    uint64_t taken, given; /* bytes */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DCtx *zstd;
    char data[UNPACKED];
} unpack_sink;

static mgl_status fail_broken(const unpack_sink *sink, const char *what, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, sink->name, 0,
                       "the compressed data are broken (%s); compress or copy the file again",
                       what);
}

static mgl_status fail_truncated(const unpack_sink *sink, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_FORMAT, sink->name, 0,
                       "the compressed data end too early; compress or copy the file again");
}

/* Hands on what was unpacked, unless it is so much more than came in that the file must have been
 * made to fill the disk. */
static mgl_status give(unpack_sink *sink, size_t size, mgl_error *err)
{
    sink->given += size;
    uint64_t usual = sink->taken * MGL_UNPACKED_TIMES;
    usual = usual > MGL_UNPACKED_MOST ? usual : MGL_UNPACKED_MOST;
    if (sink->given > (sink->most > 0 ? sink->most : usual))
        return mgl_fail_key_at(
            err, MGL_CODE_FORMAT, sink->name, "unpack",
            "the compressed data become more than %llu MB, %llu times their size; "
            "if they are what you expect, allow more by `unpack: SIZE`",
            (unsigned long long)(sink->given >> 20),
            (unsigned long long)(sink->given / (sink->taken + 1)));
    return sink->next->take(sink->next, sink->data, size, false, err);
}

/* zlib's memory comes from base as well. */
static voidpf zlib_alloc(voidpf context, uInt n, uInt size)
{
    (void)context;
    return mgl_alloc_array(n, size);
}

static void zlib_free(voidpf context, voidpf data)
{
    (void)context;
    mgl_free(data);
}

/* What stands between members: nothing, another member, or zeros as padding. */
static mgl_status start_member(unpack_sink *sink, mgl_error *err)
{
    z_stream *gzip = &sink->gzip;
    if (sink->started) {
        while (gzip->avail_in > 0 && *gzip->next_in == 0)
            gzip->next_in++, gzip->avail_in--;
        if (gzip->avail_in == 0)
            return MGL_OK;
        if (*gzip->next_in != 0x1f)
            return fail_broken(sink, "other data follow", err);
        inflateReset(gzip);
    }
    sink->within = sink->started = true;
    return MGL_OK;
}

static mgl_status take_gzip(byte_sink *self, const char *data, size_t size, bool last,
                            mgl_error *err)
{
    unpack_sink *sink = (unpack_sink *)self;
    z_stream *gzip = &sink->gzip;
    sink->taken += size;
    gzip->next_in = (z_const Bytef *)(uintptr_t)data;
    gzip->avail_in = (uInt)size;
    while (gzip->avail_in > 0) {
        if (!sink->within) {
            MGL_TRY(start_member(sink, err));
            continue;
        }
        int status;
        do {
            gzip->next_out = (Bytef *)sink->data;
            gzip->avail_out = UNPACKED;
            status = inflate(gzip, Z_NO_FLUSH);
            if (status == Z_MEM_ERROR)
                return mgl_fail_memory(err);
            if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR)
                return fail_broken(sink, gzip->msg != NULL ? gzip->msg : "gzip", err);
            MGL_TRY(give(sink, UNPACKED - gzip->avail_out, err));
        } while (status != Z_STREAM_END && gzip->avail_out == 0);
        if (status == Z_STREAM_END)
            sink->within = false;
    }
    if (!last)
        return MGL_OK;
    if (sink->within)
        return fail_truncated(sink, err);
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static mgl_status take_zstd(byte_sink *self, const char *data, size_t size, bool last,
                            mgl_error *err)
{
    unpack_sink *sink = (unpack_sink *)self;
    ZSTD_inBuffer in = {data, size, 0};
    sink->taken += size;
    bool more = false; /* the output was full: there may be more without input */
    while (in.pos < in.size || more) {
        ZSTD_outBuffer out = {sink->data, UNPACKED, 0};
        size_t status = ZSTD_decompressStream(sink->zstd, &out, &in);
        if (ZSTD_isError(status))
            return fail_broken(sink, ZSTD_getErrorName(status), err);
        sink->within = status != 0;
        more = out.pos == out.size && status != 0;
        MGL_TRY(give(sink, out.pos, err));
    }
    if (!last)
        return MGL_OK;
    if (sink->within)
        return fail_truncated(sink, err);
    return sink->next->take(sink->next, sink->data, 0, true, err);
}

static void free_unpack(byte_sink *self)
{
    unpack_sink *sink = (unpack_sink *)self;
    if (sink->gzip_ready)
        inflateEnd(&sink->gzip);
    ZSTD_freeDCtx(sink->zstd);
    mgl_free(sink);
}

/* Decompresses and passes the bytes on. most: as mgl_text_open_within. name is for messages; both
 * must outlive the sink. */
static mgl_status sink_unpack(packing packing, const char *name, uint64_t most, byte_sink *next,
                              mgl_error *err, byte_sink **out)
{
    unpack_sink *sink = mgl_zeroed_array(1, sizeof *sink);
    MGL_TRY(mgl_check_memory(sink != NULL, err));
    sink->sink.free = free_unpack;
    sink->name = name;
    sink->most = most;
    sink->next = next;
    bool ready;
    if (packing == PACKED_GZIP) {
        sink->sink.take = take_gzip;
        sink->gzip.zalloc = zlib_alloc;
        sink->gzip.zfree = zlib_free;
        ready = sink->gzip_ready = inflateInit2(&sink->gzip, 15 + 16) == Z_OK;
    } else {
        sink->sink.take = take_zstd;
        sink->zstd = ZSTD_createDCtx();
        /* zstd --long=31, or on 32 bits --long=30, is the largest window there is. */
        int widest = ZSTD_dParam_getBounds(ZSTD_d_windowLogMax).upperBound;
        ready = sink->zstd != NULL &&
                !ZSTD_isError(ZSTD_DCtx_setParameter(sink->zstd, ZSTD_d_windowLogMax, widest));
    }
    if (!ready) {
        free_unpack(&sink->sink);
        return mgl_fail_memory(err);
    }
    *out = &sink->sink;
    return MGL_OK;
}

/* ---- Spooling a stream ----------------------------------------------------------------------- */

enum { CHUNK = 256 * 1024 };

typedef struct file_sink {
    byte_sink sink;
    int fd;
} file_sink;

static mgl_status take_to_file(byte_sink *sink, const char *data, size_t size, bool last,
                               mgl_error *err)
{
    (void)last;
    if (size > 0 && mgl_sys_write(((file_sink *)sink)->fd, data, size) != 0)
        return mgl_fail_temporary(err, "write");
    return MGL_OK;
}

/* Fills the chunk unless the stream ends, so that the first bytes come together. */
static mgl_status read_chunk(int fd, const char *name, char *chunk, mgl_error *err, size_t *out)
{
    size_t size = 0;
    while (size < CHUNK) {
        ssize_t n = mgl_sys_read(fd, chunk + size, CHUNK - size);
        if (n < 0)
            return mgl_fail_errno(err, name, "read");
        if (n == 0)
            break;
        size += (size_t)n;
    }
    *out = size;
    return MGL_OK;
}

/* The steps between the stream and the file, made once its first bytes are known. */
typedef struct steps {
    const char *name, *encoding;
    uint64_t most_unpacked;
    file_sink file;
    byte_sink *convert, *unpack; /* NULL where not needed */
    byte_sink *first;
} steps;

static mgl_status pump(int fd, char *chunk, steps *s, mgl_error *err)
{
    size_t size = 0;
    MGL_TRY(read_chunk(fd, s->name, chunk, err, &size));
    s->first = &s->file.sink;
    if (!encoding_is_utf8(s->encoding)) {
        MGL_TRY(sink_convert(s->encoding, s->name, s->first, err, &s->convert));
        s->first = s->convert;
    }
    packing packing = packing_of(chunk, size);
    if (packing != PACKED_NOT) {
        MGL_TRY(sink_unpack(packing, s->name, s->most_unpacked, s->first, err, &s->unpack));
        s->first = s->unpack;
    }
    while (size > 0) {
        MGL_TRY(s->first->take(s->first, chunk, size, false, err));
        MGL_TRY(read_chunk(fd, s->name, chunk, err, &size));
    }
    return s->first->take(s->first, chunk, 0, true, err);
}

/* Reads fd to its end, unpacks and converts, and gives an unlinked file with the result. */
static mgl_status text_spool(int fd, const char *name, const char *encoding, uint64_t most_unpacked,
                             mgl_error *err, int *out)
{
    char *chunk = mgl_alloc(CHUNK);
    MGL_TRY(mgl_check_memory(chunk != NULL, err));
    steps s = {.name = name,
               .encoding = encoding,
               .most_unpacked = most_unpacked,
               .file = {.sink = {.take = take_to_file}, .fd = mgl_sys_spool_of(fd)}};
    mgl_status status =
        s.file.fd < 0 ? mgl_fail_temporary(err, "create") : pump(fd, chunk, &s, err);
    if (s.unpack != NULL)
        s.unpack->free(s.unpack);
    if (s.convert != NULL)
        s.convert->free(s.convert);
    mgl_free(chunk);
    if (status != MGL_OK) {
        mgl_sys_close(s.file.fd);
        return status;
    }
    *out = s.file.fd;
    return MGL_OK;
}

/* ---- Files ----------------------------------------------------------------------------------- */

struct mgl_text_file {
    char *name;
    char *path; /* NULL if the bytes are ours (a spool) and cannot change */
    int fd;
    uint64_t most_unpacked;
    mgl_file_state state;
};

static char *copy_text(const char *text)
{
    char *copy = mgl_alloc(strlen(text) + 1);
    return copy != NULL ? strcpy(copy, text) : NULL;
}

/* Says how the file has changed since it was opened. */
static mgl_status fail_changed(const mgl_text_file *file, const mgl_file_state *now, mgl_error *err)
{
    const char *how = now->inode != file->state.inode || now->device != file->state.device
                          ? "was replaced by another file"
                      : now->size > file->state.size ? "has grown"
                      : now->size < file->state.size ? "has become shorter"
                                                     : "was written to";
    return mgl_fail_at(err, MGL_CODE_CHANGED, file->name, 0,
                       "the file %s while it was read; run again when nothing writes to it", how);
}

static mgl_status check_unchanged(const mgl_text_file *file, const char *path, mgl_error *err)
{
    mgl_file_state now;
    if (mgl_sys_state(file->fd, &now) != 0)
        return mgl_fail_errno(err, file->name, "look at the file");
    if (!mgl_sys_same_state(&file->state, &now))
        return fail_changed(file, &now, err);
    /* A file that was only removed is still what we have open. */
    if (mgl_sys_state_of(path, &now) != 0 || mgl_sys_same_state(&file->state, &now))
        return MGL_OK;
    return fail_changed(file, &now, err);
}

mgl_status mgl_text_unchanged(const mgl_text_file *file, mgl_error *err)
{
    /* Bytes in memory stay what they are, whatever is given under their name later. */
    return file->path != NULL && mgl_memory_name(file->path) == NULL
               ? check_unchanged(file, file->path, err)
               : MGL_OK;
}

/* Puts a spool in the place of what was opened. */
static mgl_status spool(mgl_text_file *file, const char *encoding, mgl_error *err)
{
    int fd;
    MGL_TRY(text_spool(file->fd, file->name, encoding, file->most_unpacked, err, &fd));
    mgl_status status = MGL_OK;
    if (file->path != NULL && file->state.regular)
        status = check_unchanged(file, file->path, err);
    if (file->fd != STDIN_FILENO)
        mgl_sys_close(file->fd);
    file->fd = fd;
    mgl_free(file->path);
    file->path = NULL;
    if (status == MGL_OK && mgl_sys_state(fd, &file->state) != 0)
        status = mgl_fail_errno(err, file->name, "look at the spooled copy");
    return status;
}

static mgl_status open_file(mgl_text_file *file, const char *path, const char *encoding,
                            mgl_error *err)
{
    bool standard_input = strcmp(path, "-") == 0;
    file->fd = -1;
    file->name = copy_text(standard_input ? "standard input" : path);
    MGL_TRY(mgl_check_memory(file->name != NULL, err));
    if (standard_input) {
        file->fd = STDIN_FILENO;
        return spool(file, encoding, err);
    }
    file->path = copy_text(path);
    MGL_TRY(mgl_check_memory(file->path != NULL, err));
    file->fd = mgl_sys_open_read(path);
    if (file->fd < 0)
        return mgl_fail_errno(err, path, "open the file");
    if (mgl_sys_state(file->fd, &file->state) != 0)
        return mgl_fail_errno(err, path, "look at the file");
    /* A regular file that claims to be empty may be one the kernel makes up (/proc). */
    if (!file->state.regular || file->state.size == 0 || !encoding_is_utf8(encoding))
        return spool(file, encoding, err);
    char first[PACKING_BYTES];
    ssize_t n = mgl_sys_pread(file->fd, first, sizeof first, 0);
    if (n < 0)
        return mgl_fail_errno(err, path, "read the file");
    if (packing_of(first, (size_t)n) != PACKED_NOT)
        return spool(file, encoding, err);
    return MGL_OK;
}

mgl_status mgl_text_open(const char *path, const char *encoding, mgl_error *err,
                         mgl_text_file **out)
{
    return mgl_text_open_within(path, encoding, 0, err, out);
}

mgl_status mgl_text_open_within(const char *path, const char *encoding, uint64_t most_unpacked,
                                mgl_error *err, mgl_text_file **out)
{
    mgl_text_file *file = mgl_zeroed_array(1, sizeof *file);
    MGL_TRY(mgl_check_memory(file != NULL, err));
    file->most_unpacked = most_unpacked;
    mgl_status status = open_file(file, path, encoding, err);
    if (status != MGL_OK) {
        mgl_text_close(file);
        return status;
    }
    *out = file;
    return MGL_OK;
}

void mgl_text_close(mgl_text_file *file)
{
    if (file == NULL)
        return;
    if (file->fd != STDIN_FILENO)
        mgl_sys_close(file->fd);
    mgl_free(file->name);
    mgl_free(file->path);
    mgl_free(file);
}

const char *mgl_text_name(const mgl_text_file *file)
{
    return file->name;
}

uint64_t mgl_text_size(const mgl_text_file *file)
{
    return file->state.size;
}

bool mgl_text_is_plain(const mgl_text_file *file)
{
    return file->path != NULL;
}

mgl_status mgl_text_read_at(const mgl_text_file *file, uint64_t offset, char *data, size_t size,
                            mgl_error *err, size_t *out)
{
    ssize_t n = mgl_sys_pread(file->fd, data, size, offset);
    if (n < 0)
        return mgl_fail_errno(err, file->name, "read the file");
    uint64_t end = offset + (uint64_t)n;
    if (end > file->state.size || ((size_t)n < size && end < file->state.size)) {
        mgl_file_state now = file->state;
        now.size = end;
        return fail_changed(file, &now, err);
    }
    *out = (size_t)n;
    return MGL_OK;
}
