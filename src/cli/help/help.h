/* help: what `mingle help` and --help print, made of the catalogue of the library. */
#ifndef MGL_CLI_HELP_H
#define MGL_CLI_HELP_H

#include "cli/options/options.h"

/* Writes about "commands", "methods", "models", "measures", "builders", "policies", "formats",
 * "options" or "keys", "all" of these, a command ("anonymize": its options), or one name out of
 * these. markdown: lists are tables. MGL_USAGE, and nothing written: there is no such name. */
mgl_status mgl_cli_describe(const char *name, bool markdown, mgl_error *err, FILE *out);

/* Writes the options of a command under the headings of their groups: all, or in one line each
 * those that are often used, and how to see the others. */
mgl_status mgl_cli_list_options(const char *command, bool all, mgl_error *err, FILE *out);

/* ---- Layout (help_layout.c). Texts may name keys between backquotes, which are spelt here. --- */

/* A line of a two-column list for a terminal: left, then right wrapped beside it. */
void mgl_cli_help_line(FILE *out, const char *left, const char *right);
/* The same with more room on the left, for texts of a few words. */
void mgl_cli_help_short(FILE *out, const char *left, const char *right);
/* A label, then a text wrapped beside it; nothing if there is no text. */
void mgl_cli_paragraph(FILE *out, const char *label, const char *text);
/* A row of a table in Markdown; last may be NULL: then it has three columns. */
void mgl_cli_markdown_row(FILE *out, const char *const cells[4]);

/* ---- One name (help_about.c) ----------------------------------------------------------------- */

/* Everything of that name; false if there is nothing. */
bool mgl_cli_help_about(const mgl_cli_keys *keys, const char *name, FILE *out);

/* "k-anonymity 5, p-sensitive 2 (if columns are sensitive)" */
void mgl_cli_policy_models(const mgl_result *catalogue, const char *policy, FILE *out);
/* "read, written" or "read" */
const char *mgl_cli_format_use(const mgl_result *catalogue, const char *format);
/* "duckdb:" or ".csv .tsv"; nothing for a format that is known by its contents. */
void mgl_cli_format_location(const mgl_result *catalogue, const char *format, FILE *out);

#endif
