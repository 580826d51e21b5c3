/* words: sentences and names that the page and the summary share: numbers, measures, what left a
 * database, what rows stand for. Functions that append to a buffer append nothing if the document
 * lacks what they are about; sentences come without their full stop. */
#ifndef MGL_REPORT_WORDS_H
#define MGL_REPORT_WORDS_H

#include "report/words/page.h"

/* ---- Templates ------------------------------------------------------------------------------- */

/* Text with values of a document in it, in braces:
 *     {key} {a.b}      a text, "?" if it is absent; {} is the value itself
 *     {key:name}       a name out of the data, likewise
 *     {key:list}       the texts of an array, with commas between; {key:list|+}: with + between
 *     {key:names}      the names of an array, likewise
 *     {key:,}          a count, "20,162"; 0 if it is absent
 *     {key:,|row|rows} a count with its noun, "1 row"
 *     {key:~}          a number as measures are written, "0.8123"
 *     {key:%}          a share, in percent as the medium writes them
 *     {key:.3g}        a number by this conversion of printf; {key:.3g%}: a hundred times it, and "
 * %" Text in brackets is left out unless all values in it are there. Values are escaped as the
 * medium needs it, the rest of the template is not. */
typedef struct mgl_medium {
    void (*text)(void *to, const char *text, size_t size); /* of the template, and numbers */
    void (*value)(void *to, const char *text, bool name);
    const char *(*share)(double share, char *text); /* writes MGL_NUMBER_SIZE bytes, returns text */
} mgl_medium;
void mgl_fill(const mgl_medium *medium, void *to, const json_t *object, const char *template);

void mgl_page_fill(mgl_page *page, const json_t *object, const char *template);
/* A whole line: label, text, end. */
void mgl_page_fact(mgl_page *page, const char *label, const json_t *object, const char *template);
/* A line for each object of an array, with the label before the first. */
void mgl_page_facts(mgl_page *page, const char *label, const json_t *list, const char *template);
/* An item of a list. */
void mgl_page_fill_item(mgl_page *page, const json_t *object, const char *template);
/* A line with an item for each object of an array; nothing if there is none. */
void mgl_page_items(mgl_page *page, const char *label, const json_t *list, const char *template);
void mgl_words_fill(mgl_buffer *out, const json_t *object, const char *template);

/* ---- Measures -------------------------------------------------------------------------------- */

/* The key of the measure that a document, or the first of a list of them, was searched by; the
 * standard measure if none is named. */
const char *mgl_measure_of(mgl_measure_view_fn *measures, const json_t *document);
/* The view of a measure; of an unknown one a view with its key alone. */
mgl_measure_view mgl_measure_view_of(mgl_measure_view_fn *measures, const char *key);
/* True if larger values of the measure are better. */
bool mgl_is_gain(mgl_measure_view_fn *measures, const char *key);
/* "geometric_loss" -> "geometric loss"; returns text, which holds MGL_NUMBER_SIZE bytes. */
const char *mgl_measure_words(const char *key, char *text);

/* ---- What a document is about ---------------------------------------------------------------- */

bool mgl_is_command(const json_t *document, const char *command);
/* "rows", or "persons" where rows of one person count once. */
const char *mgl_members(const json_t *document);

/* ---- Strata ---------------------------------------------------------------------------------- */

/* Appends "A, 2020": the values that all rows of a stratum have. */
void mgl_stratum_words(const json_t *by, mgl_buffer *out);
/* True if each column has one level, in the whole release or in each of its strata. */
bool mgl_is_uniform(const json_t *document);

/* ---- Rows ------------------------------------------------------------------------------------ */

/* What differential privacy promises; nothing without it. */
void mgl_differential_words(const json_t *document, mgl_buffer *out);
/* "8 rows stand for about 829 persons, by the weights in w". */
void mgl_population_words(const json_t *document, mgl_buffer *out);
/* "5 rows were above a risk of 0.1 and suppressed first; 2 more joined them". */
void mgl_above_words(const json_t *document, mgl_buffer *out);
/* For a line about rows: "5,000 read, 1,200 left out by where"; only what was read if no rows were
 * left out. */
void mgl_read_words(const json_t *document, mgl_buffer *out);
/* The same as a sentence. */
void mgl_left_out_words(const json_t *document, mgl_buffer *out);
/* What the rows of a counted table stand for. */
void mgl_counts_words(const json_t *document, mgl_buffer *out);
/* Which combinations were regrouped before counting. */
void mgl_counted_words(const json_t *document, mgl_buffer *out);
/* What left the database. */
void mgl_left_words(const json_t *document, mgl_buffer *out);

#endif
