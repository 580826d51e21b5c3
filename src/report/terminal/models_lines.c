/* Lines of a summary about models: what was asked for and what was found. terminal.c calls it. */
#include "report/terminal/terminal.h"

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
