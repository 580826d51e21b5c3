/* Lays out help for terminals and for pages: paragraphs, two columns, tables in Markdown. The lists
 * and texts of this room are written with it. */
#include "cli/help/help.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

enum { INDENT = 2, SECOND_COLUMN = 30, SHORT_COLUMN = 35, WIDTH = 80 };

/* Words from column `at` on; the following lines begin at column `indent`. */
static void wrap(FILE *out, const char *text, size_t at, size_t indent)
{
    char *whole = mgl_cli_spelt(text);
    bool first = true;
    for (const char *rest = whole; *rest != '\0';) {
        size_t word = strcspn(rest, " ");
        if (!first && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", (int)indent, "");
            at = indent;
            first = true;
        }
        fprintf(out, "%s%.*s", first ? "" : " ", (int)word, rest);
        at += word + !first;
        first = false;
        rest += word;
        rest += strspn(rest, " ");
    }
    fputs("\n", out);
    free(whole);
}

static void write_line(FILE *out, const char *left, const char *right, size_t column)
{
    fprintf(out, "%*s%s", INDENT, "", left);
    size_t at = INDENT + strlen(left);
    if (at + 2 > column) {
        fputs("\n", out);
        at = 0;
    }
    fprintf(out, "%*s", (int)(column - at), "");
    wrap(out, right, column, column);
}

void mgl_cli_help_line(FILE *out, const char *left, const char *right)
{
    write_line(out, left, right, SECOND_COLUMN);
}

void mgl_cli_help_short(FILE *out, const char *left, const char *right)
{
    write_line(out, left, right, SHORT_COLUMN);
}

void mgl_cli_paragraph(FILE *out, const char *label, const char *text)
{
    enum { LABEL = 12 };
    if (text == NULL || text[0] == '\0')
        return;
    fprintf(out, "%*s%-*s", INDENT, "", LABEL, label);
    wrap(out, text, INDENT + LABEL, INDENT + LABEL);
}

void mgl_cli_markdown_row(FILE *out, const char *const cells[4])
{
    for (size_t i = 0; i < 4 && cells[i] != NULL; i++) {
        char *cell = mgl_cli_spelt(cells[i] != NULL ? cells[i] : "");
        fputs(i > 0 ? " | " : "| `", out);
        for (const char *c = cell; *c != '\0'; c++)
            fprintf(out, "%s%c", *c == '|' ? "\\" : "", *c); /* it would end the cell */
        fputs(i == 0 ? "`" : "", out);
        free(cell);
    }
    fputs(" |\n", out);
}
