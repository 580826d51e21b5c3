/* Files and streams of Arrow IPC as sources, and what is written to them: a table in memory that is
 * read from a file or saved to it. Two rows in format_rows.h. */
#include "io/ipc/ipc.h"

static void set_limit(mgl_ipc_file *file, uint64_t most)
{
    uint64_t times = file->state.size < UINT64_MAX / MGL_UNPACKED_TIMES
                         ? file->state.size * MGL_UNPACKED_TIMES
                         : UINT64_MAX;
    file->most_unpacked = most > 0 ? most : times > MGL_UNPACKED_MOST ? times : MGL_UNPACKED_MOST;
}

static mgl_status read_table(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_arrow_table **out)
{
    mgl_ipc_file file = {.name = location, .fd = -1};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_regular_open(location, err, &file.fd, &file.state));
    set_limit(&file, most_unpacked);
    MGL_GO(mgl_ipc_table_read(&file, err, out));
    status = mgl_regular_unchanged(file.fd, &file.state, location, err);
    if (status != MGL_OK)
        mgl_arrow_let_go(*out);
done:
    mgl_sys_close(file.fd);
    return status;
}

/* From here on it is a table in memory like any other. */
static mgl_status ipc_open(mgl_source *source, const char *location, mgl_error *err)
{
    mgl_arrow_table *table;
    MGL_TRY(read_table(location, source->options->most_unpacked, err, &table));
    source->arrow = table;
    mgl_status status = mgl_arrow_operations.open(source, location, err);
    mgl_arrow_let_go(table);
    return status;
}

static void ipc_close(mgl_source *source)
{
    mgl_arrow_operations.close(source);
}

static mgl_status ipc_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                           const mgl_progress *progress, mgl_error *err)
{
    return mgl_arrow_operations.read(source, table, pool, progress, err);
}

static mgl_status ipc_rewind(mgl_source *source, mgl_error *err)
{
    return mgl_arrow_operations.rewind(source, err);
}

static mgl_status ipc_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    return mgl_arrow_operations.next(source, err, out);
}

static const mgl_source_operations operations = {
    .open = ipc_open,
    .close = ipc_close,
    .read = ipc_read,
    .rewind = ipc_rewind,
    .next = ipc_next,
    .streams = true,
    .lasts = true,
};

static mgl_status save_file(const mgl_arrow_table *table, int fd, const char *name, mgl_error *err)
{
    return mgl_ipc_table_write(table, false, fd, name, err);
}

static mgl_status save_stream(const mgl_arrow_table *table, int fd, const char *name,
                              mgl_error *err)
{
    return mgl_ipc_table_write(table, true, fd, name, err);
}

const mgl_format mgl_feather_format = {
    .name = "feather",
    .help = "a file of Arrow, which is also Feather version 2",
    .endings = ".feather .arrow",
    .source = &operations,
    .save = save_file,
    .most_rows = UINT32_MAX - 1,
};

const mgl_format mgl_arrows_format = {
    .name = "arrows",
    .help = "a stream of Arrow, in a file",
    .endings = ".arrows",
    .source = &operations,
    .save = save_stream,
    .most_rows = UINT32_MAX - 1,
};
