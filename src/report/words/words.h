/* words: what both views of a result say in the same way: numbers, names of models and measures,
 * what left a database, and lines that are broken at a width. */
#ifndef MGL_REPORT_WORDS_H
#define MGL_REPORT_WORDS_H

#include "report/words/left_words.h"
#include "report/words/measure_words.h"
#include "report/words/page.h"
#include "report/words/population_words.h"
#include "report/words/strata_words.h"

#endif
