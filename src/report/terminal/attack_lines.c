/* Prints what `attack` found. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

enum { SHOWN_PERSONS = 10 };

static void show_matches(mgl_page *page, const json_t *document)
{
    char persons[MGL_NUMBER_SIZE], unique[MGL_NUMBER_SIZE];
    mgl_page_label(page, "persons");
    mgl_page_add(page, "%s, ", mgl_page_count(mgl_json_whole(document, "persons"), persons));
    mgl_page_add(page, "%s of them match a single row",
                 mgl_page_count(mgl_json_whole(document, "unique_matches"), unique));
    mgl_page_end(page);
    const char *rows;
    json_t *n;
    mgl_page_label(page, "matches");
    json_object_foreach((json_t *)json_object_get(document, "matched"), rows, n)
    {
        char item[160], count[MGL_NUMBER_SIZE], number[MGL_NUMBER_SIZE];
        uint64_t n_rows = 0;
        bool known = mgl_parse_u64(mgl_span_of(rows), &n_rows);
        snprintf(item, sizeof item, "%.30s %s: %s", known ? mgl_page_count(n_rows, number) : rows,
                 known && n_rows == 1 ? "row" : "rows",
                 mgl_page_count((uint64_t)json_integer_value(n), count));
        mgl_page_item(page, item);
    }
    mgl_page_end(page);
}

static void show_columns(mgl_page *page, const json_t *document)
{
    const json_t *inference = json_object_get(document, "inference");
    const char *column;
    json_t *n;
    const char *label = "learnt";
    json_object_foreach((json_t *)json_object_get(document, "disclosed"), column, n)
    {
        const json_t *shares = json_object_get(inference, column);
        char count[MGL_NUMBER_SIZE];
        mgl_page_label(page, label);
        mgl_page_add(page, "%.200s of %s persons; a guess is right for %.3g %% instead of %.3g %%",
                     column, mgl_page_count((uint64_t)json_integer_value(n), count),
                     100 * mgl_json_number(shares, "after"),
                     100 * mgl_json_number(shares, "before"));
        mgl_page_end(page);
        label = "";
    }
}

static void show_person(mgl_page *page, const json_t *one)
{
    const json_t *person = json_object_get(one, "person");
    const char *name = json_string_value(person);
    mgl_page_label(page, "");
    if (name != NULL)
        mgl_page_add(page, "%.200s", name);
    else
        mgl_page_add(page, "row %lld", (long long)json_integer_value(person));
    mgl_page_add(page, ": %.200s ", json_string_value(json_object_get(one, "column")));
    mgl_page_add(page, "%.200s", json_string_value(json_object_get(one, "value")));
    mgl_page_end(page);
}

/* Numbers that match nobody exactly still lie near to somebody. */
static void show_nearest(mgl_page *page, const json_t *document)
{
    const json_t *nearest = json_object_get(document, "nearest"),
                 *rows = json_object_get(nearest, "rows");
    const char *column;
    json_t *n;
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (!json_is_object(nearest))
        return;
    mgl_page_label(page, "nearest");
    mgl_page_add(page, "%s to %s rows are nearest to a person, %.1f on average; ",
                 mgl_page_count(mgl_json_whole(rows, "min"), a),
                 mgl_page_count(mgl_json_whole(rows, "max"), b), mgl_json_number(rows, "mean"));
    mgl_page_add(page, "%s persons have a single one",
                 mgl_page_count(mgl_json_whole(nearest, "unique_matches"), a));
    mgl_page_end(page);
    mgl_page_label(page, "");
    mgl_page_add(page, "they are a person's own class for %s at most, for certain for %s",
                 mgl_page_count(mgl_json_whole(nearest, "right_at_most"), a),
                 mgl_page_count(mgl_json_whole(nearest, "right_for_certain"), b));
    mgl_page_end(page);
    json_object_foreach((json_t *)json_object_get(nearest, "disclosed"), column, n)
    {
        mgl_page_label(page, "");
        mgl_page_add(page, "they have one value of %.200s for %s persons", column,
                     mgl_page_count((uint64_t)json_integer_value(n), a));
        mgl_page_end(page);
    }
}

static void show_belief(mgl_page *page, const json_t *one)
{
    const json_t *person = json_object_get(one, "person");
    const char *column = mgl_json_text(one, "column"), *value = mgl_json_text(one, "value");
    mgl_page_label(page, "");
    if (json_is_string(person))
        mgl_page_text(page, json_string_value(person));
    else
        mgl_page_add(page, "row %lld", (long long)json_integer_value(person));
    mgl_page_add(page, ": ");
    mgl_page_text(page, column != NULL ? column : "?");
    mgl_page_add(page, " ");
    mgl_page_text(page, value != NULL ? value : "?");
    mgl_page_add(page, " with probability %.3g; the classes alone say %.3g",
                 mgl_json_number(one, "posterior"), mgl_json_number(one, "naive"));
    mgl_page_end(page);
}

/* What knowing the method adds. */
static void show_minimality(mgl_page *page, const json_t *found)
{
    const json_t *persons = json_object_get(found, "persons");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    size_t shown = 0;
    if (!json_is_object(found))
        return;
    mgl_page_label(page, "minimality");
    mgl_page_add(page, "%s of %s assignments of sensitive values give this release",
                 mgl_page_count(mgl_json_whole(found, "possible"), a),
                 mgl_page_count(mgl_json_whole(found, "assignments"), b));
    mgl_page_end(page);
    mgl_page_label(page, "");
    mgl_page_add(page, "more than the models allow is learnt of %s persons",
                 mgl_page_count(mgl_json_whole(found, "disclosed"), a));
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(persons) && shown < SHOWN_PERSONS; i++)
        if (json_is_true(json_object_get(json_array_get(persons, i), "beyond"))) {
            show_belief(page, json_array_get(persons, i));
            shown++;
        }
}

void mgl_terminal_attack(mgl_page *page, const json_t *document)
{
    if (!json_is_object(json_object_get(document, "matched")))
        return;
    const json_t *learnt = json_object_get(document, "learnt");
    show_matches(page, document);
    show_columns(page, document);
    for (size_t i = 0; i < json_array_size(learnt) && i < SHOWN_PERSONS; i++)
        show_person(page, json_array_get(learnt, i));
    show_nearest(page, document);
    show_minimality(page, json_object_get(document, "minimality"));
}
