/* check --against: compares every section of a result, one row of a table each. What is missing,
 * unknown, or differs from the file or from the rest of the result fails; what cannot be recomputed
 * is named.
 *
 * A new key of a result needs a row here: an unknown key fails every audit. */
#include "command/audit/audit.h"
#include "command/audit/claims.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Sections that one comparison is enough for -------------------------------------------- */

/* Every result of this version states it in the same words. */
static void compare_confidential(mgl_claims *c, const json_t *claimed)
{
    if (c->same_version)
        mgl_claims_agree(c, "confidential", claimed, json_string(MGL_CONFIDENTIAL));
}

static void compare_version(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_require(c, json_string_length(claimed) > 0, "mingle", claimed);
}

static void compare_command(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree(c, "command", claimed, json_string(c->applied ? "apply" : "anonymize"));
}

static void compare_method(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree(c, "method", claimed, json_string(c->settings->method->name));
}

/* What is one value, and how missing cells are read: as the job of the result says, by which the
 * file was judged. Notations are given of columns that models look at. */
static void compare_sensitive(mgl_claims *c, const json_t *claimed)
{
    json_t *found = json_incref(json_object_get(c->described, "sensitive_values")), *notation;
    const char *column;
    json_object_foreach(json_object_get(claimed, "notations"), column, notation)
        mgl_claims_agree(c, "sensitive_values.notations", notation,
                         json_incref(json_object_get(json_object_get(found, "notations"), column)));
    (void)json_object_del(found, "notations");
    mgl_claims_agree(c, "sensitive_values", claimed, found);
}

static bool by_due(const mgl_claims *c)
{
    return c->settings->strata.n > 0;
}

static bool matches_due(const mgl_claims *c)
{
    return json_object_get(c->found, "missing_matches") != NULL;
}

/* Slices that were counted for the search promise nothing by themselves, and have no trail. */
static void compare_counted(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_require(c, json_is_false(claimed), "counted", claimed);
}

/* The digest is compared with the file as that of the trail. */
static void agree_with_trail(mgl_claims *c, const char *key, const json_t *claimed)
{
    const json_t *there = json_object_get(json_object_get(c->audit, "release"), key);
    if (there != NULL || json_string_length(claimed) > 0)
        mgl_claims_agree(c, key, claimed, json_incref((json_t *)there));
}

static void compare_sha256(mgl_claims *c, const json_t *claimed)
{
    agree_with_trail(c, "sha256", claimed);
}

static void compare_rows_sha256(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_require(c, claimed == NULL || c->applied, "rows_sha256", claimed);
    if (claimed != NULL)
        agree_with_trail(c, "rows_sha256", claimed);
}

/* ---- All sections -------------------------------------------------------------------------- */

/* Which results always have a key: those of these commands. OF_LONE: of `apply`, but without an
 * earlier release. OF_QUASI: those of a job without quasi-identifiers never have it. */
enum { OF_NONE = 0, OF_ANONYMIZE = 1, OF_APPLY = 2, OF_BOTH = 3, OF_LONE = 4, OF_QUASI = 8 };

typedef struct claim {
    const char *key;
    unsigned always;
    const char *shape;
    mgl_claim_fn *compare;  /* optional; of a section that no rule brings, claimed may be NULL */
    const char *open;       /* the keys of it that cannot be recomputed; NULL: none */
    const char *why;        /* which part of them, and what would allow it */
    const char *brought_by; /* the key of the job that the section is there with; optional */
    mgl_claim_due_fn *due;  /* whether it is there; optional */
} claim;

#define NEEDS_INPUT "needs the input"
#define NEEDS_ORIGINAL "needs the input; `utility ORIGINAL RELEASE` with `against: RESULT`"

#define CLASSES "{count:i min:i mean:n max:i}"
#define RISK "prosecutor_max:N prosecutor_mean:N uniques:i expected_reidentifications:n"
#define BINS "[{from:i to:i classes:i rows:i}]"
#define LEAKS "[{code:s column:s ?with:s message:s}]"
#define SUMS "sse:N sst:N sse_share:N il1s:N"
#define CLOSENESS "{distinct_values:a distances:a}"
#define FILE_SHAPE "{name:s bytes:i sha256:d}"
#define COMBINATIONS                                                                               \
    "{values:i rows:i combinations:[{columns:a values:i rows:i}] combinations_left_out:i "         \
    "tuples:[{rows:i outliers:[a] outliers_left_out:i ?suppressed:a}] tuples_left_out:i}"

static const char strata_shape[] =
    "[{by:o rows:i suppressed_rows:i classes:i smallest_class:i node:O levels:O value:N "
    "bound:~{best_possible:N exact:b} ?found:o}]";

static const char aggregation_shape[] =
    "{classes:I groups:i node:O exact:B columns:[{column:s function:s changed_cells:i top_cells:i "
    "values_after:i values_per_cell:N " SUMS "}]}";

static const char items_shape[] =
    "{column:s k:i m:i within:b separator:s hierarchy:S ?unknown_items:i items:i occurrences:i "
    "left_out:{items:i occurrences:i emptied_rows:i} ncp:n apriori_ncp:n best_possible:n exact:b "
    "released:{items:i combinations:i least:I rare:i} cut:[{item:s leaves:i rows:i}]}";

static const char history_shape[] =
    "{releases:[{recoding:s method:s quasi_identifier:a}] judged:s classes:" CLASSES " uniques:i "
    "rows_below_k:i violating_rows:i models:[{model:s promise:s parameters:o holds:b measured:N "
    "violating_rows:i violating_classes:i ?quasi_identifier:a}]}";

static const char figures_shape[] =
    "{?threshold:i class_sizes:{before:~" BINS " after:" BINS "} "
    "before:{classes:~" CLASSES " risk:~{prosecutor_max:n prosecutor_mean:n "
    "uniques:i expected_reidentifications:n}} "
    "?columns:[{column:s height:i loss:n precision:N rows_at_level:[i] rows_made:i rows_dropped:i "
    "distribution:{level:I groups:[{value:S before:i after:i}] "
    "pooled:{values:i before:i after:i} coarser:i dropped:i ?made:i}}] "
    "?sensitive:<{values:i before:" CLOSENESS " after:" CLOSENESS "}> "
    "?lattice:{total:i chosen:a ?left_out:s ?holding:i ?nodes:[{levels:a holds:b "
    "suppressed_rows:i}] "
    "?minimal:a}}";

static const char left_shape[] =
    "{rows:i ?combinations:i ?once:i ?rarest:i ?standing_for:i ?with_sensitive:o ?for_guard:o "
    "?of_release:o ?released_rows:i ?values:o ?for_where:i}";

static const char audit_shape[] =
    "{input:~" FILE_SHAPE " job:o hierarchies:(*) columns:[{column:s role:s released:b "
    "?values_before:i ?values_after:i}] tops:(s) sensitive:<{values:a levels:[a] protected:[a]}> "
    "release:O ?policy:a ?recoding:" FILE_SHAPE " ?with:" FILE_SHAPE "}";

static const claim claims[] = {
    {"confidential", OF_BOTH, "s", .compare = compare_confidential},
    {"mingle", OF_BOTH, "s", .compare = compare_version, .open = "mingle",
     "no release shows which version wrote it"},
    {"schema", OF_BOTH, .shape = "*"},
    {"command", OF_BOTH, "s", .compare = compare_command},
    {"method", OF_BOTH | OF_QUASI, "s", .compare = compare_method},
    {"rows", OF_BOTH, "i", .compare = mgl_claim_rows},
    {"released_rows", OF_BOTH, "i", .compare = mgl_claim_released},
    {"suppressed_rows", OF_BOTH, "i", .compare = mgl_claim_suppressed},
    {"left_out_rows", OF_NONE, "i", .open = "left_out_rows", NEEDS_INPUT,
     .due = mgl_claim_chosen_due},
    {"row_choice", OF_NONE, "{read:i where:i sample:i}", .compare = mgl_claim_row_choice,
     "row_choice", NEEDS_INPUT, .due = mgl_claim_chosen_due},
    {"classes", OF_ANONYMIZE | OF_LONE | OF_QUASI, CLASSES, .compare = mgl_claim_classes},
    {"node", OF_BOTH | OF_QUASI, "~(i)", .compare = mgl_claim_node},
    {"levels", OF_ANONYMIZE | OF_QUASI, "~(i)", .compare = mgl_claim_levels},
    {"heights", OF_BOTH | OF_QUASI, "~(i)", .compare = mgl_claim_heights},
    {"hierarchies", OF_ANONYMIZE | OF_QUASI, "({hierarchy:s builder:s ?resolved:s})",
     .compare = mgl_claim_hierarchies, .open = "hierarchies.*.hierarchy, hierarchies.*.builder",
     "whether it was given or proposed, and what a builder took from the values, needs the input"},
    {"suppressed_cells", OF_ANONYMIZE | OF_QUASI, "~(i)", .compare = mgl_claim_suppressed_cells},
    {"by", OF_NONE, "a", .due = by_due},
    {"strata", OF_NONE, strata_shape, .compare = mgl_claim_strata,
     "strata.*.node, strata.*.levels, strata.*.value, strata.*.bound, strata.*.found",
     "what was searched needs the input", .due = mgl_claim_strata_due},
    {"unsafe_combinations", OF_NONE, "{before:" COMBINATIONS " after:~" COMBINATIONS "}",
     .compare = mgl_claim_unsafe,
     "unsafe_combinations.before, unsafe_combinations.after.tuples, "
     "unsafe_combinations.after.tuples_left_out, unsafe_combinations.after.combinations_left_out, "
     "unsafe_combinations.after.rows",
     NEEDS_INPUT, .due = mgl_claim_unsafe_due},
    {"mixture", OF_NONE, "{levels:b suppressed:b made:S}", .compare = mgl_claim_mixture,
     .due = mgl_claim_mixture_due},
    {"nodes", OF_ANONYMIZE | OF_QUASI, "{total:i checked:i}", .open = "nodes",
     "what was searched needs the input"},
    {"minimal_nodes", OF_ANONYMIZE | OF_QUASI, "~[(i)]", .compare = mgl_claim_minimal_nodes,
     "minimal_nodes", NEEDS_INPUT},
    {"measure", OF_ANONYMIZE | OF_QUASI, "s", .compare = mgl_claim_measure},
    {"utility", OF_ANONYMIZE | OF_QUASI, "<N>", .compare = mgl_claim_utility, .open = "utility",
     NEEDS_ORIGINAL " (but for what follows from classes, and from figures.columns)"},
    {"microaggregation", OF_NONE, "{groups:i " SUMS "}", .compare = mgl_claim_averages,
     "microaggregation", NEEDS_ORIGINAL, .due = mgl_claim_averages_due},
    {"aggregation", OF_NONE, aggregation_shape, .compare = mgl_claim_aggregation,
     "aggregation.classes, aggregation.groups, aggregation.node, aggregation.exact, "
     "aggregation.columns.*.changed_cells, aggregation.columns.*.values_per_cell, "
     "aggregation.columns.*.sse, aggregation.columns.*.sst, aggregation.columns.*.sse_share, "
     "aggregation.columns.*.il1s",
     NEEDS_INPUT, .due = mgl_claim_aggregation_due},
    {"bound", OF_ANONYMIZE | OF_QUASI,
     "~{measure:s best_possible:N achieved:N gap:N exact:b ?proof:{sha256:d proves:n}}",
     .compare = mgl_claim_bound, .open = "bound.best_possible, bound.gap, bound.exact",
     NEEDS_INPUT},
    {"models", OF_BOTH | OF_QUASI, "*", .compare = mgl_claim_models},
    {"suppressed_above", OF_NONE, "{risk:n rows:i joined:i}", .compare = mgl_claim_above,
     "suppressed_above", NEEDS_INPUT, .due = mgl_claim_above_due},
    {"population", OF_NONE, "{known_by:s column:S fraction:N persons:n}",
     .compare = mgl_claim_population, .due = mgl_claim_population_due},
    {"risk", OF_ANONYMIZE | OF_LONE | OF_QUASI, "{" RISK " known:a ?sets:[{" RISK " known:a}]}",
     .compare = mgl_claim_risk},
    {"alone", OF_NONE, "{rows:I of:i known:a besides:a}", .compare = mgl_claim_alone,
     .due = mgl_claim_alone_due},
    {"reference_year", OF_NONE, "i", .open = "reference_year", "the year of the run",
     .due = mgl_claim_year_due},
    {"unchanged", OF_BOTH, "a", .compare = mgl_claim_unchanged},
    {"treatments", OF_NONE, "[{column:s treatment:s ?values_before:I ?values_after:I}]",
     .compare = mgl_claim_treatments, .open = "treatments.*.values_before", NEEDS_INPUT},
    {"linked", OF_NONE, "[{column:s follows:a found_by:s generalized_cells:I values_after:I}]",
     .compare = mgl_claim_linked, .open = "linked.*.generalized_cells", NEEDS_INPUT},
    {"items", OF_NONE, items_shape, .compare = mgl_claim_items,
     "items.items, items.occurrences, items.left_out, items.ncp, items.apriori_ncp, "
     "items.best_possible, items.exact, items.unknown_items, items.cut.*.leaves",
     NEEDS_INPUT, .due = mgl_claim_items_due},
    {"output", OF_BOTH, "s", .compare = mgl_claim_output},
    {"quasi_identifier", OF_BOTH, .shape = "a"},
    {"sensitive_values", OF_NONE, "{spelling:s missing:s ?notations:o}",
     .compare = compare_sensitive},
    {"entity", OF_NONE, "*", .brought_by = "entity"},
    {"entity_view", OF_NONE, "*", .brought_by = "entity-view"},
    {"seconds", OF_ANONYMIZE, "{read:n search:n write:n verify:n total:n}", .open = "seconds",
     "cannot be measured again"},
    {"warnings", OF_BOTH, "[{code:s message:s}]", .compare = mgl_claim_warnings},
    {"leaks", OF_BOTH, LEAKS, .compare = mgl_claim_leaks},
    {"guard", OF_BOTH,
     "{columns:[{column:s role:s looked_at:b ?by:s found:a}] "
     "pairs:{tested:i not_tested:[{columns:a reason:s}]} warnings:" LEAKS " accepted:a}",
     .compare = mgl_claim_guard},
    {"counts", OF_NONE, "{column:s rows:i once:i released_rows:I rows_sha256:S}",
     .compare = mgl_claim_counts, .open = "counts.rows, counts.once", NEEDS_INPUT,
     .brought_by = "count"},
    {"failing_rows", OF_NONE, "*", .compare = mgl_claim_failing, .open = "failing_rows",
     NEEDS_INPUT},
    {"failing_rows_count", OF_NONE, "*", .open = "failing_rows_count", NEEDS_INPUT},
    {"missing_matches", OF_NONE, "s", .due = matches_due},
    {"known_totals", OF_NONE, "<{suppressed_cells:i values:i inferred_cells:i best_guess:n}>",
     .compare = mgl_claim_totals, .open = "known_totals", NEEDS_INPUT, .due = mgl_claim_totals_due},
    {"history", OF_NONE, history_shape, .compare = mgl_claim_history, .open = "history",
     "needs the input and the earlier recodings", .brought_by = "history"},
    {"curve", OF_NONE, "[*]", .compare = mgl_claim_curve, .open = "curve", NEEDS_INPUT,
     .brought_by = "curve"},
    {"least_count", OF_NONE,
     "{n:i combinations:i regrouped:{combinations:i rows:i at_top:i} measure:s counted:N}",
     .compare = mgl_claim_least_count, .open = "least_count", NEEDS_INPUT,
     .brought_by = "least-count"},
    {"left_database", OF_NONE, left_shape, .compare = mgl_claim_left, .open = "left_database",
     "needs the database"},
    {"engine", OF_NONE, "*", .open = "engine", "needs the engine"}, /* the Python package adds it */
    {"figures", OF_ANONYMIZE | OF_LONE | OF_QUASI, figures_shape, .compare = mgl_claim_figures,
     "figures.before, figures.class_sizes.before, figures.columns.*.loss, "
     "figures.columns.*.rows_at_level, figures.columns.*.distribution, "
     "figures.sensitive.*.values, figures.sensitive.*.before, figures.lattice",
     NEEDS_INPUT " (but for sums)"},
    {"counted", OF_APPLY, "b", .compare = compare_counted},
    {"applied", OF_APPLY,
     "{recorded_rows:i new_rows:i uncovered_rows:i unplaced_rows:i treated_rows:i}",
     .compare = mgl_claim_applied, .open = "applied", "needs the input and the recoding"},
    {"with", OF_NONE, "{release:s rows:i}", .compare = mgl_claim_with,
     .open = "with.rows, audit.with", "needs the earlier release"},
    {"columns", OF_APPLY, "[{column:s role:s}]", .compare = mgl_claim_column_list},
    {"tops", OF_APPLY, .shape = "(s)"},
    {"sha256", OF_APPLY, "*", .compare = compare_sha256},
    {"rows_sha256", OF_NONE, "*", .compare = compare_rows_sha256},
    {"about", OF_NONE, "<*>", .compare = mgl_claim_about},
    {"audit", OF_BOTH, audit_shape, .compare = mgl_claim_audit},
};

enum { N_CLAIMS = sizeof claims / sizeof claims[0] };

/* Values of a result that follow from others: the same as one, or no more than the sum of several.
 * A rule whose first value is not there says nothing. found: what check found; described: the
 * columns of the file, described as in any result. */
static const char *const rules[] = {
    "quasi_identifier = described.quasi_identifier",
    "by = described.by",
    "missing_matches = found.missing_matches",
    "entity = audit.job.entity",
    "entity_view = audit.job.entity-view",
    "tops = audit.tops",
    "counts.column = audit.job.count",
    "left_out_rows = row_choice.where + row_choice.sample",
    "left_database.combinations <= rows",
    "left_database.once <= left_database.combinations",
    "least_count.measure = measure",
    "least_count.regrouped.rows <= rows",
    "least_count.regrouped.at_top <= least_count.regrouped.rows",
    "alone.known = quasi_identifier",
    "alone.of = released_rows",
    "bound.measure = measure",
    "figures.lattice.total = nodes.total",
    "figures.before.risk.expected_reidentifications = figures.before.classes.count",
    "items.best_possible <= items.ncp",
    "items.left_out.items <= items.items",
    "items.left_out.items <= items.left_out.occurrences",
    "items.left_out.occurrences <= items.occurrences",
    "items.left_out.emptied_rows <= items.left_out.occurrences",
};

static const json_t *value_at(const mgl_claims *c, const char *path)
{
    return strncmp(path, "found.", 6) == 0        ? mgl_claim_at(c->found, path + 6)
           : strncmp(path, "described.", 10) == 0 ? mgl_claim_at(c->described, path + 10)
                                                  : mgl_claim_at(c->claimed, path);
}

static void check_rule(mgl_claims *c, const char *rule)
{
    char what[MGL_CLAIM_NAME], operator[3], left[MGL_CLAIM_NAME], right[MGL_CLAIM_NAME] = "none";
    int n = sscanf(rule, "%199s %2s %199s + %199s", what, operator, left, right);
    const json_t *claimed = value_at(c, what), *one = value_at(c, left);
    double sum = json_number_value(one) + json_number_value(value_at(c, right));
    if (claimed == NULL)
        return;
    if (operator[0] == '<')
        mgl_claims_require(c, json_number_value(claimed) <= sum, what, claimed);
    else
        mgl_claims_agree(c, what, claimed, n == 3 ? json_incref((json_t *)one) : json_real(sum));
}

static void compare_section(mgl_claims *c, const claim *row)
{
    const json_t *claimed = json_object_get(c->claimed, row->key);
    unsigned here = !c->applied ? OF_ANONYMIZE : mgl_claims_with(c) ? OF_APPLY : OF_APPLY | OF_LONE;
    bool lacks = (row->always & OF_QUASI) != 0 && c->reading->n_quasi == 0;
    bool ruled = row->always != OF_NONE || row->due != NULL || row->brought_by != NULL;
    bool due = row->due != NULL          ? row->due(c)
               : row->brought_by != NULL ? json_object_get(c->job, row->brought_by) != NULL
                                         : (row->always & here) != 0 && !lacks;
    bool whole = !ruled || mgl_claims_due(c, row->key, claimed, due);
    whole = whole && (claimed == NULL || mgl_claims_shape(c, row->key, claimed, row->shape));
    if (whole && row->compare != NULL)
        row->compare(c, claimed);
    if (claimed != NULL && row->open != NULL) /* null: all of it is */
        mgl_claims_skip(c, json_is_null(claimed) ? row->key : row->open, row->why);
}

static void compare_all(mgl_claims *c)
{
    const char *key;
    json_t *value;
    for (size_t i = 0; i < N_CLAIMS && c->status == MGL_OK; i++)
        compare_section(c, &claims[i]);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        check_rule(c, rules[i]);
    json_object_foreach((json_t *)c->claimed, key, value)
    {
        size_t i = 0;
        while (i < N_CLAIMS && strcmp(claims[i].key, key) != 0)
            i++;
        if (i == N_CLAIMS && (mgl_claims_of_method(c, key) || mgl_features_report_key(key)))
            mgl_claims_skip(c, key, NEEDS_INPUT);
        else if (i == N_CLAIMS)
            mgl_claims_differ(c, key, "unknown", value, NULL);
    }
}

/* ---- The answer ---------------------------------------------------------------------------- */

static void warn(mgl_result *result, const json_t *difference)
{
    const char *what = mgl_json_text(difference, "what"), *kind = mgl_json_text(difference, "kind");
    if (what == NULL || kind == NULL) /* memory was out: there will be no result */
        return;
    const json_t *other = json_object_get(difference, "found");
    char *claimed = json_dumps(json_object_get(difference, "claimed"), JSON_ENCODE_ANY);
    char *found = json_dumps(other, JSON_ENCODE_ANY);
    const char *a = claimed != NULL ? claimed : "?", *b = found != NULL ? found : "?";
    if (strcmp(kind, "signature") == 0)
        mgl_result_warn(result, "differs", "signature: it is %.20s", json_string_value(other));
    else if (strcmp(kind, "missing") == 0)
        mgl_result_warn(result, "differs", "%s: missing from the result", what);
    else if (strcmp(kind, "unknown") == 0)
        mgl_result_warn(result, "differs", "%s: no result of this program has it", what);
    else if (strcmp(kind, "file") == 0)
        mgl_result_warn(result, "differs", "%s: the result claims %.200s, the file has %.200s",
                        what, a, b);
    else if (json_is_null(other))
        mgl_result_warn(result, "differs",
                        "%s: the result claims %.200s, which contradicts what else it says", what,
                        a);
    else
        mgl_result_warn(result, "differs", "%s: the result claims %.200s, and elsewhere %.200s",
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

static bool is_text(const json_t *object, const char *key, const char *text)
{
    const char *here = mgl_json_text(object, key);
    return here != NULL && strcmp(here, text) == 0;
}

static mgl_claims begin(const mgl_setup *setup, const mgl_result *result, mgl_error *err)
{
    const mgl_settings *settings = setup->reading->settings;
    const json_t *job = mgl_claim_at(settings->claimed.document, "audit.job");
    return (mgl_claims){.settings = settings,
                        .reading = setup->reading,
                        .task = setup->task,
                        .problem = &setup->task->problem,
                        .claimed = settings->claimed.document,
                        .audit = json_object_get(settings->claimed.document, "audit"),
                        .job = job,
                        .found = result->document,
                        .persons = json_object_get(job, "entity") != NULL &&
                                   settings->persons.column == NULL,
                        .joined = is_text(job, "entity-view", "joined"),
                        .applied = is_text(settings->claimed.document, "command", "apply"),
                        .linked = mgl_claims_linked(job),
                        .same_version = is_text(settings->claimed.document, "mingle", MGL_VERSION),
                        .differences = json_array(),
                        .not_compared = json_array(),
                        .err = err};
}

bool mgl_claims_linked(const json_t *job)
{
    const char *entity = mgl_json_text(job, "entity");
    const json_t *attributes = json_object_get(job, "attributes");
    return entity != NULL && mgl_json_text(json_object_get(attributes, entity), "treat") != NULL;
}

mgl_status mgl_against_compare(const mgl_setup *setup, const mgl_recoding *recoding,
                               const mgl_span *tops, mgl_error *err, mgl_result *result)
{
    mgl_claims c = begin(setup, result, err);
    mgl_result *described = NULL;
    mgl_status status = MGL_OK;
    c.recoding = recoding;
    c.tops = tops;
    MGL_GO(mgl_result_new("check", err, &described));
    mgl_result_add_columns(described, setup->reading);
    c.described = described->document;
    MGL_GO(mgl_claims_count(&c, err));
    MGL_GO(mgl_claims_file(&c, err));
    MGL_GO(mgl_claims_guard(&c, err));
    compare_all(&c);
    MGL_GO(c.status);
    check_signature(&c);
    report(&c, result);
done:
    json_decref(c.differences);
    json_decref(c.not_compared);
    mgl_objections_free(&c.objections);
    mgl_result_free(described);
    return status;
}
