/* What a problem is made of besides its list: limits, options of the method, combinations of
 * columns; and what a solution has besides its recoding: findings and aggregated columns. */
#include "search/problem/problem.h"
#include "search/problem/by_set.h"

#include <math.h>

static bool read_up_to(mgl_span text, double most, mgl_by_set *out)
{
    mgl_by_set read = {.n = 0};
    for (bool more = true; more;) {
        const char *slash = text.size > 0 ? memchr(text.data, '/', text.size) : NULL;
        size_t size = slash != NULL ? (size_t)(slash - text.data) : text.size;
        double number;
        if (read.n == MGL_MOST_BY_SET || !mgl_parse_double((mgl_span){text.data, size}, &number) ||
            !isfinite(number) || number < 0 || number > most)
            return false;
        read.values[read.n++] = number;
        more = slash != NULL;
        if (more)
            text = (mgl_span){slash + 1, text.size - size - 1};
    }
    *out = read;
    return true;
}

bool mgl_read_by_set(mgl_span text, void *place)
{
    return read_up_to(text, INFINITY, place);
}

bool mgl_read_shares_by_set(mgl_span text, void *place)
{
    return read_up_to(text, 1, place);
}

bool mgl_by_set_any(const mgl_by_set *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->values[i] > 0)
            return true;
    return false;
}

/* How many rows may be suppressed, by the limit of a job and the number of rows, of the table or of
 * a stratum. */
uint64_t mgl_limit_of(const char *given, uint64_t n_rows)
{
    uint64_t limit = 0;
    if (given == NULL)
        return 0;
    size_t size = strlen(given);
    if (size > 0 && given[size - 1] == '%')
        mgl_parse_share((mgl_span){given, size - 1}, true, n_rows, &limit);
    else
        mgl_parse_u64((mgl_span){given, size}, &limit);
    return limit < n_rows ? limit : n_rows;
}

/* Fills the struct of a method's options from its rows; called for each job with its options, and
 * for a problem that comes without options. */

const mgl_method_option *mgl_method_option_at(const mgl_method_type *method, size_t i)
{
    const mgl_method_option *row = &method->options[i];
    return row->same != NULL ? row->same : row;
}

/* What the options of a method are made of. */
typedef struct making {
    size_t n_attributes;
    mgl_option_text_fn *given;
    const void *context;
    mgl_arena *arena;
} making;

static const char *text_of(const making *m, const mgl_method_option *option, ptrdiff_t column)
{
    const char *text = m->given != NULL ? m->given(m->context, option, column) : NULL;
    return text != NULL ? text : option->fallback;
}

/* Texts were checked when they were given, and defaults are part of the program. */
static mgl_status read(const making *m, const mgl_method_option *option, ptrdiff_t column,
                       mgl_error *err, void *field)
{
    const char *text = text_of(m, option, column);
    if (text == NULL)
        return MGL_OK;
    if (option->list)
        return mgl_value_parse_list(&option->parser, text, m->arena, err, field, NULL);
    return mgl_value_parse(&option->parser, mgl_span_of(text), field)
               ? MGL_OK
               : mgl_fail_key(err, MGL_CODE_BAD_VALUE, option->name,
                              "`%s`: '%.60s' is not possible", option->name, text);
}

static void *zeroed(mgl_arena *arena, size_t size)
{
    void *room = mgl_arena_alloc(arena, size > 0 ? size : 1);
    return room != NULL ? memset(room, 0, size) : NULL;
}

static mgl_status read_columns(const making *m, const mgl_method_option *option, mgl_error *err,
                               void *field)
{
    size_t size = mgl_value_parser_size(&option->parser);
    char *values = zeroed(m->arena, m->n_attributes * size);
    MGL_TRY(mgl_check_memory(values != NULL, err));
    for (size_t a = 0; a < m->n_attributes; a++)
        MGL_TRY(read(m, option, (ptrdiff_t)a, err, values + a * size));
    *(void **)field = values;
    return MGL_OK;
}

mgl_status mgl_method_options(const mgl_method_type *method, size_t n_attributes,
                              mgl_option_text_fn *given, const void *context, mgl_arena *arena,
                              mgl_error *err, const void **out)
{
    making m = {n_attributes, given, context, arena};
    char *options = NULL;
    if (method->n_options > 0 && (options = zeroed(arena, method->options_size)) == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < method->n_options; i++) {
        const mgl_method_option *option = mgl_method_option_at(method, i);
        void *field = options + method->options[i].place;
        MGL_TRY(option->by_column ? read_columns(&m, option, err, field)
                                  : read(&m, option, MGL_WHOLE_TABLE, err, field));
    }
    *out = options;
    return MGL_OK;
}

/* Reads which combinations of columns are meant; the rows of two methods name this option. */

/* One of "2", "published", "all", "age+zip": added to what is there. Which columns are named the
 * settings know (src/job/settings/settings.c). */
static bool read_combination(mgl_span text, void *place)
{
    mgl_combinations *out = place;
    uint64_t size;
    if (mgl_span_is(text, "published"))
        out->published = true;
    else if (mgl_span_is(text, "all"))
        out->all = true;
    else if (text.size > 0 && memchr(text.data, '+', text.size) != NULL)
        out->named = true;
    else if (mgl_parse_u64(text, &size) && size >= 1 && size < 64)
        out->sizes |= UINT64_C(1) << size;
    else
        return false;
    return true;
}

const mgl_method_option mgl_combinations_option = {
    .name = "combinations",
    .value = "N,...|published|all|COLUMN+COLUMN,...",
    .help = "mu-argus: combinations of columns looked at (default: 2,3); local-suppression: on "
            "which k must hold (default: all columns together); by name (age+zip,age+sex+job): "
            "models hold on just these",
    .list = true,
    .of_release = true,
    .parser = {.kind = MGL_PARSE_OWN,
               .read = read_combination,
               .wrong = "is no kind of combinations; give sizes such as 2,3, or published, or all, "
                        "or columns such as age+zip"},
};

static void add_finding(mgl_findings *findings, mgl_finding finding)
{
    findings->failed = findings->failed || !mgl_grow(&findings->of, &findings->capacity,
                                                     findings->n + 1, sizeof *findings->of);
    if (!findings->failed)
        findings->of[findings->n++] = finding;
}

void mgl_findings_count(mgl_findings *findings, const char *name, uint64_t count)
{
    add_finding(findings, (mgl_finding){MGL_FINDING_COUNT, .name = name, .count = count});
}

void mgl_findings_real(mgl_findings *findings, const char *name, double real)
{
    add_finding(findings, (mgl_finding){MGL_FINDING_REAL, .name = name, .real = real});
}

void mgl_findings_text(mgl_findings *findings, const char *name, const char *text)
{
    if (findings->texts == NULL)
        findings->texts = mgl_arena_new();
    char *copy =
        findings->texts != NULL ? mgl_arena_copy(findings->texts, text, strlen(text)) : NULL;
    findings->failed = findings->failed || copy == NULL;
    add_finding(findings, (mgl_finding){MGL_FINDING_TEXT, .name = name, .text = copy});
}

void mgl_findings_mark(mgl_findings *findings, mgl_finding_kind kind, const char *name)
{
    add_finding(findings, (mgl_finding){kind, .name = name});
}

void mgl_findings_append(mgl_findings *findings, const mgl_findings *more)
{
    findings->failed = findings->failed || more->failed;
    for (size_t i = 0; i < more->n; i++)
        if (more->of[i].kind == MGL_FINDING_TEXT)
            mgl_findings_text(findings, more->of[i].name, more->of[i].text);
        else
            add_finding(findings, more->of[i]);
}

void mgl_findings_free(mgl_findings *findings)
{
    mgl_free(findings->of);
    mgl_arena_free(findings->texts);
    *findings = (mgl_findings){0};
}

/* What is known about columns that were aggregated. Solutions have it. */

void mgl_aggregated_free(mgl_aggregated *aggregated)
{
    if (aggregated == NULL)
        return;
    mgl_free(aggregated->node);
    mgl_free(aggregated->columns);
    mgl_free(aggregated);
}
