/* Finds columns that are nearly all numbers or dates, and notations that can be read in two ways.
 * reading.c warns of them; `risk --advise` turns them into hints. */
#include "pipeline/read/columns.h"
#include "pipeline/read/reading_steps.h"

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

static void note_slips(mgl_reading *reading, const mgl_column *column)
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
    mgl_dictionary_place(column->dictionary, slip.value, place);
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
        note_slips(reading, column);
}

void mgl_notations_note(mgl_reading *reading)
{
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_notation_note(reading, a, &reading->table->columns[a]);
}
