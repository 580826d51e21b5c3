/* Writes what can be found out about people: class sizes and the risk that follows from them,
 * intruders, attacks, special uniques, sets of columns, and rare combinations of values. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

enum { MOST_BINS = 64 };

/* The lists of bins that a result has: before and after, or one. */
typedef struct sides {
    const json_t *lists[2];
    const char *names[2];
    double totals[2];
    size_t n_sides, first, n_bins; /* bins before the first are empty */
} sides;

static bool is_empty(const sides *s, size_t bin)
{
    for (size_t i = 0; i < s->n_sides; i++)
        if (mgl_json_whole(json_array_get(s->lists[i], bin), "rows") > 0)
            return false;
    return true;
}

static sides sides_of(const json_t *document)
{
    const json_t *sizes = mgl_json_at(document, "figures.class_sizes");
    sides s = {0};
    static const char *const keys[] = {"before", "after", "now"};
    static const char *const names[] = {"before", "after", "this table"};
    for (size_t i = 0; i < 3 && s.n_sides < 2; i++) {
        const json_t *list = json_object_get(sizes, keys[i]);
        size_t n = json_array_size(list);
        if (n == 0)
            continue;
        s.names[s.n_sides] = names[i];
        s.lists[s.n_sides] = list;
        s.n_bins = n < MOST_BINS ? n : MOST_BINS;
        for (size_t b = 0; b < n; b++)
            s.totals[s.n_sides] += mgl_json_number(json_array_get(list, b), "rows");
        s.n_sides++;
    }
    /* Both have the same bins unless the result was edited. */
    if (s.n_sides == 2 && json_array_size(s.lists[0]) != json_array_size(s.lists[1]))
        s.n_sides = 0;
    while (s.n_bins > 1 && is_empty(&s, s.first)) {
        s.first++;
        s.n_bins--;
    }
    return s;
}

static const json_t *bin_of(const sides *s, size_t side, size_t bin)
{
    return json_array_get(s->lists[side], s->first + bin);
}

bool mgl_has_sizes(const json_t *document)
{
    return sides_of(document).n_sides > 0;
}

static double members_in(const sides *s, size_t side, size_t bin)
{
    double rows = mgl_json_number(bin_of(s, side, bin), "rows");
    return s->totals[side] > 0 ? rows / s->totals[side] : 0;
}

static void name_bin(const sides *s, size_t bin, char *text)
{
    const json_t *one = bin_of(s, 0, bin);
    uint64_t from = mgl_json_whole(one, "from"), to = mgl_json_whole(one, "to");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (from == to)
        snprintf(text, MGL_NUMBER_SIZE, "%s", mgl_page_count(from, a));
    else
        snprintf(text, MGL_NUMBER_SIZE, "%.20s to %.20s", mgl_page_count(from, a),
                 mgl_page_count(to, b));
}

static void sizes_table(mgl_html *html, const sides *s, char labels[][MGL_NUMBER_SIZE],
                        const char *members)
{
    char headings[160];
    int n = snprintf(headings, sizeof headings, "class size");
    for (size_t i = 0; i < s->n_sides; i++)
        n += snprintf(headings + n, sizeof headings - (size_t)n, "|classes, %s|%s, %s", s->names[i],
                      members, s->names[i]);
    mgl_html_numbers(html, headings);
    for (size_t b = 0; b < s->n_bins; b++) {
        mgl_html_row(html, labels[b]);
        for (size_t i = 0; i < s->n_sides; i++)
            mgl_html_cells(html, bin_of(s, i, b), "{classes:,}|{rows:,}");
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
}

void mgl_html_sizes(mgl_html *html, const json_t *document)
{
    sides s = sides_of(document);
    const char *members = mgl_members(document);
    char labels[MOST_BINS][MGL_NUMBER_SIZE], caption[200], description[300];
    mgl_bar bars[MOST_BINS];
    size_t largest = 0;
    for (size_t b = 0; b < s.n_bins; b++) {
        name_bin(&s, b, labels[b]);
        bars[b] = (mgl_bar){.label = labels[b]};
        for (size_t i = 0; i < s.n_sides; i++)
            bars[b].values[i] = members_in(&s, i, b);
        if (members_in(&s, s.n_sides - 1, b) > members_in(&s, s.n_sides - 1, largest))
            largest = b;
    }
    snprintf(caption, sizeof caption,
             "A class is a group of persons who look alike. How many of all %s are in classes of "
             "each size:",
             members);
    snprintf(description, sizeof description, "%s: most %s, %s, are in classes of %.40s.",
             s.names[s.n_sides - 1], members,
             mgl_share_words(&html->numbers, members_in(&s, s.n_sides - 1, largest)),
             labels[largest]);
    mgl_html_figure(html, caption);
    mgl_html_add(html, "<div class=\"%s\">\n", s.n_sides == 1 ? "one" : "two");
    mgl_svg_bars(html, &(mgl_bars){.title = "Share of persons by the size of their class",
                                   .description = description,
                                   .series = {s.names[0], s.names[1]},
                                   .n_series = s.n_sides,
                                   .bars = bars,
                                   .n = s.n_bins,
                                   .shares = true});
    mgl_html_add(html, "</div>\n");
    sizes_table(html, &s, labels, members);
    mgl_html_figure_end(html);
}

bool mgl_has_risk(const json_t *document)
{
    return sides_of(document).n_sides == 2;
}

/* Who is in a class of fewer than n has a risk above 1/n. */
static void risk_plot(mgl_html *html, const sides *s)
{
    double values[2][MOST_BINS], places[MOST_BINS];
    char texts[MOST_BINS][MGL_NUMBER_SIZE], description[300];
    const char *labels[MOST_BINS] = {""};
    size_t n = s->n_bins > 1 ? s->n_bins - 1 : 1;
    for (size_t i = 0; i < 2; i++) {
        double sum = 0;
        for (size_t p = n; p-- > 0;) /* small classes have the highest risk, at the right */
            values[i][p] = sum += members_in(s, i, n - 1 - p);
    }
    for (size_t p = 0; p < n; p++) {
        double edge = mgl_json_number(bin_of(s, 0, n - 1 - p), "to") + 1;
        snprintf(texts[p], MGL_NUMBER_SIZE, "%.2g %%", 100 / edge);
        labels[p] = texts[p];
        places[p] = n > 1 ? (double)p / (double)(n - 1) : 0.5;
    }
    snprintf(description, sizeof description,
             "From low risk at the left to high risk at the right. A risk above %s had %s of all "
             "persons before and have %s after.",
             labels[n - 1], mgl_share_words(&html->numbers, values[0][n - 1]),
             mgl_share_words(&html->numbers, values[1][n - 1]));
    mgl_line lines[] = {{.name = "before", .values = values[0], .dashed = true, .colour = 0},
                        {.name = "after", .values = values[1], .colour = 1}};
    mgl_html_figure(html, "How many persons have a risk above a limit, if an intruder knows that "
                          "they are in the table and knows their quasi-identifier:");
    mgl_svg_lines(html, &(mgl_line_chart){.title = "Share of persons above a limit of risk",
                                          .description = description,
                                          .across = "risk of being picked out, more than",
                                          .labels = labels,
                                          .places = places,
                                          .n_points = n,
                                          .lines = lines,
                                          .n_lines = 2,
                                          .high = 1,
                                          .ticks = 5,
                                          .steps = true,
                                          .shares = true});
    mgl_html_numbers(html, "risk above|before|after");
    for (size_t p = 0; p < n; p++) {
        mgl_html_row(html, labels[p]);
        mgl_html_cell(html, mgl_share_words(&html->numbers, values[0][p]));
        mgl_html_cell(html, mgl_share_words(&html->numbers, values[1][p]));
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
    mgl_html_figure_end(html);
}

static void risk_row(mgl_html *html, const char *name, const char *template, const json_t *before,
                     const json_t *after)
{
    mgl_html_row(html, name);
    mgl_html_cells(html, before, template);
    mgl_html_cells(html, after, template);
    mgl_html_row_end(html);
}

void mgl_html_risk(mgl_html *html, const json_t *document)
{
    sides s = sides_of(document);
    const json_t *before = mgl_json_at(document, "figures.before.risk"),
                 *after = json_object_get(document, "risk");
    mgl_html_table(html, "|before|after");
    risk_row(html, "highest risk of one person", "{prosecutor_max:%}", before, after);
    risk_row(html, "mean risk", "{prosecutor_mean:%}", before, after);
    risk_row(html, "persons who are alone", "{uniques:,}", before, after);
    mgl_html_table_end(html);
    risk_plot(html, &s);
}

/* By sampling weights. */
static void show_expected(mgl_html *html, const json_t *individual)
{
    mgl_html_fill(html, individual,
                  "[<p>By the sampling weights, {expected_reidentifications:~} persons are "
                  "expected to be found]");
    mgl_html_fill(html, individual,
                  "[, {household_expected_reidentifications:~} with their households]");
    if (isfinite(mgl_json_number(individual, "expected_reidentifications")))
        mgl_html_add(html, ".</p>\n");
}

static void show_population(mgl_html *html, const json_t *uniques)
{
    const char *chosen = mgl_json_text(uniques, "chosen");
    if (chosen == NULL)
        return;
    mgl_html_add(html, "<p>About %s persons look like nobody else in the population (by the model ",
                 mgl_number_words(&html->numbers, uniques, chosen));
    mgl_html_name(html, chosen);
    mgl_html_add(html, ").</p>\n");
}

void mgl_html_attackers(mgl_html *html, const json_t *document)
{
    mgl_html_fill(
        html, document,
        "<p>The prosecutor knows that a person is in the table, the journalist does not, "
        "the marketer wants as many persons as possible. A row is in danger if its risk is "
        "above {threshold:%}.</p>\n");
    mgl_html_table(html, "intruder|highest risk|mean risk|rows in danger");
    static const char *const intruders[] = {"prosecutor", "journalist", "marketer"};
    for (size_t i = 0; i < sizeof intruders / sizeof intruders[0]; i++)
        mgl_html_line(html, intruders[i], json_object_get(document, intruders[i]),
                      "{max:%}|{mean:%}|{share_above:%}");
    mgl_html_table_end(html);
    show_expected(html, json_object_get(document, "individual"));
    show_population(html, json_object_get(document, "population_uniques"));
}

enum { MOST_BARS = 24 };

static void show_nearest(mgl_html *html, const json_t *nearest)
{
    if (json_is_object(nearest))
        mgl_html_fill(
            html, nearest,
            "<h3>The nearest rows</h3>\n<p>Averages match nobody exactly. The rows whose numbers "
            "are nearest to a person are {rows.min:,} to {rows.max:,}, {rows.mean:.1f} on average; "
            "{unique_matches:,|person|persons} have a single one. They are the class that a person "
            "is in for {right_at_most:,|person|persons} at most, and for {right_for_certain:,} "
            "this is certain.</p>\n");
}

/* Only numbers: the people whose values are learnt are in the result, not on the page. */
void mgl_html_attack(mgl_html *html, const json_t *document)
{
    mgl_bar bars[MOST_BARS];
    size_t n = 0;
    const char *rows, *column;
    json_t *persons;
    mgl_html_fill(html, document,
                  "<p>{unique_matches:,} of {persons:,|person|persons} match a single row of the "
                  "release.</p>\n");
    json_object_foreach(json_object_get(document, "matched"), rows, persons)
    {
        if (n < MOST_BARS)
            bars[n++] = (mgl_bar){.label = rows, .values = {json_number_value(persons)}};
    }
    mgl_html_figure(html, "Persons by the number of rows that they could be:");
    mgl_svg_bars_and_numbers(html,
                             &(mgl_bars){.title = "Persons by matching rows",
                                         .description = "One bar for each number of matching rows.",
                                         .series = {"persons"},
                                         .n_series = 1,
                                         .bars = bars,
                                         .n = n},
                             "matching rows|persons");
    mgl_html_figure_end(html);
    json_object_foreach(json_object_get(document, "disclosed"), column, persons)
    {
        mgl_html_add(html, "<p>The value of ");
        mgl_html_name(html, column);
        mgl_html_add(html, " is learnt for %s.</p>\n",
                     mgl_many_words(&html->numbers, (uint64_t)json_integer_value(persons), "person",
                                    "persons"));
    }
    show_nearest(html, json_object_get(document, "nearest"));
}

bool mgl_has_strongest(const json_t *document)
{
    return json_object_size(json_object_get(document, "attributes")) > 0;
}

void mgl_html_strongest(mgl_html *html, const json_t *document)
{
    const char *column, *key;
    json_t *attribute, *value;
    char words[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<p>For each sensitive column, the strongest parameter each model holds "
                       "with.</p>\n<div class=\"pair\">\n");
    json_object_foreach(json_object_get(document, "attributes"), column, attribute)
    {
        mgl_html_add(html, "<div><h3>");
        mgl_html_name(html, column);
        mgl_html_add(html, "</h3>\n");
        mgl_html_table(html, "parameter|strongest");
        json_object_foreach(attribute, key, value)
        {
            if (json_is_number(value))
                mgl_html_line(html, mgl_measure_words(key, words), value, "{:.4g}");
        }
        mgl_html_table_end(html);
        mgl_html_add(html, "</div>\n");
    }
    mgl_html_add(html, "</div>\n");
}

static void show_contributions(mgl_html *html, const json_t *shares)
{
    enum { MOST = 40 };
    mgl_bar bars[MOST];
    size_t n = 0;
    const char *column;
    json_t *share;
    json_object_foreach((json_t *)shares, column, share)
    {
        if (n < MOST)
            bars[n++] = (mgl_bar){.label = column, .values = {json_number_value(share) / 100}};
    }
    if (n == 0)
        return;
    mgl_html_figure(html, "Which columns make rows stand out, by their part in the scores:");
    mgl_svg_bars_and_numbers(html,
                             &(mgl_bars){.title = "Part of each column in the scores",
                                         .description = "One bar for each column.",
                                         .series = {"part"},
                                         .n_series = 1,
                                         .bars = bars,
                                         .n = n,
                                         .shares = true},
                             "column|part in the scores");
    mgl_html_figure_end(html);
}

static void show_by_size(mgl_html *html, const json_t *counts)
{
    if (json_array_size(counts) == 0)
        return;
    mgl_html_table(html, "columns that are enough|combinations");
    for (size_t i = 0; i < json_array_size(counts); i++) {
        mgl_html_row(html, mgl_count_words(&html->numbers, i + 1));
        mgl_html_cell(html, mgl_count_words(&html->numbers, (uint64_t)json_number_value(
                                                                json_array_get(counts, i))));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
}

void mgl_html_suda(mgl_html *html, const json_t *document)
{
    const json_t *suda = json_object_get(document, "suda");
    mgl_html_fill(html, suda,
                  mgl_json_whole(suda, "rows_above_zero") == 1 ? "<p>{rows_above_zero:,} row is"
                                                               : "<p>{rows_above_zero:,} rows are");
    mgl_html_fill(html, suda,
                  " unique on some of the columns (SUDA). The fewer columns are enough, the higher "
                  "the score; the highest is {max_score:~}.</p>\n");
    show_by_size(html, json_object_get(suda, "uniques_by_size"));
    show_contributions(html, json_object_get(suda, "contribution"));
}

bool mgl_has_sets(const json_t *document)
{
    return json_array_size(json_object_get(document, "attributes")) > 0 ||
           json_is_array(json_object_get(document, "single_out"));
}

static void set_row(mgl_html *html, const json_t *set, const char *template)
{
    mgl_html_fill(html, set, "<tr><th scope=\"row\">{columns:names}</th>");
    mgl_html_cells(html, set, template);
    mgl_html_row_end(html);
}

static void show_sets(mgl_html *html, const json_t *sets)
{
    enum { SHOWN = 15 };
    size_t n = json_array_size(sets);
    if (n == 0)
        return;
    mgl_html_table(html, "columns|distinct tuples|pairs told apart|unique rows");
    for (size_t i = 0; i < n && i < SHOWN; i++)
        set_row(html, json_array_get(sets, i), "{distinction:%}|{separation:%}|{unique_rows:%}");
    mgl_html_table_end(html);
    if (n > SHOWN)
        mgl_html_add(html, "<p>%s in the result.</p>\n",
                     mgl_many_words(&html->numbers, n - SHOWN, "more set", "more sets"));
}

static void show_single_out(mgl_html *html, const json_t *sets)
{
    if (!json_is_array(sets))
        return;
    mgl_html_add(html, "<h3>The smallest sets that single out</h3>\n");
    if (json_array_size(sets) == 0) {
        mgl_html_add(html, "<p>No set of columns does.</p>\n");
        return;
    }
    mgl_html_table(html, "columns|unique rows");
    for (size_t i = 0; i < json_array_size(sets); i++)
        set_row(html, json_array_get(sets, i), "{unique_rows:%}");
    mgl_html_table_end(html);
}

void mgl_html_sets(mgl_html *html, const json_t *document)
{
    mgl_html_add(html, "<p>How well sets of columns tell rows apart: the share of different tuples "
                       "among all rows, of the pairs of rows that differ, and of the rows that are "
                       "alone.</p>\n");
    show_sets(html, json_object_get(document, "attributes"));
    show_single_out(html, json_object_get(document, "single_out"));
}

static const json_t *state_of(const json_t *document, const char *when)
{
    return json_object_get(json_object_get(document, "unsafe_combinations"), when);
}

/* "race, birth". */
static void write_columns(const json_t *columns, mgl_buffer *out)
{
    out->size = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        mgl_buffer_format(out, "%s%s", i > 0 ? ", " : "", name != NULL ? name : "?");
    }
    mgl_buffer_append(out, "", 1);
}

/* The entry of the same columns in the list; NULL if there is none. */
static const json_t *find_same(const json_t *list, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_object_get(json_array_get(list, i), "columns"), columns))
            return json_array_get(list, i);
    return NULL;
}

static void combination_row(mgl_html *html, const json_t *columns, const json_t *before,
                            const json_t *after)
{
    mgl_buffer text = {0};
    write_columns(columns, &text);
    mgl_html_row(html, text.failed ? NULL : text.data);
    mgl_html_cells(html, before, "{values:,}|{rows:,}");
    mgl_html_cells(html, after, "{values:,}|{rows:,}");
    mgl_html_row_end(html);
    mgl_buffer_free(&text);
}

/* Those that were unsafe before, then those that only became so: what one row loses, others no
 * longer have in common with it. */
static void combinations_table(mgl_html *html, const json_t *before, const json_t *after)
{
    mgl_html_table(html, "columns|unsafe before|rows|unsafe in the release|rows");
    for (size_t i = 0; i < json_array_size(before); i++) {
        const json_t *one = json_array_get(before, i), *columns = json_object_get(one, "columns");
        combination_row(html, columns, one, find_same(after, columns));
    }
    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *one = json_array_get(after, i), *columns = json_object_get(one, "columns");
        if (find_same(before, columns) == NULL)
            combination_row(html, columns, NULL, one);
    }
    mgl_html_table_end(html);
}

static void tuple_row(mgl_html *html, const json_t *tuple)
{
    const json_t *outliers = json_object_get(tuple, "outliers");
    mgl_buffer text = {0};
    char number[MGL_NUMBER_SIZE];
    mgl_page_count(mgl_json_whole(tuple, "rows"), number);
    mgl_html_row(html, number);
    mgl_html_count(html, json_array_size(outliers) + mgl_json_whole(tuple, "outliers_left_out"));
    mgl_html_add(html, "<td class=\"left\">");
    for (size_t i = 0; i < json_array_size(outliers); i++) {
        write_columns(json_array_get(outliers, i), &text);
        mgl_html_add(html, "%s{", i > 0 ? " " : "");
        mgl_html_text(html, text.failed ? "" : text.data);
        mgl_html_add(html, "}");
    }
    mgl_html_add(html, "</td>");
    write_columns(json_object_get(tuple, "suppressed"), &text);
    mgl_html_cell(html, text.failed ? "" : text.data);
    mgl_html_row_end(html);
    mgl_buffer_free(&text);
}

static void tuples_table(mgl_html *html, const json_t *tuples)
{
    mgl_html_numbers(html, "rows|outliers|on these columns|suppressed cells");
    for (size_t i = 0; i < json_array_size(tuples); i++)
        tuple_row(html, json_array_get(tuples, i));
    mgl_html_numbers_end(html);
}

void mgl_html_combinations(mgl_html *html, const json_t *document)
{
    const json_t *before = state_of(document, "before"), *after = state_of(document, "after");
    mgl_html_fill(html, before,
                  "<p>Before cells were suppressed, {values:,|combination|combinations} of values "
                  "in {rows:,|row|rows} were shared by fewer than k ");
    mgl_html_add(html, "%s", mgl_members(document));
    if (json_is_object(after))
        mgl_html_fill(html, after,
                      "; in the release it is {values:,|combination|combinations} in "
                      "{rows:,|row|rows}");
    mgl_html_add(html, ". A column that is in many of them is the one to generalize "
                       "(<code>generalize</code>).</p>\n");
    const json_t *list = json_object_get(before, "combinations"),
                 *left = json_object_get(after, "combinations");
    if (json_array_size(list) + json_array_size(left) > 0)
        combinations_table(html, list, left);
    if (json_array_size(json_object_get(before, "tuples")) > 0)
        tuples_table(html, json_object_get(before, "tuples"));
    uint64_t more = mgl_json_whole(before, "combinations_left_out") +
                    mgl_json_whole(after, "combinations_left_out");
    if (more > 0)
        mgl_html_add(html, "<p>%s with fewer rows %s not listed.</p>\n",
                     mgl_many_words(&html->numbers, more, "combination", "combinations"),
                     more == 1 ? "is" : "are");
}
