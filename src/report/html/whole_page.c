/* Makes the page for a browser: head, verdict, summary, the table of sections, foot. */
#include "report/html/sections.h"

typedef struct section {
    const char *id, *title;
    mgl_show_fn *show;
    const char *part;    /* shown if the result has this, and it is not empty */
    mgl_has_fn *has;     /* or if this holds */
    const char *command; /* only in results of it; NULL: of any */
} section;

/* In the order they are read in. */
static const section sections[] = {
    {"methods", "The methods side by side", mgl_html_compare, .has = mgl_has_compare},
    {"promises", "What was promised and what holds", mgl_html_promises, .part = "models"},
    {"rule", "How the recoding fits the rows", mgl_html_rule, .part = "applied"},
    {"strata", "Each stratum on its own", mgl_html_strata, .part = "strata"},
    {"sizes", "Who hides among whom", mgl_html_sizes, .has = mgl_has_sizes},
    {"risk", "How likely a person is found", mgl_html_risk, .has = mgl_has_risk},
    {"attackers", "What intruders can do", mgl_html_attackers, .part = "prosecutor"},
    {"special", "Rows that stand out", mgl_html_suda, .part = "suda"},
    {"combinations", "Combinations of values that are rare", mgl_html_combinations,
     .part = "unsafe_combinations.before"},
    {"sets", "Columns that tell persons apart", mgl_html_sets, .has = mgl_has_sets},
    {"attack", "What the attack found", mgl_html_attack, .part = "matched"},
    {"columns", "What became of each column", mgl_html_columns, .part = "figures.columns"},
    {"distributions", "Distributions before and after", mgl_html_distributions,
     .part = "figures.columns"},
    {"sensitive", "What classes disclose about sensitive columns", mgl_html_sensitive,
     .part = "figures.sensitive"},
    {"strongest", "The strongest models that hold", mgl_html_strongest, .has = mgl_has_strongest},
    {"curve", "Other choices of k", mgl_html_curve, .has = mgl_has_curve},
    {"lattice", "The lattice of levels", mgl_html_lattice, .has = mgl_has_lattice},
    {"open", "What the release alone does not show", mgl_html_open, "not_checkable", NULL,
     "statement"},
    {"labels", "How to read the columns", mgl_html_labels, .part = "columns",
     .command = "statement"},
    {"disclosed", "What the holder discloses of the input", mgl_html_disclosed, "promise.disclosed",
     NULL, "statement"},
    {"digest", "Which file this is about", mgl_html_digest, .part = "release",
     .command = "statement"},
    {"measures", "All measures", mgl_html_measures, .part = "utility"},
    {"audit", "Audit trail", mgl_html_audit, .part = "audit"},
};

enum { N_SECTIONS = sizeof sections / sizeof sections[0] };

static bool is_shown(const section *s, const json_t *document)
{
    if (s->has != NULL)
        return s->has(document);
    const json_t *part = mgl_json_at(document, s->part);
    return (s->command == NULL || mgl_is_command(document, s->command)) &&
           json_object_size(part) + json_array_size(part) > 0;
}

static const json_t *first_of(const json_t *document)
{
    return json_is_array(document) ? json_array_get(document, 0) : document;
}

static const char *title_of(const json_t *document)
{
    static const struct {
        const char *command, *title;
    } titles[] = {{"anonymize", "Release report"},
                  {"apply", "Release report"},
                  {"check", "Privacy check"},
                  {"gate", "Privacy gate"},
                  {"risk", "Risk report"},
                  {"attack", "Attack report"},
                  {"utility", "What a release lost"},
                  {"what-if", "What changes would give"},
                  {"lattice", "Lattice report"},
                  {"statement", "Statement about a release"}};
    if (json_is_array(document))
        return "Comparison of methods";
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (mgl_is_command(document, titles[i].command))
            return titles[i].title;
    return "Report";
}

/* What the report is about, where the holder gave no title. */
static void add_subject(mgl_html *html, const json_t *document, size_t most)
{
    /* The last name of a path. */
    const char *path = mgl_json_text(first_of(document), "output");
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *file = slash != NULL ? slash + 1 : path;
    mgl_html_add(html, "%s", title_of(document));
    if (file == NULL)
        return;
    mgl_html_add(html, ": ");
    if (most > 0)
        mgl_html_short(html, file, most);
    else
        mgl_html_name(html, file);
}

static void show_head(mgl_html *html, const json_t *document)
{
    enum { MOST = 80 };
    const char *title = mgl_about_of(document, "title");
    mgl_html_add(html, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                       "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                       "style-src 'unsafe-inline'\"/>\n<title>");
    if (title != NULL)
        mgl_html_short(html, title, MOST);
    else
        add_subject(html, document, MOST);
    mgl_html_add(html, "</title>\n<style>\n");
    mgl_buffer_text(&html->out, mgl_html_style);
    mgl_html_add(html, "</style>\n</head>\n<body>\n<main>\n<header>\n");
    mgl_html_fill(html, first_of(document),
                  "[<p class=\"care\"><strong>Confidential</strong>: {confidential}</p>\n]");
    mgl_html_add(html, "<h1>");
    if (title != NULL) {
        mgl_html_text(html, title);
        mgl_html_add(html, "</h1>\n<p class=\"sub\">");
    }
    add_subject(html, document, 0);
    mgl_html_add(html, title != NULL ? "</p>\n" : "</h1>\n");
    mgl_html_about(html, document);
}

static void show_badge(mgl_html *html, const mgl_result *result)
{
    const json_t *document = result->document;
    const char *text = NULL;
    size_t leaks = json_array_size(mgl_json_at(document, "guard.accepted"));
    if (leaks > 0) {
        /* Columns that the leak guard objects to were released: the promises hold on the other
         * columns, but what was promised to persons does not. */
        mgl_html_fill(
            html, json_object_get(document, "guard"),
            "<p class=\"badge bad\">\xe2\x9c\x97 Released although the leak guard objects "
            "to {accepted:names}</p>\n");
        return;
    }
    if (json_is_array(document))
        text = result->holds ? "A release was found" : "No method found a release";
    else if (json_array_size(json_object_get(document, "models")) > 0)
        text = result->holds ? "Every promise holds" : "A promise does not hold";
    if (text != NULL)
        mgl_html_add(html, "<p class=\"badge %s\">%s %s</p>\n", result->holds ? "good" : "bad",
                     result->holds ? "\xe2\x9c\x93" : "\xe2\x9c\x97", text);
}

static void show_warnings(mgl_html *html, const json_t *document)
{
    const json_t *warnings = json_object_get(document, "warnings");
    if (json_array_size(warnings) == 0)
        return;
    mgl_html_add(
        html,
        "<div class=\"notes\" role=\"note\">\n<h3 class=\"care\">To keep in mind</h3>\n<ul>\n");
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *message = mgl_json_text(json_array_get(warnings, i), "message");
        mgl_html_add(html, "<li>");
        mgl_html_message(html, message != NULL ? message : "?");
        mgl_html_add(html, "</li>\n");
    }
    mgl_html_add(html, "</ul>\n</div>\n");
}

static void show_contents(mgl_html *html, const json_t *document)
{
    mgl_html_add(html, "<nav aria-label=\"Contents\"><ul>\n");
    for (size_t i = 0; i < N_SECTIONS; i++)
        if (is_shown(&sections[i], document))
            mgl_html_add(html, "<li><a href=\"#%s\">%s</a></li>\n", sections[i].id,
                         sections[i].title);
    mgl_html_add(html, "</ul></nav>\n");
}

static void show_foot(mgl_html *html, const json_t *document)
{
    if (mgl_is_command(document, "statement")) {
        mgl_html_add(html,
                     "<footer><p>Made from the release and its promise alone. Anyone who has both "
                     "gets the same page by <code>mingle statement</code>.</p></footer>\n"
                     "</main>\n</body>\n</html>\n");
        return;
    }
    mgl_html_fill(html, first_of(document),
                  "<footer><p>Made from a result of mingle {mingle}. This page holds counts and "
                  "measures, no row of the data; values that fewer "
                  "persons have than can hide a person are pooled. It is for the holder of the "
                  "data: counts before and after together can give rows back that were "
                  "suppressed.</p></footer>\n"
                  "</main>\n</body>\n</html>\n");
}

mgl_status mgl_report_html(const mgl_result *result, mgl_measure_view_fn *measures, mgl_error *err,
                           char **out)
{
    MGL_TRY(mgl_result_complete(result, err));
    const json_t *document = result->document;
    mgl_html html = {.measures = measures};
    show_head(&html, document);
    show_badge(&html, result);
    if (json_is_array(document))
        mgl_html_compare_summary(&html, document);
    else
        mgl_html_summary(&html, document);
    mgl_html_add(&html, "</header>\n");
    show_warnings(&html, document);
    show_contents(&html, document);
    for (size_t i = 0; i < N_SECTIONS; i++) {
        if (!is_shown(&sections[i], document))
            continue;
        mgl_html_section(&html, sections[i].id, sections[i].title);
        sections[i].show(&html, document);
        mgl_html_section_end(&html);
    }
    show_foot(&html, document);
    return mgl_buffer_take(&html.out, err, out);
}
