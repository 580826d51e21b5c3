/* Single values: how they are read and what is said about wrong ones. */
#ifndef MGL_JOB_VALUES_H
#define MGL_JOB_VALUES_H

#include "job/keys.h"

mgl_value_check mgl_check_any, mgl_check_flag, mgl_check_role, mgl_check_kind, mgl_check_rest,
    mgl_check_weight, mgl_check_portion, mgl_check_level, mgl_check_method, mgl_check_suppress,
    mgl_check_treatment, mgl_check_effort, mgl_check_measure, mgl_check_prefer, mgl_check_delimiter,
    mgl_check_decimal, mgl_check_century, mgl_check_threads, mgl_check_size, mgl_check_seconds,
    mgl_check_whole, mgl_check_protect, mgl_check_distance, mgl_check_cut, mgl_check_replace,
    mgl_check_matches, mgl_check_accept, mgl_check_combinations, mgl_check_identification,
    mgl_check_steps, mgl_check_history, mgl_check_fraction, mgl_check_share, mgl_check_k,
    mgl_check_least_count, mgl_check_text, mgl_check_date;

/* "5%" is 0.05. */
bool mgl_value_share(mgl_span text, double *out);

/* What the checks accept. Out-parameters are written only if the value is fine. */
bool mgl_value_flag(mgl_span text, bool *out);
bool mgl_value_rest(mgl_span text, mgl_role *out);
bool mgl_value_level(mgl_span text, uint32_t *min, uint32_t *max); /* 2, 1..3, 1.., ..3 */
bool mgl_value_treatment(mgl_span text, mgl_treatment *out);
bool mgl_value_effort(mgl_span text, mgl_effort *out);
bool mgl_value_cut(mgl_span text, mgl_cut *out);
bool mgl_value_replace(mgl_span text, mgl_replace *out);
bool mgl_value_matches(mgl_span text, bool *all); /* "itself" or "all" */
/* One of "2", "published", "all": added to what is there. */
bool mgl_value_combination(mgl_span text, mgl_combinations *out);
bool mgl_value_u32(mgl_span text, uint32_t *out);
bool mgl_value_delimiter(mgl_span text, char *out);
bool mgl_value_decimal(mgl_span text, char *out);
bool mgl_value_century(mgl_span text, uint8_t *out);
bool mgl_value_size(mgl_span text, uint64_t *out);
bool mgl_value_preference(mgl_span text, mgl_preference *out);
/* "loss", or "classification=COLUMN": then label is the column, else empty. */
bool mgl_value_measure(mgl_span text, const mgl_measure_type **measure, mgl_span *label);
/* The measure that needs a column, and the text names none; NULL: that is not what is wrong. */
const mgl_measure_type *mgl_value_lacks_label(mgl_span text);
const mgl_method_type *mgl_value_method(mgl_span text); /* NULL: none */

/* How many parameters of a model must be given: words at the end need not. */
size_t mgl_parameters_needed(const mgl_model_type *type);
/* Where a model takes the parameter of that name as one of several words; n_parameters if
 * it does not. */
size_t mgl_word_parameter(const mgl_model_type *type, const char *name);

/* Reads the parameters of a model, "5", "0.5,3" or "0.2,ordered"; false with what is wrong
 * appended. */
bool mgl_value_parameters(const mgl_model_type *type, mgl_span text, double *parameters,
                          mgl_buffer *wrong);
bool mgl_value_parameter(const mgl_parameter *parameter, mgl_span text, double *out,
                         mgl_buffer *wrong);

/* ---- Lists: a,b,"c,d" --------------------------------------------------------- */

/* Takes the next item off a list: quoted ("" stands for a quote) or up to the next comma
 * and without spaces at its ends. The item is written to `item`. Returns false at the end
 * of the list; `wrong` gets a word if a quote is not closed or followed by other text. */
typedef struct mgl_list {
    mgl_span rest;
    bool more; /* another item follows */
} mgl_list;
mgl_list mgl_list_of(mgl_span text);
bool mgl_list_next(mgl_list *list, mgl_buffer *item, mgl_buffer *wrong);

/* Takes the next column=value off a list of them; with last the value is all the rest. */
bool mgl_list_next_pair(mgl_list *list, bool last, mgl_buffer *column, mgl_buffer *value,
                        mgl_buffer *wrong);

/* Appends an item so that mgl_list_next gives it back. */
void mgl_list_append(mgl_buffer *list, mgl_span item);

#endif
