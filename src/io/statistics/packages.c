/* The formats of statistics packages: kinds of files, clocks, catalogs. */
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

char *mgl_statistics_catalog(const char *path)
{
    size_t size = strlen(path);
    char *beside = mgl_alloc(size + 1);
    if (beside == NULL)
        return NULL;
    strcpy(beside, path);
    memcpy(beside + size - 3, "cat", 3);
    return beside;
}

mgl_status mgl_statistics_each_file(const char *path, mgl_file_fn *visit, void *context,
                                    mgl_error *err)
{
    if (mgl_location_of(path).format != &mgl_sas7bdat_format)
        return MGL_OK;
    char *beside = mgl_statistics_catalog(path);
    mgl_status status = beside == NULL ? mgl_fail_memory(err) : visit(context, beside, err);
    mgl_free(beside);
    return status;
}

const mgl_format mgl_sav_format = {
    .name = "sav",
    .help = "SPSS, with labels and missing values",
    .endings = ".sav .zsav",
    .source = &mgl_source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_dta_format = {
    .name = "dta",
    .help = "Stata, with labels",
    .endings = ".dta",
    .source = &mgl_source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_xpt_format = {
    .name = "xpt",
    .help = "SAS transport, without value labels",
    .endings = ".xpt",
    .source = &mgl_source_statistics,
    .sink = &mgl_sink_statistics,
};

const mgl_format mgl_sas7bdat_format = {
    .name = "sas7bdat",
    .help = "SAS, with the labels of a .sas7bcat beside it",
    .endings = ".sas7bdat",
    .source = &mgl_source_statistics,
};
