/* Lines for a terminal: a label, then text beside it. */
#ifndef MGL_REPORT_WORDS_PAGE_H
#define MGL_REPORT_WORDS_PAGE_H

#include "report/report.h"

/* 20162 -> "20,162"; 0.81234 -> "0.8123"; return text, which holds MGL_NUMBER_SIZE bytes. */
enum { MGL_NUMBER_SIZE = 48 };
const char *mgl_page_count(uint64_t count, char *text);
const char *mgl_page_real(double value, char *text);

/* Texts of numbers. The last MGL_NUMBERS of them stay valid. */
enum { MGL_NUMBERS = 8 };
typedef struct mgl_numbers {
    char texts[MGL_NUMBERS][MGL_NUMBER_SIZE];
    unsigned next;
} mgl_numbers;
/* Room for the next text. */
char *mgl_numbers_next(mgl_numbers *numbers);
const char *mgl_count_words(mgl_numbers *numbers, uint64_t count);
const char *mgl_real_words(mgl_numbers *numbers, double value);
/* The number of a key: a count, a real number. */
const char *mgl_whole_words(mgl_numbers *numbers, const json_t *object, const char *key);
const char *mgl_number_words(mgl_numbers *numbers, const json_t *object, const char *key);
/* "1 row", "20,162 rows". */
const char *mgl_many_words(mgl_numbers *numbers, uint64_t count, const char *one, const char *many);

enum { MGL_PAGE_LABEL = 12, MGL_PAGE_WIDTH = 80, MGL_PAGE_NARROWEST = 20 };

typedef enum mgl_ink {
    MGL_INK_PLAIN,
    MGL_INK_GOOD,
    MGL_INK_BAD,
    MGL_INK_CARE,
    MGL_INK_BAR
} mgl_ink;

typedef struct mgl_page {
    mgl_buffer text;
    bool colour;
    bool ascii;    /* what we draw ourselves needs no more than ASCII */
    bool wraps;    /* lines longer than the width are broken between words */
    size_t width;  /* columns that lines are laid out for */
    size_t at;     /* column the line has reached */
    size_t begin;  /* of the line in the text */
    size_t indent; /* of what a broken line goes on with */
    bool whole;    /* the line is to be copied, and never broken */
    int (*spell)(const char *phrase, char *text, size_t size); /* mgl_text_style */
    mgl_measure_view_fn *measures;
    mgl_numbers numbers;
} mgl_page;

/* A page as a terminal shows it. */
mgl_page mgl_page_of(const mgl_text_style *style);

/* Begins a line with a label; empty: a further line under the last label. */
void mgl_page_label(mgl_page *page, const char *label);
/* Text as it is, but for control characters. */
void mgl_page_text(mgl_page *page, const char *text);
void mgl_page_add(mgl_page *page, const char *format, ...) MGL_PRINTF(2, 3);
/* A whole line: label, text, end. */
void mgl_page_line(mgl_page *page, const char *label, const char *format, ...) MGL_PRINTF(3, 4);
/* Adds what the buffer holds, and empties it. */
void mgl_page_take(mgl_page *page, mgl_buffer *words);
void mgl_page_ink(mgl_page *page, mgl_ink ink, const char *text);
/* A cell of a table: blanks follow until it is so many characters wide. */
void mgl_page_cell(mgl_page *page, const char *text, size_t width);
/* Characters, each of which takes one column. */
size_t mgl_page_columns(const char *text);
/* Adds an item of a list; goes to a new line when the line is full. */
void mgl_page_put_item(mgl_page *page, const char *format, ...) MGL_PRINTF(2, 3);
/* The same of what the buffer holds, which is emptied. */
void mgl_page_take_item(mgl_page *page, mgl_buffer *words);
void mgl_page_end(mgl_page *page); /* of the line */

#endif
