/* Single values: how they are read and what is said about wrong ones. */
#ifndef MGL_JOB_KEYS_VALUES_H
#define MGL_JOB_KEYS_VALUES_H

#include "job/keys/table_of_keys.h"

mgl_value_check mgl_check_any, mgl_check_method, mgl_check_suppress, mgl_check_measure,
    mgl_check_prefer, mgl_check_protect, mgl_check_distance, mgl_check_text, mgl_check_date,
    mgl_check_condition, mgl_check_sample, mgl_check_km, mgl_check_separator, mgl_check_dialect;

/* Value parsers of MGL_PARSE_OWN (base/value_parser.h): they write only if the value is fine. */
bool mgl_read_span(mgl_span text, void *place);       /* mgl_span: any text */
bool mgl_read_rest(mgl_span text, void *place);       /* mgl_role */
bool mgl_read_kind(mgl_span text, void *place);       /* mgl_said_kind */
bool mgl_read_levels(mgl_span text, void *place);     /* mgl_level_range: 2, 1..3, 1.., ..3 */
bool mgl_read_km(mgl_span text, void *place);         /* mgl_km: 5, 5,2 */
bool mgl_read_share(mgl_span text, void *place);      /* double: "5%" is 0.05 */
bool mgl_read_delimiter(mgl_span text, void *place);  /* char */
bool mgl_read_decimal(mgl_span text, void *place);    /* char */
bool mgl_read_century(mgl_span text, void *place);    /* uint8_t */
bool mgl_read_size(mgl_span text, void *place);       /* uint64_t: 500M */
bool mgl_read_preference(mgl_span text, void *place); /* mgl_preference */
bool mgl_read_method(mgl_span text, void *place);     /* const mgl_method_type * */

/* "loss", or "classification=COLUMN": then label is the column, else empty. */
bool mgl_value_measure(mgl_span text, const mgl_measure_type **measure, mgl_span *label);
/* The measure that needs a column, and the text names none; NULL: that is not what is wrong. */
const mgl_measure_type *mgl_value_lacks_label(mgl_span text);

/* Keys that are no single field (mgl_key.fill). */
mgl_status mgl_fill_entity(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_where(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_sample(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_items(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_policy(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_measure(const mgl_filling *filling, const mgl_key *key, const char *text);
mgl_status mgl_fill_methods(const mgl_filling *filling, const mgl_key *key, const char *text);

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

#endif
