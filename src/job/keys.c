#include "job/keys.h"

#include "job/values.h"

enum {
    RELEASE = MGL_ANONYMIZE,
    METHODS = RELEASE | MGL_COMPARE,
    SEARCH = METHODS | MGL_LATTICE,
    MODELS = SEARCH | MGL_CHECK,
    ROLES = MODELS | MGL_UTILITY | MGL_RISK | MGL_ATTACK,
    TABLES = ROLES | MGL_HIERARCHY | MGL_COUNT,
    ALL = TABLES | MGL_APPLY
};

/* One row per key; a row says everything about it that parsing and help need. */
static const mgl_key before_models[] = {
    {.name = "data",
     .value = "FILE",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_INPUT,
     .help = "the table to read (mingle help formats), or the result of report; - is standard "
             "input"},
    {.name = "release",
     .value = "FILE",
     .commands = MGL_UTILITY,
     .kind = MGL_KEY_INPUT,
     .help = "the release to compare with the data"},
    {.name = "against",
     .value = "RESULT.json",
     .commands = MGL_CHECK | MGL_UTILITY | MGL_ATTACK,
     .kind = MGL_KEY_INPUT,
     .help = "check: compare with what a result claims about the release; roles and models are its "
             "own. utility, attack: take its roles and hierarchies"},
    {.name = "proof",
     .value = "FILE",
     .commands = MGL_CHECK,
     .kind = MGL_KEY_INPUT,
     .help = "check what --save-proof wrote: that it proves the bound of the result (--against); "
             "with data, that it is about this table"},
    {.name = "external",
     .value = "FILE",
     .commands = MGL_ATTACK,
     .kind = MGL_KEY_INPUT,
     .help = "the table that names persons"},
    {.name = "output",
     .letter = 'o',
     .value = "FILE",
     .commands = RELEASE | MGL_HIERARCHY | MGL_RISK | MGL_COUNT | MGL_APPLY | MGL_REPORT,
     .kind = MGL_KEY_OUTPUT,
     .help = "the file to write (a release: mingle help formats); - is standard output"},
    {.name = "parts",
     .value = "FILE,...",
     .commands = ROLES,
     .kind = MGL_KEY_INPUTS,
     .help = "further parts that mingle count made, where the data is one"},
    {.name = "recoding",
     .value = "FILE",
     .commands = MGL_APPLY,
     .kind = MGL_KEY_INPUT,
     .help = "the recoding to apply, that --save-recoding wrote"},

    {.name = "qi",
     .value = "COLUMN,...",
     .commands = TABLES,
     .kind = MGL_KEY_COLUMNS,
     .field = "role",
     .role = "quasi",
     .help = "quasi-identifiers: columns that others may know; repeated: several sets"},
    {.name = "sensitive",
     .value = "COLUMN,...",
     .commands = ROLES | MGL_COUNT,
     .kind = MGL_KEY_COLUMNS,
     .field = "role",
     .role = "sensitive",
     .help = "columns that nobody should learn"},
    {.name = "identifier",
     .value = "COLUMN,...",
     .commands = ROLES | MGL_COUNT,
     .kind = MGL_KEY_COLUMNS,
     .field = "role",
     .role = "identifier",
     .help = "columns that are never released"},
    {.name = "insensitive",
     .value = "COLUMN,...",
     .commands = ROLES | MGL_COUNT,
     .kind = MGL_KEY_COLUMNS,
     .field = "role",
     .role = "insensitive",
     .help = "columns that are released as they are"},
    {.name = "rest",
     .value = "insensitive|drop",
     .commands = ROLES | MGL_COUNT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_rest,
     .help = "what to do with columns that have no role"},

    {.name = "hierarchy",
     .value = "COLUMN=FILE|BUILDER",
     .commands = ROLES | MGL_HIERARCHY,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "hierarchy",
     .single = true,
     .help = "how a column is generalized (mingle help builders)"},
    {.name = "kind",
     .value = "COLUMN=nominal|number|date",
     .commands = MGL_ANONYMIZE | MGL_COMPARE | MGL_LATTICE | MGL_UTILITY | MGL_HIERARCHY | MGL_RISK,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "kind",
     .check = mgl_check_kind,
     .help = "what the values are, where a hierarchy is proposed: codes are nominal"},
    {.name = "sensitive-hierarchy",
     .value = "COLUMN=FILE|BUILDER",
     .commands = MODELS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "hierarchy",
     .role = "sensitive",
     .single = true,
     .help = "how the values of a sensitive column belong together; they stay as they are"},
    {.name = "protect",
     .value = "COLUMN=VALUE,...",
     .commands = MODELS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "protect",
     .role = "sensitive",
     .single = true,
     .check = mgl_check_protect,
     .record = MGL_RECORD_SECRET,
     .help = "values of a sensitive hierarchy below which all values count as one"},
    {.name = "weights",
     .value = "COLUMN=X,...",
     .commands = SEARCH | MGL_UTILITY,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "weight",
     .role = "quasi",
     .fallback = "1",
     .check = mgl_check_weight,
     .help = "weight of a column in precision and ncp"},
    {.name = "preference",
     .value = "COLUMN=X,...",
     .commands = METHODS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "preference",
     .role = "quasi",
     .fallback = "1",
     .check = mgl_check_portion,
     .help = "datafly: 0 spares the column, 1 does not"},
    {.name = "likelihood",
     .value = "COLUMN=X,...",
     .commands = ROLES,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "likelihood",
     .role = "quasi",
     .fallback = "1",
     .check = mgl_check_portion,
     .help = "how likely others use the column for linking, 0 to 1"},
    {.name = "level",
     .value = "COLUMN=MIN..MAX,...",
     .commands = SEARCH,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "level",
     .role = "quasi",
     .check = mgl_check_level,
     .help = "least and highest level of a column"},
    {.name = "identification",
     .value = "COLUMN=N,...",
     .commands = METHODS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "identification",
     .role = "quasi",
     .fallback = "2",
     .check = mgl_check_identification,
     .help = "mu-argus: a column is 1 most, 2 more, 3 identifying"},
    {.name = "generalize",
     .value = "COLUMN=N,...",
     .commands = METHODS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "generalize",
     .role = "quasi",
     .fallback = "0",
     .check = mgl_check_steps,
     .help = "mu-argus: so many levels more, as the holder decides"},
    {.name = "importance",
     .value = "COLUMN=X,...",
     .commands = METHODS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "importance",
     .role = "quasi",
     .fallback = "1",
     .check = mgl_check_weight,
     .help = "local-suppression: what a cell of the column is worth"},
};

static const mgl_key after_models[] = {
    {.name = "distance",
     .value = "COLUMN=WORD,...",
     .commands = MODELS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "distance",
     .role = "sensitive",
     .check = mgl_check_distance,
     .help = "how t-closeness compares values: equal, ordered or hierarchical"},
    {.name = "population",
     .value = "FILE",
     .commands = MODELS | MGL_RISK,
     .kind = MGL_KEY_INPUT,
     .help = "the table of all persons the data was taken from (k-map, delta-presence, risk)"},
    {.name = "entity",
     .value = "COLUMN",
     .commands = MODELS,
     .kind = MGL_KEY_VALUE,
     .help = "rows with the same value here are one person; it is not released"},
    {.name = "policy",
     .value = "FILE|NAME",
     .commands = MODELS,
     .kind = MGL_KEY_POLICY,
     .help = "further models that must hold (mingle help policies)"},

    {.name = "method",
     .value = "NAME",
     .commands = RELEASE,
     .kind = MGL_KEY_VALUE,
     .fallback = "cell",
     .check = mgl_check_method,
     .help = "how to search (mingle help methods)"},
    {.name = "methods",
     .value = "NAME,...",
     .commands = MGL_COMPARE,
     .kind = MGL_KEY_LIST,
     .check = mgl_check_method,
     .help = "the methods to compare (default: all that can take the job)"},
    {.name = "effort",
     .value = "fast|balanced|best",
     .commands = METHODS,
     .kind = MGL_KEY_VALUE,
     .fallback = "balanced",
     .check = mgl_check_effort,
     .help = "cell, top-down, local-suppression: how long to look for a better answer"},
    {.name = "cut",
     .value = "strict|relaxed",
     .commands = METHODS,
     .kind = MGL_KEY_VALUE,
     .fallback = "strict",
     .check = mgl_check_cut,
     .help = "mondrian: equal values stay together, or halves are as equal as can be"},
    {.name = "replace",
     .value = "mean|median|range",
     .commands = METHODS,
     .kind = MGL_KEY_VALUE,
     .fallback = "mean",
     .check = mgl_check_replace,
     .help = "microaggregate: what stands for the numbers of a group"},
    {.name = "combinations",
     .value = "N,...|published|all",
     .commands = METHODS,
     .kind = MGL_KEY_LIST,
     .check = mgl_check_combinations,
     .help = "mu-argus: combinations of columns looked at (default: 2,3); local-suppression: on "
             "which k must hold (default: all columns together)"},
    {.name = "missing-matches",
     .value = "itself|all",
     .commands = METHODS | MGL_CHECK,
     .kind = MGL_KEY_VALUE,
     .fallback = "itself",
     .check = mgl_check_matches,
     .help =
         "a suppressed cell is a value like any other, or matches all (local-suppression, check)"},
    {.name = "accept",
     .value = "unsafe",
     .commands = RELEASE,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_accept,
     .help = "write a release that breaks its promise (mu-argus); the result says so"},
    {.name = "allow-leaks",
     .value = "[COLUMN,...]",
     .commands = RELEASE | MGL_APPLY,
     .kind = MGL_KEY_ALL_OR,
     .help = "write although the leak guard objects to these columns (none named: to any); the "
             "result says so"},
    {.name = "history",
     .value = "RECODING,...",
     .commands = SEARCH,
     .kind = MGL_KEY_INPUTS,
     .help = "saved recodings of earlier releases of the same table; models hold together with "
             "them"},
    {.name = "history-judged",
     .value = "searching|afterwards",
     .commands = SEARCH,
     .kind = MGL_KEY_VALUE,
     .fallback = "searching",
     .check = mgl_check_history,
     .help = "the search respects earlier releases, or what they reveal is found afterwards"},
    {.name = "suppress",
     .value = "N|X%",
     .commands = SEARCH,
     .kind = MGL_KEY_VALUE,
     .fallback = "0",
     .check = mgl_check_suppress,
     .help = "how many rows may be suppressed, as a number or a share"},
    {.name = "suppressed",
     .value = "keep|drop|exempt",
     .commands = ROLES,
     .kind = MGL_KEY_VALUE,
     .fallback = "keep",
     .check = mgl_check_treatment,
     .help = "suppressed rows are a class like any other, left out, or exempt from the models"},
    {.name = "utility",
     .value = "MEASURE",
     .commands = SEARCH | MGL_UTILITY,
     .kind = MGL_KEY_VALUE,
     .fallback = "precision",
     .check = mgl_check_measure,
     .help = "what to keep as well as possible (mingle help measures)"},
    {.name = "curve",
     .value = "K,...",
     .commands = METHODS,
     .kind = MGL_KEY_LIST,
     .check = mgl_check_k,
     .help = "also find out what the method gives for these k; nothing of it is released"},
    {.name = "least-count",
     .value = "N",
     .commands = SEARCH,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_least_count,
     .help = "count no combination of fewer than N rows: such are regrouped with every "
             "quasi-identifier one level up, and so on; a database does so itself"},
    {.name = "prefer",
     .value = "CRITERION,...",
     .commands = METHODS,
     .kind = MGL_KEY_LIST,
     .check = mgl_check_prefer,
     .help = "among equal answers: absolute, relative, distribution, suppression, or a measure"},

    {.name = "weight",
     .value = "COLUMN",
     .commands = MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .help = "sampling weights: how many persons each row stands for"},
    {.name = "household",
     .value = "COLUMN",
     .commands = MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .help = "rows with the same value here are one household, found together"},
    {.name = "sampling-fraction",
     .value = "X",
     .commands = MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_fraction,
     .help = "which share of the population the table is"},
    {.name = "threshold",
     .value = "X",
     .commands = MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .fallback = "0.2",
     .check = mgl_check_portion,
     .help = "the risk from which on a row counts as in danger"},
    {.name = "suda",
     .commands = MGL_RISK,
     .kind = MGL_KEY_FLAG,
     .help = "score rows by how few columns make them unique"},
    {.name = "single-out",
     .value = "X%",
     .commands = MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_share,
     .help = "smallest sets of columns on which so many rows are unique"},
    {.name = "advise",
     .commands = MGL_RISK,
     .kind = MGL_KEY_FLAG,
     .help = "propose a role and a hierarchy for each column; -o writes them as a job"},
    {.name = "rows",
     .value = "FILE",
     .commands = MGL_RISK | MGL_ATTACK,
     .kind = MGL_KEY_OUTPUT,
     .help = "also write a line for each row of the table, or each person attacked"},

    {.name = "missing",
     .value = "TEXT,...",
     .commands = ALL,
     .kind = MGL_KEY_LIST,
     .fallback = "\"\",NA",
     .check = mgl_check_any,
     .help = "cells that mean missing; the first is what is released"},
    {.name = "delimiter",
     .value = "C",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_delimiter,
     .help = "one character, or tab, comma, semicolon, pipe, space (default: found out)"},
    {.name = "no-header",
     .commands = ALL,
     .kind = MGL_KEY_FLAG,
     .help = "the first line is data; columns are called column1, column2, ..."},
    {.name = "encoding",
     .value = "NAME",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .fallback = "UTF-8",
     .help = "character encoding of the data, as iconv calls it"},
    {.name = "decimal",
     .value = "C",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_decimal,
     .help = "decimal sign of numbers, . or , (default: found out for each column)"},
    {.name = "century",
     .value = "YY",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_century,
     .help = "two-digit years up to this one are 20YY, the others 19YY (default: refused)"},
    {.name = "trim",
     .commands = ALL,
     .kind = MGL_KEY_FLAG,
     .help = "blanks around values do not count, and are not released where models look"},
    {.name = "fold-case",
     .commands = ALL,
     .kind = MGL_KEY_FLAG,
     .help = "the case of letters does not count; the most frequent spelling is released"},

    {.name = "unpack",
     .value = "SIZE",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_size,
     .help = "how much compressed data may become (default: 1G, or 200 times their size)"},

    {.name = "keep-order",
     .commands = RELEASE | MGL_APPLY,
     .kind = MGL_KEY_FLAG,
     .help = "release the rows in their order, which can identify (default: shuffled)"},
    {.name = "neutralize",
     .commands = RELEASE | MGL_APPLY,
     .kind = MGL_KEY_FLAG,
     .help = "put an apostrophe before cells that spreadsheets take for formulas (= + - @)"},
    {.name = "save-recoding",
     .value = "FILE",
     .commands = RELEASE,
     .kind = MGL_KEY_OUTPUT,
     .help = "also write how each tuple is released, for --history and mingle apply; keep it "
             "secret"},
    {.name = "save-proof",
     .value = "FILE",
     .commands = RELEASE,
     .kind = MGL_KEY_OUTPUT,
     .help = "also write what proves the bound, for mingle check --proof; it has the table's "
             "tuples: keep it secret"},
    {.name = "dry-run",
     .commands = RELEASE,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_RUN,
     .help = "search and say what would be released, write nothing"},
    {.name = "brief",
     .commands = RELEASE,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_NEVER,
     .help = "work out only what a summary tells (mingle does, unless a result is asked for)"},
    {.name = "hint",
     .commands = RELEASE,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_NEVER,
     .help = "say if --suppress 1% would lose clearly less (mingle does, unless --brief is given)"},
    {.name = "threads",
     .value = "N",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_threads,
     .record = MGL_RECORD_NEVER,
     .help = "how many threads to use (default: one per core)"},
    {.name = "memory",
     .value = "SIZE",
     .commands = ALL,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_size,
     .help = "how much memory to use, for example 500M or 2G"},
    {.name = "time-limit",
     .value = "SECONDS",
     .commands = METHODS,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_seconds,
     .help = "stop the search, or that of each method, and take the best answer so far"},
    {.name = "seed",
     .value = "N",
     .commands = RELEASE | MGL_APPLY,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_whole,
     .record = MGL_RECORD_NEVER,
     .help = "fixes the order of rows, for tests only"},
    {.name = "quiet",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_NEVER,
     .help = "no summary and no progress"},
    {.name = "verbose",
     .commands = ALL,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_NEVER,
     .help = "show values of the data in messages (default: their shape, as Aaa-99)"},
    {.name = "json",
     .commands = ALL,
     .kind = MGL_KEY_FLAG,
     .record = MGL_RECORD_NEVER,
     .help = "the result as JSON on standard output"},
    {.name = "result",
     .value = "FILE",
     .commands = ALL,
     .kind = MGL_KEY_OUTPUT,
     .help = "also write the result as JSON to this file"},
    {.name = "sign",
     .value = "KEY",
     .commands = RELEASE | MGL_APPLY,
     .kind = MGL_KEY_INPUT,
     .record = MGL_RECORD_SECRET,
     .help = "also sign the result with this private key (Ed25519, PEM), into a file called like "
             "it with .sig behind; needs --result"},
    {.name = "verify-key",
     .value = "PUB",
     .commands = MGL_CHECK,
     .kind = MGL_KEY_INPUT,
     .help = "--against: the result must be signed, and the signature fit this public key"},
    {.name = "report",
     .value = "FILE.html",
     .commands = ROLES,
     .kind = MGL_KEY_OUTPUT,
     .help = "also write a page that shows the result, to open in a browser"},
    {.name = "save-job",
     .value = "FILE.yaml",
     .commands = ALL,
     .kind = MGL_KEY_OUTPUT,
     .record = MGL_RECORD_NEVER,
     .help = "also write what was typed as a job file; it never holds a seed or a password"},
    {.name = "title",
     .value = "TEXT",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_text,
     .help = "what the release is called in its report"},
    {.name = "purpose",
     .value = "TEXT",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_text,
     .help = "what the release is made for; shown in the report"},
    {.name = "recipient",
     .value = "TEXT",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_text,
     .help = "who gets the release; shown in the report"},
    {.name = "author",
     .value = "TEXT",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_text,
     .help = "who answers for the release; shown in the report"},
    {.name = "date",
     .value = "YYYY-MM-DD",
     .commands = ALL | MGL_REPORT,
     .kind = MGL_KEY_VALUE,
     .check = mgl_check_date,
     .help = "the date of the release; shown in the report, and Safe Harbor reckons ages from it"},
};

enum {
    N_BEFORE = sizeof before_models / sizeof before_models[0],
    N_AFTER = sizeof after_models / sizeof after_models[0]
};

/* What a release lost is told with k (c_avg), but with no other model. */
static unsigned commands_of_model(const mgl_model_type *model)
{
    return model->k == MGL_K_IS ? MODELS | MGL_UTILITY : MODELS;
}

static mgl_key key_of_model(const mgl_model_type *model)
{
    return (mgl_key){.name = model->option,
                     .letter = model->option[1] == '\0' ? model->option[0] : '\0',
                     .help = model->help,
                     .commands = commands_of_model(model),
                     .kind = MGL_KEY_MODEL,
                     .model = model};
}

size_t mgl_key_count(void)
{
    size_t n_models;
    mgl_model_types(&n_models);
    return N_BEFORE + n_models + N_AFTER;
}

mgl_key mgl_key_at(size_t index)
{
    size_t n_models;
    const mgl_model_type *const *models = mgl_model_types(&n_models);
    if (index < N_BEFORE)
        return before_models[index];
    index -= N_BEFORE;
    return index < n_models ? key_of_model(models[index]) : after_models[index - n_models];
}

bool mgl_key_find(mgl_span name, mgl_key *out)
{
    for (size_t i = 0; i < mgl_key_count(); i++) {
        mgl_key key = mgl_key_at(i);
        if (mgl_span_is(name, key.name)) {
            *out = key;
            return true;
        }
    }
    return false;
}

bool mgl_key_find_letter(char letter, mgl_key *out)
{
    for (size_t i = 0; letter != '\0' && i < mgl_key_count(); i++) {
        mgl_key key = mgl_key_at(i);
        if (key.letter == letter) {
            *out = key;
            return true;
        }
    }
    return false;
}

bool mgl_key_find_field(mgl_span field, mgl_key *out)
{
    for (size_t i = 0; i < mgl_key_count(); i++) {
        mgl_key key = mgl_key_at(i);
        if (key.kind == MGL_KEY_BY_COLUMN && mgl_span_is(field, key.field)) {
            *out = key;
            return true;
        }
    }
    return false;
}

const char *mgl_key_fallback(const char *name)
{
    mgl_key key;
    return mgl_key_find(mgl_span_of(name), &key) ? key.fallback : NULL;
}

void mgl_key_option(const mgl_key *key, mgl_buffer *out)
{
    mgl_buffer_text(out, key->name[1] == '\0' ? "-" : "--");
    mgl_buffer_text(out, key->name);
}

static void append_upper(mgl_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        char c = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
        mgl_buffer_append(out, &c, 1);
    }
}

void mgl_key_value_syntax(const mgl_key *key, mgl_buffer *out)
{
    if (key->model == NULL) {
        mgl_buffer_text(out, key->value != NULL ? key->value : "");
        return;
    }
    if (key->model->takes_attribute)
        mgl_buffer_text(out, key->model->n_parameters > 0 ? "COLUMN=" : "COLUMN");
    size_t n = mgl_parameters_needed(key->model); /* words have options of their own */
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        append_upper(out, key->model->parameters[i].name);
    }
}

/* ---- Commands ---------------------------------------------------------------- */

static const mgl_command_row commands[] = {
    {"anonymize", MGL_ANONYMIZE, "make a release"},
    {"compare", MGL_COMPARE, "several methods on one job, side by side"},
    {"check", MGL_CHECK, "measure privacy models, or test them"},
    {"utility", MGL_UTILITY, "what a release lost"},
    {"lattice", MGL_LATTICE, "every node: holds or not, suppressed rows, utility"},
    {"risk", MGL_RISK, "how likely it is that a person is found in a table"},
    {"attack", MGL_ATTACK, "link a release with a table that names persons"},
    {"count", MGL_COUNT, "count a slice of a table; parts are searched together"},
    {"apply", MGL_APPLY, "release a table or a slice as a recoding says"},
    {"report", MGL_REPORT, "show a result as a page for a browser, or in the terminal"},
    {"hierarchy", MGL_HIERARCHY, "build, check, show or suggest value hierarchies"},
};

const mgl_command_row *mgl_command_rows(size_t *n)
{
    *n = sizeof commands / sizeof commands[0];
    return commands;
}

const char *mgl_command_name(mgl_command command)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (commands[i].command == command)
            return commands[i].name;
    return "this command";
}

bool mgl_command_find(const char *name, mgl_command *out)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0) {
            *out = commands[i].command;
            return true;
        }
    return false;
}
