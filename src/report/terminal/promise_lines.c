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

/* Rows that were released before, with which the models hold. */
static void show_with(mgl_page *page, const json_t *with)
{
    const char *release = mgl_json_text(with, "release");
    if (release == NULL)
        return;
    mgl_page_label(page, "");
    mgl_page_add(page, "together with the %llu rows of ",
                 (unsigned long long)mgl_json_whole(with, "rows"));
    mgl_page_text(page, release);
    mgl_page_add(page, ", not alone");
    mgl_page_end(page);
}

void mgl_terminal_models(mgl_page *page, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    for (size_t i = 0; i < json_array_size(models); i++) {
        mgl_page_label(page, i == 0 ? "privacy" : "");
        show_model(page, json_array_get(models, i));
    }
    show_with(page, json_object_get(document, "with"));
    if (mgl_json_is_number(document, "k")) {
        mgl_page_label(page, "k");
        bool match = json_object_get(document, "missing_matches") != NULL;
        mgl_page_add(page, "%llu, %s", (unsigned long long)mgl_json_whole(document, "k"),
                     match ? "the fewest rows that match one" : "the smallest class");
        mgl_page_end(page);
    }
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

/* ---- A release and its result ---------------------------------------------------------------- */

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

/* A list in a reason can be long, as that of the keys of a job is: JSON has it. */
static void show_reason(mgl_page *page, const char *why)
{
    const char *list = strlen(why) > LONGEST_REASON ? strstr(why, ": ") : NULL;
    if (list != NULL)
        mgl_page_add(page, ": %.*s (`json` lists them)", (int)(list - why), why);
    else
        mgl_page_add(page, ": %s", why);
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
        show_reason(page, why);
        mgl_page_end(page);
        labelled = true;
    }
}

/* How the release compares with the claims of its result. */
void mgl_terminal_against(mgl_page *page, const json_t *document)
{
    const json_t *against = json_object_get(document, "against");
    const char *file = json_string_value(json_object_get(against, "result"));
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

/* ---- Certificates ---------------------------------------------------------------------------- */

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
    double proved = mgl_json_number(proof, "proved"), claimed = mgl_json_number(proof, "claimed");
    const char *measure = mgl_json_text(proof, "measure");
    bool rises = json_is_true(json_object_get(proof, "rises"));
    if (!isfinite(proved) || measure == NULL)
        return;
    mgl_page_line(page, "proved", "no release of this kind has a %s %s %s", measure,
                  rises ? "above" : "below", mgl_real_words(&page->numbers, proved));
    mgl_page_label(page, "claimed");
    mgl_page_add(page, "best possible %s", mgl_real_words(&page->numbers, claimed));
    mgl_page_add(page, ", achieved %s", mgl_number_words(&page->numbers, proof, "achieved"));
    mgl_page_end(page);
}

static void show_checked(mgl_page *page, const json_t *proof)
{
    uint64_t cheap = mgl_json_whole(proof, "too_cheap"), dear = mgl_json_whole(proof, "too_dear");
    mgl_page_label(page, "checked");
    mgl_page_add(page, "%s rows", mgl_whole_words(&page->numbers, proof, "rows"));
    mgl_page_add(page, " in %s tuples,", mgl_whole_words(&page->numbers, proof, "tuples"));
    mgl_page_add(page, " %s boxes that could hold and cost less than a price in them",
                 mgl_whole_words(&page->numbers, proof, "boxes"));
    mgl_page_end(page);
    const char *exact = mgl_json_text(proof, "exact");
    if (exact != NULL && strcmp(exact, "sets") == 0) {
        mgl_page_line(page, "", "all ways to divide the tuples into classes, of which there are %s",
                      mgl_whole_words(&page->numbers, proof, "classes"));
    } else if (exact != NULL) {
        mgl_page_label(page, "");
        mgl_page_add(page, "%s steps", mgl_whole_words(&page->numbers, proof, "steps"));
        mgl_page_add(page, " with %s classes that a better release could have",
                     mgl_whole_words(&page->numbers, proof, "classes"));
        mgl_page_end(page);
    }
    if (json_is_false(json_object_get(proof, "steps_suffice"))) {
        mgl_page_line(page, "", "this does not prove its bound");
    }
    if (mgl_json_whole(proof, "overpriced") > 0) {
        mgl_page_line(page, "", "%s times a class costs less than a step prices it",
                      mgl_whole_words(&page->numbers, proof, "overpriced"));
    }
    if (cheap > 0 || dear > 0) {
        mgl_page_label(page, "");
        mgl_page_add(page, "%s of them cost less than their rows are priced",
                     mgl_count_words(&page->numbers, cheap));
        mgl_page_add(page, "; %s tuples are priced above the top",
                     mgl_count_words(&page->numbers, dear));
        mgl_page_end(page);
    }
}

void mgl_terminal_proof(mgl_page *page, const json_t *document)
{
    const json_t *proof = json_object_get(document, "proof");
    const char *verdict = mgl_json_text(proof, "verdict"), *file = mgl_json_text(proof, "file");
    const json_t *skipped = json_object_get(proof, "not_compared");
    if (verdict == NULL || file == NULL)
        return;
    mgl_page_label(page, "proof");
    show_words(page, verdict);
    mgl_page_add(page, ": %.200s", file);
    mgl_page_end(page);
    show_proved(page, proof);
    show_checked(page, proof);
    if (json_array_size(skipped) == 0)
        return;
    mgl_page_label(page, "not compared");
    for (size_t i = 0; i < json_array_size(skipped); i++) {
        const char *what = json_string_value(json_array_get(skipped, i));
        mgl_page_add(page, "%s%s", i > 0 ? ", " : "", what != NULL ? what : "");
    }
    mgl_page_end(page);
}

/* ---- Statements ------------------------------------------------------------------------------ */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = mgl_json_text(object, key);
    return text != NULL ? text : "?";
}

static void show_open(mgl_page *page, const json_t *open)
{
    for (size_t i = 0; i < json_array_size(open); i++) {
        const json_t *one = json_array_get(open, i);
        mgl_buffer name = {0};
        mgl_page_label(page, i == 0 ? "open" : "");
        mgl_model_words(one, &name);
        mgl_page_take(page, &name);
        mgl_page_add(page, ": %s", text_of(one, "why"));
        mgl_page_end(page);
    }
}

static void show_columns(mgl_page *page, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *column = json_array_get(columns, i);
        mgl_page_label(page, i == 0 ? "columns" : "");
        mgl_page_text(page, text_of(column, "column"));
        mgl_page_add(page, ": %s; %llu different values", text_of(column, "done"),
                     (unsigned long long)mgl_json_whole(column, "values"));
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
    show_columns(page, json_object_get(document, "columns"));
    show_disclosed(page, json_object_get(json_object_get(document, "promise"), "disclosed"));
    mgl_page_line(page, "sha256", "%s",
                  mgl_json_text(release, "sha256") != NULL ? text_of(release, "sha256")
                                                           : text_of(release, "rows_sha256"));
}
