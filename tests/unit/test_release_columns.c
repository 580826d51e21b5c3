/* Releases in memory: which bytes are copied and which are shared, in which order rows come out,
 * and that nothing is handed out that no released row has. */
#define _GNU_SOURCE /* memmem */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "columns_fixture.h"
#include "release/columns/passed_column.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 30, MANY_ROWS = 70000 };

/* ---- Sources ------------------------------------------------------------------------------- */

static mgl_arrow_table *import(arrow_maker *maker, struct ArrowSchema *schema,
                               struct ArrowArray *batches, size_t n)
{
    struct ArrowArrayStream stream;
    mgl_arrow_table *table;
    mgl_error err;
    made_stream(maker, schema, batches, n, -1, &stream);
    if (mgl_arrow_import(&stream, "memory:t", NULL, &err, &table) != MGL_OK)
        fail_msg("%s", err.message);
    return table;
}

/* Row r has the number r, the text "t<r>", the entry r % 3 of a dictionary, and r odd as a bit. */
static mgl_arrow_table *make_clean(arrow_maker *maker, size_t n)
{
    static const char *const entries[] = {"red", "green", "blue"};
    struct ArrowSchema schema;
    struct ArrowArray batch;
    int64_t *numbers = calloc(n, sizeof *numbers);
    uint8_t *codes = calloc(n, 1);
    char **texts = calloc(n, sizeof *texts), *bits = calloc(n + 1, 1);
    for (size_t r = 0; r < n; r++) {
        numbers[r] = (int64_t)r;
        codes[r] = (uint8_t)(r % 3);
        bits[r] = r % 2 == 1 ? '1' : '0';
        texts[r] = malloc(24);
        snprintf(texts[r], 24, "t%zu", r);
    }
    made_table(maker, &schema);
    made_schema_child(&schema, "l", "a");
    made_schema_child(&schema, "u", "b");
    made_schema_dictionary(made_schema_child(&schema, "C", "c"), "u");
    made_schema_child(&schema, "b", "d");
    made_batch(maker, (int64_t)n, &batch);
    made_numbers(&batch, numbers, n, 8, NULL);
    made_texts(&batch, (const char *const *)texts, n, 4);
    made_fill_texts(made_dictionary(made_numbers(&batch, codes, n, 1, NULL), 3, 3), entries, 3, 4);
    made_bits(made_child(&batch, (int64_t)n, 2), 1, bits);
    for (size_t r = 0; r < n; r++)
        free(texts[r]);
    free(texts);
    free(bits);
    free(codes);
    free(numbers);
    return import(maker, &schema, &batch, 1);
}
enum { NUMBER, TEXT, CODE, BIT, CLEAN_COLUMNS, CITY = CLEAN_COLUMNS };

static mgl_arrow_table *release(columns_fixture *f, mgl_arrow_table *table, uint64_t *copied)
{
    mgl_error err;
    mgl_arrow_table *out;
    if (fixture_run(f, table, copied, &err, &out) != MGL_OK)
        fail_msg("%s", err.message);
    return out;
}

static const struct ArrowArray *column_of(const mgl_arrow_table *table, size_t batch, size_t column)
{
    return table->batches[batch].children[column];
}

/* Each released row is a row of the source: the number says which one. */
static void rows_are_whole(const mgl_arrow_table *out)
{
    bool null;
    for (size_t r = 0; r < out->n_rows; r++) {
        size_t from = strtoul(fixture_cell(out, NUMBER, r, &null), NULL, 10);
        char text[24];
        snprintf(text, sizeof text, "t%zu", from);
        assert_string_equal(fixture_cell(out, TEXT, r, &null), text);
        static const char *const entries[] = {"red", "green", "blue"};
        assert_string_equal(fixture_cell(out, CODE, r, &null), entries[from % 3]);
        bool odd = fixture_cell(out, BIT, r, &null)[0] == 't';
        assert_int_equal(odd, from % 2 == 1);
        const char *city = fixture_cities[from % FIXTURE_CITIES];
        const char *released = fixture_cell(out, CITY, r, &null);
        assert_int_equal(null, city == NULL);
        if (city != NULL)
            assert_string_equal(released, city);
    }
}

static void nothing_is_left(const arrow_maker *maker)
{
    assert_int_equal(maker->schemas, 0);
    assert_int_equal(maker->arrays, 0);
}

/* ---- What is copied ------------------------------------------------------------------------ */

static void kept_rows_share_the_buffers_of_their_source(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    columns_fixture f;
    uint64_t copied[CLEAN_COLUMNS + 1] = {1, 1, 1, 1};
    fixture_make(&f, ROWS, CLEAN_COLUMNS, 2);
    mgl_arrow_table *table = make_clean(&maker, ROWS), *out = release(&f, table, copied);
    for (size_t c = 0; c < CLEAN_COLUMNS; c++) {
        assert_int_equal(copied[c], 0);
        assert_ptr_equal(column_of(out, 0, c)->buffers[1], column_of(table, 0, c)->buffers[1]);
    }
    mgl_arrow_release(table); /* the release holds it */
    assert_true(maker.arrays > 0);
    rows_are_whole(out);
    mgl_arrow_release(out);
    nothing_is_left(&maker);
    fixture_free(&f);
}

static void rows_in_random_order_are_copied_once(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    columns_fixture f;
    uint64_t copied[CLEAN_COLUMNS + 1];
    size_t texts = 0, batches = MANY_ROWS / 65536 + 1;
    for (size_t r = 0; r < MANY_ROWS; r++)
        texts += (size_t)snprintf(NULL, 0, "t%zu", r);
    fixture_make(&f, MANY_ROWS, CLEAN_COLUMNS, 2);
    fixture_shuffle(&f, 7);
    mgl_arrow_table *table = make_clean(&maker, MANY_ROWS), *out = release(&f, table, copied);
    mgl_arrow_release(table);
    nothing_is_left(&maker); /* no buffer is shared */
    assert_int_equal(out->n_batches, batches);
    assert_int_equal(copied[NUMBER], MANY_ROWS * 8);
    assert_int_equal(copied[TEXT], (MANY_ROWS + batches) * 4 + texts);
    assert_int_equal(copied[CODE], MANY_ROWS + 4 * 4 + strlen("redgreenblue"));
    assert_int_equal(copied[BIT], 65536 / 8 + (MANY_ROWS - 65536 + 7) / 8);
    rows_are_whole(out);
    mgl_arrow_release(out);
    fixture_free(&f);
}

static void dropped_rows_leave_nothing(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    columns_fixture f;
    bool null;
    fixture_make(&f, ROWS, CLEAN_COLUMNS, 2);
    fixture_suppress(&f, "Chur");
    fixture_suppress(&f, "NA");
    f.plan.drop_suppressed = true;
    mgl_arrow_table *table = make_clean(&maker, ROWS), *out = release(&f, table, NULL);
    /* rows 2, 8, ... and 5, 11, ... : all that are blue */
    assert_int_equal(out->n_rows, ROWS / 6 * 4);
    rows_are_whole(out);
    mgl_arrow_cells entries = mgl_arrow_entries_of(out, 0, CODE);
    assert_int_equal(entries.n, 2);
    mgl_arrow_cells cities = mgl_arrow_entries_of(out, 0, CITY);
    assert_int_equal(cities.n, 4);
    for (size_t i = 0; i < cities.n; i++) {
        mgl_span text = mgl_arrow_text_at(&cities, i);
        assert_false(mgl_span_is(text, "Chur") || mgl_span_is(text, "NA") ||
                     mgl_span_is(text, "*"));
    }
    assert_string_equal(fixture_cell(out, NUMBER, 2, &null), "3"); /* in their order */
    mgl_arrow_release(out);
    mgl_arrow_release(table);
    fixture_free(&f);
}

static void missing_is_null_and_suppressed_is_the_top(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    columns_fixture f;
    bool null;
    fixture_make(&f, ROWS, CLEAN_COLUMNS, 1);
    fixture_suppress(&f, "Bern");
    mgl_arrow_table *table = make_clean(&maker, ROWS), *out = release(&f, table, NULL);
    assert_string_equal(fixture_cell(out, CITY, 0, &null), "*");
    assert_false(null);
    fixture_cell(out, CITY, 5, &null);
    assert_true(null);
    assert_int_equal(column_of(out, 0, CITY)->null_count, ROWS / 6);
    mgl_arrow_release(out);
    mgl_arrow_release(table);
    fixture_free(&f);
}

/* ---- The order ----------------------------------------------------------------------------- */

static void the_same_seed_gives_the_same_order_for_any_number_of_threads(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    mgl_arrow_table *table = make_clean(&maker, MANY_ROWS), *first = NULL;
    bool null, moved = false;
    for (unsigned threads = 1; threads <= 4; threads++) {
        columns_fixture f;
        fixture_make(&f, MANY_ROWS, CLEAN_COLUMNS, threads);
        fixture_shuffle(&f, 11);
        mgl_arrow_table *out = release(&f, table, NULL);
        for (size_t r = 0; first != NULL && r < MANY_ROWS; r += 97) {
            char text[24];
            strcpy(text, fixture_cell(first, NUMBER, r, &null));
            assert_string_equal(fixture_cell(out, NUMBER, r, &null), text);
            moved = moved || strtoul(text, NULL, 10) != r;
        }
        if (first == NULL)
            first = out;
        else
            mgl_arrow_release(out);
        fixture_free(&f);
    }
    assert_true(moved);
    mgl_arrow_release(first);
    mgl_arrow_release(table);
}

/* Every row comes out once, and each is as likely in the first half as in the second. */
static void a_random_order_is_a_permutation_without_a_bias(void **state)
{
    (void)state;
    enum { SEEDS = 40, FEW = 12 };
    unsigned at[FEW][FEW] = {{0}};
    for (uint64_t seed = 0; seed < SEEDS * FEW; seed++) {
        columns_fixture f;
        mgl_row_order order;
        fixture_make(&f, FEW, 0, 1);
        fixture_shuffle(&f, seed);
        assert_int_equal(mgl_row_order_make(&f.plan, NULL, &order), MGL_OK);
        unsigned seen = 0;
        for (size_t i = 0; i < FEW; i++) {
            seen |= 1u << order.rows[i];
            at[order.rows[i]][i]++;
        }
        assert_int_equal(seen, (1u << FEW) - 1);
        mgl_row_order_free(&order);
        fixture_free(&f);
    }
    double chi = 0;
    for (size_t r = 0; r < FEW; r++)
        for (size_t i = 0; i < FEW; i++)
            chi += ((double)at[r][i] - SEEDS) * ((double)at[r][i] - SEEDS) / SEEDS;
    assert_true(chi < 200); /* 121 degrees of freedom: 200 is beyond 1 in 100,000 */
}

/* ---- What leaks ---------------------------------------------------------------------------- */

enum { DIRTY = 6 };

/* Everything in these buffers that is not in the table reads "secret" or 77. */
static mgl_arrow_table *make_dirty(arrow_maker *maker)
{
    static const int32_t numbers[DIRTY] = {1, 77, 3, 77, 5, 6};
    static const int32_t offsets[DIRTY + 1] = {0, 1, 7, 8, 9, 10, 11};
    static const uint8_t codes[DIRTY] = {0, 2, 0, 2, 0, 2};
    static const char *const entries[] = {"kept", "secret", "seen"};
    struct ArrowSchema schema;
    struct ArrowArray batch;
    made_table(maker, &schema);
    made_schema_child(&schema, "i", "a");
    made_schema_child(&schema, "u", "b");
    made_schema_dictionary(made_schema_child(&schema, "C", "c"), "u");
    made_schema_child(&schema, "b", "d");
    made_batch(maker, DIRTY, &batch);
    made_numbers(&batch, numbers, DIRTY, 4, "101011");
    struct ArrowArray *texts = made_child(&batch, DIRTY, 3);
    made_valid(texts, "101111");
    made_buffer(texts, 1, offsets, sizeof offsets);
    made_buffer(texts, 2, "asecretbcde", 11);
    made_fill_texts(made_dictionary(made_numbers(&batch, codes, DIRTY, 1, NULL), 3, 3), entries, 3,
                    4);
    struct ArrowArray *bits = made_child(&batch, DIRTY, 2);
    made_bits(bits, 1, "10101011"); /* two more than there are cells */
    return import(maker, &schema, &batch, 1);
}

static void what_hides_in_buffers_is_not_handed_out(void **state)
{
    (void)state;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        arrow_maker maker = {0};
        columns_fixture f;
        uint64_t copied[5];
        bool null;
        fixture_make(&f, DIRTY, 4, 2);
        if (shuffled)
            fixture_shuffle(&f, 3);
        mgl_arrow_table *table = make_dirty(&maker), *out = release(&f, table, copied);
        for (size_t c = 0; c < 4; c++)
            assert_true(copied[c] > 0);
        const int32_t *numbers = column_of(out, 0, 0)->buffers[1];
        for (size_t r = 0; r < DIRTY; r++)
            assert_true(numbers[r] != 77);
        const int32_t *offsets = column_of(out, 0, 1)->buffers[1];
        assert_int_equal(offsets[DIRTY], 5);
        assert_null(memmem(column_of(out, 0, 1)->buffers[2], 5, "secret", 6));
        mgl_arrow_cells entries = mgl_arrow_entries_of(out, 0, 2);
        assert_int_equal(entries.n, 2);
        assert_int_equal(*(const uint8_t *)column_of(out, 0, 3)->buffers[1] >> DIRTY, 0);
        size_t nulls = 0;
        for (size_t r = 0; r < DIRTY; r++) {
            fixture_cell(out, 0, r, &null);
            nulls += null;
        }
        assert_int_equal(nulls, 2);
        mgl_arrow_release(out);
        mgl_arrow_release(table);
        nothing_is_left(&maker);
        fixture_free(&f);
    }
}

/* A batch that begins within its buffers. */
static void a_slice_is_copied_without_what_was_cut_away(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    columns_fixture f;
    static const int64_t numbers[] = {77, 77, 1, 2, 3, 77};
    struct ArrowSchema schema;
    struct ArrowArray batch;
    uint64_t copied[2];
    made_table(&maker, &schema);
    made_schema_child(&schema, "l", "a");
    made_batch(&maker, 3, &batch);
    struct ArrowArray *column = made_numbers(&batch, numbers, 6, 8, NULL);
    column->offset = 2;
    column->length = 3;
    mgl_arrow_table *table = import(&maker, &schema, &batch, 1);
    fixture_make(&f, 3, 1, 1);
    mgl_arrow_table *out = release(&f, table, copied);
    assert_int_equal(copied[0], 3 * 8);
    assert_int_equal(column_of(out, 0, 0)->offset, 0);
    assert_int_equal(((const int64_t *)column_of(out, 0, 0)->buffers[1])[0], 1);
    mgl_arrow_release(out);
    mgl_arrow_release(table);
    fixture_free(&f);
}

/* ---- Types --------------------------------------------------------------------------------- */

static const char *const long_texts[] = {"short", "a text that stands outside of its view", NULL,
                                         "", "another one that stands outside of it"};

/* One column of texts of each kind, in two batches. */
static mgl_arrow_table *make_texts(arrow_maker *maker)
{
    struct ArrowSchema schema;
    struct ArrowArray batches[2];
    made_table(maker, &schema);
    made_schema_child(&schema, "u", "a");
    made_schema_child(&schema, "U", "b");
    made_schema_child(&schema, "vu", "c");
    for (size_t b = 0; b < 2; b++) {
        made_batch(maker, 5, &batches[b]);
        for (unsigned width = 4; width <= 16; width *= 2)
            made_texts(&batches[b], long_texts, 5, width);
    }
    return import(maker, &schema, batches, 2);
}

static void texts_of_all_kinds_keep_type_and_value(void **state)
{
    (void)state;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        arrow_maker maker = {0};
        columns_fixture f;
        size_t seen[5] = {0};
        bool null;
        fixture_make(&f, 10, 3, 2);
        if (shuffled)
            fixture_shuffle(&f, 5);
        mgl_arrow_table *table = make_texts(&maker), *out = release(&f, table, NULL);
        assert_string_equal(out->schema.children[0]->format, "u");
        assert_string_equal(out->schema.children[1]->format, "U");
        assert_string_equal(out->schema.children[2]->format, "vu");
        for (size_t r = 0; r < 10; r++) {
            char text[64];
            strcpy(text, fixture_cell(out, 0, r, &null));
            bool first_null = null;
            for (size_t c = 1; c < 3; c++) {
                assert_string_equal(fixture_cell(out, c, r, &null), text);
                assert_int_equal(null, first_null);
            }
            for (size_t i = 0; i < 5; i++)
                seen[i] += long_texts[i] == NULL ? first_null
                                                 : !first_null && strcmp(text, long_texts[i]) == 0;
        }
        for (size_t i = 0; i < 5; i++)
            assert_int_equal(seen[i], 2);
        mgl_arrow_release(out);
        mgl_arrow_release(table);
        nothing_is_left(&maker);
        fixture_free(&f);
    }
}

/* Two batches whose dictionaries differ, 100 entries each: together they need wider numbers. */
static void dictionaries_of_batches_become_one(void **state)
{
    (void)state;
    enum { ENTRIES = 100 };
    arrow_maker maker = {0};
    columns_fixture f;
    struct ArrowSchema schema;
    struct ArrowArray batches[2];
    bool null;
    made_table(&maker, &schema);
    made_schema_dictionary(made_schema_child(&schema, "c", "a"), "i");
    for (size_t b = 0; b < 2; b++) {
        int8_t codes[ENTRIES];
        int32_t entries[ENTRIES];
        for (size_t i = 0; i < ENTRIES; i++) {
            codes[i] = (int8_t)i;
            entries[i] = (int32_t)(b * 90 + i); /* ten of them are in both */
        }
        made_batch(&maker, ENTRIES, &batches[b]);
        struct ArrowArray *column = made_numbers(&batches[b], codes, ENTRIES, 1, NULL);
        made_buffer(made_dictionary(column, ENTRIES, 2), 1, entries, sizeof entries);
    }
    mgl_arrow_table *table = import(&maker, &schema, batches, 2);
    fixture_make(&f, 2 * ENTRIES, 1, 1);
    fixture_shuffle(&f, 9);
    mgl_arrow_table *out = release(&f, table, NULL);
    mgl_arrow_cells entries = mgl_arrow_entries_of(out, 0, 0);
    assert_int_equal(entries.n, 190);
    assert_string_equal(out->schema.children[0]->format, "i");
    assert_string_equal(out->schema.children[0]->dictionary->format, "i");
    size_t sum = 0;
    for (size_t r = 0; r < 2 * ENTRIES; r++)
        sum += strtoul(fixture_cell(out, 0, r, &null), NULL, 10);
    assert_int_equal(sum, 99 * 100 / 2 + 90 * 100 + 99 * 100 / 2);
    /* Sorted by their texts, so that they do not tell the order of the table. */
    for (size_t i = 1; i < entries.n; i++) {
        char before[MGL_ARROW_ROOM], after[MGL_ARROW_ROOM];
        mgl_span x = mgl_arrow_show(&entries, i - 1, before);
        assert_true(mgl_span_compare(x, mgl_arrow_show(&entries, i, after)) < 0);
    }
    mgl_arrow_release(out);
    mgl_arrow_release(table);
    fixture_free(&f);
}

/* Texts of a gigabyte, of which only the offsets are there. */
static void batches_end_before_offsets_overflow(void **state)
{
    (void)state;
    static const int32_t offsets[] = {0, 1 << 30, INT32_MAX};
    arrow_maker maker = {0};
    columns_fixture f;
    mgl_row_positions places;
    struct ArrowSchema schema;
    struct ArrowArray batches[2];
    mgl_arrow_table *table;
    made_table(&maker, &schema);
    made_schema_child(&schema, "u", "a");
    for (size_t b = 0; b < 2; b++) {
        made_batch(&maker, 2, &batches[b]);
        struct ArrowArray *column = made_child(&batches[b], 2, 3);
        made_buffer(column, 1, offsets, sizeof offsets);
        made_buffer(column, 2, "", 1);
    }
    assert_int_equal(mgl_arrow_adopt(&schema, batches, 2, "t", NULL, &table), MGL_OK);
    fixture_make(&f, 4, 1, 1);
    static const uint32_t rows[] = {0, 1, 2, 3};
    assert_int_equal(mgl_row_positions_init(&places, table, rows, NULL), MGL_OK);
    mgl_passed_column column = {.table = table, .rows = &places, .n_rows = 4};
    assert_int_equal(mgl_passed_column_begin(&column, false, NULL), MGL_OK);
    assert_int_equal(column.most_rows, 1);
    mgl_passed_column_end(&column);
    mgl_row_positions_free(&places);
    mgl_arrow_release(table);
    fixture_free(&f);
}

/* ---- Spellings ----------------------------------------------------------------------------- */

static void columns_come_out_in_the_spelling_that_was_counted(void **state)
{
    (void)state;
    static const char *const texts[] = {"Flu ", "flu", NULL, "Flu"};
    static const uint32_t codes[] = {0, 0, 1, 0};
    for (int encoded = 0; encoded < 2; encoded++) {
        arrow_maker maker = {0};
        columns_fixture f;
        struct ArrowSchema schema;
        struct ArrowArray batch;
        bool null;
        made_table(&maker, &schema);
        made_batch(&maker, 4, &batch);
        if (encoded) {
            static const uint8_t numbers[] = {0, 1, 0, 2};
            static const char *const entries[] = {"Flu ", "flu", "Flu"};
            made_schema_dictionary(made_schema_child(&schema, "C", "a"), "u");
            made_fill_texts(made_dictionary(made_numbers(&batch, numbers, 4, 1, "1101"), 3, 3),
                            entries, 3, 4);
        } else {
            made_schema_child(&schema, "u", "a");
            made_texts(&batch, texts, 4, 4);
        }
        mgl_arrow_table *table = import(&maker, &schema, &batch, 1);
        fixture_make(&f, 4, 1, 1);
        mgl_table *counted = mgl_table_new(1);
        mgl_column *spelling = &counted->columns[0];
        assert_int_equal(mgl_dictionary_add(spelling->dictionary, mgl_span_of("Flu")), 0);
        assert_int_equal(mgl_dictionary_add_missing(spelling->dictionary, mgl_span_of("NA")), 1);
        assert_true(mgl_column_reserve(spelling, 0, 4));
        for (size_t r = 0; r < 4; r++)
            mgl_column_set(spelling, r, codes[r]);
        const mgl_column *respelled[2] = {spelling, NULL};
        f.plan.respelled = respelled;
        mgl_arrow_table *out = release(&f, table, NULL);
        for (size_t r = 0; r < 4; r++) {
            const char *text = fixture_cell(out, 0, r, &null);
            assert_int_equal(null, r == 2);
            assert_string_equal(text, r == 2 ? "" : "Flu");
        }
        mgl_arrow_release(out);
        mgl_arrow_release(table);
        mgl_table_free(counted);
        nothing_is_left(&maker);
        fixture_free(&f);
    }
}

/* ---- Faults -------------------------------------------------------------------------------- */

static void every_failed_allocation_is_told_and_leaves_nothing(void **state)
{
    (void)state;
    for (int shuffled = 0; shuffled < 2; shuffled++) {
        arrow_maker maker = {0};
        columns_fixture f;
        uint64_t n = 1;
        fixture_make(&f, ROWS, CLEAN_COLUMNS, 1);
        if (shuffled)
            fixture_shuffle(&f, 2);
        mgl_arrow_table *table = make_clean(&maker, ROWS);
        for (bool hit = true; hit; n++) {
            mgl_error err;
            mgl_arrow_table *out = NULL;
            mgl_fault_arm(MGL_FAULT_MEMORY, n);
            mgl_status status = fixture_run(&f, table, NULL, &err, &out);
            hit = mgl_fault_count(MGL_FAULT_MEMORY) >= n;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            assert_int_equal(status, hit ? MGL_SYSTEM : MGL_OK);
            if (!hit)
                rows_are_whole(out);
            mgl_arrow_release(out);
        }
        assert_true(n > 20);
        mgl_arrow_release(table);
        nothing_is_left(&maker);
        fixture_free(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kept_rows_share_the_buffers_of_their_source),
        cmocka_unit_test(rows_in_random_order_are_copied_once),
        cmocka_unit_test(dropped_rows_leave_nothing),
        cmocka_unit_test(missing_is_null_and_suppressed_is_the_top),
        cmocka_unit_test(the_same_seed_gives_the_same_order_for_any_number_of_threads),
        cmocka_unit_test(a_random_order_is_a_permutation_without_a_bias),
        cmocka_unit_test(what_hides_in_buffers_is_not_handed_out),
        cmocka_unit_test(a_slice_is_copied_without_what_was_cut_away),
        cmocka_unit_test(texts_of_all_kinds_keep_type_and_value),
        cmocka_unit_test(dictionaries_of_batches_become_one),
        cmocka_unit_test(batches_end_before_offsets_overflow),
        cmocka_unit_test(columns_come_out_in_the_spelling_that_was_counted),
        cmocka_unit_test(every_failed_allocation_is_told_and_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
