/* Decides when a column gives others back, with so few false alarms as the guard allows itself, and
 * words what is said about it. For guarding.c and by_counts.c. */
#include "pipeline/guard/given_back.h"

#include <math.h>

#define FALSE_ALARMS 0.01 /* per release */

/* Fewer rows than this are no leak that matters: twice as many as look alike anyway. */
static uint64_t fewest_rows(uint64_t k)
{
    return 2 * k > 20 ? 2 * k : 20;
}

mgl_recovery_rule mgl_guard_rule(const mgl_problem *problem, const mgl_generalized *generalized,
                                 size_t n_columns)
{
    double tests = (double)(n_columns * mgl_recovery_tests(generalized));
    return (mgl_recovery_rule){.log_level = log(FALSE_ALARMS / fmax(tests, 1)),
                               .least_gain = (double)fewest_rows(problem->k)};
}

bool mgl_gives_back(const mgl_recovery *recovery, const mgl_generalized *generalized)
{
    const mgl_given_back *found = mgl_recovery_found(recovery);
    for (size_t i = 0; i < mgl_generalized_count(generalized); i++)
        if (found[i].real)
            return true;
    return false;
}

void mgl_guess_of_row(const mgl_recovery *recovery, size_t row, size_t n, uint32_t *out)
{
    for (size_t i = 0; i < n; i++) {
        const uint32_t *guesses = mgl_recovery_guesses(recovery, i);
        out[i] = guesses == NULL || row == MGL_NO_ROW ? MGL_NOT_FOUND : guesses[row];
    }
}

/* Words as one sentence the attributes that are given back in one way. */
static void tell_some(const mgl_task *task, const mgl_generalized *generalized,
                      const mgl_given_back *found, bool by_words, mgl_buffer *out, uint64_t *rows)
{
    for (size_t i = 0; i < mgl_generalized_count(generalized); i++) {
        const mgl_given_back *f = &found[i];
        if (!f->real || f->by_words != by_words)
            continue;
        const char *begins = out->size > 0 ? ","
                             : by_words    ? "repeats the value"
                                           : "gives back the value";
        mgl_buffer_format(
            out, "%s of \"%.60s\" in %llu of the %llu rows in which it is generalized", begins,
            task->reading->quasi[mgl_generalized_attribute(generalized, i)].settings->name,
            (unsigned long long)f->rows, (unsigned long long)f->of);
        if (f->by_label > 0)
            mgl_buffer_format(out, " (%llu without the column)", (unsigned long long)f->by_label);
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

void mgl_tell_given_back(const mgl_task *task, const char *column,
                         const mgl_generalized *generalized, const mgl_given_back *found,
                         const mgl_broken *broken, mgl_objections *out)
{
    bool harm = broken->rows >= fewest_rows(task->problem.k);
    for (int by_words = 0; by_words < 2; by_words++) {
        mgl_buffer text = {0};
        uint64_t rows = 0;
        tell_some(task, generalized, found, by_words == 1, &text, &rows);
        if (text.size > 0)
            tell_harm(broken, &text);
        mgl_objection said = {
            .code = by_words ? "text-repeats-column" : "recovers-column",
            .column = column,
            .remedy = !harm      ? "make it a quasi-identifier if others may know it"
                      : by_words ? "take it out of the text, or make the column an identifier, "
                                   "which is not released"
                                 : "make it a quasi-identifier, or an identifier, which is not "
                                   "released",
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
