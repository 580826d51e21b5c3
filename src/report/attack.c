/* What `attack` found. */
#include "report/terminal.h"

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
        char item[96], count[MGL_NUMBER_SIZE];
        snprintf(item, sizeof item, "%.24s rows: %s", rows,
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

void mgl_terminal_attack(mgl_page *page, const json_t *document)
{
    if (!json_is_object(json_object_get(document, "matched")))
        return;
    const json_t *learnt = json_object_get(document, "learnt");
    show_matches(page, document);
    show_columns(page, document);
    for (size_t i = 0; i < json_array_size(learnt) && i < SHOWN_PERSONS; i++)
        show_person(page, json_array_get(learnt, i));
}
