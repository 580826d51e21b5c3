/* check --against: compares every section of a result, one row of a table each. What is missing,
 * unknown, or differs from the file or from the rest of the result fails; what cannot be recomputed
 * is named.
 *
 * A new key of a result needs a row here, or in the table of its feature: an unknown key fails
 * every audit. */
#include "command/audit/audit.h"
#include "command/audit/sections.h"

#include <stdio.h>
#include <stdlib.h>

#define CLASSES "{count:i min:i mean:n max:i}"
#define RISK "prosecutor_max:N prosecutor_mean:N uniques:i expected_reidentifications:n"
#define BINS "[{from:i to:i classes:i rows:i}]"
#define LEAKS "[{code:s column:s ?with:s message:s}]"
#define CLOSENESS "{distinct_values:[i] distances:[i]}"
#define FILE_SHAPE "{name:s bytes:i sha256:d}"
#define COMBINATIONS                                                                               \
    "{values:i rows:i combinations:[{columns:a values:i rows:i}] combinations_left_out:i "         \
    "tuples:[{rows:i outliers:[a] outliers_left_out:i ?suppressed:a}] tuples_left_out:i}"

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
    "{input:~{name:s bytes:I sha256:D} job:o hierarchies:(*) columns:[{column:s role:s released:b "
    "?values_before:i ?values_after:i}] tops:(s) sensitive:<{values:a levels:[a] protected:[a]}> "
    "release:O ?policy:a ?recoding:" FILE_SHAPE " ?with:" FILE_SHAPE "}";

#define QUASI MGL_OF_QUASI
#define OF_INPUT MGL_OF_INPUT
#define INPUT MGL_CLAIM_INPUT

static const mgl_claim sections[] = {
    {"confidential", MGL_OF_BOTH, .shape = "s"},
    {"mingle", MGL_OF_BOTH, .shape = "s", .open = "mingle",
     "no release shows which version wrote it"},
    {"schema", MGL_OF_BOTH, .shape = "*"},
    {"command", MGL_OF_BOTH, .shape = "s"},
    {"method", MGL_OF_BOTH | QUASI, .shape = "s"},
    {"rows", MGL_OF_BOTH, .shape = "i"},
    {"released_rows", MGL_OF_BOTH, .shape = "i"},
    {"suppressed_rows", MGL_OF_BOTH, .shape = "i"},
    {"left_out_rows", MGL_OF_NONE, .shape = "i", .open = "left_out_rows", INPUT,
     .due = "job.where or job.sample"},
    {"row_choice", MGL_OF_NONE, .shape = "{read:i where:i sample:i}", .open = "row_choice", INPUT,
     .due = "job.where or job.sample"},
    {"classes", MGL_OF_ANONYMIZE | MGL_OF_LONE | QUASI, .shape = CLASSES},
    {"node", MGL_OF_BOTH | QUASI, .shape = "~(i)"},
    {"levels", MGL_OF_ANONYMIZE | QUASI, "~(i)", .compare = mgl_claim_levels},
    {"heights", MGL_OF_BOTH | QUASI, .shape = "~(i)"},
    {"hierarchies", MGL_OF_ANONYMIZE | QUASI, "({hierarchy:s builder:s ?resolved:s})",
     .compare = mgl_claim_hierarchies, .open = "hierarchies.*.hierarchy, hierarchies.*.builder",
     "whether it was given or proposed, and what a builder took from the values, needs the input"},
    {"suppressed_cells", MGL_OF_ANONYMIZE | QUASI, .shape = "~(i)"},
    {"unsafe_combinations", MGL_OF_NONE, "{before:" COMBINATIONS " after:~" COMBINATIONS "}",
     .compare = mgl_claim_unsafe,
     "unsafe_combinations.before, unsafe_combinations.after.tuples, "
     "unsafe_combinations.after.tuples_left_out, unsafe_combinations.after.combinations_left_out, "
     "unsafe_combinations.after.rows",
     INPUT, .due = "is.lists_combinations and !is.by and !is.applied and is.any_level"},
    {"mixture", MGL_OF_NONE, "{levels:b suppressed:b made:S}", .compare = mgl_claim_mixture,
     .due = "node = null and !is.applied"},
    {"nodes", MGL_OF_ANONYMIZE | QUASI, .shape = "{total:i checked:i}", .open = "nodes",
     "what was searched needs the input"},
    {"minimal_nodes", MGL_OF_ANONYMIZE | QUASI | OF_INPUT, .shape = "~[(i)]",
     .open = "minimal_nodes", INPUT},
    {"measure", MGL_OF_ANONYMIZE | QUASI, "s", .compare = mgl_claim_measure},
    {"utility", MGL_OF_ANONYMIZE | QUASI, "<N>", .compare = mgl_claim_utility, .open = "utility",
     MGL_CLAIM_ORIGINAL " (but for what follows from classes, and from figures.columns)"},
    {"microaggregation", MGL_OF_NONE, "{groups:i " MGL_CLAIM_SUMS "}", .open = "microaggregation",
     MGL_CLAIM_ORIGINAL, .due = "is.may_average and microaggregation due or is.averages"},
    {"bound", MGL_OF_ANONYMIZE | QUASI | OF_INPUT,
     .shape = "~{measure:s best_possible:N achieved:N gap:N exact:b ?proof:{sha256:d proves:n}}",
     .open = "bound.best_possible, bound.gap, bound.exact", INPUT},
    {"models", MGL_OF_BOTH | QUASI, "*", .compare = mgl_claim_models},
    {"suppressed_above", MGL_OF_NONE, .shape = "{risk:n rows:i joined:i}",
     .open = "suppressed_above", INPUT, .due = "job.suppress-above and !is.applied"},
    {"risk", MGL_OF_ANONYMIZE | MGL_OF_LONE | QUASI,
     .shape = "{" RISK " known:a ?sets:[{" RISK " known:a}]}"},
    {"alone", MGL_OF_NONE, "{rows:I of:i known:a besides:a}", .compare = mgl_claim_alone,
     .due = "count(is.besides) > 0 and !engine due and !counts due"},
    {"reference_year", MGL_OF_NONE, .shape = "i", .open = "reference_year", "the year of the run",
     .due = "job.policy = 'hipaa-safe-harbor'"},
    {"unchanged", MGL_OF_BOTH, "a", .compare = mgl_claim_unchanged},
    {"output", MGL_OF_BOTH, .shape = "s"},
    {"quasi_identifier", MGL_OF_BOTH, .shape = "a"},
    {"sensitive_values", MGL_OF_NONE, .shape = "{spelling:s missing:s ?notations:o}"},
    {"seconds", MGL_OF_ANONYMIZE | OF_INPUT, .shape = "{read:n search:n write:n verify:n total:n}",
     .open = "seconds", "cannot be measured again"},
    {"warnings", MGL_OF_BOTH, "[{code:s message:s}]", .compare = mgl_claim_warnings},
    {"leaks", MGL_OF_BOTH, LEAKS, .compare = mgl_claim_leaks},
    {"guard", MGL_OF_BOTH | OF_INPUT,
     "{columns:[{column:s role:s looked_at:b ?by:s found:a}] "
     "pairs:{tested:i not_tested:[{columns:a reason:s}]} warnings:" LEAKS " accepted:a}",
     .compare = mgl_claim_guard},
    {"failing_rows", MGL_OF_NONE, .shape = "*", .open = "failing_rows", INPUT},
    {"failing_rows_count", MGL_OF_NONE, .shape = "*", .open = "failing_rows_count", INPUT},
    {"missing_matches", MGL_OF_NONE, .shape = "s", .due = "found.missing_matches due"},
    {"known_totals", MGL_OF_NONE,
     .shape = "<{suppressed_cells:i values:i inferred_cells:i best_guess:n}>",
     .open = "known_totals", INPUT, .due = "levels due and levels != null"},
    {"curve", MGL_OF_NONE, "[*]", .compare = mgl_claim_curve, .open = "curve", INPUT,
     .due = "job.curve due"},
    {"left_database", MGL_OF_NONE, .shape = left_shape, .open = "left_database",
     "needs the database"},
    {"engine", MGL_OF_NONE, .shape = "*", .open = "engine",
     "needs the engine"}, /* the Python package adds it */
    {"figures", MGL_OF_ANONYMIZE | MGL_OF_LONE | QUASI | OF_INPUT, figures_shape,
     .compare = mgl_claim_figures,
     "figures.before, figures.class_sizes.before, figures.columns.*.loss, "
     "figures.columns.*.rows_at_level, figures.columns.*.distribution, "
     "figures.sensitive.*.values, figures.sensitive.*.before, figures.lattice",
     INPUT " (but for sums)"},
    {"counted", MGL_OF_APPLY, .shape = "b"},
    {"applied", MGL_OF_APPLY,
     .shape = "{recorded_rows:i new_rows:i uncovered_rows:i unplaced_rows:i treated_rows:i}",
     .open = "applied", "needs the input and the recoding"},
    {"with", MGL_OF_NONE, .shape = "{release:s rows:i}", .open = "with.rows, audit.with",
     "needs the earlier release"},
    {"columns", MGL_OF_APPLY, "[{column:s role:s}]", .compare = mgl_claim_column_list},
    {"tops", MGL_OF_APPLY, .shape = "(s)"},
    {"sha256", MGL_OF_APPLY, .shape = "*"},
    {"rows_sha256", MGL_OF_NONE, .shape = "*"},
    {"about", MGL_OF_NONE, "<*>", .compare = mgl_claim_about},
    {"audit", MGL_OF_BOTH, audit_shape, .compare = mgl_claim_audit},
    {.key = NULL}};

#define PERSONS MGL_CLAIM_PERSONS
#define FILES "needs these files; sha256sum FILE"

/* What cannot be recomputed of some results. */
static const mgl_claim_open opens[] = {
    {"classes", PERSONS, "classes and is.persons"},
    {"risk", PERSONS, "risk and is.persons"},
    {"figures.class_sizes.after, figures.sensitive.*.after", PERSONS, "figures and is.persons"},
    {"figures.sensitive.*.after.distances", "distances to the values of all rows need the input",
     "figures.sensitive and !is.persons and rows != file.rows"},
    {"node, heights", "needs the recoding", "is.applied and heights due"},
    {"bound.proof", "`check` with `proof: FILE` and `against: RESULT`", "bound.proof"},
    {"audit.input.bytes, audit.input.sha256, audit.recoding.bytes, audit.recoding.sha256, "
     "audit.hierarchies",
     FILES, "is.applied"},
    {"audit.input.bytes, audit.input.sha256, audit.hierarchies.*.bytes, "
     "audit.hierarchies.*.sha256",
     FILES, "!is.applied"},
    {"audit.columns, audit.columns.*.values_before",
     "columns that are not released, and values before, need the input", "audit"},
    {"audit.tops", "where no cell is suppressed, needs the hierarchies", "audit"},
    {.what = NULL}};

static const char *const rules[] = {
    /* what stands in every result */
    "confidential = is.confidential if is.same_version", "mingle != ''",
    "command = 'anonymize' if !is.applied", "method = is.method",
    "quasi_identifier = described.quasi_identifier", "missing_matches = found.missing_matches",
    "sensitive_values due if described.sensitive_values due",
    "sensitive_values.spelling = described.sensitive_values.spelling",
    "sensitive_values.missing = described.sensitive_values.missing",
    "sensitive_values.notations.<c> = described.sensitive_values.notations.<c>",
    /* rows */
    "rows = released_rows + suppressed_rows if is.drops", "rows = file.rows if !is.drops",
    "released_rows = file.rows", "suppressed_rows = found.suppressed_rows if !is.drops",
    "suppressed_rows <= suppressed_above.rows + suppressed_above.joined + is.limit if is.limited",
    "suppressed_above.risk = number(job.suppress-above)",
    "suppressed_above.rows <= suppressed_rows - suppressed_above.joined if !is.all_top",
    "left_out_rows = row_choice.where + row_choice.sample",
    "row_choice.read = counts.rows | rows + row_choice.where + row_choice.sample",
    "row_choice.where = 0 if !job.where", "row_choice.sample = 0 if !job.sample",
    /* a sample of so many rows leaves no more; one of persons may */
    "row_choice.sample = max(0, rows + row_choice.sample - whole(job.sample)) "
    "if whole(job.sample) and !job.entity",
    "left_database.combinations <= rows", "left_database.once <= left_database.combinations",
    /* rows were left out by the engine, or after they left it */
    "left_database.rows = 0 if left_database.rows != rows and "
    "left_database.rows != rows + row_choice.sample and "
    "left_database.rows != rows + row_choice.sample + row_choice.where",
    "alone.known = quasi_identifier", "alone.of = released_rows", "alone.besides = is.besides",
    /* classes and risk; persons are not in the file, and none of their classes has more than rows
     */
    "classes = found.classes if !is.persons",
    "classes.count = found.classes.count if is.persons and !is.joined",
    "classes.min <= found.classes.min if is.persons",
    "classes.max <= found.classes.max if is.persons",
    "classes.mean <= found.classes.mean if is.persons and !is.joined",
    "risk = found.risk if !is.persons", "risk.known = found.risk.known if is.persons",
    "risk.prosecutor_max = 1 / classes.min if is.persons",
    "risk.uniques >= 1 if is.persons and classes.min = 1",
    "risk.uniques = 0 if is.persons and classes.min != 1",
    "risk.sets due if found.risk.sets due and is.persons or risk.sets due and !is.persons",
    "count(risk.sets) = count(found.risk.sets) if is.persons",
    "risk.sets.<s>.known = found.risk.sets.<s>.known",
    "risk.sets.<s>.prosecutor_max <= risk.prosecutor_max",
    "risk.sets.<s>.prosecutor_mean <= risk.sets.<s>.prosecutor_max",
    "risk.sets.<s>.uniques <= risk.uniques",
    /* levels and cells */
    "node.<q> <= heights.<q>", "node.<q> != heights.<q> if file.top_cells.<q> < file.rows",
    "levels.<q> <= heights.<q>", "heights.<q> >= 1",
    "heights != null if !is.applied or node != null", /* tuples of their own have no levels */
    "count(minimal_nodes) = kinds(minimal_nodes)", "minimal_nodes.<n>.<q> <= heights.<q>",
    "suppressed_cells = null if node", "suppressed_cells != null if !node",
    "suppressed_cells.<q> = file.lone_cells.<q> if levels.<q> != heights.<q>",
    "suppressed_cells.<q> = 0 if levels and levels.<q> = heights.<q>",
    /* the measure, its bound and other k */
    "bound.measure = measure", "bound.achieved = utility.(measure)",
    "bound.gap ~ abs(bound.best_possible - bound.achieved) if bound.achieved",
    "bound.best_possible ~ bound.achieved if bound.exact and bound.achieved",
    "bound.best_possible >= bound.achieved if is.higher_is_better and bound.achieved",
    "bound.best_possible <= bound.achieved if !is.higher_is_better and bound.achieved",
    "bound.proof due if bound and job.save-proof", "audit.job.curve = texts(curve.*.k)",
    "keys(curve.<k>.utility) = keys(utility)",
    "curve.<k>.suppressed_rows = suppressed_rows if curve.<k>.k = is.k",
    "curve.<k>.classes = classes if curve.<k>.k = is.k",
    "curve.<k>.utility = utility if curve.<k>.k = is.k", "microaggregation.groups >= file.groups",
    "microaggregation.sse ~ microaggregation.sse_share * microaggregation.sst "
    "if microaggregation.sse_share",
    "microaggregation.sst <= 0 if !microaggregation.sse_share",
    /* suppressed cells that a total gives back: the most frequent of so many values */
    "known_totals.<q> needed if known_totals and levels.<q> != heights.<q> and "
    "file.lone_cells.<q> > 0",
    "known_totals.<c>.suppressed_cells <= file.top_cells.<c>", "known_totals.<c>.values >= 1",
    "known_totals.<c>.values <= known_totals.<c>.suppressed_cells",
    "known_totals.<c>.inferred_cells = known_totals.<c>.suppressed_cells "
    "if known_totals.<c>.values = 1",
    "known_totals.<c>.inferred_cells = 0 if known_totals.<c>.values != 1",
    "known_totals.<c>.best_guess = round(known_totals.<c>.best_guess * "
    "known_totals.<c>.suppressed_cells) / known_totals.<c>.suppressed_cells",
    "known_totals.<c>.best_guess >= 1 / known_totals.<c>.values",
    "known_totals.<c>.best_guess <= 1",
    /* models that do not hold, which the job must accept */
    "failing_rows needed if is.breaks", "failing_rows only if is.breaks or is.breaks_jointly",
    "failing_rows_count due if failing_rows due", "audit.job.accept needed if is.breaks",
    /* a recoding that was applied; rows that are kept count against the limit if they were treated
     */
    "counted = false",
    "rows = applied.recorded_rows + applied.new_rows + applied.uncovered_rows + "
    "applied.unplaced_rows if applied",
    "applied.treated_rows <= suppressed_rows if !is.all_top", "applied.treated_rows <= rows",
    "applied.treated_rows <= is.limit if job.suppress due or !is.own_limit",
    "suppressed_rows <= is.limit if applied.treated_rows > 0 and !is.keeps and job.suppress due or "
    "applied.treated_rows > 0 and !is.keeps and !is.own_limit",
    "tops = audit.tops", "with only if is.applied", "rows_sha256 only if is.applied",
    "sha256 = audit.release.sha256 if audit.release.sha256 due or sha256 != null and sha256 != ''",
    "rows_sha256 = audit.release.rows_sha256 "
    "if audit.release.rows_sha256 due or rows_sha256 != null and rows_sha256 != ''",
    /* the audit trail */
    "file_names(output) = file_names(job.output) if job.output due",
    "file_names(output) = file_names(audit.release.name) if audit.release.name due",
    "audit.input.bytes != null if !is.withheld", "audit.input.sha256 != null if !is.withheld",
    "audit.recoding due if is.applied", "audit.job.recoding due if is.applied",
    "audit.recoding.name = file_names(job.recoding)", "audit.policy due if job.policy due",
    "audit.with due if with due", "audit.with.name = file_names(with.release)",
    "audit.columns.<c>.values_before due if audit.columns.<c>.role = 'quasi' and !is.withheld",
    "audit.columns.<c>.values_after due if audit.columns.<c>.role = 'quasi'",
    "audit.columns.<q>.values_after = file.values.<q>",
    /* the classes of the input, which only the database knows where it regrouped them */
    "figures.before.classes = null if is.regrouped",
    "figures.before.classes != null if !is.regrouped", "figures.before.risk = null if is.regrouped",
    "figures.before.risk != null if !is.regrouped",
    "figures.class_sizes.before = null if is.regrouped",
    "figures.class_sizes.before != null if !is.regrouped",
    "count(figures.class_sizes.before) = count(figures.class_sizes.after) if !is.regrouped",
    "figures.class_sizes.before.<b>.from = figures.class_sizes.after.<b>.from",
    "figures.class_sizes.before.<b>.to = figures.class_sizes.after.<b>.to",
    "figures.class_sizes.before.<b>.rows >= "
    "figures.class_sizes.before.<b>.from * figures.class_sizes.before.<b>.classes",
    "figures.class_sizes.before.<b>.rows <= "
    "figures.class_sizes.before.<b>.to * figures.class_sizes.before.<b>.classes",
    "figures.class_sizes.before.<b>.from >= 1",
    "figures.class_sizes.before.<b>.from <= figures.before.classes.max "
    "if figures.class_sizes.before.<b>.classes > 0",
    "figures.class_sizes.before.<b>.to >= figures.before.classes.min "
    "if figures.class_sizes.before.<b>.classes > 0",
    "figures.before.classes.max > figures.class_sizes.before.<b>.to "
    "if figures.class_sizes.before.<b>.classes = 0 and "
    "figures.class_sizes.before.<b>.from <= figures.before.classes.max",
    "figures.before.classes.max <= max(figures.class_sizes.before.*.to)",
    "figures.before.classes.count = sum(figures.class_sizes.before.*.classes)",
    "figures.before.classes.mean = sum(figures.class_sizes.before.*.rows) / "
    "sum(figures.class_sizes.before.*.classes)",
    "rows = sum(figures.class_sizes.before.*.rows) if figures.class_sizes.before and !job.entity "
    "due",
    "figures.before.risk.uniques = figures.class_sizes.before.0.classes",
    "figures.before.risk.prosecutor_mean = figures.before.classes.count / "
    "sum(figures.class_sizes.before.*.rows)",
    "figures.before.risk.prosecutor_max = 1 / figures.before.classes.min",
    "figures.before.risk.expected_reidentifications = figures.before.classes.count",
    "figures.threshold due if figures and !is.applied",
    "figures.threshold = max(2, is.k) if is.k > 1",
    "figures.threshold = max(2, classes.min) if !is.k or is.k <= 1",
    /* the cells of each column, by level and by value */
    "figures.columns due if figures and !is.applied", "figures.sensitive only if !is.applied",
    "figures.columns.*.column = is.quasi", "figures.columns.<q>.height = heights.<q>",
    "figures.columns.<q>.precision = null if figures.columns.<q>.rows_made > 0",
    "figures.columns.<q>.precision != null if figures.columns.<q>.rows_made = 0 and "
    "!is.without_precision.<q>",
    "count(figures.columns.<q>.rows_at_level) = figures.columns.<q>.height + 1",
    "rows = sum(figures.columns.<q>.rows_at_level) + figures.columns.<q>.rows_made + "
    "figures.columns.<q>.rows_dropped if figures.columns",
    "figures.columns.<q>.rows_dropped = rows - file.rows",
    /* a top that is also the label of a lower level counts there */
    "last(figures.columns.<q>.rows_at_level) = file.top_cells.<q> "
    "if last(figures.columns.<q>.rows_at_level) > 0",
    "rows = sum(figures.columns.<q>.distribution.groups.*.after) + "
    "figures.columns.<q>.distribution.pooled.after + figures.columns.<q>.distribution.coarser + "
    "figures.columns.<q>.distribution.dropped if figures.columns",
    "rows = sum(figures.columns.<q>.distribution.groups.*.before) + "
    "figures.columns.<q>.distribution.pooled.before if figures.columns and !is.regrouped",
    "figures.columns.<q>.distribution.pooled.before >= 1 "
    "if figures.columns.<q>.distribution.pooled.values > 0",
    "figures.columns.<q>.distribution.pooled.before = 0 "
    "if figures.columns.<q>.distribution.pooled.values = 0",
    "figures.columns.<q>.distribution.dropped = rows - file.rows",
    /* sensitive values: as many kinds as after, and no more persons than rows */
    "count(figures.sensitive.<s>.before.distinct_values) = "
    "count(figures.sensitive.<s>.after.distinct_values)",
    "count(figures.sensitive.<s>.before.distances) = count(figures.sensitive.<s>.after.distances)",
    "sum(figures.sensitive.<s>.before.distinct_values) <= rows",
    "sum(figures.sensitive.<s>.before.distances) <= rows",
    "figures.sensitive: distances: sum(figures.sensitive.<s>.after.distances) = "
    "sum(figures.sensitive.<s>.after.distinct_values) if !is.persons and rows != file.rows",
    /* the lattice: as many nodes hold as are claimed, and the chosen one has the suppressed rows */
    "figures.lattice due if figures and !is.applied and node",
    "figures.lattice.total = nodes.total",
    "figures.lattice.total = count(figures.lattice.nodes) if figures.lattice.nodes due",
    "figures.lattice.holding = true(figures.lattice.nodes.*.holds)",
    "figures.lattice.nodes.<n>.suppressed_rows <= rows",
    "figures.lattice.nodes.<n>.suppressed_rows = suppressed_rows "
    "if figures.lattice.nodes.<n>.levels = figures.lattice.chosen and !suppressed_above due",
    NULL};

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

static void note(mgl_claims *c, const char *key, bool is)
{
    mgl_json_set(c->is, key, json_boolean(is));
}

/* At the cell level rows that are kept have no limit; methods that suppress single cells, or rows
 * by rules of their own, have none unless the job gives one. Strata have a limit each. */
static void note_limit(mgl_claims *c)
{
    const mgl_settings *s = c->settings;
    const char *given = mgl_json_text(c->job, "suppress");
    bool levels = json_is_object(json_object_get(c->claimed, "node")), own = s->method->own_limit;
    mgl_json_set(c->is, "limit",
                 mgl_json_count(mgl_limit_of(given, mgl_json_whole(c->claimed, "rows"))));
    note(c, "own_limit", own);
    note(c, "limited",
         !c->applied && (given != NULL || (!own && levels)) &&
             (s->treatment != MGL_KEEP || levels) && c->top_rows != c->rows &&
             mgl_settings_held(s) == 0);
}

/* Strata, several sets and aggregated columns have sections of their own, and suppressed rows are
 * in no group. */
static void note_columns(mgl_claims *c)
{
    json_t *names = json_array(), *without = json_object();
    bool averages = c->settings->method->averages, any = false;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        bool level = (mgl_claims_of_column(c, column) & MGL_CLAIM_NO_LEVEL) == 0;
        any = any || level;
        mgl_json_append(names, json_string(column));
        mgl_json_set(without, column, json_boolean(averages || !level));
    }
    mgl_json_set(c->is, "quasi", names);
    mgl_json_set(c->is, "without_precision", without);
    note(c, "any_level", any);
    note(c, "may_average", averages && !c->applied);
    note(c, "averages",
         averages && !c->applied && mgl_settings_held(c->settings) == 0 &&
             c->settings->n_quasi <= 1 && c->top_rows < c->rows &&
             json_object_get(c->claimed, "aggregation") == NULL);
}

/* What rules ask of the audit. */
static void note_how(mgl_claims *c)
{
    const mgl_settings *s = c->settings;
    const char *key = mgl_json_text(c->claimed, "measure");
    const mgl_measure_type *measure = key != NULL ? mgl_measure_type_find_key(key) : NULL;
    note(c, "persons", c->persons);
    note(c, "joined", c->joined);
    note(c, "applied", c->applied);
    note(c, "same_version", c->same_version);
    note(c, "drops", s->treatment == MGL_DROP);
    note(c, "keeps", s->treatment == MGL_KEEP);
    note(c, "all_top", c->top_rows == c->rows);
    note(c, "by", mgl_settings_held(s) > 0);
    note(c, "regrouped", mgl_claims_condition(c, "least_count.regrouped.rows > 0"));
    note(c, "lists_combinations", mgl_claims_of_method(c, "unsafe_combinations"));
    note(c, "higher_is_better", measure != NULL && measure->higher_is_better);
    note(c, "breaks", !mgl_claims_all_hold(json_object_get(c->claimed, "models")));
    note(c, "breaks_jointly", !mgl_claims_all_hold(mgl_claim_at(c->claimed, "history.models")));
    mgl_json_set(c->is, "confidential", json_string(MGL_CONFIDENTIAL));
    mgl_json_set(c->is, "method", json_string(s->method->name));
    if (!s->no_k)
        mgl_json_set(c->is, "k", mgl_json_count(s->k));
    note_limit(c);
    note_columns(c);
    mgl_json_set(c->is, "besides", mgl_claims_besides(c));
}

/* Is it the key of a section, of whatever feature? */
static bool is_known(const char *key)
{
    bool known = mgl_claims_has_row(sections, key);
    for (const mgl_feature *const *f = mgl_features; *f != NULL && !known; f++)
        known = (*f)->audit != NULL && mgl_claims_has_row((*f)->audit->sections, key);
    return known;
}

static void compare_all(mgl_claims *c)
{
    const char *key;
    json_t *value;
    note_how(c);
    for (const mgl_feature *const *f = mgl_features; *f != NULL && c->status == MGL_OK; f++)
        if ((*f)->audit != NULL && (*f)->audit->count != NULL)
            (*f)->audit->count(c);
    mgl_claims_table(c, sections, opens, rules);
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->audit != NULL)
            mgl_claims_table(c, (*f)->audit->sections, (*f)->audit->opens, (*f)->audit->rules);
    json_object_foreach((json_t *)c->claimed, key, value)
    {
        bool known = is_known(key);
        if (!known && mgl_claims_of_method(c, key))
            mgl_claims_skip(c, key, INPUT);
        else if (!known)
            mgl_claims_differ(c, key, "unknown", value, NULL);
    }
}

static bool all_hold(const mgl_claims *c)
{
    return (c->persons || mgl_claims_with(c) ||
            mgl_claims_all_hold(json_object_get(c->found, "models"))) &&
           mgl_claims_all_hold(json_object_get(c->claimed, "models"));
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
    result->holds = n == 0 && all_hold(c);
    for (size_t i = 0; i < n; i++)
        warn(result, json_array_get(c->differences, i));
}

static mgl_claims begin(const mgl_setup *setup, const mgl_result *result, mgl_error *err)
{
    const mgl_settings *settings = setup->reading->settings;
    const json_t *job = mgl_claim_at(settings->claimed.document, "audit.job");
    return (mgl_claims){
        .settings = settings,
        .reading = setup->reading,
        .task = setup->task,
        .problem = &setup->task->problem,
        .claimed = settings->claimed.document,
        .audit = json_object_get(settings->claimed.document, "audit"),
        .job = job,
        .found = result->document,
        .persons = json_object_get(job, "entity") != NULL && settings->persons.column == NULL,
        .joined = mgl_json_is(job, "entity-view", "joined"),
        .applied = mgl_json_is(settings->claimed.document, "command", "apply"),
        .follows_persons = mgl_claims_follow_persons(job),
        .same_version = mgl_json_is(settings->claimed.document, "mingle", MGL_VERSION),
        .file = json_object(),
        .is = json_object(),
        .differences = json_array(),
        .not_compared = json_array(),
        .err = err};
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
    MGL_GO(mgl_json_complete(c.file) && mgl_json_complete(c.is) ? MGL_OK : mgl_fail_memory(err));
    /* If the job asks for a signature, nothing is confirmed without one. */
    const char *state = c.settings->claimed.signature;
    json_t *found = json_string(state);
    if (strcmp(state, "bad") == 0 || strcmp(state, "missing") == 0)
        mgl_claims_differ(&c, "signature", "signature", NULL, found);
    json_decref(found);
    report(&c, result);
done:
    json_decref(c.file);
    json_decref(c.is);
    json_decref(c.differences);
    json_decref(c.not_compared);
    mgl_objections_free(&c.objections);
    mgl_result_free(described);
    return status;
}
