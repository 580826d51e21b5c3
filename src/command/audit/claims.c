/* check --against: compares every claim of a result, one row of a table each. What is missing,
 * unknown, or differs from the file or from the rest of the result fails; what cannot be recomputed
 * is named. command/check.c calls it after it has judged the file.
 *
 * A new key of a result needs a row here: an unknown key fails every audit. */
#include "command/audit/audit.h"
#include "command/audit/claims.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- All claims ---------------------------------------------------------------------------- */

static void claim_version(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_string(claimed) || json_string_length(claimed) == 0)
        mgl_claims_contradict(c, "mingle", claimed);
}

/* Every result of this version states it in the same words. */
static void claim_confidential(mgl_claims *c, const json_t *claimed)
{
    const char *version = mgl_json_text(c->claimed, "mingle");
    if (version != NULL && strcmp(version, MGL_VERSION) == 0)
        mgl_claims_agree_new(c, "confidential", claimed, json_string(MGL_CONFIDENTIAL));
    else if (!json_is_string(claimed))
        mgl_claims_contradict(c, "confidential", claimed);
}

static void claim_command(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree_new(c, "command", claimed, json_string(c->applied ? "apply" : "anonymize"));
}

static void claim_nodes(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_shape(c, "nodes", claimed, "total:i checked:i");
}

/* What is one value, and how missing cells are read: as the job of the result says, by which the
 * file was judged. Notations are told of columns that models look at. */
static void claim_sensitive(mgl_claims *c, const json_t *claimed)
{
    static const char *const keys[] = {"spelling", "missing"};
    json_t *found = mgl_sensitive_values_json(c->reading);
    const json_t *notations = json_object_get(claimed, "notations");
    const char *column;
    json_t *notation;
    if (claimed == NULL && found != NULL)
        mgl_claims_missing(c, "sensitive_values");
    else if (claimed != NULL &&
             mgl_claims_shape(c, "sensitive_values", claimed, "spelling:s missing:s ?notations:o"))
        for (size_t i = 0; i < 2; i++)
            mgl_claims_agree(c, "sensitive_values", json_object_get(claimed, keys[i]),
                             json_object_get(found, keys[i]));
    json_object_foreach((json_t *)notations, column, notation)
        mgl_claims_agree(c, "sensitive_values.notations", notation,
                         json_object_get(json_object_get(found, "notations"), column));
    json_decref(found);
}

/* Which results always have a key: those of these commands. OF_LONE: of `apply`, but without an
 * earlier release. OF_QUASI: those of a job without quasi-identifiers never have it. */
enum { OF_NONE = 0, OF_ANONYMIZE = 1, OF_APPLY = 2, OF_BOTH = 3, OF_LONE = 4, OF_QUASI = 8 };

typedef struct claim {
    const char *key;
    unsigned always;
    mgl_claim_fn
        *compare;     /* its claim is NULL if the result lacks the key; NULL: nothing to compare */
    const char *open; /* the keys of it that cannot be recomputed; NULL: none */
    const char *why;  /* which part of them, and what would allow it */
} claim;

#define NEEDS_INPUT "needs the input"
#define NEEDS_ORIGINAL "needs the input; `utility ORIGINAL RELEASE` with `against: RESULT`"

static const claim claims[] = {
    {"confidential", OF_BOTH, claim_confidential, NULL, NULL},
    {"mingle", OF_BOTH, claim_version, "mingle", "which version wrote it, nobody can tell"},
    {"schema", OF_BOTH, NULL, NULL, NULL},
    {"command", OF_BOTH, claim_command, NULL, NULL},
    {"method", OF_BOTH | OF_QUASI, mgl_claim_method, NULL, NULL},
    {"rows", OF_BOTH, mgl_claim_rows, NULL, NULL},
    {"released_rows", OF_BOTH, mgl_claim_released, NULL, NULL},
    {"suppressed_rows", OF_BOTH, mgl_claim_suppressed, NULL, NULL},
    {"left_out_rows", OF_NONE, mgl_claim_left_out, "left_out_rows", NEEDS_INPUT},
    {"row_choice", OF_NONE, mgl_claim_row_choice, "row_choice", NEEDS_INPUT},
    {"classes", OF_ANONYMIZE | OF_LONE | OF_QUASI, mgl_claim_classes, NULL, NULL},
    {"node", OF_BOTH | OF_QUASI, mgl_claim_node, NULL, NULL},
    {"levels", OF_ANONYMIZE | OF_QUASI, mgl_claim_levels, NULL, NULL},
    {"heights", OF_BOTH | OF_QUASI, mgl_claim_heights, NULL, NULL},
    {"hierarchies", OF_ANONYMIZE | OF_QUASI, mgl_claim_hierarchies,
     "hierarchies.*.hierarchy, hierarchies.*.builder",
     "whether it was given or proposed, and what a builder took from the values, needs the input"},
    {"suppressed_cells", OF_ANONYMIZE | OF_QUASI, mgl_claim_suppressed_cells, NULL, NULL},
    {"by", OF_NONE, mgl_claim_by, NULL, NULL},
    {"strata", OF_NONE, mgl_claim_strata,
     "strata.*.node, strata.*.levels, strata.*.value, strata.*.bound, strata.*.found",
     "what was searched needs the input"},
    {"unsafe_combinations", OF_NONE, mgl_claim_unsafe,
     "unsafe_combinations.before, unsafe_combinations.after.tuples, "
     "unsafe_combinations.after.tuples_left_out, unsafe_combinations.after.combinations_left_out, "
     "unsafe_combinations.after.rows",
     NEEDS_INPUT},
    {"mixture", OF_NONE, mgl_claim_mixture, NULL, NULL},
    {"nodes", OF_ANONYMIZE | OF_QUASI, claim_nodes, "nodes", "what was searched needs the input"},
    {"minimal_nodes", OF_ANONYMIZE | OF_QUASI, mgl_claim_minimal_nodes, "minimal_nodes",
     NEEDS_INPUT},
    {"measure", OF_ANONYMIZE | OF_QUASI, mgl_claim_measure, NULL, NULL},
    {"utility", OF_ANONYMIZE | OF_QUASI, mgl_claim_utility, "utility",
     NEEDS_ORIGINAL " (but for what follows from classes, and from figures.columns)"},
    {"microaggregation", OF_NONE, mgl_claim_averages, "microaggregation", NEEDS_ORIGINAL},
    {"aggregation", OF_NONE, mgl_claim_aggregation,
     "aggregation.classes, aggregation.groups, aggregation.node, aggregation.exact, "
     "aggregation.columns.*.changed_cells, aggregation.columns.*.values_per_cell, "
     "aggregation.columns.*.sse, aggregation.columns.*.sst, aggregation.columns.*.sse_share, "
     "aggregation.columns.*.il1s",
     NEEDS_INPUT},
    {"bound", OF_ANONYMIZE | OF_QUASI, mgl_claim_bound,
     "bound.best_possible, bound.gap, bound.exact", NEEDS_INPUT},
    {"models", OF_BOTH | OF_QUASI, mgl_claim_models, NULL, NULL},
    {"suppressed_above", OF_NONE, mgl_claim_above, "suppressed_above", NEEDS_INPUT},
    {"population", OF_NONE, mgl_claim_population, NULL, NULL},
    {"risk", OF_ANONYMIZE | OF_LONE | OF_QUASI, mgl_claim_risk, NULL, NULL},
    {"alone", OF_NONE, mgl_claim_alone, NULL, NULL},
    {"reference_year", OF_NONE, mgl_claim_year, "reference_year", "the year of the run"},
    {"unchanged", OF_BOTH, mgl_claim_columns_unchanged, NULL, NULL},
    {"treatments", OF_NONE, mgl_claim_treatments, "treatments.*.values_before", NEEDS_INPUT},
    {"linked", OF_NONE, mgl_claim_linked, "linked.*.generalized_cells", NEEDS_INPUT},
    {"items", OF_NONE, mgl_claim_items,
     "items.items, items.occurrences, items.left_out, items.ncp, items.apriori_ncp, "
     "items.best_possible, items.exact, items.unknown_items, items.cut.*.leaves",
     NEEDS_INPUT},
    {"output", OF_BOTH, mgl_claim_output, NULL, NULL},
    {"quasi_identifier", OF_BOTH, mgl_claim_quasi, NULL, NULL},
    {"sensitive_values", OF_NONE, claim_sensitive, NULL, NULL},
    {"entity", OF_NONE, mgl_claim_entity, NULL, NULL},
    {"entity_view", OF_NONE, mgl_claim_view, NULL, NULL},
    {"seconds", OF_ANONYMIZE, mgl_claim_seconds, "seconds", "nobody can measure them again"},
    {"warnings", OF_BOTH, mgl_claim_warnings, NULL, NULL},
    {"leaks", OF_BOTH, mgl_claim_leaks, NULL, NULL},
    {"guard", OF_BOTH, mgl_claim_guard, NULL, NULL},
    {"counts", OF_NONE, mgl_claim_counts, "counts.rows, counts.once", NEEDS_INPUT},
    {"failing_rows", OF_NONE, mgl_claim_failing, "failing_rows", NEEDS_INPUT},
    {"failing_rows_count", OF_NONE, NULL, "failing_rows_count", NEEDS_INPUT},
    {"missing_matches", OF_NONE, mgl_claim_matches, NULL, NULL},
    {"known_totals", OF_NONE, mgl_claim_totals, "known_totals", NEEDS_INPUT},
    {"history", OF_NONE, mgl_claim_history, "history", "needs the input and the earlier recodings"},
    {"curve", OF_NONE, mgl_claim_curve, "curve", NEEDS_INPUT},
    {"least_count", OF_NONE, mgl_claim_least_count, "least_count", NEEDS_INPUT},
    {"left_database", OF_NONE, mgl_claim_left, "left_database", "needs the database"},
    {"engine", OF_NONE, NULL, "engine", "needs the engine"}, /* the Python package adds it */
    {"figures", OF_ANONYMIZE | OF_LONE | OF_QUASI, mgl_claim_figures,
     "figures.before, figures.class_sizes.before, figures.columns.*.loss, "
     "figures.columns.*.rows_at_level, figures.columns.*.distribution, "
     "figures.sensitive.*.values, figures.sensitive.*.before, figures.lattice",
     NEEDS_INPUT " (but for sums)"},
    {"counted", OF_APPLY, mgl_claim_counted, NULL, NULL},
    {"applied", OF_APPLY, mgl_claim_applied, "applied", "needs the input and the recoding"},
    {"with", OF_NONE, mgl_claim_with, "with.rows, audit.with", "needs the earlier release"},
    {"columns", OF_APPLY, mgl_claim_told_columns, NULL, NULL},
    {"tops", OF_APPLY, mgl_claim_tops, NULL, NULL},
    {"sha256", OF_APPLY, mgl_claim_sha256, NULL, NULL},
    {"rows_sha256", OF_NONE, mgl_claim_rows_sha256, NULL, NULL},
    {"about", OF_NONE, mgl_claim_about, NULL, NULL},
    {"audit", OF_BOTH, mgl_claim_audit, NULL, NULL},
};

enum { N_CLAIMS = sizeof claims / sizeof claims[0] };

/* A key that only results of the method have tells what it found on its way. */
static bool is_told_by_method(const mgl_claims *c, const char *key)
{
    const char *const *told = c->settings->method->tells;
    while (told != NULL && *told != NULL && strcmp(*told, key) != 0)
        told++;
    return told != NULL && *told != NULL;
}

static void compare_all(mgl_claims *c)
{
    const char *key;
    json_t *value;
    unsigned here = !c->applied ? OF_ANONYMIZE : mgl_claims_with(c) ? OF_APPLY : OF_APPLY | OF_LONE;
    for (size_t i = 0; i < N_CLAIMS; i++) {
        const json_t *claimed = json_object_get(c->claimed, claims[i].key);
        bool lacks = (claims[i].always & OF_QUASI) != 0 && c->reading->n_quasi == 0;
        bool due = (claims[i].always & here) != 0 && !lacks,
             elsewhere = claims[i].always != 0 && !due;
        if (claimed == NULL && due)
            mgl_claims_missing(c, claims[i].key);
        else if (claimed != NULL && elsewhere)
            mgl_claims_contradict(c, claims[i].key, claimed);
        else if (claims[i].compare != NULL && !elsewhere)
            claims[i].compare(c, claimed);
        if (claimed != NULL && claims[i].open != NULL) /* null: all of it is */
            mgl_claims_skip(c, json_is_null(claimed) ? claims[i].key : claims[i].open,
                            claims[i].why);
    }
    json_object_foreach((json_t *)c->claimed, key, value)
    {
        bool known = false;
        for (size_t i = 0; !known && i < N_CLAIMS; i++)
            known = strcmp(claims[i].key, key) == 0;
        if (!known && (is_told_by_method(c, key) || mgl_features_tell(key)))
            mgl_claims_skip(c, key, NEEDS_INPUT);
        else if (!known)
            mgl_claims_unknown(c, key, value);
    }
}

/* ---- The answer ---------------------------------------------------------------------------- */

static void warn(mgl_result *result, const json_t *difference)
{
    const char *what = mgl_json_text(difference, "what"), *kind = mgl_json_text(difference, "kind");
    if (what == NULL || kind == NULL) /* memory was out: there will be no result */
        return;
    char *claimed = json_dumps(json_object_get(difference, "claimed"), JSON_ENCODE_ANY);
    char *found = json_dumps(json_object_get(difference, "found"), JSON_ENCODE_ANY);
    const char *a = claimed != NULL ? claimed : "?", *b = found != NULL ? found : "?";
    bool nothing = strcmp(b, "null") == 0;
    if (strcmp(kind, "signature") == 0)
        mgl_result_warn(result, "differs", "signature: it is %.20s",
                        json_string_value(json_object_get(difference, "found")));
    else if (strcmp(kind, "missing") == 0)
        mgl_result_warn(result, "differs", "%s: missing from the result", what);
    else if (strcmp(kind, "unknown") == 0)
        mgl_result_warn(result, "differs", "%s: no result of this program has it", what);
    else if (strcmp(kind, "result") == 0 && nothing)
        mgl_result_warn(result, "differs",
                        "%s: the result claims %.200s, which contradicts what else it says", what,
                        a);
    else if (strcmp(kind, "result") == 0)
        mgl_result_warn(result, "differs", "%s: the result claims %.200s, and elsewhere %.200s",
                        what, a, b);
    else
        mgl_result_warn(result, "differs", "%s: the result claims %.200s, the file has %.200s",
                        what, a, b);
    free(claimed);
    free(found);
}

/* If the job asks for a signature, nothing is confirmed without one. */
static void check_signature(mgl_claims *c)
{
    const char *state = c->settings->claimed.signature;
    json_t *found = json_string(state);
    if (strcmp(state, "bad") == 0 || strcmp(state, "missing") == 0)
        mgl_claims_differ(c, "signature", "signature", NULL, found);
    json_decref(found);
}

static void report(mgl_claims *c, mgl_result *result)
{
    json_t *against = json_object();
    size_t n = json_array_size(c->differences);
    mgl_json_set(against, "result", json_string(c->settings->claimed.against));
    mgl_json_set(against, "agrees", json_boolean(n == 0));
    mgl_json_set(against, "signature", json_string(c->settings->claimed.signature));
    mgl_json_set(against, "differences", json_incref(c->differences));
    mgl_json_set(against, "not_compared", json_incref(c->not_compared));
    mgl_json_set(result->document, "against", against);
    result->holds = n == 0 && mgl_claims_hold(c);
    for (size_t i = 0; i < n; i++)
        warn(result, json_array_get(c->differences, i));
}

bool mgl_claims_weight(const mgl_claims *c)
{
    const json_t *job = json_object_get(json_object_get(c->claimed, "audit"), "job");
    return json_object_get(job, "weight") != NULL;
}

bool mgl_claims_linked(const json_t *job)
{
    const char *entity = mgl_json_text(job, "entity");
    const json_t *attributes = json_object_get(job, "attributes");
    return entity != NULL && mgl_json_text(json_object_get(attributes, entity), "treat") != NULL;
}

static bool is_joined(const json_t *job)
{
    const char *view = mgl_json_text(job, "entity-view");
    return view != NULL && strcmp(view, "joined") == 0;
}

static bool is_applied(const json_t *claimed)
{
    const char *command = mgl_json_text(claimed, "command");
    return command != NULL && strcmp(command, "apply") == 0;
}

static mgl_claims begin(const mgl_settings *settings, const mgl_result *result)
{
    const json_t *audit = json_object_get(settings->claimed.document, "audit");
    const json_t *job = json_object_get(audit, "job");
    return (mgl_claims){.settings = settings,
                        .claimed = settings->claimed.document,
                        .audit = audit,
                        .job = job,
                        .found = result->document,
                        .persons = json_object_get(job, "entity") != NULL &&
                                   settings->persons.column == NULL,
                        .joined = is_joined(job),
                        .applied = is_applied(settings->claimed.document),
                        .linked = mgl_claims_linked(job),
                        .treated = json_object(),
                        .followed = json_object(),
                        .differences = json_array(),
                        .not_compared = json_array()};
}

static void end(mgl_claims *c)
{
    json_decref(c->treated);
    json_decref(c->followed);
    json_decref(c->differences);
    json_decref(c->not_compared);
    mgl_objections_free(&c->objections);
    mgl_free(c->top_cells);
    mgl_free(c->figures);
    mgl_free(c->levels);
    mgl_free(c->lone_cells);
    mgl_free(c->values);
    mgl_free(c->is_top);
    mgl_free(c->left_out);
    for (size_t a = 0; c->cells != NULL && a < c->reading->n_quasi; a++)
        mgl_free(c->cells[a]);
    mgl_free(c->cells);
}

mgl_status mgl_against_compare(const mgl_setup *setup, const mgl_recoding *recoding,
                               const mgl_span *tops, mgl_error *err, mgl_result *result)
{
    mgl_claims c = begin(setup->reading->settings, result);
    c.reading = setup->reading;
    c.task = setup->task;
    c.problem = &setup->task->problem;
    c.tops = tops;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_claims_count(&c, err));
    MGL_GO(mgl_claims_file(&c, err));
    MGL_GO(mgl_claims_treated(&c, err));
    MGL_GO(mgl_claims_links(&c, err));
    MGL_GO(mgl_claims_items(&c, err));
    MGL_GO(mgl_claims_alone(&c, err));
    MGL_GO(mgl_claims_guarded(&c, recoding, err));
    compare_all(&c);
    check_signature(&c);
    report(&c, result);
done:
    end(&c);
    return status;
}
