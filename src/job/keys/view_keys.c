/* Keys of commands that look at a table or at what a job would give, and write no release: rows of
 * the table in keys.c. */
#include "job/keys/key_rows.h"

#include "job/keys/keys.h"

static const char *const kinds[] = {[MGL_CHANGE_ANSWER] = "answer",
                                    [MGL_CHANGE_K] = "k",
                                    [MGL_CHANGE_SUPPRESS] = "suppress",
                                    [MGL_CHANGE_COLUMNS] = "columns",
                                    [MGL_CHANGE_LEVELS] = "levels",
                                    [MGL_CHANGE_METHOD] = "method",
                                    NULL};

const char *mgl_change_name(mgl_change_kind kind)
{
    return kinds[kind];
}

/* "FIRST,N" or "N". */
static bool read_window(mgl_span text, void *place)
{
    enum { MOST = 100000 }; /* as many as a page can show at once */
    const char *comma = text.size > 0 ? memchr(text.data, ',', text.size) : NULL;
    size_t head = comma != NULL ? (size_t)(comma - text.data) : 0;
    mgl_row_window window = {1, 0};
    mgl_span first = mgl_span_trim((mgl_span){text.data, head});
    mgl_span n = comma != NULL ? (mgl_span){comma + 1, text.size - head - 1} : text;
    if (comma != NULL && (!mgl_parse_u64(first, &window.first) || window.first < 1))
        return false;
    if (!mgl_parse_u64(mgl_span_trim(n), &window.n) || window.n > MOST)
        return false;
    *(mgl_row_window *)place = window;
    return true;
}

/* "class=ROW" or a word. */
static bool read_shown(mgl_span text, void *place)
{
    static const char *const words[] = {[MGL_SHOWN_ALL] = "all",
                                        [MGL_SHOWN_CHANGED] = "changed",
                                        [MGL_SHOWN_SUPPRESSED] = "suppressed",
                                        [MGL_SHOWN_BREAKING] = "breaking"};
    static const char prefix[] = "class=";
    size_t skip = sizeof prefix - 1;
    mgl_previewed_rows shown = {MGL_SHOWN_CLASS, 0};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (mgl_span_is(text, words[i])) {
            *(mgl_previewed_rows *)place = (mgl_previewed_rows){(mgl_preview_kind)i, 0};
            return true;
        }
    if (text.size <= skip || memcmp(text.data, prefix, skip) != 0 ||
        !mgl_parse_u64((mgl_span){text.data + skip, text.size - skip}, &shown.row) || shown.row < 1)
        return false;
    *(mgl_previewed_rows *)place = shown;
    return true;
}

static const mgl_key of_views[] = {
    {.name = "changes",
     .common = MGL_FOR_EVERY,
     .brief = "which changes: k, suppress, columns, ...",
     .value = "KIND,...",
     .commands = MGL_WHAT_IF,
     .kind = MGL_KEY_LIST,
     .record = MGL_RECORD_NEVER,
     .parser = {.kind = MGL_PARSE_WORD, .words = kinds},
     .place = offsetof(mgl_settings, what_if.changes),
     .count = offsetof(mgl_settings, what_if.n_changes),
     .help = "what to change: k, suppress, columns, levels, method; answer: the job as it is "
             "(default: all of them)"},
    {.name = "budget",
     .value = "SECONDS",
     .commands = MGL_WHAT_IF,
     .record = MGL_RECORD_NEVER,
     .parser = {.kind = MGL_PARSE_NUMBER,
                .above = true,
                .wrong = "is no time; give seconds, more than 0"},
     .place = offsetof(mgl_settings, what_if.budget),
     .help = "begin with no change after so many seconds; what was not asked is listed"},
    {.name = "window",
     .common = MGL_FOR_EVERY,
     .brief = "the first row to show, and how many",
     .value = "FIRST,N",
     .commands = MGL_PREVIEW | MGL_LOOK,
     .record = MGL_RECORD_NEVER,
     .fallback = "1,20",
     .parser = {.kind = MGL_PARSE_OWN,
                .read = read_window,
                .wrong = "is no FIRST,N; give the first row, from 1, and how many, up to 100000"},
     .place = offsetof(mgl_settings, view.window),
     .help = "the first row to show, from 1, and how many"},
    {.name = "show",
     .value = "all|changed|suppressed|breaking|class=ROW",
     .commands = MGL_PREVIEW,
     .record = MGL_RECORD_NEVER,
     .fallback = "all",
     .parser = {.kind = MGL_PARSE_OWN,
                .read = read_shown,
                .wrong = "is none of all, changed, suppressed, breaking and class=ROW"},
     .place = offsetof(mgl_settings, view.shown),
     .help = "which rows: those that change, are suppressed, break a model as the table is, or "
             "are released like row ROW"},
};

const mgl_key_rows mgl_keys_of_views = MGL_KEY_ROWS(of_views);
