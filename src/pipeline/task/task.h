/* pipeline/task: from a reading to counts, and from counts to the problem that a search is given.
 *
 * A setup is a table read, counted and made a task: nearly every command begins with one. */
#ifndef MGL_PIPELINE_TASK_TASK_H
#define MGL_PIPELINE_TASK_TASK_H

#include "pipeline/read/read.h"
#include "privacy/privacy.h"
#include "search/search.h"
#include "utility/utility.h"

/* The frequency lists of a reading, borrowed from its session. */
typedef struct mgl_counts {
    mgl_reading *reading;
    const mgl_frequency_list *list;
    const mgl_frequency_list *population; /* NULL: none */
    const mgl_cache_entry *kept;          /* the list, in the session */
} mgl_counts;

/* Counts what was read, unless the session has counted it before. The reading must outlive it. */
mgl_status mgl_counts_find(mgl_reading *reading, mgl_error *err, mgl_counts *out);
/* Makes a fresh list of the reading's rows count persons, in the view that the job asks for. */
mgl_status mgl_counts_of_persons(const mgl_reading *reading, const mgl_bound_column *quasi,
                                 const mgl_column *const *counted, mgl_error *err,
                                 mgl_frequency_list *list);
/* What cells cost on the tuples of the list. */
mgl_status mgl_costs_find(const mgl_counts *counts, mgl_error *err, const mgl_cell_costs **out);

typedef struct mgl_task {
    mgl_problem problem;
    mgl_facts facts;
    mgl_arena *arena; /* owns the arrays of the problem */
    mgl_reading *reading;
    const mgl_cache_entry *list; /* in the session */
    mgl_quasi_set *sets;
    const uint32_t *histories; /* [tuple] its history; NULL: there are no earlier releases, or a
                              tuple has several histories */
    size_t n_joint;            /* models of each set that look at earlier releases, too; 0: none */
} mgl_task;

/* Turns settings and counts into a problem. With `refuse`, models that no release of the table can
 * hold are refused; without it they are found not to hold. Free with mgl_task_free. */
mgl_status mgl_task_new(const mgl_settings *settings, const mgl_counts *counts, bool refuse,
                        mgl_error *err, mgl_task **out);
void mgl_task_free(mgl_task *task);
/* The method that runs, its options and how its results count, in place of those that are there. */
mgl_status mgl_task_take_method(mgl_task *task, const mgl_settings *settings,
                                const mgl_method_type *method, mgl_error *err);
size_t mgl_task_models(const mgl_task *task);

/* Shows the models that features add behind those of the job; hides them from the search where the
 * job has them judged afterwards. */
void mgl_task_show_added(mgl_task *task, bool searching);

/* The year from which Safe Harbor counts ages: that of --date, else this year; 0 if the job does
 * not ask for Safe Harbor. */
unsigned mgl_reference_year(const mgl_settings *settings);

/* mgl_sys_seconds at which the time limit of the job is over, which counts from the beginning of
 * the call; 0: never. */
double mgl_deadline(const mgl_settings *settings);

/* Does the job protect this value in the hierarchy of a sensitive column? */
bool mgl_is_protected(const mgl_attribute_settings *settings, mgl_span label);

/* Fills in task->facts: what models want to know about the whole table. */
mgl_status mgl_facts_find(mgl_task *task, const mgl_counts *counts, mgl_error *err);

/* Zeroed memory of the task; NULL: there is none. */
void *mgl_task_take(mgl_task *task, size_t n, size_t size);

/* What the table answers to the queries of the query error, asked once. */
mgl_status mgl_truths_find(const mgl_task *task, mgl_error *err, const uint64_t **out);

/* A table read, counted and made a task: where every command but `hierarchy` and `count` begins. */
typedef struct mgl_setup {
    mgl_reading *reading;
    mgl_counts counts;
    mgl_task *task;
} mgl_setup;

/* End with mgl_setup_end. */
mgl_status mgl_setup_begin(mgl_session *session, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_error *err, mgl_setup *out);
void mgl_setup_end(mgl_setup *setup);

#endif
