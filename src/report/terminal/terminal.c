/* Makes a short summary of a result for a terminal: what was promised and what was found, and the
 * sections in their order. */
#include "report/words/words.h"
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

static void show_model(mgl_page *page, const json_t *model)
{
    bool holds = json_is_true(json_object_get(model, "holds"));
    mgl_buffer name = {0}, found = {0}, measured = {0};
    mgl_model_words(model, &name);
    mgl_page_take(page, &name);
    mgl_page_add(page, " ");
    mgl_page_ink(page, holds ? MGL_INK_GOOD : MGL_INK_BAD, holds ? "holds" : "does not hold");
    if (!holds)
        mgl_violations_words(model, &found);
    mgl_page_add(page, "%s", found.size > 0 ? ": " : "");
    mgl_page_take(page, &found);
    mgl_measured_words(model, &measured);
    bool any = measured.size > 0;
    mgl_page_add(page, "%s", any ? " (" : "");
    mgl_page_take(page, &measured);
    mgl_page_add(page, "%s", any ? ")" : "");
    mgl_page_end(page);
}

static void show_models(mgl_page *page, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    for (size_t i = 0; i < json_array_size(models); i++) {
        mgl_page_label(page, i == 0 ? "privacy" : "");
        show_model(page, json_array_get(models, i));
    }
    /* Rows that were released before, with which the models hold. */
    const json_t *with = json_object_get(document, "with");
    if (mgl_json_text(with, "release") != NULL)
        mgl_page_fact(page, "", with, "together with the {rows:.0f} rows of {release}, not alone");
    if (mgl_json_is_number(document, "k"))
        mgl_page_fact(page, "k", document,
                      json_object_get(document, "missing_matches") != NULL
                          ? "{k:.0f}, the fewest rows that match one"
                          : "{k:.0f}, the smallest class");
}

static void show_tests(mgl_page *page, const json_t *tests)
{
    for (size_t i = 0; i < json_array_size(tests); i++) {
        const json_t *test = json_array_get(tests, i);
        bool holds = json_is_true(json_object_get(test, "holds"));
        const char *name = mgl_json_text(test, "test"), *found = mgl_json_text(test, "found");
        mgl_page_ink(page, holds ? MGL_INK_GOOD : MGL_INK_BAD, holds ? "pass" : "FAIL");
        mgl_page_add(page, "  %.400s%s", name != NULL ? name : "?",
                     found != NULL && found[0] != '\0' ? ": " : "");
        mgl_page_text(page, found != NULL ? found : "");
        mgl_page_end(page);
    }
}

enum { LONGEST_REASON = 200 };

static void show_signature(mgl_page *page, const char *state)
{
    bool good = state != NULL && strcmp(state, "verified") == 0,
         bad = state != NULL && (strcmp(state, "bad") == 0 || strcmp(state, "missing") == 0);
    if (state == NULL)
        return;
    mgl_page_label(page, "signature");
    if (good || bad)
        mgl_page_ink(page, good ? MGL_INK_GOOD : MGL_INK_BAD, state);
    else
        mgl_page_add(page, "%.40s", state);
    if (strcmp(state, "not verified") == 0)
        mgl_page_add(page, "; `verify-key: PUB` does that");
    mgl_page_end(page);
}

/* Why a claim is left open, "KEYS: why"; NULL: it is no such text. */
static const char *reason_of(const json_t *claim)
{
    const char *text = json_string_value(claim), *colon = text != NULL ? strstr(text, ": ") : NULL;
    return colon != NULL ? colon + 2 : NULL;
}

/* The number of the first claim that is left open for the same reason. */
static size_t first_with(const json_t *claims, const char *why)
{
    size_t i = 0;
    for (; i < json_array_size(claims); i++) {
        const char *here = reason_of(json_array_get(claims, i));
        if (here != NULL && strcmp(here, why) == 0)
            break;
    }
    return i;
}

/* The keys of all claims that are left open for one reason. */
static void show_keys(mgl_page *page, const json_t *claims, size_t first, const char *why)
{
    for (size_t i = first; i < json_array_size(claims); i++) {
        const char *text = json_string_value(json_array_get(claims, i)),
                   *here = reason_of(json_array_get(claims, i));
        if (here != NULL && strcmp(here, why) == 0)
            mgl_page_add(page, "%s%.*s", i > first ? ", " : "", (int)(here - text) - 2, text);
    }
}

/* Claims that the release cannot prove, with the reason: a line for each reason. */
static void show_left_open(mgl_page *page, const json_t *claims)
{
    bool labelled = false;
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const char *why = reason_of(json_array_get(claims, i));
        if (why == NULL || first_with(claims, why) != i)
            continue;
        mgl_page_label(page, labelled ? "" : "left open");
        show_keys(page, claims, i, why);
        /* A list in a reason can be long, as that of the keys of a job is: JSON has it. */
        const char *list = strlen(why) > LONGEST_REASON ? strstr(why, ": ") : NULL;
        if (list != NULL)
            mgl_page_add(page, ": %.*s (`json` lists them)", (int)(list - why), why);
        else
            mgl_page_add(page, ": %s", why);
        mgl_page_end(page);
        labelled = true;
    }
}

/* How the release compares with the claims of its result. */
static void show_against(mgl_page *page, const json_t *document)
{
    const json_t *against = json_object_get(document, "against");
    const char *file = mgl_json_text(against, "result");
    if (file == NULL)
        return;
    mgl_page_label(page, "result");
    if (json_is_true(json_object_get(against, "agrees")))
        mgl_page_ink(page, MGL_INK_GOOD, "agrees");
    else
        mgl_page_ink(page, MGL_INK_BAD, "does not agree");
    mgl_page_add(page, " with %.200s", file);
    mgl_page_end(page);
    show_signature(page, mgl_json_text(against, "signature"));
    show_left_open(page, json_object_get(against, "not_compared"));
}

static void show_verdict(mgl_page *page, const char *verdict)
{
    static const struct {
        const char *verdict, *words;
        mgl_ink ink;
    } all[] = {{"holds", "holds", MGL_INK_GOOD},
               {"weaker", "holds, but proves less than the result claims", MGL_INK_BAD},
               {"differs", "does not belong to the result", MGL_INK_BAD},
               {"fails", "does not hold", MGL_INK_BAD}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].verdict, verdict) == 0)
            mgl_page_ink(page, all[i].ink, all[i].words);
}

static void show_proved(mgl_page *page, const json_t *proof)
{
    bool rises = json_is_true(json_object_get(proof, "rises"));
    if (!isfinite(mgl_json_number(proof, "proved")) || mgl_json_text(proof, "measure") == NULL)
        return;
    mgl_page_fact(page, "proved", proof,
                  rises ? "no release of this kind has a {measure} above {proved:~}"
                        : "no release of this kind has a {measure} below {proved:~}");
    mgl_page_fact(page, "claimed", proof, "best possible {claimed:~}, achieved {achieved:~}");
}

static void show_checked(mgl_page *page, const json_t *proof)
{
    const char *exact = mgl_json_text(proof, "exact");
    mgl_page_fact(
        page, "checked", proof,
        "{rows:,} rows in {tuples:,} tuples, {boxes:,} boxes that could hold and cost less "
        "than a price in them");
    if (exact != NULL)
        mgl_page_fact(page, "", proof,
                      strcmp(exact, "sets") == 0
                          ? "all ways to divide the tuples into classes, of which there are "
                            "{classes:,}"
                          : "{steps:,} steps with {classes:,} classes that a better release could "
                            "have");
    if (json_is_false(json_object_get(proof, "steps_suffice")))
        mgl_page_line(page, "", "this does not prove its bound");
    if (mgl_json_whole(proof, "overpriced") > 0)
        mgl_page_fact(page, "", proof,
                      "{overpriced:,} times a class costs less than a step prices it");
    if (mgl_json_whole(proof, "too_cheap") > 0 || mgl_json_whole(proof, "too_dear") > 0)
        mgl_page_fact(page, "", proof,
                      "{too_cheap:,} of them cost less than their rows are priced; {too_dear:,} "
                      "tuples are priced above the top");
}

static void show_proof(mgl_page *page, const json_t *document)
{
    const json_t *proof = json_object_get(document, "proof");
    const char *verdict = mgl_json_text(proof, "verdict"), *file = mgl_json_text(proof, "file");
    if (verdict == NULL || file == NULL)
        return;
    mgl_page_label(page, "proof");
    show_verdict(page, verdict);
    mgl_page_add(page, ": %.200s", file);
    mgl_page_end(page);
    show_proved(page, proof);
    show_checked(page, proof);
    if (json_array_size(json_object_get(proof, "not_compared")) > 0)
        mgl_page_fact(page, "not compared", proof, "{not_compared:list}");
}

static void show_open(mgl_page *page, const json_t *open)
{
    for (size_t i = 0; i < json_array_size(open); i++) {
        mgl_buffer name = {0};
        mgl_page_label(page, i == 0 ? "open" : "");
        mgl_model_words(json_array_get(open, i), &name);
        mgl_page_take(page, &name);
        mgl_page_fill(page, json_array_get(open, i), ": {why}");
        mgl_page_end(page);
    }
}

static void show_disclosed(mgl_page *page, const json_t *disclosed)
{
    const char *key, *before = "";
    json_t *value;
    if (json_object_size(disclosed) == 0)
        return;
    mgl_page_label(page, "disclosed");
    json_object_foreach((json_t *)disclosed, key, value)
    {
        mgl_page_add(page, "%s%s", before, key);
        before = ", ";
    }
    mgl_page_add(page, " (of the input; cannot be checked here)");
    mgl_page_end(page);
}

static void show_statement(mgl_page *page, const json_t *document)
{
    const json_t *release = json_object_get(document, "release");
    if (!json_is_integer(json_object_get(document, "statement")))
        return;
    show_open(page, json_object_get(document, "not_checkable"));
    mgl_page_facts(page, "columns", json_object_get(document, "columns"),
                   "{column}: {done}; {values:.0f} different values");
    show_disclosed(page, mgl_json_at(document, "promise.disclosed"));
    mgl_page_fact(page, "sha256", release,
                  mgl_json_text(release, "sha256") != NULL ? "{sha256}" : "{rows_sha256}");
}

/* ---- Rows and classes ------------------------------------------------------------------------ */

static void show_rows(mgl_page *page, const json_t *document)
{
    mgl_buffer read = {0};
    uint64_t rows = mgl_json_whole(document, "rows"),
             suppressed = mgl_json_whole(document, "suppressed_rows");
    if (!mgl_json_is_number(document, "rows"))
        return;
    mgl_page_label(page, "rows");
    if (json_object_get(document, "differential_privacy") != NULL) {
        mgl_page_fill(page, document, "{released_rows:,} released");
        mgl_page_end(page);
        return;
    }
    mgl_read_words(document, &read);
    mgl_page_take(page, &read);
    mgl_page_fill(page, document, "[, {released_rows:,} released]");
    /* Of a table that nothing was done to, nothing is suppressed: not worth a word. */
    if (suppressed > 0 || mgl_json_is_number(document, "released_rows"))
        mgl_page_fill(page, document, "[, {suppressed_rows:,} suppressed]");
    if (suppressed > 0 && rows > 0)
        mgl_page_add(page, " (%.3g %%)", 100.0 * (double)suppressed / (double)rows);
    mgl_page_end(page);
}

/* What the leak guard objected to and the job accepted: before all other lines. */
static void show_accepted(mgl_page *page, const json_t *document)
{
    const json_t *guard = json_object_get(document, "guard");
    size_t n = json_array_size(json_object_get(guard, "accepted"));
    if (n == 0)
        return;
    mgl_page_ink(page, MGL_INK_BAD, "leaks");
    mgl_page_fill(page, guard, "       accepted: {accepted:names}; the leak guard objects to ");
    mgl_page_add(page, n == 1 ? "this column" : "these columns");
    mgl_page_end(page);
}

static void show_classes(mgl_page *page, const json_t *document)
{
    const json_t *classes = json_object_get(document, "classes");
    if (!json_is_object(classes))
        return;
    bool match = json_object_get(document, "missing_matches") != NULL;
    mgl_page_label(page, "classes");
    mgl_page_fill(page, classes,
                  match ? "{count:,} different, each matched by {min:,} to {max:,} "
                        : "{count:,} of {min:,} to {max:,} ");
    mgl_page_add(page, "%s", mgl_members(document));
    mgl_page_fill(page, classes, "[, {mean:.1f} on average]");
    mgl_page_end(page);
}

static void show_view(mgl_page *page, const json_t *document)
{
    const char *view = mgl_json_text(document, "entity_view");
    if (view == NULL)
        return;
    mgl_page_line(page, "view",
                  strcmp(view, "joined") == 0 ? "joined: all rows of a person are judged together"
                                              : "rows: each row of a person is judged by itself");
}

/* ---- Privacy --------------------------------------------------------------------------------- */

/* Rows that look alike in this release and in earlier ones. */
static void show_history(mgl_page *page, const json_t *document)
{
    const json_t *history = json_object_get(document, "history");
    size_t n = json_array_size(json_object_get(history, "releases"));
    if (!json_is_object(history))
        return;
    mgl_page_label(page, "history");
    mgl_page_add(page, "together with %zu earlier release%s: ", n, n == 1 ? "" : "s");
    mgl_page_fill(page, json_object_get(history, "classes"),
                  "{count:,} classes of {min:,} to {max:,} rows");
    mgl_page_end(page);
}

/* "at most 20 % for anyone who knows birth, sex, zip" */
static void add_risk(mgl_page *page, const json_t *risk, const char *together)
{
    mgl_page_fill(page, risk,
                  json_array_size(json_object_get(risk, "known")) > 0
                      ? "at most {prosecutor_max:%} for anyone who knows "
                      : "at most {prosecutor_max:%} for one person");
    mgl_page_add(page, "%s", together);
    mgl_page_fill(page, risk, "{known:names}");
}

/* Several quasi-identifiers: each by itself, and all columns together in the line that follows. */
static bool show_risk_of_sets(mgl_page *page, const json_t *sets)
{
    for (size_t i = 0; i < json_array_size(sets); i++) {
        mgl_page_label(page, i == 0 ? "risk" : "");
        add_risk(page, json_array_get(sets, i), "");
        mgl_page_end(page);
    }
    return json_array_size(sets) > 0;
}

static void show_risk(mgl_page *page, const json_t *document)
{
    const json_t *risk = json_object_get(document, "risk");
    const json_t *before = mgl_json_at(document, "figures.before.risk");
    if (!mgl_json_is_number(risk, "prosecutor_max"))
        return;
    bool sets = show_risk_of_sets(page, json_object_get(risk, "sets"));
    mgl_page_label(page, sets ? "" : "risk");
    add_risk(page, risk, sets ? "all of these together: " : "");
    mgl_page_fill(page, risk, "[, {prosecutor_mean:%} on average][, {uniques:,} unique]");
    if (mgl_json_whole(before, "uniques") != mgl_json_whole(risk, "uniques"))
        mgl_page_fill(page, before, "[ (before: {uniques:,})]");
    mgl_page_end(page);
}

/* What the columns that pass through do together. */
static void show_alone(mgl_page *page, const json_t *document)
{
    const json_t *alone = json_object_get(document, "alone");
    if (!json_is_object(alone))
        return;
    mgl_page_label(page, "alone");
    mgl_page_fill(page, alone,
                  mgl_json_is_number(alone, "rows") ? "{rows:,} of {of:,} rows"
                                                    : "rows were not counted");
    mgl_page_fill(page, alone,
                  json_array_size(json_object_get(alone, "known")) > 0
                      ? " for anyone who also knows {besides:names}"
                      : " for anyone who knows {besides:names}");
    mgl_page_end(page);
}

/* ---- What was lost --------------------------------------------------------------------------- */

/* Precision as a share, for those who do not know the measure. */
static void show_detail(mgl_page *page, const json_t *document)
{
    const json_t *utility = json_object_get(document, "utility");
    if (mgl_json_is_number(utility, "precision"))
        mgl_page_fact(page, "", utility,
                      "precision: {precision:%} of the detail in these columns is left");
}

/* What the holder calls the release. */
static void show_title(mgl_page *page, const json_t *document)
{
    const json_t *about = json_object_get(document, "about");
    if (mgl_json_text(about, "title") != NULL)
        mgl_page_fact(page, "title", about, "{title}");
}

/* The columns that are released as they are. */
static void show_unchanged(mgl_page *page, const json_t *document)
{
    const json_t *list = json_object_get(document, "unchanged");
    if (!json_is_array(list))
        return;
    mgl_page_label(page, "unchanged");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        mgl_page_fill_item(page, one,
                           mgl_json_is(one, "role", "sensitive") ? "{column:name} (sensitive)"
                                                                 : "{column:name}");
    }
    if (json_array_size(list) == 0)
        mgl_page_add(page, "no column");
    mgl_page_end(page);
}

/* Columns that follow quasi-identifiers: "city with zip (314 cells)". */
static void show_linked(mgl_page *page, const json_t *document)
{
    const json_t *list = json_object_get(document, "linked");
    if (json_array_size(list) == 0)
        return;
    mgl_page_label(page, "linked");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i), *follows = json_object_get(one, "follows");
        const char *lead = json_string_value(json_array_get(follows, 0));
        bool single = json_array_size(follows) == 1 && lead != NULL;
        mgl_buffer item = {0};
        mgl_words_fill(&item, one, "{column:name} follows ");
        mgl_buffer_format(&item, "%.150s", single ? lead : "the quasi-identifiers");
        mgl_words_fill(&item, one, "[ ({generalized_cells:,} cells generalized)]");
        mgl_page_take_item(page, &item);
    }
    mgl_page_end(page);
}

/* Sets of items: "dx 5^2-anonymity holds (rarest combination 6 rows), ncp 0.12". */
static void show_items(mgl_page *page, const json_t *document)
{
    const json_t *items = json_object_get(document, "items");
    const json_t *released = json_object_get(items, "released");
    if (mgl_json_text(items, "column") == NULL)
        return;
    bool holds = !json_is_object(released) || mgl_json_whole(released, "rare") == 0;
    mgl_page_label(page, "items");
    mgl_page_fill(page, items, "{column}: {k:.0f}^{m:.0f}-anonymity");
    mgl_page_add(page, "%s %s",
                 json_is_true(json_object_get(items, "within")) ? " within classes" : "",
                 holds ? "holds" : "DOES NOT HOLD");
    mgl_page_fill(page, items,
                  "[ (the rarest of {released.combinations:,} combinations: {released.least:,})]"
                  "[, ncp {ncp:.4f}]");
    if (json_is_true(json_object_get(items, "exact")))
        mgl_page_add(page, ", the best possible");
    if (mgl_json_whole(json_object_get(items, "left_out"), "items") > 0)
        mgl_page_fill(page, json_object_get(items, "left_out"),
                      "; {items:,|item|items} left out "
                      "({occurrences:,|occurrence|occurrences})");
    mgl_page_end(page);
}

/* Columns that were aggregated within the classes of the others. */
static void show_aggregated(mgl_page *page, const json_t *document)
{
    const json_t *aggregation = json_object_get(document, "aggregation");
    const json_t *list = json_object_get(aggregation, "columns");
    if (json_array_size(list) == 0)
        return;
    mgl_page_label(page, "aggregated");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        mgl_page_fill_item(
            page, one,
            mgl_json_is_number(one, "sse_share")
                ? "{column:name} by {function} ({sse_share:.4g%} of the variance lost)"
                : "{column:name} by {function}[ ({values_per_cell:.3g} values per cell)]");
    }
    mgl_page_fill_item(page, aggregation,
                       "{groups:,} groups[ in {classes:,} classes of the other columns]");
    mgl_page_end(page);
}

/* What was done to columns that are treated. */
static void show_treatments(mgl_page *page, const json_t *document)
{
    mgl_page_items(page, "treated", json_object_get(document, "treatments"),
                   "{column:name} {treatment:name}"
                   "[ ({values_after:,} values, {values_before:,} before)]");
}

/* Correlations of columns whose noise goes together, each pair once. */
static void show_correlations(mgl_page *page, const json_t *columns)
{
    const json_t *column, *one;
    size_t i, w;
    json_array_foreach((json_t *)columns, i, column)
    {
        const char *name = mgl_json_text(column, "column"), *other;
        json_array_foreach(json_object_get(column, "correlations"), w, one)
        {
            other = mgl_json_text(one, "column");
            if (name == NULL || other == NULL || strcmp(name, other) > 0 ||
                !mgl_json_is_number(one, "after"))
                continue;
            mgl_page_label(page, "correlation");
            mgl_buffer words = {0};
            mgl_words_fill(&words, column, "{column:name} and ");
            mgl_words_fill(&words, one,
                           "{column:name}: {before:.4g} before, {after:.4g} after[, covariance "
                           "{standard_errors:.2f} standard errors off what is promised]");
            mgl_page_take_item(page, &words);
            mgl_page_end(page);
        }
    }
}

/* What is not true of single rows any more, what it keeps, and who is found all the same. */
static void show_perturbation(mgl_page *page, const json_t *document)
{
    const json_t *perturbation = json_object_get(document, "perturbation");
    const json_t *list = json_object_get(perturbation, "columns");
    if (json_array_size(list) == 0)
        return;
    mgl_page_label(page, "perturbed");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *one = json_array_get(list, i);
        bool exact = mgl_json_is_number(one, "margin_distance") &&
                     mgl_json_number(one, "margin_distance") == 0;
        bool noise = !exact && mgl_json_is_number(one, "deviation_before");
        mgl_page_fill_item(page, one,
                           exact   ? "{column:name} by {by}: not truthful ({changed_rows:,} of "
                                     "{rows:,} values changed, each as often as before)"
                           : noise ? "{column:name} by {by}: not truthful ({changed_rows:,} of "
                                     "{rows:,} values changed, standard deviation "
                                     "{deviation_before:.4g} before, {deviation_after:.4g} after)"
                                   : "{column:name} by {by}: not truthful ({changed_rows:,} of "
                                     "{rows:,} values changed[, shares off by "
                                     "{margin_distance:.3g%}])");
    }
    mgl_page_end(page);
    show_correlations(page, list);
    if (json_is_object(json_object_get(perturbation, "nearest")))
        mgl_page_fact(page, "by distance", json_object_get(perturbation, "nearest"),
                      "{found:.1f} of {rows:,} rows are found by someone who knows the true values "
                      "and takes the nearest row");
}

static void add_measure(mgl_page *page, const json_t *utility, const char *key)
{
    const json_t *value = json_object_get(utility, key);
    char words[MGL_NUMBER_SIZE];
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        mgl_page_put_item(page, "%s %s", mgl_measure_words(key, words),
                          mgl_whole_words(&page->numbers, utility, key));
    else if (json_is_number(value))
        mgl_page_put_item(page, "%s %s", mgl_measure_words(key, words),
                          mgl_number_words(&page->numbers, utility, key));
}

static void show_utility(mgl_page *page, const json_t *document)
{
    mgl_measure_view view;
    const json_t *utility = json_object_get(document, "utility");
    if (!json_is_object(utility))
        return;
    const char *key;
    json_t *value;
    mgl_page_label(page, "utility");
    if (mgl_is_command(document, "utility")) {
        json_object_foreach((json_t *)utility, key, value) add_measure(page, utility, key);
    } else {
        for (size_t i = 0; page->measures(NULL, i, &view); i++)
            if (view.in_summary)
                add_measure(page, utility, view.key);
    }
    mgl_page_end(page);
}

/* Some searches look at nodes more than once, or at those of other lattices, too. */
static void add_nodes(mgl_page *page, const json_t *nodes)
{
    char total[MGL_NUMBER_SIZE], checked[MGL_NUMBER_SIZE];
    uint64_t n_total = mgl_json_whole(nodes, "total"), n_checked = mgl_json_whole(nodes, "checked");
    mgl_page_count(n_total, total);
    mgl_page_count(n_checked, checked);
    if (n_total >= INT64_MAX) /* that is as far as it is counted */
        snprintf(total, sizeof total, "more than 9e18");
    if (n_checked > n_total)
        mgl_page_add(page, ", %s checks in a lattice of %s nodes", checked, total);
    else
        mgl_page_add(page, ", %s of %s nodes checked", checked, total);
}

/* How far averages are from what they stand for. */
static void show_aggregation(mgl_page *page, const json_t *document)
{
    const json_t *aggregation = json_object_get(document, "microaggregation");
    if (mgl_json_is_number(aggregation, "sse_share"))
        mgl_page_fact(page, "averages", aggregation,
                      "{groups:,|group|groups}, {sse_share:.4g%} of the variance lost (SSE/SST), "
                      "IL1s {il1s:.6g}");
}

static void show_search(mgl_page *page, const json_t *document)
{
    const json_t *nodes = json_object_get(document, "nodes");
    const char *method = mgl_json_text(document, "method");
    if (method == NULL)
        return;
    mgl_page_label(page, "method");
    mgl_page_add(page, "%s", method);
    if (mgl_json_whole(nodes, "checked") > 0) /* some methods know of no nodes */
        add_nodes(page, nodes);
    mgl_page_end(page);
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void show_seconds(mgl_page *page, const json_t *document)
{
    const json_t *seconds = json_object_get(document, "seconds");
    const char *key;
    json_t *value;
    if (!mgl_json_is_number(seconds, "total"))
        return;
    mgl_page_label(page, "seconds");
    mgl_page_add(page, "%.2f", mgl_json_number(seconds, "total"));
    const char *before = " (";
    json_object_foreach((json_t *)seconds, key, value)
    {
        if (strcmp(key, "total") == 0 || !json_is_number(value))
            continue;
        mgl_page_add(page, "%s%s %.2f", before, key, json_number_value(value));
        before = ", ";
    }
    mgl_page_add(page, "%s", before[0] == ',' ? ")" : "");
    mgl_page_end(page);
}

static void show_warnings(mgl_page *page, const json_t *document)
{
    const json_t *warnings = json_object_get(document, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        mgl_page_ink(page, MGL_INK_CARE, "warning");
        mgl_page_fill(page, json_array_get(warnings, i), "     {message}");
        mgl_page_end(page);
    }
}

static void show_output(mgl_page *page, const json_t *document)
{
    const char *output = mgl_json_text(document, "output");
    if (output != NULL && strcmp(output, "-") != 0)
        mgl_page_fact(page, "written", document, "{output}");
}

static void show_words(mgl_page *page, const char *label,
                       void (*words)(const json_t *document, mgl_buffer *out),
                       const json_t *document)
{
    mgl_buffer text = {0};
    words(document, &text);
    bool any = text.size > 0;
    if (any)
        mgl_page_label(page, label);
    mgl_page_take(page, &text);
    if (any)
        mgl_page_end(page);
}

/* Commands whose result is shown in lines of its own. */
static const struct {
    const char *command;
    mgl_lines_fn *show;
} own_lines[] = {{"hierarchy", mgl_terminal_hierarchies}, {"recoding", mgl_terminal_recoding},
                 {"codebook", mgl_terminal_codebook},     {"what-if", mgl_terminal_what_if},
                 {"preview", mgl_terminal_preview},       {"look", mgl_terminal_look}};

static bool show_own_lines(mgl_page *page, const json_t *document)
{
    for (size_t i = 0; i < sizeof own_lines / sizeof own_lines[0]; i++)
        if (mgl_is_command(document, own_lines[i].command)) {
            own_lines[i].show(page, document);
            return true;
        }
    return false;
}

static void show_document(mgl_page *page, const json_t *document)
{
    if (show_own_lines(page, document)) {
        /* these have no other lines */
    } else if (json_object_get(document, "tests") != NULL) {
        show_tests(page, json_object_get(document, "tests"));
    } else if (json_object_get(document, "sql") != NULL) {
        mgl_terminal_script(page, json_object_get(document, "sql"));
    } else {
        show_accepted(page, document);
        show_title(page, document);
        show_rows(page, document);
        show_unchanged(page, document);
        show_treatments(page, document);
        show_perturbation(page, document);
        show_linked(page, document);
        show_items(page, document);
        show_aggregated(page, document);
        show_words(page, "promise", mgl_differential_words, document);
        show_classes(page, document);
        show_view(page, document);
        show_words(page, "above risk", mgl_above_words, document);
        show_words(page, "population", mgl_population_words, document);
        mgl_terminal_sizes(page, document);
        mgl_terminal_strata(page, document);
        show_models(page, document);
        mgl_terminal_attributes(page, document);
        mgl_terminal_advice(page, document);
        mgl_terminal_risk(page, document);
        mgl_terminal_attack(page, document);
        show_history(page, document);
        show_risk(page, document);
        show_alone(page, document);
        show_search(page, document);
        mgl_terminal_proposals(page, document);
        mgl_terminal_levels(page, document);
        mgl_terminal_cells(page, document);
        mgl_terminal_unsafe(page, document);
        mgl_terminal_mixture(page, document);
        show_aggregation(page, document);
        show_utility(page, document);
        show_detail(page, document);
        mgl_terminal_bound(page, document);
        show_words(page, "counted", mgl_counted_words, document);
        mgl_terminal_lattice(page, document);
        show_words(page, "left", mgl_left_words, document);
        show_seconds(page, document);
    }
    show_statement(page, document);
    show_against(page, document);
    show_proof(page, document);
    show_warnings(page, document);
    show_output(page, document);
}

mgl_status mgl_report_text(const mgl_result *result, const mgl_text_style *style,
                           mgl_measure_view_fn *measures, mgl_error *err, char **out)
{
    MGL_TRY(mgl_result_complete(result, err));
    mgl_page page = mgl_page_of(style);
    page.measures = measures;
    if (json_is_array(result->document))
        mgl_terminal_compare(&page, result->document);
    else
        show_document(&page, result->document);
    return mgl_buffer_take(&page.text, err, out);
}
