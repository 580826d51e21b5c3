/* The table of builders, one row each, and the little language they are written in: NAME or
 * NAME(ARGUMENTS). tree.c builds with it; jobs, help and completion ask which builders there
 * are. */
#include "hierarchy/builders.h"
#include "hierarchy/classification.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const mgl_builder_type types[] = {
    {"suppress", "suppress", "the value or nothing: two levels", "asian -> *"},
    {"mask", "mask(right|left[,LEVELS][; N,N,...])",
     "replaces one character more per level by *, from the right or the left; "
     "LEVELS: how often (default: longest length - 1); N,N: how many characters on each level",
     "mask(right,2): 02138 -> 0213* -> 021** -> *; mask(right; 2,4): 02138 -> 021** -> 0**** -> *"},
    {"intervals", "intervals([from ORIGIN by] WIDTH,WIDTH,...)",
     "numbers in intervals of growing widths, each a multiple of the one before",
     "intervals(5,10,20): 37 -> 35-39 -> 30-39 -> 20-39 -> *"},
    {"cuts", "cuts(NUMBER,NUMBER,...)", "numbers between the given bounds: one level of bands",
     "cuts(18,30,46,66): 37 -> 30-45 -> *"},
    {"top", "top(NUMBER,NUMBER,...)",
     "numbers from a bound on become one value, smaller ones stay; a level for each bound, the "
     "largest first",
     "top(90,80): 97 -> >=90 -> >=80 -> *; 84 -> 84 -> >=80 -> *"},
    {"bottom", "bottom(NUMBER,NUMBER,...)",
     "numbers up to a bound become one value, larger ones stay; a level for each bound, the "
     "smallest first",
     "bottom(18,25): 7 -> <=18 -> <=25 -> *; 21 -> 21 -> <=25 -> *"},
    {"dates", "dates([ymd|dmy|mdy;] hour,day,week,month,quarter,year,Ny,...)",
     "days and times in hours, days, weeks (which go with nothing above them), months, quarters, "
     "years and runs of N years, as many of these as wanted; the order of day and month is needed "
     "only where the values do not show it",
     "dates(month,year,5y,10y): 1965-09-20 -> 1965-09 -> 1965 -> 1965-1969 -> 1960-1969 -> *"},
    {"groups", "groups(FILE)",
     "groups of your own: lines 'GROUP: value, value'; a later line may group earlier groups",
     "groups(races.txt): asian -> person -> *"},
    {"order", "order(FILE|VALUE < VALUE < ...[; N,N,...])",
     "values in an order of your own, in groups of N neighbours; FILE: one value per line; without "
     "N: 2, 4, 8, ...",
     "order(basic < secondary < bachelor < master; 2): secondary -> basic..secondary -> *"},
    {"rare", "rare(N[; as LABEL][; keep VALUE,...])",
     "values that fewer than N rows have become one, 'other'; what is kept can be written out",
     "rare(5): Faroese -> other -> *; Danish -> Danish -> *"},
    {"labels", "labels",
     "what the data itself calls its codes (SPSS, Stata and SAS files, code lists); a code "
     "without a label stays",
     "labels: 3 -> widowed -> *"},
    {"grid", "grid([lat|lon[ at LATITUDE];] SIZE[km],SIZE[km],...)",
     "places in cells of a grid, by degrees or kilometres: a column of 'latitude,longitude', or "
     "one "
     "of latitudes or longitudes",
     "grid(0.1,1): 52.52,13.405 -> 52.5..52.6 13.4..13.5 -> 52..53 13..14 -> *"},
    {"icd10", "icd10[(category,block,chapter)]",
     "codes of ICD-10, with or without dot, of national modifications, too: the blocks and "
     "chapters "
     "of the World Health Organization",
     "icd10: E11.9 -> E11.- -> E10-E14 -> E00-E90 -> *"},
    {"icd9", "icd9[(category,block,chapter)]",
     "diagnoses of ICD-9, with or without dot and zeros in front: the blocks and chapters of "
     "ICD-9-CM",
     "icd9: 250.02 -> 250.- -> 249-259 -> 240-279 -> *"},
    {"iso3166", "iso3166[(intermediate,subregion,region)]",
     "countries by their codes (DE, DEU, 276) or English names: the regions of the United Nations "
     "(M49); without levels subregion and region",
     "iso3166: DE -> Western Europe -> Europe -> *"},
    {"isco", "isco[(unit,minor,submajor,major)]",
     "occupations of ISCO-08: minor, sub-major and major groups; unit joins national subdivisions",
     "isco: 2221 -> 222 -> 22 -> 2 Professionals -> *"},
    {"isced", "isced[(category,level,group)]",
     "levels of education of ISCED 2011 (354, 35, 3, ED3): low, medium and high above them",
     "isced: 35 -> 3 Upper secondary education -> 3-4 Medium -> *"},
    {"iscedf", "iscedf[(detailed,narrow,broad)]",
     "fields of education of ISCED-F 2013: narrow and broad fields",
     "iscedf: 0613 -> 061 -> 06 Information and Communication Technologies -> *"},
    {"nace", "nace[(class,group,division,section)]",
     "economic activities of NACE Rev. 2 (10.11, C10.11, 1011); class joins national subclasses "
     "such as those of WZ, NAF and ATECO",
     "nace: 10.11 -> 10.1 -> 10 -> C Manufacturing -> *"},
    {"nace21", "nace21[(class,group,division,section)]",
     "economic activities of NACE Rev. 2.1, likewise",
     "nace21: 62.10 -> 62.1 -> 62 -> K Telecommunication, computer programming, consulting and "
     "related activities -> *"},
    {"atc", "atc[(chemical,pharmacological,therapeutic,anatomical)]",
     "medicines by their ATC codes: subgroups and the anatomical main group",
     "atc: N02BE01 -> N02BE -> N02B -> N02 -> N Nervous system -> *"},
    {"nuts", "nuts[(nuts2,nuts1,country)]",
     "regions of NUTS, of the member states of the European Union, of EFTA and candidates",
     "nuts: DE212 -> DE21 -> DE2 -> DE Germany -> *"},
    {"columns", "columns(COLUMN,COLUMN,...)",
     "what other columns of the table say, from fine to coarse; they are not released unless the "
     "job gives them a role",
     "columns(county,state): 02138 -> Middlesex -> Massachusetts -> *"},
};

static mgl_status build_suppress(mgl_build *build, mgl_error *err)
{
    for (size_t i = 0; i < build->ground->n; i++)
        MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
    return MGL_OK;
}

/* Codes that share a label become one. */
static mgl_status build_labels(mgl_build *build, mgl_error *err)
{
    if (build->labels == NULL)
        return mgl_draft_fail(build->draft, 0, err,
                              "the data has no labels for the values of this column; name a "
                              "hierarchy file or another builder");
    build->draft->n_levels = 2;
    for (size_t i = 0; i < build->ground->n; i++) {
        mgl_span value = build->ground->values[i].text;
        mgl_span label = mgl_label_of(build->labels, value);
        MGL_TRY(mgl_build_row(build, &build->ground->values[i], err));
        MGL_TRY(mgl_draft_put(build->draft, 1, label.size > 0 ? label : value, err));
    }
    return MGL_OK;
}

/* Pipelines make it from the table (mgl_hierarchy_of_columns); values alone are not enough. */
static mgl_status build_columns(mgl_build *build, mgl_error *err)
{
    return mgl_draft_fail(build->draft, 0, err,
                          "it takes its labels from other columns, which are not given here; "
                          "write it to a file by `hierarchy build`, and name that");
}

static mgl_span whole_path(mgl_span arguments)
{
    return arguments;
}

static bool always(mgl_span arguments)
{
    (void)arguments;
    return true;
}

static bool if_any(mgl_span arguments)
{
    return arguments.size > 0;
}

/* mask(right) has as many levels as the longest value has characters. */
static bool if_counted(mgl_span arguments)
{
    return memchr(arguments.data, ',', arguments.size) != NULL ||
           memchr(arguments.data, ';', arguments.size) != NULL;
}

/* What each builder is made by, in the order of the types. fixed: does what becomes of a value, and
 * the number of levels, depend on that value and the arguments alone? Of numbers it does where all
 * are whole; NULL: it does not. */
static const struct {
    mgl_build_fn *build;
    const mgl_classification *classification; /* in its place */
    mgl_span (*path)(mgl_span arguments);     /* of the file that they name; NULL: they name none */
    bool (*fixed)(mgl_span arguments);
    bool needs_rows, needs_columns, of_numbers;
} works[] = {{.build = build_suppress, .fixed = always},
             {.build = mgl_build_mask, .fixed = if_counted},
             {.build = mgl_build_intervals, .fixed = always, .of_numbers = true},
             {.build = mgl_build_cuts, .fixed = always, .of_numbers = true},
             {.build = mgl_build_top, .fixed = always, .of_numbers = true},
             {.build = mgl_build_bottom, .fixed = always, .of_numbers = true},
             {.build = mgl_build_dates},
             {.build = mgl_build_groups, .path = whole_path, .fixed = always},
             {.build = mgl_build_request, .path = mgl_order_path, .fixed = always},
             {.build = mgl_build_rare, .needs_rows = true},
             {.build = build_labels},
             {.build = mgl_build_grid},
             {.classification = &mgl_icd10, .fixed = if_any},
             {.classification = &mgl_icd9, .fixed = if_any},
             {.classification = &mgl_iso3166, .fixed = if_any},
             {.classification = &mgl_isco, .fixed = if_any},
             {.classification = &mgl_isced, .fixed = if_any},
             {.classification = &mgl_iscedf, .fixed = if_any},
             {.classification = &mgl_nace, .fixed = if_any},
             {.classification = &mgl_nace21, .fixed = if_any},
             {.classification = &mgl_atc, .fixed = if_any},
             {.classification = &mgl_nuts, .fixed = if_any},
             {.build = build_columns, .needs_columns = true}};
enum { N_TYPES = sizeof types / sizeof types[0] };
_Static_assert(sizeof works / sizeof works[0] == N_TYPES, "one function per builder");

const mgl_builder_type *mgl_builder_types(size_t *n)
{
    *n = N_TYPES;
    return types;
}

static size_t find_type(mgl_span name)
{
    size_t type = 0;
    while (type < N_TYPES && !mgl_span_is(name, types[type].name))
        type++;
    return type;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
}

/* A known name, else the letters (and dashes) in front. */
static mgl_span name_of(mgl_span spec)
{
    size_t size = 0;
    while (size < spec.size && in_name(spec.data[size]))
        size++;
    if (find_type((mgl_span){spec.data, size}) < N_TYPES)
        return (mgl_span){spec.data, size};
    for (size = 0; size < spec.size && in_name(spec.data[size]); size++)
        if (spec.data[size] < 'a' && (spec.data[size] != '-' || size == 0))
            break;
    return (mgl_span){spec.data, size};
}

/* A known name alone or before '(' is a builder even if the rest is wrong, so that
 * the message is about the builder; so is any other name(...), which no file has. */
bool mgl_hierarchy_is_builder(const char *spec)
{
    mgl_span text = mgl_span_trim(mgl_span_of(spec));
    mgl_span name = name_of(text);
    bool known = find_type(name) < N_TYPES;
    if (name.size == text.size)
        return known;
    if (name.size == 0 || text.data[name.size] != '(')
        return false;
    return known || text.data[text.size - 1] == ')';
}

/* What stands between the parentheses; empty: nothing, or they are not closed. */
static mgl_span arguments_of(mgl_span text, mgl_span name)
{
    if (name.size + 2 > text.size || text.data[text.size - 1] != ')')
        return (mgl_span){text.data, 0};
    return mgl_span_trim((mgl_span){text.data + name.size + 1, text.size - name.size - 2});
}

mgl_span mgl_hierarchy_path(const char *spec)
{
    mgl_span text = mgl_span_trim(mgl_span_of(spec));
    mgl_span name = name_of(text);
    size_t type = find_type(name);
    if (!mgl_hierarchy_is_builder(spec))
        return mgl_span_of(spec);
    mgl_span arguments = arguments_of(text, name);
    if (type == N_TYPES || works[type].path == NULL || arguments.size == 0)
        return (mgl_span){spec, 0};
    return works[type].path(arguments);
}

bool mgl_hierarchy_needs_rows(const char *spec)
{
    size_t type = find_type(name_of(mgl_span_trim(mgl_span_of(spec))));
    return mgl_hierarchy_is_builder(spec) && type < N_TYPES && works[type].needs_rows;
}

bool mgl_hierarchy_is_recoding(const char *spec)
{
    size_t size = strlen(spec);
    return size > 4 && strcmp(spec + size - 4, ".grc") == 0;
}

bool mgl_hierarchy_is_fixed(const char *spec, bool *of_numbers)
{
    mgl_span text = mgl_span_trim(mgl_span_of(spec));
    mgl_span name = name_of(text);
    size_t type = find_type(name);
    bool builder = mgl_hierarchy_is_builder(spec) && type < N_TYPES;
    *of_numbers = builder && works[type].of_numbers;
    if (!builder)
        return !mgl_hierarchy_is_recoding(spec);
    return works[type].fixed != NULL && works[type].fixed(arguments_of(text, name));
}

mgl_span mgl_hierarchy_columns(const char *spec)
{
    mgl_span text = mgl_span_trim(mgl_span_of(spec));
    mgl_span name = name_of(text);
    size_t type = find_type(name);
    bool needs = mgl_hierarchy_is_builder(spec) && type < N_TYPES && works[type].needs_columns;
    return needs ? arguments_of(text, name) : (mgl_span){spec, 0};
}

bool mgl_hierarchy_next_column(mgl_span *rest, const char *own, mgl_span *name)
{
    if (rest->size == 0)
        return false;
    const char *comma = memchr(rest->data, ',', rest->size);
    size_t size = comma != NULL ? (size_t)(comma - rest->data) : rest->size;
    size_t behind = size + (comma != NULL);
    *name = mgl_span_trim((mgl_span){rest->data, size});
    *rest = (mgl_span){rest->data + behind, rest->size - behind};
    return mgl_span_is(*name, own) ? mgl_hierarchy_next_column(rest, own, name) : true;
}

static size_t nearest_type(mgl_span name)
{
    mgl_nearest nearest = mgl_nearest_to(name);
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_nearest_try(&nearest, types[i].name);
    return nearest.best != NULL ? find_type(mgl_span_of(nearest.best)) : N_TYPES;
}

const char *mgl_builder_meant(const char *spec)
{
    size_t type = strpbrk(spec, "./:") == NULL ? nearest_type(mgl_span_of(spec)) : N_TYPES;
    return type < N_TYPES ? types[type].syntax : NULL;
}

static mgl_status fail_unknown(const mgl_draft *draft, mgl_span name, mgl_error *err)
{
    mgl_buffer names = {0};
    size_t nearest = nearest_type(name);
    if (nearest < N_TYPES)
        mgl_buffer_format(&names, "did you mean %s? ", types[nearest].name);
    mgl_buffer_text(&names, "the builders are ");
    for (size_t i = 0; i < N_TYPES; i++)
        mgl_buffer_format(&names, "%s%s", i > 0 ? ", " : "", types[i].syntax);
    char *list;
    MGL_TRY(mgl_buffer_take(&names, err, &list));
    mgl_status status = mgl_draft_fail(draft, 0, err, "there is no builder '%.*s'; %s",
                                       mgl_span_width(name), name.data, list);
    mgl_free(list);
    return status;
}

static mgl_status parse(const mgl_draft *draft, mgl_error *err, size_t *type, mgl_span *arguments)
{
    mgl_span text = mgl_span_trim(mgl_span_of(draft->spec));
    mgl_span name = name_of(text);
    size_t found = find_type(name);
    if (found == N_TYPES)
        return fail_unknown(draft, name, err);
    const char *syntax = types[found].syntax;
    *type = found;
    const char *parenthesis = strchr(syntax, '(');
    bool takes = parenthesis != NULL, needs = takes && parenthesis[-1] != '[';
    *arguments = (mgl_span){text.data + name.size, 0};
    if (name.size == text.size && !needs)
        return MGL_OK;
    if (name.size == text.size)
        return mgl_draft_fail(draft, 0, err, "arguments are missing; write %s", syntax);
    if (text.data[text.size - 1] != ')')
        return mgl_draft_fail(draft, 0, err, "the closing ')' is missing; write %s", syntax);
    mgl_span inner = {text.data + name.size + 1, text.size - name.size - 2};
    *arguments = mgl_span_trim(inner);
    if (needs && arguments->size == 0)
        return mgl_draft_fail(draft, 0, err, "arguments are missing; write %s", syntax);
    if (!takes && arguments->size > 0)
        return mgl_draft_fail(draft, 0, err, "it takes no arguments; write %s", syntax);
    return MGL_OK;
}

mgl_status mgl_draft_build(mgl_draft *draft, const mgl_dictionary *dictionary, mgl_error *err)
{
    size_t type = 0;
    mgl_ground ground;
    mgl_build build = {.draft = draft,
                       .ground = &ground,
                       .labels = mgl_dictionary_labels(dictionary),
                       .dictionary = dictionary};
    draft->built = true;
    MGL_TRY(parse(draft, err, &type, &build.arguments));
    MGL_TRY(mgl_ground_of(dictionary, err, &ground));
    draft->has_star = ground.star;
    draft->n_levels = 1;
    mgl_status status = works[type].classification != NULL
                            ? mgl_build_classification(&build, works[type].classification, err)
                            : works[type].build(&build, err);
    mgl_ground_free(&ground);
    return status;
}

bool mgl_next_argument(mgl_span *rest, mgl_span *argument)
{
    if (rest->data == NULL)
        return false;
    const char *comma = memchr(rest->data, ',', rest->size);
    size_t size = comma != NULL ? (size_t)(comma - rest->data) : rest->size;
    *argument = mgl_span_trim((mgl_span){rest->data, size});
    *rest = comma != NULL ? (mgl_span){comma + 1, rest->size - size - 1} : (mgl_span){NULL, 0};
    return true;
}

/* Cuts the line off FILE:LINE; 0: there is none. */
static uint64_t take_line(char *place)
{
    char *colon = strrchr(place, ':'), *end = NULL;
    uint64_t line = colon != NULL ? strtoull(colon + 1, &end, 10) : 0;
    if (line == 0 || *end != '\0')
        return 0;
    *colon = '\0';
    return line;
}

mgl_status mgl_build_blame(const mgl_build *build, mgl_span value, mgl_error *err,
                           const char *format, ...)
{
    char text[700], place[MGL_PLACE_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mgl_dictionary_origin(build->dictionary, value, place);
    if (place[0] == '\0' || build->draft->column == NULL)
        return mgl_draft_fail(build->draft, 0, err, "%s", text);
    uint64_t line = take_line(place);
    return mgl_blame_attribute(err,
                               mgl_fail_at(err, MGL_CODE_BUILDER, place, line,
                                           "column '%.60s', %.100s: %s", build->draft->column,
                                           build->draft->spec, text),
                               build->draft->column, "hierarchy");
}

bool mgl_take_token(mgl_span *rest, char end, mgl_buffer *token, bool *quoted, bool *ended)
{
    mgl_span text = mgl_span_trim(*rest);
    size_t at = 0;
    token->size = 0;
    *quoted = text.size > 0 && text.data[0] == '"';
    if (*quoted) {
        for (at = 1; at < text.size; at++) {
            if (text.data[at] == '"' && (at + 1 == text.size || text.data[at + 1] != '"'))
                break;
            at += text.data[at] == '"';
            mgl_buffer_append(token, text.data + at, 1);
        }
        if (at++ >= text.size)
            return false;
        for (; at < text.size && text.data[at] != end; at++)
            if (text.data[at] != ' ' && text.data[at] != '\t')
                return false;
    } else {
        const char *found = memchr(text.data, end, text.size);
        at = found != NULL ? (size_t)(found - text.data) : text.size;
        mgl_buffer_span(token, mgl_span_trim((mgl_span){text.data, at}));
    }
    *ended = at == text.size;
    *rest =
        *ended ? (mgl_span){text.data + at, 0} : (mgl_span){text.data + at + 1, text.size - at - 1};
    return true;
}

mgl_status mgl_build_check_listed(const mgl_build *build, const mgl_map *listed, const char *fault,
                                  mgl_error *err)
{
    const mgl_draft *draft = build->draft;
    for (size_t i = 0; i < build->ground->n; i++) {
        mgl_span text = build->ground->values[i].text;
        char shown[MGL_SHOWN];
        if (mgl_map_find(listed, text) == MGL_NOT_FOUND)
            return mgl_draft_fail(draft, 0, err,
                                  "the value '%s' of column '%.60s' %s, or name it by `missing` if "
                                  "it means missing",
                                  mgl_shown(text, shown),
                                  draft->column != NULL ? draft->column : "?", fault);
    }
    return MGL_OK;
}

mgl_status mgl_build_row(mgl_build *build, const mgl_ground_value *value, mgl_error *err)
{
    MGL_TRY(mgl_draft_add_row(build->draft, 0, err));
    return mgl_draft_put(build->draft, 0, value->text, err);
}
