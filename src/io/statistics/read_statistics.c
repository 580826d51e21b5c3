/* Reads SPSS, Stata and SAS files as sources. The library calls back for each cell, so a pass is
 * one run of its parser over the file; it reads through the system calls of base, so that changes
 * are noticed and tests can make them fail. */
#include "io/intake/intake.h"
#include "io/statistics/statistics.h"

/* Seconds from 1970-01-01 to the days that SPSS, and Stata and SAS, count from. */
#define FROM_1582 (-12219379200.0)
#define FROM_1960 (-315619200.0)
#define DAY 86400.0

static const mgl_statistics_clock spss_clocks[] = {
    {"DATE", MGL_CELLS_DATE, 1, FROM_1582},         {"ADATE", MGL_CELLS_DATE, 1, FROM_1582},
    {"EDATE", MGL_CELLS_DATE, 1, FROM_1582},        {"SDATE", MGL_CELLS_DATE, 1, FROM_1582},
    {"JDATE", MGL_CELLS_DATE, 1, FROM_1582},        {"MOYR", MGL_CELLS_DATE, 1, FROM_1582},
    {"QYR", MGL_CELLS_DATE, 1, FROM_1582},          {"WKYR", MGL_CELLS_DATE, 1, FROM_1582},
    {"DATETIME", MGL_CELLS_DATETIME, 1, FROM_1582}, {"YMDHMS", MGL_CELLS_DATETIME, 1, FROM_1582},
};
static const mgl_statistics_clock stata_clocks[] = {
    {"%td", MGL_CELLS_DATE, DAY, FROM_1960},
    {"%d", MGL_CELLS_DATE, DAY, FROM_1960},
    {"%tc", MGL_CELLS_DATETIME, 0.001, FROM_1960},
};
static const mgl_statistics_clock sas_clocks[] = {
    {"DATE", MGL_CELLS_DATE, DAY, FROM_1960},      {"DDMMYY", MGL_CELLS_DATE, DAY, FROM_1960},
    {"MMDDYY", MGL_CELLS_DATE, DAY, FROM_1960},    {"YYMMDD", MGL_CELLS_DATE, DAY, FROM_1960},
    {"E8601DA", MGL_CELLS_DATE, DAY, FROM_1960},   {"WEEKDATE", MGL_CELLS_DATE, DAY, FROM_1960},
    {"WORDDATE", MGL_CELLS_DATE, DAY, FROM_1960},  {"DATETIME", MGL_CELLS_DATETIME, 1, FROM_1960},
    {"E8601DT", MGL_CELLS_DATETIME, 1, FROM_1960},
};

enum {
    N_SPSS = sizeof spss_clocks / sizeof spss_clocks[0],
    N_STATA = sizeof stata_clocks / sizeof stata_clocks[0],
    N_SAS = sizeof sas_clocks / sizeof sas_clocks[0]
};

static const mgl_statistics_kind kinds[] = {
    {&mgl_sav_format, "SPSS", spss_clocks, N_SPSS, "SDATE10", "DATETIME20", 32767, true},
    {&mgl_dta_format, "Stata", stata_clocks, N_STATA, "%td", "%tc", 2045, true},
    {&mgl_xpt_format, "SAS transport", sas_clocks, N_SAS, "DATE9", "DATETIME20", 32767, false},
    {&mgl_sas7bdat_format, "SAS", sas_clocks, N_SAS, NULL, NULL, 0, false},
};

const mgl_statistics_kind *mgl_statistics_kind_of(const mgl_format *format)
{
    size_t i = 0;
    while (i + 1 < sizeof kinds / sizeof kinds[0] && kinds[i].format != format)
        i++;
    return &kinds[i];
}

const mgl_statistics_clock *mgl_statistics_clock_of(const mgl_statistics_kind *kind,
                                                    const char *format)
{
    for (size_t i = 0; format != NULL && i < kind->n_clocks; i++) {
        const char *name = kind->clocks[i].name;
        size_t size = strlen(name);
        if (strncmp(format, name, size) != 0)
            continue;
        /* Behind the name comes a width; Stata has a picture there. */
        if (name[0] == '%' || format[size + strspn(format + size, "0123456789.")] == '\0')
            return &kind->clocks[i];
    }
    return NULL;
}

/* FILE.sas7bcat beside FILE.sas7bdat. NULL when memory is out. Free with mgl_free. */
static char *statistics_catalog(const char *path)
{
    size_t size = strlen(path);
    char *beside = mgl_alloc(size + 1);
    if (beside == NULL)
        return NULL;
    strcpy(beside, path);
    memcpy(beside + size - 3, "cat", 3);
    return beside;
}

static mgl_status statistics_each_file(const char *path, mgl_file_fn *visit, void *context,
                                       mgl_error *err)
{
    if (mgl_location_of(path).format != &mgl_sas7bdat_format)
        return MGL_OK;
    char *beside = statistics_catalog(path);
    mgl_status status = beside == NULL ? mgl_fail_memory(err) : visit(context, beside, err);
    mgl_free(beside);
    return status;
}

#ifdef MGL_READSTAT
#include <errno.h>
#include <readstat.h>

/* ---- Bytes of a file for libreadstat -------------------------------------------------- */

typedef struct readstat_input {
    int fd;
    mgl_file_state state;
    uint64_t at;         /* where the next read begins */
    char *block;         /* bytes from begin on */
    uint64_t begin, end; /* of the bytes in the block */
    int failure;         /* errno of a read that failed; 0: none did */
} readstat_input;

enum { BLOCK = 1 << 18 }; /* the library asks for single rows */

/* Close with file_close, also on failure. */
static mgl_status file_open(readstat_input *file, const char *path, mgl_error *err)
{
    *file = (readstat_input){.fd = -1};
    MGL_TRY(mgl_regular_open(path, err, &file->fd, &file->state));
    file->block = mgl_alloc(BLOCK);
    return file->block == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static void file_close(readstat_input *file)
{
    mgl_sys_close(file->fd);
    mgl_free(file->block);
    *file = (readstat_input){.fd = -1};
}

static int open_file(const char *path, void *context)
{
    readstat_input *file = context;
    (void)path;
    file->at = 0;
    return 0;
}

static int close_file(void *context)
{
    (void)context;
    return 0;
}

static readstat_off_t seek(readstat_off_t offset, readstat_io_flags_t whence, void *context)
{
    readstat_input *file = context;
    int64_t from = whence == READSTAT_SEEK_SET   ? 0
                   : whence == READSTAT_SEEK_CUR ? (int64_t)file->at
                                                 : (int64_t)file->state.size;
    if (from + offset < 0)
        return -1;
    file->at = (uint64_t)(from + offset);
    return (readstat_off_t)file->at;
}

static bool fill(readstat_input *file)
{
    ssize_t got = mgl_sys_pread(file->fd, file->block, BLOCK, file->at);
    file->begin = file->end = file->at;
    if (got > 0)
        file->end += (uint64_t)got;
    file->failure = got < 0 ? errno : 0;
    return got >= 0;
}

static ssize_t take(void *to, size_t size, void *context)
{
    readstat_input *file = context;
    size_t done = 0;
    while (done < size) {
        bool inside = file->at >= file->begin && file->at < file->end;
        if (!inside && !fill(file))
            return -1;
        if (!inside && file->at >= file->end)
            break; /* the end of the file */
        size_t n = (size_t)(file->end - file->at);
        n = n < size - done ? n : size - done;
        memcpy((char *)to + done, file->block + (file->at - file->begin), n);
        done += n;
        file->at += n;
    }
    return (ssize_t)done;
}

static readstat_error_t update(long size, readstat_progress_handler handler, void *user,
                               void *context)
{
    (void)size, (void)handler, (void)user, (void)context;
    return READSTAT_OK;
}

/* Lets a parser read from the file, from its beginning. */
static void file_attach(readstat_input *file, readstat_parser_t *parser)
{
    readstat_set_open_handler(parser, open_file);
    readstat_set_close_handler(parser, close_file);
    readstat_set_seek_handler(parser, seek);
    readstat_set_read_handler(parser, take);
    readstat_set_update_handler(parser, update);
    readstat_set_io_ctx(parser, file);
}

/* ---- State of the source --------------------------------------------------------------------- */

typedef struct variable {
    const mgl_statistics_clock *clock; /* NULL: cells are numbers, or texts */
    const char *set;                   /* its set of value labels; NULL: none */
} variable;

/* A label of a set: labels come apart from the columns. */
typedef struct labelled {
    uint32_t set;  /* in the map of sets */
    size_t number; /* in the order of the file */
    mgl_value_label label;
    readstat_value_t value; /* until the format of its column is known */
} labelled;

typedef struct statistics {
    readstat_input file;
    const mgl_statistics_kind *kind;
    char *path;
    mgl_arena *arena;
    mgl_column_meta *meta;
    variable *variables;
    size_t n_variables, meta_capacity, variables_capacity;
    labelled *labels;
    size_t n_labels, labels_capacity;
    mgl_map *sets;
} statistics;

/* One run of the parser. */
typedef struct run {
    mgl_source *source;
    statistics *state;
    mgl_intake *intake; /* NULL: only the columns are looked at */
    size_t next;        /* column of the intake */
    mgl_status status;
    mgl_error *err;
    mgl_buffer text;
} run;

/* ---- Cells ---------------------------------------------------------------------------- */

static mgl_span show_time(const mgl_statistics_clock *clock, double value, char text[MGL_TIME_TEXT])
{
    double seconds = value * clock->unit + clock->origin;
    bool day = clock->kind == MGL_CELLS_DATE;
    return (mgl_span){text,
                      day ? mgl_date_write(seconds, text) : mgl_datetime_write(seconds, text)};
}

/* A value that the calendar reaches in four digits, and that loses nothing as a day. */
static bool is_time(const mgl_statistics_clock *clock, double value)
{
    const double least = -62135596800.0, most = 253402300799.0; /* the years 1 to 9999 */
    double seconds = value * clock->unit + clock->origin;
    double days = seconds / 86400;
    return seconds >= least && seconds <= most &&
           (clock->kind == MGL_CELLS_DATETIME || days == (double)(int64_t)days);
}

static mgl_span show(readstat_value_t value, const mgl_statistics_clock *clock,
                     char text[MGL_TIME_TEXT])
{
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING) {
        const char *string = readstat_string_value(value);
        return string != NULL ? mgl_span_of(string) : (mgl_span){"", 0};
    }
    double number = readstat_double_value(value);
    if (clock != NULL && is_time(clock, number))
        return show_time(clock, number, text);
    if (readstat_value_type(value) == READSTAT_TYPE_FLOAT)
        return (mgl_span){text, mgl_number_write_single(readstat_float_value(value), text)};
    return (mgl_span){text, mgl_number_write_exact(number, text)};
}

_Static_assert((int)MGL_TIME_TEXT >= (int)MGL_NUMBER_TEXT, "a cell has room for both");

static bool is_missing(const run *r, readstat_value_t value, readstat_variable_t *v, size_t column)
{
    return readstat_value_is_system_missing(value) || readstat_value_is_tagged_missing(value) ||
           (mgl_intake_hides_missing(r->intake, column) &&
            readstat_value_is_defined_missing(value, v));
}

static bool put(run *r, mgl_span cell)
{
    r->status = mgl_intake_put(r->intake, cell, r->err);
    r->next = r->next + 1 < r->state->n_variables ? r->next + 1 : 0;
    return r->status == MGL_OK;
}

static bool put_until(run *r, size_t column)
{
    while (r->next != column)
        if (!put(r, (mgl_span){"", 0}))
            return false;
    return true;
}

static int take_value(int row, readstat_variable_t *v, readstat_value_t value, void *context)
{
    run *r = context;
    char text[MGL_TIME_TEXT];
    size_t column = (size_t)readstat_variable_get_index(v);
    (void)row;
    if (r->intake == NULL)
        return READSTAT_HANDLER_OK;
    if (column >= r->state->n_variables || !put_until(r, column))
        return READSTAT_HANDLER_ABORT;
    mgl_span cell = is_missing(r, value, v, column)
                        ? r->source->options->no_value
                        : show(value, r->state->variables[column].clock, text);
    return put(r, cell) ? READSTAT_HANDLER_OK : READSTAT_HANDLER_ABORT;
}

/* ---- Columns -------------------------------------------------------------------------- */

static mgl_status fail_damaged(const run *r, const char *why)
{
    return mgl_fail_at(r->err, MGL_CODE_FORMAT, r->source->name, 0,
                       "the file is damaged, incomplete or no %s file (%s); look at it with the "
                       "program that made it, and save it again",
                       r->state->kind->package, why);
}

static const char *copy(statistics *state, const char *text)
{
    return text == NULL || text[0] == '\0' ? NULL
                                           : mgl_arena_copy(state->arena, text, strlen(text));
}

static mgl_span copy_cell(statistics *state, readstat_value_t value,
                          const mgl_statistics_clock *clock)
{
    char text[MGL_TIME_TEXT];
    /* An endless range has infinity as its bound. */
    if (readstat_value_type_class(value) == READSTAT_TYPE_CLASS_NUMERIC &&
        !(readstat_double_value(value) < 1e300 && readstat_double_value(value) > -1e300))
        return (mgl_span){"", 0};
    mgl_span cell = show(value, clock, text);
    return (mgl_span){mgl_arena_copy(state->arena, cell.data, cell.size), cell.size};
}

static bool take_missing(statistics *state, readstat_variable_t *v, mgl_column_meta *meta)
{
    const int most =
        (int)(sizeof v->missingness.missing_ranges / sizeof v->missingness.missing_ranges[0] / 2);
    int n = readstat_variable_get_missing_ranges_count(v);
    n = n < 0 ? 0 : n > most ? most : n; /* a damaged file can have any number there */
    mgl_missing_range *ranges = mgl_arena_alloc(state->arena, ((size_t)n + 1) * sizeof *ranges);
    for (int i = 0; ranges != NULL && i < n; i++) {
        ranges[i].first = copy_cell(state, readstat_variable_get_missing_range_lo(v, i), NULL);
        ranges[i].last = copy_cell(state, readstat_variable_get_missing_range_hi(v, i), NULL);
        if (ranges[i].first.data == NULL || ranges[i].last.data == NULL)
            return false;
    }
    meta->missing = ranges;
    meta->n_missing = (size_t)n;
    return ranges != NULL;
}

static bool add_variable(run *r, readstat_variable_t *v, const char *set)
{
    statistics *state = r->state;
    size_t n = state->n_variables;
    bool room =
        mgl_grow(&state->meta, &state->meta_capacity, n + 1, sizeof *state->meta) &&
        mgl_grow(&state->variables, &state->variables_capacity, n + 1, sizeof *state->variables);
    if (!room)
        return false;
    const mgl_statistics_clock *clock =
        readstat_variable_get_type_class(v) == READSTAT_TYPE_CLASS_NUMERIC
            ? mgl_statistics_clock_of(state->kind, readstat_variable_get_format(v))
            : NULL;
    bool text = readstat_variable_get_type_class(v) == READSTAT_TYPE_CLASS_STRING;
    int width = readstat_variable_get_display_width(v);
    state->variables[n] = (variable){.clock = clock, .set = copy(state, set)};
    state->meta[n] = (mgl_column_meta){.kind = text            ? MGL_CELLS_TEXT
                                               : clock != NULL ? clock->kind
                                                               : MGL_CELLS_NUMBER,
                                       .label = copy(state, readstat_variable_get_label(v)),
                                       .width = width > 0 ? (size_t)width : 0,
                                       .decimals = v->decimals > 0 ? (size_t)v->decimals : 0};
    if (!take_missing(state, v, &state->meta[n]))
        return false;
    state->n_variables++;
    return true;
}

static int take_variable(int index, readstat_variable_t *v, const char *set, void *context)
{
    run *r = context;
    if (r->intake != NULL)
        return (size_t)index < r->state->n_variables && mgl_intake_wants(r->intake, (size_t)index)
                   ? READSTAT_HANDLER_OK
                   : READSTAT_HANDLER_SKIP_VARIABLE;
    /* In damaged files the library has no name for it. */
    const char *name = readstat_variable_get_name(v);
    r->status = name != NULL ? mgl_source_add_column(r->source, mgl_span_of(name), 0, r->err)
                             : fail_damaged(r, "a column has no name");
    if (r->status == MGL_OK && !add_variable(r, v, set))
        r->status = mgl_fail_memory(r->err);
    return r->status == MGL_OK ? READSTAT_HANDLER_OK : READSTAT_HANDLER_ABORT;
}

static int take_label(const char *set, readstat_value_t value, const char *label, void *context)
{
    run *r = context;
    statistics *state = r->state;
    if (r->intake != NULL || set == NULL || label == NULL ||
        readstat_value_is_tagged_missing(value) || readstat_value_is_system_missing(value))
        return READSTAT_HANDLER_OK;
    uint32_t number = mgl_map_add(state->sets, mgl_span_of(set));
    const char *text = mgl_arena_copy(state->arena, label, strlen(label));
    bool is_text = readstat_value_type_class(value) == READSTAT_TYPE_CLASS_STRING;
    const char *string = is_text ? readstat_string_value(value) : NULL;
    if (is_text) {
        string = string != NULL ? string : "";
        value.v.string_value = mgl_arena_copy(state->arena, string, strlen(string));
    }
    if (number == MGL_NOT_FOUND || text == NULL || (is_text && value.v.string_value == NULL) ||
        !mgl_grow(&state->labels, &state->labels_capacity, state->n_labels + 1,
                  sizeof *state->labels)) {
        r->status = mgl_fail_memory(r->err);
        return READSTAT_HANDLER_ABORT;
    }
    state->labels[state->n_labels] =
        (labelled){number, state->n_labels, {.label = {text, strlen(text)}}, value};
    state->n_labels++;
    return READSTAT_HANDLER_OK;
}

static int take_metadata(readstat_metadata_t *metadata, void *context)
{
    run *r = context;
    int64_t n = readstat_get_row_count(metadata);
    if (r->intake == NULL)
        r->source->n_rows = n > 0 ? (uint64_t)n : 0;
    return READSTAT_HANDLER_OK;
}

/* The labels of a set, as the cells of a column with this clock are shown. */
static mgl_status show_labels(statistics *state, size_t first, size_t n,
                              const mgl_statistics_clock *clock, mgl_error *err,
                              mgl_value_labels *out)
{
    mgl_value_label *list = mgl_arena_alloc(state->arena, (n + 1) * sizeof *list);
    MGL_TRY(mgl_check_memory(list != NULL, err));
    for (size_t i = 0; i < n; i++) {
        list[i].value = copy_cell(state, state->labels[first + i].value, clock);
        list[i].label = state->labels[first + i].label.label;
        MGL_TRY(mgl_check_memory(list[i].value.data != NULL, err));
    }
    *out = (mgl_value_labels){list, n};
    return MGL_OK;
}

/* Each column gets the labels of its set. Columns of numbers or texts share them. */
static mgl_status share_labels(statistics *state, mgl_error *err)
{
    static const mgl_sort_key by_set[] = {MGL_ASCENDING(labelled, set),
                                          MGL_ASCENDING(labelled, number), MGL_SORT_END};
    size_t n_sets = mgl_map_size(state->sets);
    size_t *first = mgl_zeroed_array(n_sets + 1, sizeof *first);
    mgl_value_labels *shared = mgl_zeroed_array(n_sets + 1, sizeof *shared);
    mgl_status status = MGL_OK;
    if (first == NULL || shared == NULL)
        MGL_GO(mgl_fail_memory(err));
    mgl_sort(state->labels, state->n_labels, sizeof *state->labels, by_set);
    for (size_t i = 0; i < state->n_labels; i++)
        first[state->labels[i].set + 1] = i + 1;
    for (size_t c = 0; c < state->n_variables; c++) {
        const variable *v = &state->variables[c];
        uint32_t set =
            v->set != NULL ? mgl_map_find(state->sets, mgl_span_of(v->set)) : MGL_NOT_FOUND;
        if (set == MGL_NOT_FOUND)
            continue;
        mgl_value_labels *labels = v->clock != NULL ? &state->meta[c].labels : &shared[set];
        if (labels->list == NULL)
            MGL_GO(
                show_labels(state, first[set], first[set + 1] - first[set], v->clock, err, labels));
        state->meta[c].labels = *labels;
    }
done:
    mgl_free(first);
    mgl_free(shared);
    return status;
}

/* ---- Running the parser --------------------------------------------------------------- */

static mgl_status fail_parser(const run *r, const readstat_input *file, readstat_error_t error)
{
    if (r->status != MGL_OK)
        return r->status;
    if (file->failure != 0) {
        errno = file->failure;
        return mgl_fail_errno(r->err, r->source->name, "read");
    }
    /* The library gets no memory for sizes that no file has, either: that is damage as a rule. */
    return fail_damaged(r, readstat_error_message(error));
}

typedef readstat_error_t parse_fn(readstat_parser_t *parser, const char *path, void *context);

static parse_fn *parser_of(const statistics *state)
{
    const mgl_format *format = state->kind->format;
    return format == &mgl_sav_format   ? readstat_parse_sav
           : format == &mgl_dta_format ? readstat_parse_dta
           : format == &mgl_xpt_format ? readstat_parse_xport
                                       : readstat_parse_sas7bdat;
}

/* Both handlers of variables and values are always set: without one the library crashes. */
static mgl_status parse(run *r, readstat_input *file, parse_fn *function, long limit)
{
    readstat_parser_t *parser = readstat_parser_init();
    MGL_TRY(mgl_check_memory(parser != NULL, r->err));
    readstat_set_metadata_handler(parser, take_metadata);
    readstat_set_variable_handler(parser, take_variable);
    readstat_set_value_handler(parser, take_value);
    readstat_set_value_label_handler(parser, take_label);
    if (r->source->options->encoding != NULL)
        readstat_set_file_character_encoding(parser, r->source->options->encoding);
    if (limit > 0)
        readstat_set_row_limit(parser, limit);
    file_attach(file, parser);
    readstat_error_t error = function(parser, r->source->name, r);
    readstat_parser_free(parser);
    return error == READSTAT_OK ? MGL_OK : fail_parser(r, file, error);
}

/* ---- The source ------------------------------------------------------------------------ */

/* FILE.sas7bcat beside FILE.sas7bdat holds the labels. */
static mgl_status read_catalog(run *r, mgl_error *err)
{
    char *beside = statistics_catalog(r->state->path);
    MGL_TRY(mgl_check_memory(beside != NULL, err));
    mgl_file_state there;
    mgl_status status = MGL_OK;
    if (mgl_sys_state_of(beside, &there) == 0) {
        readstat_input file;
        status = file_open(&file, beside, err);
        if (status == MGL_OK)
            status = parse(r, &file, readstat_parse_sas7bcat, 0);
        file_close(&file);
    }
    mgl_free(beside);
    return status;
}

/* The library takes a Stata file without its end for one without labels. */
static mgl_status check_end(const statistics *state, mgl_error *err)
{
    static const char begin[] = "<stata_dta>", end[] = "</stata_dta>";
    const readstat_input *file = &state->file;
    char first[sizeof begin - 1], last[sizeof end - 1];
    if (state->kind->format != &mgl_dta_format || file->state.size < sizeof first + sizeof last)
        return MGL_OK;
    if (mgl_sys_pread(file->fd, first, sizeof first, 0) != (ssize_t)sizeof first ||
        mgl_sys_pread(file->fd, last, sizeof last, file->state.size - sizeof last) !=
            (ssize_t)sizeof last)
        return mgl_fail_errno(err, state->path, "read");
    if (memcmp(first, begin, sizeof first) == 0 && memcmp(last, end, sizeof last) != 0)
        return mgl_fail_at(err, MGL_CODE_FORMAT, state->path, 0,
                           "the file is damaged or incomplete: its end is missing; copy or save it "
                           "again");
    return MGL_OK;
}

static mgl_status statistics_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    const char *path = location->text;
    statistics *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    state->file.fd = -1;
    state->kind = mgl_statistics_kind_of(source->format);
    state->arena = mgl_arena_new();
    state->sets = mgl_map_new();
    MGL_TRY(mgl_check_memory(state->arena != NULL && state->sets != NULL &&
                                 (state->path = mgl_arena_copy(state->arena, path, strlen(path))) !=
                                     NULL,
                             err));
    source->name = state->path;
    MGL_TRY(file_open(&state->file, path, err));
    source->size = state->file.state.size;
    MGL_TRY(check_end(state, err));
    run r = {.source = source, .state = state, .err = err};
    MGL_TRY(parse(&r, &state->file, parser_of(state), 1));
    size_t n = strlen(path);
    if (n > 9 && strcmp(path + n - 9, ".sas7bdat") == 0)
        MGL_TRY(read_catalog(&r, err));
    if (state->n_variables == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, path, 0, "the file has no columns");
    MGL_TRY(share_labels(state, err));
    source->meta = state->meta;
    return MGL_OK;
}

static void statistics_close(mgl_source *source)
{
    statistics *state = source->state;
    if (state == NULL)
        return;
    file_close(&state->file);
    mgl_arena_free(state->arena);
    mgl_map_free(state->sets);
    mgl_free(state->meta);
    mgl_free(state->variables);
    mgl_free(state->labels);
    mgl_free(state);
}

static mgl_status statistics_unchanged(mgl_source *source, mgl_error *err)
{
    const statistics *state = source->state;
    return mgl_regular_unchanged(state->file.fd, &state->file.state, source->name, err);
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    statistics *state = source->state;
    run r = {.source = source, .state = state, .intake = intake, .err = err};
    MGL_TRY(parse(&r, &state->file, parser_of(state), 0));
    if (!put_until(&r, 0))
        return r.status;
    return statistics_unchanged(source, err);
}

static const mgl_source_operations source_statistics = {.open = statistics_open,
                                                        .close = statistics_close,
                                                        .produce = produce,
                                                        .unchanged = statistics_unchanged,
                                                        .each_file = statistics_each_file};

#else
static const mgl_source_operations source_statistics = {.each_file = statistics_each_file};
#endif

const mgl_format mgl_sav_format = {
    .name = "sav",
    .help = "SPSS, with labels and missing values",
    .endings = ".sav .zsav",
    .source = &source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_dta_format = {
    .name = "dta",
    .help = "Stata, with labels",
    .endings = ".dta",
    .source = &source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_xpt_format = {
    .name = "xpt",
    .help = "SAS transport, without value labels",
    .endings = ".xpt",
    .source = &source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_sas7bdat_format = {
    .name = "sas7bdat",
    .help = "SAS, with the labels of a .sas7bcat beside it",
    .endings = ".sas7bdat",
    .source = &source_statistics,
};
