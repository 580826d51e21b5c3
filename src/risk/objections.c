/* Collects the objections of the leak guard, which keep a release from being written, and its
 * warnings, which do not; sorts and words them. */
#include "risk/risk.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Worst first: what names a person, then what identifies a row, then what concerns one column. */
static const char *const codes[] = {
    "identifier-shape", "identifier-name",  "row-number",          MGL_GUARD_NEAR_UNIQUE,
    "recovers-column",  "gives-shift-back", "text-repeats-column", "beside-perturbed",
    "safe-harbor",      "safe-harbor-zip",  MGL_GUARD_PASSED,
};

static size_t rank_of(const char *code)
{
    size_t n = sizeof codes / sizeof codes[0], i = 0;
    while (i < n && strcmp(codes[i], code) != 0)
        i++;
    return i;
}

void mgl_objections_add(mgl_objections *out, const mgl_objection *objection, const char *format,
                        ...)
{
    va_list args;
    va_start(args, format);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = size < 0 ? NULL : mgl_alloc((size_t)size + 1);
    if (text == NULL || !mgl_grow(&out->list, &out->room, out->n + 1, sizeof *out->list)) {
        mgl_free(text);
        out->out_of_memory = true;
        return;
    }
    va_start(args, format);
    vsnprintf(text, (size_t)size + 1, format, args);
    va_end(args);
    out->list[out->n] = *objection;
    out->list[out->n++].evidence = text;
}

void mgl_objections_free(mgl_objections *objections)
{
    for (size_t i = 0; i < objections->n; i++)
        mgl_free(objections->list[i].evidence);
    mgl_free(objections->list);
    mgl_free(objections->untested);
    mgl_free(objections->judged_by);
    *objections = (mgl_objections){0};
}

void mgl_objections_leave_out(mgl_objections *out, const char *column, const char *other,
                              const char *reason)
{
    if (mgl_grow(&out->untested, &out->room_untested, out->n_untested + 1, sizeof *out->untested))
        out->untested[out->n_untested++] = (mgl_untested_pair){column, other, reason};
    else
        out->out_of_memory = true;
}

void mgl_objections_judged_by(mgl_objections *out, const char *column, const char *what)
{
    if (mgl_grow(&out->judged_by, &out->room_judged_by, out->n_judged_by + 1,
                 sizeof *out->judged_by))
        out->judged_by[out->n_judged_by++] = (mgl_judged_by){column, what};
    else
        out->out_of_memory = true;
}

static int compare_columns(const mgl_objection *a, const mgl_objection *b)
{
    int order = strcmp(a->column, b->column);
    if (order != 0 || (a->with == NULL && b->with == NULL))
        return order;
    return a->with == NULL ? -1 : b->with == NULL ? 1 : strcmp(a->with, b->with);
}

/* Objections of a column, or of two together, stand together, worst first; columns by their
 * worst. */
static int compare(const void *a, const void *b)
{
    const mgl_objection *x = a, *y = b;
    if (x->warning != y->warning)
        return x->warning ? 1 : -1;
    if (x->worst != y->worst)
        return x->worst < y->worst ? -1 : 1;
    if (x->most != y->most)
        return x->most > y->most ? -1 : 1;
    int order = compare_columns(x, y);
    if (order != 0)
        return order;
    size_t rank_x = rank_of(x->code), rank_y = rank_of(y->code);
    if (rank_x != rank_y)
        return rank_x < rank_y ? -1 : 1;
    return x->rows != y->rows ? (x->rows > y->rows ? -1 : 1) : strcmp(x->evidence, y->evidence);
}

static bool same_column(const mgl_objection *a, const mgl_objection *b)
{
    return a->warning == b->warning && compare_columns(a, b) == 0;
}

static int by_column(const void *a, const void *b)
{
    const mgl_objection *x = a, *y = b;
    return x->warning != y->warning ? (x->warning ? 1 : -1) : compare_columns(x, y);
}

/* Sets the worst rank and the most rows in each of the objections to one column. */
static void note_worst(mgl_objection *list, size_t n)
{
    size_t worst = SIZE_MAX;
    uint64_t most = 0;
    for (size_t i = 0; i < n; i++) {
        size_t rank = rank_of(list[i].code);
        worst = rank < worst ? rank : worst;
        most = list[i].rows > most ? list[i].rows : most;
    }
    for (size_t i = 0; i < n; i++) {
        list[i].worst = worst;
        list[i].most = most;
    }
}

void mgl_objections_sort(mgl_objections *objections)
{
    mgl_objection *list = objections->list;
    size_t n = objections->n, end;
    if (n > 1)
        qsort(list, n, sizeof *list, by_column);
    for (size_t i = 0; i < n; i = end) {
        for (end = i + 1; end < n && same_column(&list[i], &list[end]);)
            end++;
        note_worst(list + i, end - i);
    }
    if (n > 1)
        qsort(list, n, sizeof *list, compare);
}

size_t mgl_objections_write(const mgl_objections *objections, size_t first, mgl_buffer *out)
{
    const mgl_objection *list = objections->list;
    size_t end = first;
    if (list[first].with != NULL)
        mgl_buffer_format(out, "columns \"%.60s\" and \"%.60s\" together", list[first].column,
                          list[first].with);
    else
        mgl_buffer_format(out, "column \"%.60s\"", list[first].column);
    for (; end < objections->n && same_column(&list[first], &list[end]); end++)
        mgl_buffer_format(out, "%s %s", end > first ? "; it" : "", list[end].evidence);
    mgl_buffer_format(out, "; %s", list[first].remedy);
    return end;
}
