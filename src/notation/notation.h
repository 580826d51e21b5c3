/* notation: how numbers, dates and times are written, without a locale.
 *
 * Numbers have a decimal point or a decimal comma, and thousands may be set apart: 1234.5, 1,234.5,
 * 1.234,5, 1 234,5, 1'234.5. Dates are three numbers in one of three orders, a time of day may
 * follow. A column has one notation, which its dictionary carries. */
#ifndef MGL_NOTATION_H
#define MGL_NOTATION_H

#include "base/base.h"

typedef enum mgl_number_notation {
    MGL_NUMBERS_PLAIN, /* a decimal point, thousands not set apart */
    MGL_NUMBERS_POINT, /* a decimal point; thousands may be set apart */
    MGL_NUMBERS_COMMA, /* a decimal comma; thousands may be set apart */
    MGL_NUMBER_NOTATIONS
} mgl_number_notation;

/* All zero: plain numbers and years of four digits. */
typedef struct mgl_notation {
    mgl_number_notation numbers;
    bool unsure;      /* numbers could as well be read in another notation: 1.234, 1,234 */
    bool has_century; /* two-digit years up to `century` are 20YY, the others 19YY */
    uint8_t century;
} mgl_notation;

/* What mgl_parse_double reads, in this notation (NULL: the plain one). Groups have three digits,
 * the first of them one to three and no zero in front; between all of them stands the same sign:
 * the other one of point and comma, an apostrophe (' or U+2019) or a blank (also U+00A0, U+2009,
 * U+202F). */
bool mgl_notation_number(const mgl_notation *notation, mgl_span text, double *out);

/* The same number in the plain notation; *out lies in room or is the text itself. False if it is no
 * number or too long. */
enum { MGL_PLAIN_TEXT = 64 };
bool mgl_notation_plain(const mgl_notation *notation, mgl_span text, char room[MGL_PLAIN_TEXT],
                        mgl_span *out);

/* The other way round, in place: gives a plain number the decimal sign of the notation. Thousands
 * are not set apart. */
void mgl_notation_sign(const mgl_notation *notation, char *text, size_t size);

/* Finds the notation of a column: look at its different values, each once, missing ones left out,
 * then end. All zero before the first. */
typedef struct mgl_number_sniffer {
    uint64_t values;
    uint64_t readable[MGL_NUMBER_NOTATIONS]; /* values that are numbers in the notation */
    uint64_t only[MGL_NUMBER_NOTATIONS]; /* values that are numbers in this notation and in no other
                                            that has groups */
    uint64_t differ; /* texts that are one number with a decimal point and another with a comma */
    size_t shortest, longest; /* bytes */
} mgl_number_sniffer;
void mgl_number_sniffer_look(mgl_number_sniffer *sniffer, mgl_span text);

typedef enum mgl_number_verdict {
    MGL_NUMBERS_NONE,      /* no numbers; the notation is the plain one */
    MGL_NUMBERS_CLEAR,     /* nearly all values are numbers in this notation */
    MGL_NUMBERS_AS_POINTS, /* nearly all are numbers so, but 1.234 could as well be a thousand */
    MGL_NUMBERS_UNCLEAR /* all are like 1,234, which leaves open what they are: taken as no numbers
                         */
} mgl_number_verdict;
mgl_number_verdict mgl_number_sniffer_end(const mgl_number_sniffer *sniffer, mgl_notation *out);

/* So few of the values are something else that this is a slip: one among at least MGL_NEARLY_FROM
 * values, or one in MGL_NEARLY_ALL. */
enum { MGL_NEARLY_FROM = 20, MGL_NEARLY_ALL = 100 };
bool mgl_nearly_all(uint64_t fitting, uint64_t values);

/* ---- Decimal numbers, exactly: an interval of width 0.1 must begin at 0.3, not at
 * 0.30000000000000004 ----------------------------------------------------------------------------
 */

/* digits / 10^scale. Sums of two stay far from overflow. */
typedef struct mgl_decimal {
    __int128 digits;
    uint32_t scale;
} mgl_decimal;

enum { MGL_DECIMAL_DIGITS = 36 };

/* The grammar of mgl_notation_number; the least scale. False if it is no number or has too many
 * digits. */
bool mgl_decimal_parse(const mgl_notation *notation, mgl_span text, mgl_decimal *out);
/* The same number with a larger scale; false if it has too many digits then. */
bool mgl_decimal_rescale(mgl_decimal *number, uint32_t scale);

/* As short as it can be written: 0.50 is 0.5, with the decimal sign of the notation (NULL: a
 * point). */
enum { MGL_DECIMAL_TEXT = 64 };
size_t mgl_decimal_write(const mgl_notation *notation, __int128 digits, uint32_t scale,
                         char text[MGL_DECIMAL_TEXT]);
/* Appends [lo,hi), or [lo-hi) if the notation has decimal commas, or lo-(hi-1) for integers. */
void mgl_decimal_range(const mgl_notation *notation, mgl_buffer *out, __int128 lo, __int128 hi,
                       uint32_t scale);

typedef enum mgl_date_order { MGL_YMD, MGL_DMY, MGL_MDY, MGL_DATE_ORDERS } mgl_date_order;
const char *mgl_date_order_name(mgl_date_order order); /* "dmy" */
bool mgl_date_order_parse(mgl_span text, mgl_date_order *out);

typedef struct mgl_date {
    unsigned year, month, day;
} mgl_date;

/* Days since a fixed day, to compare dates, and the other way round. */
double mgl_date_days(mgl_date date);
mgl_date mgl_date_of_days(double days);

/* The same with whole numbers, days since 1970-01-01, and years of any size. */
int64_t mgl_calendar_days(int64_t year, unsigned month, unsigned day);
void mgl_calendar_date(int64_t days, int64_t *year, unsigned *month, unsigned *day);

/* A day, and a time of day if one is written. A zone is read and left aside: day and hour are those
 * that stand there. */
typedef struct mgl_moment {
    mgl_date date;
    bool timed;
    double seconds; /* since midnight; 0 without a time */
} mgl_moment;

/* Reads the text in one order; false if it is no existing day so. Years have four digits, or two if
 * the notation has a century and they stand last. A time stands behind a T or a blank: 13:45,
 * 13:45:07, 13:45:07.25, 1:45 PM; a zone behind it: Z, UTC, +02:00, +0200, +02, +00:53:28. */
bool mgl_moment_parse(const mgl_notation *notation, mgl_span text, mgl_date_order order,
                      mgl_moment *out);
/* Days as above, with the time as a fraction. */
double mgl_moment_days(const mgl_moment *moment);

/* The orders that the text can be read in: bit 1 << order. */
unsigned mgl_date_orders(const mgl_notation *notation, mgl_span text);

/* Why a text is no date. */
typedef enum mgl_date_fault {
    MGL_DATE_FINE,
    MGL_DATE_NONE,       /* nothing like it */
    MGL_DATE_SHORT_YEAR, /* a two-digit year, and no century was given */
    MGL_DATE_IMPOSSIBLE, /* of the form of a date, but the day or time does not exist: 31.02.2020 */
    MGL_DATE_OUTSIDE /* as databases have it: infinity, a year before Christ or of five digits */
} mgl_date_fault;
mgl_date_fault mgl_date_fault_of(const mgl_notation *notation, mgl_span text);

/* 1965-09-20, and 1965-09-20T13:45:00 or with a fraction of a second: written from and read as
 * seconds since 1970-01-01. Writing returns the length; reading returns false if the text has
 * another form or the day does not exist. */
enum { MGL_TIME_TEXT = 64 };
size_t mgl_date_write(double seconds, char text[MGL_TIME_TEXT]);
size_t mgl_datetime_write(double seconds, char text[MGL_TIME_TEXT]);
bool mgl_date_read(mgl_span text, double *seconds);
bool mgl_datetime_read(mgl_span text, double *seconds);

#endif
