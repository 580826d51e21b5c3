/* The table of what does not go together in a job, with the sentence that says why. */
#include "job/keys/keys.h"

/* What a job can ask for: a word of our own, its key, and whether the settings s ask for it. */
#define EACH_ASKED                                                                                 \
    ASKS(ACCEPT_LEAKS, "allow-leaks", s->accepted.leaks || s->accepted.n_columns > 0)              \
    ASKS(ADVISE, "advise", s->risk.advise)                                                         \
    ASKS(AGGREGATE, "aggregate", mgl_settings_aggregate(s))                                        \
    ASKS(BY_HOUSEHOLD, "household", s->households.judged) /* models look at it */                  \
    ASKS(COUNT, "count", s->counted.column != NULL)                                                \
    ASKS(CURVE, "curve", s->comparison.n_curve > 0)                                                \
    ASKS(DISCLOSE, "disclose", s->disclosed.n > 0)                                                 \
    ASKS(DP, "dp", s->dp.budget.epsilon > 0)                                                       \
    ASKS(ENTITY, "entity", s->persons.column != NULL)                                              \
    ASKS(EXEMPT, "suppressed", s->treatment == MGL_EXEMPT)                                         \
    ASKS(FOLD_CASE, "fold-case", s->source.spelling.fold_case)                                     \
    ASKS(FOLLOW, "follow", s->links.follow && s->links.n == 0)                                     \
    ASKS(FRACTION, "sampling-fraction", s->sampled.fraction > 0)                                   \
    ASKS(HINT, "hint", s->hint &&mgl_job_get(s->job, "hint") != NULL)                              \
    ASKS(HISTORY, "history", s->earlier.n > 0)                                                     \
    ASKS(HOUSEHOLD, "household", s->households.column != NULL)                                     \
    ASKS(ITEMS, "km", s->km.column != NULL)                                                        \
    ASKS(JOINED, "entity-view", s->persons.view == MGL_VIEW_JOINED)                                \
    ASKS(KEEP_ORDER, "keep-order", s->order.keep)                                                  \
    ASKS(KM_WITHIN, "km-within", s->km.within)                                                     \
    ASKS(LABEL, "utility", has_other_label(s)) /* that is not counted */                           \
    ASKS(LEAST_COUNT, "least-count", s->counted.least > 0)                                         \
    ASKS(LIKELIHOOD, "likelihood", has_likelihood(s))                                              \
    ASKS(LINKED, "linked", s->links.n > 0)                                                         \
    ASKS(MEASURE, "utility", s->measure != mgl_measure_type_standard())                            \
    ASKS(METHOD, "method", true)                                                                   \
    ASKS(MIXED, "levels", s->has_levels && !s->uniform)                                            \
    ASKS(NEUTRALIZE, "neutralize", s->neutralize)                                                  \
    ASKS(NO_QUASI, "quasi-identifiers", s->n_quasi == 0)                                           \
    ASKS(PARENTS, "hierarchy", has_parents(s)) /* hierarchies from other columns */                \
    ASKS(PERTURBED, "accept-perturbed", s->accepted.n_perturbed > 0)                               \
    ASKS(PARTS, "parts", s->source.n_parts > 0)                                                    \
    ASKS(POPULATION, "population", s->sampled.population != NULL)                                  \
    ASKS(POLICY, "policy", s->safe_harbor) /* HIPAA's */                                           \
    ASKS(PRINT_SQL, "print-sql", s->print_sql != NULL)                                             \
    ASKS(REST, "rest", s->rest == MGL_ROLE_INSENSITIVE)                                            \
    ASKS(ROWS_FILE, "rows", s->risk.rows_file != NULL)                                             \
    ASKS(SAMPLE, "sample", s->chosen.sample != NULL)                                               \
    ASKS(SAMPLE_SEED, "sample-seed", s->chosen.has_seed)                                           \
    ASKS(SAVE_MAP, "save-map", s->saved.map != NULL)                                               \
    ASKS(SAVE_PROOF, "save-proof", s->saved.proof != NULL)                                         \
    ASKS(SAVE_RECODING, "save-recoding", s->saved.recoding != NULL)                                \
    ASKS(SEED, "seed", s->order.has_seed)                                                          \
    ASKS(SEVERAL_QUASI, "quasi-identifiers", s->n_quasi > 1)                                       \
    ASKS(SEVERAL_SETS, "quasi-identifiers",                                                        \
         s->n_quasi > 1 || s->n_named > 0) /* or combinations of columns */                        \
    ASKS(SINGLE_OUT, "single-out", s->risk.single_out > 0)                                         \
    ASKS(STRATA, "by", s->strata.n > 0)                                                            \
    ASKS(SUDA, "suda", s->risk.suda)                                                               \
    ASKS(SUPPRESS, "suppress", s->suppress != NULL)                                                \
    ASKS(SUPPRESS_ABOVE, "suppress-above", s->risk.has_above)                                      \
    ASKS(SUPPRESSED, "suppressed", mgl_job_get(s->job, "suppressed") != NULL)                      \
    ASKS(TOPS_MATCH, "missing-matches", s->tops_match)                                             \
    ASKS(TREAT, "treat", treats(s))                                                                \
    ASKS(TRIM, "trim", s->source.spelling.trim)                                                    \
    ASKS(UNIFORM, "levels", s->uniform)                                                            \
    ASKS(WEIGHS, "weight", s->weighed.judged && s->weighed.column != NULL) /* models do */         \
    ASKS(WEIGHT, "weight", s->weighed.column != NULL)                                              \
    ASKS(WHERE, "where", s->chosen.where != NULL)

#define ASKS(word, key, is) word,
typedef enum asked { EACH_ASKED ASKED } asked;
#undef ASKS

#define ASKS(word, key, is) key,
static const char *const keys[] = {EACH_ASKED};
#undef ASKS

static bool treats(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].treat != NULL)
            return true;
    return false;
}

/* Does `utility` name a column that no model looks at? */
static bool has_other_label(const mgl_settings *s)
{
    const mgl_attribute_settings *label =
        s->label != NULL ? mgl_settings_attribute(s, s->label) : NULL;
    return s->label != NULL &&
           (label == NULL || (label->role != MGL_ROLE_QUASI && label->role != MGL_ROLE_SENSITIVE));
}

static bool has_likelihood(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_attributes; i++)
        for (size_t q = 0; q < s->attributes[i].likelihood.n; q++)
            if (s->attributes[i].likelihood.values[q] < 1)
                return true;
    return false;
}

static bool has_parents(const mgl_settings *s)
{
    for (size_t i = 0; i < s->n_attributes; i++)
        if (s->attributes[i].hierarchy != NULL &&
            mgl_hierarchy_columns(s->attributes[i].hierarchy).size > 0)
            return true;
    return false;
}

static void find_asked(const mgl_settings *s, bool *is)
{
#define ASKS(word, key, is) is,
    const bool all[] = {EACH_ASKED};
#undef ASKS
    memcpy(is, all, sizeof all);
}

/* ---- The table ------------------------------------------------------------------------------- */

/* The sentence of a row is BEFORE key BETWEEN why AFTER, or BEFORE why AFTER. */
static const struct {
    asked with;
    const char *before, *between, *after;
    bool blames_with; /* else the key of the row */
    mgl_code code;    /* 0: MGL_CODE_CONFLICT */
} groups[MGL_CONFLICTS] = {
    [MGL_CONFLICTS_OF_STRATA] = {STRATA, "`", "` ", "; leave it out, or `by`",
                                 .blames_with = false},
    [MGL_CONFLICTS_OF_JOINED] = {JOINED, "`", "` ",
                                 ", and `entity-view: joined` judges all rows of a person "
                                 "together; leave one of them out",
                                 .blames_with = false},
    [MGL_CONFLICTS_OF_PERSONS] = {ENTITY, "`", "` is about rows",
                                  ", and with `entity` several rows are one person; give a table "
                                  "with one row per person, or leave one of them out",
                                  .blames_with = false},
    [MGL_CONFLICTS_OF_COUNTS] = {COUNT, "`", "` ",
                                 ", and `count` says that rows stand for several records; leave "
                                 "one of them out",
                                 .blames_with = false},
    [MGL_CONFLICTS_OF_ITEMS] = {ITEMS, "`", "` ", "; leave it out, or `km`",
                                .code = MGL_CODE_UNSUPPORTED},
    [MGL_CONFLICTS_OF_ITEM_CLASSES] = {KM_WITHIN, "`km-within` looks at rows that look alike, and ",
                                       NULL, "; leave out one of the two", .blames_with = true,
                                       .code = MGL_CODE_UNSUPPORTED},
    [MGL_CONFLICTS_OF_ITEMS_ALONE] = {NO_QUASI, "`", "` is about rows that look alike",
                                      ", and there is no quasi-identifier; name its columns with "
                                      "`role: quasi`, or leave it out",
                                      .blames_with = false},
    [MGL_CONFLICTS_OF_AGGREGATES] = {AGGREGATE, "is aggregated", NULL, "", .blames_with = true},
    [MGL_CONFLICTS_OF_RISK_LIMIT] = {SUPPRESS_ABOVE, "`suppress-above` ", NULL, "",
                                     .blames_with = true},
    [MGL_CONFLICTS_OF_POPULATION] =
        {POPULATION, "", NULL,
         "`population`, `weight` and `sampling-fraction` each state how "
         "many persons a class stands for; give one of them",
         .blames_with = false},
    [MGL_CONFLICTS_OF_FRACTION] = {FRACTION, "", NULL,
                                   "`population`, `weight` and `sampling-fraction` each state how "
                                   "many persons a class stands for; give one of them",
                                   .blames_with = false},
    [MGL_CONFLICTS_OF_RARE] = {LEAST_COUNT, "`", "` needs to know ",
                               ", and `least-count` keeps back those that are rare; leave one of "
                               "them out",
                               .blames_with = true},
    [MGL_CONFLICTS_OF_PROOFS] = {SAVE_PROOF, "bounds that look at ", NULL,
                                 " are not written as proofs; leave one of them out",
                                 .blames_with = true},
    [MGL_CONFLICTS_OF_PERTURBED] = {PERTURBED, "`", "` ",
                                    ", and `accept-perturbed` lets cells of quasi-identifiers "
                                    "change at random; leave one of the two out",
                                    .blames_with = false},
    [MGL_CONFLICTS_OF_SCRIPT] = {PRINT_SQL, "`print-sql`: `", "` ", "", .blames_with = false},
    [MGL_CONFLICTS_OF_DIFFERENTIAL] = {DP, "`", "` ", "; leave it out, or `dp`",
                                       .blames_with = false},
    [MGL_CONFLICTS_OF_PARENTS] = {PARENTS,
                                  "a hierarchy from other columns goes neither with a population "
                                  "nor with `least-count`, whose values have no such columns",
                                  NULL, "; write it to a file by `hierarchy build`, and name that",
                                  .blames_with = true},
};

enum { SEARCHES = MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE };

/* Within a group the first row that a job has is the one that is refused. */
static const struct {
    mgl_conflict_group group;
    asked key;
    const char *why;
    unsigned commands; /* mgl_command bits; 0: all that know the keys */
} rows[] = {
    {MGL_CONFLICTS_OF_STRATA, JOINED, "joins rows of a person that may lie in several strata", 0},
    {MGL_CONFLICTS_OF_STRATA, ITEMS,
     "counts combinations of items in the whole table, and strata are judged on their own", 0},
    {MGL_CONFLICTS_OF_STRATA, AGGREGATE,
     "measures how far values are from those of the whole table, and strata are released on their "
     "own",
     0},
    {MGL_CONFLICTS_OF_STRATA, COUNT,
     "lets rows stand for several records, and a release is held against its strata row by row", 0},
    {MGL_CONFLICTS_OF_STRATA, LEAST_COUNT, "would regroup values of the columns of strata", 0},

    {MGL_CONFLICTS_OF_JOINED, POPULATION, "matches single rows", 0},
    {MGL_CONFLICTS_OF_JOINED, HISTORY, "tells single rows apart", 0},
    {MGL_CONFLICTS_OF_JOINED, SAVE_RECODING, "says what becomes of a row, whoever it belongs to",
     MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_JOINED, SAVE_MAP, "says what becomes of a row, whoever it belongs to",
     MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_JOINED, TOPS_MATCH, "matches single rows", 0},
    {MGL_CONFLICTS_OF_JOINED, WEIGHT, "is about single rows", MGL_RISK},
    {MGL_CONFLICTS_OF_JOINED, HOUSEHOLD, "is about single rows", MGL_RISK},
    {MGL_CONFLICTS_OF_JOINED, SUDA, "looks at single rows", MGL_RISK},
    {MGL_CONFLICTS_OF_JOINED, FRACTION, "is about single rows", MGL_RISK},
    {MGL_CONFLICTS_OF_JOINED, SINGLE_OUT, "looks at single rows", MGL_RISK},
    {MGL_CONFLICTS_OF_JOINED, ROWS_FILE, "has a line for each row", MGL_RISK},

    {MGL_CONFLICTS_OF_PERSONS, WEIGHS, "", 0},
    {MGL_CONFLICTS_OF_PERSONS, BY_HOUSEHOLD, "", 0},
    {MGL_CONFLICTS_OF_PERSONS, SUPPRESS_ABOVE, "", 0},

    {MGL_CONFLICTS_OF_COUNTS, ENTITY, "tells persons apart", 0},
    {MGL_CONFLICTS_OF_COUNTS, SAMPLE, "draws single records", 0},
    {MGL_CONFLICTS_OF_COUNTS, PARTS, "adds rows that are counted already", 0},
    {MGL_CONFLICTS_OF_COUNTS, TREAT, "changes single records", SEARCHES | MGL_RISK},
    {MGL_CONFLICTS_OF_COUNTS, LINKED, "is about columns that are passed through", 0},
    {MGL_CONFLICTS_OF_COUNTS, FOLLOW, "is about columns that are passed through", 0},
    {MGL_CONFLICTS_OF_COUNTS, ITEMS, "looks at the items of single records", 0},
    {MGL_CONFLICTS_OF_COUNTS, WEIGHS, "weighs single records", 0},
    {MGL_CONFLICTS_OF_COUNTS, AGGREGATE, "averages single records", 0},
    {MGL_CONFLICTS_OF_COUNTS, HISTORY, "tells single records apart", 0},
    {MGL_CONFLICTS_OF_COUNTS, LEAST_COUNT, "counts rare records itself", 0},
    {MGL_CONFLICTS_OF_COUNTS, ADVISE, "looks at single records", MGL_RISK},
    {MGL_CONFLICTS_OF_COUNTS, HOUSEHOLD, "is about single records", MGL_RISK},
    {MGL_CONFLICTS_OF_COUNTS, SUDA, "looks at single records", MGL_RISK},
    {MGL_CONFLICTS_OF_COUNTS, ROWS_FILE, "has a line for each record", MGL_RISK},

    {MGL_CONFLICTS_OF_ITEMS, FOLD_CASE,
     "folds whole cells, and items are compared as they are written", 0},
    {MGL_CONFLICTS_OF_ITEM_CLASSES, JOINED, "`entity-view: joined` at persons", 0},
    {MGL_CONFLICTS_OF_ITEMS_ALONE, KM_WITHIN, "", 0},
    {MGL_CONFLICTS_OF_ITEMS_ALONE, HISTORY, "", 0},
    {MGL_CONFLICTS_OF_ITEMS_ALONE, POPULATION, "", 0},
    {MGL_CONFLICTS_OF_ITEMS_ALONE, LEAST_COUNT, "", 0},
    {MGL_CONFLICTS_OF_ITEMS_ALONE, SAVE_PROOF, "", 0},

    {MGL_CONFLICTS_OF_AGGREGATES, SEVERAL_SETS,
     ", which is done within the classes of one quasi-identifier, and the job has several; leave "
     "one of the two out",
     0},
    {MGL_CONFLICTS_OF_AGGREGATES, POPULATION,
     ", and no population can be matched with what is released then; leave out `population` and "
     "what needs it, or generalize the column",
     0},
    {MGL_CONFLICTS_OF_AGGREGATES, JOINED,
     " row by row, and `entity-view: joined` looks at all rows of a person together; leave one of "
     "the two out",
     0},
    {MGL_CONFLICTS_OF_AGGREGATES, LEAST_COUNT,
     ", and `least-count` leaves labels of groups in the place of its values; leave one of the two "
     "out",
     0},
    {MGL_CONFLICTS_OF_AGGREGATES, SAVE_PROOF,
     ", and a proof is about releases that are generalized alone; leave out `save-proof`", 0},
    {MGL_CONFLICTS_OF_AGGREGATES, TOPS_MATCH,
     " within classes of equal cells, and `missing-matches: all` knows no such; leave one of the "
     "two out",
     0},

    {MGL_CONFLICTS_OF_RISK_LIMIT, AGGREGATE,
     "leaves rows as they are, and `aggregate` changes them all; leave one of them out", 0},
    {MGL_CONFLICTS_OF_RISK_LIMIT, STRATA,
     "looks at the whole table, and `by` at each stratum; leave one of them out", 0},
    {MGL_CONFLICTS_OF_RISK_LIMIT, SEVERAL_SETS,
     "looks at one quasi-identifier; give its columns together", 0},
    {MGL_CONFLICTS_OF_POPULATION, WEIGHT, "", 0},
    {MGL_CONFLICTS_OF_POPULATION, FRACTION, "", 0},
    {MGL_CONFLICTS_OF_FRACTION, WEIGHT, "", 0},

    {MGL_CONFLICTS_OF_RARE, ENTITY, "which rows are one person's", 0},
    {MGL_CONFLICTS_OF_RARE, HISTORY, "which combination each row had in earlier releases", 0},
    {MGL_CONFLICTS_OF_RARE, POPULATION, "which persons match each combination", 0},
    {MGL_CONFLICTS_OF_RARE, WEIGHS, "what the rows of each combination stand for", 0},
    {MGL_CONFLICTS_OF_RARE, BY_HOUSEHOLD, "which rows are one household's", 0},
    {MGL_CONFLICTS_OF_RARE, SUPPRESS_ABOVE, "how many rows have each combination", 0},
    {MGL_CONFLICTS_OF_RARE, SAVE_RECODING, "what each combination of ground values is released as",
     0},
    {MGL_CONFLICTS_OF_RARE, SAVE_MAP, "what each combination of ground values is released as", 0},
    {MGL_CONFLICTS_OF_RARE, SAVE_PROOF, "the ground values of every row", 0},

    {MGL_CONFLICTS_OF_PROOFS, ENTITY, "persons (`entity`)", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, HISTORY, "earlier releases (`history`)", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, POPULATION, "a population", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, WEIGHT, "weights", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, BY_HOUSEHOLD, "households", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, SUPPRESS_ABOVE, "rows above a risk (`suppress-above`)",
     MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, FRACTION, "a sampling fraction", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, SEVERAL_QUASI, "several quasi-identifiers", MGL_ANONYMIZE},
    {MGL_CONFLICTS_OF_PROOFS, STRATA, "strata (`by`)", MGL_ANONYMIZE},

    {MGL_CONFLICTS_OF_PERTURBED, AGGREGATE, "averages true values", 0},
    {MGL_CONFLICTS_OF_PERTURBED, FOLLOW, "holds columns against true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, HISTORY, "compares rows with what was released of them", 0},
    {MGL_CONFLICTS_OF_PERTURBED, LEAST_COUNT, "counts what is rare among true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, LINKED, "holds columns against true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, PARENTS, "takes labels from cells of the same row", 0},
    {MGL_CONFLICTS_OF_PERTURBED, POPULATION, "finds persons by their true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, SAVE_MAP, "says what becomes of true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, SAVE_PROOF, "is about true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, SAVE_RECODING, "says what becomes of true cells", 0},
    {MGL_CONFLICTS_OF_PERTURBED, STRATA, "divides the table by true cells", 0},

    {MGL_CONFLICTS_OF_SCRIPT, WHERE, "is not put into SQL; make a view of these rows and name that",
     0},
    {MGL_CONFLICTS_OF_SCRIPT, TRIM,
     "changes the values that the map is looked up by; clean them in a view and name that", 0},
    {MGL_CONFLICTS_OF_SCRIPT, FOLD_CASE,
     "changes the values that the map is looked up by; clean them in a view and name that", 0},
    {MGL_CONFLICTS_OF_SCRIPT, NEUTRALIZE, "is for text that spreadsheets open; leave it out", 0},
    {MGL_CONFLICTS_OF_SCRIPT, LABEL,
     "names a column that is not counted; make it sensitive, or take another measure", 0},
    {MGL_CONFLICTS_OF_SCRIPT, REST,
     "would pass columns through that nobody names; give `rest: drop`", 0},

    {MGL_CONFLICTS_OF_DIFFERENTIAL, PRINT_SQL,
     "has another engine make the release, and `dp` draws the rows itself", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, DISCLOSE, "tells of the input, and `dp` tells nothing of it",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SAMPLE,
     "chooses rows, and `dp` draws a sample of its own, whose size is part of the promise", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SAMPLE_SEED,
     "lets the sample be drawn again, and `dp` promises that nobody knows who is in it", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SEED,
     "lets the order of rows be drawn again, and with `dp` every draw is the system's", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, KEEP_ORDER,
     "releases rows in the order of the input, which `dp` keeps to itself", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, WHERE,
     "judges cells as the values of the whole column are written, and `dp` allows no row to change "
     "what becomes of another; make a view or a file of these rows and name that",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SEVERAL_SETS,
     "asks for k on each of several sets of columns, and `dp` counts the combinations of all of "
     "them",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, LIKELIHOOD,
     "lowers k for a column, or passes it through, and `dp` counts every column", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, ENTITY,
     "counts persons, and `dp` promises something about each row; give a table with one row per "
     "person",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, COUNT,
     "lets rows stand for several records, and `dp` draws single ones", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, PARTS,
     "adds rows that were counted elsewhere, and `dp` draws single ones", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, LEAST_COUNT, "leaves it to the data which values are regrouped",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, TREAT,
     "releases values that are in no combination that `dp` counts", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, AGGREGATE, "computes values from those of other rows", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, LINKED,
     "is about columns that are passed through, and `dp` counts every column", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, FOLLOW,
     "is about columns that are passed through, and `dp` counts every column", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, ITEMS,
     "releases sets of items, whose generalization depends on the data", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, STRATA, "suppresses rows in each stratum by itself", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, HISTORY, "judges rows by earlier releases of the same table",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, POPULATION, "looks at a second table, and `dp` needs none", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, WEIGHT, "is about a population, and `dp` needs none", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, FRACTION, "is about a population, and `dp` needs none", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, HOUSEHOLD,
     "judges rows by others of their household, and `dp` promises something about each row", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SUPPRESS_ABOVE, "suppresses rows by their risk in the table",
     0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SUPPRESS,
     "limits how many rows may be suppressed, and whether that can be kept depends on the data", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SUPPRESSED,
     "says what becomes of suppressed rows, and `dp` leaves out what is rare in its sample", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, TOPS_MATCH,
     "counts rows that match others, and `dp` counts equal ones", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, FOLD_CASE, "releases the spelling that most rows have", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, POLICY, "raises levels by the values that the data has", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, MEASURE,
     "steers a search, and levels are given with `dp`, or chosen by precision", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SAVE_RECODING, "holds values of the input", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SAVE_MAP, "holds values of the input", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, SAVE_PROOF, "proves a bound, which `dp` does not tell", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, CURVE, "tells what the table gives with other k", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, HINT, "tells what the table gives with other choices", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, ACCEPT_LEAKS,
     "accepts columns that are passed through, and `dp` counts every column", 0},
    {MGL_CONFLICTS_OF_DIFFERENTIAL, REST,
     "passes columns through that nobody counts; give `rest: drop`", 0},

    {MGL_CONFLICTS_OF_PARENTS, POPULATION, "", 0},
    {MGL_CONFLICTS_OF_PARENTS, LEAST_COUNT, "", 0},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static void write_why(size_t i, char *out, size_t size)
{
    mgl_conflict_group g = rows[i].group;
    bool named = groups[g].between != NULL;
    snprintf(out, size, "%s%s%s%s%s", groups[g].before, named ? keys[rows[i].key] : "",
             named ? groups[g].between : "", rows[i].why, groups[g].after);
}

bool mgl_conflict_find(mgl_conflict_group group, const mgl_settings *settings, mgl_command command,
                       mgl_conflict *out)
{
    bool is[ASKED];
    find_asked(settings, is);
    for (size_t i = 0; is[groups[group].with] && i < ROWS; i++) {
        if (rows[i].group != group || !is[rows[i].key] ||
            (rows[i].commands != 0 && (rows[i].commands & command) == 0))
            continue;
        out->code = groups[group].code != 0 ? groups[group].code : MGL_CODE_CONFLICT;
        out->blamed = keys[groups[group].blames_with ? groups[group].with : rows[i].key];
        write_why(i, out->why, sizeof out->why);
        return true;
    }
    return false;
}

mgl_status mgl_conflicts_refuse(mgl_conflict_group group, const mgl_settings *settings,
                                mgl_command command, mgl_error *err)
{
    mgl_conflict found;
    if (!mgl_conflict_find(group, settings, command, &found))
        return MGL_OK;
    return mgl_fail_key(err, found.code, found.blamed, "%s", found.why);
}

const char *mgl_settings_refuse_parents(const mgl_settings *settings)
{
    mgl_conflict found;
    return mgl_conflict_find(MGL_CONFLICTS_OF_PARENTS, settings, MGL_ANONYMIZE, &found)
               ? groups[MGL_CONFLICTS_OF_PARENTS].before
               : NULL;
}

/* ---- Methods --------------------------------------------------------------------------------- */

static bool chooses_cells(const mgl_method_type *method)
{
    return !method->full_domain;
}

static bool keeps_levels(const mgl_method_type *method)
{
    return method->full_domain;
}

static bool is_unsafe(const mgl_method_type *method)
{
    return method->may_be_unsafe;
}

static bool has_own_values(const mgl_method_type *method)
{
    return method->own_values;
}

static bool chooses_itself(const mgl_method_type *method)
{
    return !method->best_node;
}

static bool averages(const mgl_method_type *method)
{
    return method->averages;
}

/* What methods that are such cannot do: NAME, and why. */
static const struct {
    asked key, with;
    bool (*refuses)(const mgl_method_type *method);
    const char *why;
} of_methods[] = {
    {JOINED, METHOD, chooses_cells,
     "does not look at all rows of a person together (`entity-view: joined`); use a method with "
     "one level per column (`method: mingen`, `help methods`)"},
    {UNIFORM, METHOD, chooses_cells,
     "gives cells of a column several levels, and `levels: uniform` asks for one; leave `method` "
     "out, or use one with one level per column (mingen, `help methods`)"},
    {MIXED, METHOD, keeps_levels,
     "gives each column one level, and `levels: mixed` asks for cells of several; leave `method` "
     "out, or use one that mixes them (cell, `help methods`)"},
    {SUPPRESS_ABOVE, METHOD, is_unsafe,
     "does not promise what `suppress-above` does; use another method (`help methods`)"},
    {POPULATION, METHOD, has_own_values,
     "can release ranges and averages, which no population can be matched with; use another method "
     "(`help methods`)"},
    {LEAST_COUNT, EXEMPT, chooses_cells,
     "does not choose alone which rows are exempt, since `least-count` may count some at the top; "
     "take `suppressed: keep` or drop, or a method with one level per column (mingen)"},
    {DP, METHOD, chooses_itself,
     "chooses what becomes of rows by the rows themselves, and with `dp` levels are given, or "
     "chosen beforehand; leave `method` out"},
    {LEAST_COUNT, METHOD, averages,
     "averages numbers, and `least-count` leaves labels of groups in their place; use another "
     "method (`help methods`)"},
};

enum { OF_METHODS = sizeof of_methods / sizeof of_methods[0] };

mgl_status mgl_settings_check_method(const mgl_settings *settings, const mgl_method_type *method,
                                     mgl_error *err)
{
    bool is[ASKED];
    find_asked(settings, is);
    if (settings->n_quasi > 1 && !method->several_sets)
        return mgl_fail_key(
            err, MGL_CODE_UNSUPPORTED, "method",
            "%s handles one quasi-identifier, not %zu; use another method (`help methods`)",
            method->name, settings->n_quasi);
    for (size_t i = 0; i < OF_METHODS; i++)
        if (is[of_methods[i].key] && is[of_methods[i].with] && of_methods[i].refuses(method))
            return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, "method", "%s %s", method->name,
                                of_methods[i].why);
    return MGL_OK;
}

/* ---- The whole ------------------------------------------------------------------------------- */

size_t mgl_conflict_rows(void)
{
    return ROWS + OF_METHODS;
}

void mgl_conflict_row_at(size_t i, mgl_conflict_row *out)
{
    *out = (mgl_conflict_row){0};
    if (i < ROWS) {
        out->key = keys[rows[i].key];
        out->with = keys[groups[rows[i].group].with];
        out->commands = rows[i].commands;
        bool column = rows[i].group == MGL_CONFLICTS_OF_AGGREGATES;
        size_t n = (size_t)snprintf(out->why, sizeof out->why, "%s", column ? "the column " : "");
        write_why(i, out->why + n, sizeof out->why - n);
        return;
    }
    i -= ROWS;
    out->key = keys[of_methods[i].key];
    out->with = keys[of_methods[i].with];
    out->refuses = of_methods[i].refuses;
    snprintf(out->why, sizeof out->why, "%s", of_methods[i].why);
}
