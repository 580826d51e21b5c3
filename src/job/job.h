/* job: the values of a job, turned into checked settings.
 *
 * Every key is one row of one table (keys.c): its name, form and place of its value, which commands
 * take it, help. The public mgl_job_* functions are here, and the checked settings of a command. */
#ifndef MGL_JOB_H
#define MGL_JOB_H

#include "differential/differential.h"
#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "privacy/privacy.h"
#include "search/search.h"
#include "table/table.h"
#include "treat/treat.h"
#include "utility/utility.h"

#include <jansson.h>

/* Levels that a column may have. */
typedef struct mgl_level_range {
    uint32_t min;
    uint32_t max; /* UINT32_MAX: to the top */
} mgl_level_range;

/* k^m-anonymity: every combination of at most m items that a row shows is shown by at least k rows.
 */
enum { MGL_MOST_TOGETHER = 3 }; /* the largest m */
typedef struct mgl_km {
    uint64_t k; /* 0: it is not asked for */
    unsigned m;
} mgl_km;

/* What becomes of the cells of a column besides generalizing. */
typedef enum mgl_cell_change {
    MGL_CELLS_STAY,
    MGL_CELLS_CHANGE,
    MGL_CELLS_MADE_UP, /* unknown before the release */
    MGL_CELLS_LEFT_OUT
} mgl_cell_change;

/* The settings of one column, without the options of methods. */
typedef struct mgl_attribute_settings {
    const char *name;
    mgl_role role;           /* MGL_ROLE_NONE: absent */
    const char *hierarchy;   /* builder, or a path already made relative to the job file; NULL */
    mgl_given_kind kind;     /* what its values are */
    const char *treat;       /* what is done to it: "round(10)"; NULL: nothing */
    mgl_cell_change change;  /* by that */
    mgl_aggregate aggregate; /* what stands for its values in a group, if it is not generalized */
    mgl_km km;               /* its cells are sets of items, for which this holds */
    mgl_by_set weight;       /* default 1 */
    mgl_by_set likelihood;   /* of linking, default 1 */
    bool by;                 /* it distinguishes strata: a quasi-identifier that stays as it is */
    bool asks_for_levels;    /* it names levels: those of a hierarchy, which it then must have */
    bool has_level;          /* --level was given: */
    mgl_level_range levels;
    bool has_released_level; /* --released-level was given: */
    mgl_level_range released_level;
    const mgl_span *protect; /* protected values in the hierarchy of a sensitive column */
    size_t n_protect;
} mgl_attribute_settings;

/* A model as the job names it. */
typedef struct mgl_model_settings {
    const mgl_model_type *type;
    double parameters[MGL_MAX_PARAMETERS];
    const char *attribute; /* sensitive column, if the type takes one; else NULL */
} mgl_model_settings;

/* A group of quasi-identifier columns by name. */
typedef struct mgl_quasi_settings {
    const char **names;
    size_t n_names;
} mgl_quasi_settings;

/* The holder's texts about a release, for readers of its report. */
typedef enum mgl_about {
    MGL_ABOUT_TITLE,
    MGL_ABOUT_PURPOSE,
    MGL_ABOUT_RECIPIENT,
    MGL_ABOUT_AUTHOR,
    MGL_ABOUT_DATE,
    MGL_ABOUTS
} mgl_about;
const char *mgl_about_key(mgl_about about); /* "title" */

/* What is judged where rows belong to persons (`entity`): each row with those that look like it, or
 * all rows of a person together with persons whose rows look alike. */
typedef enum mgl_entity_view { MGL_VIEW_ROWS, MGL_VIEW_JOINED } mgl_entity_view;

/* What `what-if` changes in a job, in the order in which it does. */
typedef enum mgl_change_kind {
    MGL_CHANGE_ANSWER, /* nothing: what the job itself gives */
    MGL_CHANGE_K,
    MGL_CHANGE_SUPPRESS,
    MGL_CHANGE_COLUMNS,
    MGL_CHANGE_LEVELS,
    MGL_CHANGE_METHOD,
    MGL_CHANGE_KINDS
} mgl_change_kind;
const char *mgl_change_name(mgl_change_kind kind); /* "suppress" */

/* What a promise holds of the input where the holder discloses it (`disclose`). */
typedef enum mgl_disclosed {
    MGL_DISCLOSED_BOUND,
    MGL_DISCLOSED_DROPPED,
    MGL_DISCLOSED_UTILITY,
    MGL_DISCLOSED_BEFORE,
    MGL_DISCLOSED_BUILDERS,
    MGL_DISCLOSED_METHOD,
    MGL_DISCLOSED_MODELS,
    MGL_DISCLOSED_LEAKS
} mgl_disclosed;
const char *mgl_disclosed_name(mgl_disclosed disclosed); /* "bound" */

/* Rows that are shown: `n` of them from the one numbered `first`, from 1. */
typedef struct mgl_row_window {
    uint64_t first, n;
} mgl_row_window;

/* Which rows a window goes through. */
typedef enum mgl_preview_kind {
    MGL_SHOWN_ALL,
    MGL_SHOWN_CHANGED,    /* some cell is released as something else */
    MGL_SHOWN_SUPPRESSED, /* all cells are at the top */
    MGL_SHOWN_BREAKING,   /* their class breaks a model as the table is */
    MGL_SHOWN_CLASS       /* those released like one row */
} mgl_preview_kind;
typedef struct mgl_previewed_rows {
    mgl_preview_kind kind;
    uint64_t row; /* MGL_SHOWN_CLASS: the row, from 1 */
} mgl_previewed_rows;

/* Callback that gets the reason why nothing is released. */
typedef struct mgl_refusal_callback {
    mgl_refusal_fn *fn; /* optional */
    void *user;
} mgl_refusal_callback;

typedef struct mgl_settings {
    const struct mgl_job *job; /* that they were made of */
    const char *data;          /* path or "-", relative paths made relative to the job file */
    const char *shards;        /* a file of locations; then data is "shards:" and this */
    const char *release;       /* second file of `utility` */
    const char *output;        /* NULL: none; "-": standard output */
    mgl_source_options source; /* delimiter, header, encoding, missing */
    mgl_source_options second; /* the same for the other table: a release that is written or
                                  compared, the external one of `attack` */
    struct {
        bool missing_by_null; /* the data is in a database, and the job names no missing cells */
        bool spelling_exact;  /* spellings of a sensitive value are different values */
        bool
            missing_is_value; /* a missing sensitive cell is a value like any other to all models */
    } cells;

    mgl_attribute_settings *attributes; /* every column the job names */
    size_t n_attributes;
    struct {
        uint32_t *slots; /* [n_slots] finds the first n attributes by name */
        size_t n_slots, n;
    } found;
    mgl_quasi_settings *quasi; /* the quasi-identifiers; one holding all QI in order if
                                  only one is given */
    size_t n_quasi;
    mgl_quasi_settings *named; /* combinations of these columns on which models hold instead; as
                                  many as n_named, 0: none were named */
    size_t n_named;
    mgl_role rest;   /* role of columns without one: MGL_ROLE_INSENSITIVE,
                        MGL_ROLE_IDENTIFIER for "drop", MGL_ROLE_NONE: an error */
    const char *key; /* of pseudonyms and shifts: a file, or env:NAME; NULL: none */

    mgl_model_settings *models; /* those of the job, then those of the policy */
    size_t n_models;
    uint64_t k; /* the largest of k-anonymity; without it the largest p of p-sensitive and
                   extended-p-sensitive; else 1 */
    bool no_k;  /* it is that 1 */
    const mgl_method_type *method;
    const mgl_measure_type *measure;
    const char *label; /* column of utility classification=COLUMN; NULL */
    const mgl_preference *prefer;
    size_t n_prefer;
    const char *suppress; /* "10" or "2%", NULL: not given; checked for its form */
    mgl_treatment treatment;
    mgl_effort effort;
    bool uniform, has_levels;      /* one level per column, or cells of several; it was given */
    bool tops_match;               /* a suppressed cell matches every value */
    bool safe_harbor;              /* the policy is that of HIPAA */
    struct {                       /* differential privacy */
        mgl_privacy_budget budget; /* epsilon 0: it is not asked for */
        double choosing;           /* what the choice of levels has of epsilon; 0: nothing */
        mgl_sampling sampling;     /* what follows from these and from k; k is 0 without a budget */
    } dp;

    /* ---- Features of columns and rows ---- */
    struct {
        const char *column; /* that distinguishes them, among the attributes with the role
                               identifier (check: or insensitive); NULL: each row is a person */
        mgl_entity_view view;
        bool has_view; /* it was given */
    } persons;
    struct {
        const char *const *columns; /* that tell them apart: the first of every quasi-identifier */
        size_t n;
    } strata;
    struct {
        const char *const *recodings; /* saved ones of earlier releases */
        size_t n;
        bool afterwards; /* the search does not look at them */
    } earlier;
    struct {                    /* what the table is a sample of */
        const char *population; /* a table, path rules as data; NULL: none */
        double fraction;        /* share of the population in the data; 0: not given */
    } sampled;
    struct {
        const char *column; /* of sampling weights; NULL: none, or nothing looks at them */
        bool judged;        /* models do, and classes sum them up */
    } weighed;
    struct {
        const char *column; /* that distinguishes them; NULL: none, or nothing looks at them */
        bool judged;        /* models do */
    } households;
    struct {
        const char *column;           /* of how many records a row stands for; NULL: of one */
        const char *const *for_guard; /* counts of columns that pass through */
        size_t n_for_guard;
        uint64_t least; /* rarer combinations are regrouped before they are counted; 0: none */
    } counted;
    struct {
        const mgl_attribute_settings *column; /* where the command takes it; NULL: none */
        const char *separator;                /* between its items; NULL: it is found */
        bool within;                          /* each class holds for itself */
    } km;
    struct {
        const char *const *columns; /* quasi-identifiers and columns that follow them */
        size_t n;
        bool follow; /* columns that give a quasi-identifier back follow it */
    } links;
    struct {
        const char *where;  /* which rows the job is about; NULL: all */
        const char *sample; /* how many of these, "10" or "2%"; NULL: all */
        uint64_t seed;      /* 0 if it was not given: */
        bool has_seed;
        bool draws;                          /* the rows of a release, by `sampling`: */
        const struct mgl_chosen_rows *drawn; /* these, once they are drawn; NULL */
    } chosen;
    struct {
        const char *const *columns; /* by which a release is divided into folders */
        size_t n;                   /* 0: it is one file */
    } partitions;

    /* ---- What commands do ---- */
    struct {
        bool leaks;                 /* write although the leak guard objects, whatever to; */
        const char *const *columns; /* else only where it objects to one of these */
        size_t n_columns;
        bool unsafe;                  /* a result that breaks its promise is taken */
        const char *const *perturbed; /* quasi-identifiers that may be perturbed */
        size_t n_perturbed;
    } accepted;
    struct {                   /* risk and attack */
        double threshold;      /* what is too much */
        double single_out;     /* share of rows that a set of columns singles out; 0: not asked */
        double above;          /* rows of a larger risk are suppressed before the search */
        bool has_above;        /* it was given */
        bool minimality;       /* what knowing the method discloses */
        bool advise;           /* propose roles instead */
        bool no_trial;         /* and do not run the job that is proposed */
        bool suda;             /* look for special uniques */
        bool perturbs;         /* columns with such treatments, beside the table: risk alone */
        const char *rows_file; /* a line for each row */
        const char *external;  /* the table that names persons */
    } risk;
    struct {
        const mgl_method_type **methods; /* to compare, in order; otherwise the one above */
        size_t n_methods;
        const uint64_t *curve; /* other k to try the method with; as many as n_curve */
        size_t n_curve;
    } comparison;
    struct {
        const mgl_change_kind *changes; /* the kinds that are asked for */
        size_t n_changes;               /* 0: all */
        double budget;                  /* no change is begun after so many seconds; 0 */
    } what_if;
    struct {
        mgl_row_window window;    /* preview, look: which rows are shown */
        mgl_previewed_rows shown; /* preview: of which rows */
    } view;
    const char *recoding;       /* apply: the one to apply */
    const char *with;           /* apply: a release with which the new rows are judged; or NULL */
    const char *promise;        /* statement: the promise that the release is judged by */
    const char *print_sql;      /* the dialect of SQL that is printed, and nothing is read; NULL */
    struct {                    /* check */
        const char *proof;      /* a certificate to verify */
        const char *against;    /* a result to compare with */
        const json_t *document; /* what stands in it; NULL: there is none, or it was not read */
        const char *signature;  /* what is known about the signature of that result */
        mgl_model_settings *unjudged; /* those that its release and its result leave open, which are
                                         not among the models */
        size_t n_unjudged;
    } claimed;

    /* ---- Outputs ---- */
    struct { /* files; NULL: not asked for */
        const char *recoding, *map, *proof, *promise, *job, *result, *report, *junit;
        const char *statement; /* what the recipient gets, FILE.json or FILE.html */
    } saved;
    struct {
        const char *key;          /* NULL: the result is not signed */
        const char *of_result;    /* where the signature goes; NULL: no result is written */
        const char *of_statement; /* likewise that of the statement */
    } signing;
    struct {
        const mgl_disclosed *of; /* what the promise holds of the input besides */
        size_t n;
    } disclosed;
    struct {
        bool keep; /* the order of the table */
        bool has_seed;
        uint64_t seed;
    } order;
    bool overwrite;
    bool neutralize;        /* no cell of the release is a formula */
    bool verbose;           /* messages show values */
    bool dry_run;           /* no release is written */
    bool hint;              /* say what other choices would gain, if that is soon known */
    bool brief;             /* of the result, only what its summary shows is worked out */
    bool lacks_identifiers; /* identifiers need not be there: the table is tested for having none */
    struct {
        unsigned threads; /* 0: one per core */
        uint64_t memory;  /* bytes; 0: not given */
        double seconds;   /* 0: none */
    } limits;
    const char *about[MGL_ABOUTS]; /* NULL: absent */
    mgl_progress progress;
    mgl_refusal_callback refusal;
} mgl_settings;

typedef enum mgl_command {
    MGL_ANONYMIZE = 1,
    MGL_CHECK = 2,
    MGL_UTILITY = 4,
    MGL_LATTICE = 8,
    MGL_HIERARCHY = 16,
    MGL_COMPARE = 32,
    MGL_RISK = 64,
    MGL_ATTACK = 128,
    MGL_COUNT = 256,
    MGL_APPLY = 512,
    MGL_REPORT = 1024,
    MGL_SHOW_RECODING = 4096,
    MGL_CODEBOOK = 8192,
    MGL_GATE = 16384,
    MGL_WHAT_IF = 32768,
    MGL_PREVIEW = 65536,
    MGL_LOOK = 131072,
    MGL_STATEMENT = 262144,
    MGL_OPEN = 2048 /* no command: a session opens its table */
} mgl_command;

/* Does the command judge a table as it is? `gate` takes what `check` takes. */
static inline bool mgl_command_judges(mgl_command command)
{
    return command == MGL_CHECK || command == MGL_GATE;
}

/* Checks the job for a command as far as that is possible without the data: forms, ranges, names of
 * methods, models and measures, a column in two roles, keys the command does not take, missing
 * output. The settings are owned by the job and live until it is changed. MGL_USAGE with file, line
 * and column where the job file is to blame, with the key otherwise. */
mgl_status mgl_job_settings(mgl_job *job, mgl_command command, mgl_error *err,
                            const mgl_settings **out);

/* Progress callback and stop flag of the job. */
const mgl_progress *mgl_job_progress(const mgl_job *job);
/* A copy for one run, with the progress and stop flag of the job; free it with mgl_job_free when
 * the run ends. What a command adds to it leaves the job as it is, and its settings come from the
 * allocator of the call. The job must outlive it. */
mgl_status mgl_job_for_run(const mgl_job *job, mgl_error *err, mgl_job **out);
/* Gives the job the progress and stop flag of another one, which must outlive its runs. */
void mgl_job_take_progress(mgl_job *job, const mgl_progress *progress);

/* Sets the action of `hierarchy` ("build"), on which it depends whether it writes. Call it before
 * the settings are made; the text must outlive the job. */
void mgl_job_action(mgl_job *job, const char *action);
const char *mgl_job_action_of(const mgl_job *job); /* NULL: absent */

/* What "memory:NAME" means in a job. Copies of the job share it (mgl_memory_store_share). */
const mgl_memory_store *mgl_job_given(const mgl_job *job);
/* Are rows read from memory, or released to it? Then nothing of them may touch a disk that the job
 * does not name. */
bool mgl_job_in_memory(const mgl_job *job);

/* The settings of a column; NULL if the job does not name it. */
const mgl_attribute_settings *mgl_settings_attribute(const mgl_settings *settings,
                                                     const char *name);

/* True if the column is released as it is, as far as the job is concerned. */
bool mgl_settings_passes(const mgl_settings *settings, const mgl_attribute_settings *attribute);

/* Is the likelihood of linking above 0 in one of the quasi-identifiers that have the column? */
bool mgl_settings_links(const mgl_settings *settings, const char *column,
                        const mgl_by_set *likelihood);
/* The weight of a column: the mean over the quasi-identifiers that have it. */
double mgl_settings_weight(const mgl_settings *settings, const char *column,
                           const mgl_by_set *weight);

/* Does the job say what becomes of the column? NULL: it does not name it. */
bool mgl_settings_declare(const mgl_attribute_settings *attribute);
/* What stands for the values of a group in the column, in a word; NULL: it is generalized. */
const char *mgl_settings_stand_in(const mgl_attribute_settings *attribute);
/* Does it say of a column how it is aggregated? */
bool mgl_settings_aggregate(const mgl_settings *settings);
/* How many quasi-identifiers are held: the first ones, which are released as they are. */
size_t mgl_settings_held(const mgl_settings *settings);

/* Why a hierarchy from other columns does not go with the rest of the job; NULL: it does. */
const char *mgl_settings_refuse_parents(const mgl_settings *settings);

/* MGL_USAGE with the reason if the method cannot take a job like this, by its descriptor. */
mgl_status mgl_settings_check_method(const mgl_settings *settings, const mgl_method_type *method,
                                     mgl_error *err);

/* The quasi-identifiers of a table in their order, and the values that its file has for them. */
typedef struct mgl_option_columns {
    const char *const *names;
    size_t n;
    /* The value of an option for a column, as a job would write it; NULL if there is none. */
    const char *(*value)(const void *context, const char *option, size_t column);
    const void *context;
} mgl_option_columns;

/* The options of a method: the values of the job, else of the file, else the defaults. They are in
 * the arena and live no longer than the settings. */
mgl_status mgl_settings_options(const mgl_settings *settings, const mgl_method_type *method,
                                const mgl_option_columns *columns, mgl_arena *arena, mgl_error *err,
                                const void **out);

/* The limit in rows of a table of n_rows rows. */
uint64_t mgl_settings_limit(const mgl_settings *settings, uint64_t n_rows);

/* ---- Jobs as documents: all values of a job, as a job file has them -------------------------- */

typedef enum mgl_job_use {
    MGL_JOB_RECORD, /* in audit trails: without values that are protected */
    MGL_JOB_SECRET, /* in files that are as secret as the table */
    MGL_JOB_FILE,   /* a job file: paths are relative to it, users of databases are named, and what
                       is about one run only is left out */
    MGL_JOB_WHOLE   /* for the owner of the job: all values as given, seed and passwords too */
} mgl_job_use;

/* A tree that is a job file once it is written, as JSON or by mgl_job_put_yaml. But for
 * MGL_JOB_WHOLE it never has the seed or passwords. place: the job file, where use is MGL_JOB_FILE;
 * NULL or "-": paths stay as they are. Free with json_decref. */
mgl_status mgl_job_document(const mgl_job *job, mgl_job_use use, const char *place, mgl_error *err,
                            json_t **out);
/* Puts what a run found out ({COLUMN: {FIELD: VALUE}}, NULL: nothing) into the attributes of a
 * document: values that the job left open, and those that it gave, completed from the table. */
mgl_status mgl_job_document_resolve(json_t *document, const json_t *resolved, mgl_error *err);

/* The models of its policy, as "privacy" of a document has them, so that they can be judged without
 * the file of the policy, too; *out is NULL without a policy. */
mgl_status mgl_job_policy_json(const mgl_settings *settings, mgl_error *err, json_t **out);

/* A remark about a column, written behind it in the job file. */
typedef struct mgl_job_note {
    const char *column, *text;
} mgl_job_note;
/* Appends the document as a job file. */
void mgl_job_put_yaml(const json_t *document, const mgl_job_note *notes, size_t n_notes,
                      mgl_buffer *out);

/* One value of a job. */
typedef struct mgl_job_value {
    const char *key;    /* "suppress", "role", "k-anonymity" */
    const char *column; /* NULL: it is about the whole job */
    const char *value;  /* as an option writes it */
} mgl_job_value;
/* Visits all values of a document but several quasi-identifiers. Stops when visit fails, and
 * returns its status. */
typedef mgl_status mgl_job_value_fn(void *context, const mgl_job_value *value, mgl_error *err);
mgl_status mgl_job_document_each(const json_t *document, mgl_job_value_fn *visit, void *context,
                                 mgl_error *err);

/* Gives a job that checks a release a value of the job of the release: roles of released columns,
 * models, and how suppressed and missing cells count. Values that the job has already stay. */
mgl_status mgl_job_take_of_result(mgl_job *job, const mgl_job_value *value, mgl_error *err);
/* True if the key, or the field of a column, means the same for a release as for its table. */
bool mgl_job_is_of_release(const char *key, bool of_column);
/* Is there a key of this name? */
bool mgl_job_knows_key(const char *key);
/* Sets the result with its claims, and the state of its signature ("unsigned"); the job keeps
 * references. */
void mgl_job_take_claims(mgl_job *job, json_t *claims, const char *signature);
/* One of several quasi-identifiers. */
mgl_status mgl_job_take_set(mgl_job *job, const mgl_span *names, size_t n_names, mgl_error *err);

/* ---- What files remember of a job ------------------------------------------------------- */

/* A copy of the job without some keys (NULL at the end) and without quasi-identifiers of several
 * sets. Values that are added to it are in no document: its document is that of the job, which must
 * outlive the copy. Free with mgl_job_free. */
mgl_status mgl_job_recall(const mgl_job *job, const char *const *without, mgl_error *err,
                          mgl_job **out);
/* Roles of columns that the job does not name. */
mgl_status mgl_job_take_roles(mgl_job *job, const char *const *columns, const mgl_role *roles,
                              size_t n, mgl_error *err);
/* A key, a field of a column or a model, unless the job has it. */
mgl_status mgl_job_take_value(mgl_job *job, const char *key, const char *column, const char *value,
                              mgl_error *err);

/* A key that is a list. */
mgl_status mgl_job_take_list(mgl_job *job, const char *key, const mgl_span *items, size_t n,
                             mgl_error *err);
/* A job that runs on a session that was opened with another one: a copy with the values that belong
 * to the session. MGL_USAGE if its own values contradict these. of_session NULL: just a copy
 * (mgl_job_copy). Free with mgl_job_free. */
mgl_status mgl_job_on_session(const mgl_job *job, const mgl_job *of_session, mgl_error *err,
                              mgl_job **out);
/* MGL_USAGE if the job reads the table in another way than the session does. */
mgl_status mgl_job_keeps_reading(const mgl_job *job, const mgl_job *of_session, mgl_error *err);
/* The other job's keys of reading, as far as this one lacks them. */
mgl_status mgl_job_take_reading(mgl_job *job, const mgl_job *from, mgl_error *err);

/* Everything the library offers: behind mgl_catalogue. */
mgl_status mgl_job_catalogue(const char *what, mgl_error *err, mgl_result **out);

#endif
