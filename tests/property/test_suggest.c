/* Random columns of all kinds: what is suggested can be built, nests, joins values on every level,
 * and written out it gives other rows the same hierarchy. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "suggest/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Columns ------------------------------------------------------------------------------ */

enum { MOST_ROWS = 400, MOST_TEXT = 64 };

typedef void cell_fn(brute_random *random, char *text);

/* What the cells of one column have in common. */
static struct {
    int low, range, digits, length;
} common;

static int below(brute_random *random, int n)
{
    return brute_below(random, n);
}

static void integers(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%d", common.low + below(random, common.range));
}

static void large(brute_random *random, char *text)
{
    double number = pow(10, 2 + below(random, 400) / 100.0);
    snprintf(text, MOST_TEXT, "%.0f", number);
}

static void decimals(brute_random *random, char *text)
{
    double number = (common.low + below(random, common.range)) / pow(10, common.digits);
    snprintf(text, MOST_TEXT, "%.*f", common.digits, number);
}

static void commas(brute_random *random, char *text)
{
    decimals(random, text);
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '.' ? ',' : *c;
}

static void years(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%d", 1920 + below(random, 1 + common.range % 100));
}

static void iso_dates(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%04d-%02d-%02d", 1940 + below(random, 1 + common.range % 80),
             1 + below(random, 12), 1 + below(random, 28));
}

static void german_dates(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%02d.%02d.%04d", 1 + below(random, 28), 1 + below(random, 12),
             1990 + below(random, 1 + common.range % 30));
}

/* Whether the day or the month comes first cannot be told. */
static void unclear_dates(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%02d/%02d/%04d", 1 + below(random, 12), 1 + below(random, 12),
             1950 + below(random, 60));
}

static void times(brute_random *random, char *text)
{
    iso_dates(random, text);
    size_t size = strlen(text);
    snprintf(text + size, MOST_TEXT - size, " %02d:%02d", below(random, 24), below(random, 60));
}

static void zips(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "0%0*d", common.length, below(random, common.range));
}

static void classes_of_illness(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%c%02d.%d", 'A' + below(random, 4), below(random, 30),
             below(random, 10));
}

/* Some are rare, and some are written like the group of the rare, or like its list. */
static void categories(brute_random *random, char *text)
{
    static const char *const words[] = {"north",  "south", "east",    "west",         "other",
                                        "a;b",    "x, y",  "\"q\"\"", "other values", "a: b",
                                        " blank", "z)",    "*",       "e\xC3\xA9"};
    int n = (int)(sizeof words / sizeof words[0]);
    int most = 1 + common.range % n;
    int first = below(random, most), second = below(random, most);
    snprintf(text, MOST_TEXT, "%s", words[first < second ? first : second]);
}

static void names(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "Ann%c Mc%c%c", 'a' + below(random, 26), 'A' + below(random, 26),
             'a' + below(random, 26));
}

static void notes(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "came in the morning with %d complaints, left %d", below(random, 99),
             below(random, 99));
}

static void letters(brute_random *random, char *text)
{
    snprintf(text, MOST_TEXT, "%c", 'A' + below(random, 12));
}

/* A slip among numbers. */
static void mixed(brute_random *random, char *text)
{
    if (below(random, 40) == 0)
        snprintf(text, MOST_TEXT, "unknown");
    else
        integers(random, text);
}

static void anything(brute_random *random, char *text)
{
    static const char bytes[] = "0123456789abcXYZ-./:,; *\"";
    int size = below(random, 7);
    for (int i = 0; i < size; i++)
        text[i] = bytes[below(random, (int)sizeof bytes - 1)];
    text[size] = '\0';
}

static cell_fn *const kinds[] = {integers,      large,        decimals, commas,  years,
                                 iso_dates,     german_dates, times,    zips,    classes_of_illness,
                                 categories,    names,        notes,    letters, mixed,
                                 unclear_dates, anything};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

typedef struct made_column {
    mgl_table *table;
    mgl_column *column;
    bool whole; /* all values are whole numbers */
} made_column;

static bool is_whole(const char *text)
{
    text += *text == '-';
    return *text != '\0' && strspn(text, "0123456789") == strlen(text);
}

static made_column make_column(uint64_t seed)
{
    static const char *const column_names[] = {"x", "age", "zip", "income", "region"};
    brute_random random = {seed * 31 + 7};
    cell_fn *kind = kinds[seed % KINDS];
    made_column m = {.table = mgl_table_new(1), .whole = true};
    int n = 1 + below(&random, MOST_ROWS);
    assert_non_null(m.table);
    m.column = &m.table->columns[0];
    m.column->name = strdup(column_names[below(&random, 5)]);
    common.low = below(&random, 3) > 0 ? below(&random, 50) : -below(&random, 500);
    common.range = 1 + below(&random, below(&random, 2) > 0 ? 40 : 3000);
    common.digits = 1 + below(&random, 3);
    common.length = 4;
    for (int row = 0; row < n; row++) {
        char text[MOST_TEXT];
        kind(&random, text);
        bool missing = below(&random, 30) == 0;
        m.whole = m.whole && (missing || is_whole(text));
        uint32_t code = missing ? mgl_dictionary_add_missing(m.column->dictionary, mgl_span_of(""))
                                : mgl_dictionary_add(m.column->dictionary, mgl_span_of(text));
        assert_true(mgl_column_widen(m.column, (size_t)row, code) &&
                    mgl_column_reserve(m.column, (size_t)row, 1));
        mgl_column_set(m.column, (size_t)row, code);
    }
    m.table->n_rows = (size_t)n;
    mgl_notation notation = {0};
    mgl_dictionary_sniff(m.column->dictionary, &notation);
    mgl_dictionary_set_notation(m.column->dictionary, &notation);
    assert_int_equal(mgl_column_count_rows(m.column, (size_t)n, NULL, NULL), MGL_OK);
    return m;
}

/* ---- What must hold ---------------------------------------------------------------------------
 */

static char *text_of(const mgl_buffer *buffer)
{
    char *text = mgl_alloc(buffer->size + 1);
    memcpy(text, buffer->data, buffer->size);
    text[buffer->size] = '\0';
    return text;
}

static mgl_hierarchy *build(uint64_t seed, const char *builder, const mgl_dictionary *values)
{
    mgl_error err = {0};
    mgl_hierarchy *h = NULL;
    if (mgl_hierarchy_make(builder, "x", values, &err, &h) != MGL_OK)
        fail_msg("seed %llu: %s", (unsigned long long)seed, err.message);
    return h;
}

static void check_levels(uint64_t seed, const char *builder, const mgl_hierarchy *h)
{
    if (h->height > 6)
        fail_msg("seed %llu: %s has %u levels", (unsigned long long)seed, builder, h->height);
    for (uint32_t l = 0; l < h->height; l++)
        if (h->levels[l + 1].n_values >= h->levels[l].n_values && h->n_leaves > 1)
            fail_msg("seed %llu: level %u of %s joins nothing", (unsigned long long)seed, l + 1,
                     builder);
}

static void check_widths(uint64_t seed, const char *builder, bool whole)
{
    double before = 0;
    const char *at = builder + strlen("intervals(");
    if (strncmp(builder, "intervals(", strlen("intervals(")) != 0)
        return;
    while (*at != ')') {
        char *end;
        double width = strtod(at, &end);
        double times = before > 0 ? width / before : 2;
        if (fabs(times - round(times)) > 1e-9 || times < 2 || (whole && width < 2))
            fail_msg("seed %llu: the widths of %s", (unsigned long long)seed, builder);
        before = width;
        at = *end == ',' ? end + 1 : end;
    }
}

/* Some of the values, and no rows that anybody counted: as another slice has them. */
static mgl_dictionary *slice_of(const mgl_dictionary *values, brute_random *random)
{
    mgl_dictionary *slice = mgl_dictionary_new();
    mgl_dictionary_set_notation(slice, mgl_dictionary_notation(values));
    for (uint32_t code = 0; code < mgl_dictionary_size(values); code++) {
        mgl_span value = mgl_dictionary_value(values, code);
        if (mgl_dictionary_size(slice) > 0 && below(random, 2) == 0)
            continue;
        if (code == mgl_dictionary_missing(values))
            mgl_dictionary_add_missing(slice, value);
        else
            mgl_dictionary_add(slice, value);
    }
    return slice;
}

static void check_slice(uint64_t seed, const mgl_dictionary *values, const mgl_hierarchy *whole)
{
    brute_random random = {seed + 5};
    mgl_dictionary *slice = slice_of(values, &random);
    mgl_hierarchy *h = build(seed, whole->resolved, slice);
    assert_int_equal(h->height, whole->height);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        for (uint32_t l = 1; l < h->height; l++) {
            mgl_span label = h->levels[l].labels[h->levels[l].of_leaf[leaf]];
            uint32_t level, value;
            if (leaf == h->star_leaf || leaf == h->missing_leaf)
                continue;
            if (!mgl_hierarchy_find(whole, label, &level, &value))
                fail_msg("seed %llu: %s gives another slice the label %.*s",
                         (unsigned long long)seed, whole->resolved, (int)label.size, label.data);
        }
    mgl_hierarchy_free(h);
    mgl_dictionary_free(slice);
}

static void suggestions_can_be_built(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)brute_cases(60 * KINDS); seed++) {
        made_column m = make_column(seed);
        mgl_error err = {0};
        mgl_suggestion found;
        const mgl_dictionary *values = m.column->dictionary;
        if (mgl_suggest(m.column->name, values, MGL_GIVEN_NOTHING, &err, &found) != MGL_OK)
            fail_msg("seed %llu: %s", (unsigned long long)seed, err.message);
        char *builder = text_of(&found.builder);
        mgl_hierarchy *again = build(seed, builder, values);
        mgl_hierarchy *resolved = build(seed, found.hierarchy->resolved, values);
        assert_true(mgl_hierarchy_same(again, found.hierarchy));
        assert_true(mgl_hierarchy_same(resolved, found.hierarchy));
        assert_true(found.reason.size > 0);
        check_levels(seed, builder, found.hierarchy);
        check_widths(seed, builder, m.whole);
        check_slice(seed, values, found.hierarchy);
        mgl_hierarchy_free(again);
        mgl_hierarchy_free(resolved);
        mgl_free(builder);
        mgl_suggestion_free(&found);
        mgl_table_free(m.table);
    }
}

/* Whatever they look like: names are no numbers, and numbers are numbers or refused. */
static void a_kind_that_is_said_overrules_looks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)brute_cases(10 * KINDS); seed++) {
        made_column m = make_column(seed);
        mgl_error err = {0};
        mgl_suggestion found;
        for (int kind = MGL_GIVEN_NOMINAL; kind < MGL_GIVEN_KINDS; kind++) {
            mgl_status status = mgl_suggest(m.column->name, m.column->dictionary,
                                            (mgl_given_kind)kind, &err, &found);
            if (status != MGL_OK) {
                assert_int_equal(status, MGL_USAGE);
                assert_int_not_equal(kind, MGL_GIVEN_NOMINAL);
                assert_true(strstr(err.message, "column") != NULL);
                continue;
            }
            char *builder = text_of(&found.builder);
            bool intervals = strncmp(builder, "intervals", 9) == 0;
            bool dates = strncmp(builder, "dates", 5) == 0;
            assert_true(kind == MGL_GIVEN_NUMBER || !intervals);
            assert_true(kind == MGL_GIVEN_DATE || !dates);
            assert_true(strncmp(builder, "mask", 4) != 0);
            mgl_free(builder);
            mgl_suggestion_free(&found);
        }
        mgl_table_free(m.table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(suggestions_can_be_built),
                                       cmocka_unit_test(a_kind_that_is_said_overrules_looks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
