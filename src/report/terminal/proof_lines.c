/* Prints what a certificate proves. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <math.h>

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
    char value[MGL_NUMBER_SIZE];
    if (!isfinite(proved) || measure == NULL)
        return;
    mgl_page_label(page, "proved");
    mgl_page_add(page, "no release of this kind has a %s %s %s", measure, rises ? "above" : "below",
                 mgl_page_real(proved, value));
    mgl_page_end(page);
    mgl_page_label(page, "claimed");
    mgl_page_add(page, "best possible %s", mgl_page_real(claimed, value));
    mgl_page_add(page, ", achieved %s", mgl_page_real(mgl_json_number(proof, "achieved"), value));
    mgl_page_end(page);
}

static void show_checked(mgl_page *page, const json_t *proof)
{
    char count[MGL_NUMBER_SIZE];
    uint64_t cheap = mgl_json_whole(proof, "too_cheap"), dear = mgl_json_whole(proof, "too_dear");
    mgl_page_label(page, "checked");
    mgl_page_add(page, "%s rows", mgl_page_count(mgl_json_whole(proof, "rows"), count));
    mgl_page_add(page, " in %s tuples,", mgl_page_count(mgl_json_whole(proof, "tuples"), count));
    mgl_page_add(page, " %s boxes that could hold and cost less than a price in them",
                 mgl_page_count(mgl_json_whole(proof, "boxes"), count));
    mgl_page_end(page);
    const char *exact = mgl_json_text(proof, "exact");
    if (exact != NULL && strcmp(exact, "sets") == 0) {
        mgl_page_label(page, "");
        mgl_page_add(page, "all ways to divide the tuples into classes, of which there are %s",
                     mgl_page_count(mgl_json_whole(proof, "classes"), count));
        mgl_page_end(page);
    } else if (exact != NULL) {
        mgl_page_label(page, "");
        mgl_page_add(page, "%s steps", mgl_page_count(mgl_json_whole(proof, "steps"), count));
        mgl_page_add(page, " with %s classes that a better release could have",
                     mgl_page_count(mgl_json_whole(proof, "classes"), count));
        mgl_page_end(page);
    }
    if (json_is_false(json_object_get(proof, "steps_suffice"))) {
        mgl_page_label(page, "");
        mgl_page_add(page, "this does not prove its bound");
        mgl_page_end(page);
    }
    if (mgl_json_whole(proof, "overpriced") > 0) {
        mgl_page_label(page, "");
        mgl_page_add(page, "%s times a class costs less than a step prices it",
                     mgl_page_count(mgl_json_whole(proof, "overpriced"), count));
        mgl_page_end(page);
    }
    if (cheap > 0 || dear > 0) {
        mgl_page_label(page, "");
        mgl_page_add(page, "%s of them cost less than their rows are priced",
                     mgl_page_count(cheap, count));
        mgl_page_add(page, "; %s tuples are priced above the top", mgl_page_count(dear, count));
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
