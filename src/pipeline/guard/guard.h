/* pipeline/guard: the leak guard, watching one release. */
#ifndef MGL_PIPELINE_GUARD_GUARD_H
#define MGL_PIPELINE_GUARD_GUARD_H

#include "pipeline/task/task.h"
#include "risk/risk.h"
#include "release/release.h"

/* The leak guard, watching one release. */
typedef struct mgl_guarding mgl_guarding;

/* followed: [columns of the source] those that follow quasi-identifiers, as they are released, else
 * NULL; NULL: there are none. Free with mgl_guarding_free. */
mgl_status mgl_guarding_new(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, const mgl_column *const *followed,
                            mgl_error *err, mgl_guarding **out);
void mgl_guarding_free(mgl_guarding *guarding);

/* Rows that are alone with what is released of the quasi-identifier and of the columns that an
 * outsider may know besides (mgl_is_known_besides): after all rows were seen. Nothing is counted
 * where there is no such column, or where the memory of the job has no room for it. */
mgl_status mgl_guarding_count_alone(mgl_guarding *guarding, mgl_error *err, mgl_alone_rows *out);
/* Is the column released to all, no quasi-identifier, not sensitive and not made up? */
bool mgl_is_known_besides(const mgl_reading *reading, size_t column);

/* What writes the rows shows them to this. */
mgl_row_watch mgl_guarding_watch(mgl_guarding *guarding);

/* Judges after all rows were seen; suspect columns are read once more. */
mgl_status mgl_guarding_judge(mgl_guarding *guarding, mgl_error *err, mgl_objections *out);

/* Judges where no rows were seen: what the released values alone show. */
mgl_status mgl_guarding_judge_released(mgl_guarding *guarding, mgl_error *err, mgl_objections *out);

/* The leak guard where rows stay in the database: by counts. What it could not look at is among the
 * objections; groups: those that were fetched for it. n_rows: of the release. */
mgl_status mgl_guard_by_counts(const mgl_task *task, const mgl_reading *reading,
                               const mgl_solution *solution, uint64_t n_rows, mgl_error *err,
                               mgl_objections *objections, mgl_fetched_groups *groups);

/* The same where the engine has shown the rows: of the columns that are suspect, how much they give
 * back is found out by counts. */
mgl_status mgl_guarding_judge_by_counts(mgl_guarding *guarding, mgl_error *err,
                                        mgl_objections *objections, mgl_fetched_groups *groups);
/* Of these columns of the source alone. */
typedef struct mgl_suspect_pair {
    size_t columns[2];
} mgl_suspect_pair;
typedef struct mgl_suspects {
    bool *columns; /* [columns of the source] */
    mgl_suspect_pair *pairs;
    size_t n_pairs, room;
} mgl_suspects;
mgl_status mgl_given_back_by_counts(const mgl_task *task, const mgl_reading *reading,
                                    const mgl_solution *solution, const mgl_suspects *suspects,
                                    mgl_error *err, mgl_objections *objections,
                                    mgl_fetched_groups *groups);

/* The leak guard at a counted table, with the counts that the job names for it (`guard-counts`):
 * sensitive columns by the table itself, further ones by theirs. */
mgl_status mgl_guard_by_given_counts(const mgl_task *task, const mgl_reading *reading,
                                     const mgl_solution *solution, mgl_error *err,
                                     mgl_objections *objections, mgl_fetched_groups *groups);

/* The leak guard at a table as it is. n_columns: that were looked at. Sorted. */
mgl_status mgl_guard_as_is(const mgl_reading *reading, mgl_error *err, mgl_objections *objections,
                           size_t *n_columns);

/* Does the job accept what the leak guard objects to in the column? */
bool mgl_leak_is_allowed(const mgl_settings *settings, const char *column);
/* Does the job release the column only by `rest`, or, of a table as it is, not name it at all? */
bool mgl_is_unnamed(const mgl_settings *settings, const char *column);

/* Does the job not accept it? */
bool mgl_objection_is_refused(const mgl_settings *settings, const mgl_objection *objection);

/* Sorts the objections. MGL_UNMET if the job does not accept all of them. */
mgl_status mgl_settle_objections(const mgl_settings *settings, mgl_objections *objections,
                                 mgl_error *err);

#endif
