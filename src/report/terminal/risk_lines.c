/* Prints what `risk` found. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

enum { SHOWN_SETS = 6 };

static double percent(const json_t *object, const char *key)
{
    return 100 * mgl_json_number(object, key);
}

static void show_rows_below(mgl_page *page, const json_t *document)
{
    const json_t *below = json_object_get(document, "rows_below");
    const char *size;
    json_t *rows;
    mgl_page_label(page, "rows below");
    json_object_foreach((json_t *)below, size, rows)
    {
        char item[96], count[MGL_NUMBER_SIZE];
        snprintf(item, sizeof item, "k=%s: %s", size,
                 mgl_page_count((uint64_t)json_integer_value(rows), count));
        mgl_page_item(page, item);
    }
    mgl_page_end(page);
}

static void show_attacker(mgl_page *page, const json_t *document, const char *name)
{
    const json_t *risk = json_object_get(document, name);
    mgl_page_label(page, name);
    mgl_page_add(page, "at most %.3g %% for one person, %.3g %% on average, ", percent(risk, "max"),
                 percent(risk, "mean"));
    mgl_page_add(page, "%.3g %% of rows above %.3g %%", percent(risk, "share_above"),
                 percent(document, "threshold"));
    mgl_page_end(page);
}

static void show_attackers(mgl_page *page, const json_t *document)
{
    show_attacker(page, document, "prosecutor");
    show_attacker(page, document, "journalist");
    mgl_page_label(page, "marketer");
    mgl_page_add(page, "%.3g %% of persons on average",
                 percent(json_object_get(document, "marketer"), "mean"));
    mgl_page_end(page);
}

static void show_individual(mgl_page *page, const json_t *individual)
{
    char number[MGL_NUMBER_SIZE];
    if (!json_is_object(individual))
        return;
    double expected = mgl_json_number(individual, "expected_reidentifications");
    double household = mgl_json_number(individual, "household_expected_reidentifications");
    mgl_page_label(page, "weighted");
    mgl_page_add(page, "%s persons expected to be found", mgl_page_real(expected, number));
    if (!isnan(household))
        mgl_page_add(page, ", %s with their households", mgl_page_real(household, number));
    mgl_page_end(page);
}

static void show_suda(mgl_page *page, const json_t *suda)
{
    char count[MGL_NUMBER_SIZE], number[MGL_NUMBER_SIZE];
    if (!json_is_object(suda))
        return;
    mgl_page_label(page, "suda");
    mgl_page_add(page, "%s rows stand out, ",
                 mgl_page_count(mgl_json_whole(suda, "rows_above_zero"), count));
    mgl_page_add(page, "scores up to %s; columns by their part in it:",
                 mgl_page_real(mgl_json_number(suda, "max_score"), number));
    mgl_page_end(page);
    mgl_page_label(page, "");
    const char *column;
    json_t *share;
    json_object_foreach((json_t *)json_object_get(suda, "contribution"), column, share)
    {
        char item[256];
        snprintf(item, sizeof item, "%.200s %.0f %%", column, json_number_value(share));
        mgl_page_item(page, item);
    }
    mgl_page_end(page);
}

static void show_population(mgl_page *page, const json_t *uniques)
{
    static const char *const models[] = {"pitman", "zayatz", "snb"};
    const char *chosen = json_string_value(json_object_get(uniques, "chosen"));
    char number[MGL_NUMBER_SIZE];
    if (chosen == NULL)
        return;
    mgl_page_label(page, "population");
    mgl_page_add(page, "about %s unique persons in it",
                 mgl_page_real(mgl_json_number(uniques, chosen), number));
    const char *before = " (";
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        mgl_page_add(page, "%s%s %s%s", before, models[i],
                     mgl_page_real(mgl_json_number(uniques, models[i]), number),
                     strcmp(models[i], chosen) == 0 ? ", chosen" : "");
        before = "; ";
    }
    mgl_page_add(page, ")");
    mgl_page_end(page);
}

static void add_columns(mgl_page *page, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++)
        mgl_page_add(page, "%s%.200s", i > 0 ? "," : "",
                     json_string_value(json_array_get(columns, i)));
}

/* Those that tell rows apart best. */
static void show_sets(mgl_page *page, const json_t *sets)
{
    if (json_array_size(sets) == 0)
        return;
    mgl_page_label(page, "columns");
    mgl_page_add(page, "distinct tuples, pairs of rows told apart, unique rows");
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(sets) && i < SHOWN_SETS; i++) {
        const json_t *set = json_array_get(sets, i);
        mgl_page_label(page, "");
        mgl_page_add(page, "%6.2f %% %6.2f %% %6.2f %%  ", percent(set, "distinction"),
                     percent(set, "separation"), percent(set, "unique_rows"));
        add_columns(page, json_object_get(set, "columns"));
        mgl_page_end(page);
    }
    if (json_array_size(sets) > SHOWN_SETS) {
        char count[MGL_NUMBER_SIZE];
        mgl_page_label(page, "");
        mgl_page_add(page, "... %s more sets in `json`",
                     mgl_page_count(json_array_size(sets) - SHOWN_SETS, count));
        mgl_page_end(page);
    }
}

static void show_single_out(mgl_page *page, const json_t *sets)
{
    if (!json_is_array(sets))
        return;
    for (size_t i = 0; i < json_array_size(sets); i++) {
        const json_t *set = json_array_get(sets, i);
        mgl_page_label(page, i == 0 ? "single out" : "");
        mgl_page_add(page, "%6.2f %%  ", percent(set, "unique_rows"));
        add_columns(page, json_object_get(set, "columns"));
        mgl_page_end(page);
    }
    if (json_array_size(sets) == 0) {
        mgl_page_label(page, "single out");
        mgl_page_add(page, "no set of columns does");
        mgl_page_end(page);
    }
}

void mgl_terminal_risk(mgl_page *page, const json_t *document)
{
    if (!json_is_object(json_object_get(document, "rows_below")))
        return;
    show_rows_below(page, document);
    show_attackers(page, document);
    show_individual(page, json_object_get(document, "individual"));
    show_suda(page, json_object_get(document, "suda"));
    show_population(page, json_object_get(document, "population_uniques"));
    show_sets(page, json_object_get(document, "attributes"));
    show_single_out(page, json_object_get(document, "single_out"));
}
