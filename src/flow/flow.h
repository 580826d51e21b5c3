/* flow: from checked settings to a result. The steps that src/mingle.c puts together. */
#ifndef MGL_FLOW_H
#define MGL_FLOW_H

#include "classes/classes.h"
#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "job/job.h"
#include "privacy/privacy.h"
#include "proof/proof.h"
#include "recoding/recoding.h"
#include "release/release.h"
#include "result/result.h"
#include "risk/risk.h"
#include "search/search.h"
#include "suggest/suggest.h"
#include "utility/utility.h"
#include "verify/verify.h"

/* ---- Reading: the table of a job, its columns bound to hierarchies ----------------- */

/* One quasi-identifier column. */
typedef struct mgl_quasi_column {
    const mgl_attribute_settings *settings;
    const mgl_column *column;
    mgl_hierarchy *hierarchy;
    char *proposed; /* the builder that was proposed, as `suggest` words it; NULL: none was */
    uint32_t *leaf_of_code;
    mgl_released_column *released;
    /* Where an engine regroups what is rare: values of the column that it told, and those of them
     * that are rare. */
    uint64_t values_told, rare_told;
} mgl_quasi_column;

/* Earlier releases of the table (--history). A part are the rows that look alike in each of them;
 * whoever holds the releases can tell the parts of a class from one another. */
typedef struct mgl_earlier {
    size_t n;
    mgl_saved_recoding **saved;
    uint32_t n_parts;
    mgl_table *columns; /* the part of each row; then, for each sensitive column, part and value as
                           one code */
    const uint32_t **first, **meaning; /* [n_sensitive] of these codes, as mgl_joint has them */
    mgl_arena *arena;
} mgl_earlier;

struct mgl_reading {
    const mgl_settings *settings;
    mgl_source *source;
    mgl_pool *pool;
    mgl_role *roles; /* [columns of the source] */
    mgl_table *table;
    bool counted_by_source; /* the table is counted by the engine that has it: rows stay there */
    bool pushed;            /* and that engine writes the release, too */
    bool loaded;            /* the release is loaded into a table when it is published */
    size_t n_quasi;
    mgl_quasi_column *quasi;
    mgl_bound_column *bound;               /* [n_quasi] */
    const mgl_released_column **released;  /* [n_quasi] */
    const mgl_column **counted;            /* sensitive columns that models judge, then the label */
    mgl_hierarchy **sensitive_hierarchies; /* [n_sensitive]; NULL: none */
    size_t n_counted, n_sensitive;
    size_t n_judged;          /* of the counted, those that models are judged with: the sensitive
                                 ones, then those of earlier releases */
    size_t label;             /* number of the label among the counted; SIZE_MAX: none */
    const mgl_column *entity; /* which person a row belongs to; NULL: every row is one */
    const mgl_column *weight, *household; /* for `risk`; NULL: none */
    mgl_earlier *earlier;                 /* NULL: there are none */
    mgl_source *population_source;
    mgl_table *population;                  /* its quasi-identifier columns; NULL: none */
    mgl_bound_column *population_bound;     /* [n_quasi] */
    mgl_hierarchy **population_hierarchies; /* [n_quasi] of its own, where cells are taken as
                                               they are; else NULL */
    struct mgl_value_places *places;        /* [columns of the table] where their values stand */
    mgl_buffer warnings;                    /* one line each: "code\tmessage\n" */
    json_t *resolved; /* {COLUMN: {FIELD: VALUE}} that the job left open; NULL: nothing */
    double seconds;
};

/* What is read for. */
typedef enum mgl_purpose {
    MGL_TO_RELEASE, /* every column needs a role; hierarchies are bound; what no release can
                       have is refused */
    MGL_TO_SEARCH,  /* the same, but columns may go without a role */
    MGL_TO_COMPARE, /* hierarchies are bound, but columns may go without a role */
    MGL_TO_CHECK,   /* cells are taken as they are */
    MGL_TO_ATTACK,  /* likewise, and identifiers are those of another table */
    MGL_TO_DRAW     /* only the columns that the job gives a hierarchy */
} mgl_purpose;

static inline bool mgl_takes_as_is(mgl_purpose purpose)
{
    return purpose == MGL_TO_CHECK || purpose == MGL_TO_ATTACK;
}

static inline bool mgl_purpose_searches(mgl_purpose purpose)
{
    return purpose == MGL_TO_RELEASE || purpose == MGL_TO_SEARCH;
}

/* Are there spellings that do not tell values apart (--trim, --fold-case)? Quasi-identifiers and
 * sensitive columns are then released as they are counted. */
static inline bool mgl_respells(const mgl_settings *settings)
{
    return settings->source.spelling.trim || settings->source.spelling.fold_case;
}

/* Free with mgl_reading_free. The settings must outlive it. */
mgl_status mgl_reading_new(const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
                           mgl_reading **out);

/* What the run decided where the job left it open becomes part of every record of the job: audit
 * trail, recoding, saved job. For example ("zip", "hierarchy", "mask(right,2)"). */
mgl_status mgl_reading_resolve(mgl_reading *reading, const char *column, const char *field,
                               const char *value, mgl_error *err);
/* The job with what was resolved. Free with json_decref. */
mgl_status mgl_reading_job(const mgl_reading *reading, mgl_job_use use, mgl_error *err,
                           json_t **out);

/* Gives each column of an opened source its role and checks that the job's columns exist. */
mgl_status mgl_assign_roles(const mgl_settings *settings, const mgl_source *source,
                            mgl_purpose purpose, mgl_error *err, mgl_role *roles);

/* Lets the dictionaries of a table tell where values stand (mgl_dictionary_place), for messages.
 * Free with mgl_free after the table. */
typedef struct mgl_value_places mgl_value_places;
mgl_status mgl_places_new(mgl_source *source, mgl_table *table, mgl_error *err,
                          mgl_value_places **out);

/* What keeps a column from being numbers or dates that it all but is (mgl_nearly_all). */
typedef struct mgl_slip {
    enum {
        MGL_SLIP_NONE,
        MGL_SLIP_NUMBER, /* `value` is no number, */
        MGL_SLIP_DATE,   /* no date, */
        MGL_SLIP_ORDER   /* or nothing tells the order of day and month */
    } kind;
    mgl_span value; /* the first one; of the dictionary */
} mgl_slip;
mgl_slip mgl_slip_find(const mgl_column *column);
/* Warns of quasi-identifiers that are not what they seem: a slip among numbers or dates makes a
 * text of a column, signs and orders can be unclear. */
void mgl_notations_note(mgl_reading *reading);
/* The same of quasi-identifier a alone, whose values are those of the column. */
void mgl_notation_note(mgl_reading *reading, size_t a, const mgl_column *column);
/* The role of a column in words; "left out" if it has none and --rest drop keeps it back. */
const char *mgl_role_words(const mgl_reading *reading, size_t column);

/* Earlier releases: opened before the table is read, since they may need columns more (which are
 * added to the wishes; returns how many there are then), and bound after. */
mgl_status mgl_earlier_open(mgl_reading *reading, mgl_error *err);
size_t mgl_earlier_wish(const mgl_reading *reading, mgl_column_wish *wishes, size_t n);
mgl_status mgl_earlier_bind(mgl_reading *reading, mgl_error *err);
void mgl_earlier_free(mgl_earlier *earlier);

/* Spells the first n columns of another table as those of the one that was read first, where
 * spellings do not tell values apart. */
mgl_status mgl_spell_alike(const mgl_settings *settings, const mgl_table *first, mgl_table *other,
                           size_t n, mgl_error *err);

/* The population: read after the table and before its hierarchies are made, since its values
 * belong into them; bound after. */
mgl_status mgl_population_read(mgl_reading *reading, mgl_error *err);
mgl_status mgl_population_bind(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);
void mgl_population_forget(mgl_reading *reading);
/* The population as the verifier is given it; untouched if there is none. */
mgl_status mgl_population_promise(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                                  mgl_promised_population *out);

/* What is suggested for a column of a table, of whatever kind the job says it is. Free with
 * mgl_suggestion_free. */
mgl_status mgl_suggest_column(const mgl_settings *settings, const mgl_table *table,
                              const mgl_column *column, mgl_error *err, mgl_suggestion *out);
/* Makes the hierarchy of a column, whose dictionary has all its values by now: the one that the job
 * gives, else a proposed one, unless cells are taken as they are or all methods of the job go
 * without (propose.c). */
mgl_status mgl_quasi_hierarchy(mgl_reading *reading, mgl_purpose purpose, mgl_quasi_column *quasi,
                               mgl_error *err);
/* Does a model look at the hierarchy of a column that is not generalized? */
bool mgl_is_read_by_model(const mgl_settings *settings, const mgl_attribute_settings *attribute);

/* ---- What the result of a release tells about its columns (settings->claims) ----------- */

/* The label of suppressed cells of a quasi-identifier; false: nobody says. */
bool mgl_claimed_top(const mgl_settings *settings, const char *column, mgl_span *out);
/* Does it tell how the values of a sensitive column belong together? Then this is how; the labels
 * of groups are made up. */
bool mgl_claimed_tree(const mgl_settings *settings, const char *column);
mgl_status mgl_claimed_hierarchy(const mgl_settings *settings, const mgl_column *column,
                                 mgl_error *err, mgl_hierarchy **out);
bool mgl_claimed_protects(const mgl_settings *settings, const char *column, uint32_t level,
                          mgl_span label);

/* Is the tuple of a group that rare combinations were put into (--least-count)? */
bool mgl_tuple_is_regrouped(const mgl_frequency_list *list, size_t tuple);

/* ---- Counts ------------------------------------------------------------------------ */

struct mgl_counts {
    const mgl_reading *reading;
    mgl_frequency_list *list;
    mgl_frequency_list *population; /* NULL: none */
};

/* ---- A task: the problem a search is given ------------------------------------------ */

typedef struct mgl_task {
    mgl_problem problem;
    mgl_cell_costs *costs;
    mgl_facts facts;
    mgl_arena *arena; /* owns the arrays of the problem */
    const mgl_reading *reading;
    mgl_quasi_set *sets;
    const uint32_t *parts; /* [tuple] of earlier releases; NULL: a tuple has several, or none */
    size_t n_joint;        /* models of each set that look at earlier releases, too; 0: none */
} mgl_task;

/* Turns settings and counts into a problem. With refuse, models that no release of the
 * table can hold are refused; otherwise they are just found not to hold. Free with
 * mgl_task_free. */
mgl_status mgl_task_new(const mgl_settings *settings, const mgl_counts *counts, bool refuse,
                        mgl_error *err, mgl_task **out);
void mgl_task_free(mgl_task *task);
/* Shows the search the models on what earlier releases divide classes into, or hides them: they
 * stand behind those of the job. */
void mgl_task_show_history(mgl_task *task, bool show);
/* The year from which Safe Harbor reckons ages: that of --date, else of today; 0: the job does not
 * ask for Safe Harbor. */
unsigned mgl_reference_year(const mgl_settings *settings);
/* When a search that begins now has to end; 0: never. */
double mgl_deadline(const mgl_settings *settings);

/* Is it one of the values that the job protects in the hierarchy of a sensitive column? */
bool mgl_is_protected(const mgl_attribute_settings *settings, mgl_span label);
/* What models want to know about the whole table: fills in task->facts. */
mgl_status mgl_facts_find(mgl_task *task, const mgl_counts *counts, mgl_error *err);

/* ---- All of it ------------------------------------------------------------------------ */

/* A table read, counted and made a problem: where every command but `hierarchy` begins. */
typedef struct mgl_work {
    mgl_reading *reading;
    mgl_counts *counts;
    mgl_task *task;
} mgl_work;

/* End with mgl_work_end. */
mgl_status mgl_work_begin(const mgl_settings *settings, mgl_purpose purpose, mgl_error *err,
                          mgl_work *out);
void mgl_work_end(mgl_work *work);

/* ---- Measuring what a recoding gives -------------------------------------------------- */

/* Of rows, or of persons with --entity. */
typedef struct mgl_class_summary {
    uint64_t count, min, max, uniques, rows;
    double sizes; /* their sum; that of rows, unless others match a class as well */
    double risks; /* sum over the rows of one divided by those they hide among */
} mgl_class_summary;

typedef struct mgl_measured {
    mgl_classes classes; /* of the released tuples; suppressed ones are in none under drop and
                            exempt */
    mgl_statistics statistics;
    uint32_t *heights;
    mgl_class_summary summary; /* of these classes */
} mgl_measured;

/* cells[a][t] are released cells of the list's tuples. Free with mgl_measured_free. */
mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, mgl_error *err, mgl_measured *out);
void mgl_measured_free(mgl_measured *measured);

/* Told of one class after the other: among how many its members hide, and how many they are; in
 * persons where the list counts them. Classes of size 0 are none. */
typedef mgl_matched_class_fn mgl_class_fn;
mgl_status mgl_each_class(const mgl_problem *problem, const uint32_t *class_of,
                          const uint64_t *sizes, size_t n_classes, mgl_class_fn *fn, void *context,
                          mgl_error *err);
/* The classes of a recoding as the models of the problem count them: where suppressed cells match
 * every value, members hide among all rows that match. */
mgl_status mgl_each_counted(const mgl_problem *problem, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err);
/* Takes suppressed tuples that are not kept out of their classes. */
void mgl_classes_leave_out(const mgl_problem *problem, const mgl_recoding *recoding,
                           mgl_classes *classes);
mgl_class_fn mgl_class_summary_add; /* context: the mgl_class_summary */

/* The classes alone. */
mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out);

size_t mgl_task_models(const mgl_task *task);

/* ---- Unsafe solutions ------------------------------------------------------------------- */

enum { MGL_FAILING_ROWS = 1000 };

/* Rows of the input that are in classes which violate a model. */
typedef struct mgl_failing {
    mgl_found *found;                 /* [models of the task] what holds; NULL: all do */
    uint64_t n_rows;                  /* how many rows fail */
    size_t n_named;                   /* the first so many of them are named */
    uint64_t named[MGL_FAILING_ROWS]; /* from 1, the header not counted */
} mgl_failing;

/* Looks for them if the solution is unsafe, and refuses it with MGL_UNMET unless the job accepts
 * that. Free with mgl_failing_free, also on failure. */
mgl_status mgl_failing_find(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_failing *out);
void mgl_failing_free(mgl_failing *failing);
/* MGL_UNMET if a model does not hold that should. */
mgl_status mgl_promise_check(const mgl_task *task, const mgl_failing *failing,
                             const mgl_found *found, mgl_error *err);
/* Puts them into the result, with a warning; nothing if the solution is safe. */
void mgl_failing_tell(const mgl_failing *failing, mgl_result *result);

/* ---- Writing and verifying -------------------------------------------------------------- */

/* Is a column of this role released as it is? */
static inline bool mgl_role_passes(mgl_role role)
{
    return role == MGL_ROLE_INSENSITIVE || role == MGL_ROLE_SENSITIVE;
}

/* The leak guard at work on one release. */
typedef struct mgl_guarding mgl_guarding;

/* Free with mgl_guarding_free. */
mgl_status mgl_guarding_new(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_guarding **out);
void mgl_guarding_free(mgl_guarding *guarding);
/* For those who write the rows. */
mgl_row_watch mgl_guarding_watch(mgl_guarding *guarding);
/* After all rows were seen; suspect columns are read once more. */
mgl_status mgl_guarding_judge(mgl_guarding *guarding, mgl_error *err, mgl_objections *out);
/* The same where no rows were seen: what the released values alone tell. */
mgl_status mgl_guarding_judge_released(mgl_guarding *guarding, mgl_error *err, mgl_objections *out);

/* Whom each row belongs to, and what earlier releases tell it apart by, in the order of the
 * release. */
typedef struct mgl_row_tags {
    const mgl_column *column; /* what rows carry while they are shuffled; NULL: nothing */
    uint32_t *of_row;         /* [row of the input] room for that, in the order of the release */
    mgl_table *made;          /* column and its meaning, if it stands for pairs */
    uint32_t *person, *part;
    const uint32_t *persons; /* then: NULL without persons */
    mgl_column parts;        /* then: codes NULL without earlier releases */
} mgl_row_tags;

/* Free with mgl_row_tags_free, also on failure. */
mgl_status mgl_row_tags_new(mgl_row_tags *tags, const mgl_reading *reading, mgl_error *err);
void mgl_row_tags_free(mgl_row_tags *tags);
/* After the rows are written: fills in persons and parts. */
mgl_status mgl_row_tags_read(mgl_row_tags *tags, const mgl_reading *reading, uint64_t n_rows,
                             mgl_error *err);

/* Groups that an engine counted and that were fetched; those of one row. */
typedef struct mgl_fetched_groups {
    uint64_t n, once;
} mgl_fetched_groups;

typedef struct mgl_written {
    uint64_t n_rows;
    double write_seconds, verify_seconds;
    mgl_objections objections; /* of the leak guard, if they were allowed */
    mgl_buffer warnings;       /* of the sink, one line each: "code\tmessage\n" */
    /* Where an engine writes: groups of the release for the verifier, and of the table for the leak
     * guard. */
    mgl_fetched_groups verifier_groups, guard_groups;
    uint64_t bytes; /* of the file, and its hash; "": none was written */
    char sha256[MGL_SHA256_TEXT];
    char rows_sha256[MGL_SHA256_TEXT]; /* of a table of a database: the digest of its rows; "":
                                          nobody asked */
} mgl_written;
void mgl_written_free(mgl_written *written);

/* MGL_DATA if the format of the release has no room for the rows, which is better told before the
 * search; where rows may be dropped nobody knows yet. */
mgl_status mgl_refuse_many(const mgl_settings *settings, uint64_t n_rows, mgl_error *err);

/* What the release would be: fills found and the number of rows. MGL_UNMET if no row would be
 * left; models may not hold. */
mgl_status mgl_judge_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written);

/* Stages and verifies the release; fills found. MGL_UNMET, and nothing is left, if the
 * written file breaks its promise (all models but those of which it is known that they fail), or if
 * the leak guard objects and that was not allowed. Where an engine writes the release itself the
 * stage is NULL. Publish it, and end it in any case, with the two functions below. */
mgl_status mgl_stage_release(const mgl_task *task, const mgl_reading *reading,
                             const mgl_solution *solution, const mgl_failing *failing,
                             mgl_error *err, mgl_found *found, mgl_written *written,
                             mgl_stage **out);
/* Gives the release its name, or loads it into the table it is for. */
mgl_status mgl_release_publish(const mgl_reading *reading, mgl_stage *stage, mgl_error *err);
/* What was not published is gone. */
void mgl_release_end(const mgl_reading *reading, mgl_stage *stage);

/* ---- Push-down ----------------------------------------------------------------------------- */

/* Decides what the engine of an opened source does by itself. MGL_DATA if the table to be written
 * exists already. */
mgl_status mgl_push_decide(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

/* ---- Persons of another table ------------------------------------------------------------- */

/* A table of persons, its columns bound to those of a release whose cells are taken as they are. */
typedef struct mgl_linked {
    const mgl_reading *release;
    const mgl_table *persons;    /* its first columns are the quasi-identifiers */
    mgl_hierarchy **hierarchies; /* [n_quasi]; NULL: texts tell what they stand for */
    uint32_t **leaves;           /* [n_quasi][code] */
    mgl_coverage *columns;       /* [n_quasi] */
    uint32_t *codes;             /* [person * n_quasi + a] */
} mgl_linked;

/* Free with mgl_linked_free, also after a failure. */
mgl_status mgl_linked_bind(mgl_linked *linked, const mgl_reading *release, const mgl_table *persons,
                           mgl_error *err);
void mgl_linked_free(mgl_linked *linked);
/* What distances tell where columns are numbers and persons match no row: "nearest" of a result.
 * *out is NULL where a column is none. */
mgl_status mgl_nearest_json(const mgl_linked *linked, const mgl_frequency_list *list,
                            const mgl_progress *progress, mgl_error *err, json_t **out);

/* How far the rows of a table are from the nearest rows of a release of it. */
typedef struct mgl_distances {
    double *loss;          /* [column] sum over rows of the distance as a share of the range */
    double sse, sst, il1s; /* as microaggregate tells them */
} mgl_distances;
/* Are the columns of the list and the first ones of the release all numbers? */
mgl_status mgl_distances_apply(const mgl_frequency_list *list, const mgl_table *release,
                               mgl_error *err, bool *out);
/* Adds to the sums in *out. */
mgl_status mgl_distances_find(const mgl_frequency_list *list, const mgl_table *release,
                              const mgl_progress *progress, mgl_error *err, mgl_distances *out);

/* Warns of columns in which nothing can be matched. */
void mgl_linked_warn(const mgl_linked *linked, mgl_result *result);

/* ---- The result of a search ---------------------------------------------------------------- */

/* What a method found and what became of it. */
typedef struct mgl_outcome {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_method_type *method;
    const mgl_solution *solution;
    const mgl_found *found;     /* [mgl_task_models], by the judge or by the verifier */
    const mgl_failing *failing; /* NULL: nobody asked */
    mgl_written written;
    const char *output;    /* NULL: nothing is written */
    double search_seconds; /* of the method alone */
    double start;          /* mgl_sys_seconds from which the total counts */
} mgl_outcome;

/* The hierarchy that a column was released by: a file, or a builder with all that it took from the
 * values; NULL: it has values of its own, or keeps the value or '*'. */
const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a);
/* Per column: given or proposed, and the builder. outcome: what a method made of it; NULL: all that
 * have a hierarchy use it. */
json_t *mgl_proposals_json(const mgl_reading *reading, const mgl_outcome *outcome);

/* What a third person needs to verify a release: what the job was told, hashes of the input, the
 * hierarchies and the release, values per column before and after. */
mgl_status mgl_audit_json(const mgl_outcome *outcome, mgl_error *err, json_t **out);

/* What mgl_claimed_top and mgl_claimed_tree read: {COLUMN: LABEL}, and per sensitive column whose
 * hierarchy a model looks at its released values, their groups by level, and which are protected.
 */
json_t *mgl_tops_json(const mgl_outcome *outcome);
mgl_status mgl_trees_json(const mgl_outcome *outcome, mgl_error *err, json_t *object);

/* Small aggregates that a report draws: class sizes, levels and distributions before and after.
 * No row of the input can be told from them, and no value that fewer than k rows have. */
mgl_status mgl_figures_json(const mgl_outcome *outcome, const mgl_measured *measured,
                            mgl_error *err, json_t **out);
/* The sizes of the classes of a table that is taken as it is. */
mgl_status mgl_sizes_json(const mgl_problem *problem, const mgl_recoding *recoding, mgl_error *err,
                          json_t **out);
/* What the method finds for other k (--curve); measured is what it found for the job's own. */
mgl_status mgl_curve_json(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                          json_t **out);
/* Warns if the method would lose clearly less with a small suppression limit, where the job has
 * none and asks for hints. */
mgl_status mgl_hint_tell(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                         mgl_result *result);
json_t *mgl_bound_json(const mgl_measure_type *measure, const mgl_solution *solution,
                       const mgl_statistics *statistics);

/* Stages the recoding if the job asks for that: *out is the caller's to publish and to free, or
 * NULL. */
mgl_status mgl_save_recoding(const mgl_outcome *outcome, mgl_error *err, mgl_stage **out);

/* --save-proof: stages the certificate of the bound, verified, and puts its hash and what it proves
 * into the bound of the result; *out as above. */
mgl_status mgl_save_proof(const mgl_outcome *outcome, mgl_error *err, mgl_result *result,
                          mgl_stage **out);
/* A certificate of the task without prices and without the hash of the table: its columns, models
 * and tuples. Everything in it is the arena's or the task's. */
mgl_status mgl_proof_of_task(const mgl_task *task, mgl_arena *arena, mgl_error *err,
                             mgl_proof *out);
/* Stages a file of these bytes. */
mgl_status mgl_stage_bytes(const char *path, const mgl_buffer *file, mgl_error *err,
                           mgl_stage **out);
/* As results and certificates name it. */
const char *mgl_proof_treatment(mgl_treatment treatment);
/* Does a certificate rest on the model? */
bool mgl_proof_uses(const mgl_model *model);
/* The steps of a search, if the certificate can have them. */
mgl_status mgl_proof_take_steps(const mgl_task *task, const mgl_bound_steps *steps,
                                mgl_arena *arena, mgl_error *err, mgl_proof *out);
/* check --proof: does the certificate prove what the result claims? With data also: is it about
 * this table? */
mgl_status mgl_flow_check_proof(mgl_job *job, mgl_error *err, mgl_result **out);

/* What the release and earlier ones reveal together. */
mgl_status mgl_history_json(const mgl_outcome *outcome, mgl_error *err, json_t **out);

/* Measures the recoding and tells all about it. Free with mgl_result_free. */
mgl_status mgl_describe_solution(const char *command, const mgl_outcome *outcome, mgl_error *err,
                                 mgl_result **out);

/* ---- Results ------------------------------------------------------------------------------ */

/* A location without users and passwords; any other text as it is. */
json_t *mgl_location_json(const char *location);
json_t *mgl_node_json(const mgl_reading *reading, const uint32_t *node);
json_t *mgl_utility_json(const mgl_statistics *statistics);
json_t *mgl_aggregation_json(const mgl_aggregation *aggregation);
json_t *mgl_classes_json(const mgl_class_summary *summary);
/* "parameters" of a model; attribute: the column that it protects, if it takes one. */
json_t *mgl_parameters_json(const mgl_model_type *type, const char *attribute,
                            const double *values);
/* joint: those on what earlier releases divide classes into; else the others. */
json_t *mgl_models_json(const mgl_reading *reading, const mgl_task *task, const mgl_found *found,
                        bool joint);
/* Per sensitive attribute the strongest parameter each model holds with. */
mgl_status mgl_strongest_json(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                              json_t *attributes);
json_t *mgl_risk_json(const mgl_class_summary *summary);
/* "leaks": what the leak guard objected to and the job accepted, with a warning of each; "guard":
 * what it looked at. */
void mgl_result_take_objections(mgl_result *result, const mgl_reading *reading,
                                const mgl_objections *objections);
/* "unchanged": the columns that are released as they are, with their roles. */
json_t *mgl_unchanged_json(const mgl_reading *reading);
/* "quasi_identifier": the columns an outsider may know; "entity": which one tells persons apart. */
void mgl_result_tell_columns(mgl_result *result, const mgl_reading *reading);
/* "about": title, purpose, recipient, author and date, as far as the job says them. */
void mgl_result_tell_about(mgl_result *result, const mgl_settings *settings);
/* Lines "code\tmessage\n". */
void mgl_result_take_warnings(mgl_result *result, const mgl_buffer *warnings);
/* What tells of a run beside its release: --result, --report and --save-job, as far as they were
 * asked for. */
typedef struct mgl_result_files {
    mgl_stage *result, *signature, *report, *job; /* NULL: not asked for */
} mgl_result_files;
/* Completes the document (MGL_SYSTEM if memory was out for a part of it) and stages the files. Free
 * with mgl_result_files_free, also on failure. */
mgl_status mgl_result_stage(mgl_result *result, const mgl_settings *settings, mgl_error *err,
                            mgl_result_files *out);
mgl_status mgl_result_publish(mgl_result_files *files, mgl_error *err);
void mgl_result_files_free(mgl_result_files *files);
/* Completes the document and writes the files that were asked for. */
mgl_status mgl_result_finish(mgl_result *result, const mgl_settings *settings, mgl_error *err);
/* Stages what the job was told, and what was resolved ({COLUMN: {FIELD: VALUE}} or NULL), as a job
 * file (--save-job); *out NULL: not asked for. */
mgl_status mgl_job_stage(const mgl_settings *settings, const json_t *resolved, mgl_error *err,
                         mgl_stage **out);

/* Begins the work, lets fill put its findings into a fresh result, and finishes that. */
typedef mgl_status mgl_fill_fn(const mgl_work *work, mgl_error *err, mgl_result *result);
mgl_status mgl_command_run(const char *command, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_fill_fn *fill, mgl_error *err, mgl_result **out);

/* ---- The commands besides anonymize --------------------------------------------------------- */

mgl_status mgl_flow_compare(const mgl_settings *settings, mgl_error *err, mgl_result **out);
/* Of a table whose cells are taken as they are: what each quasi-identifier is suppressed to, as far
 * as the job or a result tells it, else *. */
mgl_status mgl_reading_tops(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                            mgl_span **out);
/* The tuple of its suppressed rows, unless it has no other; SIZE_MAX: none. */
size_t mgl_tuple_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                        const mgl_span *tops);
mgl_status mgl_flow_check(const mgl_settings *settings, mgl_error *err, mgl_result **out);
/* check --against: what a result says about the job of its release becomes part of this one, */
mgl_status mgl_against_prepare(mgl_job *job, const char *path, mgl_error *err);
/* (utility and attack: only which columns are quasi-identifiers, and their hierarchies) */
mgl_status mgl_against_hierarchies(mgl_job *job, const char *path, mgl_error *err);
/* and what the result claims is compared with what was found. */
mgl_status mgl_against_compare(const mgl_work *work, const mgl_span *tops, mgl_error *err,
                               mgl_result *result);
/* A slice as a part. */
mgl_status mgl_flow_count(const mgl_settings *settings, mgl_error *err, mgl_result **out);
/* A saved recoding applied to a table or a slice. */
mgl_status mgl_flow_apply(const mgl_job *job, mgl_error *err, mgl_result **out);
/* Where the data is a part, it tells the roles of columns that the job does not name. */
mgl_status mgl_parts_prepare(mgl_job *job, mgl_error *err);
mgl_status mgl_flow_utility(const mgl_settings *settings, mgl_error *err, mgl_result **out);
mgl_status mgl_flow_risk(const mgl_settings *settings, mgl_error *err, mgl_result **out);
mgl_status mgl_flow_advise(const mgl_settings *settings, mgl_error *err, mgl_result **out);
mgl_status mgl_flow_attack(const mgl_settings *settings, mgl_error *err, mgl_result **out);
/* report: a result read from a file; --output is a page that shows it. */
mgl_status mgl_flow_report(const mgl_settings *settings, mgl_error *err, mgl_result **out);
mgl_status mgl_flow_lattice(const mgl_settings *settings, mgl_error *err, mgl_result **out);
mgl_status mgl_flow_hierarchies(const mgl_settings *settings, const char *action, mgl_error *err,
                                mgl_result **out);

#endif
