/* Keys of models, methods and the search: rows of the table in keys.c. What belongs to one method
 * alone stands beside it. */
#include "job/keys/key_rows.h"

#include "job/keys/values.h"

static const char *const efforts[] = {[MGL_EFFORT_FAST] = "fast",
                                      [MGL_EFFORT_BALANCED] = "balanced",
                                      [MGL_EFFORT_BEST] = "best",
                                      NULL};
static const char *const treatments[] = {
    [MGL_KEEP] = "keep", [MGL_DROP] = "drop", [MGL_EXEMPT] = "exempt", NULL};
static const char *const matches[] = {"itself", "all", NULL};
static const char *const accepted[] = {"unsafe", NULL};
static const char *const views[] = {[MGL_VIEW_ROWS] = "rows", [MGL_VIEW_JOINED] = "joined", NULL};
static const char *const judged[] = {"searching", "afterwards", NULL};

static const mgl_key of_models[] = {
    {.name = "distance",
     .value = "COLUMN=WORD,...",
     .commands = MGL_FOR_MODELS,
     .kind = MGL_KEY_BY_COLUMN,
     .field = "distance",
     .role = "sensitive",
     .form = {.check = mgl_check_distance},
     .of_release = true,
     .help = "how t-closeness compares values: equal, ordered or hierarchical"},
    {.name = "population",
     .value = "FILE",
     .commands = MGL_FOR_MODELS | MGL_RISK,
     .kind = MGL_KEY_INPUT,
     .place = offsetof(mgl_settings, population),
     .help = "the table of all persons the data was taken from (k-map, delta-presence, risk)"},
    {.name = "entity",
     .names = "columns",
     .value = "COLUMN",
     .commands = MGL_FOR_MODELS | MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .fill = mgl_fill_entity,
     .help = "rows with the same value here are one person; released as a pseudonym or not at all"},
    {.name = "entity-view",
     .commands = MGL_FOR_MODELS | MGL_RISK,
     .kind = MGL_KEY_VALUE,
     .fallback = "rows",
     .form = {.kind = MGL_FORM_WORD, .words = views},
     .place = offsetof(mgl_settings, entity_view),
     .given = offsetof(mgl_settings, has_entity_view),
     .help = "models judge each row of a person by itself, or all of them together"},
    {.name = "policy",
     .names = "policies",
     .value = "FILE|NAME",
     .commands = MGL_FOR_MODELS,
     .kind = MGL_KEY_POLICY,
     .fill = mgl_fill_policy,
     .of_release = true,
     .help = "further models that must hold (`help policies`)"},
};

const mgl_key_rows mgl_keys_of_models = MGL_KEY_ROWS(of_models);

static const char *standard_method(void)
{
    return mgl_method_type_standard()->name;
}

static const char *standard_measure(void)
{
    return mgl_measure_type_standard()->name;
}

static const mgl_key of_methods[] = {
    {.name = "method",
     .names = "methods",
     .value = "NAME",
     .commands = MGL_FOR_RELEASES,
     .kind = MGL_KEY_VALUE,
     .standard = standard_method,
     .form = {.kind = MGL_FORM_OWN, .read = mgl_read_method, .check = mgl_check_method},
     .place = offsetof(mgl_settings, method),
     .of_release = true,
     .help = "how to search (`help methods`)"},
    {.name = "methods",
     .names = "methods",
     .value = "NAME,...",
     .commands = MGL_COMPARE,
     .kind = MGL_KEY_LIST,
     .form = {.kind = MGL_FORM_OWN,
              .read = mgl_read_method,
              .size = sizeof(const mgl_method_type *),
              .check = mgl_check_method},
     .fill = mgl_fill_methods,
     .help = "the methods to compare (default: all that can take the job)"},
    {.name = "effort",
     .commands = MGL_FOR_METHODS,
     .kind = MGL_KEY_VALUE,
     .fallback = "balanced",
     .form = {.kind = MGL_FORM_WORD, .words = efforts},
     .place = offsetof(mgl_settings, effort),
     .needs = offsetof(mgl_method_type, looks_longer),
     .help = "cell, top-down, local-suppression: how long to look for a better answer"},
};

const mgl_key_rows mgl_keys_of_methods = MGL_KEY_ROWS(of_methods);

static const mgl_key of_search[] = {
    {.name = "missing-matches",
     .commands = MGL_FOR_METHODS | MGL_CHECK,
     .kind = MGL_KEY_VALUE,
     .fallback = "itself",
     .form = {.kind = MGL_FORM_EITHER, .words = matches},
     .place = offsetof(mgl_settings, tops_match),
     .of_release = true,
     .needs = offsetof(mgl_method_type, tops_may_match),
     .help =
         "a suppressed cell is a value like any other, or matches all (local-suppression, check)"},
    {.name = "accept",
     .commands = MGL_FOR_RELEASES,
     .kind = MGL_KEY_VALUE,
     .form = {.kind = MGL_FORM_WORD, .words = accepted},
     .given = offsetof(mgl_settings, accept_unsafe),
     .needs = offsetof(mgl_method_type, may_be_unsafe),
     .help = "write a release that breaks its promise (mu-argus); the result says so"},
    {.name = "allow-leaks",
     .value = "[COLUMN,...]",
     .commands = MGL_FOR_RELEASES | MGL_APPLY,
     .kind = MGL_KEY_ALL_OR,
     .names = "columns",
     .place = offsetof(mgl_settings, allowed),
     .count = offsetof(mgl_settings, n_allowed),
     .given = offsetof(mgl_settings, allow_leaks),
     .help = "write although the leak guard objects to these columns (none named: to any); the "
             "result says so"},
    {.name = "history",
     .value = "RECODING,...",
     .commands = MGL_FOR_SEARCHES,
     .kind = MGL_KEY_INPUTS,
     .place = offsetof(mgl_settings, history),
     .count = offsetof(mgl_settings, n_history),
     .help = "saved recodings of earlier releases of the same table; models hold together with "
             "them"},
    {.name = "history-judged",
     .commands = MGL_FOR_SEARCHES,
     .kind = MGL_KEY_VALUE,
     .fallback = "searching",
     .form = {.kind = MGL_FORM_EITHER, .words = judged},
     .place = offsetof(mgl_settings, history_afterwards),
     .help = "the search respects earlier releases, or what they reveal is found afterwards"},
    {.name = "suppress",
     .value = "N|X%",
     .commands = MGL_FOR_SEARCHES | MGL_APPLY,
     .kind = MGL_KEY_VALUE,
     .fallback = "0",
     .form = {.check = mgl_check_suppress},
     .place = offsetof(mgl_settings, suppress),
     .help = "how many rows may be suppressed, as a number or a share"},
    {.name = "suppressed",
     .commands = MGL_FOR_ROLES | MGL_APPLY,
     .kind = MGL_KEY_VALUE,
     .fallback = "keep",
     .form = {.kind = MGL_FORM_WORD, .words = treatments},
     .place = offsetof(mgl_settings, treatment),
     .of_release = true,
     .help = "suppressed rows are a class like any other, left out, or exempt from the models"},
    {.name = "utility",
     .names = "measures",
     .value = "MEASURE",
     .commands = MGL_FOR_SEARCHES | MGL_UTILITY,
     .kind = MGL_KEY_VALUE,
     .standard = standard_measure,
     .form = {.check = mgl_check_measure},
     .fill = mgl_fill_measure,
     .of_release = true,
     .help = "what to keep as well as possible (`help measures`)"},
    {.name = "curve",
     .value = "K,...",
     .commands = MGL_FOR_METHODS,
     .kind = MGL_KEY_LIST,
     .form = {.kind = MGL_FORM_WHOLE,
              .min = 1,
              .wrong = "is no k; give whole numbers of at least 1, for example 2,5,10"},
     .place = offsetof(mgl_settings, curve),
     .count = offsetof(mgl_settings, n_curve),
     .help = "also find out what the method gives for these k; nothing of it is released"},
    {.name = "least-count",
     .value = "N",
     .commands = MGL_FOR_SEARCHES,
     .kind = MGL_KEY_VALUE,
     .form = {.kind = MGL_FORM_WHOLE,
              .min = 2,
              .wrong = "is no number of rows; give a whole number of at least 2"},
     .place = offsetof(mgl_settings, least_count),
     .help = "count no combination of fewer than N rows: such are regrouped with every "
             "quasi-identifier one level up, and so on; a database does so itself"},
    {.name = "prefer",
     .value = "CRITERION,...",
     .commands = MGL_FOR_METHODS,
     .kind = MGL_KEY_LIST,
     .form = {.kind = MGL_FORM_OWN,
              .read = mgl_read_preference,
              .size = sizeof(mgl_preference),
              .check = mgl_check_prefer},
     .place = offsetof(mgl_settings, prefer),
     .count = offsetof(mgl_settings, n_prefer),
     .help = "among equal answers: absolute, relative, distribution, suppression, or a measure"},
};

const mgl_key_rows mgl_keys_of_search = MGL_KEY_ROWS(of_search);
