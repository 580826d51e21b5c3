/* Makes the profile of a column: counts, and what its values and its name say. Advice, suggestions
 * and the leak guard begin with it. */
#include "profile/content.h"
#include "profile/looks.h"

#include <math.h>

static const char *const kind_names[MGL_VALUE_KINDS] = {
    [MGL_VALUE_EMPTY] = "no values",
    [MGL_VALUE_INTEGER] = "whole numbers",
    [MGL_VALUE_DECIMAL] = "decimal numbers",
    [MGL_VALUE_COMMA] = "numbers with a decimal comma",
    [MGL_VALUE_DATE] = "dates",
    [MGL_VALUE_DATE_TIME] = "dates with a time",
    [MGL_VALUE_CODE] = "codes",
    [MGL_VALUE_CATEGORY] = "categories",
    [MGL_VALUE_NAME] = "texts like names",
    [MGL_VALUE_TEXT] = "free text",
};

const char *mgl_value_kind_name(mgl_value_kind kind)
{
    return kind_names[kind];
}

/* ---- Values --------------------------------------------------------------------------------- */

static void note_code(mgl_profile *p, mgl_span value, uint64_t rows, bool number)
{
    if (p->n_codes == MGL_MOST_MISSING_CODES || value.size >= sizeof p->codes[0].text)
        return;
    mgl_missing_code *code = &p->codes[p->n_codes++];
    memcpy(code->text, value.data, value.size);
    code->text[value.size] = '\0';
    code->rows = rows;
    code->number = number;
}

void mgl_profile_begin(mgl_profile *p, const char *name)
{
    *p = (mgl_profile){.name = name, .shapes = {.low = INFINITY, .high = -INFINITY}};
}

void mgl_profile_look(mgl_profile *p, mgl_span value)
{
    if (mgl_is_missing_word(value))
        note_code(p, value, 0, false);
    else
        mgl_shapes_add(&p->shapes, value);
    if (p->sample != NULL && !mgl_is_missing_word(value))
        mgl_value_sample_add(p->sample, value);
}

/* ---- The kind ------------------------------------------------------------------------------- */

static bool most(uint64_t some, uint64_t all)
{
    return all > 0 && (double)some >= MGL_MOST_VALUES * (double)all;
}

static mgl_value_kind kind_of_numbers(const mgl_shapes *s)
{
    if (most(s->integers, s->values) && s->points == 0 && s->commas == 0)
        return MGL_VALUE_INTEGER;
    if (most(s->integers + s->points, s->values) && s->points > 0)
        return MGL_VALUE_DECIMAL;
    if (most(s->integers + s->points + s->commas, s->values) && s->commas > s->points)
        return MGL_VALUE_COMMA;
    return most(s->integers + s->points, s->values) ? MGL_VALUE_INTEGER : MGL_VALUE_EMPTY;
}

/* Texts that repeat are categories, however they are written. */
static mgl_value_kind kind_of_texts(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    double alone = mgl_profile_alone_share(p);
    if (p->distinct <= MGL_FEW_VALUES && alone < MGL_SINGLES_OUT_SHARE)
        return MGL_VALUE_CATEGORY;
    if (most(s->codes, s->values))
        return MGL_VALUE_CODE;
    if (2 * s->names >= s->values ||
        (alone >= MGL_SINGLES_OUT_SHARE && most(s->names + s->words, s->values)))
        return MGL_VALUE_NAME;
    return 2 * s->texts >= s->values ? MGL_VALUE_TEXT : MGL_VALUE_CATEGORY;
}

static mgl_value_kind kind_of(const mgl_profile *p)
{
    const mgl_shapes *s = &p->shapes;
    if (s->values == 0)
        return MGL_VALUE_EMPTY;
    if (most(s->dates, s->values))
        return MGL_VALUE_DATE;
    if (most(s->dates + s->date_times, s->values))
        return MGL_VALUE_DATE_TIME;
    mgl_value_kind numbers = kind_of_numbers(s);
    return numbers != MGL_VALUE_EMPTY ? numbers : kind_of_texts(p);
}

/* The kind that most values look like: some look like several. */
static const mgl_identifier_kind *find_look(const mgl_shapes *s)
{
    size_t n, best = 0;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 1; k < n; k++)
        best = s->identifiers[k] > s->identifiers[best] ? k : best;
    bool enough = s->identifiers[best] >= 2 &&
                  (double)s->identifiers[best] >= MGL_LOOKS_SHARE * (double)s->values;
    return enough ? &kinds[best] : NULL;
}

static const mgl_identifier_kind *find_named(const char *name)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 0; k < n; k++)
        if (mgl_kind_is_named(&kinds[k], name))
            return &kinds[k];
    return NULL;
}

/* Rows that all have a value of their own: numbers then meet less often than chance lets them. */
static uint64_t rows_alone(const mgl_profile *p)
{
    return mgl_profile_alone_share(p) >= 0.99 ? p->rows - p->missing : 0;
}

void mgl_profile_end(mgl_profile *p)
{
    p->kind = kind_of(p);
    p->out_of_memory = p->sample != NULL && !mgl_content_of(p->sample, rows_alone(p), &p->content);
    if (p->out_of_memory)
        p->content = (mgl_content){0};
    p->named = find_named(p->name);
    p->looks = find_look(&p->shapes);
    p->topic = mgl_topic_of(p->name);
}

/* ---- All values ------------------------------------------------------------------------------ */

/* Numbers such as -99 wait until the others are known. */
static void look_at_numbers(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    double low = p->shapes.low, high = p->shapes.high;
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (rows[code] == 0 || code == mgl_dictionary_missing(values) ||
            !mgl_is_missing_number(value))
            continue;
        if (mgl_missing_number_fits(value, low, high))
            note_code(p, value, rows[code], true);
        else
            mgl_shapes_add(&p->shapes, value);
    }
}

static void look_at_all(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    uint32_t missing = mgl_dictionary_missing(values);
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        p->rows += rows[code];
        if (code == missing)
            p->missing = rows[code];
        if (code == missing || rows[code] == 0)
            continue;
        p->distinct++;
        p->alone += rows[code] == 1;
        p->most = rows[code] > p->most ? rows[code] : p->most;
        if (mgl_is_missing_word(value))
            note_code(p, value, rows[code], false);
        else
            mgl_value_sample_add(p->sample, value);
        if (!mgl_is_missing_word(value) && !mgl_is_missing_number(value))
            mgl_shapes_add(&p->shapes, value);
    }
    look_at_numbers(p, values, rows);
}

static bool is_no_day(mgl_date_fault fault)
{
    return fault == MGL_DATE_IMPOSSIBLE || fault == MGL_DATE_OUTSIDE;
}

/* 31.02.2020 among dates, or infinity, is no other kind of value. */
static void look_at_impossible(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (rows[code] > 0 && code != mgl_dictionary_missing(values) &&
            !mgl_is_missing_word(value) && is_no_day(mgl_date_fault_of(NULL, value)))
            note_code(p, value, rows[code], false);
    }
}

static void look_at_labels(mgl_profile *p, const mgl_dictionary *values, const uint64_t *rows)
{
    const mgl_value_labels *labels = mgl_dictionary_labels(values);
    uint64_t n = 0;
    for (uint32_t code = 0; labels != NULL && code < mgl_dictionary_size(values); code++)
        n += rows[code] > 0 && code != mgl_dictionary_missing(values) &&
             mgl_label_of(labels, mgl_dictionary_value(values, code)).size > 0;
    p->labelled = n > 0 && 2 * n > p->distinct;
}

mgl_status mgl_profile_of(const char *name, const mgl_dictionary *values, const uint64_t *rows,
                          mgl_error *err, mgl_profile *out)
{
    mgl_profile p;
    mgl_status status = MGL_OK;
    mgl_profile_begin(&p, name);
    p.sample = mgl_value_sample_new();
    if (p.sample == NULL)
        return mgl_fail_memory(err);
    look_at_all(&p, values, rows);
    look_at_labels(&p, values, rows);
    MGL_GO(mgl_count_variants(values, rows, err, &p));
    mgl_profile_end(&p);
    MGL_GO(p.out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    if (mgl_profile_is_date(&p))
        look_at_impossible(&p, values, rows);
    *out = p;
    out->sample = NULL;
done:
    mgl_value_sample_free(p.sample);
    return status;
}
