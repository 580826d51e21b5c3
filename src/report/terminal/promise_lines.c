/* Prints what was promised and what was found: models, tests of a gate, a release compared with
 * its result, certificates, statements. */
#include "report/terminal/terminal.h"

#include <math.h>

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

void mgl_terminal_models(mgl_page *page, const json_t *document)
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

void mgl_terminal_tests(mgl_page *page, const json_t *tests)
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
void mgl_terminal_against(mgl_page *page, const json_t *document)
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

static void show_words(mgl_page *page, const char *verdict)
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

void mgl_terminal_proof(mgl_page *page, const json_t *document)
{
    const json_t *proof = json_object_get(document, "proof");
    const char *verdict = mgl_json_text(proof, "verdict"), *file = mgl_json_text(proof, "file");
    if (verdict == NULL || file == NULL)
        return;
    mgl_page_label(page, "proof");
    show_words(page, verdict);
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

void mgl_terminal_statement(mgl_page *page, const json_t *document)
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
