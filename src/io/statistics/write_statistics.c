/* Writes SPSS, Stata and SAS transport files as sinks. */
#include "io/statistics/statistics.h"

#ifdef MGL_READSTAT
#include <readstat.h>
#include <stdio.h>
#include <time.h>

typedef struct writer {
    const mgl_sink_request *order;
    const mgl_statistics_kind *kind;
    readstat_writer_t *library;
    readstat_variable_t **variables;
    mgl_sink_shape *shapes; /* [columns] */
    const mgl_span *cells;  /* [columns] */
    mgl_buffer text;        /* a cell with a NUL byte behind it */
    mgl_text_writer *bytes; /* collects what the library writes row by row */
    mgl_error *err;         /* of a write that failed */
    bool failed;
} writer;

static ssize_t put_bytes(const void *data, size_t size, void *context)
{
    writer *w = context;
    w->failed = mgl_text_write(w->bytes, data, size, w->err) != MGL_OK;
    return w->failed ? -1 : (ssize_t)size;
}

static void label_values(writer *w, readstat_variable_t *variable, const mgl_sink_column *column,
                         size_t number, mgl_sink_shape as)
{
    bool stata = w->kind->format == &mgl_dta_format;
    if (!w->kind->labels || column->labels.n == 0 || as > MGL_AS_NUMBER ||
        (as == MGL_AS_TEXT && stata))
        return;
    char name[32];
    snprintf(name, sizeof name, "labels%zu", number + 1);
    readstat_label_set_t *set = readstat_add_label_set(w->library,
                                                       as == MGL_AS_TEXT ? READSTAT_TYPE_STRING
                                                       : stata           ? READSTAT_TYPE_INT32
                                                                         : READSTAT_TYPE_DOUBLE,
                                                       name);
    bool any = false;
    for (size_t i = 0; i < column->labels.n; i++) {
        mgl_span value = column->labels.list[i].value;
        const char *label = column->labels.list[i].label.data;
        double number_of = 0;
        int64_t whole;
        if (as == MGL_AS_TEXT)
            readstat_label_string_value(set, value.data, label);
        else if (stata && mgl_parse_i64(value, &whole) && whole >= INT32_MIN && whole <= 2147483620)
            readstat_label_int32_value(set, (int32_t)whole, label);
        else if (!stata && mgl_parse_double(value, &number_of))
            readstat_label_double_value(set, number_of, label);
        else
            continue;
        any = true;
    }
    if (any)
        readstat_variable_set_label_set(variable, set);
}

/* Codes that mean missing keep that meaning in columns that were only copied. */
static void declare_missing(const writer *w, readstat_variable_t *variable,
                            const mgl_sink_column *column, mgl_sink_shape as)
{
    if (w->kind->format != &mgl_sav_format || column->meta == NULL || column->recoded)
        return;
    for (size_t i = 0; i < column->meta->n_missing; i++) {
        mgl_missing_range range = column->meta->missing[i];
        double first = -HUGE_VAL, last = HUGE_VAL;
        if (as == MGL_AS_TEXT) {
            readstat_variable_add_missing_string_range(variable, range.first.data, range.last.data);
            continue;
        }
        if ((range.first.size > 0 && !mgl_parse_double(range.first, &first)) ||
            (range.last.size > 0 && !mgl_parse_double(range.last, &last)))
            continue;
        if (first == last)
            readstat_variable_add_missing_double_value(variable, first);
        else
            readstat_variable_add_missing_double_range(variable, first, last);
    }
}

static void set_format(const writer *w, readstat_variable_t *variable,
                       const mgl_sink_column *column, mgl_sink_shape as)
{
    char format[32];
    if (as == MGL_AS_DATE)
        readstat_variable_set_format(variable, w->kind->date);
    if (as == MGL_AS_DATETIME)
        readstat_variable_set_format(variable, w->kind->datetime);
    if ((as != MGL_AS_NUMBER && as != MGL_AS_WHOLE) || w->kind->format != &mgl_sav_format)
        return;
    size_t decimals = column->whole ? 0 : 2;
    if (!column->whole && column->meta != NULL && column->meta->decimals > 0)
        decimals = column->meta->decimals < 16 ? column->meta->decimals : 16;
    size_t width = column->longest > 8 ? column->longest : 8;
    snprintf(format, sizeof format, "F%zu.%zu", width < 40 ? width : 40, decimals);
    readstat_variable_set_format(variable, format);
}

static mgl_status check_column(const writer *w, const mgl_sink_column *column, mgl_sink_shape as,
                               mgl_error *err)
{
    if (as == MGL_AS_TEXT && column->longest > w->kind->longest)
        return mgl_fail_column(
            err, MGL_CODE_NO_ROOM, w->order->target, column->name,
            "column %.60s has a cell of %zu bytes, and %s files have room for %zu; "
            "write another format, or leave the column out",
            column->name, column->longest, w->kind->package, w->kind->longest);
    if (as == MGL_AS_TEXT && column->padded)
        return mgl_fail_column(err, MGL_CODE_NO_ROOM, w->order->target, column->name,
                               "column %.60s has cells that end in a space, which %s files do not "
                               "keep; write another format, or take the spaces away",
                               column->name, w->kind->package);
    return MGL_OK;
}

static mgl_status add_columns(writer *w, mgl_error *err)
{
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const mgl_sink_column *column = &w->order->columns[c];
        mgl_sink_shape as = w->shapes[c] = mgl_sink_choose(w->order, column);
        MGL_TRY(check_column(w, column, as, err));
        readstat_variable_t *variable = readstat_add_variable(
            w->library, column->name,
            as == MGL_AS_TEXT ? READSTAT_TYPE_STRING : READSTAT_TYPE_DOUBLE,
            as == MGL_AS_TEXT ? (column->longest > 0 ? column->longest : 1) : 8);
        MGL_TRY(mgl_check_memory(variable != NULL, err));
        w->variables[c] = variable;
        if (column->meta != NULL && column->meta->label != NULL)
            readstat_variable_set_label(variable, column->meta->label);
        set_format(w, variable, column, as);
        label_values(w, variable, column, c, as);
        declare_missing(w, variable, column, as);
    }
    return MGL_OK;
}

static const mgl_statistics_clock *clock_to_write(const writer *w, mgl_sink_shape as)
{
    return mgl_statistics_clock_of(w->kind, as == MGL_AS_DATE ? w->kind->date : w->kind->datetime);
}

/* All cells were looked at before: each of them is of the kind of its column, or missing. */
static readstat_error_t put_cell(writer *w, size_t c)
{
    const readstat_variable_t *variable = w->variables[c];
    mgl_sink_shape as = w->shapes[c];
    mgl_span cell = w->cells[c];
    double value = 0;
    if (as == MGL_AS_TEXT) {
        w->text.size = 0;
        mgl_buffer_span(&w->text, cell);
        mgl_buffer_append(&w->text, "", 1);
        return w->text.failed ? READSTAT_ERROR_MALLOC
                              : readstat_insert_string_value(w->library, variable, w->text.data);
    }
    if (mgl_sink_missing(w->order, cell))
        return readstat_insert_missing_value(w->library, variable);
    bool read = as == MGL_AS_DATE       ? mgl_date_read(cell, &value)
                : as == MGL_AS_DATETIME ? mgl_datetime_read(cell, &value)
                                        : mgl_parse_double(cell, &value);
    if (!read)
        return READSTAT_ERROR_VALUE_TYPE_MISMATCH;
    if (as == MGL_AS_DATE || as == MGL_AS_DATETIME) {
        const mgl_statistics_clock *clock = clock_to_write(w, as);
        value = (value - clock->origin) / clock->unit;
    }
    return readstat_insert_double_value(w->library, variable, value);
}

static mgl_status fail_library(const writer *w, readstat_error_t error, const char *column,
                               mgl_error *err)
{
    if (w->failed)
        return MGL_SYSTEM; /* the message is there */
    if (error == READSTAT_ERROR_MALLOC)
        return mgl_fail_memory(err);
    return mgl_fail_column(err, MGL_CODE_NO_ROOM, w->order->target, column,
                           "%s%.60s%scannot be written to a %s file (%s); rename or leave out what "
                           "it cannot hold, or write another format",
                           column != NULL ? "column " : "the release ",
                           column != NULL ? column : "", column != NULL ? " " : "",
                           w->kind->package, readstat_error_message(error));
}

static mgl_status put_row(writer *w, mgl_error *err)
{
    readstat_error_t error = readstat_begin_row(w->library);
    if (error != READSTAT_OK)
        return fail_library(w, error, NULL, err);
    for (size_t c = 0; c < w->order->n_columns; c++) {
        error = put_cell(w, c);
        if (error != READSTAT_OK)
            return fail_library(w, error, w->order->columns[c].name, err);
    }
    error = readstat_end_row(w->library);
    return error == READSTAT_OK ? MGL_OK : fail_library(w, error, NULL, err);
}

/* Version 5 of the transport format is the one everything reads. */
static uint8_t transport_version(const writer *w)
{
    for (size_t c = 0; c < w->order->n_columns; c++) {
        const mgl_sink_column *column = &w->order->columns[c];
        size_t label =
            column->meta != NULL && column->meta->label != NULL ? strlen(column->meta->label) : 0;
        if (strlen(column->name) > 8 || label > 40 || column->longest > 200)
            return 8;
    }
    return 5;
}

static readstat_error_t begin(writer *w)
{
    long n = (long)w->order->n_rows;
    if (w->kind->format == &mgl_dta_format)
        return readstat_begin_writing_dta(w->library, w, n);
    if (w->kind->format == &mgl_xpt_format) {
        readstat_writer_set_file_format_version(w->library, transport_version(w));
        return readstat_begin_writing_xport(w->library, w, n);
    }
    size_t size = strlen(w->order->target);
    bool packed = size > 5 && strcmp(w->order->target + size - 5, ".zsav") == 0;
    readstat_writer_set_compression(w->library,
                                    packed ? READSTAT_COMPRESS_BINARY : READSTAT_COMPRESS_ROWS);
    return readstat_begin_writing_sav(w->library, w, n);
}

static mgl_status check_names(const writer *w, mgl_error *err)
{
    for (size_t c = 0; c < w->order->n_columns; c++) {
        readstat_error_t error = readstat_validate_variable(w->library, w->variables[c]);
        if (error != READSTAT_OK)
            return fail_library(w, error, w->order->columns[c].name, err);
    }
    return MGL_OK;
}

static mgl_status write_all(writer *w, mgl_error *err)
{
    if (w->order->n_rows > INT32_MAX)
        return mgl_fail_at(err, MGL_CODE_NO_ROOM, w->order->target, 0,
                           "%s files hold up to %d rows; write another format", w->kind->package,
                           INT32_MAX);
    MGL_TRY(add_columns(w, err));
    /* The time of writing is left out: it is not to be disclosed, and equal releases are equal
     * files. */
    readstat_writer_set_file_timestamp(w->library, (time_t)0);
    readstat_error_t error = begin(w);
    if (error != READSTAT_OK)
        return fail_library(w, error, NULL, err);
    MGL_TRY(check_names(w, err));
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, &w->cells));
        if (w->cells == NULL)
            break;
        MGL_TRY(put_row(w, err));
    }
    error = readstat_end_writing(w->library);
    return error == READSTAT_OK ? mgl_text_writer_end(w->bytes, err)
                                : fail_library(w, error, NULL, err);
}

static mgl_status statistics_write(const mgl_format *format, const mgl_sink_request *request,
                                   mgl_error *err)
{
    writer w = {.order = request, .kind = mgl_statistics_kind_of(format), .err = err};
    w.variables = mgl_zeroed_array(request->n_columns, sizeof(readstat_variable_t *));
    w.shapes = mgl_zeroed_array(request->n_columns, sizeof *w.shapes);
    w.library = readstat_writer_init();
    mgl_status status = MGL_OK;
    if (w.variables == NULL || w.shapes == NULL || w.library == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_text_writer_new(request->fd, "release", err, &w.bytes));
    readstat_set_data_writer(w.library, put_bytes);
    MGL_GO(write_all(&w, err));
done:
    if (w.library != NULL)
        readstat_writer_free(w.library);
    mgl_text_writer_free(w.bytes);
    mgl_buffer_free(&w.text);
    mgl_free(w.variables);
    mgl_free(w.shapes);
    return status;
}

const mgl_sink_operations mgl_sink_statistics = {.write = statistics_write};
#else
const mgl_sink_operations mgl_sink_statistics = {0};
#endif
