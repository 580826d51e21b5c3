/* Decides when columns give others back, with so few false alarms as the guard allows itself, and
 * words what is reported about it. */
#include "pipeline/guard/given_back.h"

#include <math.h>

#define FALSE_ALARMS 0.01 /* per release */

/* From so many rows on a leak can keep a release from being written: twice as many as look alike
 * anyway. Of fewer rows there is a warning if classes break. */
static uint64_t fewest_rows(uint64_t k)
{
    return 2 * k > 20 ? 2 * k : 20;
}

enum { FEWEST_WARNED = 5 };

/* Working out the figures of the result takes about as long as reading did. */
static double deadline_of_pairs(const mgl_reading *reading)
{
    double end = mgl_deadline(reading->settings);
    return end > 0 ? end - reading->seconds : 0;
}

mgl_recovery_rule mgl_guard_rule(const mgl_task *task, const mgl_generalized *generalized,
                                 size_t n_columns)
{
    double tests = (double)mgl_recovery_tests(generalized, n_columns);
    return (mgl_recovery_rule){.log_level = log(FALSE_ALARMS / fmax(tests, 1)),
                               .least_gain = FEWEST_WARNED,
                               .much = (double)fewest_rows(task->problem.k),
                               .deadline = deadline_of_pairs(task->reading)};
}

static bool any_much(const mgl_giving *giving, size_t n)
{
    const mgl_given_back *found = mgl_recovery_found(giving->recovery);
    for (size_t i = 0; i < n; i++)
        if (found[i].much)
            return true;
    return false;
}

/* Where something is given back in many rows, few rows of another attribute do not count. */
static bool counts(const mgl_giving *giving, size_t i, bool much)
{
    const mgl_given_back *found = &mgl_recovery_found(giving->recovery)[i];
    return much ? found->much : found->real;
}

void mgl_guess_of_row(const mgl_giving *giving, size_t row, size_t n, uint32_t *out)
{
    bool much = any_much(giving, n);
    for (size_t i = 0; i < n; i++)
        out[i] = row == MGL_NO_ROW || !counts(giving, i, much)
                     ? MGL_NOT_FOUND
                     : mgl_recovery_guess(giving->recovery, i, row);
}

/* ---- Columns two by two -------------------------------------------------------------------- */

const char mgl_too_many_combinations[] = "too many combinations of values to count";
const char mgl_too_little_memory[] = "too many rows for the memory of the leak guard";
const char mgl_no_counts[] = "no counts of both columns together were given";

void mgl_guard_count_pair(mgl_objections *out, const char *one, const char *other,
                          mgl_pair_test test)
{
    if (test == MGL_PAIR_TESTED)
        out->n_pairs++;
    else
        mgl_objections_leave_out(out, one, other,
                                 test == MGL_PAIR_TOO_LATE ? "the time limit came first"
                                                           : mgl_too_many_combinations);
}

size_t mgl_guard_paired(const char *const *names, size_t n, mgl_objections *out)
{
    for (size_t c = MGL_MOST_PAIRED; c < n; c++)
        mgl_objections_leave_out(out, names[c], NULL,
                                 "more than 30 columns pass through, and the first 30 are tested "
                                 "two by two");
    return n < MGL_MOST_PAIRED ? n : MGL_MOST_PAIRED;
}

/* ---- Words --------------------------------------------------------------------------------- */

/* Words as one sentence the attributes that are given back in one way. */
static void tell_some(const mgl_task *task, const mgl_generalized *generalized,
                      const mgl_giving *giving, bool by_words, mgl_buffer *out, uint64_t *rows)
{
    bool two = giving->names[1] != NULL;
    bool much = any_much(giving, mgl_generalized_count(generalized));
    for (size_t i = 0; i < mgl_generalized_count(generalized); i++) {
        const mgl_given_back *f = &mgl_recovery_found(giving->recovery)[i];
        if (!counts(giving, i, much) || f->by_words != by_words)
            continue;
        const char *begins = out->size > 0 ? ","
                             : by_words    ? "repeats the value"
                             : two         ? "give back the value"
                                           : "gives back the value";
        mgl_buffer_format(
            out, "%s of \"%.60s\" in %llu of the %llu rows in which it is generalized", begins,
            task->reading->quasi[mgl_generalized_attribute(generalized, i)].settings->name,
            (unsigned long long)f->rows, (unsigned long long)f->of);
        if (f->by_label > 0)
            mgl_buffer_format(out,
                              two ? " (%llu by one of them alone)" : " (%llu without the column)",
                              (unsigned long long)f->by_label);
        *rows = f->rows > *rows ? f->rows : *rows;
    }
}

static void tell_harm(const mgl_broken *broken, mgl_buffer *out)
{
    if (broken->rows > 0)
        mgl_buffer_format(out, "; with that %llu rows are in classes that break %s",
                          (unsigned long long)broken->rows,
                          broken->model != NULL ? broken->model : "a model");
    else
        mgl_buffer_text(out, "; with that every class still holds");
}

static const char *remedy_of(bool two, bool harm, bool by_words)
{
    if (two)
        return harm ? "make one of them a quasi-identifier, or an identifier, which is not released"
                    : "make one of them a quasi-identifier if others may know both";
    if (!harm)
        return "make it a quasi-identifier if others may know it";
    return by_words ? "take it out of the text, or make the column an identifier, which is not "
                      "released"
                    : "make it a quasi-identifier, or an identifier, which is not released";
}

void mgl_tell_given_back(const mgl_task *task, const mgl_giving *given,
                         const mgl_generalized *generalized, const mgl_broken *broken,
                         mgl_objections *out)
{
    mgl_giving in_order = *given;
    const mgl_giving *giving = &in_order;
    if (given->columns[1] != SIZE_MAX && given->columns[0] > given->columns[1]) {
        in_order.names[0] = given->names[1];
        in_order.names[1] = given->names[0];
    }
    bool much = any_much(giving, mgl_generalized_count(generalized));
    bool harm = much && broken->rows >= fewest_rows(task->problem.k);
    if (!much && broken->rows == 0)
        return;
    for (int by_words = 0; by_words < 2; by_words++) {
        mgl_buffer text = {0};
        uint64_t rows = 0;
        tell_some(task, generalized, giving, by_words == 1, &text, &rows);
        if (text.size > 0)
            tell_harm(broken, &text);
        mgl_objection said = {.code = by_words ? "text-repeats-column" : "recovers-column",
                              .column = giving->names[0],
                              .with = giving->names[1],
                              .remedy = remedy_of(giving->names[1] != NULL, harm, by_words == 1),
                              .rows = harm ? broken->rows : rows,
                              .warning = !harm,
                              .gives_back = true};
        if (text.failed)
            out->out_of_memory = true;
        else if (text.size > 0)
            mgl_objections_add(out, &said, "%.*s", (int)text.size, text.data);
        mgl_buffer_free(&text);
    }
}
