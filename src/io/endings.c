/* Knows which format an ending of a name speaks of, and which of these are written. The job asks it
 * about names of outputs. */
#include "io/io.h"

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Of files that are not tables, or of tables that nobody can write here: a release that is called
 * so would be taken for something else. */
static const char other_endings[] =
    ".json .jsonl .ndjson .geojson .html .htm .xhtml .xml .md .tex .pdf .doc .docx .odt .rtf .ppt "
    ".pptx .xls .xlsx .xlsm .xlsb .ods .numbers .yaml .yml .toml .feather .arrow .orc .avro .rdata "
    ".por .sas7bcat .h5 .hdf5 .npy .npz .pkl .mat .db .sqlite .sqlite3 .duckdb .mdb .accdb .dbf "
    ".sql .zip .7z .rar .tar .tgz .bz2 .xz .lz4 .gz .zst .png .jpg .jpeg .gif .svg .py .r .sh .c";

/* A list of endings with spaces between them. */
static bool is_listed(const char *endings, mgl_span ending)
{
    while (endings != NULL && *endings != '\0') {
        size_t size = strcspn(endings, " ");
        bool same = size == ending.size;
        for (size_t i = 0; same && i < size; i++)
            same = lower(ending.data[i]) == endings[i];
        if (same)
            return true;
        endings += size;
        endings += strspn(endings, " ");
    }
    return false;
}

static bool is_known(mgl_span ending)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (is_listed(formats[i]->endings, ending))
            return true;
    return is_listed(other_endings, ending);
}

/* From the last dot of the name on; empty: it has none, or begins with it. */
static mgl_span last_ending(mgl_span path)
{
    for (size_t i = path.size; i > 1 && path.data[i - 1] != '/'; i--)
        if (path.data[i - 1] == '.')
            return (mgl_span){path.data + i - 1, path.data[i - 2] != '/' ? path.size - (i - 1) : 0};
    return (mgl_span){path.data, 0};
}

mgl_span mgl_ending_of(const char *location)
{
    mgl_span path = mgl_location_path(location), last = last_ending(path);
    mgl_span before = last_ending((mgl_span){path.data, path.size - last.size});
    if (is_listed(".gz .zst", last) && before.size > 0 && is_known(before))
        return (mgl_span){before.data, before.size + last.size};
    return is_known(last) ? last : (mgl_span){path.data, 0};
}

bool mgl_ending_is(mgl_span ending, const char *endings)
{
    return is_listed(endings, ending);
}

static bool is_written(const mgl_format *format)
{
    return format->text || format->sink != NULL || format->save != NULL;
}

bool mgl_ending_is_written(mgl_span ending)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (is_written(formats[i]) && is_listed(formats[i]->endings, ending))
            return true;
    return is_listed(".gz .zst", ending); /* text with an ending of its own, packed */
}

void mgl_endings_written(mgl_buffer *out)
{
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++)
        if (is_written(formats[i]) && formats[i]->endings != NULL)
            mgl_buffer_format(out, "%s%s", out->size > 0 ? " " : "", formats[i]->endings);
}
