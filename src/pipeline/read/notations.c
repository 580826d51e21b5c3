/* How cells are written: columns that are nearly all numbers or dates, notations that can be read
 * in two ways, texts that mean missing but are labels of a hierarchy, and tables that are spelled
 * as another one. */
#include "pipeline/read/reading_steps.h"
#include "pipeline/read/reading.h"

/* How many values of a column fit, and the first that does not. */
typedef struct fitting {
    uint64_t values, numbers, dates[MGL_DATE_ORDERS];
    mgl_span no_number, no_date[MGL_DATE_ORDERS];
} fitting;

static fitting fit(const mgl_dictionary *dictionary)
{
    const mgl_notation *notation = mgl_dictionary_notation(dictionary);
    uint32_t missing = mgl_dictionary_missing(dictionary);
    fitting f = {0};
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++) {
        mgl_span text = mgl_dictionary_value(dictionary, code);
        double number;
        if (code == missing)
            continue;
        bool is_number = mgl_notation_number(notation, text, &number);
        unsigned orders = is_number ? 0 : mgl_date_orders(notation, text);
        f.values++;
        f.numbers += is_number;
        f.no_number = !is_number && f.no_number.data == NULL ? text : f.no_number;
        for (int order = 0; order < MGL_DATE_ORDERS; order++) {
            bool is_date = orders >> order & 1;
            f.dates[order] += is_date;
            f.no_date[order] = !is_date && f.no_date[order].data == NULL ? text : f.no_date[order];
        }
    }
    return f;
}

mgl_slip mgl_slip_find(const mgl_column *column)
{
    mgl_slip slip = {MGL_SLIP_NONE, {0}};
    fitting f = fit(column->dictionary);
    size_t whole = 0, best = 0;
    for (size_t order = 0; order < MGL_DATE_ORDERS; order++) {
        whole += f.dates[order] == f.values;
        best = f.dates[order] > f.dates[best] ? order : best;
    }
    if (f.values == 0 || f.numbers == f.values || whole == 1)
        return slip;
    if (mgl_nearly_all(f.numbers, f.values))
        slip = (mgl_slip){MGL_SLIP_NUMBER, f.no_number};
    else if (whole > 1)
        slip.kind = MGL_SLIP_ORDER;
    else if (mgl_nearly_all(f.dates[best], f.values))
        slip = (mgl_slip){MGL_SLIP_DATE, f.no_date[best]};
    return slip;
}

static void note_strays(mgl_reading *reading, const mgl_column *column)
{
    mgl_slip slip = mgl_slip_find(column);
    char place[MGL_PLACE_TEXT] = "";
    if (slip.kind == MGL_SLIP_ORDER)
        mgl_buffer_format(
            &reading->warnings,
            "ambiguous-dates\tcolumn %.60s holds dates whose day and month can be read "
            "both ways; it is taken as text; give `attributes.%.60s.hierarchy: dates(dmy; ...)` "
            "or dates(mdy; ...)%c",
            column->name, column->name, '\0');
    if (slip.value.data == NULL)
        return;
    mgl_dictionary_origin(column->dictionary, slip.value, place);
    mgl_buffer_format(&reading->warnings,
                      "nearly-all\t%s%scolumn %.60s holds a value that is no %s, though nearly all "
                      "others are; the column is taken as text; correct the value, or name it by "
                      "`missing: ,NA,VALUE`%c",
                      place, place[0] != '\0' ? ": " : "", column->name,
                      slip.kind == MGL_SLIP_DATE ? "date" : "number", '\0');
}

static void note_decimals(mgl_reading *reading, const mgl_column *column)
{
    const mgl_notation *notation = mgl_dictionary_notation(column->dictionary);
    if (!notation->unsure)
        return;
    fitting f = fit(column->dictionary);
    bool points = f.numbers > 0 && mgl_nearly_all(f.numbers, f.values);
    mgl_buffer_format(
        &reading->warnings,
        "ambiguous-decimal\tcolumn %.60s: %s; `decimal: .` or `decimal: ,` says which%c",
        column->name,
        points ? "its points could set thousands apart (1.234) and are read as decimal "
                 "points"
               : "its commas could be decimal ones or set thousands apart (1,234); its "
                 "values are taken as text",
        '\0');
}

void mgl_notation_note(mgl_reading *reading, size_t a, const mgl_column *column)
{
    note_decimals(reading, column);
    if (reading->quasi[a].settings->hierarchy == NULL)
        note_strays(reading, column);
}

void mgl_notations_note(mgl_reading *reading)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_notation_note(reading, a, &reading->table->columns[a]);
}

/* Labels that a file gives are known before the values are; what builders make of values is not. */
static mgl_status find_labels(const mgl_attribute_settings *attribute, mgl_error *err,
                              mgl_hierarchy **out)
{
    mgl_error ignored = {.code = MGL_CODE_NONE}; /* reported when the labels are needed */
    mgl_dictionary *nothing = mgl_dictionary_new();
    MGL_TRY(mgl_check_memory(nothing != NULL, err));
    mgl_status status =
        mgl_hierarchy_make(attribute->hierarchy, attribute->name, nothing, &ignored, out);
    mgl_dictionary_free(nothing);
    if (status != MGL_SYSTEM)
        return MGL_OK;
    if (err != NULL)
        *err = ignored;
    return status;
}

/* The hierarchies that the job gives quasi-identifiers, as far as they are known. */
typedef struct given {
    mgl_hierarchy **trees; /* [n] */
    size_t n;
} given;

static bool is_label(mgl_span token, const void *context)
{
    const given *g = context;
    uint32_t level, value;
    for (size_t i = 0; i < g->n; i++)
        if (g->trees[i] != NULL &&
            ((mgl_hierarchy_find(g->trees[i], token, &level, &value) && level > 0) ||
             mgl_hierarchy_is_repeated(g->trees[i], token)))
            return true;
    return mgl_span_is(token, "*");
}

static mgl_status gather(const mgl_settings *settings, mgl_error *err, given *g)
{
    MGL_TRY(mgl_new_zeroed(settings->n_attributes, sizeof *g->trees, err, &g->trees));
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (attribute->role == MGL_ROLE_QUASI && attribute->hierarchy != NULL)
            MGL_TRY(find_labels(attribute, err, &g->trees[g->n++]));
    }
    return MGL_OK;
}

mgl_status mgl_labels_differ(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    given g = {0};
    mgl_status status = MGL_OK;
    /* Where there is a result they are all distinguished already. */
    if (!mgl_takes_as_is(purpose) || settings->claimed.against != NULL ||
        settings->source.n_missing < 2)
        return MGL_OK;
    MGL_GO(gather(settings, err, &g));
    if (g.n == 0)
        goto done;
    reading->as_is = mgl_alloc(sizeof *reading->as_is);
    reading->tokens = mgl_arena_new();
    MGL_GO(mgl_check_memory(reading->as_is != NULL && reading->tokens != NULL, err));
    *reading->as_is = *settings;
    MGL_GO(mgl_tokens_of_release(&reading->as_is->source, is_label, &g, reading->tokens, err));
    reading->settings = reading->as_is;
    MGL_GO(mgl_source_use(reading->source, &reading->as_is->source, err));
done:
    for (size_t i = 0; i < g.n; i++)
        mgl_hierarchy_free(g.trees[i]);
    mgl_free(g.trees);
    return status;
}

mgl_status mgl_spell_alike(const mgl_settings *settings, const mgl_table *first, mgl_table *other,
                           size_t n, mgl_error *err)
{
    for (size_t c = 0; mgl_respells(settings) && c < n; c++)
        MGL_TRY(mgl_column_adopt(&other->columns[c], first->columns[c].dictionary,
                                 settings->source.spelling, err));
    return MGL_OK;
}
